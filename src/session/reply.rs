//! What is answered to something typed: data, to be painted by the terminal, printed as JSON or kept in a file.

use crate::diagnostic::Diagnostic;
use crate::language::GameView;
use std::collections::VecDeque;

/// What a part of a line means. Each has one colour, and is readable without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Style {
    Plain,
    /// Less important.
    Dim,
    /// What one looks for: a heading, a command to type.
    Strong,
    /// Something that went wrong.
    Error,
    Warning,
    /// Has just changed.
    Changed,
    /// Is being looked at.
    Current,
    /// A piece of the nth kind.
    Kind(u16),
    /// A colour of its own.
    Colour(u8, u8, u8),
}

/// A line of parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line(pub Vec<(Style, String)>);

impl Line {
    pub fn plain(text: impl Into<String>) -> Line {
        Line(vec![(Style::Plain, text.into())])
    }

    pub fn styled(style: Style, text: impl Into<String>) -> Line {
        Line(vec![(style, text.into())])
    }

    pub fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.0.push((style, text.into()));
        self
    }

    pub fn text(&self) -> String {
        self.0.iter().map(|(_, t)| t.as_str()).collect()
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::plain(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line::plain(text)
    }
}

/// Where and why a run stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct StopView {
    /// breakpoint, step, watch, event, error, interrupt, start, end
    pub reason: &'static str,
    /// In whose code: `zero.onClick`.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub time: u64,
    pub depth: usize,
}

/// A text to be edited, and then typed.
#[derive(Clone, PartialEq, Debug)]
pub struct EditRequest {
    pub text: String,
    /// The file to be edited in place, if it is not a part of one.
    pub file: Option<String>,
    /// The ending of the language's files.
    pub extension: &'static str,
}

/// The answer to one entry or command.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reply {
    /// What was typed.
    pub entry: String,
    pub ok: bool,
    /// What the game printed.
    pub output: Vec<String>,
    /// What was typed for the person, shown above all else.
    pub echo: Option<Line>,
    /// What is to be read, painted.
    pub lines: Vec<Line>,
    /// The value, as JSON.
    pub data: Option<serde_json::Value>,
    /// The value, as its language writes it.
    pub value: Option<String>,
    pub display: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
    pub stop: Option<StopView>,
    /// The program waits for an answer to this question.
    pub question: Option<String>,
    pub state: Option<GameView>,
    /// The board is to be shown, if there is something new to see on it.
    pub show_board: bool,
    /// It is to be shown in any case.
    pub redraw: bool,
    /// The value is this board: where it is shown it need not be written.
    pub is_board_value: bool,
    /// Commands that breakpoints want done now.
    pub queued_commands: VecDeque<String>,
    /// The board as it is shown.
    pub board_lines: Vec<Line>,
    /// It stands beside the text, from this column on.
    pub board_column: Option<usize>,
    /// What to do next, shown below all else and kept nowhere.
    pub hints: Vec<Line>,
    /// A text to be edited by whoever has an editor.
    pub edit_request: Option<EditRequest>,
    /// It was stopped from the keyboard before it had found anything: it never was.
    pub is_cancelled: bool,
    /// What whoever has a keyboard does next: keys are played, until Esc.
    pub start_key_play: bool,
    /// Likewise: steps, with so much time between two, until a key is pressed.
    pub animation_delay: Option<std::time::Duration>,
    /// The session is over.
    pub should_quit: bool,
}

impl Reply {
    pub fn new(entry: &str) -> Reply {
        Reply {
            entry: entry.to_string(),
            ok: true,
            ..Reply::default()
        }
    }

    pub fn line(&mut self, line: impl Into<Line>) {
        self.lines.push(line.into());
    }

    pub fn error(&mut self, message: impl Into<String>) {
        self.ok = false;
        self.lines
            .push(Line::styled(Style::Error, "error: ").with(Style::Plain, message));
    }

    /// Takes in what came after a question was answered.
    pub fn append(&mut self, more: Reply) {
        let entry = std::mem::take(&mut self.entry);
        let mut before = std::mem::replace(self, Reply { entry, ..more });
        before.output.append(&mut self.output);
        before.lines.append(&mut self.lines);
        before.diagnostics.append(&mut self.diagnostics);
        before.hints.append(&mut self.hints);
        self.ok &= before.ok;
        (self.output, self.lines, self.diagnostics) =
            (before.output, before.lines, before.diagnostics);
        self.hints = before.hints;
    }

    /// The lines of the value that are to be written; none where the board that it is stands below.
    pub fn value_lines(&self) -> impl Iterator<Item = &str> {
        let drawn = self.is_board_value && !self.board_lines.is_empty();
        self.value
            .iter()
            .filter(move |_| !drawn)
            .flat_map(|value| value.split('\n'))
    }

    pub fn text(&self) -> String {
        self.lines
            .iter()
            .map(Line::text)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
