//! What a tool call comes to: JSON for a model, and for the host whether it failed.

use std::fmt;

use crate::json::{Members, clip};

/// No answer is longer, in bytes.
pub const MOST_ANSWER_BYTES: usize = 24_000;
/// So many problems are listed; all are counted.
pub(crate) const MOST_PROBLEMS: usize = 20;
/// So many characters of what a model wrote are repeated to it.
pub(crate) const MOST_ECHO: usize = 64;

/// The answer to one tool call: a JSON object, at most [`MOST_ANSWER_BYTES`] long.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    json: String,
    failed: bool,
    cause: Option<String>,
}

impl Answer {
    /// An answer that was found.
    pub(crate) const fn found(json: String) -> Self {
        Self { json, failed: false, cause: None }
    }

    /// An answer whose object has the member `error`.
    pub(crate) const fn failed(json: String) -> Self {
        Self { json, failed: true, cause: None }
    }

    /// A failure that has nothing to list.
    pub(crate) fn error(error: &str) -> Self {
        let mut json = String::new();
        let mut members = Members::open(&mut json);
        members.text("error", error);
        members.close();
        Self::failed(json)
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.json
    }

    /// The JSON text as bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.json.into_bytes()
    }

    /// Why records could not be read, in the source's own words: for the host's log, and never for a model.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The same failure with what the host may know of it.
    pub(crate) fn because(self, cause: String) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// Whether the call failed: exactly where the object has a member `error`.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        self.failed
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json)
    }
}

impl From<Answer> for String {
    fn from(answer: Answer) -> Self {
        answer.json
    }
}

/// One thing that is wrong with a call, for a reader who mends it at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Where in the arguments: `objects[2]`.
    pub(crate) at: String,
    /// What is wrong.
    pub(crate) what: String,
    /// What was probably meant.
    pub(crate) nearest: Vec<String>,
    /// What to do now.
    pub(crate) next: String,
}

/// Everything that is wrong with a call: counted, and the first of it listed.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    listed: Vec<Problem>,
    count: usize,
}

impl Problems {
    /// Adds one; what it says is made up only where it is listed.
    pub(crate) fn add(&mut self, problem: impl FnOnce() -> Problem) {
        if self.listed.len() < MOST_PROBLEMS {
            self.listed.push(problem());
        }
        self.count += 1;
    }

    pub(crate) fn push(&mut self, problem: Problem) {
        self.add(|| problem);
    }

    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        let mut all = Self::default();
        for problem in problems {
            all.push(problem);
        }
        all
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self { listed: vec![problem], count: 1 }
    }
}

/// Everything that is wrong with a call. `undone` says what was not done because of it.
pub(crate) fn refusal(problems: &Problems, undone: &str) -> Answer {
    let count = problems.count;
    let plural = if count == 1 { "" } else { "s" };
    let listed =
        if count > MOST_PROBLEMS { format!(" The first {MOST_PROBLEMS} are listed.") } else { String::new() };
    let mut json = String::new();
    let mut members = Members::open(&mut json);
    members.text("error", &format!("{count} problem{plural}; {undone}.{listed}"));
    members.objects("problems", &problems.listed, |members, problem| {
        members.text("at", &clip(&problem.at, MOST_ECHO));
        members.text("problem", &problem.what);
        if !problem.nearest.is_empty() {
            members.texts("nearest", &problem.nearest);
        }
        members.text("next", &problem.next);
    });
    members.close();
    Answer::failed(json)
}
