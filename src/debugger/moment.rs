//! Moments that are remembered: those with a name, and those at which the person stood. A future that is left takes its
//! moments with it, and brings them back when it is entered again.

use super::Debugger;

/// A time, and on which side of it: where one entry ends and the next begins, be it in the midst of another, both have
/// the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    pub time: u64,
    /// How many of the entries that begin at this time have begun.
    pub begun: usize,
    /// The branch in which it lies; none if it is on the line that is gone on with.
    pub branch: Option<usize>,
}

impl Moment {
    /// As soon as a time is reached: what begins then has not begun.
    pub fn at(time: u64) -> Moment {
        Moment {
            time,
            begun: 0,
            branch: None,
        }
    }

    /// All that begins at the time has begun.
    pub fn into(time: u64) -> Moment {
        Moment {
            time,
            begun: usize::MAX,
            branch: None,
        }
    }
}

impl Debugger {
    fn moments(&mut self) -> impl Iterator<Item = &mut Moment> {
        self.marks.values_mut().chain(&mut self.visited)
    }

    /// What lies behind a time is on a branch from now on.
    pub fn leave_moments(&mut self, branch: usize, from: u64) {
        for moment in self
            .moments()
            .filter(|m| m.branch.is_none() && m.time > from)
        {
            moment.branch = Some(branch);
        }
    }

    /// A branch is entered: its moments are on the line, and those of the line behind its beginning take their place.
    pub fn swap_moments(&mut self, branch: usize, from: u64) {
        for moment in self.moments() {
            match moment.branch {
                None if moment.time > from => moment.branch = Some(branch),
                Some(n) if n == branch => moment.branch = None,
                _ => {}
            }
        }
    }

    /// A branch is the line again, as if it had never been left.
    pub fn rejoin_moments(&mut self, branch: usize) {
        self.moments()
            .filter(|m| m.branch == Some(branch))
            .for_each(|m| m.branch = None);
    }

    /// A branch is gone, and so are its moments.
    pub fn drop_moments(&mut self, branch: usize) {
        self.marks.retain(|_, m| m.branch != Some(branch));
        let before = self
            .visited
            .iter()
            .take(self.visit)
            .filter(|m| m.branch == Some(branch))
            .count();
        self.visited.retain(|m| m.branch != Some(branch));
        self.visit =
            (self.visit - before.min(self.visit)).min(self.visited.len().saturating_sub(1));
    }

    /// Remembers a moment at which the person stands.
    pub fn visit(&mut self, moment: Moment) {
        if self.visited.get(self.visit) == Some(&moment) {
            return;
        }
        self.visited.truncate(self.visit + 1);
        self.visited.push(moment);
        self.visit = self.visited.len() - 1;
    }

    /// The moment so many moves before or behind the present one; those on branches do not count.
    pub fn visit_at(&self, moves: i64) -> Option<usize> {
        let on_line = |n: &usize| self.visited[*n].branch.is_none();
        let count = (moves.unsigned_abs() as usize).checked_sub(1)?;
        match moves < 0 {
            true => (0..self.visit.min(self.visited.len()))
                .rev()
                .filter(on_line)
                .nth(count),
            false => (self.visit + 1..self.visited.len())
                .filter(on_line)
                .nth(count),
        }
    }
}
