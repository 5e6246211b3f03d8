//! What a move is in a language: data from which a search derives the moves of every position. A
//! language only describes its moves; it never runs them.

use crate::code::{FunctionId, Status};

/// How the games of a language are played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveModel {
    /// What a player can do while nothing is running.
    pub actions: Actions,
    /// The entry that plays the whole game and asks the players for their moves, if there is one.
    /// What is explored is the value of this expression.
    pub game_entry: Option<&'static str>,
    /// Global variables from which [`Language::standing`](super::Language::standing) is read, by index.
    pub standing_globals: Vec<u32>,
    /// Global variables that only tell end positions apart, by index: the displayed board where it
    /// is otherwise not part of the state.
    pub end_globals: Vec<u32>,
    /// Global variables that only decide what else is shown, by index. They are no part of a position.
    pub shown_globals: Vec<u32>,
    /// The ways in which the rules end a game, in the order in which they are tested.
    pub end_conditions: Vec<EndCondition>,
    /// Ways in which the rules could end a game, but the program does not define the condition, with its
    /// name.
    pub undefined_conditions: Vec<(Status, &'static str)>,
    /// Numbers of which only the order matters.
    pub ordinals: Option<Ordinals>,
    /// Fields of records from this index on are attributes that the program defines. The rules read
    /// those before.
    pub first_attribute: u16,
}

/// What a player can do while nothing is running.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Actions {
    /// Nothing: the language has no moves, or the program asks for them.
    #[default]
    None,
    /// Click a cell whose piece handles clicks: calls the function with the row and the column.
    Clicks(FunctionId),
    /// Type one of these entries.
    Entries(Vec<String>),
    /// Type this entry, which plays a turn. If the turn asks for input, the answers are the moves,
    /// and typing the entry is none.
    Turn(&'static str),
}

/// A way in which the rules end a game: a flag that the program sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndCondition {
    /// How the game ends.
    pub status: Status,
    /// The global variable that is true then.
    pub flag: u32,
    /// The function that the rules call to set the flag; `None` if moves set it.
    pub function: Option<FunctionId>,
}

/// Numbers that are only compared with those of other records of the same sort at the same place: they are
/// replaced by their rank there.
#[derive(Clone, PartialEq, Debug)]
pub struct Ordinals {
    /// The global variable that holds the highest number so far. The next number is higher.
    pub counter: u32,
    /// Fields of records that hold such numbers.
    pub fields: Vec<OrdinalField>,
    /// The field of records that holds their sort.
    pub sort: u16,
}

/// A field of records that holds a number of which only the order matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrdinalField {
    /// The field with the number.
    pub number: u16,
    /// The field with the coordinates of the place.
    pub place: u16,
}

/// The standing of a game: enough to tell who moves and who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing<'s> {
    /// Whether and how the game has ended.
    pub status: Status,
    /// The player whose turn it is.
    pub player: Option<&'s str>,
    /// The player who has won, if there is exactly one. A game with players that is won without one is
    /// won by several: see [`Views::winners`](super::Views::winners).
    pub winner: Option<&'s str>,
}

/// The form of the answers to a question, from which candidates are derived.
#[derive(Clone, PartialEq, Debug)]
pub enum InputShape {
    /// An integer.
    Int,
    /// `(Int,Int)`, or a coordinate: the cells of the board.
    Cell {
        /// How a cell is written.
        notation: CellNotation,
        /// Numbers of the first and last column.
        columns: (i64, i64),
        /// Numbers of the first and last row.
        rows: (i64, i64),
    },
    /// One of these lines: booleans and symbols.
    OneOf(Vec<String>),
    /// Several values in parentheses, separated by commas.
    Tuple(Vec<InputShape>),
    /// An answer of any of these forms.
    AnyOf(Vec<InputShape>),
    /// A number that may have a fraction.
    Float,
    /// Any text.
    Text,
    /// Values that cannot be enumerated, such as whole boards.
    Unbounded,
}

/// How a cell is written as an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellNotation {
    /// `(column,row)`
    ColumnRow,
    /// `(row,column)`
    RowColumn,
}
