//! `source.toml`: where a source keeps what the artifact names, and how it is stored.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono_tz::Tz;
use portolan_schema::FieldType;
use serde::{Deserialize, Deserializer, de};

/// Where a source keeps what the artifact names, and how it is stored. Whatever isn't said is as it is named:
/// an object is a table of its name, a field a column of its name.
///
/// ```
/// # use portolan_sources::Mapping;
/// let mapping: Mapping = r#"
/// [defaults]
/// deleted = "is_deleted"                     # rows in which this column is true are left out, and counted
/// object-column = "{field}_object"           # what reference to one of several objects holds its object
/// zone = "Europe/Berlin"                     # of moments that are stored without an offset; else UTC
/// empty-is-null = true                       # an empty text is no value
///
/// [defaults.stored]                          # by type, how values are stored; else each is looked at
/// datetime = "%Y-%m-%dT%H:%M:%SZ"
///
/// [objects.account]
/// table = "accounts"
/// named = "sale.account"                     # how references to one of several objects name it
///
/// [objects.account.fields]
/// owner = "owner_id"                         # a column of another name
/// opened_at = { column = "opened", stored = "epoch-ms" }
/// related_to = { stored = "object,id" }      # 'sale.account,12'
/// margin = { kept = false }                  # computed where it is shown: it can't be queried
/// "#.parse()?;
/// assert_eq!(mapping.objects["account"].table.as_deref(), Some("accounts"));
///
/// let wrong = "[objects.account]\ntabel = \"accounts\"".parse::<Mapping>().unwrap_err();
/// assert!(wrong.to_string().starts_with("line 2, column 1: unknown field `tabel`"), "{wrong}");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Mapping {
    /// What holds of every object that doesn't say otherwise.
    pub defaults: Defaults,
    /// By object.
    pub objects: BTreeMap<String, ObjectMapping>,
}

/// What holds of every object that doesn't say otherwise.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Defaults {
    /// The column that is true in rows that are deleted. A table without it has no such rows.
    pub deleted: Option<String>,
    /// The column with the object that a reference to one of several leads to; `{field}` stands for the
    /// reference's column.
    pub object_column: Option<String>,
    /// The zone of moments that are stored without an offset: UTC, where it isn't said.
    pub zone: Option<Tz>,
    /// An empty text is no value.
    pub empty_is_null: bool,
    /// How the values of a type are stored.
    pub stored: BTreeMap<TypeName, Stored>,
}

/// How an object is kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ObjectMapping {
    /// Its table or view.
    pub table: Option<String>,
    /// How references to one of several objects name it.
    pub named: Option<String>,
    /// The column that is true in rows that are deleted; `""` where no rows are.
    pub deleted: Option<String>,
    /// Its fields.
    pub fields: BTreeMap<String, FieldMapping>,
}

/// How a field is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMapping {
    /// Its column.
    pub column: Option<String>,
    /// How its values are stored.
    pub stored: Option<Stored>,
    /// The column with the object that a reference to one of several leads to.
    pub object_column: Option<String>,
    /// An empty text is no value.
    pub empty_is_null: Option<bool>,
    /// Whether it is kept at all.
    pub kept: bool,
}

/// How the values of a field are stored. What isn't declared is looked at value by value, which is right
/// whatever is there, and slow where an index would have answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Each value as it comes: numbers as such or as text, moments as ISO 8601, as seconds or milliseconds
    /// since 1970 or as a Julian day.
    Auto,
    /// `"number"`: numbers as numbers, all of them.
    Number,
    /// `"epoch"`: moments as whole seconds since 1970, all of them.
    Epoch,
    /// `"epoch-ms"`: moments as whole milliseconds since 1970, all of them.
    EpochMilliseconds,
    /// `"%Y-%m-%dT%H:%M:%SZ"`: days or moments as texts of that one form, all of them, in UTC or the default zone.
    /// The parts stand from the greatest to the least, so that the texts' order is theirs.
    Pattern(String),
    /// `"object,id"`: references as the object, a comma and the identifier.
    ObjectAndId,
}

/// A type's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeName(pub FieldType);

/// Why a text is no mapping.
#[derive(Debug, thiserror::Error)]
pub struct MappingError {
    /// Counted from 1.
    line: usize,
    /// In characters, counted from 1.
    column: usize,
    what: String,
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl FromStr for Mapping {
    type Err = MappingError;

    fn from_str(text: &str) -> Result<Self, MappingError> {
        toml::from_str(text).map_err(|problem| {
            let before = text.get(..problem.span().map_or(0, |span| span.start)).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            MappingError {
                line: before.matches('\n').count() + 1,
                column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
                what: problem.message().to_owned(),
            }
        })
    }
}

impl Default for FieldMapping {
    fn default() -> Self {
        Self { column: None, stored: None, object_column: None, empty_is_null: None, kept: true }
    }
}

impl<'de> Deserialize<'de> for FieldMapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A table; a text is the column alone.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        struct Table {
            column: Option<String>,
            stored: Option<Stored>,
            object_column: Option<String>,
            empty_is_null: Option<bool>,
            #[serde(default = "kept")]
            kept: bool,
        }
        const fn kept() -> bool {
            true
        }
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = FieldMapping;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a column's name, or a table such as { column = \"…\", stored = \"…\" }")
            }

            fn visit_str<E: de::Error>(self, column: &str) -> Result<FieldMapping, E> {
                Ok(FieldMapping { column: Some(column.to_owned()), ..FieldMapping::default() })
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<FieldMapping, A::Error> {
                let Table { column, stored, object_column, empty_is_null, kept } =
                    Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(FieldMapping { column, stored, object_column, empty_is_null, kept })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl FromStr for Stored {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "auto" => Self::Auto,
            "number" => Self::Number,
            "epoch" => Self::Epoch,
            "epoch-ms" => Self::EpochMilliseconds,
            "object,id" => Self::ObjectAndId,
            pattern if pattern.contains('%') => {
                check_pattern(pattern)?;
                Self::Pattern(pattern.to_owned())
            }
            _ => {
                return Err(format!(
                    "nothing is stored as '{text}': it is auto, number, epoch, epoch-ms, object,id or a pattern such as \
                     %Y-%m-%dT%H:%M:%SZ"
                ));
            }
        })
    }
}

/// A pattern names its parts from the year down, each in digits of one width, so that texts are in the
/// order of what they mean.
fn check_pattern(pattern: &str) -> Result<(), String> {
    const PARTS: [char; 6] = ['Y', 'm', 'd', 'H', 'M', 'S'];
    let mut parts = PARTS.into_iter();
    let mut letters = pattern.chars();
    let mut count = 0;
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let part = letters.next();
        if part.is_none() || part != parts.next() {
            return Err(format!(
                "'{pattern}' is no pattern: it has %Y, %m, %d, and of a moment %H, %M, %S behind them, in this order; \
                 leave `stored` out where texts have any other form"
            ));
        }
        count += 1;
    }
    if count == 3 || count >= 5 { Ok(()) } else { Err(format!("'{pattern}' names no whole day")) }
}

impl<'de> Deserialize<'de> for TypeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map(Self).map_err(de::Error::custom)
    }
}
