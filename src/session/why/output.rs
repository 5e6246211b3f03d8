//! Why a line was printed. Outputs are counted as a person sees them: what stands on the board's message line and what
//! the rules tell are none.

use crate::machine::{Channel, Output};
use crate::session::call_tree::elide;
use crate::session::{Line, Reply, Session, Style};

/// So many are listed: the last ones.
const MOST: usize = 10;

impl Session {
    /// What was printed up to now.
    fn printed(&self) -> Vec<Output> {
        let told = self.machine.log_position().outputs as usize;
        let all = self.machine.log().outputs.get(..told).unwrap_or_default();
        all.iter()
            .filter(|o| o.channel == Channel::Print)
            .cloned()
            .collect()
    }

    pub fn why_output(&mut self, number: usize, reply: &mut Reply) {
        let printed = self.printed();
        let Some(output) = number.checked_sub(1).and_then(|n| printed.get(n)) else {
            let there = match printed.len() {
                0 => "nothing was printed".to_string(),
                1 => "there is only output 1".to_string(),
                n => format!("there are 1 to {n}, and `:why output` lists them"),
            };
            return reply.error(format!("there is no output {number}: {there}"));
        };
        // The log has the time after the instruction.
        let time = output.time.saturating_sub(1);
        let lines = self.with_time(|s| {
            s.timeline.seek_into(&mut s.machine, time);
            s.cause_lines(time)
        });
        reply.line(format!("output {number}: {}   time {time}", output.text));
        reply.lines.extend(lines);
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:goto {time}` goes there"),
        ));
    }

    /// The last outputs with their numbers, to ask about.
    pub fn list_outputs(&self, reply: &mut Reply) {
        let printed = self.printed();
        if printed.is_empty() {
            return reply.line(Line::styled(Style::Dim, "nothing was printed"));
        }
        let first = printed.len().saturating_sub(MOST);
        if first > 0 {
            reply.line(Line::styled(
                Style::Dim,
                format!("  … {first} before these"),
            ));
        }
        let room = self.view_settings.width.clamp(40, 100) - 30;
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
                Line::plain(format!("  {:>3}  {}", n + 1, elide(&text, room)))
                    .with(Style::Dim, time),
            );
        }
        reply.line(Line::styled(
            Style::Dim,
            format!("  `:why output {}` tells why the last one", printed.len()),
        ));
    }
}
