//! The requests `catalog`, `highlight`, `analyze` and `complete`.

use super::Client;
use crate::protocol::assert_is;
use gridbug::protocol::Connection;
use serde_json::{Value as Json, json};

#[test]
fn everything_in_the_catalog_can_be_opened() {
    let mut client = Client(Connection::new());
    let catalog = client.send(json!({"request": "catalog"}));
    assert_is("CatalogAnswer", &catalog);
    let list = |name: &str| catalog[name].as_array().unwrap().clone();
    assert_eq!(list("languages").len(), 5);
    for example in list("examples") {
        let answer = client.send(json!({
            "request": "open", "language": example["language"], "name": example["file"],
            "program": example["program"],
        }));
        assert_eq!(answer["ok"], true, "{answer}");
    }
    for lesson in list("lessons") {
        client.send(json!({"request": "open", "language": lesson["language"]}));
        let answer = client.line(&format!(":lesson {}", lesson["argument"].as_str().unwrap()));
        assert_eq!(answer["ok"], true, "{answer}");
    }
    let turns: Vec<Json> = list("languages")
        .into_iter()
        .filter(|language| !language["turn_entry"].is_null())
        .collect();
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0]["turn_entry"], ":turn");
}

/// The text that the tokens of an answer cover, with their classes.
fn covered(text: &str, answer: &Json) -> Vec<(String, String)> {
    let lines = text.split('\n').zip(answer["lines"].as_array().unwrap());
    let mut found = Vec::new();
    for (line, tokens) in lines {
        let characters: Vec<char> = line.chars().collect();
        for token in tokens.as_array().unwrap() {
            let column = |name: &str| token[name].as_u64().unwrap() as usize - 1;
            let text = characters[column("column")..column("end_column")].iter();
            let class = token["class"].as_str().unwrap();
            found.push((text.collect(), class.to_string()));
        }
    }
    found
}

#[test]
fn tokens_are_in_characters_line_by_line() {
    let mut client = Client(Connection::new());
    let text = "print{\"é😀\"} turnCount\n\n// é\nif 12";
    let answer = client.send(json!({"request": "highlight", "language": "gridlok", "text": text}));
    assert_is("HighlightAnswer", &answer);
    assert_eq!(answer["lines"].as_array().unwrap().len(), 4);
    let found = covered(text, &answer);
    let words: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
    assert!(words.contains(&"\"é😀\""), "{found:?}");
    assert!(words.contains(&"turnCount"), "{found:?}");
    assert!(
        found.contains(&("// é".to_string(), "comment".to_string())),
        "{found:?}"
    );
    assert!(
        found.contains(&("12".to_string(), "number".to_string())),
        "{found:?}"
    );
    assert!(
        found.contains(&("if".to_string(), "keyword".to_string())),
        "{found:?}"
    );
}

#[test]
fn every_visible_character_of_a_program_is_in_one_token() {
    let mut client = Client(Connection::new());
    for language in gridbug::languages::ALL {
        let info = language.info();
        for text in [info.sample.to_string(), info.sample.replace('\n', "\r\n")] {
            let request = json!({"request": "highlight", "language": info.name, "text": text});
            let answer = client.send(request);
            let shown: String = covered(&text, &answer)
                .into_iter()
                .map(|(t, _)| t)
                .collect();
            let visible = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(visible(&shown), visible(&text), "{}", info.name);
        }
    }
}

#[test]
fn a_program_is_analyzed_without_a_session() {
    let mut client = Client(Connection::new());
    let mut analyze = |language: &str, program: &str| {
        let answer = client.send(json!({
            "request": "analyze", "language": language, "name": "a.gl", "program": program,
        }));
        assert_is("AnalyzeAnswer", &answer);
        answer["diagnostics"].as_array().unwrap().clone()
    };
    for language in gridbug::languages::ALL {
        let info = language.info();
        assert_eq!(
            analyze(info.name, info.sample),
            [Json::Null; 0],
            "{}",
            info.name
        );
        let found = analyze(info.name, &format!("{}\n§", info.sample));
        assert!(!found.is_empty(), "{}", info.name);
        assert_eq!(found[0]["file"], "a.gl");
    }
}

#[test]
fn completions_replace_characters() {
    let mut client = Client::sample("gridlok");
    let line = "print{\"é😀\"} turnC";
    let answer = client.send(json!({"request": "complete", "line": line}));
    assert_is("CompleteAnswer", &answer);
    assert_eq!(answer["completions"][0]["text"], "turnCount");
    assert_eq!(
        answer["completions"][0]["range"],
        json!({"start": 12, "end": 17})
    );
}

#[test]
fn wrong_requests_say_which_field_is_wrong() {
    let mut client = Client(Connection::new());
    for (request, error) in [
        (json!([]), "a request must be a JSON object"),
        (json!({"request": "fly"}), "unknown request `fly`"),
        (
            json!({"request": "highlight", "text": ""}),
            "no session is open",
        ),
        (
            json!({"request": "highlight", "language": "cobol", "text": ""}),
            "unknown language `cobol`",
        ),
        (
            json!({"request": "complete", "line": 1}),
            "`complete`: field `line`: invalid type: integer `1`, expected a string",
        ),
        (json!({"request": "line"}), "`line`: missing field `text`"),
        (
            json!({"request": "open", "language": "bogl", "program": ""}),
            "`open`: a `program` needs a `name`",
        ),
        (
            json!({"request": "open", "language": "bogl", "seed": -1}),
            "`open`: field `seed`: invalid value: integer `-1`, expected u64",
        ),
    ] {
        assert_eq!(client.refused(request), error);
    }
}
