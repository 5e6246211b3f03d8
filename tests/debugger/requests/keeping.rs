//! Keeping and restoring sessions: `session`, `restore`, `replay`, the journal, files, the score.

use super::{Client, PLAYED};
use crate::protocol::assert_is;
use gridbug::protocol::Connection;
use serde_json::{Value as Json, json};

/// A client that keeps the journal of its answers, as a browser does.
struct Keeping {
    client: Client,
    journal: String,
}

impl Keeping {
    fn open(language: &str, program: &str) -> Keeping {
        let mut client = Client(Connection::new());
        let answer = client.send(json!({
            "request": "open", "language": language, "name": "game.txt", "program": program,
        }));
        let journal = answer["journal"].as_str().expect("a journal").to_string();
        Keeping { client, journal }
    }

    fn line(&mut self, text: &str) -> Json {
        let answer = self.client.line(text);
        self.journal += answer["journal"].as_str().unwrap_or_default();
        answer
    }

    /// Another client with the session that is kept.
    fn restored(&self) -> Keeping {
        let mut client = Client(Connection::new());
        let answer = client.send(json!({"request": "restore", "session": self.journal}));
        assert_is("RestoreAnswer", &answer);
        assert_eq!(answer["lost"], json!([]));
        let journal = answer["journal"].as_str().unwrap().to_string();
        Keeping { client, journal }
    }
}

fn sample(language: &str) -> &'static str {
    gridbug::languages::by_name(language)
        .expect("a language")
        .info()
        .sample
}

#[test]
fn the_journal_restores_the_session() {
    for (language, lines) in PLAYED {
        let mut kept = Keeping::open(language, sample(language));
        for line in lines {
            kept.line(line);
            let mut restored = kept.restored();
            let mut twice = restored.restored();
            let mut expected = kept.client.view();
            for client in [&mut restored.client, &mut twice.client] {
                let mut view = client.view();
                // A visit or a stop before is forgotten, and so is what has changed since.
                for view in [&mut view, &mut expected] {
                    view["program_version"] = json!(0);
                }
                assert_eq!(view["board"], expected["board"], "{language}: {line}");
                assert_eq!(view["timeline"], expected["timeline"], "{language}: {line}");
                assert_eq!(view["status"], expected["status"], "{language}: {line}");
                assert_eq!(
                    view["breakpoints"], expected["breakpoints"],
                    "{language}: {line}"
                );
            }
        }
    }
}

#[test]
fn only_lines_that_are_recorded_are_in_the_journal() {
    let mut kept = Keeping::open("gridlok", sample("gridlok"));
    assert!(
        kept.journal.starts_with("language gridlok"),
        "{}",
        kept.journal
    );
    assert!(kept.line(":help")["journal"].is_null());
    let line = kept.line("click{1,1}");
    assert!(
        line["journal"]
            .as_str()
            .unwrap()
            .starts_with("\n> click{1,1}\n")
    );
}

#[test]
fn the_session_as_a_text_restores_it_without_checksums() {
    let mut client = Client::sample("gridlok");
    client.line("click{1,1}");
    client.line("fun two() { return 2 }");
    let answer = client.send(json!({"request": "session"}));
    assert_is("SessionAnswer", &answer);
    let text = answer["session"].as_str().unwrap();
    assert!(!text.contains("^S"), "{text}");
    let mut other = Client(Connection::new());
    let restored = other.send(json!({"request": "restore", "session": text, "time": "start"}));
    assert_is("RestoreAnswer", &restored);
    assert_eq!(restored["entries"][0]["input"], "click{1,1}");
    assert_eq!(other.view()["is_away"], true);
    other.send(json!({"request": "go", "to": "back"}));
    assert_eq!(other.view()["board"], client.view()["board"]);
    assert_eq!(other.line("two{}")["lines"], json!(["= 2"]));
}

#[test]
fn a_damaged_journal_is_restored_as_far_as_possible() {
    let mut kept = Keeping::open("gridlok", sample("gridlok"));
    kept.line("click{1,1}");
    kept.line("click{0,0}");
    let whole = kept.journal.clone();
    for length in [whole.len() - 3, whole.len() / 2, 20, 1, 0] {
        let mut client = Client(Connection::new());
        let cut = &whole[..whole.floor_char_boundary(length)];
        let answer = client.send(json!({"request": "restore", "session": cut}));
        assert!(
            answer["ok"] == true || answer["error"].is_string(),
            "{answer}"
        );
    }
    let damaged = whole.replace("click{1,1}", "click{1,2}");
    let mut client = Client(Connection::new());
    let answer = client.send(json!({"request": "restore", "session": damaged}));
    assert!(!answer["lost"].as_array().unwrap().is_empty(), "{answer}");
    // A text that is nothing of the kind leaves the session that was open.
    let before = kept.client.view();
    kept.client
        .refused(json!({"request": "restore", "session": "<script>"}));
    kept.client
        .refused(json!({"request": "replay", "session": "language cobol\n--- session\n"}));
    assert_eq!(kept.client.view(), before);
}

#[test]
fn files_are_set_read_saved_and_deleted() {
    let mut client = Client::sample("gridlok");
    client.line("click{1,1}");
    let program = sample("gridlok").replace("tic", "tac");
    let files = client.send(json!({"request": "files", "set": {"b.gl": program}}));
    assert_is("FilesAnswer", &files);
    client.line(":save a.session");
    let files = client.send(json!({"request": "files", "get": ["a.session", "c"]}));
    assert_eq!(files["names"], json!(["a.session", "b.gl"]));
    assert!(
        files["files"]["a.session"]
            .as_str()
            .unwrap()
            .contains("> click{1,1}")
    );
    assert_eq!(files["files"]["c"], Json::Null);
    assert_eq!(client.line(":load b.gl")["ok"], true);
    let files = client.send(json!({"request": "files", "set": {"b.gl": null}}));
    assert_eq!(files["names"], json!(["a.session"]));
    let wrong = json!({"request": "files", "set": {"x": "1", "y": 2}});
    client.refused(wrong);
    let files = client.send(json!({"request": "files"}));
    assert_eq!(files["names"], json!(["a.session"]));
}

#[test]
fn the_score_of_a_lesson_is_an_answer() {
    let mut client = Client::sample("gridlok");
    assert_eq!(
        client.refused(json!({"request": "score"})),
        "no lesson is open"
    );
    client.line(":lesson gridlok 6");
    let answer = client.send(json!({"request": "score"}));
    assert_is("ScoreAnswer", &answer);
    assert_eq!(answer["score"]["lesson"], "gridlok 6");
    assert_eq!(answer["score"]["totals"]["questions"], 0);
}

#[test]
fn enter_runs_the_next_step_of_a_lesson() {
    let mut client = Client::sample("gridlok");
    client.line(":lesson gridlok 1");
    let first = client.view()["lesson"]["number"].clone();
    client.send(json!({"request": "enter"}));
    assert_ne!(client.view()["lesson"]["number"], first);
    let mut client = Client::sample("gridlok");
    let before = client.trace();
    client.send(json!({"request": "enter"}));
    assert_eq!(client.trace()[0], before[0]);
}

#[test]
fn the_clock_of_the_client_never_goes_back() {
    let mut client = Client::sample("gridlok");
    for now in [json!(5), json!(3.5), json!(1e15)] {
        assert_eq!(
            client.send(json!({"request": "view", "now": now}))["ok"],
            true
        );
    }
    for now in [json!(-1), json!("1"), json!(1e300), json!(null)] {
        let error = client.refused(json!({"request": "view", "now": now}));
        assert_eq!(error, "`now` must be a number of milliseconds");
    }
}
