//! Medians with their spread, and the ratios of pairs that were measured side by side.

/// The middle and the ends of some measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    /// The middle one; of an even number, the mean of the two in the middle.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// The spread of some measurements; `None` where there are none.
    #[must_use]
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self { median: lower.midpoint(upper), min: *sorted.first()?, max: *sorted.last()? })
    }

    /// The spread of `a / b`, pair by pair: what two programs that ran in turn make of each other,
    /// whatever else the machine did meanwhile.
    #[must_use]
    pub(super) fn of_ratios(a: &[f64], b: &[f64]) -> Option<Self> {
        Self::of(a.iter().zip(b).map(|(a, b)| a / b))
    }

    /// As a cell of a table: `41.0 ms (40.1 – 44.2)`.
    #[must_use]
    pub(super) fn show(&self, unit: Unit) -> String {
        let (scale, name) = match unit {
            Unit::Millis => (1e3, " ms"),
            Unit::Micros => (1e6, " µs"),
            Unit::Seconds => (1.0, " s"),
            Unit::Mebibytes => (1.0 / f64::from(1 << 20), " MiB"),
            Unit::Times => (1.0, "x"),
        };
        let decimals = match self.median * scale {
            large if large >= 100.0 => 0,
            middling if middling >= 10.0 => 1,
            _ => 2,
        };
        let number = |value: f64| format!("{:.decimals$}", value * scale);
        format!("{}{name} ({} – {})", number(self.median), number(self.min), number(self.max))
    }
}

/// How a spread is shown. Times are kept in seconds and sizes in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    /// Seconds, in thousandths.
    Millis,
    /// Seconds, in millionths.
    Micros,
    /// Seconds as they are.
    Seconds,
    /// Bytes, in units of 2^20.
    Mebibytes,
    /// A ratio.
    Times,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_count_has_a_middle() {
        let spread = Spread::of([5.0, 1.0, 3.0]).unwrap();
        assert_eq!(spread, Spread { median: 3.0, min: 1.0, max: 5.0 });
    }

    #[test]
    fn an_even_count_has_two() {
        let spread = Spread::of([8.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!(spread, Spread { median: 3.0, min: 1.0, max: 8.0 });
    }

    #[test]
    fn one_is_all_three_and_none_is_nothing() {
        assert_eq!(Spread::of([2.0]), Some(Spread { median: 2.0, min: 2.0, max: 2.0 }));
        assert_eq!(Spread::of([]), None);
    }

    /// The ratio of the medians would be 4: the slow second round would count for one side only.
    #[test]
    fn ratios_are_taken_pair_by_pair() {
        let spread = Spread::of_ratios(&[10.0, 40.0, 40.0], &[5.0, 20.0, 10.0]).unwrap();
        assert_eq!(spread, Spread { median: 2.0, min: 2.0, max: 4.0 });
    }

    #[test]
    fn shown_with_three_digits() {
        let spread = Spread { median: 0.0412, min: 0.0401, max: 0.1 };
        assert_eq!(spread.show(Unit::Millis), "41.2 ms (40.1 – 100.0)");
        assert_eq!(spread.show(Unit::Seconds), "0.04 s (0.04 – 0.10)");
        let size = Spread { median: 1_572_864.0, min: 1_048_576.0, max: 2_097_152.0 };
        assert_eq!(size.show(Unit::Mebibytes), "1.50 MiB (1.00 – 2.00)");
    }
}
