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

impl<'c> Check<'c> {
    /// A path, its names found whatever their case.
    pub(super) fn path(&mut self, object: &'c Object, text: &str, place: &str) -> Option<Path> {
        let mut object = object;
        let mut hops = Vec::new();
        let mut steps = text.trim().split('.').peekable();
        let mut written = Vec::new();
        while let Some(step) = steps.next() {
            let (name, explicit) = match step.strip_suffix(']').and_then(|step| step.split_once('[')) {
                Some((name, target)) => (name, Some(target)),
                None => (step, None),
            };
            let field = self.field(object, name, text, place)?;
            written.push(field.name.clone());
            if steps.peek().is_none() && explicit.is_none() {
                let meant = written.join(".");
                if written.last().map(String::as_str) != Some(name)
                    || hops.iter().any(|(_, changed)| *changed)
                {
                    self.understood.push((clip(text, MOST_ECHO), meant));
                }
                let hops = hops.into_iter().map(|(hop, _)| hop).collect();
                return Some(Path { hops, ..self.path_of(object, field) });
            }
            if explicit.is_none()
                && field.references.len() > 1
                && let Some(part) = steps.peek().and_then(|next| part(next))
                && steps.clone().count() == 1
            {
                let hops = hops.into_iter().map(|(hop, _)| hop).collect();
                return Some(Path { hops, ..part_of(self.path_of(object, field), part) });
            }
            let target = match (explicit, field.references.as_slice()) {
                (Some(explicit), targets) if targets.iter().any(|target| target == explicit) => explicit,
                (None, [only]) => only,
                (_, []) => {
                    let what = format!(
                        "'{}' of {} is no reference, so nothing can be followed from it",
                        field.name, object.name
                    );
                    self.problem(place, what, &[], "use the field itself");
                    return None;
                }
                (_, targets) => {
                    let mut forms: Vec<String> =
                        targets.iter().map(|target| format!("{}[{target}]", field.name)).collect();
                    forms.truncate(MOST_NEAREST);
                    let what =
                        format!("'{}' of {} may lead to several objects: say which", field.name, object.name);
                    let next = format!(
                        "write {}.… for the one you mean; {}.id, .object and .name are of any",
                        forms.first().map_or("", String::as_str),
                        field.name
                    );
                    self.problem(place, what, &forms, &next);
                    return None;
                }
            };
            if hops.len() == MOST_HOPS {
                let what = format!("'{}' follows more than {MOST_HOPS} references", clip(text, MOST_ECHO));
                self.problem(place, what, &[], "query the object in between instead");
                return None;
            }
            let from = object.name.clone();
            object = self.schema.object(target)?;
            let Some(id) = object.id_field.clone().filter(|id| self.source.keeps(target, id)) else {
                let what = format!("records of {target} can't be read here (in '{}')", clip(text, MOST_ECHO));
                self.problem(place, what, &[], "leave it out, and say that it can't be read");
                return None;
            };
            let hop = Hop { object: from, field: field.name.clone(), target: target.to_owned(), id };
            hops.push((hop, field.name != name));
        }
        None
    }

    /// A field by its name, which the source must keep.
    fn field(&mut self, object: &'c Object, name: &str, text: &str, place: &str) -> Option<&'c Field> {
        let field = self.named(object, name, text, place)?;
        if !self.source.keeps(&object.name, &field.name) {
            let what =
                format!("'{}' of {} isn't kept with the records, and can't be read", field.name, object.name);
            self.problem(place, what, &[], "leave it out, and say that it can't be read");
            return None;
        }
        Some(field)
    }

    fn named(&mut self, object: &'c Object, name: &str, text: &str, place: &str) -> Option<&'c Field> {
        if let Some(field) = object.field(name) {
            return Some(field);
        }
        let clipped = clip(name, MOST_ECHO);
        let folded = fold(&clipped);
        let mut alike =
            object.fields.iter().filter(|field| !folded.is_empty() && fold(&field.name) == folded);
        if let (Some(meant), None) = (alike.next(), alike.next()) {
            return Some(meant);
        }
        let named = |prefix: &str, field: &Field| format!("{prefix}{} ({})", field.name, field.field_type);
        let mut near: Vec<String> =
            nearest(&clipped, object.fields.iter().map(|field| field.name.as_str()), MOST_NEAREST)
                .into_iter()
                .filter_map(|near| object.field(near))
                .map(|field| named("", field))
                .collect();
        // Which object that is pointed at has a field of that name.
        for reference in object.fields.iter().filter(|field| !field.references.is_empty()) {
            for target in &reference.references {
                let Some(target) = self.schema.object(target) else { continue };
                let hop = match reference.references.as_slice() {
                    [_] => format!("{}.", reference.name),
                    _ => format!("{}[{}].", reference.name, target.name),
                };
                let there = target.fields.iter().filter(|field| fold(&field.name) == folded);
                near.extend(there.map(|field| named(&hop, field)));
            }
        }
        near.truncate(MOST_NEAREST);
        let next = match near.first().and_then(|near| near.split(' ').next()) {
            Some(meant) => format!("use {meant}"),
            None => format!("call get_object_schema with objects [\"{}\"] and field_search", object.name),
        };
        let what = if name == text.trim() {
            format!("{} has no field '{clipped}'", object.name)
        } else {
            format!("{} has no field '{clipped}' (in '{}')", object.name, clip(text, MOST_ECHO))
        };
        self.problem(place, what, &near, &next);
        None
    }
}

/// What a step behind a reference that may lead to several objects reads of it.
fn part(step: &str) -> Option<Part> {
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
