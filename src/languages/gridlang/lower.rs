//! Lowers the typed tree to bytecode: every function, handler and block becomes a function.
//!
//! The rules of play (turn order, move checks, collisions, the end of the game) are GridLang as well:
//! `rules.grid`, with built-in functions whose names start with `@`. They are checked and lowered like
//! any other code, so users can step through a turn.
//!
//! ```text
//! entry      what is typed at the prompt
//! link       assembles a program: function ids, globals, the start of the game
//! rules      the rules of play, which all programs share
//! routine    functions, handlers and blocks
//! statement  statements and declarations
//! expr       expressions; builtin: calls of built-in functions; lvalue: what is read and assigned
//! piece      players and items with the initial values of their attributes
//! value      default values, arrays and their copies
//! mentions   what declarations and `Layout` use
//! scope      the definitions of a session and their locations in bytecode and store
//! ```

mod builtin;
mod entry;
mod expr;
mod link;
mod lvalue;
mod mentions;
mod piece;
mod routine;
mod rules;
pub mod scope;
mod statement;
mod value;

pub use entry::lower_entry;
pub use link::{empty_program, lower_program, lower_start};
pub use rules::RULES;

use crate::ast::Lifecycle;
use crate::check::hir::{Routine, RoutineKind, Type};
use crate::code::{self, Builder, Reg, SymbolTable};
use crate::lower::scope::{RuleVariable, Scope};
use crate::source::Span;
use crate::value::InternedStr;
use std::sync::Arc;

/// State shared by all functions of a program while they are lowered.
struct ProgramContext<'s> {
    scope: &'s Scope,
    /// Functions by name; a name gets an id when it is first used.
    symbols: &'s mut SymbolTable,
}

/// Lowers one function.
struct Lowerer<'a, 's> {
    context: &'a mut ProgramContext<'s>,
    builder: Builder,
    kind: RoutineKind,
    /// Name and return type, for messages.
    name: Arc<str>,
    return_type: Type,
    /// The register of the first local. An entry typed at a stop has the locals of the stopped
    /// frame before it.
    first_local: Reg,
    parameter_count: usize,
    /// In the rules: the kind of pieces that the function creates.
    piece_kind: Option<Arc<str>>,
    /// In the rules: true if the code depends on the blocks and handlers of the game.
    depends_on_game: bool,
}

impl<'a, 's> Lowerer<'a, 's> {
    /// Starts the function of a routine; its first registers are the parameters and locals.
    fn for_routine(context: &'a mut ProgramContext<'s>, name: &str, routine: &Routine) -> Self {
        let mut builder = Builder::new(
            InternedStr::new(name),
            function_kind(routine.kind),
            routine.parameter_count as u16,
            routine.span,
        );
        let (parameters, others) = routine.locals.split_at(routine.parameter_count);
        builder.alloc_registers(saturating_u16(others.len()));
        for (register, local) in parameters.iter().enumerate() {
            // In `Player.colocation(Player)` the name `Player` denotes the mover, so the piece
            // already in the cell needs another name.
            let mut later = parameters[register + 1..].iter();
            let name = match later.any(|l| l.name == local.name) {
                true => "occupant",
                false => local.name.trim_matches(['(', ')']),
            };
            builder.begin_local(InternedStr::new(name), register as Reg);
        }
        Lowerer {
            return_type: routine.return_type.clone(),
            parameter_count: routine.parameter_count,
            ..Lowerer::new(context, &routine.name, routine.kind, builder)
        }
    }

    /// A function without a body in the source.
    fn new(
        context: &'a mut ProgramContext<'s>,
        name: &str,
        kind: RoutineKind,
        builder: Builder,
    ) -> Self {
        Lowerer {
            context,
            builder,
            kind,
            name: name.into(),
            return_type: Type::Void,
            first_local: 0,
            parameter_count: 0,
            piece_kind: None,
            depends_on_game: false,
        }
    }

    /// The register of a local slot.
    fn local_register(&self, slot: usize) -> Reg {
        self.first_local.wrapping_add(slot as Reg)
    }

    fn load_rule_var(&mut self, variable: RuleVariable, span: Span) -> Reg {
        self.builder.new_global(variable as u32, span)
    }

    fn store_rule_var(&mut self, variable: RuleVariable, src: Reg, span: Span) {
        self.builder.emit_set_global(variable as u32, src, span);
    }

    /// Emits a call with the arguments in the given registers; returns the register of the result.
    fn call_at(&mut self, name: &str, arguments: &[Reg], span: Span) -> Reg {
        let function = self.context.symbols.get_or_insert(name);
        self.builder.emit_call(function, arguments, span)
    }
}

/// Saturates: a count that large makes the function too large anyway.
fn saturating_u16(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn function_kind(kind: RoutineKind) -> code::FunctionKind {
    match kind {
        RoutineKind::Globals | RoutineKind::Layout => code::FunctionKind::Setup,
        RoutineKind::Lifecycle(Lifecycle::CheckGameEnd) => code::FunctionKind::Condition,
        RoutineKind::Lifecycle(_) | RoutineKind::CheckMove | RoutineKind::Colocation => {
            code::FunctionKind::Handler
        }
        RoutineKind::Function => code::FunctionKind::Function,
        RoutineKind::Rules => code::FunctionKind::Rules,
        RoutineKind::Entry => code::FunctionKind::Entry,
    }
}
