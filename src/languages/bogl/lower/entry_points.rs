//! Code that is run directly: entries, the start of a game, and a game run without a prompt. Boards
//! and session lets are evaluated in dependency order.

use super::Lowerer;
use crate::ast::{Expr, SessionLet};
use crate::check::builtin::Builtin;
use crate::check::env::{Env, GlobalDef, GlobalItem};
use crate::check::resolution::{GlobalKind, NameRef, Resolution};
use crate::check::types::{SignatureType, Type};
use crate::check::{Checked, can_reevaluate};
use crate::code::{Channel, FunctionKind, Instr, Reg, StopKind, ValueLoc};
use crate::lower::scope::{
    COMMITTED_BOARD, DISPLAYED_BOARD, FrameContext, INPUT_REQUESTED, OTHER_BOARD, PLACED_BOARD,
    PLAY_FUNCTION, RESULT_NAME, START_FUNCTION, Scope,
};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static EMPTY_RESOLUTION: LazyLock<Resolution> = LazyLock::new(Resolution::default);

impl<'a> Lowerer<'a> {
    /// Lowers an entry: evaluates new boards and lets, then the expression, and returns its value.
    pub(super) fn entry(
        scope: &'a Scope,
        checked: &'a Checked,
        expr: Option<&Expr>,
        span: Span,
        frame: &FrameContext,
    ) -> Lowerer<'a> {
        let mut lowerer = Lowerer::new(
            scope,
            &EMPTY_RESOLUTION,
            "entry",
            FunctionKind::Entry,
            frame.register_count,
            span,
        );
        for ((name, ty), &register) in frame.locals.iter().zip(&frame.registers) {
            lowerer.name_register(&name.text, register, ty.clone());
        }
        lowerer.is_entry = true;
        let mut boards: Vec<&Arc<str>> = checked.boards_to_evaluate.iter().collect();
        for (n, name) in checked.lets_to_evaluate.iter().enumerate() {
            // First evaluate the boards that do not depend on this or a later let.
            let pending_lets: BTreeSet<&Arc<str>> = checked.lets_to_evaluate[n..].iter().collect();
            boards.retain(|board| {
                let reached = scope.env.reachable([*board]);
                let must_wait = reached.iter().any(|used| pending_lets.contains(used));
                if !must_wait {
                    lowerer.evaluate_board(board);
                }
                must_wait
            });
            if let Some(global) = scope.env.global(name)
                && let GlobalItem::Let(session_let) = &global.item
            {
                lowerer.lower_session_let(session_let, &global.resolution, &frame.registers);
            }
        }
        for board in boards {
            lowerer.evaluate_board(board);
        }
        if let (Some(expr), Some((resolution, ty))) = (expr, &checked.expr) {
            lowerer.lower_result(expr, resolution, ty, frame);
        } else if !frame.is_stopped {
            lowerer.commit_board(span);
        }
        lowerer
    }

    fn lower_result(
        &mut self,
        expr: &Expr,
        resolution: &'a Resolution,
        ty: &Type,
        frame: &FrameContext,
    ) {
        (self.resolution, self.registers) = (resolution, frame.registers.clone());
        self.builder.stop_point(StopKind::Statement, expr.span);
        let src = self.lower_expr(expr);
        // At a stop, the interrupted entry is not done yet; it commits the board when it ends.
        if !frame.is_stopped && may_use_place_or_input(&self.scope.env, resolution) {
            self.commit_board(expr.span);
        }
        self.display_board(src, ty, expr.span);
        self.builder.emit(Instr::Return { src }, expr.span);
    }

    /// Lowers the start of the game: evaluates every board, and the session lets that can be
    /// re-evaluated.
    pub(super) fn start(scope: &'a Scope) -> Lowerer<'a> {
        let mut lowerer = Lowerer::rules(scope, START_FUNCTION);
        let (register, span) = (lowerer.builder.alloc_register(), Span::default());
        lowerer.emit_constant(Value::FALSE, register, span);
        lowerer
            .builder
            .emit_set_global(INPUT_REQUESTED, register, span);
        for global in in_dependency_order(&scope.env) {
            match &global.item {
                GlobalItem::Let(session_let) => {
                    lowerer.lower_session_let(session_let, &global.resolution, &[])
                }
                GlobalItem::Definition(..) => lowerer.evaluate_board(&global.name),
            }
        }
        lowerer
    }

    /// A function that belongs to no definition.
    fn rules(scope: &'a Scope, name: &str) -> Lowerer<'a> {
        let (kind, span) = (FunctionKind::Rules, Span::default());
        Lowerer::new(scope, &EMPTY_RESOLUTION, name, kind, 0, span)
    }

    /// Lowers a run without a prompt: prints the value of `result`.
    pub(super) fn play(scope: &'a Scope) -> Lowerer<'a> {
        let mut lowerer = Lowerer::rules(scope, PLAY_FUNCTION);
        let result = scope.env.global(RESULT_NAME);
        let result = result.filter(|global| global.kind() != GlobalKind::Function);
        let last = scope.env.globals().last().copied();
        let declaration = result.or(last).map(|global| global.declaration_span());
        let span = declaration.unwrap_or_default();
        let base = lowerer.builder.alloc_register();
        let instr = match (
            result.map(|global| global.kind()),
            scope.symbols.get(RESULT_NAME),
            scope.slots.get(RESULT_NAME),
        ) {
            (Some(GlobalKind::Board | GlobalKind::Let), _, Some(&global)) => {
                Some(Instr::GetDefinedGlobal { dst: base, global })
            }
            (Some(_), Some(function), _) => Some(Instr::Call { function, base }),
            _ => None,
        };
        match instr {
            Some(instr) => _ = lowerer.builder.emit(instr, span),
            None => lowerer.emit_failure(
                "nothing to run: define a value named `result`, e.g. `result : Int` and `result = 1`",
                span,
            ),
        }
        lowerer.builder.emit(Channel::Print.output(base), span);
        lowerer
    }

    /// Emits code that evaluates a board defined by equations and displays it.
    fn evaluate_board(&mut self, name: &str) {
        let (Some(function), Some(&global)) =
            (self.scope.symbols.get(name), self.scope.slots.get(name))
        else {
            return;
        };
        let board = self.scope.env.global(name);
        let span = board.map(|board| board.declaration_span());
        let span = span.unwrap_or_default();
        let in_use = self.builder.registers_in_use();
        let base = self.builder.alloc_register();
        self.builder.emit(Instr::Call { function, base }, span);
        for global in [global, COMMITTED_BOARD, DISPLAYED_BOARD] {
            self.builder.emit_set_global(global, base, span);
        }
        self.builder.release_registers(in_use);
    }

    /// Emits code that evaluates a session let and, if it holds a board, displays it.
    fn lower_session_let(
        &mut self,
        session_let: &SessionLet,
        resolution: &'a Resolution,
        registers: &[Reg],
    ) {
        let (name, span) = (&session_let.name.text, session_let.span);
        let Some(&slot) = self.scope.slots.get(name) else {
            return;
        };
        (self.resolution, self.registers) = (resolution, registers.to_vec());
        let in_use = self.builder.registers_in_use();
        self.builder.stop_point(StopKind::Equation, span);
        self.builder.record_value_before(span, ValueLoc::Equation);
        let src = self.lower_expr(&session_let.value);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit_set_global(slot, src, span);
        if let Some(global) = self.scope.env.global(name)
            && let SignatureType::Value(ty) = &global.signature_type
        {
            self.display_board(src, ty, span);
        }
        self.builder.release_registers(in_use);
    }

    /// If the value is a board, or a tuple that contains one, displays the (last) board.
    fn display_board(&mut self, src: Reg, ty: &Type, span: Span) {
        let Some(path) = path_to_board(ty) else {
            return;
        };
        let in_use = self.builder.registers_in_use();
        let mut board = src;
        for item in path {
            let dst = self.builder.alloc_register();
            self.builder.emit_item(dst, board, item, span);
            board = dst;
        }
        self.builder.emit_set_global(COMMITTED_BOARD, board, span);
        self.builder.emit_set_global(DISPLAYED_BOARD, board, span);
        self.builder.release_registers(in_use);
    }

    /// Ends an entry: returns to the committed board, because functions may place on boards just to
    /// try a move. If `input` was used, the displayed board is committed instead.
    fn commit_board(&mut self, span: Span) {
        let tracks_boards = self.tracks_boards();
        let builder = &mut self.builder;
        let in_use = builder.registers_in_use();
        let a = builder.alloc_register();
        builder.emit_get_global(a, INPUT_REQUESTED, span);
        let no_input = builder.emit_jump(Instr::JumpUnless { a, to: 0 }, span);
        builder.emit_get_global(a, DISPLAYED_BOARD, span);
        builder.emit_set_global(COMMITTED_BOARD, a, span);
        builder.patch_here(no_input);
        builder.emit_get_global(a, COMMITTED_BOARD, span);
        builder.emit_set_global(DISPLAYED_BOARD, a, span);
        builder.emit_constant(a, Value::FALSE, span);
        builder.emit_set_global(INPUT_REQUESTED, a, span);
        if tracks_boards {
            builder.emit_constant(a, Value::NOTHING, span);
            builder.emit_set_global(PLACED_BOARD, a, span);
            builder.emit_set_global(OTHER_BOARD, a, span);
        }
        builder.release_registers(in_use);
    }
}

/// The tuple indices that lead to the last board in a value.
fn path_to_board(ty: &Type) -> Option<Vec<u16>> {
    if ty.is_board() {
        return Some(Vec::new());
    }
    ty.as_tuple()?
        .iter()
        .enumerate()
        .rev()
        .find_map(|(item, part)| {
            let mut path = path_to_board(part)?;
            path.insert(0, item as u16);
            Some(path)
        })
}

/// True if the code may use `place` or `input`, directly or indirectly.
fn may_use_place_or_input(env: &Env, resolution: &Resolution) -> bool {
    let is_either =
        |name: &NameRef| matches!(name, NameRef::Builtin(Builtin::Place | Builtin::Input));
    let uses_directly = |resolution: &Resolution| resolution.names.values().any(is_either);
    let reached = env.reachable(&resolution.uses);
    let mut globals = reached.iter().filter_map(|name| env.global(name));
    uses_directly(resolution) || globals.any(|global| uses_directly(&global.resolution))
}

/// All boards and lets that can be evaluated now, in dependency order.
fn in_dependency_order(env: &Env) -> Vec<&Arc<GlobalDef>> {
    let mut pending: Vec<(&Arc<GlobalDef>, BTreeSet<Arc<str>>)> = Vec::new();
    for global in env.globals() {
        let can_evaluate = match &global.item {
            GlobalItem::Let(session_let) => can_reevaluate(session_let, env),
            GlobalItem::Definition(..) => global.kind() == GlobalKind::Board,
        };
        let is_broken = |name: &Arc<str>| env.broken.contains_key(name);
        if can_evaluate && !is_broken(&global.name) {
            let needs = env.reachable(&global.resolution.uses);
            if !needs.iter().any(is_broken) {
                pending.push((global, needs));
            }
        }
    }
    let is_stored = |name: &Arc<str>| {
        let kind = env.global(name).map(|global| global.kind());
        matches!(kind, Some(GlobalKind::Board | GlobalKind::Let))
    };
    let mut ordered: Vec<&Arc<GlobalDef>> = Vec::new();
    while let Some(next) = pending.iter().position(|(_, needs)| {
        let is_ordered = |name: &Arc<str>| ordered.iter().any(|global| global.name == *name);
        let mut needs = needs.iter();
        needs.all(|name| !is_stored(name) || is_ordered(name))
    }) {
        ordered.push(pending.remove(next).0);
    }
    ordered
}
