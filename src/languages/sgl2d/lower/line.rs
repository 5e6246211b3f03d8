//! Lowers lines: those that set up the game, and moves and expressions typed at the prompt.

use super::{
    BLOCKED_BY, GOAL_POS, KEY, LOSE, Lowerer, MOVES, PLAYER_POS, WIN, counter_global,
    sprite_counter_global,
};
use crate::code::{
    Channel, CompareOp, Function, FunctionKind, Instr, PendingJump, Reg, StopKind, ValueLoc,
};
use crate::languages::sgl2d::ast::{CounterAction, MoveSequence};
use crate::languages::sgl2d::check::env::DEFAULT_SIDE_CELLS;
use crate::languages::sgl2d::check::hir::{
    CellRect, Effect, EffectKind, HirLine, HirLineKind, Marker,
};
use crate::languages::sgl2d::lower::prompt_expr::{Expr, Operand};
use crate::languages::sgl2d::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// What the lines before the current one have defined.
struct Defined {
    player: bool,
    /// The number of sprites.
    sprites: usize,
}

/// Starts the game: an empty environment, then all lines in order.
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
        body.builder.emit_set_global(global, zero, span);
    }
    let not_over = body.constant(Value::FALSE, span);
    for global in [WIN, LOSE] {
        body.builder.emit_set_global(global, not_over, span);
    }
    let mut defined = Defined {
        player: false,
        sprites: 0,
    };
    for line in &scope.lines {
        body.line(line, &mut defined);
    }
    body.builder.finish()
}

/// How many moves these lines make.
fn move_count(lines: &[HirLine]) -> u64 {
    let moves_of = |line: &HirLine| match &line.kind {
        HirLineKind::Moves(sequences) => sequences
            .iter()
            .map(|s| s.directions.len() as u64 * u64::from(s.repeat))
            .sum(),
        _ => 0,
    };
    lines.iter().map(moves_of).sum()
}

impl Lowerer<'_> {
    /// Lowers lines typed at the prompt; `before` is the scope without them.
    pub(super) fn entry_lines(&mut self, lines: &[HirLine], before: &Scope) {
        let mut defined = Defined {
            player: before.player.is_some(),
            sprites: before.sprite_names.len(),
        };
        let mut game_over_jumps = Vec::new();
        if let Some(HirLine { span, .. }) = lines
            .first()
            .filter(|line| !matches!(line.kind, HirLineKind::Moves(_)))
        {
            self.builder.emit(Instr::BeginAction, *span);
        }
        let span = self.builder.full_span();
        let has_moves = lines
            .last()
            .is_some_and(|line| matches!(line.kind, HirLineKind::Moves(_)));
        // A single move tells by itself whether it was blocked. Comparing the number of moves would make
        // it decide something, so that no search of the positions ever ended.
        let moves_before = (has_moves && move_count(lines) > 1).then(|| self.global(MOVES, span));
        let mut last_direction = None;
        for line in lines {
            match &line.kind {
                HirLineKind::Moves(sequences) => {
                    for sequence in sequences {
                        self.moves(sequence, &mut game_over_jumps);
                    }
                    last_direction = sequences.last().and_then(|s| s.directions.last());
                }
                _ => self.line(line, &mut defined),
            }
        }
        if let Some(direction) = last_direction.filter(|_| has_moves && defined.player) {
            self.report_blocked(moves_before, direction.delta(), span);
        }
        self.builder.patch_all_here(game_over_jumps);
        if has_moves {
            let nothing = self.constant(Value::NOTHING, span);
            self.builder.emit_set_global(BLOCKED_BY, nothing, span);
        }
    }

    /// If the player did not move at all, reports what blocked the last move. `moves_before` is the number
    /// of moves before several of them.
    fn report_blocked(&mut self, moves_before: Option<Reg>, (dx, dy): (i32, i32), span: Span) {
        let jump = match moves_before {
            Some(b) => {
                let a = self.global(MOVES, span);
                CompareOp::Equal.jump_unless(a, b)
            }
            None => {
                let (a, b) = (
                    self.global(BLOCKED_BY, span),
                    self.constant(Value::NOTHING, span),
                );
                let dst = self.builder.alloc_register();
                let expected = false;
                let is_blocked = Instr::EqualAnyType {
                    dst,
                    a,
                    b,
                    expected,
                };
                self.builder.emit(is_blocked, span);
                Instr::JumpUnless { a: dst, to: 0 }
            }
        };
        let done = self.builder.emit_jump(jump, span);
        let at = PLAYER_POS.map(|global| self.global(global, span));
        let next = [(at[0], dx), (at[1], dy)].map(|(a, value)| {
            let dst = self.builder.alloc_register();
            self.builder.emit(Instr::AddInt { dst, a, value }, span);
            dst
        });
        let message = self.constant(
            Value::interned(InternedStr::new("the player stays at x=")),
            span,
        );
        for (text, value) in [
            ("", at[0]),
            (" y=", at[1]),
            (": x=", next[0]),
            (" y=", next[1]),
        ] {
            self.append(message, text, Some(value), span);
        }
        let (blocker, edge) = (
            self.global(BLOCKED_BY, span),
            self.constant(Value::interned(InternedStr::new("")), span),
        );
        let solid = self
            .builder
            .emit_jump(CompareOp::Equal.jump_unless(blocker, edge), span);
        self.append(message, " is off the board", None, span);
        let end = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
        self.builder.patch_here(solid);
        self.append(message, " is ", Some(blocker), span);
        self.append(message, ", which is solid", None, span);
        self.builder.patch_here(end);
        self.builder.emit(Channel::Info.output(message), span);
        self.builder.patch_here(done);
    }

    /// Appends a string, and then a value, to the message in a register.
    fn append(&mut self, message: Reg, text: &str, value: Option<Reg>, span: Span) {
        let in_use = self.builder.registers_in_use();
        let text = self.constant(Value::interned(InternedStr::new(text)), span);
        self.builder.emit(
            Instr::Concat {
                dst: message,
                a: message,
                b: text,
            },
            span,
        );
        if let Some(a) = value {
            self.builder.emit(Instr::ToString { dst: text, a }, span);
            self.builder.emit(
                Instr::Concat {
                    dst: message,
                    a: message,
                    b: text,
                },
                span,
            );
        }
        self.builder.release_registers(in_use);
    }

    /// Lowers a line that is not a move.
    fn line(&mut self, line: &HirLine, defined: &mut Defined) {
        let span = line.span;
        let in_use = self.builder.registers_in_use();
        match &line.kind {
            HirLineKind::Environment { columns, rows } => {
                self.builder.stop_point(StopKind::Statement, span);
                self.resize(*rows, *columns, span);
                if defined.player {
                    self.clamp_player(*columns, *rows, span);
                }
            }
            HirLineKind::Goal(goal) => self.set_position(goal, GOAL_POS, span),
            HirLineKind::Player(player) => {
                self.set_position(player, PLAYER_POS, span);
                defined.player = true;
            }
            HirLineKind::Sprite { name, .. } => {
                let sprite = self
                    .scope
                    .sprites
                    .get(name)
                    .filter(|s| usize::from(s.id) >= defined.sprites);
                if let Some(sprite) = sprite {
                    defined.sprites = usize::from(sprite.id) + 1;
                    self.builder.stop_point(StopKind::Statement, span);
                    self.set_int(sprite_counter_global(sprite), 0, span);
                }
            }
            HirLineKind::Counter(counter) => {
                self.builder.stop_point(StopKind::Statement, span);
                self.set_int(counter_global(counter.index), counter.value, span);
            }
            HirLineKind::SpriteEvent { sprite, effects } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    effects
                        .iter()
                        .for_each(|effect| self.set_sprite_counter(sprite, effect));
                }
            }
            HirLineKind::Set { sprite, rects } => {
                if let Some(sprite) = self.scope.sprites.get(sprite) {
                    rects.iter().for_each(|rect| self.fill(sprite.id, rect));
                }
            }
            // An event only defines what happens on later moves.
            HirLineKind::PlayerEvent { .. } | HirLineKind::Moves(_) => {}
        }
        self.builder.release_registers(in_use);
    }

    fn set_int(&mut self, global: u32, value: i32, span: Span) {
        let src = self.int(value, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit_set_global(global, src, span);
    }

    fn resize(&mut self, rows: u32, columns: u32, span: Span) {
        let in_use = self.builder.registers_in_use();
        let rows = self.int(rows as i32, span);
        let cols = self.int(columns as i32, span);
        self.builder.emit(Instr::Resize { rows, cols }, span);
        self.builder.release_registers(in_use);
    }

    /// Moves a player that is off the new board to the nearest cell.
    fn clamp_player(&mut self, columns: u32, rows: u32, span: Span) {
        for (global, cells) in PLAYER_POS.into_iter().zip([columns, rows]) {
            let last = cells as i32 - 1;
            let a = self.global(global, span);
            let is_inside = self.builder.emit_jump(
                Instr::JumpUnlessGreaterInt {
                    a,
                    value: last as i16,
                    to: 0,
                },
                span,
            );
            self.set_int(global, last, span);
            self.warn(
                "the player was off the new board; moved to the nearest cell",
                span,
            );
            self.builder.patch_here(is_inside);
        }
    }

    fn set_position(&mut self, marker: &Marker, globals: [u32; 2], span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        self.set_int(globals[0], marker.x, span);
        self.set_int(globals[1], marker.y, span);
    }

    /// Of all event actions, only `setspritecounter=` has an immediate effect.
    fn set_sprite_counter(&mut self, sprite: &Sprite, effect: &Effect) {
        if let EffectKind::Counter(CounterAction::SetSpriteCounter, value) = effect.kind {
            self.builder.stop_point(StopKind::Statement, effect.span);
            self.set_int(sprite_counter_global(sprite), value, effect.span);
        }
    }

    /// Puts a sprite into every cell of a rectangle.
    fn fill(&mut self, kind: u16, rect: &CellRect) {
        let span = rect.span;
        self.builder.stop_point(StopKind::Statement, span);
        let in_use = self.builder.registers_in_use();
        let bound = |n: u32| n as i32;
        let x = self.range(bound(rect.left), bound(rect.right) + 1, span);
        let y = self.builder.alloc_registers(2);
        let next_column = self.builder.next_pc();
        self.builder.emit(
            Instr::Int {
                dst: y,
                value: bound(rect.top),
            },
            span,
        );
        self.builder.emit(
            Instr::Int {
                dst: y + 1,
                value: bound(rect.bottom) + 1,
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
        self.builder.release_registers(in_use);
    }

    /// Two adjacent registers for a loop: current value and end. Loops here run at least once.
    fn range(&mut self, from: i32, to: i32, span: Span) -> Reg {
        let base = self.int(from, span);
        self.int(to, span);
        base
    }

    /// Runs moves. If one of them ends the game, the rest are skipped by a jump that is added to
    /// `game_over_jumps`.
    fn moves(&mut self, sequence: &MoveSequence, game_over_jumps: &mut Vec<PendingJump>) {
        let in_use = self.builder.registers_in_use();
        let counter = self.range(0, sequence.repeat as i32, sequence.span);
        let top = self.builder.next_pc();
        for (n, direction) in sequence.directions.iter().enumerate() {
            let span = match sequence.directions.len() {
                1 => sequence.span,
                _ => Span {
                    start: sequence.span.start + n as u32,
                    end: sequence.span.start + n as u32 + 1,
                    ..sequence.span
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
            game_over_jumps.push(
                self.builder
                    .emit_jump(Instr::JumpUnless { a: base, to: 0 }, span),
            );
            self.builder.release_registers(base);
        }
        if sequence.repeat > 1 {
            self.builder.emit(
                Instr::RangeNext {
                    base: counter,
                    to: top,
                },
                sequence.span,
            );
        }
        self.builder.release_registers(in_use);
    }

    /// Emits code that evaluates an expression and returns its value.
    pub(super) fn eval_expr(&mut self, expr: &Expr, span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        let a = self.operand(&expr.left, span);
        let Some((op, right)) = &expr.right else {
            self.builder.emit(Instr::Return { src: a }, span);
            return;
        };
        let b = self.operand(right, span);
        let dst = self.builder.alloc_register();
        self.builder.emit(op.instr(dst, a, b), span);
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
        self.builder.emit(Instr::Return { src: dst }, span);
    }

    fn operand(&mut self, operand: &Operand, span: Span) -> Reg {
        match *operand {
            Operand::Number(n) => self.int(n, span),
            Operand::Bool(value) => self.constant(Value::bool(value), span),
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
