//! What a player sees of the result of an entry, to compare it with another.

use crate::debugger::api::{Answer, Aspect, BoardMarks, ShownBoard, StopReason};
use crate::diagnostic::{Diagnostic, Severity};
use crate::language::{CellView, GameView, Viewport};
use crate::render::{game_result, shown_board_lines};
use crate::session::{Session, differing_cells, first_line};
use std::rc::Rc;

/// The error of an entry that takes too many instructions.
const ENDLESS_LOOP: &str = "RT019";

/// The result of an entry.
#[derive(Clone)]
pub(super) struct PlayedResult {
    error: Option<PlayedError>,
    question: Option<String>,
    output: Vec<String>,
    value: Vec<String>,
    /// The game, with the whole board.
    view: Rc<GameView>,
    /// What is shown of it.
    shown: Box<ShownBoard>,
}

/// Why an entry failed.
#[derive(Clone)]
struct PlayedError {
    code: &'static str,
    /// The message and where it is.
    lines: Vec<String>,
}

/// Two results that differ: in what, and what it is in the expected and in the actual one.
pub(super) type Difference = (Aspect, Vec<String>, Vec<String>);

impl PlayedResult {
    pub(super) fn new(session: &mut Session, reply: &Answer) -> PlayedResult {
        session.view_settings.reset_legend();
        PlayedResult {
            error: error_of(session, reply),
            question: reply.question.as_ref().map(|q| q.text.clone()),
            output: reply.all_output().cloned().collect(),
            value: to_lines(reply.value.as_deref().unwrap_or_default()),
            view: Rc::new(without_names(session.target.view(Viewport::ALL))),
            shown: session.shown_board(),
        }
    }

    /// The error, in one line.
    pub(super) fn error(&self) -> Option<String> {
        self.error.as_ref().map(|error| error.lines.join(" "))
    }

    /// What differs from the expected result first, if anything does.
    pub(super) fn difference(&self, expected: &PlayedResult) -> Option<Difference> {
        let code = |result: &PlayedResult| result.error.as_ref().map(|error| error.code);
        if code(self) != code(expected) {
            let aspect = match code(self) {
                Some(ENDLESS_LOOP) => Aspect::EndlessLoop,
                _ => Aspect::Error,
            };
            return Some((aspect, expected.error_lines(), self.error_lines()));
        }
        let one = |text: &Option<String>| text.iter().cloned().collect::<Vec<_>>();
        let texts = [
            (Aspect::Output, &expected.output, &self.output),
            (Aspect::Value, &expected.value, &self.value),
            (
                Aspect::Question,
                &one(&expected.question),
                &one(&self.question),
            ),
        ];
        if let Some((aspect, expected, actual)) = texts.into_iter().find(|(_, a, b)| a != b) {
            return Some((aspect, expected.clone(), actual.clone()));
        }
        if game_result(&self.view) != game_result(&expected.view) {
            return Some((Aspect::Ending, expected.ending(), self.ending()));
        }
        let is_same = self.view == expected.view && self.shown.message == expected.shown.message;
        (!is_same).then(|| {
            (
                Aspect::Board,
                expected.board(&[]),
                self.board_with_marks(expected),
            )
        })
    }

    fn error_lines(&self) -> Vec<String> {
        match &self.error {
            Some(error) => error.lines.clone(),
            None => vec!["no error".into()],
        }
    }

    fn ending(&self) -> Vec<String> {
        vec![game_result(&self.view).unwrap_or_else(|| "the game goes on".into())]
    }

    /// The board, with the cells that are different marked as changed cells are.
    fn board_with_marks(&self, expected: &PlayedResult) -> Vec<String> {
        self.board(&differing_cells(&expected.shown.view, &self.shown.view))
    }

    fn board(&self, marked: &[(u32, u32)]) -> Vec<String> {
        let mut shown = self.shown.clone();
        shown.marks = BoardMarks {
            changed: marked.to_vec(),
            ..BoardMarks::default()
        };
        let lines = shown_board_lines(&shown, crate::render::DEFAULT_WIDTH);
        lines.iter().map(|line| line.text()).collect()
    }
}

fn error_of(session: &Session, reply: &Answer) -> Option<PlayedError> {
    let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
    if let Some(error) = reply.diagnostics.iter().find(is_error) {
        let line = error.span.and_then(|span| {
            let source = session.target.sources.get(span.source)?;
            let line = source.line_column(span.start).0;
            source.text.lines().nth(line.saturating_sub(1) as usize)
        });
        let mut lines = vec![format!("error: {}", error.message)];
        lines.extend(line.map(|line| format!("in `{}`", line.trim())));
        return Some(PlayedError {
            code: error.code,
            lines,
        });
    }
    let stop = reply.stop.as_ref();
    if stop.is_some_and(|stop| stop.reason == StopReason::Interrupt) {
        return Some(PlayedError {
            code: ENDLESS_LOOP,
            lines: vec!["interrupted".into()],
        });
    }
    (!reply.ok).then(|| PlayedError {
        code: "",
        lines: vec![first_line(&reply.text()).to_string()],
    })
}

fn to_lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

/// The game as players see it. The names of variables and the number of turns are not part of that.
fn without_names(mut view: GameView) -> GameView {
    view.turn_count = None;
    view.aliases.clear();
    for cell in view.board.iter_mut().flat_map(|board| &mut board.cells) {
        *cell = CellView {
            variable_names: Vec::new(),
            ..std::mem::take(cell)
        };
    }
    view
}
