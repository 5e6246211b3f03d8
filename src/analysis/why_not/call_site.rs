//! The statements that call a function.

use crate::code::{FunctionId, FunctionKind, Instr, StopPoint};
use crate::debugger::Target;

/// The statements of the user's code that call a function.
pub(crate) fn call_sites(target: &Target, id: FunctionId) -> Vec<(FunctionId, StopPoint)> {
    let mut sites = Vec::new();
    for (n, function) in target.program().functions.iter().enumerate() {
        if matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry) {
            continue;
        }
        for (pc, instr) in function.code.iter().enumerate() {
            let is_call = matches!(instr, Instr::Call { function, .. } if *function == id);
            if is_call && let Some(stop) = function.stop_point_before(pc as u32) {
                sites.push((FunctionId(n as u32), *stop));
            }
        }
    }
    sites.dedup();
    sites
}
