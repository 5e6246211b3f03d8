//! Assembles a program: function ids, globals, the rules and the start of the game.

use super::{Lowerer, ProgramContext, lower_routine};
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionId, FunctionKind, Global, Instr,
    PieceKind, Program,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Compiled;
use crate::languages::gridlang::check::Checked;
use crate::languages::gridlang::error_code;
use crate::languages::gridlang::hir::{Expr, Routine, Stmt, StmtKind, Type};
use crate::languages::gridlang::scope::{RuleVariable, Scope};
use crate::languages::gridlang::{hir, prompt_input, show};
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
        mut game,
        run,
        implicit_pieces,
        warnings,
    } = checked;
    let layout = game.layout.take().map(Rc::new);
    let mut scope = Scope {
        env: Rc::new(env),
        game: Rc::new(game),
        has_run_layout: layout.is_some(),
        layout,
        implicit_pieces,
        declarations_before_layout: run.body,
        ..Scope::default()
    };
    scope.assign_slots();
    let program = assemble(scope, None);
    check_function_sizes(&program)?;
    Ok(Compiled {
        entry_point: program.start_function,
        program,
        is_expression: false,
        warnings,
        messages: Vec::new(),
        resets_game: true,
    })
}

/// Reports functions that exceed the limits of the bytecode.
pub(super) fn check_function_sizes(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let too_large = program.functions.iter().filter(|f| f.code.is_empty());
    let errors = too_large.map(|f| {
        Diagnostic::error(
            Phase::Check,
            error_code::FUNCTION_TOO_LARGE,
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

/// Lowers all functions of a program. Unchanged ones are shared with `old`.
pub(super) fn assemble(mut scope: Scope, old: Option<&Program>) -> Program {
    let mut symbols = scope.symbols.clone();
    let mut context = ProgramContext {
        scope: &scope,
        symbols: &mut symbols,
    };
    let mut functions = game_functions(&mut context);
    functions.extend(rule_functions(&mut context));
    functions.extend(piece_functions(&mut context));
    functions.push(("@start".into(), start_function(&mut context)));
    let functions: Vec<(FunctionId, Function)> = functions
        .into_iter()
        .map(|(title, function)| (context.symbols.get_or_insert(&title), function))
        .collect();
    scope.symbols = symbols;
    let kept_count = old.map_or(0, |o| Scope::of(o).symbols.count());
    let mut program = Program {
        language: "gridlang",
        functions: old.map_or_else(SharedVec::default, |o| {
            let mut functions = o.functions.clone();
            functions.truncate(kept_count);
            functions
        }),
        globals: globals(&scope),
        piece_kinds: kinds(&scope),
        owners: Rc::new(owners(&scope)),
        arithmetic: Arithmetic::Wrapping32,
        board_info: BoardInfo {
            cell_style: CellStyle::RowColPair,
            is_derived: true,
            self_coord_names: None,
        },
        start_function: scope.symbols.get("@start"),
        play_function: scope.symbols.get("@play"),
        board_global: None,
        format_value: show::format_value,
        parse_input: prompt_input::parse_answer,
        resolve_field: show::locate_attribute,
        scope: Rc::new(()),
    };
    scope
        .symbols
        .fill_placeholders(&mut program, undefined_stub);
    for (id, function) in functions {
        if *program.functions[id.0 as usize] != function {
            program.functions.set(id.0 as usize, Rc::new(function));
        }
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

/// The routines and declarations of the game.
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
    for (title, kind, statements) in [
        (
            "@declarations",
            hir::RoutineKind::Globals,
            &scope.declarations_before_layout,
        ),
        (
            "@laterDeclarations",
            hir::RoutineKind::Entry,
            &scope.declarations_after_layout,
        ),
    ] {
        functions.push((title.into(), declarations(context, kind, statements)));
    }
    functions
}

fn declarations(
    context: &mut ProgramContext,
    kind: hir::RoutineKind,
    statements: &[Stmt],
) -> Function {
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
    body.statements(statements);
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

fn globals(scope: &Scope) -> SharedVec<Global> {
    let rule_variables = RuleVariable::NAMES.iter().map(|name| Global {
        name: InternedStr::new(name),
        is_user_defined: false,
        span: Span::default(),
    });
    let mut globals: SharedVec<Global> = rule_variables.collect();
    let mut user_defined: Vec<(&Arc<str>, u32)> = scope
        .global_slots
        .iter()
        .map(|(name, slot)| (name, *slot))
        .collect();
    user_defined.sort_by_key(|(_, slot)| *slot);
    for (name, _) in user_defined {
        let span = scope
            .env
            .globals
            .get(name)
            .map_or(Span::default(), |g| g.span);
        globals.push(Global {
            name: InternedStr::new(name),
            is_user_defined: true,
            span,
        });
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
    let players = scope
        .env
        .globals
        .iter()
        .filter(|(_, g)| g.ty == Type::Player)
        .map(|(name, _)| InternedStr::new(name));
    std::iter::once(InternedStr::new(""))
        .chain(players.take(Piece::MAX_OWNER as usize))
        .collect()
}

/// True for declarations of globals, which are repeated at a restart.
pub(super) fn is_global_declaration(statement: &Stmt) -> bool {
    matches!(
        &statement.kind,
        StmtKind::Declare {
            target: hir::LValue::Global(_),
            ..
        }
    )
}
