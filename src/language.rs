//! What a language must answer. It is a translator and nothing else: text in, code and pictures out.

mod guide;

pub use guide::{Guide, TourStep};

use crate::code::{FunctionId, Local, Program, Status};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::value::{InternedStr, Store, Value};
use std::ops::Range;

/// What a language is called, and what it is like.
#[derive(Debug)]
pub struct LanguageInfo {
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
    pub is_valid_breakpoint_name: fn(&str) -> bool,
    /// What the arrow keys type, up, down, left and right, where a game is played with them.
    pub arrow_keys: Option<[&'static str; 4]>,
    /// The codes of its errors, with what each means.
    pub error_codes: &'static [(&'static str, &'static str)],
    /// A game to begin with.
    pub sample: &'static str,
    /// The rules of play, as a text that can be stepped through; may be empty.
    pub rules: &'static str,
    /// What a newcomer is shown.
    pub guide: Guide,
}

/// Whether a text is a name: letters, digits and underscores, beginning with a letter.
pub fn is_identifier(text: &str) -> bool {
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
    pub entry_point: Option<FunctionId>,
    /// Whether the value of what is run is the answer.
    pub is_expression: bool,
    pub warnings: Vec<Diagnostic>,
    /// What was defined or replaced, in words.
    pub messages: Vec<String>,
    /// Begin from an empty board and no variables.
    pub resets_game: bool,
}

/// What a part of a text is, for colouring it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    Keyword,
    Builtin,
    Name,
    Number,
    String,
    Comment,
    Operator,
    Bracket,
    Invalid,
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
pub struct Viewport {
    pub row: u32,
    pub col: u32,
    pub rows: u32,
    pub cols: u32,
}

impl Viewport {
    pub const ALL: Viewport = Viewport {
        row: 0,
        col: 0,
        rows: u32::MAX,
        cols: u32::MAX,
    };
    /// All but the cells.
    pub const NONE: Viewport = Viewport {
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
    pub current_player: Option<String>,
    pub turn_count: Option<i64>,
    pub board: Option<BoardView>,
    /// The person's own variables, with full names.
    pub variables: Vec<(String, Value)>,
    /// Pieces in lists and their fields: they can be named as variables can, but are too many to be listed.
    pub elements: Vec<(String, Value)>,
    /// Names that stand for others now: `p` for the player whose turn it is.
    pub aliases: Vec<(String, String)>,
    /// What stands above the board, from left to right; a place may be empty.
    pub header: Vec<Option<String>>,
    /// Lines to be shown below the board: scores.
    pub footer: Vec<String>,
}

impl GameView {
    /// All that has a value and a name.
    pub fn named_values(&self) -> impl Iterator<Item = &(String, Value)> {
        self.variables.iter().chain(&self.elements)
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardView {
    pub rows: u32,
    pub cols: u32,
    /// The part that `cells` holds, row by row.
    pub first_row: u32,
    pub first_col: u32,
    pub shown_rows: u32,
    pub shown_cols: u32,
    pub cells: Vec<CellView>,
    /// The number of the first row and column, and whether rows count upwards: then the first one is the lowest.
    pub origin: (i64, i64),
    pub is_y_up: bool,
    /// It goes on beyond what is drawn.
    pub is_unbounded: bool,
    /// The cell that whoever plays looks at.
    pub cursor: Option<(u32, u32)>,
}

/// What is to be seen on a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CellView {
    pub name: Option<InternedStr>,
    /// What stands above it and is drawn in its place.
    pub overlay: Option<InternedStr>,
    pub visible: bool,
    /// A colour of its own: red, green, blue.
    pub colour: Option<(u8, u8, u8)>,
    pub owner: Option<InternedStr>,
    /// What else is there.
    pub others: Vec<InternedStr>,
    /// The variables that all of them go by, the first one's first, where these are not what is drawn.
    pub variable_names: Vec<InternedStr>,
}

impl CellView {
    /// Whether something is there that is not drawn.
    pub fn has_hidden_pieces(&self) -> bool {
        self.overlay.is_none() && !self.others.is_empty()
    }
}

/// Something that has a name and a place in the text.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// `add`, `zero`, `winCondition`.
    pub name: String,
    /// `function`, `piece`, `condition`, `variable`.
    pub kind: &'static str,
    /// The first line, without its body: `fun add(a, b)`.
    pub signature: String,
    pub span: Span,
}

pub trait Language: Sync {
    fn info(&self) -> &'static LanguageInfo;

    /// A program with nothing in it but the rules.
    fn empty_program(&self) -> Program;

    /// A whole file.
    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>>;

    /// One entry typed at the prompt, at a stop with the frame it may see into.
    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// Whether the only thing wrong with the text is that it ends too early; what is defined already may complete it.
    fn is_incomplete(&self, text: &str, program: &Program) -> bool;

    /// The parts of a text, for colouring it and for matching its brackets.
    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)>;

    /// The game, with the part of the board that is wanted.
    fn view(&self, program: &Program, store: &Store, window: Viewport) -> GameView;

    /// All that is defined.
    fn definitions(&self, program: &Program) -> Vec<Definition>;
}
