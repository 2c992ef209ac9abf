//! The filter of the baseline: what the two TOML files say, as the JSON that
//! `baseline/build-schema.mjs` reads.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{bail, ensure};
use portolan_compile::config::{FieldRules, Located, Patterns, ProfileRules};
use portolan_compile::{Config, Diagnostic, TextFile, config};
use serde::Serialize;

/// The allowlist and the field part of the blocklist. The object part only reports.
#[derive(Serialize)]
pub(super) struct Filter {
    objects: Vec<String>,
    fields: Names,
    rules: BTreeMap<String, Rules>,
    profiles: Vec<Profile>,
}

#[derive(Serialize)]
struct Names {
    exact: Vec<String>,
    patterns: Vec<String>,
}

#[derive(Serialize)]
struct Rules {
    keep: Vec<String>,
    drop: Vec<String>,
}

#[derive(Serialize)]
struct Profile {
    name: String,
    objects: BTreeSet<String>,
    hidden: Vec<(String, BTreeSet<String>)>,
    rows: Vec<(String, Vec<Condition>)>,
}

/// Field, operator, operands.
type Condition = (String, &'static str, Vec<String>);

impl Filter {
    /// Reads the two files as the compiler does.
    ///
    /// An error where they have faults, and where they ask for what the baseline doesn't do.
    pub(super) fn parse(allowlist: &TextFile, blocklist: &TextFile) -> anyhow::Result<Self> {
        let (config, diagnostics) = config::parse(allowlist, blocklist);
        if let Some(fault) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            bail!("the filter has a fault: {}", told(fault));
        }
        Self::of(&config)
    }

    fn of(config: &Config) -> anyhow::Result<Self> {
        ensure!(!config.descriptions, "the baseline has no descriptions: take them out of the allowlist");
        let aliased = config.fields.values().any(|rules| !rules.alias.is_empty());
        ensure!(!aliased, "the baseline has no aliases: take them out of the allowlist");
        Ok(Self {
            objects: texts(&config.objects),
            fields: names(&config.blocked_fields)?,
            rules: config.fields.iter().map(|(object, rules)| (object.clone(), field_rules(rules))).collect(),
            profiles: config
                .profiles
                .iter()
                .map(|profile| Profile::of(profile, &config.objects))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Profile {
    fn of(rules: &ProfileRules, all: &[Located]) -> anyhow::Result<Self> {
        let mut hidden = BTreeMap::<_, BTreeSet<_>>::new();
        for dropped in &rules.drop {
            let Some((object, field)) = dropped.text.rsplit_once('.') else {
                bail!("'{}' names no field", dropped.text);
            };
            hidden.entry(object.to_owned()).or_default().insert(field.to_owned());
        }
        let mut rows = BTreeMap::<_, Vec<Condition>>::new();
        for (object, row) in &rules.rows {
            let operands = row.operands.iter().map(portolan_schema::Operand::to_text).collect();
            rows.entry(object.text.clone()).or_default().push((
                row.field.text.clone(),
                row.op.as_str(),
                operands,
            ));
        }
        Ok(Self {
            name: rules.name.text.clone(),
            objects: texts(rules.objects.as_deref().unwrap_or(all)).into_iter().collect(),
            hidden: hidden.into_iter().collect(),
            rows: rows.into_iter().collect(),
        })
    }
}

fn field_rules(rules: &FieldRules) -> Rules {
    Rules { keep: texts(&rules.keep), drop: texts(&rules.drop) }
}

fn names(patterns: &Patterns) -> anyhow::Result<Names> {
    let of = |section: &str| -> Vec<String> {
        let rules = patterns.rules().iter().filter(|rule| rule.section == section);
        rules.map(|rule| rule.written.text.clone()).collect()
    };
    let names = Names { exact: of("fields.exact"), patterns: of("fields.patterns") };
    let beyond = names.patterns.iter().find(|pattern| pattern.contains(['[', '{', '\\']));
    ensure!(beyond.is_none(), "the baseline knows only * and ? in patterns: {}", beyond.map_or("", |it| it));
    Ok(names)
}

fn texts(located: &[Located]) -> Vec<String> {
    located.iter().map(|name| name.text.clone()).collect()
}

fn told(fault: &Diagnostic) -> String {
    match &fault.place {
        Some(place) => format!("{place}: {}", fault.message),
        None => fault.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(allowlist: &str, blocklist: &str) -> anyhow::Result<serde_json::Value> {
        let file = |text: &str| TextFile { name: "test".into(), text: text.into() };
        Ok(serde_json::to_value(Filter::parse(&file(allowlist), &file(blocklist))?)?)
    }

    #[test]
    fn everything_the_files_say() {
        let allowlist = r#"
            objects = ["order", "account"]
            [fields.order]
            keep = ["created_date"]
            [fields.account]
            drop = ["b", "a"]
            [profiles.rep]
            objects = ["order", "account"]
            drop = ["order.total", "account.owner", "order.cost"]
            rows.order = [
              { field = "owner", op = "eq", value = "$caller.id" },
              { field = "state", op = "not_in", values = ["x", "y"] },
            ]
            rows.account = [{ field = "owner.team", op = "not_null" }]
            [profiles.all]
        "#;
        let blocklist = r#"
            [fields]
            exact = ["created_date"]
            patterns = ["etl_*", "*_feed"]
            [objects]
            patterns = ["zz_*"]
        "#;
        assert_eq!(
            check(allowlist, blocklist).unwrap(),
            json!({
                "objects": ["order", "account"],
                "fields": { "exact": ["created_date"], "patterns": ["etl_*", "*_feed"] },
                "rules": {
                    "account": { "keep": [], "drop": ["b", "a"] },
                    "order": { "keep": ["created_date"], "drop": [] },
                },
                "profiles": [
                    { "name": "all", "objects": ["account", "order"], "hidden": [], "rows": [] },
                    {
                        "name": "rep",
                        "objects": ["account", "order"],
                        "hidden": [["account", ["owner"]], ["order", ["cost", "total"]]],
                        "rows": [
                            ["account", [["owner.team", "not_null", []]]],
                            ["order", [["owner", "eq", ["$caller.id"]], ["state", "not_in", ["x", "y"]]]],
                        ],
                    },
                ],
            })
        );
    }

    #[test]
    fn what_the_baseline_lacks_is_refused() {
        let problem = |allowlist, blocklist| check(allowlist, blocklist).unwrap_err().to_string();
        assert!(problem("objects = [\"a\"]\ndescriptions = true", "").contains("no descriptions"));
        let alias = "objects = [\"a\"]\n[fields.a]\nalias = { \"b.c\" = \"b_c\" }";
        assert!(problem(alias, "").contains("no aliases"));
        assert!(
            problem("objects = [\"a\"]", "[fields]\npatterns = [\"[ab]*\"]").contains("in patterns: [ab]*")
        );
        assert!(problem("", "").contains("test:1:1: no objects are named"));
    }
}
