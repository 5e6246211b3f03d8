//! The rows of GridLang's table of decisions.

use super::{LOAD, Row};

/// Two players who move to the cell that is entered; row 1 is forbidden.
const GAME: &str = "Player { int score }
Layout(3, 3) {
  Player tom, eva
  tom.position = (0,0)
  eva.position = (2,2)
}
Player.checkMove(coordinate start, coordinate end) {
  if (end.x == 1) { return false }
  return true
}
gameLoop() {
  p.position = prompt(\"to: \", coordinate)
}
";

pub const ROWS: &[Row] = &[
    (
        "end of a statement",
        "",
        &[
            ("int a = 1; int b = 2", ""),
            ("int c = (a +\nb)", ""),
            ("int d = a +\nb", ""),
            ("c + d", "= 6"),
            ("a = 5\nb = 6", ""),
            ("a * b", "= 30"),
        ],
    ),
    (
        "= in a condition",
        "",
        &[
            ("int n = 1", ""),
            ("if (n = 1) { print(\"equal\") }", "equal"),
            ("n = 7", ""),
            ("n", "= 7"),
        ],
    ),
    (
        "precedence",
        "",
        &[
            ("2 + 3 * 4", "= 14"),
            ("10 - 2 - 3", "= 5"),
            ("2 + 6 % 4", "= 4"),
        ],
    ),
    (
        "conversions",
        "",
        &[
            ("print(5)", "5"),
            ("print((1,2))", "(1,2)"),
            ("print(true)", "true"),
            ("\"a\" + 1", "cannot apply `+` to a string and an int"),
        ],
    ),
    (
        "a refused move",
        GAME,
        &[
            (":turn", "? to:"),
            ("(1,1)", "tom stays at (0,0): (1,1) is refused"),
            (":state", "turn      eva"),
            // `repeat` restarts gameLoop for the same player.
            ("int tries = 0", ""),
            (
                "gameLoop() { tries++; if (tries < 3) { repeat }; print(p) }",
                "replaced gameLoop",
            ),
            (":turn", "eva"),
            ("tries", "= 3"),
        ],
    ),
    (
        "off the grid",
        GAME,
        &[
            (":turn", "? to:"),
            ("(7,7)", "tom stays at (0,0): (7,7) is off the grid"),
            ("tom.position", "= (0,0)"),
            (
                "Layout(2, 2) { Player tom; tom.position = (5,5) }",
                "replaced Layout",
            ),
            (":restart", "(5,5) is off the grid"),
        ],
    ),
    (
        "the size of the grid",
        "Layout(int rowCount, int colCount) { Player ann }
gameLoop() { p.position = (0,0) }",
        &[
            (LOAD, "this `Layout` does not create a grid"),
            (":turn", "there is no grid yet"),
            ("Grid(0,0).playerList", "there is no grid yet"),
            ("createGrid(2, 2)", ""),
            (":turn", "not no grid"),
        ],
    ),
    (
        "a negative coordinate",
        GAME,
        &[
            ("coordinate c = (-1, 2)", "not error"),
            ("c.row + 1", "= 0"),
            ("tom.position = c", "(-1,2) is off the grid"),
            ("len(Grid(c).playerList)", "(-1,2) is off the grid"),
        ],
    ),
    (
        "an unplaced piece",
        GAME,
        &[
            ("Player ann", ""),
            ("ann.position", "= (-1,-1)"),
            ("Grid(ann.position)", "(-1,-1) is off the grid"),
            (
                "len(Grid(ann.position).playerList)",
                "(-1,-1) is off the grid",
            ),
        ],
    ),
    (
        "winners and removed players",
        GAME,
        &[
            ("playerOrder", "= [tom, eva]"),
            ("tom.win = true", ""),
            ("playerOrder", "= [eva]"),
            ("eva.Exists = false", ""),
            ("playerOrder", "= []"),
        ],
    ),
    (
        "the winner without gameOver",
        "Layout(1, 1) { Player ann, bob }
gameLoop() { gameOver() }",
        &[
            (":turn", "Winner: nobody"),
            (":restart", ""),
            ("bob.win = true", ""),
            (":turn", "Winner: bob"),
        ],
    ),
    (
        "errors",
        "Layout(2, 2) { Player tom }\ngameLoop() { p.position = 5\n  foo() }\n",
        &[
            (LOAD, "game:2:27"),
            (
                LOAD,
                "the attribute `position` is a coordinate, but this value is an int",
            ),
            (LOAD, "unknown function `foo`"),
        ],
    ),
];
