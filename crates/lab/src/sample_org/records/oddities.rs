//! What a query layer must survive, counted.

/// Something in the records that a careless reader stumbles over.
#[derive(Clone, Copy, Debug)]
pub struct Oddity {
    /// What it is, and where.
    pub what: &'static str,
    /// How often the records of the default seed have it.
    pub count: u32,
    /// A query that counts it.
    pub sql: &'static str,
}

const fn oddity(count: u32, what: &'static str, sql: &'static str) -> Oddity {
    Oddity { what, count, sql }
}

/// The oddities of the records: names, references, empty and misleading texts, numbers and times.
pub const ODDITIES: &[Oddity] = &[
    oddity(113, "contacts with a Greek name", "SELECT count(*) FROM contact WHERE name GLOB '*[Ͱ-Ͽ]*'"),
    oddity(57, "contacts with a Cyrillic name", "SELECT count(*) FROM contact WHERE name GLOB '*[Ѐ-ӿ]*'"),
    oddity(57, "contacts with a Hebrew name", "SELECT count(*) FROM contact WHERE name GLOB '*[א-ת]*'"),
    oddity(57, "contacts with an Arabic name", "SELECT count(*) FROM contact WHERE name GLOB '*[ء-ي]*'"),
    oddity(114, "contacts with a Devanagari name", "SELECT count(*) FROM contact WHERE name GLOB '*[ऀ-ॿ]*'"),
    oddity(57, "contacts with a Han name", "SELECT count(*) FROM contact WHERE name GLOB '*[一-鿿]*'"),
    oddity(
        226,
        "contacts with a diacritic in a Latin name",
        "SELECT count(*) FROM contact WHERE name GLOB '*[À-ÿ]*'",
    ),
    oddity(
        2,
        "names that two contacts share",
        "SELECT count(*) FROM (SELECT name FROM contact GROUP BY name HAVING count(*) = 2)",
    ),
    oddity(
        1,
        "names that two users share",
        "SELECT count(*) FROM (SELECT name FROM user GROUP BY name HAVING count(*) = 2)",
    ),
    oddity(
        3,
        "accounts whose names differ in case alone",
        "SELECT count(*) FROM account WHERE name = 'Lakeside Pharmacy' COLLATE NOCASE",
    ),
    oddity(
        2,
        "accounts whose names differ in the encoding of an accent alone",
        "SELECT count(*) FROM account WHERE name IN ('Pharmacie Café Santé', 'Pharmacie Cafe\u{301} Sante\u{301}')",
    ),
    oddity(
        2,
        "accounts with a space before or after their name",
        "SELECT count(*) FROM account WHERE name <> trim(name)",
    ),
    oddity(
        3,
        "accounts with %, _, quotes or a backslash in their name",
        r#"SELECT count(*) FROM account WHERE name GLOB '*[%_"\]*'"#,
    ),
    oddity(
        3,
        "accounts whose name reads as a number, a null or a boolean",
        "SELECT count(*) FROM account WHERE name IN ('4711', 'NULL', 'true')",
    ),
    oddity(
        7,
        "cases with a priority of `High` or `HIGH`, where others have `high`",
        "SELECT count(*) FROM \"case\" WHERE priority IN ('High', 'HIGH')",
    ),
    oddity(39, "contacts with an empty e-mail address", "SELECT count(*) FROM contact WHERE email = ''"),
    oddity(393, "contacts without an e-mail address", "SELECT count(*) FROM contact WHERE email IS NULL"),
    oddity(20, "accounts with an empty website", "SELECT count(*) FROM account WHERE website = ''"),
    oddity(
        4,
        "call reports whose topics end with a semicolon",
        "SELECT count(*) FROM call_report WHERE topics GLOB '*;'",
    ),
    oddity(4, "accounts that are deleted", "SELECT count(*) FROM account WHERE is_deleted"),
    oddity(27, "contacts that are deleted", "SELECT count(*) FROM contact WHERE is_deleted"),
    oddity(45, "call reports that are deleted", "SELECT count(*) FROM call_report WHERE is_deleted"),
    oddity(40, "tasks that are deleted", "SELECT count(*) FROM task WHERE is_deleted"),
    oddity(12, "cases that are deleted", "SELECT count(*) FROM \"case\" WHERE is_deleted"),
    oddity(
        19,
        "orders that are deleted, with their lines, shipments and invoices",
        "SELECT count(*) FROM \"order\" WHERE is_deleted",
    ),
    oddity(
        53,
        "call reports, not deleted, of a contact that is",
        "SELECT count(*) FROM call_report JOIN contact ON contact.id = call_report.contact
         WHERE contact.is_deleted AND NOT call_report.is_deleted",
    ),
    oddity(12, "accounts without a territory", "SELECT count(*) FROM account WHERE territory IS NULL"),
    oddity(
        5,
        "orders with a contract that isn't there",
        "SELECT count(*) FROM \"order\" WHERE contract NOT IN (SELECT id FROM contract)",
    ),
    oddity(
        4,
        "call reports with a contact that isn't there",
        "SELECT count(*) FROM call_report WHERE contact NOT IN (SELECT id FROM contact)",
    ),
    oddity(
        3,
        "tasks related to an `asset`, which no table is about",
        "SELECT count(*) FROM task WHERE related_to_object = 'asset'",
    ),
    oddity(
        2,
        "contacts who report to somebody who reports to them",
        "SELECT count(*) FROM contact one JOIN contact other ON other.id = one.reports_to
         WHERE other.reports_to = one.id",
    ),
    oddity(
        688,
        "accounts, cases, leads, medical inquiries, orders and tasks that a queue owns",
        "SELECT count(*) FROM (SELECT owner_object FROM account UNION ALL SELECT owner_object FROM \"case\"
         UNION ALL SELECT owner_object FROM lead UNION ALL SELECT owner_object FROM medical_inquiry
         UNION ALL SELECT owner_object FROM \"order\" UNION ALL SELECT owner_object FROM task)
         WHERE owner_object = 'queue'",
    ),
    oddity(1154, "orders in euros", "SELECT count(*) FROM \"order\" WHERE currency_code = 'EUR'"),
    oddity(1139, "orders in dollars", "SELECT count(*) FROM \"order\" WHERE currency_code = 'USD'"),
    oddity(
        13,
        "orders that send goods back, with negative amounts",
        "SELECT count(*) FROM \"order\" WHERE total GLOB '-*'",
    ),
    oddity(
        10,
        "orders whose freight has fewer digits after the point than others'",
        "SELECT count(*) FROM \"order\" WHERE freight NOT GLOB '*.[0-9][0-9]'",
    ),
    oddity(
        2,
        "contracts with a value that no float holds",
        "SELECT count(*) FROM contract WHERE value IN ('9007199254740993.01', '9007199254740993.03')",
    ),
    oddity(
        1,
        "accounts with notes of twenty kilobytes, emoji sequences among them",
        "SELECT count(*) FROM account WHERE length(CAST(notes AS BLOB)) > 20000",
    ),
    oddity(
        5,
        "texts that give an assistant instructions: notes, a subject, comments, a next step",
        "SELECT count(*) FROM (SELECT notes AS text FROM account UNION ALL SELECT subject FROM \"case\"
         UNION ALL SELECT comments FROM task UNION ALL SELECT next_step FROM call_report)
         WHERE text LIKE '%ignore all previous instructions%'",
    ),
    oddity(
        2,
        "case descriptions with escape sequences of a terminal",
        "SELECT count(*) FROM \"case\" WHERE instr(description, char(27))",
    ),
    oddity(
        2,
        "task subjects with characters that turn the direction of writing or don't show",
        "SELECT count(*) FROM task WHERE instr(subject, char(8238)) OR instr(subject, char(8203))",
    ),
    oddity(5, "contacts born on a leap day", "SELECT count(*) FROM contact WHERE birthdate GLOB '*-02-29'"),
    oddity(1, "orders of a leap day", "SELECT count(*) FROM \"order\" WHERE placed_on = '2024-02-29'"),
    oddity(
        16,
        "sample lots that expire on a leap day",
        "SELECT count(*) FROM sample_lot WHERE expires = '2028-02-29'",
    ),
    oddity(
        161,
        "contracts that end with a month",
        "SELECT count(*) FROM contract WHERE date(ends, '+1 day') = date(ends, '+1 day', 'start of month')",
    ),
    oddity(
        8,
        "events that begin at the turn of a year, in UTC, Berlin, Kolkata or New York",
        "SELECT count(*) FROM event WHERE ends_at = '2026-01-01T06:00:00Z'",
    ),
    oddity(
        702,
        "call reports on another day in UTC than in Kolkata",
        "SELECT count(*) FROM call_report WHERE date(started_at) <> date(started_at, '+330 minutes')",
    ),
];
