//! An answer as a JSON object. `--json` prints one per line.

use super::state::state_to_json;
use crate::debugger::api::{Answer, Line, Part, SourceRange, range_in};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::Sources;
use serde_json::{Map, Value as Json, json};

/// The reply to one entry or command.
pub fn answer_to_json(session: &Session, answer: &Answer) -> Json {
    let mut object = Map::new();
    object.insert("entry".into(), json!(answer.entry));
    object.insert("ok".into(), json!(answer.ok));
    let value = answer.value.iter().cloned();
    let hints = crate::render::hint_lines(answer, session.text_widths());
    let hint = hints.iter().map(Line::text);
    let echo = answer.echo.iter().map(Line::text);
    let parts = echo
        .chain([crate::render::text(answer, session.text_widths())])
        .filter(|t| !t.is_empty())
        .chain(value)
        .chain(hint);
    let text = parts.collect::<Vec<_>>().join("\n");
    object.insert("text".into(), json!(text));
    if let Some(data) = &answer.data {
        object.insert("data".into(), data.clone());
    }
    let output: Vec<&String> = answer.all_output().collect();
    object.insert("output".into(), json!(output));
    if answer.reported.omitted > 0 {
        object.insert("output_omitted".into(), json!(answer.reported.omitted));
    }
    object.insert("display".into(), json!(answer.display));
    object.insert(
        "diagnostics".into(),
        answer
            .diagnostics
            .iter()
            .map(|d| diagnostic_to_json(&session.target.sources, d))
            .collect(),
    );
    let parts: Vec<Json> = answer
        .parts
        .iter()
        .chain(&answer.hints)
        .filter(|part| !matches!(part, Part::Line(_) | Part::Stop(_) | Part::State(_)))
        .map(|part| json!(part))
        .collect();
    if !parts.is_empty() {
        object.insert("parts".into(), json!(parts));
    }
    if let Some(stop) = &answer.stop {
        object.insert("stop".into(), json!(**stop));
    }
    if let Some(question) = &answer.question {
        object.insert("needs_input".into(), json!(true));
        object.insert("question".into(), json!(question));
    }
    if let Some(control) = &answer.control {
        object.insert("control".into(), json!(control));
    }
    if let Some(view) = &answer.state {
        object.insert("state".into(), state_to_json(session, view));
    }
    Json::Object(object)
}

/// A diagnostic as it appears in an answer's `diagnostics`.
pub fn diagnostic_to_json(sources: &Sources, d: &Diagnostic) -> Json {
    let source = d.span.and_then(|span| sources.get(span.source));
    let range = d.span.and_then(|span| range_in(sources, span));
    let field = |f: fn(&SourceRange) -> Json| range.as_ref().map_or(Json::Null, f);
    let related = d.related.iter().map(|(span, label)| {
        let mut object = json!(range_in(sources, *span));
        object["label"] = json!(label);
        object
    });
    let edit = source.and_then(|source| d.suggested_edit(source));
    let edits = edit.into_iter().map(|(span, text)| {
        let mut object = json!(range_in(sources, span));
        object["text"] = json!(text);
        object
    });
    json!({
        "severity": d.severity.as_str(),
        "phase": d.phase.as_str(),
        "code": d.code,
        "message": d.message,
        "file": field(|r| json!(r.file)),
        "line": field(|r| json!(r.line)),
        "column": field(|r| json!(r.column)),
        "end_line": field(|r| json!(r.end_line)),
        "end_column": field(|r| json!(r.end_column)),
        "label": d.label,
        "related": related.collect::<Json>(),
        "notes": d.notes,
        "suggested_edits": edits.collect::<Json>(),
    })
}
