//! The turn: gameLoop, the moves it made, whom they met, whether the game is over.

use super::Lowerer;
use crate::code::{Instr, PendingJump, Reg, StopKind, ValueLoc};
use crate::languages::gridlang::hir::{Selector, SpannedSelector};
use crate::languages::gridlang::scope::{RuleVariable, UNPLACED, field};
use crate::source::Span;
use crate::value::Value;

impl Lowerer<'_, '_> {
    /// `@play`: turn after turn.
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
        self.rule_line("one more turn is played");
        self.call("@turn", &[]);
        self.emit(Instr::Loop { to: top });
        self.builder.patch_all_here([exit, done]);
        self.store_rule_const(RuleVariable::ExitTarget, Value::int(0));
    }

    /// From here on the end of the game leads to where the jump lands.
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

    /// `@turn`: one turn.
    pub(super) fn turn(&mut self) {
        let game = self.context.scope.game.clone();
        self.rule_line("players who have won or are gone leave playerOrder");
        self.emit(Instr::BeginAction);
        self.increment(RuleVariable::TurnCount);
        self.call("@dropOut", &[]);
        self.call("@sit", &[]);
        self.rule_line("nobody is left in playerOrder: the game is over");
        let order = self.load_rule_var(RuleVariable::PlayerOrder);
        let count = self.length(order);
        let empty = self.equal_int(count, 0);
        self.when(empty, |r| r.call("@gameOver", &[]));
        self.rule_line("p is the player whose turn it is");
        self.store_rule_const(RuleVariable::IsTurnRunning, Value::TRUE);
        self.begin_loop();
        self.rule_line("gameLoop()");
        if game.game_loop.is_some() {
            self.call("gameLoop", &[]);
        }
        self.rule_line("what has moved is looked at");
        self.call("@moves", &[]);
        if game.check_game_end.is_some() {
            self.rule_line("checkGameEnd() returns true: the game is over");
            let ends = self.call("checkGameEnd", &[]);
            self.when(ends, |r| r.call("@gameOver", &[]));
        }
        self.span = super::rule_builder::rule_span("the next player in playerOrder follows");
        self.builder.stop_point(StopKind::Turn, self.span);
        self.store_rule_const(RuleVariable::IsTurnRunning, Value::FALSE);
        self.store_rule_const(RuleVariable::RepeatTarget, Value::int(0));
        self.call("@follow", &[]);
    }

    /// Where `repeat` goes: a move that was being checked is taken back.
    fn begin_loop(&mut self) {
        let (mark, here) = (self.builder.alloc_register(), self.builder.next_pc());
        self.emit(Instr::Catch {
            dst: mark,
            to: here,
        });
        self.store_rule_var(RuleVariable::RepeatTarget, mark);
        self.store_rule_const(RuleVariable::IsEnding, Value::FALSE);
        let checking = self.load_rule_var(RuleVariable::CheckedPiece);
        let fields = self.length(checking);
        let nobody = self.equal_int(fields, 0);
        self.unless(nobody, |r| {
            r.go_back(checking);
            r.nobody_is_checked();
        });
    }

    fn nobody_is_checked(&mut self) {
        let nobody = self.load_rule_var(RuleVariable::NullPiece);
        self.store_rule_var(RuleVariable::CheckedPiece, nobody);
    }

    fn go_back(&mut self, piece: Reg) {
        for (to, from) in [
            (field::POSITION, field::VALID_POSITION),
            (field::ARRIVAL, field::VALID_ARRIVAL),
        ] {
            let value = self.field(piece, from);
            self.set_field(piece, to, value);
        }
    }

    /// `@moves`: checks all that has moved, and lets those who arrived meet others, until nothing moves any more.
    pub(super) fn process_moves(&mut self) {
        let top = self.builder.next_pc();
        self.rule_line("as long as something has moved");
        let (moved, arrived) = (
            self.load_rule_var(RuleVariable::PendingMoves),
            self.load_rule_var(RuleVariable::PendingArrivals),
        );
        let (count, left) = (self.length(moved), self.length(arrived));
        let all = self.builder.alloc_register();
        self.emit(Instr::Add {
            dst: all,
            a: count,
            b: left,
        });
        let none = self.equal_int(all, 0);
        self.when(none, |r| r.return_nothing());
        let first = self.constant(Value::int(0));
        self.for_range(count, |r, _| {
            r.rule_line("each piece that moved, in order of movement: is its move allowed?");
            let piece = r.element_at(moved, first);
            r.emit(Instr::RemoveIndex {
                list: moved,
                index: first,
            });
            r.call("@check", &[piece]);
        });
        let next = self.builder.next_pc();
        self.rule_line("each piece that arrived: whom does it meet?");
        let left = self.length(arrived);
        let none = self.equal_int(left, 0);
        let done = self
            .builder
            .emit_jump(Instr::JumpIf { a: none, to: 0 }, self.span);
        let piece = self.element_at(arrived, first);
        self.emit(Instr::RemoveIndex {
            list: arrived,
            index: first,
        });
        self.call("@arrive", &[piece]);
        self.emit(Instr::Loop { to: next });
        self.builder.patch_here(done);
        self.emit(Instr::Loop { to: top });
    }

    /// `@check`(piece): its checkMove, then what became of the move.
    pub(super) fn check_move(&mut self) {
        let piece = 0;
        self.builder.begin_local("piece".into(), piece);
        self.leave_unless_moved(piece);
        let allowed = self.constant(Value::TRUE);
        self.builder.begin_local("allowed".into(), allowed);
        self.rule_line("the checkMove that fits the piece best decides");
        self.store_rule_var(RuleVariable::CheckedPiece, piece);
        self.ask_handler(piece, allowed);
        self.nobody_is_checked();
        self.leave_unless_moved(piece);
        self.unless(allowed, |r| {
            r.rule_line("refused: the piece goes back");
            r.tell_refusal(piece, " is refused");
            r.call("@refused", &[piece]);
            r.return_nothing();
        });
        let position = self.field(piece, field::POSITION);
        let inside = self.call("@inside", &[position]);
        self.unless(inside, |r| {
            r.rule_line("outside of the grid: the piece goes back");
            r.tell_refusal(piece, " is outside of the grid");
            r.call("@refused", &[piece]);
            r.return_nothing();
        });
        self.rule_line("allowed: the piece has arrived");
        self.set_field(piece, field::VALID_POSITION, position);
        let arrival = self.field(piece, field::ARRIVAL);
        self.set_field(piece, field::VALID_ARRIVAL, arrival);
        self.append(RuleVariable::PendingArrivals, piece);
    }

    /// Whoever plays is told that a piece stays: `frog stays at (0,2): (0,0) is refused`.
    fn tell_refusal(&mut self, piece: Reg, why: &str) {
        self.scoped(|r| {
            let words = r.field(piece, field::NAME);
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALID_POSITION),
            );
            let nowhere =
                r.constant(Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING));
            let unset = r.equal(validated, nowhere);
            r.when(unset, |r| r.add_words(words, " stays nowhere", None));
            r.unless(unset, |r| r.add_words(words, " stays at ", Some(validated)));
            r.add_words(words, ": ", Some(position));
            r.add_words(words, why, None);
            r.emit(Instr::Info { value: words });
        });
    }

    fn add_words(&mut self, words: Reg, text: &str, coordinate: Option<Reg>) {
        let text = self.text_constant(text);
        self.emit(Instr::Concat {
            dst: words,
            a: words,
            b: text,
        });
        if let Some(a) = coordinate {
            let part = self.builder.alloc_register();
            self.emit(Instr::ToString { dst: part, a });
            self.emit(Instr::Concat {
                dst: words,
                a: words,
                b: part,
            });
        }
    }

    /// `@refused`(piece): the move is taken back.
    pub(super) fn revert_move(&mut self) {
        self.builder.set_alias("refused".into());
        self.builder.begin_local("piece".into(), 0);
        self.rule_line("back to where the piece was last allowed to be");
        self.go_back(0);
    }

    /// One that is gone, or stands where it was last checked, has nothing to be checked.
    fn leave_unless_moved(&mut self, piece: Reg) {
        self.scoped(|r| {
            let exists = r.field(piece, field::EXISTS);
            r.unless(exists, |r| r.return_nothing());
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALID_POSITION),
            );
            let checked = r.equal(position, validated);
            r.when(checked, |r| r.return_nothing());
        });
    }

    fn ask_handler(&mut self, piece: Reg, allowed: Reg) {
        let game = self.context.scope.game.clone();
        let mut done = Vec::new();
        for handler in &game.move_handlers {
            let mark = self.builder.registers_in_use();
            let others = self.unless_fits(piece, &handler.receiver);
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
            self.builder.patch_all_here(others);
            self.builder.release_registers(mark);
        }
        self.builder.patch_all_here(done);
    }

    /// `@arrive`(piece): the colocation of each other piece in its cell.
    pub(super) fn run_colocations(&mut self) {
        let mover = 0;
        self.builder.begin_local("piece".into(), mover);
        self.rule_line("each other piece in its cell, players first, in order of arrival");
        let place = self.field(mover, field::POSITION);
        for players in [true, false] {
            let players = self.constant(Value::bool(players));
            let here = self.call("@standing", &[place, players]);
            self.for_each(here, |r, other| {
                let locals = r.builder.local_count();
                r.builder.begin_local("other".into(), other);
                r.meet(mover, other, place);
                r.builder.end_locals(locals);
            });
        }
    }

    /// The handler of two pieces, if both are still there.
    fn meet(&mut self, mover: Reg, other: Reg, place: Reg) {
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
                    b: place,
                    to: 0,
                },
                self.span,
            ));
        }
        let outer = self.span;
        let game = self.context.scope.game.clone();
        for handler in &game.colocation_handlers {
            let mark = self.builder.registers_in_use();
            let mut others = self.unless_fits(other, &handler.receiver);
            others.extend(self.unless_fits(mover, &handler.mover));
            if let Some(filter) = &handler.filter {
                others.extend(self.unless_fits(mover, filter));
            }
            self.rule_line("the colocation that fits both best is run");
            let title = self.context.scope.colocation_title(&handler.routine.name);
            self.call(&title, &[other, mover]);
            self.span = outer;
            skips.push(self.builder.emit_jump(Instr::Jump { to: 0 }, self.span));
            self.builder.patch_all_here(others);
            self.builder.release_registers(mark);
        }
        self.builder.patch_all_here(skips);
    }

    /// Jumps taken when a piece is not one that a handler is for. What is looked at is noted at the word of the
    /// handler that asks for it, so that a person can be told why it was not run.
    fn unless_fits(&mut self, piece: Reg, sought: &SpannedSelector) -> Vec<PendingJump> {
        let word = sought.span;
        self.builder
            .record_value_before(word, ValueLoc::Register(piece));
        match &sought.selector {
            Selector::AnyPiece => Vec::new(),
            Selector::Player => {
                let a = self.field(piece, field::IS_PLAYER);
                vec![self.jump_unless_fit(Instr::JumpUnless { a, to: 0 }, word)]
            }
            Selector::Item => {
                let a = self.field(piece, field::IS_PLAYER);
                vec![self.jump_unless_fit(Instr::JumpIf { a, to: 0 }, word)]
            }
            Selector::PlayerType(ty) => {
                let player = self.unless_field_is(piece, field::KIND, "Player", word);
                vec![player, self.unless_field_is(piece, field::TYPE, ty, word)]
            }
            Selector::ItemKind(kind) => vec![self.unless_field_is(piece, field::KIND, kind, word)],
            Selector::Instance(name) => {
                let a = self.builder.alloc_register();
                self.load_global(name, a, self.span);
                vec![self.jump_unless_fit(Instr::JumpUnlessEqual { a, b: piece, to: 0 }, word)]
            }
        }
    }

    fn unless_field_is(&mut self, piece: Reg, item: u16, wanted: &str, word: Span) -> PendingJump {
        let (a, b) = (self.field(piece, item), self.text_constant(wanted));
        self.builder.record_value_before(word, ValueLoc::Bind(a));
        self.jump_unless_fit(Instr::JumpUnlessEqual { a, b, to: 0 }, word)
    }

    fn jump_unless_fit(&mut self, jump: Instr, word: Span) -> PendingJump {
        let jump = self.builder.emit_jump(jump, self.span);
        self.builder
            .record_value_after(word, ValueLoc::JumpTest { if_taken: false });
        jump
    }

    /// `@gameOver`: the block of the game or the winner's name, then nothing is played any more.
    pub(super) fn game_over(&mut self) {
        let ending = self.load_rule_var(RuleVariable::IsEnding);
        self.unless(ending, |r| {
            r.store_rule_const(RuleVariable::IsEnding, Value::TRUE);
            if r.context.scope.game.game_over.is_some() {
                r.rule_line("gameOver()");
                r.call("gameOver", &[]);
            } else {
                r.rule_line("without a block gameOver the winner is printed");
                r.print_winner();
            }
        });
        self.rule_line("nothing is played any more");
        self.store_rule_const(RuleVariable::IsOver, Value::TRUE);
        for variable in [RuleVariable::IsTurnRunning, RuleVariable::IsEnding] {
            self.store_rule_const(variable, Value::FALSE);
        }
        self.store_rule_const(RuleVariable::RepeatTarget, Value::int(0));
        self.nobody_is_checked();
        let names = self.call("@winners", &[]);
        let (nobody, how) = (self.text_constant(""), self.constant(Value::int(1)));
        let undecided = self.equal(names, nobody);
        self.when(undecided, |r| r.emit(Instr::Int { dst: how, value: 4 }));
        self.emit(Instr::EndGame { how, winner: names });
        let mark = self.load_rule_var(RuleVariable::ExitTarget);
        self.emit(Instr::Throw { escape: mark });
    }

    fn print_winner(&mut self) {
        let names = self.call("@winners", &[]);
        let (nobody, label) = (self.text_constant(""), self.text_constant("Winner: "));
        let undecided = self.equal(names, nobody);
        self.when(undecided, |r| {
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

    /// `@winners`: how those who have won are shown, joined; empty if nobody has.
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
        let (names, nobody, comma) = (
            self.text_constant(""),
            self.text_constant(""),
            self.text_constant(", "),
        );
        self.for_each(list, |r, winner| {
            let first = r.equal(names, nobody);
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
