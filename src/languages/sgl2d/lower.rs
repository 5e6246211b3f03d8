//! Lowers a game to instructions. What a move does is defined by `rules.txt`, a program in a small
//! language of its own (`rules`, `rule_body`), which is lowered for the sprites, counters and the
//! player of the game (`event`). Each instruction has the span of the line that causes it.
//!
//! ```text
//! entry        what is typed at the prompt; prompt_expr: expressions for the debugger
//! link         assembles the functions of a game
//! line         lines that set up the game, moves
//! event        the functions that a game has for its own lines
//! rule_body    the sections of the rules of play; rules: their text as a tree
//! scope        the definitions of a game so far
//! ```

mod entry;
mod event;
mod line;
mod link;
pub mod prompt_expr;
mod rule_body;
mod rules;
pub mod scope;

pub use entry::{lower_entry, lower_expression};
pub use link::{empty_program, lower_program, lower_start};
pub use rules::RULES;

use crate::code::{Builder, FunctionId, FunctionKind, Reg};
use crate::lower::scope::{Scope, Sprite};
use crate::source::Span;
use crate::value::InternedStr;

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
