//! What BoGL promises at the prompt: a live board, names that can be given again, and a look into a stopped function.

use gridbug::code::{FunctionId, Local};
use gridbug::command::{execute, handle_line};
use gridbug::language::{FrameScope, Language};
use gridbug::languages::bogl::BoGL;
use gridbug::machine::{Machine, Observer, Outcome};
use gridbug::session::{Reply, Session};
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

/// The value of an entry, or the code of what is wrong with it.
fn told(reply: Reply) -> String {
    match reply.diagnostics.iter().find(|d| d.is_error()) {
        Some(wrong) => wrong.code.to_string(),
        None => reply.value.clone().unwrap_or_else(|| reply.text()),
    }
}

fn board(session: &Session) -> String {
    let view = session.full_view().board.unwrap_or_default();
    let names: Vec<&str> = view
        .cells
        .iter()
        .map(|c| c.name.map_or("-", |n| n.as_str()))
        .collect();
    names.join(" ")
}

#[test]
fn the_last_board_is_the_live_one() {
    let mut session = session();
    assert_eq!(board(&session), "Empty Empty Empty Empty");
    assert_eq!(
        told(session.submit("place(X, start, (2,1))")),
        "Empty X\nEmpty Empty"
    );
    assert_eq!(board(&session), "Empty X Empty Empty");
    // What a function only tries out is not seen afterwards, what a person plays on is.
    assert_eq!(told(session.submit("tried(O, start)")), "False");
    assert_eq!(board(&session), "Empty X Empty Empty");
    assert_eq!(
        session.submit("turn(O, start)").question.as_deref(),
        Some("input : (Int,Int)")
    );
    assert_eq!(told(session.answer("(3,3,3)")), "RT026");
    assert!(session.is_waiting_for_input());
    assert_eq!(told(session.answer("(1,2)")), "O");
    assert_eq!(board(&session), "Empty Empty O Empty");
    session.submit("(1, place(O, start, (1,1)), 2)");
    assert_eq!(board(&session), "O Empty Empty Empty");
    session.undo(1);
    assert_eq!(board(&session), "Empty Empty O Empty");
}

#[test]
fn looking_changes_nothing() {
    let mut session = session();
    session.submit("let p = (1, 2)");
    let before = session
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
            .timeline
            .entries()
            .iter()
            .filter(|r| r.has_effect)
            .count(),
        before
    );
}

#[test]
fn names_can_be_given_again_and_wait_for_each_other() {
    let mut session = session();
    let even = session.submit("even : Int -> Bool even(n) = if n == 0 then True else odd(n - 1)");
    assert_eq!(
        even.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(),
        ["BG056"]
    );
    assert_eq!(told(session.submit("even(4)")), "BG055");
    assert!(
        session
            .submit("odd : Int -> Bool odd(n) = if n == 0 then False else even(n - 1)")
            .ok
    );
    assert_eq!(told(session.submit("even(100001)")), "False");
    session.submit("let x = 5");
    session.submit("let x = x * x");
    assert_eq!(told(session.submit("x")), "25");
    session.submit("let corner = X");
    session.submit("filled : Board filled!(x,y) = corner");
    session.submit("let corner = O");
    assert_eq!(told(session.submit("filled")), "O O\nO O");
}

#[test]
fn a_function_typed_alone_can_be_looked_into() {
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
fn a_game_that_starts_again_keeps_what_can_be_made_again() {
    let mut session = session();
    session.submit("let one = 1");
    session.submit("let two = one + 1");
    session.submit("let many = 2");
    session.submit("let many = many * 2");
    assert!(session.restart().ok);
    assert_eq!(told(session.submit("two")), "2");
    assert_eq!(told(session.submit("many")), "RT018");
    assert_eq!(board(&session), "Empty Empty Empty Empty");
}

/// Pauses where a function is two calls deep in itself, behind its `let`.
struct Deep;

impl Observer for Deep {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let stop = machine
            .current_location()
            .and_then(|(function, pc)| machine.function(function).map(|f| f.locals_at(pc).count()));
        machine.frames().len() == 3 && stop == Some(2)
    }
}

#[test]
fn an_entry_sees_the_typed_locals_of_a_stopped_frame() {
    let mut session = session();
    let source = session.sources.add(Origin::Entry(1), "sum(3)");
    let compiled = BoGL
        .compile_entry(&source, session.program(), None)
        .expect("it is right");
    session.machine.install(Rc::new(compiled.program));
    session
        .machine
        .start(compiled.entry_point.expect("it runs"), &[])
        .expect("it starts");
    assert!(matches!(
        session.machine.run_observed(&mut Deep),
        Outcome::Paused(_)
    ));
    let (function, pc) = session.machine.current_location().expect("it is stopped");
    let locals: Vec<Local> = session
        .machine
        .function(function)
        .map(|f| f.locals_at(pc).copied().collect())
        .unwrap_or_default();
    let inside = |function: Option<FunctionId>| FrameScope {
        locals: locals.clone(),
        in_handler: false,
        function,
    };
    let source = session.sources.add(Origin::Entry(2), "n * 10 + m");
    assert!(
        BoGL.compile_entry(&source, session.program(), Some(&inside(None)))
            .is_err()
    );
    let compiled = BoGL
        .compile_entry(&source, session.program(), Some(&inside(Some(function))))
        .expect("it sees n and m");
    // The code of what is stopped is kept by whoever installs another.
    let stopped = session.program().clone();
    session.machine.install(Rc::new(compiled.program));
    let registers = locals.iter().map(|l| l.register).collect();
    session
        .machine
        .start_in_frame(compiled.entry_point.expect("it runs"), 2, registers)
        .expect("it starts");
    let Outcome::Finished(value) = session.machine.run() else {
        panic!("it ends")
    };
    assert_eq!(value.unpack(), Unpacked::Int(21));
    session.machine.install(stopped);
    let source = session.sources.add(Origin::Entry(3), ":type (n, m == 1)");
    let compiled = BoGL
        .compile_entry(&source, session.program(), Some(&inside(Some(function))))
        .expect("it has a type");
    assert_eq!(compiled.messages, ["(n, m == 1) : (Int,Bool)"]);
    let Outcome::Finished(value) = session.machine.run() else {
        panic!("it goes on")
    };
    assert_eq!(value.unpack(), Unpacked::Int(6));
}

#[test]
fn a_board_is_typed_equation_by_equation() {
    let session = session();
    let begun = |text: &str| BoGL.is_incomplete(text, session.program());
    // The board has two columns and two rows.
    assert!(begun("b : Board"));
    assert!(begun("b : Board\nb!(1,y) = X"));
    assert!(begun("b : Board\nb!(1,y) = X\nb!(2,1) = O"));
    assert!(!begun("b : Board\nb!(1,y) = X\nb!(2,1) = O\nb!(2,2) = O"));
    assert!(!begun("b : Board\nb!(x,y) = X"));
    // What is wrong stays wrong however many lines follow.
    assert!(!begun("b : Board\nb!(1,y) = 5"));
    assert!(!begun("b : Board\nb!(7,y) = X"));
    assert!(!begun("start!(1,1) = X"), "a cell of a board that is whole");
}

#[test]
fn a_breakpoint_on_a_line_goes_with_its_function() {
    let mut session = session();
    execute(&mut session, ":break 12");
    let reply = execute(
        &mut session,
        "sum : Int -> Int\nsum(n) = if n < 1 then 0 else n + sum(n - 1)",
    );
    assert!(
        reply
            .text()
            .contains("breakpoint 1 (12) goes with sum to entry 1:2"),
        "{}",
        reply.text()
    );
    let stop = execute(&mut session, "sum(3)")
        .stop
        .expect("it stops there");
    assert_eq!(
        (stop.function.as_str(), stop.file.as_str(), stop.line),
        ("sum", "entry 1", 2)
    );
    // What no longer fits can't be stopped in, and nothing else is stopped in instead.
    execute(&mut session, ":abandon");
    execute(&mut session, "one : Int one = 1");
    execute(&mut session, "half : Int -> Int\nhalf(n) = n / (one + one)");
    execute(&mut session, ":break half");
    let reply = execute(&mut session, "one : Bool one = True");
    assert!(
        reply
            .text()
            .contains("breakpoint 2 (half) has lost its place"),
        "{}",
        reply.text()
    );
    let reply = execute(&mut session, "one : Int one = 3");
    assert!(
        reply.text().contains("breakpoint 2 (half) has a place now"),
        "{}",
        reply.text()
    );
}

#[test]
fn a_word_that_is_a_variable_is_not_a_command_that_needs_more() {
    let mut session = session();
    execute(&mut session, ":break tried");
    assert!(execute(&mut session, "tried(X, start)").stop.is_some());
    // `p` alone prints nothing as a command, `b` alone sets a breakpoint here, and says what else it is.
    assert_eq!(execute(&mut session, "p").value.as_deref(), Some("X"));
    let reply = execute(&mut session, "b");
    assert_eq!(
        reply.lines[0].text(),
        "break  (the variable b is [Empty Empty | Empty Em…: print b)"
    );
    assert!(reply.lines[1].text().contains("break here"));
    assert_eq!(
        execute(&mut session, "p b == start").value.as_deref(),
        Some("True")
    );
}

#[test]
fn a_million_calls_deep_and_an_endless_loop_are_safe() {
    let mut session = session();
    assert_eq!(told(session.submit("sum(1000000)")), "500000500000");
    session.machine.limits.max_instructions = 20_000_000;
    assert_eq!(
        told(session.submit("let n = 0 in while n < 1 do n * 2")),
        "RT019"
    );
    session.submit("ever : Int -> Int ever(n) = ever(n)");
    assert_eq!(told(session.submit("ever(1)")), "RT014");
    assert_eq!(told(session.submit("sum(3)")), "6", "the session goes on");
}

#[test]
fn the_cell_that_place_changed_is_told_and_going_back_takes_it_away() {
    let mut session = session();
    execute(&mut session, ":break turn");
    execute(&mut session, "turn(X, start)");
    let asks = execute(&mut session, "next");
    assert_eq!(asks.question.as_deref(), Some("input : (Int,Int)"));
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
        "the answer is known"
    );
    assert_eq!(board(&session), "Empty X Empty Empty");
}

#[test]
fn slips_at_the_prompt_are_named() {
    let mut session = session();
    for (typed, wanted) in [
        (
            "let n = 3 im n",
            "Expected `in`, found `im`; did you mean `in`?",
        ),
        (
            "count(X)",
            "`count` takes 2 arguments, but gets one argument",
        ),
        (
            "and(True)",
            "`and` takes 2 arguments, but gets one argument",
        ),
        (
            "tried((X, 3))",
            "Argument 2 of `tried` must be a `Board`, but this is an `Int`",
        ),
    ] {
        let reply = execute(&mut session, typed);
        let first = reply.diagnostics.first().map(|d| d.message.as_str());
        assert!(
            first.is_some_and(|m| m.contains(wanted)),
            "{typed}: {first:?}"
        );
    }
}

#[test]
fn a_board_is_drawn_and_not_written_as_well() {
    let mut session = session();
    let mut lines = |typed: &str| {
        let reply = handle_line(&mut session, typed);
        gridbug::session::to_plain_text(&session, &reply)
    };
    let placed = ["      1  2", "   1  · (X)", "   2  ·  ·", "     · is Empty"];
    assert_eq!(lines("place(X, start, (2,1))"), placed);
    // A board that has not changed is a value all the same.
    assert_eq!(
        lines("place(X, start, (2,1))"),
        ["      1  2", "   1  ·  X", "   2  ·  ·"]
    );
    assert_eq!(lines("(1, start)")[0], "= (1, [Empty Empty | Empty Empty])");
    let reply = handle_line(&mut session, "start");
    assert_eq!(
        reply.value.as_deref(),
        Some("Empty Empty\nEmpty Empty"),
        "others read the value"
    );
}

#[test]
fn who_is_asked_sees_the_board() {
    let mut session = session();
    handle_line(
        &mut session,
        "(turn(X, start), turn(O, place(X, start, (1,1))))",
    );
    let asks = handle_line(&mut session, "(2,1)");
    assert!(asks.question.is_some());
    let picture: Vec<String> = asks.board_lines.iter().map(|l| l.text()).collect();
    assert_eq!(picture[1..3], ["   1 (X) · ", "   2  ·  · "], "{picture:?}");
    assert!(
        handle_line(&mut session, "x").board_lines.is_empty(),
        "it has not changed since"
    );
}
