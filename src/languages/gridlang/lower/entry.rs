//! Lowers entries: statements, (re)definitions and the command `:turn`.

use super::link::{assemble, extend};
use super::routine::undefined_stub;
use super::{Lowerer, ProgramContext, saturating_u16};
use crate::ast::{self, Lifecycle};
use crate::check::env::{Env, StoppedFrame};
use crate::check::errors;
use crate::check::hir::{self, Attribute, Expr, Routine, StmtKind, Type};
use crate::check::{Change, check};
use crate::code::{Builder, Function, FunctionKind, Instr, Program, Reg, StopKind};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope, ParsedEntry};
use crate::lower::scope::{DeclarationConflict, RuleVariable, Scope, field};
use crate::source::{Source, Span};
use crate::value::InternedStr;
use std::rc::Rc;
use std::sync::Arc;

/// The steps of an entry, in order of execution.
struct Plan {
    /// Globals to initialize: new ones, and those whose type has changed.
    init_globals: Vec<Arc<str>>,
    implicit_pieces: Vec<Arc<str>>,
    /// New attributes to add to existing pieces, by kind.
    new_attributes: Vec<(Arc<str>, Attribute)>,
    run: Routine,
    /// True if a new `Layout` has to run.
    runs_layout: bool,
}

/// Compiles an entry.
pub fn lower_entry(
    entry: ParsedEntry,
    source: &Source,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let text = source.text.trim();
    if let Some(command) = text.strip_prefix(':') {
        return lower_command(command.trim(), source.full_span(), old, frame);
    }
    let tree = entry.into_tree()?;
    let before = Scope::of(old);
    let stopped = frame.map(|f| stopped_frame(f, &before));
    let checked = check(source, &tree, &before.env, &before.game, stopped.as_ref())?;
    let (change, declared) = (checked.change, checked.declared_globals);
    let runs_layout = checked.layout.is_some() && !before.has_run_layout;
    let messages = confirmations(&tree, &before.env, runs_layout);
    let mut shared = before.clone();
    if !matches!(change, Change::None) {
        let scope = Rc::make_mut(&mut shared);
        scope.env = Rc::new(checked.env);
        scope.game = checked.game;
        scope.assign_global_slots(&declared);
        let implicit_pieces = &checked.implicit_pieces;
        store_declarations(scope, &checked.run, implicit_pieces, frame.is_some())?;
    }
    if matches!(change, Change::Any) {
        let scope = Rc::make_mut(&mut shared);
        if let Some(layout) = checked.layout {
            scope.set_layout(Rc::new(layout));
        }
        scope.has_run_layout |= runs_layout;
        scope.assign_attribute_slots();
    }
    let scope = shared;
    let plan = Plan {
        init_globals: globals_to_init(&declared, &before, &scope),
        new_attributes: new_attributes(&before, &scope),
        implicit_pieces: checked.implicit_pieces,
        run: checked.run,
        runs_layout,
    };
    let program = match change {
        Change::None => old.clone(),
        Change::Own(routines) => extend(Rc::unwrap_or_clone(scope), &routines, &declared, old),
        Change::Any => assemble(Rc::unwrap_or_clone(scope), Some(old)),
    };
    let compiled = with_entry(program, old, |context| {
        entry_function(context, &plan, frame, source.full_span())
    })?;
    Ok(Compiled {
        is_expression: result_expr(&plan.run).is_some(),
        warnings: checked.warnings,
        messages,
        ..compiled
    })
}

/// Converts a stopped frame for the checker, adding the types of its locals.
fn stopped_frame(frame: &FrameScope, scope: &Scope) -> StoppedFrame {
    let declaring = match &frame.outer {
        Some(outer) => Some(outer.function),
        None => frame.function,
    };
    let routine = declaring.and_then(|id| scope.routine(id));
    let type_of = |register: Reg| {
        let declared = match &frame.outer {
            Some(outer) => *outer.registers.get(usize::from(register))?,
            None => register,
        };
        let local = routine?.locals.get(usize::from(declared))?;
        Some(local.ty.clone())
    };
    let locals = frame.locals.iter().enumerate();
    let locals =
        locals.filter_map(|(n, l)| Some((l.name.as_str().into(), type_of(l.register)?, n)));
    StoppedFrame {
        locals: locals.collect(),
    }
}

/// Stores the declarations of an entry, so that a restart repeats them. Those typed at a stop may
/// depend on its frame and are not repeated.
fn store_declarations(
    scope: &mut Scope,
    run: &Routine,
    implicit_pieces: &[Arc<str>],
    is_stopped: bool,
) -> Result<(), Vec<Diagnostic>> {
    for name in implicit_pieces {
        if !scope.implicit_pieces.iter().any(|known| known == name) {
            scope.implicit_pieces.push(name.clone());
        }
    }
    if is_stopped {
        return Ok(());
    }
    for statement in &run.body {
        if let Err(conflict) = scope.declare(statement)
            && let StmtKind::Declare { name, span, .. } = &statement.kind
        {
            return Err(vec![conflict_error(name, &conflict, *span)]);
        }
    }
    Ok(())
}

/// A variable that is declared again in a way that a file could not contain.
fn conflict_error(name: &str, conflict: &DeclarationConflict, span: Span) -> Diagnostic {
    let error = |code, message: String| Diagnostic::error(Phase::Check, code, span, message);
    let assign = format!("to change the variable, write `{name} = …`");
    match conflict {
        DeclarationConflict::InLayout => {
            let message = format!("`{name}` is declared in `Layout`");
            error(errors::DUPLICATE_DEFINITION, message).note(format!(
                "{assign}; to declare it otherwise, type `Layout` again"
            ))
        }
        DeclarationConflict::UsedBy(user) if **user == *name => {
            let message = format!("the declaration of `{name}` cannot use `{name}`");
            error(errors::USED_BEFORE_DECLARATION, message).note(assign)
        }
        DeclarationConflict::UsedBy(user) => {
            let message = format!("`{name}` cannot use what is declared after `{user}`");
            error(errors::USED_BEFORE_DECLARATION, message)
                .note(format!("the declaration of `{user}` uses `{name}`"))
        }
    }
}

/// The declared globals that are new or whose type has changed.
fn globals_to_init(declared: &[Arc<str>], before: &Scope, after: &Scope) -> Vec<Arc<str>> {
    let ty = |scope: &Scope, name: &Arc<str>| Some(scope.env.globals.get(name)?.ty.clone());
    let is_new_or_changed = |name: &&Arc<str>| ty(before, name) != ty(after, name);
    declared.iter().filter(is_new_or_changed).cloned().collect()
}

/// The attributes that are new or whose type has changed.
fn new_attributes(before: &Scope, after: &Scope) -> Vec<(Arc<str>, Attribute)> {
    if Rc::ptr_eq(&before.game, &after.game) {
        return Vec::new();
    }
    let is_new = |&(kind, new): &(&str, &Attribute)| {
        let is_same = |(old_kind, old): (&str, &Attribute)| {
            old_kind == kind
                && (&old.name, &old.player_type) == (&new.name, &new.player_type)
                && (&old.ty, &old.sizes) == (&new.ty, &new.sizes)
        };
        !before.game.attributes().any(is_same)
    };
    let new = after.game.attributes().filter(is_new);
    new.map(|(kind, attribute)| (kind.into(), attribute.clone()))
        .collect()
}

/// Confirmations such as `replaced bishop.checkMove`.
fn confirmations(tree: &ast::Ast, before: &Env, runs_layout: bool) -> Vec<String> {
    let mut env = before.clone();
    let confirmation = |definition: &ast::Definition| {
        let verb = match env.define(definition) {
            true => "replaced",
            false => "defined",
        };
        let is_later = matches!(definition, ast::Definition::Layout(_)) && !runs_layout;
        let when = match is_later {
            true => "; it runs at the next :restart",
            false => "",
        };
        format!("{verb} {}{when}", env.title(definition))
    };
    tree.definitions().map(confirmation).collect()
}

/// The expression whose value is the result of the entry, if the entry is a single expression.
fn result_expr(run: &Routine) -> Option<&Expr> {
    let [statement] = &run.body[..] else {
        return None;
    };
    match &statement.kind {
        StmtKind::Expr(e) if e.ty != Type::Void => Some(e),
        _ => None,
    }
}

/// Adds the function of an entry to the program; the next entry replaces it.
fn with_entry(
    mut program: Program,
    old: &Program,
    lower: impl FnOnce(&mut ProgramContext) -> Function,
) -> Result<Compiled, Vec<Diagnostic>> {
    let scope = Scope::of(&program);
    let mut symbols = scope.symbols.clone();
    let function = lower(&mut ProgramContext {
        scope: &scope,
        symbols: &mut symbols,
    });
    let entry_point = program.link_entry(&symbols, function, undefined_stub);
    Compiled::entry(Some(entry_point), program, old)
}

fn entry_function(
    context: &mut ProgramContext,
    plan: &Plan,
    frame: Option<&FrameScope>,
    span: Span,
) -> Function {
    let mut body = entry_body(context, &plan.run, frame, span);
    plan.init_globals
        .iter()
        .for_each(|name| body.init_global(name, span));
    // The exit target of an enclosing run, restored at the end.
    let outer_exit = body.load_rule_var(RuleVariable::ExitTarget, span);
    plan.implicit_pieces
        .iter()
        .for_each(|name| body.make_implicit_piece(name, span));
    body.add_attributes(&plan.new_attributes, span);
    let exit = body.set_exit_target(span);
    if let Some(e) = result_expr(&plan.run) {
        body.builder.stop_point(StopKind::Statement, e.span);
        let src = body.lower_expr(e);
        body.store_rule_var(RuleVariable::ExitTarget, outer_exit, span);
        body.builder.emit(Instr::Return { src }, e.span);
    } else {
        body.statements(&plan.run.body);
    }
    if plan.runs_layout {
        body.call_at("Layout", &[], span);
    }
    body.builder.patch_here(exit);
    // What follows belongs to no statement.
    let span = Span::default();
    body.store_rule_var(RuleVariable::ExitTarget, outer_exit, span);
    if frame.is_none() {
        body.call_at("@afterEntry", &[], span);
    }
    body.builder.finish()
}

/// Starts the function of an entry. Its first registers are the locals of the stopped frame.
fn entry_body<'a, 's>(
    context: &'a mut ProgramContext<'s>,
    run: &Routine,
    frame: Option<&FrameScope>,
    span: Span,
) -> Lowerer<'a, 's> {
    let locals = frame.map_or(&[][..], |f| &f.locals);
    let (name, count) = (InternedStr::new("entry"), locals.len() as u16);
    let mut builder = Builder::new(name, FunctionKind::Entry, count, span);
    for (register, local) in locals.iter().enumerate() {
        builder.begin_local(local.name, register as Reg);
    }
    let first_local = builder.alloc_registers(saturating_u16(run.locals.len()));
    Lowerer {
        first_local,
        ..Lowerer::new(context, "entry", hir::RoutineKind::Entry, builder)
    }
}

impl Lowerer<'_, '_> {
    /// Adds new attributes to existing pieces.
    fn add_attributes(&mut self, new_attributes: &[(Arc<str>, Attribute)], span: Span) {
        if new_attributes.is_empty() {
            return;
        }
        let count = self.context.scope.field_count();
        let base = self.builder.alloc_registers(3);
        let (global, piece) = (RuleVariable::Pieces as u32, base + 2);
        self.builder.emit_get_global(base, global, span);
        let start = Instr::ItemsStart { base, to: 0 };
        let skip_loop = self.builder.emit_jump(start, span);
        let top = self.builder.next_pc();
        self.builder
            .emit(Instr::ExtendRecord { of: piece, count }, span);
        for (kind, attribute) in new_attributes {
            let mut no_match = vec![self.jump_unless_field(piece, field::KIND, kind)];
            if let Some(ty) = &attribute.player_type {
                no_match.push(self.jump_unless_field(piece, field::TYPE, ty));
            }
            self.init_attribute(piece, attribute);
            self.builder.patch_all_here(no_match);
        }
        self.builder.emit(Instr::ItemsNext { base, to: top }, span);
        self.builder.patch_here(skip_loop);
    }
}

/// Compiles `:turn` or `:turn 3`.
fn lower_command(
    text: &str,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let error = |message: &str, note: &str| {
        let code = errors::COMMAND_UNAVAILABLE;
        let error = Diagnostic::error(Phase::Check, code, span, message);
        Err(vec![error.note(note)])
    };
    let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let count = match rest.trim() {
        "" => Some(1),
        count => count.parse().ok().filter(|n| *n > 0),
    };
    let Some(count) = count.filter(|_| command == "turn") else {
        let message = format!("invalid command `:{text}`");
        return error(&message, "`:turn` plays one turn, `:turn 3` plays three");
    };
    if frame.is_some() {
        return error("a turn is already being played", "`:continue` finishes it");
    }
    if !Scope::of(old)
        .game
        .blocks
        .contains_key(&Lifecycle::GameLoop)
    {
        let message = "no `gameLoop` is defined, so there is no turn to play";
        return error(message, "define it: `gameLoop() { … }`");
    }
    with_entry(old.clone(), old, |context| {
        let builder = Builder::new(InternedStr::new("turn"), FunctionKind::Entry, 0, span);
        let mut body = Lowerer::new(context, "turn", hir::RoutineKind::Entry, builder);
        let turns = body.builder.new_int(count, span);
        body.call_at("@playTurns", &[turns], span);
        body.builder.finish()
    })
}
