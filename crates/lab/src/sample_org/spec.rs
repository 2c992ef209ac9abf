//! How the catalogues say what a field is, and what each kind of field looks like in an extract.

use portolan_schema::FieldType;

use super::values::Values;

/// A field as a catalogue lists it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) kind: Kind,
    pub(super) required: bool,
    pub(super) unique: bool,
    pub(super) calculated: bool,
    /// Help text; `None` leaves it to chance.
    pub(super) help: Option<&'static str>,
}

/// What a field holds, with what differs between fields of one type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Id,
    /// With the longest text it takes.
    Text(u32),
    /// With the longest text it takes.
    LongText(u32),
    Integer,
    Decimal,
    Currency,
    Percent,
    Boolean,
    Date,
    Datetime,
    Time,
    Picklist(Values),
    MultiPicklist(Values),
    /// With its targets.
    Reference(&'static [&'static str]),
    /// A reference to the object that a companion belongs to.
    Parent,
    /// A reference to an object outside the allowlist, drawn by chance.
    OutsideReference,
    Email,
    Phone,
    Url,
    Address,
    Geolocation,
    Binary,
    Json,
    /// A type that the normalised ones don't cover.
    Any,
}

/// What follows from a field's kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) field_type: FieldType,
    pub(super) native: &'static str,
    pub(super) length: Option<u32>,
    pub(super) precision: Option<u32>,
    pub(super) scale: Option<u32>,
    pub(super) filterable: bool,
    pub(super) sortable: bool,
    pub(super) groupable: bool,
}

impl Shape {
    const fn new(field_type: FieldType, native: &'static str) -> Self {
        Self {
            field_type,
            native,
            length: None,
            precision: None,
            scale: None,
            filterable: true,
            sortable: true,
            groupable: true,
        }
    }

    const fn length(self, length: u32) -> Self {
        Self { length: Some(length), ..self }
    }

    const fn digits(self, precision: u32, scale: u32) -> Self {
        Self { precision: Some(precision), scale: Some(scale), ..self }
    }

    const fn not_grouped(self) -> Self {
        Self { groupable: false, ..self }
    }

    const fn not_sorted(self) -> Self {
        Self { sortable: false, ..self.not_grouped() }
    }

    const fn opaque(self) -> Self {
        Self { filterable: false, ..self.not_sorted() }
    }
}

impl Kind {
    pub(super) const fn shape(self) -> Shape {
        match self {
            Self::Id => Shape::new(FieldType::Id, "id").length(18),
            Self::Text(length) => Shape::new(FieldType::Text, "string").length(length),
            Self::LongText(length) => Shape::new(FieldType::LongText, "textarea").length(length).opaque(),
            Self::Integer => Shape::new(FieldType::Integer, "int").digits(9, 0),
            Self::Decimal => Shape::new(FieldType::Decimal, "double").digits(18, 4).not_grouped(),
            Self::Currency => Shape::new(FieldType::Currency, "currency").digits(18, 2).not_grouped(),
            Self::Percent => Shape::new(FieldType::Percent, "percent").digits(5, 2).not_grouped(),
            Self::Boolean => Shape::new(FieldType::Boolean, "checkbox"),
            Self::Date => Shape::new(FieldType::Date, "date"),
            Self::Datetime => Shape::new(FieldType::Datetime, "timestamp").not_grouped(),
            Self::Time => Shape::new(FieldType::Time, "time"),
            Self::Picklist(values) => Shape::new(FieldType::Picklist, values.native()).length(255),
            Self::MultiPicklist(_) => {
                Shape::new(FieldType::MultiPicklist, "multipicklist").length(4099).not_sorted()
            }
            Self::Reference(_) | Self::Parent | Self::OutsideReference => {
                Shape::new(FieldType::Reference, "lookup").length(18)
            }
            Self::Email => Shape::new(FieldType::Email, "email").length(80),
            Self::Phone => Shape::new(FieldType::Phone, "phone").length(40),
            Self::Url => Shape::new(FieldType::Url, "url").length(255),
            Self::Address => Shape::new(FieldType::Address, "address").not_sorted(),
            Self::Geolocation => Shape::new(FieldType::Geolocation, "location").not_sorted(),
            Self::Binary => Shape::new(FieldType::Binary, "base64").opaque(),
            Self::Json => Shape::new(FieldType::Json, "complexvalue").opaque(),
            Self::Any => Shape::new(FieldType::Other, "anyType").opaque(),
        }
    }
}

impl Spec {
    pub(super) const fn new(name: &'static str, label: &'static str, kind: Kind) -> Self {
        Self { name, label, kind, required: false, unique: false, calculated: false, help: None }
    }

    /// A record can't be saved without it.
    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// No two records share a value.
    pub(super) const fn unique(self) -> Self {
        Self { unique: true, ..self }
    }

    /// The org computes it.
    pub(super) const fn calculated(self) -> Self {
        Self { calculated: true, ..self }
    }

    /// With this help text.
    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident $(($($argument:ident: $type:ty),*))? = $kind:expr;)*) => {
        $($(#[$doc])* pub(super) const fn $name(
            name: &'static str, label: &'static str $($(, $argument: $type)*)?
        ) -> Spec {
            Spec::new(name, label, $kind)
        })*
    };
}

constructors! {
    text(length: u32) = Kind::Text(length);
    long_text(length: u32) = Kind::LongText(length);
    integer = Kind::Integer;
    decimal = Kind::Decimal;
    money = Kind::Currency;
    percent = Kind::Percent;
    flag = Kind::Boolean;
    date = Kind::Date;
    datetime = Kind::Datetime;
    time = Kind::Time;
    pick(values: Values) = Kind::Picklist(values);
    picks(values: Values) = Kind::MultiPicklist(values);
    /// A reference.
    link(targets: &'static [&'static str]) = Kind::Reference(targets);
    parent = Kind::Parent;
    email = Kind::Email;
    phone = Kind::Phone;
    url = Kind::Url;
    address = Kind::Address;
    place = Kind::Geolocation;
    bytes = Kind::Binary;
    json = Kind::Json;
    any = Kind::Any;
}
