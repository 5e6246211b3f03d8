//! BoGL at the prompt: the live board, redefinition, and inspecting a stopped function.

use gridbug::code::{FunctionId, Local};
use gridbug::command::{execute, handle_line};
use gridbug::language::{FrameScope, Language};
use gridbug::languages::bogl::BoGL;
use gridbug::machine::{Machine, Observer, Outcome};
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};
use gridbug::source::Origin;
use gridbug::value::Unpacked;
use std::rc::Rc;

const GAME: &str = "game G
type Player = {X, O}
type Board = Array (2,2) of Player & {Empty}
type Input = (Int,Int)
start : Board
start!(x,y) = Empty
tried : (Player,Board) -> Bool
tried(p,b) = place(p, b, (1,1)) == b
turn : (Player,Board) -> Player
turn(p,b) = let c = place(p, b, input) in if c == b then O else p
sum : Int -> Int
sum(n) = if n == 0 then 0 else let m = n - 1 in n + sum(m)
";

fn session() -> Session {
    let mut session = Session::new(&BoGL, 1);
    let reply = session.load("game.bgl", GAME);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

/// The value of an entry, or the code of its error.
fn value_or_code(reply: Answer) -> String {
    match reply.diagnostics.iter().find(|d| d.is_error()) {
        Some(error) => error.code.to_string(),
        None => reply.value.clone().unwrap_or_else(|| reply.text()),
    }
}

fn board(session: &Session) -> String {
    let view = session.target.full_view().board.unwrap_or_default();
    let names: Vec<&str> = view
        .cells
        .iter()
        .map(|c| c.name.map_or("-", |n| n.as_str()))
        .collect();
    names.join(" ")
}

#[test]
fn a_comment_alone_does_nothing() {
    let mut session = session();
    for line in ["-- a comment", "{- a comment -}", ""] {
        let reply = handle_line(&mut session, line);
        assert!(
            reply.ok && reply.text().is_empty(),
            "{line}: {}",
            reply.text()
        );
    }
}

#[test]
fn the_last_board_is_displayed() {
    let mut session = session();
    assert_eq!(board(&session), "Empty Empty Empty Empty");
    assert_eq!(
        value_or_code(session.submit("place(X, start, (2,1))")),
        "Empty X\nEmpty Empty"
    );
    assert_eq!(board(&session), "Empty X Empty Empty");
    // A board that a function only tries out is not displayed afterwards; one the user plays on is.
    assert_eq!(value_or_code(session.submit("tried(O, start)")), "False");
    assert_eq!(board(&session), "Empty X Empty Empty");
    assert_eq!(
        session.submit("turn(O, start)").question.map(|q| q.text),
        Some("input : (Int,Int)".to_string())
    );
    assert_eq!(value_or_code(session.answer("(3,3,3)")), "RT026");
    assert!(session.target.is_waiting_for_input());
    assert_eq!(value_or_code(session.answer("(1,2)")), "O");
    assert_eq!(board(&session), "Empty Empty O Empty");
    session.submit("(1, place(O, start, (1,1)), 2)");
    assert_eq!(board(&session), "O Empty Empty Empty");
    session.target.undo(1);
    assert_eq!(board(&session), "Empty Empty O Empty");
}

#[test]
fn pure_entries_have_no_effect() {
    let mut session = session();
    session.submit("let p = (1, 2)");
    let before = session
        .target
        .timeline
        .entries()
        .iter()
        .filter(|r| r.has_effect)
        .count();
    for entry in [
        "(p, p)",
        "sum(10)",
        ":type p",
        "start == start",
        "9223372036854775807",
        ":info p",
    ] {
        assert!(session.submit(entry).ok, "{entry}");
    }
    assert_eq!(
        session
            .target
            .timeline
            .entries()
            .iter()
            .filter(|r| r.has_effect)
            .count(),
        before
    );
}

#[test]
fn names_can_be_redefined_and_refer_to_later_definitions() {
    let mut session = session();
    let even = session.submit("even : Int -> Bool even(n) = if n == 0 then True else odd(n - 1)");
    assert_eq!(
        even.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(),
        ["BG056"]
    );
    assert_eq!(value_or_code(session.submit("even(4)")), "BG055");
    assert!(
        session
            .submit("odd : Int -> Bool odd(n) = if n == 0 then False else even(n - 1)")
            .ok
    );
    assert_eq!(value_or_code(session.submit("even(100001)")), "False");
    session.submit("let x = 5");
    session.submit("let x = x * x");
    assert_eq!(value_or_code(session.submit("x")), "25");
    session.submit("let corner = X");
    session.submit("filled : Board filled!(x,y) = corner");
    session.submit("let corner = O");
    assert_eq!(value_or_code(session.submit("filled")), "O O\nO O");
}

#[test]
fn a_function_defined_in_an_entry_can_be_stepped_through() {
    let mut session = session();
    assert!(
        session
            .submit("twice : Int -> Int twice(n) = while n < 4 do n + n")
            .ok
    );
    assert!(execute(&mut session, ":break twice").ok);
    assert!(execute(&mut session, "twice(1)").stop.is_some());
    for (line, value) in [
        ("print n", "1"),
        ("step", ""),
        ("step", ""),
        ("step", ""),
        ("print n * 10", "20"),
    ] {
        let reply = execute(&mut session, line);
        assert!(
            reply.text().contains(value) || reply.value.as_deref() == Some(value),
            "{line}: {reply:?}"
        );
    }
}

#[test]
fn restart_reevaluates_session_lets_that_can_be() {
    let mut session = session();
    session.submit("let one = 1");
    session.submit("let two = one + 1");
    session.submit("let many = 2");
    session.submit("let many = many * 2");
    assert!(session.restart().ok);
    assert_eq!(value_or_code(session.submit("two")), "2");
    assert_eq!(value_or_code(session.submit("many")), "RT018");
    assert_eq!(board(&session), "Empty Empty Empty Empty");
}

/// Pauses in the second recursive call, after its `let`.
struct PauseInRecursion;

impl Observer for PauseInRecursion {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let local_count = machine
            .current_location()
            .and_then(|(function, pc)| machine.function(function).map(|f| f.locals_at(pc).count()));
        machine.frames().len() == 3 && local_count == Some(2)
    }
}

#[test]
fn an_entry_sees_the_typed_locals_of_a_stopped_frame() {
    let mut session = session();
    let source = session.target.sources.add(Origin::Entry(1), "sum(3)");
    let compiled = BoGL
        .compile_entry(&source, session.target.program(), None)
        .expect("the entry should compile");
    session.target.machine.install(Rc::new(compiled.program));
    session
        .target
        .machine
        .start(
            compiled.entry_point.expect("there should be code to run"),
            &[],
        )
        .expect("the machine should start");
    assert!(matches!(
        session.target.machine.run_observed(&mut PauseInRecursion),
        Outcome::Paused(_)
    ));
    let (function, pc) = session
        .target
        .machine
        .current_location()
        .expect("the machine should be paused");
    let locals: Vec<Local> = session
        .target
        .machine
        .function(function)
        .map(|f| f.locals_at(pc).copied().collect())
        .unwrap_or_default();
    let frame = |function: Option<FunctionId>| FrameScope {
        locals: locals.clone(),
        in_handler: false,
        function,
        outer: None,
    };
    let source = session.target.sources.add(Origin::Entry(2), "n * 10 + m");
    assert!(
        BoGL.compile_entry(&source, session.target.program(), Some(&frame(None)))
            .is_err()
    );
    let compiled = BoGL
        .compile_entry(
            &source,
            session.target.program(),
            Some(&frame(Some(function))),
        )
        .expect("`n` and `m` should be in scope");
    // The caller must keep the stopped program and reinstall it afterwards.
    let stopped = session.target.program().clone();
    session.target.machine.install(Rc::new(compiled.program));
    let registers = locals.iter().map(|l| l.register).collect();
    session
        .target
        .machine
        .start_in_frame(
            compiled.entry_point.expect("there should be code to run"),
            2,
            registers,
        )
        .expect("the machine should start");
    let Outcome::Finished(value) = session.target.machine.run() else {
        panic!("the entry should finish")
    };
    assert_eq!(value.unpack(), Unpacked::Int(21));
    session.target.machine.install(stopped);
    let source = session
        .target
        .sources
        .add(Origin::Entry(3), ":type (n, m == 1)");
    let compiled = BoGL
        .compile_entry(
            &source,
            session.target.program(),
            Some(&frame(Some(function))),
        )
        .expect("the query should compile");
    assert_eq!(compiled.messages, ["(n, m == 1) : (Int,Bool)"]);
    let Outcome::Finished(value) = session.target.machine.run() else {
        panic!("the interrupted call should finish")
    };
    assert_eq!(value.unpack(), Unpacked::Int(6));
}

#[test]
fn a_board_entry_is_incomplete_until_all_cells_are_set() {
    let session = session();
    let incomplete = |text: &str| BoGL.is_incomplete(text, session.target.program());
    // The board has two columns and two rows.
    assert!(incomplete("b : Board"));
    assert!(incomplete("b : Board\nb!(1,y) = X"));
    assert!(incomplete("b : Board\nb!(1,y) = X\nb!(2,1) = O"));
    assert!(!incomplete(
        "b : Board\nb!(1,y) = X\nb!(2,1) = O\nb!(2,2) = O"
    ));
    assert!(!incomplete("b : Board\nb!(x,y) = X"));
    // More lines cannot fix these errors.
    assert!(!incomplete("b : Board\nb!(1,y) = 5"));
    assert!(!incomplete("b : Board\nb!(7,y) = X"));
    assert!(
        !incomplete("start!(1,1) = X"),
        "the board is already complete"
    );
}

#[test]
fn a_line_breakpoint_follows_its_redefined_function() {
    let mut session = session();
    execute(&mut session, ":break 12");
    let reply = execute(
        &mut session,
        "sum : Int -> Int\nsum(n) = if n < 1 then 0 else n + sum(n - 1)",
    );
    assert!(
        reply
            .text()
            .contains("breakpoint 1 (12) moved with sum to entry 1:2"),
        "{}",
        reply.text()
    );
    let stop = execute(&mut session, "sum(3)")
        .stop
        .expect("the call should stop");
    assert_eq!(
        (
            stop.function.as_str(),
            stop.range.file.as_str(),
            stop.range.line
        ),
        ("sum", "entry 1", 2)
    );
    // A breakpoint in a broken function is pending; it does not move elsewhere.
    execute(&mut session, ":abandon");
    execute(&mut session, "one : Int one = 1");
    execute(&mut session, "half : Int -> Int\nhalf(n) = n / (one + one)");
    execute(&mut session, ":break half");
    let reply = execute(&mut session, "one : Bool one = True");
    assert!(
        reply
            .text()
            .contains("breakpoint 2 (half) is pending: its code is gone"),
        "{}",
        reply.text()
    );
    let reply = execute(&mut session, "one : Int one = 3");
    assert!(
        reply.text().contains("breakpoint 2 (half) is active now"),
        "{}",
        reply.text()
    );
}

#[test]
fn a_variable_named_like_a_command_can_be_printed() {
    let mut session = session();
    execute(&mut session, ":break tried");
    assert!(execute(&mut session, "tried(X, start)").stop.is_some());
    assert_eq!(execute(&mut session, "p").value.as_deref(), Some("X"));
    // The colon reaches the command.
    assert!(execute(&mut session, "b").value.is_some());
    assert!(execute(&mut session, ":b").text().contains("break here"));
    assert_eq!(
        execute(&mut session, "p b == start").value.as_deref(),
        Some("True")
    );
}

#[test]
fn deep_recursion_and_endless_loops_are_safe() {
    let mut session = session();
    assert_eq!(
        value_or_code(session.submit("sum(1000000)")),
        "500000500000"
    );
    session.target.machine.limits.max_instructions = 20_000_000;
    assert_eq!(
        value_or_code(session.submit("let n = 0 in while n < 1 do n * 2")),
        "RT019"
    );
    session.submit("ever : Int -> Int ever(n) = ever(n)");
    assert_eq!(value_or_code(session.submit("ever(1)")), "RT014");
    assert_eq!(
        value_or_code(session.submit("sum(3)")),
        "6",
        "the session should still work"
    );
}

#[test]
fn a_placed_cell_is_reported_and_stepping_back_removes_it() {
    let mut session = session();
    execute(&mut session, ":break turn");
    execute(&mut session, "turn(X, start)");
    let reply = execute(&mut session, "next");
    let question = reply.question.as_ref().map(|q| q.text.as_str());
    assert_eq!(question, Some("input : (Int,Int)"));
    let reply = session.answer("(2,1)");
    assert!(reply.stop.is_some());
    assert!(
        reply
            .text()
            .contains("since the last stop: (2,1) Empty => X"),
        "{}",
        reply.text()
    );
    assert_eq!(board(&session), "Empty X Empty Empty");
    execute(&mut session, "reverse-next");
    assert_eq!(board(&session), "Empty Empty Empty Empty");
    let again = execute(&mut session, "next");
    assert!(
        again.stop.is_some() && again.question.is_none(),
        "the recorded answer should be replayed"
    );
    assert_eq!(board(&session), "Empty X Empty Empty");
}

#[test]
fn common_mistakes_have_clear_messages() {
    let mut session = session();
    for (entry, expected) in [
        (
            "let n = 3 im n",
            "expected `in`, found `im`; did you mean `in`?",
        ),
        ("count(X)", "`count` takes 2 arguments, but 1 was given"),
        ("and(True)", "`and` takes 2 arguments, but 1 was given"),
        (
            "tried((X, 3))",
            "argument 2 of `tried` must be a `Board`, found an `Int`",
        ),
    ] {
        let reply = execute(&mut session, entry);
        let first = reply.diagnostics.first().map(|d| d.message.as_str());
        assert!(
            first.is_some_and(|m| m.contains(expected)),
            "{entry}: {first:?}"
        );
    }
}

#[test]
fn a_board_result_is_drawn_instead_of_written() {
    let mut session = session();
    let mut lines = |typed: &str| {
        let reply = handle_line(&mut session, typed);
        gridbug::session::to_plain_text(&session, &reply)
    };
    let placed = ["      1  2", "   1  · (X)", "   2  ·  ·", "     · is Empty"];
    assert_eq!(lines("place(X, start, (2,1))"), placed);
    // An unchanged board is drawn again.
    assert_eq!(
        lines("place(X, start, (2,1))"),
        ["      1  2", "   1  ·  X", "   2  ·  ·"]
    );
    assert_eq!(lines("(1, start)")[0], "= (1, [Empty Empty | Empty Empty])");
    let reply = handle_line(&mut session, "start");
    assert_eq!(
        reply.value.as_deref(),
        Some("Empty Empty\nEmpty Empty"),
        "the reply also has the value as text"
    );
}

#[test]
fn the_board_is_shown_when_input_is_requested() {
    let mut session = session();
    handle_line(
        &mut session,
        "(turn(X, start), turn(O, place(X, start, (1,1))))",
    );
    let reply = handle_line(&mut session, "(2,1)");
    assert!(reply.question.is_some());
    let picture: Vec<String> = reply.board_lines().iter().map(|l| l.text()).collect();
    assert_eq!(picture[1..3], ["   1 (X) · ", "   2  ·  · "], "{picture:?}");
    assert!(
        handle_line(&mut session, "x").board.is_none(),
        "an unchanged board should not be shown again"
    );
}

#[test]
fn a_game_with_two_boards_shows_both_at_a_question() {
    let game = "game Two
type Player = {X, O}
type Board = Array (2,1) of Player & {Empty}
type Input = Int
a : Board
a!(x,y) = Empty
b : Board
b!(x,y) = O
play : (Board,Board) -> Int
play(p,q) = let r = place(X, p, (input,1)) in let s = place(X, q, (input,1)) in play(r, s)
";
    let mut session = Session::new(&BoGL, 1);
    assert!(session.load("two.bgl", game).ok);
    let others = |reply: &Answer| reply.question.clone().expect("a question").other_boards;
    assert!(others(&handle_line(&mut session, "play(a,b)")).is_empty());
    assert!(others(&handle_line(&mut session, "1")).is_empty());
    // After a move on each board, the one not moved on last is the other one.
    let reply = handle_line(&mut session, "2");
    assert_eq!(board(&session), "O X");
    assert_eq!(others(&reply), ["X Empty"]);
    let reply = handle_line(&mut session, "2");
    assert_eq!(board(&session), "X X");
    assert_eq!(others(&reply), ["O X"]);
    // A move on a single board replaces it.
    session.end_input();
    let reply = handle_line(
        &mut session,
        "let r = place(X, a, (1,1)) in place(O, r, (input,1))",
    );
    assert!(others(&reply).is_empty());
}

#[test]
fn division_rounds_down_with_a_constant_as_with_a_variable() {
    let program = "game G
type Board = Array (1,1) of {Empty}
quotient : (Int,Int) -> Int
quotient(a,b) = a / b
remainder : (Int,Int) -> Int
remainder(a,b) = a % b
thirds : Int -> Int
thirds(a) = a / 3
ofThree : Int -> Int
ofThree(a) = a % 3
";
    let mut session = Session::new(&BoGL, 1);
    assert!(session.load("game.bgl", program).ok);
    // The last one does not fit in 32 bits.
    for n in [-7_i64, -6, -1, 0, 1, 6, 7, -3_000_000_001, 3_000_000_001] {
        let value = |session: &mut Session, call: String| value_or_code(execute(session, &call));
        let (down, rest) = (n.div_euclid(3).to_string(), n.rem_euclid(3).to_string());
        assert_eq!(value(&mut session, format!("thirds({n})")), down);
        assert_eq!(value(&mut session, format!("quotient({n}, 3)")), down);
        assert_eq!(value(&mut session, format!("ofThree({n})")), rest);
        assert_eq!(value(&mut session, format!("remainder({n}, 3)")), rest);
    }
}

#[test]
fn values_of_different_kinds_are_unequal_in_a_condition() {
    let program = "game G
type Mixed = Int & {None}
type Board = Array (1,1) of {Empty}
kind : Mixed -> Int
kind(m) = if m == 0 then 0 else if m /= None then 1 else 2
";
    let mut session = Session::new(&BoGL, 1);
    assert!(session.load("game.bgl", program).ok);
    for (argument, expected) in [("0", "0"), ("5", "1"), ("None", "2")] {
        let call = format!("kind({argument})");
        assert_eq!(value_or_code(execute(&mut session, &call)), expected);
    }
}
