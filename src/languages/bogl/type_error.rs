//! Type errors in words a student understands: both types, and where each of them came from.

use std::sync::Arc;

use super::ast::{Expr, ExprKind, Ident, Op};
use super::builtin::BUILTINS;
use super::infer::Checker;
use super::type_table::TypeTable;
use super::types::Type;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::Span;

/// A type with where it came from.
#[derive(Clone, Debug)]
pub(super) struct InferredType {
    pub ty: Type,
    pub origin: TypeOrigin,
}

#[derive(Clone, Debug)]
pub(super) enum TypeOrigin {
    /// The expression itself shows it.
    Expression,
    Parameter(Arc<str>, Span),
    Let(Arc<str>, Span),
    Signature(Arc<str>, Span),
    CallResult(Arc<str>, Span),
    Enumeration(Arc<str>, Span),
    BoardCell(Span),
}

impl TypeOrigin {
    pub fn describe(&self, ty: &Type) -> Option<(Span, String)> {
        let ty = with_article(ty);
        Some(match self {
            TypeOrigin::Expression => return None,
            TypeOrigin::Parameter(name, span) => {
                (*span, format!("`{name}` is {ty} by this signature"))
            }
            TypeOrigin::Let(name, span) => (*span, format!("`{name}` is {ty}, because this is")),
            TypeOrigin::Signature(name, span) => {
                (*span, format!("`{name}` is {ty}, declared here"))
            }
            TypeOrigin::CallResult(name, span) => {
                (*span, format!("`{name}` gives {ty}, declared here"))
            }
            TypeOrigin::Enumeration(symbol, span) => (
                *span,
                format!("`{symbol}` is {ty}, because it is first listed here"),
            ),
            TypeOrigin::BoardCell(span) => (
                *span,
                format!("the cells of the board are {ty}, declared here"),
            ),
        })
    }
}

/// With its article: "an `Int`".
pub(super) fn with_article(ty: &Type) -> String {
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

    /// The diagnostic with where this type came from.
    pub fn add_origin(&self, mut told: Diagnostic) -> Diagnostic {
        told.related.extend(self.origin.describe(&self.ty));
        if let Some(note) = expansion_note(&self.ty) {
            told.notes.push(note);
        }
        told
    }

    fn error_at(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        self.add_origin(
            Diagnostic::error(Phase::Type, code, span, message)
                .label(format!("this is {}", with_article(&self.ty))),
        )
    }

    pub fn not_a_board(&self, span: Span) -> Diagnostic {
        self.error_at(
            "BG048",
            span,
            format!(
                "Only a board can be looked up with `!`, but this is {}",
                with_article(&self.ty)
            ),
        )
    }

    pub fn not_a_tuple(&self, span: Span) -> Diagnostic {
        self.error_at(
            "BG052",
            span,
            format!(
                "`#` takes a part of a tuple, but this is {}",
                with_article(&self.ty)
            ),
        )
    }

    pub fn not_an_int(&self, op: Op, side: &str, operand: &Expr) -> Diagnostic {
        let chained = op.is_ordering()
            && matches!(operand.kind, ExprKind::Binary { op, .. } if op.is_ordering());
        let span = operand.span;
        let (sign, ty) = (op.as_str(), with_article(&self.ty));
        let told = self.error_at(
            "BG046",
            span,
            format!("`{sign}` needs an `Int` on its {side} side, but this is {ty}"),
        );
        match self.ty.base {
            super::types::BaseType::Int => told.note(format!(
                "{ty} can also be a symbol, and symbols cannot be counted with"
            )),
            super::types::BaseType::Bool if chained => {
                told.note("write `and(a < b, b < c)` to compare three values")
            }
            _ => told,
        }
    }
}

/// What is in a type that has a name.
fn expansion_note(ty: &Type) -> Option<String> {
    let spelled = ty.expanded();
    ty.name
        .as_ref()
        .filter(|name| ***name != *spelled)
        .map(|name| format!("`{name}` is {spelled}"))
}

/// A type that is needed, why, and where that was said.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    pub ty: Type,
    /// Such as "The argument of `f` must be"; the type follows.
    because: String,
    /// Why the tuples around it are needed, innermost first.
    whole: Vec<String>,
    told: Vec<(Span, String)>,
    /// Where the cells are declared, if nothing else tells where a `Content` came from.
    cells: Option<Span>,
    code: &'static str,
}

impl Expectation {
    fn new(ty: Type, because: impl Into<String>) -> Expectation {
        Expectation {
            ty,
            because: because.into(),
            whole: Vec::new(),
            told: Vec::new(),
            cells: None,
            code: "BG045",
        }
    }

    pub fn argument(function: &str, ty: &Type, told: Option<Span>) -> Expectation {
        let words = format!("`{function}` takes {}, declared here", with_article(ty));
        let told = told.map(|span| (span, words)).into_iter().collect();
        Expectation {
            told,
            ..Expectation::new(ty.clone(), format!("The argument of `{function}` must be"))
        }
    }

    /// What a built-in function takes is declared nowhere; only what a cell holds is.
    pub fn for_builtin(mut self, function: &str, result: &Type, types: &TypeTable) -> Expectation {
        self.cells = types.board().span;
        self.whole
            .push(format!("`{function}` is built in: {} -> {result}", self.ty));
        self
    }

    pub fn position() -> Expectation {
        let ty = Type::tuple(vec![Type::int(), Type::int()]);
        Expectation {
            code: "BG048",
            ..Expectation::new(ty, "A position behind `!` must be")
        }
    }

    pub fn condition(word: &str) -> Expectation {
        Expectation::new(Type::bool(), format!("The condition of `{word}` must be"))
    }

    pub fn equation(name: &str, ty: &Type, told: Span) -> Expectation {
        let words = format!("`{name}` is declared here");
        Expectation {
            told: vec![(told, words)],
            ..Expectation::new(ty.clone(), format!("By its signature `{name}` must be"))
        }
    }

    pub fn result(name: &str, ty: &Type, told: Span) -> Expectation {
        let words = format!("`{name}` is declared here");
        Expectation {
            told: vec![(told, words)],
            ..Expectation::new(ty.clone(), format!("By its signature `{name}` must give"))
        }
    }

    pub fn cell(ty: &Type, told: Option<Span>) -> Expectation {
        let words = "the cells of the board are declared here".to_owned();
        Expectation {
            told: told.map(|span| (span, words)).into_iter().collect(),
            ..Expectation::new(ty.clone(), "A cell of the board must be")
        }
    }

    /// The new values of the variables that a loop changes.
    pub fn loop_body(names: &[Ident], types: &[InferredType]) -> Expectation {
        let list = names
            .iter()
            .map(|name| &*name.text)
            .collect::<Vec<_>>()
            .join(", ");
        match types {
            [only] => {
                let because =
                    format!("The body of this `while` gives `{list}` its new value, which must be");
                Expectation {
                    told: only.origin.describe(&only.ty).into_iter().collect(),
                    ..Expectation::new(only.ty.clone(), because)
                }
            }
            _ => {
                let ty = Type::tuple(types.iter().map(|typed| typed.ty.clone()).collect());
                let told = types.first().and_then(|first| first.origin.describe(&ty));
                let told = told.map(|(span, _)| {
                    (
                        span,
                        format!("({list}) is {} by this signature", with_article(&ty)),
                    )
                });
                let because = format!(
                    "The body of this `while` gives ({list}) their new values, which must be"
                );
                Expectation {
                    told: told.into_iter().collect(),
                    ..Expectation::new(ty, because)
                }
            }
        }
    }

    /// For one component of what is needed.
    pub fn component(&self, index: usize, ty: &Type) -> Expectation {
        let (told, mut whole) = (self.told.clone(), self.whole.clone());
        let because = match self.because.strip_prefix("The argument of ") {
            Some(rest) => format!("Argument {} of {rest}", index + 1),
            None => {
                whole.insert(0, format!("{} {}", self.because, with_article(&self.ty)));
                format!("Part {} of this tuple must be", index + 1)
            }
        };
        Expectation {
            ty: ty.clone(),
            because,
            whole,
            told,
            cells: self.cells,
            code: self.code,
        }
    }

    pub fn mismatch(&self, span: Span, found: &InferredType) -> Diagnostic {
        let (needed, given) = (with_article(&self.ty), with_article(&found.ty));
        let message = format!("{} {needed}, but this is {given}", self.because);
        let mut told = Diagnostic::error(Phase::Type, self.code, span, message)
            .label(format!("this is {given}"));
        told.related.extend(self.told.iter().cloned());
        let content = self
            .cells
            .filter(|_| self.ty.name.as_deref() == Some("Content"));
        told.related.extend(content.map(|span| {
            (
                span,
                "a `Content` is what a cell holds, declared here".to_owned(),
            )
        }));
        told.notes.extend(self.whole.iter().cloned());
        told.notes.extend(expansion_note(&self.ty));
        let told = found.add_origin(told);
        let bases_fit = Type {
            symbols: Arc::default(),
            ..found.ty.clone()
        }
        .is_subtype_of(&self.ty);
        let extra: Vec<String> = found
            .ty
            .symbols
            .difference(&self.ty.symbols)
            .map(|symbol| format!("`{symbol}`"))
            .collect();
        let alike = found
            .ty
            .symbols
            .intersection(&self.ty.symbols)
            .next()
            .is_some()
            || !found.ty.is_enumeration();
        match bases_fit && alike && !extra.is_empty() {
            true => told.note(format!(
                "{given} can also be {}, which {needed} cannot",
                extra.join(" or ")
            )),
            false => told,
        }
    }
}

pub(super) fn loop_without_variables(span: Span) -> Diagnostic {
    Diagnostic::error(
        Phase::Type,
        "BG053",
        span,
        "This `while` has no variables that it could change",
    )
    .note("a loop changes the variable of the `let` around it, or the parameters of its function")
    .note("write `let x = 1 in while x < 10 do x + 1`")
}

impl Checker<'_> {
    pub fn incompatible_types(
        &self,
        at: Span,
        what: String,
        left: (Span, &InferredType),
        right: (Span, &InferredType),
    ) -> Diagnostic {
        let ((left_span, a), (right_span, b)) = (left, right);
        let message = format!(
            "{what}, but here are {} and {}",
            with_article(&a.ty),
            with_article(&b.ty)
        );
        let told = Diagnostic::error(Phase::Type, "BG047", at, message)
            .related(left_span, format!("this is {}", with_article(&a.ty)))
            .related(right_span, format!("this is {}", with_article(&b.ty)));
        let told = b.add_origin(a.add_origin(told));
        match a.ty.is_enumeration() || b.ty.is_enumeration() {
            true => {
                let (first, second) = if a.ty.is_enumeration() {
                    (&b.ty, &a.ty)
                } else {
                    (&a.ty, &b.ty)
                };
                told.note(format!(
                    "if that is meant, declare a type that has both: `type T = {first} & {second}`"
                ))
            }
            false => told,
        }
    }

    pub fn unknown_symbol(&self, symbol: &Arc<str>, span: Span) -> Diagnostic {
        let types = &self.env.types;
        let message = format!(
            "No type lists the symbol `{symbol}`{}",
            did_you_mean(symbol, types.symbols().chain(["True", "False"]))
        );
        let told = Diagnostic::error(Phase::Type, "BG041", span, message);
        match types.resolve_name(symbol) {
            Some(_) => told.note(format!("`{symbol}` is a type, not a value")),
            None => told.note(format!(
                "symbols are listed in a type: `type T = {{{symbol}}}`"
            )),
        }
    }

    /// A position name on the right-hand side of a board equation is probably meant as the position, which it is not.
    pub fn misused_wildcard(&self, name: &Ident) -> Option<Diagnostic> {
        let wildcard = self
            .wildcards
            .iter()
            .find(|wildcard| wildcard.text == name.text)?;
        let message = format!(
            "`{}` is not the position here, but what is defined elsewhere with this name",
            name.text
        );
        let told = Diagnostic::warning(Phase::Check, "BG057", name.span, message);
        Some(told.related(
            wildcard.span,
            "this stands for all positions, and has no value",
        ))
    }

    pub fn undefined(&self, name: &Ident, what: &str) -> Diagnostic {
        if matches!(&*name.text, "width" | "height") {
            let message = format!("`{}` is there only when `type Board` is defined", name.text);
            return Diagnostic::error(Phase::Type, "BG040", name.span, message);
        }
        let known = self
            .visible_names()
            .chain(self.env.globals.keys().map(|key| &**key));
        let known: Vec<&str> = known
            .chain(BUILTINS.iter().map(|&(name, _)| name))
            .collect();
        let message = format!(
            "There is no {what} `{}`{}",
            name.text,
            did_you_mean(&name.text, known)
        );
        let mut told = Diagnostic::error(Phase::Type, "BG040", name.span, message);
        let wildcard = self
            .wildcards
            .iter()
            .find(|wildcard| wildcard.text == name.text);
        told.related.extend(wildcard.map(|name| {
            (
                name.span,
                "this stands for all positions, and has no value".to_owned(),
            )
        }));
        match &*name.text {
            "remove" => told.note("`place` an empty value to take one from a board"),
            "true" => told.note("write `True`"),
            "false" => told.note("write `False`"),
            _ => told,
        }
    }
}
