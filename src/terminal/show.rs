//! A reply on the screen: what was printed, what is told, the board below it or, where there is room, beside it.

use super::fold::{columns, folded};
use super::output::Screen;
use super::snippet;
use crate::session::{Line, Reply, Session, Style};
use std::io;

pub fn reply(screen: &mut Screen, session: &Session, reply: &Reply) -> io::Result<()> {
    screen.lines(reply.echo.as_slice())?;
    for output in &reply.output {
        screen.text(output)?;
    }
    let beside = reply
        .beside
        .filter(|_| reply.value.is_none() && reply.diagnostics.is_empty());
    match beside {
        Some(column) => screen.lines(&side_by_side(
            &reply.lines,
            &reply.picture,
            column,
            screen.width,
        ))?,
        None => screen.lines(&reply.lines)?,
    }
    for (n, line) in reply.written().enumerate() {
        screen.line(
            &Line::styled(Style::Dim, if n == 0 { "= " } else { "  " }).with(Style::Plain, line),
        )?;
    }
    for diagnostic in &reply.diagnostics {
        let drawn = snippet::drawn(screen, &session.sources, diagnostic);
        screen.made(&drawn)?;
    }
    if beside.is_none() {
        screen.lines(&reply.picture)?;
    }
    screen.lines(&reply.hint)?;
    screen.flush()
}

/// The text of a stop with the board to its right, from a column on; what was told before the stop stands above both.
fn side_by_side(lines: &[Line], picture: &[Line], column: usize, width: usize) -> Vec<Line> {
    let is_head = |line: &Line| {
        line.0
            .first()
            .is_some_and(|(style, text)| *style == Style::Here && text == "* ")
    };
    let (before, stop) = lines.split_at(lines.iter().rposition(is_head).unwrap_or(0));
    let left: Vec<Line> = stop
        .iter()
        .flat_map(|line| folded(line.clone(), column - 2))
        .collect();
    let right: Vec<Line> = picture
        .iter()
        .flat_map(|line| folded(line.clone(), width - column))
        .collect();
    let mut rows = before.to_vec();
    for n in 0..left.len().max(right.len()) {
        let mut row = left.get(n).cloned().unwrap_or_default();
        if let Some(beside) = right.get(n) {
            row.0.push((
                Style::Plain,
                " ".repeat(column.saturating_sub(columns(&row))),
            ));
            row.0.extend(beside.0.iter().cloned());
        }
        rows.push(row);
    }
    rows
}
