//! GridLang's table of decisions, A1 to A37, row by row: what a program prints with `gridbug run`, or where and why
//! it is refused.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn played(row: &str, program: &str, inputs: &str) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gridlang");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{row}.grid"));
    std::fs::write(&file, program).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .arg("run")
        .arg(format!("{row}.grid"))
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may leave before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(inputs.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program is played to its end and prints this.
fn prints(row: &str, program: &str, expected: &str) {
    answered(row, program, "", expected);
}

fn answered(row: &str, program: &str, inputs: &str, expected: &str) {
    let done = played(row, program, inputs);
    assert!(done.status.success(), "{row}: {}\n{program}", text(&done.stderr));
    assert_eq!(text(&done.stdout), expected, "{row}:\n{program}");
}

/// Statements in a Layout, each value on a line of its own.
fn lays_out(row: &str, body: &str, expected: &[&str]) {
    prints(row, &format!("Layout(3, 4)\n{{\n{body}\n}}\n"), &lines(expected));
}

fn lines(all: &[&str]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

/// The program is refused, or fails, on that line, with these words, after it has printed this.
fn refuses(row: &str, program: &str, line: u32, words: &str, before: &str) {
    let done = played(row, program, "");
    let told = text(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{row}: {told}\n{program}");
    assert!(told.contains(&format!("{row}.grid:{line}:")), "{row}: wanted line {line}: {told}\n{program}");
    assert!(told.contains(words), "{row}: wanted {words:?}: {told}\n{program}");
    assert_eq!(text(&done.stdout), before, "{row}:\n{program}");
}

/// One statement in a Layout is refused; it is on line 3.
fn refuses_statement(row: &str, statement: &str, words: &str) {
    refuses(row, &format!("Layout(3, 4)\n{{\n{statement}\n}}\n"), 3, words, "");
}

#[test]
fn a01_where_a_statement_ends() {
    lays_out("A1-open", "int a = (1\n+ 2\n)\nint[3] b = [1,\n2\n,3\n]\nprint(a)\nprint(b[2])", &["3", "3"]);
    lays_out(
        "A1-operators",
        "int a = 1 +\n2 *\n3\nboolean t = a > 6 and\ntrue or\nfalse\nint b =\n4\nprint(a)\nprint(t)\nprint(b)",
        &["7", "true", "4"],
    );
    lays_out("A1-comma", "int a = 1,\nb = 2\nprint(a + b)", &["3"]);
    lays_out("A1-dot", "Player q\nq.\ndisplayString = \"Q\"\nprint(q.\ndisplayString)", &["Q"]);
    lays_out(
        "A1-brace",
        "int i = 0\nwhile (i < 2)\n{\ni++\n}\nif (i == 2)\n\n{\nprint(\"two\")\n}\n\nelse\n\n{\nprint(\"no\")\n}",
        &["two"],
    );
    lays_out("A1-semicolon", "int a = 1;int b = 2;;print(a + b);", &["3"]);
    prints("A1-cr", "Layout(1, 1)\r{\rint a = 1\rprint(a)\r}\r", "1\n");
    refuses_statement("A1-two", "int a = 1 int b = 2", "end");
    // A minus at the start of a line begins no new statement, nor does it go on with the one before.
    refuses("A1-minus", "Layout(1, 1)\n{\nint a = 5\n- 2\n}\n", 4, "", "");
}

#[test]
fn a02_a_body_is_one_statement_or_a_block() {
    lays_out("A2-one", "if (false)\n    print(\"in\")\n    print(\"out\")", &["out"]);
    lays_out("A2-while", "int i = 0\nwhile (i < 3) i++\nprint(i)", &["3"]);
    lays_out(
        "A2-else-if",
        "int i = 2\nif (i == 1) print(\"one\")\nelse if (i == 2) print(\"two\")\nelse print(\"many\")",
        &["two"],
    );
    lays_out("A2-dangling", "if (true)\nif (false)\nprint(\"a\")\nelse\nprint(\"b\")", &["b"]);
    lays_out("A2-empty", "if (true) { }\nelse { }\nwhile (false) { }\nprint(\"end\")", &["end"]);
}

#[test]
fn a03_comments() {
    lays_out("A3-hash", "print(1) # print(2)\n# print(3)\nprint(\"# no comment\")", &["1", "# no comment"]);
    lays_out(
        "A3-slash",
        "print(1) /* print(2)\nprint(3) */\nprint(4) /* a */ /* b */\nint a = /* here */ 5\nprint(a)",
        &["1", "4", "5"],
    );
    lays_out(
        "A3-mixed",
        "print(1) # /* not opened\nprint(2)\n/* # not closed by a line\n*/ print(3)",
        &["1", "2", "3"],
    );
    refuses("A3-open", "Layout(1, 1)\n{\n/* print(1)\n}\n", 3, "comment", "");
}

#[test]
fn a04_reserved_words_and_aliases() {
    for word in [
        "int",
        "function",
        "player",
        "item",
        "grid",
        "coordinate",
        "float",
        "colocation",
        "gameLoop",
        "while",
        "checkMove",
        "return",
        "string",
        "drawGrid",
        "rand",
        "gameOver",
        "createGrid",
        "traverse",
        "boolean",
        "checkGameEnd",
        "type",
        "repeat",
        "print",
        "prompt",
        "playerOrder",
        "p",
        "if",
        "else",
        "and",
        "or",
        "true",
        "false",
        "len",
        "Layout",
        "Player",
        "Item",
        "Grid",
        "random",
        "void",
    ] {
        refuses_statement("A4-reserved", &format!("int {word} = 1"), "");
    }
    lays_out(
        "A4-case",
        "int Int = 1, Print = 2, P = 3, While = 4, TRUE = 5\nprint(Int + Print + P + While + TRUE)",
        &["15"],
    );
    prints(
        "A4-aliases",
        "player {\nint n\n}\nitem Stone {\nint w\n}\nfunction show(player who, item what): int {\nreturn who.n + what.w\n}\nLayout(2, 2)\n{\nplayer q\nitem Stone s\nq.n = 3\ns.w = 4\nprint(show(q, s))\nq.position = (1,1)\nprint(len(grid(1,1).playerList))\n}\n",
        "7\n1\n",
    );
    lays_out("A4-rand", "float f = rand(0,1)\nprint(f >= 0.0 and f <= 1.0)", &["true"]);
    lays_out("A4-type", "Player q\nq.type = \"any\"\nprint(q.type)", &["any"]);
}

#[test]
fn a05_strings() {
    lays_out("A5-escapes", r#"print("a\tb\\c\"d")"#, &["a\tb\\c\"d"]);
    lays_out("A5-newline", r#"print("a\nb")"#, &["a", "b"]);
    lays_out(
        "A5-single",
        "string s = 'p1'\nprint(s)\nprint('say \"x\"')\nprint('' == \"\")",
        &["p1", "say \"x\"", "true"],
    );
    refuses_statement("A5-unknown", r#"print("a\qb")"#, "\\q");
    refuses_statement("A5-open", "print(\"abc)", "string");
    lays_out("A5-letters", "print(\"grün → 棋\")", &["grün → 棋"]);
}

#[test]
fn a06_initial_values() {
    lays_out(
        "A6-defaults",
        "int i\nstring s\nboolean b\ncoordinate c\nfloat f\nprint(i)\nprint(s)\nprint(b)\nprint(c)\nprint(f)",
        &["0", "", "false", "(0,0)", "0.000"],
    );
    lays_out("A6-both", "int a, b = 2, c\na = 1\nprint(a + b + c)", &["3"]);
    lays_out(
        "A6-display",
        "Player ann\nprint(ann.displayString)\nann.position = (0,0)\nprint(len(Grid(0,0).playerList))",
        &["ann", "1"],
    );
    prints(
        "A6-unset",
        "Layout(1, 2)\n{\nPlayer ann\nprint(len(Grid(0,0).playerList))\ndrawGrid()\n}\n",
        "0\n____\n0_1_\n| | |0\n----\n",
    );
    // What was never put anywhere is at no cell, the first one included; a first move comes from there.
    lays_out(
        "A6-nowhere",
        "Player ann, bob\nprint(ann.position)\nprint(ann.position == (0,0))\nbob.position = (0,0)\nprint(ann.position == bob.position)",
        &["(-1,-1)", "false", "false"],
    );
    refuses(
        "A6-nowhere-cell",
        "Layout(1, 2)\n{\nPlayer ann\nprint(len(Grid(ann.position).playerList))\n}\n",
        4,
        "(-1,-1) is outside",
        "",
    );
    prints(
        "A6-from-nowhere",
        "int n\nLayout(1, 2)\n{\nPlayer ann\n}\ngameLoop()\n{\nn++\nann.position = (0,n)\n}\nPlayer.checkMove(coordinate start, coordinate end)\n{\nprint(start)\nprint(end)\nreturn n == 2\n}\ncheckGameEnd()\n{\nprint(ann.position)\nreturn n == 2\n}\ngameOver() { }\n",
        "(-1,-1)\n(0,1)\n(-1,-1)\n(-1,-1)\n(0,2)\n(-1,-1)\n",
    );
    prints(
        "A6-attributes",
        "Player {\nint n = 4\nstring s\n}\nItem Coin {\nint value = 10\nboolean taken\n}\nLayout(1, 1)\n{\nPlayer ann\nCoin c\nprint(ann.n)\nprint(ann.s)\nprint(c.value)\nprint(c.taken)\nprint(ann.win)\nprint(ann.Exists)\nprint(c.Exists)\nprint(ann.type)\n}\n",
        "4\n\n10\nfalse\nfalse\ntrue\ntrue\n\n",
    );
}

#[test]
fn a07_precedence() {
    let cases = [
        ("2 + 3 * 4", "14"),
        ("7 % 4 + 1", "4"),
        ("2 * 3 % 4", "2"),
        ("-2 + 3", "1"),
        ("- 2 * - 3", "6"),
        ("10 - 2 - 3", "5"),
        ("1 < 2 == true", "true"),
        ("1 == 1 and 2 != 2", "false"),
        ("false and false or true", "true"),
        ("true or false and false", "true"),
        ("!true or true", "true"),
        ("!(true or true)", "false"),
        ("1 + 1 = 2", "true"),
        ("3 > 2 = 2 > 1", "true"),
    ];
    for (expression, value) in cases {
        lays_out("A7", &format!("print({expression})"), &[value]);
    }
}

#[test]
fn a08_the_equals_sign() {
    lays_out(
        "A8-compares",
        "int a = 3\nboolean same = a = 3\nprint(same)\nwhile (a = 3) a = 4\nprint(a)",
        &["true", "4"],
    );
    refuses_statement("A8-no-chain", "int a, b = 1; a = b += 1", "");
    lays_out("A8-chain", "int b = 1\nboolean a = false\na = b = 1\nprint(a)\nprint(b)", &["true", "1"]);
}

#[test]
fn a09_increment() {
    lays_out(
        "A9",
        "int a = 1\na++\n++a\nprint(a)\na--\n--a\n--a\nprint(a)\nint[2] b\nb[1]++\n++b[1]\nprint(b[1])",
        &["3", "0", "2"],
    );
    refuses_statement("A9-value", "int a = 1; int b = a++", "");
    refuses_statement("A9-text", "string s; s++", "");
    lays_out("A9-float", "float f = 1.5\nf++\nprint(f)", &["2.500"]);
    prints(
        "A9-attribute",
        "Player {\nint score\n}\nLayout(1, 1)\n{\nPlayer q\nq.score++\n++q.score\nq.score += 5\nprint(q.score)\n}\n",
        "7\n",
    );
}

#[test]
fn a10_logic_is_cut_short() {
    let program = "function loud(boolean b): boolean {\nprint(b)\nreturn b\n}\nLayout(1, 1)\n{\nif (loud(false) and loud(true)) print(\"no\")\nif (loud(true) or loud(false)) print(\"yes\")\nif (loud(false) && loud(true)) print(\"no\")\nif (loud(true) || loud(false)) print(\"yes\")\n}\n";
    prints("A10", program, "false\ntrue\nyes\nfalse\ntrue\nyes\n");
    refuses_statement("A10-ints", "print(1 and 2)", "boolean");
    refuses_statement("A10-not", "print(!1)", "boolean");
}

#[test]
fn a11_print() {
    lays_out(
        "A11",
        "print(1)\nprint(true)\nprint((1,2))\nprint(1.5)\nprint(\"a\" + \"b\")\nprint(0.1 + 0.2)",
        &["1", "true", "(1,2)", "1.500", "ab", "0.300"],
    );
    lays_out("A11-array", "int[3] a = [1, 2, 3]\nprint(a)\nPlayer q\nprint(q)", &["[1, 2, 3]", "q"]);
    refuses_statement("A11-int", "print(\"a\" + 1)", "");
    refuses_statement("A11-int-first", "print(1 + \"a\")", "");
    refuses_statement("A11-bool", "print(\"a\" + true)", "");
    refuses_statement("A11-minus", "print(\"a\" - \"b\")", "");
    lays_out("A11-plus-equals", "string s = \"a\"\ns += \"b\"\nprint(s)", &["ab"]);
    refuses_statement("A11-two", "print(1, 2)", "");
    refuses_statement("A11-none", "print()", "");
}

#[test]
fn a12_whole_numbers() {
    lays_out(
        "A12",
        "int big = 2147483647\nint small = -2147483648\nprint(big + 1)\nprint(small - 1)\nprint(big * 2)\nprint(-small)\nprint(-7 / 2)\nprint(7 / -2)\nprint(-7 % 3)\nprint(7 % -3)\nsmall /= -1\nprint(small)\nbig++\nprint(big)",
        &["-2147483648", "2147483647", "-2", "-2147483648", "-3", "-3", "-1", "1", "-2147483648", "-2147483648"],
    );
    refuses("A12-divide", "Layout(1, 1)\n{\nint a\nprint(\"first\")\nprint(1 / a)\n}\n", 5, "zero", "first\n");
    refuses("A12-remainder", "Layout(1, 1)\n{\nint a\nprint(\"first\")\nprint(1 % a)\n}\n", 5, "zero", "first\n");
    refuses("A12-assign", "Layout(1, 1)\n{\nint a\nint b = 1\nprint(\"first\")\nb /= a\n}\n", 6, "zero", "first\n");
    refuses_statement("A12-literal", "int a = 2147483648", "");
}

#[test]
fn a13_coordinates() {
    lays_out(
        "A13",
        "int a = 1\ncoordinate c = (a + 1, a * 3)\nprint(c)\nprint(c.x)\nprint(c.row)\nprint(c.y)\nprint(c.col)\nprint(c == (2,3))\nprint(c != (2,3))\nc.row = 0\nc.col++\nc.x += 5\nprint(c)",
        &["(2,3)", "2", "2", "3", "3", "true", "false", "(5,4)"],
    );
    lays_out("A13-negative", "coordinate c = (-1, 2)\nprint(c)\nprint(c.row)", &["(-1,2)", "-1"]);
    refuses("A13-place", "Layout(2, 2)\n{\nPlayer q\nprint(\"first\")\nq.position = (-1,0)\n}\n", 5, "", "first\n");
    refuses_statement("A13-order", "print((1,2) < (2,3))", "");
    refuses_statement("A13-plus", "print((1,2) + (2,3))", "");
    refuses_statement("A13-three", "coordinate c = (1,2,3)", "");
    refuses_statement("A13-parts", "coordinate c = (1,true)", "");
}

#[test]
fn a14_arrays() {
    refuses("A14-over", "Layout(1, 1)\n{\nint[2] a\nprint(1)\nprint(a[2])\n}\n", 5, "", "1\n");
    refuses("A14-under", "Layout(1, 1)\n{\nint[2] a\nprint(1)\na[-1] = 3\n}\n", 5, "", "1\n");
    lays_out(
        "A14-literal",
        "int[3] a = [4, 5, 6]\nprint(a[2])\nprint(len([1, 2]))\na = [7, 8, 9]\nprint(a[0])",
        &["6", "2", "7"],
    );
    prints(
        "A14-shared",
        "function fill(int[] a, int n) {\nint i = 0\nwhile (i < len(a)) {\na[i] = n\ni++\n}\n}\nLayout(1, 1)\n{\nint[2] b\nfill(b, 7)\nprint(b[0] + b[1])\n}\n",
        "14\n",
    );
    lays_out("A14-two", "int[2,3] g\ng[1,2] = 5\nprint(g[1,2])\nprint(g[0,0])\nprint(len(g))", &["5", "0", "2"]);
    refuses("A14-two-over", "Layout(1, 1)\n{\nint[2,3] g\nprint(1)\ng[1,3] = 5\n}\n", 5, "", "1\n");
    refuses_statement("A14-mixed", "int[2] a = [1, \"b\"]", "");
    refuses_statement("A14-index", "int[2] a; a[true] = 1", "int");
    refuses_statement("A14-size", "int[2] a = [1, 2, 3]", "");
    lays_out(
        "A14-kinds",
        "coordinate[2] c\nc[0] = (1,1)\nprint(c[0])\nfloat[1] f\nprint(f[0])\nstring[1] s\nprint(s[0] == \"\")\nPlayer[2] team\nteam[1].displayString = \"T\"\nprint(team[1].displayString)\nprint(len(team))",
        &["(1,1)", "0.000", "true", "T", "2"],
    );
    lays_out("A14-variable-size", "int n = 3\nint[n] a\nprint(len(a))", &["3"]);
}

#[test]
fn a15_the_lists_of_a_cell() {
    let head = "Item Stone {\nint w\n}\nLayout(2, 2)\n{\nPlayer a, b\nStone s, t\na.position = (0,1)\ns.position = (0,1)\nb.position = (0,1)\nt.position = (0,1)\n";
    prints(
        "A15",
        &format!(
            "{head}print(Grid(0,1).playerList[0].displayString)\nprint(Grid(0,1).playerList[1].displayString)\nprint(Grid(0,1).itemList[1].displayString)\na.position = (0,0)\na.position = (0,1)\nprint(Grid(0,1).playerList[0].displayString)\ncoordinate c = (0,1)\nprint(len(Grid(c).itemList))\nprint(len(Grid(a.position).playerList))\n}}\n"
        ),
        "a\nb\nt\nb\n2\n2\n",
    );
    refuses("A15-outside", &format!("{head}print(len(Grid(2,0).playerList))\n}}\n"), 12, "outside", "");
    refuses("A15-index", &format!("{head}print(Grid(0,0).playerList[0])\n}}\n"), 12, "", "");
    refuses("A15-read-only", &format!("{head}Grid(0,1).playerList[0] = b\n}}\n"), 12, "", "");
}

#[test]
fn a16_players_are_declared() {
    lays_out(
        "A16",
        "Player a, b\na.position = (0,0)\nb.position = (0,1)\nprint(a == b)\nprint(a == a)\nPlayer c = a\nprint(c == a)\nc.displayString = \"C\"\nprint(a.displayString)",
        &["false", "true", "true", "C"],
    );
    prints("A16-top", "Player a\nLayout(1, 1)\n{\na.position = (0,0)\nprint(a.position)\n}\n", "(0,0)\n");
}

#[test]
fn a17_player_types() {
    let head = "Player {\nint n\ntype = \"cat\" {\nint naps = 9\n}\ntype = \"mouse\" {\nboolean brave\n}\n}\nLayout(1, 1)\n{\nPlayer q\n";
    prints(
        "A17",
        &format!(
            "{head}q.type = \"cat\"\nprint(q.naps)\nq.naps = 3\nq.type = \"mouse\"\nprint(q.brave)\nprint(q.type == \"mouse\")\n}}\n"
        ),
        "9\nfalse\ntrue\n",
    );
    refuses("A17-none", &format!("{head}print(q.naps)\n}}\n"), 13, "cat", "");
    refuses(
        "A17-other",
        &format!("{head}q.type = \"mouse\"\nprint(1)\nif (q.type == \"mouse\") q.naps = 1\n}}\n"),
        15,
        "cat",
        "1\n",
    );
    refuses("A17-int", &format!("{head}q.type = 3\n}}\n"), 13, "string", "");
}

#[test]
fn a18_items() {
    prints(
        "A18",
        "Item Bonus {\nint v\n}\nLayout(1, 1)\n{\nBonus b\nItem Bonus c\nb.v = 1\nc.v = 2\nprint(b.v + c.v)\n}\n",
        "3\n",
    );
    prints(
        "A18-lone",
        "Item Flag {\nint v = 3\n}\nLayout(1, 2)\n{\nFlag.position = (0,1)\nprint(Flag.v)\nprint(Flag.displayString)\nprint(len(Grid(0,1).itemList))\n}\n",
        "3\nFlag\n1\n",
    );
    refuses("A18-kind", "Item Flag {\nint v\n}\nLayout(1, 2)\n{\nFlag f\nFlag.v = 3\n}\n", 7, "", "");
    refuses("A18-attribute", "Item Flag {\nint v\n}\nLayout(1, 2)\n{\nFlag f\nf.win = true\n}\n", 7, "", "");
    refuses("A18-twice", "Item Flag {\n}\nItem Flag {\n}\nLayout(1, 1) { }\n", 3, "", "");
    prints(
        "A18-empty",
        "Item Hedge { }\nLayout(1, 1)\n{\nHedge.position = (0,0)\nprint(Hedge.position)\n}\n",
        "(0,0)\n",
    );
}

#[test]
fn a19_who_has_won_or_is_gone_leaves() {
    let game = |change: &str| {
        format!(
            "int n\nLayout(1, 3)\n{{\nPlayer a, b, c\na.position = (0,0)\nb.position = (0,1)\nc.position = (0,2)\n}}\ngameLoop()\n{{\nn++\nprint(p)\nif (n == 2) {change}\n}}\ncheckGameEnd()\n{{\nreturn n == 6\n}}\ngameOver()\n{{\nprint(len(Grid(0,1).playerList))\n}}\n"
        )
    };
    prints("A19-win", &game("p.win = true"), "a\nb\nc\na\nc\na\n1\n");
    prints("A19-exists", &game("p.Exists = false"), "a\nb\nc\na\nc\na\n0\n");
    prints("A19-alias", &game("p.exists = false"), "a\nb\nc\na\nc\na\n0\n");
    prints("A19-other", &game("c.win = true"), "a\nb\na\nb\na\nb\n1\n");
    prints("A19-before", &game("a.win = true"), "a\nb\nc\nb\nc\nb\n1\n");
    prints("A19-order", &game("playerOrder = [c, b]"), "a\nb\nc\nb\nc\nb\n1\n");
    prints("A19-order-without", &game("playerOrder = [a, c]"), "a\nb\nc\na\nc\na\n1\n");
}

#[test]
fn a20_functions() {
    prints(
        "A20",
        "Layout(1, 1)\n{\nprint(twice(2))\nprint(thrice(2))\nhello()\nsilent()\n}\nfunction int twice(int a) {\nreturn a * 2\n}\nfunction thrice(int a): int { return a * 3 }\nfunction void hello() { print(\"hello\") }\nfunction silent() { return }\n",
        "4\n6\nhello\n",
    );
    prints(
        "A20-shared",
        "function rename(Player who, string s) { who.displayString = s }\nLayout(1, 1)\n{\nPlayer q\nrename(q, \"Q\")\nprint(q)\n}\n",
        "Q\n",
    );
    prints(
        "A20-copied",
        "function shift(coordinate c, string s): coordinate {\nc.row = 9\ns = \"x\"\nreturn c\n}\nLayout(1, 1)\n{\ncoordinate d = (1,1)\nstring t = \"t\"\nprint(shift(d, t))\nprint(d)\nprint(t)\n}\n",
        "(9,1)\n(1,1)\nt\n",
    );
    prints(
        "A20-mutual",
        "function even(int n): boolean {\nif (n == 0) return true\nreturn odd(n - 1)\n}\nfunction odd(int n): boolean {\nif (n == 0) return false\nreturn even(n - 1)\n}\nLayout(1, 1)\n{\nprint(even(10001))\n}\n",
        "false\n",
    );
    prints(
        "A20-returns",
        "function pick(Player a, Player b): Player { return b }\nfunction some(): int[] { return [1, 2] }\nLayout(1, 1)\n{\nPlayer x, y\nprint(pick(x, y))\nprint(len(some()))\n}\n",
        "y\n2\n",
    );
    refuses("A20-count", "function f(int a) { }\nLayout(1, 1)\n{\nf()\n}\n", 4, "", "");
    refuses("A20-return-type", "function f(): int {\nreturn \"a\"\n}\nLayout(1, 1) { }\n", 2, "", "");
    refuses("A20-return-void", "function f() {\nreturn 1\n}\nLayout(1, 1) { }\n", 2, "", "");
    refuses("A20-twice", "function f() { }\nfunction f() { }\nLayout(1, 1) { }\n", 2, "", "");
    refuses("A20-void-value", "function f() { }\nLayout(1, 1)\n{\nint a = f()\n}\n", 4, "", "");
    refuses("A20-unknown", "Layout(1, 1)\n{\nfoo(1)\n}\n", 3, "foo", "");
    refuses(
        "A20-missing-return",
        "function f(int a): int {\nif (a == 1)\nreturn 1\n}\nLayout(1, 1)\n{\nprint(\"first\")\nprint(f(2))\n}\n",
        4,
        "without returning int",
        "first\n",
    );
}

#[test]
fn a21_draw_grid() {
    prints(
        "A21-width",
        "Item Rock { }\nLayout(2, 3)\n{\nPlayer ann, b\nann.position = (0,0)\nRock.position = (0,0)\nRock.displayString = \"#\"\nb.position = (1,2)\ndrawGrid()\n}\n",
        concat!(
            // The longest text is `ann, #`: 6 wide.
            "_____________________\n",
            "___0______1______2___\n",
            "|ann, #|      |      |0\n",
            "|      |      |b     |1\n",
            "---------------------\n"
        ),
    );
    prints(
        "A21-arrival",
        "Item Rock { }\nLayout(1, 1)\n{\nRock.position = (0,0)\nRock.displayString = \"r\"\nPlayer a, b\nb.position = (0,0)\na.position = (0,0)\ndrawGrid()\n}\n",
        "________\n___0____\n|b, a, r|0\n--------\n",
    );
    let ten = "______________________\n0_1_2_3_4_5_6_7_8_9_10_\n| | | | | | | | | | | |0\n----------------------\n";
    prints("A21-ten", "Layout(1, 11)\n{\ndrawGrid()\n}\n", ten);
}

#[test]
fn a22_traverse() {
    let head = "Item Rock { }\nLayout(4, 4)\n{\nPlayer a, b, c\nRock r\na.position = (0,0)\nb.position = (3,3)\nc.position = (0,3)\nr.position = (2,2)\n";
    prints(
        "A22",
        &format!(
            "{head}print(traverse([(0,0), (3,3)], \"playerList\")[1])\nprint(traverse([(3,3), (0,0)], \"playerList\")[1])\nprint(len(traverse([(2,2), (2,2)], \"itemList\")))\nprint(traverse(0, 0, 3, 3))\nprint(traverse(0, 0, 0, 3))\nprint(traverse(1, 1, 3, 3))\nprint(traverse(0, 0, 0, 1))\n}}\n"
        ),
        "b\na\n1\n1\n0\n1\n0\n",
    );
    refuses("A22-line", &format!("{head}print(len(traverse([(0,0), (1,2)], \"playerList\")))\n}}\n"), 10, "", "");
    refuses("A22-outside", &format!("{head}print(len(traverse([(0,0), (4,4)], \"playerList\")))\n}}\n"), 10, "", "");
    refuses(
        "A22-list",
        &format!("{head}print(len(traverse([(0,0), (3,3)], \"pieceList\")))\n}}\n"),
        10,
        "pieceList",
        "",
    );
    refuses("A22-ends", &format!("{head}print(len(traverse([(0,0)], \"playerList\")))\n}}\n"), 10, "", "");
}

#[test]
fn a23_random() {
    lays_out(
        "A23",
        "int i = 0\nboolean fine = true\nwhile (i < 300) {\nfloat f = random(0, 1)\nif (f < 0.0 or f > 1.0) fine = false\nint d = diceThrow()\nif (d < 1 or d > 6) fine = false\nfloat g = random(2, 5)\nif (g < 2.0 or g > 5.0) fine = false\ni++\n}\nprint(fine)",
        &["true"],
    );
    lays_out(
        "A23-float",
        "float f = 2.5\nprint(f * 2.0)\nprint(f > 2.0)\nprint(f / 2.0)\nprint(-f)\nf = 3.0\nprint(f == 3.0)\nprint(10.0 / 4.0)",
        &["5.000", "true", "1.250", "-2.500", "true", "2.500"],
    );
    refuses_statement("A23-int", "int a = random(0,1)", "float");
    refuses_statement("A23-cast", "float f = true", "float");
    // No silent casts: an int does not become a float because it stands beside one.
    for mixed in ["1.5 + 1", "2 * 1.5", "7 / 2.0", "1.5 < 2", "1 == 1.0", "5 % 2.0"] {
        refuses_statement("A23-mixed", &format!("print({mixed})"), "int");
    }
    refuses_statement("A23-compound", "float f = 1.5; f += 1", "float and int");
    refuses("A23-zero", "Layout(1, 1)\n{\nfloat z\nprint(1)\nprint(1.0 / z)\n}\n", 5, "zero", "1\n");
}

const TURNS: &str =
    "int n\nLayout(1, 3)\n{\nPlayer ann, bob\nann.displayString = \"A\"\nbob.displayString = \"B\"\n}\n";

#[test]
fn a24_game_over() {
    prints(
        "A24-block",
        &format!(
            "{TURNS}gameLoop()\n{{\nn++\nprint(p)\nif (n == 2) gameOver()\nprint(\"on\")\n}}\ngameOver()\n{{\nprint(\"end\")\n}}\n"
        ),
        "A\non\nB\nend\n",
    );
    prints("A24-winner", &format!("{TURNS}gameLoop()\n{{\nann.win = true\ngameOver()\n}}\n"), "Winner: A\n");
    prints(
        "A24-winners",
        &format!("{TURNS}gameLoop()\n{{\nann.win = true\nbob.win = true\ngameOver()\n}}\n"),
        "Winner: A, B\n",
    );
    prints("A24-p", &format!("{TURNS}gameLoop()\n{{\nn++\nif (n == 2) gameOver()\n}}\n"), "Winner: B\n");
    prints(
        "A24-end",
        &format!("{TURNS}gameLoop()\n{{\nn++\n}}\ncheckGameEnd()\n{{\nreturn n == 2\n}}\n"),
        "Winner: B\n",
    );
    prints(
        "A24-function",
        &format!(
            "{TURNS}function stop() {{\ngameOver()\nprint(\"never\")\n}}\ngameLoop()\n{{\nstop()\nprint(\"never\")\n}}\ngameOver()\n{{\nprint(\"end\")\n}}\n"
        ),
        "end\n",
    );
    // A call in the block itself ends it there.
    prints(
        "A24-inside",
        &format!(
            "{TURNS}gameLoop()\n{{\ngameOver()\n}}\ngameOver()\n{{\nprint(\"end\")\ngameOver()\nprint(\"never\")\n}}\n"
        ),
        "end\n",
    );
    prints(
        "A24-layout",
        "Layout(1, 1)\n{\nprint(\"first\")\ngameOver()\nprint(\"never\")\n}\ngameLoop()\n{\nprint(\"never\")\n}\ngameOver()\n{\nprint(\"end\")\n}\n",
        "first\nend\n",
    );
}

#[test]
fn a25_prompt() {
    let ask = |what: &str, ty: &str| format!("Layout(1, 1)\n{{\n{ty} a = prompt(\"? \", {what})\nprint(a)\n}}\n");
    answered("A25-int", &ask("int", "int"), "x\n2.5\n\n 7 \n", "? ? ? ? 7\n");
    answered("A25-negative", &ask("int", "int"), "-3\n", "? -3\n");
    answered("A25-range", &ask("int", "int"), "2147483648\n2147483647\n", "? ? 2147483647\n");
    answered("A25-string", &ask("string", "string"), "two words\n", "? two words\n");
    answered("A25-empty", &ask("string", "string"), "\n", "? \n");
    answered("A25-boolean", &ask("boolean", "boolean"), "yes\ntrue\n", "? ? true\n");
    answered("A25-coordinate", &ask("coordinate", "coordinate"), "1\n(1,2)\n", "? ? (1,2)\n");
    answered("A25-float", &ask("float", "float"), "abc\n2.5\n", "? ? 2.500\n");
    answered("A25-one", "Layout(1, 1)\n{\nint a = prompt(\"n: \")\nprint(a + 1)\n}\n", "4\n", "n: 5\n");
    answered("A25-last-line", &ask("int", "int"), "7", "? 7\n");
    refuses("A25-end", &ask("int", "int"), 3, "input", "? ");
    refuses("A25-type", "Layout(1, 1)\n{\nint a = prompt(\"? \", string)\n}\n", 3, "", "");
    refuses("A25-player", "Layout(1, 1)\n{\nPlayer a = prompt(\"? \", Player)\n}\n", 3, "", "");
}

#[test]
fn a26_layout() {
    prints(
        "A26-variable",
        "Layout(int rows, int cols)\n{\ncreateGrid(2, 3)\nPlayer q\nq.position = (1,2)\nprint(q.position)\n}\n",
        "(1,2)\n",
    );
    prints(
        "A26-expression",
        "int n = 2\nLayout(n, n + 1)\n{\nPlayer q\nq.position = (1,2)\nprint(q.position)\n}\n",
        "(1,2)\n",
    );
    refuses("A26-zero", "Layout(0, 3)\n{\nprint(1)\n}\n", 1, "", "");
    // Pieces may be placed before the grid is made, which must have room for them then.
    prints(
        "A26-later",
        "Layout(int rows, int cols)\n{\nPlayer q\nq.position = (1,2)\ncreateGrid(2, 3)\nprint(len(Grid(1,2).playerList))\n}\n",
        "1\n",
    );
    refuses(
        "A26-room",
        "Layout(int rows, int cols)\n{\nPlayer q\nq.position = (2,2)\ncreateGrid(2, 3)\n}\n",
        5,
        "no room",
        "",
    );
    refuses("A26-none", "Layout(int rows, int cols)\n{\nprint(1)\ndrawGrid()\n}\n", 4, "no grid", "1\n");
    refuses("A26-twice", "Layout(1, 1) { }\nLayout(2, 2) { }\n", 2, "", "");
}

#[test]
fn a27_scope() {
    prints(
        "A27-layout",
        "Layout(1, 1)\n{\nint seen = 3\nPlayer q\n}\nfunction look(): int { return seen }\ngameLoop()\n{\nprint(look())\nseen++\nprint(seen)\ngameOver()\n}\ngameOver() { }\n",
        "3\n4\n",
    );
    prints("A27-inner", "Layout(1, 1)\n{\nint a = 1\nif (true) {\nint b = 2\na = a + b\n}\nprint(a)\n}\n", "3\n");
    prints(
        "A27-fresh",
        &format!(
            "{TURNS}gameLoop()\n{{\nint local\nlocal++\nn++\nprint(local)\n}}\ncheckGameEnd()\n{{\nreturn n == 2\n}}\ngameOver() {{ }}\n"
        ),
        "1\n1\n",
    );
    refuses(
        "A27-other-block",
        &format!("{TURNS}gameLoop()\n{{\nint local = 1\n}}\ncheckGameEnd()\n{{\nreturn local == 1\n}}\n"),
        14,
        "local",
        "",
    );
    refuses_statement("A27-twice", "int a; int a", "a");
    prints(
        "A27-shadow",
        "int a = 1\nfunction f(int a): int { return a }\nLayout(1, 1)\n{\nprint(f(5))\nprint(a)\n}\n",
        "5\n1\n",
    );
}

#[test]
fn a28_player_order() {
    let end = "gameLoop()\n{\nn++\nprint(p)\n}\ncheckGameEnd()\n{\nreturn n == 4\n}\ngameOver() { }\n";
    prints("A28-declared", &format!("{TURNS}{end}"), "A\nB\nA\nB\n");
    prints("A28-made", &format!("int n\nLayout(1, 1)\n{{\nplayerOrder = ['x', 'y']\n}}\n{end}"), "x\ny\nx\ny\n");
    prints(
        "A28-twice",
        &format!("int n\nLayout(1, 1)\n{{\nPlayer a, b\nplayerOrder = [a, a, b]\n}}\n{end}"),
        "a\na\nb\na\n",
    );
    prints(
        "A28-len",
        "Layout(1, 1)\n{\nPlayer a, b\nplayerOrder = [b, a]\nprint(len(playerOrder))\nprint(playerOrder[0])\n}\n",
        "2\nb\n",
    );
    refuses("A28-item", "Item Rock { }\nLayout(1, 1)\n{\nRock r\nplayerOrder = [r]\n}\n", 5, "", "");
    refuses("A28-unknown", "Layout(1, 1)\n{\nplayerOrder = [zoe]\n}\n", 3, "zoe", "");
}

#[test]
fn a29_p() {
    refuses("A29-layout", "Layout(1, 1)\n{\nPlayer q\np.position = (0,0)\n}\n", 4, "p", "");
    prints(
        "A29",
        &format!(
            "{TURNS}function who(): string {{ return p.displayString }}\ngameLoop()\n{{\nn++\np.position = (0,n)\n}}\nPlayer.checkMove(coordinate start, coordinate end)\n{{\nprint(\"check \" + who())\nreturn true\n}}\ncheckGameEnd()\n{{\nprint(\"end \" + p.displayString)\nreturn n == 2\n}}\ngameOver()\n{{\nprint(\"over \" + who())\n}}\n"
        ),
        "check A\nend A\ncheck B\nend B\nover B\n",
    );
    refuses(
        "A29-function-in-layout",
        "function who(): string {\nreturn p.displayString\n}\nLayout(1, 1)\n{\nPlayer q\nprint(1)\nprint(who())\n}\n",
        2,
        "p",
        "1\n",
    );
    refuses("A29-assign", &format!("{TURNS}gameLoop()\n{{\np = bob\n}}\n"), 10, "`p` cannot be set", "");
}

/// Two players on a row of four; `ann` is first.
const ROW: &str = "int n\nLayout(1, 4)\n{\nPlayer ann, bob\nann.position = (0,0)\nbob.position = (0,3)\n}\n";

#[test]
fn a30_check_move() {
    let end = "checkGameEnd()\n{\nprint(ann.position)\nreturn n == 1\n}\ngameOver() { }\n";
    let step = "gameLoop()\n{\nn++\np.position.col++\n}\n";
    // The most specific handler is the one that is asked.
    let three = "Player.checkMove(coordinate a, coordinate b)\n{\nprint(\"player\")\nreturn true\n}\ncheckMove(coordinate a, coordinate b)\n{\nprint(\"anything\")\nreturn true\n}\nann.checkMove(coordinate a, coordinate b)\n{\nprint(\"ann\")\nreturn true\n}\n";
    prints("A30-instance", &format!("{ROW}{step}{three}{end}"), "ann\n(0,1)\n");
    prints(
        "A30-player",
        &format!("{ROW}{step}{}{end}", three.split("ann.checkMove").next().unwrap()),
        "player\n(0,1)\n",
    );
    prints(
        "A30-none",
        &format!("{ROW}{step}checkMove()\n{{\nprint(\"anything\")\nreturn false\n}}\n{end}"),
        "anything\n(0,0)\n",
    );
    prints("A30-no-result", &format!("{ROW}{step}Player.checkMove()\n{{\nprint(\"seen\")\n}}\n{end}"), "seen\n(0,1)\n");
    // What is set counts at once, and start is where the piece was last allowed to be.
    prints(
        "A30-at-once",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\np.position = (0,1)\np.position = (0,2)\nprint(len(Grid(0,2).playerList))\n}}\nPlayer.checkMove(coordinate start, coordinate end)\n{{\nprint(start)\nprint(end)\nreturn false\n}}\n{end}"
        ),
        "1\n(0,0)\n(0,2)\n(0,0)\n",
    );
    prints(
        "A30-back-again",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\np.position = (0,1)\np.position = (0,0)\n}}\nPlayer.checkMove()\n{{\nprint(\"checked\")\nreturn false\n}}\n{end}"
        ),
        "(0,0)\n",
    );
    prints(
        "A30-order",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\nbob.position = (0,2)\nann.position = (0,1)\n}}\nPlayer.checkMove()\n{{\nprint(Player.displayString)\nreturn true\n}}\n{end}"
        ),
        "bob\nann\n(0,1)\n",
    );
    prints(
        "A30-type",
        &format!(
            "Player {{\ntype = \"knight\" {{ }}\n}}\n{}{step}knight.checkMove()\n{{\nprint(\"knight\")\nreturn false\n}}\nPlayer.checkMove()\n{{\nprint(\"player\")\n}}\n{end}",
            ROW.replace("ann.position", "ann.type = \"knight\"\nann.position")
        ),
        "knight\n(0,0)\n",
    );
    prints(
        "A30-item",
        "Item Cart { }\nint n\nLayout(1, 3)\n{\nPlayer q\nCart.position = (0,0)\n}\ngameLoop()\n{\nn++\nCart.position.col++\n}\nCart.checkMove(coordinate a, coordinate b)\n{\nreturn b.col < 2\n}\ncheckGameEnd()\n{\nprint(Cart.position)\nreturn n == 2\n}\ngameOver() { }\n",
        "(0,1)\n(0,1)\n",
    );
    refuses("A30-result", &format!("{ROW}{step}Player.checkMove()\n{{\nreturn 1\n}}\n"), 15, "boolean", "");
}

#[test]
fn a31_the_turn_passes_after_a_refusal() {
    prints(
        "A31",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\nprint(p)\np.position = (0,2)\n}}\nann.checkMove()\n{{\nreturn false\n}}\ncheckGameEnd()\n{{\nreturn n == 3\n}}\ngameOver() {{ }}\n"
        ),
        "ann\nbob\nann\n",
    );
}

#[test]
fn a32_colocation() {
    let meet = "gameLoop()\n{\nn++\nif (n == 1) p.position = bob.position\n}\ncheckGameEnd()\n{\nreturn n == 2\n}\ngameOver() { }\n";
    let game = |handlers: &str| format!("{ROW}{meet}{handlers}");
    prints("A32-mover", &game("Player.colocation(Player)\n{\nprint(Player.displayString)\n}\n"), "ann\n");
    prints(
        "A32-named",
        &game("Player.colocation(Player other)\n{\nprint(Player.displayString)\nprint(other.displayString)\n}\n"),
        "bob\nann\n",
    );
    prints(
        "A32-instance",
        &game("bob.colocation(Player)\n{\nprint(bob.displayString)\nprint(Player.displayString)\n}\n"),
        "bob\nann\n",
    );
    prints(
        "A32-instances",
        &game("bob.colocation(ann)\n{\nprint(\"exactly\")\n}\nPlayer.colocation(Player)\n{\nprint(\"any\")\n}\n"),
        "exactly\n",
    );
    prints("A32-wrong-way", &game("ann.colocation(bob)\n{\nprint(\"never\")\n}\n"), "");
    let many = "Item Coin { }\nint n\nLayout(1, 3)\n{\nPlayer a, b, c\nCoin x, y\ny.position = (0,2)\nc.position = (0,2)\nx.position = (0,2)\nb.position = (0,2)\na.position = (0,0)\n}\ngameLoop()\n{\nn++\na.position = (0,2)\n}\nPlayer.colocation(Player who)\n{\nprint(Player.displayString)\n}\nCoin.colocation(Player)\n{\nprint(Coin.displayString)\n}\ncheckGameEnd()\n{\nreturn true\n}\ngameOver() { }\n";
    prints("A32-many", many, "c\nb\ny\nx\n");
    // A move made in a handler is checked, and meets others in turn.
    prints(
        "A32-chain",
        "Item Hole { }\nItem Coin { }\nint n\nLayout(1, 4)\n{\nPlayer a\na.position = (0,0)\nHole.position = (0,1)\nCoin.position = (0,3)\n}\ngameLoop()\n{\na.position = (0,1)\n}\nPlayer.checkMove(coordinate s, coordinate e)\n{\nprint(s)\nreturn true\n}\nHole.colocation(Player)\n{\nprint(\"hole\")\nPlayer.position = (0,3)\n}\nCoin.colocation(Player)\n{\nprint(\"coin\")\n}\ncheckGameEnd()\n{\nreturn true\n}\ngameOver() { }\n",
        "(0,0)\nhole\n(0,1)\ncoin\n",
    );
    prints(
        "A32-item-item",
        "Item Cart { }\nItem Wall { }\nLayout(1, 2)\n{\nPlayer q\nCart.position = (0,0)\nWall.position = (0,1)\n}\ngameLoop()\n{\nCart.position = (0,1)\n}\nWall.colocation(Cart)\n{\nprint(\"bump\")\n}\ncheckGameEnd()\n{\nreturn true\n}\ngameOver() { }\n",
        "bump\n",
    );
    // One that is gone meets nobody any more.
    prints(
        "A32-gone",
        "Item Trap { }\nLayout(1, 2)\n{\nPlayer a, b\na.position = (0,0)\nb.position = (0,1)\nTrap.position = (0,1)\n}\ngameLoop()\n{\na.position = (0,1)\n}\nPlayer.colocation(Player)\n{\nprint(\"met\")\nPlayer.Exists = false\n}\nTrap.colocation(Player)\n{\nprint(\"never\")\n}\ncheckGameEnd()\n{\nreturn true\n}\ngameOver() { }\n",
        "met\n",
    );
}

#[test]
fn a33_repeat() {
    let end = "checkGameEnd()\n{\nprint(\"end\")\nreturn n > 2\n}\ngameOver() { }\n";
    prints(
        "A33",
        &format!("{ROW}gameLoop()\n{{\nn++\nprint(p)\nif (n == 1) repeat\nif (n == 2) repeat()\n}}\n{end}"),
        "ann\nann\nann\nend\n",
    );
    prints(
        "A33-function",
        &format!("{ROW}function again() {{\nrepeat\n}}\ngameLoop()\n{{\nn++\nprint(n)\nif (n < 3) again()\n}}\n{end}"),
        "1\n2\n3\nend\n",
    );
    prints(
        "A33-pending",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\nif (n == 1) {{\np.position = (0,1)\nrepeat\n}}\nprint(p.position)\nn = 3\n}}\nPlayer.checkMove(coordinate a, coordinate b)\n{{\nprint(a)\nprint(b)\n}}\n{end}"
        ),
        "(0,1)\n(0,0)\n(0,1)\nend\n",
    );
    prints(
        "A33-check",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\nprint(p.position)\nif (n < 3) p.position = (0,1)\n}}\nPlayer.checkMove()\n{{\nrepeat\n}}\n{end}"
        ),
        "(0,0)\n(0,0)\n(0,0)\nend\n",
    );
    refuses("A33-layout", "Layout(1, 1)\n{\nrepeat\n}\n", 3, "repeat", "");
    refuses(
        "A33-layout-function",
        "function again() {\nrepeat\n}\nLayout(1, 1)\n{\nprint(1)\nagain()\n}\n",
        2,
        "repeat",
        "1\n",
    );
}

#[test]
fn a34_how_a_game_ends() {
    prints(
        "A34-no-loop",
        "Layout(1, 1)\n{\nPlayer q\nprint(\"laid out\")\n}\ngameOver()\n{\nprint(\"never\")\n}\n",
        "laid out\n",
    );
    prints(
        "A34-no-end",
        &format!("{ROW}gameLoop()\n{{\nn++\nif (n == 5) gameOver()\n}}\ngameOver()\n{{\nprint(n)\n}}\n"),
        "5\n",
    );
    prints(
        "A34-nobody",
        "Layout(1, 1)\n{\nprint(\"laid out\")\n}\ngameLoop()\n{\nprint(\"never\")\n}\ngameOver()\n{\nprint(\"end\")\n}\n",
        "laid out\nend\n",
    );
    prints(
        "A34-all-gone",
        &format!("{ROW}gameLoop()\n{{\nprint(p)\np.Exists = false\n}}\ngameOver()\n{{\nprint(\"end\")\n}}\n"),
        "ann\nbob\nend\n",
    );
    prints("A34-empty", "", "");
}

#[test]
fn a35_outside_of_the_grid() {
    refuses("A35-layout", "Layout(2, 2)\n{\nPlayer q\nq.position = (2,0)\n}\n", 4, "outside", "");
    prints(
        "A35-loop",
        &format!(
            "{ROW}gameLoop()\n{{\nn++\np.position = (0,9)\n}}\nPlayer.checkMove(coordinate a, coordinate b)\n{{\nprint(b)\nreturn true\n}}\ncheckGameEnd()\n{{\nprint(p.position)\nreturn true\n}}\ngameOver() {{ }}\n"
        ),
        "(0,9)\n(0,0)\n",
    );
    // checkMove may bring it back itself.
    prints(
        "A35-mended",
        &format!(
            "{ROW}gameLoop()\n{{\np.position = (0,9)\n}}\nPlayer.checkMove(coordinate a, coordinate b)\n{{\nif (b.col > 3) Player.position = (0,1)\nreturn true\n}}\ncheckGameEnd()\n{{\nprint(p.position)\nreturn true\n}}\ngameOver() {{ }}\n"
        ),
        "(0,1)\n",
    );
}

#[test]
fn a36_faults_are_told_before_the_run_with_their_line() {
    let cases: &[(&str, u32)] = &[
        ("print(1)\nint a = true", 4),
        ("print(1)\na = 1", 4),
        ("print(1)\nstring s = (1,2)", 4),
        ("print(1)\nif (1) print(2)", 4),
        ("print(1)\nwhile (\"a\") print(2)", 4),
        ("print(1)\nint[2] a\na = 3", 5),
        ("print(1)\nPlayer q\nq.nothing = 3", 5),
        ("print(1)\nPlayer q\nq.position = 3", 5),
        ("print(1)\nprint(1 == \"a\")", 4),
        ("print(1)\nprint(1 < true)", 4),
        ("print(1)\nfloat f = 1.0\nint i = f", 5),
        ("print(1)\nlen(3)", 4),
    ];
    for (body, line) in cases {
        refuses("A36", &format!("Layout(1, 1)\n{{\n{body}\n}}\n"), *line, "", "");
    }
}

#[test]
fn a37_imports() {
    prints("A37", "import gridBasics.grid\nLayout(1, 1)\n{\nprint(1)\n}\n", "1\n");
    refuses("A37-inside", "Layout(1, 1)\n{\nimport gridBasics.grid\n}\n", 3, "", "");
}
