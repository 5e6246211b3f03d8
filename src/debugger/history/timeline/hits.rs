//! The hits of the breakpoints in the history.
//!
//! Each entry keeps the times of the hits during it. The hit count of a breakpoint is the number of
//! its hits up to the current position, so every way to move through the history adjusts it.

use super::Timeline;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Identifies a breakpoint in the history. Keys are never used again, not even if the breakpoints are
/// exchanged with others of the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct HitKey(pub(crate) u32);

/// The hits during an entry.
#[derive(Clone, Debug, Default)]
pub struct EntryHits {
    /// The times of the hits of each breakpoint, in ascending order.
    times: BTreeMap<HitKey, Vec<u64>>,
    /// The hit counts when the entry starts; see [`Timeline::counted_entries`].
    counts_before: Rc<BTreeMap<HitKey, u64>>,
}

impl EntryHits {
    fn times(&self, key: HitKey) -> &[u64] {
        self.times.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Approximate size.
    pub(crate) fn bytes(&self) -> u64 {
        self.times
            .values()
            .map(|times| 8 * times.len() as u64)
            .sum()
    }

    fn count_until(&self, key: HitKey, time: u64) -> u64 {
        self.times(key).partition_point(|t| *t <= time) as u64
    }

    /// Adds a hit; false if it is known.
    fn insert(&mut self, key: HitKey, time: u64) -> bool {
        let times = self.times.entry(key).or_default();
        let index = times.partition_point(|t| *t < time);
        let is_new = times.get(index) != Some(&time);
        if is_new {
            times.insert(index, time);
        }
        is_new
    }

    /// Removes the hits after a time.
    pub(crate) fn truncate(&mut self, time: u64) {
        for times in self.times.values_mut() {
            times.truncate(times.partition_point(|t| *t <= time));
        }
    }

    /// Removes the hits until a time.
    pub(crate) fn keep_after(&mut self, time: u64) {
        for times in self.times.values_mut() {
            times.drain(..times.partition_point(|t| *t <= time));
        }
    }

    fn counts_after(&self) -> Rc<BTreeMap<HitKey, u64>> {
        let mut counts = self.counts_before.clone();
        for (key, times) in &self.times {
            *Rc::make_mut(&mut counts).entry(*key).or_default() += times.len() as u64;
        }
        counts
    }
}

impl Timeline {
    /// Records that a breakpoint was hit at a time during the current entry. When the history is
    /// replayed, the hit is known already.
    pub fn record_hit(&mut self, key: HitKey, time: u64) {
        let index = self.cursor.checked_sub(1);
        let Some(current) = index.and_then(|index| self.entries.get_mut(index)) else {
            return;
        };
        if current.hits.insert(key, time) {
            self.update_counts();
            self.counted_entries = self.cursor;
        }
    }

    /// The number of hits of a breakpoint until the current position, which is at this time.
    pub fn hit_count(&self, key: HitKey, now: u64) -> u64 {
        self.hit_count_in(self.cursor, key, now)
    }

    /// The number of hits of a breakpoint before a time.
    pub fn hit_count_before(&self, key: HitKey, time: u64) -> u64 {
        let Some(last) = time.checked_sub(1) else {
            return 0;
        };
        let started = self.entries.partition_point(|e| e.before.time < time);
        self.hit_count_in(started, key, last)
    }

    /// The number of hits until a time that belongs to the last of the first `started` entries.
    fn hit_count_in(&self, started: usize, key: HitKey, time: u64) -> u64 {
        let Some(current) = started.checked_sub(1) else {
            return 0;
        };
        let counted = current.min(self.counted_entries.saturating_sub(1));
        let before = self.entries[counted].hits.counts_before.get(&key).copied();
        let between = self.entries[counted..current].iter();
        let between: usize = between.map(|e| e.hits.times(key).len()).sum();
        before.unwrap_or(0) + between as u64 + self.entries[current].hits.count_until(key, time)
    }

    /// Brings the counts at the start of the entries up to date, up to the current entry.
    pub(crate) fn update_counts(&mut self) {
        for index in self.counted_entries.max(1)..self.cursor {
            self.entries[index].hits.counts_before = self.entries[index - 1].hits.counts_after();
        }
        self.counted_entries = self.counted_entries.max(self.cursor);
    }
}
