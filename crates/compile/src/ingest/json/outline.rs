//! What a JSON document looks like at its start: which keys its first levels have. This is what
//! `auto` decides a format by.

use serde_json::Value;

/// The paths that occur in the first bytes of a document, such as `result.fields[].name`, with the
/// values of short strings. Of an array only the first element is looked at.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    paths: Vec<(String, Option<String>)>,
    complete: bool,
}

/// Levels looked at: `compositeResponse[].body.fields[].name` has five.
const DEPTH: usize = 6;
/// Paths looked at: a record with a thousand keys must not cost more than a schema does.
const MOST: usize = 400;

impl Outline {
    /// Reads as far as the bytes go; what is cut off or malformed ends the outline.
    pub(crate) fn of(head: &[u8]) -> Self {
        let mut reader = Reader { rest: head, outline: Self::default() };
        reader.outline.complete = reader.value("", 0).is_some() && reader.peek().is_none();
        reader.outline
    }

    /// Whether these bytes are one whole document.
    pub(crate) const fn is_complete(&self) -> bool {
        self.complete
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.iter().any(|(found, _)| found == path)
    }

    pub(crate) fn has_any(&self, prefix: &str, keys: &[&str]) -> bool {
        keys.iter().any(|key| {
            self.paths.iter().any(|(found, _)| found.strip_prefix(prefix).is_some_and(|rest| rest == *key))
        })
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.paths.iter().find(|(found, _)| found == path).and_then(|(_, text)| text.as_deref())
    }

    /// The keys of the root, for a message.
    pub(crate) fn root_keys(&self) -> Vec<&str> {
        let keys = self.paths.iter().map(|(path, _)| path.as_str());
        keys.filter(|path| !path.is_empty() && !path.contains(['.', '['])).collect()
    }
}

struct Reader<'h> {
    rest: &'h [u8],
    outline: Outline,
}

impl Reader<'_> {
    /// Reads one value; `None` where the bytes end first.
    fn value(&mut self, path: &str, depth: usize) -> Option<()> {
        if depth > DEPTH || self.outline.paths.len() >= MOST {
            return self.skip();
        }
        let noted = self.outline.paths.len();
        self.outline.paths.push((path.to_owned(), None));
        match self.peek()? {
            b'{' => self.elements(|reader| {
                let key = reader.string()?;
                if reader.peek()? != b':' {
                    return None;
                }
                reader.advance(1);
                let below = if path.is_empty() { key } else { format!("{path}.{key}") };
                reader.value(&below, depth + 1)
            }),
            b'[' => {
                let below = format!("{path}[]");
                let mut first = true;
                self.elements(|reader| {
                    if std::mem::take(&mut first) { reader.value(&below, depth + 1) } else { reader.skip() }
                })
            }
            b'"' => {
                let text = self.string()?;
                if let Some((_, noted)) = self.outline.paths.get_mut(noted) {
                    *noted = Some(text).filter(|text| text.len() <= 64);
                }
                Some(())
            }
            _ => self.skip(),
        }
    }

    /// Reads what stands between two brackets.
    fn elements(&mut self, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.advance(1);
        loop {
            match self.peek()? {
                b'}' | b']' => {
                    self.advance(1);
                    return Some(());
                }
                b',' => self.advance(1),
                _ => element(self)?,
            }
        }
    }

    /// Walks over one value, however deep, without noting anything.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'{' | b'[' => {
                    open += 1;
                    self.advance(1);
                }
                b'}' | b']' => {
                    open = open.checked_sub(1)?;
                    self.advance(1);
                }
                b',' | b':' if open > 0 => {
                    self.advance(1);
                    continue;
                }
                b'"' => drop(self.string()?),
                _ => {
                    let ends = |byte: &u8| b",:]}".contains(byte) || byte.is_ascii_whitespace();
                    let end = self.rest.iter().position(ends).filter(|end| *end > 0)?;
                    self.advance(end);
                }
            }
            if open == 0 {
                return Some(());
            }
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn string(&mut self) -> Option<String> {
        let mut escaped = false;
        let end = self.rest.iter().skip(1).position(|byte| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        })?;
        let quoted = self.rest.get(..end + 2)?;
        self.advance(end + 2);
        match serde_json::from_slice(quoted) {
            Ok(Value::String(text)) => Some(text),
            _ => None,
        }
    }
}
