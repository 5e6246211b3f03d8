//! What a language is lowered to: functions of instructions over registers, with tables beside them.
//!
//! The tables say where a person may stop ([`Stop`]), which part of the text an instruction computes
//! ([`Note`]), where to point when it fails, and what the registers are called ([`Local`]). Running does
//! not look at them.

mod board_info;
mod builder;
mod fastmod;
mod instr;
mod symbols;

pub use board_info::{BoardInfo, CellStyle};
pub use builder::{Builder, PendingJump};
pub use fastmod::{fastmod, reciprocal};
pub use instr::{Instr, LineDirections, PieceField, Reg};
pub use symbols::SymbolTable;

use crate::source::Span;
use crate::value::{InternedStr, Store, Value};
use std::any::Any;
use std::rc::Rc;

/// The number of a function in its [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// What a function is to a person who looks at the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    Function,
    /// Answers an event: `zero.onClick`.
    Handler,
    /// Decides whether the game ends.
    Condition,
    Setup,
    /// Typed at the prompt.
    Entry,
    /// Rules of play that belong to the language itself.
    Rules,
}

/// One function, handler, condition or entry, ready to run.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub name: InternedStr,
    /// Another name that it can be stopped in by.
    pub alias: Option<InternedStr>,
    pub kind: FunctionKind,
    pub parameter_count: u16,
    /// How many registers a call of it needs.
    pub register_count: u16,
    pub code: Vec<Instr>,
    pub constants: Vec<Value>,
    /// For each instruction: where to point when it fails.
    pub spans: Vec<Span>,
    /// In order of `pc`.
    pub stop_points: Vec<StopPoint>,
    /// In order of `pc`.
    pub value_infos: Vec<ValueInfo>,
    pub locals: Vec<Local>,
    /// All of it, as it was written.
    pub span: Span,
}

impl Function {
    /// The stop at an instruction, if one is there.
    pub fn stop_point_at(&self, pc: u32) -> Option<&StopPoint> {
        self.stop_points
            .binary_search_by_key(&pc, |s| s.pc)
            .ok()
            .map(|i| &self.stop_points[i])
    }

    /// The stop that an instruction belongs to: the last one before it.
    pub fn stop_point_before(&self, pc: u32) -> Option<&StopPoint> {
        let after = self.stop_points.partition_point(|s| s.pc <= pc);
        after.checked_sub(1).map(|i| &self.stop_points[i])
    }

    /// The named registers that can be seen at an instruction, inner ones last.
    pub fn locals_at(&self, pc: u32) -> impl Iterator<Item = &Local> {
        self.locals
            .iter()
            .filter(move |l| l.start_pc <= pc && pc < l.end_pc)
    }
}

/// A mark in the code where a person may stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StopPoint {
    pub pc: u32,
    pub kind: StopKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopKind {
    Statement,
    /// The defining equation of a function or value.
    Equation,
    /// One round of a loop begins.
    Iteration,
    /// A handler is entered.
    Handler,
    /// A condition begins to be looked at.
    Condition,
    /// A step of the rules of play.
    Rule,
    /// A turn begins or ends.
    Turn,
}

/// Which part of the text has which value when: for showing an evaluation step by step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueInfo {
    pub pc: u32,
    /// Known once the instruction is done; otherwise just before it.
    pub after: bool,
    pub span: Span,
    pub loc: ValueLoc,
}

/// Where the value of a part of the text is to be seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ValueLoc {
    Register(Reg),
    Global(u32),
    Constant(Value),
    /// What stands on the cell whose row and column are in these registers.
    Cell(Reg, Reg),
    /// The name of what stands there.
    CellName(Reg, Reg),
    /// A field of the piece in this register.
    Field(Reg, PieceField),
    /// A test that is part of a jump: its value if the jump is taken.
    JumpTest {
        if_taken: bool,
    },
    /// A variable is about to get this value: `t: true => false`.
    Write(Reg),
    /// This part is the equation that is evaluated from here on.
    Equation,
    /// This part gives a register with a name its value, which lies there now; before a call, a parameter.
    Bind(Reg),
    /// This part is the branch that is taken, because the test is so.
    Branch {
        test: Span,
        outcome: bool,
    },
}

/// A register with a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Local {
    pub name: InternedStr,
    pub register: Reg,
    /// Where in the code it can be seen.
    pub start_pc: u32,
    pub end_pc: u32,
}

/// A variable of the whole program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Global {
    pub name: InternedStr,
    /// Whether it is one of the person's own, or belongs to the rules.
    pub is_user_defined: bool,
    pub span: Span,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceKind {
    pub name: InternedStr,
    /// Whether such a piece can be seen when it is placed.
    pub visible: bool,
    /// The functions that answer its events, by [`Event`].
    pub handlers: [Option<FunctionId>; 2],
    pub span: Span,
}

/// What can happen to a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PieceEvent {
    Click,
    Turn,
}

/// How whole numbers are computed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// 32 bits, overflow is an error, division truncates.
    #[default]
    Checked32,
    /// 32 bits, wraps around, division truncates.
    Wrapping32,
    /// 64 bits, overflow is an error, division truncates.
    Checked64,
    /// 64 bits, wraps around, division rounds down.
    Wrapping64,
}

/// How a game has ended, or that it has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    Playing,
    Won,
    Lost,
    Drawn,
    Over,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Drawn => "drawn",
            Status::Over => "over",
        }
    }
}

/// Writes a value as its language does: `quoted` as in a source, otherwise as `print` shows it.
pub type ValueFormatter = fn(&Program, &Store, Value, bool) -> String;

/// Reads an answer to a question; the message says what was wrong with it.
pub type InputParser = fn(&Program, &mut Store, u8, &str) -> Result<Value, String>;

/// Where a field lies that is shown under a name of its own, such as `frog.leaps`: in which record, and which item of it.
pub type FieldResolver = fn(&Program, &Store, &str) -> Option<(Value, u16)>;

/// All that is defined at one moment. Each entry that defines something makes a new one that shares the rest.
#[derive(Clone)]
pub struct Program {
    pub language: &'static str,
    pub functions: Vec<Rc<Function>>,
    pub globals: Rc<Vec<Global>>,
    pub piece_kinds: Rc<Vec<PieceKind>>,
    /// Who can own a piece, by the number in it; the first is nobody.
    pub owners: Rc<Vec<InternedStr>>,
    pub arithmetic: Arithmetic,
    pub board_info: BoardInfo,
    /// Starts the game anew: variables, board, setup.
    pub start_function: Option<FunctionId>,
    /// Plays the game to its end; for languages in which loading does not.
    pub play_function: Option<FunctionId>,
    /// The variable that holds the board that is seen, where a board is a value like others.
    pub board_global: Option<u32>,
    pub format_value: ValueFormatter,
    pub parse_input: InputParser,
    pub resolve_field: FieldResolver,
    /// What the language knows of its names and definitions: nobody else looks into it.
    pub scope: Rc<dyn Any>,
}

impl Program {
    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.functions.get(id.0 as usize)
    }

    pub fn piece_kind(&self, number: u16) -> Option<&PieceKind> {
        self.piece_kinds.get(number as usize)
    }

    pub fn global(&self, name: &str) -> Option<u32> {
        self.globals
            .iter()
            .position(|g| g.name.as_str() == name)
            .map(|i| i as u32)
    }

    pub fn owner(&self, number: u16) -> InternedStr {
        self.owners
            .get(number as usize)
            .copied()
            .unwrap_or_else(|| InternedStr::new(""))
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("language", &self.language)
            .field("functions", &self.functions.len())
            .finish()
    }
}
