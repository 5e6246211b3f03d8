//! Lessons, exercises, predictions, the tour.
//!
//! ```text
//! predict           `:predict`
//! predict_question  chooses what to ask before something runs
//! predict_verdict   compares a prediction with what happened, and explains a wrong one
//! rejudge           `:rejudge`
//! exercise          checks the answer to an exercise
//! lesson            `:lesson`: plays a session file step by step
//! lesson_exercise   an exercise as a step of a lesson
//! played_result     what a player sees of the result of an entry, to compare it with another
//! course            the built-in course
//! tour              `:tour`
//! ```

pub(crate) mod course;
pub(crate) mod exercise;
pub(crate) mod lesson;
pub(crate) mod lesson_exercise;
pub(crate) mod played_result;
pub(crate) mod predict;
pub(crate) mod predict_question;
pub(crate) mod predict_verdict;
pub(crate) mod rejudge;
pub(crate) mod tour;
