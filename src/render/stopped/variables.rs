//! The text of variables and of the state of the game.

use crate::answer::{GameState, Line, Variable};
use crate::text::count_noun;

/// The name column adapts to the names within these limits. A longer name moves only its own value
/// to the right.
const MIN_NAME_COLUMNS: usize = 16;
const MAX_NAME_COLUMNS: usize = 32;

/// Names and values in two columns.
pub(crate) fn variable_lines(variables: &[Variable]) -> Vec<Line> {
    let width = variables
        .iter()
        .map(|v| v.name.chars().count())
        .filter(|n| *n <= MAX_NAME_COLUMNS)
        .max()
        .unwrap_or(0)
        .max(MIN_NAME_COLUMNS);
    variables
        .iter()
        .map(|v| Line::plain(format!("  {:<width$} {}", v.name, v.value)))
        .collect()
}

/// The game in words.
pub(crate) fn state_lines(state: &GameState) -> Vec<Line> {
    let view = &state.view;
    let winner = view.winner.as_ref();
    let winner = winner.map_or_else(String::new, |w| format!(" by {w}"));
    let mut lines = vec![
        Line::plain(format!("language  {}", state.language_title)),
        Line::plain(format!("status    {}{winner}", view.status.as_str())),
    ];
    if let Some(player) = &view.current_player {
        lines.push(Line::plain(format!("turn      {player}")));
    }
    if let Some(n) = view.turn_count {
        lines.push(Line::plain(format!("turns     {n}")));
    }
    if let Some(board) = &view.board {
        lines.push(Line::plain(format!(
            "board     {}, {}",
            count_noun(board.rows as usize, "row", "rows"),
            count_noun(board.cols as usize, "column", "columns")
        )));
    }
    lines.extend(variable_lines(&state.variables));
    lines.extend(view.footer.iter().map(|note| Line::plain(note.as_str())));
    lines
}
