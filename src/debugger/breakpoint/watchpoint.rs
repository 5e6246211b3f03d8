//! Which instructions may change or read a watch target, judged from the code alone.

use crate::WatchTarget;
use crate::answer::Access;
use crate::code::flow::Effects;
use crate::code::{Function, FunctionKind, Instr, Local, ValueLoc};
use crate::source::Sources;

/// Whether the instruction at `pc` reads a local variable, given the names of the function and the
/// variable.
pub fn reads_local(
    (function_name, name): (&str, &str),
    function: &Function,
    pc: u32,
    sources: &Sources,
) -> bool {
    if !has_local((function_name, name), function) {
        return false;
    }
    let mut infos = function.value_infos_at(pc).filter(|info| !info.after);
    infos.any(|info| {
        let (ValueLoc::Register(register) | ValueLoc::Field(register, _)) = info.loc else {
            return false;
        };
        let text = sources
            .get(info.span.source)
            .map_or("", |s| s.slice(info.span));
        let is_variable = text
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        is_variable
            && function
                .locals_at(pc)
                .any(|l| l.register == register && l.name.as_str() == name)
    })
}

/// Whether the code of a function may access a local variable, given the names of its function and
/// the variable. The parameters of an entry are the variables of the frame at which it was typed.
fn has_local((function_name, name): (&str, &str), function: &Function) -> bool {
    let is_parameter = |l: &Local| l.register < function.parameter_count && l.name.as_str() == name;
    function.name.as_str() == function_name
        || function.kind == FunctionKind::Entry && function.locals.iter().any(is_parameter)
}

/// Whether a function is an entry that was typed at a stop and works on the variables there.
fn takes_locals(function: &Function) -> bool {
    function.kind == FunctionKind::Entry && function.parameter_count > 0
}

/// Whether an instruction may access the target in the given way.
pub(crate) fn may_access(
    target: &WatchTarget,
    access: Access,
    global: Option<u32>,
    function: &Function,
    instr: Instr,
) -> bool {
    let writes = access != Access::Read && may_write(target, global, function, instr);
    let reads = access != Access::Change && may_read(target, global, instr);
    writes || reads
}

fn may_write(target: &WatchTarget, global: Option<u32>, function: &Function, instr: Instr) -> bool {
    match target {
        // A list can also be changed through a register.
        WatchTarget::Global(_) => instr
            .flow()
            .global_written()
            .map_or_else(|| writes_elements(instr), |g| Some(g) == global),
        WatchTarget::RecordField(_) => writes_elements(instr),
        // Any instruction may write a register.
        WatchTarget::Local(function_name, name) => has_local((function_name, name), function),
        WatchTarget::Expression(expr) => {
            instr.flow().global_written().is_some()
                || writes_elements(instr)
                || writes_cells(instr)
                || expr
                    .function
                    .as_deref()
                    .is_some_and(|name| function.name.as_str() == name || takes_locals(function))
        }
        // If the board is a value, it changes when its variable is assigned.
        _ => {
            writes_cells(instr)
                || matches!(instr, Instr::SetGlobal { global: g, .. } if Some(g) == global)
        }
    }
}

fn may_read(target: &WatchTarget, global: Option<u32>, instr: Instr) -> bool {
    match target {
        WatchTarget::Global(_) => global.is_some() && instr.flow().global_loaded() == global,
        // Reads of a local are found from the source, by `reads_local`.
        WatchTarget::Local(..) | WatchTarget::Expression(_) => false,
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

/// Whether an instruction may change an element of a list or a field of a record. A list in a local
/// variable is a copy, so appending to that variable changes no other one.
fn writes_elements(instr: Instr) -> bool {
    instr.flow().effects.has(Effects::WRITES_HEAP) && !matches!(instr, Instr::Assign { .. })
}

/// Whether an instruction may change the target on a board that is drawn from variables.
pub(crate) fn may_redraw(target: &WatchTarget, access: Access, instr: Instr) -> bool {
    let is_on_board = matches!(
        target,
        WatchTarget::Cell(..)
            | WatchTarget::PieceField(..)
            | WatchTarget::Row(_)
            | WatchTarget::Column(_)
            | WatchTarget::Board
    );
    is_on_board
        && access != Access::Read
        && (instr.flow().global_written().is_some() || writes_elements(instr))
}

/// Whether an instruction may change a cell.
fn writes_cells(instr: Instr) -> bool {
    instr.flow().effects.has(Effects::WRITES_CELLS)
}
