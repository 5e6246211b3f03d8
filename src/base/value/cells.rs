//! The cells of the board, with a log of which ones changed.

use super::{PagedVec, Snapshot, Value};

/// If more cells change between two looks at the log, all of them count as changed.
const MAX_LOGGED_CHANGES: usize = 4096;

/// The content of the board in row-major order: pieces and `EMPTY`.
///
/// Every write goes through this type, so that it is known what changed. An instance whose log was
/// never read counts as changed as a whole.
#[derive(Debug, Default)]
pub struct Cells {
    content: PagedVec<Value>,
    /// Whether `changed` is complete.
    is_logging: bool,
    /// The cells that changed since the log was last read; a cell may occur more than once.
    changed: Vec<u32>,
}

impl Cells {
    /// The number of cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// True if there is no board.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// All cells.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        self.content.as_slice()
    }

    /// The content of a cell, if it exists.
    #[inline]
    pub fn get(&self, cell: usize) -> Option<&Value> {
        self.content.get(cell)
    }

    /// Changes a cell; ignores one that does not exist.
    #[inline]
    pub fn set(&mut self, cell: usize, value: Value) {
        if self.is_logging {
            self.log(cell);
        }
        self.content.set(cell, value);
    }

    /// Replaces the board by `len` cells that hold `value`.
    pub fn reset(&mut self, len: usize, value: Value) {
        self.stop_logging();
        self.content.reset(len, value);
    }

    /// Whether a cell changed since the log was last read, as far as known.
    #[inline]
    pub fn has_changes(&self) -> bool {
        !self.is_logging || !self.changed.is_empty()
    }

    /// Moves the log into `changed` and starts a new one. Returns false if any cell may have changed.
    pub fn take_changes(&mut self, changed: &mut Vec<u32>) -> bool {
        changed.clear();
        std::mem::swap(changed, &mut self.changed);
        std::mem::replace(&mut self.is_logging, true)
    }

    /// Stops logging until the log is read again.
    pub fn stop_logging(&mut self) {
        self.is_logging = false;
        self.changed.clear();
    }

    fn log(&mut self, cell: usize) {
        if self.changed.len() < MAX_LOGGED_CHANGES {
            self.changed.push(cell as u32);
        } else {
            self.stop_logging();
        }
    }

    pub(super) fn snapshot(&mut self) -> (Snapshot<Value>, usize) {
        self.content.snapshot()
    }

    /// Restores the content of a snapshot. Only cells that differ count as changed.
    pub(super) fn restore(&mut self, snapshot: &Snapshot<Value>) {
        if !self.is_logging || snapshot.len() != self.content.len() {
            self.stop_logging();
            return self.content.restore(snapshot);
        }
        let Cells {
            content, changed, ..
        } = self;
        content.restore_with(snapshot, |first, old, new| {
            let differs = old.iter().zip(new).enumerate();
            let differs = differs.filter(|(_, (old, new))| old != new);
            changed.extend(differs.map(|(n, _)| (first + n) as u32));
        });
        if self.changed.len() > MAX_LOGGED_CHANGES {
            self.stop_logging();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(cells: &mut Cells) -> Option<Vec<u32>> {
        let mut changed = Vec::new();
        let is_known = cells.take_changes(&mut changed);
        changed.sort_unstable();
        is_known.then_some(changed)
    }

    fn board(len: usize) -> Cells {
        let mut cells = Cells::default();
        cells.reset(len, Value::EMPTY);
        assert_eq!(changes(&mut cells), None);
        cells
    }

    #[test]
    fn writes_are_logged_until_the_log_is_read() {
        let mut cells = board(1000);
        assert!(!cells.has_changes());
        cells.set(7, Value::int(1));
        cells.set(900, Value::int(1));
        assert!(cells.has_changes());
        assert_eq!(changes(&mut cells), Some(vec![7, 900]));
        assert_eq!(changes(&mut cells), Some(vec![]));
    }

    #[test]
    fn restoring_logs_the_cells_that_differ() {
        let mut cells = board(1000);
        cells.set(3, Value::int(3));
        let (first, _) = cells.snapshot();
        cells.set(3, Value::int(4));
        cells.set(500, Value::int(5));
        let (second, _) = cells.snapshot();
        cells.set(501, Value::int(6));
        assert_eq!(changes(&mut cells), Some(vec![3, 3, 500, 501]));
        cells.restore(&first);
        assert_eq!(changes(&mut cells), Some(vec![3, 500, 501]));
        cells.restore(&second);
        assert_eq!(changes(&mut cells), Some(vec![3, 500]));
        cells.set(501, Value::int(7));
        cells.restore(&second);
        assert_eq!(changes(&mut cells), Some(vec![501, 501]));
    }

    #[test]
    fn other_sizes_and_too_many_changes_are_unknown() {
        let mut cells = board(10_000);
        let (small, _) = board(10).snapshot();
        cells.restore(&small);
        assert_eq!(changes(&mut cells), None);
        let mut cells = board(10_000);
        let (empty, _) = cells.snapshot();
        for cell in 0..MAX_LOGGED_CHANGES + 1 {
            cells.set(cell, Value::int(1));
        }
        assert!(cells.has_changes());
        assert_eq!(changes(&mut cells), None);
        cells.restore(&empty);
        assert_eq!(changes(&mut cells), None);
        assert_eq!(changes(&mut Cells::default()), None);
    }
}
