//! A condition over the variables of a function that waits for an answer, such as a property: what a
//! position has to keep of its frames, and how to evaluate it there.

use super::turn::{CompiledTurn, compile, waiting_places};
use crate::code::{Function, FunctionId, FunctionKind, Program, Reg};
use crate::debugger::Target;
use crate::language::FrameScope;
use crate::source::{Origin, Source, SourceId};
use std::collections::HashMap;
use std::rc::Rc;

/// The registers that positions keep for a condition, by the function that waits and its next instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FrameRule {
    kept: HashMap<(FunctionId, u32), Vec<Reg>>,
}

/// The condition, compiled for a place at which the function can wait.
#[derive(Clone, Debug)]
pub(crate) struct FrameCondition {
    /// Where the function waits.
    pub place: (FunctionId, u32),
    /// Evaluates it. `None` if its variables are not in scope there.
    pub function: Option<Rc<Function>>,
    /// The registers that are its parameters.
    pub registers: Vec<Reg>,
}

impl FrameRule {
    /// Compiles a condition for all places at which a function can wait. Adds the functions that evaluate it
    /// to the program, and their ids to `functions`.
    pub fn new(
        target: &Target,
        program: &mut Program,
        functions: &mut Vec<FunctionId>,
        text: &str,
        name: &str,
    ) -> Option<(FrameRule, Vec<FrameCondition>)> {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Expression, text);
        let id = target.function_named(name)?;
        let function = target.program().function(id)?.clone();
        let mut known: Vec<(FrameScope, Option<CompiledTurn>)> = Vec::new();
        let mut places = Vec::new();
        for (pc, waiting_at) in waiting_places(&function) {
            let scope = FrameScope {
                locals: function.locals_at(pc).copied().collect(),
                in_handler: function.kind == FunctionKind::Handler,
                function: Some(id),
                outer: None,
            };
            let compiled = match known.iter().find(|(other, _)| *other == scope) {
                Some((_, compiled)) => compiled.clone(),
                None => {
                    let compiled = compile(target, program, &source, &scope);
                    functions.extend(compiled.as_ref().map(|c| c.function));
                    known.push((scope.clone(), compiled.clone()));
                    compiled
                }
            };
            places.push(((id, waiting_at), scope, compiled));
        }
        let compiled = places
            .iter()
            .filter_map(|(_, _, compiled)| compiled.as_ref());
        let read: Vec<Reg> = compiled.flat_map(|c| c.registers_read.clone()).collect();
        if read.is_empty() {
            return None;
        }
        // A variable is kept from where it is defined on, even if others are not in scope yet.
        let kept = places.iter().map(|(place, scope, _)| {
            let registers = scope.locals.iter().map(|local| local.register);
            (*place, registers.filter(|r| read.contains(r)).collect())
        });
        let rule = FrameRule {
            kept: kept.collect(),
        };
        let conditions = places
            .into_iter()
            .map(|(place, _, compiled)| FrameCondition {
                place,
                function: compiled
                    .as_ref()
                    .and_then(|c| program.function(c.function).cloned()),
                registers: compiled.map(|c| c.registers).unwrap_or_default(),
            });
        Some((rule, conditions.collect()))
    }

    /// The registers to keep of a frame; `None` if it is not of the function.
    pub fn kept(&self, function: FunctionId, pc: u32) -> Option<&[Reg]> {
        self.kept.get(&(function, pc)).map(Vec::as_slice)
    }
}
