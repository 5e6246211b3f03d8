//! Requests as types: what clients can ask for. They are read from JSON.

use super::view::{ViewPart, ViewRequest, WindowRequest};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::time::Duration;

/// The latest time that a client's clock may show.
const MAX_CLOCK_MS: f64 = 1e15;

/// A request of a client.
#[derive(Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// Opens a session, with an empty game if there is no program.
    Open(OpenRequest),
    /// Runs an entry, a command, or the answer to the program's question.
    Line(LineRequest),
    /// Continues the line that runs in slices.
    Continue(ContinueRequest),
    /// Stops the line that runs in slices.
    Interrupt,
    /// Does what Enter alone does at a prompt: the next step of a lesson, or the last step again.
    Enter(ContinueRequest),
    /// Executes a line that only looks, without a trace.
    Query(QueryRequest),
    /// Shows the session. Recorded nowhere.
    View(ViewRequest),
    /// Visits another time, and shows the session there. Recorded nowhere.
    Go(GoRequest),
    /// Asks what a click on a cell types.
    Cell(CellRequest),
    /// Lists the languages, the built-in games and the lessons. Needs no session.
    Catalog,
    /// Completes a line.
    Complete(CompleteRequest),
    /// Splits a text into tokens. Needs no session if it names a language.
    Highlight(HighlightRequest),
    /// Compiles a program without running it. Needs no session.
    Analyze(AnalyzeRequest),
    /// Replays a session file, compares the replies, and continues it.
    Replay(ReplayRequest),
    /// Restores a session from its journal or from what `session` answers, and continues it.
    Restore(RestoreRequest),
    /// Asks for everything that is needed to restore the session.
    Session,
    /// Sets, reads and lists files.
    Files(FilesRequest),
    /// Asks for the score of the lesson.
    Score,
    /// Asks which file the command line of `gridbug serve` names.
    Served,
    /// Asks for a picture beside the file that is served.
    Image(ImageRequest),
}

/// A session to open.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The name of the language; not needed for the file that is served.
    #[serde(default)]
    pub language: Option<String>,
    /// Opens the file that the command line of `gridbug serve` names, with access to the disk.
    #[serde(default)]
    pub served: bool,
    /// The seed of the random numbers; 1 if there is none.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The name of the program's file.
    #[serde(default)]
    pub name: Option<String>,
    /// The program.
    #[serde(default)]
    pub program: Option<String>,
    /// Whether errors in the program stop it, as at the prompt.
    #[serde(default)]
    pub stops_on_errors: bool,
}

/// A line to run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    /// The line; one entry may have several.
    pub text: String,
    /// Instructions after which the run is left, to be continued; none to run to the end.
    #[serde(default)]
    pub budget: Option<u64>,
}

/// How to go on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContinueRequest {
    /// Instructions after which the run is left again; none to run to the end.
    #[serde(default)]
    pub budget: Option<u64>,
}

/// A line that only looks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// The line.
    pub text: String,
}

/// A time to visit, and what to see of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoRequest {
    /// The time, as a number or as a text that `:goto` accepts; `back` to end the visit.
    pub to: Time,
    /// The parts of the view; all of them if there is no list.
    #[serde(default)]
    pub parts: Option<Vec<ViewPart>>,
    /// The part of the board; all of it if there is none.
    #[serde(default)]
    pub board: Option<WindowRequest>,
}

/// A time.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Time {
    /// Instructions executed since the session started.
    Number(u64),
    /// As `:goto` accepts it: `end`, `event 3`, `turn 2`, a mark.
    Text(String),
}

/// A cell that is clicked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellRequest {
    /// Its row, counted from 0.
    pub row: u32,
    /// Its column, counted from 0.
    pub col: u32,
}

/// A line to complete.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompleteRequest {
    /// The line up to the cursor.
    pub line: String,
    /// The lines of the same entry before it.
    #[serde(default)]
    pub previous_lines: String,
}

/// A text to highlight.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HighlightRequest {
    /// The text.
    pub text: String,
    /// The name of the language; that of the session if there is none.
    #[serde(default)]
    pub language: Option<String>,
}

/// A program to compile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// The name of the language.
    pub language: String,
    /// The name of the program's file.
    #[serde(default)]
    pub name: Option<String>,
    /// The program.
    pub program: String,
}

/// A session to replay.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayRequest {
    /// The text of the session file.
    pub session: String,
    /// The program files that it refers to, by their names.
    #[serde(default)]
    pub files: Map<String, Json>,
}

/// A session to restore.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreRequest {
    /// The text of the journal, or of a session file.
    pub session: String,
    /// The time to visit then.
    #[serde(default)]
    pub time: Option<Time>,
}

/// A picture.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageRequest {
    /// Its path as the program has it, from the folder of the program.
    pub name: String,
}

/// Files to set and to read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesRequest {
    /// The texts of files by their names; `null` deletes a file.
    #[serde(default)]
    pub set: Map<String, Json>,
    /// The names of files to read.
    #[serde(default)]
    pub get: Vec<String>,
}

/// A request, and when it was made.
pub struct Incoming {
    /// The request.
    pub request: Request,
    /// The client's clock.
    pub now: Option<Duration>,
}

impl Incoming {
    /// Reads a request. The error says which field is wrong.
    pub fn parse(text: &str) -> Result<Incoming, String> {
        let json: Json = serde_json::from_str(text).map_err(|e| format!("invalid JSON: {e}"))?;
        let Json::Object(mut fields) = json else {
            return Err("a request must be a JSON object".to_string());
        };
        let now = match fields.remove("now") {
            None => None,
            Some(now) => {
                let now = now
                    .as_f64()
                    .filter(|now| (0.0..=MAX_CLOCK_MS).contains(now));
                let now = now.ok_or("`now` must be a number of milliseconds")?;
                Some(Duration::from_secs_f64(now / 1000.0))
            }
        };
        Ok(Incoming {
            request: Request::read(fields)?,
            now,
        })
    }
}

impl Request {
    fn read(fields: Map<String, Json>) -> Result<Request, String> {
        let name = fields.get("request").and_then(Json::as_str);
        let name = name.ok_or("`request` must be a string")?.to_string();
        let read = |fields: &Map<String, Json>| Request::deserialize(Json::Object(fields.clone()));
        read(&fields).map_err(|error| {
            let error = error.to_string();
            if error.starts_with(&format!("unknown variant `{name}`")) {
                return format!("unknown request `{name}`");
            }
            let culprit = wrong_field(&fields, &error, read);
            match culprit {
                Some(field) => format!("`{name}`: field `{field}`: {error}"),
                None => format!("`{name}`: {error}"),
            }
        })
    }
}

/// The field without which there is another error, or none.
fn wrong_field<T>(
    fields: &Map<String, Json>,
    error: &str,
    read: impl Fn(&Map<String, Json>) -> Result<T, serde_json::Error>,
) -> Option<String> {
    let names = fields.keys().filter(|name| *name != "request");
    let is_culprit = |name: &&String| {
        let mut others = fields.clone();
        others.remove(*name);
        !read(&others).is_err_and(|e| e.to_string() == error)
    };
    // An unknown field is named by the error itself.
    let found = names.filter(|_| !error.starts_with("unknown field"));
    found.into_iter().find(is_culprit).cloned()
}
