//! Profiles, checked against the closed schema: whatever one names must be there.

use std::collections::BTreeSet;

use portolan_schema::nearest::nearest;
use portolan_schema::{ClosedSchema, PathProblem, Profile, RowCondition};

use crate::config::{Config, Located, ProfileRules};
use crate::diagnostic::{Diagnostic, alternatives};

/// Compiles the profiles, in ascending order of name. Where the schema isn't whole, because something else is
/// wrong, objects that it lacks are no fault of theirs.
#[must_use]
pub(crate) fn compile(
    config: &Config,
    schema: &ClosedSchema,
    is_whole: bool,
) -> (Vec<Profile>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    // An allowlisted object that the schema lacks was reported already; and where one is misspelt there, the
    // profile that spells it right is not to blame.
    let reported = |name: &str| !is_whole || config.objects.iter().any(|object| object.text == name);
    let compile = |rules| compile_one(rules, schema, &reported, &mut diagnostics);
    let profiles = config.profiles.iter().map(compile).collect();
    (profiles, diagnostics)
}

fn compile_one(
    rules: &ProfileRules,
    schema: &ClosedSchema,
    reported: &dyn Fn(&str) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Profile {
    let mut profile = Profile { name: rules.name.text.clone(), ..Profile::default() };
    let all = || schema.objects().iter().map(|object| object.name.as_str());
    match &rules.objects {
        None => profile.objects = all().map(str::to_owned).collect(),
        Some(objects) => {
            for object in objects {
                if schema.object(&object.text).is_none() && !reported(&object.text) {
                    diagnostics.push(unknown(object, format!("there is no object '{}'", object.text), all()));
                }
                profile.objects.insert(object.text.clone());
            }
        }
    }
    for dropped in &rules.drop {
        match dropped.text.rsplit_once('.') {
            Some((object, field)) if profile.objects.contains(object) => {
                let fields = || schema.object(object).into_iter().flat_map(|object| &object.fields);
                if schema.object(object).is_some_and(|object| object.field(field).is_none()) {
                    let names = fields().map(|field| field.name.as_str());
                    diagnostics.push(unknown(dropped, format!("'{object}' has no field '{field}'"), names));
                }
                profile.hidden.entry(object.to_owned()).or_default().insert(field.to_owned());
            }
            Some((object, _)) => diagnostics.push(not_in_profile(dropped, object, &profile.objects)),
            None => diagnostics.push(
                Diagnostic::error(format!("'{}' names no field", dropped.text))
                    .at(dropped.place.clone())
                    .help("write object.field"),
            ),
        }
    }
    for (object, row) in &rules.rows {
        if !profile.objects.contains(&object.text) {
            diagnostics.push(not_in_profile(object, &object.text, &profile.objects));
            continue;
        }
        if schema.object(&object.text).is_none() {
            continue;
        }
        if let Err(problem) = schema.resolve_path(&object.text, &row.field.text) {
            let candidates = match &problem {
                PathProblem::NoField { object, .. } => schema.object(object),
                _ => None,
            };
            let names =
                candidates.into_iter().flat_map(|object| &object.fields).map(|field| field.name.as_str());
            diagnostics.push(unknown(&row.field, problem.to_string(), names));
        }
        let condition =
            RowCondition { field: row.field.text.clone(), op: row.op, operands: row.operands.clone() };
        profile.rows.entry(object.text.clone()).or_default().push(condition);
    }
    profile
}

fn unknown<'n>(named: &Located, message: String, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let name = named.text.rsplit('.').next().unwrap_or(&named.text);
    let near = nearest(name, known, 3);
    let fault = Diagnostic::error(message).at(named.place.clone());
    if near.is_empty() { fault } else { fault.help(format!("did you mean {}?", alternatives(&near))) }
}

fn not_in_profile(named: &Located, object: &str, objects: &BTreeSet<String>) -> Diagnostic {
    let near = nearest(object, objects.iter().map(String::as_str), 3);
    let help = if near.is_empty() {
        format!("add '{object}' to the profile's objects")
    } else {
        format!("did you mean {}? Or add '{object}' to the profile's objects", alternatives(&near))
    };
    Diagnostic::error(format!("'{object}' is not among the profile's objects"))
        .at(named.place.clone())
        .help(help)
}
