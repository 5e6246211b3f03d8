//! Commands typed where the program asks something: they look around, and the question is asked again.

use super::{Command, Topic, find, run};
use crate::session::{Line, Reply, Session, Style};

/// Does a command at a question; nothing if the line is none, and so an answer.
pub(super) fn aside(session: &mut Session, typed: &str) -> Option<Reply> {
    let body = typed.trim().strip_prefix(':')?.trim_start();
    let word = body.split_whitespace().next()?;
    let own = session
        .language()
        .about()
        .commands
        .iter()
        .any(|(name, ..)| *name == word);
    let mut reply = match find(word) {
        _ if own => session.ask_language(typed.trim()),
        Ok(command) if command.name == "abandon" => give_up(session, typed),
        Ok(command) if looks(command) => session.while_it_waits(|s| run(s, typed)),
        Ok(command) => {
            let mut reply = Reply::to(typed);
            reply.error(format!(
                "the program waits for an answer: `:{}` has to wait, too; `:abandon` gives up what asks",
                command.name
            ));
            reply
        }
        Err(_) => return None,
    };
    reply.question = session.question().filter(|_| !reply.quits);
    Some(reply)
}

/// Whether a command leaves the run where it is.
fn looks(command: &Command) -> bool {
    match command.topic {
        Topic::Looking | Topic::Stopping => true,
        _ => matches!(
            command.name,
            "when" | "marks" | "branches" | "diff" | "history" | "help" | "quit" | "rules"
        ),
    }
}

fn give_up(session: &mut Session, typed: &str) -> Reply {
    let mut reply = Reply::to(typed);
    session.drop_question();
    reply.line(Line::styled(Style::Dim, "given up; nothing was changed"));
    reply
}
