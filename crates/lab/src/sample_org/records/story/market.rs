//! The market: institutions and the people who work in them.

use std::collections::BTreeSet;

use super::super::super::rng::Rng;
use super::super::super::words::FAMILY_NAMES;
use super::super::calendar::{Day, OPENING};
use super::super::value::{Decimal, Digits, Id, Money, Percent};
use super::Story;
use super::company::{Company, District, Region};
use super::names::Names;
use super::objects::{ACCOUNT, ACCOUNT_ADDRESS, HOSPITAL_DEPARTMENT, SALES_CYCLE, SEGMENT};
use super::people;
use super::phrases::{PHARMACIES, PRACTICES, STREETS};
use super::range::Range;

/// What an account is, as its type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Hospital,
    Group,
    Practice,
    Pharmacy,
    Wholesaler,
}

/// How many of them a territory has, and how many people work in each.
const PLACES: [(Place, u32, u32); 5] = [
    (Place::Hospital, 3, 12),
    (Place::Group, 2, 1),
    (Place::Practice, 30, 2),
    (Place::Pharmacy, 12, 1),
    (Place::Wholesaler, 3, 1),
];

/// An institution.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) id: Id,
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) parent: Option<Id>,
    pub(super) address: Id,
    pub(super) departments: Vec<Id>,
    pub(super) contacts: Vec<Contact>,
}

/// A person.
#[derive(Debug)]
pub(super) struct Contact {
    pub(super) id: Id,
    pub(super) department: Option<Id>,
    pub(super) licence: Option<Id>,
}

/// The accounts, by region and territory as the company has them.
#[derive(Debug)]
pub(super) struct Market {
    pub(super) territories: Vec<Vec<Account>>,
    pub(super) segments: Vec<Id>,
    /// Ascending, with their first days.
    pub(super) cycles: Vec<(Id, Day)>,
}

impl Market {
    /// The districts of the company, each with its accounts.
    pub(super) fn districts<'w>(
        &'w self,
        company: &'w Company,
    ) -> impl Iterator<Item = (&'w Region, &'w District, &'w [Account])> {
        let districts = company
            .regions
            .iter()
            .flat_map(|region| region.districts.iter().map(move |district| (region, district)));
        districts
            .zip(&self.territories)
            .map(|((region, district), accounts)| (region, district, accounts.as_slice()))
    }

    /// The cycle that a day falls in.
    pub(super) fn cycle(&self, day: Day) -> Option<Id> {
        self.cycles.iter().rev().find(|(_, first)| *first <= day).map(|(id, _)| *id)
    }
}

impl Place {
    pub(super) const fn value(self) -> &'static str {
        match self {
            Self::Hospital => "hospital",
            Self::Group => "hospital_group",
            Self::Practice => "practice",
            Self::Pharmacy => "pharmacy",
            Self::Wholesaler => "wholesaler",
        }
    }
}

/// Opens the market.
pub(super) fn open(story: &mut Story, company: &Company, range: &Range) -> Market {
    let mut rng = story.rng("market");
    let cycles = cycles(story);
    let segments = segments(story, &cycles);
    let mut opening = Opening { story, rng: rng.clone(), names: BTreeSet::new(), range, segments: &segments };
    let mut territories = Vec::new();
    for region in &company.regions {
        for district in &region.districts {
            territories.push(opening.district(company, region, district));
        }
    }
    rng = opening.rng;
    let mut names = Names::default();
    for (region, accounts) in company.regions.iter().zip(territories.chunks_mut(region_size(company))) {
        let mut settled = 0;
        for (district, accounts) in region.districts.iter().zip(accounts) {
            let place = people::Place { region, district, range, segments: &segments };
            people::settle(story, &place, accounts, &mut names, &mut settled, &mut rng);
        }
    }
    Market { territories, segments, cycles }
}

fn region_size(company: &Company) -> usize {
    company.regions.first().map_or(1, |region| region.districts.len().max(1))
}

/// A cycle is a quarter.
fn cycles(story: &mut Story) -> Vec<(Id, Day)> {
    let first = OPENING.month(-2);
    (0..14)
        .map(|quarter| {
            let (starts, next) = (first.month(quarter * 3), first.month(quarter * 3 + 3));
            let (year, month, _) = starts.date();
            let row = story.add(SALES_CYCLE, OPENING.month(-2).at(9, 0, 0));
            row.set("name", format!("{year}-Q{}", (month + 2) / 3)).set("starts", starts);
            let days = (0..next.since(starts)).map(|day| starts.plus(day));
            let working = days.filter(|day| day.working() == *day).count();
            row.set("ends", next.plus(-1)).set("working_days", i64::try_from(working).unwrap_or_default());
            (row.id, starts)
        })
        .collect()
}

fn segments(story: &mut Story, cycles: &[(Id, Day)]) -> Vec<Id> {
    let current = cycles.iter().rev().nth(1).map(|(id, _)| *id);
    [("Grow", "core", 8), ("Maintain", "standard", 4), ("Observe", "minor", 1), ("Win Back", "potential", 6)]
        .into_iter()
        .map(|(name, level, visits)| {
            let row = story.add(SEGMENT, OPENING.at(9, 0, 0));
            row.set("name", name).set("sales_cycle", current).set("level", level);
            row.set("visits_expected", i64::from(visits)).id
        })
        .collect()
}

struct Opening<'s> {
    story: &'s mut Story,
    rng: Rng,
    /// The names of accounts so far.
    names: BTreeSet<String>,
    range: &'s Range,
    segments: &'s [Id],
}

/// What is decided about an account before it is written down.
struct Draft<'w> {
    company: &'w Company,
    region: &'w Region,
    district: &'w District,
    place: Place,
    parent: Option<Id>,
}

impl Opening<'_> {
    fn district(&mut self, company: &Company, region: &Region, district: &District) -> Vec<Account> {
        let mut accounts: Vec<Account> = Vec::new();
        for (place, count, _) in PLACES {
            for at in 0..count {
                let groups = accounts.iter().filter(|account| account.place == Place::Group);
                let groups: Vec<Id> = groups.map(|account| account.id).collect();
                let member = place == Place::Practice && self.rng.chance(20);
                let parent = member.then(|| self.rng.choose(&groups).copied()).flatten();
                let draft = Draft { company, region, district, place, parent };
                let account = self.account(&draft, at);
                accounts.push(account);
            }
        }
        accounts
    }

    fn name(&mut self, place: Place, city: &str, at: u32) -> String {
        const HOSPITALS: [&str; 3] = ["General Hospital", "University Clinic", "Children's Hospital"];
        loop {
            let name = match place {
                Place::Hospital => {
                    let kind = HOSPITALS.get(at as usize).copied().unwrap_or("Clinic");
                    format!("{kind} {city}")
                }
                Place::Group => format!("{} Clinics {city}", self.rng.pick(FAMILY_NAMES)),
                Place::Practice => {
                    format!("{} {} {city}", self.rng.pick(PRACTICES), self.rng.pick(FAMILY_NAMES))
                }
                Place::Pharmacy => format!("{} Pharmacy {city}", self.rng.pick(PHARMACIES)),
                Place::Wholesaler => format!("{} Medical Supply {city}", self.rng.pick(FAMILY_NAMES)),
            };
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    fn account(&mut self, draft: &Draft<'_>, at: u32) -> Account {
        let Draft { company, region, district, place, parent } = *draft;
        let name = self.name(place, district.city, at);
        let rng = &mut self.rng;
        let since = OPENING.plus(-i64::from(rng.below(4_000)));
        let hospital = place == Place::Hospital;
        let reps = district.active();
        // A fiftieth of them waits in a queue for somebody to take over.
        let owner = if rng.chance(2) { company.queues.accounts } else { rng.pick(&reps) };
        let street = street(rng, district.city);
        let (latitude, longitude) = (rng.between(350_000, 580_000), rng.between(20_000, 300_000));
        let position: [Decimal; 2] = [Digits(latitude.into()), Digits(longitude.into())];
        let position = format!("{},{}", position[0], position[1]);
        let revenue: Money =
            Digits(i64::from(rng.between(40_000, 9_000_000)) * if hospital { 900 } else { 100 });
        let potential: Decimal = Digits(rng.between(1_000, 990_000).into());
        let attainment: Percent = Digits(rng.between(2_000, 13_500).into());
        let segment = rng.pick(self.segments);
        let specialty = rng.pick(&self.range.specialties).1;
        let price_book = self.range.price_book(region.land.currency);
        let phone = phone(rng);
        let row = self.story.add(ACCOUNT, since.at(9, 30, 0));
        let id = row.id;
        row.set("name", name.as_str())
            .set("owner", owner)
            .set("parent_account", parent)
            .set("primary_contact", None::<Id>)
            .set("territory", district.territory)
            .set("kam__c", hospital.then(|| rng.pick(&region.key_accounts)))
            .set("msl__c", hospital.then(|| rng.pick(&region.liaisons)))
            .set("segment", segment)
            .set("opening_hours", region.hours)
            .set("price_book", price_book)
            .set("currency_code", region.land.currency)
            .set("account_type", place.value())
            .set("region", region.land.value)
            .set("Tier__c", rng.pick(&["core", "major", "standard", "minor"]))
            .set("specialty_focus", specialty)
            .set("hco_id", format!("HCO{:07}", 1_000_003 + id.number * 17))
            .set("vat_number", rng.chance(70).then(|| format!("XX{:09}", 100_000_007 + id.number * 31)))
            .set("phone", phone)
            .set("website", rng.chance(60).then(|| format!("https://hco-{}.example.org", id.number + 1)))
            .set("billing_address", street.as_str())
            .set("shipping_address", street.as_str())
            .set("position", position.as_str())
            .set("beds", hospital.then(|| rng.between(80, 1_400)))
            .set("no_of_prescribers", rng.between(1, if hospital { 240 } else { 9 }))
            .set("annual_revenue", revenue)
            .set("credit_limit", Digits::<2>(i64::from(rng.between(10, 400)) * 50_000))
            .set("potential_index", potential)
            .set("target_attainment", attainment)
            .set("is_teaching_hospital", hospital && rng.chance(40))
            .set("do_not_visit", rng.chance(3))
            .set("customer_since", since)
            .set("last_visit_at", None::<Day>)
            .set("notes", None::<&str>);
        let address = self.address(id, draft, &street, &position, "Main Entrance", true);
        if self.rng.chance(20) {
            let street = self::street(&mut self.rng, district.city);
            self.address(id, draft, &street, &position, "Goods Entrance", false);
        }
        let departments = if hospital { self.departments(id) } else { Vec::new() };
        Account { id, place, name, parent, address, departments, contacts: Vec::new() }
    }

    fn address(
        &mut self,
        account: Id,
        draft: &Draft<'_>,
        street: &str,
        position: &str,
        name: &str,
        primary: bool,
    ) -> Id {
        let row = self.story.add(ACCOUNT_ADDRESS, OPENING.at(9, 45, 0));
        row.set("name", name)
            .set("account", account)
            .set("territory", draft.district.territory)
            .set("location", street)
            .set("position", position)
            .set("country", draft.region.land.country)
            .set("is_primary", primary)
            .id
    }

    fn departments(&mut self, hospital: Id) -> Vec<Id> {
        let first = self.rng.below(20) as usize;
        let specialties = self.range.specialties.iter().cycle().skip(first).step_by(3).take(6);
        specialties
            .map(|(specialty, name)| {
                let (phone, beds) = (phone(&mut self.rng), self.rng.between(12, 90));
                let row = self.story.add(HOSPITAL_DEPARTMENT, OPENING.at(9, 50, 0));
                row.set("name", *name).set("account", hospital).set("specialty", *specialty);
                row.set("head", None::<Id>).set("switchboard", phone).set("beds", beds).id
            })
            .collect()
    }
}

impl Place {
    /// How many people work there.
    pub(super) fn staff(self) -> u32 {
        PLACES.iter().find(|(place, ..)| *place == self).map_or(1, |(_, _, staff)| *staff)
    }
}

fn street(rng: &mut Rng, city: &str) -> String {
    format!("{} {}, {:05} {city}", rng.pick(STREETS), rng.between(1, 180), rng.between(1_000, 99_998))
}

pub(super) fn phone(rng: &mut Rng) -> String {
    format!("+00 {} {:06}", rng.between(20, 990), rng.below(1_000_000))
}
