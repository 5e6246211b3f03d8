//! The example games and lessons of BoGL, and what it writes differently from other languages. The
//! texts for newcomers are in `guide.txt`.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, GuideText};

pub fn guide(text: GuideText) -> Guide {
    Guide {
        foreign_syntax: FOREIGN_SYNTAX,
        examples: EXAMPLES,
        lessons: LESSONS,
        template: include_str!("template.bgl"),
        ..Guide::from_text(text)
    }
}

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/bogl/01-boards-are-values.session"),
    include_str!("../../../../sessions/course/bogl/02-change-a-rule.session"),
    include_str!("../../../../sessions/course/bogl/03-find-a-bug.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "stones",
        "take one to three stones, against the machine",
        include_str!("sample.bgl"),
    ),
    ExampleGame::new(
        "tic-tac-toe",
        "three in a row, for two players",
        include_str!("../../../../sessions/bogl/tic-tac-toe.bgl"),
    ),
    ExampleGame::new(
        "connect-four",
        "pieces fall into columns; four in a row win",
        include_str!("../../../../sessions/bogl/connect-four.bgl"),
    ),
    ExampleGame::new(
        "guess",
        "the machine guesses your number",
        include_str!("../../../../sessions/bogl/guess.bgl"),
    ),
    ExampleGame::new(
        "walk",
        "find a treasure between walls",
        include_str!("../../../../sessions/bogl/walk.bgl"),
    ),
];

/// What BoGL writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (SlashComment, COMMENTS),
    (HashComment, COMMENTS),
    (BlockComment, COMMENTS),
    (Increment, NEW_VALUE),
    (CompoundAssignment, NEW_VALUE),
    (NotEqual, "write `/=` for \"not equal\""),
    (ElseIf, "write `else if … then … else …`"),
    (Conditional, "write `if … then … else …`"),
    (
        Loop,
        "write a function that calls itself, or `while condition do expression`",
    ),
    (
        Function,
        "write the type and the equation: `f : Int -> Int` and `f(x) = x + 1`",
    ),
    (
        Return,
        "the result of a function is the right side of its equation: `f(x) = x + 1`",
    ),
    (
        Variable,
        "write `let x = 3` at the prompt, and `x : Int` and `x = 3` in a program",
    ),
    (Print, "type an expression to see its value"),
    (
        Null,
        "list a symbol for it in a type: `type Cell = {X, O, Empty}`",
    ),
    (Switch, "write `if … then … else …`"),
    (Import, "a game is a single file"),
    (
        CurlyQuote,
        "BoGL has no strings; use the symbols of an enumeration: `type T = {Won, Lost}`",
    ),
];
const COMMENTS: &str = "write `-- comment` or `{- comment -}`";
const NEW_VALUE: &str = "values do not change; define another one: `let y = x + 1`";
