//! The same words at one moment mean other days elsewhere: relative periods, under fixed clocks near
//! midnight.

use chrono::{DateTime, Month};
use chrono_tz::Tz;
use portolan_runtime::Caller;
use serde_json::json;

use super::cell::compare;
use super::dataset::Dataset;

/// A zone, and its offset when the dump's events are.
type Zone = (Tz, &'static str);

const UTC: Zone = (Tz::UTC, "+00:00");
const KOLKATA: Zone = (Tz::Asia__Kolkata, "+05:30");
const AUCKLAND: Zone = (Tz::Pacific__Auckland, "+13:00");
const LOS_ANGELES: Zone = (Tz::America__Los_Angeles, "-08:00");

/// No event is before the first or after the second.
const EVER: [&str; 2] = ["1000-01-01T00:00", "9999-12-31T00:00"];

/// The clock in UTC, where the caller is, the operator and its value; from when to before when that is, in
/// UTC. The six events of the dump begin at 17:30, 21:00 or 22:00 in UTC.
type Moments = (&'static str, Zone, &'static str, &'static str, &'static str);

const MOMENTS: [Moments; 17] = [
    // A quarter to seven in the evening of the 11th; in Kolkata the 12th is a quarter of an hour old.
    ("2019-12-11T18:45:00Z", UTC, "during today", "2019-12-11T00:00", "2019-12-12T00:00"),
    ("2019-12-11T18:45:00Z", KOLKATA, "during today", "2019-12-11T18:30", "2019-12-12T18:30"),
    ("2019-12-11T18:45:00Z", KOLKATA, "during yesterday", "2019-12-10T18:30", "2019-12-11T18:30"),
    ("2019-12-11T18:45:00Z", AUCKLAND, "during yesterday", "2019-12-10T11:00", "2019-12-11T11:00"),
    // The last half hour of the 16th in Los Angeles, the 17th elsewhere.
    ("2019-12-17T07:30:00Z", LOS_ANGELES, "during today", "2019-12-16T08:00", "2019-12-17T08:00"),
    ("2019-12-17T07:30:00Z", UTC, "during today", "2019-12-17T00:00", "2019-12-18T00:00"),
    ("2019-12-17T07:30:00Z", KOLKATA, "during today", "2019-12-16T18:30", "2019-12-17T18:30"),
    // The last second of November, which began by another offset, and the first of December.
    ("2019-12-01T07:59:59Z", LOS_ANGELES, "during this month", "2019-11-01T07:00", "2019-12-01T08:00"),
    ("2019-12-01T08:00:00Z", LOS_ANGELES, "during this month", "2019-12-01T08:00", "2020-01-01T08:00"),
    // The last second of a Sunday, and the first of a Monday.
    ("2019-12-15T18:29:59Z", KOLKATA, "during this week", "2019-12-08T18:30", "2019-12-15T18:30"),
    ("2019-12-15T18:30:00Z", KOLKATA, "during this week", "2019-12-15T18:30", "2019-12-22T18:30"),
    ("2019-12-15T18:30:00Z", UTC, "during this week", "2019-12-09T00:00", "2019-12-16T00:00"),
    ("2019-12-15T18:30:00Z", UTC, "during past 6 days", "2019-12-10T00:00", "2019-12-16T00:00"),
    // A day that is named is the day there, whatever the clock says.
    ("2020-06-01T00:00:00Z", KOLKATA, "eq 2019-12-17", "2019-12-16T18:30", "2019-12-17T18:30"),
    ("2020-06-01T00:00:00Z", AUCKLAND, "lte 2019-12-11", EVER[0], "2019-12-11T11:00"),
    ("2020-06-01T00:00:00Z", LOS_ANGELES, "gt 2019-12-13", "2019-12-14T08:00", EVER[1]),
    ("2020-06-01T00:00:00Z", LOS_ANGELES, "gte 2019-12-13T09:30", "2019-12-13T17:30", EVER[1]),
];

/// The clock in UTC, where the caller is, the period; its first day and its last.
type Days = (&'static str, Zone, &'static str, &'static str, &'static str);

const DAYS: [Days; 11] = [
    // New Year's Eve in Los Angeles, New Year elsewhere.
    ("2019-01-01T02:00:00Z", UTC, "past 7 days", "2018-12-26", "2019-01-01"),
    ("2019-01-01T02:00:00Z", LOS_ANGELES, "past 7 days", "2018-12-25", "2018-12-31"),
    ("2019-01-01T02:00:00Z", LOS_ANGELES, "this year", "2018-01-01", "2018-12-31"),
    ("2019-01-01T02:00:00Z", KOLKATA, "this year", "2019-01-01", "2019-12-31"),
    ("2019-01-01T02:00:00Z", KOLKATA, "last quarter", "2018-10-01", "2018-12-31"),
    ("2019-01-01T02:00:00Z", LOS_ANGELES, "last quarter", "2018-07-01", "2018-09-30"),
    // Midnight before the first of September in Auckland.
    ("2018-08-31T11:59:59Z", AUCKLAND, "last month", "2018-07-01", "2018-07-31"),
    ("2018-08-31T12:00:00Z", AUCKLAND, "last month", "2018-08-01", "2018-08-31"),
    ("2018-08-31T12:00:00Z", UTC, "last month", "2018-07-01", "2018-07-31"),
    // Fiscal years begin in July.
    ("2018-07-01T06:00:00Z", UTC, "last fiscal year", "2017-07-01", "2018-06-30"),
    ("2018-07-01T06:00:00Z", LOS_ANGELES, "last fiscal year", "2016-07-01", "2017-06-30"),
];

fn caller(now: &str, (zone, _): Zone) -> Caller {
    let now = DateTime::parse_from_rfc3339(now).unwrap_or_else(|problem| panic!("{problem}: {now}")).to_utc();
    Caller::new().clock(move || now).zone(zone).fiscal_year_start(Month::July)
}

#[test]
fn a_period_of_moments_begins_and_ends_at_midnight_where_the_caller_is() {
    let Some(dataset) = Dataset::open("trailhead") else { return };
    let mut found_any = 0;
    for (now, zone, asked, from, before) in MOMENTS {
        let (op, value) = asked.split_once(' ').unwrap();
        let (sign, hours, minutes) = (&zone.1[..1], &zone.1[1..3], &zone.1[4..]);
        let truth = dataset.truth(&format!(
            "SELECT sf_id, STRFTIME('%Y-%m-%dT%H:%M:%S', StartDateTime, '{sign}{hours} hours', '{sign}{minutes} minutes') \
             || '{}' FROM Event WHERE StartDateTime >= '{from}:00.000Z' AND StartDateTime < '{before}:00.000Z' \
             ORDER BY StartDateTime",
            zone.1
        ));
        found_any += usize::from(!truth.is_empty());
        let (answer, _) = dataset.conversation(caller(now, zone)).all_pages(&json!({
            "object": "Event", "fields": ["sf_id", "StartDateTime"], "order_by": ["StartDateTime"],
            "where": [{"field": "StartDateTime", "op": op, "value": value}],
        }));
        if let Err(problem) = compare(answer.rows(&["sf_id", "StartDateTime"]), truth, true) {
            panic!("{asked} at {now} in {}: {problem}\n{}", zone.0, answer.json);
        }
    }
    assert!(
        (MOMENTS.len() / 2..MOMENTS.len()).contains(&found_any),
        "{found_any} find something: a poor test"
    );
}

/// A day has no zone; which day today is has one.
#[test]
fn a_period_of_days_is_counted_from_the_day_where_the_caller_is() {
    let Some(dataset) = Dataset::open("1k") else { return };
    for (now, zone, period, first, last) in DAYS {
        let truth = dataset.truth(&format!(
            "SELECT id, close_date FROM Opportunity WHERE close_date BETWEEN '{first}' AND '{last}' \
             ORDER BY close_date, id"
        ));
        assert!(!truth.is_empty(), "nothing from {first} to {last}: a poor test");
        let (answer, _) = dataset.conversation(caller(now, zone)).all_pages(&json!({
            "object": "Opportunity", "fields": ["id", "close_date"], "order_by": ["close_date"], "limit": 100,
            "where": [{"field": "close_date", "op": "during", "value": period}],
        }));
        let understood = &answer.json["understood"][format!("close_date during {period}")];
        assert_eq!(*understood, format!("{first} to {last}"));
        if let Err(problem) = compare(answer.rows(&["id", "close_date"]), truth, true) {
            panic!("{period} at {now} in {}: {problem}", zone.0);
        }
    }
}
