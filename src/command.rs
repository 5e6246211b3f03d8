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
            completes: $completes,
            run: $run,
        }
    };
    // Where all commands of a topic are completed alike.
    ($topic:ident, $completes:ident; $name:literal, $aliases:expr, $usage:literal, $help:literal, $example:literal, $run:expr $(,)?) => {
        command!($topic; $name, $aliases, $usage, $help, $example, $crate::command::Completes::$completes, $run)
    };
}

mod aside;
mod board;
mod changing;
mod evaluating;
mod exchange;
mod foreign;
mod frame;
mod help;
mod keeping;
mod looking;
mod manual;
mod mistake;
mod record;
mod reload;
mod replay;
mod resume;
mod running;
mod source;
mod spot;
mod stopping;
mod time;
mod tour;
mod trying;
mod why;

pub use exchange::exchange;
pub use help::PAGES;
pub use keeping::{begin_session, open, open_sample, open_session};
pub use manual::manual;
pub use mistake::{Mistake, mistakes};
pub use record::end_recording;
pub use replay::{Compared, Replay, bring_back, replay};
pub use resume::offer;
pub use running::play_out;
pub use trying::{Attempt, worth_trying};

use crate::session::{Reply, Session, elided};

/// What a command is about: the headings of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    Running,
    Back,
    Stopping,
    Looking,
    Changing,
    Keeping,
}

impl Topic {
    pub const ALL: [Topic; 6] = [
        Topic::Running,
        Topic::Back,
        Topic::Stopping,
        Topic::Looking,
        Topic::Changing,
        Topic::Keeping,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Topic::Running => "running",
            Topic::Back => "going back",
            Topic::Stopping => "stopping",
            Topic::Looking => "looking",
            Topic::Changing => "changing",
            Topic::Keeping => "keeping",
        }
    }
}

/// What completes the argument of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completes {
    Nothing,
    Files,
    Names,
    Places,
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
    pub completes: Completes,
    pub run: fn(&mut Session, &str, &mut Reply),
}

/// Every command, in the order of the help.
pub fn all() -> impl Iterator<Item = &'static Command> {
    [
        running::COMMANDS,
        evaluating::COMMANDS,
        time::COMMANDS,
        stopping::COMMANDS,
        frame::COMMANDS,
        looking::COMMANDS,
        source::COMMANDS,
        why::COMMANDS,
        board::COMMANDS,
        changing::COMMANDS,
        keeping::COMMANDS,
        record::COMMANDS,
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
fn is_known(session: &Session, word: &str) -> bool {
    find(word).is_ok()
        || session
            .language()
            .about()
            .commands
            .iter()
            .any(|(name, ..)| *name == word)
}

/// Does a line that starts with `:`.
pub fn run(session: &mut Session, line: &str) -> Reply {
    let mut reply = Reply::to(line);
    let body = line.trim().trim_start_matches(':').trim_start();
    let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    if session
        .language()
        .about()
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
                session.debugger.last_move = Some(body.to_string());
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
                .about()
                .commands
                .iter()
                .map(|(name, ..)| *name);
            let names = all()
                .flat_map(|c| c.aliases.iter().copied().chain([c.name]))
                .chain(own);
            let near =
                crate::diagnostic::nearest(word, names).map(|n| format!("; did you mean `:{n}`?"));
            let near = foreign::command(session, word).or(near).unwrap_or_default();
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
    let locals = session.locals(session.debugger.frame);
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
            elided(&session.write(value), 24)
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
        .about()
        .keys
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
pub fn perform(session: &mut Session, line: &str) -> Reply {
    if line.trim().is_empty() {
        return match session.debugger.last_move.clone() {
            Some(again) if session.is_stopped() => run(session, &again),
            _ if takes_blank(session) => run(session, ":turn"),
            _ if session.is_stopped() => Reply::to(line),
            // The language may have a word to say to it.
            _ => session.submit(line),
        };
    }
    let mut reply = if line.trim_start().starts_with(':')
        || session.is_stopped() && is_command(session, line)
    {
        run(session, line)
    } else {
        session.submit(line)
    };
    // A breakpoint may want a command done, and that one may lead to the next.
    for _ in 0..1000 {
        let Some(command) = reply.then.pop_front() else {
            break;
        };
        let next = run(session, &command);
        reply.lines.extend(next.lines);
        reply.output.extend(next.output);
        reply.diagnostics.extend(next.diagnostics);
        reply.ok &= next.ok;
        reply.stop = next
            .stop
            .or_else(|| reply.stop.take().filter(|_| session.is_stopped()));
        reply.value = next.value.or(reply.value);
        reply.board |= next.board;
        reply.redraw |= next.redraw;
        reply.then.extend(next.then);
    }
    reply
}

/// Whether an empty line means something when nothing is stopped: it plays a turn, where turns are played so.
pub fn takes_blank(session: &Session) -> bool {
    !session.is_stopped()
        && session
            .language()
            .about()
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
    let keyword = session.language().about().keywords.contains(&word);
    !only_language
        && (exact || find(word).is_ok() && !keyword && session.program().global(word).is_none())
}

/// Something to type for a command: in the words of the language, or else as the table has it.
pub fn example(session: &Session, name: &str) -> &'static str {
    let own = session.language().about().guide.examples;
    let own = own
        .iter()
        .find(|(command, _)| *command == name)
        .map(|(_, line)| *line);
    own.or_else(|| all().find(|c| c.name == name).map(|c| c.example))
        .unwrap_or("")
}

/// A number of times, 1 if nothing is said.
fn count(rest: &str, reply: &mut Reply) -> Option<usize> {
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
