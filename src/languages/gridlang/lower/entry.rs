//! Lowers entries: statements, (re)definitions and the command `:turn`.

use super::link::{assemble, extend, undefined_stub};
use super::{Lowerer, ProgramContext, saturating_u16};
use crate::code::{Builder, Function, FunctionKind, Instr, Program, Reg};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope, ParsedEntry};
use crate::languages::gridlang::check::env::{Env, StoppedFrame};
use crate::languages::gridlang::check::errors;
use crate::languages::gridlang::check::hir::{
    self, Attribute, Expr, Routine, Stmt, StmtKind, Type,
};
use crate::languages::gridlang::check::{Change, Checked, check};
use crate::languages::gridlang::lower::scope::{RuleVariable, Scope, field};
use crate::languages::gridlang::{ast, view};
use crate::source::{Source, Span};
use crate::value::{InternedStr, Value};
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
    let Checked {
        env,
        game,
        layout: new_layout,
        change,
        declared_globals,
        run,
        implicit_pieces,
        warnings,
    } = check(source, &tree, &before.env, &before.game, stopped.as_ref())?;
    let runs_layout = new_layout.is_some() && !before.has_run_layout;
    let messages = confirmations(&tree, &before.env, runs_layout);
    let mut shared = before.clone();
    if !matches!(change, Change::None) {
        let scope = Rc::make_mut(&mut shared);
        scope.env = Rc::new(env);
        scope.game = game;
        scope.is_start_current &= declared_globals.is_empty();
        scope.assign_global_slots(&declared_globals);
        store_declarations(scope, &run, &implicit_pieces, frame.is_some());
    }
    if matches!(change, Change::Any) {
        let scope = Rc::make_mut(&mut shared);
        scope.layout = new_layout.map(Rc::new).or(scope.layout.take());
        scope.has_run_layout |= runs_layout;
        scope.is_start_current = false;
        scope.assign_attribute_slots();
    }
    let scope = shared;
    let plan = Plan {
        init_globals: globals_to_init(&declared_globals, &before, &scope),
        new_attributes: new_attributes(&before, &scope),
        implicit_pieces,
        run,
        runs_layout,
    };
    let is_expression = result_expr(&plan.run).is_some();
    let program = match change {
        Change::None => old.clone(),
        Change::Own(routines) => extend(
            Rc::unwrap_or_clone(scope),
            &routines,
            &declared_globals,
            old,
        ),
        Change::Any => assemble(Rc::unwrap_or_clone(scope), Some(old)),
    };
    let compiled = with_entry(program, old, |context| {
        entry_function(context, &plan, frame, source.full_span())
    })?;
    Ok(Compiled {
        is_expression,
        warnings,
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
) {
    for name in implicit_pieces {
        if !scope.implicit_pieces.iter().any(|known| known == name) {
            scope.implicit_pieces.push(name.clone());
        }
    }
    if is_stopped {
        return;
    }
    // `Layout` may use what was declared before it ran.
    let declarations = if scope.has_run_layout {
        &mut scope.declarations_after_layout
    } else {
        &mut scope.declarations_before_layout
    };
    declarations.extend(&run.body);
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
    let attributes_of = |scope: &Scope| -> Vec<(Arc<str>, Attribute)> {
        let players = scope
            .game
            .player_attributes
            .iter()
            .map(|a| ("Player".into(), a.clone()));
        let items = scope
            .game
            .item_kinds
            .iter()
            .flat_map(|k| k.attributes.iter().map(|a| (k.name.clone(), a.clone())));
        players.chain(items).collect()
    };
    let old = attributes_of(before);
    let existed = |kind: &str, new: &Attribute| {
        let same_name = |a: &Attribute| a.name == new.name && a.player_type == new.player_type;
        old.iter()
            .any(|(k, a)| &**k == kind && same_name(a) && a.ty == new.ty && a.sizes == new.sizes)
    };
    attributes_of(after)
        .into_iter()
        .filter(|(kind, attribute)| !existed(kind, attribute))
        .collect()
}

/// Confirmations such as `replaced bishop.checkMove`.
fn confirmations(tree: &ast::Ast, before: &Env, runs_layout: bool) -> Vec<String> {
    let mut messages = Vec::new();
    for construct in &tree.top_level {
        let ast::TopLevel::Definition(definition) = construct else {
            continue;
        };
        let (name, replaced) = view::definition_title(definition, before);
        let verb = if replaced { "replaced" } else { "defined" };
        let later = matches!(definition, ast::Definition::Layout(_)) && !runs_layout;
        let when = if later {
            "; it runs at the next :restart"
        } else {
            ""
        };
        messages.push(format!("{verb} {name}{when}"));
    }
    messages
}

/// The expression whose value is the result of the entry, if the entry is a single expression.
fn result_expr(run: &Routine) -> Option<&Expr> {
    match &run.body[..] {
        [
            Stmt {
                kind: StmtKind::Expr(e),
                ..
            },
        ] if e.ty != Type::Void => Some(e),
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
    program.check_sizes(Some(old), errors::FUNCTION_TOO_LARGE)?;
    Ok(Compiled::entry(Some(entry_point), program))
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
        body.builder
            .stop_point(crate::code::StopKind::Statement, e.span);
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
    let mut builder = Builder::new(
        InternedStr::new("entry"),
        FunctionKind::Entry,
        locals.len() as u16,
        span,
    );
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
        let skip_loop = self
            .builder
            .emit_jump(Instr::ItemsStart { base, to: 0 }, span);
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
    let error = |message: String, note: &str| {
        Err(vec![
            Diagnostic::error(Phase::Check, errors::COMMAND_UNAVAILABLE, span, message).note(note),
        ])
    };
    let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let count = if rest.trim().is_empty() {
        Some(1)
    } else {
        rest.trim().parse().ok().filter(|n| *n > 0)
    };
    let Some(count) = count.filter(|_| command == "turn") else {
        return error(
            format!("invalid command `:{text}`"),
            "`:turn` plays one turn, `:turn 3` plays three",
        );
    };
    if frame.is_some() {
        return error(
            "a turn is already being played".into(),
            "`:continue` finishes it",
        );
    }
    if Scope::of(old).game.game_loop.is_none() {
        return error(
            "no `gameLoop` is defined, so there is no turn to play".into(),
            "define it: `gameLoop() { … }`",
        );
    }
    with_entry(old.clone(), old, |context| {
        let builder = Builder::new(InternedStr::new("turn"), FunctionKind::Entry, 0, span);
        let mut body = Lowerer::new(context, "turn", hir::RoutineKind::Entry, builder);
        let turns = body.builder.alloc_register();
        body.constant_to(turns, Value::int(count), span);
        body.call_at("@playTurns", &[turns], span);
        body.builder.finish()
    })
}
