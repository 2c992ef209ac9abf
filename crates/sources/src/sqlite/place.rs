//! Where the values of a path stand in a statement.

use std::cell::RefCell;
use std::rc::Rc;

use portolan_runtime::query::{Hop, Kind, Match, Part, Path, Reference, Target, Test, Value};
use portolan_schema::FieldType;
use rusqlite::types::Value as Sql;

use super::catalog::{Affinity, Catalog, Column, Kept};
use super::read::Moments;
use super::term::{Form, Params, Term};
use crate::Stored;

/// Something that the database doesn't have, in words for the host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Missing(pub(super) String);

/// Whether a column holds values of its own type alone. It is asked of the database, where an index answers.
pub(super) type Probe<'p> = dyn Fn(&Kept<'_>) -> bool + 'p;

/// A row that columns are read of.
#[derive(Clone, Debug)]
pub(super) enum Row {
    /// Of a table of the statement, by its alias.
    Of(String),
    /// Of one that is looked up: all of a sub-select but for what it selects.
    Found { alias: String, from: String },
    /// Of a table of the inner select, by its alias there; and what the outer one reads of that, as `p.x0` and
    /// so on.
    Inner { alias: String, read: Rc<RefCell<Vec<String>>> },
}

impl Row {
    fn column(&self, column: &Column) -> String {
        match self {
            Self::Of(alias) => [alias, ".", &column.sql].concat(),
            Self::Found { alias, from } => format!("(SELECT {alias}.{}{from})", column.sql),
            Self::Inner { alias, read } => {
                let sql = format!("{alias}.{}", column.sql);
                let mut read = read.borrow_mut();
                let at = read.iter().position(|known| *known == sql).unwrap_or_else(|| {
                    read.push(sql);
                    read.len() - 1
                });
                format!("p.x{at}")
            }
        }
    }
}

/// What a path is in a statement.
#[derive(Clone, Debug)]
pub(super) enum Place<'c> {
    Value(Term<'c>),
    Reference { id: Term<'c>, object: ObjectOf<'c> },
}

/// How it is known which object a reference leads to.
#[derive(Clone, Debug)]
pub(super) enum ObjectOf<'c> {
    /// It always is this one.
    Always(String),
    /// By what is stored.
    Stored(Term<'c>),
    /// By looking for it: SQL that gives the object's own name.
    Found(String),
}

impl ObjectOf<'_> {
    /// SQL that is true where the object is this one; nothing where it never is.
    pub(super) fn is(&self, object: &str, catalog: &Catalog, params: &mut Params) -> Option<String> {
        match self {
            Self::Always(always) => (always == object).then(|| "1".to_owned()),
            Self::Stored(term) => term.equal_to(&[&Value::Text(catalog.alias(object).to_owned())], params),
            Self::Found(sql) => Some(format!("{sql} = {}", params.push(Sql::Text(object.to_owned())))),
        }
    }
}

impl Place<'_> {
    pub(super) fn is_null(&self) -> String {
        self.main().is_null()
    }

    pub(super) fn is_there(&self) -> String {
        self.main().is_there()
    }

    /// What of it is ordered: of a reference, the identifier.
    pub(super) const fn main(&self) -> &Term<'_> {
        match self {
            Self::Value(term) | Self::Reference { id: term, .. } => term,
        }
    }

    /// A test of the value, true where it holds.
    pub(super) fn test(&self, test: &Test, catalog: &Catalog, params: &mut Params) -> String {
        match (self, test) {
            (Self::Reference { id, object }, Test::OneOf(wanted)) => {
                let references = wanted.iter().filter_map(|wanted| match wanted {
                    Match::Exactly(Value::Reference(reference)) => Some(reference),
                    _ => None,
                });
                let mut objects: Vec<&str> = references.clone().map(|to| to.object.as_str()).collect();
                objects.sort_unstable();
                objects.dedup();
                let mut any = Vec::new();
                for of in objects {
                    let ids = references.clone().filter(|to| to.object == of);
                    let ids: Vec<Value> = ids.map(|to| Value::Text(to.id.clone())).collect();
                    let Some(is_object) = object.is(of, catalog, params) else { continue };
                    let Some(is_id) = id.equal_to(&ids.iter().collect::<Vec<_>>(), params) else { continue };
                    any.push(if is_object == "1" { is_id } else { format!("({is_id} AND {is_object})") });
                }
                if any.is_empty() { "0".to_owned() } else { format!("({})", any.join(" OR ")) }
            }
            (place, test) => place.main().test(test, params),
        }
    }
}

/// What places are found by.
pub(super) struct Places<'c, 'p> {
    pub(super) catalog: &'c Catalog,
    pub(super) probe: &'p Probe<'p>,
}

impl<'c> Places<'c, '_> {
    fn kept(&self, object: &str, field: &str, field_type: FieldType) -> Result<Kept<'c>, Missing> {
        let kept = self.catalog.kept(object, field, field_type);
        kept.ok_or_else(|| Missing(format!("there is no column for {object}.{field}")))
    }

    /// The table of an object.
    pub(super) fn table(&self, object: &str) -> Result<&'c str, Missing> {
        let table = self.catalog.table(object);
        table
            .map(|table| table.sql.as_str())
            .ok_or_else(|| Missing(format!("there is no table for {object}")))
    }

    /// What the field at a path's end is in a row that the path leads to. The name of what a reference leads
    /// to is in other rows, and isn't found here.
    pub(super) fn place(&self, row: &Row, path: &Path) -> Result<Place<'c>, Missing> {
        if path.part == Part::Whole && Kind::of(path.field_type) != Kind::Reference {
            let kept = self.kept(&path.object, &path.field, path.field_type)?;
            return Ok(Place::Value(self.term(row.column(kept.column), &kept, path.field_type)));
        }
        let (id, object) = self.reference(row, &path.object, &path.field, &path.targets)?;
        Ok(match path.part {
            Part::Whole => Place::Reference { id, object },
            Part::Object => Place::Value(self.object_name(&id, &object, &path.targets)),
            Part::Id | Part::Name => Place::Value(id),
        })
    }

    /// The identifier that a reference holds, and how it is known what it is of.
    fn reference(
        &self,
        row: &Row,
        object: &str,
        field: &str,
        targets: &[Target],
    ) -> Result<(Term<'c>, ObjectOf<'c>), Missing> {
        let kept = self.kept(object, field, FieldType::Reference)?;
        let raw = row.column(kept.column);
        let numbered = match targets {
            [only] => self.is_numbered(only),
            _ => false,
        };
        if *kept.stored == Stored::ObjectAndId {
            let part = |which: &str| self.computed(format!("portolan_pair_{which}({raw})"));
            let id = Term { form: Form::Id { numbered }, ..part("id") };
            return Ok((id, ObjectOf::Stored(part("object"))));
        }
        let id = Term { form: Form::Id { numbered }, ..self.term(raw, &kept, FieldType::Reference) };
        let object = match (kept.object_column, targets) {
            (Some(column), _) => {
                let kept = Kept { column, stored: &Stored::Auto, object_column: None, ..kept };
                ObjectOf::Stored(self.term(row.column(column), &kept, FieldType::Text))
            }
            (None, [only]) => ObjectOf::Always(only.object.clone()),
            (None, _) => ObjectOf::Found(self.found(&id, targets)),
        };
        Ok((id, object))
    }

    fn is_numbered(&self, target: &Target) -> bool {
        let id = target.id.as_ref().and_then(|id| self.catalog.kept(&target.object, id, FieldType::Id));
        id.is_some_and(|id| id.column.affinity == Affinity::Numeric)
    }

    /// SQL that looks among the objects that a reference may lead to for the one that has its identifier.
    fn found(&self, id: &Term<'_>, targets: &[Target]) -> String {
        let mut cases = String::new();
        for Target { object, id: field, .. } in targets {
            let key = field.as_ref().and_then(|field| self.catalog.kept(object, field, FieldType::Id));
            let Some(key) = key else { continue };
            let matches = self.same(&self.term(format!("f.{}", key.column.sql), &key, FieldType::Id), id);
            let (table, name) = (&key.table.sql, text(object));
            cases = format!("{cases} WHEN EXISTS (SELECT 1 FROM {table} f WHERE {matches}) THEN {name}");
        }
        if cases.is_empty() { "NULL".to_owned() } else { format!("CASE{cases} END") }
    }

    /// The name of the object that a reference leads to, where it is one of these.
    fn object_name(&self, id: &Term<'_>, object: &ObjectOf<'_>, targets: &[Target]) -> Term<'c> {
        let sql = match object {
            ObjectOf::Always(always) => format!("CASE WHEN {} THEN {} END", id.is_there(), text(always)),
            ObjectOf::Found(sql) => sql.clone(),
            ObjectOf::Stored(term) => {
                let case = |target: &Target| {
                    format!(
                        " WHEN {} THEN {}",
                        text(self.catalog.alias(&target.object)),
                        text(&target.object)
                    )
                };
                let cases: String = targets.iter().map(case).collect();
                format!("CASE WHEN {} THEN CASE {}{cases} END END", id.is_there(), term.key())
            }
        };
        self.computed(if targets.is_empty() { "NULL".to_owned() } else { sql })
    }

    /// SQL that is true of the row of `target` that a hop from a row leads to, its being deleted or hidden
    /// aside.
    pub(super) fn follows(
        &self,
        hop: &Hop,
        from: &Row,
        target: &str,
        params: &mut Params,
    ) -> Result<String, Missing> {
        let of = Target { object: hop.target.clone(), id: Some(hop.id.clone()), name: None };
        let (reference, object) = self.reference(from, &hop.object, &hop.field, &[of])?;
        let key = self.kept(&hop.target, &hop.id, FieldType::Id)?;
        let key = self.term(format!("{target}.{}", key.column.sql), &key, FieldType::Id);
        let same = self.same(&key, &reference);
        Ok(match object.is(&hop.target, self.catalog, params) {
            Some(is_object) if is_object != "1" => format!("{same} AND {is_object}"),
            _ => same,
        })
    }

    /// SQL that is true where an identifier is what a reference holds.
    #[expect(clippy::unused_self, reason = "it belongs to what finds places")]
    fn same(&self, key: &Term<'_>, reference: &Term<'_>) -> String {
        let read = |term: &Term<'_>| {
            if term.plain { term.raw.clone() } else { format!("portolan_id({})", term.raw) }
        };
        let (left, right) = (&key.raw, read(reference));
        match (key.affinity(), reference.affinity()) {
            // Each is stored as it is read, or both as the same.
            (Affinity::Text, Affinity::Text) => format!("{left}{} = {}", key.equal(), reference.raw),
            // What it is compared with becomes a number, where it is one.
            (Affinity::Numeric, _) => format!("{left} = {right}"),
            (Affinity::Text, _) => format!("{left}{} = CAST({right} AS TEXT)", key.equal()),
            (Affinity::Blob, _) => {
                let forms = format!("{}, {right}, CAST({right} AS INTEGER)", reference.raw);
                format!("({left} IN ({forms}) AND portolan_id({left}) = portolan_id({}))", reference.raw)
            }
        }
    }

    /// SQL that is true of a row that isn't marked as deleted, where rows of the object can be.
    pub(super) fn live(&self, object: &str, alias: &str) -> Option<String> {
        let column = self.catalog.deleted(object)?;
        let gone = self.gone(object, alias)?;
        Some(if is_mark(column) && !column.not_null {
            format!("{gone} IS NOT TRUE")
        } else {
            format!("NOT {gone}")
        })
    }

    /// SQL that is true of a row that is marked as deleted, where rows of the object can be.
    pub(super) fn gone(&self, object: &str, alias: &str) -> Option<String> {
        let column = self.catalog.deleted(object)?;
        let raw = format!("{alias}.{}", column.sql);
        Some(if is_mark(column) { raw } else { format!("portolan_mark({raw})") })
    }

    /// A column as a value of a type.
    fn term(&self, raw: String, kept: &Kept<'c>, field_type: FieldType) -> Term<'c> {
        let column = kept.column;
        let form = match Kind::of(field_type) {
            Kind::Text => Form::Text,
            Kind::Id | Kind::Reference => Form::Id { numbered: column.affinity == Affinity::Numeric },
            Kind::Number => Form::Number,
            Kind::Boolean => Form::Flag,
            Kind::Date => Form::Day(Moments::of(kept.stored)),
            Kind::Datetime => Form::Moment(Moments::of(kept.stored)),
            Kind::Time => Form::Time,
            Kind::Texts => Form::Several,
            Kind::Opaque if field_type == FieldType::Binary => Form::Bytes,
            Kind::Opaque => Form::Opaque,
        };
        let numeric = column.affinity == Affinity::Numeric;
        let utc = self.zone() == chrono_tz::Tz::UTC;
        let own = || column.strict || (self.probe)(kept);
        let plain = match form {
            Form::Text | Form::Id { .. } => (!numeric || form != Form::Text) && own(),
            Form::Number => numeric && (*kept.stored == Stored::Number || own()),
            Form::Flag => numeric && column.strict,
            Form::Day(Moments::Pattern(pattern)) => !numeric && !pattern.contains("%H"),
            Form::Moment(Moments::Pattern(_)) => !numeric && utc,
            Form::Moment(Moments::Seconds | Moments::Milliseconds) => column.affinity != Affinity::Text,
            _ => false,
        };
        Term {
            raw,
            form,
            plain,
            empty_is_null: kept.empty_is_null,
            column: Some(column),
            collate: column.collate,
            zone: self.zone(),
        }
    }

    fn zone(&self) -> chrono_tz::Tz {
        self.catalog.mapping.defaults.zone.unwrap_or(chrono_tz::Tz::UTC)
    }

    /// A text that a statement computes.
    pub(super) fn computed(&self, sql: String) -> Term<'c> {
        Term {
            raw: sql,
            form: Form::Text,
            plain: true,
            empty_is_null: false,
            column: None,
            collate: self.catalog.collate(),
            zone: self.zone(),
        }
    }

    /// The text of a field by which the records of an object are called.
    pub(super) fn name(&self, row: &Row, object: &str, name: &str) -> Result<String, Missing> {
        let kept = self.kept(object, name, FieldType::Text)?;
        Ok(self.term(row.column(kept.column), &kept, FieldType::Text).key())
    }
}

/// Whether a column marks rows as SQL understands it: by a number.
fn is_mark(column: &Column) -> bool {
    column.strict && column.affinity == Affinity::Numeric
}

/// A text as SQL writes it.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The object and identifier of a reference as they were read.
pub(super) fn reference(
    catalog: &Catalog,
    object: &ObjectOf<'_>,
    stored: Option<&str>,
    id: String,
) -> Reference {
    let object = match (object, stored) {
        (ObjectOf::Always(always), _) => always.as_str(),
        (ObjectOf::Stored(_), Some(alias)) => catalog.of_alias(alias),
        (ObjectOf::Found(_), Some(object)) => object,
        (_, None) => "",
    };
    Reference { object: object.to_owned(), id }
}
