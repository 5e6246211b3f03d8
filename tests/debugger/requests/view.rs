//! The request `view`.

use super::{Client, PLAYED};
use serde_json::{Value as Json, json};

#[test]
fn a_view_has_all_parts_in_every_language_and_mode() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        client.view();
        for line in lines {
            client.line(line);
            let view = client.view();
            assert_eq!(view["status"]["language"], language);
            assert!(view["board"]["cells"].is_array(), "{language}: {line}");
        }
    }
}

#[test]
fn looking_leaves_no_trace() {
    for (language, lines) in PLAYED {
        let (mut client, mut other) = (Client::sample(language), Client::sample(language));
        for line in lines {
            client.view();
            let window = json!({"rows": 1, "cols": 2, "first_row": 1});
            client.send(json!({"request": "view", "board": window, "now": 17}));
            client.send(json!({"request": "cell", "row": 0, "col": 0}));
            let (answer, expected) = (client.line(line), other.line(line));
            assert_eq!(answer, expected, "{language}: {line}");
        }
        client.view();
        assert_eq!(client.trace(), other.trace(), "{language}");
    }
}

#[test]
fn only_the_parts_that_were_asked_for_are_there() {
    let mut client = Client::sample("gridlok");
    let view = client.send(json!({"request": "view", "parts": ["stop", "question", "lesson"]}));
    let names: Vec<&String> = view.as_object().unwrap().keys().collect();
    let expected = [
        "ok",
        "protocol",
        "time",
        "is_away",
        "program_version",
        "question",
        "stop",
        "lesson",
    ];
    assert_eq!(names, expected);
    assert_eq!(view["stop"], Json::Null);
    assert_eq!(view["question"], Json::Null);
}

#[test]
fn the_board_is_a_window_of_numbers() {
    let mut client = Client::sample("gridlok");
    client.line("click{1,2}");
    let window = json!({"first_row": 1, "first_col": 1, "rows": 9, "cols": 9});
    let view = client.send(json!({"request": "view", "parts": ["board"], "board": window}));
    let board = &view["board"];
    assert_eq!((&board["rows"], &board["cols"]), (&json!(3), &json!(3)));
    assert_eq!(board["first_row"], 1);
    assert_eq!(board["names"], json!([null, "free", "X"]));
    assert_eq!(board["glyphs"], json!([null, "·", "X"]));
    assert_eq!(board["cells"], json!([[1, 2], [1, 1]]));
    assert_eq!(board["hidden"], Json::Null);
    // A window outside the board is empty.
    let window = json!({"first_row": 5, "rows": 1, "cols": 1});
    let view = client.send(json!({"request": "view", "parts": ["board"], "board": window}));
    assert_eq!(view["board"]["cells"], json!([]));
}

/// The cells of a view by name, as `:state` has them.
fn named_cells(board: &Json, property: &str) -> Json {
    let names = board["names"].as_array().unwrap();
    let name = |index: &Json| names[index.as_u64().unwrap() as usize].clone();
    let row = |row: &Json| json!(row.as_array().unwrap().iter().map(name).collect::<Vec<_>>());
    let rows = board[property].as_array();
    rows.map_or(Json::Null, |rows| {
        json!(rows.iter().map(row).collect::<Vec<_>>())
    })
}

#[test]
fn the_board_of_a_view_is_that_of_the_state() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        for line in lines {
            client.line(line);
            let board = client.view()["board"].clone();
            let state = client.line(":state")["parts"][0]["board"].clone();
            for name in ["rows", "cols", "origin", "upward", "unbounded", "focus"] {
                assert_eq!(board[name], state[name], "{language}: {line}: {name}");
            }
            assert_eq!(
                named_cells(&board, "cells"),
                state["cells"],
                "{language}: {line}"
            );
            assert_eq!(
                named_cells(&board, "top"),
                state["top"],
                "{language}: {line}"
            );
            assert_eq!(
                named_cells(&board, "owner"),
                state["owner"],
                "{language}: {line}"
            );
            for stack in board["stack"].as_array().into_iter().flatten() {
                let (row, col) = (stack["at"][0].as_u64(), stack["at"][1].as_u64());
                let (row, col) = (row.unwrap() as usize, col.unwrap() as usize);
                assert_eq!(
                    stack["names"], state["stack"][row][col],
                    "{language}: {line}"
                );
            }
        }
    }
}

#[test]
fn the_stop_of_a_view_is_where_the_line_has_stopped() {
    for (language, lines) in PLAYED {
        let mut client = Client::sample(language);
        for line in lines {
            let answer = client.line(line);
            let view = client.view();
            assert_eq!(view["stop"].is_object(), answer["stopped"] == true);
            let parts = answer["parts"].as_array().unwrap();
            let Some(stop) = parts.iter().find(|part| part["kind"] == "stop") else {
                continue;
            };
            for name in [
                "where",
                "location",
                "line",
                "column",
                "end_line",
                "end_column",
                "depth",
            ] {
                assert_eq!(view["stop"][name], stop[name], "{language}: {line}: {name}");
            }
            assert_eq!(
                view["stop"]["variables"], stop["variables"],
                "{language}: {line}"
            );
        }
    }
}

#[test]
fn variables_have_their_values_as_data() {
    let mut client = Client::sample("gridlok");
    client.line("def three {3}");
    client.line(":break mine");
    client.line("click{0,0}");
    let view = client.view();
    let variables = view["variables"].as_array().unwrap();
    let named = |name: &str| variables.iter().find(|v| v["name"] == name).unwrap();
    assert_eq!(named("three")["data"], 3);
    assert_eq!(named("p")["data"]["piece"], "X");
    assert_eq!(named("p")["scope"], "local");
}

#[test]
fn an_open_question_is_in_the_view_until_it_is_answered() {
    let program = "Player { int score }
Layout(2, 3) { Player ann; ann.position = (0,0) }
function ask(): coordinate { return prompt(\"Where?\", coordinate) }
";
    let mut client = Client::open("gridlang", program);
    assert_eq!(client.view()["question"], Json::Null);
    client.line("ask()");
    let view = client.view();
    assert_eq!(view["status"]["is_waiting"], true);
    assert_eq!(view["question"]["takes_cell"], true, "{}", view["question"]);
    let cell = client.send(json!({"request": "cell", "row": 0, "col": 1}));
    assert_eq!(cell["answers_question"], true);
    client.line(cell["entry"].as_str().unwrap());
    assert_eq!(client.view()["question"], Json::Null);
}

#[test]
fn a_prediction_says_which_cell_it_asks_about() {
    let mut client = Client::sample("gridlok");
    client.line(":predict cell 1,2");
    client.line("click{1,2}");
    let view = client.view();
    assert_eq!(view["prediction"]["at"], json!([1, 2]));
    assert_eq!(view["prediction"]["line"], "click{1,2}");
    assert!(view["prediction"]["choices"].is_array());
}

#[test]
fn a_lesson_has_its_title_and_its_next_step() {
    let mut client = Client::sample("gridlok");
    client.line(":lesson gridlok 2");
    let view = client.view();
    assert_eq!(view["lesson"]["argument"], "gridlok 2");
    assert_eq!(view["lesson"]["number"], 1);
    assert_eq!(view["lesson"]["is_in_course"], true);
    assert!(!view["lesson"]["title"].as_str().unwrap().starts_with('2'));
}

#[test]
fn the_program_version_changes_only_with_the_program() {
    let mut client = Client::sample("gridlok");
    let version = |client: &mut Client| client.view()["program_version"].as_u64().unwrap();
    let first = version(&mut client);
    assert_eq!(version(&mut client), first);
    client.line("fun two() { return 2 }");
    let second = version(&mut client);
    assert!(second > first);
    assert_eq!(version(&mut client), second);
    client.line(":undo");
    // The program is the one before again.
    assert_eq!(version(&mut client), first);
    client.line("1 + 1");
    assert_eq!(version(&mut client), first);
}

#[test]
fn what_a_click_types_depends_on_the_language() {
    let cell = |client: &mut Client| client.send(json!({"request": "cell", "row": 1, "col": 2}));
    let mut client = Client::sample("gridlok");
    assert_eq!(cell(&mut client)["entry"], "click{1,2}");
    assert_eq!(cell(&mut client)["name"], "[1][2]");
    let mut client = Client::sample("tinygame");
    assert_eq!(cell(&mut client)["entry"], Json::Null);
    let outside = client.send(json!({"request": "cell", "row": 4_000_000_000_u32, "col": 1}));
    assert_eq!(outside["name"], Json::Null);
}

#[test]
fn wrong_views_are_refused() {
    let mut client = Client(gridbug::protocol::Connection::new());
    assert_eq!(
        client.refused(json!({"request": "view"})),
        "no session is open"
    );
    let mut client = Client::sample("gridlok");
    for (request, error) in [
        (
            json!({"request": "view", "parts": ["boards"]}),
            "field `parts`: unknown variant `boards`",
        ),
        (
            json!({"request": "view", "parts": "board"}),
            "field `parts`: invalid type",
        ),
        (
            json!({"request": "view", "board": {"rows": -1, "cols": 3}}),
            "field `board`: invalid value",
        ),
        (
            json!({"request": "view", "board": {"rows": 1}}),
            "missing field `cols`",
        ),
        (
            json!({"request": "view", "window": {}}),
            "unknown field `window`",
        ),
    ] {
        let found = client.refused(request.clone());
        assert!(found.contains(error), "{request}: {found}");
    }
}
