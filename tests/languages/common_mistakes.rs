//! What newcomers type by mistake, and the one message that explains it.

use crate::test_session::TestSession;
use gridbug::languages;

/// The language, what was typed, the message of its first error or warning, and part of its first
/// note.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    (
        "gridlok",
        "click 1 1",
        "`click` is a function, not a value",
        "`click{1, 1}`",
    ),
    (
        "gridlok",
        "endTurn",
        "`endTurn` is a function, not a value",
        "`endTurn{}`",
    ),
    (
        "bogl",
        "four = 2 + 2",
        "`four` has no signature",
        "`four : Int`",
    ),
    (
        "bogl",
        "same = 1 == 1",
        "`same` has no signature",
        "`same : Bool`",
    ),
    (
        "bogl",
        "row!(x,y) = Gone",
        "`row` has no signature",
        "`row : Board`",
    ),
    (
        "sgl2d",
        "environment 5 5",
        "expected `>`, found `5`",
        "`environment > x=12 y=7`",
    ),
    (
        "gridlok",
        "click{1 1}",
        "missing `,` between the arguments of `click`",
        "`click{1, 2}`",
    ),
    (
        "gridlok",
        "if (turn == \"x\") print{1}",
        "expected `{`, found `print`",
        "",
    ),
    (
        "gridlang",
        "Item Coin",
        "`Coin` is a variable, not a kind of item",
        "`Item Coin { }`",
    ),
    (
        "gridlang",
        "int setup() { return 0 }",
        "`setup` is a function that nothing calls",
        "`Layout(3, 3) { … }`",
    ),
    (
        "gridlang",
        "int main()\n{\nreturn 0;\n}",
        "there is no `main`",
        "`gameLoop() { … }`",
    ),
    (
        "gridlang",
        "int gameLoop() { return 0; }",
        "`gameLoop` has no type",
        "`gameLoop() { … }`",
    ),
    (
        "gridlang",
        "int add(int a, int b) { return a + b; }",
        "expected `function` before `add`",
        "`function add(int a): int { … }`",
    ),
    (
        "gridlang",
        "Grid_Init<3,3>;",
        "`Grid_Init` is not a statement",
        "`Layout(3, 3) { … }`",
    ),
    (
        "gridlang",
        "Player[2] playerOrder;",
        "`playerOrder` needs no declaration",
        "`playerOrder = [\"ann\", \"bob\"]`",
    ),
    (
        "gridlang",
        "printGrid();",
        "unknown function `printGrid`",
        "`drawGrid()`",
    ),
    ("gridlang", "if (true) { } )", "unmatched `)`", ""),
    (
        "gridlang",
        "gameLoop() { } int",
        "expected a name, found the end of the input",
        "",
    ),
    (
        "gridlok",
        "Click{1,1}",
        "invalid name `Click`; did you mean `click`?",
        "",
    ),
    (
        "gridlok",
        "print{hello}",
        "unknown name `hello`",
        "put text in quotes: \"hello\"",
    ),
    (
        "gridlok",
        "fun f { return 1 }",
        "expected `(`, found `{`",
        "`fun f() { … }`",
    ),
    (
        "gridlok",
        "def f(): return 3",
        "expected `{`, found `(`",
        "`fun f(a) { … }`",
    ),
    (
        "gridlok",
        "print \"hi\"",
        "expected `{`, found the string \"hi\"",
        "`print{…}`",
    ),
    (
        "gridlok",
        "board[1,1]",
        "expected `]`, found `,`",
        "`board[0][1]`",
    ),
    ("gridlok", "x++", "GridLok has no `++`", "`x{x + 1}`"),
    ("gridlok", "x += 1", "GridLok has no `+=`", "`x{x + 1}`"),
    (
        "gridlok",
        "if not true { print{1} }",
        "GridLok has no `not`",
        "`!a`",
    ),
    (
        "gridlok",
        "# hi",
        "`#` does not start a comment in GridLok",
        "`// …`",
    ),
    (
        "gridlok",
        "-- hi",
        "`--` does not start a comment in GridLok",
        "`// …`",
    ),
    (
        "gridlok",
        "while true { }",
        "GridLok has no `while`",
        "`for i(0, 3) { … }`",
    ),
    (
        "gridlok",
        "function f() { }",
        "GridLok has no `function`",
        "`fun f(a) { … }`",
    ),
    ("gridlok", "var n = 3", "GridLok has no `var`", "`def n{3}`"),
    (
        "gridlok",
        "null",
        "GridLok has no `null`",
        "`board[0][0] == empty`",
    ),
    ("bogl", "x++", "BoGL has no `++`", "`let y = x + 1`"),
    (
        "bogl",
        "print(1)",
        "BoGL has no `print`",
        "type an expression",
    ),
    (
        "bogl",
        "“hi”",
        "unknown character `“`",
        "BoGL has no strings",
    ),
    (
        "bogl",
        "left start",
        "missing operator or parentheses between `left` and `start`",
        "`left(start)`",
    ),
    (
        "bogl",
        "left{start}",
        "expected `:` or `=`, found `{`",
        "`f(x)`",
    ),
    (
        "bogl",
        "1 == 1 and 2 == 2",
        "`and` is a function, not an operator",
        "`and(1 == 1, 2 == 2)`",
    ),
    (
        "bogl",
        "!True",
        "expected an expression or a definition, found `!`",
        "`not(a)`",
    ),
    (
        "bogl",
        "TRUE",
        "unknown symbol `TRUE`; did you mean `True`?",
        "",
    ),
    (
        "bogl",
        "if (1 == 1) { 2 } else { 3 }",
        "expected `then`, found `{`",
        "without braces",
    ),
    (
        "bogl",
        "if 1 == 1 then 2 elif 1 == 2 then 3 else 4",
        "BoGL has no `elif`",
        "`else if … then … else …`",
    ),
    (
        "bogl",
        "1 == 1 ? 2 : 3",
        "BoGL has no `?`",
        "`if … then … else …`",
    ),
    (
        "bogl",
        "for i in range(3): print(i)",
        "BoGL has no `for`",
        "`while condition do expression`",
    ),
    (
        "bogl",
        "def f(x): return x",
        "BoGL has no `def`",
        "`f(x) = x + 1`",
    ),
    ("bogl", "return 3", "BoGL has no `return`", "`f(x) = x + 1`"),
    (
        "bogl",
        "// comment",
        "`//` does not start a comment in BoGL",
        "`-- comment`",
    ),
    (
        "bogl",
        "# comment",
        "`#` does not start a comment in BoGL",
        "`-- comment`",
    ),
    (
        "bogl",
        "/* comment */",
        "`/*` does not start a comment in BoGL",
        "`{- comment -}`",
    ),
    ("bogl", "b[1]", "unknown character `[`", "`b!(1, 1)`"),
    ("bogl", "b.rows", "unknown character `.`", "no fields"),
    ("bogl", "5.5", "unknown character `.`", "only has integers"),
    ("bogl", "1 <> 2", "BoGL has no `<>`", "`/=`"),
    (
        "bogl",
        "f : int -> int",
        "expected a type, found `int`",
        "uppercase letter",
    ),
    (
        "bogl",
        "null",
        "BoGL has no `null`",
        "`type Cell = {X, O, Empty}`",
    ),
    (
        "bogl",
        "input()",
        "expected an expression between the parentheses",
        "without parentheses",
    ),
    (
        "bogl",
        "import random",
        "BoGL has no `import`",
        "a single file",
    ),
    (
        "gridlang",
        "print hi",
        "expected `(`, found `hi`",
        "`print(\"text\")`",
    ),
    (
        "gridlang",
        "print(hello)",
        "unknown name `hello`",
        "put text in quotes: \"hello\"",
    ),
    (
        "gridlang",
        "print(“hi”)",
        "unknown character `“`",
        "straight quotes",
    ),
    (
        "gridlang",
        "console.log(\"hi\")",
        "GridLang has no `console`",
        "`print(\"text\")`",
    ),
    (
        "gridlang",
        "if 1 == 1 { print(1) }",
        "expected `(`, found `1`",
        "`if (1 == 1)`",
    ),
    (
        "gridlang",
        "if (1 == 2) print(1) elif (1 == 1) print(2)",
        "GridLang has no `elif`",
        "`else if (…) { … }`",
    ),
    (
        "gridlang",
        "if (not true) print(1)",
        "GridLang has no `not`",
        "`!true`",
    ),
    (
        "gridlang",
        "for i in range(3): print(i)",
        "GridLang has no `for`",
        "`while (condition) { … }`",
    ),
    (
        "gridlang",
        "// comment",
        "`//` does not start a comment in GridLang",
        "`# comment`",
    ),
    (
        "gridlang",
        "-- comment",
        "`--` does not start a comment in GridLang",
        "`# comment`",
    ),
    (
        "gridlang",
        "def f(): return 3",
        "GridLang has no `def`",
        "`function name(int a): int { … }`",
    ),
    (
        "gridlang",
        "function f() { return 3 }",
        "`f` does not return a value",
        "`function f(): int { … }`",
    ),
    (
        "gridlang",
        "diceThrow",
        "unknown name `diceThrow`",
        "`diceThrow()`",
    ),
    (
        "gridlang",
        "var x = 3",
        "GridLang has no `var`",
        "`int x = 3`",
    ),
    (
        "gridlang",
        "bool b = true",
        "unknown type `bool`; did you mean `boolean`?",
        "",
    ),
    (
        "gridlang",
        "null",
        "GridLang has no `null`",
        "has a value from the start",
    ),
    (
        "gridlang",
        "switch (x) { case 1: break; }",
        "GridLang has no `switch`",
        "`if (…) { … } else if (…) { … }`",
    ),
    (
        "gridlang",
        "1 == 1 ? 2 : 3",
        "GridLang has no `?`",
        "`if (…) { … } else { … }`",
    ),
    (
        "tinygame",
        "x++",
        "TinyGame has no `++`",
        "`set hero.x = hero.x + 1;`",
    ),
    (
        "tinygame",
        "let x = 3;",
        "TinyGame has no `let`",
        "`player hero { x = 3; }`",
    ),
    (
        "tinygame",
        "print(\"hi\");",
        "expected a string, found `(`",
        "without parentheses",
    ),
    (
        "tinygame",
        "print hi;",
        "expected a string, found the name `hi`",
        "`print \"hi\";`",
    ),
    (
        "tinygame",
        "print 'hi';",
        "unknown character `'`",
        "double quotes",
    ),
    (
        "tinygame",
        "print “hi”;",
        "unknown character `“`",
        "straight quotes",
    ),
    (
        "tinygame",
        "print \"x: \" + 1;",
        "expected `;`, found `+`",
        "a single string",
    ),
    (
        "tinygame",
        "move(hero, right, 1);",
        "expected the name of an entity, found `(`",
        "`move hero right 1;`",
    ),
    (
        "tinygame",
        "if 1 == 1 { } elif 1 == 2 { }",
        "TinyGame has no `elif`",
        "a second `if`",
    ),
    (
        "tinygame",
        "if 1 == 1 { } else { }",
        "TinyGame has no `else`",
        "a second `if`",
    ),
    (
        "tinygame",
        "if 1 == 1 then print \"a\"",
        "TinyGame has no `then`",
        "`if hero.x > 5 { … }`",
    ),
    (
        "tinygame",
        "if 1 == 1 and 2 == 2 { }",
        "TinyGame has no `and`",
        "inside the other",
    ),
    (
        "tinygame",
        "while 1 < 3 { }",
        "TinyGame has no `while`",
        "no loops",
    ),
    (
        "tinygame",
        "# comment",
        "`#` does not start a comment in TinyGame",
        "`// comment`",
    ),
    (
        "tinygame",
        "/* comment */",
        "`/*` does not start a comment in TinyGame",
        "`// comment`",
    ),
    (
        "tinygame",
        "def f(): return 3",
        "TinyGame has no `def`",
        "no functions",
    ),
    (
        "tinygame",
        "player bob { x: 1; }",
        "unknown character `:`",
        "`x = 1;`",
    ),
    (
        "tinygame",
        "1.5",
        "expected an operator or the end of the entry, found `.`",
        "whole numbers",
    ),
    (
        "sgl2d",
        "# comment",
        "`#` does not start a comment in SGL2D",
        "no comments",
    ),
    (
        "sgl2d",
        "// comment",
        "`//` does not start a comment in SGL2D",
        "no comments",
    ),
    (
        "sgl2d",
        "/* comment */",
        "`/*` does not start a comment in SGL2D",
        "no comments",
    ),
    (
        "sgl2d",
        "-- comment",
        "`--` does not start a comment in SGL2D",
        "no comments",
    ),
    ("sgl2d", "print hi", "SGL2D has no `print`", "`counter1`"),
    (
        "sgl2d",
        "counter1++",
        "SGL2D has no `++`",
        "`event coin > inccounter1=1`",
    ),
    (
        "sgl2d",
        "counter1 = 3",
        "this compares the values; it does not assign",
        "`counter counter1 > true 3`",
    ),
    (
        "sgl2d",
        "if player.x == 3 { right }",
        "SGL2D has no `if`",
        "`event coin > inccounter1=1`",
    ),
    (
        "sgl2d",
        "for i in range(3): right",
        "SGL2D has no `for`",
        "`right 3`",
    ),
    (
        "gridlok",
        "1\u{a0}+ 1",
        "this is a no-break space, not an ordinary one",
        "replace it by an ordinary space",
    ),
    (
        "gridlang",
        "1\u{a0}+ 1",
        "this is a no-break space, not an ordinary one",
        "replace it by an ordinary space",
    ),
    (
        "tinygame",
        "1\u{202f}+ 1",
        "this is a no-break space, not an ordinary one",
        "replace it by an ordinary space",
    ),
    (
        "sgl2d",
        "1\u{a0}+ 1",
        "this is a no-break space, not an ordinary one",
        "replace it by an ordinary space",
    ),
    (
        "bogl",
        "f : Int Int -> Int",
        "expected `,` or `->` between the types `Int` and `Int`",
        "`f : (Int, Int) -> Int`",
    ),
    (
        "bogl",
        "f : Int Bool Int",
        "expected `,` or `->` between the types `Int` and `Bool`",
        "`f : (Int, Bool, Int)`",
    ),
    (
        "sgl2d",
        "w",
        "expected a statement or a move, found `w`",
        "moves are up, down, left and right",
    ),
    ("sgl2d", "def f(): pass", "SGL2D has no `def`", "events"),
    (
        "sgl2d",
        "counter1 > 0 && counter2 > 0",
        "SGL2D has no `&&`",
        "a single comparison",
    ),
    (
        "sgl2d",
        "“hello”",
        "unknown character `“`",
        "without quotes",
    ),
    (
        "gridlok",
        "int n = 0",
        "expected a definition or a statement, found `int`",
        "`def n{0}`",
    ),
    (
        "gridlok",
        "board{ dimensions{3x3} }",
        "expected a number, found `3x3`",
        "`3, 3`",
    ),
    ("bogl", "(1,2)[0]", "unknown character `[`", "`t#1`"),
    (
        "bogl",
        "let (a,b) = (1,2) in a",
        "`let` binds a single name, found `(`",
        "t#1 + t#2",
    ),
    (
        "bogl",
        "3 > 2 == True",
        "`>` needs an `Int` on its right side, found a `Bool`",
        "evaluated before `>`",
    ),
    (
        "gridlok",
        "break",
        "unknown name `break`",
        "there is no `break`",
    ),
    ("gridlok", "count := 3", "unexpected `:=`", "`count{3}`"),
    ("gridlok", "x=1.5", "unexpected `=`", "whole numbers"),
    (
        "gridlok",
        "count -= 2",
        "GridLok has no `-=`",
        "`count{count - 2}`",
    ),
    ("gridlok", "not done", "GridLok has no `not`", "`!done`"),
    (
        "gridlok",
        "string s = \"a\"",
        "GridLok has no `string`",
        "`def s{\"a\"}`",
    ),
    (
        "gridlok",
        "def n 0",
        "expected `{`, found the number 0",
        "`def n{0}`",
    ),
    (
        "gridlok",
        "def l[]",
        "expected `{`, found `[`",
        "`def l{1, 2,}`",
    ),
    (
        "gridlok",
        "def l{[1, 2]}",
        "expected a value or `,`, found `[`",
        "`{1, 2,}`",
    ),
    (
        "gridlok",
        "fun f a { return a }",
        "expected `(`, found `a`",
        "`fun f(a) { … }`",
    ),
    (
        "gridlok",
        "click(1, 2)",
        "expected `)`, found `,`",
        "`click{1, 2}`",
    ),
    (
        "gridlok",
        "endTurn()",
        "expected a value, found `)`",
        "`endTurn{}`",
    ),
    // What is done with an unknown name is not judged.
    (
        "gridlok",
        "z{place{\"x\", 0, 0}}",
        "unknown name `z`",
        "define it first",
    ),
    (
        "gridlok",
        "l.append{3}",
        "unknown name `l`",
        "define it first",
    ),
    ("gridlok", "l.length", "unknown name `l`", "define it first"),
    (
        "bogl",
        "1 :: Int",
        "expected an operator or the end of the expression, found `:`",
        "in a signature",
    ),
    (
        "bogl",
        "left b = 3",
        "missing operator or parentheses between `left` and `b`",
        "`left(b)`",
    ),
    (
        "bogl",
        "x 1",
        "missing operator or parentheses between `x` and `1`",
        "`x = 1`",
    ),
    ("bogl", "b[1, 2]", "unknown character `[`", "`b!(1, 2)`"),
    ("bogl", "b[1][2]", "unknown character `[`", "`b!(2, 1)`"),
    ("bogl", "p[0]", "unknown character `[`", "`p#1`"),
    ("bogl", "~True", "unknown character `~`", "`not(a)`"),
    (
        "bogl",
        "\\x -> x",
        "unknown character `\\`",
        "`f(x) = x + 1`",
    ),
    (
        "gridlang",
        "print(1) print(2)",
        "expected a line break or `;` before `print`",
        "separate statements",
    ),
    (
        "gridlang",
        "int x 3",
        "expected a line break or `;` before `3`",
        "`int x = 3`",
    ),
    (
        "gridlang",
        "a := 3",
        "expected end of statement, found `:`",
        "`a = 3`",
    ),
    ("gridlang", "not a", "GridLang has no `not`", "`!a`"),
    (
        "gridlang",
        "var n = 5",
        "GridLang has no `var`",
        "`int n = 5`",
    ),
    (
        "tinygame",
        "/* hero */",
        "`/*` does not start a comment in TinyGame",
        "`// comment`",
    ),
];

/// What is before the text of [`FILE_MISTAKES`].
const PROGRAM_STARTS: &[(&str, &str)] = &[
    (
        "gridlok",
        "board{ dimensions{3,3} }\nplayers{\"x\",\"o\"}\ndef l{1,2,}\nfun use(){ l{3} }\npiece{ name{\"X\"} onClick{ endTurn{} use{} print{l} } }\n",
    ),
    ("bogl", "game G\ntype P = {X, O}\n"),
    (
        "gridlang",
        "Player { int score }\nLayout(3, 3)\n{\n    Player ann\n    ann.position = (0,0)\n}\n",
    ),
    ("tinygame", "player hero { x = 0; y = 0; }\n"),
    (
        "sgl2d",
        "environment > x=5 y=5\nplayer > x=0 y=0\nsprite wall > color=grey\n",
    ),
];

/// The same in files, after the start of a program.
const FILE_MISTAKES: &[(&str, &str, &str, &str)] = &[
    (
        "bogl",
        "f : Int -> Bool\nf(n) = not n > 1\n",
        "`not` is a function, not an operator",
        "`not(n > 1)`",
    ),
    (
        "bogl",
        "b : Board\nb = 1\n",
        "by its signature, `b` must be a `Board`, found an `Int`",
        "`b!(x, y) = …`",
    ),
    (
        "bogl",
        "f : Int -> Int\nleft b = 3\n",
        "missing operator or parentheses between `left` and `b`",
        "`left(b)`",
    ),
    (
        "gridlang",
        "gameLoop() {\n    ann.position = 1,1\n}\n",
        "expected end of statement, found `,`",
        "a coordinate is written in parentheses",
    ),
    (
        "gridlang",
        "gameLoop() {\n    continue\n}\n",
        "unknown name `continue`",
        "put the rest of the loop into an `if`",
    ),
    (
        "tinygame",
        "move hero 1 up;\n",
        "expected a direction (`up`, `down`, `left`, `right`), found the number 1",
        "`move hero up 1;`",
    ),
    (
        "sgl2d",
        "set wall > x=1, y=1\n",
        "expected `y=…` to complete the position, found `,`",
        "without commas",
    ),
    (
        "gridlok",
        "piece{ name{O} }",
        "expected a string in quotes, found `O`",
        "`\"O\"`",
    ),
    (
        "gridlok",
        "setup{ place{X,0,0} }",
        "invalid name `X`",
        "put text in quotes: `\"X\"`",
    ),
    (
        "gridlok",
        "setup{ z{ place{\"X\",0,0} } }",
        "`z` is not a player",
        "the players are \"x\", \"o\"",
    ),
    (
        "gridlok",
        "setup{ z{ place{\"X\",0,0} place{\"X\",0,1} } }",
        "`z` is not a player",
        "the players are \"x\", \"o\"",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ l.append{3} }",
        "a list has no `.append`",
        "`l{…}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ l.remove{0} }",
        "a list has no `.remove`",
        "`l[0]{}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ win{len{l} == 3} }",
        "unknown name `len`",
        "lists have no length",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ win{l.length == 3} }",
        "a list has no `.length`",
        "lists have no length",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ win{1 == 1 or 2 == 2} }",
        "unknown name `or`; did you mean `OR`?",
        "`AND`, `OR` and `!`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ win{1 == 1 and 2 == 2 and 3 == 3 and 4 == 4} }",
        "unknown name `and`; did you mean `AND`?",
        "`AND`, `OR` and `!`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ if turn == „x“ { win{true} } }",
        "unknown character `„`",
        "straight double quotes",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ if board[0][0] == \"X\" { win{true} } }",
        "`==` compares a piece with a string",
        "write `.name` after it",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ for p in board { if \"X\" != p { win{true} } } }",
        "`!=` compares a string with a piece",
        "`p.name`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ return true }",
        "`return` is only allowed inside a function",
        "`win{…}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\ndrawCondition{ return true }",
        "`return` is only allowed inside a function",
        "`draw{…}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\npiece{ name{\"O\"} onclick{ endTurn{} } }",
        "expected `name{…}`, `image{…}`, `onTurn{…}` or `onClick{…}` in this piece, found `onclick`; did you mean `onClick`?",
        "",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\ndef n = 0\nwinCondition{ win{n == 1} }",
        "unexpected `=`",
        "`def n{0}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nfun f{a, b}{ return a }\nwinCondition{ win{f{1} == 1} }",
        "expected `(`, found `{`",
        "`fun f(a, b) { … }`",
    ),
    (
        "gridlok",
        "piece{ name{\"O\"} onClick{ endTurn{} }\nsetup{ place{\"X\",0,0} }\n",
        "missing `}`: this piece is not closed before `setup`",
        "",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ board[1][1] = \"X\" }",
        "unexpected `=`",
        "`place{\"X\", 1, 1}`",
    ),
    (
        "gridlok",
        "setup{ place{\"X\",0,0} }\nwinCondition{ if turn = \"x\" { win{true} } }",
        "unexpected `=`",
        "use `==` to compare",
    ),
    (
        "gridlang",
        "gameloop()\n{\n    print(\"a\")\n}\n",
        "unknown block `gameloop`; did you mean `gameLoop`?",
        "",
    ),
    (
        "gridlang",
        "checkgameend() {\n    return true\n}\n",
        "unknown block `checkgameend`; did you mean `checkGameEnd`?",
        "",
    ),
    (
        "gridlang",
        "setup()\n{\n    print(\"a\")\n}\n",
        "expected `function` before `setup`",
        "`function setup() { … }`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    while (true)\n    {\n        break\n    }\n}\n",
        "unknown name `break`",
        "there is no `break`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    while (true)\n    {\n        continue\n    }\n}\n",
        "unknown name `continue`",
        "there is no `continue`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    Grid(0,0) = ann\n}\n",
        "cannot assign to a cell of the grid",
        "`ann.position = (0, 0)`",
    ),
    (
        "gridlang",
        "checkGameEnd()\n{\n    p.score > 2\n}\n",
        "this value is never used",
        "write `return` before it",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    p.score == 2\n}\n",
        "this value is never used",
        "a single `=` assigns",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    char c\n}\n",
        "unknown type `char`",
        "`string`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    double d\n}\n",
        "unknown type `double`",
        "`float`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    playerOrder.append(ann)\n}\n",
        "`.append` cannot be called",
        "`playerOrder = [ann, bob]`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    int[3] a\n    a.push(1)\n}\n",
        "`.push` cannot be called",
        "`a[0] = …`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    int[] a = new int[5]\n}\n",
        "GridLang has no `new`",
        "`int[5] a`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    p.position = 1,1\n}\n",
        "expected end of statement, found `,`",
        "in parentheses: `(1, 2)`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    p.position = [1,1]\n}\n",
        "the attribute `position` is a coordinate, but this value is an int[]",
        "in parentheses: `(1, 2)`",
    ),
    (
        "gridlang",
        "function f() -> int\n{\n    return 1\n}\n",
        "expected `{`, found `-`",
        "`function f(): int { … }`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    int d = random(1,6)\n}\n",
        "`d` is an int, but this value is a float",
        "`diceThrow()`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    while true\n    {\n        print(1)\n    }\n}\n",
        "expected `(`, found `true`",
        "`while (true)`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    print(p.x)\n}\n",
        "unknown attribute `x` of Player",
        "`position.x`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    print(Grid[0][0])\n}\n",
        "expected `(`, found `[`",
        "`Grid(row, column)`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    if (\"a\" < \"b\") print(1)\n}\n",
        "`<` cannot compare a string with a string",
        "`==` and `!=`",
    ),
    (
        "gridlang",
        "gameLoop()\n{\n    if (Grid(0,0) == Grid(1,1)) print(1)\n}\n",
        "`==` cannot compare a cell of the grid with a cell of the grid",
        "compare positions",
    ),
    (
        "bogl",
        "f : Int -> Bool\nf(n) = n > 1 and n < 3\n",
        "`and` is a function, not an operator",
        "`and(n > 1, n < 3)`",
    ),
    (
        "bogl",
        "f : Int -> Bool\nf(n) = if n > 0 or n == 3 then True else False\n",
        "`or` is a function, not an operator",
        "`or(n > 0, n == 3)`",
    ),
    (
        "bogl",
        "f : Int -> Bool\nf(n) = n > 1 && n < 3\n",
        "unknown token `&&`",
        "`and(n > 1, n < 3)`",
    ),
    (
        "bogl",
        "f : Int -> Int\nf(n) = m where m = n + 1\n",
        "BoGL has no `where`",
        "`let m = … in …`",
    ),
    (
        "bogl",
        "data Q = A | B\n",
        "BoGL has no `data`",
        "`type Q = {A, B}`",
    ),
    (
        "bogl",
        "f : Int -> Int\nf(n) | n > 1 = 2\n     | otherwise = 3\n",
        "unknown character `|`",
        "BoGL has no guards",
    ),
    (
        "bogl",
        "type Board = Array [3,3] of Int\n",
        "unknown character `[`",
        "`Array (3, 3) of …`",
    ),
    (
        "bogl",
        "type Board = Array 3 3 of Int\n",
        "expected `(`, found `3`",
        "`Array (3, 3) of …`",
    ),
    (
        "bogl",
        "type Board = Array (3,3) of Int\nb : Board\n",
        "`b` has no equation",
        "`b!(x, y) = …`",
    ),
    (
        "bogl",
        "left : Int -> Int\nleft b = b\n",
        "missing operator or parentheses between `left` and `b`",
        "`left(b)`",
    ),
    (
        "bogl",
        "f :: Int -> Int\nf(n) = n\n",
        "expected a type, found `:`",
        "single colon",
    ),
    (
        "bogl",
        "f : String -> Int\nf(n) = 1\n",
        "unknown type `String`",
        "BoGL has no strings",
    ),
    (
        "bogl",
        "f : P\nf = x\n",
        "unknown name `x`; did you mean the symbol `X`?",
        "",
    ),
    (
        "bogl",
        "type Board = Array (3,3) of Int\nb : Board\nb!(x,y) = 0\nf : Int\nf = b(1,1)\n",
        "`b` is a `Board`, not a function",
        "`b!(1, 1)`",
    ),
    (
        "bogl",
        "type Board = Array (3,3) of Int\nb : Board\nb!(x,y) = 0\nf : Int\nf = b!1,1\n",
        "unexpected `,`",
        "`b!(1, 1)`",
    ),
    (
        "bogl",
        "x : Int\nx 1\n",
        "missing operator or parentheses between `x` and `1`",
        "`x = 1`",
    ),
    (
        "bogl",
        "f : Int -> Int\nf(n) = n +\ng : Int\ng = 1\n",
        "expected an expression after `+`, found the end of the line",
        "",
    ),
    (
        "bogl",
        "type Content = Int\n",
        "`Content` is built in and cannot be defined",
        "`type Board = Array (3, 3) of …`",
    ),
    (
        "bogl",
        "type Pos = (Int,Int)\nf : Pos -> Pos\nf(p) = p\n",
        "`f` needs 2 parameters for a `Pos`, found 1 parameter",
        "`f(x, y) = …`",
    ),
    (
        "tinygame",
        "set hero.x = 1.5;",
        "expected a whole number, found `1.5`",
        "whole numbers",
    ),
    (
        "tinygame",
        "set hero.x = true;",
        "standalone identifier true not allowed",
        "use 1 for true",
    ),
    (
        "tinygame",
        "move up hero 1;",
        "expected the name of an entity, found `up`",
        "`move hero up 1;`",
    ),
    (
        "tinygame",
        "set hero.x == 5;",
        "expected `=`, found `==`",
        "`set hero.x = …;`",
    ),
    (
        "tinygame",
        "set x = 5;",
        "expected `.` and the name of a property, found `=`",
        "`set hero.x = …;`",
    ),
    (
        "tinygame",
        "move hero up left 1;",
        "expected a value (a number or entity.property), found `left`",
        "one direction at a time",
    ),
    (
        "tinygame",
        "if hero.x > 1 { move hero up 1; }\nelse { move hero down 1; }",
        "TinyGame has no `else`",
        "a second `if`",
    ),
    (
        "sgl2d",
        "set wall > (3,3)",
        "expected a position such as `x=1 y=2`, found `3`",
        "a position is `x=1 y=2`",
    ),
    (
        "sgl2d",
        "sprite door > color=gold",
        "reading stops here: expected `color=…` or `solid=…`, found `color=gold`",
        "the colors are red",
    ),
    (
        "sgl2d",
        "event wall > lose",
        "reading stops here: unexpected `lose`; did you mean `gameover`?",
        "",
    ),
    (
        "sgl2d",
        "event wall > die",
        "reading stops here: unexpected `die`; did you mean `gameover`?",
        "",
    ),
    (
        "sgl2d",
        "set wall > x=1-5 y=0",
        "expected `y=…` to complete the position, found `-5`",
        "a range with its corners",
    ),
    (
        "sgl2d",
        "player > x:3 y:4",
        "reading stops here: expected `x=…`, `y=…` or `color=…`, found `x:3`",
        "`x=3`",
    ),
    (
        "sgl2d",
        "goal > x=1, y=2",
        "reading stops here: expected `x=…`, `y=…` or `color=…`, found `,`",
        "without commas",
    ),
    (
        "sgl2d",
        "event wall > moveplayerto=(1,2)",
        "expected `x=…` and `y=…` after `moveplayerto=`",
        "`moveplayerto= x=3 y=4`",
    ),
    (
        "sgl2d",
        "set wall > x=1 y=1 -\n",
        "unknown character `-` is ignored",
        "",
    ),
    (
        "tinygame",
        "enemy monster {\n    x = 5;\n    y = 5;\n    move hero right 5;\n    move hero up 5;\n    if hero.x == monster.x {\n        if hero.y == monster.y {\n            set hero.x = hero.x - 10;\n            print \"Hit by monster!\";\n        }\n    }\n}\n",
        "missing `}` before `move`",
        "close it with `}` first",
    ),
    (
        "tinygame",
        "player elf {\n    x = 5;\nenemy orc { x = 1; }\n",
        "missing `}` before `enemy`",
        "close it with `}` first",
    ),
    (
        "bogl",
        "b : Board\nb(1,1) = X\n",
        "expected a parameter name, found an integer",
        "`b!(1, 1) = …`",
    ),
    (
        "bogl",
        "f : Int -> Int\nf(n) {\n return n\n}\n",
        "expected `=`, found `{`",
        "`f(x) = …`",
    ),
    (
        "tinygame",
        "move hero up;\n",
        "expected a value (a number or entity.property), found `;`",
        "`move hero up 1;`",
    ),
    (
        "tinygame",
        "move hero (1,1);\n",
        "expected a direction (`up`, `down`, `left`, `right`), found `(`",
        "`move hero up 1;`",
    ),
    (
        "tinygame",
        "x = 5;\n",
        "expected `player`, `enemy` or a statement (`move`, `set`, `if`, `print`), found the name `x`",
        "`set hero.x = 5;`",
    ),
    (
        "tinygame",
        "hero.x = 5;\n",
        "expected `player`, `enemy` or a statement (`move`, `set`, `if`, `print`), found the name `hero`",
        "`set hero.x = 5;`",
    ),
    (
        "tinygame",
        "set hero x = 5;\n",
        "expected `.` and the name of a property, found the name `x`",
        "`hero.x`",
    ),
    (
        "tinygame",
        "hero { x = 0; }\n",
        "expected `player`, `enemy` or a statement (`move`, `set`, `if`, `print`), found the name `hero`",
        "`player hero { x = 0; y = 0; }`",
    ),
    (
        "tinygame",
        "set hero.x += 5;\n",
        "unsupported operator `+=`",
        "`set hero.x = hero.x + 5;`",
    ),
    (
        "tinygame",
        "if hero.x == 0 { print \"a\" }\n",
        "missing `;` before `}`",
        "",
    ),
    (
        "sgl2d",
        "sprite wall > color=red\nset wall > (x=2 y=2)\n",
        "expected `,` and the second corner of the range, found `)`",
        "`x=2 y=2`",
    ),
    (
        "sgl2d",
        "player > x=1 y=1\nenvironment > 3 4\n",
        "reading stops here: expected `x=…` or `y=…`, found `3`",
        "`x=3 y=4`",
    ),
    (
        "sgl2d",
        "goal > x=1.5 y=1\n",
        "reading stops here: expected `x=…`, `y=…` or `color=…`, found `5`",
        "numbers are whole",
    ),
    (
        "sgl2d",
        "goal = x=1 y=1\n",
        "expected `>`, found `x=1`",
        "`goal > ",
    ),
];

#[test]
fn bogl_reads_a_no_break_space_as_a_space() {
    let mut session = TestSession::empty("bogl");
    session.expect("1\u{a0}+\u{202f}1", &["= 2"]);
}

#[test]
fn mistakes_have_one_message_that_explains_them() {
    let mut wrong = Vec::new();
    for (language, line, message, note) in MISTAKES {
        let language = languages::by_name(language).expect("a language");
        let mut session = TestSession::empty(language.info().name);
        let diagnostics = session.reply(line).diagnostics;
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        let notes = diagnostics
            .first()
            .map_or(String::new(), |d| d.notes.join("\n"));
        if messages != [*message] || !notes.contains(note) {
            wrong.push(format!(
                "{}: {line}: {messages:?} {notes}",
                language.info().title
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// After an earlier error, the parser takes `else` for a name.
#[test]
fn tinygame_has_no_else_even_after_another_error() {
    let mut session = TestSession::empty("tinygame");
    let text = "player hero { x = 0; }\nmove hero up 1\nif hero.x > 1 {\n} else {\n}\n";
    let diagnostics = session.0.load("game", text).diagnostics;
    let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[1].contains("no `else`"), "{messages:?}");
    assert!(diagnostics[1].notes[0].contains("a second `if`"));
}

#[test]
fn mistakes_in_files_have_one_message_that_explains_them() {
    let mut wrong = Vec::new();
    for (language, text, message, note) in FILE_MISTAKES {
        let mut starts = PROGRAM_STARTS.iter();
        let start = starts
            .find(|start| start.0 == *language)
            .expect("a start")
            .1;
        let mut session = TestSession::empty(language);
        let diagnostics = session
            .0
            .load("game", &format!("{start}{text}"))
            .diagnostics;
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        let notes = diagnostics
            .first()
            .map_or(String::new(), |d| d.notes.join("\n"));
        if messages != [*message] || !notes.contains(note) {
            wrong.push(format!("{language}: {text}: {messages:?} {notes}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As Python's prompt has them; a program may define the names.
#[test]
fn help_and_quit_work_with_parentheses() {
    for language in languages::ALL {
        let mut session = TestSession::empty(language.info().name);
        session.expect("help()", &["Commands start with a colon"]);
        session.expect("help;", &["Commands start with a colon"]);
    }
    let mut session = TestSession::empty("gridlang");
    session.expect("function help() { print(5) }", &["help"]);
    session.expect("help()", &["5"]);
}

#[test]
fn a_decimal_number_in_sgl2d_is_one_error() {
    let mut session = TestSession::empty("sgl2d");
    let text = "environment > x=5 y=5\nplayer > x=1 y=1\nsprite w > color=red\nset w > x=1.5 y=1\n";
    let found = session.0.load("game", text).diagnostics;
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_misspelled_keyword_has_no_other_advice() {
    let mut session = TestSession::empty("tinygame");
    let found = session.reply("playr hero { x = 0; }").diagnostics;
    assert!(
        found[0].message.contains("did you mean `player`"),
        "{found:?}"
    );
    assert!(found[0].notes.is_empty(), "{found:?}");
}
