//! Fields nobody would list by hand: what customisation leaves behind over fifteen years.

use std::borrow::Cow;

use super::rng::Rng;
use super::spec::{
    Kind, Spec, address, bytes, date, datetime, decimal, email, flag, integer, json, long_text, money,
    percent, phone, pick, picks, place, text, time, url,
};
use super::values::Values;
use super::wire::Text;
use super::words::{MODIFIERS, TOPICS};

/// A field that isn't in a catalogue.
#[derive(Clone, Debug)]
pub(super) struct Invented {
    pub(super) name: Text,
    pub(super) label: Text,
    pub(super) kind: Kind,
}

impl Invented {
    /// The next one. It may have the name of an earlier one; then draw again.
    pub(super) fn draw(rng: &mut Rng) -> Self {
        if rng.chance(3) {
            let Spec { name, label, kind, .. } = rng.pick(LOCAL);
            return Self { name: name.into(), label: label.into(), kind };
        }
        let family = family(rng.below(100));
        let aspect = rng.pick(family);
        let topic = rng.pick(TOPICS);
        let modifier = if rng.chance(82) { Some(rng.pick(MODIFIERS)) } else { None };
        let words = |of: fn((&'static str, &'static str)) -> &'static str, gap| {
            let mut text = String::with_capacity(64);
            for word in modifier.map(of).into_iter().chain([of(topic)]) {
                text.extend([word, gap]);
            }
            text
        };
        let label = words(|(_, label)| label, " ") + aspect.label;
        let name = match rng.below(100) {
            0..3 => format!("cf_{:04}__c", rng.below(10_000)),
            3..11 => label.replace([' ', '-'], "_") + "__c",
            11..55 => words(|(name, _)| name, "_") + aspect.name + "__c",
            _ => words(|(name, _)| name, "_") + aspect.name,
        };
        Self { name: Cow::Owned(name), label: Cow::Owned(label), kind: aspect.kind }
    }
}

/// The mix of types, as the share of each in a hundred fields.
const fn family(percentile: u32) -> &'static [Spec] {
    match percentile {
        0..20 => TEXTS,
        20..42 => PICKLISTS,
        42..45 => MULTI_PICKLISTS,
        45..57 => NUMBERS,
        57..63 => AMOUNTS,
        63..75 => FLAGS,
        75..87 => DATES,
        87..91 => LONG_TEXTS,
        91..94 => WAYS_TO_REACH,
        94..97 => REFERENCES,
        _ => RARITIES,
    }
}

const TEXTS: &[Spec] = &[
    text("code", "Code", 40),
    text("reference", "Reference", 80),
    text("short_name", "Short Name", 40),
    text("external_key", "External Key", 120),
    text("contact_name", "Contact Name", 120),
    text("remark", "Remark", 255),
    text("document_number", "Document Number", 40),
    text("cost_centre", "Cost Centre", 20),
];

const PICKLISTS: &[Spec] = &[
    pick("status", "Status", Values::Statuses),
    pick("phase", "Phase", Values::Statuses),
    pick("tier", "Tier", Values::Levels),
    pick("priority", "Priority", Values::Levels),
    pick("channel", "Channel", Values::Channels),
    pick("rejection_reason", "Rejection Reason", Values::Reasons),
    pick("category", "Category", Values::Categories),
    pick("language", "Language", Values::Languages),
    pick("country", "Country", Values::Countries),
    pick("city", "City", Values::Cities),
    pick("specialty", "Specialty", Values::Specialties),
    pick("condition", "Condition", Values::Conditions),
    pick("product", "Product", Values::Products),
    pick("district", "District", Values::Territories),
    pick("lot", "Lot", Values::Lots),
    pick("responsible", "Responsible", Values::People),
    pick("coordinator", "Coordinator", Values::People),
];

const MULTI_PICKLISTS: &[Spec] = &[
    picks("themes", "Themes", Values::Categories),
    picks("channels", "Channels", Values::Channels),
    picks("countries", "Countries", Values::Countries),
    picks("participants", "Participants", Values::People),
];

const NUMBERS: &[Spec] = &[
    integer("count", "Count"),
    integer("days", "Days"),
    integer("visits", "Visits"),
    integer("rank", "Rank"),
    decimal("score", "Score"),
    decimal("index", "Index"),
    decimal("volume", "Volume"),
    percent("rate", "Rate"),
    percent("completion", "Completion"),
];

const AMOUNTS: &[Spec] = &[
    money("budget", "Budget"),
    money("spend", "Spend"),
    money("savings", "Savings"),
    money("contract_value", "Contract Value"),
];

const FLAGS: &[Spec] = &[
    flag("required", "Required"),
    flag("confirmed", "Confirmed"),
    flag("eligible", "Eligible"),
    flag("opted_out", "Opted Out"),
    flag("overridden", "Set by Hand"),
];

const DATES: &[Spec] = &[
    date("start_date", "Start Date"),
    date("end_date", "End Date"),
    date("review_date", "Review Date"),
    date("expiry_date", "Expiry Date"),
    datetime("contacted_at", "Contacted"),
    datetime("approved_at", "Approved"),
    datetime("received_at", "Received"),
];

const LONG_TEXTS: &[Spec] = &[
    long_text("comments", "Comments", 32_000),
    long_text("rationale", "Rationale", 4_000),
    long_text("meeting_minutes", "Meeting Minutes", 131_072),
];

const WAYS_TO_REACH: &[Spec] = &[
    email("email", "E-Mail"),
    phone("hotline", "Hotline"),
    url("portal_link", "Portal Link"),
    url("folder_link", "Folder"),
];

const REFERENCES: &[Spec] = &[
    Spec::new("document", "Document", Kind::OutsideReference),
    Spec::new("record_kind", "Record Kind", Kind::OutsideReference),
    Spec::new("source_record", "Source Record", Kind::OutsideReference),
];

const RARITIES: &[Spec] = &[
    address("delivery_address", "Delivery Address"),
    place("position", "Position"),
    bytes("scan", "Scan"),
    json("settings", "Settings"),
    time("earliest_time", "Earliest Time"),
    time("closing_time", "Closing Time"),
];

/// What the countries added for themselves, and labels that the API name doesn't give away.
const LOCAL: &[Spec] = &[
    text("ad_gebiet__c", "Außendienst-Gebiet", 80),
    text("traeger__c", "Träger der Klinik (gemeinnützig/öffentlich)", 255),
    pick("kassenbezirk__c", "Kassenärztlicher Bezirk", Values::Territories),
    date("pruefung_am__c", "Nächste Überprüfung"),
    text("n_finess", "N° FINESS de l'établissement", 9),
    pick("medecin_referent", "Médecin référent", Values::People),
    flag("loi_anti_cadeaux", "Déclaré « anti-cadeaux »"),
    text("kana_name__c", "氏名(カナ)", 120),
    pick("tantou__c", "担当MR", Values::People),
    pick("shisetsu_kbn__c", "施設区分", Values::Categories),
    integer("byoushou_su__c", "病床数"),
    text("gr_afm", "ΑΦΜ ιατρού", 9),
    pick("gr_nosokomeio", "Νοσοκομείο αναφοράς", Values::Cities),
    text("ar_name", "الاسم بالعربية", 120),
    pick("ar_region", "المنطقة الطبية", Values::Territories),
    text("pl_pwz", "Numer prawa wykonywania zawodu (główny)", 7),
    text("es_colegiado", "N.º de colegiado — año de alta", 20),
    pick("br_regiao", "Região de visitação", Values::Territories),
    text("tr_il__c", "İl / ilçe sağlık müdürlüğü", 80),
    pick("cz_kraj", "Kraj působnosti lékaře", Values::Territories),
    flag("x_prio", "⭐ Top Customer"),
    flag("smp_ok__c", "💊 Samples Welcome"),
    decimal("custom_17", "Share of Voice"),
    text("misc_1", "Gatekeeper at Reception", 80),
    text("misc_2", "Parking & Access", 255),
    date("dt_04__c", "Day of Last \"Dear Doctor\" Letter"),
    money("amt_x__c", "Grants Awarded to Date"),
    integer("num_03__c", "Biologics Patients on Therapy"),
    pick("pl_9__c", "Attitude Towards Generics", Values::Levels),
    text("ldap_grp", "Zugriffsgruppe \\ Mandant", 80),
];
