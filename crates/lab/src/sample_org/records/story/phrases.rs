//! The words of the story. Everything is invented; no person, place or brand is meant.

type Words = (&'static [&'static str], &'static [&'static str]);

pub(super) const GREEK: Words = (
    &["Αλέξανδρος", "Γιώργος", "Δημήτρης", "Ηλίας", "Θάνος", "Κώστας", "Λευτέρης", "Μάρκος", "Νίκος", "Πέτρος",
      "Σπύρος", "Στέλιος"],
    &["Αντωνίου", "Βασιλείου", "Γεωργίου", "Δημητρίου", "Ιωάννου", "Κωνσταντίνου", "Μιχαηλίδης", "Νικολάου",
      "Οικονόμου", "Παπαδάκης", "Σταύρου", "Χριστοδούλου"],
);

pub(super) const CYRILLIC: Words = (
    &["Андрей", "Борис", "Вера", "Галина", "Дмитрий", "Елена", "Иван", "Ксения", "Людмила", "Николай", "Олег",
      "Татьяна"],
    &["Бондаренко", "Гончаренко", "Даниленко", "Кравченко", "Лысенко", "Макаренко", "Павленко", "Руденко",
      "Савченко", "Тимошенко", "Шевченко", "Яковенко"],
);

pub(super) const HEBREW: Words = (
    &["אבי", "אורי", "דוד", "דנה", "יעל", "מיכל", "נועם", "רות", "שרה", "תמר"],
    &["אברהמי", "בן־דוד", "גולן", "הראל", "כהן", "לוי", "מזרחי", "פרץ", "שפירא", "ששון"],
);

pub(super) const ARABIC: Words = (
    &["أحمد", "أمينة", "حسن", "خالد", "زينب", "سلمى", "عمر", "فاطمة", "ليلى", "يوسف"],
    &["البغدادي", "الحداد", "الخطيب", "الشامي", "العطار", "الفارس", "النجار", "حمدان", "درويش", "منصور"],
);

pub(super) const DEVANAGARI: Words = (
    &["अनिल", "आशा", "किरण", "गीता", "दीपक", "नेहा", "प्रिया", "मोहन", "रवि", "लता", "संजय", "सुनीता"],
    &["अग्रवाल", "कुलकर्णी", "गुप्ता", "जोशी", "तिवारी", "देशपांडे", "पाटिल", "भट्ट", "मिश्रा", "राव", "शर्मा", "सिंह"],
);

pub(super) const HAN: Words = (
    &["明", "秀英", "健", "美咲", "翔太", "陽子", "伟", "丽", "志强", "花子", "大輔", "静"],
    &["佐藤", "鈴木", "高橋", "田中", "渡辺", "王", "李", "張", "刘", "陳", "林", "山本"],
);

/// Therapeutic areas: an area, its conditions, the brands sold in it, and the substance of each.
pub(super) struct Area {
    pub(super) name: &'static str,
    pub(super) conditions: [&'static str; 3],
    pub(super) brands: [(&'static str, &'static str); 2],
    pub(super) rivals: [&'static str; 2],
}

pub(super) const AREAS: &[Area] = &[
    Area { name: "Cardiology", conditions: ["Heart Failure", "Hypertension", "Thrombosis"],
           brands: [("Cardexa", "cardexapril"), ("Tromvexa", "tromvexaban")], rivals: ["Vasolenta", "Kardimo"] },
    Area { name: "Dermatology", conditions: ["Atopic Dermatitis", "Psoriasis", "Melanoma"],
           brands: [("Dermolis", "dermolisone"), ("Immurel", "immurelumab")], rivals: ["Celuvio", "Jovenza"] },
    Area { name: "Endocrinology", conditions: ["Diabetes", "Hypothyroidism", "Osteoporosis"],
           brands: [("Glucadia", "glucadiflozin"), ("Ostevia", "osteviparatide")], rivals: ["Endivara", "Estrevo"] },
    Area { name: "Gastroenterology", conditions: ["Colitis", "Gastritis", "Hepatitis"],
           brands: [("Gastrovin", "gastrovinprazole"), ("Altimune", "altimunazid")],
           rivals: ["Fibrolene", "Zelavor"] },
    Area { name: "Neurology", conditions: ["Epilepsy", "Migraine", "Neuropathy"],
           brands: [("Migravene", "migravetriptan"), ("Neuvelta", "neuveltagine")],
           rivals: ["Somnavia", "Quentora"] },
    Area { name: "Oncology", conditions: ["Leukaemia", "Lymphoma", "Myeloma"],
           brands: [("Oncarix", "oncarixtinib"), ("Hemavanta", "hemavantamab")], rivals: ["Lumetra", "Xerinta"] },
    Area { name: "Pulmonology", conditions: ["Asthma", "Bronchitis", "Fibrosis"],
           brands: [("Pulmanza", "pulmanzaterol"), ("Bronvela", "bronvelasone")],
           rivals: ["Abrevia", "Durelan"] },
    Area { name: "Rheumatology", conditions: ["Arthritis", "Gout", "Lupus"],
           brands: [("Rheumadel", "rheumadelimab"), ("Urolisse", "urolissostat")],
           rivals: ["Nephrasol", "Optivelle"] },
];

/// Key messages; the brand stands where the braces are.
pub(super) const MESSAGES: &[&str] = &[
    "{} works from the first week",
    "{} is taken once a day",
    "Fewer patients stop treatment on {}",
];

pub(super) const SLIDES: &[&str] = &[
    "Title", "The unmet need", "How it works", "Study results", "Safety", "Dosing and administration",
];

/// What was agreed at the end of a visit.
pub(super) const AGREEMENTS: &[&str] = &[
    "Send the study report by e-mail.", "Come back with the medical liaison.", "Leave samples at the next visit.",
    "Invite to the speaker evening.", "Call again after the formulary review.", "Bring the dosing card.",
    "No further step.", "Prepare an offer for a yearly volume.", "Ask the clinic's pharmacy for its stock.",
];

/// What a visit was like.
pub(super) const IMPRESSIONS: &[&str] = &[
    "Short talk between two patients.", "Asked about tolerability in older patients.",
    "Compares us with the therapy used so far, mostly on price.", "Well informed, had read the publication.",
    "Interested, wants to start with two patients.", "Reserved; the budget of the department is used up.",
    "Wants to see data of a longer follow-up.", "Says that the reimbursement form takes too long.",
    "Uses it in second line and is content.", "Was called away after a few minutes.",
];

pub(super) const TASKS: &[&str] = &[
    "Send study report", "Call about the open offer", "Check samples in stock", "Prepare visit",
    "Clarify delivery", "Renew consent", "Update address", "Follow up on inquiry", "Book meeting room",
    "Collect signed contract",
];

pub(super) const EVENTS: &[&str] = &[
    "Territory review", "Lunch meeting", "Advisory board", "Product training", "Congress", "Team call",
];

/// What customers call about: a subject, and a description with the product where the braces are.
pub(super) const COMPLAINTS: &[(&str, &str)] = &[
    ("Delivery is late", "The delivery of {} was announced for last week and has not arrived."),
    ("Wrong quantity delivered", "Of {} fewer packs arrived than were ordered."),
    ("Invoice doesn't match the order", "The invoice for {} shows another price than the offer."),
    ("Packaging damaged", "Several packs of {} arrived with dented boxes."),
    ("Question about storage", "May {} be kept at room temperature for a day?"),
    ("Portal login fails", "After the last order of {} the portal no longer accepts the password."),
    ("Copy of the certificate", "The pharmacy needs the batch certificate for {}."),
    ("Change of the delivery address", "Please deliver {} to the new building from next month on."),
];

pub(super) const QUESTIONS: &[&str] = &[
    "Is there experience with {} in patients over 80?", "Can {} be combined with oral anticoagulants?",
    "What is known about {} in pregnancy?", "Does the dose of {} have to be adjusted in renal impairment?",
    "How long is {} stable after opening?", "Are there data on switching to {} from the standard therapy?",
];

pub(super) const STREETS: &[&str] = &[
    "Market Street", "Station Road", "Lindenallee", "Rue du Moulin", "Harbour Lane", "Via Roma", "Hill Road",
    "Kirchgasse", "Parkway", "Old Mill Road", "Ring Road", "Garden Street",
];

pub(super) const PRACTICES: &[&str] = &[
    "Practice", "Medical Practice", "Group Practice", "Family Practice", "Specialist Practice",
];

pub(super) const PHARMACIES: &[&str] = &[
    "Anchor", "Bridge", "Castle", "Crown", "Eagle", "Garden", "Lion", "Market", "Mill", "Rose", "Star", "Sun",
    "Swan", "Tower", "Unicorn", "Well",
];
