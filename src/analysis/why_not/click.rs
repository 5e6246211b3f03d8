//! Why a click on a cell does nothing.

use super::WHY_NOT_BUDGET_INSTRUCTIONS;
use crate::answer::{Change, ClickEffect, CommandError, NamedValue, UntakenBranch, WhyNot};
use crate::code::{Function, FunctionId, PieceEvent, Status};
use crate::debugger::Target;
use crate::debugger::diff;
use crate::debugger::frame::eval::scratch_source;
use crate::debugger::recorder::{ExprProfile, Sink, ValueProfile};
use crate::diagnostic::Diagnostic;
use crate::language::Viewport;
use crate::machine::Outcome;
use crate::source::Span;
use std::rc::Rc;

/// The value profile of a run, and the changes that it made.
type ProfiledRun = (ValueProfile, Vec<Change>);

/// Explains why a click on a cell does nothing, by trying it with rollback.
pub fn why_not_click(target: &mut Target, row: i64, col: i64) -> Result<WhyNot, CommandError> {
    Ok(WhyNot::Click {
        cell: target.program().board_info.format_cell(row, col),
        effect: click_effect(target, row, col)?,
    })
}

fn click_effect(target: &mut Target, row: i64, col: i64) -> Result<ClickEffect, CommandError> {
    let (piece, handler) = match click_handler(target, row, col) {
        Ok(handler) => handler,
        Err(effect) => return Ok(effect),
    };
    let code = target.program().function(handler).cloned();
    let (profile, changes) = profile_entry(target, &format!("click{{{row},{col}}}"))
        .map_err(|diagnostics| first_message(&diagnostics))?;
    if !changes.is_empty() {
        return Ok(ClickEffect::Changes { changes });
    }
    let has_run = profile.stop_counts.keys().any(|(f, _)| *f == handler.0);
    Ok(ClickEffect::NoChange {
        piece,
        is_empty: code.is_some_and(|code| code.stop_points.len() <= 1) && !has_run,
        branches: untaken_branches(target, &profile, handler),
        skipped_cells: skipped_cells(target, &profile),
    })
}

/// The name of the piece on a cell and its click handler, or why there is none.
pub fn click_handler(
    target: &Target,
    row: i64,
    col: i64,
) -> Result<(String, FunctionId), ClickEffect> {
    let store = &target.machine.store;
    let at = store.cell_at(row, col).ok_or(ClickEffect::NoPiece)?;
    let status = target.view(Viewport::NONE).status;
    if status != Status::Playing {
        let status = status.as_str().to_string();
        return Err(ClickEffect::GameOver { status });
    }
    let piece = store.piece(at).ok_or(ClickEffect::NoPiece)?;
    if target.is_stopped() && store.piece_meta(at).last_click_action == store.action {
        return Err(ClickEffect::AlreadyClicked);
    }
    let kind = target.program().piece_kind(piece.kind);
    let kind = kind.ok_or(ClickEffect::NoPiece)?;
    let piece = kind.name.to_string();
    match kind.handlers[PieceEvent::Click as usize] {
        Some(handler) => Ok((piece, handler)),
        None => Err(ClickEffect::NoHandler { piece }),
    }
}

/// Runs an entry with rollback. Returns its value profile and the changes it would make.
fn profile_entry(target: &mut Target, text: &str) -> Result<ProfiledRun, Vec<Diagnostic>> {
    let source = scratch_source(text);
    let compiled = target
        .language
        .compile_entry(&source, target.program(), None)?;
    let function = compiled.entry_point.unwrap_or(FunctionId(0));
    target.with_rollback(|target| {
        let (before, _) = target.machine.store.snapshot();
        target.machine.abandon();
        target.machine.install(Rc::new(compiled.program));
        if let Err(error) = target.machine.start(function, &[]) {
            return Err(vec![target.runtime_error(&error)]);
        }
        let mut profile = ValueProfile::new(&target.machine, WHY_NOT_BUDGET_INSTRUCTIONS);
        if let Outcome::Failed(error) = target.machine.run_observed(&mut profile.recorder()) {
            return Err(vec![target.runtime_error(&error)]);
        }
        let (after, _) = target.machine.store.snapshot();
        let changes = diff::state_diff(target, &before, &after);
        Ok((profile, changes))
    })
}

/// The branches of a handler that were not taken.
fn untaken_branches(
    target: &Target,
    profile: &ValueProfile,
    handler: FunctionId,
) -> Vec<UntakenBranch> {
    let Some(function) = target.machine.function(handler) else {
        return Vec::new();
    };
    let tests = profile
        .exprs
        .values()
        .filter(|t| t.function == handler && t.false_count > 0 && t.true_count == 0);
    tests
        .filter(|t| is_branch(function, t.span))
        .map(|test| describe_branch(target, test, profile))
        .collect()
}

fn describe_branch(target: &Target, test: &ExprProfile, profile: &ValueProfile) -> UntakenBranch {
    let part = profile
        .exprs
        .values()
        .find(|t| test.span.contains(t.span) && t.span != test.span);
    UntakenBranch {
        range: target.source_range(test.span),
        test: target.sources.slice(test.span).to_string(),
        part: part.map(|part| NamedValue {
            name: target.sources.slice(part.span).to_string(),
            value: part
                .values
                .first()
                .map_or_else(String::new, |v| v.0.clone()),
        }),
    }
}

/// The cells whose clicks were skipped.
fn skipped_cells(target: &Target, profile: &ValueProfile) -> Vec<String> {
    let format = |cell: &u32| {
        let (row, col) = target.machine.store.row_col(*cell);
        target
            .program()
            .board_info
            .format_cell(row.into(), col.into())
    };
    profile.skipped_clicks.iter().map(format).collect()
}

/// Whether a test is a branch: in the head of a statement that contains others.
fn is_branch(function: &Function, test: Span) -> bool {
    let statement = function
        .stop_points
        .iter()
        .filter(|s| s.span.contains(test))
        .min_by_key(|s| s.span.end - s.span.start);
    statement.is_some_and(|s| {
        function
            .stop_points
            .iter()
            .any(|o| o.span != s.span && s.span.contains(o.span))
    })
}

fn first_message(diagnostics: &[Diagnostic]) -> CommandError {
    let message = diagnostics.first().map(|d| d.message.clone());
    CommandError::new(message.unwrap_or_default())
}
