//! The lessons of the built-in course.

use serde::Serialize;

/// The lessons of the built-in course, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LessonList {
    /// Those of a language follow each other.
    pub lessons: Vec<ListedLesson>,
}

/// A lesson of the built-in course.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedLesson {
    /// The short name of its language.
    pub language: &'static str,
    /// The language as it is written in text.
    #[serde(skip)]
    pub language_title: &'static str,
    /// Its number in the course of the language, from 1.
    pub number: usize,
    /// What it is about.
    pub title: String,
    /// How many steps it has.
    pub step_count: usize,
    /// How far it was played.
    pub status: LessonStatus,
}

/// How far a lesson was played. Only a terminal remembers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LessonStatus {
    /// Not begun, as far as is known.
    New,
    /// Begun; the number of the next step.
    Step(usize),
    /// Played to its end.
    Finished,
}
