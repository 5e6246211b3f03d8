//! Requests of clients: one JSON object in, one JSON object out.
//!
//! ```text
//! {"request": "open", "language": "gridlok", "seed": 1, "name": "mines.gl", "program": "…"}
//! {"request": "line", "text": "click{1,1}"}
//! {"request": "complete", "line": ":und"}
//! {"request": "highlight", "text": "if x {"}
//! {"request": "replay", "session": "…", "files": {"mines.gl": "…"}}
//! ```

use super::answer::answer_to_request;
use crate::command::{self, CompletionContext};
use crate::driver::Driver;
use crate::host::MemoryHost;
use crate::language::TokenClass;
use crate::languages;
use crate::session::session_file::SessionFile;
use crate::session::{Answer, Session};
use serde_json::{Map, Value as Json, json};
use std::path::Path;
use std::rc::Rc;

/// A client and its session, with files in memory.
pub struct Connection {
    host: Rc<MemoryHost>,
    /// `None` until a session is opened.
    session: Option<Session>,
    driver: Driver,
}

impl Connection {
    /// A connection without a session.
    pub fn new() -> Connection {
        Connection {
            host: Rc::new(MemoryHost::new()),
            session: None,
            driver: Driver::new(),
        }
    }

    /// Handles one request, given as the text of a JSON object. The answer has `"ok": false` and an
    /// `error` if the request itself is invalid.
    pub fn handle(&mut self, request: &str) -> Json {
        let result = serde_json::from_str(request)
            .map_err(|e| format!("invalid JSON: {e}"))
            .and_then(|request: Json| self.dispatch(&request));
        result.unwrap_or_else(|error| json!({"ok": false, "error": error}))
    }

    fn dispatch(&mut self, request: &Json) -> Result<Json, String> {
        match text(request, "request")? {
            "open" => self.open(request),
            "line" => self.line(text(request, "text")?),
            "complete" => self.complete(request),
            "highlight" => self.highlight(text(request, "text")?),
            "replay" => self.replay(request),
            other => Err(format!("unknown request `{other}`")),
        }
    }

    /// Starts a session, with an empty game if there is no `program`.
    fn open(&mut self, request: &Json) -> Result<Json, String> {
        let name = text(request, "language")?;
        let language =
            languages::by_name(name).ok_or_else(|| format!("unknown language `{name}`"))?;
        let seed = request.get("seed").and_then(Json::as_u64).unwrap_or(1);
        let mut session = Session::with_host(language, seed, self.host.clone());
        let answer = match request.get("program") {
            Some(program) => {
                let program = program.as_str().ok_or("`program` must be a string")?;
                command::start_session(&mut session, text(request, "name")?, program)
            }
            None => Answer::new(""),
        };
        Ok(answer_to_request(self.session.insert(session), &answer))
    }

    /// Runs an entry, a command, or the answer to the program's input prompt.
    fn line(&mut self, line: &str) -> Result<Json, String> {
        let session = self.session.as_mut().ok_or(NO_SESSION)?;
        let answer = self.driver.answer(session, line);
        let answer = self.driver.finish(session, answer);
        Ok(answer_to_request(session, &answer))
    }

    /// The completions of `line`, which follows `previous_lines` of the same entry.
    fn complete(&mut self, request: &Json) -> Result<Json, String> {
        let session = self.session.as_ref().ok_or(NO_SESSION)?;
        let mut context = CompletionContext::new(session);
        if request.get("previous_lines").is_some() {
            context.previous_lines = text(request, "previous_lines")?.to_string();
        }
        let line = text(request, "line")?;
        Ok(json!({
            "ok": true,
            "completions": command::complete(&context, line),
            "usage": context.usage(line),
        }))
    }

    /// The tokens of a text, as byte ranges with their classes.
    fn highlight(&mut self, text: &str) -> Result<Json, String> {
        let session = self.session.as_ref().ok_or(NO_SESSION)?;
        let tokens = session.target.language().highlight(text).into_iter();
        let tokens: Vec<Json> = tokens
            .map(|(range, class)| {
                json!({"start": range.start, "end": range.end, "class": class_name(class)})
            })
            .collect();
        Ok(json!({"ok": true, "tokens": tokens}))
    }

    /// Replays a session file and continues it. `files` has the program files that it refers to.
    fn replay(&mut self, request: &Json) -> Result<Json, String> {
        let file = SessionFile::parse(text(request, "session")?)?;
        let no_files = Map::new();
        let files = request.get("files").and_then(Json::as_object);
        for (name, text) in files.unwrap_or(&no_files) {
            let text = text.as_str().ok_or("`files` must contain strings")?;
            self.host.set_file(name, text);
        }
        let replay = command::replay(&file, Path::new(""), self.host.clone())?;
        let mismatch_count = replay.mismatches().count();
        let entries: Vec<Json> = replay
            .entries
            .iter()
            .map(|entry| json!({"input": entry.input, "reply": entry.actual}))
            .collect();
        self.session = Some(replay.session);
        Ok(json!({"ok": true, "mismatch_count": mismatch_count, "entries": entries}))
    }
}

impl Default for Connection {
    fn default() -> Connection {
        Connection::new()
    }
}

const NO_SESSION: &str = "no session is open";

/// A field that must be a string.
fn text<'r>(request: &'r Json, name: &str) -> Result<&'r str, String> {
    let value = request.get(name).and_then(Json::as_str);
    value.ok_or_else(|| format!("`{name}` must be a string"))
}

fn class_name(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "keyword",
        TokenClass::Builtin => "builtin",
        TokenClass::Name => "name",
        TokenClass::Number => "number",
        TokenClass::String => "string",
        TokenClass::Comment => "comment",
        TokenClass::Operator => "operator",
        TokenClass::Bracket => "bracket",
        TokenClass::Invalid => "invalid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(connection: &mut Connection, request: Json) -> Json {
        connection.handle(&request.to_string())
    }

    #[test]
    fn a_session_is_opened_and_played() {
        let mut connection = Connection::new();
        let sample = languages::ALL[0].info().sample;
        let opened = handle(
            &mut connection,
            json!({"request": "open", "language": "gridlok", "name": "s.gl", "program": sample}),
        );
        assert_eq!(opened["ok"], json!(true));
        let answer = handle(&mut connection, json!({"request": "line", "text": "1 + 1"}));
        assert_eq!(answer["lines"], json!(["= 2"]));
        let answer = handle(
            &mut connection,
            json!({"request": "complete", "line": ":und"}),
        );
        assert_eq!(answer["completions"][0]["text"], ":undo");
        assert_eq!(answer["completions"][0]["kind"], "command");
        let answer = handle(
            &mut connection,
            json!({"request": "highlight", "text": "12"}),
        );
        assert_eq!(
            answer["tokens"],
            json!([{"start": 0, "end": 2, "class": "number"}])
        );
    }

    #[test]
    fn invalid_requests_are_answered_with_an_error() {
        let mut connection = Connection::new();
        for (request, error) in [
            ("{", "invalid JSON"),
            ("{}", "`request` must be a string"),
            (r#"{"request": "fly"}"#, "unknown request `fly`"),
            (r#"{"request": "line", "text": "1"}"#, "no session is open"),
            (
                r#"{"request": "open", "language": "cobol"}"#,
                "unknown language `cobol`",
            ),
        ] {
            let answer = connection.handle(request);
            assert_eq!(answer["ok"], json!(false));
            assert!(
                answer["error"].as_str().unwrap().starts_with(error),
                "{answer}"
            );
        }
    }
}
