//! Lowers expressions.

use super::rules::PER_KIND;
use super::{Lowerer, saturating_u16};
use crate::code::{Builder, Channel, CompareOp, Emit, Instr, LogicOp, PendingJump, Reg, ValueLoc};
use crate::languages::gridlang::check::hir::{Expr, ExprKind, LValue, ListKind, ListName, Type};
use crate::languages::gridlang::lower::scope::{RuleVariable, field};
use crate::languages::gridlang::parse::prompt_input;
use crate::languages::gridlang::view::GRID_SYMBOL;
use crate::source::Span;
use crate::value::{InternedStr, Value};

impl Emit for Lowerer<'_, '_> {
    type Expr = Expr;

    fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    fn emit_expr(&mut self, e: &Expr) -> Reg {
        self.lower_expr(e)
    }

    fn emit_expr_to(&mut self, e: &Expr, dst: Reg) {
        self.lower_expr_to(e, dst);
    }

    fn span_of(e: &Expr) -> Span {
        e.span
    }

    fn int_literal(e: &Expr) -> Option<i32> {
        match e.kind {
            ExprKind::Int(n) => Some(n),
            _ => None,
        }
    }

    fn emit_fused_test(&mut self, e: &Expr) -> Option<PendingJump> {
        let ExprKind::Comparison(op, a, b) = &e.kind else {
            return None;
        };
        Some(self.emit_jump_unless(*op, [a, b], e.span, e.span))
    }
}

impl Lowerer<'_, '_> {
    /// Lowers an expression and returns the register of its value. A local is used in place.
    pub(super) fn lower_expr(&mut self, e: &Expr) -> Reg {
        let register = match &e.kind {
            ExprKind::Read(LValue::Local(slot)) => self.local_register(*slot),
            ExprKind::Read(LValue::FrameLocal(slot)) => *slot as Reg,
            _ => {
                let dst = self.builder.alloc_register();
                self.lower_expr_to(e, dst);
                return dst;
            }
        };
        self.builder
            .record_value_before(e.span, ValueLoc::Register(register));
        register
    }

    /// Lowers an expression into `dst`. `dst` is written last, except by `and` and `or`.
    pub(super) fn lower_expr_to(&mut self, e: &Expr, dst: Reg) {
        let in_use = self.builder.registers_in_use();
        self.value_to(e, dst);
        self.builder.release_registers(in_use);
    }

    fn value_to(&mut self, e: &Expr, dst: Reg) {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(n) => return self.constant_to(dst, Value::int(*n), span),
            ExprKind::Float(x) => return self.constant_to(dst, Value::float(*x), span),
            ExprKind::Text(text) => return self.text_to(dst, text, span),
            ExprKind::Bool(truth) => return self.constant_to(dst, Value::bool(*truth), span),
            ExprKind::Read(lvalue) => {
                let target = self.lower_lvalue(lvalue);
                return self.load_to(&target, dst, span);
            }
            ExprKind::Arithmetic(op, a, b) => {
                return self.emit_arithmetic(*op, [a, b], dst, span, span);
            }
            ExprKind::Comparison(op, a, b) => {
                return self.emit_comparison(*op, [a, b], dst, span, span);
            }
            ExprKind::And(a, b) => return self.emit_logic(LogicOp::And, [a, b], dst, span),
            ExprKind::Or(a, b) => return self.emit_logic(LogicOp::Or, [a, b], dst, span),
            ExprKind::Array(parts) => self.array(parts, dst, span),
            ExprKind::Cell(parts) => {
                self.cell(parts, dst, span);
                self.cell_list(dst, ListKind::Players, span);
            }
            ExprKind::Call {
                function,
                arguments,
            } => {
                // Not in `dst`, which may be a variable that an argument reads.
                let base = self.builder.alloc_call(arguments.len(), None);
                self.exprs_to(arguments, base);
                let function = match &self.piece_kind {
                    Some(kind) if PER_KIND.contains(&&**function) => {
                        let title = format!("{function} {kind}");
                        self.context.symbols.get_or_insert(&title)
                    }
                    _ => self.context.symbols.get_or_insert(function),
                };
                self.builder.emit(Instr::Call { function, base }, span);
                self.builder.emit_move(dst, base, span);
            }
            ExprKind::Intrinsic(intrinsic, arguments) => {
                return self.intrinsic(*intrinsic, arguments, e, dst);
            }
            ExprKind::Narrow(of) => self.narrow(of, &e.ty, dst),
            ExprKind::Print(of) => {
                let value = self.lower_expr(of);
                self.builder.emit(Channel::Print.output(value), span);
                return;
            }
            ExprKind::DrawGrid => return self.draw_grid(span),
            ExprKind::CreateGrid(rows, cols) => {
                let (rows, cols) = (self.lower_expr(rows), self.lower_expr(cols));
                self.call_at("@createGrid", &[rows, cols], span);
                return;
            }
            ExprKind::GameOver => {
                self.call_at("@gameOver", &[], span);
                return;
            }
            ExprKind::CellList(..) | ExprKind::Traverse { .. } | ExprKind::AnyBetween(_) => {
                self.piece_query(e, dst)
            }
            _ => self.simple(e, dst),
        }
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
    }

    /// Expressions that take a single instruction after their operands.
    fn simple(&mut self, e: &Expr, dst: Reg) {
        let instr = match &e.kind {
            ExprKind::CurrentPlayer => Instr::GetDefinedGlobal {
                dst,
                global: RuleVariable::P as u32,
            },
            ExprKind::Coordinate(row, col) => Instr::Coordinate {
                dst,
                row: self.lower_expr(row),
                col: self.lower_expr(col),
            },
            ExprKind::CoordinateAxis(of, axis) => Instr::CoordinatePart {
                dst,
                of: self.lower_expr(of),
                axis: *axis,
            },
            ExprKind::Not(of) => Instr::Not {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::Negate(of) => Instr::Negate {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::Concat(a, b) => Instr::Concat {
                dst,
                a: self.lower_expr(a),
                b: self.lower_expr(b),
            },
            ExprKind::ToFloat(of) => Instr::ToFloat {
                dst,
                a: self.lower_expr(of),
            },
            ExprKind::ListToArray(of) => Instr::Copy {
                dst,
                src: self.lower_expr(of),
            },
            ExprKind::Len(of) => Instr::Length {
                dst,
                list: self.lower_expr(of),
            },
            ExprKind::Prompt(message) => Instr::Ask {
                dst,
                question: self.lower_expr(message),
                input_kind: prompt_input::type_tag(&e.ty),
            },
            ExprKind::Random(low, high) => Instr::Random {
                is_float: true,
                dst,
                low: self.lower_expr(low),
                high: self.lower_expr(high),
            },
            ExprKind::DiceThrow => {
                let low = self.builder.alloc_registers(2);
                self.constant_to(low, Value::int(1), e.span);
                self.constant_to(low + 1, Value::int(7), e.span);
                Instr::Random {
                    is_float: false,
                    dst,
                    low,
                    high: low + 1,
                }
            }
            _ => return self.fail_at("this has no value", None, e.span),
        };
        self.builder.emit(instr, e.span);
    }

    /// Evaluates into consecutive registers and returns the first.
    fn consecutive(&mut self, exprs: &[Expr]) -> Reg {
        let first = self.builder.alloc_block(exprs.len());
        self.exprs_to(exprs, first);
        first
    }

    /// Evaluates into consecutive registers, starting with `first`.
    fn exprs_to(&mut self, exprs: &[Expr], first: Reg) {
        for (n, e) in exprs.iter().enumerate() {
            self.lower_expr_to(e, first.wrapping_add(n as Reg));
        }
    }

    fn array(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        let first = self.consecutive(parts);
        for (n, part) in parts.iter().enumerate() {
            // Arrays have value semantics: copy the rows of a two-dimensional array.
            if matches!(part.ty, Type::Array(..)) && !matches!(part.kind, ExprKind::Array(_)) {
                let row = first.wrapping_add(n as Reg);
                self.builder
                    .emit(Instr::Copy { dst: row, src: row }, part.span);
            }
        }
        self.builder.emit(
            Instr::List {
                dst,
                first,
                count: saturating_u16(parts.len()),
            },
            span,
        );
    }

    /// The coordinate of a cell.
    fn cell(&mut self, parts: &[Expr], dst: Reg, span: Span) {
        match parts {
            [coordinate] => self.lower_expr_to(coordinate, dst),
            [row, col] => {
                let (row, col) = (self.lower_expr(row), self.lower_expr(col));
                self.builder.emit(Instr::Coordinate { dst, row, col }, span);
            }
            _ => self.fail_at(
                "`Grid` takes a row and a column, or a coordinate",
                None,
                span,
            ),
        }
    }

    /// Fails unless the piece is of the type; the null piece is of every type.
    fn narrow(&mut self, of: &Expr, ty: &Type, dst: Reg) {
        let piece = self.lower_expr(of);
        let count = self.builder.alloc_register();
        self.builder.emit(
            Instr::Length {
                dst: count,
                list: piece,
            },
            of.span,
        );
        let is_null = self
            .builder
            .emit_jump(CompareOp::NotEqual.jump_unless_small(count, 0), of.span);
        let kind_name = match ty {
            Type::Player => "Player".into(),
            Type::Item(Some(kind)) => kind.to_string(),
            _ => String::new(),
        };
        let (kind, tested_kind) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.builder.emit_item(kind, piece, field::KIND, of.span);
        // Without a kind, any item matches and players do not.
        self.text_to(
            tested_kind,
            if kind_name.is_empty() {
                "Player"
            } else {
                &kind_name
            },
            of.span,
        );
        let test = match kind_name.is_empty() {
            true => CompareOp::Equal.jump_unless(kind, tested_kind),
            false => CompareOp::NotEqual.jump_unless(kind, tested_kind),
        };
        let matches = self.builder.emit_jump(test, of.span);
        self.fail_at(
            &format!("expected {}, found {{}}", ty.with_article()),
            Some(kind),
            of.span,
        );
        self.builder.patch_all_here([is_null, matches]);
        self.builder.emit(Instr::Move { dst, src: piece }, of.span);
    }

    fn draw_grid(&mut self, span: Span) {
        let value = self.builder.alloc_register();
        self.builder
            .emit_get_global(value, RuleVariable::Rows as u32, span);
        let has_grid = self
            .builder
            .emit_jump(CompareOp::Equal.jump_unless_small(value, 0), span);
        self.fail_at(
            "there is no grid yet | create one with `createGrid(rows, columns)`",
            None,
            span,
        );
        self.builder.patch_here(has_grid);
        self.constant_to(value, Value::symbol(InternedStr::new(GRID_SYMBOL)), span);
        self.builder.emit(Channel::Print.output(value), span);
    }

    /// The pieces in a cell, along a line or between two cells.
    fn piece_query(&mut self, e: &Expr, dst: Reg) {
        let src = match &e.kind {
            ExprKind::CellList(cell, kind) => {
                let coord = self.builder.alloc_register();
                match &cell.kind {
                    ExprKind::Cell(parts) => self.cell(parts, coord, cell.span),
                    _ => self.lower_expr_to(cell, coord),
                }
                self.builder
                    .record_value_after(cell.span, ValueLoc::Register(coord));
                self.cell_list(coord, *kind, e.span)
            }
            ExprKind::Traverse { line, list } => {
                let line = self.lower_expr(line);
                let players = self.list_kind(list, e.span);
                self.call_at("@traverse", &[line, players], e.span)
            }
            ExprKind::AnyBetween(parts) => {
                let parts: Vec<Reg> = parts.iter().map(|p| self.lower_expr(p)).collect();
                self.call_at("@anyBetween", &parts, e.span)
            }
            _ => return,
        };
        self.builder.emit(Instr::Move { dst, src }, e.span);
    }

    /// The players or items in a cell; fails off the grid.
    fn cell_list(&mut self, coord: Reg, kind: ListKind, span: Span) -> Reg {
        let players = self.builder.alloc_register();
        self.constant_to(players, Value::bool(kind == ListKind::Players), span);
        self.call_at("@cellPieces", &[coord, players], span)
    }

    /// A boolean: true for `playerList`, false for `itemList`.
    fn list_kind(&mut self, list: &ListName, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        let name = match list {
            ListName::Literal(kind) => {
                self.constant_to(dst, Value::bool(*kind == ListKind::Players), span);
                return dst;
            }
            ListName::Computed(name) => name,
        };
        let (list_name, known) = (self.lower_expr(name), self.builder.alloc_register());
        self.text_to(known, "playerList", span);
        let is_players = CompareOp::Equal.instr(dst, list_name, known);
        self.builder.emit(is_players, name.span);
        let players = self
            .builder
            .emit_jump(Instr::JumpIf { a: dst, to: 0 }, name.span);
        self.text_to(known, "itemList", span);
        let items = self
            .builder
            .emit_jump(CompareOp::NotEqual.jump_unless(list_name, known), name.span);
        let message = "unknown list {} | the lists are \"playerList\" and \"itemList\"";
        self.fail_at(message, Some(list_name), name.span);
        self.builder.patch_all_here([players, items]);
        dst
    }
}
