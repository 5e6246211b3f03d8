//! `:help`, generated from the command table and the language's own description.

use super::{ArgumentCompletion, Command, CommandFn, Topic, all, example, find};
use crate::session::{Answer, Line, Session, Style};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h", "?"],
        usage: "[TOPIC | COMMAND | NAME]",
        topic: Topic::Session,
        help: "list all commands, or show help on a topic, a command or a built-in",
        example: ":help inspecting",
        completion: ArgumentCompletion::Topics,
        run: CommandFn::Fill(help),
    },
    Command {
        name: "quit",
        aliases: &["q", "exit"],
        usage: "",
        topic: Topic::Session,
        help: "quit gridbug; so does Ctrl-D",
        example: ":quit",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|_, _, reply| reply.should_quit = true),
    },
];

/// Help topics besides the groups of commands.
pub const HELP_PAGES: &[&str] = &["keys", "language", "files"];

/// Longer usages and syntax examples have their description on the next line.
const MAX_USAGE_COLUMNS: usize = 44;

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

fn help(session: &mut Session, rest: &str, reply: &mut Answer) {
    let word = rest.trim_start_matches(':').trim();
    if word.is_empty() {
        return overview(session, reply);
    }
    // The start of a topic's name is enough, unless it is a command: `break` is not `breakpoints`.
    let is_command = all().any(|c| c.name == word || c.aliases.contains(&word));
    let topic = Topic::ALL.into_iter().find(|t| t.name().starts_with(word));
    if let Some(topic) = topic.filter(|_| !is_command) {
        return one_topic(session, topic, reply);
    }
    match word {
        "keys" => return table(KEY_HELP, reply),
        "files" => return table(FILE_HELP, reply),
        "language" => return language(session, reply),
        _ => {}
    }
    let info = session.target.language().info();
    let builtins: Vec<_> = info
        .builtins
        .iter()
        .filter(|(name, _)| name.trim_start_matches('.') == word)
        .collect();
    for (name, help) in &builtins {
        reply.line(Line::styled(Style::Strong, format!("  {name}  ")).with(Style::Plain, *help));
    }
    if let Some((name, usage, help)) = info.commands.iter().find(|(name, ..)| *name == word) {
        return reply.line(
            Line::styled(Style::Strong, format!("  :{name} {usage}  ")).with(Style::Plain, *help),
        );
    }
    match find(word) {
        Ok(command) => one_command(session, command, reply),
        Err(_) if !builtins.is_empty() => {}
        Err(candidates) if candidates.len() > 1 => {
            reply.error(format!("`{word}` is ambiguous: {}", candidates.join(", ")))
        }
        Err(_) => {
            let topics = Topic::ALL
                .iter()
                .map(|t| t.name())
                .chain(HELP_PAGES.iter().copied());
            let names = all()
                .map(|c| c.name)
                .chain(info.builtins.iter().map(|(n, _)| *n))
                .chain(topics);
            let suggestion = crate::diagnostic::did_you_mean(word, names);
            reply.error(format!("no help on `{word}`{suggestion}"));
        }
    }
}

fn overview(session: &Session, reply: &mut Answer) {
    let info = session.target.language().info();
    reply.line(format!(
        "Type {} code to run it. Commands start with a colon. Start with :tour.",
        info.title
    ));
    for topic in Topic::ALL {
        let names: Vec<&str> = all().filter(|c| c.topic == topic).map(|c| c.name).collect();
        list(topic.name(), &names, session.view_settings.width, reply);
    }
    let language_commands: Vec<&str> = info.commands.iter().map(|(name, ..)| *name).collect();
    list(
        info.title,
        &language_commands,
        session.view_settings.width,
        reply,
    );
    reply.line("");
    reply.line("More: :help inspecting (a topic), :help board (a command), :help keys,");
    reply.line(":help files, :help language.");
}

/// Columns for the heading before a list of names, with some reserve on the right.
const HEADING_COLUMNS: usize = 18;

/// Prints names after a heading, wrapped to the width of the screen.
fn list(heading: &str, names: &[&str], width: usize, reply: &mut Answer) {
    let max_columns = width.clamp(40, 80) - HEADING_COLUMNS;
    let mut line = String::new();
    let mut heading = heading;
    for (n, name) in names.iter().enumerate() {
        line.push_str(name);
        if n + 1 == names.len() || line.len() + names[n + 1].len() > max_columns {
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

fn one_topic(session: &Session, topic: Topic, reply: &mut Answer) {
    for command in all().filter(|c| c.topic == topic) {
        let usage = format!("  :{} {}", command.name, command.usage)
            .trim_end()
            .to_string();
        let padding = MAX_USAGE_COLUMNS.saturating_sub(usage.chars().count());
        let gap = " ".repeat(padding.max(2));
        let line = Line::styled(Style::Strong, usage).with(Style::Dim, format!("{gap}e.g. "));
        reply.line(line.with(Style::Plain, example(session, command.name)));
        reply.line(format!("      {}", command.help));
    }
}

fn one_command(session: &Session, command: &Command, reply: &mut Answer) {
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
    reply.line(Line::styled(Style::Dim, "      e.g. ").with(Style::Plain, example));
}

fn table(rows: &[(&str, &str)], reply: &mut Answer) {
    let longest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, help) in rows {
        reply.line(
            Line::styled(Style::Strong, format!("  {name:<longest$}  ")).with(Style::Plain, *help),
        );
    }
}

fn language(session: &Session, reply: &mut Answer) {
    let info = session.target.language().info();
    let files = info.extensions.join(" or .");
    reply.line(format!(
        "{} (files: .{files}). You can type these lines one after the other:",
        info.title
    ));
    let column = info
        .guide
        .syntax_examples
        .iter()
        .map(|(code, _)| code.len())
        .filter(|n| *n <= MAX_USAGE_COLUMNS)
        .max()
        .unwrap_or(0);
    for (code, description) in info.guide.syntax_examples {
        let line = Line::styled(Style::Strong, format!("  {code:<column$}"));
        if code.len() <= column {
            reply.line(line.with(Style::Plain, format!("  {description}")));
        } else {
            reply.line(line);
            reply.line(format!("  {:column$}  {description}", ""));
        }
    }
    list(
        "keywords",
        info.keywords,
        session.view_settings.width,
        reply,
    );
    table(info.builtins, reply);
}
