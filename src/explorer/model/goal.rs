//! What a search looks for.

use super::frame_rule::FrameRule;
use super::goal_error::{game_symbols, not_a_goal};
use super::setup::{Watch, add_entry};
use super::turn::turn_example;
use crate::answer::{CommandError, GoalKind};
use crate::code::{Function, FunctionId, Program, Status};
use crate::debugger::Target;
use crate::language::Actions;
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::position::simulator::Simulator;
use crate::search::Exploration;
use crate::text::large_count_noun;
use crate::value::Value;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a search looks for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Goal {
    /// The game ends in one of these ways.
    End(Vec<Status>),
    /// The game goes on, but no move is possible.
    Stuck,
    /// An action fails or does not end.
    Error,
    /// A function of the extended program returns true.
    Condition(FunctionId),
    /// The game is an expression and has this value, which a function of the extended program returns.
    Value(FunctionId),
    /// Something happens while an action runs: see [`Watch`].
    Event,
}

/// A goal, the program extended by what it needs, and what to watch for.
pub(crate) struct CompiledGoal {
    pub goal: Goal,
    pub program: Program,
    pub functions: Vec<FunctionId>,
    /// What positions keep of the frames that wait.
    pub frame_rules: Vec<FrameRule>,
    pub watch: Watch,
}

/// Words that name an end of the game.
fn end_goal(word: &str) -> Option<Goal> {
    Some(match word {
        "win" => Goal::End(vec![Status::Won]),
        "lose" => Goal::End(vec![Status::Lost]),
        "draw" => Goal::End(vec![Status::Drawn]),
        "end" => Goal::End(vec![Status::Won, Status::Lost, Status::Drawn, Status::Over]),
        "stuck" => Goal::Stuck,
        "error" => Goal::Error,
        _ => return None,
    })
}

impl CompiledGoal {
    /// No goal: all positions.
    pub fn none(program: Program) -> CompiledGoal {
        CompiledGoal {
            goal: Goal::Stuck,
            program,
            functions: Vec::new(),
            frame_rules: Vec::new(),
            watch: Watch::Nothing,
        }
    }

    /// What kind of goal it is.
    pub fn kind(&self) -> GoalKind {
        match (&self.goal, &self.watch) {
            (Goal::End(_), _) => GoalKind::Ending,
            (Goal::Stuck, _) => GoalKind::Stuck,
            (Goal::Error, _) => GoalKind::Error,
            (Goal::Condition(_), _) => GoalKind::Condition,
            (Goal::Value(_), _) => GoalKind::Value,
            (Goal::Event, Watch::Print(_)) => GoalKind::Print,
            (Goal::Event, _) => GoalKind::Code,
        }
    }

    /// Compiles a goal as the user writes it. `has_turn` says that the player who moves is known although
    /// the rules do not name one, so that a game which is an expression can be won.
    pub fn new(target: &Target, text: &str, has_turn: bool) -> Result<CompiledGoal, CommandError> {
        let program = (**target.program()).clone();
        let plain = |goal, watch| CompiledGoal {
            goal,
            program: program.clone(),
            functions: Vec::new(),
            frame_rules: Vec::new(),
            watch,
        };
        let model = target.language().move_model(target.program());
        let has_endings = model.actions != Actions::None;
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [word @ ("win" | "lose" | "draw")]
                if !has_endings && !has_turn && target.function_named(word).is_none() =>
            {
                let language = target.language();
                let symbol = game_symbols(language, target.program()).into_iter().next();
                let turn = turn_example(language, target.program());
                return Err(winner_unknown(word, turn, symbol));
            }
            [word] if has_endings || has_turn || matches!(*word, "end" | "stuck" | "error") => {
                if let Some(goal) = end_goal(word) {
                    return Ok(plain(goal, Watch::Nothing));
                }
            }
            ["line", number] => {
                let locations = code_in_line(target, number)?;
                return Ok(plain(Goal::Event, Watch::Code(locations)));
            }
            ["print", quoted, ..] if quoted.starts_with('"') && text.trim_end().ends_with('"') => {
                let quoted = text.trim_start_matches("print").trim();
                let text = quoted.trim_matches('"').to_string();
                return Ok(plain(Goal::Event, Watch::Print(text)));
            }
            _ => {}
        }
        let functions = called_functions(target, text);
        if !functions.is_empty() {
            let starts = functions.into_iter().map(|function| (function, 0));
            return Ok(plain(Goal::Event, Watch::Code(starts.collect())));
        }
        let added = add_entry(target, &program, text);
        let added = added.map_err(|error| not_a_goal(target, text, error))?;
        let is_value = !has_endings && is_value(target, text)?;
        Ok(CompiledGoal {
            goal: match is_value {
                true => Goal::Value(added.function),
                false => Goal::Condition(added.function),
            },
            functions: vec![added.function],
            frame_rules: Vec::new(),
            program: added.program,
            watch: Watch::Nothing,
        })
    }
}

/// The error about an ending of a game whose rules do not name a winner.
fn winner_unknown(word: &str, turn: Option<String>, symbol: Option<String>) -> CommandError {
    let error = CommandError::new("the rules do not say who wins");
    let example = turn.map(|turn| format!(":find {word} turn {turn}"));
    match (&example, symbol) {
        (None, None) => CommandError::new("the rules do not say who wins; name the value to find"),
        (Some(_), None) => error.option("turn E", example.as_deref(), "or name the value to find"),
        (_, Some(symbol)) => {
            let error = match &example {
                Some(_) => error.option("turn E", example.as_deref(), ""),
                None => error,
            };
            let find = format!(":find {symbol}");
            error.instruct("name the value to find, such as", find, "")
        }
    }
}

/// Whether a goal of a game that is an expression is a value that the game may have, not a condition.
fn is_value(target: &Target, text: &str) -> Result<bool, CommandError> {
    let source = crate::source::Source::new(
        crate::source::SourceId(u32::MAX - 1),
        crate::source::Origin::Expression,
        text,
    );
    let language = target.language();
    let compiled = language
        .compile_entry(&source, target.program(), None)
        .map_err(CommandError::from)?;
    let is_literal = text.chars().next().is_some_and(char::is_uppercase)
        || text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    Ok(compiled.is_expression && is_literal)
}

/// The functions or handlers that are meant, if the text is a name and not also that of a variable:
/// `onClick` means those of all pieces.
fn called_functions(target: &Target, text: &str) -> Vec<FunctionId> {
    let is_name = |c: char| c.is_alphanumeric() || "_.' ".contains(c);
    let program = target.program();
    if !text.chars().all(is_name) || program.global(text).is_some() {
        return Vec::new();
    }
    let has_code = |id: &FunctionId| {
        let function = program.function(*id);
        function.is_some_and(|f| !f.stop_points.is_empty())
    };
    if let Some(function) = target.function_named(text) {
        return Some(function).into_iter().filter(has_code).collect();
    }
    let functions = (0..).map(FunctionId).zip(program.functions.iter());
    let handlers = functions.filter(|(_, function)| {
        let name = function.name.as_str();
        name.rsplit_once('.')
            .is_some_and(|(_, event)| event == text)
    });
    handlers.map(|(id, _)| id).filter(has_code).collect()
}

/// The instructions at which the code in a line of the game starts.
fn code_in_line(target: &Target, number: &str) -> Result<Vec<(FunctionId, u32)>, CommandError> {
    let Ok(line) = number.parse::<u32>() else {
        return Err(CommandError::new(format!(
            "`line` needs a number, found `{number}`"
        )));
    };
    let mut locations = Vec::new();
    for (id, function) in (0..).map(FunctionId).zip(target.program().functions.iter()) {
        for stop in &function.stop_points {
            let range = target.source_range(stop.span);
            let is_in_game = |file: &str| target.main_source.as_deref() == Some(file);
            if range.is_some_and(|r| r.line == line && is_in_game(&r.file)) {
                locations.push((id, stop.pc));
            }
        }
    }
    match locations.is_empty() {
        true => Err(CommandError::new(format!("line {line} has no code"))),
        false => Ok(locations),
    }
}

impl Exploration {
    /// A machine that evaluates further functions in the positions of this search, and their ids.
    pub(crate) fn evaluator(
        &self,
        functions: impl Iterator<Item = Rc<Function>>,
    ) -> (Simulator, Vec<FunctionId>) {
        // Waiting frames refer to the functions of this program by their ids.
        let mut program = self.setup.program.to_program();
        let mut ids = Vec::new();
        for function in functions {
            ids.push(FunctionId(program.functions.len() as u32));
            program.functions.push(function);
        }
        let setup = self.setup.clone();
        let simulator = Simulator::with_program(setup, Rc::new(program), Default::default());
        (simulator, ids)
    }
}

/// Evaluates a goal in positions, on a machine of its own.
pub(crate) struct GoalCheck {
    goal: Goal,
    /// The goal as the user writes it.
    text: String,
    simulator: Option<Simulator>,
    /// The player who has to win or lose.
    player: Option<usize>,
    value: Vec<u8>,
    /// In how many positions the goal was evaluated.
    evaluated: usize,
    /// In how many of them that failed.
    failed: usize,
    /// The first of these errors.
    first_error: Option<String>,
}

impl GoalCheck {
    pub fn new(
        exploration: &Exploration,
        compiled: &CompiledGoal,
        text: &str,
        player: Option<usize>,
    ) -> GoalCheck {
        let function = match compiled.goal {
            Goal::Condition(function) | Goal::Value(function) => {
                compiled.program.function(function).cloned()
            }
            _ => None,
        };
        let evaluator = function.map(|f| exploration.evaluator(std::iter::once(f)));
        let (mut simulator, functions) = evaluator.unzip();
        let id = functions.and_then(|ids| ids.first().copied());
        let goal = match (&compiled.goal, id) {
            (Goal::Condition(_), Some(id)) => Goal::Condition(id),
            (Goal::Value(_), Some(id)) => Goal::Value(id),
            (goal, _) => goal.clone(),
        };
        let mut value = Vec::new();
        if let (Goal::Value(function), Some(simulator)) = (&goal, &mut simulator)
            && let Some(result) = simulator.evaluate(*function)
        {
            simulator.pack_value(result, &mut value);
        }
        GoalCheck {
            goal,
            text: text.to_string(),
            simulator,
            player,
            value,
            evaluated: 0,
            failed: 0,
            first_error: None,
        }
    }

    /// Setting `cancel` interrupts an evaluation that takes long.
    pub fn set_cancel(&mut self, cancel: &Arc<AtomicBool>) {
        if let Some(simulator) = &mut self.simulator {
            simulator.set_cancel(cancel);
        }
    }

    /// Whether the goal could not be evaluated in some position because that took too long.
    pub fn has_given_up(&self) -> bool {
        self.simulator.as_ref().is_some_and(|s| s.has_given_up)
    }

    /// Why the goal could not be evaluated in some of the positions: an error if in none of them.
    pub fn failures(&self) -> Result<Option<String>, CommandError> {
        let Some(error) = &self.first_error else {
            return Ok(None);
        };
        let text = &self.text;
        if self.failed == self.evaluated {
            return Err(CommandError::new(format!(
                "`{text}` cannot be evaluated in any position: {error}"
            )));
        }
        let positions = large_count_noun(self.failed, "position", "positions");
        Ok(Some(format!(
            "`{text}` cannot be evaluated in {positions}: {error}"
        )))
    }

    /// Whether a position is a goal. Goals that are not positions are never.
    pub fn is_goal(
        &mut self,
        exploration: &Exploration,
        id: PositionId,
    ) -> Result<bool, CommandError> {
        let info = exploration.graph.info(id);
        let bytes = exploration.graph.bytes(id);
        match &self.goal {
            Goal::End(statuses) => {
                if !info.is_end() || !statuses.contains(&info.status()) {
                    return Ok(false);
                }
                let Some(player) = self.player else {
                    return Ok(true);
                };
                if !info.is_shared_win() {
                    return Ok(info.player() == Some(player));
                }
                let new = || exploration.evaluator(std::iter::empty()).0;
                let simulator = self.simulator.get_or_insert_with(new);
                let winners = simulator.winners_in(bytes);
                Ok(winners.contains(&exploration.setup.players[player]))
            }
            Goal::Value(_) => {
                let is_value = Phase::of(bytes) == Phase::Value;
                Ok(is_value && !self.value.is_empty() && bytes[1..].starts_with(&self.value))
            }
            Goal::Condition(function) => {
                let Some(simulator) = &mut self.simulator else {
                    return Ok(false);
                };
                // In between, nobody sees the board.
                let phase = Phase::of(bytes);
                if phase.is_draw() || matches!(phase, Phase::Value | Phase::TurnTaken) {
                    return Ok(false);
                }
                simulator.load(bytes);
                self.evaluated += 1;
                match simulator.try_evaluate(*function) {
                    Ok(Value::TRUE) => Ok(true),
                    Ok(Value::FALSE) => Ok(false),
                    Ok(value) => {
                        let example = match value.as_int() {
                            Some(number) => {
                                format!("; compare it, e.g. `{} == {number}`", self.text)
                            }
                            None => String::new(),
                        };
                        Err(CommandError::new(format!(
                            "`{}` is neither true nor false{example}",
                            self.text
                        )))
                    }
                    Err(error) => {
                        self.failed += 1;
                        self.first_error.get_or_insert(error);
                        Ok(false)
                    }
                }
            }
            Goal::Stuck | Goal::Error | Goal::Event => Ok(false),
        }
    }
}
