//! Whose move it is, in languages whose rules do not say so: an expression over the variables of the
//! functions that wait for an answer.

use super::goal_error::game_symbols;
use crate::answer::CommandError;
use crate::code::flow::{Control, Liveness, Summary};
use crate::code::{Function, FunctionId, Instr, Local, Program, Reg};
use crate::debugger::Target;
use crate::language::{FrameScope, Language};
use crate::source::{Origin, Source, SourceId};
use std::collections::HashMap;

/// An expression that names the player who moves, compiled for every place at which a function can wait
/// for an answer.
#[derive(Clone, Debug)]
pub(crate) struct TurnRule {
    /// The names of the players: the values that the expression can have.
    pub players: Vec<String>,
    /// The functions that evaluate it, by the function that waits and its next instruction.
    places: HashMap<(FunctionId, u32), CompiledTurn>,
}

/// The expression, compiled for the variables of a function.
#[derive(Clone, Debug)]
pub(crate) struct CompiledTurn {
    /// Evaluates the expression.
    pub function: FunctionId,
    /// The registers of the function that waits, which are its parameters.
    pub registers: Vec<Reg>,
    /// Those that the expression reads.
    pub registers_read: Vec<Reg>,
}

impl TurnRule {
    /// Compiles the expression. Returns the program with the functions that evaluate it.
    pub fn new(
        target: &Target,
        mut program: Program,
        text: &str,
    ) -> Result<(TurnRule, Program), CommandError> {
        let language = target.language();
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Expression, text);
        let mut rule = TurnRule {
            players: Vec::new(),
            places: HashMap::new(),
        };
        let functions: Vec<_> = (0..)
            .map(FunctionId)
            .zip(target.program().functions.iter().cloned())
            .collect();
        for (id, function) in functions {
            let mut compiled: Vec<(FrameScope, Option<CompiledTurn>)> = Vec::new();
            for (pc, waiting_at) in waiting_places(&function) {
                let scope = FrameScope {
                    locals: function.locals_at(pc).copied().collect(),
                    in_handler: false,
                    function: Some(id),
                    outer: None,
                };
                let known = compiled.iter().find(|(other, _)| *other == scope);
                let turn = match known {
                    Some((_, turn)) => turn.clone(),
                    None => {
                        let players =
                            language.expression_symbols(&source, target.program(), &scope);
                        let turn = match players.is_empty() {
                            true => None,
                            false => compile_at(target, &mut program, &source, &scope, &compiled),
                        };
                        if turn.is_some() {
                            let is_new = |player: &String| !rule.players.contains(player);
                            let new: Vec<String> = players.into_iter().filter(is_new).collect();
                            rule.players.extend(new);
                        }
                        compiled.push((scope, turn.clone()));
                        turn
                    }
                };
                if let Some(turn) = turn {
                    rule.places.insert((id, waiting_at), turn);
                }
            }
        }
        match rule.places.is_empty() {
            true => Err(CommandError::new(format!(
                "`{text}` names no player in any function that asks for input; `turn` needs a variable of such a function, or an expression, whose value is a symbol"
            ))),
            false => Ok((rule, program)),
        }
    }

    /// How to evaluate the expression in a frame, if it can be.
    pub fn at(&self, function: FunctionId, pc: u32) -> Option<&CompiledTurn> {
        self.places.get(&(function, pc))
    }
}

/// Compiles the expression for a place. Where it reads the same variables as at a place that is `known`, it is the
/// same function, whatever else is in scope: `p` in both questions of `let c = input in while … do input`.
fn compile_at(
    target: &Target,
    program: &mut Program,
    source: &Source,
    scope: &FrameScope,
    known: &[(FrameScope, Option<CompiledTurn>)],
) -> Option<CompiledTurn> {
    let turn = compile(target, program, source, scope)?;
    let read = |scope: &FrameScope| -> Vec<Local> {
        let is_read = |local: &&Local| turn.registers_read.contains(&local.register);
        scope.locals.iter().filter(is_read).copied().collect()
    };
    let mut same = known.iter().filter_map(|(other, known)| {
        let known = known.as_ref()?;
        let is_same = known.registers_read == turn.registers_read && read(other) == read(scope);
        is_same.then(|| known.clone())
    });
    Some(same.next().unwrap_or(turn))
}

/// The places at which a function can wait: the instruction whose variables are in scope, and the one
/// with which it continues.
pub(crate) fn waiting_places(function: &Function) -> impl Iterator<Item = (u32, u32)> {
    (0..).zip(&function.code).filter_map(|(pc, instr)| {
        if matches!(instr, Instr::Ask { .. }) {
            return Some((pc, pc));
        }
        matches!(instr.flow().control, Control::Call { .. }).then_some((pc, pc + 1))
    })
}

/// A variable that names the player who moves, for examples: one of a function that asks for input.
pub fn turn_example(language: &dyn Language, program: &Program) -> Option<String> {
    let functions = (0..).map(FunctionId).zip(&program.functions);
    // A game whose value is a player is won by that player.
    let results = game_symbols(language, program);
    let asks = |id: FunctionId| {
        let called = Summary::of(program, std::iter::once(id)).functions;
        let mut called = called.iter().filter_map(|f| program.function(*f));
        called.any(|f| f.code.iter().any(|i| matches!(i, Instr::Ask { .. })))
    };
    let mut waiting = functions.filter(|(id, function)| !function.locals.is_empty() && asks(*id));
    waiting.find_map(|(id, function)| {
        let names_player = |scope: &FrameScope, name: &str| {
            let source = Source::new(SourceId(u32::MAX - 1), Origin::Expression, name);
            let players = language.expression_symbols(&source, program, scope);
            players.len() > 1 && players.iter().any(|player| results.contains(player))
        };
        waiting_places(function).find_map(|(pc, _)| {
            let scope = FrameScope {
                locals: function.locals_at(pc).copied().collect(),
                in_handler: false,
                function: Some(id),
                outer: None,
            };
            let mut names = scope.locals.iter().map(|local| local.name.to_string());
            names.find(|name| names_player(&scope, name))
        })
    })
}

/// The error if the rules do not say whose move it is.
pub(crate) fn turn_needed(language: &dyn Language, program: &Program) -> CommandError {
    let error = CommandError::new("the rules do not say whose move it is");
    match turn_example(language, program) {
        Some(name) => error.option(
            "turn E",
            Some(&format!("turn {name}")),
            format!(
                "where `{name}` is a variable of the function that asks and names the player who answers"
            ),
        ),
        None => error.option(
            "turn E",
            None,
            "a variable of the function that asks, or an expression, that names the player who answers",
        ),
    }
}

/// Compiles an expression for the variables of a frame, which become its parameters.
pub(crate) fn compile(
    target: &Target,
    program: &mut Program,
    source: &Source,
    scope: &FrameScope,
) -> Option<CompiledTurn> {
    let compiled = target
        .language()
        .compile_entry(source, target.program(), Some(scope))
        .ok()?;
    let function = compiled.program.function(compiled.entry_point?)?.clone();
    let id = FunctionId(program.functions.len() as u32);
    program.functions.push(function.clone());
    let read: Vec<Reg> = Liveness::new(program, &function).at(0).iter().collect();
    let registers = scope.locals.iter().map(|local| local.register);
    let is_read = |(parameter, _): &(Reg, Reg)| read.contains(parameter);
    Some(CompiledTurn {
        function: id,
        registers: registers.clone().collect(),
        registers_read: (0..)
            .zip(registers)
            .filter(is_read)
            .map(|(_, register)| register)
            .collect(),
    })
}
