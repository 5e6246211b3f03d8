//! The words that the rules of play are written in: a line of `rules.txt`, then what it does.

use super::{Lowerer, RULES};
use crate::code::{Instr, Reg, StopKind};
use crate::languages::gridlang::scope::RuleVariable;
use crate::source::{SourceId, Span};
use crate::value::{InternedStr, Value};

/// Where a line of the rules stands.
pub(super) fn rule_span(words: &str) -> Span {
    RULES
        .find(words)
        .map(|at| Span::new(SourceId::RULES, at, at + words.len()))
        .unwrap_or_default()
}

impl Lowerer<'_, '_> {
    /// The rules come to this line: a person may stop here.
    pub(super) fn rule_line(&mut self, words: &str) {
        self.span = rule_span(words);
        self.builder.stop_point(StopKind::Rule, self.span);
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.builder.emit(instr, self.span);
    }

    pub(super) fn emit_at(&mut self, instr: Instr, span: Span) {
        self.builder.emit(instr, span);
    }

    pub(super) fn constant(&mut self, value: Value) -> Reg {
        let dst = self.builder.alloc_register();
        self.constant_to(dst, value, self.span);
        dst
    }

    pub(super) fn text_constant(&mut self, word: &str) -> Reg {
        self.constant(Value::interned(InternedStr::new(word)))
    }

    pub(super) fn empty_list(&mut self) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::List {
            dst,
            first: dst,
            count: 0,
        });
        dst
    }

    pub(super) fn load_rule_var(&mut self, variable: RuleVariable) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::GetGlobal {
            dst,
            global: variable as u32,
        });
        dst
    }

    pub(super) fn store_rule_var(&mut self, variable: RuleVariable, src: Reg) {
        self.emit(Instr::SetGlobal {
            global: variable as u32,
            src,
        });
    }

    pub(super) fn store_rule_const(&mut self, variable: RuleVariable, value: Value) {
        let mark = self.builder.registers_in_use();
        let src = self.constant(value);
        self.store_rule_var(variable, src);
        self.builder.release_registers(mark);
    }

    pub(super) fn field(&mut self, of: Reg, item: u16) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::Item { dst, of, item });
        dst
    }

    pub(super) fn set_field(&mut self, of: Reg, item: u16, value: Reg) {
        self.emit(Instr::SetItem { of, item, value });
    }

    pub(super) fn length(&mut self, list: Reg) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::Length { dst, list });
        dst
    }

    pub(super) fn element_at(&mut self, list: Reg, index: Reg) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::Index { dst, list, index });
        dst
    }

    pub(super) fn equal(&mut self, a: Reg, b: Reg) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::Equal { dst, a, b });
        dst
    }

    pub(super) fn equal_int(&mut self, a: Reg, value: i32) -> Reg {
        let b = self.constant(Value::int(value));
        self.equal(a, b)
    }

    pub(super) fn less(&mut self, a: Reg, b: Reg) -> Reg {
        let dst = self.builder.alloc_register();
        self.emit(Instr::Less { dst, a, b });
        dst
    }

    pub(super) fn call(&mut self, title: &str, arguments: &[Reg]) -> Reg {
        self.call_at(title, arguments, self.span)
    }

    pub(super) fn fail(&mut self, message: &str, with: Option<Reg>) {
        self.fail_at(message, with, self.span);
    }

    pub(super) fn return_value(&mut self, src: Reg) {
        self.emit(Instr::Return { src });
    }

    pub(super) fn return_nothing(&mut self) {
        self.emit(Instr::ReturnNothing);
    }

    /// Does something if the test is true.
    pub(super) fn when<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self
            .builder
            .emit_jump(Instr::JumpUnless { a: test, to: 0 }, self.span);
        self.scoped(then);
        self.builder.patch_here(skipped);
    }

    /// Does something if the test is false.
    pub(super) fn unless<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self
            .builder
            .emit_jump(Instr::JumpIf { a: test, to: 0 }, self.span);
        self.scoped(then);
        self.builder.patch_here(skipped);
    }

    /// Does something with registers of its own.
    pub(super) fn scoped<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) {
        let mark = self.builder.registers_in_use();
        inside(self);
        self.builder.release_registers(mark);
    }

    /// Does something for every element of a list.
    pub(super) fn for_each(&mut self, list: Reg, inside: impl FnOnce(&mut Self, Reg)) {
        let base = self.builder.alloc_registers(3);
        self.emit(Instr::Move {
            dst: base,
            src: list,
        });
        let none = self
            .builder
            .emit_jump(Instr::ItemsStart { base, to: 0 }, self.span);
        let top = self.builder.next_pc();
        self.scoped(|r| inside(r, base + 2));
        self.emit(Instr::ItemsNext { base, to: top });
        self.builder.patch_here(none);
    }

    /// Does something with every number from 0 to below the one in the register.
    pub(super) fn for_range(&mut self, below: Reg, inside: impl FnOnce(&mut Self, Reg)) {
        let base = self.builder.alloc_registers(2);
        self.emit(Instr::Int {
            dst: base,
            value: 0,
        });
        self.emit(Instr::Move {
            dst: base + 1,
            src: below,
        });
        let none = self
            .builder
            .emit_jump(Instr::RangeStart { base, to: 0 }, self.span);
        let top = self.builder.next_pc();
        self.scoped(|r| inside(r, base));
        self.emit(Instr::RangeNext { base, to: top });
        self.builder.patch_here(none);
    }

    /// The number of a variable of the rules goes up by one.
    pub(super) fn increment(&mut self, variable: RuleVariable) -> Reg {
        let n = self.load_rule_var(variable);
        self.emit(Instr::AddInt {
            dst: n,
            a: n,
            value: 1,
        });
        self.store_rule_var(variable, n);
        n
    }

    /// Appends to a list of the rules.
    pub(super) fn append(&mut self, variable: RuleVariable, value: Reg) {
        let list = self.load_rule_var(variable);
        self.emit(Instr::Append { list, value });
    }
}

#[cfg(test)]
mod tests {
    use super::super::RULES;

    #[test]
    fn no_line_of_the_rules_begins_another_one() {
        let lines: Vec<&str> = RULES
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        for line in &lines {
            assert_eq!(RULES.matches(line).count(), 1, "{line}");
        }
    }
}
