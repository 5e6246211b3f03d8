//! BoGL for newcomers: suggestions, example entries and the tour.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "",
    breakpoints: &[],
    dry_runs: &[],
    first_entries: [
        (
            "type Board = Array (3,3) of {X, O, Empty}",
            "defines the type of boards",
        ),
        ("7 * 6 == 42", "evaluates an expression"),
    ],
    syntax_examples: SYNTAX_EXAMPLES,
    command_examples: COMMAND_EXAMPLES,
    foreign_syntax: FOREIGN_SYNTAX,
    word_help: super::word_help::WORD_HELP,
    tour: TOUR,
    examples: EXAMPLES,
    lessons: LESSONS,
    template: include_str!("template.bgl"),
};

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

const SYNTAX_EXAMPLES: &[(&str, &str)] = &[
    ("type Player = {X, O}", "a type and its values"),
    (
        "type Board = Array (3,3) of Player & {Empty}",
        "the type of boards",
    ),
    (
        "start : Board start!(x,y) = Empty",
        "a board with every cell empty",
    ),
    (
        "double : Int -> Int double(n) = 2 * n",
        "a function and its signature",
    ),
    ("let b = place(X, start, (2,1))", "a session variable"),
    ("b!(2,1)", "the value in column 2, row 1"),
    ("if double(2) == 4 then X else O", "a condition"),
    (
        "let n = 1 in while n < 100 do n * 2",
        "a loop that updates n",
    ),
];

const COMMAND_EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break take"),
    ("tbreak", ":tbreak 19"),
    ("watch", ":watch (13,1)"),
    ("rwatch", ":rwatch (13,1)"),
    ("awatch", ":awatch (13,1)"),
    ("log", ":log take \"{n} of {left(b)}\""),
    ("skip", ":skip left"),
    ("explain", ":explain left(start) % 4 == 0"),
    ("rounds", "rounds take(3, start)"),
    ("print", "print left(start) + 1"),
    ("whatis", ":whatis take"),
    ("display", ":display left(start)"),
    ("first", ":first n == 1"),
    ("last", ":last (13,1)"),
    ("list", ":list take"),
    ("uses", ":uses take"),
    ("listing", ":listing take"),
    ("why", ":why allowed(5, start)"),
    ("glyph", ":glyph Stone o"),
    ("edit", ":edit take"),
    ("load", ":load stones.bgl"),
    ("cell", ":cell 1,1"),
    ("until", "until 19"),
    ("goto", ":goto 20"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "Call a function to see its value: how many stones are on `start`?",
        "left(start)",
        "= 13",
    ),
    TourStep::new(
        "Boards are values. This one is `start` without its last three stones;\n`start` itself does not change.",
        "take(3, start)",
        "(G)(G)(G)",
    ),
    TourStep::new(
        "A breakpoint stops a function when it is called.",
        ":break take",
        "break take",
    ),
    TourStep::new(
        "Now call it. The line marked => runs next; the parameters are shown\nbelow it.",
        "take(2, start)",
        "breakpoint 1 in take",
    ),
    TourStep::new(
        "At a stop, commands need no colon. This one shows the call stack.",
        "where",
        "take(2, start)",
    ),
    TourStep::new(
        "Take one step, into the loop. A blank line repeats it.",
        "step",
        "* step in take",
    ),
    TourStep::new(
        "You can also step back in time.",
        "back",
        "* stepped back in take",
    ),
    TourStep::new(
        "Run until the call returns or the next breakpoint.\nAn error in the game stops it as well: fix a value, then retry.",
        "continue",
        "take(2, start) finished",
    ),
    TourStep::new(
        "Step through any expression as a dry run. It changes nothing.",
        ":step allowed(3, start)",
        "Dry run",
    ),
    TourStep::new(
        "Run one statement and show how its value is computed, part by part.",
        "step expr",
        "is True",
    ),
    TourStep::new(
        "Or show all values at once, each below its expression.",
        ":explain left(start) % 4 == 0",
        "False",
    ),
    TourStep::new(
        "Type an equation again to replace it: now the machine always takes one.\n`:delete` the breakpoint, then play with `machine(start)`.",
        "choice(b) = 1",
        "replaced choice",
    ),
];
