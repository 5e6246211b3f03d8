//! `:why`: explains the state of the game from its history, down to the values that each statement
//! used.

mod cause;
mod deciding_tests;
mod equations;
mod game_over;
mod initially_true;
mod last_changed;
mod local;
mod output;

use crate::answer::{Explanation, ExplanationNode, Subject};
use crate::debugger::{Target, WatchTarget};

/// The causes of something, and the callers of the code that caused it.
#[derive(Default)]
pub(crate) struct Causes {
    nodes: Vec<ExplanationNode>,
    callers: Callers,
}

/// The callers of a frame, innermost first.
#[derive(Default)]
pub(crate) struct Callers {
    nodes: Vec<ExplanationNode>,
    /// How many more there are.
    omitted: usize,
}

impl Target {
    /// Explains the last change of a variable or cell: the statement, the values it used, the
    /// branch it is in and its callers.
    pub fn why(&mut self, watched: &WatchTarget, name: &str) -> Explanation {
        let name = match watched {
            WatchTarget::Cell(..) => self.watch_label(watched),
            _ => name.to_string(),
        };
        let now = self.machine.time();
        let Some((time, old, new)) = self.with_time(|s| s.last_change(watched, now)) else {
            let dropped = self.timeline.dropped_history();
            let since = dropped.map(|dropped| dropped.known_since);
            let subject = Subject::Unchanged { name, since };
            return self.explanation(subject, None, Causes::default());
        };
        let old = Some(old).filter(|old| !old.is_empty());
        let subject = Subject::Change { name, old, new };
        let causes = match self.causes_of_computed_value(time, self.watched_cell(watched)) {
            Some(causes) => causes,
            None => self.causes_at(time),
        };
        self.explanation(subject, Some(time), causes)
    }
}
