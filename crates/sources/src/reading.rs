//! Values as databases happen to keep them, read as what they are meant to be.

use bigdecimal::BigDecimal;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

/// A number with more digits than this on either side of its point is taken for something else: whoever reads
/// an answer's JSON with binary numbers could not read it.
const MOST_DIGITS: i64 = 308;
/// The last second of the year 9999. Whole numbers beyond it are milliseconds, not seconds.
const LAST_SECOND: i64 = 253_402_300_799;
const MICROSECONDS_A_DAY: i64 = 86_400_000_000;

/// A decimal number in digits, as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits<'t> {
    negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    exponent: i64,
}

impl<'t> Digits<'t> {
    /// Reads `-12.50`, `+7`, `.5`, `1e3`.
    pub(crate) fn read(text: &'t [u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let (negative, text) = match text.split_first()? {
            (b'-', rest) => (true, rest),
            (b'+', rest) => (false, rest),
            _ => (false, text),
        };
        let (number, exponent) = match text.iter().position(|c| matches!(c, b'e' | b'E')) {
            Some(at) => {
                let (number, exponent) = text.split_at_checked(at)?;
                let exponent = std::str::from_utf8(exponent.get(1..)?).ok()?;
                (number, exponent.parse::<i64>().ok()?)
            }
            None => (text, 0),
        };
        let (whole, fraction) = match number.iter().position(|c| *c == b'.') {
            Some(at) => (number.get(..at)?, number.get(at + 1..)?),
            None => (number, [].as_slice()),
        };
        let are_digits = whole.iter().chain(fraction).all(u8::is_ascii_digit);
        let is_there = !(whole.is_empty() && fraction.is_empty());
        let length = |digits: &[u8], more: i64| {
            let length = i64::try_from(digits.len()).ok()?.checked_add(more)?;
            (length <= MOST_DIGITS).then_some(length)
        };
        length(whole, exponent)?;
        length(fraction, exponent.checked_neg()?)?;
        (are_digits && is_there).then_some(Self { negative, whole, fraction, exponent })
    }

    /// The number, with the digits that it is written with.
    pub(crate) fn number(&self) -> Option<BigDecimal> {
        /// So many digits are always below the greatest `i64`.
        const FEW: usize = 18;
        let scale = i64::try_from(self.fraction.len()).ok()? - self.exponent;
        let digits = self.whole.iter().chain(self.fraction);
        if self.whole.len() + self.fraction.len() <= FEW {
            let number = digits.fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
            return Some(BigDecimal::new((if self.negative { -number } else { number }).into(), scale));
        }
        let digits = num_text(self.negative, &digits.copied().collect::<Vec<u8>>());
        Some(BigDecimal::new(digits.parse().ok()?, scale))
    }

    /// Bytes that are in the order of the numbers, and equal where these are.
    pub(crate) fn key(&self) -> Vec<u8> {
        /// Where the exponent of numbers between 0.1 and 1 stands.
        const ZERO_EXPONENT: i64 = 1 << 15;
        let leading = self.whole.iter().chain(self.fraction).take_while(|c| **c == b'0').count();
        let digits = self.whole.iter().chain(self.fraction).skip(leading);
        let mut key = vec![2, 0, 0];
        key.extend(digits);
        while key.len() > 3 && key.last() == Some(&b'0') {
            key.pop();
        }
        if key.len() == 3 {
            return vec![1];
        }
        // How many digits stand before the point where none before them is zero.
        let before = self.whole.len().cast_signed() as i64 - leading.cast_signed() as i64 + self.exponent;
        let exponent = u16::try_from(before + ZERO_EXPONENT).unwrap_or(u16::MAX).to_be_bytes();
        for (place, byte) in key.iter_mut().skip(1).zip(exponent) {
            *place = byte;
        }
        if self.negative {
            // Every byte turned round; and a longer number of the same beginning is the lesser one.
            for byte in &mut key {
                *byte = 255 - *byte;
            }
            if let Some(sign) = key.first_mut() {
                *sign = 0;
            }
            key.push(255);
        }
        key
    }
}

fn num_text(negative: bool, digits: &[u8]) -> String {
    let mut text = String::with_capacity(digits.len() + 1);
    if negative {
        text.push('-');
    }
    text.extend(digits.iter().map(|digit| char::from(*digit)));
    text
}

/// What a binary floating-point number is in digits: the fewest that mean it, and of one that is so great
/// that it is whole, all of them. `None` where it is no number.
pub(crate) fn real(number: f64) -> Option<String> {
    /// From here on, every one is whole.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if !number.is_finite() {
        None
    } else if number.abs() < WHOLE {
        Some(number.to_string())
    } else {
        Some(format!("{number:.0}"))
    }
}

/// `true`, `T`, `yes`, `1`, `on`, and their opposites.
pub(crate) fn flag(text: &str) -> Option<bool> {
    const TRUE: [&str; 6] = ["true", "t", "yes", "y", "on", "1"];
    const FALSE: [&str; 6] = ["false", "f", "no", "n", "off", "0"];
    let text = text.trim();
    let is = |word: &&&str| word.eq_ignore_ascii_case(text);
    if TRUE.iter().any(|word| is(&word)) {
        Some(true)
    } else {
        FALSE.iter().any(|word| is(&word)).then_some(false)
    }
}

/// A moment as people write it: ISO 8601 in its many forms, or a number as text. One without an offset is a
/// time of the zone's clocks.
pub(crate) fn moment(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let Some((day, rest)) = leading_day(text) else {
        return numeric(text).and_then(moment_of_number);
    };
    let rest = rest.strip_prefix(['T', 't', ' ']).unwrap_or(rest).trim();
    if rest.is_empty() {
        return Some(instant(day.and_time(NaiveTime::MIN), zone));
    }
    let (clock, offset) = split_offset(rest)?;
    let local = day.and_time(self::clock(clock)?);
    match offset {
        Some(seconds) => local.and_utc().checked_sub_signed(TimeDelta::seconds(seconds)),
        None => Some(instant(local, zone)),
    }
}

/// A day as people write it: ISO 8601, with or without a time behind it, which is of no matter; or a number
/// as text.
pub(crate) fn day(text: &str, zone: Tz) -> Option<NaiveDate> {
    let text = text.trim();
    match leading_day(text) {
        Some((day, rest)) => {
            let rest = rest.strip_prefix(['T', 't', ' ']).unwrap_or(rest).trim();
            (rest.is_empty() || split_offset(rest).is_some_and(|(text, _)| clock(text).is_some()))
                .then_some(day)
        }
        None => {
            numeric(text).and_then(moment_of_number).map(|moment| moment.with_timezone(&zone).date_naive())
        }
    }
}

/// `14:05`, `14:05:00`, `14:05:00.25`, with or without a `Z`; or seconds of the day, or milliseconds, as text.
pub(crate) fn time(text: &str) -> Option<NaiveTime> {
    let text = text.trim();
    let plain = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    clock(plain).or_else(|| match numeric(text)? {
        Numeric::Whole(number) => time_of_number(number),
        Numeric::Real(_) => None,
    })
}

/// Seconds of a day, or what is too great for these: milliseconds.
pub(crate) fn time_of_number(number: i64) -> Option<NaiveTime> {
    let milliseconds = if number < 86_400 { number.checked_mul(1_000)? } else { number };
    let (seconds, rest) = (milliseconds.div_euclid(1_000), milliseconds.rem_euclid(1_000));
    let nanoseconds = u32::try_from(rest).ok()? * 1_000_000;
    NaiveTime::from_num_seconds_from_midnight_opt(u32::try_from(seconds).ok()?, nanoseconds)
}

/// A number that stands for a moment.
#[derive(Clone, Copy)]
pub(crate) enum Numeric {
    /// Seconds since 1970, or milliseconds.
    Whole(i64),
    /// A Julian day, or seconds since 1970 with their fraction.
    Real(f64),
}

fn numeric(text: &str) -> Option<Numeric> {
    let is_number = text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'-' | b'+' | b'.'));
    if !is_number {
        return None;
    }
    let whole = text.parse().map(Numeric::Whole);
    whole.or_else(|_| text.parse().map(Numeric::Real)).ok()
}

/// What moment a number stands for, by how great it is.
pub(crate) fn moment_of_number(number: Numeric) -> Option<DateTime<Utc>> {
    /// 1970-01-01, as a Julian day.
    const EPOCH_DAY: f64 = 2_440_587.5;
    /// The years 0 to 9999, as Julian days.
    const JULIAN: std::ops::RangeInclusive<f64> = 1_721_059.5..=5_373_484.5;
    match number {
        Numeric::Whole(number) if (-LAST_SECOND..=LAST_SECOND).contains(&number) => seconds(number),
        Numeric::Whole(number) => milliseconds(number),
        Numeric::Real(number) if JULIAN.contains(&number) => {
            // A Julian day as a 64-bit number is exact to some forty microseconds: milliseconds are what it
            // can hold, and what `SQLite` itself rounds it to.
            rounded((number - EPOCH_DAY) * 86_400_000.0).and_then(milliseconds)
        }
        Numeric::Real(number) if number.abs() <= LAST_SECOND as f64 => {
            rounded(number * 1_000_000.0).and_then(microseconds)
        }
        Numeric::Real(number) => rounded(number).and_then(milliseconds),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is out of range is refused before")]
fn rounded(number: f64) -> Option<i64> {
    const MOST: f64 = 9.0e18;
    (number.abs() <= MOST).then(|| number.round() as i64)
}

pub(crate) fn seconds(number: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(number, 0).filter(|moment| is_sensible(*moment))
}

pub(crate) fn milliseconds(number: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(number).filter(|moment| is_sensible(*moment))
}

fn microseconds(number: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(number).filter(|moment| is_sensible(*moment))
}

fn is_sensible(moment: DateTime<Utc>) -> bool {
    use chrono::Datelike as _;
    (-1..=10_000).contains(&moment.year())
}

/// A text of a pattern, as the moment that it begins.
pub(crate) fn of_pattern(text: &str, pattern: &str) -> Option<NaiveDateTime> {
    if let Some(read) = digit_by_digit(text.as_bytes(), pattern.as_bytes()) {
        return Some(read);
    }
    let text = text.trim();
    if pattern.contains("%H") {
        // A minute is a whole moment to people, and not to the library.
        let (text, pattern) = if pattern.contains("%S") {
            (text.to_owned(), pattern.to_owned())
        } else {
            (format!("{text}|00"), format!("{pattern}|%S"))
        };
        NaiveDateTime::parse_from_str(&text, &pattern).ok()
    } else {
        NaiveDate::parse_from_str(text, pattern).ok().map(|day| day.and_time(NaiveTime::MIN))
    }
}

/// A text that is exactly as the pattern has it, with all digits: as good as every one is. The library reads some
/// others, too, and takes several times as long.
fn digit_by_digit(mut text: &[u8], pattern: &[u8]) -> Option<NaiveDateTime> {
    let (mut parts, mut part) = ([0; 6], 0);
    let mut letters = pattern.iter();
    while let Some(letter) = letters.next() {
        if *letter == b'%' {
            letters.next()?;
            let (digits, rest) = text.split_at_checked(if part == 0 { 4 } else { 2 })?;
            if !digits.iter().all(u8::is_ascii_digit) {
                return None;
            }
            *parts.get_mut(part)? =
                digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
            part += 1;
            text = rest;
        } else {
            text = text.strip_prefix(std::slice::from_ref(letter))?;
        }
    }
    let [year, month, day, hour, minute, second] = parts;
    let day = NaiveDate::from_ymd_opt(year.cast_signed(), month, day)?;
    if text.is_empty() { day.and_hms_opt(hour, minute, second) } else { None }
}

/// The day that a text begins with, and what follows it.
fn leading_day(text: &str) -> Option<(NaiveDate, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let (year, month, day, length) = match digits {
        4 => {
            let separator = text.as_bytes().get(4)?;
            if !matches!(separator, b'-' | b'/' | b'.') || text.as_bytes().get(7) != Some(separator) {
                return None;
            }
            (number(0, 4)?, number(5, 7)?, number(8, 10)?, 10)
        }
        8 => (number(0, 4)?, number(4, 6)?, number(6, 8)?, 8),
        _ => return None,
    };
    let rest = text.get(length..)?;
    let ends = rest.is_empty() || rest.starts_with(['T', 't', ' ']);
    ends.then_some((NaiveDate::from_ymd_opt(year.cast_signed(), month, day)?, rest))
}

/// A time of day, with at least its minutes. What is below a microsecond is cut.
fn clock(text: &str) -> Option<NaiveTime> {
    let (whole, fraction) = match text.find(['.', ',']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, ""),
    };
    let two = |text: &str| (text.len() == 2).then(|| text.parse::<u32>().ok()).flatten();
    let parts: Vec<u32> = if whole.contains(':') {
        whole.split(':').map(two).collect::<Option<_>>()?
    } else {
        let pairs = whole.as_bytes().chunks(2).map(|pair| two(std::str::from_utf8(pair).ok()?));
        pairs.collect::<Option<_>>()?
    };
    let (hour, minute, second) = match *parts.as_slice() {
        [hour, minute] if fraction.is_empty() => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if !fraction.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
    NaiveTime::from_hms_micro_opt(hour, minute, second, digits.parse().ok()?)
}

/// A clock's text and the offset behind it, in seconds east.
fn split_offset(text: &str) -> Option<(&str, Option<i64>)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock.trim_end(), Some(0)));
    }
    let text = text.strip_suffix("UTC").map_or(text, str::trim_end);
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, None)) };
    let (clock, offset) = text.split_at_checked(at)?;
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let digits: String = offset.chars().skip(1).filter(|c| *c != ':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (digits.parse::<i64>().ok()?, 0),
        4 => (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some((clock.trim_end(), Some(sign * (hours * 3_600 + minutes * 60))))
}

/// A moment of a zone's clocks: the first of two where they were turned back, and where they were turned on,
/// the first that there was after it.
pub(crate) fn instant(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    if zone == Tz::UTC {
        return local.and_utc();
    }
    let quarters =
        (0..=96).filter_map(|quarters| local.checked_add_signed(TimeDelta::minutes(15 * quarters)));
    let found = quarters.into_iter().find_map(|local| zone.from_local_datetime(&local).earliest());
    found.map_or_else(|| local.and_utc(), |moment| moment.to_utc())
}

/// Days since 1970.
pub(crate) fn days(day: NaiveDate) -> i64 {
    day.signed_duration_since(NaiveDate::default()).num_days()
}

/// Microseconds since midnight.
pub(crate) fn microseconds_of_day(time: NaiveTime) -> i64 {
    let since = time.signed_duration_since(NaiveTime::MIN);
    since.num_microseconds().unwrap_or(MICROSECONDS_A_DAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(text: &str) -> Vec<u8> {
        Digits::read(text.as_bytes()).unwrap().key()
    }

    #[test]
    fn numbers_are_read_with_the_digits_that_they_have() {
        let read = |text: &str| Some(Digits::read(text.as_bytes())?.number()?.to_plain_string());
        assert_eq!(read("2152.00").as_deref(), Some("2152.00"));
        assert_eq!(read(" -0.50 ").as_deref(), Some("-0.50"));
        assert_eq!(read("+.5").as_deref(), Some("0.5"));
        assert_eq!(read("1e3").as_deref(), Some("1000"));
        for text in ["", "-", ".", "1.2.3", "12a", "1e", "1e99999", "0x10", "١٢", "--1", "NaN"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(real(0.1).as_deref(), Some("0.1"));
        assert_eq!(real(9_007_199_254_740_994.0).as_deref(), Some("9007199254740994"));
        assert_eq!(real(f64::INFINITY), None);
    }

    proptest! {
        #[test]
        fn keys_are_in_the_order_of_the_numbers(
            a in "-?[0-9]{0,12}[0-9](\\.[0-9]{0,8})?(e-?[0-9])?",
            b in "-?[0-9]{0,12}[0-9](\\.[0-9]{0,8})?(e-?[0-9])?",
        ) {
            let number = |text: &str| Digits::read(text.as_bytes()).unwrap().number().unwrap();
            prop_assert_eq!(key(&a).cmp(&key(&b)), number(&a).cmp(&number(&b)), "{} {}", a, b);
        }

        #[test]
        fn numbers_of_any_length_are_those_that_are_written(text in "-?[0-9]{0,24}[0-9](\\.[0-9]{0,4})?") {
            let read = Digits::read(text.as_bytes()).unwrap().number().unwrap();
            let meant: BigDecimal = text.trim_end_matches('.').parse().unwrap();
            prop_assert_eq!(read.as_bigint_and_scale(), meant.as_bigint_and_scale());
        }

        #[test]
        fn texts_of_a_pattern_are_read_as_the_library_reads_them(
            text in "(20|00|99)[0-9]{2}-(0[0-9]|1[0-3])-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]Z?",
        ) {
            let pattern = "%Y-%m-%dT%H:%M:%SZ";
            let of_library = NaiveDateTime::parse_from_str(&text, pattern).ok();
            prop_assert_eq!(of_pattern(&text, pattern), of_library);
            if let Some(read) = digit_by_digit(text.as_bytes(), pattern.as_bytes()) {
                prop_assert_eq!(Some(read), of_library);
            }
            let day = &text[..10];
            let of_library = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok();
            prop_assert_eq!(of_pattern(day, "%Y-%m-%d").map(|local| local.date()), of_library);
        }
    }

    #[test]
    fn moments_are_read_in_the_forms_that_databases_have_them_in() {
        let berlin = Tz::Europe__Berlin;
        let read = |text: &str| moment(text, berlin).map(|moment| moment.to_rfc3339());
        for (text, meant) in [
            ("2026-01-05T09:30:00Z", "2026-01-05T09:30:00+00:00"),
            ("2026-01-05 09:30:00", "2026-01-05T08:30:00+00:00"),
            ("2026-01-05T09:30:00.1234567+02:00", "2026-01-05T07:30:00.123456+00:00"),
            ("2026-01-05 09:30:00+00", "2026-01-05T09:30:00+00:00"),
            ("2026-01-05T09:30-0330", "2026-01-05T13:00:00+00:00"),
            ("20260105T093000Z", "2026-01-05T09:30:00+00:00"),
            ("2026-01-05", "2026-01-04T23:00:00+00:00"),
            ("2026-03-29 02:30:00", "2026-03-29T01:00:00+00:00"),
            ("1767605400", "2026-01-05T09:30:00+00:00"),
            ("1767605400000", "2026-01-05T09:30:00+00:00"),
            ("2461045.5", "2026-01-05T00:00:00+00:00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(meant), "{text}");
        }
        for text in ["", "soon", "2026-13-01", "2026-01-05T25:00Z", "2026-01-05x", "05/01/2026", "-"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(day("2026-01-05T23:30:00-08:00", berlin), NaiveDate::from_ymd_opt(2026, 1, 5));
        assert_eq!(time("14:05:00.000Z"), NaiveTime::from_hms_opt(14, 5, 0));
        assert_eq!(time("50700"), NaiveTime::from_hms_opt(14, 5, 0));
        assert_eq!(time_of_number(50_700_000), NaiveTime::from_hms_opt(14, 5, 0));
        assert_eq!(days(NaiveDate::from_ymd_opt(1969, 12, 31).unwrap()), -1);
    }
}
