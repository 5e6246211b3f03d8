//! From syntax tree to code. A game is one function, from its first line to its last; what is typed becomes another.

mod expr;
mod statement;

use super::ast::{Entry, Item, Query};
use super::check::{CheckResult, Env};
use super::scope::Scope;
use super::show;
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionId, FunctionKind, Instr, Program,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::source::{Source, Span};
use crate::value::{InternedStr, Value};
use std::rc::Rc;

/// The function that plays the game from its start.
const GAME: FunctionId = FunctionId(0);
/// The function of what was typed last.
const TYPED: FunctionId = FunctionId(1);

/// One function on its way to code.
struct Lowerer<'s> {
    scope: &'s Scope,
    builder: Builder,
}

pub fn empty_program() -> Program {
    let scope = Scope::default();
    let game = Lowerer::new(&scope, "game", FunctionKind::Setup, Span::default())
        .builder
        .finish();
    program(scope, game)
}

/// A whole file.
pub fn load(items: Vec<Item>, env: Env, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env,
        items: items.into_iter().map(Rc::new).collect(),
        ..Scope::default()
    };
    scope.assign_slots();
    let game = game(&scope, span)?;
    let program = program(scope, game);
    Ok(Compiled {
        program,
        entry_point: Some(GAME),
        is_expression: false,
        warnings: Vec::new(),
        messages: Vec::new(),
        resets_game: true,
    })
}

/// What was typed at the prompt, with what the checker found.
pub fn entry(
    entry: Entry,
    checked: CheckResult,
    span: Span,
    old: &Program,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope::from_program(old);
    let mut said = Vec::new();
    let declared: Vec<Item> = match &entry {
        Entry::Items(items) => items
            .iter()
            .filter(|i| matches!(i, Item::Entity(_)))
            .cloned()
            .collect(),
        Entry::Query(_) => Vec::new(),
    };
    let mut program = old.clone();
    if !declared.is_empty() {
        scope.env = checked.env;
        scope.assign_slots();
        for item in declared {
            if let Item::Entity(e) = &item {
                said.push(format!("declared {} {}", e.kind.as_str(), e.name.text));
            }
            scope.declare(Rc::new(item));
        }
        program = changed(&scope, old)?;
    }
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, span);
    let answers = body.entry(&entry);
    let typed = finish(body)?;
    Ok(Compiled {
        program: with(program, typed),
        entry_point: Some(TYPED),
        is_expression: answers,
        warnings: checked.diagnostics,
        messages: said,
        resets_game: false,
    })
}

/// `:forget hero`
pub fn forget(source: &Source, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope::from_program(old);
    let (name, span) = word_after_command(source);
    let Some(entity) = scope.env.get(name).cloned() else {
        return Err(vec![nobody(name, span, &scope)]);
    };
    if let Some(user) = scope.dependent_on(name) {
        let message = format!(
            "{name} cannot be forgotten: the declaration of {} names it",
            user.name
        );
        let told = Diagnostic::error(Phase::Check, "TG111", span, message)
            .related(user.name_span, "declared here");
        return Err(vec![told.note(format!("`:forget {}` first", user.name))]);
    }
    scope.env.forget(name);
    let before = scope.startup_items().len();
    scope.has_forgotten = true;
    let mut said = vec![format!("forgot {} {name}", entity.kind.as_str())];
    if scope.startup_items().len() + 1 < before {
        said.push(format!(
            "statements that name {name} are left out at the next :restart"
        ));
    }
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, span);
    let src = body.builder.alloc_register();
    let k = body.builder.constant(Value::NOTHING);
    body.builder.emit(Instr::Constant { dst: src, k }, span);
    for property in &entity.properties {
        if let Some(global) = scope.slot(name, property) {
            body.builder.emit(Instr::SetGlobal { global, src }, span);
        }
    }
    let typed = finish(body)?;
    let program = with(changed(&scope, old)?, typed);
    Ok(Compiled {
        program,
        entry_point: Some(TYPED),
        is_expression: false,
        warnings: Vec::new(),
        messages: said,
        resets_game: false,
    })
}

fn word_after_command(source: &Source) -> (&str, Span) {
    let text = source.text.trim_end();
    let rest = text.find(char::is_whitespace).map_or("", |at| &text[at..]);
    let name = rest.trim_start();
    (name, source.span(text.len() - name.len(), text.len()))
}

fn nobody(name: &str, span: Span, scope: &Scope) -> Diagnostic {
    if name.is_empty() {
        return Diagnostic::error(
            Phase::Check,
            "TG111",
            span,
            "which entity is to be forgotten?",
        )
        .note("`:forget hero`");
    }
    let near = crate::diagnostic::did_you_mean(name, scope.env.entities().iter().map(|e| &*e.name));
    Diagnostic::error(
        Phase::Check,
        "TG101",
        span,
        format!("{name} not declared{near}"),
    )
}

/// The program with another scope. A game that does the same as before is shared.
fn changed(scope: &Scope, old: &Program) -> Result<Program, Vec<Diagnostic>> {
    let span = old.function(GAME).map(|f| f.span).unwrap_or_default();
    let mut new = program(scope.clone(), game(scope, span)?);
    if let (Some(was), Some(is)) = (old.function(GAME), new.functions.first_mut())
        && **was == **is
    {
        *is = was.clone();
    }
    Ok(new)
}

fn program(scope: Scope, game: Function) -> Program {
    Program {
        language: "tinygame",
        functions: vec![Rc::new(game)],
        globals: Rc::new(scope.globals()),
        piece_kinds: Rc::default(),
        owners: Rc::new(vec![InternedStr::new("")]),
        arithmetic: Arithmetic::Checked64,
        board_info: BoardInfo {
            cell_style: CellStyle::XyPair,
            is_derived: true,
            self_coord_names: None,
        },
        start_function: Some(GAME),
        play_function: None,
        board_global: None,
        format_value: show::format_value,
        parse_input: |_, _, _, _| Err("TinyGame asks nothing".into()),
        resolve_field: |_, _, _| None,
        scope: Rc::new(scope),
    }
}

/// The program with what was typed in the place of what was typed before.
fn with(mut program: Program, typed: Function) -> Program {
    program.functions.truncate(TYPED.0 as usize);
    program.functions.push(Rc::new(typed));
    program
}

fn game(scope: &Scope, span: Span) -> Result<Function, Vec<Diagnostic>> {
    let mut body = Lowerer::new(scope, "game", FunctionKind::Setup, span);
    body.builder.emit(Instr::BeginAction, span);
    for item in scope.startup_items() {
        body.lower_item(&item);
    }
    finish(body)
}

fn finish(body: Lowerer) -> Result<Function, Vec<Diagnostic>> {
    let too_large = body.builder.is_too_large();
    let function = body.builder.finish();
    match too_large {
        true => Err(vec![
            Diagnostic::error(
                Phase::Check,
                "TG012",
                function.span,
                "this is too large to be run",
            )
            .note("a game holds some sixty thousand different texts and large numbers"),
        ]),
        false => Ok(function),
    }
}

impl<'s> Lowerer<'s> {
    fn new(scope: &'s Scope, title: &str, role: FunctionKind, span: Span) -> Lowerer<'s> {
        Lowerer {
            scope,
            builder: Builder::new(InternedStr::new(title), role, 0, span),
        }
    }

    /// Says whether the value is the answer.
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
