//! Calls of the program's own functions, and the built-in ones.

use super::Body;
use crate::code::{Along, Instr, Reg, Seen};
use crate::languages::bogl::ast::{Expr, Kind as Node, Word};
use crate::languages::bogl::builtin::Builtin;
use crate::languages::bogl::notes::Meaning;
use crate::languages::bogl::scope::{ASKED, BOARD, PLACED};
use crate::languages::bogl::types::Signed;
use crate::source::Span;
use crate::value::{Text, Value};

impl Body<'_> {
    pub(super) fn call(&mut self, function: &Word, arguments: &[Expr], dst: Reg, span: Span) {
        if let Some(Meaning::Builtin(builtin)) = self.notes.names.get(&function.span) {
            return self.builtin(*builtin, arguments, dst, span);
        }
        let count = self.parameters(&function.text);
        // A result that belongs in the last register that is taken can come straight there.
        let base = match dst + 1 == self.b.mark() {
            true => {
                self.b.registers(count.saturating_sub(1));
                dst
            }
            false => self.b.registers(count.max(1)),
        };
        match (count, arguments) {
            (0, _) => {}
            (1, [only]) => self.expr_to(only, base),
            (1, several) => {
                // An extended tuple is one parameter, even if its parts are given.
                let first = self.b.registers(several.len() as u16);
                self.in_a_row(several, first);
                self.b.emit(
                    Instr::Tuple {
                        dst: base,
                        first,
                        count: several.len() as u16,
                    },
                    span,
                );
            }
            (_, [only]) => self.spread(only, base, count),
            (_, several) => self.in_a_row(several, base),
        }
        for n in 0..count {
            let part = arguments
                .get(n as usize)
                .filter(|_| arguments.len() == count as usize)
                .or(arguments.first());
            self.b
                .note_before(part.map_or(span, |part| part.span), Seen::Given(base + n));
        }
        match self.scope.codes.get(&function.text) {
            Some(&function) => self.b.emit(Instr::Call { function, base }, span),
            None => return self.fail(&format!("`{}` is not defined", function.text), span),
        };
        if base != dst {
            self.b.emit(Instr::Move { dst, src: base }, span);
        }
        // Not after the call itself: that is done when the function begins.
        self.ends(dst, span);
    }

    /// How many registers a function takes its argument in.
    fn parameters(&self, name: &str) -> u16 {
        match self.scope.env.global(name).map(|global| &global.signed) {
            Some(Signed::Function { argument, .. }) => {
                argument.parts().map_or(1, |parts| parts.len() as u16)
            }
            _ => 0,
        }
    }

    /// The arguments of a built-in function, each in some register, evaluated from left to right.
    fn operands<const N: usize>(&mut self, arguments: &[Expr]) -> [Reg; N] {
        let parts = match arguments {
            [
                Expr {
                    kind: Node::Tuple(parts),
                    ..
                },
            ] if N > 1 => parts.as_slice(),
            _ => arguments,
        };
        let mut found = [0; N];
        match parts {
            [only] if N > 1 => {
                let first = self.b.registers(N as u16);
                self.spread(only, first, N as u16);
                found
                    .iter_mut()
                    .enumerate()
                    .for_each(|(n, place)| *place = first + n as Reg);
            }
            _ => {
                for (place, part) in found.iter_mut().zip(parts) {
                    *place = self.expr(part);
                }
            }
        }
        found
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], dst: Reg, span: Span) {
        let board = self.scope.env.types().board();
        match builtin {
            Builtin::Input => return self.input(dst, span),
            Builtin::Width => self.int(board.width.into(), dst, span),
            Builtin::Height => self.int(board.height.into(), dst, span),
            Builtin::Place => return self.place(arguments, dst, span),
            Builtin::Not => {
                let [a] = self.operands(arguments);
                self.b.emit(Instr::Not { dst, a }, span);
            }
            Builtin::And | Builtin::Or => return self.both(builtin, arguments, dst, span),
            Builtin::Count | Builtin::CountBoard => {
                let [value, grid] = self.operands(arguments);
                self.b.emit(Instr::GridCount { dst, grid, value }, span);
            }
            Builtin::LongestRow => self.run(Along::ALL, arguments, dst, span),
            Builtin::CountRow => self.run(Along::ROWS, arguments, dst, span),
            Builtin::CountCol => self.run(Along::COLUMNS, arguments, dst, span),
            Builtin::CountDiag => self.run(Along::DIAGONALS, arguments, dst, span),
            Builtin::InARow => {
                let [wanted, value, grid] = self.operands(arguments);
                let longest = self.b.register();
                self.b.emit(
                    Instr::GridRun {
                        dst: longest,
                        grid,
                        value,
                        along: Along::ALL,
                    },
                    span,
                );
                self.b.emit(
                    Instr::LessEqual {
                        dst,
                        a: wanted,
                        b: longest,
                    },
                    span,
                );
            }
            Builtin::IsFull => {
                let [grid] = self.operands(arguments);
                let (value, none) = (self.b.register(), self.b.register());
                self.constant(Value::symbol(Text::new("Empty")), value, span);
                self.int(0, none, span);
                self.b.emit(Instr::GridCount { dst, grid, value }, span);
                self.b.emit(
                    Instr::Same {
                        dst,
                        a: dst,
                        b: none,
                        is: true,
                    },
                    span,
                );
            }
        }
        self.seen(dst, span);
    }

    fn run(&mut self, along: Along, arguments: &[Expr], dst: Reg, span: Span) {
        let [value, grid] = self.operands(arguments);
        self.b.emit(
            Instr::GridRun {
                dst,
                grid,
                value,
                along,
            },
            span,
        );
    }

    /// Both sides are evaluated, whatever the first one is.
    fn both(&mut self, builtin: Builtin, arguments: &[Expr], dst: Reg, span: Span) {
        let [a, b] = self.operands(arguments);
        let decided = match builtin {
            Builtin::And => Instr::Unless { a, to: 0 },
            _ => Instr::If { a, to: 0 },
        };
        let result = self.b.register();
        self.b.emit(
            Instr::Move {
                dst: result,
                src: a,
            },
            span,
        );
        let done = self.b.jump(decided, span);
        self.b.emit(
            Instr::Move {
                dst: result,
                src: b,
            },
            span,
        );
        self.b.land(done);
        self.b.emit(Instr::Move { dst, src: result }, span);
        self.seen(dst, span);
    }

    fn place(&mut self, arguments: &[Expr], dst: Reg, span: Span) {
        let parts = match arguments {
            [
                Expr {
                    kind: Node::Tuple(parts),
                    ..
                },
            ] => parts.as_slice(),
            _ => arguments,
        };
        let (value, grid, (col, row), at) = match parts {
            [value, board, position] => (
                self.expr(value),
                self.expr(board),
                self.position(position),
                position.span,
            ),
            _ => {
                let [value, grid, of] = self.operands(arguments);
                let first = self.b.registers(2);
                self.b.emit(
                    Instr::Item {
                        dst: first,
                        of,
                        item: 0,
                    },
                    span,
                );
                self.b.emit(
                    Instr::Item {
                        dst: first + 1,
                        of,
                        item: 1,
                    },
                    span,
                );
                (value, grid, (first, first + 1), span)
            }
        };
        self.b.emit(
            Instr::GridWith {
                dst,
                grid,
                row,
                col,
                value,
                from: 1,
            },
            at,
        );
        self.seen(dst, span);
        self.b.emit(
            Instr::SetGlobal {
                global: PLACED,
                src: dst,
            },
            span,
        );
        if self.typed {
            self.b.emit(
                Instr::SetGlobal {
                    global: BOARD,
                    src: dst,
                },
                span,
            );
        }
    }

    fn input(&mut self, dst: Reg, span: Span) {
        let own = self.scope.env.types().input();
        let question = self.b.register();
        self.constant(Value::TRUE, question, span);
        self.b.emit(
            Instr::SetGlobal {
                global: ASKED,
                src: question,
            },
            span,
        );
        self.constant(
            Value::text(Text::new(&format!("input : {}", own.spelled()))),
            question,
            span,
        );
        self.b.emit(
            Instr::Ask {
                dst,
                question,
                what: 0,
            },
            span,
        );
        self.b.note_after(span, Seen::Register(dst));
    }
}
