//! What event lines, counters and the goal cause, each action with its own place in the text.

use super::{GOAL_POS, LOSE, Lowerer, PLAYER_POS, WIN, counter_global, sprite_counter_global};
use crate::code::{Function, FunctionKind, Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::languages::sgl2d::ast::{CounterAction, EndAction, ReplaceAction};
use crate::languages::sgl2d::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// How often a sprite looks for a new place; then it is gone.
const TRIES: i32 = 10;

/// A cell by the registers of its coordinates.
#[derive(Clone, Copy)]
struct At {
    x: Reg,
    y: Reg,
}

/// Step 3: the player has come onto a cell with this sprite.
pub(super) fn touch(scope: &Scope, name: &str, sprite: &Sprite) -> Function {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let mut body = Lowerer::new(
        scope,
        &format!("event {name}"),
        FunctionKind::Handler,
        &["x", "y"],
        span,
    );
    let (at, actions) = (At { x: 0, y: 1 }, &sprite.actions);
    for n in 1..=3 {
        body.amount(
            actions.amount(CounterAction::IncCounter(n)),
            counter_global(n),
            true,
        );
        body.amount(
            actions.amount(CounterAction::DecCounter(n)),
            counter_global(n),
            false,
        );
    }
    body.amount(
        actions.amount(CounterAction::IncSpriteCounter),
        sprite_counter_global(sprite),
        true,
    );
    body.amount(
        actions.amount(CounterAction::DecSpriteCounter),
        sprite_counter_global(sprite),
        false,
    );
    if let Some(span) = actions.replace_span(ReplaceAction::MoveToRandom) {
        body.action_stop(span);
        let c = body.global(sprite_counter_global(sprite), span);
        let zero = body.builder.emit_jump(
            Instr::JumpUnlessNotEqualInt {
                a: c,
                value: 0,
                to: 0,
            },
            span,
        );
        body.reset(sprite, span);
        body.builder.patch_here(zero);
        body.move_to_random(sprite, at, span);
    }
    if let Some(span) = actions.replace_span(ReplaceAction::TransformToSprite) {
        body.action_stop(span);
        body.replace(sprite, at, span);
    }
    if let Some((x, y, span)) = actions.teleport {
        body.teleport(x, y, span);
    }
    body.flag(actions.end_span(EndAction::GameOver), LOSE);
    body.flag(actions.end_span(EndAction::Win), WIN);
    body.builder.finish()
}

/// Step 5: a cell with this sprite is looked at after a key.
pub(super) fn update(scope: &Scope, name: &str, sprite: &Sprite) -> Function {
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
        // All that the event's lines say is said here.
        body.builder
            .set_alias(InternedStr::new(&format!("event {name}")));
    }
    let at = body.my_cell(span);
    let (own, actions) = (sprite_counter_global(sprite), &sprite.actions);
    if let Some(span) = actions.replace_span(ReplaceAction::TransformOnZeroCounter) {
        let past = body.unless_zero(own, span);
        body.replace(sprite, at, span);
        body.builder.patch_here(past);
    }
    for (ending, global) in [
        (EndAction::GameOverOnZeroCounter, LOSE),
        (EndAction::WinOnZeroCounter, WIN),
    ] {
        if let Some(span) = actions.end_span(ending) {
            let past = body.unless_zero(own, span);
            body.raise(global, span);
            body.builder.patch_here(past);
        }
    }
    body.amount(
        actions.amount(CounterAction::PlayerIncSpriteCounter),
        own,
        true,
    );
    body.amount(
        actions.amount(CounterAction::PlayerDecSpriteCounter),
        own,
        false,
    );
    if let Some(span) = actions.replace_span(ReplaceAction::MoveToRandomOnZero) {
        let past = body.unless_zero(own, span);
        body.reset(sprite, span);
        body.move_to_random(sprite, at, span);
        body.builder.patch_here(past);
    }
    body.builder.finish()
}

/// Step 4: the player has moved.
pub(super) fn player(scope: &Scope) -> Function {
    let actions = &scope.player_event;
    let mut body = Lowerer::new(
        scope,
        "event player",
        FunctionKind::Handler,
        &[],
        actions.span.unwrap_or_default(),
    );
    for n in 1..=3 {
        body.amount(
            actions.amount(CounterAction::PlayerIncCounter(n)),
            counter_global(n),
            true,
        );
    }
    for n in 1..=3 {
        body.amount(
            actions.amount(CounterAction::PlayerDecCounter(n)),
            counter_global(n),
            false,
        );
    }
    body.builder.finish()
}

/// Step 6: first the counters that win at zero, then those that end the game.
pub(super) fn counters(scope: &Scope) -> Function {
    let span = scope
        .counters
        .iter()
        .find_map(|c| c.span)
        .unwrap_or_default();
    let mut body = Lowerer::new(scope, "counters", FunctionKind::Condition, &[], span);
    let wins = scope.counters.iter().map(|c| (c.win_on_zero, WIN));
    let losses = scope.counters.iter().map(|c| (c.game_over_on_zero, LOSE));
    for (n, (place, global)) in wins.enumerate().chain(losses.enumerate()) {
        if let Some(span) = place {
            let past = body.unless_zero(counter_global(n as u8 + 1), span);
            body.raise(global, span);
            body.builder.patch_here(past);
        }
    }
    body.builder.finish()
}

/// Step 7.
pub(super) fn goal(scope: &Scope) -> Function {
    let span = scope.goal.map(|g| g.span).unwrap_or_default();
    let mut body = Lowerer::new(scope, "goal", FunctionKind::Condition, &[], span);
    if scope.goal.is_some() {
        body.builder.stop_point(StopKind::Condition, span);
        let elsewhere = [0, 1].map(|n| {
            let a = body.global(PLAYER_POS[n], span);
            let b = body.global(GOAL_POS[n], span);
            let jump = body
                .builder
                .emit_jump(Instr::JumpUnlessEqual { a, b, to: 0 }, span);
            body.builder
                .record_value_after(span, ValueLoc::JumpTest { if_taken: false });
            jump
        });
        body.raise(WIN, span);
        body.builder.patch_all_here(elsewhere);
    }
    body.builder.finish()
}

impl Lowerer<'_> {
    /// Adds a number to a counter, or takes it away.
    fn amount(&mut self, said: Option<(i32, Span)>, global: u32, adds: bool) {
        let Some((value, span)) = said else { return };
        self.action_stop(span);
        let mark = self.builder.registers_in_use();
        let src = self.global(global, span);
        let sum = match adds {
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
        self.builder.emit(sum, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(Instr::SetGlobal { global, src }, span);
        self.builder.release_registers(mark);
    }

    fn my_cell(&mut self, span: Span) -> At {
        let (x, y) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit(Instr::SelfCol { dst: x }, span);
        self.builder.emit(Instr::SelfRow { dst: y }, span);
        self.builder.begin_local(InternedStr::new("x"), x);
        self.builder.begin_local(InternedStr::new("y"), y);
        At { x, y }
    }

    /// Jumps when a counter is not exactly 0.
    fn unless_zero(&mut self, global: u32, span: Span) -> PendingJump {
        self.builder.stop_point(StopKind::Condition, span);
        self.has_entry_stop = true;
        let mark = self.builder.registers_in_use();
        let a = self.global(global, span);
        let past = self
            .builder
            .emit_jump(Instr::JumpUnlessEqualInt { a, value: 0, to: 0 }, span);
        self.builder
            .record_value_after(span, ValueLoc::JumpTest { if_taken: false });
        self.builder.release_registers(mark);
        past
    }

    fn flag(&mut self, said: Option<Span>, global: u32) {
        if let Some(span) = said {
            self.action_stop(span);
            self.raise(global, span);
        }
    }

    /// The game is won or lost, which is told the first time; the key goes on to its end all the same.
    fn raise(&mut self, global: u32, span: Span) {
        let mark = self.builder.registers_in_use();
        // Not a value that the line looks at, which a plain reading would be taken for.
        let flag = self.builder.alloc_register();
        self.builder
            .emit(Instr::GetDefinedGlobal { dst: flag, global }, span);
        let again = self
            .builder
            .emit_jump(Instr::JumpIf { a: flag, to: 0 }, span);
        let how = self.int(if global == WIN { 1 } else { 2 }, span);
        let winner = self.constant(Value::interned(InternedStr::new("")), span);
        self.builder.emit(Instr::EndGame { how, winner }, span);
        self.builder.patch_here(again);
        let src = self.constant(Value::TRUE, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(Instr::SetGlobal { global, src }, span);
        self.builder.release_registers(mark);
    }

    fn reset(&mut self, sprite: &Sprite, span: Span) {
        let mark = self.builder.registers_in_use();
        let src = self.int(sprite.actions.initial_counter(), span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(
            Instr::SetGlobal {
                global: sprite_counter_global(sprite),
                src,
            },
            span,
        );
        self.builder.release_registers(mark);
    }

    /// The number of the sprite's replacement; if there is none, that is told when it is needed.
    fn successor(&mut self, sprite: &Sprite, span: Span) -> Option<(u16, String)> {
        let name = sprite.actions.replacement.as_ref()?;
        match self.scope.sprites.get(name) {
            Some(found) => Some((found.id, name.to_string())),
            None => {
                self.warn(
                    &format!("sprite `{name}` is not defined: the cell stays as it is"),
                    span,
                );
                None
            }
        }
    }

    fn replace(&mut self, sprite: &Sprite, at: At, span: Span) {
        if let Some((kind, _)) = self.successor(sprite, span) {
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

    /// The replacement comes to the cell, and the sprite to a random cell that holds the replacement.
    fn move_to_random(&mut self, sprite: &Sprite, at: At, span: Span) {
        let Some((kind, name)) = self.successor(sprite, span) else {
            return;
        };
        let (mark, locals) = (self.builder.registers_in_use(), self.builder.local_count());
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
        let tries = self.int(0, span);
        self.int(TRIES, span);
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
                base: tries,
                to: top,
            },
            span,
        );
        self.builder.patch_here(done);
        self.builder.end_locals(locals);
        self.builder.release_registers(mark);
    }

    /// Puts the player elsewhere. Nothing there is touched.
    fn teleport(&mut self, x: i32, y: i32, span: Span) {
        self.action_stop(span);
        let (right, bottom) = self.scope.env.last_cell();
        let inside = (x.clamp(0, right), y.clamp(0, bottom));
        if inside != (x, y) {
            let message = format!(
                "x={x} y={y} lies outside the environment: the player lands at x={} y={}",
                inside.0, inside.1
            );
            self.warn(&message, span);
        }
        for (global, value) in PLAYER_POS.into_iter().zip([inside.0, inside.1]) {
            let mark = self.builder.registers_in_use();
            let src = self.int(value, span);
            self.builder.record_value_before(span, ValueLoc::Write(src));
            self.builder.emit(Instr::SetGlobal { global, src }, span);
            self.builder.release_registers(mark);
        }
    }
}
