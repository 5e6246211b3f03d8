//! Conditions that hold before anything was done.

use super::PATIENCE;
use crate::code::{FunctionId, Role};
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::{Outcome, Until};
use crate::session::Session;
use crate::value::Value;

impl Session {
    /// Conditions that hold before anything was done, tried on a copy: they would end the game with its first turn.
    pub(in crate::session) fn conditions_true_already(&mut self) -> Vec<Diagnostic> {
        let program = self.program().clone();
        let mut warnings = Vec::new();
        for (n, function) in program
            .functions
            .iter()
            .enumerate()
            .filter(|(_, f)| f.role == Role::Condition)
        {
            let flags: Vec<u32> = (0..program.globals.len() as u32)
                .filter(|g| !program.globals[*g as usize].own)
                .collect();
            let value = |s: &Session, g: u32| s.machine.store.globals.get(g as usize).copied();
            let before: Vec<Option<Value>> = flags.iter().map(|g| value(self, *g)).collect();
            let became = self.on_a_copy(|s| {
                s.machine.start(FunctionId(n as u32), &[]).ok()?;
                let limit = s.machine.time() + PATIENCE;
                let done = s.machine.watched(&mut Until(limit));
                let pairs = flags.iter().zip(&before);
                matches!(done, Outcome::Finished(_)).then(|| {
                    pairs.clone().any(|(g, old)| {
                        *old == Some(Value::FALSE) && value(s, *g) == Some(Value::TRUE)
                    })
                })
            });
            if became == Some(true) {
                let message = format!("{} is already true when the game starts", function.name);
                let warning = Diagnostic::warning(Phase::Check, "RT025", function.span, message);
                warnings.push(warning.note(format!(
                    "`:step {}` shows how it comes to that",
                    function.name
                )));
            }
        }
        warnings
    }
}
