//! Describes the call stack.

use crate::Target;
use crate::answer::{CallStack, Frame, StackEntry};
use crate::code::FunctionId;
use crate::frame::frames;
use crate::run;
use crate::source::Span;
use std::ops::Range;

/// The longest cycle of mutually recursive functions that is folded.
const MAX_CYCLE_FRAMES: usize = 3;

/// The call stack with repeated frames folded. With a limit, only the innermost entries.
pub fn call_stack(target: &mut Target, limit: Option<usize>) -> CallStack {
    let visible = frames::visible_frames(target);
    let keys: Vec<Option<(FunctionId, Span)>> = visible
        .iter()
        .map(|n| frames::frame_info(target, *n).map(|frame| (frame.function, frame.span)))
        .collect();
    let entries = fold_cycles(&keys)
        .into_iter()
        .take(limit.unwrap_or(usize::MAX))
        .filter_map(|folded| match folded {
            Folded::Single(n) => {
                let frame = frame(target, n, *visible.get(n)?)?;
                Some(StackEntry::Frame(Box::new(frame)))
            }
            Folded::Repeated(frames) => Some(StackEntry::Repeated { frames }),
        })
        .collect();
    CallStack {
        depth: visible.len(),
        current: frames::selected_frame_number(target),
        entries,
        is_short: limit.is_none(),
    }
}

/// Selects the frame with this number among the visible ones, and describes it; `None` if it
/// does not exist.
pub fn select_frame(target: &mut Target, number: usize) -> Option<CallStack> {
    let visible = frames::visible_frames(target);
    let from_top = *visible.get(number)?;
    target.debugger.selected_frame = from_top;
    let frame = frame(target, number, from_top)?;
    Some(CallStack {
        depth: visible.len(),
        current: number,
        entries: vec![StackEntry::Frame(Box::new(frame))],
        is_short: false,
    })
}

/// The frame with this number and this distance from the top of the machine's stack.
fn frame(target: &mut Target, index: usize, from_top: usize) -> Option<Frame> {
    let info = frames::frame_info(target, from_top)?;
    let statement = run::frame_statement(target, from_top)?;
    let shown = statement.shown;
    let text = target.sources.get(shown.source).map(|source| {
        let (line, _) = source.line_column(shown.start);
        source.line(line).trim().to_string()
    });
    Some(Frame {
        index,
        kind: info.kind,
        range: target.source_range(shown),
        statement: text.unwrap_or_default(),
        has_run: statement.next.is_none(),
        cell: frames::handler_cell_text(target, from_top),
        is_current: from_top == target.debugger.selected_frame,
        is_hidden: info.is_hidden,
        is_old_code: !target.is_current_code(info.function),
        function: info.name,
    })
}

/// Part of a list of frames, which are given by their position.
#[derive(PartialEq, Debug)]
enum Folded {
    Single(usize),
    /// Frames that repeat the ones before.
    Repeated(Range<usize>),
}

/// Folds repeated sequences of frames, as recursion leaves them: each becomes its first occurrence,
/// a `Repeated` entry, and its last occurrence.
fn fold_cycles<K: PartialEq>(keys: &[K]) -> Vec<Folded> {
    let mut entries = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let repeats = |period: usize| {
            (at..keys.len() - period)
                .take_while(|n| keys[*n] == keys[*n + period])
                .count()
        };
        let fits = |period: &usize| {
            at + period < keys.len() && repeats(*period) / period >= 2 && repeats(*period) > 2
        };
        let Some(period) = (1..=MAX_CYCLE_FRAMES).find(fits) else {
            entries.push(Folded::Single(at));
            at += 1;
            continue;
        };
        let len = (repeats(period) / period + 1) * period;
        entries.extend((at..at + period).map(Folded::Single));
        entries.push(Folded::Repeated(at + period..at + len - period));
        entries.extend((at + len - period..at + len).map(Folded::Single));
        at += len;
    }
    entries
}

#[cfg(test)]
mod tests {
    use crate::frame::call_stack::*;

    /// The entries as text: `a` a frame, `<n>` repeated frames.
    fn fold(keys: &str) -> String {
        let keys: Vec<char> = keys.chars().collect();
        let text = |entry: &Folded| match entry {
            Folded::Single(n) => keys[*n].to_string(),
            Folded::Repeated(range) => format!("<{}>", range.len()),
        };
        fold_cycles(&keys).iter().map(text).collect()
    }

    #[test]
    fn repeated_frames_are_folded() {
        assert_eq!(fold("abc"), "abc");
        assert_eq!(fold("aab"), "aab");
        assert_eq!(fold("aaab"), "aaab", "three frames are not folded");
        assert_eq!(fold("aaaab"), "a<2>ab");
        assert_eq!(fold(&format!("x{}y", "a".repeat(100_000))), "xa<99998>ay");
    }

    #[test]
    fn mutually_recursive_functions_are_folded() {
        assert_eq!(fold(&format!("x{}y", "ab".repeat(50_000))), "xab<99996>aby");
        assert_eq!(
            fold(&format!("{}y", "abc".repeat(50_000))),
            "abc<149994>abcy"
        );
        assert_eq!(fold("ababy"), "ababy");
    }

    #[test]
    fn every_frame_is_listed_or_counted() {
        for keys in [
            "aaaaabbbbbcccccddddd",
            "abcabcabcxyzxyzxyz",
            "aabbaabbaabbaabb",
            "aaaabaaaacaaaadaaaae",
        ] {
            let text = fold(keys);
            let counted: usize = text
                .split(['<', '>'])
                .map(|part| part.parse().unwrap_or(part.len()))
                .sum();
            assert_eq!(counted, keys.len(), "{keys}: {text}");
            assert!(fold_cycles(&keys.chars().collect::<Vec<_>>()).len() <= keys.len());
        }
    }
}
