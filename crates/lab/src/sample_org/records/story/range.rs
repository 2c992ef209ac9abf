//! The range: what the company sells and samples, and everything that is said about it.

use super::super::super::rng::Rng;
use super::super::super::words::{SPECIALTIES, STRENGTHS};
use super::super::calendar::{Day, OPENING, TODAY};
use super::super::value::{Decimal, Digits, Id, Money};
use super::Story;
use super::company::Company;
use super::objects::{
    CLM_PRESENTATION, CLM_SLIDE, COMPETITOR_PRODUCT, INDICATION, KEY_MESSAGE, PRICE_BOOK, PRODUCT,
    PRODUCT_FAMILY, SAMPLE_LOT, SPECIALTY, THERAPEUTIC_AREA, WAREHOUSE,
};
use super::phrases::{AREAS, Area, MESSAGES, SLIDES};

/// Packs that a brand is sold in; a patient sample comes on top.
const PACKS: usize = 3;

/// A new lot is made every nine months, which are never longer.
const DAYS_A_LOT: i64 = 280;

/// A brand.
#[derive(Debug)]
pub(super) struct Brand {
    pub(super) family: Id,
    pub(super) indication: Id,
    pub(super) presentation: Id,
    pub(super) packs: Vec<Pack>,
    pub(super) sample: Id,
    pub(super) lots: Vec<Id>,
}

/// What an order can name.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    pub(super) id: Id,
    pub(super) name: String,
    /// In euros.
    price: Money,
}

/// Everything for sale.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) brands: Vec<Brand>,
    /// With their names.
    pub(super) specialties: Vec<(Id, &'static str)>,
    pub(super) rivals: Vec<Id>,
    pub(super) warehouses: Vec<Id>,
    pub(super) euro_prices: Id,
    pub(super) dollar_prices: Id,
}

impl Brand {
    /// The lot that samples are taken from on a day: there already, and not expired.
    pub(super) fn lot(&self, day: Day) -> Option<Id> {
        let newer = usize::try_from(day.since(OPENING) / DAYS_A_LOT).unwrap_or_default();
        self.lots.get(newer).or(self.lots.last()).copied()
    }
}

impl Pack {
    pub(super) fn price(&self, currency: &str) -> Money {
        if currency == "EUR" { self.price } else { self.price.share(Digits(10_800)) }
    }
}

impl Range {
    pub(super) fn packs(&self) -> Vec<&Pack> {
        self.brands.iter().flat_map(|brand| &brand.packs).collect()
    }

    pub(super) fn price_book(&self, currency: &str) -> Id {
        if currency == "EUR" { self.euro_prices } else { self.dollar_prices }
    }
}

/// Brings the range to market.
pub(super) fn launch(story: &mut Story, company: &Company) -> Range {
    let mut rng = story.rng("range");
    let opening = OPENING.at(8, 0, 0);
    let mut book = |name: &str, based_on: Option<Id>, country: Option<&str>, currency: &str| {
        let row = story.add(PRICE_BOOK, opening);
        row.set("name", name).set("based_on", based_on).set("country", country);
        row.set("currency_code", currency).set("is_standard", based_on.is_none()).id
    };
    let standard = book("Standard", None, None, "EUR");
    let euro_prices = book("Europe", Some(standard), None, "EUR");
    let dollar_prices = book("International", Some(standard), Some("united_states"), "USD");
    let warehouses = warehouses(story, company);
    let mut launch = Launch { story, rng, company, warehouses: &warehouses };
    let mut brands = Vec::new();
    let mut rivals = Vec::new();
    let mut areas = Vec::new();
    for area in AREAS {
        areas.push((area.name, launch.area(area, &mut brands, &mut rivals)));
    }
    rng = launch.rng;
    let specialties = specialties(story, &areas, &mut rng);
    Range { brands, specialties, rivals, warehouses, euro_prices, dollar_prices }
}

fn warehouses(story: &mut Story, company: &Company) -> Vec<Id> {
    let regions = company.regions.iter();
    regions
        .map(|region| {
            let row = story.add(WAREHOUSE, OPENING.at(8, 0, 0));
            row.set("name", format!("Warehouse {}", region.land.name))
                .set("opening_hours", region.hours)
                .set("contact_person", region.head)
                .set("operated_by", None::<Id>)
                .set("refrigerated", region.land.currency == "EUR")
                .id
        })
        .collect()
}

fn specialties(story: &mut Story, areas: &[(&str, Id)], rng: &mut Rng) -> Vec<(Id, &'static str)> {
    const INTERNAL: [&str; 6] =
        ["Cardiology", "Endocrinology", "Gastroenterology", "Nephrology", "Pulmonology", "Rheumatology"];
    let mut all: Vec<(Id, &str)> = Vec::new();
    for name in SPECIALTIES.iter().copied() {
        let row = story.add(SPECIALTY, OPENING.at(8, 0, 0));
        let area = areas.iter().find(|(area, _)| *area == name).map(|(_, id)| *id);
        row.set("name", name).set("therapeutic_area", area);
        row.set("board_code", format!("SP-{:04}", rng.below(900))).set("parent", None::<Id>);
        all.push((row.id, name));
    }
    let parent = all.iter().find(|(_, name)| *name == "Internal Medicine").map(|(id, _)| *id);
    for (id, _) in all.iter().filter(|(_, name)| INTERNAL.contains(name)) {
        story.amend(*id, "parent", parent);
    }
    all
}

struct Launch<'s> {
    story: &'s mut Story,
    rng: Rng,
    company: &'s Company,
    warehouses: &'s [Id],
}

impl Launch<'_> {
    fn area(&mut self, area: &Area, brands: &mut Vec<Brand>, rivals: &mut Vec<Id>) -> Id {
        let opening = OPENING.at(8, 0, 0);
        let row = self.story.add(THERAPEUTIC_AREA, opening);
        row.set("name", area.name)
            .set("medical_lead", self.company.medical_head)
            .set("strategic", matches!(area.name, "Cardiology" | "Oncology"));
        let id = row.id;
        let portfolio = self.story.add(PRODUCT_FAMILY, opening);
        let name = format!("{} Portfolio", area.name);
        portfolio.set("name", name).set("therapeutic_area", id).set("parent", None::<Id>);
        let portfolio = portfolio.set("promoted", false).id;
        let indications = area.conditions.map(|condition| {
            let approved = Day::of(2012 + i64::from(self.rng.below(11)), 1, 1).plus(self.days(360));
            let row = self.story.add(INDICATION, opening);
            row.set("name", condition).set("therapeutic_area", id).set("approved", approved);
            row.set("code", format!("C-{:04}", self.rng.below(396))).id
        });
        for ((brand, substance), indication) in area.brands.into_iter().zip(indications) {
            let family = self.story.add(PRODUCT_FAMILY, opening);
            family.set("name", brand).set("therapeutic_area", id).set("parent", portfolio);
            let family = family.set("promoted", true).id;
            let place = Shelf { area: id, family, indication, brand, substance };
            brands.push(self.brand(&place));
        }
        let firsts: Vec<Id> =
            brands.iter().rev().take(2).filter_map(|brand| brand.packs.first()).map(|pack| pack.id).collect();
        for ((rival, against), indication) in area.rivals.into_iter().zip(firsts).zip(indications) {
            let price: Money = Digits(self.rng.between(900, 30_000).into());
            let row = self.story.add(COMPETITOR_PRODUCT, opening);
            row.set("name", rival).set("competes_with", against).set("indication", indication);
            row.set("manufacturer", self.rng.pick(&["Solvenne", "Hartmark Pharma", "Nordlys Bio"]));
            rivals.push(row.set("list_price", price).set("currency_code", "EUR").id);
        }
        id
    }

    fn days(&mut self, below: u32) -> i64 {
        self.rng.below(below).into()
    }

    fn brand(&mut self, place: &Shelf) -> Brand {
        let first = self.rng.below(8) as usize;
        let base = self.rng.between(890, 18_900);
        let strengths = STRENGTHS.iter().cycle().skip(first).step_by(2).filter(|name| **name != SAMPLE);
        let packs: Vec<Pack> = strengths
            .take(PACKS)
            .zip(1_u32..)
            .map(|(strength, size)| self.pack(place, strength, Digits((base * size + 10 * size).into())))
            .collect();
        let sample = self.pack(place, SAMPLE, Digits(0)).id;
        for (message, text) in MESSAGES.iter().enumerate() {
            let until = TODAY.month(3 + 6 * i64::try_from(message).unwrap_or_default()).plus(-1);
            let row = self.story.add(KEY_MESSAGE, OPENING.at(10, 0, 0));
            row.set("name", text.replace("{}", place.brand))
                .set("product", packs.first().map(|pack| pack.id));
            row.set("indication", place.indication).set("approved_until", until);
        }
        let presentation = self.presentation(place, packs.first().map(|pack| pack.id));
        let lots = (0..4).map(|lot| self.lot(sample, lot)).collect();
        Brand { family: place.family, indication: place.indication, presentation, packs, sample, lots }
    }

    fn pack(&mut self, place: &Shelf, strength: &str, price: Money) -> Pack {
        let launched = Day::of(2014, 1, 1).plus(self.days(3_400));
        let digits: i64 = strength
            .chars()
            .map_while(|digit| digit.to_digit(10))
            .fold(0, |all, digit| all * 10 + i64::from(digit));
        let milligrams: Decimal = Digits(digits * 10_000);
        let manager = self.rng.pick(&self.company.brand_managers);
        let name = format!("{} {strength}", place.brand);
        let row = self.story.add(PRODUCT, launched.at(6, 0, 0));
        let code =
            format!("{}-{:03}", place.brand.get(..3).unwrap_or_default().to_uppercase(), row.id.number);
        row.set("name", name.as_str())
            .set("family", place.family)
            .set("therapeutic_area", place.area)
            .set("main_indication", place.indication)
            .set("replaces", None::<Id>)
            .set("brand_manager", manager)
            .set("product_code", code)
            .set("substance", place.substance)
            .set("markets", "france;germany;greece;india;united_states")
            .set("list_price", price)
            .set("currency_code", "EUR")
            .set("strength", (digits > 0).then_some(milligrams))
            .set("shelf_life", 36_i64)
            .set("cold_chain", strength.contains("prefilled") || strength.contains("vial"))
            .set("is_sample", strength == SAMPLE)
            .set("launched", launched)
            .set("loss_of_exclusivity", launched.month(144));
        Pack { id: row.id, name, price }
    }

    fn presentation(&mut self, place: &Shelf, product: Option<Id>) -> Id {
        let owner = self.rng.pick(&self.company.brand_managers);
        let created = OPENING.at(11, 0, 0);
        let row = self.story.add(CLM_PRESENTATION, created);
        let id = row.id;
        row.set("name", format!("{} Detail Aid", place.brand))
            .set("owner", owner)
            .set("product", product)
            .set("training_for", None::<Id>)
            .set("languages", "Deutsch;English;Ελληνικά")
            .set("slides", i64::try_from(SLIDES.len()).unwrap_or_default())
            .set("expires", TODAY.month(13).plus(-1));
        for (slide, position) in SLIDES.iter().zip(1_i64..) {
            let row = self.story.add(CLM_SLIDE, created);
            row.set("name", format!("{}: {slide}", place.brand)).set("presentation", id);
            row.set("position", position);
        }
        id
    }

    fn lot(&mut self, sample: Id, lot: i64) -> Id {
        let made = OPENING.month(lot * 9);
        let warehouse = self.rng.pick(self.warehouses);
        // The last lot of each expires on a leap day.
        let expires = if lot == 3 { Day::of(2028, 2, 29) } else { made.month(30).plus(-1) };
        let row = self.story.add(SAMPLE_LOT, made.at(6, 0, 0));
        let id = row.id;
        row.set("name", format!("L{:02}{:04}", lot + 1, 1_000 + id.number * 3))
            .set("product", sample)
            .set("warehouse", warehouse);
        row.set("expires", expires).set("recalled", id.number == 17);
        id
    }
}

/// Where a product stands.
struct Shelf {
    area: Id,
    family: Id,
    indication: Id,
    brand: &'static str,
    substance: &'static str,
}

const SAMPLE: &str = "patient sample";
