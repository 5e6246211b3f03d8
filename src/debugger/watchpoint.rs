//! Whether an instruction may change or read what is watched, as far as the code tells.

use super::{Access, WatchTarget};
use crate::code::{Function, Instr, ValueLoc};
use crate::source::Sources;

/// Whether a function's own variable, by the function's title and its name, is read at an instruction.
pub fn reads_local(
    (title, name): (&str, &str),
    function: &Function,
    pc: u32,
    sources: &Sources,
) -> bool {
    if function.name.as_str() != title {
        return false;
    }
    let first = function.value_infos.partition_point(|n| n.pc < pc);
    let mut here = function.value_infos[first..]
        .iter()
        .take_while(|n| n.pc == pc)
        .filter(|n| !n.after);
    here.any(|note| {
        let (ValueLoc::Register(register) | ValueLoc::Field(register, _)) = note.loc else {
            return false;
        };
        let text = sources
            .get(note.span.source)
            .map_or("", |s| s.slice(note.span));
        let is_it = text
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        is_it
            && function
                .locals_at(pc)
                .any(|l| l.register == register && l.name.as_str() == name)
    })
}

/// Whether an instruction may change or read what is watched.
pub(super) fn may_access(
    watched: &WatchTarget,
    access: Access,
    global: Option<u32>,
    function: &Function,
    instr: Instr,
) -> bool {
    let writes = access != Access::Read && may_write(watched, global, function, instr);
    let reads = access != Access::Change && may_read(watched, global, instr);
    writes || reads
}

fn may_write(
    watched: &WatchTarget,
    global: Option<u32>,
    function: &Function,
    instr: Instr,
) -> bool {
    match watched {
        // A list may be reached through a register.
        WatchTarget::Global(_) => instr
            .global_written()
            .map_or_else(|| writes_parts(instr), |g| Some(g) == global),
        WatchTarget::RecordField(_) => writes_parts(instr),
        // Any instruction may write a register.
        WatchTarget::Local(title, _) => function.name.as_str() == title,
        // A board that is a value changes when its variable gets another.
        _ => {
            writes_cells(instr)
                || matches!(instr, Instr::SetGlobal { global: g, .. } if Some(g) == global)
        }
    }
}

fn may_read(watched: &WatchTarget, global: Option<u32>, instr: Instr) -> bool {
    match watched {
        WatchTarget::Global(_) => global.is_some() && instr.global_read() == global,
        // Of a function's own variable only the text tells where it is read.
        WatchTarget::Local(..) => false,
        WatchTarget::RecordField(_) => matches!(instr, Instr::Item { .. }),
        _ => matches!(
            instr,
            Instr::Cell { .. }
                | Instr::JumpUnlessCellNameIs { .. }
                | Instr::RowStart { .. }
                | Instr::RowNext { .. }
                | Instr::ColumnStart { .. }
                | Instr::ColumnNext { .. }
                | Instr::PiecesStart { .. }
                | Instr::NeighborsNext { .. }
                | Instr::GridCell { .. }
        ),
    }
}

/// Whether an instruction may change a part of a list or of a record.
fn writes_parts(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::Append { .. }
            | Instr::SetIndex { .. }
            | Instr::RemoveIndex { .. }
            | Instr::SetItem { .. }
    )
}

/// Whether an instruction may change what is watched on a board that is a picture of variables.
pub(super) fn may_redraw(watched: &WatchTarget, access: Access, instr: Instr) -> bool {
    let on_board = matches!(
        watched,
        WatchTarget::Cell(..)
            | WatchTarget::PieceField(..)
            | WatchTarget::Row(_)
            | WatchTarget::Column(_)
            | WatchTarget::Board
    );
    on_board && access != Access::Read && (instr.global_written().is_some() || writes_parts(instr))
}

/// Whether an instruction may change what stands on a cell.
fn writes_cells(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::Place { .. }
            | Instr::PlaceKind { .. }
            | Instr::Remove { .. }
            | Instr::SetVisible { .. }
            | Instr::ChangeType { .. }
            | Instr::SetSelfVisible { .. }
            | Instr::ChangeSelfType { .. }
            | Instr::Resize { .. }
    )
}
