//! What a search of the positions of a game has found.

use super::{Change, SourceRange};
use gridbug_base::diagnostic::Advice;
use gridbug_base::source::Span;
use serde::Serialize;

/// A remark about an answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Note {
    /// What it says, such as that the program does not define the goal.
    #[serde(rename = "note")]
    pub text: String,
    /// What shows more about the remark.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
}

impl Note {
    /// A remark, and a command that shows more about it.
    pub fn advising(text: impl Into<String>, command: String, effect: &str) -> Note {
        Note {
            text: text.into(),
            advice: vec![Advice::command(command, effect)],
        }
    }
}

impl<T: Into<String>> From<T> for Note {
    fn from(text: T) -> Note {
        Note {
            text: text.into(),
            advice: Vec::new(),
        }
    }
}

/// The moves that are possible in the current position.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MoveList {
    /// The moves, in the order of their cells, keys or answers.
    pub moves: Vec<PossibleMove>,
    /// How many actions without effect there are.
    pub without_effect: usize,
    /// How many moves are not listed because there are too many.
    pub omitted: usize,
    /// Whether actions without effect, and those that do the same as others, are to be shown.
    pub lists_all: bool,
    /// Why not all actions were tried, if so.
    pub stopped_by: Option<SearchStop>,
    /// Why there are none, or what was assumed.
    pub notes: Vec<String>,
}

/// Something that the player can do.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PossibleMove {
    /// What to type.
    pub entry: String,
    /// Whose move it is.
    pub player: Option<String>,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Whether it leads to another position.
    pub effect: bool,
    /// The error with which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it has no effect, as far as the game says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it does depends on a random number.
    #[serde(skip_serializing_if = "is_false")]
    pub random: bool,
    /// How the game ends with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<String>,
    /// The first move that leads to the same position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The kind of goal of a search, which decides the words of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalKind {
    /// The game ends in some way.
    Ending,
    /// No move is possible.
    Stuck,
    /// An action fails or does not end.
    Error,
    /// A condition is true.
    Condition,
    /// The game is an expression and has a value.
    Value,
    /// Code runs.
    Code,
    /// Text is printed.
    Print,
}

/// Whether moves lead to an ending from the current position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Reachability {
    /// They do.
    Found {
        /// The goal, such as `win`.
        goal: String,
        /// A shortest line of moves, which has been played to confirm it.
        moves: Vec<LineMove>,
    },
    /// They do not.
    Never {
        /// The goal.
        goal: String,
        /// The number of positions that can be reached.
        positions: usize,
    },
    /// Not known: the search for an answer is short.
    Unknown {
        /// The goal.
        goal: String,
        /// The number of positions that were searched.
        positions: usize,
        /// What was assumed about answers, if all positions were searched with these.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        assumed: Vec<String>,
    },
}

/// What a search says about its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindVerdict {
    /// It can be reached.
    Found,
    /// It cannot be reached: all positions were searched.
    Never,
    /// It cannot be reached with so many moves.
    NotWithin,
    /// The search ended before it was found, or was not exact.
    Unknown,
}

/// Why a search ended before all positions were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchStop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The number of moves that was asked for.
    Within,
    /// Ctrl-C.
    Interrupt,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineMove {
    /// What to type.
    pub entry: String,
    /// Whose move it is.
    pub player: Option<String>,
    /// The random numbers that are drawn.
    pub draws: Vec<i64>,
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CodePlace {
    /// The code.
    #[serde(flatten)]
    pub range: SourceRange,
    /// `line 12`, or `file:12` in another file than that of the game.
    pub text: String,
}

/// The condition that ends a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndedBy {
    /// Its name, such as `winCondition`.
    pub condition: String,
    /// Where it is defined.
    #[serde(rename = "where")]
    pub place: Option<CodePlace>,
}

/// A variable of which new values turn up all the time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GrowingVariable {
    /// Its name.
    pub name: String,
    /// How many values were seen.
    pub values: usize,
    /// The function whose variable it is; `None` if it is a global one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The first place in the program that makes it matter, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_in: Option<CodePlace>,
    /// The code there.
    #[serde(skip)]
    pub span: Option<Span>,
}

/// How much of the game an answer is based on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchExtent {
    /// Positions found.
    pub positions: usize,
    /// Actions run.
    pub actions: u64,
    /// The number of moves up to which all positions were found.
    pub depth: usize,
    /// Whether all positions were found.
    pub complete: bool,
    /// Why not.
    pub stopped_by: Option<SearchStop>,
    /// Variables that were left out of the positions: they cannot matter, or the user said so.
    pub ignored: Vec<String>,
    /// What was assumed.
    pub assumed: Vec<String>,
    /// The answers to questions are guessed: there are others, which the user did not rule out.
    pub guessed: bool,
    /// The variable that keeps the search from ending, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growing: Option<GrowingVariable>,
}

/// The answer to `:find`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FindResult {
    /// What the search says.
    pub verdict: FindVerdict,
    /// The goal as typed.
    pub goal: String,
    /// What kind of goal that is.
    #[serde(rename = "goal_kind")]
    pub kind: GoalKind,
    /// The shortest line of moves.
    pub moves: Vec<LineMove>,
    /// How many moves that are.
    pub length: Option<usize>,
    /// Whether there is no shorter line.
    pub shortest: bool,
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
    /// The branch in which the line is kept.
    pub branch: Option<usize>,
    /// Whether `:redo` plays it: there is nothing else to redo.
    pub redo: bool,
    /// Who reaches the goal, if it is the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The error, if the goal is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Further lines to other positions (`count N`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Vec<LineMove>>,
    /// A remark, such as that the program does not define the goal.
    #[serde(flatten)]
    pub note: Option<Note>,
    /// The condition that ends the game after the moves, if the goal is an ending and the condition is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// The condition that would have to be defined for an ending that is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// The limit on the number of moves, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<usize>,
}

/// The value of a position for a player under perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameValue {
    /// The player can force a win.
    Win,
    /// The opponent can, or the game can only be lost.
    Loss,
    /// Neither.
    Draw,
    /// Not known, or a matter of chance.
    Unknown,
}

/// A move with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveValue {
    /// What to type.
    pub entry: String,
    /// Its value for the player who moves.
    pub value: GameValue,
    /// Moves to the end, this one included, if the end is forced.
    pub distance: Option<u32>,
}

/// The answer to `:solve`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolveResult {
    /// Each move is shown with its value.
    pub lists_moves: bool,
    /// The value for the player who moves.
    pub value: GameValue,
    /// That player.
    #[serde(rename = "for")]
    pub player: Option<String>,
    /// Moves to the end, if it is forced.
    pub distance: Option<u32>,
    /// Whether all positions were searched.
    pub exact: bool,
    /// Best play of both sides.
    #[serde(serialize_with = "serialize_entries")]
    pub line: Vec<LineMove>,
    /// The moves, best first.
    pub moves: Vec<MoveValue>,
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
    /// The game has ended, so there is nothing to solve.
    pub is_over: bool,
    /// The number of players who have names.
    pub players: usize,
    /// The value depends on chance, and it is not known which move is best.
    pub has_no_best: bool,
    /// A remark, such as that a shared win counts as a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

pub(super) fn serialize_entries<S: serde::Serializer>(
    line: &[LineMove],
    s: S,
) -> Result<S::Ok, S::Error> {
    s.collect_seq(line.iter().map(|m| &m.entry))
}

pub(super) fn serialize_optional_entries<S: serde::Serializer>(
    line: &Option<Vec<LineMove>>,
    s: S,
) -> Result<S::Ok, S::Error> {
    match line {
        Some(line) => serialize_entries(line, s),
        None => s.serialize_none(),
    }
}

/// The answer to `:hint`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hint {
    /// A best move; `None` if it is not known.
    pub best: Option<MoveValue>,
    /// The game has ended.
    pub is_over: bool,
    /// What the moves are worth depends on chance, and it is not known how much.
    pub is_chance: bool,
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
}

/// The answer to `:stats`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StatsResult {
    /// Whether the numbers are exact: all games, every move equally likely.
    pub exact: bool,
    /// The number of games.
    #[serde(serialize_with = "serialize_count")]
    pub games: f64,
    /// The seed of random games.
    pub seed: u64,
    /// How games end.
    #[serde(serialize_with = "serialize_results")]
    pub results: Vec<GameResult>,
    /// How much more often the first of two players wins than the second, as a share. A player who loses
    /// counts as a win of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage: Option<f64>,
    /// Moves of a game that has ended.
    pub length: GameLength,
    /// Moves to choose from.
    pub choices: Choices,
    /// Positions, or random games, in which no move is possible although the game has not ended.
    pub dead_ends: usize,
    /// Random games that were given up because they did not end.
    pub unfinished: usize,
    /// Why fewer random games were played than asked for.
    pub cut_short: Option<SearchStop>,
    /// The moves of the random game that was not played to its end because of that.
    pub open_game_moves: usize,
    /// Whether positions were searched before random games were played.
    pub has_searched: bool,
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
}

/// A way in which games end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameResult {
    /// The player who wins or loses, or one of `win`, `lost`, `draw`, `over`, `error`, `dead end`.
    pub name: String,
    /// What that is.
    pub kind: ResultKind,
    /// The number of games.
    #[serde(serialize_with = "serialize_count")]
    pub count: f64,
    /// Their share, every move being equally likely.
    pub rate: f64,
    /// Lower end of the 95 % interval of the share; the share itself if it is exact.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What the name of a [`GameResult`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultKind {
    /// One of several players, who wins.
    Winner,
    /// The players who win together.
    SharedWin,
    /// One of several players, who loses.
    Loser,
    /// A way in which games end, or the value of one that is an expression.
    Other,
}

impl GameResult {
    /// `x wins`, `ann, bob win`, `draw`
    pub fn label(&self) -> String {
        let name = &self.name;
        match self.kind {
            ResultKind::Winner => format!("{name} wins"),
            ResultKind::SharedWin => format!("{name} win"),
            ResultKind::Loser => format!("{name} loses"),
            ResultKind::Other if name == "win" => "won".into(),
            ResultKind::Other if name == "over" => "over, without a winner".into(),
            ResultKind::Other => name.clone(),
        }
    }
}

/// Moves of a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GameLength {
    /// On average.
    pub mean: f64,
    /// In the shortest game.
    pub min: usize,
    /// In the longest game.
    pub max: usize,
}

/// Moves to choose from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Choices {
    /// On average.
    pub mean: f64,
    /// At most.
    pub max: usize,
}

/// A number of games, as an integer unless it is too large for one.
fn serialize_count<S: serde::Serializer>(count: &f64, s: S) -> Result<S::Ok, S::Error> {
    /// Larger floats are not exact.
    const MAX_EXACT: f64 = (1u64 << 53) as f64;
    match *count < MAX_EXACT {
        true => s.serialize_u64(*count as u64),
        false => s.serialize_f64(*count),
    }
}

fn serialize_results<S: serde::Serializer>(
    results: &[GameResult],
    s: S,
) -> Result<S::Ok, S::Error> {
    // A player may have the name of another result. Players come first and keep theirs.
    let mut known = std::collections::HashSet::new();
    let mut key_of = |result: &GameResult| {
        let mut key = match result.kind {
            ResultKind::Winner | ResultKind::Other => result.name.clone(),
            ResultKind::SharedWin | ResultKind::Loser => result.label(),
        };
        while !known.insert(key.clone()) {
            key = format!("({key})");
        }
        key
    };
    s.collect_map(results.iter().map(|result| (key_of(result), result)))
}

/// A move of the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpponentMove {
    /// The player.
    pub player: String,
    /// What was entered.
    pub entry: String,
    /// `random`, `level 3` or `perfect`.
    pub level: String,
    /// Why it was chosen at the highest level, although perfect play was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_perfect: Option<&'static str>,
    /// No move is better.
    pub exact: bool,
    /// Positions that were searched.
    pub positions: usize,
    /// Games that were played with random moves.
    pub playouts: u32,
}

/// The answer to `:vary`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VaryResult {
    /// The variable.
    pub variable: String,
    /// The condition.
    pub condition: String,
    /// What came of each start value.
    pub runs: Vec<VariedRun>,
    /// Why there are fewer runs than start values, if there are.
    pub stopped_by: Option<SearchStop>,
}

/// What came of a start value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariedRun {
    /// The start value.
    pub start: i64,
    /// Whether the condition was true at the end; `None` if it is not true or false, or there was an
    /// error.
    pub holds: Option<bool>,
    /// Its value.
    pub value: Option<String>,
    /// The error that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
