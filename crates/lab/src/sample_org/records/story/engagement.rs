//! Campaigns and leads, and what everybody still has to do.

use super::super::super::rng::Rng;
use super::super::super::words::DISTRICTS;
use super::super::calendar::{Day, OPENING, TODAY};
use super::super::value::{Digits, Id, Money, Percent};
use super::Story;
use super::company::{Company, District};
use super::market::{Account, Contact, Market, phone};
use super::names::{Names, Script};
use super::objects::{CAMPAIGN, CAMPAIGN_MEMBER, EVENT, LEAD, TASK};
use super::orders::Order;
use super::phrases::{EVENTS, TASKS};
use super::range::Range;
use super::sales::Deals;

const CAMPAIGNS: i64 = 12;
const LEADS: u32 = 240;
/// Of a territory.
const TASKS_OPENED: u32 = 84;
const EVENTS_HELD: u32 = 18;

/// Engages customers.
pub(super) fn engage(
    story: &mut Story,
    company: &Company,
    range: &Range,
    market: &Market,
    deals: &Deals,
    orders: &[Order],
    cases: &[Id],
) {
    let mut rng = story.rng("engagement");
    let campaigns = campaigns(story, &mut rng, company, range, market);
    let leads = leads(story, &mut rng, company, range, &campaigns);
    for (at, (_, district, accounts)) in market.districts(company).enumerate() {
        for campaign in &campaigns {
            members(story, &mut rng, campaign, accounts, leads.get(at));
        }
        let topics = Topics { leads: &leads, orders, deals, cases };
        for _ in 0..TASKS_OPENED {
            task(story, &mut rng, company, district, accounts, &topics);
        }
        for _ in 0..EVENTS_HELD {
            event(story, &mut rng, district, accounts, &campaigns);
        }
    }
    for (opportunity, campaign) in deals.opportunities.iter().step_by(5).zip(campaigns.iter().cycle()) {
        story.amend(*opportunity, "campaign", campaign.id);
    }
}

struct Campaign {
    id: Id,
    starts: Day,
}

fn campaigns(
    story: &mut Story,
    rng: &mut Rng,
    company: &Company,
    range: &Range,
    market: &Market,
) -> Vec<Campaign> {
    let mut campaigns: Vec<Campaign> = Vec::new();
    for (quarter, brand) in (0..CAMPAIGNS).zip(range.brands.iter().cycle()) {
        let starts = OPENING.month(1 + quarter * 3);
        let (year, month, _) = starts.date();
        let pack = brand.packs.first();
        let brand_name = pack.and_then(|pack| pack.name.split(' ').next()).unwrap_or_default();
        let budget: Money = Digits(i64::from(rng.between(20, 160)) * 100_000);
        let responses: Percent = Digits(rng.between(150, 2_400).into());
        // The second half of a year carries on the campaign of its first.
        let parent = campaigns.last().filter(|_| quarter % 4 >= 2).map(|campaign| campaign.id);
        let row = story.add(CAMPAIGN, starts.month(-2).at(9, 0, 0));
        row.set("name", format!("{brand_name} {year}-Q{}", (month + 2) / 3))
            .set("owner", rng.pick(&company.brand_managers))
            .set("parent", parent)
            .set("product", pack.map(|pack| pack.id))
            .set("segment", rng.choose(&market.segments).copied())
            .set("channel", rng.pick(&["webinar", "e_detailing", "conference", "speaker_evening"]))
            .set("budget", budget)
            .set("currency_code", "EUR")
            .set("response_rate", responses)
            .set("starts", starts)
            .set("ends", starts.month(3).plus(-1));
        campaigns.push(Campaign { id: row.id, starts });
    }
    campaigns
}

fn leads(
    story: &mut Story,
    rng: &mut Rng,
    company: &Company,
    range: &Range,
    campaigns: &[Campaign],
) -> Vec<Id> {
    let mut names = Names::default();
    let reps: Vec<Id> =
        company.regions.iter().flat_map(|region| &region.districts).flat_map(District::active).collect();
    (0..LEADS)
        .map(|_| {
            let name = names.draw(Script::Latin, rng);
            let campaign = rng.choose(campaigns);
            let met =
                campaign.map_or(OPENING, |campaign| campaign.starts).plus(rng.below(80).into()).min(TODAY);
            let waits = rng.chance(35);
            let owner = if waits { company.queues.leads } else { rng.pick(&reps) };
            let login = name.login().unwrap_or_default();
            let row = story.add(LEAD, met.at(13, 0, 0));
            row.set("name", name.full.as_str())
                .set("owner", owner)
                .set("converted_account", None::<Id>)
                .set("converted_contact", None::<Id>)
                .set("converted_opportunity", None::<Id>)
                .set("campaign", campaign.map(|campaign| campaign.id))
                .set("specialty", rng.choose(&range.specialties).map(|(id, _)| *id))
                .set("company", format!("{} Practice {}", name.last, rng.pick(DISTRICTS)))
                .set("email", format!("{login}@mail.example.net"))
                .set("phone", phone(rng))
                .set("source", rng.pick(&["webinar", "conference", "phone_call", "peer_discussion"]))
                .set(
                    "status",
                    if waits { "submitted" } else { rng.pick(&["in_progress", "rejected", "in_review"]) },
                )
                .id
        })
        .collect()
}

/// Members of a campaign in one territory: contacts, and sometimes a lead.
fn members(story: &mut Story, rng: &mut Rng, campaign: &Campaign, accounts: &[Account], lead: Option<&Id>) {
    let contacts = (0..3).filter_map(|_| rng.choose(accounts)).filter_map(|account| account.contacts.last());
    let mut members: Vec<Id> = contacts.map(|contact| contact.id).collect();
    members.dedup();
    members.extend(lead.filter(|_| rng.chance(30)));
    for member in members {
        let invited = campaign.starts.plus(-14).at(8, 0, 0);
        let responded = (campaign.starts < TODAY && rng.chance(25))
            .then(|| campaign.starts.at(0, 0, 0).plus(i64::from(rng.below(60 * 1_440))));
        let responded = responded.filter(|moment| moment.day() < TODAY);
        let row = story.add(CAMPAIGN_MEMBER, invited);
        row.set("name", row.id.numbered("CM"))
            .set("campaign", campaign.id)
            .set("member", member)
            .set("status", if responded.is_some() { "acknowledged" } else { "sent" })
            .set("responded_at", responded);
    }
}

/// What a task can be about besides an account and a contact of its territory.
struct Topics<'w> {
    leads: &'w [Id],
    orders: &'w [Order],
    deals: &'w Deals,
    cases: &'w [Id],
}

fn task(
    story: &mut Story,
    rng: &mut Rng,
    company: &Company,
    district: &District,
    accounts: &[Account],
    topics: &Topics<'_>,
) {
    let account = rng.choose(accounts);
    let contact =
        account.and_then(|account| rng.choose(&account.contacts)).map(|contact: &Contact| contact.id);
    let related_to = match rng.below(100) {
        0..40 => account.map(|account| account.id),
        40..55 => contact,
        55..70 => rng.choose(topics.orders).map(|order| order.id),
        70..80 => rng.choose(&topics.deals.opportunities).copied(),
        80..88 => rng.choose(topics.cases).copied(),
        88..92 => rng.choose(topics.leads).copied(),
        _ => None,
    };
    let who = if rng.chance(6) { rng.choose(topics.leads).copied() } else { contact };
    let due = OPENING.plus(i64::from(rng.below(1_150))).working();
    let closed = due < TODAY && rng.chance(92);
    let status = match (closed, rng.below(10)) {
        (true, _) => "completed",
        (false, 0..3) => "in_progress",
        (false, _) => "scheduled",
    };
    let queue = rng.chance(8);
    let owner = if queue { company.queues.service } else { rng.pick(&district.active()) };
    let created = due.plus(-i64::from(rng.between(1, 30))).at(14, 0, 0).min(TODAY.at(12, 0, 0));
    let row = story.add(TASK, created);
    row.set("subject", rng.pick(TASKS))
        .set("owner", owner)
        .set("related_to", related_to)
        .set("who", who)
        .set("status", status)
        .set("priority", rng.pick(&["low", "medium", "medium", "high"]))
        .set("due", rng.chance(94).then_some(due))
        .set("is_closed", closed)
        .set("comments", rng.chance(20).then_some("Agreed on the phone."));
}

fn event(
    story: &mut Story,
    rng: &mut Rng,
    district: &District,
    accounts: &[Account],
    campaigns: &[Campaign],
) {
    let account = rng.choose(accounts);
    let who = account.and_then(|account| account.contacts.first()).map(|contact| contact.id);
    let related_to = match rng.below(10) {
        0..6 => account.map(|account| account.id),
        6..8 => rng.choose(campaigns).map(|campaign| campaign.id),
        _ => None,
    };
    let day = OPENING.plus(i64::from(rng.below(1_170))).working();
    let all_day = rng.chance(15);
    let starts = if all_day { day.at(0, 0, 0) } else { day.at(rng.between(7, 18).into(), 0, 0) };
    let minutes = if all_day { 1_440 } else { i64::from(rng.between(1, 8)) * 30 };
    let row = story.add(EVENT, day.plus(-40).at(9, 0, 0).min(TODAY.at(9, 0, 0)));
    row.set("subject", rng.pick(EVENTS))
        .set("owner", rng.pick(&district.active()))
        .set("related_to", related_to)
        .set("who", who)
        .set("venue", None::<Id>)
        .set("starts_at", starts)
        .set("ends_at", starts.plus(minutes))
        .set("all_day", all_day);
}
