//! What is watched: how it looks now, and whether it is about to be read.

use super::Session;
use crate::code::Instr;
use crate::debugger::Watched;
use crate::value::Value;

impl Session {
    /// What is watched, as text; `None` when it is not there now.
    pub(super) fn watched_text(&self, watched: &Watched) -> Option<String> {
        let store = &self.machine.store;
        let cell = |at: u32| {
            let piece = store.piece(at)?;
            let hidden = if piece.visible { "" } else { " (hidden)" };
            Some(format!("{}{hidden}", self.write(Value::piece(piece))))
        };
        let line = |cells: &mut dyn Iterator<Item = u32>| {
            cells.map(|at| cell(at).unwrap_or_else(|| "empty".into())).collect::<Vec<_>>().join(" ")
        };
        match watched {
            Watched::Variable(name) => {
                let global = self.program().global(name)?;
                store.globals.get(global as usize).filter(|v| **v != Value::NOTHING).map(|v| self.write(*v))
            }
            Watched::Local(title, name) => {
                let look = self.look_at(0).filter(|l| l.title == *title)?;
                let function = self.machine.function(look.function)?;
                let local = function.locals_at(look.pc).filter(|l| l.name.as_str() == name).last()?;
                self.machine.registers(look.index).get(local.register as usize).map(|v| self.write(*v))
            }
            Watched::Cell(r, c) => {
                store.cell_at(*r as i64, *c as i64).map(|at| cell(at).unwrap_or_else(|| "empty".into()))
            }
            Watched::Field(r, c, field) => {
                let piece = store.piece(store.cell_at(*r as i64, *c as i64)?);
                Some(match (field.as_str(), piece) {
                    ("visible", Some(p)) => p.visible.to_string(),
                    ("owner", Some(p)) => format!("\"{}\"", self.program().owner(p.owner)),
                    ("name", Some(p)) => format!("\"{}\"", self.write(Value::piece(p))),
                    (_, _) => "empty".into(),
                })
            }
            Watched::Row(n) if *n < store.rows => Some(line(&mut (n * store.cols..(n + 1) * store.cols))),
            Watched::Column(n) if *n < store.cols => Some(line(&mut (0..store.rows).map(|r| r * store.cols + n))),
            Watched::Board if store.rows > 0 => {
                // A large board is too much to write: its cells as numbers do.
                Some(format!("{:x}", fingerprint(store.cells.as_slice())))
            }
            _ => None,
        }
    }

    /// Whether the next instruction reads what is watched.
    pub(super) fn is_read(&self, watched: &Watched) -> bool {
        let Some((function, pc)) = self.machine.at() else { return false };
        let Some(instr) = self.machine.function(function).and_then(|f| f.code.get(pc as usize).copied()) else {
            return false;
        };
        let registers = self.machine.registers(self.machine.frames().len() - 1);
        let int = |r: u16| registers.get(r as usize).and_then(|v| v.as_int());
        let store = &self.machine.store;
        let cell = match instr {
            Instr::Global { .. } | Instr::GlobalOrFail { .. } => return matches!(watched, Watched::Variable(_)),
            Instr::Cell { row, col, .. } | Instr::UnlessCellNameIs { row, col, .. } => {
                int(row).zip(int(col)).and_then(|(r, c)| store.cell_at(r, c))
            }
            Instr::RowStart { row, .. } => int(row).and_then(|r| store.cell_at(r, 0)),
            Instr::ColumnStart { col, .. } => int(col).and_then(|c| store.cell_at(0, c)),
            Instr::PiecesStart { .. } => Some(0),
            Instr::RowNext { base, .. } | Instr::ColumnNext { base, .. } => {
                registers.get(base as usize).map(|v| (v.payload() >> 24) as u32)
            }
            _ => None,
        };
        let Some((row, col)) = cell.map(|at| store.row_col(at)) else { return false };
        match watched {
            Watched::Cell(r, c) | Watched::Field(r, c, _) => (*r, *c) == (row, col),
            Watched::Row(r) => *r == row,
            Watched::Column(c) => *c == col,
            Watched::Board => true,
            _ => false,
        }
    }
}

/// A number that differs when the cells differ.
fn fingerprint(cells: &[Value]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    cells.hash(&mut hasher);
    hasher.finish()
}
