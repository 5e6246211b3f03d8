//! The state of the game as JSON, as `:state` shows it.

use crate::answer::{BoardProperties, StateView};
use crate::code::Status;
use crate::debugger::value_to_json;
use crate::session::Session;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The state of the game with the board that the view has, to be written as JSON.
#[derive(Serialize)]
pub struct StateJson<'a> {
    language: &'static str,
    status: &'static str,
    ending: &'a Option<String>,
    winner: Option<&'a String>,
    turn: &'a Option<String>,
    turn_count: Option<i64>,
    board: Option<BoardProperties<'a>>,
    header: &'a [Option<String>],
    footer: &'a [String],
    vars: Map<String, Json>,
}

impl<'a> StateJson<'a> {
    /// A view of this session's game.
    pub fn new(session: &Session, state: &'a StateView) -> StateJson<'a> {
        let store = &session.target.machine.store;
        let view = &state.view;
        let variables = state.variables.iter().map(|(name, v)| {
            let value = value_to_json(session.target.program(), store, *v);
            (name.clone(), value)
        });
        StateJson {
            language: session.target.language().info().name,
            status: view.status.as_str(),
            ending: &view.ending,
            winner: view.winner.as_ref().filter(|_| view.status == Status::Won),
            turn: &view.current_player,
            turn_count: view.turn_count,
            board: view.board.as_ref().map(BoardProperties),
            header: &view.header,
            footer: &view.footer,
            vars: variables.collect(),
        }
    }
}
