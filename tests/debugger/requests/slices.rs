//! Lines that run in slices: `budget`, `continue` and `interrupt`.

use super::Client;
use crate::protocol::assert_is;
use gridbug::protocol::Connection;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem, with_solutions};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Runs a line in slices. Returns the answer and how many slices there were.
fn sliced(client: &mut Client, line: &str, budget: u64) -> (Json, usize) {
    let mut answer = client.send(json!({"request": "line", "text": line, "budget": budget}));
    let mut slices = 1;
    while answer["running"] == true {
        assert_is("RunningAnswer", &answer);
        answer = client.send(json!({"request": "continue", "budget": budget}));
        slices += 1;
    }
    (answer, slices)
}

const LOOP: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun count(k) {
  for i(0, k) { n {n + 1} print{n} }
  return n
}
fun forever() { for i(0, 2) { i {0} n {n + 1} } return n }";

#[test]
fn a_line_in_slices_gives_the_same_answer() {
    let (mut client, mut other) = (Client::open("gridlok", LOOP), Client::open("gridlok", LOOP));
    let (answer, slices) = sliced(&mut client, "count{50}", 20);
    assert!(slices > 5, "{slices}");
    assert_eq!(answer, other.line("count{50}"));
    assert_eq!(client.trace(), other.trace());
}

#[test]
fn a_slice_has_the_output_since_the_last_one() {
    let mut client = Client::open("gridlok", LOOP);
    let request = json!({"request": "line", "text": "count{50}", "budget": 60});
    let mut answer = client.send(request);
    let (mut shown, mut time) = (Vec::new(), 0);
    while answer["running"] == true {
        shown.extend(answer["output"].as_array().unwrap().clone());
        assert!(answer["time"].as_u64().unwrap() > time);
        time = answer["time"].as_u64().unwrap();
        answer = client.send(json!({"request": "continue", "budget": 60}));
    }
    let all = answer["output"].as_array().unwrap();
    assert_eq!(all.len(), 50);
    assert!(shown.len() > 10);
    assert_eq!(shown, all[..shown.len()]);
}

#[test]
fn an_endless_line_can_be_interrupted_and_continued() {
    let mut client = Client::open("gridlok", LOOP);
    let request = json!({"request": "line", "text": "forever{}", "budget": 1000});
    assert_eq!(client.send(request)["running"], true);
    assert_eq!(
        client.send(json!({"request": "continue", "budget": 1000}))["running"],
        true
    );
    let answer = client.send(json!({"request": "interrupt"}));
    assert_eq!(answer["stopped"], true);
    let stop = &answer["parts"].as_array().unwrap().last().unwrap();
    assert_eq!(stop["reason"], "interrupt", "{answer}");
    assert!(answer["journal"].as_str().unwrap().contains("^C "));
    let (answer, _) = sliced(&mut client, ":abandon", 1000);
    assert_eq!(answer["ok"], true);
    assert_eq!(client.line("1 + 1")["lines"], json!(["= 2"]));
}

#[test]
fn nothing_else_may_use_the_session_between_slices() {
    let mut client = Client::open("gridlok", LOOP);
    for request in ["continue", "interrupt"] {
        assert_eq!(
            client.refused(json!({"request": request})),
            "no line is running"
        );
    }
    client.send(json!({"request": "line", "text": "forever{}", "budget": 1000}));
    for request in [
        json!({"request": "line", "text": "1"}),
        json!({"request": "view"}),
        json!({"request": "go", "to": 0}),
        json!({"request": "query", "text": "1"}),
        json!({"request": "open", "language": "gridlok"}),
        json!({"request": "session"}),
    ] {
        let error = client.refused(request);
        assert!(error.starts_with("a line is running"), "{error}");
    }
    assert_eq!(client.send(json!({"request": "catalog"}))["ok"], true);
    let text = json!({"request": "highlight", "language": "gridlok", "text": "1"});
    assert_eq!(client.send(text)["ok"], true);
    assert_eq!(
        client.send(json!({"request": "interrupt"}))["stopped"],
        true
    );
}

#[test]
fn a_slice_of_nothing_makes_progress() {
    let mut client = Client::open("gridlok", LOOP);
    let (answer, _) = sliced(&mut client, "count{3}", 0);
    assert_eq!(answer["output"], json!(["1", "2", "3"]));
}

#[test]
fn moves_of_the_computer_belong_to_the_line() {
    let (mut client, mut other) = (Client::sample("gridlok"), Client::sample("gridlok"));
    for client in [&mut client, &mut other] {
        client.line(":opponent o 1");
    }
    let (answer, slices) = sliced(&mut client, "click{1,1}", 1_000_000);
    assert!(slices > 1);
    let expected = other.line("click{1,1}");
    assert_eq!(answer["lines"], expected["lines"]);
    assert_eq!(answer["journal"], expected["journal"]);
    assert_eq!(client.trace(), other.trace());
}

fn session_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let folders = std::fs::read_dir(root)
        .unwrap()
        .map(|folder| folder.unwrap().path());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "session"));
    files.sort();
    files
}

/// Every line of a session file with its answer, and what is left of it.
fn play(path: &Path, budget: Option<u64>) -> Vec<Json> {
    let file = SessionFile::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut client = Client(Connection::new());
    let program = match &file.program {
        ProgramRef::None => None,
        ProgramRef::External(name) => {
            let text = std::fs::read_to_string(path.parent().unwrap().join(name)).unwrap();
            Some((name.clone(), text))
        }
        ProgramRef::Inline { name, text } => Some((name.clone(), text.clone())),
    };
    let mut request = json!({"request": "open", "language": file.language, "seed": file.seed});
    if let Some((name, text)) = program {
        request["name"] = json!(name);
        request["program"] = json!(text);
    }
    let mut seen = vec![client.send(request)];
    for item in with_solutions(&file.items) {
        let SessionItem::Input(input) = item else {
            continue;
        };
        let files = input
            .files_read
            .iter()
            .map(|(name, text)| (name.clone(), json!(text)));
        let files: serde_json::Map<String, Json> = files.collect();
        client.send(json!({"request": "files", "set": files}));
        seen.push(match budget {
            Some(budget) => sliced(&mut client, &input.text, budget).0,
            None => client.line(&input.text),
        });
    }
    seen.push(client.trace());
    seen
}

#[test]
fn session_files_in_slices_have_the_same_transcript_journal_and_state() {
    let files = session_files();
    assert!(files.len() > 20);
    for (n, path) in files.iter().enumerate() {
        let whole = play(path, None);
        // Each budget with a part of the files: together they take as long as once with all.
        let budget = [11, 100, 3000][n % 3];
        let parts = play(path, Some(budget));
        assert_eq!(whole.len(), parts.len());
        for (whole, parts) in whole.iter().zip(&parts) {
            assert_eq!(whole, parts, "{} in slices of {budget}", path.display());
        }
    }
}
