//! Reading TOML value by value, every fault with its place.

use std::ops::Range;

use portolan_schema::nearest::nearest;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{Located, TextFile};
use crate::diagnostic::{Diagnostic, alternatives};

pub(super) struct Reader<'d> {
    pub(super) file: &'d TextFile,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
}

type Entry<'t, 'i> = (&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>);

impl Reader<'_> {
    pub(super) fn error(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(message).at(self.file.place(span)));
        let last = self.diagnostics.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "it was pushed right above")]
        &mut self.diagnostics[last]
    }

    pub(super) fn located(&self, text: &Spanned<DeString<'_>>) -> Located {
        Located { text: text.get_ref().clone().into_owned(), place: self.file.place(text.span()) }
    }

    /// The entries under known keys; the others are errors.
    pub(super) fn entries<'t, 'i>(
        &mut self,
        table: &'t DeTable<'i>,
        known: &[&'static str],
        what: &str,
    ) -> Vec<Entry<'t, 'i>> {
        let (good, unknown): (Vec<_>, Vec<_>) =
            table.iter().partition(|(key, _)| known.contains(&key_text(key)));
        for (key, _) in unknown {
            let meant = nearest(key_text(key), known.iter().copied(), 1);
            let help = match meant.first() {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => format!("it takes {}", alternatives(known)),
            };
            self.error(key.span(), format!("{what} has no key '{}'", key_text(key))).help = Some(help);
        }
        good
    }

    /// The entries of a table whose keys are names of the user's.
    pub(super) fn table<'t, 'i>(&mut self, value: &'t Spanned<DeValue<'i>>) -> Vec<Entry<'t, 'i>> {
        if let Some(table) = value.get_ref().as_table() {
            return table.iter().collect();
        }
        self.wrong_type(value, "a table");
        Vec::new()
    }

    pub(super) fn table_of<'i>(&mut self, value: &Spanned<DeValue<'i>>) -> DeTable<'i> {
        if let Some(table) = value.get_ref().as_table() {
            return table.clone();
        }
        self.wrong_type(value, "a table");
        DeTable::new()
    }

    pub(super) fn list<'t, 'i>(&mut self, value: &'t Spanned<DeValue<'i>>) -> Vec<&'t Spanned<DeValue<'i>>> {
        if let Some(list) = value.get_ref().as_array() {
            return list.iter().collect();
        }
        self.wrong_type(value, "a list");
        Vec::new()
    }

    pub(super) fn strings(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Located> {
        let elements = self.list(value);
        elements.into_iter().filter_map(|element| self.string(element)).collect()
    }

    pub(super) fn string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Located> {
        match value.get_ref().as_str() {
            Some("") => {
                self.error(value.span(), "an empty name");
                None
            }
            Some(text) => Some(Located { text: text.to_owned(), place: self.file.place(value.span()) }),
            None => {
                self.wrong_type(value, "a string in quotes");
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, value: &Spanned<DeValue<'_>>) -> bool {
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong_type(value, "true or false");
            false
        })
    }

    /// A whole number; one that is out of all bounds counts as none, and is said.
    pub(super) fn number(&mut self, value: &Spanned<DeValue<'_>>) -> Option<u32> {
        let Some(number) = value.get_ref().as_integer() else {
            self.wrong_type(value, "a whole number");
            return None;
        };
        let read = u32::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok();
        if read.is_none() {
            self.error(value.span(), "the number is out of bounds");
        }
        read
    }

    fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.error(value.span(), format!("{wanted} belongs here, not a value of type {found}"));
    }
}

pub(super) fn key_text<'t>(key: &'t Spanned<DeString<'_>>) -> &'t str {
    key.get_ref()
}
