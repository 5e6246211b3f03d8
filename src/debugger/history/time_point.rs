//! Remembered points in time: bookmarks, and the points the user has visited.
//!
//! When the timeline forks, the points on the abandoned part move to its branch; they return
//! to the timeline when the user switches to that branch.

use crate::Debugger;

/// A position in the history. A time alone is ambiguous: where one entry ends and the next starts,
/// both have the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePoint {
    /// Number of instructions executed until then.
    pub time: u64,
    /// How many of the entries that start at this time have started.
    pub entries_started: usize,
    /// The branch it is on; `None` for the current timeline.
    pub branch: Option<usize>,
}

impl TimePoint {
    /// The first position at a time: no entry that starts then has started.
    pub fn at(time: u64) -> TimePoint {
        TimePoint {
            time,
            entries_started: 0,
            branch: None,
        }
    }

    /// The last position at a time: all entries that start then have started.
    pub fn after_starts(time: u64) -> TimePoint {
        TimePoint {
            time,
            entries_started: usize::MAX,
            branch: None,
        }
    }
}

impl Debugger {
    fn points(&mut self) -> impl Iterator<Item = &mut TimePoint> {
        self.bookmarks.values_mut().chain(&mut self.nav_history)
    }

    /// Moves all points after `from` to a branch.
    pub fn move_points_to_branch(&mut self, branch: usize, from: u64) {
        for point in self
            .points()
            .filter(|p| p.branch.is_none() && p.time > from)
        {
            point.branch = Some(branch);
        }
    }

    /// Swaps the points of a branch with those of the current timeline after `from`, where the
    /// branch starts.
    pub fn swap_points_with_branch(&mut self, branch: usize, from: u64) {
        for point in self.points() {
            match point.branch {
                None if point.time > from => point.branch = Some(branch),
                Some(n) if n == branch => point.branch = None,
                _ => {}
            }
        }
    }

    /// Returns the points of a branch to the current timeline.
    pub fn restore_points_from_branch(&mut self, branch: usize) {
        self.points()
            .filter(|p| p.branch == Some(branch))
            .for_each(|p| p.branch = None);
    }

    /// Deletes the points of a deleted branch.
    pub fn delete_points_of_branch(&mut self, branch: usize) {
        self.bookmarks.retain(|_, p| p.branch != Some(branch));
        let removed_before = self
            .nav_history
            .iter()
            .take(self.nav_index)
            .filter(|p| p.branch == Some(branch))
            .count();
        self.nav_history.retain(|p| p.branch != Some(branch));
        self.nav_index = (self.nav_index - removed_before.min(self.nav_index))
            .min(self.nav_history.len().saturating_sub(1));
    }

    /// Adds a point to the navigation history, dropping the ones after the current point.
    pub fn record_visit(&mut self, point: TimePoint) {
        if self.nav_history.get(self.nav_index) == Some(&point) {
            return;
        }
        self.nav_history.truncate(self.nav_index + 1);
        self.nav_history.push(point);
        self.nav_index = self.nav_history.len() - 1;
    }

    /// The index of the point `moves` steps away in the navigation history. Points on other
    /// branches, and points before the first time that is known, are not counted.
    pub fn nav_target(&self, moves: i64, first_time: u64) -> Option<usize> {
        let is_on_timeline = |n: &usize| {
            let point = self.nav_history[*n];
            point.branch.is_none() && point.time >= first_time
        };
        let count = (moves.unsigned_abs() as usize).checked_sub(1)?;
        match moves < 0 {
            true => (0..self.nav_index.min(self.nav_history.len()))
                .rev()
                .filter(is_on_timeline)
                .nth(count),
            false => (self.nav_index + 1..self.nav_history.len())
                .filter(is_on_timeline)
                .nth(count),
        }
    }
}
