//! Type inference for expressions. Also resolves names and determines which variables each loop
//! updates.

use std::sync::Arc;

use crate::ast::{Expr, ExprKind, Name, Op};
use crate::check::builtin::Builtin;
use crate::check::env::Env;
use crate::check::resolution::{NameRef, Resolution};
use crate::check::type_error::{Expectation, InferredType, TypeOrigin, is_equality};
use crate::check::types::{SignatureType, Type};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Reporter;
use crate::source::Span;

/// Checks one expression, or the equations of one definition.
pub(super) struct Checker<'e> {
    pub env: &'e Env,
    pub resolution: Resolution,
    pub diagnostics: Vec<Diagnostic>,
    /// The type of each local by number; `None` after an error that has already been reported.
    locals: Vec<Option<InferredType>>,
    /// The locals in scope, innermost last.
    pub visible: Vec<u32>,
    /// The locals a `while` at this point updates.
    loop_variables: Option<Vec<u32>>,
    /// The wildcards of the current board equation. They have no value.
    pub wildcards: Vec<Name>,
}

/// What a name refers to, with its type.
pub(super) enum ResolvedName {
    Local(Option<InferredType>),
    Global(SignatureType, Span),
    Builtin(SignatureType),
}

impl Reporter for Checker<'_> {
    const PHASE: Phase = Phase::Type;

    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl<'e> Checker<'e> {
    pub fn new(env: &'e Env) -> Checker<'e> {
        Checker {
            env,
            resolution: Resolution::default(),
            diagnostics: Vec::new(),
            locals: Vec::new(),
            visible: Vec::new(),
            loop_variables: None,
            wildcards: Vec::new(),
        }
    }

    /// Brings the locals of a stopped frame into scope.
    pub fn with_frame_locals(mut self, frame: &[(Name, Type)]) -> Checker<'e> {
        for (name, ty) in frame {
            self.bind(name, Some(InferredType::new(ty.clone())));
        }
        self
    }

    /// Returns the collected name resolution and diagnostics.
    pub fn finish(mut self) -> (Resolution, Vec<Diagnostic>) {
        let types = self.locals.into_iter().map(|typed| Some(typed?.ty));
        self.resolution.local_types = types.collect();
        (self.resolution, self.diagnostics)
    }

    /// Brings a function's parameters into scope. Its loops update them.
    pub fn bind_parameters(&mut self, parameters: &[Name], types: &[Type], signature: Span) {
        for (name, ty) in parameters.iter().zip(types) {
            let origin = TypeOrigin::Parameter(name.text.clone());
            let typed = InferredType::declared(ty.clone(), origin, signature);
            self.bind(name, Some(typed));
        }
        self.loop_variables = Some(self.visible.clone());
    }

    fn bind(&mut self, name: &Name, typed: Option<InferredType>) -> u32 {
        let local = self.locals.len() as u32;
        self.locals.push(typed);
        self.resolution.locals.push(name.clone());
        self.visible.push(local);
        local
    }

    /// Infers the type of an expression. Returns `None` after reporting an error.
    pub fn infer(&mut self, expr: &Expr) -> Option<InferredType> {
        match &expr.kind {
            ExprKind::Int(_) => Some(InferredType::new(Type::int())),
            ExprKind::Bool(_) => Some(InferredType::new(Type::bool())),
            ExprKind::Symbol(symbol) => self.infer_symbol(symbol, expr.span),
            ExprKind::Name(name) => self.infer_name(name),
            ExprKind::Tuple(parts) => self.infer_tuple(parts, expr.span),
            ExprKind::Call(function, arguments) => self.infer_call(function, arguments, expr.span),
            ExprKind::Binary(op, left, right, at) => match op {
                Op::Lookup => self.infer_lookup(left, right),
                Op::Arithmetic(_) => {
                    self.check_ints(*op, left, right);
                    Some(InferredType::new(Type::int()))
                }
                Op::Compare(compare) => {
                    match compare.is_equality() {
                        true => self.check_equality(*op, *at, left, right),
                        false => self.check_ints(*op, left, right),
                    }
                    Some(InferredType::new(Type::bool()))
                }
            },
            ExprKind::Project(tuple, indices, _) => {
                self.infer_projection(tuple, indices, expr.span)
            }
            ExprKind::Let(name, value, body) => {
                self.with_let(expr.span, name, value, |checker| checker.infer(body))
            }
            ExprKind::If(condition, yes, no) => self.infer_if(condition, yes, no),
            ExprKind::While(condition, body) => self.infer_while(condition, body, expr.span),
        }
    }

    /// Checks an expression against an expected type. A symbol is accepted for any type that lists
    /// it.
    pub fn check(&mut self, expr: &Expr, expected: &Expectation) -> bool {
        match (&expr.kind, expected.ty.components()) {
            (ExprKind::Symbol(symbol), _) if expected.ty.has_symbol(symbol) => true,
            (ExprKind::Tuple(parts), Some(components)) if components.len() == parts.len() => {
                let parts = parts.iter().zip(components).enumerate();
                let checked =
                    parts.map(|(i, (part, ty))| self.check(part, &expected.component(i, ty)));
                // Checks every component, even after an error.
                checked.fold(true, |all_ok, ok| all_ok & ok)
            }
            (ExprKind::If(condition, yes, no), _) => {
                let condition_ok = self.check_condition("if", condition);
                condition_ok & self.check(yes, expected) & self.check(no, expected)
            }
            (ExprKind::Let(name, value, body), _) => {
                self.with_let(expr.span, name, value, |checker| {
                    checker.check(body, expected)
                })
            }
            _ => match self.infer(expr) {
                Some(found) if found.ty.is_subtype_of(&expected.ty) => true,
                Some(found) => {
                    self.diagnostics.push(expected.mismatch(expr.span, &found));
                    false
                }
                None => false,
            },
        }
    }

    fn infer_symbol(&mut self, symbol: &Arc<str>, span: Span) -> Option<InferredType> {
        let Some(declared) = self.env.types.declaring_symbol(symbol) else {
            self.unknown_symbol(symbol, span);
            return None;
        };
        let origin = TypeOrigin::Enumeration(symbol.clone());
        let (ty, span) = (declared.ty.clone(), declared.definition.span);
        Some(InferredType::declared(ty, origin, span))
    }

    /// Resolves a name and records the result for lowering. Returns `None` if it is undefined.
    pub fn resolve(&mut self, name: &Name) -> Option<ResolvedName> {
        let visible = self
            .visible
            .iter()
            .rev()
            .find(|&&local| self.resolution.locals[local as usize].text == name.text);
        let (name_ref, resolved) = if let Some(&local) = visible {
            (
                NameRef::Local(local),
                ResolvedName::Local(self.locals[local as usize].clone()),
            )
        } else if let Some(global) = self.env.globals.get(&name.text) {
            self.resolution.uses.insert(name.text.clone());
            self.check_wildcard(name);
            (
                NameRef::Global(global.kind()),
                ResolvedName::Global(global.signature_type.clone(), global.declaration_span()),
            )
        } else {
            let builtin = Builtin::find(&name.text)?;
            (
                NameRef::Builtin(builtin),
                ResolvedName::Builtin(builtin.signature_type(&self.env.types)?),
            )
        };
        self.resolution.names.insert(name.span, name_ref);
        Some(resolved)
    }

    fn infer_name(&mut self, name: &Name) -> Option<InferredType> {
        let (signature_type, declared_at) = match self.resolve(name) {
            None => {
                self.undefined(name, "name");
                return None;
            }
            Some(ResolvedName::Local(typed)) => return typed,
            Some(ResolvedName::Global(signature_type, span)) => (signature_type, Some(span)),
            Some(ResolvedName::Builtin(signature_type)) => {
                let input = self.env.types.get("Input");
                let input = input.filter(|_| &*name.text == "input");
                (
                    signature_type,
                    input.map(|declared| declared.definition.span),
                )
            }
        };
        let Name { text: name, span } = name;
        match signature_type {
            SignatureType::Value(ty) => {
                let origin = TypeOrigin::Signature(name.clone());
                Some(InferredType::declared(ty, origin, declared_at))
            }
            SignatureType::Function { argument, result } => {
                let message =
                    format!("`{name}` is a function; call it with arguments in parentheses");
                let note = format!("its signature is `{name} : {argument} -> {result}`");
                self.error("BG042", *span, message)
                    .add_note(note)
                    .add_related(declared_at, "declared here");
                None
            }
        }
    }

    fn check_equality(&mut self, op: Op, at: Span, left: &Expr, right: &Expr) {
        let (Some(a), Some(b)) = (self.infer(left), self.infer(right)) else {
            return;
        };
        if self.join_types(left, &a, right, &b).is_none() {
            let requirement = format!("`{}` needs two values of the same type", op.as_str());
            self.incompatible_types(at, &requirement, (left.span, &a), (right.span, &b));
        }
    }

    /// The common type of two expressions, if there is one.
    fn join_types(
        &self,
        left: &Expr,
        a: &InferredType,
        right: &Expr,
        b: &InferredType,
    ) -> Option<Type> {
        let widened = || {
            if can_widen_to(left, &a.ty, &b.ty) {
                Some(b.ty.clone())
            } else if can_widen_to(right, &b.ty, &a.ty) {
                Some(a.ty.clone())
            } else {
                None
            }
        };
        self.env.types.join(&a.ty, &b.ty).or_else(widened)
    }

    /// Arithmetic and ordering need plain `Int` operands, not `Int`s extended with symbols.
    fn check_ints(&mut self, op: Op, left: &Expr, right: &Expr) {
        for (side, expr) in [("left", left), ("right", right)] {
            let before = self.diagnostics.len();
            let found = self.infer(expr);
            if op.binds_looser_than_equality() && is_equality(expr) {
                // Errors in the comparison are most likely a consequence of its precedence.
                let mut index = 0..;
                self.diagnostics.retain(|d| {
                    index.next().is_some_and(|at: usize| at < before) || d.code != "BG047"
                });
            }
            if let Some(found) = found.filter(|found| !found.ty.is_int()) {
                self.report(found.not_an_int(op, side, expr));
            }
        }
    }

    /// Checks `let name = value in body`. The value cannot refer to the name; loops in the body
    /// update it.
    fn with_let<T>(
        &mut self,
        let_span: Span,
        name: &Name,
        value: &Expr,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let found = self.infer(value);
        let typed = found.map(|found| {
            let origin = TypeOrigin::Let(name.text.clone());
            InferredType::declared(found.ty, origin, value.span)
        });
        let local = self.bind(name, typed);
        self.resolution.lets.insert(let_span, local);
        let outer = self.loop_variables.replace(vec![local]);
        let result = body(self);
        self.loop_variables = outer;
        self.visible.pop();
        result
    }

    fn check_condition(&mut self, keyword: &str, condition: &Expr) -> bool {
        self.check(condition, &Expectation::condition(keyword))
    }

    fn infer_if(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Option<InferredType> {
        self.check_condition("if", condition);
        let (a, b) = (self.infer(yes), self.infer(no));
        let (a, b) = (a?, b?);
        let joined = self.join_types(yes, &a, no, &b);
        if joined.is_none() {
            let requirement = "both branches of `if` must have the same type";
            self.incompatible_types(no.span, requirement, (yes.span, &a), (no.span, &b));
        }
        joined.map(InferredType::new)
    }

    fn infer_while(&mut self, condition: &Expr, body: &Expr, span: Span) -> Option<InferredType> {
        let Some(variables) = self.loop_variables.clone() else {
            self.loop_without_variables(span);
            return None;
        };
        self.resolution.loops.insert(span, variables.clone());
        self.check_condition("while", condition);
        let names: Vec<Name> = variables
            .iter()
            .map(|&local| self.resolution.locals[local as usize].clone())
            .collect();
        let types: Option<Vec<InferredType>> = variables
            .iter()
            .map(|&local| self.locals[local as usize].clone())
            .collect();
        let Some(types) = types else {
            self.infer(body);
            return None;
        };
        let expected = Expectation::loop_body(&names, &types);
        self.check(body, &expected);
        Some(InferredType::new(expected.ty))
    }
}

/// True if an expression of type `found` can also have the type `wider`. Unlike other expressions,
/// symbol literals can have any type that lists them.
fn can_widen_to(expr: &Expr, found: &Type, wider: &Type) -> bool {
    found.is_subtype_of(wider)
        || match (&expr.kind, found.components(), wider.components()) {
            (ExprKind::Symbol(symbol), ..) => wider.has_symbol(symbol),
            (ExprKind::Tuple(parts), Some(found), Some(wider)) if found.len() == wider.len() => {
                parts
                    .iter()
                    .zip(found.iter().zip(wider))
                    .all(|(part, (found, wider))| can_widen_to(part, found, wider))
            }
            (ExprKind::If(_, yes, no), ..) => {
                can_widen_to(yes, found, wider) && can_widen_to(no, found, wider)
            }
            (ExprKind::Let(_, _, body), ..) => can_widen_to(body, found, wider),
            _ => false,
        }
}
