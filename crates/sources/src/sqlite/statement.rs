//! The statements that answer a query.
//!
//! Every name in them is the database's own, found by what the query names; every value is bound.

use std::cell::RefCell;
use std::rc::Rc;

use portolan_runtime::query::{Condition, Hop, Match, Part as Reads, Path, Query, Test, Value};
use rusqlite::types::ValueRef;

use super::order::{Key, Part, parts};
use super::place::{Missing, ObjectOf, Place, Places, Row, reference};
use super::read::{self, Unreadable};
use super::term::Params;

/// The statements of a query. Each takes the parameters from the first on, as many as it has.
#[derive(Debug)]
pub(super) struct Statements<'c> {
    pub(super) params: Params,
    /// Records, in parts that follow each other: each is asked where those before it left room.
    pub(super) pages: Vec<String>,
    /// For each record that matches, whether it is `gone`, marked as deleted; in no order.
    pub(super) matching: String,
    /// Whether records of the object can be deleted.
    pub(super) deletable: bool,
    /// How the query's columns are read.
    pub(super) columns: Vec<Output<'c>>,
}

/// A column of a query, among those of a statement.
#[derive(Debug)]
pub(super) struct Output<'c> {
    place: Place<'c>,
    /// The column with the value; the next one has the object of a reference that needs it.
    at: usize,
}

impl<'c> Output<'c> {
    /// What a statement selects for a place, from one of its columns on.
    fn select(place: Place<'c>, selected: &mut Vec<String>) -> Self {
        let at = selected.len();
        selected.push(place.main().output());
        if let Place::Reference { object, .. } = &place {
            match object {
                ObjectOf::Always(_) => {}
                ObjectOf::Stored(term) => selected.push(term.output()),
                ObjectOf::Found(sql) => selected.push(sql.clone()),
            }
        }
        Self { place, at }
    }

    /// The value in a row; or that it can't be read.
    pub(super) fn read(
        &self,
        row: &rusqlite::Row<'_>,
        places: &Places<'_, '_>,
    ) -> rusqlite::Result<Result<Value, Unreadable>> {
        let value = self.place.main().decode(row.get_ref(self.at)?);
        Ok(match (&self.place, value) {
            (Place::Reference { object, .. }, Ok(Value::Text(id))) => {
                let stored = match object {
                    ObjectOf::Always(_) => ValueRef::Null,
                    ObjectOf::Stored(_) | ObjectOf::Found(_) => row.get_ref(self.at + 1)?,
                };
                let stored = read::text(stored).ok().flatten();
                Ok(Value::Reference(reference(places.catalog, object, stored.as_deref(), id)))
            }
            (_, value) => value,
        })
    }
}

/// A table that a reference is followed to.
struct Join {
    hops: Vec<Hop>,
    alias: String,
    sql: String,
}

/// Builds the statements of a query.
pub(super) struct Builder<'c, 'p, 'q> {
    places: &'p Places<'c, 'p>,
    query: &'q Query,
    params: Params,
    joins: Vec<Join>,
    /// How many of the joins the inner select has, and what the outer one reads of it; where there are two.
    inner: Option<(usize, Rc<RefCell<Vec<String>>>)>,
    found: usize,
}

impl<'c, 'p, 'q> Builder<'c, 'p, 'q> {
    pub(super) fn new(places: &'p Places<'c, 'p>, query: &'q Query) -> Self {
        Self { places, query, params: Params::default(), joins: Vec::new(), inner: None, found: 0 }
    }

    /// Builds them all.
    pub(super) fn build(mut self) -> Result<Statements<'c>, Missing> {
        let query = self.query;
        let table = self.places.table(&query.object)?;
        let mut conditions = self.matches()?;
        let live = self.places.live(&query.object, "t");
        let gone = self.places.gone(&query.object, "t").unwrap_or_else(|| "0".to_owned());
        let matching =
            format!("SELECT {gone} AS gone FROM {table} t{}{}", self.joined(0), all(&conditions, None));
        let deletable = live.is_some();
        conditions.extend(live);
        let order = self.order()?;
        let filtered = self.joins.len();
        let from = format!(" FROM {table} t{}", self.joined(0));

        let parts = parts(&order, query.after.as_deref(), &mut self.params);
        let limit = i64::try_from(query.limit.saturating_add(1)).unwrap_or(i64::MAX);
        let limit = self.params.push(limit);
        // Where all that match are sorted, what is only shown is looked up for the page, and not for all.
        let sorts = order.first().is_some_and(|first| !first.indexed) || self.is_found_by_another_index()?;
        if sorts && query.columns.iter().any(|path| self.is_joined_for(path)) {
            self.inner = Some((filtered, Rc::default()));
        }
        let mut selected = Vec::new();
        let mut columns = Vec::with_capacity(query.columns.len());
        for path in &query.columns {
            columns.push(Output::select(self.place(path)?, &mut selected));
        }
        let selected = selected.join(", ");
        let shown = self.joined(filtered);
        let page = |part: &Part| {
            let (wanted, order) = (all(&conditions, part.condition.as_deref()), part.order_by());
            match &self.inner {
                None if query.distinct => {
                    distinct(query, &selected, &columns, &format!("{from}{shown}{wanted}"), &limit)
                }
                None => format!("SELECT {selected}{from}{shown}{wanted} ORDER BY {order} LIMIT {limit}"),
                Some((_, read)) => {
                    let keys = part.order.iter().enumerate();
                    let columns = read
                        .borrow()
                        .iter()
                        .enumerate()
                        .map(|(at, sql)| format!("{sql} AS x{at}"))
                        .collect::<Vec<_>>();
                    let columns: Vec<String> = columns
                        .into_iter()
                        .chain(keys.clone().map(|(at, (key, _))| format!("{key} AS k{at}")))
                        .collect();
                    let outer: Vec<String> = keys.map(|(at, (_, how))| format!("p.k{at}{how}")).collect();
                    format!(
                        "SELECT {selected} FROM (SELECT {}{from}{wanted} ORDER BY {order} LIMIT {limit}) p{shown} \
                         ORDER BY {}",
                        columns.join(", "),
                        outer.join(", ")
                    )
                }
            }
        };
        let pages = parts.iter().map(page).collect();
        Ok(Statements { params: self.params, pages, matching, deletable, columns })
    }

    /// The joins from one of them on.
    fn joined(&self, from: usize) -> String {
        self.joins.iter().skip(from).map(|join| join.sql.as_str()).collect()
    }

    /// Everything that must hold of a record, its being deleted aside.
    fn matches(&mut self) -> Result<Vec<String>, Missing> {
        let query = self.query;
        let mut all = self.rules(&query.object, "t")?;
        for condition in &query.all {
            all.push(self.condition(condition)?);
        }
        let any = query.any.iter().map(|condition| self.condition(condition));
        let any = any.collect::<Result<Vec<_>, _>>()?;
        if !any.is_empty() {
            all.push(format!("({})", any.join(" OR ")));
        }
        if let Some(search) = &query.search {
            let mut found = Vec::new();
            for path in &search.fields {
                let place = self.place(path)?;
                found.push(place.main().with_text("portolan_contains", &search.text, &mut self.params));
            }
            all.push(format!("({})", found.join(" OR ")));
        }
        // What has no identifier is no record.
        if let Some(last) = query.order.last() {
            let place = self.place(&last.path)?;
            if place.main().column.is_none_or(|column| !column.not_null) {
                // Said so that no index seems to be of use for it.
                all.push(format!("NOT ({})", place.is_null()));
            }
        }
        Ok(all)
    }

    fn condition(&mut self, condition: &Condition) -> Result<String, Missing> {
        let place = self.place(&condition.path)?;
        Ok(self.tested(&place, condition))
    }

    fn tested(&mut self, place: &Place<'_>, condition: &Condition) -> String {
        match (&condition.test, condition.negated) {
            (Test::Never, _) => "0".to_owned(),
            (Test::Null, true) => place.is_there(),
            (test, false) => place.test(test, self.places.catalog, &mut self.params),
            // The complement, nulls included.
            (test, true) => {
                format!("({}) IS NOT TRUE", place.test(test, self.places.catalog, &mut self.params))
            }
        }
    }

    /// The row rules of an object, over a table of it. They see everything that isn't deleted.
    fn rules(&mut self, object: &str, alias: &str) -> Result<Vec<String>, Missing> {
        let query = self.query;
        let rules = query.rows.get(object).map(Vec::as_slice).unwrap_or_default();
        rules
            .iter()
            .map(|rule| {
                let row = self.found(&Row::Of(alias.to_owned()), &rule.path.hops)?;
                let place = self.places.place(&row, &rule.path)?;
                Ok(self.tested(&place, rule))
            })
            .collect()
    }

    /// The row that hops lead to from another, looked up.
    fn found(&mut self, row: &Row, hops: &[Hop]) -> Result<Row, Missing> {
        let (mut tables, mut wanted, mut from) = (Vec::new(), Vec::new(), row.clone());
        for hop in hops {
            let alias = format!("r{}", self.found);
            self.found += 1;
            wanted.push(self.places.follows(hop, &from, &alias, &mut self.params)?);
            wanted.extend(self.places.live(&hop.target, &alias));
            tables.push(format!("{} {alias}", self.places.table(&hop.target)?));
            from = Row::Of(alias);
        }
        Ok(match from {
            Row::Of(alias) if !hops.is_empty() => Row::Found {
                alias,
                from: format!(" FROM {} WHERE {}", tables.join(", "), wanted.join(" AND ")),
            },
            row => row,
        })
    }

    fn order(&mut self) -> Result<Vec<Key<'c>>, Missing> {
        let query = self.query;
        if query.distinct {
            return Ok(Vec::new());
        }
        let last = query.order.len().saturating_sub(1);
        let keys = query.order.iter().enumerate().map(|(at, order)| {
            let place = self.place(&order.path)?;
            let own = order.path.hops.is_empty() && order.path.part == Reads::Whole;
            let term = place.main();
            let always = at == last || (own && term.is_always_there());
            let indexed = own && term.is_indexed();
            Ok(Key { place, descending: order.descending, always, indexed })
        });
        keys.collect()
    }

    /// Whether the index of another column than the one that is ordered by finds what matches.
    fn is_found_by_another_index(&mut self) -> Result<bool, Missing> {
        let query = self.query;
        let Some(first) = query.order.first().filter(|_| !query.distinct) else { return Ok(false) };
        let rules = query.rows.get(&query.object).map(Vec::as_slice).unwrap_or_default();
        for Condition { path, test, negated } in query.all.iter().chain(rules) {
            let is_exact = |wanted: &Match| matches!(wanted, Match::Exactly(_));
            let is_sought = matches!(test, Test::OneOf(wanted) if wanted.iter().all(is_exact));
            let is_own = path.hops.is_empty() && path.part == Reads::Whole;
            let is_another = is_own && path.field != first.path.field;
            if is_sought && !negated && is_another && self.place(path)?.main().is_indexed() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a table is joined for a path, that isn't yet.
    fn is_joined_for(&self, path: &Path) -> bool {
        let joined = self.joins.iter().any(|join| join.hops == path.hops);
        path.part == Reads::Name || !(path.hops.is_empty() || joined)
    }

    fn place(&mut self, path: &Path) -> Result<Place<'c>, Missing> {
        if path.part != Reads::Name {
            let row = self.row(&path.hops)?;
            return self.places.place(&row, path);
        }
        let mut names = Vec::new();
        for target in &path.targets {
            let (Some(id), Some(name)) = (&target.id, &target.name) else { continue };
            let hop = Hop {
                object: path.object.clone(),
                field: path.field.clone(),
                target: target.object.clone(),
                id: id.clone(),
            };
            let hops: Vec<Hop> = path.hops.iter().cloned().chain([hop]).collect();
            names.push(self.places.name(&self.row(&hops)?, &target.object, name)?);
        }
        Ok(Place::Value(self.places.computed(match names.len() {
            0 => "NULL".to_owned(),
            1 => names.remove(0),
            _ => format!("COALESCE({})", names.join(", ")),
        })))
    }

    /// The row that hops lead to from the queried one: joined, where it isn't yet.
    fn row(&mut self, hops: &[Hop]) -> Result<Row, Missing> {
        let known = self.joins.iter().position(|join| join.hops == hops);
        let alias = match (hops.split_last(), known) {
            (None, _) => "t".to_owned(),
            (_, Some(at)) => self.joins.get(at).map(|join| join.alias.clone()).unwrap_or_default(),
            (Some((hop, before)), None) => {
                let from = self.row(before)?;
                let alias = format!("j{}", self.joins.len());
                let mut on = vec![self.places.follows(hop, &from, &alias, &mut self.params)?];
                on.extend(self.places.live(&hop.target, &alias));
                on.extend(self.rules(&hop.target, &alias)?);
                let sql =
                    format!(" LEFT JOIN {} {alias} ON {}", self.places.table(&hop.target)?, on.join(" AND "));
                self.joins.push(Join { hops: hops.to_vec(), alias: alias.clone(), sql });
                return Ok(Row::Of(alias));
            }
        };
        Ok(match &self.inner {
            Some((joins, read)) if known.is_none_or(|at| at < *joins) => {
                Row::Inner { alias, read: Rc::clone(read) }
            }
            _ => Row::Of(alias),
        })
    }
}

fn all(conditions: &[String], more: Option<&str>) -> String {
    let each: Vec<&str> = conditions.iter().map(String::as_str).chain(more).collect();
    if each.is_empty() { String::new() } else { format!(" WHERE {}", each.join(" AND ")) }
}

/// Each combination of values once, in their order: as they are compared, and not as they are stored.
fn distinct(query: &Query, selected: &str, columns: &[Output<'_>], from: &str, limit: &str) -> String {
    if are_few_known(query, columns) {
        // Each is found where it is met first, and where all are, nothing more is looked at.
        return format!("SELECT * FROM (SELECT DISTINCT {selected}{from} LIMIT {limit}) ORDER BY 1");
    }
    let keys: Vec<String> = columns.iter().map(|output| output.place.main().key()).collect();
    let order: Vec<String> = keys.iter().map(|key| format!("{key} NULLS LAST")).collect();
    format!(
        "SELECT {selected}{from} GROUP BY {} ORDER BY {} LIMIT {limit}",
        keys.join(", "),
        order.join(", ")
    )
}

/// Whether there can be no values but some that the query names, and all of them are asked for.
fn are_few_known(query: &Query, columns: &[Output<'_>]) -> bool {
    let ([path], [Output { place: Place::Value(term), .. }]) = (query.columns.as_slice(), columns) else {
        return false;
    };
    let is_exact = |wanted: &Match| matches!(wanted, Match::Exactly(_));
    let names_them = |Condition { path: tested, test, negated }: &Condition| {
        let few = matches!(test, Test::OneOf(few) if few.len() <= query.limit.saturating_add(1) && few.iter().all(is_exact));
        few && !negated && tested == path
    };
    term.is_stored_key() && term.key() == term.raw && query.all.iter().any(names_them)
}
