//! Closing the graph: references keep the targets that survived the filter, and back references
//! follow from them.

use std::collections::BTreeMap;

use portolan_schema::{ClosedSchema, Object};

use crate::diagnostic::Diagnostic;
use crate::filter::Selection;

/// A schema whose references all lead somewhere, and what it took to make it one.
#[derive(Debug)]
pub struct Closed {
    /// The schema.
    pub schema: ClosedSchema,
    /// What was lost.
    pub losses: Losses,
}

/// The edges that closing the graph cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Targets that were dropped, by object.
    pub dropped: BTreeMap<String, DroppedTarget>,
    /// References left with no target, which are plain ids now.
    pub emptied: u64,
}

/// An object that kept fields point at and that isn't kept itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedTarget {
    /// `object.field` of each that pointed at it, ascending.
    pub edges: Vec<String>,
    /// Whether the extract has it at all.
    pub in_extract: bool,
}

/// Drops targets that aren't kept, then builds the schema.
#[must_use]
pub fn close(selection: Selection) -> (Option<Closed>, Vec<Diagnostic>) {
    let Selection { mut objects, known, .. } = selection;
    let mut kept: Vec<String> = objects.iter().map(|object| object.name.clone()).collect();
    kept.sort_unstable();
    let mut losses = Losses::default();
    for Object { name, fields, .. } in &mut objects {
        for field in fields {
            let was = field.field_type;
            let edge = format!("{name}.{}", field.name);
            field.retain_targets(|target| {
                let stays = kept.binary_search_by(|name| name.as_str().cmp(target)).is_ok();
                if !stays {
                    losses.dropped.entry(target.to_owned()).or_default().edges.push(edge.clone());
                }
                stays
            });
            losses.emptied += u64::from(field.field_type != was);
        }
    }
    for (target, lost) in &mut losses.dropped {
        lost.in_extract = known.described(target) == Some(true);
        lost.edges.sort_unstable();
    }
    match ClosedSchema::new(objects) {
        Ok(schema) => (Some(Closed { schema, losses }), Vec::new()),
        Err(violations) => {
            (None, violations.into_iter().map(|violation| Diagnostic::error(violation.to_string())).collect())
        }
    }
}
