//! The files of an extract: one for the whole org, or one an object.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use portolan_schema::native;
use serde::Serialize;

use super::SampleOrg;
use super::wire::Object;

/// What was written, counted as it went out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Objects.
    pub objects: u64,
    /// Fields of all objects.
    pub fields: u64,
    /// Picklist values of all fields.
    pub values: u64,
    /// Bytes of JSON, before any compression.
    pub bytes: u64,
}

impl Written {
    fn count(&mut self, object: &Object) {
        self.objects += 1;
        for field in &object.fields {
            self.fields += 1;
            self.values += field.picklist.as_ref().map_or(0, |values| values.len() as u64);
        }
    }
}

impl SampleOrg {
    /// Writes the org as one document. Each object is made, written and forgotten.
    pub fn write_document(&self, out: impl Write) -> io::Result<Written> {
        let mut out = Counting { inner: out, bytes: 0 };
        let mut written = Written::default();
        let mut line = Vec::new();
        write!(out, "{{\"format\":\"{}\",\"objects\":[", native::FORMAT)?;
        for object in self.objects() {
            line.clear();
            line.extend_from_slice(if written.objects == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut line, &object)?;
            out.write_all(&line)?;
            written.count(&object);
        }
        out.write_all(b"\n]}\n")?;
        out.flush()?;
        Ok(Written { bytes: out.bytes, ..written })
    }

    /// Writes the org as a folder with a document an object.
    ///
    /// A JSON file of another run that is in the way is an error: it would be read as part of the org.
    pub fn write_folder(&self, folder: &Path) -> io::Result<Written> {
        fs::create_dir_all(folder)?;
        let mut written = Written::default();
        for object in self.objects() {
            let file = BufWriter::new(File::create(folder.join(format!("{}.json", object.name)))?);
            let mut out = Counting { inner: file, bytes: 0 };
            serde_json::to_writer(&mut out, &Document { format: native::FORMAT, object: &object })?;
            out.write_all(b"\n")?;
            out.flush()?;
            written.count(&object);
            written.bytes += out.bytes;
        }
        let strangers = json_files(folder)?.saturating_sub(written.objects);
        if strangers > 0 {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!(
                    "it holds JSON files of another run ({strangers}), which would be read as part of the org"
                ),
            ));
        }
        Ok(written)
    }
}

/// A document with one object.
#[derive(Serialize)]
struct Document<'o> {
    format: &'static str,
    object: &'o Object,
}

fn json_files(folder: &Path) -> io::Result<u64> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        count += u64::from(entry?.path().extension().is_some_and(|extension| extension == "json"));
    }
    Ok(count)
}

/// Counts the bytes that pass through.
struct Counting<W> {
    inner: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.bytes += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
