//! The order of the variables of a program: each one is initialized with those before it, at a
//! restart as well as in a saved file.

use super::scope::{GlobalVariable, Scope};
use crate::ast::{
    Block, BraceContent, Def, Expr, ExprKind, Initializer, Item, ItemKind, LoopHead, Statement,
    StatementKind,
};
use crate::check::errors;
use crate::diagnostic::{Diagnostic, Phase};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Where an item that replaces another one goes.
enum Place {
    /// Where the old one is.
    Same,
    /// After the item with this index, which it uses.
    After(usize),
}

/// Whether a definition makes the new value of a variable from its old one, as in `def n {n + 1}`. No
/// file can contain that, so the earlier definition stays.
pub fn only_changes_value(scope: &Scope, item: &Item) -> bool {
    let ItemKind::Def(def) = &item.kind else {
        return false;
    };
    let old = scope.variables.get(&def.name.text);
    let is_same_type = |old: &GlobalVariable| old.ty == scope.type_of_definition(def);
    scope.is_variable(&def.name.text)
        && old.is_some_and(is_same_type)
        && NamesUsed::in_value(&def.value)
            .found
            .contains(&def.name.text)
}

/// Adds or replaces an item; returns the one it replaced. Fails if the initial value of a variable
/// cannot be what it is defined as, neither in the place of the old item nor after it.
pub fn define(scope: &mut Scope, item: Rc<Item>) -> Result<Option<Rc<Item>>, Vec<Diagnostic>> {
    let old = scope.index_of(&item.name());
    let place = old.map(|old| place_of(scope, old, &item)).transpose()?;
    let replaced = scope.define(item);
    if let (Some(old), Some(Place::After(last))) = (old, place) {
        scope.move_item(old, last);
    }
    Ok(replaced)
}

/// Where a variable that is defined again goes: to its old place if everything that it uses is
/// before that, otherwise after what it uses. An error if something before that place uses it.
fn place_of(scope: &Scope, old: usize, item: &Item) -> Result<Place, Vec<Diagnostic>> {
    let ItemKind::Def(def) = &item.kind else {
        return Ok(Place::Same);
    };
    let name = &def.name.text;
    let used = names_used(scope, def, None);
    let called = NamesUsed::in_value(&def.value).found;
    if used.contains(name) {
        let message = format!("the initial value of `{name}` cannot depend on `{name}`");
        let note = format!("to change the value of the variable, write `{name}{{…}}`");
        return Err(vec![error(def, message).note(note)]);
    }
    let is_used = |item: &Item| match &item.kind {
        ItemKind::Def(other) => used.contains(&other.name.text),
        ItemKind::Function(function) => called.contains(&function.name.text),
        _ => false,
    };
    let later = scope.items.iter().enumerate().skip(old + 1);
    let Some((last, needed)) = later.clone().rfind(|(_, item)| is_used(item)) else {
        return Ok(Place::Same);
    };
    let uses_it = |other: &Item| match &other.kind {
        ItemKind::Def(other) => names_used(scope, other, Some(item)).contains(name),
        _ => false,
    };
    match later.take(last - old).find(|(_, item)| uses_it(item)) {
        Some((_, user)) => {
            let (user, needed) = (user.name(), needed.name());
            let message = format!("`{name}` cannot use `{needed}`, which is defined after it");
            let note = match user == needed {
                true => format!("`{needed}` itself uses `{name}`"),
                false => format!("`{user}`, which is defined between them, uses `{name}`"),
            };
            Err(vec![error(def, message).note(note)])
        }
        None => Ok(Place::After(last)),
    }
}

fn error(def: &Def, message: String) -> Diagnostic {
    Diagnostic::error(Phase::Check, errors::UNKNOWN_NAME, def.name.span, message)
}

/// The names that the initial value of a variable uses, also in the functions that it calls.
/// `replaced` is an item that is about to replace one of the same name.
fn names_used(scope: &Scope, def: &Def, replaced: Option<&Item>) -> BTreeSet<Arc<str>> {
    let mut names = NamesUsed::in_value(&def.value);
    let mut done = BTreeSet::new();
    while let Some(name) = names
        .found
        .iter()
        .find(|name| !done.contains(*name))
        .cloned()
    {
        let is_replaced = replaced.is_some_and(|item| item.name() == *name);
        if let Some(function) = scope.function(&name).filter(|_| !is_replaced) {
            let mut inside = NamesUsed::default();
            inside.block(&function.body);
            let is_parameter =
                |name: &Arc<str>| function.parameters.iter().any(|p| p.text == *name);
            inside.found.retain(|name| !is_parameter(name));
            names.found.extend(inside.found);
        }
        done.insert(name);
    }
    names.found
}

/// The names in a part of a program.
#[derive(Default)]
pub struct NamesUsed {
    pub found: BTreeSet<Arc<str>>,
    /// Whether something is called.
    pub has_call: bool,
}

impl NamesUsed {
    /// The names in an initial value.
    pub fn in_value(value: &Initializer) -> NamesUsed {
        let mut names = NamesUsed::default();
        names.initializer(value);
        names
    }

    fn initializer(&mut self, value: &Initializer) {
        match value {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(exprs, _) => self.exprs(exprs),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Empty => {}
            ExprKind::Name(name) => drop(self.found.insert(name.clone())),
            ExprKind::Call(name, arguments) => {
                self.has_call = true;
                self.found.insert(name.text.clone());
                self.exprs(arguments);
            }
            ExprKind::Cell(a, b) | ExprKind::Index(a, b, _) | ExprKind::Binary(_, a, b, _) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Field(e, _) | ExprKind::Unary(_, e, _) | ExprKind::Paren(e) => self.expr(e),
        }
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Def(def) => self.initializer(&def.value),
            StatementKind::Braces(name, content) => {
                self.found.insert(name.text.clone());
                match content {
                    BraceContent::Arguments(exprs) | BraceContent::List(exprs, _) => {
                        self.exprs(exprs);
                    }
                    BraceContent::Block(block) => self.block(block),
                }
            }
            StatementKind::SetElement { list, index, value } => {
                self.expr(list);
                self.expr(index);
                self.initializer(value);
            }
            StatementKind::RemoveElement { list, index } => {
                self.expr(list);
                self.expr(index);
            }
            StatementKind::PieceAction {
                piece, arguments, ..
            } => {
                self.expr(piece);
                self.exprs(arguments);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::For(head, block) => {
                self.loop_head(head);
                self.block(block);
            }
            StatementKind::Return(value) => value.iter().for_each(|expr| self.expr(expr)),
            StatementKind::Expr(expr) => self.expr(expr),
        }
    }

    fn loop_head(&mut self, head: &LoopHead) {
        match head {
            LoopHead::Ranges(ranges) => ranges.iter().for_each(|range| {
                self.expr(&range.from);
                self.expr(&range.to);
            }),
            LoopHead::Row(_, e) | LoopHead::Column(_, e) => self.expr(e),
            LoopHead::Surrounding(_, a, b) | LoopHead::SurroundingCells(_, _, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            LoopHead::Cells(..) | LoopHead::Pieces(_) => {}
        }
    }
}
