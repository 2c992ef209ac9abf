//! Objects, fields and their types, as the filter leaves them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The longest name that an object or a field can have, in bytes. Databases allow 63 or 128, CRMs about
/// as many: what is longer is no name, and would break the budget of every answer that holds it.
pub const LONGEST_NAME: usize = 255;

/// An object of the org: what other systems call an entity, a table or an sObject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Object {
    /// The API name, unique in the org. It may contain dots (`sale.order`).
    pub name: String,
    /// What people call it. Labels repeat: only the name identifies an object.
    pub label: String,
    /// Help text, kept only where the configuration asks for it.
    pub description: Option<String>,
    /// An identifier that survives a rename, where the extract has one.
    pub stable_id: Option<String>,
    /// Whether the org lets anyone query it at all.
    pub queryable: bool,
    /// The field that holds a record's identifier.
    pub id_field: Option<String>,
    /// The field whose value people recognise a record by.
    pub name_field: Option<String>,
    /// In ascending order of name.
    pub fields: Vec<Field>,
}

impl Object {
    /// The field of that exact name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        let at = self.fields.binary_search_by(|field| field.name.as_str().cmp(name)).ok()?;
        self.fields.get(at)
    }
}

/// A field of an object.
///
/// There is deliberately no place here for a picklist's values or for a default value: real ones
/// have held people's names and e-mail addresses, and what has no place can't leak.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the org, not a state")]
pub struct Field {
    /// The API name, unique in its object, free of the characters that paths are written with
    /// (see [`Field::is_path_safe`]).
    pub name: String,
    /// The name in the org, where it differs from `name` (a declared alias).
    pub source_name: Option<String>,
    /// What people call it.
    pub label: String,
    /// The normalised type.
    pub field_type: FieldType,
    /// The type's name in the system it comes from, for example `textarea`. Shared: an org has a few
    /// dozen of them over thousands of fields.
    pub native_type: Arc<str>,
    /// The objects it may point at, ascending, without repetition. More than one: polymorphic.
    pub references: Vec<String>,
    /// The name under which the source follows this reference, where that differs from the field's
    /// (Salesforce follows `AccountId` as `Account`).
    pub relationship_name: Option<String>,
    /// A record can't be saved without a value given for it.
    pub required: bool,
    /// No two records share a value.
    pub unique: bool,
    /// The source computes it.
    pub calculated: bool,
    /// The source accepts it in conditions.
    pub filterable: bool,
    /// The source can order by it.
    pub sortable: bool,
    /// The source can group by it.
    pub groupable: bool,
    /// The longest text it takes, in characters.
    pub length: Option<u32>,
    /// Significant decimal digits.
    pub precision: Option<u32>,
    /// Digits after the decimal point.
    pub scale: Option<u32>,
    /// The field of the same object that holds the currency code of this amount.
    pub currency_field: Option<String>,
    /// Help text, kept only where the configuration asks for it.
    pub description: Option<String>,
    /// An identifier that survives a rename, where the extract has one.
    pub stable_id: Option<String>,
}

impl Field {
    /// A field with nothing known but its name and type: the base of `Field { …, ..Field::new(…) }`.
    #[must_use]
    pub fn new(name: impl Into<String>, field_type: FieldType) -> Self {
        let name = name.into();
        Self {
            source_name: None,
            label: name.clone(),
            name,
            field_type,
            native_type: field_type.as_str().into(),
            references: Vec::new(),
            relationship_name: None,
            required: false,
            unique: false,
            calculated: false,
            filterable: true,
            sortable: true,
            groupable: true,
            length: None,
            precision: None,
            scale: None,
            currency_field: None,
            description: None,
            stable_id: None,
        }
    }

    /// Keeps the targets that `stays` names. A reference whose last target goes becomes a field of type
    /// id: its values still identify something, but nothing that can be followed.
    pub fn retain_targets(&mut self, mut stays: impl FnMut(&str) -> bool) {
        self.references.retain(|target| stays(target));
        if self.references.is_empty() {
            self.relationship_name = None;
            if self.field_type == FieldType::Reference {
                self.field_type = FieldType::Id;
            }
        }
    }

    /// Whether `name` can stand in a path (`account.region`, `owner[user].email`), in a measure
    /// (`sum(amount)`) and before an order (`amount desc`) without being taken apart.
    #[must_use]
    pub fn is_path_safe(name: &str) -> bool {
        let ordinary = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let unsafe_char = |c: char| c.is_whitespace() || c.is_control() || ".,()[]\"'`".contains(c);
        !name.is_empty() && (name.bytes().all(ordinary) || !name.contains(unsafe_char))
    }
}

macro_rules! field_types {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal),* $(,)?) => {
        /// The normalised type of a field: what decides which operators apply to it and how its
        /// values are read and written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FieldType { $($(#[$doc])* $variant = $code),* }

        impl FieldType {
            /// Every type, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name used in every file and answer.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The number that stands for it in the artifact. Never reused for another type.
            pub(crate) const fn code(self) -> u8 { self as u8 }

            pub(crate) const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }
        }

        impl FromStr for FieldType {
            type Err = UnknownFieldType;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name { $($name => Ok(Self::$variant),)* _ => Err(UnknownFieldType(name.to_owned())) }
            }
        }
    };
}

field_types! {
    /// A record identifier.
    Id = 0 "id",
    /// Text of bounded length.
    Text = 1 "text",
    /// Text that sources often can't filter or sort by.
    LongText = 2 "long_text",
    /// A whole number.
    Integer = 3 "integer",
    /// An exact decimal number.
    Decimal = 4 "decimal",
    /// An amount of money.
    Currency = 5 "currency",
    /// A share, in percent.
    Percent = 6 "percent",
    /// True or false.
    Boolean = 7 "boolean",
    /// A day.
    Date = 8 "date",
    /// A moment.
    Datetime = 9 "datetime",
    /// A time of day.
    Time = 10 "time",
    /// One of a list of values. The values stay with the source.
    Picklist = 11 "picklist",
    /// Several of a list of values.
    MultiPicklist = 12 "multi_picklist",
    /// The identifier of a record of another object.
    Reference = 13 "reference",
    /// An e-mail address.
    Email = 14 "email",
    /// A telephone number.
    Phone = 15 "phone",
    /// A web address.
    Url = 16 "url",
    /// A postal address made of parts.
    Address = 17 "address",
    /// A latitude and longitude.
    Geolocation = 18 "geolocation",
    /// Bytes.
    Binary = 19 "binary",
    /// A JSON document.
    Json = 20 "json",
    /// Anything else; `native_type` says what.
    Other = 21 "other",
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no [`FieldType`].
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not a field type")]
pub struct UnknownFieldType(String);
