//! Text as it is compared: without case, accents and what separates words.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A text without case, accents, compatibility forms, separators and punctuation: `Région_Nº 1` and
/// `regionno1` are one.
pub(crate) fn fold(text: &str) -> String {
    letters(text).filter(|c| c.is_alphanumeric()).collect()
}

/// A text without case, accents and compatibility forms; separators and punctuation stay. How texts of
/// records are compared.
#[must_use]
pub fn fold_text(text: &str) -> String {
    // Most texts of most records.
    if text.is_ascii() { text.to_ascii_lowercase() } else { letters(text).collect() }
}

/// The words of a name or a label, folded: what stands between separators, and what a capital begins
/// in the middle of a word (`OwnerId`).
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before_lower = false;
    for c in text.chars() {
        let begins = !c.is_alphanumeric() || (before_lower && c.is_uppercase());
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() || is_combining_mark(c) {
            word.push(c);
        }
        before_lower = c.is_lowercase() || c.is_numeric();
    }
    words.push(word);
    words.iter().map(|word| fold(word)).filter(|word| !word.is_empty()).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).flat_map(|c| {
        let (first, second) = plain(c);
        std::iter::once(first).chain(second)
    })
}

/// Letters that are no letter with a mark, and that people type without what makes them different: as
/// in the transliteration of Latin letters that PostgreSQL's `unaccent` ships.
const fn plain(c: char) -> (char, Option<char>) {
    match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ł' => ('l', None),
        'ø' => ('o', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ŧ' => ('t', None),
        'ı' => ('i', None),
        other => (other, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_separators_are_gone() {
        assert_eq!(fold("Région_de visitação"), "regiondevisitacao");
        assert_eq!(fold("ＯＲＤＥＲ"), "order");
        assert_eq!(fold("İstanbul"), "istanbul");
        assert_eq!(fold("病床数"), "病床数");
        assert_eq!(fold("__ -"), "");
        assert_eq!(fold_text("Łukasz Sørensen, Straße 7"), "lukasz sorensen, strasse 7");
    }

    #[test]
    fn words_end_at_separators_and_capitals() {
        assert_eq!(words("Speaker_Program__c"), ["speaker", "program", "c"]);
        assert_eq!(words("OwnerId"), ["owner", "id"]);
        assert_eq!(words("KAMName2"), ["kamname2"]);
        assert_eq!(words("Year-to-Date Région"), ["year", "to", "date", "region"]);
        assert_eq!(words("  "), [""; 0]);
    }
}
