//! Requests of clients: one JSON object in, one JSON object out.
//!
//! ```text
//! {"request": "open", "language": "gridlok", "seed": 1, "name": "mines.gl", "program": "…"}
//! {"request": "line", "text": "click{1,1}"}
//! {"request": "complete", "line": ":und"}
//! {"request": "highlight", "text": "if x {"}
//! {"request": "replay", "session": "…", "files": {"mines.gl": "…"}}
//! ```

use super::answer::{MAX_DIAGNOSTICS, answer_to_request};
use super::catalog::catalog;
use super::connection::{Connection, language_named, to_json};
use super::diagnostic::DiagnosticJson;
use super::incoming::{
    AnalyzeRequest, CellRequest, CompleteRequest, HighlightRequest, Incoming, OpenRequest, Request,
};
use super::outgoing::{AnalyzeAnswer, CellAnswer, CompleteAnswer, ErrorAnswer, ServedAnswer};
use super::tokens::highlight;
use crate::analysis::inspect;
use crate::answer::Completion;
use crate::command::{self, CompletionContext};
use crate::diagnostic::first_diagnostics;
use crate::language::compile_game;
use crate::session::{Answer, Session, stop_on_errors};
use crate::source::{Origin, Sources};
use serde_json::{Value as Json, json};

impl Connection {
    /// Handles one request, given as the text of a JSON object. The answer has `"ok": false` and an
    /// `error` if the request itself is invalid.
    pub fn handle(&mut self, request: &str) -> Json {
        let result = Incoming::parse(request).and_then(|incoming| {
            if let Some(now) = incoming.now {
                self.memory.set_now(now);
            }
            self.dispatch(incoming.request)
        });
        let to_error = |error| json!(ErrorAnswer { ok: false, error });
        result.unwrap_or_else(to_error)
    }

    fn dispatch(&mut self, request: Request) -> Result<Json, String> {
        match request {
            Request::Catalog => to_json(catalog()),
            Request::Highlight(HighlightRequest {
                text,
                language: Some(name),
            }) => to_json(highlight(language_named(&name)?, &text)),
            Request::Analyze(request) => analyze(request),
            Request::Files(request) => self.files(request),
            Request::Served => to_json(ServedAnswer {
                ok: true,
                file: self.served.clone(),
            }),
            Request::Image(request) => self.image(&request.name),
            Request::Continue(request) => self.advance(request.budget),
            Request::Interrupt => self.interrupt(),
            _ if self.running.is_some() => {
                Err("a line is running: send `continue` or `interrupt` first".to_string())
            }
            Request::Open(request) => self.open(request),
            Request::Line(request) => self.line(&request.text, request.budget),
            Request::Enter(request) => self.enter(request.budget),
            Request::Query(request) => self.query(&request.text),
            Request::View(request) => self.view(&request),
            Request::Go(request) => self.go(request),
            Request::Cell(request) => self.cell(&request),
            Request::Complete(request) => self.complete(request),
            Request::Highlight(request) => {
                to_json(highlight(self.session()?.target.language(), &request.text))
            }
            Request::Replay(request) => self.replay(request),
            Request::Restore(request) => self.restore(request),
            Request::Session => self.session_text(),
            Request::Score => self.score(),
        }
    }

    /// Starts a session, with an empty game if there is no `program`.
    fn open(&mut self, request: OpenRequest) -> Result<Json, String> {
        if request.served {
            return self.open_served(request);
        }
        let name = request.language.ok_or("`open`: missing field `language`")?;
        let language = language_named(&name)?;
        let seed = request.seed.unwrap_or(1);
        let mut session = Session::with_host(language, seed, self.memory.clone());
        stop_on_errors(&mut session, request.stops_on_errors);
        let answer = match (&request.program, &request.name) {
            (Some(program), Some(name)) => command::start_session(&mut session, name, program),
            (Some(_), None) => return Err("`open`: a `program` needs a `name`".to_string()),
            (None, _) => Answer::new(""),
        };
        self.start(session);
        let journal = self.journal.take();
        Ok(answer_to_request(self.session()?, &answer, journal))
    }

    /// What a click on a cell types, and how the language writes the cell.
    fn cell(&mut self, request: &CellRequest) -> Result<Json, String> {
        let target = &self.session()?.target;
        let cell = (request.row, request.col);
        to_json(CellAnswer {
            ok: true,
            entry: inspect::cell_entry(target, cell),
            name: inspect::cell_name(target, cell),
            answers_question: target.is_waiting_for_input(),
        })
    }

    /// The completions of `line`, which follows `previous_lines` of the same entry.
    fn complete(&mut self, request: CompleteRequest) -> Result<Json, String> {
        let mut context = CompletionContext::new(self.session()?);
        context.previous_lines = request.previous_lines;
        let line = &request.line;
        // Clients count characters.
        let characters = |byte: usize| line.get(..byte).map_or(0, |text| text.chars().count());
        let completions = command::complete(&context, line).into_iter();
        let completions = completions.map(|completion| Completion {
            range: characters(completion.range.start)..characters(completion.range.end),
            ..completion
        });
        to_json(CompleteAnswer {
            ok: true,
            completions: completions.collect(),
            usage: context.usage(line),
        })
    }
}

/// The errors and warnings of a program, which is not run.
fn analyze(request: AnalyzeRequest) -> Result<Json, String> {
    let language = language_named(&request.language)?;
    let info = language.info();
    let mut sources = Sources::with_rules(info.title, info.rules);
    let name = request.name.unwrap_or_else(|| "program".to_string());
    let source = sources.add(Origin::File(name), request.program);
    let diagnostics = match compile_game(language, &[], &source) {
        Ok(compiled) => compiled.warnings,
        Err(diagnostics) => diagnostics,
    };
    let (first, omitted) = first_diagnostics(&diagnostics, MAX_DIAGNOSTICS);
    let first = first.into_iter();
    to_json(AnalyzeAnswer {
        ok: true,
        diagnostics: first.map(|d| DiagnosticJson::new(&sources, d)).collect(),
        omitted_diagnostics: omitted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages;

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
            answer["lines"],
            json!([[{"column": 1, "end_column": 3, "class": "number"}]])
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
