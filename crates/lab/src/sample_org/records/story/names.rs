//! Names of people: no two alike, in the alphabets of the places they live in.

use std::collections::BTreeSet;

use super::super::super::rng::Rng;
use super::super::super::words::{FAMILY_NAMES, GIVEN_NAMES};
use super::phrases::{ARABIC, CYRILLIC, DEVANAGARI, GREEK, HAN, HEBREW};

/// An alphabet, with the names written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Devanagari,
    Han,
}

/// A person's name.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) first: String,
    pub(super) last: String,
    pub(super) full: String,
}

/// The names given so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: BTreeSet<String>,
}

impl Script {
    const fn words(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Latin => (GIVEN_NAMES, FAMILY_NAMES),
            Self::Greek => GREEK,
            Self::Cyrillic => CYRILLIC,
            Self::Hebrew => HEBREW,
            Self::Arabic => ARABIC,
            Self::Devanagari => DEVANAGARI,
            Self::Han => HAN,
        }
    }
}

impl Names {
    /// A name that nobody has yet. Once the plain ones run short, people get a middle initial.
    pub(super) fn draw(&mut self, script: Script, rng: &mut Rng) -> Name {
        let (given, family) = script.words();
        loop {
            let (first, last) = (rng.pick(given), rng.pick(family));
            let initial = char::from(rng.pick(b"ABCDEFGHIJKLMNOPRSTVW"));
            let full = match script {
                Script::Han => format!("{last}{first}"),
                Script::Latin if rng.chance(60) => format!("{first} {initial}. {last}"),
                _ => format!("{first} {last}"),
            };
            if self.given.insert(full.clone()) {
                return Name { first: first.to_owned(), last: last.to_owned(), full };
            }
        }
    }

    /// A name that was decided on.
    pub(super) fn give(&mut self, first: &str, last: &str) -> Name {
        let full = format!("{first} {last}");
        self.given.insert(full.clone());
        Name { first: first.to_owned(), last: last.to_owned(), full }
    }
}

impl Name {
    /// The name in the letters of an e-mail address, if it is written in Latin ones.
    pub(super) fn login(&self) -> Option<String> {
        let plain: String = self.full.to_lowercase().chars().filter_map(plain).collect();
        (plain.len() > 2).then(|| plain.split_whitespace().collect::<Vec<_>>().join("."))
    }
}

/// A letter without its accent.
const fn plain(letter: char) -> Option<char> {
    Some(match letter {
        'a'..='z' | ' ' => letter,
        'á' => 'a',
        'ö' | 'ó' => 'o',
        'ü' => 'u',
        _ => return None,
    })
}
