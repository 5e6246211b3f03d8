//! Lessons: the next step, and the lessons of the course.
//!
//! ```text
//! exercise  the text of exercises: the task, hints, the solution and what the checks found
//! predict   the text of questions about what will happen, and of their results
//! rejudge   the text of sessions that were replayed on the rules as they are now
//! ```

pub(crate) mod exercise;
pub(crate) mod predict;
pub(crate) mod rejudge;

use crate::answer::{LessonList, LessonProgress, LessonStatus, Line, ListedLesson, Style};
use exercise::task_lines;

/// The next step of a lesson: its remarks and what it runs.
pub(super) fn progress_lines(progress: &LessonProgress) -> Vec<Line> {
    let remarks = progress.remarks.iter();
    let mut lines: Vec<Line> = remarks
        .map(|text| Line::plain(format!("  {text}")))
        .collect();
    // Keeps the remarks and the task apart from the reply above them.
    if !lines.is_empty() || progress.exercise.is_some() {
        lines.insert(0, Line::plain(""));
    }
    match (&progress.next, &progress.exercise) {
        (Some(input), _) => lines.extend(input_lines(progress, input)),
        (None, Some(task)) => lines.extend(task_lines(task, progress.number, progress.count)),
        (None, None) => lines.extend(end_lines(progress)),
    }
    lines
}

/// What Enter runs, with all lines of it: students type it themselves.
fn input_lines(progress: &LessonProgress, input: &str) -> Vec<Line> {
    let LessonProgress { number, count, .. } = progress;
    let start = format!("  {number}/{count}  Enter runs  ");
    let indent = " ".repeat(start.chars().count());
    let starts = std::iter::once(start).chain(std::iter::repeat(indent));
    let lines = starts.zip(input.lines());
    lines
        .map(|(start, line)| Line::styled(Style::Dim, start).with(Style::Strong, line))
        .collect()
}

fn end_lines(progress: &LessonProgress) -> Vec<Line> {
    let end = "  The lesson ends here. Go on playing, or `:lesson 1` returns to its first step";
    let next = progress.following.as_ref();
    let next = next.map(|lesson| format!("  The next one is `:lesson {lesson}`"));
    let lines = std::iter::once(end.to_string()).chain(next);
    lines.map(|text| Line::styled(Style::Dim, text)).collect()
}

/// The lessons of the course, by language.
pub fn lesson_list_lines(list: &LessonList) -> Vec<Line> {
    let widths = list.lessons.iter().map(|l| l.title.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut lines = Vec::new();
    for lessons in list.lessons.chunk_by(|a, b| a.language == b.language) {
        lines.push(Line::plain(lessons[0].language_title));
        lines.extend(lessons.iter().map(|lesson| lesson_line(lesson, width)));
    }
    lines
}

fn lesson_line(lesson: &ListedLesson, width: usize) -> Line {
    let status = match lesson.status {
        LessonStatus::New => format!("{} steps", lesson.step_count),
        LessonStatus::Step(step) => format!("at step {step} of {}", lesson.step_count),
        LessonStatus::Finished => "finished".to_string(),
    };
    let name = format!("  {} {:<2}", lesson.language, lesson.number);
    Line::styled(Style::Strong, name)
        .with(Style::Plain, format!("  {:width$}", lesson.title))
        .with(Style::Dim, format!("   {status}"))
}
