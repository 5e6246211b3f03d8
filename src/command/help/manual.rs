//! The generated pages of `docs/`: commands, languages and errors, written from the program's own
//! tables so that they cannot get out of date.

use super::{FILE_HELP, KEY_HELP, forms_of};
use crate::command::forms::listed;
use crate::command::{Command, ErrorExplanation, Topic, error_explanations};
use crate::language::LanguageInfo;
use crate::languages::{ALL, by_name};

const HEADER: &str = "<!-- Generated from the program's tables: GRIDBUG_UPDATE=1 cargo test --test docs manual -->\n";

/// File name and text of every generated page.
pub fn manual_pages() -> Vec<(&'static str, String)> {
    vec![
        ("commands.md", commands()),
        ("languages.md", languages()),
        ("errors.md", errors()),
    ]
}

/// Escapes text for a Markdown table.
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
        "{HEADER}\n# Commands\n\nCommands start with a colon. At a stop, the colon is optional. Any unambiguous \
         abbreviation works.\n`:help NAME` shows the same at the prompt. `help`, `?`, `quit`, `exit` and \
         `clear` need no colon, unless your\nprogram defines such a name. At a terminal, long answers are shown \
         page by page, or in `$PAGER` if it\nis set; `PAGER=cat` prints them.\n"
    );
    for topic in Topic::ALL {
        page += &format!(
            "\n## {}\n\n| command | what it does | example |\n|---|---|---|\n",
            capitalize(topic.name())
        );
        for command in listed().filter(|c| c.heading() == topic) {
            let usage = format!(":{} {}", command.name, command.usage);
            let aliases: Vec<String> = command
                .aliases
                .iter()
                .map(|a| code(&format!(":{a}")))
                .collect();
            let aliases = if aliases.is_empty() {
                String::new()
            } else {
                format!(" (aliases {})", aliases.join(", "))
            };
            let (usage, example) = (code(usage.trim_end()), code(command.example));
            let forms: String = forms_of(command).map(|form| form_line(&form)).collect();
            page += &format!(
                "| {usage}{aliases} | {}{forms} | {example} |\n",
                cell(command.help)
            );
        }
    }
    for (heading, rows) in [("Keys", KEY_HELP), ("Files", FILE_HELP)] {
        page += &format!("\n## {heading}\n\n| | |\n|---|---|\n");
        rows.iter()
            .for_each(|(name, help)| page += &format!("| {} | {} |\n", code(name), cell(help)));
    }
    page
}

/// A form of a command, after its help.
fn form_line((usage, command): &(String, &Command)) -> String {
    let name = code(&format!(":{}", command.name));
    format!("<br>{} ({name}): {}", code(usage), cell(command.help))
}

fn languages() -> String {
    let mut page = format!(
        "{HEADER}\n# Languages\n\nThe syntax, built-ins, commands and guided tour (`:tour`) of each language. \
         `:help language` shows\nthe same at the prompt.\n"
    );
    ALL.iter()
        .for_each(|language| page += &one_language(language.info()));
    page
}

fn one_language(info: &LanguageInfo) -> String {
    let mut page = format!(
        "\n## {}\n\nFile extension: `.{}`. Keywords: ",
        info.title,
        info.extensions.join("` or `.")
    );
    page += &info
        .keywords
        .iter()
        .map(|k| code(k))
        .collect::<Vec<_>>()
        .join(" ");
    page += ".\n\n| syntax | meaning |\n|---|---|\n";
    info.guide
        .syntax_examples
        .iter()
        .for_each(|(syntax, meaning)| {
            page += &format!("| {} | {} |\n", code(syntax), cell(meaning));
        });
    if !info.builtins.is_empty() {
        page += "\n| built-in | meaning |\n|---|---|\n";
        info.builtins
            .iter()
            .for_each(|(name, help)| page += &format!("| {} | {} |\n", code(name), cell(help)));
    }
    if !info.commands.is_empty() {
        page += "\n| command | what it does |\n|---|---|\n";
        let row = |(name, usage, help): &(&str, &str, &str)| {
            format!(
                "| {} | {} |\n",
                code(format!(":{name} {usage}").trim_end()),
                cell(help)
            )
        };
        page.extend(info.commands.iter().map(row));
    }
    page += "\n### The tour\n\n";
    for (n, step) in info.guide.tour.iter().enumerate() {
        page += &format!(
            "{}. {}\n\n       {}\n\n",
            n + 1,
            step.text.replace('\n', "\n   "),
            step.input
        );
    }
    let sample = info.sample.trim_end();
    page + &format!("### The sample game\n\n```text\n{sample}\n```\n")
}

fn errors() -> String {
    let mut page = format!("{HEADER}\n# Errors\n\n`:explain CODE` shows the same at the prompt.\n");
    let heading_of = |explanation: &ErrorExplanation| {
        let language = by_name(explanation.language);
        match explanation.code.starts_with("RT") {
            true => "Runtime errors",
            false => language.map_or("", |language| language.info().title),
        }
    };
    let mut heading = "";
    for explanation in error_explanations() {
        if heading != heading_of(&explanation) {
            heading = heading_of(&explanation);
            page += &format!("\n## {heading}\n");
        }
        page += &format!("\n**{}** {}.\n\n", explanation.code, explanation.summary);
        for line in explanation.example() {
            page += &format!("    {line}\n");
        }
        let gap = if explanation.example().is_empty() {
            ""
        } else {
            "\n"
        };
        page += &format!("{gap}{}\n", explanation.fix.join("\n"));
    }
    page
}

fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
