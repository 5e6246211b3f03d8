//! Expressions for the debugger, e.g. `counter1`, `player.x == 3` or `lava.counter < 2`. The
//! language itself has no expressions.

use crate::code::{CompareOp, Local, Reg};
use crate::diagnostic::{Diagnostic, Phase};
use crate::lower::scope::Scope;
use crate::lower::{VARIABLES, sprite_counter_global};
use crate::source::{Origin, Source, Span};
use std::ops::Range;

/// A value, or a comparison of two values.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub left: Operand,
    pub right: Option<(Operator, Operand)>,
}

/// The operator of a comparison, and where it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operator {
    pub op: CompareOp,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    Number(i32),
    Bool(bool),
    /// A local of the selected frame.
    Local(Reg),
    /// A global by its number, and the span of its name.
    Variable(u32, Span),
}

/// Longer operators first.
const OPERATORS: [(&str, CompareOp); 7] = [
    ("==", CompareOp::Equal),
    ("!=", CompareOp::NotEqual),
    ("<=", CompareOp::LessEqual),
    (">=", CompareOp::GreaterEqual),
    ("<", CompareOp::Less),
    (">", CompareOp::Greater),
    ("=", CompareOp::Equal),
];

/// An expression whose names are not resolved yet: ranges of the text.
#[derive(Clone, PartialEq, Debug)]
pub struct ExprSyntax {
    left: Range<usize>,
    right: Option<(CompareOp, Range<usize>)>,
}

/// Splits a text into the operands of an expression. Whether it is one depends on what the names
/// refer to: see [`ExprSyntax::resolve`].
pub fn parse(text: &str) -> ExprSyntax {
    let find_operator = |&(operator, op): &(&'static str, CompareOp)| {
        text.find(operator).map(|at| (at, operator, op))
    };
    match OPERATORS.iter().find_map(find_operator) {
        Some((at, operator, op)) => ExprSyntax {
            left: 0..at,
            right: Some((op, at + operator.len()..text.len())),
        },
        None => ExprSyntax {
            left: 0..text.len(),
            right: None,
        },
    }
}

impl ExprSyntax {
    /// A warning if the entry is a comparison with a single `=`, which looks like an assignment.
    pub fn warn_about_assignment(&self, source: &Source) -> Option<Diagnostic> {
        let (_, right) = self.right.as_ref()?;
        let operator = self.left.end..right.start;
        let span = source.span(operator.start, operator.end);
        let message = "this compares the values; it does not assign";
        let note = "to set a value, write e.g. `counter counter1 > true 3` or `player > x=3 y=1`";
        let is_single = source.text.get(operator) == Some("=");
        is_single.then(|| Diagnostic::warning(Phase::Check, "SG122", span, message).note(note))
    }

    /// Looks up the names; `None` if the text is not an expression, then it consists of lines.
    pub fn resolve(&self, names: &Names) -> Option<Expr> {
        let left = names.operand(self.left.clone())?;
        let right = match &self.right {
            Some((op, range)) => {
                let span = names.source.span(self.left.end, range.start);
                let operator = Operator { op: *op, span };
                Some((operator, names.operand(range.clone())?))
            }
            None if matches!(left, Operand::Number(_)) => return None,
            None => None,
        };
        Some(Expr { left, right })
    }
}

/// The note for text that is neither a line nor an expression.
pub const EXPR_HELP: &str = "an expression is a name or a comparison: `player.x`, `counter1 == 3`";

/// Adds a note about expressions to an error about text that is not a line.
pub fn add_help(diagnostic: &mut Diagnostic, source: &Source, scope: &Scope) {
    let is_end = |c: char| !c.is_ascii_alphabetic() && c != '_';
    let word = source.text.split(is_end).next().unwrap_or("");
    let word = word.to_ascii_lowercase();
    // Where only an expression is possible, statements and moves are beside the point.
    if source.origin == Origin::Expression {
        let message = &diagnostic.message;
        diagnostic.message = message.replace("a statement or a move", "a name or a comparison");
        let is_about_lines = |note: &String| note.starts_with("statements start with");
        diagnostic.notes.retain(|note| !is_about_lines(note));
    }
    diagnostic.notes.push(match scope.sprites.contains_key(word.as_str()) {
        true => format!("`{word}` is a sprite: `{word}.counter` is its counter, `:whatis {word}` describes it"),
        false => EXPR_HELP.into(),
    });
}

/// Resolves the names in an expression.
pub struct Names<'n> {
    source: &'n Source,
    scope: &'n Scope,
    locals: &'n [Local],
}

impl<'n> Names<'n> {
    /// `locals` are those of the selected frame.
    pub fn new(source: &'n Source, scope: &'n Scope, locals: &'n [Local]) -> Names<'n> {
        Names {
            source,
            scope,
            locals,
        }
    }

    /// Whether the text starts like an expression, although it is not one as a whole.
    pub fn starts_with_operand(&self) -> bool {
        let text = self.source.text.as_str();
        let start = text.len() - text.trim_start().len();
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        let end = text[start..].find(is_end);
        let end = end.map_or(text.len(), |at| start + at);
        let operand = self.operand(start..end);
        matches!(operand, Some(Operand::Variable(..) | Operand::Local(_)))
    }

    fn operand(&self, range: Range<usize>) -> Option<Operand> {
        let start = range.start;
        let part = self.source.text.get(range)?;
        let word = part.trim();
        let word_start = start + (part.len() - part.trim_start().len());
        let span = self.source.span(word_start, word_start + word.len());
        let lower = word.to_ascii_lowercase();
        let is_local = |local: &Local| local.name.as_str().eq_ignore_ascii_case(word);
        if let Some(register) = self.locals.iter().rposition(is_local) {
            return Some(Operand::Local(register as Reg));
        }
        if let Ok(value) = lower.parse() {
            return Some(Operand::Bool(value));
        }
        if let Ok(number) = word.parse() {
            return Some(Operand::Number(number));
        }
        let global = match lower.strip_suffix(".counter") {
            Some(sprite) => sprite_counter_global(self.scope.sprites.get(sprite)?),
            None => VARIABLES.iter().position(|name| *name == lower)? as u32,
        };
        Some(Operand::Variable(global, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Origin, SourceId};

    fn parsed(text: &str) -> Option<Expr> {
        let source = Source::new(SourceId(0), Origin::Entry(1), text);
        parse(text).resolve(&Names::new(&source, &Scope::default(), &[]))
    }

    #[test]
    fn names_and_comparisons_are_expressions_but_lines_are_not() {
        for text in [
            "counter1",
            " Player.X ",
            "counter2 <= 3",
            "win == false",
            "3 < moves",
        ] {
            assert!(parsed(text).is_some(), "{text}");
        }
        for text in [
            "player > x=3",
            "counter counter1 > true 3",
            "right 3",
            "7",
            "ghost.counter",
            "",
            "goal >",
        ] {
            assert!(parsed(text).is_none(), "{text}");
        }
    }
}
