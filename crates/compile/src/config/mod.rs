//! `allowlist.toml`, `blocklist.toml` and `tasks/`: what the platform engineer decides.
//!
//! The files are read value by value rather than through serde, so that one run reports every
//! fault, each with its line and column.

mod patterns;
pub(crate) mod tasks;
mod toml_reader;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use portolan_schema::{Operand, RowOp};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use self::patterns::Patterns;
pub use self::tasks::TaskFile;
use self::toml_reader::{Reader, key_text};
use crate::diagnostic::{Diagnostic, Excerpt, Place, Position, alternatives};

/// A configuration file as it was read.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// The name to show.
    pub name: Arc<str>,
    /// What it holds.
    pub text: Arc<str>,
}

impl TextFile {
    /// The place of a part of the file.
    #[must_use]
    pub fn place(&self, span: std::ops::Range<usize>) -> Place {
        Place {
            file: self.name.clone(),
            position: Some(Position::in_text(&self.text, span.start)),
            excerpt: Some(Excerpt { text: self.text.clone(), span }),
        }
    }
}

/// A text with the place where it was written.
#[derive(Clone, Debug)]
pub struct Located {
    /// The text.
    pub text: String,
    /// Where.
    pub place: Place,
}

/// Both files, checked as far as they can be without the extract.
#[derive(Debug, Default)]
pub struct Config {
    /// Where the extract is, relative to the folder of the allowlist.
    pub extracts: Vec<Located>,
    /// Whether help texts are kept.
    pub descriptions: bool,
    /// The objects to keep.
    pub objects: Vec<Located>,
    /// Exceptions, by object.
    pub fields: BTreeMap<String, FieldRules>,
    /// What classes of callers may see.
    pub profiles: Vec<ProfileRules>,
    /// Fields that no question needs.
    pub blocked_fields: Patterns,
    /// Objects that no question needs.
    pub blocked_objects: Patterns,
}

/// Exceptions for the fields of one object.
#[derive(Debug)]
pub struct FieldRules {
    /// Where the object was named.
    pub place: Place,
    /// Fields to keep although the blocklist names them.
    pub keep: Vec<Located>,
    /// Fields to drop although it doesn't.
    pub drop: Vec<Located>,
    /// Names for fields whose own can't be written in a path: (the field, its alias).
    pub alias: Vec<(Located, Located)>,
}

/// A profile as it is written.
#[derive(Debug)]
pub struct ProfileRules {
    /// Its name.
    pub name: Located,
    /// Its objects; `None`: all of them.
    pub objects: Option<Vec<Located>>,
    /// `object.field` to hide.
    pub drop: Vec<Located>,
    /// Conditions, with the object they are for.
    pub rows: Vec<(Located, RowRule)>,
}

/// A row condition as it is written.
#[derive(Debug)]
pub struct RowRule {
    /// The field or path.
    pub field: Located,
    /// The operator.
    pub op: RowOp,
    /// What it is compared with.
    pub operands: Vec<Operand>,
}

/// Reads both files. With errors among the diagnostics, the configuration is not to be used.
#[must_use]
pub fn parse(allowlist: &TextFile, blocklist: &TextFile) -> (Config, Vec<Diagnostic>) {
    let mut config = Config::default();
    let mut diagnostics = Vec::new();
    read_document(allowlist, &mut diagnostics, |reader, root| read_allowlist(reader, root, &mut config));
    read_document(blocklist, &mut diagnostics, |reader, root| read_blocklist(reader, root, &mut config));
    (config, diagnostics)
}

impl Config {
    /// The roots of the extract that the allowlist names; `folder` is the allowlist's.
    #[must_use]
    pub fn roots(&self, folder: &std::path::Path) -> Vec<crate::ingest::Root> {
        let root = |extract: &Located| crate::ingest::Root {
            path: match folder.join(&extract.text) {
                path if path.as_os_str().is_empty() => PathBuf::from("."),
                path => path,
            },
            named_at: Some(extract.place.clone()),
        };
        self.extracts.iter().map(root).collect()
    }
}

fn read_document(
    file: &TextFile,
    diagnostics: &mut Vec<Diagnostic>,
    read: impl FnOnce(&mut Reader<'_>, &Spanned<DeTable<'_>>),
) {
    let (root, mut problems) = DeTable::parse_recoverable(&file.text);
    // One slip makes the parser stumble several times after it: the first is the one to mend, and what
    // it makes of the rest means nothing.
    problems.sort_by_key(|problem| problem.span().map(|span| span.start));
    if let Some(problem) = problems.first() {
        let place = problem.span().map_or_else(|| Place::file(file.name.clone()), |span| file.place(span));
        return diagnostics.push(Diagnostic::error(problem.message()).at(place));
    }
    let first = diagnostics.len();
    read(&mut Reader { file, diagnostics }, &root);
    if let Some(found) = diagnostics.get_mut(first..) {
        found.sort_by_key(|finding| finding.place.as_ref().and_then(|place| place.position));
    }
}

fn read_allowlist(reader: &mut Reader<'_>, root: &Spanned<DeTable<'_>>, config: &mut Config) {
    let keys = ["extract", "objects", "descriptions", "fields", "profiles"];
    for (key, value) in reader.entries(root.get_ref(), &keys, "allowlist.toml") {
        match key_text(key) {
            "extract" => config.extracts = reader.strings(value),
            "objects" => config.objects = reader.strings(value),
            "descriptions" => config.descriptions = reader.boolean(value),
            "fields" => {
                for (object, rules) in reader.table(value) {
                    let rules = read_field_rules(reader, object, rules);
                    config.fields.insert(key_text(object).to_owned(), rules);
                }
            }
            _ => {
                for (name, rules) in reader.table(value) {
                    let profile = read_profile(reader, name, rules);
                    config.profiles.push(profile);
                }
            }
        }
    }
    let named = root.get_ref().iter().find(|(key, _)| key_text(key) == "objects").map(|(_, value)| value);
    let end = reader.file.text.trim_end().len();
    let nothing_named = match named {
        None => Some(end..end),
        Some(value) => value.get_ref().as_array().filter(|list| list.is_empty()).map(|_| value.span()),
    };
    if let Some(span) = nothing_named {
        reader.error(span, "no objects are named").help = Some("add: objects = [\"…\"]".to_owned());
    }
    config.profiles.sort_by(|a, b| a.name.text.cmp(&b.name.text));
    let mut seen = HashSet::new();
    let repeated = config.objects.extract_if(.., |object| !seen.insert(object.text.clone()));
    for object in repeated {
        let warning = Diagnostic::warning(format!("'{}' is listed twice", object.text));
        reader.diagnostics.push(warning.at(object.place).help("remove one of the two lines"));
    }
}

fn read_field_rules(
    reader: &mut Reader<'_>,
    object: &Spanned<toml::de::DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
) -> FieldRules {
    let place = reader.file.place(object.span());
    let mut rules = FieldRules { place, keep: Vec::new(), drop: Vec::new(), alias: Vec::new() };
    let table = reader.table_of(value);
    for (key, value) in reader.entries(&table, &["keep", "drop", "alias"], "[fields.…]") {
        match key_text(key) {
            "keep" => rules.keep = reader.strings(value),
            "drop" => rules.drop = reader.strings(value),
            _ => {
                for (field, alias) in reader.table(value) {
                    let alias = reader.string(alias);
                    rules.alias.extend(alias.map(|alias| (reader.located(field), alias)));
                }
            }
        }
    }
    for kept in rules.keep.iter().filter(|kept| rules.drop.iter().any(|dropped| dropped.text == kept.text)) {
        let fault = Diagnostic::error(format!("'{}' is both kept and dropped", kept.text));
        reader.diagnostics.push(fault.at(kept.place.clone()).help("remove it from 'keep' or from 'drop'"));
    }
    rules
}

fn read_profile(
    reader: &mut Reader<'_>,
    name: &Spanned<toml::de::DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
) -> ProfileRules {
    let name = reader.located(name);
    if name.text.trim().is_empty() || name.text.contains(char::is_control) {
        reader
            .diagnostics
            .push(Diagnostic::error("a profile needs a name that can be typed").at(&name.place));
    }
    let mut profile = ProfileRules { name, objects: None, drop: Vec::new(), rows: Vec::new() };
    let table = reader.table_of(value);
    for (key, value) in reader.entries(&table, &["objects", "drop", "rows"], "[profiles.…]") {
        match key_text(key) {
            "objects" => profile.objects = Some(reader.strings(value)),
            "drop" => profile.drop = reader.strings(value),
            _ => {
                for (object, conditions) in reader.table(value) {
                    let object = reader.located(object);
                    for condition in reader.list(conditions) {
                        let rule = read_row_rule(reader, condition);
                        profile.rows.extend(rule.map(|rule| (object.clone(), rule)));
                    }
                }
            }
        }
    }
    profile
}

fn read_row_rule(reader: &mut Reader<'_>, condition: &Spanned<DeValue<'_>>) -> Option<RowRule> {
    let (mut field, mut op, mut operands) = (None, None, Vec::new());
    let table = reader.table_of(condition);
    for (key, value) in reader.entries(&table, &["field", "op", "value", "values"], "a row rule") {
        match key_text(key) {
            "field" => field = reader.string(value),
            "op" => {
                let name = reader.string(value)?;
                let Ok(known) = name.text.parse::<RowOp>() else {
                    let ops: Vec<_> = RowOp::ALL.iter().map(|op| op.as_str()).collect();
                    reader.error(value.span(), format!("row rules have no operator '{}'", name.text)).help =
                        Some(format!("use {}", alternatives(&ops)));
                    return None;
                };
                op = Some(known);
            }
            "value" => operands.extend(reader.string(value).map(|value| Operand::parse(&value.text))),
            _ => operands.extend(reader.strings(value).iter().map(|value| Operand::parse(&value.text))),
        }
    }
    let (Some(field), Some(op)) = (field, op) else {
        reader.error(condition.span(), "a row rule takes a field and an operator").help =
            Some("write { field = \"owner\", op = \"eq\", value = \"$caller.id\" }".to_owned());
        return None;
    };
    let literal = |operand: &Operand| match operand {
        Operand::Literal(text) if text.starts_with('$') => Some(text.clone()),
        _ => None,
    };
    if let Some(text) = operands.iter().find_map(literal) {
        reader.error(condition.span(), format!("'{text}' is no attribute of the caller")).help =
            Some("write $caller.id, or $caller. and the name of another attribute".to_owned());
        return None;
    }
    if operands.contains(&Operand::Caller(String::new())) {
        reader.error(condition.span(), "'$caller.' names no attribute").help =
            Some("write $caller.id, or the name of another attribute".to_owned());
        return None;
    }
    if !op.takes(operands.len()) {
        let wants = match op {
            RowOp::Eq | RowOp::Ne => "one value: value = \"…\"",
            RowOp::In | RowOp::NotIn => "at least one value: values = [\"…\"]",
            RowOp::IsNull | RowOp::NotNull => "no value",
        };
        reader.error(condition.span(), format!("'{}' takes {wants}", op.as_str()));
        return None;
    }
    Some(RowRule { field, op, operands })
}

fn read_blocklist(reader: &mut Reader<'_>, root: &Spanned<DeTable<'_>>, config: &mut Config) {
    for (key, value) in reader.entries(root.get_ref(), &["fields", "objects"], "blocklist.toml") {
        let (mut exact, mut globs) = (Vec::new(), Vec::new());
        let table = reader.table_of(value);
        for (key, value) in reader.entries(&table, &["exact", "patterns"], "blocklist.toml") {
            match key_text(key) {
                "exact" => exact = reader.strings(value),
                _ => globs = reader.strings(value),
            }
        }
        let kind = key_text(key);
        let patterns = Patterns::new(kind, exact, globs, reader.diagnostics);
        if kind == "fields" { config.blocked_fields = patterns } else { config.blocked_objects = patterns }
    }
}
