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
    Note,
}

/// A random number that was drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    pub time: u64,
    pub low: i64,
    pub high: i64,
    pub value: i64,
    /// Chosen by hand.
    pub chosen: bool,
    /// It is counted in thousandths, and stands for a number with three places.
    pub decimal: bool,
    /// Where that stands in the text.
    pub span: Option<Span>,
}

impl Draw {
    /// The least and the most that it could be, and what it is, as a person writes them.
    pub fn words(&self) -> (String, String, String) {
        let word = |n: i64| {
            if self.decimal {
                (n as f64 / 1000.0).to_string()
            } else {
                n.to_string()
            }
        };
        (word(self.low), word(self.high - 1), word(self.value))
    }
}

#[derive(Clone, Default, Debug)]
pub struct Log {
    pub outputs: Vec<Output>,
    pub draws: Vec<Draw>,
    /// What was answered to the questions of the program.
    pub answers: Vec<std::rc::Rc<str>>,
    pub bytes: u64,
}

/// How much of the log has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    pub outputs: u32,
    pub draws: u32,
    pub answers: u32,
}

impl Written {
    /// How much more this is than another.
    pub fn since(self, other: Written) -> Written {
        Written {
            outputs: self.outputs.saturating_sub(other.outputs),
            draws: self.draws.saturating_sub(other.draws),
            answers: self.answers.saturating_sub(other.answers),
        }
    }
}

impl Log {
    /// Forgets what has not happened any more.
    pub fn cut(&mut self, at: Written) {
        self.outputs.truncate(at.outputs as usize);
        self.draws.truncate(at.draws as usize);
        self.answers.truncate(at.answers as usize);
    }

    /// Takes out what lies beyond a moment: it belongs to a future that is left.
    pub fn split(&mut self, at: Written) -> Log {
        let tail = self.beyond(at);
        self.cut(at);
        tail
    }

    /// What lies beyond a moment.
    pub fn beyond(&self, at: Written) -> Log {
        Log {
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
    pub fn join(&mut self, tail: Log) {
        self.outputs.extend(tail.outputs);
        self.draws.extend(tail.draws);
        self.answers.extend(tail.answers);
    }

    pub fn output(&mut self, written: &mut Written, output: Output) {
        if self.outputs.len() == written.outputs as usize {
            self.bytes += output.text.len() as u64 + size_of::<Output>() as u64;
            self.outputs.push(output);
        }
        written.outputs += 1;
    }

    pub fn draw(&mut self, written: &mut Written, draw: Draw) {
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
        self.written.outputs = 0;
        self.log.bytes = 0;
        std::mem::take(&mut self.log.outputs)
    }
}
