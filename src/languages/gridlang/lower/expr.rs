//! Values.

use super::place::half;
use super::statement::arithmetic;
use super::test::compare;
use super::{Body, short};
use crate::code::{Instr, Reg, Seen};
use crate::languages::gridlang::read;
use crate::languages::gridlang::scope::{Hidden, field};
use crate::languages::gridlang::show::GRID;
use crate::languages::gridlang::typed::{Expr, ExprKind, ListKind, ListName, Place, Type};
use crate::source::Span;
use crate::value::{Text, Value};

impl Body<'_, '_> {
    /// The value in some register: a variable of the frame is used where it lies.
    pub(super) fn expr(&mut self, e: &Expr) -> Reg {
        let register = match &e.kind {
            ExprKind::Read(Place::Local(slot)) => self.local(*slot),
            ExprKind::Read(Place::FrameLocal(slot)) => *slot as Reg,
            _ => {
                let dst = self.b.register();
                self.expr_to(e, dst);
                return dst;
            }
        };
        self.b.note_before(e.span, Seen::Register(register));
        register
    }

    /// The value in a register, which is written last; only `and` and `or` write it before.
    pub(super) fn expr_to(&mut self, e: &Expr, dst: Reg) {
        let mark = self.b.mark();
        self.value_to(e, dst);
        self.b.release(mark);
    }

    fn value_to(&mut self, e: &Expr, dst: Reg) {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(n) => return self.constant_to(dst, Value::int(*n), span),
            ExprKind::Float(x) => return self.constant_to(dst, Value::float(*x), span),
            ExprKind::Text(text) => return self.text_to(dst, text, span),
            ExprKind::Truth(truth) => return self.constant_to(dst, Value::bool(*truth), span),
            ExprKind::Read(place) => {
                let spot = self.spot(place);
                return self.load_to(&spot, dst, span);
            }
            ExprKind::And(a, b) => return self.logic(a, b, true, dst, e),
            ExprKind::Or(a, b) => return self.logic(a, b, false, dst, e),
            ExprKind::Array(parts) => self.array(parts, dst, span),
            ExprKind::Cell(parts) => {
                self.cell(parts, dst, span);
                self.standing_in(dst, ListKind::Players, span);
            }
            ExprKind::Call {
                function,
                arguments,
            } => {
                let from = self.arguments(arguments);
                let function = self.shared.titles.number(function);
                self.b.emit(
                    Instr::Call {
                        function,
                        base: from,
                    },
                    span,
                );
                self.b.emit(Instr::Move { dst, src: from }, span);
            }
            ExprKind::Narrow(of) => self.narrow(of, &e.ty, dst),
            ExprKind::Print(of) => {
                let value = self.expr(of);
                self.b.emit(Instr::Print { value }, span);
                return;
            }
            ExprKind::DrawGrid => return self.draw_grid(span),
            ExprKind::CreateGrid(rows, cols) => {
                let (rows, cols) = (self.expr(rows), self.expr(cols));
                self.call_at("@createGrid", &[rows, cols], span);
                return;
            }
            ExprKind::GameOver => {
                self.call_at("@gameOver", &[], span);
                return;
            }
            ExprKind::CellList(..) | ExprKind::Traverse { .. } | ExprKind::Between(_) => {
                self.found(e, dst)
            }
            _ => self.simple(e, dst),
        }
        self.b.note_after(span, Seen::Register(dst));
    }

    /// Values of one instruction.
    fn simple(&mut self, e: &Expr, dst: Reg) {
        let instr = match &e.kind {
            ExprKind::Current => Instr::GlobalOrFail {
                dst,
                global: Hidden::P as u32,
            },
            ExprKind::Coordinate(row, col) => Instr::Coordinate {
                dst,
                row: self.expr(row),
                col: self.expr(col),
            },
            ExprKind::PartOf(of, part) => half(*part, dst, self.expr(of)),
            ExprKind::Not(of) => Instr::Not {
                dst,
                a: self.expr(of),
            },
            ExprKind::Negative(of) => Instr::Negate {
                dst,
                a: self.expr(of),
            },
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                arithmetic(*op, dst, a, b)
            }
            ExprKind::Join(a, b) => Instr::Join {
                dst,
                a: self.expr(a),
                b: self.expr(b),
            },
            ExprKind::Comparison(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                compare(*op, dst, a, b)
            }
            ExprKind::ToFloat(of) => Instr::ToFloat {
                dst,
                a: self.expr(of),
            },
            ExprKind::Snapshot(of) => Instr::Copy {
                dst,
                src: self.expr(of),
            },
            ExprKind::Len(of) => Instr::Length {
                dst,
                list: self.expr(of),
            },
            ExprKind::Prompt(message) => Instr::Ask {
                dst,
                question: self.expr(message),
                what: read::what(&e.ty),
            },
            ExprKind::Random(low, high) => Instr::RandomFloat {
                dst,
                low: self.expr(low),
                high: self.expr(high),
            },
            ExprKind::DiceThrow => {
                let low = self.b.registers(2);
                self.constant_to(low, Value::int(1), e.span);
                self.constant_to(low + 1, Value::int(7), e.span);
                Instr::Random {
                    dst,
                    low,
                    high: low + 1,
                }
            }
            _ => return self.fail_at("this has no value", None, e.span),
        };
        self.b.emit(instr, e.span);
    }

    fn arguments(&mut self, arguments: &[Expr]) -> Reg {
        let from = self.b.registers(short(arguments.len().max(1)));
        for (n, argument) in arguments.iter().enumerate() {
            self.expr_to(argument, from.wrapping_add(n as Reg));
        }
        from
    }

    fn array(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        let first = self.arguments(parts);
        for (n, part) in parts.iter().enumerate() {
            // A row of a table is the table's own.
            if matches!(part.ty, Type::Array(..)) && !matches!(part.kind, ExprKind::Array(_)) {
                let row = first.wrapping_add(n as Reg);
                self.b.emit(Instr::Copy { dst: row, src: row }, part.span);
            }
        }
        self.b.emit(
            Instr::List {
                dst,
                first,
                count: short(parts.len()),
            },
            span,
        );
    }

    fn cell(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        match parts {
            [whole] => self.expr_to(whole, dst),
            [row, col] => {
                let (row, col) = (self.expr(row), self.expr(col));
                self.b.emit(Instr::Coordinate { dst, row, col }, span);
            }
            _ => self.fail_at("a cell has a row and a column", None, span),
        }
    }

    fn narrow(&mut self, of: &Expr, ty: &Type, dst: Reg) {
        let piece = self.expr(of);
        let count = self.b.register();
        self.b.emit(
            Instr::Length {
                dst: count,
                list: piece,
            },
            of.span,
        );
        let nobody = self.b.jump(
            Instr::UnlessNotEqualInt {
                a: count,
                value: 0,
                to: 0,
            },
            of.span,
        );
        let word = match ty {
            Type::Player => "Player".into(),
            Type::Item(Some(kind)) => kind.to_string(),
            _ => String::new(),
        };
        let (kind, wanted) = (self.b.register(), self.b.register());
        self.b.emit(
            Instr::Item {
                dst: kind,
                of: piece,
                item: field::KIND,
            },
            of.span,
        );
        // Of any kind is every item, and no player.
        self.text_to(
            wanted,
            if word.is_empty() { "Player" } else { &word },
            of.span,
        );
        let test = match word.is_empty() {
            true => Instr::UnlessEqual {
                a: kind,
                b: wanted,
                to: 0,
            },
            false => Instr::UnlessNotEqual {
                a: kind,
                b: wanted,
                to: 0,
            },
        };
        let fits = self.b.jump(test, of.span);
        self.fail_at(
            &format!("expected {ty}, but this is {{}}"),
            Some(kind),
            of.span,
        );
        self.b.land_all([nobody, fits]);
        self.b.emit(Instr::Move { dst, src: piece }, of.span);
    }

    fn draw_grid(&mut self, span: Span) {
        let value = self.b.register();
        self.b.emit(
            Instr::Global {
                dst: value,
                global: Hidden::Rows as u32,
            },
            span,
        );
        let there = self.b.jump(
            Instr::UnlessEqualInt {
                a: value,
                value: 0,
                to: 0,
            },
            span,
        );
        self.fail_at(
            "there is no grid yet | make one with `createGrid(rows, columns)`",
            None,
            span,
        );
        self.b.land(there);
        self.constant_to(value, Value::symbol(Text::new(GRID)), span);
        self.b.emit(Instr::Print { value }, span);
    }

    /// What stands in a cell, along a line, between two cells.
    fn found(&mut self, e: &Expr, dst: Reg) {
        let src = match &e.kind {
            ExprKind::CellList(cell, kind) => {
                let place = self.b.register();
                match &cell.kind {
                    ExprKind::Cell(parts) => self.cell(parts, place, cell.span),
                    _ => self.expr_to(cell, place),
                }
                self.b.note_after(cell.span, Seen::Register(place));
                self.standing_in(place, *kind, e.span)
            }
            ExprKind::Traverse { line, list } => {
                let line = self.expr(line);
                let players = self.list_kind(list, e.span);
                self.call_at("@traverse", &[line, players], e.span)
            }
            ExprKind::Between(parts) => {
                let parts: Vec<Reg> = parts.iter().map(|p| self.expr(p)).collect();
                self.call_at("@between", &parts, e.span)
            }
            _ => return,
        };
        self.b.emit(Instr::Move { dst, src }, e.span);
    }

    /// The list of what stands in a cell; it must be one.
    fn standing_in(&mut self, place: Reg, kind: ListKind, span: Span) -> Reg {
        let players = self.b.register();
        self.constant_to(players, Value::bool(kind == ListKind::Players), span);
        self.call_at("@cell", &[place, players], span)
    }

    /// true for playerList, false for itemList.
    fn list_kind(&mut self, list: &ListName, span: Span) -> Reg {
        let dst = self.b.register();
        let name = match list {
            ListName::Known(kind) => {
                self.constant_to(dst, Value::bool(*kind == ListKind::Players), span);
                return dst;
            }
            ListName::Computed(name) => name,
        };
        let (word, known) = (self.expr(name), self.b.register());
        self.text_to(known, "playerList", span);
        self.b.emit(
            Instr::Equal {
                dst,
                a: word,
                b: known,
            },
            name.span,
        );
        let players = self.b.jump(Instr::If { a: dst, to: 0 }, name.span);
        self.text_to(known, "itemList", span);
        let items = self.b.jump(
            Instr::UnlessNotEqual {
                a: word,
                b: known,
                to: 0,
            },
            name.span,
        );
        let message = "there is no list {} | the lists are \"playerList\" and \"itemList\"";
        self.fail_at(message, Some(word), name.span);
        self.b.land_all([players, items]);
        dst
    }
}
