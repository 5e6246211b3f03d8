//! An answer as a JSON object. `--json` prints one per line.

use crate::debugger::api::{Answer, Line, Part, value_to_json};
use crate::diagnostic::Diagnostic;
use crate::language::GameView;
use crate::session::Session;
use crate::source::Sources;
use serde_json::{Map, Value as Json, json};

/// The reply to one entry or command.
pub fn answer_to_json(session: &Session, answer: &Answer) -> Json {
    let mut object = Map::new();
    object.insert("entry".into(), json!(answer.entry));
    object.insert("ok".into(), json!(answer.ok));
    let value = answer.value.iter().cloned();
    let hint = answer.hints.iter().map(|line| line.text());
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
    object.insert("output".into(), json!(answer.output));
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
        .filter(|part| !matches!(part, Part::Line(_) | Part::Stop(_)))
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
    if let Some(view) = &answer.state {
        object.insert("state".into(), state_to_json(session, view));
    }
    Json::Object(object)
}

/// A diagnostic as it appears in a reply's `diagnostics`.
pub fn diagnostic_to_json(sources: &Sources, d: &Diagnostic) -> Json {
    let (file, (line, column)) = match d.span.and_then(|s| Some((sources.get(s.source)?, s))) {
        Some((source, span)) => (
            json!(source.origin.to_string()),
            source.line_column(span.start),
        ),
        None => (Json::Null, (0, 0)),
    };
    let known = |n: u32| if n == 0 { Json::Null } else { json!(n) };
    json!({
        "severity": d.severity.as_str(), "phase": d.phase.as_str(), "code": d.code, "message": d.message,
        "file": file, "line": known(line), "column": known(column), "notes": d.notes,
    })
}

/// The state of the game, as `:state` shows it.
pub fn state_to_json(session: &Session, view: &GameView) -> Json {
    let store = &session.target.machine.store;
    let variables: Map<String, Json> = view
        .variables
        .iter()
        .map(|(name, v)| {
            (
                name.clone(),
                value_to_json(session.target.program(), store, *v),
            )
        })
        .collect();
    let board = view.board.as_ref().map(|b| {
        let rows = |f: &dyn Fn(&crate::language::CellView) -> Json| -> Vec<Vec<Json>> {
            b.cells
                .chunks(b.shown_cols.max(1) as usize)
                .map(|row| row.iter().map(f).collect())
                .collect()
        };
        json!({
            "rows": b.rows, "cols": b.cols,
            "cells": rows(&|c| json!(c.name.map(|n| n.as_str()))),
            "visible": rows(&|c| json!(c.visible)),
        })
    });
    json!({
        "language": session.target.language().info().name,
        "status": view.status.as_str(),
        "winner": view.winner.as_ref().filter(|_| view.status == crate::code::Status::Won),
        "turn": view.current_player,
        "turn_count": view.turn_count,
        "board": board,
        "vars": variables,
    })
}
