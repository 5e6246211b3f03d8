//! Rules for the turn order: `playerOrder` and the current player.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::lower::scope::{RuleVariable, field};
use crate::value::Value;

impl Lowerer<'_, '_> {
    /// `@removePlayer(player)`: removes a player from `playerOrder`; the next player moves up.
    pub(super) fn remove_from_order(&mut self) {
        let player = 0;
        self.builder.set_alias("leaves".into());
        self.builder.begin_local("player".into(), player);
        self.rule_line("remove the player from playerOrder; the next player moves up");
        let (order, index) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::OrderIndex),
        );
        let n = self.constant(Value::int(0));
        let top = self.builder.next_pc();
        let in_use = self.builder.registers_in_use();
        let count = self.length(order);
        let done = self.builder.emit_jump(
            Instr::JumpUnlessLess {
                a: n,
                b: count,
                to: 0,
            },
            self.span,
        );
        let element = self.element_at(order, n);
        let no_match = self.builder.emit_jump(
            Instr::JumpUnlessEqual {
                a: element,
                b: player,
                to: 0,
            },
            self.span,
        );
        self.emit(Instr::RemoveIndex {
            list: order,
            index: n,
        });
        let is_before_current = self.less(n, index);
        self.when(is_before_current, |r| {
            r.emit(Instr::SubtractInt {
                dst: index,
                a: index,
                value: 1,
            })
        });
        self.emit(Instr::Loop { to: top });
        self.builder.patch_here(no_match);
        self.emit(Instr::AddInt {
            dst: n,
            a: n,
            value: 1,
        });
        self.emit(Instr::Loop { to: top });
        self.builder.patch_here(done);
        self.builder.release_registers(in_use);
        self.store_rule_var(RuleVariable::OrderIndex, index);
    }

    /// `@indexOf(list, piece)`: the first index of the piece in the list, or -1.
    pub(super) fn index_of(&mut self) {
        let (list, piece) = (0, 1);
        let count = self.length(list);
        self.for_range(count, |r, at| {
            let element = r.element_at(list, at);
            let found = r.equal(element, piece);
            r.when(found, |r| r.return_value(at));
        });
        let none = self.constant(Value::int(-1));
        self.return_value(none);
    }

    /// `@setOrder(list)`. Before the first turn, the first player of the list begins. Later the
    /// current player keeps the turn or, if not in the list, the next player of the old order that
    /// is.
    pub(super) fn set_order(&mut self) {
        let new_order = 0;
        self.for_each(new_order, |r, player| {
            let fields = r.length(player);
            let is_null = r.equal_int(fields, 0);
            r.when(is_null, |r| {
                r.fail(
                    "`playerOrder` cannot contain `nobody` | use players only",
                    None,
                )
            });
        });
        let new = self.builder.alloc_register();
        self.emit(Instr::Copy {
            dst: new,
            src: new_order,
        });
        let (old, current, index) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::CurrentPlayer),
            self.load_rule_var(RuleVariable::OrderIndex),
        );
        self.store_rule_var(RuleVariable::PlayerOrder, new);
        self.store_rule_const(RuleVariable::HasCustomOrder, Value::TRUE);
        let turns = self.load_rule_var(RuleVariable::TurnCount);
        let is_before_first_turn = self.equal_int(turns, 0);
        self.when(is_before_first_turn, |r| {
            r.store_rule_const(RuleVariable::OrderIndex, Value::int(0));
            r.return_nothing();
        });
        let count = self.length(new);
        let within = self.less(index, count);
        self.when(within, |r| {
            let player = r.element_at(new, index);
            let same = r.equal(player, current);
            r.when(same, |r| r.return_nothing());
        });
        self.select_if_listed(new, current);
        let old_count = self.length(old);
        self.for_range(old_count, |r, n| {
            let (at, count) = (r.builder.alloc_register(), r.length(old));
            r.emit(Instr::Add {
                dst: at,
                a: index,
                b: n,
            });
            r.emit(Instr::Remainder {
                dst: at,
                a: at,
                b: count,
            });
            let next = r.element_at(old, at);
            r.select_if_listed(new, next);
        });
        self.store_rule_const(RuleVariable::OrderIndex, Value::int(0));
    }

    /// If the player is in the list, makes it the current one and returns from `@setOrder`.
    fn select_if_listed(&mut self, list: Reg, player: Reg) {
        self.scoped(|r| {
            let found = r.call("@indexOf", &[list, player]);
            let none = r.equal_int(found, -1);
            r.unless(none, |r| {
                r.store_rule_var(RuleVariable::OrderIndex, found);
                r.return_nothing();
            });
        });
    }

    /// `@selectPlayer`: sets `p` to the player at the order index. If no players are left, `p` does
    /// not change.
    pub(super) fn select_player(&mut self) {
        let order = self.load_rule_var(RuleVariable::PlayerOrder);
        let count = self.length(order);
        let empty = self.equal_int(count, 0);
        self.when(empty, |r| r.return_nothing());
        let index = self.load_rule_var(RuleVariable::OrderIndex);
        self.emit(Instr::Remainder {
            dst: index,
            a: index,
            b: count,
        });
        self.store_rule_var(RuleVariable::OrderIndex, index);
        let player = self.element_at(order, index);
        self.store_rule_var(RuleVariable::CurrentPlayer, player);
        self.store_rule_var(RuleVariable::P, player);
    }

    /// `@nextPlayer`: advances to the next player. If the current one has left `playerOrder`, the
    /// next has already moved up.
    pub(super) fn advance_turn(&mut self) {
        let (order, index, current) = (
            self.load_rule_var(RuleVariable::PlayerOrder),
            self.load_rule_var(RuleVariable::OrderIndex),
            self.load_rule_var(RuleVariable::CurrentPlayer),
        );
        let count = self.length(order);
        let within = self.less(index, count);
        self.when(within, |r| {
            let player = r.element_at(order, index);
            let is_listed = r.equal(player, current);
            r.when(is_listed, |r| r.increment(RuleVariable::OrderIndex));
        });
        self.call("@selectPlayer", &[]);
    }

    /// `@dropPlayers`: removes players who have won or no longer exist.
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
            let (won, exists) = (r.field(player, field::WIN), r.field(player, field::EXISTS));
            r.when(won, |r| r.call("@removePlayer", &[player]));
            r.unless(won, |r| {
                r.unless(exists, |r| r.call("@removePlayer", &[player]))
            });
        });
    }
}
