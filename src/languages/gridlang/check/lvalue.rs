//! Names, elements and attributes, and whether they can be assigned to.

use super::Checker;
use super::env::GlobalOrigin;
use super::piece::VALUES_AND_PIECES;
use crate::ast::{self, Name};
use crate::check::errors;
use crate::check::hir::{Expr, ExprKind, LValue, RoutineKind, Type};
use crate::code::Axis;
use crate::diagnostic::did_you_mean;
use crate::info::INFO;
use crate::language::{Namespace, Reporter};
use crate::lower::scope::RuleVariable;
use crate::source::Span;
use std::sync::Arc;

impl Checker<'_> {
    /// `p`, which is only available during a turn.
    pub fn current_player(&mut self, span: Span) -> Expr {
        if matches!(self.scope.kind, RoutineKind::Globals | RoutineKind::Layout) {
            let message = "`p` is only available during a turn: it is the current player";
            self.error(errors::NO_CURRENT_PLAYER, span, message)
                .add_note("use the player's name instead");
            return Expr::error(span);
        }
        Expr::new(ExprKind::CurrentPlayer, Type::Player, span)
    }

    /// A variable, or a piece of the surrounding handler.
    pub fn name_expr(&mut self, e: &ast::Expr) -> Expr {
        match self.variable(e) {
            Some((lvalue, ty)) => Expr::read(lvalue, ty, e.span),
            None => Expr::error(e.span),
        }
    }

    fn variable(&mut self, e: &ast::Expr) -> Option<(LValue, Type)> {
        let name: Arc<str> = match &e.kind {
            ast::ExprKind::Name(name) => {
                self.defs
                    .names
                    .refer_to_any(&VALUES_AND_PIECES, name, e.span);
                name.clone()
            }
            ast::ExprKind::PlayerKeyword => "Player".into(),
            _ => "Item".into(),
        };
        if let Some(slot) = self.scope.lookup(&name) {
            return Some((LValue::Local(slot), self.scope.locals[slot].ty.clone()));
        }
        if self.defs.is_rules()
            && let Some(variable) = RuleVariable::named(&name)
        {
            return Some((LValue::Rule(variable), variable.ty()));
        }
        let frame = self.frame.filter(|_| self.scope.kind == RoutineKind::Entry);
        if let Some((_, ty, slot)) =
            frame.and_then(|f| f.locals.iter().rev().find(|(n, ..)| *n == name))
        {
            return Some((LValue::FrameLocal(*slot), ty.clone()));
        }
        if let Some(global) = self.defs.env.globals.get(&name) {
            let ty = global.ty.clone();
            self.check_declared_before(&name, e.span);
            return Some((LValue::Global(name), ty));
        }
        if self.defs.env.items.contains_key(&name) {
            return self.singleton_item(&name, e.span);
        }
        match e.kind {
            ast::ExprKind::Name(_) => self.unknown_name(&name, e.span),
            _ => self.type_as_value(&name, e.span),
        }
        None
    }

    /// Reports a global that is used above its declaration: declarations and `Layout` run from top
    /// to bottom.
    fn check_declared_before(&mut self, name: &Arc<str>, span: Span) {
        if !matches!(
            self.scope.kind,
            RoutineKind::Globals | RoutineKind::Layout | RoutineKind::Entry
        ) {
            return;
        }
        if let Some(&declaration) = self.defs.pending_globals.get(name)
            && self.scope.reported_names.insert(name.clone())
        {
            let message = format!("`{name}` is used before its declaration");
            self.error(errors::USED_BEFORE_DECLARATION, span, message)
                .add_related(declaration, "declared here");
        }
    }

    /// The name of a kind without declared instances denotes the single item of that kind.
    fn singleton_item(&mut self, kind: &Arc<str>, span: Span) -> Option<(LValue, Type)> {
        if self.defs.env.instantiated_kinds.contains(kind) {
            let message = format!("`{kind}` is a kind of item, not a single item");
            self.error(errors::TYPE_AS_VALUE, span, message)
                .add_note("use the name of one of its instances");
            return None;
        }
        let ty = Type::Item(Some(kind.clone()));
        self.defs
            .add_global(kind, ty.clone(), span, GlobalOrigin::SingletonItem);
        Some((LValue::Global(kind.clone()), ty))
    }

    fn type_as_value(&mut self, name: &str, span: Span) {
        let note = match name {
            "Player" => {
                "the current player is `p`; `Player` is a piece only in a handler that mentions it"
            }
            _ => "`Item` is a piece only in a handler that mentions it",
        };
        let message = format!("expected a value, found the type `{name}`");
        self.error(errors::TYPE_AS_VALUE, span, message)
            .add_note(note);
    }

    fn unknown_name(&mut self, name: &Arc<str>, span: Span) {
        if !self.scope.reported_names.insert(name.clone()) {
            return;
        }
        let locals = self.scope.blocks.iter().flat_map(|block| block.keys());
        let frame = self.frame.iter().flat_map(|f| &f.locals);
        let known = locals.chain(self.defs.env.globals.keys());
        let known = known.chain(frame.map(|(name, ..)| name)).map(|k| &**k);
        let keywords = INFO.keywords.iter().copied().filter(|k| k.len() > 2);
        let mut hint = did_you_mean(name, known.chain(keywords));
        let mut literals = ["true", "false"].into_iter();
        if let Some(literal) = literals.find(|literal| literal.eq_ignore_ascii_case(name)) {
            hint = format!("; did you mean `{literal}`?");
        }
        let note = match &**name {
            "playerList" | "itemList" => {
                Some(format!("put the name of the list in quotes: \"{name}\""))
            }
            "break" => Some(
                "there is no `break`: let the condition of the loop end it, or `return` from a function"
                    .into(),
            ),
            "continue" => {
                Some("there is no `continue`: put the rest of the loop into an `if`".into())
            }
            "diceThrow" => Some("it is a function: write `diceThrow()`".into()),
            _ if self.defs.env.signatures.contains_key(name) => {
                Some(format!("it is a function: write `{name}(…)`"))
            }
            // A single letter is hardly text.
            _ if hint.is_empty() && name.len() > 1 => Some(format!(
                "declare it first, e.g. `int {name}`; put text in quotes: \"{name}\""
            )),
            _ if hint.is_empty() => Some(format!("declare it first, e.g. `int {name}`")),
            _ => None,
        };
        let message = format!("unknown name `{name}`{hint}");
        self.error(errors::UNDECLARED, span, message)
            .notes
            .extend(note);
    }

    /// `Grid(row, column)` or `Grid(coordinate)`.
    pub fn cell(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let parts = match parts {
            [coordinate] => {
                vec![self.expect_argument(coordinate, &Type::Coordinate, "`Grid` needs")]
            }
            [row, column] => {
                let subjects = ["the row of a cell must be", "the column of a cell must be"];
                let code = errors::ARGUMENT_TYPE;
                self.int_pair([row, column], code, subjects).into()
            }
            _ => {
                let message = "`Grid` takes a row and a column, or a coordinate";
                self.error(errors::ARGUMENT_COUNT, span, message);
                return Expr::error(span);
            }
        };
        Expr::new(ExprKind::Cell(parts), Type::Cell, span)
    }

    pub fn index_expr(&mut self, of: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let array = self.expr(of);
        let Some((indices, ty)) = self.indices(&array, indices, span) else {
            return Expr::error(span);
        };
        let array = Box::new(array);
        Expr::read(LValue::Element { array, indices }, ty, span)
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
            .map(|i| self.expect_type(i, &Type::Int, errors::TYPE_MISMATCH, "an index must be"))
            .collect();
        if array.ty == Type::Unknown {
            return None;
        }
        let Some(element) = array.ty.element_type() else {
            let message = format!("cannot index {}", array.ty.with_article());
            self.error(errors::NOT_INDEXABLE, span, message);
            return None;
        };
        if typed.len() != dimensions {
            let expected = if dimensions == 2 {
                "two indices, e.g. `a[0,1]`"
            } else {
                "one index"
            };
            let message = format!("{} needs {expected}", array.ty.with_article());
            self.error(errors::NOT_INDEXABLE, span, message);
            return None;
        }
        Some((typed, element.clone()))
    }

    pub fn attribute_expr(&mut self, of: &ast::Expr, name: &Name, span: Span) -> Expr {
        self.defs
            .names
            .refer(Namespace::Fields, &name.text, name.span);
        let of = self.expr(of);
        let (kind, ty) = match (&of.ty, &*name.text) {
            (Type::Unknown, _) => return Expr::error(span),
            (Type::Coordinate, "x" | "row") => {
                (ExprKind::CoordinateAxis(Box::new(of), Axis::Row), Type::Int)
            }
            (Type::Coordinate, "y" | "col") => {
                let axis = Axis::Column;
                (ExprKind::CoordinateAxis(Box::new(of), axis), Type::Int)
            }
            (Type::Cell, "playerList" | "itemList") => {
                let (cell, has_players) = (Box::new(of), &*name.text == "playerList");
                let element = match has_players {
                    true => Type::Player,
                    false => Type::Item(None),
                };
                let kind = ExprKind::CellList { cell, has_players };
                (kind, element.into_list())
            }
            (ty, _) => {
                let ty = ty.clone();
                let attribute = self.defs.resolve_attribute(&ty, name);
                let Some((attribute, ty)) = attribute.filter(|_| ty.is_piece()) else {
                    self.defs.unknown_attribute(&ty, name);
                    return Expr::error(span);
                };
                let of = Box::new(of);
                (ExprKind::Read(LValue::Attribute { of, attribute }), ty)
            }
        };
        Expr::new(kind, ty, span)
    }

    /// Checks the target of an assignment.
    pub fn assign_target(&mut self, e: &ast::Expr) -> Option<(LValue, Type)> {
        let (message, note) = match &e.kind {
            ast::ExprKind::CurrentPlayer if self.defs.is_rules() => {
                return Some((LValue::Rule(RuleVariable::P), Type::Player));
            }
            ast::ExprKind::CurrentPlayer => (
                "cannot assign to `p`: it follows the turn order",
                "assign to `playerOrder` instead",
            ),
            ast::ExprKind::PlayerKeyword | ast::ExprKind::ItemKeyword => (
                "cannot assign to the piece of a handler",
                "set its attributes instead",
            ),
            ast::ExprKind::Name(name) if self.defs.env.items.contains_key(name) => (
                "cannot assign to a kind of item",
                "set its attributes instead",
            ),
            kind => {
                let value = self.expr(e);
                match (kind, value.kind) {
                    (_, ExprKind::Read(LValue::Element { array, .. })) if is_read_only(&array) => (
                        "cannot assign to this list: it is read-only",
                        "move the pieces instead",
                    ),
                    (_, ExprKind::Read(lvalue)) => return Some((lvalue, value.ty)),
                    (_, ExprKind::CellList { .. }) => (
                        "cannot assign to the list of a cell: it is read-only",
                        "set the `position` of a piece instead",
                    ),
                    (ast::ExprKind::Attribute(of, _), ExprKind::CoordinateAxis(_, axis)) => {
                        return self.axis_target(of, axis);
                    }
                    (ast::ExprKind::Cell(_), _) => (
                        "cannot assign to a cell of the grid",
                        "to put a piece there, set its position: `ann.position = (0, 0)`",
                    ),
                    (_, ExprKind::Error) => return None,
                    _ => ("cannot assign to this expression", "use `==` to compare"),
                }
            }
        };
        self.error(errors::NOT_ASSIGNABLE, e.span, message)
            .add_note(note);
        None
    }

    /// The row or column of a coordinate, as the target of an assignment.
    fn axis_target(&mut self, of: &ast::Expr, axis: Axis) -> Option<(LValue, Type)> {
        // The coordinate was already checked, and unknown names reported; drop the duplicates.
        let before = self.defs.diagnostics.len();
        let target = self.assign_target(of);
        self.defs
            .diagnostics
            .truncate(before + usize::from(target.is_none()));
        let of = Box::new(target?.0);
        Some((LValue::Axis { of, axis }, Type::Int))
    }
}

/// All lists except `playerOrder` are read-only; they change when pieces move.
fn is_read_only(array: &Expr) -> bool {
    matches!(array.ty, Type::List(_)) && !matches!(array.kind, ExprKind::Read(LValue::PlayerOrder))
}
