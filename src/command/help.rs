//! `:help`, generated from the command table and the language's own description.

use super::{ArgumentCompletion, Arguments, Command, Topic, all, example, find};
use crate::debugger::api::{CommandError, CommandHelp, Control, HelpRow, HelpTopic, NameList};
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h", "?"],
        usage: "[TOPIC | COMMAND | NAME]",
        topic: Topic::Session,
        help: "list all commands, or show help on a topic, a command or a built-in",
        example: ":help inspecting",
        completion: ArgumentCompletion::Topics,
        run: help,
    },
    Command {
        name: "quit",
        aliases: &["q", "exit"],
        usage: "[!]",
        topic: Topic::Session,
        help: "quit gridbug; so does Ctrl-D. `:quit!` does not ask about unsaved definitions",
        example: ":quit",
        completion: ArgumentCompletion::Nothing,
        run: quit,
    },
];

/// Help topics besides the groups of commands.
pub const HELP_PAGES: &[&str] = &["keys", "language", "files"];

/// Keys of the prompt and what they do.
pub(super) const KEY_HELP: &[(&str, &str)] = &[
    (
        "Enter",
        "run the entry, or continue on the next line if it is incomplete; a blank line always runs it",
    ),
    ("Tab", "complete a name, a command, a file or a cell"),
    ("Right", "accept the grey suggestion"),
    (
        "Up, Down",
        "previous and next entry, also of earlier sessions",
    ),
    ("Ctrl-R", "search the previous entries"),
    ("Ctrl-C", "clear the line; interrupt a running game"),
    ("Ctrl-D", "quit"),
];

/// What can be done with program and session files.
pub(super) const FILE_HELP: &[(&str, &str)] = &[
    (":load FILE", "load a game from a file"),
    (
        ":reload",
        "read the file again after you changed it, and replay your entries",
    ),
    (
        ":save game.gl",
        "write the program as it is now, with what you changed at the prompt",
    ),
    (
        ":save x.session",
        "write the program, your entries and the replies to a readable file",
    ),
    (
        "gridbug x.session",
        "continue from the end of a session file",
    ),
    (
        "gridbug test x.session",
        "replay a session file and compare the replies",
    ),
];

fn quit(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let unsaved_count = match arguments.text() {
        "" => session.unsaved_count(),
        "!" => 0,
        other => {
            return Err(CommandError::new(format!(
                "`:quit` takes no argument (got `{other}`)"
            )));
        }
    };
    Ok(Answer {
        control: Some(Control::Quit { unsaved_count }),
        ..Answer::new("")
    })
}

fn help(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let word = arguments.text().trim_start_matches(':').trim();
    if word.is_empty() {
        return Ok(Answer::of(overview(session)));
    }
    // The start of a topic's name is enough, unless it is a command: `break` is not `breakpoints`.
    let is_command = all().any(|c| c.name == word || c.aliases.contains(&word));
    let topic = Topic::ALL.into_iter().find(|t| t.name().starts_with(word));
    if let Some(topic) = topic.filter(|_| !is_command) {
        let commands = all().filter(|c| c.topic == topic);
        let commands = commands.map(|c| command_help(session, c)).collect();
        return Ok(Answer::of(HelpTopic::Commands { commands }));
    }
    match word {
        "keys" => Ok(Answer::of(table(KEY_HELP))),
        "files" => Ok(Answer::of(table(FILE_HELP))),
        "language" => Ok(Answer::of(language(session))),
        name => help_on_name(session, name),
    }
}

/// Help on a built-in or a command of that name; there may be both.
fn help_on_name(session: &Session, word: &str) -> Result<Answer, CommandError> {
    let info = session.target.language().info();
    let builtins = info.builtins.iter();
    let mut found = rows(builtins.filter(|(name, _)| name.trim_start_matches('.') == word));
    if let Some((name, usage, help)) = info.commands.iter().find(|(name, ..)| *name == word) {
        found.push(HelpRow {
            name: format!(":{name} {usage}"),
            help,
        });
        return Ok(Answer::of(HelpTopic::Names { rows: found }));
    }
    let mut answer = Answer::new("");
    match find(word) {
        _ if found.is_empty() && find(word).is_err() => return Err(unknown_name(session, word)),
        Ok(command) => {
            if !found.is_empty() {
                answer.parts.push(HelpTopic::Names { rows: found }.into());
            }
            let command = HelpTopic::Command(command_help(session, command));
            answer.parts.push(command.into());
        }
        Err(_) => answer.parts.push(HelpTopic::Names { rows: found }.into()),
    }
    Ok(answer)
}

fn unknown_name(session: &Session, word: &str) -> CommandError {
    if let Err(candidates) = find(word)
        && candidates.len() > 1
    {
        return CommandError::new(format!("`{word}` is ambiguous: {}", candidates.join(", ")));
    }
    let topics = Topic::ALL
        .iter()
        .map(|t| t.name())
        .chain(HELP_PAGES.iter().copied());
    let builtins = session.target.language().info().builtins.iter();
    let names = all()
        .map(|c| c.name)
        .chain(builtins.map(|(name, _)| *name))
        .chain(topics);
    let suggestion = crate::diagnostic::did_you_mean(word, names);
    CommandError::new(format!("no help on `{word}`{suggestion}"))
}

fn overview(session: &Session) -> HelpTopic {
    let info = session.target.language().info();
    let group = |topic: Topic| NameList {
        heading: topic.name(),
        names: all().filter(|c| c.topic == topic).map(|c| c.name).collect(),
    };
    let language_commands = NameList {
        heading: info.title,
        names: info.commands.iter().map(|(name, ..)| *name).collect(),
    };
    HelpTopic::Overview {
        language: info.title,
        groups: Topic::ALL
            .into_iter()
            .map(group)
            .chain([language_commands])
            .collect(),
    }
}

fn command_help(session: &Session, command: &Command) -> CommandHelp {
    CommandHelp {
        name: command.name,
        usage: command.usage,
        help: command.help,
        aliases: command.aliases,
        example: example(session, command.name),
    }
}

fn rows<'a>(rows: impl IntoIterator<Item = &'a (&'static str, &'static str)>) -> Vec<HelpRow> {
    let row = |(name, help): &(&str, &'static str)| HelpRow {
        name: name.to_string(),
        help,
    };
    rows.into_iter().map(row).collect()
}

fn table(table: &[(&'static str, &'static str)]) -> HelpTopic {
    HelpTopic::Table { rows: rows(table) }
}

fn language(session: &Session) -> HelpTopic {
    let info = session.target.language().info();
    HelpTopic::Language {
        title: info.title,
        extensions: info.extensions,
        examples: rows(info.guide.syntax_examples),
        keywords: NameList {
            heading: "keywords",
            names: info.keywords.to_vec(),
        },
        builtins: rows(info.builtins),
    }
}
