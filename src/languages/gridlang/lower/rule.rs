//! The words that the rules of play are written in: a line of `rules.txt`, then what it does.

use super::{Body, RULES};
use crate::code::{Instr, Reg, StopKind};
use crate::languages::gridlang::scope::Hidden;
use crate::source::{SourceId, Span};
use crate::value::{Text, Value};

/// Where a line of the rules stands.
pub(super) fn line(words: &str) -> Span {
    RULES
        .find(words)
        .map(|at| Span::new(SourceId::RULES, at, at + words.len()))
        .unwrap_or_default()
}

impl Body<'_, '_> {
    /// The rules come to this line: a person may stop here.
    pub(super) fn at(&mut self, words: &str) {
        self.span = line(words);
        self.b.stop(StopKind::Rule, self.span);
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.b.emit(instr, self.span);
    }

    pub(super) fn emit_at(&mut self, instr: Instr, span: Span) {
        self.b.emit(instr, span);
    }

    pub(super) fn value(&mut self, value: Value) -> Reg {
        let dst = self.b.register();
        self.constant_to(dst, value, self.span);
        dst
    }

    pub(super) fn word(&mut self, word: &str) -> Reg {
        self.value(Value::text(Text::new(word)))
    }

    pub(super) fn empty_list(&mut self) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::List {
            dst,
            first: dst,
            count: 0,
        });
        dst
    }

    pub(super) fn get(&mut self, variable: Hidden) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Global {
            dst,
            global: variable as u32,
        });
        dst
    }

    pub(super) fn put(&mut self, variable: Hidden, src: Reg) {
        self.emit(Instr::SetGlobal {
            global: variable as u32,
            src,
        });
    }

    pub(super) fn put_value(&mut self, variable: Hidden, value: Value) {
        let mark = self.b.mark();
        let src = self.value(value);
        self.put(variable, src);
        self.b.release(mark);
    }

    pub(super) fn field(&mut self, of: Reg, item: u16) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Item { dst, of, item });
        dst
    }

    pub(super) fn set_field(&mut self, of: Reg, item: u16, value: Reg) {
        self.emit(Instr::SetItem { of, item, value });
    }

    pub(super) fn length(&mut self, list: Reg) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Length { dst, list });
        dst
    }

    pub(super) fn element_at(&mut self, list: Reg, index: Reg) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Index { dst, list, index });
        dst
    }

    pub(super) fn same(&mut self, a: Reg, b: Reg) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Equal { dst, a, b });
        dst
    }

    pub(super) fn same_int(&mut self, a: Reg, value: i32) -> Reg {
        let b = self.value(Value::int(value));
        self.same(a, b)
    }

    pub(super) fn less(&mut self, a: Reg, b: Reg) -> Reg {
        let dst = self.b.register();
        self.emit(Instr::Less { dst, a, b });
        dst
    }

    pub(super) fn call(&mut self, title: &str, arguments: &[Reg]) -> Reg {
        self.call_at(title, arguments, self.span)
    }

    pub(super) fn fail(&mut self, message: &str, with: Option<Reg>) {
        self.fail_at(message, with, self.span);
    }

    pub(super) fn give(&mut self, src: Reg) {
        self.emit(Instr::Return { src });
    }

    pub(super) fn leave(&mut self) {
        self.emit(Instr::ReturnNothing);
    }

    /// Does something if the test is true.
    pub(super) fn when<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self.b.jump(Instr::Unless { a: test, to: 0 }, self.span);
        self.aside(then);
        self.b.land(skipped);
    }

    /// Does something if the test is false.
    pub(super) fn unless<R>(&mut self, test: Reg, then: impl FnOnce(&mut Self) -> R) {
        let skipped = self.b.jump(Instr::If { a: test, to: 0 }, self.span);
        self.aside(then);
        self.b.land(skipped);
    }

    /// Does something with registers of its own.
    pub(super) fn aside<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) {
        let mark = self.b.mark();
        inside(self);
        self.b.release(mark);
    }

    /// Does something for every element of a list.
    pub(super) fn each(&mut self, list: Reg, inside: impl FnOnce(&mut Self, Reg)) {
        let base = self.b.registers(3);
        self.emit(Instr::Move {
            dst: base,
            src: list,
        });
        let none = self.b.jump(Instr::ItemsStart { base, to: 0 }, self.span);
        let top = self.b.here();
        self.aside(|r| inside(r, base + 2));
        self.emit(Instr::ItemsNext { base, to: top });
        self.b.land(none);
    }

    /// Does something with every number from 0 to below the one in the register.
    pub(super) fn count(&mut self, below: Reg, inside: impl FnOnce(&mut Self, Reg)) {
        let base = self.b.registers(2);
        self.emit(Instr::Int {
            dst: base,
            value: 0,
        });
        self.emit(Instr::Move {
            dst: base + 1,
            src: below,
        });
        let none = self.b.jump(Instr::RangeStart { base, to: 0 }, self.span);
        let top = self.b.here();
        self.aside(|r| inside(r, base));
        self.emit(Instr::RangeNext { base, to: top });
        self.b.land(none);
    }

    /// The number of a variable of the rules goes up by one.
    pub(super) fn step_up(&mut self, variable: Hidden) -> Reg {
        let n = self.get(variable);
        self.emit(Instr::AddInt {
            dst: n,
            a: n,
            value: 1,
        });
        self.put(variable, n);
        n
    }

    /// Appends to a list of the rules.
    pub(super) fn append(&mut self, variable: Hidden, value: Reg) {
        let list = self.get(variable);
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
