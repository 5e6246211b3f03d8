//! Lowers expressions. The value ends up in a register; a local variable is used where it is,
//! without a copy.

use super::{BodyKind, Lowerer};
use crate::ast::{Binary, Expr, ExprKind, Initializer, Name, Unary};
use crate::check::builtin::FIELDS;
use crate::check::typing::Type;
use crate::code::{
    Axis, Builder, CompareOp, Emit, Instr, LogicOp, PendingJump, PieceField, Reg, ValueLoc,
};
use crate::lower::scope::{GlobalVariable, RULE_VARIABLES, StaticType, rule_variable};
use crate::source::Span;
use crate::text::argument_count_message;
use crate::value::{InternedStr, Value};

impl Emit for Lowerer<'_, '_> {
    type Expr = Expr;

    fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    fn emit_expr(&mut self, e: &Expr) -> Reg {
        self.expr(e).0
    }

    fn emit_expr_to(&mut self, e: &Expr, dst: Reg) {
        self.expr_to(e, dst);
    }

    /// The right operand of AND and OR is checked where its type is not known.
    fn emit_bool_to(&mut self, e: &Expr, dst: Reg) {
        if self.expr_to(e, dst) != Some(Type::Bool) {
            self.builder.emit(Instr::RequireBool { a: dst }, e.span);
        }
    }

    fn span_of(e: &Expr) -> Span {
        e.span
    }

    fn int_literal(e: &Expr) -> Option<i32> {
        match e.unparenthesized().kind {
            ExprKind::Int(n) => Some(n),
            _ => None,
        }
    }

    fn emit_fused_test(&mut self, e: &Expr) -> Option<PendingJump> {
        let ExprKind::Binary(operator, a, b, at) = &e.kind else {
            return None;
        };
        self.set_operator(e);
        self.fused_comparison(*operator, a, b, *at, e.span)
    }
}

impl Lowerer<'_, '_> {
    /// Evaluates `e`; returns the register of its value.
    pub(super) fn expr(&mut self, e: &Expr) -> (Reg, StaticType) {
        let e = e.unparenthesized();
        if let ExprKind::Name(name) = &e.kind
            && let Some(local) = self.find_local(name)
        {
            let (register, ty) = (local.register, local.ty);
            self.builder
                .record_value_before(e.span, ValueLoc::Register(register));
            return (register, ty);
        }
        let dst = self.builder.alloc_register();
        (dst, self.expr_to(e, dst))
    }

    /// Evaluates `e` into `dst`. `dst` is written after all operands are read, except by AND and
    /// OR, which write their left operand first: `dst` must not be a variable that the right
    /// operand reads.
    pub(super) fn expr_to(&mut self, e: &Expr, dst: Reg) -> StaticType {
        let e = e.unparenthesized();
        let in_use = self.builder.registers_in_use();
        let ty = self.value_to(e, dst);
        self.builder.release_registers(in_use);
        ty
    }

    fn set_operator(&mut self, e: &Expr) {
        if let Some(operator) = e.operator() {
            self.builder.set_operator(e.span, operator);
        }
    }

    fn value_to(&mut self, e: &Expr, dst: Reg) -> StaticType {
        self.set_operator(e);
        let span = e.span;
        match &e.kind {
            ExprKind::Int(value) => self.constant(Value::int(*value), Type::Int, dst, span),
            ExprKind::Text(text) => {
                let value = Value::interned(InternedStr::new(text));
                self.constant(value, Type::Text, dst, span)
            }
            ExprKind::Bool(value) => self.constant(Value::bool(*value), Type::Bool, dst, span),
            ExprKind::Empty => self.constant(Value::EMPTY, Type::Piece, dst, span),
            ExprKind::Name(name) => self.name(name, dst, span),
            ExprKind::Call(name, arguments) => self.call(name, arguments, dst, span),
            ExprKind::Cell(row, col) => {
                let (row, col) = (self.emit_expr(row), self.emit_expr(col));
                let instr = Instr::Cell { dst, row, col };
                self.builder.emit_value(instr, dst, span, span);
                Some(Type::Piece)
            }
            ExprKind::Index(list, index, _) => {
                let (list, index) = (self.emit_expr(list), self.emit_expr(index));
                let instr = Instr::Index { dst, list, index };
                self.builder.emit_value(instr, dst, span, span);
                None
            }
            ExprKind::Field(piece, name) => self.field(piece, name, dst, span),
            ExprKind::Unary(operator, operand, at) => {
                let a = self.emit_expr(operand);
                let (instr, ty) = match operator {
                    Unary::Not => (Instr::Not { dst, a }, Type::Bool),
                    Unary::Minus => (Instr::Negate { dst, a }, Type::Int),
                };
                self.builder.emit_value(instr, dst, *at, span);
                Some(ty)
            }
            ExprKind::Binary(operator, a, b, at) => self.binary(*operator, a, b, *at, dst, span),
            ExprKind::Paren(inner) => self.value_to(inner, dst),
        }
    }

    fn constant(&mut self, value: Value, ty: Type, dst: Reg, span: Span) -> StaticType {
        self.builder.emit_constant(dst, value, span);
        Some(ty)
    }

    fn name(&mut self, name: &str, dst: Reg, span: Span) -> StaticType {
        if let Some(local) = self.find_local(name) {
            let (src, ty) = (local.register, local.ty);
            self.builder
                .record_value_before(span, ValueLoc::Register(src));
            self.builder.emit_move(dst, src, span);
            return ty;
        }
        let size = |axis| Some(Instr::BoardSize { dst, axis });
        let position = |axis| Some(Instr::SelfPosition { dst, axis });
        let instr = match name {
            "rows" => size(Axis::Row),
            "cols" => size(Axis::Column),
            "pieceRow" => position(Axis::Row),
            "pieceCol" => position(Axis::Column),
            _ => None,
        };
        let ty = match instr {
            Some(instr) => {
                self.builder.emit(instr, span);
                Some(Type::Int)
            }
            None => self.global_to(name, dst, span),
        };
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
        ty
    }

    fn global_to(&mut self, name: &str, dst: Reg, span: Span) -> StaticType {
        if let Some(global) = rule_variable(name) {
            self.builder.emit_get_global(dst, global, span);
            return RULE_VARIABLES[global as usize].1;
        }
        match self.context.scope.variables.get(name).copied() {
            Some(GlobalVariable { global, ty }) => {
                self.builder
                    .emit(Instr::GetDefinedGlobal { dst, global }, span);
                ty
            }
            None => {
                self.emit_fail(&format!("unknown name `{name}`"), span);
                None
            }
        }
    }

    fn field(&mut self, piece: &Expr, name: &Name, dst: Reg, span: Span) -> StaticType {
        let piece = self.emit_expr(piece);
        let Some(&(_, field, ty)) = FIELDS.iter().find(|row| row.0 == &*name.text) else {
            let message = format!("unknown field `{}` of a piece", name.text);
            self.emit_fail(&message, name.span);
            return None;
        };
        let instr = Instr::PieceField { dst, piece, field };
        self.builder.emit_value(instr, dst, span, span);
        Some(ty)
    }

    /// Lowers a call whose value is used. If the function may return nothing, `RequireValue` checks
    /// the result at run time.
    fn call(&mut self, name: &Name, arguments: &[Expr], dst: Reg, span: Span) -> StaticType {
        let ty = match (&*name.text, arguments) {
            ("rand", [low, high]) => {
                self.random(low, high, Some(dst), span);
                Some(Type::Int)
            }
            ("@length", [list]) => {
                let list = self.emit_expr(list);
                self.builder.emit(Instr::Length { dst, list }, span);
                Some(Type::Int)
            }
            ("@collectTurnPieces", [order]) => {
                let order = self.emit_expr(order);
                self.builder
                    .emit(Instr::CollectTurnPieces { dst, order }, span);
                Some(Type::List)
            }
            _ => {
                let base = self.invoke_at(Some(dst), name, arguments, span);
                if !self.context.scope.always_returns_value(&name.text) {
                    self.builder.emit(Instr::RequireValue { a: base }, span);
                }
                self.builder.emit_move(dst, base, span);
                None
            }
        };
        self.builder
            .record_value_after(span, ValueLoc::Register(dst));
        ty
    }

    /// Calls a function of the program; returns the register of its result.
    pub(super) fn invoke(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Reg {
        let result = self.invoke_at(None, name, arguments, span);
        self.builder
            .record_value_after(span, ValueLoc::Register(result));
        result
    }

    /// Like `invoke`. If `dst` is the topmost register, the result is returned there.
    fn invoke_at(&mut self, dst: Option<Reg>, name: &Name, arguments: &[Expr], span: Span) -> Reg {
        let base = self.builder.alloc_call(arguments.len(), dst);
        for (n, argument) in arguments.iter().enumerate() {
            self.copy_to(argument, base.wrapping_add(n as Reg));
        }
        let callee = &*name.text;
        let function = self.context.scope.function(callee);
        match function.map(|function| function.parameters.len()) {
            Some(count) if count != arguments.len() => {
                let message = argument_count_message(callee, count, arguments.len());
                self.emit_fail(&message, span);
            }
            None if self.context.scope.variables.contains_key(callee) => {
                self.emit_fail(&format!("`{callee}` is a variable, not a function"), span);
            }
            _ => {
                let function = self.context.symbols.get_or_insert(callee);
                self.builder.emit(Instr::Call { function, base }, span);
            }
        }
        base
    }

    /// Evaluates `e` into `dst`, to be stored elsewhere: lists are copied.
    pub(super) fn copy_to(&mut self, e: &Expr, dst: Reg) -> StaticType {
        let ty = self.expr_to(e, dst);
        let is_call = matches!(e.unparenthesized().kind, ExprKind::Call(..));
        if matches!(ty, None | Some(Type::List)) && !is_call {
            self.builder.emit(Instr::Copy { dst, src: dst }, e.span);
        }
        ty
    }

    fn binary(
        &mut self,
        operator: Binary,
        a: &Expr,
        b: &Expr,
        at: Span,
        dst: Reg,
        span: Span,
    ) -> StaticType {
        if let Some(ty) = self.name_comparison(operator, a, b, dst, span) {
            return ty;
        }
        match operator {
            Binary::And => self.emit_logic(LogicOp::And, [a, b], dst, span),
            Binary::Or => self.emit_logic(LogicOp::Or, [a, b], dst, span),
            Binary::Compare(op) => self.emit_comparison(op, [a, b], dst, at, span),
            Binary::Arithmetic(op) => {
                self.emit_arithmetic(op, [a, b], dst, at, span);
                return Some(Type::Int);
            }
        }
        Some(Type::Bool)
    }

    /// Lowers `p.name == "x"` or `!=` to one instruction.
    fn name_comparison(
        &mut self,
        operator: Binary,
        a: &Expr,
        b: &Expr,
        dst: Reg,
        span: Span,
    ) -> Option<StaticType> {
        let (piece, field, text, expected) = match_name_comparison(operator, a, b)?;
        self.set_operator(a.unparenthesized());
        let a = self.emit_expr(piece);
        let k = self.builder.string_constant(text);
        self.builder
            .record_value_before(field, ValueLoc::Field(a, PieceField::Name));
        let instr = Instr::NameIs {
            dst,
            a,
            k,
            expected,
        };
        self.builder.emit_value(instr, dst, field, span);
        Some(Some(Type::Bool))
    }

    /// Emits a comparison fused with its jump, if there is such an instruction.
    fn fused_comparison(
        &mut self,
        operator: Binary,
        a: &Expr,
        b: &Expr,
        at: Span,
        span: Span,
    ) -> Option<PendingJump> {
        // Patched when the target of the jump is known.
        let to = 0;
        if let Some((piece, field, text, expected)) = match_name_comparison(operator, a, b) {
            self.set_operator(a.unparenthesized());
            let k = self.builder.string_constant(text);
            if let ExprKind::Cell(row, col) = &piece.unparenthesized().kind {
                let (row, col) = (self.emit_expr(row), self.emit_expr(col));
                self.builder
                    .record_value_before(piece.span, ValueLoc::Cell(row, col));
                self.builder
                    .record_value_before(field, ValueLoc::CellName(row, col));
                let test = Instr::JumpUnlessCellNameIs {
                    row,
                    col,
                    k,
                    expected,
                    to,
                };
                return Some(self.builder.emit_test(test, piece.span, span));
            }
            let a = self.emit_expr(piece);
            self.builder
                .record_value_before(field, ValueLoc::Field(a, PieceField::Name));
            let test = Instr::JumpUnlessNameIs { a, k, expected, to };
            return Some(self.builder.emit_test(test, span, span));
        }
        match operator {
            Binary::Compare(op) => Some(self.emit_jump_unless(op, [a, b], at, span)),
            _ => None,
        }
    }

    pub(super) fn in_rules(&self) -> bool {
        self.body_kind == BodyKind::Rules
    }

    /// Evaluates the value of a definition, an expression or a list, into `dst`.
    pub(super) fn initializer_to(&mut self, value: &Initializer, dst: Reg) -> StaticType {
        match value {
            Initializer::Expr(e) => self.copy_to(e, dst),
            Initializer::List(items, span) => {
                self.list_to(items, dst, *span);
                Some(Type::List)
            }
        }
    }

    pub(super) fn list_to(&mut self, items: &[Expr], dst: Reg, span: Span) {
        let in_use = self.builder.registers_in_use();
        let first = self.builder.alloc_block(items.len());
        for (n, item) in items.iter().enumerate() {
            self.copy_to(item, first.wrapping_add(n as Reg));
        }
        let count = items.len() as u16;
        let instr = Instr::List { dst, first, count };
        self.builder.emit_value(instr, dst, span, span);
        self.builder.release_registers(in_use);
    }

    /// Draws a number for `rand{low, high}`. It is drawn even if nothing uses it.
    pub(super) fn random(&mut self, low: &Expr, high: &Expr, dst: Option<Reg>, span: Span) {
        let (low, high) = (self.emit_expr(low), self.emit_expr(high));
        let instr = Instr::Random {
            dst: dst.unwrap_or_else(|| self.builder.alloc_register()),
            low,
            high,
            is_float: false,
        };
        self.builder.emit(instr, span);
    }
}

/// Matches `p.name == "x"` and `p.name != "x"`. Returns the piece, the span of `p.name`, the
/// string, and true for `==`.
fn match_name_comparison<'e>(
    operator: Binary,
    a: &'e Expr,
    b: &'e Expr,
) -> Option<(&'e Expr, Span, &'e str, bool)> {
    let expected = match operator {
        Binary::Compare(CompareOp::Equal) => true,
        Binary::Compare(CompareOp::NotEqual) => false,
        _ => return None,
    };
    let (a, b) = (a.unparenthesized(), b.unparenthesized());
    match (&a.kind, &b.kind) {
        (ExprKind::Field(piece, name), ExprKind::Text(text)) if &*name.text == "name" => {
            Some((piece, a.span, text, expected))
        }
        _ => None,
    }
}
