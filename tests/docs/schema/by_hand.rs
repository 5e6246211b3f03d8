//! The schema of what is serialized by hand, without derived code.

use serde_json::{Value as Json, json};

/// The schema of a type that implements `Serialize` itself.
pub fn of_type(name: &str) -> Option<Json> {
    let object = |fields: Json, optional: &[&str]| {
        let names = fields.as_object().expect("fields").keys();
        let required: Vec<&String> = names.filter(|n| !optional.contains(&n.as_str())).collect();
        json!({"type": "object", "properties": fields, "required": required})
    };
    Some(match name {
        "Line" => object(json!({"text": {"type": "string"}}), &[]),
        "Substitution" => object(
            json!({
                "text": {"type": "string"},
                "start": {"type": "integer"},
                "end": {"type": "integer"},
            }),
            &[],
        ),
        "LoopValue" => json!({"anyOf": [
            {"type": ["string", "null"]},
            {"type": "array", "items": {"$ref": "#/$defs/CellValue"}},
        ]}),
        "Range" => object(
            json!({"start": {"type": "integer"}, "end": {"type": "integer"}}),
            &[],
        ),
        "BoardProperties" => {
            let grid =
                |cell: Json| json!({"type": "array", "items": {"type": "array", "items": cell}});
            let text = json!({"type": ["string", "null"]});
            let texts = json!({"type": "array", "items": {"type": "string"}});
            let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "minItems": 2, "maxItems": 2});
            object(
                json!({
                    "rows": {"type": "integer"},
                    "cols": {"type": "integer"},
                    "first_row": {"type": "integer"},
                    "first_col": {"type": "integer"},
                    "origin": pair,
                    "upward": {"type": "boolean"},
                    "unbounded": {"type": "boolean"},
                    "focus": {"anyOf": [pair, {"type": "null"}]},
                    "cells": grid(text.clone()),
                    "visible": grid(json!({"type": "boolean"})),
                    "top": grid(text.clone()),
                    "color": grid(text.clone()),
                    "owner": grid(text),
                    "stack": grid(texts.clone()),
                    "variables": grid(texts),
                }),
                &["top", "color", "owner", "stack", "variables"],
            )
        }
        "ShownBoard" => {
            let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "minItems": 2, "maxItems": 2});
            let marks = object(
                json!({
                    "current": {"anyOf": [pair, {"type": "null"}]},
                    "changed": {"type": "array", "items": pair},
                    "shows_hidden": {"type": "boolean"},
                }),
                &[],
            );
            json!({"allOf": [{"$ref": "#/$defs/BoardProperties"}, marks]})
        }
        _ => return None,
    })
}

/// The schema of what a function for `serialize_with` writes.
pub fn of_function(name: &str) -> Json {
    match name {
        "serialize_entries" => json!({"type": "array", "items": {"type": "string"}}),
        "serialize_optional_entries" => {
            json!({"type": ["array", "null"], "items": {"type": "string"}})
        }
        "serialize_count" => json!({"type": "number"}),
        "serialize_milliseconds" => json!({"type": "integer"}),
        "serialize_results" => {
            json!({"type": "object", "additionalProperties": {"$ref": "#/$defs/GameResult"}})
        }
        "serialize_stop" => json!({"$ref": "#/$defs/Stop"}),
        other => panic!("`{other}` writes JSON that the schema does not know"),
    }
}
