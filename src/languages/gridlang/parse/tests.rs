//! Unit tests of the parser.

use super::*;
use crate::source::Origin;

fn source(text: &str) -> Source {
    Source::new(SourceId::default(), Origin::File("game.grid".into()), text)
}

fn top_level(text: &str) -> Vec<TopLevel> {
    parse(&source(text), Start::Entry)
        .unwrap_or_else(|e| panic!("{text}: {e:?}"))
        .top_level
}

fn statement(text: &str) -> StmtKind {
    match top_level(text).remove(0) {
        TopLevel::Statement(s) => s.kind,
        other => panic!("{text}: {other:?}"),
    }
}

/// The code, line, column and message of the error.
fn first_error(text: &str) -> (&'static str, u32, u32, String) {
    let source = source(text);
    let error = parse(&source, Start::Program).expect_err(text).remove(0);
    let (line, column) = source.line_column(error.span.map_or(0, |s| s.start));
    (error.code, line, column, error.message)
}

/// The expression, fully parenthesized.
fn parenthesized(e: &Expr) -> String {
    let binary =
        |op: &str, a: &Expr, b: &Expr| format!("({} {op} {})", parenthesized(a), parenthesized(b));
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Name(n) => n.to_string(),
        ExprKind::Not(a) => format!("(! {})", parenthesized(a)),
        ExprKind::Negate(a) => format!("(- {})", parenthesized(a)),
        ExprKind::Arithmetic(op, a, b) => binary(["+", "-", "*", "/", "%"][*op as usize], a, b),
        ExprKind::Comparison(op, a, b) => {
            binary(["<", ">", "<=", ">=", "==", "!="][*op as usize], a, b)
        }
        ExprKind::Logic(LogicOp::And, a, b) => binary("and", a, b),
        ExprKind::Logic(LogicOp::Or, a, b) => binary("or", a, b),
        other => format!("{other:?}"),
    }
}

fn value(text: &str) -> String {
    match statement(&format!("x = {text}")) {
        StmtKind::Assign { value, .. } => parenthesized(&value),
        other => panic!("{other:?}"),
    }
}

fn is_incomplete(text: &str) -> bool {
    parse_prompt(&source(text)).is_incomplete
}

#[test]
fn operators_have_the_usual_precedence() {
    assert_eq!(value("2 + 3 * 4 - 5"), "((2 + (3 * 4)) - 5)");
    assert_eq!(value("10 - 7 % 4"), "(10 - (7 % 4))");
    assert_eq!(value("a or b and !c == d"), "(a or (b and ((! c) == d)))");
    assert_eq!(
        value("1 + 2 < 4 and 3 >= 2"),
        "(((1 + 2) < 4) and (3 >= 2))"
    );
    assert_eq!(value("-2147483648 - -a"), "(-2147483648 - (- a))");
}

#[test]
fn an_equals_sign_assigns_at_the_start_and_compares_inside() {
    assert_eq!(value("a = b"), "(a == b)");
    assert!(matches!(statement("a == b"), StmtKind::Expr(_)));
    assert!(matches!(
        statement("a = b"),
        StmtKind::Assign { op: None, .. }
    ));
    match statement("if (a = 3) b = 4") {
        StmtKind::If {
            condition, then, ..
        } => {
            assert_eq!(parenthesized(&condition), "(a == 3)");
            assert!(matches!(then.statements[0].kind, StmtKind::Assign { .. }));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        statement("return a = b"),
        StmtKind::Return(Some(_))
    ));
    match statement("a and b = c") {
        StmtKind::Expr(e) => assert_eq!(parenthesized(&e), "(a and (b == c))"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn declarations_are_distinguished_from_expressions() {
    let declared = |text: &str| match statement(text) {
        StmtKind::Declare { ty, declarators } => (ty, declarators.len()),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(declared("Player p1, p2").0.base, Base::Known(Type::Player));
    assert_eq!(declared("player a").0.base, Base::Known(Type::Player));
    assert_eq!(declared("Item thing").0.base, Base::Known(Type::Item(None)));
    assert!(matches!(declared("Bonus b").0.base, Base::ItemKind(k) if &*k.text == "Bonus"));
    assert!(matches!(
        declared("Item Bonus b, c"),
        (
            TypeName {
                base: Base::ItemKind(_),
                ..
            },
            2
        )
    ));
    assert!(
        matches!(declared("Bonus[5] bs").0.sizes, ArraySizes::Explicit(sizes) if sizes.len() == 1)
    );
    assert!(
        matches!(declared("int[2,3] grid2").0.sizes, ArraySizes::Explicit(sizes) if sizes.len() == 2)
    );
    assert_eq!(
        declared("Item Bonus[] bs = all").0.sizes,
        ArraySizes::Omitted(1)
    );
    assert!(matches!(statement("bs[5].x = 1"), StmtKind::Assign { .. }));
    assert!(matches!(
        statement("Player.score++"),
        StmtKind::IncDec {
            op: ArithmeticOp::Add,
            ..
        }
    ));
}

#[test]
fn an_else_belongs_to_the_nearest_if() {
    match statement("if (a)\n  if (b)\n    x = 1\n  else\n    x = 2") {
        StmtKind::If {
            then,
            otherwise: None,
            ..
        } => {
            assert!(matches!(
                then.statements[0].kind,
                StmtKind::If {
                    otherwise: Some(_),
                    ..
                }
            ));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_definition_can_be_written() {
    let text = "Player {\n int lives, mana = 3\n type = 'evil' { int poison }\n}\nItem Bonus { int value }\n\
        function sum (int a, Item Bonus b, int[] c, Item d): int { return a }\nfunction void hop() {}\n\
        function Bonus pick() { return b }\nLayout(3, 3) {}\ngameLoop() {}\ncheckGameEnd\n{}\ngameOver()\n{\n}\n\
        checkMove() {}\nbishop.checkMove(coordinate start, coordinate end)\n{ return true }\n\
        Bonus.colocation(Player other, 'evil') { Player.score++ }\nItem.colocation(Item Bonus b, evil) {}\n";
    assert_eq!(top_level(text).len(), 13);
    assert!(
        top_level(text)
            .iter()
            .all(|l| matches!(l, TopLevel::Definition(_)))
    );
    assert!(matches!(
        top_level("Layout(int r, int c) {}")[0],
        TopLevel::Definition(Definition::Layout(_))
    ));
    assert!(matches!(statement("gameOver()"), StmtKind::Expr(_)));
}

#[test]
fn known_escapes_are_replaced_and_others_rejected() {
    assert_eq!(
        unescape(r#""a\n\t\\\"b""#, SourceId(0), 0).as_deref(),
        Ok("a\n\t\\\"b")
    );
    assert_eq!(
        first_error("Layout(1,1) {\n print(\"a\\qb\")\n}").0,
        errors::BAD_ESCAPE
    );
    assert_eq!(first_error("Layout(1,1) {\n print(\"a\\qb\")\n}").2, 10);
}

#[test]
fn syntax_errors_have_a_code_and_a_position() {
    let at = |text: &str| {
        let (code, line, column, _) = first_error(text);
        (code, line, column)
    };
    assert_eq!(
        at("Layout(3, 3)\n{\n    int _x = 1\n}"),
        (errors::BAD_NAME, 3, 9)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n    int p = 3\n}"),
        (errors::KEYWORD_AS_NAME, 3, 9)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n    print(1\n    x = 2\n}"),
        (errors::UNCLOSED_BRACKET, 3, 12)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 2\ngameLoop() {\n}"),
        (errors::UNMATCHED_BRACKET, 3, 8)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 2\n}\n}"),
        (errors::UNMATCHED_BRACKET, 5, 1)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 2 y = 3\n}"),
        (errors::MISSING_STATEMENT_END, 3, 9)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 2\n"),
        (errors::UNEXPECTED_END, 3, 8)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  print(\"abc)\n  print(\"x\")\n}"),
        (errors::UNTERMINATED_STRING, 3, 9)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  int a[5]\n}"),
        (errors::MISSING_STATEMENT_END, 3, 8)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  else x = 1\n}"),
        (errors::ELSE_WITHOUT_IF, 3, 3)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 1 $ 2\n}"),
        (errors::BAD_CHARACTER, 3, 9)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  x = 1 +\n}"),
        (errors::UNEXPECTED_TOKEN, 3, 10)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  print(1))\n}"),
        (errors::UNMATCHED_BRACKET, 3, 11)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  while (true {\n  }\n}"),
        (errors::UNCLOSED_BRACKET, 3, 14)
    );
    assert_eq!(
        at("Layout(3, 3)\n{\n  Item Bonus { int v }\n}"),
        (errors::NESTED_DEFINITION, 3, 3)
    );
    assert_eq!(at("x = ;"), (errors::UNEXPECTED_TOKEN, 1, 5));
    assert_eq!(at("x = 1 /* no end"), (errors::UNTERMINATED_COMMENT, 1, 7));
}

#[test]
fn misspelled_keywords_get_a_suggestion() {
    assert_eq!(
        first_error("gameLop() {\n}").3,
        "unknown block `gameLop`; did you mean `gameLoop`?"
    );
    assert!(
        first_error("Layout(1,1) {\n whlie (x > 3) { }\n}")
            .3
            .ends_with("did you mean `while` instead of `whlie`?")
    );
}

#[test]
fn only_input_that_can_be_continued_is_incomplete() {
    for text in [
        "Layout(3, 3)",
        "if (a)",
        "x = 1 +",
        "f(1,",
        "gameLoop() {\nx = 1",
        "/* a",
        "function f(): int",
        "Player {",
        // Faulty, but what follows is the rest of it.
        "x $ {",
        "} {",
        "gameLop()\n{\nx = 1",
    ] {
        assert!(is_incomplete(text), "{text}");
    }
    for text in [
        "",
        "x = 1",
        "gameOver()",
        "x = )",
        "print(\"a",
        "x $ {\n}",
        "f(1;",
    ] {
        assert!(!is_incomplete(text), "{text}");
    }
}

#[test]
fn deep_or_long_sources_are_rejected_without_overflow() {
    let many = |part: &str| part.repeat(50_000);
    for text in [
        format!("x = {}1{}", many("("), many(")")),
        format!("x = {}1", many("1+")),
        format!("x = {}a", many("!")),
        format!("x = a{}", many(".b")),
        format!("x = a{}", many("[0]")),
        many("if (a) "),
        format!("{} x = 1", many("if (a) x = 1 else ")),
        many("while (a) {"),
    ] {
        let code = parse(&source(&text), Start::Entry).expect_err("too deep")[0].code;
        assert!(
            code == errors::TOO_DEEP || code == errors::UNEXPECTED_END,
            "{code}: {}",
            &text[..20]
        );
    }
    assert!(parse(&source(&format!("x = {}1", "1+".repeat(300))), Start::Entry).is_ok());
}

#[test]
fn too_many_brackets_are_rejected() {
    let (code, _, column, _) = first_error(&format!("x = {}", "(".repeat(100_000)));
    assert_eq!((code, column), (errors::TOO_DEEP, 205));
}

/// The lines and messages of all errors.
fn all_errors(text: &str) -> Vec<(u32, String)> {
    let source = source(text);
    let errors = parse(&source, Start::Program).expect_err(text).into_iter();
    let line = |error: &Diagnostic| source.line_number(error.span.map_or(0, |s| s.start));
    errors.map(|e| (line(&e), e.message.clone())).collect()
}

#[test]
fn a_mistake_in_a_header_or_statement_is_one_error() {
    let game = |body: &str| format!("gameLoop()\n{{\n{body}    p.score++\n}}\n");
    for (body, expected) in [
        ("    while true\n    {\n        print(1)\n    }\n", vec![3]),
        ("    while true {\n        print(1)\n    }\n", vec![3]),
        ("    if a == 1\n    {\n        print(1)\n    }\n", vec![3]),
        ("    if a == 1\n        print(1)\n", vec![3]),
        ("    p.move(1,0)\n", vec![3]),
        ("    p.move(1,0)\n    ann.left()\n", vec![3, 4]),
        (
            "    p.move(1,0)\n    print(1)\n    ann.left()\n",
            vec![3, 5],
        ),
    ] {
        let errors = all_errors(&game(body));
        let lines: Vec<u32> = errors.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, expected, "{body}{errors:?}");
    }
    let errors = all_errors("gameLoop()\n{\n    p.move(1,0)\n    ann.left()\n}\n");
    assert_eq!(errors.len(), 2, "{errors:?}");
}
