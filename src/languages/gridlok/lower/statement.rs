//! Statements and blocks.

use super::expr::bare;
use super::{Body, Place};
use crate::code::{Instr, Reg, Seen};
use crate::languages::gridlok::ast::{
    Block, Content, Def, Expr, ExprKind, Given, Loop, Name, Range, Statement, StatementKind,
};
use crate::languages::gridlok::builtin::builtin;
use crate::languages::gridlok::scope::{Known, RULE_VARIABLES, rule_variable};
use crate::languages::gridlok::typing::{self, Type};
use crate::source::Span;
use crate::value::Text;

impl Body<'_, '_> {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &Block) {
        self.scoped(|body| body.statements(&block.statements));
    }

    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (mark, seen, locals) = (self.b.mark(), self.seen.len(), self.b.locals());
        inside(self);
        self.seen.truncate(seen);
        self.b.end_locals(locals);
        self.b.release(mark);
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        self.statement_stop(statement.span);
        let mark = self.b.mark();
        match &statement.kind {
            // A definition keeps its register until the block ends.
            StatementKind::Def(def) => return self.def(def),
            StatementKind::Braces(name, content) => self.braces(name, content, statement.span),
            StatementKind::SetElement { list, index, value } => self.set_element(list, index, value, statement.span),
            StatementKind::RemoveElement { list, index } => self.remove_element(list, index, statement.span),
            StatementKind::Act { piece, action, arguments } => self.act(piece, action, arguments, statement.span),
            StatementKind::If { arms, otherwise } => self.arms(arms, otherwise.as_ref()),
            StatementKind::For(head, block) => self.loop_over(head, block, statement.span),
            StatementKind::Return(value) => self.give_back(value.as_ref(), statement.span),
            StatementKind::Loose(e) => {
                self.expr(e);
            }
        }
        self.b.release(mark);
    }

    fn def(&mut self, def: &Def) {
        let register = self.b.register();
        let kind = self.given_to(&def.value, register);
        self.declare(&def.name.text, register, kind);
    }

    /// The value of a definition: one expression or a list.
    pub(super) fn given_to(&mut self, value: &Given, dst: Reg) -> Known {
        match value {
            Given::One(e) => self.copy_to(e, dst),
            Given::List(items, span) => {
                self.list_to(items, dst, *span);
                Some(Type::List)
            }
        }
    }

    fn list_to(&mut self, items: &[Expr], dst: Reg, span: Span) {
        let mark = self.b.mark();
        let first = self.b.row(items.len());
        for (n, item) in items.iter().enumerate() {
            self.copy_to(item, first.wrapping_add(n as Reg));
        }
        self.b.emit(Instr::List { dst, first, count: items.len() as u16 }, span);
        self.b.note_after(span, Seen::Register(dst));
        self.b.release(mark);
    }

    /// `name{…}`: by what the name is.
    fn braces(&mut self, name: &Name, content: &Content, span: Span) {
        let word = name.text.as_str();
        if self.place == Place::Setup && self.find(word).is_none() && self.is_player(word) {
            return self.player_block(word, content, span);
        }
        match content {
            Content::Arguments(arguments) if self.find(word).is_none() && !self.is_variable(word) => {
                if !self.builtin(word, arguments, span) {
                    self.invoke(name, arguments, span);
                }
            }
            Content::Arguments(arguments) => match arguments.as_slice() {
                [value] => self.assign(word, value, span),
                _ => self.fail(&format!("`{word}` takes one value"), span),
            },
            Content::List(items, at) => self.replace(word, items, *at, span),
            Content::Block(_) => self.fail(&format!("`{word}` is not a player"), name.span),
        }
    }

    fn is_player(&self, word: &str) -> bool {
        self.shared.scope.has_player(word) && !self.is_variable(word) && self.shared.scope.function(word).is_none()
    }

    fn is_variable(&self, word: &str) -> bool {
        rule_variable(word).is_some() || self.shared.scope.variables.contains_key(word)
    }

    /// One value: a list gets it appended, any other variable becomes it.
    fn assign(&mut self, word: &str, value: &Expr, span: Span) {
        match self.find(word) {
            Some(seen) => {
                let (dst, kind) = (seen.register, seen.kind);
                self.assign_local(dst, kind, value, span);
            }
            None => self.assign_global(word, value, span),
        }
    }

    fn assign_local(&mut self, dst: Reg, kind: Known, value: &Expr, span: Span) {
        // What is certainly of the variable's own type may be computed in its place.
        let simple = matches!(kind, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text));
        if simple && self.type_of(value) == kind && self.may_write(value, dst) {
            self.expr_to(value, dst);
            self.b.note_before(span, Seen::Write(dst));
            return;
        }
        let src = self.b.register();
        let got = self.copy_to(value, src);
        let instr = match kind {
            _ if simple && got == kind => Instr::Move { dst, src },
            Some(Type::List) | None => Instr::Give { dst, src },
            _ => Instr::Assign { dst, src },
        };
        self.b.note_before(span, Seen::Write(src));
        self.b.emit(instr, span);
    }

    fn assign_global(&mut self, word: &str, value: &Expr, span: Span) {
        let src = self.b.register();
        let got = self.copy_to(value, src);
        self.b.note_before(span, Seen::Write(src));
        let (global, kind) = match (rule_variable(word), self.shared.scope.variables.get(word)) {
            (Some(global), _) => (global, RULE_VARIABLES[global as usize].1),
            (None, Some(variable)) => (variable.global, variable.kind),
            (None, None) => return self.fail(&format!("`{word}` is not defined"), span),
        };
        let instr = match kind {
            _ if self.in_rules() && word.starts_with('@') => Instr::SetGlobal { global, src },
            _ if kind == got && matches!(kind, Some(Type::Int) | Some(Type::Bool) | Some(Type::Text)) => {
                Instr::SetGlobal { global, src }
            }
            Some(Type::List) | None => Instr::GiveGlobal { global, src },
            _ => Instr::AssignGlobal { global, src },
        };
        self.b.emit(instr, span);
    }

    /// A whole list in the place of the one that a variable holds.
    fn replace(&mut self, word: &str, items: &[Expr], at: Span, span: Span) {
        let src = self.b.register();
        self.list_to(items, src, at);
        self.b.note_before(span, Seen::Write(src));
        if let Some(seen) = self.find(word) {
            let dst = seen.register;
            self.b.emit(Instr::Assign { dst, src }, span);
            return;
        }
        let global = rule_variable(word).or_else(|| self.shared.scope.variables.get(word).map(|v| v.global));
        match global {
            Some(global) => {
                self.b.emit(Instr::AssignGlobal { global, src }, span);
            }
            None => self.fail(&format!("`{word}` is not a list"), span),
        }
    }

    /// What is certain of an expression's type, without lowering it. Only the body's own variables count: a
    /// variable of the whole program may be defined anew with another type.
    fn type_of(&self, e: &Expr) -> Known {
        typing::of(e, &|name| self.find(name).and_then(|s| s.kind))
    }

    /// Whether an expression may be computed in the register of a variable: AND and OR write there before
    /// they read their right side.
    fn may_write(&self, e: &Expr, dst: Reg) -> bool {
        use crate::languages::gridlok::ast::Binary;
        match &bare(e).kind {
            ExprKind::Binary(Binary::And | Binary::Or, a, b, _) => {
                (self.is_register(a, dst) || self.may_write(a, dst)) && !self.reads(b, dst)
            }
            _ => true,
        }
    }

    fn is_register(&self, e: &Expr, dst: Reg) -> bool {
        matches!(&bare(e).kind, ExprKind::Name(n) if self.find(n).is_some_and(|s| s.register == dst))
    }

    fn reads(&self, e: &Expr, dst: Reg) -> bool {
        match &e.kind {
            ExprKind::Name(_) => self.is_register(e, dst),
            ExprKind::Call(_, arguments) => arguments.iter().any(|a| self.reads(a, dst)),
            ExprKind::Cell(a, b) | ExprKind::Index(a, b) | ExprKind::Binary(_, a, b, _) => {
                self.reads(a, dst) || self.reads(b, dst)
            }
            ExprKind::Field(a, _) | ExprKind::Unary(_, a, _) | ExprKind::Paren(a) => self.reads(a, dst),
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Empty => false,
        }
    }

    /// In setup, a block named after a player runs as that player.
    fn player_block(&mut self, player: &str, content: &Content, span: Span) {
        let globals = [rule_variable("turn"), rule_variable("@owner")].map(Option::unwrap_or_default);
        let saved = self.b.registers(2);
        for (n, global) in globals.into_iter().enumerate() {
            self.b.emit(Instr::Global { dst: saved + n as Reg, global }, span);
        }
        let as_player = self.b.register();
        let k = self.b.text(player);
        self.b.emit(Instr::Constant { dst: as_player, k }, span);
        for global in globals {
            self.b.emit(Instr::SetGlobal { global, src: as_player }, span);
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
            self.b.emit(Instr::SetGlobal { global, src: saved + n as Reg }, span);
        }
    }

    /// A function that is there from the start. Says whether there is one with that name.
    fn builtin(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
        if let Some(count) = builtin(word).map(|b| b.takes.len())
            && count != arguments.len()
        {
            self.fail(&format!("`{word}` takes {count} argument(s), but {} are given", arguments.len()), span);
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
    fn intrinsic(&mut self, word: &str, arguments: &[Expr], span: Span) -> bool {
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
                let function = self.shared.code(&word[1..]);
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
        let function = self.shared.code(title);
        self.b.emit(Instr::Call { function, base }, span);
    }

    /// Runs `inside` when an action is going on, else calls a rule that makes it one.
    fn acting(&mut self, span: Span, inside: impl FnOnce(&mut Self), outside: impl FnOnce(&mut Self)) {
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

    fn click(&mut self, always: bool, row: &Expr, col: &Expr, span: Span) {
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
                body.b.emit(Instr::Move { dst: base + 1, src: c }, span);
                let function = body.shared.code("@click");
                body.b.emit(Instr::Call { function, base }, span);
            },
        );
    }

    fn end_turn(&mut self, span: Span) {
        self.acting(
            span,
            |body| {
                let src = body.b.register();
                let k = body.b.constant(crate::value::Value::TRUE);
                body.b.emit(Instr::Constant { dst: src, k }, span);
                body.b.emit(Instr::SetGlobal { global: rule_variable("@turnOver").unwrap_or_default(), src }, span);
            },
            |body| body.rule("@endTurn", &[], span),
        );
    }

    fn place(&mut self, name: &Expr, row: &Expr, col: &Expr, span: Span) {
        let literal = match &bare(name).kind {
            ExprKind::Text(text) => self.shared.kinds.iter().position(|k| k.name == Text::new(text)),
            _ => None,
        };
        let named = if literal.is_none() { Some(self.expr(name).0) } else { None };
        let (row, _) = self.expr(row);
        let (col, _) = self.expr(col);
        let owner = self.b.register();
        self.b.emit(Instr::Global { dst: owner, global: rule_variable("@owner").unwrap_or_default() }, span);
        self.b.emit(
            match (named, literal) {
                (Some(name), _) => Instr::Place { name, row, col, owner },
                (None, kind) => Instr::PlaceKind { kind: kind.unwrap_or_default() as u16, row, col, owner },
            },
            span,
        );
    }

    /// `board[r][c].visible{…}`, `p.changeType{…}`.
    fn act(&mut self, piece: &Expr, action: &Name, arguments: &[Expr], span: Span) {
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
                self.b.emit(Instr::ChangeType { piece: p, name: value }, span);
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

    fn set_element(&mut self, list: &Expr, index: &Expr, value: &Given, span: Span) {
        let (l, _) = self.expr(list);
        let (index, _) = self.expr(index);
        let src = self.b.register();
        self.given_to(value, src);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(Instr::WithIndex { dst: inner, list: l, index, value: src }, span);
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(Instr::SetIndex { list: l, index, value: src }, span);
            }
        }
    }

    fn remove_element(&mut self, list: &Expr, index: &Expr, span: Span) {
        let (l, _) = self.expr(list);
        let (index, _) = self.expr(index);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(Instr::WithoutIndex { dst: inner, list: l, index }, span);
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(Instr::RemoveIndex { list: l, index }, span);
            }
        }
    }

    /// A list inside a list is never changed, only replaced: from the inside out.
    fn put_back(&mut self, list: &Expr, index: &Expr, value: Reg, span: Span) {
        let (l, _) = self.expr(list);
        let (i, _) = self.expr(index);
        match &bare(list).kind {
            ExprKind::Index(outer, at) => {
                let inner = self.b.register();
                self.b.emit(Instr::WithIndex { dst: inner, list: l, index: i, value }, span);
                self.put_back(outer, at, inner, span);
            }
            _ => {
                self.b.emit(Instr::SetIndex { list: l, index: i, value }, span);
            }
        }
    }

    fn arms(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        let mut done = Vec::new();
        for (n, (test, block)) in arms.iter().enumerate() {
            if n > 0 {
                self.statement_stop(test.span);
            }
            let skip = self.unless(test);
            self.block(block);
            if n + 1 < arms.len() || otherwise.is_some() {
                done.push(self.b.jump(Instr::Jump { to: 0 }, block.span.after()));
            }
            self.b.land(skip);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.b.land_all(done);
    }

    fn give_back(&mut self, value: Option<&Expr>, span: Span) {
        match value {
            Some(e) => {
                let (src, _) = self.expr(e);
                self.b.emit(Instr::Return { src }, span);
            }
            None => {
                self.b.emit(Instr::ReturnNothing, span);
            }
        }
    }

    fn loop_over(&mut self, head: &Loop, block: &Block, span: Span) {
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
                body.walk(Instr::ColumnStart { base, col, to: 0 }, next, &[name], base, block, span);
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
                body.walk(Instr::AroundStart { base, row, col, to: 0 }, next, &[name], base, block, span);
            }
            Loop::AroundCells(i, j, row, col) => {
                let base = body.b.registers(3);
                let (row, _) = body.expr(row);
                let (col, _) = body.expr(col);
                let next = Instr::AroundCellsNext { base, to: 0 };
                body.walk(Instr::AroundCellsStart { base, row, col, to: 0 }, next, &[i, j], base, block, span);
            }
        });
    }

    /// A loop over cells: what it visits lies in the registers after `base`.
    fn walk(&mut self, start: Instr, next: Instr, names: &[&Name], base: Reg, block: &Block, span: Span) {
        let start_jump = self.b.jump(start, span);
        // A walk around a cell begins at its end, where it looks for the first neighbour.
        let around = matches!(start, Instr::AroundStart { .. } | Instr::AroundCellsStart { .. });
        let kind = if names.len() == 2 { Some(Type::Int) } else { Some(Type::Piece) };
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

    fn ranges(&mut self, ranges: &[Range], block: &Block, span: Span) {
        let Some((range, inner)) = ranges.split_first() else { return self.block(block) };
        let base = self.b.registers(2);
        self.expr_to(&range.from, base);
        self.expr_to(&range.to, base + 1);
        let start = self.b.jump(Instr::RangeStart { base, to: 0 }, range.from.span.to(range.to.span));
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
