//! The last lines that programs and commands printed in the view.

use crate::answer::{Answer, Part, ProgressListener};
use crate::diagnostic::{Diagnostic, shown_diagnostics};
use crate::render::AnswerText;
use crate::render::{self, Width};
use crate::session::{Line, Session, Style};
use crate::source::{Origin, Sources};
use crate::terminal::output::Screen;
use crate::terminal::output::snippet;
use crate::terminal::screen::full_screen::draw_last_row;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Older lines are dropped.
const MAX_LINES: usize = 500;

/// The last lines, shared with the listener that adds to them during a run.
#[derive(Clone, Default)]
pub struct OutputLog {
    lines: Rc<RefCell<VecDeque<Line>>>,
    /// Whether the progress of a search was drawn over the last row.
    has_drawn_progress: Rc<Cell<bool>>,
}

impl OutputLog {
    /// Adds a line and drops the oldest if there are too many.
    pub fn push(&self, line: Line) {
        let mut lines = self.lines.borrow_mut();
        lines.push_back(line);
        if lines.len() > MAX_LINES {
            lines.pop_front();
        }
    }

    pub fn extend(&self, lines: impl IntoIterator<Item = Line>) {
        lines.into_iter().for_each(|line| self.push(line));
    }

    /// Whether the progress of a search was drawn over the last row since this was asked last.
    pub fn take_drawn_progress(&self) -> bool {
        self.has_drawn_progress.take()
    }

    /// Drops all lines.
    pub fn clear(&self) {
        self.lines.borrow_mut().clear();
    }

    /// The last `count` lines.
    pub fn last(&self, count: usize) -> Vec<Line> {
        let lines = self.lines.borrow();
        lines
            .iter()
            .skip(lines.len().saturating_sub(count))
            .cloned()
            .collect()
    }
}

/// How much is shown of an error or a warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticDetail {
    /// The message, with its notes and the code that it is about.
    Full,
    /// The message in one line, and its notes.
    Message,
}

/// The lines of an answer, without the stop and the board, which have panes of their own.
pub fn answer_lines(
    session: &Session,
    screen: &Screen,
    answer: &Answer,
    detail: DiagnosticDetail,
) -> Vec<Line> {
    let width = Width::of(screen.width);
    let printed = answer.output.iter().flat_map(|text| output_lines(text));
    let echo = crate::render::echo_lines(answer, width).into_iter();
    let mut lines: Vec<Line> = echo.chain(printed).collect();
    let text = Answer {
        parts: answer
            .parts
            .iter()
            .filter(|p| !matches!(p, Part::Stop(_)))
            .cloned()
            .collect(),
        ..Answer::default()
    };
    lines.extend(render::lines(&text, width).iter().cloned());
    lines.extend(answer.value_lines().enumerate().map(|(n, line)| {
        let mark = if n == 0 { "= " } else { "  " };
        Line::styled(Style::Dim, mark).with(Style::Plain, line)
    }));
    for diagnostic in shown_diagnostics(&answer.diagnostics, &session.target.sources) {
        match detail {
            DiagnosticDetail::Full => {
                let text = snippet::render_plain(screen, &session.target.sources, &diagnostic);
                lines.extend(text.lines().map(Line::plain));
            }
            DiagnosticDetail::Message => {
                let place = place_in_file(&session.target.sources, &diagnostic);
                lines.extend(message_lines(&diagnostic, place));
            }
        }
    }
    lines.extend(render::other_board_lines(answer));
    lines.extend(render::hint_lines(answer, width));
    lines
}

/// The message of a diagnostic and its notes, one line each.
fn message_lines(diagnostic: &Diagnostic, place: Option<String>) -> impl Iterator<Item = Line> {
    let style = match diagnostic.is_error() {
        true => Style::Error,
        false => Style::Warning,
    };
    let place = place.map(|place| format!("   {place}")).unwrap_or_default();
    let message = Line::styled(style, format!("{}: ", diagnostic.severity.as_str()))
        .with(Style::Plain, diagnostic.message.as_str())
        .with(Style::Dim, place);
    let notes = diagnostic.notes.iter();
    std::iter::once(message).chain(notes.map(|note| Line::plain(format!("  {note}"))))
}

/// Where in a file an error is: `line 12 of game.gl`.
fn place_in_file(sources: &Sources, diagnostic: &Diagnostic) -> Option<String> {
    let span = diagnostic.span.filter(|_| diagnostic.is_error())?;
    let source = sources.get(span.source)?;
    let Origin::File(path) = &source.origin else {
        return None;
    };
    let (line, _) = source.line_column(span.start);
    let name = path.rsplit('/').next().unwrap_or(path);
    Some(format!("line {line} of {name}"))
}

/// What a program printed at once, which may be a board of several lines.
fn output_lines(text: &str) -> impl Iterator<Item = Line> {
    text.split('\n').map(Line::plain)
}

/// Adds what a run reports to the log, and shows the progress of a search in the last row.
pub struct LogListener {
    pub log: OutputLog,
}

impl ProgressListener for LogListener {
    fn show(&mut self, answer: &Answer) -> bool {
        self.log
            .extend(answer.output.iter().flat_map(|text| output_lines(text)));
        self.log.extend(answer.text_lines());
        true
    }

    fn show_search(&mut self, text: &str) {
        self.log.has_drawn_progress.set(true);
        draw_last_row(text);
    }
}
