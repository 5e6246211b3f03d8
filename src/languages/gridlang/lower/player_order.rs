//! Whose turn it is: playerOrder, and how it changes under the one who sits in it.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::scope::{RuleVariable, field};
use crate::value::Value;

impl Lowerer<'_, '_> {
    /// `@leave`(player): out of playerOrder; the one who follows takes the seat.
    pub(super) fn remove_from_order(&mut self) {
        let player = 0;
        self.builder.set_alias("leaves".into());
        self.builder.begin_local("player".into(), player);
        self.rule_line("out of playerOrder, at once; the one who follows takes the seat");
        let (order, seat) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::OrderIndex),
        );
        let n = self.constant(Value::int(0));
        let top = self.builder.next_pc();
        let mark = self.builder.registers_in_use();
        let count = self.length(order);
        let done = self.builder.emit_jump(
            Instr::JumpUnlessLess {
                a: n,
                b: count,
                to: 0,
            },
            self.span,
        );
        let one = self.element_at(order, n);
        let other = self.builder.emit_jump(
            Instr::JumpUnlessEqual {
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
        self.builder.patch_here(other);
        self.emit(Instr::AddInt {
            dst: n,
            a: n,
            value: 1,
        });
        self.emit(Instr::Loop { to: top });
        self.builder.patch_here(done);
        self.builder.release_registers(mark);
        self.store_rule_var(RuleVariable::OrderIndex, seat);
    }

    /// `@find`(list, piece): its first place in the list, or -1.
    pub(super) fn index_of(&mut self) {
        let (list, piece) = (0, 1);
        let n = self.length(list);
        self.for_range(n, |r, at| {
            let one = r.element_at(list, at);
            let found = r.equal(one, piece);
            r.when(found, |r| r.return_value(at));
        });
        let none = self.constant(Value::int(-1));
        self.return_value(none);
    }

    /// `@setOrder`(list): before the first turn its first begins. Later the one on turn keeps the turn; without
    /// that one it goes to whoever would have followed.
    pub(super) fn set_order(&mut self) {
        let given = 0;
        self.for_each(given, |r, player| {
            let fields = r.length(player);
            let nobody = r.equal_int(fields, 0);
            r.when(nobody, |r| {
                r.fail("nobody can't be in playerOrder | put players into it", None)
            });
        });
        let new = self.builder.alloc_register();
        self.emit(Instr::Copy {
            dst: new,
            src: given,
        });
        let (old, current, seat) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::CurrentPlayer),
            self.load_rule_var(RuleVariable::OrderIndex),
        );
        self.store_rule_var(RuleVariable::PlayerOrder, new);
        self.store_rule_const(RuleVariable::HasCustomOrder, Value::TRUE);
        let turns = self.load_rule_var(RuleVariable::TurnCount);
        let unplayed = self.equal_int(turns, 0);
        self.when(unplayed, |r| {
            r.store_rule_const(RuleVariable::OrderIndex, Value::int(0));
            r.return_nothing();
        });
        let count = self.length(new);
        let within = self.less(seat, count);
        self.when(within, |r| {
            let there = r.element_at(new, seat);
            let same = r.equal(there, current);
            r.when(same, |r| r.return_nothing());
        });
        self.take_seat(new, current);
        let followers = self.length(old);
        self.for_range(followers, |r, n| {
            let (at, all) = (r.builder.alloc_register(), r.length(old));
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
        self.store_rule_const(RuleVariable::OrderIndex, Value::int(0));
    }

    /// If the player is in the list, that is where the turn is, and all is done.
    fn take_seat(&mut self, list: Reg, player: Reg) {
        self.scoped(|r| {
            let found = r.call("@find", &[list, player]);
            let none = r.equal_int(found, -1);
            r.unless(none, |r| {
                r.store_rule_var(RuleVariable::OrderIndex, found);
                r.return_nothing();
            });
        });
    }

    /// `@sit`: p becomes the player at the seat; when all have left, p stays the last one.
    pub(super) fn select_player(&mut self) {
        let order = self.load_rule_var(RuleVariable::PlayerOrder);
        let count = self.length(order);
        let empty = self.equal_int(count, 0);
        self.when(empty, |r| r.return_nothing());
        let seat = self.load_rule_var(RuleVariable::OrderIndex);
        self.emit(Instr::Remainder {
            dst: seat,
            a: seat,
            b: count,
        });
        self.store_rule_var(RuleVariable::OrderIndex, seat);
        let player = self.element_at(order, seat);
        self.store_rule_var(RuleVariable::CurrentPlayer, player);
        self.store_rule_var(RuleVariable::P, player);
    }

    /// `@follow`: the turn goes on to the next, unless the one who played has left the seat already.
    pub(super) fn advance_turn(&mut self) {
        let (order, seat, current) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::OrderIndex),
            self.load_rule_var(RuleVariable::CurrentPlayer),
        );
        let count = self.length(order);
        let within = self.less(seat, count);
        self.when(within, |r| {
            let there = r.element_at(order, seat);
            let still = r.equal(there, current);
            r.when(still, |r| r.increment(RuleVariable::OrderIndex));
        });
        self.call("@sit", &[]);
    }

    /// `@dropOut`: those who have won or are gone leave.
    pub(super) fn remove_finished_players(&mut self) {
        let (order, all) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.builder.alloc_register(),
        );
        self.emit(Instr::Copy {
            dst: all,
            src: order,
        });
        self.for_each(all, |r, player| {
            let (won, there) = (r.field(player, field::WIN), r.field(player, field::EXISTS));
            r.when(won, |r| r.call("@leave", &[player]));
            r.unless(won, |r| r.unless(there, |r| r.call("@leave", &[player])));
        });
    }
}
