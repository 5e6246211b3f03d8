//! What event lines, counters and the goal cause, each action with its own place in the text.

use super::{Body, GOAL_AT, LOSE, PLAYER, WIN, counter, own_counter};
use crate::code::{Function, Instr, Jump, Reg, Role, Seen, StopKind};
use crate::languages::sgl2d::ast::{Amount, Ending, Successor};
use crate::languages::sgl2d::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{Text, Value};

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
    let mut body = Body::new(
        scope,
        &format!("event {name}"),
        Role::Handler,
        &["x", "y"],
        span,
    );
    let (at, actions) = (At { x: 0, y: 1 }, &sprite.actions);
    for n in 1..=3 {
        body.amount(actions.amount(Amount::IncCounter(n)), counter(n), true);
        body.amount(actions.amount(Amount::DecCounter(n)), counter(n), false);
    }
    body.amount(
        actions.amount(Amount::IncSpriteCounter),
        own_counter(sprite),
        true,
    );
    body.amount(
        actions.amount(Amount::DecSpriteCounter),
        own_counter(sprite),
        false,
    );
    if let Some(span) = actions.replacing(Successor::MoveToRandom) {
        body.deed(span);
        let c = body.global(own_counter(sprite), span);
        let zero = body.b.jump(
            Instr::UnlessNotEqualInt {
                a: c,
                value: 0,
                to: 0,
            },
            span,
        );
        body.reset(sprite, span);
        body.b.land(zero);
        body.move_to_random(sprite, at, span);
    }
    if let Some(span) = actions.replacing(Successor::TransformToSprite) {
        body.deed(span);
        body.replace(sprite, at, span);
    }
    if let Some((x, y, span)) = actions.teleport {
        body.teleport(x, y, span);
    }
    body.flag(actions.ending(Ending::GameOver), LOSE);
    body.flag(actions.ending(Ending::Win), WIN);
    body.b.finish()
}

/// Step 5: a cell with this sprite is looked at after a key.
pub(super) fn update(scope: &Scope, name: &str, sprite: &Sprite) -> Function {
    let span = sprite.actions.span.unwrap_or(sprite.span);
    let mut body = Body::new(scope, &format!("update {name}"), Role::Handler, &[], span);
    if !sprite.actions.updates() {
        return body.b.finish();
    }
    if !sprite.actions.touches() {
        // All that the event's lines say is said here.
        body.b.also(Text::new(&format!("event {name}")));
    }
    let at = body.my_cell(span);
    let (own, actions) = (own_counter(sprite), &sprite.actions);
    if let Some(span) = actions.replacing(Successor::TransformOnZeroCounter) {
        let past = body.unless_zero(own, span);
        body.replace(sprite, at, span);
        body.b.land(past);
    }
    for (ending, global) in [
        (Ending::GameOverOnZeroCounter, LOSE),
        (Ending::WinOnZeroCounter, WIN),
    ] {
        if let Some(span) = actions.ending(ending) {
            let past = body.unless_zero(own, span);
            body.raise(global, span);
            body.b.land(past);
        }
    }
    body.amount(actions.amount(Amount::PlayerIncSpriteCounter), own, true);
    body.amount(actions.amount(Amount::PlayerDecSpriteCounter), own, false);
    if let Some(span) = actions.replacing(Successor::MoveToRandomOnZero) {
        let past = body.unless_zero(own, span);
        body.reset(sprite, span);
        body.move_to_random(sprite, at, span);
        body.b.land(past);
    }
    body.b.finish()
}

/// Step 4: the player has moved.
pub(super) fn player(scope: &Scope) -> Function {
    let actions = &scope.player_event;
    let mut body = Body::new(
        scope,
        "event player",
        Role::Handler,
        &[],
        actions.span.unwrap_or_default(),
    );
    for n in 1..=3 {
        body.amount(
            actions.amount(Amount::PlayerIncCounter(n)),
            counter(n),
            true,
        );
    }
    for n in 1..=3 {
        body.amount(
            actions.amount(Amount::PlayerDecCounter(n)),
            counter(n),
            false,
        );
    }
    body.b.finish()
}

/// Step 6: first the counters that win at zero, then those that end the game.
pub(super) fn counters(scope: &Scope) -> Function {
    let span = scope
        .counters
        .iter()
        .find_map(|c| c.span)
        .unwrap_or_default();
    let mut body = Body::new(scope, "counters", Role::Condition, &[], span);
    let wins = scope.counters.iter().map(|c| (c.win_on_zero, WIN));
    let losses = scope.counters.iter().map(|c| (c.game_over_on_zero, LOSE));
    for (n, (place, global)) in wins.enumerate().chain(losses.enumerate()) {
        if let Some(span) = place {
            let past = body.unless_zero(counter(n as u8 + 1), span);
            body.raise(global, span);
            body.b.land(past);
        }
    }
    body.b.finish()
}

/// Step 7.
pub(super) fn goal(scope: &Scope) -> Function {
    let span = scope.goal.map(|g| g.span).unwrap_or_default();
    let mut body = Body::new(scope, "goal", Role::Condition, &[], span);
    if scope.goal.is_some() {
        body.b.stop(StopKind::Condition, span);
        let elsewhere = [0, 1].map(|n| {
            let a = body.global(PLAYER[n], span);
            let b = body.global(GOAL_AT[n], span);
            let jump = body.b.jump(Instr::UnlessEqual { a, b, to: 0 }, span);
            body.b.note_after(span, Seen::Test { if_taken: false });
            jump
        });
        body.raise(WIN, span);
        body.b.land_all(elsewhere);
    }
    body.b.finish()
}

impl Body<'_> {
    /// Adds a number to a counter, or takes it away.
    fn amount(&mut self, said: Option<(i32, Span)>, global: u32, adds: bool) {
        let Some((value, span)) = said else { return };
        self.deed(span);
        let mark = self.b.mark();
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
        self.b.emit(sum, span);
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(Instr::SetGlobal { global, src }, span);
        self.b.release(mark);
    }

    fn my_cell(&mut self, span: Span) -> At {
        let (x, y) = (self.b.register(), self.b.register());
        self.b.emit(Instr::MyCol { dst: x }, span);
        self.b.emit(Instr::MyRow { dst: y }, span);
        self.b.local(Text::new("x"), x);
        self.b.local(Text::new("y"), y);
        At { x, y }
    }

    /// Jumps when a counter is not exactly 0.
    fn unless_zero(&mut self, global: u32, span: Span) -> Jump {
        self.b.stop(StopKind::Condition, span);
        self.entered = true;
        let mark = self.b.mark();
        let a = self.global(global, span);
        let past = self
            .b
            .jump(Instr::UnlessEqualInt { a, value: 0, to: 0 }, span);
        self.b.note_after(span, Seen::Test { if_taken: false });
        self.b.release(mark);
        past
    }

    fn flag(&mut self, said: Option<Span>, global: u32) {
        if let Some(span) = said {
            self.deed(span);
            self.raise(global, span);
        }
    }

    /// The game is won or lost, which is told the first time; the key goes on to its end all the same.
    fn raise(&mut self, global: u32, span: Span) {
        let mark = self.b.mark();
        // Not a value that the line looks at, which a plain reading would be taken for.
        let flag = self.b.register();
        self.b.emit(Instr::GlobalOrFail { dst: flag, global }, span);
        let again = self.b.jump(Instr::If { a: flag, to: 0 }, span);
        let how = self.int(if global == WIN { 1 } else { 2 }, span);
        let winner = self.constant(Value::text(Text::new("")), span);
        self.b.emit(Instr::End { how, winner }, span);
        self.b.land(again);
        let src = self.constant(Value::TRUE, span);
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(Instr::SetGlobal { global, src }, span);
        self.b.release(mark);
    }

    fn reset(&mut self, sprite: &Sprite, span: Span) {
        let mark = self.b.mark();
        let src = self.int(sprite.actions.reset(), span);
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(
            Instr::SetGlobal {
                global: own_counter(sprite),
                src,
            },
            span,
        );
        self.b.release(mark);
    }

    /// The number of the sprite's replacement; if there is none, that is told when it is needed.
    fn successor(&mut self, sprite: &Sprite, span: Span) -> Option<(u16, String)> {
        let name = sprite.actions.successor.as_ref()?;
        match self.scope.sprites.get(name) {
            Some(found) => Some((found.number, name.to_string())),
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
            self.b.emit(
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
        let (mark, locals) = (self.b.mark(), self.b.locals());
        self.b.emit(
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
        let (x, y) = (self.b.register(), self.b.register());
        let top = self.b.here();
        self.b.emit(
            Instr::Random {
                dst: x,
                low,
                high: columns,
            },
            span,
        );
        self.b.local(Text::new("newX"), x);
        self.b.emit(
            Instr::Random {
                dst: y,
                low,
                high: rows,
            },
            span,
        );
        self.b.local(Text::new("newY"), y);
        let k = self.b.text(&name);
        let taken = self.b.jump(
            Instr::UnlessCellNameIs {
                row: y,
                col: x,
                k,
                is: true,
                to: 0,
            },
            span,
        );
        self.b.emit(
            Instr::PlaceKind {
                kind: sprite.number,
                row: y,
                col: x,
                owner: x,
            },
            span,
        );
        let done = self.b.jump(Instr::Jump { to: 0 }, span);
        self.b.land(taken);
        self.b.emit(
            Instr::RangeNext {
                base: tries,
                to: top,
            },
            span,
        );
        self.b.land(done);
        self.b.end_locals(locals);
        self.b.release(mark);
    }

    /// Puts the player elsewhere. Nothing there is touched.
    fn teleport(&mut self, x: i32, y: i32, span: Span) {
        self.deed(span);
        let (right, bottom) = self.scope.env.last_cell();
        let inside = (x.clamp(0, right), y.clamp(0, bottom));
        if inside != (x, y) {
            let message = format!(
                "x={x} y={y} lies outside the environment: the player lands at x={} y={}",
                inside.0, inside.1
            );
            self.warn(&message, span);
        }
        for (global, value) in PLAYER.into_iter().zip([inside.0, inside.1]) {
            let mark = self.b.mark();
            let src = self.int(value, span);
            self.b.note_before(span, Seen::Write(src));
            self.b.emit(Instr::SetGlobal { global, src }, span);
            self.b.release(mark);
        }
    }
}
