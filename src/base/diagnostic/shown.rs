//! Which diagnostics are shown to people.

use super::{Diagnostic, Phase, Severity, first_diagnostics};
use crate::source::{SourceId, Sources};
use std::collections::HashMap;

/// Further errors in the same line are almost always caused by the first ones.
const MAX_DIAGNOSTICS_PER_LINE: usize = 3;

/// One mistake can cause thousands of follow-up errors; showing more than this does not help.
const MAX_DIAGNOSTICS_SHOWN: usize = 50;

/// The diagnostics that are shown before the lines about what was defined, and those shown after
/// the rest of the answer. A warning about a definition comes before its success is reported.
pub fn split_shown_diagnostics(
    diagnostics: &[Diagnostic],
    sources: &Sources,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let is_first = |d: &Diagnostic| !d.is_error() && d.phase != Phase::Runtime;
    let shown = shown_diagnostics(diagnostics, sources);
    shown.into_iter().partition(is_first)
}

/// The diagnostics that are shown to people: at most `MAX_DIAGNOSTICS_PER_LINE` of each line, and
/// `MAX_DIAGNOSTICS_SHOWN` in all. Notes say how many are not shown.
pub fn shown_diagnostics(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
    let diagnostics = limit_per_line(diagnostics, sources);
    let (first, omitted) = first_diagnostics(&diagnostics, MAX_DIAGNOSTICS_SHOWN);
    let mut shown: Vec<Diagnostic> = first.into_iter().cloned().collect();
    if let Some(last) = shown.last_mut().filter(|_| omitted > 0) {
        last.notes.push(format!("{omitted} more not shown"));
    }
    shown
}

/// The diagnostics without those that are too many for their line of source. A note on the last one
/// of the line says how many were left out.
fn limit_per_line(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
    let mut shown: Vec<Diagnostic> = Vec::new();
    // For each line: how many diagnostics it has, and the index of the last one shown.
    let mut lines: HashMap<(SourceId, u32, Severity), (usize, usize)> = HashMap::new();
    for diagnostic in diagnostics {
        let line = diagnostic.span.and_then(|span| {
            let line = sources.get(span.source)?.line_number(span.start);
            Some((span.source, line, diagnostic.severity))
        });
        if let Some(line) = line {
            let (count, last) = lines.entry(line).or_default();
            *count += 1;
            if *count > MAX_DIAGNOSTICS_PER_LINE {
                continue;
            }
            *last = shown.len();
        }
        shown.push(diagnostic.clone());
    }
    for (count, last) in lines.into_values() {
        if count > MAX_DIAGNOSTICS_PER_LINE {
            let hidden = count - MAX_DIAGNOSTICS_PER_LINE;
            shown[last]
                .notes
                .push(format!("{hidden} more in this line"));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Origin;

    #[test]
    fn a_line_shows_three_errors_and_the_number_of_the_others() {
        let mut sources = Sources::default();
        let source = sources.add(Origin::Entry(1), "a b c d e\nf\n");
        let error = |at: usize| Diagnostic::error(Phase::Check, "X", source.span(at, at + 1), "");
        let errors = [0, 2, 4, 6, 8, 10].map(error);
        let shown = limit_per_line(&errors, &sources);
        let starts: Vec<u32> = shown.iter().map(|d| d.span.unwrap().start).collect();
        assert_eq!(starts, [0, 2, 4, 10]);
        assert_eq!(shown[2].notes, ["2 more in this line"]);
        assert!(shown[3].notes.is_empty());
    }
}
