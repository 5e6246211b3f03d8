//! Declared properties, decided in all positions of a search.

use super::confirm::Expected;
use crate::analysis::property;
use crate::answer::{CommandError, LineMove, PropertyInfo, PropertyKind};
use crate::code::{Function, FunctionId, Program, Reg};
use crate::debugger::Target;
use crate::language::Actions;
use crate::model::facts::Visit;
use crate::model::frame_rule::{FrameCondition, FrameRule};
use crate::model::setup::add_entry;
use crate::position::graph::PositionId;
use crate::position::packing::Phase;
use crate::position::simulator::Simulator;
use crate::search::Exploration;
use crate::search::control::{SearchControl, StoppedBy};
use crate::search::found::Found;
use crate::value::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// The properties of a game, compiled.
pub(crate) struct CompiledProperties {
    /// The program, extended by the functions.
    pub program: Program,
    /// What a search has to keep apart.
    pub functions: Vec<FunctionId>,
    /// What positions have to keep of the frames that wait.
    pub frame_rules: Vec<FrameRule>,
    properties: Vec<CompiledProperty>,
}

struct CompiledProperty {
    info: PropertyInfo,
    /// The condition, or why it cannot be decided by a search.
    condition: Result<Condition, String>,
}

/// A compiled condition.
#[derive(Clone)]
enum Condition {
    /// It uses no variables of functions.
    Plain(Rc<Function>),
    /// It uses those of a function that waits for an answer, at these places.
    InFrame(Vec<FrameCondition>),
}

/// What a search says about a property.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PropertyFact {
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
        let (mut functions, mut frame_rules) = (Vec::new(), Vec::new());
        let infos = property::describe_properties(target);
        let compile = |info: PropertyInfo| {
            let condition = match &info.function {
                Some(name) => {
                    let (program, functions) = (&mut program, &mut functions);
                    match FrameRule::new(target, program, functions, &info.text, name) {
                        Some((rule, conditions)) => {
                            frame_rules.push(rule);
                            Ok(Condition::InFrame(conditions))
                        }
                        None => Err(format!(
                            "it cannot be evaluated at the questions of `{name}`"
                        )),
                    }
                }
                None => match add_entry(target, &program, &info.text) {
                    Ok(added) => {
                        let function = added.program.function(added.function).cloned();
                        program = added.program;
                        functions.push(added.function);
                        let function = function.map(Condition::Plain);
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
            frame_rules,
            properties,
        }
    }

    pub fn infos(&self) -> impl Iterator<Item = &PropertyInfo> {
        self.properties.iter().map(|p| &p.info)
    }
}

/// Decides the properties in the positions of a search, as they are found.
pub(crate) struct PropertySearch {
    evaluator: Simulator,
    searched: Vec<SearchedProperty>,
    /// The first position in which they have not been evaluated.
    next: PositionId,
}

#[derive(Clone)]
struct SearchedProperty {
    kind: PropertyKind,
    function: Option<Evaluated>,
    fact: PropertyFact,
    /// Why it is not known whether the condition is true in some position, if it is not.
    unknown: Option<String>,
}

/// A place at which a frame waits: its function and instruction.
type WaitingPlace = (FunctionId, u32);

/// A function that evaluates a condition, and the registers of a frame that are its parameters.
type PlaceCondition = (FunctionId, Vec<Reg>);

/// What evaluates a condition.
#[derive(Clone)]
enum Evaluated {
    Plain(FunctionId),
    /// `None` where the variables of the condition are not in scope.
    InFrame(Rc<HashMap<WaitingPlace, Option<PlaceCondition>>>),
}

impl Evaluated {
    /// The value of the condition in a position; `None` if its variables are not in scope.
    fn value(&self, evaluator: &mut Simulator) -> Option<Result<Value, String>> {
        match self {
            Evaluated::Plain(function) => Some(evaluator.try_evaluate(*function)),
            Evaluated::InFrame(places) => {
                let frames = evaluator.machine.frames().iter().enumerate().rev();
                let mut waiting =
                    frames.filter_map(|(n, f)| Some((n, places.get(&(f.function, f.pc))?)));
                let (frame, condition) = waiting.next()?;
                let (function, registers) = condition.as_ref()?;
                Some(evaluator.try_evaluate_in_frame(frame, *function, registers))
            }
        }
    }
}

impl PropertySearch {
    pub fn new(
        properties: &CompiledProperties,
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> PropertySearch {
        let properties = &properties.properties;
        let conditions = properties.iter().filter_map(|p| p.condition.as_ref().ok());
        let functions = conditions.flat_map(|condition| match condition {
            Condition::Plain(function) => vec![function.clone()],
            Condition::InFrame(places) => {
                places.iter().filter_map(|p| p.function.clone()).collect()
            }
        });
        let (mut evaluator, ids) = exploration.evaluator(functions);
        evaluator.set_cancel(&control.cancel);
        let mut ids = ids.into_iter();
        let searched = properties.iter().map(|p| {
            let (function, fact) = match &p.condition {
                Ok(Condition::Plain(_)) => {
                    (ids.next().map(Evaluated::Plain), PropertyFact::NotFound)
                }
                Ok(Condition::InFrame(places)) => {
                    let places = places.iter().map(|p| {
                        let function = p.function.as_ref().and_then(|_| ids.next());
                        (p.place, function.map(|f| (f, p.registers.clone())))
                    });
                    let evaluated = Evaluated::InFrame(Rc::new(places.collect()));
                    (Some(evaluated), PropertyFact::NotFound)
                }
                Err(reason) => (None, PropertyFact::Open(reason.clone())),
            };
            SearchedProperty {
                kind: p.info.property,
                function,
                fact,
                unknown: None,
            }
        });
        PropertySearch {
            searched: searched.collect(),
            evaluator,
            next: 0,
        }
    }

    /// Evaluates the properties in the positions that were found since the last call. Returns why it had
    /// to stop before, if it had to.
    pub fn advance(
        &mut self,
        exploration: &Exploration,
        control: &SearchControl<'_>,
    ) -> Option<StoppedBy> {
        let graph = &exploration.graph;
        while (self.next as usize) < graph.len() {
            if let Some(stopped) = control.interrupted_by() {
                return Some(stopped);
            }
            let bytes = graph.bytes(self.next);
            let is_checked = matches!(Phase::of(bytes), Phase::Idle | Phase::Question);
            let found = (self.next, None);
            if is_checked && !evaluate(&mut self.evaluator, bytes, found, &mut self.searched) {
                return Some(StoppedBy::Interrupt);
            }
            self.next += 1;
        }
        None
    }

    /// Evaluates the properties at the ends of turns, which are no positions of their own if the next turn
    /// asks first. Returns why it had to stop before it was done, if it had to.
    pub fn visit_turn_ends(
        &mut self,
        exploration: &Exploration,
        control: &mut SearchControl<'_>,
    ) -> Option<StoppedBy> {
        let is_turn_game = matches!(exploration.setup.model.actions, Actions::Turn(_));
        let mut at_ends = self.searched.clone();
        at_ends.retain(|p| p.function.is_some());
        if !is_turn_game || at_ends.is_empty() {
            return None;
        }
        for property in &mut at_ends {
            property.fact = PropertyFact::NotFound;
        }
        let mut simulator = Simulator::new(exploration.setup.clone(), control.cancel.clone());
        let mut bytes = Vec::new();
        let evaluator = &mut self.evaluator;
        let visit = |visit, simulator: &mut Simulator, id, label| {
            // A turn without questions is visited when it is the move.
            let phase = Phase::of(exploration.graph.bytes(id));
            if visit == Visit::ActionDone && phase != Phase::TurnDraw {
                bytes.clear();
                simulator.pack(Phase::Idle, &mut bytes);
                evaluate(evaluator, &bytes, (id, Some(label)), &mut at_ends);
            }
        };
        let visited = exploration.visit_actions(&mut simulator, control, visit);
        let depth = |fact: &PropertyFact| match fact {
            PropertyFact::Found(found, _) => exploration.depth_of(*found),
            _ => usize::MAX,
        };
        let in_positions = self.searched.iter_mut().filter(|p| p.function.is_some());
        for (property, at_end) in in_positions.zip(at_ends) {
            // It is shorter if the question comes after a number that is drawn.
            let is_shorter = match property.fact {
                PropertyFact::Found((id, None), _) if exploration.is_after_early_draw(id) => {
                    depth(&at_end.fact) <= depth(&property.fact)
                }
                _ => depth(&at_end.fact) < depth(&property.fact),
            };
            if is_shorter {
                property.fact = at_end.fact;
            }
            property.unknown = property.unknown.take().or(at_end.unknown);
        }
        visited.err()
    }

    /// What the search says about each property.
    pub fn facts(&self) -> Vec<PropertyFact> {
        let fact = |p: &SearchedProperty| match (&p.fact, &p.unknown) {
            (PropertyFact::NotFound, Some(reason)) => PropertyFact::Open(reason.clone()),
            (fact, _) => fact.clone(),
        };
        self.searched.iter().map(fact).collect()
    }

    /// The line to where a property is decided, if playing it confirms that.
    pub fn confirmed_line(
        &mut self,
        n: usize,
        exploration: &mut Exploration,
        target: &mut Target,
        found: Found,
    ) -> Option<Vec<LineMove>> {
        let property = self.searched.get(n)?;
        let function = match property.function.as_ref()? {
            Evaluated::Plain(function) => *function,
            // What its functions wait with is part of the position.
            Evaluated::InFrame(_) => {
                return exploration.confirmed_line(target, found, &mut Expected::Position);
            }
        };
        let kind = property.kind;
        let holds = |evaluator: &mut Simulator| {
            let value = evaluator.try_evaluate(function);
            let has_given_up = std::mem::take(&mut evaluator.has_given_up);
            match value.ok().and_then(Value::as_bool) {
                Some(value) => decides(kind, value),
                None => kind != PropertyKind::Sometimes && !has_given_up,
            }
        };
        let mut expected = Expected::Condition {
            evaluator: &mut self.evaluator,
            holds: &holds,
        };
        exploration.confirmed_line(target, found, &mut expected)
    }
}

/// The first message of an error.
fn first_message(error: &CommandError) -> String {
    match error.diagnostics.first() {
        Some(diagnostic) => diagnostic.message.clone(),
        None => error.message.clone(),
    }
}

/// Whether the value of the condition in a position decides a property.
fn decides(kind: PropertyKind, value: bool) -> bool {
    match kind {
        PropertyKind::Sometimes => value,
        kind => kind.is_violated_by(value),
    }
}

/// Evaluates the properties that are not decided yet. Returns false if it was interrupted.
fn evaluate(
    evaluator: &mut Simulator,
    bytes: &[u8],
    found: Found,
    searched: &mut [SearchedProperty],
) -> bool {
    for property in searched {
        let (Some(function), PropertyFact::NotFound) = (&property.function, &property.fact) else {
            continue;
        };
        evaluator.load(bytes);
        let Some(value) = function.value(evaluator) else {
            continue;
        };
        if evaluator.is_interrupted() {
            return false;
        }
        let has_given_up = std::mem::take(&mut evaluator.has_given_up);
        let error = match value.map(Value::as_bool) {
            Ok(Some(value)) => {
                if decides(property.kind, value) {
                    property.fact = PropertyFact::Found(found, None);
                }
                continue;
            }
            Ok(None) => "it is not true or false".to_string(),
            Err(message) => message,
        };
        // An error violates what has to hold, and is not true, either. What was not evaluated to its end, such
        // as a condition that draws a random number, may be both true and false.
        match property.kind {
            _ if has_given_up => {
                let reason = || format!("its value is not known in some position: {error}");
                property.unknown.get_or_insert_with(reason);
            }
            PropertyKind::Sometimes => {}
            _ => property.fact = PropertyFact::Found(found, Some(error)),
        }
    }
    true
}
