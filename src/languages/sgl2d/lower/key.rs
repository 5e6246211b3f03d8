//! One arrow key, step by step in the order of the language. The steps that no line of the game causes stand in
//! `rules.txt`, where a person sees them; the others call what `event` lowers.

use super::{Body, COUNTERS, GOAL, LOSE, MOVES, PLAYER, PLAYER_EVENT, SOLID, WALL, WIN, touch_of};
use crate::code::{Event, Field, Function, FunctionId, Instr, Jump, Reg, Role, Seen, StopKind};
use crate::languages::sgl2d::scope::Scope;
use crate::source::{SourceId, Span};
use crate::value::{Text, Value};

pub const RULES: &str = include_str!("../rules.txt");

/// The line of the rules that has this number.
fn rule(number: u8) -> Span {
    let head = format!("\n{number}. ");
    let start = RULES.find(&head).map_or(0, |at| at + 1);
    let end = RULES[start..]
        .find('\n')
        .map_or(RULES.len(), |len| start + len);
    Span::new(SourceId::RULES, start, end)
}

/// Gives back whether the game goes on: another key may follow.
pub(super) fn key(scope: &Scope) -> Function {
    let whole = Span::new(SourceId::RULES, 0, RULES.len());
    let mut body = Body::new(scope, "key", Role::Rules, &["dx", "dy"], whole);
    let span = body.rule(0);
    let flag = body.b.register();
    let over = [WIN, LOSE].map(|global| {
        body.b.emit(Instr::Global { dst: flag, global }, span);
        body.b.jump(Instr::If { a: flag, to: 0 }, span)
    });
    body.b.emit(Instr::BeginAction, span);
    body.steps();
    body.end();
    body.b.land_all(over);
    body.warn(
        "the game is over: the key does nothing; `:restart` begins it again, `:undo` takes the last move back",
        span,
    );
    body.give(false, span);
    body.b.finish()
}

/// Whether the sprite on a cell lets nobody in.
pub(super) fn solid(scope: &Scope) -> Function {
    let mut body = Body::new(
        scope,
        "solid",
        Role::Condition,
        &["x", "y"],
        Span::default(),
    );
    let piece = body.b.register();
    for (name, sprite) in scope.all_sprites().filter(|(_, sprite)| sprite.solid) {
        let span = sprite.span;
        body.b.emit(
            Instr::Cell {
                dst: piece,
                row: 1,
                col: 0,
            },
            span,
        );
        let other = body.unless_is(piece, name, span);
        body.b.stop(StopKind::Condition, span);
        body.give(true, span);
        body.b.land(other);
    }
    body.give(false, Span::default());
    body.b.finish()
}

impl Body<'_> {
    fn rule(&mut self, number: u8) -> Span {
        let span = rule(number);
        self.b.stop(StopKind::Rule, span);
        span
    }

    fn give(&mut self, truth: bool, span: Span) {
        let mark = self.b.mark();
        let src = self.constant(Value::bool(truth), span);
        self.b.emit(Instr::Return { src }, span);
        self.b.release(mark);
    }

    /// Jumps when the piece is of another sprite.
    pub(super) fn unless_is(&mut self, piece: Reg, name: &str, span: Span) -> Jump {
        let k = self.b.text(name);
        self.b.jump(
            Instr::UnlessNameIs {
                a: piece,
                k,
                is: true,
                to: 0,
            },
            span,
        )
    }

    fn call(&mut self, function: FunctionId, span: Span) {
        let mark = self.b.mark();
        let base = self.b.register();
        self.b.emit(Instr::Call { function, base }, span);
        self.b.release(mark);
    }

    fn call_at(&mut self, function: FunctionId, x: Reg, y: Reg, span: Span) -> Reg {
        let base = self.b.registers(2);
        self.b.emit(Instr::Move { dst: base, src: x }, span);
        self.b.emit(
            Instr::Move {
                dst: base + 1,
                src: y,
            },
            span,
        );
        self.b.emit(Instr::Call { function, base }, span);
        base
    }

    /// Steps 1 to 7.
    fn steps(&mut self) {
        let scope = self.scope;
        match scope.player {
            Some(_) => self.walk(),
            None => {
                let span = self.rule(1);
                self.warn(
                    "there is no player to move: a line such as `player > x=0 y=0` makes one",
                    span,
                );
            }
        }
        if scope.sprites.values().any(|s| s.actions.updates()) {
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

    /// Steps 1 to 4: the next cell, and what happens there.
    fn walk(&mut self) {
        let span = self.rule(1);
        let (x, y) = (self.b.register(), self.b.register());
        for (n, (global, dst)) in PLAYER.into_iter().zip([x, y]).enumerate() {
            self.b.emit(Instr::Global { dst, global }, span);
            self.b.emit(
                Instr::Add {
                    dst,
                    a: dst,
                    b: n as Reg,
                },
                span,
            );
        }
        let locals = self.b.locals();
        self.b.local(Text::new("x"), x);
        self.b.local(Text::new("y"), y);
        let mut edge = Vec::new();
        let mut solid_there = None;
        for (a, cells) in [(x, self.scope.env.columns), (y, self.scope.env.rows)] {
            edge.push(self.b.jump(
                Instr::UnlessGreaterInt {
                    a,
                    value: -1,
                    to: 0,
                },
                span,
            ));
            edge.push(self.b.jump(
                Instr::UnlessLessInt {
                    a,
                    value: cells as i16,
                    to: 0,
                },
                span,
            ));
        }
        if self.scope.sprites.values().any(|s| s.solid) {
            let mark = self.b.mark();
            let solid = self.call_at(SOLID, x, y, span);
            solid_there = Some(self.b.jump(Instr::If { a: solid, to: 0 }, span));
            self.b.release(mark);
        }
        self.arrive(x, y);
        self.b.end_locals(locals);
        self.stay(edge, solid_there, (x, y), span);
    }

    /// Where nobody goes on: what is in the way is kept, as it may change before the key is done.
    fn stay(&mut self, edge: Vec<Jump>, solid: Option<Jump>, (x, y): (Reg, Reg), span: Span) {
        let mark = self.b.mark();
        let mut done = vec![self.b.jump(Instr::Jump { to: 0 }, span)];
        if let Some(solid) = solid {
            self.b.land(solid);
            let name = self.b.register();
            self.b.emit(
                Instr::Cell {
                    dst: name,
                    row: y,
                    col: x,
                },
                span,
            );
            self.b.emit(
                Instr::Field {
                    dst: name,
                    piece: name,
                    field: Field::Name,
                },
                span,
            );
            self.b.emit(
                Instr::SetGlobal {
                    global: WALL,
                    src: name,
                },
                span,
            );
            done.push(self.b.jump(Instr::Jump { to: 0 }, span));
        }
        self.b.land_all(edge);
        let src = self.constant(Value::text(Text::new("")), span);
        self.b.emit(Instr::SetGlobal { global: WALL, src }, span);
        self.b.land_all(done);
        self.b.release(mark);
    }

    fn arrive(&mut self, x: Reg, y: Reg) {
        let span = self.rule(2);
        for (global, src) in PLAYER.into_iter().zip([x, y]) {
            self.b.note_before(span, Seen::Write(src));
            self.b.emit(Instr::SetGlobal { global, src }, span);
        }
        let mark = self.b.mark();
        let moves = self.global(MOVES, span);
        self.b.emit(
            Instr::AddInt {
                dst: moves,
                a: moves,
                value: 1,
            },
            span,
        );
        self.b.emit(
            Instr::SetGlobal {
                global: MOVES,
                src: moves,
            },
            span,
        );
        self.b.release(mark);
        if self.scope.sprites.values().any(|s| s.actions.touches()) {
            self.touch(x, y);
        }
        if !self.scope.player_event.is_empty() {
            let span = self.rule(4);
            self.call(PLAYER_EVENT, span);
        }
    }

    /// Step 3: which sprite it is was settled before anything happens.
    fn touch(&mut self, x: Reg, y: Reg) {
        let span = self.rule(3);
        let mark = self.b.mark();
        let piece = self.b.register();
        self.b.emit(
            Instr::Cell {
                dst: piece,
                row: y,
                col: x,
            },
            span,
        );
        let mut done = Vec::new();
        let scope = self.scope;
        for (name, sprite) in scope.all_sprites().filter(|(_, s)| s.actions.touches()) {
            // Seen at the head of the line: `event lava`.
            let line = sprite.actions.span.unwrap_or(sprite.span);
            let head = Span {
                end: line
                    .end
                    .min(line.start + ("event ".len() + name.len()) as u32),
                ..line
            };
            self.b.note_before(head, Seen::Register(piece));
            let other = self.unless_is(piece, name, span);
            self.b.note_after(head, Seen::Test { if_taken: false });
            self.call_at(touch_of(sprite), x, y, span);
            done.push(self.b.jump(Instr::Jump { to: 0 }, span));
            self.b.land(other);
            self.b.release(piece + 1);
        }
        self.b.land_all(done);
        self.b.release(mark);
    }

    /// Step 5. Only the sprites that have something to do are visited, each when its cell comes.
    fn update(&mut self) {
        let span = self.rule(5);
        let mark = self.b.mark();
        let base = self.b.registers(2);
        self.b.emit(
            Instr::Int {
                dst: base,
                value: 0,
            },
            span,
        );
        let first = self.b.jump(Instr::Jump { to: 0 }, span);
        let top = self.b.here();
        self.b.emit(Instr::SendTurn { piece: base + 1 }, span);
        self.b.land(first);
        self.b.emit(
            Instr::AnsweringNext {
                base,
                event: Event::Turn,
                to: top,
            },
            span,
        );
        self.b.release(mark);
    }

    /// All of a key press is done: says whether another may follow.
    fn end(&mut self) {
        let span = rule(7);
        let mark = self.b.mark();
        let flag = self.b.register();
        let over = [WIN, LOSE].map(|global| {
            self.b.emit(Instr::Global { dst: flag, global }, span);
            self.b.jump(Instr::If { a: flag, to: 0 }, span)
        });
        self.give(true, span);
        self.b.land_all(over);
        self.give(false, span);
        self.b.release(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_line_in_the_rules() {
        for number in 0..=7 {
            let span = rule(number);
            let line = &RULES[span.start as usize..span.end as usize];
            assert!(
                line.starts_with(&format!("{number}. ")) && line.ends_with('.'),
                "{line}"
            );
        }
    }
}
