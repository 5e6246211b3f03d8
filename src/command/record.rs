//! Executes a line and records it with its answer in the transcript and the journal: what is noted
//! before it runs, running it, and what follows from it.

use super::exploring::opponent::{self, ComputerMove, ComputerTurn};
use super::failed_entry::add_hint;
use super::input_prompt::run_at_input_prompt;
use super::teaching::tour;

use super::unneeded;
use super::{COMMAND_LINES, Command, Execution, is_command_line};
use crate::analysis::no_effect;
use crate::answer::{Control, Notice, Part, StopReason};
use crate::debugger::EntryId;
use crate::debugger::long_text::limit_work;
use crate::diagnostic::Diagnostic;
use crate::session::{
    Answer, AnsweredQuestion, DisplayState, HistoryPosition, RecordedIf, Records, Session, Topic,
    Traces, TranscriptEntry, to_plain_text, to_replayed_text,
};
use crate::teach::predict::{Completion, Intercepted};
use crate::teach::{lesson, predict};
use std::rc::Rc;

/// Executes and records a line that the user typed: an entry, a command, or the answer to the
/// program's input prompt. Before it runs, there may be a question about it; the next line then is
/// the answer to that.
///
/// It is written to the journal before its answer is returned, so a crash never loses a line whose
/// answer was shown.
pub fn handle_line(session: &mut Session, input: &str) -> Answer {
    begin_line(session, input, None).finish(session)
}

/// If it is the computer's turn, makes its move, and records it like one that was typed.
#[cfg(feature = "internals")]
pub fn play_opponent(session: &mut Session) -> Option<Answer> {
    Some(begin_computer_turn(session, None)?.finish(session))
}

/// A line that was entered.
pub enum EnteredLine {
    /// It has been executed and recorded.
    Done(Box<Answer>),
    /// It runs in slices, and has not ended.
    Running(Box<RunningLine>),
}

/// A line between two slices of its run. While there is one, nothing else may use the session.
pub struct RunningLine {
    before: Before,
    execution: Execution,
    then: Then,
}

/// What completes the answer to a line.
enum Then {
    Prediction(Completion),
    Computer(ComputerMove),
}

/// Begins to execute a line that the user typed. With a `budget`, a run is left after about that many
/// instructions.
pub(crate) fn begin_line(session: &mut Session, input: &str, budget: Option<u64>) -> EnteredLine {
    session.opponents.moves_in_row = 0;
    let was_asked = session.predictions.pending.is_some();
    match predict::intercept(COMMAND_LINES, session, input) {
        Intercepted::Answered(answer) => {
            journal_question(session, was_asked, input);
            EnteredLine::Done(answer)
        }
        Intercepted::Run { line, then } => begin(session, &line, Then::Prediction(then), budget),
    }
}

/// Begins to make the move of the computer, if it is its turn.
pub(crate) fn begin_computer_turn(
    session: &mut Session,
    budget: Option<u64>,
) -> Option<EnteredLine> {
    Some(match opponent::computer_turn(session)? {
        ComputerTurn::Answered(answer) => EnteredLine::Done(answer),
        ComputerTurn::Move(played) => {
            let line = played.line().to_string();
            begin(session, &line, Then::Computer(played), budget)
        }
    })
}

/// Records that a question about a line was opened, or dropped with the line.
fn journal_question(session: &mut Session, was_asked: bool, input: &str) {
    let Some(journal) = &mut session.journal else {
        return;
    };
    match (&session.predictions.pending, was_asked) {
        (Some(prediction), false) => journal.record_question(&prediction.line),
        (None, true) => journal.record_line(input),
        _ => {}
    }
}

fn begin(session: &mut Session, line: &str, then: Then, budget: Option<u64>) -> EnteredLine {
    let mut before = before(session, line, Origin::User);
    if let Then::Prediction(Completion::Judge {
        prediction, typed, ..
    }) = &then
    {
        before.asked = Some(AnsweredQuestion {
            topic: prediction.topic.clone(),
            typed: typed.clone(),
        });
    }
    let execution = run(session, &before, budget);
    EnteredLine::of(
        session,
        RunningLine {
            before,
            execution,
            then,
        },
    )
}

impl EnteredLine {
    /// Completes and records a line if it has ended.
    fn of(session: &mut Session, line: RunningLine) -> EnteredLine {
        if session.target.is_running() {
            return EnteredLine::Running(Box::new(line));
        }
        let answer = after(session, line.before, line.execution.answer);
        EnteredLine::Done(Box::new(match line.then {
            Then::Prediction(then) => predict::complete(COMMAND_LINES, session, then, answer),
            Then::Computer(played) => played.complete(answer),
        }))
    }

    /// Runs it to its end.
    fn finish(mut self, session: &mut Session) -> Answer {
        loop {
            match self {
                EnteredLine::Done(answer) => return *answer,
                EnteredLine::Running(line) => self = line.advance(session, u64::MAX),
            }
        }
    }
}

impl RunningLine {
    /// Runs it for about `budget` instructions.
    pub(crate) fn advance(mut self, session: &mut Session, budget: u64) -> EnteredLine {
        if let Some(answer) = session.target.advance_run(budget) {
            session.target.pause_after = Some(budget);
            self.execution.resume(session, answer);
            session.target.pause_after = None;
        }
        EnteredLine::of(session, self)
    }
}

/// Who executes a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The user, or the computer in place of a player.
    User,
    /// A command such as `:reload`. The line is marked as internal in the transcript and left out of
    /// the journal, which has the command itself.
    Command,
}

/// Executes and records a line without asking about it first.
pub(crate) fn run_line(session: &mut Session, input: &str, origin: Origin) -> Answer {
    let before = before(session, input, origin);
    let execution = run(session, &before, None);
    after(session, before, execution.answer)
}

/// What is known of a line before it runs.
struct Before {
    origin: Origin,
    /// The line, as it is recorded.
    input: String,
    /// The line of the tour's current step, if `:tour next` runs it.
    tour_line: Option<&'static str>,
    command: Option<&'static Command>,
    /// It answers the program's input prompt.
    is_answer: bool,
    /// The question about it that was answered.
    asked: Option<AnsweredQuestion>,
    display: Rc<DisplayState>,
    position: HistoryPosition,
    /// The number of history entries.
    cursor: usize,
    /// The last history entry, if it was rolled back because it had no effect.
    discarded_entry: Option<EntryId>,
    traces: Traces,
    time: u64,
    /// The number of the next entry.
    number: u32,
    /// For a line that a command executes: what the command itself has read.
    outer_files_read: Vec<(String, String)>,
}

/// Notes the state before a line runs, and which line it is.
fn before(session: &mut Session, input: &str, origin: Origin) -> Before {
    // Normalize line endings as in session files and the journal. NUL is replaced because the
    // journal is read only up to the first NUL: a power failure can pad the file with them.
    let mut input = input.replace("\r\n", "\n").replace('\0', "\u{fffd}");
    let is_answer = session.target.is_waiting_for_input();
    let tour_line = match is_answer {
        true => None,
        false => tour::expand_next(session, &input),
    };
    // A blank line at a stop is recorded as the command that it repeats.
    let is_repeat = input.trim().is_empty() && session.target.is_stopped();
    let repeated = session.target.debugger.repeat_command.clone();
    let expanded = tour_line.map(String::from);
    input = expanded.or(repeated.filter(|_| is_repeat)).unwrap_or(input);
    let command = match is_answer {
        true => None,
        false => command_of(session, &input),
    };
    let outer_files_read = session.files.take_files_read();
    session.target.take_cancelled();
    Before {
        origin,
        tour_line,
        command,
        is_answer,
        asked: None,
        display: session.display_state(),
        position: HistoryPosition::of(&session.target),
        cursor: session.target.timeline.cursor(),
        discarded_entry: discarded_entry(session),
        traces: Traces::of(session),
        time: session.target.machine.time(),
        number: session.target.next_entry_number(),
        outer_files_read,
        input,
    }
}

/// Runs a line, at most for about `budget` instructions if there is one.
fn run(session: &mut Session, line: &Before, budget: Option<u64>) -> Execution {
    let input = &line.input;
    // What a command executes on its way is part of its answer, not of its progress.
    let is_nested = line.origin == Origin::Command;
    let target = &mut session.target;
    let listener = target.progress_listener.take_if(|_| is_nested);
    let outer_budget = target.pause_after.take();
    let at_prompt = match line.is_answer {
        true => run_at_input_prompt(session, input),
        false => None,
    };
    session.target.pause_after = budget;
    let execution = match at_prompt {
        Some(answer) => Execution::of(answer),
        None if line.is_answer => Execution::of(session.answer(input)),
        None if is_too_much(session, line.command) => {
            let mut answer = Answer::new(input);
            answer.error(session_full_message(session));
            Execution::of(answer)
        }
        None => Execution::start(session, input),
    };
    session.target.pause_after = outer_budget;
    if is_nested {
        session.target.progress_listener = listener;
    }
    execution
}

/// Whether the lines of the session take so much memory that it may not continue with this one. It can
/// still be saved, and for a while be looked at.
fn is_too_much(session: &Session, command: Option<&Command>) -> bool {
    let limit = session.target.machine.limits.max_memory_bytes;
    let limit = match command.map(|command| command.topic) {
        Some(Topic::Session) => return false,
        Some(Topic::Inspecting) => limit.saturating_mul(2),
        _ => limit,
    };
    session.transcript.bytes() > limit
}

fn session_full_message(session: &Session) -> String {
    let limit = session.target.machine.limits.max_memory_bytes >> 20;
    format!(
        "this session is full: what was typed and answered takes more than {limit} MB; `:save` it and \
         start another one, or use a higher `--memory MB`"
    )
}

/// Completes the answer to a line that has run, and records both.
fn after(session: &mut Session, before: Before, answer: Answer) -> Answer {
    let answer = complete(session, &before, answer);
    let records = records(session, &before, &answer);
    let mut answer = record(session, &before, answer, records);
    let no_effect = unneeded::lines_without_effect(session);
    if let Some(last) = session.transcript.entries.last_mut() {
        last.no_effect = no_effect;
    }
    if before.origin == Origin::Command {
        // Attribute the files to the outer command.
        session.files.set_files_read(before.outer_files_read);
        return answer;
    }
    opponent::note_line(session);
    if let (Some(journal), Some(last)) = (&mut session.journal, session.transcript.entries.last()) {
        if records > Records::Never {
            journal.record(last);
        }
        let is_cancelled = answer.control == Some(Control::Cancelled);
        if !is_cancelled && let Some(warning) = journal.take_warning() {
            answer.push(Notice::JournalProblem { message: warning });
        }
    }
    answer
}

/// Adds to an answer what follows from the state: the question of the program, the board, and why a
/// line failed or had no effect.
fn complete(session: &mut Session, before: &Before, mut answer: Answer) -> Answer {
    let input = &before.input;
    if session.target.take_cancelled() && answer.stop.is_none() {
        // The partial result of an interrupted search may be wrong, so it is discarded.
        answer = Answer {
            control: Some(Control::Cancelled),
            ..Answer::new(input)
        };
        answer.error("interrupted before the end; nothing was changed");
    }
    // `:undo`, `:redo` and others can lead to a question.
    if answer.question.is_none() && !answer.is_quit() {
        answer.question = session.target.question();
    }
    session.update_main_source();
    // An undone definition takes its breakpoints back with it.
    session.target.rebind_breakpoints_quietly();
    let board = session.board_to_show(&answer, &before.display);
    answer.board = board.or(answer.board);
    let is_entry = !before.is_answer && before.command.is_none();
    let has_run =
        has_added_entry(session, before) || discarded_entry(session) != before.discarded_entry;
    if is_entry && !answer.ok {
        let mut hinted = answer.diagnostics.clone();
        let hint = limit_work(&session.target.machine, || {
            add_hint(session, input, &mut hinted);
            hinted
        });
        answer.diagnostics = hint.unwrap_or(answer.diagnostics);
    } else if is_entry && has_run && answer.is_silent() {
        let explanation = no_effect::explain_no_effect(&session.target);
        answer.parts.extend(explanation);
    }
    answer
}

/// Adds a line to the transcript, and lets the tour and the lesson go on if it was their line.
fn record(session: &mut Session, before: &Before, mut answer: Answer, records: Records) -> Answer {
    let input = &before.input;
    let effects = before.command.map(|command| command.effects);
    let has_own_entry =
        has_added_entry(session, before) && !effects.is_some_and(|e| e.moves_history);
    let current = session.target.timeline.current();
    let entry = current.filter(|_| has_own_entry).map(|entry| entry.id);
    let is_interrupt = answer.stop.as_ref().map(|stop| stop.reason) == Some(StopReason::Interrupt);
    let reply_lines = to_plain_text(session, &answer);
    let tour_hint = tour::advance(session, input, answer.ok, &reply_lines);
    answer.hints.extend(tour_hint);
    if answer.ok {
        answer
            .hints
            .extend(lesson::advance(COMMAND_LINES, session, input));
    }
    let echo = |line: &str| Part::Echo { input: line.into() };
    answer.echo = before.tour_line.map(echo);
    let is_nested = before.origin == Origin::Command;
    let is_search = before
        .command
        .is_some_and(|command| command.topic == Topic::Exploring);
    let replayed_reply = is_search.then(|| to_replayed_text(session, &answer));
    let instructions = session.target.machine.time().checked_sub(before.time);
    session.transcript.push(TranscriptEntry {
        input: input.clone(),
        number: (session.target.next_entry_number() > before.number).then_some(before.number),
        is_answer: before.is_answer,
        command: before.command.map(|command| command.name),
        loads_program: effects.is_some_and(|effects| effects.loads_program),
        reply_lines,
        entry,
        is_saved: records == Records::Saved,
        is_dropped: false,
        has_failed: !answer.ok || answer.diagnostics.iter().any(Diagnostic::is_error),
        position_before: before.position,
        position_after: HistoryPosition::of(&session.target),
        is_internal: answer.has_replaced_session || is_nested,
        is_replayed: is_nested,
        interrupted_after: instructions.filter(|_| is_interrupt),
        files_read: session.files.take_files_read(),
        asked: before.asked.clone(),
        no_effect: None,
        replayed_reply,
        traces_before: before.traces.clone(),
        is_journaled: records > Records::Never && !is_nested,
    });
    answer
}

/// Where a line is recorded.
fn records(session: &Session, before: &Before, answer: &Answer) -> Records {
    match answer.control {
        Some(Control::Cancelled) => return Records::Never,
        // The steps of an animation arrive as lines of their own.
        Some(Control::Animate { .. }) => return Records::Never,
        _ if before.is_answer => return Records::Saved,
        Some(Control::PlayKeys | Control::OpenView { .. }) => return Records::JournalOnly,
        _ if before.input.trim().is_empty() => return Records::JournalOnly,
        _ => {}
    }
    let Some(command) = before.command else {
        return Records::Saved;
    };
    let holds = match command.effects.recorded_if {
        RecordedIf::Always => true,
        RecordedIf::Ok => answer.ok,
        RecordedIf::KeepsGame => {
            let current = session.target.timeline.current();
            let keeps_game = current.is_some_and(|entry| !entry.resets_game());
            has_added_entry(session, before) && keeps_game
        }
        RecordedIf::HasValue => before.input.split_whitespace().count() > 2,
    };
    command.effects.records(holds)
}

/// Whether a line has added an entry to the history.
fn has_added_entry(session: &Session, before: &Before) -> bool {
    session.target.timeline.cursor() == before.cursor + 1
}

fn discarded_entry(session: &Session) -> Option<EntryId> {
    session.target.discarded_entry().map(|entry| entry.id)
}

/// The command that a line would run, if any.
pub(super) fn command_of(session: &Session, input: &str) -> Option<&'static Command> {
    let body = input.trim_start().trim_start_matches(':').trim_start();
    let found = || super::forms::command_and_arguments(body).ok();
    let (command, _) = is_command_line(session, input).then(found)??;
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::render::AnswerText;
    use std::rc::Rc;

    /// How much was computed for a line.
    #[derive(Debug)]
    struct Effort {
        views: usize,
        outlines: usize,
        frame_infos: usize,
    }

    /// Executes a line, and shows its answer again as a client does.
    fn effort_for(session: &mut Session, line: &str) -> Effort {
        let count = |session: &Session| Effort {
            views: session.target.view_count.get(),
            outlines: session.target.outline_count.get(),
            frame_infos: session.target.frame_info_count.get(),
        };
        let before = count(session);
        let answer = handle_line(session, line);
        assert!(answer.ok, "{line}: {}", answer.text());
        let render_again = |_: &[_]| panic!("{line}: it has not been rendered for the transcript");
        answer.parts.rendered(session.text_widths(), render_again);
        to_plain_text(session, &answer);
        let after = count(session);
        Effort {
            views: after.views - before.views,
            outlines: after.outlines - before.outlines,
            frame_infos: after.frame_infos - before.frame_infos,
        }
    }

    /// The state before a line is known from the line before.
    #[test]
    fn view_outline_and_frame_are_computed_at_most_once_per_line() {
        for (language, play, play_again, location, expression) in [
            (
                "gridlok",
                "click{1,1}",
                "click{0,0}",
                "winCondition",
                "turn",
            ),
            (
                "bogl",
                "let b = take(2, start)",
                "let c = take(1, b)",
                "left",
                "left(b)",
            ),
            ("gridlang", ":turn", ":turn", "gameLoop", "p.throws"),
            (
                "tinygame",
                "move knight up 1;",
                ":restart",
                "25",
                "knight.x",
            ),
            ("sgl2d", "right", "right", "event player", "counter1"),
        ] {
            let mut session = Session::new(crate::languages::by_name(language).unwrap(), 1);
            let sample = session.target.language().info().sample;
            assert!(session.load("sample", sample).ok);
            let check = |session: &mut Session, line: &str| {
                let effort = effort_for(session, line);
                let Effort {
                    views, outlines, ..
                } = effort;
                assert!(
                    views <= 1 && outlines <= 1,
                    "{language}: `{line}`: {effort:?}"
                );
                let is_plain_stop = ["step", "reverse-step", "continue"].contains(&line);
                let is_once = !is_plain_stop || effort.frame_infos <= 1;
                assert!(is_once, "{language}: `{line}`: {effort:?}");
            };
            session.display_state();
            let breakpoint = format!(":break {location}");
            for line in [play, expression, &breakpoint, play_again] {
                check(&mut session, line);
            }
            assert!(session.target.is_stopped(), "{language}");
            let print = format!("print {expression}");
            for line in [
                "step",
                "reverse-step",
                "step",
                "reverse-step",
                "where",
                &print,
            ] {
                check(&mut session, line);
            }
            assert!(session.target.is_stopped(), "{language}");
            for line in [
                ":delete 1",
                "continue",
                ":undo",
                ":redo",
                ":goto start",
                ":goto end",
            ] {
                check(&mut session, line);
            }
        }
    }

    /// The first line typed after opening a session file belongs to the session.
    #[test]
    fn only_the_line_that_replaces_the_session_is_internal() {
        let host = Rc::new(MemoryHost::new());
        let file = "language gridlok\nseed 1\n\n--- session\n\n> 1 + 1\n  = 2\n";
        host.set_file("a.session", file);
        let mut session = Session::with_host(crate::languages::ALL[0], 1, host);
        let is_internal = |session: &Session| {
            let last = session.transcript.entries.last();
            last.is_some_and(|entry| entry.is_internal)
        };
        assert!(
            crate::command::open_session(&mut session, "a.session", crate::session::Trust::Beside)
                .ok
        );
        assert!(handle_line(&mut session, "2 + 2").ok);
        assert!(!is_internal(&session));
        assert!(handle_line(&mut session, ":load a.session").ok);
        assert!(is_internal(&session));
        assert!(handle_line(&mut session, "3 + 3").ok);
        assert!(!is_internal(&session));
    }
}
