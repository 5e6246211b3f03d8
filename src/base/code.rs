//! The bytecode that all languages are lowered to: functions of instructions over registers, plus
//! debug info.
//!
//! The debug info says where the debugger may stop ([`StopPoint`]), which source expression an
//! instruction computes ([`ValueInfo`]), what to underline when an instruction fails, and what the
//! registers are called ([`Local`]). Execution never reads it.
//!
//! ```text
//! board_info   how a language writes the cells of its board
//! builder      assembles a function, instruction by instruction
//! emit         what all languages lower in the same way
//! fastmod      remainder by a constant divisor, without a division instruction
//! flow         what each instruction reads, writes and does
//! incremental  finds loops over the board whose iterations can be reused when they are run again
//! instr        the instruction set; see [`Instr`]
//! linker       puts functions and globals into a program
//! operator     operators on two numbers as instructions
//! parts        a program in parts that can be sent to another thread
//! symbols      function ids by name
//! verify       checks that a function can be executed
//! ```

#![warn(missing_docs)]

mod board_info;
mod builder;
mod emit;
mod fastmod;
pub mod flow;
pub mod incremental;
mod instr;
mod linker;
mod operator;
mod parts;
mod symbols;
mod verify;

pub use board_info::{BoardInfo, CellStyle};
pub use builder::{Builder, PendingJump};
pub use emit::{Emit, LogicOp};
pub use fastmod::{fastmod, reciprocal};
pub use instr::{Axis, Channel, Instr, LineDirections, PieceField, Reg};
pub use operator::{ArithmeticOp, CompareOp};
pub use parts::ProgramParts;
pub use symbols::SymbolTable;
pub use verify::{Defect, Problem};

use crate::source::Span;
use crate::value::{InternedStr, SharedVec, Store, Value};
use std::any::Any;
use std::num::NonZeroU8;
use std::rc::Rc;

/// Index of a function in its [`Program`]. Stays the same when the function is redefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// The role of a function, as shown in the call stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FunctionKind {
    /// Defined by the program and called by name.
    Function,
    /// Handles an event of a piece, such as `zero.onClick`.
    Handler,
    /// Decides whether the game ends.
    Condition,
    /// Prepares a new game: sets the initial values of variables and fills the board.
    Setup,
    /// An entry typed at the prompt.
    Entry,
    /// Part of the rules built into the language.
    Rules,
}

/// A compiled function, handler, condition or entry, with its debug info.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Shown in the call stack and accepted by `:break`: `add`, `zero.onClick`.
    pub name: InternedStr,
    /// A second name under which breakpoints can be set.
    pub alias: Option<InternedStr>,
    /// Decides how the debugger presents it and whether it steps into it.
    pub kind: FunctionKind,
    /// Number of parameters; they are in the first registers.
    pub parameter_count: u16,
    /// Number of registers that a call needs, parameters included.
    pub register_count: u16,
    /// The instructions. Ends in a return, and jumps stay inside, so execution cannot leave it.
    pub code: Vec<Instr>,
    /// Referenced by the `k` of instructions.
    pub constants: Vec<Value>,
    /// For each instruction: what to underline when it fails.
    pub spans: Vec<Span>,
    /// Sorted by `pc`.
    pub stop_points: Vec<StopPoint>,
    /// Sorted by `pc`.
    pub value_infos: Vec<ValueInfo>,
    /// Names of registers.
    pub locals: Vec<Local>,
    /// The whole definition in the source.
    pub span: Span,
}

impl Function {
    /// Estimated memory that it needs.
    fn bytes(&self) -> usize {
        size_of::<Function>()
            + size_of_val(&self.code[..])
            + size_of_val(&self.constants[..])
            + size_of_val(&self.spans[..])
            + size_of_val(&self.stop_points[..])
            + size_of_val(&self.value_infos[..])
            + size_of_val(&self.locals[..])
    }

    /// Whether it needs more than the bytecode can address; see [`Builder::finish`].
    pub fn is_too_large(&self) -> bool {
        self.code.is_empty()
    }

    /// The stop point exactly at an instruction.
    pub fn stop_point_at(&self, pc: u32) -> Option<&StopPoint> {
        self.stop_points
            .binary_search_by_key(&pc, |s| s.pc)
            .ok()
            .map(|i| &self.stop_points[i])
    }

    /// The stop point that an instruction belongs to: the last one at or before it.
    pub fn stop_point_before(&self, pc: u32) -> Option<&StopPoint> {
        let after = self.stop_points.partition_point(|s| s.pc <= pc);
        after.checked_sub(1).map(|i| &self.stop_points[i])
    }

    /// The stop point of the statement that an instruction is part of. What continues a loop is part of
    /// the head of the loop, though it comes after the last statement that is repeated.
    pub fn statement_of(&self, pc: u32) -> Option<&StopPoint> {
        let before = self.stop_point_before(pc)?;
        let instr = self.code.get(pc as usize)?;
        if !matches!(instr.flow().control, flow::Control::Repeat(_)) {
            return Some(before);
        }
        let span = self.spans.get(pc as usize).copied().unwrap_or_default();
        let heads = self.stop_points[..].iter().filter(|s| s.pc <= pc);
        let head = heads.rev().find(|s| s.span == span);
        Some(head.unwrap_or(before))
    }

    /// The value infos of an instruction.
    pub fn value_infos_at(&self, pc: u32) -> impl Iterator<Item = &ValueInfo> {
        let first = self.value_infos.partition_point(|info| info.pc < pc);
        self.value_infos[first..]
            .iter()
            .take_while(move |info| info.pc == pc)
    }

    /// Whether the jump at `pc` was taken, given the instruction executed after it. `None` if the
    /// instruction at `pc` is not a jump.
    pub fn was_jump_taken(&self, pc: u32, next_pc: u32) -> Option<bool> {
        let target = self.code.get(pc as usize)?.target()?;
        Some(target == next_pc && target != pc + 1)
    }

    /// The locals in scope at an instruction, innermost last.
    pub fn locals_at(&self, pc: u32) -> impl Iterator<Item = &Local> {
        self.locals
            .iter()
            .filter(move |l| l.start_pc <= pc && pc < l.end_pc)
    }
}

/// An instruction before which the debugger may stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StopPoint {
    /// Index of the instruction.
    pub pc: u32,
    /// What the instruction begins.
    pub kind: StopKind,
    /// What is highlighted when the debugger stops here.
    pub span: Span,
}

/// What happens at a stop point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopKind {
    /// A statement or action of the program.
    Statement,
    /// The defining equation of a function or value.
    Equation,
    /// Start of a loop iteration.
    Iteration,
    /// Entry to a handler.
    Handler,
    /// Start of the evaluation of a condition.
    Condition,
    /// A step of the built-in rules.
    Rule,
    /// Start or end of a turn.
    Turn,
}

/// Debug info for `step expr`: where and when the value of a source expression is available.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueInfo {
    /// Index of the instruction that `after` refers to.
    pub pc: u32,
    /// True if the value is available after the instruction, false if just before it.
    pub after: bool,
    /// The source expression.
    pub span: Span,
    /// Where to find the value.
    pub loc: ValueLoc,
    /// Where the operator of the expression is, if it has one; relative to `span`.
    operator: Option<OperatorPosition>,
}

impl ValueInfo {
    /// The operator of the expression: the `+` of `a + b`, the `[` of `xs[i]`, the field name of
    /// `p.name`. `None` if it has none, as a call, or starts with it, as `-x`.
    pub fn operator(&self) -> Option<Span> {
        let position = self.operator?;
        let start = self.span.start + u32::from(position.offset);
        Some(Span {
            source: self.span.source,
            start,
            end: start + u32::from(position.length.get()),
        })
    }
}

/// Where an operator is. Relative to the start of its expression, so that it stays valid when the
/// code moves in the source. Packed, because a long program has tens of thousands.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(Rust, packed)]
struct OperatorPosition {
    offset: u16,
    length: NonZeroU8,
}

// It fits into what would be padding.
const _: () = assert!(size_of::<ValueInfo>() == 36);

impl OperatorPosition {
    /// The position of `operator` in `expression`; `None` if it is at the start, not inside, or so
    /// far away or so long that no column below it fits on a screen.
    fn new(expression: Span, operator: Span) -> Option<OperatorPosition> {
        if !expression.contains(operator) || operator.start == expression.start {
            return None;
        }
        let length = u8::try_from(operator.end - operator.start).ok()?;
        Some(OperatorPosition {
            offset: u16::try_from(operator.start - expression.start).ok()?,
            length: NonZeroU8::new(length)?,
        })
    }
}

/// Where to find the value of a source expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ValueLoc {
    /// In this register.
    Register(Reg),
    /// The content of the cell at the row and column in these registers.
    Cell(Reg, Reg),
    /// The name of the piece on that cell.
    CellName(Reg, Reg),
    /// A field of the piece in this register.
    Field(Reg, PieceField),
    /// Nowhere: the condition is fused into the jump at `pc`, which shows its value.
    JumpTest {
        /// The value of the condition if the jump is taken; if it is not, the opposite.
        if_taken: bool,
    },
    /// A variable is about to be assigned this value: `t: true => false`.
    Write(Reg),
    /// The span is the equation that is evaluated from here on.
    Equation,
    /// The span is the expression whose value, in this register, is bound to a local or parameter.
    Bind(Reg),
    /// The span is the branch that is taken because `test` is `outcome`.
    Branch {
        /// The condition of the `if` or the like.
        test: Span,
        /// The value of that condition for which this branch is taken.
        outcome: bool,
    },
}

/// A named register.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Local {
    /// The name in the source. Several locals may have the same name; the innermost one hides the
    /// others.
    pub name: InternedStr,
    /// Holds the value while the name is in scope; may be reused outside of it.
    pub register: Reg,
    /// First instruction at which the name is in scope.
    pub start_pc: u32,
    /// The instruction after the last one at which the name is in scope; `u32::MAX` if it stays in
    /// scope to the end of the function.
    pub end_pc: u32,
}

/// A global variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Global {
    /// The name in the source. Starts with `@` if it belongs to the rules and programs cannot use
    /// it; empty if the slot is unused.
    pub name: InternedStr,
    /// False if it belongs to the built-in rules.
    pub is_user_defined: bool,
    /// Where it is defined; empty if it is built in.
    pub span: Span,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceKind {
    /// The name that programs use to place pieces of this kind.
    pub name: InternedStr,
    /// Whether pieces of this kind are visible when placed.
    pub visible: bool,
    /// Handler functions, indexed by [`PieceEvent`]; `None` if the event is ignored.
    pub handlers: [Option<FunctionId>; 2],
    /// Where the kind is defined.
    pub span: Span,
}

/// An event that a piece can handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PieceEvent {
    /// The player clicked the cell of the piece.
    Click,
    /// A turn is played, in which each piece may act.
    Turn,
}

/// Semantics of integer arithmetic.
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

/// Whether and how the game has ended. [`Instr::EndGame`] refers to it by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    /// The game has not ended; also before it starts.
    Playing,
    /// Ended with at least one winner.
    Won,
    /// Ended with a loss, as by GridLok's `loseCondition`.
    Lost,
    /// Ended with a draw, as by GridLok's `drawCondition`.
    Drawn,
    /// Ended without a winner, in a language that has neither losses nor draws.
    Over,
}

impl Status {
    /// The name used in `:state` and in JSON.
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

/// Formats a value in the syntax of its language: with `quoted` as in source code, otherwise as
/// `print` shows it.
pub type ValueFormatter = fn(&Program, &Store, Value, bool) -> String;

/// Parses a line of user input as the kind given by the `u8`; the error is shown to the user.
pub type InputParser = fn(&Program, &mut Store, u8, &str) -> Result<Value, String>;

/// Finds a record field by the name that the language displays, such as `frog.leaps`. Returns the
/// record and the index of the field.
pub type FieldResolver = fn(&Program, &Store, &str) -> Option<(Value, u16)>;

/// Everything that is defined at one point in a session. An entry that defines something creates a
/// new program that shares the unchanged parts.
#[derive(Clone)]
pub struct Program {
    /// Name of the language, such as `gridlok`.
    pub language: &'static str,
    /// Indexed by [`FunctionId`].
    pub functions: SharedVec<Rc<Function>>,
    /// How many functions belong to definitions. Those of the last entry follow; the next one
    /// replaces them, but frames that still run them keep their own references.
    pub definition_count: usize,
    /// Global variables; instructions refer to them by index.
    pub globals: SharedVec<Global>,
    /// Kinds of pieces; see `Piece::kind`.
    pub piece_kinds: SharedVec<PieceKind>,
    /// Names of possible owners of pieces; index 0 means no owner.
    pub owners: Rc<Vec<InternedStr>>,
    /// How integers overflow and divide; fixed by the language.
    pub arithmetic: Arithmetic,
    /// How cells of the board are written.
    pub board_info: BoardInfo,
    /// Starts a new game: initializes the variables, the board, and runs the setup.
    pub start_function: Option<FunctionId>,
    /// False if that function lacks the latest definitions. It grows with every definition, so
    /// entries leave it as it is.
    pub is_start_current: bool,
    /// Plays the game to its end, for languages in which loading a file does not.
    pub play_function: Option<FunctionId>,
    /// The global that holds the displayed board, for languages in which a board is an ordinary
    /// value.
    pub board_global: Option<u32>,
    /// Formats values in the syntax of the language.
    pub format_value: ValueFormatter,
    /// Parses what the user answers to [`Instr::Ask`].
    pub parse_input: InputParser,
    /// Finds fields of records by name, for watchpoints and `:why`.
    pub resolve_field: FieldResolver,
    /// The language's code of the error for a definition that is too large to compile.
    pub too_large_code: &'static str,
    /// Private data of the language: its names and definitions.
    pub scope: Rc<dyn Any>,
}

/// Estimated bytes that the private data of a language needs for a definition: its syntax tree, and the
/// changed paths of the tables.
const CHANGED_SCOPE_BYTES: usize = 4096;

impl Program {
    /// What the language keeps with the program, shared; empty if there is nothing of that type.
    pub fn scope_of<S: Any + Default>(&self) -> Rc<S> {
        self.scope.clone().downcast().unwrap_or_default()
    }

    /// Estimated bytes of what this program does not share with `old`.
    pub fn unshared_bytes(&self, old: &Program) -> usize {
        let is_shared = |n: usize, function: &Rc<Function>| {
            let old = old.functions.get(n);
            old.is_some_and(|old| Rc::ptr_eq(old, function))
        };
        let unshared = self.functions.unshared_ranges(&old.functions);
        let functions = unshared.into_iter().flatten().filter_map(|n| {
            let function = self.functions.get(n)?;
            (!is_shared(n, function)).then(|| function.bytes())
        });
        let scope = match Rc::ptr_eq(&self.scope, &old.scope) {
            true => 0,
            false => CHANGED_SCOPE_BYTES,
        };
        functions.sum::<usize>() + self.functions.path_bytes() + self.globals.path_bytes() + scope
    }

    /// The function with this id, if there is one.
    pub fn function(&self, id: FunctionId) -> Option<&Rc<Function>> {
        self.functions.get(id.0 as usize)
    }

    /// The kind of piece with this index, if there is one.
    pub fn piece_kind(&self, index: u16) -> Option<&PieceKind> {
        self.piece_kinds.get(index as usize)
    }

    /// Index of the global with this name.
    pub fn global(&self, name: &str) -> Option<u32> {
        let name = InternedStr::find(name)?;
        let index = self.globals.iter().position(|g| g.name == name)?;
        Some(index as u32)
    }

    /// Name of the owner with this index; empty if there is none.
    pub fn owner(&self, index: u16) -> InternedStr {
        self.owners
            .get(index as usize)
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
