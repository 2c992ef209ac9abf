//! The artifact as JSON, for people and for text diffs: one field a line, in the order of names.

use super::{Artifact, ContentHash, FORMAT_VERSION};
use crate::{BackReference, Field, Object, Operand, Profile, Task, TaskCondition, TaskQuery};

impl Artifact {
    /// The content as JSON text, ending in a newline. `content` is its hash, as
    /// [`EncodedContent`](super::EncodedContent) computes it.
    #[must_use]
    pub fn to_json(&self, content: ContentHash) -> Vec<u8> {
        let mut json = Vec::with_capacity(self.schema.objects().len() * 6000);
        let mut root = Members::open(&mut json, Layout::Lines(0));
        root.raw("formatVersion", &FORMAT_VERSION.to_string());
        root.text("version", &self.version.to_string());
        root.text("content", &format!("sha256:{content}"));
        root.list("objects", 1, self.schema.iter(), |json, (object, back)| write_object(json, object, back));
        root.list("profiles", 1, self.profiles.iter(), write_profile);
        if !self.tasks.is_empty() {
            root.list("tasks", 1, self.tasks.iter(), write_task);
        }
        root.close();
        json.push(b'\n');
        json
    }
}

fn write_object(json: &mut Vec<u8>, object: &Object, referenced_by: &[BackReference]) {
    let mut members = Members::open(json, Layout::OneLine);
    members.text("name", &object.name);
    members.text("label", &object.label);
    members.optional("description", object.description.as_deref());
    members.optional("stableId", object.stable_id.as_deref());
    members.flag("queryable", object.queryable, true);
    members.optional("idField", object.id_field.as_deref());
    members.optional("nameField", object.name_field.as_deref());
    members.list("fields", 2, object.fields.iter(), write_field);
    members.list("referencedBy", 2, referenced_by.iter(), |json, back| write_text(json, &back.to_string()));
    members.close();
}

fn write_field(json: &mut Vec<u8>, field: &Field) {
    let mut members = Members::open(json, Layout::OneLine);
    members.text("name", &field.name);
    members.optional("sourceName", field.source_name.as_deref());
    members.text("label", &field.label);
    members.text("type", field.field_type.as_str());
    members.optional(
        "nativeType",
        Some(field.native_type.as_ref()).filter(|native| *native != field.field_type.as_str()),
    );
    if !field.references.is_empty() {
        members.texts("references", field.references.iter().map(String::as_str));
    }
    members.optional("relationshipName", field.relationship_name.as_deref());
    members.flag("required", field.required, false);
    members.flag("unique", field.unique, false);
    members.flag("calculated", field.calculated, false);
    members.flag("filterable", field.filterable, true);
    members.flag("sortable", field.sortable, true);
    members.flag("groupable", field.groupable, true);
    members.number("length", field.length);
    members.number("precision", field.precision);
    members.number("scale", field.scale);
    members.optional("currencyField", field.currency_field.as_deref());
    members.optional("description", field.description.as_deref());
    members.optional("stableId", field.stable_id.as_deref());
    members.close();
}

fn write_profile(json: &mut Vec<u8>, profile: &Profile) {
    let mut members = Members::open(json, Layout::OneLine);
    members.text("name", &profile.name);
    members.texts("objects", profile.objects.iter().map(String::as_str));
    let hidden: Vec<String> = profile
        .hidden
        .iter()
        .flat_map(|(object, fields)| fields.iter().map(move |field| format!("{object}.{field}")))
        .collect();
    members.texts("drop", hidden.iter().map(String::as_str));
    let rows = profile.rows.iter().flat_map(|(object, rows)| rows.iter().map(move |row| (object, row)));
    members.list("rows", 2, rows, |json, (object, row)| {
        let mut members = Members::open(json, Layout::OneLine);
        members.text("object", object);
        members.text("field", &row.field);
        members.text("op", row.op.as_str());
        let operands: Vec<String> = row.operands.iter().map(Operand::to_text).collect();
        members.texts("values", operands.iter().map(String::as_str));
        members.close();
    });
    members.close();
}

fn write_task(json: &mut Vec<u8>, task: &Task) {
    let mut members = Members::open(json, Layout::OneLine);
    members.text("keyword", &task.keyword);
    members.text("title", &task.title);
    members.text("description", &task.description);
    members.list("arguments", 2, task.arguments.iter(), |json, argument| {
        let mut members = Members::open(json, Layout::OneLine);
        members.text("name", &argument.name);
        members.text("description", &argument.description);
        members.flag("required", argument.required, false);
        members.close();
    });
    members.text("prompt", &task.prompt);
    members.texts("objects", task.objects.iter().map(String::as_str));
    members.list("queries", 2, task.queries.iter(), write_query);
    members.text("answer", &task.answer);
    members.close();
}

/// A query with the keys of `query_records`, those of them that it gives.
fn write_query(json: &mut Vec<u8>, query: &TaskQuery) {
    let mut members = Members::open(json, Layout::OneLine);
    members.text("object", &query.object);
    members.given("fields", &query.fields);
    members.conditions("where", "field", &query.conditions);
    members.conditions("where_any", "field", &query.any);
    if !query.related.is_empty() {
        members.inline("related", query.related.iter(), |json, related| {
            let mut members = Members::open(json, Layout::OneLine);
            members.text("object", &related.object);
            members.text("field", &related.field);
            members.optional("via", related.via.as_deref());
            members.raw("exists", if related.exists { "true" } else { "false" });
            members.conditions("where", "field", &related.conditions);
            members.close();
        });
    }
    members.optional("search", query.search.as_deref());
    members.given("group_by", &query.group_by);
    members.given("measures", &query.measures);
    members.conditions("having", "measure", &query.having);
    members.given("order_by", &query.order_by);
    members.number("limit", query.limit);
    members.close();
}

#[derive(Clone, Copy)]
enum Layout {
    /// Every member on a line of its own, one step deeper than this.
    Lines(usize),
    /// All members on one line; lists of things still take a line each.
    OneLine,
}

/// The members of a JSON object, as they are written.
struct Members<'j> {
    json: &'j mut Vec<u8>,
    layout: Layout,
    first: bool,
}

impl<'j> Members<'j> {
    fn open(json: &'j mut Vec<u8>, layout: Layout) -> Self {
        json.push(b'{');
        Self { json, layout, first: true }
    }

    fn key(&mut self, key: &str) {
        if !self.first {
            self.json.push(b',');
        }
        self.first = false;
        if let Layout::Lines(depth) = self.layout {
            new_line(self.json, depth + 1);
        }
        self.json.push(b'"');
        self.json.extend_from_slice(key.as_bytes());
        self.json.extend_from_slice(b"\":");
        if let Layout::Lines(_) = self.layout {
            self.json.push(b' ');
        }
    }

    fn raw(&mut self, key: &str, value: &str) {
        self.key(key);
        self.json.extend_from_slice(value.as_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        write_text(self.json, value);
    }

    fn optional(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn number(&mut self, key: &str, value: Option<u32>) {
        if let Some(value) = value {
            self.raw(key, &value.to_string());
        }
    }

    /// Written only where it differs from what is usual.
    fn flag(&mut self, key: &str, value: bool, usual: bool) {
        if value != usual {
            self.raw(key, if value { "true" } else { "false" });
        }
    }

    fn texts<'t>(&mut self, key: &str, values: impl Iterator<Item = &'t str>) {
        self.inline(key, values, write_text);
    }

    /// A list of texts, where there are any.
    fn given(&mut self, key: &str, values: &[String]) {
        if !values.is_empty() {
            self.texts(key, values.iter().map(String::as_str));
        }
    }

    /// A list of conditions, where there are any.
    fn conditions(&mut self, key: &str, on: &str, conditions: &[TaskCondition]) {
        if conditions.is_empty() {
            return;
        }
        self.inline(key, conditions.iter(), |json, condition| {
            let mut members = Members::open(json, Layout::OneLine);
            members.text(on, &condition.on);
            members.text("op", condition.op.as_str());
            match condition.values.as_slice() {
                [] => {}
                [only] => members.text("value", only),
                several => members.given("values", several),
            }
            members.close();
        });
    }

    /// A list on one line.
    fn inline<T>(
        &mut self,
        key: &str,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, T),
    ) {
        self.key(key);
        self.json.push(b'[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.json.push(b',');
            }
            write(self.json, item);
        }
        self.json.push(b']');
    }

    /// A list with a line for each item, `depth` steps in.
    fn list<T>(
        &mut self,
        key: &str,
        depth: usize,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, T),
    ) {
        self.key(key);
        self.json.push(b'[');
        let mut any = false;
        for item in items {
            if any {
                self.json.push(b',');
            }
            any = true;
            new_line(self.json, depth + 1);
            write(self.json, item);
        }
        if any {
            new_line(self.json, depth);
        }
        self.json.push(b']');
    }

    fn close(self) {
        if let Layout::Lines(depth) = self.layout {
            new_line(self.json, depth);
        }
        self.json.push(b'}');
    }
}

fn new_line(json: &mut Vec<u8>, depth: usize) {
    json.push(b'\n');
    json.resize(json.len() + depth, b' ');
}

fn write_text(json: &mut Vec<u8>, text: &str) {
    // Writing a string into memory can't fail.
    let written = serde_json::to_writer(json, text);
    debug_assert!(written.is_ok(), "{written:?}");
}
