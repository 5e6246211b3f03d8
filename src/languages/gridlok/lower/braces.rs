//! Lowers braces after a name, whose meaning depends on the name: a call, an assignment, the block of a
//! player.

use super::{BodyKind, Lowerer};
use crate::ast::{BraceContent, ExprKind, Name};
use crate::code::Reg;
use crate::lower::scope::rule_slot;
use crate::source::Span;

impl Lowerer<'_, '_> {
    /// Lowers `name{…}`. Its meaning depends on what the name refers to.
    pub(super) fn braces(&mut self, name: &Name, content: &BraceContent, span: Span) {
        let word = &*name.text;
        if self.body_kind == BodyKind::Setup
            && self.find_local(word).is_none()
            && self.is_player(word)
        {
            return self.player_block(word, content, span);
        }
        match content {
            BraceContent::Arguments(arguments)
                if self.find_local(word).is_none() && !self.is_variable(word) =>
            {
                if !self.builtin(word, arguments, span) {
                    self.invoke(name, arguments, span);
                }
            }
            BraceContent::Arguments(arguments) => match arguments.as_slice() {
                [value] => self.assign(word, value, span),
                _ => self.emit_fail(&format!("`{word}` is a variable and takes one value"), span),
            },
            BraceContent::List(items, at) => self.replace_list(word, items, *at, span),
            BraceContent::Block(_) => {
                self.emit_fail(&format!("`{word}` is not a player"), name.span)
            }
        }
    }

    fn is_player(&self, word: &str) -> bool {
        self.context.scope.has_player(word)
            && !self.is_variable(word)
            && self.context.scope.function(word).is_none()
    }

    /// Lowers the block of a player in setup: `turn` and the owner of new pieces are set to the
    /// player while it runs.
    fn player_block(&mut self, player: &str, content: &BraceContent, span: Span) {
        let globals = [rule_slot("turn"), rule_slot("@owner")];
        let saved = self.builder.alloc_registers(2);
        for (n, global) in globals.into_iter().enumerate() {
            self.builder.emit_get_global(saved + n as Reg, global, span);
        }
        let as_player = self.builder.alloc_register();
        self.builder.emit_string(as_player, player, span);
        for global in globals {
            self.builder.emit_set_global(global, as_player, span);
        }
        match content {
            BraceContent::Block(block) => self.block(block),
            // Calls that were parsed as arguments are statements here.
            BraceContent::Arguments(calls) => self.scoped(|body| {
                for call in calls {
                    if let ExprKind::Call(name, arguments) = &call.kind {
                        body.statement_stop(call.span);
                        let in_use = body.builder.registers_in_use();
                        body.braces(name, &BraceContent::Arguments(arguments.clone()), call.span);
                        body.builder.release_registers(in_use);
                    } else {
                        body.emit_fail("expected statements in the block of a player", call.span);
                    }
                }
            }),
            BraceContent::List(..) => {
                self.emit_fail("expected statements in the block of a player", span)
            }
        }
        for (n, global) in globals.into_iter().enumerate() {
            self.builder.emit_set_global(global, saved + n as Reg, span);
        }
    }
}
