//! Type error messages: both types, and where each of them comes from.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::languages::bogl::ast::{Expr, ExprKind, Ident, Op};
use crate::languages::bogl::check::builtin::BUILTINS;
use crate::languages::bogl::check::infer::Checker;
use crate::languages::bogl::check::type_table::TypeTable;
use crate::languages::bogl::check::types::Type;
use crate::source::Span;

/// The error code for an undefined name.
pub const UNDEFINED_NAME_CODE: &str = "BG040";

/// A type and where it comes from, for error messages.
#[derive(Clone, Debug)]
pub struct InferredType {
    pub ty: Type,
    pub origin: TypeOrigin,
}

/// Where a type comes from: usually a name and the span that gives it its type.
#[derive(Clone, Debug)]
pub enum TypeOrigin {
    /// Evident from the expression itself.
    Expression,
    Parameter(Arc<str>, Span),
    Let(Arc<str>, Span),
    Signature(Arc<str>, Span),
    CallResult(Arc<str>, Span),
    Enumeration(Arc<str>, Span),
    BoardCell(Span),
}

impl TypeOrigin {
    /// The span and a label for it that explains why the type is `ty`.
    pub fn describe(&self, ty: &Type) -> Option<(Span, String)> {
        let ty = with_article(ty);
        Some(match self {
            TypeOrigin::Expression => return None,
            TypeOrigin::Parameter(name, span) => (
                *span,
                format!("`{name}` is {ty}, according to this signature"),
            ),
            TypeOrigin::Let(name, span) => {
                (*span, format!("`{name}` is {ty} because of this value"))
            }
            TypeOrigin::Signature(name, span) => {
                (*span, format!("`{name}` is {ty}, declared here"))
            }
            TypeOrigin::CallResult(name, span) => {
                (*span, format!("`{name}` returns {ty}, declared here"))
            }
            TypeOrigin::Enumeration(symbol, span) => (
                *span,
                format!("`{symbol}` is {ty} because it is first listed here"),
            ),
            TypeOrigin::BoardCell(span) => {
                (*span, format!("board cells are declared here as {ty}"))
            }
        })
    }
}

/// The type with its article: "an `Int`".
pub fn with_article(ty: &Type) -> String {
    let text = ty.to_string();
    let article = if text.starts_with(['A', 'E', 'I', 'O']) {
        "an"
    } else {
        "a"
    };
    format!("{article} `{text}`")
}

impl InferredType {
    pub fn new(ty: Type) -> InferredType {
        InferredType {
            ty,
            origin: TypeOrigin::Expression,
        }
    }

    /// Adds where this type comes from to a diagnostic.
    pub fn add_origin(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.related.extend(self.origin.describe(&self.ty));
        if let Some(note) = expansion_note(&self.ty) {
            diagnostic.add_note(note);
        }
        diagnostic
    }

    fn error_at(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        self.add_origin(
            Diagnostic::error(Phase::Type, code, span, message)
                .label(format!("this is {}", with_article(&self.ty))),
        )
    }

    /// The error if the operand before `operator` is not `what`.
    pub fn not_operand(
        &self,
        code: &'static str,
        span: Span,
        what: &str,
        operator: &str,
    ) -> Diagnostic {
        let found = with_article(&self.ty);
        let message = format!("expected {what} before `{operator}`, found {found}");
        self.error_at(code, span, message)
    }

    pub fn not_an_int(&self, op: Op, side: &str, operand: &Expr) -> Diagnostic {
        let is_chained = op.ordering().is_some()
            && matches!(operand.kind, ExprKind::Binary { op, .. } if op.ordering().is_some());
        let span = operand.span;
        let (operator, ty) = (op.as_str(), with_article(&self.ty));
        let diagnostic = self.error_at(
            "BG046",
            span,
            format!("`{operator}` needs an `Int` on its {side} side, found {ty}"),
        );
        match self.ty.base {
            crate::languages::bogl::check::types::BaseType::Int => {
                diagnostic.note(format!("{ty} may also be a symbol, which is not a number"))
            }
            crate::languages::bogl::check::types::BaseType::Bool if is_chained => {
                diagnostic.note("write `and(a < b, b < c)` to compare three values")
            }
            _ => diagnostic,
        }
    }
}

/// Explains what a named type contains.
fn expansion_note(ty: &Type) -> Option<String> {
    let expanded = ty.expanded();
    ty.name
        .as_ref()
        .filter(|name| ***name != *expanded)
        .map(|name| format!("`{name}` is {expanded}"))
}

/// An expected type and why it is expected.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub ty: Type,
    /// The start of the message, such as "argument of `f` must be"; the type follows.
    requirement: String,
    /// Notes on the enclosing tuples, innermost first.
    context: Vec<String>,
    /// Related locations, each with its label.
    reasons: Vec<(Span, String)>,
    /// Where the cell type is declared, for built-in functions that take a `Content`.
    cell_type_span: Option<Span>,
    code: &'static str,
}

impl Expectation {
    fn new(ty: Type, requirement: impl Into<String>) -> Expectation {
        Expectation {
            ty,
            requirement: requirement.into(),
            context: Vec::new(),
            reasons: Vec::new(),
            cell_type_span: None,
            code: "BG045",
        }
    }

    pub fn argument(function: &str, ty: &Type, declared_at: Option<Span>) -> Expectation {
        let label = format!("`{function}` takes {}, declared here", with_article(ty));
        let reasons = declared_at.map(|span| (span, label)).into_iter().collect();
        Expectation {
            reasons,
            ..Expectation::new(ty.clone(), format!("argument of `{function}` must be"))
        }
    }

    /// A built-in function has no declaration to point to; only the cell type has one.
    pub fn for_builtin(mut self, function: &str, result: &Type, types: &TypeTable) -> Expectation {
        self.cell_type_span = types.board().span;
        self.context.push(format!(
            "the signature of `{function}` is {} -> {result}",
            self.ty
        ));
        self
    }

    pub fn position() -> Expectation {
        let ty = Type::tuple(vec![Type::int(), Type::int()]);
        Expectation {
            code: "BG048",
            ..Expectation::new(ty, "position after `!` must be")
        }
    }

    pub fn condition(keyword: &str) -> Expectation {
        Expectation::new(Type::bool(), format!("condition of `{keyword}` must be"))
    }

    /// What the signature says of a value or of the result of a function: it "must be" or "must
    /// return" something of the type.
    pub fn declared(name: &str, must: &str, ty: &Type, declared_at: Span) -> Expectation {
        let requirement = format!("by its signature, `{name}` {must}");
        Expectation {
            reasons: vec![(declared_at, format!("`{name}` is declared here"))],
            ..Expectation::new(ty.clone(), requirement)
        }
    }

    pub fn cell(ty: &Type, declared_at: Option<Span>) -> Expectation {
        let label = "board cells are declared here".to_owned();
        Expectation {
            reasons: declared_at.map(|span| (span, label)).into_iter().collect(),
            ..Expectation::new(ty.clone(), "board cell must be")
        }
    }

    /// The loop body must produce the new values of the variables the loop updates.
    pub fn loop_body(names: &[Ident], types: &[InferredType]) -> Expectation {
        let list = names
            .iter()
            .map(|name| &*name.text)
            .collect::<Vec<_>>()
            .join(", ");
        match types {
            [only] => {
                let requirement =
                    format!("the loop body, which is the new value of `{list}`, must be");
                Expectation {
                    reasons: only.origin.describe(&only.ty).into_iter().collect(),
                    ..Expectation::new(only.ty.clone(), requirement)
                }
            }
            _ => {
                let ty = Type::tuple(types.iter().map(|typed| typed.ty.clone()).collect());
                let reason = types.first().and_then(|first| first.origin.describe(&ty));
                let reason = reason.map(|(span, _)| {
                    (
                        span,
                        format!(
                            "({list}) is {}, according to this signature",
                            with_article(&ty)
                        ),
                    )
                });
                let requirement =
                    format!("the loop body, which is the new value of ({list}), must be");
                Expectation {
                    reasons: reason.into_iter().collect(),
                    ..Expectation::new(ty, requirement)
                }
            }
        }
    }

    /// The expectation for one component of the expected tuple.
    pub fn component(&self, index: usize, ty: &Type) -> Expectation {
        let mut context = self.context.clone();
        let requirement = match self.requirement.strip_prefix("argument of ") {
            Some(rest) => format!("argument {} of {rest}", index + 1),
            None => {
                context.insert(
                    0,
                    format!("{} {}", self.requirement, with_article(&self.ty)),
                );
                format!("component {} of this tuple must be", index + 1)
            }
        };
        Expectation {
            ty: ty.clone(),
            requirement,
            context,
            reasons: self.reasons.clone(),
            cell_type_span: self.cell_type_span,
            code: self.code,
        }
    }

    pub fn mismatch(&self, span: Span, found: &InferredType) -> Diagnostic {
        let (expected_ty, found_ty) = (with_article(&self.ty), with_article(&found.ty));
        let message = format!("{} {expected_ty}, found {found_ty}", self.requirement);
        let mut diagnostic = Diagnostic::error(Phase::Type, self.code, span, message)
            .label(format!("this is {found_ty}"));
        diagnostic.related.extend(self.reasons.iter().cloned());
        let cell_type = self
            .cell_type_span
            .filter(|_| self.ty.name.as_deref() == Some("Content"));
        diagnostic.related.extend(cell_type.map(|span| {
            (
                span,
                "`Content` is the type of board cells, declared here".to_owned(),
            )
        }));
        diagnostic.notes.extend(self.context.iter().cloned());
        diagnostic.notes.extend(expansion_note(&self.ty));
        let diagnostic = found.add_origin(diagnostic);
        let base_matches = Type {
            symbols: Arc::default(),
            ..found.ty.clone()
        }
        .is_subtype_of(&self.ty);
        let extra_symbols: Vec<String> = found
            .ty
            .symbols
            .difference(&self.ty.symbols)
            .map(|symbol| format!("`{symbol}`"))
            .collect();
        let overlaps = found
            .ty
            .symbols
            .intersection(&self.ty.symbols)
            .next()
            .is_some()
            || !found.ty.is_enumeration();
        match base_matches && overlaps && !extra_symbols.is_empty() {
            true => diagnostic.note(format!(
                "{found_ty} may also be {}, which {expected_ty} cannot",
                extra_symbols.join(" or ")
            )),
            false => diagnostic,
        }
    }
}

pub fn loop_without_variables(span: Span) -> Diagnostic {
    Diagnostic::error(
        Phase::Type,
        "BG053",
        span,
        "this `while` has no variables to update",
    )
    .note("a loop updates the variable of the enclosing `let`, or the parameters of its function")
    .note("for example: `let x = 1 in while x < 10 do x + 1`")
}

impl Checker<'_> {
    pub fn incompatible_types(
        &self,
        at: Span,
        requirement: String,
        left: (Span, &InferredType),
        right: (Span, &InferredType),
    ) -> Diagnostic {
        let ((left_span, a), (right_span, b)) = (left, right);
        let message = format!(
            "{requirement}, found {} and {}",
            with_article(&a.ty),
            with_article(&b.ty)
        );
        let diagnostic = Diagnostic::error(Phase::Type, "BG047", at, message)
            .related(left_span, format!("this is {}", with_article(&a.ty)))
            .related(right_span, format!("this is {}", with_article(&b.ty)));
        let diagnostic = b.add_origin(a.add_origin(diagnostic));
        match a.ty.is_enumeration() || b.ty.is_enumeration() {
            true => {
                let (first, second) = if a.ty.is_enumeration() {
                    (&b.ty, &a.ty)
                } else {
                    (&a.ty, &b.ty)
                };
                diagnostic.note(format!(
                    "to allow both, define a type that contains them: `type T = {first} & {second}`"
                ))
            }
            false => diagnostic,
        }
    }

    pub fn unknown_symbol(&self, symbol: &Arc<str>, span: Span) -> Diagnostic {
        let types = &self.env.types;
        let hint = did_you_mean(symbol, types.symbols().chain(["True", "False"]));
        let message = format!("unknown symbol `{symbol}`{hint}");
        let diagnostic = Diagnostic::error(Phase::Type, "BG041", span, message);
        match types.resolve_name(symbol) {
            Some(_) => diagnostic.note(format!("`{symbol}` is a type, not a value")),
            None if hint.is_empty() => diagnostic.note(format!(
                "list the symbol in a type: `type T = {{{symbol}}}`"
            )),
            None => diagnostic,
        }
    }

    /// Warns about a wildcard's name on the right-hand side of a board equation: it is not the
    /// position there.
    pub fn misused_wildcard(&self, name: &Ident) -> Option<Diagnostic> {
        let wildcard = self
            .wildcards
            .iter()
            .find(|wildcard| wildcard.text == name.text)?;
        let message = format!(
            "`{}` refers to the global definition, not to the position in this equation",
            name.text
        );
        let diagnostic = Diagnostic::warning(Phase::Check, "BG057", name.span, message);
        Some(diagnostic.related(
            wildcard.span,
            "this matches every position and has no value",
        ))
    }

    /// The error for an undefined name. `what` is "name" or "function".
    pub fn undefined(&self, name: &Ident, what: &str) -> Diagnostic {
        if matches!(&*name.text, "width" | "height") {
            let message = format!("`{}` is only defined if there is a `type Board`", name.text);
            return Diagnostic::error(Phase::Type, UNDEFINED_NAME_CODE, name.span, message);
        }
        let known = self
            .visible_names()
            .chain(self.env.globals.keys().map(|key| &**key));
        let known: Vec<&str> = known
            .chain(BUILTINS.iter().map(|&(name, _)| name))
            .collect();
        let message = format!(
            "unknown {what} `{}`{}",
            name.text,
            did_you_mean(&name.text, known)
        );
        let mut diagnostic =
            Diagnostic::error(Phase::Type, UNDEFINED_NAME_CODE, name.span, message);
        let wildcard = self
            .wildcards
            .iter()
            .find(|wildcard| wildcard.text == name.text);
        diagnostic.related.extend(wildcard.map(|name| {
            (
                name.span,
                "this matches every position and has no value".to_owned(),
            )
        }));
        match &*name.text {
            "remove" => diagnostic.note("to clear a cell, `place` an empty value there"),
            "true" => diagnostic.note("write `True`"),
            "false" => diagnostic.note("write `False`"),
            _ => diagnostic,
        }
    }
}
