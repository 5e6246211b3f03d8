//! What a line does when it is applied, and moves typed at the prompt.

use super::{
    BLOCKED_BY, GOAL_POS, KEY, LOSE, Lowerer, MOVES, PLAYER_POS, WIN, counter_global,
    sprite_counter_global,
};
use crate::code::{Function, FunctionKind, Instr, Reg, StopKind, ValueLoc};
use crate::languages::sgl2d::ast::{CounterAction, MoveSequence};
use crate::languages::sgl2d::env::DEFAULT_SIDE_CELLS;
use crate::languages::sgl2d::expr::{CompareOp, Expr, Operand};
use crate::languages::sgl2d::hir::{CellRect, Effect, EffectKind, HirLine, HirLineKind, Marker};
use crate::languages::sgl2d::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// What the lines before this one have made.
struct Made {
    player: bool,
    sprites: usize,
}

/// Starts the game anew: an empty environment, then line by line.
pub(super) fn start(scope: &Scope, span: Span) -> Function {
    let mut body = Lowerer::new(scope, "start", FunctionKind::Setup, &[], span);
    body.builder.emit(Instr::BeginAction, span);
    body.resize(DEFAULT_SIDE_CELLS, DEFAULT_SIDE_CELLS, span);
    let zero = body.int(0, span);
    for global in [
        counter_global(1),
        counter_global(2),
        counter_global(3),
        MOVES,
    ] {
        body.builder
            .emit(Instr::SetGlobal { global, src: zero }, span);
    }
    let no = body.constant(Value::FALSE, span);
    for global in [WIN, LOSE] {
        body.builder
            .emit(Instr::SetGlobal { global, src: no }, span);
    }
    let mut made = Made {
        player: false,
        sprites: 0,
    };
    for order in &scope.lines {
        body.order(order, &mut made);
    }
    body.builder.finish()
}

impl Lowerer<'_> {
    /// Lines typed at the prompt, after those that `before` holds.
    pub(super) fn entry_lines(&mut self, orders: &[HirLine], before: &Scope) {
        let mut made = Made {
            player: before.player.is_some(),
            sprites: before.sprite_names.len(),
        };
        let mut ends = Vec::new();
        if let Some(HirLine { span, .. }) = orders
            .first()
            .filter(|o| !matches!(o.kind, HirLineKind::Moves(_)))
        {
            self.builder.emit(Instr::BeginAction, *span);
        }
        let span = self.builder.full_span();
        let walks = orders
            .last()
            .is_some_and(|o| matches!(o.kind, HirLineKind::Moves(_)));
        let moved = walks.then(|| self.global(MOVES, span));
        let mut last = None;
        for order in orders {
            match &order.kind {
                HirLineKind::Moves(steps) => {
                    steps.iter().for_each(|steps| self.moves(steps, &mut ends));
                    last = steps.last().and_then(|s| s.directions.last());
                }
                _ => self.order(order, &mut made),
            }
        }
        if let Some((moved, direction)) = moved.zip(last).filter(|_| made.player) {
            self.tell_if_blocked(moved, direction.delta(), span);
        }
        self.builder.patch_all_here(ends);
        if moved.is_some() {
            let nothing = self.constant(Value::NOTHING, span);
            self.builder.emit(
                Instr::SetGlobal {
                    global: BLOCKED_BY,
                    src: nothing,
                },
                span,
            );
        }
    }

    /// Whoever has typed moves and has not moved is told what was in the way of the last one.
    fn tell_if_blocked(&mut self, moved: Reg, (dx, dy): (i32, i32), span: Span) {
        let now = self.global(MOVES, span);
        let done = self.builder.emit_jump(
            Instr::JumpUnlessEqual {
                a: now,
                b: moved,
                to: 0,
            },
            span,
        );
        let at = PLAYER_POS.map(|global| self.global(global, span));
        let next = [(at[0], dx), (at[1], dy)].map(|(a, value)| {
            let dst = self.builder.alloc_register();
            self.builder.emit(Instr::AddInt { dst, a, value }, span);
            dst
        });
        let words = self.constant(
            Value::interned(InternedStr::new("the player stays at x=")),
            span,
        );
        for (text, value) in [
            ("", at[0]),
            (" y=", at[1]),
            (": x=", next[0]),
            (" y=", next[1]),
        ] {
            self.add_words(words, text, Some(value), span);
        }
        let (wall, edge) = (
            self.global(BLOCKED_BY, span),
            self.constant(Value::interned(InternedStr::new("")), span),
        );
        let solid = self.builder.emit_jump(
            Instr::JumpUnlessEqual {
                a: wall,
                b: edge,
                to: 0,
            },
            span,
        );
        self.add_words(words, " lies beyond the edge", None, span);
        let told = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
        self.builder.patch_here(solid);
        self.add_words(words, " is ", Some(wall), span);
        self.add_words(words, ", which is solid", None, span);
        self.builder.patch_here(told);
        self.builder.emit(Instr::Info { value: words }, span);
        self.builder.patch_here(done);
    }

    fn add_words(&mut self, words: Reg, text: &str, value: Option<Reg>, span: Span) {
        let mark = self.builder.registers_in_use();
        let text = self.constant(Value::interned(InternedStr::new(text)), span);
        self.builder.emit(
            Instr::Concat {
                dst: words,
                a: words,
                b: text,
            },
            span,
        );
        if let Some(a) = value {
            self.builder.emit(Instr::ToString { dst: text, a }, span);
            self.builder.emit(
                Instr::Concat {
                    dst: words,
                    a: words,
                    b: text,
                },
                span,
            );
        }
        self.builder.release_registers(mark);
    }

    fn order(&mut self, order: &HirLine, made: &mut Made) {
        let span = order.span;
        let mark = self.builder.registers_in_use();
        match &order.kind {
            HirLineKind::Environment { columns, rows } => {
                self.builder.stop_point(StopKind::Statement, span);
                self.resize(*rows, *columns, span);
                if made.player {
                    self.keep_inside(*columns, *rows, span);
                }
            }
            HirLineKind::Goal(goal) => self.put(goal, GOAL_POS, span),
            HirLineKind::Player(player) => {
                self.put(player, PLAYER_POS, span);
                made.player = true;
            }
            HirLineKind::Sprite { name, .. } => {
                let sprite = self
                    .scope
                    .sprites
                    .get(name)
                    .filter(|s| usize::from(s.id) >= made.sprites);
                if let Some(sprite) = sprite {
                    made.sprites = usize::from(sprite.id) + 1;
                    self.builder.stop_point(StopKind::Statement, span);
                    self.set_int(sprite_counter_global(sprite), 0, span);
                }
            }
            HirLineKind::Counter(said) => {
                self.builder.stop_point(StopKind::Statement, span);
                self.set_int(counter_global(said.index), said.value, span);
            }
            HirLineKind::SpriteEvent { sprite, deeds } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    deeds.iter().for_each(|deed| self.set_own(sprite, deed));
                }
            }
            HirLineKind::Set { sprite, areas } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    areas.iter().for_each(|area| self.fill(sprite.id, area));
                }
            }
            // The rest only says what will happen.
            HirLineKind::PlayerEvent { .. } | HirLineKind::Moves(_) => {}
        }
        self.builder.release_registers(mark);
    }

    fn set_int(&mut self, global: u32, value: i32, span: Span) {
        let src = self.int(value, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit(Instr::SetGlobal { global, src }, span);
    }

    fn resize(&mut self, rows: u32, columns: u32, span: Span) {
        let mark = self.builder.registers_in_use();
        let rows = self.int(rows as i32, span);
        let cols = self.int(columns as i32, span);
        self.builder.emit(Instr::Resize { rows, cols }, span);
        self.builder.release_registers(mark);
    }

    /// A player beyond the new edge is moved to the nearest cell.
    fn keep_inside(&mut self, columns: u32, rows: u32, span: Span) {
        for (global, cells) in PLAYER_POS.into_iter().zip([columns, rows]) {
            let last = cells as i32 - 1;
            let a = self.global(global, span);
            let past = self.builder.emit_jump(
                Instr::JumpUnlessGreaterInt {
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
            self.builder.patch_here(past);
        }
    }

    fn put(&mut self, piece: &Marker, at: [u32; 2], span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        self.set_int(at[0], piece.x, span);
        self.set_int(at[1], piece.y, span);
    }

    /// Of an event only `setspritecounter=` does something at once.
    fn set_own(&mut self, sprite: &Sprite, deed: &Effect) {
        if let EffectKind::Counter(CounterAction::SetSpriteCounter, value) = deed.kind {
            self.builder.stop_point(StopKind::Statement, deed.span);
            self.set_int(sprite_counter_global(sprite), value, deed.span);
        }
    }

    fn fill(&mut self, kind: u16, area: &CellRect) {
        let span = area.span;
        self.builder.stop_point(StopKind::Statement, span);
        let mark = self.builder.registers_in_use();
        let bound = |n: u32| n as i32;
        let x = self.range(bound(area.left), bound(area.right) + 1, span);
        let y = self.builder.alloc_registers(2);
        let next_column = self.builder.next_pc();
        self.builder.emit(
            Instr::Int {
                dst: y,
                value: bound(area.top),
            },
            span,
        );
        self.builder.emit(
            Instr::Int {
                dst: y + 1,
                value: bound(area.bottom) + 1,
            },
            span,
        );
        let next_row = self.builder.next_pc();
        self.builder.emit(
            Instr::PlaceKind {
                kind,
                row: y,
                col: x,
                owner: y,
            },
            span,
        );
        self.builder.emit(
            Instr::RangeNext {
                base: y,
                to: next_row,
            },
            span,
        );
        self.builder.emit(
            Instr::RangeNext {
                base: x,
                to: next_column,
            },
            span,
        );
        self.builder.release_registers(mark);
    }

    /// Two registers: where a loop begins, and where it ends. An area has at least one cell, so it is never left out.
    fn range(&mut self, from: i32, to: i32, span: Span) -> Reg {
        let base = self.int(from, span);
        self.int(to, span);
        base
    }

    /// Presses keys. When one ends the game, the rest is dropped.
    fn moves(&mut self, steps: &MoveSequence, ends: &mut Vec<crate::code::PendingJump>) {
        let mark = self.builder.registers_in_use();
        let rounds = self.range(0, steps.repeat as i32, steps.span);
        let top = self.builder.next_pc();
        for (n, direction) in steps.directions.iter().enumerate() {
            let span = match steps.directions.len() {
                1 => steps.span,
                _ => Span {
                    start: steps.span.start + n as u32,
                    end: steps.span.start + n as u32 + 1,
                    ..steps.span
                },
            };
            self.builder.stop_point(StopKind::Statement, span);
            let (dx, dy) = direction.delta();
            let base = self.int(dx, span);
            self.int(dy, span);
            self.builder.emit(
                Instr::Call {
                    function: KEY,
                    base,
                },
                span,
            );
            ends.push(
                self.builder
                    .emit_jump(Instr::JumpUnless { a: base, to: 0 }, span),
            );
            self.builder.release_registers(base);
        }
        if steps.repeat > 1 {
            self.builder.emit(
                Instr::RangeNext {
                    base: rounds,
                    to: top,
                },
                steps.span,
            );
        }
        self.builder.release_registers(mark);
    }

    /// The value of a question.
    pub(super) fn eval_expr(&mut self, question: &Expr, span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        let a = self.operand(&question.left, span);
        let Some((relation, right)) = &question.right else {
            self.builder.emit(Instr::Return { src: a }, span);
            return;
        };
        let b = self.operand(right, span);
        let dst = self.builder.alloc_register();
        let test = match relation {
            CompareOp::Equal => Instr::Equal { dst, a, b },
            CompareOp::NotEqual => Instr::NotEqual { dst, a, b },
            CompareOp::Less => Instr::Less { dst, a, b },
            CompareOp::LessEqual => Instr::LessEqual { dst, a, b },
            CompareOp::Greater => Instr::Less { dst, a: b, b: a },
            CompareOp::GreaterEqual => Instr::LessEqual { dst, a: b, b: a },
        };
        self.builder.emit(test, span);
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
        self.builder.emit(Instr::Return { src: dst }, span);
    }

    fn operand(&mut self, operand: &Operand, span: Span) -> Reg {
        match *operand {
            Operand::Number(n) => self.int(n, span),
            Operand::Bool(truth) => self.constant(Value::bool(truth), span),
            Operand::Local(register) => register,
            Operand::Variable(global, at) => {
                let dst = self.builder.alloc_register();
                self.builder
                    .emit(Instr::GetDefinedGlobal { dst, global }, at);
                self.builder.record_value_after(at, ValueLoc::Register(dst));
                dst
            }
        }
    }
}
