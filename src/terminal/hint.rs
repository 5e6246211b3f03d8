//! What to press next, told once a session: at the first stop of each kind, to somebody who stands there for the first time.

use super::banner::bold_backquoted;
use crate::session::{Line, Reply, Session};

/// Which hints were given.
#[derive(Default)]
pub struct Hints {
    given: Vec<&'static str>,
}

const STOPPED: &str =
    "next: `step`, `next` over calls, `back`, `where`, `vars`, `continue`; Enter repeats";
const REHEARSED: &str =
    "next: `step`, `step expr` shows values, `back`; `finish` ends it, nothing is changed";
const INTERRUPTED: &str =
    "next: `where` tells where this is, `step` goes on by one, `abandon` gives it up";
const BACK: &str =
    "this is the past: `step` and `continue` go on from here, `:goto end` to the present";
const MISTAKEN: &str = "nothing was changed; `:explain CODE` tells more of this error";

impl Hints {
    /// The hint for this answer, if it was not given yet. On the tour others speak.
    pub fn for_reply(&mut self, session: &Session, reply: &Reply) -> Option<Line> {
        let words = kind(session, reply)
            .filter(|words| !session.tour.is_active && !self.given.contains(words))?;
        self.given.push(words);
        let code = reply.diagnostics.first().map_or("", |d| d.code);
        Some(bold_backquoted(
            Line::plain("  "),
            &words.replace("CODE", code),
        ))
    }
}

fn kind(session: &Session, reply: &Reply) -> Option<&'static str> {
    let Some(stop) = &reply.stop else {
        return (!reply.ok && !reply.diagnostics.is_empty()).then_some(MISTAKEN);
    };
    Some(match stop.reason {
        "interrupt" => INTERRUPTED,
        _ if session.is_dry_run() => REHEARSED,
        _ if session.timeline.is_in_past(&session.machine) => BACK,
        _ => STOPPED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_fit_in_a_line() {
        for words in [STOPPED, REHEARSED, INTERRUPTED, BACK, MISTAKEN] {
            assert!(
                bold_backquoted(Line::plain("  "), words)
                    .text()
                    .chars()
                    .count()
                    < 80,
                "{words}"
            );
        }
    }
}
