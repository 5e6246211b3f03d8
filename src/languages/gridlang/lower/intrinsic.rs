//! Lowers the built-in functions of the rules, among them the dispatch to the handlers of a game.

use super::Lowerer;
use crate::code::{Channel, CompareOp, Instr, PendingJump, Reg, ValueLoc};
use crate::languages::gridlang::check::hir::{Expr, ExprKind, Selector, SpannedSelector, Type};
use crate::languages::gridlang::check::intrinsic::Intrinsic;
use crate::languages::gridlang::lower::scope::field;
use crate::source::Span;
use crate::value::Value;

impl Lowerer<'_, '_> {
    /// Lowers the call `e`, whose result, if there is one, goes into `dst`.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Expr],
        e: &Expr,
        dst: Reg,
    ) {
        let span = e.span;
        let game = self.context.scope.game.clone();
        let is_literal = |e: &Expr| matches!(e.kind, ExprKind::Text(_));
        let text = match arguments.iter().find(|e| is_literal(e)).map(|e| &e.kind) {
            Some(ExprKind::Text(text)) => text.clone(),
            _ => "".into(),
        };
        let item = field::named(&text).map_or(0, |(item, _)| item);
        let is_value = |n: usize| arguments.get(n).is_some_and(|e| !is_literal(e));
        let mut value = |n: usize| match is_value(n) {
            true => self.lower_expr(&arguments[n]),
            false => 0,
        };
        let instr = match intrinsic {
            Intrinsic::Append => Instr::Append {
                list: value(0),
                value: value(1),
            },
            Intrinsic::RemoveAt => Instr::RemoveIndex {
                list: value(0),
                index: value(1),
            },
            Intrinsic::TakeFirst => {
                let (list, index) = (value(0), self.builder.alloc_register());
                self.constant_to(index, Value::int(0), span);
                self.builder.emit(Instr::Index { dst, list, index }, span);
                Instr::RemoveIndex { list, index }
            }
            Intrinsic::Where => Instr::FilterRecords {
                dst,
                list: value(0),
                item,
                value: value(2),
            },
            Intrinsic::Sort => Instr::SortRecords {
                list: value(0),
                item,
            },
            Intrinsic::Copy => Instr::Copy { dst, src: value(0) },
            Intrinsic::Filled => Instr::FilledList {
                dst,
                value: value(0),
                count: value(1),
            },
            Intrinsic::Text => Instr::ToString { dst, a: value(0) },
            Intrinsic::Fail => {
                let with = is_value(1).then(|| value(1));
                return self.fail_at(&text, with, span);
            }
            Intrinsic::Warn => Instr::Warn {
                k: self.builder.string_constant(&text),
            },
            Intrinsic::Info => Channel::Info.output(value(0)),
            Intrinsic::Resize => Instr::Resize {
                rows: value(0),
                cols: value(1),
            },
            Intrinsic::BeginAction => Instr::BeginAction,
            Intrinsic::EndGame => Instr::EndGame {
                how: value(0),
                winner: value(1),
            },
            Intrinsic::Here => Instr::Catch {
                dst,
                to: self.builder.next_pc(),
            },
            Intrinsic::Throw => Instr::Throw { escape: value(0) },
            Intrinsic::HasGameLoop => return self.game_test(game.game_loop.is_some(), dst, span),
            Intrinsic::HasGameOver => return self.game_test(game.game_over.is_some(), dst, span),
            Intrinsic::GameLoop => {
                self.depends_on_game = true;
                if game.game_loop.is_some() {
                    self.call_at("gameLoop", &[], span);
                }
                return;
            }
            Intrinsic::GameOverBlock => {
                self.call_at("gameOver", &[], span);
                return;
            }
            Intrinsic::CheckGameEnd if game.check_game_end.is_some() => {
                let src = self.call_at("checkGameEnd", &[], span);
                Instr::Move { dst, src }
            }
            Intrinsic::CheckGameEnd => return self.game_test(false, dst, span),
            Intrinsic::CheckMoveHandler => {
                let piece = value(0);
                return self.call_move_handler(piece, dst, span);
            }
            Intrinsic::ColocationHandler => {
                let (mover, other) = (value(0), value(1));
                return self.call_colocation_handler(mover, other, span);
            }
            Intrinsic::Make => {
                let arguments = [value(0), value(1)];
                let kind = self.piece_kind.clone().unwrap_or_default();
                let src = self.call_at(&format!("@make {kind}"), &arguments, span);
                Instr::Move { dst, src }
            }
            Intrinsic::InitTypeAttributes => {
                let player = value(0);
                self.call_at("@initTypeAttributes", &[player], span);
                return;
            }
        };
        self.builder.emit(instr, span);
        if e.ty != Type::Void {
            self.builder
                .record_value_after(span, ValueLoc::Register(dst));
        }
    }

    /// A boolean that is known when the game is lowered.
    fn game_test(&mut self, value: bool, dst: Reg, span: Span) {
        self.depends_on_game = true;
        self.constant_to(dst, Value::bool(value), span);
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
            self.builder.emit(Instr::Move { dst: allowed, src }, span);
            self.builder
                .record_value_after(span, ValueLoc::Register(allowed));
            done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, span));
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
            done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, span));
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
                return vec![self.match_jump(jump, head, span)];
            }
            Selector::PlayerType(ty) => vec![(field::KIND, "Player"), (field::TYPE, &**ty)],
            Selector::ItemKind(kind) => vec![(field::KIND, &**kind)],
            Selector::Instance(name) => {
                let a = self.builder.alloc_register();
                self.load_global(name, a, span);
                let jump = CompareOp::Equal.jump_unless(a, piece);
                return vec![self.match_jump(jump, head, span)];
            }
        };
        let tests = tests.into_iter().map(|(item, expected)| {
            let (a, b) = (self.field(piece, item, span), self.builder.alloc_register());
            self.text_to(b, expected, span);
            self.builder.record_value_before(head, ValueLoc::Bind(a));
            self.match_jump(CompareOp::Equal.jump_unless(a, b), head, span)
        });
        tests.collect()
    }

    fn match_jump(&mut self, jump: Instr, head: Span, span: Span) -> PendingJump {
        let jump = self.builder.emit_jump(jump, span);
        self.builder
            .record_value_after(head, ValueLoc::JumpTest { if_taken: false });
        jump
    }

    /// Loads a field of a piece; `item` is a constant of `scope::field`.
    pub(super) fn field(&mut self, of: Reg, item: u16, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        self.builder.emit(Instr::Item { dst, of, item }, span);
        dst
    }
}
