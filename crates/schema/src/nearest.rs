//! Which known names an unknown one was probably meant to be.

/// Longer names are compared by their first so many characters: nobody means a longer one, and a
/// hostile one must not cost more.
const COMPARED: usize = 64;

/// Below this likeness a name is not offered: a bad guess sends the reader the wrong way.
const LIKE_ENOUGH: f64 = 0.78;

/// The likeness of names that are equal once folded.
const SAME: f64 = 1.0;

/// Returns up to `count` of the candidates that are most like `name`, best first, ties by name.
///
/// Case, separators and the suffixes `__c` and `s` are ignored; a candidate that contains the whole
/// of the name (or the other way round) counts as alike.
///
/// ```
/// use portolan_schema::nearest::nearest;
/// let known = ["account", "contact", "order", "order_line"];
/// assert_eq!(nearest("acount", known, 2), ["account"]);
/// assert_eq!(nearest("Order Lines", known, 2), ["order_line"]);
/// assert_eq!(nearest("ordr", known, 2), ["order", "order_line"]);
/// assert!(nearest("weather", known, 2).is_empty());
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wanted = fold(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut ranked: Vec<(f64, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (likeness(&wanted, &fold(candidate)), candidate))
        .filter(|(likeness, _)| *likeness >= LIKE_ENOUGH)
        .collect();
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    // The same name in another spelling makes the merely similar ones noise.
    if let Some((SAME, _)) = ranked.first() {
        ranked.retain(|(likeness, _)| *likeness >= SAME);
    }
    ranked.truncate(count);
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Whether two names differ in case alone: the commonest mistake, and worth a word of its own.
#[must_use]
pub fn differs_only_in_case(a: &str, b: &str) -> bool {
    a != b && a.to_lowercase() == b.to_lowercase()
}

fn likeness(a: &str, b: &str) -> f64 {
    if a == b {
        return SAME;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let contained = if short.len() >= 4 && long.contains(short) {
        0.8 + 0.15 * short.len() as f64 / long.len() as f64
    } else {
        0.0
    };
    // Names of very different lengths are no edits of each other: no need to count them.
    let near_in_length = short.len() * 5 >= long.len() * 3;
    let edits = if near_in_length { strsim::normalized_damerau_levenshtein(a, b) } else { 0.0 };
    let begins_alike = common_prefix(a, b) >= 3;
    if edits < 0.6 && !begins_alike {
        return contained;
    }
    // Few edits in a short name still make a low share of it; a common start tells that it was meant.
    let start = strsim::jaro_winkler(a, b);
    let edits = match edits {
        0.6.. => start.max(edits),
        _ if start >= 0.85 => 0.92 * start,
        _ => edits,
    };
    edits.max(contained).min(0.99)
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

fn fold(name: &str) -> String {
    let folded: String =
        name.chars().take(COMPARED).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let folded = if name.to_lowercase().ends_with("__c") {
        folded.strip_suffix('c').unwrap_or(&folded).to_owned()
    } else {
        folded
    };
    match folded.strip_suffix('s') {
        Some(singular) if singular.len() >= 3 => singular.to_owned(),
        _ => folded,
    }
}
