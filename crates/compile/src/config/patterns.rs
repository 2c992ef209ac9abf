//! Names to block: exact ones and globs.

use std::collections::HashMap;

use globset::{Glob, GlobSet, GlobSetBuilder};

use super::Located;
use crate::diagnostic::Diagnostic;

/// The names and patterns of one section of the blocklist.
#[derive(Debug, Default)]
pub struct Patterns {
    rules: Vec<Rule>,
    exact: HashMap<String, usize>,
    globs: GlobSet,
    /// The rule of each glob in the set.
    of_glob: Vec<usize>,
    matched: Vec<usize>,
}

/// One entry of the blocklist, and what it did.
#[derive(Debug)]
pub struct Rule {
    /// As it is written.
    pub written: Located,
    /// Where it stands, such as `fields.patterns`.
    pub section: String,
    /// How many names it matched, whether or not another rule did too.
    pub matched: u64,
    /// How many it was the first to drop.
    pub dropped: u64,
}

impl Patterns {
    /// Compiles a section. A pattern that can't be compiled is reported and left out.
    pub(super) fn new(
        kind: &str,
        exact: Vec<Located>,
        globs: Vec<Located>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut patterns = Self::default();
        for name in exact {
            if patterns.is_new(&name, &format!("{kind}.exact"), diagnostics) {
                patterns.exact.insert(name.text.clone(), patterns.rules.len());
                patterns.push(name, format!("{kind}.exact"));
            }
        }
        let mut set = GlobSetBuilder::new();
        for pattern in globs {
            if !patterns.is_new(&pattern, &format!("{kind}.patterns"), diagnostics) {
                continue;
            }
            if let Some(class) = class_of_letters(&pattern.text) {
                let fault =
                    format!("bad pattern '{}': [{class}] may name ASCII characters only", pattern.text);
                let help = "write the alternatives out: {é,è} instead of [éè]";
                diagnostics.push(Diagnostic::error(fault).at(pattern.place).help(help));
                continue;
            }
            match Glob::new(&pattern.text) {
                Ok(glob) => {
                    set.add(glob);
                    patterns.of_glob.push(patterns.rules.len());
                    patterns.push(pattern, format!("{kind}.patterns"));
                }
                Err(problem) => diagnostics.push(
                    Diagnostic::error(format!("bad pattern '{}': {}", pattern.text, problem.kind()))
                        .at(pattern.place)
                        .help(
                            "use * for any characters, ? for one of ASCII, [ab] for a choice, {a,b} for alternatives",
                        ),
                ),
            }
        }
        match set.build() {
            Ok(set) => patterns.globs = set,
            Err(problem) => {
                diagnostics.push(Diagnostic::error(format!("the {kind} patterns can't be used: {problem}")));
            }
        }
        patterns
    }

    /// Whether an entry is no repetition of an earlier one, which is warned of.
    fn is_new(&self, written: &Located, section: &str, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let repeated =
            self.rules.iter().any(|rule| rule.section == section && rule.written.text == written.text);
        if repeated {
            let warning = Diagnostic::warning(format!("'{}' is listed twice", written.text));
            diagnostics.push(warning.at(written.place.clone()).help("remove one of the two"));
        }
        !repeated
    }

    fn push(&mut self, written: Located, section: String) {
        self.rules.push(Rule { written, section, matched: 0, dropped: 0 });
    }

    /// The first rule that matches a name. Every rule that does is counted.
    pub fn block(&mut self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name).copied();
        self.matched.clear();
        self.globs.matches_into(name, &mut self.matched);
        let globs = self.matched.iter().filter_map(|at| self.of_glob.get(*at).copied());
        let mut first = exact;
        for at in exact.into_iter().chain(globs) {
            first = first.or(Some(at));
            if let Some(rule) = self.rules.get_mut(at) {
                rule.matched += 1;
            }
        }
        first
    }

    /// Whether any rule matches a name. Nothing is counted.
    #[must_use]
    pub fn blocks(&self, name: &str) -> bool {
        self.exact.contains_key(name) || self.globs.is_match(name)
    }

    /// Counts a name as dropped by that rule.
    pub fn dropped(&mut self, rule: usize) {
        if let Some(rule) = self.rules.get_mut(rule) {
            rule.dropped += 1;
        }
    }

    /// The rules, as written.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// A class of a pattern with letters beyond ASCII. Globs match bytes, so it would silently match nothing.
fn class_of_letters(pattern: &str) -> Option<&str> {
    let classes = pattern.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    classes.into_iter().find(|class| !class.is_ascii())
}
