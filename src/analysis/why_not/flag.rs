//! Why a flag such as `win` or a field such as `ann.win` is false: runs the functions that set it on
//! the current board, and reports which tests were false, how often, and which change would make it
//! true.

use super::counterfactual::DesiredOutcome;
use super::reachable::Actions;
use super::trial::{Trial, TrialEnd};
use super::writes::Write;
use crate::answer::{
    CommandError, Details, FalseFlag, FlagResult, FlagWriter, NamedValue, RunEnd, SourceRange,
    WhyNot,
};
use crate::code::{FunctionId, FunctionKind};
use crate::debugger::Target;
use crate::debugger::diff;
use crate::language::Viewport;
use crate::source::Span;
use crate::value::Value;
use crate::why_not;
use crate::why_not::counterfactual;
use crate::why_not::reachable;
use crate::why_not::test;
use crate::why_not::trial;
use crate::why_not::unknown_piece;
use crate::why_not::writes;
use std::collections::BTreeSet;

/// A function to run, and the assignments that it may reach.
struct Writer {
    function: FunctionId,
    trial: Trial,
    writes: Vec<Write>,
}

/// The player whose turn is assumed: the variable of the rules, and the record and its name.
#[derive(Clone)]
struct AssumedTurn {
    global: u32,
    record: Value,
    description: NamedValue,
}

/// Explains why a variable is not true.
pub fn why_not_flag(target: &mut Target, name: &str) -> Result<WhyNot, CommandError> {
    let Some(global) = target.program().global(name) else {
        return Err(CommandError::new(format!(
            "`{name}` is not a variable that can be true or false"
        )));
    };
    match target.machine.store.globals.get(global as usize) {
        Some(&Value::TRUE) => {
            return Ok(WhyNot::TrueFlag {
                name: name.to_string(),
            });
        }
        Some(&Value::FALSE) | None => {}
        Some(value) => {
            let value = target.format_value(*value);
            return Err(
                CommandError::new(format!("{name} is {value}, not true or false"))
                    .advise(format!(":why {name}"), "shows how it got that value"),
            );
        }
    }
    let writes = writes::global_writes(target, global);
    Ok(why_not_set(
        target,
        name,
        &writes,
        DesiredOutcome::GlobalTrue(global),
        None,
    ))
}

/// Explains why a record field is not true.
pub fn why_not_field(target: &mut Target, name: &str) -> Result<WhyNot, CommandError> {
    let (program, store) = (target.program(), &target.machine.store);
    let Some((record, item)) = (program.resolve_field)(program, store, name) else {
        return Err(CommandError::new(format!("unknown field `{name}`")));
    };
    let field = name.rsplit('.').next().unwrap_or(name);
    let writes = writes::field_writes(target, item, field);
    let desired = DesiredOutcome::FieldTrue(record, item.into());
    let turn = assumed_turn(target, name, record);
    Ok(why_not_set(target, name, &writes, desired, turn))
}

/// If a field belongs to a player who is not the current one, the rules must run as in that
/// player's turn.
fn assumed_turn(target: &Target, field: &str, record: Value) -> Option<AssumedTurn> {
    let (owner, _) = field.split_once('.')?;
    let view = target.view(Viewport::NONE);
    let (alias, current) = view.aliases.into_iter().next()?;
    let global = target.program().global(&alias)?;
    let fields_of = |owner: &str| -> BTreeSet<String> {
        let fields = diff::record_fields(target).into_iter();
        fields
            .filter_map(|(name, _)| Some(name.strip_prefix(owner)?.strip_prefix('.')?.into()))
            .collect()
    };
    let is_other = owner != alias && owner != current;
    (is_other && fields_of(owner) == fields_of(&current)).then(|| AssumedTurn {
        global,
        record,
        description: NamedValue {
            name: alias,
            value: owner.to_string(),
        },
    })
}

fn why_not_set(
    target: &mut Target,
    name: &str,
    writes: &[Write],
    desired: DesiredOutcome,
    turn: Option<AssumedTurn>,
) -> WhyNot {
    let writers = writers(target, writes, turn.as_ref());
    let run: BTreeSet<Write> = writers
        .iter()
        .flat_map(|w| w.writes.iter().copied())
        .collect();
    let mut actions = match writes.is_empty() {
        true => Actions::default(),
        false => reachable::try_actions(target, desired),
    };
    let uncalled = writes.iter().filter(|write| !run.contains(write));
    let functions: BTreeSet<FunctionId> = uncalled.map(|(function, _)| *function).collect();
    for function in functions {
        actions
            .solutions
            .extend(reachable::call_that_reaches(target, function, desired));
    }
    let assigned = turn.map(|turn| turn.description);
    let writers = writers
        .into_iter()
        .map(|writer| FlagWriter {
            assigned: assigned.clone(),
            ..run_writer(target, &writer, desired, &actions)
        })
        .collect();
    let others = writes.iter().filter(|write| !run.contains(write));
    WhyNot::FalseFlag(FalseFlag {
        name: name.to_string(),
        actions: actions.solutions,
        writers,
        other_writes: writes::unexecuted_writes(target, others),
        details: Details::First,
    })
}

/// The functions to run: those most likely meant to set a flag. The game checks all conditions;
/// of other functions, one is enough.
fn writers(target: &Target, writes: &[Write], turn: Option<&AssumedTurn>) -> Vec<Writer> {
    let mut roots: Vec<(FunctionId, Vec<Write>)> = Vec::new();
    for write in writes {
        for root in trial::trial_roots(target, write.0) {
            match roots.iter_mut().find(|(function, _)| *function == root) {
                Some((_, reached)) => reached.push(*write),
                None => roots.push((root, vec![*write])),
            }
        }
    }
    roots.sort_by_key(|(function, _)| (kind_rank(target, *function), *function));
    let conditions = roots
        .iter()
        .filter(|(f, _)| kind_rank(target, *f) == 0)
        .count();
    roots.truncate(conditions.max(1));
    let assigned = turn.map(|turn| (turn.global, turn.record));
    roots
        .into_iter()
        .filter_map(|(function, writes)| {
            Some(Writer {
                function,
                trial: trial::trial(target, function)?.with_assigned(assigned),
                writes,
            })
        })
        .collect()
}

/// Conditions are more likely meant to set a flag than handlers, handlers more likely than other
/// functions.
fn kind_rank(target: &Target, function: FunctionId) -> u8 {
    match target.machine.function(function).map(|f| f.kind) {
        Some(FunctionKind::Condition) => 0,
        Some(FunctionKind::Handler) => 1,
        _ => 2,
    }
}

/// Runs a function that could make a variable true, and explains why it does not.
fn run_writer(
    target: &mut Target,
    writer: &Writer,
    desired: DesiredOutcome,
    actions: &Actions,
) -> FlagWriter {
    let trial = &writer.trial;
    let (profile, end, is_reached) = trial::in_trial(target, trial, |target| {
        let (profile, end) = trial::profile_trial(target, trial);
        (
            profile,
            end,
            counterfactual::is_reached(target, desired, Value::NOTHING),
        )
    });
    let spans: Vec<Span> = writer.writes.iter().map(|(_, span)| *span).collect();
    let result = match end {
        TrialEnd::Finished(_) if is_reached => FlagResult::BecomesTrue,
        end => FlagResult::StaysFalse {
            end: match end {
                TrialEnd::Finished(_) => RunEnd::Finished,
                TrialEnd::Failed(error) => RunEnd::Failed(error),
                TrialEnd::Unfinished => RunEnd::Unfinished,
            },
            tests: test::tests(target, &profile, &spans),
            search: counterfactual::search_counterfactuals(
                target,
                &profile,
                trial,
                desired,
                &actions.transitions,
            ),
            unknown_pieces: unknown_piece::unknown_pieces(target, &profile),
        },
    };
    let writes = writer.writes.iter();
    FlagWriter {
        function: why_not::function_name(target, writer.function),
        range: definition_range(target, writer.function),
        entry: trial.entry().map(str::to_string),
        assigned: None,
        writes: writes
            .filter_map(|write| writes::describe_write(target, *write, &profile))
            .collect(),
        result,
    }
}

fn definition_range(target: &Target, function: FunctionId) -> Option<SourceRange> {
    let span = target.machine.function(function)?.span;
    target.source_range(span)
}
