//! Explains why a line was printed. Only what the program prints is counted as output, not the
//! message line of the board or the info lines of the built-in rules.

use crate::debugger::api::{CommandError, Explanation, PrintedOutput, Subject};
use crate::debugger::{Target, TimePoint};
use crate::machine::Channel;

impl Target {
    /// What was printed before the current time.
    pub fn printed_outputs(&self) -> Vec<PrintedOutput> {
        let count = self.machine.log_position().outputs as usize;
        let all = self.machine.log().outputs.get(..count).unwrap_or_default();
        all.iter()
            .filter(|o| o.channel == Channel::Print)
            .enumerate()
            .map(|(n, output)| PrintedOutput {
                number: n + 1,
                text: output.text.to_string(),
                // The log has the time after the print instruction.
                time: output.time.saturating_sub(1),
            })
            .collect()
    }

    /// Explains an output, counted from 1.
    pub fn why_output(&mut self, number: usize) -> Result<Explanation, CommandError> {
        let mut outputs = self.printed_outputs();
        let Some(index) = number.checked_sub(1).filter(|n| *n < outputs.len()) else {
            let hint = match outputs.len() {
                0 => "nothing has been printed".to_string(),
                1 => "there is only output 1".to_string(),
                n => format!("`:why output` lists outputs 1 to {n}"),
            };
            return Err(CommandError::new(format!(
                "unknown output {number}: {hint}"
            )));
        };
        let PrintedOutput { number, text, time } = outputs.swap_remove(index);
        if let Some(dropped) = self.is_lost(TimePoint::at(time)) {
            return Err(CommandError::new(format!(
                "output {number} is lost: {dropped}"
            )));
        }
        let causes = self.causes_at(time);
        Ok(self.explanation(Subject::Output { number, text }, Some(time), causes))
    }
}
