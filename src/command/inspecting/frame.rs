//! Commands for the call stack: `where`, `frame`, `up` and `down`.

use crate::answer::{CommandError, Notice, Part};
use crate::command::{Arguments, Command};
use crate::debugger::frame;
use crate::debugger::run;
use crate::session::{Answer, Looks, OnReload, Session};

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    answering!(Inspecting, Nothing; "where", &["w", "bt"], "[n]", "show the call stack", "where", backtrace; at_prediction(), orients(), only_shows()),
    answering!(Inspecting, Nothing; "frame", &[], "[N]", "select a frame: its locals are then in scope", "frame 1", frame; at_prediction(), looks(Looks::Never), on_reload(OnReload::Replayed)),
    answering!(Inspecting, Nothing; "up", &["u"], "[n]", "select the caller of the selected frame", "up", up; at_prediction(), looks(Looks::Never), on_reload(OnReload::Replayed)),
    answering!(Inspecting, Nothing; "down", &["d"], "[n]", "select the frame called by the selected one", "down", down; at_prediction(), looks(Looks::Never), on_reload(OnReload::Replayed)),
];

fn require_stopped(session: &Session) -> Result<(), CommandError> {
    match session.target.is_stopped() {
        true => Ok(()),
        false => Err(session.not_stopped()),
    }
}

fn backtrace(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    require_stopped(session)?;
    let limit = arguments.optional_count()?;
    Ok(Answer::of(Part::Frames(frame::call_stack(
        &mut session.target,
        limit,
    ))))
}

fn frame(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    match arguments.number() {
        Some(n) => select(session, n),
        None if arguments.is_empty() => {
            select(session, frame::selected_frame_number(&session.target))
        }
        None => Err(CommandError::new(
            "`:frame` needs the number of a frame; `where` shows them",
        )),
    }
}

fn up(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let n = arguments.count()?;
    select(
        session,
        frame::selected_frame_number(&session.target).saturating_add(n),
    )
}

fn down(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let n = arguments.count()?;
    match frame::selected_frame_number(&session.target).checked_sub(n) {
        Some(n) => select(session, n),
        None => {
            require_stopped(session)?;
            Err(CommandError::new(
                "this is the innermost frame; `step` enters a call",
            ))
        }
    }
}

/// Selects a frame by its number in `where`, and shows its source line and its variables.
fn select(session: &mut Session, n: usize) -> CommandResult {
    require_stopped(session)?;
    let selected = frame::selected_frame_number(&session.target);
    let Some(stack) = frame::select_frame(&mut session.target, n) else {
        let last = frame::visible_frames(&session.target)
            .len()
            .saturating_sub(1);
        return Err(CommandError::new(match selected == last && n > last {
            true => format!("there is no frame {n}: you are in the outermost, frame {last}"),
            false => format!("there is no frame {n}: the outermost is frame {last}"),
        }));
    };
    let mut answer = Answer::of(Part::Frames(stack));
    let from_top = session.target.debugger.selected_frame;
    let Some(frame) = frame::frame_info(&session.target, from_top) else {
        return Ok(answer);
    };
    if !session.target.is_current_code(frame.function) {
        answer.push(Notice::OldCode {
            function: frame.name,
        });
    }
    if let Some(statement) = run::frame_statement(&mut session.target, from_top) {
        let lines = run::source_lines(&session.target, statement.shown, statement.next, 1);
        let is_cut = true;
        answer.parts.push(Part::Source { lines, is_cut });
    }
    answer.parts.push(Part::Variables {
        variables: frame::selected_locals(&session.target),
    });
    Ok(answer)
}
