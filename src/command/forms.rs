//! Commands that are forms of others: `:break once X` is `:tbreak X`. The short names still work, but
//! help, the manual and the first page of completion list only the others.

use super::{Command, Topic, all, find};
use crate::teach::split_command;

/// A form of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The command that is listed.
    pub command: &'static str,
    /// Its first argument; empty if it has none.
    pub word: &'static str,
    /// The command that does it.
    pub name: &'static str,
    /// Whether something follows the word: without it, the word is an argument like any other.
    needs_more: bool,
}

const fn form(command: &'static str, word: &'static str, name: &'static str) -> Form {
    Form {
        command,
        word,
        name,
        needs_more: false,
    }
}

const fn form_of(command: &'static str, word: &'static str, name: &'static str) -> Form {
    Form {
        needs_more: true,
        ..form(command, word, name)
    }
}

/// All forms, in the order of their commands.
pub const FORMS: &[Form] = &[
    form_of("step", "expr", "explain"),
    form("step", "expr", "se"),
    form("step", "sub", "ss"),
    form_of("step", "rules", "rules"),
    form("finish", "loop", "over"),
    form("until", "next", "iter"),
    form("continue", "retry", "retry"),
    form("reverse-step", "over", "reverse-next"),
    form("reverse-step", "out", "reverse-finish"),
    form("reverse-step", "continue", "reverse-continue"),
    form("goto", "", "when"),
    form_of("goto", "visited", "jump"),
    form_of("goto", "last", "last"),
    form_of("goto", "first", "first"),
    form("mark", "", "marks"),
    form_of("break", "once", "tbreak"),
    form_of("break", "ignore", "ignore"),
    form_of("break", "skip", "skip"),
    form("breaks", "on", "enable"),
    form("breaks", "off", "disable"),
    form_of("watch", "read", "rwatch"),
    form_of("watch", "access", "awatch"),
    form_of("log", "calls", "trace"),
    form_of("properties", "always", "always"),
    form_of("properties", "never", "never"),
    form_of("properties", "sometimes", "sometimes"),
    form("frame", "up", "up"),
    form("frame", "down", "down"),
    form("vars", "all", "state"),
    form_of("list", "code", "listing"),
    form_of("list", "uses", "uses"),
    form("list", "all", "program"),
    form("board", "pieces", "pieces"),
    form_of("board", "cell", "cell"),
    form("rand", "draws", "draws"),
    form("rand", "seed", "seed"),
    form("lesson", "0", "tour"),
    form_of("test", "rules", "rejudge"),
];

/// The command that a line runs, without its colon, and the arguments. On failure, the names that
/// start with its first word.
pub fn command_and_arguments(body: &str) -> Result<(&'static Command, &str), Vec<&'static str>> {
    let (word, rest) = split_command(body);
    let command = find(word)?;
    let text = rest.trim();
    let (first, more) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_meant = |form: &&Form| {
        form.command == command.name
            && form.word == first
            && !(form.needs_more && more.trim().is_empty())
    };
    let form = FORMS.iter().find(is_meant);
    Ok(match form.and_then(|form| find(form.name).ok()) {
        Some(command) => (command, more),
        None => (command, rest),
    })
}

/// The form as which a command is listed, if it is one.
pub fn form_named(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}

/// The commands that are listed, in the order of `:help`.
pub fn listed() -> impl Iterator<Item = &'static Command> {
    all().filter(|command| form_named(command.name).is_none())
}

/// The commands for authors of lessons and games.
const AUTHORING: &[&str] = &["note", "predict", "record", "test", "fmt", "vary", "glyph"];

impl Command {
    /// The heading under which it is listed.
    pub fn heading(&self) -> Topic {
        match self.name {
            name if AUTHORING.contains(&name) => Topic::Authoring,
            "properties" => Topic::Exploring,
            _ => self.topic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_and_arguments(line: &str) -> (&str, &str) {
        let (command, rest) = command_and_arguments(line).unwrap();
        (command.name, rest.trim())
    }

    #[test]
    fn forms_run_the_commands_they_name() {
        assert_eq!(name_and_arguments("break once 12"), ("tbreak", "12"));
        assert_eq!(name_and_arguments("b once 12 if x"), ("tbreak", "12 if x"));
        assert_eq!(name_and_arguments("step expr"), ("se", ""));
        assert_eq!(name_and_arguments("step expr 1 + 2"), ("explain", "1 + 2"));
        assert_eq!(name_and_arguments("goto"), ("when", ""));
        assert_eq!(name_and_arguments("goto 412"), ("goto", "412"));
        assert_eq!(name_and_arguments("watch read"), ("watch", "read"));
        assert_eq!(name_and_arguments("back over 3"), ("reverse-next", "3"));
        assert_eq!(name_and_arguments("tbreak 12"), ("tbreak", "12"));
    }

    #[test]
    fn forms_are_of_commands_that_exist_and_are_listed() {
        for form in FORMS {
            assert!(
                find(form.name).is_ok_and(|c| c.name == form.name),
                "{form:?}"
            );
            assert!(listed().any(|c| c.name == form.command), "{form:?}");
        }
        assert!(listed().count() <= 60, "{} commands", listed().count());
    }
}
