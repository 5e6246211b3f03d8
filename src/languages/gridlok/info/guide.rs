//! Suggestions for newcomers to GridLok, and a tour through tic-tac-toe.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, ORDINARY_SPACE, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "click{0,0}",
    breakpoints: &["onClick", "setup", "winCondition"],
    dry_runs: &["winCondition", "loseCondition", "drawCondition"],
    first_entries: [
        (
            "board { dimensions {3, 3} image {b.png} }",
            "define the board",
        ),
        ("piece { name {\"pawn\"} image {p.png} }", "define a piece"),
    ],
    syntax_examples: SYNTAX_EXAMPLES,
    command_examples: &[],
    foreign_syntax: FOREIGN_SYNTAX,
    word_help: super::word_help::WORD_HELP,
    tour: TOUR,
    examples: EXAMPLES,
    lessons: LESSONS,
    template: include_str!("template.gl"),
};

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/gridlok/01-first-clicks.session"),
    include_str!("../../../../sessions/course/gridlok/02-pieces.session"),
    include_str!("../../../../sessions/course/gridlok/03-variables.session"),
    include_str!("../../../../sessions/course/gridlok/04-turns.session"),
    include_str!("../../../../sessions/course/gridlok/05-conditions.session"),
    include_str!("../../../../sessions/course/gridlok/06-winning.session"),
    include_str!("../../../../sessions/course/gridlok/07-stepping.session"),
    include_str!("../../../../sessions/course/gridlok/08-breakpoints.session"),
    include_str!("../../../../sessions/course/gridlok/09-loops.session"),
    include_str!("../../../../sessions/course/gridlok/10-functions.session"),
    include_str!("../../../../sessions/course/gridlok/11-watching.session"),
    include_str!("../../../../sessions/course/gridlok/12-bug-hunt.session"),
    include_str!("../../../../sessions/course/gridlok/13-your-game.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "tic-tac-toe",
        "three in a row, a column or a diagonal",
        include_str!("sample.gl"),
    ),
    ExampleGame::new(
        "connect-four",
        "discs fall into columns; four in a line win",
        include_str!("../../../../sessions/gridlok/connect-four.gl"),
    ),
    ExampleGame::new(
        "lights-out",
        "a click switches a lamp and its neighbors; turn all off",
        include_str!("../../../../sessions/gridlok/lights-out.gl"),
    ),
    ExampleGame::new(
        "minesweeper",
        "hidden mines, and clicks that spread",
        include_str!("../../../../sessions/gridlok/minesweeper.gl"),
    ),
];

/// What GridLok writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (HashComment, COMMENTS),
    (DashComment, COMMENTS),
    (Increment, "write `x{x + 1}`"),
    (CompoundAssignment, "write `x{x + 1}`"),
    (Not, "write `!a`"),
    (NotEqual, "write `!=` for \"not equal\""),
    (If, "write `if a == 1 { … } else { … }`"),
    (Conditional, "write `if a == 1 { … } else { … }`"),
    (
        Loop,
        "a loop is a `for`: `for i(0, 3) { … }`, `for r, c in board { … }`",
    ),
    (Function, "write `fun f(a) { … }`"),
    (Variable, "write `def x{3}`"),
    (Print, "write `print{\"text\"}`"),
    (
        Null,
        "a cell without a piece is `empty`: `board[0][0] == empty`",
    ),
    (Switch, "write `if … { … } elseif … { … } else { … }`"),
    (Import, "a game is a single file"),
    (NoBreakSpace, ORDINARY_SPACE),
];
const COMMENTS: &str = "comments are written `/* … */` or `// …`";

const SYNTAX_EXAMPLES: &[(&str, &str)] = &[
    (
        "board { dimensions {3, 3} image {b.png} }",
        "a board with 3 rows and 3 columns",
    ),
    ("players {\"x\", \"o\"}", "the players, in turn order"),
    (
        "piece { name {\"X\"} onClick { endTurn {} } }",
        "a piece with a click handler",
    ),
    ("place {\"X\", 1, 1}", "put a piece on a cell"),
    ("def n {0}", "a variable"),
    ("n {n + 1}", "assign a value"),
    ("fun add(a, b) { return a + b }", "a function"),
    ("add {1, 2}", "call a function"),
    (
        "if n > 0 AND turn == \"x\" { print {n} } else { print {\"none\"} }",
        "a conditional",
    ),
    (
        "for p in board { if p.name == \"X\" { n {n + 1} } }",
        "loop over all pieces",
    ),
    (
        "winCondition { win {n > 2} }",
        "checked at the end of each turn",
    ),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "Type a click as you would write it in GridLok: row, then column.\nChanged cells are shown in parentheses.",
        "click{1,1}",
        "(X)",
    ),
    TourStep::new(
        "Undo any change to the game; `:redo` does it again.",
        ":undo",
        "undone: click{1,1}",
    ),
    TourStep::new(
        "Type an expression to see its value.",
        "board[1][1].name",
        "= \"free\"",
    ),
    TourStep::new(
        "A breakpoint pauses the game in its own code: here in the click handler\nof any piece.",
        ":break onClick",
        "break onClick",
    ),
    TourStep::new(
        "Now click. The line marked => runs next.",
        "click{0,0}",
        "breakpoint 1 in free.onClick at [0][0]",
    ),
    TourStep::new(
        "At a stop, commands need no colon. This one runs two statements: the\npiece changes its kind. Press Enter to step again.",
        "step 2",
        "since the last stop: [0][0] free => X",
    ),
    TourStep::new(
        "You can also step back to the previous stop.",
        "back",
        "[0][0] X => free",
    ),
    TourStep::new(
        "Run to the end of the click, or to the next breakpoint.\nAn error in the game stops it as well: fix a value, then retry.",
        "continue",
        "turn: o",
    ),
    TourStep::new(
        "Walk through a condition on the current board. This is a dry run:\nnothing will change.",
        ":step winCondition",
        "Dry run",
    ),
    TourStep::new(
        "Run one statement and see how each part of it is evaluated.",
        "step expr",
        "rows is 3",
    ),
    TourStep::new("Leave the dry run.", "finish", "Dry run finished"),
    TourStep::new(
        "Ask which statement last changed something, and from which values.",
        ":why [0][0]",
        "by free.onClick at [0][0]",
    ),
    TourStep::new(
        "Type a rule again to replace it while the game is running. Now the next\nturn wins: `:delete` the breakpoint and click.",
        "winCondition { win {turnCount > 0} }",
        "replaced winCondition",
    ),
];
