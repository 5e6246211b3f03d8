//! Prints an answer: output, messages, value, diagnostics, and the board below them or, on a wide
//! screen, next to them.

use crate::answer::ProgressListener;
use crate::diagnostic::{Diagnostic, split_shown_diagnostics};
use crate::render::AnswerText;
use crate::session::{Answer, Line, Session, Style};
use crate::source::Sources;
use crate::terminal::output::Screen;
use crate::terminal::output::snippet;
use crate::terminal::output::wrap::{clip_text, display_width, wrap_line};
use std::io;

/// Prints what a run reports before it ends.
struct Progress {
    screen: Screen,
}

/// A listener that prints on standard output.
pub fn progress_listener(color: bool, plain: bool) -> Box<dyn ProgressListener> {
    let mut screen = Screen::new(color, plain);
    // The size of the terminal can change during the run.
    screen.wraps_lines = false;
    Box::new(Progress { screen })
}

impl ProgressListener for Progress {
    fn show(&mut self, answer: &Answer) -> bool {
        let lines = answer.text_lines();
        self.screen
            .print_texts(&answer.output)
            .and_then(|()| self.screen.print_lines(&lines))
            .and_then(|()| self.screen.flush())
            .is_ok()
    }

    fn show_search(&mut self, text: &str) {
        use std::io::{IsTerminal, Write};
        let mut stderr = io::stderr();
        if stderr.is_terminal() {
            // Replaces the line, so it must not wrap: the last column stays free. The search
            // continues if the progress cannot be shown.
            let size = terminal_size::terminal_size_of(&stderr);
            let width = size.map_or(80, |(width, _)| usize::from(width.0));
            let text = clip_text(text, width.saturating_sub(1));
            let _ = write!(stderr, "\r\x1b[K{text}").and_then(|()| stderr.flush());
        }
    }
}

/// Whether an answer is only information, which can be read page by page if it is long. What a program
/// prints and where it stops is not.
pub fn is_pageable(answer: &Answer) -> bool {
    answer.ok
        && !answer.parts.is_empty()
        && !answer.has_output()
        && answer.stop.is_none()
        && answer.board.is_none()
        && answer.question.is_none()
}

/// Prints all parts of an answer in order, except for what was printed as progress.
pub fn print_answer(screen: &mut Screen, session: &Session, answer: &Answer) -> io::Result<()> {
    screen.print_lines(&crate::render::echo_lines(answer, session.text_widths()))?;
    screen.print_texts(&answer.output)?;
    let sources = &session.target.sources;
    let (first, last) = split_shown_diagnostics(&answer.diagnostics, sources);
    print_diagnostics(screen, sources, &first)?;
    let lines = crate::render::lines(answer, session.text_widths());
    let board = crate::render::board_lines(answer, session.text_widths());
    let board_column = session
        .view_settings
        .board_column(answer)
        .filter(|_| answer.value.is_none() && answer.diagnostics.is_empty());
    match board_column {
        Some(column) => {
            screen.print_lines(&side_by_side(&lines, &board, column, screen.width))?;
        }
        None => screen.print_lines(&*lines)?,
    }
    for (n, line) in answer.value_lines().enumerate() {
        screen.print_line(
            &Line::styled(Style::Dim, if n == 0 { "= " } else { "  " }).with(Style::Plain, line),
        )?;
    }
    print_diagnostics(screen, sources, &last)?;
    screen.print_lines(&crate::render::other_board_lines(answer))?;
    if board_column.is_none() {
        screen.print_lines(&board)?;
    }
    screen.print_lines(&crate::render::hint_lines(answer, session.text_widths()))?;
    screen.flush()
}

fn print_diagnostics(
    screen: &mut Screen,
    sources: &Sources,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let rendered = snippet::render(screen, sources, diagnostic);
        screen.print_raw(&rendered)?;
    }
    Ok(())
}

/// Places the board to the right of the stop, starting at `column`. Lines before the stop (its
/// header starts with `* `) go above both.
fn side_by_side(lines: &[Line], board: &[Line], column: usize, width: usize) -> Vec<Line> {
    let is_stop_header = |line: &Line| {
        line.0
            .first()
            .is_some_and(|(style, text)| *style == Style::Current && text == "* ")
    };
    let (before, stop) = lines.split_at(lines.iter().rposition(is_stop_header).unwrap_or(0));
    let left: Vec<Line> = stop
        .iter()
        .flat_map(|line| wrap_line(line.clone(), column - 2))
        .collect();
    let right: Vec<Line> = board
        .iter()
        .flat_map(|line| wrap_line(line.clone(), width - column))
        .collect();
    let mut rows = before.to_vec();
    for n in 0..left.len().max(right.len()) {
        let mut row = left.get(n).cloned().unwrap_or_default();
        if let Some(board_row) = right.get(n) {
            row.0.push((
                Style::Plain,
                " ".repeat(column.saturating_sub(display_width(&row))),
            ));
            row.0.extend(board_row.0.iter().cloned());
        }
        rows.push(row);
    }
    rows
}
