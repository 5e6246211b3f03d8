//! The [`Language`] trait: everything the rest of gridbug needs from a language.
//!
//! A language is a compiler front end and nothing else. It turns source text into a [`Program`] and
//! a [`Store`] into a [`GameView`]; it never runs code itself.
//!
//! ```text
//! syntax          what all parsers share: tokens, brackets, syntax errors
//! foreign_syntax  constructs of other programming languages
//! reporter        how checkers report what they find
//! names           where names are defined and used
//! words           the words in the texts of definitions
//! prelude         files of definitions that a game uses
//! moves           what a move is, as data for searches
//! direction       up, down, left and right
//! views           boards, values and definitions, as they are shown
//! highlight       the classes of tokens
//! format          the formatter
//! program_text    a program as the text of a file
//! guide           help for newcomers: first entries, examples, the tour
//! ```

#![warn(missing_docs)]

mod direction;
mod foreign_syntax;
mod format;
mod guide;
mod highlight;
mod moves;
mod names;
mod prelude;
mod program_text;
mod reporter;
pub mod syntax;
mod views;
mod words;

pub use direction::Direction;
pub use foreign_syntax::{ForeignSyntax, ForeignSyntaxNotes, explain_foreign_syntax};
pub use format::{Indentation, Layout, format_program};
pub use guide::{ExampleGame, Guide, GuideText, TourStep};
pub use highlight::{TokenClass, classify_tokens};
pub use moves::{
    Actions, CellNotation, EndCondition, InputShape, MoveModel, OrdinalField, Ordinals, Standing,
};
pub use names::{Name, NameEntry, NameKind, Names, Namespace};
pub use prelude::{PreludeSupport, compile_game, preludes_of};
pub use program_text::{
    FileFrame, ProgramItem, ProgramPart, ProgramState, ProgramText, TypedStatements,
};
pub use reporter::Reporter;
pub use views::{
    BoardView, CellView, Definition, GameProgress, GameView, NamedValues, Viewport, Views,
};
pub use words::Words;

use crate::code::{FunctionId, Local, Program, Reg};
use crate::diagnostic::Diagnostic;
use crate::source::{Origin, Source, SourceId};
use crate::value::Store;
use std::any::Any;
use std::ops::Range;

/// Static facts about a language: its names, words and sample game.
#[derive(Debug)]
pub struct LanguageInfo {
    /// The name used on the command line: `gridlok`.
    pub name: &'static str,
    /// The name shown to users: `GridLok`.
    pub title: &'static str,
    /// File extensions without the dot, the preferred one first.
    pub extensions: &'static [&'static str],
    /// Words that cannot be used as names.
    pub keywords: &'static [&'static str],
    /// Built-in functions and names, each with one line of help. Names that start with a dot are
    /// fields.
    pub builtins: &'static [(&'static str, &'static str)],
    /// Commands only this language has: (name, arguments, help). They are passed to
    /// [`Language::compile_entry`] exactly as typed, including the colon.
    pub commands: &'static [(&'static str, &'static str, &'static str)],
    /// The event names that `:break on` accepts.
    pub events: &'static [&'static str],
    /// What an action of a game is called, of which one entry may contain several: `move`.
    pub action_word: &'static str,
    /// When the rules check whether the game has ended: `turn ends`.
    pub conditions_checked_when: &'static str,
    /// True if code of this name could be defined later; a breakpoint on it is then pending.
    pub is_valid_breakpoint_name: fn(&str) -> bool,
    /// The entries typed by the arrow keys (up, down, left, right), if games are played with them.
    pub arrow_keys: Option<[&'static str; 4]>,
    /// For each code, what it means, examples that produce it and how to fix them.
    /// `command::explain_error` describes the format.
    pub error_explanations: &'static str,
    /// The source of the sample game, loaded when no file is given.
    pub sample: &'static str,
    /// The built-in rules of play as source text, so that they can be stepped through; may be
    /// empty.
    pub rules: &'static str,
    /// What a new file contains around its definitions.
    pub file_frame: FileFrame,
    /// How programs are laid out.
    pub layout: Layout,
    /// What the start screen, the hints and the tour show.
    pub guide: Guide,
}

impl LanguageInfo {
    /// A word if it is a keyword or built in.
    pub fn known_word(&self, word: &str) -> Option<&'static str> {
        let builtins = self.builtins.iter();
        let builtins = builtins.map(|&(name, _)| name.trim_start_matches('.'));
        let mut words = self.keywords.iter().copied().chain(builtins);
        words.find(|known| *known == word)
    }

    /// A language without a name: a start for new ones, which replace what they have.
    pub const EMPTY: LanguageInfo = LanguageInfo {
        name: "",
        title: "",
        extensions: &[],
        keywords: &[],
        builtins: &[],
        commands: &[],
        events: &["error"],
        action_word: "action",
        conditions_checked_when: "action ends",
        is_valid_breakpoint_name: is_identifier,
        arrow_keys: None,
        error_explanations: "",
        sample: "",
        rules: "",
        file_frame: FileFrame::NONE,
        layout: Layout::AS_WRITTEN,
        guide: Guide::EMPTY,
    };

    /// True if a word is a keyword or built-in of the language.
    pub fn is_reserved(&self, word: &str) -> bool {
        self.keywords.contains(&word) || self.builtins.iter().any(|(name, _)| *name == word)
    }
}

/// True if `text` is a letter followed by letters, digits and underscores.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The receiver in `receiver.word`: `zero` for `zero.onClick`. Text without a dot is returned as it
/// is; `None` if the part after the dot is not one of `words`.
pub fn receiver<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    match text.rsplit_once('.') {
        Some((name, word)) => words.contains(&word).then_some(name),
        None => Some(text),
    }
}

/// The result of compiling a file or an entry.
#[derive(Debug)]
pub struct Compiled {
    /// The whole program, with the new code in it.
    pub program: Program,
    /// The function to run now, if any.
    pub entry_point: Option<FunctionId>,
    /// The entry is an expression: print the value that `entry_point` returns.
    pub is_expression: bool,
    /// Problems that do not prevent the program from running.
    pub warnings: Vec<Diagnostic>,
    /// What was defined or replaced, one message each: `defined function add`.
    pub messages: Vec<String>,
    /// Clear the board and all variables before running.
    pub resets_game: bool,
    /// It only shows something: the game is rolled back after it, and the history does not have it.
    pub is_query: bool,
}

impl Compiled {
    /// A new game. Fails if a definition is too large.
    pub fn game(program: Program) -> Result<Compiled, Vec<Diagnostic>> {
        program.check_sizes(None)?;
        Ok(Compiled {
            resets_game: true,
            ..Compiled::new(program.start_function, program)
        })
    }

    /// An entry that continues the game of `old`. Fails if a definition or the entry is too large.
    pub fn entry(
        entry_point: Option<FunctionId>,
        program: Program,
        old: &Program,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        program.check_sizes(Some(old))?;
        Ok(Compiled::new(entry_point, program))
    }

    fn new(entry_point: Option<FunctionId>, program: Program) -> Compiled {
        Compiled {
            program,
            entry_point,
            is_expression: false,
            warnings: Vec::new(),
            messages: Vec::new(),
            resets_game: false,
            is_query: false,
        }
    }
}

/// An entry that was parsed: a syntax tree, or the errors.
pub struct ParsedEntry {
    tree: Result<Box<dyn Any>, Vec<Diagnostic>>,
    /// True if the next line belongs to it, so the prompt should read it: more input could complete
    /// it, or it is faulty and its brackets are open.
    pub is_incomplete: bool,
    /// True if it is incomplete because a `{` is open, whatever the lines are that do not close it.
    pub has_open_brace: bool,
    /// True if it has an error that no further line can correct.
    pub is_faulty: bool,
    /// How the next line can go on with it, if it could also end here.
    pub continuation: Continuation,
}

/// How the next line can go on with an entry that is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuation {
    /// A line that starts with one of these words or brackets belongs to the entry. None can be the
    /// start of an entry.
    pub words: &'static [&'static str],
    /// An equation of this name belongs to the entry, because its signature is faulty.
    pub equation_of: Option<String>,
    /// Whether the prompt reads one more line to see, because the entry looks like the start of
    /// something longer.
    pub is_likely: bool,
}

impl Continuation {
    /// Whether a line goes on with the entry.
    pub fn accepts(&self, line: &str) -> bool {
        let line = line.trim_start();
        let starts_with = |word: &str| {
            let rest = line.strip_prefix(word);
            rest.is_some_and(|rest| {
                !word.ends_with(is_name_char) || !rest.starts_with(is_name_char)
            })
        };
        let name = self.equation_of.as_deref();
        self.words.iter().any(|word| starts_with(word))
            || name.is_some_and(starts_with) && line.contains('=')
    }

    /// Whether no line can go on with the entry.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.equation_of.is_none()
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl ParsedEntry {
    /// An entry with a syntax tree of the language, or with errors.
    pub fn new<T: Any>(tree: Result<T, Vec<Diagnostic>>, is_incomplete: bool) -> ParsedEntry {
        ParsedEntry {
            is_faulty: tree.is_err() && !is_incomplete,
            tree: tree.map(|tree| Box::new(tree) as Box<dyn Any>),
            is_incomplete,
            has_open_brace: false,
            continuation: Continuation::default(),
        }
    }

    /// What a parser returned for an entry. While a faulty one has open brackets, its next lines
    /// belong to it, so that they are not run as entries of their own.
    pub fn from_parser<T: Any, S: syntax::Syntax>(
        input: &syntax::ParserInput<'_, S>,
        result: Result<T, syntax::ParseFailure<'_, S>>,
    ) -> ParsedEntry {
        match result {
            Ok(tree) => ParsedEntry::new(Ok(tree), false),
            Err(failure) => {
                let is_incomplete = failure.is_incomplete();
                let is_too_deep = failure.is_too_deep();
                let has_open_body = !is_too_deep && input.has_open_body();
                let has_open_brace = !is_too_deep && input.has_open_brace();
                let errors = Err(failure.into_diagnostics());
                let mut parsed = ParsedEntry::new::<T>(errors, is_incomplete);
                parsed.is_incomplete |= has_open_body;
                parsed.has_open_brace = has_open_brace;
                parsed
            }
        }
    }

    /// An entry that has no syntax tree, such as a command of the language.
    pub fn without_tree(is_incomplete: bool) -> ParsedEntry {
        ParsedEntry::new(Ok(()), is_incomplete)
    }

    /// The same entry, which more input could also complete if `test` is true for its tree.
    pub fn or_incomplete_if<T: Any>(mut self, test: impl FnOnce(&T) -> bool) -> ParsedEntry {
        let tree = self.tree.as_ref().ok().and_then(|tree| tree.downcast_ref());
        self.is_incomplete |= tree.is_some_and(test);
        self
    }

    /// The same entry, with which the next line can go on as `continuation` returns for its tree.
    pub fn continued<T: Any>(
        mut self,
        continuation: impl FnOnce(&T) -> Continuation,
    ) -> ParsedEntry {
        let tree = self.tree.as_ref().ok().and_then(|tree| tree.downcast_ref());
        self.continuation = tree.map(continuation).unwrap_or_default();
        self
    }

    /// The syntax tree. Without errors if it is of another language or has none.
    pub fn into_tree<T: Any>(self) -> Result<T, Vec<Diagnostic>> {
        self.tree?
            .downcast()
            .map_or_else(|_| Err(Vec::new()), |tree| Ok(*tree))
    }
}

thread_local! {
    /// How many texts the languages have split into tokens on this thread.
    #[doc(hidden)]
    pub static TOKENIZED_TEXTS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Every language calls this when it splits a text into tokens, so that tests can count how often an
/// entry is parsed.
#[inline]
pub fn count_tokenized_text() {
    TOKENIZED_TEXTS.set(TOKENIZED_TEXTS.get() + 1);
}

/// The selected frame at a stop, whose locals an entry can use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameScope {
    /// The frame's named registers, innermost last. The entry is compiled as a function that takes
    /// their values as parameters, in this order.
    pub locals: Vec<Local>,
    /// True if the frame runs the handler of a piece.
    pub in_handler: bool,
    /// The frame's function, from which a statically typed language gets the types of the locals.
    pub function: Option<FunctionId>,
    /// If the frame runs an entry typed at another stop: where its parameters come from.
    pub outer: Option<OuterScope>,
}

/// Where the variables are declared that an entry typed at a stop has as its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct OuterScope {
    /// The function that was stopped.
    pub function: FunctionId,
    /// The register of each parameter in that function.
    pub registers: Vec<Reg>,
}

/// An entry that plays a game or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayEntry {
    /// The whole game, with questions to the players.
    Game(&'static str),
    /// One turn.
    Turn(&'static str),
}

/// A language front end. See the module documentation.
pub trait Language: Views + Sync {
    /// Its names, words and sample game.
    fn info(&self) -> &'static LanguageInfo;

    /// A program that contains only the built-in rules.
    fn empty_program(&self) -> Program;

    /// Compiles a whole file as a new game.
    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>>;

    /// What it does with preludes; `None` if its games cannot use any.
    fn prelude_support(&self) -> Option<&dyn PreludeSupport> {
        None
    }

    /// Parses one entry typed at the prompt.
    fn parse_entry(&self, source: &Source, program: &Program) -> ParsedEntry;

    /// Compiles an entry that [`Language::parse_entry`] parsed from `source`, against the same
    /// `program`. At a stop, `frame` is the selected frame, whose locals the entry can use.
    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// Lowers the function that starts a game again, with all definitions. Only for languages that
    /// use [`Program::is_start_current`].
    fn lower_start(&self, _program: &mut Program) {}

    /// The program with the function that starts a game brought up to date with all definitions.
    /// `None` if it is up to date.
    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        if program.is_start_current {
            return Ok(None);
        }
        let mut current = program.clone();
        self.lower_start(&mut current);
        current.is_start_current = true;
        current.check_sizes(Some(program))?;
        Ok(Some(current))
    }

    /// The entry that clicks a cell, numbered as at the board's edges; `None` if games of this
    /// language are not played by clicking.
    fn click_entry(&self, _row: i64, _col: i64) -> Option<String> {
        None
    }

    /// The answer to an input question that means a cell, numbered as at the board's edges; `None`
    /// if cells cannot be answers.
    fn cell_answer(&self, _row: i64, _col: i64) -> Option<String> {
        None
    }

    /// Whether an answer of this type, as [`Language::input_type`] names it, can be a cell.
    fn is_cell_type(&self, _name: &str) -> bool {
        false
    }

    /// The entry that plays the game, where the game does not only react to the player.
    fn play_entry(&self, _program: &Program) -> Option<PlayEntry> {
        None
    }

    /// What a program that can be loaded still needs for `gridbug run` to do anything.
    fn missing_to_run(&self, _program: &Program) -> Option<&'static str> {
        None
    }

    /// The entries for the arrow keys up, down, left and right, if the game is played with them.
    fn arrow_entries(&self, _program: &Program) -> Option<[String; 4]> {
        Some(self.info().arrow_keys?.map(str::to_string))
    }

    /// The type of answer that an input instruction asks for; `None` if any text will do.
    fn input_type(&self, _program: &Program, _input_kind: u8) -> Option<String> {
        None
    }

    /// Parses and compiles one entry.
    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        self.compile_parsed(self.parse_entry(source, program), source, program, frame)
    }

    /// The symbols that an expression can have as its value, if it can have no other value; otherwise
    /// none. `frame` has the variables that it can use.
    fn expression_symbols(
        &self,
        _source: &Source,
        _program: &Program,
        _frame: &FrameScope,
    ) -> Vec<String> {
        Vec::new()
    }

    /// True if more input could complete `text`, so the prompt should read another line.
    fn is_incomplete(&self, text: &str, program: &Program) -> bool {
        let source = Source::new(SourceId::default(), Origin::Entry(0), text);
        self.parse_entry(&source, program).is_incomplete
    }

    /// Where the names of a program are defined and used. Empty if it has syntax errors.
    fn names(&self, _source: &Source) -> Vec<NameEntry> {
        Vec::new()
    }

    /// The tokens of `text` with their classes, for highlighting and bracket matching.
    fn highlight(&self, _text: &str) -> Vec<(Range<usize>, TokenClass)> {
        Vec::new()
    }

    /// How games are played, for searches. Without actions and without an entry that asks for moves,
    /// there is nothing to search.
    fn move_model(&self, _program: &Program) -> MoveModel {
        MoveModel::default()
    }

    /// The form of the answers to an input instruction, in the current game.
    fn input_shape(&self, _program: &Program, _store: &Store, _input_kind: u8) -> InputShape {
        InputShape::Unbounded
    }
}
