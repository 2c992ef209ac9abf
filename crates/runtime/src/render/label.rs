//! Which labels an API name gives away already.

use crate::fold::{fold, words};

/// Whether a reader who sees the name knows the label: it is the same words, but for the marks that
/// systems put around them (`is_closed`, `owner_id`, `sent_at`, `npsp__Amount__c`).
pub(crate) fn given_away(name: &str, label: &str) -> bool {
    let custom = name.strip_suffix("__c");
    let bare = custom.map_or(name, |name| name.split_once("__").map_or(name, |(_namespace, name)| name));
    let label = fold(label);
    if fold(bare) == label {
        return true;
    }
    let words = words(bare);
    let body = match words.as_slice() {
        [first, rest @ ..] if matches!(first.as_str(), "is" | "has") => rest,
        all => all,
    };
    let body = match body {
        [rest @ .., last] if matches!(last.as_str(), "id" | "at") => rest,
        all => all,
    };
    !body.is_empty()
        && body.concat() == label.strip_suffix("id").filter(|_| body.len() < words.len()).unwrap_or(&label)
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
            ("account_id", "Account ID"),
            ("is_closed", "Closed"),
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
        ] {
            assert!(!given_away(name, label), "{name}: {label}");
        }
    }
}
