//! Loops: over rows, columns, neighbours, the board, and ranges of numbers.

use super::Body;
use crate::code::{Instr, Reg};
use crate::languages::gridlok::ast::{Block, Loop, Name, Range};
use crate::languages::gridlok::typing::Type;
use crate::source::Span;

impl Body<'_, '_> {
    pub(super) fn loop_over(&mut self, head: &Loop, block: &Block, span: Span) {
        self.scoped(|body| match head {
            Loop::Ranges(ranges) => body.ranges(ranges, block, span),
            Loop::Row(name, row) => {
                let base = body.b.registers(2);
                let (row, _) = body.expr(row);
                body.walk(
                    Instr::RowStart { base, row, to: 0 },
                    Instr::RowNext { base, to: 0 },
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            Loop::Column(name, col) => {
                let base = body.b.registers(2);
                let (col, _) = body.expr(col);
                let next = Instr::ColumnNext { base, to: 0 };
                body.walk(
                    Instr::ColumnStart { base, col, to: 0 },
                    next,
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            Loop::Pieces(name) => {
                let base = body.b.registers(2);
                body.walk(
                    Instr::PiecesStart { base, to: 0 },
                    Instr::RowNext { base, to: 0 },
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            Loop::Cells(x, y) => {
                let base = body.b.registers(3);
                body.walk(
                    Instr::CellsStart { base, to: 0 },
                    Instr::CellsNext { base, to: 0 },
                    &[x, y],
                    base,
                    block,
                    span,
                );
            }
            Loop::Around(name, row, col) => {
                let base = body.b.registers(2);
                let (row, _) = body.expr(row);
                let (col, _) = body.expr(col);
                let next = Instr::AroundNext { base, to: 0 };
                body.walk(
                    Instr::AroundStart {
                        base,
                        row,
                        col,
                        to: 0,
                    },
                    next,
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            Loop::AroundCells(i, j, row, col) => {
                let base = body.b.registers(3);
                let (row, _) = body.expr(row);
                let (col, _) = body.expr(col);
                let next = Instr::AroundCellsNext { base, to: 0 };
                body.walk(
                    Instr::AroundCellsStart {
                        base,
                        row,
                        col,
                        to: 0,
                    },
                    next,
                    &[i, j],
                    base,
                    block,
                    span,
                );
            }
        });
    }

    /// A loop over cells: what it visits lies in the registers after `base`.
    pub(super) fn walk(
        &mut self,
        start: Instr,
        next: Instr,
        names: &[&Name],
        base: Reg,
        block: &Block,
        span: Span,
    ) {
        let start_jump = self.b.jump(start, span);
        // A walk around a cell begins at its end, where it looks for the first neighbour.
        let around = matches!(
            start,
            Instr::AroundStart { .. } | Instr::AroundCellsStart { .. }
        );
        let kind = if names.len() == 2 {
            Some(Type::Int)
        } else {
            Some(Type::Piece)
        };
        for (n, name) in names.iter().enumerate() {
            self.declare(&name.text, base + 1 + n as Reg, kind);
        }
        let top = self.b.here();
        self.block(block);
        if around {
            self.b.land(start_jump);
        }
        let again = self.b.jump(next, span);
        self.b.aim(again, top);
        if !around {
            self.b.land(start_jump);
        }
    }

    pub(super) fn ranges(&mut self, ranges: &[Range], block: &Block, span: Span) {
        let Some((range, inner)) = ranges.split_first() else {
            return self.block(block);
        };
        let base = self.b.registers(2);
        self.expr_to(&range.from, base);
        self.expr_to(&range.to, base + 1);
        let start = self.b.jump(
            Instr::RangeStart { base, to: 0 },
            range.from.span.to(range.to.span),
        );
        self.scoped(|body| {
            body.declare(&range.variable.text, base, Some(Type::Int));
            let top = body.b.here();
            body.ranges(inner, block, span);
            let again = body.b.jump(Instr::RangeNext { base, to: 0 }, span);
            body.b.aim(again, top);
        });
        self.b.land(start);
    }
}
