//! What is watched: how it looks now, and whether it is about to be read.

use super::Session;
use crate::code::{FunctionId, Instr, Reg};
use crate::debugger::{WatchTarget, watchpoint};
use crate::language::{GameView, Viewport};
use crate::machine::Machine;
use crate::value::Value;

impl Session {
    /// What is watched, as text; `None` when it is not there now.
    pub(super) fn watch_value(&self, watched: &WatchTarget) -> Option<String> {
        self.watch_value_in_frame(watched, self.machine.frames().len().saturating_sub(1))
    }

    /// The same; a function's own variable is that of the frame with this number.
    pub(super) fn watch_value_in_frame(
        &self,
        watched: &WatchTarget,
        frame: usize,
    ) -> Option<String> {
        let store = &self.machine.store;
        match watched {
            WatchTarget::Global(name) => {
                let global = self.program().global(name)?;
                store
                    .globals
                    .get(global as usize)
                    .filter(|v| **v != Value::NOTHING)
                    .map(|v| self.format_value(*v))
            }
            WatchTarget::Local(..) => {
                let register = self.local_register(watched, frame)?;
                self.machine
                    .registers(frame)
                    .get(register as usize)
                    .map(|v| self.format_value(*v))
            }
            WatchTarget::RecordField(name) => self.shown(name),
            _ if self.program().board_info.is_derived => self.drawn_text(watched),
            WatchTarget::Cell(r, c) => store.cell_at(*r, *c).map(|at| self.cell_text(at)),
            WatchTarget::PieceField(r, c, field) => {
                let piece = store.piece(store.cell_at(*r, *c)?);
                Some(match (field.as_str(), piece) {
                    ("visible", Some(p)) => p.visible.to_string(),
                    ("owner", Some(p)) => format!("\"{}\"", self.program().owner(p.owner)),
                    ("name", Some(p)) => format!("\"{}\"", self.format_value(Value::piece(p))),
                    (_, _) => "empty".into(),
                })
            }
            WatchTarget::Row(n) => {
                let n = u32::try_from(*n).ok().filter(|n| *n < store.rows)?;
                Some(self.cells_text(n * store.cols..(n + 1) * store.cols))
            }
            WatchTarget::Column(n) => {
                let n = u32::try_from(*n).ok().filter(|n| *n < store.cols)?;
                Some(self.cells_text((0..store.rows).map(|r| r * store.cols + n)))
            }
            // A large board is too much to write: its cells as numbers do.
            WatchTarget::Board => {
                (store.rows > 0).then(|| format!("{:x}", fingerprint(store.cells.as_slice())))
            }
        }
    }

    /// Where a function's own variable lies in the frame with this number. One that is left, with its function or with
    /// the part of it in which it can be seen, has not been changed.
    pub(super) fn local_register(&self, watched: &WatchTarget, frame: usize) -> Option<Reg> {
        let WatchTarget::Local(title, name) = watched else {
            return None;
        };
        let from_top = self.machine.frames().len().checked_sub(frame + 1)?;
        let look = self.frame_info(from_top).filter(|l| l.name == *title)?;
        let function = self.machine.function(look.function)?;
        let local = function
            .locals_at(look.pc)
            .filter(|l| l.name.as_str() == name)
            .last();
        local.map(|l| l.register)
    }

    fn cell_text(&self, at: u32) -> String {
        let Some(piece) = self.machine.store.piece(at) else {
            return "empty".into();
        };
        let hidden = if piece.visible { "" } else { " (hidden)" };
        format!("{}{hidden}", self.format_value(Value::piece(piece)))
    }

    fn cells_text(&self, cells: impl Iterator<Item = u32>) -> String {
        cells
            .map(|at| self.cell_text(at))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The value of a field by the name that it is shown under.
    fn shown(&self, name: &str) -> Option<String> {
        if let Some((record, item)) =
            (self.program().resolve_field)(self.program(), &self.machine.store, name)
        {
            let value = self
                .machine
                .store
                .heap
                .items(record)?
                .get(item as usize)
                .copied()?;
            return Some(self.format_value(value)).filter(|_| value != Value::NOTHING);
        }
        let view = self.view(Viewport::NONE);
        let name = full_name(&view, name);
        view.named_values()
            .find(|(n, v)| *n == name && *v != Value::NOTHING)
            .map(|(_, v)| self.format_value(*v))
    }

    /// Whether an item of a record is the field that is shown under a name.
    fn is_field(&self, name: &str, record: Option<Value>, item: u16) -> bool {
        let found = (self.program().resolve_field)(self.program(), &self.machine.store, name);
        found.is_some_and(|(of, number)| Some(of) == record && number == item)
    }

    /// What is to be seen of a board that is a picture of variables: what stands on it, each with its place.
    fn drawn_text(&self, watched: &WatchTarget) -> Option<String> {
        let board = self.view(Viewport::ALL).board;
        // Where a board is a value, there may be none yet.
        let board = if self.program().board_global.is_some() {
            board?
        } else {
            board.unwrap_or_default()
        };
        let place = |n: usize| {
            let (r, c) = (
                n as u32 / board.shown_cols.max(1),
                n as u32 % board.shown_cols.max(1),
            );
            (
                board.origin.0 + i64::from(board.first_row + r),
                board.origin.1 + i64::from(board.first_col + c),
            )
        };
        let standing = board.cells.iter().enumerate().filter_map(|(n, cell)| {
            let names: Vec<String> = cell
                .name
                .iter()
                .chain(&cell.others)
                .map(ToString::to_string)
                .collect();
            (!names.is_empty()).then(|| (place(n), names.join(", ")))
        });
        let mut standing: Vec<((i64, i64), String)> = standing.collect();
        match watched {
            WatchTarget::Cell(r, c) | WatchTarget::PieceField(r, c, _) => {
                let there = standing.into_iter().find(|(at, _)| *at == (*r, *c));
                return Some(there.map_or_else(|| "empty".into(), |(_, names)| names));
            }
            WatchTarget::Row(n) => standing.retain(|((row, _), _)| row == n),
            WatchTarget::Column(n) => standing.retain(|((_, col), _)| col == n),
            _ => {}
        }
        let cells = self.program().board_info;
        let all: Vec<String> = standing
            .iter()
            .map(|((r, c), names)| format!("{names} at {}", cells.format_cell(*r, *c)))
            .collect();
        // A line for each: what is told of a change are the lines that differ.
        Some(all.join("\n"))
    }

    /// What a person calls it.
    pub(super) fn watch_label(&self, watched: &WatchTarget) -> String {
        let cells = self.program().board_info;
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
        }
    }

    /// Whether the next instruction reads what is watched.
    pub(super) fn is_about_to_read(&self, watched: &WatchTarget) -> bool {
        let Some((function, pc)) = self.machine.current_location() else {
            return false;
        };
        let Some(instr) = self
            .machine
            .function(function)
            .and_then(|f| f.code.get(pc as usize).copied())
        else {
            return false;
        };
        if let WatchTarget::Local(title, name) = watched {
            let code = self.machine.function(function);
            return code
                .is_some_and(|f| watchpoint::reads_local((title, name), f, pc, &self.sources));
        }
        let registers = self.machine.registers(self.machine.frames().len() - 1);
        let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
        let store = &self.machine.store;
        let cell = match instr {
            Instr::GetGlobal { .. } | Instr::GetDefinedGlobal { .. } => {
                return matches!(watched, WatchTarget::Global(_));
            }
            Instr::Item { of, item, .. } => {
                let record = registers.get(of as usize).copied();
                return matches!(watched, WatchTarget::RecordField(name) if self.is_field(name, record, item));
            }
            Instr::Cell { row, col, .. } | Instr::JumpUnlessCellNameIs { row, col, .. } => int(row)
                .zip(int(col))
                .and_then(|(r, c)| store.cell_at(r, c)),
            Instr::RowStart { row, .. } => int(row).and_then(|r| store.cell_at(r, 0)),
            Instr::ColumnStart { col, .. } => int(col).and_then(|c| store.cell_at(0, c)),
            Instr::PiecesStart { .. } => Some(0),
            Instr::GridCell { grid, row, col, .. } => {
                let live = self
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
}

/// Whether the instruction at hand may change what is watched, as far as is seen at a glance: one that writes another
/// cell does not.
pub(super) fn may_change(
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

/// The name of a field as it is shown: a name that stands for somebody at the moment is replaced by theirs.
fn full_name(view: &GameView, name: &str) -> String {
    let (whose, field) = name.split_at(name.find('.').unwrap_or(name.len()));
    let whose = view
        .aliases
        .iter()
        .find(|(alias, _)| alias == whose)
        .map_or(whose, |(_, of)| of);
    format!("{whose}{field}")
}

/// Whether a cell belongs to what is watched.
pub(super) fn covers_cell(watched: &WatchTarget, (row, col): (i64, i64)) -> bool {
    match watched {
        WatchTarget::Cell(r, c) | WatchTarget::PieceField(r, c, _) => (*r, *c) == (row, col),
        WatchTarget::Row(r) => *r == row,
        WatchTarget::Column(c) => *c == col,
        WatchTarget::Board => true,
        _ => false,
    }
}

/// A number that differs when the cells differ.
fn fingerprint(cells: &[Value]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    cells.hash(&mut hasher);
    hasher.finish()
}
