//! The request `go`: looking at other times without being recorded.

use super::{Client, PLAYED};
use crate::protocol::assert_is;
use serde_json::{Value as Json, json};

fn go(client: &mut Client, to: impl Into<Json>) -> Json {
    let view = client.send(json!({"request": "go", "to": to.into()}));
    assert_is("ViewAnswer", &view);
    view
}

/// Times all over the history.
fn times(client: &mut Client) -> Vec<u64> {
    let timeline = client.view()["timeline"].clone();
    let (first, last) = (
        timeline["first"].as_u64().unwrap(),
        timeline["last"].as_u64().unwrap(),
    );
    let step = ((last - first) / 7).max(1);
    (first..=last)
        .step_by(step as usize)
        .chain([last])
        .collect()
}

#[test]
fn a_visit_shows_what_goto_shows() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        for line in lines {
            client.line(line);
        }
        for time in times(&mut client) {
            let mut visited = go(&mut client, time);
            go(&mut client, "back");
            let mut other = Client::sample(language);
            for line in lines {
                other.line(line);
            }
            other.line(&format!(":goto {time}"));
            let mut expected = other.view();
            visited["is_away"] = json!(false);
            visited["program_version"] = expected["program_version"].clone();
            // What has changed since the last stop is not known of a visit.
            for view in [&mut visited, &mut expected] {
                view["variables"] = Json::Null;
                view["stop"]["variables"] = Json::Null;
            }
            assert_eq!(visited, expected, "{language}: {time}");
        }
    }
}

#[test]
fn scrubbing_and_coming_back_leaves_no_trace() {
    for (language, lines) in PLAYED {
        let (mut client, mut other) = (Client::sample(language), Client::sample(language));
        for line in lines {
            let before = client.view();
            for time in times(&mut client) {
                go(&mut client, time);
                client.send(json!({"request": "query", "text": ":why"}));
                client.send(json!({"request": "view", "time": "start", "parts": ["board"]}));
            }
            let back = go(&mut client, "back");
            assert_eq!(back, before, "{language}: before {line}");
            assert_eq!(client.line(line), other.line(line), "{language}: {line}");
        }
        assert_eq!(client.trace(), other.trace(), "{language}");
    }
}

#[test]
fn a_view_of_another_time_returns_at_once() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        for line in lines {
            client.line(line);
            let before = client.view();
            for time in times(&mut client) {
                let view = client.send(json!({"request": "view", "time": time}));
                assert_is("ViewAnswer", &view);
                assert_eq!(view["time"], time);
            }
            assert_eq!(client.view(), before, "{language}: {line}");
        }
    }
}

#[test]
fn the_next_line_records_the_way_there() {
    for (language, lines) in PLAYED {
        let (mut client, mut other) = (Client::sample(language), Client::sample(language));
        for line in lines {
            client.line(line);
            other.line(line);
        }
        let times = times(&mut client);
        let past = times[times.len() / 2];
        go(&mut client, times[0]);
        go(&mut client, past);
        other.line(&format!(":goto {past}"));
        for line in [lines[0], ":when", ":undo"] {
            assert_eq!(
                client.line(line)["lines"],
                other.line(line)["lines"],
                "{language}"
            );
        }
        assert_eq!(client.trace(), other.trace(), "{language}");
        let saved = client.line(":save /y.session");
        let file = &saved["parts"][0];
        assert_eq!(file["is_exact"], true, "{language}: {saved}");
    }
}

#[test]
fn a_line_after_coming_back_by_hand_records_nothing() {
    let (mut client, mut other) = (Client::sample("gridlok"), Client::sample("gridlok"));
    for client in [&mut client, &mut other] {
        client.line("click{1,1}");
    }
    let now = client.view()["time"].clone();
    go(&mut client, "start");
    assert_eq!(go(&mut client, now)["is_away"], true);
    client.line("click{0,0}");
    other.line("click{0,0}");
    assert_eq!(client.trace(), other.trace());
}

#[test]
fn times_have_names() {
    let mut client = Client::sample("gridlok");
    let expected = client.view();
    client.line("click{1,1}");
    client.line(":mark here");
    client.line("click{0,0}");
    let end = client.view();
    let start = go(&mut client, "start");
    assert_eq!(start["board"], expected["board"]);
    assert_eq!(go(&mut client, "here")["board"]["cells"][1][1], 2);
    assert_eq!(go(&mut client, "event 2")["is_away"], true);
    assert_eq!(go(&mut client, "end")["time"], end["time"]);
    assert_eq!(go(&mut client, "back"), end);
    // Going back twice is not an error.
    assert_eq!(go(&mut client, "back"), end);
}

#[test]
fn an_open_question_is_open_again_after_a_visit() {
    let program = "Player { int score }
Layout(2, 3) { Player ann; ann.position = (0,0) }
function ask(): int { return prompt(\"How many?\", int) }
";
    let mut client = Client::open("gridlang", program);
    client.line("1 + 1");
    client.line("ask()");
    let waiting = client.view();
    assert_eq!(waiting["status"]["is_waiting"], true);
    assert_eq!(go(&mut client, "start")["question"], Json::Null);
    assert_eq!(go(&mut client, "back"), waiting);
    go(&mut client, "start");
    assert_eq!(
        go(&mut client, "end")["question"]["text"],
        waiting["question"]["text"]
    );
    assert_eq!(client.line("7")["lines"], json!(["= 7"]));
}

#[test]
fn unknown_times_are_refused_and_change_nothing() {
    let mut client = Client::sample("gridlok");
    client.line("click{1,1}");
    let before = client.view();
    for to in [
        json!(1_000_000_000),
        json!("nowhere"),
        json!("turn"),
        json!(""),
    ] {
        client.refused(json!({"request": "go", "to": to}));
        client.refused(json!({"request": "view", "time": to}));
    }
    client.refused(json!({"request": "go", "to": -1}));
    client.refused(json!({"request": "go"}));
    assert_eq!(client.view(), before);
    client.line(":predict winner");
    client.line("click{0,0}");
    let error = client.refused(json!({"request": "go", "to": 0}));
    assert!(error.starts_with("a question is open"), "{error}");
}
