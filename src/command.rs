//! The commands, as a table: names, aliases, help and completion all come from it.
//!
//! A command starts with `:`. What it does is a function from the session and its arguments to a [`Reply`].

/// A row of the table of commands: its topic, then the fields in their order.
macro_rules! command {
    ($topic:ident; $name:literal, $aliases:expr, $usage:literal, $help:literal, $example:literal, $completes:expr, $run:expr $(,)?) => {
        $crate::command::Command {
            name: $name,
            aliases: $aliases,
            usage: $usage,
            topic: $crate::command::Topic::$topic,
            help: $help,
            example: $example,
            completion: $completes,
            run: $run,
        }
    };
    // Where all commands of a topic are completed alike.
    ($topic:ident, $completes:ident; $name:literal, $aliases:expr, $usage:literal, $help:literal, $example:literal, $run:expr $(,)?) => {
        command!($topic; $name, $aliases, $usage, $help, $example, $crate::command::ArgumentCompletion::$completes, $run)
    };
}

mod board;
mod breakpoints;
mod explain_error;
mod files;
mod frame;
mod help;
mod input_prompt;
mod inspect;
mod line_handler;
mod listing;
mod location;
mod manual;
mod modify;
mod recording;
mod reload;
mod replay;
mod resume;
mod run;
mod step_expr;
mod suggestions;
mod time_travel;
mod tour;
mod why;
mod wrong_language;

pub use explain_error::{ErrorExplanation, error_explanations};
pub use files::{open_game, open_sample, open_session, start_session};
pub use help::HELP_PAGES;
pub use line_handler::handle_line;
pub use manual::manual_pages;
pub use recording::finish_recording;
pub use replay::{Replay, ReplayedEntry, replay, restore_session};
pub use resume::resume_hint;
pub use run::play_unpaced;
pub use suggestions::{Suggestion, suggestions};

use crate::session::{Reply, Session, elide};

/// What a command is about: the headings of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    Running,
    TimeTravel,
    Breakpoints,
    Inspecting,
    Changing,
    Session,
}

impl Topic {
    pub const ALL: [Topic; 6] = [
        Topic::Running,
        Topic::TimeTravel,
        Topic::Breakpoints,
        Topic::Inspecting,
        Topic::Changing,
        Topic::Session,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Topic::Running => "running",
            Topic::TimeTravel => "going back",
            Topic::Breakpoints => "stopping",
            Topic::Inspecting => "looking",
            Topic::Changing => "changing",
            Topic::Session => "keeping",
        }
    }
}

/// What completes the argument of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentCompletion {
    Nothing,
    Files,
    Names,
    Locations,
    Topics,
    Words(&'static [&'static str]),
}

pub struct Command {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// How its arguments are written.
    pub usage: &'static str,
    pub topic: Topic,
    /// One line.
    pub help: &'static str,
    /// Something to type.
    pub example: &'static str,
    pub completion: ArgumentCompletion,
    pub run: fn(&mut Session, &str, &mut Reply),
}

/// Every command, in the order of the help.
pub fn all() -> impl Iterator<Item = &'static Command> {
    [
        run::COMMANDS,
        step_expr::COMMANDS,
        time_travel::COMMANDS,
        breakpoints::COMMANDS,
        frame::COMMANDS,
        inspect::COMMANDS,
        listing::COMMANDS,
        why::COMMANDS,
        board::COMMANDS,
        modify::COMMANDS,
        files::COMMANDS,
        recording::COMMANDS,
        resume::COMMANDS,
        tour::COMMANDS,
        help::COMMANDS,
    ]
    .into_iter()
    .flatten()
}

/// The command of a word: its name, an alias, or the beginning of just one name.
pub fn find(word: &str) -> Result<&'static Command, Vec<&'static str>> {
    if let Some(command) = all().find(|c| c.name == word || c.aliases.contains(&word)) {
        return Ok(command);
    }
    let begun: Vec<&Command> = all()
        .filter(|c| !word.is_empty() && c.name.starts_with(word))
        .collect();
    match begun.as_slice() {
        [one] => Ok(one),
        several => Err(several.iter().map(|c| c.name).collect()),
    }
}

/// Whether a word is a command here: of the table, or of the language.
fn is_command_name(session: &Session, word: &str) -> bool {
    find(word).is_ok()
        || session
            .language()
            .info()
            .commands
            .iter()
            .any(|(name, ..)| *name == word)
}

/// Does a line that starts with `:`.
pub fn run_command(session: &mut Session, line: &str) -> Reply {
    let mut reply = Reply::new(line);
    let body = line.trim().trim_start_matches(':').trim_start();
    let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    if session
        .language()
        .info()
        .commands
        .iter()
        .any(|(name, ..)| *name == word)
    {
        return session.submit(line.trim());
    }
    match find(word) {
        Ok(command) => {
            note_variable(session, word, command, rest, &mut reply);
            if !line.trim_start().starts_with(':') {
                note_move(session, word, command, &mut reply);
            }
            if REPEATED.contains(&command.name) {
                session.debugger.repeat_command = Some(body.to_string());
            }
            match command.usage.is_empty()
                && !rest.trim().is_empty()
                && !is_habit(word, rest.trim())
            {
                true => reply.error(format!(
                    "`:{}` stands alone: `{}` is too much",
                    command.name,
                    rest.trim()
                )),
                false => (command.run)(session, rest.trim(), &mut reply),
            }
        }
        Err(several) if several.is_empty() => {
            let own = session
                .language()
                .info()
                .commands
                .iter()
                .map(|(name, ..)| *name);
            let names = all()
                .flat_map(|c| c.aliases.iter().copied().chain([c.name]))
                .chain(own);
            let near = crate::diagnostic::closest_match(word, names)
                .map(|n| format!("; did you mean `:{n}`?"));
            let near = wrong_language::command_hint(session, word)
                .or(near)
                .unwrap_or_default();
            reply.error(format!("there is no command `:{word}`{near}"));
        }
        Err(several) => reply.error(format!("`:{word}` could be {}", several.join(", "))),
    }
    reply
}

/// What users of other debuggers say for the list of breakpoints.
fn is_habit(word: &str, rest: &str) -> bool {
    word == "info" && matches!(rest, "b" | "break" | "breakpoints" | "watchpoints")
}

/// Moves that an empty line repeats: never one that goes on, never a statement.
const REPEATED: &[&str] = &[
    "step",
    "next",
    "over",
    "iter",
    "se",
    "ss",
    "reverse-step",
    "reverse-next",
    "back",
    "forward",
];

/// The value of a variable that can be seen here.
fn variable(session: &Session, word: &str) -> Option<crate::value::Value> {
    let locals = session.locals(session.debugger.selected_frame);
    let local = locals
        .iter()
        .rev()
        .find(|(l, _)| l.name.as_str() == word)
        .map(|(_, v)| *v);
    local.or_else(|| {
        session
            .machine
            .store
            .globals
            .get(session.program().global(word)? as usize)
            .copied()
    })
}

/// A word that is a command and a variable is the command; that is said.
fn note_variable(session: &Session, word: &str, command: &Command, rest: &str, reply: &mut Reply) {
    if !session.is_stopped() || !rest.is_empty() {
        return;
    }
    if let Some(value) = variable(session, word) {
        let text = format!(
            "{}  (the variable {word} is {}: print {word})",
            command.name,
            elide(&session.format_value(value), 24)
        );
        reply.line(crate::session::Line::styled(
            crate::session::Style::Dim,
            text,
        ));
    }
}

/// A word that is a command and a move is the command where something is stopped; that is said too.
fn note_move(session: &Session, word: &str, command: &Command, reply: &mut Reply) {
    if session
        .language()
        .info()
        .arrow_keys
        .is_some_and(|keys| keys.contains(&word))
    {
        let capital: String = word[..1].to_uppercase() + &word[1..];
        let text = format!(
            "{}  (the move is written `{capital}` at a stop)",
            command.name
        );
        reply.line(crate::session::Line::styled(
            crate::session::Style::Dim,
            text,
        ));
    }
}

/// Does whatever was typed: a command, or an entry in the language. At a stop the colon may be left out.
pub fn execute(session: &mut Session, line: &str) -> Reply {
    if line.trim().is_empty() {
        return match session.debugger.repeat_command.clone() {
            Some(again) if session.is_stopped() => run_command(session, &again),
            _ if accepts_blank_line(session) => run_command(session, ":turn"),
            _ if session.is_stopped() => Reply::new(line),
            // The language may have a word to say to it.
            _ => session.submit(line),
        };
    }
    let mut reply = if line.trim_start().starts_with(':')
        || session.is_stopped() && is_command(session, line)
    {
        run_command(session, line)
    } else {
        session.submit(line)
    };
    // A breakpoint may want a command done, and that one may lead to the next.
    for _ in 0..1000 {
        let Some(command) = reply.queued_commands.pop_front() else {
            break;
        };
        let next = run_command(session, &command);
        reply.lines.extend(next.lines);
        reply.output.extend(next.output);
        reply.diagnostics.extend(next.diagnostics);
        reply.ok &= next.ok;
        reply.stop = next
            .stop
            .or_else(|| reply.stop.take().filter(|_| session.is_stopped()));
        reply.value = next.value.or(reply.value);
        reply.show_board |= next.show_board;
        reply.redraw |= next.redraw;
        reply.queued_commands.extend(next.queued_commands);
    }
    reply
}

/// Whether an empty line means something when nothing is stopped: it plays a turn, where turns are played so.
pub fn accepts_blank_line(session: &Session) -> bool {
    !session.is_stopped()
        && session
            .language()
            .info()
            .commands
            .iter()
            .any(|(name, ..)| *name == "turn")
}

/// Whether a line without a colon is a command: its first word is one, and it can't only be the language's.
pub fn is_command(session: &Session, line: &str) -> bool {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    let only_language = line.contains('\n')
        || word.contains(['{', '[', '(', '.', '=', '+', '*', '/', '<', '>', '!', '"'])
        || rest.starts_with([
            '{', '[', '(', '.', '=', '+', '*', '/', '<', '>', '!', '%', '&', '|',
        ]) && !matches!(
            word,
            "watch" | "rwatch" | "awatch" | "why" | "last" | "print" | "p" | "explain" | "display"
        );
    let exact = all().any(|c| c.name == word || c.aliases.contains(&word));
    // A command that says nothing by itself leaves its name to a variable.
    let unsaid = rest.is_empty()
        && find(word).is_ok_and(|c| !c.usage.is_empty() && !c.usage.starts_with('['));
    if unsaid && variable(session, word).is_some() {
        return false;
    }
    let keyword = session.language().info().keywords.contains(&word);
    !only_language
        && (exact || find(word).is_ok() && !keyword && session.program().global(word).is_none())
}

/// Something to type for a command: in the words of the language, or else as the table has it.
pub fn example(session: &Session, name: &str) -> &'static str {
    let own = session.language().info().guide.command_examples;
    let own = own
        .iter()
        .find(|(command, _)| *command == name)
        .map(|(_, line)| *line);
    own.or_else(|| all().find(|c| c.name == name).map(|c| c.example))
        .unwrap_or("")
}

/// A number of times, 1 if nothing is said.
fn parse_count(rest: &str, reply: &mut Reply) -> Option<usize> {
    match rest {
        "" => Some(1),
        _ => match rest.parse::<usize>() {
            Ok(n) if n > 0 => Some(n),
            _ => {
                reply.error(format!("expected a number of times, not `{rest}`"));
                None
            }
        },
    }
}
