//! Per-language help for newcomers: suggestions for the start screen and the steps of the tour.

use super::ForeignSyntaxNotes;

/// Suggestions in the syntax of one language.
#[derive(Debug)]
pub struct Guide {
    /// A move that works in every game with a board; empty if there is none.
    pub sample_move: &'static str,
    /// Good first breakpoints, best first. Each matches every definition whose name starts or ends
    /// with it.
    pub breakpoints: &'static [&'static str],
    /// Blocks worth a dry run (`:step NAME`), best first.
    pub dry_runs: &'static [&'static str],
    /// Entries to try in an empty session, each with what it does.
    pub first_entries: [(&'static str, &'static str); 2],
    /// The constructs of the language, each with a description. Typed one after the other they make
    /// a small game.
    pub syntax_examples: &'static [(&'static str, &'static str)],
    /// (Command, example) for the sample game, overriding the example in the command table.
    pub command_examples: &'static [(&'static str, &'static str)],
    /// How to write what other programming languages write differently.
    pub foreign_syntax: ForeignSyntaxNotes,
    /// Every keyword that is not a built-in, with one line of help.
    pub word_help: &'static [(&'static str, &'static str)],
    /// The guided tour through the sample game.
    pub tour: &'static [TourStep],
    /// The built-in games, the sample game first.
    pub examples: &'static [ExampleGame],
    /// The lessons of the course, in order: the texts of session files.
    pub lessons: &'static [&'static str],
    /// What `gridbug new` writes: a small game with comments.
    pub template: &'static str,
}

impl Guide {
    /// No suggestions.
    pub const EMPTY: Guide = Guide {
        sample_move: "",
        breakpoints: &[],
        dry_runs: &[],
        first_entries: [("", ""), ("", "")],
        syntax_examples: &[],
        command_examples: &[],
        foreign_syntax: &[],
        word_help: &[],
        tour: &[],
        examples: &[],
        lessons: &[],
        template: "",
    };
}

/// A built-in game.
#[derive(Debug)]
pub struct ExampleGame {
    /// A short name, unique in its language.
    pub name: &'static str,
    /// What it is about, in one line.
    pub about: &'static str,
    /// The program.
    pub text: &'static str,
}

impl ExampleGame {
    /// See the fields.
    pub const fn new(name: &'static str, about: &'static str, text: &'static str) -> ExampleGame {
        ExampleGame { name, about, text }
    }
}

/// One step of the guided tour.
#[derive(Debug)]
pub struct TourStep {
    /// One or two sentences, already wrapped.
    pub text: &'static str,
    /// The line to type.
    pub input: &'static str,
    /// Text that the reply contains if the step worked.
    pub expected: &'static str,
}

impl TourStep {
    /// See the fields.
    pub const fn new(text: &'static str, input: &'static str, expected: &'static str) -> TourStep {
        TourStep {
            text,
            input,
            expected,
        }
    }
}
