//! Whose turn it is: playerOrder, and how it changes under the one who sits in it.

use super::Body;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::scope::{Hidden, field};
use crate::value::Value;

impl Body<'_, '_> {
    /// `@leave`(player): out of playerOrder; the one who follows takes the seat.
    pub(super) fn leave_order(&mut self) {
        let player = 0;
        self.b.also("leaves".into());
        self.b.local("player".into(), player);
        self.at("out of playerOrder, at once; the one who follows takes the seat");
        let (order, seat) = (self.get(Hidden::Order), self.get(Hidden::Seat));
        let n = self.value(Value::int(0));
        let top = self.b.here();
        let mark = self.b.mark();
        let count = self.length(order);
        let done = self.b.jump(
            Instr::UnlessLess {
                a: n,
                b: count,
                to: 0,
            },
            self.span,
        );
        let one = self.element_at(order, n);
        let other = self.b.jump(
            Instr::UnlessEqual {
                a: one,
                b: player,
                to: 0,
            },
            self.span,
        );
        self.emit(Instr::RemoveIndex {
            list: order,
            index: n,
        });
        let before = self.less(n, seat);
        self.when(before, |r| {
            r.emit(Instr::SubtractInt {
                dst: seat,
                a: seat,
                value: 1,
            })
        });
        self.emit(Instr::Loop { to: top });
        self.b.land(other);
        self.emit(Instr::AddInt {
            dst: n,
            a: n,
            value: 1,
        });
        self.emit(Instr::Loop { to: top });
        self.b.land(done);
        self.b.release(mark);
        self.put(Hidden::Seat, seat);
    }

    /// `@find`(list, piece): its first place in the list, or -1.
    pub(super) fn find(&mut self) {
        let (list, piece) = (0, 1);
        let n = self.length(list);
        self.count(n, |r, at| {
            let one = r.element_at(list, at);
            let found = r.same(one, piece);
            r.when(found, |r| r.give(at));
        });
        let none = self.value(Value::int(-1));
        self.give(none);
    }

    /// `@setOrder`(list): before the first turn its first begins. Later the one on turn keeps the turn; without
    /// that one it goes to whoever would have followed.
    pub(super) fn set_order(&mut self) {
        let given = 0;
        self.each(given, |r, player| {
            let fields = r.length(player);
            let nobody = r.same_int(fields, 0);
            r.when(nobody, |r| {
                r.fail("nobody can't be in playerOrder | put players into it", None)
            });
        });
        let new = self.b.register();
        self.emit(Instr::Copy {
            dst: new,
            src: given,
        });
        let (old, current, seat) = (
            self.get(Hidden::Order),
            self.get(Hidden::Current),
            self.get(Hidden::Seat),
        );
        self.put(Hidden::Order, new);
        self.put_value(Hidden::OrderGiven, Value::TRUE);
        let turns = self.get(Hidden::Turns);
        let unplayed = self.same_int(turns, 0);
        self.when(unplayed, |r| {
            r.put_value(Hidden::Seat, Value::int(0));
            r.leave();
        });
        let count = self.length(new);
        let within = self.less(seat, count);
        self.when(within, |r| {
            let there = r.element_at(new, seat);
            let same = r.same(there, current);
            r.when(same, |r| r.leave());
        });
        self.take_seat(new, current);
        let followers = self.length(old);
        self.count(followers, |r, n| {
            let (at, all) = (r.b.register(), r.length(old));
            r.emit(Instr::Add {
                dst: at,
                a: seat,
                b: n,
            });
            r.emit(Instr::Remainder {
                dst: at,
                a: at,
                b: all,
            });
            let follower = r.element_at(old, at);
            r.take_seat(new, follower);
        });
        self.put_value(Hidden::Seat, Value::int(0));
    }

    /// If the player is in the list, that is where the turn is, and all is done.
    fn take_seat(&mut self, list: Reg, player: Reg) {
        self.aside(|r| {
            let found = r.call("@find", &[list, player]);
            let none = r.same_int(found, -1);
            r.unless(none, |r| {
                r.put(Hidden::Seat, found);
                r.leave();
            });
        });
    }

    /// `@sit`: p becomes the player at the seat; when all have left, p stays the last one.
    pub(super) fn sit(&mut self) {
        let order = self.get(Hidden::Order);
        let count = self.length(order);
        let empty = self.same_int(count, 0);
        self.when(empty, |r| r.leave());
        let seat = self.get(Hidden::Seat);
        self.emit(Instr::Remainder {
            dst: seat,
            a: seat,
            b: count,
        });
        self.put(Hidden::Seat, seat);
        let player = self.element_at(order, seat);
        self.put(Hidden::Current, player);
        self.put(Hidden::P, player);
    }

    /// `@follow`: the turn goes on to the next, unless the one who played has left the seat already.
    pub(super) fn follow(&mut self) {
        let (order, seat, current) = (
            self.get(Hidden::Order),
            self.get(Hidden::Seat),
            self.get(Hidden::Current),
        );
        let count = self.length(order);
        let within = self.less(seat, count);
        self.when(within, |r| {
            let there = r.element_at(order, seat);
            let still = r.same(there, current);
            r.when(still, |r| r.step_up(Hidden::Seat));
        });
        self.call("@sit", &[]);
    }

    /// `@dropOut`: those who have won or are gone leave.
    pub(super) fn drop_out(&mut self) {
        let (order, all) = (self.get(Hidden::Order), self.b.register());
        self.emit(Instr::Copy {
            dst: all,
            src: order,
        });
        self.each(all, |r, player| {
            let (won, there) = (r.field(player, field::WIN), r.field(player, field::EXISTS));
            r.when(won, |r| r.call("@leave", &[player]));
            r.unless(won, |r| r.unless(there, |r| r.call("@leave", &[player])));
        });
    }
}
