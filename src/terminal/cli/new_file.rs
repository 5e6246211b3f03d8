//! `gridbug new FILE`: writes a small game to start from. `gridbug examples`: lists the built-in
//! games and prints one.

use crate::command::{Example, list_examples};
use crate::host::{Readers, create_file};
use crate::render::example_lines;
use crate::session::{Line, Style};
use crate::terminal::output::Screen;
use crate::terminal::{detect_language, fail, print_output};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// Writes the template of the file's language. Never overwrites a file.
pub fn create(file: &str, lang: Option<&str>, screen: &mut Screen) -> io::Result<ExitCode> {
    let language = match detect_language(Some(file), lang) {
        Ok(language) => language,
        Err(reason) => return Ok(fail(&reason)),
    };
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let text = language.info().guide.template.replace("FILE", name);
    match create_file(file.as_ref(), text.as_bytes(), Readers::Usual) {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            return Ok(fail(&format!(
                "{file} already exists; choose another name, or open it with `gridbug {file}`"
            )));
        }
        Err(e) => return Ok(fail(&format!("cannot write {file}: {e}"))),
    }
    let title = language.info().title;
    screen.print_lines(&[Line::plain(format!("Wrote {file}, a small {title} game"))])?;
    screen.print_lines(&command_lines([
        (format!("gridbug run {file}"), "plays it"),
        (
            format!("gridbug {file}"),
            "opens it at the prompt, to change and debug it",
        ),
    ]))?;
    screen.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Two command lines with what they do.
fn command_lines(commands: [(String, &str); 2]) -> [Line; 2] {
    let lengths = commands.each_ref().map(|(text, _)| text.chars().count());
    let width = lengths[0].max(lengths[1]);
    commands.map(|(text, description)| {
        let gap = " ".repeat(width - text.chars().count() + 3);
        Line::plain("  ")
            .with(Style::Strong, text)
            .with(Style::Plain, format!("{gap}{description}"))
    })
}

/// Lists the built-in games.
pub fn print_list(screen: &mut Screen) -> io::Result<ExitCode> {
    screen.print_lines(&example_lines(&list_examples()))?;
    screen.print_lines(&command_lines([
        (
            "gridbug examples NAME".to_string(),
            "opens a game at the prompt",
        ),
        (
            "gridbug examples NAME --print".to_string(),
            "prints it, for a file of your own",
        ),
    ]))?;
    screen.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the text of a built-in game.
pub fn print_example(example: Example, screen: Screen) -> io::Result<ExitCode> {
    print_output(example.game.text, screen)
}
