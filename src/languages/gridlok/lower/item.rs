//! Lowers items: what runs when one is defined, at the prompt or at the start of the program.

use super::Lowerer;
use crate::ast::{Item, ItemKind, Name};
use crate::code::{Emit, Instr, Reg, ValueLoc};
use crate::lower::scope::rule_slot;
use crate::source::Span;

impl Lowerer<'_, '_> {
    /// Emits the code that runs when an item is defined; most need none.
    pub(super) fn item(&mut self, item: &Item, runs_setup: bool, seat_players: bool) {
        let in_use = self.builder.registers_in_use();
        match &item.kind {
            ItemKind::Def(def) => {
                self.statement_stop(item.span);
                let src = self.builder.alloc_register();
                self.initializer_to(&def.value, src);
                if let Some(variable) = self.context.scope.variables.get(&def.name.text) {
                    let global = variable.global;
                    self.builder.emit(Instr::RequireValue { a: src }, item.span);
                    self.builder
                        .record_value_before(item.span, ValueLoc::Write(src));
                    self.builder.emit_set_global(global, src, item.span);
                }
            }
            ItemKind::Board(board) => {
                if let Some((rows, cols, span)) = &board.dimensions {
                    self.statement_stop(*span);
                    let (rows, cols) = (self.emit_expr(rows), self.emit_expr(cols));
                    self.builder.emit(Instr::Resize { rows, cols }, *span);
                }
            }
            ItemKind::Players(names) => {
                self.store_names("@players", names, item.span, seat_players)
            }
            ItemKind::TurnOrder(names) => {
                self.store_names("@turnOrder", names, item.span, seat_players)
            }
            ItemKind::EventPriority(names) => {
                self.store_names("@eventPriority", names, item.span, false)
            }
            ItemKind::Setup(_) if runs_setup => self.call_rule("@startGame", &[], item.span),
            _ => {}
        }
        self.builder.release_registers(in_use);
    }

    /// Stores a list of names in a variable of the rules. With `seat_players`, the turn order is
    /// updated at once.
    fn store_names(&mut self, variable: &str, names: &[Name], span: Span, seat_players: bool) {
        let first = self.builder.alloc_block(names.len().max(1));
        for (n, name) in names.iter().enumerate() {
            let dst = first.wrapping_add(n as Reg);
            self.builder.emit_string(dst, &name.text, name.span);
        }
        let list = Instr::List {
            dst: first,
            first,
            count: names.len() as u16,
        };
        self.builder.emit(list, span);
        self.builder
            .emit_set_global(rule_slot(variable), first, span);
        if seat_players {
            self.call_rule("@seatPlayers", &[], span);
        }
    }
}
