//! Sales: opportunities, and what they are quoted and contracted at.

use std::collections::BTreeMap;

use super::super::super::rng::Rng;
use super::super::calendar::{Day, HORIZON, OPENING, TODAY};
use super::super::value::{Digits, Id, Money, Percent};
use super::Story;
use super::company::{Company, District, Region};
use super::market::{Account, Market, Place};
use super::objects::{CONTRACT, OPPORTUNITY, OPPORTUNITY_LINE, QUOTE};
use super::range::{Pack, Range};

/// What came of the opportunities.
#[derive(Debug, Default)]
pub(super) struct Deals {
    pub(super) opportunities: Vec<Id>,
    /// The latest contract of an account, by its number.
    pub(super) contracts: BTreeMap<u32, Contract>,
}

/// A contract, and the quote that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contract {
    pub(super) id: Id,
    pub(super) quote: Id,
    pub(super) signed: Day,
}

/// Opportunities of a territory.
const OPPORTUNITIES: u32 = 30;

/// Follows opportunities up.
pub(super) fn win(story: &mut Story, company: &Company, range: &Range, market: &Market) -> Deals {
    let mut winning =
        Winning { rng: story.rng("sales"), story, packs: range.packs(), range, deals: Deals::default() };
    for (region, district, accounts) in market.districts(company) {
        let buyers: Vec<&Account> =
            accounts.iter().filter(|account| account.place != Place::Pharmacy).collect();
        for _ in 0..OPPORTUNITIES {
            winning.opportunity(region, district, &buyers);
        }
    }
    winning.deals
}

struct Winning<'s> {
    story: &'s mut Story,
    rng: Rng,
    range: &'s Range,
    packs: Vec<&'s Pack>,
    deals: Deals,
}

/// An opportunity that was quoted for.
struct Deal<'w> {
    opportunity: Id,
    account: &'w Account,
    owner: Id,
    contact: Option<Id>,
    amount: Money,
    currency: &'static str,
    opened: Day,
    close: Day,
    won: bool,
}

impl Winning<'_> {
    fn opportunity(&mut self, region: &Region, district: &District, buyers: &[&Account]) {
        let rng = &mut self.rng;
        let account = rng.pick(buyers);
        let opened = OPENING.plus(i64::from(rng.below(1_060))).working();
        let close = opened.plus(i64::from(rng.between(20, 200))).min(HORIZON);
        let (stage, probability) = match (close > TODAY, rng.below(100)) {
            (true, 0..40) => ("in_review", 20),
            (true, 40..75) => ("in_negotiation", 60),
            (true, _) => ("awaiting_signature", 90),
            (false, 0..45) => ("signed", 100),
            (false, 45..85) => ("rejected", 0),
            (false, _) => ("withdrawn", 0),
        };
        let lost = stage == "rejected";
        let tender = account.place == Place::Hospital && rng.chance(40);
        let owner = if tender { rng.pick(&region.key_accounts) } else { rng.pick(&district.active()) };
        let probability: Percent = Digits(probability * 100);
        let contact = rng.choose(&account.contacts).map(|contact| contact.id);
        let rival = rng.chance(50).then(|| rng.pick(&self.range.rivals));
        let currency = region.land.currency;
        let row = self.story.add(OPPORTUNITY, opened.at(9, 0, region.land.ahead));
        let id = row.id;
        row.set("account", account.id)
            .set("owner", owner)
            .set("contact", contact)
            .set("campaign", None::<Id>)
            .set("price_book", self.range.price_book(currency))
            .set("competitor_product", rival)
            .set("territory", district.territory)
            .set("sales_manager", district.manager)
            .set("currency_code", currency)
            .set("stage", stage)
            .set(
                "lost_reason",
                lost.then(|| {
                    rng.pick(&[
                        "competitor_preferred_for_formulary_review",
                        "budget_exhausted_for_product_launch",
                    ])
                }),
            )
            .set("probability", probability)
            .set("close_date", close)
            .set("is_tender", tender)
            .set("next_step", (close > TODAY).then_some("Send the revised offer."));
        let (amount, first) = self.lines(id, currency, opened);
        self.story.amend(id, "name", format!("{} {}", account.name, first.unwrap_or_default()));
        self.story.amend(id, "amount", amount);
        self.story.amend(id, "expected_revenue", amount.share(probability));
        self.deals.opportunities.push(id);
        let won = stage == "signed";
        if won || stage != "withdrawn" && self.rng.chance(60) {
            let deal =
                Deal { opportunity: id, account, owner, contact, amount, currency, opened, close, won };
            let quote = self.quote(&deal);
            if won && self.rng.chance(60) {
                self.contract(&deal, quote);
            }
        }
    }

    fn quote(&mut self, deal: &Deal<'_>) -> Id {
        let sent = deal.opened.plus(deal.close.since(deal.opened) / 2).min(TODAY);
        let open = deal.close > TODAY;
        let status = if deal.won {
            "signed"
        } else if open {
            "sent"
        } else {
            "expired"
        };
        let row = self.story.add(QUOTE, sent.at(11, 0, 0));
        row.set("name", row.id.numbered("QU"))
            .set("owner", deal.owner)
            .set("account", deal.account.id)
            .set("opportunity", deal.opportunity)
            .set("contact", deal.contact)
            .set("price_book", self.range.price_book(deal.currency))
            .set("total", deal.amount)
            .set("currency_code", deal.currency)
            .set("valid_until", sent.month(2).plus(-1))
            .set("status", status)
            .id
    }

    /// A contract runs from the first of a month to the last of another.
    fn contract(&mut self, deal: &Deal<'_>, quote: Id) {
        let rng = &mut self.rng;
        let term = i64::from(rng.between(1, 3)) * 12;
        let starts = deal.close.month(1);
        let ends = starts.month(term).plus(-1);
        let status = if ends < TODAY { "expired" } else { "signed" };
        let discount: Percent = Digits(i64::from(rng.between(0, 12)) * 125);
        let value = Digits(deal.amount.0 * term / 12);
        let row = self.story.add(CONTRACT, deal.close.at(15, 0, 0));
        let id = row.id;
        row.set("name", id.numbered("CO"))
            .set("owner", deal.owner)
            .set("account", deal.account.id)
            .set("parent_contract", None::<Id>)
            .set("price_book", self.range.price_book(deal.currency))
            .set("signed_by", deal.contact)
            .set("tender", deal.opportunity)
            .set("currency_code", deal.currency)
            .set("value", value)
            .set("committed_spend", value.share(Digits(6_000)))
            .set("base_discount", discount)
            .set("term", term)
            .set("starts", starts)
            .set("ends", ends)
            .set("auto_renew", rng.chance(40))
            .set("status", status)
            .set("special_terms", None::<&str>);
        let contract = Contract { id, quote, signed: deal.close };
        self.deals.contracts.insert(deal.account.id.number, contract);
    }

    /// The lines of an opportunity: their sum, and what the first is for.
    fn lines(&mut self, opportunity: Id, currency: &'static str, opened: Day) -> (Money, Option<String>) {
        let mut sum: Money = Digits(0);
        let mut first = None;
        for _ in 0..self.rng.between(1, 3) {
            let pack = self.rng.pick(&self.packs);
            let quantity = i64::from(self.rng.between(2, 80)) * 10;
            let amount: Money = Digits(pack.price(currency).0 * quantity);
            sum = sum.plus(amount);
            let row = self.story.add(OPPORTUNITY_LINE, opened.at(9, 10, 0));
            row.set("name", row.id.numbered("OL"))
                .set("opportunity", opportunity)
                .set("product", pack.id)
                .set("quantity", quantity)
                .set("amount", amount)
                .set("currency_code", currency);
            first.get_or_insert_with(|| pack.name.clone());
        }
        (sum, first)
    }
}
