//! The function `key`, which runs one move: the language moves the player when an arrow key is
//! pressed. A move has the steps listed in `rules.txt`. Each step has the span of its line there, so
//! that the debugger can show it; effects of the game's own lines are in the functions of `event`.

use super::{
    BLOCKED_BY, COUNTERS, GOAL, LOSE, Lowered, Lowerer, MOVES, PLAYER_EVENT, PLAYER_POS, SOLID,
    WIN, touch_function,
};
use crate::code::{
    FunctionId, FunctionKind, Instr, PendingJump, PieceEvent, PieceField, Reg, StopKind, ValueLoc,
};
use crate::languages::sgl2d::lower::scope::Scope;
use crate::source::{SourceId, Span};
use crate::value::{InternedStr, Value};

pub const RULES: &str = include_str!("../rules.txt");

/// The span of the rule with this number.
fn rule_span(number: u8) -> Span {
    let head = format!("\n{number}. ");
    let start = RULES.find(&head).map_or(0, |at| at + 1);
    let end = RULES[start..]
        .find('\n')
        .map_or(RULES.len(), |len| start + len);
    Span::new(SourceId::RULES, start, end)
}

/// A whole move. Returns whether the game is still running, so that the next move of an entry can
/// run.
pub(super) fn key(scope: &Scope) -> Lowered {
    let all_rules = Span::new(SourceId::RULES, 0, RULES.len());
    let mut body = Lowerer::new(scope, "key", FunctionKind::Rules, &["dx", "dy"], all_rules);
    let span = body.rule(0);
    let flag = body.builder.alloc_register();
    let over = [WIN, LOSE].map(|global| {
        body.builder
            .emit(Instr::GetGlobal { dst: flag, global }, span);
        body.builder
            .emit_jump(Instr::JumpIf { a: flag, to: 0 }, span)
    });
    body.builder.emit(Instr::BeginAction, span);
    body.steps();
    body.finish_move();
    body.builder.patch_all_here(over);
    body.warn(
        "the game is over, so the move is ignored; `:restart` starts again, `:undo` undoes the last move",
        span,
    );
    body.return_bool(false, span);
    body.builder.finish()
}

/// Returns whether the sprite in a cell is solid.
pub(super) fn solid(scope: &Scope) -> Lowered {
    let mut body = Lowerer::new(
        scope,
        "solid",
        FunctionKind::Condition,
        &["x", "y"],
        Span::default(),
    );
    let piece = body.builder.alloc_register();
    for (name, sprite) in scope.all_sprites().filter(|(_, sprite)| sprite.solid) {
        let span = sprite.span;
        body.builder.emit(
            Instr::Cell {
                dst: piece,
                row: 1,
                col: 0,
            },
            span,
        );
        let other = body.jump_unless_sprite(piece, name, span);
        body.builder.stop_point(StopKind::Condition, span);
        body.return_bool(true, span);
        body.builder.patch_here(other);
    }
    body.return_bool(false, Span::default());
    body.builder.finish()
}

impl Lowerer<'_> {
    /// Adds a stop at the rule with this number; returns its span.
    fn rule(&mut self, number: u8) -> Span {
        let span = rule_span(number);
        self.builder.stop_point(StopKind::Rule, span);
        span
    }

    fn return_bool(&mut self, value: bool, span: Span) {
        let in_use = self.builder.registers_in_use();
        let src = self.constant(Value::bool(value), span);
        self.builder.emit(Instr::Return { src }, span);
        self.builder.release_registers(in_use);
    }

    /// Jumps if the piece is not this sprite.
    pub(super) fn jump_unless_sprite(&mut self, piece: Reg, name: &str, span: Span) -> PendingJump {
        let k = self.builder.string_constant(name);
        self.builder.emit_jump(
            Instr::JumpUnlessNameIs {
                a: piece,
                k,
                expected: true,
                to: 0,
            },
            span,
        )
    }

    fn call(&mut self, function: FunctionId, span: Span) {
        let in_use = self.builder.registers_in_use();
        let base = self.builder.alloc_register();
        self.builder.emit(Instr::Call { function, base }, span);
        self.builder.release_registers(in_use);
    }

    /// Calls a function with a cell as its arguments; returns the register of the result.
    fn call_at(&mut self, function: FunctionId, x: Reg, y: Reg, span: Span) -> Reg {
        let base = self.builder.alloc_registers(2);
        self.builder.emit(Instr::Move { dst: base, src: x }, span);
        self.builder.emit(
            Instr::Move {
                dst: base + 1,
                src: y,
            },
            span,
        );
        self.builder.emit(Instr::Call { function, base }, span);
        base
    }

    /// Steps 1 to 7.
    fn steps(&mut self) {
        let scope = self.scope;
        match scope.player {
            Some(_) => self.move_player(),
            None => {
                let span = self.rule(1);
                self.warn(
                    "no player is defined, so nothing moves; define one, e.g. `player > x=0 y=0`",
                    span,
                );
            }
        }
        if scope
            .sprites
            .values()
            .any(|s| s.actions.has_update_actions())
        {
            self.update();
        }
        if scope
            .counters
            .iter()
            .any(|c| c.win_on_zero.or(c.game_over_on_zero).is_some())
        {
            let span = self.rule(6);
            self.call(COUNTERS, span);
        }
        if scope.goal.and(scope.player).is_some() {
            let span = self.rule(7);
            self.call(GOAL, span);
        }
    }

    /// Steps 1 to 4: the move to the next cell, and what happens there.
    fn move_player(&mut self) {
        let span = self.rule(1);
        let (x, y) = (self.builder.alloc_register(), self.builder.alloc_register());
        // The parameters `dx` and `dy` are in registers 0 and 1.
        for (delta, (global, dst)) in (0..).zip(PLAYER_POS.into_iter().zip([x, y])) {
            self.builder.emit(Instr::GetGlobal { dst, global }, span);
            self.builder.emit(
                Instr::Add {
                    dst,
                    a: dst,
                    b: delta,
                },
                span,
            );
        }
        let locals = self.builder.local_count();
        self.builder.begin_local(InternedStr::new("x"), x);
        self.builder.begin_local(InternedStr::new("y"), y);
        let mut edge_jumps = Vec::new();
        let mut solid_jump = None;
        for (a, cells) in [(x, self.scope.env.columns), (y, self.scope.env.rows)] {
            edge_jumps.push(self.builder.emit_jump(
                Instr::JumpUnlessGreaterInt {
                    a,
                    value: -1,
                    to: 0,
                },
                span,
            ));
            edge_jumps.push(self.builder.emit_jump(
                Instr::JumpUnlessLessInt {
                    a,
                    value: cells as i16,
                    to: 0,
                },
                span,
            ));
        }
        if self.scope.sprites.values().any(|s| s.solid) {
            let in_use = self.builder.registers_in_use();
            let solid = self.call_at(SOLID, x, y, span);
            solid_jump = Some(
                self.builder
                    .emit_jump(Instr::JumpIf { a: solid, to: 0 }, span),
            );
            self.builder.release_registers(in_use);
        }
        self.arrive(x, y);
        self.builder.end_locals(locals);
        self.record_blocked(edge_jumps, solid_jump, (x, y), span);
    }

    /// The target of the jumps taken if the player is blocked. Records by what, because the cell
    /// can change before the move ends.
    fn record_blocked(
        &mut self,
        edge_jumps: Vec<PendingJump>,
        solid_jump: Option<PendingJump>,
        (x, y): (Reg, Reg),
        span: Span,
    ) {
        let in_use = self.builder.registers_in_use();
        let mut done = vec![self.builder.emit_jump(Instr::Jump { to: 0 }, span)];
        if let Some(jump) = solid_jump {
            self.builder.patch_here(jump);
            let name = self.builder.alloc_register();
            self.builder.emit(
                Instr::Cell {
                    dst: name,
                    row: y,
                    col: x,
                },
                span,
            );
            self.builder.emit(
                Instr::PieceField {
                    dst: name,
                    piece: name,
                    field: PieceField::Name,
                },
                span,
            );
            self.builder.emit(
                Instr::SetGlobal {
                    global: BLOCKED_BY,
                    src: name,
                },
                span,
            );
            done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, span));
        }
        self.builder.patch_all_here(edge_jumps);
        let src = self.constant(Value::interned(InternedStr::new("")), span);
        self.builder.emit(
            Instr::SetGlobal {
                global: BLOCKED_BY,
                src,
            },
            span,
        );
        self.builder.patch_all_here(done);
        self.builder.release_registers(in_use);
    }

    /// Steps 2 to 4: the player enters the cell.
    fn arrive(&mut self, x: Reg, y: Reg) {
        let span = self.rule(2);
        for (global, src) in PLAYER_POS.into_iter().zip([x, y]) {
            self.builder.record_value_before(span, ValueLoc::Write(src));
            self.builder.emit(Instr::SetGlobal { global, src }, span);
        }
        let in_use = self.builder.registers_in_use();
        let moves = self.global(MOVES, span);
        self.builder.emit(
            Instr::AddInt {
                dst: moves,
                a: moves,
                value: 1,
            },
            span,
        );
        self.builder.emit(
            Instr::SetGlobal {
                global: MOVES,
                src: moves,
            },
            span,
        );
        self.builder.release_registers(in_use);
        if self
            .scope
            .sprites
            .values()
            .any(|s| s.actions.has_touch_actions())
        {
            self.touch(x, y);
        }
        if !self.scope.player_event.is_empty() {
            let span = self.rule(4);
            self.call(PLAYER_EVENT, span);
        }
    }

    /// Step 3: the sprite is read once, before any of its actions can change the cell.
    fn touch(&mut self, x: Reg, y: Reg) {
        let span = self.rule(3);
        let in_use = self.builder.registers_in_use();
        let piece = self.builder.alloc_register();
        self.builder.emit(
            Instr::Cell {
                dst: piece,
                row: y,
                col: x,
            },
            span,
        );
        let mut done = Vec::new();
        let scope = self.scope;
        for (name, sprite) in scope
            .all_sprites()
            .filter(|(_, s)| s.actions.has_touch_actions())
        {
            // The test is shown at the start of the line: `event lava`.
            let line = sprite.actions.span.unwrap_or(sprite.span);
            let head = Span {
                end: line
                    .end
                    .min(line.start + ("event ".len() + name.len()) as u32),
                ..line
            };
            self.builder
                .record_value_before(head, ValueLoc::Register(piece));
            let other = self.jump_unless_sprite(piece, name, span);
            self.builder
                .record_value_after(head, ValueLoc::JumpTest { if_taken: false });
            self.call_at(touch_function(sprite), x, y, span);
            done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, span));
            self.builder.patch_here(other);
            self.builder.release_registers(piece + 1);
        }
        self.builder.patch_all_here(done);
        self.builder.release_registers(in_use);
    }

    /// Step 5: visits only sprites with update actions, in the order of their cells.
    fn update(&mut self) {
        let span = self.rule(5);
        let in_use = self.builder.registers_in_use();
        let base = self.builder.alloc_registers(2);
        self.builder.emit(
            Instr::Int {
                dst: base,
                value: 0,
            },
            span,
        );
        let first = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
        let top = self.builder.next_pc();
        self.builder.emit(Instr::SendTurn { piece: base + 1 }, span);
        self.builder.patch_here(first);
        self.builder.emit(
            Instr::HandlingPiecesNext {
                base,
                event: PieceEvent::Turn,
                to: top,
            },
            span,
        );
        self.builder.release_registers(in_use);
    }

    /// The end of the move: returns whether the game is still running.
    fn finish_move(&mut self) {
        let span = rule_span(7);
        let in_use = self.builder.registers_in_use();
        let flag = self.builder.alloc_register();
        let over = [WIN, LOSE].map(|global| {
            self.builder
                .emit(Instr::GetGlobal { dst: flag, global }, span);
            self.builder
                .emit_jump(Instr::JumpIf { a: flag, to: 0 }, span)
        });
        self.return_bool(true, span);
        self.builder.patch_all_here(over);
        self.return_bool(false, span);
        self.builder.release_registers(in_use);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_line_in_the_rules() {
        for number in 0..=7 {
            let span = rule_span(number);
            let line = &RULES[span.start as usize..span.end as usize];
            assert!(
                line.starts_with(&format!("{number}. ")) && line.ends_with('.'),
                "{line}"
            );
        }
    }
}
