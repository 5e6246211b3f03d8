//! Commands typed where the program asks something: they look around, and the question is asked again.

use super::{Command, Topic, find, run_command};
use crate::session::{Line, Reply, Session, Style};

/// Does a command at a question; nothing if the line is none, and so an answer.
pub(super) fn run_at_input_prompt(session: &mut Session, typed: &str) -> Option<Reply> {
    let body = typed.trim().strip_prefix(':')?.trim_start();
    let word = body.split_whitespace().next()?;
    let own = session
        .language()
        .info()
        .commands
        .iter()
        .any(|(name, ..)| *name == word);
    let mut reply = match find(word) {
        _ if own => session.query_language(typed.trim()),
        Ok(command) if command.name == "abandon" => give_up(session, typed),
        Ok(command) if looks(command) => session.with_input_suspended(|s| run_command(s, typed)),
        Ok(command) => {
            let mut reply = Reply::new(typed);
            reply.error(format!(
                "the program waits for an answer: `:{}` has to wait, too; `:abandon` gives up what asks",
                command.name
            ));
            reply
        }
        Err(_) => return None,
    };
    reply.question = session.question().filter(|_| !reply.should_quit);
    Some(reply)
}

/// Whether a command leaves the run where it is.
fn looks(command: &Command) -> bool {
    match command.topic {
        Topic::Inspecting | Topic::Breakpoints => true,
        _ => matches!(
            command.name,
            "when" | "marks" | "branches" | "diff" | "history" | "help" | "quit" | "rules"
        ),
    }
}

fn give_up(session: &mut Session, typed: &str) -> Reply {
    let mut reply = Reply::new(typed);
    session.cancel_input();
    reply.line(Line::styled(Style::Dim, "given up; nothing was changed"));
    reply
}
