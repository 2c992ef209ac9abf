//! The periods of the operator `during`: `2026-Q1`, `last month`, `past 30 days`.
//!
//! Which days a period is depends on who asks and when; what is known without that is checked here.

mod read;

use std::fmt;
use std::str::FromStr;

use super::{Bucket, UnknownWord};

/// A longer text is no period; and nobody who sends one makes an error text as long.
const LONGEST: usize = 100;

/// A stretch of days.
///
/// Case, white space, hyphens and the words `the` and `of` make no difference; `in`, `on`, `during` and
/// `over` may stand in front.
///
/// ```
/// use portolan_schema::query::{Bucket, Period, Span};
/// assert_eq!("Past 30  days".parse(), Ok(Period::Past(30, Bucket::Day)));
/// assert_eq!("in March 2026".parse(), Ok(Period::Span(Span::Month(2026, 3))));
/// assert_eq!("2026-01-01 or later".parse(), Ok(Period::Since(Span::Day(2026, 1, 1))));
///
/// let problem = "lst mnth".parse::<Period>().unwrap_err();
/// assert_eq!(problem.to_string(), "'lst mnth' is no period: 'lst' is none of its words");
/// assert_eq!(problem.help(), "did you mean 'last month'?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Period {
    /// `2026-Q1`, `last month`
    Span(Span),
    /// `2026-01-01..2026-02-15`, `2026-01-01 to 2026-02-15`: from the first day of the one to the last
    /// day of the other.
    Range(Span, Span),
    /// `since 2026-01-01`, `2026-01-01..`: from its first day.
    Since(Span),
    /// `after 2026-01-01`: from the day after its last.
    After(Span),
    /// `before 2026-02-15`: to the day before its first.
    Before(Span),
    /// `until 2026-02-15`, `..2026-02-15`: to its last day.
    Until(Span),
    /// `past 30 days`: so many, of which today is the last. Months and longer ones begin on the day
    /// after the same day so many months ago.
    Past(u32, Bucket),
    /// `next 2 weeks`: so many, of which today is the first. Months and longer ones end on the day before
    /// the same day so many months on.
    Next(u32, Bucket),
    /// `year to date`: from the first day of this one to today.
    ToDate(Unit),
}

/// A stretch of days that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// `2026`
    Year(u16),
    /// `2026-Q1`
    Quarter(u16, u8),
    /// `2026-03`
    Month(u16, u8),
    /// `2026-W05`: an ISO week, of which Monday is the first day.
    Week(u16, u8),
    /// `2026-03-05`
    Day(u16, u8, u8),
    /// `FY2026`: the fiscal year that ends in 2026.
    FiscalYear(u16),
    /// `FY2026-Q1`
    FiscalQuarter(u16, u8),
    /// So many days from today: `today`, `yesterday`, `3 days ago`, `in 3 days`.
    DaysAway(i64),
    /// `last month`
    Relative(Which, Unit),
}

words! {
    /// Which of several that follow each other.
    Which "word" {
        /// The one before that.
        Last = "last",
        /// The one that today is in.
        This = "this",
        /// The one after that.
        Next = "next",
    }
}

words! {
    /// What follows itself, on a calendar.
    Unit "unit" {
        /// ISO weeks.
        Week = "week",
        /// Months.
        Month = "month",
        /// Quarters of the calendar.
        Quarter = "quarter",
        /// Years of the calendar.
        Year = "year",
        /// Quarters of the fiscal year.
        FiscalQuarter = "fiscal quarter",
        /// Fiscal years.
        FiscalYear = "fiscal year",
    }
}

/// Why a text is no period.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeriodProblem {
    /// Nothing but white space.
    #[error("the period is empty")]
    Empty,
    /// More than anyone can mean.
    #[error("a text of more than {LONGEST} bytes is no period")]
    Long,
    /// A word that no period has.
    #[error("'{text}' is no period: '{word}' is none of its words")]
    Word {
        /// All of the text.
        text: String,
        /// The first word that is wrong.
        word: String,
        /// The period that was probably meant, or at least the word.
        meant: Option<String>,
    },
    /// Words of periods, in none of their forms.
    #[error("'{0}' is no period")]
    Form(String),
    /// A time of day.
    #[error("'{0}' has a time of day, and periods are of whole days")]
    Time(String),
    /// A month, a quarter or a week of no year, or a year of two digits.
    #[error("'{0}' lacks a year of four digits")]
    NoYear(String),
    /// A day, week, month or quarter that the year doesn't have.
    #[error("there is no {0}")]
    NoSuch(Span),
    /// `3 months ago`, `in 2 weeks`.
    #[error("'{text}' may be a day or a whole {unit}")]
    Ambiguous {
        /// All of the text.
        text: String,
        /// What is counted.
        unit: Bucket,
        /// What is like it and has one meaning.
        instead: Period,
    },
    /// `past 2 fiscal quarters`.
    #[error("'{0}' counts what is fiscal, which begins on its own days and not on today's")]
    FiscalCount(String),
    /// None, or more than can be counted.
    #[error("'{0}' doesn't count from 1 to {most}", most = u32::MAX)]
    Count(String),
    /// The end of a range before its start.
    #[error("'{0}' ends before it begins")]
    Backwards(String),
}

impl PeriodProblem {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        const FORMS: &str = "a period is one such as 2026, 2026-Q1, 2026-03, 2026-W05, 2026-03-05, FY2026, today, \
                             last month or this fiscal year; two of them with .. between; one after since, after, \
                             before or until; or past 30 days, next 2 weeks, year to date";
        match self {
            Self::Word { meant: Some(meant), .. } => format!("did you mean '{meant}'?"),
            Self::Time(_) => "write the day alone, such as 2026-03-05".to_owned(),
            Self::NoYear(_) => "write it as in March 2026, 2026-Q1, 2026-W05 or FY2026".to_owned(),
            Self::Ambiguous { instead, .. } => {
                format!("write '{instead}' for all the days between then and now, or count in days")
            }
            Self::FiscalCount(_) => "name the first and the last, such as FY2026-Q1..FY2026-Q2".to_owned(),
            _ => FORMS.to_owned(),
        }
    }
}

impl FromStr for Period {
    type Err = PeriodProblem;

    fn from_str(text: &str) -> Result<Self, PeriodProblem> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(PeriodProblem::Long);
        }
        read::period(text)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u32| if count == 1 { "" } else { "s" };
        match *self {
            Self::Span(span) => write!(f, "{span}"),
            Self::Range(from, to) => write!(f, "{from}..{to}"),
            Self::Since(span) => write!(f, "since {span}"),
            Self::After(span) => write!(f, "after {span}"),
            Self::Before(span) => write!(f, "before {span}"),
            Self::Until(span) => write!(f, "until {span}"),
            Self::Past(count, bucket) => write!(f, "past {count} {bucket}{}", plural(count)),
            Self::Next(count, bucket) => write!(f, "next {count} {bucket}{}", plural(count)),
            Self::ToDate(unit) => write!(f, "{unit} to date"),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Year(year) => write!(f, "{year:04}"),
            Self::Quarter(year, quarter) => write!(f, "{year:04}-Q{quarter}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
            Self::Week(year, week) => write!(f, "{year:04}-W{week:02}"),
            Self::Day(year, month, day) => write!(f, "{year:04}-{month:02}-{day:02}"),
            Self::FiscalYear(year) => write!(f, "FY{year:04}"),
            Self::FiscalQuarter(year, quarter) => write!(f, "FY{year:04}-Q{quarter}"),
            Self::DaysAway(0) => f.write_str("today"),
            Self::DaysAway(-1) => f.write_str("yesterday"),
            Self::DaysAway(1) => f.write_str("tomorrow"),
            Self::DaysAway(days @ ..0) => write!(f, "{} days ago", days.unsigned_abs()),
            Self::DaysAway(days) => write!(f, "in {days} days"),
            Self::Relative(which, unit) => write!(f, "{which} {unit}"),
        }
    }
}

/// Where a span stands that no moment decides on: the numbers of its first and last day.
#[derive(Clone, Copy)]
struct Placed {
    /// Numbered as if the fiscal year were the calendar's: comparable among themselves.
    fiscal: bool,
    first: i64,
    last: i64,
}

impl Span {
    /// Whether a year has it.
    fn exists(self) -> bool {
        match self {
            Self::Month(_, month) => (1..=12).contains(&month),
            Self::Quarter(_, quarter) | Self::FiscalQuarter(_, quarter) => (1..=4).contains(&quarter),
            Self::Week(year, week) => {
                let weeks = (first_monday(i64::from(year) + 1) - first_monday(i64::from(year))) / 7;
                (1..=weeks).contains(&i64::from(week))
            }
            Self::Day(year, month, day) => {
                let (year, month) = (i64::from(year), i64::from(month));
                let days = day_number(year, month + 1, 1) - day_number(year, month, 1);
                (1..=12).contains(&month) && (1..=days).contains(&i64::from(day))
            }
            Self::Year(_) | Self::FiscalYear(_) | Self::DaysAway(_) | Self::Relative(..) => true,
        }
    }

    fn placed(self) -> Option<Placed> {
        let months = |fiscal, year: u16, month: u8, count| {
            let (year, month) = (i64::from(year), i64::from(month));
            Some(Placed {
                fiscal,
                first: day_number(year, month, 1),
                last: day_number(year, month + count, 1) - 1,
            })
        };
        let first_month = |quarter: u8| quarter.saturating_sub(1).saturating_mul(3).saturating_add(1);
        match self {
            Self::Year(year) => months(false, year, 1, 12),
            Self::Quarter(year, quarter) => months(false, year, first_month(quarter), 3),
            Self::Month(year, month) => months(false, year, month, 1),
            Self::Week(year, week) => {
                let first = first_monday(year.into()) + 7 * (i64::from(week) - 1);
                Some(Placed { fiscal: false, first, last: first + 6 })
            }
            Self::Day(year, month, day) => {
                let day = day_number(year.into(), month.into(), day.into());
                Some(Placed { fiscal: false, first: day, last: day })
            }
            Self::FiscalYear(year) => months(true, year, 1, 12),
            Self::FiscalQuarter(year, quarter) => months(true, year, first_month(quarter), 3),
            Self::DaysAway(_) | Self::Relative(..) => None,
        }
    }

    /// Whether the other is known to end before this begins, whoever asks and when.
    fn is_after(self, other: Self) -> bool {
        match (self, other, self.placed(), other.placed()) {
            (Self::DaysAway(from), Self::DaysAway(to), ..) => from > to,
            (Self::Relative(from, unit), Self::Relative(to, other), ..) if unit == other => from > to,
            (.., Some(from), Some(to)) => from.fiscal == to.fiscal && from.first > to.last,
            _ => false,
        }
    }
}

/// The days from 1 March of the year 0, a Wednesday, to a day; a month may be beyond the twelfth.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // With February last, every month begins where a straight line through the months says.
    let months = year * 12 + month - 3;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1
}

/// The Monday of a year's first ISO week, the one with 4 January in it.
fn first_monday(year: i64) -> i64 {
    let fourth = day_number(year, 1, 4);
    fourth - (fourth + 2).rem_euclid(7)
}
