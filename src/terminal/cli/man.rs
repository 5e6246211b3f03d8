//! `gridbug man`: the manual page, generated from the clap description and the command table.

use crate::command::{self, Topic};
use crate::languages;
use crate::terminal::Arguments;
use clap::{Command, CommandFactory};

/// The manual page in roff format.
pub fn page() -> String {
    let mut cli = Arguments::command();
    cli.build();
    let about = cli.get_about().map(|a| a.to_string()).unwrap_or_default();
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
    let long = cli
        .get_long_about()
        .map(|a| a.to_string())
        .unwrap_or_default();
    page += &format!(
        ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
        text(&long).replace("\n\n", "\n.PP\n")
    );
    page += &options(&cli);
    page += ".SH SUBCOMMANDS\n";
    for subcommand in cli.get_subcommands() {
        let about = subcommand
            .get_about()
            .map(|a| a.to_string())
            .unwrap_or_default();
        page += &entry(subcommand.get_name(), "", &about);
    }
    page += ".SH COMMANDS AT THE PROMPT\nCommands start with a colon. At a stop the colon can be omitted.\n";
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
        let info = language.info();
        page += &entry(
            info.title,
            &format!(" --lang {}", info.name),
            &extensions_text(info.extensions),
        );
    }
    let after = cli
        .get_after_long_help()
        .map(|a| a.to_string())
        .unwrap_or_default();
    page + &format!(".SH EXAMPLES AND EXIT CODE\n.nf\n{}\n.fi\n", text(&after))
}

fn extensions_text(extensions: &[&str]) -> String {
    format!("file extension .{}", extensions.join(" or ."))
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

/// A tagged paragraph: bold `name`, then `arguments`, then the description below.
fn entry(name: &str, arguments: &str, description: &str) -> String {
    format!(
        ".TP\n\\fB{}\\fR{}\n{}\n",
        text(name),
        text(arguments),
        text(description)
    )
}

/// Escapes text so that roff does not interpret any of it.
fn text(text: &str) -> String {
    // Roff input is ASCII: other characters are written as escapes.
    let escaped = |c: char| {
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
    let plain: String = plain.chars().map(escaped).collect();
    let line = |l: &str| {
        if l.starts_with(['.', '\'']) {
            format!("\\&{l}")
        } else {
            l.to_string()
        }
    };
    plain.lines().map(line).collect::<Vec<_>>().join("\n")
}
