//! Explains why a line was printed. Only what the program prints is counted as output, not the
//! message line of the board or the info lines of the built-in rules.

use crate::machine::{Channel, Output};
use crate::session::{Answer, Line, Session, Style};
use crate::text::elide;

/// Only this many outputs are listed: the last ones.
const MAX_OUTPUTS_LISTED: usize = 10;

impl Session {
    /// What was printed before the current time.
    fn printed(&self) -> Vec<Output> {
        let count = self.target.machine.log_position().outputs as usize;
        let all = self
            .target
            .machine
            .log()
            .outputs
            .get(..count)
            .unwrap_or_default();
        all.iter()
            .filter(|o| o.channel == Channel::Print)
            .cloned()
            .collect()
    }

    /// Shows the statement that printed an output, counted from 1.
    pub fn why_output(&mut self, number: usize, reply: &mut Answer) {
        let printed = self.printed();
        let Some(output) = number.checked_sub(1).and_then(|n| printed.get(n)) else {
            let hint = match printed.len() {
                0 => "nothing has been printed".to_string(),
                1 => "there is only output 1".to_string(),
                n => format!("`:why output` lists outputs 1 to {n}"),
            };
            return reply.error(format!("unknown output {number}: {hint}"));
        };
        // The log has the time after the print instruction.
        let time = output.time.saturating_sub(1);
        let lines = self.with_time(|s| {
            s.target.timeline.seek_into(&mut s.target.machine, time);
            s.cause_lines(time)
        });
        reply.line(format!("output {number}: {}   time {time}", output.text));
        reply.lines(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    /// Lists the last outputs with their numbers.
    pub fn list_outputs(&self, reply: &mut Answer) {
        let printed = self.printed();
        if printed.is_empty() {
            return reply.line(Line::styled(Style::Dim, "Nothing has been printed"));
        }
        let first = printed.len().saturating_sub(MAX_OUTPUTS_LISTED);
        if first > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!("  … {first} more before these"),
            ));
        }
        let width = self.view_settings.width.clamp(40, 100) - 30;
        for (n, output) in printed.iter().enumerate().skip(first) {
            let mut lines = output.text.lines();
            let text = lines.next().unwrap_or("");
            let text = if lines.next().is_some() {
                format!("{text} …")
            } else {
                text.to_string()
            };
            let time = format!("   time {}", output.time.saturating_sub(1));
            reply.line(
                Line::plain(format!("  {:>3}  {}", n + 1, elide(&text, width)))
                    .with(Style::Dim, time),
            );
        }
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:why output {}` explains the last one", printed.len()),
        ));
    }
}
