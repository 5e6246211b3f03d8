//! An answer as a JSON object. `--json` prints one per line.

use super::diagnostic::DiagnosticJson;
use super::state::StateJson;
use crate::answer::{
    Answer, CheckResult, Control, CoverageReport, FindResult, Hint, Line, OpponentMove, Part,
    PossibleMove, Question, RejudgedSession, ShownBoard, SolveResult, StatsResult, Stop,
    VaryResult,
};
use crate::diagnostic::first_diagnostics;
use crate::session::Session;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// An answer has at most this many diagnostics: one mistake can cause thousands.
const MAX_DIAGNOSTICS: usize = 1000;

/// The answer to one entry or command, to be written as JSON.
#[derive(Serialize)]
struct AnswerJson<'a> {
    entry: &'a str,
    ok: bool,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Json>,
    output: Vec<&'a String>,
    #[serde(skip_serializing_if = "is_zero")]
    output_omitted: usize,
    display: Option<&'a str>,
    diagnostics: Vec<DiagnosticJson<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted_diagnostics: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<&'a Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a CoverageReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejudge: Option<&'a [RejudgedSession]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a [PossibleMove]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    find: Option<&'a FindResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solve: Option<&'a SolveResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a Hint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<&'a StatsResult>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    opponent: &'a [OpponentMove],
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a CheckResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vary: Option<&'a VaryResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'a Stop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_input: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a Question>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control: Option<&'a Control>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a ShownBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<StateJson<'a>>,
}

impl<'a> AnswerJson<'a> {
    /// An answer of this session.
    fn new(session: &'a Session, answer: &'a Answer) -> AnswerJson<'a> {
        let sources = &session.target.sources;
        let (diagnostics, omitted) = first_diagnostics(&answer.diagnostics, MAX_DIAGNOSTICS);
        let diagnostics = diagnostics.into_iter();
        let board = answer.board.as_deref();
        let has_own_field = |part: &&Part| {
            matches!(
                part,
                Part::Line(_)
                    | Part::Stop(_)
                    | Part::State(_)
                    | Part::Coverage(_)
                    | Part::Rejudged(_)
                    | Part::Moves(_)
                    | Part::Find(_)
                    | Part::Solve(_)
                    | Part::Hint(_)
                    | Part::Stats(_)
                    | Part::Check(_)
                    | Part::Vary(_)
            )
        };
        let parts = answer.parts.iter().chain(&answer.hints);
        AnswerJson {
            entry: &answer.entry,
            ok: answer.ok,
            text: text(session, answer),
            data: answer.data.as_ref(),
            output: answer.all_output().collect(),
            output_omitted: answer.reported.omitted,
            display: answer.display.as_deref(),
            diagnostics: diagnostics
                .map(|d| DiagnosticJson::new(sources, d))
                .collect(),
            omitted_diagnostics: omitted,
            parts: parts.filter(|part| !has_own_field(part)).collect(),
            coverage: answer.parts.iter().find_map(|part| match part {
                Part::Coverage(report) => Some(&**report),
                _ => None,
            }),
            rejudge: answer.parts.iter().find_map(|part| match part {
                Part::Rejudged(sessions) => Some(&sessions[..]),
                _ => None,
            }),
            moves: answer.parts.iter().find_map(|part| match part {
                Part::Moves(list) => Some(&list.moves[..]),
                _ => None,
            }),
            find: answer.parts.iter().find_map(|part| match part {
                Part::Find(result) => Some(&**result),
                _ => None,
            }),
            solve: answer.parts.iter().find_map(|part| match part {
                Part::Solve(result) => Some(&**result),
                _ => None,
            }),
            hint: answer.parts.iter().find_map(|part| match part {
                Part::Hint(hint) => Some(hint),
                _ => None,
            }),
            stats: answer.parts.iter().find_map(|part| match part {
                Part::Stats(result) => Some(&**result),
                _ => None,
            }),
            check: answer.parts.iter().find_map(|part| match part {
                Part::Check(result) => Some(&**result),
                _ => None,
            }),
            opponent: &answer.opponent_moves,
            vary: answer.parts.iter().find_map(|part| match part {
                Part::Vary(result) => Some(result),
                _ => None,
            }),
            stop: answer.stop.as_deref(),
            needs_input: answer.question.as_ref().map(|_| true),
            question: answer.question.as_ref(),
            control: answer.control.as_ref(),
            board: board.filter(|board| board.view.board.is_some()),
            state: answer
                .state
                .as_ref()
                .map(|view| StateJson::new(session, view)),
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The answer to one entry or command, as a tree.
pub fn answer_to_json(session: &Session, answer: &Answer) -> Json {
    json!(AnswerJson::new(session, answer))
}

/// The answer to one entry or command, as one line of JSON.
pub fn answer_to_json_text(session: &Session, answer: &Answer) -> String {
    serde_json::to_string(&AnswerJson::new(session, answer)).unwrap_or_default()
}

/// Everything that people read, except for the program's output, diagnostics and the board.
fn text(session: &Session, answer: &Answer) -> String {
    let width = session.text_widths();
    let echo = answer.echo.iter().map(Line::text);
    let value = answer.value.iter().cloned();
    let hints = crate::render::hint_lines(answer, width);
    let parts = echo
        .chain([crate::render::text(answer, width)])
        .filter(|t| !t.is_empty())
        .chain(value)
        .chain(hints.iter().map(Line::text));
    parts.collect::<Vec<_>>().join("\n")
}
