//! Compiles what is typed at the prompt.

use super::Lowerer;
use super::link::{check_sprite_count, extend};
use crate::check::Checked;
use crate::check::hir::{HirLine, HirLineKind};
use crate::code::{FunctionKind, Program};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope};
use crate::lower::prompt_expr::Expr;
use crate::lower::scope::Scope;
use crate::source::Span;

/// Compiles lines entered at the prompt.
pub fn lower_entry(
    checked: Checked,
    span: Span,
    old: &Program,
) -> Result<Compiled, Vec<Diagnostic>> {
    let is_moves = |line: &HirLine| matches!(line.kind, HirLineKind::Moves(_));
    let mut lines = checked.lines.iter();
    let first_move = lines.position(is_moves).unwrap_or(checked.lines.len());
    if let Some(late) = lines.find(|line| !is_moves(line)) {
        let message = "a statement cannot follow a move in the same entry";
        return Err(vec![
            Diagnostic::error(Phase::Check, "SG121", late.span, message)
                .note("enter the moves separately"),
        ]);
    }
    let before = Scope::from_program(old);
    let mut scope = Scope::clone(&before);
    let lines = checked.lines.iter().cloned();
    let messages = lines.filter_map(|line| scope.apply(line)).collect();
    scope.env = checked.env;
    check_sprite_count(&scope, span)?;
    let mut program = if first_move == 0 {
        old.clone()
    } else {
        extend(scope.clone(), &checked.lines, old)
    };
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &[], span);
    body.entry_lines(&checked.lines, &before);
    let entry_point = program.push_entry(body.builder.finish());
    Ok(Compiled {
        warnings: checked.diagnostics,
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

/// Compiles an expression entered at the prompt or in a frame.
pub fn lower_expression(
    expr: &Expr,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let scope = Scope::from_program(old);
    let locals: Vec<&str> = frame.map_or_else(Vec::new, |f| {
        f.locals.iter().map(|l| l.name.as_str()).collect()
    });
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &locals, span);
    body.eval_expr(expr, span);
    let mut program = old.clone();
    let entry_point = program.push_entry(body.builder.finish());
    Ok(Compiled {
        is_expression: true,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}
