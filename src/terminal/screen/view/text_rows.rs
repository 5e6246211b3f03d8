//! Lines of text for a screen that stays in place: the board, and the last lines of output.

use crate::language::Viewport;
use crate::render::{CellGrid, Width, board_picture};
use crate::session::{BoardMarks, Line, Session, Style};
use crate::terminal::output::wrap::wrap_line;

/// A part of the board that fits into `columns` and `rows`, with the given cells marked.
pub fn board_pane(
    session: &mut Session,
    marks: BoardMarks,
    (columns, rows): (usize, usize),
) -> (Vec<Line>, Option<CellGrid>) {
    if session.board_size().is_none() {
        return (vec![Line::styled(Style::Dim, "no board yet")], None);
    }
    let (mut viewport, width) = (session.viewport(), pane_width(session, columns));
    let focus = marks.selected.or(marks.current);
    session.scroll_to_focus(viewport);
    loop {
        let (row, col) = session.view_settings.scroll_origin;
        let (row, col) = focus.map_or((row, col), |(r, c)| {
            (
                scrolled(row, viewport.rows, r),
                scrolled(col, viewport.cols, c),
            )
        });
        session.view_settings.reset_legend();
        let part = Viewport {
            row,
            col,
            ..viewport
        };
        let marks = BoardMarks {
            is_following: true,
            ..marks.clone()
        };
        let board = session.shown_viewport(part, marks);
        let shown = board.view.board.as_ref();
        let (shown_rows, shown_cols) = shown.map_or((0, 0), |b| (b.shown_rows, b.shown_cols));
        let picture = board_picture(&board, width);
        let excess_rows = picture.lines.len().saturating_sub(rows);
        let excess_cols = picture
            .lines
            .iter()
            .take(1 + shown_rows as usize)
            .map(|line| line.text().chars().count())
            .max()
            .unwrap_or(0)
            .saturating_sub(columns);
        if excess_cols > 0 && shown_cols > 1 {
            viewport.cols = shown_cols
                .saturating_sub(excess_cols.div_ceil(2) as u32)
                .max(1);
        } else if excess_rows > 0 && shown_rows > 1 {
            viewport.rows = shown_rows.saturating_sub(excess_rows as u32).max(1);
        } else {
            return (picture.lines, picture.cells);
        }
    }
}

/// The first of `shown` rows so that `focus` is among them, moved as little as possible.
fn scrolled(first: u32, shown: u32, focus: u32) -> u32 {
    match focus.checked_sub(first) {
        None => focus,
        Some(distance) if distance >= shown => focus - shown + 1,
        Some(_) => first,
    }
}

fn pane_width(session: &Session, columns: usize) -> Width {
    Width {
        is_ascii: session.view_settings.is_ascii,
        ..Width::of(columns)
    }
}

/// The last `height` rows of these lines, wrapped to `width` columns, at the bottom.
pub fn last_rows(lines: &[Line], width: usize, height: usize) -> Vec<Line> {
    // A line takes at least one row.
    let lines = &lines[lines.len().saturating_sub(height)..];
    let wrapped: Vec<Line> = wrapped_rows(lines, width);
    let shown = &wrapped[wrapped.len().saturating_sub(height)..];
    let blank = height - shown.len();
    let rows = std::iter::repeat_n(Line::default(), blank);
    rows.chain(shown.iter().cloned()).collect()
}

/// The rows of lines on a screen of this width.
pub fn wrapped_rows(lines: &[Line], width: usize) -> Vec<Line> {
    let lines = lines.iter().cloned();
    lines.flat_map(|line| wrap_line(line, width)).collect()
}
