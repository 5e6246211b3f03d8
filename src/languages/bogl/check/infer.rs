//! Type inference for expressions. Also resolves names and determines which variables each loop
//! updates.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Reporter;
use crate::languages::bogl::ast::{Expr, ExprKind, Ident, Literal, Op};
use crate::languages::bogl::check::builtin::Builtin;
use crate::languages::bogl::check::env::Env;
use crate::languages::bogl::check::resolution::{NameRef, Resolution};
use crate::languages::bogl::check::type_error::{
    Expectation, InferredType, TypeOrigin, with_article,
};
use crate::languages::bogl::check::types::{SignatureType, Type};
use crate::source::Span;

/// Checks one expression, or the equations of one definition.
pub(super) struct Checker<'e> {
    pub env: &'e Env,
    pub resolution: Resolution,
    pub diagnostics: Vec<Diagnostic>,
    /// The type of each local by number; `None` after an error that has already been reported.
    locals: Vec<Option<InferredType>>,
    /// The locals in scope, innermost last.
    visible: Vec<u32>,
    /// The locals a `while` at this point updates.
    loop_variables: Option<Vec<u32>>,
    /// The wildcards of the current board equation. They have no value.
    pub wildcards: Vec<Ident>,
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
    pub fn with_frame_locals(mut self, frame: &[(Ident, Type)]) -> Checker<'e> {
        for (name, ty) in frame {
            self.bind(name, Some(InferredType::new(ty.clone())));
        }
        self
    }

    /// Returns the collected name resolution and diagnostics.
    pub fn finish(mut self) -> (Resolution, Vec<Diagnostic>) {
        self.resolution.local_types = self
            .locals
            .into_iter()
            .map(|typed| typed.map(|typed| typed.ty))
            .collect();
        (self.resolution, self.diagnostics)
    }

    /// Brings a function's parameters into scope. Its loops update them.
    pub fn bind_parameters(&mut self, parameters: &[Ident], types: &[Type], signature: Span) {
        for (name, ty) in parameters.iter().zip(types) {
            let origin = TypeOrigin::Parameter(name.text.clone(), signature);
            self.bind(
                name,
                Some(InferredType {
                    ty: ty.clone(),
                    origin,
                }),
            );
        }
        self.loop_variables = Some(self.visible.clone());
    }

    fn bind(&mut self, name: &Ident, typed: Option<InferredType>) -> u32 {
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
            ExprKind::Call {
                function,
                arguments,
            } => self.infer_call(function, arguments, expr.span),
            ExprKind::Binary {
                op: Op::Lookup,
                left,
                right,
                ..
            } => self.infer_lookup(left, right),
            ExprKind::Binary {
                op: op @ (Op::Equal | Op::NotEqual),
                at,
                left,
                right,
            } => {
                self.check_equality(*op, *at, left, right);
                Some(InferredType::new(Type::bool()))
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                self.check_ints(*op, left, right);
                let ty = if op.arithmetic().is_some() {
                    Type::int()
                } else {
                    Type::bool()
                };
                Some(InferredType::new(ty))
            }
            ExprKind::Project { tuple, indices } => {
                self.infer_projection(tuple, indices, expr.span)
            }
            ExprKind::Let { name, value, body } => {
                self.with_let(expr.span, name, value, |checker| checker.infer(body))
            }
            ExprKind::If { condition, yes, no } => self.infer_if(condition, yes, no),
            ExprKind::While { condition, body } => self.infer_while(condition, body, expr.span),
        }
    }

    /// Checks an expression against an expected type. A symbol is accepted for any type that lists
    /// it.
    pub fn check(&mut self, expr: &Expr, expected: &Expectation) -> bool {
        match &expr.kind {
            ExprKind::Symbol(symbol) if expected.ty.has_symbol(symbol) => true,
            ExprKind::Tuple(parts)
                if expected
                    .ty
                    .components()
                    .is_some_and(|components| components.len() == parts.len()) =>
            {
                let components = expected.ty.components().unwrap_or_default();
                let checked = parts
                    .iter()
                    .zip(components)
                    .enumerate()
                    .map(|(i, (part, ty))| self.check(part, &expected.component(i, ty)));
                // Checks every component, even after an error.
                checked.fold(true, |all_ok, ok| all_ok & ok)
            }
            ExprKind::If { condition, yes, no } => {
                let condition_ok = self.check_condition("if", condition);
                condition_ok & self.check(yes, expected) & self.check(no, expected)
            }
            ExprKind::Let { name, value, body } => {
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
            self.diagnostics.push(self.unknown_symbol(symbol, span));
            return None;
        };
        let origin = TypeOrigin::Enumeration(symbol.clone(), declared.definition.span);
        Some(InferredType {
            ty: declared.ty.clone(),
            origin,
        })
    }

    /// Resolves a name and records the result for lowering. Returns `None` if it is undefined.
    pub fn resolve(&mut self, name: &Ident) -> Option<ResolvedName> {
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
            self.diagnostics.extend(self.misused_wildcard(name));
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

    pub fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.visible
            .iter()
            .map(|&local| &*self.resolution.locals[local as usize].text)
    }

    fn infer_name(&mut self, name: &Ident) -> Option<InferredType> {
        let (signature_type, origin) = match self.resolve(name) {
            None => {
                self.diagnostics.push(self.undefined(name, "name"));
                return None;
            }
            Some(ResolvedName::Local(typed)) => return typed,
            Some(ResolvedName::Global(signature_type, span)) => (
                signature_type,
                TypeOrigin::Signature(name.text.clone(), span),
            ),
            Some(ResolvedName::Builtin(signature_type)) => {
                let input = self
                    .env
                    .types
                    .get("Input")
                    .filter(|_| &*name.text == "input");
                (
                    signature_type,
                    input.map_or(TypeOrigin::Expression, |declared| {
                        TypeOrigin::Signature(name.text.clone(), declared.definition.span)
                    }),
                )
            }
        };
        match signature_type {
            SignatureType::Value(ty) => Some(InferredType { ty, origin }),
            SignatureType::Function { argument, result } => {
                let message = format!(
                    "`{}` is a function; call it with arguments in parentheses",
                    name.text
                );
                let related = origin.describe(&argument);
                let diagnostic = self.error("BG042", name.span, message);
                diagnostic.add_note(format!(
                    "its signature is `{} : {argument} -> {result}`",
                    name.text
                ));
                diagnostic
                    .related
                    .extend(related.map(|(span, _)| (span, "declared here".to_owned())));
                None
            }
        }
    }

    fn infer_tuple(&mut self, parts: &[Expr], span: Span) -> Option<InferredType> {
        let types: Vec<Option<InferredType>> = parts.iter().map(|part| self.infer(part)).collect();
        let ty = Type::tuple(
            types
                .into_iter()
                .map(|typed| typed.map(|typed| typed.ty))
                .collect::<Option<_>>()?,
        );
        self.check_tuple_size(ty, span)
    }

    /// `board ! position`
    fn infer_lookup(&mut self, board: &Expr, position: &Expr) -> Option<InferredType> {
        if let Some(found) = self.infer(board).filter(|found| !found.ty.is_board()) {
            let error = found.not_operand("BG048", board.span, "a board", "!");
            self.diagnostics.push(error);
        }
        let board_type = self.env.types.board();
        self.check(position, &Expectation::position());
        self.check_on_board(position);
        let origin = board_type
            .span
            .map_or(TypeOrigin::Expression, TypeOrigin::BoardCell);
        Some(InferredType {
            ty: board_type.content,
            origin,
        })
    }

    /// Only literal positions can be checked statically. If just one coordinate is a literal and
    /// off the board, that is a warning.
    fn check_on_board(&mut self, position: &Expr) {
        let ExprKind::Tuple(parts) = &position.kind else {
            return;
        };
        let [x, y] = parts.as_slice() else { return };
        let board = self.env.types.board();
        let is_off = |part: &Expr, size: u32| matches!(part.kind, ExprKind::Int(at) if at < 1 || at > i64::from(size));
        if !is_off(x, board.width) && !is_off(y, board.height) {
            return;
        }
        let message = format!(
            "this position is off the board, which is {} x {}",
            board.width, board.height
        );
        let mut diagnostic = match (&x.kind, &y.kind) {
            (ExprKind::Int(_), ExprKind::Int(_)) => {
                Diagnostic::error(Phase::Type, "BG049", position.span, message)
            }
            _ => Diagnostic::warning(Phase::Type, "BG049", position.span, message),
        };
        diagnostic.related.extend(
            board
                .span
                .map(|span| (span, "the board is declared here".to_owned())),
        );
        self.diagnostics
            .push(diagnostic.note("positions are (column, row), starting at (1, 1)"));
    }

    fn check_equality(&mut self, op: Op, at: Span, left: &Expr, right: &Expr) {
        let (Some(a), Some(b)) = (self.infer(left), self.infer(right)) else {
            return;
        };
        if self.join_types(left, &a, right, &b).is_none() {
            let requirement = format!("`{}` needs two values of the same type", op.as_str());
            let diagnostic =
                self.incompatible_types(at, requirement, (left.span, &a), (right.span, &b));
            self.diagnostics.push(diagnostic);
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
        let sides = [
            ("left", left, self.infer(left)),
            ("right", right, self.infer(right)),
        ];
        for (side, expr, found) in sides {
            if let Some(found) = found.filter(|found| !found.ty.is_int()) {
                self.diagnostics.push(found.not_an_int(op, side, expr));
            }
        }
    }

    fn infer_projection(
        &mut self,
        tuple: &Expr,
        indices: &[Literal<i64>],
        span: Span,
    ) -> Option<InferredType> {
        let found = self.infer(tuple)?;
        let Some(parts) = found.ty.as_tuple() else {
            self.diagnostics
                .push(found.not_operand("BG052", tuple.span, "a tuple", "#"));
            return None;
        };
        let mut projected = Vec::new();
        for index in indices {
            match usize::try_from(index.value)
                .ok()
                .and_then(|number| parts.get(number.checked_sub(1)?))
            {
                Some(part) => projected.push(part.clone()),
                None => {
                    let message = format!(
                        "this tuple has no component {}; its components are #1 to #{}",
                        index.value,
                        parts.len()
                    );
                    let diagnostic = Diagnostic::error(Phase::Type, "BG052", index.span, message);
                    self.diagnostics.push(
                        found.add_origin(
                            diagnostic.related(
                                tuple.span,
                                format!("this is {}", with_article(&found.ty)),
                            ),
                        ),
                    );
                    return None;
                }
            }
        }
        let ty = match <[Type; 1]>::try_from(projected) {
            Ok([only]) => only,
            Err(several) => Type::tuple(several),
        };
        self.check_tuple_size(ty, span)
    }

    fn check_tuple_size(&mut self, ty: Type, span: Span) -> Option<InferredType> {
        if ty.is_too_large() {
            self.error("BG005", span, "this tuple has too many nested components");
            return None;
        }
        Some(InferredType::new(ty))
    }

    /// Checks `let name = value in body`. The value cannot refer to the name; loops in the body
    /// update it.
    fn with_let<T>(
        &mut self,
        let_span: Span,
        name: &Ident,
        value: &Expr,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let found = self.infer(value);
        let typed = found.map(|found| InferredType {
            origin: TypeOrigin::Let(name.text.clone(), value.span),
            ty: found.ty,
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
        match self.join_types(yes, &a, no, &b) {
            Some(ty) => Some(InferredType::new(ty)),
            None => {
                let requirement = "both branches of `if` must have the same type".to_owned();
                let diagnostic =
                    self.incompatible_types(no.span, requirement, (yes.span, &a), (no.span, &b));
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn infer_while(&mut self, condition: &Expr, body: &Expr, span: Span) -> Option<InferredType> {
        let Some(variables) = self.loop_variables.clone() else {
            self.diagnostics
                .push(crate::languages::bogl::check::type_error::loop_without_variables(span));
            return None;
        };
        self.resolution.loops.insert(span, variables.clone());
        self.check_condition("while", condition);
        let names: Vec<Ident> = variables
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
            (ExprKind::If { yes, no, .. }, ..) => {
                can_widen_to(yes, found, wider) && can_widen_to(no, found, wider)
            }
            (ExprKind::Let { body, .. }, ..) => can_widen_to(body, found, wider),
            _ => false,
        }
}
