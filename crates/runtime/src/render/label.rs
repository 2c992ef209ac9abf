//! Which labels an API name gives away already.

use crate::fold::fold;

/// Whether a reader who sees the name knows the label: it is the same words, but for the marks that
/// systems put around them (`is_closed`, `owner_id`, `SentAt`, `npsp__Amount__c`).
pub(crate) fn given_away(name: &str, label: &str) -> bool {
    let custom = name.strip_suffix("__c");
    let name = custom.map_or(name, |name| name.split_once("__").map_or(name, |(_namespace, name)| name));
    if same(name, label) {
        return true;
    }
    let (body, is_id) = without_suffix(without_prefix(name));
    let label = if is_id { without_suffix(label).0 } else { label };
    !body.is_empty() && body.len() < name.len() && same(body, label)
}

fn without_prefix(name: &str) -> &str {
    let camel = |prefix| name.strip_prefix(prefix).filter(|rest| rest.starts_with(char::is_uppercase));
    let bare = name.strip_prefix("is_").or_else(|| name.strip_prefix("has_"));
    bare.or_else(|| camel("Is")).or_else(|| camel("Has")).unwrap_or(name)
}

/// The text without what says that it is an identifier or a moment, and whether it is an identifier.
fn without_suffix(text: &str) -> (&str, bool) {
    let strip = |suffixes: [&str; 4]| suffixes.into_iter().find_map(|suffix| text.strip_suffix(suffix));
    match strip(["_id", "Id", " ID", " Id"]) {
        Some(body) => (body, true),
        None => (strip(["_at", "_At", "At", " at"]).unwrap_or(text), false),
    }
}

/// Whether two texts are one once folded. Most are of plain letters, for which that is no work.
fn same(a: &str, b: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
    }
    if a.is_ascii() && b.is_ascii() { letters(a).eq(letters(b)) } else { fold(a) == fold(b) }
}

#[cfg(test)]
mod tests {
    use super::given_away;

    #[test]
    fn the_same_words_in_another_dress() {
        for (name, label) in [
            ("placed_on", "Placed On"),
            ("Speaker_Program__c", "Speaker Program"),
            ("npsp__Amount__c", "Amount"),
            ("OwnerId", "Owner"),
            ("AccountId", "Account ID"),
            ("account_id", "Account ID"),
            ("is_closed", "Closed"),
            ("IsWon", "Won"),
            ("sent_at", "Sent"),
            ("br_regiao", "BR Região"),
        ] {
            assert!(given_away(name, label), "{name}: {label}");
        }
    }

    #[test]
    fn another_word_is_news() {
        for (name, label) in [
            ("placed_on", "Order Date"),
            ("owner", "Salesperson"),
            ("is", "Id"),
            ("id", "Record ID"),
            ("cf_17__c", "Share of Voice"),
            ("kam__c", "Key Account Manager"),
            ("byoushou_su__c", "病床数"),
            ("name", ""),
            ("is_", ""),
            ("Issue", "sue"),
        ] {
            assert!(!given_away(name, label), "{name}: {label}");
        }
    }
}
