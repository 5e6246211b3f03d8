//! Explains why a line was printed. Only what the program prints is counted as output, not the
//! message line of the board or the info lines of the built-in rules.

use crate::answer::{CommandError, Explanation, PrintedOutput, Subject};
use crate::debugger::history;
use crate::debugger::{Target, TimePoint};
use crate::machine::Channel;
use crate::why::cause;

/// What was printed before the current time, as far as it is kept.
pub fn printed_outputs(target: &Target) -> Vec<PrintedOutput> {
    let end = target.machine.log_position().outputs;
    let all = target.machine.log().outputs.range(0, end);
    all.map(|(_, output)| output)
        .filter(|o| o.channel == Channel::Print)
        .map(|output| PrintedOutput {
            number: output.number as usize,
            text: output.text.to_string(),
            // The log has the time after the print instruction.
            time: output.time.saturating_sub(1),
        })
        .collect()
}

/// Explains an output, counted from 1.
pub fn why_output(target: &mut Target, number: usize) -> Result<Explanation, CommandError> {
    let mut outputs = printed_outputs(target);
    let Ok(index) = outputs.binary_search_by_key(&number, |o| o.number) else {
        let hint = match (outputs.first(), outputs.last()) {
            (Some(first), Some(last)) if first.number > 1 => format!(
                "the history has outputs {} to {}",
                first.number, last.number
            ),
            (_, None) => "nothing has been printed".to_string(),
            (_, Some(last)) if last.number == 1 => "there is only output 1".to_string(),
            (_, Some(last)) => format!("`:why output` lists outputs 1 to {}", last.number),
        };
        return Err(CommandError::new(format!(
            "unknown output {number}: {hint}"
        )));
    };
    let PrintedOutput { number, text, time } = outputs.swap_remove(index);
    if let Some(dropped) = history::is_lost(target, TimePoint::at(time)) {
        return Err(CommandError::new(format!(
            "output {number} is lost: {dropped}"
        )));
    }
    let causes = cause::causes_at(target, time);
    Ok(cause::explanation(
        target,
        Subject::Output { number, text },
        Some(time),
        causes,
    ))
}
