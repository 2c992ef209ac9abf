use std::collections::BTreeSet;
use std::path::Path;

use portolan_schema::Field;
use proptest::prelude::*;

use super::super::xml::root_element;
use super::super::{Ingested, Root, Sink, read};
use super::*;

/// What reached the sink.
#[derive(Default)]
struct Seen(Vec<SeenObject>);

struct SeenObject {
    name: String,
    label: Option<String>,
    description: Option<String>,
    queryable: Option<bool>,
    name_field: Option<String>,
    fields: Vec<Field>,
    place: String,
}

impl SeenObject {
    fn field(&self, name: &str) -> &Field {
        self.fields.iter().find(|field| field.name == name).expect(name)
    }
}

impl Sink for Seen {
    fn object(&mut self, object: &RawObject<'_>, place: Place, _diagnostics: &mut Vec<Diagnostic>) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        self.0.push(SeenObject {
            name: object.name.to_owned(),
            label: owned(object.label),
            description: owned(object.description),
            queryable: object.queryable,
            name_field: owned(object.name_field),
            fields: object.fields.iter().flatten().map(|field| field.to_field(None, true)).collect(),
            place: place.to_string(),
        });
    }
}

struct Outcome {
    seen: Vec<SeenObject>,
    ingested: Ingested,
}

impl Outcome {
    fn faults(&self) -> Vec<String> {
        let shown = |fault: &Diagnostic| match &fault.place {
            Some(place) => format!("{place}: {}", fault.message),
            None => fault.message.clone(),
        };
        self.ingested.diagnostics.iter().map(shown).collect()
    }

    fn only(&self) -> &SeenObject {
        assert_eq!(self.faults(), Vec::<String>::new());
        assert_eq!(self.seen.len(), 1);
        &self.seen[0]
    }
}

/// Reads documents, given by path and content.
fn read_documents(documents: &[(&str, &str)]) -> Outcome {
    let mut sink = Seen::default();
    let mut intake = Intake { sink: &mut sink, ingested: Ingested::default() };
    let mut format = SalesforceDx::default();
    for (path, text) in documents {
        format.read_text(&Arc::from(*path), path, text, &mut intake);
    }
    format.finish(&mut intake);
    let ingested = intake.ingested;
    Outcome { seen: sink.0, ingested }
}

/// Reads one field of the object `Visit__c`.
fn read_field(content: &str) -> Outcome {
    let text =
        format!("<CustomField xmlns=\"http://soap.sforce.com/2006/04/metadata\">{content}</CustomField>");
    read_documents(&[("main/objects/Visit__c/fields/Stem__c.field-meta.xml", &text)])
}

fn field(content: &str) -> Field {
    read_field(content).only().fields[0].clone()
}

const OBJECT_FILE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- kept by hand -->
<CustomObject xmlns="http://soap.sforce.com/2006/04/metadata">
    <actionOverrides><actionName>View</actionName><type>Default</type></actionOverrides>
    <description>A visit &amp; what came of it</description>
    <fields>
        <fullName>Region__c</fullName>
        <label>Region</label>
        <required>true</required>
        <type>Picklist</type>
        <picklist>
            <picklistValues><fullName>SECRET-north</fullName><default>false</default></picklistValues>
            <picklistValues><fullName>SECRET-south</fullName><default>true</default></picklistValues>
            <sorted>false</sorted>
        </picklist>
        <defaultValue>SECRET-north</defaultValue>
    </fields>
    <fields>
        <fullName>Outcome__c</fullName>
        <label>Outcome</label>
        <type>Picklist</type>
        <valueSet><valueSetDefinition><value><fullName>SECRET-won</fullName></value></valueSetDefinition></valueSet>
    </fields>
    <fieldSets><fullName>Short</fullName><label>Short</label></fieldSets>
    <label>Visit</label>
    <listViews><fullName>All</fullName><label>All visits</label></listViews>
    <nameField><displayFormat>V-{0000}</displayFormat><label>Number</label><type>AutoNumber</type></nameField>
    <pluralLabel>Visits</pluralLabel>
    <recordTypes>
        <fullName>Planned</fullName>
        <label>Planned</label>
        <picklistValues>
            <picklist>Region__c</picklist>
            <values><fullName>SECRET-north</fullName></values>
            <values><fullName>SECRET-south</fullName></values>
        </picklistValues>
    </recordTypes>
    <searchLayouts/>
    <validationRules><fullName>Dated</fullName><description>no</description></validationRules>
    <webLinks><fullName>Map</fullName><description><![CDATA[<label>no</label>]]></description></webLinks>
</CustomObject>
"#;

#[test]
fn only_what_stands_right_below_an_object_is_read() {
    let outcome = read_documents(&[("src/objects/Visit__c.object", OBJECT_FILE)]);
    let object = outcome.only();
    assert_eq!((object.name.as_str(), object.label.as_deref()), ("Visit__c", Some("Visit")));
    assert_eq!(object.description.as_deref(), Some("A visit & what came of it"));
    assert_eq!((object.queryable, object.name_field.as_deref()), (None, None));
    assert_eq!(object.place, "src/objects/Visit__c.object");
    let fields: Vec<_> = object.fields.iter().map(|field| (field.name.as_str(), field.field_type)).collect();
    assert_eq!(fields, [("Outcome__c", FieldType::Picklist), ("Region__c", FieldType::Picklist)]);
    assert!(object.field("Region__c").required);
}

#[test]
fn picklist_values_are_counted_and_never_kept() {
    let outcome = read_documents(&[("src/objects/Visit__c.object", OBJECT_FILE)]);
    assert_eq!(outcome.ingested.picklist_values, 2 + 1 + 2);
    let between = |open: &str, close: &str| {
        let start = OBJECT_FILE.find(open).unwrap() + open.len();
        OBJECT_FILE[start..].find(close).unwrap()
    };
    let bytes = between("<picklist>", "</picklist>\n")
        + between("<valueSet>", "</valueSet>")
        + between(
            "<label>Planned</label>\n        <picklistValues>",
            "</picklistValues>\n    </recordTypes>",
        );
    assert_eq!(outcome.ingested.picklist_bytes, bytes as u64);

    let mut format = SalesforceDx::default();
    let (mut sink, path) = (Seen::default(), "src/objects/Visit__c.object");
    let mut intake = Intake { sink: &mut sink, ingested: Ingested::default() };
    format.read_text(&Arc::from(path), path, OBJECT_FILE, &mut intake);
    let kept: Vec<_> =
        format.objects.values().map(|object| format!("{:?} {:?}", object.own, object.fields)).collect();
    assert!(kept[0].contains("Region__c") && !kept[0].contains("SECRET"), "{kept:?}");
}

#[test]
fn a_global_value_set_has_no_values_here() {
    let outcome =
        read_field("<type>Picklist</type><valueSet><valueSetName>Regions</valueSetName></valueSet>");
    assert_eq!(outcome.only().fields[0].field_type, FieldType::Picklist);
    assert_eq!(outcome.ingested.picklist_values, 0);
    assert_eq!(outcome.ingested.picklist_bytes, "<valueSetName>Regions</valueSetName>".len() as u64);
    assert_eq!(read_field("<type>Picklist</type><valueSet/>").ingested.picklist_bytes, 0);
}

#[test]
fn values_that_depend_on_another_field_are_no_further_values() {
    let outcome = read_field(
        "<type>Picklist</type><valueSet><controllingField>A__c</controllingField>
         <valueSetDefinition><sorted>true</sorted><value><fullName>x</fullName><value>y</value></value></valueSetDefinition>
         <valueSettings><controllingFieldValue>b</controllingFieldValue><value>x</value></valueSettings></valueSet>",
    );
    assert_eq!(outcome.only().fields[0].field_type, FieldType::Picklist);
    assert_eq!(outcome.ingested.picklist_values, 1);
}

#[test]
fn every_type_is_normalised() {
    for (native, expected) in [
        ("AutoNumber", FieldType::Text),
        ("Text", FieldType::Text),
        ("TextArea", FieldType::Text),
        ("EncryptedText", FieldType::Text),
        ("LongTextArea", FieldType::LongText),
        ("Html", FieldType::LongText),
        ("Number", FieldType::Decimal),
        ("Currency", FieldType::Currency),
        ("Percent", FieldType::Percent),
        ("Checkbox", FieldType::Boolean),
        ("Date", FieldType::Date),
        ("DateTime", FieldType::Datetime),
        ("Time", FieldType::Time),
        ("Picklist", FieldType::Picklist),
        ("MultiselectPicklist", FieldType::MultiPicklist),
        ("Email", FieldType::Email),
        ("Phone", FieldType::Phone),
        ("Url", FieldType::Url),
        ("Address", FieldType::Address),
        ("Location", FieldType::Geolocation),
        ("File", FieldType::Binary),
        ("Lookup", FieldType::Reference),
        ("Hologram", FieldType::Other),
    ] {
        let field = field(&format!("<fullName>F__c</fullName><type>{native}</type>"));
        assert_eq!((field.field_type, field.native_type.as_ref()), (expected, native));
        let opaque = native == "EncryptedText" || expected == FieldType::LongText;
        assert_eq!(
            (field.filterable, field.sortable, field.groupable),
            (!opaque, !opaque, !opaque),
            "{native}"
        );
    }
}

#[test]
fn a_standard_field_may_have_neither_type_nor_label() {
    let field = field("<fullName>Industry</fullName><trackHistory>true</trackHistory>");
    assert_eq!((field.field_type, field.native_type.as_ref()), (FieldType::Other, ""));
    assert_eq!(field.label, "Industry");
    assert_eq!(field.relationship_name, None);
}

#[test]
fn a_standard_reference_may_have_no_target() {
    let field = field("<fullName>OwnerId</fullName><type>Lookup</type>");
    assert_eq!((field.field_type, field.references.len()), (FieldType::Reference, 0));
    assert_eq!(field.relationship_name.as_deref(), Some("Owner"));
    let untyped = self::field(
        "<fullName>WhatId</fullName><referenceTo>Case</referenceTo><referenceTo>Account</referenceTo>",
    );
    assert_eq!((untyped.field_type, untyped.native_type.as_ref()), (FieldType::Reference, ""));
    assert_eq!(untyped.references, ["Account", "Case"]);
}

#[test]
fn references_are_followed_by_the_name_of_the_field() {
    for kind in ["Lookup", "MasterDetail", "MetadataRelationship", "ExternalLookup", "IndirectLookup"] {
        let field = field(&format!(
            "<fullName>npx__Host__c</fullName><type>{kind}</type><referenceTo>Contact</referenceTo>
             <relationshipName>Visits</relationshipName><relationshipLabel>Visits</relationshipLabel>"
        ));
        assert_eq!(field.field_type, FieldType::Reference);
        assert_eq!(field.references, ["Contact"]);
        assert_eq!(field.relationship_name.as_deref(), Some("npx__Host__r"));
        assert_eq!(field.required, kind == "MasterDetail");
    }
    assert_eq!(kinds::relationship_name("Id"), None);
    assert_eq!(kinds::relationship_name("Owner"), None);
}

#[test]
fn a_hierarchy_points_at_its_own_object() {
    let field = field(
        "<fullName>Above__c</fullName><type>Hierarchy</type><relationshipName>Below</relationshipName>",
    );
    assert_eq!(field.references, ["Visit__c"]);
    assert_eq!(field.relationship_name.as_deref(), Some("Above__r"));
}

#[test]
fn the_facts_of_a_field_are_read() {
    let field = field(
        "<fullName> Code__c </fullName><label>Code</label><type>Text</type><length>80</length><unique>1</unique>
         <required>true</required><caseSensitive>false</caseSensitive><defaultValue>&quot;x&quot;</defaultValue>
         <description>For administrators</description><inlineHelpText>For &lt;all&gt; caf&#233;s &#x2014; <![CDATA[a & b]]></inlineHelpText>",
    );
    assert_eq!((field.name.as_str(), field.label.as_str(), field.length), ("Code__c", "Code", Some(80)));
    assert!(field.required && field.unique && !field.calculated);
    assert_eq!(field.description.as_deref(), Some("For <all> cafés \u{2014} a & b"));
    let administrators =
        self::field("<type>Text</type><inlineHelpText/><description>For administrators</description>");
    assert_eq!(administrators.description.as_deref(), Some("For administrators"));
    let number = self::field("<type>Number</type><precision>18</precision><scale>2</scale><length></length>");
    assert_eq!((number.precision, number.scale, number.length), (Some(18), Some(2), None));
    let location = self::field("<type>Location</type><scale>5</scale>");
    assert_eq!(location.scale, None);
}

#[test]
fn an_external_field_may_refuse_conditions_and_orders() {
    let field = field(
        "<type>Text</type><isFilteringDisabled>true</isFilteringDisabled><isSortingDisabled>true</isSortingDisabled>",
    );
    assert_eq!((field.filterable, field.sortable, field.groupable), (false, false, true));
}

#[test]
fn a_field_without_a_name_has_its_files() {
    assert_eq!(field("<type>Text</type>").name, "Stem__c");
    let inline = "<CustomObject>\n <fields><type>Text</type></fields></CustomObject>";
    let outcome = read_documents(&[("objects/A.object", inline)]);
    assert_eq!(outcome.faults(), ["objects/A.object:2:27: a field ends without a name"]);
}

#[test]
fn formulas_and_summaries_are_calculated() {
    let formula = field("<fullName>F__c</fullName><type>Checkbox</type><formula>A__c &gt; 1</formula>");
    assert_eq!((formula.field_type, formula.calculated), (FieldType::Boolean, true));

    let summary = |operation: &str, summarized: &str| {
        format!(
            "<CustomField><fullName>S__c</fullName><type>Summary</type>
             <summaryOperation>{operation}</summaryOperation>{summarized}</CustomField>"
        )
    };
    let paid = "<CustomField><fullName>Paid__c</fullName><type>Currency</type></CustomField>";
    let seen_as = |text: &str| {
        let outcome = read_documents(&[
            ("objects/Bill__c/fields/S__c.field-meta.xml", text),
            ("objects/Line__c/fields/Paid__c.field-meta.xml", paid),
        ]);
        let field = outcome.seen[0].field("S__c");
        assert!(field.calculated);
        field.field_type
    };
    let of = |name: &str| format!("<summarizedField>Line__c.{name}</summarizedField>");
    assert_eq!(seen_as(&summary("count", "")), FieldType::Integer);
    assert_eq!(seen_as(&summary("sum", "")), FieldType::Decimal);
    assert_eq!(seen_as(&summary("sum", &of("Gone__c"))), FieldType::Decimal);
    assert_eq!(seen_as(&summary("sum", &of("Paid__c"))), FieldType::Currency);
}

#[test]
fn amounts_know_the_currency_field_of_their_object() {
    let object = |fields: &str| {
        format!(
            "<CustomObject>{fields}<fields><fullName>Paid__c</fullName><type>Currency</type></fields></CustomObject>"
        )
    };
    let code = "<fields><fullName>CurrencyIsoCode</fullName><type>Picklist</type></fields>";
    let with = read_documents(&[("A.object", &object(code))]);
    assert_eq!(with.only().field("Paid__c").currency_field.as_deref(), Some("CurrencyIsoCode"));
    assert_eq!(with.only().field("CurrencyIsoCode").currency_field, None);
    let without = read_documents(&[("A.object", &object(""))]);
    assert_eq!(without.only().field("Paid__c").currency_field, None);
}

#[test]
fn a_field_called_name_names_the_record() {
    let outcome = read_documents(&[(
        "objects/Account/fields/Name.field-meta.xml",
        "<CustomField><fullName>Name</fullName></CustomField>",
    )]);
    assert_eq!(outcome.only().name_field.as_deref(), Some("Name"));
}

#[test]
fn nobody_queries_a_platform_event() {
    let outcome = read_documents(&[("objects/Done__e/Done__e.object-meta.xml", "<CustomObject/>")]);
    assert_eq!(outcome.only().queryable, Some(false));
}

#[test]
fn an_object_is_collected_over_package_directories() {
    let own = "<CustomObject><label>Visit</label></CustomObject>";
    let one = "<CustomField><fullName>One__c</fullName><type>Text</type></CustomField>";
    let two =
        "<m:CustomField xmlns:m='x'><m:fullName>Two__c</m:fullName><m:type>Date</m:type></m:CustomField>";
    let outcome = read_documents(&[
        ("a/objects/Visit__c/fields/One__c.field-meta.xml", one),
        ("b/objects/Visit__c/Visit__c.object-meta.xml", own),
        ("c/objects/Visit__c/fields/Two__c.field-meta.xml", two),
        ("c/objects/Account/fields/Two__c.field-meta.xml", two),
        ("c/objects/Account/fields/One__c.field-meta.xml", one),
    ]);
    assert_eq!(outcome.faults(), Vec::<String>::new());
    let [account, visit] = outcome.seen.as_slice() else { panic!("two objects") };
    assert_eq!((account.name.as_str(), account.label.as_deref(), account.fields.len()), ("Account", None, 2));
    assert_eq!(account.place, "c/objects/Account/fields/Two__c.field-meta.xml");
    assert_eq!(
        (visit.name.as_str(), visit.label.as_deref(), visit.fields.len()),
        ("Visit__c", Some("Visit"), 2)
    );
    assert_eq!(visit.place, "b/objects/Visit__c/Visit__c.object-meta.xml");
    assert_eq!(outcome.ingested.objects, 2);
}

#[test]
fn what_is_defined_twice_is_a_fault_that_names_both() {
    let one = "<CustomField><fullName>One__c</fullName></CustomField>";
    let own = "<CustomObject>\n<fields><fullName>One__c</fullName></fields>\n  <fields><fullName>One__c</fullName></fields></CustomObject>";
    let outcome = read_documents(&[
        ("a/objects/V/V.object-meta.xml", own),
        ("b/objects/V/V.object-meta.xml", own),
        ("b/objects/V/fields/One__c.field-meta.xml", one),
    ]);
    assert_eq!(
        outcome.faults(),
        [
            "a/objects/V/V.object-meta.xml:3:3: the field 'V.One__c' is defined twice: here and in a/objects/V/V.object-meta.xml:2:1",
            "b/objects/V/V.object-meta.xml: the object 'V' is defined twice: here and in a/objects/V/V.object-meta.xml",
            "b/objects/V/fields/One__c.field-meta.xml: the field 'V.One__c' is defined twice: here and in a/objects/V/V.object-meta.xml:2:1",
        ]
    );
}

#[test]
fn a_field_that_belongs_to_no_object_is_a_fault() {
    let outcome = read_documents(&[("fields/One__c.field-meta.xml", "<CustomField/>")]);
    assert_eq!(
        outcome.faults(),
        ["fields/One__c.field-meta.xml: no folder says which object the field 'One__c' belongs to"]
    );
    assert!(outcome.seen.is_empty());
}

#[test]
fn an_object_is_named_by_its_folder_or_its_file() {
    for (path, folder) in [
        ("objects/Account/fields/X.field-meta.xml", Some("Account")),
        ("/home/me/objects/app/main/objects/Account/fields/X.field-meta.xml", Some("Account")),
        ("main/objects//Account/Account.object-meta.xml", Some("Account")),
        ("main/objects/Account.object", None),
        ("myobjects/Account/Account.object-meta.xml", None),
        ("Account.object", None),
        ("objects", None),
        ("objects/", None),
        ("", None),
    ] {
        assert_eq!(object_folder(path), folder, "{path}");
    }
    assert_eq!(stem("src/objects/npx__Visit__c.object.gz"), "npx__Visit__c");
    assert_eq!(stem("Visit__c.object-meta.xml"), "Visit__c");
}

#[test]
fn broken_documents_are_faults_with_their_place() {
    for (text, fault) in [
        ("<CustomField>\n  <label>A</label>\n  <type>", "3:9: the file ends inside an element"),
        (
            "<CustomField>\n  <label>A</labl>",
            "2:11: ill-formed document: expected `</label>`, but `</labl>` was found",
        ),
        ("<CustomField>\n<label>&nbsp;</label></CustomField>", "2:8: the entity '&nbsp;' is not known"),
        ("<CustomField><x>&#xD800;</x></CustomField>", "1:17: the entity '&#xD800;' is not known"),
        ("<CustomField><type>A<b/></type></CustomField>", "1:21: there is an element where a text belongs"),
        ("<CustomField/><CustomField/>", "1:15: there is a second root element"),
        ("<CustomField/>\nmore", "1:15: there is text outside the root element"),
        (
            "<CustomField><a b></a></CustomField>",
            "1:14: <a> has a broken attribute: position 3: attribute key must be directly followed by `=` or space",
        ),
        ("<CustomField><></></CustomField>", "1:14: '' is not the name of an element"),
        ("<CustomField><length>ten</length></CustomField>", "1:25: 'ten' is not a whole number"),
        ("<CustomField><unique>yes</unique></CustomField>", "1:25: 'yes' is neither true nor false"),
        ("<Package/>", "1:1: <Package> is neither an object nor a field"),
        ("<!-- nothing -->", "1:17: there is no element in it"),
    ] {
        let outcome = read_documents(&[("objects/A/fields/F.field-meta.xml", text)]);
        assert_eq!(outcome.faults(), [format!("objects/A/fields/F.field-meta.xml:{fault}")], "{text}");
        assert_eq!(outcome.ingested.diagnostics[0].help.as_deref(), Some(FETCH_AGAIN));
        assert!(outcome.seen.is_empty(), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        format!("<CustomField>{}{}</CustomField>", "<a>".repeat(depth - 1), "</a>".repeat(depth - 1))
    };
    let path = "objects/A/fields/F.field-meta.xml";
    assert!(read_documents(&[(path, &nested(64))]).faults().is_empty());
    let faults = read_documents(&[(path, &nested(65))]).faults();
    assert!(faults[0].ends_with("the elements nest deeper than 64 levels"), "{faults:?}");
}

#[test]
fn entities_that_a_document_declares_are_not_expanded() {
    let text = "<!DOCTYPE CustomField [<!ENTITY a 'aaaa'>]>\n<CustomField><label>&a;</label></CustomField>";
    let faults = read_documents(&[("objects/A/fields/F.field-meta.xml", text)]).faults();
    assert!(faults[0].ends_with("the entity '&a;' is not known"), "{faults:?}");
}

#[test]
fn the_root_is_found_behind_whatever_precedes_it() {
    for (head, root) in [
        ("<CustomObject xmlns='x'>", Some("CustomObject")),
        ("<CustomObject/>", Some("CustomObject")),
        ("\n<m:CustomField\n>", Some("CustomField")),
        ("<!-- <a> --> <?xml version='1.0'?>\n<?go > ?><edmx:Edmx>", Some("Edmx")),
        ("<!DOCTYPE x [<!ENTITY a '>'><!-- ' -->]> <x>", Some("x")),
        ("<!doctype html><html lang=en>", Some("html")),
        ("<CustomOb", Some("CustomOb")),
        ("<?xml version='1.0'", None),
        ("<!-- <a>", None),
        ("<!DOCTYPE x [", None),
        ("<", None),
        ("< a>", None),
        ("<1>", None),
        ("</a>", None),
        ("text", None),
        ("", None),
    ] {
        assert_eq!(root_element(head.as_bytes()).as_deref(), root, "{head}");
    }
    assert_eq!(root_element(b"<\xFF>"), None);
}

#[test]
fn documents_are_recognised_by_their_root() {
    let recognised = |root: &str| {
        let head = Head::of(format!("<{root}>").as_bytes());
        match SalesforceDx::default().recognise(&head) {
            Recognised::As(_) => "read",
            Recognised::NoObject(reason) => reason,
            Recognised::Unknown => "unknown",
        }
    };
    assert_eq!(recognised("CustomObject"), "read");
    assert_eq!(recognised("CustomField"), "read");
    assert_eq!(recognised("FieldSet"), "a part of an object that defines no field");
    assert_eq!(recognised("StandardValueSet"), "a picklist's values, not an object");
    assert_eq!(recognised("OpportunitySettings"), "configuration of the org, not an object");
    assert_eq!(recognised("Package"), "a package's table of contents, not an object");
    assert_eq!(recognised("Edmx"), "unknown");
}

#[test]
fn a_document_is_bounded_and_must_be_text() {
    let folder = tempfile::tempdir().unwrap();
    let fields = folder.path().join("objects/A/fields");
    std::fs::create_dir_all(&fields).unwrap();
    let mut long = b"<CustomField><fullName>Long</fullName></CustomField>".to_vec();
    long.resize(usize::try_from(MOST_BYTES).unwrap() + 1, b' ');
    std::fs::write(fields.join("Long.field-meta.xml"), long).unwrap();
    std::fs::write(fields.join("Latin.field-meta.xml"), b"<CustomField><label>caf\xE9</label></CustomField>")
        .unwrap();
    let outcome = read_root(folder.path());
    let messages: Vec<_> = outcome.ingested.diagnostics.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(messages, ["invalid UTF-8", "the file can't be read: it is longer than 32 MiB"]);
}

fn read_root(path: &Path) -> Outcome {
    let mut seen = Seen::default();
    let root = Root { path: path.to_owned(), named_at: None };
    let ingested = read(&[root], "salesforce-dx", &mut seen);
    Outcome { seen: seen.0, ingested }
}

#[test]
fn nothing_cut_off_passes_for_whole() {
    let path = "objects/Visit__c.object";
    for end in 0..OBJECT_FILE.trim_end().len() {
        let outcome = read_documents(&[(path, &OBJECT_FILE[..end])]);
        assert_eq!(outcome.ingested.diagnostics.len(), 1, "cut at byte {end}");
        assert!(outcome.seen.is_empty());
        root_element(&OBJECT_FILE.as_bytes()[..end]);
    }
}

#[test]
fn no_changed_byte_is_worse_than_a_fault() {
    let path = "objects/Visit__c.object";
    for at in 0..OBJECT_FILE.len() {
        for byte in *b"<>/&;\"'!?-[]= \n\0aD9" {
            let mut changed = OBJECT_FILE.as_bytes().to_vec();
            changed[at] = byte;
            root_element(&changed);
            let changed = String::from_utf8(changed).unwrap();
            let outcome = read_documents(&[(path, &changed)]);
            assert!(outcome.seen.len() + outcome.ingested.diagnostics.len() > 0);
        }
        root_element(&[&OBJECT_FILE.as_bytes()[..at], b"\xFF", &OBJECT_FILE.as_bytes()[at..]].concat());
    }
}

proptest! {
    #[test]
    fn no_run_of_tokens_is_worse_than_a_fault(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "<CustomObject>", "</CustomObject>", "<CustomField>", "</CustomField>", "<fields>", "</fields>",
                "<picklist>", "</picklist>", "<picklistValues>", "</picklistValues>", "<recordTypes>",
                "</recordTypes>", "<fullName>", "</fullName>", "<fullName/>", "<type>Lookup</type>", "name", "é",
                "&amp;", "&#233;", "&#0;", "&", ";", "<![CDATA[", "]]>", "<!--", "-->", "<!-->", "<!DOCTYPE ", "<?",
                "?>", "<", ">", "/", "!", " a=", "\"", "'", "\n",
            ]),
            0..40,
        ),
    ) {
        let text = tokens.concat();
        root_element(text.as_bytes());
        read_documents(&[("objects/A/A.object-meta.xml", &text)]);
    }
}

/// Reads a real extract; skips aloud where it isn't at hand.
fn shared(name: &str) -> Option<Outcome> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/extracts").join(name);
    if !path.is_dir() {
        eprintln!("SKIPPED: there is no {}", path.display());
        return None;
    }
    let outcome = read_root(&path);
    assert_eq!(outcome.faults(), Vec::<String>::new());
    Some(outcome)
}

/// Objects, fields, references, self references, and the targets that are not among the objects.
fn counts(outcome: &Outcome) -> (usize, usize, usize, usize, BTreeSet<&str>) {
    let names: BTreeSet<_> = outcome.seen.iter().map(|object| object.name.as_str()).collect();
    let fields =
        || outcome.seen.iter().flat_map(|object| object.fields.iter().map(move |field| (object, field)));
    let targets: BTreeSet<_> =
        fields().flat_map(|(_, field)| field.references.iter().map(String::as_str)).collect();
    (
        names.len(),
        fields().count(),
        fields().filter(|(_, field)| !field.references.is_empty()).count(),
        fields().filter(|(object, field)| field.references.contains(&object.name)).count(),
        targets.difference(&names).copied().collect(),
    )
}

fn of_type(outcome: &Outcome, native_type: &str) -> usize {
    let fields = outcome.seen.iter().flat_map(|object| &object.fields);
    fields.filter(|field| field.native_type.as_ref() == native_type).count()
}

#[test]
fn the_nonprofit_success_pack_is_read_whole() {
    let Some(outcome) = shared("salesforce-dx-npsp") else { return };
    let missing = BTreeSet::from(["Campaign", "Case", "EntityDefinition", "FieldDefinition", "User"]);
    assert_eq!(counts(&outcome), (65, 765, 77, 4, missing));
    assert_eq!((of_type(&outcome, "MasterDetail"), of_type(&outcome, "MetadataRelationship")), (9, 18));
    assert_eq!(outcome.ingested.picklist_values, 358);
    assert!(outcome.seen.is_sorted_by(|one, next| one.name < next.name));
}

#[test]
fn the_education_data_architecture_is_read_whole() {
    let Some(outcome) = shared("salesforce-dx-eda") else { return };
    assert_eq!(counts(&outcome), (40, 444, 69, 4, BTreeSet::new()));
    assert_eq!(of_type(&outcome, "MasterDetail"), 5);
    assert_eq!(outcome.ingested.picklist_values, 1669);
}
