//! Unit tests of the checker.

use super::*;
use crate::ast::ArithmeticOp;
use crate::check::env::GlobalOrigin;
use crate::check::errors;
use crate::check::hir::*;
use crate::parse::parse;
use crate::source::{Origin, Sources, Span};

/// A session: its environment and sources.
#[derive(Default)]
struct TestSession {
    env: Env,
    game: Rc<Game>,
    sources: Sources,
}

impl TestSession {
    fn check(
        &mut self,
        text: &str,
        start: Start,
        frame: Option<&StoppedFrame>,
    ) -> Result<Checked, Vec<Diagnostic>> {
        let source = self.sources.add(Origin::File("game.grid".into()), text);
        parse(&source, start).and_then(|ast| check(&source, &ast, &self.env, &self.game, frame))
    }

    fn entry(&mut self, text: &str) -> Checked {
        let checked = self
            .check(text, Start::Entry, None)
            .unwrap_or_else(|e| panic!("{text}: {e:#?}"));
        self.env = checked.env.clone();
        self.game = checked.game.clone();
        checked
    }

    fn errors(&mut self, text: &str) -> Vec<(&'static str, u32)> {
        let errors = self.check(text, Start::Entry, None).expect_err(text);
        self.codes_and_lines(&errors)
    }

    fn codes_and_lines(&self, errors: &[Diagnostic]) -> Vec<(&'static str, u32)> {
        let line = |span: Span| {
            let source = self.sources.get(span.source).expect("a source");
            source.line_number(span.start)
        };
        let errors = errors.iter();
        errors.map(|d| (d.code, d.span.map_or(0, line))).collect()
    }
}

fn program(text: &str) -> Checked {
    TestSession::default()
        .check(text, Start::Program, None)
        .unwrap_or_else(|e| panic!("{text}: {e:#?}"))
}

/// The codes and lines of a program's errors.
fn program_errors(text: &str) -> Vec<(&'static str, u32)> {
    let mut session = TestSession::default();
    let errors = session.check(text, Start::Program, None).expect_err(text);
    session.codes_and_lines(&errors)
}

/// The codes of the errors in statements inside `Layout`.
fn in_layout(body: &str) -> Vec<&'static str> {
    let text = format!(
        "Player {{ int score; type = \"evil\" {{ int poison }} }}\nItem Bonus {{ int value }}\nLayout(3,3) {{\nPlayer p1, p2; Bonus b; int[3] a; float f; coordinate c\n{body}\n}}"
    );
    match TestSession::default().check(&text, Start::Program, None) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|d| d.code).collect(),
    }
}

#[test]
fn type_errors_are_reported() {
    let cases: [(&str, &[&str]); 29] = [
        ("int n = 1.5", &[errors::TYPE_MISMATCH]),
        ("f = 1", &[errors::TYPE_MISMATCH]),
        ("f = 1.0; f += 1.0; f++", &[]),
        ("f += 1", &[errors::OPERAND_TYPES]),
        ("int n = 1; n += 0.5", &[errors::OPERAND_TYPES]),
        ("f = random(0, 1) * 6.0 + 1.0", &[]),
        ("f = random(0, 1) * 6", &[errors::OPERAND_TYPES]),
        ("print(f < 1)", &[errors::OPERAND_TYPES]),
        ("print(5 % 2.0)", &[errors::OPERAND_TYPES]),
        ("string s = \"a\" + \"b\"; s += \"c\"", &[]),
        ("string s = \"a\" - \"b\"", &[errors::OPERAND_TYPES]),
        ("print(c + c)", &[errors::OPERAND_TYPES]),
        ("print(c < c)", &[errors::OPERAND_TYPES]),
        ("print(p1 == b)", &[errors::OPERAND_TYPES]),
        ("print(p1 == p2)", &[]),
        ("print(a == a)", &[errors::OPERAND_TYPES]),
        ("if (1 and true) print(1)", &[errors::OPERAND_TYPES]),
        ("c.x = 3; p1.position.row++", &[]),
        ("c.z = 3", &[errors::UNKNOWN_ATTRIBUTE]),
        ("c = (1, true)", &[errors::TYPE_MISMATCH]),
        (
            "a = [1, 2, 3]; int[] d = [1]; int[2,2] m = [[1,2],[3,4]]; m[0,1] = a[2]",
            &[],
        ),
        ("int[3] d = [1, 2]", &[errors::ARRAY_SIZE]),
        ("int[] d", &[errors::ARRAY_SIZE]),
        ("a[0,1] = 3", &[errors::NOT_INDEXABLE]),
        ("f[0] = 1.0", &[errors::NOT_INDEXABLE]),
        ("a = [1, \"x\"]", &[errors::TYPE_MISMATCH]),
        ("print(2147483648)", &[errors::INT_RANGE]),
        ("print(-2147483648)", &[]),
        ("bool t = true", &[errors::UNKNOWN_TYPE]),
    ];
    for (body, expected) in cases {
        assert_eq!(in_layout(body), expected, "{body}");
    }
}

#[test]
fn only_assignable_targets_are_accepted() {
    for body in [
        "Grid(0,0).playerList = 3",
        "Grid(0,0).playerList[0] = p1",
        "len(a) = 3",
        "3 = 4",
        "Bonus = b",
    ] {
        assert_eq!(
            in_layout(body).last(),
            Some(&errors::NOT_ASSIGNABLE),
            "{body}"
        );
    }
    assert_eq!(in_layout("p = p1"), [errors::NOT_ASSIGNABLE]);
    // One mistake, one message.
    assert_eq!(in_layout("prin(1) = 3"), [errors::UNKNOWN_FUNCTION]);
    assert_eq!(
        in_layout("playerOrder = [p2, 'p1']; playerOrder[0] = p1"),
        [""; 0]
    );
}

#[test]
fn argument_counts_and_types_are_checked() {
    assert_eq!(in_layout("print()"), [errors::ARGUMENT_COUNT]);
    assert_eq!(in_layout("print(drawGrid())"), [errors::ARGUMENT_TYPE]);
    assert_eq!(in_layout("prin(1)"), [errors::UNKNOWN_FUNCTION]);
    assert_eq!(
        in_layout(
            "int r = prompt(\"row\", int); string s = prompt('x', string); int t = prompt(\"n\")"
        ),
        [""; 0]
    );
    assert_eq!(
        in_layout("int r = prompt(\"row\", string)"),
        [errors::TYPE_MISMATCH]
    );
    assert_eq!(in_layout("prompt(\"row\", 'int')"), [errors::ARGUMENT_TYPE]);
    assert_eq!(in_layout("print(int)"), [errors::TYPE_AS_VALUE]);
    assert_eq!(
        in_layout("print(traverse([(0,0), (2,2)], \"pieceList\"))"),
        [errors::UNKNOWN_LIST]
    );
    assert_eq!(
        in_layout("print(traverse([(0,0)], \"playerList\"))"),
        [errors::ARGUMENT_COUNT]
    );
    assert_eq!(
        in_layout("int n = traverse(0,0,2,2) + diceThrow()"),
        [""; 0]
    );
    assert_eq!(
        in_layout("Grid(0,0).itemList[0].value = 3; print(Grid((0,0)).playerList[0].poison)"),
        [""; 0]
    );
    assert_eq!(
        in_layout("Bonus got = Grid(0,0).itemList[0]; Player[] here = Grid(0,0).playerList"),
        [""; 0]
    );
}

#[test]
fn errors_point_to_their_line() {
    let text = "function f(int a): int {\n  return \"x\"\n}\nLayout(3,3)\n{\n  print(f(1, 2))\n  repeat\n  print(p.win)\n}\n\
        gameLoop() {\n  return 3\n}\ncheckGameEnd() {\n  return\n}\nx = 3\nfunction g(): int {\n}\n";
    assert_eq!(
        program_errors(text),
        [
            (errors::BAD_RETURN, 2),
            (errors::ARGUMENT_COUNT, 6),
            (errors::REPEAT_OUTSIDE_TURN, 7),
            (errors::NO_CURRENT_PLAYER, 8),
            (errors::BAD_RETURN, 11),
            (errors::BAD_RETURN, 14),
            (errors::STATEMENT_OUTSIDE_BLOCK, 16),
            (errors::BAD_RETURN, 17),
        ]
    );
}

#[test]
fn layout_declarations_are_global_but_not_usable_before_they_run() {
    let game = "gameLoop() {\n int mine = x\n if (x > 1) {\n  int inner\n }\n inner = 2\n}\nLayout(2,2) {\n print(x)\n int x = 1\n int x\n}\n";
    assert_eq!(
        program_errors(game),
        [
            (errors::UNDECLARED, 6),
            (errors::USED_BEFORE_DECLARATION, 9),
            (errors::DUPLICATE_DEFINITION, 11)
        ]
    );
    let checked = program(
        "int size = 2\nLayout(size, size) {\n int size2 = size\n if (true) { int y = 1; print(y) }\n}\n",
    );
    assert_eq!(
        checked.env.globals.keys().map(|k| &**k).collect::<Vec<_>>(),
        ["size", "size2"]
    );
    assert_eq!(checked.run.body.len(), 1);
    let layout = checked.layout.expect("a layout");
    assert_eq!(
        layout
            .routine
            .locals
            .iter()
            .map(|l| &*l.name)
            .collect::<Vec<_>>(),
        ["y"]
    );
}

#[test]
fn a_kind_without_instances_denotes_its_single_item() {
    let single = program("Item Flag { int value }\nLayout(2,2) {\n Flag.value = 5\n}\n");
    assert_eq!(
        single
            .implicit_pieces
            .iter()
            .map(|m| &**m)
            .collect::<Vec<_>>(),
        ["Flag"]
    );
    assert_eq!(
        single.env.globals.get("Flag").unwrap().origin,
        GlobalOrigin::SingletonItem
    );
    let several = "Item Flag { int value }\nLayout(2,2) {\n Item Flag a\n Flag.value = 5\n}\n";
    assert_eq!(program_errors(several), [(errors::TYPE_AS_VALUE, 4)]);
}

#[test]
fn an_undeclared_quoted_player_is_created() {
    let checked = program(
        "Layout(2,2) {\n Player p2\n p1.position = (0,0)\n playerOrder = ['p1', \"p2\"]\n}\n",
    );
    assert_eq!(
        checked
            .implicit_pieces
            .iter()
            .map(|m| &**m)
            .collect::<Vec<_>>(),
        ["p1"]
    );
    assert_eq!(
        program_errors("int p1\nLayout(2,2) {\n playerOrder = ['p1', 'not a name', 3]\n}\n"),
        [
            (errors::PLAYER_ORDER_TYPE, 3),
            (errors::PLAYER_ORDER_TYPE, 3),
            (errors::PLAYER_ORDER_TYPE, 3),
        ]
    );
}

const GAME_WITH_HANDLERS: &str = "Player { int score; type = \"evil\" { int poison } }\nItem Bonus { int value }\nItem Trap { int harm }\n\
    Layout(3,3) { Player p1, p2; Bonus b; Trap t }\n\
    checkMove() {}\nPlayer.checkMove(coordinate start, coordinate end) { return start != end and Player.score > 0 }\n\
    p1.checkMove() { return p1.score > 1 }\nevil.checkMove() { return evil.poison > 1 }\nItem.checkMove() { Item.value = 1 }\n\
    Bonus.colocation(Player) { Player.score += Bonus.value }\nItem.colocation(Item) { Item.Exists = false }\n\
    Bonus.colocation(Player, \"evil\") { Player.poison++ }\nb.colocation(Player other) { other.score++; b.value-- }\n\
    Trap.colocation(Item Bonus) { Bonus.value = Trap.harm }\n";

#[test]
fn handlers_are_sorted_by_specificity() {
    let game = program(GAME_WITH_HANDLERS).game;
    let names = |routines: Vec<&Arc<Routine>>| {
        routines
            .iter()
            .map(|r| r.name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(game.move_handlers.iter().map(|m| &m.routine).collect()),
        [
            "p1.checkMove",
            "evil.checkMove",
            "Player.checkMove",
            "Item.checkMove",
            "checkMove",
        ]
    );
    assert_eq!(
        names(
            game.colocation_handlers
                .iter()
                .map(|m| &m.routine)
                .collect()
        ),
        [
            "b.colocation(Player)",
            "Bonus.colocation(Player, evil)",
            "Trap.colocation(Bonus)",
            "Bonus.colocation(Player)",
            "Item.colocation(Item)",
        ]
    );
    assert_eq!(
        game.colocation_handlers[2].mover.selector,
        Selector::ItemKind("Bonus".into())
    );
    assert!(game.move_handlers[2].has_coordinates);
    let parameters: Vec<_> = game.move_handlers[2]
        .routine
        .locals
        .iter()
        .map(|l| &*l.name)
        .collect();
    assert_eq!(parameters, ["Player", "start", "end"]);
}

#[test]
fn in_a_collision_of_equal_types_the_type_name_is_the_mover() {
    let game =
        program("Player { int score }\nLayout(2,2) { Player p1 }\nPlayer.colocation(Player) { Player.score++ }\n").game;
    let body = &game.colocation_handlers[0].routine.body[0].kind;
    let StmtKind::CompoundAssign {
        target: LValue::Attribute { of, .. },
        op: ArithmeticOp::Add,
        ..
    } = body
    else {
        panic!("{body:?}")
    };
    assert!(matches!(of.kind, ExprKind::Read(LValue::Local(1))));
}

#[test]
fn a_handler_for_an_unknown_piece_is_an_error() {
    let game = |handler: &str| {
        program_errors(&format!(
            "Item Bonus {{ int v }}\nBonus[2] all\nLayout(2,2) {{ Player bishop }}\n{handler}"
        ))
    };
    assert_eq!(game("bishp.checkMove() {}"), [(errors::UNKNOWN_PIECE, 4)]);
    assert_eq!(game("all.checkMove() {}"), [(errors::UNKNOWN_PIECE, 4)]);
    assert_eq!(
        game("bishop.checkMove(int a) {}"),
        [(errors::HANDLER_PARAMETERS, 4)]
    );
    assert_eq!(
        game("Player.colocation(Bonus, 'good') {}"),
        [(errors::HANDLER_PARAMETERS, 4)]
    );
    assert_eq!(
        game("Player.colocation(Player) {}\nPlayer.colocation(Player q) {}"),
        [(errors::DUPLICATE_DEFINITION, 5)]
    );
    assert_eq!(
        game("gameLoop() { Player.position = (0,0) }"),
        [(errors::TYPE_AS_VALUE, 4)]
    );
}

#[test]
fn attributes_of_a_player_type_carry_its_name() {
    let text = "Player { int score\n type = \"evil\" { int power }\n type = \"good\" { int power }\n}\nLayout(2,2) {\n Player p1\n p1.power = 1\n}\n";
    let layout = program(text).layout.expect("a layout");
    let StmtKind::Assign {
        target: LValue::Attribute { attribute, .. },
        ..
    } = &layout.routine.body[1].kind
    else {
        panic!()
    };
    let owners = AttributeOwners::PlayerTypes(vec!["evil".into(), "good".into()]);
    assert_eq!(
        *attribute,
        AttributeRef::UserDefined {
            name: "power".into(),
            owners
        }
    );
    let clash = "Player { int score; int win\n type = \"evil\" { int power }\n type = \"good\" { string power }\n type = \"odd\" { int score }\n}\n";
    assert_eq!(
        program_errors(clash),
        [
            (errors::BUILTIN_ATTRIBUTE, 1),
            (errors::DUPLICATE_DEFINITION, 3),
            (errors::DUPLICATE_DEFINITION, 4)
        ]
    );
}

#[test]
fn misspelled_player_types_and_missing_returns_are_warnings() {
    let warnings = |text: &str| {
        program(text)
            .warnings
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>()
    };
    let head = "Player { type = \"evil\" { int poison } }\nLayout(2,2) { Player p1; p1.type = ";
    assert_eq!(warnings(&format!("{head}\"evil\" }}")), [""; 0]);
    assert_eq!(
        warnings(&format!("{head}\"evli\" }}")),
        [errors::UNKNOWN_PLAYER_TYPE]
    );
    assert_eq!(
        warnings(&format!(
            "{head}\"evil\"; if (p1.type == \"evli\") print(1) }}"
        )),
        [errors::UNKNOWN_PLAYER_TYPE]
    );
    assert_eq!(
        warnings("function f(int n): int {\n if (n > 1) return 1\n}\n"),
        [errors::MISSING_RETURN]
    );
    assert_eq!(
        warnings("function f(int n): int {\n while (true) { if (n > 1) return 1 }\n}\n"),
        [""; 0]
    );
    assert_eq!(
        warnings("function f(int n): int {\n if (n > 1) return 1\n else return 2\n}\n"),
        [""; 0]
    );
}

#[test]
fn an_entry_can_use_the_session_and_be_any_construct() {
    let mut session = TestSession::default();
    session.entry("int x = 3");
    assert!(
        matches!(&session.entry("x + 1").run.body[0].kind, StmtKind::Expr(e) if e.ty == Type::Int)
    );
    session.entry("function twice(int n): int { return n * 2 }\nx = twice(x)\nif (x > 3) { int y = x; print(y) }");
    session.entry("Player { int score }");
    session.entry("Player p1\np1.score = twice(2)\np.win = true");
    session.entry("p1.checkMove() { return p1.score > x }");
    assert_eq!(session.errors("y"), [(errors::UNDECLARED, 1)]);
    assert_eq!(session.errors("repeat"), [(errors::REPEAT_OUTSIDE_TURN, 1)]);
    assert_eq!(session.errors("return 3"), [(errors::BAD_RETURN, 1)]);
    session.env.is_turn_running = true;
    session.entry("repeat");
}

#[test]
fn an_entry_that_breaks_existing_code_is_rejected() {
    let mut session = TestSession::default();
    session.entry("function twice(int n): int {\n return n * 2 }");
    session.entry("function four(int n): int {\n\n return twice(twice(n)) }");
    let changed = session
        .check(
            "function twice(string s): string { return s + s }",
            Start::Entry,
            None,
        )
        .expect_err("breaks four");
    assert_eq!(changed[0].span.map(|s| s.source), Some(SourceId(1)));
    assert_eq!(
        changed[0].notes.last().map(|n| &**n),
        Some("strings are not converted to or from other types")
    );
    session.entry("function twice(int n): int { return n + n }");
    session.entry("Item Flag { int v }");
    session.entry("Flag.v = 3");
    session.entry("Flag other");
    session.entry("Flag.v = other.v");
    assert_eq!(
        session.errors("Item Flag { int w }\nFlag.v = 2"),
        [(errors::UNKNOWN_ATTRIBUTE, 2)]
    );
}

#[test]
fn an_entry_at_a_stop_can_use_the_frame() {
    let mut session = TestSession::default();
    session.entry("int x = 3");
    let frame = StoppedFrame {
        locals: vec![("x".into(), Type::Text, 0), ("i".into(), Type::Int, 4)],
    };
    let checked = session
        .check("i = 2\nx + \"!\"", Start::Entry, Some(&frame))
        .expect("both are known");
    assert!(matches!(
        checked.run.body[0].kind,
        StmtKind::Assign {
            target: LValue::FrameLocal(4),
            ..
        }
    ));
    assert!(session.check("i", Start::Entry, None).is_err());
}

#[test]
fn the_deepest_parsable_source_does_not_overflow_the_stack() {
    let mut session = TestSession::default();
    session.entry("boolean a");
    session.entry(&format!("print({}1)", "1+".repeat(390)));
    session.entry(&format!("a = {}a", "!".repeat(390)));
    session.entry(&format!("{}a = false", "if (a) ".repeat(390)));
    session.entry(&format!("print({}1{})", "(".repeat(190), ")".repeat(190)));
    session.entry(&format!(
        "print({}1{})",
        "- (2 - ".repeat(190),
        ")".repeat(190)
    ));
}

#[test]
fn definitions_share_unchanged_routines() {
    let mut session = TestSession::default();
    let first = session.entry("function one(): int { return 1 }\ngameLoop() { print(one()) }");
    let routine = |checked: &Checked, name: &str| checked.game.functions.get(name).cloned();
    let is_shared = |a: &Checked, b: &Checked| match (routine(a, "one"), routine(b, "one")) {
        (Some(a), Some(b)) => Arc::ptr_eq(&a, &b),
        _ => false,
    };
    assert!(matches!(first.change, Change::Any));

    let added = session.entry("function two(): int { return one() + 1 }");
    assert!(matches!(&added.change, Change::Own(functions) if functions.len() == 1));
    assert!(is_shared(&first, &added) && !added.game.blocks.is_empty());

    let replaced = session.entry("function two(): int { return 2 }");
    assert!(matches!(&replaced.change, Change::Own(functions) if functions.len() == 1));
    assert!(is_shared(&first, &replaced));

    let retyped = session.entry("function two(): float { return 2.0 }");
    assert!(matches!(retyped.change, Change::Any));
    assert!(is_shared(&first, &retyped));

    let value = session.entry("two()");
    assert!(matches!(value.change, Change::None));
    assert!(Rc::ptr_eq(&retyped.game, &value.game));

    assert_eq!(
        session.errors("function one(): string { return \"\" }\nfunction three() {\n  two(1)\n}"),
        [(errors::ARGUMENT_COUNT, 3)]
    );
}

#[test]
fn new_functions_that_declare_pieces_change_the_game() {
    let mut session = TestSession::default();
    session.entry("Item Bonus { int value = 1 }");
    for text in [
        "function single(): int { return Bonus.value }",
        "Player ann\nfunction retype() { ann.type = \"good\" }",
        "function local() { Bonus b }",
    ] {
        let checked = session.entry(text);
        assert!(matches!(checked.change, Change::Any), "{text}");
    }
    let checked = session.entry("function again(): int { return 1 }");
    assert!(matches!(checked.change, Change::Own(_)));
    assert_eq!(checked.game.functions.len(), 4);
}

#[test]
fn variables_that_keep_the_meaning_of_other_definitions_are_checked_alone() {
    let mut session = TestSession::default();
    session.entry("int n\nfunction twice(int x): int { int y = x\nprint(n)\nreturn y + x }");
    for (text, is_alone) in [
        ("int a = 1, b = a", true),
        ("int n = 3", true),
        ("float n = 3.0", false),
        ("int y", false),
        ("string twice", false),
        ("int a = 2\nfunction once(): int { return a }", true),
        ("playerOrder = [\"ann\", \"bob\"]", true),
        ("Player ann", false),
    ] {
        let checked = session.entry(text);
        let is_own = matches!(checked.change, Change::Own(_));
        assert_eq!(is_own, is_alone, "{text}");
        assert!(!checked.declared_globals.is_empty(), "{text}");
    }
}
