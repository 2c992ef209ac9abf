//! What customers ask: cases for the service desk, inquiries for medical affairs.

use super::super::super::rng::Rng;
use super::super::calendar::{Moment, OPENING, TODAY};
use super::super::value::Id;
use super::Story;
use super::company::Company;
use super::market::{Account, Market};
use super::objects::{CASE, INQUIRY_ANSWER, MEDICAL_INQUIRY};
use super::orders::Order;
use super::people::picks;
use super::phrases::{COMPLAINTS, QUESTIONS};
use super::range::Range;
use super::visits::Visit;

const CASES: u32 = 900;
const INQUIRIES: u32 = 420;

/// Answers customers. Returns the cases.
pub(super) fn answer(
    story: &mut Story,
    company: &Company,
    range: &Range,
    market: &Market,
    visits: &[Visit],
    orders: &[Order],
) -> Vec<Id> {
    let mut desk = Desk { rng: story.rng("service"), story, company, range };
    let mut calls: Vec<Moment> = (0..CASES).map(|_| moment(&mut desk.rng)).collect();
    calls.sort();
    let mut cases = Vec::new();
    for (at, received) in calls.into_iter().enumerate() {
        let (region, _, accounts) = desk.rng.pick(&market.districts(company).collect::<Vec<_>>());
        if let Some(account) = desk.rng.choose(accounts) {
            // The cases before this one were about whatever they were about: some belong together.
            let parent = cases.get(at.saturating_sub(9)).copied().filter(|_| at % 20 == 19);
            cases.push(desk.case(received, region.hours, account, orders, parent));
        }
    }
    let mut raised: Vec<&Visit> = visits.iter().filter(|visit| visit.completed).collect();
    let step = (raised.len() / INQUIRIES as usize).max(1);
    raised = raised.into_iter().skip(3).step_by(step).take(INQUIRIES as usize).collect();
    for visit in raised {
        desk.inquiry(visit);
    }
    cases
}

/// Any time of the last three years, up to last night.
fn moment(rng: &mut Rng) -> Moment {
    OPENING.at(0, 0, 0).plus(i64::from(rng.below(1_094 * 1_440)))
}

struct Desk<'s> {
    story: &'s mut Story,
    rng: Rng,
    company: &'s Company,
    range: &'s Range,
}

impl Desk<'_> {
    fn case(
        &mut self,
        received: Moment,
        hours: Id,
        account: &Account,
        orders: &[Order],
        parent: Option<Id>,
    ) -> Id {
        let rng = &mut self.rng;
        let (subject, description) = rng.pick(COMPLAINTS);
        let order =
            orders.iter().rev().find(|order| order.account == account.id && order.placed < received.day());
        // What it was about, where it was about an order.
        let packs = self.range.packs();
        let ordered = order.and_then(|order| packs.iter().find(|pack| pack.id == order.product));
        let pack = ordered.copied().unwrap_or_else(|| rng.pick(&packs));
        let closing = received.plus(i64::from(rng.between(40, 20_000)));
        let closed = closing < TODAY.at(12, 0, 0) && rng.chance(95);
        let status = match (closed, rng.below(100)) {
            (true, _) => "completed",
            (false, 0..50) => "acknowledged",
            (false, 50..85) => "in_progress",
            (false, _) => "on_hold",
        };
        // What nobody works on waits in the queue.
        let waits = status == "acknowledged" || status == "on_hold";
        let owner = if waits { self.company.queues.service } else { rng.pick(&self.company.agents) };
        let contact = rng.choose(&account.contacts).map(|contact| contact.id);
        let row = self.story.add(CASE, received);
        row.set("case_number", row.id.numbered("CS"))
            .set("owner", owner)
            .set("account", account.id)
            .set("contact", contact)
            .set("product", pack.id)
            .set("order", order.map(|order| order.id))
            .set("parent_case", parent)
            .set("opening_hours", hours)
            .set("subject", subject)
            .set("status", status)
            .set("priority", rng.pick(&["low", "medium", "medium", "medium", "high", "urgent"]))
            .set("origin", rng.pick(&["phone_call", "mail_order", "clinic_visit", "video_call"]))
            .set("closed_at", closed.then_some(closing))
            .set("is_escalated", rng.chance(6))
            .set("description", description.replace("{}", &pack.name))
            .id
    }

    fn inquiry(&mut self, visit: &Visit) {
        let rng = &mut self.rng;
        let brand = rng.pick(&self.range.brands.iter().collect::<Vec<_>>());
        let Some(pack) = brand.packs.first() else { return };
        let received = visit.start.plus(visit.minutes);
        let answering = received.plus(i64::from(rng.between(300, 30_000)));
        let answered = answering < TODAY.at(12, 0, 0) && rng.chance(96);
        let specialist = rng.pick(&self.company.specialists);
        let owner = if answered { specialist } else { self.company.queues.medical };
        let question = rng.pick(QUESTIONS).replace("{}", &pack.name);
        let row = self.story.add(MEDICAL_INQUIRY, received);
        let id = row.id;
        row.set("name", id.numbered("MI"))
            .set("owner", owner)
            .set("asked_by", visit.contact)
            .set("account", visit.account)
            .set("product", pack.id)
            .set("indication", brand.indication)
            .set("received_by", visit.rep)
            .set("answered_by", answered.then_some(specialist))
            .set("call_report", visit.id)
            .set("duplicate_of", None::<Id>)
            .set("status", if answered { "completed" } else { "in_review" })
            .set("response_channel", rng.pick(&["phone_call", "video_call", "webinar"]))
            .set("topics", picks(rng, &["dosing_schedule", "safety_briefing", "study_results"]))
            .set("received_at", received)
            .set("answered_at", answered.then_some(answering))
            .set("off_label", rng.chance(12))
            .set("question", question.as_str());
        if answered {
            let row = self.story.add(INQUIRY_ANSWER, answering);
            row.set("name", row.id.numbered("IA"))
                .set("medical_inquiry", id)
                .set("author", specialist)
                .set("sent_at", answering)
                .set(
                    "body",
                    format!("You asked: {question} Please find our summary of the evidence enclosed."),
                );
        }
    }
}
