//! An exercise as a step of a lesson: checks what the student has defined, gives hints, shows the
//! solution, and plays a check that failed.

use super::Commands;
use super::exercise::{PlayedInput, Stage};
use super::lesson::{current_step, own_entry_count, play_from_start};
use crate::answer::{
    CommandError, ExerciseHelp, ExerciseReport, ExerciseTask, HelpKind, Notice, Part,
};
use crate::debugger::SavedBreakpoints;
use crate::session::session_file::{Exercise, SessionInput, SessionItem, with_solutions};
use crate::session::{
    Answer, ExerciseState, FailedCheck, Lesson, LessonStep, Session, TranscriptEntry,
    replace_session, set_up_item,
};

type CommandResult = Result<Answer, CommandError>;

/// A move of a check that takes longer is stopped when the student looks at it.
const MAX_TRIED_INSTRUCTIONS: u64 = 1_000_000;

/// The exercise that is the next step of the lesson, and the index of its item.
fn next_exercise(lesson: &Lesson) -> Result<(&Exercise, usize), CommandError> {
    match lesson.next_step() {
        Some((LessonStep::Exercise(exercise), played)) => Ok((exercise, played - 1)),
        _ => Err(CommandError::new(
            "the next step is not an exercise; Enter runs it",
        )),
    }
}

/// The task of the exercise that is the next step, if it is one.
pub(crate) fn task(lesson: &Lesson) -> Option<ExerciseTask> {
    let (exercise, index) = next_exercise(lesson).ok()?;
    let state = lesson.exercises.get(&index).cloned().unwrap_or_default();
    Some(ExerciseTask {
        name: exercise.name.clone(),
        text: Lesson::comment_texts(&exercise.task),
        hint_count: exercise.hints.len(),
        hints_given: state.hints_given,
        is_solution_shown: state.is_solution_shown,
    })
}

/// What has been done so far for the exercise with this index.
fn state_mut(session: &mut Session, index: usize) -> Option<&mut ExerciseState> {
    let lesson = session.lesson.as_mut()?;
    Some(lesson.exercises.entry(index).or_default())
}

/// Gives the next hint.
pub(crate) fn hint(session: &mut Session, lesson: &Lesson) -> CommandResult {
    let (exercise, index) = next_exercise(lesson)?;
    let count = exercise.hints.len();
    let state = state_mut(session, index);
    let number = state.as_ref().map_or(0, |state| state.hints_given) + 1;
    if number > count {
        let message = match count {
            0 => "this exercise has no hints",
            _ => "there are no more hints",
        };
        return Err(CommandError::new(message).advise(":lesson solution", "shows the solution"));
    }
    if let Some(state) = state {
        state.hints_given = number;
    }
    Ok(Answer::of(Part::ExerciseHelp(ExerciseHelp {
        help: HelpKind::Hint { number, count },
        lines: Lesson::comment_texts(&exercise.hints[number - 1]),
    })))
}

/// Shows the solution.
pub(crate) fn show_solution(session: &mut Session, lesson: &Lesson) -> CommandResult {
    let (exercise, index) = next_exercise(lesson)?;
    let entry_count = own_entry_count(session, lesson);
    if let Some(state) = state_mut(session, index) {
        state.is_solution_shown = true;
        state.entries_before_solution = entry_count;
    }
    Ok(Answer::of(Part::ExerciseHelp(ExerciseHelp {
        help: HelpKind::Solution,
        lines: exercise.solution.lines().map(String::from).collect(),
    })))
}

/// Checks what the student has typed. If all checks pass, the lesson continues after the exercise.
pub(crate) fn check(commands: Commands, session: &mut Session, lesson: &Lesson) -> CommandResult {
    let (exercise, index) = next_exercise(lesson)?;
    let stage = Stage::new(commands, session, lesson.played_items(index));
    let solution = exercise.solution_inputs();
    let is_statement = !stage.is_definition(&solution);
    let typed = typed_answer(session, lesson, &solution, is_statement);
    let state = lesson.exercises.get(&index);
    // Nothing was typed after the solution was shown: what was typed before it need not be checked.
    let is_given_up = |state: &ExerciseState| {
        state.is_solution_shown && state.entries_before_solution == own_entry_count(session, lesson)
    };
    if state.is_some_and(is_given_up) {
        return continue_after(commands, session, lesson, index, None);
    }
    if typed.is_empty() {
        return Ok(nothing_to_check(lesson, exercise, is_statement));
    }
    let mut report = ExerciseReport {
        name: exercise.name.clone(),
        check_count: exercise.checks.len(),
        passed_count: 0,
        failure: None,
        differing_step: None,
    };
    for check in &exercise.checks {
        let solved = stage.play(&solution, check);
        let own = stage.play(&typed, check);
        report.failure = own.first_difference(&solved, is_statement);
        if report.failure.is_some() {
            break;
        }
        report.passed_count += 1;
    }
    if let Some(failure) = &report.failure {
        let failed_check = FailedCheck {
            check: report.passed_count,
            move_count: failure.inputs.len() - usize::from(failure.answer.is_some()),
        };
        if let Some(state) = state_mut(session, index) {
            state.attempts += 1;
            state.failed_check = Some(failed_check);
        }
        return Ok(Answer {
            ok: false,
            ..Answer::of(Part::ExerciseReport(Box::new(report)))
        });
    }
    let rest = with_solutions(&lesson.file.items[index + 1..]);
    let own = stage.play_on(&typed, &rest);
    let solved = stage.play_on(&solution, &rest);
    let is_different = |(own, solved): &(&PlayedInput, &PlayedInput)| !own.is_same_step(solved);
    let different = own.iter().zip(&solved).find(is_different);
    report.differing_step = different.map(|(own, _)| own.input.clone());
    let accepted = report.differing_step.is_none().then_some(typed);
    if let Some(state) = state_mut(session, index) {
        state.is_solved = true;
    }
    let Some(lesson) = session.lesson.as_deref().cloned() else {
        return Ok(Answer::new(""));
    };
    let mut answer = continue_after(commands, session, &lesson, index, accepted)?;
    answer
        .parts
        .insert(0, Part::ExerciseReport(Box::new(report)));
    Ok(answer)
}

/// Continues the lesson after an exercise, with the student's answer or the solution.
fn continue_after(
    commands: Commands,
    session: &mut Session,
    lesson: &Lesson,
    index: usize,
    answer: Option<Vec<SessionInput>>,
) -> CommandResult {
    let mut lesson = lesson.clone();
    lesson.exercises.entry(index).or_default().answer = answer;
    lesson.played = index + 1;
    play_from_start(commands, session, lesson)
}

fn nothing_to_check(lesson: &Lesson, exercise: &Exercise, is_statement: bool) -> Answer {
    let mut answer = Answer::of(Notice::NothingToCheck {
        definition: (!is_statement).then(|| exercise.name.clone()),
    });
    answer.parts.push(current_step(lesson));
    answer
}

/// What the student has typed as the answer: everything that defines something and is still in
/// effect, or the last statement that starts like the solution.
fn typed_answer(
    session: &Session,
    lesson: &Lesson,
    solution: &[SessionInput],
    is_statement: bool,
) -> Vec<SessionInput> {
    let entries = session.transcript.entries.get(lesson.transcript_length..);
    let typed = entries.unwrap_or_default().iter();
    let timeline = session.target.timeline.entries();
    let is_in_effect = |entry: &&TranscriptEntry| {
        entry
            .entry
            .is_some_and(|id| timeline.iter().any(|e| e.id == id))
    };
    let input = |entry: &TranscriptEntry| match entry.to_session_item() {
        SessionItem::Input(input) => Some(input),
        _ => None,
    };
    let typed = typed.filter(|entry| !entry.is_replayed && !entry.is_answer);
    if is_statement {
        let first = solution.last().map_or("", |input| first_word(&input.text));
        let statements = typed.filter(|entry| entry.command.is_none());
        let statements: Vec<&TranscriptEntry> = statements.filter(is_in_effect).collect();
        let like_solution = |entry: &&&TranscriptEntry| first_word(&entry.input) == first;
        let last = statements.iter().rev().find(like_solution);
        return last.and_then(|entry| input(entry)).into_iter().collect();
    }
    let defining = session.target.defining_entries();
    let is_part = |entry: &&TranscriptEntry| {
        entry.entry.is_some_and(|id| defining.contains(&id)) || entry.loads_program
    };
    typed.filter(is_part).filter_map(input).collect()
}

/// The word at the start of a text, or its first character.
fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    &text[..end.max(first)]
}

/// Plays the check that failed last with the student's answer, in the student's session, so that its
/// history can be inspected.
pub(crate) fn try_out(commands: Commands, session: &mut Session, lesson: &Lesson) -> CommandResult {
    let (exercise, index) = next_exercise(lesson)?;
    let failed = lesson
        .exercises
        .get(&index)
        .and_then(|state| state.failed_check);
    let failed = failed.and_then(|f| Some((exercise.checks.get(f.check)?, f.move_count)));
    let Some((check, move_count)) = failed else {
        return Err(CommandError::new("no check has failed yet")
            .advise(":lesson check", "checks what you have typed"));
    };
    let stage = Stage::new(commands, session, lesson.played_items(index));
    let solution = exercise.solution_inputs();
    let is_statement = !stage.is_definition(&solution);
    let typed = typed_answer(session, lesson, &solution, is_statement);
    let mut new = stage.session();
    let start = new.transcript.entries.len();
    let mut breakpoints = SavedBreakpoints::default();
    session.target.debugger.swap_breakpoints(&mut breakpoints);
    new.target.debugger.swap_breakpoints(&mut breakpoints);
    new.files.is_replay = false;
    let (_, mut answer) = replace_session(session, new);
    session.view_settings.reset_legend();
    let mut player = Player {
        commands,
        session,
        answer: Answer::new(""),
        moves_left: move_count,
    };
    player.play(&check.setup);
    for input in typed {
        player.enter(&input);
    }
    player.play(&check.items);
    answer.absorb(player.answer);
    answer.has_replaced_session = true;
    let mut lesson = lesson.clone();
    lesson.transcript_length = start;
    session.lesson = Some(Box::new(lesson));
    Ok(answer)
}

/// Plays inputs and collects the replies.
struct Player<'s> {
    commands: Commands,
    session: &'s mut Session,
    answer: Answer,
    moves_left: usize,
}

impl Player<'_> {
    /// Plays moves, until enough of them are played or one of them stops.
    fn play(&mut self, items: &[SessionItem]) {
        for item in items {
            if self.moves_left == 0 || self.session.target.is_stopped() {
                return;
            }
            let Some(input) = set_up_item(self.session, item) else {
                continue;
            };
            self.moves_left -= 1;
            // An endless loop is interrupted, to look at it.
            let machine = &mut self.session.target.machine;
            machine.interrupt_at(Some(machine.time() + MAX_TRIED_INSTRUCTIONS));
            let answer = self.commands.run_nested(self.session, &input.text);
            self.session.target.machine.interrupt_at(None);
            self.answer.push(Part::Echo {
                input: input.text.clone(),
            });
            let (board, value) = (answer.board.clone(), answer.value.clone());
            let data = answer.data.clone();
            self.answer.absorb(answer);
            // Of several moves, only the last one shows its value and its board below.
            if self.moves_left > 0 {
                self.answer.parts.extend(board.map(Part::Board));
                let value = value.map(|text| Part::Value { text, data });
                self.answer.parts.extend(value);
                (self.answer.board, self.answer.value, self.answer.data) = (None, None, None);
            }
        }
    }

    /// Enters a line of the student's answer, which stays the student's own.
    fn enter(&mut self, input: &SessionInput) {
        self.session.files.set_recorded(&input.files_read);
        self.commands.run_nested(self.session, &input.text);
        if let Some(entry) = self.session.transcript.entries.last_mut() {
            entry.is_replayed = false;
        }
    }
}
