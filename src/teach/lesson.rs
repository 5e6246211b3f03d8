//! Plays a session file step by step. Between two steps the student may type anything;
//! the next step continues from where the lesson was.
//!
//! The lesson runs in a session of its own, which replaces the current one as `:load` does.

use super::Commands;
use super::course::{course_lesson, following_lesson, lesson_origin};
use super::left_out::leave_out_step;
use super::lesson_exercise;
use crate::answer::{CommandError, LessonProgress, Notice, Part};
use crate::debugger::run;
use crate::session::session_file::{ProgramRef, SessionFile, SessionItem};
use crate::session::{
    Answer, Lesson, LessonOrigin, LessonStep, Session, language_of, load_program, new_session,
    replace_session, set_up_item, stop_on_errors,
};
use std::collections::BTreeMap;
use std::path::Path;

type CommandResult = Result<Answer, CommandError>;

/// Opens a session file or a lesson of the course at its start.
pub(crate) fn open(commands: Commands, session: &mut Session, argument: &str) -> CommandResult {
    let origin = lesson_origin(argument);
    let text = match &origin {
        LessonOrigin::File(path) => session.files.read(path)?,
        LessonOrigin::Course { language, number } => {
            course_lesson(language, *number)?.text.to_string()
        }
    };
    let file = SessionFile::parse(&text)
        .map_err(|message| format!("{argument} is not a session file: {message}"))?;
    let lesson = Lesson {
        origin,
        file,
        played: 0,
        transcript_length: 0,
        exercises: BTreeMap::new(),
        stopped_on_errors: match &session.lesson {
            Some(open) => open.stopped_on_errors,
            None => session.target.debugger.stops_on_program_errors,
        },
    };
    play_from_start(commands, session, lesson)
}

/// Goes to the moment before a step.
pub(crate) fn go_to(commands: Commands, session: &mut Session, number: usize) -> CommandResult {
    let Some(mut lesson) = session.lesson.take() else {
        return Ok(Answer::new(""));
    };
    lesson.played = lesson.items_before(number);
    play_from_start(commands, session, *lesson)
}

/// Replaces the session by the lesson with all items played that it says are.
pub(crate) fn play_from_start(
    commands: Commands,
    session: &mut Session,
    mut lesson: Lesson,
) -> CommandResult {
    let mut new = new_session(session, language_of(&lesson.file)?, lesson.file.seed);
    stop_on_errors(&mut new, lesson.file.stops_on_errors);
    let dir = match &lesson.origin {
        LessonOrigin::File(path) => Path::new(path).parent(),
        LessonOrigin::Course { .. } => None,
    };
    let dir = dir.unwrap_or(Path::new(""));
    new.files.is_replay = true;
    new.files.confined_to = Some(dir.to_path_buf());
    let loaded = load_program(&mut new, &lesson.file, dir, |path| {
        session.files.confined_to = Some(dir.to_path_buf());
        let text = session.files.read(path);
        session.files.confined_to = None;
        text
    })?;
    if let ProgramRef::Inline { .. } = &lesson.file.program {
        // Its name is not that of a file.
        new.program_file_mut().path = None;
        new.update_main_source();
    }
    for item in lesson.played_items(lesson.played) {
        if !leave_out_step(commands, &mut new, &item) {
            play_item(commands, &mut new, &item);
        }
    }
    new.files.is_replay = false;
    let (_, mut answer) = replace_session(session, new);
    answer.diagnostics = loaded.diagnostics;
    answer.ok = loaded.ok;
    session.view_settings.reset_legend();
    if session.target.is_stopped() {
        answer.absorb(run::reshow_stop(&mut session.target));
    }
    answer.board = session.board_size().map(|_| session.shown_board());
    answer.hints.push(current_step(&lesson));
    lesson.transcript_length = session.transcript.entries.len();
    session.lesson = Some(Box::new(lesson));
    answer.has_replaced_session = true;
    Ok(answer)
}

/// Runs the next step. If the student has typed something since the last one, the lesson is played
/// again up to there first.
pub(crate) fn next(commands: Commands, session: &mut Session) -> CommandResult {
    let Some(lesson) = &session.lesson else {
        return Ok(Answer::new(""));
    };
    let (input, played) = match lesson.next_step() {
        Some((LessonStep::Input(input), played)) => (input.clone(), played),
        Some((LessonStep::Exercise(_), _)) => {
            return lesson_exercise::check(commands, session, &lesson.as_ref().clone());
        }
        None => return Ok(Answer::of(current_step(lesson))),
    };
    let mut answer = return_to_lesson(commands, session).unwrap_or_else(|| Ok(Answer::new("")))?;
    answer.push(Part::Echo {
        input: input.text.clone(),
    });
    // What the step prints is shown while it runs, so the step itself comes first.
    if let Some(listener) = &mut session.target.progress_listener
        && listener.show(&answer)
    {
        answer.parts.clear();
    }
    if writes_file(commands, &input.text) {
        answer.push(Notice::LessonWritesNoFile);
        answer.hints.extend(advance_to(session, played));
        return Ok(answer);
    }
    // The step must not count as typed by the student, and it writes nothing.
    let lesson = session.lesson.take();
    let is_replay = std::mem::replace(&mut session.files.is_replay, true);
    let item = SessionItem::Input(input.clone());
    // When a journal is restored, nobody sees the reply.
    let step = match is_replay && leave_out_step(commands, session, &item) {
        true => None,
        false => play_item(commands, session, &item),
    };
    session.files.is_replay = is_replay;
    session.lesson = lesson;
    let has_replaced_session = answer.has_replaced_session;
    answer.absorb(step.unwrap_or_default());
    answer.has_replaced_session = has_replaced_session;
    answer.hints.extend(advance_to(session, played));
    Ok(answer)
}

/// Whether a line is a command that writes a file.
fn writes_file(commands: Commands, line: &str) -> bool {
    let word = line.trim_start().strip_prefix(':');
    let word = word.and_then(|rest| rest.split_whitespace().next());
    let command = word.and_then(|word| commands.find(word));
    command.is_some_and(|command| command.effects.writes_files)
}

/// Plays the lesson again up to its next step, if the student has typed something since the last one.
pub(crate) fn return_to_lesson(commands: Commands, session: &mut Session) -> Option<CommandResult> {
    let number = session.lesson.as_ref()?.next_number();
    if !has_own_entries(session) {
        return None;
    }
    Some(go_to(commands, session, number).map(|mut answer| {
        (answer.hints, answer.board, answer.stop) = (Vec::new(), None, None);
        answer.parts.clear();
        answer.diagnostics.clear();
        answer.push(Notice::BackInLesson);
        answer
    }))
}

/// Whether the student has typed something since the last step.
pub(crate) fn has_own_entries(session: &Session) -> bool {
    let lesson = session.lesson.as_ref();
    lesson.is_some_and(|lesson| own_entry_count(session, lesson) > 0)
}

/// Whether Enter runs the next step of a lesson. While a student steps through code to solve an
/// exercise, it repeats the last step instead.
pub fn enter_advances_lesson(session: &Session) -> bool {
    let is_solving = |lesson: &Lesson| lesson.next_exercise().is_some();
    let lesson = session.lesson.as_ref();
    lesson.is_some_and(|lesson| !(session.target.is_stopped() && is_solving(lesson)))
}

/// Whether an exercise of the lesson waits for code.
pub fn is_at_exercise(session: &Session) -> bool {
    let lesson = session.lesson.as_ref();
    lesson.is_some_and(|lesson| lesson.next_exercise().is_some())
}

/// How many entries the student has typed since the last step.
pub(crate) fn own_entry_count(session: &Session, lesson: &Lesson) -> usize {
    let entries = session.transcript.entries.get(lesson.transcript_length..);
    let own = entries.unwrap_or_default().iter();
    own.filter(|e| e.is_saved && !e.is_internal).count()
}

/// Moves on after a step that was played, together with the end of an input prompt that follows it.
fn advance_to(session: &mut Session, played: usize) -> Option<Part> {
    let mut lesson = session.lesson.take()?;
    lesson.played = played;
    while let Some(SessionItem::EndOfInput) = lesson.file.items.get(lesson.played) {
        session.end_input();
        lesson.played += 1;
    }
    lesson.transcript_length = session.transcript.entries.len();
    let step = current_step(&lesson);
    session.lesson = Some(lesson);
    Some(step)
}

/// Moves on if the student typed the line of the next step. Returns what to show.
pub(crate) fn advance(commands: Commands, session: &mut Session, typed: &str) -> Option<Part> {
    let lesson = session.lesson.as_ref()?;
    let (input, played) = lesson.next_input()?;
    if !commands.is_same_line(typed, &input.text) || own_entry_count(session, lesson) > 0 {
        return None;
    }
    let step = advance_to(session, played);
    // The line itself is recorded after this.
    if let Some(lesson) = &mut session.lesson {
        lesson.transcript_length += 1;
    }
    step
}

/// Plays one item of the lesson. Returns the reply, if it has one.
fn play_item(commands: Commands, session: &mut Session, item: &SessionItem) -> Option<Answer> {
    let input = set_up_item(session, item)?;
    let answer = commands.run_nested(session, &input.text);
    session.target.machine.interrupt_at(None);
    Some(answer)
}

pub(crate) fn current_step(lesson: &Lesson) -> Part {
    Part::Lesson(progress(lesson))
}

/// The next step of the session's lesson; `None` if it has none.
pub(crate) fn current_lesson_step(session: &Session) -> Option<LessonProgress> {
    session.lesson.as_ref().map(|lesson| progress(lesson))
}

/// The next step of a lesson.
pub(crate) fn progress(lesson: &Lesson) -> LessonProgress {
    let input = lesson.next_input();
    LessonProgress {
        number: lesson.next_number(),
        count: lesson.step_count(),
        remarks: lesson.remarks(),
        next: input.map(|(input, _)| input.text.clone()),
        exercise: lesson_exercise::task(lesson),
        following: following_lesson(&lesson.origin).map(|origin| origin.argument()),
    }
}
