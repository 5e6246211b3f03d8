//! What a run does to the world outside: lines printed, numbers drawn, answers taken.
//!
//! The log is not part of the state, only how far it has been written is: running again after going back
//! writes nothing twice. Every record knows its time.

use crate::source::Span;

/// A line that was printed, or shown on the board's message line.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    pub time: u64,
    pub channel: Channel,
    pub text: std::rc::Rc<str>,
    /// Where that stands in the text.
    pub span: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    Print,
    Display,
    /// For the person at the prompt, not part of the game.
    Warning,
    /// The same, where nothing is amiss.
    Info,
}

/// A random number that was drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    pub time: u64,
    pub low: i64,
    pub high: i64,
    pub value: i64,
    /// Chosen by hand.
    pub is_scripted: bool,
    /// It is counted in thousandths, and stands for a number with three places.
    pub is_float: bool,
    /// Where that stands in the text.
    pub span: Option<Span>,
}

impl Draw {
    /// The least and the most that it could be, and what it is, as a person writes them.
    pub fn to_display_parts(&self) -> (String, String, String) {
        let word = |n: i64| {
            if self.is_float {
                (n as f64 / 1000.0).to_string()
            } else {
                n.to_string()
            }
        };
        (word(self.low), word(self.high - 1), word(self.value))
    }
}

#[derive(Clone, Default, Debug)]
pub struct EffectLog {
    pub outputs: Vec<Output>,
    pub draws: Vec<Draw>,
    /// What was answered to the questions of the program.
    pub answers: Vec<std::rc::Rc<str>>,
    pub bytes: u64,
}

/// How much of the log has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogPosition {
    pub outputs: u32,
    pub draws: u32,
    pub answers: u32,
}

impl LogPosition {
    /// How much more this is than another.
    pub fn since(self, other: LogPosition) -> LogPosition {
        LogPosition {
            outputs: self.outputs.saturating_sub(other.outputs),
            draws: self.draws.saturating_sub(other.draws),
            answers: self.answers.saturating_sub(other.answers),
        }
    }
}

impl EffectLog {
    /// Forgets what has not happened any more.
    pub fn truncate(&mut self, at: LogPosition) {
        self.outputs.truncate(at.outputs as usize);
        self.draws.truncate(at.draws as usize);
        self.answers.truncate(at.answers as usize);
    }

    /// Takes out what lies beyond a moment: it belongs to a future that is left.
    pub fn split_off(&mut self, at: LogPosition) -> EffectLog {
        let tail = self.tail(at);
        self.truncate(at);
        tail
    }

    /// What lies beyond a moment.
    pub fn tail(&self, at: LogPosition) -> EffectLog {
        EffectLog {
            outputs: self
                .outputs
                .get(at.outputs as usize..)
                .unwrap_or_default()
                .to_vec(),
            draws: self
                .draws
                .get(at.draws as usize..)
                .unwrap_or_default()
                .to_vec(),
            answers: self
                .answers
                .get(at.answers as usize..)
                .unwrap_or_default()
                .to_vec(),
            bytes: 0,
        }
    }

    /// A future is there again.
    pub fn append(&mut self, tail: EffectLog) {
        self.outputs.extend(tail.outputs);
        self.draws.extend(tail.draws);
        self.answers.extend(tail.answers);
    }

    pub fn push_output(&mut self, written: &mut LogPosition, output: Output) {
        if self.outputs.len() == written.outputs as usize {
            self.bytes += output.text.len() as u64 + size_of::<Output>() as u64;
            self.outputs.push(output);
        }
        written.outputs += 1;
    }

    pub fn push_draw(&mut self, written: &mut LogPosition, draw: Draw) {
        if self.draws.len() == written.draws as usize {
            self.bytes += size_of::<Draw>() as u64;
            self.draws.push(draw);
        }
        written.draws += 1;
    }
}

impl super::Machine {
    /// What was printed since the last time, taken out of the log: for runs that nobody goes back in.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        self.log_position.outputs = 0;
        self.log.bytes = 0;
        std::mem::take(&mut self.log.outputs)
    }
}
