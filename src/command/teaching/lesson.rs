//! `:lesson`: plays a session file step by step. Between two steps the student may type anything;
//! the next step continues from where the lesson was.
//!
//! The lesson runs in a session of its own, which replaces the current one as `:load` does.

use super::course::{course_lesson, following_lesson, lesson_origin, list_lessons};
use super::lesson_exercise;
use crate::answer::{CommandError, LessonProgress, Part};
use crate::command::keeping::new_session::{new_session, replace_session};
use crate::command::keeping::replay::{language_of, load_program, set_up_item};
use crate::command::{
    ArgumentCompletion, Arguments, Command, CommandEffects, Origin, Topic, is_same_line, run_line,
};
use crate::debugger::run;
use crate::languages;
use crate::session::session_file::{ProgramRef, SessionFile, SessionItem};
use crate::session::{
    Answer, Lesson, LessonOrigin, LessonStep, Line, RecordedIf, Session, Style, stop_on_errors,
};
use std::collections::BTreeMap;
use std::path::Path;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "lesson",
        aliases: &[],
        usage: "[FILE | LANGUAGE N | list | next | back | N | off | check | hint | solution | try]",
        topic: Topic::Session,
        help: "play a session file step by step; Enter runs the next step",
        example: ":lesson",
        effects: CommandEffects::of(Topic::Session),
        completion: ArgumentCompletion::Files,
        run: lesson,
    },
    Command {
        name: "note",
        aliases: &[],
        usage: "TEXT",
        topic: Topic::Session,
        help: "add a remark, which `:save` writes and a lesson shows",
        example: ":note Now O must block the diagonal",
        effects: CommandEffects::of(Topic::Session)
            .saved(RecordedIf::Ok)
            .at_prediction(),
        completion: ArgumentCompletion::Nothing,
        run: note,
    },
];

type CommandResult = Result<Answer, CommandError>;

fn lesson(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let listed_language = languages::by_name(arguments.text());
    if arguments.text() == "list" || listed_language.is_some() {
        let name = listed_language.unwrap_or(languages::ALL[0]).info().name;
        let mut answer = Answer::of(Part::LessonList(list_lessons(listed_language)));
        let hint = format!("`:lesson {name} 1` opens the first one");
        answer.line(Line::styled(Style::Dim, hint));
        return Ok(answer);
    }
    let Some(lesson) = &session.lesson else {
        return match arguments.text() {
            "" => Ok(Answer::message(Line::styled(
                Style::Dim,
                "No lesson is open; `:lesson list` lists the course, \
                 `:lesson FILE.session` plays a session file",
            ))),
            "next" | "back" | "off" | "check" | "hint" | "solution" | "try" => Err(
                CommandError::new("no lesson is open; `:lesson list` lists the course"),
            ),
            _ => open(session, arguments.file(session)?),
        };
    };
    let number = lesson.next_number();
    match arguments.text() {
        "" => Ok(Answer::of(current_step(lesson))),
        "next" => next(session),
        "check" => lesson_exercise::check(session, &lesson.as_ref().clone()),
        "hint" => lesson_exercise::hint(session, &lesson.as_ref().clone()),
        "solution" => lesson_exercise::show_solution(session, &lesson.as_ref().clone()),
        "try" => lesson_exercise::try_out(session, &lesson.as_ref().clone()),
        "back" if number == 1 => Err(CommandError::new("this is the first step")),
        "back" => go_to(session, number - 1),
        "off" => {
            let stops_on_errors = lesson.stopped_on_errors;
            session.lesson = None;
            stop_on_errors(session, stops_on_errors);
            Ok(Answer::message(
                "You left the lesson; the game stays as it is",
            ))
        }
        _ => match arguments.number::<usize>() {
            Some(n) if (1..=lesson.step_count()).contains(&n) => go_to(session, n),
            Some(_) => Err(CommandError::new(format!(
                "the lesson has steps 1 to {}",
                lesson.step_count()
            ))),
            None => open(session, arguments.file(session)?),
        },
    }
}

/// Opens a session file or a lesson of the course at its start.
fn open(session: &mut Session, argument: &str) -> CommandResult {
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
    play_from_start(session, lesson)
}

/// Goes to the moment before a step.
fn go_to(session: &mut Session, number: usize) -> CommandResult {
    let Some(mut lesson) = session.lesson.take() else {
        return Ok(Answer::new(""));
    };
    lesson.played = lesson.items_before(number);
    play_from_start(session, *lesson)
}

/// Replaces the session by the lesson with all items played that it says are.
pub(crate) fn play_from_start(session: &mut Session, mut lesson: Lesson) -> CommandResult {
    let mut new = new_session(session, language_of(&lesson.file)?, lesson.file.seed);
    stop_on_errors(&mut new, lesson.file.stops_on_errors);
    let dir = match &lesson.origin {
        LessonOrigin::File(path) => Path::new(path).parent(),
        LessonOrigin::Course { .. } => None,
    };
    let dir = dir.unwrap_or(Path::new(""));
    new.files.is_replay = true;
    let loaded = load_program(&mut new, &lesson.file, dir, |path| session.files.read(path))?;
    if let ProgramRef::Inline { .. } = &lesson.file.program {
        // Its name is not that of a file.
        new.program_file_mut().path = None;
        new.update_main_source();
    }
    for item in lesson.played_items(lesson.played) {
        play_item(&mut new, &item);
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
fn next(session: &mut Session) -> CommandResult {
    let Some(lesson) = &session.lesson else {
        return Ok(Answer::new(""));
    };
    let (input, played) = match lesson.next_step() {
        Some((LessonStep::Input(input), played)) => (input.clone(), played),
        Some((LessonStep::Exercise(_), _)) => {
            return lesson_exercise::check(session, &lesson.as_ref().clone());
        }
        None => return Ok(Answer::of(current_step(lesson))),
    };
    let mut answer = return_to_lesson(session).unwrap_or_else(|| Ok(Answer::new("")))?;
    let echo = input.text.replace('\n', "\n. ");
    answer.line(Line::styled(Style::Strong, format!("> {echo}")));
    // What the step prints is shown while it runs, so the step itself comes first.
    if let Some(listener) = &mut session.target.progress_listener
        && listener.show(&answer)
    {
        answer.parts.clear();
    }
    if writes_file(&input.text) {
        answer.line(Line::styled(
            Style::Dim,
            "A lesson writes no files: type this line yourself to write the file",
        ));
        answer.hints.extend(advance_to(session, played));
        return Ok(answer);
    }
    // The step must not count as typed by the student, and it writes nothing.
    let lesson = session.lesson.take();
    session.files.is_replay = true;
    let reply = play_item(session, &SessionItem::Input(input.clone()));
    session.files.is_replay = false;
    session.lesson = lesson;
    let has_replaced_session = answer.has_replaced_session;
    answer.absorb(reply.unwrap_or_default());
    answer.has_replaced_session = has_replaced_session;
    answer.hints.extend(advance_to(session, played));
    Ok(answer)
}

/// Whether a line is a command that writes a file.
fn writes_file(line: &str) -> bool {
    let word = line.trim_start().strip_prefix(':');
    let word = word.and_then(|rest| rest.split_whitespace().next());
    let command = word.and_then(|word| crate::command::find(word).ok());
    command.is_some_and(|command| command.effects.writes_files)
}

/// Plays the lesson again up to its next step, if the student has typed something since the last one.
pub(crate) fn return_to_lesson(session: &mut Session) -> Option<CommandResult> {
    let number = session.lesson.as_ref()?.next_number();
    if !has_own_entries(session) {
        return None;
    }
    Some(go_to(session, number).map(|mut answer| {
        (answer.hints, answer.board, answer.stop) = (Vec::new(), None, None);
        answer.parts.clear();
        answer.diagnostics.clear();
        answer.line(Line::styled(
            Style::Dim,
            "Back in the lesson, as it was before what you typed",
        ));
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
pub(crate) fn advance(session: &mut Session, typed: &str) -> Option<Part> {
    let lesson = session.lesson.as_ref()?;
    let (input, played) = lesson.next_input()?;
    if !is_same_line(typed, &input.text) || own_entry_count(session, lesson) > 0 {
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
fn play_item(session: &mut Session, item: &SessionItem) -> Option<Answer> {
    let input = set_up_item(session, item)?;
    let reply = run_line(session, &input.text, Origin::Command);
    session.target.machine.interrupt_at(None);
    Some(reply)
}

pub(crate) fn current_step(lesson: &Lesson) -> Part {
    let input = lesson.next_input();
    Part::Lesson(LessonProgress {
        number: lesson.next_number(),
        count: lesson.step_count(),
        remarks: lesson.remarks(),
        next: input.map(|(input, _)| input.text.clone()),
        exercise: lesson_exercise::task(lesson),
        following: following_lesson(&lesson.origin).map(|origin| origin.argument()),
    })
}

/// Adds a remark to the session.
fn note(_: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    match arguments.is_empty() {
        true => Err(CommandError::new(
            "`:note` needs a text, e.g. `:note Now O must block the diagonal`",
        )),
        false => Ok(Answer::message(Line::styled(
            Style::Dim,
            format!("# {}", arguments.text()),
        ))),
    }
}
