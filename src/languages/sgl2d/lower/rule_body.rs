//! Lowers sections of the rules of play. `key` is the same in every game, so it is lowered once. The
//! other sections are lowered for the lines of a game: a statement for one of its actions has the
//! span of that action, so that the debugger shows what causes an effect.

use super::rules::{Block, Expr, Statement, StatementKind, Test, Word, section};
use super::{
    COUNTERS, GOAL, LOSE, Lowerer, PLAYER_EVENT, SOLID, TOUCH, VARIABLES, WIN,
    sprite_counter_global,
};
use crate::check::hir::EffectKind;
use crate::code::{
    Axis, Builder, CompareOp, Function, FunctionId, FunctionKind, Instr, PendingJump, PieceEvent,
    PieceField, Reg, Status, StopKind, ValueLoc,
};
use crate::lower::scope::{Scope, Sprite};
use crate::source::{SourceId, Span};
use crate::token::Token;
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
    scope: &'s Scope,
    builder: Builder,
    /// Whether the function has a stop yet; the first one marks its entry.
    has_entry_stop: bool,
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
        let Lowerer { scope, builder } = body;
        RuleBody {
            scope,
            builder,
            has_entry_stop: false,
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
        self.builder.finish()
    }

    /// The span of a statement: for a game, that of its own line or action.
    fn span(&self, statement: &Statement) -> Span {
        let line = self.builder.full_span();
        match self.action {
            Some(action) => action.span,
            None if line.source == SourceId::RULES => statement.span,
            None => line,
        }
    }

    fn block(&mut self, block: &'static Block) {
        let (in_use, names) = (self.builder.registers_in_use(), self.locals.len());
        let locals = self.builder.local_count();
        for statement in block {
            if self.lacks_replacement(statement) {
                break;
            }
            self.statement(statement);
        }
        self.builder.end_locals(locals);
        self.locals.truncate(names);
        self.builder.release_registers(in_use);
    }

    /// Lowers `require other`: if that sprite is not defined, warns and returns true, because the
    /// rest of the block cannot run.
    fn lacks_replacement(&mut self, statement: &Statement) -> bool {
        let is_require =
            matches!(&statement.kind, StatementKind::Call(words) if words[0] == "require");
        let name = self.sprite.and_then(|s| s.actions.replacement.as_deref());
        let undefined = name.filter(|&name| is_require && !self.scope.sprites.contains_key(name));
        if let Some(name) = undefined {
            let message = format!("unknown sprite `{name}`; the cell is not changed");
            self.builder.emit_warning(&message, self.span(statement));
        }
        undefined.is_some()
    }

    fn statement(&mut self, statement: &'static Statement) {
        let span = self.span(statement);
        if span == statement.span {
            self.builder.stop_point(StopKind::Rule, span);
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
                    return self.builder.patch_all_here(unless);
                }
                let done = self.builder.emit_skip(span);
                self.builder.patch_all_here(unless);
                self.block(otherwise);
                self.builder.patch_here(done);
            }
            StatementKind::Repeat(count, block) => {
                let base = self.builder.new_int(0, span);
                self.builder.new_int(*count, span);
                let to = self.builder.next_pc();
                self.block(block);
                self.builder.emit(Instr::RangeNext { base, to }, span);
                let breaks = std::mem::take(&mut self.breaks);
                self.builder.patch_all_here(breaks);
            }
            // Only at the top of a section: see `finish`.
            StatementKind::On(..) => {}
            StatementKind::Set(name, value) => self.set(name, value, span),
            StatementKind::Call(words) => {
                let in_use = self.builder.registers_in_use();
                self.call(words, span);
                self.builder.release_registers(in_use);
            }
            StatementKind::Warn(message) => self.builder.emit_warning(message, span),
            StatementKind::Return(value) => {
                let src = self.operand(value, span);
                self.builder.emit(Instr::Return { src }, span);
            }
            StatementKind::Break => {
                let jump = self.builder.emit_skip(span);
                self.breaks.push(jump);
            }
        }
    }

    /// Lowers the statements for an action: one stop, which is a condition if all of them are in an
    /// `if`.
    fn action(&mut self, action: Action<'s>, block: &'static Block) {
        self.records_test =
            matches!(&block[..], [only] if matches!(only.kind, StatementKind::If { .. }));
        let stop = match self.records_test {
            true => StopKind::Condition,
            false if self.has_entry_stop => StopKind::Statement,
            false => StopKind::Handler,
        };
        self.builder.stop_point(stop, action.span);
        self.has_entry_stop = true;
        self.action = Some(action);
        if let Some(&EffectKind::MovePlayerTo { x, y }) = action.effect {
            let inside = self.scope.env.nearest_cell(x, y);
            if inside != (x, y) {
                let message = format!(
                    "x={x} y={y} is outside the environment; the player moves to x={} y={} instead",
                    inside.0, inside.1
                );
                self.builder.emit_warning(&message, action.span);
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
            let in_use = self.builder.registers_in_use();
            let jump = self.jump_unless_part(part, span);
            if is_recorded {
                let loc = ValueLoc::JumpTest { if_taken: false };
                self.builder.record_value_after(span, loc);
            }
            self.builder.release_registers(in_use);
            if test.needs_all || n + 1 == test.parts.len() {
                no.push(jump);
            } else {
                yes.push(self.builder.emit_skip(span));
                self.builder.patch_here(jump);
            }
        }
        self.builder.patch_all_here(yes);
        no
    }

    fn jump_unless_part(&mut self, part: &Expr, span: Span) -> PendingJump {
        let instr = match part {
            Expr::Call(words) if words[0] == "holds" => {
                let (col, row) = (self.operand(words[2], span), self.operand(words[3], span));
                let (_, name) = self.sprite_called(words[1]).unwrap_or_default();
                Instr::JumpUnlessCellNameIs {
                    row,
                    col,
                    k: self.builder.string_constant(name),
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
        self.builder.emit_jump(instr, span)
    }

    fn set(&mut self, name: Word, value: &Expr, span: Span) {
        if let Some(global) = self.global(name) {
            let in_use = self.builder.registers_in_use();
            let src = self.value(value, span);
            self.builder.record_value_before(span, ValueLoc::Write(src));
            self.builder.emit_set_global(global, src, span);
            return self.builder.release_registers(in_use);
        }
        let src = self.value(value, span);
        self.builder.begin_local(InternedStr::new(name), src);
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
                Some(self.scope.env.nearest_cell(*x, *y).0)
            }
            ("to.y", Some(EffectKind::MovePlayerTo { x, y })) => {
                Some(self.scope.env.nearest_cell(*x, *y).1)
            }
            ("start", _) => self.sprite.map(|sprite| sprite.actions.initial_counter()),
            _ => word.parse().ok(),
        }
    }

    /// The id and name of a sprite.
    fn sprite_called(&self, word: &str) -> Option<(u16, &'s str)> {
        let (scope, sprite) = (self.scope, self.sprite?);
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
            return self.builder.new_int(value, span);
        }
        if let Some(global) = self.global(word) {
            return self.builder.new_global(global, span);
        }
        let builder = &mut self.builder;
        let value = match word {
            "columns" => return builder.emit_new(|dst| board_size(dst, Axis::Column), span),
            "rows" => return builder.emit_new(|dst| board_size(dst, Axis::Row), span),
            "own.x" => return builder.emit_new(|dst| own_position(dst, Axis::Column), span),
            "own.y" => return builder.emit_new(|dst| own_position(dst, Axis::Row), span),
            "true" => Value::TRUE,
            "false" => Value::FALSE,
            "nothing" => Value::NOTHING,
            "\"\"" => Value::interned(InternedStr::new("")),
            _ => {
                builder.emit_fail(&format!("unknown name `{word}`"), None, span);
                Value::NOTHING
            }
        };
        builder.new_constant(value, span)
    }

    /// Puts the value of an expression into a register.
    fn value(&mut self, value: &Expr, span: Span) -> Reg {
        let (dst, instr) = match value {
            Expr::Operand(word) => return self.operand(word, span),
            Expr::Call(words) => return self.call(words, span),
            Expr::Arithmetic(op, a, b) => {
                let dst = self.builder.alloc_register();
                let a = self.operand(a, span);
                let number = self.number(b);
                let fused = number.and_then(|n| op.int_instr(&mut self.builder, dst, a, n));
                let instr = fused.unwrap_or_else(|| op.instr(dst, a, self.operand(b, span)));
                (dst, instr)
            }
            Expr::Compare(op, a, b) => {
                let dst = self.builder.alloc_register();
                let (a, b) = (self.operand(a, span), self.operand(b, span));
                let expected = *op == CompareOp::Equal;
                let instr = Instr::EqualAnyType {
                    dst,
                    a,
                    b,
                    expected,
                };
                (dst, instr)
            }
        };
        self.builder.emit(instr, span);
        dst
    }

    /// Lowers a call; returns the register of its result, if it has one.
    fn call(&mut self, words: &[Word], span: Span) -> Reg {
        let [name, arguments @ ..] = words else {
            return 0;
        };
        if let Some(function) = generated_function(name) {
            return self.call_function(function, arguments, span);
        }
        let dst = self.builder.alloc_register();
        let instr = match (*name, arguments) {
            ("beginaction", []) => Instr::BeginAction,
            ("place", [sprite, x, y]) => {
                let (col, row) = (self.operand(x, span), self.operand(y, span));
                let (kind, _) = self.sprite_called(sprite).unwrap_or_default();
                Instr::PlaceKind {
                    kind,
                    row,
                    col,
                    owner: col,
                }
            }
            ("random", [end]) => Instr::Random {
                dst,
                low: self.builder.new_int(0, span),
                high: self.operand(end, span),
                is_float: false,
            },
            ("spritename", [x, y]) => {
                let (col, row) = (self.operand(x, span), self.operand(y, span));
                self.builder.emit(Instr::Cell { dst, row, col }, span);
                let (piece, field) = (dst, PieceField::Name);
                Instr::PieceField { dst, piece, field }
            }
            _ => {
                self.call_rule(name, arguments, span);
                return dst;
            }
        };
        self.builder.emit(instr, span);
        dst
    }

    /// Lowers a call without a result that takes several instructions.
    fn call_rule(&mut self, name: Word, arguments: &[Word], span: Span) {
        match (name, arguments) {
            // Handled by `lacks_replacement`.
            ("require", [_]) => {}
            ("victory", []) => self.set_outcome(WIN, Status::Won, span),
            ("gameover", []) => self.set_outcome(LOSE, Status::Lost, span),
            ("updateall", []) => self.update_all(span),
            _ => match section(name) {
                Some(section) => self.block(&section.body),
                None => {
                    let message = format!("unknown rule `{name}`");
                    self.builder.emit_fail(&message, None, span);
                }
            },
        }
    }

    fn call_function(&mut self, function: FunctionId, arguments: &[Word], span: Span) -> Reg {
        let base = self.builder.alloc_block(arguments.len().max(1));
        for (dst, argument) in (base..).zip(arguments) {
            let src = self.operand(argument, span);
            self.builder.emit(Instr::Move { dst, src }, span);
        }
        self.builder.emit(Instr::Call { function, base }, span);
        base
    }

    /// Updates every sprite that has actions for it, in the order of their cells.
    fn update_all(&mut self, span: Span) {
        let base = self.builder.new_int(0, span);
        let builder = &mut self.builder;
        let piece = builder.alloc_register();
        let first = builder.emit_skip(span);
        let (event, to) = (PieceEvent::Turn, builder.next_pc());
        builder.emit(Instr::SendTurn { piece }, span);
        builder.patch_here(first);
        builder.emit(Instr::HandlingPiecesNext { base, event, to }, span);
    }

    /// Sets the win or lose flag and reports it the first time. The rest of the move still runs.
    fn set_outcome(&mut self, global: u32, status: Status, span: Span) {
        let builder = &mut self.builder;
        // `GetDefinedGlobal` is not recorded as a value of this line, unlike `GetGlobal`.
        let flag = builder.emit_new(|dst| Instr::GetDefinedGlobal { dst, global }, span);
        let is_already_set = builder.emit_jump(Instr::JumpIf { a: flag, to: 0 }, span);
        let how = builder.new_constant(Value::int(status as i32), span);
        let winner = builder.new_string("", span);
        builder.emit(Instr::EndGame { how, winner }, span);
        builder.patch_here(is_already_set);
        builder.emit_constant(flag, Value::TRUE, span);
        builder.record_value_before(span, ValueLoc::Write(flag));
        builder.emit_set_global(global, flag, span);
    }
}

fn board_size(dst: Reg, axis: Axis) -> Instr {
    Instr::BoardSize { dst, axis }
}

fn own_position(dst: Reg, axis: Axis) -> Instr {
    Instr::SelfPosition { dst, axis }
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
