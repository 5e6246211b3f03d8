//! Lowers `event` lines, counters and the goal; each action has its own span. The numbers of the
//! steps are those of `rules.txt`.

use super::{
    GOAL_POS, LOSE, Lowered, Lowerer, PLAYER_POS, WIN, counter_global, sprite_counter_global,
};
use crate::code::{FunctionKind, Instr, PendingJump, Reg, Status, StopKind, ValueLoc};
use crate::languages::sgl2d::ast::{CounterAction, EndAction, ReplaceAction};
use crate::languages::sgl2d::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// How many random cells a moving sprite tries; if none is free, the sprite disappears.
const MAX_RANDOM_CELL_ATTEMPTS: i32 = 10;

/// A cell, given by the registers of its coordinates.
#[derive(Clone, Copy)]
struct CellRegs {
    x: Reg,
    y: Reg,
}

/// Step 3: the player has entered a cell with this sprite.
pub(super) fn touch(scope: &Scope, name: &str, sprite: &Sprite) -> Lowered {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let mut body = Lowerer::new(
        scope,
        &format!("event {name}"),
        FunctionKind::Handler,
        &["x", "y"],
        span,
    );
    let (at, actions) = (CellRegs { x: 0, y: 1 }, &sprite.actions);
    for n in 1..=3 {
        body.change_counter(
            actions.amount(CounterAction::IncCounter(n)),
            counter_global(n),
            true,
        );
        body.change_counter(
            actions.amount(CounterAction::DecCounter(n)),
            counter_global(n),
            false,
        );
    }
    body.change_counter(
        actions.amount(CounterAction::IncSpriteCounter),
        sprite_counter_global(sprite),
        true,
    );
    body.change_counter(
        actions.amount(CounterAction::DecSpriteCounter),
        sprite_counter_global(sprite),
        false,
    );
    if let Some(span) = actions.replace_span(ReplaceAction::MoveToRandom) {
        body.action_stop(span);
        let counter = body.global(sprite_counter_global(sprite), span);
        let is_zero = body.builder.emit_jump(
            Instr::JumpUnlessNotEqualInt {
                a: counter,
                value: 0,
                to: 0,
            },
            span,
        );
        body.reset_counter(sprite, span);
        body.builder.patch_here(is_zero);
        body.move_to_random(sprite, at, span);
    }
    if let Some(span) = actions.replace_span(ReplaceAction::TransformToSprite) {
        body.action_stop(span);
        body.replace_sprite(sprite, at, span);
    }
    if let Some((x, y, span)) = actions.teleport {
        body.teleport(x, y, span);
    }
    body.outcome_action(actions.end_span(EndAction::GameOver), LOSE);
    body.outcome_action(actions.end_span(EndAction::Win), WIN);
    body.builder.finish()
}

/// Step 5: a cell with this sprite is updated after a move.
pub(super) fn update(scope: &Scope, name: &str, sprite: &Sprite) -> Lowered {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let mut body = Lowerer::new(
        scope,
        &format!("update {name}"),
        FunctionKind::Handler,
        &[],
        span,
    );
    if !sprite.actions.has_update_actions() {
        return body.builder.finish();
    }
    if !sprite.actions.has_touch_actions() {
        // Without touch actions, a breakpoint on `event NAME` belongs here.
        body.builder
            .set_alias(InternedStr::new(&format!("event {name}")));
    }
    let at = body.own_cell(span);
    let (counter, actions) = (sprite_counter_global(sprite), &sprite.actions);
    if let Some(span) = actions.replace_span(ReplaceAction::TransformOnZeroCounter) {
        let skip = body.jump_unless_zero(counter, span);
        body.replace_sprite(sprite, at, span);
        body.builder.patch_here(skip);
    }
    for (ending, global) in [
        (EndAction::GameOverOnZeroCounter, LOSE),
        (EndAction::WinOnZeroCounter, WIN),
    ] {
        if let Some(span) = actions.end_span(ending) {
            let skip = body.jump_unless_zero(counter, span);
            body.set_outcome(global, span);
            body.builder.patch_here(skip);
        }
    }
    body.change_counter(
        actions.amount(CounterAction::PlayerIncSpriteCounter),
        counter,
        true,
    );
    body.change_counter(
        actions.amount(CounterAction::PlayerDecSpriteCounter),
        counter,
        false,
    );
    if let Some(span) = actions.replace_span(ReplaceAction::MoveToRandomOnZero) {
        let skip = body.jump_unless_zero(counter, span);
        body.reset_counter(sprite, span);
        body.move_to_random(sprite, at, span);
        body.builder.patch_here(skip);
    }
    body.builder.finish()
}

/// Step 4: the player has moved.
pub(super) fn player(scope: &Scope) -> Lowered {
    let actions = &scope.player_event;
    let mut body = Lowerer::new(
        scope,
        "event player",
        FunctionKind::Handler,
        &[],
        actions.span.unwrap_or_default(),
    );
    for n in 1..=3 {
        body.change_counter(
            actions.amount(CounterAction::PlayerIncCounter(n)),
            counter_global(n),
            true,
        );
    }
    for n in 1..=3 {
        body.change_counter(
            actions.amount(CounterAction::PlayerDecCounter(n)),
            counter_global(n),
            false,
        );
    }
    body.builder.finish()
}

/// Step 6: first the counters that win at zero, then those that lose.
pub(super) fn counters(scope: &Scope) -> Lowered {
    let span = scope
        .counters
        .iter()
        .find_map(|c| c.span)
        .unwrap_or_default();
    let mut body = Lowerer::new(scope, "counters", FunctionKind::Condition, &[], span);
    let wins = scope.counters.iter().map(|c| (c.win_on_zero, WIN));
    let losses = scope.counters.iter().map(|c| (c.game_over_on_zero, LOSE));
    for (n, (flag, global)) in wins.enumerate().chain(losses.enumerate()) {
        if let Some(span) = flag {
            let skip = body.jump_unless_zero(counter_global(n as u8 + 1), span);
            body.set_outcome(global, span);
            body.builder.patch_here(skip);
        }
    }
    body.builder.finish()
}

/// Step 7: the player has won if it is on the goal.
pub(super) fn goal(scope: &Scope) -> Lowered {
    let span = scope.goal.map(|g| g.span).unwrap_or_default();
    let mut body = Lowerer::new(scope, "goal", FunctionKind::Condition, &[], span);
    if scope.goal.is_some() {
        body.builder.stop_point(StopKind::Condition, span);
        let not_on_goal = [0, 1].map(|n| {
            let a = body.global(PLAYER_POS[n], span);
            let b = body.global(GOAL_POS[n], span);
            let jump = body
                .builder
                .emit_jump(Instr::JumpUnlessEqual { a, b, to: 0 }, span);
            body.builder
                .record_value_after(span, ValueLoc::JumpTest { if_taken: false });
            jump
        });
        body.set_outcome(WIN, span);
        body.builder.patch_all_here(not_on_goal);
    }
    body.builder.finish()
}

impl Lowerer<'_> {
    /// Adds a number to a counter, or subtracts it.
    fn change_counter(&mut self, amount: Option<(i32, Span)>, global: u32, is_add: bool) {
        let Some((value, span)) = amount else { return };
        self.action_stop(span);
        let in_use = self.builder.registers_in_use();
        let src = self.global(global, span);
        let instr = match is_add {
            true => Instr::AddInt {
                dst: src,
                a: src,
                value,
            },
            false => Instr::SubtractInt {
                dst: src,
                a: src,
                value,
            },
        };
        self.builder.emit(instr, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(Instr::SetGlobal { global, src }, span);
        self.builder.release_registers(in_use);
    }

    /// The cell of the sprite that is updated, as locals `x` and `y`.
    fn own_cell(&mut self, span: Span) -> CellRegs {
        let (x, y) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit(Instr::SelfCol { dst: x }, span);
        self.builder.emit(Instr::SelfRow { dst: y }, span);
        self.builder.begin_local(InternedStr::new("x"), x);
        self.builder.begin_local(InternedStr::new("y"), y);
        CellRegs { x, y }
    }

    /// Jumps if a counter is not 0.
    fn jump_unless_zero(&mut self, global: u32, span: Span) -> PendingJump {
        self.builder.stop_point(StopKind::Condition, span);
        self.has_entry_stop = true;
        let in_use = self.builder.registers_in_use();
        let a = self.global(global, span);
        let skip = self
            .builder
            .emit_jump(Instr::JumpUnlessEqualInt { a, value: 0, to: 0 }, span);
        self.builder
            .record_value_after(span, ValueLoc::JumpTest { if_taken: false });
        self.builder.release_registers(in_use);
        skip
    }

    fn outcome_action(&mut self, action: Option<Span>, global: u32) {
        if let Some(span) = action {
            self.action_stop(span);
            self.set_outcome(global, span);
        }
    }

    /// Sets the win or lose flag and reports it the first time. The rest of the move still runs.
    fn set_outcome(&mut self, global: u32, span: Span) {
        let in_use = self.builder.registers_in_use();
        // `GetDefinedGlobal` is not recorded as a value of this line, unlike `GetGlobal`.
        let flag = self.builder.alloc_register();
        self.builder
            .emit(Instr::GetDefinedGlobal { dst: flag, global }, span);
        let is_already_set = self
            .builder
            .emit_jump(Instr::JumpIf { a: flag, to: 0 }, span);
        let status = if global == WIN {
            Status::Won
        } else {
            Status::Lost
        };
        let how = self.int(status as i32, span);
        let winner = self.constant(Value::interned(InternedStr::new("")), span);
        self.builder.emit(Instr::EndGame { how, winner }, span);
        self.builder.patch_here(is_already_set);
        let src = self.constant(Value::TRUE, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(Instr::SetGlobal { global, src }, span);
        self.builder.release_registers(in_use);
    }

    fn reset_counter(&mut self, sprite: &Sprite, span: Span) {
        let in_use = self.builder.registers_in_use();
        let src = self.int(sprite.actions.initial_counter(), span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(
            Instr::SetGlobal {
                global: sprite_counter_global(sprite),
                src,
            },
            span,
        );
        self.builder.release_registers(in_use);
    }

    /// The id and name of the replacement. If it is not defined, emits a run-time warning instead.
    fn replacement(&mut self, sprite: &Sprite, span: Span) -> Option<(u16, String)> {
        let name = sprite.actions.replacement.as_ref()?;
        match self.scope.sprites.get(name) {
            Some(found) => Some((found.id, name.to_string())),
            None => {
                self.warn(
                    &format!("unknown sprite `{name}`; the cell is not changed"),
                    span,
                );
                None
            }
        }
    }

    fn replace_sprite(&mut self, sprite: &Sprite, at: CellRegs, span: Span) {
        if let Some((kind, _)) = self.replacement(sprite, span) {
            self.builder.emit(
                Instr::PlaceKind {
                    kind,
                    row: at.y,
                    col: at.x,
                    owner: at.x,
                },
                span,
            );
        }
    }

    /// Puts the replacement into the cell, and the sprite into a random cell that holds the
    /// replacement.
    fn move_to_random(&mut self, sprite: &Sprite, at: CellRegs, span: Span) {
        let Some((kind, name)) = self.replacement(sprite, span) else {
            return;
        };
        let (in_use, locals) = (self.builder.registers_in_use(), self.builder.local_count());
        self.builder.emit(
            Instr::PlaceKind {
                kind,
                row: at.y,
                col: at.x,
                owner: at.x,
            },
            span,
        );
        let low = self.int(0, span);
        let columns = self.int(self.scope.env.columns as i32, span);
        let rows = self.int(self.scope.env.rows as i32, span);
        let attempts = self.int(0, span);
        self.int(MAX_RANDOM_CELL_ATTEMPTS, span);
        let (x, y) = (self.builder.alloc_register(), self.builder.alloc_register());
        let top = self.builder.next_pc();
        self.builder.emit(
            Instr::Random {
                dst: x,
                low,
                high: columns,
            },
            span,
        );
        self.builder.begin_local(InternedStr::new("newX"), x);
        self.builder.emit(
            Instr::Random {
                dst: y,
                low,
                high: rows,
            },
            span,
        );
        self.builder.begin_local(InternedStr::new("newY"), y);
        let k = self.builder.string_constant(&name);
        let taken = self.builder.emit_jump(
            Instr::JumpUnlessCellNameIs {
                row: y,
                col: x,
                k,
                expected: true,
                to: 0,
            },
            span,
        );
        self.builder.emit(
            Instr::PlaceKind {
                kind: sprite.id,
                row: y,
                col: x,
                owner: x,
            },
            span,
        );
        let done = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
        self.builder.patch_here(taken);
        self.builder.emit(
            Instr::RangeNext {
                base: attempts,
                to: top,
            },
            span,
        );
        self.builder.patch_here(done);
        self.builder.end_locals(locals);
        self.builder.release_registers(in_use);
    }

    /// Moves the player to a fixed position, without touching the sprite there.
    fn teleport(&mut self, x: i32, y: i32, span: Span) {
        self.action_stop(span);
        let (right, bottom) = self.scope.env.last_cell();
        let inside = (x.clamp(0, right), y.clamp(0, bottom));
        if inside != (x, y) {
            let message = format!(
                "x={x} y={y} is outside the environment; the player moves to x={} y={} instead",
                inside.0, inside.1
            );
            self.warn(&message, span);
        }
        for (global, value) in PLAYER_POS.into_iter().zip([inside.0, inside.1]) {
            let in_use = self.builder.registers_in_use();
            let src = self.int(value, span);
            self.builder.record_value_before(span, ValueLoc::Write(src));
            self.builder.emit(Instr::SetGlobal { global, src }, span);
            self.builder.release_registers(in_use);
        }
    }
}
