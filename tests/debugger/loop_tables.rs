//! Loop tables as data: every iteration, value and time, whatever the text leaves out.

use crate::test_session::TestSession;
use gridbug::answer::Part;
use serde_json::{Value as Json, json};

/// The loop tables in the reply to a line, as JSON.
fn loops(session: &mut TestSession, line: &str) -> Json {
    let answer = session.reply(line);
    let tables = |part: &&Part| matches!(part, Part::LoopTables(_));
    json!(answer.parts.iter().find(tables).expect("a loop table"))
}

#[test]
fn a_loop_that_assigns_has_all_iterations_and_expressions() {
    let program = "function far(int n): int {\n    int i = 0\n    int s = 0\n    while (i < n) {\n        s += i * 2\n        i++\n    }\n    return s\n}\n";
    let mut session = TestSession::load("gridlang", program);
    let loops = loops(&mut session, ":rounds far(40)");
    assert_eq!(loops["kind"], "loop_tables");
    let table = &loops["tables"][0];
    assert_eq!(table["style"], "assigning");
    assert_eq!(table["function"], "far");
    assert_eq!(table["range"]["line"], 4);
    assert_eq!(table["result"], "completed");
    let names: Vec<&Json> = table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| &column["name"])
        .collect();
    assert_eq!(
        json!(names),
        json!(["i < n", "i * 2", "s += i * 2", "i++", "i", "s"])
    );
    assert_eq!(table["columns"][0]["content"]["is_condition"], true);
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 41);
    assert_eq!(rows[1]["iteration"], 2);
    assert_eq!(rows[1]["values"], json!(["true", "2", "2", "2", "2", "2"]));
    assert_eq!(rows[40]["iteration"], Json::Null);
    assert_eq!(rows[40]["is_final_test"], true);
    assert_eq!(rows[40]["values"][1], Json::Null);
    let times: Vec<u64> = rows.iter().map(|r| r["time"].as_u64().unwrap()).collect();
    assert!(times.is_sorted());
}

#[test]
fn the_current_and_the_deciding_iteration_are_marked() {
    let program = "function find(int n): int {\n    int i = 0\n    int at = 0\n    while (i < 9) {\n        if (i == n) {\n            at = i\n        }\n        i++\n    }\n    return at\n}\n";
    let mut session = TestSession::load("gridlang", program);
    session.reply_text(":break 6");
    session.reply_text("find(3)");
    let loops = loops(&mut session, "rounds");
    let rows = loops["tables"][0]["rows"].as_array().unwrap();
    let marked = |field: &str| rows.iter().position(|row| row[field] == true);
    assert_eq!(marked("is_current"), Some(3));
    assert_eq!(marked("is_deciding"), Some(3));
}

#[test]
fn a_loop_that_rebinds_has_the_changed_cells() {
    let program = "game Fill\n\ntype Board = Array(3,3) of Int\n\nzero : Board\nzero!(x,y) = 0\n";
    let mut session = TestSession::load("bogl", program);
    session.reply_text(
        "fill : (Int,Board) -> (Int,Board)\nfill(n,b) = while n < 3 do (n + 1, place(7, b, (n,2)))",
    );
    let loops = loops(&mut session, ":rounds fill(1, zero)");
    let table = &loops["tables"][0];
    assert_eq!(table["style"], "rebinding");
    assert_eq!(table["function"], "fill");
    assert_eq!(table["columns"][2]["name"], "n < 3");
    assert_eq!(table["columns"][2]["content"]["is_condition"], true);
    let second = &table["rows"][1];
    assert_eq!(
        second["values"],
        json!(["2", [{ "cell": "(1,2)", "value": "7" }], "True"])
    );
    assert_eq!(table["rows"][2]["is_final_test"], true);
    assert_eq!(table["result"], "completed");
}
