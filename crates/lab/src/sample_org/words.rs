//! The vocabularies. Everything in them is invented; no brand, place or person is meant.

pub(super) const ADJECTIVES: &[&str] = &[
    "Active", "Advanced", "Annual", "Approved", "Assigned", "Central", "Chronic", "Clinical", "Closed",
    "Confirmed", "Core", "Critical", "Deferred", "Delegated", "Direct", "Draft", "Early", "Emerging",
    "Escalated", "Expected", "Extended", "External", "Final", "Frequent", "High", "Immediate", "Inactive",
    "Indirect", "Initial", "Joint", "Limited", "Local", "Low", "Major", "Medium", "Minor", "National",
    "New", "Occasional", "Open", "Optional", "Partial", "Pending", "Planned", "Potential", "Preferred",
    "Primary", "Prior", "Priority", "Provisional", "Rare", "Recurrent", "Regional", "Remote", "Routine",
    "Secondary", "Severe", "Shared", "Standard", "Temporary", "Tertiary", "Urgent", "Verified", "Waived",
];

pub(super) const STATES: &[&str] = &[
    "Acknowledged", "At Warehouse", "Awaiting Signature", "Cancelled by Customer", "Cancelled by Rep",
    "Completed", "Disputed", "Expired", "Forwarded", "In Negotiation", "In Progress", "In Review",
    "Not Applicable", "On Hold", "Out for Delivery", "Reconciled", "Rejected", "Released", "Reopened",
    "Scheduled", "Sent", "Signed", "Submitted", "Under Investigation", "Withdrawn",
];

pub(super) const SUBJECTS: &[&str] = &[
    "Access Programme", "Advisory Board", "Clinic Visit", "Cold Chain", "Conference", "Consent Form",
    "Contract Terms", "Dosing Schedule", "E-Detailing", "Formulary Review", "Group Practice",
    "Home Delivery", "Infusion Centre", "Key Message", "Lab Results", "Lunch Meeting", "Mail Order",
    "Nurse Educator", "Outpatient Unit", "Patient Leaflet", "Peer Discussion", "Phone Call",
    "Product Launch", "Reimbursement", "Safety Briefing", "Sample Request", "Speaker Evening",
    "Study Results", "Tender Round", "Training Session", "Video Call", "Webinar",
];

pub(super) const REASONS: &[&str] = &[
    "Budget exhausted for", "Competitor preferred for", "Customer asked for", "Customer declined",
    "Data missing in", "Duplicate of an earlier", "Manager requested", "Moved to another", "No capacity for",
    "No interest in", "Not permitted under", "Out of stock during", "Policy change about",
    "Quality concern in", "Recall affecting", "Scheduling conflict with", "Superseded by a newer",
    "Unclear owner of",
];

pub(super) const LANGUAGES: &[&str] = &[
    "Arabic", "Basque", "Bulgarian", "Catalan", "Czech", "Danish", "Deutsch", "Dutch", "English", "Estonian",
    "Ελληνικά", "Español", "Finnish", "Français", "Hebrew", "Hungarian", "Italiano", "日本語", "한국어",
    "Latvian", "Lithuanian", "Norsk", "Polski", "Português", "Română", "Slovenčina", "Svenska", "Türkçe",
];

pub(super) const COUNTRIES: &[&str] = &[
    "Albania", "Algeria", "Argentina", "Australia", "Austria", "Belgium", "Bolivia", "Brazil", "Bulgaria",
    "Canada", "Chile", "Colombia", "Costa Rica", "Côte d'Ivoire", "Croatia", "Cyprus", "Czechia", "Denmark",
    "Ecuador", "Egypt", "Estonia", "Finland", "France", "Germany", "Ghana", "Greece", "Hungary", "Iceland",
    "India", "Ireland", "Israel", "Italy", "Japan", "Jordan", "Kenya", "Latvia", "Lebanon", "Lithuania",
    "Luxembourg", "Malta", "Mexico", "Morocco", "Netherlands", "New Zealand", "Norway", "Panama", "Peru",
    "Poland", "Portugal", "Romania", "Serbia", "Singapore", "Slovakia", "Slovenia", "South Africa",
    "South Korea", "Spain", "Sweden", "Switzerland", "Tunisia", "Türkiye", "United Kingdom",
    "United States", "Uruguay",
];

pub(super) const CURRENCIES: &[&str] = &[
    "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CZK", "DKK", "EGP", "EUR", "GBP", "HUF", "ILS", "INR", "JPY",
    "KRW", "MAD", "MXN", "NOK", "NZD", "PEN", "PLN", "RON", "SEK", "SGD", "TRY", "USD", "ZAR",
];

pub(super) const CITIES: &[&str] = &[
    "Alderbrück", "Ashcombe", "Bellmarsh", "Birkendal", "Brackwater", "Calderon Bay", "Castelnoro",
    "Corvenna", "Dunmere", "Eastharbour", "Elmsford", "Fairhaven", "Falkensee", "Glenrowan", "Graufeld",
    "Harrowgate", "Hohenlinde", "Ironbridge", "Juniper Falls", "Kestrel Point", "Kilbrannan", "Lakeside",
    "Larkspur", "Lindenau", "Marlowe", "Millbrook", "Montclair", "Nordhaven", "Oakridge", "Olivares",
    "Pinecrest", "Port Ellery", "Quillan", "Ravensmoor", "Rivière-Haute", "Rosendal", "São Bento",
    "Silverton", "Stonefield", "Thornbury", "Valdoro", "Westmere", "Wolfsgrund", "Yarrow Hill",
];

pub(super) const DISTRICTS: &[&str] = &[
    "North", "South", "East", "West", "Centre", "Harbour", "Hills", "Valley", "Old Town", "New Town",
    "University Clinic", "General Hospital", "Children's Hospital", "Medical Park", "Riverside", "Airport",
];

pub(super) const SPECIALTIES: &[&str] = &[
    "Allergology", "Anaesthesiology", "Cardiology", "Dermatology", "Emergency Medicine", "Endocrinology",
    "Family Medicine", "Gastroenterology", "Geriatrics", "Haematology", "Immunology", "Infectious Disease",
    "Internal Medicine", "Nephrology", "Neurology", "Oncology", "Ophthalmology", "Orthopaedics",
    "Paediatrics", "Pathology", "Pharmacy", "Psychiatry", "Pulmonology", "Radiology", "Rheumatology",
    "Surgery", "Transplantation", "Urology",
];

pub(super) const CONDITIONS: &[&str] = &[
    "Anaemia", "Angina", "Arrhythmia", "Arthritis", "Asthma", "Atopic Dermatitis", "Bronchitis", "Colitis",
    "Depression", "Diabetes", "Epilepsy", "Fibrosis", "Gastritis", "Glaucoma", "Gout", "Heart Failure",
    "Hepatitis", "Hypertension", "Hypothyroidism", "Insomnia", "Leukaemia", "Lupus", "Lymphoma", "Melanoma",
    "Migraine", "Myeloma", "Nephritis", "Neuropathy", "Osteoporosis", "Pneumonia", "Psoriasis", "Sarcoma",
    "Sepsis", "Stroke", "Thrombosis", "Uveitis",
];

pub(super) const COURSES: &[&str] = &[
    "Acute", "Chronic", "Drug-Induced", "Familial", "Juvenile", "Mild", "Moderate", "Recurrent", "Refractory",
    "Secondary", "Severe",
];

pub(super) const BRANDS: &[&str] = &[
    "Abrevia", "Altimune", "Bronvela", "Cardexa", "Celuvio", "Dermolis", "Durelan", "Endivara", "Estrevo",
    "Fibrolene", "Gastrovin", "Glucadia", "Hemavanta", "Immurel", "Jovenza", "Kardimo", "Lumetra",
    "Migravene", "Nephrasol", "Neuvelta", "Oncarix", "Optivelle", "Ostevia", "Pulmanza", "Quentora",
    "Rheumadel", "Somnavia", "Tromvexa", "Urolisse", "Vasolenta", "Xerinta", "Zelavor",
];

pub(super) const STRENGTHS: &[&str] = &[
    "5 mg tablets ×14", "5 mg tablets ×28", "10 mg tablets ×28", "20 mg tablets ×28", "40 mg tablets ×56",
    "100 mg capsules", "200 mg capsules", "1 mg/ml drops", "5 mg/ml syrup", "50 mg vial", "150 mg prefilled pen",
    "300 mg prefilled syringe", "patch 12 µg/h", "patch 25 µg/h", "starter pack", "patient sample",
];

pub(super) const GIVEN_NAMES: &[&str] = &[
    "Ada", "Amir", "Anneke", "Beatriz", "Bruno", "Camille", "Chidi", "Dana", "Dmitri", "Elif", "Elena",
    "Farid", "Freya", "Giulia", "Hana", "Henrik", "Ines", "Ivo", "Jonas", "Kaito", "Kwame", "Leila", "Lars",
    "Maeve", "Marta", "Mateus", "Nadia", "Noor", "Oskar", "Priya", "Quentin", "Rosa", "Ruben", "Sakura",
    "Soren", "Tamar", "Tomas", "Uma", "Viktor", "Wanda", "Yusuf", "Zofia",
];

pub(super) const FAMILY_NAMES: &[&str] = &[
    "Abernathy", "Albrecht", "Amadi", "Banerjee", "Bergström", "Castellano", "Delacroix", "Drummond",
    "Eriksen", "Ferrante", "Fitzgerald", "Grünwald", "Haddad", "Hollister", "Ishikawa", "Jansen", "Kowalczyk",
    "Lindqvist", "Marchetti", "McAllister", "Nakamura", "Novák", "Okonkwo", "Oyelaran", "Papadakis",
    "Quintero", "Rasmussen", "Rousseau", "Santiago", "Schreiber", "Steinfeld", "Takahashi", "Thornton",
    "Umarov", "Vandermeer", "Whitfield", "Wójcik", "Yamamoto", "Zimmermann",
];

/// Texts that only a reader of JSON gets past: quotes, backslashes, line ends, loose brackets.
pub(super) const STRANGE: &[&str] = &[
    r#"Say "closed" [not "done"]"#,
    r#"{"legacy":["a","b"]}"#,
    r"C:\samples\{lot}\",
    "{[}]",
    "first line\nsecond line",
    "tab\there ]}, {",
    r#"\"escaped twice\" }]"#,
    "Ωμέγα — “quoted” ✓",
    "\u{1f48a} with food",
    "see \\\\share\\docs\\[archive]",
];

/// What an invented field is about: its API name and its label.
pub(super) const TOPICS: &[(&str, &str)] = &[
    ("access_programme", "Access Programme"),
    ("adherence_support", "Adherence Support"),
    ("advisory_board", "Advisory Board"),
    ("anticoagulant", "Anticoagulant"),
    ("biosimilar", "Biosimilar"),
    ("cardiology", "Cardiology"),
    ("clinic_visit", "Clinic Visit"),
    ("cold_chain", "Cold Chain"),
    ("compliance_check", "Compliance Check"),
    ("conference", "Conference"),
    ("consent_renewal", "Consent Renewal"),
    ("contract_pricing", "Contract Pricing"),
    ("copay_card", "Co-Pay Card"),
    ("data_provider", "Data Provider"),
    ("delivery_window", "Delivery Window"),
    ("dermatology", "Dermatology"),
    ("diagnostic_partner", "Diagnostic Partner"),
    ("digital_engagement", "Digital Engagement"),
    ("distributor", "Distributor"),
    ("field_coaching", "Field Coaching"),
    ("formulary_decision", "Formulary Decision"),
    ("generic_switch", "Generic Switch"),
    ("group_purchasing", "Group Purchasing"),
    ("immunology", "Immunology"),
    ("infusion_centre", "Infusion Centre"),
    ("key_opinion", "Key Opinion"),
    ("launch_readiness", "Launch Readiness"),
    ("market_research", "Market Research"),
    ("medical_education", "Medical Education"),
    ("nurse_educator", "Nurse Educator"),
    ("oncology", "Oncology"),
    ("outreach", "Outreach"),
    ("patient_journey", "Patient Journey"),
    ("payer_negotiation", "Payer Negotiation"),
    ("pharmacy_network", "Pharmacy Network"),
    ("prescribing_habit", "Prescribing Habit"),
    ("quality_agreement", "Quality Agreement"),
    ("rare_disease", "Rare Disease"),
    ("reimbursement", "Reimbursement"),
    ("respiratory", "Respiratory"),
    ("safety_training", "Safety Training"),
    ("sample_request", "Sample Request"),
    ("speaker_bureau", "Speaker Bureau"),
    ("storage_audit", "Storage Audit"),
    ("study_interest", "Study Interest"),
    ("tender", "Tender"),
    ("transparency_report", "Transparency Report"),
    ("vaccination", "Vaccination"),
    ("wholesaler", "Wholesaler"),
];

/// What is put before a topic, where something is.
pub(super) const MODIFIERS: &[(&str, &str)] = &[
    ("annual", "Annual"),
    ("baseline", "Baseline"),
    ("country_level", "Country-Level"),
    ("current", "Current"),
    ("estimated", "Estimated"),
    ("first_reported", "First Reported"),
    ("last_confirmed", "Last Confirmed"),
    ("local", "Local"),
    ("next", "Next"),
    ("planned", "Planned"),
    ("previous", "Previous"),
    ("primary", "Primary"),
    ("provisional", "Provisional"),
    ("regional", "Regional"),
    ("secondary", "Secondary"),
    ("year_to_date", "Year-to-Date"),
];

/// How help texts begin; the label follows, in quotes.
pub(super) const HELP_OPENINGS: &[&str] = &[
    "Filled in by the rep after the visit:",
    "Imported nightly from the data provider:",
    "Maintained by sales operations:",
    "Leave empty unless the customer asked for it:",
    "Shown on the mobile layout only:",
    "Used by the yearly planning cycle:",
    "Agreed with medical affairs:",
    "Required in some countries only:",
];

/// How help texts end.
pub(super) const HELP_ENDINGS: &[&str] = &[
    "Ask the regional office before you change it.",
    "See chapter 4 of the field handbook.",
    "Values older than a year are archived.",
    "Not to be used for incentive calculations.",
    "Codes are listed as {code} [meaning] in the \"Field Codes\" sheet.",
    "Files go to \\\\crm\\imports\\daily.",
    "Bitte vor der Änderung mit dem Innendienst abstimmen.",
    "À compléter avant la clôture de la période.",
];
