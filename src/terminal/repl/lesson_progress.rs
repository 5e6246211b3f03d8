//! Remembers how far each lesson was played, in a small file in the state directory.

use crate::answer::{LessonList, LessonStatus, ListedLesson, Part};
use crate::command::{lesson_origin, list_lessons};
use crate::host::{Readers, create_private_dir, replace_file, state_dir};
use crate::language::Language;
use crate::languages;
use crate::render::lesson_list_lines;
use crate::session::{LessonOrigin, Line, Session, Style};
use crate::terminal::output::Screen;
use std::io;
use std::path::{Path, PathBuf};
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

    /// Stores how far the session's lesson is, if it has one and has moved. The error names the file.
    pub fn store(&mut self, session: &Session) -> io::Result<()> {
        let Some(lesson) = &session.lesson else {
            return Ok(());
        };
        let name = stored_name(session, &lesson.origin);
        let status = match lesson.next_number() {
            number if number <= lesson.step_count() => LessonStatus::Step(number),
            _ => LessonStatus::Finished,
        };
        let line = (status, name);
        if self.stored.as_ref() == Some(&line) {
            return Ok(());
        }
        self.stored = Some(line.clone());
        // Without a home directory, nothing is remembered.
        let Some(path) = &self.file else {
            return Ok(());
        };
        let stored = store_line(path, line);
        stored.map_err(|e| {
            let path = path.display();
            io::Error::other(format!(
                "cannot remember your place in the lesson in {path}: {e}"
            ))
        })
    }

    /// The lessons that are remembered; none if the file cannot be read.
    fn lines(&self) -> Vec<(LessonStatus, String)> {
        let lines = self.file.as_ref().and_then(|path| read_lines(path).ok());
        lines.unwrap_or_default()
    }
}

/// Adds a line to the file, in place of an earlier one about the same lesson.
fn store_line(path: &Path, line: (LessonStatus, String)) -> io::Result<()> {
    let mut lines = read_lines(path)?;
    lines.retain(|(_, name)| *name != line.1);
    lines.push(line);
    let from = lines.len().saturating_sub(MAX_LESSONS);
    let text: String = lines[from..].iter().map(line_text).collect();
    if let Some(directory) = path.parent() {
        create_private_dir(directory)?;
    }
    replace_file(path, text.as_bytes(), Readers::UserOnly)
}

/// The lines of the file; none if there is no file. Damaged lines are left out.
fn read_lines(path: &Path) -> io::Result<Vec<(LessonStatus, String)>> {
    let bytes = match std::fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let parse = |line: &str| {
        let (status, name) = line.split_once('\t')?;
        let status = match status {
            FINISHED => LessonStatus::Finished,
            number => LessonStatus::Step(number.parse().ok()?),
        };
        Some((status, name.to_string()))
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(parse).collect())
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
