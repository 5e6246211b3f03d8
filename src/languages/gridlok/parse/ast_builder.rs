//! Builds syntax tree nodes for the grammar, and reports the few errors that the tree cannot
//! represent: a duplicate part, a list without its last comma, braces after something that cannot
//! be assigned.

use std::cell::RefCell;

use lalrpop_util::ParseError;

use crate::ast::*;
use crate::check::errors;
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::syntax::{LalrpopError, parse_error};
use crate::source::{SourceId, Span};
use crate::token::Token;

/// The result of parsing: the start symbol of the grammar.
pub enum Start {
    Program(Program),
    Entry(Entry),
}

pub enum BoardPart {
    Dimensions(Expr, Expr, Span),
    Image(Name, Span),
}

pub enum PiecePart {
    Name(Name, Span),
    Image(Name, Span),
    OnTurn(Handler),
    OnClick(Handler),
}

type Fallible<'t, T> = Result<T, LalrpopError<Token<'t>>>;

/// Creates nodes with spans in one source, and collects the errors that do not stop parsing.
pub struct AstBuilder {
    source: SourceId,
    errors: RefCell<Vec<Diagnostic>>,
}

impl AstBuilder {
    pub fn new(source: SourceId) -> AstBuilder {
        AstBuilder {
            source,
            errors: RefCell::default(),
        }
    }

    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors.into_inner()
    }

    fn report(&self, error: Diagnostic) {
        self.errors.borrow_mut().push(error);
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    pub fn name(&self, text: &str, start: usize, end: usize) -> Name {
        Name {
            text: text.into(),
            span: self.span(start, end),
        }
    }

    pub fn item(&self, kind: ItemKind, start: usize, head: usize, end: usize) -> Item {
        Item {
            kind,
            span: self.span(start, end),
            head: self.span(start, head),
        }
    }

    pub fn statement(&self, kind: StatementKind, start: usize, end: usize) -> Statement {
        Statement {
            kind,
            span: self.span(start, end),
        }
    }

    pub fn expr(&self, kind: ExprKind, start: usize, end: usize) -> Expr {
        Expr {
            kind,
            span: self.span(start, end),
        }
    }

    pub fn variable(&self, name: Name) -> Expr {
        Expr {
            kind: ExprKind::Name(name.text),
            span: name.span,
        }
    }

    pub fn unary(&self, op: Unary, operand: Expr, start: usize, end: usize) -> Expr {
        let span = self.span(start, end);
        Expr {
            span: span.to(operand.span),
            kind: ExprKind::Unary(op, Box::new(operand), span),
        }
    }

    pub fn binary(&self, op: Binary, left: Expr, right: Expr, start: usize, end: usize) -> Expr {
        let span = left.span.to(right.span);
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right), self.span(start, end)),
            span,
        }
    }

    pub fn block(
        &self,
        mut statements: Vec<Statement>,
        last: Option<Statement>,
        start: usize,
        end: usize,
    ) -> Block {
        statements.extend(last);
        Block {
            statements,
            span: self.span(start, end),
        }
    }

    /// An expression used as a statement. `name{…}` becomes `Braces`, because it may be a call or
    /// an assignment.
    pub fn expr_statement(&self, expr: Expr) -> Statement {
        let span = expr.span;
        let kind = match expr.kind {
            ExprKind::Call(name, values) => {
                StatementKind::Braces(name, BraceContent::Arguments(values))
            }
            _ => StatementKind::Expr(expr),
        };
        Statement { kind, span }
    }

    pub fn braces_list(
        &self,
        name: Name,
        elements: Vec<Expr>,
        start: usize,
        end: usize,
    ) -> Statement {
        let list = self.span(name.span.end as usize, end);
        let content = BraceContent::List(elements, list);
        self.statement(StatementKind::Braces(name, content), start, end)
    }

    /// Builds an entry. A single expression becomes `Entry::Expression`, so that its value is
    /// printed.
    pub fn entry(&self, mut parts: Vec<EntryPart>, last: Option<Statement>) -> Entry {
        parts.extend(last.map(EntryPart::Statement));
        if parts.len() != 1 {
            return Entry::Parts(parts);
        }
        match parts.pop() {
            Some(EntryPart::Statement(Statement {
                kind: StatementKind::Expr(expr),
                ..
            })) => Entry::Expression(expr),
            Some(EntryPart::Statement(Statement {
                kind: StatementKind::Braces(name, BraceContent::Arguments(values)),
                span,
            })) => Entry::Expression(Expr {
                kind: ExprKind::Call(name, values),
                span,
            }),
            only => Entry::Parts(only.into_iter().collect()),
        }
    }

    pub fn initializer<'t>(
        &self,
        mut values: Vec<Expr>,
        comma: bool,
        start: usize,
        end: usize,
    ) -> Fallible<'t, Initializer> {
        if comma {
            return Ok(Initializer::List(values, self.span(start, end)));
        }
        match (values.len(), values.pop()) {
            (1, Some(value)) => Ok(Initializer::Expr(value)),
            (_, last) => Err(self.missing_last_comma(last, start, end)),
        }
    }

    fn missing_last_comma<'t>(
        &self,
        last: Option<Expr>,
        start: usize,
        end: usize,
    ) -> LalrpopError<Token<'t>> {
        let span = last.map_or(self.span(start, end), |e| e.span);
        let message = "missing comma after the last list element";
        let error = parse_error(errors::MISSING_LIST_COMMA, span.shrink_to_end(), message)
            .note("every list element is followed by a comma: `{1,2,}`; the empty list is `{,}`");
        ParseError::User { error: vec![error] }
    }

    /// Builds `target{…}`, where the target ends with `]` or a field.
    pub fn update_statement<'t>(
        &self,
        target: Expr,
        values: Vec<Expr>,
        comma: bool,
        brace: usize,
        start: usize,
        end: usize,
    ) -> Fallible<'t, Statement> {
        let kind = match target.kind {
            ExprKind::Index(list, index, _) if values.is_empty() && !comma => {
                StatementKind::RemoveElement {
                    list: *list,
                    index: *index,
                }
            }
            ExprKind::Index(list, index, _) => StatementKind::SetElement {
                list: *list,
                index: *index,
                value: self.initializer(values, comma, brace, end)?,
            },
            ExprKind::Field(piece, action) => {
                if comma {
                    let (code, list) = (errors::WRONG_BRACE_CONTENT, self.span(brace, end));
                    let message = format!("`{}` does not take a list", action.text);
                    let error = Diagnostic::error(Phase::Check, code, list, message);
                    self.report(error.note("remove the last comma"));
                }
                StatementKind::PieceAction {
                    piece: *piece,
                    action,
                    arguments: values,
                }
            }
            kind => {
                let (code, span) = (errors::READ_ONLY, target.span);
                let message = "cannot assign to a cell of the board";
                self.report(Diagnostic::error(Phase::Check, code, span, message).note(
                    "use `place{\"name\", row, column}` to put a piece there, or `removePiece{row, column}`",
                ));
                StatementKind::Expr(Expr { kind, span })
            }
        };
        Ok(self.statement(kind, start, end))
    }

    /// Sets a part of a definition. `span_of` returns where the part was set before.
    fn set_once<T>(
        &self,
        slot: &mut Option<T>,
        part: T,
        span: Span,
        span_of: impl Fn(&T) -> Span,
        what: &str,
    ) {
        match slot {
            None => *slot = Some(part),
            Some(first) => {
                let code = errors::DUPLICATE_DEFINITION;
                let message = format!("duplicate {what}");
                let duplicate = Diagnostic::error(Phase::Check, code, span, message);
                self.report(duplicate.related(span_of(first), "first defined here"));
            }
        }
    }

    pub fn board(&self, parts: Vec<BoardPart>, start: usize, head: usize, end: usize) -> Item {
        let mut board = Board::default();
        for part in parts {
            match part {
                BoardPart::Dimensions(rows, columns, span) => {
                    let (slot, size) = (&mut board.dimensions, (rows, columns, span));
                    self.set_once(slot, size, span, |d| d.2, "`dimensions` in this board");
                }
                BoardPart::Image(file, span) => {
                    let slot = &mut board.image;
                    self.set_once(slot, file, span, |i| i.span, "`image` in this board");
                }
            }
        }
        self.item(ItemKind::Board(board), start, head, end)
    }

    pub fn piece(&self, parts: Vec<PiecePart>, start: usize, head: usize, end: usize) -> Item {
        let mut piece = Piece::default();
        for part in parts {
            match part {
                PiecePart::Name(name, span) => {
                    let slot = &mut piece.name;
                    self.set_once(slot, name, span, |n| n.span, "`name` in this piece");
                }
                PiecePart::Image(file, span) => {
                    let slot = &mut piece.image;
                    self.set_once(slot, file, span, |i| i.span, "`image` in this piece");
                }
                PiecePart::OnTurn(handler) => {
                    let (slot, span) = (&mut piece.on_turn, handler.keyword);
                    self.set_once(slot, handler, span, |h| h.keyword, "`onTurn` in this piece");
                }
                PiecePart::OnClick(handler) => {
                    let (slot, span) = (&mut piece.on_click, handler.keyword);
                    let what = "`onClick` in this piece";
                    self.set_once(slot, handler, span, |h| h.keyword, what);
                }
            }
        }
        self.item(ItemKind::Piece(piece), start, head, end)
    }
}
