//! Answers as clients get them.

use serde_json::Value as Json;

/// The first part of this kind; `null` if there is none.
pub fn part<'a>(answer: &'a Json, kind: &str) -> &'a Json {
    let parts = answer["parts"].as_array().expect("an answer with parts");
    let found = parts.iter().find(|part| part["kind"] == kind);
    found.unwrap_or(&Json::Null)
}
