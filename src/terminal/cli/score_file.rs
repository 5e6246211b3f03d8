//! The file that `gridbug lesson --score` writes for the teacher.

use crate::host::{Readers, replace_file};
use crate::protocol::score_to_json;
use crate::session::Session;
use serde_json::Value as Json;
use std::io;
use std::path::Path;

/// The score of a lesson. It is written after every answer, so that closing the terminal loses
/// nothing.
pub struct ScoreFile {
    path: String,
    lesson: String,
    /// The questions in the file, from when the lesson was played before.
    earlier: Vec<Json>,
    written: Option<String>,
}

impl ScoreFile {
    /// The score file of a lesson, with the questions that it has already if the lesson is continued.
    pub fn open(path: &str, lesson: &str, is_continued: bool) -> io::Result<ScoreFile> {
        let name = Path::new(lesson).file_name().unwrap_or_default();
        let lesson = name.to_string_lossy().into_owned();
        let old = match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| {
                io::Error::other(format!("{path} already exists and is not a score file"))
            })?,
            // Only a file that is not there can be replaced without a loss.
            Err(e) if e.kind() == io::ErrorKind::NotFound => Json::Null,
            Err(e) => return Err(io::Error::other(format!("cannot read {path}: {e}"))),
        };
        if !old.is_null() && !old["questions"].is_array() {
            let message = format!("{path} already exists and is not a score file");
            return Err(io::Error::other(message));
        }
        let is_same = is_continued && old["lesson"] == lesson.as_str();
        let questions = old["questions"].as_array().filter(|_| is_same);
        Ok(ScoreFile {
            path: path.to_string(),
            lesson,
            earlier: questions.cloned().unwrap_or_default(),
            written: None,
        })
    }

    /// Writes the file if there is something new.
    pub fn store(&mut self, session: &Session) -> io::Result<()> {
        let json = score_to_json(session, &self.lesson, &self.earlier);
        let text = serde_json::to_string_pretty(&json)? + "\n";
        if self.written.as_ref() == Some(&text) {
            return Ok(());
        }
        replace_file(self.path.as_ref(), text.as_bytes(), Readers::Usual)
            .map_err(|e| io::Error::other(format!("cannot write {}: {e}", self.path)))?;
        self.written = Some(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_score_file_is_replaced() {
        let path = std::env::temp_dir().join(format!("gridbug-score-{}", std::process::id()));
        let name = path.to_str().unwrap();
        for text in [&b"caf\xe9"[..], b"notes", b"[1]", b""] {
            std::fs::write(&path, text).unwrap();
            let error = ScoreFile::open(name, "one.session", true)
                .err()
                .expect("an error");
            assert!(error.to_string().contains("is not a score file"), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(ScoreFile::open(name, "one.session", true).is_ok());
    }
}
