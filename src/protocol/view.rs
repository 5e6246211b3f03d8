//! The request `view`: everything that a client shows of a session, in one answer. Nothing is recorded,
//! and nothing changes.

use super::PROTOCOL_VERSION;
use super::incoming::Time;
use super::view_board::BoardWindow;
use crate::analysis::inspect;
use crate::answer::{
    BreakpointInfo, CallStack, LessonProgress, Pieces, PredictionQuestion, ProgramListing,
    Question, Stop, Timeline, Variable,
};
use crate::command;
use crate::debugger::run::describe_place;
use crate::debugger::{frame, history, value_to_json};
use crate::language::{PlayEntry, Viewport};
use crate::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::HashMap;

/// What a client wants to see.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// The parts; all of them if there is no list.
    #[serde(default)]
    pub parts: Option<Vec<ViewPart>>,
    /// The part of the board; all of it if there is none.
    #[serde(default)]
    pub board: Option<WindowRequest>,
    /// Shows the session as it was at this time, and returns. A number, or a text that `:goto` accepts.
    #[serde(default)]
    pub time: Option<Time>,
}

/// A part of the board, in rows and columns counted from 0.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowRequest {
    /// The first row.
    #[serde(default)]
    pub first_row: u32,
    /// The first column.
    #[serde(default)]
    pub first_col: u32,
    /// At most this many rows.
    pub rows: u32,
    /// At most this many columns.
    pub cols: u32,
}

/// A part of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewPart {
    /// How the game and the session are.
    Status,
    /// The program's question.
    Question,
    /// The question of a prediction.
    Prediction,
    /// The board.
    Board,
    /// Where the program is.
    Stop,
    /// The call stack.
    Frames,
    /// The variables in scope.
    Variables,
    /// Breakpoints, watchpoints and logpoints.
    Breakpoints,
    /// The history.
    Timeline,
    /// The kinds of pieces, with their numbers on the board.
    Pieces,
    /// The lesson and its next step.
    Lesson,
    /// The program as it is now.
    Program,
}

/// The answer to `view`. Only the parts that were asked for are there; one that does not exist now is
/// `null`.
#[derive(Serialize)]
pub struct ViewAnswer {
    /// True.
    pub ok: bool,
    /// The version of the protocol.
    pub protocol: u32,
    /// The current time.
    pub time: u64,
    /// Whether this time is only visited: the next line records the way there.
    pub is_away: bool,
    /// Another number whenever the program may be another one.
    pub program_version: u64,
    /// How the game and the session are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ViewStatus>,
    /// The program's question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Option<OpenQuestion>>,
    /// The question of a prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Option<OpenPrediction>>,
    /// The board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Option<BoardWindow>>,
    /// Where the program is stopped. Why and what has changed is only in the answer of the line that
    /// stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Option<Stop>>,
    /// The call stack, if the program is stopped or waits for input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<Option<CallStack>>,
    /// The variables in scope, locals first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<VariableWithData>>,
    /// In ascending order of their numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakpoints: Option<Vec<BreakpointInfo>>,
    /// The history, and the current position in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
    /// The kinds of pieces, with their numbers on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Option<Pieces>>,
    /// The lesson and its next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<Option<OpenLesson>>,
    /// The program as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramListing>,
}

/// How the game and the session are.
#[derive(Serialize)]
pub struct ViewStatus {
    /// The name of the language.
    language: &'static str,
    /// The language as shown to users.
    language_title: &'static str,
    /// Whether and how the game has ended: `playing`, `won`, `lost`, `draw` or `over`.
    status: &'static str,
    /// The ending in the game's own words.
    ending: Option<String>,
    /// Who has won.
    winner: Option<String>,
    /// The player whose turn it is.
    turn: Option<String>,
    /// How many turns have ended.
    turn_count: Option<i64>,
    /// The players, in turn order.
    players: Vec<String>,
    /// The lines above the board.
    header: Vec<Option<String>>,
    /// The lines below the board.
    footer: Vec<String>,
    /// The game's message line.
    display: Option<String>,
    /// Whether the program is stopped inside an entry.
    is_stopped: bool,
    /// Whether the program waits for input.
    is_waiting: bool,
    /// Whether there are later times in the history.
    is_in_past: bool,
    /// Whether what runs is rolled back at its end.
    is_dry_run: bool,
    /// The name of the program's source; `null` if it was typed.
    file: Option<String>,
    /// The path of the file that `:save` writes without a name.
    path: Option<String>,
    /// The seed of the random numbers.
    seed: u64,
    /// How many definitions differ from what was loaded or saved.
    unsaved_count: usize,
    /// The line that plays the game or a turn of it, if it is played by running something.
    play: Option<PlayLine>,
    /// The prompt of a terminal.
    prompt: String,
}

/// A line that plays.
#[derive(Serialize)]
pub struct PlayLine {
    /// The line.
    line: &'static str,
    /// Whether it plays the whole game, with questions to the players; otherwise one turn.
    is_whole_game: bool,
}

/// The program's question.
#[derive(Serialize)]
pub struct OpenQuestion {
    /// The question.
    #[serde(flatten)]
    question: Question,
    /// Whether a click on a cell answers it.
    takes_cell: bool,
}

/// The question of a prediction.
#[derive(Serialize)]
pub struct OpenPrediction {
    /// The question.
    #[serde(flatten)]
    question: PredictionQuestion,
    /// The line that runs when it is answered.
    line: String,
    /// The row and column of the cell that it asks about, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(u32, u32)>,
}

/// A variable with its value as JSON.
#[derive(Serialize)]
pub struct VariableWithData {
    /// The variable.
    #[serde(flatten)]
    variable: Variable,
    /// Its value.
    data: Json,
}

/// A lesson that is being played.
#[derive(Serialize)]
pub struct OpenLesson {
    /// The next step.
    #[serde(flatten)]
    step: LessonProgress,
    /// What the lesson is about.
    title: String,
    /// What `:lesson` accepts to open it.
    argument: String,
    /// Whether it belongs to the built-in course.
    is_in_course: bool,
}

/// Shows the session at its current time.
pub fn view(session: &mut Session, request: &ViewRequest) -> ViewAnswer {
    let parts = request.parts.as_deref();
    let has = |part: ViewPart| parts.is_none_or(|parts| parts.contains(&part));
    let window = request.board.filter(|_| has(ViewPart::Board));
    let viewport = match (has(ViewPart::Board), window) {
        (false, _) => Viewport::NONE,
        (true, None) => Viewport::ALL,
        (true, Some(window)) => Viewport {
            row: window.first_row,
            col: window.first_col,
            rows: window.rows,
            cols: window.cols,
        },
    };
    let needs_game = has(ViewPart::Board) || has(ViewPart::Status);
    let shown = needs_game.then(|| session.peek_at_board(viewport));
    let target = &mut session.target;
    let runs = !target.machine.is_idle();
    let stop = has(ViewPart::Stop).then(|| match target.is_stopped() {
        true => describe_place(target),
        false => None,
    });
    let frames = has(ViewPart::Frames).then(|| runs.then(|| frame::call_stack(target, None)));
    let board = shown.as_ref().filter(|_| has(ViewPart::Board));
    let board = board.map(BoardWindow::new);
    let session = &*session;
    let target = &session.target;
    ViewAnswer {
        ok: true,
        protocol: PROTOCOL_VERSION,
        time: target.machine.time(),
        is_away: false,
        program_version: 0,
        status: shown
            .as_ref()
            .filter(|_| has(ViewPart::Status))
            .map(|shown| status(session, shown)),
        question: has(ViewPart::Question).then(|| question(session)),
        prediction: has(ViewPart::Prediction).then(|| prediction(session)),
        board,
        stop,
        frames,
        variables: has(ViewPart::Variables).then(|| variables(session)),
        breakpoints: has(ViewPart::Breakpoints).then(|| inspect::describe_breakpoints(target)),
        timeline: has(ViewPart::Timeline).then(|| history::describe_timeline(target)),
        pieces: has(ViewPart::Pieces).then(|| command::peek_at_pieces(session)),
        lesson: has(ViewPart::Lesson).then(|| lesson(session)),
        program: has(ViewPart::Program).then(|| command::program_listing(session, None)),
    }
}

fn status(session: &Session, shown: &crate::answer::ShownBoard) -> ViewStatus {
    let (target, view) = (&session.target, &*shown.view);
    let info = target.language().info();
    let has_won = view.status == crate::code::Status::Won;
    ViewStatus {
        language: info.name,
        language_title: info.title,
        status: view.status.as_str(),
        ending: view.ending.clone(),
        winner: view.winner.clone().filter(|_| has_won),
        turn: view.current_player.clone(),
        turn_count: view.turn_count,
        players: target.players(),
        header: view.header.clone(),
        footer: view.footer.clone(),
        display: shown.message.clone(),
        is_stopped: target.is_stopped(),
        is_waiting: target.is_waiting_for_input(),
        is_in_past: target.timeline.is_in_past(&target.machine),
        is_dry_run: target.timeline.innermost_dry_run().is_some(),
        file: target.main_source.clone(),
        path: session.program_file().path.clone(),
        seed: session.transcript.game_start.seed,
        unsaved_count: session.unsaved_count(),
        play: target
            .language()
            .play_entry(target.program())
            .map(play_line),
        prompt: session.prompt(),
    }
}

fn play_line(entry: PlayEntry) -> PlayLine {
    let (line, is_whole_game) = match entry {
        PlayEntry::Game(line) => (line, true),
        PlayEntry::Turn(line) => (line, false),
    };
    PlayLine {
        line,
        is_whole_game,
    }
}

fn question(session: &Session) -> Option<OpenQuestion> {
    let target = &session.target;
    let question = target.question()?;
    let accepts = |cell: String| {
        let kind = target.pending_input_kind();
        kind.is_some_and(|kind| target.machine.check_answer(kind, &cell).is_ok())
    };
    Some(OpenQuestion {
        question,
        takes_cell: inspect::cell_entry(target, (0, 0)).is_some_and(accepts),
    })
}

fn prediction(session: &Session) -> Option<OpenPrediction> {
    let pending = session.predictions.pending.as_ref()?;
    let cell = pending.topic.cell();
    let cell = cell.and_then(|cell| inspect::cell_named(&session.target, cell));
    Some(OpenPrediction {
        question: pending.question.clone(),
        line: pending.line.clone(),
        at: cell,
    })
}

fn variables(session: &Session) -> Vec<VariableWithData> {
    let target = &session.target;
    let named = target.named_values().variables;
    let locals = frame::locals(target, target.debugger.selected_frame);
    let locals: HashMap<&str, _> = locals.iter().map(|(l, v)| (l.name.as_str(), *v)).collect();
    let to_json = |value| value_to_json(target.program(), &target.machine.store, value);
    let with_data = |variable: Variable, data: Option<Json>| VariableWithData {
        data: data.unwrap_or(Json::Null),
        variable,
    };
    let shown = frame::selected_locals(target).into_iter().map(|variable| {
        let value = locals.get(variable.name.as_str());
        // The row and column of a handler's cell are not stored.
        let number = || variable.value.parse::<i64>().ok().map(Json::from);
        let data = value.map(|value| to_json(*value)).or_else(number);
        with_data(variable, data)
    });
    let mut all: Vec<VariableWithData> = shown.collect();
    let data: Vec<Json> = named.iter().map(|(_, value)| to_json(*value)).collect();
    let globals = frame::describe_globals(target, named).into_iter().zip(data);
    all.extend(globals.map(|(variable, data)| with_data(variable, Some(data))));
    all
}

fn lesson(session: &Session) -> Option<OpenLesson> {
    let lesson = session.lesson.as_ref()?;
    Some(OpenLesson {
        step: crate::teach::lesson::progress(lesson),
        title: crate::teach::course::lesson_title(lesson),
        argument: lesson.origin.argument(),
        is_in_course: matches!(lesson.origin, crate::session::LessonOrigin::Course { .. }),
    })
}
