//! The rows of GridLok's table of decisions.

use super::{LOAD, Row};

/// Every piece clicks its neighbors and ends the turn twice; each condition prints when it is
/// checked.
const CASCADE: &str = r#"game {
board { dimensions {2,2} image {b.png} }
players {"a","b"}
piece {
  name {"z"}
  onClick { print{"handled"} for i,j surrounding pieceRow, pieceCol { click{i,j} } endTurn{} endTurn{} }
}
setup { for x,y in board { place{"z",x,y} } }
winCondition { print{"win?"} }
loseCondition { print{"lose?"} }
drawCondition { print{"draw?"} }
}"#;

const WON: &str = r#"game {
board { dimensions {1,1} image {b.png} }
players {"a"}
piece { name {"z"} onClick { endTurn{} } }
setup { place{"z",0,0} }
winCondition { win{true} }
}"#;

const PIECES: &str = r#"game {
board { dimensions {2,2} image {b.png} }
piece { name {"mine"} onClick { visible{true} } }
piece { name {"flag"} onClick { } }
setup { place{"mine",0,0} place{"flag",0,1} place{"flag",1,0} }
}"#;

pub const ROWS: &[Row] = &[
    ("comments", "", &[("1 + 1 // two", "= 2"), ("1 /* and */ + 1", "= 2")]),
    (
        "and, or",
        "",
        &[
            ("fun loud() { print{\"evaluated\"} return true }", "defined"),
            ("true && false", "= false"),
            ("false || true", "= true"),
            ("false && loud{}", "not evaluated"),
            ("true || loud{}", "not evaluated"),
            ("false AND loud{}", "not evaluated"),
            ("true OR loud{}", "not evaluated"),
            ("true && loud{}", "evaluated"),
        ],
    ),
    (
        "int before names",
        "board { dimensions {2,2} image {b.png} }",
        &[
            ("fun add(int a, b) { return a + b }", "defined"),
            ("add{1,2}", "= 3"),
            ("for int x, y in board { print{x * 10 + y} }", "11"),
            ("for x, y in board { print{x * 10 + y} }", "11"),
        ],
    ),
    ("strings", "", &[("“curly”", "= \"curly\""), ("\"straight\"", "= \"straight\"")]),
    ("removing from a list", "", &[("def l{1,2,3,}", "defined"), ("l[1]{}", ""), ("l", "= {1,3,}")]),
    (
        "types",
        "game { board { dimensions {1,1} image {b.png} } def a {1} fun f() { return 1 + \"x\" } }",
        &[
            (LOAD, ": `+` needs an int, found a string"),
            ("f{}", "`+` needs numbers, found 1 (a number) and \"x\" (a string)"),
            ("a {\"x\"}", "the variable is a number, but this value is \"x\""),
        ],
    ),
    (
        "names seen",
        "game { board { dimensions {1,1} image {b.png} }
fun even(n) { if n == 0 {return true} return odd{n - 1} }
fun odd(n) { if n == 0 {return false} return even{n - 1} } }",
        &[
            ("even{8}", "= true"),
            (
                "game { board { dimensions {1,1} image {b.png} } def x {y + 10} def y {5} }",
                "`y` is defined further down",
            ),
        ],
    ),
    (
        "def in a block",
        "",
        &[
            ("fun f() { if true { def a{1} print{a} } return a }", "`a` is only defined inside its block"),
            ("if true { def b{1} b{2} } print{b}", "move `def b{…}` before the block"),
            ("for i(0,2) { def c{i} } c{1}", "`c` is only defined inside its block"),
            ("fun g() { def a{1} if true { a{2} def a{3} print{a} } return a }", "defined"),
            ("g{}", "3\n= 2"),
        ],
    ),
    (
        "removePlayer in onTurn",
        r#"board { dimensions {1,2} image {b.png} }
players {"a","b","c","d"}
piece { name {"z"} onClick { endTurn{} } onTurn { print{turn} removePlayer{turn} } }
setup { place{"z",0,0} place{"z",0,1} }"#,
        &[
            ("click{0,0}", "turn: c"),
            ("turnCount", "= 1"),
            ("click{0,0}", "d\nd"),
            ("turn", "= \"a\""),
        ],
    ),
    (
        "a click within a click",
        CASCADE,
        &[("click{0,0}", "handled\nhandled\nhandled\nhandled\nwin?"), ("turnCount", "= 1")],
    ),
    ("endTurn{}", CASCADE, &[("click{0,0}", "handled\nwin?\nlose?\ndraw?"), ("turnCount", "= 1"), ("turn", "= \"b\"")]),
    (
        "hidden pieces",
        PIECES,
        &[("board[0][0].visible", "= false"), ("board[0][1].visible", "= true"), ("click{0,0}", "(m)")],
    ),
    (
        "== on pieces",
        PIECES,
        &[
            ("board[0][1] == board[1][0]", "= true"),
            ("board[0][0] == board[0][1]", "= false"),
            ("board[1][1] == empty", "= true"),
            ("board[0][0] == empty", "= false"),
        ],
    ),
    (
        "x for xPiece, mine for mines",
        "game { board { dimensions {1,1} image {b.png} } players {\"x\"} piece { name {\"xPiece\"} onClick {} }
setup { place{\"xPiece\",0,0} } winCondition { for p in board { win{p.name == \"x\"} } } }",
        &[(LOAD, "unknown piece \"x\"; did you mean \"xPiece\"?")],
    ),
    (
        "after the end",
        WON,
        &[
            ("click{0,0}", "a has won"),
            ("click{0,0}", "the game is over; the click has no effect"),
            ("1 + 1", "= 2"),
            (":undo", "turn: a"),
        ],
    ),
    (
        "at the prompt",
        "",
        &[
            ("winCondition { win{turnCount > 1} }", "defined winCondition"),
            ("piece { name {\"z\"} onClick { endTurn{} } }", "defined piece"),
            ("board { dimensions {2,2} image {b.png} }", "defined board"),
            ("place{\"z\",1,1}", "(z)"),
            ("winCondition { win{true} }", "replaced winCondition"),
            ("board[1][1].name", "= \"z\""),
        ],
    ),
];
