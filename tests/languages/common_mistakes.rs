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
    ("gridlok", "var n = 3", "GridLok has no `var`", "`def x{3}`"),
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
        "expected the end of the input, found `and`",
        "`and(a, b)`",
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
    ("bogl", "b[1]", "unknown character `[`", "`board!(1, 1)`"),
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
        "`if (a == 1)`",
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
        "`!a`",
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
        "`set hero.score = 3;`",
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
];

#[test]
fn bogl_reads_a_no_break_space_as_a_space() {
    let mut session = TestSession::empty("bogl");
    session.expect("1\u{a0}+\u{202f}1", &["= 2"]);
}

#[test]
fn mistakes_have_one_message_that_explains_them() {
    for (language, line, message, note) in MISTAKES {
        let language = languages::by_name(language).expect("a language");
        let mut session = TestSession::empty(language.info().name);
        let diagnostics = session.reply(line).diagnostics;
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, [*message], "{}: {line}", language.info().title);
        let notes = diagnostics[0].notes.join("\n");
        assert!(notes.contains(note), "{line}: missing {note:?} in {notes}");
    }
}
