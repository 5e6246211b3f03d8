//! Assembles a program: function ids, globals, the rules and the start of the game.

use super::{Lowerer, ProgramContext, lower_routine};
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionId, FunctionKind, Global, Instr,
    PieceKind, Program,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::languages::gridlang::check::Checked;
use crate::languages::gridlang::check::hir::{Expr, Routine, Stmt, Type};
use crate::languages::gridlang::errors;
use crate::languages::gridlang::lower::scope::{Declarations, RuleVariable, Scope};
use crate::languages::gridlang::{check::hir, parse::prompt_input, view};
use crate::source::Span;
use crate::value::{InternedStr, Piece, SharedVec, Value};
use std::rc::Rc;
use std::sync::Arc;

/// A program that consists of the rules only.
pub fn empty_program() -> Program {
    assemble(Scope::default(), None)
}

/// Lowers a whole file.
pub fn lower_program(checked: Checked) -> Result<Compiled, Vec<Diagnostic>> {
    let Checked {
        env,
        game,
        layout,
        change: _,
        declared_globals,
        run,
        implicit_pieces,
        warnings,
    } = checked;
    let layout = layout.map(Rc::new);
    let mut scope = Scope {
        env: Rc::new(env),
        game,
        has_run_layout: layout.is_some(),
        layout,
        implicit_pieces: implicit_pieces.into_iter().collect(),
        ..Scope::default()
    };
    scope.declarations_before_layout.extend(&run.body);
    scope.assign_global_slots(&declared_globals);
    scope.assign_attribute_slots();
    let program = assemble(scope, None);
    check_function_sizes(&program, &SharedVec::default())?;
    Ok(Compiled {
        warnings,
        ..Compiled::game(program)
    })
}

/// Reports functions that exceed the limits of the bytecode. Those shared with `old` do not.
pub(super) fn check_function_sizes(
    program: &Program,
    old: &SharedVec<Rc<Function>>,
) -> Result<(), Vec<Diagnostic>> {
    let unshared = program.functions.unshared_ranges(old).into_iter().flatten();
    let functions = unshared.filter_map(|index| program.functions.get(index));
    let too_large = functions.filter(|f| f.code.is_empty());
    let errors = too_large.map(|f| {
        Diagnostic::error(
            Phase::Check,
            errors::FUNCTION_TOO_LARGE,
            f.span,
            format!("`{}` is too large to compile", f.name),
        )
        .note("split it into several functions")
    });
    let errors: Vec<Diagnostic> = errors.collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Finishes a function. One that is too large becomes a stub without code, which
/// [`check_function_sizes`] reports.
pub(super) fn finish_function(builder: Builder) -> Function {
    builder.finish().unwrap_or_else(|error| *error.stub)
}

/// Lowers all functions of a program, but those that start the game only if there is no `old` one.
/// Unchanged ones are shared with `old`.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> Program {
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        symbols: &mut symbols,
    };
    let mut functions = game_functions(&mut context);
    functions.extend(rule_functions(&mut context));
    functions.extend(piece_functions(&mut context));
    if old.is_none() {
        functions.extend(start_functions(&mut context));
    }
    let functions = with_ids(functions, &mut context);
    scope.symbols = symbols;
    scope.is_start_current = old.is_none();
    let program = Program {
        functions: old.map_or_else(SharedVec::default, defined_functions),
        globals: globals(&scope, old),
        piece_kinds: kinds(&scope),
        owners: Rc::new(owners(&scope)),
        board_info: BoardInfo {
            cell_style: CellStyle::RowColPair,
            is_derived: true,
            self_coord_names: None,
        },
        start_function: scope.symbols.get("@start"),
        play_function: scope.symbols.get("@play"),
        format_value: view::format_value,
        parse_input: prompt_input::parse_answer,
        resolve_field: view::locate_attribute,
        ..Program::empty("gridlang", Arithmetic::Wrapping32)
    };
    with_functions(program, scope, functions)
}

fn with_ids(
    functions: Vec<(String, Function)>,
    context: &mut ProgramContext,
) -> Vec<(FunctionId, Function)> {
    let functions = functions.into_iter();
    functions
        .map(|(title, function)| (context.symbols.get_or_insert(&title), function))
        .collect()
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

/// Lowers the functions that start the game again, if there are new declarations.
pub fn with_current_start(old: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
    let mut scope = Scope::clone(&Scope::of(old));
    if scope.is_start_current {
        return Ok(None);
    }
    scope.is_start_current = true;
    let program = with_lowered(old.clone(), scope, start_functions);
    check_function_sizes(&program, &old.functions)?;
    Ok(Some(program))
}

/// Stores a changed scope and the functions lowered from it in a program.
fn with_lowered(
    mut program: Program,
    mut scope: Scope,
    lower: impl FnOnce(&mut ProgramContext) -> Vec<(String, Function)>,
) -> Program {
    program.functions = defined_functions(&program);
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        symbols: &mut symbols,
    };
    let functions = lower(&mut context);
    let functions = with_ids(functions, &mut context);
    scope.symbols = symbols;
    with_functions(program, scope, functions)
}

/// The functions of a program without those of its last entry.
fn defined_functions(program: &Program) -> SharedVec<Rc<Function>> {
    let mut functions = program.functions.clone();
    functions.truncate(Scope::of(program).symbols.count());
    functions
}

/// Stores new functions and the scope in a program.
fn with_functions(
    mut program: Program,
    scope: Scope,
    functions: Vec<(FunctionId, Function)>,
) -> Program {
    scope
        .symbols
        .fill_placeholders(&mut program, undefined_stub);
    for (id, function) in functions {
        program.define(id, function);
    }
    program.scope = Rc::new(scope);
    program
}

/// The placeholder for a function that is not defined yet; it fails when called.
pub(super) fn undefined_stub(title: &str) -> Function {
    Builder::failing(
        InternedStr::new(title),
        FunctionKind::Function,
        &format!("`{title}` is not defined"),
        Span::default(),
    )
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
            if let Some((rows, cols)) = size {
                body.layout_size(rows, cols, routine.head);
            }
        });
        functions.push((title, function));
    }
    functions
}

/// The functions that start the game. They grow with every declaration.
fn start_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    let scope = context.scope;
    let (first, later) = (
        &scope.declarations_before_layout,
        &scope.declarations_after_layout,
    );
    let first = declarations(context, hir::RoutineKind::Globals, first);
    let later = declarations(context, hir::RoutineKind::Entry, later);
    vec![
        ("@declarations".into(), first),
        ("@laterDeclarations".into(), later),
        ("@start".into(), start_function(context)),
    ]
}

fn declarations(
    context: &mut ProgramContext,
    kind: hir::RoutineKind,
    declarations: &Declarations,
) -> Function {
    let statements: Vec<Stmt> = declarations
        .in_order()
        .iter()
        .map(|s| (**s).clone())
        .collect();
    let span = statements
        .iter()
        .map(|s| s.span)
        .reduce(Span::to)
        .unwrap_or_default();
    let routine = Routine {
        name: "declarations".into(),
        kind,
        parameter_count: 0,
        locals: Vec::new(),
        return_type: Type::Void,
        body: Vec::new(),
        head: span,
        span,
    };
    let mut body = Lowerer::for_routine(context, "declarations", &routine);
    body.statements(&statements);
    finish_function(body.builder)
}

/// The functions of the rules.
fn rule_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    type Emit = fn(&mut Lowerer<'_, '_>);
    let rules: &[(&str, u16, Emit)] = &[
        ("@play", 0, |b| b.play()),
        ("@turn", 0, |b| b.turn()),
        ("@checkMoves", 0, |b| b.process_moves()),
        ("@checkMove", 1, |b| b.check_move()),
        ("@returnToGrid", 1, |b| b.return_to_grid()),
        ("@revertMove", 1, |b| b.revert_move()),
        ("@collide", 1, |b| b.run_colocations()),
        ("@gameOver", 0, |b| b.game_over()),
        ("@winners", 0, |b| b.winners()),
        ("@removePlayer", 1, |b| b.remove_from_order()),
        ("@indexOf", 2, |b| b.index_of()),
        ("@setOrder", 1, |b| b.set_order()),
        ("@selectPlayer", 0, |b| b.select_player()),
        ("@nextPlayer", 0, |b| b.advance_turn()),
        ("@dropPlayers", 0, |b| b.remove_finished_players()),
        ("@isOnGrid", 1, |b| b.is_on_grid()),
        ("@move", 2, |b| b.move_piece()),
        ("@createGrid", 2, |b| b.create_grid()),
        ("@piecesAt", 2, |b| b.pieces_at()),
        ("@cellPieces", 2, |b| b.pieces_in_cell()),
        ("@line", 2, |b| b.cells_on_line()),
        ("@traverse", 2, |b| b.traverse()),
        ("@anyBetween", 4, |b| b.any_between()),
        ("@fillTable", 3, |b| b.fill_table()),
        ("@copyTable", 1, |b| b.copy_table()),
        ("@copyElements", 2, |b| b.copy_elements()),
        ("@setExists", 2, |b| b.set_exists()),
        ("@setWin", 2, |b| b.set_win()),
        ("@setType", 2, |b| b.set_type()),
        ("@retirePiece", 2, |b| b.retire_piece()),
    ];
    let functions = rules.iter().map(|(title, parameter_count, emit)| {
        let mut body = Lowerer::for_rule(context, title, *parameter_count);
        emit(&mut body);
        (title.to_string(), finish_function(body.builder))
    });
    functions.collect()
}

/// The functions that create pieces, for each kind.
fn piece_functions(context: &mut ProgramContext) -> Vec<(String, Function)> {
    let game = context.scope.game.clone();
    let mut kinds = vec![("Player", &game.player_attributes[..]), ("Item", &[][..])];
    kinds.extend(
        game.item_kinds
            .iter()
            .map(|kind| (&*kind.name, &kind.attributes[..])),
    );
    let mut functions = Vec::new();
    for (kind, attributes) in kinds {
        let (title, many, table) = (
            format!("@make {kind}"),
            format!("@makeMany {kind}"),
            format!("@makeTable {kind}"),
        );
        // Not marked as rules: errors in default values must point to the source of the game.
        let mut body = Lowerer::with_kind(context, &title, FunctionKind::Setup, 2);
        body.make_piece(kind, attributes);
        functions.push((title, finish_function(body.builder)));
        let mut body = Lowerer::for_rule(context, &many, 3);
        body.make_pieces(kind);
        functions.push((many, finish_function(body.builder)));
        let mut body = Lowerer::for_rule(context, &table, 3);
        body.make_piece_table(kind);
        functions.push((table, finish_function(body.builder)));
    }
    functions
}

/// The function that starts the game: initializes globals, runs the declarations and `Layout`.
fn start_function(context: &mut ProgramContext) -> Function {
    let scope = context.scope;
    let mut body = Lowerer::for_rule(context, "@start", 0);
    body.init_rule_variables();
    let names: Vec<Arc<str>> = scope.env.globals.keys().cloned().collect();
    names.iter().for_each(|name| body.init_global(name));
    let exit = body.set_exit_target(Span::default());
    scope
        .implicit_pieces
        .iter()
        .for_each(|name| body.make_implicit_piece(name));
    body.call("@declarations", &[]);
    if let (Some(layout), true) = (&scope.layout, scope.has_run_layout) {
        body.call(&layout.routine.name, &[]);
    }
    if !scope.declarations_after_layout.is_empty() {
        body.call("@selectPlayer", &[]);
        body.call("@laterDeclarations", &[]);
    }
    body.builder.patch_here(exit);
    body.store_rule_const(RuleVariable::ExitTarget, Value::int(0));
    body.call("@selectPlayer", &[]);
    finish_function(body.builder)
}

impl Lowerer<'_, '_> {
    fn init_rule_variables(&mut self) {
        let null_piece = self.builder.alloc_register();
        self.emit(Instr::Record {
            dst: null_piece,
            first: null_piece,
            count: 0,
        });
        for variable in [
            RuleVariable::NullPiece,
            RuleVariable::CurrentPlayer,
            RuleVariable::CheckedPiece,
        ] {
            self.store_rule_var(variable, null_piece);
        }
        for variable in [
            RuleVariable::Pieces,
            RuleVariable::PlayerOrder,
            RuleVariable::PendingMoves,
            RuleVariable::PendingArrivals,
        ] {
            let list = self.empty_list();
            self.store_rule_var(variable, list);
        }
        for variable in [
            RuleVariable::HasCustomOrder,
            RuleVariable::IsTurnRunning,
            RuleVariable::IsEnding,
            RuleVariable::IsOver,
        ] {
            self.store_rule_const(variable, Value::FALSE);
        }
        for variable in [
            RuleVariable::OrderIndex,
            RuleVariable::ArrivalCount,
            RuleVariable::TurnCount,
            RuleVariable::Rows,
            RuleVariable::Cols,
            RuleVariable::RepeatTarget,
        ] {
            self.store_rule_const(variable, Value::int(0));
        }
        self.store_rule_const(RuleVariable::P, Value::NOTHING);
    }

    /// Sets a global to the default value of its type.
    pub(super) fn init_global(&mut self, name: &Arc<str>) {
        let Some(global) = self.context.scope.env.globals.get(name).cloned() else {
            return;
        };
        self.scoped(|r| {
            let value = r.default_value(&global.ty, r.span);
            r.store_global(name, value, r.span);
        });
    }

    /// Creates a piece that has no declaration.
    pub(super) fn make_implicit_piece(&mut self, name: &Arc<str>) {
        let Some(global) = self.context.scope.env.globals.get(name).cloned() else {
            return;
        };
        self.scoped(|r| {
            let piece = r.new_piece(&global.ty, name, r.span);
            r.store_global(name, piece, r.span);
        });
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
    let rule_variables = RuleVariable::NAMES.iter();
    let rule_variables = rule_variables.map(|name| Global::of_rules(name));
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
