//! Preludes: files of definitions that a game uses.

use super::{Compiled, FrameScope, Language};
use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::source::{Source, SourceId, Sources};
use std::collections::HashMap;
use std::sync::Arc;

/// What a language does whose games can use preludes. A prelude is read before the game and defines
/// nothing that the game defines.
pub trait PreludeSupport {
    /// Whether the text of a file is a prelude rather than a game.
    fn is_prelude(&self, text: &str) -> bool;

    /// Compiles a game that uses these preludes, or the preludes alone, as a new program.
    fn compile(
        &self,
        preludes: &[Arc<Source>],
        game: Option<&Source>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// Adds a prelude to a program. At a stop, `frame` is the selected frame.
    fn add(
        &self,
        prelude: &Arc<Source>,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>>;

    /// The preludes that a program uses, in the order they were read.
    fn preludes(&self, program: &Program) -> Vec<SourceId>;

    /// The keys of the program items that preludes define, also if the prompt has redefined them.
    fn item_keys(&self, program: &Program) -> HashMap<String, SourceId>;
}

/// Compiles a game with the preludes that it uses.
pub fn compile_game(
    language: &dyn Language,
    preludes: &[Arc<Source>],
    game: &Source,
) -> Result<Compiled, Vec<Diagnostic>> {
    match language.prelude_support() {
        Some(support) => support.compile(preludes, Some(game)),
        None => language.compile_file(game),
    }
}

/// The preludes that a program uses, in the order they were read.
pub fn preludes_of(
    language: &dyn Language,
    program: &Program,
    sources: &Sources,
) -> Vec<Arc<Source>> {
    let support = language.prelude_support();
    let ids = support.map(|support| support.preludes(program));
    let ids = ids.unwrap_or_default().into_iter();
    ids.filter_map(|id| sources.get(id).cloned()).collect()
}
