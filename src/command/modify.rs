//! Commands that change the game: undo, redo, restart and control of the random numbers.

use super::{ArgumentCompletion, Command, CommandFn, Topic, parse_count};
use crate::debugger::HistoryAction;
use crate::session::{Answer, Line, Session, Style, first_line};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "undo",
        aliases: &[],
        usage: "[n]",
        topic: Topic::TimeTravel,
        help: "undo the last change of the game, or the last n",
        example: ":undo 2",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|session, rest, reply| {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            let undone = session.target.undo(n);
            if undone.is_empty() {
                reply.error("nothing to undo");
            }
            list_entries("undone", &undone, reply);
            show_game(session, !undone.is_empty(), reply);
        }),
    },
    Command {
        name: "redo",
        aliases: &[],
        usage: "[n]",
        topic: Topic::TimeTravel,
        help: "redo what was undone",
        example: ":redo",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|session, rest, reply| {
            let Some(n) = parse_count(rest, reply) else {
                return;
            };
            let redone = session.target.redo(n);
            if redone.is_empty() {
                reply.error("nothing to redo");
            }
            list_entries("redone", &redone, reply);
            show_game(session, !redone.is_empty(), reply);
        }),
    },
    Command {
        name: "restart",
        aliases: &[],
        usage: "",
        topic: Topic::Changing,
        help: "start the game again with the same random draws: variables, board, setup",
        example: ":restart",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|session, _, reply| *reply = session.restart()),
    },
    Command {
        name: "seed",
        aliases: &[],
        usage: "[N]",
        topic: Topic::Changing,
        help: "restart the random numbers from a seed, or show the seed",
        example: ":seed 42",
        completion: ArgumentCompletion::Nothing,
        run: CommandFn::Fill(|session, rest, reply| match rest.parse::<u64>() {
            Ok(seed) => {
                session
                    .target
                    .record_action(HistoryAction::Seed(seed), &format!(":seed {seed}"));
                reply.line(format!("Random numbers restart from seed {seed}"));
            }
            Err(_) if rest.is_empty() => {
                reply.line(format!("The seed is {}", session.target.machine.rng.seed()))
            }
            Err(_) => reply.error(format!(
                "expected a whole number as the seed, found `{rest}`"
            )),
        }),
    },
    Command {
        name: "rand",
        aliases: &[],
        usage: "next N… | clear",
        topic: Topic::Changing,
        help: "script the next random draws, or clear the script",
        example: ":rand next 3 7",
        completion: ArgumentCompletion::Words(&["next", "clear"]),
        run: CommandFn::Fill(|session, rest, reply| {
            let mut words = rest.split_whitespace();
            match words.next() {
                Some("next") => {
                    let words: Vec<&str> = words.map(|w| w.trim_end_matches(',')).collect();
                    let draws: Option<Vec<i64>> = words.iter().map(|w| parse_draw(w)).collect();
                    match draws {
                        Some(draws) if !draws.is_empty() => {
                            let before = session.target.machine.rng.scripted().map(|n| n.to_string());
                            let all: Vec<String> = before
                                .chain(words.iter().map(ToString::to_string))
                                .collect();
                            session.target.record_action(
                                HistoryAction::ScriptDraws(Some(draws)),
                                &format!(":rand {rest}"),
                            );
                            reply.line(format!("The next draws will be {}", all.join(", ")));
                        }
                        _ => reply.error("`:rand next` needs the numbers to draw, e.g. `:rand next 3 7`"),
                    }
                }
                Some("clear") => {
                    session.target.record_action(HistoryAction::ScriptDraws(None), ":rand clear");
                    reply.line("The next draws are random again");
                }
                _ => reply.error(
                    "use `:rand next 3 7` to script the next draws, or `:rand clear` to clear the script",
                ),
            }
        }),
    },
];

/// Shows the board after an undo or redo, and the stop if the session is at one.
fn show_game(session: &mut Session, has_changed: bool, reply: &mut Answer) {
    reply.show_board = has_changed;
    if has_changed && session.target.is_stopped() {
        reply.absorb(session.target.reshow_stop());
    }
}

/// Parses a scripted draw. A number with a decimal point is converted to thousandths, the unit in
/// which fractions are drawn.
fn parse_draw(word: &str) -> Option<i64> {
    if !word.contains('.') {
        return word.parse().ok();
    }
    let thousandths = (word.parse::<f64>().ok()? * 1000.0).round();
    (thousandths.abs() < 1e15).then_some(thousandths as i64)
}

/// Of more entries, only the first and last are listed.
const MAX_ENTRIES_LISTED: usize = 8;

/// Lists entries, each after a label such as `undone`.
fn list_entries(label: &str, entries: &[String], reply: &mut Answer) {
    let line = |text: &String| {
        Line::styled(Style::Dim, format!("{label}: ")).with(Style::Plain, first_line(text))
    };
    if entries.len() <= MAX_ENTRIES_LISTED {
        return entries.iter().for_each(|text| reply.line(line(text)));
    }
    let half = MAX_ENTRIES_LISTED / 2;
    entries[..half]
        .iter()
        .for_each(|text| reply.line(line(text)));
    reply.line(Line::styled(
        Style::Dim,
        format!("        ({} more)", entries.len() - 2 * half),
    ));
    entries[entries.len() - half..]
        .iter()
        .for_each(|text| reply.line(line(text)));
}
