//! Something typed, something answered, and both remembered: the way in for everybody who talks to a session.

use super::{Topic, find, perform};
use crate::session::{Exchange, Reply, Session, told};

/// Takes what was typed, be it an entry, a command or the answer to a question.
pub fn exchange(session: &mut Session, typed: &str) -> Reply {
    let before = session.seen();
    let position = session.timeline.position();
    let answers = session.is_asking();
    let mut reply = if answers { session.answer(typed) } else { perform(session, typed) };
    session.show_changes(&mut reply, &before);
    let moved_on = session.timeline.position() == position + 1;
    let made = (moved_on && !is_named(typed, &["redo", "forward", "goto", "load", "reload"])).then_some(position);
    let told = told(session, &reply);
    let kept = answers || is_kept(typed, &reply);
    session.transcript.exchanges.push(Exchange { typed: typed.to_string(), answers, told, made, kept });
    reply
}

/// Whether it belongs into a session file. What was stopped by hand can't be stopped there again.
fn is_kept(typed: &str, reply: &Reply) -> bool {
    let stopped_by_hand = reply.diagnostics.iter().any(|d| d.code == "RT022");
    let keeping = command_of(typed).is_some_and(|c| c.topic == Topic::Keeping);
    !stopped_by_hand && !keeping
}

fn is_named(typed: &str, names: &[&str]) -> bool {
    command_of(typed).is_some_and(|c| names.contains(&c.name))
}

fn command_of(typed: &str) -> Option<&'static super::Command> {
    let body = typed.trim_start().strip_prefix(':')?;
    find(body.split_whitespace().next()?).ok()
}
