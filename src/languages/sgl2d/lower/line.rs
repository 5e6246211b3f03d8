//! Lowers lines: those that set up the game, and moves and expressions typed at the prompt.

use super::{
    BLOCKED_BY, GOAL_POS, KEY, LOSE, Lowerer, MOVES, PLAYER_POS, WIN, counter_global,
    sprite_counter_global,
};
use crate::ast;
use crate::ast::{CounterAction, MoveSequence};
use crate::check::env::DEFAULT_SIDE_CELLS;
use crate::check::hir::{CellRect, Effect, EffectKind, HirLine, HirLineKind, Marker};
use crate::code::{
    Channel, CompareOp, Function, FunctionKind, Instr, PendingJump, Reg, StopKind, ValueLoc,
};
use crate::lower::prompt_expr::{Expr, Operand};
use crate::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::Value;

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
    let zero = body.builder.new_int(0, span);
    for global in [1, 2, 3].map(counter_global).into_iter().chain([MOVES]) {
        body.builder.emit_set_global(global, zero, span);
    }
    let not_over = body.builder.new_constant(Value::FALSE, span);
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
        let is_moves = |line: &&HirLine| matches!(line.kind, HirLineKind::Moves(_));
        if let Some(line) = lines.first().filter(|line| !is_moves(line)) {
            self.builder.emit(Instr::BeginAction, line.span);
        }
        let span = self.builder.full_span();
        let has_moves = lines.last().is_some_and(|line| is_moves(&line));
        // A single move tells by itself whether it was blocked. Comparing the number of moves would make
        // it decide something, so that no search of the positions ever ended.
        let makes_several = has_moves && move_count(lines) > 1;
        let moves_before = makes_several.then(|| self.builder.new_global(MOVES, span));
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
            self.report_blocked(moves_before, ast::delta(*direction), span);
        }
        self.builder.patch_all_here(game_over_jumps);
        if has_moves {
            let nothing = self.builder.new_constant(Value::NOTHING, span);
            self.builder.emit_set_global(BLOCKED_BY, nothing, span);
        }
    }

    /// If the player did not move at all, reports what blocked the last move. `moves_before` is the number
    /// of moves before several of them.
    fn report_blocked(&mut self, moves_before: Option<Reg>, (dx, dy): (i32, i32), span: Span) {
        let builder = &mut self.builder;
        let jump = match moves_before {
            Some(b) => CompareOp::Equal.jump_unless(builder.new_global(MOVES, span), b),
            None => {
                let a = builder.new_global(BLOCKED_BY, span);
                let b = builder.new_constant(Value::NOTHING, span);
                let (dst, expected) = (builder.alloc_register(), false);
                let is_blocked = Instr::EqualAnyType {
                    dst,
                    a,
                    b,
                    expected,
                };
                builder.emit(is_blocked, span);
                Instr::JumpUnless { a: dst, to: 0 }
            }
        };
        let done = builder.emit_jump(jump, span);
        let [x, y] = PLAYER_POS.map(|global| builder.new_global(global, span));
        let [next_x, next_y] = [(x, dx), (y, dy)]
            .map(|(a, value)| builder.emit_new(|dst| Instr::AddInt { dst, a, value }, span));
        let message = builder.new_string("the player stays at x=", span);
        for (text, value) in [("", x), (" y=", y), (": x=", next_x), (" y=", next_y)] {
            self.append(message, text, Some(value), span);
        }
        let blocker = self.builder.new_global(BLOCKED_BY, span);
        let edge = self.builder.new_string("", span);
        let is_solid = CompareOp::Equal.jump_unless(blocker, edge);
        let is_solid = self.builder.emit_jump(is_solid, span);
        self.append(message, " is off the board", None, span);
        let end = self.builder.emit_skip(span);
        self.builder.patch_here(is_solid);
        self.append(message, " is ", Some(blocker), span);
        self.append(message, ", which is solid", None, span);
        self.builder.patch_here(end);
        self.builder.emit(Channel::Info.output(message), span);
        self.builder.patch_here(done);
    }

    /// Appends a string, and then a value, to the message in a register.
    fn append(&mut self, message: Reg, text: &str, value: Option<Reg>, span: Span) {
        let in_use = self.builder.registers_in_use();
        let (dst, a) = (message, message);
        let b = self.builder.new_string(text, span);
        self.builder.emit(Instr::Concat { dst, a, b }, span);
        if let Some(value) = value {
            self.builder
                .emit(Instr::ToString { dst: b, a: value }, span);
            self.builder.emit(Instr::Concat { dst, a, b }, span);
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
            HirLineKind::Sprite(line) => {
                let sprite = self.scope.sprites.get(&line.name.text);
                if let Some(sprite) = sprite.filter(|s| usize::from(s.id) >= defined.sprites) {
                    defined.sprites = usize::from(sprite.id) + 1;
                    self.builder.stop_point(StopKind::Statement, span);
                    self.set_int(sprite_counter_global(sprite), 0, span);
                }
            }
            HirLineKind::Counter(counter) => {
                self.builder.stop_point(StopKind::Statement, span);
                let global = counter_global(counter.index);
                self.set_int(global, counter.initial_value(), span);
            }
            HirLineKind::Event { sprite, effects } => {
                let sprite = sprite
                    .as_ref()
                    .and_then(|name| self.scope.sprites.get(name));
                if let Some(sprite) = sprite {
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
            HirLineKind::Moves(_) => {}
        }
        self.builder.release_registers(in_use);
    }

    fn set_int(&mut self, global: u32, value: i32, span: Span) {
        let src = self.builder.new_int(value, span);
        self.builder.record_value_before(span, ValueLoc::Write(src));
        self.builder.emit_set_global(global, src, span);
    }

    fn resize(&mut self, rows: u32, columns: u32, span: Span) {
        let in_use = self.builder.registers_in_use();
        let rows = self.builder.new_int(rows as i32, span);
        let cols = self.builder.new_int(columns as i32, span);
        self.builder.emit(Instr::Resize { rows, cols }, span);
        self.builder.release_registers(in_use);
    }

    /// Moves a player that is off the new board to the nearest cell.
    fn clamp_player(&mut self, columns: u32, rows: u32, span: Span) {
        for (global, cells) in PLAYER_POS.into_iter().zip([columns, rows]) {
            let last = cells as i32 - 1;
            let (a, value, to) = (self.builder.new_global(global, span), last as i16, 0);
            let is_inside = Instr::JumpUnlessGreaterInt { a, value, to };
            let is_inside = self.builder.emit_jump(is_inside, span);
            self.set_int(global, last, span);
            let message = "the player was off the new board; moved to the nearest cell";
            self.builder.emit_warning(message, span);
            self.builder.patch_here(is_inside);
        }
    }

    fn set_position(&mut self, marker: &Marker, globals: [u32; 2], span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        self.set_int(globals[0], marker.x, span);
        self.set_int(globals[1], marker.y, span);
    }

    /// Of all event actions, only `setspritecounter=` has an immediate effect. The others define what
    /// happens on later moves.
    fn set_sprite_counter(&mut self, sprite: &Sprite, effect: &Effect) {
        if let EffectKind::Counter(CounterAction::SET_SPRITE_COUNTER, value) = effect.kind {
            self.builder.stop_point(StopKind::Statement, effect.span);
            self.set_int(sprite_counter_global(sprite), value, effect.span);
        }
    }

    /// Puts a sprite into every cell of a rectangle.
    fn fill(&mut self, kind: u16, rect: &CellRect) {
        let span = rect.span;
        self.builder.stop_point(StopKind::Statement, span);
        let in_use = self.builder.registers_in_use();
        let x = self.range(rect.left as i32, rect.right as i32 + 1, span);
        let next_column = self.builder.next_pc();
        let y = self.range(rect.top as i32, rect.bottom as i32 + 1, span);
        let next_row = self.builder.next_pc();
        let (row, col, owner) = (y, x, y);
        let place = Instr::PlaceKind {
            kind,
            row,
            col,
            owner,
        };
        self.builder.emit(place, span);
        for (base, to) in [(y, next_row), (x, next_column)] {
            self.builder.emit(Instr::RangeNext { base, to }, span);
        }
        self.builder.release_registers(in_use);
    }

    /// Two adjacent registers for a loop: current value and end. Loops here run at least once.
    fn range(&mut self, from: i32, to: i32, span: Span) -> Reg {
        let base = self.builder.new_int(from, span);
        self.builder.new_int(to, span);
        base
    }

    /// Runs moves. If one of them ends the game, the rest are skipped by a jump that is added to
    /// `game_over_jumps`.
    fn moves(&mut self, sequence: &MoveSequence, game_over_jumps: &mut Vec<PendingJump>) {
        let in_use = self.builder.registers_in_use();
        let base = self.range(0, sequence.repeat as i32, sequence.span);
        let to = self.builder.next_pc();
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
            let (dx, dy) = ast::delta(*direction);
            let base = self.builder.new_int(dx, span);
            self.builder.new_int(dy, span);
            let function = KEY;
            self.builder.emit(Instr::Call { function, base }, span);
            let is_over = Instr::JumpUnless { a: base, to: 0 };
            game_over_jumps.push(self.builder.emit_jump(is_over, span));
            self.builder.release_registers(base);
        }
        if sequence.repeat > 1 {
            let next = Instr::RangeNext { base, to };
            self.builder.emit(next, sequence.span);
        }
        self.builder.release_registers(in_use);
    }

    /// Emits code that evaluates an expression and returns its value.
    pub(super) fn eval_expr(&mut self, expr: &Expr, span: Span) {
        self.builder.stop_point(StopKind::Statement, span);
        let a = self.operand(&expr.left, span);
        let Some((operator, right)) = &expr.right else {
            self.builder.emit(Instr::Return { src: a }, span);
            return;
        };
        let b = self.operand(right, span);
        let dst = self.builder.alloc_register();
        self.builder.set_operator(span, operator.span);
        let instr = operator.op.instr(dst, a, b);
        self.builder.emit_value(instr, dst, span, span);
        self.builder.emit(Instr::Return { src: dst }, span);
    }

    fn operand(&mut self, operand: &Operand, span: Span) -> Reg {
        match *operand {
            Operand::Number(n) => self.builder.new_int(n, span),
            Operand::Bool(value) => self.builder.new_constant(Value::bool(value), span),
            Operand::Local(register) => register,
            Operand::Variable(global, at) => {
                let dst = self.builder.alloc_register();
                let instr = Instr::GetDefinedGlobal { dst, global };
                self.builder.emit_value(instr, dst, at, at);
                dst
            }
        }
    }
}
