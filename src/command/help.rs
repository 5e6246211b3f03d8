//! Help, from the table of commands and from what the language tells of itself.

use super::{ArgumentCompletion, Command, Topic, all, example, find};
use crate::session::{Line, Reply, Session, Style};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h", "?"],
        usage: "[TOPIC | COMMAND | NAME]",
        topic: Topic::Session,
        help: "what can be typed: all of it, one topic, one command, or a name of the language",
        example: ":help looking",
        completion: ArgumentCompletion::Topics,
        run: help,
    },
    Command {
        name: "quit",
        aliases: &["q", "exit"],
        usage: "",
        topic: Topic::Session,
        help: "leave; so does Ctrl-D",
        example: ":quit",
        completion: ArgumentCompletion::Nothing,
        run: |_, _, reply| reply.should_quit = true,
    },
];

/// Topics of help that are not about commands.
pub const HELP_PAGES: &[&str] = &["keys", "language", "files"];

/// What is longer has its words below it.
const BESIDE: usize = 44;

pub(super) const KEY_HELP: &[(&str, &str)] = &[
    (
        "Enter",
        "do it, or go on in the next line if it is not finished; a blank line does it anyway",
    ),
    ("Tab", "complete a name, a command, a file, a cell"),
    ("Right", "take the dim rest that is offered"),
    (
        "Up, Down",
        "what was typed before, also in earlier sessions",
    ),
    ("Ctrl-R", "search in what was typed before"),
    ("Ctrl-C", "clear the line; stop a game that is running"),
    ("Ctrl-D", "leave"),
];

pub(super) const FILE_HELP: &[(&str, &str)] = &[
    (":load FILE", "a new game from a file"),
    (
        ":reload",
        "the same file again, after it was changed; what was typed is played again on it",
    ),
    (
        ":save x.session",
        "the program, all that was typed and all answers in one readable file",
    ),
    ("gridbug x.session", "goes on from the end of one"),
    (
        "gridbug test x.session",
        "plays it again and compares the answers",
    ),
];

fn help(session: &mut Session, rest: &str, reply: &mut Reply) {
    let word = rest.trim_start_matches(':').trim();
    if word.is_empty() {
        return overview(session, reply);
    }
    if let Some(topic) = Topic::ALL.into_iter().find(|t| t.name().starts_with(word)) {
        return one_topic(session, topic, reply);
    }
    match word {
        "keys" => return table(KEY_HELP, reply),
        "files" => return table(FILE_HELP, reply),
        "language" => return language(session, reply),
        _ => {}
    }
    let about = session.language().info();
    let named: Vec<_> = about
        .builtins
        .iter()
        .filter(|(name, _)| name.trim_start_matches('.') == word)
        .collect();
    for (name, words) in &named {
        reply.line(Line::styled(Style::Strong, format!("  {name}  ")).with(Style::Plain, *words));
    }
    if let Some((name, usage, words)) = about.commands.iter().find(|(name, ..)| *name == word) {
        return reply.line(
            Line::styled(Style::Strong, format!("  :{name} {usage}  ")).with(Style::Plain, *words),
        );
    }
    match find(word) {
        Ok(command) => one_command(session, command, reply),
        Err(_) if !named.is_empty() => {}
        Err(several) if several.len() > 1 => {
            reply.error(format!("`{word}` could be {}", several.join(", ")))
        }
        Err(_) => {
            let topics = Topic::ALL
                .iter()
                .map(|t| t.name())
                .chain(HELP_PAGES.iter().copied());
            let names = all()
                .map(|c| c.name)
                .chain(about.builtins.iter().map(|(n, _)| *n))
                .chain(topics);
            let near = crate::diagnostic::did_you_mean(word, names);
            reply.error(format!("there is no help on `{word}`{near}"));
        }
    }
}

fn overview(session: &Session, reply: &mut Reply) {
    let about = session.language().info();
    reply.line(format!(
        "Type {} as it is; a command starts with a colon; :tour shows you around.",
        about.title
    ));
    for topic in Topic::ALL {
        let names: Vec<&str> = all().filter(|c| c.topic == topic).map(|c| c.name).collect();
        list(topic.name(), &names, session.view_settings.width, reply);
    }
    let own: Vec<&str> = about.commands.iter().map(|(name, ..)| *name).collect();
    list(about.title, &own, session.view_settings.width, reply);
    reply.line("");
    reply.line(":help looking tells of a topic, :help board of a command; there are also");
    reply.line(":help keys, :help files and :help language.");
}

/// Names behind a heading, in lines that fit.
fn list(heading: &str, names: &[&str], width: usize, reply: &mut Reply) {
    let room = width.clamp(40, 80) - 18;
    let mut line = String::new();
    let mut heading = heading;
    for (n, name) in names.iter().enumerate() {
        line.push_str(name);
        if n + 1 == names.len() || line.len() + names[n + 1].len() > room {
            reply.line(
                Line::styled(Style::Strong, format!("  {heading:<12}"))
                    .with(Style::Plain, line.as_str()),
            );
            line.clear();
            heading = "";
        } else {
            line.push_str("  ");
        }
    }
}

fn one_topic(session: &Session, topic: Topic, reply: &mut Reply) {
    for command in all().filter(|c| c.topic == topic) {
        let usage = format!("  :{} {}", command.name, command.usage)
            .trim_end()
            .to_string();
        let gap = " ".repeat(44usize.saturating_sub(usage.chars().count()).max(2));
        let line = Line::styled(Style::Strong, usage).with(Style::Dim, format!("{gap}as "));
        reply.line(line.with(Style::Plain, example(session, command.name)));
        reply.line(format!("      {}", command.help));
    }
}

fn one_command(session: &Session, command: &Command, reply: &mut Reply) {
    let usage = format!("  :{} {}", command.name, command.usage)
        .trim_end()
        .to_string();
    reply.line(Line::styled(Style::Strong, usage));
    reply.line(format!("      {}", command.help));
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        reply.line(Line::styled(
            Style::Dim,
            format!("      also {}", aliases.join(" ")),
        ));
    }
    let example = example(session, command.name);
    reply.line(Line::styled(Style::Dim, "      for example ").with(Style::Plain, example));
}

fn table(rows: &[(&str, &str)], reply: &mut Reply) {
    let longest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, words) in rows {
        reply.line(
            Line::styled(Style::Strong, format!("  {name:<longest$}  ")).with(Style::Plain, *words),
        );
    }
}

fn language(session: &Session, reply: &mut Reply) {
    let about = session.language().info();
    let files = about.extensions.join(" or .");
    reply.line(format!(
        "{}: files end in .{files}. What can be typed, one after the other:",
        about.title
    ));
    let column = about
        .guide
        .syntax_examples
        .iter()
        .map(|(form, _)| form.len())
        .filter(|n| *n <= BESIDE)
        .max()
        .unwrap_or(0);
    for (form, words) in about.guide.syntax_examples {
        let line = Line::styled(Style::Strong, format!("  {form:<column$}"));
        if form.len() <= column {
            reply.line(line.with(Style::Plain, format!("  {words}")));
        } else {
            reply.line(line);
            reply.line(format!("  {:column$}  {words}", ""));
        }
    }
    list(
        "keywords",
        about.keywords,
        session.view_settings.width,
        reply,
    );
    table(about.builtins, reply);
}
