//! The org's objects as tables: the business objects that the committed allowlist names, and the
//! kinds of plumbing that surround them in any org.

mod activities;
pub(super) mod bookkeeping;
mod commerce;
mod customers;
mod engagement;
mod medical;
mod planning;
pub(super) mod plumbing;
mod products;
mod service;

use super::spec::{Kind, Spec, link, pick};
use super::values::Values;

/// An object that people ask about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Business {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// How many fields it has besides the bookkeeping ones: its `id`, those in `own`, and as many
    /// invented ones as it takes.
    pub(super) fields: u32,
    pub(super) own: &'static [Spec],
    /// Whether records can be queried at all.
    pub(super) queryable: bool,
}

const fn business(name: &'static str, label: &'static str, fields: u32) -> Business {
    Business { name, label, fields, own: &[], queryable: true }
}

impl Business {
    const fn with(self, own: &'static [Spec]) -> Self {
        Self { own, ..self }
    }

    const fn not_queryable(self) -> Self {
        Self { queryable: false, ..self }
    }

    /// The field that people recognise a record by: the first text among its own.
    pub(super) fn name_field(&self) -> Option<&'static str> {
        self.own.iter().find(|spec| matches!(spec.kind, Kind::Text(_))).map(|spec| spec.name)
    }
}

/// The business objects, in the order of the extract.
pub(super) fn business_objects() -> impl Iterator<Item = &'static Business> {
    [
        customers::OBJECTS,
        activities::OBJECTS,
        products::OBJECTS,
        commerce::OBJECTS,
        planning::OBJECTS,
        medical::OBJECTS,
        engagement::OBJECTS,
        service::OBJECTS,
    ]
    .into_iter()
    .flatten()
}

/// Whoever is responsible: a person, or a queue that people take work from.
const OWNER: Spec = link("owner", "Owner", &["user", "queue"]).required();

/// A person alone.
const REP: Spec = link("owner", "Owner", &["user"]).required();

/// The field that amounts of the same object are in.
const CURRENCY: Spec = pick("currency_code", "Currency", Values::Currencies).required();
