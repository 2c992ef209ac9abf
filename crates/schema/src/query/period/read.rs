//! From words to periods.

use strsim::damerau_levenshtein;

use super::{Bucket, Period, PeriodProblem, Span, Unit, Which};

/// Stands for everything that is written between the ends of a range.
const RANGE: &str = "..";

const MONTHS: [[&str; 2]; 12] = [
    ["january", "jan"],
    ["february", "feb"],
    ["march", "mar"],
    ["april", "apr"],
    ["may", "may"],
    ["june", "jun"],
    ["july", "jul"],
    ["august", "aug"],
    ["september", "sep"],
    ["october", "oct"],
    ["november", "nov"],
    ["december", "dec"],
];

const COUNTS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Every other word of a period, likely ones first: what is misspelt is taken for the first that is near.
const OTHERS: [&str; 52] = [
    "today",
    "yesterday",
    "tomorrow",
    "last",
    "past",
    "next",
    "this",
    "previous",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "quarter",
    "quarters",
    "year",
    "years",
    "fiscal",
    "since",
    "before",
    "after",
    "until",
    "date",
    "ago",
    "to",
    "in",
    "on",
    "during",
    "over",
    "from",
    "through",
    "between",
    "and",
    "or",
    "later",
    "earlier",
    "current",
    "prior",
    "till",
    "by",
    "now",
    "ytd",
    "qtd",
    "mtd",
    "wtd",
    "fy",
    "q",
    "w",
    "sept",
    "onwards",
    RANGE,
];

fn vocabulary() -> impl Iterator<Item = &'static str> {
    OTHERS.into_iter().chain(MONTHS.into_iter().flatten()).chain(COUNTS)
}

pub(super) fn period(text: &str) -> Result<Period, PeriodProblem> {
    if text.contains(':') {
        return Err(PeriodProblem::Time(text.to_owned()));
    }
    let lower = text.to_lowercase();
    let words = words(&lower);
    let is_known = |word: &str| is_number(word) || vocabulary().any(|known| known == word);
    if let Some(word) = words.iter().find(|word| !is_known(word)) {
        let mended: Option<Vec<&str>> =
            words.iter().map(|&word| if is_known(word) { Some(word) } else { meant(word) }).collect();
        let period = mended.and_then(|words| Reader { text }.period(&words).ok());
        let meant = period.map(|period| period.to_string()).or_else(|| meant(word).map(str::to_owned));
        return Err(PeriodProblem::Word { text: text.to_owned(), word: (*word).to_owned(), meant });
    }
    Reader { text }.period(&words)
}

/// Letters and digits, each run a word, so that `2026-Q1`, `Q1 2026` and `2026q1` read alike.
fn words(text: &str) -> Vec<&str> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Digits,
        Letters,
        Dots,
        Nothing,
        Other,
    }
    let kind = |c: char| match c {
        '0'..='9' => Kind::Digits,
        '.' => Kind::Dots,
        ' ' | ',' | '/' => Kind::Nothing,
        c if c.is_whitespace() => Kind::Nothing,
        c if c.is_alphabetic() => Kind::Letters,
        _ => Kind::Other,
    };
    let mut words = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let of_first = kind(first);
        let length = match of_first {
            Kind::Other => first.len_utf8(),
            of_first => rest.find(|c| kind(c) != of_first).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        let next = after.chars().next().unwrap_or(' ');
        match (of_first, first) {
            (Kind::Nothing, _) => {}
            // A single one ends an abbreviation, or divides a date.
            (Kind::Dots, _) if length == 1 => {}
            (Kind::Dots, _) | (_, '…' | '–' | '—') => words.push(RANGE),
            (_, '-' | '\u{2010}' | '\u{2011}') if before.is_alphanumeric() && next.is_alphanumeric() => {}
            (_, '-') if before.is_whitespace() && next.is_whitespace() => words.push(RANGE),
            _ if word == "the" || word == "of" => {}
            _ => words.push(word),
        }
        before = word.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    words
}

/// The word that a misspelt one probably stands for.
fn meant(word: &str) -> Option<&'static str> {
    let most = if word.chars().count() < 5 { 1 } else { 2 };
    let near =
        vocabulary().filter(|known| known.len() > 2).map(|known| (damerau_levenshtein(word, known), known));
    near.filter(|(edits, _)| *edits <= most).min_by_key(|(edits, _)| *edits).map(|(_, known)| known)
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_count(word: &str) -> bool {
    is_number(word) || COUNTS.contains(&word)
}

fn is_year(word: &str) -> bool {
    is_number(word) && word.len() == 4
}

fn month(word: &str) -> Option<u8> {
    let at = MONTHS.iter().position(|names| names.contains(&word)).or((word == "sept").then_some(8))?;
    u8::try_from(at + 1).ok()
}

fn bucket(word: &str) -> Option<Bucket> {
    word.strip_suffix('s').unwrap_or(word).parse().ok()
}

fn unit(words: &[&str]) -> Option<Unit> {
    match words {
        ["week"] => Some(Unit::Week),
        ["month"] => Some(Unit::Month),
        ["quarter"] => Some(Unit::Quarter),
        ["year"] => Some(Unit::Year),
        ["fiscal", "quarter"] => Some(Unit::FiscalQuarter),
        ["fiscal", "year"] | ["fy"] => Some(Unit::FiscalYear),
        _ => None,
    }
}

/// Reads words, all of them known, of a text.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn period(&self, words: &[&str]) -> Result<Period, PeriodProblem> {
        let words = match words {
            [] => return Err(PeriodProblem::Empty),
            ["in", count, unit, ..] if is_count(count) && bucket(unit).is_some() => words,
            ["in" | "on" | "during" | "over", rest @ ..] => rest,
            _ => words,
        };
        match words {
            ["wtd"] => return Ok(Period::ToDate(Unit::Week)),
            ["mtd"] => return Ok(Period::ToDate(Unit::Month)),
            ["qtd"] => return Ok(Period::ToDate(Unit::Quarter)),
            ["ytd"] => return Ok(Period::ToDate(Unit::Year)),
            [to_date @ .., "to", "date"] => {
                if let Some(unit) = unit(to_date) {
                    return Ok(Period::ToDate(unit));
                }
            }
            _ => {}
        }
        if let Some(range) = self.range(words) {
            return range;
        }
        match words {
            ["since" | "from", span @ .., "onwards"]
            | ["since" | "from", span @ ..]
            | [span @ .., "or", "later" | "after"]
            | [span @ .., "onwards"] => self.span(span).map(Period::Since),
            ["until" | "till" | "by", span @ ..] | [span @ .., "or", "earlier" | "before"] => {
                self.span(span).map(Period::Until)
            }
            ["after", span @ ..] => self.span(span).map(Period::After),
            ["before", span @ ..] => self.span(span).map(Period::Before),
            ["last" | "past" | "previous" | "prior", count, unit @ ..] if is_count(count) => {
                self.rolling(count, unit, Period::Past)
            }
            ["past", unit @ ..] => self.rolling("one", unit, Period::Past),
            ["next", count, unit @ ..] if is_count(count) => self.rolling(count, unit, Period::Next),
            span => self.span(span).map(Period::Span),
        }
    }

    /// What has a word for a range in it.
    fn range(&self, words: &[&str]) -> Option<Result<Period, PeriodProblem>> {
        let and = words.first() == Some(&"between");
        let divides = |word: &&str| {
            matches!(*word, RANGE | "to" | "through" | "until" | "till") || and && *word == "and"
        };
        let mut ends = words.splitn(2, divides);
        let (from, to) = (ends.next()?, ends.next()?);
        Some(match (from, to) {
            ([] | ["from" | "since" | "between"], []) => Err(self.form()),
            ([], to) => self.span(to).map(Period::Until),
            (["from" | "since" | "between", from @ ..] | from, []) => self.span(from).map(Period::Since),
            (["from" | "since" | "between", from @ ..] | from, ["date"]) => self.between(from, &["today"]),
            (["from" | "since" | "between", from @ ..] | from, to) => self.between(from, to),
        })
    }

    fn between(&self, from: &[&str], to: &[&str]) -> Result<Period, PeriodProblem> {
        let (from, to) = (self.span(from)?, self.span(to)?);
        if from.is_after(to) {
            return Err(PeriodProblem::Backwards(self.text.to_owned()));
        }
        Ok(Period::Range(from, to))
    }

    fn rolling(
        &self,
        count: &str,
        unit: &[&str],
        period: fn(u32, Bucket) -> Period,
    ) -> Result<Period, PeriodProblem> {
        match unit {
            ["fiscal" | "fy", ..] => Err(PeriodProblem::FiscalCount(self.text.to_owned())),
            [unit] => {
                let unit = bucket(unit).ok_or_else(|| self.form())?;
                Ok(period(self.count(count)?, unit))
            }
            _ => Err(self.form()),
        }
    }

    fn span(&self, words: &[&str]) -> Result<Span, PeriodProblem> {
        match words {
            ["today" | "now"] => Ok(Span::DaysAway(0)),
            ["yesterday"] => Ok(Span::DaysAway(-1)),
            ["tomorrow"] => Ok(Span::DaysAway(1)),
            [count, unit, "ago"] => self.away(count, unit, -1, Period::Past),
            ["in", count, unit] => self.away(count, unit, 1, Period::Next),
            ["last" | "previous" | "prior", unit @ ..] => self.relative(Which::Last, unit),
            ["this" | "current", unit @ ..] => self.relative(Which::This, unit),
            ["next", unit @ ..] => self.relative(Which::Next, unit),
            words => self.named(words),
        }
    }

    fn away(
        &self,
        count: &str,
        unit: &str,
        direction: i64,
        instead: fn(u32, Bucket) -> Period,
    ) -> Result<Span, PeriodProblem> {
        let unit = bucket(unit).filter(|_| is_count(count)).ok_or_else(|| self.form())?;
        let count = self.count(count)?;
        match unit {
            Bucket::Day => Ok(Span::DaysAway(direction * i64::from(count))),
            unit => {
                let instead = instead(count, unit);
                Err(PeriodProblem::Ambiguous { text: self.text.to_owned(), unit, instead })
            }
        }
    }

    fn relative(&self, which: Which, words: &[&str]) -> Result<Span, PeriodProblem> {
        if let ["day"] = words {
            return Ok(Span::DaysAway(match which {
                Which::Last => -1,
                Which::This => 0,
                Which::Next => 1,
            }));
        }
        unit(words).map(|unit| Span::Relative(which, unit)).ok_or_else(|| self.form())
    }

    /// What needs no today.
    fn named(&self, words: &[&str]) -> Result<Span, PeriodProblem> {
        let is_mark = |word: &&str| matches!(*word, "fy" | "fiscal");
        let span = if words.iter().any(is_mark) {
            let rest: Vec<&str> =
                words.iter().copied().filter(|word| !is_mark(word) && *word != "year").collect();
            match rest[..] {
                [year] => Span::FiscalYear(self.year(year)?),
                [year, "q" | "quarter", quarter] | ["q" | "quarter", quarter, year] => {
                    Span::FiscalQuarter(self.year(year)?, self.small(quarter)?)
                }
                ["q" | "quarter", _] => return Err(self.no_year()),
                _ => return Err(self.form()),
            }
        } else {
            self.of_the_calendar(words)?
        };
        if span.exists() { Ok(span) } else { Err(PeriodProblem::NoSuch(span)) }
    }

    fn of_the_calendar(&self, words: &[&str]) -> Result<Span, PeriodProblem> {
        Ok(match *words {
            ["q" | "quarter" | "w" | "week", _] => return Err(self.no_year()),
            [name] if month(name).is_some() => return Err(self.no_year()),
            [year] => Span::Year(self.year(year)?),
            [year, "q" | "quarter", quarter] | ["q" | "quarter", quarter, year] => {
                Span::Quarter(self.year(year)?, self.small(quarter)?)
            }
            [year, "w" | "week", week] | ["w" | "week", week, year] => {
                Span::Week(self.year(year)?, self.small(week)?)
            }
            [year, month] if is_year(year) => Span::Month(self.year(year)?, self.month(month)?),
            [name, year] if month(name).is_some() => Span::Month(self.year(year)?, self.month(name)?),
            [year, month, day] if is_year(year) => {
                Span::Day(self.year(year)?, self.month(month)?, self.small(day)?)
            }
            [day, name, year] | [name, day, year] if month(name).is_some() => {
                Span::Day(self.year(year)?, self.month(name)?, self.small(day)?)
            }
            _ => return Err(self.form()),
        })
    }

    fn count(&self, word: &str) -> Result<u32, PeriodProblem> {
        let spelt = COUNTS.iter().zip(1..).find(|(name, _)| **name == word).map(|(_, count)| count);
        let count = spelt.or_else(|| word.parse().ok()).filter(|count| *count > 0);
        count.ok_or_else(|| PeriodProblem::Count(self.text.to_owned()))
    }

    fn year(&self, word: &str) -> Result<u16, PeriodProblem> {
        match word.parse() {
            Ok(year) if is_year(word) => Ok(year),
            Ok(_) if word.len() < 4 => Err(self.no_year()),
            _ => Err(self.form()),
        }
    }

    fn month(&self, word: &str) -> Result<u8, PeriodProblem> {
        month(word).map_or_else(|| self.small(word), Ok)
    }

    /// A number of one or two digits.
    fn small(&self, word: &str) -> Result<u8, PeriodProblem> {
        word.parse().ok().filter(|_| word.len() < 3).ok_or_else(|| self.form())
    }

    fn form(&self) -> PeriodProblem {
        PeriodProblem::Form(self.text.to_owned())
    }

    fn no_year(&self) -> PeriodProblem {
        PeriodProblem::NoYear(self.text.to_owned())
    }
}
