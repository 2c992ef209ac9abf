//! The files of an artifact: each written whole or not at all, the one that counts last.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use portolan_schema::artifact::Index;

/// The file that the runtime loads, and the last one to change.
pub const ARTIFACT: &str = "schema.msgpack";

/// The files of one build, in the order in which they take effect.
#[derive(Clone, Debug)]
pub struct Outputs {
    files: [(&'static str, Vec<u8>); 3],
}

/// A file that is not what the build makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Which.
    pub file: &'static str,
    /// What is the matter with it.
    pub why: &'static str,
}

/// Why the files could not be written; what was there before still is.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .path.display())]
pub struct WriteError {
    path: PathBuf,
    problem: io::Error,
}

impl Outputs {
    /// The files of a build.
    #[must_use]
    pub const fn new(json: Vec<u8>, manifest: Vec<u8>, artifact: Vec<u8>) -> Self {
        Self { files: [("schema.json", json), ("manifest.json", manifest), (ARTIFACT, artifact)] }
    }

    /// The bytes of the artifact itself.
    #[must_use]
    pub fn artifact(&self) -> &[u8] {
        &self.files[2].1
    }

    /// Compares the files of a folder with these. Line ends don't count, but for the artifact's.
    #[must_use]
    pub fn compare(&self, folder: &Path) -> Vec<Stale> {
        let stale = |(file, bytes): &(&'static str, Vec<u8>)| {
            let why = match fs::read(folder.join(file)) {
                Err(problem) if problem.kind() == io::ErrorKind::NotFound => "it is not there",
                Err(_) => "it can't be read",
                Ok(found) if found == *bytes => return None,
                Ok(found) if *file != ARTIFACT && unix_lines(&found) == *bytes => return None,
                Ok(found) if *file == ARTIFACT && same_content(&found, bytes) => {
                    "it holds the same schema under another version"
                }
                Ok(_) => "it differs from what the build makes",
            };
            Some(Stale { file, why })
        };
        self.files.iter().filter_map(stale).collect()
    }

    /// Writes the files into a folder, which is made where there is none.
    ///
    /// All are written beside their places and flushed to disk before the first is moved into its
    /// own, so that a full disk leaves everything as it was. A process that is killed between two
    /// moves leaves companions whose content hash is not the artifact's; [`Outputs::compare`] tells.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |problem| WriteError { path, problem }
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        // Two builds at once would write the same temporary files. Where folders can't be locked
        // (some systems and network file systems), builds are on their own.
        let lock = File::open(folder).ok();
        let _ = lock.as_ref().map(File::lock);
        let mut pending = Pending(Vec::new());
        for (file, bytes) in &self.files {
            let path = folder.join(file);
            if path.is_dir() {
                return Err(at(&path)(io::ErrorKind::IsADirectory.into()));
            }
            if fs::read(&path).is_ok_and(|found| found == *bytes) {
                continue;
            }
            let temporary = folder.join(format!(".{file}.tmp"));
            pending.0.push((temporary.clone(), path));
            write_through(&temporary, bytes).map_err(at(&temporary))?;
        }
        pending.0.reverse();
        while let Some((temporary, path)) = pending.0.last() {
            fs::rename(temporary, path).map_err(at(path))?;
            pending.0.pop();
        }
        // The renames last once the folder is flushed; not every system can do that.
        let _ = lock.as_ref().map(File::sync_all);
        Ok(())
    }
}

/// Temporary files that haven't reached their places. What is left when it goes is removed.
struct Pending(Vec<(PathBuf, PathBuf)>);

impl Drop for Pending {
    fn drop(&mut self) {
        for (temporary, _) in &self.0 {
            // Best effort: the next build overwrites it.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Whatever lies at the temporary name is what a killed build left, or a trap (a link to somewhere
/// else, a pipe): it is removed, never written through.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(problem) if problem.kind() != io::ErrorKind::NotFound => return Err(problem),
        _ => {}
    }
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn same_content(a: &[u8], b: &[u8]) -> bool {
    let content = |bytes| Index::read(bytes).ok().map(|index| index.content());
    content(a).is_some() && content(a) == content(b)
}

fn unix_lines(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            lines.push(*byte);
        }
    }
    lines
}
