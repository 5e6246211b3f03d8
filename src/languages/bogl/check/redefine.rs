//! What happens to existing definitions when something they depend on is redefined.

use std::sync::Arc;

use crate::ast::SessionLet;
use crate::check::env::{Env, GlobalDef};
use crate::check::infer::Checker;
use crate::check::resolution::GlobalKind;
use crate::check::type_error::UNDEFINED_NAME_CODE;
use crate::check::type_table::TypeTable;
use crate::check::types::{SignatureType, Type};
use crate::diagnostic::{Diagnostic, Phase, Severity, first_error, has_errors};

/// True if a session let can be re-evaluated when the game restarts: it must not depend on its own
/// earlier value, and every name in it must still mean the same.
pub fn can_reevaluate(session_let: &SessionLet, env: &Env) -> bool {
    let mut checker = Checker::new(env);
    checker.infer(&session_let.value);
    let (resolution, diagnostics) = checker.finish();
    let reached = env.reachable(&resolution.uses);
    let uses_itself = reached.contains(&session_let.name.text);
    let uses_broken = reached.iter().any(|name| env.broken(name).is_some());
    let is_unchanged = env
        .global(&session_let.name.text)
        .is_some_and(|global| global.resolution == resolution);
    is_unchanged && !uses_itself && !uses_broken && !has_errors(&diagnostics)
}

/// The error if a session let holds a board: when `type Board` changes, that board still has the
/// old size and cell type.
pub fn stale_board_errors(
    session_let: &SessionLet,
    signature_type: &SignatureType,
) -> Vec<Diagnostic> {
    match signature_type {
        SignatureType::Value(ty) if ty.contains_board() => {
            let name = &session_let.name.text;
            let message = format!("`{name}` holds a board of the previous `type Board`");
            let span = session_let.span;
            vec![Diagnostic::error(Phase::Type, "BG055", span, message)]
        }
        _ => Vec::new(),
    }
}

/// A session let keeps the type of its value, but drops the type's name if that name now means
/// something else.
pub fn refresh_type_name(signature_type: &SignatureType, types: &TypeTable) -> SignatureType {
    match signature_type {
        SignatureType::Value(ty) => {
            let is_current = |name: &Arc<str>| types.resolve_name(name).as_ref() == Some(ty);
            SignatureType::Value(Type {
                name: ty.name.clone().filter(is_current),
                ..ty.clone()
            })
        }
        function => function.clone(),
    }
}

/// True if the only errors are undefined names, which may still be defined. A board is evaluated
/// immediately, so it cannot wait for them.
pub fn has_only_undefined_names(global: &GlobalDef, diagnostics: &[Diagnostic]) -> bool {
    matches!(global.kind(), GlobalKind::Function | GlobalKind::Value)
        && has_only_errors(diagnostics, |error| error.code == UNDEFINED_NAME_CODE)
}

/// True if there are errors and the test is true for all of them.
pub fn has_only_errors(diagnostics: &[Diagnostic], test: impl Fn(&Diagnostic) -> bool) -> bool {
    let mut errors = diagnostics.iter().filter(|d| d.is_error());
    has_errors(diagnostics) && errors.all(test)
}

/// The warning for a definition that just became broken, or is new and uses an undefined name.
pub fn broken_warning(
    name: &Arc<str>,
    diagnostics: &[Diagnostic],
    is_new: bool,
) -> Option<Diagnostic> {
    let first = first_error(diagnostics)?;
    let until = match is_new {
        true if first.code == UNDEFINED_NAME_CODE => "the missing name is defined",
        true => "it is corrected, or a game defines the board it needs",
        false => "it is fixed",
    };
    let problem = match is_new {
        true => "cannot run yet",
        false => "no longer type-checks",
    };
    let mut diagnostic = first.clone();
    diagnostic.severity = Severity::Warning;
    diagnostic.code = "BG056";
    diagnostic.message = format!("`{name}` {problem}: {}", first.message);
    Some(diagnostic.note(format!("code that uses `{name}` cannot run until {until}")))
}
