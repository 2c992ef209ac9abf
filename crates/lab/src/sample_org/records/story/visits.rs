//! Visits: the calls of every rep, in the order they took place.

use std::collections::BTreeMap;

use super::super::super::rng::Rng;
use super::super::calendar::{Day, HORIZON, Moment, OPENING, TODAY};
use super::super::value::{Id, Value};
use super::Story;
use super::company::{Company, District};
use super::market::{Account, Contact, Market};
use super::objects::CALL_REPORT;
use super::people::picks;
use super::phrases::{AGREEMENTS, IMPRESSIONS};
use super::planning::Plan;

/// A visit that took place, was called off, or is planned.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) id: Id,
    pub(super) rep: Id,
    /// The territory, as the market counts them.
    pub(super) territory: usize,
    pub(super) account: Id,
    pub(super) contact: Id,
    pub(super) licence: Option<Id>,
    pub(super) start: Moment,
    pub(super) minutes: i64,
    pub(super) completed: bool,
}

/// How many visits a rep made, and has planned.
const MADE: (u32, u32) = (82, 108);
const PLANNED: u32 = 8;

/// Makes the visits.
pub(super) fn make(story: &mut Story, company: &Company, market: &Market, plans: &[Plan]) -> Vec<Visit> {
    let mut rng = story.rng("visits");
    let mut diary = Vec::new();
    for (territory, (region, district, accounts)) in market.districts(company).enumerate() {
        for rep in &district.reps {
            let last = rep.left.unwrap_or(TODAY);
            let mut days: Vec<Day> = (0..rng.between(MADE.0, MADE.1))
                .map(|_| OPENING.plus(days_until(&mut rng, last, OPENING)).working())
                .filter(|day| *day <= last)
                .collect();
            if rep.left.is_none() {
                days.extend(
                    (0..PLANNED)
                        .map(|_| TODAY.plus(1 + days_until(&mut rng, HORIZON, TODAY.plus(3))).working()),
                );
            }
            for day in days {
                let (hour, minute) = (rng.between(8, 16), 5 * rng.below(12));
                let start = day.at(hour.into(), minute.into(), region.land.ahead);
                diary.push(Entry { start, day, territory, district, accounts, rep: rep.id });
            }
        }
    }
    // Two visits may begin at one time; who makes them then decides.
    diary.sort_by_key(|entry| (entry.start, entry.rep.number));
    let mut reporting = Reporting { story, rng, market, plans, latest: BTreeMap::new() };
    let visits: Vec<Visit> = diary.iter().filter_map(|entry| reporting.visit(entry)).collect();
    sum_up(story, &visits);
    visits
}

fn days_until(rng: &mut Rng, last: Day, first: Day) -> i64 {
    rng.below(u32::try_from(last.since(first)).unwrap_or_default()).into()
}

/// What each account and contact says about its visits.
fn sum_up(story: &mut Story, visits: &[Visit]) {
    let mut of_this_year: BTreeMap<u32, i64> = BTreeMap::new();
    let (year, ..) = TODAY.date();
    for visit in visits.iter().filter(|visit| visit.completed) {
        // In the order of time: the last one stays.
        story.amend(visit.account, "last_visit_at", visit.start);
        story.amend(visit.contact, "last_visit_at", visit.start);
        if visit.start.day() >= Day::of(year, 1, 1) {
            let count = of_this_year.entry(visit.contact.number).or_default();
            *count += 1;
            let count = *count;
            story.amend(visit.contact, "visits_this_year", count);
        }
    }
}

/// A line in a rep's diary.
struct Entry<'w> {
    start: Moment,
    day: Day,
    territory: usize,
    district: &'w District,
    accounts: &'w [Account],
    rep: Id,
}

struct Reporting<'s> {
    story: &'s mut Story,
    rng: Rng,
    market: &'s Market,
    plans: &'s [Plan],
    /// The last completed visit of an account by a rep.
    latest: BTreeMap<(u32, u32), Id>,
}

impl Reporting<'_> {
    fn visit(&mut self, entry: &Entry<'_>) -> Option<Visit> {
        let account = self.rng.choose(entry.accounts)?;
        let contact: &Contact = self.rng.choose(&account.contacts)?;
        let rng = &mut self.rng;
        let status = match (entry.day > TODAY, rng.below(100)) {
            (true, _) => "scheduled",
            (false, 0..5) => "cancelled_by_customer",
            (false, 5..8) => "cancelled_by_rep",
            // The reports of the last days are not all in yet.
            (false, 8..50) if TODAY.since(entry.day) <= 3 => "in_progress",
            _ => "completed",
        };
        let completed = status == "completed";
        let minutes = i64::from(rng.between(2, 18)) * 5;
        let submitted = completed.then(|| {
            let latest = TODAY.at(17, 45, 0).max(entry.start.plus(minutes));
            entry.start.plus(minutes + i64::from(rng.between(3, 2_000))).min(latest)
        });
        let joint = completed && rng.chance(8);
        let cycle = self.market.cycle(entry.day);
        let plan = self.plans.iter().find(|plan| plan.rep == entry.rep && Some(plan.cycle) == cycle);
        let pair = (entry.rep.number, account.id.number);
        let follow_up_of = self.latest.get(&pair).copied().filter(|_| rng.chance(60));
        let made = TODAY.at(9, 0, 0).min(entry.start.plus(-60 * i64::from(rng.between(30, 400))));
        let row = self.story.add(CALL_REPORT, made);
        let id = row.id;
        row.set("name", id.numbered("CR"))
            .set("owner", entry.rep)
            .set("rep", entry.rep)
            .set("manager", joint.then_some(entry.district.manager))
            .set("account", account.id)
            .set("contact", contact.id)
            .set("territory", entry.district.territory)
            .set("sales_cycle", cycle)
            .set("follow_up_of", follow_up_of)
            .set("visit_plan", plan.map(|plan| plan.id))
            .set("department", contact.department)
            .set("status", status)
            .set(
                "call_channel",
                rng.pick(&["clinic_visit", "clinic_visit", "clinic_visit", "phone_call", "video_call"]),
            )
            .set("outcome", outcome(status, rng))
            .set(
                "topics",
                picks(rng, &["dosing_schedule", "reimbursement", "study_results", "sample_request"]),
            )
            .set("started_at", entry.start)
            .set("submitted_at", submitted)
            .set("duration", completed.then_some(minutes))
            .set("attendees", completed.then(|| i64::from(rng.between(1, 3)) + i64::from(joint)))
            .set("is_joint_visit", joint)
            .set("checked_in_at", None::<&str>)
            .set("signature", signature(completed && rng.chance(4), rng))
            .set("next_step", completed.then(|| rng.pick(AGREEMENTS)))
            .set("summary", completed.then(|| summary(rng)));
        if completed {
            self.latest.insert(pair, id);
        }
        Some(Visit {
            id,
            rep: entry.rep,
            territory: entry.territory,
            account: account.id,
            contact: contact.id,
            licence: contact.licence,
            start: entry.start,
            minutes,
            completed,
        })
    }
}

fn outcome(status: &str, rng: &mut Rng) -> Option<&'static str> {
    match status {
        "cancelled_by_customer" => {
            Some(rng.pick(&["no_capacity_for_clinic_visit", "customer_declined_clinic_visit"]))
        }
        "cancelled_by_rep" => Some("scheduling_conflict_with_training_session"),
        "completed" => Some(rng.pick(&[
            "no_interest_in_sample_request",
            "customer_asked_for_study_results",
            "customer_asked_for_sample_request",
        ])),
        _ => None,
    }
}

fn summary(rng: &mut Rng) -> String {
    format!("{} {}", rng.pick(IMPRESSIONS), rng.pick(IMPRESSIONS))
}

/// Bytes that stand for a picture of a signature.
pub(super) fn signature(there: bool, rng: &mut Rng) -> Value {
    if !there {
        return Value::Null;
    }
    let length = rng.between(24, 160);
    let drawn = (0..length).map(|_| rng.next().to_le_bytes()[0]);
    Value::Bytes(b"\x89PNG\r\n\x1a\n".iter().copied().chain(drawn).collect())
}
