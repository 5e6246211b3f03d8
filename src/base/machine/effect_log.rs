//! The effects of a run: lines printed, numbers drawn, input read.
//!
//! The log itself is not part of the state; only the position in it is. That way a replay does not
//! log anything twice.

use super::Channel;
use crate::source::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// A line that was printed or shown on the board's message line.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// When the instruction that wrote it ran.
    pub time: u64,
    /// Where it is shown.
    pub channel: Channel,
    /// The value as printed: strings have no quotes.
    pub text: Rc<str>,
    /// The code that wrote it; `None` if the instruction has no source.
    pub span: Option<Span>,
    /// How many outputs there are on [`Channel::Print`] up to this one, including it.
    pub number: u64,
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

/// A log that may have forgotten its oldest items. Positions count all items ever logged.
#[derive(Clone, Debug)]
pub struct RecentItems<T> {
    /// The number of items forgotten, which is the position of the first one kept.
    first: u64,
    items: VecDeque<T>,
    /// Approximate size of the items kept.
    bytes: u64,
}

impl<T> Default for RecentItems<T> {
    fn default() -> Self {
        RecentItems {
            first: 0,
            items: VecDeque::new(),
            bytes: 0,
        }
    }
}

impl<T: LogItem> RecentItems<T> {
    /// The position after the last item.
    pub fn end(&self) -> u64 {
        self.first + self.items.len() as u64
    }

    /// The item at a position; `None` if it is forgotten or not logged yet.
    pub fn get(&self, position: u64) -> Option<&T> {
        let index = position.checked_sub(self.first)?;
        self.items.get(index as usize)
    }

    /// The items kept, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// The items between two positions that are kept, each with its position.
    pub fn range(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &T)> {
        let from = from.clamp(self.first, self.end());
        let to = to.clamp(from, self.end());
        let items = self
            .items
            .range((from - self.first) as usize..(to - self.first) as usize);
        (from..).zip(items)
    }

    /// Adds an item, and forgets the oldest ones if there are more than `max_bytes`.
    fn push(&mut self, item: T, max_bytes: u64) {
        self.bytes += item.bytes();
        self.items.push_back(item);
        while self.bytes > max_bytes && self.items.len() > 1 {
            self.forget_first();
        }
    }

    fn forget_first(&mut self) {
        if let Some(item) = self.items.pop_front() {
            self.bytes -= item.bytes();
            self.first += 1;
        }
    }

    /// Removes and returns everything.
    pub(super) fn take(&mut self) -> VecDeque<T> {
        self.first = self.end();
        self.bytes = 0;
        std::mem::take(&mut self.items)
    }

    /// Removes and returns everything from a position on.
    fn split_off(&mut self, at: u64) -> RecentItems<T> {
        let kept = at.saturating_sub(self.first).min(self.items.len() as u64);
        let tail = self.items.split_off(kept as usize);
        let first = self.first + kept;
        let bytes = tail.iter().map(LogItem::bytes).sum();
        self.bytes -= bytes;
        // If `at` is among the forgotten items, the log now ends there.
        self.first = self.first.min(at);
        RecentItems {
            first,
            items: tail,
            bytes,
        }
    }

    /// Appends what `split_off` removed. If it has forgotten its first items, the items before them
    /// are forgotten as well.
    fn append(&mut self, mut tail: RecentItems<T>) {
        if tail.first != self.end() {
            *self = tail;
            return;
        }
        self.bytes += tail.bytes;
        self.items.append(&mut tail.items);
    }
}

/// An item of the effect log.
pub trait LogItem {
    /// Its approximate size.
    fn bytes(&self) -> u64;
}

impl LogItem for Output {
    fn bytes(&self) -> u64 {
        // The text has its own allocation.
        (size_of::<Output>() + self.text.len() + ALLOCATION_OVERHEAD_BYTES) as u64
    }
}

impl LogItem for Draw {
    fn bytes(&self) -> u64 {
        size_of::<Draw>() as u64
    }
}

impl LogItem for Rc<str> {
    fn bytes(&self) -> u64 {
        (self.len() + ALLOCATION_OVERHEAD_BYTES) as u64
    }
}

/// Estimated overhead of a text: its reference counts and its allocation.
const ALLOCATION_OVERHEAD_BYTES: usize = 32;

/// All effects of a run. Of the output and the draws, only the last ones are kept: nothing that
/// runs depends on them.
#[derive(Clone, Default, Debug)]
pub struct EffectLog {
    /// Everything written, on all channels, in ascending order of time.
    pub outputs: RecentItems<Output>,
    /// Random and scripted draws, in ascending order of time.
    pub draws: RecentItems<Draw>,
    /// Lines of input, in the order in which the program asked for them.
    pub answers: RecentItems<Rc<str>>,
    /// The size of the output since [`super::Machine::mark_output_read`].
    pub(super) unread_bytes: u64,
}

/// A position in the log: how many entries of each kind precede it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogPosition {
    /// Number of preceding [`EffectLog::outputs`].
    pub outputs: u64,
    /// How many of them are on [`Channel::Print`].
    pub prints: u64,
    /// Number of preceding [`EffectLog::draws`].
    pub draws: u64,
    /// Number of preceding [`EffectLog::answers`].
    pub answers: u64,
}

impl EffectLog {
    /// Its approximate size.
    pub fn bytes(&self) -> u64 {
        self.outputs.bytes + self.draws.bytes + self.answers.bytes
    }

    /// The lines that the program has printed since a position.
    pub fn printed_since(&self, from: LogPosition) -> Vec<String> {
        let outputs = self.outputs.range(from.outputs, u64::MAX);
        let printed = outputs.filter(|(_, output)| output.channel == Channel::Print);
        printed.map(|(_, output)| output.text.to_string()).collect()
    }

    /// Drops everything after a position.
    pub fn truncate(&mut self, at: LogPosition) {
        self.split_off(at);
    }

    /// Removes and returns everything after a position.
    pub(super) fn split_off(&mut self, at: LogPosition) -> EffectLog {
        EffectLog {
            outputs: self.outputs.split_off(at.outputs),
            draws: self.draws.split_off(at.draws),
            answers: self.answers.split_off(at.answers),
            unread_bytes: 0,
        }
    }

    /// Appends what `split_off` removed.
    pub fn append(&mut self, tail: EffectLog) {
        self.outputs.append(tail.outputs);
        self.draws.append(tail.draws);
        self.answers.append(tail.answers);
    }

    /// Advances the position past an output; logs it unless this is a replay.
    pub(super) fn push_output(
        &mut self,
        position: &mut LogPosition,
        output: Output,
        max_bytes: u64,
    ) {
        let is_print = output.channel == Channel::Print;
        if self.outputs.end() == position.outputs {
            self.unread_bytes += output.bytes();
            self.outputs.push(output, max_bytes);
        }
        position.outputs += 1;
        position.prints += u64::from(is_print);
    }

    /// Advances the position past a draw; logs it unless this is a replay.
    pub(super) fn push_draw(&mut self, position: &mut LogPosition, draw: Draw, max_bytes: u64) {
        if self.draws.end() == position.draws {
            self.draws.push(draw, max_bytes);
        }
        position.draws += 1;
    }

    /// The position after everything that is logged. `now` is the current position, which is not
    /// after it.
    pub(super) fn end(&self, now: LogPosition) -> LogPosition {
        LogPosition {
            outputs: self.outputs.end(),
            prints: self.outputs.items.back().map_or(now.prints, |o| o.number),
            draws: self.draws.end(),
            answers: self.answers.end(),
        }
    }

    /// Logs a line of input, which replaces those after the position.
    pub(super) fn push_answer(&mut self, position: LogPosition, line: &str) {
        self.answers.split_off(position.answers);
        self.answers.push(line.into(), u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(number: u64) -> Output {
        Output {
            time: number,
            channel: Channel::Print,
            text: "0123456789".into(),
            span: None,
            number,
        }
    }

    /// A log with the outputs 1 to `count`, of which it keeps about ten.
    fn log(count: u64) -> (EffectLog, LogPosition) {
        let (mut log, mut position) = (EffectLog::default(), LogPosition::default());
        for n in 1..=count {
            log.push_output(&mut position, output(n), 10 * output(0).bytes());
        }
        (log, position)
    }

    fn numbers(log: &EffectLog) -> Vec<u64> {
        log.outputs.iter().map(|o| o.number).collect()
    }

    #[test]
    fn the_oldest_output_is_forgotten() {
        let (log, position) = log(100);
        assert_eq!(numbers(&log), (91..=100).collect::<Vec<_>>());
        assert_eq!((position.outputs, log.outputs.end()), (100, 100));
        assert_eq!(log.outputs.get(89), None);
        assert_eq!(log.outputs.get(90).map(|o| o.number), Some(91));
        let range: Vec<u64> = log.outputs.range(0, 92).map(|(at, _)| at).collect();
        assert_eq!(range, [90, 91]);
    }

    #[test]
    fn a_replay_from_forgotten_times_logs_nothing_twice() {
        let (mut log, _) = log(100);
        let mut position = LogPosition::default();
        for n in 1..=101 {
            log.push_output(&mut position, output(n), u64::MAX);
        }
        assert_eq!(numbers(&log), (91..=101).collect::<Vec<_>>());
    }

    #[test]
    fn a_tail_returns_to_its_place() {
        let (mut log, mut at) = log(100);
        at.outputs = 95;
        let tail = log.split_off(at);
        assert_eq!(numbers(&log), (91..=95).collect::<Vec<_>>());
        assert_eq!(numbers(&tail), (96..=100).collect::<Vec<_>>());
        log.append(tail);
        assert_eq!(numbers(&log), (91..=100).collect::<Vec<_>>());
        // The same from a position that is forgotten.
        at.outputs = 20;
        let tail = log.split_off(at);
        assert_eq!((numbers(&log), log.outputs.end()), (vec![], 20));
        assert_eq!(log.outputs.bytes, 0);
        log.append(tail);
        assert_eq!(numbers(&log), (91..=100).collect::<Vec<_>>());
        assert_eq!(log.outputs.bytes, 10 * output(0).bytes());
    }
}
