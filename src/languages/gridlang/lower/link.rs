//! Assembles a program: function ids, globals, the rules and the start of the game.

use super::routine::{lower_routine, undefined_stub};
use super::rules::lowered_rules;
use super::{Lowerer, ProgramContext, function_kind};
use crate::check::Checked;
use crate::check::errors;
use crate::check::hir::{Expr, Routine, Stmt, Type};
use crate::code::{
    BoardInfo, Builder, CellStyle, Function, FunctionKind, Global, Instr, PendingJump, PieceKind,
    Program,
};
use crate::diagnostic::Diagnostic;
use crate::language::Compiled;
use crate::lower::scope::{RuleVariable, Scope};
use crate::source::Span;
use crate::value::{InternedStr, Piece, SharedVec, Value};
use crate::{check::hir, parse::prompt_input, view};
use std::rc::Rc;
use std::sync::Arc;

/// A program that consists of the rules only.
pub fn empty_program() -> Program {
    assemble(Scope::default(), None)
}

/// Lowers a whole file.
pub fn lower_program(checked: Checked) -> Result<Compiled, Vec<Diagnostic>> {
    let layout = checked.layout.map(Rc::new);
    let mut scope = Scope {
        env: Rc::new(checked.env),
        game: checked.game,
        has_run_layout: layout.is_some(),
        layout,
        implicit_pieces: checked.implicit_pieces.into_iter().collect(),
        ..Scope::default()
    };
    let layout = scope
        .layout
        .as_ref()
        .map(|layout| layout.routine.span.start);
    let is_above = |s: &Stmt| layout.is_none_or(|start| s.span.start < start);
    let (above, below): (Vec<_>, Vec<_>) = checked.run.body.into_iter().partition(is_above);
    scope.declarations_before_layout.extend(&above);
    scope.declarations_after_layout.extend(&below);
    scope.assign_global_slots(&checked.declared_globals);
    scope.assign_attribute_slots();
    Ok(Compiled {
        warnings: checked.warnings,
        ..Compiled::game(assemble(scope, None))?
    })
}

/// Builds the program. Lowers what depends on the game; the functions that start it only without an
/// `old` program. The rules, and what has not changed since `old`, are shared.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> Program {
    let rules = lowered_rules();
    if old.is_none() {
        scope.symbols = rules.symbols.clone();
    }
    let program = Program {
        globals: globals(&scope, old),
        piece_kinds: kinds(&scope),
        owners: Rc::new(owners(&scope)),
        board_info: BoardInfo {
            cell_style: CellStyle::RowColPair,
            is_derived: true,
            names_are_texts: true,
            ..BoardInfo::default()
        },
        is_start_current: old.is_none(),
        format_value: view::format_value,
        parse_input: prompt_input::parse_answer,
        resolve_field: view::locate_attribute,
        too_large_code: errors::FUNCTION_TOO_LARGE,
        ..old.unwrap_or(&rules.program).clone()
    };
    with_lowered(program, scope, |context| {
        let mut functions = game_functions(context);
        functions.extend(rules.game_functions(context));
        functions.extend(piece_functions(context));
        if old.is_none() {
            functions.extend(start_functions(context));
        }
        functions
    })
}

/// Puts functions and declared globals into a program whose other functions stay the same.
pub(super) fn extend(
    scope: Scope,
    routines: &[Arc<Routine>],
    declared: &[Arc<str>],
    old: &Program,
) -> Program {
    let mut program = Program {
        globals: globals_with(old.globals.clone(), declared, &scope),
        is_start_current: old.is_start_current && declared.is_empty(),
        ..old.clone()
    };
    if declared.iter().any(|name| is_player(&scope, name)) {
        program.owners = Rc::new(owners(&scope));
    }
    with_lowered(program, scope, |context| {
        let lower = |routine: &Arc<Routine>| {
            let function = lower_routine(context, &routine.name, routine, |_| ());
            (routine.name.to_string(), function)
        };
        routines.iter().map(lower).collect()
    })
}

/// Lowers the functions that start the game again.
pub fn lower_start(program: &mut Program) {
    let scope = Scope::clone(&Scope::of(program));
    *program = with_lowered(program.clone(), scope, start_functions);
}

/// Stores a changed scope and the functions lowered from it in a program.
fn with_lowered(
    mut program: Program,
    mut scope: Scope,
    lower: impl FnOnce(&mut ProgramContext) -> Vec<(String, Function)>,
) -> Program {
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        symbols: &mut symbols,
    };
    let functions = lower(&mut context).into_iter();
    let with_id = |(title, function): (String, Function)| (symbols.get_or_insert(&title), function);
    let functions: Vec<_> = functions.map(with_id).collect();
    program.link(&symbols, functions, undefined_stub);
    program.start_function = symbols.get("@start");
    program.play_function = symbols.get("@play");
    scope.symbols = symbols;
    program.scope = Rc::new(scope);
    program
}

/// The routines of the game.
fn game_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    let scope = context.scope;
    let layout = scope.layout.as_ref();
    let mut functions = Vec::new();
    for (title, routine) in scope.routines() {
        let size = layout
            .filter(|l| Arc::ptr_eq(&l.routine, routine))
            .and_then(|l| l.size.as_ref());
        let function = lower_routine(context, &title, routine, |body| {
            if let Some([rows, cols]) = size {
                body.layout_size(rows, cols, routine.head);
            }
        });
        functions.push((title, function));
    }
    functions
}

/// The functions that start the game. They grow with every declaration.
fn start_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    let start = context.scope.start_declarations();
    let first = declarations(context, hir::RoutineKind::Globals, &start.before_layout);
    let later = declarations(context, hir::RoutineKind::Entry, &start.after_layout);
    vec![
        ("@declarations".into(), first),
        ("@laterDeclarations".into(), later),
        ("@start".into(), start_function(context)),
    ]
}

fn declarations(
    context: &mut ProgramContext,
    kind: hir::RoutineKind,
    statements: &[Rc<Stmt>],
) -> Function {
    let spans = statements.iter().map(|statement| statement.span);
    let span = spans.reduce(Span::to).unwrap_or_default();
    let name = InternedStr::new("declarations");
    let builder = Builder::new(name, function_kind(kind), 0, span);
    let mut body = Lowerer::new(context, name.as_str(), kind, builder);
    body.statements(statements.iter().map(|statement| &**statement));
    body.builder.finish()
}

/// The functions that create pieces, for each kind, and set their attributes.
fn piece_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    let game = context.scope.game.clone();
    let players = ("Player", &game.player_attributes[..]);
    let item_kinds = game.item_kinds.iter();
    let item_kinds = item_kinds.map(|kind| (&*kind.name, &kind.attributes[..]));
    let mut functions = Vec::new();
    for (kind, attributes) in [players, ("Item", &[])].into_iter().chain(item_kinds) {
        // Not marked as rules: errors in default values must point to the source of the game.
        let title = format!("@make {kind}");
        let mut body = unwritten(context, &title, FunctionKind::Setup, 2);
        body.make_piece(kind, attributes);
        functions.push((title, body.builder.finish()));
        functions.extend(lowered_rules().kind_functions(context, kind));
    }
    let title = "@initTypeAttributes";
    let mut body = unwritten(context, title, FunctionKind::Rules, 1);
    body.init_type_attributes();
    functions.push((title.to_string(), body.builder.finish()));
    functions
}

/// Starts a function that is not written anywhere.
fn unwritten<'a, 's>(
    context: &'a mut ProgramContext<'s>,
    name: &str,
    kind: FunctionKind,
    parameter_count: u16,
) -> Lowerer<'a, 's> {
    let span = Span::default();
    let builder = Builder::new(InternedStr::new(name), kind, parameter_count, span);
    Lowerer::new(context, name, hir::RoutineKind::Function, builder)
}

/// The function that starts the game: initializes globals, runs the declarations and `Layout`.
fn start_function(context: &mut ProgramContext) -> Function {
    let (scope, span) = (context.scope, Span::default());
    let mut body = unwritten(context, "@start", FunctionKind::Rules, 0);
    body.init_rule_variables();
    let names = scope.env.globals.keys();
    names.for_each(|name| body.init_global(name, span));
    let exit = body.set_exit_target(span);
    scope
        .implicit_pieces
        .iter()
        .for_each(|name| body.make_implicit_piece(name, span));
    body.call_at("@declarations", &[], span);
    if let (Some(layout), true) = (&scope.layout, scope.has_run_layout) {
        body.call_at(&layout.routine.name, &[], span);
    }
    if !scope.start_declarations().after_layout.is_empty() {
        body.call_at("@selectPlayer", &[], span);
        body.call_at("@laterDeclarations", &[], span);
    }
    body.builder.patch_here(exit);
    let none = body.default_value(&Type::Int, span);
    body.store_rule_var(RuleVariable::ExitTarget, none, span);
    body.call_at("@selectPlayer", &[], span);
    body.builder.finish()
}

impl Lowerer<'_, '_> {
    /// Sets the variables of the rules to the default values of their types. `p` is not set yet.
    fn init_rule_variables(&mut self) {
        let (value, span) = (self.builder.alloc_register(), Span::default());
        let (dst, first, count) = (value, value, 0);
        self.builder.emit(Instr::Record { dst, first, count }, span);
        self.store_rule_var(RuleVariable::Nobody, value, span);
        let others = RuleVariable::ALL.map(|(variable, _)| variable).into_iter();
        for variable in others.filter(|v| !matches!(v, RuleVariable::Nobody | RuleVariable::P)) {
            let value = self.default_value(&variable.ty(), span);
            self.store_rule_var(variable, value, span);
        }
        self.builder.emit_constant(value, Value::NOTHING, span);
        self.store_rule_var(RuleVariable::P, value, span);
    }

    /// Makes the end of the game continue where the returned jump is patched to.
    pub(super) fn set_exit_target(&mut self, span: Span) -> PendingJump {
        let dst = self.builder.alloc_register();
        let jump = self.builder.emit_jump(Instr::Catch { dst, to: 0 }, span);
        self.store_rule_var(RuleVariable::ExitTarget, dst, span);
        jump
    }

    /// Sets a global to the default value of its type.
    pub(super) fn init_global(&mut self, name: &Arc<str>, span: Span) {
        if let Some(global) = self.context.scope.env.globals.get(name).cloned() {
            let in_use = self.builder.registers_in_use();
            let value = self.default_value(&global.ty, span);
            self.store_global(name, value, span);
            self.builder.release_registers(in_use);
        }
    }

    /// Creates a piece that has no declaration.
    pub(super) fn make_implicit_piece(&mut self, name: &Arc<str>, span: Span) {
        if let Some(global) = self.context.scope.env.globals.get(name).cloned() {
            let in_use = self.builder.registers_in_use();
            let piece = self.new_piece(&global.ty, name, span);
            self.store_global(name, piece, span);
            self.builder.release_registers(in_use);
        }
    }

    fn layout_size(&mut self, rows: &Expr, cols: &Expr, span: Span) {
        let in_use = self.builder.registers_in_use();
        let (rows, cols) = (self.lower_expr(rows), self.lower_expr(cols));
        self.call_at("@createGrid", &[rows, cols], span);
        self.builder.release_registers(in_use);
    }
}

/// All globals. Those that have not changed are shared with `old`.
fn globals(scope: &Scope, old: Option<&Program>) -> SharedVec<Global> {
    let rule_variables = RuleVariable::ALL.into_iter();
    let rule_variables = rule_variables.map(|(_, name)| Global::of_rules(name));
    let globals = old.map_or_else(|| rule_variables.collect(), |old| old.globals.clone());
    let declared: Vec<Arc<str>> = scope.global_slots.keys().cloned().collect();
    globals_with(globals, &declared, scope)
}

/// The globals with the latest declarations of some of them.
fn globals_with(
    mut globals: SharedVec<Global>,
    declared: &[Arc<str>],
    scope: &Scope,
) -> SharedVec<Global> {
    let with_slot = |name| Some((*scope.global_slots.get(name)?, name));
    let mut declared: Vec<(u32, &Arc<str>)> = declared.iter().filter_map(with_slot).collect();
    declared.sort();
    for (slot, name) in declared {
        let span = scope.env.globals.get(name).map(|global| global.span);
        let global = Global::variable(name, span.unwrap_or_default());
        globals.put(slot as usize, global);
    }
    globals
}

/// The kinds of items, for listings.
fn kinds(scope: &Scope) -> SharedVec<PieceKind> {
    let kinds = scope.env.items.iter().take(Piece::MAX_KIND as usize);
    kinds
        .map(|(name, block)| PieceKind {
            name: InternedStr::new(name),
            visible: true,
            handlers: [None; 2],
            span: block.span,
        })
        .collect()
}

fn owners(scope: &Scope) -> Vec<InternedStr> {
    let names = scope.env.globals.keys();
    let players = names
        .filter(|name| is_player(scope, name))
        .map(|name| InternedStr::new(name));
    std::iter::once(InternedStr::new(""))
        .chain(players.take(Piece::MAX_OWNER as usize))
        .collect()
}

fn is_player(scope: &Scope, global: &Arc<str>) -> bool {
    let global = scope.env.globals.get(global);
    global.is_some_and(|global| global.ty == Type::Player)
}
