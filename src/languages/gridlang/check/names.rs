//! Who uses which name.

use crate::language::{NameEntry, NameKind, Names, Namespace};
use crate::languages::gridlang::ast::*;
use crate::source::{Source, Span};

/// The kinds of items, fields, functions, parameters and variables of a program.
pub fn names(source: &Source, tree: &Ast) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for item in &tree.top_level {
        define_top_level(&mut names, item);
    }
    for item in &tree.top_level {
        match item {
            TopLevel::Definition(definition) => walk_definition(&mut names, definition),
            TopLevel::Statement(statement) => walk_global(&mut names, statement),
            TopLevel::Import(_) => {}
        }
    }
    names.into_entries()
}

fn define(names: &mut Names<'_>, space: Namespace, kind: NameKind, name: &Name) {
    names.define(space, kind, &name.text, name.span);
}

/// Defines what is visible in the whole program. The variables of the layout are.
fn define_top_level(names: &mut Names<'_>, item: &TopLevel) {
    let definition = match item {
        TopLevel::Definition(definition) => definition,
        TopLevel::Statement(statement) => return define_globals(names, statement),
        TopLevel::Import(_) => return,
    };
    match definition {
        Definition::Player(player) => {
            for member in &player.members {
                match member {
                    PlayerMember::Attribute(declaration) => define_fields(names, declaration),
                    PlayerMember::Type { attributes, .. } => {
                        attributes.iter().for_each(|a| define_fields(names, a));
                    }
                }
            }
        }
        Definition::Item(item) => {
            define(names, Namespace::Pieces, NameKind::Piece, &item.name);
            item.attributes.iter().for_each(|a| define_fields(names, a));
        }
        Definition::Function(function) => {
            define(
                names,
                Namespace::Functions,
                NameKind::Function,
                &function.name,
            );
        }
        Definition::Layout(layout) => {
            if let LayoutSize::Parameters(parameters) = &layout.size {
                for parameter in parameters {
                    define(names, Namespace::Values, NameKind::Variable, parameter);
                }
            }
            for statement in &layout.body.statements {
                define_globals(names, statement);
            }
        }
        _ => {}
    }
}

/// Defines the variables of a declaration outside of functions and handlers.
fn define_globals(names: &mut Names<'_>, statement: &Stmt) {
    if let StmtKind::Declare { declarators, .. } = &statement.kind {
        for declarator in declarators {
            define(
                names,
                Namespace::Values,
                NameKind::Variable,
                &declarator.name,
            );
        }
    }
}

/// A statement whose variables [`define_globals`] has defined.
fn walk_global(names: &mut Names<'_>, statement: &Stmt) {
    match &statement.kind {
        StmtKind::Declare { ty, declarators } => {
            walk_type(names, ty);
            let values = declarators.iter().filter_map(|d| d.init.as_ref());
            values.for_each(|value| walk_expr(names, value));
        }
        _ => walk_statement(names, statement),
    }
}

fn define_fields(names: &mut Names<'_>, declaration: &AttributeDecl) {
    for declarator in &declaration.declarators {
        define(names, Namespace::Fields, NameKind::Field, &declarator.name);
    }
}

fn walk_definition(names: &mut Names<'_>, definition: &Definition) {
    match definition {
        Definition::Player(player) => {
            for member in &player.members {
                match member {
                    PlayerMember::Attribute(declaration) => walk_fields(names, declaration),
                    PlayerMember::Type { attributes, .. } => {
                        attributes.iter().for_each(|a| walk_fields(names, a));
                    }
                }
            }
        }
        Definition::Item(item) => item.attributes.iter().for_each(|a| walk_fields(names, a)),
        Definition::Function(function) => {
            function
                .return_type
                .iter()
                .for_each(|ty| walk_type(names, ty));
            walk_routine(names, &function.parameters, &function.body);
        }
        Definition::Layout(layout) => {
            if let LayoutSize::Values(values) = &layout.size {
                values.iter().for_each(|value| walk_expr(names, value));
            }
            for statement in &layout.body.statements {
                walk_global(names, statement);
            }
        }
        Definition::GameLoop(block)
        | Definition::CheckGameEnd(block)
        | Definition::GameOver(block) => walk_block(names, &block.body),
        Definition::CheckMove(check) => {
            check
                .receiver
                .iter()
                .for_each(|piece| walk_piece(names, piece));
            walk_routine(names, &check.parameters, &check.body);
        }
        Definition::Colocation(handler) => {
            walk_piece(names, &handler.receiver);
            walk_piece(names, &handler.mover.piece);
            names.block(|names| {
                for name in &handler.mover.names {
                    if !names.refer(Namespace::Pieces, &name.text, name.span) {
                        define(names, Namespace::Values, NameKind::Parameter, name);
                    }
                }
                walk_block(names, &handler.body);
            });
        }
    }
}

fn walk_fields(names: &mut Names<'_>, declaration: &AttributeDecl) {
    walk_type(names, &declaration.ty);
    let values = declaration
        .declarators
        .iter()
        .filter_map(|d| d.init.as_ref());
    values.for_each(|value| walk_expr(names, value));
}

fn walk_routine(names: &mut Names<'_>, parameters: &[Parameter], body: &Block) {
    names.block(|names| {
        for parameter in parameters {
            walk_type(names, &parameter.ty);
            define(
                names,
                Namespace::Values,
                NameKind::Parameter,
                &parameter.name,
            );
        }
        walk_block(names, body);
    });
}

fn walk_piece(names: &mut Names<'_>, piece: &PieceRef) {
    if let PieceRef::Named(name) = piece {
        refer_value(names, &name.text, name.span);
    }
}

/// A variable, or a kind of item that stands for the piece of a handler.
fn refer_value(names: &mut Names<'_>, name: &str, span: Span) {
    if !names.refer(Namespace::Values, name, span) {
        names.refer(Namespace::Pieces, name, span);
    }
}

/// The order of the players may name them in quotes.
fn refer_players(names: &mut Names<'_>, order: &Expr) {
    if let ExprKind::Array(players) = &order.kind {
        for player in players {
            if let ExprKind::Text(name) = &player.kind {
                names.refer(Namespace::Values, name, player.span);
            }
        }
    }
}

fn walk_type(names: &mut Names<'_>, ty: &TypeName) {
    walk_base(names, &ty.base);
    if let ArraySizes::Explicit(sizes) = &ty.sizes {
        sizes.iter().for_each(|size| walk_expr(names, size));
    }
}

fn walk_base(names: &mut Names<'_>, base: &Base) {
    if let Base::ItemKind(name) = base {
        names.refer(Namespace::Pieces, &name.text, name.span);
    }
}

fn walk_block(names: &mut Names<'_>, block: &Block) {
    names.block(|names| {
        for statement in &block.statements {
            walk_statement(names, statement);
        }
    });
}

fn walk_statement(names: &mut Names<'_>, statement: &Stmt) {
    match &statement.kind {
        StmtKind::Declare { ty, declarators } => {
            walk_type(names, ty);
            for declarator in declarators {
                declarator
                    .init
                    .iter()
                    .for_each(|value| walk_expr(names, value));
                define(names, Namespace::Values, NameKind::Local, &declarator.name);
            }
        }
        StmtKind::Assign { target, value, .. } => {
            if matches!(target.kind, ExprKind::PlayerOrder) {
                refer_players(names, value);
            }
            walk_expr(names, target);
            walk_expr(names, value);
        }
        StmtKind::IncDec { target: expr, .. } | StmtKind::Expr(expr) => walk_expr(names, expr),
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            walk_expr(names, condition);
            walk_block(names, then);
            otherwise.iter().for_each(|block| walk_block(names, block));
        }
        StmtKind::While { condition, body } => {
            walk_expr(names, condition);
            walk_block(names, body);
        }
        StmtKind::Return(value) => value.iter().for_each(|value| walk_expr(names, value)),
        StmtKind::Repeat => {}
    }
}

fn walk_expr(names: &mut Names<'_>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Name(name) => refer_value(names, name, expr.span),
        ExprKind::TypeKeyword(base) => walk_base(names, base),
        ExprKind::Coordinate(a, b)
        | ExprKind::Arithmetic(_, a, b)
        | ExprKind::Comparison(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b) => {
            walk_expr(names, a);
            walk_expr(names, b);
        }
        ExprKind::Array(parts) | ExprKind::Cell(parts) => {
            parts.iter().for_each(|part| walk_expr(names, part));
        }
        ExprKind::Index(of, parts) => {
            walk_expr(names, of);
            parts.iter().for_each(|part| walk_expr(names, part));
        }
        ExprKind::Attribute(of, field) => {
            walk_expr(names, of);
            names.refer(Namespace::Fields, &field.text, field.span);
        }
        ExprKind::Call(callee, arguments) => {
            if let Callee::Named(name) = callee {
                names.refer(Namespace::Functions, &name.text, name.span);
            }
            arguments
                .iter()
                .for_each(|argument| walk_expr(names, argument));
        }
        ExprKind::Not(of) | ExprKind::Negate(of) => walk_expr(names, of),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Bool(_)
        | ExprKind::CurrentPlayer
        | ExprKind::PlayerOrder
        | ExprKind::PlayerKeyword
        | ExprKind::ItemKeyword => {}
    }
}
