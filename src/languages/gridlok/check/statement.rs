//! Checks statements, above all what braces behind a name mean: a call, an assignment, or a player's block.

use super::scope::Thing;
use super::{Body, Checker, content_span};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::languages::gridlok::ast::*;
use crate::languages::gridlok::builtin::Predefined;
use crate::languages::gridlok::code;
use crate::languages::gridlok::typing::{self, Type};
use crate::source::Span;

impl Checker {
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
                self.given(&def.value);
                let is = typing::of_given(&def.value, &|name| self.variable_type(name));
                self.declare(&def.name, is, true);
            }
            StatementKind::Braces(name, content) => self.braces(name, content, span),
            StatementKind::SetElement { list, index, value } => {
                self.element_of(list);
                self.typed(index, Type::Int, "an index");
                self.given(value);
            }
            StatementKind::RemoveElement { list, index } => {
                self.element_of(list);
                self.typed(index, Type::Int, "an index");
            }
            StatementKind::Act {
                piece,
                action,
                arguments,
            } => self.act(piece, action, arguments, span),
            StatementKind::If { arms, otherwise } => {
                for (test, block) in arms {
                    self.typed(test, Type::Bool, "a test");
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::For(head, block) => self.for_loop(head, block),
            StatementKind::Return(value) => self.leaves(value.as_ref(), span),
            StatementKind::Loose(expr) => self.loose(expr),
        }
    }

    pub fn given(&mut self, given: &Given) {
        match given {
            Given::One(value) => self.value(value),
            Given::List(elements, _) => self.elements(elements),
        }
    }

    /// The elements of a list, which are all of one type.
    fn elements(&mut self, elements: &[Expr]) {
        elements.iter().for_each(|element| self.value(element));
        let mut types = elements
            .iter()
            .filter_map(|e| self.type_of(e).map(|is| (e.span, is)));
        let Some((_, first)) = types.next() else {
            return;
        };
        if let Some((span, other)) = types.find(|(_, is)| *is != first) {
            self.mismatch(
                span,
                format!(
                    "a list that begins with {} can't hold {}",
                    first.words(),
                    other.words()
                ),
            );
        }
    }

    fn braces(&mut self, name: &Name, content: &Content, span: Span) {
        if self.is_player(&name.text)
            && (matches!(content, Content::Block(_))
                || matches!(self.thing(&name.text), Thing::Player))
        {
            return self.player_block(name, content);
        }
        match content {
            Content::Arguments(values) => self.arguments(name, values, span),
            Content::List(elements, list) => self.list(name, elements, *list),
            Content::Block(block) => {
                self.block(block);
                match self.thing(&name.text) {
                    Thing::Unknown => self.unknown(&name.text, name.span),
                    _ => self.misfit(name, content, span, "its braces can't hold statements"),
                }
            }
        }
    }

    fn misfit(&mut self, name: &Name, content: &Content, span: Span, why: &str) {
        let what = match self.thing(&name.text) {
            Thing::Variable(_) | Thing::Predefined(_) => "a variable",
            _ => "a function",
        };
        let message = format!("`{}` is {what}: {why}", name.text);
        self.error(
            code::BRACES_CONTENT,
            content_span(content, span),
            message,
            "",
        );
    }

    /// `name{…}` as a statement, or alone at the prompt: a call, or an assignment of one value.
    pub fn arguments(&mut self, name: &Name, values: &[Expr], span: Span) {
        match self.thing(&name.text) {
            Thing::Variable(is) => {
                values.iter().for_each(|value| self.value(value));
                match values {
                    [value] => self.assigned(name, is, value),
                    _ => self.one_value(name, values.len(), span),
                }
            }
            Thing::Predefined(predefined) => {
                values.iter().for_each(|value| self.value(value));
                self.predefined(predefined, values, span);
            }
            _ => self.call_fits(name, values, span),
        }
    }

    fn one_value(&mut self, name: &Name, given: usize, span: Span) {
        let message = format!(
            "`{}` is a variable: its braces take one value, but {given} are given",
            name.text
        );
        self.error(
            code::ARGUMENT_COUNT,
            span,
            message,
            "a list ends with a comma: `{1,2,}`",
        );
    }

    fn assigned(&mut self, name: &Name, is: Option<Type>, value: &Expr) {
        // Braces behind a list append, whatever the element's type is known to be.
        if let (Some(is), Some(got)) = (is.filter(|is| *is != Type::List), self.type_of(value))
            && is != got
        {
            self.mismatch(
                value.span,
                format!(
                    "`{}` is {}, and this is {}",
                    name.text,
                    is.words(),
                    got.words()
                ),
            );
        }
    }

    fn predefined(&mut self, predefined: &Predefined, values: &[Expr], span: Span) {
        let name = predefined.name;
        if !predefined.fixed.is_empty() {
            return self.error(
                code::READ_ONLY,
                span,
                format!("`{name}` can't be changed: {}", predefined.fixed),
                "",
            );
        }
        match values {
            [value] => {
                if let Some(got) = self.type_of(value).filter(|got| *got != Type::Bool) {
                    self.mismatch(
                        value.span,
                        format!("`{name}` is a bool, and this is {}", got.words()),
                    );
                }
            }
            _ => self.counted(name, 1, values.len(), span),
        }
    }

    /// `name{…,}`: a list in place of a variable's value.
    fn list(&mut self, name: &Name, elements: &[Expr], list: Span) {
        self.elements(elements);
        match self.thing(&name.text) {
            Thing::Variable(None | Some(Type::List)) => {}
            Thing::Variable(Some(is)) => {
                self.mismatch(
                    list,
                    format!("`{}` is {}, and this is a list", name.text, is.words()),
                );
            }
            Thing::Predefined(predefined) if !predefined.fixed.is_empty() => {
                self.predefined(predefined, elements, list)
            }
            Thing::Predefined(predefined) => self.mismatch(
                list,
                format!("`{}` is a bool, and this is a list", predefined.name),
            ),
            Thing::Function(_) | Thing::Builtin(_) => {
                let message = format!(
                    "`{}` is a function, and a list can't be written as its argument",
                    name.text
                );
                self.error(
                    code::BRACES_CONTENT,
                    list,
                    message,
                    "leave out the last comma, or give the list a name with `def` first",
                );
            }
            Thing::Player | Thing::Unknown => self.unknown(&name.text, name.span),
        }
    }

    /// A block that runs as a player. One call in it was read as an argument.
    fn player_block(&mut self, name: &Name, content: &Content) {
        match content {
            Content::Block(block) => self.block(block),
            Content::Arguments(values) => {
                for value in values {
                    match &value.kind {
                        ExprKind::Call(call, inner) if values.len() == 1 => {
                            self.braces(call, &Content::Arguments(inner.clone()), value.span);
                        }
                        _ => self.loose(value),
                    }
                }
            }
            Content::List(_, list) => {
                let message = format!("`{}` is a player: its block holds statements", name.text);
                self.error(code::BRACES_CONTENT, *list, message, "");
            }
        }
    }

    /// The list whose element is changed: a variable, or an element of one.
    fn element_of(&mut self, list: &Expr) {
        match &list.kind {
            ExprKind::Index(outer, index) => {
                self.element_of(outer);
                self.typed(index, Type::Int, "an index");
            }
            ExprKind::Name(name) => self.list_variable(name, list.span),
            _ => {
                self.value(list);
                let message = "only the elements of a variable can be changed";
                self.error(
                    code::READ_ONLY,
                    list.span,
                    message,
                    "give the list a name with `def` first",
                );
            }
        }
    }

    fn list_variable(&mut self, name: &str, span: Span) {
        match self.thing(name) {
            Thing::Variable(None | Some(Type::List)) => {}
            Thing::Variable(Some(is)) => {
                self.mismatch(
                    span,
                    format!("`{name}` is {}: it has no elements", is.words()),
                );
            }
            Thing::Predefined(predefined) => {
                let message = format!("`{name}` is {}, not a list", predefined.is.words());
                self.error(code::READ_ONLY, span, message, "");
            }
            Thing::Function(_) | Thing::Builtin(_) => {
                self.error(
                    code::NOT_A_VALUE,
                    span,
                    format!("`{name}` is a function, not a list"),
                    "",
                );
            }
            Thing::Player | Thing::Unknown => self.unknown(name, span),
        }
    }

    /// `board[r][c].visible{…}`, `p.changeType{…}`.
    fn act(&mut self, piece: &Expr, action: &Name, arguments: &[Expr], span: Span) {
        self.typed(piece, Type::Piece, &format!("`.{}`", action.text));
        arguments.iter().for_each(|argument| self.value(argument));
        match (action.text.as_str(), arguments.first()) {
            ("visible", Some(value)) => self.shows(value),
            ("changeType", Some(name)) => {
                self.piece_named(name);
                if let Some(got) = self.type_of(name).filter(|got| *got != Type::Text) {
                    self.mismatch(
                        name.span,
                        format!("`changeType` needs a string, but this is {}", got.words()),
                    );
                }
            }
            ("visible" | "changeType", None) => {}
            (other, _) => {
                let meant = did_you_mean(other, ["visible", "changeType"]);
                let message = format!("`{other}` of a piece can't be set{meant}");
                return self.error(
                    code::READ_ONLY,
                    action.span,
                    message,
                    "a piece takes `.visible{…}` and `.changeType{…}`",
                );
            }
        }
        self.counted(&action.text, 1, arguments.len(), span);
    }

    fn for_loop(&mut self, head: &Loop, block: &Block) {
        self.open_scope();
        match head {
            Loop::Ranges(ranges) => self.ranges(ranges),
            Loop::Row(piece, at) | Loop::Column(piece, at) => {
                self.typed(at, Type::Int, "a row or column");
                self.declare(piece, Some(Type::Piece), false);
            }
            Loop::Around(piece, row, column) => {
                self.typed(row, Type::Int, "`surrounding`");
                self.typed(column, Type::Int, "`surrounding`");
                self.declare(piece, Some(Type::Piece), false);
            }
            Loop::AroundCells(i, j, row, column) => {
                self.typed(row, Type::Int, "`surrounding`");
                self.typed(column, Type::Int, "`surrounding`");
                self.declare(i, Some(Type::Int), false);
                self.declare(j, Some(Type::Int), false);
            }
            Loop::Cells(x, y) => {
                self.declare(x, Some(Type::Int), false);
                self.declare(y, Some(Type::Int), false);
            }
            Loop::Pieces(piece) => self.declare(piece, Some(Type::Piece), false),
        }
        self.statements(&block.statements);
        self.close_scope();
    }

    fn ranges(&mut self, ranges: &[Range]) {
        for range in ranges {
            self.typed(&range.from, Type::Int, "a loop's bound");
            self.typed(&range.to, Type::Int, "a loop's bound");
            self.declare(&range.variable, Some(Type::Int), false);
        }
        if let Some(fourth) = ranges.get(3) {
            let note = "put a loop into the block of this one";
            self.error(
                code::TOO_MANY_RANGES,
                fourth.variable.span,
                "a loop has at most three ranges",
                note,
            );
        }
    }

    fn leaves(&mut self, value: Option<&Expr>, span: Span) {
        value.into_iter().for_each(|value| self.value(value));
        if self.body != Body::Function {
            self.error(
                code::RETURN_OUTSIDE,
                span,
                "`return` stands only in functions",
                "",
            );
        }
    }

    /// An expression where a statement should be.
    fn loose(&mut self, expr: &Expr) {
        if let ExprKind::Name(name) = &expr.kind
            && matches!(self.thing(name), Thing::Unknown)
        {
            self.torn = true;
            return self.unknown(name, expr.span);
        }
        let before = self.found.len();
        self.value(expr);
        if self.found.iter().skip(before).any(Diagnostic::is_error) {
            return;
        }
        let note = "a statement calls something or gives something a value: `print{x}`, `x{1}`";
        self.error(
            code::LOOSE_EXPRESSION,
            expr.span,
            "nothing is done with this value",
            note,
        );
    }
}
