//! The options of every command that reads an artifact, and the session that they open.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use portolan_runtime::{Caller, CallerError, Schema, Session};

/// Which artifact, seen by whom.
#[derive(clap::Args, Debug)]
pub(crate) struct Opened {
    /// The artifact
    #[arg(long, default_value = "artifacts/schema.msgpack", value_name = "FILE")]
    artifact: PathBuf,
    /// The profile of whoever asks; needed where the artifact declares any
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
}

impl Opened {
    /// Begins a session.
    pub(crate) fn session(&self) -> anyhow::Result<Session> {
        self.session_of(|caller| caller)
    }

    /// Begins a session of somebody of whom more is known than the profile.
    pub(crate) fn session_of(&self, known: impl FnOnce(Caller) -> Caller) -> anyhow::Result<Session> {
        let schema = Schema::open_file(&self.artifact).with_context(|| cannot_open(&self.artifact))?;
        let caller = match &self.profile {
            Some(profile) => Caller::new().profile(profile),
            None => Caller::new(),
        };
        schema.session(known(caller)).map_err(|problem| match problem {
            CallerError::NoProfile(known) => {
                anyhow!(
                    "the artifact declares profiles, and sees to it that everybody has one: add --profile {}",
                    known.join(" or --profile ")
                )
            }
            unknown @ CallerError::UnknownProfile { .. } => unknown.into(),
        })
    }
}

/// Reads an artifact.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    // A pipe would be waited for, and a device read for ever.
    let is_file = path.metadata().with_context(|| cannot_open(path))?.is_file();
    ensure!(is_file, "{}: it is not a file", cannot_open(path));
    fs::read(path).with_context(|| cannot_open(path))
}

fn cannot_open(path: &Path) -> String {
    format!("{} can't be opened (`portolan build-schema` makes one)", path.display())
}
