//! Lowers a game to instructions. What a move does is defined by `rules.txt`, a program in a small
//! language of its own (`rules`, `rule_body`), which is lowered for the sprites, counters and the
//! player of the game (`event`). Each instruction has the span of the line that causes it.

mod event;
mod line;
mod link;
pub mod prompt_expr;
mod rule_body;
mod rules;
pub mod scope;

pub use link::{empty_program, lower_start};
pub use rules::RULES;

use super::check::Checked;
use crate::code::{Builder, FunctionId, FunctionKind, Program, Reg};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::{Compiled, FrameScope};
use crate::languages::sgl2d::check::hir::{HirLine, HirLineKind};
use crate::languages::sgl2d::lower::prompt_expr::Expr;
use crate::languages::sgl2d::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::{InternedStr, Piece};

const START: FunctionId = FunctionId(0);
/// One move of the player, which in the language is the press of an arrow key.
const KEY: FunctionId = FunctionId(1);
const SOLID: FunctionId = FunctionId(2);
const PLAYER_EVENT: FunctionId = FunctionId(3);
const COUNTERS: FunctionId = FunctionId(4);
const GOAL: FunctionId = FunctionId(5);
const TOUCH: FunctionId = FunctionId(6);
/// From this id on, each sprite has two functions: one for its touch and one for its update.
const FIRST_SPRITE_FUNCTION: u32 = 7;

/// The globals of every game, by slot; they are followed by one counter per sprite.
pub const VARIABLES: [&str; 11] = [
    "player.x",
    "player.y",
    "goal.x",
    "goal.y",
    "counter1",
    "counter2",
    "counter3",
    "moves",
    "win",
    "lose",
    "@blockedBy",
];
pub const PLAYER_POS: [u32; 2] = [0, 1];
pub const GOAL_POS: [u32; 2] = [2, 3];
pub const MOVES: u32 = 7;
pub const WIN: u32 = 8;
pub const LOSE: u32 = 9;
/// What blocked the last move: the name of a solid sprite, or an empty string at the edge.
const BLOCKED_BY: u32 = 10;

/// The global of counter 1, 2 or 3.
pub fn counter_global(index: u8) -> u32 {
    3 + u32::from(index)
}

/// The global of a sprite's own counter.
pub fn sprite_counter_global(sprite: &Sprite) -> u32 {
    VARIABLES.len() as u32 + u32::from(sprite.id)
}

/// The error code for a game that is too large.
const TOO_LARGE: &str = "SG120";

fn touch_function(sprite: &Sprite) -> FunctionId {
    FunctionId(FIRST_SPRITE_FUNCTION + 2 * u32::from(sprite.id))
}

fn update_function(sprite: &Sprite) -> FunctionId {
    FunctionId(FIRST_SPRITE_FUNCTION + 2 * u32::from(sprite.id) + 1)
}

/// Lowers one function.
struct Lowerer<'s> {
    scope: &'s Scope,
    builder: Builder,
}

impl<'s> Lowerer<'s> {
    fn new(
        scope: &'s Scope,
        name: &str,
        kind: FunctionKind,
        parameters: &[&str],
        span: Span,
    ) -> Lowerer<'s> {
        let mut builder = Builder::new(InternedStr::new(name), kind, parameters.len() as u16, span);
        for (register, parameter) in parameters.iter().enumerate() {
            builder.begin_local(InternedStr::new(parameter), register as Reg);
        }
        Lowerer { scope, builder }
    }
}

/// Compiles a whole file.
pub fn lower_program(checked: Checked, span: Span) -> Result<Compiled, Vec<Diagnostic>> {
    let mut scope = Scope {
        env: checked.env,
        ..Scope::default()
    };
    for line in checked.lines {
        scope.apply(line);
    }
    check_sprite_count(&scope, span)?;
    Ok(Compiled {
        warnings: checked.diagnostics,
        ..Compiled::game(link::assemble(scope, span))?
    })
}

/// Compiles lines entered at the prompt.
pub fn lower_entry(
    checked: Checked,
    span: Span,
    old: &Program,
) -> Result<Compiled, Vec<Diagnostic>> {
    let is_moves = |line: &HirLine| matches!(line.kind, HirLineKind::Moves(_));
    let mut lines = checked.lines.iter();
    let first_move = lines.position(is_moves).unwrap_or(checked.lines.len());
    if let Some(late) = lines.find(|line| !is_moves(line)) {
        let message = "a statement cannot follow a move in the same entry";
        return Err(vec![
            Diagnostic::error(Phase::Check, "SG121", late.span, message)
                .note("enter the moves separately"),
        ]);
    }
    let before = Scope::from_program(old);
    let mut scope = Scope::clone(&before);
    let lines = checked.lines.iter().cloned();
    let messages = lines.filter_map(|line| scope.apply(line)).collect();
    scope.env = checked.env;
    check_sprite_count(&scope, span)?;
    let mut program = if first_move == 0 {
        old.clone()
    } else {
        link::extend(scope.clone(), &checked.lines, old)
    };
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &[], span);
    body.entry_lines(&checked.lines, &before);
    let entry_point = program.push_entry(body.builder.finish());
    Ok(Compiled {
        warnings: checked.diagnostics,
        messages,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

/// Compiles an expression entered at the prompt or in a frame.
pub fn lower_expression(
    expr: &Expr,
    span: Span,
    old: &Program,
    frame: Option<&FrameScope>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let scope = Scope::from_program(old);
    let locals: Vec<&str> = frame.map_or_else(Vec::new, |f| {
        f.locals.iter().map(|l| l.name.as_str()).collect()
    });
    let mut body = Lowerer::new(&scope, "entry", FunctionKind::Entry, &locals, span);
    body.eval_expr(expr, span);
    let mut program = old.clone();
    let entry_point = program.push_entry(body.builder.finish());
    Ok(Compiled {
        is_expression: true,
        ..Compiled::entry(Some(entry_point), program, old)?
    })
}

fn check_sprite_count(scope: &Scope, span: Span) -> Result<(), Vec<Diagnostic>> {
    if scope.sprite_names.len() < Piece::MAX_KIND as usize {
        return Ok(());
    }
    Err(vec![
        Diagnostic::error(Phase::Check, TOO_LARGE, span, "too many sprites")
            .note(format!("the limit is {}", Piece::MAX_KIND - 1)),
    ])
}
