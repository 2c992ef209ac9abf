//! Picklist values: what fills four fifths of an extract and never reaches an artifact.
//!
//! A set of values is the product of two word tables, in their order. A field takes a stretch of it,
//! and no stretch is longer than the set, so that no field lists a value twice.

use super::rng::Rng;
use super::wire::PicklistValue;
use super::words::{
    ADJECTIVES, BRANDS, CITIES, CONDITIONS, COUNTRIES, COURSES, CURRENCIES, DISTRICTS, FAMILY_NAMES,
    GIVEN_NAMES, LANGUAGES, REASONS, SPECIALTIES, STATES, STRANGE, STRENGTHS, SUBJECTS,
};

/// What a picklist lists.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    Statuses,
    Levels,
    Channels,
    Reasons,
    Categories,
    Languages,
    Countries,
    Currencies,
    Cities,
    Specialties,
    Conditions,
    Products,
    Territories,
    Lots,
    /// The labels of an object's fields, as change histories list them.
    Fields,
    /// People's names, with their e-mail addresses in the labels, as real orgs have been found to
    /// keep them.
    People,
}

/// How a value is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// `EUR`, "EUR".
    Same,
    /// `awaiting_signature`, "Awaiting Signature".
    Words,
    /// `dana.whitfield`, "Dana Whitfield <dana.whitfield@example.com>".
    Person,
    /// `DE-0417`, "DE-0417 Lakeside North"; with the code's prefix.
    Coded(&'static str),
}

/// The most tables that a set is a product of.
const TABLES: usize = 2;

struct Set {
    form: Form,
    tables: [&'static [&'static str]; TABLES],
    /// The fewest and the most values a field takes from it.
    size: (u32, u32),
}

/// A table with one empty word: for sets that are products of fewer tables.
const NONE: &[&str] = &[""];

impl Values {
    /// The type's name in the org: open lists take values that aren't listed.
    pub(super) const fn native(self) -> &'static str {
        match self {
            Self::People | Self::Cities | Self::Reasons => "combobox",
            _ => "restrictedpicklist",
        }
    }

    const fn set(self) -> Set {
        let (form, tables, size): (_, [&[&str]; TABLES], _) = match self {
            Self::Statuses => (Form::Words, [STATES, NONE], (4, 14)),
            Self::Levels => (Form::Words, [ADJECTIVES, NONE], (3, 8)),
            Self::Channels => (Form::Words, [SUBJECTS, NONE], (6, 24)),
            Self::Reasons => (Form::Words, [REASONS, SUBJECTS], (12, 90)),
            Self::Categories => (Form::Words, [SUBJECTS, STATES], (8, 60)),
            Self::Languages => (Form::Same, [LANGUAGES, NONE], (12, 28)),
            Self::Countries => (Form::Words, [COUNTRIES, NONE], (30, 64)),
            Self::Currencies => (Form::Same, [CURRENCIES, NONE], (12, 28)),
            Self::Cities => (Form::Words, [CITIES, DISTRICTS], (70, 320)),
            Self::Specialties => (Form::Coded("SP"), [SPECIALTIES, SUBJECTS], (60, 260)),
            Self::Conditions => (Form::Coded("C"), [COURSES, CONDITIONS], (100, 350)),
            Self::Products => (Form::Coded("PR"), [BRANDS, STRENGTHS], (60, 320)),
            Self::Territories => (Form::Coded("T"), [CITIES, DISTRICTS], (100, 390)),
            Self::Lots => (Form::Coded("L"), [BRANDS, CITIES], (80, 330)),
            Self::Fields => (Form::Words, [ADJECTIVES, SUBJECTS], (60, 220)),
            Self::People => (Form::Person, [GIVEN_NAMES, FAMILY_NAMES], (80, 390)),
        };
        Set { form, tables, size }
    }

    /// The values of one field.
    pub(super) fn draw(self, rng: &mut Rng) -> Vec<PicklistValue> {
        let Set { form, tables: [first, second], size: (fewest, most) } = self.set();
        let width = small(second.len());
        let all = small(first.len()) * width;
        let start = rng.below(all);
        let default = rng.chance(30);
        (0..rng.between(fewest, most).min(all))
            .map(|step| {
                let at = (start + step) % all;
                let mut value = write(form, at, word(first, at / width), word(second, at % width));
                value.active = !rng.chance(6);
                value.default = (default && step == 0).then_some(true);
                match rng.below(100) {
                    0 | 1 => value.label = None,
                    2 => value.label = Some(rng.pick(STRANGE).to_owned()),
                    3 => value.value = format!("{} #{step}", rng.pick(STRANGE)),
                    _ => {}
                }
                value
            })
            .collect()
    }
}

fn small(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn word(table: &'static [&'static str], at: u32) -> &'static str {
    table.get(at as usize).copied().unwrap_or_default()
}

fn write(form: Form, at: u32, first: &str, second: &str) -> PicklistValue {
    let mut label = String::with_capacity(64);
    label.push_str(first);
    if !second.is_empty() {
        label.push(' ');
        label.push_str(second);
    }
    let value = match form {
        Form::Same => label.clone(),
        Form::Words => api_name(&label),
        Form::Coded(prefix) => {
            let code = format!("{prefix}-{at:04}");
            label = format!("{code} {label}");
            code
        }
        Form::Person => {
            let mut login = String::with_capacity(64);
            login.extend([first, ".", second]);
            login.make_ascii_lowercase();
            label.extend([" <", &login, "@example.com>"]);
            login
        }
    };
    PicklistValue { value, label: Some(label), active: true, default: None }
}

/// A label as an API name: `Awaiting Signature` → `awaiting_signature`.
pub(super) fn api_name(label: &str) -> String {
    label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || !c.is_ascii() { c.to_ascii_lowercase() } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_field_lists_a_value_twice() {
        let every = [
            Values::Statuses,
            Values::Levels,
            Values::Channels,
            Values::Reasons,
            Values::Categories,
            Values::Languages,
            Values::Countries,
            Values::Currencies,
            Values::Cities,
            Values::Specialties,
            Values::Conditions,
            Values::Products,
            Values::Territories,
            Values::Lots,
            Values::Fields,
            Values::People,
        ];
        for values in every {
            for seed in 0..20 {
                let drawn = values.draw(&mut Rng::new(seed));
                let distinct: BTreeSet<&str> = drawn.iter().map(|value| value.value.as_str()).collect();
                assert_eq!(distinct.len(), drawn.len(), "{values:?}, seed {seed}");
                let (fewest, most) = values.set().size;
                assert!((fewest..=most).contains(&small(drawn.len())), "{values:?} has {}", drawn.len());
            }
        }
    }
}
