//! Remembers how far each lesson was played, in a small file in the state directory.

use crate::answer::{LessonList, LessonStatus, ListedLesson, Part};
use crate::command::{lesson_origin, list_lessons};
use crate::host::{private_file_options, state_dir};
use crate::language::Language;
use crate::languages;
use crate::render::lesson_list_lines;
use crate::session::{LessonOrigin, Line, Session, Style};
use crate::terminal::output::Screen;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lessons that are remembered; the ones played longest ago are forgotten.
const MAX_LESSONS: usize = 200;

/// Stands for the number of the next step of a lesson that was played to its end.
const FINISHED: &str = "finished";

/// The file with one line per lesson: the number of the next step, a tab and the name of the lesson.
/// The lesson played last is the last one.
pub struct LessonProgress {
    file: Option<PathBuf>,
    /// What was stored last.
    stored: Option<(LessonStatus, String)>,
}

impl LessonProgress {
    pub fn new() -> LessonProgress {
        LessonProgress {
            file: state_dir().map(|dir| dir.join("lessons")),
            stored: None,
        }
    }

    /// The next step of a lesson that was begun earlier and not finished.
    pub fn next_step(&self, session: &Session, argument: &str) -> Option<usize> {
        let name = stored_name(session, &lesson_origin(argument));
        match self.status(&name) {
            LessonStatus::Step(step) if step > 1 => Some(step),
            LessonStatus::Step(_) | LessonStatus::New | LessonStatus::Finished => None,
        }
    }

    /// Adds to lists of lessons how far each was played.
    pub fn complete(&self, parts: &mut [Part]) {
        for part in parts {
            if let Part::LessonList(list) = part {
                self.complete_list(list);
            }
        }
    }

    fn complete_list(&self, list: &mut LessonList) {
        for lesson in &mut list.lessons {
            let ListedLesson {
                language, number, ..
            } = *lesson;
            lesson.status = self.status(&course_name(language, number));
        }
    }

    /// How far a lesson was played.
    fn status(&self, name: &str) -> LessonStatus {
        let lines = self.lines();
        let line = lines.iter().rev().find(|(_, n)| n == name);
        line.map_or(LessonStatus::New, |(status, _)| *status)
    }

    /// Stores how far the session's lesson is, if it has one and has moved.
    pub fn store(&mut self, session: &Session) {
        let Some(lesson) = &session.lesson else {
            return;
        };
        let name = stored_name(session, &lesson.origin);
        let status = match lesson.next_number() {
            number if number <= lesson.step_count() => LessonStatus::Step(number),
            _ => LessonStatus::Finished,
        };
        let line = (status, name);
        if self.stored.as_ref() == Some(&line) {
            return;
        }
        let mut lines = self.lines();
        lines.retain(|(_, name)| *name != line.1);
        lines.push(line.clone());
        let from = lines.len().saturating_sub(MAX_LESSONS);
        let text: String = lines[from..].iter().map(line_text).collect();
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
        self.stored = Some(line);
    }

    fn lines(&self) -> Vec<(LessonStatus, String)> {
        let text = self
            .file
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        let text = text.unwrap_or_default();
        let parse = |line: &str| {
            let (status, name) = line.split_once('\t')?;
            let status = match status {
                FINISHED => LessonStatus::Finished,
                number => LessonStatus::Step(number.parse().ok()?),
            };
            Some((status, name.to_string()))
        };
        text.lines().filter_map(parse).collect()
    }
}

/// A line of the file.
fn line_text((status, name): &(LessonStatus, String)) -> String {
    match status {
        LessonStatus::New => String::new(),
        LessonStatus::Step(step) => format!("{step}\t{name}\n"),
        LessonStatus::Finished => format!("{FINISHED}\t{name}\n"),
    }
}

/// The name of a lesson in the file: the absolute path of a session file.
fn stored_name(session: &Session, origin: &LessonOrigin) -> String {
    match origin {
        LessonOrigin::File(path) => session.host().absolute_path(path),
        LessonOrigin::Course { language, number } => course_name(language, *number),
    }
}

/// The name of a lesson of the course, which no absolute path starts with.
fn course_name(language: &str, number: usize) -> String {
    format!("course {language} {number}")
}

/// Prints the lessons of the course, or those of one language, with how far each was played.
pub fn print_list(language: Option<&dyn Language>, screen: &mut Screen) -> io::Result<ExitCode> {
    let mut list = list_lessons(language);
    LessonProgress::new().complete_list(&mut list);
    screen.print_lines(&lesson_list_lines(&list))?;
    let name = language.unwrap_or(languages::ALL[0]).info().name;
    let hint = format!("`gridbug lesson {name} 1` opens the first one");
    screen.print_lines(&[Line::styled(Style::Dim, hint)])?;
    screen.flush()?;
    Ok(ExitCode::SUCCESS)
}
