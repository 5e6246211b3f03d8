//! Why a flag such as `win` is false: runs the condition that sets it on the current board, and
//! reports which tests were false, how often, and which change would make it true.

use super::counterfactual::DesiredOutcome;
use super::test::leaf_tests;
use crate::code::{FunctionId, FunctionKind, Instr};
use crate::debugger::Target;
use crate::debugger::api::{
    CommandError, FalseFlag, FlagResult, FlagWrite, FlagWriter, SourceRange, TestCount,
    TestSummary, UnexecutedWrite, UnknownPiece, WhyNot, WriteExecution,
};
use crate::debugger::recorder::ValueProfile;
use crate::diagnostic::closest_match;
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeSet;

/// The rank of conditions, see `Target::rank`.
const CONDITION_RANK: u8 = 3;

/// A statement that assigns to a flag, and its function.
type Write = (FunctionId, Span);

impl Target {
    /// Explains why a variable is not true.
    pub fn why_not_flag(&mut self, name: &str) -> Result<WhyNot, CommandError> {
        let Some(global) = self.program().global(name) else {
            return Err(CommandError::new(format!(
                "`{name}` is not a variable that can be true or false"
            )));
        };
        match self.machine.store.globals.get(global as usize) {
            Some(&Value::TRUE) => {
                return Ok(WhyNot::TrueFlag {
                    name: name.to_string(),
                });
            }
            Some(&Value::FALSE) | None => {}
            Some(value) => {
                let value = self.format_value(*value);
                return Err(CommandError::new(format!(
                    "{name} is {value}, not true or false; `:why {name}` shows how it got that value"
                )));
            }
        }
        let writes = self.writes(global);
        let explained = self.functions_to_explain(&writes);
        let writers = explained
            .iter()
            .map(|function| self.run_writer(*function, global, &writes))
            .collect();
        Ok(WhyNot::FalseFlag(FalseFlag {
            name: name.to_string(),
            writers,
            other_writes: self.unexecuted_writes(&writes, &explained),
        }))
    }

    /// The functions that are most likely meant to set a flag. The game checks all conditions; of
    /// other functions, one is enough.
    fn functions_to_explain(&self, writes: &[Write]) -> Vec<FunctionId> {
        let Some(best_rank) = writes.iter().map(|(f, _)| self.rank(*f)).max() else {
            return Vec::new();
        };
        let mut functions: Vec<FunctionId> = writes
            .iter()
            .map(|(f, _)| *f)
            .filter(|f| self.rank(*f) == best_rank)
            .collect();
        functions.dedup();
        if best_rank != CONDITION_RANK {
            functions.truncate(1);
        }
        functions
    }

    /// How likely a function is to be the one that should set a flag: conditions rank before
    /// handlers, handlers before other functions.
    fn rank(&self, function: FunctionId) -> u8 {
        match self.machine.function(function).map(|f| f.kind) {
            Some(FunctionKind::Condition) => CONDITION_RANK,
            Some(FunctionKind::Handler) => 2,
            Some(FunctionKind::Function) => 1,
            _ => 0,
        }
    }

    /// The statements of the user's code that assign to a variable.
    fn writes(&self, global: u32) -> Vec<Write> {
        let mut writes = Vec::new();
        for (n, function) in self.program().functions.iter().enumerate() {
            if matches!(function.kind, FunctionKind::Rules | FunctionKind::Entry) {
                continue;
            }
            for (pc, instr) in function.code.iter().enumerate() {
                if instr.global_written() == Some(global)
                    && let Some(stop) = function.stop_point_before(pc as u32)
                {
                    writes.push((FunctionId(n as u32), stop.span));
                }
            }
        }
        writes
    }

    /// Runs a function that could make a variable true, and explains why it does not.
    fn run_writer(&mut self, function: FunctionId, global: u32, writes: &[Write]) -> FlagWriter {
        let (profile, becomes_true) = self.with_rollback(|target| {
            let profile = target.profile_run(function);
            let value = target.machine.store.globals.get(global as usize);
            (profile, value == Some(&Value::TRUE))
        });
        let own_writes = writes.iter().filter(|(f, _)| *f == function);
        let result = if becomes_true {
            FlagResult::BecomesTrue
        } else {
            let write_spans: Vec<Span> = writes.iter().map(|(_, span)| *span).collect();
            let desired = DesiredOutcome::GlobalTrue(global);
            FlagResult::StaysFalse {
                tests: self.tests(&profile, &write_spans),
                search: self.search_counterfactuals(&profile, function, desired),
                unknown_pieces: self.unknown_pieces(&profile),
            }
        };
        FlagWriter {
            function: self.function_name(function),
            range: self.definition_range(function),
            writes: own_writes
                .filter_map(|write| self.describe_write(*write, &profile))
                .collect(),
            result,
        }
    }

    fn definition_range(&self, function: FunctionId) -> Option<SourceRange> {
        let span = self.machine.function(function)?.span;
        self.source_range(span)
    }

    /// What an assignment did in a run of its function.
    fn describe_write(&self, (function, span): Write, profile: &ValueProfile) -> Option<FlagWrite> {
        let range = self.source_range(span)?;
        let false_tests: Vec<_> = leaf_tests(profile)
            .into_iter()
            .filter(|t| span.contains(t.span) && t.false_count > 0)
            .collect();
        let execution = match false_tests.iter().find(|t| t.span == span) {
            Some(test) => WriteExecution::WasFalse {
                count: TestCount::from(*test),
                variables: self.variables_read(function, span),
            },
            None => WriteExecution::Ran {
                count: self.run_count(function, span, profile),
                false_tests: false_tests
                    .into_iter()
                    .map(|t| TestSummary {
                        text: self.sources.slice_single_line(t.span),
                        count: TestCount::from(t),
                    })
                    .collect(),
            },
        };
        Some(FlagWrite {
            range,
            statement: self.sources.slice_single_line(span),
            execution,
        })
    }

    /// How often a statement ran.
    fn run_count(&self, function: FunctionId, span: Span, profile: &ValueProfile) -> usize {
        let stop = self
            .machine
            .function(function)
            .and_then(|f| f.stop_points.iter().find(|s| s.span == span));
        stop.and_then(|s| profile.stop_counts.get(&(function.0, s.pc)))
            .copied()
            .unwrap_or(0)
    }

    /// The statements in other functions that would set the variable.
    fn unexecuted_writes(
        &self,
        writes: &[Write],
        explained: &[FunctionId],
    ) -> Vec<UnexecutedWrite> {
        let others = writes
            .iter()
            .filter(|(f, _)| !explained.contains(f) && self.rank(*f) > 0);
        others
            .filter_map(|(function, span)| {
                Some(UnexecutedWrite {
                    range: self.source_range(*span)?,
                    statement: self.sources.slice_single_line(*span),
                    function: self.function_name(*function),
                    variables: self.variables_read(*function, *span),
                })
            })
            .collect()
    }

    /// Names that are compared with names of pieces in the functions that ran, but that no piece
    /// has.
    fn unknown_pieces(&self, profile: &ValueProfile) -> Vec<UnknownPiece> {
        let program = self.program();
        let kinds: Vec<&str> = program
            .piece_kinds
            .iter()
            .map(|k| k.name.as_str())
            .collect();
        let mut unknown: Vec<UnknownPiece> = Vec::new();
        let functions: BTreeSet<u32> = profile.stop_counts.keys().map(|(f, _)| *f).collect();
        for function in functions
            .iter()
            .filter_map(|f| program.function(FunctionId(*f)))
        {
            for instr in &function.code {
                let k = match instr {
                    Instr::NameIs { k, .. }
                    | Instr::JumpUnlessNameIs { k, .. }
                    | Instr::JumpUnlessCellNameIs { k, .. } => *k,
                    _ => continue,
                };
                let Some(name) = function
                    .constants
                    .get(k as usize)
                    .and_then(|v| v.as_interned())
                    .map(|t| t.as_str())
                else {
                    continue;
                };
                if name.is_empty()
                    || kinds.contains(&name)
                    || unknown.iter().any(|piece| piece.name == name)
                {
                    continue;
                }
                unknown.push(UnknownPiece {
                    name: name.to_string(),
                    suggestion: closest_match(name, kinds.iter().copied()).map(str::to_string),
                });
            }
        }
        unknown
    }
}
