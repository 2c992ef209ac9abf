//! What one profile sees of one artifact.
//!
//! Everything that a session says comes from its view, and a view is made of permitted objects alone,
//! each cut to what the profile may see: there is nothing else in it that could be said.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use portolan_schema::artifact::{ContentHash, Entry, Record};
use portolan_schema::nearest::nearest;
use portolan_schema::{ClosedSchema, Profile};

use crate::fold::fold;
use crate::opened::Opened;
use crate::render::{PART_FIELDS, Rendering, Subject};

/// So many characters of the content hash stand for what a profile sees.
const SHORT_HASH: usize = 12;
/// So many near names are offered.
const MOST_NEAREST: usize = 3;
/// So many objects are named in the description of `list_objects`.
const MOST_CONNECTED: usize = 10;
/// Nobody means a longer name, in bytes, and a hostile one must not cost more.
const MOST_LOOKED_AT: usize = 300;

/// What one profile sees of one artifact.
pub(crate) struct View {
    opened: Arc<Opened>,
    /// The profile's position; `None` where the artifact declares no profiles.
    profile: Option<usize>,
    /// Which of the artifacts that were opened one after another.
    pub(crate) generation: u64,
    /// What stands for the schema in answers: the version, or for a profile a short hash of what it
    /// sees, so that a change of what it doesn't see doesn't show.
    pub(crate) schema: String,
    /// In ascending order of name.
    pub(crate) objects: Vec<Permitted>,
    by_name: HashMap<String, usize>,
    by_fold: OnceLock<HashMap<String, Meant>>,
    fingerprints: OnceLock<Vec<Option<u64>>>,
    seen: OnceLock<Option<ClosedSchema>>,
    pub(crate) listed: OnceLock<String>,
}

/// A permitted object.
pub(crate) struct Permitted {
    entry: usize,
    /// Edges that reach or leave it, within what is permitted.
    connections: u32,
    /// Where a session's Set keeps its parts.
    pub(crate) slots: Range<usize>,
    compact: OnceLock<Box<[String]>>,
    full: OnceLock<Box<[String]>>,
}

/// What a name means once it is folded.
#[derive(Clone, Copy)]
enum Meant {
    One(usize),
    Several,
}

/// What a name that a model wrote comes to.
pub(crate) enum Found {
    /// The object of that very name.
    Exactly(usize),
    /// The only object whose name or label differs from it in case, accents and separators alone.
    Meant(usize),
    /// None.
    Unknown,
}

impl View {
    pub(crate) fn new(opened: Arc<Opened>, profile: Option<usize>, generation: u64) -> Self {
        let compiled = profile.and_then(|at| opened.profiles.get(at));
        let mut objects = Vec::with_capacity(opened.index.entries().len());
        let mut slots = 0;
        for (entry, object) in opened.index.entries().iter().enumerate() {
            let (connections, hidden) = match compiled {
                None => (object.references.saturating_add(object.referenced_by), 0),
                Some(compiled) => match compiled.connections.get(&object.name) {
                    None => continue,
                    Some(connections) => (
                        *connections,
                        compiled.profile.hidden.get(&object.name).map_or(0, std::collections::BTreeSet::len),
                    ),
                },
            };
            let fields = (object.fields as usize).saturating_sub(hidden);
            let parts = fields.div_ceil(PART_FIELDS).max(1);
            objects.push(Permitted {
                entry,
                connections,
                slots: slots..slots + parts,
                compact: OnceLock::new(),
                full: OnceLock::new(),
            });
            slots += parts;
        }
        let schema = match compiled {
            None => opened.index.version().to_string(),
            Some(compiled) => compiled.content.to_string().chars().take(SHORT_HASH).collect(),
        };
        let mut view = Self {
            opened,
            profile,
            generation,
            schema,
            objects,
            by_name: HashMap::new(),
            by_fold: OnceLock::new(),
            fingerprints: OnceLock::new(),
            seen: OnceLock::new(),
            listed: OnceLock::new(),
        };
        view.by_name = view.entries().map(|(at, entry)| (entry.name.clone(), at)).collect();
        view
    }

    /// The permitted objects, each with its position.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, &Entry)> {
        let entries = self.opened.index.entries();
        self.objects.iter().enumerate().filter_map(|(at, object)| Some((at, entries.get(object.entry)?)))
    }

    /// The object at a position, as the index lists it.
    pub(crate) fn entry(&self, at: usize) -> Option<&Entry> {
        self.opened.index.entries().get(self.objects.get(at)?.entry)
    }

    /// The name of the object at a position.
    pub(crate) fn name(&self, at: usize) -> &str {
        self.entry(at).map_or("", |entry| &entry.name)
    }

    /// How many edges reach or leave the object at a position.
    pub(crate) fn connections(&self, at: usize) -> u32 {
        self.objects.get(at).map_or(0, |object| object.connections)
    }

    /// Whether an object has that part, the first being 0.
    pub(crate) fn has_part(&self, at: usize, part: usize) -> bool {
        self.objects.get(at).is_some_and(|object| part < object.slots.len())
    }

    /// How many parts a session's Set has to keep.
    pub(crate) fn slots(&self) -> usize {
        self.objects.last().map_or(0, |last| last.slots.end)
    }

    /// The position of the object of that very name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What a name that a model wrote comes to.
    pub(crate) fn find(&self, name: &str) -> Found {
        if let Some(at) = self.position(name).or_else(|| self.position(name.trim())) {
            return Found::Exactly(at);
        }
        if name.len() > MOST_LOOKED_AT {
            return Found::Unknown;
        }
        match self.by_fold().get(&fold(name)) {
            Some(Meant::One(at)) => Found::Meant(*at),
            Some(Meant::Several) | None => Found::Unknown,
        }
    }

    /// Names first: a label counts only where no name reads like it.
    fn by_fold(&self) -> &HashMap<String, Meant> {
        self.by_fold.get_or_init(|| {
            let collect = |text: fn(&Entry) -> &str| {
                let mut meant: HashMap<String, Meant> = HashMap::new();
                for (at, entry) in self.entries() {
                    let folded = fold(text(entry));
                    if !folded.is_empty() {
                        meant
                            .entry(folded)
                            .and_modify(|meant| *meant = Meant::Several)
                            .or_insert(Meant::One(at));
                    }
                }
                meant
            };
            let mut all = collect(|entry| &entry.label);
            all.extend(collect(|entry| &entry.name));
            all
        })
    }

    /// The names that an unknown one was probably meant to be, by name and then by label.
    pub(crate) fn nearest(&self, name: &str) -> Vec<&str> {
        let name: String = name.chars().take(MOST_LOOKED_AT).collect();
        let names = self.entries().map(|(_, entry)| entry.name.as_str());
        let mut near = nearest(&name, names, MOST_NEAREST);
        let labels = nearest(&name, self.entries().map(|(_, entry)| entry.label.as_str()), MOST_NEAREST);
        for label in labels {
            let labelled = self
                .entries()
                .filter(|(_, entry)| entry.label == label)
                .map(|(_, entry)| entry.name.as_str());
            for name in labelled {
                if near.len() < MOST_NEAREST && !near.contains(&name) {
                    near.push(name);
                }
            }
        }
        near
    }

    /// The names of the most connected objects, the most connected first.
    pub(crate) fn most_connected(&self) -> Vec<&str> {
        let mut ranked: Vec<(u32, &str)> = self
            .objects
            .iter()
            .zip(self.entries())
            .filter(|(object, _)| object.connections > 0)
            .map(|(object, (_, entry))| (object.connections, entry.name.as_str()))
            .collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        ranked.truncate(MOST_CONNECTED);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    /// An object as the profile sees it; `None` where its record is damaged.
    pub(crate) fn record(&self, at: usize) -> Option<Record> {
        let record = self.opened.record(self.entry(at)?).ok()?;
        match self.profile {
            None => Some(record),
            Some(profile) => self.opened.profiles.get(profile)?.profile.cut(record),
        }
    }

    /// All objects as the profile sees them; `None` where a record is damaged.
    pub(crate) fn seen(&self) -> Option<&ClosedSchema> {
        let build = || {
            let objects = (0..self.objects.len()).map(|at| Some(self.record(at)?.object));
            ClosedSchema::new(objects.collect::<Option<Vec<_>>>()?).ok()
        };
        self.seen.get_or_init(build).as_ref()
    }

    /// All objects, whoever may see them: what row rules are written over.
    pub(crate) fn everything(&self) -> Option<&ClosedSchema> {
        self.opened.schema()
    }

    /// The profile.
    pub(crate) fn profile(&self) -> Option<&Profile> {
        Some(&self.opened.profiles.get(self.profile?)?.profile)
    }

    /// The hash of what the profile sees.
    pub(crate) fn content(&self) -> ContentHash {
        let compiled = self.profile.and_then(|at| self.opened.profiles.get(at));
        compiled.map_or_else(|| self.opened.index.content(), |compiled| compiled.content)
    }

    /// An object put in order for a reader.
    pub(crate) fn subject<'r>(&self, record: &'r Record) -> Subject<'r> {
        Subject::new(record, |name| self.position(name).map_or(0, |at| self.connections(at)))
    }

    /// An object's parts, ready to be sent; `None` where its record is damaged.
    pub(crate) fn parts(&self, at: usize, rendering: Rendering) -> Option<&[String]> {
        let object = self.objects.get(at)?;
        let cache = match rendering {
            Rendering::Compact => &object.compact,
            Rendering::Full => &object.full,
        };
        if cache.get().is_none() {
            // Damage is not kept: the file may be mended.
            let parts = self.subject(&self.record(at)?).parts(rendering);
            let _ = cache.set(parts);
        }
        cache.get().map(AsRef::as_ref)
    }

    /// By object, a number that is equal in two views of one process exactly where they see the same of it
    /// (but for collisions of 64 bits); none where its record can't be read. In what order back references
    /// are sent is nothing of an object's.
    pub(crate) fn fingerprints(&self) -> &[Option<u64>] {
        self.fingerprints.get_or_init(|| {
            let fingerprint = |at| {
                let mut hasher = DefaultHasher::new();
                self.record(at)?.hash(&mut hasher);
                Some(hasher.finish())
            };
            (0..self.objects.len()).map(fingerprint).collect()
        })
    }
}
