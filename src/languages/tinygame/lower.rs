//! Lowering to bytecode. The game is one function, from its first statement to its last; each entry
//! is another.
//!
//! ```text
//! statement  declarations and statements
//! expr       expressions and conditions
//! scope      the declarations of a session, and how to restart its game
//! ```

mod expr;
pub mod scope;
mod statement;

use super::ast::{Entry, Item, Query};
use super::check::{CheckResult, Env};
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionId, FunctionKind, Global, Instr,
    Program,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::lower::scope::Scope;
use crate::source::{Source, Span};
use crate::value::{InternedStr, SharedVec, Value};
use crate::view;
use std::rc::Rc;

/// The function that plays the game from its start.
const GAME: FunctionId = FunctionId(0);

/// Lowers one function.
struct Lowerer<'s> {
    scope: &'s Scope,
    builder: Builder,
}

pub fn empty_program() -> Program {
    let scope = Scope::default();
    let game = Lowerer::new(&scope, "game", FunctionKind::Setup, Span::default());
    let function = game.builder.finish();
    program(scope, function, SharedVec::default())
}

/// Compiles a whole file.
pub fn load(items: Vec<Item>, env: Env, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: env.clone(),
        ..Scope::default()
    };
    for item in items {
        scope.push_item(Rc::new(item));
    }
    let mut globals = SharedVec::default();
    for entity in env.entities() {
        scope.add_globals(entity, &mut globals);
    }
    let game = game(&scope, span);
    Compiled::game(program(scope, game, globals))
}

/// Compiles an entry that passed the checker.
pub fn entry(
    entry: Entry,
    checked: CheckResult,
    span: Span,
    old: &Program,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut shared = Scope::from_program(old);
    let mut messages = Vec::new();
    let mut program = old.clone();
    if entry.entities().next().is_some() {
        let scope = Rc::make_mut(&mut shared);
        scope.env = checked.env.clone();
        let mut globals = old.globals.clone();
        for entity in entry.entities() {
            if let Some(declared) = checked.env.get(&entity.name.text) {
                messages.push(format!("declared {}", declared.title()));
                scope.add_globals(declared, &mut globals);
            }
            scope.declare(entity);
        }
        program = rebuild(scope, globals, old);
    }
    let mut lowerer = Lowerer::new(&shared, "entry", FunctionKind::Entry, span);
    let is_expression = lowerer.entry(&entry);
    let entry_point = program.push_entry(lowerer.builder.finish());
    Ok(Compiled {
        is_expression,
        warnings: checked.diagnostics,
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

/// Compiles `:forget hero`.
pub fn forget(source: &Source, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let mut shared = Scope::from_program(old);
    let scope = Rc::make_mut(&mut shared);
    let (name, span) = word_after_command(source);
    let Some(entity) = scope.env.get(name).cloned() else {
        let error = match name {
            "" => {
                let message = "`:forget` needs the name of an entity";
                Diagnostic::error(Phase::Check, "TG111", span, message).note("e.g. `:forget hero`")
            }
            _ => scope.env.unknown_entity(name, span),
        };
        return Err(vec![error]);
    };
    if let Some(dependent) = scope.dependent_on(name) {
        let user = &dependent.name;
        let message = format!("cannot forget `{name}`: the declaration of `{user}` uses it");
        let error = Diagnostic::error(Phase::Check, "TG111", span, message)
            .related(dependent.name_span, "declared here")
            .note(format!("`:forget {user}` first"));
        return Err(vec![error]);
    }
    let mut globals = old.globals.clone();
    let forgotten = scope.forget(&entity, &mut globals);
    let mut messages = vec![format!("forgot {}", entity.title())];
    if scope.has_statement_with(name) {
        messages.push(format!(
            "statements that use {name} will be skipped at the next :restart"
        ));
    }
    let mut lowerer = Lowerer::new(scope, "entry", FunctionKind::Entry, span);
    let src = lowerer.builder.alloc_register();
    lowerer.builder.emit_constant(src, Value::NOTHING, span);
    for global in forgotten {
        lowerer.builder.emit_set_global(global, src, span);
    }
    let function = lowerer.builder.finish();
    let mut program = rebuild(scope, globals, old);
    let entry_point = program.push_entry(function);
    Ok(Compiled {
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

fn word_after_command(source: &Source) -> (&str, Span) {
    let text = source.text.trim_end();
    let rest = text.find(char::is_whitespace).map_or("", |at| &text[at..]);
    let name = rest.trim_start();
    (name, source.span(text.len() - name.len(), text.len()))
}

/// Rebuilds the program for a changed scope, except for the function that plays the game.
fn rebuild(scope: &Scope, globals: SharedVec<Global>, old: &Program) -> Program {
    Program {
        globals,
        is_start_current: false,
        scope: Rc::new(scope.clone()),
        ..old.clone()
    }
}

/// Lowers the function that plays the game again.
pub fn lower_start(program: &mut Program) {
    let span = program.function(GAME).map(|f| f.span).unwrap_or_default();
    program.define(GAME, game(&Scope::from_program(program), span));
}

fn program(scope: Scope, game: Function, globals: SharedVec<Global>) -> Program {
    let mut program = Program {
        globals,
        board_info: BoardInfo {
            cell_style: CellStyle::XyPair,
            is_derived: true,
            ..BoardInfo::default()
        },
        start_function: Some(GAME),
        format_value: view::format_value,
        too_large_code: "TG012",
        scope: Rc::new(scope),
        ..Program::empty("tinygame", Arithmetic::Checked64)
    };
    program.define(GAME, game);
    program
}

fn game(scope: &Scope, span: Span) -> Function {
    let mut lowerer = Lowerer::new(scope, "game", FunctionKind::Setup, span);
    lowerer.builder.emit(Instr::BeginAction, span);
    for item in scope.startup_items() {
        lowerer.lower_item(&item);
    }
    lowerer.builder.finish()
}

impl<'s> Lowerer<'s> {
    fn new(scope: &'s Scope, name: &str, kind: FunctionKind, span: Span) -> Lowerer<'s> {
        Lowerer {
            scope,
            builder: Builder::new(InternedStr::new(name), kind, 0, span),
        }
    }

    /// Returns whether the entry is an expression, whose value is to be shown.
    fn entry(&mut self, entry: &Entry) -> bool {
        match entry {
            Entry::Items(items) => {
                if let Some(first) = items.first() {
                    self.builder.emit(Instr::BeginAction, first.span());
                }
                items.iter().for_each(|item| self.lower_item(item));
                false
            }
            Entry::Query(Query::Value(value)) => {
                self.lower_query(value);
                true
            }
            Entry::Query(Query::Condition(condition)) => {
                self.lower_condition_query(condition);
                true
            }
        }
    }
}
