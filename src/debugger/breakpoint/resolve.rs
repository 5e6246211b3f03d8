//! Resolves what the user types: cells, variables, lines, times and function names.

use crate::answer::CommandError;
use crate::breakpoint::watch_expr;
use crate::code::{Function, FunctionKind};
use crate::diagnostic::Advice;
use crate::frame;
use crate::language::Viewport;
use crate::recorder::LoopId;
use crate::{Location, Target, WatchTarget, breakpoint};
use std::rc::Rc;

/// Resolves the argument of `watch`, `why` and `last`.
pub fn resolve_watch_target(target: &Target, text: &str) -> Result<WatchTarget, CommandError> {
    let text = text.trim();
    if text == "board" {
        return Ok(WatchTarget::Board);
    }
    if let Some((word @ ("row" | "col" | "column"), n)) = text.split_once(' ') {
        return Ok(resolve_row_or_column(target, word == "row", n.trim())?);
    }
    if matches!(text, "row" | "col" | "column") && target.program().global(text).is_none() {
        return Err(format!("`{text}` needs a number, e.g. `{text} 1`").into());
    }
    let cells = target.program().board_info;
    let bare = text.strip_prefix("board").unwrap_or(text);
    let (cell, field) = bare
        .rsplit_once('.')
        .map_or((bare, None), |(c, f)| (c, Some(f.trim())));
    if bare.starts_with('[') || cells.parse_cell(cell).is_some() {
        let (row, col) = resolve_cell(target, cell)?;
        return match field {
            None => Ok(WatchTarget::Cell(row, col)),
            Some(f @ ("name" | "visible" | "owner")) => {
                Ok(WatchTarget::PieceField(row, col, f.to_string()))
            }
            Some(f) => Err(CommandError::new(format!(
                "a piece has no field `{f}` to watch; use `name`, `visible` or `owner`"
            ))),
        };
    }
    if let Some((local, _)) = frame::locals(target, target.debugger.selected_frame)
        .iter()
        .rev()
        .find(|(l, _)| l.name.as_str() == text)
    {
        let title = frame::frame_info(target, target.debugger.selected_frame)
            .map(|l| l.name)
            .unwrap_or_default();
        return Ok(WatchTarget::Local(title, local.name.to_string()));
    }
    if target.program().global(text).is_some() && !text.is_empty() {
        return Ok(WatchTarget::Global(text.to_string()));
    }
    let field = resolve_record_field(target, text);
    field.or_else(|message| watch_expr::resolve_element(target, text).ok_or(message))
}

/// What to watch for a name: the variable itself, or the first field of a record.
pub fn watchable_name(target: &Target, name: &str) -> Option<String> {
    let is_global = target
        .program()
        .globals
        .iter()
        .any(|g| g.is_user_defined && g.name.as_str() == name);
    let values = target.named_values();
    let first_field = || {
        values
            .iter()
            .map(|(n, _)| n)
            .find(|n| n.strip_prefix(name).is_some_and(|r| r.starts_with('.')))
    };
    if is_global {
        Some(name.to_string())
    } else {
        first_field().cloned()
    }
}

/// A row or a column of the board, numbered as at its edge.
fn resolve_row_or_column(target: &Target, is_row: bool, n: &str) -> Result<WatchTarget, String> {
    let noun = if is_row { "row" } else { "column" };
    let number: i64 = n
        .parse()
        .map_err(|_| format!("expected a {noun} number, found `{n}`"))?;
    let board = target.board_outline().ok_or("there is no board yet")?;
    let (first, count) = if is_row {
        (board.origin.0, board.rows)
    } else {
        (board.origin.1, board.cols)
    };
    let last = first + i64::from(count) - 1;
    if !board.is_unbounded && !(first..=last).contains(&number) {
        return Err(format!(
            "{noun} {number} is off the board: the {noun}s are {first} to {last}"
        ));
    }
    Ok(if is_row {
        WatchTarget::Row(number)
    } else {
        WatchTarget::Column(number)
    })
}

/// Parses a cell and checks that it is on the board. Rows and columns are numbered as at the
/// edges.
pub fn resolve_cell(target: &Target, text: &str) -> Result<(i64, i64), String> {
    let cells = target.program().board_info;
    let board = target.board_outline().ok_or("there is no board yet")?;
    let Some((row, col)) = cells.parse_cell(text) else {
        let (row, col) = (board.origin.0, board.origin.1.saturating_add(2));
        let example = if cells.is_column_first() {
            format!("{col},{row}")
        } else {
            format!("{row},{col}")
        };
        return Err(format!(
            "unknown cell `{}`; write {}, e.g. `{example}`",
            text.trim(),
            cells.coord_usage()
        ));
    };
    let last = |origin: i64, count: u32| origin.saturating_add(i64::from(count) - 1);
    let (last_row, last_col) = (
        last(board.origin.0, board.rows),
        last(board.origin.1, board.cols),
    );
    let inside =
        (board.origin.0..=last_row).contains(&row) && (board.origin.1..=last_col).contains(&col);
    if !inside && !board.is_unbounded {
        let (rows, columns) = match cells.is_column_first() {
            true => ("y", "x"),
            false => ("rows", "columns"),
        };
        let (row_range, column_range) = (
            format!("{rows} {} to {last_row}", board.origin.0),
            format!("{columns} {} to {last_col}", board.origin.1),
        );
        let ranges = match cells.is_column_first() {
            true => format!("{column_range}, {row_range}"),
            false => format!("{row_range}, {column_range}"),
        };
        return Err(format!(
            "{} is off the board: {ranges}",
            cells.format_cell(row, col)
        ));
    }
    Ok((row, col))
}

/// A record field with a name of its own, such as `frog.leaps`.
fn resolve_record_field(target: &Target, text: &str) -> Result<WatchTarget, CommandError> {
    let view = target.view(Viewport::NONE);
    let values = target.named_values();
    let mut names: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
    for (alias, name) in &view.aliases {
        let fields = names
            .iter()
            .filter_map(|n| n.strip_prefix(name.as_str())?.strip_prefix('.'));
        let more: Vec<String> = fields.map(|field| format!("{alias}.{field}")).collect();
        names.extend(more);
    }
    if names.iter().any(|n| n == text) {
        return Ok(WatchTarget::RecordField(text.to_string()));
    }
    let globals = target.program().globals.iter().map(|g| g.name.as_str());
    let user_globals = globals.filter(|n| !n.starts_with('@') && !n.is_empty());
    let names = user_globals.chain(names.iter().map(String::as_str));
    let advice = Advice::did_you_mean(text, names)
        .unwrap_or_else(|| Advice::command(":vars", "lists the variables"));
    Err(CommandError::new(format!("unknown variable or cell `{text}`")).with_advice(advice))
}

/// All names that a breakpoint can be set on.
pub fn breakpoint_names(target: &Target) -> Vec<String> {
    let stoppable = target.program().functions.iter().filter(|f| {
        (f.kind != FunctionKind::Rules || f.alias.is_some())
            && f.kind != FunctionKind::Entry
            && !f.stop_points.is_empty()
    });
    let visible_name = |f: &&Rc<Function>| (f.kind != FunctionKind::Rules).then_some(f.name);
    let visible_names = stoppable
        .clone()
        .flat_map(|f| visible_name(&f).into_iter().chain(f.alias));
    let mut names: Vec<String> = visible_names.map(|name| name.to_string()).collect();
    let events = stoppable
        .filter(|f| f.kind == FunctionKind::Handler)
        .filter_map(|f| f.name.as_str().rsplit_once('.').map(|(_, e)| e.to_string()));
    names.extend(events);
    names.sort();
    names.dedup();
    names
}

/// The name of the source that plain line numbers refer to.
pub fn current_source(target: &Target) -> String {
    let info = frame::frame_info(target, target.debugger.selected_frame)
        .filter(|l| l.kind != FunctionKind::Rules);
    let here = info
        .and_then(|l| target.sources.get(l.span.source))
        .map(|s| s.origin.to_string());
    here.unwrap_or_else(|| main_source(target))
}

/// The name of the game's source. A built-in game has no file, but its source has lines too.
fn main_source(target: &Target) -> String {
    let newest =
        || breakpoint::newest_source(target.program(), &target.sources).unwrap_or_default();
    target.main_source.clone().unwrap_or_else(newest)
}

/// Resolves a plain line number: in the current source, or else in the game's.
pub fn line_location(target: &Target, line: u32) -> Result<Location, String> {
    let current = current_source(target);
    let sources = [current.clone(), main_source(target)];
    let locations = sources.map(|source| Location::Line { source, line });
    let location = locations
        .into_iter()
        .find(|s| !breakpoint::resolve(s, target.program(), &target.sources).is_empty());
    location.ok_or_else(|| format!("no code to stop at on line {line} of {current} or after it"))
}

/// The instruction range of the current loop or block: the innermost statement that contains
/// others.
pub fn current_block(target: &Target) -> Option<(u32, u32)> {
    let info = frame::frame_info(target, 0)?;
    let function = target.machine.function(info.function)?;
    if let Some(id) = LoopId::innermost_rebinding(function, info.pc) {
        return Some((id.loop_info.start, id.loop_info.end));
    }
    let here = function.stop_point_before(info.pc)?;
    let has_nested = |s: &crate::code::StopPoint| {
        function
            .stop_points
            .iter()
            .filter(|o| s.span.contains(o.span))
            .count()
            > 1
    };
    let block = if has_nested(here) {
        here
    } else {
        function
            .stop_points
            .iter()
            .filter(|s| has_nested(s) && s.span.contains(here.span) && s.pc <= here.pc)
            .max_by_key(|s| s.span.start)?
    };
    let inside = function
        .stop_points
        .iter()
        .filter(|s| s.pc >= block.pc && block.span.contains(s.span))
        .map(|s| s.pc)
        .max()?;
    let end = function
        .stop_points
        .iter()
        .map(|s| s.pc)
        .filter(|pc| *pc > inside)
        .min()
        .unwrap_or(function.code.len() as u32);
    Some((block.pc, end))
}
