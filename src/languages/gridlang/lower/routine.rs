//! Lowers functions, handlers and blocks.

use super::{Lowerer, ProgramContext, function_kind};
use crate::code::{self, Function, StopKind};
use crate::languages::gridlang::check::hir::Routine;

/// Lowers a function, handler or block; `begin` can emit code before its body.
pub(super) fn lower_routine(
    context: &mut ProgramContext,
    name: &str,
    routine: &Routine,
    begin: impl FnOnce(&mut Lowerer),
) -> Function {
    let mut body = Lowerer::for_routine(context, name, routine);
    let stop_kind = match function_kind(routine.kind) {
        code::FunctionKind::Handler => StopKind::Handler,
        code::FunctionKind::Condition => StopKind::Condition,
        _ => StopKind::Statement,
    };
    body.builder.stop_point(stop_kind, routine.head);
    begin(&mut body);
    body.statements(&routine.body);
    body.implicit_return(routine.span.shrink_to_end());
    body.builder.finish()
}
