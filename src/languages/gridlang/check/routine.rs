//! Blocks and functions: each becomes a routine with a frame of its own.

use super::scope::{Returns, Scope};
use super::{Checker, Start};
use crate::languages::gridlang::ast::{self, Ast, Definition, LayoutSize, Line};
use crate::languages::gridlang::code;
use crate::languages::gridlang::typed::{
    ExprKind, Game, GridSize, Layout, Role, Routine, Stmt, StmtKind, Type,
};
use crate::source::Span;
use std::mem;
use std::sync::Arc;

impl Checker<'_> {
    /// What stands outside of all definitions, in the order it is written.
    pub fn lines(&mut self, ast: &Ast) -> Routine {
        let role = if self.start == Start::Program {
            Role::Globals
        } else {
            Role::Entry
        };
        self.enter(
            role,
            if role == Role::Globals {
                "declarations"
            } else {
                "entry"
            },
            Returns::Never,
        );
        let mut body = Vec::new();
        for line in &ast.lines {
            let statement = match line {
                Line::Statement(statement) => statement,
                Line::Import(span) => {
                    self.warning(
                        code::NO_IMPORT,
                        *span,
                        "nothing is imported: a game is one file",
                    )
                    .notes
                    .push("the line is passed over".into());
                    continue;
                }
                Line::Definition(_) => continue,
            };
            if role == Role::Globals && !matches!(statement.kind, ast::StmtKind::Declare { .. }) {
                self.error(code::OUTSIDE, statement.span, "a statement must stand inside a block").notes.push(
                    "what is to be done first stands in `Layout`, what is to be done each turn in `gameLoop`".into(),
                );
                continue;
            }
            self.statement(statement, &mut body);
        }
        let span = body
            .iter()
            .map(|s: &Stmt| s.span)
            .reduce(Span::to)
            .unwrap_or_default();
        self.leave(0, Type::Void, body, span, span)
    }

    /// Every live definition.
    pub fn game(&mut self, ast: &Ast) -> Game {
        self.enter(Role::Globals, "declarations", Returns::Never);
        let (player, items) = (self.typed_player(), self.typed_items());
        let env = self.env.clone();
        let mut plain = |block: &Option<Arc<ast::Plain>>, role, name: &str, returns| {
            block
                .as_ref()
                .map(|block| Arc::new(self.plain(block, role, name, returns)))
        };
        let game_loop = plain(&env.game_loop, Role::GameLoop, "gameLoop", Returns::Nothing);
        let ends = Returns::Always(Type::Truth);
        let check_game_end = plain(
            &env.check_game_end,
            Role::CheckGameEnd,
            "checkGameEnd",
            ends,
        );
        let game_over = plain(&env.game_over, Role::GameOver, "gameOver", Returns::Nothing);
        let layout = ast.lines.iter().rev().find_map(|line| match line {
            Line::Definition(Definition::Layout(layout)) => Some(self.layout(layout)),
            _ => None,
        });
        let functions = env
            .functions
            .values()
            .map(|f| Arc::new(self.routine(f)))
            .collect();
        let (moves, meetings) = (self.moves(&env.moves), self.meetings(&env.meetings));
        Game {
            player,
            items,
            functions,
            layout,
            game_loop,
            check_game_end,
            game_over,
            moves,
            meetings,
        }
    }

    pub fn enter(&mut self, role: Role, name: &str, returns: Returns) {
        self.scope = Scope::new(role, name, returns);
    }

    pub fn leave(
        &mut self,
        parameters: usize,
        result: Type,
        body: Vec<Stmt>,
        head: Span,
        span: Span,
    ) -> Routine {
        self.scope.close(span.end);
        let Scope {
            role,
            routine,
            locals,
            ..
        } = mem::take(&mut self.scope);
        Routine {
            name: routine,
            role,
            parameters,
            locals,
            result,
            body,
            head,
            span,
        }
    }

    fn plain(&mut self, block: &ast::Plain, role: Role, name: &str, returns: Returns) -> Routine {
        let result = if returns == Returns::Nothing {
            Type::Void
        } else {
            Type::Truth
        };
        self.enter(role, name, returns);
        let body = self.statements(&block.body.statements);
        self.leave(0, result, body, block.head, block.span)
    }

    fn layout(&mut self, layout: &ast::Layout) -> Layout {
        self.enter(Role::Layout, "Layout", Returns::Nothing);
        let size = match &layout.size {
            LayoutSize::Given(sizes) => match &sizes[..] {
                [] => GridSize::None,
                [rows, columns] => GridSize::Given(
                    Box::new(self.expected(
                        rows,
                        &Type::Int,
                        code::HANDLER_PARAMETERS,
                        "the number of rows is",
                    )),
                    Box::new(self.expected(
                        columns,
                        &Type::Int,
                        code::HANDLER_PARAMETERS,
                        "the number of columns is",
                    )),
                ),
                _ => self.layout_size(layout.head),
            },
            LayoutSize::Named(names) => match &names[..] {
                [rows, columns] => GridSize::Named(rows.text.clone(), columns.text.clone()),
                _ => self.layout_size(layout.head),
            },
        };
        let body = self.statements(&layout.body.statements);
        let routine = Arc::new(self.leave(0, Type::Void, body, layout.head, layout.span));
        Layout { size, routine }
    }

    fn layout_size(&mut self, span: Span) -> GridSize {
        self.error(
            code::HANDLER_PARAMETERS,
            span,
            "`Layout` has the number of rows and the number of columns",
        )
        .notes
        .push("as in `Layout(5, 4)`".into());
        GridSize::None
    }

    fn routine(&mut self, function: &ast::Function) -> Routine {
        let name = &function.name;
        let (parameters, result) = match self.signatures.get(&name.text) {
            Some(signature) => (signature.parameters.clone(), signature.result.clone()),
            None => (Vec::new(), Type::Void),
        };
        let returns = if result == Type::Void {
            Returns::Nothing
        } else {
            Returns::Always(result.clone())
        };
        self.enter(Role::Function, &name.text, returns);
        for (parameter, ty) in function.parameters.iter().zip(&parameters) {
            self.add_local(&parameter.name, ty.clone());
        }
        let body = self.statements(&function.body.statements);
        if result != Type::Void && !never_ends(&body) {
            self.no_result(function, &result);
        }
        self.leave(parameters.len(), result, body, name.span, function.span)
    }

    fn no_result(&mut self, function: &ast::Function, result: &Type) {
        let (name, span) = (&function.name.text, function.name.span);
        if self.scope.gave_value {
            let message = format!("`{name}` can come to its end without returning {result}");
            self.warning(code::MAY_NOT_RETURN, span, message)
                .notes
                .push("end it with a `return`".into());
        } else {
            self.error(
                code::RETURN,
                span,
                format!("`{name}` returns {result}, but has no `return` with a value"),
            );
        }
    }
}

/// Whether control never reaches what follows these statements.
fn never_ends(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Return(_) | StmtKind::Repeat => true,
        StmtKind::If {
            then, otherwise, ..
        } => never_ends(then) && never_ends(otherwise),
        StmtKind::While { condition, .. } => matches!(condition.kind, ExprKind::Truth(true)),
        StmtKind::Evaluate(e) => matches!(e.kind, ExprKind::GameOver),
        _ => false,
    })
}
