//! What is a period, and what is said of what is none. Which days a period is, the runtime's tests tell.

use portolan_schema::arbitrary;
use portolan_schema::query::{Period, PeriodProblem};
use proptest::prelude::*;

/// Every way to write a period that is written the first way in answers.
const FORMS: &[(&str, &[&str])] = &[
    ("2026", &["in 2026", " 2026 ", "during the 2026"]),
    ("0000", &[]),
    ("2026-Q1", &["Q1 2026", "q1 of 2026", "2026 Q 1", "2026q1", "the quarter 1, 2026"]),
    (
        "2026-03",
        &["March 2026", "Mar. 2026", "in march of 2026", "2026/3", "2026 MAR", "2026-mar", "2026‑03"],
    ),
    ("2026-09", &["Sept 2026", "sep 2026", "September, 2026"]),
    ("2026-W05", &["2026W5", "2026 w05", "week 5 of 2026", "W05-2026"]),
    ("2026-W53", &[]),
    ("2026-03-05", &["2026/03/05", "5 March 2026", "on March 5, 2026", "2026 3 5", "2026.03.05"]),
    ("2024-02-29", &[]),
    ("FY2026", &["fiscal 2026", "fiscal year 2026", "in the fiscal year 2026", "fy 2026", "2026 FY"]),
    ("FY2026-Q1", &["Q1 FY2026", "fiscal 2026 Q1", "fiscal Q1 2026", "the fiscal quarter 1 of 2026"]),
    ("today", &["this day", "now", "Today"]),
    ("yesterday", &["1 day ago", "last day", "previous day", "one day ago"]),
    ("tomorrow", &["in 1 day", "next day"]),
    ("3 days ago", &["three days ago"]),
    ("in 12 days", &["in twelve days", "in the 12 days"]),
    ("last week", &["the previous week", "last-week", "in the prior week", "during last   week"]),
    ("this month", &["current month", "THIS\tMONTH"]),
    ("next quarter", &["the next quarter"]),
    ("last year", &["previous year"]),
    ("this fiscal quarter", &["current fiscal quarter"]),
    ("next fiscal year", &["next FY"]),
    ("past 30 days", &["last 30 days", "in the past 30 days", "over the last 30 days", "past 30 day"]),
    ("past 1 week", &["past week", "last one week", "past 1 weeks"]),
    ("past 3 months", &["last three months", "previous 3 months", "the prior 3 months"]),
    ("past 2 quarters", &["last 2 quarters"]),
    ("past 4294967295 years", &[]),
    ("next 2 weeks", &["in the next two weeks", "next 2 week"]),
    ("week to date", &["wtd", "week-to-date"]),
    ("month to date", &["MTD"]),
    ("quarter to date", &["qtd"]),
    ("year to date", &["ytd", "the year to date"]),
    ("fiscal quarter to date", &[]),
    ("fiscal year to date", &["FY to date"]),
    (
        "2026-01-01..2026-02-15",
        &[
            "2026-01-01 .. 2026-02-15",
            "2026-01-01...2026-02-15",
            "2026-01-01…2026-02-15",
            "2026-01-01–2026-02-15",
            "2026-01-01 - 2026-02-15",
            "2026-01-01 to 2026-02-15",
            "from 2026-01-01 until the 15 February 2026",
            "between January 1, 2026 and 2026-02-15",
            "2026-01-01 through 2026-02-15",
        ],
    ),
    ("2026..2026", &["2026 - 2026"]),
    ("2026-W05..2026-02", &[]),
    ("FY2025..FY2026-Q1", &[]),
    ("FY2026..2025", &["fiscal 2026 to 2025"]),
    ("last month..today", &["last month to date", "since last month until now"]),
    ("3 days ago..in 3 days", &["from 3 days ago to in 3 days"]),
    ("2027..today", &[]),
    (
        "since 2026-01-01",
        &["2026-01-01..", "from 2026-01-01", "2026-01-01 or later", "2026-01-01 onwards", "2026-01-01 to"],
    ),
    ("since last week", &["since the last week"]),
    ("after 2026", &[]),
    ("before 2026-Q1", &["before Q1 2026"]),
    (
        "until 2026-02-15",
        &["..2026-02-15", "till 2026-02-15", "by 2026-02-15", "2026-02-15 or earlier", "through 2026-02-15"],
    ),
];

#[test]
fn all_forms() {
    for (canonical, others) in FORMS {
        let period: Period = canonical.parse().unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(period.to_string(), *canonical);
        for other in *others {
            assert_eq!(other.parse(), Ok(period), "{other}");
        }
    }
}

#[test]
fn what_is_wrong_and_what_is_right() {
    let forms = "".parse::<Period>().unwrap_err().help();
    let no_year = "write it as in March 2026, 2026-Q1, 2026-W05 or FY2026";
    let no_form = |text: &str| format!("'{text}' is no period");
    let word = |text: &str, word: &str| format!("'{text}' is no period: '{word}' is none of its words");
    let table: &[(&str, String, &str)] = &[
        ("", "the period is empty".to_owned(), &forms),
        (" \t", "the period is empty".to_owned(), &forms),
        (" the ", "the period is empty".to_owned(), &forms),
        ("lst mnth", word("lst mnth", "lst"), "did you mean 'last month'?"),
        ("pst 30 dys", word("pst 30 dys", "pst"), "did you mean 'past 30 days'?"),
        ("Yesturday", word("Yesturday", "yesturday"), "did you mean 'yesterday'?"),
        ("Febuary 2026", word("Febuary 2026", "febuary"), "did you mean '2026-02'?"),
        ("this quater", word("this quater", "quater"), "did you mean 'this quarter'?"),
        ("sice 2026", word("sice 2026", "sice"), "did you mean 'since 2026'?"),
        ("lst lst", word("lst lst", "lst"), "did you mean 'last'?"),
        ("last fortnight", word("last fortnight", "fortnight"), &forms),
        ("-5 days ago", word("-5 days ago", "-"), &forms),
        ("2026%", word("2026%", "%"), &forms),
        ("month last", no_form("month last"), &forms),
        ("this 3 days", no_form("this 3 days"), &forms),
        ("30 days", no_form("30 days"), &forms),
        ("last", no_form("last"), &forms),
        ("since", no_form("since"), &forms),
        ("..", no_form(".."), &forms),
        ("since past 30 days", no_form("since past 30 days"), &forms),
        ("2024..2025..2026", no_form("2024..2025..2026"), &forms),
        ("03/05/2026", no_form("03/05/2026"), &forms),
        ("20260305", no_form("20260305"), &forms),
        ("2026-2027", no_form("2026-2027"), &forms),
        ("12026", no_form("12026"), &forms),
        (
            "2026-03-05 00:00",
            "'2026-03-05 00:00' has a time of day, and periods are of whole days".to_owned(),
            "write the day alone, such as 2026-03-05",
        ),
        ("March", "'March' lacks a year of four digits".to_owned(), no_year),
        ("March 5", "'March 5' lacks a year of four digits".to_owned(), no_year),
        ("Q1", "'Q1' lacks a year of four digits".to_owned(), no_year),
        ("FY26", "'FY26' lacks a year of four digits".to_owned(), no_year),
        ("fiscal Q1", "'fiscal Q1' lacks a year of four digits".to_owned(), no_year),
        ("since w05", "'since w05' lacks a year of four digits".to_owned(), no_year),
        ("2026-02-29", "there is no 2026-02-29".to_owned(), &forms),
        ("1900-02-29", "there is no 1900-02-29".to_owned(), &forms),
        ("2026-13", "there is no 2026-13".to_owned(), &forms),
        ("2026-00", "there is no 2026-00".to_owned(), &forms),
        ("2026-01-00", "there is no 2026-01-00".to_owned(), &forms),
        ("2026-Q5", "there is no 2026-Q5".to_owned(), &forms),
        ("FY2026-Q0", "there is no FY2026-Q0".to_owned(), &forms),
        ("2025-W53", "there is no 2025-W53".to_owned(), &forms),
        ("2025-W00", "there is no 2025-W00".to_owned(), &forms),
        (
            "3 months ago",
            "'3 months ago' may be a day or a whole month".to_owned(),
            "write 'past 3 months' for all the days between then and now, or count in days",
        ),
        (
            "in 1 week",
            "'in 1 week' may be a day or a whole week".to_owned(),
            "write 'next 1 week' for all the days between then and now, or count in days",
        ),
        (
            "past 2 fiscal quarters",
            "'past 2 fiscal quarters' counts what is fiscal, which begins on its own days and not on today's"
                .to_owned(),
            "name the first and the last, such as FY2026-Q1..FY2026-Q2",
        ),
        ("past 0 days", "'past 0 days' doesn't count from 1 to 4294967295".to_owned(), &forms),
        (
            "next 4294967296 days",
            "'next 4294967296 days' doesn't count from 1 to 4294967295".to_owned(),
            &forms,
        ),
        ("2026-03..2026-02", "'2026-03..2026-02' ends before it begins".to_owned(), &forms),
        ("2026-W06..2026-01", "'2026-W06..2026-01' ends before it begins".to_owned(), &forms),
        ("FY2027-Q1..FY2026", "'FY2027-Q1..FY2026' ends before it begins".to_owned(), &forms),
        ("this month..last month", "'this month..last month' ends before it begins".to_owned(), &forms),
        ("today..3 days ago", "'today..3 days ago' ends before it begins".to_owned(), &forms),
    ];
    for (text, what, help) in table {
        let problem = text.parse::<Period>().unwrap_err();
        assert_eq!((problem.to_string(), problem.help()), (what.clone(), (*help).to_owned()), "{text}");
    }
    assert_eq!("9".repeat(101).parse::<Period>(), Err(PeriodProblem::Long));
}

proptest! {
    #[test]
    fn a_period_reads_as_it_is_written(period in arbitrary::period()) {
        match period.to_string().parse::<Period>() {
            Err(PeriodProblem::Backwards(_)) => prop_assert!(matches!(period, Period::Range(..))),
            read => prop_assert_eq!(read, Ok(period)),
        }
    }

    #[test]
    fn any_text_is_a_period_or_a_problem(text in prop_oneof![
        ".{0,110}",
        "([a-zA-Z0-9. -]|\\PC){0,12}",
        "((last|past|since|in|the|fiscal|fy|to|date|q|w|and|between|or|later|\\.\\.|-|[0-9]{1,11}|days?|year|may) ?){0,6}",
    ]) {
        match text.parse::<Period>() {
            Ok(period) => prop_assert_eq!(period.to_string().parse(), Ok(period)),
            Err(problem) => prop_assert!(!problem.to_string().is_empty() && !problem.help().is_empty()),
        }
    }
}
