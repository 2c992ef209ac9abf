//! Who asks, and when and where they are: everything that an answer depends on besides the artifact.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Month, Utc};
use chrono_tz::Tz;
use portolan_schema::query::Period;

use crate::period::{Calendar, Interval, PeriodError};

/// Where the time comes from.
type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// Who asks. The host fills it from its own login; nothing in it comes from the model.
///
/// ```
/// use portolan_runtime::Caller;
/// let caller = Caller::new().profile("rep").id("u7").attribute("region", "West").zone(chrono_tz::Asia::Kolkata);
/// assert_eq!(caller.get("id"), Some("u7"));
/// assert_eq!(caller.get("region"), Some("West"));
/// ```
#[derive(Clone)]
pub struct Caller {
    profile: Option<String>,
    attributes: BTreeMap<String, String>,
    clock: Clock,
    zone: Tz,
    fiscal_year_start: Month,
}

impl Caller {
    const ID: &'static str = "id";

    /// Somebody without a profile, an id or attributes, by the system's clock, in UTC, whose fiscal
    /// year is the calendar's.
    #[must_use]
    pub fn new() -> Self {
        Self {
            profile: None,
            attributes: BTreeMap::new(),
            clock: Arc::new(Utc::now),
            zone: Tz::UTC,
            fiscal_year_start: Month::January,
        }
    }

    /// The profile, one of those that the artifact declares.
    #[must_use]
    pub fn profile(mut self, name: impl Into<String>) -> Self {
        self.profile = Some(name.into());
        self
    }

    /// The caller's record id: `$caller.id` in row rules.
    #[must_use]
    pub fn id(self, id: impl Into<String>) -> Self {
        self.attribute(Self::ID, id)
    }

    /// An attribute: `$caller.NAME` in row rules.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// Where the time comes from; a test gives a fixed one.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The time zone in which the caller's days begin.
    #[must_use]
    pub fn zone(mut self, zone: Tz) -> Self {
        self.zone = zone;
        self
    }

    /// The month with whose first day the caller's fiscal year begins.
    #[must_use]
    pub fn fiscal_year_start(mut self, month: Month) -> Self {
        self.fiscal_year_start = month;
        self
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile_name(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// The value of an attribute; `id` is one.
    #[must_use]
    pub fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute).map(String::as_str)
    }

    /// The moment, in the caller's time zone.
    #[must_use]
    pub fn now(&self) -> DateTime<Tz> {
        (self.clock)().with_timezone(&self.zone)
    }

    /// The time zone.
    #[must_use]
    pub const fn time_zone(&self) -> Tz {
        self.zone
    }

    /// The first month of the fiscal year.
    #[must_use]
    pub const fn fiscal_month(&self) -> Month {
        self.fiscal_year_start
    }

    /// The days that a period of the operator `during` is, here and now: for a prompt that tells a model
    /// what `last month` is.
    ///
    /// ```
    /// # use chrono::{Month, TimeZone, Utc};
    /// # use portolan_runtime::Caller;
    /// let caller = Caller::new()
    ///     .clock(|| Utc.with_ymd_and_hms(2026, 11, 30, 3, 30, 0).unwrap())
    ///     .zone(chrono_tz::Asia::Kolkata)
    ///     .fiscal_year_start(Month::April);
    /// assert_eq!(caller.during("last month")?.to_string(), "2026-10-01 to 2026-10-31");
    /// assert_eq!(caller.during("this fiscal year")?.to_string(), "2026-04-01 to 2027-03-31");
    /// assert_eq!(caller.during("since yesterday")?.start().unwrap().to_string(), "2026-11-28 18:30:00 UTC");
    /// assert_eq!(
    ///     caller.during("last mnth").unwrap_err().to_string(),
    ///     "'last mnth' is no period: 'mnth' is none of its words; did you mean 'last month'?"
    /// );
    /// # Ok::<_, portolan_runtime::PeriodError>(())
    /// ```
    pub fn during(&self, text: &str) -> Result<Interval, PeriodError> {
        let period: Period = text.parse()?;
        let calendar = Calendar::new(self.now(), self.fiscal_year_start);
        calendar.ok_or(PeriodError::OutOfRange(period))?.resolve(period)
    }
}

impl Default for Caller {
    fn default() -> Self {
        Self::new()
    }
}

/// Attributes may say more about a person than a log should: only their names are shown.
impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("profile", &self.profile)
            .field("attributes", &self.attributes.keys())
            .field("zone", &self.zone)
            .field("fiscal_year_start", &self.fiscal_year_start)
            .finish_non_exhaustive()
    }
}
