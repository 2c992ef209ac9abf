//! Where a command's records come from, and who asks for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use portolan_runtime::{Caller, RecordSource};
use portolan_sources::Mapping;
use portolan_sources::sqlite::{Options, Sqlite};

/// What stands beside a database that isn't named as its artifact is.
const MAPPING: &str = "source.toml";

/// Where records come from.
#[derive(clap::Args, Debug)]
pub(crate) struct Sourced {
    /// The records: `sqlite:PATH`
    #[arg(long, value_name = "SOURCE")]
    source: String,
    /// What maps names and says how values are stored; `source.toml` beside the database, where there is one
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Nobody writes to the database meanwhile: take no locks
    #[arg(long)]
    immutable: bool,
}

impl Sourced {
    /// Opens the source.
    pub(crate) fn open(&self) -> anyhow::Result<Arc<dyn RecordSource>> {
        let Some(("sqlite", path)) = self.source.split_once(':') else {
            bail!("'{}' is no source: there is sqlite:PATH", self.source);
        };
        let path = Path::new(path);
        let beside = path.with_file_name(MAPPING);
        let mapping = match self.mapping.clone().or_else(|| beside.is_file().then_some(beside)) {
            Some(file) => read(&file)?,
            None => Mapping::default(),
        };
        let options = Options { immutable: self.immutable, ..Options::default() };
        Ok(Arc::new(Sqlite::open(path, &mapping, &options)?))
    }
}

fn read(file: &Path) -> anyhow::Result<Mapping> {
    let text = fs::read_to_string(file).with_context(|| format!("{} can't be read", file.display()))?;
    text.parse().map_err(|problem| anyhow!("{}: {problem}", file.display()))
}

/// Who asks, beside their profile.
#[derive(clap::Args, Debug)]
pub(crate) struct Asking {
    /// The id of whoever asks, for row rules
    #[arg(long, value_name = "ID")]
    caller_id: Option<String>,
    /// Another attribute of theirs, for row rules
    #[arg(long = "caller", value_name = "NAME=VALUE", value_parser = attribute)]
    attributes: Vec<(String, String)>,
    /// The zone of their clocks, such as `Europe/Berlin`
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    zone: Tz,
    /// What time it is, where it isn't now: `2026-11-30T09:00:00Z`
    #[arg(long, value_name = "MOMENT")]
    now: Option<DateTime<Utc>>,
}

impl Asking {
    pub(crate) fn caller(&self, caller: Caller) -> Caller {
        let mut caller = caller.zone(self.zone);
        if let Some(id) = &self.caller_id {
            caller = caller.id(id);
        }
        for (name, value) in &self.attributes {
            caller = caller.attribute(name, value);
        }
        match self.now {
            Some(now) => caller.clock(move || now),
            None => caller,
        }
    }
}

fn attribute(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
