//! Source text with values in the place of expressions.

use crate::answer::{
    Excerpt, ExplainedExpression, ExplainedValue, ExpressionValue, Fragment, ShortCircuit,
    Substitution,
};
use crate::source::Span;

/// Substitutes values into `text`, which is the text of `origin`, and marks an expression.
pub fn substitute(text: &str, origin: Span, known: &[(Span, &str)], mark: Span) -> Substitution {
    let mut fragments: Vec<Fragment> = Vec::new();
    let (mut start, mut end) = (None, 0);
    let mut ends_with_blank = false;
    let mut at = origin.start;
    while at < origin.end {
        if at == mark.start && start.is_none() {
            start = Some(fragments.len());
        }
        let value = known
            .iter()
            .filter(|(span, _)| span.start == at && span.end > at)
            .max_by_key(|(span, _)| span.end);
        if let Some((span, value)) = value {
            fragments.push(Fragment::Value(value.to_string()));
            ends_with_blank = value.ends_with(' ');
            at = span.end;
        } else {
            let rest = &text[(at - origin.start) as usize..];
            let Some(c) = rest.chars().next() else { break };
            let shown = if c.is_whitespace() { ' ' } else { c };
            if shown != ' ' || !ends_with_blank {
                // The marked part begins and ends with a fragment.
                let is_boundary =
                    start == Some(fragments.len()) || at >= mark.end && end == fragments.len();
                match fragments.last_mut() {
                    Some(Fragment::Source(source)) if !is_boundary => source.push(shown),
                    _ => fragments.push(Fragment::Source(shown.to_string())),
                }
            }
            ends_with_blank = shown == ' ';
            at += c.len_utf8() as u32;
        }
        if at <= mark.end {
            end = fragments.len();
        }
    }
    let start = start.unwrap_or(0);
    Substitution {
        fragments,
        marked: start..end.max(start),
    }
}

/// Adds lines and columns to an expression and its values. Values outside of it are left out.
pub fn explain_values(expression: Excerpt, values: &[ExpressionValue]) -> ExplainedExpression {
    let (text, origin) = (expression.text.as_str(), expression.span);
    let operands: Vec<Span> = values.iter().map(|v| v.expression.span).collect();
    let mut known: Vec<(Span, &str)> = Vec::new();
    let mut explained = Vec::new();
    for value in values {
        let span = value.expression.span;
        if !origin.contains(span) {
            continue;
        }
        // Without values of its operands, the value is not below its operator but below all of it.
        let is_operand = |operand: &Span| *operand != span && span.contains(*operand);
        let operator = value.operator.filter(|_| operands.iter().any(is_operand));
        let anchor = Span {
            start: operator.map_or(span.start, |operator| operator.start),
            ..span
        };
        let column = substitute(text, origin, &[], anchor)
            .to_text(str::to_string)
            .1
            .start;
        let (line, marked) = substitute(text, origin, &[], span).to_text(str::to_string);
        explained.push(ExplainedValue {
            expression: value.expression.clone(),
            line: line.chars().skip(marked.start).take(marked.len()).collect(),
            value: value.value.clone(),
            column,
            short_circuit: value
                .is_short_circuited
                .then(|| short_circuit(text, origin, &known, span, value.operator)),
        });
        learn(&mut known, span, &value.value);
    }
    let (line, _) = substitute(text, origin, &[], origin).to_text(str::to_string);
    ExplainedExpression {
        line,
        values: explained,
        expression,
    }
}

/// Describes the evaluation of `span` up to its operator. `known` are the values at that time.
pub fn short_circuit(
    text: &str,
    origin: Span,
    known: &[(Span, &str)],
    span: Span,
    operator: Option<Span>,
) -> ShortCircuit {
    let evaluated = Span {
        end: operator.map_or(span.end, |operator| operator.end),
        ..span
    };
    ShortCircuit {
        evaluated: substitute(slice(text, origin, evaluated), evaluated, known, evaluated),
        has_operator: operator.is_some(),
    }
}

/// The text of `part`, where `text` is the text of `origin`.
fn slice(text: &str, origin: Span, part: Span) -> &str {
    text.get((part.start - origin.start) as usize..(part.end - origin.start) as usize)
        .unwrap_or("")
}

/// Adds a value to the known ones. Those of its operands are no longer needed.
pub fn learn<'v>(known: &mut Vec<(Span, &'v str)>, span: Span, value: &'v str) {
    known.retain(|(inner, _)| !span.contains(*inner));
    known.push((span, value));
}
