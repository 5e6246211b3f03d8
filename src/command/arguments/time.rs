//! Times as arguments: a mark, `start`, `end`, a number of instructions, `event N` or `turn N`.

use super::Arguments;
use crate::analysis::forward_search;
use crate::answer::CommandError;
use crate::debugger::TimePoint;
use crate::debugger::history;
use crate::session::Session;

/// Whether a text means a time of its own, so that it cannot name a mark.
pub(crate) fn is_reserved_time(text: &str) -> bool {
    let word = text.split_whitespace().next();
    matches!(text, "start" | "end") || matches!(word, Some("event" | "action" | "turn"))
}

impl Arguments<'_> {
    /// A position in the history.
    pub fn time(self, session: &mut Session) -> Result<TimePoint, CommandError> {
        let name = self.text;
        match session.target.debugger.bookmarks.get(name) {
            Some(&TimePoint {
                branch: Some(n), ..
            }) if session.target.timeline.branch(n).is_some() => {
                let error = CommandError::new(format!("mark `{name}` is on branch {n}"));
                Err(error.instruct("switch to it with", format!(":branches {n}"), ""))
            }
            Some(&point) => match history::is_lost(&session.target, point) {
                Some(dropped) => Err(CommandError::new(format!(
                    "mark `{name}` is lost: {dropped}"
                ))),
                None => Ok(point),
            },
            None if name == "end" => Ok(TimePoint::after_starts(
                session.target.timeline.time_range().1,
            )),
            None => Ok(TimePoint::at(self.time_without_name(session)?)),
        }
    }

    /// A time other than a mark or `end`.
    fn time_without_name(self, session: &mut Session) -> Result<u64, CommandError> {
        let text = self.text;
        let (first, last) = session.target.timeline.time_range();
        match self.first_word() {
            ("", _) => Err(CommandError::new(
                "expected a time: a number, `event 3`, `turn 2`, `start`, `end` or a mark",
            )),
            (word @ ("event" | "action" | "turn"), number) if number.is_empty() => {
                let message = format!("`{word}` needs a number, e.g. `{word} 2`");
                Err(message.into())
            }
            ("event" | "action", number) => {
                let n: u32 = number.ordinal()?;
                let time = forward_search::time_of_action(&mut session.target, n);
                time.map_err(|dropped| format!("action {n} is lost: {dropped}"))?
                    .ok_or_else(|| format!("there was no action {n}").into())
            }
            ("turn", number) => {
                let n: u32 = number.ordinal()?;
                let time = forward_search::time_of_turn(&mut session.target, i64::from(n));
                time.map_err(|dropped| format!("turn {n} is lost: {dropped}"))?
                    .ok_or_else(|| format!("there was no turn {n}").into())
            }
            ("start", rest) if rest.is_empty() => {
                let start = session.target.timeline.known_game_start();
                start.map_err(|dropped| format!("the start of the game is lost: {dropped}").into())
            }
            (_, rest) if rest.is_empty() => match self.number() {
                Some(time) if (first..=last).contains(&time) => Ok(time),
                Some(time) => Err(CommandError::new(format!(
                    "there is no time {time}: the history has times {first} to {last}"
                ))),
                None => Err(CommandError::new(format!("unknown time or mark `{text}`"))
                    .advise(":marks", "lists the marks")),
            },
            _ => Err(CommandError::new(format!(
                "unknown time or mark `{text}`; use a number, `event 3`, `turn 2`, `start`, `end` or a mark"
            ))),
        }
    }

    /// The number of an action or turn.
    fn ordinal(self) -> Result<u32, String> {
        self.number()
            .ok_or_else(|| format!("expected a number, found `{}`", self.text))
    }
}
