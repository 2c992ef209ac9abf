//! JSON text, written as it is decided: what is sent is counted in bytes, so it is bytes that are made.

use std::fmt::Display;

/// An object that is being written.
///
/// Members stand in the order in which they are written; that order is chosen for the reader, and the
/// same on every machine.
pub(crate) struct Members<'j> {
    json: &'j mut String,
    first: bool,
}

impl<'j> Members<'j> {
    /// Opens an object.
    pub(crate) fn open(json: &'j mut String) -> Self {
        json.push('{');
        Self { json, first: true }
    }

    /// Writes a key; the value goes into the text that is returned.
    pub(crate) fn key(&mut self, key: &str) -> &mut String {
        self.separate();
        push_text(self.json, key);
        self.json.push(':');
        self.json
    }

    /// Writes members that are written already: `"a":1,"b":2`, or nothing.
    pub(crate) fn members(&mut self, members: &str) {
        if !members.is_empty() {
            self.separate();
            self.json.push_str(members);
        }
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        push_text(self.key(key), value);
    }

    pub(crate) fn number(&mut self, key: &str, value: impl Display) {
        self.key(key).push_str(&value.to_string());
    }

    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.key(key).push_str(if value { "true" } else { "false" });
    }

    pub(crate) fn texts(&mut self, key: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        push_texts(self.key(key), values);
    }

    /// Writes an object as the value.
    pub(crate) fn object(&mut self, key: &str, write: impl FnOnce(&mut Members<'_>)) {
        let mut members = Members::open(self.key(key));
        write(&mut members);
        members.close();
    }

    /// Writes a list of objects as the value.
    pub(crate) fn objects<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Members<'_>, T),
    ) {
        let json = self.key(key);
        json.push('[');
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                json.push(',');
            }
            let mut members = Members::open(json);
            write(&mut members, item);
            members.close();
        }
        json.push(']');
    }

    /// Closes the object.
    pub(crate) fn close(self) {
        self.json.push('}');
    }

    fn separate(&mut self) {
        if !self.first {
            self.json.push(',');
        }
        self.first = false;
    }
}

/// Writes a string with its quotes.
pub(crate) fn push_text(json: &mut String, text: &str) {
    // Without a way out of the loop the compiler looks at many bytes at once.
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        json.push('"');
        json.push_str(text);
        json.push('"');
    } else {
        json.push_str(&serde_json::Value::from(text).to_string());
    }
}

/// Writes a list of strings.
pub(crate) fn push_texts(json: &mut String, texts: impl IntoIterator<Item = impl AsRef<str>>) {
    json.push('[');
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        push_text(json, text.as_ref());
    }
    json.push(']');
}

/// So many bytes, for things of which there may be too many.
pub(crate) struct Room {
    bytes: usize,
    keys: Vec<String>,
}

impl Room {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self { bytes, keys: Vec::new() }
    }

    /// Writes a list as far as there is room, and where that isn't all of it, how many there are:
    /// `"unknown":["a"],"unknownCount":12`. Nothing is written of nothing.
    pub(crate) fn names(&mut self, members: &mut Members<'_>, key: &str, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        let json = members.key(key);
        json.push('[');
        let mut shown = 0;
        for name in names {
            let before = json.len();
            if shown > 0 {
                json.push(',');
            }
            push_text(json, name);
            if !self.took(json.len() - before) {
                json.truncate(before);
                break;
            }
            shown += 1;
        }
        json.push(']');
        if shown < names.len() {
            members.number(&format!("{key}Count"), names.len());
        }
    }

    /// Writes a member where there is room for it and none of that key, and says whether it did.
    pub(crate) fn member(
        &mut self,
        members: &mut Members<'_>,
        key: &str,
        write: impl FnOnce(&mut String),
    ) -> bool {
        let mut member = String::new();
        push_text(&mut member, key);
        member.push(':');
        write(&mut member);
        let is_new = !self.keys.iter().any(|known| known == key);
        let fits = is_new && self.took(member.len() + 1);
        if fits {
            members.members(&member);
            self.keys.push(key.to_owned());
        }
        fits
    }

    fn took(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.bytes;
        self.bytes = if fits { self.bytes - bytes } else { 0 };
        fits
    }
}

/// At most so many characters of a text, cut with a mark where there are more.
pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// A text in prose: what would move a terminal's cursor, or takes six bytes in JSON, is replaced.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_json() {
        let mut json = String::new();
        let mut members = Members::open(&mut json);
        members.text("text", "a \"quoted\"\n\\ \u{7} line");
        members.number("number", 3);
        members.flag("flag", true);
        members.texts("texts", ["a", "b"]);
        members.texts("none", [""; 0]);
        members.object("object", |members| members.members("\"x\":1,\"y\":2"));
        members.objects("objects", [1, 2], |members, item| members.number("item", item));
        members.close();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let expected = serde_json::json!({
            "text": "a \"quoted\"\n\\ \u{7} line", "number": 3, "flag": true, "texts": ["a", "b"], "none": [],
            "object": {"x": 1, "y": 2}, "objects": [{"item": 1}, {"item": 2}],
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn a_text_is_clipped_between_characters() {
        assert_eq!(clip("Größe", 3), "Grö…");
        assert_eq!(clip("Größe", 5), "Größe");
    }
}
