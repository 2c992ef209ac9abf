//! Fills the columns that the story says nothing about, the way orgs fill them: most never, some now
//! and then, a few nearly always.

use super::super::rng::Rng;
use super::super::wire::Field;
use super::super::words::{
    ADJECTIVES, CITIES, DISTRICTS, FAMILY_NAMES, GIVEN_NAMES, HELP_ENDINGS, HELP_OPENINGS, SUBJECTS,
};
use super::calendar::{OPENING, TODAY};
use super::value::{Decimal, Money, Percent, Value};

/// A column to fill.
#[derive(Debug)]
pub(super) struct Filling<'f> {
    field: &'f Field,
    rng: Rng,
    /// In how many of a hundred records it has a value.
    share: u32,
}

impl<'f> Filling<'f> {
    /// The filling of a field, from a stream of its own. References stay null: they have to lead
    /// somewhere, and where is for the story to say.
    pub(super) fn new(field: &'f Field, object: &str, seed: u64) -> Self {
        let mut rng = Rng::named(seed, &format!("records/{object}.{}", field.name));
        let share = match (field.kind, rng.below(100)) {
            ("reference", _) if !field.references.is_empty() => 0,
            ("boolean", _) => 100,
            _ if field.required || field.unique => 100,
            (_, 0..50) => 0,
            (_, 50..80) => 3,
            (_, 80..95) => 30,
            _ => 95,
        };
        Self { field, rng, share }
    }

    /// The value of the next record, which is the one with that number.
    pub(super) fn next(&mut self, number: usize) -> Value {
        if self.rng.chance(self.share) { self.value(number) } else { Value::Null }
    }

    fn value(&mut self, number: usize) -> Value {
        let rng = &mut self.rng;
        match self.field.kind {
            "boolean" => rng.chance(20).into(),
            "integer" => rng.below(400).into(),
            "decimal" => Decimal::from(rng.below(2_000_000)).into(),
            "currency" => Money::from(rng.below(9_000_000)).into(),
            "percent" => Percent::from(rng.below(10_001)).into(),
            "date" => OPENING.plus(rng.below(1_180).into()).into(),
            "datetime" => OPENING.at(0, 0, 0).plus(rng.below(1_094 * 1_440).into()).into(),
            "time" => format!("{:02}:{:02}:00", rng.below(24), rng.below(60)).into(),
            "picklist" => self.picked().into(),
            "multi_picklist" => self.several().into(),
            // References whose targets nobody kept.
            "id" | "reference" => format!("ext_{:06x}", rng.below(0x0100_0000)).into(),
            "long_text" => format!("{} {}", rng.pick(HELP_OPENINGS), rng.pick(HELP_ENDINGS)).into(),
            "email" => format!("{}@example.com", self.login()).into(),
            "phone" => format!("+00 {} {:06}", rng.between(20, 990), rng.below(1_000_000)).into(),
            "url" => format!("https://files.example.com/{:08x}", rng.below(u32::MAX)).into(),
            "address" => {
                format!("{} {}, {}", rng.pick(DISTRICTS), rng.between(1, 99), rng.pick(CITIES)).into()
            }
            "geolocation" => {
                let [latitude, longitude] =
                    [rng.between(350_000, 580_000), rng.between(20_000, 300_000)].map(Decimal::from);
                format!("{latitude},{longitude}").into()
            }
            "binary" => rng.next().to_le_bytes().repeat(4).into(),
            "json" => {
                format!("{{\"version\":{},\"layout\":\"{}\"}}", rng.below(9), rng.pick(ADJECTIVES)).into()
            }
            _ => self.text(number).into(),
        }
    }

    /// A code where the field is short or its values distinct, else a few words.
    fn text(&mut self, number: usize) -> String {
        let rng = &mut self.rng;
        let longest = self.field.length.unwrap_or(255) as usize;
        if self.field.unique {
            return format!("{:06}", number + 1);
        }
        let text = match rng.below(4) {
            _ if longest < 40 => format!("{:05}", rng.below(100_000)),
            0 => format!("{} {}", rng.pick(GIVEN_NAMES), rng.pick(FAMILY_NAMES)),
            1 => format!("{} {}", rng.pick(ADJECTIVES), rng.pick(SUBJECTS)),
            2 => rng.pick(CITIES).to_owned(),
            _ => format!("{}-{:05}", TODAY.date().0 - i64::from(rng.below(3)), rng.below(100_000)),
        };
        text.chars().take(longest).collect()
    }

    /// A value that the extract lists.
    fn picked(&mut self) -> Option<String> {
        let listed = self.field.picklist.as_deref()?;
        self.rng.choose(listed).map(|value| value.value.clone())
    }

    fn several(&mut self) -> Option<String> {
        let mut chosen: Vec<String> = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let value = self.picked()?;
            if !chosen.contains(&value) {
                chosen.push(value);
            }
        }
        Some(chosen.join(";"))
    }

    fn login(&mut self) -> String {
        let (first, number) = (self.rng.pick(GIVEN_NAMES), self.rng.below(1_000));
        format!("{}{number}", first.to_ascii_lowercase())
    }
}
