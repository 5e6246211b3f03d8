//! `:edit`: opens a definition or file in the user's editor.

use crate::host::{Readers, create_file, find_program, remove_file};
use crate::session::EditRequest;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// How many names are tried for the temporary file.
const MAX_NAME_ATTEMPTS: u32 = 100;

/// Editors to use if neither `$VISUAL` nor `$EDITOR` is set: the first one that is installed.
const EDITORS: [(&str, Option<EditorHelp>); 4] = [
    (
        "nano",
        Some(EditorHelp {
            text: "Opening nano: `Ctrl-O` and Enter save, `Ctrl-X` leaves",
            is_on_screen: true,
        }),
    ),
    (
        "micro",
        Some(EditorHelp {
            text: "Opening micro: `Ctrl-S` saves, `Ctrl-Q` leaves",
            is_on_screen: true,
        }),
    ),
    (
        "vi",
        Some(EditorHelp {
            text: "Opening vi: `i` starts typing; `Esc`, then `:wq` and Enter saves and leaves; \
                   `:q!` leaves without saving. Set `EDITOR` to use another editor",
            is_on_screen: false,
        }),
    ),
    ("notepad", None),
];

/// How to use an editor that the user has not chosen.
pub struct EditorHelp {
    pub text: &'static str,
    /// Whether the editor shows its keys itself.
    pub is_on_screen: bool,
}

/// The editor to open.
pub struct Editor {
    /// A program, with arguments separated by spaces.
    command: String,
    is_default: bool,
}

impl Editor {
    /// The user's editor: `$VISUAL`, `$EDITOR` or one that is installed.
    pub fn choose() -> Editor {
        let variable = |name: &&str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
        if let Some(command) = ["VISUAL", "EDITOR"].iter().find_map(variable) {
            return Editor {
                command,
                is_default: false,
            };
        }
        let installed = EDITORS.iter().find(|(name, _)| find_program(name));
        Editor {
            command: installed.map_or("vi", |(name, _)| name).to_string(),
            is_default: true,
        }
    }

    /// How to use it, unless the user has chosen it.
    pub fn help(&self) -> Option<&'static EditorHelp> {
        let (_, help) = EDITORS.iter().find(|(name, _)| *name == self.command)?;
        help.as_ref().filter(|_| self.is_default)
    }
}

/// What the user did in the editor.
pub enum EditResult {
    /// Entries to run; the last one is the edited definition.
    Entries(Vec<String>),
    /// The file of the game was changed on disk.
    FileChanged,
    Unchanged,
}

/// Opens the editor and waits until it exits.
pub fn edit(request: &EditRequest, editor: &Editor) -> Result<EditResult, String> {
    if let Some(file) = &request.file {
        let before = std::fs::read(file).ok();
        open(&PathBuf::from(file), editor)?;
        return Ok(if std::fs::read(file).ok() == before {
            EditResult::Unchanged
        } else {
            EditResult::FileChanged
        });
    }
    let path =
        write_temp_file(request).map_err(|e| format!("cannot create a temporary file: {e}"))?;
    let status = open(&path, editor);
    let text = std::fs::read_to_string(&path);
    let _ = remove_file(&path);
    status?;
    let text = text.map_err(|e| format!("cannot read the edited text: {e}"))?;
    let is_unchanged = text.trim() == request.text.trim() || text.trim().is_empty();
    Ok(if is_unchanged {
        EditResult::Unchanged
    } else {
        let text = text.trim_end().to_string();
        EditResult::Entries(request.first_entry.iter().cloned().chain([text]).collect())
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
        let text = format!("{}\n", request.text.trim_end());
        match create_file(&path, text.as_bytes(), Readers::UserOnly) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < MAX_NAME_ATTEMPTS => {
                attempt += 1
            }
            Err(e) => return Err(e),
        }
    }
}

/// Runs the editor on the file.
fn open(path: &PathBuf, editor: &Editor) -> Result<(), String> {
    let editor = &editor.command;
    // The variable can contain arguments, e.g. `code --wait`.
    let mut arguments = editor.split_whitespace();
    let program = arguments.next().unwrap_or_default();
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
    use crate::terminal::repl::external_editor::*;

    #[test]
    fn an_existing_file_is_never_overwritten() {
        let request = EditRequest {
            text: "fun f() {}".into(),
            file: None,
            first_entry: None,
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
