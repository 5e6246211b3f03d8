//! What a language shows a newcomer: what to try at the start, and the stops of its tour.

/// What there is to try, in the words of the language.
#[derive(Debug)]
pub struct Guide {
    /// A move that can be made in every game with a board; empty if games have none in common.
    pub sample_move: &'static str,
    /// Places to stop in, the best one first; `event ` is any that begins like this.
    pub breakpoints: &'static [&'static str],
    /// Blocks that are worth a rehearsal, the best one first.
    pub dry_runs: &'static [&'static str],
    /// Entries for a session in which nothing is defined, each with what it does.
    pub first_entries: [(&'static str, &'static str); 2],
    /// What is written in the language, each with what it is: typed one after the other they make a small game.
    pub syntax_examples: &'static [(&'static str, &'static str)],
    /// Commands with something to type in this language's own first game, where the table of commands has another's.
    pub command_examples: &'static [(&'static str, &'static str)],
    /// The tour through the language's own first game.
    pub tour: &'static [TourStep],
}

/// One stop of the tour.
#[derive(Debug)]
pub struct TourStep {
    /// One or two sentences, in lines that fit.
    pub text: &'static str,
    /// The line to type.
    pub input: &'static str,
    /// What the answer has in it when all went as it was told.
    pub expected: &'static str,
}

impl TourStep {
    pub const fn new(tells: &'static str, types: &'static str, shows: &'static str) -> TourStep {
        TourStep {
            text: tells,
            input: types,
            expected: shows,
        }
    }
}
