//! File access of a session: reads programs from the host, with readable errors, or from the files
//! recorded in a session file, so that a replay does not depend on the host.

use crate::host::Host;
use std::collections::VecDeque;
use std::io::ErrorKind;
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

    /// Replaces the list of files read, to undo the effect of a nested command.
    pub fn set_files_read(&mut self, files: Vec<(String, String)>) {
        self.files_read = files;
    }

    /// The files read since the last call.
    pub fn take_files_read(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.files_read)
    }
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
