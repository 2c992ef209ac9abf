//! What is kept of an extract: allowlisted objects, and of their fields those that nothing blocks.
//!
//! Objects come in one at a time, as they are read. Of an object that isn't kept, its name and its
//! counts are all that stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use portolan_schema::nearest::{differs_only_in_case, nearest};
use portolan_schema::{Field, FieldType, LONGEST_NAME, Object};

use crate::config::{Config, FieldRules, Located};
use crate::diagnostic::{Diagnostic, Place, alternatives};
use crate::ingest::{RawField, RawObject, Sink, label};
use crate::known::{Known, Met};

/// Two extracts of one org have every object in common: past so many they are only counted.
const MOST_TWICE: usize = 5;

/// The objects that are kept, their references not closed yet, and the books of the filter.
#[derive(Debug)]
pub struct Selection {
    /// In the order they were read.
    pub objects: Vec<Object>,
    /// Every object of the extract.
    pub known: Known,
    /// What came in and what was dropped.
    pub tally: Tally,
}

/// What came in and what was dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Objects read.
    pub objects: u64,
    /// Their fields.
    pub fields: u64,
    /// Pairs of a field and an object it points at.
    pub edges: u64,
    /// Fields that went with an object that isn't on the allowlist.
    pub fields_of_dropped_objects: u64,
    /// Fields that a `drop` of the allowlist took out.
    pub dropped_fields: u64,
    /// Fields that the blocklist took out.
    pub blocked_fields: u64,
}

/// Filters objects as they are read.
pub struct Filter<'c> {
    config: &'c mut Config,
    selection: Selection,
    /// Where each object of the allowlist is named.
    allowed: HashMap<String, Place>,
    /// How many objects were described twice.
    twice: usize,
    /// All fields of the objects that the allowlist has rules for.
    ruled: BTreeMap<String, Vec<String>>,
}

impl<'c> Filter<'c> {
    /// A filter that keeps what the configuration says.
    pub fn new(config: &'c mut Config) -> Self {
        let selection = Selection { objects: Vec::new(), known: Known::default(), tally: Tally::default() };
        let allowed =
            config.objects.iter().map(|object| (object.text.clone(), object.place.clone())).collect();
        Self { config, selection, allowed, twice: 0, ruled: BTreeMap::new() }
    }

    /// What was kept, with what the configuration names and the extract doesn't have.
    ///
    /// Where parts of the extract could not be read (not `whole`), nobody knows what they hold: then a
    /// missing object is only mentioned, and no rule is called idle.
    #[must_use]
    pub fn finish(self, whole: bool) -> (Selection, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let config = &*self.config;
        if let Some(more @ 1..) = self.twice.checked_sub(MOST_TWICE) {
            let fault =
                format!("and {more} more objects are described twice: are these two extracts of one org?");
            diagnostics.push(Diagnostic::error(fault).help("give only one of the two"));
        }
        if !whole {
            diagnostics.extend(self.mention_missing());
            return (self.selection, diagnostics);
        }
        for object in &config.objects {
            self.check_allowlisted(object, &mut diagnostics);
        }
        for (object, rules) in &config.fields {
            self.check_field_rules(object, rules, &mut diagnostics);
        }
        // Where objects are missing, so are the fields that a rule may be meant for.
        if diagnostics.iter().any(Diagnostic::is_error) {
            return (self.selection, diagnostics);
        }
        let rules = config.blocked_fields.rules().iter().chain(config.blocked_objects.rules());
        for rule in rules.filter(|rule| rule.matched == 0) {
            let of_fields = rule.section.starts_with("fields");
            let what = if of_fields { "field of a kept object" } else { "object" };
            let kept = self.selection.objects.iter().flat_map(|object| &object.fields);
            let kept: BTreeSet<&str> = kept.filter(|_| of_fields).map(|field| field.name.as_str()).collect();
            // A misspelt entry lets through what it was meant to keep out.
            let near = nearest(&rule.written.text, kept, 2);
            let help = if near.is_empty() {
                "correct it, or remove it".to_owned()
            } else {
                format!("did you mean {}, which is kept? Correct it, or remove it", alternatives(&near))
            };
            diagnostics.push(
                Diagnostic::warning(format!("'{}' matches no {what}", rule.written.text))
                    .at(rule.written.place.clone())
                    .help(help),
            );
        }
        (self.selection, diagnostics)
    }

    fn mention_missing(&self) -> Option<Diagnostic> {
        const SHOWN: usize = 5;
        let allowed = self.config.objects.iter().map(|object| object.text.as_str());
        let missing: Vec<&str> =
            allowed.filter(|name| self.selection.known.described(name).is_none()).collect();
        let shown = missing.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = match missing.len() {
            0 => return None,
            1..=SHOWN => String::new(),
            all => format!(" and {} more", all - SHOWN),
        };
        let warning = Diagnostic::warning(format!("not among the objects that could be read: {shown}{more}"));
        Some(warning.help("mend the extract first: they may be in the parts that couldn't"))
    }

    fn check_allowlisted(&self, object: &Located, diagnostics: &mut Vec<Diagnostic>) {
        let name = object.text.as_str();
        let error = |message: String| Diagnostic::error(message).at(object.place.clone());
        match self.selection.known.described(name) {
            Some(true) => {}
            Some(false) => diagnostics.push(
                error(format!("the extract lists '{name}' by name only, without its fields"))
                    .help("add its own describe to the extract"),
            ),
            None => {
                let near = nearest(name, self.selection.known.names(), 3);
                let fault = error(format!("the extract has no object '{name}'"));
                diagnostics.push(match near.iter().find(|near| differs_only_in_case(near, name)) {
                    Some(same) => fault.help(format!("write '{same}': names are case-sensitive")),
                    None if near.is_empty() => {
                        fault.help("remove it from the allowlist, or add it to the extract")
                    }
                    None => fault.help(format!("did you mean {}?", alternatives(&near))),
                });
            }
        }
    }

    fn check_field_rules(&self, object: &str, rules: &FieldRules, diagnostics: &mut Vec<Diagnostic>) {
        if !self.allowed.contains_key(object) {
            let near = nearest(object, self.config.objects.iter().map(|allowed| allowed.text.as_str()), 3);
            let fault = Diagnostic::error(format!("'{object}' is not among the objects of the allowlist"));
            let help = if near.is_empty() {
                "add it to 'objects', or remove these rules".to_owned()
            } else {
                format!("did you mean {}?", alternatives(&near))
            };
            return diagnostics.push(fault.at(rules.place.clone()).help(help));
        }
        // Without the object there is nothing to compare with, and its absence was reported.
        let Some(fields) = self.ruled.get(object) else { return };
        let has = |name: &Located| fields.contains(&name.text);
        let aliased = rules.alias.iter().map(|(field, _)| field);
        for missing in rules.keep.iter().chain(&rules.drop).chain(aliased).filter(|name| !has(name)) {
            let near = nearest(&missing.text, fields.iter().map(String::as_str), 3);
            let help = if near.is_empty() {
                "correct the name, or remove it".to_owned()
            } else {
                format!("did you mean {}?", alternatives(&near))
            };
            let fault = Diagnostic::error(format!("'{object}' has no field '{}'", missing.text));
            diagnostics.push(fault.at(missing.place.clone()).help(help));
        }
        let idle = |name: &&Located| has(name) && !self.config.blocked_fields.blocks(&name.text);
        for kept in rules.keep.iter().filter(idle) {
            let warning = Diagnostic::warning(format!("nothing blocks '{}' of '{object}'", kept.text));
            diagnostics.push(warning.at(kept.place.clone()).help("remove it from 'keep'"));
        }
    }

    fn select(
        &mut self,
        raw: &RawObject<'_>,
        fields: &[RawField<'_>],
        place: &Place,
    ) -> (Object, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let with_descriptions = self.config.descriptions;
        let aliases = self.aliases(raw.name);
        if self.config.fields.contains_key(raw.name) {
            let names = fields.iter().map(|field| field.name.to_owned()).collect();
            self.ruled.insert(raw.name.to_owned(), names);
        }
        if raw.name.len() > LONGEST_NAME {
            diagnostics.push(too_long("an object", raw.name).at(place));
        }
        let mut kept: Vec<Field> = Vec::with_capacity(fields.len());
        for field in fields.iter().filter(|field| self.keeps(raw.name, field.name)) {
            let alias = aliases.get(field.name).map(String::as_str);
            let name = alias.unwrap_or(field.name);
            if !name.trim().is_empty() && !Field::is_path_safe(name) {
                diagnostics.push(needs_alias(raw.name, field.name, name).at(place));
            }
            if name.len() > LONGEST_NAME {
                let whose = format!("a field of '{}'", excerpt(raw.name));
                diagnostics.push(too_long(&whose, name).at(place));
            }
            if alias.is_some() && fields.iter().any(|other| other.name == name) {
                let message = format!("the alias '{name}' is already a field of '{}'", raw.name);
                diagnostics.push(Diagnostic::error(message).at(place));
            }
            kept.push(field.to_field(alias, with_descriptions));
        }
        let kept_name = |name: &str| {
            let name = aliases.get(name).map_or(name, String::as_str);
            kept.iter().any(|field| field.name == name).then(|| name.to_owned())
        };
        let currencies: Vec<_> =
            kept.iter().map(|field| field.currency_field.as_deref().and_then(kept_name)).collect();
        let id_field = id_field(fields).and_then(kept_name);
        let name_field = raw.name_field.and_then(kept_name);
        for (field, currency) in kept.iter_mut().zip(currencies) {
            field.currency_field = currency;
        }
        let object = Object {
            name: raw.name.to_owned(),
            label: label(raw.label, raw.name),
            description: raw.description.filter(|_| with_descriptions).map(str::to_owned),
            stable_id: raw.stable_id.map(str::to_owned),
            queryable: raw.queryable != Some(false),
            id_field,
            name_field,
            fields: kept,
        };
        (object, diagnostics)
    }

    fn aliases(&self, object: &str) -> HashMap<String, String> {
        let rules = self.config.fields.get(object).into_iter().flat_map(|rules| &rules.alias);
        rules.map(|(field, alias)| (field.text.clone(), alias.text.clone())).collect()
    }

    /// Whether a field stays; the rule that takes it out is counted.
    fn keeps(&mut self, object: &str, field: &str) -> bool {
        let rules = self.config.fields.get(object);
        let listed = |list: fn(&FieldRules) -> &Vec<Located>| {
            rules.is_some_and(|rules| list(rules).iter().any(|name| name.text == field))
        };
        if listed(|rules| &rules.drop) {
            self.selection.tally.dropped_fields += 1;
            return false;
        }
        let excepted = listed(|rules| &rules.keep);
        match self.config.blocked_fields.block(field) {
            Some(rule) if !excepted => {
                self.config.blocked_fields.dropped(rule);
                self.selection.tally.blocked_fields += 1;
                false
            }
            _ => true,
        }
    }
}

/// What makes an object's fields ambiguous, whether or not the object is kept.
fn faults_of_fields(object: &RawObject<'_>, fields: &[RawField<'_>]) -> Vec<Diagnostic> {
    let mut names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    names.sort_unstable();
    let mut faults = Vec::new();
    let mut fault = |message: String| faults.push(Diagnostic::error(message));
    if names.first().is_some_and(|name| name.trim().is_empty()) {
        fault(format!("a field of '{}' has no name", object.name));
    }
    let repeated = names.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).filter_map(<[_]>::first);
    for name in repeated.filter(|name| !name.trim().is_empty()) {
        fault(format!("field '{name}' is twice in '{}'", object.name));
    }
    let codes = fields.iter().filter_map(|field| Some((field.currency_field?, "currency code field")));
    for (role, what) in codes.chain(object.name_field.map(|name| (name, "name field"))) {
        if names.binary_search(&role).is_err() {
            fault(format!("'{}' names '{role}' as a {what}, but has no such field", object.name));
        }
    }
    faults
}

fn needs_alias(object: &str, field: &str, name: &str) -> Diagnostic {
    let safe = field.replace(|c: char| !c.is_alphanumeric(), "_");
    Diagnostic::error(format!("field '{name}' of '{object}' can't be written in a path")).help(format!(
        "declare an alias for it in the allowlist: [fields.\"{object}\"] alias = {{ \"{field}\" = \"{safe}\" }}"
    ))
}

fn too_long(whose: &str, name: &str) -> Diagnostic {
    Diagnostic::error(format!("the name of {whose} has {} bytes: '{}'", name.len(), excerpt(name))).help(
        format!("no system has names of more than {LONGEST_NAME} bytes: make the extract again, this one is damaged"),
    )
}

/// A name, or so much of it as tells which it is.
fn excerpt(name: &str) -> String {
    const SHOWN: usize = 40;
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) if name.len() > LONGEST_NAME => format!("{}…", name.get(..end).unwrap_or_default()),
        _ => name.to_owned(),
    }
}

impl Sink for Filter<'_> {
    fn object(&mut self, object: &RawObject<'_>, place: Place, diagnostics: &mut Vec<Diagnostic>) {
        match self.selection.known.meet(object.name, &place, object.fields.is_some()) {
            Met::New => {}
            Met::Again => return,
            Met::Twice(first) => {
                self.twice += 1;
                if self.twice > MOST_TWICE {
                    return;
                }
                let fault = Diagnostic::error(format!("two objects are named '{}'", object.name)).at(&place);
                let help = format!("the other one is at {first}: take one of them out of the extract");
                return diagnostics.push(fault.help(help));
            }
        }
        let Some(fields) = object.fields.as_deref() else { return };
        let tally = &mut self.selection.tally;
        tally.objects += 1;
        tally.fields += fields.len() as u64;
        tally.edges += fields.iter().map(|field| distinct(&field.references)).sum::<u64>();
        diagnostics.extend(faults_of_fields(object, fields).into_iter().map(|fault| fault.at(&place)));
        let allowed = self.allowed.get(object.name).cloned();
        let blocked = self.config.blocked_objects.block(object.name);
        match (allowed, blocked) {
            (Some(listed), Some(rule)) => {
                let rule =
                    self.config.blocked_objects.rules().get(rule).map(|rule| rule.written.text.clone());
                diagnostics.push(
                    Diagnostic::error(format!(
                        "'{}' is on the allowlist, and the blocklist's '{}' matches it",
                        object.name,
                        rule.unwrap_or_default()
                    ))
                    .at(listed)
                    .help("remove it from the allowlist, or narrow the pattern"),
                );
            }
            (Some(_), None) => {
                let (selected, faults) = self.select(object, fields, &place);
                diagnostics.extend(faults);
                self.selection.objects.push(selected);
            }
            (None, blocked) => {
                if let Some(rule) = blocked {
                    self.config.blocked_objects.dropped(rule);
                }
                self.selection.tally.fields_of_dropped_objects += fields.len() as u64;
            }
        }
    }
}

fn distinct(targets: &[&str]) -> u64 {
    let repeated = |(at, target)| targets.iter().take(at).any(|before: &&str| before == target);
    targets.iter().enumerate().filter(|target| !repeated(*target)).count() as u64
}

/// The field that identifies a record: the one of type id. Of several it is the one that is called so,
/// else the first by name, since the order in which they came means nothing.
fn id_field<'a>(fields: &[RawField<'a>]) -> Option<&'a str> {
    let ids = fields.iter().filter(|field| field.field_type == FieldType::Id && field.references.is_empty());
    ids.map(|field| field.name).min_by_key(|name| (!name.eq_ignore_ascii_case("id"), *name))
}
