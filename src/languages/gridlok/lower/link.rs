//! Puts the bodies of a program together: numbers for functions, kinds and variables, and what is to be run.

use super::{Body, Place, Shared};
use crate::code::{
    Builder, Cells, Event, Function, FunctionId, Global, Instr, Kind, Program, Role, StopKind,
    Titles,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::languages::gridlok::ast::{self, Block, Item, ItemKind, StatementKind};
use crate::languages::gridlok::scope::{RULE_VARIABLES, Scope, Variable, bodies};
use crate::languages::gridlok::typing::{self, Type};
use crate::languages::gridlok::{code, parse, show};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::{Piece, Text, Value};
use std::collections::HashSet;
use std::rc::Rc;

pub const RULES: &str = include_str!("../rules.gl");

/// A program with nothing in it but the rules.
pub fn blank() -> Program {
    assemble(Scope::default(), None).0
}

/// A whole file: everything is new.
pub fn load(program: &ast::Program) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope::default();
    for item in &program.items {
        scope.define(Rc::new(item.clone()));
    }
    scope.set_up = scope.has_setup();
    number_variables(&mut scope);
    let (program, errors) = assemble(scope, None);
    if !errors.is_empty() {
        return Err(errors);
    }
    let run = program.start;
    Ok(Compiled {
        program,
        run,
        answers: false,
        warnings: Vec::new(),
        said: Vec::new(),
        fresh: true,
    })
}

pub(super) fn finish(body: Body, errors: &mut Vec<Diagnostic>) -> Function {
    let too_large = body.b.is_too_large();
    let function = body.b.finish();
    if too_large {
        errors.push(
            Diagnostic::error(
                Phase::Check,
                code::TOO_LARGE,
                function.span,
                "this is too large to be run",
            )
            .note("split it into several functions"),
        );
    }
    function
}

/// Gives every variable its number, and what is known of its type.
pub(super) fn number_variables(scope: &mut Scope) {
    let items = scope.items.clone();
    let mut next = RULE_VARIABLES.len() as u32 + scope.variables.len() as u32;
    for item in &items {
        if let ItemKind::Def(def) = &item.kind {
            let kind = typing::of_given(&def.value, &|name| {
                scope.variables.get(name).and_then(|v| v.kind)
            });
            let global = scope
                .variables
                .get(&def.name.text)
                .map_or(next, |v| v.global);
            next = next.max(global + 1);
            scope
                .variables
                .insert(def.name.text.clone(), Variable { global, kind });
        }
    }
    // A function that took a variable's name hides it.
    let named = |item: &Rc<Item>| {
        if let ItemKind::Def(d) = &item.kind {
            Some(d.name.text.clone())
        } else {
            None
        }
    };
    let names: HashSet<String> = items.iter().filter_map(named).collect();
    scope.variables.retain(|name, _| names.contains(name));
}

thread_local! {
    /// The rules of play are read once, however many games are begun.
    static PARSED_RULES: ast::Program =
        parse::program(&Source::new(SourceId::RULES, Origin::Rules("GridLok"), RULES)).unwrap_or_default();
}

/// All code of a program. What has not changed since `old` is shared with it.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> (Program, Vec<Diagnostic>) {
    let mut codes = scope.codes.clone();
    let mut made: Vec<(FunctionId, Function)> = Vec::new();
    let mut errors = Vec::new();
    let kinds = {
        let mut shared = Shared {
            scope: &scope,
            kinds: &[],
            titles: &mut codes,
        };
        if old.is_none() {
            PARSED_RULES.with(|rules| {
                for item in &rules.items {
                    lower_item(&mut shared, item, Place::Rules, &mut made, &mut errors);
                }
            });
        }
        kinds(&mut shared, old)
    };
    {
        let mut shared = Shared {
            scope: &scope,
            kinds: &kinds,
            titles: &mut codes,
        };
        for item in &scope.items {
            lower_item(&mut shared, item, Place::Action, &mut made, &mut errors);
        }
        let start = start_function(&mut shared, &mut errors);
        made.push((shared.titles.number("@start"), start));
    }
    scope.codes = codes.clone();
    let start = codes.get("@start");
    let mut program = Program {
        language: "gridlok",
        functions: old.map_or_else(Vec::new, |o| {
            o.functions
                .iter()
                .take(Scope::of(o).codes.count())
                .cloned()
                .collect()
        }),
        globals: Rc::new(globals(&scope)),
        kinds: Rc::new(kinds),
        owners: Rc::new(owners(&scope, old)),
        arithmetic: crate::code::Arithmetic::Checked32,
        cells: Cells {
            own: Some(("pieceRow", "pieceCol")),
            ..Cells::default()
        },
        start,
        play: None,
        board: None,
        write: show::write,
        read: |_, _, _, _| Err("GridLok asks nothing".into()),
        locate: |_, _, _| None,
        scope: Rc::new(()),
    };
    forget_old_bodies(&mut program, &scope, &codes);
    codes.fill(&mut program, placeholder);
    for (id, function) in made {
        let slot = &mut program.functions[id.0 as usize];
        if **slot != function {
            *slot = Rc::new(function);
        }
    }
    program.scope = Rc::new(scope);
    (program, errors)
}

/// A handler that its piece no longer has is there no more.
fn forget_old_bodies(program: &mut Program, scope: &Scope, codes: &Titles) {
    let live: HashSet<String> = scope
        .items
        .iter()
        .flat_map(|i| bodies(i))
        .map(|(title, _)| title)
        .collect();
    for (title, id) in codes.iter() {
        if !title.starts_with('@')
            && !live.contains(title)
            && let Some(slot) = program.functions.get_mut(id.0 as usize)
        {
            *slot = Rc::new(placeholder(title));
        }
    }
}

/// What stands for a function until it is defined: it does nothing where one may be missing, and else says that it is.
pub(super) fn placeholder(title: &str) -> Function {
    let span = Span::default();
    // It stands nowhere in the text: whoever calls it is to be pointed at.
    let mut b = Builder::new(Text::new(title), Role::Rules, 0, span);
    let optional = matches!(
        title,
        "setup" | "winCondition" | "loseCondition" | "drawCondition"
    );
    if !optional {
        let k = b.text(&format!("`{title}` is not defined"));
        b.emit(
            Instr::Fail {
                k,
                a: 0,
                with: false,
            },
            span,
        );
    }
    b.finish()
}

fn lower_item(
    shared: &mut Shared,
    item: &Item,
    place: Place,
    made: &mut Vec<(FunctionId, Function)>,
    errors: &mut Vec<Diagnostic>,
) {
    for (title, block) in bodies(item) {
        let (role, place) = match (&item.kind, place) {
            (_, Place::Rules) => (Role::Rules, Place::Rules),
            (ItemKind::Function(_), _) => (Role::Function, Place::Function),
            (ItemKind::Setup(_), _) => (Role::Setup, Place::Setup),
            (ItemKind::Condition(..), _) => (Role::Condition, Place::Action),
            _ => (Role::Handler, Place::Action),
        };
        let names: Vec<&str> = match &item.kind {
            ItemKind::Function(f) => f.parameters.iter().map(|p| p.text.as_str()).collect(),
            _ => Vec::new(),
        };
        let mut body = Body::new(shared, &title, role, place, &names, item.span);
        let kind = match role {
            Role::Condition => StopKind::Condition,
            Role::Handler => StopKind::Handler,
            // The end of a turn, for those who wait for it.
            Role::Rules if title == "@nextTurn" => StopKind::Turn,
            _ => StopKind::Statement,
        };
        body.b.stop(kind, block.span);
        body.block(block);
        let function = finish(body, errors);
        made.push((shared.titles.number(&title), function));
    }
}

/// The kinds of pieces, with the numbers they had.
fn kinds(shared: &mut Shared, old: Option<&Program>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = old.map_or_else(Vec::new, |o| o.kinds.to_vec());
    for item in &shared.scope.items {
        let ItemKind::Piece(piece) = &item.kind else {
            continue;
        };
        let Some(name) = &piece.name else { continue };
        let mut handler = |event: &str, there: bool| {
            there.then(|| shared.titles.number(&format!("{}.{event}", name.text)))
        };
        let turn = piece
            .on_turn
            .as_ref()
            .is_some_and(|h| !h.body.statements.is_empty());
        let mut handlers = [None, None];
        handlers[Event::Click as usize] = handler("onClick", piece.on_click.is_some());
        handlers[Event::Turn as usize] = handler("onTurn", turn);
        let hides = [&piece.on_click, &piece.on_turn]
            .into_iter()
            .flatten()
            .any(|h| sets_visible(&h.body));
        let kind = Kind {
            name: Text::new(&name.text),
            visible: !hides,
            handlers,
            span: item.span,
        };
        match kinds.iter().position(|k| k.name == kind.name) {
            Some(known) => kinds[known] = kind,
            None if kinds.len() < Piece::MAX_KIND as usize => kinds.push(kind),
            None => {}
        }
    }
    kinds
}

/// Whether a body says `visible{…}` itself.
fn sets_visible(block: &Block) -> bool {
    block.statements.iter().any(|s| match &s.kind {
        StatementKind::Braces(name, _) => name.text == "visible",
        StatementKind::If { arms, otherwise } => {
            arms.iter().any(|(_, b)| sets_visible(b))
                || otherwise.as_ref().is_some_and(sets_visible)
        }
        StatementKind::For(_, b) => sets_visible(b),
        _ => false,
    })
}

fn globals(scope: &Scope) -> Vec<Global> {
    let rules = RULE_VARIABLES.iter().map(|(name, _)| Global {
        name: Text::new(name),
        own: false,
        span: Span::default(),
    });
    let mut globals: Vec<Global> = rules.collect();
    for item in &scope.items {
        if let ItemKind::Def(def) = &item.kind
            && let Some(variable) = scope.variables.get(&def.name.text)
        {
            let at = variable.global as usize;
            let nobody = Global {
                name: Text::new(""),
                own: false,
                span: Span::default(),
            };
            globals.resize(globals.len().max(at + 1), nobody);
            globals[at] = Global {
                name: Text::new(&def.name.text),
                own: true,
                span: item.span,
            };
        }
    }
    globals
}

fn owners(scope: &Scope, old: Option<&Program>) -> Vec<Text> {
    let mut owners = old.map_or_else(|| vec![Text::new("")], |o| o.owners.to_vec());
    for item in &scope.items {
        if let ItemKind::Players(players) = &item.kind {
            for player in players {
                let name = Text::new(&player.text);
                if !owners.contains(&name) && owners.len() < Piece::MAX_OWNER as usize {
                    owners.push(name);
                }
            }
        }
    }
    owners
}

/// Starts the game: every variable, the board, the players, then setup.
fn start_function(shared: &mut Shared, errors: &mut Vec<Diagnostic>) -> Function {
    let items = shared.scope.items.clone();
    let runs_setup = shared.scope.set_up;
    let mut body = Body::new(
        shared,
        "start",
        Role::Setup,
        Place::Rules,
        &[],
        Span::default(),
    );
    body.place = Place::Entry;
    let dst = body.b.register();
    for (global, (name, kind)) in RULE_VARIABLES.iter().enumerate() {
        let span = Span::default();
        match kind {
            Some(Type::List) => body.b.emit(
                Instr::List {
                    dst,
                    first: dst,
                    count: 0,
                },
                span,
            ),
            _ => {
                let value = match kind {
                    Some(Type::Bool) => Value::FALSE,
                    Some(Type::Text) => Value::text(Text::new("")),
                    _ => Value::int(0),
                };
                let k = body.b.constant(value);
                body.b.emit(Instr::Constant { dst, k }, span)
            }
        };
        debug_assert!(!name.is_empty());
        body.b.emit(
            Instr::SetGlobal {
                global: global as u32,
                src: dst,
            },
            span,
        );
    }
    for item in &items {
        body.item(item, false, false);
    }
    // Whose turn it is comes of the last of these.
    let seats = |i: &&Rc<Item>| matches!(i.kind, ItemKind::Players(_) | ItemKind::TurnOrder(_));
    let seated = items.iter().rev().find(seats).map(|i| i.span);
    if let Some(span) = seated {
        body.statement_stop(span);
    }
    body.rule("@seatPlayers", &[], seated.unwrap_or_default());
    if runs_setup {
        body.rule("@begin", &[], Span::default());
    }
    finish(body, errors)
}
