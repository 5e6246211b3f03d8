//! Reading entries from the keyboard: lines with history, put together until they are finished.

use super::completion_context::CompletionContext;
use super::history::{History, MAX_HISTORY_ENTRIES};
use super::line_helper::LineHelper;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use std::io;

/// What came from the keyboard.
pub enum ReadResult {
    Entry(String),
    /// Ctrl-C: away with it.
    Cancelled,
    /// Ctrl-D.
    Eof,
}

pub struct LineReader {
    editor: Editor<LineHelper, FileHistory>,
    history: Option<History>,
    colour: bool,
}

impl LineReader {
    pub fn new(known: CompletionContext, colour: bool) -> io::Result<LineReader> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            // Without colours too, what is shown goes through [`Assist`], which lets nothing through that steers.
            .color_mode(ColorMode::Forced)
            .max_history_size(MAX_HISTORY_ENTRIES)
            .map_err(io::Error::other)?
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(LineHelper { context: known }));
        editor.set_tab_stop(2);
        let history = History::open();
        if let Some(history) = &history {
            // No history yet, or one that can't be read, is no reason not to begin.
            let _ = editor.load_history(history.path());
        }
        Ok(LineReader {
            editor,
            history,
            colour,
        })
    }

    /// Columns and lines of the terminal.
    pub fn terminal_size(&mut self) -> (usize, usize) {
        self.editor.dimensions().map_or((80, 24), |(cols, rows)| {
            (cols.max(1) as usize, rows.max(1) as usize)
        })
    }

    /// An entry, of as many lines as it needs; a blank line ends it anyway.
    pub fn read_entry(
        &mut self,
        known: CompletionContext,
        prompt: &str,
        is_begun: impl Fn(&str) -> bool,
    ) -> io::Result<ReadResult> {
        let more = format!(
            "{:>width$} ",
            "...",
            width = prompt.trim_end().chars().count()
        );
        self.know(known);
        let mut entry = String::new();
        loop {
            let first = entry.is_empty();
            match self.line(if first { prompt } else { &more })? {
                ReadResult::Entry(line) => entry.push_str(&line),
                other => return Ok(other),
            }
            let blank =
                entry.lines().last().unwrap_or("").trim().is_empty() || entry.ends_with('\n');
            if blank || !is_begun(&entry) {
                break;
            }
            entry.push('\n');
            if let Some(assist) = self.editor.helper_mut() {
                assist.context.previous_lines = entry.clone();
            }
        }
        self.remember(&entry);
        Ok(ReadResult::Entry(entry))
    }

    /// One line in answer to a question of the game.
    pub fn read_answer(
        &mut self,
        known: CompletionContext,
        question: &str,
    ) -> io::Result<ReadResult> {
        self.know(known);
        self.line(question)
    }

    fn know(&mut self, known: CompletionContext) {
        if let Some(assist) = self.editor.helper_mut() {
            assist.context = known;
        }
    }

    fn line(&mut self, prompt: &str) -> io::Result<ReadResult> {
        let styled = if self.colour {
            format!("\x1b[1m{prompt}\x1b[0m")
        } else {
            prompt.to_string()
        };
        match self.editor.readline(&(prompt, styled.as_str())) {
            Ok(line) => Ok(ReadResult::Entry(line)),
            Err(ReadlineError::Interrupted) => Ok(ReadResult::Cancelled),
            Err(ReadlineError::Eof) => Ok(ReadResult::Eof),
            Err(ReadlineError::Io(e)) => Err(e),
            Err(other) => Err(io::Error::other(other)),
        }
    }

    /// Puts an entry into the history, as one, also if it has several lines.
    fn remember(&mut self, entry: &str) {
        let entry = entry.trim_end();
        if entry.is_empty() {
            return;
        }
        let _ = self.editor.add_history_entry(entry);
        if let Some(history) = &self.history {
            // A full disk does not stop the game; the journal tells of it.
            let _ = history.add(entry);
        }
    }
}
