//! The global variables and functions that a piece of code mentions.

use crate::check::hir::{Expr, ExprKind, Game, LValue, Layout, Stmt, StmtKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The globals that the value and the sizes of a declared variable depend on.
pub fn globals_read(declaration: &Stmt) -> BTreeSet<Arc<str>> {
    let mut mentions = Mentions::default();
    if let StmtKind::Declare { sizes, value, .. } = &declaration.kind {
        mentions.exprs(sizes);
        mentions.exprs(value.as_slice());
    }
    mentions.globals
}

/// The globals that `Layout` and the functions that it calls mention.
pub fn globals_of_layout(layout: &Layout, game: &Game) -> BTreeSet<Arc<str>> {
    let mut mentions = Mentions::default();
    layout.size.iter().for_each(|size| mentions.exprs(size));
    mentions.statements(&layout.routine.body);
    let mut done = BTreeSet::new();
    while let Some(next) = mentions.functions.difference(&done).next().cloned() {
        if let Some(function) = game.functions.get(&next) {
            mentions.statements(&function.body);
        }
        done.insert(next);
    }
    mentions.globals
}

#[derive(Default)]
struct Mentions {
    globals: BTreeSet<Arc<str>>,
    functions: BTreeSet<Arc<str>>,
}

impl Mentions {
    fn statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare {
                target,
                sizes,
                value,
                ..
            } => {
                self.lvalue(target);
                self.exprs(sizes);
                self.exprs(value.as_slice());
            }
            StmtKind::Assign { target, value, .. }
            | StmtKind::CompoundAssign { target, value, .. } => {
                self.lvalue(target);
                self.expr(value);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.statements(body);
            }
            StmtKind::Return(value) => self.exprs(value.as_slice()),
            StmtKind::Repeat => {}
            StmtKind::Expr(expr) => self.expr(expr),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, of: &Expr) {
        match &of.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
            | ExprKind::Bool(_)
            | ExprKind::CurrentPlayer
            | ExprKind::Error => {}
            ExprKind::Read(from) => self.lvalue(from),
            ExprKind::Coordinate(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Concat(a, b)
            | ExprKind::Comparison(_, a, b)
            | ExprKind::Logic(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::CoordinateAxis(e, _)
            | ExprKind::CellList { cell: e, .. }
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::ToFloat(e)
            | ExprKind::Narrow(e)
            | ExprKind::ListToArray(e) => self.expr(e),
            ExprKind::Call {
                function,
                arguments,
            } => {
                self.functions.insert(function.clone());
                self.exprs(arguments);
            }
            ExprKind::Array(parts) | ExprKind::Cell(parts) | ExprKind::Builtin(_, parts) => {
                self.exprs(parts);
            }
        }
    }

    fn lvalue(&mut self, of: &LValue) {
        match of {
            LValue::Local(_) | LValue::FrameLocal(_) | LValue::Rule(_) | LValue::PlayerOrder => {}
            LValue::Global(name) => drop(self.globals.insert(name.clone())),
            LValue::Element { array, indices } => {
                self.expr(array);
                self.exprs(indices);
            }
            LValue::Attribute { of, .. } => self.expr(of),
            LValue::Axis { of, .. } => self.lvalue(of),
        }
    }
}
