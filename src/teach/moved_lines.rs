//! Where the lines of a file are after it was changed.

use crate::session::TranscriptEntry;
use similar::{Algorithm, DiffOp};

/// The lines of two versions of a file that correspond to each other.
pub(crate) struct MovedLines(Vec<DiffOp>);

/// Commands whose first argument can be the number of a line.
const WITH_LINE: [&str; 4] = ["break", "tbreak", "log", "until"];

impl MovedLines {
    /// Compares two versions.
    pub(crate) fn new(old: Option<&str>, new: Option<&str>) -> MovedLines {
        let lines = |text: Option<&str>| -> Vec<String> {
            let lines = text.unwrap_or_default().lines();
            lines.map(|line| line.trim().to_string()).collect()
        };
        let ops = similar::capture_diff_slices(Algorithm::Myers, &lines(old), &lines(new));
        MovedLines(ops)
    }

    /// The line in the new version that corresponds to one of the old version, counted from 1.
    pub(crate) fn line(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        let op = self.0.iter().find(|op| op.old_range().contains(&index));
        let Some(op) = op else {
            return line;
        };
        let (old, new) = (op.old_range(), op.new_range());
        let offset = (index - old.start).min(new.len().saturating_sub(1));
        (new.start + offset) as u32 + 1
    }

    /// The input of a line that was typed, with the number of the line that it refers to now. A command
    /// has its colon, so that it is a command even if the program does not stop any more.
    pub(crate) fn command(&self, typed: &TranscriptEntry) -> String {
        let input = &typed.input;
        let Some(command) = typed.command else {
            return input.clone();
        };
        let body = input.trim_start().trim_start_matches(':').trim_start();
        let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let (location, options) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let has_line = WITH_LINE.contains(&command);
        match location.parse::<u32>() {
            Ok(line) if has_line => {
                let line = self.line(line);
                format!(":{word} {line} {options}").trim_end().to_string()
            }
            _ => format!(":{body}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_their_text() {
        let moved = MovedLines::new(Some("a\nb\nc\nd"), Some("x\na\nB\nd"));
        let lines: Vec<u32> = (1..=5).map(|line| moved.line(line)).collect();
        assert_eq!(lines, [2, 3, 3, 4, 5]);
    }
}
