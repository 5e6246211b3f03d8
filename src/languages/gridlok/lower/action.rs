//! What acts on the board and on the game: the built-in functions, and what only the rules may say.

use super::expr::bare;
use super::{Body, Place};
use crate::code::{Instr, Reg};
use crate::languages::gridlok::ast::{Content, Expr, ExprKind, Name};
use crate::languages::gridlok::builtin::builtin;
use crate::languages::gridlok::scope::rule_variable;
use crate::source::Span;
use crate::value::Text;

impl Body<'_, '_> {
    /// In setup, a block named after a player runs as that player.
    pub(super) fn player_block(&mut self, player: &str, content: &Content, span: Span) {
        let globals =
            [rule_variable("turn"), rule_variable("@owner")].map(Option::unwrap_or_default);
        let saved = self.b.registers(2);
        for (n, global) in globals.into_iter().enumerate() {
            self.b.emit(
                Instr::Global {
                    dst: saved + n as Reg,
                    global,
                },
                span,
            );
        }
        let as_player = self.b.register();
        let k = self.b.text(player);
        self.b.emit(Instr::Constant { dst: as_player, k }, span);
        for global in globals {
            self.b.emit(
                Instr::SetGlobal {
                    global,
                    src: as_player,
                },
                span,
            );
        }
        match content {
            Content::Block(block) => self.block(block),
            // What could be arguments as well are calls standing as statements.
            Content::Arguments(calls) => self.scoped(|body| {
                for call in calls {
                    if let ExprKind::Call(name, arguments) = &call.kind {
                        body.statement_stop(call.span);
                        let mark = body.b.mark();
                        body.braces(name, &Content::Arguments(arguments.clone()), call.span);
                        body.b.release(mark);
                    } else {
                        body.fail("a player's block holds statements", call.span);
                    }
                }
            }),
            Content::List(..) => self.fail("a player's block holds statements", span),
        }
        for (n, global) in globals.into_iter().enumerate() {
            self.b.emit(
                Instr::SetGlobal {
                    global,
                    src: saved + n as Reg,
                },
                span,
            );
        }
    }

    /// A function that is there from the start. Says whether there is one with that name.
    pub(super) fn builtin(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
        if let Some(count) = builtin(word).map(|b| b.takes.len())
            && count != arguments.len()
        {
            self.fail(
                &format!(
                    "`{word}` takes {count} argument(s), but {} are given",
                    arguments.len()
                ),
                span,
            );
            return true;
        }
        match (word, arguments) {
            ("click" | "@send", [row, col]) => self.click(word == "@send", row, col, span),
            ("place", [name, row, col]) => self.place(name, row, col, span),
            ("removePiece", [row, col]) => {
                let (row, _) = self.expr(row);
                let (col, _) = self.expr(col);
                self.b.emit(Instr::Remove { row, col }, span);
            }
            ("removePlayer", [who]) => self.rule("@removePlayer", &[who], span),
            ("changeType", [name]) => {
                let (name, _) = self.expr(name);
                self.b.emit(Instr::ChangeMyType { name }, span);
            }
            ("visible", [value]) => {
                let (value, _) = self.expr(value);
                self.b.emit(Instr::SetMyVisible { value }, span);
            }
            ("endTurn", []) => self.end_turn(span),
            ("rand", [low, high]) => {
                let (low, _) = self.expr(low);
                let (high, _) = self.expr(high);
                let dst = self.b.register();
                self.b.emit(Instr::Random { dst, low, high }, span);
            }
            ("print", [value]) => {
                let (value, _) = self.expr(value);
                self.b.emit(Instr::Print { value }, span);
            }
            ("display", [value]) => {
                let (value, _) = self.expr(value);
                self.b.emit(Instr::Display { value }, span);
            }
            _ => return self.in_rules() && self.intrinsic(word, arguments, span),
        }
        true
    }

    /// What only the rules may say.
    pub(super) fn intrinsic(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
        match (word, arguments) {
            ("@action", []) => {
                self.b.emit(Instr::BeginAction, span);
            }
            ("@warn", [text]) => {
                if let ExprKind::Text(text) = &text.kind {
                    let k = self.b.text(text);
                    self.b.emit(Instr::Warn { k }, span);
                }
            }
            ("@sendTurn", [piece]) => {
                let (piece, _) = self.expr(piece);
                self.b.emit(Instr::SendTurn { piece }, span);
            }
            ("@forget", [list]) => {
                let (list, _) = self.expr(list);
                self.b.emit(Instr::Forget { list }, span);
            }
            ("@end", [how, winner]) => {
                let (how, _) = self.expr(how);
                let (winner, _) = self.expr(winner);
                for (name, src) in [("@status", how), ("@winner", winner)] {
                    let global = rule_variable(name).unwrap_or_default();
                    self.b.emit(Instr::SetGlobal { global, src }, span);
                }
                self.b.emit(Instr::End { how, winner }, span);
            }
            ("@unknownPlayer", [who]) => {
                let (a, _) = self.expr(who);
                let k =
                    self.b.text("no player is named {} | players are named in `players{…}`, and may have been removed");
                self.b.emit(Instr::Fail { k, a, with: true }, span);
            }
            ("@winCondition" | "@loseCondition" | "@drawCondition" | "@setup", []) => {
                let base = self.b.register();
                let function = self.shared.titles.number(&word[1..]);
                self.b.emit(Instr::Call { function, base }, span);
            }
            _ => return false,
        }
        true
    }

    /// Calls one of the rules.
    pub(super) fn rule(&mut self, title: &str, arguments: &[&Expr], span: Span) {
        let base = self.b.row(arguments.len().max(1));
        for (n, argument) in arguments.iter().enumerate() {
            self.expr_to(argument, base.wrapping_add(n as Reg));
        }
        let function = self.shared.titles.number(title);
        self.b.emit(Instr::Call { function, base }, span);
    }

    /// Runs `inside` when an action is going on, else calls a rule that makes it one.
    pub(super) fn acting(
        &mut self,
        span: Span,
        inside: impl FnOnce(&mut Self),
        outside: impl FnOnce(&mut Self),
    ) {
        match self.place {
            Place::Action | Place::Setup | Place::Rules => inside(self),
            Place::Entry | Place::Function => {
                let dst = self.b.register();
                let global = rule_variable("@acting").unwrap_or_default();
                self.b.emit(Instr::Global { dst, global }, span);
                let idle = self.b.jump(Instr::Unless { a: dst, to: 0 }, span);
                inside(self);
                let done = self.b.jump(Instr::Jump { to: 0 }, span);
                self.b.land(idle);
                outside(self);
                self.b.land(done);
            }
        }
    }

    pub(super) fn click(&mut self, always: bool, row: &Expr, col: &Expr, span: Span) {
        let (r, _) = self.expr(row);
        let (c, _) = self.expr(col);
        if always {
            self.b.emit(Instr::Click { row: r, col: c }, span);
            return;
        }
        self.acting(
            span,
            |body| {
                body.b.emit(Instr::Click { row: r, col: c }, span);
            },
            |body| {
                let base = body.b.registers(2);
                body.b.emit(Instr::Move { dst: base, src: r }, span);
                body.b.emit(
                    Instr::Move {
                        dst: base + 1,
                        src: c,
                    },
                    span,
                );
                let function = body.shared.titles.number("@click");
                body.b.emit(Instr::Call { function, base }, span);
            },
        );
    }

    pub(super) fn end_turn(&mut self, span: Span) {
        self.acting(
            span,
            |body| {
                let src = body.b.register();
                let k = body.b.constant(crate::value::Value::TRUE);
                body.b.emit(Instr::Constant { dst: src, k }, span);
                body.b.emit(
                    Instr::SetGlobal {
                        global: rule_variable("@turnOver").unwrap_or_default(),
                        src,
                    },
                    span,
                );
            },
            |body| body.rule("@endTurn", &[], span),
        );
    }

    pub(super) fn place(&mut self, name: &Expr, row: &Expr, col: &Expr, span: Span) {
        let literal = match &bare(name).kind {
            ExprKind::Text(text) => self
                .shared
                .kinds
                .iter()
                .position(|k| k.name == Text::new(text)),
            _ => None,
        };
        let named = if literal.is_none() {
            Some(self.expr(name).0)
        } else {
            None
        };
        let (row, _) = self.expr(row);
        let (col, _) = self.expr(col);
        let owner = self.b.register();
        self.b.emit(
            Instr::Global {
                dst: owner,
                global: rule_variable("@owner").unwrap_or_default(),
            },
            span,
        );
        self.b.emit(
            match (named, literal) {
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

    /// `board[r][c].visible{…}`, `p.changeType{…}`.
    pub(super) fn act(&mut self, piece: &Expr, action: &Name, arguments: &[Expr], span: Span) {
        let (p, _) = self.expr(piece);
        let [argument] = arguments else {
            return self.fail(&format!("`{}` takes one value", action.text), span);
        };
        let (value, _) = self.expr(argument);
        match action.text.as_str() {
            "visible" => {
                self.b.emit(Instr::SetVisible { piece: p, value }, span);
            }
            "changeType" => {
                self.b.emit(
                    Instr::ChangeType {
                        piece: p,
                        name: value,
                    },
                    span,
                );
            }
            other => return self.fail(&format!("`.{other}` can't be changed"), action.span),
        }
        // A copy in a variable of the whole program is brought up to date as well.
        if let ExprKind::Name(name) = &bare(piece).kind
            && self.find(name).is_none()
            && let Some(variable) = self.shared.scope.variables.get(name)
        {
            let global = variable.global;
            self.b.emit(Instr::SetGlobal { global, src: p }, span);
        }
    }
}
