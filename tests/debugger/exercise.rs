//! Exercises in lessons: what counts as an answer, how it is checked, and how the lesson goes on.

use gridbug::answer::{
    Aspect, CheckFailure, Control, ExerciseReport, ExerciseResult, LessonProgress, Part,
};
use gridbug::command::handle_line;
use gridbug::command::replay;
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Answer, Session};
use std::path::Path;
use std::rc::Rc;

/// Opens a lesson of the repository and goes to a step.
fn open(path: &str, step: usize) -> Session {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("sessions").join(path)).unwrap();
    open_text(&text, step)
}

fn open_text(text: &str, step: usize) -> Session {
    let host = Rc::new(MemoryHost::new());
    host.set_file("a.session", text);
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let answer = handle_line(&mut session, ":lesson a.session");
    assert!(answer.ok, "{}", answer.text());
    let answer = handle_line(&mut session, &format!(":lesson {step}"));
    assert!(answer.ok, "{}", answer.text());
    session
}

fn row() -> Session {
    open("gridlok/exercise-row.session", 3)
}

fn report(answer: &Answer) -> &ExerciseReport {
    let report = answer.parts.iter().find_map(|part| match part {
        Part::ExerciseReport(report) => Some(&**report),
        _ => None,
    });
    report.unwrap_or_else(|| panic!("no report: {}", answer.text()))
}

fn step(answer: &Answer) -> &LessonProgress {
    let mut parts = answer.hints.iter().chain(&answer.parts);
    let step = parts.find_map(|part| match part {
        Part::Lesson(progress) => Some(progress),
        _ => None,
    });
    step.expect("a step")
}

fn enter(session: &mut Session, text: &str) -> Answer {
    let answer = handle_line(session, text);
    assert!(answer.ok, "{text}: {}", answer.text());
    answer
}

fn check(session: &mut Session) -> Answer {
    handle_line(session, ":lesson next")
}

/// Checks an answer that does not pass.
fn failure(session: &mut Session, text: &str) -> CheckFailure {
    enter(session, text);
    let answer = check(session);
    assert!(!answer.ok, "{text}: {}", answer.text());
    report(&answer).failure.clone().expect("a failure")
}

/// Checks an answer that passes. Returns the step after it.
fn passes(session: &mut Session, text: &str) -> usize {
    enter(session, text);
    let answer = check(session);
    assert!(answer.ok, "{text}: {}", answer.text());
    assert_eq!(report(&answer).failure, None);
    step(&answer).number
}

const TOP_ROW: &str = "winCondition { win {board[0][0].name == \"X\" AND board[0][1].name == \"X\" \
                       AND board[0][2].name == \"X\"} }";

#[test]
fn an_exercise_shows_its_task_and_waits_for_an_answer() {
    let mut session = row();
    let answer = enter(&mut session, ":lesson");
    let progress = step(&answer);
    assert_eq!((progress.number, progress.count), (3, 5));
    assert_eq!(progress.next, None);
    let task = progress.exercise.as_ref().unwrap();
    assert_eq!(task.name, "winCondition");
    assert_eq!(
        task.text,
        ["Write winCondition so that three X in the top row win."]
    );
    assert_eq!((task.hint_count, task.hints_given), (2, 0));
    // Playing is not an answer.
    enter(&mut session, "click{0,1}");
    let answer = check(&mut session);
    assert!(
        answer.text().starts_with("Nothing to check yet"),
        "{}",
        answer.text()
    );
    assert_eq!(step(&answer).number, 3);
    assert!(!handle_line(&mut session, ":lesson try").ok);
}

#[test]
fn the_first_difference_is_reported_with_the_moves_and_the_remark() {
    let mut session = row();
    let first = failure(
        &mut session,
        "winCondition { win {board[0][0].name == \"X\"} }",
    );
    assert_eq!(first.remarks, ["Two X are not enough."]);
    assert_eq!(first.inputs, ["click{0,0}"]);
    assert_eq!(first.aspect, Aspect::Ending);
    assert_eq!(first.expected, ["the game goes on"]);
    assert_eq!(first.actual, ["x has won"]);
    assert_eq!(first.question.as_deref(), Some(":why win"));
    let third = failure(
        &mut session,
        "winCondition { win {board[1][2].name == \"X\"} }",
    );
    assert_eq!(third.remarks, ["The third X wins."]);
    assert_eq!(third.inputs.len(), 5);
    assert_eq!(third.actual, ["the game goes on"]);
    assert_eq!(third.question.as_deref(), Some(":why not win"));
    // The second check: the bottom row wins as well.
    let rows = "winCondition { for r(0, 2) { def f {true} for p in row(r) { f {f AND p.name == \"X\"} } \
                win {win OR f} } }";
    let second = failure(&mut session, rows);
    assert_eq!(second.remarks, ["The bottom row does not win."]);
    assert_eq!(second.expected, ["the game goes on"]);
}

#[test]
fn results_are_compared_and_not_how_they_are_written() {
    // Another way, with a helper and other names.
    let mut session = row();
    enter(
        &mut session,
        "fun cross(c) { return board[0][c].name == \"X\" }",
    );
    enter(&mut session, "click{1,1}");
    let number = passes(
        &mut session,
        "winCondition { win {cross {0} AND cross {1} AND cross {2}} }",
    );
    assert_eq!(number, 4);
    // What was played while solving it is gone, and what was defined is not.
    assert_eq!(
        enter(&mut session, "board[1][1].name").value.as_deref(),
        Some("\"free\"")
    );
    assert_eq!(
        enter(&mut session, "cross {0}").value.as_deref(),
        Some("false")
    );
}

#[test]
fn definitions_that_were_undone_or_replaced_do_not_count() {
    let mut session = row();
    enter(&mut session, "winCondition { win {true} }");
    enter(&mut session, ":undo");
    assert!(check(&mut session).text().starts_with("Nothing to check"));
    enter(&mut session, "winCondition { win {true} }");
    assert_eq!(passes(&mut session, TOP_ROW), 4);
}

#[test]
fn an_endless_loop_or_an_error_is_feedback() {
    let mut session = row();
    let endless = failure(&mut session, "winCondition { for i(0, 2) { i {0} } }");
    assert_eq!(endless.aspect, Aspect::EndlessLoop);
    assert_eq!(endless.inputs, ["click{0,0}"]);
    let answer = enter(&mut session, ":lesson try");
    assert!(answer.stop.is_some() && session.target.is_stopped());
    enter(&mut session, ":abandon");
    let error = failure(
        &mut session,
        "winCondition { win {board[9][0].name == \"X\"} }",
    );
    assert_eq!(error.aspect, Aspect::Error);
    assert_eq!(error.expected, ["no error"]);
    assert!(error.actual[0].starts_with("error: "), "{error:?}");
    assert!(error.actual[1].contains("board[9][0]"), "{error:?}");
}

#[test]
fn try_plays_the_failed_check_in_the_students_game() {
    let mut session = row();
    failure(
        &mut session,
        "winCondition { win {board[1][2].name == \"X\"} }",
    );
    enter(&mut session, "click{1,2}");
    let answer = enter(&mut session, ":lesson try");
    assert_eq!(answer.board_lines()[1].text().trim(), "0  X  X (X)");
    assert!(answer.text().contains("> click{0,0}"), "{}", answer.text());
    let why = enter(&mut session, ":why not win");
    assert!(why.text().contains("board[1][2]"), "{}", why.text());
    // It can be stepped back through, and the answer is still there.
    enter(&mut session, ":undo");
    assert!(!check(&mut session).ok);
    // Breakpoints stop it.
    enter(&mut session, ":break winCondition");
    assert!(enter(&mut session, ":lesson try").stop.is_some());
    enter(&mut session, ":delete 1");
    enter(&mut session, "continue");
    assert_eq!(passes(&mut session, TOP_ROW), 4);
}

#[test]
fn hints_come_one_by_one_and_the_solution_can_be_shown() {
    let mut session = row();
    assert!(
        enter(&mut session, ":lesson hint")
            .text()
            .contains("top left corner")
    );
    assert!(
        enter(&mut session, ":lesson hint")
            .text()
            .contains("Hint 2 of 2")
    );
    let none = handle_line(&mut session, ":lesson hint");
    assert!(!none.ok && none.text().contains("no more hints"));
    let shown = enter(&mut session, ":lesson solution");
    assert!(shown.text().contains("def full {true}"), "{}", shown.text());
    // Then Enter continues with it.
    let answer = check(&mut session);
    assert!(answer.ok, "{}", answer.text());
    assert_eq!(step(&answer).number, 4);
    assert!(
        enter(&mut session, ":list winCondition")
            .text()
            .contains("full")
    );
    assert!(!handle_line(&mut session, ":lesson hint").ok);
}

#[test]
fn the_lesson_continues_with_the_answer_unless_a_step_differs() {
    // Nothing that follows depends on how it is written.
    let mut session = row();
    passes(&mut session, TOP_ROW);
    assert!(
        enter(&mut session, ":list winCondition")
            .text()
            .contains("AND")
    );
    assert!(!enter(&mut session, ":lesson next").text().contains("error"));
    let won = enter(&mut session, ":lesson next");
    assert!(
        won.board_lines()
            .iter()
            .any(|line| line.text().contains("x has won"))
    );
    // Here the lesson goes through the definition line by line.
    let text = "language gridlok\nseed 1\n\n--- session\n\n\
        --- exercise double\n# Write double.\n--- solution\nfun double(n) { return 2 * n }\n\
        --- check\n> double {4}\n  = 8\n--- end\n\n> :break double\n\n> double {1}\n";
    let mut session = open_text(text, 1);
    enter(&mut session, "fun double(n) { def m {n} return m + n }");
    let answer = check(&mut session);
    assert_eq!(
        report(&answer).differing_step.as_deref(),
        Some("double {1}")
    );
    assert!(
        answer.text().contains("continues with its own solution"),
        "{}",
        answer.text()
    );
    assert!(enter(&mut session, ":list double").text().contains("2 * n"));
    let mut session = open_text(text, 1);
    enter(&mut session, "fun twice(n) { return 2 * n }");
    enter(&mut session, "fun double(n) { return 2 * n }");
    let answer = check(&mut session);
    assert_eq!(report(&answer).differing_step, None);
    enter(&mut session, "twice {1}");
}

#[test]
fn going_back_before_an_exercise_asks_again() {
    let mut session = row();
    passes(&mut session, TOP_ROW);
    let answer = enter(&mut session, ":lesson back");
    assert_eq!(step(&answer).number, 3);
    assert!(!handle_line(&mut session, ":list winCondition").ok);
    // An exercise that is skipped is played with its solution.
    let answer = enter(&mut session, ":lesson 5");
    assert_eq!(step(&answer).number, 5);
}

#[test]
fn an_equation_can_be_the_answer() {
    let mut session = open("bogl/exercise-gone.session", 2);
    let failed = failure(&mut session, "gone : Board -> Int\ngone(b) = left(b)");
    assert_eq!(failed.aspect, Aspect::Value);
    assert_eq!(
        (failed.expected, failed.actual),
        (vec!["0".into()], vec!["5".into()])
    );
    assert_eq!(failed.question.as_deref(), Some(":why gone(start)"));
    enter(&mut session, ":lesson try");
    assert!(
        enter(&mut session, ":why gone(start)")
            .text()
            .contains("left(b)")
    );
    assert_eq!(passes(&mut session, "gone(b) = count(Gone, b)"), 3);
}

#[test]
fn a_block_of_gridlang_can_be_the_answer() {
    let mut session = open("gridlang/exercise-goal.session", 2);
    let failed = failure(
        &mut session,
        "checkGameEnd()\n{\n    return p.steps == 2\n}",
    );
    assert_eq!(failed.remarks, ["The second turn reaches the last column."]);
    let answer = "checkGameEnd()\n{\n    p.win = p.position.y == 4\n    return p.win\n}";
    assert_eq!(passes(&mut session, answer), 3);
}

#[test]
fn an_entity_or_a_statement_can_be_the_answer() {
    let mut session = open("tinygame/exercise-bite.session", 2);
    let failed = failure(&mut session, "enemy wolf { x = 4; y = 1; bite = 6; }");
    assert_eq!(failed.inputs, ["wolf.x - knight.x"]);
    assert_eq!(failed.aspect, Aspect::Board);
    assert_eq!(failed.remarks, ["It is where the knight is."]);
    enter(&mut session, ":forget wolf");
    assert_eq!(
        passes(&mut session, "enemy wolf { x = 4; y = 0; bite = 6; }"),
        3
    );
    enter(&mut session, ":lesson next");
    // Only the statement is the answer, not what was played around it.
    enter(
        &mut session,
        "if knight.y == wolf.y { set knight.health = knight.health - 6; }",
    );
    enter(&mut session, "move knight right 2;");
    let answer = check(&mut session);
    let failed = report(&answer).failure.clone().unwrap();
    assert_eq!(failed.remarks, ["A wolf that is elsewhere does not bite."]);
    assert_eq!(failed.aspect, Aspect::Board);
    assert!(failed.answer.as_deref().unwrap().starts_with("if knight.y"));
    enter(&mut session, ":lesson try");
    assert_eq!(enter(&mut session, "wolf.x").value.as_deref(), Some("7"));
    let right = "if knight.x == wolf.x { set knight.health = knight.health - wolf.bite; }";
    assert_eq!(passes(&mut session, right), 5);
    assert_eq!(
        enter(&mut session, ":lesson next").value.as_deref(),
        Some("14")
    );
}

#[test]
fn a_rule_can_be_the_answer() {
    let mut session = open("sgl2d/exercise-coin.session", 2);
    let failed = failure(&mut session, "event coin > inccounter1=1");
    assert_eq!(failed.remarks, ["The second coin counts."]);
    assert_eq!(failed.aspect, Aspect::Board);
    // A second rule would be added to the first.
    enter(&mut session, ":undo");
    let right = "event coin > transformtosprite=floor inccounter1=1";
    assert_eq!(passes(&mut session, right), 3);
}

#[test]
fn a_program_that_was_loaded_can_be_the_answer() {
    let mut session = row();
    let host = Rc::new(MemoryHost::new());
    let program = session.program_text("row.gl").text;
    host.set_file(
        "mine.gl",
        &program.replace("setup {", &format!("{TOP_ROW}\n  setup {{")),
    );
    session.files = gridbug::session::FileAccess::new(host);
    assert_eq!(passes(&mut session, ":load mine.gl"), 4);
}

#[test]
fn a_test_reports_exercises_that_do_not_work() {
    let file = |solution: &str, check: &str| {
        format!(
            "language gridlok\nseed 1\n\n--- session\n\n> def n {{1}}\n  defined variable n\n\n\
             --- exercise n\n# Make it 2.\n--- solution\n{solution}\n--- check\n> {check}\n--- end\n"
        )
    };
    let problems = |text: &str| {
        let file = SessionFile::parse(text).unwrap();
        let replayed = replay(&file, Path::new(""), Rc::new(MemoryHost::new())).unwrap();
        let replies: Vec<_> = replayed
            .entries
            .iter()
            .map(|e| e.actual.join(" "))
            .collect();
        (replies, replayed.problems)
    };
    let (replies, none) = problems(&file("def n {2}", "n"));
    assert_eq!(replies, ["", "defined variable n", "= 2"]);
    assert!(none.is_empty(), "{none:?}");
    let (_, solved) = problems(&file("def n {2}", "1 + 1"));
    assert!(
        solved[0].starts_with("exercise n: its checks pass without the solution"),
        "{solved:?}"
    );
    let (_, fails) = problems(&file("def n {", "n"));
    assert!(
        fails[0].starts_with("exercise n: the solution fails: error"),
        "{fails:?}"
    );
    // `:test` says so, too.
    let host = Rc::new(MemoryHost::new());
    host.set_file("a.session", &file("def n {2}", "1 + 1\n  = 2"));
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    let answer = handle_line(&mut session, ":test a.session");
    assert!(
        !answer.ok && answer.text().contains("without the solution"),
        "{}",
        answer.text()
    );
}

/// The text that `:edit` opens, and the entry that it runs first.
fn edited(session: &mut Session, line: &str) -> (String, Option<String>) {
    match enter(session, line).control {
        Some(Control::Edit(request)) => {
            assert_eq!(request.file, None);
            (request.text, request.first_entry)
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn an_answer_can_be_written_in_the_editor() {
    let mut session = row();
    for line in [":edit winCondition", ":edit"] {
        assert_eq!(edited(&mut session, line), (String::new(), None));
    }
    assert!(!handle_line(&mut session, ":edit loseCondition").ok);
    // What was not accepted is there again.
    let wrong = "winCondition {\n  win {\n}";
    assert!(!handle_line(&mut session, wrong).ok);
    assert_eq!(edited(&mut session, ":edit winCondition").0, wrong);
    enter(&mut session, TOP_ROW);
    assert_eq!(edited(&mut session, ":edit").0, TOP_ROW);
    // In TinyGame an entity is deleted before it is defined again.
    let mut session = open("tinygame/exercise-bite.session", 2);
    let wolf = "enemy wolf { x = 4; y = 1; bite = 6; }";
    enter(&mut session, wolf);
    let forget = Some(":forget wolf".to_string());
    assert_eq!(edited(&mut session, ":edit wolf"), (wolf.into(), forget));
    // The program of a lesson is not a file.
    assert_eq!(
        edited(&mut session, ":edit knight").1.as_deref(),
        Some(":forget knight")
    );
}

#[test]
fn scores_say_how_much_help_was_needed() {
    let score = |lines: &[&str]| {
        let mut session = row();
        lines
            .iter()
            .for_each(|line| drop(handle_line(&mut session, line)));
        let scores = session.lesson.unwrap().exercise_scores();
        let [score] = &scores[..] else {
            panic!("{scores:?}")
        };
        assert_eq!(score.name, "winCondition");
        (score.result, score.failed_attempts, score.hints_given)
    };
    assert_eq!(score(&[]), (ExerciseResult::Open, 0, 0));
    assert_eq!(
        score(&[TOP_ROW, ":lesson check"]),
        (ExerciseResult::Solved, 0, 0)
    );
    let wrong = "winCondition { win {true} }";
    assert_eq!(
        score(&[
            wrong,
            ":lesson check",
            ":lesson hint",
            TOP_ROW,
            ":lesson check"
        ]),
        (ExerciseResult::SolvedWithHints, 1, 1)
    );
    assert_eq!(
        score(&[":lesson hint", ":lesson solution", ":lesson next"]),
        (ExerciseResult::SolutionShown, 0, 1)
    );
}

#[test]
fn after_the_solution_was_shown_a_wrong_answer_does_not_block_the_lesson() {
    let mut session = row();
    let failed = failure(&mut session, "winCondition { win {false} }");
    assert!(!failed.inputs.is_empty());
    enter(&mut session, ":lesson solution");
    let answer = check(&mut session);
    assert!(answer.ok, "{}", answer.text());
    assert!(session.lesson.as_ref().unwrap().next_exercise().is_none());
    // What is typed after it is checked.
    let mut session = row();
    enter(&mut session, ":lesson solution");
    failure(&mut session, "winCondition { win {false} }");
}
