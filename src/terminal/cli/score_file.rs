//! The file that `gridbug lesson --score` writes for the teacher.

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
        let old = match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|_| {
                io::Error::other(format!("{path} already exists and is not a score file"))
            })?,
            Err(_) => Json::Null,
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
        std::fs::write(&self.path, &text)
            .map_err(|e| io::Error::other(format!("cannot write {}: {e}", self.path)))?;
        self.written = Some(text);
        Ok(())
    }
}
