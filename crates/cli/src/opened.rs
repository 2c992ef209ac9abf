//! The options of every command that reads an artifact, and the session that they open.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
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
        let bytes = read(&self.artifact)?;
        let schema = Schema::open(bytes).with_context(|| self.artifact.display().to_string())?;
        let caller = match &self.profile {
            Some(profile) => Caller::new().profile(profile),
            None => Caller::new(),
        };
        schema.session(caller).map_err(|problem| match problem {
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
    fs::read(path)
        .with_context(|| format!("{} can't be read; `portolan build-schema` makes one", path.display()))
}
