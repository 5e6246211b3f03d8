//! What the view shows: lines for each pane, taken from the session. A scene does not refer to the
//! session, so that another thread can draw it again when the terminal is resized.

use crate::analysis::inspect;
use crate::answer::{SourceLine, StackEntry, Stop, Variable};
use crate::debugger::breakpoint;
use crate::debugger::frame;
use crate::debugger::run;
use crate::language::Viewport;
use crate::render::{CellGrid, CellSpacing, Width, board_picture, change_texts, stop_head};
use crate::session::{BoardMarks, Line, Session, Style};
use std::collections::BTreeSet;

/// What the panes show.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub title: String,
    pub source: SourcePane,
    pub board: Vec<Line>,
    /// Where the cells are in the board's lines.
    pub cells: Option<CellGrid>,
    /// Headings with their lines: variables, changes, the call stack.
    pub sections: Vec<(&'static str, Vec<Line>)>,
    /// The last output and messages.
    pub output: Vec<Line>,
    /// What the keys do, or a question of the program.
    pub help: Line,
    pub spacing: CellSpacing,
}

/// The source text.
#[derive(Clone, Debug, Default)]
pub struct SourcePane {
    /// The name of the file or entry.
    pub name: String,
    pub lines: Vec<SourceLine>,
    /// Lines with a breakpoint.
    pub breakpoints: BTreeSet<u32>,
    /// The line that `b` refers to.
    pub selected: u32,
}

/// Frames of the call stack that are listed; recursion can be deep.
const MAX_FRAMES: usize = 20;
/// Changes that are listed.
const MAX_CHANGES: usize = 8;

/// The source that is shown, whether or not the program is stopped in it.
pub fn source_pane(session: &mut Session, selected: Option<u32>) -> SourcePane {
    let frame = session.target.debugger.selected_frame;
    let statement = match session.target.is_stopped() {
        true => run::frame_statement(&mut session.target, frame),
        false => None,
    };
    let next = statement.and_then(|statement| statement.next);
    let target = &session.target;
    let name = breakpoint::current_source(target);
    let mut sources = target.sources.iter().rev();
    let Some(source) = sources.find(|source| source.origin.to_string() == name) else {
        return SourcePane::default();
    };
    let lines = run::source_lines(target, source.full_span(), next, source.line_count() as u32);
    let breakpoints = inspect::describe_breakpoints(target);
    let ranges = breakpoints.iter().flat_map(|b| &b.ranges);
    let here = ranges.filter(|range| range.file == name);
    let next_line = lines.iter().find(|line| line.is_next);
    let selected = selected
        .or(next_line.map(|line| line.line))
        .unwrap_or(1)
        .clamp(1, lines.len().max(1) as u32);
    SourcePane {
        breakpoints: here.map(|range| range.line).collect(),
        name,
        lines,
        selected,
    }
}

/// A part of the board that fits into `columns` and `rows`, with the given cells marked.
pub fn board_pane(
    session: &mut Session,
    marks: BoardMarks,
    spacing: CellSpacing,
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
        let picture = board_picture(&board, width, spacing);
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

/// Variables, changes and the call stack.
pub fn sections(session: &mut Session, stop: Option<&Stop>) -> Vec<(&'static str, Vec<Line>)> {
    let mut sections = Vec::new();
    let globals = frame::global_variables(&session.target);
    match stop {
        Some(stop) => {
            sections.push(("variables", variable_lines(&stop.variables)));
            let changes = change_texts(&stop.changes, MAX_CHANGES);
            let lines = changes
                .into_iter()
                .map(|text| Line::styled(Style::Changed, "  ").with(Style::Changed, text));
            sections.push(("changed", lines.collect()));
            sections.push(("call stack", frame_lines(session)));
            sections.push(("globals", variable_lines(&globals)));
        }
        None => sections.push(("variables", variable_lines(&globals))),
    }
    sections.retain(|(_, lines)| !lines.is_empty());
    sections
}

fn variable_lines(variables: &[Variable]) -> Vec<Line> {
    let width = variables.iter().map(|v| v.name.chars().count()).max();
    let width = width.unwrap_or(0).min(16);
    let to_line = |v: &Variable| {
        let style = if v.changed {
            Style::Changed
        } else {
            Style::Plain
        };
        let mark = if v.changed { "* " } else { "  " };
        Line::styled(style, mark)
            .with(Style::Plain, format!("{:<width$}  ", v.name))
            .with(style, v.value.as_str())
    };
    variables.iter().map(to_line).collect()
}

fn frame_lines(session: &mut Session) -> Vec<Line> {
    let stack = frame::call_stack(&mut session.target, Some(MAX_FRAMES));
    let to_line = |entry: &StackEntry| match entry {
        StackEntry::Frame(frame) => {
            let line = frame.range.as_ref().map_or(0, |range| range.line);
            let cell = frame.cell.as_ref().map(|cell| format!(" at {cell}"));
            let text = format!("{}{}", frame.function, cell.unwrap_or_default());
            let (mark, style) = match frame.is_current {
                true => ("=> ", Style::Strong),
                false => ("   ", Style::Plain),
            };
            Line::styled(style, format!("{mark}{text}")).with(Style::Dim, format!("  line {line}"))
        }
        StackEntry::Repeated { frames } => {
            Line::styled(Style::Dim, format!("   … {} more like this", frames.len()))
        }
    };
    let mut lines: Vec<Line> = stack.entries.iter().map(to_line).collect();
    let omitted = stack.depth.saturating_sub(MAX_FRAMES);
    if omitted > 0 {
        lines.push(Line::styled(Style::Dim, format!("   … {omitted} more")));
    }
    lines
}

/// `game.gl   breakpoint 1 in zero.onClick at [0][0], line 9   click{0,0}, x's turn`
pub fn title(session: &Session, source: &str, stop: Option<&Stop>) -> String {
    let place = match stop {
        Some(stop) => {
            let (head, action) = stop_head(stop);
            format!("{head}   {action}")
        }
        None => match session.target.timeline.is_in_past(&session.target.machine) {
            true => "in the past".to_string(),
            false => String::new(),
        },
    };
    let name = if source.is_empty() { "gridbug" } else { source };
    format!(" {name}   {place}")
}
