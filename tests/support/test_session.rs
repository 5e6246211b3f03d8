//! A session with a loaded program, for tests that type lines and check the replies.

// Each test binary uses only some of these methods.
#![allow(dead_code)]

use crate::protocol::valid_json;
use gridbug::command::handle_line;
use gridbug::host::NativeHost;
use gridbug::languages;
use gridbug::session::{Answer, Session, to_plain_text};
use std::rc::Rc;

/// The files of the disk.
pub fn native_host() -> Rc<NativeHost> {
    Rc::new(NativeHost::new())
}

pub struct TestSession(pub Session);

impl TestSession {
    /// Loads a program, which must compile. The seed is 1.
    pub fn load(language: &str, program: &str) -> TestSession {
        let language = languages::by_name(language).expect("unknown language");
        let mut session = Session::with_host(language, 1, native_host());
        let reply = session.load("game", program);
        assert!(reply.ok, "{:?}", reply.diagnostics);
        TestSession(session)
    }

    /// Starts without a program.
    pub fn empty(language: &str) -> TestSession {
        let language = languages::by_name(language).expect("unknown language");
        TestSession(Session::with_host(language, 1, native_host()))
    }

    /// Runs a line and returns the reply, which must be valid as JSON, too.
    #[track_caller]
    pub fn reply(&mut self, line: &str) -> Answer {
        let answer = handle_line(&mut self.0, line);
        valid_json(&self.0, &answer);
        answer
    }

    /// Runs a line and returns the reply as the text that users see.
    pub fn reply_text(&mut self, line: &str) -> String {
        let reply = self.reply(line);
        to_plain_text(&self.0, &reply).join("\n")
    }

    /// Runs a line and checks that the reply contains each of the texts.
    #[track_caller]
    pub fn expect(&mut self, line: &str, texts: &[&str]) {
        let reply = self.reply_text(line);
        for text in texts {
            assert!(reply.contains(text), "{line}: missing {text:?} in\n{reply}");
        }
    }
}
