//! What a line does when it is applied, and moves typed at the prompt.

use super::{Body, GOAL_AT, KEY, LOSE, MOVES, PLAYER, WALL, WIN, counter, own_counter};
use crate::code::{Function, Instr, Reg, Role, Seen, StopKind};
use crate::languages::sgl2d::ast::{Amount, Steps};
use crate::languages::sgl2d::env::USUAL;
use crate::languages::sgl2d::order::{Area, Deed, DeedKind, Order, OrderKind, Piece};
use crate::languages::sgl2d::question::{Operand, Question, Relation};
use crate::languages::sgl2d::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{Text, Value};

/// What the lines before this one have made.
struct Made {
    player: bool,
    sprites: usize,
}

/// Starts the game anew: an empty environment, then line by line.
pub(super) fn start(scope: &Scope, span: Span) -> Function {
    let mut body = Body::new(scope, "start", Role::Setup, &[], span);
    body.b.emit(Instr::BeginAction, span);
    body.resize(USUAL, USUAL, span);
    let zero = body.int(0, span);
    for global in [counter(1), counter(2), counter(3), MOVES] {
        body.b.emit(Instr::SetGlobal { global, src: zero }, span);
    }
    let no = body.constant(Value::FALSE, span);
    for global in [WIN, LOSE] {
        body.b.emit(Instr::SetGlobal { global, src: no }, span);
    }
    let mut made = Made {
        player: false,
        sprites: 0,
    };
    for order in &scope.orders {
        body.order(order, &mut made);
    }
    body.b.finish()
}

impl Body<'_> {
    /// Lines typed at the prompt, after those that `before` holds.
    pub(super) fn typed(&mut self, orders: &[Order], before: &Scope) {
        let mut made = Made {
            player: before.player.is_some(),
            sprites: before.names.len(),
        };
        let mut ends = Vec::new();
        if let Some(Order { span, .. }) = orders
            .first()
            .filter(|o| !matches!(o.kind, OrderKind::Moves(_)))
        {
            self.b.emit(Instr::BeginAction, *span);
        }
        let span = self.b.whole();
        let walks = orders
            .last()
            .is_some_and(|o| matches!(o.kind, OrderKind::Moves(_)));
        let moved = walks.then(|| self.global(MOVES, span));
        let mut last = None;
        for order in orders {
            match &order.kind {
                OrderKind::Moves(steps) => {
                    steps.iter().for_each(|steps| self.moves(steps, &mut ends));
                    last = steps.last().and_then(|s| s.directions.last());
                }
                _ => self.order(order, &mut made),
            }
        }
        if let Some((moved, direction)) = moved.zip(last).filter(|_| made.player) {
            self.tell_if_blocked(moved, direction.step(), span);
        }
        self.b.land_all(ends);
        if moved.is_some() {
            let nothing = self.constant(Value::NOTHING, span);
            self.b.emit(
                Instr::SetGlobal {
                    global: WALL,
                    src: nothing,
                },
                span,
            );
        }
    }

    /// Whoever has typed moves and has not moved is told what was in the way of the last one.
    fn tell_if_blocked(&mut self, moved: Reg, (dx, dy): (i32, i32), span: Span) {
        let now = self.global(MOVES, span);
        let done = self.b.jump(
            Instr::UnlessEqual {
                a: now,
                b: moved,
                to: 0,
            },
            span,
        );
        let at = PLAYER.map(|global| self.global(global, span));
        let next = [(at[0], dx), (at[1], dy)].map(|(a, value)| {
            let dst = self.b.register();
            self.b.emit(Instr::AddInt { dst, a, value }, span);
            dst
        });
        let words = self.constant(Value::text(Text::new("the player stays at x=")), span);
        for (text, value) in [
            ("", at[0]),
            (" y=", at[1]),
            (": x=", next[0]),
            (" y=", next[1]),
        ] {
            self.add_words(words, text, Some(value), span);
        }
        let (wall, edge) = (
            self.global(WALL, span),
            self.constant(Value::text(Text::new("")), span),
        );
        let solid = self.b.jump(
            Instr::UnlessEqual {
                a: wall,
                b: edge,
                to: 0,
            },
            span,
        );
        self.add_words(words, " lies beyond the edge", None, span);
        let told = self.b.jump(Instr::Jump { to: 0 }, span);
        self.b.land(solid);
        self.add_words(words, " is ", Some(wall), span);
        self.add_words(words, ", which is solid", None, span);
        self.b.land(told);
        self.b.emit(Instr::Note { value: words }, span);
        self.b.land(done);
    }

    fn add_words(&mut self, words: Reg, text: &str, value: Option<Reg>, span: Span) {
        let mark = self.b.mark();
        let text = self.constant(Value::text(Text::new(text)), span);
        self.b.emit(
            Instr::Join {
                dst: words,
                a: words,
                b: text,
            },
            span,
        );
        if let Some(a) = value {
            self.b.emit(Instr::ToText { dst: text, a }, span);
            self.b.emit(
                Instr::Join {
                    dst: words,
                    a: words,
                    b: text,
                },
                span,
            );
        }
        self.b.release(mark);
    }

    fn order(&mut self, order: &Order, made: &mut Made) {
        let span = order.span;
        let mark = self.b.mark();
        match &order.kind {
            OrderKind::Environment { columns, rows } => {
                self.b.stop(StopKind::Statement, span);
                self.resize(*rows, *columns, span);
                if made.player {
                    self.keep_inside(*columns, *rows, span);
                }
            }
            OrderKind::Goal(goal) => self.put(goal, GOAL_AT, span),
            OrderKind::Player(player) => {
                self.put(player, PLAYER, span);
                made.player = true;
            }
            OrderKind::Sprite { name, .. } => {
                let sprite = self
                    .scope
                    .sprites
                    .get(name)
                    .filter(|s| usize::from(s.number) >= made.sprites);
                if let Some(sprite) = sprite {
                    made.sprites = usize::from(sprite.number) + 1;
                    self.b.stop(StopKind::Statement, span);
                    self.set_int(own_counter(sprite), 0, span);
                }
            }
            OrderKind::Counter(said) => {
                self.b.stop(StopKind::Statement, span);
                self.set_int(counter(said.index), said.value, span);
            }
            OrderKind::SpriteEvent { sprite, deeds } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    deeds.iter().for_each(|deed| self.set_own(sprite, deed));
                }
            }
            OrderKind::Set { sprite, areas } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    areas.iter().for_each(|area| self.fill(sprite.number, area));
                }
            }
            // The rest only says what will happen.
            OrderKind::PlayerEvent { .. } | OrderKind::Moves(_) => {}
        }
        self.b.release(mark);
    }

    fn set_int(&mut self, global: u32, value: i32, span: Span) {
        let src = self.int(value, span);
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(Instr::SetGlobal { global, src }, span);
    }

    fn resize(&mut self, rows: u32, columns: u32, span: Span) {
        let mark = self.b.mark();
        let rows = self.int(rows as i32, span);
        let cols = self.int(columns as i32, span);
        self.b.emit(Instr::Resize { rows, cols }, span);
        self.b.release(mark);
    }

    /// A player beyond the new edge is moved to the nearest cell.
    fn keep_inside(&mut self, columns: u32, rows: u32, span: Span) {
        for (global, cells) in PLAYER.into_iter().zip([columns, rows]) {
            let last = cells as i32 - 1;
            let a = self.global(global, span);
            let past = self.b.jump(
                Instr::UnlessGreaterInt {
                    a,
                    value: last as i16,
                    to: 0,
                },
                span,
            );
            self.set_int(global, last, span);
            self.warn(
                "the player stood beyond the new edge and is moved to the nearest cell",
                span,
            );
            self.b.land(past);
        }
    }

    fn put(&mut self, piece: &Piece, at: [u32; 2], span: Span) {
        self.b.stop(StopKind::Statement, span);
        self.set_int(at[0], piece.x, span);
        self.set_int(at[1], piece.y, span);
    }

    /// Of an event only `setspritecounter=` does something at once.
    fn set_own(&mut self, sprite: &Sprite, deed: &Deed) {
        if let DeedKind::Amount(Amount::SetSpriteCounter, value) = deed.kind {
            self.b.stop(StopKind::Statement, deed.span);
            self.set_int(own_counter(sprite), value, deed.span);
        }
    }

    fn fill(&mut self, kind: u16, area: &Area) {
        let span = area.span;
        self.b.stop(StopKind::Statement, span);
        let mark = self.b.mark();
        let bound = |n: u32| n as i32;
        let x = self.range(bound(area.left), bound(area.right) + 1, span);
        let y = self.b.registers(2);
        let next_column = self.b.here();
        self.b.emit(
            Instr::Int {
                dst: y,
                value: bound(area.top),
            },
            span,
        );
        self.b.emit(
            Instr::Int {
                dst: y + 1,
                value: bound(area.bottom) + 1,
            },
            span,
        );
        let next_row = self.b.here();
        self.b.emit(
            Instr::PlaceKind {
                kind,
                row: y,
                col: x,
                owner: y,
            },
            span,
        );
        self.b.emit(
            Instr::RangeNext {
                base: y,
                to: next_row,
            },
            span,
        );
        self.b.emit(
            Instr::RangeNext {
                base: x,
                to: next_column,
            },
            span,
        );
        self.b.release(mark);
    }

    /// Two registers: where a loop begins, and where it ends. An area has at least one cell, so it is never left out.
    fn range(&mut self, from: i32, to: i32, span: Span) -> Reg {
        let base = self.int(from, span);
        self.int(to, span);
        base
    }

    /// Presses keys. When one ends the game, the rest is dropped.
    fn moves(&mut self, steps: &Steps, ends: &mut Vec<crate::code::Jump>) {
        let mark = self.b.mark();
        let rounds = self.range(0, steps.times as i32, steps.span);
        let top = self.b.here();
        for (n, direction) in steps.directions.iter().enumerate() {
            let span = match steps.directions.len() {
                1 => steps.span,
                _ => Span {
                    start: steps.span.start + n as u32,
                    end: steps.span.start + n as u32 + 1,
                    ..steps.span
                },
            };
            self.b.stop(StopKind::Statement, span);
            let (dx, dy) = direction.step();
            let base = self.int(dx, span);
            self.int(dy, span);
            self.b.emit(
                Instr::Call {
                    function: KEY,
                    base,
                },
                span,
            );
            ends.push(self.b.jump(Instr::Unless { a: base, to: 0 }, span));
            self.b.release(base);
        }
        if steps.times > 1 {
            self.b.emit(
                Instr::RangeNext {
                    base: rounds,
                    to: top,
                },
                steps.span,
            );
        }
        self.b.release(mark);
    }

    /// The value of a question.
    pub(super) fn answer(&mut self, question: &Question, span: Span) {
        self.b.stop(StopKind::Statement, span);
        let a = self.operand(&question.left, span);
        let Some((relation, right)) = &question.right else {
            self.b.emit(Instr::Return { src: a }, span);
            return;
        };
        let b = self.operand(right, span);
        let dst = self.b.register();
        let test = match relation {
            Relation::Equal => Instr::Equal { dst, a, b },
            Relation::Differs => Instr::NotEqual { dst, a, b },
            Relation::Less => Instr::Less { dst, a, b },
            Relation::LessEqual => Instr::LessEqual { dst, a, b },
            Relation::Greater => Instr::Less { dst, a: b, b: a },
            Relation::GreaterEqual => Instr::LessEqual { dst, a: b, b: a },
        };
        self.b.emit(test, span);
        self.b.note_after(span, Seen::Register(dst));
        self.b.emit(Instr::Return { src: dst }, span);
    }

    fn operand(&mut self, operand: &Operand, span: Span) -> Reg {
        match *operand {
            Operand::Number(n) => self.int(n, span),
            Operand::Truth(truth) => self.constant(Value::bool(truth), span),
            Operand::Local(register) => register,
            Operand::Variable(global, at) => {
                let dst = self.b.register();
                self.b.emit(Instr::GlobalOrFail { dst, global }, at);
                self.b.note_after(at, Seen::Register(dst));
                dst
            }
        }
    }
}
