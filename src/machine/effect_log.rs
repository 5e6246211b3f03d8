//! The effects of a run: lines printed, numbers drawn, input read.
//!
//! The log itself is not part of the state; only the position in it is. That way a replay does not
//! log anything twice.

use crate::source::Span;

/// A line that was printed or shown on the board's message line.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// When the instruction that wrote it ran.
    pub time: u64,
    /// Where it is shown.
    pub channel: Channel,
    /// The value as printed: strings have no quotes.
    pub text: std::rc::Rc<str>,
    /// The code that wrote it; `None` if the instruction has no source.
    pub span: Option<Span>,
}

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// The program's standard output.
    Print,
    /// The board's message line, which shows only the latest text.
    Display,
    /// For the user; not part of the game.
    Warning,
    /// Like `Warning`, for information.
    Info,
}

/// A random number that was drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    /// When it was drawn.
    pub time: u64,
    /// Lower bound, inclusive.
    pub low: i64,
    /// Upper bound, exclusive.
    pub high: i64,
    /// The number drawn; `low <= value < high`.
    pub value: i64,
    /// Scripted by the user with `:rand next`.
    pub is_scripted: bool,
    /// The numbers count thousandths: 500 means 0.5.
    pub is_float: bool,
    /// The expression that drew it; `None` if the instruction has no source.
    pub span: Option<Span>,
}

impl Draw {
    /// Minimum, maximum and value, formatted for the user.
    pub fn to_display_parts(&self) -> (String, String, String) {
        let format = |n: i64| {
            if self.is_float {
                (n as f64 / 1000.0).to_string()
            } else {
                n.to_string()
            }
        };
        (format(self.low), format(self.high - 1), format(self.value))
    }
}

/// All effects of a run.
#[derive(Clone, Default, Debug)]
pub struct EffectLog {
    /// Everything written, on all channels, in ascending order of time.
    pub outputs: Vec<Output>,
    /// Random and scripted draws, in ascending order of time.
    pub draws: Vec<Draw>,
    /// Lines of input, in the order in which the program asked for them.
    pub answers: Vec<std::rc::Rc<str>>,
    /// Approximate size, for the memory limit.
    pub(super) bytes: u64,
}

/// A position in the log: how many entries of each kind precede it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogPosition {
    /// Number of preceding [`EffectLog::outputs`].
    pub outputs: u32,
    /// Number of preceding [`EffectLog::draws`].
    pub draws: u32,
    /// Number of preceding [`EffectLog::answers`].
    pub answers: u32,
}

impl LogPosition {
    /// The number of entries between two positions.
    pub fn since(self, other: LogPosition) -> LogPosition {
        LogPosition {
            outputs: self.outputs.saturating_sub(other.outputs),
            draws: self.draws.saturating_sub(other.draws),
            answers: self.answers.saturating_sub(other.answers),
        }
    }
}

impl EffectLog {
    /// Drops everything after a position.
    pub fn truncate(&mut self, at: LogPosition) {
        self.outputs.truncate(at.outputs as usize);
        self.draws.truncate(at.draws as usize);
        self.answers.truncate(at.answers as usize);
    }

    /// Removes and returns everything after a position.
    pub(super) fn split_off(&mut self, at: LogPosition) -> EffectLog {
        let tail = self.tail(at);
        self.truncate(at);
        tail
    }

    /// A copy of everything after a position.
    fn tail(&self, at: LogPosition) -> EffectLog {
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

    /// Appends what `split_off` removed.
    pub fn append(&mut self, tail: EffectLog) {
        self.outputs.extend(tail.outputs);
        self.draws.extend(tail.draws);
        self.answers.extend(tail.answers);
    }

    /// Advances the position past an output; logs it unless this is a replay.
    pub(super) fn push_output(&mut self, position: &mut LogPosition, output: Output) {
        if self.outputs.len() == position.outputs as usize {
            self.bytes += output.text.len() as u64 + size_of::<Output>() as u64;
            self.outputs.push(output);
        }
        position.outputs += 1;
    }

    /// Advances the position past a draw; logs it unless this is a replay.
    pub(super) fn push_draw(&mut self, position: &mut LogPosition, draw: Draw) {
        if self.draws.len() == position.draws as usize {
            self.bytes += size_of::<Draw>() as u64;
            self.draws.push(draw);
        }
        position.draws += 1;
    }
}

impl super::Machine {
    /// Removes and returns the output so far; for batch runs, which have no history.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        self.log_position.outputs = 0;
        self.log.bytes = 0;
        std::mem::take(&mut self.log.outputs)
    }
}
