//! Remembers how far each lesson was played, in a small file in the state directory.

use crate::host::{private_file_options, state_dir};
use crate::session::Session;
use std::io::Write;
use std::path::PathBuf;

/// Lessons that are remembered; the ones played longest ago are forgotten.
const MAX_LESSONS: usize = 200;

/// The file with one line per lesson: the number of the next step, a tab and the absolute path. The
/// lesson played last is the last one.
pub struct LessonProgress {
    file: Option<PathBuf>,
    /// What was stored last.
    stored: Option<(String, usize)>,
}

impl LessonProgress {
    pub fn new() -> LessonProgress {
        LessonProgress {
            file: state_dir().map(|dir| dir.join("lessons")),
            stored: None,
        }
    }

    /// The next step of a lesson that was begun earlier and not finished.
    pub fn next_step(&self, session: &Session, path: &str) -> Option<usize> {
        let path = session.host().absolute_path(path);
        let lines = self.lines();
        let line = lines.iter().rev().find(|(_, p)| *p == path)?;
        Some(line.0).filter(|step| *step > 1)
    }

    /// Stores how far the session's lesson is, if it has one and has moved. At its end it is
    /// forgotten, so that it starts from the beginning next time.
    pub fn store(&mut self, session: &Session) {
        let Some(lesson) = &session.lesson else {
            return;
        };
        let path = session.host().absolute_path(&lesson.path);
        let number = lesson.next_number();
        if self.stored.as_ref() == Some(&(path.clone(), number)) {
            return;
        }
        let mut lines = self.lines();
        lines.retain(|(_, p)| *p != path);
        if number <= lesson.step_count() {
            lines.push((number, path.clone()));
        }
        let from = lines.len().saturating_sub(MAX_LESSONS);
        let lines = lines[from..].iter();
        let text: String = lines.map(|(n, path)| format!("{n}\t{path}\n")).collect();
        // Without a home directory, or if it cannot be written, nothing is remembered.
        let options = private_file_options();
        if let Some(mut file) = self.file.as_ref().and_then(|path| {
            std::fs::create_dir_all(path.parent()?).ok()?;
            options
                .clone()
                .create_new(false)
                .create(true)
                .write(true)
                .truncate(true)
                .open(path)
                .ok()
        }) {
            let _ = file.write_all(text.as_bytes());
        }
        self.stored = Some((path, number));
    }

    fn lines(&self) -> Vec<(usize, String)> {
        let text = self
            .file
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        let text = text.unwrap_or_default();
        let parse = |line: &str| {
            let (number, path) = line.split_once('\t')?;
            Some((number.parse().ok()?, path.to_string()))
        };
        text.lines().filter_map(parse).collect()
    }
}
