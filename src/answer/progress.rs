//! What a run reports before its end, and how much of it an answer keeps.

use super::{Answer, Part};

/// An answer keeps about this much of what a long run reports: the first lines. The rest is
/// counted.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Estimated size of a line besides its text.
const LINE_OVERHEAD_BYTES: usize = 32;

/// Shows what a run reports before it ends. The client supplies it; without one, everything is in
/// the answer, up to a limit.
pub trait ProgressListener {
    /// Shows the output and the messages of an answer that is not complete yet. Returns false if
    /// nothing can be shown any more; the run is then interrupted.
    fn show(&mut self, answer: &Answer) -> bool;

    /// Shows how far a search of the game's positions is, in place of what was shown before. An empty
    /// text clears it.
    fn show_search(&mut self, _text: &str) {}
}

/// What a run reported before its end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reported {
    /// The first lines that the program printed.
    pub output: Vec<String>,
    /// The first messages of logpoints, the trace and the rules.
    pub parts: Vec<Part>,
    /// The number of lines and messages that are left out because there are too many.
    pub omitted: usize,
    /// The size of what is kept.
    bytes: usize,
}

impl Reported {
    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.output.is_empty() && self.parts.is_empty() && self.omitted == 0
    }

    /// Keeps what another run reported after this.
    pub fn extend(&mut self, more: Reported) {
        self.keep(more.output, more.parts);
        self.omitted += more.omitted;
    }

    /// Keeps what was reported, as long as there is room, and counts the rest. The first line is
    /// always kept.
    fn keep(&mut self, output: Vec<String>, parts: Vec<Part>) {
        for line in output {
            if self.has_room(line.len()) {
                self.output.push(line);
            }
        }
        for part in parts {
            if self.has_room(part_bytes(&part)) {
                self.parts.push(part);
            }
        }
    }

    /// Whether there is room for a line; counts it if there is none.
    fn has_room(&mut self, bytes: usize) -> bool {
        let is_first = self.bytes == 0;
        self.bytes = self.bytes.saturating_add(bytes + LINE_OVERHEAD_BYTES);
        let has_room = self.bytes <= MAX_KEPT_BYTES || is_first;
        self.omitted += usize::from(!has_room);
        has_room
    }
}

/// The size of a message that a run reports.
fn part_bytes(part: &Part) -> usize {
    match part {
        Part::Log { text, .. } | Part::Trace { text, .. } => text.len(),
        Part::Info { lines } => lines.iter().map(String::len).sum(),
        _ => 0,
    }
}

impl Answer {
    /// Moves what the program has printed and logged so far into [`Answer::reported`], and returns
    /// it to be shown.
    pub fn take_progress(&mut self) -> Answer {
        let is_message = |part: &mut Part| {
            matches!(
                part,
                Part::Log { .. } | Part::Trace { .. } | Part::Info { .. }
            )
        };
        let progress = Answer {
            output: std::mem::take(&mut self.output),
            parts: self.parts.extract_if(.., is_message).collect(),
            ..Answer::new("")
        };
        self.reported
            .keep(progress.output.clone(), progress.parts.clone());
        progress
    }

    /// Moves what was reported back into the answer, because it has not been shown.
    pub fn restore_progress(&mut self) {
        let reported = &mut self.reported;
        self.output
            .splice(..0, std::mem::take(&mut reported.output));
        self.parts.splice(..0, std::mem::take(&mut reported.parts));
    }

    /// Everything that the program printed, as far as it is kept.
    pub fn all_output(&self) -> impl Iterator<Item = &String> {
        self.reported.output.iter().chain(&self.output)
    }

    /// Whether the program printed anything.
    pub fn has_output(&self) -> bool {
        !self.output.is_empty() || !self.reported.output.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::progress::*;

    #[test]
    fn an_answer_keeps_the_first_lines_and_counts_the_rest() {
        let mut answer = Answer::new("");
        let line = "x".repeat(1000);
        for _ in 0..100 {
            answer.output = vec![line.clone(); 100];
            assert_eq!(answer.take_progress().output.len(), 100);
        }
        let kept = answer.reported.output.len();
        assert_eq!(kept, MAX_KEPT_BYTES / (1000 + LINE_OVERHEAD_BYTES));
        assert_eq!(kept + answer.reported.omitted, 10_000);
        assert!(answer.output.is_empty());
    }

    #[test]
    fn a_single_long_line_is_kept() {
        let mut answer = Answer::new("");
        answer.output = vec!["x".repeat(2 * MAX_KEPT_BYTES)];
        answer.take_progress();
        assert_eq!(
            (answer.reported.output.len(), answer.reported.omitted),
            (1, 0)
        );
    }
}
