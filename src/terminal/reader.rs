//! Reading entries from the keyboard: lines with history, put together until they are finished.

use super::assist::Assist;
use super::history::{History, MOST};
use super::known::Known;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};
use std::io;

/// What came from the keyboard.
pub enum Typed {
    Entry(String),
    /// Ctrl-C: away with it.
    Cleared,
    /// Ctrl-D.
    Left,
}

pub struct Reader {
    editor: Editor<Assist, FileHistory>,
    history: Option<History>,
    colour: bool,
}

impl Reader {
    pub fn new(known: Known, colour: bool) -> io::Result<Reader> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            // Without colours too, what is shown goes through [`Assist`], which lets nothing through that steers.
            .color_mode(ColorMode::Forced)
            .max_history_size(MOST)
            .map_err(io::Error::other)?
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Assist { known }));
        editor.set_tab_stop(2);
        let history = History::open();
        if let Some(history) = &history {
            // No history yet, or one that can't be read, is no reason not to begin.
            let _ = editor.load_history(history.path());
        }
        Ok(Reader {
            editor,
            history,
            colour,
        })
    }

    /// Columns and lines of the terminal.
    pub fn size(&mut self) -> (usize, usize) {
        self.editor.dimensions().map_or((80, 24), |(cols, rows)| {
            (cols.max(1) as usize, rows.max(1) as usize)
        })
    }

    /// An entry, of as many lines as it needs; a blank line ends it anyway.
    pub fn entry(
        &mut self,
        known: Known,
        prompt: &str,
        is_begun: impl Fn(&str) -> bool,
    ) -> io::Result<Typed> {
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
                Typed::Entry(line) => entry.push_str(&line),
                other => return Ok(other),
            }
            let blank =
                entry.lines().last().unwrap_or("").trim().is_empty() || entry.ends_with('\n');
            if blank || !is_begun(&entry) {
                break;
            }
            entry.push('\n');
            if let Some(assist) = self.editor.helper_mut() {
                assist.known.before = entry.clone();
            }
        }
        self.remember(&entry);
        Ok(Typed::Entry(entry))
    }

    /// One line in answer to a question of the game.
    pub fn answer(&mut self, known: Known, question: &str) -> io::Result<Typed> {
        self.know(known);
        self.line(question)
    }

    fn know(&mut self, known: Known) {
        if let Some(assist) = self.editor.helper_mut() {
            assist.known = known;
        }
    }

    fn line(&mut self, prompt: &str) -> io::Result<Typed> {
        let styled = if self.colour {
            format!("\x1b[1m{prompt}\x1b[0m")
        } else {
            prompt.to_string()
        };
        match self.editor.readline(&(prompt, styled.as_str())) {
            Ok(line) => Ok(Typed::Entry(line)),
            Err(ReadlineError::Interrupted) => Ok(Typed::Cleared),
            Err(ReadlineError::Eof) => Ok(Typed::Left),
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
