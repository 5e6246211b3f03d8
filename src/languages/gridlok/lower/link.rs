//! Links the lowered bodies to a program: assigns function ids, piece kinds and global slots, and
//! builds the start function.

use super::{BodyKind, Lowerer, ProgramContext};
use crate::ast::{self, Item, ItemKind, StatementKind};
use crate::check::errors;
use crate::check::typing::Type;
use crate::code::{
    Arithmetic, BoardInfo, Builder, Function, FunctionId, FunctionKind, Global, Instr, PieceEvent,
    PieceKind, Program, StopKind, SymbolTable,
};
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, Words};
use crate::lower::scope::{GlobalVariable, RULE_VARIABLES, Scope, bodies};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::{InternedStr, Piece, SharedVec, Value};
use crate::{parse, view};
use std::collections::HashSet;
use std::rc::Rc;

pub const RULES: &str = include_str!("../rules.gl");

/// A program that contains only the rules of play.
pub fn empty_program() -> Program {
    assemble(rules_scope(), None)
}

/// What is in scope before the first definition of a program.
fn rules_scope() -> Scope {
    let mut scope = Scope::default();
    scope.words = RULE_WORDS.with(Words::clone);
    scope
}

/// Compiles a file as a new program.
pub fn lower_program(program: &ast::Program, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = rules_scope();
    scope.words.add(&source.text);
    for item in &program.items {
        scope.define(Rc::new(item.clone()));
    }
    scope.has_run_setup = scope.has_setup();
    allocate_globals(&mut scope);
    Compiled::game(assemble(scope, None))
}

/// Assigns a global slot to every variable, and infers its type.
pub(super) fn allocate_globals(scope: &mut Scope) {
    let items = scope.items.clone();
    let mut names = HashSet::new();
    // A variable that became a function has left an unused slot.
    let used = scope.variables.values().map(|v| v.global + 1);
    let mut next = used.max().unwrap_or(0).max(RULE_VARIABLES.len() as u32);
    for item in &items {
        if let ItemKind::Def(def) = &item.kind {
            let ty = scope.type_of_definition(def);
            let old = scope.variables.get(&def.name.text);
            let global = old.map_or(next, |v| v.global);
            next = next.max(global + 1);
            let variable = GlobalVariable { global, ty };
            scope.variables.insert(def.name.text.clone(), variable);
            names.insert(&*def.name.text);
        }
    }
    // Remove variables that were redefined as functions.
    scope.variables.retain(|name, _| names.contains(&**name));
}

thread_local! {
    /// The rules of play, parsed once. That they have no errors is tested below.
    static PARSED_RULES: ast::Program = parse_rules().unwrap_or_default();
    /// Their words, collected once.
    static RULE_WORDS: Words = Words::of(RULES);
}

fn parse_rules() -> Result<ast::Program, Vec<Diagnostic>> {
    let source = Source::new(SourceId::RULES, Origin::Rules("GridLok"), RULES);
    parse::parse_program(&source, |_| Vec::new())
}

/// Builds the program. Functions that have not changed since `old` are shared with it.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> Program {
    let mut symbols = scope.symbols.clone();
    let mut lowered = Vec::new();
    let kinds = {
        let mut context = ProgramContext {
            scope: &scope,
            kinds: &SharedVec::default(),
            symbols: &mut symbols,
        };
        if old.is_none() {
            PARSED_RULES.with(|rules| {
                for item in &rules.items {
                    lower_item(&mut context, item, BodyKind::Rules, &mut lowered);
                }
            });
        }
        kinds(&mut context, old)
    };
    {
        let mut context = ProgramContext {
            scope: &scope,
            kinds: &kinds,
            symbols: &mut symbols,
        };
        for item in &scope.items {
            lower_item(&mut context, item, BodyKind::Action, &mut lowered);
        }
        let start = context.symbols.get_or_insert("@start");
        if old.is_none() {
            lowered.push((start, start_function(&mut context)));
        }
    }
    scope.symbols = symbols.clone();
    let start = symbols.get("@start");
    let bare = || Program::empty("gridlok", Arithmetic::Checked32);
    let mut program = Program {
        globals: globals(&scope),
        piece_kinds: kinds,
        owners: Rc::new(owners(&scope, old)),
        board_info: BoardInfo {
            self_coord_names: Some(("pieceRow", "pieceCol")),
            ..BoardInfo::default()
        },
        start_function: start,
        is_start_current: old.is_none(),
        format_value: view::format_value,
        too_large_code: errors::PROGRAM_TOO_LARGE,
        ..old.map_or_else(bare, Program::clone)
    };
    let removed = removed_bodies(&scope, &symbols);
    program.link(&symbols, removed.into_iter().chain(lowered), placeholder);
    program.scope = Rc::new(scope);
    program
}

/// Like [`assemble`], for `items` that do not change the meaning of others.
pub(super) fn extend(mut scope: Scope, items: &[&Item], old: &Program) -> Program {
    let mut lowered = Vec::new();
    let mut program = Program {
        is_start_current: false,
        ..old.clone()
    };
    for item in items {
        if let ItemKind::Def(def) = &item.kind {
            let name = &def.name.text;
            let old = scope.variables.get(name);
            let variable = GlobalVariable {
                global: old.map_or(program.globals.len() as u32, |old| old.global),
                ty: scope.type_of_definition(def),
            };
            scope.variables.insert(name.clone(), variable);
            let global = Global::variable(name, item.span);
            program.globals.put(variable.global as usize, global);
        }
    }
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        kinds: &program.piece_kinds,
        symbols: &mut symbols,
    };
    for item in items {
        lower_item(&mut context, item, BodyKind::Action, &mut lowered);
    }
    scope.symbols = symbols;
    program.link(&scope.symbols, lowered, placeholder);
    program.scope = Rc::new(scope);
    program
}

/// Lowers the function that starts the game again.
pub fn lower_start(program: &mut Program) {
    let mut scope = Scope::clone(&Scope::of(program));
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        kinds: &program.piece_kinds,
        symbols: &mut symbols,
    };
    let start = start_function(&mut context);
    let id = symbols.get_or_insert("@start");
    program.link(&symbols, [(id, start)], placeholder);
    scope.symbols = symbols;
    program.scope = Rc::new(scope);
}

/// Placeholders for definitions that no longer exist, such as a removed handler.
fn removed_bodies(scope: &Scope, symbols: &SymbolTable) -> Vec<(FunctionId, Function)> {
    let items = scope.items.iter();
    let bodies = items.flat_map(|item| bodies(item));
    let live: HashSet<String> = bodies.map(|(name, _)| name).collect();
    let names = symbols.iter();
    let removed = names.filter(|(name, _)| !name.starts_with('@') && !live.contains(*name));
    removed.map(|(name, id)| (id, placeholder(name))).collect()
}

/// The code of an undefined function. Optional functions such as `winCondition` do nothing; all
/// others fail.
pub(super) fn placeholder(function: &str) -> Function {
    // Its span is empty: an error has to point at the caller.
    let (name, kind, span) = (
        InternedStr::new(function),
        FunctionKind::Rules,
        Span::default(),
    );
    match function {
        "setup" | "winCondition" | "loseCondition" | "drawCondition" => {
            Builder::new(name, kind, 0, span).finish()
        }
        _ => Builder::failing(name, kind, &format!("unknown function `{function}`"), span),
    }
}

fn lower_item(
    context: &mut ProgramContext,
    item: &Item,
    body_kind: BodyKind,
    lowered: &mut Vec<(FunctionId, Function)>,
) {
    for (name, block) in bodies(item) {
        let (kind, body_kind) = match (&item.kind, body_kind) {
            (_, BodyKind::Rules) => (FunctionKind::Rules, BodyKind::Rules),
            (ItemKind::Function(_), _) => (FunctionKind::Function, BodyKind::Function),
            (ItemKind::Setup(_), _) => (FunctionKind::Setup, BodyKind::Setup),
            (ItemKind::Condition(..), _) => (FunctionKind::Condition, BodyKind::Action),
            _ => (FunctionKind::Handler, BodyKind::Action),
        };
        let parameters: Vec<&str> = match &item.kind {
            ItemKind::Function(f) => f.parameters.iter().map(|p| &*p.text).collect(),
            _ => Vec::new(),
        };
        let mut body = Lowerer::new(context, &name, kind, body_kind, &parameters, item.span);
        let stop_kind = match kind {
            FunctionKind::Condition => StopKind::Condition,
            FunctionKind::Handler => StopKind::Handler,
            // The end of a turn: a stop for stepping and for `:break on endTurn`.
            FunctionKind::Rules if name == "@nextTurn" => StopKind::Turn,
            _ => StopKind::Statement,
        };
        body.builder.stop_point(stop_kind, block.span);
        body.block(block);
        let function = body.builder.finish();
        lowered.push((context.symbols.get_or_insert(&name), function));
    }
}

/// The kinds of pieces. Existing kinds keep their numbers.
fn kinds(context: &mut ProgramContext, old: Option<&Program>) -> SharedVec<PieceKind> {
    let mut kinds = old.map_or_else(SharedVec::default, |o| o.piece_kinds.clone());
    for item in &context.scope.items {
        let ItemKind::Piece(piece) = &item.kind else {
            continue;
        };
        let Some(name) = &piece.name else { continue };
        let mut handler = |event: &str, is_defined: bool| {
            is_defined.then(|| {
                context
                    .symbols
                    .get_or_insert(&format!("{}.{event}", name.text))
            })
        };
        let on_turn = piece.on_turn.as_ref();
        let handles_turn = on_turn.is_some_and(|h| !h.body.statements.is_empty());
        let mut handlers = [None, None];
        handlers[PieceEvent::Click as usize] = handler("onClick", piece.on_click.is_some());
        handlers[PieceEvent::Turn as usize] = handler("onTurn", handles_turn);
        // A piece whose handlers call `visible` starts hidden.
        let sets_visible = |statement: &StatementKind| matches!(statement, StatementKind::Braces(name, _) if &*name.text == "visible");
        let starts_hidden = piece.handlers().any(|(_, h)| h.body.any(&sets_visible));
        let kind = PieceKind {
            name: InternedStr::new(&name.text),
            visible: !starts_hidden,
            handlers,
            span: item.span,
        };
        match kinds.iter().position(|k| k.name == kind.name) {
            Some(index) => kinds.set(index, kind),
            None if kinds.len() < Piece::MAX_KIND as usize => kinds.push(kind),
            None => {}
        }
    }
    kinds
}

fn globals(scope: &Scope) -> SharedVec<Global> {
    let rules = RULE_VARIABLES.iter();
    let rules = rules.map(|(name, _)| Global::of_rules(name));
    let mut globals: SharedVec<Global> = rules.collect();
    for item in &scope.items {
        if let ItemKind::Def(def) = &item.kind
            && let Some(variable) = scope.variables.get(&def.name.text)
        {
            let slot = variable.global as usize;
            globals.resize(globals.len().max(slot + 1), Global::unused());
            globals.set(slot, Global::variable(&def.name.text, item.span));
        }
    }
    globals
}

fn owners(scope: &Scope, old: Option<&Program>) -> Vec<InternedStr> {
    let mut owners = old.map_or_else(|| vec![InternedStr::new("")], |o| o.owners.to_vec());
    for item in &scope.items {
        if let ItemKind::Players(players) = &item.kind {
            for player in players {
                let name = InternedStr::new(&player.text);
                if !owners.contains(&name) && owners.len() < Piece::MAX_OWNER as usize {
                    owners.push(name);
                }
            }
        }
    }
    owners
}

/// The function that starts a game: initializes the variables, the board and the players, then runs
/// setup.
fn start_function(context: &mut ProgramContext) -> Function {
    let items = context.scope.items.clone();
    let runs_setup = context.scope.has_run_setup;
    let mut body = Lowerer::new(
        context,
        "start",
        FunctionKind::Setup,
        BodyKind::Entry,
        &[],
        Span::default(),
    );
    let dst = body.builder.alloc_register();
    let empty_list = Instr::List {
        dst,
        first: dst,
        count: 0,
    };
    for (global, (_, ty)) in RULE_VARIABLES.iter().enumerate() {
        let span = Span::default();
        match ty {
            Some(Type::List) => _ = body.builder.emit(empty_list, span),
            Some(Type::Bool) => body.builder.emit_constant(dst, Value::FALSE, span),
            Some(Type::Text) => body.builder.emit_string(dst, "", span),
            _ => body.builder.emit_constant(dst, Value::int(0), span),
        }
        body.builder.emit_set_global(global as u32, dst, span);
    }
    // The first player has the turn before the variables are initialized, since they may use it.
    let sets_seats =
        |i: &&Rc<Item>| matches!(i.kind, ItemKind::Players(_) | ItemKind::TurnOrder(_));
    items
        .iter()
        .filter(sets_seats)
        .for_each(|item| body.item(item, false, false));
    // The stop for setting the first player is at the last of these items.
    let seating_span = items.iter().rev().find(sets_seats).map(|i| i.span);
    if let Some(span) = seating_span {
        body.statement_stop(span);
    }
    body.call_rule("@seatPlayers", &[], seating_span.unwrap_or_default());
    items
        .iter()
        .filter(|item| !sets_seats(item))
        .for_each(|item| body.item(item, false, false));
    if runs_setup {
        body.call_rule("@startGame", &[], Span::default());
    }
    body.builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_play_compile_without_errors() {
        let rules = parse_rules().expect("rules.gl");
        let program = assemble(Scope::default(), None);
        assert_eq!(program.check_sizes(None), Ok(()));
        let scope = Scope::of(&program);
        let defined: Vec<String> = rules
            .items
            .iter()
            .flat_map(bodies)
            .map(|(name, _)| name)
            .collect();
        let undefined = scope
            .symbols
            .iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with('@') && *name != "@start")
            .find(|name| !defined.iter().any(|other| other == name));
        assert_eq!(undefined, None, "called by the rules, but not defined");
    }
}
