//! `:why` in BoGL: shows which equations computed a value, with which arguments, in which branch.

use gridbug::answer::StopReason;
use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;

const GAME: &str = "game Lights
type Board = Array (4,2) of {Dark, Lit}
type Position = (Int,Int)
type Input = Position
empty : Board
empty!(x,y) = Dark
empty!(4,y) = Lit
inside : Position -> Bool
inside(x,y) = and(x <= height, y <= width)
goodMove : (Board,Position) -> Bool
goodMove(lamps,at) = if inside(at) then lamps!at == Dark else False
ask : Board -> Position
ask(lamps) = let at = input in while not(goodMove(lamps,at)) do input
switch : Board -> Board
switch(lamps) = place(Lit, lamps, ask(lamps))
sum : Int -> Int
sum(n) = if n == 0 then 0 else let m = n - 1 in n + sum(m)
";

fn session() -> Session {
    let mut session = Session::new(
        languages::by_name("bogl").expect("a language of that name"),
        1,
    );
    let reply = session.load("lights.bgl", GAME);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

/// The reply to a line, without times and hints, which these tests do not check.
fn reply_text(session: &mut Session, line: &str) -> String {
    let reply = handle_line(session, line);
    let lines = reply.text_lines().into_iter().map(|l| l.text());
    let without_time = |line: String| match line.rsplit_once("   time ") {
        Some((before, time)) if time.chars().all(|c| c.is_ascii_digit()) => before.to_string(),
        _ => line,
    };
    let is_compared =
        |line: &String| !line.contains("goes there") && !line.contains("steps through it");
    lines
        .map(without_time)
        .filter(is_compared)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_expression_is_explained_by_its_equations() {
    let mut session = session();
    let before = session.target.timeline.entries().len();
    assert_eq!(
        reply_text(&mut session, ":why goodMove(empty, (3,1))"),
        "goodMove([Dark Dark Dark Lit | Dark …, (3, 1)) is False   line 11
    goodMove(lamps,at) = if inside(at) then lamps!at == Dark else False
    inside(at) is False, so: False
  inside(3, 1) is False   line 9
      inside(x,y) = and(x <= height, y <= width)
      x <= height is False (3 <= 2), y <= width is True (1 <= 4)"
    );
    assert_eq!(
        session.target.timeline.entries().len(),
        before,
        "`:why` adds no entry"
    );
    assert!(reply_text(&mut session, ":why not goodMove(empty, (3,1))").ends_with(
        "  One of these would have to be different:\n    x <= height is False (3 <= 2)   in inside, line 9"
    ));
    assert_eq!(
        reply_text(&mut session, ":why not goodMove(empty, (1,1))"),
        "goodMove(empty, (1,1)) is already True; `:why goodMove(empty, (1,1))` explains it"
    );
}

#[test]
fn a_session_value_is_explained_by_its_equations() {
    let mut session = session();
    reply_text(&mut session, "let six = sum(3)");
    reply_text(&mut session, "let more = six + sum(1)");
    assert_eq!(
        reply_text(&mut session, ":why more"),
        "more is 7
  let more = six + sum(1)   entry 2:1
  sum(1) is 1   line 17
      sum(n) = if n == 0 then 0 else let m = n - 1 in n + sum(m)
      n == 0 is False, so: let m = n - 1 in n + sum(m)
      m is 0
    sum(0) is 0
        n == 0 is True, so: 0"
    );
    // Each call has a time; `:goto` stops there in the equation.
    let reply = handle_line(&mut session, ":why six");
    let time = reply
        .text_lines()
        .iter()
        .map(|l| l.text())
        .find(|l| l.contains("sum(2) is 3"))
        .expect("a line about the inner call");
    let time = time.rsplit_once("time ").expect("its time").1.to_string();
    let there = handle_line(&mut session, &format!(":goto {time}"));
    assert_eq!(
        there.stop.as_ref().map(|s| s.function.as_str()),
        Some("sum")
    );
    assert!(
        there.text_lines().iter().any(|l| l.text() == "  n=2"),
        "{:?}",
        there.text_lines()
    );
}

#[test]
fn deep_recursion_is_folded_to_its_deepest_call() {
    let mut session = session();
    let text = reply_text(&mut session, ":why sum(100000)");
    assert!(text.contains("… 99993 more calls, the deepest:"), "{text}");
    assert!(
        text.ends_with("sum(0) is 0\n                    n == 0 is True, so: 0"),
        "{text}"
    );
    assert!(text.lines().count() < 30, "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn a_parameter_is_explained_by_the_caller_and_a_let_by_its_equation() {
    let mut session = session();
    reply_text(&mut session, ":break inside");
    handle_line(&mut session, "let after = switch(empty)");
    handle_line(&mut session, "(3,1)");
    assert_eq!(
        reply_text(&mut session, ":why x"),
        "x is 3
  passed as at by
    goodMove([Dark Dark Dark Lit | Dark …, (3, 1)) running   line 11
        goodMove(lamps,at) = if inside(at) then lamps!at == Dark else False
  it is at, which is (3, 1)
  ask([Dark Dark Dark Lit | Dark …) running   line 13
      ask(lamps) = let at = input in while not(goodMove(lamps,at)) do input
  at = input   line 13"
    );
    assert_eq!(
        reply_text(&mut session, ":why lamps"),
        "",
        "the frame of inside has no lamps: the error is a diagnostic"
    );
    reply_text(&mut session, "up");
    reply_text(&mut session, "up");
    assert!(reply_text(&mut session, ":why at").starts_with("at is (3, 1)\n"));
}

#[test]
fn a_cell_of_the_live_board_is_explained_by_what_placed_it() {
    let mut session = session();
    assert!(
        reply_text(&mut session, ":why [1][4]")
            .contains("line 7\n      empty!(4,y) = Lit\n      one of its 2 equations")
    );
    assert!(reply_text(&mut session, ":why [1][1]").contains("line 6\n      empty!(x,y) = Dark\n"));
    handle_line(&mut session, "let after = switch(empty)");
    handle_line(&mut session, "(2,1)");
    let why = reply_text(&mut session, ":why [1][2]");
    assert!(why.starts_with("(2,1): Dark => Lit\n  switch("), "{why}");
    assert!(
        why.contains("running   line 15\n      switch(lamps) = place(Lit, lamps, ask(lamps))\n"),
        "{why}"
    );
    assert!(
        why.contains("ask([Dark Dark Dark Lit | Dark …) is (2, 1)"),
        "{why}"
    );
    assert_eq!(
        reply_text(&mut session, ":why [3][1]"),
        "error: (1,3) is off the board: x 1 to 4, y 1 to 2"
    );
    // The same cell can be watched.
    reply_text(&mut session, ":watch [2][1]");
    handle_line(&mut session, "let again = switch(empty)");
    let reply = handle_line(&mut session, "(1,2)");
    assert_eq!(
        reply.stop.as_ref().map(|s| s.reason),
        Some(StopReason::Watch)
    );
    assert!(
        reply.text_lines()[0].text().contains("(1,2): Dark => Lit"),
        "{:?}",
        reply.text_lines()
    );
}

#[test]
fn errors_say_why_something_cannot_be_explained() {
    let mut session = session();
    let first = |session: &mut Session, line: &str| {
        let reply = handle_line(session, line);
        assert!(!reply.ok, "{line}");
        reply
            .diagnostics
            .first()
            .map_or_else(|| reply.text(), |d| d.message.clone())
    };
    assert_eq!(
        first(&mut session, ":why input"),
        "this asks for input, which is not possible while inspecting"
    );
    assert_eq!(
        first(&mut session, ":why sum"),
        "`sum` is a function; call it with arguments in parentheses"
    );
    assert_eq!(
        first(&mut session, ":why not sum(2)"),
        "error: `sum(2)` is 3, not true or false; use `:why sum(2)`"
    );
    assert_eq!(
        first(&mut session, ":why empty!(sum(2),9)"),
        "row 9 is off the board, which has 2 rows"
    );
}

#[test]
fn a_while_loop_is_shown_with_one_row_per_iteration() {
    let mut session = session();
    reply_text(
        &mut session,
        "let x = let n = 1 in while n * n < 50 do n * 2",
    );
    let table = "  #  n  n * n  n * n < 50
  1  1  1      True
  2  2  4      True
  3  4  16     True
  4  8  64     False   <= ends";
    assert_eq!(
        reply_text(&mut session, ":rounds"),
        table,
        "of what was typed last"
    );
    assert_eq!(
        reply_text(
            &mut session,
            ":rounds let n = 1 in while n * n < 50 do n * 2"
        ),
        table,
        "of an expression"
    );
    // For a board, the cells that the iteration changed are shown.
    reply_text(
        &mut session,
        "fill : (Int,Board) -> (Int,Board)\nfill(n,b) = while n < 3 do (n + 1, place(Lit, b, (n,2)))",
    );
    assert_eq!(
        reply_text(&mut session, ":rounds fill(1, empty)"),
        "  #  n  b                             n < 3
  1  1  [Dark Dark Dark Lit | Dark …  True
  2  2  (1,2) Lit                     True
  3  3  (2,2) Lit                     False   <= ends"
    );
    assert_eq!(
        reply_text(&mut session, ":rounds 1 + 1"),
        "error: `1 + 1` runs no loop"
    );
}

#[test]
fn the_table_of_a_stopped_loop_marks_the_current_iteration() {
    let mut session = session();
    reply_text(
        &mut session,
        "twice : Int -> Int\ntwice(n) = while n < 9 do n + sum(n)",
    );
    reply_text(&mut session, ":break sum if n == 2");
    assert!(handle_line(&mut session, "twice(1)").stop.is_some());
    let rounds = reply_text(&mut session, "rounds");
    assert_eq!(
        rounds,
        "  in twice, entry 1:2\n  #  n   n < 9\n  1  1   True\n  2  2   True   <= now\n  3  5   True\n  4  20  False   <= ends"
    );
    // Stepping over the loop shows the same table.
    reply_text(&mut session, ":delete");
    reply_text(&mut session, "finish");
    let over = handle_line(&mut session, "over");
    assert!(
        over.text().contains("  4  20  False   <= ends"),
        "{}",
        over.text()
    );
    assert_eq!(over.value.as_deref(), Some("20"));
}

#[test]
fn stops_show_the_branch_taken_and_the_current_expression() {
    let mut session = session();
    reply_text(&mut session, ":break sum");
    assert!(reply_text(&mut session, "sum(1)").contains(
        "  =>  17  sum(n) = if n == 0 then 0 else let m = n - 1 in n + sum(m)\n                   ^^^^^^^^^\n"
    ));
    let shown = reply_text(&mut session, "step expr");
    assert!(
        shown.contains("  3  if False\n     so: let m = n - 1 in n + sum(m)\n"),
        "{shown}"
    );
    let shown = reply_text(&mut session, "step expr");
    assert!(
        shown
            .contains("  2  m = 1 - 1\n         ^^^^^                    1 - 1 is 0\n  3  m = 0\n"),
        "{shown}"
    );
}

/// An `if`, `let` or `while` may be an operand. What its value is used for is shown in the equation
/// around it.
#[test]
fn an_operand_is_shown_in_its_equation() {
    let mut session = session();
    reply_text(
        &mut session,
        "f : Int -> Int\nf(n) = 10 + (if n > 0 then n + 1 else 0) * sum(n)",
    );
    reply_text(
        &mut session,
        "w : Int -> Int\nw(n) = (while n < 4 do n + n) + 1",
    );
    reply_text(&mut session, ":break f");
    reply_text(&mut session, "f(2)");
    reply_text(&mut session, "step expr");
    reply_text(&mut session, "step expr");
    let shown = reply_text(&mut session, "step expr");
    assert!(
        shown.starts_with(
            "  1  n + 1
     ^                            n is 2
  2  2 + 1
     ^^^^^                        2 + 1 is 3
  3  f(n) = 10 + 3 * sum(n)
                         ^        n is 2
  4  f(n) = 10 + 3 * sum(2)
                     ^^^^^^       sum(2) is 3
  5  f(n) = 10 + 3 * 3
                 ^^^^^            3 * 3 is 9
  6  f(n) = 10 + 9
            ^^^^^^                10 + 9 is 19
  7  f(n) = 19                    f returns 19\n"
        ),
        "{shown}"
    );
    // The same with `step expr`, after a loop.
    reply_text(&mut session, ":abandon");
    reply_text(&mut session, ":break w");
    reply_text(&mut session, "w(4)");
    reply_text(&mut session, "step");
    // One frame at a time, even where one instruction evaluates two expressions.
    let parts: Vec<String> = (0..3)
        .map(|_| reply_text(&mut session, "step sub"))
        .collect();
    assert_eq!(
        parts[0],
        "  1  (while n < 4\n            ^                     n is 4"
    );
    assert_eq!(
        parts[2],
        "  3  w(n) = 4 + 1\n            ^^^^^                 4 + 1 is 5"
    );
    assert!(
        reply_text(&mut session, "step sub")
            .starts_with("  4  w(n) = 5                     w returns 5\n")
    );
}
