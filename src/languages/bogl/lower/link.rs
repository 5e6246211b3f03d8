//! Assembles a session's functions and globals into a program.

use super::Lowerer;
use crate::ast::{BoardEquation, Body, Definition, Entry, Expr, Item};
use crate::check::Checked;
use crate::check::env::{GlobalDef, GlobalItem, Prelude};
use crate::check::resolution::{CellRange, GlobalKind};
use crate::check::type_table::BoardType;
use crate::check::types::Type;
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionKind, Global, Instr, Program, Reg,
    StopKind, ValueLoc,
};
use crate::diagnostic::{Diagnostic, first_error};
use crate::language::Compiled;
use crate::lower::scope::{
    DISPLAYED_BOARD, FrameContext, HIDDEN_GLOBALS, PLAY_FUNCTION, RESULT_NAME, START_FUNCTION,
    Scope,
};
use crate::source::{Source, Span};
use crate::value::{InternedStr, SharedVec, Value};
use crate::{parse::input, view};
use std::rc::Rc;
use std::sync::Arc;

/// A program without definitions.
pub fn empty_program() -> Program {
    let mut scope = Scope::default();
    scope.assign_ids(None);
    assemble(scope, None, None)
}

/// Builds the program of a checked game, or of its preludes only. Everything is new.
pub fn load(game: Option<&Source>, checked: Checked) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    for prelude in scope.env.preludes.clone().iter() {
        scope.add_source(&prelude.source);
    }
    if let Some(source) = game {
        scope.add_source(source);
    }
    scope.assign_ids(None);
    Ok(Compiled {
        warnings: checked.diagnostics,
        ..Compiled::game(assemble(scope, None, None))?
    })
}

/// Extends the program by a checked entry.
pub fn entry(
    entry: &Entry,
    source: &Source,
    checked: Checked,
    old: &Program,
    frame: &FrameContext,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (items, expr) = match entry {
        Entry::Lines { items, expr } => (items, expr),
        Entry::Game(game) => {
            let messages = vec![format!("started game {}", game.game.text)];
            return load(Some(source), checked).map(|compiled| Compiled {
                messages,
                ..compiled
            });
        }
    };
    let before = Scope::of(old);
    let messages = items
        .iter()
        .map(|item| status_line(item, &before, &checked))
        .chain(fixed_lines(&checked))
        .collect();
    extend(items, expr.as_ref(), source, checked, old, frame, messages)
}

/// Extends the program by a checked prelude.
pub fn prelude(
    prelude: &Prelude,
    checked: Checked,
    old: &Program,
    frame: &FrameContext,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (items, source) = (&prelude.items, &prelude.source);
    let names: Vec<String> = items.iter().map(Item::title).collect();
    let added = format!("added {}: {}", source.origin, names.join(", "));
    let messages = [added].into_iter().chain(fixed_lines(&checked)).collect();
    extend(items, None, source, checked, old, frame, messages)
}

/// The program with these definitions, and with a function that evaluates what is new.
fn extend(
    items: &[Item],
    expr: Option<&Expr>,
    source: &Source,
    checked: Checked,
    old: &Program,
    frame: &FrameContext,
    messages: Vec<String>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let before = Scope::of(old);
    let mut program = match items.is_empty() {
        true => old.clone(),
        false => {
            let mut scope = Scope {
                env: checked.env.clone(),
                ..Scope::clone(&before)
            };
            scope.add_source(source);
            scope.assign_ids(checked.changed_alone.as_deref());
            assemble(scope, Some(old), checked.changed_alone.as_deref())
        }
    };
    let scope = Scope::of(&program);
    let function = Lowerer::entry(&scope, &checked, expr, source.full_span(), frame).finish();
    let entry_point = program.push_entry(function);
    Ok(Compiled {
        is_expression: expr.is_some(),
        warnings: checked.diagnostics,
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

/// For example `replaced next : Player -> Player`.
fn status_line(item: &Item, before: &Scope, checked: &Checked) -> String {
    let name = &item.name().text;
    let known = match item {
        Item::Type(_) => before.env.types.get(name).is_some(),
        _ => before.env.global(name).is_some(),
    };
    let verb = if known { "replaced" } else { "defined" };
    match (item, checked.env.global(name)) {
        (Item::Type(_), _) => format!("{verb} type {name}"),
        (Item::Let(_), Some(global)) => format!("{name} : {}", global.signature_type),
        (_, Some(global)) => format!("{verb} {name} : {}", global.signature_type),
        (_, None) => format!("{verb} {name}"),
    }
}

/// One status line for each definition that was broken and now type-checks.
fn fixed_lines(checked: &Checked) -> impl Iterator<Item = String> {
    let fixed = checked.newly_fixed.iter();
    fixed.map(|name| format!("{name} can run now"))
}

/// Assembles the whole program. What did not change is shared with `old`; if only some names have
/// `changed`, all others are not looked at.
fn assemble(scope: Scope, old: Option<&Program>, changed: Option<&[Arc<str>]>) -> Program {
    let mut program = old.cloned().unwrap_or_else(bare_program);
    let mut lowered = Vec::new();
    let mut define = |name: &str, function: Function| {
        lowered.extend(scope.symbols.get(name).map(|id| (id, function)));
    };
    for global in scope.env.globals_among(changed) {
        let GlobalItem::Definition(definition, _) = &global.item else {
            continue;
        };
        let lowered = match scope.env.broken(&global.name) {
            Some(diagnostics) => failing_stub(&global.name, diagnostics, definition.span),
            None => Lowerer::definition(&scope, global, definition).finish(),
        };
        define(&global.name, lowered);
    }
    if old.is_none() {
        define(START_FUNCTION, Lowerer::start(&scope).finish());
    }
    if changed.is_none_or(|changed| changed.iter().any(|name| &**name == RESULT_NAME)) {
        define(PLAY_FUNCTION, Lowerer::play(&scope).finish());
    }
    let placeholder = |name: &str| failing_stub(name, &[], Span::default());
    program.link(&scope.symbols, lowered, placeholder);
    set_slots(&mut program.globals, &scope, changed);
    program.start_function = scope.symbols.get(START_FUNCTION);
    program.is_start_current = old.is_none();
    program.play_function = scope.symbols.get(PLAY_FUNCTION);
    program.scope = Rc::new(scope);
    program
}

/// A program without functions, with the globals that every program has.
fn bare_program() -> Program {
    let globals = HIDDEN_GLOBALS.iter().map(|name| Global::of_rules(name));
    Program {
        globals: globals.collect(),
        owners: Rc::default(),
        board_info: BoardInfo {
            cell_style: CellStyle::XyPair,
            is_derived: true,
            ..BoardInfo::default()
        },
        board_global: Some(DISPLAYED_BOARD),
        format_value: view::format_value,
        parse_input: input::read_answer,
        too_large_code: "BG058",
        ..Program::empty("bogl", Arithmetic::Wrapping64)
    }
}

/// Lowers the function that starts the game again.
pub fn lower_start(program: &mut Program) {
    let scope = Scope::of(program);
    if let Some(id) = scope.symbols.get(START_FUNCTION) {
        program.define(id, Lowerer::start(&scope).finish());
    }
}

/// Replaces a broken definition. The checker rejects entries that could call it, but functions that
/// are already running may still do so.
fn failing_stub(title: &str, diagnostics: &[Diagnostic], span: Span) -> Function {
    let reason = first_error(diagnostics).map_or("", |error| &error.message);
    let message = format!("`{title}` is broken: {reason}");
    let (name, kind) = (InternedStr::new(title), FunctionKind::Function);
    Builder::failing(name, kind, &message, span)
}

/// Sets the globals of all names, or of those that have changed.
fn set_slots(globals: &mut SharedVec<Global>, scope: &Scope, changed: Option<&[Arc<str>]>) {
    globals.resize(HIDDEN_GLOBALS.len() + scope.slots.len(), Global::unused());
    let all = || scope.slots.keys().cloned().collect();
    for name in changed.map_or_else(all, <[_]>::to_vec) {
        let Some(&slot) = scope.slots.get(&name) else {
            continue;
        };
        // A name redefined as a function is no longer a variable, but its slot is not reused.
        let global = match scope.env.global(&name) {
            Some(known) if matches!(known.kind(), GlobalKind::Board | GlobalKind::Let) => {
                Global::variable(&name, known.declaration_span())
            }
            _ => Global::unused(),
        };
        globals.put(slot as usize, global);
    }
}

impl<'a> Lowerer<'a> {
    fn definition(scope: &'a Scope, global: &'a GlobalDef, definition: &Definition) -> Lowerer<'a> {
        let parameters = match &definition.body {
            Body::Function { parameters, .. } => parameters.len() as u16,
            _ => 0,
        };
        let (name, kind, span) = (&global.name, FunctionKind::Function, definition.span);
        let mut lowerer = Lowerer::new(scope, &global.resolution, name, kind, parameters, span);
        match &definition.body {
            Body::Value(expr) => lowerer.lower_equation(expr, definition.equation_span),
            Body::Function { expr, .. } => {
                for local in 0..parameters {
                    lowerer.bind(local.into(), local);
                }
                lowerer.lower_equation(expr, definition.equation_span);
            }
            Body::Board(equations) => {
                lowerer.lower_board(&global.name, equations, &global.resolution.equation_cells)
            }
        }
        lowerer
    }

    fn lower_equation(&mut self, expr: &Expr, span: Span) {
        self.builder.stop_point(StopKind::Equation, span);
        self.builder.record_value_before(span, ValueLoc::Equation);
        self.lower_return(expr, &mut Vec::new(), expr.span);
    }

    /// Evaluates the equations in order; later ones overwrite earlier ones.
    fn lower_board(&mut self, name: &str, equations: &[BoardEquation], cells: &[CellRange]) {
        let board_type = self.scope.env.types.board();
        let (grid, value) = (self.builder.alloc_register(), self.builder.alloc_register());
        for (n, (equation, cells)) in equations.iter().zip(cells).enumerate() {
            self.builder.stop_point(StopKind::Equation, equation.span);
            self.builder
                .record_value_before(equation.span, ValueLoc::Equation);
            self.lower_expr_to(&equation.expr, value);
            let covers_board =
                cells.columns == (1..=board_type.width) && cells.rows == (1..=board_type.height);
            if n == 0 {
                let initial = covers_board.then_some(value);
                self.emit_new_grid(grid, initial, &board_type, equation.span);
                self.name_register(name, grid, Type::board());
            }
            if n > 0 || !covers_board {
                self.emit_fill(grid, cells, value, equation.span);
            }
        }
        self.builder
            .emit(Instr::Return { src: grid }, self.builder.full_span());
    }

    /// Emits code that creates a board filled with the value, or with unset cells.
    fn emit_new_grid(&mut self, dst: Reg, value: Option<Reg>, board: &BoardType, span: Span) {
        let in_use = self.builder.registers_in_use();
        let (rows, cols) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.emit_int(board.height.into(), rows, span);
        self.emit_int(board.width.into(), cols, span);
        let value = value.unwrap_or_else(|| {
            let unset = self.builder.alloc_register();
            self.emit_constant(Value::EMPTY, unset, span);
            unset
        });
        let instr = Instr::NewGrid {
            dst,
            rows,
            cols,
            value,
        };
        self.builder.emit(instr, span);
        self.builder.release_registers(in_use);
    }

    fn emit_fill(&mut self, grid: Reg, cells: &CellRange, value: Reg, span: Span) {
        let in_use = self.builder.registers_in_use();
        let rows = self.builder.alloc_registers(2);
        let cols = self.builder.alloc_registers(2);
        for (first, range) in [(rows, &cells.rows), (cols, &cells.columns)] {
            self.emit_int((*range.start()).into(), first, span);
            self.emit_int((*range.end()).into(), first + 1, span);
        }
        let instr = Instr::GridFill {
            grid,
            rows,
            cols,
            value,
            from: 1,
        };
        self.builder.emit(instr, span);
        self.builder.release_registers(in_use);
    }
}
