//! Lowers functions, handlers and blocks, and functions that are not defined yet.

use super::{Lowerer, ProgramContext, function_kind};
use crate::check::hir::Routine;
use crate::code::{Builder, Function, FunctionKind, StopKind};
use crate::source::Span;
use crate::value::InternedStr;

/// Lowers a function, handler or block; `begin` can emit code before its body.
pub(super) fn lower_routine(
    context: &mut ProgramContext,
    name: &str,
    routine: &Routine,
    begin: impl FnOnce(&mut Lowerer),
) -> Function {
    let mut body = Lowerer::for_routine(context, name, routine);
    let stop_kind = match function_kind(routine.kind) {
        FunctionKind::Handler => StopKind::Handler,
        FunctionKind::Condition => StopKind::Condition,
        _ => StopKind::Statement,
    };
    body.builder.stop_point(stop_kind, routine.head);
    begin(&mut body);
    body.statements(&routine.body);
    body.implicit_return(routine.span.shrink_to_end());
    body.builder.finish()
}

/// The placeholder for a function that is not defined yet; it fails when called.
pub(super) fn undefined_stub(title: &str) -> Function {
    Builder::failing(
        InternedStr::new(title),
        FunctionKind::Function,
        &format!("`{title}` is not defined"),
        Span::default(),
    )
}
