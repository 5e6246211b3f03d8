//! Answers as clients get them, and whether they are what `docs/protocol.schema.json` promises.

#![allow(dead_code, reason = "not every test binary needs all of it")]

use gridbug::protocol::answer_to_json_text;
use gridbug::session::{Answer, Session};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Json> = LazyLock::new(|| {
    let text = include_str!("../../docs/protocol.schema.json");
    serde_json::from_str(text).expect("a schema")
});

/// The first part of this kind; `null` if there is none.
pub fn part<'a>(answer: &'a Json, kind: &str) -> &'a Json {
    let parts = answer["parts"].as_array().expect("an answer with parts");
    let found = parts.iter().find(|part| part["kind"] == kind);
    found.unwrap_or(&Json::Null)
}

/// Fails if an answer is not what the schema promises, or shows text that is not data.
#[track_caller]
pub fn assert_valid(answer: &Json) {
    let mismatches = mismatches(answer);
    assert!(mismatches.is_empty(), "{mismatches:#?}\nin {answer}");
    assert!(part(answer, "line").is_null(), "plain text in {answer}");
    let has_parts = answer["parts"] != Json::Array(Vec::new());
    assert!(has_parts || answer["text"] == "", "only text in {answer}");
}

/// An answer as clients get it, which must be valid.
#[track_caller]
pub fn valid_json(session: &Session, answer: &Answer) -> Json {
    let json = serde_json::from_str(&answer_to_json_text(session, answer)).expect("JSON");
    assert_valid(&json);
    json
}

/// Where an answer differs from the schema. Fields that the schema does not have count, too, although
/// clients should ignore them.
pub fn mismatches(answer: &Json) -> Vec<String> {
    let mut found = Vec::new();
    check_closed(&SCHEMA, answer, "", &mut found);
    found
}

/// Fails if the answer to a request is not what the schema promises for this type.
#[track_caller]
pub fn assert_is(name: &str, answer: &Json) {
    let mut found = Vec::new();
    let definition = &SCHEMA["$defs"][name];
    assert!(!definition.is_null(), "no type `{name}`");
    check_closed(definition, answer, "", &mut found);
    assert!(found.is_empty(), "{found:#?}\nin {answer}");
}

/// Checks a value that must not have other fields than those of its schema.
fn check_closed(schema: &Json, value: &Json, path: &str, found: &mut Vec<String>) {
    let known = check(schema, value, path, found);
    let Json::Object(fields) = value else {
        return;
    };
    for name in fields.keys().filter(|name| !known.contains(*name)) {
        found.push(at(path, &format!("unknown field `{name}`")));
    }
}

fn at(path: &str, message: &str) -> String {
    match path {
        "" => message.to_string(),
        path => format!("{path}: {message}"),
    }
}

/// Checks a value. Returns the names of the fields that the schema has for it.
fn check(schema: &Json, value: &Json, path: &str, found: &mut Vec<String>) -> BTreeSet<String> {
    if schema
        .as_object()
        .is_none_or(|schema| schema.keys().all(|key| key == "description"))
    {
        return all_names(value);
    }
    let mut known = BTreeSet::new();
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        known.extend(check(&SCHEMA["$defs"][name], value, path, found));
    }
    for all in schema["allOf"].as_array().into_iter().flatten() {
        known.extend(check(all, value, path, found));
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(variants) = schema[key].as_array() {
            known.extend(check_variants(variants, value, path, found));
        }
    }
    if let Some(expected) = schema.get("const").filter(|expected| *expected != value) {
        found.push(at(path, &format!("expected {expected}, found {value}")));
    }
    if let Some(names) = schema["enum"]
        .as_array()
        .filter(|names| !names.contains(value))
    {
        found.push(at(
            path,
            &format!("expected one of {names:?}, found {value}"),
        ));
    }
    let types = match &schema["type"] {
        Json::String(name) => vec![name.as_str()],
        Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| has_type(value, name)) {
        found.push(at(
            path,
            &format!("expected {}, found {value}", types.join(" or ")),
        ));
        return known;
    }
    known.extend(check_fields(schema, value, path, found));
    check_items(schema, value, path, found);
    known
}

/// Checks a value that must fit one of several schemas.
fn check_variants(
    variants: &[Json],
    value: &Json,
    path: &str,
    found: &mut Vec<String>,
) -> BTreeSet<String> {
    let mut failures = Vec::new();
    for variant in variants {
        let mut problems = Vec::new();
        let known = check(variant, value, path, &mut problems);
        if problems.is_empty() {
            return known;
        }
        failures.push(problems);
    }
    // A variant with the right tag is the one that was meant.
    let is_other = |problem: &String| problem.contains(": expected \"");
    let closest = failures
        .into_iter()
        .min_by_key(|problems| (problems.iter().any(is_other), problems.len()));
    found.extend(closest.unwrap_or_default());
    all_names(value)
}

/// The names of all fields, where others than those of the schema do not matter.
fn all_names(value: &Json) -> BTreeSet<String> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, _)| name.clone()).collect()
}

fn check_fields(
    schema: &Json,
    value: &Json,
    path: &str,
    found: &mut Vec<String>,
) -> BTreeSet<String> {
    let Json::Object(fields) = value else {
        return BTreeSet::new();
    };
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Json::as_str) {
        if !fields.contains_key(name) {
            found.push(at(path, &format!("missing `{name}`")));
        }
    }
    let mut known = BTreeSet::new();
    let inner = |name: &str| match path {
        "" => name.to_string(),
        path => format!("{path}.{name}"),
    };
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        known.insert(name.clone());
        if let Some(value) = fields.get(name) {
            check_closed(field, value, &inner(name), found);
        }
    }
    if let Some(values) = schema.get("additionalProperties") {
        for (name, value) in fields {
            known.insert(name.clone());
            check_closed(values, value, &inner(name), found);
        }
    }
    known
}

fn check_items(schema: &Json, value: &Json, path: &str, found: &mut Vec<String>) {
    let Json::Array(items) = value else {
        return;
    };
    let first = schema["prefixItems"].as_array();
    if let Some(first) = first.filter(|first| first.len() != items.len()) {
        let message = format!("expected {} items, found {}", first.len(), items.len());
        found.push(at(path, &message));
    }
    for (n, item) in items.iter().enumerate() {
        let schema = first.and_then(|first| first.get(n)).or(schema.get("items"));
        if let Some(schema) = schema {
            check_closed(schema, item, &format!("{path}[{n}]"), found);
        }
    }
}

fn has_type(value: &Json, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
