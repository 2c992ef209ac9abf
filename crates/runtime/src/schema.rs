//! The opened artifact, which may be replaced under running sessions.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::caller::Caller;
use crate::opened::{OpenError, Opened};
use crate::session::Session;
use crate::view::View;

/// An opened artifact. Clones share it: what [`Schema::replace`] does to one, all see.
#[derive(Clone)]
pub struct Schema {
    shared: Arc<Shared>,
}

struct Shared {
    /// The current edition's, so that a call need not take the lock to see that nothing changed.
    generation: AtomicU64,
    current: RwLock<Arc<Edition>>,
}

/// One artifact of those that were opened one after another.
struct Edition {
    generation: u64,
    opened: Arc<Opened>,
    /// What everyone sees, where no profile is declared; else in the order of the profiles.
    views: Vec<OnceLock<Arc<View>>>,
}

/// Why a caller gets no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallerError {
    /// The artifact declares profiles, and the caller has none.
    #[error("the caller has no profile, and the artifact declares {}: name one", .0.join(", "))]
    NoProfile(Vec<String>),
    /// The artifact doesn't declare the caller's profile.
    #[error("the artifact declares no profile '{name}'; {}", declared(.known))]
    UnknownProfile {
        /// The caller's.
        name: String,
        /// The artifact's.
        known: Vec<String>,
    },
}

fn declared(known: &[String]) -> String {
    if known.is_empty() {
        "it declares none at all".to_owned()
    } else {
        format!("it declares {}", known.join(", "))
    }
}

impl Schema {
    /// Opens an artifact: the bytes of `schema.msgpack`.
    ///
    /// The header, the index and the profiles are verified now, each object when it is first asked
    /// for: the first answer of a fresh process needs one object, not all. `portolan verify` verifies
    /// everything.
    pub fn open(artifact: impl Into<Vec<u8>>) -> Result<Self, OpenError> {
        Ok(Self::first(Opened::bytes(artifact.into())?))
    }

    /// Opens an artifact as a file, of which no more is read than is asked for. The file may be
    /// replaced by another, as `build-schema` does it: this stays the one that was opened.
    pub fn open_file(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Ok(Self::first(Opened::file(path.as_ref())?))
    }

    fn first(opened: Opened) -> Self {
        let edition = Arc::new(Edition::new(opened, 0));
        Self { shared: Arc::new(Shared { generation: AtomicU64::new(0), current: RwLock::new(edition) }) }
    }

    /// Puts another artifact in the place of this one, under running sessions, after verifying all of
    /// it; what fails leaves everything as it was.
    ///
    /// A call that is being answered is answered from the artifact that it began with. In every
    /// session, objects that read the same in both count as sent where they were; changed ones are
    /// sent again. A session whose profile is gone is told so by its next call.
    pub fn replace(&self, artifact: impl Into<Vec<u8>>) -> Result<(), OpenError> {
        self.put(Opened::bytes(artifact.into())?)
    }

    /// The same with a file.
    pub fn replace_file(&self, path: impl AsRef<Path>) -> Result<(), OpenError> {
        self.put(Opened::file(path.as_ref())?)
    }

    fn put(&self, opened: Opened) -> Result<(), OpenError> {
        opened.verify()?;
        let mut current = self.shared.current.write().unwrap_or_else(PoisonError::into_inner);
        let edition = Edition::new(opened, current.generation + 1);
        self.shared.generation.store(edition.generation, Ordering::Release);
        *current = Arc::new(edition);
        Ok(())
    }

    /// Begins a conversation.
    ///
    /// Where the artifact declares profiles, a caller without one is refused: nobody sees everything
    /// by having been forgotten.
    pub fn session(&self, caller: impl Into<Arc<Caller>>) -> Result<Session, CallerError> {
        let caller = caller.into();
        let view = self.view(&caller)?;
        Ok(Session::new(self.clone(), caller, view))
    }

    /// The semantic version of the schema.
    #[must_use]
    pub fn version(&self) -> String {
        self.edition().opened.index.version().to_string()
    }

    /// The sha256 of the schema's content, in 64 hexadecimal digits.
    #[must_use]
    pub fn content(&self) -> String {
        self.edition().opened.index.content().to_string()
    }

    /// The names of the profiles that are declared, ascending.
    #[must_use]
    pub fn profiles(&self) -> Vec<String> {
        self.edition().profile_names()
    }

    /// Which of the artifacts that were opened one after another is current.
    pub(crate) fn generation(&self) -> u64 {
        self.shared.generation.load(Ordering::Acquire)
    }

    /// What a caller sees now.
    pub(crate) fn view(&self, caller: &Caller) -> Result<Arc<View>, CallerError> {
        self.edition().view(caller.profile_name())
    }

    fn edition(&self) -> Arc<Edition> {
        self.shared.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Edition {
    fn new(opened: Opened, generation: u64) -> Self {
        let views = opened.profiles.len().max(1);
        Self { generation, opened: Arc::new(opened), views: (0..views).map(|_| OnceLock::new()).collect() }
    }

    fn profile_names(&self) -> Vec<String> {
        self.opened.profiles.iter().map(|compiled| compiled.profile.name.clone()).collect()
    }

    fn view(&self, profile: Option<&str>) -> Result<Arc<View>, CallerError> {
        let named =
            |name: &str| self.opened.profiles.iter().position(|compiled| compiled.profile.name == name);
        let at = match profile {
            None if self.opened.profiles.is_empty() => None,
            None => return Err(CallerError::NoProfile(self.profile_names())),
            Some(name) => match named(name) {
                Some(at) => Some(at),
                None => {
                    return Err(CallerError::UnknownProfile {
                        name: name.to_owned(),
                        known: self.profile_names(),
                    });
                }
            },
        };
        let view = || Arc::new(View::new(self.opened.clone(), at, self.generation));
        Ok(self.views.get(at.unwrap_or(0)).map_or_else(view, |cached| cached.get_or_init(view).clone()))
    }
}
