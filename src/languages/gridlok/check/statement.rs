//! Checks statements. Most of the work is to decide what braces after a name mean: a call, an
//! assignment, or the block of a player.

use super::scope::{Binding, Referent};
use super::{BodyKind, Checker};
use crate::ast::*;
use crate::check::builtin::Predefined;
use crate::check::errors;
use crate::check::typing::{self, Type};
use crate::diagnostic::{Diagnostic, did_you_mean, has_errors};
use crate::language::{Namespace, Reporter};
use crate::source::Span;

impl Checker<'_> {
    pub fn statements(&mut self, statements: &[Statement]) {
        statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    fn block(&mut self, block: &Block) {
        self.open_scope();
        self.statements(&block.statements);
        self.close_scope();
    }

    pub fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Def(def) => {
                self.initializer(&def.value);
                let ty =
                    typing::type_of_initializer(&def.value, &|name| self.scope.variable_type(name));
                self.declare(&def.name, ty, Binding::Def);
            }
            StatementKind::Braces(name, content) => self.braces(name, content, span),
            StatementKind::SetElement { list, index, value } => {
                self.element_of(list);
                self.expect_type(index, Type::Int, "index must be");
                self.initializer(value);
            }
            StatementKind::RemoveElement { list, index } => {
                self.element_of(list);
                self.expect_type(index, Type::Int, "index must be");
            }
            StatementKind::PieceAction {
                piece,
                action,
                arguments,
            } => self.piece_action(piece, action, arguments, span),
            StatementKind::If { arms, otherwise } => {
                for (test, block) in arms {
                    self.expect_type(test, Type::Bool, "condition must be");
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::For(head, block) => self.for_loop(head, block),
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span),
            StatementKind::Expr(expr) => self.expr_statement(expr),
        }
    }

    pub fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(value) => self.expr(value),
            Initializer::List(elements, _) => self.elements(elements),
        }
    }

    /// Checks the elements of a list literal, which must all have the same type.
    fn elements(&mut self, elements: &[Expr]) {
        elements.iter().for_each(|element| self.expr(element));
        let mut types = elements
            .iter()
            .filter_map(|e| self.scope.type_of(e).map(|ty| (e.span, ty)));
        if let Some((_, first)) = types.next()
            && let Some((span, other)) = types.find(|(_, ty)| *ty != first)
        {
            let message = format!("a list that starts with {first} cannot hold {other}");
            self.type_mismatch(span, message);
        }
    }

    fn braces(&mut self, name: &Name, content: &BraceContent, span: Span) {
        self.names.refer(Namespace::Values, &name.text, name.span);
        if self.scope.opens_player_block(&name.text)
            && (matches!(content, BraceContent::Block(_))
                || matches!(self.scope.resolve(&name.text), Referent::Player))
        {
            return self.player_block(name, content);
        }
        if self.is_unknown_player(name, content) {
            self.unknown_player(name);
            return self.player_block(name, content);
        }
        match content {
            BraceContent::Arguments(values) => self.call_or_assignment(name, values, span),
            BraceContent::List(elements, list) => self.list(name, elements, *list),
            BraceContent::Block(block) if self.are_arguments(name, block) => {
                let message = format!("missing `,` between the arguments of `{}`", name.text);
                let note = format!("separate them: `{}{{1, 2}}`", name.text);
                self.error(errors::WRONG_BRACE_CONTENT, block.span, message)
                    .add_note(note);
            }
            BraceContent::Block(block) => {
                let before = self.diagnostics.len();
                self.block(block);
                if self.keep_one_per_operator(before) {
                    return;
                }
                let what = match self.scope.resolve(&name.text) {
                    Referent::Unknown => return self.unknown_name(&name.text, name.span),
                    Referent::Variable(_) | Referent::Predefined(_) => "a variable",
                    _ => "a function",
                };
                let name = &name.text;
                let message = format!("`{name}` is {what}: its braces cannot contain statements");
                self.error(errors::WRONG_BRACE_CONTENT, block.span, message);
            }
        }
    }

    /// Reports each of the misspelled operators `and` and `or` only once in the errors from `first`.
    /// Returns whether there are any: then the braces contain a value, not statements.
    fn keep_one_per_operator(&mut self, first: usize) -> bool {
        let is_operator = |d: &Diagnostic| {
            d.code == errors::UNKNOWN_NAME
                && ["`and`", "`or`"]
                    .iter()
                    .any(|word| d.message.contains(word))
        };
        let mut reported: Vec<String> = Vec::new();
        let mut index = 0..;
        self.diagnostics.retain(|d| {
            let is_earlier = index.next().is_some_and(|at: usize| at < first);
            if is_earlier || !is_operator(d) {
                return true;
            }
            let is_first = !reported.contains(&d.message);
            reported.push(d.message.clone());
            is_first
        });
        !reported.is_empty()
    }

    /// True for `z{ place{…} }` in `setup` if nothing is called `z`.
    fn is_unknown_player(&self, name: &Name, content: &BraceContent) -> bool {
        let has_statements = match content {
            BraceContent::Block(_) => true,
            BraceContent::Arguments(values) => matches!(
                values.as_slice(),
                [Expr { kind: ExprKind::Call(call, _), .. }]
                    if matches!(self.scope.resolve(&call.text), Referent::Builtin(b) if b.returns.is_none())
            ),
            BraceContent::List(..) => false,
        };
        has_statements
            && self.scope.body_kind == BodyKind::Setup
            && matches!(self.scope.resolve(&name.text), Referent::Unknown)
    }

    fn unknown_player(&mut self, name: &Name) {
        let players = self.scope.env.players.clone();
        let suggestion = did_you_mean(&name.text, players.iter().map(|player| &**player));
        let message = format!("`{}` is not a player{suggestion}", name.text);
        let note = match players.as_slice() {
            [] => format!(
                "define the players first: `players{{\"{}\", \"…\"}}`",
                name.text
            ),
            players => {
                let players: Vec<String> = players.iter().map(|p| format!("\"{p}\"")).collect();
                format!("the players are {}", players.join(", "))
            }
        };
        let code = errors::UNKNOWN_PLAYER;
        let diagnostic = match self.can_define_later() {
            true => self.warning(code, name.span, message),
            false => self.error(code, name.span, message),
        };
        diagnostic.add_note(note);
    }

    /// True for the braces of `click{1 1}`, which the grammar reads as two statements.
    fn are_arguments(&self, name: &Name, block: &Block) -> bool {
        let is_value = |s: &Statement| matches!(s.kind, StatementKind::Expr(_));
        let is_function = matches!(
            self.scope.resolve(&name.text),
            Referent::Function(_) | Referent::Builtin(_)
        );
        is_function && block.statements.len() > 1 && block.statements.iter().all(is_value)
    }

    /// Checks `name{…}` as a statement or as a whole entry: a call, or an assignment of one value.
    pub fn call_or_assignment(&mut self, name: &Name, values: &[Expr], span: Span) {
        match self.scope.resolve(&name.text) {
            Referent::Variable(ty) => {
                values.iter().for_each(|value| self.expr(value));
                match values {
                    [value] => self.assignment(name, ty, value),
                    _ => self.wrong_value_count(name, values.len(), span),
                }
            }
            Referent::Predefined(predefined) => {
                values.iter().for_each(|value| self.expr(value));
                self.predefined(predefined, values, span);
            }
            _ => self.check_call(name, values, span),
        }
    }

    fn wrong_value_count(&mut self, name: &Name, count: usize, span: Span) {
        let message = format!(
            "`{}` is a variable and takes one value, but {count} were given",
            name.text
        );
        self.error(errors::ARGUMENT_COUNT, span, message)
            .add_note("for a list, add a comma at the end: `{1,2,}`");
    }

    fn assignment(&mut self, name: &Name, ty: Option<Type>, value: &Expr) {
        // Braces after a list append to it, so the types need not be equal.
        let ty = ty.filter(|ty| *ty != Type::List);
        self.check_assigned(&name.text, ty, self.scope.type_of(value), value.span);
    }

    /// Checks that a value can be assigned to a variable of type `ty`.
    fn check_assigned(&mut self, name: &str, ty: Option<Type>, got: Option<Type>, span: Span) {
        if let (Some(ty), Some(got)) = (ty, got)
            && ty != got
        {
            let message = format!("`{name}` is {ty}, but this value is {got}");
            self.type_mismatch(span, message);
        }
    }

    fn predefined(&mut self, predefined: &Predefined, values: &[Expr], span: Span) {
        let name = predefined.name;
        if !predefined.read_only_reason.is_empty() {
            let message = format!("cannot assign to `{name}`: {}", predefined.read_only_reason);
            self.error(errors::READ_ONLY, span, message);
            return;
        }
        match values {
            [value] => self.check_assigned(
                name,
                Some(Type::Bool),
                self.scope.type_of(value),
                value.span,
            ),
            _ => self.check_argument_count(name, 1, values.len(), span),
        }
    }

    /// Checks `name{…,}`: assigns a list to a variable.
    fn list(&mut self, name: &Name, elements: &[Expr], list: Span) {
        self.elements(elements);
        match self.scope.resolve(&name.text) {
            Referent::Variable(ty) => self.check_assigned(&name.text, ty, Some(Type::List), list),
            Referent::Predefined(predefined) if !predefined.read_only_reason.is_empty() => {
                self.predefined(predefined, elements, list)
            }
            Referent::Predefined(predefined) => {
                self.check_assigned(predefined.name, Some(Type::Bool), Some(Type::List), list)
            }
            Referent::Function(_) | Referent::Builtin(_) => {
                let message = format!("a list literal cannot be an argument of `{}`", name.text);
                self.error(errors::WRONG_BRACE_CONTENT, list, message)
                    .add_note("remove the last comma, or name the list with `def` first");
            }
            Referent::Player | Referent::Unknown => self.unknown_name(&name.text, name.span),
        }
    }

    /// Checks the block of a player. A single call in it was parsed as an argument.
    fn player_block(&mut self, name: &Name, content: &BraceContent) {
        match content {
            BraceContent::Block(block) => self.block(block),
            BraceContent::Arguments(values) => {
                for value in values {
                    match &value.kind {
                        ExprKind::Call(call, inner) if values.len() == 1 => {
                            self.braces(call, &BraceContent::Arguments(inner.clone()), value.span);
                        }
                        _ => self.expr_statement(value),
                    }
                }
            }
            BraceContent::List(_, list) => {
                let message = format!(
                    "expected statements in the block of player `{}`, found a list",
                    name.text
                );
                self.error(errors::WRONG_BRACE_CONTENT, *list, message);
            }
        }
    }

    /// Checks the list whose element is changed: a variable, or a list inside one.
    fn element_of(&mut self, list: &Expr) {
        match &list.kind {
            ExprKind::Index(outer, index, _) => {
                self.element_of(outer);
                self.expect_type(index, Type::Int, "index must be");
            }
            ExprKind::Name(name) => self.list_variable(name, list.span),
            _ => {
                self.expr(list);
                let message = "only elements of a variable can be changed";
                self.error(errors::READ_ONLY, list.span, message)
                    .add_note("name the list with `def` first");
            }
        }
    }

    fn list_variable(&mut self, name: &str, span: Span) {
        self.names.refer(Namespace::Values, name, span);
        match self.scope.resolve(name) {
            Referent::Variable(None | Some(Type::List)) => {}
            Referent::Variable(Some(ty)) => {
                self.type_mismatch(span, format!("`{name}` is {ty}, not a list"));
            }
            Referent::Predefined(predefined) => {
                let message = format!("`{name}` is {}, not a list", predefined.ty);
                self.error(errors::READ_ONLY, span, message);
            }
            Referent::Function(_) | Referent::Builtin(_) => {
                let message = format!("`{name}` is a function, not a list");
                self.error(errors::FUNCTION_AS_VALUE, span, message);
            }
            Referent::Player | Referent::Unknown => self.unknown_name(name, span),
        }
    }

    /// Checks `board[r][c].visible{…}` and `p.changeType{…}`.
    fn piece_action(&mut self, piece: &Expr, action: &Name, arguments: &[Expr], span: Span) {
        if self.scope.type_of(piece) == Some(Type::List) {
            arguments.iter().for_each(|argument| self.expr(argument));
            return self.list_method(piece, action);
        }
        let before = self.diagnostics.len();
        self.expect_type(piece, Type::Piece, &format!("`.{}` needs", action.text));
        let is_faulty = has_errors(&self.diagnostics[before..]);
        arguments.iter().for_each(|argument| self.expr(argument));
        if is_faulty {
            return;
        }
        match (&*action.text, arguments.first()) {
            ("visible", Some(value)) => self.visible_argument(value),
            ("changeType", Some(name)) => {
                self.piece_name_argument(name);
                if let Some(got) = self.scope.type_of(name).filter(|got| *got != Type::Text) {
                    let message = format!("`changeType` needs a string, found {got}");
                    self.type_mismatch(name.span, message);
                }
            }
            ("visible" | "changeType", None) => {}
            (other, _) => {
                let suggestion = did_you_mean(other, ["visible", "changeType"]);
                let message = format!("cannot assign to `.{other}` of a piece{suggestion}");
                self.error(errors::READ_ONLY, action.span, message)
                    .add_note("only `.visible{…}` and `.changeType{…}` change a piece");
                return;
            }
        }
        self.check_argument_count(&action.text, 1, arguments.len(), span);
    }

    fn for_loop(&mut self, head: &LoopHead, block: &Block) {
        self.open_scope();
        match head {
            LoopHead::Ranges(ranges) => self.ranges(ranges),
            LoopHead::Row(piece, at) | LoopHead::Column(piece, at) => {
                self.expect_type(at, Type::Int, "row or column must be");
                self.declare(piece, Some(Type::Piece), Binding::Loop);
            }
            LoopHead::Surrounding(piece, row, column) => {
                self.expect_type(row, Type::Int, "`surrounding` needs");
                self.expect_type(column, Type::Int, "`surrounding` needs");
                self.declare(piece, Some(Type::Piece), Binding::Loop);
            }
            LoopHead::SurroundingCells(i, j, row, column) => {
                self.expect_type(row, Type::Int, "`surrounding` needs");
                self.expect_type(column, Type::Int, "`surrounding` needs");
                self.declare(i, Some(Type::Int), Binding::Loop);
                self.declare(j, Some(Type::Int), Binding::Loop);
            }
            LoopHead::Cells(x, y) => {
                self.declare(x, Some(Type::Int), Binding::Loop);
                self.declare(y, Some(Type::Int), Binding::Loop);
            }
            LoopHead::Pieces(piece) => self.declare(piece, Some(Type::Piece), Binding::Loop),
        }
        self.statements(&block.statements);
        self.close_scope();
    }

    fn ranges(&mut self, ranges: &[LoopRange]) {
        for range in ranges {
            self.expect_type(&range.from, Type::Int, "loop bound must be");
            self.expect_type(&range.to, Type::Int, "loop bound must be");
            self.declare(&range.variable, Some(Type::Int), Binding::Loop);
        }
        if let Some(fourth) = ranges.get(3) {
            let message = "a loop has at most three ranges";
            self.error(errors::TOO_MANY_RANGES, fourth.variable.span, message)
                .add_note("nest another loop inside this one");
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        value.into_iter().for_each(|value| self.expr(value));
        if self.scope.body_kind != BodyKind::Function {
            let message = "`return` is only allowed inside a function";
            let ending = self.scope.ending;
            let error = self.error(errors::RETURN_OUTSIDE_FUNCTION, span, message);
            if let Some(ending) = ending {
                error.add_note(format!("a condition assigns its result: `{ending}{{…}}`"));
            }
        }
    }

    /// Reports an expression used as a statement.
    fn expr_statement(&mut self, expr: &Expr) {
        if let ExprKind::Name(name) = &expr.kind
            && matches!(self.scope.resolve(name), Referent::Unknown)
        {
            self.has_split_statement = true;
            return self.unknown_name(name, expr.span);
        }
        let before = self.diagnostics.len();
        self.expr(expr);
        if !has_errors(&self.diagnostics[before..]) {
            self.error(errors::UNUSED_VALUE, expr.span, "this value is never used")
                .add_note("print it with `print{…}`, or assign it: `x{…}`");
        }
    }
}
