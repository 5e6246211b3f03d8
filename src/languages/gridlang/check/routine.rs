//! Checks top-level statements, blocks and functions; each becomes a [`Routine`].

use super::Checker;
use super::builtin::Builtin;
use super::expression::GRID_SIZE;
use super::scope::{ReturnRule, RoutineScope};
use crate::ast::{self, Ast, Definition, LayoutSize, Lifecycle, TopLevel};
use crate::check::errors;
use crate::check::hir::{Expr, ExprKind, Layout, Routine, RoutineKind, Stmt, StmtKind, Type};
use crate::language::{NameKind, Reporter};
use crate::parse::Start;
use crate::source::Span;
use std::mem;
use std::sync::Arc;

impl Checker<'_> {
    /// Checks the top-level statements, in source order.
    pub fn top_level(&mut self, ast: &Ast) -> Routine {
        let (kind, name) = match self.start {
            Start::Program => (RoutineKind::Globals, "declarations"),
            Start::Entry => (RoutineKind::Entry, "entry"),
        };
        self.begin_routine(kind, name, ReturnRule::Forbidden);
        let mut body = Vec::new();
        let mut of_layout = Vec::new();
        for construct in &ast.top_level {
            let statement = match construct {
                // What is declared below `Layout` can use what it declares.
                TopLevel::Definition(Definition::Layout(layout)) => {
                    of_layout = self.take_pending(layout);
                    continue;
                }
                TopLevel::Statement(statement) => statement,
                TopLevel::Import(span) => {
                    let message = "imports are not supported: a game is a single file";
                    self.warning(errors::IMPORT_IGNORED, *span, message)
                        .add_note("this line is ignored");
                    continue;
                }
                TopLevel::Definition(_) => continue,
            };
            if kind == RoutineKind::Globals
                && !matches!(statement.kind, ast::StmtKind::Declare { .. })
            {
                let message = "statements are only allowed inside a block";
                let note =
                    "put what happens once in `Layout` and what happens every turn in `gameLoop`";
                self.error(errors::STATEMENT_OUTSIDE_BLOCK, statement.span, message)
                    .add_note(note);
                continue;
            }
            self.statement(statement, &mut body);
        }
        self.defs.pending_globals.extend(of_layout);
        let spans = body.iter().map(|statement: &Stmt| statement.span);
        let span = spans.reduce(Span::to).unwrap_or_default();
        self.finish_routine(0, Type::Void, body, span, span)
    }

    /// Takes the variables that `Layout` declares from those that are not declared yet.
    fn take_pending(&mut self, layout: &ast::Layout) -> Vec<(Arc<str>, Span)> {
        let mut taken = Vec::new();
        for statement in &layout.code.body.statements {
            if let ast::StmtKind::Declare { declarators, .. } = &statement.kind {
                for name in declarators.iter().map(|d| &d.name.text) {
                    taken.extend(self.defs.pending_globals.remove_entry(name));
                }
            }
        }
        taken
    }

    /// Starts a new scope for the locals of a routine.
    pub fn begin_routine(&mut self, kind: RoutineKind, name: &str, returns: ReturnRule) {
        self.scope = RoutineScope::new(kind, name, returns);
        self.defs.names.leave_all();
        self.defs.names.enter();
    }

    /// Checks the code of a routine, whose parameters are declared.
    pub fn routine(
        &mut self,
        parameter_count: usize,
        return_type: Type,
        code: &ast::Code,
    ) -> Routine {
        let body = self.statements(&code.body.statements);
        self.finish_routine(parameter_count, return_type, body, code.head, code.span)
    }

    /// Ends the scope and builds the routine.
    fn finish_routine(
        &mut self,
        parameter_count: usize,
        return_type: Type,
        body: Vec<Stmt>,
        head: Span,
        span: Span,
    ) -> Routine {
        self.scope.pop_block(span.end);
        let RoutineScope {
            kind, name, locals, ..
        } = mem::take(&mut self.scope);
        Routine {
            name,
            kind,
            parameter_count,
            locals,
            return_type,
            body,
            head,
            span,
        }
    }

    pub fn lifecycle_block(&mut self, block: &ast::LifecycleBlock) -> Routine {
        let (returns, return_type) = match block.kind {
            Lifecycle::CheckGameEnd => (ReturnRule::Required(Type::Bool), Type::Bool),
            Lifecycle::GameLoop | Lifecycle::GameOver => (ReturnRule::Void, Type::Void),
        };
        let kind = RoutineKind::Lifecycle(block.kind);
        self.begin_routine(kind, block.kind.name(), returns);
        self.routine(0, return_type, &block.code)
    }

    pub fn layout(&mut self, layout: &ast::Layout) -> Layout {
        self.begin_routine(RoutineKind::Layout, "Layout", ReturnRule::Void);
        let size = match &layout.size {
            LayoutSize::Values(sizes) => match &sizes[..] {
                [] => None,
                [rows, columns] => {
                    let code = errors::HANDLER_PARAMETERS;
                    Some(self.int_pair([rows, columns], code, GRID_SIZE))
                }
                _ => self.bad_layout_size(layout.code.head),
            },
            LayoutSize::Parameters(names) => match &names[..] {
                [_, _] => None,
                _ => self.bad_layout_size(layout.code.head),
            },
        };
        let routine = Arc::new(self.routine(0, Type::Void, &layout.code));
        Layout { size, routine }
    }

    fn bad_layout_size(&mut self, span: Span) -> Option<[Expr; 2]> {
        let message = "`Layout` takes a number of rows and a number of columns";
        self.error(errors::HANDLER_PARAMETERS, span, message)
            .add_note("e.g. `Layout(5, 4)`");
        None
    }

    pub fn function(&mut self, function: &ast::Function) -> Routine {
        let name = &function.name;
        let (parameters, return_type) = match self.defs.env.signatures.get(&name.text) {
            Some(signature) => (signature.parameters.clone(), signature.return_type.clone()),
            None => (Vec::new(), Type::Void),
        };
        let returns = if return_type == Type::Void {
            ReturnRule::Void
        } else {
            ReturnRule::Required(return_type.clone())
        };
        let kind = if self.defs.is_rules() {
            RoutineKind::Rules
        } else {
            RoutineKind::Function
        };
        self.begin_routine(kind, &name.text, returns);
        for (parameter, ty) in function.parameters.iter().zip(&parameters) {
            self.add_local(&parameter.name, ty.clone(), NameKind::Parameter);
        }
        let ast::Code { body, head, span } = &function.code;
        let body = self.statements(&body.statements);
        if return_type != Type::Void && !always_exits(&body) {
            self.missing_return(function, &return_type);
        }
        self.finish_routine(parameters.len(), return_type, body, *head, *span)
    }

    fn missing_return(&mut self, function: &ast::Function, return_type: &Type) {
        let (name, span) = (&function.name.text, function.name.span);
        if self.scope.has_returned_value {
            let message = format!(
                "`{name}` may end without returning {}",
                return_type.with_article()
            );
            self.warning(errors::MISSING_RETURN, span, message)
                .add_note("add a `return` at its end");
        } else {
            let message = format!(
                "missing `return` in `{name}`: it must return {}",
                return_type.with_article()
            );
            self.error(errors::BAD_RETURN, span, message);
        }
    }
}

/// True if control never reaches the end of these statements.
fn always_exits(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Return(_) | StmtKind::Repeat => true,
        StmtKind::If {
            then, otherwise, ..
        } => always_exits(then) && always_exits(otherwise),
        StmtKind::While { condition, .. } => matches!(condition.kind, ExprKind::Bool(true)),
        StmtKind::Expr(e) => matches!(e.kind, ExprKind::Builtin(Builtin::GameOver, _)),
        _ => false,
    })
}
