//! Orders: taken on a visit or by the order desk, in the order of their days.

use std::collections::BTreeMap;

use super::super::super::rng::Rng;
use super::super::calendar::{Day, OPENING, TODAY};
use super::super::value::{Digits, Id, Money, Percent};
use super::Story;
use super::company::{Company, District, Region};
use super::market::{Account, Market, Place};
use super::objects::{ORDER, ORDER_LINE};
use super::range::{Pack, Range};
use super::sales::Deals;
use super::visits::Visit;

/// An order.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) id: Id,
    pub(super) account: Id,
    pub(super) contact: Id,
    pub(super) address: Id,
    pub(super) contract: Option<Id>,
    /// Of its last line.
    pub(super) product: Id,
    /// The region, as the company counts them.
    pub(super) region: usize,
    pub(super) currency: &'static str,
    pub(super) placed: Day,
    pub(super) status: &'static str,
    /// After its discount, with freight.
    pub(super) payable: Money,
}

impl Order {
    /// Whether it left the order desk.
    pub(super) fn released(&self) -> bool {
        !matches!(self.status, "submitted" | "on_hold" | "cancelled_by_customer")
    }

    /// Whether goods went to the customer, rather than back.
    pub(super) fn shipped(&self) -> bool {
        matches!(self.status, "out_for_delivery" | "completed" | "disputed") && self.payable.0 > 0
    }
}

/// Orders that a territory places without a visit, and the share of visits that end with one.
const UNASKED: u32 = 60;
const AFTER_VISITS: u32 = 14;

/// Every so manyth order sends goods back.
const RETURNS: u32 = 160;

/// Takes orders.
pub(super) fn take(
    story: &mut Story,
    company: &Company,
    range: &Range,
    market: &Market,
    visits: &[Visit],
    deals: &Deals,
) -> Vec<Order> {
    let mut rng = story.rng("orders");
    let mut book = Vec::new();
    for (territory, (region, district, accounts)) in market.districts(company).enumerate() {
        let of_region = company.regions.iter().position(|other| other.id == region.id).unwrap_or_default();
        let mut entry = |account, placed: Day, visit| {
            book.push(Entry { placed, number: book.len(), of_region, region, district, account, visit });
        };
        let here = visits.iter().filter(|visit| visit.completed && visit.territory == territory);
        for visit in here {
            if !rng.chance(AFTER_VISITS) {
                continue;
            }
            let account = accounts.iter().find(|account| account.id == visit.account);
            entry(account, visit.start.day().plus(i64::from(rng.below(4))).working().min(TODAY), Some(visit));
        }
        for _ in 0..UNASKED {
            let placed = OPENING.plus(i64::from(rng.below(1_094))).working();
            entry(rng.choose(accounts), placed.min(TODAY), None);
        }
    }
    book.sort_by_key(|entry| (entry.placed, entry.number));
    let accounts: Vec<&Account> = market.territories.iter().flatten().collect();
    let mut taking =
        Taking { story, rng, company, range, deals, accounts, packs: range.packs(), latest: BTreeMap::new() };
    book.iter().filter_map(|entry| taking.order(entry)).collect()
}

/// A line in the order book.
struct Entry<'w> {
    placed: Day,
    number: usize,
    of_region: usize,
    region: &'w Region,
    district: &'w District,
    account: Option<&'w Account>,
    visit: Option<&'w Visit>,
}

struct Taking<'s> {
    story: &'s mut Story,
    rng: Rng,
    company: &'s Company,
    range: &'s Range,
    deals: &'s Deals,
    accounts: Vec<&'s Account>,
    packs: Vec<&'s Pack>,
    /// The last order of an account.
    latest: BTreeMap<u32, Id>,
}

impl Taking<'_> {
    fn order(&mut self, entry: &Entry<'_>) -> Option<Order> {
        let account = entry.account?;
        let rng = &mut self.rng;
        let customer = match entry.visit {
            Some(visit) => visit.contact,
            None => rng.choose(&account.contacts)?.id,
        };
        let reps = entry.district.active();
        let owner = match entry.visit {
            Some(visit) if reps.contains(&visit.rep) => visit.rep,
            _ if rng.chance(25) => self.company.queues.orders,
            _ => rng.pick(&reps),
        };
        let number = u32::try_from(self.story.rows(ORDER.object).len()).unwrap_or_default();
        let age = TODAY.since(entry.placed);
        let back = number % RETURNS == RETURNS - 1 && age > 30;
        let status = if back { "completed" } else { status(age, rng) };
        let contract =
            self.deals.contracts.get(&account.id.number).filter(|contract| contract.signed <= entry.placed);
        let currency = entry.region.land.currency;
        let pharmacy = account.place == Place::Pharmacy;
        let wholesaler = pharmacy.then(|| self.wholesaler(entry)).flatten();
        let bill_to = account.parent.unwrap_or(account.id);
        let rng = &mut self.rng;
        let freight: Money = Digits(if pharmacy || back { 0 } else { i64::from(rng.between(5, 90)) * 50 });
        let discount: Percent = Digits(i64::from(rng.below(9)) * 125);
        let reorder_of = self.latest.get(&account.id.number).copied().filter(|_| !back && rng.chance(15));
        let row = self.story.add(ORDER, entry.placed.at(15, 0, entry.region.land.ahead));
        let id = row.id;
        let released = entry.placed.plus(1).working().at(rng.between(6, 12).into(), 5, 0);
        let order = Order {
            id,
            account: account.id,
            contact: customer,
            address: account.address,
            contract: contract.map(|contract| contract.id),
            product: id,
            region: entry.of_region,
            currency,
            placed: entry.placed,
            status,
            payable: freight,
        };
        row.set("name", id.numbered("SO"))
            .set("owner", owner)
            .set("account", account.id)
            .set("bill_to", bill_to)
            .set("ordered_by", customer)
            .set("ship_to", account.address)
            .set("wholesaler", wholesaler)
            .set("contract", order.contract)
            .set("quote", contract.map(|contract| contract.quote).filter(|_| rng.chance(50)))
            .set("price_book", self.range.price_book(currency))
            .set("taken_during", entry.visit.map(|visit| visit.id))
            .set("approved_by", rng.chance(10).then_some(entry.district.manager))
            .set("reorder_of", reorder_of)
            .set("currency_code", currency)
            .set("status", status)
            .set(
                "delivery_terms",
                rng.pick(&["cold_chain_scheduled", "home_delivery_scheduled", "mail_order_sent"]),
            )
            .set("freight", freight)
            .set("discount", discount)
            .set("placed_on", entry.placed)
            .set("promised_for", entry.placed.plus(i64::from(rng.between(3, 25))).working())
            .set("released_at", order.released().then_some(released))
            .set("po_number", rng.chance(60).then(|| format!("PO-{}", rng.between(10_000, 99_999))))
            .set("delivery_address", None::<&str>)
            .set(
                "instructions",
                rng.chance(8).then_some("Ring at the goods entrance, back of the building."),
            );
        let lines = if back { 1 } else { self.rng.between(1, 5) };
        let (total, product) = (0..lines).fold((Digits(0), id), |(sum, _), line| {
            let (amount, product) = self.line(&order, line, back);
            (sum.plus(amount), product)
        });
        let net = total.share(Digits(10_000 - discount.0));
        self.story.amend(id, "total", total);
        self.story.amend(id, "net_of_rebate", net);
        self.latest.insert(account.id.number, id);
        Some(Order { payable: net.plus(freight), product, ..order })
    }

    fn line(&mut self, order: &Order, line: u32, back: bool) -> (Money, Id) {
        let rng = &mut self.rng;
        let pack = rng.pick(&self.packs);
        let quantity = i64::from(rng.between(1, 60)) * if back { -1 } else { 1 };
        let rebate: Percent = Digits(if rng.chance(30) { i64::from(rng.between(1, 24)) * 75 } else { 0 });
        let price = pack.price(order.currency);
        let amount = Money::share(Digits(price.0 * quantity), Digits(10_000 - rebate.0));
        let row = self.story.add(ORDER_LINE, order.placed.at(15, 1, 0));
        row.set("name", format!("{}-{:02}", order.id.numbered("SO"), line + 1))
            .set("order", order.id)
            .set("product", pack.id)
            .set("lot", None::<Id>)
            .set("quantity", quantity)
            .set("unit_price", price)
            .set("amount", amount)
            .set("rebate", rebate)
            .set("currency_code", order.currency);
        (amount, pack.id)
    }

    /// A wholesaler of the same territory.
    fn wholesaler(&mut self, entry: &Entry<'_>) -> Option<Id> {
        let city = entry.district.city;
        let near = self.accounts.iter().filter(|account| account.place == Place::Wholesaler);
        let near: Vec<Id> =
            near.filter(|account| account.name.ends_with(city)).map(|account| account.id).collect();
        self.rng.choose(&near).copied()
    }
}

/// What became of an order so many days ago.
fn status(age: i64, rng: &mut Rng) -> &'static str {
    match (age, rng.below(100)) {
        (_, 0..4) => "cancelled_by_customer",
        (0..3, _) => "submitted",
        (3..60, 4..10) => "on_hold",
        (3..8, _) => "released",
        (8..16, _) => "out_for_delivery",
        (_, 4..6) => "disputed",
        _ => "completed",
    }
}
