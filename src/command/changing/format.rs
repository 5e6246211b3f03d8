//! `:fmt`: puts the program into the layout of its language.

use crate::answer::{CommandError, Notice};
use crate::command::inspecting::listing::whole_program;
use crate::command::keeping::save_program::{is_program_path, save_program};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::debugger::long_text::limit_work;
use crate::session::{Answer, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "fmt",
    aliases: &[],
    usage: "",
    topic: Topic::Session,
    help: "format the program and save it to its file, or show it if it has none",
    example: ":fmt",
    effects: CommandEffects::of(Topic::Session)
        .writes_files()
        .must_be_typed(),
    completion: ArgumentCompletion::Nothing,
    run: format,
}];

fn format(session: &mut Session, _: Arguments<'_>) -> Result<Answer, CommandError> {
    let path = session.program_file().path.clone();
    let path = path.filter(|path| is_program_path(session.target.language(), path));
    let name = path.as_deref().unwrap_or("game");
    let was_formatted = session.program_file().is_formatted;
    let before = session.program_text(name).text;
    session.program_file_mut().is_formatted = true;
    let formatting = || {
        let after = session.program_text(name).text;
        changed_line_count(&before, &after)
    };
    let Ok(changed) = limit_work(&session.target.machine, formatting) else {
        session.program_file_mut().is_formatted = was_formatted;
        return Err(CommandError::new(
            "interrupted before the end; nothing was changed",
        ));
    };
    let mut answer = Answer::of(Notice::Formatted { lines: changed });
    match path {
        None => answer.absorb(whole_program(session)),
        Some(_) if changed == 0 && session.unsaved_count() == 0 => {}
        Some(path) => match save_program(session, &path, false) {
            Ok(saved) => answer.absorb(saved),
            Err(error) => {
                session.program_file_mut().is_formatted = was_formatted;
                return Err(error);
            }
        },
    }
    Ok(answer)
}

/// How many lines that are not blank differ.
fn changed_line_count(before: &str, after: &str) -> usize {
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(str::to_string).collect()
    };
    let (before, after) = (code(before), code(after));
    let same = before.iter().zip(&after).filter(|(a, b)| a == b).count();
    before.len().max(after.len()) - same
}
