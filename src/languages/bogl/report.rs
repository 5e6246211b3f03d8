//! Type errors in words a student understands: both types, and where each of them came from.

use std::sync::Arc;

use super::ast::{Expr, Kind, Op, Word};
use super::builtin::BUILTINS;
use super::declare::Types;
use super::infer::Checker;
use super::types::Type;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::Span;

/// A type with where it came from.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub own: Type,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// The expression itself shows it.
    Here,
    Parameter(Arc<str>, Span),
    Bound(Arc<str>, Span),
    Signature(Arc<str>, Span),
    Result(Arc<str>, Span),
    Listed(Arc<str>, Span),
    Cell(Span),
}

impl Origin {
    pub fn words(&self, own: &Type) -> Option<(Span, String)> {
        let own = a_type(own);
        Some(match self {
            Origin::Here => return None,
            Origin::Parameter(name, span) => {
                (*span, format!("`{name}` is {own} by this signature"))
            }
            Origin::Bound(name, span) => (*span, format!("`{name}` is {own}, because this is")),
            Origin::Signature(name, span) => (*span, format!("`{name}` is {own}, declared here")),
            Origin::Result(name, span) => (*span, format!("`{name}` gives {own}, declared here")),
            Origin::Listed(symbol, span) => (
                *span,
                format!("`{symbol}` is {own}, because it is first listed here"),
            ),
            Origin::Cell(span) => (
                *span,
                format!("the cells of the board are {own}, declared here"),
            ),
        })
    }
}

/// With its article: "an `Int`".
pub(super) fn a_type(own: &Type) -> String {
    let text = own.to_string();
    let article = if text.starts_with(['A', 'E', 'I', 'O']) {
        "an"
    } else {
        "a"
    };
    format!("{article} `{text}`")
}

impl Typed {
    pub fn here(own: Type) -> Typed {
        Typed {
            own,
            origin: Origin::Here,
        }
    }

    /// The diagnostic with where this type came from.
    pub fn traced(&self, mut told: Diagnostic) -> Diagnostic {
        told.related.extend(self.origin.words(&self.own));
        if let Some(note) = spelling(&self.own) {
            told.notes.push(note);
        }
        told
    }

    fn fault(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        self.traced(
            Diagnostic::error(Phase::Type, code, span, message)
                .label(format!("this is {}", a_type(&self.own))),
        )
    }

    pub fn no_board(&self, span: Span) -> Diagnostic {
        self.fault(
            "BG048",
            span,
            format!(
                "Only a board can be looked up with `!`, but this is {}",
                a_type(&self.own)
            ),
        )
    }

    pub fn no_tuple(&self, span: Span) -> Diagnostic {
        self.fault(
            "BG052",
            span,
            format!(
                "`#` takes a part of a tuple, but this is {}",
                a_type(&self.own)
            ),
        )
    }

    pub fn no_number(&self, op: Op, side: &str, operand: &Expr) -> Diagnostic {
        let chained =
            op.compares() && matches!(operand.kind, Kind::Binary { op, .. } if op.compares());
        let span = operand.span;
        let (sign, own) = (op.sign(), a_type(&self.own));
        let told = self.fault(
            "BG046",
            span,
            format!("`{sign}` needs an `Int` on its {side} side, but this is {own}"),
        );
        match self.own.base {
            super::types::Base::Int => told.note(format!(
                "{own} can also be a symbol, and symbols cannot be counted with"
            )),
            super::types::Base::Bool if chained => {
                told.note("write `and(a < b, b < c)` to compare three values")
            }
            _ => told,
        }
    }
}

/// What is in a type that has a name.
fn spelling(own: &Type) -> Option<String> {
    let spelled = own.spelled();
    own.name
        .as_ref()
        .filter(|name| ***name != *spelled)
        .map(|name| format!("`{name}` is {spelled}"))
}

/// A type that is needed, why, and where that was said.
#[derive(Clone, Debug)]
pub(super) struct Want {
    pub own: Type,
    /// Such as "The argument of `f` must be"; the type follows.
    because: String,
    /// Why the tuples around it are needed, innermost first.
    whole: Vec<String>,
    told: Vec<(Span, String)>,
    /// Where the cells are declared, if nothing else tells where a `Content` came from.
    cells: Option<Span>,
    code: &'static str,
}

impl Want {
    fn new(own: Type, because: impl Into<String>) -> Want {
        Want {
            own,
            because: because.into(),
            whole: Vec::new(),
            told: Vec::new(),
            cells: None,
            code: "BG045",
        }
    }

    pub fn argument(function: &str, own: &Type, told: Option<Span>) -> Want {
        let words = format!("`{function}` takes {}, declared here", a_type(own));
        let told = told.map(|span| (span, words)).into_iter().collect();
        Want {
            told,
            ..Want::new(own.clone(), format!("The argument of `{function}` must be"))
        }
    }

    /// What a built-in function takes is declared nowhere; only what a cell holds is.
    pub fn built_in(mut self, function: &str, result: &Type, types: &Types) -> Want {
        self.cells = types.board().span;
        self.whole.push(format!(
            "`{function}` is built in: {} -> {result}",
            self.own
        ));
        self
    }

    pub fn position() -> Want {
        let own = Type::tuple(vec![Type::int(), Type::int()]);
        Want {
            code: "BG048",
            ..Want::new(own, "A position behind `!` must be")
        }
    }

    pub fn condition(word: &str) -> Want {
        Want::new(Type::bool(), format!("The condition of `{word}` must be"))
    }

    pub fn equation(name: &str, own: &Type, told: Span) -> Want {
        let words = format!("`{name}` is declared here");
        Want {
            told: vec![(told, words)],
            ..Want::new(own.clone(), format!("By its signature `{name}` must be"))
        }
    }

    pub fn result(name: &str, own: &Type, told: Span) -> Want {
        let words = format!("`{name}` is declared here");
        Want {
            told: vec![(told, words)],
            ..Want::new(own.clone(), format!("By its signature `{name}` must give"))
        }
    }

    pub fn cell(own: &Type, told: Option<Span>) -> Want {
        let words = "the cells of the board are declared here".to_owned();
        Want {
            told: told.map(|span| (span, words)).into_iter().collect(),
            ..Want::new(own.clone(), "A cell of the board must be")
        }
    }

    /// The new values of the variables that a loop changes.
    pub fn round(names: &[Word], types: &[Typed]) -> Want {
        let list = names
            .iter()
            .map(|name| &*name.text)
            .collect::<Vec<_>>()
            .join(", ");
        match types {
            [only] => {
                let because =
                    format!("The body of this `while` gives `{list}` its new value, which must be");
                Want {
                    told: only.origin.words(&only.own).into_iter().collect(),
                    ..Want::new(only.own.clone(), because)
                }
            }
            _ => {
                let own = Type::tuple(types.iter().map(|typed| typed.own.clone()).collect());
                let told = types.first().and_then(|first| first.origin.words(&own));
                let told = told.map(|(span, _)| {
                    (
                        span,
                        format!("({list}) is {} by this signature", a_type(&own)),
                    )
                });
                let because = format!(
                    "The body of this `while` gives ({list}) their new values, which must be"
                );
                Want {
                    told: told.into_iter().collect(),
                    ..Want::new(own, because)
                }
            }
        }
    }

    /// For one component of what is needed.
    pub fn part(&self, index: usize, own: &Type) -> Want {
        let (told, mut whole) = (self.told.clone(), self.whole.clone());
        let because = match self.because.strip_prefix("The argument of ") {
            Some(rest) => format!("Argument {} of {rest}", index + 1),
            None => {
                whole.insert(0, format!("{} {}", self.because, a_type(&self.own)));
                format!("Part {} of this tuple must be", index + 1)
            }
        };
        Want {
            own: own.clone(),
            because,
            whole,
            told,
            cells: self.cells,
            code: self.code,
        }
    }

    pub fn missed(&self, span: Span, found: &Typed) -> Diagnostic {
        let (needed, given) = (a_type(&self.own), a_type(&found.own));
        let message = format!("{} {needed}, but this is {given}", self.because);
        let mut told = Diagnostic::error(Phase::Type, self.code, span, message)
            .label(format!("this is {given}"));
        told.related.extend(self.told.iter().cloned());
        let content = self
            .cells
            .filter(|_| self.own.name.as_deref() == Some("Content"));
        told.related.extend(content.map(|span| {
            (
                span,
                "a `Content` is what a cell holds, declared here".to_owned(),
            )
        }));
        told.notes.extend(self.whole.iter().cloned());
        told.notes.extend(spelling(&self.own));
        let told = found.traced(told);
        let bases_fit = Type {
            symbols: Arc::default(),
            ..found.own.clone()
        }
        .fits(&self.own);
        let extra: Vec<String> = found
            .own
            .symbols
            .difference(&self.own.symbols)
            .map(|symbol| format!("`{symbol}`"))
            .collect();
        let alike = found
            .own
            .symbols
            .intersection(&self.own.symbols)
            .next()
            .is_some()
            || !found.own.is_enumeration();
        match bases_fit && alike && !extra.is_empty() {
            true => told.note(format!(
                "{given} can also be {}, which {needed} cannot",
                extra.join(" or ")
            )),
            false => told,
        }
    }
}

pub(super) fn no_context(span: Span) -> Diagnostic {
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
    pub fn nothing_in_common(
        &self,
        at: Span,
        what: String,
        left: (Span, &Typed),
        right: (Span, &Typed),
    ) -> Diagnostic {
        let ((left_span, a), (right_span, b)) = (left, right);
        let message = format!(
            "{what}, but here are {} and {}",
            a_type(&a.own),
            a_type(&b.own)
        );
        let told = Diagnostic::error(Phase::Type, "BG047", at, message)
            .related(left_span, format!("this is {}", a_type(&a.own)))
            .related(right_span, format!("this is {}", a_type(&b.own)));
        let told = b.traced(a.traced(told));
        match a.own.is_enumeration() || b.own.is_enumeration() {
            true => {
                let (first, second) = if a.own.is_enumeration() {
                    (&b.own, &a.own)
                } else {
                    (&a.own, &b.own)
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
        match types.named(symbol) {
            Some(_) => told.note(format!("`{symbol}` is a type, not a value")),
            None => told.note(format!(
                "symbols are listed in a type: `type T = {{{symbol}}}`"
            )),
        }
    }

    /// A position name on the right-hand side of a board equation is probably meant as the position, which it is not.
    pub fn mistaken(&self, name: &Word) -> Option<Diagnostic> {
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

    pub fn undefined(&self, name: &Word, what: &str) -> Diagnostic {
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
