//! Type inference for tuples and their components, and for the cells of boards.

use super::infer::Checker;
use super::type_error::{Expectation, InferredType, TypeOrigin, with_article};
use super::types::Type;
use crate::ast::{Expr, ExprKind, Literal};
use crate::language::Reporter;
use crate::source::Span;

impl Checker<'_> {
    pub fn infer_tuple(&mut self, parts: &[Expr], span: Span) -> Option<InferredType> {
        // Infers every component, even after an error.
        let types: Vec<Option<InferredType>> = parts.iter().map(|part| self.infer(part)).collect();
        let types = types.into_iter().map(|typed| Some(typed?.ty));
        self.check_tuple_size(Type::tuple(types.collect::<Option<_>>()?), span)
    }

    /// `board ! position`
    pub fn infer_lookup(&mut self, board: &Expr, position: &Expr) -> Option<InferredType> {
        if let Some(found) = self.infer(board).filter(|found| !found.ty.is_board()) {
            self.report(found.not_operand("BG048", board.span, "a board", "!"));
        }
        let board_type = self.env.types.board();
        self.check(position, &Expectation::position());
        self.check_on_board(position);
        let (ty, span) = (board_type.content, board_type.span);
        Some(InferredType::declared(ty, TypeOrigin::BoardCell, span))
    }

    /// Only literal positions can be checked statically. If just one coordinate is a literal and
    /// off the board, that is a warning.
    fn check_on_board(&mut self, position: &Expr) {
        let ExprKind::Tuple(parts) = &position.kind else {
            return;
        };
        let [x, y] = parts.as_slice() else { return };
        let board = self.env.types.board();
        let is_off = |part: &Expr, size: u32| matches!(part.kind, ExprKind::Int(at) if at < 1 || at > i64::from(size));
        if !is_off(x, board.width) && !is_off(y, board.height) {
            return;
        }
        let message = format!(
            "this position is off the board, which is {} x {}",
            board.width, board.height
        );
        let diagnostic = match (&x.kind, &y.kind) {
            (ExprKind::Int(_), ExprKind::Int(_)) => self.error("BG049", position.span, message),
            _ => self.warning("BG049", position.span, message),
        };
        diagnostic
            .add_related(board.span, "the board is declared here")
            .add_note("positions are (column, row), starting at (1, 1)");
    }

    pub fn infer_projection(
        &mut self,
        tuple: &Expr,
        indices: &[Literal<i64>],
        span: Span,
    ) -> Option<InferredType> {
        let found = self.infer(tuple)?;
        let Some(parts) = found.ty.as_tuple() else {
            self.report(found.not_operand("BG052", tuple.span, "a tuple", "#"));
            return None;
        };
        let mut projected = Vec::new();
        for index in indices {
            let number = usize::try_from(index.value).ok();
            let Some(part) = number.and_then(|number| parts.get(number.checked_sub(1)?)) else {
                let message = format!(
                    "this tuple has no component {}; its components are #1 to #{}",
                    index.value,
                    parts.len()
                );
                let label = format!("this is {}", with_article(&found.ty));
                let error = self.error("BG052", index.span, message);
                found.add_origin(error.add_related(tuple.span, label));
                return None;
            };
            projected.push(part.clone());
        }
        self.check_tuple_size(Type::one_or_tuple(projected), span)
    }

    fn check_tuple_size(&mut self, ty: Type, span: Span) -> Option<InferredType> {
        if ty.is_too_large() {
            self.error("BG005", span, "this tuple has too many nested components");
            return None;
        }
        Some(InferredType::new(ty))
    }
}
