//! The definitions of a program, for messages, completion and listings.

use crate::language::Definition;
use crate::languages::gridlang::ast;
use crate::languages::gridlang::check::env::{Env, GlobalOrigin};
use crate::languages::gridlang::check::hir::{Routine, RoutineKind, Type};
use crate::languages::gridlang::check::{colocation_name, move_handler_name};
use crate::languages::gridlang::lower::scope::Scope;

/// The name of a definition and whether it replaces an existing one.
pub fn definition_title(definition: &ast::Definition, env: &Env) -> (String, bool) {
    match definition {
        ast::Definition::Player(_) => ("Player".into(), env.player.is_some()),
        ast::Definition::Item(block) => (
            format!("Item {}", block.name.text),
            env.items.contains_key(&block.name.text),
        ),
        ast::Definition::Function(f) => (
            format!("function {}", f.name.text),
            env.functions.contains_key(&f.name.text),
        ),
        ast::Definition::Layout(_) => ("Layout".into(), env.layout.is_some()),
        ast::Definition::GameLoop(_) => ("gameLoop".into(), env.game_loop.is_some()),
        ast::Definition::CheckGameEnd(_) => ("checkGameEnd".into(), env.check_game_end.is_some()),
        ast::Definition::GameOver(_) => ("gameOver".into(), env.game_over.is_some()),
        ast::Definition::CheckMove(new) => {
            let name = move_handler_name(new);
            let exists = env
                .move_handlers
                .iter()
                .any(|old| move_handler_name(old) == name);
            (name, exists)
        }
        ast::Definition::Colocation(new) => {
            let name = colocation_name(new, &env.items);
            let exists = env
                .colocation_handlers
                .iter()
                .any(|old| colocation_name(old, &env.items) == name);
            (name, exists)
        }
    }
}

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
        RoutineKind::CheckGameEnd => "condition",
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
