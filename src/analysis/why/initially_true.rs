//! Warns about win and lose conditions that are true when the game starts.

use crate::code::{FunctionId, FunctionKind};
use crate::debugger::Target;
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, UntilTime};
use crate::value::Value;

/// How long a condition may run.
const CONDITION_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

/// Warnings about conditions that are true on the initial board: they would end the game with
/// its first turn. Each condition is run with rollback.
pub fn conditions_initially_true(target: &mut Target) -> Vec<Diagnostic> {
    let program = target.program().clone();
    let mut warnings = Vec::new();
    for (n, function) in program
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| f.kind == FunctionKind::Condition)
    {
        let flags: Vec<u32> = (0..program.globals.len() as u32)
            .filter(|g| !program.globals[*g as usize].is_user_defined)
            .collect();
        let value = |s: &Target, g: u32| s.machine.store.globals.get(g as usize).copied();
        let before: Vec<Option<Value>> = flags.iter().map(|g| value(target, *g)).collect();
        let becomes_true = target.with_rollback(|s| {
            s.machine.start(FunctionId(n as u32), &[]).ok()?;
            let limit = s.machine.time() + CONDITION_BUDGET_INSTRUCTIONS;
            let outcome = s.machine.run_observed(&mut UntilTime(limit));
            let pairs = flags.iter().zip(&before);
            matches!(outcome, Outcome::Finished(_)).then(|| {
                pairs
                    .clone()
                    .any(|(g, old)| *old == Some(Value::FALSE) && value(s, *g) == Some(Value::TRUE))
            })
        });
        if becomes_true == Some(true) {
            let message = format!("{} is already true when the game starts", function.name);
            let warning = Diagnostic::warning(Phase::Check, "RT025", function.span, message);
            warnings.push(warning.note(format!("`:step {}` shows why", function.name)));
        }
    }
    warnings
}
