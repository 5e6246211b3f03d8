//! Reads entries at the prompt with rustyline: line editing, history, multi-line entries.

use super::entry_lines::{AddedLine, BlankLine, UnfinishedEntry, continues_with, split_pasted};
use super::history::{History, MAX_HISTORY_ENTRIES};
use super::line_helper::LineHelper;
use crate::command::CompletionContext;
use crate::session::{Journal, Session};
use crate::terminal::output::escape_controls;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What the user typed.
pub enum ReadResult {
    Entry(String),
    /// Ctrl-C: the line is discarded.
    Cancelled,
    /// Ctrl-C or `:cancel` inside an unfinished entry: these lines are discarded.
    Discarded(String),
    /// Esc, where it closes the prompt: this was typed.
    Closed(String),
    /// Ctrl-D.
    Eof,
}

/// How long to wait for the rest of an escape sequence before treating Esc as a key of its own.
const SEQUENCE_TIMEOUT_MS: u16 = 50;

/// Closes the prompt, and keeps what was typed.
struct EscapeHandler {
    typed: Arc<Mutex<Option<String>>>,
}

impl ConditionalEventHandler for EscapeHandler {
    fn handle(
        &self,
        _: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let mut typed = self.typed.lock().unwrap_or_else(PoisonError::into_inner);
        *typed = Some(context.line().to_string());
        Some(Cmd::Interrupt)
    }
}

/// What was read for the next line of an entry.
enum LineOfEntry {
    Line(String, BlankLine),
    /// Several lines were pasted, which are to be read one by one.
    Pasted,
    Other(ReadResult),
}

/// The line editor with its history file.
pub struct LineReader {
    editor: Editor<LineHelper, FileHistory>,
    history: Option<History>,
    color: bool,
    unfinished: UnfinishedEntry,
    /// Pasted lines that have not been run.
    pasted: VecDeque<String>,
    /// What had been typed when Esc closed the prompt.
    typed_before_escape: Arc<Mutex<Option<String>>>,
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
        // A definition that is edited may get more lines.
        let alt_enter = KeyEvent(KeyCode::Enter, Modifiers::ALT);
        editor.bind_sequence(alt_enter, EventHandler::Simple(Cmd::Newline));
        let history = History::open();
        if let Some(history) = &history {
            // A missing or unreadable history file must not prevent the start.
            let _ = editor.load_history(history.path());
        }
        Ok(LineReader {
            editor,
            history,
            color,
            unfinished: UnfinishedEntry::default(),
            pasted: VecDeque::new(),
            typed_before_escape: Arc::default(),
        })
    }

    /// Sets whether Esc closes the prompt, as on a screen that has keys.
    pub fn close_on_escape(&mut self, is_closing: bool) {
        let escape = KeyEvent(KeyCode::Esc, Modifiers::NONE);
        if is_closing {
            let typed = self.typed_before_escape.clone();
            let handler = EventHandler::Conditional(Box::new(EscapeHandler { typed }));
            self.editor.bind_sequence(escape, handler);
        } else {
            self.editor.unbind_sequence(escape);
        }
        let timeout = is_closing.then_some(SEQUENCE_TIMEOUT_MS);
        self.editor.set_keyseq_timeout(timeout);
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

    /// Reads an entry, continuing on further lines while it is incomplete. A command typed on one of
    /// them is returned first. `initial` is offered to be edited. The journal keeps the lines of an
    /// unfinished entry, in case the process is killed.
    pub fn read_entry(
        &mut self,
        session: &Session,
        mut journal: Option<&mut Journal>,
        initial: &str,
    ) -> io::Result<ReadResult> {
        if let Some(lines) = self.unfinished.discard_if_foreign(session) {
            return Ok(ReadResult::Discarded(lines));
        }
        let prompt = session.prompt();
        let continuation_prompt = continuation_prompt(&prompt);
        self.set_context(CompletionContext::new(session));
        // A command may have been recorded since.
        if let Some(journal) = journal
            .as_deref_mut()
            .filter(|_| !self.unfinished.is_empty())
        {
            journal.begin_draft(self.unfinished.text());
        }
        loop {
            self.set_previous_lines();
            let is_first = self.unfinished.is_empty();
            let read = match is_first {
                true => self.read_line_of_entry(session, &prompt, initial)?,
                false => self.read_line_of_entry(session, &continuation_prompt, "")?,
            };
            let (line, blank_line) = match read {
                LineOfEntry::Line(line, blank_line) => (line, blank_line),
                LineOfEntry::Pasted => continue,
                LineOfEntry::Other(ReadResult::Cancelled) => {
                    let lines = self.unfinished.discard();
                    return Ok(lines.map_or(ReadResult::Cancelled, ReadResult::Discarded));
                }
                LineOfEntry::Other(ReadResult::Closed(line)) => {
                    let mut lines = self.unfinished.discard().unwrap_or_default();
                    if !lines.is_empty() {
                        lines.push('\n');
                    }
                    return Ok(ReadResult::Closed(lines + &line));
                }
                LineOfEntry::Other(other) => return Ok(other),
            };
            let entry = match self.unfinished.add_line(session, line.clone(), blank_line) {
                AddedLine::Unfinished => {
                    // After the last pasted line, nothing shows how the entry goes on.
                    if self.pasted.is_empty()
                        && let Some(entry) = self.unfinished.take_complete()
                    {
                        self.add_to_history(&entry);
                        return Ok(ReadResult::Entry(entry));
                    }
                    match journal.as_deref_mut() {
                        Some(journal) if is_first => journal.begin_draft(&line),
                        Some(journal) => journal.continue_draft(&line),
                        None => {}
                    }
                    continue;
                }
                AddedLine::Discarded(lines) => return Ok(ReadResult::Discarded(lines)),
                AddedLine::Ended { entry, lines } => {
                    for line in lines.into_iter().rev() {
                        self.pasted.push_front(line);
                    }
                    entry
                }
                AddedLine::Ready(entry) => entry,
            };
            if blank_line == BlankLine::BelongsToEntry
                && self.continues_with_pasted(session, &entry)
            {
                if let Some(journal) = journal.as_deref_mut() {
                    journal.begin_draft(&entry);
                }
                self.unfinished.resume(entry);
                continue;
            }
            self.add_to_history(&entry);
            return Ok(ReadResult::Entry(entry));
        }
    }

    /// Reads the next line of an entry: a pasted one, or one from the keyboard.
    fn read_line_of_entry(
        &mut self,
        session: &Session,
        prompt: &str,
        initial: &str,
    ) -> io::Result<LineOfEntry> {
        if let Some(line) = self.next_pasted(prompt)? {
            return Ok(LineOfEntry::Line(line, BlankLine::BelongsToEntry));
        }
        let line = match self.read_line(prompt, initial)? {
            ReadResult::Entry(line) => line,
            other => return Ok(LineOfEntry::Other(other)),
        };
        if line.contains('\n') {
            self.pasted = match self.unfinished.is_empty() {
                true => split_pasted(session, &line),
                false => line.lines().map(str::to_string).collect(),
            };
            if self.pasted.len() > 1 {
                return Ok(LineOfEntry::Pasted);
            }
            self.pasted.clear();
        }
        Ok(LineOfEntry::Line(line, BlankLine::EndsEntry))
    }

    /// Takes the next pasted line and shows it as if it had been typed.
    fn next_pasted(&mut self, prompt: &str) -> io::Result<Option<String>> {
        // Between entries, blank lines are layout.
        while self.unfinished.is_empty() && self.pasted.front().is_some_and(|l| l.trim().is_empty())
        {
            self.pasted.pop_front();
        }
        let Some(line) = self.pasted.pop_front() else {
            return Ok(None);
        };
        let mut out = io::stdout().lock();
        let prompts = std::iter::once(prompt.to_string())
            .chain(std::iter::repeat(continuation_prompt(prompt)));
        for (prompt, line) in prompts.zip(line.split('\n')) {
            writeln!(out, "{}{}", self.styled(&prompt), escape_controls(line))?;
        }
        out.flush()?;
        Ok(Some(line))
    }

    /// Whether the next pasted line belongs to an entry that could end before it.
    fn continues_with_pasted(&self, session: &Session, entry: &str) -> bool {
        let next = self.pasted.front().filter(|line| !line.trim().is_empty());
        next.is_some_and(|next| continues_with(session, entry, next))
    }

    /// Adds a line that was typed elsewhere. It is read as the next one.
    pub fn enter_line(&mut self, line: String) {
        self.pasted.push_back(line);
    }

    /// Whether an entry is unfinished, or pasted lines have not been run.
    pub fn has_unfinished_input(&self) -> bool {
        !self.unfinished.is_empty() || !self.pasted.is_empty()
    }

    /// Discards the unfinished entry and returns its lines.
    pub fn discard_unfinished(&mut self) -> Option<String> {
        self.unfinished.discard()
    }

    /// Discards pasted lines that have not been run. Returns their number.
    pub fn discard_pasted(&mut self) -> usize {
        std::mem::take(&mut self.pasted).len()
    }

    fn set_previous_lines(&mut self) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.context.previous_lines = match self.unfinished.is_empty() {
                true => String::new(),
                false => format!("{}\n", self.unfinished.text()),
            };
        }
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
        if let Some(line) = self.next_pasted(question)? {
            return Ok(ReadResult::Entry(line));
        }
        self.set_context(context);
        let result = self.read_line(question, initial)?;
        // Of pasted lines, the first one is the answer.
        if let ReadResult::Entry(text) = &result
            && let Some((answer, rest)) = text.split_once('\n')
        {
            self.pasted = rest.lines().map(str::to_string).collect();
            return Ok(ReadResult::Entry(answer.to_string()));
        }
        Ok(result)
    }

    fn set_context(&mut self, context: CompletionContext) {
        if let Some(helper) = self.editor.helper_mut() {
            helper.context = context;
        }
    }

    fn styled(&self, prompt: &str) -> String {
        match self.color {
            true => format!("\x1b[1m{prompt}\x1b[0m"),
            false => prompt.to_string(),
        }
    }

    fn read_line(&mut self, prompt: &str, initial: &str) -> io::Result<ReadResult> {
        let styled = self.styled(prompt);
        let prompt = (prompt, styled.as_str());
        match self.editor.readline_with_initial(&prompt, (initial, "")) {
            Ok(line) => Ok(ReadResult::Entry(line)),
            Err(ReadlineError::Interrupted) => {
                let typed = self.typed_before_escape.lock();
                let typed = typed.unwrap_or_else(PoisonError::into_inner).take();
                Ok(typed.map_or(ReadResult::Cancelled, ReadResult::Closed))
            }
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

/// The prompt of the further lines of an entry, as wide as that of the first one.
fn continuation_prompt(prompt: &str) -> String {
    let width = prompt.trim_end().chars().count();
    format!("{:>width$} ", "...")
}
