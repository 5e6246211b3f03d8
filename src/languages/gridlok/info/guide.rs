//! The example games and lessons of GridLok, and what it writes differently from other languages. The
//! texts for newcomers are in `guide.txt`.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, GuideText, ORDINARY_SPACE};

pub fn guide(text: GuideText) -> Guide {
    Guide {
        sample_move: "click{0,0}",
        breakpoints: &["onClick", "setup", "winCondition"],
        dry_runs: &["winCondition", "loseCondition", "drawCondition"],
        foreign_syntax: FOREIGN_SYNTAX,
        examples: EXAMPLES,
        lessons: LESSONS,
        template: include_str!("template.gl"),
        ..Guide::from_text(text)
    }
}

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
