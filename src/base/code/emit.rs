//! What all languages lower in the same way: operators on numbers, tests, `and` and `or`, loops and
//! calls. A lowerer that implements [`Emit`] emits the same short forms as all others.

use super::{
    ArithmeticOp, Builder, CompareOp, FunctionId, Instr, PendingJump, Reg, StopKind, ValueLoc,
};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// An operator that evaluates its right operand only if the left one does not decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicOp {
    /// True if both operands are.
    And,
    /// True if one of the operands is.
    Or,
}

impl LogicOp {
    /// `and` or `or`.
    pub fn word(self) -> &'static str {
        match self {
            LogicOp::And => "and",
            LogicOp::Or => "or",
        }
    }

    /// A jump that is taken if the left operand, in `a`, decides. Its target is still to be set.
    pub fn jump_if_decided(self, a: Reg) -> Instr {
        match self {
            LogicOp::And => Instr::JumpUnless { a, to: 0 },
            LogicOp::Or => Instr::JumpIf { a, to: 0 },
        }
    }
}

/// Lowers the expressions of a language, and everything that follows from that.
pub trait Emit {
    /// An expression of the language.
    type Expr;

    /// The function being built.
    fn builder(&mut self) -> &mut Builder;

    /// Evaluates an expression and returns the register of its value. A local is used in place.
    fn emit_expr(&mut self, e: &Self::Expr) -> Reg;

    /// Evaluates an expression into `dst`, which is written last, except by [`Emit::emit_logic`].
    fn emit_expr_to(&mut self, e: &Self::Expr, dst: Reg);

    /// Like [`Emit::emit_expr_to`], for an operand of `and` or `or`, whose value has to be a boolean.
    fn emit_bool_to(&mut self, e: &Self::Expr, dst: Reg) {
        self.emit_expr_to(e, dst);
    }

    /// Where an expression is in the source.
    fn span_of(e: &Self::Expr) -> Span;

    /// The value of a literal that fits in an instruction.
    fn int_literal(e: &Self::Expr) -> Option<i32>;

    /// Puts the result of an operator into `dst`. `at` is underlined if it fails, `span` is the whole
    /// operation.
    fn emit_arithmetic(
        &mut self,
        op: ArithmeticOp,
        [a, b]: [&Self::Expr; 2],
        dst: Reg,
        at: Span,
        span: Span,
    ) {
        let a = self.emit_expr(a);
        self.emit_arithmetic_on(op, a, b, dst, at, span);
    }

    /// Like [`Emit::emit_arithmetic`], for a left operand that is in a register.
    fn emit_arithmetic_on(
        &mut self,
        op: ArithmeticOp,
        a: Reg,
        b: &Self::Expr,
        dst: Reg,
        at: Span,
        span: Span,
    ) {
        let literal = Self::int_literal(b);
        let short = literal.and_then(|value| op.int_instr(self.builder(), dst, a, value));
        let instr = short.unwrap_or_else(|| op.instr(dst, a, self.emit_expr(b)));
        self.builder().emit_value(instr, dst, at, span);
    }

    /// Puts the result of a comparison into `dst`, as in [`Emit::emit_arithmetic`].
    fn emit_comparison(
        &mut self,
        op: CompareOp,
        [a, b]: [&Self::Expr; 2],
        dst: Reg,
        at: Span,
        span: Span,
    ) {
        let (a, b) = (self.emit_expr(a), self.emit_expr(b));
        let instr = op.instr(dst, a, b);
        self.builder().emit_value(instr, dst, at, span);
    }

    /// Emits a jump that is taken if the comparison is false. `at` is underlined if it fails, `span`
    /// is the whole comparison.
    fn emit_jump_unless(
        &mut self,
        op: CompareOp,
        [a, b]: [&Self::Expr; 2],
        at: Span,
        span: Span,
    ) -> PendingJump {
        let a = self.emit_expr(a);
        let literal = Self::int_literal(b);
        let short = literal.and_then(|value| op.jump_unless_int(a, value));
        let instr = short.unwrap_or_else(|| op.jump_unless(a, self.emit_expr(b)));
        self.builder().emit_test(instr, at, span)
    }

    /// Emits a test that is one instruction with its jump, which is taken if the test is false.
    /// `None` for all other expressions.
    fn emit_fused_test(&mut self, _: &Self::Expr) -> Option<PendingJump> {
        None
    }

    /// Emits a jump that is taken if the condition is false.
    fn emit_jump_if_false(&mut self, condition: &Self::Expr) -> PendingJump {
        let in_use = self.builder().registers_in_use();
        let fused = self.emit_fused_test(condition);
        let jump = fused.unwrap_or_else(|| {
            let test = Instr::JumpUnless {
                a: self.emit_expr(condition),
                to: 0,
            };
            self.builder().emit_jump(test, Self::span_of(condition))
        });
        self.builder().release_registers(in_use);
        jump
    }

    /// Emits a loop. `next` jumps back to the start of the body, if the loop continues.
    fn emit_loop(&mut self, next: Instr, span: Span, body: impl FnOnce(&mut Self)) {
        let top = self.builder().next_pc();
        body(self);
        let again = self.builder().emit_jump(next, span);
        self.builder().patch(again, top);
    }

    /// Emits a loop that continues while the condition is true. Each iteration stops at `head`.
    fn emit_while(
        &mut self,
        condition: &Self::Expr,
        head: Span,
        span: Span,
        body: impl FnOnce(&mut Self),
    ) {
        let mut done = None;
        self.emit_loop(Instr::Loop { to: 0 }, span, |lowerer| {
            lowerer.builder().stop_point(StopKind::Iteration, head);
            done = Some(lowerer.emit_jump_if_false(condition));
            body(lowerer);
        });
        self.builder().patch_all_here(done);
    }

    /// Puts the result of `and` or `or` into `dst`, which is written before the right operand is
    /// evaluated.
    fn emit_logic(&mut self, op: LogicOp, [a, b]: [&Self::Expr; 2], dst: Reg, span: Span) {
        self.emit_expr_to(a, dst);
        // If the left operand is not a boolean, the jump fails.
        let decided = self
            .builder()
            .emit_jump(op.jump_if_decided(dst), Self::span_of(a));
        self.emit_bool_to(b, dst);
        let builder = self.builder();
        builder.patch_here(decided);
        builder.record_value_before(span, ValueLoc::Register(dst));
    }
}

impl Builder {
    /// Emits the instruction that puts the value of the expression at `span` into `dst`; `at` is
    /// underlined if it fails.
    pub fn emit_value(&mut self, instr: Instr, dst: Reg, at: Span, span: Span) {
        self.emit(instr, at);
        self.record_value_after(span, ValueLoc::Register(dst));
    }

    /// Emits a comparison fused with a jump that is taken if it is false; `span` is the whole
    /// comparison.
    pub fn emit_test(&mut self, instr: Instr, at: Span, span: Span) -> PendingJump {
        let jump = self.emit_jump(instr, at);
        self.record_value_after(span, ValueLoc::JumpTest { if_taken: false });
        jump
    }

    /// Allocates the registers of a call's arguments, and of its result. They start with `dst` if
    /// that is the topmost register, so that the result needs no move.
    pub fn alloc_call(&mut self, argument_count: usize, dst: Option<Reg>) -> Reg {
        let count = argument_count.max(1);
        match dst {
            Some(dst) if dst + 1 == self.registers_in_use() => {
                self.alloc_block(count - 1);
                dst
            }
            _ => self.alloc_block(count),
        }
    }

    /// Loads a constant into a new register.
    pub fn new_constant(&mut self, value: Value, span: Span) -> Reg {
        let dst = self.alloc_register();
        self.emit_constant(dst, value, span);
        dst
    }

    /// Loads a number into a new register.
    pub fn new_int(&mut self, value: i32, span: Span) -> Reg {
        self.new_constant(Value::int(value), span)
    }

    /// Loads a string into a new register.
    pub fn new_string(&mut self, text: &str, span: Span) -> Reg {
        self.new_constant(Value::interned(InternedStr::new(text)), span)
    }

    /// Reads a global variable into a new register.
    pub fn new_global(&mut self, global: u32, span: Span) -> Reg {
        let dst = self.alloc_register();
        self.emit_get_global(dst, global, span);
        dst
    }

    /// Emits an instruction that puts its result into a new register.
    pub fn emit_new(&mut self, instr: impl FnOnce(Reg) -> Instr, span: Span) -> Reg {
        let dst = self.alloc_register();
        self.emit(instr(dst), span);
        dst
    }

    /// Fails, as [`Builder::emit_fail`] does, unless the jump `passes` is taken.
    pub fn emit_check(&mut self, passes: Instr, message: &str, with: Option<Reg>, span: Span) {
        let passed = self.emit_jump(passes, span);
        self.emit_fail(message, with, span);
        self.patch_here(passed);
    }

    /// Prints a warning.
    pub fn emit_warning(&mut self, message: &str, span: Span) {
        let k = self.string_constant(message);
        self.emit(Instr::Warn { k }, span);
    }

    /// Emits a jump that is always taken.
    pub fn emit_skip(&mut self, span: Span) -> PendingJump {
        self.emit_jump(Instr::Jump { to: 0 }, span)
    }

    /// Copies a value into `dst`, unless it is there.
    pub fn emit_move(&mut self, dst: Reg, src: Reg, span: Span) {
        if dst != src {
            self.emit(Instr::Move { dst, src }, span);
        }
    }

    /// Reads a global variable.
    pub fn emit_get_global(&mut self, dst: Reg, global: u32, span: Span) {
        self.emit(Instr::GetGlobal { dst, global }, span);
    }

    /// Assigns to a global variable.
    pub fn emit_set_global(&mut self, global: u32, src: Reg, span: Span) {
        self.emit(Instr::SetGlobal { global, src }, span);
    }

    /// Reads a component of a tuple, counted from 0.
    pub fn emit_item(&mut self, dst: Reg, of: Reg, item: u16, span: Span) {
        self.emit(Instr::Item { dst, of, item }, span);
    }

    /// Calls a function with arguments in any registers; returns the register of its result.
    pub fn emit_call(&mut self, function: FunctionId, arguments: &[Reg], span: Span) -> Reg {
        let base = self.alloc_call(arguments.len(), None);
        for (n, &src) in arguments.iter().enumerate() {
            self.emit_move(base.wrapping_add(n as Reg), src, span);
        }
        self.emit(Instr::Call { function, base }, span);
        base
    }
}
