//! What is typed at the prompt: statements, definitions that replace others, and the command that plays a turn.

use super::link::{assemble, finished, is_declaration, small_enough, undefined};
use super::{Body, Shared, short};
use crate::code::{Builder, Function, FunctionId, Instr, Program, Reg, Role};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope};
use crate::languages::gridlang::check::{Checked, check};
use crate::languages::gridlang::code;
use crate::languages::gridlang::env::{Env, Frame};
use crate::languages::gridlang::parse::{Start, parse};
use crate::languages::gridlang::scope::{Hidden, Scope, field};
use crate::languages::gridlang::typed::{self, Attribute, Expr, Routine, Stmt, StmtKind, Type};
use crate::languages::gridlang::{ast, show};
use crate::source::{Source, Span};
use crate::value::{Text, Value};
use std::rc::Rc;
use std::sync::Arc;

/// What an entry does, in the order in which it does it.
struct Plan {
    /// Variables that are new, or of another type than before.
    begins: Vec<Arc<str>>,
    makes: Vec<Arc<str>>,
    /// Attributes that pieces must be given, by kind.
    refits: Vec<(Arc<str>, Attribute)>,
    run: Routine,
    layout: bool,
}

pub fn entry(
    source: &Source,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let text = source.text.trim();
    if let Some(command) = text.strip_prefix(':') {
        return self::command(command.trim(), source.whole(), old, frame);
    }
    let tree = parse(source, Start::Entry)?;
    let before = Scope::of(old);
    let seen = frame.map(|f| frame_of(f, &before));
    let checked = check(&tree, &before.env, seen.as_ref())?;
    let defines = defines(&tree, &checked, &before.env);
    let Checked {
        env,
        mut game,
        run,
        makes,
        warnings,
    } = checked;
    let new_layout = game.layout.take();
    let layout = new_layout.is_some() && !before.laid_out;
    let said = said(&tree, &before.env, layout);
    let mut scope = before.clone();
    if defines {
        scope.env = Rc::new(env);
        scope.game = Rc::new(game);
        scope.layout = new_layout.map(Rc::new).or(scope.layout);
        remember(&mut scope, &run, &makes, frame.is_some());
        scope.laid_out |= layout;
        scope.number();
    }
    let plan = Plan {
        begins: begins(&before, &scope),
        refits: refits(&before, &scope),
        makes,
        run,
        layout,
    };
    let answers = answer(&plan.run).is_some();
    let program = if defines {
        assemble(scope, Some(old))
    } else {
        old.clone()
    };
    let program = with_entry(program, |shared| {
        entry_function(shared, &plan, frame, source.whole())
    })?;
    let run = Some(FunctionId(program.functions.len() as u32 - 1));
    Ok(Compiled {
        program,
        run,
        answers,
        warnings,
        said,
        fresh: false,
    })
}

/// The frame of a stop, as the checker sees it.
fn frame_of(frame: &FrameScope, scope: &Scope) -> Frame {
    let routine = frame.function.and_then(|id| scope.routine(id));
    let typed = |register: Reg| {
        routine
            .and_then(|r| r.locals.get(register as usize))
            .map(|l| l.ty.clone())
    };
    let locals = frame.locals.iter().enumerate();
    let locals = locals.filter_map(|(n, l)| Some((l.name.as_str().into(), typed(l.register)?, n)));
    Frame {
        role: routine.map_or(typed::Role::Entry, |r| r.role),
        locals: locals.collect(),
    }
}

/// Whether an entry leaves anything behind but values.
fn defines(tree: &ast::Ast, checked: &Checked, before: &Env) -> bool {
    let declares = |line: &ast::Line| match line {
        ast::Line::Definition(_) => true,
        ast::Line::Import(_) => false,
        ast::Line::Statement(s) => matches!(s.kind, ast::StmtKind::Declare { .. }),
    };
    tree.lines.iter().any(declares)
        || !checked.makes.is_empty()
        || checked.env.player_types != before.player_types
        || checked.env.with_instances != before.with_instances
}

/// What the entry declares is declared again when the game starts anew, unless it depends on a stopped frame.
fn remember(scope: &mut Scope, run: &Routine, makes: &[Arc<str>], stopped: bool) {
    scope.makes.extend(
        makes
            .iter()
            .filter(|m| !scope.makes.contains(m))
            .cloned()
            .collect::<Vec<_>>(),
    );
    if stopped {
        return;
    }
    // Layout may use what was declared before it ran.
    let list = if scope.laid_out {
        &mut scope.after
    } else {
        &mut scope.before
    };
    for statement in run.body.iter().filter(|s| is_declaration(s)) {
        list.retain(|old| declared(old) != declared(statement));
        list.push(statement.clone());
    }
}

fn declared(statement: &Stmt) -> Option<&Arc<str>> {
    match &statement.kind {
        StmtKind::Declare { name, .. } => Some(name),
        _ => None,
    }
}

fn begins(before: &Scope, after: &Scope) -> Vec<Arc<str>> {
    let changed = |(name, global): &(&Arc<str>, &crate::languages::gridlang::env::Global)| {
        before
            .env
            .globals
            .get(*name)
            .is_none_or(|old| old.ty != global.ty)
    };
    after
        .env
        .globals
        .iter()
        .filter(changed)
        .map(|(name, _)| name.clone())
        .collect()
}

/// Attributes that are new, or of another type than before.
fn refits(before: &Scope, after: &Scope) -> Vec<(Arc<str>, Attribute)> {
    if Rc::ptr_eq(&before.game, &after.game) {
        return Vec::new();
    }
    let all = |scope: &Scope| -> Vec<(Arc<str>, Attribute)> {
        let players = scope
            .game
            .player
            .iter()
            .map(|a| ("Player".into(), a.clone()));
        let items = scope
            .game
            .items
            .iter()
            .flat_map(|k| k.attributes.iter().map(|a| (k.name.clone(), a.clone())));
        players.chain(items).collect()
    };
    let old = all(before);
    let known = |kind: &str, new: &Attribute| {
        let same = |a: &Attribute| a.name == new.name && a.player_type == new.player_type;
        old.iter()
            .any(|(k, a)| &**k == kind && same(a) && a.ty == new.ty && a.sizes == new.sizes)
    };
    all(after)
        .into_iter()
        .filter(|(kind, attribute)| !known(kind, attribute))
        .collect()
}

/// `replaced bishop.checkMove`.
fn said(tree: &ast::Ast, before: &Env, runs: bool) -> Vec<String> {
    let mut said = Vec::new();
    for line in &tree.lines {
        let ast::Line::Definition(definition) = line else {
            continue;
        };
        let (name, replaced) = show::heading(definition, before);
        let verb = if replaced { "replaced" } else { "defined" };
        let later = matches!(definition, ast::Definition::Layout(_)) && !runs;
        let when = if later {
            ": it runs at the next :restart"
        } else {
            ""
        };
        said.push(format!("{verb} {name}{when}"));
    }
    said
}

/// The expression that is the whole entry, if its value is the answer.
fn answer(run: &Routine) -> Option<&Expr> {
    match &run.body[..] {
        [
            Stmt {
                kind: StmtKind::Evaluate(e),
                ..
            },
        ] if e.ty != Type::Void => Some(e),
        _ => None,
    }
}

/// The program with one more function, which is not kept by the next entry.
fn with_entry(
    mut program: Program,
    write: impl FnOnce(&mut Shared) -> Function,
) -> Result<Program, Vec<Diagnostic>> {
    let scope = Scope::of(&program);
    let mut codes = scope.codes.clone();
    let function = write(&mut Shared {
        scope: &scope,
        titles: &mut codes,
    });
    program.functions.truncate(scope.codes.count());
    codes.fill(&mut program, undefined);
    program.functions.push(Rc::new(function));
    small_enough(&program)?;
    Ok(program)
}

fn entry_function(
    shared: &mut Shared,
    plan: &Plan,
    frame: Option<&FrameScope>,
    span: Span,
) -> Function {
    let mut body = entry_body(shared, &plan.run, frame, span);
    plan.begins.iter().for_each(|name| body.begin_global(name));
    let outer = body.begin_entry();
    plan.makes.iter().for_each(|name| body.make_global(name));
    body.refit(&plan.refits);
    let exit = body.open_exit(span);
    if let Some(e) = answer(&plan.run) {
        body.b.stop(crate::code::StopKind::Statement, e.span);
        let src = body.expr(e);
        body.put(Hidden::Exit, outer);
        body.b.emit(Instr::Return { src }, e.span);
    }
    if answer(&plan.run).is_none() {
        body.statements(&plan.run.body);
    }
    if plan.layout {
        body.call("Layout", &[]);
    }
    body.b.land(exit);
    body.end_entry(outer, frame.is_some());
    finished(body.b)
}

/// The registers of the stopped frame come first, then the entry's own.
fn entry_body<'a, 's>(
    shared: &'a mut Shared<'s>,
    run: &Routine,
    frame: Option<&FrameScope>,
    span: Span,
) -> Body<'a, 's> {
    let locals = frame.map_or(&[][..], |f| &f.locals);
    let mut b = Builder::new(Text::new("entry"), Role::Entry, locals.len() as u16, span);
    for (register, local) in locals.iter().enumerate() {
        b.local(local.name, register as Reg);
    }
    let first = b.registers(short(run.locals.len()));
    let (name, role) = ("entry".into(), typed::Role::Entry);
    Body {
        shared,
        b,
        role,
        name,
        result: Type::Void,
        first,
        parameters: 0,
        span,
    }
}

impl Body<'_, '_> {
    /// Where the end of the game led before the entry: to be put back.
    fn begin_entry(&mut self) -> Reg {
        self.get(Hidden::Exit)
    }

    fn end_entry(&mut self, outer: Reg, stopped: bool) {
        self.put(Hidden::Exit, outer);
        if !stopped {
            // When the game is over, p stays the one who played last.
            let over = self.get(Hidden::Over);
            self.unless(over, |r| r.call("@sit", &[]));
        }
    }

    /// Pieces that are already there get the attributes that their block now has.
    fn refit(&mut self, refits: &[(Arc<str>, Attribute)]) {
        if refits.is_empty() {
            return;
        }
        let width = self.shared.scope.width();
        let pieces = self.get(Hidden::Pieces);
        self.each(pieces, |r, piece| {
            r.emit(Instr::Extend {
                of: piece,
                count: width,
            });
            for (kind, attribute) in refits {
                let (found, word) = (r.field(piece, field::KIND), r.word(kind));
                let is = r.same(found, word);
                r.when(is, |r| match &attribute.player_type {
                    None => r.begin_attribute(piece, attribute),
                    Some(ty) => {
                        let (found, word) = (r.field(piece, field::TYPE), r.word(ty));
                        let is = r.same(found, word);
                        r.when(is, |r| r.begin_attribute(piece, attribute));
                    }
                });
            }
        });
    }

    /// So many turns, as long as the game is not over.
    fn turns(&mut self, count: i32) {
        let outer = self.begin_entry();
        let exit = self.open_exit(self.span);
        let n = self.value(Value::int(count));
        self.count(n, |r, _| {
            let over = r.get(Hidden::Over);
            r.unless(over, |r| r.call("@turn", &[]));
        });
        self.b.land(exit);
        self.put(Hidden::Exit, outer);
    }
}

/// `:turn`, `:turn 3`.
fn command(
    text: &str,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let refuse = |message: String, note: &str| {
        Err(vec![
            Diagnostic::error(Phase::Check, code::COMMAND, span, message).note(note),
        ])
    };
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let count = if rest.trim().is_empty() {
        Some(1)
    } else {
        rest.trim().parse().ok().filter(|n| *n > 0)
    };
    let Some(count) = count.filter(|_| word == "turn") else {
        return refuse(
            format!("`:{text}` says nothing here"),
            "`:turn` plays a turn, `:turn 3` three of them",
        );
    };
    if frame.is_some() {
        return refuse(
            "a turn is being played already".into(),
            "`:continue` plays it to its end",
        );
    }
    if Scope::of(old).game.game_loop.is_none() {
        return refuse(
            "there is no gameLoop: it is what a turn does".into(),
            "define it: `gameLoop() { … }`",
        );
    }
    let program = with_entry(old.clone(), |shared| {
        let mut body = Body {
            b: Builder::new(Text::new("turn"), Role::Entry, 0, span),
            role: typed::Role::Entry,
            name: "turn".into(),
            result: Type::Void,
            first: 0,
            parameters: 0,
            span,
            shared,
        };
        let over = body.get(Hidden::Over);
        body.when(over, |r| {
            let k =
                r.b.text("the game is over: no turn is played; `:restart` begins it anew");
            r.emit(Instr::Warn { k });
        });
        body.turns(count);
        finished(body.b)
    })?;
    let run = Some(FunctionId(program.functions.len() as u32 - 1));
    Ok(Compiled {
        program,
        run,
        answers: false,
        warnings: Vec::new(),
        said: Vec::new(),
        fresh: false,
    })
}
