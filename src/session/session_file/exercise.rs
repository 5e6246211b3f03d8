//! Exercises: a task between two steps of a session, with hints, a solution and checks.

use super::{SessionInput, SessionItem, push_line, unique_dashes, write_items};

/// A task for the reader of a lesson.
///
/// ```text
/// --- exercise winCondition
/// # Write winCondition so that three crosses in the top row win.
/// --- hint
/// # Compare the three cells of row 0.
/// --- solution
/// winCondition { … }
/// --- check
/// # The top row wins.
/// > click{0,0}
///   the reply, with the solution
/// --- end
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Exercise {
    /// What is to be written, such as `winCondition`.
    pub name: String,
    /// The `#` lines of the task.
    pub task: Vec<String>,
    /// The `#` lines of each hint.
    pub hints: Vec<Vec<String>>,
    /// What to type; see [`Exercise::solution_inputs`].
    pub solution: String,
    /// Each check starts from the game as it is before the exercise.
    pub checks: Vec<Check>,
}

/// One run of an exercise's answer.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Check {
    /// What is played before the answer is entered, up to the line `--- answer`. Usually empty.
    pub setup: Vec<SessionItem>,
    /// What is played after it.
    pub items: Vec<SessionItem>,
}

impl Check {
    /// Everything that is played, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &SessionInput> {
        let items = self.setup.iter().chain(&self.items);
        items.filter_map(SessionItem::as_input)
    }

    /// Everything that is played, in order.
    pub fn inputs_mut(&mut self) -> impl Iterator<Item = &mut SessionInput> {
        let items = self.setup.iter_mut().chain(&mut self.items);
        items.filter_map(SessionItem::as_input_mut)
    }
}

impl Exercise {
    /// The inputs of all checks, in order.
    pub fn inputs_mut(&mut self) -> impl Iterator<Item = &mut SessionInput> {
        self.checks.iter_mut().flat_map(Check::inputs_mut)
    }

    /// The solution as input: each line that starts with a colon is a command, and the text between
    /// two of them is one entry.
    pub fn solution_inputs(&self) -> Vec<SessionInput> {
        let mut texts: Vec<String> = Vec::new();
        let mut is_after_command = true;
        for line in self.solution.lines() {
            let is_command = line.starts_with(':');
            match texts
                .last_mut()
                .filter(|_| !is_command && !is_after_command)
            {
                Some(entry) => *entry += &format!("\n{line}"),
                None => texts.push(line.to_string()),
            }
            is_after_command = is_command;
        }
        texts.retain(|text| !text.trim().is_empty());
        let input = |text: String| SessionInput {
            text: text.trim_end().to_string(),
            ..SessionInput::default()
        };
        texts.into_iter().map(input).collect()
    }

    pub(super) fn write_to(&self, out: &mut String) {
        let longest = KEYWORDS.map(|word| unique_dashes(&self.solution, word));
        let dashes = longest.into_iter().max().unwrap_or_default();
        let marker = |out: &mut String, word: &str| push_line(out, &dashes, &format!(" {word}"));
        let comments = |out: &mut String, lines: &[String]| {
            lines.iter().for_each(|line| push_line(out, "", line));
        };
        marker(out, &format!("exercise {}", self.name));
        comments(out, &self.task);
        for hint in &self.hints {
            marker(out, "hint");
            comments(out, hint);
        }
        marker(out, "solution");
        out.push_str(&self.solution);
        for check in &self.checks {
            marker(out, "check");
            write_items(out, &check.setup);
            if !check.setup.is_empty() {
                marker(out, "answer");
            }
            write_items(out, &check.items);
        }
        marker(out, "end");
    }
}

/// Items as they are played without a student: exercises are replaced by their solution.
pub fn with_solutions(items: &[SessionItem]) -> Vec<SessionItem> {
    let inputs = |item: &SessionItem| match item {
        SessionItem::Exercise(exercise) => {
            let inputs = exercise.solution_inputs();
            inputs.into_iter().map(SessionItem::Input).collect()
        }
        item => vec![item.clone()],
    };
    items.iter().flat_map(inputs).collect()
}

/// The words after the dashes of an exercise's lines.
const KEYWORDS: [&str; 6] = ["exercise", "hint", "solution", "check", "answer", "end"];

/// Splits a line such as `--- exercise NAME` into its dashes, the keyword and the rest.
fn split_marker(line: &str) -> Option<(&str, &str, &str)> {
    let (dashes, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_marker = dashes.len() >= 3 && dashes.bytes().all(|b| b == b'-');
    is_marker.then_some((dashes, word, rest.trim()))
}

/// An exercise whose `--- end` has not been read yet.
pub(super) struct OpenExercise {
    exercise: Exercise,
    dashes: String,
    part: ExercisePart,
    /// The line of its `--- exercise`.
    pub(super) line_number: usize,
}

/// The part of an exercise that the next line belongs to.
enum ExercisePart {
    Task,
    Hint,
    Solution,
    Check,
}

/// What a line of an exercise is.
pub(super) enum ExerciseLine {
    /// A part of the exercise; it has been stored.
    Stored,
    /// An item of a check, or a line of one.
    Item,
    /// The end.
    End,
}

impl OpenExercise {
    /// Reads the first line of an exercise; `None` if it is not one.
    pub(super) fn start(line: &str, line_number: usize) -> Option<Result<OpenExercise, String>> {
        let (dashes, "exercise", name) = split_marker(line)? else {
            return None;
        };
        if name.is_empty() {
            let message = "`--- exercise` needs the name of what is to be written, e.g. \
                           `--- exercise winCondition`";
            return Some(Err(message.into()));
        }
        Some(Ok(OpenExercise {
            exercise: Exercise {
                name: name.to_string(),
                ..Exercise::default()
            },
            dashes: dashes.to_string(),
            part: ExercisePart::Task,
            line_number,
        }))
    }

    /// The items of the check that is being read.
    pub(super) fn check_items(&mut self) -> Option<&mut Vec<SessionItem>> {
        self.exercise
            .checks
            .last_mut()
            .map(|check| &mut check.items)
    }

    /// Reads a line.
    pub(super) fn push_line(&mut self, line: &str) -> Result<ExerciseLine, String> {
        let marker = split_marker(line).filter(|(dashes, ..)| *dashes == self.dashes);
        let is_solution = matches!(self.part, ExercisePart::Solution);
        match marker {
            Some((_, word, "")) if KEYWORDS[1..].contains(&word) => return self.marker(word),
            // A check can have blocks such as `--- file`.
            Some((_, "file", _)) if matches!(self.part, ExercisePart::Check) => {}
            Some((_, word, _)) if !is_solution => return Err(self.unknown_marker(word)),
            _ => {}
        }
        let comments = match self.part {
            ExercisePart::Check => return Ok(ExerciseLine::Item),
            ExercisePart::Solution => {
                self.exercise.solution += &format!("{line}\n");
                return Ok(ExerciseLine::Stored);
            }
            ExercisePart::Task => &mut self.exercise.task,
            ExercisePart::Hint => match self.exercise.hints.last_mut() {
                Some(hint) => hint,
                None => &mut self.exercise.task,
            },
        };
        match line {
            _ if line.starts_with('#') => comments.push(line.trim_end().to_string()),
            _ if line.trim().is_empty() => {}
            _ => {
                let next = match self.part {
                    ExercisePart::Hint => "`--- solution` or another `--- hint`",
                    _ => "`--- hint` or `--- solution`",
                };
                return Err(format!("expected `# text`, {next}, found `{line}`"));
            }
        }
        Ok(ExerciseLine::Stored)
    }

    /// Begins the next part.
    fn marker(&mut self, word: &str) -> Result<ExerciseLine, String> {
        let exercise = &mut self.exercise;
        self.part = match word {
            "hint" => {
                exercise.hints.push(Vec::new());
                ExercisePart::Hint
            }
            "solution" if !exercise.solution.is_empty() => {
                return Err("an exercise has only one `--- solution`".into());
            }
            "solution" => ExercisePart::Solution,
            "check" => {
                exercise.checks.push(Check::default());
                ExercisePart::Check
            }
            "answer" => {
                let check = exercise.checks.last_mut();
                match check.filter(|check| check.setup.is_empty()) {
                    Some(check) => check.setup = std::mem::take(&mut check.items),
                    None => return Err("`--- answer` belongs into a `--- check`, once".into()),
                }
                ExercisePart::Check
            }
            _ => {
                return match (exercise.solution.trim(), exercise.checks.is_empty()) {
                    ("", _) => Err(missing(
                        "solution",
                        "and a definition that passes the checks",
                    )),
                    (_, true) => Err(missing(
                        "check",
                        "and the entries that show whether it works",
                    )),
                    _ => Ok(ExerciseLine::End),
                };
            }
        };
        Ok(ExerciseLine::Stored)
    }

    fn unknown_marker(&self, word: &str) -> String {
        let dashes = &self.dashes;
        match word {
            "exercise" => format!(
                "the exercise of line {} has not ended; add `{dashes} end` before this one",
                self.line_number
            ),
            _ => format!(
                "expected `{dashes} hint`, `{dashes} solution`, `{dashes} check`, `{dashes} answer` or \
                 `{dashes} end`, found `{dashes} {word}`"
            ),
        }
    }

    /// The message if the file ends before the exercise does.
    pub(super) fn unfinished(&self) -> String {
        let (line, dashes) = (self.line_number, &self.dashes);
        format!("line {line}: the exercise does not end; add `{dashes} end` after its last check")
    }

    /// The exercise, which has ended.
    pub(super) fn finish(mut self) -> Exercise {
        let solution = self.exercise.solution.trim_end().to_string();
        self.exercise.solution = solution + "\n";
        self.exercise
    }
}

fn missing(part: &str, what: &str) -> String {
    format!("the exercise has no {part}; before `--- end`, add `--- {part}` {what}")
}

#[cfg(test)]
mod tests {
    use super::super::SessionFile;
    use super::*;

    const HEAD: &str = "language gridlok\nseed 1\n\n--- session\n\n";
    const EXERCISE: &str = "--- exercise lamp\n# Define a lamp.\n#\n# It is on.\n--- hint\n# Use def.\n\
        --- hint\n# It is a variable.\n--- solution\n:forget lamp\n\ndef lamp {\n  1\n}\n\n:rand 1\ndef b {2}\n\
        --- check\n# It is 1.\n> lamp\n  = 1\n\n> lamp + 1\n  = 2\n\
        --- check\n> :load a.gl\n--- file a.gl\n--- check\n--- end\n  loaded\n--- answer\n# Now.\n> lamp\n  = 1\n--- end\n";

    fn parse(exercise: &str) -> Result<Exercise, String> {
        let file = SessionFile::parse(&format!("{HEAD}{exercise}\n# After.\n> 2\n  = 2\n"))?;
        match &file.items[..] {
            [
                SessionItem::Exercise(e),
                SessionItem::Comment(_),
                SessionItem::Input(_),
            ] => Ok(*e.clone()),
            items => panic!("{items:?}"),
        }
    }

    fn texts(items: &[SessionItem]) -> Vec<&str> {
        let inputs = items.iter().filter_map(SessionItem::as_input);
        inputs.map(|input| input.text.as_str()).collect()
    }

    #[test]
    fn an_exercise_has_a_task_hints_a_solution_and_checks() {
        let exercise = parse(EXERCISE).unwrap();
        assert_eq!(exercise.name, "lamp");
        assert_eq!(exercise.task, ["# Define a lamp.", "#", "# It is on."]);
        assert_eq!(exercise.hints, [["# Use def."], ["# It is a variable."]]);
        let solution = exercise.solution_inputs();
        let solution: Vec<&str> = solution.iter().map(|input| input.text.as_str()).collect();
        assert_eq!(
            solution,
            [
                ":forget lamp",
                "\ndef lamp {\n  1\n}",
                ":rand 1",
                "def b {2}"
            ]
        );
        let [first, second] = &exercise.checks[..] else {
            panic!()
        };
        assert_eq!(texts(&first.setup), [""; 0]);
        assert_eq!(texts(&first.items), ["lamp", "lamp + 1"]);
        assert_eq!(texts(&second.setup), [":load a.gl"]);
        assert_eq!(texts(&second.items), ["lamp"]);
        let file = &second.setup[0].as_input().unwrap().files_read;
        assert_eq!(file[0].1, "--- check\n");
    }

    #[test]
    fn writing_a_parsed_exercise_gives_the_same_text() {
        let mut text = String::new();
        parse(EXERCISE).unwrap().write_to(&mut text);
        assert_eq!(text, EXERCISE);
        // A solution can contain a line like those of an exercise.
        let marked = EXERCISE
            .replace("--- ", "---- ")
            .replace("def b {2}", "--- end");
        let exercise = parse(&marked).unwrap();
        assert_eq!(exercise.solution_inputs()[3].text, "--- end");
        let mut text = String::new();
        exercise.write_to(&mut text);
        assert_eq!(parse(&text).unwrap(), exercise);
    }

    #[test]
    fn mistakes_in_an_exercise_are_named_with_their_line() {
        let solution = "--- solution\ndef a {1}\n";
        let check = "--- check\n> a\n";
        for (text, message) in [
            ("--- exercise\n", "line 6: `--- exercise` needs the name"),
            (
                "--- exercise a\ndef a {1}\n",
                "line 7: expected `# text`, `--- hint` or `--- solution`, found `def a {1}`",
            ),
            (
                "--- exercise a\n--- hnt\n",
                "line 7: expected `--- hint`, `--- solution`, `--- check`, `--- answer` or `--- end`, \
                 found `--- hnt`",
            ),
            (
                &format!("--- exercise a\n{check}--- end\n"),
                "line 9: the exercise has no solution; before `--- end`, add `--- solution`",
            ),
            (
                &format!("--- exercise a\n{solution}--- end\n"),
                "line 9: the exercise has no check; before `--- end`, add `--- check`",
            ),
            (
                &format!("--- exercise a\n{solution}{check}"),
                "line 6: the exercise does not end; add `--- end` after its last check",
            ),
            (
                &format!("--- exercise a\n{solution}{check}--- exercise b\n"),
                "line 11: the exercise of line 6 has not ended; add `--- end` before this one",
            ),
            (
                &format!("--- exercise a\n{solution}--- check\n  = 1\n"),
                "line 10: a reply must follow an input",
            ),
            (
                &format!("--- exercise a\n{solution}{solution}"),
                "line 9: an exercise has only one `--- solution`",
            ),
            (
                "--- exercise a\n--- answer\n",
                "line 7: `--- answer` belongs into a `--- check`, once",
            ),
            (
                &format!("--- exercise a\n{solution}{check}click\n"),
                "line 11: expected `> input`",
            ),
        ] {
            let file = SessionFile::parse(&format!("{HEAD}{text}"));
            let error = file.expect_err(text);
            assert!(error.starts_with(message), "{text}\n{error}\n{message}");
        }
    }
}
