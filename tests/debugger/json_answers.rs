//! The data of answers as clients get it: each kind of part from a real run, in every language that
//! has it.

use crate::protocol::{part as part_of, valid_json};
use gridbug::command::{handle_line, open_game, start_session};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::session::Session;
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// A game with a function, locals and a handler.
const GRIDLOK: &str = "game {
  board { dimensions {2, 2} image {b.png} }
  players {\"x\", \"o\"}
  def best {0}
  piece { name {\"coin\"} image {c.png}
    onClick { best {twice {best + 1}} changeType {\"gone\"} endTurn {} }
  }
  piece { name {\"gone\"} image {g.png} }
  setup { for r, c in board { place {\"coin\", r, c} } }
  fun twice(n) {
    def sum {n}
    sum {sum + n}
    return sum
  }
}";

const BOGL: &str = "game Sums
type Player = {X, O}
type Board = Array (2,2) of Player & {Empty}
type Input = Int
start : Board
start!(x,y) = Empty
pair : (Player,Int) -> (Player,Int)
pair(p,n) = let twice = n + n in (p, twice)
ask : Int -> Int
ask(n) = n + input
";

const GRIDLANG: &str = "Player { int score }
Item Coin { int value = 5 }
Layout(2, 3) {
    Player ann, bob
    ann.position = (0,0)
    bob.position = (0,0)
    Coin[2] coins
    coins[0].position = (1,2)
}
function add(int a, float f, string s, boolean b, coordinate c): int {
    int[3] list
    int total = a + list[0]
    return total
}
function ask(): int { return prompt(\"How many? \", int) }
";

fn session(language: &str, program: &str) -> Session {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let answer = start_session(&mut session, "game", program);
    assert!(answer.ok, "{:?}", answer.diagnostics);
    session
}

/// The answer to a line, as clients parse it.
fn answer(session: &mut Session, line: &str) -> Json {
    let answer = handle_line(session, line);
    let text = valid_json(session, &answer).to_string();
    serde_json::from_str(&text).expect("JSON that can be parsed")
}

/// The part of this kind in the answer to a line.
#[track_caller]
fn part(session: &mut Session, line: &str, kind: &str) -> Json {
    let answer = answer(session, line);
    let found = part_of(&answer, kind);
    assert!(!found.is_null(), "no {kind} in {answer}");
    found.clone()
}

/// Checks the members that `expected` has; lists must have the same length.
#[track_caller]
fn assert_has(actual: &Json, expected: Json) {
    fn has(actual: &Json, expected: &Json) -> bool {
        match (actual, expected) {
            (Json::Object(actual), Json::Object(expected)) => expected
                .iter()
                .all(|(name, value)| actual.get(name).is_some_and(|a| has(a, value))),
            (Json::Array(actual), Json::Array(expected)) => {
                actual.len() == expected.len()
                    && actual.iter().zip(expected).all(|(a, e)| has(a, e))
            }
            (actual, expected) => actual == expected,
        }
    }
    assert!(
        has(actual, &expected),
        "expected {expected:#}\nin {actual:#}"
    );
}

/// Name, type and value of each variable.
fn variables(part: &Json) -> Vec<String> {
    let variables = part["variables"].as_array().expect("variables");
    let text = |json: &Json| json.as_str().expect("a string").to_string();
    variables
        .iter()
        .map(|v| {
            format!(
                "{}: {} = {}",
                text(&v["name"]),
                text(&v["type"]),
                text(&v["value"])
            )
        })
        .collect()
}

#[test]
fn frames_have_their_place_function_and_cell() {
    let mut session = session("gridlok", GRIDLOK);
    handle_line(&mut session, ":break twice");
    handle_line(&mut session, "click{0,1}");
    let frames = part(&mut session, "where", "frames");
    let range = |file: &str, line: u32, column: u32, end_column: u32| {
        json!({"file": file, "line": line, "column": column,
               "end_line": line, "end_column": end_column})
    };
    assert_has(
        &frames,
        json!({"depth": 3, "current": 0, "entries": [
            {"entry": "frame", "index": 0, "function": "twice", "function_kind": "function",
             "range": range("game", 11, 5, 16), "cell": "[0][1]", "is_current": true},
            {"entry": "frame", "index": 1, "function": "coin.onClick", "function_kind": "handler",
             "range": range("game", 6, 15, 38), "cell": "[0][1]", "is_current": false},
            {"entry": "frame", "index": 2, "function": "entry", "function_kind": "entry",
             "range": range("entry 1", 1, 1, 11), "cell": null},
        ]}),
    );
    let frames = part(&mut session, "up", "frames");
    assert_eq!(frames["current"], 1);
}

#[test]
fn variables_have_the_types_of_their_language() {
    let mut gridlok = session("gridlok", GRIDLOK);
    handle_line(&mut gridlok, ":break twice");
    handle_line(&mut gridlok, "click{0,1}");
    handle_line(&mut gridlok, "next");
    let part_before = part(&mut gridlok, "vars", "variables");
    assert_eq!(variables(&part_before)[..2], ["n: int = 1", "sum: int = 1"]);
    let stop = part(&mut gridlok, "next", "stop");
    assert_has(
        &stop["variables"],
        json!([{"name": "n", "changed": false, "scope": "local"},
               {"name": "sum", "type": "int", "value": "2", "changed": true, "scope": "local"}]),
    );
    handle_line(&mut gridlok, "continue");
    assert_types(
        &mut gridlok,
        &[
            ("board[0][0]", "piece"),
            ("turn == \"x\"", "bool"),
            ("board[0][0].name", "string"),
        ],
    );

    let mut bogl = session("bogl", BOGL);
    handle_line(&mut bogl, ":break pair");
    handle_line(&mut bogl, "pair(X,3)");
    handle_line(&mut bogl, "let b = start");
    handle_line(&mut bogl, "next");
    let locals = part(&mut bogl, ":vars", "variables");
    let locals = variables(&locals);
    for expected in ["p: Player = X", "n: Int = 3", "twice: Int = 6"] {
        assert!(locals.iter().any(|v| v == expected), "{locals:?}");
    }
    handle_line(&mut bogl, "continue");
    handle_line(&mut bogl, "let both = (X, 1 == 1)");
    handle_line(&mut bogl, "let cell = Empty");
    handle_line(&mut bogl, "let board = start");
    let globals = variables(&part(&mut bogl, ":vars", "variables"));
    let types: Vec<&str> = globals
        .iter()
        .filter_map(|variable| variable.split(" = ").next())
        .collect();
    for expected in ["both: (Player,Bool)", "cell: Content", "board: Board"] {
        assert!(types.contains(&expected), "{types:?}");
    }

    let mut gridlang = session("gridlang", GRIDLANG);
    handle_line(&mut gridlang, ":break add");
    handle_line(&mut gridlang, "add(1, 2.5, \"s\", true, (0,1))");
    handle_line(&mut gridlang, "next");
    let locals = variables(&part(&mut gridlang, "vars", "variables"));
    assert_eq!(
        locals[..6],
        [
            "a: int = 1",
            "f: float = 2.500",
            "s: string = \"s\"",
            "b: boolean = true",
            "c: coordinate = (0,1)",
            "list: int[3] = [0, 0, 0]"
        ]
    );
    handle_line(&mut gridlang, "continue");
    assert_types(
        &mut gridlang,
        &[("playerOrder[0]", "Player"), ("coins[0]", "Coin")],
    );

    let mut tinygame = session("tinygame", "player hero { x = 1; y = 2; }\n");
    let globals = variables(&part(&mut tinygame, ":vars", "variables"));
    assert_eq!(globals, ["hero.x: number = 1", "hero.y: number = 2"]);
    assert_types(&mut tinygame, &[("hero.x == 1", "condition")]);

    let mut sgl2d = session("sgl2d", "player > x=1 y=2\ncounter counter1 > true 7\n");
    let globals = variables(&part(&mut sgl2d, ":vars", "variables"));
    assert!(
        globals.contains(&"counter1: number = 7".into()),
        "{globals:?}"
    );
}

/// Checks the types that `:whatis` gives to expressions.
#[track_caller]
fn assert_types(session: &mut Session, types: &[(&str, &str)]) {
    for (expression, type_name) in types {
        let description = part(session, &format!(":whatis {expression}"), "description");
        assert_eq!(description["type"], *type_name, "{expression}");
    }
}

#[test]
fn breakpoints_have_their_kind_location_condition_and_hits() {
    let mut session = session("gridlok", GRIDLOK);
    for line in [
        ":break twice if n > 0 do where",
        ":tbreak 12",
        ":watch best",
        ":log coin.onClick \"at {pieceRow}\"",
        ":break on win",
        ":break later",
        ":disable 2",
        "click{0,1}",
    ] {
        handle_line(&mut session, line);
    }
    let list = part(&mut session, ":breaks", "breakpoints");
    let at = |line: u32, column: u32, end: u32| {
        json!([{"file": "game", "line": line, "column": column,
                "end_line": line, "end_column": end}])
    };
    assert_has(
        &list["breakpoints"],
        json!([
            {"id": 1, "stops_at": "function", "location": "twice", "ranges": at(11, 5, 16),
             "condition": "n > 0", "command": "where", "hits": 1, "is_enabled": true,
             "is_temporary": false, "is_pending": false},
            {"id": 2, "stops_at": "line", "location": "12", "ranges": at(12, 5, 18),
             "condition": null, "hits": 0, "is_enabled": false, "is_temporary": true},
            {"id": 3, "stops_at": "watch", "access": "change", "location": "best", "hits": 0},
            {"id": 4, "stops_at": "function", "location": "coin.onClick",
             "log_message": "at {pieceRow}", "hits": 1},
            {"id": 5, "stops_at": "event", "location": "on win", "hits": 0},
            {"id": 6, "location": "later", "ranges": [], "is_pending": true},
        ]),
    );
}

#[test]
fn a_stop_has_its_reason_hits_place_time_and_changes() {
    let mut session = session("gridlok", GRIDLOK);
    handle_line(&mut session, ":watch best");
    handle_line(&mut session, ":break twice");
    handle_line(&mut session, ":break 11");
    let first = part(&mut session, "click{0,1}", "stop");
    assert_has(
        &first,
        json!({"reason": "breakpoint", "hits": [{"id": 2}, {"id": 3}], "where": "twice",
               "file": "game", "line": 11, "column": 5, "end_line": 11, "end_column": 16,
               "frame": 0, "action": {"entry": "click{0,1}", "player": "x"},
               "variables": [{"name": "n", "value": "1"}],
               "since": "entry_start", "changes": []}),
    );
    let second = part(&mut session, "continue", "stop");
    assert_has(
        &second,
        json!({"reason": "watch", "where": "coin.onClick", "cell": "[0][1]",
               "hits": [{"id": 1, "watched": {"access": "changed", "target": "best",
                                              "old": "0", "new": "2", "is_ahead": false}}],
               "since": "last_stop",
               "changes": [{"kind": "variable", "name": "best", "old": "0", "new": "2"}]}),
    );
    assert!(second["time"].as_u64() > first["time"].as_u64());
    let third = part(&mut session, "next", "stop");
    assert_has(
        &third,
        json!({"reason": "step", "hits": [],
               "changes": [{"kind": "cell", "cell": "[0][1]", "old": "coin", "new": "gone"}]}),
    );
}

#[test]
fn an_evaluation_has_a_step_for_each_value() {
    let mut session = session("gridlok", GRIDLOK);
    handle_line(&mut session, ":break 12");
    handle_line(&mut session, "twice{3}");
    let evaluation = part(&mut session, "step expr", "evaluation");
    let at = |column: u32, end: u32| {
        json!({"file": "game", "line": 12, "column": column,
               "end_line": 12, "end_column": end})
    };
    assert_has(
        &evaluation,
        json!({"function": "twice", "text": "sum {sum + n}",
               "steps": [
                   {"number": 1, "text": "sum", "range": at(10, 13), "value": "3",
                    "substituted": {"text": "sum {3 + n}"}},
                   {"number": 2, "text": "n", "range": at(16, 17), "value": "3",
                    "substituted": {"text": "sum {3 + 3}"}},
                   {"number": 3, "text": "sum + n", "range": at(10, 17), "value": "6",
                    "substituted": {"text": "sum {6}"}},
               ],
               "effect": {"variables": [{"name": "sum", "old": "3", "new": "6"}]}}),
    );
}

#[test]
fn a_diff_has_the_changed_cells_and_variables() {
    let mut session = session("gridlok", GRIDLOK);
    handle_line(&mut session, ":mark before");
    handle_line(&mut session, "click{0,1}");
    let diff = part(&mut session, ":diff before", "diff");
    assert_has(
        &diff["changes"],
        json!([
            {"kind": "cell", "cell": "[0][1]", "old": "coin", "new": "gone"},
            {"kind": "variable", "name": "turn", "old": "\"x\"", "new": "\"o\""},
            {"kind": "variable", "name": "turnCount", "old": "0", "new": "1"},
            {"kind": "variable", "name": "best", "old": "0", "new": "2"},
        ]),
    );
    assert!(diff["from"].as_u64() < diff["to"].as_u64());
}

#[test]
fn a_timeline_has_entries_a_position_branches_and_marks() {
    let mut session = session("gridlok", GRIDLOK);
    for line in [
        "click{0,0}",
        ":mark first",
        "click{0,1}",
        ":undo",
        "click{1,1}",
    ] {
        handle_line(&mut session, line);
    }
    let timeline = part(&mut session, ":branches", "timeline");
    assert_has(
        &timeline,
        json!({"subject": "branches", "is_stopped": false, "action": 3,
               "entries": [
                   {"index": 0, "text": "", "action": "start_game"},
                   {"index": 1, "text": ":load game", "action": "start_game"},
                   {"index": 2, "text": "click{0,0}", "action": "run", "has_effect": true,
                    "is_current": false, "is_ahead": false},
                   {"index": 3, "text": "click{1,1}", "is_current": true, "is_ahead": false},
               ],
               "branches": [{"number": 1, "shared_entries": 3,
                             "entries": [{"index": 0, "text": "click{0,1}"}]}],
               "marks": [{"name": "first", "branch": null, "is_lost": false}]}),
    );
    let first_click = &timeline["entries"][2];
    assert_eq!(timeline["marks"][0]["time"], first_click["end"]);
    assert_eq!(timeline["branches"][0]["fork_time"], first_click["end"]);
    assert_eq!(timeline["position"], timeline["last"]);
    assert_eq!(timeline["position"], timeline["entries"][3]["end"]);
    handle_line(&mut session, ":undo");
    let timeline = part(&mut session, ":when", "timeline");
    assert_eq!(timeline["position"], first_click["end"]);
    assert_eq!(timeline["entries"][3]["is_ahead"], true);
}

#[test]
fn diagnostics_have_spans_notes_and_related_places() {
    let mut session = session("bogl", BOGL);
    let answer = answer(&mut session, "pair(X, True)");
    assert_has(
        &answer,
        json!({"ok": false, "diagnostics": [{
            "severity": "error", "phase": "type", "file": "entry 1",
            "line": 1, "column": 9, "end_line": 1, "end_column": 13}]}),
    );
    let diagnostic = &answer["diagnostics"][0];
    assert!(
        diagnostic["message"]
            .as_str()
            .is_some_and(|m| m.contains("Int"))
    );
    assert_has(&diagnostic["related"], json!([{"file": "game", "line": 7}]));
}

#[test]
fn a_question_has_its_text_and_the_type_of_the_answer() {
    let mut gridlang = session("gridlang", GRIDLANG);
    let asked = answer(&mut gridlang, "ask()");
    assert_has(
        &asked,
        json!({"needs_input": true, "question": {"text": "How many? ", "type": "int"}}),
    );
    let mut bogl = session("bogl", BOGL);
    let asked = answer(&mut bogl, "ask(1)");
    assert_eq!(asked["needs_input"], true);
    assert_eq!(asked["question"]["type"], "Int");
}

#[test]
fn the_board_has_everything_that_the_language_shows() {
    let mut gridlok = session("gridlok", GRIDLOK);
    handle_line(&mut gridlok, "board[1][1].visible {false}");
    let clicked = answer(&mut gridlok, "click{0,1}");
    assert_has(
        part_of(&clicked, "board"),
        json!({"rows": 2, "cols": 2, "origin": [0, 0], "upward": false, "unbounded": false,
               "focus": null, "cells": [["coin", "gone"], ["coin", "coin"]],
               "visible": [[true, true], [true, false]],
               "current": null, "changed": [[0, 1]], "shows_hidden": false}),
    );
    let stopped = {
        handle_line(&mut gridlok, ":break twice");
        answer(&mut gridlok, "click{1,0}")
    };
    assert_eq!(part_of(&stopped, "board")["current"], json!([1, 0]));
    let truth = part(&mut gridlok, ":board truth", "board");
    assert_has(&truth, json!({"shows_hidden": true, "rows": 2}));

    let mut gridlang = session("gridlang", GRIDLANG);
    let state = part(&mut gridlang, ":state", "state");
    let board = &state["board"];
    assert_has(
        board,
        json!({"rows": 2, "cols": 3, "cells": [["ann", null, null], [null, null, "coins"]],
               "stack": [[["bob"], [], []], [[], [], []]]}),
    );

    let mut bogl = session("bogl", BOGL);
    handle_line(&mut bogl, "place(X, start, (2,1))");
    let board = part(&mut bogl, "start", "board");
    assert_has(
        &board,
        json!({"origin": [1, 1], "cells": [["Empty", "Empty"], ["Empty", "Empty"]]}),
    );

    let mut tinygame = session("tinygame", "player hero { x = 1; y = 2; }\n");
    let board = part(&mut tinygame, ":state", "state")["board"].clone();
    assert_has(&board, json!({"upward": true, "unbounded": true}));
    assert!(board["cells"].to_string().contains("hero"), "{board}");

    let mut sgl2d = session(
        "sgl2d",
        "environment > x=3 y=1\nplayer > x=1 y=0 color=blue\n\
         sprite floor > color=grey\nset floor > (x=0 y=0, x=2 y=0)\n",
    );
    let board = part(&mut sgl2d, ":state", "state")["board"].clone();
    assert_has(
        &board,
        json!({"rows": 1, "cols": 3, "focus": [0, 1],
               "cells": [["floor", "floor", "floor"]], "top": [[null, "player", null]]}),
    );
    assert!(
        board["color"][0][1]
            .as_str()
            .is_some_and(|c| c.starts_with('#'))
    );
}

#[test]
fn files_are_described_by_their_parts() {
    let host = Rc::new(MemoryHost::new());
    host.set_file("game.gl", GRIDLOK);
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    assert!(open_game(&mut session, "game.gl").ok);
    handle_line(&mut session, "click{0,0}");
    handle_line(&mut session, "best + 1");
    let saved = part(&mut session, ":save a", "saved_file");
    assert_has(
        &saved,
        json!({"path": "a.session", "type": "session", "entry_count": 2, "is_exact": true}),
    );
    let result = part(&mut session, ":test a.session", "test_result");
    assert_has(
        &result,
        json!({"path": "a.session", "entry_count": 2, "mismatches": []}),
    );
    let reloaded = part(&mut session, ":reload", "reloaded");
    assert_eq!(reloaded["path"], "game.gl");
    let opened = part(&mut session, ":load a.session", "opened_session");
    assert_has(
        &opened,
        json!({"path": "a.session", "entry_count": 2, "mismatch_count": 0}),
    );
}

#[test]
fn a_trace_has_the_depth_of_every_call_and_says_what_is_left_out() {
    let program = "board { dimensions {1, 1} image {b.png} }
fun deep(n) { if n == 0 { return 0 } return 1 + (deep {n - 1}) }";
    let mut session = session("gridlok", program);
    handle_line(&mut session, ":trace on");
    let answer = answer(&mut session, "deep{600}");
    let parts = answer["parts"].as_array().expect("parts");
    let of_kind = |kind: &str| -> Vec<&Json> {
        let parts = parts.iter();
        parts.filter(|part| part["kind"] == kind).collect()
    };
    // The calls are one level deeper each, more than any screen can indent.
    let depths: Vec<u64> = of_kind("trace")
        .iter()
        .filter_map(|part| part["depth"].as_u64())
        .collect();
    assert!(
        depths.windows(2).all(|pair| pair[1] == pair[0] + 1),
        "{depths:?}"
    );
    assert_eq!(depths.len(), 500);
    // The entry, and 601 calls.
    assert_eq!(of_kind("trace_omitted")[0]["count"], 602 - 500);
}
