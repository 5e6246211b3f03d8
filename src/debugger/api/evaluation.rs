//! How a statement or an expression is evaluated, step by step.

use super::substitution::operator_offset;
use super::{Change, Excerpt, ExpressionValue, NamedValue, ShortCircuit, Substitution};
use crate::source::Span;
use serde::Serialize;

/// The evaluation of a statement: all of it (`step expr`), or its next part (`step sub`).
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Evaluation {
    /// The function or handler, such as `zero.onClick`.
    pub function: String,
    /// The statement. If it contains other statements, only what comes before the first of them.
    #[serde(flatten)]
    pub statement: Excerpt,
    /// The subexpressions, in the order in which they were evaluated.
    pub steps: Vec<EvaluationStep>,
    /// What the statement did; `None` if it has not ended.
    pub effect: Option<StatementEffect>,
    /// The variables that a condition reads without naming them.
    pub reads: Vec<NamedValue>,
    /// The branch that was selected.
    pub branch: Option<Excerpt>,
    /// Whether there is more to evaluate in the statement (`step sub`).
    pub is_partial: bool,
}

/// The evaluation of one subexpression.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EvaluationStep {
    /// Counted from 1 at the start of the statement.
    pub number: usize,
    /// The subexpression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// Its value, in the language's notation.
    pub value: String,
    /// When it was evaluated.
    pub time: u64,
    /// The row and column of the piece that it is, or is a field of.
    pub cell: Option<(u32, u32)>,
    /// What decided its value, if part of it was not evaluated.
    pub short_circuit: Option<ShortCircuit>,
    /// The statement before this step, with the values known so far; the subexpression is marked.
    pub before: Substitution,
    /// The statement after this step; the value is marked.
    pub substituted: Substitution,
}

/// What a statement did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct StatementEffect {
    /// The number that the next step would have.
    pub number: usize,
    /// The statement with all values.
    pub substituted: Substitution,
    /// The result of the function, if the statement has returned from it.
    pub returned: Option<Returned>,
    /// The local variables that it changed.
    pub variables: Vec<VariableChange>,
    /// What it changed in the game.
    pub changes: Vec<Change>,
}

/// The result of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Returned {
    /// The function.
    pub function: String,
    /// Its result, in the language's notation.
    pub value: String,
}

/// A change of a local variable.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariableChange {
    /// The variable.
    pub name: String,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
}

/// An expression with the values of all its subexpressions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedExpression {
    /// The expression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// The expression on one line.
    pub line: String,
    /// The subexpressions, in the order in which they were evaluated.
    pub values: Vec<ExplainedValue>,
}

/// A subexpression with its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedValue {
    /// The subexpression.
    #[serde(flatten)]
    pub expression: Excerpt,
    /// The subexpression on one line.
    pub line: String,
    /// Its value, in the language's notation.
    pub value: String,
    /// The column of the expression's line below which the value belongs, counted from 0: that of
    /// the operator, or of the start if there is none.
    pub column: usize,
    /// What decided its value, if part of it was not evaluated.
    pub short_circuit: Option<ShortCircuit>,
}

impl ExplainedExpression {
    /// Adds lines and columns to an expression and its values. Values outside of it are left out.
    pub fn new(expression: Excerpt, values: &[ExpressionValue]) -> ExplainedExpression {
        let (text, origin) = (expression.text.as_str(), expression.span);
        let operands: Vec<Span> = values.iter().map(|v| v.expression.span).collect();
        let mut known: Vec<(Span, &str)> = Vec::new();
        let mut explained = Vec::new();
        for value in values {
            let span = value.expression.span;
            if !origin.contains(span) {
                continue;
            }
            let anchor = Span {
                start: operator_offset(text, origin, &operands, span),
                ..span
            };
            let column = Substitution::new(text, origin, &[], anchor)
                .to_text(str::to_string)
                .1
                .start;
            let (line, marked) = Substitution::new(text, origin, &[], span).to_text(str::to_string);
            explained.push(ExplainedValue {
                expression: value.expression.clone(),
                line: line.chars().skip(marked.start).take(marked.len()).collect(),
                value: value.value.clone(),
                column,
                short_circuit: value
                    .is_short_circuited
                    .then(|| ShortCircuit::new(text, origin, &operands, &known, span)),
            });
            learn(&mut known, span, &value.value);
        }
        let (line, _) = Substitution::new(text, origin, &[], origin).to_text(str::to_string);
        ExplainedExpression {
            line,
            values: explained,
            expression,
        }
    }
}

/// Adds a value to the known ones. Those of its operands are no longer needed.
pub(crate) fn learn<'v>(known: &mut Vec<(Span, &'v str)>, span: Span, value: &'v str) {
    known.retain(|(inner, _)| !span.contains(*inner));
    known.push((span, value));
}
