//! `:help`, generated from the command table and the language's own description.
//!
//! ```text
//! explain_error  explanations of error codes
//! manual         the generated pages of `docs/`
//! search         finds what a question is about
//! ```

pub(crate) mod explain_error;
#[cfg(feature = "internals")]
pub(crate) mod manual;
mod search;

use super::exploring::explore::find_example;
use super::forms::{FORMS, form_named, listed};
use super::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic, all, example, find};
use crate::answer::{CommandError, CommandHelp, Control, HelpRow, HelpTopic, NameList};
use crate::diagnostic::closest_match;
use crate::explorer::{Scope, require_moves};
use crate::language::{LanguageInfo, PlayEntry};
use crate::session::{Answer, AtInput, Looks, Session};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h", "?"],
        usage: "[all | TOPIC | COMMAND | NAME | CODE | WORDS]",
        topic: Topic::Session,
        help: "show the most useful commands, or help on a topic, a command, a word of the language, an error code or a question",
        example: ":help who wins",
        effects: CommandEffects::of(Topic::Session)
            .unrecorded()
            .at_prediction()
            .looks(Looks::Always)
            .at_input(AtInput::Always),
        completion: ArgumentCompletion::Topics,
        run: help,
    },
    Command {
        name: "clear",
        aliases: &["cls"],
        usage: "",
        topic: Topic::Session,
        help: "clear the screen; so does Ctrl-L",
        example: ":clear",
        effects: CommandEffects::of(Topic::Session).at_prediction(),
        completion: ArgumentCompletion::Nothing,
        run: clear,
    },
    Command {
        name: "quit",
        aliases: &["q", "exit"],
        usage: "[!]",
        topic: Topic::Session,
        help: "quit gridbug; so does Ctrl-D. `:quit!` does not ask about unsaved definitions",
        example: ":quit",
        effects: CommandEffects::of(Topic::Session)
            .unrecorded()
            .at_prediction()
            .at_input(AtInput::Always),
        completion: ArgumentCompletion::Nothing,
        run: quit,
    },
];

/// Help topics besides the groups of commands.
pub const HELP_PAGES: &[&str] = &["all", "keys", "language", "files"];

/// The commands that `:help` shows first, after how to play, each with what it is for.
const ESSENTIAL_COMMANDS: &[(&str, &str)] = &[
    (
        ":undo",
        "take back the last move or answer; :redo gives it again",
    ),
    (":restart", "start the game again"),
    (":why X", "show where a value comes from"),
    (
        ":why not win",
        "show what is missing, and which move would help",
    ),
    (
        ":break NAME",
        "stop when a part of the program runs; then step, back, continue",
    ),
    (":hint", "show a best move"),
    (
        ":view",
        "see program, board and values in place while you step",
    ),
    (":check", "search all positions for mistakes in the rules"),
    (
        ":save FILE",
        "save the program, or everything you did in a .session file",
    ),
];

/// Keys of the prompt and what they do.
pub(super) const KEY_HELP: &[(&str, &str)] = &[
    (
        "Enter",
        "run the entry, or continue on the next line if it is incomplete; a blank line always runs it, inside brackets two do",
    ),
    ("Tab", "complete a name, a command, a file or a cell"),
    ("Right", "accept the grey suggestion"),
    (
        "Up, Down",
        "previous and next entry, also of earlier sessions",
    ),
    ("Ctrl-R", "search the previous entries"),
    (
        "Ctrl-C",
        "clear the line, discard an unfinished entry; interrupt a running game",
    ),
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

/// The options that all searches have.
const SCOPE_OPTION_HELP: &[(&str, &str)] = &[
    (
        "inputs A..B",
        "the answers to try where the game asks, or `inputs a,b,c`",
    ),
    (
        "ignoring X",
        "treat positions that differ only in variable X as equal",
    ),
    (
        "turn E",
        "whose move it is, in BoGL: a variable such as `p`",
    ),
    (
        "in GAME",
        "the game, in BoGL: `in play(X, empty)`; the last option",
    ),
];

/// The options of commands that have many.
fn option_help(info: &LanguageInfo, command: &str) -> Vec<(&'static str, &'static str)> {
    let own: &[(&str, &str)] = match command {
        "find" => &[
            ("within N", "with at most N moves"),
            ("for P", "player P has to win or lose: `:find win for x`"),
            ("count N", "show N lines, each to another position"),
        ],
        "solve" => &[("moves", "list every move with its value")],
        "stats" => &[("N", "play N random games instead of searching")],
        "hint" | "check" => &[],
        "opponent" => {
            let options = [
                ("P", "the player whom the computer plays; `off` ends it"),
                ("random", "every move is equally likely"),
                ("LEVEL", "1 (weak) to 5 (strong); 3 if nothing is said"),
                ("perfect", "never gives away a win or a draw"),
                (
                    "SECONDS",
                    "the most time for a move: `:opponent o perfect 5`",
                ),
                (
                    "turn E",
                    "whose move it is, in BoGL: a variable such as `p`",
                ),
            ];
            let exists = |(usage, _): &(&str, &str)| has_option(info, usage);
            return options.into_iter().filter(exists).collect();
        }
        _ => return Vec::new(),
    };
    let shared = SCOPE_OPTION_HELP.iter();
    let shared = shared.filter(|(usage, _)| command != "check" || !usage.starts_with("turn"));
    let options = own.iter().chain(shared).copied();
    let options = options.filter(|(usage, _)| has_option(info, usage));
    options.collect()
}

/// Whether an option of a search exists in the language: some are for games that ask, or that are
/// played by evaluating an expression.
fn has_option(info: &LanguageInfo, option: &str) -> bool {
    let has_word = |word: &str| info.known_word(word).is_some();
    match option.trim_start_matches('[').split([' ', ']']).next() {
        Some("inputs") => has_word("input") || has_word("prompt"),
        Some("turn" | "in") => has_word("input"),
        _ => true,
    }
}

/// The arguments of a command, with the options that exist in the language.
fn usage(info: &LanguageInfo, command: &Command) -> String {
    let mut usage = command.usage.to_string();
    for option in ["[inputs A..B]", "[turn E]", "[in GAME]"] {
        if !has_option(info, option) {
            usage = usage.replace(&format!(" {option}"), "").replace(option, "");
        }
    }
    usage.trim().to_string()
}

/// The forms of a command, each with the command that does it.
pub(super) fn forms_of(command: &Command) -> impl Iterator<Item = (String, &'static Command)> {
    let forms = FORMS.iter().filter(|form| form.command == command.name);
    forms.filter_map(|form| {
        let short = find(form.name).ok()?;
        let line = format!(":{} {} {}", form.command, form.word, short.usage);
        let words: Vec<&str> = line.split_whitespace().collect();
        Some((words.join(" "), short))
    })
}

/// Words that are used in help texts and messages.
const CONCEPTS: &[(&str, &str)] = &[
    (
        "time",
        "the number of instructions executed so far; `:goto 412` goes to one, `:when` shows it",
    ),
    (
        "session",
        "everything you typed since the start, with the answers; `:save x.session` keeps it",
    ),
    (
        "entry",
        "a line of the language that you typed; errors and `:history` name it by its number",
    ),
    (
        "action",
        "what one entry of a player does: a click, a move or a turn",
    ),
    (
        "event",
        "something that happens in the game; `:break on EVENT` stops at each one",
    ),
    (
        "stop",
        "where the program is paused: look around, `step`, or `continue`",
    ),
    (
        "dry run",
        "a run that is rolled back at its end, such as `:step winCondition`",
    ),
    (
        "history",
        "all states of the session; `:undo`, `back` and `:goto` go to earlier ones",
    ),
    (
        "branch",
        "a history that was left by typing something in the past; `:branches` lists them",
    ),
    (
        "mark",
        "a name for a point in the history: `:mark before`, `:goto before`",
    ),
    (
        "frame",
        "a call on the call stack, with its variables; `where` lists them",
    ),
];

/// What the events that `:break on` accepts are.
fn event_help(event: &str) -> &'static str {
    match event {
        "click" => "the event of a click on a piece; `:break on click` stops there",
        "place" => "the event that a piece is put on a cell; `:break on place` stops there",
        "remove" => "the event that a piece is removed; `:break on remove` stops there",
        "changeType" => {
            "the event that a piece changes its kind; `:break on changeType` stops there"
        }
        "endTurn" => "the event that a turn ends; `:break on endTurn` stops there",
        "win" => "the event that the game is won; `:break on win` stops there",
        "lose" => "the event that the game is lost; `:break on lose` stops there",
        "draw" => "the event that the game is a draw; `:break on draw` stops there",
        "print" => "the event that something is printed; `:break on print` stops there",
        "display" => "the event that the message line changes; `:break on display` stops there",
        "rand" => "the event of a random draw; `:break on rand` stops there",
        "error" => "the event of a runtime error; `:break on error` stops there",
        _ => "an event; `:break on` stops there",
    }
}

fn clear(_: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    Ok(Answer {
        control: Some(Control::ClearScreen),
        ..Answer::new("")
    })
}

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
        return Ok(Answer::of(essentials(session)));
    }
    if let Some(explained) = explain_error::explain_code(session, word) {
        return explained;
    }
    // The start of a topic's name is enough, unless it is a word: `break` is not `breakpoints`.
    let info = session.target.language().info();
    let is_word = all().any(|c| c.name == word || c.aliases.contains(&word))
        || info.is_reserved(word)
        || info.events.contains(&word);
    let topic = Topic::ALL.into_iter().find(|t| t.name().starts_with(word));
    if let Some(topic) = topic.filter(|topic| topic.name() == word || !is_word) {
        let commands = listed().filter(|c| c.heading() == topic);
        let commands = commands.map(|c| command_help(session, c)).collect();
        return Ok(with_words(info, word, HelpTopic::Commands { commands }));
    }
    match word {
        "all" => Ok(with_words(info, word, overview(session))),
        "keys" => Ok(Answer::of(table(KEY_HELP))),
        "files" => Ok(Answer::of(table(FILE_HELP))),
        "language" => Ok(Answer::of(language(session))),
        name => help_on_name(session, name),
    }
}

/// Everything but commands that `:help` explains, each with one line.
fn words(info: &LanguageInfo) -> impl Iterator<Item = (&'static str, &'static str)> {
    let events = info.events.iter().map(|event| (*event, event_help(event)));
    let named = info.builtins.iter().chain(info.guide.word_help);
    named.copied().chain(events).chain(CONCEPTS.iter().copied())
}

/// The words of this name, each with one line.
fn rows_on(info: &LanguageInfo, word: &str) -> Vec<HelpRow> {
    let is_meant = |name: &str| name.trim_start_matches('.').trim_end_matches('=') == word;
    let named: Vec<_> = words(info).filter(|(name, _)| is_meant(name)).collect();
    rows(&named)
}

/// A page of help, after the words of the same name.
fn with_words(info: &LanguageInfo, word: &str, page: HelpTopic) -> Answer {
    let mut answer = Answer::new("");
    let rows = rows_on(info, word);
    if !rows.is_empty() {
        answer.parts.push(HelpTopic::Names { rows }.into());
    }
    answer.parts.push(page.into());
    answer
}

/// Help on a word of the language, a concept or a command of that name; there may be several.
fn help_on_name(session: &Session, word: &str) -> Result<Answer, CommandError> {
    let info = session.target.language().info();
    let mut found = rows_on(info, word);
    if let Some((name, usage, help)) = info.commands.iter().find(|(name, ..)| *name == word) {
        found.push(HelpRow {
            name: format!(":{name} {usage}"),
            help,
        });
        return Ok(Answer::of(HelpTopic::Names { rows: found }));
    }
    match find(word) {
        Ok(command) => {
            let command = HelpTopic::Command(command_help(session, command));
            Ok(with_words(info, word, command))
        }
        Err(_) if found.is_empty() => match search::search(info, word) {
            rows if rows.is_empty() => Err(unknown_name(session, word)),
            // A misspelled name is more likely than a question.
            _ if closest_match(word, all().map(|c| c.name)).is_some() => {
                Err(unknown_name(session, word))
            }
            rows => Ok(Answer::of(HelpTopic::Names { rows })),
        },
        Err(_) => Ok(Answer::of(HelpTopic::Names { rows: found })),
    }
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
    let words = words(session.target.language().info());
    let names = all()
        .map(|c| c.name)
        .chain(words.map(|(name, _)| name))
        .chain(topics);
    CommandError::new(format!("no help on `{word}`")).suggest(word, names)
}

fn essentials(session: &Session) -> HelpTopic {
    let info = session.target.language().info();
    let has_moves = require_moves(&session.target, &Scope::default()).is_ok();
    let commands = ESSENTIAL_COMMANDS.iter();
    let commands = commands.filter(|(usage, _)| has_moves || *usage != ":hint");
    let mut rows = rows(commands);
    rows.splice(0..0, how_to_play(session));
    HelpTopic::Essentials {
        language: info.title,
        commands: rows,
        example: info.guide.word_help.first().map_or("", |(name, _)| name),
    }
}

/// How this game is played: what to type, or what to press.
fn how_to_play(session: &Session) -> Option<HelpRow> {
    let target = &session.target;
    let language = target.language();
    let guide = &language.info().guide;
    let (name, help) = match language.play_entry(target.program()) {
        Some(PlayEntry::Game(entry)) => (entry, "play the game; answer what it asks"),
        Some(PlayEntry::Turn(entry)) => (entry, "play the next turn"),
        None => (guide.sample_move, "play a move"),
    };
    let row = HelpRow {
        name: name.to_string(),
        help,
    };
    (!name.is_empty() && name != ":restart").then_some(row)
}

fn overview(session: &Session) -> HelpTopic {
    let info = session.target.language().info();
    let group = |topic: Topic| NameList {
        heading: topic.name(),
        names: listed()
            .filter(|c| c.heading() == topic)
            .map(|c| c.name)
            .collect(),
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
    let info = session.target.language().info();
    let mut options = rows(&option_help(info, command.name));
    options.extend(forms_of(command).map(|(usage, short)| HelpRow {
        name: usage,
        help: short.help,
    }));
    options.extend(form_named(command.name).map(|form| {
        HelpRow {
            name: format!(":{} {}", form.command, form.word)
                .trim_end()
                .to_string(),
            help: "does the same",
        }
    }));
    CommandHelp {
        name: command.name,
        usage: usage(info, command),
        help: command.help,
        aliases: command.aliases,
        example: match command.name {
            "find" => find_example(session).unwrap_or_default(),
            name => example(session, name).to_string(),
        },
        options,
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
