//! What follows an order: shipments and invoices.

use super::super::calendar::TODAY;
use super::super::value::{Digits, Id, Money};
use super::Story;
use super::company::Company;
use super::objects::{INVOICE, SHIPMENT};
use super::orders::Order;
use super::range::Range;

/// Days that a customer has to pay.
const TERM: i64 = 30;

/// Ships and bills what was ordered.
pub(super) fn deliver(story: &mut Story, company: &Company, range: &Range, orders: &[Order]) {
    let mut rng = story.rng("delivery");
    for order in orders.iter().filter(|order| order.shipped()) {
        let shipped = order.placed.plus(1).working().plus(1).working().at(rng.between(10, 18).into(), 30, 0);
        let delivered = shipped.plus(i64::from(rng.between(600, 7_000)));
        let arrived = order.status != "out_for_delivery" && delivered < TODAY.at(18, 0, 0);
        let row = story.add(SHIPMENT, shipped.plus(-45));
        let id = row.id;
        row.set("name", id.numbered("SH"))
            .set("order", order.id)
            .set("warehouse", range.warehouses.get(order.region).copied())
            .set("ship_to", order.address)
            .set("received_by", arrived.then_some(order.contact))
            .set("shipped_at", shipped)
            .set("delivered_at", arrived.then_some(delivered))
            .set("max_temperature", Digits::<4>(rng.between(40_000, 260_000).into()))
            .set("tracking_link", format!("https://track.example.com/{id}"))
            .set("carrier", rng.pick(&["home_delivery", "mail_order", "cold_chain"]));
    }
    for order in orders.iter().filter(|order| order.released()) {
        let issued = order.placed.plus(i64::from(rng.between(2, 6))).working().min(TODAY);
        let due = issued.plus(TERM);
        let net = order.payable;
        let tax = if order.currency == "EUR" { net.share(Digits(1_900)) } else { Digits(0) };
        let gross = net.plus(tax);
        let overdue = due < TODAY && rng.chance(4);
        let open = order.status == "disputed" || overdue || due >= TODAY && rng.chance(70);
        let status = match (order.status, overdue, open) {
            ("disputed", ..) => "disputed",
            (_, true, _) => "expired",
            (_, _, true) => "sent",
            _ => "reconciled",
        };
        let paid = Money::default();
        let row = story.add(INVOICE, issued.at(16, 0, 0));
        row.set("name", row.id.numbered("IN"))
            .set("order", order.id)
            .set("account", order.account)
            .set("contract", order.contract)
            .set("dunning_owner", overdue.then(|| dunning(company, order)))
            .set("currency_code", order.currency)
            .set("gross", gross)
            .set("net", net)
            .set("open_balance", if open { gross } else { paid })
            .set("issued", issued)
            .set("due", due)
            .set("status", status);
    }
}

/// Hospitals' contracts are collected by the head of the region, everything else by a queue.
fn dunning(company: &Company, order: &Order) -> Id {
    let head = order.contract.and_then(|_| company.regions.get(order.region)).map(|region| region.head);
    head.unwrap_or(company.queues.dunning)
}
