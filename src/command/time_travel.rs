//! Time travel: reverse execution, positions in the history, bookmarks and branches.

use super::{Command, example, parse_count};
use crate::debugger::{StepTarget, TimePoint, field_diff};
use crate::session::{Answer, Line, Session, Style, count_noun, elide};

pub const COMMANDS: &[Command] = &[
    command!(TimeTravel, Nothing; "reverse-step", &["back", "rs"], "[n]", "step back: to the stop before this one", "rs", |session, rest, reply| {
        reverse_step(session, rest, reply, StepTarget::Into);
    }),
    command!(TimeTravel, Nothing; "reverse-next",
        &["rn"],
        "[n]",
        "step back without entering calls",
        "rn",
        |session, rest, reply| {
            let depth = session.target.machine.frames().len().max(1);
            reverse_step(session, rest, reply, StepTarget::Over(depth));
        }
    ),
    command!(TimeTravel, Nothing; "reverse-finish",
        &["rf"],
        "",
        "go back to the call of this function or handler",
        "rf",
        |session, _, reply| {
            match session.target.machine.frames().len() {
                1 => reply.error("this entry was typed, so it has no caller; `reverse-step` goes further back"),
                depth => reverse_step(session, "", reply, StepTarget::Over(depth.saturating_sub(1))),
            }
        }
    ),
    command!(TimeTravel, Nothing; "reverse-continue",
        &["rc"],
        "",
        "go back to the previous breakpoint hit",
        "rc",
        |session, _, reply| {
            reply.absorb(session.target.run(|run| run.reverse_continue()));
        }
    ),
    command!(TimeTravel, Nothing; "jump", &["j"], "back [n] | forward [n]", "return to the point you were looking at before, or go forward again", "jump back", jump),
    command!(TimeTravel, Nothing; "goto", &["g"], "TIME | event N | turn N | start | end | MARK", "go to a point in the history", ":goto 412", goto),
    command!(TimeTravel, Nothing; "when", &[], "", "show the current position in the history", ":when", when),
    command!(TimeTravel, Nothing; "mark", &[], "NAME", "mark the current time with a name", ":mark before", mark),
    command!(TimeTravel, Nothing; "marks", &[], "", "list the marks", ":marks", |session, _, reply| {
        for (name, point) in &session.target.debugger.bookmarks {
            let branch = point.branch.map_or_else(String::new, |n| format!("   on branch {n}"));
            reply.line(format!("  {name:<16} time {}{branch}", point.time));
        }
        if session.target.debugger.bookmarks.is_empty() {
            reply.line(Line::styled(Style::Dim, "No marks; `:mark NAME` marks the current time"));
        }
    }),
    command!(TimeTravel, Nothing; "diff",
        &[],
        "MARK | TIME",
        "show what changed on the board and in variables since then",
        ":diff before",
        diff
    ),
    command!(TimeTravel, Nothing; "last", &[], "X", "go back to the last change of a variable or cell", ":last [1][1]", last),
    command!(TimeTravel, Nothing; "first", &[], "E", "go to the first time an expression was true", ":first turnCount == 3", first),
    command!(TimeTravel, Nothing; "branches", &[], "[N | drop N]", "list alternative histories; switch to one or delete it", ":branches", branches),
];

fn reverse_step(session: &mut Session, rest: &str, reply: &mut Answer, target: StepTarget) {
    if let Some(n) = parse_count(rest, reply) {
        reply.absorb(session.target.run(|run| run.reverse_step(target, n)));
    }
}

/// `:jump back [n]` and `:jump forward [n]`.
fn jump(session: &mut Session, rest: &str, reply: &mut Answer) {
    let (word, count) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match word {
        "back" | "b" => navigate(session, count.trim(), reply, -1),
        "forward" | "f" => navigate(session, count.trim(), reply, 1),
        _ => reply.error("`:jump` needs `back` or `forward`, e.g. `:jump back`"),
    }
}

/// Bounds the search for the largest possible count of `jump back` or `jump forward`.
const MAX_NAVIGATION_STEPS: usize = 100_000;

/// Moves through the positions visited before, like the back and forward buttons of a browser.
fn navigate(session: &mut Session, rest: &str, reply: &mut Answer, direction: i64) {
    let Some(n) = parse_count(rest, reply) else {
        return;
    };
    let Some(index) = session
        .target
        .debugger
        .nav_target(direction * n.min(1 << 30) as i64)
    else {
        let word = if direction < 0 { "back" } else { "forward" };
        let possible = (1..n).take(MAX_NAVIGATION_STEPS).take_while(|n| {
            session
                .target
                .debugger
                .nav_target(direction * *n as i64)
                .is_some()
        });
        return reply.error(match possible.count() {
            0 => format!("there is nothing to jump {word} to"),
            max => format!("cannot jump {word} {n} times; `jump {word} {max}` is the furthest"),
        });
    };
    let (nav_history, point) = (
        session.target.debugger.nav_history.clone(),
        session.target.debugger.nav_history[index],
    );
    reply.absorb(session.target.run(|run| run.go_to_point(point)));
    (
        session.target.debugger.nav_history,
        session.target.debugger.nav_index,
    ) = (nav_history, index);
}

/// Parses a position in the history: a mark, `start`, `end`, a time, `event N` or `turn N`.
pub(super) fn parse_position(session: &mut Session, text: &str) -> Result<TimePoint, String> {
    match session.target.debugger.bookmarks.get(text) {
        Some(&TimePoint {
            branch: Some(n), ..
        }) => Err(format!(
            "mark `{text}` is on branch {n}; switch to it with `:branches {n}`"
        )),
        Some(point) => Ok(*point),
        None if text == "end" => Ok(TimePoint::after_starts(
            session.target.timeline.time_range().1,
        )),
        None => parse_time(session, text).map(TimePoint::at),
    }
}

/// Parses a time other than a mark or `end`.
fn parse_time(session: &mut Session, text: &str) -> Result<u64, String> {
    let (first, last) = session.target.timeline.time_range();
    if text.is_empty() {
        return Err(
            "expected a time: a number, `event 3`, `turn 2`, `start`, `end` or a mark".into(),
        );
    }
    let number = |text: &str| {
        text.trim()
            .parse::<u64>()
            .map_err(|_| format!("expected a number, found `{text}`"))
    };
    match text.split_once(' ') {
        None => match text {
            "start" => Ok(session.target.timeline.game_start()),
            "event" | "action" | "turn" => Err(format!("`{text}` needs a number, e.g. `{text} 2`")),
            _ => match text.parse() {
                Ok(time) if (first..=last).contains(&time) => Ok(time),
                Ok(time) => Err(format!(
                    "there is no time {time}: the history has times {first} to {last}"
                )),
                Err(_) => Err(format!(
                    "unknown time or mark `{text}`; `:marks` lists the marks"
                )),
            },
        },
        Some(("event" | "action", n)) => {
            let n = number(n)?;
            session
                .target
                .time_of_action(n as u32)
                .ok_or_else(|| format!("there was no action {n}"))
        }
        Some(("turn", n)) => {
            let n = number(n)?;
            session
                .target
                .time_of_turn(n as i64)
                .ok_or_else(|| format!("there was no turn {n}"))
        }
        Some(_) => Err(format!(
            "unknown time or mark `{text}`; use a number, `event 3`, `turn 2`, `start`, `end` or a mark"
        )),
    }
}

fn goto(session: &mut Session, rest: &str, reply: &mut Answer) {
    match parse_position(session, rest) {
        Ok(point) => reply.absorb(session.target.run(|run| run.go_to_point(point))),
        Err(message) => reply.error(message),
    }
}

/// Longer entries are shortened by `:when`.
const MAX_ENTRY_COLUMNS: usize = 44;

fn when(session: &mut Session, _: &str, reply: &mut Answer) {
    let (first, last) = session.target.timeline.time_range();
    let preposition = if session.target.is_stopped() {
        "during"
    } else {
        "after"
    };
    let entry = elide(session.target.current_entry_line(), MAX_ENTRY_COLUMNS);
    reply.line(format!(
        "time {} of {first} to {last}, {preposition} {entry}",
        session.target.machine.time()
    ));
    if session.target.machine.store.action > 0 {
        reply.line(format!("action {}", session.target.machine.store.action));
    }
    let ahead = session.target.timeline.undone_entries().len();
    if ahead > 0 {
        let entries = count_noun(ahead, "later entry", "later entries");
        reply.line(format!("{entries}: `:redo` or `continue` to go there"));
    }
}

fn mark(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() || rest.chars().next().is_some_and(|c| c.is_ascii_digit()) {
        return reply
            .error("`:mark` needs a name that does not start with a digit, e.g. `:mark before`");
    }
    let first = rest.split_whitespace().next().unwrap_or("");
    if matches!(rest, "start" | "end") || matches!(first, "event" | "action" | "turn") {
        return reply.error(format!(
            "`{rest}` is reserved for `:goto {rest}`; use another name, e.g. `:mark before`"
        ));
    }
    let point = session.target.time_point();
    session
        .target
        .debugger
        .bookmarks
        .insert(rest.to_string(), point);
    reply.line(format!("marked time {} as {rest}", point.time));
}

/// `:diff` lists at most this many differences of the state, and as many of fields.
const MAX_DIFFERENCES: usize = 40;

fn diff(session: &mut Session, rest: &str, reply: &mut Answer) {
    let point = match parse_position(session, rest) {
        Ok(point) => point,
        Err(message) => return reply.error(message),
    };
    let (now, _) = session.target.machine.store.snapshot();
    let (then, fields) = session.with_time(|s| {
        s.target.timeline.seek_point(&mut s.target.machine, point);
        (
            s.target.machine.store.snapshot().0,
            s.target.record_fields(),
        )
    });
    let mut differences = session.target.state_diff(&then, &now, MAX_DIFFERENCES);
    let fields_now = session.target.record_fields();
    differences.extend(field_diff(&fields, &fields_now, MAX_DIFFERENCES));
    for difference in &differences {
        reply.line(format!("  {difference}"));
    }
    if differences.is_empty() {
        reply.line(Line::styled(Style::Dim, "No differences"));
    }
}

fn last(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        return reply.error(format!(
            "`:last` needs a variable or cell, e.g. `{}`",
            example(session, "last")
        ));
    }
    let target = match session.target.resolve_watch_target(rest) {
        Ok(target) => target,
        Err(message) => return reply.error(message),
    };
    let now = session.target.machine.time();
    let change = session.with_time(|s| s.target.last_change(&target, now));
    match change {
        Some((time, old, new)) => {
            reply.absorb(
                session
                    .target
                    .run(|run| run.go_to_point(TimePoint::after_starts(time))),
            );
            let old = if old.is_empty() { "nothing" } else { &old };
            reply.line(format!("  this changes {rest}: {old} => {new}"));
        }
        None => reply.error(format!("{rest} has not changed before this point")),
    }
}

fn first(session: &mut Session, rest: &str, reply: &mut Answer) {
    if rest.is_empty() {
        return reply.error(format!(
            "`:first` needs a condition, e.g. `{}`",
            example(session, "first")
        ));
    }
    if session
        .target
        .eval(rest, |_, value| value.as_bool().is_none())
        == Ok(true)
    {
        return reply.error(format!(
            "`{rest}` is not true or false; `:first` needs a condition, e.g. `{}`",
            example(session, "first")
        ));
    }
    match session.target.first_time_true(rest) {
        Ok(Some(time)) => reply.absorb(session.target.run(|run| run.go_to_time(time))),
        Ok(None) => reply.error(format!("{rest} was never true at a stop")),
        Err(diagnostics) => {
            reply.ok = false;
            reply.diagnostics = diagnostics;
        }
    }
}

/// Longer lists of entries are shortened by `:branches`.
const MAX_BRANCH_COLUMNS: usize = 60;

fn branches(session: &mut Session, rest: &str, reply: &mut Answer) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        [] => {
            let mut is_empty = true;
            for branch in session.target.timeline.branches() {
                is_empty = false;
                let texts: Vec<&str> = branch
                    .entries
                    .iter()
                    .filter(|entry| entry.has_effect)
                    .map(|entry| entry.text.lines().next().unwrap_or(""))
                    .collect();
                let texts = elide(&texts.join(" · "), MAX_BRANCH_COLUMNS);
                reply.line(format!(
                    "  {}  after {}: {texts}",
                    branch.number,
                    count_noun(branch.fork_index, "entry", "entries")
                ));
            }
            if is_empty {
                reply.line(Line::styled(Style::Dim, "No alternative histories"));
            }
        }
        ["drop"] => reply.error(
            "`:branches drop` needs a number, e.g. `:branches drop 1`; `:branches` lists them",
        ),
        ["drop", n] => match n.parse() {
            Ok(n) if session.target.delete_branch(n) => reply.line(format!("deleted branch {n}")),
            _ => reply.error(format!("there is no branch {n}")),
        },
        [n] => match n.parse() {
            Ok(n) if session.target.switch_branch(n) => {
                reply.line(format!(
                    "Switched to branch {n}; the history you left is now branch {n}"
                ));
                reply.show_board = true;
            }
            _ => reply.error(format!("there is no branch {n}")),
        },
        _ => reply.error("use `:branches`, `:branches 1` or `:branches drop 1`"),
    }
}
