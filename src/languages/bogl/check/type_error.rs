//! Type error messages: both types, and where each of them comes from.

use std::sync::Arc;

use crate::ast::{Expr, ExprKind, Name, Op};
use crate::check::builtin::BUILTINS;
use crate::check::infer::Checker;
use crate::check::type_table::TypeTable;
use crate::check::types::{BaseType, Type};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::language::Reporter;
use crate::source::Span;

/// The error code for an undefined name.
pub const UNDEFINED_NAME_CODE: &str = "BG040";

/// The label of a wildcard whose name is used as if it were a value.
const WILDCARD_LABEL: &str = "this matches every position and has no value";

/// A type and where it comes from, for error messages.
#[derive(Clone, Debug)]
pub struct InferredType {
    pub ty: Type,
    /// Why it has this type, and the span that says so; `None` if the expression itself does.
    origin: Option<(TypeOrigin, Span)>,
}

/// Why something has its type: usually what a name is.
#[derive(Clone, Debug)]
pub enum TypeOrigin {
    Parameter(Arc<str>),
    Let(Arc<str>),
    Signature(Arc<str>),
    CallResult(Arc<str>),
    Enumeration(Arc<str>),
    BoardCell,
}

impl TypeOrigin {
    /// Explains why the type is `ty`.
    fn label(&self, ty: &Type) -> String {
        let ty = with_article(ty);
        match self {
            TypeOrigin::Parameter(name) => format!("`{name}` is {ty}, according to this signature"),
            TypeOrigin::Let(name) => format!("`{name}` is {ty} because of this value"),
            TypeOrigin::Signature(name) => format!("`{name}` is {ty}, declared here"),
            TypeOrigin::CallResult(name) => format!("`{name}` returns {ty}, declared here"),
            TypeOrigin::Enumeration(symbol) => {
                format!("`{symbol}` is {ty} because it is first listed here")
            }
            TypeOrigin::BoardCell => format!("board cells are declared here as {ty}"),
        }
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
    /// A type that is evident from the expression itself.
    pub fn new(ty: Type) -> InferredType {
        InferredType { ty, origin: None }
    }

    /// A type that something at `span` declares, if there is such a declaration.
    pub fn declared(ty: Type, origin: TypeOrigin, span: impl Into<Option<Span>>) -> InferredType {
        let origin = span.into().map(|span| (origin, span));
        InferredType { ty, origin }
    }

    fn origin_label(&self) -> Option<(Span, String)> {
        let (origin, span) = self.origin.as_ref()?;
        Some((*span, origin.label(&self.ty)))
    }

    /// Adds where this type comes from to a diagnostic.
    pub fn add_origin(&self, diagnostic: &mut Diagnostic) {
        diagnostic.related.extend(self.origin_label());
        diagnostic.notes.extend(expansion_note(&self.ty));
    }

    fn error_at(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        let label = format!("this is {}", with_article(&self.ty));
        let mut diagnostic = Diagnostic::error(Phase::Type, code, span, message).label(label);
        self.add_origin(&mut diagnostic);
        diagnostic
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
        let is_chained = op.is_ordering()
            && matches!(operand.kind, ExprKind::Binary(op, ..) if op.is_ordering());
        let (operator, ty) = (op.as_str(), with_article(&self.ty));
        let message = format!("`{operator}` needs an `Int` on its {side} side, found {ty}");
        let diagnostic = self.error_at("BG046", operand.span, message);
        match self.ty.base {
            BaseType::Int => {
                diagnostic.note(format!("{ty} may also be a symbol, which is not a number"))
            }
            BaseType::Bool if op.binds_looser_than_equality() && is_equality(operand) => diagnostic.note(format!(
                "`==` and `/=` are evaluated before `{operator}`: put the comparison with `{operator}` in parentheses"
            )),
            BaseType::Bool if is_chained => {
                diagnostic.note("write `and(a < b, b < c)` to compare three values")
            }
            _ => diagnostic,
        }
    }
}

/// Explains what a named type contains.
fn expansion_note(ty: &Type) -> Option<String> {
    let (name, expanded) = ty.expansion()?;
    Some(format!("`{name}` is {expanded}"))
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

    /// The same, with a location that says why, if there is one.
    fn because(mut self, span: impl Into<Option<Span>>, label: impl Into<String>) -> Expectation {
        let reason = span.into().map(|span| (span, label.into()));
        self.reasons.extend(reason);
        self
    }

    pub fn argument(function: &str, ty: &Type, declared_at: Option<Span>) -> Expectation {
        let label = format!("`{function}` takes {}, declared here", with_article(ty));
        let requirement = format!("argument of `{function}` must be");
        Expectation::new(ty.clone(), requirement).because(declared_at, label)
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
        let label = format!("`{name}` is declared here");
        Expectation::new(ty.clone(), requirement).because(declared_at, label)
    }

    pub fn cell(ty: &Type, declared_at: Option<Span>) -> Expectation {
        let label = "board cells are declared here";
        Expectation::new(ty.clone(), "board cell must be").because(declared_at, label)
    }

    /// The loop body must produce the new values of the variables the loop updates.
    pub fn loop_body(names: &[Name], types: &[InferredType]) -> Expectation {
        let list: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        let list = list.join(", ");
        let (ty, variables, reason) = match types {
            [only] => (only.ty.clone(), format!("`{list}`"), only.origin_label()),
            _ => {
                let ty = Type::tuple(types.iter().map(|typed| typed.ty.clone()).collect());
                let label = format!(
                    "({list}) is {}, according to this signature",
                    with_article(&ty)
                );
                let origin = types.first().and_then(InferredType::origin_label);
                let reason = origin.map(|(span, _)| (span, label));
                (ty, format!("({list})"), reason)
            }
        };
        let requirement = format!("the loop body, which is the new value of {variables}, must be");
        Expectation {
            reasons: reason.into_iter().collect(),
            ..Expectation::new(ty, requirement)
        }
    }

    /// The expectation for one component of the expected tuple.
    pub fn component(&self, index: usize, ty: &Type) -> Expectation {
        let mut context = self.context.clone();
        let requirement = match self.requirement.strip_prefix("argument of ") {
            Some(rest) => format!("argument {} of {rest}", index + 1),
            None => {
                let whole = format!("{} {}", self.requirement, with_article(&self.ty));
                context.insert(0, whole);
                format!("component {} of this tuple must be", index + 1)
            }
        };
        Expectation {
            ty: ty.clone(),
            requirement,
            context,
            ..self.clone()
        }
    }

    pub fn mismatch(&self, span: Span, found: &InferredType) -> Diagnostic {
        let (expected_ty, found_ty) = (with_article(&self.ty), with_article(&found.ty));
        let message = format!("{} {expected_ty}, found {found_ty}", self.requirement);
        let mut diagnostic = Diagnostic::error(Phase::Type, self.code, span, message)
            .label(format!("this is {found_ty}"));
        diagnostic.related.extend(self.reasons.iter().cloned());
        if self.ty.name.as_deref() == Some("Content") {
            let label = "`Content` is the type of board cells, declared here";
            diagnostic.add_related(self.cell_type_span, label);
        }
        diagnostic.notes.extend(self.context.iter().cloned());
        diagnostic.notes.extend(expansion_note(&self.ty));
        found.add_origin(&mut diagnostic);
        let base = Type::from_base(found.ty.base.clone());
        let (symbols, allowed) = (&found.ty.symbols, &self.ty.symbols);
        let extra = symbols.difference(allowed);
        let extra: Vec<String> = extra.map(|symbol| format!("`{symbol}`")).collect();
        let overlaps = !found.ty.is_enumeration() || !symbols.is_disjoint(allowed);
        if base.is_subtype_of(&self.ty) && overlaps && !extra.is_empty() {
            let extra = extra.join(" or ");
            diagnostic.add_note(format!(
                "{found_ty} may also be {extra}, which {expected_ty} cannot"
            ));
        }
        diagnostic
    }
}

impl Checker<'_> {
    pub fn loop_without_variables(&mut self, span: Span) {
        let message = "this `while` has no variables to update";
        self.error("BG053", span, message)
            .add_note("a loop updates the variable of the enclosing `let`, or the parameters of its function")
            .add_note("for example: `let x = 1 in while x < 10 do x + 1`");
    }

    pub fn incompatible_types(
        &mut self,
        at: Span,
        requirement: &str,
        (left, a): (Span, &InferredType),
        (right, b): (Span, &InferredType),
    ) {
        let (a_text, b_text) = (with_article(&a.ty), with_article(&b.ty));
        let message = format!("{requirement}, found {a_text} and {b_text}");
        let diagnostic = self.error("BG047", at, message);
        diagnostic
            .add_related(left, format!("this is {a_text}"))
            .add_related(right, format!("this is {b_text}"));
        a.add_origin(diagnostic);
        b.add_origin(diagnostic);
        let (first, second) = match a.ty.is_enumeration() {
            true => (&b.ty, &a.ty),
            false => (&a.ty, &b.ty),
        };
        if second.is_enumeration() {
            diagnostic.add_note(format!(
                "to allow both, define a type that contains them: `type T = {first} & {second}`"
            ));
        }
    }

    pub fn unknown_symbol(&mut self, symbol: &Arc<str>, span: Span) {
        let types = &self.env.types;
        let hint = did_you_mean(symbol, types.symbols().chain(["True", "False"]));
        let message = format!("unknown symbol `{symbol}`{hint}");
        let note = match types.resolve_name(symbol) {
            Some(_) => Some(format!("`{symbol}` is a type, not a value")),
            None if hint.is_empty() => Some(format!(
                "list the symbol in a type: `type T = {{{symbol}}}`"
            )),
            None => None,
        };
        self.error("BG041", span, message).notes.extend(note);
    }

    /// The span of the wildcard of this name in the board equation.
    fn wildcard(&self, name: &Name) -> Option<Span> {
        let mut wildcards = self.wildcards.iter();
        let wildcard = wildcards.find(|wildcard| wildcard.text == name.text);
        wildcard.map(|wildcard| wildcard.span)
    }

    /// Warns about a wildcard's name on the right-hand side of a board equation: it is not the
    /// position there.
    pub fn check_wildcard(&mut self, name: &Name) {
        if let Some(wildcard) = self.wildcard(name) {
            let message = format!(
                "`{}` refers to the global definition, not to the position in this equation",
                name.text
            );
            let warning = Diagnostic::warning(Phase::Check, "BG057", name.span, message);
            self.report(warning.related(wildcard, WILDCARD_LABEL));
        }
    }

    /// Reports an undefined name. `what` is "name" or "function".
    pub fn undefined(&mut self, name: &Name, what: &str) {
        let Name { text, span } = name;
        if matches!(&**text, "width" | "height") {
            let message = format!("`{text}` is only defined if there is a `type Board`");
            self.error(UNDEFINED_NAME_CODE, *span, message);
            return;
        }
        let globals = self.env.globals.keys().map(|key| &**key);
        let known = self.visible_names().chain(globals);
        let known: Vec<&str> = known.chain(BUILTINS.iter().map(|row| row.0)).collect();
        let mut symbols = self.env.types.symbols();
        let symbol = symbols.find(|symbol| symbol.eq_ignore_ascii_case(text));
        let hint = match symbol {
            Some(symbol) => format!("; did you mean the symbol `{symbol}`?"),
            None => did_you_mean(text, known),
        };
        let message = format!("unknown {what} `{text}`{hint}");
        let note = match &**text {
            "remove" => Some("to clear a cell, `place` an empty value there"),
            "true" => Some("write `True`"),
            "false" => Some("write `False`"),
            _ => None,
        };
        let wildcard = self.wildcard(name);
        self.error(UNDEFINED_NAME_CODE, *span, message)
            .add_related(wildcard, WILDCARD_LABEL)
            .notes
            .extend(note.map(str::to_owned));
    }

    fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.visible
            .iter()
            .map(|&local| &*self.resolution.locals[local as usize].text)
    }
}

/// True for `a == b` and `a /= b`.
pub fn is_equality(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Binary(Op::Compare(compare), ..) if compare.is_equality())
}
