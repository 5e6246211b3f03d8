//! Commands that go back in time, and forward again.

use super::{Command, example, parse_count};
use crate::debugger::{StepTarget, TimePoint};
use crate::session::{Line, Reply, Session, Style, elide, field_diff};

pub const COMMANDS: &[Command] = &[
    command!(TimeTravel, Nothing; "reverse-step", &["rs"], "[n]", "to the stop before this one", "rs", |session, rest, reply| {
        back_by(session, rest, reply, StepTarget::Into);
    }),
    command!(TimeTravel, Nothing; "reverse-next",
        &["rn"],
        "[n]",
        "to the stop before this one, over calls",
        "rn",
        |session, rest, reply| {
            let depth = session.machine.frames().len().max(1);
            back_by(session, rest, reply, StepTarget::Over(depth));
        }
    ),
    command!(TimeTravel, Nothing; "reverse-finish",
        &["rf"],
        "",
        "back to where this function or handler was called",
        "rf",
        |session, _, reply| {
            match session.machine.frames().len() {
                1 => reply.error("nothing called this: it was typed; `reverse-step` goes further back"),
                depth => back_by(session, "", reply, StepTarget::Over(depth.saturating_sub(1))),
            }
        }
    ),
    command!(TimeTravel, Nothing; "reverse-continue",
        &["rc"],
        "",
        "back to the last breakpoint that was passed",
        "rc",
        |session, _, reply| {
            session.reverse_continue(reply);
        }
    ),
    command!(TimeTravel, Nothing; "back", &[], "[n]", "undo my own moves through time", "back", |session, rest, reply| visit(
        session, rest, reply, -1
    )),
    command!(TimeTravel, Nothing; "forward", &[], "[n]", "redo my own moves through time", "forward", |session, rest, reply| {
        visit(session, rest, reply, 1);
    }),
    command!(TimeTravel, Nothing; "goto", &["g"], "TIME | event N | turn N | start | end | MARK", "go to a time", ":goto 412", goto),
    command!(TimeTravel, Nothing; "when", &[], "", "where in time this is", ":when", when),
    command!(TimeTravel, Nothing; "mark", &[], "NAME", "give this time a name", ":mark before", mark),
    command!(TimeTravel, Nothing; "marks", &[], "", "the times that have names", ":marks", |session, _, reply| {
        for (name, moment) in &session.debugger.bookmarks {
            let branch = moment.branch.map_or_else(String::new, |n| format!("   on branch {n}"));
            reply.line(format!("  {name:<16} time {}{branch}", moment.time));
        }
        if session.debugger.bookmarks.is_empty() {
            reply.line(Line::styled(Style::Dim, "no time has a name: `:mark NAME` gives this one a name"));
        }
    }),
    command!(TimeTravel, Nothing; "diff",
        &[],
        "MARK | TIME",
        "what differs between then and now, on the board and in variables",
        ":diff before",
        diff
    ),
    command!(TimeTravel, Nothing; "last", &[], "X", "go to the last change of a variable or cell", ":last [1][1]", last),
    command!(TimeTravel, Nothing; "first", &[], "E", "go to the first time that an expression was true", ":first turnCount == 3", first),
    command!(TimeTravel, Nothing; "branches", &[], "[N | drop N]", "futures that were left; go to one, or drop it", ":branches", branches),
];

fn back_by(session: &mut Session, rest: &str, reply: &mut Reply, goal: StepTarget) {
    if let Some(n) = parse_count(rest, reply) {
        session.reverse_step(goal, n, reply);
    }
}

/// So many of my own moves are counted at most.
const MOST_MOVES: usize = 100_000;

fn visit(session: &mut Session, rest: &str, reply: &mut Reply, direction: i64) {
    let Some(n) = parse_count(rest, reply) else {
        return;
    };
    let Some(at) = session
        .debugger
        .nav_target(direction * n.min(1 << 30) as i64)
    else {
        let word = if direction < 0 { "back" } else { "forward" };
        let most = (1..n)
            .take(MOST_MOVES)
            .take_while(|n| session.debugger.nav_target(direction * *n as i64).is_some());
        return reply.error(match most.count() {
            0 => format!("there is no move to go {word} to"),
            most => format!("there are not so many moves: `{word} {most}` goes to the last"),
        });
    };
    let (visited, moment) = (
        session.debugger.nav_history.clone(),
        session.debugger.nav_history[at],
    );
    session.go_to_point(moment, reply);
    (session.debugger.nav_history, session.debugger.nav_index) = (visited, at);
}

/// The moment that words name.
pub(super) fn parse_position(session: &mut Session, words: &str) -> Result<TimePoint, String> {
    match session.debugger.bookmarks.get(words) {
        Some(&TimePoint {
            branch: Some(n), ..
        }) => Err(format!(
            "`{words}` lies on branch {n}: `:branches {n}` goes there"
        )),
        Some(moment) => Ok(*moment),
        None if words == "end" => Ok(TimePoint::after_starts(session.timeline.time_range().1)),
        None => time_of(session, words).map(TimePoint::at),
    }
}

/// The time that words name.
fn time_of(session: &mut Session, words: &str) -> Result<u64, String> {
    let (first, last) = session.timeline.time_range();
    if words.is_empty() {
        return Err("say a time: a number, `event 3`, `turn 2`, `start`, `end` or a mark".into());
    }
    let number = |text: &str| {
        text.trim()
            .parse::<u64>()
            .map_err(|_| format!("`{text}` is not a number"))
    };
    match words.split_once(' ') {
        None => match words {
            "start" => Ok(session.timeline.game_start()),
            "event" | "action" | "turn" => Err(format!("say which: `{words} 2`")),
            _ => match words.parse() {
                Ok(time) if (first..=last).contains(&time) => Ok(time),
                Ok(time) => Err(format!(
                    "there is no time {time}: times go from {first} to {last}"
                )),
                Err(_) => Err(format!(
                    "`{words}` is no time and no mark; `:marks` lists the marks"
                )),
            },
        },
        Some(("event" | "action", n)) => {
            let n = number(n)?;
            session
                .time_of_action(n as u32)
                .ok_or_else(|| format!("there was no action {n}"))
        }
        Some(("turn", n)) => {
            let n = number(n)?;
            session
                .time_of_turn(n as i64)
                .ok_or_else(|| format!("there was no turn {n}"))
        }
        Some(_) => Err(format!(
            "`{words}` is no time: say a number, `event 3`, `turn 2`, `start`, `end` or a mark"
        )),
    }
}

fn goto(session: &mut Session, rest: &str, reply: &mut Reply) {
    match parse_position(session, rest) {
        Ok(moment) => session.go_to_point(moment, reply),
        Err(message) => reply.error(message),
    }
}

fn when(session: &mut Session, _: &str, reply: &mut Reply) {
    let (first, last) = session.timeline.time_range();
    let place = if session.is_stopped() {
        "in the midst of"
    } else {
        "after"
    };
    let entry = elide(session.current_entry_line(), 44);
    reply.line(format!(
        "time {} of {first} to {last}, {place} {entry}",
        session.machine.time()
    ));
    if session.machine.store.action > 0 {
        reply.line(format!("action {}", session.machine.store.action));
    }
    let ahead = session.timeline.undone_entries().len();
    if ahead > 0 {
        let entries = if ahead == 1 {
            "1 entry lies".to_string()
        } else {
            format!("{ahead} entries lie")
        };
        reply.line(format!("{entries} ahead: `:redo` or `continue` goes there"));
    }
}

fn mark(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() || rest.chars().next().is_some_and(|c| c.is_ascii_digit()) {
        return reply.error("a mark needs a name that is no number: `:mark before`");
    }
    let first = rest.split_whitespace().next().unwrap_or("");
    if matches!(rest, "start" | "end") || matches!(first, "event" | "action" | "turn") {
        return reply.error(format!(
            "`:goto {rest}` goes elsewhere already: say another name, as `:mark before`"
        ));
    }
    let moment = session.time_point();
    session.debugger.bookmarks.insert(rest.to_string(), moment);
    reply.line(format!("time {} is now called {rest}", moment.time));
}

fn diff(session: &mut Session, rest: &str, reply: &mut Reply) {
    let moment = match parse_position(session, rest) {
        Ok(moment) => moment,
        Err(message) => return reply.error(message),
    };
    let (now, _) = session.machine.store.snapshot();
    let (then, fields) = session.with_time(|s| {
        s.timeline.seek_point(&mut s.machine, moment);
        (s.machine.store.snapshot().0, s.record_fields())
    });
    let mut differences = session.state_diff(&then, &now, 40);
    differences.extend(field_diff(&fields, &session.record_fields(), 40));
    for difference in &differences {
        reply.line(format!("  {difference}"));
    }
    if differences.is_empty() {
        reply.line(Line::styled(Style::Dim, "nothing differs"));
    }
}

fn last(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!("say of what: `{}`", example(session, "last")));
    }
    let watched = match session.resolve_watch_target(rest) {
        Ok(watched) => watched,
        Err(message) => return reply.error(message),
    };
    let now = session.machine.time();
    let found = session.with_time(|s| s.last_change(&watched, now));
    match found {
        Some((time, old, new)) => {
            session.go_to_point(TimePoint::after_starts(time), reply);
            let old = if old.is_empty() { "nothing" } else { &old };
            reply.line(format!("  this changes {rest}: {old} => {new}"));
        }
        None => reply.error(format!("{rest} was never changed before this")),
    }
}

fn first(session: &mut Session, rest: &str, reply: &mut Reply) {
    if rest.is_empty() {
        return reply.error(format!(
            "say what should be true: `{}`",
            example(session, "first")
        ));
    }
    if session.eval(rest, |_, value| value.as_bool().is_none()) == Ok(true) {
        return reply.error(format!(
            "`{rest}` is neither true nor false: say what should be, as `{}`",
            example(session, "first")
        ));
    }
    match session.first_time_true(rest) {
        Ok(Some(time)) => session.go_to_time(time, reply),
        Ok(None) => reply.error(format!("{rest} was never true at a stop")),
        Err(diagnostics) => {
            reply.ok = false;
            reply.diagnostics = diagnostics;
        }
    }
}

fn branches(session: &mut Session, rest: &str, reply: &mut Reply) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        [] => {
            let mut any = false;
            for branch in session.timeline.branches() {
                any = true;
                let texts: Vec<&str> = branch
                    .entries
                    .iter()
                    .filter(|r| r.has_effect)
                    .map(|r| r.text.lines().next().unwrap_or(""))
                    .collect();
                let texts = elide(&texts.join(" · "), 60);
                reply.line(format!(
                    "  {}  after {} entries: {texts}",
                    branch.number, branch.fork_index
                ));
            }
            if !any {
                reply.line(Line::styled(Style::Dim, "there is only one future"));
            }
        }
        ["drop"] => reply.error("say which: `:branches drop 1`; `:branches` lists them"),
        ["drop", n] => match n.parse() {
            Ok(n) if session.delete_branch(n) => reply.line(format!("branch {n} is gone")),
            _ => reply.error(format!("there is no branch {n}")),
        },
        [n] => match n.parse() {
            Ok(n) if session.switch_branch(n) => {
                reply.line(format!(
                    "on branch {n}; the future that was left has its number now"
                ));
                reply.show_board = true;
            }
            _ => reply.error(format!("there is no branch {n}")),
        },
        _ => reply.error("say `:branches`, `:branches 1` or `:branches drop 1`"),
    }
}
