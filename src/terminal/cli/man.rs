//! `gridbug man`: the manual page, generated from the clap description and the command table.

use crate::command::{self, Topic};
use crate::languages;
use crate::terminal::Arguments;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

/// The manual page in roff format.
pub fn page() -> io::Result<String> {
    let mut cli = Arguments::command();
    cli.build();
    let mut page = Vec::new();
    let man = Man::new(cli.clone()).title("GRIDBUG");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    own_sections(&cli).to_writer(&mut page)?;
    Ok(to_ascii(&String::from_utf8_lossy(&page)))
}

/// The sections that clap knows nothing about or would fill with names of other pages.
fn own_sections(cli: &Command) -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["SUBCOMMANDS"]);
    for subcommand in cli.get_subcommands() {
        let about = subcommand.get_about().map(|a| a.to_string());
        entry(
            &mut page,
            subcommand.get_name(),
            "",
            &about.unwrap_or_default(),
        );
    }
    page.control("SH", ["COMMANDS AT THE PROMPT"]);
    page.text([roman(
        "Commands start with a colon. At a stop the colon can be omitted.",
    )]);
    for topic in Topic::ALL {
        page.control("SS", [topic.name()]);
        for command in command::listed().filter(|c| c.heading() == topic) {
            let name = format!(":{}", command.name);
            entry(&mut page, &name, command.usage, command.help);
        }
    }
    page.control("SH", ["LANGUAGES"]);
    for language in languages::ALL {
        let info = language.info();
        let option = format!("--lang {}", info.name);
        let extensions = format!("file extension .{}", info.extensions.join(" or ."));
        entry(&mut page, info.title, &option, &extensions);
    }
    let after = cli.get_after_long_help().map(|a| a.to_string());
    page.control("SH", ["EXAMPLES AND EXIT CODE"]);
    page.control("nf", []);
    page.text([roman(after.unwrap_or_default())]);
    page.control("fi", []);
    page
}

/// A tagged paragraph: bold `name`, then `arguments`, then the description below.
fn entry(page: &mut Roff, name: &str, arguments: &str, description: &str) {
    let arguments = format!(" {arguments}");
    page.control("TP", []);
    page.text([bold(name), roman(arguments.trim_end())]);
    page.text([roman(description)]);
}

/// Roff input is ASCII: other characters are written as escapes.
fn to_ascii(page: &str) -> String {
    let escaped = |c: char| match c {
        '…' => "...".to_string(),
        c if c.is_ascii() => c.to_string(),
        c => format!("\\[u{:04X}]", c as u32),
    };
    page.chars().map(escaped).collect()
}
