//! The random number generator of the fuzzer (SplitMix64).
//!
//! The same seed gives the same numbers on every platform, so every input can be reproduced.

pub struct Rng(u64);

impl Rng {
    /// The generator for one input of one fuzz target.
    pub fn for_input(target: &str, seed: u64, number: u64) -> Rng {
        let hash = target.bytes().fold(seed, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        Rng(hash ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number in `start..end`.
    pub fn range(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }

    /// True with a probability of `percentage` percent.
    pub fn percent(&mut self, percentage: usize) -> bool {
        self.below(100) < percentage
    }

    /// One of the items. Panics if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
