//! Editing a text in the person's own editor.

use crate::host::{DEFAULT_EDITOR, private_file_options};
use crate::session::EditRequest;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

/// What came of it.
pub enum EditResult {
    /// A text to be done.
    NewText(String),
    /// The game's own file has been changed.
    FileChanged,
    Unchanged,
}

/// Opens the draft and waits until it is closed.
pub fn edit(draft: &EditRequest) -> Result<EditResult, String> {
    if let Some(file) = &draft.file {
        let before = std::fs::read(file).ok();
        open(&PathBuf::from(file))?;
        return Ok(if std::fs::read(file).ok() == before {
            EditResult::Unchanged
        } else {
            EditResult::FileChanged
        });
    }
    let path = written(draft).map_err(|e| format!("no place to edit: {e}"))?;
    let opened = open(&path);
    let text = std::fs::read_to_string(&path);
    let _ = std::fs::remove_file(&path);
    opened?;
    let text = text.map_err(|e| format!("the edited text can't be read: {e}"))?;
    let same = text.trim() == draft.text.trim() || text.trim().is_empty();
    Ok(if same {
        EditResult::Unchanged
    } else {
        EditResult::NewText(text.trim_end().to_string())
    })
}

/// A file of the person's own with the text in it: never one, or a link to one, that somebody else put there.
fn written(draft: &EditRequest) -> io::Result<PathBuf> {
    let mut tries = 0;
    loop {
        let path = std::env::temp_dir().join(format!(
            "gridbug-{}-{tries}.{}",
            std::process::id(),
            draft.extension
        ));
        match private_file_options().open(&path) {
            Ok(mut file) => return writeln!(file, "{}", draft.text.trim_end()).map(|()| path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            Err(e) => return Err(e),
        }
    }
}

fn open(path: &PathBuf) -> Result<(), String> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.trim().is_empty()));
    let editor = editor.unwrap_or_else(|| DEFAULT_EDITOR.to_string());
    // The variable may hold arguments: `code --wait`.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(DEFAULT_EDITOR);
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "the editor `{editor}` ended with {status}; nothing was taken"
        )),
        Err(e) => Err(format!(
            "the editor `{editor}` can't be started: {e}; set EDITOR to the one you like"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_somebody_put_there_is_left_alone() {
        let draft = EditRequest {
            text: "fun f() {}".into(),
            file: None,
            extension: "test",
        };
        let there = std::env::temp_dir().join(format!("gridbug-{}-0.test", std::process::id()));
        std::fs::write(&there, "not ours").unwrap();
        let ours = written(&draft).unwrap();
        assert_ne!(ours, there);
        assert_eq!(std::fs::read_to_string(&there).unwrap(), "not ours");
        assert_eq!(std::fs::read_to_string(&ours).unwrap(), "fun f() {}\n");
        std::fs::remove_file(there).unwrap();
        std::fs::remove_file(ours).unwrap();
    }
}
