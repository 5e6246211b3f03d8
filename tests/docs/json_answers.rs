//! `json` blocks of the pages: lines to type (`> …`) and fields of the last answer.

use crate::protocol::assert_valid;
use gridbug::language::Language;
use serde_json::{Map, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const WIDTH: usize = 96;

/// A running `gridbug --json`, which gets a line only after it has answered the one before.
pub struct JsonProgram {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl JsonProgram {
    /// Starts the program in a folder, with the language's sample game.
    pub fn with_sample(language: &dyn Language, folder: &Path) -> Result<JsonProgram, String> {
        let info = language.info();
        let file = format!("sample.{}", info.extensions[0]);
        std::fs::write(folder.join(&file), info.sample).map_err(|error| error.to_string())?;
        let mut program = JsonProgram::start(folder, &[&file])?;
        let loaded = program.read()?;
        match loaded["ok"] == true {
            true => Ok(program),
            false => Err(loaded.to_string()),
        }
    }

    /// Starts the program without a game.
    pub fn empty(language: &dyn Language, folder: &Path) -> Result<JsonProgram, String> {
        JsonProgram::start(folder, &["--lang", language.info().name])
    }

    fn start(folder: &Path, arguments: &[&str]) -> Result<JsonProgram, String> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .arg("--json")
            .args(arguments)
            .current_dir(folder)
            .env("HOME", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        Ok(JsonProgram {
            input: child.stdin.take().expect("a pipe"),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        })
    }

    /// The answer to one line.
    fn answer(&mut self, line: &str) -> Result<Value, String> {
        writeln!(self.input, "{line}").map_err(|error| error.to_string())?;
        self.read()
    }

    fn read(&mut self) -> Result<Value, String> {
        let mut text = String::new();
        let read = self.output.read_line(&mut text);
        read.map_err(|error| error.to_string())?;
        let answer = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
        assert_valid(&answer);
        Ok(answer)
    }
}

impl Drop for JsonProgram {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The block with the current answer. Of the answer, `fields` are shown; all if there are none.
/// `parts:undone,redone` shows only the parts of these kinds.
pub fn play(
    program: &mut JsonProgram,
    block: &[String],
    fields: &[&str],
) -> Result<Vec<String>, String> {
    let inputs = block.iter().filter_map(|line| line.strip_prefix("> "));
    let mut result = Vec::new();
    let mut answer = Value::Null;
    for input in inputs {
        result.push(format!("> {input}"));
        answer = program.answer(input)?;
    }
    let Value::Object(all) = answer else {
        return Err("a `json` block needs a line `> INPUT`".into());
    };
    let mut shown = Map::new();
    for field in fields {
        let (field, kind) = match field.split_once(':') {
            Some((field, kind)) => (field, Some(kind)),
            None => (*field, None),
        };
        let value = all.get(field).cloned();
        let mut value = value.ok_or_else(|| format!("the answer has no `{field}`"))?;
        if let (Some(kind), Some(parts)) = (kind, value.as_array_mut()) {
            let kinds: Vec<&str> = kind.split(',').collect();
            parts.retain(|part| kinds.iter().any(|kind| part["kind"] == *kind));
            if parts.is_empty() {
                return Err(format!("the answer has no part `{kind}`"));
            }
        }
        shown.insert(field.to_string(), value);
    }
    let shown = if fields.is_empty() { all } else { shown };
    let text = format_value(&Value::Object(shown), 0);
    result.extend(text.lines().map(str::to_string));
    Ok(result)
}

/// JSON on one line if it fits, else with one member per line.
pub fn format_value(value: &Value, indent: usize) -> String {
    let short = spaced(value);
    if indent + short.chars().count() <= WIDTH {
        return short;
    }
    let pad = " ".repeat(indent + 2);
    let end = " ".repeat(indent);
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let name = Value::from(name.as_str());
                format!("{pad}{name}: {}", format_value(value, indent + 2))
            });
            format!("{{\n{}\n{end}}}", members.collect::<Vec<_>>().join(",\n"))
        }
        Value::Array(items) => {
            let items = items
                .iter()
                .map(|item| format!("{pad}{}", format_value(item, indent + 2)));
            format!("[\n{}\n{end}]", items.collect::<Vec<_>>().join(",\n"))
        }
        _ => short,
    }
}

/// JSON on one line, with spaces after commas and colons.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!(
                "[{}]",
                items.iter().map(spaced).collect::<Vec<_>>().join(", ")
            )
        }
        other => other.to_string(),
    }
}

/// The kinds of parts that answers can have, as JSON names them.
fn part_kinds() -> Vec<String> {
    let source = include_str!("../../src/answer/part.rs");
    let start = source.find("pub enum Part {").expect("the enum Part");
    let body = &source[start..start + source[start..].find("\n}").expect("its end")];
    let mut kinds = Vec::new();
    for line in body.lines() {
        let name: String = match line.strip_prefix("    ") {
            Some(rest) => rest.chars().take_while(|c| c.is_alphanumeric()).collect(),
            None => continue,
        };
        if name.starts_with(|c: char| c.is_uppercase()) {
            kinds.push(snake_case(&name));
        }
    }
    kinds
}

fn snake_case(name: &str) -> String {
    let mut result = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !result.is_empty() {
            result.push('_');
        }
        result.extend(c.to_lowercase());
    }
    result
}

/// Kinds that are described without an example: they need a long session, files, or another client.
const WITHOUT_EXAMPLE: [&str; 5] = [
    "known_since",
    "trace_omitted",
    "line",
    "heading",
    "rejudged",
];

#[test]
fn the_protocol_page_has_an_example_of_every_kind_of_part() {
    let page = include_str!("../../docs/protocol.md");
    let kinds = part_kinds();
    assert!(kinds.len() > 30, "{kinds:?}");
    let missing: Vec<&String> = kinds
        .iter()
        .filter(|kind| {
            let example = format!("\"kind\": \"{kind}\"");
            let mention = format!("`{kind}`");
            match WITHOUT_EXAMPLE.contains(&kind.as_str()) {
                true => !page.contains(&mention),
                false => !page.contains(&example),
            }
        })
        .collect();
    assert!(missing.is_empty(), "docs/protocol.md lacks {missing:?}");
}
