//! What format 1 has of its own: profiles without what follows from the schema. It has no tasks.

use serde::{Deserialize, Serialize};

use super::wire::{WireHidden, WireRows, hidden_in, hidden_out, read, rows_in, rows_out, write};
use super::{Artifact, Encoded, EncodedContent};
use crate::Profile;

pub(super) const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct WireProfile<'a> {
    name: &'a str,
    #[serde(borrow)]
    objects: Vec<&'a str>,
    #[serde(borrow)]
    hidden: WireHidden<'a>,
    #[serde(borrow)]
    rows: WireRows<'a>,
}

pub(super) fn encode(artifact: &Artifact) -> Encoded {
    let profiles: Vec<_> = artifact.profiles.iter().map(WireProfile::new).collect();
    let content = EncodedContent::in_format(FORMAT, &artifact.schema, |body| write(&profiles, body), None);
    content.into_file(&artifact.version)
}

pub(super) fn decode_profiles(bytes: &[u8]) -> Result<Vec<Profile>, String> {
    let profiles: Vec<WireProfile<'_>> = read(bytes)?;
    profiles.into_iter().map(WireProfile::into_profile).collect()
}

impl<'a> WireProfile<'a> {
    fn new(profile: &'a Profile) -> Self {
        Self {
            name: &profile.name,
            objects: profile.objects.iter().map(String::as_str).collect(),
            hidden: hidden_out(&profile.hidden),
            rows: rows_out(&profile.rows),
        }
    }

    fn into_profile(self) -> Result<Profile, String> {
        Ok(Profile {
            name: self.name.to_owned(),
            objects: self.objects.into_iter().map(str::to_owned).collect(),
            hidden: hidden_in(self.hidden),
            rows: rows_in(self.rows).map_err(|problem| format!("profile '{}': {problem}", self.name))?,
        })
    }
}
