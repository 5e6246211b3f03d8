//! Errors and warnings as JSON.

use crate::answer::SourceRange;
use crate::debugger::range_in;
use crate::diagnostic::{Advice, Diagnostic};
use crate::source::Sources;
use serde::Serialize;

/// A diagnostic as it appears in an answer's `diagnostics`, to be written as JSON.
#[derive(Serialize)]
pub struct DiagnosticJson<'a> {
    severity: &'static str,
    phase: &'static str,
    code: &'static str,
    message: &'a str,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    label: &'a str,
    related: Vec<Related<'a>>,
    notes: &'a [String],
    suggested_edits: Vec<SuggestedEdit>,
    advice: Vec<LocatedAdvice>,
}

/// Another location that matters.
#[derive(Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    range: Option<SourceRange>,
    label: &'a str,
}

/// A text that replaces a range.
#[derive(Serialize)]
struct SuggestedEdit {
    #[serde(flatten)]
    range: Option<SourceRange>,
    text: String,
}

/// What to do about it. A replacement has the range of the code that it replaces.
#[derive(Serialize)]
struct LocatedAdvice {
    #[serde(flatten)]
    advice: Advice,
    #[serde(flatten)]
    range: Option<SourceRange>,
}

impl LocatedAdvice {
    fn new(sources: &Sources, advice: Advice) -> LocatedAdvice {
        let span = match &advice {
            Advice::Replacement { span, .. } => *span,
            _ => None,
        };
        LocatedAdvice {
            range: span.and_then(|span| range_in(sources, span)),
            advice,
        }
    }
}

impl<'a> DiagnosticJson<'a> {
    /// A diagnostic about one of these sources.
    pub fn new(sources: &Sources, d: &'a Diagnostic) -> DiagnosticJson<'a> {
        let source = d.span.and_then(|span| sources.get(span.source));
        let range = d.span.and_then(|span| range_in(sources, span));
        let edit = source.and_then(|source| d.suggested_edit(source));
        // What a message suggests is advice as well.
        let replacement = edit.clone().map(|(span, text)| Advice::Replacement {
            text,
            span: Some(span),
        });
        let advice = d.advice.iter().cloned().chain(replacement);
        let related = d.related.iter().map(|(span, label)| Related {
            range: range_in(sources, *span),
            label,
        });
        DiagnosticJson {
            severity: d.severity.as_str(),
            phase: d.phase.as_str(),
            code: d.code,
            message: &d.message,
            line: range.as_ref().map(|r| r.line),
            column: range.as_ref().map(|r| r.column),
            end_line: range.as_ref().map(|r| r.end_line),
            end_column: range.as_ref().map(|r| r.end_column),
            file: range.map(|r| r.file),
            label: &d.label,
            related: related.collect(),
            notes: &d.notes,
            advice: advice.map(|a| LocatedAdvice::new(sources, a)).collect(),
            suggested_edits: edit
                .into_iter()
                .map(|(span, text)| SuggestedEdit {
                    range: range_in(sources, span),
                    text,
                })
                .collect(),
        }
    }
}
