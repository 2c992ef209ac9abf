//! The sample org: the metadata extract of a fictional life-science company's field-sales CRM.
//!
//! It is what the demo, the benches and many tests run on, so it has the size, the shape and the
//! oddities of a real one: some eighty objects that people ask about among hundreds they never do,
//! wide objects, polymorphic and self references, references to what isn't there, and picklists that
//! weigh four times as much as everything else. The same seed gives the same bytes on every machine.
//!
//! - `catalogue`: the objects, as tables; `blueprint` puts them in order and repeats them.
//! - `invent`, `values`, `words`: fields and picklist values that are made up from vocabularies.
//! - `generate`: an object out of a blueprint; `write`: objects into files.
//! - `records`: rows for the objects that the allowlist keeps, in an `SQLite` database.

mod blueprint;
mod catalogue;
mod generate;
mod invent;
mod records;
mod rng;
mod spec;
#[cfg(test)]
mod tests;
mod values;
mod wire;
#[rustfmt::skip] // word lists read better filled than with a word a line
mod words;
mod write;

use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::{Compression, GzBuilder};

pub use records::{ODDITIES, Oddity, Records};
pub(crate) use rng::Rng;
pub use write::Written;

/// An org to generate.
#[derive(Clone, Copy, Debug)]
pub struct SampleOrg {
    /// How many objects it has. The business objects come first.
    pub objects: usize,
    /// What decides everything that is left to chance.
    pub seed: u64,
}

impl Default for SampleOrg {
    /// The org whose extract is committed.
    fn default() -> Self {
        Self { objects: 530, seed: 1 }
    }
}

/// How an extract is laid out on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One document, `extract.json`.
    File,
    /// One compressed document, `extract.json.gz`.
    Gzip,
    /// A document an object, in `extract/`.
    Folder,
}

impl SampleOrg {
    fn objects(self) -> impl Iterator<Item = wire::Object> {
        blueprint::blueprints()
            .take(self.objects)
            .map(move |blueprint| generate::object(&blueprint, self.seed))
    }

    /// Writes the extract into a folder, which is made where it is missing. Says what was written and
    /// where it stands.
    pub fn write(self, folder: &Path, layout: Layout) -> anyhow::Result<(PathBuf, Written)> {
        let path = folder.join(match layout {
            Layout::File => "extract.json",
            Layout::Gzip => "extract.json.gz",
            Layout::Folder => "extract",
        });
        let written =
            self.write_to(&path, layout).with_context(|| format!("can't write {}", path.display()))?;
        Ok((path, written))
    }

    fn write_to(self, path: &Path, layout: Layout) -> std::io::Result<Written> {
        if layout == Layout::Folder {
            return self.write_folder(path);
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = std::io::BufWriter::new(std::fs::File::create(path)?);
        if layout == Layout::File {
            return self.write_document(file);
        }
        // No time, no name and no operating system in the header: the bytes are the org's alone.
        let mut gzip = GzBuilder::new().mtime(0).operating_system(255).write(file, Compression::best());
        let written = self.write_document(&mut gzip)?;
        gzip.finish()?.into_inner()?.sync_all()?;
        Ok(written)
    }
}
