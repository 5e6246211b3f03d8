//! The answers to small requests.

use super::diagnostic::DiagnosticJson;
use crate::answer::Completion;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The answer to a request that is invalid or impossible. Nothing was changed.
#[derive(Serialize)]
pub struct ErrorAnswer {
    /// False.
    pub ok: bool,
    /// What is wrong.
    pub error: String,
}

/// The answer to `cell`.
#[derive(Serialize)]
pub struct CellAnswer {
    /// True.
    pub ok: bool,
    /// The line that a click types; `None` if it types nothing.
    pub entry: Option<String>,
    /// The cell as the language writes it; `None` if it is outside the board.
    pub name: Option<String>,
    /// Whether the line answers the program's question.
    pub answers_question: bool,
}

/// The answer to `complete`.
#[derive(Serialize)]
pub struct CompleteAnswer {
    /// True.
    pub ok: bool,
    /// The completions. Their ranges count characters from 0.
    pub completions: Vec<Completion>,
    /// How the command is used whose arguments are being typed.
    pub usage: Option<String>,
}

/// The answer to `analyze`.
#[derive(Serialize)]
pub struct AnalyzeAnswer<'a> {
    /// True, whether the program has errors or not.
    pub ok: bool,
    /// Errors and warnings.
    pub diagnostics: Vec<DiagnosticJson<'a>>,
    /// How many more of them there are.
    pub omitted_diagnostics: usize,
}

/// The answer to `replay`.
#[derive(Serialize)]
pub struct ReplayAnswer {
    /// True, whether the replies are those of the file or not.
    pub ok: bool,
    /// How many replies differ from those of the file.
    pub mismatch_count: usize,
    /// The lines that were replayed.
    pub entries: Vec<ReplayedLine>,
    /// The journal of the session, from its start.
    pub journal: String,
}

/// A line that was replayed.
#[derive(Serialize)]
pub struct ReplayedLine {
    /// The line.
    pub input: String,
    /// The reply, as plain text.
    pub reply: Vec<String>,
}

/// The answer to a line that runs in slices and has not ended.
#[derive(Serialize)]
pub struct RunningAnswer {
    /// True.
    pub ok: bool,
    /// True.
    pub running: bool,
    /// The time that the run has reached.
    pub time: u64,
    /// Instructions executed since the line began.
    pub instructions: u64,
    /// The last lines that the program has printed since the last slice.
    pub output: Vec<String>,
    /// How many lines before them are left out. The last answer has all of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub output_omitted: usize,
}

/// The answer to `restore`.
#[derive(Serialize)]
pub struct RestoreAnswer {
    /// True.
    pub ok: bool,
    /// The name of the language.
    pub language: &'static str,
    /// The name of the program's source; `None` if it was typed.
    pub name: Option<String>,
    /// Everything typed, with the replies.
    pub entries: Vec<ReplayedLine>,
    /// The first lines of an entry that was not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<String>,
    /// The first line of each part that was damaged and could not be restored.
    pub lost: Vec<String>,
    /// The journal of the restored session, from its start.
    pub journal: String,
}

/// The answer to `session`.
#[derive(Serialize)]
pub struct SessionAnswer {
    /// True.
    pub ok: bool,
    /// The session as a session file without replies.
    pub session: String,
    /// The current time.
    pub time: u64,
    /// Whether this time is only visited.
    pub is_away: bool,
}

/// The answer to `files`.
#[derive(Serialize)]
pub struct FilesAnswer {
    /// True.
    pub ok: bool,
    /// The names of all files.
    pub names: Vec<String>,
    /// The texts of the files that were asked for; `null` for one that does not exist.
    pub files: Map<String, Json>,
}

/// The answer to `score`.
#[derive(Serialize)]
pub struct ScoreAnswer {
    /// True.
    pub ok: bool,
    /// The questions of the lesson with the answers, and how the exercises went.
    pub score: Json,
}

/// The answer to `served`.
#[derive(Serialize)]
pub struct ServedAnswer {
    /// True.
    pub ok: bool,
    /// The file that the command line names; `None` if it names none.
    pub file: Option<ServedFile>,
}

/// A file that the command line of `gridbug serve` names.
#[derive(Clone, Debug, Serialize)]
pub struct ServedFile {
    /// Its path.
    pub path: String,
    /// Its name without folders.
    pub name: String,
    /// The name of the language; `None` for a session file, which names it itself.
    pub language: Option<&'static str>,
    /// Whether it is a session file.
    pub is_session: bool,
}

/// The answer to `image`.
#[derive(Serialize)]
pub struct ImageAnswer {
    /// True.
    pub ok: bool,
    /// The media type, such as `image/png`.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// The content in base64.
    pub data: String,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
