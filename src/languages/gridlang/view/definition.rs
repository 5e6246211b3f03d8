//! The definitions of a program, for messages, completion and listings.

use crate::ast::Lifecycle;
use crate::check::env::GlobalOrigin;
use crate::check::hir::{Routine, RoutineKind, Type};
use crate::language::Definition;
use crate::lower::scope::Scope;

/// Every definition, for completion and listings.
pub fn definitions(scope: &Scope) -> Vec<Definition> {
    let mut all = Vec::new();
    if let Some(block) = &scope.env.player {
        all.push(Definition::new("Player", "block", "Player", block.span));
    }
    for (name, block) in &scope.env.items {
        all.push(Definition::new(
            name.to_string(),
            "item",
            format!("Item {name}"),
            block.span,
        ));
    }
    all.extend(
        scope
            .routines()
            .into_iter()
            .map(|(title, routine)| routine_definition(title, routine)),
    );
    for (name, global) in &scope.env.globals {
        if global.origin != GlobalOrigin::SingletonItem {
            all.push(Definition::new(
                name.to_string(),
                "variable",
                format!("{} {name}", global.ty),
                global.span,
            ));
        }
    }
    all
}

fn routine_definition(title: String, routine: &Routine) -> Definition {
    let kind = match routine.kind {
        RoutineKind::Function => "function",
        RoutineKind::CheckMove | RoutineKind::Colocation => "handler",
        RoutineKind::Lifecycle(Lifecycle::CheckGameEnd) => "condition",
        _ => "block",
    };
    let parameters = routine.locals.iter().take(routine.parameter_count);
    let parameters: Vec<String> = parameters.map(|l| format!("{} {}", l.ty, l.name)).collect();
    let signature = match routine.kind {
        RoutineKind::Function if routine.return_type == Type::Void => {
            format!("function {title}({})", parameters.join(", "))
        }
        RoutineKind::Function => format!(
            "function {title}({}): {}",
            parameters.join(", "),
            routine.return_type
        ),
        _ => routine.name.to_string(),
    };
    Definition::new(title, kind, signature, routine.span)
}
