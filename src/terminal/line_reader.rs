//! Reads entries at the prompt with rustyline: line editing, history, multi-line entries.

use super::history::{History, MAX_HISTORY_ENTRIES};
use super::line_helper::LineHelper;
use crate::command::CompletionContext;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor, ExternalPrinter};
use std::io;

/// What the user typed.
pub enum ReadResult {
    Entry(String),
    /// Ctrl-C: the line is discarded.
    Cancelled,
    /// Ctrl-D.
    Eof,
}

/// The line editor with its history file.
pub struct LineReader {
    editor: Editor<LineHelper, FileHistory>,
    history: Option<History>,
    color: bool,
}

impl LineReader {
    pub fn new(context: CompletionContext, color: bool) -> io::Result<LineReader> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            // Even without color, everything must pass through `LineHelper`, which escapes control
            // characters.
            .color_mode(ColorMode::Forced)
            .max_history_size(MAX_HISTORY_ENTRIES)
            .map_err(io::Error::other)?
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(LineHelper { context, color }));
        editor.set_tab_stop(2);
        let history = History::open();
        if let Some(history) = &history {
            // A missing or unreadable history file must not prevent the start.
            let _ = editor.load_history(history.path());
        }
        Ok(LineReader {
            editor,
            history,
            color,
        })
    }

    /// The columns and rows of the terminal; 80 x 24 if unknown.
    pub fn terminal_size(&mut self) -> (usize, usize) {
        self.editor.dimensions().map_or((80, 24), |(cols, rows)| {
            (cols.max(1) as usize, rows.max(1) as usize)
        })
    }

    /// Prints from another thread while a line is being edited.
    pub fn external_printer(&mut self) -> io::Result<impl ExternalPrinter + Send + use<>> {
        self.editor
            .create_external_printer()
            .map_err(io::Error::other)
    }

    /// Reads an entry, continuing on further lines while `is_incomplete` says so of the text so far
    /// and its last line. A blank line always ends it. `initial` is offered to be edited.
    pub fn read_entry(
        &mut self,
        context: CompletionContext,
        prompt: &str,
        initial: &str,
        mut is_incomplete: impl FnMut(&str, &str) -> bool,
    ) -> io::Result<ReadResult> {
        let continuation_prompt = format!(
            "{:>width$} ",
            "...",
            width = prompt.trim_end().chars().count()
        );
        self.set_context(context);
        let mut entry = String::new();
        loop {
            let result = match entry.is_empty() {
                true => self.read_line(prompt, initial)?,
                false => self.read_line(&continuation_prompt, "")?,
            };
            let line = match result {
                ReadResult::Entry(line) => line,
                other => return Ok(other),
            };
            entry.push_str(&line);
            let is_blank =
                entry.lines().last().unwrap_or("").trim().is_empty() || entry.ends_with('\n');
            if is_blank || !is_incomplete(&entry, &line) {
                break;
            }
            entry.push('\n');
            if let Some(helper) = self.editor.helper_mut() {
                helper.context.previous_lines = entry.clone();
            }
        }
        self.add_to_history(&entry);
        Ok(ReadResult::Entry(entry))
    }

    /// Reads one line of input for the program.
    pub fn read_answer(
        &mut self,
        context: CompletionContext,
        question: &str,
    ) -> io::Result<ReadResult> {
        self.read_answer_from(context, question, "")
    }

    /// Reads one line of input for the program, with `initial` typed already.
    pub fn read_answer_from(
        &mut self,
        context: CompletionContext,
        question: &str,
        initial: &str,
    ) -> io::Result<ReadResult> {
        self.set_context(context);
        self.read_line(question, initial)
    }

    fn set_context(&mut self, context: CompletionContext) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.context = context;
        }
    }

    fn read_line(&mut self, prompt: &str, initial: &str) -> io::Result<ReadResult> {
        let styled = if self.color {
            format!("\x1b[1m{prompt}\x1b[0m")
        } else {
            prompt.to_string()
        };
        let prompt = (prompt, styled.as_str());
        match self.editor.readline_with_initial(&prompt, (initial, "")) {
            Ok(line) => Ok(ReadResult::Entry(line)),
            Err(ReadlineError::Interrupted) => Ok(ReadResult::Cancelled),
            Err(ReadlineError::Eof) => Ok(ReadResult::Eof),
            Err(ReadlineError::Io(e)) => Err(e),
            Err(other) => Err(io::Error::other(other)),
        }
    }

    /// Adds an entry, even a multi-line one, to the history as a single item.
    fn add_to_history(&mut self, entry: &str) {
        let entry = entry.trim_end();
        if entry.is_empty() {
            return;
        }
        let _ = self.editor.add_history_entry(entry);
        if let Some(history) = &self.history {
            // Ignore a full disk here: the journal reports it.
            let _ = history.add(entry);
        }
    }
}
