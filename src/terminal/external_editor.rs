//! `:edit`: opens a definition or file in the user's editor.

use crate::host::{DEFAULT_EDITOR, private_file_options};
use crate::session::EditRequest;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

/// How many names are tried for the temporary file.
const MAX_NAME_ATTEMPTS: u32 = 100;

/// What the user did in the editor.
pub enum EditResult {
    /// The edited definition, to be run as an entry.
    NewText(String),
    /// The file of the game was changed on disk.
    FileChanged,
    Unchanged,
}

/// Opens the editor and waits until it exits.
pub fn edit(request: &EditRequest) -> Result<EditResult, String> {
    if let Some(file) = &request.file {
        let before = std::fs::read(file).ok();
        open(&PathBuf::from(file))?;
        return Ok(if std::fs::read(file).ok() == before {
            EditResult::Unchanged
        } else {
            EditResult::FileChanged
        });
    }
    let path =
        write_temp_file(request).map_err(|e| format!("cannot create a temporary file: {e}"))?;
    let status = open(&path);
    let text = std::fs::read_to_string(&path);
    let _ = std::fs::remove_file(&path);
    status?;
    let text = text.map_err(|e| format!("cannot read the edited text: {e}"))?;
    let is_unchanged = text.trim() == request.text.trim() || text.trim().is_empty();
    Ok(if is_unchanged {
        EditResult::Unchanged
    } else {
        EditResult::NewText(text.trim_end().to_string())
    })
}

/// Writes the text to a new temporary file that only the user can read. An existing file or
/// symbolic link is never opened, because another user may have put it there.
fn write_temp_file(request: &EditRequest) -> io::Result<PathBuf> {
    let mut attempt = 0;
    loop {
        let path = std::env::temp_dir().join(format!(
            "gridbug-{}-{attempt}.{}",
            std::process::id(),
            request.extension
        ));
        match private_file_options().open(&path) {
            Ok(mut file) => return writeln!(file, "{}", request.text.trim_end()).map(|()| path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < MAX_NAME_ATTEMPTS => {
                attempt += 1
            }
            Err(e) => return Err(e),
        }
    }
}

/// Runs `$VISUAL` or `$EDITOR` on the file.
fn open(path: &PathBuf) -> Result<(), String> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.trim().is_empty()));
    let editor = editor.unwrap_or_else(|| DEFAULT_EDITOR.to_string());
    // The variable can contain arguments, e.g. `code --wait`.
    let mut arguments = editor.split_whitespace();
    let program = arguments.next().unwrap_or(DEFAULT_EDITOR);
    match Command::new(program).args(arguments).arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "the editor `{editor}` failed ({status}); nothing was changed"
        )),
        Err(e) => Err(format!(
            "cannot start the editor `{editor}`: {e}; set EDITOR to the one you want"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_file_is_never_overwritten() {
        let request = EditRequest {
            text: "fun f() {}".into(),
            file: None,
            extension: "test",
        };
        let existing = std::env::temp_dir().join(format!("gridbug-{}-0.test", std::process::id()));
        std::fs::write(&existing, "not ours").unwrap();
        let ours = write_temp_file(&request).unwrap();
        assert_ne!(ours, existing);
        assert_eq!(std::fs::read_to_string(&existing).unwrap(), "not ours");
        assert_eq!(std::fs::read_to_string(&ours).unwrap(), "fun f() {}\n");
        std::fs::remove_file(existing).unwrap();
        std::fs::remove_file(ours).unwrap();
    }
}
