//! XML as elements within elements, read in one pass over a text, with the place of what is wrong.
//!
//! [`quick_xml`] checks less than XML asks for. What it lets through is checked here: that the document
//! has one root and ends with it, that references to entities can be resolved, that names and
//! attributes are whole. The nesting is bounded. Entities that a document declares are not expanded,
//! so that a small document can't become a large one.

use std::fmt;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::diagnostic::Position;
use crate::ingest::json::CutTotals;

/// Metadata nests to a depth of about ten.
const MOST_DEPTH: usize = 64;

/// Why a document can't be read any further.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) position: Position,
}

/// A document and how far it was read.
pub(super) struct Xml<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    /// Elements that are open.
    depth: usize,
    /// The byte at which the last event begins.
    event_start: usize,
    has_root: bool,
    counted: (usize, Position),
    cut: CutTotals,
}

/// The start of an element. One call must follow that reads the element to its end: [`Xml::text`],
/// [`Xml::skip`] or [`Xml::cut_values`], or [`Xml::child`] until there is none.
pub(super) struct Element<'t>(BytesStart<'t>);

impl Element<'_> {
    /// The name without its namespace's prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

impl<'t> Xml<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self {
            text,
            reader,
            depth: 0,
            event_start: 0,
            has_root: false,
            counted: (0, Position { line: 1, column: 1 }),
            cut: CutTotals::default(),
        }
    }

    /// What [`Xml::cut_values`] went over.
    pub(super) const fn cut(&self) -> CutTotals {
        self.cut
    }

    /// The next element within the current one; `None` at its end.
    pub(super) fn child(&mut self) -> Result<Option<Element<'t>>, Fault> {
        loop {
            match self.event()? {
                Event::Start(start) => return Ok(Some(Element(start))),
                Event::End(_) | Event::Eof => return Ok(None),
                _ => {}
            }
        }
    }

    /// The text of the current element, without the white space around it.
    pub(super) fn text(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        loop {
            match self.event()? {
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => text.extend(character(&reference)),
                Event::Start(_) => return Err(self.fault("there is an element where a text belongs")),
                Event::End(_) | Event::Eof => {
                    let trimmed = text.trim();
                    return Ok(if trimmed.len() == text.len() { text } else { trimmed.to_owned() });
                }
                _ => {}
            }
        }
    }

    /// Goes over the rest of the current element.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        self.count(&[]).map(|_| ())
    }

    /// Goes over the rest of an element that holds a picklist, keeping nothing but how many bytes it
    /// has, and how many values: the elements at that path below it.
    pub(super) fn cut_values(&mut self, path: &[&str]) -> Result<(), Fault> {
        let content_start = self.offset();
        self.cut.picklist_values += self.count(path)?;
        self.cut.picklist_bytes += self.event_start.saturating_sub(content_start) as u64;
        Ok(())
    }

    /// Goes over the rest of the current element, counting the elements at that path below it.
    fn count(&mut self, path: &[&str]) -> Result<u64, Fault> {
        let (outside, here) = (self.depth.saturating_sub(1), self.depth);
        let mut count = 0;
        // How many elements of the path are open.
        let mut matched = 0;
        loop {
            match self.event()? {
                Event::Start(start) => {
                    let follows = here + matched + 1 == self.depth;
                    if follows && path.get(matched) == Some(&start.local_name().into_inner()) {
                        matched += 1;
                        count += u64::from(matched == path.len());
                    }
                }
                Event::End(_) if self.depth == outside => return Ok(count),
                Event::End(_) => matched = matched.min(self.depth.saturating_sub(here)),
                Event::Eof => return Ok(count),
                _ => {}
            }
        }
    }

    /// Makes sure that nothing but comments follows the root.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        while self.event()? != Event::Eof {}
        Ok(())
    }

    /// A fault about what was read last.
    pub(super) fn fault(&self, message: impl fmt::Display) -> Fault {
        self.fault_at(self.event_start, message)
    }

    /// Where the last event begins. Counts on from the last call: in a document of many elements,
    /// counting from its start each time would add up.
    pub(super) fn position(&mut self) -> Position {
        let (from, position) = self.counted;
        let passed = self.text.get(from..self.event_start).unwrap_or_default();
        let within = Position::in_text(passed, passed.len());
        let column = if within.line == 1 { position.column + within.column - 1 } else { within.column };
        let position = Position { line: position.line + within.line - 1, column };
        self.counted = (from + passed.len(), position);
        position
    }

    fn event(&mut self) -> Result<Event<'t>, Fault> {
        self.event_start = self.offset();
        let event = match self.reader.read_event() {
            Ok(event) => event,
            Err(problem) => {
                let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
                return Err(self.fault_at(at, problem));
            }
        };
        self.check(&event)?;
        match event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(event)
    }

    fn check(&mut self, event: &Event<'t>) -> Result<(), Fault> {
        let outside = self.depth == 0;
        match event {
            Event::Start(_) if outside && self.has_root => Err(self.fault("there is a second root element")),
            Event::Start(_) if self.depth == MOST_DEPTH => {
                Err(self.fault(format_args!("the elements nest deeper than {MOST_DEPTH} levels")))
            }
            Event::Start(start) => {
                self.has_root = true;
                self.check_tag(start)
            }
            Event::GeneralRef(reference) if character(reference).is_none() => {
                Err(self.fault(format_args!("the entity '&{};' is not known", &**reference)))
            }
            Event::Text(text) if outside && !text.trim().is_empty() => {
                Err(self.fault("there is text outside the root element"))
            }
            Event::CData(_) | Event::GeneralRef(_) if outside => {
                Err(self.fault("there is text outside the root element"))
            }
            Event::Eof if !outside => Err(self.fault("the file ends inside an element")),
            _ => Ok(()),
        }
    }

    fn check_tag(&self, start: &BytesStart<'t>) -> Result<(), Fault> {
        let name = start.name().into_inner();
        if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            return Err(self.fault(format_args!("'{name}' is not the name of an element")));
        }
        match start.attributes().find_map(Result::err) {
            Some(problem) => Err(self.fault(format_args!("<{name}> has a broken attribute: {problem}"))),
            None => Ok(()),
        }
    }

    /// The byte after the last event.
    fn offset(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn fault_at(&self, byte: usize, message: impl fmt::Display) -> Fault {
        Fault { message: message.to_string(), position: Position::in_text(self.text, byte) }
    }
}

/// The character that a reference stands for: one by number, or one of XML's own five.
fn character(reference: &BytesRef<'_>) -> Option<char> {
    match reference.resolve_char_ref() {
        Ok(None) => resolve_xml_entity(reference)?.chars().next(),
        numbered => numbered.ok().flatten(),
    }
}

/// The name of a document's root element without its prefix, from the document's first bytes. Comments
/// and processing instructions may stand anywhere before it, even where strict parsers refuse them.
pub(crate) fn root_element(head: &[u8]) -> Option<String> {
    let mut rest = head;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest {
            [b'<', b'?', rest @ ..] => after(rest, b"?>")?,
            [b'<', b'!', b'-', b'-', rest @ ..] => after(rest, b"-->")?,
            [b'<', b'!', rest @ ..] => after_declaration(rest)?,
            [b'<', rest @ ..] => return name(rest),
            _ => return None,
        };
    }
}

fn after<'h>(bytes: &'h [u8], end: &[u8]) -> Option<&'h [u8]> {
    let at = bytes.windows(end.len()).position(|window| window == end)?;
    bytes.get(at + end.len()..)
}

/// What follows a document type. Within brackets it may hold further declarations, and comments and
/// quoted texts with any character in them.
fn after_declaration(bytes: &[u8]) -> Option<&[u8]> {
    let (mut rest, mut open) = (bytes, 1_usize);
    while open > 0 {
        rest = match rest {
            [b'<', b'!', b'-', b'-', rest @ ..] => after(rest, b"-->")?,
            [quote @ (b'"' | b'\''), rest @ ..] => after(rest, &[*quote])?,
            [byte, rest @ ..] => {
                match byte {
                    b'<' => open += 1,
                    b'>' => open -= 1,
                    _ => {}
                }
                rest
            }
            [] => return None,
        };
    }
    Some(rest)
}

fn name(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
    let name = std::str::from_utf8(bytes.get(..end.unwrap_or(bytes.len()))?).ok()?;
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    local.starts_with(|first: char| first.is_alphabetic() || first == '_').then(|| local.to_owned())
}
