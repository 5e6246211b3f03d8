//! Requests of clients: what they show, that looking leaves no trace, and what is refused.

mod catalog;
mod go;
mod keeping;
mod query;
mod slices;
mod view;

use crate::protocol::{assert_is, assert_valid};
use gridbug::protocol::Connection;
use serde_json::{Value as Json, json};

/// A client in a test.
pub struct Client(pub Connection);

impl Client {
    /// A client with a program.
    pub fn open(language: &str, program: &str) -> Client {
        let mut client = Client(Connection::new());
        let name = "game.txt";
        let answer = client.send(json!({
            "request": "open", "language": language, "name": name, "program": program,
        }));
        assert_eq!(answer["ok"], true, "{answer}");
        client
    }

    /// A client with the sample game of a language.
    pub fn sample(language: &str) -> Client {
        let language = gridbug::languages::by_name(language).expect("a language");
        Client::open(language.info().name, language.info().sample)
    }

    /// Sends a request.
    pub fn send(&mut self, request: Json) -> Json {
        self.0.handle(&request.to_string())
    }

    /// Sends a request that must be refused; returns the error.
    #[track_caller]
    pub fn refused(&mut self, request: Json) -> String {
        let answer = self.send(request);
        assert_is("ErrorAnswer", &answer);
        answer["error"].as_str().expect("an error").to_string()
    }

    /// Runs a line.
    #[track_caller]
    pub fn line(&mut self, text: &str) -> Json {
        let answer = self.send(json!({"request": "line", "text": text}));
        assert_valid(&answer);
        answer
    }

    /// The whole view.
    #[track_caller]
    pub fn view(&mut self) -> Json {
        let view = self.send(json!({"request": "view"}));
        assert_is("ViewAnswer", &view);
        view
    }

    /// What a session that was looked at must not differ in: the state and everything typed.
    pub fn trace(&mut self) -> Json {
        let lines = [
            ":state",
            ":vars",
            ":history",
            ":when",
            ":save /x.session --replace",
        ];
        let answers: Vec<Json> = lines.map(|line| self.line(line)["lines"].clone()).into();
        json!(answers)
    }
}

/// Lines that play each sample: in the middle of something, after it, and at a question.
pub const PLAYED: [(&str, &[&str]); 6] = [
    (
        "gridlok",
        &["click{1,1}", ":break winCondition", "click{0,0}"],
    ),
    ("gridlok", &["click{1,1}", "click{0,0}", ":undo"]),
    ("bogl", &["take(2, start)", "result"]),
    ("gridlang", &[":turn", ":break gameLoop", ":turn"]),
    ("tinygame", &["move knight up 1;", ":step", "step"]),
    ("sgl2d", &["right", ":break event player", "left"]),
];
