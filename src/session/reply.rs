//! The reply to an entry or command: plain data that the terminal renders, `--json` prints and
//! session files store.

use crate::diagnostic::Diagnostic;
use crate::language::GameView;
use std::collections::VecDeque;

/// The meaning of a piece of text, which the terminal maps to a color. Text must stay readable
/// without colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Style {
    Plain,
    /// Less important.
    Dim,
    /// Emphasized: a heading, a command to type.
    Strong,
    /// The word `error` of an error message.
    Error,
    Warning,
    /// A value or cell that has just changed.
    Changed,
    /// The current statement, frame or cell.
    Current,
    /// A piece of the nth kind, counted in the order in which glyphs are assigned.
    Kind(u16),
    /// An RGB color set by the program.
    Color(u8, u8, u8),
}

/// A line of styled text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line(pub Vec<(Style, String)>);

impl Line {
    /// A line in the default style.
    pub fn plain(text: impl Into<String>) -> Line {
        Line(vec![(Style::Plain, text.into())])
    }

    /// A line in one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Line {
        Line(vec![(style, text.into())])
    }

    /// Appends text to the line.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Line {
        self.0.push((style, text.into()));
        self
    }

    /// The text without styles.
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

/// Where and why the program stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct StopView {
    /// One of `breakpoint`, `step`, `watch`, `event`, `error`, `interrupt`, `start`, `end`.
    pub reason: &'static str,
    /// The function or handler, such as `zero.onClick`.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Instructions executed so far.
    pub time: u64,
    /// Number of frames on the call stack.
    pub depth: usize,
}

/// A text to open in the user's editor. The result is then handled like an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct EditRequest {
    pub text: String,
    /// The file to edit in place; `None` for a single definition.
    pub file: Option<String>,
    /// The file extension of the language.
    pub extension: &'static str,
}

/// The reply to one entry or command.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reply {
    /// The input.
    pub entry: String,
    /// False if it failed.
    pub ok: bool,
    /// What the program printed.
    pub output: Vec<String>,
    /// Input that was entered on the user's behalf (`:tour next`), shown first.
    pub echo: Option<Line>,
    /// The text of the reply.
    pub lines: Vec<Line>,
    /// The value, as JSON.
    pub data: Option<serde_json::Value>,
    /// The value, in the language's notation.
    pub value: Option<String>,
    /// The game's message line.
    pub display: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// Set if the program is stopped.
    pub stop: Option<StopView>,
    /// The input prompt at which the program is waiting.
    pub question: Option<String>,
    /// The state of the game, for `:state`.
    pub state: Option<GameView>,
    /// Draw the board if it has changed.
    pub show_board: bool,
    /// Draw the board even if it has not changed.
    pub redraw: bool,
    /// The value is the board itself, so it is not printed if the board is drawn.
    pub is_board_value: bool,
    /// Commands attached to the breakpoint that was hit, to be run next.
    pub queued_commands: VecDeque<String>,
    /// The drawn board.
    pub board_lines: Vec<Line>,
    /// The column at which the board is drawn beside the text; below the text if `None`.
    pub board_column: Option<usize>,
    /// Suggestions for what to do next, shown last and not stored in transcripts.
    pub hints: Vec<Line>,
    /// A request to open an editor.
    pub edit_request: Option<EditRequest>,
    /// Interrupted with Ctrl-C before it had a result; not recorded.
    pub is_cancelled: bool,
    /// A request to play with the arrow keys until Esc is pressed.
    pub start_key_play: bool,
    /// A request to step with this delay until a key is pressed.
    pub animation_delay: Option<std::time::Duration>,
    /// The user wants to quit.
    pub should_quit: bool,
}

impl Reply {
    /// An empty, successful reply to this input.
    pub fn new(entry: &str) -> Reply {
        Reply {
            entry: entry.to_string(),
            ok: true,
            ..Reply::default()
        }
    }

    /// Adds a line of text.
    pub fn line(&mut self, line: impl Into<Line>) {
        self.lines.push(line.into());
    }

    /// Adds an error message, and marks the reply as failed.
    pub fn error(&mut self, message: impl Into<String>) {
        self.ok = false;
        self.lines
            .push(Line::styled(Style::Error, "error: ").with(Style::Plain, message));
    }

    /// Merges the reply to the answer of an input prompt into the reply that asked for it.
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

    /// The lines of the value; empty if the value is the board and the board is drawn.
    pub fn value_lines(&self) -> impl Iterator<Item = &str> {
        let is_drawn = self.is_board_value && !self.board_lines.is_empty();
        self.value
            .iter()
            .filter(move |_| !is_drawn)
            .flat_map(|value| value.split('\n'))
    }

    /// All lines without styles, joined with newlines.
    pub fn text(&self) -> String {
        self.lines
            .iter()
            .map(Line::text)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
