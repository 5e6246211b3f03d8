//! Lowers built-in functions, piece actions, and the intrinsics of the rules of play.

use super::{BodyKind, Lowerer};
use crate::ast::{Expr, ExprKind, Name};
use crate::check::builtin::find_builtin;
use crate::code::{Channel, Emit, Instr, Reg};
use crate::lower::scope::rule_slot;
use crate::source::Span;
use crate::text::argument_count_message;
use crate::value::{InternedStr, Value};

impl Lowerer<'_, '_> {
    /// Lowers a call of a built-in function. Returns false if there is none of that name.
    pub(super) fn builtin(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
        if let Some(count) = find_builtin(word).map(|b| b.parameters.len())
            && count != arguments.len()
        {
            self.emit_fail(&argument_count_message(word, count, arguments.len()), span);
            return true;
        }
        match (word, arguments) {
            ("click" | "@sendClick", [row, col]) => {
                self.click(word == "@sendClick", row, col, span)
            }
            ("place", [name, row, col]) => self.place(name, row, col, span),
            ("removePlayer", [who]) => self.call_rule("@removePlayer", &[who], span),
            ("endTurn", []) => self.end_turn(span),
            ("rand", [low, high]) => self.random(low, high, None, span),
            ("removePiece", [row, col]) => {
                let (row, col) = (self.emit_expr(row), self.emit_expr(col));
                self.builder.emit(Instr::Remove { row, col }, span);
            }
            ("changeType" | "visible" | "print" | "display", [value]) => {
                let value = self.emit_expr(value);
                let instr = match word {
                    "changeType" => Instr::ChangeSelfType { name: value },
                    "visible" => Instr::SetSelfVisible { value },
                    "print" => Channel::Print.output(value),
                    _ => Channel::Display.output(value),
                };
                self.builder.emit(instr, span);
            }
            _ => return self.in_rules() && self.intrinsic(word, arguments, span),
        }
        true
    }

    /// Lowers a call of an intrinsic. Returns false if there is none of that name.
    pub(super) fn intrinsic(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
        match (word, arguments) {
            ("@countAction", []) => {
                self.builder.emit(Instr::BeginAction, span);
            }
            ("@warn", [text]) => {
                if let ExprKind::Text(text) = &text.kind {
                    let k = self.builder.string_constant(text);
                    self.builder.emit(Instr::Warn { k }, span);
                }
            }
            ("@sendTurn", [piece]) => {
                let piece = self.emit_expr(piece);
                self.builder.emit(Instr::SendTurn { piece }, span);
            }
            ("@freeList", [list]) => {
                let list = self.emit_expr(list);
                self.builder.emit(Instr::FreeList { list }, span);
            }
            ("@endGame", [how, winner]) => {
                let (how, winner) = (self.emit_expr(how), self.emit_expr(winner));
                for (name, src) in [("@status", how), ("@winner", winner)] {
                    self.builder.emit_set_global(rule_slot(name), src, span);
                }
                self.builder.emit(Instr::EndGame { how, winner }, span);
            }
            ("@failUnknownPlayer", [who]) => {
                let who = self.emit_expr(who);
                let message = "unknown player {} | players are listed in `players{…}`; this one may have been removed";
                self.builder.emit_fail(message, Some(who), span);
            }
            ("@winCondition" | "@loseCondition" | "@drawCondition" | "@setup", []) => {
                self.call_rule(&word[1..], &[], span);
            }
            _ => return false,
        }
        true
    }

    /// Calls a function of the rules of play.
    pub(super) fn call_rule(&mut self, name: &str, arguments: &[&Expr], span: Span) {
        let base = self.builder.alloc_block(arguments.len().max(1));
        for (n, argument) in arguments.iter().enumerate() {
            self.expr_to(argument, base.wrapping_add(n as Reg));
        }
        let function = self.context.symbols.get_or_insert(name);
        self.builder.emit(Instr::Call { function, base }, span);
    }

    /// Emits `inside` if this code runs inside an action, and `outside`, which calls a rule that
    /// starts one, if not. If the kind of body does not decide it, both are emitted and chosen at
    /// run time.
    pub(super) fn branch_on_action(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self),
        outside: impl FnOnce(&mut Self),
    ) {
        match self.body_kind {
            BodyKind::Action | BodyKind::Setup | BodyKind::Rules => inside(self),
            BodyKind::Entry | BodyKind::Function => {
                let a = self.builder.alloc_register();
                let in_action = rule_slot("@inAction");
                self.builder.emit_get_global(a, in_action, span);
                let idle = self.builder.emit_jump(Instr::JumpUnless { a, to: 0 }, span);
                inside(self);
                let done = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
                self.builder.patch_here(idle);
                outside(self);
                self.builder.patch_here(done);
            }
        }
    }

    fn click(&mut self, is_intrinsic: bool, row: &Expr, col: &Expr, span: Span) {
        let (row, col) = (self.emit_expr(row), self.emit_expr(col));
        let send = Instr::SendClick { row, col };
        if is_intrinsic {
            self.builder.emit(send, span);
            return;
        }
        self.branch_on_action(
            span,
            |body| _ = body.builder.emit(send, span),
            |body| {
                let click = body.context.symbols.get_or_insert("@click");
                body.builder.emit_call(click, &[row, col], span);
            },
        );
    }

    fn end_turn(&mut self, span: Span) {
        self.branch_on_action(
            span,
            |body| {
                let src = body.builder.alloc_register();
                body.builder.emit_constant(src, Value::TRUE, span);
                body.builder
                    .emit_set_global(rule_slot("@turnOver"), src, span);
            },
            |body| body.call_rule("@endTurn", &[], span),
        );
    }

    fn place(&mut self, name: &Expr, row: &Expr, col: &Expr, span: Span) {
        // If the kind is known at compile time, its name need not be looked up at run time.
        let known_kind = match &name.unparenthesized().kind {
            ExprKind::Text(text) => {
                let (name, mut kinds) = (InternedStr::new(text), self.context.kinds.iter());
                kinds.position(|kind| kind.name == name)
            }
            _ => None,
        };
        let name = known_kind.is_none().then(|| self.emit_expr(name));
        let (row, col) = (self.emit_expr(row), self.emit_expr(col));
        let owner = self.builder.alloc_register();
        self.builder
            .emit_get_global(owner, rule_slot("@owner"), span);
        let instr = match name {
            Some(name) => Instr::Place {
                name,
                row,
                col,
                owner,
            },
            None => Instr::PlaceKind {
                kind: known_kind.unwrap_or_default() as u16,
                row,
                col,
                owner,
            },
        };
        self.builder.emit(instr, span);
    }

    /// Lowers `board[r][c].visible{…}` and `p.changeType{…}`.
    pub(super) fn piece_action(
        &mut self,
        piece: &Expr,
        action: &Name,
        arguments: &[Expr],
        span: Span,
    ) {
        let register = self.emit_expr(piece);
        let [argument] = arguments else {
            let message = argument_count_message(&action.text, 1, arguments.len());
            return self.emit_fail(&message, span);
        };
        let value = self.emit_expr(argument);
        let instr = match &*action.text {
            "visible" => Instr::SetVisible {
                piece: register,
                value,
            },
            "changeType" => Instr::ChangeType {
                piece: register,
                name: value,
            },
            other => return self.emit_fail(&format!("cannot assign to `.{other}`"), action.span),
        };
        self.builder.emit(instr, span);
        // Pieces are copied on assignment, so update the copy in a global variable as well.
        if let ExprKind::Name(name) = &piece.unparenthesized().kind
            && self.find_local(name).is_none()
            && let Some(variable) = self.context.scope.variables.get(name)
        {
            let global = variable.global;
            self.builder.emit_set_global(global, register, span);
        }
    }
}
