//! Days and moments: just what dated records take, so that no clock and no time-zone data can get in.

use std::fmt;

/// The day on which the records are looked at. What is dated later is planned.
pub(super) const TODAY: Day = Day::of(2026, 11, 30);

/// The first day of business.
pub(super) const OPENING: Day = Day::of(2023, 12, 1);

/// The last day that anything is planned for.
pub(super) const HORIZON: Day = Day::of(2027, 2, 28);

const SECONDS_A_DAY: i64 = 86_400;

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(i64);

/// A second, counted from the midnight that began 1970-01-01 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Day {
    /// The day of a date; months and days count from 1.
    ///
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    pub(super) const fn of(year: i64, month: i64, day: i64) -> Self {
        // Years begin in March here, so that the leap day is the last one.
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self(era * 146_097 + day_of_era - 719_468)
    }

    /// Its year, month and day; `civil_from_days` of the same paper.
    pub(super) const fn date(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = year_of_era + days.div_euclid(146_097) * 400 + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    pub(super) const fn plus(self, days: i64) -> Self {
        Self(self.0 + days)
    }

    /// How many days later than another it is.
    pub(super) const fn since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }

    /// The first day of the month so many months on.
    pub(super) const fn month(self, on: i64) -> Self {
        let (year, month, _) = self.date();
        let months = year * 12 + month - 1 + on;
        Self::of(months.div_euclid(12), months.rem_euclid(12) + 1, 1)
    }

    /// Itself where it is a Monday to Friday, else the Monday after.
    pub(super) const fn working(self) -> Self {
        // 1970-01-01 was a Thursday.
        match (self.0 + 3).rem_euclid(7) {
            5 => self.plus(2),
            6 => self.plus(1),
            _ => self,
        }
    }

    /// A time of day, at so many minutes ahead of UTC.
    pub(super) const fn at(self, hour: i64, minute: i64, ahead: i64) -> Moment {
        Moment(self.0 * SECONDS_A_DAY).plus(hour * 60 + minute - ahead)
    }
}

impl Moment {
    pub(super) const fn plus(self, minutes: i64) -> Self {
        Self(self.0 + minutes * 60)
    }

    /// The day in UTC.
    pub(super) const fn day(self) -> Day {
        Day(self.0.div_euclid(SECONDS_A_DAY))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.0.rem_euclid(SECONDS_A_DAY);
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(), second / 3_600, second / 60 % 60, second % 60)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    /// `SQLite` has a calendar of its own.
    #[test]
    fn dates_are_those_of_sqlite() {
        let database = Connection::open_in_memory().unwrap();
        let mut date = database.prepare("SELECT date(?1 * 86400, 'unixepoch')").unwrap();
        for days in (-25_000..60_000).step_by(13).chain(19_700..21_000) {
            let expected: String = date.query_row([days], |row| row.get(0)).unwrap();
            let day = Day(days);
            assert_eq!(day.to_string(), expected);
            let (year, month, of_month) = day.date();
            assert_eq!(Day::of(year, month, of_month), day);
        }
    }

    #[test]
    fn months_weekends_and_zones() {
        assert_eq!(Day::of(2026, 11, 30).month(3).to_string(), "2027-02-01");
        assert_eq!(Day::of(2026, 1, 31).month(-1).to_string(), "2025-12-01");
        assert_eq!(TODAY.working(), TODAY);
        assert_eq!(Day::of(2026, 11, 28).working(), TODAY);
        assert_eq!(TODAY.at(0, 15, 330).to_string(), "2026-11-29T18:45:00Z");
        assert_eq!(TODAY.at(20, 0, -300).day().to_string(), "2026-12-01");
    }
}
