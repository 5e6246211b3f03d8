//! `:edit`: what to open in the user's editor.

use crate::answer::{CommandError, Control, EditRequest};
use crate::command::Arguments;
use crate::session::{Answer, Session};

pub(crate) fn edit(
    session: &mut Session,
    arguments: Arguments<'_>,
) -> Result<Answer, CommandError> {
    let exercise = session.lesson.as_ref().and_then(|l| l.next_exercise());
    let exercise = exercise.map(|exercise| exercise.name.clone());
    let request = match (arguments.text(), exercise) {
        ("", None) => EditRequest {
            file: Some(game_file(session)?),
            ..request(session, String::new())
        },
        (name, Some(exercise)) if is_exercise(name, &exercise) => {
            definition_to_edit(session, last_word(&exercise), true)?
        }
        (name, _) => definition_to_edit(session, name, false)?,
    };
    Ok(Answer {
        control: Some(Control::Edit(request)),
        ..Answer::new("")
    })
}

/// Whether `:edit NAME` is about the exercise, which may be called `piece NAME`. Without a name it is.
fn is_exercise(name: &str, exercise: &str) -> bool {
    ["", exercise, last_word(exercise)].contains(&name)
}

fn last_word(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or(text)
}

/// A request to edit a text.
fn request(session: &Session, text: String) -> EditRequest {
    let extensions = session.target.language().info().extensions;
    EditRequest {
        text,
        file: None,
        first_entry: None,
        extension: extensions.first().copied().unwrap_or("txt"),
    }
}

fn game_file(session: &Session) -> Result<String, CommandError> {
    session.program_file().path.clone().ok_or_else(|| {
        CommandError::new("this game has no file").advise(":edit NAME", "edits a definition")
    })
}

/// The text of a definition, or the file to edit instead if it cannot be redefined at the prompt.
/// After a mistake, it is the text that was not accepted.
fn definition_to_edit(
    session: &Session,
    name: &str,
    may_be_new: bool,
) -> Result<EditRequest, CommandError> {
    let definitions = session
        .target
        .language()
        .definitions(session.target.program());
    let definition = definitions.iter().rfind(|d| d.name == name);
    if definition.is_none() && !may_be_new {
        let names = definitions.iter().map(|d| d.name.as_str());
        return Err(CommandError::new(format!("unknown name `{name}`")).suggest(name, names));
    }
    // Languages with `:forget` do not allow redefinition at the prompt, so the whole file is edited
    // instead, if there is one.
    let is_final = crate::command::is_language_command(session, "forget");
    let span = definition.map(|definition| definition.span);
    let source = span.and_then(|span| session.target.sources.get(span.source));
    let origin = source.map(|s| s.origin.to_string());
    let file = session.program_file().path.clone();
    let is_in_file = is_final && origin.is_some() && origin == file;
    let text = span.map(|span| session.target.sources.slice(span).to_string());
    let text = rejected_text(session, name).or(text).unwrap_or_default();
    let is_replaced = is_final && definition.is_some() && !is_in_file;
    Ok(EditRequest {
        file: file.filter(|_| is_in_file),
        first_entry: is_replaced.then(|| format!(":forget {name}")),
        ..request(session, text)
    })
}

/// The last entry, if it failed and is about this name.
fn rejected_text(session: &Session, name: &str) -> Option<String> {
    let is_entry = |entry: &&crate::session::TranscriptEntry| entry.command.is_none();
    let last = session.transcript.entries.iter().rev().find(is_entry)?;
    let is_about = last.has_failed && last.input.contains(name) && last.input.contains('\n');
    is_about.then(|| last.input.clone())
}
