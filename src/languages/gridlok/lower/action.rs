//! Lowers built-in functions, piece actions, and the intrinsics of the rules of play.

use super::expr::strip_parens;
use super::{BodyKind, Lowerer};
use crate::code::{Channel, Instr, Reg};
use crate::languages::gridlok::ast::{BraceContent, Expr, ExprKind, Name};
use crate::languages::gridlok::check::argument_count_message;
use crate::languages::gridlok::check::builtin::find_builtin;
use crate::languages::gridlok::lower::scope::rule_variable;
use crate::source::Span;
use crate::value::InternedStr;

impl Lowerer<'_, '_> {
    /// Lowers the block of a player in setup: `turn` and the owner of new pieces are set to the
    /// player while it runs.
    pub(super) fn player_block(&mut self, player: &str, content: &BraceContent, span: Span) {
        let globals =
            [rule_variable("turn"), rule_variable("@owner")].map(Option::unwrap_or_default);
        let saved = self.builder.alloc_registers(2);
        for (n, global) in globals.into_iter().enumerate() {
            self.builder.emit_get_global(saved + n as Reg, global, span);
        }
        let as_player = self.builder.alloc_register();
        let k = self.builder.string_constant(player);
        self.builder
            .emit(Instr::Constant { dst: as_player, k }, span);
        for global in globals {
            self.builder.emit_set_global(global, as_player, span);
        }
        match content {
            BraceContent::Block(block) => self.block(block),
            // Calls that were parsed as arguments are statements here.
            BraceContent::Arguments(calls) => self.scoped(|body| {
                for call in calls {
                    if let ExprKind::Call(name, arguments) = &call.kind {
                        body.statement_stop(call.span);
                        let in_use = body.builder.registers_in_use();
                        body.braces(name, &BraceContent::Arguments(arguments.clone()), call.span);
                        body.builder.release_registers(in_use);
                    } else {
                        body.emit_fail("expected statements in the block of a player", call.span);
                    }
                }
            }),
            BraceContent::List(..) => {
                self.emit_fail("expected statements in the block of a player", span)
            }
        }
        for (n, global) in globals.into_iter().enumerate() {
            self.builder.emit_set_global(global, saved + n as Reg, span);
        }
    }

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
            ("removePiece", [row, col]) => {
                let (row, _) = self.expr(row);
                let (col, _) = self.expr(col);
                self.builder.emit(Instr::Remove { row, col }, span);
            }
            ("removePlayer", [who]) => self.call_rule("@removePlayer", &[who], span),
            ("changeType", [name]) => {
                let (name, _) = self.expr(name);
                self.builder.emit(Instr::ChangeSelfType { name }, span);
            }
            ("visible", [value]) => {
                let (value, _) = self.expr(value);
                self.builder.emit(Instr::SetSelfVisible { value }, span);
            }
            ("endTurn", []) => self.end_turn(span),
            ("rand", [low, high]) => {
                let (low, _) = self.expr(low);
                let (high, _) = self.expr(high);
                let dst = self.builder.alloc_register();
                self.builder.emit(
                    Instr::Random {
                        dst,
                        low,
                        high,
                        is_float: false,
                    },
                    span,
                );
            }
            ("print", [value]) => {
                let (value, _) = self.expr(value);
                self.builder.emit(Channel::Print.output(value), span);
            }
            ("display", [value]) => {
                let (value, _) = self.expr(value);
                self.builder.emit(Channel::Display.output(value), span);
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
                let (piece, _) = self.expr(piece);
                self.builder.emit(Instr::SendTurn { piece }, span);
            }
            ("@freeList", [list]) => {
                let (list, _) = self.expr(list);
                self.builder.emit(Instr::FreeList { list }, span);
            }
            ("@endGame", [how, winner]) => {
                let (how, _) = self.expr(how);
                let (winner, _) = self.expr(winner);
                for (name, src) in [("@status", how), ("@winner", winner)] {
                    let global = rule_variable(name).unwrap_or_default();
                    self.builder.emit_set_global(global, src, span);
                }
                self.builder.emit(Instr::EndGame { how, winner }, span);
            }
            ("@failUnknownPlayer", [who]) => {
                let (a, _) = self.expr(who);
                let message = "unknown player {} | players are listed in `players{…}`; this one may have been removed";
                self.builder.emit_fail(message, Some(a), span);
            }
            ("@winCondition" | "@loseCondition" | "@drawCondition" | "@setup", []) => {
                let base = self.builder.alloc_register();
                let function = self.context.symbols.get_or_insert(&word[1..]);
                self.builder.emit(Instr::Call { function, base }, span);
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
                let dst = self.builder.alloc_register();
                let global = rule_variable("@inAction").unwrap_or_default();
                self.builder.emit_get_global(dst, global, span);
                let idle = self
                    .builder
                    .emit_jump(Instr::JumpUnless { a: dst, to: 0 }, span);
                inside(self);
                let done = self.builder.emit_jump(Instr::Jump { to: 0 }, span);
                self.builder.patch_here(idle);
                outside(self);
                self.builder.patch_here(done);
            }
        }
    }

    pub(super) fn click(&mut self, is_intrinsic: bool, row: &Expr, col: &Expr, span: Span) {
        let (r, _) = self.expr(row);
        let (c, _) = self.expr(col);
        if is_intrinsic {
            self.builder.emit(Instr::SendClick { row: r, col: c }, span);
            return;
        }
        self.branch_on_action(
            span,
            |body| {
                body.builder.emit(Instr::SendClick { row: r, col: c }, span);
            },
            |body| {
                let base = body.builder.alloc_registers(2);
                body.builder.emit(Instr::Move { dst: base, src: r }, span);
                body.builder.emit(
                    Instr::Move {
                        dst: base + 1,
                        src: c,
                    },
                    span,
                );
                let function = body.context.symbols.get_or_insert("@click");
                body.builder.emit(Instr::Call { function, base }, span);
            },
        );
    }

    pub(super) fn end_turn(&mut self, span: Span) {
        self.branch_on_action(
            span,
            |body| {
                let src = body.builder.alloc_register();
                let k = body.builder.constant(crate::value::Value::TRUE);
                body.builder.emit(Instr::Constant { dst: src, k }, span);
                body.builder.emit_set_global(
                    rule_variable("@turnOver").unwrap_or_default(),
                    src,
                    span,
                );
            },
            |body| body.call_rule("@endTurn", &[], span),
        );
    }

    pub(super) fn place(&mut self, name: &Expr, row: &Expr, col: &Expr, span: Span) {
        // If the kind is known at compile time, its name need not be looked up at run time.
        let known_kind = match &strip_parens(name).kind {
            ExprKind::Text(text) => self
                .context
                .kinds
                .iter()
                .position(|k| k.name == InternedStr::new(text)),
            _ => None,
        };
        let name = if known_kind.is_none() {
            Some(self.expr(name).0)
        } else {
            None
        };
        let (row, _) = self.expr(row);
        let (col, _) = self.expr(col);
        let owner = self.builder.alloc_register();
        self.builder
            .emit_get_global(owner, rule_variable("@owner").unwrap_or_default(), span);
        self.builder.emit(
            match (name, known_kind) {
                (Some(name), _) => Instr::Place {
                    name,
                    row,
                    col,
                    owner,
                },
                (None, kind) => Instr::PlaceKind {
                    kind: kind.unwrap_or_default() as u16,
                    row,
                    col,
                    owner,
                },
            },
            span,
        );
    }

    /// Lowers `board[r][c].visible{…}` and `p.changeType{…}`.
    pub(super) fn piece_action(
        &mut self,
        piece: &Expr,
        action: &Name,
        arguments: &[Expr],
        span: Span,
    ) {
        let (p, _) = self.expr(piece);
        let [argument] = arguments else {
            let message = argument_count_message(&action.text, 1, arguments.len());
            return self.emit_fail(&message, span);
        };
        let (value, _) = self.expr(argument);
        match action.text.as_str() {
            "visible" => {
                self.builder
                    .emit(Instr::SetVisible { piece: p, value }, span);
            }
            "changeType" => {
                self.builder.emit(
                    Instr::ChangeType {
                        piece: p,
                        name: value,
                    },
                    span,
                );
            }
            other => return self.emit_fail(&format!("cannot assign to `.{other}`"), action.span),
        }
        // Pieces are copied on assignment, so update the copy in a global variable as well.
        if let ExprKind::Name(name) = &strip_parens(piece).kind
            && self.find_local(name).is_none()
            && let Some(variable) = self.context.scope.variables.get(name.as_str())
        {
            let global = variable.global;
            self.builder.emit_set_global(global, p, span);
        }
    }
}
