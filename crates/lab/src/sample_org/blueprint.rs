//! Which objects an org has: the catalogues, one object after the other, as often as it takes.

use super::catalogue::bookkeeping::{AUDIT, SYSTEM};
use super::catalogue::plumbing::{FAMILIES, Family, Members};
use super::catalogue::{Business, business_objects};
use super::spec::Spec;

/// What an object is made from.
#[derive(Clone, Debug)]
pub(super) struct Blueprint {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) own: &'static [Spec],
    pub(super) invented: Invention,
    /// The lists of bookkeeping fields it ends with.
    pub(super) bookkeeping: &'static [&'static [Spec]],
    pub(super) queryable: bool,
    pub(super) name_field: Option<&'static str>,
    /// The object that it accompanies.
    pub(super) parent: Option<&'static str>,
}

/// How many fields are invented for an object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Invention {
    /// As many as make this many in all, bookkeeping aside.
    UpTo(u32),
    /// From so many to so many.
    Between(u32, u32),
}

/// The blueprints of an org of any size. The first round is the catalogues as they stand; every
/// further one repeats them under numbered names, the way orgs grow by acquisition.
pub(super) fn blueprints() -> impl Iterator<Item = Blueprint> {
    let catalogue: Vec<Blueprint> =
        business_objects().map(of_business).chain(FAMILIES.iter().flat_map(of_family)).collect();
    (1_u64..).flat_map(move |round| {
        let numbered = move |blueprint: &Blueprint| blueprint.numbered(round);
        catalogue.iter().map(numbered).collect::<Vec<_>>()
    })
}

impl Blueprint {
    fn numbered(&self, round: u64) -> Self {
        if round == 1 {
            return self.clone();
        }
        let (stem, suffix) = self.name.split_at(self.name.find("__").unwrap_or(self.name.len()));
        let name = format!("{stem}_{round}{suffix}");
        Self { name, label: format!("{} {round}", self.label), ..self.clone() }
    }
}

fn of_business(object: &Business) -> Blueprint {
    Blueprint {
        name: object.name.to_owned(),
        label: object.label.to_owned(),
        own: object.own,
        invented: Invention::UpTo(object.fields),
        bookkeeping: &[SYSTEM, AUDIT],
        queryable: object.queryable,
        name_field: object.name_field(),
        parent: None,
    }
}

fn of_family(family: &'static Family) -> Vec<Blueprint> {
    let member = |name: String, label: String, parent| Blueprint {
        name,
        label,
        own: family.own,
        invented: Invention::Between(family.invented.0, family.invented.1),
        bookkeeping: &[SYSTEM],
        queryable: family.queryable,
        name_field: None,
        parent,
    };
    match family.members {
        Members::Companions { of_the_first, suffix, label } => business_objects()
            .take(of_the_first)
            .map(|of| {
                let stem = of.name.strip_suffix("__c").unwrap_or(of.name);
                member(format!("{stem}{suffix}"), format!("{} {label}", of.label), Some(of.name))
            })
            .collect(),
        Members::Listed { prefix, words, suffix, label } => words
            .iter()
            .map(|word| member(format!("{prefix}{word}{suffix}"), format!("{label}{}", title(word)), None))
            .collect(),
    }
}

/// An API name as a label: `cost_centre` → `Cost Centre`.
fn title(name: &str) -> String {
    let mut capital = true;
    name.chars()
        .map(|c| {
            let c = if capital { c.to_ascii_uppercase() } else { c };
            capital = c == '_';
            if capital { ' ' } else { c }
        })
        .collect()
}
