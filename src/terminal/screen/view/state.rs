//! What the view shows, apart from the terminal: what was chosen, what has changed, and the scene that
//! follows from it and from the session.

use super::keys_help;
use super::panes::board::{CellMarks, board_pane};
use super::panes::card::Card;
use super::panes::output::OutputPane;
use super::panes::source::{SourceCache, source_pane};
use super::panes::steps::steps_pane;
use super::panes::time::{TimePane, time_pane};
use super::panes::values::{OldValues, current_values, values_pane};
use super::scene::Scene;
use crate::analysis::inspect;
use crate::answer::{Evaluation, Part, Stop, StopReason};
use crate::command::{current_lesson_step, enter_advances_lesson};
use crate::debugger::{breakpoint, history, run};
use crate::language::Viewport;
use crate::render::{game_result, stop_head};
use crate::session::{Answer, LessonOrigin, Line, PredictionTopic, Session};
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::text::Text;
use crate::terminal::screen::input::expects_text;
use std::rc::Rc;

/// Which pane the arrow keys move in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Focus {
    #[default]
    Source,
    Board,
}

/// What was chosen, and what has changed.
#[derive(Default)]
pub struct ViewState {
    pub focus: Focus,
    /// The line chosen with the keyboard or the mouse, counted from 0; `None` follows the program.
    pub selected_line: Option<usize>,
    /// The cell of the keyboard cursor, row and column counted from 0.
    pub selected_cell: (u32, u32),
    /// Large cells, for a projector.
    pub is_large: bool,
    pub sources: SourceCache,
    /// Columns that long lines are moved to the left.
    pub scroll: usize,
    /// The first cell of the board that was shown.
    pub board_scroll: (u32, u32),
    changed_cells: Vec<(u32, u32)>,
    /// The values that are shown, and those before them.
    shown_values: OldValues,
    old_values: OldValues,
    /// The statement that was evaluated step by step.
    pub evaluation: Option<Evaluation>,
    pub stop: Option<Rc<Stop>>,
}

impl ViewState {
    /// What a session shows first.
    pub fn new(session: &mut Session, is_large: bool) -> ViewState {
        let stop = match session.target.is_stopped() {
            true => run::reshow_stop(&mut session.target).stop,
            false => None,
        };
        ViewState {
            focus: match stop {
                Some(_) => Focus::Source,
                None => Focus::Board,
            },
            shown_values: current_values(session, stop.as_deref()),
            is_large,
            stop,
            ..ViewState::default()
        }
    }

    /// Takes over where the program is now, what has changed, and what was evaluated.
    pub fn note_stop(&mut self, session: &Session, answer: &Answer) {
        let was_stopped = self.stop.is_some();
        let is_new = answer.stop.is_some()
            || answer.board.is_some()
            || was_stopped != session.target.is_stopped();
        self.stop = match session.target.is_stopped() {
            true => answer.stop.clone().or(self.stop.take()),
            false => None,
        };
        if is_new {
            let values = current_values(session, self.stop.as_deref());
            self.old_values = std::mem::replace(&mut self.shown_values, values);
        }
        if answer.stop.is_some() {
            self.selected_line = None;
            self.scroll = 0;
        }
        if let Some(board) = &answer.board {
            self.changed_cells = board.marks.changed.clone();
        } else if is_new {
            self.changed_cells.clear();
        }
        if was_stopped != self.stop.is_some() {
            self.focus = match self.stop {
                Some(_) => Focus::Source,
                None => Focus::Board,
            };
        }
        let evaluation = answer.parts.iter().find_map(|part| match part {
            Part::Evaluation(evaluation) => Some((**evaluation).clone()),
            _ => None,
        });
        self.evaluation = match (evaluation, self.evaluation.take()) {
            (Some(new), Some(old)) => Some(continued(old, new)),
            (Some(new), None) => Some(new),
            (None, old) => old.filter(|_| !is_new && self.stop.is_some()),
        };
    }

    /// What the panes show now.
    pub fn scene(
        &mut self,
        session: &mut Session,
        output: Vec<Line>,
        screen: (usize, usize),
        is_ascii: bool,
    ) -> Scene {
        let stop = self.stop.clone();
        let stop = stop.as_deref();
        let steps = self.evaluation.as_ref().map(steps_pane);
        let marks = self.cell_marks(
            session,
            stop,
            steps.as_ref().map_or(&[], |steps| &steps.read),
        );
        let time = time_pane(session);
        let values = values_pane(session, stop, &self.old_values);
        let source = source_pane(session, &mut self.sources, self.selected_line);
        Scene {
            headline: headline(stop, &time),
            board: board_pane(session, marks, self.board_scroll, screen),
            board_title: board_title(session, stop),
            card: self.card(session),
            output: OutputPane { lines: output },
            keys: self.keys(session, is_ascii),
            focus: self.focus,
            is_large: self.is_large,
            is_ascii,
            source,
            values,
            steps,
            time,
        }
    }

    fn cell_marks(&self, session: &Session, stop: Option<&Stop>, read: &[(u32, u32)]) -> CellMarks {
        let target = &session.target;
        let asked = session.predictions.pending.as_ref().and_then(|p| {
            let PredictionTopic::Cell(text) = &p.topic else {
                return None;
            };
            let (row, col) = breakpoint::resolve_cell(target, text).ok()?;
            inspect::drawn_cell(target, row, col)
        });
        CellMarks {
            current: stop.and_then(|_| history::current_cell(target)),
            selected: (self.focus == Focus::Board && self.has_cursor(session))
                .then_some(self.selected_cell),
            changed: self.changed_cells.clone(),
            read: read.to_vec(),
            asked,
            ..CellMarks::default()
        }
    }

    /// What asks for an answer.
    fn card(&self, session: &Session) -> Option<Card> {
        let lesson = session.lesson.as_ref();
        let title = lesson.map(|lesson| match &lesson.origin {
            LessonOrigin::File(path) => path.rsplit('/').next().unwrap_or(path).to_string(),
            LessonOrigin::Course { language, number } => format!("lesson {language} {number}"),
        });
        if let Some(prediction) = &session.predictions.pending {
            let title = title.unwrap_or_else(|| "prediction".to_string());
            return Some(Card::of_prediction(title, &prediction.question));
        }
        if let Some(question) = session.target.question() {
            return Some(Card::of_question(
                question.text.trim_end(),
                self.has_cursor(session),
            ));
        }
        let step = current_lesson_step(session)?;
        Some(Card::of_lesson(title.unwrap_or_default(), &step))
    }

    /// Whether the board has a cursor: only games that are played by clicking have one.
    pub fn has_cursor(&self, session: &Session) -> bool {
        let target = &session.target;
        let accepts_cells = match target.question() {
            Some(question) => question
                .answer_type
                .is_some_and(|answer| target.language().is_cell_type(&answer)),
            None => true,
        };
        accepts_cells && inspect::cell_entry(target, self.selected_cell).is_some()
    }

    /// Keys that mean something now, the most useful ones first.
    fn keys(&self, session: &Session, is_ascii: bool) -> Vec<(String, String)> {
        let target = &session.target;
        let has_arrows = target.language().info().arrow_keys.is_some();
        let is_asked = target.is_waiting_for_input() || session.predictions.pending.is_some();
        let keys = match (self.focus, self.stop.is_some()) {
            _ if is_asked => keys_help::ASKED,
            _ if expects_text(session) => keys_help::EXERCISE,
            (_, false) if enter_advances_lesson(session) => keys_help::LESSON,
            (Focus::Source, true) => keys_help::STOPPED,
            (Focus::Source, false) => keys_help::SOURCE,
            (Focus::Board, false) if has_arrows => keys_help::ARROWS,
            (Focus::Board, false) => keys_help::BOARD,
            (Focus::Board, true) => keys_help::STOPPED_BOARD,
        };
        keys_help::named(keys, is_ascii)
    }
}

/// Whose turn it is, how the game has ended, or the move that is running.
fn board_title(session: &Session, stop: Option<&Stop>) -> Text {
    let title = Text::default();
    if let Some(stop) = stop {
        let action = match &stop.action.check {
            // Which condition the rules check is more than the move that led to it.
            Some(check) => {
                let player = stop.action.player.iter();
                let player: String = player.map(|player| format!("{player}'s ")).collect();
                format!("{player}{}: checking {}", check.when, check.condition)
            }
            None => stop_head(stop).1,
        };
        return title.with(Look::PLAIN, action);
    }
    let view = session.target.view(Viewport::NONE);
    match (game_result(&view), view.current_player) {
        (Some(result), _) => title.with(Look::new(Ink::Changed).bold(), result),
        (None, Some(player)) => title.with(Look::PLAIN, format!("{player} to move")),
        (None, None) => Text::new(Look::PLAIN, "board"),
    }
}

/// Why the program stopped and where; an error in its color.
fn headline(stop: Option<&Stop>, time: &TimePane) -> Option<Text> {
    let past = Text::new(Look::new(Ink::Past).bold(), time.past_text());
    let Some(stop) = stop else {
        return time.is_past.then_some(past);
    };
    // The line is marked, and the iteration is among the values.
    let stop = Stop {
        iteration: None,
        ..stop.clone()
    };
    let is_step = stop.hits.is_empty() && stop.message.is_empty();
    let head = match is_step {
        true => format!(" in {}", stop.location),
        false => format!(": {}", stop_head(&stop).0),
    };
    let head = head.replace(&format!(", line {}", stop.range.line), "");
    let is_error = matches!(stop.reason, StopReason::Error);
    let look = Look::new(if is_error { Ink::Error } else { Ink::Now }).bold();
    let text = Text::new(look, "Paused").with(Look::DIM, head);
    Some(match time.is_past {
        true => Text([past.with(Look::PLAIN, "  ").0, text.0].concat()),
        false => text,
    })
}

/// The evaluation of a statement after another part of it.
fn continued(mut old: Evaluation, new: Evaluation) -> Evaluation {
    let goes_on = old.is_partial
        && old.statement.range == new.statement.range
        && old.steps.len() + 1 == new.steps.first().map_or(old.steps.len() + 1, |s| s.number);
    if !goes_on {
        return new;
    }
    old.steps.extend(new.steps.iter().cloned());
    Evaluation {
        steps: old.steps,
        ..new
    }
}
