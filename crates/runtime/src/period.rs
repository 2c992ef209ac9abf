//! Which days a period is, for somebody at a moment.

use std::fmt;

use chrono::{DateTime, Datelike, Days, Month, Months, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::{GapInfo, Tz};
use portolan_schema::query::{Bucket, Period, PeriodProblem, Span, Unit, Which};

/// The days of a period, and the moments at which they begin and end.
///
/// A day begins at its midnight: where clocks are set back over it, at the earlier of the two, and where
/// they are set forward over it, at the first moment that there is.
///
/// Written as people read it: `2026-07-01 to 2026-09-30`, `2026-11-30`, `2026-01-01 or later`,
/// `2026-02-14 or earlier`. All of these are periods, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    start: Option<Edge>,
    end: Option<Edge>,
}

/// A day of an interval, the first or the last, and the moment before or after which nothing is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    day: NaiveDate,
    moment: DateTime<Utc>,
}

impl Interval {
    /// The first day; none where the period has no beginning.
    #[must_use]
    pub fn first(&self) -> Option<NaiveDate> {
        self.start.map(|edge| edge.day)
    }

    /// The last day, which is part of it; none where the period has no end.
    #[must_use]
    pub fn last(&self) -> Option<NaiveDate> {
        self.end.map(|edge| edge.day)
    }

    /// The moment at which the first day begins.
    #[must_use]
    pub fn start(&self) -> Option<DateTime<Utc>> {
        self.start.map(|edge| edge.moment)
    }

    /// The moment at which the day after the last begins, which is no part of it.
    #[must_use]
    pub fn end(&self) -> Option<DateTime<Utc>> {
        self.end.map(|edge| edge.moment)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first(), self.last()) {
            (Some(first), Some(last)) if first == last => write!(f, "{first}"),
            (Some(first), Some(last)) => write!(f, "{first} to {last}"),
            (Some(first), None) => write!(f, "{first} or later"),
            (None, Some(last)) => write!(f, "{last} or earlier"),
            (None, None) => f.write_str("any day"),
        }
    }
}

/// Why a text is no interval.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeriodError {
    /// It is no period.
    #[error("{0}; {help}", help = .0.help())]
    Problem(#[from] PeriodProblem),
    /// It leads out of the years 0 to 9999.
    #[error("'{0}' leads out of the years 0 to 9999")]
    OutOfRange(Period),
    /// A range that begins after its end, on the caller's calendar or today.
    #[error("'{period}' ends before it begins: it would be {first} to {last}")]
    Backwards {
        /// The range.
        period: Period,
        /// Its first day.
        first: NaiveDate,
        /// Its last day.
        last: NaiveDate,
    },
}

/// What periods depend on.
pub(crate) struct Calendar {
    today: NaiveDate,
    zone: Tz,
    /// How many months after January the fiscal year begins.
    fiscal_offset: i64,
}

/// The first and the last day.
type Bounds = (NaiveDate, NaiveDate);

impl Calendar {
    /// None where the moment is in no year from 0 to 9999.
    pub(crate) fn new(now: DateTime<Tz>, fiscal_year_start: Month) -> Option<Self> {
        let day_of_moment = now.naive_utc().date();
        is_written(day_of_moment).then(|| Self {
            today: now.date_naive(),
            zone: now.timezone(),
            fiscal_offset: i64::from(fiscal_year_start.number_from_month()) - 1,
        })
    }

    pub(crate) fn resolve(&self, period: Period) -> Result<Interval, PeriodError> {
        let out_of_range = || PeriodError::OutOfRange(period);
        let (first, last) = self.days(period).ok_or_else(out_of_range)?;
        if let (Some(first), Some(last)) = (first, last)
            && first > last
        {
            return Err(PeriodError::Backwards { period, first, last });
        }
        let edge = |day: NaiveDate, begins: Option<NaiveDate>| {
            let moment = begins.filter(|_| is_written(day)).and_then(|day| beginning(day, self.zone));
            moment.map(|moment| Edge { day, moment }).ok_or_else(out_of_range)
        };
        Ok(Interval {
            start: first.map(|day| edge(day, Some(day))).transpose()?,
            end: last.map(|day| edge(day, day.succ_opt())).transpose()?,
        })
    }

    fn days(&self, period: Period) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
        let today = self.today;
        let (first, last) = match period {
            Period::Span(span) => self.span(span)?,
            Period::Range(from, to) => (self.span(from)?.0, self.span(to)?.1),
            Period::Since(span) => return Some((Some(self.span(span)?.0), None)),
            Period::After(span) => return Some((Some(self.span(span)?.1.succ_opt()?), None)),
            Period::Before(span) => return Some((None, Some(self.span(span)?.0.pred_opt()?))),
            Period::Until(span) => return Some((None, Some(self.span(span)?.1))),
            Period::Past(count, unit) => {
                let before = match length(count, unit)? {
                    Length::Days(days) => today.checked_sub_days(days)?,
                    Length::Months(months) => today.checked_sub_months(months)?,
                };
                (before.succ_opt()?, today)
            }
            Period::Next(count, unit) => {
                let after = match length(count, unit)? {
                    Length::Days(days) => today.checked_add_days(days)?,
                    Length::Months(months) => today.checked_add_months(months)?,
                };
                (today, after.pred_opt()?)
            }
            Period::ToDate(unit) => (self.span(Span::Relative(Which::This, unit))?.0, today),
        };
        Some((Some(first), Some(last)))
    }

    fn span(&self, span: Span) -> Option<Bounds> {
        let january = |year: u16| i64::from(year) * 12;
        let quarter = |quarter: u8| (1..=4).contains(&quarter).then_some((i64::from(quarter) - 1) * 3);
        match span {
            Span::Year(year) => months(january(year), 12),
            Span::Quarter(year, number) => months(january(year) + quarter(number)?, 3),
            Span::Month(year, month) => {
                let first = NaiveDate::from_ymd_opt(year.into(), month.into(), 1)?;
                months(month_number(first), 1)
            }
            Span::Week(year, week) => {
                let fourth = NaiveDate::from_ymd_opt(year.into(), 1, 4)?;
                week_of(fourth.checked_add_days(Days::new(7 * u64::from(week.checked_sub(1)?)))?)
            }
            Span::Day(year, month, day) => {
                let day = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())?;
                Some((day, day))
            }
            Span::FiscalYear(year) => months(self.fiscal_year(year), 12),
            Span::FiscalQuarter(year, number) => months(self.fiscal_year(year) + quarter(number)?, 3),
            Span::DaysAway(days) => {
                let day = away(self.today, days)?;
                Some((day, day))
            }
            Span::Relative(which, unit) => self.relative(which, unit),
        }
    }

    /// The first month of the fiscal year that ends in a year.
    fn fiscal_year(&self, year: u16) -> i64 {
        let started = if self.fiscal_offset == 0 { 0 } else { 12 };
        i64::from(year) * 12 + self.fiscal_offset - started
    }

    fn relative(&self, which: Which, unit: Unit) -> Option<Bounds> {
        let steps = match which {
            Which::Last => -1,
            Which::This => 0,
            Which::Next => 1,
        };
        let (length, offset) = match unit {
            Unit::Week => return week_of(away(self.today, 7 * steps)?),
            Unit::Month => (1, 0),
            Unit::Quarter => (3, 0),
            Unit::Year => (12, 0),
            Unit::FiscalQuarter => (3, self.fiscal_offset),
            Unit::FiscalYear => (12, self.fiscal_offset),
        };
        let since = (month_number(self.today) - offset).rem_euclid(length);
        months(month_number(self.today) - since + steps * length, length)
    }
}

/// How far a period that is counted from today reaches.
enum Length {
    Days(Days),
    Months(Months),
}

fn length(count: u32, unit: Bucket) -> Option<Length> {
    let months = |each| count.checked_mul(each).map(|months| Length::Months(Months::new(months)));
    match unit {
        Bucket::Day => Some(Length::Days(Days::new(count.into()))),
        Bucket::Week => Some(Length::Days(Days::new(u64::from(count) * 7))),
        Bucket::Month => months(1),
        Bucket::Quarter => months(3),
        Bucket::Year => months(12),
    }
}

/// Whether a day is written with a year of four digits.
fn is_written(day: NaiveDate) -> bool {
    (0..=9999).contains(&day.year())
}

/// Months since January of the year 0.
fn month_number(day: NaiveDate) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month0())
}

/// So many months, from a numbered one.
fn months(first: i64, count: i64) -> Option<Bounds> {
    let begins = |number: i64| {
        let year = i32::try_from(number.div_euclid(12)).ok()?;
        let month = u32::try_from(number.rem_euclid(12)).ok()?;
        NaiveDate::from_ymd_opt(year, month + 1, 1)
    };
    Some((begins(first)?, begins(first + count)?.pred_opt()?))
}

fn week_of(day: NaiveDate) -> Option<Bounds> {
    let monday = day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into()))?;
    Some((monday, monday.checked_add_days(Days::new(6))?))
}

fn away(day: NaiveDate, days: i64) -> Option<NaiveDate> {
    let distance = Days::new(days.unsigned_abs());
    if days < 0 { day.checked_sub_days(distance) } else { day.checked_add_days(distance) }
}

/// The moment at which a day begins.
fn beginning(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let midnight = day.and_time(NaiveTime::MIN);
    let local = zone.from_local_datetime(&midnight).earliest();
    local.or_else(|| GapInfo::new(&midnight, &zone)?.end).map(|moment| moment.to_utc())
}
