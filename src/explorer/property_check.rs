//! Declared properties, decided in all positions of a search.

use super::control::{SearchControl, StoppedBy};
use super::facts::Visit;
use super::find::Found;
use super::graph::PositionId;
use super::packing::Phase;
use super::search::Exploration;
use super::setup::add_entry;
use super::simulator::Simulator;
use crate::code::{Function, FunctionId, Program};
use crate::debugger::api::{CommandError, PropertyInfo};
use crate::debugger::{PropertyKind, Target};
use crate::language::Actions;
use crate::value::Value;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// The properties of a game, compiled.
pub(super) struct CompiledProperties {
    /// The program, extended by the functions.
    pub program: Program,
    /// What a search has to keep apart.
    pub functions: Vec<FunctionId>,
    properties: Vec<CompiledProperty>,
}

struct CompiledProperty {
    info: PropertyInfo,
    /// The condition, or why it cannot be decided by a search.
    condition: Result<Rc<Function>, String>,
}

/// What a search says about a property.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PropertyFact {
    /// The condition has this value in no position.
    NotFound,
    /// It has it here, first.
    Found(Found, Option<String>),
    /// It cannot be decided.
    Open(String),
}

impl CompiledProperties {
    pub fn new(target: &mut Target) -> CompiledProperties {
        let mut program = (**target.program()).clone();
        let mut functions = Vec::new();
        let infos = target.describe_properties();
        let compile = |info: PropertyInfo| {
            let condition = match &info.function {
                Some(function) => Err(format!(
                    "it uses variables of `{function}`, which a search does not keep"
                )),
                None => match add_entry(target, &program, &info.text) {
                    Ok(added) => {
                        let function = added.program.function(added.function).cloned();
                        program = added.program;
                        functions.push(added.function);
                        function.ok_or_else(|| "it runs nothing".to_string())
                    }
                    Err(error) => Err(first_message(&error)),
                },
            };
            CompiledProperty { info, condition }
        };
        let properties = infos.into_iter().map(compile).collect();
        CompiledProperties {
            program,
            functions,
            properties,
        }
    }

    pub fn infos(&self) -> impl Iterator<Item = &PropertyInfo> {
        self.properties.iter().map(|p| &p.info)
    }

    /// Looks for the first position that decides each property: one that violates it, or in which the
    /// condition of `sometimes` is true.
    pub fn decide(
        &self,
        exploration: &Exploration,
        control: &mut SearchControl<'_>,
    ) -> Result<Vec<PropertyFact>, StoppedBy> {
        let conditions = self.properties.iter().map(|p| p.condition.clone().ok());
        let (mut evaluator, ids) = exploration.evaluator(conditions.flatten());
        let mut ids = ids.into_iter();
        let mut searched: Vec<(PropertyKind, Option<FunctionId>, PropertyFact)> = self
            .properties
            .iter()
            .map(|p| match &p.condition {
                Ok(_) => (p.info.property, ids.next(), PropertyFact::NotFound),
                Err(reason) => (p.info.property, None, PropertyFact::Open(reason.clone())),
            })
            .collect();
        let graph = &exploration.graph;
        for id in 0..graph.len() as PositionId {
            if control.cancel.load(Ordering::Relaxed) {
                return Err(StoppedBy::Interrupt);
            }
            if control.is_late() {
                return Err(StoppedBy::Time);
            }
            let bytes = graph.bytes(id);
            if matches!(Phase::of(bytes), Phase::Idle | Phase::Question) {
                evaluate(&mut evaluator, bytes, (id, None), &mut searched);
            }
        }
        let is_turn_game = matches!(exploration.setup.model.actions, Actions::Turn(_));
        if is_turn_game && searched.iter().any(|(_, id, _)| id.is_some()) {
            // The end of a turn is not a position of its own if the next one asks first.
            let mut simulator = Simulator::new(exploration.setup.clone(), Default::default());
            let mut bytes = Vec::new();
            let mut at_ends = searched.clone();
            at_ends.iter_mut().for_each(|(_, id, fact)| {
                if id.is_some() {
                    *fact = PropertyFact::NotFound;
                }
            });
            let visit = |visit, simulator: &mut Simulator, id, label| {
                if visit == Visit::ActionDone {
                    bytes.clear();
                    simulator.pack(Phase::Idle, &mut bytes);
                    evaluate(&mut evaluator, &bytes, (id, Some(label)), &mut at_ends);
                }
            };
            exploration.visit_actions(&mut simulator, control, visit)?;
            for ((_, _, fact), (_, _, at_end)) in searched.iter_mut().zip(at_ends) {
                let depth = |fact: &PropertyFact| match fact {
                    PropertyFact::Found(found, _) => exploration.depth_of(*found),
                    _ => usize::MAX,
                };
                if depth(&at_end) < depth(fact) {
                    *fact = at_end;
                }
            }
        }
        Ok(searched.into_iter().map(|(_, _, fact)| fact).collect())
    }
}

/// The first message of an error.
fn first_message(error: &CommandError) -> String {
    match error.diagnostics.first() {
        Some(diagnostic) => diagnostic.message.clone(),
        None => error.message.clone(),
    }
}

/// Evaluates the properties that are not decided yet.
fn evaluate(
    evaluator: &mut Simulator,
    bytes: &[u8],
    found: Found,
    searched: &mut [(PropertyKind, Option<FunctionId>, PropertyFact)],
) {
    for (kind, function, fact) in searched {
        let (Some(function), PropertyFact::NotFound) = (function, &fact) else {
            continue;
        };
        evaluator.load(bytes);
        let value = evaluator.try_evaluate(*function);
        let error = match value.map(Value::as_bool) {
            Ok(Some(value)) => {
                let decides = match kind {
                    PropertyKind::Sometimes => value,
                    kind => kind.is_violated_by(value),
                };
                if decides {
                    *fact = PropertyFact::Found(found, None);
                }
                continue;
            }
            Ok(None) => "it is not true or false".to_string(),
            Err(message) => message,
        };
        // A condition without a value violates what has to hold; it is not true, either.
        if *kind != PropertyKind::Sometimes {
            *fact = PropertyFact::Found(found, Some(error));
        }
    }
}
