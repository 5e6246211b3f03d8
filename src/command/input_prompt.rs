//! Commands typed at the program's input prompt: the history can be inspected and traveled, then the
//! program asks again.

use super::forms::command_and_arguments;
use super::{Command, execute_command, is_language_command};
use crate::answer::{CommandError, Notice};
use crate::session::{Answer, AtInput, Session};

/// The text after the colon of a command, and its first word.
fn command_text(input: &str) -> Option<(&str, &str)> {
    let body = input.trim().strip_prefix(':')?.trim_start();
    Some((body, body.split_whitespace().next()?))
}

/// The command that a line runs if it is typed while the program waits for input; `None` if it is an
/// answer, or a command of the language.
pub(super) fn command_at_input_prompt(session: &Session, input: &str) -> Option<&'static Command> {
    let (body, word) = command_text(input)?;
    let (command, _) = command_and_arguments(body).ok()?;
    (!is_language_command(session, word)).then_some(command)
}

/// Runs a command typed while the program waits for input. Returns `None` if the line is not a
/// command, and therefore the answer.
pub(super) fn run_at_input_prompt(session: &mut Session, input: &str) -> Option<Answer> {
    let (body, word) = command_text(input)?;
    let command = command_and_arguments(body).map(|(command, _)| command);
    let mut answer = match command {
        _ if is_language_command(session, word) => session.target.query_language(input.trim()),
        Ok(command) if command.effects.at_input == AtInput::Cancels => cancel(session, input),
        Ok(command) if is_possible(session, command, body) => run_beside_question(session, input),
        Ok(command) => {
            let mut answer = Answer::new(input);
            let error = CommandError::new(format!(
                "the program is waiting for input, so `:{}` is not possible",
                command.name
            ));
            answer.fail(error.instruct("answer it, or", ":abandon", "to cancel"));
            answer
        }
        Err(_) => return None,
    };
    answer.question = session.target.question().filter(|_| !answer.is_quit());
    Some(answer)
}

/// Runs a command. The program asks again, unless the command has gone to another position in the
/// history.
fn run_beside_question(session: &mut Session, input: &str) -> Answer {
    let position = |session: &Session| {
        let target = &session.target;
        let entry = target.timeline.current().map(|entry| entry.id);
        (entry, target.machine.time())
    };
    let before = position(session);
    let question = session.target.suspend_question();
    let answer = execute_command(session, input);
    if position(session) == before {
        session.target.restore_question(question);
    }
    answer
}

/// Whether a command can be run while the program waits for input: it only looks, or goes to a position
/// in the history. Code runs only if it has run before: up to the last answer that was undone.
fn is_possible(session: &Session, command: &Command, body: &str) -> bool {
    let timeline = &session.target.timeline;
    let is_in_past = || timeline.is_in_past(&session.target.machine);
    match command.effects.at_input {
        AtInput::Never => false,
        AtInput::Always | AtInput::Cancels => true,
        AtInput::InPast => is_in_past(),
        AtInput::InPastAlone => is_in_past() && body.split_whitespace().count() == 1,
        AtInput::AfterAnswer => session.target.can_undo_answer(),
    }
}

fn cancel(session: &mut Session, input: &str) -> Answer {
    let mut answer = Answer::new(input);
    if let Some(entry) = session.target.cancel_input() {
        answer.push(Notice::Cancelled { entry });
    }
    answer
}
