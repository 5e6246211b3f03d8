//! The built-in course: `:lesson list` lists its lessons, `:lesson gridlok 1` opens one.

use crate::answer::{CommandError, LessonList, LessonStatus, ListedLesson};
use crate::language::Language;
use crate::languages;
use crate::session::session_file::{SessionFile, SessionItem};
use crate::session::{Lesson, LessonOrigin};

/// A lesson of the built-in course.
#[derive(Clone, Copy)]
pub(crate) struct CourseLesson {
    language: &'static dyn Language,
    /// Its number in the course of the language, from 1.
    number: usize,
    /// The text of its session file.
    pub(crate) text: &'static str,
}

/// All lessons of the course, in the order of the languages.
fn course_lessons() -> impl Iterator<Item = CourseLesson> {
    languages::ALL.iter().flat_map(|language| {
        let texts = language.info().guide.lessons.iter().enumerate();
        texts.map(|(index, text)| CourseLesson {
            language: *language,
            number: index + 1,
            text,
        })
    })
}

/// The lesson that the argument of `:lesson` names: `gridlok 3` in the course, or else a file.
pub fn lesson_origin(argument: &str) -> LessonOrigin {
    let in_course = || {
        let (language, number) = argument.split_once(char::is_whitespace)?;
        Some(LessonOrigin::Course {
            language: languages::by_name(language)?.info().name,
            number: number.trim().parse().ok()?,
        })
    };
    in_course().unwrap_or_else(|| LessonOrigin::File(argument.to_string()))
}

/// The lesson with this number in the course of a language.
pub(crate) fn course_lesson(language: &str, number: usize) -> Result<CourseLesson, CommandError> {
    let lessons: Vec<CourseLesson> = course_lessons()
        .filter(|lesson| lesson.language.info().name == language)
        .collect();
    let lesson = number.checked_sub(1).and_then(|index| lessons.get(index));
    lesson.copied().ok_or_else(|| {
        let count = lessons.len();
        CommandError::new(format!("the {language} course has lessons 1 to {count}"))
            .advise(":lesson list", "lists them")
    })
}

/// The lesson that follows in the course.
pub(crate) fn following_lesson(origin: &LessonOrigin) -> Option<LessonOrigin> {
    match origin {
        LessonOrigin::File(_) => None,
        LessonOrigin::Course { language, number } => {
            course_lesson(language, number + 1).ok()?;
            Some(LessonOrigin::Course {
                language,
                number: number + 1,
            })
        }
    }
}

/// The lessons of the course, or those of one language.
pub fn list_lessons(language: Option<&dyn Language>) -> LessonList {
    let is_listed = |lesson: &CourseLesson| {
        language.is_none_or(|l| l.info().name == lesson.language.info().name)
    };
    let lessons = course_lessons().filter(is_listed).map(|lesson| {
        // Tests parse all of them.
        let file = SessionFile::parse(lesson.text).unwrap_or_default();
        let is_step =
            |item: &&SessionItem| matches!(item, SessionItem::Input(_) | SessionItem::Exercise(_));
        ListedLesson {
            language: lesson.language.info().name,
            language_title: lesson.language.info().title,
            number: lesson.number,
            title: title(&file).unwrap_or_default(),
            step_count: file.items.iter().filter(is_step).count(),
            status: LessonStatus::New,
        }
    });
    LessonList {
        lessons: lessons.collect(),
    }
}

/// What a lesson is about: the first line of its header, or else its name.
pub(crate) fn lesson_title(lesson: &Lesson) -> String {
    title(&lesson.file).unwrap_or_else(|| lesson.origin.argument())
}

/// The first line of the header, without the number and the full stop.
fn title(file: &SessionFile) -> Option<String> {
    let line = file.header_comments.first()?;
    let line = line.trim_start_matches('#').trim();
    let number = line
        .split_once(". ")
        .filter(|(number, _)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()));
    let line = number.map_or(line, |(_, title)| title);
    let line = line.trim_end_matches('.');
    (!line.is_empty()).then(|| line.to_string())
}
