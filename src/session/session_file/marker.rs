//! Lines below an input that say how it ran: what was asked before it, and that it changed nothing.

use super::push_line;

/// A question that was asked before a line ran.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedQuestion {
    /// It waits for its answer, and the line has not run.
    Open,
    /// It was answered with this text, or skipped with `skip`; then the line ran.
    Answered(String),
}

impl RecordedQuestion {
    /// Reads what follows the question mark.
    pub(super) fn parse(rest: &str) -> RecordedQuestion {
        match rest.trim() {
            "" => RecordedQuestion::Open,
            text => RecordedQuestion::Answered(text.to_string()),
        }
    }

    pub(super) fn write_to(&self, out: &mut String) {
        match self {
            RecordedQuestion::Open => push_line(out, "", "?"),
            RecordedQuestion::Answered(text) => push_line(out, "? ", text),
        }
    }
}

/// What a journal says about lines that changed nothing, so that a replay need not run them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEffect {
    /// How many items it is about: the one that has this mark, and those before it.
    pub item_count: usize,
    /// The number of the next entry.
    pub next_number: u32,
}

impl NoEffect {
    /// Reads what follows `^0`.
    pub(super) fn parse(rest: &str) -> Option<NoEffect> {
        let (item_count, next_number) = rest.trim().split_once(' ')?;
        Some(NoEffect {
            item_count: item_count.parse().ok().filter(|count| *count > 0)?,
            next_number: next_number.parse().ok()?,
        })
    }

    pub(super) fn write_to(self, out: &mut String) {
        let NoEffect {
            item_count,
            next_number,
        } = self;
        push_line(out, "^0 ", &format!("{item_count} {next_number}"));
    }
}
