//! Watched expressions: `:watch n * 2`, `:watch l[0]`, `:watch if n > 3`.
//!
//! An expression may depend on everything, so it is evaluated before and after each instruction that
//! writes a variable, an element or a cell, except for variables that it cannot read. If it uses
//! variables of a function, it is evaluated in that function's frame, also after each of its
//! instructions.

use super::hits::first_error_message;
use crate::diagnostic::{Diagnostic, Phase};
use crate::frame;
use crate::frame::eval::{NO_VALUE_CODE, scratch_source};
use crate::language::{FrameScope, is_identifier};
use crate::{Target, Trigger, WatchTarget, WatchedExpr};

/// Where an expression can be evaluated.
pub struct ExprScope {
    /// The function whose variables it uses, by name; `None` if it uses none.
    pub function: Option<String>,
}

/// What to watch for an expression. At a stop, it can use the variables of the selected frame.
pub fn resolve_watched_expr(
    target: &Target,
    text: &str,
    trigger: Trigger,
) -> Result<WatchTarget, String> {
    let text = text.trim();
    let Some(scope) = expression_scope(target, text)? else {
        return Err(format!("`{text}` has no value to watch"));
    };
    Ok(WatchTarget::Expression(WatchedExpr {
        text: text.to_string(),
        function: scope.function,
        trigger,
    }))
}

/// Where an expression can be evaluated. At a stop, it can use the variables of the selected frame.
/// `None` if it has no value, or would start a new game.
pub fn expression_scope(target: &Target, text: &str) -> Result<Option<ExprScope>, String> {
    let source = scratch_source(text);
    let compile = |frame: Option<&FrameScope>| {
        target
            .language()
            .compile_entry(&source, target.program(), frame)
    };
    // Handlers have names that are not variables, such as the row of their piece.
    let needs_frame =
        |frame: &FrameScope| uses_locals(text, frame) || frame.in_handler && compile(None).is_err();
    let frame = frame::frame_scope(target).filter(needs_frame);
    let function = match &frame {
        Some(_) => frame::frame_info(target, target.debugger.selected_frame),
        None => None,
    };
    let compiled =
        compile(frame.as_ref()).map_err(|diagnostics| first_error_message(&diagnostics))?;
    let has_value = compiled.is_expression && !compiled.resets_game;
    Ok(has_value.then(|| ExprScope {
        function: function.map(|frame| frame.name),
    }))
}

/// Checks that what is to be watched has a value, not only an effect.
pub fn check_watched(target: &mut Target, watched: &WatchTarget) -> Result<(), String> {
    let WatchTarget::Expression(expr) = watched else {
        return Ok(());
    };
    let value = target.eval(&expr.text, |_, _| ());
    let has_no_value =
        |diagnostics: &Vec<Diagnostic>| diagnostics.iter().any(|d| d.code == NO_VALUE_CODE);
    match value {
        Err(diagnostics) if has_no_value(&diagnostics) => {
            Err(format!("`{}` has no value to watch", expr.text))
        }
        _ => Ok(()),
    }
}

/// What to watch for an element of a list, such as `l[0]`, or a field of what a variable holds, such as
/// `p.col`. `None` if it is something else.
pub(crate) fn resolve_element(target: &Target, text: &str) -> Option<WatchTarget> {
    let is_element = text
        .split_once('[')
        .is_some_and(|(name, index)| is_identifier(name) && index.ends_with(']'));
    let is_field = text
        .split_once('.')
        .is_some_and(|(name, field)| is_identifier(name) && is_identifier(field));
    let is_watched = is_element || is_field;
    let element = is_watched.then(|| resolve_watched_expr(target, text, Trigger::Change))?;
    element.ok()
}

/// The value of a watched expression as text; `None` if its variables are not in scope. The frame
/// with this index, or the nearest one below it that runs its function, supplies them.
pub(crate) fn watched_expr_value(
    target: &mut Target,
    expr: &WatchedExpr,
    frame: usize,
) -> Option<String> {
    let format = |target: &Target, value| target.format_value(value);
    let value = match &expr.function {
        None => target.eval_without_frame(&expr.text, format),
        Some(_) => {
            let index = watched_expr_frame(target, expr, frame)?;
            frame::with_selected_frame(target, index, |target| target.eval(&expr.text, format))
        }
    };
    match value {
        Ok(text) => Some(text),
        // An error is a value, too: a change to it is reported once.
        Err(diagnostics) if diagnostics.iter().any(|d| d.phase == Phase::Runtime) => {
            Some(format!("error: {}", first_error_message(&diagnostics)))
        }
        Err(_) => None,
    }
}

/// Whether the next instruction may change the value of a watch target. It cannot change an
/// expression if all it does is to assign to a variable that the expression does not read.
pub fn may_be_about_to_change(target: &mut Target, watched: &WatchTarget) -> bool {
    let WatchTarget::Expression(WatchedExpr {
        text,
        function: None,
        ..
    }) = watched
    else {
        return true;
    };
    let instr = target.machine.next_instruction();
    let Some(global) = instr.and_then(|instr| instr.flow().global_written()) else {
        return true;
    };
    // Appending to a list changes the list itself.
    let store = &target.machine.store;
    let present = store.globals.get(global as usize).copied();
    let is_list = present.is_some_and(|value| store.heap.is_list(value));
    is_list || target.may_read_global(text, global)
}

/// The index of the frame whose variables an expression uses. An entry typed at a stop works on
/// copies of the variables until it ends.
pub(crate) fn watched_expr_frame(
    target: &Target,
    expr: &WatchedExpr,
    frame: usize,
) -> Option<usize> {
    frame_running(target, expr.function.as_ref()?, frame)
}

/// The index of the frame that runs the function with this name: the one with this index, or the
/// nearest one below it.
pub(crate) fn frame_running(target: &Target, name: &str, frame: usize) -> Option<usize> {
    let frames = target.machine.frames();
    let top = frames.len().checked_sub(1)?.min(frame);
    (0..=top).rev().find(|index| {
        let running = frames[frame::variables_frame(target, *index)].function;
        let function = target.machine.function(running);
        function.is_some_and(|f| f.name.as_str() == name)
    })
}

/// Whether an expression mentions a variable of a frame.
fn uses_locals(text: &str, frame: &FrameScope) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| frame.locals.iter().any(|l| l.name.as_str() == word))
}
