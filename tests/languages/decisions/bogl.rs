//! The rows of BoGL's table of decisions.

use super::{LOAD, Row};

const GAME: &str = "game G
type Player = {X, O}
type Board = Array (3,3) of Player & {Empty}
type Input = Int
b : Board
b!(x,y) = Empty
";

pub const ROWS: &[Row] = &[
    (
        "e#i",
        "",
        &[
            ("(1,True,3)#2", "= True"),
            ("(1,2,3)#(1,3)", "= (1, 3)"),
            (
                "(1,2)#3",
                "this tuple has no component 3; its components are #1 to #2",
            ),
            (":type (1,True)#2", "Bool"),
        ],
    ),
    (
        "built-ins",
        GAME,
        &[
            ("count(Empty,b)", "= 9"),
            ("countBoard(Empty,b)", "= 9"),
            ("longestRow(Empty,b)", "= 3"),
            ("inARow(3,Empty,b)", "= True"),
            ("isFull(b)", "= False"),
            ("(width, height)", "= (3, 3)"),
            ("7 % 3", "= 1"),
            ("count : Int -> Int\ncount(n) = n + 1", "defined count"),
            ("count(5)", "= 6"),
        ],
    ),
    (
        "A & B & C",
        "",
        &[
            ("type T = Int & {A} & {B} & {C}", "defined type T"),
            ("f : T -> Int\nf(t) = 1", "defined"),
            ("f(A) + f(B) + f(C) + f(7)", "= 4"),
        ],
    ),
    (
        "a symbol in several types",
        GAME,
        &[
            ("type Side = {X, Draw}", "defined"),
            ("f : Side -> Int\nf(s) = 1", "defined"),
            ("f(X)", "= 1"),
            ("type Twice = {A, A}", "duplicate symbol `A`"),
        ],
    ),
    (
        "use before definition",
        "game G
even : Int -> Bool
even(n) = if n == 0 then True else odd(n - 1)
odd : Int -> Bool
odd(n) = if n == 0 then False else even(n - 1)
",
        &[("even(8)", "= True")],
    ),
    (
        "while",
        "game G
f : Int -> Int
f(n) = let m = 1 in let k = (while m < 100 do m * 2) in k + n
",
        &[
            ("f(0)", "= 128"),
            ("let x = 1 in (while x < 10 do x + 1) + x", "= 11"),
            ("while True do 1", "this `while` has no variables to update"),
        ],
    ),
    (
        "let",
        GAME,
        &[("let p = input in p + p", "input : Int"), ("4", "= 8")],
    ),
    (
        "place off the board",
        GAME,
        &[(
            "let c = place(X, b, (9,9)) in 5",
            "column 9 is off the board, which has 3 columns",
        )],
    ),
    (
        "limits",
        "game G
deep : Int -> Int
deep(n) = if n == 0 then 0 else 1 + deep(n - 1)
",
        &[
            ("let x = 0 in while x < 100000 do x + 1", "= 100000"),
            ("deep(1000000)", "= 1000000"),
            (
                "deep(3000000)",
                "too many nested calls: the limit is 2000000",
            ),
        ],
    ),
    (
        "invalid input",
        GAME,
        &[
            ("input + 1", "input : Int"),
            ("True", "expected `Int`, found a `Bool`"),
            ("4", "= 5"),
        ],
    ),
    (
        "type errors",
        "",
        &[
            (
                "1 + True",
                "`+` needs an `Int` on its right side, found a `Bool`",
            ),
            (
                "g : Int -> Int\ng(n) = if n > 0 then True else 2",
                "`g` must return an `Int`, found a `Bool`",
            ),
            (
                "g : Int -> Int\ng(n) = if n > 0 then True else 2",
                "`g` is declared here",
            ),
        ],
    ),
    (
        "at the prompt",
        "",
        &[
            ("type T = {A, B}", "defined type T"),
            ("x : Int\nx = 5", "defined x"),
            ("h : Int -> Int\nh(n) = n + x", "defined h"),
            ("let y = h(1)", "y : Int"),
            ("y + 1", "= 7"),
            ("x : Bool\nx = True", "`h` no longer type-checks"),
        ],
    ),
    // The rest of this row is tested with `gridbug run` in tests/cli/command_line.rs.
    (
        "running a file",
        "game G\nresult : Int\nresult = 2 + 3\n",
        &[(LOAD, "not error"), ("result", "= 5")],
    ),
];
