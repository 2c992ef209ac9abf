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

#[cfg(all(test, feature = "proptest"))]
mod tests {
    use proptest::prelude::*;

    use super::super::{decode, upgrade};
    use super::*;
    use crate::arbitrary;

    fn as_format_1(artifact: Artifact) -> Artifact {
        Artifact { tasks: Vec::new(), ..artifact }
    }

    proptest! {
        #[test]
        fn an_upgraded_file_is_what_the_compiler_writes_today(artifact in arbitrary::artifact(4)) {
            let artifact = as_format_1(artifact);
            let old = encode(&artifact).bytes;
            prop_assert_eq!(&*upgrade(&old).unwrap(), &super::super::encode(&artifact).bytes);
            prop_assert_eq!(encode(&decode(&old).unwrap()).bytes, old);
        }

        #[test]
        fn one_changed_bit_is_an_error(artifact in arbitrary::artifact(3), at: prop::sample::Index, bit in 0..8) {
            let mut bytes = encode(&as_format_1(artifact)).bytes;
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            prop_assert!(upgrade(&bytes).is_err() || bytes[8..12] == [2, 0, 0, 0]);
            prop_assert!(decode(&bytes).is_err());
        }

        /// Right hashes around what the compiler of that format would not have written.
        #[test]
        fn a_file_made_by_hand_is_refused(artifact in arbitrary::artifact(3)) {
            let artifact = as_format_1(artifact);
            for profile in 0..artifact.profiles.len() {
                let mut twice = artifact.clone();
                twice.profiles.insert(profile, twice.profiles[profile].clone());
                prop_assert!(decode(&encode(&twice).bytes).is_err());
                let mut ghost = artifact.clone();
                ghost.profiles[profile].objects.insert("ghost of no object".to_owned());
                prop_assert!(decode(&encode(&ghost).bytes).is_err());
            }
        }
    }
}
