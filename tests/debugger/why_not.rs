//! The answers to `:why not` as JSON.

use crate::test_session::TestSession;
use gridbug::protocol::answer_to_json;
use serde_json::{Value, json};

/// The only part of the answer to a line.
fn part(session: &mut TestSession, line: &str) -> Value {
    let answer = session.reply(line);
    let json = answer_to_json(&session.0, &answer);
    let parts = json["parts"].as_array().expect("an answer with parts");
    assert_eq!(parts.len(), 1, "{line}: {json}");
    assert_eq!(parts[0]["kind"], "why_not", "{line}: {json}");
    parts[0].clone()
}

const ROW: &str = "board { dimensions {1, 4} image {b.png} } players {\"p\", \"q\"} def count {0}
piece { name {\"bare\"} onClick { if count == 3 { count {4} } } } piece { name {\"red\"} }
setup { for r, c in board { place {\"bare\", r, c} } }
winCondition {
  def n {0}
  for p in board { if p.name == \"red\" { n {n + 1} } else { n {0} } }
  win {n > 1}
}
loseCondition { lose {count > 4} }";

#[test]
fn a_false_flag_has_its_tests_and_the_changes_that_make_it_true() {
    let mut session = TestSession::load("gridlok", ROW);
    session.reply_text("place {\"red\", 0, 2}");
    let flag = part(&mut session, ":why not win");
    assert_eq!(
        (&flag["subject"], &flag["name"]),
        (&json!("false_flag"), &json!("win"))
    );
    let writer = &flag["writers"][0];
    assert_eq!(writer["function"], "winCondition");
    assert_eq!(writer["range"]["line"], 4);
    assert_eq!(writer["result"], "stays_false");
    assert_eq!(writer["writes"][0]["statement"], "win {n > 1}");
    assert_eq!(writer["writes"][0]["range"]["line"], 7);
    let test = &writer["tests"][0];
    assert_eq!(test["text"], "p.name == \"red\"");
    assert_eq!(
        (&test["count"], &test["false_count"]),
        (&json!(4), &json!(3))
    );
    assert_eq!(
        test["cells"]["first"],
        json!(["[0][0]", "[0][1]", "[0][3]"])
    );
    assert_eq!(test["operand"]["text"], "p.name");
    let search = &writer["search"];
    assert_eq!(search["tried"][0]["class"], "single");
    assert_eq!(
        search["solutions"][0],
        json!({
            "extent": "together",
            "changes": [{ "target": "cell", "name": "[0][3]", "current": "bare", "new": "red" }],
        })
    );
}

#[test]
fn a_change_of_a_variable_has_its_old_and_new_value() {
    let mut session = TestSession::load("gridlok", ROW);
    let flag = part(&mut session, ":why not lose");
    assert_eq!(
        flag["writers"][0]["search"]["solutions"],
        json!([{
            "extent": "together",
            "changes": [{ "target": "variable", "name": "count", "current": "0", "new": "5" }],
        }])
    );
}

#[test]
fn a_click_has_the_branches_that_are_not_taken() {
    let mut session = TestSession::load("gridlok", ROW);
    let click = part(&mut session, ":why not click 0,1");
    assert_eq!(click["cell"], "[0][1]");
    assert_eq!(
        (&click["effect"], &click["piece"]),
        (&json!("no_change"), &json!("bare"))
    );
    let branch = &click["branches"][0];
    assert_eq!(branch["test"], "count == 3");
    assert_eq!(branch["range"]["line"], 2);
    assert_eq!(branch["part"], json!({ "name": "count", "value": "0" }));
    session.reply_text("count {3}");
    let click = part(&mut session, ":why not click 0,1");
    assert_eq!(click["effect"], "changes");
    assert_eq!(click["changes"][0]["name"], "count");
}

#[test]
fn a_function_that_was_not_called_has_its_call_sites_and_their_guards() {
    let program = "board { dimensions {1, 1} image {b.png} } players {\"p\"} def count {0}
piece { name {\"bare\"} onClick {
  if count == 3 {
    grow {}
  }
  count {count + 1}
} }
setup { place {\"bare\", 0, 0} }
fun grow() { count {9} }";
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("click{0,0}");
    let call = part(&mut session, ":why not grow");
    let function = &call["functions"][0];
    assert_eq!(function["outcome"], "not_run");
    assert_eq!(function["entry"], "click{0,0}");
    assert_eq!(function["last_run"], "never");
    let site = &function["call_sites"][0];
    assert_eq!(site["function"], "bare.onClick");
    assert_eq!(site["range"]["line"], 4);
    assert_eq!(site["guards"][0]["text"], "count == 3");
}
