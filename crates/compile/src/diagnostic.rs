//! What went wrong, or may have: for a person who wants the place and the mend.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One finding about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the build can go on.
    pub severity: Severity,
    /// What is wrong, without the place.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
    /// What to do about it.
    pub help: Option<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// Worth a look.
    Warning,
}

/// A place in an input file. Lines and columns count from 1; columns count characters in configuration
/// files and bytes of the decoded text in extracts, whose lines can be megabytes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named, a member of an archive after a colon.
    pub file: Arc<str>,
    /// Line and column, where they are known.
    pub position: Option<Position>,
    /// The text around the place, where it is short enough to show: a configuration file.
    pub excerpt: Option<Excerpt>,
}

/// A line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// A configuration file's text with the part that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The whole file.
    pub text: Arc<str>,
    /// The part, in bytes.
    pub span: Range<usize>,
}

impl Diagnostic {
    /// A fault: the build fails with it.
    pub fn error(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), place: None, help: None }
    }

    /// A finding that a person should look at.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: impl Into<Place>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether the build fails with it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), position: None, excerpt: None }
    }

    /// The same file at that position.
    #[must_use]
    pub fn position(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }
}

impl From<&Self> for Place {
    fn from(place: &Self) -> Self {
        place.clone()
    }
}

impl Position {
    /// The position of a byte in a text.
    #[must_use]
    pub fn in_text(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        Self {
            line: count(before.bytes().filter(|byte| *byte == b'\n').count()),
            column: count(before.get(line_start..).unwrap_or_default().chars().count()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.position {
            Some(Position { line, column }) => write!(f, ":{line}:{column}"),
            None => Ok(()),
        }
    }
}

/// A text as a terminal may show it. Names come from extracts that strangers wrote: what would move the
/// cursor, colour the screen or turn the direction of writing is shown as a replacement character.
#[must_use]
pub fn visible(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    text.chars().map(|c| if hidden(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// `'a', 'b' or 'c'`: how nearest names are written in every message.
#[must_use]
pub fn alternatives<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
