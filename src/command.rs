//! The commands, as a table: names, aliases, help and completion all come from it.
//!
//! A command starts with `:`. What it does is a function from the session and its arguments to a [`Reply`].

mod changing;
mod looking;

use crate::session::{Reply, Session};

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
    pub const ALL: [Topic; 6] =
        [Topic::Running, Topic::Back, Topic::Stopping, Topic::Looking, Topic::Changing, Topic::Keeping];

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
    [looking::COMMANDS, changing::COMMANDS].into_iter().flatten()
}

/// The command of a word: its name, an alias, or the beginning of just one name.
pub fn find(word: &str) -> Result<&'static Command, Vec<&'static str>> {
    if let Some(command) = all().find(|c| c.name == word || c.aliases.contains(&word)) {
        return Ok(command);
    }
    let begun: Vec<&Command> = all().filter(|c| !word.is_empty() && c.name.starts_with(word)).collect();
    match begun.as_slice() {
        [one] => Ok(one),
        several => Err(several.iter().map(|c| c.name).collect()),
    }
}

/// Does a line that starts with `:`.
pub fn run(session: &mut Session, line: &str) -> Reply {
    let mut reply = Reply::to(line);
    let body = line.trim().trim_start_matches(':').trim_start();
    let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    if session.language().about().commands.iter().any(|(name, ..)| *name == word) {
        return session.submit(line.trim());
    }
    match find(word) {
        Ok(command) => (command.run)(session, rest.trim(), &mut reply),
        Err(several) if several.is_empty() => {
            let names = all().flat_map(|c| c.aliases.iter().copied().chain([c.name]));
            let near = crate::diagnostic::nearest(word, names).map(|n| format!("; did you mean `:{n}`?")).unwrap_or_default();
            reply.error(format!("there is no command `:{word}`{near}"));
        }
        Err(several) => reply.error(format!("`:{word}` could be {}", several.join(", "))),
    }
    reply
}

/// Does whatever was typed: a command, or an entry in the language.
pub fn perform(session: &mut Session, line: &str) -> Reply {
    if line.trim_start().starts_with(':') { run(session, line) } else { session.submit(line) }
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
