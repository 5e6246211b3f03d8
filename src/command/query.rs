//! Lines that only look, for hovering, watching and clicking: they are executed without a trace in the
//! transcript, the journal, the history, and what the session remembers. A line that would change the
//! game or the session is refused.

use super::{Command, command_of, execute_command, is_command_line, is_language_command};
use crate::answer::CommandError;
use crate::explorer::Explorer;
use crate::session::{Answer, Looks, Session, ShownCoverage, ViewSettings};
use crate::teach::split_command;

/// Executes a line that only looks: a command that shows something, or an expression, which is evaluated
/// without side effects. Fails if the line would change anything.
pub fn query(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let line = line.trim();
    let run = only_look(session, line)?;
    let remembered = Remembered::take(session);
    let question = session.target.suspend_question();
    let mut answer = match run {
        Look::Language => session.target.query_language(line),
        Look::Command => execute_command(session, line),
        Look::Expression => execute_command(session, &format!(":print {line}")),
    };
    session.target.restore_question(question);
    remembered.restore(session);
    answer.entry = line.to_string();
    answer.question = session.target.question();
    Ok(answer)
}

/// A line that only looks.
#[derive(Clone, Copy)]
enum Look {
    Command,
    /// A command of the language, such as `:type`.
    Language,
    Expression,
}

/// How to execute a line that only looks. An error if it is another one.
fn only_look(session: &Session, line: &str) -> Result<Look, CommandError> {
    if line.is_empty() {
        return Err(CommandError::new("a query needs a line"));
    }
    let is_asking = session.predictions.pending.is_some();
    if !is_command_line(session, line) {
        return match is_asking {
            true => Err(question_is_open()),
            false => Ok(Look::Expression),
        };
    }
    let (word, arguments) = split_command(line.trim_start_matches(':').trim_start());
    if is_language_command(session, word) {
        return Ok(Look::Language);
    }
    let refused = |reason: &str| {
        let message = format!("`:{word}` {reason}; only lines that look can be queries");
        Err(CommandError::new(message))
    };
    match command_of(session, line) {
        None => refused("is not a command"),
        Some(command) if !looks(command, arguments) => refused("changes the session"),
        Some(command) if is_asking && !command.effects.at_prediction => Err(question_is_open()),
        Some(_) => Ok(Look::Command),
    }
}

/// The error for a line that could answer the question of a prediction.
fn question_is_open() -> CommandError {
    CommandError::new("a question is open: answer it first, or skip it with a blank line")
}

fn looks(command: &Command, arguments: &str) -> bool {
    match command.effects.looks {
        Looks::Always => true,
        Looks::Alone => arguments.trim().is_empty(),
        Looks::Never => false,
    }
}

/// What looking may change in a session: where the user is looking, and what is kept for the next time.
struct Remembered {
    view_settings: ViewSettings,
    explorer: Explorer,
    coverage: ShownCoverage,
    selected_frame: usize,
    repeat_command: Option<String>,
    noted_commands: usize,
    files_read: Vec<(String, String)>,
}

impl Remembered {
    /// The searches of a query continue those of the last query, not those of the user.
    fn take(session: &mut Session) -> Remembered {
        let queries = std::mem::take(&mut session.query_explorer);
        let explorer = std::mem::replace(&mut session.explorer, queries);
        session.explorer.limits = explorer.limits;
        session.explorer.turn.clone_from(&explorer.turn);
        session.target.drops_found_lines = true;
        Remembered {
            view_settings: session.view_settings.clone(),
            explorer,
            coverage: std::mem::take(&mut session.coverage),
            selected_frame: session.target.debugger.selected_frame,
            repeat_command: session.target.debugger.repeat_command.clone(),
            noted_commands: session.noted_commands.len(),
            files_read: session.files.take_files_read(),
        }
    }

    fn restore(self, session: &mut Session) {
        session.query_explorer = std::mem::replace(&mut session.explorer, self.explorer);
        session.target.drops_found_lines = false;
        session.view_settings = self.view_settings;
        session.coverage = self.coverage;
        session.target.debugger.selected_frame = self.selected_frame;
        session.target.debugger.repeat_command = self.repeat_command;
        session.noted_commands.truncate(self.noted_commands);
        session.files.set_files_read(self.files_read);
        session.target.take_cancelled();
        session.target.machine.take_interrupt();
    }
}
