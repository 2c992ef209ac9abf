//! The people of the market: where they work, what they may receive, what they agreed to.

use super::super::super::rng::Rng;
use super::super::calendar::{Day, OPENING, TODAY};
use super::super::value::{Decimal, Digits, Id, Money, Percent};
use super::Story;
use super::company::{District, Region};
use super::market::{Account, Contact, phone};
use super::names::{Name, Names, Script};
use super::objects::{AFFILIATION, CONTACT, CONTACT_CONSENT, STATE_LICENSE};
use super::range::Range;

/// Where people settle.
pub(super) struct Place<'w> {
    pub(super) region: &'w Region,
    pub(super) district: &'w District,
    pub(super) range: &'w Range,
    pub(super) segments: &'w [Id],
}

/// The alphabets of a region's names; of every dozen people, so many begin with those.
fn scripts(country: &str) -> &'static [Script] {
    match country {
        "germany" => &[Script::Cyrillic],
        "greece" => &[Script::Greek, Script::Greek, Script::Hebrew, Script::Arabic],
        "india" => &[Script::Devanagari, Script::Devanagari, Script::Han],
        _ => &[],
    }
}

/// Settles the people of a territory. `settled` counts those of the region.
pub(super) fn settle(
    story: &mut Story,
    place: &Place<'_>,
    accounts: &mut [Account],
    names: &mut Names,
    settled: &mut usize,
    rng: &mut Rng,
) {
    let hospitals: Vec<(Id, Vec<Id>)> = accounts
        .iter()
        .filter(|account| !account.departments.is_empty())
        .map(|account| (account.id, account.departments.clone()))
        .collect();
    for account in accounts {
        for at in 0..account.place.staff() {
            let script = scripts(place.region.land.country).get(*settled % 12).copied();
            *settled += 1;
            let name = names.draw(script.unwrap_or(Script::Latin), rng);
            let mut settling = Settling { story, rng, place };
            let contact = settling.contact(account, &name, at);
            settling.affiliation(&contact, account.id, contact.department, true);
            if settling.rng.chance(25)
                && let Some((hospital, departments)) = settling.rng.choose(&hospitals)
                && *hospital != account.id
            {
                let department = settling.rng.choose(departments).copied();
                settling.affiliation(&contact, *hospital, department, false);
            }
            if settling.rng.chance(60) {
                settling.consents(&contact);
            }
            account.contacts.push(contact);
        }
        story.amend(account.id, "primary_contact", account.contacts.first().map(|contact| contact.id));
        for (department, head) in account.departments.iter().zip(&account.contacts) {
            story.amend(*department, "head", head.id);
        }
    }
}

struct Settling<'s, 'w> {
    story: &'s mut Story,
    rng: &'s mut Rng,
    place: &'w Place<'w>,
}

impl Settling<'_, '_> {
    /// The heads of departments come first, one each; the others report to them.
    fn contact(&mut self, account: &Account, name: &Name, at: u32) -> Contact {
        let Place { region, district, range, segments, .. } = *self.place;
        let rng = &mut *self.rng;
        let departments = u32::try_from(account.departments.len()).unwrap_or(1).max(1);
        let department = account.departments.get((at % departments) as usize).copied();
        let head = account.contacts.get((at % departments) as usize).map(|head| head.id);
        let reports_to = department.and(head);
        let (specialty, _) = rng.pick(&range.specialties);
        let second = rng.chance(15).then(|| rng.pick(&range.specialties).0);
        let rep = rng.pick(&district.active());
        let met = OPENING.plus(-i64::from(rng.below(2_500)));
        let score: Decimal = Digits(rng.between(5_000, 99_000).into());
        let fees: Money = Digits(if rng.chance(6) { i64::from(rng.between(20, 600)) * 2_500 } else { 0 });
        let language = match region.land.country {
            "germany" => "Deutsch",
            "greece" => "Ελληνικά",
            _ => "English",
        };
        let number = self.story.rows(CONTACT.object).len();
        let login = name.login().unwrap_or_else(|| format!("person-{}", number + 1));
        let row = self.story.add(CONTACT, met.at(10, 0, 0));
        let id = row.id;
        row.set("name", name.full.as_str())
            .set("owner", rep)
            .set("account", account.id)
            .set("reports_to", reports_to)
            .set("territory", district.territory)
            .set("primary_specialty", specialty)
            .set("secondary_specialty", second)
            .set("segment", rng.pick(segments))
            .set("department", department)
            .set("visiting_rep", rep)
            .set("portal_user", None::<Id>)
            .set("first_name", name.first.as_str())
            .set("last_name", name.last.as_str())
            .set("npi", format!("NPI{:010}", 1_000_000_007 + u64::from(id.number) * 97))
            .set("salutation", rng.pick(&["Dr.", "Prof.", "Ms", "Mr"]))
            .set("Tier__c", rng.pick(&["core", "major", "standard", "minor"]))
            .set("adoption_stage", rng.pick(&["in_review", "in_progress", "completed", "withdrawn"]))
            .set("preferred_language", language)
            .set("interests", picks(rng, &["conference", "dosing_schedule", "study_results", "webinar"]))
            .set(
                "email",
                rng.chance(85).then(|| format!("{login}@hco-{}.example.org", account.id.number + 1)),
            )
            .set("phone", phone(rng))
            .set("personal_mobile", rng.chance(30).then(|| phone(rng)))
            .set("birthdate", rng.chance(50).then(|| Day::of(1956, 1, 1).plus(rng.below(14_000).into())))
            .set("patients_per_week", rng.between(5, 160))
            .set("visits_this_year", 0_i64)
            .set("prescribing_score", score)
            .set("honoraria_to_date", fees)
            .set("currency_code", region.land.currency)
            .set("email_opt_out", rng.chance(8))
            .set("is_speaker", fees.0 > 0)
            .set("last_visit_at", None::<Day>)
            .set("best_time", rng.chance(40).then(|| format!("{:02}:30:00", rng.between(7, 18))))
            .set("about", None::<&str>);
        let licence = rng.chance(60).then(|| self.licence(id, rep));
        Contact { id, department, licence }
    }

    fn licence(&mut self, holder: Id, verified_by: Id) -> Id {
        let expires = TODAY.month(self.rng.between(1, 48).into()).plus(-1);
        let row = self.story.add(STATE_LICENSE, OPENING.at(10, 15, 0));
        row.set("name", row.id.numbered("ML")).set("contact", holder).set("verified_by", verified_by);
        row.set("state", self.place.district.city).set("expires", expires);
        row.set("samples_allowed", !self.rng.chance(5)).id
    }

    fn affiliation(&mut self, contact: &Contact, account: Id, department: Option<Id>, primary: bool) {
        let from = OPENING.month(-i64::from(self.rng.below(120)));
        let share = if primary { 10_000 - i64::from(self.rng.below(4)) * 1_250 } else { 1_250 };
        let share: Percent = Digits(share);
        let role = self.rng.pick(&["clinic_visit", "outpatient_unit", "group_practice", "infusion_centre"]);
        let row = self.story.add(AFFILIATION, from.at(7, 0, 0));
        row.set("name", row.id.numbered("AF"))
            .set("contact", contact.id)
            .set("account", account)
            .set("department", department)
            .set("role", role)
            .set("working_time", share)
            .set("is_primary", primary)
            .set("valid_from", from);
    }

    /// Consent is given for a channel; a third of it was given anew since.
    fn consents(&mut self, contact: &Contact) {
        let channel = self.rng.pick(&["e_detailing", "phone_call", "video_call", "webinar"]);
        let given = OPENING.plus(i64::from(self.rng.below(700)));
        let renewed = self.rng.chance(33).then(|| given.plus(i64::from(self.rng.between(40, 360))));
        let captured_by = self.rng.pick(&self.place.district.active());
        let mut replaces = None;
        for day in [Some(given), renewed].into_iter().flatten() {
            let last = renewed.is_none_or(|renewal| renewal == day);
            let status = match (last, self.rng.below(100)) {
                (false, _) => "expired",
                (true, 0..6) => "withdrawn",
                _ => "signed",
            };
            let at = day.at(self.rng.between(8, 17).into(), 20, self.place.region.land.ahead);
            let row = self.story.add(CONTACT_CONSENT, at);
            row.set("name", row.id.numbered("CC"))
                .set("contact", contact.id)
                .set("captured_by", captured_by)
                .set("captured_in", None::<Id>)
                .set("replaces", replaces)
                .set("channel", channel)
                .set("status", status)
                .set("given_at", at)
                .set("expires", day.month(37).plus(-1));
            replaces = Some(row.id);
        }
    }
}

/// Several values of a multi-picklist, or none.
pub(super) fn picks(rng: &mut Rng, values: &[&str]) -> Option<String> {
    let chosen: Vec<&str> = values.iter().copied().filter(|_| rng.chance(40)).collect();
    (!chosen.is_empty()).then(|| chosen.join(";"))
}
