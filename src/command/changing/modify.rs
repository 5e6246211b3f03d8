//! Commands that change the game: undo, redo, restart and control of the random numbers.

use crate::analysis::line_replay;
use crate::answer::{CommandError, Part, Setting};
use crate::command::exploring::opponent::is_computers_turn;
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::debugger::run;
use crate::debugger::{HistoryAction, Target};
use crate::session::{Answer, AtInput, Session};

pub const COMMANDS: &[Command] = &[
    answering!(TimeTravel, Nothing; "undo", &[], "[n]", "take back the last move, answer or other change, or the last n", ":undo 2", |session, arguments| {
        let count = arguments.count()?;
        let entries = repeat_to_your_turn(session, count, |target| target.undo(1));
        match entries.is_empty() {
            true => Err(nothing_to_undo(session)),
            false => Ok(changed_game(session, Part::Undone { entries })),
        }
    }; at_input(AtInput::AfterAnswer), plays()),
    answering!(TimeTravel, Nothing; "redo", &[], "[n]", "redo what was undone", ":redo", |session, arguments| {
        let count = arguments.count()?;
        let entries = repeat_to_your_turn(session, count, |target| target.redo(1));
        match entries.is_empty() {
            true => Err(CommandError::new("nothing to redo")),
            false => Ok(Answer {
                value: line_replay::line_result(&session.target),
                ..changed_game(session, Part::Redone { entries })
            }),
        }
    }; moves_history(), plays()),
    answering!(Changing, Nothing; "restart", &[], "", "start the game again with the same random draws: variables, board, setup", ":restart", |session, _| {
        Ok(session.restart())
    }),
    answering!(Changing, Nothing; "seed", &[], "[N]", "restart the random numbers from a seed, or show the seed", ":seed 42", seed),
    Command {
        name: "rand",
        aliases: &[],
        usage: "next N… | clear",
        topic: Topic::Changing,
        help: "script the next random draws, or clear the script",
        example: ":rand next 3 7",
        effects: CommandEffects::of(Topic::Changing),
        completion: ArgumentCompletion::Words(&["next", "clear"]),
        run: rand,
    },
];

/// Undoes or redoes `count` entries, each together with the moves of the computer that follow or came
/// before, so that it is the user's turn. Returns what was undone or redone.
fn repeat_to_your_turn(
    session: &mut Session,
    count: usize,
    mut once: impl FnMut(&mut Target) -> Vec<String>,
) -> Vec<String> {
    let mut entries = Vec::new();
    for _ in 0..count {
        let done = once(&mut session.target);
        if done.is_empty() {
            break;
        }
        entries.extend(done);
        while is_computers_turn(session) {
            let done = once(&mut session.target);
            if done.is_empty() {
                break;
            }
            entries.extend(done);
        }
    }
    entries
}

fn nothing_to_undo(session: &Session) -> CommandError {
    CommandError::new(match session.target.timeline.dropped_history() {
        Some(dropped) => format!("nothing to undo: {dropped}"),
        None if session.transcript.replay_offset > 0 => {
            "nothing to undo; a `:reload` cannot be undone".to_string()
        }
        None => "nothing to undo".to_string(),
    })
}

/// The answer to an undo or redo: what it did, and the stop if the session is at one.
fn changed_game(session: &mut Session, part: Part) -> Answer {
    let mut answer = Answer::of(part);
    answer.show_changed_board();
    if session.target.is_stopped() {
        answer.absorb(run::reshow_stop(&mut session.target));
    }
    answer
}

fn seed(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    if arguments.is_empty() {
        let seed = session.target.machine.rng.seed();
        let is_new = false;
        return Ok(Answer::of(Setting::Seed { seed, is_new }));
    }
    let Some(seed) = arguments.number::<u64>() else {
        return Err(CommandError::new(format!(
            "expected a whole number as the seed, found `{}`",
            arguments.text()
        )));
    };
    let action = HistoryAction::Seed(seed);
    session
        .target
        .record_action(action, &format!(":seed {seed}"));
    Ok(Answer::of(Setting::Seed { seed, is_new: true }))
}

fn rand(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match arguments.first_word() {
        ("next", draws) => {
            let command = format!(":rand {}", arguments.text());
            script_draws(session, draws, &command)
        }
        ("clear", _) => {
            let action = HistoryAction::ScriptDraws(None);
            session.target.record_action(action, ":rand clear");
            Ok(Answer::of(Setting::ScriptedDraws(Vec::new())))
        }
        _ => Err(CommandError::new(
            "use `:rand next 3 7` to script the next draws, or `:rand clear` to clear the script",
        )),
    }
}

fn script_draws(
    session: &mut Session,
    arguments: Arguments<'_>,
    command: &str,
) -> Result<Answer, CommandError> {
    let words = arguments.words();
    let words: Vec<&str> = words.iter().map(|w| w.trim_end_matches(',')).collect();
    let draws: Option<Vec<i64>> = words.iter().map(|w| parse_draw(w)).collect();
    let Some(draws) = draws.filter(|draws| !draws.is_empty()) else {
        return Err(CommandError::new(
            "`:rand next` needs the numbers to draw, e.g. `:rand next 3 7`",
        ));
    };
    let before = session.target.machine.rng.scripted();
    let all: Vec<String> = before
        .map(|n| n.to_string())
        .chain(words.iter().map(ToString::to_string))
        .collect();
    let action = HistoryAction::ScriptDraws(Some(draws));
    session.target.record_action(action, command);
    Ok(Answer::of(Setting::ScriptedDraws(all)))
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
