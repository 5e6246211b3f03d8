//! The request `query`: lines that only look, without a trace.

use super::{Client, PLAYED};
use crate::protocol::assert_valid;
use gridbug::command;
use serde_json::{Value as Json, json};

fn query(client: &mut Client, text: &str) -> Json {
    client.send(json!({"request": "query", "text": text}))
}

/// Lines that look, for every language; some of them fail.
const LOOKS: [&str; 28] = [
    "1 + 1",
    "turnCount",
    "counter1",
    "knight.x",
    "start",
    ":print 1",
    ":why",
    ":why win",
    ":why not click 0,0",
    ":why output",
    ":moves",
    ":find win within 2",
    ":find end within 2",
    ":stats 3",
    ":where",
    ":vars",
    ":program",
    ":list",
    ":board",
    ":board at 1,1",
    ":board truth",
    ":pieces",
    ":coverage",
    ":rounds",
    ":explain 1 + 1",
    ":help step",
    ":type 1",
    ":breaks",
];

#[test]
fn a_query_leaves_no_trace() {
    for (language, lines) in PLAYED {
        let (mut client, mut other) = (Client::sample(language), Client::sample(language));
        for line in lines {
            for look in LOOKS {
                let before = client.view();
                let answer = query(&mut client, look);
                assert!(answer["journal"].is_null());
                assert_eq!(client.view(), before, "{language}: {look} before {line}");
            }
            let (answer, expected) = (client.line(line), other.line(line));
            assert_eq!(answer, expected, "{language}: {line}");
        }
        for look in LOOKS {
            query(&mut client, look);
        }
        // What they answer is the same, too: nothing is known from the queries.
        for line in [
            ":find win within 2",
            ":moves",
            ":coverage",
            ":list",
            ":redo",
            "continue",
        ] {
            assert_eq!(client.line(line), other.line(line), "{language}: {line}");
        }
        assert_eq!(client.trace(), other.trace(), "{language}");
    }
}

#[test]
fn a_query_answers_like_the_line() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        for line in lines {
            client.line(line);
            for look in [
                ":state", ":vars", ":moves", ":why", ":where", ":program", ":when",
            ] {
                let found = query(&mut client, look);
                assert_valid(&found);
                let mut expected = client.line(look);
                expected.as_object_mut().unwrap().remove("journal");
                assert_eq!(found["lines"], expected["lines"], "{language}: {look}");
                assert_eq!(found["parts"], expected["parts"], "{language}: {look}");
            }
        }
    }
}

#[test]
fn an_expression_is_evaluated_without_its_effects() {
    let mut client = Client::sample("gridlok");
    client.line("def n {1}");
    client.line("fun more() { n {n + 1} return n }");
    let version = client.view();
    assert_eq!(query(&mut client, "more{}")["parts"][0]["data"], 2);
    assert_eq!(query(&mut client, "more{}")["parts"][0]["data"], 2);
    assert_eq!(client.view(), version);
    let failed = query(&mut client, "nothing_of_this_name");
    assert_eq!(failed["ok"], false);
    assert_eq!(client.view(), version);
}

#[test]
fn lines_that_change_something_are_refused() {
    for language in gridbug::languages::ALL {
        let name = language.info().name;
        let mut client = Client::sample(name);
        let before = client.view();
        for command in command::all() {
            let effects = command.effects;
            // `:goto` and `:mark` alone list times.
            let is_other_form = matches!(command.name, "goto" | "mark");
            if effects.looks != gridbug::session::Looks::Never || is_other_form {
                continue;
            }
            let error =
                client.refused(json!({"request": "query", "text": format!(":{}", command.name)}));
            assert!(
                error.contains("changes the session"),
                "{}: {error}",
                command.name
            );
        }
        for line in [
            ":display 1",
            ":trace on",
            ":branches 1",
            ":history drop 1",
            ":goto 210",
        ] {
            let error = client.refused(json!({"request": "query", "text": line}));
            assert!(error.contains("changes the session"), "{line}: {error}");
        }
        assert_eq!(
            client.refused(json!({"request": "query", "text": " "})),
            "a query needs a line"
        );
        assert_eq!(client.view(), before);
    }
    let mut client = Client::sample("gridlang");
    let before = client.view();
    assert_eq!(query(&mut client, ":turn")["ok"], false);
    assert_eq!(client.view(), before);
}

#[test]
fn the_question_of_a_prediction_cannot_be_looked_up() {
    let mut client = Client::sample("gridlok");
    client.line(":predict cell 1,1");
    client.line("click{1,1}");
    let error = client.refused(json!({"request": "query", "text": "board[1][1]"}));
    assert!(error.starts_with("a question is open"), "{error}");
    let error = client.refused(json!({"request": "query", "text": ":moves"}));
    assert!(error.starts_with("a question is open"), "{error}");
    assert_eq!(query(&mut client, ":board")["ok"], true);
    assert!(client.view()["prediction"].is_object());
}
