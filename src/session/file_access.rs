//! Reading a program from disk, with a plain answer when it is not one; or from what a session file brought along.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read};

/// More than any program has; what is larger is some other kind of file.
const LARGEST: u64 = 16 << 20;

/// Where the commands of a session read files.
#[derive(Default)]
pub struct FileAccess {
    /// What was brought along, to be read instead of the disk.
    brought: VecDeque<(String, String)>,
    /// What was read since somebody asked: names and texts.
    read: Vec<(String, String)>,
    /// Nothing but what was brought along is read.
    pub only_recorded: bool,
    /// What is typed was typed before: nothing is written a second time.
    pub is_replay: bool,
}

impl FileAccess {
    pub fn read(&mut self, path: &str) -> Result<String, String> {
        let here = self
            .brought
            .front()
            .is_some_and(|(name, _)| name == path || self.only_recorded);
        let text = match self.brought.pop_front().filter(|_| here) {
            Some((_, text)) => text,
            None if self.only_recorded => return Err(reason(path, ErrorKind::NotFound, "")),
            None => read_text(path)?,
        };
        self.read.push((path.to_string(), text.clone()));
        Ok(text)
    }

    pub fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        if self.is_replay {
            Ok(())
        } else {
            std::fs::write(path, text)
        }
    }

    /// The next command reads these.
    pub fn set_recorded(&mut self, files: &[(String, String)]) {
        self.brought = files.iter().cloned().collect();
    }

    pub fn set_files_read(&mut self, files: Vec<(String, String)>) {
        self.read = files;
    }

    pub fn take_files_read(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.read)
    }
}

/// The text of a file, or why there is none.
pub fn read_text(path: &str) -> Result<String, String> {
    let file = File::open(path).map_err(|e| reason(path, e.kind(), &e.to_string()))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        return Err(format!("{path} is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells whether there is more, for pipes too, which do not know their length.
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| reason(path, e.kind(), &e.to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!(
            "{path} is too large: a program may have up to {} MB",
            LARGEST >> 20
        ));
    }
    let line = |before: &[u8]| before.iter().filter(|&&b| b == b'\n').count() + 1;
    // No text has one, and in a journal it is what a power cut leaves.
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(format!(
            "{path} is not a text: line {} has a zero byte",
            line(&bytes[..at])
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!(
            "{path} is not a text: line {} has bytes that are not UTF-8",
            line(&e.as_bytes()[..at])
        )
    })
}

fn reason(path: &str, kind: ErrorKind, other: &str) -> String {
    match kind {
        ErrorKind::NotFound => format!("there is no file {path}"),
        ErrorKind::PermissionDenied => format!("{path} may not be read"),
        ErrorKind::IsADirectory => format!("{path} is a folder, not a file"),
        _ => format!("{path} can't be read: {other}"),
    }
}
