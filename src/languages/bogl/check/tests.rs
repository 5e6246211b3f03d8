//! Tests of the checker, for programs and at the prompt.

use super::super::parse::{parse_entry, parse_program};
use super::*;
use crate::check::resolution::{GlobalKind, NameRef};
use crate::parse::input::read_input;
use crate::source::{Origin, Sources};

/// What the prompt keeps between entries.
#[derive(Default)]
struct Session {
    sources: Sources,
    env: Env,
}

impl Session {
    fn load(text: &str) -> Session {
        let mut session = Session::default();
        let source = session.sources.add(Origin::File("game.bgl".into()), text);
        let checked = check_program(
            Arc::default(),
            &parse_program(&source, |_| Vec::new()).expect("the text should parse"),
        );
        assert!(
            !has_errors(&checked.diagnostics),
            "{:?}",
            checked.diagnostics
        );
        session.env = checked.env;
        session
    }

    /// Checks an entry and keeps what it defines.
    fn enter(&mut self, text: &str) -> Checked {
        let source = self.sources.add(Origin::Entry(1), text);
        let mut checked = check_entry(
            &parse_entry(&source).expect("the text should parse"),
            &self.env,
        );
        self.env = std::mem::take(&mut checked.env);
        checked
    }

    /// The names of the broken definitions.
    fn broken(&self) -> Vec<&str> {
        self.env.broken.keys().map(|name| &**name).collect()
    }

    /// Checks an entry. Returns the type of its expression, "defined" if it has none, or the code
    /// and source text of the first error.
    fn type_of(&mut self, text: &str) -> String {
        let checked = self.enter(text);
        match (
            checked
                .diagnostics
                .iter()
                .find(|diagnostic| diagnostic.is_error()),
            checked.expr,
        ) {
            (Some(diagnostic), _) => format!(
                "{} {}",
                diagnostic.code,
                diagnostic.span.map_or("", |span| self.sources.slice(span))
            ),
            (None, Some((_, ty))) => ty.to_string(),
            (None, None) => "defined".to_owned(),
        }
    }
}

/// The codes and lines of a program's errors.
fn errors(text: &str) -> Vec<(&'static str, u32)> {
    let mut sources = Sources::default();
    let source = sources.add(Origin::File("game.bgl".into()), text);
    let checked = check_program(
        Arc::default(),
        &parse_program(&source, |_| Vec::new()).expect("the text should parse"),
    );
    let errors = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error());
    errors
        .map(|diagnostic| {
            (
                diagnostic.code,
                diagnostic
                    .span
                    .map_or(0, |span| source.line_number(span.start)),
            )
        })
        .collect()
}

const GAME: &str = "game G
type Player = {X, O}
type Position = (Int,Int)
type Board = Array (3,2) of Player & {Empty}
type Input = Position
type Result = Player & {Tie}
type Maybe = Position & {Nowhere}
start : Board
start!(x,y) = Empty
start!(1,1) = X
next : Player -> Player
next(p) = if p == X then O else X
valid : (Board,Position) -> Bool
valid(b,p) = b!p == Empty
";

#[test]
fn expressions_have_the_documented_types() {
    let mut session = Session::load(GAME);
    for (text, expected) in [
        ("start!(3,2)", "Content"),
        ("place(X, start, (1,1))", "Board"),
        ("next(X)", "Player"),
        ("(1, True, (2, X))", "(Int,Bool,(Int,Player))"),
        ("(1, True, X)#3", "Player"),
        ("(1, True, X)#(3, 1)", "(Player,Int)"),
        ("if True then X else Tie", "Result"),
        ("let x = 1 in while x < 3 do x + 1", "Int"),
        (
            "let p = (1, 2) in while p#1 < 3 do (p#1 + 1, p#2)",
            "(Int,Int)",
        ),
        ("input", "Input"),
        ("width * height", "Int"),
        ("if True then (1, 2) else Nowhere", "Maybe"),
        ("count(Empty, start) == longestRow(X, start)", "Bool"),
    ] {
        assert_eq!(session.type_of(text), expected, "{text}");
    }
}

#[test]
fn errors_have_the_span_of_the_faulty_expression() {
    let mut session = Session::load(GAME);
    for (text, expected) in [
        ("next(Tie)", "BG045 Tie"),
        ("valid(start, (1, True))", "BG045 True"),
        ("valid(start)", "BG044 valid(start)"),
        ("next(X, O)", "BG044 next(X, O)"),
        ("1 + (2 == 3)", "BG046 (2 == 3)"),
        ("if X then 1 else 2", "BG045 X"),
        ("if True then 1 else X", "BG047 X"),
        ("start!(1, X)", "BG048 X"),
        ("start!(4, 1)", "BG049 (4, 1)"),
        ("nxt(X)", "BG040 nxt"),
        ("Emty", "BG041 Emty"),
        ("(1, 2)#0", "BG052 0"),
        ("let x = 1 in x(2)", "BG043 x"),
        ("let x = nothing in x + 1", "BG040 nothing"),
        ("while True do 1", "BG053 while True do 1"),
        ("let x = 1 in while x < 3 do X", "BG045 X"),
    ] {
        assert_eq!(session.type_of(text), expected, "{text}");
    }
}

#[test]
fn type_errors_show_the_origin_of_both_types() {
    let mut session = Session::load(GAME);
    let checked = session.enter("let r = Tie in next(r)");
    let diagnostic = &checked.diagnostics[0];
    assert_eq!(
        diagnostic.message,
        "argument of `next` must be a `Player`, found a `Result`"
    );
    let related: Vec<(&str, &str)> = diagnostic
        .related
        .iter()
        .map(|(span, label)| (session.sources.slice(*span), &**label))
        .collect();
    assert_eq!(
        related,
        [
            (
                "next : Player -> Player",
                "`next` takes a `Player`, declared here"
            ),
            ("Tie", "`r` is a `Result` because of this value"),
        ]
    );
    assert_eq!(
        diagnostic.notes.last().map(String::as_str),
        Some("a `Result` may also be `Tie`, which a `Player` cannot")
    );
}

#[test]
fn type_errors_show_the_signature_of_built_in_functions() {
    let mut session = Session::load(GAME);
    let checked = session.enter("place(1, start, (1,1))");
    let diagnostic = &checked.diagnostics[0];
    let labels: Vec<&str> = diagnostic
        .related
        .iter()
        .map(|(_, label)| &**label)
        .collect();
    assert_eq!(
        labels,
        ["`Content` is the type of board cells, declared here"]
    );
    assert_eq!(
        diagnostic.notes[0],
        "the signature of `place` is (Content,Board,(Int,Int)) -> Board"
    );
    let checked = session.enter("place(X, 1, (1,1))");
    assert!(
        checked.diagnostics[0].related.is_empty(),
        "the cell type is irrelevant here"
    );
}

#[test]
fn a_symbol_is_accepted_for_any_type_that_lists_it() {
    let mut session = Session::load(
        "game G\ntype Board = Array (1,1) of {X, O, Empty}\ntype Player = {X, O}\ntype Other = {X, Z}\n\
         f : Player -> Int\nf(p) = 1\nz : Other\nz = Z\n",
    );
    assert_eq!(session.type_of("X"), "Content");
    assert_eq!(session.type_of("f(X)"), "Int");
    assert_eq!(session.type_of("z == X"), "Bool");
    assert_eq!(session.type_of("(1, X) == (2, z)"), "Bool");
    assert_eq!(session.type_of("if True then z else X"), "Other");
    assert_eq!(session.type_of("z == O"), "BG047 ==");
    assert_eq!(session.type_of("let p = X in f(p)"), "BG045 p");
}

#[test]
fn invalid_type_definitions_are_rejected() {
    for (line, code) in [
        ("type T = {A, A}", "BG026"),
        ("type AB = {AB}", "BG027"),
        ("type T = {Int}", "BG027"),
        ("type T = {A} & Int", "BG025"),
        ("type T = (Int, {A})", "BG028"),
        ("type T = U", "BG024"),
        ("type Int = {A}", "BG031"),
        ("type Content = {A}", "BG031"),
        ("type Board = {A}", "BG030"),
        ("type T = Array (1,1) of Int", "BG030"),
        ("type Board = Array (1,1) of Board", "BG035"),
        ("type Input = Input", "BG036"),
        ("type Input = (Input,Int)", "BG036"),
        ("type T = (T,Int)", "BG036"),
        ("type P = (Input,Int) type Input = P", "BG036"),
        ("type Board = Array (0,3) of Int", "BG029"),
        ("type Board = Array (9999999,9999999) of Int", "BG029"),
        ("x : {A}\nx = A", "BG028"),
        ("type P = {A} type P = {B}", "BG023"),
    ] {
        assert_eq!(errors(&format!("game G\n{line}\n")), [(code, 2)], "{line}");
    }
    for line in [
        "type C = {A} type A = {B}",
        "type T = Int & {A} & {B}",
        "type I = Input type Input = {A}",
        "type T = (Int,Int) & {N}",
    ] {
        assert_eq!(errors(&format!("game G\n{line}\n")), [], "{line}");
    }
    // `Input` is the same type wherever it is written.
    let game = "game G type P = (Input,Int) type Q = {A} type Input = Q f : P -> Q f(a,n) = a\n";
    assert_eq!(errors(game), []);
    let doubled: String = (1..40)
        .map(|n| format!("type T{n} = (T{}, T{})\n", n - 1, n - 1))
        .collect();
    assert_eq!(
        errors(&format!("game G\ntype T0 = (Int, Int)\n{doubled}"))[0].0,
        "BG005"
    );
}

#[test]
fn an_invalid_type_is_reported_once() {
    assert_eq!(
        errors("game G\ntype T = U\nx : T\nx = 1\ny : T\ny = x + A\n"),
        [("BG024", 2)]
    );
}

#[test]
fn definitions_may_refer_to_later_ones() {
    assert_eq!(
        errors(
            "game G\neven : Int -> Bool\neven(n) = if n == 0 then True else odd(n - 1)\nodd : Int -> Bool\nodd(n) = if n == 0 then False else even(n - 1)\n"
        ),
        []
    );
    assert_eq!(
        errors("game G\na : Board\na!(x,y) = b!(1,1)\nb : Board\nb!(x,y) = a!(1,1)\n"),
        [("BG054", 2), ("BG054", 4)]
    );
}

#[test]
fn board_equations_must_set_every_cell_and_stay_on_the_board() {
    let board_errors = |lines: &str| {
        errors(&format!(
            "game G\ntype Board = Array (2,2) of Int\nb : Board\n{lines}\n"
        ))
    };
    assert_eq!(board_errors("b!(1,y) = 1\nb!(2,1) = 1\nb!(2,2) = 1"), []);
    assert_eq!(board_errors("b!(x,1) = 1\nb!(2,y) = 1"), [("BG050", 3)]);
    assert_eq!(board_errors("b!(x,y) = 1\nb!(3,y) = 1"), [("BG049", 5)]);
    assert_eq!(board_errors("b!(x,x) = 1"), [("BG034", 4)]);
    assert_eq!(board_errors("b!(x,y) = x"), [("BG040", 4)]);
    assert_eq!(
        errors("game G\ntype Board = Array (2,2) of Int\ntype B = Board\nb : B\nb!(x,y) = 1\n"),
        []
    );
}

#[test]
fn count_can_be_redefined_but_place_cannot() {
    assert_eq!(
        errors("game G\ncount : Int -> Int\ncount(x) = x\ny : Int\ny = count(1)\n"),
        []
    );
    assert_eq!(errors("game G\nplace : Int\nplace = 1\n"), [("BG031", 2)]);
    assert_eq!(errors("game G\nf : Int -> Int\nf(input) = input + 1\n"), []);
}

#[test]
fn the_prompt_keeps_lets_definitions_and_types() {
    let mut session = Session::default();
    assert_eq!(session.type_of("let n = 3"), "defined");
    assert_eq!(
        session.type_of("add : Int -> Int\nadd(x) = x + n"),
        "defined"
    );
    assert_eq!(session.type_of("add(2) * n"), "Int");
    assert_eq!(session.type_of("type Light = {Red, Green}"), "defined");
    assert_eq!(session.type_of("Red"), "Light");
    assert_eq!(session.type_of("let n = n + 1"), "defined");
    assert_eq!(session.type_of("lone = 1"), "BG020 lone");
    assert_eq!(session.type_of("lone"), "BG040 lone");
    assert_eq!(session.type_of("let place = 1"), "BG031 place");
    assert_eq!(session.type_of("let a = 1 let b = a\na + b"), "Int");
}

#[test]
fn redefining_a_function_reports_the_definitions_it_breaks() {
    let mut session = Session::load(
        "game G\nf : Int -> Int\nf(x) = x\ng : Int -> Int\ng(x) = f(x) + 1\nh : Int -> Int\nh(x) = g(x)\n",
    );
    let broken = session.enter("f : Int -> Bool f(x) = True");
    assert!(!has_errors(&broken.diagnostics));
    assert_eq!(session.broken(), ["g"]);
    assert_eq!(broken.diagnostics[0].code, "BG056");
    assert_eq!(session.type_of("h(1)"), "BG055 h(1)");
    assert_eq!(session.type_of("let a = g(1)"), "BG055 a");
    assert_eq!(session.type_of("f(1)"), "Bool");
    assert_eq!(session.env.dependents("f"), ["g".into(), "h".into()]);
    let fixed = session.enter("g(x) = if f(x) then 1 else 2");
    assert_eq!(fixed.newly_fixed, ["g".into()]);
    assert_eq!(session.type_of("h(1)"), "Int");
}

#[test]
fn an_entry_with_an_error_changes_nothing() {
    let mut session = Session::load("game G\nf : Int -> Int\nf(x) = x\n");
    assert_eq!(session.type_of("f(x) = True"), "BG045 True");
    assert_eq!(
        session.type_of("type T = {A} f : T -> T f(x) = 1"),
        "BG045 1"
    );
    assert_eq!(session.type_of("A"), "BG041 A");
    assert_eq!(session.type_of("f(1)"), "Int");
}

#[test]
fn a_redefined_type_keeps_its_order_and_updates_dependent_types() {
    let mut session = Session::load(
        "game G\ntype P = {X, O}\ntype R = P & {Tie}\ntype S = Int & P\nf : R -> Int\nf(r) = 1\ng : P\ng = O\n",
    );
    session.enter("type P = {X, Z}");
    assert_eq!(session.broken(), ["g"]);
    assert_eq!(session.type_of("f(Z)"), "Int");
    assert_eq!(session.type_of("type P = Int"), "BG060 P");
    assert_eq!(session.type_of("Z"), "P");
}

#[test]
fn a_new_board_type_reevaluates_boards_and_invalidates_session_lets() {
    let mut session = Session::load(
        "game G\ntype Board = Array (2,2) of Int\nb : Board\nb!(x,y) = 1\nc : Board\nc!(x,y) = d!(1,1)\nd : Board\nd!(x,y) = 2\n",
    );
    session.enter("let kept = place(2, b, (1,1))");
    let checked = session.enter("type Board = Array (3,3) of Int");
    assert_eq!(
        checked.boards_to_evaluate,
        ["b".into(), "d".into(), "c".into()]
    );
    assert_eq!(session.broken(), ["kept"]);
    assert_eq!(session.type_of("kept!(1,1)"), "BG055 kept!(1,1)");
    let added = session.enter("b!(3,3) = 7");
    assert_eq!(added.boards_to_evaluate, ["b".into()]);
    assert_eq!(
        session
            .env
            .global("b")
            .map(|board| board.resolution.equation_cells.len()),
        Some(2)
    );
}

#[test]
fn a_board_is_incomplete_until_all_cells_are_set() {
    let mut session = Session::load("game G\ntype Board = Array (2,2) of Int\n");
    let mut is_incomplete = |text: &str| {
        let source = session.sources.add(Origin::Entry(1), text);
        is_board_incomplete(
            &parse_entry(&source).expect("the text should parse"),
            &session.env,
        )
    };
    assert!(is_incomplete("b : Board\nb!(x,1) = 1"));
    assert!(!is_incomplete("b : Board\nb!(x,1) = 1\nb!(x,2) = 1"));
    assert!(!is_incomplete("b : Board\nb!(x,1) = True"));
    assert!(!is_incomplete("1 + 1"));
}

#[test]
fn loops_and_names_are_resolved_for_lowering() {
    let mut session = Session::load(
        "game G\nf : (Int,Int) -> Int\nf(a,b) = let y = (while a < 3 do (a + 1, b)) in (while y#1 < 9 do y)#1\n",
    );
    let f = session
        .env
        .global("f")
        .cloned()
        .expect("`f` should be defined");
    let mut loops: Vec<_> = f.resolution.loops.iter().collect();
    loops.sort_by_key(|(span, _)| span.start);
    let variables: Vec<_> = loops.into_iter().map(|(_, variables)| variables).collect();
    assert_eq!(variables, [&vec![0, 1], &vec![2]]);
    assert_eq!(
        f.resolution
            .locals
            .iter()
            .map(|local| &*local.text)
            .collect::<Vec<_>>(),
        ["a", "b", "y"]
    );
    let (resolution, _) = session
        .enter("let x = 1 in f(x, 2)")
        .expr
        .expect("the entry should have a type");
    let mut names: Vec<_> = resolution
        .names
        .iter()
        .map(|(span, name_ref)| (session.sources.slice(*span), *name_ref))
        .collect();
    names.sort_by_key(|(name, _)| *name);
    assert_eq!(
        names,
        [
            ("f", NameRef::Global(GlobalKind::Function)),
            ("x", NameRef::Local(0))
        ]
    );
}

#[test]
fn input_must_be_a_constant_of_its_type() {
    let mut session = Session::load(GAME);
    let mut read = |text: &str| {
        let line = session.sources.add(Origin::Entry(1), text);
        read_input(&line, &session.env)
            .map_err(|error| error.split(" | ").next().unwrap_or("").to_owned())
    };
    assert!(read(" (1, -2) -- here").is_ok());
    assert_eq!(
        read("1 + 1"),
        Err("expected the end of the input, found `+`".into())
    );
    assert_eq!(
        read("(1, True)"),
        Err("expected `Int` as component 2, found a `Bool`".into())
    );
    assert_eq!(
        read("X"),
        Err("expected `(Int,Int)`, found `X`, a `Player`".into())
    );
}

#[test]
fn texts_at_the_depth_limit_can_be_checked() {
    let mut session = Session::load(GAME);
    assert_eq!(session.type_of(&format!("1{}", " + 1".repeat(490))), "Int");
    assert_eq!(
        session.type_of(&format!("{}1", "if True then 1 else ".repeat(490))),
        "Int"
    );
    assert_eq!(
        session.type_of(&format!("{}x", "let x = 1 in ".repeat(490))),
        "Int"
    );
    assert_eq!(
        session.type_of(
            &format!("{}X", "next(".repeat(190)).replace('X', &format!("X{}", ")".repeat(190)))
        ),
        "Player"
    );
}
