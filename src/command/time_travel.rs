//! Time travel: reverse execution, positions in the history, bookmarks and branches.

use super::arguments::is_reserved_time;
use super::{Arguments, Command, example};
use crate::analysis::forward_search;
use crate::answer::{CommandError, NextChange, Notice, Part, ShowBoard, TimelineSubject};
use crate::debugger::history;
use crate::debugger::{StepTarget, Target, TimePoint};
use crate::session::{Answer, Looks, Session, Sets};
use crate::value::Value;

pub const COMMANDS: &[Command] = &[
    answering!(TimeTravel, Nothing; "reverse-step", &["back", "rs"], "[n]", "step back: to the stop before this one", "rs", |session, arguments| {
        reverse_step(session, StepTarget::Into, arguments.count()?)
    }; repeats()),
    answering!(TimeTravel, Nothing; "reverse-next",
        &["rn"],
        "[n]",
        "step back without entering calls",
        "rn",
        |session, arguments| {
            let depth = session.target.machine.frames().len().max(1);
            reverse_step(session, StepTarget::Over(depth), arguments.count()?)
        }; repeats()
    ),
    answering!(TimeTravel, Nothing; "reverse-finish",
        &["rf"],
        "",
        "go back to the call of this function or handler",
        "rf",
        |session, _| match session.target.machine.frames().len() {
            0 => Err(CommandError::new("nothing is running, so there is no call to go back to; `:reverse-step` goes back into the last entry")),
            1 => Err(CommandError::new("this entry was typed, so it has no caller; `reverse-step` goes further back")),
            depth => reverse_step(session, StepTarget::Over(depth.saturating_sub(1)), 1),
        }
    ),
    answering!(TimeTravel, Nothing; "reverse-continue",
        &["rc"],
        "",
        "go back to the previous breakpoint hit",
        "rc",
        |session, _| Ok(session.target.run(|run| run.reverse_continue()))
    ),
    answering!(TimeTravel, Nothing; "jump", &["j"], "back [n] | forward [n]", "return to the point you were looking at before, or go forward again", "jump back", jump; repeats(), moves_history()),
    answering!(TimeTravel, Nothing; "goto", &["g"], "TIME | event N | turn N | start | end | MARK", "go to a point in the history", ":goto 412", goto; moves_history()),
    answering!(TimeTravel, Nothing; "when", &[], "", "show the current position in the history", ":when", |session, _| {
        Ok(timeline(session, TimelineSubject::Position))
    }; at_prediction(), looks(Looks::Always), orients()),
    answering!(TimeTravel, Nothing; "mark", &[], "NAME", "mark the current time with a name", ":mark before", mark; sets(Sets::Display)),
    answering!(TimeTravel, Nothing; "marks", &[], "", "list the marks", ":marks", |session, _| {
        Ok(timeline(session, TimelineSubject::Marks))
    }; at_prediction(), looks(Looks::Always)),
    answering!(TimeTravel, Nothing; "diff",
        &[],
        "MARK | TIME",
        "show what changed on the board and in variables since then",
        ":diff before",
        |session, arguments| {
            let point = arguments.time(session)?;
            Ok(Answer::of(Part::Diff(history::diff_since(&mut session.target, point))))
        };
        looks(Looks::Always)
    ),
    answering!(TimeTravel, Nothing; "last", &[], "X", "go back to the last change of a variable or cell", ":last [1][1]", last; takes_code()),
    answering!(TimeTravel, Nothing; "first", &[], "E", "go to the first time an expression was true", ":first turnCount == 3", first),
    answering!(TimeTravel, Nothing; "branches", &[], "[N | drop N]", "list alternative histories; switch to one or delete it", ":branches", branches; looks(Looks::Alone)),
];

fn reverse_step(
    session: &mut Session,
    target: StepTarget,
    count: usize,
) -> Result<Answer, CommandError> {
    Ok(session.target.run(|run| run.reverse_step(target, count)))
}

/// The history, of which the command shows one part.
fn timeline(session: &Session, subject: TimelineSubject) -> Answer {
    let timeline = history::describe_timeline(&session.target);
    Answer::of(Part::Timeline { subject, timeline })
}

/// `:jump back [n]` and `:jump forward [n]`.
fn jump(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (word, count) = arguments.first_word();
    match word {
        "back" | "b" => navigate(session, count.count()?, -1),
        "forward" | "f" => navigate(session, count.count()?, 1),
        _ => Err(CommandError::new(
            "`:jump` needs `back` or `forward`, e.g. `:jump back`",
        )),
    }
}

/// Bounds the search for the largest possible count of `jump back` or `jump forward`.
const MAX_NAVIGATION_STEPS: usize = 100_000;

/// Moves through the positions visited before, like the back and forward buttons of a browser.
fn navigate(session: &mut Session, n: usize, direction: i64) -> Result<Answer, CommandError> {
    let debugger = &session.target.debugger;
    let (first_time, _) = session.target.timeline.time_range();
    let target = |n: usize| debugger.nav_target(direction * n.min(1 << 30) as i64, first_time);
    let Some(index) = target(n) else {
        let word = if direction < 0 { "back" } else { "forward" };
        let possible = (1..n)
            .take(MAX_NAVIGATION_STEPS)
            .take_while(|n| target(*n).is_some());
        return Err(CommandError::new(match possible.count() {
            0 => format!("there is nothing to jump {word} to"),
            max => format!("cannot jump {word} {n} times; `jump {word} {max}` is the furthest"),
        }));
    };
    Ok(session.target.revisit(index))
}

/// The position in the history that `:goto` goes to with this argument.
pub(crate) fn time_named(session: &mut Session, text: &str) -> Result<TimePoint, CommandError> {
    let row = COMMANDS.iter().find(|command| command.name == "goto");
    let row = row.ok_or_else(|| CommandError::new("there is no `:goto`"))?;
    Arguments::new(row, text.trim()).time(session)
}

fn goto(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let point = arguments.time(session)?;
    Ok(session.target.run(|run| run.go_to_point(point)))
}

fn mark(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let name = arguments.text();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(CommandError::new(
            "`:mark` needs a name that does not start with a digit, e.g. `:mark before`",
        ));
    }
    if is_reserved_time(name) {
        let error = CommandError::new(format!("`{name}` is reserved for `:goto {name}`"));
        return Err(error.instruct("use another name, e.g.", ":mark before", ""));
    }
    let point = session.target.time_point();
    session
        .target
        .debugger
        .bookmarks
        .insert(name.to_string(), point);
    Ok(Answer::of(Notice::Marked {
        name: name.to_string(),
        time: point.time,
    }))
}

fn last(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let name = arguments.required(session, "a variable or cell")?;
    let watched = arguments.watched_value(session)?;
    let now = session.target.machine.time();
    let change = session.target.with_time(|t| t.last_change(&watched, now));
    let Some((time, old, new)) = change else {
        return Err(match session.target.timeline.dropped_history() {
            Some(dropped) => CommandError::new(format!(
                "{name} has not changed since time {}; {dropped}",
                dropped.known_since
            )),
            None => CommandError::new(format!("{name} has not changed before this point")),
        });
    };
    let point = TimePoint::after_starts(time);
    let mut answer = session.target.run(|run| run.go_to_point(point));
    answer.parts.push(Part::NextChange(NextChange {
        name: name.to_string(),
        old,
        new,
        time,
    }));
    Ok(answer)
}

fn first(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let condition = arguments.required(session, "a condition")?;
    let is_no_condition = |_: &Target, value: Value| value.as_bool().is_none();
    if session.target.eval(condition, is_no_condition) == Ok(true) {
        return Err(CommandError::new(format!(
            "`{condition}` is not true or false; `:first` needs a condition"
        ))
        .example(example(session, "first")));
    }
    let dropped = session.target.timeline.dropped_history();
    match (
        forward_search::first_time_true(&mut session.target, condition)?,
        dropped,
    ) {
        (Some(time), Some(dropped)) if time == dropped.known_since => Err(CommandError::new(
            format!("{condition} was already true at time {time}; {dropped}"),
        )),
        (Some(time), dropped) => {
            let mut answer = session.target.run(|run| run.go_to_time(time));
            let since = dropped.map(|dropped| Part::KnownSince {
                time: dropped.known_since,
            });
            answer.parts.extend(since);
            Ok(answer)
        }
        (None, Some(dropped)) => Err(CommandError::new(format!(
            "{condition} was not true at a stop since time {}; {dropped}",
            dropped.known_since
        ))),
        (None, None) => Err(CommandError::new(format!(
            "{condition} was never true at a stop"
        ))),
    }
}

fn branches(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let target = &mut session.target;
    let unknown = |n: &str| CommandError::new(format!("there is no branch {n}"));
    match arguments.words().as_slice() {
        [] => Ok(timeline(session, TimelineSubject::Branches)),
        ["drop"] => Err(CommandError::new("`:branches drop` needs a number")
            .example(":branches drop 1")
            .advise(":branches", "lists them")),
        ["drop", n] => match n.parse() {
            Ok(branch) if target.delete_branch(branch) => {
                Ok(Answer::of(Notice::DeletedBranch { branch }))
            }
            _ => Err(unknown(n)),
        },
        [n] => match n.parse() {
            Ok(branch) if target.switch_branch(branch) => Ok(Answer {
                show_board: ShowBoard::IfChanged,
                ..Answer::of(Notice::SwitchedBranch { branch })
            }),
            _ => Err(unknown(n)),
        },
        _ => Err(CommandError::new(
            "use `:branches`, `:branches 1` or `:branches drop 1`",
        )),
    }
}
