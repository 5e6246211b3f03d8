//! Type checking of statements.

use super::Checker;
use super::scope::ReturnRule;
use crate::ast::{self, ArithmeticOp, ArraySizes, Block, Declarator, Name, TypeName};
use crate::check::errors;
use crate::check::hir::{AttributeRef, Expr, ExprKind, LValue, RoutineKind, Stmt, StmtKind, Type};
use crate::code::CompareOp;
use crate::language::{NameKind, Namespace, Reporter};
use crate::lower::scope::{RuleVariable, field};
use crate::source::Span;
use crate::text::count_noun;
use std::sync::Arc;

impl Checker<'_> {
    pub fn statements(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        let mut typed = Vec::new();
        for statement in statements {
            self.statement(statement, &mut typed);
        }
        typed
    }

    fn block(&mut self, block: &Block) -> Vec<Stmt> {
        self.scope.push_block();
        self.defs.names.enter();
        let typed = self.statements(&block.statements);
        self.defs.names.leave();
        self.scope.pop_block(block.span.end);
        typed
    }

    pub fn statement(&mut self, statement: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = statement.span;
        let kind = match &statement.kind {
            ast::StmtKind::Declare { ty, declarators } => {
                return self.declare(ty, declarators, span, out);
            }
            ast::StmtKind::Assign {
                target,
                op,
                at,
                value,
            } => match op {
                None => self.assign(target, value, *at),
                Some(op) => {
                    let value = self.expr(value);
                    self.compound_assign(target, (*op, *at), span, |_| value)
                }
            },
            ast::StmtKind::IncDec { target, op, at } => {
                let one = |ty: &Type| match ty {
                    Type::Float => Expr::new(ExprKind::Float(1.0), Type::Float, span),
                    _ => Expr::new(ExprKind::Int(1), Type::Int, span),
                };
                self.compound_assign(target, (*op, *at), span, one)
            }
            ast::StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition);
                let then = self.block(then);
                let otherwise = otherwise
                    .as_ref()
                    .map(|b| self.block(b))
                    .unwrap_or_default();
                Some(StmtKind::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            ast::StmtKind::While { condition, body } => {
                let condition = self.condition(condition);
                Some(StmtKind::While {
                    condition,
                    body: self.block(body),
                })
            }
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            ast::StmtKind::Repeat => self.repeat(span),
            ast::StmtKind::Expr(e) => self.expr_statement(e),
        };
        out.extend(kind.map(|kind| Stmt { kind, span }));
    }

    fn condition(&mut self, e: &ast::Expr) -> Expr {
        self.expect_type(e, &Type::Bool, errors::CONDITION_TYPE, "condition must be")
    }

    fn declare(
        &mut self,
        ty: &TypeName,
        declarators: &[Declarator],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let resolved = self.defs.resolve_type(ty);
        for declarator in declarators {
            let sizes = self.array_sizes(ty, declarator);
            let name = &declarator.name;
            let value = declarator.init.as_ref().map(|value| {
                self.check_literal_length(ty, value);
                let subject = format!("`{}` is", name.text);
                self.expect_type(value, &resolved, errors::TYPE_MISMATCH, &subject)
            });
            let lvalue = if self.scope.is_global() {
                self.defs.pending_globals.remove(&name.text);
                LValue::Global(name.text.clone())
            } else {
                LValue::Local(self.add_local(name, resolved.clone(), NameKind::Local))
            };
            self.check_item_name(name, &resolved, value.is_some());
            let (name, ty, name_span) = (name.text.clone(), resolved.clone(), name.span);
            let declarator_span = declarator
                .init
                .as_ref()
                .map_or(name_span, |value| name_span.to(value.span));
            out.push(Stmt {
                kind: StmtKind::Declare {
                    target: lvalue,
                    name,
                    ty,
                    sizes,
                    value,
                    span: declarator_span,
                },
                span,
            });
        }
    }

    /// Warns about `Item Coin`, which declares a variable for any item. A capital letter suggests
    /// that a kind of item was meant.
    fn check_item_name(&mut self, name: &Name, ty: &Type, has_value: bool) {
        if *ty != Type::Item(None) || has_value || !name.text.starts_with(char::is_uppercase) {
            return;
        }
        let text = &name.text;
        let message = format!("`{text}` is a variable, not a kind of item");
        self.warning(errors::KIND_WITHOUT_BODY, name.span, message)
            .add_note(format!(
                "to define a kind of item, write braces: `Item {text} {{ }}`"
            ));
    }

    fn array_sizes(&mut self, ty: &TypeName, declarator: &Declarator) -> Vec<Expr> {
        match &ty.sizes {
            ArraySizes::NotArray => Vec::new(),
            ArraySizes::Explicit(sizes) => {
                for size in sizes {
                    if matches!(size.kind, ast::ExprKind::Int(n) if n < 0) {
                        let message = "the size of an array cannot be negative";
                        self.error(errors::ARRAY_SIZE, size.span, message);
                    }
                }
                let (code, subject) = (errors::ARRAY_SIZE, "the size of an array must be");
                let sizes = sizes.iter();
                sizes
                    .map(|size| self.expect_type(size, &Type::Int, code, subject))
                    .collect()
            }
            ArraySizes::Omitted(_) => {
                if declarator.init.is_none() {
                    let message = format!("missing size of the array `{}`", declarator.name.text);
                    self.error(errors::ARRAY_SIZE, ty.span, message)
                        .add_note("e.g. `int[5] name`");
                }
                Vec::new()
            }
        }
    }

    /// Reports an array literal that does not match the declared size: `int[3] a = [1, 2]`.
    fn check_literal_length(&mut self, ty: &TypeName, value: &ast::Expr) {
        let ArraySizes::Explicit(sizes) = &ty.sizes else {
            return;
        };
        if let (ast::ExprKind::Array(parts), Some(ast::ExprKind::Int(size))) =
            (&value.kind, sizes.first().map(|s| &s.kind))
            && parts.len() as i64 != *size
        {
            let size = count_noun(usize::try_from(*size).unwrap_or(0), "element", "elements");
            let given = count_noun(parts.len(), "was", "were");
            let message = format!("the array has {size}, but {given} given");
            self.error(errors::ARRAY_SIZE, value.span, message);
        }
    }

    /// `target = value`, with the `=` at `at`.
    fn assign(&mut self, target: &ast::Expr, value: &ast::Expr, at: Span) -> Option<StmtKind> {
        if target.kind == ast::ExprKind::PlayerOrder {
            let value = self.player_order_value(value);
            let target = if self.defs.is_rules() {
                LValue::Rule(RuleVariable::PlayerOrder)
            } else {
                LValue::PlayerOrder
            };
            return Some(StmtKind::Assign { target, value, at });
        }
        let Some((lvalue, ty)) = self.assign_target(target) else {
            self.expr(value);
            return None;
        };
        if let LValue::Attribute { attribute, .. } = &lvalue
            && *attribute == AttributeRef::Field(field::TYPE)
            && let ast::ExprKind::Text(text) = &value.kind
        {
            self.defs.check_assigned_player_type(text, value.span);
        }
        let subject = match &target.kind {
            ast::ExprKind::Name(name) => format!("`{name}` is"),
            ast::ExprKind::Attribute(_, name) => format!("the attribute `{}` is", name.text),
            ast::ExprKind::Index(..) => "an element of this array is".into(),
            _ => "this is".into(),
        };
        let value = self.expect_type(value, &ty, errors::TYPE_MISMATCH, &subject);
        let target = lvalue;
        Some(StmtKind::Assign { target, value, at })
    }

    /// The value of an assignment to `playerOrder`: players, by name or in quotes.
    fn player_order_value(&mut self, value: &ast::Expr) -> Expr {
        let ast::ExprKind::Array(parts) = &value.kind else {
            let value = self.expr(value);
            let is_player_list = match &value.ty {
                Type::Array(element, 1) | Type::List(element) => **element == Type::Player,
                ty => *ty == Type::Unknown,
            };
            if !is_player_list {
                let found = value.ty.with_article();
                let message =
                    format!("`playerOrder` is a list of players, but this value is {found}");
                self.error(errors::PLAYER_ORDER_TYPE, value.span, message)
                    .add_note("e.g. `playerOrder = ['p1', 'p2']`");
            }
            return value;
        };
        let code = errors::PLAYER_ORDER_TYPE;
        let subject = "an element of `playerOrder` must be";
        let players = parts.iter().map(|part| match &part.kind {
            ast::ExprKind::Text(name) => self.quoted_player(name, part.span),
            _ => self.expect_type(part, &Type::Player, code, subject),
        });
        let kind = ExprKind::Array(players.collect());
        Expr::new(kind, Type::Player.into_array(), value.span)
    }

    fn quoted_player(&mut self, name: &Arc<str>, span: Span) -> Expr {
        self.defs.names.refer(Namespace::Values, name, span);
        let ty = self.defs.env.globals.get(name).map(|g| g.ty.clone());
        match ty {
            Some(Type::Player | Type::Unknown) => {}
            Some(other) => {
                let message = format!("`{name}` is {}, not a player", other.with_article());
                self.error(errors::PLAYER_ORDER_TYPE, span, message);
            }
            None => {
                let message = format!("\"{name}\" is not a valid player name");
                self.error(errors::PLAYER_ORDER_TYPE, span, message)
                    .add_note("the name of a player is the name of a variable");
            }
        }
        Expr::read(LValue::Global(name.clone()), Type::Player, span)
    }

    /// `target op= value`. The value may depend on the type of the target.
    fn compound_assign(
        &mut self,
        target: &ast::Expr,
        (op, at): (ArithmeticOp, Span),
        span: Span,
        value: impl FnOnce(&Type) -> Expr,
    ) -> Option<StmtKind> {
        let (lvalue, ty) = self.assign_target(target)?;
        if ty == Type::Unknown {
            return None;
        }
        let old = Expr::read(lvalue.clone(), ty.clone(), target.span);
        match self.arithmetic(op, old, value(&ty), span).kind {
            ExprKind::Arithmetic(_, _, value) | ExprKind::Concat(_, value) => {
                Some(StmtKind::CompoundAssign {
                    target: lvalue,
                    target_span: target.span,
                    target_operator: target.operator(),
                    ty,
                    op,
                    at,
                    value: *value,
                })
            }
            _ => None,
        }
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        let routine = self.scope.name.clone();
        let typed = match (self.scope.returns.clone(), value) {
            (ReturnRule::Forbidden, value) => {
                value.map(|v| self.expr(v));
                let message = "`return` is only allowed inside a function or block";
                self.error(errors::BAD_RETURN, span, message);
                return None;
            }
            (ReturnRule::Void, Some(value)) => {
                let value = self.expr(value);
                let message = format!("`{routine}` does not return a value");
                self.error(errors::BAD_RETURN, value.span, message)
                    .add_note(
                        "a function that returns a value has its type: `function f(): int { … }`",
                    );
                return None;
            }
            (ReturnRule::Required(ty), None) => {
                let ty = ty.with_article();
                let message =
                    format!("`{routine}` must return {ty}, but this `return` has no value");
                self.error(errors::BAD_RETURN, span, message);
                return None;
            }
            (ReturnRule::Required(ty) | ReturnRule::Optional(ty), Some(value)) => {
                self.scope.has_returned_value = true;
                let subject = format!("`{routine}` returns");
                Some(self.expect_type(value, &ty, errors::BAD_RETURN, &subject))
            }
            (ReturnRule::Void | ReturnRule::Optional(_), None) => None,
        };
        Some(StmtKind::Return(typed))
    }

    fn repeat(&mut self, span: Span) -> Option<StmtKind> {
        let is_in_turn = match self.scope.kind {
            RoutineKind::Globals | RoutineKind::Layout => false,
            RoutineKind::Entry => self.defs.env.is_turn_running,
            _ => true,
        };
        if !is_in_turn {
            let message = "`repeat` is only allowed during a turn: it restarts `gameLoop`";
            self.error(errors::REPEAT_OUTSIDE_TURN, span, message);
        }
        Some(StmtKind::Repeat)
    }

    fn expr_statement(&mut self, e: &ast::Expr) -> Option<StmtKind> {
        let value = self.expr(e);
        let is_entry_statement =
            self.scope.kind == RoutineKind::Entry && self.scope.blocks.len() == 1;
        if !is_entry_statement
            && value.ty != Type::Unknown
            && !matches!(e.kind, ast::ExprKind::Call(..))
        {
            let returned = match &self.scope.returns {
                ReturnRule::Required(ty) | ReturnRule::Optional(ty) => *ty == value.ty,
                _ => false,
            };
            let error = self.error(errors::UNUSED_VALUE, e.span, "this value is never used");
            let is_equality = matches!(
                e.kind,
                ast::ExprKind::Comparison(CompareOp::Equal | CompareOp::NotEqual, ..)
            );
            if returned {
                error.add_note("to return it, write `return` before it");
            } else if is_equality {
                error.add_note("`==` compares; a single `=` assigns");
            }
        }
        Some(StmtKind::Expr(value))
    }
}
