//! `click 1 1`: a call without its braces, which the grammar reads as three values.

use crate::check::errors;
use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// Reduces the errors of such a line to the first one, which shows the call with its braces.
pub fn join_call_without_braces(source: &Source, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let function = errors.iter().enumerate().find_map(|(index, error)| {
        let is_function = error.code == errors::FUNCTION_AS_VALUE;
        Some((index, error.span.filter(|_| is_function)?))
    });
    let Some((index, span)) = function else {
        return errors;
    };
    let line = |byte: u32| source.line_number(byte);
    let line_end = source.line_range(line(span.start)).end;
    let rest = source.text.get(span.end as usize..line_end).unwrap_or("");
    let arguments: Vec<&str> = rest
        .split([' ', '\t', ',', '(', ')', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    let is_simple = |c: char| c.is_alphanumeric() || "\"“”_-.[]".contains(c);
    if arguments.is_empty() || !arguments.iter().all(|word| word.chars().all(is_simple)) {
        return errors;
    }
    let call = format!("{}{{{}}}", source.slice(span), arguments.join(", "));
    errors[index].notes = vec![format!("call it with braces: `{call}`")];
    let mut position = 0..;
    errors.retain(|error| {
        let is_later = position.next().is_some_and(|at: usize| at > index);
        let is_same_line = error
            .span
            .is_some_and(|s| line(s.start) == line(span.start));
        !(is_later && is_same_line)
    });
    errors
}
