//! What queries took that were asked before: it decides how those of the same shape are asked, and never what is
//! answered.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many shapes are remembered of each kind.
const MOST_SHAPES: usize = 1_000;

/// What makes two queries take about the same time: their statements, whatever is bound to them.
pub(super) type Shape = u64;

/// What queries of a shape are known for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    /// They aren't done at once.
    pub(super) slow: bool,
    /// As many match as are counted at most.
    pub(super) many: bool,
}

/// The habits of shapes.
#[derive(Debug, Default)]
pub(super) struct Habits(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    slow: HashSet<Shape>,
    many: HashSet<Shape>,
}

impl Habits {
    pub(super) fn of(&self, shape: Shape) -> Habit {
        let known = self.known();
        Habit { slow: known.slow.contains(&shape), many: known.many.contains(&shape) }
    }

    pub(super) fn note_slow(&self, shape: Shape, slow: bool) {
        note(&mut self.known().slow, shape, slow);
    }

    pub(super) fn note_many(&self, shape: Shape, many: bool) {
        note(&mut self.known().many, shape, many);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn note(shapes: &mut HashSet<Shape>, shape: Shape, is_so: bool) {
    if !is_so {
        shapes.remove(&shape);
        return;
    }
    if shapes.len() >= MOST_SHAPES {
        shapes.clear();
    }
    shapes.insert(shape);
}
