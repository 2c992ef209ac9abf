//! Products, what is said about them, and what they are compared with.

use super::super::spec::{
    bytes, date, decimal, flag, integer, link, long_text, money, pick, picks, text, url,
};
use super::super::values::Values;
use super::{Business, CURRENCY, REP, business};

pub(super) const OBJECTS: &[Business] = &[
    business("product", "Product", 128).with(&[
        text("name", "Product Name", 255).required(),
        link("family", "Product Family", &["product_family"]),
        link("therapeutic_area", "Therapeutic Area", &["therapeutic_area"]),
        link("main_indication", "Main Indication", &["indication"]),
        link("replaces", "Successor Of", &["product"]),
        link("brand_manager", "Brand Manager", &["user"]),
        text("product_code", "Product Code", 40).required().unique(),
        text("substance", "Active Substance", 255),
        pick("form", "Pharmaceutical Form", Values::Products),
        pick("schedule", "Controlled Substance Class", Values::Levels),
        picks("markets", "Approved In", Values::Countries),
        money("list_price", "List Price"),
        CURRENCY,
        decimal("strength", "Strength (mg)"),
        integer("shelf_life", "Months of Shelf Life"),
        flag("cold_chain", "Needs Cooling"),
        flag("is_sample", "Sample"),
        date("launched", "Launch Date"),
        date("loss_of_exclusivity", "Patent Expiry"),
        url("label_link", "Prescribing Information"),
        long_text("positioning", "Positioning", 32_000),
    ]),
    business("product_family", "Product Family", 15).with(&[
        text("name", "Family", 80).required(),
        link("therapeutic_area", "Therapeutic Area", &["therapeutic_area"]),
        link("parent", "Parent Family", &["product_family"]),
        flag("promoted", "Promoted"),
    ]),
    business("therapeutic_area", "Therapeutic Area", 11).with(&[
        text("name", "Therapeutic Area", 80).required(),
        link("medical_lead", "Medical Lead", &["user"]),
        flag("strategic", "Strategic"),
    ]),
    business("indication", "Indication", 16).with(&[
        text("name", "Indication", 255).required(),
        link("therapeutic_area", "Therapeutic Area", &["therapeutic_area"]),
        pick("code", "Diagnosis Code", Values::Conditions),
        date("approved", "Approved"),
    ]),
    business("competitor_product", "Competitor Product", 27).with(&[
        text("name", "Product Name", 255).required(),
        link("competes_with", "Competes With", &["product"]),
        link("indication", "Indication", &["indication"]),
        text("manufacturer", "Manufacturer", 255),
        money("list_price", "List Price"),
        CURRENCY,
    ]),
    business("key_message", "Key Message", 18).with(&[
        text("name", "Message", 255).required(),
        link("product", "Product", &["product"]),
        link("indication", "Indication", &["indication"]),
        pick("category", "Category", Values::Categories),
        date("approved_until", "Approved Until"),
    ]),
    business("clm_presentation", "Detail Aid", 25).with(&[
        text("name", "Presentation", 255).required(),
        REP,
        link("product", "Product", &["product"]),
        link("training_for", "Rehearsal Of", &["clm_presentation"]),
        picks("languages", "Languages", Values::Languages),
        integer("slides", "Slides").calculated(),
        date("expires", "Withdraw On"),
    ]),
    business("clm_slide", "Detail Aid Slide", 17).not_queryable().with(&[
        text("name", "Slide", 255).required(),
        link("presentation", "Presentation", &["clm_presentation"]).required(),
        link("key_message", "Key Message", &["key_message"]),
        integer("position", "Position"),
        bytes("thumbnail", "Preview"),
    ]),
    business("price_book", "Price Book", 16).with(&[
        text("name", "Price Book", 255).required(),
        link("based_on", "Based On", &["price_book"]),
        pick("country", "Country", Values::Countries),
        CURRENCY,
        flag("is_standard", "Standard"),
    ]),
];
