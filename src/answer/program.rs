//! The program: its text, its definitions, and how often it ran.

use super::SearchStop;
use serde::Serialize;

/// A range of a source text. Lines and columns are counted from 1; the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SourceRange {
    /// The name of the file or entry.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line after the last character.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A definition of the program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DefinitionInfo {
    /// Its name.
    pub name: String,
    /// Its kind: `function`, `piece`, `condition`, `variable`.
    #[serde(rename = "defines")]
    pub kind: &'static str,
    /// The definition without its body: `add(a, b)`.
    pub signature: String,
    /// The whole definition.
    pub range: Option<SourceRange>,
    /// Whether it is in a file, not in an entry or in the built-in rules.
    pub is_in_file: bool,
}

/// What a name or an expression is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Description {
    /// Built into the language.
    Builtin {
        /// What it does.
        help: &'static str,
    },
    /// Defined by the program.
    Definition(DefinitionInfo),
    /// A word of the syntax.
    Keyword {
        /// The name of the language.
        language: &'static str,
    },
    /// An expression.
    Expression {
        /// The type of its value, in the language's words.
        #[serde(rename = "type")]
        type_name: String,
        /// Its value, in the language's notation.
        value: String,
    },
}

/// The whole program as it is now.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProgramListing {
    /// The name of the source that plain line numbers refer to; `None` if the program was typed.
    pub main_source: Option<String>,
    /// How many definitions have changed since it was loaded or saved.
    pub unsaved_count: usize,
    /// The files of the preludes that it uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preludes: Vec<String>,
    /// Its lines, as `:save` writes them.
    pub lines: Vec<ProgramLine>,
}

/// A line of the program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProgramLine {
    /// Its number in the text that `:save` writes, from 1.
    pub line: u32,
    /// The text, with tabs expanded.
    pub text: String,
    /// Where it was loaded from or typed; `None` if it is in no source.
    pub origin: Option<LineOrigin>,
    /// Whether the statement that runs next starts in it.
    pub is_next: bool,
    /// The numbers of the breakpoints in it.
    pub breakpoints: Vec<u32>,
    /// How often it ran, while `:coverage` is on and it has code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<LineCount>,
}

/// A name of the program and the places where it stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NameUses {
    /// The name.
    pub name: String,
    /// What it stands for, such as `local variable`.
    pub stands_for: &'static str,
    /// The places, in the order of the program.
    pub places: Vec<NamePlace>,
}

/// A place where a name stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamePlace {
    /// The line in the text that `:save` writes, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// Where the line was loaded from or typed; `None` if it is in no source.
    pub origin: Option<LineOrigin>,
    /// The text of the line.
    pub text: String,
    /// Whether the name is defined there, rather than used.
    pub is_definition: bool,
}

/// A line of a source.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineOrigin {
    /// The name of the source, such as `game.gl` or `entry 3`.
    pub file: String,
    /// The line in it, from 1. Stops, errors and `:break` use this number.
    pub line: u32,
}

/// The compiled code of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CompiledFunction {
    /// Its name.
    pub function: String,
    /// Number of registers.
    pub register_count: usize,
    /// Its instructions.
    pub instructions: Vec<InstructionInfo>,
}

/// One instruction.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct InstructionInfo {
    /// Its address in the function.
    pub pc: usize,
    /// The statement that starts here, if one does.
    pub range: Option<SourceRange>,
    /// The instruction as text.
    pub text: String,
}

/// The random draws of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Draws {
    /// Number of draws before the first one that is listed.
    pub omitted: usize,
    /// The last draws.
    pub draws: Vec<DrawInfo>,
    /// The scripted results of the next draws.
    pub scripted: Vec<String>,
}

/// A random draw.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DrawInfo {
    /// Its number in the game, counted from 1.
    pub number: usize,
    /// The result.
    pub value: String,
    /// The smallest possible result.
    pub low: String,
    /// The largest possible result.
    pub high: String,
    /// When it happened.
    pub time: u64,
    /// Where it happened.
    pub range: Option<SourceRange>,
    /// Whether the result was set with `:rand`.
    pub is_scripted: bool,
}

/// How often a line ran.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LineCount {
    /// How often; the highest count if the line has several statements.
    pub count: u64,
    /// How often its condition was true; `None` if it has none.
    #[serde(rename = "true")]
    pub true_count: Option<u64>,
    /// How often its condition was false; `None` if it has none.
    #[serde(rename = "false")]
    pub false_count: Option<u64>,
    /// Other conditions of the line, and operands of conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_conditions: Vec<ConditionCount>,
}

/// How often a condition was true and false.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConditionCount {
    /// Where it starts in its line, in characters, from 1.
    pub column: u32,
    /// Its source.
    pub text: String,
    /// How often it was true.
    #[serde(rename = "true")]
    pub true_count: u64,
    /// How often it was false.
    #[serde(rename = "false")]
    pub false_count: u64,
}

/// A line of the program that has code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CoveredLine {
    /// The name of its source, such as `game.gl` or `entry 3`.
    pub file: String,
    /// Its number in that source, from 1.
    pub line: u32,
    /// How often it ran.
    #[serde(flatten)]
    pub count: LineCount,
}

/// A function or handler that never ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnusedFunction {
    /// Its name, such as `ghost.onClick`.
    pub name: String,
    /// The name of its source.
    pub file: String,
    /// The line of its first statement.
    pub line: u32,
}

/// What was run to count.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum CoverageExtent {
    /// What ran in this session, up to the current position in its history.
    Session {
        /// The number of entries, without the start of the session.
        entries: usize,
        /// Nothing is counted before this time, because the history was dropped to save memory.
        #[serde(skip_serializing_if = "Option::is_none")]
        known_since: Option<u64>,
    },
    /// Every move in every position that was searched, and the start of the game.
    Search {
        /// The positions.
        positions: usize,
        /// The largest number of moves to one of them.
        depth: usize,
        /// Whether they are all positions that can be reached.
        complete: bool,
        /// Why not.
        stopped_by: Option<SearchStop>,
        /// What was assumed, such as which answers are possible.
        assumed: Vec<String>,
    },
    /// Random games, and the start of the game.
    Games {
        /// Their number.
        games: usize,
        /// Those that were given up because they did not end.
        unfinished: usize,
        /// The seed of the random moves.
        seed: u64,
        /// Why there are not as many as asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped_by: Option<SearchStop>,
        /// What was assumed, such as which answers are possible.
        assumed: Vec<String>,
    },
}

/// How often the lines of the program ran.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CoverageReport {
    /// What was run.
    #[serde(flatten)]
    pub extent: CoverageExtent,
    /// The lines that have code, in the order of the program.
    pub lines: Vec<CoveredLine>,
    /// Functions and handlers that never ran.
    pub never_ran: Vec<UnusedFunction>,
    /// The program with the counts.
    pub program: ProgramListing,
}
