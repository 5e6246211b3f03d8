//! GridLok for newcomers: what to try first, and a tour through tic-tac-toe.

use crate::language::{Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "click{0,0}",
    breakpoints: &["onClick", "onPlace", "onRemove", "setup", "winCondition"],
    dry_runs: &["winCondition", "loseCondition", "drawCondition"],
    first_entries: [
        (
            "board { dimensions {3, 3} image {b.png} }",
            "lays out a board",
        ),
        ("piece { name {\"pawn\"} image {p.png} }", "defines a piece"),
    ],
    syntax_examples: FORMS,
    command_examples: &[],
    tour: TOUR,
};

const FORMS: &[(&str, &str)] = &[
    (
        "board { dimensions {3, 3} image {b.png} }",
        "a board of three rows and columns",
    ),
    ("players {\"x\", \"o\"}", "who plays, one after the other"),
    (
        "piece { name {\"X\"} onClick { endTurn {} } }",
        "a kind of piece, with its click",
    ),
    ("place {\"X\", 1, 1}", "puts one on a cell"),
    ("def n {0}", "a variable"),
    ("n {n + 1}", "gives it another value"),
    ("fun add(a, b) { return a + b }", "a function"),
    ("add {1, 2}", "calls it"),
    (
        "if n > 0 AND turn == \"x\" { print {n} } else { print {\"none\"} }",
        "a choice",
    ),
    (
        "for p in board { if p.name == \"X\" { n {n + 1} } }",
        "all cells, one by one",
    ),
    ("winCondition { win {n > 2} }", "looked at when a turn ends"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "A click is typed as the language writes it: row, then column.\nWhat has changed stands in parentheses.",
        "click{1,1}",
        "(X)",
    ),
    TourStep::new(
        "Whatever changed the game can be taken back; `:redo` does it again.",
        ":undo",
        "undone: click{1,1}",
    ),
    TourStep::new(
        "An expression is answered with its value.",
        "board[1][1].name",
        "= \"free\"",
    ),
    TourStep::new(
        "A breakpoint makes the game wait in its own code: here in the handlers\nof a click, whichever piece is clicked.",
        ":break onClick",
        "break onClick",
    ),
    TourStep::new(
        "Now click. The line with => is the one that runs next.",
        "click{0,0}",
        "breakpoint 1, free.onClick at [0][0]",
    ),
    TourStep::new(
        "At a stop commands need no colon. This one goes on by two statements:\nthe piece has changed its type. A blank line steps again.",
        "step 2",
        "since the last stop: [0][0] free => X",
    ),
    TourStep::new(
        "Time runs both ways: back to where you stood before.",
        "back",
        "[0][0] X => free",
    ),
    TourStep::new(
        "Let the click come to its end, or to the next breakpoint.",
        "continue",
        "turn: o",
    ),
    TourStep::new(
        "A condition can be rehearsed on the board as it is. Nothing is changed\nby it.",
        ":step winCondition",
        "a rehearsal",
    ),
    TourStep::new(
        "This does one statement and shows its evaluation, part by part.",
        "step expr",
        "rows is 3",
    ),
    TourStep::new(
        "Enough of the rehearsal: out of the block.",
        "finish",
        "the rehearsal is done",
    ),
    TourStep::new(
        "Ask which statement made something so, and from which values.",
        ":why [0][0]",
        "by free.onClick at [0][0]",
    ),
    TourStep::new(
        "A rule that is typed again replaces the old one, while the game goes on.\nNow the next turn wins: `:delete` the breakpoint and click.",
        "winCondition { win {turnCount > 0} }",
        "replaced winCondition",
    ),
];
