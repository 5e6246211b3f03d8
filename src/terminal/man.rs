//! The manual page, from the command line's own description and the table of commands.

use super::Arguments;
use crate::command::{self, Topic};
use crate::languages;
use clap::{Command, CommandFactory};

/// The page, for `man`.
pub fn page() -> String {
    let mut line = Arguments::command();
    line.build();
    let about = line.get_about().map(|a| a.to_string()).unwrap_or_default();
    let usage: Vec<&str> = super::arguments::USAGE
        .lines()
        .map(str::trim_start)
        .collect();
    let mut page = format!(
        ".TH GRIDBUG 1 \"\" \"gridbug {}\"\n.SH NAME\ngridbug \\- {}\n.SH SYNOPSIS\n.nf\n{}\n.fi\n",
        env!("CARGO_PKG_VERSION"),
        text(&about),
        text(&usage.join("\n"))
    );
    let long = line
        .get_long_about()
        .map(|a| a.to_string())
        .unwrap_or_default();
    page += &format!(
        ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
        text(&long).replace("\n\n", "\n.PP\n")
    );
    page += &options(&line);
    page += ".SH TASKS\n";
    for task in line.get_subcommands() {
        let about = task.get_about().map(|a| a.to_string()).unwrap_or_default();
        page += &entry(task.get_name(), "", &about);
    }
    page += ".SH COMMANDS AT THE PROMPT\nA command starts with a colon. At a stop the colon may be left out.\n";
    for topic in Topic::ALL {
        page += &format!(".SS {}\n", topic.name());
        for command in command::all().filter(|c| c.topic == topic) {
            let usage = format!(" {}", command.usage);
            page += &entry(
                &format!(":{}", command.name),
                usage.trim_end(),
                command.help,
            );
        }
    }
    page += ".SH LANGUAGES\n";
    for language in languages::ALL {
        let about = language.info();
        page += &entry(
            about.title,
            &format!(" --lang {}", about.name),
            &endings(about.extensions),
        );
    }
    let after = line
        .get_after_long_help()
        .map(|a| a.to_string())
        .unwrap_or_default();
    page + &format!(".SH EXAMPLES AND EXIT CODE\n.nf\n{}\n.fi\n", text(&after))
}

fn endings(extensions: &[&str]) -> String {
    format!("files end in .{}", extensions.join(" or ."))
}

fn options(command: &Command) -> String {
    let option = |arg: &clap::Arg| {
        let value = arg
            .get_action()
            .takes_values()
            .then(|| arg.get_value_names().unwrap_or_default().first());
        let value = value.flatten().map(|v| v.to_string()).unwrap_or_default();
        let value = match value {
            v if v.is_empty() => v,
            v if arg.is_require_equals_set() => format!("[={v}]"),
            v => format!(" {v}"),
        };
        let help = arg.get_help().map(|h| h.to_string()).unwrap_or_default();
        Some(entry(&format!("--{}", arg.get_long()?), &value, &help))
    };
    command.get_arguments().filter_map(option).collect()
}

/// Something strong, what follows it, and what it means.
fn entry(name: &str, more: &str, words: &str) -> String {
    format!(
        ".TP\n\\fB{}\\fR{}\n{}\n",
        text(name),
        text(more),
        text(words)
    )
}

/// Text in which nothing is taken for an instruction.
fn text(text: &str) -> String {
    // Roff reads bytes: letters beyond ASCII are named.
    let named = |c: char| {
        if c.is_ascii() {
            c.to_string()
        } else {
            format!("\\[u{:04X}]", c as u32)
        }
    };
    let plain = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('…', "...");
    let plain: String = plain.chars().map(named).collect();
    let line = |l: &str| {
        if l.starts_with(['.', '\'']) {
            format!("\\&{l}")
        } else {
            l.to_string()
        }
    };
    plain.lines().map(line).collect::<Vec<_>>().join("\n")
}
