//! `:opponent`: the computer plays one of the players, or several. Its moves are entered like those of
//! the user, so history, undo and session files treat them alike; a replay enters them again and
//! searches nothing.

use super::explore::{remember_turn, scope_options, with_limits};
use crate::answer::{CommandError, Notice, OpponentMove, OpponentSetting, Part, Setting};
use crate::code::Status;
use crate::command::input_prompt::command_at_input_prompt;
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::explorer::{
    ChosenMove, MAX_LEVEL, MoveChoice, OpponentLevel, Scope, require_moves, unknown_player,
};
use crate::session::{Answer, ComputerMoves, Looks, Opponent, Session, TranscriptEntry};
use crate::text::with_commas;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub const COMMANDS: &[Command] = &[Command {
    name: "opponent",
    aliases: &[],
    usage: "[P [random | LEVEL | perfect] [SECONDS] [turn E] | P off | off]",
    topic: Topic::Exploring,
    help: "let the computer play P, at level 1 to 5, at random or perfectly; `:undo` takes back its reply together with your move",
    example: ":opponent o perfect",
    effects: CommandEffects::of(Topic::Exploring)
        .looks(Looks::Alone)
        .computer_moves(ComputerMoves::IfOk),
    completion: ArgumentCompletion::Words(&["random", "perfect", "off"]),
    run: opponent,
}];

const DEFAULT_LEVEL: OpponentLevel = OpponentLevel::Level(3);
/// If the computer plays all players, it stops after this many moves.
const MAX_MOVES_IN_ROW: usize = 1000;
const MAX_SECONDS: f64 = 3600.0;

fn opponent(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (text, scope) = scope_options(session, arguments.text())?;
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => {}
        ["off"] => session.opponents.players.clear(),
        [player, "off"] => {
            let player = player.trim_matches('"');
            if session.opponents.get(player).is_none() {
                return Err(CommandError::new(format!(
                    "the computer does not play `{player}`"
                )));
            }
            session.opponents.players.retain(|o| o.player != player);
        }
        [player, rest @ ..] => {
            let players = players(session, &scope)?;
            let player = player.trim_matches('"');
            if !players.iter().any(|p| p == player) {
                return Err(unknown_player(player, &players));
            }
            let (level, time_limit) = level_and_time(rest, &text)?;
            remember_turn(session, scope);
            session.opponents.set(Opponent {
                player: player.to_string(),
                level,
                time_limit,
            });
        }
    }
    Ok(Answer::of(describe(session)))
}

/// The players of the game; an error if there are fewer than two.
fn players(session: &Session, scope: &Scope) -> Result<Vec<String>, CommandError> {
    let players = session.explorer.players(&session.target, scope)?;
    if players.is_empty() {
        require_moves(&session.target, scope)?;
    }
    match players.len() {
        0 | 1 => Err(CommandError::new(
            "this game has only one player, so there is nobody to play against",
        )
        .advise(":hint", "shows a best move")
        .advise(":solve", "shows a best line")),
        _ => Ok(players),
    }
}

/// The line that lets the computer play the side that is not to move now, or play no side any more.
/// `None` if the sides are not known.
pub fn opponent_toggle(session: &Session) -> Option<String> {
    if !session.opponents.players.is_empty() {
        return Some(":opponent off".to_string());
    }
    let scope = session.explorer.default_scope();
    let players = session.explorer.players(&session.target, &scope).ok()?;
    let to_move = player_to_move(session);
    let other = players
        .iter()
        .find(|player| Some(*player) != to_move.as_ref());
    let name = other.filter(|_| players.len() > 1)?;
    Some(format!(":opponent {name}"))
}

/// `[random | LEVEL | perfect] [SECONDS]`
fn level_and_time(
    words: &[&str],
    text: &str,
) -> Result<(OpponentLevel, Option<Duration>), CommandError> {
    let level = |word: &str| {
        OpponentLevel::parse(word).ok_or_else(|| {
            CommandError::new(format!(
                "unknown level `{word}`; use `random`, 1 to {MAX_LEVEL}, or `perfect`"
            ))
        })
    };
    let player = text.split_whitespace().next().unwrap_or("o");
    let seconds = |word: &str| {
        let seconds = word.trim_end_matches('s').parse::<f64>().ok();
        let valid = seconds.filter(|s| *s > 0.0 && *s <= MAX_SECONDS);
        valid.map(Duration::from_secs_f64).ok_or_else(|| {
            CommandError::new(match seconds {
                Some(seconds) if seconds > MAX_SECONDS => format!(
                    "`{word}` seconds for a move are too many; the most are {}",
                    with_commas(MAX_SECONDS as u64)
                ),
                Some(_) => format!("the seconds for a move must be more than 0 (got `{word}`)"),
                None => format!(
                    "expected the seconds for a move, found `{word}`, e.g. `:opponent {player} perfect 5`"
                ),
            })
        })
    };
    match words {
        [] => Ok((DEFAULT_LEVEL, None)),
        [word] => Ok((level(word)?, None)),
        [word, limit] => Ok((level(word)?, Some(seconds(limit)?))),
        _ => Err(CommandError::new(format!(
            "`:opponent` takes a player, a level and the seconds for a move (got `{text}`)"
        ))),
    }
}

fn describe(session: &Session) -> Setting {
    let opponents = session.opponents.players.iter();
    let opponents = opponents.map(|opponent| OpponentSetting {
        player: opponent.player.clone(),
        level: opponent.level.to_string(),
        seconds: opponent.time_limit.map(|limit| limit.as_secs_f64()),
    });
    Setting::Opponent(opponents.collect())
}

/// Notes after a line whether the computer may have to move.
pub(crate) fn note_line(session: &mut Session) {
    let Some(last) = session.transcript.entries.last() else {
        return;
    };
    session.opponents.is_due = has_changed_game(session, last);
}

/// Whether a line may have given the turn to another player. Going through the history does not: there
/// the user looks at what was played.
fn has_changed_game(session: &Session, entry: &TranscriptEntry) -> bool {
    let command = match entry.is_answer {
        true => command_at_input_prompt(session, &entry.input),
        false => entry
            .command
            .and_then(|name| crate::command::find(name).ok()),
    };
    let is_answer = entry.is_answer && command.is_none();
    let is_change = is_answer || entry.position_before != entry.position_after;
    match command {
        None => is_change && !entry.has_failed,
        Some(command) => match command.effects.computer_moves {
            ComputerMoves::IfOk => !entry.has_failed,
            ComputerMoves::Never => false,
            ComputerMoves::IfChanged => is_change,
        },
    }
}

/// The player whose turn it is.
fn player_to_move(session: &Session) -> Option<String> {
    let target = &session.target;
    if target.is_waiting_for_input()
        && let Some(player) = session.explorer.player_at_question(target)
    {
        return Some(player);
    }
    let standing = target.language().standing(&target.machine.store);
    match standing.status {
        Status::Playing => standing.player.map(str::to_string),
        _ => None,
    }
}

/// Whether it is the turn of a player whom the computer plays, while the user plays another one.
pub(crate) fn is_computers_turn(session: &Session) -> bool {
    let is_opponent = |player: &String| session.opponents.get(player).is_some();
    if !player_to_move(session).is_some_and(|player| is_opponent(&player)) {
        return false;
    }
    let scope = session.explorer.default_scope();
    let players = session.explorer.players(&session.target, &scope);
    players.is_ok_and(|players| !players.iter().all(is_opponent))
}

/// The opponent who has to move now.
fn opponent_to_move(session: &Session) -> Option<Opponent> {
    let target = &session.target;
    let is_ready = session.opponents.is_due
        && !session.files.is_replay
        && !target.is_stopped()
        && session.predictions.pending.is_none()
        && (target.machine.is_idle() || target.is_waiting_for_input());
    let player = player_to_move(session).filter(|_| is_ready)?;
    session.opponents.get(&player).cloned()
}

/// Whether the computer has to move now.
pub fn is_opponent_due(session: &Session) -> bool {
    !session.opponents.players.is_empty() && opponent_to_move(session).is_some()
}

/// What the computer does when it is its turn.
pub(crate) enum ComputerTurn {
    /// It enters a move.
    Move(ComputerMove),
    /// It has no move, or has not found one.
    Answered(Box<Answer>),
}

/// A move that the computer has chosen.
pub(crate) struct ComputerMove {
    opponent: Opponent,
    chosen: ChosenMove,
}

/// If it is the computer's turn, chooses its move.
pub(crate) fn computer_turn(session: &mut Session) -> Option<ComputerTurn> {
    let opponent = opponent_to_move(session)?;
    session.opponents.is_due = false;
    let question = session.target.question();
    let player = opponent.player.clone();
    if session.opponents.moves_in_row >= MAX_MOVES_IN_ROW {
        let mut answer = Answer {
            question,
            ..Answer::new("")
        };
        let error = CommandError::new(format!(
            "stopped after {} moves of the computer",
            with_commas(MAX_MOVES_IN_ROW as u64)
        ));
        answer.fail(error.advise(":opponent", "continues"));
        return Some(ComputerTurn::Answered(Box::new(answer)));
    }
    let mut answer = match choose(session, &opponent) {
        Ok(MoveChoice::Play(chosen)) => {
            session.opponents.moves_in_row += 1;
            return Some(ComputerTurn::Move(ComputerMove { opponent, chosen }));
        }
        Ok(MoveChoice::NoMove) => Answer::of(Notice::NoMove { player }),
        Ok(MoveChoice::Interrupted) => Answer::of(Notice::NotMoved { player }),
        Err(error) => {
            let mut answer = Answer::new("");
            answer.fail(error);
            answer
        }
    };
    answer.question = question;
    Some(ComputerTurn::Answered(Box::new(answer)))
}

fn choose(session: &mut Session, opponent: &Opponent) -> Result<MoveChoice, CommandError> {
    let mut limits = session.explorer.limits;
    limits.time = opponent.time_limit.unwrap_or(limits.time);
    with_limits(session, limits, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        let scope = explorer.default_scope();
        let flag = target.machine.interrupt_flag();
        match explorer.choose_move(target, opponent.level, &scope, control) {
            // Interrupted before the search has begun.
            Err(_) if flag.load(Ordering::Relaxed) => Ok(MoveChoice::Interrupted),
            choice => choice,
        }
    })
}

impl ComputerMove {
    /// The line that it enters, like one that was typed.
    pub(crate) fn line(&self) -> &str {
        &self.chosen.entry
    }

    /// Says in the answer to its line who has played what.
    pub(crate) fn complete(self, mut answer: Answer) -> Answer {
        let ComputerMove { opponent, chosen } = self;
        answer.echo = Some(Part::OpponentMove(OpponentMove {
            player: opponent.player,
            entry: chosen.entry,
            level: opponent.level.to_string(),
            not_perfect: chosen.not_perfect,
            exact: chosen.exact,
            positions: chosen.positions,
            playouts: chosen.playouts,
        }));
        answer
    }
}
