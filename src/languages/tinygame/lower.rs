//! From syntax tree to code. A game is one function, from its first line to its last; what is typed becomes another.

mod statement;
mod value;

use super::ast::{Entry, Item, Question};
use super::check::{Checked, Env};
use super::scope::Scope;
use super::show;
use crate::code::{
    Arithmetic, Builder, CellStyle, Cells, Function, FunctionId, Instr, Program, Role,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::source::{Source, Span};
use crate::value::{Text, Value};
use std::rc::Rc;

/// The function that plays the game from its start.
const GAME: FunctionId = FunctionId(0);
/// The function of what was typed last.
const TYPED: FunctionId = FunctionId(1);

/// One function on its way to code.
struct Body<'s> {
    scope: &'s Scope,
    b: Builder,
}

pub fn blank() -> Program {
    let scope = Scope::default();
    let game = Body::new(&scope, "game", Role::Setup, Span::default())
        .b
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
    scope.number_properties();
    let game = game(&scope, span)?;
    let program = program(scope, game);
    Ok(Compiled {
        program,
        run: Some(GAME),
        answers: false,
        warnings: Vec::new(),
        said: Vec::new(),
        fresh: true,
    })
}

/// What was typed at the prompt, with what the checker found.
pub fn entry(
    entry: Entry,
    checked: Checked,
    span: Span,
    old: &Program,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope::of(old);
    let mut said = Vec::new();
    let declared: Vec<Item> = match &entry {
        Entry::Game(items) => items
            .iter()
            .filter(|i| matches!(i, Item::Entity(_)))
            .cloned()
            .collect(),
        Entry::Question(_) => Vec::new(),
    };
    let mut program = old.clone();
    if !declared.is_empty() {
        scope.env = checked.env;
        scope.number_properties();
        for item in declared {
            if let Item::Entity(e) = &item {
                said.push(format!("declared {} {}", e.role.word(), e.name.text));
            }
            scope.declare(Rc::new(item));
        }
        program = changed(&scope, old)?;
    }
    let mut body = Body::new(&scope, "entry", Role::Entry, span);
    let answers = body.entry(&entry);
    let typed = finish(body)?;
    Ok(Compiled {
        program: with(program, typed),
        run: Some(TYPED),
        answers,
        warnings: checked.diagnostics,
        said,
        fresh: false,
    })
}

/// `:forget hero`
pub fn forget(source: &Source, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope::of(old);
    let (name, span) = word_after_command(source);
    let Some(entity) = scope.env.get(name).cloned() else {
        return Err(vec![nobody(name, span, &scope)]);
    };
    if let Some(user) = scope.user_of(name) {
        let message = format!(
            "{name} cannot be forgotten: the declaration of {} names it",
            user.name
        );
        let told = Diagnostic::error(Phase::Check, "TG111", span, message)
            .related(user.span, "declared here");
        return Err(vec![told.note(format!("`:forget {}` first", user.name))]);
    }
    scope.env.forget(name);
    let before = scope.beginning().len();
    scope.forgot = true;
    let mut said = vec![format!("forgot {} {name}", entity.role.word())];
    if scope.beginning().len() + 1 < before {
        said.push(format!(
            "statements that name {name} are left out at the next :restart"
        ));
    }
    let mut body = Body::new(&scope, "entry", Role::Entry, span);
    let src = body.b.register();
    let k = body.b.constant(Value::NOTHING);
    body.b.emit(Instr::Constant { dst: src, k }, span);
    for property in &entity.properties {
        if let Some(global) = scope.slot(name, property) {
            body.b.emit(Instr::SetGlobal { global, src }, span);
        }
    }
    let typed = finish(body)?;
    let program = with(changed(&scope, old)?, typed);
    Ok(Compiled {
        program,
        run: Some(TYPED),
        answers: false,
        warnings: Vec::new(),
        said,
        fresh: false,
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
        kinds: Rc::default(),
        owners: Rc::new(vec![Text::new("")]),
        arithmetic: Arithmetic::Checked64,
        cells: Cells {
            style: CellStyle::Point,
            drawn: true,
            own: None,
        },
        start: Some(GAME),
        play: None,
        board: None,
        write: show::write,
        read: |_, _, _, _| Err("TinyGame asks nothing".into()),
        locate: |_, _, _| None,
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
    let mut body = Body::new(scope, "game", Role::Setup, span);
    body.b.emit(Instr::BeginAction, span);
    for item in scope.beginning() {
        body.item(&item);
    }
    finish(body)
}

fn finish(body: Body) -> Result<Function, Vec<Diagnostic>> {
    let too_large = body.b.is_too_large();
    let function = body.b.finish();
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

impl<'s> Body<'s> {
    fn new(scope: &'s Scope, title: &str, role: Role, span: Span) -> Body<'s> {
        Body {
            scope,
            b: Builder::new(Text::new(title), role, 0, span),
        }
    }

    /// Says whether the value is the answer.
    fn entry(&mut self, entry: &Entry) -> bool {
        match entry {
            Entry::Game(items) => {
                if let Some(first) = items.first() {
                    self.b.emit(Instr::BeginAction, first.span());
                }
                items.iter().for_each(|item| self.item(item));
                false
            }
            Entry::Question(Question::Value(value)) => {
                self.answer(value);
                true
            }
            Entry::Question(Question::Truth(condition)) => {
                self.answer_truth(condition);
                true
            }
        }
    }
}
