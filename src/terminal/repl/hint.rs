//! Hints for newcomers: what to type next, shown once per session at the first stop of each kind.

use super::banner::bold_backquoted;
use crate::answer::StopReason;
use crate::session::{Answer, Line, Session};

/// The hints shown so far.
#[derive(Default)]
pub struct Hints {
    shown: Vec<&'static str>,
}

const STOPPED: &str =
    "Next: `step`, `next` over calls, `back`, `where`, `vars`, `continue`; Enter repeats";
const DRY_RUN: &str = "Next: `step`, `step expr` shows values, `back`; `finish` ends the dry run";
const INTERRUPTED: &str =
    "Next: `where` shows the call stack, `step` runs one step, `abandon` cancels";
const AT_ERROR: &str =
    "Next: `vars`, `where`, `back`; fix a value or a rule and `retry`; `continue` cancels";
const IN_PAST: &str =
    "You are in the past. `step` and `continue` run forward; `:goto end` returns to now";
const ERROR: &str = "Nothing was changed. Type `:explain CODE` for more about this error";

impl Hints {
    /// The hint for this answer, unless it was shown before or the tour is active.
    pub fn for_answer(&mut self, session: &Session, answer: &Answer) -> Option<Line> {
        let text = hint_text(session, answer)
            .filter(|text| !session.tour.is_active && !self.shown.contains(text))?;
        self.shown.push(text);
        let code = answer.diagnostics.first().map_or("", |d| d.code);
        Some(bold_backquoted(
            Line::plain("  "),
            &text.replace("CODE", code),
        ))
    }
}

/// The hint that fits the kind of answer.
fn hint_text(session: &Session, answer: &Answer) -> Option<&'static str> {
    let Some(stop) = &answer.stop else {
        return (!answer.ok && !answer.diagnostics.is_empty()).then_some(ERROR);
    };
    Some(match stop.reason {
        StopReason::Interrupt => INTERRUPTED,
        StopReason::Error => AT_ERROR,
        _ if session.target.is_dry_run() => DRY_RUN,
        _ if session.target.timeline.is_in_past(&session.target.machine) => IN_PAST,
        _ => STOPPED,
    })
}

#[cfg(test)]
mod tests {
    use crate::terminal::repl::hint::*;

    #[test]
    fn hints_fit_on_one_line() {
        for text in [STOPPED, DRY_RUN, INTERRUPTED, AT_ERROR, IN_PAST, ERROR] {
            assert!(
                bold_backquoted(Line::plain("  "), text)
                    .text()
                    .chars()
                    .count()
                    < 80,
                "{text}"
            );
        }
    }
}
