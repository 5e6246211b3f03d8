//! Lowers calls of built-in functions, among them the dispatch to the handlers of a game.

use super::Lowerer;
use crate::ast::Lifecycle;
use crate::check::builtin::Builtin;
use crate::check::hir::{Expr, ExprKind, Selector, SpannedSelector, Type};
use crate::code::{Channel, CompareOp, Instr, PendingJump, Reg, ValueLoc};
use crate::lower::scope::{RuleVariable, field};
use crate::parse::prompt_input;
use crate::source::Span;
use crate::value::{InternedStr, Value};
use crate::view::GRID_SYMBOL;

impl Lowerer<'_, '_> {
    /// Lowers the call `e`, whose result, if there is one, goes into `dst`.
    pub(super) fn builtin_call(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        e: &Expr,
        dst: Reg,
    ) {
        let span = e.span;
        let game = self.context.scope.game.clone();
        let has = |block| game.blocks.contains_key(&block);
        let text = |n: usize| match arguments.get(n).map(|e| &e.kind) {
            Some(ExprKind::Text(text)) => &**text,
            _ => "",
        };
        let item = || field::named(text(1)).map_or(0, |(item, _)| item);
        let mut value = |n: usize| self.lower_expr(&arguments[n]);
        let instr = match builtin {
            Builtin::Print => Channel::Print.output(value(0)),
            Builtin::Prompt => Instr::Ask {
                dst,
                question: value(0),
                input_kind: prompt_input::type_tag(&e.ty),
            },
            Builtin::DrawGrid => return self.draw_grid(span),
            Builtin::CreateGrid => return self.call_rule("@createGrid", arguments, span),
            Builtin::GameOver => return self.call_rule("@gameOver", arguments, span),
            Builtin::Traverse => {
                let line = value(0);
                let players = self.list_kind(&arguments[1], span);
                let src = self.call_at("@traverse", &[line, players], span);
                Instr::Move { dst, src }
            }
            Builtin::AnyBetween => {
                let parts: Vec<Reg> = (0..arguments.len()).map(value).collect();
                let src = self.call_at("@anyBetween", &parts, span);
                Instr::Move { dst, src }
            }
            Builtin::Random => Instr::Random {
                is_float: true,
                dst,
                low: value(0),
                high: value(1),
            },
            Builtin::DiceThrow => Instr::Random {
                is_float: false,
                dst,
                low: self.builder.new_int(1, span),
                high: self.builder.new_int(7, span),
            },
            Builtin::Len => Instr::Length {
                dst,
                list: value(0),
            },
            Builtin::Append => Instr::Append {
                list: value(0),
                value: value(1),
            },
            Builtin::RemoveAt => Instr::RemoveIndex {
                list: value(0),
                index: value(1),
            },
            Builtin::TakeFirst => {
                let list = value(0);
                let index = self.builder.new_int(0, span);
                self.builder.emit(Instr::Index { dst, list, index }, span);
                Instr::RemoveIndex { list, index }
            }
            Builtin::Where => Instr::FilterRecords {
                dst,
                list: value(0),
                item: item(),
                value: value(2),
            },
            Builtin::Sort => Instr::SortRecords {
                list: value(0),
                item: item(),
            },
            Builtin::Copy => Instr::Copy { dst, src: value(0) },
            Builtin::Filled => Instr::FilledList {
                dst,
                value: value(0),
                count: value(1),
            },
            Builtin::Text => Instr::ToString { dst, a: value(0) },
            Builtin::Fail => {
                let with = (arguments.len() > 1).then(|| value(1));
                return self.builder.emit_fail(text(0), with, span);
            }
            Builtin::Warn => return self.builder.emit_warning(text(0), span),
            Builtin::Info => Channel::Info.output(value(0)),
            Builtin::Resize => Instr::Resize {
                rows: value(0),
                cols: value(1),
            },
            Builtin::BeginAction => Instr::BeginAction,
            Builtin::EndGame => Instr::EndGame {
                how: value(0),
                winner: value(1),
            },
            Builtin::Here => Instr::Catch {
                dst,
                to: self.builder.next_pc(),
            },
            Builtin::Throw => Instr::Throw { escape: value(0) },
            Builtin::HasGameLoop => return self.game_test(has(Lifecycle::GameLoop), dst, span),
            Builtin::HasGameOver => return self.game_test(has(Lifecycle::GameOver), dst, span),
            Builtin::GameLoop => {
                self.depends_on_game = true;
                if has(Lifecycle::GameLoop) {
                    self.call_at("gameLoop", &[], span);
                }
                return;
            }
            Builtin::GameOverBlock => return self.call_rule("gameOver", arguments, span),
            Builtin::CheckGameEnd if has(Lifecycle::CheckGameEnd) => {
                let src = self.call_at("checkGameEnd", &[], span);
                Instr::Move { dst, src }
            }
            Builtin::CheckGameEnd => return self.game_test(false, dst, span),
            Builtin::CheckMoveHandler => {
                let piece = value(0);
                return self.call_move_handler(piece, dst, span);
            }
            Builtin::ColocationHandler => {
                let (mover, other) = (value(0), value(1));
                return self.call_colocation_handler(mover, other, span);
            }
            Builtin::Make => {
                let arguments = [value(0), value(1)];
                let kind = self.piece_kind.clone().unwrap_or_default();
                let src = self.call_at(&format!("@make {kind}"), &arguments, span);
                Instr::Move { dst, src }
            }
            Builtin::InitTypeAttributes => {
                return self.call_rule("@initTypeAttributes", arguments, span);
            }
        };
        self.builder.emit(instr, span);
        if e.ty != Type::Void {
            self.builder
                .record_value_after(span, ValueLoc::Register(dst));
        }
    }

    /// Calls a function without a result.
    fn call_rule(&mut self, name: &str, arguments: &[Expr], span: Span) {
        let arguments: Vec<Reg> = arguments.iter().map(|e| self.lower_expr(e)).collect();
        self.call_at(name, &arguments, span);
    }

    fn draw_grid(&mut self, span: Span) {
        let value = self.load_rule_var(RuleVariable::Rows, span);
        let has_grid = CompareOp::Equal.jump_unless_small(value, 0);
        let message = "there is no grid yet | create one with `createGrid(rows, columns)`";
        self.builder.emit_check(has_grid, message, None, span);
        let grid = Value::symbol(InternedStr::new(GRID_SYMBOL));
        self.builder.emit_constant(value, grid, span);
        self.builder.emit(Channel::Print.output(value), span);
    }

    /// A boolean: true for `playerList`, false for `itemList`.
    fn list_kind(&mut self, list: &Expr, span: Span) -> Reg {
        let builder = &mut self.builder;
        if let ExprKind::Text(name) = &list.kind {
            return builder.new_constant(Value::bool(&**name == "playerList"), span);
        }
        let dst = builder.alloc_register();
        let name = self.lower_expr(list);
        let builder = &mut self.builder;
        let known = builder.new_string("playerList", span);
        builder.emit(CompareOp::Equal.instr(dst, name, known), list.span);
        let is_players = builder.emit_jump(Instr::JumpIf { a: dst, to: 0 }, list.span);
        builder.emit_string(known, "itemList", span);
        let is_items = CompareOp::NotEqual.jump_unless(name, known);
        let message = "unknown list {} | the lists are \"playerList\" and \"itemList\"";
        builder.emit_check(is_items, message, Some(name), list.span);
        builder.patch_here(is_players);
        dst
    }

    /// A boolean that is known when the game is lowered.
    fn game_test(&mut self, value: bool, dst: Reg, span: Span) {
        self.depends_on_game = true;
        self.builder.emit_constant(dst, Value::bool(value), span);
    }

    fn call_move_handler(&mut self, piece: Reg, allowed: Reg, span: Span) {
        self.game_test(true, allowed, span);
        let game = self.context.scope.game.clone();
        let mut done = Vec::new();
        for handler in &game.move_handlers {
            let in_use = self.builder.registers_in_use();
            let no_match = self.jump_unless_match(piece, &handler.receiver, span);
            let mut arguments = vec![piece];
            if handler.has_coordinates {
                arguments.push(self.field(piece, field::VALID_POSITION, span));
                arguments.push(self.field(piece, field::POSITION, span));
            }
            let src = self.call_at(&handler.routine.name, &arguments, span);
            let instr = Instr::Move { dst: allowed, src };
            self.builder.emit_value(instr, allowed, span, span);
            done.push(self.builder.emit_skip(span));
            self.builder.patch_all_here(no_match);
            self.builder.release_registers(in_use);
        }
        self.builder.patch_all_here(done);
    }

    fn call_colocation_handler(&mut self, mover: Reg, other: Reg, span: Span) {
        self.depends_on_game = true;
        let scope = self.context.scope;
        let mut done = Vec::new();
        for handler in &scope.game.colocation_handlers {
            let in_use = self.builder.registers_in_use();
            let mut no_match = self.jump_unless_match(other, &handler.receiver, span);
            no_match.extend(self.jump_unless_match(mover, &handler.mover, span));
            if let Some(filter) = &handler.filter {
                no_match.extend(self.jump_unless_match(mover, filter, span));
            }
            let title = scope.colocation_title(&handler.routine.name);
            self.call_at(&title, &[other, mover], span);
            done.push(self.builder.emit_skip(span));
            self.builder.patch_all_here(no_match);
            self.builder.release_registers(in_use);
        }
        self.builder.patch_all_here(done);
    }

    /// Emits jumps that are taken if the piece does not match the selector. The tested values are
    /// recorded at the span of the selector, so that the debugger can explain why a handler did not
    /// run.
    fn jump_unless_match(
        &mut self,
        piece: Reg,
        selector: &SpannedSelector,
        span: Span,
    ) -> Vec<PendingJump> {
        let head = selector.span;
        self.builder
            .record_value_before(head, ValueLoc::Register(piece));
        let tests = match &selector.selector {
            Selector::AnyPiece => Vec::new(),
            Selector::Player | Selector::Item => {
                let a = self.field(piece, field::IS_PLAYER, span);
                let jump = match selector.selector {
                    Selector::Player => Instr::JumpUnless { a, to: 0 },
                    _ => Instr::JumpIf { a, to: 0 },
                };
                return vec![self.builder.emit_test(jump, span, head)];
            }
            Selector::PlayerType(ty) => vec![(field::KIND, "Player"), (field::TYPE, &**ty)],
            Selector::ItemKind(kind) => vec![(field::KIND, &**kind)],
            Selector::Instance(name) => {
                let a = self.builder.alloc_register();
                self.load_global(name, a, span);
                let jump = CompareOp::Equal.jump_unless(a, piece);
                return vec![self.builder.emit_test(jump, span, head)];
            }
        };
        let tests = tests.into_iter().map(|(item, expected)| {
            let a = self.field(piece, item, span);
            let b = self.builder.new_string(expected, span);
            self.builder.record_value_before(head, ValueLoc::Bind(a));
            self.builder
                .emit_test(CompareOp::Equal.jump_unless(a, b), span, head)
        });
        tests.collect()
    }

    /// Loads a field of a piece; `item` is a constant of `scope::field`.
    pub(super) fn field(&mut self, of: Reg, item: u16, span: Span) -> Reg {
        self.builder
            .emit_new(|dst| Instr::Item { dst, of, item }, span)
    }
}
