//! What each of the five languages promises, tested through the engine.

mod bogl;
mod decisions;
mod games;
mod gridlang;
mod save_program;
mod sgl2d;
mod suggested_edits;
mod syntax;
mod tinygame;
mod wrong_language;
