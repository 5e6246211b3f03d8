//! What a player sees of the result of an entry, to compare it with another.

use crate::answer::{Answer, Aspect, BoardMarks, ShownBoard, StopReason};
use crate::code::BoardInfo;
use crate::diagnostic::{Diagnostic, Severity};
use crate::language::{CellView, GameView, Viewport};
use crate::render::AnswerText;
use crate::render::{game_result, shown_board_lines};
use crate::session::{Session, differing_cells, first_line};
use std::rc::Rc;

/// The error of an entry that takes too many instructions.
const ENDLESS_LOOP: &str = "RT019";
/// The error of an entry that needs too much memory.
pub(crate) const OUT_OF_MEMORY: &str = "RT015";

/// What is said instead of how the game has ended, if it has not.
pub(crate) const GAME_GOES_ON: &str = "the game goes on";

/// The result of an entry.
#[derive(Clone)]
pub(crate) struct PlayedResult {
    error: Option<PlayedError>,
    question: Option<String>,
    output: Vec<String>,
    value: Vec<String>,
    /// The function and the line where it stops.
    stop: Option<(String, String)>,
    /// The game, with the whole board.
    view: Rc<GameView>,
    /// What is shown of it.
    shown: Box<ShownBoard>,
    board_info: BoardInfo,
}

/// Why an entry failed.
#[derive(Clone)]
struct PlayedError {
    code: &'static str,
    /// The message and where it is.
    lines: Vec<String>,
}

/// What two results differ in first.
pub(crate) struct Difference {
    pub(crate) aspect: Aspect,
    pub(crate) expected: Vec<String>,
    pub(crate) actual: Vec<String>,
    /// What to ask `:why` about.
    pub(crate) subject: Option<String>,
}

/// The lines of a result in one. The second line of an error says where it is.
pub(crate) fn in_one_line(aspect: Aspect, lines: &[String]) -> String {
    match aspect {
        _ if lines.is_empty() => "nothing".into(),
        Aspect::Error | Aspect::EndlessLoop => lines.join(" "),
        _ => lines.join(" / "),
    }
}

impl PlayedResult {
    pub(crate) fn new(session: &mut Session, answer: &Answer) -> PlayedResult {
        session.view_settings.reset_legend();
        PlayedResult {
            error: error_of(session, answer),
            question: answer.question.as_ref().map(|q| q.text.clone()),
            output: answer.all_output().cloned().collect(),
            value: to_lines(answer.value.as_deref().unwrap_or_default()),
            stop: stop_of(answer),
            view: Rc::new(without_names(session.target.view(Viewport::ALL))),
            shown: session.shown_board(),
            board_info: session.target.program().board_info,
        }
    }

    /// The error, in one line.
    pub(crate) fn error(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        Some(in_one_line(Aspect::Error, &error.lines))
    }

    /// Whether it failed because of a limit: it takes too many instructions or too much memory.
    pub(crate) fn is_limited(&self) -> bool {
        let error = self.error.as_ref();
        error.is_some_and(|error| matches!(error.code, ENDLESS_LOOP | OUT_OF_MEMORY))
    }

    /// How the game has ended, or that it goes on.
    pub(crate) fn ending_text(&self) -> String {
        self.ending().concat()
    }

    /// Whether the game is in the same state, as far as players see it.
    pub(crate) fn is_same_game(&self, other: &PlayedResult) -> bool {
        self.view == other.view && self.shown.message == other.shown.message
    }

    /// The first thing that differs between this state of the game and a later replay of it, as it is in
    /// each: the board, a cell, whose turn it is, or a line beside the board.
    pub(crate) fn state_difference(&self, other: &PlayedResult) -> (String, String) {
        let size = |result: &PlayedResult| match &result.view.board {
            Some(board) if board.is_unbounded => "a board without edges".to_string(),
            Some(board) => format!("a board of {} x {}", board.rows, board.cols),
            None => "no board".to_string(),
        };
        let turn = |result: &PlayedResult| match &result.view.current_player {
            Some(player) => format!("turn: {player}"),
            None => "no player has the turn".to_string(),
        };
        let message = |result: &PlayedResult| match &result.shown.message {
            Some(message) => message.clone(),
            None => "no message".to_string(),
        };
        let pairs = [size, turn, message].map(|text| (text(self), text(other)));
        let [size, turn, message] = pairs;
        let lines = |view: &GameView| {
            let header = view.header.iter().flatten().cloned();
            header.chain(view.footer.clone()).collect::<Vec<_>>()
        };
        let (own, others) = (lines(&self.view), lines(&other.view));
        let line = |lines: &[String], n: usize| lines.get(n).cloned().unwrap_or("nothing".into());
        let beside = (0..own.len().max(others.len())).map(|n| (line(&own, n), line(&others, n)));
        let texts = std::iter::once((self.ending_text(), other.ending_text()))
            .chain([size])
            .chain(self.cell_difference(other))
            .chain([turn])
            .chain(beside)
            .chain([message]);
        let mut differing = texts.filter(|(own, other)| own != other);
        let unnamed = || ("one position".to_string(), "another position".to_string());
        differing.next().unwrap_or_else(unnamed)
    }

    /// What is on the first cell that differs, in boards of the same size: `b at [0][0]`.
    fn cell_difference(&self, other: &PlayedResult) -> Option<(String, String)> {
        let (own, others) = (self.view.board.as_ref()?, other.view.board.as_ref()?);
        let cells = own.cells.iter().zip(&others.cells);
        let texts = cells.map(|(own, other)| (cell_text(own), cell_text(other)));
        let (index, (own_text, other_text)) = texts.enumerate().find(|(_, (a, b))| a != b)?;
        let (row, col) = (
            own.first_row + index as u32 / own.shown_cols.max(1),
            own.first_col + index as u32 % own.shown_cols.max(1),
        );
        let at = self
            .board_info
            .format_cell(own.origin.0 + i64::from(row), own.origin.1 + i64::from(col));
        Some((
            format!("{own_text} at {at}"),
            format!("{other_text} at {at}"),
        ))
    }

    /// Whether it stops at the same text.
    pub(crate) fn is_same_stop(&self, other: &PlayedResult) -> bool {
        self.stop == other.stop
    }

    /// What differs from the expected result first, if anything does.
    pub(crate) fn difference(&self, expected: &PlayedResult) -> Option<Difference> {
        let code = |result: &PlayedResult| result.error.as_ref().map(|error| error.code);
        let one = |text: &Option<String>| text.iter().cloned().collect::<Vec<_>>();
        let found = |aspect, expected: &[String], actual: &[String]| {
            Some(Difference {
                aspect,
                expected: expected.to_vec(),
                actual: actual.to_vec(),
                subject: None,
            })
        };
        if code(self) != code(expected) {
            let aspect = match code(self) {
                Some(ENDLESS_LOOP) => Aspect::EndlessLoop,
                _ => Aspect::Error,
            };
            return found(aspect, &expected.error_lines(), &self.error_lines());
        }
        if self.output != expected.output {
            return found(Aspect::Output, &expected.output, &self.output);
        }
        if self.value != expected.value {
            return found(Aspect::Value, &expected.value, &self.value);
        }
        if self.question != expected.question {
            let (expected, actual) = (one(&expected.question), one(&self.question));
            return found(Aspect::Question, &expected, &actual);
        }
        let ending = game_result(&self.view);
        if ending != game_result(&expected.view) {
            let subject = if ending.is_some() { "win" } else { "not win" };
            return Some(Difference {
                aspect: Aspect::Ending,
                expected: expected.ending(),
                actual: self.ending(),
                subject: Some(subject.into()),
            });
        }
        let is_same = self.view == expected.view && self.shown.message == expected.shown.message;
        (!is_same).then(|| self.board_difference(expected))
    }

    /// The two boards. The cells that differ are marked as changed cells are.
    fn board_difference(&self, expected: &PlayedResult) -> Difference {
        let cells = differing_cells(&expected.shown.view, &self.shown.view);
        let origin = self.view.board.as_ref().map_or((0, 0), |b| b.origin);
        let cell = cells.first().map(|(row, col)| {
            let (row, col) = (origin.0 + i64::from(*row), origin.1 + i64::from(*col));
            self.board_info.format_cell(row, col)
        });
        Difference {
            aspect: Aspect::Board,
            expected: expected.board(&[]),
            actual: self.board(&cells),
            subject: cell,
        }
    }

    fn error_lines(&self) -> Vec<String> {
        match &self.error {
            Some(error) => error.lines.clone(),
            None => vec!["no error".into()],
        }
    }

    fn ending(&self) -> Vec<String> {
        vec![game_result(&self.view).unwrap_or_else(|| GAME_GOES_ON.into())]
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

fn stop_of(answer: &Answer) -> Option<(String, String)> {
    let stop = answer.stop.as_ref()?;
    let line = stop.source.iter().find(|line| line.is_next);
    let text = line.map(|line| line.text.trim().to_string());
    Some((stop.function.clone(), text.unwrap_or_default()))
}

fn error_of(session: &Session, answer: &Answer) -> Option<PlayedError> {
    let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
    if let Some(error) = answer.diagnostics.iter().find(is_error) {
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
    let stop = answer.stop.as_ref();
    if stop.is_some_and(|stop| stop.reason == StopReason::Interrupt) {
        return Some(PlayedError {
            code: ENDLESS_LOOP,
            lines: vec!["interrupted".into()],
        });
    }
    (!answer.ok).then(|| PlayedError {
        code: "",
        lines: vec![first_line(&answer.text()).to_string()],
    })
}

/// What is on a cell: `X, hidden, owned by o`.
fn cell_text(cell: &CellView) -> String {
    let names = cell.overlay.iter().chain(&cell.name).chain(&cell.others);
    let names: Vec<String> = names.map(|name| name.to_string()).collect();
    let mut text = match names.is_empty() {
        true => "nothing".to_string(),
        false => names.join(" and "),
    };
    if !cell.visible && !names.is_empty() {
        text.push_str(", hidden");
    }
    if let Some(owner) = cell.owner {
        text.push_str(&format!(", owned by {owner}"));
    }
    if let Some((red, green, blue)) = cell.color {
        text.push_str(&format!(" on the color {red}, {green}, {blue}"));
    }
    text
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
