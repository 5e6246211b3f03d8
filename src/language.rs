//! What a language must answer. It is a translator and nothing else: text in, code and pictures out.

mod guide;

pub use guide::{Guide, Lesson};

use crate::code::{FunctionId, Local, Program, Status};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::value::{Store, Text, Value};
use std::ops::Range;

/// What a language is called, and what it is like.
#[derive(Debug)]
pub struct About {
    /// As it is typed: `gridlok`.
    pub name: &'static str,
    /// As it is written: `GridLok`.
    pub title: &'static str,
    /// The endings of its files, the usual one first.
    pub extensions: &'static [&'static str],
    pub keywords: &'static [&'static str],
    /// Functions and names that are there from the start, each with a line of help.
    pub builtins: &'static [(&'static str, &'static str)],
    /// Commands that only this language has (name, arguments, help): they come to [`Language::entry`] as they
    /// were typed, colon and all.
    pub commands: &'static [(&'static str, &'static str, &'static str)],
    /// What can happen in its games, in the words of `break on`.
    pub events: &'static [&'static str],
    /// Whether something that can be stopped in may be called so, once it is defined.
    pub may_be_called: fn(&str) -> bool,
    /// What the arrow keys type, up, down, left and right, where a game is played with them.
    pub keys: Option<[&'static str; 4]>,
    /// The codes of its errors, with what each means.
    pub codes: &'static [(&'static str, &'static str)],
    /// A game to begin with.
    pub sample: &'static str,
    /// The rules of play, as a text that can be stepped through; may be empty.
    pub rules: &'static str,
    /// What a newcomer is shown.
    pub guide: Guide,
}

/// Whether a text is a name: letters, digits and underscores, beginning with a letter.
pub fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The name before a dot and one of these words, such as `zero` in `zero.onClick`; or all of it, if there is no dot.
pub fn receiver<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    match text.rsplit_once('.') {
        Some((name, word)) => words.contains(&word).then_some(name),
        None => Some(text),
    }
}

/// Code made from a file or an entry.
#[derive(Debug)]
pub struct Compiled {
    pub program: Program,
    /// What is to be run now.
    pub run: Option<FunctionId>,
    /// Whether the value of what is run is the answer.
    pub answers: bool,
    pub warnings: Vec<Diagnostic>,
    /// What was defined or replaced, in words.
    pub said: Vec<String>,
    /// Begin from an empty board and no variables.
    pub fresh: bool,
}

/// What a part of a text is, for colouring it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Keyword,
    Builtin,
    Name,
    Number,
    Text,
    Comment,
    Operator,
    Bracket,
    Bad,
}

/// The frame that an entry typed at a stop may see into.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameScope {
    /// Its named registers, inner ones last: the entry gets their values as its parameters, in this order.
    pub locals: Vec<Local>,
    /// Whether a piece's handler runs.
    pub in_handler: bool,
    /// Whose frame it is: a language with types asks what it knows of its locals.
    pub function: Option<FunctionId>,
}

/// A part of the board, to be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub row: u32,
    pub col: u32,
    pub rows: u32,
    pub cols: u32,
}

impl Window {
    pub const ALL: Window = Window {
        row: 0,
        col: 0,
        rows: u32::MAX,
        cols: u32::MAX,
    };
    /// All but the cells.
    pub const NONE: Window = Window {
        row: 0,
        col: 0,
        rows: 0,
        cols: 0,
    };
}

/// The game as a person sees it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameView {
    pub status: Status,
    /// How the game ended, if the language has words of its own for it.
    pub ending: Option<String>,
    pub winner: Option<String>,
    pub turn: Option<String>,
    pub turn_count: Option<i64>,
    pub board: Option<BoardView>,
    /// The person's own variables, with full names.
    pub variables: Vec<(String, Value)>,
    /// Pieces in lists and their fields: they can be named as variables can, but are too many to be listed.
    pub elements: Vec<(String, Value)>,
    /// Names that stand for others now: `p` for the player whose turn it is.
    pub aliases: Vec<(String, String)>,
    /// What stands above the board, from left to right; a place may be empty.
    pub panel: Vec<Option<String>>,
    /// Lines to be shown below the board: scores.
    pub notes: Vec<String>,
}

impl GameView {
    /// All that has a value and a name.
    pub fn named(&self) -> impl Iterator<Item = &(String, Value)> {
        self.variables.iter().chain(&self.elements)
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardView {
    pub rows: u32,
    pub cols: u32,
    /// The part that `cells` holds, row by row.
    pub row: u32,
    pub col: u32,
    pub shown_rows: u32,
    pub shown_cols: u32,
    pub cells: Vec<CellView>,
    /// The number of the first row and column, and whether rows count upwards: then the first one is the lowest.
    pub origin: (i64, i64),
    pub upward: bool,
    /// It goes on beyond what is drawn.
    pub endless: bool,
    /// The cell that whoever plays looks at.
    pub focus: Option<(u32, u32)>,
}

/// What is to be seen on a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CellView {
    pub name: Option<Text>,
    /// What stands above it and is drawn in its place.
    pub top: Option<Text>,
    pub visible: bool,
    /// A colour of its own: red, green, blue.
    pub colour: Option<(u8, u8, u8)>,
    pub owner: Option<Text>,
    /// What else is there.
    pub more: Vec<Text>,
    /// The variables that all of them go by, the first one's first, where these are not what is drawn.
    pub variables: Vec<Text>,
}

impl CellView {
    /// Whether something is there that is not drawn.
    pub fn is_shared(&self) -> bool {
        self.top.is_none() && !self.more.is_empty()
    }
}

/// Something that has a name and a place in the text.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// `add`, `zero`, `winCondition`.
    pub name: String,
    /// `function`, `piece`, `condition`, `variable`.
    pub what: &'static str,
    /// The first line, without its body: `fun add(a, b)`.
    pub head: String,
    pub span: Span,
}

pub trait Language: Sync {
    fn about(&self) -> &'static About;

    /// A program with nothing in it but the rules.
    fn blank(&self) -> Program;

    /// A whole file.
    fn load(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>>;

    /// One entry typed at the prompt, at a stop with the frame it may see into.
    fn entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// Whether the only thing wrong with the text is that it ends too early; what is defined already may complete it.
    fn is_unfinished(&self, text: &str, program: &Program) -> bool;

    /// The parts of a text, for colouring it and for matching its brackets.
    fn classes(&self, text: &str) -> Vec<(Range<usize>, Class)>;

    /// The game, with the part of the board that is wanted.
    fn view(&self, program: &Program, store: &Store, window: Window) -> GameView;

    /// All that is defined.
    fn definitions(&self, program: &Program) -> Vec<Definition>;
}
