//! The text of `:help` and of explained error codes.

use crate::answer::{CommandHelp, ErrorHelp, HelpRow, HelpTopic, Line, NameList, Style};
use crate::text::join_rows;
use std::iter;

/// Longer usages and syntax examples have their description on the next line.
const MAX_USAGE_COLUMNS: usize = 44;
/// Longer options of a command have their description on the next line.
const MAX_OPTION_COLUMNS: usize = 28;
/// Columns for the heading before a list of names, with some reserve on the right.
const HEADING_COLUMNS: usize = 16;

pub(super) fn help_lines(topic: &HelpTopic, width: usize) -> Vec<Line> {
    match topic {
        HelpTopic::Essentials {
            language,
            commands,
            example,
        } => essential_lines(language, commands, example, width),
        HelpTopic::Overview { language, groups } => overview_lines(language, groups, width),
        HelpTopic::Commands { commands } => {
            let rows = commands.iter().flat_map(|c| command_row(c, width));
            rows.collect()
        }
        HelpTopic::Command(command) => command_lines(command, width),
        HelpTopic::Table { rows } => table_lines(rows, width),
        HelpTopic::Names { rows } => {
            let columns = rows.iter().map(|row| row.name.chars().count());
            let column = columns.filter(|n| *n <= MAX_OPTION_COLUMNS).max();
            let column = column.unwrap_or(0);
            let rows = rows.iter();
            rows.flat_map(|row| row_lines(row, 2, column, width))
                .collect()
        }
        HelpTopic::Language {
            title,
            extensions,
            examples,
            keywords,
            builtins,
        } => {
            let files = extensions.join(" or .");
            let mut lines = vec![Line::plain(format!(
                "{title} (files: .{files}). You can type these lines one after the other:"
            ))];
            lines.extend(example_lines(examples));
            lines.extend(name_lines(keywords, width));
            lines.extend(table_lines(builtins, width));
            lines
        }
    }
}

fn essential_lines(language: &str, commands: &[HelpRow], example: &str, width: usize) -> Vec<Line> {
    let first = format!(
        "Type {language} code to run it. Commands start with a colon. Start with :tour or :lesson."
    );
    let mut lines = wrapped(&first, width).map(Line::plain).collect::<Vec<_>>();
    lines.extend(table_lines(commands, width));
    lines.push(Line::plain(""));
    let more = format!(
        "Ask in your words: :help who wins, :help save my game. Or :help {example} (a word of \
         {language}), :help board (a command), :help keys, :help files, :help language."
    );
    let topics = "Topics: :help running, time travel, breakpoints, inspecting, exploring, changing, \
                  session, authoring; :help all lists every command.";
    let texts = [more.as_str(), topics].into_iter();
    lines.extend(texts.flat_map(|text| wrapped(text, width)).map(Line::plain));
    lines
}

/// The rows of a text that is as wide as the screen, at most 80 columns.
fn wrapped(text: &str, width: usize) -> impl Iterator<Item = String> {
    let words: Vec<&str> = text.split(' ').collect();
    join_rows(&words, " ", ["", ""], width.clamp(20, 80)).into_iter()
}

fn overview_lines(language: &str, groups: &[NameList], width: usize) -> Vec<Line> {
    let mut lines = vec![Line::plain(format!(
        "Type {language} code to run it. Commands start with a colon. Start with :tour."
    ))];
    lines.extend(groups.iter().flat_map(|group| name_lines(group, width)));
    lines.extend(
        [
            "",
            "More: :help inspecting (a topic), :help board (a command), :help keys,",
            ":help files, :help language.",
        ]
        .map(Line::plain),
    );
    lines
}

/// Names after a heading, wrapped to the width of the screen.
fn name_lines(list: &NameList, width: usize) -> Vec<Line> {
    let room = width.clamp(40, 80) - HEADING_COLUMNS;
    let headings = std::iter::once(list.heading).chain(std::iter::repeat(""));
    let line = |(heading, names): (&str, String)| {
        Line::styled(Style::Strong, format!("  {heading:<12}")).with(Style::Plain, names)
    };
    let rows = join_rows(&list.names, "  ", ["", ""], room);
    headings.zip(rows).map(line).collect()
}

fn usage(command: &CommandHelp) -> String {
    format!("  :{} {}", command.name, command.usage)
        .trim_end()
        .to_string()
}

/// The usage in as many lines as needed. Options and alternatives stay together.
fn usage_lines(command: &CommandHelp, width: usize) -> Vec<Line> {
    let name = format!("  :{} ", command.name);
    let indent = " ".repeat(name.chars().count());
    let units = usage_units(&command.usage);
    let rows = join_rows(&units, " ", [&name, &indent], width);
    let line = |row: &String| Line::styled(Style::Strong, row.trim_end());
    rows.iter().map(line).collect()
}

/// The parts of a usage between which a line can be broken: `[for P]`, `| row N`.
fn usage_units(usage: &str) -> Vec<&str> {
    let (mut units, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in usage.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = &usage[at + c.len_utf8()..];
        let is_alternative = usage[start..].starts_with('|');
        if c == ' ' && depth == 0 && (!is_alternative || rest.starts_with('|')) {
            units.push(&usage[start..at]);
            start = at + 1;
        }
    }
    units.push(&usage[start..]);
    units
}

/// A command in the list of a topic. Its example is beside the usage if there is room for it.
fn command_row(command: &CommandHelp, width: usize) -> Vec<Line> {
    let mut lines = usage_lines(command, width);
    let help = Line::plain(format!("      {}", command.help));
    let columns = usage(command).chars().count();
    let gap = MAX_USAGE_COLUMNS.saturating_sub(columns).max(2);
    let example = command.example.as_str();
    let label = format!("{}e.g. ", " ".repeat(gap));
    let fits = columns + label.len() + example.chars().count() <= width;
    match (example, lines.as_mut_slice()) {
        ("", _) => lines.push(help),
        (_, [line]) if fits => {
            *line = std::mem::take(line)
                .with(Style::Dim, label)
                .with(Style::Plain, example);
            lines.push(help);
        }
        _ => lines.extend([help, example_line(example)]),
    }
    lines
}

fn example_line(example: &str) -> Line {
    Line::styled(Style::Dim, "      e.g. ").with(Style::Plain, example)
}

fn command_lines(command: &CommandHelp, width: usize) -> Vec<Line> {
    let mut lines = usage_lines(command, width);
    let help: Vec<&str> = command.help.split(' ').collect();
    let rows = join_rows(&help, " ", ["      ", "      "], width);
    lines.extend(rows.into_iter().map(Line::plain));
    let columns = command.options.iter().map(|row| row.name.chars().count());
    let columns = columns.filter(|n| *n <= MAX_OPTION_COLUMNS).max();
    let options = command.options.iter();
    lines.extend(options.flat_map(|row| row_lines(row, 6, columns.unwrap_or(0), width)));
    if !command.aliases.is_empty() {
        let aliases: Vec<String> = command.aliases.iter().map(|a| format!(":{a}")).collect();
        lines.push(Line::styled(
            Style::Dim,
            format!("      also {}", aliases.join(" ")),
        ));
    }
    if !command.example.is_empty() {
        lines.push(example_line(&command.example));
    }
    lines
}

fn table_lines(rows: &[HelpRow], width: usize) -> Vec<Line> {
    let longest = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let rows = rows
        .iter()
        .flat_map(|row| row_lines(row, 2, longest, width));
    rows.collect()
}

/// A name and what it means, wrapped in a column of its own. A name that is too long for its column
/// has a line of its own.
fn row_lines(row: &HelpRow, indent: usize, column: usize, width: usize) -> Vec<Line> {
    let name = &row.name;
    let own = name.chars().count();
    let start = format!("{:indent$}{name:<column$}  ", "");
    let is_beside = column == 0 || own <= column;
    let text_column = match column {
        0 => indent + own + 2,
        _ => indent + column + 2,
    };
    // On a narrow screen, a wide first column would leave no room.
    let text_column = text_column.min(width / 2).max(indent + 2);
    let words: Vec<&str> = row.help.split(' ').collect();
    let gap = " ".repeat(text_column);
    if is_beside && start.chars().count() <= text_column.max(indent + own + 2) {
        let first = " ".repeat(start.chars().count());
        let mut rows = join_rows(&words, " ", [&first, &gap], width).into_iter();
        let text = rows.next().unwrap_or_default();
        let text = text.get(first.len()..).unwrap_or_default().to_string();
        let line = Line::styled(Style::Strong, start).with(Style::Plain, text);
        return iter::once(line).chain(rows.map(Line::plain)).collect();
    }
    let rows = join_rows(&words, " ", [&gap, &gap], width);
    let name = Line::styled(Style::Strong, format!("{:indent$}{name}", ""));
    iter::once(name)
        .chain(rows.into_iter().map(Line::plain))
        .collect()
}

fn example_lines(examples: &[HelpRow]) -> Vec<Line> {
    let column = examples
        .iter()
        .map(|row| row.name.len())
        .filter(|n| *n <= MAX_USAGE_COLUMNS)
        .max()
        .unwrap_or(0);
    let mut lines = Vec::new();
    for HelpRow { name, help } in examples {
        let line = Line::styled(Style::Strong, format!("  {name:<column$}"));
        if name.len() <= column {
            lines.push(line.with(Style::Plain, format!("  {help}")));
        } else {
            lines.push(line);
            lines.push(Line::plain(format!("  {:column$}  {help}", "")));
        }
    }
    lines
}

pub(super) fn error_lines(error: &ErrorHelp) -> Vec<Line> {
    let language = error
        .other_language
        .map(|title| format!("   ({title})"))
        .unwrap_or_default();
    let head = Line::styled(Style::Strong, error.code)
        .with(Style::Plain, format!("  {}", error.summary))
        .with(Style::Dim, language);
    let example = error.example.iter().map(|l| format!("    {l}"));
    let fix = error.fix.iter().map(|l| format!("  {l}"));
    std::iter::once(head)
        .chain(example.chain(fix).map(Line::plain))
        .collect()
}
