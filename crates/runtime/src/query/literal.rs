//! Literals that a model writes, read as their field's type.

use bigdecimal::BigDecimal;
use chrono::{DateTime, Days, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;

use super::value::Value;

/// A literal on a moment: the moment itself, or the day that it only names.
pub(super) enum Moment {
    At(DateTime<Utc>),
    /// The whole day, in the caller's zone.
    Day(NaiveDate),
}

pub(super) fn number(text: &str) -> Option<Value> {
    let text = text.trim();
    // An exponent of a million digits is no number that anyone means.
    let ordinary =
        text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,_ ".contains(&byte));
    if !ordinary {
        return None;
    }
    text.replace([',', '_', ' '], "").parse::<BigDecimal>().ok().map(Value::Number)
}

pub(super) fn boolean(text: &str) -> Option<Value> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(Value::Boolean(true)),
        "false" | "no" | "0" => Some(Value::Boolean(false)),
        _ => None,
    }
}

/// `2026-11-30`, `2026/11/30`, `30.11.2026`, `November 30, 2026`, `30 Nov 2026`. Never `11/30/2026`: half
/// the world reads that otherwise.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let forms = ["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d.%m.%Y", "%B %d, %Y", "%d %B %Y", "%B %d %Y"];
    forms
        .into_iter()
        .find_map(|form| NaiveDate::parse_from_str(text, form).ok())
        .filter(|day| is_sensible(*day))
}

pub(super) fn moment(text: &str, zone: Tz) -> Option<Moment> {
    let text = text.trim();
    if let Some(day) = date(text) {
        return Some(Moment::Day(day));
    }
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(Moment::At(moment.to_utc())).filter(|_| is_sensible(moment.date_naive()));
    }
    let forms = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let local = forms.into_iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
    is_sensible(local.date()).then(|| Moment::At(instant(local, zone)))
}

pub(super) fn time(text: &str) -> Option<Value> {
    let forms = ["%H:%M:%S%.f", "%H:%M", "%I:%M %p", "%I:%M%p"];
    forms.into_iter().find_map(|form| NaiveTime::parse_from_str(text.trim(), form).ok()).map(Value::Time)
}

/// When a day begins in a zone.
pub(super) fn start_of(day: NaiveDate, zone: Tz) -> DateTime<Utc> {
    instant(day.and_time(NaiveTime::MIN), zone)
}

/// The day after, or the last day that there is.
pub(super) fn next(day: NaiveDate) -> NaiveDate {
    day.checked_add_days(Days::new(1)).unwrap_or(day)
}

/// A moment of a zone's clocks: the first of two where they were turned back, and where they were turned
/// on, the first that there was after it.
fn instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    match zone.from_local_datetime(&local) {
        LocalResult::Single(moment) | LocalResult::Ambiguous(moment, _) => moment.to_utc(),
        LocalResult::None => {
            // No clock was ever turned on by more than a day.
            let later = (1..=96)
                .filter_map(|quarters| local.checked_add_signed(chrono::TimeDelta::minutes(15 * quarters)));
            let found = later.into_iter().find_map(|local| zone.from_local_datetime(&local).earliest());
            found.map_or_else(|| local.and_utc(), |moment| moment.to_utc())
        }
    }
}

/// Years that calendars of databases have.
fn is_sensible(day: NaiveDate) -> bool {
    use chrono::Datelike as _;
    (1..=9999).contains(&day.year())
}
