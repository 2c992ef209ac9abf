//! Paths, found name by name.

use portolan_schema::nearest::nearest;
use portolan_schema::{Field, FieldType, Object};

use super::{Check, MOST_NEAREST};
use crate::answer::MOST_ECHO;
use crate::fold::fold;
use crate::json::clip;
use crate::query::{Hop, Part, Path};

/// So many references are followed.
const MOST_HOPS: usize = 5;

/// A step of a path, and what stands around it.
struct Step<'t> {
    /// The path.
    text: &'t str,
    place: &'t str,
    /// The steps before, as they are meant, each with the dot behind it.
    before: String,
    name: &'t str,
    /// The object in brackets.
    explicit: Option<&'t str>,
    /// The steps behind, each with the dot before it.
    after: &'t str,
}

impl<'c> Check<'c> {
    /// A path, its names found whatever their case.
    pub(super) fn path(&mut self, object: &'c Object, text: &str, place: &str) -> Option<Path> {
        let text = text.trim();
        let (mut object, mut hops, mut before, mut rest) = (object, Vec::new(), String::new(), text);
        loop {
            let (step, after) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
            let (name, explicit) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
                Some((name, target)) => (name, Some(target)),
                None => (step, None),
            };
            let step = Step { text, place, before, name, explicit, after };
            let field = self.field(object, &step)?;
            if step.after.is_empty() && explicit.is_none() {
                let meant = format!("{}{}", step.before, field.name);
                if meant != text {
                    self.understood.push((clip(text, MOST_ECHO), meant));
                }
                return Some(Path { hops, ..self.path_of(object, field) });
            }
            if explicit.is_none()
                && field.references.len() > 1
                && let Some(part) = part(step.after)
            {
                return Some(Path { hops, ..part_of(self.path_of(object, field), part) });
            }
            let target = self.led_to(object, field, &step)?;
            if hops.len() == MOST_HOPS {
                let what = format!("'{}' follows more than {MOST_HOPS} references", clip(text, MOST_ECHO));
                self.problem(place, what, &[], "query the object in between instead");
                return None;
            }
            let Some(id) = target.id_field.clone().filter(|id| self.source.keeps(&target.name, id)) else {
                let (name, text) = (&target.name, clip(text, MOST_ECHO));
                let what = format!("records of {name} can't be read here (in '{text}')");
                self.problem(place, what, &[], "leave it out, and say that it can't be read");
                return None;
            };
            before = match explicit {
                Some(explicit) => format!("{}{}[{explicit}].", step.before, field.name),
                None => format!("{}{}.", step.before, field.name),
            };
            let (from, field) = (object.name.clone(), field.name.clone());
            hops.push(Hop { object: from, field, target: target.name.clone(), id });
            object = target;
            rest = after.strip_prefix('.').unwrap_or_default();
        }
    }

    /// The object that a step leads to.
    fn led_to(&mut self, object: &Object, field: &Field, step: &Step<'_>) -> Option<&'c Object> {
        let target = match (step.explicit, field.references.as_slice()) {
            (Some(explicit), targets) if targets.iter().any(|target| target == explicit) => explicit,
            (None, [only]) => only,
            (_, []) => {
                let what = format!(
                    "'{}' of {} is no reference, so nothing can be followed from it",
                    field.name, object.name
                );
                self.problem(step.place, what, &[], &format!("use {}{}", step.before, field.name));
                return None;
            }
            (_, targets) => {
                let form = |target: &String| format!("{}{}[{target}]{}", step.before, field.name, step.after);
                let forms: Vec<String> = targets.iter().take(MOST_NEAREST).map(form).collect();
                let first = forms.first().map_or("", String::as_str);
                let (what, next) = match step.explicit {
                    Some(explicit) => (
                        format!(
                            "'{}' of {} doesn't lead to '{}'",
                            field.name,
                            object.name,
                            clip(explicit, MOST_ECHO)
                        ),
                        format!("use {first}"),
                    ),
                    None => (
                        format!("'{}' of {} may lead to several objects: say which", field.name, object.name),
                        format!(
                            "write {first} for the one you mean; {0}.id, {0}.object and {0}.name are of any",
                            format_args!("{}{}", step.before, field.name)
                        ),
                    ),
                };
                self.problem(step.place, what, &forms, &next);
                return None;
            }
        };
        self.schema.object(target)
    }

    /// The field of a step, which the source must keep.
    fn field(&mut self, object: &'c Object, step: &Step<'_>) -> Option<&'c Field> {
        let field = self.named(object, step)?;
        if !self.source.keeps(&object.name, &field.name) {
            let what =
                format!("'{}' of {} isn't kept with the records, and can't be read", field.name, object.name);
            self.problem(step.place, what, &[], "leave it out, and say that it can't be read");
            return None;
        }
        Some(field)
    }

    fn named(&mut self, object: &'c Object, step: &Step<'_>) -> Option<&'c Field> {
        if let Some(field) = object.field(step.name) {
            return Some(field);
        }
        let clipped = clip(step.name, MOST_ECHO);
        let folded = fold(&clipped);
        let mut alike =
            object.fields.iter().filter(|field| !folded.is_empty() && fold(&field.name) == folded);
        if let (Some(meant), None) = (alike.next(), alike.next()) {
            return Some(meant);
        }
        let near = self.near(object, step, &clipped, &folded);
        let leading_here = self.leading_here(object, step, &folded);
        let next = match near.first().and_then(|near| near.split(' ').next()) {
            Some(meant) => format!("use {meant}"),
            None if !leading_here.is_empty() => format!("query {leading_here}, which has it"),
            None => format!("call get_object_schema with objects [\"{}\"] and field_search", object.name),
        };
        let what = if step.name == step.text {
            format!("{} has no field '{clipped}'", object.name)
        } else {
            format!("{} has no field '{clipped}' (in '{}')", object.name, clip(step.text, MOST_ECHO))
        };
        self.problem(step.place, what, &near, &next);
        None
    }

    /// The objects that have a field of that name and a reference to this one.
    fn leading_here(&self, object: &Object, step: &Step<'_>, folded: &str) -> String {
        const MOST: usize = 3;
        if !step.before.is_empty() || !step.after.is_empty() {
            return String::new();
        }
        let has_it = |other: &&Object| {
            other.name != object.name
                && other.queryable
                && other.fields.iter().any(|field| fold(&field.name) == folded)
                && other.fields.iter().any(|field| field.references.contains(&object.name))
        };
        let names = self.schema.objects().iter().filter(has_it).map(|other| other.name.as_str());
        names.take(MOST).collect::<Vec<_>>().join(" or ")
    }

    /// Paths that may be meant, whole: what a model is told to write is what it writes.
    fn near(&self, object: &Object, step: &Step<'_>, name: &str, folded: &str) -> Vec<String> {
        // Nothing follows what is no reference.
        let after = clip(step.after, MOST_ECHO);
        let leads_on = |field: &&Field| after.is_empty() || !field.references.is_empty();
        let path = |hop: &str, field: &Field| {
            let path = format!("{}{hop}{}{after}", step.before, field.name);
            if after.is_empty() { format!("{path} ({})", field.field_type) } else { path }
        };
        let names = object.fields.iter().filter(leads_on).map(|field| field.name.as_str());
        let own = nearest(name, names, MOST_NEAREST);
        let mut near: Vec<String> =
            own.into_iter().filter_map(|near| object.field(near)).map(|field| path("", field)).collect();
        // Which object that is pointed at has a field of that name.
        for reference in object.fields.iter().filter(|field| !field.references.is_empty()) {
            for target in &reference.references {
                let Some(target) = self.schema.object(target) else { continue };
                let hop = match reference.references.as_slice() {
                    [_] => format!("{}.", reference.name),
                    _ => format!("{}[{}].", reference.name, target.name),
                };
                let there = target.fields.iter().filter(|field| fold(&field.name) == folded);
                near.extend(there.filter(leads_on).map(|field| path(&hop, field)));
            }
        }
        near.truncate(MOST_NEAREST);
        near
    }
}

/// What a step behind a reference that may lead to several objects reads of it.
fn part(after: &str) -> Option<Part> {
    let step = after.strip_prefix('.')?;
    match fold(step).as_str() {
        "id" => Some(Part::Id),
        "object" => Some(Part::Object),
        "name" => Some(Part::Name),
        _ => None,
    }
}

/// A path that reads a part of a reference.
fn part_of(path: Path, part: Part) -> Path {
    let field_type = if part == Part::Id { FieldType::Id } else { FieldType::Text };
    Path { field_type, part, ..path }
}
