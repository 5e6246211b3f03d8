//! File access of a session: reads programs from the host, with readable errors, or from the files
//! recorded in a session file, so that a replay does not depend on the host.

use crate::host::Host;
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Larger files are rejected: no program is that long.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The files that the commands of a session read and write. What is read is recorded, for the
/// transcript; a replay gets the recorded files back.
pub struct FileAccess {
    host: Rc<dyn Host>,
    /// Recorded files, as (name, text), to be read instead of the host's.
    recorded: VecDeque<(String, String)>,
    /// What was read since the last [`FileAccess::take_files_read`], as (name, text).
    files_read: Vec<(String, String)>,
    /// Read recorded files only, never the host's.
    pub only_recorded: bool,
    /// The input is being replayed: writing does nothing.
    pub is_replay: bool,
    /// Read only files in this directory: the input is a session file that another person wrote.
    pub confined_to: Option<PathBuf>,
}

/// What the lines of a session file may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Any file, as if the user had typed the lines.
    Full,
    /// Files beside the session file.
    Beside,
}

impl FileAccess {
    /// Access to the files of a host.
    pub fn new(host: Rc<dyn Host>) -> FileAccess {
        FileAccess {
            host,
            recorded: VecDeque::new(),
            files_read: Vec::new(),
            only_recorded: false,
            is_replay: false,
            confined_to: None,
        }
    }

    /// The host that supplies the files.
    pub fn host(&self) -> &Rc<dyn Host> {
        &self.host
    }

    /// Reads a file, from the recorded ones if it is the next of them.
    pub fn read(&mut self, path: &str) -> Result<String, String> {
        let is_recorded = self
            .recorded
            .front()
            .is_some_and(|(name, _)| name == path || self.only_recorded);
        let text = match self.recorded.pop_front().filter(|_| is_recorded) {
            Some((_, text)) => text,
            None if self.only_recorded => return Err(read_error(path, ErrorKind::NotFound, "")),
            None if self.confined_to.is_some() => {
                let directory = self.confined_to.as_deref().unwrap_or(Path::new(""));
                read_beside(self.host.as_ref(), directory, path)?
            }
            None => read_text(self.host.as_ref(), path)?,
        };
        self.files_read.push((path.to_string(), text.clone()));
        Ok(text)
    }

    /// Writes a file, except in a replay.
    pub fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        if self.is_replay {
            Ok(())
        } else {
            self.host.write(path, text)
        }
    }

    /// Sets the files that the next command reads.
    pub fn set_recorded(&mut self, files: &[(String, String)]) {
        self.recorded = files.iter().cloned().collect();
    }

    /// The names of the files that the next command reads in a replay.
    pub fn recorded_names(&self) -> Vec<String> {
        self.recorded.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Replaces the list of files read, to undo the effect of a nested command.
    pub fn set_files_read(&mut self, files: Vec<(String, String)>) {
        self.files_read = files;
    }

    /// The files read since the last call.
    pub fn take_files_read(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.files_read)
    }
}

/// Reads a file for a session file in `directory`: it must be beside that or below, and a file that ends.
pub fn read_beside(host: &dyn Host, directory: &Path, path: &str) -> Result<String, String> {
    let normalized = |path: &Path| {
        let path = if path == Path::new("") {
            Path::new(".")
        } else {
            path
        };
        normal_form(&host.absolute_path(&path.to_string_lossy()))
    };
    if !normalized(Path::new(path)).starts_with(normalized(directory)) {
        return Err(format!(
            "{path} is not beside the session file, which reads no other files; `gridbug --trust` allows it"
        ));
    }
    if host.exists(path) && !host.is_regular_file(path) {
        return Err(format!("{path} is not a regular file"));
    }
    read_text(host, path)
}

/// A path without `.` and `..`.
fn normal_form(path: &str) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                // Above a relative path is what its name says, and nothing is below that.
                if !normal.pop() {
                    normal.push("..");
                }
            }
            component => normal.push(component),
        }
    }
    normal
}

/// A text that replaces a file: with a byte order mark if the file starts with one, as some editors
/// write it.
pub fn with_byte_order_mark_of(host: &dyn Host, path: &str, text: &str) -> String {
    let mark = "\u{feff}";
    match host.read(path, mark.len() as u64) {
        Ok(bytes) if bytes == mark.as_bytes() => format!("{mark}{text}"),
        _ => text.to_string(),
    }
}

/// The text of a file, or a message that says why it cannot be read.
pub fn read_text(host: &dyn Host, path: &str) -> Result<String, String> {
    // One byte past the limit tells larger files from those that just fit.
    let bytes = host
        .read(path, MAX_FILE_BYTES + 1)
        .map_err(|e| read_error(path, e.kind(), &e.to_string()))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!(
            "{path} is too large: the limit is {} MB",
            MAX_FILE_BYTES >> 20
        ));
    }
    let line_number = |before: &[u8]| before.iter().filter(|&&b| b == b'\n').count() + 1;
    // Zero bytes are valid UTF-8, but not text. A power cut can leave them at the end of a journal.
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(format!(
            "{path} is not a text file: line {} has a zero byte",
            line_number(&bytes[..at])
        ));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!(
            "{path} is not UTF-8 text: line {} has invalid bytes",
            line_number(&e.as_bytes()[..at])
        )
    })?;
    // Some editors start files with a byte order mark; no language needs it.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

fn read_error(path: &str, kind: ErrorKind, other: &str) -> String {
    match kind {
        ErrorKind::NotFound => format!("file not found: {path}"),
        ErrorKind::PermissionDenied => format!("no permission to read {path}"),
        ErrorKind::IsADirectory => format!("{path} is a directory, not a file"),
        _ => format!("cannot read {path}: {other}"),
    }
}
