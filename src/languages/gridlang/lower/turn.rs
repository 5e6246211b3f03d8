//! The turn: gameLoop, the moves it made, whom they met, whether the game is over.

use super::Body;
use crate::code::{Instr, Jump, Reg, Seen, StopKind};
use crate::languages::gridlang::scope::{Hidden, NOWHERE, field};
use crate::languages::gridlang::typed::{Sought, Whom};
use crate::source::Span;
use crate::value::Value;

impl Body<'_, '_> {
    /// `@play`: turn after turn.
    pub(super) fn play(&mut self) {
        if self.shared.scope.game.game_loop.is_none() {
            return;
        }
        let exit = self.open_exit(super::rule::line("The whole game:"));
        let top = self.b.here();
        self.at("while the game is not over");
        let over = self.get(Hidden::Over);
        let done = self.b.jump(Instr::If { a: over, to: 0 }, self.span);
        self.at("one more turn is played");
        self.call("@turn", &[]);
        self.emit(Instr::Loop { to: top });
        self.b.land_all([exit, done]);
        self.put_value(Hidden::Exit, Value::int(0));
    }

    /// From here on the end of the game leads to where the jump lands.
    pub(super) fn open_exit(&mut self, span: Span) -> Jump {
        let dst = self.b.register();
        let jump = self.b.jump(Instr::Mark { dst, to: 0 }, span);
        self.b.emit(
            Instr::SetGlobal {
                global: Hidden::Exit as u32,
                src: dst,
            },
            span,
        );
        jump
    }

    /// `@turn`: one turn.
    pub(super) fn turn(&mut self) {
        let game = self.shared.scope.game.clone();
        self.at("players who have won or are gone leave playerOrder");
        self.emit(Instr::BeginAction);
        self.step_up(Hidden::Turns);
        self.call("@dropOut", &[]);
        self.call("@sit", &[]);
        self.at("nobody is left in playerOrder: the game is over");
        let order = self.get(Hidden::Order);
        let count = self.length(order);
        let empty = self.same_int(count, 0);
        self.when(empty, |r| r.call("@gameOver", &[]));
        self.at("p is the player whose turn it is");
        self.put_value(Hidden::Playing, Value::TRUE);
        self.begin_loop();
        self.at("gameLoop()");
        if game.game_loop.is_some() {
            self.call("gameLoop", &[]);
        }
        self.at("what has moved is looked at");
        self.call("@moves", &[]);
        if game.check_game_end.is_some() {
            self.at("checkGameEnd() returns true: the game is over");
            let ends = self.call("checkGameEnd", &[]);
            self.when(ends, |r| r.call("@gameOver", &[]));
        }
        self.span = super::rule::line("the next player in playerOrder follows");
        self.b.stop(StopKind::Turn, self.span);
        self.put_value(Hidden::Playing, Value::FALSE);
        self.put_value(Hidden::Again, Value::int(0));
        self.call("@follow", &[]);
    }

    /// Where `repeat` goes: a move that was being checked is taken back.
    fn begin_loop(&mut self) {
        let (mark, here) = (self.b.register(), self.b.here());
        self.emit(Instr::Mark {
            dst: mark,
            to: here,
        });
        self.put(Hidden::Again, mark);
        self.put_value(Hidden::Ending, Value::FALSE);
        let checking = self.get(Hidden::Checking);
        let fields = self.length(checking);
        let nobody = self.same_int(fields, 0);
        self.unless(nobody, |r| {
            r.go_back(checking);
            r.nobody_is_checked();
        });
    }

    fn nobody_is_checked(&mut self) {
        let nobody = self.get(Hidden::Nobody);
        self.put(Hidden::Checking, nobody);
    }

    fn go_back(&mut self, piece: Reg) {
        for (to, from) in [
            (field::POSITION, field::VALIDATED),
            (field::ARRIVAL, field::VALIDATED_ARRIVAL),
        ] {
            let value = self.field(piece, from);
            self.set_field(piece, to, value);
        }
    }

    /// `@moves`: checks all that has moved, and lets those who arrived meet others, until nothing moves any more.
    pub(super) fn moves(&mut self) {
        let top = self.b.here();
        self.at("as long as something has moved");
        let (moved, arrived) = (self.get(Hidden::Moved), self.get(Hidden::Arrived));
        let (count, left) = (self.length(moved), self.length(arrived));
        let all = self.b.register();
        self.emit(Instr::Add {
            dst: all,
            a: count,
            b: left,
        });
        let none = self.same_int(all, 0);
        self.when(none, |r| r.leave());
        let first = self.value(Value::int(0));
        self.count(count, |r, _| {
            r.at("each piece that moved, in order of movement: is its move allowed?");
            let piece = r.element_at(moved, first);
            r.emit(Instr::RemoveIndex {
                list: moved,
                index: first,
            });
            r.call("@check", &[piece]);
        });
        let next = self.b.here();
        self.at("each piece that arrived: whom does it meet?");
        let left = self.length(arrived);
        let none = self.same_int(left, 0);
        let done = self.b.jump(Instr::If { a: none, to: 0 }, self.span);
        let piece = self.element_at(arrived, first);
        self.emit(Instr::RemoveIndex {
            list: arrived,
            index: first,
        });
        self.call("@arrive", &[piece]);
        self.emit(Instr::Loop { to: next });
        self.b.land(done);
        self.emit(Instr::Loop { to: top });
    }

    /// `@check`(piece): its checkMove, then what became of the move.
    pub(super) fn check(&mut self) {
        let piece = 0;
        self.b.local("piece".into(), piece);
        self.leave_unless_moved(piece);
        let allowed = self.value(Value::TRUE);
        self.b.local("allowed".into(), allowed);
        self.at("the checkMove that fits the piece best decides");
        self.put(Hidden::Checking, piece);
        self.ask_handler(piece, allowed);
        self.nobody_is_checked();
        self.leave_unless_moved(piece);
        self.unless(allowed, |r| {
            r.at("refused: the piece goes back");
            r.tell_refusal(piece, " is refused");
            r.call("@refused", &[piece]);
            r.leave();
        });
        let position = self.field(piece, field::POSITION);
        let inside = self.call("@inside", &[position]);
        self.unless(inside, |r| {
            r.at("outside of the grid: the piece goes back");
            r.tell_refusal(piece, " is outside of the grid");
            r.call("@refused", &[piece]);
            r.leave();
        });
        self.at("allowed: the piece has arrived");
        self.set_field(piece, field::VALIDATED, position);
        let arrival = self.field(piece, field::ARRIVAL);
        self.set_field(piece, field::VALIDATED_ARRIVAL, arrival);
        self.append(Hidden::Arrived, piece);
    }

    /// Whoever plays is told that a piece stays: `frog stays at (0,2): (0,0) is refused`.
    fn tell_refusal(&mut self, piece: Reg, why: &str) {
        self.aside(|r| {
            let words = r.field(piece, field::NAME);
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALIDATED),
            );
            let nowhere =
                r.value(Value::coordinate(NOWHERE.0, NOWHERE.1).unwrap_or(Value::NOTHING));
            let unset = r.same(validated, nowhere);
            r.when(unset, |r| r.add_words(words, " stays nowhere", None));
            r.unless(unset, |r| r.add_words(words, " stays at ", Some(validated)));
            r.add_words(words, ": ", Some(position));
            r.add_words(words, why, None);
            r.emit(Instr::Note { value: words });
        });
    }

    fn add_words(&mut self, words: Reg, text: &str, coordinate: Option<Reg>) {
        let text = self.word(text);
        self.emit(Instr::Join {
            dst: words,
            a: words,
            b: text,
        });
        if let Some(a) = coordinate {
            let part = self.b.register();
            self.emit(Instr::ToText { dst: part, a });
            self.emit(Instr::Join {
                dst: words,
                a: words,
                b: part,
            });
        }
    }

    /// `@refused`(piece): the move is taken back.
    pub(super) fn refused(&mut self) {
        self.b.also("refused".into());
        self.b.local("piece".into(), 0);
        self.at("back to where the piece was last allowed to be");
        self.go_back(0);
    }

    /// One that is gone, or stands where it was last checked, has nothing to be checked.
    fn leave_unless_moved(&mut self, piece: Reg) {
        self.aside(|r| {
            let exists = r.field(piece, field::EXISTS);
            r.unless(exists, |r| r.leave());
            let (position, validated) = (
                r.field(piece, field::POSITION),
                r.field(piece, field::VALIDATED),
            );
            let checked = r.same(position, validated);
            r.when(checked, |r| r.leave());
        });
    }

    fn ask_handler(&mut self, piece: Reg, allowed: Reg) {
        let game = self.shared.scope.game.clone();
        let mut done = Vec::new();
        for handler in &game.moves {
            let mark = self.b.mark();
            let others = self.unless_fits(piece, &handler.receiver);
            let mut arguments = vec![piece];
            if handler.takes_places {
                arguments.push(self.field(piece, field::VALIDATED));
                arguments.push(self.field(piece, field::POSITION));
            }
            let src = self.call(&handler.routine.name, &arguments);
            self.emit(Instr::Move { dst: allowed, src });
            self.b.note_after(self.span, Seen::Register(allowed));
            done.push(self.b.jump(Instr::Jump { to: 0 }, self.span));
            self.b.land_all(others);
            self.b.release(mark);
        }
        self.b.land_all(done);
    }

    /// `@arrive`(piece): the colocation of each other piece in its cell.
    pub(super) fn arrive(&mut self) {
        let mover = 0;
        self.b.local("piece".into(), mover);
        self.at("each other piece in its cell, players first, in order of arrival");
        let place = self.field(mover, field::POSITION);
        for players in [true, false] {
            let players = self.value(Value::bool(players));
            let here = self.call("@standing", &[place, players]);
            self.each(here, |r, other| {
                let locals = r.b.locals();
                r.b.local("other".into(), other);
                r.meet(mover, other, place);
                r.b.end_locals(locals);
            });
        }
    }

    /// The handler of two pieces, if both are still there.
    fn meet(&mut self, mover: Reg, other: Reg, place: Reg) {
        let mut skips = vec![self.b.jump(
            Instr::UnlessNotEqual {
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
            skips.push(self.b.jump(Instr::Unless { a: exists, to: 0 }, self.span));
            skips.push(self.b.jump(
                Instr::UnlessEqual {
                    a: position,
                    b: place,
                    to: 0,
                },
                self.span,
            ));
        }
        let outer = self.span;
        let game = self.shared.scope.game.clone();
        for handler in &game.meetings {
            let mark = self.b.mark();
            let mut others = self.unless_fits(other, &handler.receiver);
            others.extend(self.unless_fits(mover, &handler.argument));
            if let Some(filter) = &handler.filter {
                others.extend(self.unless_fits(mover, filter));
            }
            self.at("the colocation that fits both best is run");
            let title = self.shared.scope.meeting_title(&handler.routine.name);
            self.call(&title, &[other, mover]);
            self.span = outer;
            skips.push(self.b.jump(Instr::Jump { to: 0 }, self.span));
            self.b.land_all(others);
            self.b.release(mark);
        }
        self.b.land_all(skips);
    }

    /// Jumps taken when a piece is not one that a handler is for. What is looked at is noted at the word of the
    /// handler that asks for it, so that a person can be told why it was not run.
    fn unless_fits(&mut self, piece: Reg, sought: &Sought) -> Vec<Jump> {
        let word = sought.span;
        self.b.note_before(word, Seen::Register(piece));
        match &sought.whom {
            Whom::Anything => Vec::new(),
            Whom::Player => {
                let a = self.field(piece, field::PLAYER);
                vec![self.jump_unless_fit(Instr::Unless { a, to: 0 }, word)]
            }
            Whom::Item => {
                let a = self.field(piece, field::PLAYER);
                vec![self.jump_unless_fit(Instr::If { a, to: 0 }, word)]
            }
            Whom::PlayerType(ty) => {
                let player = self.unless_field_is(piece, field::KIND, "Player", word);
                vec![player, self.unless_field_is(piece, field::TYPE, ty, word)]
            }
            Whom::ItemKind(kind) => vec![self.unless_field_is(piece, field::KIND, kind, word)],
            Whom::Instance(name) => {
                let a = self.b.register();
                self.own_global(name, a, self.span);
                vec![self.jump_unless_fit(Instr::UnlessEqual { a, b: piece, to: 0 }, word)]
            }
        }
    }

    fn unless_field_is(&mut self, piece: Reg, item: u16, wanted: &str, word: Span) -> Jump {
        let (a, b) = (self.field(piece, item), self.word(wanted));
        self.b.note_before(word, Seen::Given(a));
        self.jump_unless_fit(Instr::UnlessEqual { a, b, to: 0 }, word)
    }

    fn jump_unless_fit(&mut self, jump: Instr, word: Span) -> Jump {
        let jump = self.b.jump(jump, self.span);
        self.b.note_after(word, Seen::Test { if_taken: false });
        jump
    }

    /// `@gameOver`: the block of the game or the winner's name, then nothing is played any more.
    pub(super) fn game_over(&mut self) {
        let ending = self.get(Hidden::Ending);
        self.unless(ending, |r| {
            r.put_value(Hidden::Ending, Value::TRUE);
            if r.shared.scope.game.game_over.is_some() {
                r.at("gameOver()");
                r.call("gameOver", &[]);
            } else {
                r.at("without a block gameOver the winner is printed");
                r.print_winner();
            }
        });
        self.at("nothing is played any more");
        self.put_value(Hidden::Over, Value::TRUE);
        for variable in [Hidden::Playing, Hidden::Ending] {
            self.put_value(variable, Value::FALSE);
        }
        self.put_value(Hidden::Again, Value::int(0));
        self.nobody_is_checked();
        let names = self.call("@winners", &[]);
        let (nobody, how) = (self.word(""), self.value(Value::int(1)));
        let undecided = self.same(names, nobody);
        self.when(undecided, |r| r.emit(Instr::Int { dst: how, value: 4 }));
        self.emit(Instr::End { how, winner: names });
        let mark = self.get(Hidden::Exit);
        self.emit(Instr::ComeBack { mark });
    }

    fn print_winner(&mut self) {
        let names = self.call("@winners", &[]);
        let (nobody, label) = (self.word(""), self.word("Winner: "));
        let undecided = self.same(names, nobody);
        self.when(undecided, |r| {
            let current = r.get(Hidden::Current);
            let fields = r.length(current);
            let none = r.same_int(fields, 0);
            let name = r.word("nobody");
            r.emit(Instr::Move {
                dst: names,
                src: name,
            });
            r.unless(none, |r| {
                r.emit(Instr::Item {
                    dst: names,
                    of: current,
                    item: field::DISPLAY,
                })
            });
        });
        self.emit(Instr::Join {
            dst: names,
            a: label,
            b: names,
        });
        self.emit(Instr::Print { value: names });
    }

    /// `@winners`: how those who have won are shown, joined; empty if nobody has.
    pub(super) fn winners(&mut self) {
        let (list, yes) = (self.get(Hidden::Pieces), self.value(Value::TRUE));
        self.emit(Instr::Where {
            dst: list,
            list,
            item: field::WIN,
            value: yes,
        });
        let (names, nobody, comma) = (self.word(""), self.word(""), self.word(", "));
        self.each(list, |r, winner| {
            let first = r.same(names, nobody);
            r.unless(first, |r| {
                r.emit(Instr::Join {
                    dst: names,
                    a: names,
                    b: comma,
                })
            });
            let name = r.field(winner, field::DISPLAY);
            r.emit(Instr::Join {
                dst: names,
                a: names,
                b: name,
            });
        });
        self.give(names);
    }
}
