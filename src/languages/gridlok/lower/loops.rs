//! Lowers loops over rows, columns, neighbors, the board, and ranges of numbers.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlok::ast::{Block, LoopHead, LoopRange, Name};
use crate::languages::gridlok::check::typing::Type;
use crate::source::Span;

impl Lowerer<'_, '_> {
    pub(super) fn loop_over(&mut self, head: &LoopHead, block: &Block, span: Span) {
        self.scoped(|body| match head {
            LoopHead::Ranges(ranges) => body.range_loops(ranges, block, span),
            LoopHead::Row(name, row) => {
                let base = body.builder.alloc_registers(2);
                let (row, _) = body.expr(row);
                body.cell_loop(
                    Instr::RowStart { base, row, to: 0 },
                    Instr::RowNext { base, to: 0 },
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            LoopHead::Column(name, col) => {
                let base = body.builder.alloc_registers(2);
                let (col, _) = body.expr(col);
                let next = Instr::ColumnNext { base, to: 0 };
                body.cell_loop(
                    Instr::ColumnStart { base, col, to: 0 },
                    next,
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            LoopHead::Pieces(name) => {
                let base = body.builder.alloc_registers(2);
                body.cell_loop(
                    Instr::PiecesStart { base, to: 0 },
                    Instr::RowNext { base, to: 0 },
                    &[name],
                    base,
                    block,
                    span,
                );
            }
            LoopHead::Cells(x, y) => {
                let base = body.builder.alloc_registers(3);
                body.cell_loop(
                    Instr::CellsStart { base, to: 0 },
                    Instr::CellsNext { base, to: 0 },
                    &[x, y],
                    base,
                    block,
                    span,
                );
            }
            LoopHead::Surrounding(name, row, col) => {
                let base = body.builder.alloc_registers(2);
                let (row, _) = body.expr(row);
                let (col, _) = body.expr(col);
                let next = Instr::NeighborsNext { base, to: 0 };
                body.cell_loop(
                    Instr::NeighborsStart {
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
            LoopHead::SurroundingCells(i, j, row, col) => {
                let base = body.builder.alloc_registers(3);
                let (row, _) = body.expr(row);
                let (col, _) = body.expr(col);
                let next = Instr::NeighborCellsNext { base, to: 0 };
                body.cell_loop(
                    Instr::NeighborsStart {
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

    /// Lowers a loop over cells. The loop variables are in the registers after `base`.
    pub(super) fn cell_loop(
        &mut self,
        start: Instr,
        next: Instr,
        names: &[&Name],
        base: Reg,
        block: &Block,
        span: Span,
    ) {
        let start_jump = self.builder.emit_jump(start, span);
        // A loop over neighbors starts at its end, where the first neighbor is found.
        let starts_at_end = matches!(start, Instr::NeighborsStart { .. });
        let ty = if names.len() == 2 {
            Some(Type::Int)
        } else {
            Some(Type::Piece)
        };
        for (n, name) in names.iter().enumerate() {
            self.declare(&name.text, base + 1 + n as Reg, ty);
        }
        let top = self.builder.next_pc();
        self.block(block);
        if starts_at_end {
            self.builder.patch_here(start_jump);
        }
        let again = self.builder.emit_jump(next, span);
        self.builder.patch(again, top);
        if !starts_at_end {
            self.builder.patch_here(start_jump);
        }
    }

    pub(super) fn range_loops(&mut self, ranges: &[LoopRange], block: &Block, span: Span) {
        let Some((range, inner)) = ranges.split_first() else {
            return self.block(block);
        };
        let base = self.builder.alloc_registers(2);
        self.expr_to(&range.from, base);
        self.expr_to(&range.to, base + 1);
        let start = self.builder.emit_jump(
            Instr::RangeStart { base, to: 0 },
            range.from.span.to(range.to.span),
        );
        self.scoped(|body| {
            body.declare(&range.variable.text, base, Some(Type::Int));
            let top = body.builder.next_pc();
            body.range_loops(inner, block, span);
            let again = body
                .builder
                .emit_jump(Instr::RangeNext { base, to: 0 }, span);
            body.builder.patch(again, top);
        });
        self.builder.patch_here(start);
    }
}
