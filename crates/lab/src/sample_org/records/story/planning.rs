//! Call plans: whom a rep means to visit in a cycle, and how far that came.

use super::super::calendar::{Day, HORIZON, TODAY};
use super::super::value::{Digits, Id, Percent};
use super::Story;
use super::company::Company;
use super::market::{Contact, Market};
use super::objects::{CALL_PLAN, CALL_PLAN_TARGET};
use super::range::Range;
use super::visits::Visit;

/// A rep's plan for a cycle.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) id: Id,
    pub(super) rep: Id,
    pub(super) cycle: Id,
    /// The territory, as the market counts them.
    territory: usize,
    first: Day,
    last: Day,
}

/// Plans that have targets begin at most so many days ago.
const DETAILED: i64 = 190;

/// Contacts that such a plan names.
const TARGETS: usize = 6;

/// Makes a plan for every rep and cycle.
pub(super) fn plan(story: &mut Story, company: &Company, market: &Market) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (at, (cycle, starts)) in market.cycles.iter().enumerate() {
        let last = market.cycles.get(at + 1).map_or(HORIZON.month(1), |(_, next)| *next).plus(-1);
        for (territory, (_, district, _)) in market.districts(company).enumerate() {
            let staff = district.reps.iter().filter(|rep| rep.left.is_none_or(|left| left > *starts));
            for rep in staff {
                let made = starts.month(-1).plus(19).working().min(TODAY);
                let row = story.add(CALL_PLAN, made.at(9, 0, 0));
                let status = if last < TODAY { "completed" } else { "in_progress" };
                let status = if *starts > TODAY { "submitted" } else { status };
                let id = row.id;
                row.set("name", id.numbered("CP"))
                    .set("owner", rep.id)
                    .set("territory", district.territory)
                    .set("sales_cycle", *cycle)
                    .set("approved_by", (*starts <= TODAY).then_some(district.manager))
                    .set("attainment", None::<Percent>)
                    .set("status", status);
                plans.push(Plan { id, rep: rep.id, cycle: *cycle, territory, first: *starts, last });
            }
        }
    }
    plans
}

/// Names the targets of the latest plans, and counts what was done about them.
pub(super) fn target(story: &mut Story, range: &Range, market: &Market, visits: &[Visit], plans: &[Plan]) {
    let mut rng = story.rng("planning");
    for plan in plans.iter().filter(|plan| plan.first <= TODAY && TODAY.since(plan.first) <= DETAILED) {
        let accounts = market.territories.get(plan.territory).map_or(&[][..], Vec::as_slice);
        let mut done_in_all = 0;
        let mut planned_in_all = 0;
        let mut named: Vec<Id> = Vec::new();
        while named.len() < TARGETS {
            let Some(account) = rng.choose(accounts) else { break };
            let Some(Contact { id: contact, .. }) = rng.choose(&account.contacts) else { break };
            if named.contains(contact) {
                continue;
            }
            named.push(*contact);
            let done = visits
                .iter()
                .filter(|visit| visit.completed && visit.rep == plan.rep && visit.contact == *contact)
                .filter(|visit| (plan.first..=plan.last).contains(&visit.start.day()))
                .count();
            let done = i64::try_from(done).unwrap_or_default();
            let planned = i64::from(rng.between(1, 4));
            done_in_all += done.min(planned);
            planned_in_all += planned;
            let product =
                rng.pick(&range.brands.iter().collect::<Vec<_>>()).packs.first().map(|pack| pack.id);
            let row = story.add(CALL_PLAN_TARGET, plan.first.month(-1).plus(20).at(9, 30, 0));
            row.set("name", row.id.numbered("CT"))
                .set("call_plan", plan.id)
                .set("contact", *contact)
                .set("account", account.id)
                .set("product", product)
                .set("segment", rng.choose(&market.segments).copied())
                .set("planned", planned)
                .set("done", done);
        }
        let attainment: Percent = Digits(done_in_all * 10_000 / planned_in_all.max(1));
        story.amend(plan.id, "attainment", attainment);
    }
}
