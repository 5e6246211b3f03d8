//! The pages of the manual that repeat the program: they are written from its own tables, so that they can't lie.

use super::help::{FILES, KEYS};
use super::{Topic, all, mistakes};
use crate::language::About;
use crate::languages::ALL;

const NOTE: &str =
    "<!-- Written from the program's own tables: GRIDBUG_UPDATE=1 cargo test --test docs manual -->\n";

/// Every page with its name.
pub fn manual() -> Vec<(&'static str, String)> {
    vec![
        ("commands.md", commands()),
        ("languages.md", languages()),
        ("errors.md", errors()),
    ]
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn code(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("`{}`", cell(text))
    }
}

fn commands() -> String {
    let mut page = format!(
        "{NOTE}\n# Commands\n\nA command starts with a colon; at a stop the colon may be left out, and the beginning of a name \
         is enough.\n`:help NAME` tells the same at the prompt.\n"
    );
    for topic in Topic::ALL {
        page += &format!(
            "\n## {}\n\n| command | what it does | for example |\n|---|---|---|\n",
            title(topic.word())
        );
        for command in all().filter(|c| c.topic == topic) {
            let usage = format!(":{} {}", command.name, command.usage);
            let also: Vec<String> = command
                .aliases
                .iter()
                .map(|a| code(&format!(":{a}")))
                .collect();
            let also = if also.is_empty() {
                String::new()
            } else {
                format!(" (also {})", also.join(", "))
            };
            let (usage, example) = (code(usage.trim_end()), code(command.example));
            page += &format!("| {usage}{also} | {} | {example} |\n", cell(command.help));
        }
    }
    for (heading, rows) in [("Keys", KEYS), ("Files", FILES)] {
        page += &format!("\n## {heading}\n\n| | |\n|---|---|\n");
        rows.iter()
            .for_each(|(name, words)| page += &format!("| {} | {} |\n", code(name), cell(words)));
    }
    page
}

fn languages() -> String {
    let mut page = format!(
        "{NOTE}\n# Languages\n\nWhat each has, as `:help language` tells it, and its tour (`:tour`).\n"
    );
    ALL.iter()
        .for_each(|language| page += &one_language(language.about()));
    page
}

fn one_language(about: &About) -> String {
    let mut page = format!(
        "\n## {}\n\nFiles end in `.{}`. Words: ",
        about.title,
        about.extensions.join("` or `.")
    );
    page += &about
        .keywords
        .iter()
        .map(|k| code(k))
        .collect::<Vec<_>>()
        .join(" ");
    page += ".\n\n| what is written | what it is |\n|---|---|\n";
    about
        .guide
        .forms
        .iter()
        .for_each(|(form, words)| page += &format!("| {} | {} |\n", code(form), cell(words)));
    if !about.builtins.is_empty() {
        page += "\n| name | what it is |\n|---|---|\n";
        about
            .builtins
            .iter()
            .for_each(|(name, words)| page += &format!("| {} | {} |\n", code(name), cell(words)));
    }
    if !about.commands.is_empty() {
        page += "\n| command of its own | what it does |\n|---|---|\n";
        let row = |(name, usage, words): &(&str, &str, &str)| {
            format!(
                "| {} | {} |\n",
                code(format!(":{name} {usage}").trim_end()),
                cell(words)
            )
        };
        page.extend(about.commands.iter().map(row));
    }
    page += "\n### The tour\n\n";
    for (n, lesson) in about.guide.tour.iter().enumerate() {
        page += &format!(
            "{}. {}\n\n       {}\n\n",
            n + 1,
            lesson.tells.replace('\n', "\n   "),
            lesson.types
        );
    }
    let sample = about.sample.trim_end();
    page + &format!("### The game it is taken through\n\n```text\n{sample}\n```\n")
}

fn errors() -> String {
    let mut page = format!("{NOTE}\n# Errors\n\n`:explain CODE` tells the same at the prompt.\n");
    let title_of = |code: &str| {
        let of = |about: &About| {
            about
                .codes
                .iter()
                .any(|(c, _)| *c == code)
                .then_some(about.title)
        };
        ALL.iter()
            .find_map(|l| of(l.about()))
            .unwrap_or("When a program runs")
    };
    let mut heading = "";
    for mistake in mistakes() {
        if heading != title_of(mistake.code) {
            heading = title_of(mistake.code);
            page += &format!("\n## {heading}\n");
        }
        page += &format!("\n**{}** {}.\n\n", mistake.code, mistake.meaning);
        for line in mistake.example() {
            page += &format!("    {line}\n");
        }
        let gap = if mistake.example().is_empty() {
            ""
        } else {
            "\n"
        };
        page += &format!("{gap}{}\n", mistake.mend.join("\n"));
    }
    page
}

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
