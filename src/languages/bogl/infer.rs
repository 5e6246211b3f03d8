//! The types of expressions. Every name is resolved on the way, and every loop finds the variables it changes.

use std::sync::Arc;

use super::ast::{Expr, Kind as Node, Literal, Op, Word};
use super::builtin::Builtin;
use super::env::Env;
use super::notes::{Binder, Loop, Meaning, Notes};
use super::report::{Origin, Typed, Want, a_type};
use super::types::{Signed, Type};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Span;

/// Checks one expression, or the equations of one definition.
pub(super) struct Checker<'e> {
    pub env: &'e Env,
    pub notes: Notes,
    pub faults: Vec<Diagnostic>,
    /// By number; `None` where the type could not be found out, which has been told already.
    locals: Vec<Option<Typed>>,
    /// The numbers of those that can be seen here, innermost last.
    visible: Vec<u32>,
    context: Option<Loop>,
    /// The position names of the board equation at hand, which have no value.
    pub wildcards: Vec<Word>,
}

/// What a name can be resolved to.
pub(super) enum Found {
    Local(Option<Typed>),
    Global(Signed, Span),
    Builtin(Signed),
}

impl<'e> Checker<'e> {
    pub fn new(env: &'e Env) -> Checker<'e> {
        let (notes, faults, locals, visible) =
            (Notes::default(), Vec::new(), Vec::new(), Vec::new());
        Checker {
            env,
            notes,
            faults,
            locals,
            visible,
            context: None,
            wildcards: Vec::new(),
        }
    }

    /// Lets the text see the locals of a stopped frame.
    pub fn inside(mut self, frame: &[(Word, Type)]) -> Checker<'e> {
        for (name, own) in frame {
            self.bind(name, Some(Typed::here(own.clone())));
        }
        self.notes.outer = frame.len() as u32;
        self
    }

    /// What was found out, and what is wrong.
    pub fn done(mut self) -> (Notes, Vec<Diagnostic>) {
        self.notes.types = self
            .locals
            .into_iter()
            .map(|typed| typed.map(|typed| typed.own))
            .collect();
        (self.notes, self.faults)
    }

    /// Opens the scope of a function: its parameters are the context of its loops.
    pub fn parameters(&mut self, parameters: &[Word], types: &[Type], signature: Span) {
        for (name, own) in parameters.iter().zip(types) {
            let origin = Origin::Parameter(name.text.clone(), signature);
            self.bind(
                name,
                Some(Typed {
                    own: own.clone(),
                    origin,
                }),
            );
        }
        self.context = Some(Loop {
            rebinds: self.visible.clone(),
            bound_by: Binder::Parameters,
        });
    }

    fn bind(&mut self, name: &Word, typed: Option<Typed>) -> u32 {
        let local = self.locals.len() as u32;
        self.locals.push(typed);
        self.notes.locals.push(name.clone());
        self.visible.push(local);
        local
    }

    pub fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.faults
            .push(Diagnostic::error(Phase::Type, code, span, message));
        let last = self.faults.len() - 1;
        &mut self.faults[last]
    }

    /// The type of an expression. `None` when it has none: what is wrong has been told then.
    pub fn infer(&mut self, expr: &Expr) -> Option<Typed> {
        match &expr.kind {
            Node::Int(_) => Some(Typed::here(Type::int())),
            Node::Bool(_) => Some(Typed::here(Type::bool())),
            Node::Symbol(symbol) => self.symbol(symbol, expr.span),
            Node::Name(name) => self.name(name),
            Node::Tuple(parts) => self.tuple(parts, expr.span),
            Node::Call {
                function,
                arguments,
            } => self.call(function, arguments, expr.span),
            Node::Binary {
                op: Op::Look,
                left,
                right,
                ..
            } => self.look(left, right),
            Node::Binary {
                op: op @ (Op::Same | Op::Differs),
                at,
                left,
                right,
            } => {
                self.same(*op, *at, left, right);
                Some(Typed::here(Type::bool()))
            }
            Node::Binary {
                op, left, right, ..
            } => {
                self.numbers(*op, left, right);
                let own = if op.is_arithmetic() {
                    Type::int()
                } else {
                    Type::bool()
                };
                Some(Typed::here(own))
            }
            Node::Pick { tuple, picks } => self.pick(tuple, picks, expr.span),
            Node::Let { name, value, body } => {
                self.bound(expr.span, name, value, |checker| checker.infer(body))
            }
            Node::If { condition, yes, no } => self.branches(condition, yes, no),
            Node::While { condition, body } => self.repeat(condition, body, expr.span),
        }
    }

    /// Whether an expression is what is needed. Symbols count as any type that has them.
    pub fn check(&mut self, expr: &Expr, want: &Want) -> bool {
        match &expr.kind {
            Node::Symbol(symbol) if want.own.has(symbol) => true,
            Node::Tuple(parts)
                if want
                    .own
                    .components()
                    .is_some_and(|own| own.len() == parts.len()) =>
            {
                let components = want.own.components().unwrap_or_default();
                let checked = parts
                    .iter()
                    .zip(components)
                    .enumerate()
                    .map(|(i, (part, own))| self.check(part, &want.part(i, own)));
                checked.fold(true, |all, one| all & one)
            }
            Node::If { condition, yes, no } => {
                let asked = self.condition("if", condition);
                asked & self.check(yes, want) & self.check(no, want)
            }
            Node::Let { name, value, body } => {
                self.bound(expr.span, name, value, |checker| checker.check(body, want))
            }
            _ => match self.infer(expr) {
                Some(found) if found.own.fits(&want.own) => true,
                Some(found) => {
                    self.faults.push(want.missed(expr.span, &found));
                    false
                }
                None => false,
            },
        }
    }

    fn symbol(&mut self, symbol: &Arc<str>, span: Span) -> Option<Typed> {
        let Some(declared) = self.env.types.of_symbol(symbol) else {
            self.faults.push(self.unknown_symbol(symbol, span));
            return None;
        };
        let origin = Origin::Listed(symbol.clone(), declared.definition.span);
        Some(Typed {
            own: declared.stands_for.clone(),
            origin,
        })
    }

    /// What a name means here, noted for later.
    pub fn resolve(&mut self, name: &Word) -> Option<Found> {
        let seen = self
            .visible
            .iter()
            .rev()
            .find(|&&local| self.notes.locals[local as usize].text == name.text);
        let (meaning, found) = if let Some(&local) = seen {
            (
                Meaning::Local(local),
                Found::Local(self.locals[local as usize].clone()),
            )
        } else if let Some(global) = self.env.globals.get(&name.text) {
            self.notes.uses.insert(name.text.clone());
            self.faults.extend(self.mistaken(name));
            (
                Meaning::Global(global.kind()),
                Found::Global(global.signed.clone(), global.told()),
            )
        } else {
            let builtin = Builtin::find(&name.text)?;
            (
                Meaning::Builtin(builtin),
                Found::Builtin(builtin.signed(&self.env.types)?),
            )
        };
        self.notes.names.insert(name.span, meaning);
        Some(found)
    }

    pub fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.visible
            .iter()
            .map(|&local| &*self.notes.locals[local as usize].text)
    }

    fn name(&mut self, name: &Word) -> Option<Typed> {
        let (signed, origin) = match self.resolve(name) {
            None => {
                self.faults.push(self.undefined(name, "value"));
                return None;
            }
            Some(Found::Local(typed)) => return typed,
            Some(Found::Global(signed, span)) => {
                (signed, Origin::Signature(name.text.clone(), span))
            }
            Some(Found::Builtin(signed)) => {
                let input = self
                    .env
                    .types
                    .declared("Input")
                    .filter(|_| &*name.text == "input");
                (
                    signed,
                    input.map_or(Origin::Here, |declared| {
                        Origin::Signature(name.text.clone(), declared.definition.span)
                    }),
                )
            }
        };
        match signed {
            Signed::Value(own) => Some(Typed { own, origin }),
            Signed::Function { argument, result } => {
                let message = format!(
                    "`{}` is a function: it needs its arguments in parentheses",
                    name.text
                );
                let related = origin.words(&argument);
                let told = self.error("BG042", name.span, message);
                told.notes.push(format!(
                    "it is declared as `{} : {argument} -> {result}`",
                    name.text
                ));
                told.related.extend(
                    related.map(|(span, _)| (span, "the function is declared here".to_owned())),
                );
                None
            }
        }
    }

    fn tuple(&mut self, parts: &[Expr], span: Span) -> Option<Typed> {
        let all: Vec<Option<Typed>> = parts.iter().map(|part| self.infer(part)).collect();
        let own = Type::tuple(
            all.into_iter()
                .map(|part| part.map(|part| part.own))
                .collect::<Option<_>>()?,
        );
        self.sized(own, span)
    }

    /// `b ! p`
    fn look(&mut self, board: &Expr, position: &Expr) -> Option<Typed> {
        if let Some(found) = self.infer(board).filter(|found| !found.own.is_board()) {
            self.faults.push(found.no_board(board.span));
        }
        let kind = self.env.types.board();
        self.check(position, &Want::position());
        self.on_board(position);
        let origin = kind.span.map_or(Origin::Here, Origin::Cell);
        Some(Typed {
            own: kind.content,
            origin,
        })
    }

    /// Only a position written out is checked before running; one that is half written out is worth a warning.
    fn on_board(&mut self, position: &Expr) {
        let Node::Tuple(parts) = &position.kind else {
            return;
        };
        let [x, y] = parts.as_slice() else { return };
        let board = self.env.types.board();
        let off = |part: &Expr, size: u32| matches!(part.kind, Node::Int(at) if at < 1 || at > i64::from(size));
        if !off(x, board.width) && !off(y, board.height) {
            return;
        }
        let message = format!(
            "This position is not on the board, which is {} wide and {} high",
            board.width, board.height
        );
        let mut told = match (&x.kind, &y.kind) {
            (Node::Int(_), Node::Int(_)) => {
                Diagnostic::error(Phase::Type, "BG049", position.span, message)
            }
            _ => Diagnostic::warning(Phase::Type, "BG049", position.span, message),
        };
        told.related.extend(
            board
                .span
                .map(|span| (span, "the board is declared here".to_owned())),
        );
        self.faults
            .push(told.note("positions are (column, row), both from 1"));
    }

    fn same(&mut self, op: Op, at: Span, left: &Expr, right: &Expr) {
        let (Some(a), Some(b)) = (self.infer(left), self.infer(right)) else {
            return;
        };
        if self.joined(left, &a, right, &b).is_none() {
            let what = format!("`{}` compares values of one type", op.sign());
            let mut told = self.nothing_in_common(at, what, (left.span, &a), (right.span, &b));
            told.code = "BG047";
            self.faults.push(told);
        }
    }

    fn joined(&self, left: &Expr, a: &Typed, right: &Expr, b: &Typed) -> Option<Type> {
        let lenient = || match () {
            () if could_be(left, &a.own, &b.own) => Some(b.own.clone()),
            () if could_be(right, &b.own, &a.own) => Some(a.own.clone()),
            () => None,
        };
        self.env.types.joined(&a.own, &b.own).or_else(lenient)
    }

    /// Arithmetic and order: numbers only, and nothing that could also be a symbol.
    fn numbers(&mut self, op: Op, left: &Expr, right: &Expr) {
        let sides = [
            ("left", left, self.infer(left)),
            ("right", right, self.infer(right)),
        ];
        for (side, expr, found) in sides {
            if let Some(found) = found.filter(|found| !found.own.is_int()) {
                self.faults.push(found.no_number(op, side, expr));
            }
        }
    }

    fn pick(&mut self, tuple: &Expr, picks: &[Literal<i64>], span: Span) -> Option<Typed> {
        let found = self.infer(tuple)?;
        let Some(parts) = found.own.parts() else {
            self.faults.push(found.no_tuple(tuple.span));
            return None;
        };
        let mut chosen = Vec::new();
        for pick in picks {
            match usize::try_from(pick.value)
                .ok()
                .and_then(|at| parts.get(at.checked_sub(1)?))
            {
                Some(part) => chosen.push(part.clone()),
                None => {
                    let message = format!(
                        "This tuple has no part {}; its parts are #1 to #{}",
                        pick.value,
                        parts.len()
                    );
                    let told = Diagnostic::error(Phase::Type, "BG052", pick.span, message);
                    self.faults.push(found.traced(
                        told.related(tuple.span, format!("this is {}", a_type(&found.own))),
                    ));
                    return None;
                }
            }
        }
        let own = match <[Type; 1]>::try_from(chosen) {
            Ok([only]) => only,
            Err(several) => Type::tuple(several),
        };
        self.sized(own, span)
    }

    fn sized(&mut self, own: Type, span: Span) -> Option<Typed> {
        if own.is_too_large() {
            self.error("BG005", span, "This tuple has too many parts within parts");
            return None;
        }
        Some(Typed::here(own))
    }

    /// A let: its value still sees what is outside, loops in its body change its variable.
    fn bound<T>(
        &mut self,
        whole: Span,
        name: &Word,
        value: &Expr,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let found = self.infer(value);
        let typed = found.map(|found| Typed {
            origin: Origin::Bound(name.text.clone(), value.span),
            own: found.own,
        });
        let local = self.bind(name, typed);
        self.notes.lets.insert(whole, local);
        let outer = self.context.replace(Loop {
            rebinds: vec![local],
            bound_by: Binder::Let,
        });
        let result = body(self);
        self.context = outer;
        self.visible.pop();
        result
    }

    fn condition(&mut self, word: &str, condition: &Expr) -> bool {
        self.check(condition, &Want::condition(word))
    }

    fn branches(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Option<Typed> {
        self.condition("if", condition);
        let (a, b) = (self.infer(yes), self.infer(no));
        let (a, b) = (a?, b?);
        match self.joined(yes, &a, no, &b) {
            Some(own) => Some(Typed::here(own)),
            None => {
                let what = "Both branches of an `if` must have one type".to_owned();
                let told = self.nothing_in_common(no.span, what, (yes.span, &a), (no.span, &b));
                self.faults.push(told);
                None
            }
        }
    }

    fn repeat(&mut self, condition: &Expr, body: &Expr, span: Span) -> Option<Typed> {
        let Some(context) = self.context.clone() else {
            self.faults.push(super::report::no_context(span));
            return None;
        };
        self.notes.loops.insert(span, context.clone());
        self.condition("while", condition);
        let names: Vec<Word> = context
            .rebinds
            .iter()
            .map(|&local| self.notes.locals[local as usize].clone())
            .collect();
        let types: Option<Vec<Typed>> = context
            .rebinds
            .iter()
            .map(|&local| self.locals[local as usize].clone())
            .collect();
        let Some(types) = types else {
            self.infer(body);
            return None;
        };
        let want = Want::round(&names, &types);
        self.check(body, &want);
        Some(Typed {
            own: want.own,
            origin: Origin::Here,
        })
    }
}

/// Whether an expression written out with symbols can be taken for a type that has them, though another was found for it.
fn could_be(expr: &Expr, found: &Type, wider: &Type) -> bool {
    found.fits(wider)
        || match (&expr.kind, found.components(), wider.components()) {
            (Node::Symbol(symbol), ..) => wider.has(symbol),
            (Node::Tuple(parts), Some(found), Some(wider)) if found.len() == wider.len() => parts
                .iter()
                .zip(found.iter().zip(wider))
                .all(|(part, (found, wider))| could_be(part, found, wider)),
            (Node::If { yes, no, .. }, ..) => {
                could_be(yes, found, wider) && could_be(no, found, wider)
            }
            (Node::Let { body, .. }, ..) => could_be(body, found, wider),
            _ => false,
        }
}
