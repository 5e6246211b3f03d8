//! The statements that assign to a flag or field, and what they did in a run.

use super::test::{leaf_tests, test_count};
use crate::answer::{FlagWrite, TestSummary, UnexecutedWrite, WriteExecution};
use crate::code::{FunctionId, FunctionKind, Instr};
use crate::debugger::Target;
use crate::debugger::recorder::ValueProfile;
use crate::evaluation;
use crate::source::Span;
use crate::why_not;

/// A statement that assigns to a flag, and its function.
pub(crate) type Write = (FunctionId, Span);

/// The statements of the user's code that assign to a variable after the setup.
pub(crate) fn global_writes(target: &Target, global: u32) -> Vec<Write> {
    writes(target, |instr| {
        instr.flow().global_written() == Some(global)
    })
}

/// The statements of the user's code that assign to a field of records after the setup.
pub(crate) fn field_writes(target: &Target, item: u16, field: &str) -> Vec<Write> {
    let sets_field = |instr: &Instr| matches!(instr, Instr::SetItem { item: n, .. } if *n == item);
    let mut writes = writes(target, |instr| match instr {
        // Fields that the rules depend on are set by a function of the rules.
        Instr::Call { function, .. } => target
            .program()
            .function(*function)
            .is_some_and(|f| f.kind == FunctionKind::Rules && f.code.iter().any(sets_field)),
        _ => sets_field(instr),
    });
    // Another kind of record may have another field at the same index.
    let field = format!(".{field}");
    writes.retain(|(_, span)| target.sources.slice(*span).contains(&field));
    writes
}

fn writes(target: &Target, is_write: impl Fn(&Instr) -> bool) -> Vec<Write> {
    let mut writes = Vec::new();
    let is_included = |kind| {
        matches!(
            kind,
            FunctionKind::Condition | FunctionKind::Handler | FunctionKind::Function
        )
    };
    for (n, function) in target.program().functions.iter().enumerate() {
        if !is_included(function.kind) {
            continue;
        }
        for (pc, instr) in function.code.iter().enumerate() {
            if is_write(instr)
                && let Some(stop) = function.stop_point_before(pc as u32)
            {
                writes.push((FunctionId(n as u32), stop.span));
            }
        }
    }
    writes.dedup();
    writes
}

/// What an assignment did in a run of its function.
pub(crate) fn describe_write(
    target: &Target,
    (function, span): Write,
    profile: &ValueProfile,
) -> Option<FlagWrite> {
    let range = target.source_range(span)?;
    let false_tests: Vec<_> = leaf_tests(profile)
        .into_iter()
        .filter(|t| span.contains(t.span) && t.false_count > 0)
        .collect();
    let execution = match false_tests.iter().find(|t| t.span == span) {
        Some(test) => WriteExecution::WasFalse {
            count: test_count(test),
            variables: evaluation::variables_read(target, function, span),
        },
        None => WriteExecution::Ran {
            count: run_count(target, function, span, profile),
            false_tests: false_tests
                .into_iter()
                .map(|t| TestSummary {
                    text: target.sources.slice_single_line(t.span),
                    count: test_count(t),
                })
                .collect(),
        },
    };
    Some(FlagWrite {
        range,
        statement: target.sources.slice_single_line(span),
        execution,
    })
}

/// How often a statement ran.
fn run_count(target: &Target, function: FunctionId, span: Span, profile: &ValueProfile) -> usize {
    let stop = target
        .machine
        .function(function)
        .and_then(|f| f.stop_points.iter().find(|s| s.span == span));
    stop.and_then(|s| profile.stop_counts.get(&(function.0, s.pc)))
        .copied()
        .unwrap_or(0)
}

/// Statements that would make it true, but were not run.
pub(crate) fn unexecuted_writes<'w>(
    target: &Target,
    writes: impl Iterator<Item = &'w Write>,
) -> Vec<UnexecutedWrite> {
    writes
        .filter_map(|(function, span)| {
            Some(UnexecutedWrite {
                range: target.source_range(*span)?,
                statement: target.sources.slice_single_line(*span),
                function: why_not::function_name(target, *function),
                variables: evaluation::variables_read(target, *function, *span),
            })
        })
        .collect()
}
