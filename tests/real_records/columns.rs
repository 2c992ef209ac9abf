//! Every column, whatever is in it: how many rows have it, which have a value of it, and in what order they
//! come.

use portolan_runtime::Caller;
use portolan_schema::FieldType;
use serde_json::{Value, json};

use super::catalog::{Column, Table, is_numeric, quoted};
use super::cell::{Cell, Row, compare};
use super::conversation::{Answer, Conversation};
use super::dataset::{DATASETS, Dataset};

#[test]
fn every_column_is_filtered_and_ordered_by_as_sql_does_it() {
    let mut wrong = Vec::new();
    for name in DATASETS {
        let Some(dataset) = Dataset::open(name) else { return };
        let conversation = dataset.conversation(Caller::new());
        for table in dataset.tables.iter().filter(|table| table.rows > 0) {
            for column in &table.columns {
                let asked = Asked { dataset: &dataset, conversation: &conversation, table, column };
                if let Err(problem) = asked.check() {
                    wrong.push(format!("{name}: {}.{}: {problem}", table.name, column.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

struct Asked<'d> {
    dataset: &'d Dataset,
    conversation: &'d Conversation,
    table: &'d Table,
    column: &'d Column,
}

impl Asked<'_> {
    fn check(&self) -> Result<(), String> {
        self.check_count("is_null", None, "value IS NULL")?;
        self.check_count("not_null", None, "value IS NOT NULL")?;
        // The value that the most rows have, so that there is something to tell apart.
        let common =
            self.select("stored", "value IS NOT NULL GROUP BY value ORDER BY COUNT(*) DESC, value LIMIT 1");
        if let Some([Cell::Number(common) | Cell::Text(common)]) = common.first().map(Vec::as_slice) {
            let literal = common.replace('\'', "''");
            // Nothing is stored as `''`, which is not the literal either.
            for (op, sql) in [("eq", "stored = "), ("ne", "stored <> ")] {
                self.check_count(op, Some(common), &format!("{sql}'{literal}'"))?;
            }
            if is_numeric(self.column.field_type) {
                self.check_count("gt", Some(common), &format!("value > {literal}"))?;
                self.check_count("lte", Some(common), &format!("value <= {literal}"))?;
            }
        }
        self.check_order("", "ASC")?;
        self.check_order(" desc", "DESC")
    }

    fn check_count(&self, op: &str, value: Option<&str>, sql: &str) -> Result<(), String> {
        let mut condition = json!({"field": self.column.name, "op": op});
        if let Some(value) = value {
            condition["value"] = json!(value);
        }
        let answer = self.ask(&json!({"where": [condition], "limit": 1}))?;
        compare(vec![vec![answer.total()]], self.select("COUNT(*)", sql), true)
            .map_err(|problem| format!("{op} {value:?}: {problem}"))
    }

    fn check_order(&self, behind: &str, direction: &str) -> Result<(), String> {
        let order_by = format!("{}{behind}", self.column.name);
        let answer = self.ask(&json!({"order_by": [order_by], "limit": 50}))?;
        let found = answer.rows(&[&self.table.id]);
        let found = found.into_iter().flatten().map(|id| vec![id.meant_as(FieldType::Id)]).collect();
        // A reference is ordered by what it leads to.
        let by = if self.column.target.is_some() { ["name", "target"].as_slice() } else { &["value"] };
        let by: Vec<String> = by.iter().map(|by| format!("{by} {direction} NULLS LAST")).collect();
        let truth = self.select("id", &format!("TRUE ORDER BY {}, id LIMIT 50", by.join(", ")));
        compare(found, truth, true).map_err(|problem| format!("{order_by}: {problem}"))
    }

    fn ask(&self, arguments: &Value) -> Result<Answer, String> {
        let mut arguments = arguments.clone();
        arguments["object"] = json!(self.table.name);
        arguments["fields"] = json!([self.table.id]);
        let answer = self.conversation.page(&arguments);
        answer.refused()?;
        Ok(answer)
    }

    /// Selects from the column: what is `stored`, the `value` that it means, and of a reference the id of its
    /// `target` as that is stored, and its `name`.
    fn select(&self, what: &str, condition: &str) -> Vec<Row> {
        let (id, column) = (quoted(&self.table.id), quoted(&self.column.name));
        let value = match self.column.field_type {
            field_type if is_numeric(field_type) => format!("CAST(NULLIF(t.{column}, '') AS REAL)"),
            _ => format!("NULLIF(t.{column}, '')"),
        };
        let (target, joined) = match &self.column.target {
            None => ("NULL target, NULL name".to_owned(), String::new()),
            Some(target) => {
                let target = self.dataset.table(target);
                let name = target
                    .name_field
                    .as_deref()
                    .map_or("NULL".to_owned(), |name| format!("r.{}", quoted(name)));
                let (source, id) = (quoted(target.source()), quoted(&target.id));
                (
                    format!("r.{id} target, {name} name"),
                    format!("LEFT JOIN {source} r ON r.{id} = t.{column}"),
                )
            }
        };
        let source = quoted(self.table.source());
        self.dataset.truth(&format!(
            "SELECT {what} FROM (SELECT t.{id} id, t.{column} stored, {value} value, {target} FROM {source} t {joined}) \
             WHERE {condition}"
        ))
    }
}
