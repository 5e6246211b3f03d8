//! Who uses which name.

use crate::language::{NameEntry, NameKind, Names, Namespace};
use crate::languages::gridlok::ast::*;
use crate::source::{Source, Span};

/// The variables, functions, parameters, locals and kinds of pieces of a program. Names of pieces are
/// strings, so every string with the name of a piece counts as a use of it.
pub fn names(source: &Source, program: &Program) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for item in &program.items {
        match &item.kind {
            ItemKind::Def(def) => define(&mut names, NameKind::Variable, &def.name),
            ItemKind::Function(function) => {
                define(&mut names, NameKind::Function, &function.name);
            }
            ItemKind::Piece(Piece {
                name: Some(name), ..
            }) => {
                names.define(Namespace::Pieces, NameKind::Piece, &name.text, name.span);
            }
            _ => {}
        }
    }
    for item in &program.items {
        walk_item(&mut names, &item.kind);
    }
    names.into_entries()
}

fn define(names: &mut Names<'_>, kind: NameKind, name: &Name) {
    names.define(Namespace::Values, kind, &name.text, name.span);
}

fn refer(names: &mut Names<'_>, name: &str, span: Span) {
    names.refer(Namespace::Values, name, span);
}

fn walk_item(names: &mut Names<'_>, item: &ItemKind) {
    match item {
        ItemKind::Board(board) => {
            if let Some((rows, cols, _)) = &board.dimensions {
                walk_expr(names, rows);
                walk_expr(names, cols);
            }
        }
        ItemKind::Players(_) | ItemKind::TurnOrder(_) => {}
        ItemKind::EventPriority(pieces) => {
            for piece in pieces {
                names.refer(Namespace::Pieces, &piece.text, piece.span);
            }
        }
        ItemKind::Piece(piece) => {
            for handler in [&piece.on_turn, &piece.on_click].into_iter().flatten() {
                walk_block(names, &handler.body);
            }
        }
        ItemKind::Setup(block) | ItemKind::Condition(_, block) => walk_block(names, block),
        ItemKind::Def(def) => walk_initializer(names, &def.value),
        ItemKind::Function(function) => names.block(|names| {
            for parameter in &function.parameters {
                define(names, NameKind::Parameter, parameter);
            }
            walk_block(names, &function.body);
        }),
    }
}

fn walk_block(names: &mut Names<'_>, block: &Block) {
    names.block(|names| {
        for statement in &block.statements {
            walk_statement(names, statement);
        }
    });
}

fn walk_initializer(names: &mut Names<'_>, value: &Initializer) {
    match value {
        Initializer::Expr(expr) => walk_expr(names, expr),
        Initializer::List(items, _) => walk_all(names, items),
    }
}

fn walk_statement(names: &mut Names<'_>, statement: &Statement) {
    match &statement.kind {
        StatementKind::Def(def) => {
            walk_initializer(names, &def.value);
            define(names, NameKind::Local, &def.name);
        }
        StatementKind::Braces(name, content) => {
            refer(names, &name.text, name.span);
            match content {
                BraceContent::Arguments(arguments) => walk_all(names, arguments),
                BraceContent::List(items, _) => walk_all(names, items),
                BraceContent::Block(block) => walk_block(names, block),
            }
        }
        StatementKind::SetElement { list, index, value } => {
            walk_expr(names, list);
            walk_expr(names, index);
            walk_initializer(names, value);
        }
        StatementKind::RemoveElement { list, index } => {
            walk_expr(names, list);
            walk_expr(names, index);
        }
        StatementKind::PieceAction {
            piece, arguments, ..
        } => {
            walk_expr(names, piece);
            walk_all(names, arguments);
        }
        StatementKind::If { arms, otherwise } => {
            for (condition, block) in arms {
                walk_expr(names, condition);
                walk_block(names, block);
            }
            otherwise.iter().for_each(|block| walk_block(names, block));
        }
        StatementKind::For(head, body) => names.block(|names| {
            walk_loop_head(names, head);
            walk_block(names, body);
        }),
        StatementKind::Return(value) => value.iter().for_each(|value| walk_expr(names, value)),
        StatementKind::Expr(expr) => walk_expr(names, expr),
    }
}

fn walk_loop_head(names: &mut Names<'_>, head: &LoopHead) {
    let (variables, exprs): (Vec<&Name>, Vec<&Expr>) = match head {
        LoopHead::Ranges(ranges) => {
            for range in ranges {
                walk_expr(names, &range.from);
                walk_expr(names, &range.to);
                define(names, NameKind::Local, &range.variable);
            }
            return;
        }
        LoopHead::Row(name, at) | LoopHead::Column(name, at) => (vec![name], vec![at]),
        LoopHead::Surrounding(name, row, col) => (vec![name], vec![row, col]),
        LoopHead::SurroundingCells(a, b, row, col) => (vec![a, b], vec![row, col]),
        LoopHead::Cells(a, b) => (vec![a, b], vec![]),
        LoopHead::Pieces(name) => (vec![name], vec![]),
    };
    exprs.into_iter().for_each(|expr| walk_expr(names, expr));
    for variable in variables {
        define(names, NameKind::Local, variable);
    }
}

fn walk_all(names: &mut Names<'_>, exprs: &[Expr]) {
    exprs.iter().for_each(|expr| walk_expr(names, expr));
}

fn walk_expr(names: &mut Names<'_>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Empty => {}
        ExprKind::Text(text) => {
            names.refer(Namespace::Pieces, text, expr.span);
        }
        ExprKind::Name(name) => refer(names, name, expr.span),
        ExprKind::Call(name, arguments) => {
            refer(names, &name.text, name.span);
            walk_all(names, arguments);
        }
        ExprKind::Cell(a, b) | ExprKind::Index(a, b) | ExprKind::Binary(_, a, b, _) => {
            walk_expr(names, a);
            walk_expr(names, b);
        }
        ExprKind::Field(of, _) | ExprKind::Unary(_, of, _) | ExprKind::Paren(of) => {
            walk_expr(names, of);
        }
    }
}
