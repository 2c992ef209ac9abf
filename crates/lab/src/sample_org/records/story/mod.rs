//! The story that the records tell: a company of some hundred and twenty people, what it sells, whom
//! it visits and what comes of that.
//!
//! A chapter is a function that takes what the chapters before it made, adds records, and returns
//! what later ones need. Each draws from a stream of its own.
//!
//! - [`company`]: people, territories, queues; [`range`]: products and everything around them.
//! - [`market`], [`people`]: accounts and those who work there; [`names`] names them.
//! - [`visits`], [`samples`], [`planning`]: what reps do; [`sales`], [`orders`], [`delivery`]: what is sold.
//! - [`service`]: what customers ask; [`engagement`]: campaigns, leads, tasks.
//! - [`oddities`]: what a query layer must survive.

mod company;
mod delivery;
mod engagement;
mod market;
pub(super) mod names;
mod objects;
mod oddities;
mod orders;
mod people;
#[rustfmt::skip] // word lists read better filled than with a word a line
mod phrases;
mod planning;
mod range;
mod sales;
mod samples;
mod service;
mod visits;

use std::collections::BTreeMap;

use super::super::rng::Rng;
use super::calendar::Moment;
use super::value::{Id, Kind, Value};

/// All records, by object.
#[derive(Debug)]
pub(super) struct Story {
    seed: u64,
    rows: BTreeMap<&'static str, Vec<Row>>,
}

/// A record. What it doesn't say is null, or left to whoever fills the columns that no story is about.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: Id,
    pub(super) created: Moment,
    pub(super) deleted: bool,
    pub(super) values: Vec<(&'static str, Value)>,
}

/// Tells the story.
pub(super) fn tell(seed: u64) -> Story {
    let mut story = Story { seed, rows: BTreeMap::new() };
    let company = company::found(&mut story);
    let range = range::launch(&mut story, &company);
    let market = market::open(&mut story, &company, &range);
    let plans = planning::plan(&mut story, &company, &market);
    let visits = visits::make(&mut story, &company, &market, &plans);
    samples::leave(&mut story, &company, &range, &visits);
    planning::target(&mut story, &range, &market, &visits, &plans);
    let deals = sales::win(&mut story, &company, &range, &market);
    let orders = orders::take(&mut story, &company, &range, &market, &visits, &deals);
    delivery::deliver(&mut story, &company, &range, &orders);
    let cases = service::answer(&mut story, &company, &range, &market, &visits, &orders);
    engagement::engage(&mut story, &company, &range, &market, &deals, &orders, &cases);
    oddities::strew(&mut story);
    story
}

impl Story {
    /// The stream of a chapter.
    fn rng(&self, chapter: &str) -> Rng {
        Rng::named(self.seed, &format!("records/{chapter}"))
    }

    /// A new record.
    fn add(&mut self, kind: &'static Kind, created: Moment) -> &mut Row {
        let rows = self.rows.entry(kind.object).or_default();
        let number = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        rows.push_mut(Row { id: Id { kind, number }, created, deleted: false, values: Vec::new() })
    }

    /// Sets a field of a record that is there already.
    fn amend(&mut self, id: Id, field: &'static str, value: impl Into<Value>) {
        if let Some(row) = self.all(id.kind).get_mut(id.number as usize) {
            row.set(field, value);
        }
    }

    /// The records of an object, in the order they were added.
    pub(super) fn rows(&self, object: &str) -> &[Row] {
        self.rows.get(object).map_or(&[], Vec::as_slice)
    }

    fn all(&mut self, kind: &'static Kind) -> &mut [Row] {
        self.rows.entry(kind.object).or_default()
    }
}

impl Row {
    fn set(&mut self, field: &'static str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        match self.values.iter_mut().find(|(name, _)| *name == field) {
            Some((_, old)) => *old = value,
            None => self.values.push((field, value)),
        }
        self
    }

    fn get(&self, field: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| *name == field).map(|(_, value)| value)
    }
}
