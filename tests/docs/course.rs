//! The rules that every lesson of the course keeps. `sessions.rs` replays the lessons.

use gridbug::languages;
use gridbug::session::session_file::{SessionFile, SessionInput, SessionItem};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Remarks fit a narrow terminal, with the indentation of the lesson.
const MAX_REMARK_WIDTH: usize = 72;
/// A lesson is neither a single trick nor an evening.
const STEP_COUNT: RangeInclusive<usize> = 8..=20;

struct Lesson {
    name: String,
    number: usize,
    file: SessionFile,
}

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/course")
}

/// The file names of a language's lessons, in order.
fn file_names(language: &str) -> Vec<String> {
    let entries = std::fs::read_dir(course().join(language)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The lessons of all languages, as they are built in.
fn lessons() -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for language in languages::ALL {
        let info = language.info();
        for (index, text) in info.guide.lessons.iter().enumerate() {
            let name = format!("{} {}", info.name, index + 1);
            lessons.push(Lesson {
                file: SessionFile::parse(text).unwrap_or_else(|e| panic!("{name}: {e}")),
                name,
                number: index + 1,
            });
        }
    }
    lessons
}

impl Lesson {
    /// Everything that is entered, without the answers to the program's questions.
    fn steps(&self) -> impl Iterator<Item = &SessionInput> {
        self.file.items.iter().filter_map(|item| match item {
            SessionItem::Input(input) if !input.is_answer => Some(input),
            _ => None,
        })
    }

    fn comments(&self) -> impl Iterator<Item = &String> {
        let items = self.file.items.iter().filter_map(|item| match item {
            SessionItem::Comment(text) => Some(text),
            _ => None,
        });
        self.file.header_comments.iter().chain(items)
    }
}

#[test]
fn the_built_in_lessons_are_the_files_numbered_without_gaps() {
    for language in languages::ALL {
        let info = language.info();
        let names = file_names(info.name);
        assert_eq!(names.len(), info.guide.lessons.len(), "{}", info.name);
        for (index, name) in names.iter().enumerate() {
            let number = format!("{:02}-", index + 1);
            assert!(name.starts_with(&number), "{name} is lesson {number}");
            let path = course().join(info.name).join(name);
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text, info.guide.lessons[index], "{}", path.display());
        }
    }
    let count = |name: &str| languages::by_name(name).unwrap().info().guide.lessons.len();
    assert!(count("gridlok") >= 12);
    for name in ["bogl", "gridlang", "tinygame", "sgl2d"] {
        assert!(count(name) >= 3, "{name}");
    }
}

#[test]
fn every_lesson_begins_with_its_number_and_what_one_learns() {
    for lesson in lessons() {
        let header = &lesson.file.header_comments;
        let title = format!("# {}. ", lesson.number);
        assert!(header[0].starts_with(&title), "{}: {title}", lesson.name);
        assert!(header[1].starts_with("# You learn "), "{}", lesson.name);
    }
}

#[test]
fn the_remarks_of_a_lesson_fit_a_narrow_terminal() {
    for lesson in lessons() {
        for comment in lesson.comments() {
            let width = comment.trim_start_matches(['#', ' ']).chars().count();
            assert!(width <= MAX_REMARK_WIDTH, "{}: {comment}", lesson.name);
        }
    }
}

#[test]
fn a_lesson_has_a_program_some_steps_and_ends_with_something_to_try() {
    for lesson in lessons() {
        let count = lesson.steps().count();
        assert!(STEP_COUNT.contains(&count), "{}: {count}", lesson.name);
        let comments: Vec<&String> = lesson
            .file
            .items
            .iter()
            .rev()
            .map_while(|item| match item {
                SessionItem::Comment(text) => Some(text),
                _ => None,
            })
            .collect();
        let is_task = |text: &&&String| text.starts_with("# Try it yourself: ");
        assert!(comments.iter().find(is_task).is_some(), "{}", lesson.name);
    }
}

#[test]
fn every_lesson_asks_for_predictions_right_before_steps() {
    for lesson in lessons() {
        let items = &lesson.file.items;
        let mut count = 0;
        for (index, item) in items.iter().enumerate() {
            let SessionItem::Comment(text) = item else {
                continue;
            };
            if text == "# predict" || text.starts_with("# predict ") {
                let next = items.get(index + 1);
                let is_step = matches!(next, Some(SessionItem::Input(input)) if !input.is_answer);
                assert!(is_step, "{}: {text} is not before a step", lesson.name);
                count += 1;
            }
        }
        assert!(count >= 2, "{}: {count} predictions", lesson.name);
    }
}

/// The first lessons are for playing; those that change rules let the student write one.
#[test]
fn later_lessons_have_an_exercise() {
    for lesson in lessons() {
        let is_exercise = |item: &SessionItem| matches!(item, SessionItem::Exercise(_));
        let has_exercise = lesson.file.items.iter().any(is_exercise);
        assert!(has_exercise || lesson.number < 3, "{}", lesson.name);
    }
}

/// The page for teachers has a row for each lesson.
#[test]
fn the_page_for_teachers_lists_every_lesson() {
    let page = std::fs::read_to_string(course().join("README.md")).unwrap();
    for language in languages::ALL {
        for name in file_names(language.info().name) {
            let link = format!("]({}/{name})", language.info().name);
            assert!(page.contains(&link), "{link}");
        }
    }
}
