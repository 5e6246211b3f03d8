//! The answers to small requests.

use super::diagnostic::DiagnosticJson;
use crate::answer::Completion;
use serde::Serialize;

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
}

/// A line that was replayed.
#[derive(Serialize)]
pub struct ReplayedLine {
    /// The line.
    pub input: String,
    /// The reply, as plain text.
    pub reply: Vec<String>,
}
