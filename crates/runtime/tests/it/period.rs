//! Which days a period is, for callers in different places at different moments.

use chrono::{DateTime, Days, Month, TimeDelta, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};
use portolan_runtime::{Caller, Interval, PeriodError};
use portolan_schema::arbitrary;
use portolan_schema::query::{Unit, Which};
use proptest::prelude::*;
use proptest::sample::select;

fn caller(now: &str, zone: Tz, fiscal_year_start: Month) -> Caller {
    let now: DateTime<Utc> = now.parse().unwrap();
    Caller::new().clock(move || now).zone(zone).fiscal_year_start(fiscal_year_start)
}

#[track_caller]
fn check(caller: &Caller, periods: &[(&str, &str)]) {
    for (period, days) in periods {
        let interval = caller.during(period).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(interval.to_string(), *days, "{period}");
    }
}

/// 9 in the morning of a Monday.
fn november(fiscal_year_start: Month) -> Caller {
    caller("2026-11-30T03:30:00Z", Tz::Asia__Kolkata, fiscal_year_start)
}

#[test]
fn what_needs_no_today() {
    check(
        &november(Month::January),
        &[
            ("2026", "2026-01-01 to 2026-12-31"),
            ("2024-Q1", "2024-01-01 to 2024-03-31"),
            ("Q4 2026", "2026-10-01 to 2026-12-31"),
            ("2024-02", "2024-02-01 to 2024-02-29"),
            ("December 2026", "2026-12-01 to 2026-12-31"),
            ("2026-W01", "2025-12-29 to 2026-01-04"),
            ("2026-W05", "2026-01-26 to 2026-02-01"),
            ("2026-W53", "2026-12-28 to 2027-01-03"),
            ("2026-03-05", "2026-03-05"),
            ("2026-01-01..2026-02-15", "2026-01-01 to 2026-02-15"),
            ("2026..2026-Q1", "2026-01-01 to 2026-03-31"),
            ("2026-W05 to March 2026", "2026-01-26 to 2026-03-31"),
            ("2026-01-01..", "2026-01-01 or later"),
            ("since 2026", "2026-01-01 or later"),
            ("after 2026-01-01", "2026-01-02 or later"),
            ("after 2026-Q1", "2026-04-01 or later"),
            ("..2026-02", "2026-02-28 or earlier"),
            ("until 2026-02-15", "2026-02-15 or earlier"),
            ("before 2026-02-15", "2026-02-14 or earlier"),
            ("before 2026", "2025-12-31 or earlier"),
            ("0000", "0000-01-01 to 0000-12-31"),
            ("9999", "9999-01-01 to 9999-12-31"),
        ],
    );
}

#[test]
fn a_fiscal_year_is_named_after_the_year_in_which_it_ends() {
    check(
        &november(Month::January),
        &[
            ("FY2026", "2026-01-01 to 2026-12-31"),
            ("FY2026-Q4", "2026-10-01 to 2026-12-31"),
            ("this fiscal year", "2026-01-01 to 2026-12-31"),
            ("this fiscal quarter", "2026-10-01 to 2026-12-31"),
        ],
    );
    check(
        &november(Month::April),
        &[
            ("FY2026", "2025-04-01 to 2026-03-31"),
            ("FY2026-Q1", "2025-04-01 to 2025-06-30"),
            ("FY2026-Q4", "2026-01-01 to 2026-03-31"),
            ("FY2026..FY2027-Q1", "2025-04-01 to 2026-06-30"),
            ("this fiscal year", "2026-04-01 to 2027-03-31"),
            ("last fiscal year", "2025-04-01 to 2026-03-31"),
            ("next fiscal year", "2027-04-01 to 2028-03-31"),
            ("last fiscal quarter", "2026-07-01 to 2026-09-30"),
            ("fiscal year to date", "2026-04-01 to 2026-11-30"),
            ("fiscal quarter to date", "2026-10-01 to 2026-11-30"),
        ],
    );
    check(
        &november(Month::October),
        &[
            ("FY2026", "2025-10-01 to 2026-09-30"),
            ("FY2027-Q1", "2026-10-01 to 2026-12-31"),
            ("this fiscal year", "2026-10-01 to 2027-09-30"),
            ("last fiscal year", "2025-10-01 to 2026-09-30"),
            ("fiscal year to date", "2026-10-01 to 2026-11-30"),
        ],
    );
    check(
        &november(Month::December),
        &[
            ("FY2026", "2025-12-01 to 2026-11-30"),
            ("this fiscal year", "2025-12-01 to 2026-11-30"),
            ("this fiscal quarter", "2026-09-01 to 2026-11-30"),
            ("next fiscal quarter", "2026-12-01 to 2027-02-28"),
        ],
    );
}

#[test]
fn from_a_monday_at_the_end_of_a_month() {
    check(
        &november(Month::January),
        &[
            ("today", "2026-11-30"),
            ("yesterday", "2026-11-29"),
            ("tomorrow", "2026-12-01"),
            ("3 days ago", "2026-11-27"),
            ("in 3 days", "2026-12-03"),
            ("last week", "2026-11-23 to 2026-11-29"),
            ("this week", "2026-11-30 to 2026-12-06"),
            ("next week", "2026-12-07 to 2026-12-13"),
            ("last month", "2026-10-01 to 2026-10-31"),
            ("this month", "2026-11-01 to 2026-11-30"),
            ("next month", "2026-12-01 to 2026-12-31"),
            ("last quarter", "2026-07-01 to 2026-09-30"),
            ("this quarter", "2026-10-01 to 2026-12-31"),
            ("next quarter", "2027-01-01 to 2027-03-31"),
            ("last year", "2025-01-01 to 2025-12-31"),
            ("this year", "2026-01-01 to 2026-12-31"),
            ("next year", "2027-01-01 to 2027-12-31"),
            ("past 1 day", "2026-11-30"),
            ("past 30 days", "2026-11-01 to 2026-11-30"),
            ("past 2 weeks", "2026-11-17 to 2026-11-30"),
            ("past month", "2026-10-31 to 2026-11-30"),
            ("past 3 months", "2026-08-31 to 2026-11-30"),
            ("past 9 months", "2026-03-01 to 2026-11-30"),
            ("last 2 quarters", "2026-05-31 to 2026-11-30"),
            ("last 2 years", "2024-12-01 to 2026-11-30"),
            ("next 1 day", "2026-11-30"),
            ("next 30 days", "2026-11-30 to 2026-12-29"),
            ("next 2 weeks", "2026-11-30 to 2026-12-13"),
            ("next 3 months", "2026-11-30 to 2027-02-27"),
            ("next 1 year", "2026-11-30 to 2027-11-29"),
            ("week to date", "2026-11-30"),
            ("month to date", "2026-11-01 to 2026-11-30"),
            ("quarter to date", "2026-10-01 to 2026-11-30"),
            ("year to date", "2026-01-01 to 2026-11-30"),
            ("since last month", "2026-10-01 or later"),
            ("before today", "2026-11-29 or earlier"),
            ("after today", "2026-12-01 or later"),
            ("until yesterday", "2026-11-29 or earlier"),
            ("last quarter..yesterday", "2026-07-01 to 2026-11-29"),
        ],
    );
}

#[test]
fn from_a_leap_day() {
    check(
        &caller("2024-02-29T12:00:00Z", Tz::UTC, Month::February),
        &[
            ("last year", "2023-01-01 to 2023-12-31"),
            ("past 1 year", "2023-03-01 to 2024-02-29"),
            ("past 4 years", "2020-03-01 to 2024-02-29"),
            ("past 12 months", "2023-03-01 to 2024-02-29"),
            ("past 1 month", "2024-01-30 to 2024-02-29"),
            ("next 1 year", "2024-02-29 to 2025-02-27"),
            ("next 1 month", "2024-02-29 to 2024-03-28"),
            ("past 366 days", "2023-03-01 to 2024-02-29"),
            ("this month", "2024-02-01 to 2024-02-29"),
            ("this week", "2024-02-26 to 2024-03-03"),
            ("this fiscal quarter", "2024-02-01 to 2024-04-30"),
            ("FY2025-Q1", "2024-02-01 to 2024-04-30"),
            ("last fiscal year", "2023-02-01 to 2024-01-31"),
        ],
    );
}

#[test]
fn the_year_begins_where_the_caller_is() {
    let half_past_midnight = caller("2026-01-01T05:30:00Z", Tz::America__New_York, Month::January);
    check(&half_past_midnight, &[("today", "2026-01-01"), ("last month", "2025-12-01 to 2025-12-31")]);
    let year = half_past_midnight.during("this year").unwrap();
    assert_eq!(moments(&year), ["2026-01-01T05:00:00Z", "2027-01-01T05:00:00Z"]);

    let in_utc = caller("2026-01-01T00:30:00Z", Tz::UTC, Month::January);
    check(&in_utc, &[("this week", "2025-12-29 to 2026-01-04"), ("year to date", "2026-01-01")]);
    let still_december = caller("2026-01-01T00:30:00Z", Tz::America__New_York, Month::January);
    check(&still_december, &[("today", "2025-12-31"), ("this year", "2025-01-01 to 2025-12-31")]);
}

#[test]
fn days_begin_as_the_clocks_say() {
    let days = [
        (Tz::Asia__Kolkata, "2026-11-30", ["2026-11-29T18:30:00Z", "2026-11-30T18:30:00Z"]),
        (Tz::Europe__Berlin, "2026-03-29", ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"]),
        (Tz::Europe__Berlin, "2026-10-25", ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"]),
        // There was no midnight: the clocks went from 24:00 to 1:00, and from 23:30 to 0:30.
        (Tz::America__Sao_Paulo, "2018-11-04", ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]),
        (Tz::America__Toronto, "1919-03-31", ["1919-03-31T04:30:00Z", "1919-04-01T04:00:00Z"]),
        // There were two: from 1:00 back to 0:00.
        (Tz::America__Havana, "2026-11-01", ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"]),
        // There was no such day.
        (Tz::Pacific__Apia, "2011-12-30", ["2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z"]),
    ];
    for (zone, day, expected) in days {
        let interval = caller("2026-11-30T03:30:00Z", zone, Month::January).during(day).unwrap();
        assert_eq!(moments(&interval), expected, "{day} in {zone}");
    }
    let open = november(Month::January).during("since today").unwrap();
    assert_eq!((open.end(), open.last()), (None, None));
}

fn moments(interval: &Interval) -> [String; 2] {
    [interval.start(), interval.end()].map(|moment| moment.unwrap().format("%FT%TZ").to_string())
}

#[test]
fn what_is_no_interval() {
    let caller = november(Month::April);
    let wrong = |period: &str| caller.during(period).unwrap_err().to_string();
    assert_eq!(wrong("tody"), "'tody' is no period: 'tody' is none of its words; did you mean 'today'?");
    assert_eq!(wrong("past 2027 years"), "'past 2027 years' leads out of the years 0 to 9999");
    for period in [
        "next 4294967295 days",
        "past 4294967295 years",
        "next 9000 years",
        "before 0000",
        "after 9999",
        "9999-W52",
        "FY0000",
        "in 4294967295 days",
    ] {
        assert!(matches!(caller.during(period), Err(PeriodError::OutOfRange(_))), "{period}");
    }
    assert_eq!(
        wrong("2027..today"),
        "'2027..today' ends before it begins: it would be 2027-01-01 to 2026-11-30"
    );
    assert_eq!(
        wrong("FY2026..2024"),
        "'FY2026..2024' ends before it begins: it would be 2025-04-01 to 2024-12-31"
    );
    for now in [DateTime::<Utc>::MAX_UTC, DateTime::<Utc>::MIN_UTC] {
        let caller = Caller::new().clock(move || now).zone(Tz::Pacific__Apia);
        assert!(matches!(caller.during("today"), Err(PeriodError::OutOfRange(_))));
    }
}

fn callers() -> impl Strategy<Value = Caller> {
    let seconds = prop_oneof![-2_500_000_000..5_000_000_000i64, -62_167_219_200..253_402_300_800i64];
    (seconds, select(&TZ_VARIANTS[..]), 1..=12u8).prop_map(|(seconds, zone, month)| {
        let now = DateTime::from_timestamp(seconds, 0).unwrap();
        Caller::new().clock(move || now).zone(zone).fiscal_year_start(Month::try_from(month).unwrap())
    })
}

proptest! {
    #[test]
    fn intervals_begin_before_they_end(caller in callers(), period in arbitrary::period()) {
        let Ok(interval) = caller.during(&period.to_string()) else { return Ok(()) };
        prop_assert!(interval.first().is_some() || interval.last().is_some());
        if let (Some(first), Some(last)) = (interval.first(), interval.last()) {
            prop_assert!(first <= last && interval.start() <= interval.end());
        }
        prop_assert_eq!(caller.during(&interval.to_string()), Ok(interval));
    }

    #[test]
    fn a_day_begins_at_its_first_moment(caller in callers(), period in arbitrary::period()) {
        let Ok(interval) = caller.during(&period.to_string()) else { return Ok(()) };
        let zone = caller.now().timezone();
        let day = |moment: DateTime<Utc>| moment.with_timezone(&zone).date_naive();
        if let (Some(first), Some(start)) = (interval.first(), interval.start()) {
            prop_assert!(day(start) >= first && day(start - TimeDelta::seconds(1)) < first);
        }
        if let (Some(last), Some(end)) = (interval.last(), interval.end()) {
            prop_assert!(day(end) > last && day(end - TimeDelta::seconds(1)) <= last);
        }
    }

    #[test]
    fn counted_days_are_as_many(caller in callers(), count in 1..5000u32, weeks in 1..500u32) {
        for (period, days) in [("days", count), ("weeks", weeks * 7)] {
            let number = if period == "days" { count } else { weeks };
            for which in ["past", "next"] {
                let Ok(interval) = caller.during(&format!("{which} {number} {period}")) else { continue };
                let (first, last) = (interval.first().unwrap(), interval.last().unwrap());
                prop_assert_eq!((last - first).num_days() + 1, i64::from(days));
                prop_assert_eq!(caller.now().date_naive(), if which == "past" { last } else { first });
            }
        }
    }

    #[test]
    fn neighbours_touch(caller in callers()) {
        let units = Unit::ALL.iter().map(|unit| unit.as_str()).chain(["day"]);
        for unit in units {
            let all = Which::ALL.iter().map(|which| caller.during(&format!("{which} {unit}")));
            let Ok(all) = all.collect::<Result<Vec<_>, _>>() else { continue };
            for pair in all.windows(2) {
                prop_assert_eq!(pair[0].last().unwrap() + Days::new(1), pair[1].first().unwrap());
                prop_assert_eq!(pair[0].end(), pair[1].start());
            }
            let today = caller.now().date_naive();
            prop_assert!(all[1].first().unwrap() <= today && today <= all[1].last().unwrap());
        }
    }

    #[test]
    fn quarters_make_a_year(caller in callers(), year in 1..9999u16, mark in select(vec!["", "FY"])) {
        let whole = caller.during(&format!("{mark}{year:04}")).unwrap();
        let quarters = caller.during(&format!("{mark}{year:04}-Q1..{mark}{year:04}-Q4"));
        prop_assert_eq!(quarters, Ok(whole));
    }

    #[test]
    fn no_text_is_a_panic(caller in callers(), text in prop_oneof![
        ".{0,60}",
        "((last|past|next|since|in|fiscal|fy|to|date|q|w|\\.\\.|-|[0-9]{1,11}|days?|year|may) ?){0,6}",
    ]) {
        let _ = caller.during(&text).map(|interval| interval.to_string());
    }
}
