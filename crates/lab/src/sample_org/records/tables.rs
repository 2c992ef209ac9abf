//! The tables: one an object that the workspace's filter files keep, a column a field.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use portolan_compile::{Config, Diagnostic, TextFile, config};

use super::super::SampleOrg;
use super::super::wire::{Field, Object};
use super::super::{blueprint, catalogue, generate};

/// The columns that every table has besides: what the blocklist keeps from questions, and a record
/// source still needs or a test asks for.
pub(super) const DELETED: &str = "is_deleted";
pub(super) const CREATED: &str = "created_date";

/// What is appended to the name of a polymorphic reference for the column with its target's object.
pub(super) const OBJECT_SUFFIX: &str = "_object";

const ALLOWLIST: &str = include_str!("../../../../../allowlist.toml");
const BLOCKLIST: &str = include_str!("../../../../../blocklist.toml");

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// The field that records are shown and ordered by.
    pub(super) name_field: Option<String>,
    /// The object's fields, in the order of the extract.
    pub(super) fields: Vec<Field>,
}

impl Table {
    /// The columns, with their types; the first is the primary key.
    pub(super) fn columns(&self) -> Vec<(String, &'static str)> {
        let mut columns: Vec<(String, &str)> = Vec::with_capacity(self.fields.len() + 8);
        for field in &self.fields {
            columns.push((field.name.to_string(), storage(field)));
            if is_polymorphic(field) {
                columns.push((format!("{}{OBJECT_SUFFIX}", field.name), "TEXT"));
            }
        }
        for (name, storage) in [(CREATED, "TEXT"), (DELETED, "INTEGER")] {
            if columns.iter().all(|(other, _)| other != name) {
                columns.push((name.to_owned(), storage));
            }
        }
        columns
    }
}

pub(super) fn is_reference(field: &Field) -> bool {
    field.kind == "reference" && !field.references.is_empty()
}

pub(super) fn is_polymorphic(field: &Field) -> bool {
    is_reference(field) && field.references.len() > 1
}

/// The type of a column. The tables are strict, so there are four of them. Decimals are text: a
/// column of numeric affinity would make floats of them.
fn storage(field: &Field) -> &'static str {
    match field.kind {
        "integer" | "boolean" => "INTEGER",
        "binary" => "BLOB",
        _ => "TEXT",
    }
}

/// The tables of an org, in the order of its catalogue.
pub(super) fn tables(org: SampleOrg) -> anyhow::Result<Vec<Table>> {
    let config = filter_files()?;
    let allowed: BTreeSet<&str> = config.objects.iter().map(|object| object.text.as_str()).collect();
    let business = catalogue::business_objects().count();
    let kept: Vec<Table> = blueprint::blueprints()
        .take(business)
        .filter(|blueprint| allowed.contains(blueprint.name.as_str()))
        .map(|blueprint| table(generate::object(&blueprint, org.seed), &config, &allowed))
        .collect();
    ensure!(kept.len() == allowed.len(), "allowlist.toml names objects that are not in the catalogue");
    Ok(kept)
}

fn filter_files() -> anyhow::Result<Config> {
    let file = |name: &str, text: &str| TextFile { name: Arc::from(name), text: Arc::from(text) };
    let (config, findings) =
        config::parse(&file("allowlist.toml", ALLOWLIST), &file("blocklist.toml", BLOCKLIST));
    let fault = findings.iter().find(|finding| finding.is_error());
    fault
        .map_or(Ok(config), |fault: &Diagnostic| Err(anyhow::anyhow!("{}", fault.message)))
        .context("the workspace's filter files can't be read")
}

/// The same cut that the compiler makes; a test compares it with the committed artifact.
fn table(object: Object, config: &Config, allowed: &BTreeSet<&str>) -> Table {
    let rules = config.fields.get(&object.name);
    let named = |list: Option<&Vec<config::Located>>, name: &str| {
        list.is_some_and(|list| list.iter().any(|located| located.text == name))
    };
    let mut fields = object.fields;
    fields.retain(|field| {
        let name = field.name.as_ref();
        let blocked = config.blocked_fields.blocks(name) && !named(rules.map(|rules| &rules.keep), name);
        !blocked && !named(rules.map(|rules| &rules.drop), name)
    });
    for field in &mut fields {
        field.references.retain(|target| allowed.contains(target));
    }
    Table { name: object.name, name_field: object.name_field.map(Into::into), fields }
}
