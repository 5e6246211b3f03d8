//! The rules of play: `rules.grid` is parsed, checked and lowered once. Programs share its functions,
//! except for the few that depend on the blocks and handlers of a game.

use super::routine::undefined_stub;
use super::{Lowerer, ProgramContext};
use crate::check::check;
use crate::check::env::Env;
use crate::check::hir::{Game, Routine};
use crate::code::{Arithmetic, Function, Program, StopKind, SymbolTable};
use crate::diagnostic::Diagnostic;
use crate::lower::scope::Scope;
use crate::parse::{Start, parse};
use crate::source::{Origin, Source, SourceId};
use std::rc::Rc;
use std::sync::Arc;

/// The rules of play, as shown when stepping through them.
pub const RULES: &str = include_str!("../rules.grid");

/// What happens in a turn. All other functions of the rules act for a statement that calls them, so
/// that is what the debugger names as the cause of a change.
const RULES_OF_PLAY: [&str; 13] = [
    "@play",
    "@playTurns",
    "@turn",
    "@endTurn",
    "@gameOver",
    "@checkMoves",
    "@checkMove",
    "@decideMove",
    "@returnToGrid",
    "@revertMove",
    "@collide",
    "@collideWith",
    "@runColocation",
];

/// Functions that are lowered for each kind of piece.
pub(super) const PER_KIND: [&str; 2] = ["@makeMany", "@makeTable"];

/// The rules with an empty game.
pub(super) struct LoweredRules {
    game: Rc<Game>,
    /// The ids of the functions, the first of every program.
    pub symbols: SymbolTable,
    /// A program of these functions only.
    pub program: Program,
    /// Functions that every game needs its own version of.
    depend_on_game: Vec<Arc<Routine>>,
}

thread_local! {
    /// Never freed: at the end of the program, that would take a third of a millisecond.
    static LOWERED: &'static LoweredRules = Box::leak(Box::new(lower_rules()));
}

/// The rules, lowered once.
pub(super) fn lowered_rules() -> &'static LoweredRules {
    LOWERED.with(|rules| *rules)
}

/// That the rules have no errors is tested below.
fn checked_rules() -> Result<(Rc<Game>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let source = Source::new(SourceId::RULES, Origin::Rules("GridLang"), RULES);
    let tree = parse(&source, Start::Program)?;
    let checked = check(&source, &tree, &Env::default(), &Rc::default(), None)?;
    Ok((checked.game, checked.warnings))
}

fn lower_rules() -> LoweredRules {
    let (game, _) = checked_rules().unwrap_or_default();
    let mut symbols = SymbolTable::default();
    let mut context = ProgramContext {
        scope: &Scope::default(),
        symbols: &mut symbols,
    };
    let mut depend_on_game = Vec::new();
    let mut lowered = Vec::new();
    for routine in game.functions.values() {
        if PER_KIND.contains(&&*routine.name) {
            continue;
        }
        let (function, depends_on_game) = lower_rule(&mut context, routine, None);
        if depends_on_game {
            depend_on_game.push(routine.clone());
        }
        lowered.push((context.symbols.get_or_insert(&routine.name), function));
    }
    let mut program = Program::empty("gridlang", Arithmetic::Wrapping32);
    program.link(&symbols, lowered, undefined_stub);
    LoweredRules {
        game,
        symbols,
        program,
        depend_on_game,
    }
}

impl LoweredRules {
    /// The functions that depend on the blocks and handlers of the game.
    pub fn game_functions(&self, context: &mut ProgramContext) -> Vec<(String, Function)> {
        let lower = |routine: &Arc<Routine>| {
            let (function, _) = lower_rule(context, routine, None);
            (routine.name.to_string(), function)
        };
        self.depend_on_game.iter().map(lower).collect()
    }

    /// The functions that create several pieces of a kind.
    pub fn kind_functions(
        &self,
        context: &mut ProgramContext,
        kind: &str,
    ) -> Vec<(String, Function)> {
        let routines = PER_KIND
            .iter()
            .filter_map(|name| self.game.functions.get(*name));
        let lower = |routine: &Arc<Routine>| {
            let (function, _) = lower_rule(context, routine, Some(kind));
            (format!("{} {kind}", routine.name), function)
        };
        routines.map(lower).collect()
    }
}

/// Lowers a function, and tells whether its code depends on the game.
fn lower_rule(
    context: &mut ProgramContext,
    routine: &Routine,
    piece_kind: Option<&str>,
) -> (Function, bool) {
    let name = &*routine.name;
    let title = piece_kind.map_or(name.to_string(), |kind| format!("{name} {kind}"));
    let mut body = Lowerer::for_routine(context, &title, routine);
    body.piece_kind = piece_kind.map(Arc::from);
    match name {
        "@revertMove" => body.builder.set_alias("refused".into()),
        "@removePlayer" => body.builder.set_alias("leaves".into()),
        _ => {}
    }
    let first_stop = match name {
        "@endTurn" => StopKind::Turn,
        name if RULES_OF_PLAY.contains(&name) => StopKind::Rule,
        _ => StopKind::Statement,
    };
    body.builder.stop_point(first_stop, routine.head);
    body.statements(&routine.body);
    body.implicit_return(routine.span.shrink_to_end());
    (body.builder.finish(), body.depends_on_game)
}

#[cfg(test)]
mod tests {
    use super::{RULES_OF_PLAY, checked_rules, lowered_rules};

    #[test]
    fn the_rules_have_no_errors_and_no_warnings() {
        let (game, warnings) = checked_rules().expect("the rules are valid");
        assert_eq!(warnings, []);
        for name in RULES_OF_PLAY {
            assert!(game.functions.contains_key(name), "{name}");
        }
    }

    #[test]
    fn the_rules_are_compiled_once_except_for_the_functions_that_depend_on_the_game() {
        let depend_on_game = &lowered_rules().depend_on_game;
        let names: Vec<&str> = depend_on_game.iter().map(|r| &*r.name).collect();
        assert_eq!(
            names,
            [
                "@decideMove",
                "@gameOver",
                "@play",
                "@runColocation",
                "@turn"
            ]
        );
    }
}
