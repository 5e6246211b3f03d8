//! A session file that is played step by step.

use super::session_file::{SessionFile, SessionInput, SessionItem};

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
}

impl Lesson {
    /// The indexes of the items that are steps.
    fn steps(&self) -> impl DoubleEndedIterator<Item = usize> {
        let items = self.file.items.iter().enumerate();
        items.filter_map(|(n, item)| matches!(item, SessionItem::Input(_)).then_some(n))
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

    /// The input of the next step, and how many items are played after it.
    pub fn next_step(&self) -> Option<(&SessionInput, usize)> {
        let n = self.steps().find(|n| *n >= self.played)?;
        match &self.file.items[n] {
            SessionItem::Input(input) => Some((input, n + 1)),
            _ => None,
        }
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
                SessionItem::Input(_) => break,
                SessionItem::EndOfInput => {}
                SessionItem::Exercise(e) => remarks.extend(e.task.iter().map(|c| remark(c))),
            }
        }
        remarks
    }
}

/// The text of a `#` line.
fn remark(line: &str) -> String {
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
            stopped_on_errors: false,
        };
        assert_eq!(lesson.step_count(), 3);
        let mut seen = Vec::new();
        loop {
            let number = lesson.next_number();
            assert_eq!(lesson.items_before(number), lesson.played);
            let input = lesson.next_step().map(|(input, _)| input.text.clone());
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
