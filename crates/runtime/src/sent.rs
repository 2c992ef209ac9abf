//! The Set of what a session was sent: the guard that a schema goes out once.

use std::ops::Range;
use std::sync::Arc;

use crate::view::View;

const BITS: usize = u64::BITS as usize;

/// A bit for each part of each object that the view permits.
pub(crate) struct Sent {
    view: Arc<View>,
    bits: Box<[u64]>,
    /// Objects that went out as they no longer are, ascending.
    outdated: Box<[u32]>,
}

impl Sent {
    pub(crate) fn new(view: Arc<View>) -> Self {
        let bits = vec![0; view.slots().div_ceil(BITS)].into();
        Self { view, bits, outdated: Box::default() }
    }

    pub(crate) const fn view(&self) -> &Arc<View> {
        &self.view
    }

    /// The first part of an object that didn't go out; `None` where all did.
    pub(crate) fn next_part(&self, object: usize) -> Option<usize> {
        let mut slots = self.slots(object);
        let start = slots.start;
        slots.find(|slot| !self.has(*slot)).map(|slot| slot - start)
    }

    /// Whether an object went out as it no longer is.
    pub(crate) fn is_outdated(&self, object: usize) -> bool {
        self.outdated.iter().any(|outdated| *outdated as usize == object)
    }

    /// A part went out.
    pub(crate) fn insert(&mut self, object: usize, part: usize) {
        self.update(object);
        let slot = self.slots(object).start + part;
        if let Some(word) = self.bits.get_mut(slot / BITS) {
            *word |= 1 << (slot % BITS);
        }
    }

    /// What went out of an object is no longer in the conversation.
    pub(crate) fn remove(&mut self, object: usize) {
        self.update(object);
        for slot in self.slots(object) {
            if let Some(word) = self.bits.get_mut(slot / BITS) {
                *word &= !(1 << (slot % BITS));
            }
        }
    }

    /// Goes over to another view: of each object that both say the same of, the same parts went out.
    pub(crate) fn carry_to(&mut self, view: Arc<View>) {
        let mut carried = Self::new(view);
        if self.bits.iter().all(|word| *word == 0) {
            *self = carried;
            return;
        }
        let (before, after) = (self.view.fingerprints(), carried.view.clone());
        let mut outdated = Vec::new();
        for ((at, entry), fingerprint) in after.entries().zip(after.fingerprints()) {
            let Some(was) = self.view.position(&entry.name) else { continue };
            let first = self.slots(was).start;
            let mut sent = self.slots(was).filter(|slot| self.has(*slot)).peekable();
            let is_known = sent.peek().is_some();
            let reads_the_same = fingerprint.is_some() && before.get(was) == Some(fingerprint);
            if reads_the_same && !self.is_outdated(was) {
                sent.for_each(|slot| carried.insert(at, slot - first));
            } else if is_known || self.is_outdated(was) {
                outdated.extend(u32::try_from(at));
            }
        }
        carried.outdated = outdated.into();
        *self = carried;
    }

    fn update(&mut self, object: usize) {
        if self.is_outdated(object) {
            let others = self.outdated.iter().copied().filter(|outdated| *outdated as usize != object);
            self.outdated = others.collect();
        }
    }

    fn has(&self, slot: usize) -> bool {
        self.bits.get(slot / BITS).is_some_and(|word| word >> (slot % BITS) & 1 == 1)
    }

    fn slots(&self, object: usize) -> Range<usize> {
        self.view.objects.get(object).map_or(0..0, |object| object.slots.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::opened::Opened;

    /// What a session of the sample org's 85 objects costs, the lock included.
    #[test]
    fn the_guard_takes_64_bytes_at_most() {
        let opened = Opened::file("../../artifacts/schema.msgpack".as_ref()).unwrap();
        let view = View::new(Arc::new(opened), None, 0);
        assert_eq!(view.objects.len(), 85);
        let sent = Sent::new(Arc::new(view));
        let bits = size_of_val(&*sent.bits);
        assert!(bits + size_of::<Mutex<Sent>>() <= 64, "{bits} + {}", size_of::<Mutex<Sent>>());
    }
}
