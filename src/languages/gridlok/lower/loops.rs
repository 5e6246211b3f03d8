//! Lowers loops over rows, columns, neighbors, the board, and ranges of numbers.

use super::Lowerer;
use crate::ast::{Block, Expr, LoopHead, LoopRange, Name};
use crate::check::typing::Type;
use crate::code::{Emit, Instr, Reg};
use crate::source::Span;

impl Lowerer<'_, '_> {
    pub(super) fn loop_over(&mut self, head: &LoopHead, block: &Block, span: Span) {
        // Patched when the loop is complete.
        let to = 0;
        self.scoped(|body| match head {
            LoopHead::Ranges(ranges) => body.range_loops(ranges, block, span),
            LoopHead::Row(name, row) => body.cell_loop(&[name], block, span, |body, base| {
                let row = body.emit_expr(row);
                let start = Instr::RowStart { base, row, to };
                (start, Instr::RowNext { base, to })
            }),
            LoopHead::Column(name, col) => body.cell_loop(&[name], block, span, |body, base| {
                let col = body.emit_expr(col);
                let start = Instr::ColumnStart { base, col, to };
                (start, Instr::ColumnNext { base, to })
            }),
            LoopHead::Pieces(name) => body.cell_loop(&[name], block, span, |_, base| {
                let start = Instr::PiecesStart { base, to };
                (start, Instr::RowNext { base, to })
            }),
            LoopHead::Cells(x, y) => body.cell_loop(&[x, y], block, span, |_, base| {
                let start = Instr::CellsStart { base, to };
                (start, Instr::CellsNext { base, to })
            }),
            LoopHead::Surrounding(name, row, col) => {
                body.cell_loop(&[name], block, span, |body, base| {
                    let start = body.neighbors_start(base, row, col);
                    (start, Instr::NeighborsNext { base, to })
                })
            }
            LoopHead::SurroundingCells(i, j, row, col) => {
                body.cell_loop(&[i, j], block, span, |body, base| {
                    let start = body.neighbors_start(base, row, col);
                    (start, Instr::NeighborCellsNext { base, to })
                })
            }
        });
    }

    fn neighbors_start(&mut self, base: Reg, row: &Expr, col: &Expr) -> Instr {
        Instr::NeighborsStart {
            base,
            row: self.emit_expr(row),
            col: self.emit_expr(col),
            to: 0,
        }
    }

    /// Lowers a loop over cells. `head` returns the instructions that start and continue it; the
    /// loop variables are in the registers after the one that it gets.
    fn cell_loop(
        &mut self,
        names: &[&Name],
        block: &Block,
        span: Span,
        head: impl FnOnce(&mut Self, Reg) -> (Instr, Instr),
    ) {
        let base = self.builder.alloc_block(1 + names.len());
        let (start, next) = head(self, base);
        let start_jump = self.builder.emit_jump(start, span);
        let ty = match names {
            [_piece] => Type::Piece,
            _ => Type::Int,
        };
        for (n, name) in names.iter().enumerate() {
            self.declare(&name.text, base + 1 + n as Reg, Some(ty));
        }
        self.emit_loop(next, span, |body| body.block(block));
        // A loop over neighbors starts at its end, where the first neighbor is found.
        let starts_at_end = matches!(start, Instr::NeighborsStart { .. });
        let end = self.builder.next_pc() - u32::from(starts_at_end);
        self.builder.patch(start_jump, end);
    }

    fn range_loops(&mut self, ranges: &[LoopRange], block: &Block, span: Span) {
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
            body.emit_loop(Instr::RangeNext { base, to: 0 }, span, |body| {
                body.range_loops(inner, block, span);
            });
        });
        self.builder.patch_here(start);
    }
}
