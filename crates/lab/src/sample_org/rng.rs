//! The generator's own source of chance: the same on every platform and in every version.
//!
//! It is `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
//! OOPSLA 2014), with the constants of its reference implementation. Nobody needs secrets here, only
//! variety that repeats.

/// A stream of numbers that its seed decides.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The stream that belongs to a name under a seed. Things that draw from streams of their own
    /// don't change when another is added before them.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a; the first draw of `SplitMix64` then spreads names that differ in one letter.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self::new(seed ^ hash)
    }

    /// The next number, any of the 2⁶⁴.
    pub(crate) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 where `bound` is 0. Its bias, below `bound` / 2³², shows nowhere.
    pub(crate) const fn below(&mut self, bound: u32) -> u32 {
        // The high half of a 64-bit product of two 32-bit numbers is below either of them.
        (((self.next() >> 32) * bound as u64) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub(crate) const fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred draws.
    pub(crate) const fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items of a table, which is never empty.
    #[expect(clippy::indexing_slicing, reason = "`below` stays below the length, and no table is empty")]
    pub(crate) fn pick<T: Copy>(&mut self, table: &[T]) -> T {
        table[self.below(u32::try_from(table.len()).unwrap_or(u32::MAX)) as usize]
    }

    /// One of the items of a list, unless it is empty.
    pub(crate) fn choose<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        list.get(self.below(u32::try_from(list.len()).unwrap_or(u32::MAX)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the reference implementation gives for this seed.
    #[test]
    fn splitmix64_is_the_published_one() {
        let mut rng = Rng::new(1_234_567);
        let drawn: Vec<u64> = (0..5).map(|_| rng.next()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn draws_stay_in_range_and_reach_both_ends() {
        let mut rng = Rng::new(1);
        for (low, high) in [(0, 0), (3, 9), (0, 1), (400, 401)] {
            let drawn: Vec<u32> = (0..1000).map(|_| rng.between(low, high)).collect();
            assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&low), Some(&high)));
        }
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).all(|_| rng.below(u32::MAX) < u32::MAX));
    }

    #[test]
    fn draws_are_even() {
        let mut rng = Rng::new(2);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (9_500..10_500).contains(&times)), "{seen:?}");
    }

    #[test]
    fn names_have_streams_of_their_own() {
        let first = |seed, name| Rng::named(seed, name).next();
        assert_eq!(first(7, "order"), first(7, "order"));
        assert_ne!(first(7, "order"), first(8, "order"));
        assert_ne!(first(7, "order"), first(7, "ordes"));
    }
}
