//! What each of the five languages promises, tested through the engine.

mod boards;
mod bogl;
mod common_mistakes;
mod decisions;
mod format;
mod games;
mod gridlang;
mod gridlok;
mod names;
mod partial_checks;
mod preludes;
#[path = "../support/protocol.rs"]
mod protocol;
mod recovery;
mod save_program;
mod save_round_trip;
mod sgl2d;
mod sixth_language;
mod suggested_edits;
mod syntax;
#[path = "../support/test_session.rs"]
mod test_session;
mod tinygame;
mod wrong_language;
