//! Lowers the typed tree to bytecode: every function, handler and block becomes a function.
//!
//! The rules of play (turn order, move checks, collisions, the end of the game) are bytecode as
//! well, emitted by `turn`, `player_order` and `board` with the helpers of `rule_builder`. Their
//! spans point to lines of `rules.txt`, so that users can step through a turn.

mod board;
mod condition;
mod entry;
mod expr;
mod link;
mod lvalue;
mod piece;
mod player_order;
mod rule_builder;
pub mod scope;
mod statement;
mod turn;

pub use entry::lower_entry;
pub use link::{empty_program, lower_program, with_current_start};

use crate::code::{self, Builder, Function, Instr, Reg, StopKind, SymbolTable};
use crate::languages::gridlang::check::hir::{Routine, RoutineKind, Type};
use crate::languages::gridlang::lower::scope::Scope;
use crate::source::Span;
use crate::value::{InternedStr, Value};
use std::sync::Arc;

/// The rules of play, as shown when stepping through them.
pub const RULES: &str = include_str!("rules.txt");

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
    /// The current line of the rules; the span of instructions emitted by the rule helpers.
    span: Span,
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
        builder.alloc_registers(saturating_u16(
            routine.locals.len() - routine.parameter_count,
        ));
        for (register, local) in routine
            .locals
            .iter()
            .take(routine.parameter_count)
            .enumerate()
        {
            // In `Player.colocation(Player)` the name `Player` denotes the mover, so the piece
            // already in the cell needs another name.
            let is_shadowed = routine.locals[register + 1..routine.parameter_count]
                .iter()
                .any(|l| l.name == local.name);
            let name = if is_shadowed {
                "occupant"
            } else {
                local.name.trim_matches(['(', ')'])
            };
            builder.begin_local(InternedStr::new(name), register as Reg);
        }
        Lowerer {
            context,
            builder,
            kind: routine.kind,
            name: routine.name.clone(),
            return_type: routine.return_type.clone(),
            first_local: 0,
            parameter_count: routine.parameter_count,
            span: routine.span,
        }
    }

    /// A function that belongs to the rules of play.
    fn for_rule(context: &'a mut ProgramContext<'s>, name: &str, parameter_count: u16) -> Self {
        Lowerer::with_kind(context, name, code::FunctionKind::Rules, parameter_count)
    }

    fn with_kind(
        context: &'a mut ProgramContext<'s>,
        name: &str,
        kind: code::FunctionKind,
        parameter_count: u16,
    ) -> Self {
        Lowerer {
            context,
            builder: Builder::new(
                InternedStr::new(name),
                kind,
                parameter_count,
                Span::default(),
            ),
            kind: RoutineKind::Function,
            name: name.into(),
            return_type: Type::Void,
            first_local: 0,
            parameter_count: 0,
            span: Span::default(),
        }
    }

    /// The register of a local slot.
    fn local_register(&self, slot: usize) -> Reg {
        self.first_local.wrapping_add(slot as Reg)
    }

    fn constant_to(&mut self, dst: Reg, value: Value, span: Span) {
        self.builder.emit_constant(dst, value, span);
    }

    fn text_to(&mut self, dst: Reg, text: &str, span: Span) {
        self.builder.emit_string(dst, text, span);
    }

    /// Emits a run-time error.
    fn fail_at(&mut self, message: &str, with: Option<Reg>, span: Span) {
        self.builder.emit_fail(message, with, span);
    }

    /// Emits a call with the arguments in the given registers; returns the register of the result.
    fn call_at(&mut self, name: &str, arguments: &[Reg], span: Span) -> Reg {
        let base = self
            .builder
            .alloc_registers(saturating_u16(arguments.len().max(1)));
        for (n, &src) in arguments.iter().enumerate() {
            self.builder.emit(
                Instr::Move {
                    dst: base + n as Reg,
                    src,
                },
                span,
            );
        }
        let function = self.context.symbols.get_or_insert(name);
        self.builder.emit(Instr::Call { function, base }, span);
        base
    }
}

/// Saturates: a count that large makes the function too large anyway.
fn saturating_u16(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn function_kind(kind: RoutineKind) -> code::FunctionKind {
    match kind {
        RoutineKind::Globals | RoutineKind::Layout => code::FunctionKind::Setup,
        RoutineKind::GameLoop
        | RoutineKind::CheckMove
        | RoutineKind::Colocation
        | RoutineKind::GameOver => code::FunctionKind::Handler,
        RoutineKind::CheckGameEnd => code::FunctionKind::Condition,
        RoutineKind::Function => code::FunctionKind::Function,
        RoutineKind::Entry => code::FunctionKind::Entry,
    }
}

/// Lowers a function, handler or block; `begin` can emit code before its body.
fn lower_routine(
    context: &mut ProgramContext,
    name: &str,
    routine: &Routine,
    begin: impl FnOnce(&mut Lowerer),
) -> Function {
    let mut body = Lowerer::for_routine(context, name, routine);
    let stop_kind = match function_kind(routine.kind) {
        code::FunctionKind::Handler => StopKind::Handler,
        code::FunctionKind::Condition => StopKind::Condition,
        _ => StopKind::Statement,
    };
    body.builder.stop_point(stop_kind, routine.head);
    begin(&mut body);
    body.statements(&routine.body);
    body.implicit_return(routine.span.shrink_to_end());
    link::finish_function(body.builder)
}
