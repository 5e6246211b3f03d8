//! The prompt of the view: the line editor in the last rows of the screen, with completion and
//! history as usual, while the panes stay in place.

use super::panes::output::OutputPane;
use super::scene::Scene;
use super::{Next, View};
use crate::command::CompletionContext;
use crate::session::{Line, Style, cancelled_message};
use crate::terminal::output::escape_controls;
use crate::terminal::repl;
use crate::terminal::repl::line_reader::{LineReader, ReadResult};
use crate::terminal::screen::canvas::look::Theme;
use crate::terminal::screen::canvas::{Area, Canvas};
use crate::terminal::screen::full_screen::line_editor_region;
use crate::terminal::screen::input::{closed_line, line_meant};
use rustyline::ExternalPrinter;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Rows of the open line editor, on a screen that is not too small.
const PROMPT_ROWS: usize = 8;

/// How often the terminal size is checked while the line editor is open.
const RESIZE_POLL_INTERVAL: Duration = Duration::from_millis(50);

impl View<'_> {
    /// Opens the line editor with `initial` in it, and runs what is entered, until no entry is
    /// unfinished and all pasted lines were run.
    pub(super) fn read_entry(&mut self, initial: &str) -> io::Result<Next> {
        let mut initial = initial;
        loop {
            match self.read_and_run(initial)? {
                None => return Ok(Next::Go),
                Some(Next::Go | Next::Input(_)) if self.reader.has_unfinished_input() => {
                    initial = "";
                }
                Some(next) => return Ok(next),
            }
        }
    }

    /// Opens the line editor with the lines of a definition in it.
    pub(super) fn read_definition(&mut self, text: &str) -> io::Result<Next> {
        self.log.push(Line::styled(
            Style::Dim,
            "Enter replaces the definition, Alt-Enter starts a new line, Esc keeps it",
        ));
        self.read_entry(text)
    }

    /// Opens the line editor once. Returns `None` if nothing was entered.
    fn read_and_run(&mut self, initial: &str) -> io::Result<Option<Next>> {
        self.update_size();
        // The last output stays above the lines that are edited.
        let lines = initial.lines().count() + 2;
        let rows = prompt_rows(self.screen.height, lines);
        let scene = self.scene();
        let frame = prompt_frame(&scene, (self.screen.width, self.screen.height), lines);
        self.show(frame)?;
        let is_answer = self.session.target.is_waiting_for_input()
            || self.session.predictions.pending.is_some();
        let watcher = ResizeWatcher::start(self.reader, scene, self.theme, lines);
        let (session, reader) = (&mut *self.session, &mut *self.reader);
        reader.close_on_escape(true);
        let result = self
            .full_screen
            .with_line_editor(self.screen.height, rows, || {
                match session.target.question() {
                    Some(question) => {
                        let text = question.text.lines().last().unwrap_or_default();
                        let prompt = format!("{} ", escape_controls(text.trim_end()));
                        let context = CompletionContext::new(session);
                        reader.read_answer_from(context, &prompt, initial)
                    }
                    None => repl::read_entry(session, reader, initial),
                }
            });
        drop(watcher);
        self.reader.close_on_escape(false);
        self.forget_screen()?;
        // A search may take some time.
        self.draw()?;
        match result? {
            ReadResult::Entry(text) => {
                let line = match line_meant(self.session, &text) {
                    Some(line) => line,
                    None if is_answer => String::new(),
                    None => return Ok(None),
                };
                let next = self.run_entry(&line)?;
                if self.interrupt.was_pressed() {
                    let count = self.reader.discard_pasted();
                    self.log
                        .extend((count > 0).then(|| repl::not_run_line(count)));
                }
                Ok(Some(next))
            }
            ReadResult::Discarded(lines) => {
                self.log.push(cancelled_message(&lines).into());
                Ok(None)
            }
            ReadResult::Closed(typed) => {
                self.log.push(closed_line(&typed));
                Ok(None)
            }
            ReadResult::Cancelled | ReadResult::Eof => {
                self.log
                    .push(match is_answer.then(|| self.session.end_input()) {
                        Some(Some(text)) => cancelled_message(&text).into(),
                        _ => closed_line(""),
                    });
                Ok(None)
            }
        }
    }
}

/// Rows of the line editor for so many lines.
fn prompt_rows(height: usize, lines: usize) -> usize {
    let wanted = PROMPT_ROWS.min(height / 2).max(lines.min(height * 2 / 3));
    wanted.max(2)
}

/// The panes above the line editor, and in its rows the last output; the last row is empty for the
/// prompt.
fn prompt_frame(scene: &Scene, (width, height): (usize, usize), lines: usize) -> Canvas {
    let rows = prompt_rows(height, lines);
    let mut canvas = scene.frame(width, height, rows);
    let output = OutputPane {
        lines: scene.output.lines.clone(),
    };
    let area = Area {
        left: 0,
        top: height.saturating_sub(rows),
        width,
        height: rows - 1,
    };
    output.draw_at_bottom(&mut canvas, area);
    canvas
}

/// Draws the scene again when the terminal is resized while the line editor is open.
struct ResizeWatcher {
    is_done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ResizeWatcher {
    fn start(reader: &mut LineReader, scene: Scene, theme: Theme, lines: usize) -> ResizeWatcher {
        let is_done = Arc::new(AtomicBool::new(false));
        // Without a printer, the panes are drawn again when the line editor closes.
        let thread = reader.external_printer().ok().map(|mut printer| {
            let is_done = is_done.clone();
            std::thread::spawn(move || {
                let mut size = terminal_size();
                while !is_done.load(Ordering::SeqCst) {
                    std::thread::sleep(RESIZE_POLL_INTERVAL);
                    let new_size = terminal_size();
                    if new_size == size || is_done.load(Ordering::SeqCst) {
                        continue;
                    }
                    size = new_size;
                    if let Some((width, height)) = size {
                        let text = redrawn(&scene, theme, (width, height), lines);
                        // Fails if the terminal was closed.
                        let _ = printer.print(text);
                    }
                }
            })
        });
        ResizeWatcher { is_done, thread }
    }
}

impl Drop for ResizeWatcher {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing to do about it.
            let _ = thread.join();
        }
    }
}

/// The whole screen for a new size, with the line editor at the bottom.
fn redrawn(scene: &Scene, theme: Theme, size: (usize, usize), lines: usize) -> String {
    let frame = prompt_frame(scene, size, lines).codes(None, theme);
    let region = line_editor_region(size.1, prompt_rows(size.1, lines));
    format!("\x1b[?6l\x1b[r\x1b[2J{frame}{region}\n")
}

fn terminal_size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size()?;
    Some((width.0.into(), height.0.into()))
}
