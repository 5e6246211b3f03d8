//! Lowers sections of the rules of play. `key` is the same in every game, so it is lowered once. The
//! other sections are lowered for the lines of a game: a statement for one of its actions has the
//! span of that action, so that the debugger shows what causes an effect.

use super::rules::{Block, Expr, Statement, StatementKind, Test, Word, section};
use super::{
    COUNTERS, GOAL, LOSE, Lowerer, PLAYER_EVENT, SOLID, TOUCH, VARIABLES, WIN,
    sprite_counter_global,
};
use crate::code::{
    Axis, CompareOp, Function, FunctionId, FunctionKind, Instr, PendingJump, PieceEvent,
    PieceField, Reg, Status, StopKind, ValueLoc,
};
use crate::languages::sgl2d::check::hir::EffectKind;
use crate::languages::sgl2d::lower::scope::{Scope, Sprite};
use crate::languages::sgl2d::token::Token;
use crate::source::{SourceId, Span};
use crate::value::{InternedStr, Value};
use std::rc::Rc;

thread_local! {
    /// The function `key`. That it fits and uses only known names is tested below.
    static KEY_FUNCTION: Rc<Function> = Rc::new(lower_key());
}

/// The function `key`, which runs a move.
pub(super) fn key() -> Rc<Function> {
    KEY_FUNCTION.with(Rc::clone)
}

fn lower_key() -> Function {
    let (parameters, span) = section("key").map_or((&[][..], Span::default()), |key| {
        (&key.parameters[..], key.span)
    });
    let scope = Scope::default();
    let body = Lowerer::new(&scope, "key", FunctionKind::Rules, parameters, span);
    RuleBody::new(body, None).finish("key", &|_| None)
}

/// An action of the game, for which statements of the rules are lowered.
#[derive(Clone, Copy)]
pub(super) struct Action<'s> {
    /// Its number or position; `None` for a flag of a counter and for the goal.
    pub effect: Option<&'s EffectKind>,
    pub span: Span,
}

/// Looks up the action after an `on` in the lines of the game.
pub(super) type FindAction<'f, 's> = &'f dyn Fn(&[Token]) -> Option<Action<'s>>;

/// Whether the game has any of the actions in a section.
pub(super) fn has_actions(name: &str, find_action: FindAction) -> bool {
    let is_found = |statement: &Statement| match &statement.kind {
        StatementKind::On(head, _) => find_action(head).is_some(),
        _ => false,
    };
    section(name).is_some_and(|section| section.body.iter().any(is_found))
}

/// Lowers a section of the rules to the body of a function.
pub(super) struct RuleBody<'s> {
    body: Lowerer<'s>,
    /// The sprite whose event is lowered.
    sprite: Option<&'s Sprite>,
    action: Option<Action<'s>>,
    /// Whether the next test is the value of the action.
    records_test: bool,
    /// Local variables in scope, innermost last.
    locals: Vec<(Word, Reg)>,
    /// The jumps of `break` in the current loop.
    breaks: Vec<PendingJump>,
}

impl<'s> RuleBody<'s> {
    pub fn new(body: Lowerer<'s>, sprite: Option<&'s Sprite>) -> RuleBody<'s> {
        RuleBody {
            body,
            sprite,
            action: None,
            records_test: false,
            locals: Vec::new(),
            breaks: Vec::new(),
        }
    }

    /// Lowers a section whose parameters are those of the function.
    pub fn finish(mut self, name: &str, find_action: FindAction<'_, 's>) -> Function {
        if let Some(section) = section(name) {
            self.locals
                .extend(section.parameters.iter().copied().zip(0..));
            for statement in &section.body {
                match &statement.kind {
                    StatementKind::On(head, block) => {
                        if let Some(action) = find_action(head) {
                            self.action(action, block);
                        }
                    }
                    _ => self.statement(statement),
                }
            }
        }
        self.body.builder.finish()
    }

    /// The span of a statement: for a game, that of its own line or action.
    fn span(&self, statement: &Statement) -> Span {
        let line = self.body.builder.full_span();
        match self.action {
            Some(action) => action.span,
            None if line.source == SourceId::RULES => statement.span,
            None => line,
        }
    }

    fn block(&mut self, block: &'static Block) {
        let (in_use, names, locals) = (
            self.body.builder.registers_in_use(),
            self.locals.len(),
            self.body.builder.local_count(),
        );
        for statement in block {
            if self.lacks_replacement(statement) {
                break;
            }
            self.statement(statement);
        }
        self.body.builder.end_locals(locals);
        self.locals.truncate(names);
        self.body.builder.release_registers(in_use);
    }

    /// Lowers `require other`: if that sprite is not defined, warns and returns true, because the
    /// rest of the block cannot run.
    fn lacks_replacement(&mut self, statement: &Statement) -> bool {
        let is_require =
            matches!(&statement.kind, StatementKind::Call(words) if words[0] == "require");
        let name = self.sprite.and_then(|s| s.actions.replacement.as_deref());
        let undefined =
            name.filter(|&name| is_require && !self.body.scope.sprites.contains_key(name));
        if let Some(name) = undefined {
            let message = format!("unknown sprite `{name}`; the cell is not changed");
            self.body.warn(&message, self.span(statement));
        }
        undefined.is_some()
    }

    fn statement(&mut self, statement: &'static Statement) {
        let span = self.span(statement);
        if span == statement.span {
            self.body.builder.stop_point(StopKind::Rule, span);
        }
        match &statement.kind {
            StatementKind::If {
                test,
                then,
                otherwise,
            } => {
                let unless = self.jump_unless(test, span);
                self.block(then);
                if otherwise.is_empty() {
                    return self.body.builder.patch_all_here(unless);
                }
                let done = self.body.builder.emit_jump(Instr::Jump { to: 0 }, span);
                self.body.builder.patch_all_here(unless);
                self.block(otherwise);
                self.body.builder.patch_here(done);
            }
            StatementKind::Repeat(count, block) => {
                let base = self.body.int(0, span);
                self.body.int(*count, span);
                let top = self.body.builder.next_pc();
                self.block(block);
                let next = Instr::RangeNext { base, to: top };
                self.body.builder.emit(next, span);
                let breaks = std::mem::take(&mut self.breaks);
                self.body.builder.patch_all_here(breaks);
            }
            // Only at the top of a section: see `finish`.
            StatementKind::On(..) => {}
            StatementKind::Set(name, value) => self.set(name, value, span),
            StatementKind::Call(words) => {
                let in_use = self.body.builder.registers_in_use();
                self.call(words, span);
                self.body.builder.release_registers(in_use);
            }
            StatementKind::Warn(message) => self.body.warn(message, span),
            StatementKind::Return(value) => {
                let src = self.operand(value, span);
                self.body.builder.emit(Instr::Return { src }, span);
            }
            StatementKind::Break => {
                let jump = self.body.builder.emit_jump(Instr::Jump { to: 0 }, span);
                self.breaks.push(jump);
            }
        }
    }

    /// Lowers the statements for an action: one stop, which is a condition if all of them are in an
    /// `if`.
    fn action(&mut self, action: Action<'s>, block: &'static Block) {
        self.records_test =
            matches!(&block[..], [only] if matches!(only.kind, StatementKind::If { .. }));
        if self.records_test {
            self.body
                .builder
                .stop_point(StopKind::Condition, action.span);
            self.body.has_entry_stop = true;
        } else {
            self.body.action_stop(action.span);
        }
        self.action = Some(action);
        if let Some(&EffectKind::MovePlayerTo { x, y }) = action.effect {
            let inside = self.body.scope.env.nearest_cell(x, y);
            if inside != (x, y) {
                let message = format!(
                    "x={x} y={y} is outside the environment; the player moves to x={} y={} instead",
                    inside.0, inside.1
                );
                self.body.warn(&message, action.span);
            }
        }
        self.block(block);
        self.action = None;
    }

    /// Jumps that are taken if the test is false.
    fn jump_unless(&mut self, test: &Test, span: Span) -> Vec<PendingJump> {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let is_recorded = std::mem::take(&mut self.records_test);
        for (n, part) in test.parts.iter().enumerate() {
            let in_use = self.body.builder.registers_in_use();
            let jump = self.jump_unless_part(part, span);
            if is_recorded {
                let loc = ValueLoc::JumpTest { if_taken: false };
                self.body.builder.record_value_after(span, loc);
            }
            self.body.builder.release_registers(in_use);
            if test.needs_all || n + 1 == test.parts.len() {
                no.push(jump);
            } else {
                yes.push(self.body.builder.emit_jump(Instr::Jump { to: 0 }, span));
                self.body.builder.patch_here(jump);
            }
        }
        self.body.builder.patch_all_here(yes);
        no
    }

    fn jump_unless_part(&mut self, part: &Expr, span: Span) -> PendingJump {
        let instr = match part {
            Expr::Call(words) if words[0] == "holds" => {
                let (col, row) = (self.operand(words[2], span), self.operand(words[3], span));
                let (_, name) = self.sprite_called(words[1]).unwrap_or_default();
                let k = self.body.builder.string_constant(name);
                Instr::JumpUnlessCellNameIs {
                    row,
                    col,
                    k,
                    expected: true,
                    to: 0,
                }
            }
            Expr::Compare(op, a, b) if *b != "nothing" => {
                let a = self.operand(a, span);
                let fused = self.number(b).and_then(|n| op.jump_unless_int(a, n));
                fused.unwrap_or_else(|| op.jump_unless(a, self.operand(b, span)))
            }
            _ => Instr::JumpUnless {
                a: self.value(part, span),
                to: 0,
            },
        };
        self.body.builder.emit_jump(instr, span)
    }

    fn set(&mut self, name: Word, value: &Expr, span: Span) {
        if let Some(global) = self.global(name) {
            let in_use = self.body.builder.registers_in_use();
            let src = self.value(value, span);
            self.body
                .builder
                .record_value_before(span, ValueLoc::Write(src));
            self.body.builder.emit_set_global(global, src, span);
            return self.body.builder.release_registers(in_use);
        }
        let src = self.value(value, span);
        self.body.builder.begin_local(InternedStr::new(name), src);
        self.locals.push((name, src));
    }

    /// The global of a variable.
    fn global(&self, name: &str) -> Option<u32> {
        let own_counter = self.sprite.filter(|_| name == "counter");
        let variable = || VARIABLES.iter().position(|variable| *variable == name);
        own_counter
            .map(sprite_counter_global)
            .or_else(|| variable().map(|slot| slot as u32))
    }

    /// A number that is known here.
    fn number(&self, word: &str) -> Option<i32> {
        let effect = self.action.and_then(|action| action.effect);
        match (word, effect) {
            ("n", Some(EffectKind::Counter(_, value))) => Some(*value),
            ("to.x", Some(EffectKind::MovePlayerTo { x, y })) => {
                Some(self.body.scope.env.nearest_cell(*x, *y).0)
            }
            ("to.y", Some(EffectKind::MovePlayerTo { x, y })) => {
                Some(self.body.scope.env.nearest_cell(*x, *y).1)
            }
            ("start", _) => self.sprite.map(|sprite| sprite.actions.initial_counter()),
            _ => word.parse().ok(),
        }
    }

    /// The id and name of a sprite.
    fn sprite_called(&self, word: &str) -> Option<(u16, &'s str)> {
        let (scope, sprite) = (self.body.scope, self.sprite?);
        let id = match word {
            "sprite" => sprite.id,
            _ => scope.sprites.get(sprite.actions.replacement.as_ref()?)?.id,
        };
        Some((id, scope.sprite_names.get(usize::from(id))?))
    }

    /// Puts an operand into a register; a local already is in one.
    fn operand(&mut self, word: Word, span: Span) -> Reg {
        if let Some(&(_, register)) = self.locals.iter().rev().find(|(name, _)| *name == word) {
            return register;
        }
        if let Some(value) = self.number(word) {
            return self.body.int(value, span);
        }
        if let Some(global) = self.global(word) {
            return self.body.global(global, span);
        }
        let dst = self.body.builder.alloc_register();
        let instr = match word {
            "columns" => Instr::BoardSize {
                dst,
                axis: Axis::Column,
            },
            "rows" => Instr::BoardSize {
                dst,
                axis: Axis::Row,
            },
            "own.x" => Instr::SelfPosition {
                dst,
                axis: Axis::Column,
            },
            "own.y" => Instr::SelfPosition {
                dst,
                axis: Axis::Row,
            },
            _ => {
                let value = match word {
                    "true" => Value::TRUE,
                    "false" => Value::FALSE,
                    "nothing" => Value::NOTHING,
                    "\"\"" => Value::interned(InternedStr::new("")),
                    _ => {
                        let message = format!("unknown name `{word}`");
                        self.body.builder.emit_fail(&message, None, span);
                        return dst;
                    }
                };
                self.body.builder.emit_constant(dst, value, span);
                return dst;
            }
        };
        self.body.builder.emit(instr, span);
        dst
    }

    /// Puts the value of an expression into a register.
    fn value(&mut self, value: &Expr, span: Span) -> Reg {
        match value {
            Expr::Operand(word) => self.operand(word, span),
            Expr::Call(words) => self.call(words, span),
            Expr::Arithmetic(op, a, b) => {
                let dst = self.body.builder.alloc_register();
                let a = self.operand(a, span);
                let constant = self.number(b);
                let short = constant.and_then(|n| op.int_instr(&mut self.body.builder, dst, a, n));
                let instr = short.unwrap_or_else(|| op.instr(dst, a, self.operand(b, span)));
                self.body.builder.emit(instr, span);
                dst
            }
            Expr::Compare(op, a, b) => {
                let dst = self.body.builder.alloc_register();
                let (a, b) = (self.operand(a, span), self.operand(b, span));
                let expected = *op == CompareOp::Equal;
                let instr = Instr::EqualAnyType {
                    dst,
                    a,
                    b,
                    expected,
                };
                self.body.builder.emit(instr, span);
                dst
            }
        }
    }

    /// Lowers a call; returns the register of its result, if it has one.
    fn call(&mut self, words: &[Word], span: Span) -> Reg {
        let [name, arguments @ ..] = words else {
            return 0;
        };
        if let Some(function) = generated_function(name) {
            return self.call_function(function, arguments, span);
        }
        let dst = self.body.builder.alloc_register();
        match (*name, arguments) {
            ("beginaction", []) => {
                self.body.builder.emit(Instr::BeginAction, span);
            }
            // Handled by `lacks_replacement`.
            ("require", [_]) => {}
            ("place", [sprite, x, y]) => {
                let (col, row) = (self.operand(x, span), self.operand(y, span));
                let (kind, _) = self.sprite_called(sprite).unwrap_or_default();
                let instr = Instr::PlaceKind {
                    kind,
                    row,
                    col,
                    owner: col,
                };
                self.body.builder.emit(instr, span);
            }
            ("random", [end]) => {
                let (low, high) = (self.body.int(0, span), self.operand(end, span));
                self.body.builder.emit(
                    Instr::Random {
                        dst,
                        low,
                        high,
                        is_float: false,
                    },
                    span,
                );
            }
            ("spritename", [x, y]) => {
                let (col, row) = (self.operand(x, span), self.operand(y, span));
                self.body.builder.emit(Instr::Cell { dst, row, col }, span);
                let field = PieceField::Name;
                let instr = Instr::PieceField {
                    dst,
                    piece: dst,
                    field,
                };
                self.body.builder.emit(instr, span);
            }
            ("victory", []) => self.set_outcome(WIN, Status::Won, span),
            ("gameover", []) => self.set_outcome(LOSE, Status::Lost, span),
            ("updateall", []) => self.update_all(span),
            _ => match section(name) {
                Some(section) => self.block(&section.body),
                None => {
                    let message = format!("unknown rule `{name}`");
                    self.body.builder.emit_fail(&message, None, span);
                }
            },
        }
        dst
    }

    fn call_function(&mut self, function: FunctionId, arguments: &[Word], span: Span) -> Reg {
        let base = self.body.builder.alloc_block(arguments.len().max(1));
        for (dst, argument) in (base..).zip(arguments) {
            let src = self.operand(argument, span);
            self.body.builder.emit(Instr::Move { dst, src }, span);
        }
        self.body.builder.emit(Instr::Call { function, base }, span);
        base
    }

    /// Updates every sprite that has actions for it, in the order of their cells.
    fn update_all(&mut self, span: Span) {
        let base = self.body.int(0, span);
        let piece = self.body.builder.alloc_register();
        let first = self.body.builder.emit_jump(Instr::Jump { to: 0 }, span);
        let top = self.body.builder.next_pc();
        self.body.builder.emit(Instr::SendTurn { piece }, span);
        self.body.builder.patch_here(first);
        let next = Instr::HandlingPiecesNext {
            base,
            event: PieceEvent::Turn,
            to: top,
        };
        self.body.builder.emit(next, span);
    }

    /// Sets the win or lose flag and reports it the first time. The rest of the move still runs.
    fn set_outcome(&mut self, global: u32, status: Status, span: Span) {
        let builder = &mut self.body.builder;
        // `GetDefinedGlobal` is not recorded as a value of this line, unlike `GetGlobal`.
        let flag = builder.alloc_register();
        builder.emit(Instr::GetDefinedGlobal { dst: flag, global }, span);
        let is_already_set = builder.emit_jump(Instr::JumpIf { a: flag, to: 0 }, span);
        let (how, winner) = (builder.alloc_register(), builder.alloc_register());
        builder.emit_constant(how, Value::int(status as i32), span);
        builder.emit_string(winner, "", span);
        builder.emit(Instr::EndGame { how, winner }, span);
        builder.patch_here(is_already_set);
        builder.emit_constant(flag, Value::TRUE, span);
        builder.record_value_before(span, ValueLoc::Write(flag));
        builder.emit_set_global(global, flag, span);
    }
}

/// The function that a game has for its own lines.
fn generated_function(name: &str) -> Option<FunctionId> {
    Some(match name {
        "solid" => SOLID,
        "touch" => TOUCH,
        "playerevent" => PLAYER_EVENT,
        "counters" => COUNTERS,
        "goal" => GOAL,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_fits_and_uses_only_known_names() {
        let key = lower_key();
        assert_eq!(key.parameter_count, 2);
        assert!(key.code.len() > 40, "{:?}", key.code);
        let fails = |instr: &&Instr| matches!(instr, Instr::Fail { .. });
        assert_eq!(key.code.iter().find(fails), None);
    }
}
