//! The JSON Schema and the TypeScript declarations of answers, which are generated from the Rust types
//! and checked in. `GRIDBUG_UPDATE=1 cargo test --test docs schema` writes them again.
//!
//! ```text
//! types       the schema of the types that derive `Serialize`, read from their source
//! by_hand     the schema of what is serialized by hand
//! typescript  the declarations, made from the schema
//! ```
//!
//! The types are read with the parser of `serde_derive`, so that names, tags and left out fields mean
//! the same as in the program, and no type needs an attribute for it.

mod by_hand;
mod types;
mod typescript;

use crate::json_answers::format_value;
use crate::pages::root;
use crate::protocol;
use serde_json::{Value as Json, json};

const FILES: [&str; 2] = ["docs/protocol.schema.json", "docs/protocol.d.ts"];

#[test]
fn the_schema_and_the_declarations_are_current() {
    let schema = types::answer_schema();
    let declarations = typescript::declarations(&schema);
    let schema = format_value(&schema, 0) + "\n";
    for (file, text) in FILES.into_iter().zip([schema, declarations]) {
        let path = root().join(file);
        if std::env::var_os("GRIDBUG_UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == text,
            "{file} is not current: GRIDBUG_UPDATE=1 cargo test --test docs schema"
        );
    }
}

/// Where lines of plain text are made or shown, and why they are not data. Everywhere else an answer
/// consists of parts that say what they mean.
const PLAIN_TEXT: [(&str, &str); 3] = [
    ("src/answer/part_list.rs", "a test of it"),
    ("src/render.rs", "it shows them"),
    (
        "src/terminal/repl.rs",
        "hints and times of the prompt, which no other client has",
    ),
];

#[test]
fn only_clients_make_plain_text() {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs")
                && std::fs::read_to_string(&path)
                    .unwrap()
                    .contains("Part::Line")
            {
                let name = path.strip_prefix(root()).unwrap();
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    assert_eq!(found, PLAIN_TEXT.map(|(file, _)| file));
}

#[test]
fn an_answer_that_does_not_fit_is_found() {
    let answer = json!({
        "protocol": 1, "entry": "", "ok": true, "text": "", "output": [], "display": null,
        "diagnostics": [], "parts": [], "stopped": false,
    });
    assert_eq!(protocol::mismatches(&answer), [""; 0]);
    let with = |field: &str, value: Json| {
        let mut answer = answer.clone();
        answer[field] = value;
        protocol::mismatches(&answer)
    };
    for (field, value, expected) in [
        ("ok", json!("yes"), "ok: expected boolean"),
        ("coverage", json!({}), "unknown field `coverage`"),
        ("parts", json!([{"kind": "nothing"}]), "parts[0].kind: "),
        (
            "parts",
            json!([{"kind": "error"}]),
            "parts[0]: missing `message`",
        ),
        (
            "parts",
            json!([{"kind": "setting", "name": "trace", "value": 1}]),
            "parts[0].value: expected boolean",
        ),
    ] {
        let found = with(field, value);
        assert!(found[0].starts_with(expected), "{found:?}");
    }
}
