//! Helpers to emit the rules of play. Each line of `rules.txt` is followed by the code for it.

use super::{Lowerer, RULES};
use crate::code::{Instr, Reg, StopKind};
use crate::languages::gridlang::lower::scope::RuleVariable;
use crate::source::{SourceId, Span};
use crate::value::{InternedStr, Value};

/// The span of a line in `rules.txt`.
pub(super) fn rule_span(line: &str) -> Span {
    RULES
        .find(line)
        .map(|at| Span::new(SourceId::RULES, at, at + line.len()))
        .unwrap_or_default()
}

impl Lowerer<'_, '_> {
    /// Starts the code for a line of the rules, where the debugger can stop.
    pub(super) fn rule_line(&mut self, line: &str) {
        self.span = rule_span(line);
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

    pub(super) fn text_constant(&mut self, text: &str) -> Reg {
        self.constant(Value::interned(InternedStr::new(text)))
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
        let in_use = self.builder.registers_in_use();
        let src = self.constant(value);
        self.store_rule_var(variable, src);
        self.builder.release_registers(in_use);
    }

    /// Loads a field of a piece; `item` is a constant of `scope::field`.
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

    pub(super) fn call(&mut self, name: &str, arguments: &[Reg]) -> Reg {
        self.call_at(name, arguments, self.span)
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

    /// Emits `then` so that it runs if the register is true.
    pub(super) fn when<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self
            .builder
            .emit_jump(Instr::JumpUnless { a: test, to: 0 }, self.span);
        self.scoped(then);
        self.builder.patch_here(skipped);
    }

    /// Emits `then` so that it runs if the register is false.
    pub(super) fn unless<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self
            .builder
            .emit_jump(Instr::JumpIf { a: test, to: 0 }, self.span);
        self.scoped(then);
        self.builder.patch_here(skipped);
    }

    /// Emits `body` and releases the registers that it allocates.
    pub(super) fn scoped<R>(&mut self, body: impl FnOnce(&mut Self) -> R) {
        let in_use = self.builder.registers_in_use();
        body(self);
        self.builder.release_registers(in_use);
    }

    /// Emits a loop over the elements of a list.
    pub(super) fn for_each(&mut self, list: Reg, body: impl FnOnce(&mut Self, Reg)) {
        let base = self.builder.alloc_registers(3);
        self.emit(Instr::Move {
            dst: base,
            src: list,
        });
        let skip_loop = self
            .builder
            .emit_jump(Instr::ItemsStart { base, to: 0 }, self.span);
        let top = self.builder.next_pc();
        self.scoped(|r| body(r, base + 2));
        self.emit(Instr::ItemsNext { base, to: top });
        self.builder.patch_here(skip_loop);
    }

    /// Emits a loop over the ints from 0 to the value of `end`, exclusive.
    pub(super) fn for_range(&mut self, end: Reg, body: impl FnOnce(&mut Self, Reg)) {
        let base = self.builder.alloc_registers(2);
        self.emit(Instr::Int {
            dst: base,
            value: 0,
        });
        self.emit(Instr::Move {
            dst: base + 1,
            src: end,
        });
        let skip_loop = self
            .builder
            .emit_jump(Instr::RangeStart { base, to: 0 }, self.span);
        let top = self.builder.next_pc();
        self.scoped(|r| body(r, base));
        self.emit(Instr::RangeNext { base, to: top });
        self.builder.patch_here(skip_loop);
    }

    /// Increments a rule variable and returns the register of its new value.
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

    /// Appends to a list in a rule variable.
    pub(super) fn append(&mut self, variable: RuleVariable, value: Reg) {
        let list = self.load_rule_var(variable);
        self.emit(Instr::Append { list, value });
    }
}

#[cfg(test)]
mod tests {
    use super::super::RULES;

    #[test]
    fn every_line_of_the_rules_is_unique() {
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
