//! From the lines of an SGL2D game to code. What a key does is put together from all that was said of sprites, counters
//! and the player; each step of it is an instruction with the place of the line that causes it.

mod event;
mod key;
mod line;

pub use key::RULES;

use super::hir::{HirLine, HirLineKind};
use super::scope::{Scope, Sprite};
use super::{check::Checked, show};
use crate::code::{
    Arithmetic, BoardInfo, Builder, CellStyle, Function, FunctionId, FunctionKind, Global, Instr,
    PieceEvent, PieceKind, Program, Reg, StopKind,
};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope};
use crate::languages::sgl2d::expr::Expr;
use crate::source::Span;
use crate::value::{InternedStr, Piece, Value};
use std::rc::Rc;

const START: FunctionId = FunctionId(0);
const KEY: FunctionId = FunctionId(1);
const SOLID: FunctionId = FunctionId(2);
const PLAYER_EVENT: FunctionId = FunctionId(3);
const COUNTERS: FunctionId = FunctionId(4);
const GOAL: FunctionId = FunctionId(5);
/// Behind these, two for each sprite: what its touch does, and what an update does.
const OWN: u32 = 6;

/// The variables that every game has, by number; behind them lies a counter for each sprite.
pub const VARIABLES: [&str; 11] = [
    "player.x", "player.y", "goal.x", "goal.y", "counter1", "counter2", "counter3", "moves", "win",
    "lose", "@wall",
];
const PLAYER_POS: [u32; 2] = [0, 1];
const GOAL_POS: [u32; 2] = [2, 3];
pub const MOVES: u32 = 7;
pub const WIN: u32 = 8;
pub const LOSE: u32 = 9;
/// What was in the way of the last key of an entry: a solid sprite's name, or an empty text at the edge.
const BLOCKED_BY: u32 = 10;

/// The variable of counter 1, 2 or 3.
pub fn counter_global(index: u8) -> u32 {
    3 + u32::from(index)
}

/// The variable of a sprite's own counter.
pub fn sprite_counter_global(sprite: &Sprite) -> u32 {
    VARIABLES.len() as u32 + u32::from(sprite.id)
}

fn touch_function(sprite: &Sprite) -> FunctionId {
    FunctionId(OWN + 2 * u32::from(sprite.id))
}

fn update_of(sprite: &Sprite) -> FunctionId {
    FunctionId(OWN + 2 * u32::from(sprite.id) + 1)
}

/// One function on its way to code.
struct Lowerer<'s> {
    scope: &'s Scope,
    builder: Builder,
    /// Whether it has a stop already.
    has_entry_stop: bool,
}

impl<'s> Lowerer<'s> {
    fn new(
        scope: &'s Scope,
        title: &str,
        role: FunctionKind,
        parameters: &[&str],
        span: Span,
    ) -> Lowerer<'s> {
        let mut b = Builder::new(InternedStr::new(title), role, parameters.len() as u16, span);
        for (register, name) in parameters.iter().enumerate() {
            b.begin_local(InternedStr::new(name), register as Reg);
        }
        Lowerer {
            scope,
            builder: b,
            has_entry_stop: false,
        }
    }

    /// A place to stop in a handler: the first one is where it is entered.
    fn action_stop(&mut self, span: Span) {
        let kind = if std::mem::replace(&mut self.has_entry_stop, true) {
            StopKind::Statement
        } else {
            StopKind::Handler
        };
        self.builder.stop_point(kind, span);
    }

    fn int(&mut self, value: i32, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        self.builder.emit(Instr::Int { dst, value }, span);
        dst
    }

    fn global(&mut self, global: u32, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        self.builder.emit(Instr::GetGlobal { dst, global }, span);
        dst
    }

    fn constant(&mut self, value: Value, span: Span) -> Reg {
        let dst = self.builder.alloc_register();
        let k = self.builder.constant(value);
        self.builder.emit(Instr::Constant { dst, k }, span);
        dst
    }

    fn warn(&mut self, message: &str, span: Span) {
        let k = self.builder.string_constant(message);
        self.builder.emit(Instr::Warn { k }, span);
    }
}

/// A game without a line.
pub fn blank() -> Program {
    assemble(Scope::default(), None, Span::default())
}

/// A whole file.
pub fn load(checked: Checked, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    for order in checked.lines {
        scope.apply(order);
    }
    fits(&scope, span)?;
    let program = assemble(scope, None, span);
    too_large(program.functions.iter())?;
    let run = program.start_function;
    Ok(Compiled {
        program,
        entry_point: run,
        is_expression: false,
        warnings: checked.diagnostics,
        messages: Vec::new(),
        resets_game: true,
    })
}

/// Lines typed at the prompt.
pub fn entry(checked: Checked, span: Span, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let is_moves = |order: &HirLine| matches!(order.kind, HirLineKind::Moves(_));
    let from = checked
        .lines
        .iter()
        .position(is_moves)
        .unwrap_or(checked.lines.len());
    if let Some(late) = checked.lines[from..].iter().find(|order| !is_moves(order)) {
        let message = "a statement cannot follow a move in one entry";
        return Err(vec![
            Diagnostic::error(Phase::Check, "SG121", late.span, message)
                .note("type the moves by themselves"),
        ]);
    }
    let mut scope = Scope::from_program(old);
    let before = scope.clone();
    let said: Vec<String> = checked
        .lines
        .iter()
        .filter_map(|order| scope.apply(order.clone()))
        .collect();
    scope.env = checked.env;
    fits(&scope, span)?;
    let mut program = if from == 0 {
        old.clone()
    } else {
        assemble(scope.clone(), Some(old), old_span(old))
    };
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &[], span);
    body.entry_lines(&checked.lines, &before);
    program.functions.truncate(functions(&scope));
    program.functions.push(Rc::new(body.builder.finish()));
    too_large(program.functions.iter())?;
    let run = Some(FunctionId(functions(&scope) as u32));
    Ok(Compiled {
        program,
        entry_point: run,
        is_expression: false,
        warnings: checked.diagnostics,
        messages: said,
        resets_game: false,
    })
}

/// A value asked for at the prompt.
pub fn expression(
    question: &Expr,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Compiled {
    let scope = Scope::from_program(old);
    let locals: Vec<&str> = frame.map_or_else(Vec::new, |f| {
        f.locals.iter().map(|l| l.name.as_str()).collect()
    });
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &locals, span);
    body.eval_expr(question, span);
    let mut program = old.clone();
    program.functions.truncate(functions(&scope));
    program.functions.push(Rc::new(body.builder.finish()));
    let run = Some(FunctionId(functions(&scope) as u32));
    Compiled {
        program,
        entry_point: run,
        is_expression: true,
        warnings: Vec::new(),
        messages: Vec::new(),
        resets_game: false,
    }
}

fn old_span(old: &Program) -> Span {
    old.function(START).map(|f| f.span).unwrap_or_default()
}

/// How many functions belong to the game itself.
fn functions(scope: &Scope) -> usize {
    OWN as usize + 2 * scope.sprite_names.len()
}

fn fits(scope: &Scope, span: Span) -> Result<(), Vec<Diagnostic>> {
    match scope.sprite_names.len() < Piece::MAX_KIND as usize {
        true => Ok(()),
        false => Err(vec![
            Diagnostic::error(Phase::Check, "SG120", span, "there are too many sprites")
                .note(format!("a game may have up to {}", Piece::MAX_KIND - 1)),
        ]),
    }
}

fn too_large<'f>(
    mut functions: impl Iterator<Item = &'f Rc<Function>>,
) -> Result<(), Vec<Diagnostic>> {
    match functions.find(|f| f.code.len() > 10_000_000) {
        Some(f) => Err(vec![Diagnostic::error(
            Phase::Check,
            "SG120",
            f.span,
            "this is too large to be run",
        )]),
        None => Ok(()),
    }
}

/// All code of a game. What has not changed is shared with the old one.
fn assemble(scope: Scope, old: Option<&Program>, span: Span) -> Program {
    let mut made = vec![
        line::start(&scope, span),
        key::key(&scope),
        key::solid(&scope),
        event::player(&scope),
        event::counters(&scope),
        event::goal(&scope),
    ];
    for (name, sprite) in scope.all_sprites() {
        made.push(event::touch(&scope, name, sprite));
        made.push(event::update(&scope, name, sprite));
    }
    let kept = old.map_or(0, |o| functions(&Scope::from_program(o)));
    let shared = |(n, function): (usize, Function)| match old.and_then(|o| o.functions.get(n)) {
        Some(same) if n < kept && **same == function => same.clone(),
        _ => Rc::new(function),
    };
    Program {
        language: "sgl2d",
        functions: made.into_iter().enumerate().map(shared).collect(),
        globals: Rc::new(globals(&scope)),
        piece_kinds: Rc::new(
            scope
                .all_sprites()
                .map(|(name, sprite)| kind(name, sprite))
                .collect(),
        ),
        owners: Rc::new(vec![InternedStr::new("")]),
        arithmetic: Arithmetic::Wrapping32,
        board_info: BoardInfo {
            cell_style: CellStyle::XyNamed,
            is_derived: false,
            self_coord_names: None,
        },
        start_function: Some(START),
        play_function: None,
        board_global: None,
        format_value: show::write,
        parse_input: |_, _, _, _| Err("SGL2D asks nothing".into()),
        resolve_field: |_, _, _| None,
        scope: Rc::new(scope),
    }
}

fn kind(name: &str, sprite: &Sprite) -> PieceKind {
    let mut handlers = [None, None];
    if sprite.actions.has_update_actions() {
        handlers[PieceEvent::Turn as usize] = Some(update_of(sprite));
    }
    PieceKind {
        name: InternedStr::new(name),
        visible: true,
        handlers,
        span: sprite.span,
    }
}

fn globals(scope: &Scope) -> Vec<Global> {
    let place = |name: &str| match name.split_once('.').map_or(name, |(of, _)| of) {
        "player" => scope.player.map(|p| p.span),
        "goal" => scope.goal.map(|g| g.span),
        _ => scope
            .counters
            .iter()
            .enumerate()
            .find_map(|(n, c)| c.span.filter(|_| name == format!("counter{}", n + 1))),
    };
    let known = VARIABLES.iter().map(|name| Global {
        name: InternedStr::new(name),
        is_user_defined: !matches!(*name, "win" | "lose" | "@wall"),
        span: place(name).unwrap_or_default(),
    });
    let own = scope.all_sprites().map(|(name, sprite)| Global {
        name: InternedStr::new(&format!("{name}.counter")),
        is_user_defined: true,
        span: sprite.span,
    });
    known.chain(own).collect()
}
