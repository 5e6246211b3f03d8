//! A session file that is played step by step.

use super::PredictionRequest;
use super::session_file::{Exercise, SessionFile, SessionInput, SessionItem, with_solutions};
use crate::answer::{ExerciseResult, ExerciseScore};
use std::collections::BTreeMap;

/// Where a lesson comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LessonOrigin {
    /// A session file, with its path as it was opened.
    File(String),
    /// The built-in course.
    Course {
        /// The short name of the language.
        language: &'static str,
        /// The number of the lesson, from 1.
        number: usize,
    },
}

impl LessonOrigin {
    /// What `:lesson` accepts to open it.
    pub fn argument(&self) -> String {
        match self {
            LessonOrigin::File(path) => path.clone(),
            LessonOrigin::Course { language, number } => format!("{language} {number}"),
        }
    }
}

/// A lesson that is being played.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Where it comes from.
    pub origin: LessonOrigin,
    /// Its file.
    pub file: SessionFile,
    /// How many of the file's items have been played.
    pub played: usize,
    /// The length of the transcript after the last step. Entries after it are the student's own.
    pub transcript_length: usize,
    /// Whether errors in the program stopped it before the lesson, and will after it.
    pub stopped_on_errors: bool,
    /// What the student has done for the exercises, by the index of the item.
    pub exercises: BTreeMap<usize, ExerciseState>,
}

/// What the student has done for an exercise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExerciseState {
    /// How many hints were given.
    pub hints_given: usize,
    /// Whether the solution was shown.
    pub is_solution_shown: bool,
    /// How many entries the student had typed when it was shown.
    pub entries_before_solution: usize,
    /// How many answers did not pass.
    pub attempts: usize,
    /// Whether an answer has passed.
    pub is_solved: bool,
    /// What the lesson continues with instead of the solution.
    pub answer: Option<Vec<SessionInput>>,
    /// The check that failed last.
    pub failed_check: Option<FailedCheck>,
}

/// A check that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailedCheck {
    /// Its index.
    pub check: usize,
    /// How many of its inputs were played until the difference.
    pub move_count: usize,
}

/// A step of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LessonStep<'l> {
    /// Something to enter.
    Input(&'l SessionInput),
    /// Something to write.
    Exercise(&'l Exercise),
}

impl Lesson {
    /// The indexes of the items that are steps.
    fn steps(&self) -> impl DoubleEndedIterator<Item = usize> {
        let items = self.file.items.iter().enumerate();
        let is_step =
            |item: &SessionItem| matches!(item, SessionItem::Input(_) | SessionItem::Exercise(_));
        items.filter_map(move |(n, item)| is_step(item).then_some(n))
    }

    /// How many steps there are.
    pub fn step_count(&self) -> usize {
        self.steps().count()
    }

    /// The number of the next step, from 1; one more than there are steps at the end.
    pub fn next_number(&self) -> usize {
        1 + self.steps().take_while(|n| *n < self.played).count()
    }

    /// How many items come before step `number`, with its remarks still to be shown.
    pub fn items_before(&self, number: usize) -> usize {
        match number {
            0 | 1 => 0,
            _ => self
                .steps()
                .nth(number - 2)
                .map_or(self.file.items.len(), |n| n + 1),
        }
    }

    /// The next step, and how many items are played after it.
    pub fn next_step(&self) -> Option<(LessonStep<'_>, usize)> {
        let n = self.steps().find(|n| *n >= self.played)?;
        let step = match &self.file.items[n] {
            SessionItem::Input(input) => LessonStep::Input(input),
            SessionItem::Exercise(exercise) => LessonStep::Exercise(exercise),
            SessionItem::Comment(_) | SessionItem::EndOfInput | SessionItem::QuestionAnswer(_) => {
                return None;
            }
        };
        Some((step, n + 1))
    }

    /// The input of the next step, and how many items are played after it; `None` if there is no
    /// next step or it is an exercise.
    pub fn next_input(&self) -> Option<(&SessionInput, usize)> {
        match self.next_step()? {
            (LessonStep::Input(input), played) => Some((input, played)),
            (LessonStep::Exercise(_), _) => None,
        }
    }

    /// The exercise that is the next step.
    pub fn next_exercise(&self) -> Option<&Exercise> {
        match self.next_step()? {
            (LessonStep::Exercise(exercise), _) => Some(exercise),
            (LessonStep::Input(_), _) => None,
        }
    }

    /// The first `count` items as they are played: exercises are replaced by what the student has
    /// answered, or by their solution.
    pub fn played_items(&self, count: usize) -> Vec<SessionItem> {
        let mut played = Vec::new();
        for (n, item) in self.file.items[..count].iter().enumerate() {
            let state = self.exercises.get(&n);
            match state.and_then(|state| state.answer.as_ref()) {
                Some(answer) => played.extend(answer.iter().cloned().map(SessionItem::Input)),
                None => played.extend(with_solutions(std::slice::from_ref(item))),
            }
        }
        played
    }

    /// How each exercise of the lesson went, in order.
    pub fn exercise_scores(&self) -> Vec<ExerciseScore> {
        let items = self.file.items.iter().enumerate();
        let exercises = items.filter_map(|(n, item)| match item {
            SessionItem::Exercise(exercise) => Some((&**exercise, self.exercises.get(&n))),
            _ => None,
        });
        let score = |(exercise, state): (&Exercise, Option<&ExerciseState>)| {
            let state = state.cloned().unwrap_or_default();
            let result = match (state.is_solution_shown, state.is_solved, state.hints_given) {
                (true, ..) => ExerciseResult::SolutionShown,
                (false, false, _) => ExerciseResult::Open,
                (false, true, 0) => ExerciseResult::Solved,
                (false, true, _) => ExerciseResult::SolvedWithHints,
            };
            ExerciseScore {
                name: exercise.name.clone(),
                result,
                failed_attempts: state.attempts,
                hints_given: state.hints_given,
            }
        };
        exercises.map(score).collect()
    }

    /// The texts of `#` lines.
    pub fn comment_texts(lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| remark(line)).collect()
    }

    /// What the lesson says before its next step, or at its end. Blank remarks separate paragraphs.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.played == 0 {
            remarks.extend(self.file.header_comments.iter().map(|c| remark(c)));
        }
        for item in &self.file.items[self.played..] {
            match item {
                SessionItem::Comment(text) => remarks.push(remark(text)),
                SessionItem::Input(_) | SessionItem::Exercise(_) => break,
                SessionItem::EndOfInput | SessionItem::QuestionAnswer(_) => {}
            }
        }
        remarks.retain(|remark| PredictionRequest::in_remark(remark).is_none());
        remarks
    }
}

/// The text of a `#` line.
pub(super) fn remark(line: &str) -> String {
    line.trim_start_matches('#').trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Lamps.\nlanguage gridlok\nseed 1\n\n--- session\n\n# One.\n# More.\n> 1\n\n> 2\n\n# Last.\n> 3\n\n# End.\n";

    #[test]
    fn steps_are_numbered_and_have_the_remarks_before_them() {
        let mut lesson = Lesson {
            origin: LessonOrigin::File("a.session".into()),
            file: SessionFile::parse(FILE).unwrap(),
            played: 0,
            transcript_length: 0,
            exercises: BTreeMap::new(),
            stopped_on_errors: false,
        };
        assert_eq!(lesson.step_count(), 3);
        let mut seen = Vec::new();
        loop {
            let number = lesson.next_number();
            assert_eq!(lesson.items_before(number), lesson.played);
            let input = lesson.next_input().map(|(input, _)| input.text.clone());
            seen.push((number, lesson.remarks().join(" "), input));
            match lesson.next_step() {
                Some((_, played)) => lesson.played = played,
                None => break,
            }
        }
        let step =
            |n, text: &str, input: Option<&str>| (n, text.to_string(), input.map(String::from));
        assert_eq!(
            seen,
            [
                step(1, "Lamps. One. More.", Some("1")),
                step(2, "", Some("2")),
                step(3, "Last.", Some("3")),
                step(4, "End.", None),
            ]
        );
    }
}
