//! Which of some short texts fit a few words best.
//!
//! BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework") with its usual
//! constants, over folded words; a word that only begins like one of the query counts half.

use crate::fold::words;

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Nobody searches for more words.
const MOST_WORDS: usize = 12;
/// A shorter beginning says too little.
const LEAST_PREFIX: usize = 3;
/// What a word counts that begins like the query's, or the other way round.
const PREFIX_WEIGHT: f64 = 0.5;

/// Some texts, in words.
#[derive(Debug, Default)]
pub(crate) struct Ranker {
    texts: Vec<Vec<String>>,
}

impl Ranker {
    /// Takes the texts, each in parts (a name and a label).
    pub(crate) fn new<'t>(texts: impl IntoIterator<Item = Vec<&'t str>>) -> Self {
        let words_of = |parts: Vec<&str>| parts.into_iter().flat_map(words).collect();
        Self { texts: texts.into_iter().map(words_of).collect() }
    }

    /// The positions of the texts that have any word of the query, best first, ties in the order given.
    pub(crate) fn rank(&self, query: &str) -> Vec<usize> {
        let mut scores = vec![0.0; self.texts.len()];
        let average = self.texts.iter().map(Vec::len).sum::<usize>() as f64 / self.texts.len().max(1) as f64;
        for word in words(query).into_iter().take(MOST_WORDS) {
            let counts: Vec<f64> = self.texts.iter().map(|text| occurrences(&word, text)).collect();
            let holding = counts.iter().filter(|count| **count > 0.0).count() as f64;
            let rarity = (1.0 + (self.texts.len() as f64 - holding + 0.5) / (holding + 0.5)).ln();
            for ((score, count), text) in scores.iter_mut().zip(counts).zip(&self.texts) {
                let length = 1.0 - B + B * text.len() as f64 / average;
                *score += rarity * count * (K1 + 1.0) / (count + K1 * length);
            }
        }
        let mut found: Vec<(f64, usize)> =
            scores.into_iter().zip(0..).filter(|(score, _)| *score > 0.0).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, at)| at).collect()
    }
}

fn occurrences(wanted: &str, text: &[String]) -> f64 {
    let likeness = |found: &String| {
        let (short, long) =
            if found.len() < wanted.len() { (found.as_str(), wanted) } else { (wanted, found.as_str()) };
        if short == long {
            1.0
        } else if short.len() >= LEAST_PREFIX && long.starts_with(short) {
            PREFIX_WEIGHT
        } else {
            0.0
        }
    };
    text.iter().map(likeness).sum()
}

#[cfg(test)]
mod tests {
    use super::Ranker;

    #[test]
    fn rare_words_whole_words_and_short_texts_come_first() {
        let texts = ["order_date", "ship_date", "date", "total_amount", "amounts_due", "amount"];
        let ranker = Ranker::new(texts.map(|text| vec![text]));
        let found = |query| ranker.rank(query).into_iter().map(|at| texts[at]).collect::<Vec<_>>();
        assert_eq!(found("date"), ["date", "order_date", "ship_date"]);
        assert_eq!(found("Amount"), ["amount", "total_amount", "amounts_due"]);
        assert_eq!(found("ship date"), ["ship_date", "date", "order_date"]);
        assert_eq!(found("weather"), [""; 0]);
        assert_eq!(found(""), [""; 0]);
    }

    #[test]
    fn nothing_is_ranked_among_nothing() {
        assert_eq!(Ranker::default().rank("x"), [0; 0]);
    }
}
