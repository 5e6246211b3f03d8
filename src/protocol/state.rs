//! The state of the game as JSON, as `:state` shows it.

use crate::code::Status;
use crate::debugger::api::{BoardProperties, value_to_json};
use crate::language::GameView;
use crate::session::Session;
use serde_json::{Map, Value as Json, json};

/// The state of the game with the board that the view has.
pub fn state_to_json(session: &Session, view: &GameView) -> Json {
    let store = &session.target.machine.store;
    let variables: Map<String, Json> = view
        .variables
        .iter()
        .map(|(name, v)| {
            let value = value_to_json(session.target.program(), store, *v);
            (name.clone(), value)
        })
        .collect();
    json!({
        "language": session.target.language().info().name,
        "status": view.status.as_str(),
        "ending": view.ending,
        "winner": view.winner.as_ref().filter(|_| view.status == Status::Won),
        "turn": view.current_player,
        "turn_count": view.turn_count,
        "board": view.board.as_ref().map(BoardProperties),
        "header": view.header,
        "footer": view.footer,
        "vars": variables,
    })
}
