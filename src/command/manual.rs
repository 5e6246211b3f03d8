//! The pages of the manual that repeat the program: they are written from its own tables, so that they can't lie.

use super::help::{FILE_HELP, KEY_HELP};
use super::{Topic, all, error_explanations};
use crate::language::LanguageInfo;
use crate::languages::ALL;

const NOTE: &str = "<!-- Written from the program's own tables: GRIDBUG_UPDATE=1 cargo test --test docs manual -->\n";

/// Every page with its name.
pub fn manual_pages() -> Vec<(&'static str, String)> {
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
            title(topic.name())
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
    for (heading, rows) in [("Keys", KEY_HELP), ("Files", FILE_HELP)] {
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
        .for_each(|language| page += &one_language(language.info()));
    page
}

fn one_language(about: &LanguageInfo) -> String {
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
        .syntax_examples
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
            lesson.text.replace('\n', "\n   "),
            lesson.input
        );
    }
    let sample = about.sample.trim_end();
    page + &format!("### The game it is taken through\n\n```text\n{sample}\n```\n")
}

fn errors() -> String {
    let mut page = format!("{NOTE}\n# Errors\n\n`:explain CODE` tells the same at the prompt.\n");
    let title_of = |code: &str| {
        let of = |about: &LanguageInfo| {
            about
                .error_codes
                .iter()
                .any(|(c, _)| *c == code)
                .then_some(about.title)
        };
        ALL.iter()
            .find_map(|l| of(l.info()))
            .unwrap_or("When a program runs")
    };
    let mut heading = "";
    for mistake in error_explanations() {
        if heading != title_of(mistake.code) {
            heading = title_of(mistake.code);
            page += &format!("\n## {heading}\n");
        }
        page += &format!("\n**{}** {}.\n\n", mistake.code, mistake.summary);
        for line in mistake.example() {
            page += &format!("    {line}\n");
        }
        let gap = if mistake.example().is_empty() {
            ""
        } else {
            "\n"
        };
        page += &format!("{gap}{}\n", mistake.fix.join("\n"));
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
