//! Moments that are remembered: those with a name, and those at which the person stood. A future that is left takes its
//! moments with it, and brings them back when it is entered again.

use super::Debugger;

/// A time, and on which side of it: where one entry ends and the next begins, be it in the midst of another, both have
/// the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePoint {
    pub time: u64,
    /// How many of the entries that begin at this time have begun.
    pub entries_started: usize,
    /// The branch in which it lies; none if it is on the line that is gone on with.
    pub branch: Option<usize>,
}

impl TimePoint {
    /// As soon as a time is reached: what begins then has not begun.
    pub fn at(time: u64) -> TimePoint {
        TimePoint {
            time,
            entries_started: 0,
            branch: None,
        }
    }

    /// All that begins at the time has begun.
    pub fn after_starts(time: u64) -> TimePoint {
        TimePoint {
            time,
            entries_started: usize::MAX,
            branch: None,
        }
    }
}

impl Debugger {
    fn moments(&mut self) -> impl Iterator<Item = &mut TimePoint> {
        self.bookmarks.values_mut().chain(&mut self.nav_history)
    }

    /// What lies behind a time is on a branch from now on.
    pub fn move_points_to_branch(&mut self, branch: usize, from: u64) {
        for moment in self
            .moments()
            .filter(|m| m.branch.is_none() && m.time > from)
        {
            moment.branch = Some(branch);
        }
    }

    /// A branch is entered: its moments are on the line, and those of the line behind its beginning take their place.
    pub fn swap_points_with_branch(&mut self, branch: usize, from: u64) {
        for moment in self.moments() {
            match moment.branch {
                None if moment.time > from => moment.branch = Some(branch),
                Some(n) if n == branch => moment.branch = None,
                _ => {}
            }
        }
    }

    /// A branch is the line again, as if it had never been left.
    pub fn restore_points_from_branch(&mut self, branch: usize) {
        self.moments()
            .filter(|m| m.branch == Some(branch))
            .for_each(|m| m.branch = None);
    }

    /// A branch is gone, and so are its moments.
    pub fn delete_points_of_branch(&mut self, branch: usize) {
        self.bookmarks.retain(|_, m| m.branch != Some(branch));
        let before = self
            .nav_history
            .iter()
            .take(self.nav_index)
            .filter(|m| m.branch == Some(branch))
            .count();
        self.nav_history.retain(|m| m.branch != Some(branch));
        self.nav_index = (self.nav_index - before.min(self.nav_index))
            .min(self.nav_history.len().saturating_sub(1));
    }

    /// Remembers a moment at which the person stands.
    pub fn record_visit(&mut self, moment: TimePoint) {
        if self.nav_history.get(self.nav_index) == Some(&moment) {
            return;
        }
        self.nav_history.truncate(self.nav_index + 1);
        self.nav_history.push(moment);
        self.nav_index = self.nav_history.len() - 1;
    }

    /// The moment so many moves before or behind the present one; those on branches do not count.
    pub fn nav_target(&self, moves: i64) -> Option<usize> {
        let on_line = |n: &usize| self.nav_history[*n].branch.is_none();
        let count = (moves.unsigned_abs() as usize).checked_sub(1)?;
        match moves < 0 {
            true => (0..self.nav_index.min(self.nav_history.len()))
                .rev()
                .filter(on_line)
                .nth(count),
            false => (self.nav_index + 1..self.nav_history.len())
                .filter(on_line)
                .nth(count),
        }
    }
}
