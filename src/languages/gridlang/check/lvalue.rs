//! Names, elements and attributes: where a value lies, and whether it may be changed there.

use super::expression::error_expr;
use super::{Checker, GlobalOrigin};
use crate::diagnostic::{closest_match, did_you_mean};
use crate::languages::gridlang::ast::{self, Name};
use crate::languages::gridlang::error_code;
use crate::languages::gridlang::hir::{Axis, Expr, ExprKind, LValue, ListKind, RoutineKind, Type};
use crate::languages::gridlang::token::KEYWORDS;
use crate::source::Span;
use std::sync::Arc;

impl Checker<'_> {
    pub fn current_player(&mut self, span: Span) -> Expr {
        if matches!(self.scope.kind, RoutineKind::Globals | RoutineKind::Layout) {
            self.error(
                error_code::NO_CURRENT_PLAYER,
                span,
                "`p` is nobody here: it is the player whose turn is being played",
            )
            .notes
            .push("name the player instead".into());
            return error_expr(span);
        }
        Expr {
            kind: ExprKind::CurrentPlayer,
            ty: Type::Player,
            span,
        }
    }

    /// A variable, or one of the pieces of a handler.
    pub fn name_expr(&mut self, e: &ast::Expr) -> Expr {
        match self.variable(e) {
            Some((place, ty)) => Expr {
                kind: ExprKind::Read(place),
                ty,
                span: e.span,
            },
            None => error_expr(e.span),
        }
    }

    fn variable(&mut self, e: &ast::Expr) -> Option<(LValue, Type)> {
        let name: Arc<str> = match &e.kind {
            ast::ExprKind::Name(name) => name.clone(),
            ast::ExprKind::PlayerKeyword => "Player".into(),
            _ => "Item".into(),
        };
        if let Some(slot) = self.scope.lookup(&name) {
            return Some((LValue::Local(slot), self.scope.locals[slot].ty.clone()));
        }
        let framed = self.frame.filter(|_| self.scope.kind == RoutineKind::Entry);
        if let Some((_, ty, slot)) =
            framed.and_then(|f| f.locals.iter().rev().find(|(n, ..)| *n == name))
        {
            return Some((LValue::FrameLocal(*slot), ty.clone()));
        }
        if let Some(global) = self.env.globals.get(&name) {
            let ty = global.ty.clone();
            self.declared_yet(&name, e.span);
            return Some((LValue::Global(name), ty));
        }
        if self.env.items.contains_key(&name) {
            return self.lone_item(&name, e.span);
        }
        match e.kind {
            ast::ExprKind::Name(_) => self.undeclared(&name, e.span),
            _ => self.type_as_value(&name, e.span),
        }
        None
    }

    /// Globals and Layout are run from top to bottom: what is declared further down is not there yet.
    fn declared_yet(&mut self, name: &Arc<str>, span: Span) {
        if !matches!(
            self.scope.kind,
            RoutineKind::Globals | RoutineKind::Layout | RoutineKind::Entry
        ) {
            return;
        }
        if let Some(&there) = self.pending_globals.get(name)
            && self.scope.reported_names.insert(name.clone())
        {
            self.error(
                error_code::USED_BEFORE_DECLARATION,
                span,
                format!("`{name}` is used before its declaration"),
            )
            .related
            .push((there, "it is declared here".into()));
        }
    }

    /// A kind of item of which there are no instances is itself the one object of its kind.
    fn lone_item(&mut self, kind: &Arc<str>, span: Span) -> Option<(LValue, Type)> {
        if self.env.instantiated_kinds.contains(kind) {
            self.error(
                error_code::TYPE_AS_VALUE,
                span,
                format!("`{kind}` is a kind of item, of which there are instances"),
            )
            .notes
            .push("name the one that is meant".into());
            return None;
        }
        let ty = Type::Item(Some(kind.clone()));
        self.add_global(kind, ty.clone(), span, GlobalOrigin::SingletonItem);
        Some((LValue::Global(kind.clone()), ty))
    }

    fn type_as_value(&mut self, name: &str, span: Span) {
        let note = match name {
            "Player" => {
                "the player whose turn it is is `p`; `Player` names one only in a handler that mentions it"
            }
            _ => "`Item` names a piece only in a handler that mentions it",
        };
        self.error(
            error_code::TYPE_AS_VALUE,
            span,
            format!("`{name}` is a type and names nobody here"),
        )
        .notes
        .push(note.into());
    }

    fn undeclared(&mut self, name: &Arc<str>, span: Span) {
        if !self.scope.reported_names.insert(name.clone()) {
            return;
        }
        let mut known: Vec<Arc<str>> = self
            .scope
            .blocks
            .iter()
            .flatten()
            .map(|(n, _)| n.clone())
            .collect();
        known.extend(self.env.globals.keys().cloned());
        known.extend(
            self.frame
                .iter()
                .flat_map(|f| f.locals.iter().map(|(n, ..)| n.clone())),
        );
        let literals = ["true", "false"]
            .into_iter()
            .filter(|w| w.eq_ignore_ascii_case(name));
        let hint = match closest_match(name, literals) {
            Some(word) => format!("; did you mean `{word}`?"),
            None => did_you_mean(
                name,
                known
                    .iter()
                    .map(|k| &**k)
                    .chain(KEYWORDS.iter().copied().filter(|k| k.len() > 2)),
            ),
        };
        let note = match &**name {
            "playerList" | "itemList" => {
                Some(format!("the name of a list stands in quotes: \"{name}\""))
            }
            _ if hint.is_empty() => Some(format!("declare it first, as in `int {name}`")),
            _ => None,
        };
        self.error(
            error_code::UNDECLARED,
            span,
            format!("`{name}` is not declared{hint}"),
        )
        .notes
        .extend(note);
    }

    pub fn cell(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let parts = match parts {
            [whole] => vec![self.expect_type(
                whole,
                &Type::Coordinate,
                error_code::ARGUMENT_TYPE,
                "`Grid` needs a",
            )],
            [row, column] => vec![
                self.expect_type(
                    row,
                    &Type::Int,
                    error_code::ARGUMENT_TYPE,
                    "the row of a cell is",
                ),
                self.expect_type(
                    column,
                    &Type::Int,
                    error_code::ARGUMENT_TYPE,
                    "the column of a cell is",
                ),
            ],
            _ => {
                self.error(
                    error_code::ARGUMENT_COUNT,
                    span,
                    "a cell is `Grid(row, column)` or `Grid(coordinate)`",
                );
                return error_expr(span);
            }
        };
        Expr {
            kind: ExprKind::Cell(parts),
            ty: Type::Cell,
            span,
        }
    }

    pub fn index_expr(&mut self, of: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let array = self.expr(of);
        let Some((indices, ty)) = self.indices(&array, indices, span) else {
            return error_expr(span);
        };
        Expr {
            kind: ExprKind::Read(LValue::Element {
                array: Box::new(array),
                indices,
            }),
            ty,
            span,
        }
    }

    fn indices(
        &mut self,
        array: &Expr,
        indices: &[ast::Expr],
        span: Span,
    ) -> Option<(Vec<Expr>, Type)> {
        let dimensions = match &array.ty {
            Type::Array(_, dimensions) => *dimensions,
            _ => 1,
        };
        let typed: Vec<Expr> = indices
            .iter()
            .map(|i| self.expect_type(i, &Type::Int, error_code::TYPE_MISMATCH, "an index is"))
            .collect();
        if array.ty == Type::Unknown {
            return None;
        }
        let Some(element) = array.ty.element_type() else {
            self.error(
                error_code::NOT_INDEXABLE,
                span,
                format!("a value of type {} has no elements", array.ty),
            );
            return None;
        };
        if typed.len() != dimensions {
            let wanted = if dimensions == 2 {
                "two indices, as in `a[0,1]`"
            } else {
                "one index"
            };
            self.error(
                error_code::NOT_INDEXABLE,
                span,
                format!("an element of {} has {wanted}", array.ty),
            );
            return None;
        }
        Some((typed, element.clone()))
    }

    pub fn attribute_expr(&mut self, of: &ast::Expr, name: &Name, span: Span) -> Expr {
        let of = self.expr(of);
        let list = |kind, ty: Type| (kind, Type::List(Box::new(ty)));
        match (&of.ty, &*name.text) {
            (Type::Unknown, _) => error_expr(span),
            (Type::Coordinate, text) if part(text).is_some() => {
                let part = part(text).unwrap_or(Axis::Row);
                Expr {
                    kind: ExprKind::CoordinateAxis(Box::new(of), part),
                    ty: Type::Int,
                    span,
                }
            }
            (Type::Cell, "playerList" | "itemList") => {
                let (kind, ty) = match &*name.text {
                    "playerList" => list(ListKind::Players, Type::Player),
                    _ => list(ListKind::Items, Type::Item(None)),
                };
                Expr {
                    kind: ExprKind::CellList(Box::new(of), kind),
                    ty,
                    span,
                }
            }
            (ty, _) => match self
                .resolve_attribute(&ty.clone(), name)
                .filter(|_| of.ty.is_piece())
            {
                Some((attribute, ty)) => Expr {
                    kind: ExprKind::Read(LValue::Attribute {
                        of: Box::new(of),
                        attribute,
                    }),
                    ty,
                    span,
                },
                None => {
                    self.unknown_attribute(&of.ty, name);
                    error_expr(span)
                }
            },
        }
    }

    /// Something that is assigned to.
    pub fn assign_target(&mut self, e: &ast::Expr) -> Option<(LValue, Type)> {
        match &e.kind {
            ast::ExprKind::CurrentPlayer => self.not_assignable(
                e.span,
                "`p` cannot be set: it follows the order of turns",
                "assign to `playerOrder`",
            ),
            ast::ExprKind::PlayerKeyword | ast::ExprKind::ItemKeyword => self.not_assignable(
                e.span,
                "a piece of a handler cannot be set",
                "set its attributes instead",
            ),
            ast::ExprKind::Name(name) if self.env.items.contains_key(name) => self.not_assignable(
                e.span,
                "a kind of item cannot be set",
                "set its attributes instead",
            ),
            ast::ExprKind::Attribute(of, _) => self.attribute_target(e, of),
            ast::ExprKind::Name(_) | ast::ExprKind::PlayerOrder | ast::ExprKind::Index(..) => {
                let value = self.expr(e);
                match value.kind {
                    ExprKind::Read(LValue::Element { ref array, .. }) if is_read_only(array) => {
                        self.not_assignable(
                            e.span,
                            "this list cannot be changed",
                            "move the pieces themselves",
                        )
                    }
                    ExprKind::Read(place) => Some((place, value.ty)),
                    _ => None,
                }
            }
            _ => {
                self.expr(e);
                self.not_assignable(
                    e.span,
                    "this is no variable: nothing can be put into it",
                    "`==` compares",
                )
            }
        }
    }

    fn attribute_target(&mut self, e: &ast::Expr, of: &ast::Expr) -> Option<(LValue, Type)> {
        let value = self.expr(e);
        match value.kind {
            ExprKind::Read(place) => Some((place, value.ty)),
            ExprKind::CoordinateAxis(_, part) => {
                // The names in it were already looked at: a second look tells nothing new.
                let before = self.diagnostics.len();
                let inner = self.assign_target(of);
                self.diagnostics
                    .truncate(before + usize::from(inner.is_none()));
                inner.map(|(place, _)| {
                    (
                        LValue::Axis {
                            of: Box::new(place),
                            axis: part,
                        },
                        Type::Int,
                    )
                })
            }
            ExprKind::CellList(..) => self.not_assignable(
                e.span,
                "a cell's list cannot be set",
                "set the `position` of a piece instead",
            ),
            _ => None,
        }
    }

    fn not_assignable(&mut self, span: Span, message: &str, note: &str) -> Option<(LValue, Type)> {
        self.error(error_code::NOT_ASSIGNABLE, span, message)
            .notes
            .push(note.into());
        None
    }
}

/// Lists change when pieces move; of them only playerOrder is the programmer's own.
fn is_read_only(array: &Expr) -> bool {
    matches!(array.ty, Type::List(_)) && !matches!(array.kind, ExprKind::Read(LValue::PlayerOrder))
}

fn part(name: &str) -> Option<Axis> {
    match name {
        "x" | "row" => Some(Axis::Row),
        "y" | "col" => Some(Axis::Column),
        _ => None,
    }
}
