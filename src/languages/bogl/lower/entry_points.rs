//! Code that is run directly: entries, the start of a game, and a game run without a prompt. Boards
//! and session lets are evaluated in dependency order.

use super::Lowerer;
use crate::code::{Channel, FunctionKind, Instr, Reg, StopKind, ValueLoc};
use crate::languages::bogl::ast::{Expr, SessionLet};
use crate::languages::bogl::check::builtin::Builtin;
use crate::languages::bogl::check::env::{Env, GlobalItem};
use crate::languages::bogl::check::resolution::{GlobalKind, NameRef, Resolution};
use crate::languages::bogl::check::types::{SignatureType, Type};
use crate::languages::bogl::check::{Checked, can_reevaluate};
use crate::languages::bogl::lower::scope::{
    COMMITTED_BOARD, DISPLAYED_BOARD, FrameContext, INPUT_REQUESTED, OTHER_BOARD, PLACED_BOARD,
    PLAY_FUNCTION, RESULT_NAME, START_FUNCTION, Scope,
};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

static EMPTY_RESOLUTION: std::sync::LazyLock<Resolution> =
    std::sync::LazyLock::new(Resolution::default);

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
                let must_wait = scope
                    .env
                    .reachable([*board])
                    .iter()
                    .any(|used| pending_lets.contains(used));
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
        boards
            .into_iter()
            .for_each(|board| lowerer.evaluate_board(board));
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
        let mut lowerer = Lowerer::new(
            scope,
            &EMPTY_RESOLUTION,
            START_FUNCTION,
            FunctionKind::Rules,
            0,
            Span::default(),
        );
        let register = lowerer.builder.alloc_register();
        lowerer.emit_constant(Value::FALSE, register, Span::default());
        lowerer
            .builder
            .emit_set_global(INPUT_REQUESTED, register, Span::default());
        for name in in_dependency_order(&scope.env) {
            match scope.env.global(&name).map(|global| (&global.item, global)) {
                Some((GlobalItem::Let(session_let), global)) => {
                    lowerer.lower_session_let(session_let, &global.resolution, &[])
                }
                Some(_) => lowerer.evaluate_board(&name),
                None => {}
            }
        }
        lowerer
    }

    /// Lowers a run without a prompt: prints the value of `result`.
    pub(super) fn play(scope: &'a Scope) -> Lowerer<'a> {
        let mut lowerer = Lowerer::new(
            scope,
            &EMPTY_RESOLUTION,
            PLAY_FUNCTION,
            FunctionKind::Rules,
            0,
            Span::default(),
        );
        let global = scope
            .env
            .global(RESULT_NAME)
            .filter(|global| global.kind() != GlobalKind::Function);
        let span = global
            .or(scope.env.globals().last().copied())
            .map_or_else(Span::default, |global| global.declaration_span());
        let base = lowerer.builder.alloc_register();
        match (
            global.map(|global| global.kind()),
            scope.symbols.get(RESULT_NAME),
            scope.slots.get(RESULT_NAME),
        ) {
            (Some(GlobalKind::Board | GlobalKind::Let), _, Some(&global)) => {
                lowerer
                    .builder
                    .emit(Instr::GetDefinedGlobal { dst: base, global }, span);
            }
            (Some(_), Some(function), _) => {
                lowerer.builder.emit(Instr::Call { function, base }, span);
            }
            _ => {
                lowerer.emit_failure(
                    "nothing to run: define a value named `result`, e.g. `result : Int` and `result = 1`",
                    span,
                );
            }
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
        let span = self
            .scope
            .env
            .global(name)
            .map_or_else(Span::default, |board| board.declaration_span());
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
        let Some(&global) = self.scope.slots.get(&session_let.name.text) else {
            return;
        };
        (self.resolution, self.registers) = (resolution, registers.to_vec());
        let in_use = self.builder.registers_in_use();
        self.builder
            .stop_point(StopKind::Equation, session_let.span);
        self.builder
            .record_value_before(session_let.span, ValueLoc::Equation);
        let src = self.lower_expr(&session_let.value);
        self.builder
            .record_value_before(session_let.span, ValueLoc::Write(src));
        self.builder.emit_set_global(global, src, session_let.span);
        if let Some(SignatureType::Value(ty)) = self
            .scope
            .env
            .global(&session_let.name.text)
            .map(|global| &global.signature_type)
        {
            self.display_board(src, ty, session_let.span);
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
        let in_use = self.builder.registers_in_use();
        let register = self.builder.alloc_register();
        self.builder
            .emit_get_global(register, INPUT_REQUESTED, span);
        let no_input = self
            .builder
            .emit_jump(Instr::JumpUnless { a: register, to: 0 }, span);
        self.builder
            .emit_get_global(register, DISPLAYED_BOARD, span);
        self.builder
            .emit_set_global(COMMITTED_BOARD, register, span);
        self.builder.patch_here(no_input);
        self.builder
            .emit_get_global(register, COMMITTED_BOARD, span);
        self.builder
            .emit_set_global(DISPLAYED_BOARD, register, span);
        self.emit_constant(Value::FALSE, register, span);
        self.builder
            .emit_set_global(INPUT_REQUESTED, register, span);
        if self.tracks_boards() {
            self.emit_constant(Value::NOTHING, register, span);
            for global in [PLACED_BOARD, OTHER_BOARD] {
                let src = register;
                self.builder.emit_set_global(global, src, span);
            }
        }
        self.builder.release_registers(in_use);
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
    let uses_directly = |resolution: &Resolution| {
        resolution
            .names
            .values()
            .any(|name_ref| matches!(name_ref, NameRef::Builtin(Builtin::Place | Builtin::Input)))
    };
    uses_directly(resolution)
        || env.reachable(&resolution.uses).iter().any(|name| {
            env.global(name)
                .is_some_and(|global| uses_directly(&global.resolution))
        })
}

/// All boards and lets that can be evaluated now, in dependency order.
fn in_dependency_order(env: &Env) -> Vec<Arc<str>> {
    let mut pending: Vec<(Arc<str>, BTreeSet<Arc<str>>)> = Vec::new();
    for global in env.globals() {
        let needs = match &global.item {
            GlobalItem::Let(session_let) if can_reevaluate(session_let, env) => {
                env.reachable(&global.resolution.uses)
            }
            GlobalItem::Definition(..) if global.kind() == GlobalKind::Board => {
                env.reachable(&global.resolution.uses)
            }
            _ => continue,
        };
        if env.broken(&global.name).is_none()
            && !needs.iter().any(|name| env.broken(name).is_some())
        {
            pending.push((global.name.clone(), needs));
        }
    }
    let is_stored = |name: &Arc<str>| {
        env.global(name)
            .is_some_and(|global| matches!(global.kind(), GlobalKind::Board | GlobalKind::Let))
    };
    let mut ordered: Vec<Arc<str>> = Vec::new();
    while let Some(next) = pending.iter().position(|(_, needs)| {
        needs
            .iter()
            .all(|name| !is_stored(name) || ordered.contains(name))
    }) {
        ordered.push(pending.remove(next).0);
    }
    ordered
}
