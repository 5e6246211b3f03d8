//! `:why` as JSON: a tree of statements, values, branches and times.

use crate::protocol::valid_json;
use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::Session;
use serde_json::{Value as Json, json};

const SUM: &str = "game Sums
sum : Int -> Int
sum(n) = if n == 0 then 0 else let m = n - 1 in n + sum(m)
";

const COUNT: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun add(k) {
  for i(0, k) {
    if (i == 2) {
      n {n + i}
    }
  }
  return n
}";

fn session(language: &str, name: &str, text: &str) -> Session {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load(name, text);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

/// The explanation in the answer to a line.
fn explanation(session: &mut Session, line: &str) -> Json {
    let answer = handle_line(session, line);
    let json = valid_json(session, &answer).to_string();
    // Clients must be able to parse it: serde_json accepts 128 levels.
    let json: Json = serde_json::from_str(&json).expect("JSON that can be parsed");
    let parts = json["parts"].as_array().expect("parts").clone();
    let is_explanation = |part: &Json| part["kind"] == "explanation";
    parts
        .into_iter()
        .find(is_explanation)
        .expect("an explanation")
}

#[test]
fn a_statement_comes_with_its_values_its_loop_and_its_callers() {
    let mut session = session("gridlok", "count.gl", COUNT);
    handle_line(&mut session, "add{3}");
    let why = explanation(&mut session, ":why n");
    assert_eq!(
        why["subject"],
        json!({"type": "change", "name": "n", "old": "0", "new": "2"})
    );
    assert!(why["time"].is_u64());
    let relations: Vec<&str> = why["causes"]
        .as_array()
        .expect("causes")
        .iter()
        .filter_map(|node| node["relation"].as_str())
        .collect();
    assert_eq!(relations, ["statement", "enclosing", "loop"]);
    let [statement, test, iteration] = [0, 1, 2].map(|n| &why["causes"][n]);
    assert_eq!(statement["function"], "add");
    assert_eq!(statement["statement"]["text"], "n {n + i}");
    assert_eq!(statement["statement"]["range"]["file"], "count.gl");
    assert_eq!(statement["statement"]["range"]["line"], 6);
    assert!(value_of(statement, "n + i") == "2" && value_of(statement, "i") == "2");
    assert_eq!(value_of(test, "i == 2"), "true");
    assert_eq!(iteration["iteration"], 3);
    assert_eq!(iteration["variables"], json!([{"name": "i", "value": "2"}]));
    let caller = &why["callers"][0];
    assert_eq!(
        (&caller["relation"], &caller["statement"]["text"]),
        (&json!("caller"), &json!("add{3}"))
    );
    assert!(caller["time"].is_u64());
}

/// The value of an expression in a node.
fn value_of(node: &Json, expression: &str) -> String {
    let values = node["values"].as_array().expect("values");
    let is_it = |value: &&Json| value["expression"]["text"] == expression;
    let value = values.iter().find(is_it).expect("a value");
    value["value"].as_str().expect("text").to_string()
}

#[test]
fn calls_form_a_tree_with_arguments_results_and_branches() {
    let mut session = session("bogl", "sum.bgl", SUM);
    let why = explanation(&mut session, ":why sum(1)");
    assert_eq!(why["subject"]["value"], "1");
    let call = &why["causes"][0]["children"][0];
    assert_eq!(call["relation"], "call");
    assert_eq!(
        (&call["function"], &call["arguments"]),
        (&json!("sum"), &json!(["1"]))
    );
    assert_eq!(call["statement"]["range"]["line"], 3);
    let branch = &call["steps"][0];
    assert_eq!(branch["type"], "branch");
    assert_eq!(branch["test"]["text"], "n == 0");
    assert_eq!(
        (&branch["is_true"], &branch["value"]),
        (&json!(false), &json!("False"))
    );
    let inner = &call["children"][0];
    assert_eq!(
        (&inner["arguments"], &inner["value"]),
        (&json!(["0"]), &json!("0"))
    );
    assert_eq!(inner["expression"]["text"], "sum(m)");
}

#[test]
fn a_deep_recursion_is_cut_and_counted() {
    let mut session = session("bogl", "sum.bgl", SUM);
    for (depth, deepest) in [(100, "0"), (600, "0")] {
        let why = explanation(&mut session, &format!(":why sum({depth})"));
        let expression = &why["causes"][0];
        let mut levels = 0;
        let mut call = &expression["children"][0];
        while call.is_object() {
            levels += 1;
            call = &call["children"][0];
        }
        let omitted = &expression["omitted_calls"];
        assert_eq!(omitted["count"].as_u64(), Some(depth + 1 - levels));
        assert_eq!(omitted["deepest"]["arguments"], json!([deepest]));
        assert_eq!(omitted["depth"], json!(depth + 1));
    }
}

#[test]
fn deciding_tests_come_with_their_function_and_their_parts() {
    let mut session = session("bogl", "sum.bgl", SUM);
    let why = explanation(&mut session, ":why not sum(2) == 4");
    let test = &why["deciding_tests"][0];
    assert!(
        test["function"].is_string() && test["test"]["value"] == "False",
        "{test}"
    );
}

#[test]
fn outputs_are_listed_with_their_times() {
    let mut session = session("gridlok", "count.gl", COUNT);
    let answer = handle_line(&mut session, ":why output");
    let json = valid_json(&session, &answer);
    assert_eq!(json["parts"], json!([{"kind": "outputs", "outputs": []}]));
}
