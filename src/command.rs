//! The command table: names, aliases, help texts and completion all come from it.
//!
//! A command is a line that starts with `:`. Each row of the table holds a function that takes the
//! session and the arguments and returns an [`Answer`]. The rows are grouped into one file per
//! subject, each with its own `COMMANDS` slice.
//!
//! ```text
//! arguments       the arguments of a command, parsed into types
//! breakpoints     commands for breakpoints, watchpoints and logpoints
//! changing        commands that change the game or its program
//! completion      completion of the line being typed
//! exploring       commands that search the positions of the game
//! failed_entry    notes for entries that failed
//! forms           commands that are forms of others
//! help            `:help`, generated from the command table and the language's own description
//! input_prompt    commands typed at the program's input prompt
//! inspecting      commands that show the game, the program and why something is so
//! keeping         commands that open, save, record and replay games and sessions
//! query           executes a line that only looks, without a trace
//! record          executes a line and records it with its answer
//! running         commands that run the program
//! shell_line      lines that were meant for the shell
//! suggestions     suggests lines to try in the current game
//! teaching        lessons, exercises, predictions, the tour
//! time_travel     time travel
//! unneeded        finds lines that changed nothing, and need not run again
//! wrong_language  recognizes entries written in another of the five languages, and says so
//! ```

/// Writes one [`Command`] row compactly: the topic and the completion, then the other fields in
/// declaration order, and after a semicolon what the command does otherwise than its topic.
macro_rules! answering {
    ($topic:ident, $completion:ident; $($fields:tt)*) => {
        answering!($topic, $crate::command::ArgumentCompletion::$completion; $($fields)*)
    };
    ($topic:ident, $completion:expr; $name:literal, $aliases:expr, $usage:literal, $help:literal, $example:literal, $run:expr $(,)? $(; $($effect:ident($($value:expr)?)),+ $(,)?)?) => {
        $crate::command::Command {
            name: $name,
            aliases: $aliases,
            usage: $usage,
            topic: $crate::command::Topic::$topic,
            help: $help,
            example: $example,
            effects: $crate::command::CommandEffects::of($crate::command::Topic::$topic)$($(.$effect($($value)?))+)?,
            completion: $completion,
            run: $run,
        }
    };
}

mod arguments;
mod breakpoints;
pub(crate) mod changing;
mod completion;
pub(crate) mod exploring;
mod failed_entry;
mod forms;
mod help;
mod input_prompt;
pub(crate) mod inspecting;
pub(crate) mod keeping;
mod query;
pub(crate) mod record;
pub(crate) mod running;
mod shell_line;
mod suggestions;
pub(crate) mod teaching;
mod time_travel;
mod unneeded;
mod wrong_language;

pub use crate::session::{start_preludes, start_session, without_preludes};
pub use crate::teach::course::{lesson_origin, list_lessons};
pub(crate) use crate::teach::lesson::current_lesson_step;
pub use crate::teach::lesson::{enter_advances_lesson, is_at_exercise};
pub use crate::teach::replay::{Replay, ReplayedEntry, SessionProgram};
pub(crate) use arguments::Arguments;
pub use completion::{CompletionContext, complete};
pub use exploring::opponent::{is_opponent_due, opponent_toggle};
pub use forms::listed;
pub use help::HELP_PAGES;
pub use help::explain_error::{ErrorExplanation, error_explanations};
#[cfg(feature = "internals")]
pub use help::manual::manual_pages;
pub(crate) use inspecting::board::peek_at_pieces;
pub(crate) use inspecting::listing::program_listing;
pub use keeping::examples::{Example, all_examples, find_example, list_examples, open_example};
pub use keeping::files::{open_game, open_sample, open_session};
pub use keeping::preludes::open_preludes;
pub use keeping::recording::finish_recording;
pub use keeping::replay::{replay, replay_with_limits, restore_session, session_program};
pub use keeping::resume::{has_stored_session, resume_hints};
#[cfg(feature = "internals")]
pub use keeping::save_program::is_modified;
pub use query::query;
#[cfg(feature = "internals")]
pub use record::play_opponent;
pub use record::{EnteredLine, RunningLine, handle_line};
pub(crate) use record::{Origin, begin_computer_turn, begin_line, run_line};
pub use running::run::play_unpaced;
pub use suggestions::{Suggestion, more_games, suggest_search, suggestions};
pub use teaching::rejudge::rejudge_sessions;
pub(crate) use time_travel::time_named;

pub use crate::session::{CommandEffects, Topic};

use crate::answer::{CommandError, Notice, Part};
use crate::diagnostic::Advice;
use crate::session::{Answer, CommandInfo, Session};
use crate::teach::{self, is_language_command, split_command};
use record::command_of;

/// What Tab offers for the argument of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentCompletion {
    Nothing,
    Files,
    /// The names of the languages.
    Languages,
    /// The names of the built-in games.
    Examples,
    /// Variables, functions and built-ins of the program.
    Names,
    /// Everything that `:break` accepts.
    Locations,
    /// Help topics, commands and built-ins.
    Topics,
    /// A fixed list of words.
    Words(&'static [&'static str]),
}

/// One row of the command table.
pub struct Command {
    /// The full name, without the colon.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// Syntax of the arguments, e.g. `[n] | turn`. Empty: the command takes none.
    pub usage: &'static str,
    pub topic: Topic,
    /// One line for `:help` and the manual.
    pub help: &'static str,
    /// A complete line to type. Languages may override it, see [`example`].
    pub example: &'static str,
    /// What it does to the session besides answering.
    pub effects: CommandEffects,
    pub completion: ArgumentCompletion,
    /// Runs the command.
    pub(crate) run: fn(&mut Session, Arguments<'_>) -> Result<Answer, CommandError>,
}

impl Command {
    /// The command as the layers below the table see it.
    pub(crate) fn info(&self) -> CommandInfo {
        CommandInfo {
            name: self.name,
            topic: self.topic,
            effects: self.effects,
        }
    }
}

/// The table, for the engines of the layer below that execute lines.
pub(crate) const COMMAND_LINES: teach::Commands = &Table;

struct Table;

impl teach::CommandTable for Table {
    fn handle_line(&self, session: &mut Session, line: &str) -> Answer {
        handle_line(session, line)
    }

    fn run_nested(&self, session: &mut Session, line: &str) -> Answer {
        run_line(session, line, Origin::Command)
    }

    fn execute(&self, session: &mut Session, line: &str) -> Answer {
        execute(session, line)
    }

    fn find(&self, word: &str) -> Option<CommandInfo> {
        find(word).ok().map(Command::info)
    }

    fn command_of(&self, session: &Session, line: &str) -> Option<CommandInfo> {
        record::command_of(session, line).map(Command::info)
    }

    fn is_same_line(&self, a: &str, b: &str) -> bool {
        is_same_line(a, b)
    }
}

/// Every command, in the order in which `:help` lists them.
pub fn all() -> impl Iterator<Item = &'static Command> {
    [
        running::run::COMMANDS,
        running::step_expr::COMMANDS,
        time_travel::COMMANDS,
        breakpoints::COMMANDS,
        breakpoints::properties::COMMANDS,
        inspecting::frame::COMMANDS,
        inspecting::inspect::COMMANDS,
        teaching::lesson::COMMANDS,
        teaching::predict::COMMANDS,
        inspecting::listing::COMMANDS,
        inspecting::uses::COMMANDS,
        inspecting::coverage::COMMANDS,
        teaching::rejudge::COMMANDS,
        inspecting::view::COMMANDS,
        inspecting::why::COMMANDS,
        exploring::explore::COMMANDS,
        exploring::check::COMMANDS,
        exploring::opponent::COMMANDS,
        exploring::vary::COMMANDS,
        inspecting::board::COMMANDS,
        changing::modify::COMMANDS,
        keeping::files::COMMANDS,
        changing::format::COMMANDS,
        keeping::history::COMMANDS,
        keeping::examples::COMMANDS,
        keeping::recording::COMMANDS,
        keeping::resume::COMMANDS,
        teaching::tour::COMMANDS,
        help::COMMANDS,
    ]
    .into_iter()
    .flatten()
}

/// Looks up a command by name, alias or unambiguous prefix of a name.
///
/// On failure, returns the names that start with `word`: none, or several.
pub fn find(word: &str) -> Result<&'static Command, Vec<&'static str>> {
    if let Some(command) = all().find(|c| c.name == word || c.aliases.contains(&word)) {
        return Ok(command);
    }
    let candidates: Vec<&Command> = all()
        .filter(|c| !word.is_empty() && c.name.starts_with(word))
        .collect();
    match candidates.as_slice() {
        [command] => Ok(command),
        ambiguous => Err(ambiguous.iter().map(|c| c.name).collect()),
    }
}

/// True if `word` names a command, either of this table or of the session's language.
pub fn is_command_name(session: &Session, word: &str) -> bool {
    find(word).is_ok() || is_language_command(session, word)
}

/// Executes a command line. The leading `:` is optional.
fn execute_command(session: &mut Session, line: &str) -> Answer {
    let body = line.trim().trim_start_matches(':').trim_start();
    let body = without_parentheses(body);
    let (word, _) = split_command(body);
    if is_language_command(session, word) {
        return session.submit(line.trim());
    }
    let mut answer = Answer::new(line);
    let (command, rest) = match forms::command_and_arguments(body) {
        Ok(found) => found,
        Err(candidates) => {
            answer.fail(unknown_command(session, word, &candidates));
            return answer;
        }
    };
    let has_colon = line.trim_start().starts_with(':');
    let move_note = (!has_colon).then(|| note_move(session, word, command));
    answer.notices(move_note.flatten());
    if command.effects.repeats {
        session.target.debugger.repeat_command = Some(body.to_string());
    }
    if command.usage.is_empty()
        && !rest.trim().is_empty()
        && !is_gdb_breakpoint_list(word, rest.trim())
    {
        answer.error(format!(
            "`:{}` takes no argument (got `{}`)",
            command.name,
            rest.trim()
        ));
        return answer;
    }
    match (command.run)(session, Arguments::new(command, rest)) {
        Ok(more) => answer.absorb(more),
        Err(error) => answer.fail(error),
    }
    answer
}

/// The error for a word that names none or several of the commands.
fn unknown_command(session: &Session, word: &str, candidates: &[&str]) -> CommandError {
    if !candidates.is_empty() {
        let candidates = candidates.join(", ");
        return CommandError::new(format!("`:{word}` is ambiguous: {candidates}"));
    }
    let language_commands = session.target.language().info().commands.iter();
    let names = all()
        .flat_map(|c| c.aliases.iter().copied().chain([c.name]))
        .chain(language_commands.map(|(name, ..)| *name));
    if let Some(hint) = wrong_language::command_hint(session, word) {
        return CommandError::new(format!("unknown command `:{word}`{hint}"));
    }
    let error = CommandError::new(format!("unknown command `:{word}`"));
    match crate::diagnostic::closest_match(word, names) {
        Some(name) => error.with_advice(Advice::Replacement {
            text: format!(":{name}"),
            span: None,
        }),
        None => error,
    }
}

/// True for gdb's ways to list the breakpoints, such as `info b`.
fn is_gdb_breakpoint_list(word: &str, rest: &str) -> bool {
    word == "info" && matches!(rest, "b" | "break" | "breakpoints" | "watchpoints")
}

/// The value of a variable in the scope of the selected frame: a local, or else a global.
fn variable(session: &Session, word: &str) -> Option<crate::value::Value> {
    let locals =
        crate::debugger::frame::locals(&session.target, session.target.debugger.selected_frame);
    let local = locals
        .iter()
        .rev()
        .find(|(l, _)| l.name.as_str() == word)
        .map(|(_, v)| *v);
    local.or_else(|| {
        session
            .target
            .machine
            .store
            .globals
            .get(session.target.program().global(word)? as usize)
            .copied()
    })
}

/// At a stop, a word that names both a command and a variable shows the variable, and the letter of a
/// move plays it; says once how to run the command.
fn note_command(session: &mut Session, word: &str) -> Option<Notice> {
    let command = find(word).ok()?;
    let is_move = is_move_letter(session, word, "");
    if variable(session, word).is_none() && !is_move {
        return None;
    }
    if session.noted_commands.contains(&command.name) {
        return None;
    }
    session.noted_commands.push(command.name);
    let (word, command) = (word.to_string(), command.name.to_string());
    Some(match is_move {
        true => Notice::IsMove { word, command },
        false => Notice::IsVariable { word, command },
    })
}

/// Whether a line is a move in a game that is played with the arrow keys, written as a letter, perhaps
/// with how often: `u`, `r 3`.
fn is_move_letter(session: &Session, word: &str, rest: &str) -> bool {
    let moves = session.target.language().info().arrow_keys;
    let is_letter = |entry: &&str| word.len() == 1 && entry.starts_with(word);
    moves.is_some_and(|moves| moves.iter().any(is_letter))
        && rest.chars().all(|c| c.is_ascii_digit())
}

/// At a stop, a word that names both a command and a move (`up`) runs the command; says how to write
/// the move.
fn note_move(session: &Session, word: &str, command: &Command) -> Option<Notice> {
    let moves = session.target.language().info().arrow_keys?;
    moves.contains(&word).then(|| Notice::IsCommand {
        command: command.name.to_string(),
        entry: word[..1].to_uppercase() + &word[1..],
    })
}

/// Executes a command or an entry in the session's language, without recording it in the
/// transcript (see [`handle_line`]). At a stop, the colon of a command is optional.
pub fn execute(session: &mut Session, line: &str) -> Answer {
    Execution::start(session, line).answer
}

/// The execution of a line. If the client runs in slices, it may be left before its end.
pub(crate) struct Execution {
    /// What there is to answer so far.
    pub(crate) answer: Answer,
    /// Whether it runs the commands of breakpoints.
    runs_queued: bool,
    /// How many of them it has run.
    queued_count: usize,
}

impl Execution {
    /// An execution that consists of an answer, or of the run that it has started. It does not run
    /// commands of breakpoints.
    pub(crate) fn of(answer: Answer) -> Execution {
        Execution {
            answer,
            runs_queued: false,
            queued_count: 0,
        }
    }

    /// Begins to execute a line.
    pub(crate) fn start(session: &mut Session, line: &str) -> Execution {
        let mut execution = Execution {
            runs_queued: true,
            ..Execution::of(execute_line(session, line))
        };
        execution.run_queued(session);
        execution
    }

    /// Continues with what the run has answered that was left.
    pub(crate) fn resume(&mut self, session: &mut Session, answer: Answer) {
        match self.queued_count {
            0 => self.answer.absorb(answer),
            _ => self.add_queued(session, answer),
        }
        self.run_queued(session);
    }

    /// Runs the commands of the breakpoint that was hit: `:break … do COMMAND` queues a command, which
    /// may run into the next such breakpoint.
    fn run_queued(&mut self, session: &mut Session) {
        let can_run = |count| count < MAX_QUEUED_COMMANDS;
        while self.runs_queued && can_run(self.queued_count) && !session.target.is_running() {
            let Some(command) = self.answer.queued_commands.pop_front() else {
                break;
            };
            self.queued_count += 1;
            let next = execute_command(session, &command);
            self.add_queued(session, next);
        }
    }

    /// Adds the answer to a command of a breakpoint.
    fn add_queued(&mut self, session: &Session, next: Answer) {
        let answer = &mut self.answer;
        answer.parts.extend(next.parts);
        answer.reported.extend(next.reported);
        answer.output.extend(next.output);
        answer.diagnostics.extend(next.diagnostics);
        answer.ok &= next.ok;
        answer.stop = next
            .stop
            .or_else(|| answer.stop.take().filter(|_| session.target.is_stopped()));
        answer.value = next.value.or(answer.value.take());
        answer.show_board = answer.show_board.max(next.show_board);
        answer.queued_commands.extend(next.queued_commands);
    }
}

/// Executes a line up to the first breakpoint.
fn execute_line(session: &mut Session, line: &str) -> Answer {
    if line.trim().is_empty() {
        return match session.target.debugger.repeat_command.clone() {
            Some(command) if session.target.is_stopped() => execute_command(session, &command),
            _ => Answer::new(line),
        };
    }
    if is_command_line(session, line) {
        return execute_command(session, line);
    }
    let note = match session.target.is_stopped() {
        true => note_command(session, line.trim()),
        false => None,
    };
    if let Some(error) = shell_line::error(session, line) {
        let mut answer = Answer::new(line);
        answer.fail(error);
        return answer;
    }
    let mut answer = session.submit(line);
    answer.hints.extend(note.map(Part::Notice));
    answer
}

/// Bounds chains of breakpoint commands that trigger each other.
const MAX_QUEUED_COMMANDS: usize = 1000;

/// Commands that work without a colon, unless the program defines the name. True: only without
/// arguments.
const COMMANDS_WITHOUT_COLON: &[(&str, bool)] = &[
    ("help", false),
    ("?", false),
    ("quit", true),
    ("exit", true),
    ("clear", true),
];

/// True if a line is a command rather than code.
pub fn is_command_line(session: &Session, line: &str) -> bool {
    line.trim_start().starts_with(':')
        || session.target.is_stopped() && is_command(session, line)
        || is_command_without_colon(session, line)
}

/// The command in `help()`, `exit(0)` and `quit;`, as other languages write it; any other line as it is.
fn without_parentheses(line: &str) -> &str {
    let text = line.trim().trim_end_matches(';').trim_end();
    let (word, rest) = text.split_once('(').unwrap_or((text, ")"));
    let arguments = rest.strip_suffix(')');
    let is_call = arguments.is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let word = word.trim_end();
    let mut names = COMMANDS_WITHOUT_COLON.iter();
    match names.any(|(name, _)| *name == word) && is_call {
        true => word,
        false => line,
    }
}

fn is_command_without_colon(session: &Session, line: &str) -> bool {
    let line = without_parentheses(line);
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or("");
    let is_alone = words.next().is_none();
    let is_known = |(name, takes_none): &(&str, bool)| *name == word && (is_alone || !takes_none);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    COMMANDS_WITHOUT_COLON.iter().any(is_known)
        && words.next().is_none()
        && line
            .chars()
            .all(|c| is_name(c) || matches!(c, ' ' | '?' | '.'))
        && !is_defined(session, word)
}

/// True if the program uses a word as a name.
fn is_defined(session: &Session, word: &str) -> bool {
    let program = session.target.program();
    let definitions = session.target.language().definitions(program);
    variable(session, word).is_some() || definitions.iter().any(|d| d.name == word)
}

/// True if a line without a colon is a command at a stop: its first word is one, and the rest does
/// not look like code.
pub fn is_command(session: &Session, line: &str) -> bool {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    let exact = all().find(|c| c.name == word || c.aliases.contains(&word));
    let is_code = line.contains('\n')
        || word.contains(['{', '[', '(', '.', '=', '+', '*', '/', '<', '>', '!', '"'])
        || rest.starts_with([
            '{', '[', '(', '.', '=', '+', '*', '/', '<', '>', '!', '%', '&', '|',
        ]) && !exact.is_some_and(|command| command.effects.takes_code);
    // A variable wins over a command: the colon reaches the command.
    if rest.is_empty() && variable(session, word).is_some() || is_move_letter(session, word, rest) {
        return false;
    }
    let is_keyword = session.target.language().info().keywords.contains(&word);
    !is_code
        && (exact.is_some()
            || find(word).is_ok() && !is_keyword && session.target.program().global(word).is_none())
}

/// Written in the guide of a language instead of an example for a command that it has no use for.
const NO_EXAMPLE: &str = "-";

/// An example line for a command: the language's own, or else the one of the table.
pub fn example(session: &Session, name: &str) -> &'static str {
    let examples = session.target.language().info().guide.command_examples;
    examples
        .iter()
        .find(|(command, _)| *command == name)
        .map(|(_, line)| if *line == NO_EXAMPLE { "" } else { *line })
        .or_else(|| all().find(|c| c.name == name).map(|c| c.example))
        .unwrap_or("")
}

/// Compares two lines, ignoring spaces, the colon, a final semicolon and abbreviated command names.
pub(crate) fn is_same_line(a: &str, b: &str) -> bool {
    let normalize = |text: &str| {
        let text = text.trim().trim_end_matches(';');
        let body = text.trim_start_matches(':').trim_start();
        let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let word = find(word).map_or(word, |command| command.name);
        word.chars()
            .chain(rest.chars())
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    normalize(a) == normalize(b)
}

#[cfg(test)]
mod tests;
