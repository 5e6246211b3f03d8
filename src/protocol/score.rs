//! The score of a lesson, for the teacher.

use crate::answer::Verdict;
use crate::session::Session;
use serde_json::{Value as Json, json};

/// The questions of a lesson with the answers, how many were right, and how the exercises went. `earlier` are the questions
/// of a file that was written before the lesson was continued.
pub fn score_to_json(session: &Session, lesson: &str, earlier: &[Json]) -> Json {
    let results = session.predictions.results.iter();
    let asked = results.filter(|result| result.verdict != Verdict::Undecided);
    let questions: Vec<Json> = earlier
        .iter()
        .cloned()
        .chain(asked.map(|result| json!(result)))
        .collect();
    let count = |verdict: &str| questions.iter().filter(|q| q["verdict"] == verdict).count();
    let exercises = session
        .lesson
        .as_ref()
        .map(|lesson| lesson.exercise_scores());
    json!({
        "lesson": lesson,
        "language": session.target.language().info().name,
        "totals": {
            "questions": questions.len(),
            "right": count("right"),
            "wrong": count("wrong"),
            "skipped": count("skipped"),
        },
        "questions": questions,
        "exercises": exercises.unwrap_or_default(),
    })
}
