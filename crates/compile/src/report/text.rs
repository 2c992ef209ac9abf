//! The report as a table, for a person at a terminal.

use std::fmt::Write as _;

use super::{Deferral, DroppedEdges, DroppedFields, FormatCount, Manifest, Restorable, SkippedFiles, Widest};
use crate::diagnostic::visible;

/// Longest list of advice: past it, more lines hide the important ones.
const MOST_ADVICE: usize = 10;

impl Manifest {
    /// The table that a person reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a String can't fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        for extract in &self.extracts {
            for FormatCount { format, documents, why } in &extract.formats {
                let documents = plural(*documents, "document");
                writeln!(out, "{}: read as {format} ({why}), {documents}", visible(&extract.name))?;
            }
        }
        for SkippedFiles { reason, count, examples } in &report.skipped {
            let more = if *count > examples.len() as u64 { ", …" } else { "" };
            writeln!(
                out,
                "skipped {}: {reason} ({}{more})",
                plural(*count, "file"),
                visible(&examples.join(", "))
            )?;
        }
        writeln!(out, "\n{:24} {:>12} {:>12} {:>8}", "", "before", "after", "share")?;
        for (what, counts) in [
            ("objects", report.objects),
            ("fields", report.fields),
            ("edges", report.edges),
            ("bytes (extract, JSON)", report.bytes),
        ] {
            writeln!(
                out,
                "{what:24} {:>12} {:>12} {:>8}",
                grouped(counts.before),
                grouped(counts.after),
                share(counts.after, counts.before)
            )?;
        }
        writeln!(out, "{:24} {:>12} {:>12}", "schema.msgpack", "", grouped(report.artifact_bytes))?;
        self.write_facts(out)?;
        self.write_advice(out)
    }

    fn write_facts(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        let DroppedFields { with_their_object, by_blocklist, by_drop } = report.dropped_fields;
        let DroppedEdges { with_their_field, outside_allowlist, not_in_extract, references_now_ids } =
            report.dropped_edges;
        writeln!(
            out,
            "\nfields dropped: {} with their object, {} by the blocklist, {} by the allowlist's drop",
            grouped(with_their_object),
            grouped(by_blocklist),
            grouped(by_drop)
        )?;
        writeln!(
            out,
            "edges dropped: {} with their field, {} to objects outside the allowlist, {} to objects not in the extract; \
             {} left a plain id",
            grouped(with_their_field),
            grouped(outside_allowlist),
            grouped(not_in_extract),
            plural(references_now_ids, "reference")
        )?;
        writeln!(
            out,
            "picklists: {} values, {} bytes, {} of the extract: dropped unread",
            grouped(report.picklists.values),
            grouped(report.picklists.bytes),
            share(report.picklists.bytes, report.bytes.before)
        )?;
        write!(
            out,
            "objects with back references: {}; fields an object: median {}",
            grouped(report.objects_with_back_references),
            grouped(report.median_fields)
        )?;
        if let Some(Widest { object, fields }) = &report.widest {
            write!(out, ", widest {} ({})", grouped(*fields), visible(object))?;
        }
        if !report.tasks.is_empty() {
            let keywords: Vec<&str> = report.tasks.iter().map(|task| task.keyword.as_str()).collect();
            write!(out, "\ntasks: {}", visible(&keywords.join(", ")))?;
        }
        writeln!(out, "\nversion {}, content {}", self.version, self.content)
    }

    fn write_advice(&self, out: &mut String) -> std::fmt::Result {
        let report = &self.report;
        let mut advice = Vec::new();
        for Restorable { object, edges, from } in report.would_restore.iter().take(5) {
            let (object, from) = (visible(object), visible(from));
            advice
                .push(format!("adding `{object}` would restore {} (such as {from})", plural(*edges, "edge")));
        }
        for Restorable { object, edges, from } in report.not_in_extract.iter().take(3) {
            let (object, from) = (visible(object), visible(from));
            let edges = plural(*edges, "edge");
            advice.push(format!("`{object}` is not in the extract; {edges} pointed at it (such as {from})"));
        }
        if !report.isolated.is_empty() {
            let shown: Vec<_> =
                report.isolated.iter().take(5).map(|name| format!("`{}`", visible(name))).collect();
            let more = if report.isolated.len() > shown.len() { ", …" } else { "" };
            let objects = plural(report.isolated.len() as u64, "object");
            advice.push(format!("{objects} without any edge: {}{more}", shown.join(", ")));
        }
        for deferral in report.deferrals.iter().filter(|deferral| deferral.due) {
            let Deferral { deferred, measure, value, threshold, .. } = deferral;
            let (value, threshold) = (grouped(*value), grouped(*threshold));
            advice.push(format!(
                "{deferred} was put off until {measure} pass {threshold}: they are {value} now"
            ));
        }
        if !advice.is_empty() {
            writeln!(out, "\nto look at:")?;
        }
        advice.iter().take(MOST_ADVICE).try_for_each(|line| writeln!(out, "  - {line}"))
    }
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(count)) }
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
