//! Takes a JSON document apart into the objects it holds, in one pass through one reused buffer.
//!
//! A document is read as an *envelope* around *items*: the values at one path, each an object.
//! Of an item everything is kept but what stands under the keys to cut, which is replaced by
//! nothing at all and counted: picklists are most of an extract's bytes and are never even copied.
//! The envelope is kept with `{}` in the place of items, so that at the end an ordinary parser
//! can vouch for the whole document.

use std::io::Read;

use super::scan::{BLOCK, Masks, Scanner};
use crate::diagnostic::Position;

/// Read at a time. Small enough to stay in the cache between the kernel's copy and the scan.
const BUFFER: usize = 128 * 1024;
/// What one item may hold besides what is cut. Wide objects of real orgs keep below one MiB.
const MOST_ITEM_BYTES: usize = 32 << 20;
/// What may stand around the items.
const MOST_ENVELOPE_BYTES: usize = 8 << 20;
/// Deeper nesting than any extract has, and less than the typed parser gives up at.
const MOST_DEPTH: u32 = 100;

/// One step of the path to the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value under that key of an object.
    Key(&'static str),
    /// Every element of an array.
    Each,
}

/// A key whose array or object is not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) key: &'static str,
    /// Whether it holds picklist values, which are counted.
    pub(crate) picklist: bool,
}

/// Why a document can't be taken apart any further.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) position: Option<Position>,
}

/// What was cut from the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CutTotals {
    pub(crate) picklist_values: u64,
    pub(crate) picklist_bytes: u64,
}

/// Bytes that were kept, and where in the document they stood.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    bytes: Vec<u8>,
    /// In ascending order: from this byte on, the document goes on at this position.
    anchors: Vec<(usize, Position)>,
}

impl Kept {
    fn clear(&mut self) {
        self.bytes.clear();
        self.anchors.clear();
    }

    fn anchor(&mut self, position: Position) {
        self.anchors.push((self.bytes.len(), position));
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the kept bytes begin.
    pub(crate) fn start(&self) -> Option<Position> {
        self.anchors.first().map(|(_, position)| *position)
    }

    /// Where in the document a line and column of the kept bytes stood; both from 1, as serde counts.
    pub(crate) fn position_of(&self, line: usize, column: usize) -> Option<Position> {
        let mut lines = self.bytes.split_inclusive(|byte| *byte == b'\n');
        let line_start: usize = lines.by_ref().take(line.saturating_sub(1)).map(<[u8]>::len).sum();
        self.position(line_start + column.saturating_sub(1))
    }

    /// Where in the document a kept byte stood.
    pub(crate) fn position(&self, offset: usize) -> Option<Position> {
        let at = self.anchors.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        let (start, from) = *self.anchors.get(at)?;
        let between = self.bytes.get(start..offset.min(self.bytes.len()))?;
        let lines = between.split(|byte| *byte == b'\n').count() - 1;
        let column = match between.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => narrow((between.len() - last) as u64),
            None => from.column + narrow(between.len() as u64),
        };
        Some(Position { line: from.line + narrow(lines as u64), column })
    }
}

#[derive(Clone, Copy, Debug)]
enum State {
    Envelope,
    /// Inside the item that opened at this depth.
    Item {
        depth: u32,
    },
    /// Inside something to cut.
    Cut(CutState),
}

#[derive(Clone, Copy, Debug)]
struct CutState {
    /// The depth at which the item opened.
    item: u32,
    /// The depth at which what is cut opened.
    depth: u32,
    picklist: bool,
    /// What has been accounted for, as an index into the buffer.
    from: usize,
    bytes: u64,
    /// Elements that are objects or arrays.
    nested: u64,
    /// Commas and anything but white space, as long as `nested` is 0: elements may be plain strings.
    commas: u64,
    blank: bool,
}

impl CutState {
    const fn new(cut: Cut, item: u32, depth: u32, from: usize) -> Self {
        Self { item, depth, picklist: cut.picklist, from, bytes: 0, nested: 0, commas: 0, blank: true }
    }
}

/// See the module.
pub(crate) struct Splitter<'r> {
    reader: &'r mut dyn Read,
    steps: &'static [Step],
    cuts: &'static [Cut],
    buffer: Vec<u8>,
    /// How much of the buffer is document; the rest of the last block is blank.
    filled: usize,
    /// The document's offset of the buffer's first byte.
    base: u64,
    at_end: bool,
    scanner: Scanner,
    /// The current block: its start in the buffer, its masks, and the brackets not yet taken.
    block: usize,
    masks: Masks,
    brackets: u64,
    /// Lines before the current block, and where in the document the current line starts.
    lines: u64,
    line_start: u64,
    depth: u32,
    /// How many of the open brackets lie on the path to the items.
    on_path: u32,
    state: State,
    /// From here on the buffer has not been kept yet.
    kept_from: usize,
    item: Kept,
    envelope: Kept,
    /// Where the envelope goes on behind the last item; 0 before the first.
    last_item_end: usize,
    totals: CutTotals,
}

impl<'r> Splitter<'r> {
    pub(crate) fn new(reader: &'r mut dyn Read, steps: &'static [Step], cuts: &'static [Cut]) -> Self {
        Self {
            reader,
            steps,
            cuts,
            buffer: vec![0; BUFFER],
            filled: 0,
            base: 0,
            at_end: false,
            scanner: Scanner::default(),
            block: 0,
            masks: Masks::default(),
            brackets: 0,
            lines: 0,
            line_start: 0,
            depth: 0,
            on_path: 0,
            state: State::Envelope,
            kept_from: 0,
            item: Kept::default(),
            envelope: Kept { anchors: vec![(0, Position { line: 1, column: 1 })], ..Kept::default() },
            last_item_end: 0,
            totals: CutTotals::default(),
        }
    }

    /// The next item; `None` after the last. After a fault there is no next.
    pub(crate) fn next_item(&mut self) -> Result<Option<&Kept>, Fault> {
        self.item.clear();
        if self.filled == 0 {
            self.fill()?;
        }
        loop {
            while self.brackets != 0 {
                let bit = self.brackets.trailing_zeros();
                self.brackets &= self.brackets - 1;
                let at = self.block + bit as usize;
                if self.masks.open >> bit & 1 == 1 {
                    self.opening(at)?;
                } else if self.closing(at)? {
                    return Ok(Some(&self.item));
                }
            }
            if !self.next_block()? {
                return self.end().map(|()| None);
            }
        }
    }

    /// The document without its items; whole once `next_item` has said `None`.
    pub(crate) const fn envelope(&self) -> &Kept {
        &self.envelope
    }

    pub(crate) const fn totals(&self) -> CutTotals {
        self.totals
    }

    fn opening(&mut self, at: usize) -> Result<(), Fault> {
        if let State::Cut(cut) = &mut self.state {
            if self.depth == cut.depth + 1 {
                cut.nested += 1;
            }
            self.depth += 1;
            return Ok(());
        }
        if self.depth >= MOST_DEPTH {
            return Err(self.fault(at, format!("brackets are nested deeper than {MOST_DEPTH} levels")));
        }
        self.keep(at + 1)?;
        if let State::Item { depth } = self.state {
            if let Some(cut) = key_before(&self.item.bytes).and_then(|key| self.cut_for(key)) {
                self.state = State::Cut(CutState::new(cut, depth, self.depth, at + 1));
            }
        } else if self.item_opens() {
            self.envelope.bytes.pop();
            self.item.anchor(self.position(at));
            self.item.bytes.push(b'{');
            self.state = State::Item { depth: self.depth };
        }
        self.depth += 1;
        Ok(())
    }

    /// Returns whether an item ended.
    fn closing(&mut self, at: usize) -> Result<bool, Fault> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.fault(at, "a bracket closes that was never opened".to_owned()));
        };
        self.depth = depth;
        self.on_path = self.on_path.min(depth);
        match self.state {
            State::Cut(cut) if cut.depth == depth => {
                self.end_cut(at);
                Ok(false)
            }
            State::Item { depth: opened } if opened == depth => {
                self.keep(at + 1)?;
                self.state = State::Envelope;
                self.stand_in_for_item(self.position(at + 1));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether the bracket that was just kept opens an item, or else a step on the way to the items.
    fn item_opens(&mut self) -> bool {
        if self.on_path != self.depth {
            return false;
        }
        let matches = match self.depth.checked_sub(1) {
            None => true,
            Some(before) => match self.steps.get(before as usize) {
                Some(Step::Key(key)) => {
                    key_before(&self.envelope.bytes).is_some_and(|found| found == key.as_bytes())
                }
                Some(Step::Each) => {
                    let before = self.envelope.bytes.iter().rev().skip(1);
                    let mut before = before.filter(|byte| !byte.is_ascii_whitespace());
                    matches!(before.next(), Some(b'[' | b','))
                }
                None => false,
            },
        };
        let last_step = self.depth as usize == self.steps.len();
        if matches && !last_step {
            self.on_path += 1;
        }
        matches && last_step && self.envelope.bytes.last() == Some(&b'{')
    }

    /// Puts `{}` into the envelope where an item was. One that follows another after just a comma needs
    /// none of its own: a list of one is as well-formed as a list of many, and takes less room.
    fn stand_in_for_item(&mut self, after: Position) {
        let between = self.envelope.bytes.get(self.last_item_end..).unwrap_or_default();
        if self.last_item_end > 0 && between.trim_ascii() == b"," {
            self.envelope.bytes.truncate(self.last_item_end);
            self.envelope.anchors.pop();
        } else {
            self.envelope.bytes.extend_from_slice(b"{}");
        }
        self.last_item_end = self.envelope.bytes.len();
        self.envelope.anchor(after);
    }

    fn cut_for(&self, key: &[u8]) -> Option<Cut> {
        self.cuts.iter().copied().find(|cut| cut.key.as_bytes() == key)
    }

    fn end_cut(&mut self, at: usize) {
        self.account_cut(at);
        let State::Cut(cut) = self.state else { return };
        if cut.picklist {
            self.totals.picklist_bytes += cut.bytes;
            self.totals.picklist_values += match (cut.nested, cut.blank) {
                (0, true) => 0,
                (0, false) => cut.commas + 1,
                (nested, _) => nested,
            };
        }
        self.item.anchor(self.position(at));
        self.kept_from = at;
        self.state = State::Item { depth: cut.item };
    }

    /// Counts what is being cut up to here. Called at least once a block.
    fn account_cut(&mut self, to: usize) {
        let State::Cut(cut) = &mut self.state else { return };
        cut.bytes += to.saturating_sub(cut.from) as u64;
        if cut.nested == 0 {
            let from = cut.from.max(self.block);
            let between = lowest(to - self.block) & !lowest(from - self.block);
            cut.commas += u64::from((self.masks.commas & between).count_ones());
            cut.blank = cut.blank
                && self
                    .buffer
                    .get(cut.from..to)
                    .is_none_or(|bytes| bytes.iter().all(u8::is_ascii_whitespace));
        }
        cut.from = to;
    }

    /// Keeps what lies between the last kept byte and `to`.
    fn keep(&mut self, to: usize) -> Result<(), Fault> {
        let bytes = self.buffer.get(self.kept_from..to).unwrap_or_default();
        let (kept, most, what) = match self.state {
            State::Envelope => (&mut self.envelope, MOST_ENVELOPE_BYTES, "the part around its objects"),
            State::Item { .. } => (&mut self.item, MOST_ITEM_BYTES, "one object"),
            State::Cut(_) => return Ok(()),
        };
        kept.bytes.extend_from_slice(bytes);
        let too_long = kept.bytes.len() > most;
        self.kept_from = to;
        if too_long {
            return Err(self.fault(to, format!("{what} is longer than {} MiB", most >> 20)));
        }
        Ok(())
    }

    /// Goes on to the next block; false at the end of the document.
    fn next_block(&mut self) -> Result<bool, Fault> {
        let end = self.block + BLOCK;
        self.account_cut(end.min(self.filled));
        let line_feeds = self.masks.line_feeds;
        if line_feeds != 0 {
            self.lines += u64::from(line_feeds.count_ones());
            self.line_start = self.base + end as u64 - u64::from(line_feeds.leading_zeros());
        }
        if end < self.filled {
            self.load(end);
            return Ok(true);
        }
        self.keep(self.filled)?;
        self.fill()
    }

    fn fill(&mut self) -> Result<bool, Fault> {
        self.base += self.filled as u64;
        self.filled = 0;
        self.kept_from = 0;
        if let State::Cut(cut) = &mut self.state {
            cut.from = 0;
        }
        self.masks = Masks::default();
        while !self.at_end && self.filled < BUFFER {
            let free = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => self.at_end = true,
                Ok(read) => self.filled += read,
                Err(problem) if problem.kind() == std::io::ErrorKind::Interrupted => {}
                Err(problem) => return Err(self.fault(0, problem.to_string())),
            }
        }
        if self.filled == 0 {
            return Ok(false);
        }
        let end = self.filled.next_multiple_of(BLOCK);
        if let Some(rest) = self.buffer.get_mut(self.filled..end) {
            rest.fill(b' ');
        }
        self.load(0);
        Ok(true)
    }

    fn load(&mut self, start: usize) {
        self.block = start;
        let block = self.buffer.get(start..).and_then(|rest| rest.first_chunk());
        self.masks = block.map_or_else(Masks::default, |block| self.scanner.scan(block));
        self.brackets = self.masks.open | self.masks.close;
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.depth == 0 && !self.scanner.inside_string() {
            return Ok(());
        }
        let open = match self.depth {
            1 => "one bracket".to_owned(),
            open => format!("{open} brackets"),
        };
        let inside = if self.scanner.inside_string() { "inside a string, " } else { "" };
        Err(self.fault(0, format!("the file is cut off: it ends {inside}with {open} open")))
    }

    fn position(&self, at: usize) -> Position {
        let line_feeds = self.masks.line_feeds & lowest(at.saturating_sub(self.block));
        let line_start = match line_feeds {
            0 => self.line_start,
            some => self.base + (self.block + BLOCK) as u64 - u64::from(some.leading_zeros()),
        };
        Position {
            line: narrow(self.lines + u64::from(line_feeds.count_ones()) + 1),
            column: narrow(self.base + at as u64 - line_start + 1),
        }
    }

    fn fault(&self, at: usize, message: String) -> Fault {
        Fault { message, position: Some(self.position(at)) }
    }
}

/// The key right before the bracket that ends these bytes, quotes left out.
fn key_before(bytes: &[u8]) -> Option<&[u8]> {
    let before = bytes.split_last()?.1.trim_ascii_end();
    let before = before.strip_suffix(b":")?.trim_ascii_end();
    let key = before.strip_suffix(b"\"")?;
    let start = key.iter().rposition(|byte| *byte == b'"')?;
    key.get(start + 1..)
}

/// A mask of that many lowest bits.
const fn lowest(bits: usize) -> u64 {
    if bits >= BLOCK { u64::MAX } else { (1 << bits) - 1 }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
