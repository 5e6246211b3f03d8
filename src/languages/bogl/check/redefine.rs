//! What happens to existing definitions when something they depend on is redefined.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Phase, Severity};
use crate::languages::bogl::ast::SessionLet;
use crate::languages::bogl::check::env::{Env, GlobalDef};
use crate::languages::bogl::check::infer::Checker;
use crate::languages::bogl::check::resolution::GlobalKind;
use crate::languages::bogl::check::type_error::UNDEFINED_NAME_CODE;
use crate::languages::bogl::check::type_table::TypeTable;
use crate::languages::bogl::check::types::{SignatureType, Type};

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
    is_unchanged && !uses_itself && !uses_broken && !diagnostics.iter().any(Diagnostic::is_error)
}

/// The error if a session let holds a board: when `type Board` changes, that board still has the
/// old size and cell type.
pub fn stale_board_errors(
    session_let: &SessionLet,
    signature_type: &SignatureType,
) -> Vec<Diagnostic> {
    let SignatureType::Value(ty) = signature_type else {
        return Vec::new();
    };
    let message = format!(
        "`{}` holds a board of the previous `type Board`",
        session_let.name.text
    );
    let diagnostic = Diagnostic::error(Phase::Type, "BG055", session_let.span, message);
    if ty.contains_board() {
        vec![diagnostic]
    } else {
        Vec::new()
    }
}

/// A session let keeps the type of its value, but drops the type's name if that name now means
/// something else.
pub fn refresh_type_name(signature_type: &SignatureType, types: &TypeTable) -> SignatureType {
    match signature_type {
        SignatureType::Value(ty) => {
            let is_current = ty
                .name
                .as_ref()
                .and_then(|name| types.resolve_name(name))
                .is_some_and(|current| current == *ty);
            SignatureType::Value(Type {
                name: ty.name.clone().filter(|_| is_current),
                ..ty.clone()
            })
        }
        function => function.clone(),
    }
}

/// True if the only errors are undefined names, which may still be defined. A board is evaluated
/// immediately, so it cannot wait for them.
pub fn has_only_undefined_names(global: &GlobalDef, diagnostics: &[Diagnostic]) -> bool {
    let mut errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .peekable();
    matches!(global.kind(), GlobalKind::Function | GlobalKind::Value)
        && errors.peek().is_some()
        && errors.all(|diagnostic| diagnostic.code == UNDEFINED_NAME_CODE)
}

/// The warning for a definition that just became broken, or is new and uses an undefined name.
pub fn broken_warning(
    name: &Arc<str>,
    diagnostics: &[Diagnostic],
    is_new: bool,
) -> Option<Diagnostic> {
    let first = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())?;
    let (problem, until) = match is_new {
        true if first.code == UNDEFINED_NAME_CODE => {
            ("cannot run yet", "the missing name is defined")
        }
        true => (
            "cannot run yet",
            "it is corrected, or a game defines the board it needs",
        ),
        false => ("no longer type-checks", "it is fixed"),
    };
    let mut diagnostic = first.clone();
    diagnostic.severity = Severity::Warning;
    diagnostic.code = "BG056";
    diagnostic.message = format!("`{name}` {problem}: {}", first.message);
    Some(diagnostic.note(format!("code that uses `{name}` cannot run until {until}")))
}
