//! The game in words, for `:state` where a person reads it.

use super::{Line, Session, Style};
use crate::language::{BoardView, GameView};
use crate::value::Text;

/// Longer values are cut: `:print` shows them whole.
const MOST: usize = 100;

pub fn state_lines(session: &Session, view: &GameView) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut row = |word: &str, text: String| {
        lines.push(Line::styled(Style::Dim, format!("  {word:<10}")).with(Style::Plain, text));
    };
    row("language", session.language().about().title.to_string());
    row(
        "status",
        match (&view.winner, view.status) {
            (Some(winner), crate::code::Status::Won) => format!("won by {winner}"),
            (_, status) => status.word().to_string(),
        },
    );
    if let Some(turn) = &view.turn {
        row("turn", turn.clone());
    }
    if let Some(count) = view.turn_count {
        row("turns", format!("{count} ended"));
    }
    if let Some(board) = &view.board {
        row("board", board_words(board));
    }
    for note in &view.notes {
        row("", note.clone());
    }
    for (n, (name, value)) in view.variables.iter().enumerate() {
        let text = (session.program().write)(session.program(), &session.machine.store, *value, true);
        let text = match text.char_indices().nth(MOST) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        };
        row(if n == 0 { "variables" } else { "" }, format!("{name} = {text}"));
    }
    lines
}

fn board_words(board: &BoardView) -> String {
    let mut counts: Vec<(Text, usize)> = Vec::new();
    for name in board.cells.iter().filter_map(|c| c.name) {
        match counts.iter_mut().find(|(n, _)| *n == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let pieces: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let pieces = if pieces.is_empty() { "no pieces".into() } else { pieces.join(", ") };
    format!("{} rows, {} columns: {pieces}", board.rows, board.cols)
}
