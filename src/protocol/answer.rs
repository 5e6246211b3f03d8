//! An answer as a JSON object. `--json` prints one per line.

use super::diagnostic::DiagnosticJson;
use crate::answer::{Answer, Control, Line, Part, Question, ShownBoard, Stop};
use crate::diagnostic::first_diagnostics;
use crate::session::{Session, to_plain_text};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// The version of the protocol. It changes when a field or a kind of part is removed or gets another
/// meaning; new ones may be added to the same version.
pub const PROTOCOL_VERSION: u32 = 1;

/// An answer has at most this many diagnostics: one mistake can cause thousands.
pub(super) const MAX_DIAGNOSTICS: usize = 1000;

/// The answer to one entry or command. What it shows is in `parts`; the other fields are those that
/// every answer has, and what the client has to do next.
#[derive(Serialize)]
struct AnswerJson<'a> {
    /// The version of the protocol.
    protocol: u32,
    /// The line that was typed.
    entry: &'a str,
    /// False if it failed; then nothing was changed.
    ok: bool,
    /// The parts as text, as the terminal prints them.
    text: String,
    /// What the program printed, one string per line.
    output: Vec<&'a String>,
    /// How many lines of output and messages of logpoints are left out, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    output_omitted: usize,
    /// The game's message line.
    display: Option<&'a str>,
    /// Errors and warnings.
    diagnostics: Vec<DiagnosticJson<'a>>,
    /// How many more of them there are.
    #[serde(skip_serializing_if = "is_zero")]
    omitted_diagnostics: usize,
    /// What the answer shows, in order.
    parts: Vec<PartJson<'a>>,
    /// Whether the program is stopped after this line.
    stopped: bool,
    /// True if the program is waiting for input: the next line answers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_input: Option<bool>,
    /// True if the entry goes on with the next line: nothing has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
    /// The input prompt at which the program is waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a Question>,
    /// What the client has to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    control: Option<&'a Control>,
    /// The text that a session file would contain, with the board; only in answers to requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<String>>,
    /// What the line has added to the journal; only in answers to requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
}

/// A part of an answer, or what becomes one because it is shown like one.
#[derive(Serialize)]
#[serde(untagged)]
enum PartJson<'a> {
    Part(&'a Part),
    Value(Box<Part>),
    Stop(Tagged<&'a Stop>),
    Board(Tagged<&'a ShownBoard>),
}

/// The content of a part that is not stored as one.
#[derive(Serialize)]
struct Tagged<T> {
    kind: &'static str,
    #[serde(flatten)]
    content: T,
}

impl<'a> AnswerJson<'a> {
    /// An answer of this session.
    fn new(session: &'a Session, answer: &'a Answer) -> AnswerJson<'a> {
        let sources = &session.target.sources;
        let (diagnostics, omitted) = first_diagnostics(&answer.diagnostics, MAX_DIAGNOSTICS);
        let diagnostics = diagnostics.into_iter();
        AnswerJson {
            protocol: PROTOCOL_VERSION,
            entry: &answer.entry,
            ok: answer.ok,
            text: text(session, answer),
            output: answer.all_output().collect(),
            output_omitted: answer.reported.omitted,
            display: answer.display.as_deref(),
            diagnostics: diagnostics
                .map(|d| DiagnosticJson::new(sources, d))
                .collect(),
            omitted_diagnostics: omitted,
            parts: parts(answer),
            stopped: session.target.is_stopped(),
            needs_input: answer.question.as_ref().map(|_| true),
            incomplete: answer.is_unfinished.then_some(true),
            question: answer.question.as_ref(),
            control: answer.control.as_ref(),
            lines: None,
            journal: None,
        }
    }
}

/// Everything that an answer shows, in the order in which it is shown.
fn parts(answer: &Answer) -> Vec<PartJson<'_>> {
    let mut parts: Vec<PartJson> = answer.echo.iter().map(PartJson::Part).collect();
    parts.extend(answer.parts.iter().map(PartJson::Part));
    // An evaluation shows where the program is in its own way.
    let stop = answer.stop.as_ref().filter(|stop| {
        let is_shown = |part: &Part| matches!(part, Part::Stop(shown) if Rc::ptr_eq(shown, stop));
        !answer.parts.iter().any(is_shown)
    });
    parts.extend(stop.map(|stop| {
        PartJson::Stop(Tagged {
            kind: "stop",
            content: stop,
        })
    }));
    let value = answer.value.iter().map(|text| Part::Value {
        text: text.clone(),
        data: answer.data.clone(),
    });
    parts.extend(value.map(|value| PartJson::Value(Box::new(value))));
    let board = answer.board.as_deref();
    let board = board.filter(|board| board.view.board.is_some());
    parts.extend(board.map(|board| {
        PartJson::Board(Tagged {
            kind: "board",
            content: board,
        })
    }));
    parts.extend(answer.hints.iter().map(PartJson::Part));
    parts
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The answer to a request, as a tree.
pub(super) fn answer_to_request(
    session: &Session,
    answer: &Answer,
    journal: Option<String>,
) -> Json {
    json!(AnswerJson {
        lines: Some(to_plain_text(session, answer)),
        journal,
        ..AnswerJson::new(session, answer)
    })
}

/// The answer to one entry or command, as one line of JSON.
pub fn answer_to_json_text(session: &Session, answer: &Answer) -> String {
    serde_json::to_string(&AnswerJson::new(session, answer)).unwrap_or_default()
}

/// Everything that people read, except for the program's output, diagnostics and the board.
fn text(session: &Session, answer: &Answer) -> String {
    let width = session.text_widths();
    let echo = crate::render::echo_lines(answer, width);
    let value = answer.value.iter().cloned();
    let hints = crate::render::hint_lines(answer, width);
    let parts = echo
        .iter()
        .map(Line::text)
        .chain([crate::render::text(answer, width)])
        .filter(|t| !t.is_empty())
        .chain(value)
        .chain(hints.iter().map(Line::text));
    parts.collect::<Vec<_>>().join("\n")
}
