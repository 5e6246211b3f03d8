//! Commands that change the game, and those that take changes back.

use super::{ArgumentCompletion, Command, Topic, parse_count};
use crate::debugger::HistoryAction;
use crate::session::{Line, Reply, Session, Style, first_line};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "undo",
        aliases: &[],
        usage: "[n]",
        topic: Topic::TimeTravel,
        help: "take back the last thing that changed the game, or the last n",
        example: ":undo 2",
        completion: ArgumentCompletion::Nothing,
        run: |session, rest, reply| {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            let undone = session.undo(n);
            if undone.is_empty() {
                reply.error("there is nothing to take back");
            }
            tell_each("undone", &undone, reply);
            show_where(session, !undone.is_empty(), reply);
        },
    },
    Command {
        name: "redo",
        aliases: &[],
        usage: "[n]",
        topic: Topic::TimeTravel,
        help: "do again what was taken back",
        example: ":redo",
        completion: ArgumentCompletion::Nothing,
        run: |session, rest, reply| {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            let redone = session.redo(n);
            if redone.is_empty() {
                reply.error("there is nothing to do again");
            }
            tell_each("redone", &redone, reply);
            show_where(session, !redone.is_empty(), reply);
        },
    },
    Command {
        name: "restart",
        aliases: &[],
        usage: "",
        topic: Topic::Changing,
        help: "start the game again: variables, board, setup; the same draws come again",
        example: ":restart",
        completion: ArgumentCompletion::Nothing,
        run: |session, _, reply| *reply = session.restart(),
    },
    Command {
        name: "seed",
        aliases: &[],
        usage: "[N]",
        topic: Topic::Changing,
        help: "begin the random numbers again from a seed, or show the seed",
        example: ":seed 42",
        completion: ArgumentCompletion::Nothing,
        run: |session, rest, reply| match rest.parse::<u64>() {
            Ok(seed) => {
                session.record_action(HistoryAction::Seed(seed), &format!(":seed {seed}"));
                reply.line(format!("random numbers begin again from seed {seed}"));
            }
            Err(_) if rest.is_empty() => {
                reply.line(format!("the seed is {}", session.machine.rng.seed()))
            }
            Err(_) => reply.error(format!("a seed is a whole number, not `{rest}`")),
        },
    },
    Command {
        name: "rand",
        aliases: &[],
        usage: "next N… | clear",
        topic: Topic::Changing,
        help: "choose what the next random draws will give",
        example: ":rand next 3 7",
        completion: ArgumentCompletion::Words(&["next", "clear"]),
        run: |session, rest, reply| {
            let mut words = rest.split_whitespace();
            match words.next() {
                Some("next") => {
                    let words: Vec<&str> = words.map(|w| w.trim_end_matches(',')).collect();
                    let draws: Option<Vec<i64>> = words.iter().map(|w| drawn(w)).collect();
                    match draws {
                        Some(draws) if !draws.is_empty() => {
                            let before = session.machine.rng.scripted().map(|n| n.to_string());
                            let all: Vec<String> = before
                                .chain(words.iter().map(ToString::to_string))
                                .collect();
                            session.record_action(
                                HistoryAction::ScriptDraws(Some(draws)),
                                &format!(":rand {rest}"),
                            );
                            reply.line(format!("the next draws will be {}", all.join(", ")));
                        }
                        _ => reply.error("say the numbers to be drawn next: `:rand next 3 7`"),
                    }
                }
                Some("clear") => {
                    session.record_action(HistoryAction::ScriptDraws(None), ":rand clear");
                    reply.line("the next draws are left to chance");
                }
                _ => reply.error(
                    "say `:rand next 3 7` to choose the next draws, `:rand clear` to forget them",
                ),
            }
        },
    },
];

/// What was typed at a stop is undone and redone at that stop.
fn show_where(session: &mut Session, moved: bool, reply: &mut Reply) {
    reply.show_board = moved;
    if moved && session.is_stopped() {
        session.reshow_stop(reply);
    }
}

/// What is to be drawn: a whole number, or one with a point, which is drawn in thousandths.
fn drawn(word: &str) -> Option<i64> {
    if !word.contains('.') {
        return word.parse().ok();
    }
    let thousandths = (word.parse::<f64>().ok()? * 1000.0).round();
    (thousandths.abs() < 1e15).then_some(thousandths as i64)
}

/// So many are told one by one; of more, the first and the last.
const MOST_TOLD: usize = 8;

/// What was done to entries, a line for each.
fn tell_each(done: &str, entries: &[String], reply: &mut Reply) {
    let line = |text: &String| {
        Line::styled(Style::Dim, format!("{done}: ")).with(Style::Plain, first_line(text))
    };
    if entries.len() <= MOST_TOLD {
        return entries.iter().for_each(|text| reply.line(line(text)));
    }
    let ends = MOST_TOLD / 2;
    entries[..ends]
        .iter()
        .for_each(|text| reply.line(line(text)));
    reply.line(Line::styled(
        Style::Dim,
        format!("        ({} more)", entries.len() - 2 * ends),
    ));
    entries[entries.len() - ends..]
        .iter()
        .for_each(|text| reply.line(line(text)));
}
