//! Checks blocks and functions; each becomes a [`Routine`].

use super::builtin::Builtin;
use super::expression::GRID_SIZE;
use super::scope::{ReturnRule, RoutineScope};
use super::{Change, Checker, Env, Start};
use crate::language::{NameKind, Reporter};
use crate::languages::gridlang::ast::{self, Ast, Definition, LayoutSize, Lifecycle, TopLevel};
use crate::languages::gridlang::check::errors;
use crate::languages::gridlang::check::hir::{
    Expr, ExprKind, Game, Layout, Routine, RoutineKind, Stmt, StmtKind, Type,
};
use crate::source::Span;
use std::collections::BTreeMap;
use std::mem;
use std::rc::Rc;
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
        for construct in &ast.top_level {
            let statement = match construct {
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
        let spans = body.iter().map(|statement: &Stmt| statement.span);
        let span = spans.reduce(Span::to).unwrap_or_default();
        self.finish_routine(0, Type::Void, body, span, span)
    }

    /// Checks functions that do not change the meaning of other definitions and puts them into the
    /// game.
    pub fn extended_game(
        &mut self,
        functions: &[Arc<ast::Function>],
        old: &Rc<Game>,
        before: &Env,
    ) -> (Rc<Game>, Change) {
        let routines = functions.iter().map(|f| Arc::new(self.function(f)));
        let routines: Vec<_> = routines.collect();
        let mut game = old.clone();
        for routine in &routines {
            let functions = &mut Rc::make_mut(&mut game).functions;
            functions.insert(routine.name.clone(), routine.clone());
        }
        // A body that names the single item of a kind may be the first to declare it.
        let change = if self.globals_affect_others(before) {
            Change::Any
        } else if routines.is_empty() && self.declared_globals.is_empty() {
            Change::None
        } else {
            Change::Own(routines)
        };
        (game, change)
    }

    /// Checks every current definition. Routines that are the same as in the old game are shared
    /// with it.
    pub fn game(&mut self, ast: &Ast, old: &Game) -> (Game, Option<Layout>) {
        self.begin_routine(RoutineKind::Globals, "declarations", ReturnRule::Forbidden);
        let (player_attributes, item_kinds) =
            (self.check_player_attributes(), self.check_item_kinds());
        let env = self.env.clone();
        let mut blocks = BTreeMap::new();
        for (&kind, block) in &env.blocks {
            let routine = self.lifecycle_block(block);
            blocks.insert(kind, shared(old.blocks.get(&kind), routine));
        }
        let mut definitions = ast.definitions().rev();
        let layout = definitions.find_map(|definition| match definition {
            Definition::Layout(layout) => Some(self.layout(layout)),
            _ => None,
        });
        let functions = env.functions.values().map(|f| {
            let (name, new) = (&f.name.text, self.function(f));
            (name.clone(), shared(old.functions.get(name), new))
        });
        let functions = functions.collect();
        let (move_handlers, colocation_handlers) = (
            self.move_handlers(&env.move_handlers),
            self.colocation_handlers(&env.colocation_handlers),
        );
        let game = Game {
            player_attributes,
            item_kinds,
            functions,
            blocks,
            move_handlers,
            colocation_handlers,
        };
        (game, layout)
    }

    /// Starts a new scope for the locals of a routine.
    pub fn begin_routine(&mut self, kind: RoutineKind, name: &str, returns: ReturnRule) {
        self.scope = RoutineScope::new(kind, name, returns);
        self.names.leave_all();
        self.names.enter();
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

    fn lifecycle_block(&mut self, block: &ast::LifecycleBlock) -> Routine {
        let (returns, return_type) = match block.kind {
            Lifecycle::CheckGameEnd => (ReturnRule::Required(Type::Bool), Type::Bool),
            Lifecycle::GameLoop | Lifecycle::GameOver => (ReturnRule::Void, Type::Void),
        };
        let kind = RoutineKind::Lifecycle(block.kind);
        self.begin_routine(kind, block.kind.name(), returns);
        self.routine(0, return_type, &block.code)
    }

    fn layout(&mut self, layout: &ast::Layout) -> Layout {
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

    fn function(&mut self, function: &ast::Function) -> Routine {
        let name = &function.name;
        let (parameters, return_type) = match self.env.signatures.get(&name.text) {
            Some(signature) => (signature.parameters.clone(), signature.return_type.clone()),
            None => (Vec::new(), Type::Void),
        };
        let returns = if return_type == Type::Void {
            ReturnRule::Void
        } else {
            ReturnRule::Required(return_type.clone())
        };
        let kind = if self.is_rules() {
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

/// The old routine if the new one is the same, so that programs share it.
fn shared(old: Option<&Arc<Routine>>, new: Routine) -> Arc<Routine> {
    match old {
        Some(old) if **old == new => old.clone(),
        _ => Arc::new(new),
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
