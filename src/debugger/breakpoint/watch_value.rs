//! Evaluates watch targets: their current value, and whether the next instruction reads them.

use super::watchpoint;
use crate::breakpoint::watch_expr;
use crate::code::{FunctionId, Instr, Reg};
use crate::frame;
use crate::language::{GameView, Viewport};
use crate::machine::Machine;
use crate::value::{Piece, Value};
use crate::{Target, WatchTarget};

/// The value of a watch target as text; `None` if it does not exist now.
pub fn watch_value(target: &mut Target, watched: &WatchTarget) -> Option<String> {
    watch_value_in_frame(
        target,
        watched,
        target.machine.frames().len().saturating_sub(1),
    )
}

/// Like `watch_value`; a local is read from the frame with this index.
pub fn watch_value_in_frame(
    target: &mut Target,
    watched: &WatchTarget,
    frame: usize,
) -> Option<String> {
    match watched {
        WatchTarget::Expression(expr) => watch_expr::watched_expr_value(target, expr, frame),
        _ => stored_value(target, watched, frame),
    }
}

/// The value of a watch target that can be read without running anything.
fn stored_value(target: &Target, watched: &WatchTarget, frame: usize) -> Option<String> {
    let store = &target.machine.store;
    match watched {
        WatchTarget::Global(name) => {
            let global = target.program().global(name)?;
            store
                .globals
                .get(global as usize)
                .filter(|v| **v != Value::NOTHING)
                .map(|v| target.format_value_with_cell(*v))
        }
        WatchTarget::Local(..) => {
            let register = local_register(target, watched, frame)?;
            target
                .machine
                .registers(frame)
                .get(register as usize)
                .map(|v| target.format_value_with_cell(*v))
        }
        WatchTarget::RecordField(name) => record_field_text(target, name),
        WatchTarget::Expression(_) => None,
        _ if target.program().board_info.is_derived => drawn_board_text(target, watched),
        WatchTarget::Cell(r, c) => store.cell_at(*r, *c).map(|at| cell_text(target, at)),
        WatchTarget::PieceField(r, c, field) => {
            let piece = store.piece(store.cell_at(*r, *c)?);
            Some(field_text(target, piece, field))
        }
        WatchTarget::Row(n) => {
            let n = u32::try_from(*n).ok().filter(|n| *n < store.rows)?;
            Some(cells_text(target, n * store.cols..(n + 1) * store.cols))
        }
        WatchTarget::Column(n) => {
            let n = u32::try_from(*n).ok().filter(|n| *n < store.cols)?;
            Some(cells_text(
                target,
                (0..store.rows).map(|r| r * store.cols + n),
            ))
        }
        // A large board is expensive to format; a hash detects changes.
        WatchTarget::Board => {
            (store.rows > 0).then(|| format!("{:x}", hash_cells(store.cells.as_slice())))
        }
    }
}

/// The register of a local in the frame with this index. `None` once the variable is out of
/// scope, which does not count as a change.
pub(crate) fn local_register(target: &Target, watched: &WatchTarget, frame: usize) -> Option<Reg> {
    let WatchTarget::Local(title, name) = watched else {
        return None;
    };
    if let Some((stopped, locals)) = target.machine.stopped_frame_below(frame) {
        // An entry typed at a stop works on copies of the variables until it ends.
        let register = local_register(target, watched, stopped)?;
        let position = locals.iter().position(|r| *r == register)?;
        return Reg::try_from(position).ok();
    }
    let from_top = target.machine.frames().len().checked_sub(frame + 1)?;
    let info = frame::frame_info(target, from_top).filter(|l| l.name == *title)?;
    let function = target.machine.function(info.function)?;
    let local = function
        .locals_at(info.pc)
        .filter(|l| l.name.as_str() == name)
        .last();
    local.map(|l| l.register)
}

/// Where the variables of a target are: their register or frame. If that differs, another call
/// is looked at, which does not count as a change.
pub fn watch_scope(target: &Target, watched: &WatchTarget, frame: usize) -> Option<usize> {
    match watched {
        WatchTarget::Expression(expr) => watch_expr::watched_expr_frame(target, expr, frame),
        _ => local_register(target, watched, frame).map(usize::from),
    }
}

/// The value of a watch target as text, given what was stored there.
pub(crate) fn tested_value(
    target: &Target,
    watched: &WatchTarget,
    stored: Value,
) -> Option<String> {
    match watched {
        WatchTarget::Cell(..) => Some(piece_text(target, stored.as_piece())),
        WatchTarget::PieceField(.., field) => Some(field_text(target, stored.as_piece(), field)),
        WatchTarget::Global(_) if stored == Value::NOTHING => None,
        WatchTarget::Global(_) | WatchTarget::Local(..) => {
            Some(target.format_value_with_cell(stored))
        }
        _ => Some(target.format_value(stored)),
    }
}

/// A field of what is on a cell.
fn field_text(target: &Target, piece: Option<Piece>, field: &str) -> String {
    match (field, piece) {
        ("visible", Some(p)) => p.visible.to_string(),
        ("owner", Some(p)) => format!("\"{}\"", target.program().owner(p.owner)),
        ("name", Some(p)) => format!("\"{}\"", target.format_value(Value::piece(p))),
        (_, _) => "empty".into(),
    }
}

fn cell_text(target: &Target, at: u32) -> String {
    piece_text(target, target.machine.store.piece(at))
}

fn piece_text(target: &Target, piece: Option<Piece>) -> String {
    let Some(piece) = piece else {
        return "empty".into();
    };
    let hidden = if piece.visible { "" } else { " (hidden)" };
    format!("{}{hidden}", target.format_value(Value::piece(piece)))
}

fn cells_text(target: &Target, cells: impl Iterator<Item = u32>) -> String {
    cells
        .map(|at| cell_text(target, at))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The value of a record field, by its displayed name.
fn record_field_text(target: &Target, name: &str) -> Option<String> {
    if let Some((record, item)) =
        (target.program().resolve_field)(target.program(), &target.machine.store, name)
    {
        let value = target
            .machine
            .store
            .heap
            .items(record)?
            .get(item as usize)
            .copied()?;
        return Some(target.format_value(value)).filter(|_| value != Value::NOTHING);
    }
    let view = target.view(Viewport::NONE);
    let name = resolve_alias(&view, name);
    let values = target.named_values();
    values
        .iter()
        .find(|(n, v)| *n == name && *v != Value::NOTHING)
        .map(|(_, v)| target.format_value(*v))
}

/// Whether an item of a record is the field with this displayed name.
fn is_field(target: &Target, name: &str, record: Option<Value>, item: u16) -> bool {
    let field = (target.program().resolve_field)(target.program(), &target.machine.store, name);
    field.is_some_and(|(owner, index)| Some(owner) == record && index == item)
}

/// The visible contents of a board that is drawn from variables: one line per occupied cell.
fn drawn_board_text(target: &Target, watched: &WatchTarget) -> Option<String> {
    let board = target.view(Viewport::ALL).board;
    // If the board is a value, there may be none yet.
    let board = if target.program().board_global.is_some() {
        board?
    } else {
        board.unwrap_or_default()
    };
    let coordinates = |n: usize| {
        let (r, c) = (
            n as u32 / board.shown_cols.max(1),
            n as u32 % board.shown_cols.max(1),
        );
        (
            board.origin.0 + i64::from(board.first_row + r),
            board.origin.1 + i64::from(board.first_col + c),
        )
    };
    let occupied = board.cells.iter().enumerate().filter_map(|(n, cell)| {
        let names: Vec<String> = cell
            .name
            .iter()
            .chain(&cell.others)
            .map(ToString::to_string)
            .collect();
        (!names.is_empty()).then(|| (coordinates(n), names.join(", ")))
    });
    let mut occupied: Vec<((i64, i64), String)> = occupied.collect();
    match watched {
        WatchTarget::Cell(r, c) | WatchTarget::PieceField(r, c, _) => {
            let there = occupied.into_iter().find(|(at, _)| *at == (*r, *c));
            return Some(there.map_or_else(|| "empty".into(), |(_, names)| names));
        }
        WatchTarget::Row(n) => occupied.retain(|((row, _), _)| row == n),
        WatchTarget::Column(n) => occupied.retain(|((_, col), _)| col == n),
        _ => {}
    }
    let cells = target.program().board_info;
    let all: Vec<String> = occupied
        .iter()
        .map(|((r, c), names)| format!("{names} at {}", cells.format_cell(*r, *c)))
        .collect();
    // One line per cell, so that a change can be described by the lines that differ.
    Some(all.join("\n"))
}

/// The name of a watch target in messages.
pub fn watch_label(target: &Target, watched: &WatchTarget) -> String {
    let cells = target.program().board_info;
    match watched {
        WatchTarget::Global(name)
        | WatchTarget::Local(_, name)
        | WatchTarget::RecordField(name) => name.clone(),
        WatchTarget::Cell(r, c) => cells.format_cell(*r, *c),
        WatchTarget::PieceField(r, c, field) => {
            format!("{}.{field}", cells.format_cell(*r, *c))
        }
        WatchTarget::Row(n) => format!("row {n}"),
        WatchTarget::Column(n) => format!("column {n}"),
        WatchTarget::Board => "the board".into(),
        WatchTarget::Expression(expr) => expr.text.clone(),
    }
}

/// Whether the next instruction reads the target.
pub fn is_about_to_read(target: &Target, watched: &WatchTarget) -> bool {
    let Some((function, pc)) = target.machine.current_location() else {
        return false;
    };
    let Some(instr) = target.machine.next_instruction() else {
        return false;
    };
    if let WatchTarget::Local(title, name) = watched {
        let top = target.machine.frames().len() - 1;
        let code = target.machine.function(function);
        return local_register(target, watched, top).is_some()
            && code
                .is_some_and(|f| watchpoint::reads_local((title, name), f, pc, &target.sources));
    }
    let registers = target.machine.registers(target.machine.frames().len() - 1);
    let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
    let store = &target.machine.store;
    let cell = match instr {
        Instr::GetGlobal { .. } | Instr::GetDefinedGlobal { .. } => {
            return matches!(watched, WatchTarget::Global(_));
        }
        Instr::Item { of, item, .. } => {
            let record = registers.get(of as usize).copied();
            return matches!(watched, WatchTarget::RecordField(name) if is_field(target, name, record, item));
        }
        Instr::Cell { row, col, .. } | Instr::JumpUnlessCellNameIs { row, col, .. } => int(row)
            .zip(int(col))
            .and_then(|(r, c)| store.cell_at(r, c)),
        Instr::RowStart { row, .. } => int(row).and_then(|r| store.cell_at(r, 0)),
        Instr::ColumnStart { col, .. } => int(col).and_then(|c| store.cell_at(0, c)),
        Instr::PiecesStart { .. } => Some(0),
        Instr::GridCell { grid, row, col, .. } => {
            let live = target
                .program()
                .board_global
                .and_then(|g| store.globals.get(g as usize).copied());
            let here = live.filter(|live| registers.get(grid as usize) == Some(live));
            return here
                .and(int(row).zip(int(col)))
                .is_some_and(|cell| covers_cell(watched, cell));
        }
        Instr::RowNext { base, .. } | Instr::ColumnNext { base, .. } => registers
            .get(base as usize)
            .map(|v| (v.payload() >> 24) as u32),
        _ => None,
    };
    let Some((row, col)) = cell.map(|at| store.row_col(at)) else {
        return false;
    };
    covers_cell(watched, (i64::from(row), i64::from(col)))
}

/// A cheap test whether an instruction may change the target: writes to other cells do not.
pub(crate) fn may_change(
    watched: &WatchTarget,
    machine: &Machine,
    (function, pc): (FunctionId, u32),
) -> bool {
    if !matches!(
        watched,
        WatchTarget::Cell(..)
            | WatchTarget::PieceField(..)
            | WatchTarget::Row(_)
            | WatchTarget::Column(_)
    ) {
        return true;
    }
    let instr = machine
        .function(function)
        .and_then(|f| f.code.get(pc as usize));
    let (row, col) = match instr {
        Some(
            Instr::Place { row, col, .. }
            | Instr::PlaceKind { row, col, .. }
            | Instr::Remove { row, col },
        ) => (*row, *col),
        _ => return true,
    };
    let registers = machine.registers(machine.frames().len().saturating_sub(1));
    let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
    int(row)
        .zip(int(col))
        .is_none_or(|cell| covers_cell(watched, cell))
}

/// The displayed name of a field: an alias such as the current player's is replaced by the
/// record that it refers to.
fn resolve_alias(view: &GameView, name: &str) -> String {
    let (record, field) = name.split_at(name.find('.').unwrap_or(name.len()));
    let record = view
        .aliases
        .iter()
        .find(|(alias, _)| alias == record)
        .map_or(record, |(_, watched)| watched);
    format!("{record}{field}")
}

/// Whether a cell belongs to the target.
pub(crate) fn covers_cell(watched: &WatchTarget, (row, col): (i64, i64)) -> bool {
    match watched {
        WatchTarget::Cell(r, c) | WatchTarget::PieceField(r, c, _) => (*r, *c) == (row, col),
        WatchTarget::Row(r) => *r == row,
        WatchTarget::Column(c) => *c == col,
        WatchTarget::Board => true,
        _ => false,
    }
}

/// A hash of the cells, to detect changes.
fn hash_cells(cells: &[Value]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    cells.hash(&mut hasher);
    hasher.finish()
}
