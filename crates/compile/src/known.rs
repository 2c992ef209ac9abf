//! The names of all objects of an extract, kept small: an org of 53,000 objects has that many names,
//! and they are most of what a build has to remember.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use hashbrown::HashTable;

use crate::diagnostic::{Place, Position};

/// Every object of an extract, by name, with where it was read.
#[derive(Debug, Default)]
pub struct Known {
    /// Indices into `seen`, by the hash of the name.
    by_name: HashTable<u32>,
    seen: Vec<Seen>,
    /// All names, one after another.
    names: String,
    /// The files, each once: the objects of one file come together.
    files: Vec<Arc<str>>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Seen {
    /// Where the name ends in `names`; it begins where the one before ends.
    name_end: u32,
    file: u32,
    /// Line 0: unknown.
    position: Position,
    described: bool,
}

/// What there was to know of an object's name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It is new, or was known by name only and is described now.
    New,
    /// It was known, and this adds nothing.
    Again,
    /// It was described before, there.
    Twice(Place),
}

impl Known {
    /// Takes note of an object; `described` says whether its fields come with it.
    pub(crate) fn meet(&mut self, name: &str, place: &Place, described: bool) -> Met {
        let Some(at) = self.find(name) else {
            self.insert(name, place, described);
            return Met::New;
        };
        let file = self.file(&place.file);
        let Some(seen) = self.seen.get_mut(at) else { return Met::Again };
        if !described {
            // A list of names beside full descriptions only repeats them.
            return Met::Again;
        }
        if seen.described {
            let name = self.files.get(seen.file as usize).cloned().unwrap_or_default();
            let position = Some(seen.position).filter(|position| position.line > 0);
            return Met::Twice(Place { position, ..Place::file(name) });
        }
        *seen = Seen { file, position: position(place), described, ..*seen };
        Met::New
    }

    /// Whether the extract has that object: `Some(false)` where it only lists its name.
    #[must_use]
    pub fn described(&self, name: &str) -> Option<bool> {
        self.seen.get(self.find(name)?).map(|seen| seen.described)
    }

    /// Every name, in the order of reading.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.seen.len()).filter_map(|at| self.name(at))
    }

    fn find(&self, name: &str) -> Option<usize> {
        let hash = self.hasher.hash_one(name);
        self.by_name.find(hash, |at| self.name(*at as usize) == Some(name)).map(|at| *at as usize)
    }

    fn name(&self, at: usize) -> Option<&str> {
        let start = match at.checked_sub(1) {
            Some(before) => self.seen.get(before)?.name_end,
            None => 0,
        };
        self.names.get(start as usize..self.seen.get(at)?.name_end as usize)
    }

    fn insert(&mut self, name: &str, place: &Place, described: bool) {
        // Four GiB of names are past every bound on what is read.
        let Ok(name_end) = u32::try_from(self.names.len() + name.len()) else { return };
        let Ok(at) = u32::try_from(self.seen.len()) else { return };
        self.names.push_str(name);
        let file = self.file(&place.file);
        self.seen.push(Seen { name_end, file, position: position(place), described });
        let Self { by_name, seen, names, hasher, .. } = self;
        let hash_of = |at: &u32| {
            let start = at
                .checked_sub(1)
                .and_then(|before| seen.get(before as usize))
                .map_or(0, |seen| seen.name_end);
            let end = seen.get(*at as usize).map_or(start, |seen| seen.name_end);
            hasher.hash_one(names.get(start as usize..end as usize).unwrap_or_default())
        };
        by_name.insert_unique(hash_of(&at), at, hash_of);
    }

    fn file(&mut self, file: &Arc<str>) -> u32 {
        if self.files.last() != Some(file) {
            self.files.push(file.clone());
        }
        u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX)
    }
}

fn position(place: &Place) -> Position {
    place.position.unwrap_or(Position { line: 0, column: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_met_once() {
        let mut known = Known::default();
        let place = |line| Place::file("a.json").position(Position { line, column: 1 });
        for at in 0..2000 {
            assert_eq!(known.meet(&format!("object_{at}"), &place(at + 1), at % 2 == 0), Met::New);
        }
        assert_eq!(known.names().count(), 2000);
        assert_eq!(known.described("object_8"), Some(true));
        assert_eq!(known.described("object_9"), Some(false));
        assert_eq!(known.described("object_2000"), None);
        assert_eq!(known.described(""), None);
        assert_eq!(known.meet("object_8", &place(1), false), Met::Again);
        assert_eq!(known.meet("object_8", &Place::file("b.json"), true), Met::Twice(place(9)));
        assert_eq!(known.meet("object_9", &Place::file("b.json"), true), Met::New);
        assert_eq!(known.meet("object_9", &place(1), true), Met::Twice(Place::file("b.json")));
    }
}
