//! Searches the positions of a game: which moves are possible, what can be reached, who wins.
//!
//! A search starts from the current position of a [`Target`](crate::debugger::Target) and never changes
//! it: it runs the actions of the game on machines of its own.
//!
//! ```text
//! model       the game as plain data: moves, questions, which variables can matter
//! position    positions as bytes, on a machine, and in a graph
//! search      breadth-first search, in several threads, within limits
//! question    the answers: find, moves, solve, stats, check, vary, the computer as a player
//! comparison  compares searches with each other and with the game that is played (for tests)
//! ```

use gridbug_analysis as analysis;
use gridbug_answer as answer;
use gridbug_base::{code, diagnostic, language, machine, source, text, value};
use gridbug_debugger as debugger;

#[cfg(feature = "internals")]
mod comparison;
pub(crate) mod model;
pub(crate) mod position;
pub(crate) mod question;
mod search;

#[cfg(feature = "internals")]
pub use comparison::{end_value, leads_to, projection};
pub use model::goal_error::goal_example;
pub use model::input::InputRange;
pub use model::setup::{Reductions, Scope, Watch};
pub use model::turn::turn_example;
pub use position::graph::{Edge, Failure, PositionId};
pub use position::growth::locate_growth;
pub use position::simulator::ACTION_BUDGET_INSTRUCTIONS;
pub use question::check::draws_in_setup;
pub use question::coverage::SearchCoverage;
pub use question::find::FindRequest;
pub use question::moves::MAX_MOVES_LISTED;
pub use question::opponent::{ChosenMove, MAX_LEVEL, MoveChoice, OpponentLevel};
pub use question::random_game::MAX_GAME_MOVES;
pub use question::reach::reachability;
pub use question::stats::DEFAULT_RANDOM_GAMES;
pub use question::vary::{VaryRequest, start_function, vary};
pub use search::Exploration;
pub use search::control::{SearchControl, SearchLimits, SearchProgress, StoppedBy};
pub use search::expansion::{ActionFailure, PositionInfo};

use crate::answer::CommandError;
use crate::code::{Instr, Program, Status};
use crate::debugger::Target;
use crate::language::Actions;
use model::facts::Facts;
use model::goal::CompiledGoal;
use model::turn::{TurnRule, turn_needed};
use question::opponent::TurnSoFar;
use std::rc::Rc;

/// Answers questions about the positions of a game. Keeps what the last search has found, so that
/// several questions about the same position cost one search.
#[derive(Default)]
pub struct Explorer {
    /// Limits of each search.
    pub limits: SearchLimits,
    /// The expression that names the player who moves, in languages whose rules do not.
    pub turn: Option<String>,
    cached: Option<CachedExploration>,
    /// The short search of the last `:why not win`: the next search continues it if it is the same.
    short_search: Option<CachedExploration>,
    turn_so_far: TurnSoFar,
}

struct CachedExploration {
    program: Rc<Program>,
    scope: Scope,
    exploration: Exploration,
    /// What happens in the actions, once it was asked for.
    facts: Option<Facts>,
}

impl CachedExploration {
    /// A search from the current position.
    fn new(target: &Target, scope: &Scope, exploration: Exploration) -> CachedExploration {
        CachedExploration {
            program: target.program().clone(),
            scope: scope.clone(),
            exploration,
            facts: None,
        }
    }
}

impl Explorer {
    /// The search from the current position that keeps what a goal depends on: the last one, or the
    /// last short one, if it can be continued, otherwise a new one.
    fn exploration(
        &mut self,
        target: &Target,
        goal: &CompiledGoal,
        scope: &Scope,
    ) -> Result<&mut Exploration, CommandError> {
        require_moves(target, scope)?;
        let new = Exploration::new(target, goal, scope)?;
        let is_same = |cached: &CachedExploration| {
            Rc::ptr_eq(&cached.program, target.program())
                && cached.scope == *scope
                && cached.exploration.is_same_search(&new)
        };
        // Of what is not continued nothing is kept: this search may use all of the memory.
        let short_search = self.short_search.take().filter(is_same);
        let cached = match self.cached.take().filter(is_same).or(short_search) {
            Some(cached) => cached,
            None => CachedExploration::new(target, scope, new),
        };
        Ok(&mut self.cached.insert(cached).exploration)
    }

    /// What a search covers unless the user chooses something else.
    pub fn default_scope(&self) -> Scope {
        Scope {
            turn: self.turn.clone(),
            ..Scope::default()
        }
    }

    /// The names of the players, in the order of their turns where the rules say so.
    pub fn players(&self, target: &Target, scope: &Scope) -> Result<Vec<String>, CommandError> {
        let program = target.program();
        let model = target.language().move_model(program);
        match &scope.turn {
            _ if model.actions != Actions::None || !asks_for_input(program) => Ok(target.players()),
            None => Err(turn_needed(target.language(), program)),
            Some(turn) => {
                let (rule, _) = TurnRule::new(target, (**program).clone(), turn)?;
                Ok(rule.players)
            }
        }
    }

    /// The player who has to answer the open question, in languages whose rules do not say who moves.
    pub fn player_at_question(&self, target: &Target) -> Option<String> {
        let scope = self.default_scope();
        scope.turn.as_ref()?;
        let exploration = Exploration::of(target, &scope).ok()?;
        exploration.player_name(0)
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.cached = None;
        self.short_search = None;
    }
}

/// The error about a name that is not that of a player.
pub fn unknown_player(name: &str, players: &[String]) -> CommandError {
    CommandError::new(match players {
        [] => format!("unknown player `{name}`; this game has only one, who has no name"),
        [only] => format!("unknown player `{name}`; the only player is {only}"),
        players => format!(
            "unknown player `{name}`; the players are {}",
            players.join(", ")
        ),
    })
}

/// An error if there is nothing to search.
pub fn require_moves(target: &Target, scope: &Scope) -> Result<(), CommandError> {
    let model = target.language().move_model(target.program());
    let has_moves = model.actions != Actions::None
        || model.game_entry.is_some()
        || scope.game.is_some()
        || !target.machine.is_idle();
    if has_moves {
        return Ok(());
    }
    let program = target.program();
    Err(match program.start_function {
        _ if asks_for_input(program) => CommandError::new(
            "no game to search: define `result`, or name the game at the end, e.g. `in play(X, empty)`",
        ),
        Some(_) => CommandError::new("this program has no moves to search")
            .advise(":vary", "tries other start values")
            .advise(":coverage", "shows what ran"),
        None => CommandError::new(
            "this program has no moves to search: it neither reacts to moves nor asks for them",
        ),
    })
}

/// Why a search from here would only say that the game has ended, if it has ended by the moves of the session.
fn ended_note(target: &Target, scope: &Scope) -> Option<&'static str> {
    let has_moved = target.timeline.cursor() > target.timeline.start_entry_count();
    let has_ended = target.machine.is_idle() && target.progress().status != Status::Playing;
    (has_moved && has_ended && scope.game.is_none()).then_some(
        "the game has ended: `:undo` takes back the last move, `:restart` starts a new game",
    )
}

/// Fails if the game has ended by the moves of the session: what was searched would be one position.
fn require_open_game(target: &Target, scope: &Scope) -> Result<(), CommandError> {
    ended_note(target, scope).map_or(Ok(()), |note| Err(CommandError::new(note)))
}

/// Whether a program can ask the user for input.
fn asks_for_input(program: &Program) -> bool {
    let mut code = program.functions.iter().flat_map(|f| &f.code);
    code.any(|instr| matches!(instr, Instr::Ask { .. }))
}
