//! What a line leaves as it was if it had no effect, besides the point in the history.

use super::Session;

/// Compared before and after a line. Equal traces at the same point in the history mean that nothing is left
/// of what ran in between.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traces {
    /// Entries in effect.
    entry_count: usize,
    /// Those, and the ones that were undone.
    all_count: usize,
    /// Entries that were undone while they ran, and can be redone.
    unfinished_count: usize,
    branch_count: usize,
    breakpoint_count: usize,
    /// The player who moves, as the last search was given it.
    turn: Option<String>,
}

impl Traces {
    /// The traces now.
    pub fn of(session: &Session) -> Traces {
        let timeline = &session.target.timeline;
        Traces {
            entry_count: timeline.cursor(),
            all_count: timeline.all_entries().len(),
            unfinished_count: timeline.unfinished_count(),
            branch_count: timeline.branches().count(),
            breakpoint_count: session.target.debugger.breakpoints.len(),
            turn: session.explorer.turn.clone(),
        }
    }

    /// Whether nothing was undone that could be redone.
    pub fn is_at_end(&self) -> bool {
        self.entry_count == self.all_count && self.unfinished_count == 0
    }
}
