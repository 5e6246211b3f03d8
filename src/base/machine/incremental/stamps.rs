//! When each row and column of the board last changed.

use super::UNITS_PER_GROUP;
use crate::code::incremental::{Offsets, Reach};
use crate::value::Store;

/// Counts changes of the board. A stamp is the number of the change that a row or column last had.
#[derive(Default)]
pub(super) struct Stamps {
    clock: u64,
    /// The last change of everything.
    all: u64,
    rows: Lines,
    cols: Lines,
    /// The size of the board that this is about.
    size: (u32, u32),
    changed_cells: Vec<u32>,
}

/// The stamps of rows or columns, and the latest of each block of `UNITS_PER_GROUP`.
#[derive(Default)]
struct Lines {
    stamps: Vec<u64>,
    blocks: Vec<u64>,
}

impl Lines {
    fn reset(&mut self, len: u32) {
        self.stamps.clear();
        self.stamps.resize(len as usize, 0);
        self.blocks.clear();
        self.blocks
            .resize(len.div_ceil(UNITS_PER_GROUP) as usize, 0);
    }

    fn mark(&mut self, line: u32, clock: u64) {
        let block = line / UNITS_PER_GROUP;
        if let (Some(stamp), Some(block)) = (
            self.stamps.get_mut(line as usize),
            self.blocks.get_mut(block as usize),
        ) {
            (*stamp, *block) = (clock, clock);
        }
    }

    /// The latest change of the lines that `count` units from `first` on reach.
    #[inline]
    fn latest(&self, reach: Option<Offsets>, first: u32, count: u32) -> u64 {
        let Some(offsets) = reach else {
            return 0;
        };
        // Most units read one line, their own.
        if (offsets.from, offsets.to, count) == (0, 0, 1) {
            return self.stamps.get(first as usize).copied().unwrap_or(0);
        }
        let len = self.stamps.len() as i64;
        let from = (i64::from(first) + i64::from(offsets.from)).clamp(0, len);
        let end = i64::from(first) + i64::from(count) + i64::from(offsets.to);
        let (mut line, end) = (from as usize, end.clamp(from, len) as usize);
        let width = UNITS_PER_GROUP as usize;
        let mut latest = 0;
        while line < end {
            if line.is_multiple_of(width) && line + width <= end {
                latest = latest.max(self.blocks[line / width]);
                line += width;
            } else {
                latest = latest.max(self.stamps[line]);
                line += 1;
            }
        }
        latest
    }
}

impl Stamps {
    /// The current stamp: what is remembered now is valid until something gets a later one.
    pub(super) fn now(&self) -> u64 {
        self.clock
    }

    /// Whether it is about a board of this size.
    #[inline]
    pub(super) fn has_size_of(&self, store: &Store) -> bool {
        self.size == (store.rows, store.cols)
    }

    /// Marks what changed since the last call. Returns true if everything may have changed: nothing that
    /// was remembered is valid.
    #[inline(never)]
    pub(super) fn update(&mut self, store: &mut Store) -> bool {
        let is_known = store.cells.take_changes(&mut self.changed_cells);
        self.clock += 1;
        let size = (store.rows, store.cols);
        let is_resized = !self.has_size_of(store);
        if is_resized {
            self.size = size;
            self.rows.reset(size.0);
            self.cols.reset(size.1);
        }
        if is_resized || !is_known {
            self.all = self.clock;
            return true;
        }
        for &cell in &self.changed_cells {
            let (row, col) = store.row_col(cell);
            self.rows.mark(row, self.clock);
            self.cols.mark(col, self.clock);
        }
        false
    }

    /// The latest change of the cells that `count` units from `first` on read. At least 1.
    #[inline]
    pub(super) fn latest_change(&self, reach: Reach, first: u32, count: u32) -> u64 {
        let rows = self.rows.latest(reach.rows, first, count);
        let cols = self.cols.latest(reach.cols, first, count);
        rows.max(cols).max(self.all).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn store(rows: u32, cols: u32) -> Store {
        let mut store = Store::default();
        store.resize(rows, cols);
        store
    }

    fn reach(rows: Option<(i32, i32)>, cols: Option<(i32, i32)>) -> Reach {
        let offsets = |(from, to)| Offsets { from, to };
        Reach {
            rows: rows.map(offsets),
            cols: cols.map(offsets),
        }
    }

    #[test]
    fn a_change_is_seen_by_exactly_the_units_that_reach_it() {
        let mut store = store(100, 70);
        let mut stamps = Stamps::default();
        assert!(stamps.update(&mut store));
        let before = stamps.now();
        store.cells.set(40 * 70 + 33, Value::int(1));
        assert!(!stamps.update(&mut store));
        let is_changed = |reach, first, count| stamps.latest_change(reach, first, count) > before;
        for row in 0..100 {
            let own = reach(Some((0, 0)), None);
            assert_eq!(is_changed(own, row, 1), row == 40, "row {row}");
            let near = reach(Some((-1, 2)), None);
            assert_eq!(
                is_changed(near, row, 1),
                (38..=41).contains(&row),
                "row {row}"
            );
        }
        for col in 0..70 {
            let own = reach(None, Some((0, 0)));
            assert_eq!(is_changed(own, col, 1), col == 33, "column {col}");
        }
        let groups = |reach| [0, 32, 64].map(|first| is_changed(reach, first, 32));
        assert_eq!(groups(reach(Some((0, 0)), None)), [false, true, false]);
        assert_eq!(groups(reach(Some((-8, 8)), None)), [false, true, false]);
        assert_eq!(groups(reach(None, Some((-2, 0)))), [false, true, false]);
        assert_eq!(groups(reach(None, Some((0, 2)))), [true, true, false]);
    }

    #[test]
    fn unknown_changes_and_other_sizes_are_seen_by_all() {
        let mut store = store(10, 10);
        let mut stamps = Stamps::default();
        stamps.update(&mut store);
        let before = stamps.now();
        let own = reach(Some((0, 0)), None);
        assert!(stamps.latest_change(own, 3, 1) <= before);
        store.resize(5, 20);
        store.resize(10, 10);
        assert!(stamps.update(&mut store));
        assert!(stamps.latest_change(own, 3, 1) > before);
        store.cells.set(3, Value::int(1));
        assert!(!stamps.update(&mut store));
        store.resize(20, 5);
        assert!(stamps.update(&mut store));
    }
}
