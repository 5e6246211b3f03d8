//! Rules of a turn: `gameLoop`, move checks, collisions and the end of the game.

use super::Lowerer;
use crate::code::{Instr, PendingJump, Reg, Status, StopKind, ValueLoc};
use crate::languages::gridlang::check::hir::{Selector, SpannedSelector};
use crate::languages::gridlang::lower::scope::{RuleVariable, UNPLACED, field};
use crate::source::Span;
use crate::value::Value;

impl Lowerer<'_, '_> {
    /// `@play`: plays turns until the game is over.
    pub(super) fn play(&mut self) {
        if self.context.scope.game.game_loop.is_none() {
            return;
        }
        let exit = self.set_exit_target(super::rule_builder::rule_span("The whole game:"));
        let top = self.builder.next_pc();
        self.rule_line("while the game is not over");
        let over = self.load_rule_var(RuleVariable::IsOver);
        let done = self
            .builder
            .emit_jump(Instr::JumpIf { a: over, to: 0 }, self.span);
        self.rule_line("play one turn");
        self.call("@turn", &[]);
        self.emit(Instr::Loop { to: top });
        self.builder.patch_all_here([exit, done]);
        self.store_rule_const(RuleVariable::ExitTarget, Value::int(0));
    }

    /// Makes the end of the game continue where the returned jump is patched to.
    pub(super) fn set_exit_target(&mut self, span: Span) -> PendingJump {
        let dst = self.builder.alloc_register();
        let jump = self.builder.emit_jump(Instr::Catch { dst, to: 0 }, span);
        self.builder.emit(
            Instr::SetGlobal {
                global: RuleVariable::ExitTarget as u32,
                src: dst,
            },
            span,
        );
        jump
    }

    /// `@turn`: plays one turn.
    pub(super) fn turn(&mut self) {
        let game = self.context.scope.game.clone();
        self.rule_line("players who have won or no longer exist leave playerOrder");
        self.emit(Instr::BeginAction);
        self.increment(RuleVariable::TurnCount);
        self.call("@dropPlayers", &[]);
        self.call("@selectPlayer", &[]);
        self.rule_line("playerOrder is empty: the game is over");
        let order = self.load_rule_var(RuleVariable::PlayerOrder);
        let count = self.length(order);
        let empty = self.equal_int(count, 0);
        self.when(empty, |r| r.call("@gameOver", &[]));
        self.rule_line("p is the current player");
        self.store_rule_const(RuleVariable::IsTurnRunning, Value::TRUE);
        self.set_repeat_target();
        self.rule_line("gameLoop()");
        if game.game_loop.is_some() {
            self.call("gameLoop", &[]);
        }
        self.rule_line("check the moves");
        self.call("@checkMoves", &[]);
        if game.check_game_end.is_some() {
            self.rule_line("checkGameEnd() returns true: the game is over");
            let is_over = self.call("checkGameEnd", &[]);
            self.when(is_over, |r| r.call("@gameOver", &[]));
        }
        self.span = super::rule_builder::rule_span("the next player in playerOrder is up");
        self.builder.stop_point(StopKind::Turn, self.span);
        self.store_rule_const(RuleVariable::IsTurnRunning, Value::FALSE);
        self.store_rule_const(RuleVariable::RepeatTarget, Value::int(0));
        self.call("@nextPlayer", &[]);
    }

    /// Sets the target of `repeat`. The code after it also runs on `repeat`, which undoes the move
    /// being checked.
    fn set_repeat_target(&mut self) {
        let (escape, here) = (self.builder.alloc_register(), self.builder.next_pc());
        self.emit(Instr::Catch {
            dst: escape,
            to: here,
        });
        self.store_rule_var(RuleVariable::RepeatTarget, escape);
        self.store_rule_const(RuleVariable::IsEnding, Value::FALSE);
        let checked_piece = self.load_rule_var(RuleVariable::CheckedPiece);
        let fields = self.length(checked_piece);
        let is_null = self.equal_int(fields, 0);
        self.unless(is_null, |r| {
            r.restore_position(checked_piece);
            r.clear_checked_piece();
        });
    }

    fn clear_checked_piece(&mut self) {
        let null_piece = self.load_rule_var(RuleVariable::NullPiece);
        self.store_rule_var(RuleVariable::CheckedPiece, null_piece);
    }

    fn restore_position(&mut self, piece: Reg) {
        for (to, from) in [
            (field::POSITION, field::VALID_POSITION),
            (field::ARRIVAL, field::VALID_ARRIVAL),
        ] {
            let value = self.field(piece, from);
            self.set_field(piece, to, value);
        }
    }

    /// `@checkMoves`: checks the moves and runs collision handlers until no piece moves any more.
    pub(super) fn process_moves(&mut self) {
        let top = self.builder.next_pc();
        self.rule_line("while pieces have moved or arrived");
        let (moved, arrived) = (
            self.load_rule_var(RuleVariable::PendingMoves),
            self.load_rule_var(RuleVariable::PendingArrivals),
        );
        let (moved_count, arrived_count) = (self.length(moved), self.length(arrived));
        let total = self.builder.alloc_register();
        self.emit(Instr::Add {
            dst: total,
            a: moved_count,
            b: arrived_count,
        });
        let none = self.equal_int(total, 0);
        self.when(none, |r| r.return_nothing());
        let first = self.constant(Value::int(0));
        self.for_range(moved_count, |r, _| {
            r.rule_line("for each piece that moved, in order of movement: is the move allowed?");
            let piece = r.element_at(moved, first);
            r.emit(Instr::RemoveIndex {
                list: moved,
                index: first,
            });
            r.call("@checkMove", &[piece]);
        });
        let next = self.builder.next_pc();
        self.rule_line("for each piece that arrived: does it collide?");
        let arrived_count = self.length(arrived);
        let none = self.equal_int(arrived_count, 0);
        let done = self
            .builder
            .emit_jump(Instr::JumpIf { a: none, to: 0 }, self.span);
        let piece = self.element_at(arrived, first);
        self.emit(Instr::RemoveIndex {
            list: arrived,
            index: first,
        });
        self.call("@collide", &[piece]);
        self.emit(Instr::Loop { to: next });
        self.builder.patch_here(done);
        self.emit(Instr::Loop { to: top });
    }

    /// `@checkMove(piece)`: runs the `checkMove` handler and accepts or undoes the move.
    pub(super) fn check_move(&mut self) {
        let piece = 0;
        self.builder.begin_local("piece".into(), piece);
        self.return_unless_moved(piece);
        let allowed = self.constant(Value::TRUE);
        self.builder.begin_local("allowed".into(), allowed);
        self.rule_line("the most specific checkMove decides");
        self.store_rule_var(RuleVariable::CheckedPiece, piece);
        self.call_move_handler(piece, allowed);
        self.clear_checked_piece();
        self.return_unless_moved(piece);
        self.unless(allowed, |r| {
            r.rule_line("refused: the piece goes back");
            r.report_refusal(piece, " is refused");
            r.call("@revertMove", &[piece]);
            r.return_nothing();
        });
        let position = self.field(piece, field::POSITION);
        let inside = self.call("@isOnGrid", &[position]);
        self.unless(inside, |r| {
            r.call("@returnToGrid", &[piece]);
            r.return_nothing();
        });
        self.rule_line("allowed: the piece has arrived");
        self.set_field(piece, field::VALID_POSITION, position);
        let arrival = self.field(piece, field::ARRIVAL);
        self.set_field(piece, field::VALID_ARRIVAL, arrival);
        self.append(RuleVariable::PendingArrivals, piece);
    }

    /// `@returnToGrid(piece)`: undoes a move off the grid. A function of its own, because no
    /// `checkMove` decides it.
    pub(super) fn return_to_grid(&mut self) {
        let piece = 0;
        self.builder.begin_local("piece".into(), piece);
        self.rule_line("off the grid: the piece goes back");
        self.report_refusal(piece, " is off the grid");
        self.call("@revertMove", &[piece]);
    }

    /// Reports a refused move: `frog stays at (0,2): (0,0) is refused`.
    fn report_refusal(&mut self, piece: Reg, reason: &str) {
        self.scoped(|r| {
            let message = r.field(piece, field::NAME);
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALID_POSITION),
            );
            let unplaced =
                r.constant(Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING));
            let is_unplaced = r.equal(validated, unplaced);
            r.when(is_unplaced, |r| {
                r.append_text(message, " stays off the grid", None)
            });
            r.unless(is_unplaced, |r| {
                r.append_text(message, " stays at ", Some(validated))
            });
            r.append_text(message, ": ", Some(position));
            r.append_text(message, reason, None);
            r.emit(Instr::Info { value: message });
        });
    }

    fn append_text(&mut self, message: Reg, text: &str, coordinate: Option<Reg>) {
        let text = self.text_constant(text);
        self.emit(Instr::Concat {
            dst: message,
            a: message,
            b: text,
        });
        if let Some(a) = coordinate {
            let part = self.builder.alloc_register();
            self.emit(Instr::ToString { dst: part, a });
            self.emit(Instr::Concat {
                dst: message,
                a: message,
                b: part,
            });
        }
    }

    /// `@revertMove(piece)`: undoes the move.
    pub(super) fn revert_move(&mut self) {
        self.builder.set_alias("refused".into());
        self.builder.begin_local("piece".into(), 0);
        self.rule_line("return the piece to its last valid position");
        self.restore_position(0);
    }

    /// Returns if there is nothing to check: the piece no longer exists or is at its valid
    /// position.
    fn return_unless_moved(&mut self, piece: Reg) {
        self.scoped(|r| {
            let exists = r.field(piece, field::EXISTS);
            r.unless(exists, |r| r.return_nothing());
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALID_POSITION),
            );
            let is_unmoved = r.equal(position, validated);
            r.when(is_unmoved, |r| r.return_nothing());
        });
    }

    fn call_move_handler(&mut self, piece: Reg, allowed: Reg) {
        let game = self.context.scope.game.clone();
        let mut done = Vec::new();
        for handler in &game.move_handlers {
            let in_use = self.builder.registers_in_use();
            let no_match = self.jump_unless_match(piece, &handler.receiver);
            let mut arguments = vec![piece];
            if handler.has_coordinates {
                arguments.push(self.field(piece, field::VALID_POSITION));
                arguments.push(self.field(piece, field::POSITION));
            }
            let src = self.call(&handler.routine.name, &arguments);
            self.emit(Instr::Move { dst: allowed, src });
            self.builder
                .record_value_after(self.span, ValueLoc::Register(allowed));
            done.push(self.builder.emit_jump(Instr::Jump { to: 0 }, self.span));
            self.builder.patch_all_here(no_match);
            self.builder.release_registers(in_use);
        }
        self.builder.patch_all_here(done);
    }

    /// `@collide(piece)`: runs the `colocation` handler for each other piece in the cell.
    pub(super) fn run_colocations(&mut self) {
        let mover = 0;
        self.builder.begin_local("piece".into(), mover);
        self.rule_line("for each other piece in the cell, players first, in order of arrival");
        let coord = self.field(mover, field::POSITION);
        for is_player in [true, false] {
            let players = self.constant(Value::bool(is_player));
            let here = self.call("@piecesAt", &[coord, players]);
            self.for_each(here, |r, other| {
                let locals = r.builder.local_count();
                r.builder.begin_local("other".into(), other);
                r.collide(mover, other, coord);
                r.builder.end_locals(locals);
            });
        }
    }

    /// Runs the handler for two pieces if both are still in the cell.
    fn collide(&mut self, mover: Reg, other: Reg, coord: Reg) {
        let mut skips = vec![self.builder.emit_jump(
            Instr::JumpUnlessNotEqual {
                a: mover,
                b: other,
                to: 0,
            },
            self.span,
        )];
        for piece in [mover, other] {
            let (exists, position) = (
                self.field(piece, field::EXISTS),
                self.field(piece, field::POSITION),
            );
            skips.push(
                self.builder
                    .emit_jump(Instr::JumpUnless { a: exists, to: 0 }, self.span),
            );
            skips.push(self.builder.emit_jump(
                Instr::JumpUnlessEqual {
                    a: position,
                    b: coord,
                    to: 0,
                },
                self.span,
            ));
        }
        let loop_span = self.span;
        let game = self.context.scope.game.clone();
        for handler in &game.colocation_handlers {
            let in_use = self.builder.registers_in_use();
            let mut no_match = self.jump_unless_match(other, &handler.receiver);
            no_match.extend(self.jump_unless_match(mover, &handler.mover));
            if let Some(filter) = &handler.filter {
                no_match.extend(self.jump_unless_match(mover, filter));
            }
            self.rule_line("run the most specific colocation");
            let title = self.context.scope.colocation_title(&handler.routine.name);
            self.call(&title, &[other, mover]);
            self.span = loop_span;
            skips.push(self.builder.emit_jump(Instr::Jump { to: 0 }, self.span));
            self.builder.patch_all_here(no_match);
            self.builder.release_registers(in_use);
        }
        self.builder.patch_all_here(skips);
    }

    /// Emits jumps that are taken if the piece does not match the selector. The tested values are
    /// recorded at the span of the selector, so that the debugger can explain why a handler did not
    /// run.
    fn jump_unless_match(&mut self, piece: Reg, selector: &SpannedSelector) -> Vec<PendingJump> {
        let span = selector.span;
        self.builder
            .record_value_before(span, ValueLoc::Register(piece));
        match &selector.selector {
            Selector::AnyPiece => Vec::new(),
            Selector::Player => {
                let a = self.field(piece, field::IS_PLAYER);
                vec![self.emit_match_jump(Instr::JumpUnless { a, to: 0 }, span)]
            }
            Selector::Item => {
                let a = self.field(piece, field::IS_PLAYER);
                vec![self.emit_match_jump(Instr::JumpIf { a, to: 0 }, span)]
            }
            Selector::PlayerType(ty) => {
                let player = self.jump_unless_field(piece, field::KIND, "Player", span);
                vec![player, self.jump_unless_field(piece, field::TYPE, ty, span)]
            }
            Selector::ItemKind(kind) => {
                vec![self.jump_unless_field(piece, field::KIND, kind, span)]
            }
            Selector::Instance(name) => {
                let a = self.builder.alloc_register();
                self.load_global(name, a, self.span);
                vec![self.emit_match_jump(Instr::JumpUnlessEqual { a, b: piece, to: 0 }, span)]
            }
        }
    }

    fn jump_unless_field(
        &mut self,
        piece: Reg,
        item: u16,
        expected: &str,
        span: Span,
    ) -> PendingJump {
        let (a, b) = (self.field(piece, item), self.text_constant(expected));
        self.builder.record_value_before(span, ValueLoc::Bind(a));
        self.emit_match_jump(Instr::JumpUnlessEqual { a, b, to: 0 }, span)
    }

    fn emit_match_jump(&mut self, jump: Instr, span: Span) -> PendingJump {
        let jump = self.builder.emit_jump(jump, self.span);
        self.builder
            .record_value_after(span, ValueLoc::JumpTest { if_taken: false });
        jump
    }

    /// `@gameOver`: runs the `gameOver` block or prints the winner, then ends the game.
    pub(super) fn game_over(&mut self) {
        let is_ending = self.load_rule_var(RuleVariable::IsEnding);
        self.unless(is_ending, |r| {
            r.store_rule_const(RuleVariable::IsEnding, Value::TRUE);
            if r.context.scope.game.game_over.is_some() {
                r.rule_line("gameOver()");
                r.call("gameOver", &[]);
            } else {
                r.rule_line("without a gameOver block, print the winner");
                r.print_winner();
            }
        });
        self.rule_line("no more turns are played");
        self.store_rule_const(RuleVariable::IsOver, Value::TRUE);
        for variable in [RuleVariable::IsTurnRunning, RuleVariable::IsEnding] {
            self.store_rule_const(variable, Value::FALSE);
        }
        self.store_rule_const(RuleVariable::RepeatTarget, Value::int(0));
        self.clear_checked_piece();
        let names = self.call("@winners", &[]);
        let empty = self.text_constant("");
        let status = self.constant(Value::int(Status::Won as i32));
        let no_winner = self.equal(names, empty);
        self.when(no_winner, |r| {
            r.emit(Instr::Int {
                dst: status,
                value: Status::Over as i32,
            })
        });
        self.emit(Instr::EndGame {
            how: status,
            winner: names,
        });
        let escape = self.load_rule_var(RuleVariable::ExitTarget);
        self.emit(Instr::Throw { escape });
    }

    fn print_winner(&mut self) {
        let names = self.call("@winners", &[]);
        let (empty, label) = (self.text_constant(""), self.text_constant("Winner: "));
        let no_winner = self.equal(names, empty);
        self.when(no_winner, |r| {
            let current = r.load_rule_var(RuleVariable::CurrentPlayer);
            let fields = r.length(current);
            let none = r.equal_int(fields, 0);
            let name = r.text_constant("nobody");
            r.emit(Instr::Move {
                dst: names,
                src: name,
            });
            r.unless(none, |r| {
                r.emit(Instr::Item {
                    dst: names,
                    of: current,
                    item: field::DISPLAY_STRING,
                })
            });
        });
        self.emit(Instr::Concat {
            dst: names,
            a: label,
            b: names,
        });
        self.emit(Instr::Print { value: names });
    }

    /// `@winners`: the display strings of the winners, joined; empty if there are none.
    pub(super) fn winners(&mut self) {
        let (list, yes) = (
            self.load_rule_var(RuleVariable::Pieces),
            self.constant(Value::TRUE),
        );
        self.emit(Instr::FilterRecords {
            dst: list,
            list,
            item: field::WIN,
            value: yes,
        });
        let (names, empty, comma) = (
            self.text_constant(""),
            self.text_constant(""),
            self.text_constant(", "),
        );
        self.for_each(list, |r, winner| {
            let first = r.equal(names, empty);
            r.unless(first, |r| {
                r.emit(Instr::Concat {
                    dst: names,
                    a: names,
                    b: comma,
                })
            });
            let name = r.field(winner, field::DISPLAY_STRING);
            r.emit(Instr::Concat {
                dst: names,
                a: names,
                b: name,
            });
        });
        self.return_value(names);
    }
}
