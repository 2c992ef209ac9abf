//! What a schema weighs in a prompt: tokens, counted by a real tokenizer (`o200k_base`).

use std::fmt::Write as _;

use portolan_schema::artifact::{Artifact, EncodedContent};

use crate::ingest::{self, Root};
use crate::report::grouped;

/// Tokens of the extract as it is and of the schema as JSON, as a text of a few lines.
#[must_use]
pub fn report(extracts: &[Root], artifact: &Artifact) -> String {
    let mut before = 0;
    ingest::each_text(extracts, &mut |text| before += count(text));
    let json =
        artifact.to_json(EncodedContent::new(&artifact.schema, &artifact.profiles, &artifact.tasks).hash);
    let json = String::from_utf8_lossy(&json);
    let after = count(&json);
    let share = if before == 0 { 0.0 } else { 100.0 * after as f64 / before as f64 };
    let mut text = String::new();
    let _ = write!(
        text,
        "tokens (o200k): {} in the extract, {} in schema.json ({share:.1}%)",
        grouped(before),
        grouped(after)
    );
    text
}

/// Tokens of a text.
#[must_use]
pub fn count(text: &str) -> u64 {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64
}
