//! Commands typed at the program's input prompt: inspection is allowed, then the program asks
//! again.

use super::{Command, Topic, find, is_language_command, run_command};
use crate::session::{Answer, Session, cancelled_message};

/// Runs a command typed while the program waits for input. Returns `None` if the line is not a
/// command, and therefore the answer.
pub(super) fn run_at_input_prompt(session: &mut Session, input: &str) -> Option<Answer> {
    let body = input.trim().strip_prefix(':')?.trim_start();
    let word = body.split_whitespace().next()?;
    let mut reply = match find(word) {
        _ if is_language_command(session, word) => session.target.query_language(input.trim()),
        Ok(command) if command.name == "abandon" => cancel(session, input),
        Ok(command) if is_read_only(command) => {
            let question = session.target.suspend_question();
            let reply = run_command(session, input);
            session.target.restore_question(question);
            reply
        }
        Ok(command) => {
            let mut reply = Answer::new(input);
            reply.error(format!(
                "the program is waiting for input, so `:{}` is not possible; answer it, or `:abandon` to cancel",
                command.name
            ));
            reply
        }
        Err(_) => return None,
    };
    reply.question = session.target.question().filter(|_| !reply.is_quit());
    Some(reply)
}

/// True if a command neither runs code nor moves through the history.
fn is_read_only(command: &Command) -> bool {
    match command.topic {
        Topic::Inspecting | Topic::Breakpoints | Topic::Exploring => true,
        _ => matches!(
            command.name,
            "when" | "marks" | "branches" | "diff" | "history" | "help" | "quit" | "rules"
        ),
    }
}

fn cancel(session: &mut Session, input: &str) -> Answer {
    let mut reply = Answer::new(input);
    if let Some(text) = session.target.cancel_input() {
        reply.line(cancelled_message(&text));
    }
    reply
}
