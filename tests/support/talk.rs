//! A session with a program loaded, for those who type and read.
//!
//! Not every test uses all of it.
#![allow(dead_code)]

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::{Reply, Session, to_plain_text};

pub struct Talk(pub Session);

impl Talk {
    pub fn of(language: &str, program: &str) -> Talk {
        let mut session = Session::new(
            languages::by_name(language).expect("a language of that name"),
            1,
        );
        let reply = session.load("game", program);
        assert!(reply.ok, "{:?}", reply.diagnostics);
        Talk(session)
    }

    pub fn reply(&mut self, typed: &str) -> Reply {
        handle_line(&mut self.0, typed)
    }

    /// All that a person sees of the answer.
    pub fn says(&mut self, typed: &str) -> String {
        let reply = self.reply(typed);
        to_plain_text(&self.0, &reply).join("\n")
    }

    /// Types something and finds all of this in the answer.
    pub fn hears(&mut self, typed: &str, wanted: &[&str]) {
        let said = self.says(typed);
        for words in wanted {
            assert!(said.contains(words), "{typed}: no {words:?} in\n{said}");
        }
    }
}
