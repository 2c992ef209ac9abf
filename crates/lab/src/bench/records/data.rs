//! What is asked: a million orders of fifty thousand customers in an `SQLite` file, and the artifact of that.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use portolan_runtime::Schema;
use portolan_schema::artifact::{Artifact, encode};
use portolan_schema::{ClosedSchema, Field, FieldType, Object};
use portolan_sources::Mapping;
use rusqlite::{Connection, Transaction, params};

use crate::sample_org::Rng;

pub(super) const ORDERS: u32 = 1_000_000;
pub(super) const CUSTOMERS: u32 = 50_000;
pub(super) const USERS: u32 = 500;

/// Raised with every change of what is generated, so that no older file is measured.
const VERSION: u32 = 1;
const SEED: u64 = 20_261_130;
/// How far one order's moment is from the next one's, at most: a million of them are three years.
const SECONDS_APART: u32 = 95;
/// 2023-12-01T00:00:00Z, where they begin.
const BEGIN: i64 = 1_701_388_800;

pub(super) const STATUSES: [&str; 6] =
    ["draft", "placed", "confirmed", "shipped", "invoiced", "cancelled_by_customer"];
const FIRST: [&str; 8] = ["Anneliese", "Björn", "Chiara", "Dmitri", "Élodie", "Fatima", "Gunnar", "Hye-jin"];
const LAST: [&str; 8] = ["Albrecht", "Brontë", "Çelik", "Dvořák", "Eriksen", "Fontaine", "Górski", "Hübner"];
const KINDS: [&str; 5] = ["Clinic", "Hospital", "Pharmacy", "Practice", "Laboratory"];
const PLACES: [&str; 7] = ["Aarhus", "Brno", "Córdoba", "Düsseldorf", "Espoo", "Ghent", "Łódź"];

/// As the sample org's records are stored: strict tables, exact decimals as texts, an index for each reference
/// and name; and for what people order by.
const TABLES: &str = r#"
CREATE TABLE "user" (
  "id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT, "is_deleted" INTEGER NOT NULL
) STRICT;
CREATE TABLE "customer" (
  "id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "city" TEXT, "owner" TEXT, "is_deleted" INTEGER NOT NULL
) STRICT;
CREATE TABLE "order" (
  "id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "customer" TEXT, "owner" TEXT, "status" TEXT,
  "total" TEXT, "placed_on" TEXT NOT NULL, "created_at" TEXT NOT NULL, "is_deleted" INTEGER NOT NULL
) STRICT;
"#;
const INDEXES: &str = r#"
CREATE INDEX "user.name" ON "user" ("name");
CREATE INDEX "customer.name" ON "customer" ("name");
CREATE INDEX "customer.owner" ON "customer" ("owner");
CREATE INDEX "order.name" ON "order" ("name");
CREATE INDEX "order.customer" ON "order" ("customer");
CREATE INDEX "order.owner" ON "order" ("owner");
CREATE INDEX "order.placed_on" ON "order" ("placed_on" DESC, "id");
CREATE INDEX "order.created_at" ON "order" ("created_at");
"#;

const MAPPING: &str = r#"
[defaults]
deleted = "is_deleted"
[defaults.stored]
date = "%Y-%m-%d"
datetime = "%Y-%m-%dT%H:%M:%SZ"
"#;

pub(super) fn mapping() -> anyhow::Result<Mapping> {
    Ok(MAPPING.parse()?)
}

pub(super) fn order(number: u32) -> String {
    format!("o{number:07}")
}

pub(super) fn user(number: u32) -> String {
    format!("u{number:03}")
}

/// The database in a folder, made where it isn't there yet.
pub(super) fn database(folder: &Path, orders: u32) -> anyhow::Result<PathBuf> {
    let path = folder.join(format!("orders-{orders}-v{VERSION}.sqlite"));
    if !path.exists() {
        fs::create_dir_all(folder)?;
        // Made apart and moved into place: what is there is whole.
        let made = tempfile::Builder::new().prefix("orders-").tempfile_in(folder)?.into_temp_path();
        generate(&made, orders).context("the database can't be made")?;
        made.persist(&path)?;
    }
    Ok(path)
}

fn generate(path: &Path, orders: u32) -> anyhow::Result<()> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "OFF")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    fill(&transaction, orders)?;
    transaction.execute_batch(INDEXES)?;
    transaction.commit()?;
    connection.close().map_err(|(_, problem)| problem)?;
    Ok(())
}

fn fill(transaction: &Transaction<'_>, orders: u32) -> anyhow::Result<()> {
    let mut rng = Rng::named(SEED, "users");
    let mut insert = transaction.prepare(r#"INSERT INTO "user" VALUES (?, ?, ?, ?)"#)?;
    for number in 0..USERS {
        let name = format!("{} {} {number}", rng.pick(&FIRST), rng.pick(&LAST));
        insert.execute(params![user(number), name, format!("{number}@example.com"), rng.chance(1)])?;
    }
    let mut rng = Rng::named(SEED, "customers");
    let mut insert = transaction.prepare(r#"INSERT INTO "customer" VALUES (?, ?, ?, ?, ?)"#)?;
    for number in 0..CUSTOMERS {
        let (place, owner) = (rng.pick(&PLACES), user(rng.below(USERS)));
        let name = format!("{} {place} {number}", rng.pick(&KINDS));
        insert.execute(params![format!("c{number:05}"), name, place, owner, rng.chance(1)])?;
    }
    let mut rng = Rng::named(SEED, "orders");
    let mut insert = transaction.prepare(
        r#"INSERT INTO "order" VALUES (
             ?1, ?2, ?3, ?4, ?5, ?6, date(?7, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', ?7, 'unixepoch'), ?8)"#,
    )?;
    let mut second = BEGIN;
    for number in 0..orders {
        // Some are of one second, and many of one day: where what is ordered by is equal, the id decides.
        second += i64::from(rng.below(2 * SECONDS_APART));
        let (whole, cents) = (rng.below(20_000), rng.below(100));
        insert.execute(params![
            order(number),
            format!("Order {number:07}"),
            format!("c{:05}", rng.below(CUSTOMERS)),
            user(rng.below(USERS)),
            rng.pick(&STATUSES),
            format!("{whole}.{cents:02}"),
            second,
            rng.chance(1),
        ])?;
    }
    Ok(())
}

/// The artifact of the three objects.
pub(super) fn schema() -> anyhow::Result<Schema> {
    let object = |name: &str, fields: Vec<Field>| Object {
        name: name.to_owned(),
        label: name.to_owned(),
        queryable: true,
        id_field: Some("id".to_owned()),
        name_field: Some("name".to_owned()),
        fields: [Field::new("id", FieldType::Id), Field::new("name", FieldType::Text)]
            .into_iter()
            .chain(fields)
            .collect(),
        ..Object::default()
    };
    let reference = |name: &str, target: &str| Field {
        references: vec![target.to_owned()],
        ..Field::new(name, FieldType::Reference)
    };
    let objects = vec![
        object("user", vec![Field::new("email", FieldType::Email)]),
        object("customer", vec![Field::new("city", FieldType::Text), reference("owner", "user")]),
        object(
            "order",
            vec![
                reference("customer", "customer"),
                reference("owner", "user"),
                Field::new("status", FieldType::Picklist),
                Field { scale: Some(2), ..Field::new("total", FieldType::Currency) },
                Field::new("placed_on", FieldType::Date),
                Field::new("created_at", FieldType::Datetime),
            ],
        ),
    ];
    let artifact = Artifact {
        version: "1.0.0".parse()?,
        schema: ClosedSchema::new(objects).map_err(|faults| anyhow!("no schema: {faults:?}"))?,
        profiles: Vec::new(),
        tasks: Vec::new(),
    };
    Ok(Schema::open(encode(&artifact).bytes)?)
}
