//! While a program waits for input, inspection commands work and the input prompt is shown again.

use crate::test_session::{TestSession, native_host};
use gridbug::command::handle_line;
use gridbug::command::replay;
use gridbug::session::session_file::SessionFile;
use gridbug::session::{Answer, Session, to_plain_text};
use std::path::Path;

const BOGL: &str = "game G
type Player = {X, O}
type Board = Array (2,2) of Player & {Empty}
type Input = (Int,Int)
start : Board
start!(x,y) = Empty
ask : (Player,Board) -> Board
ask(p,b) = place(p, b, input)
";

const GRIDLANG: &str = "Player {
    int score
}
Layout(2, 2)
{
    Player tom
    tom.position = (0,0)
}
gameLoop()
{
    p.position = prompt(\"to: \", coordinate)
}
";

fn session(language: &str, program: &str) -> Session {
    TestSession::load(language, program).0
}

fn run_line(session: &mut Session, input: &str) -> (Answer, String) {
    let reply = handle_line(session, input);
    let text = to_plain_text(session, &reply).join("\n");
    (reply, text)
}

#[test]
fn inspection_commands_work_at_an_input_prompt() {
    let cases: [(_, _, _, _, &[(&str, &str)]); 2] = [
        (
            "bogl",
            BOGL,
            "ask(X, start)",
            "(2,1)",
            &[
                (":print p", "= X"),
                (":where", "ask     game:8"),
                (":vars", "Empty Empty"),
                (":type (p, b!(1,1))", "(Player,Content)"),
                (":info ask", "a function"),
                (":why p", "p is X"),
                (":up", "entry"),
                (":step", "is waiting for input"),
                (":undo", "is waiting for input"),
                (":nope", "`:help` and `:board` work here"),
                ("(1,True)", "expected `Int` as component 2, found a `Bool`"),
            ],
        ),
        (
            "gridlang",
            GRIDLANG,
            ":turn",
            "(0,1)",
            &[
                (":print tom.score", "= 0"),
                (":where", "gameLoop   game:11"),
                (":vars", "tom"),
                (":turn", "a turn is already being played"),
                (":why tom.position", "tom.position"),
            ],
        ),
    ];
    for (language, program, entry, answer, commands) in cases {
        let mut session = session(language, program);
        let question = run_line(&mut session, entry).0.question;
        assert!(question.is_some(), "{language}");
        let (time, before) = (
            session.target.machine.time(),
            session.target.machine.checkpoint(),
        );
        let in_all_languages = [
            (":help", ":undo"),
            (":board", "1 "),
            (":break 8", "break"),
            (":breaks", "break"),
            (":delete", "deleted 1: break"),
        ];
        for (input, expected) in in_all_languages.iter().chain(commands) {
            let (reply, text) = run_line(&mut session, input);
            assert!(
                text.contains(expected),
                "{language}, {input}: no {expected:?} in\n{text}"
            );
            assert_eq!(
                reply.question, question,
                "{language}, {input}: the prompt is shown again"
            );
            assert_eq!(session.target.machine.time(), time, "{language}, {input}");
            assert!(
                session.target.machine.checkpoint().is_same_game(&before),
                "{language}, {input} has changed something"
            );
        }
        let (reply, text) = run_line(&mut session, answer);
        assert!(
            reply.ok && reply.question.is_none() && session.target.machine.is_idle(),
            "{language}: {text}"
        );
        assert!(run_line(&mut session, ":undo").0.ok, "{language}");
    }
}

#[test]
fn abandon_cancels_an_action_that_waits_for_input() {
    for (language, program, entry) in [
        ("bogl", BOGL, "ask(X, start)"),
        ("gridlang", GRIDLANG, ":turn"),
    ] {
        let mut session = session(language, program);
        let before = session.target.machine.time();
        run_line(&mut session, entry);
        let (reply, text) = run_line(&mut session, ":abandon");
        assert!(
            text.contains("cancelled: ") && reply.question.is_none(),
            "{language}: {text}"
        );
        assert!(
            session.target.machine.is_idle() && !session.target.is_waiting_for_input(),
            "{language}"
        );
        assert_eq!(session.target.machine.time(), before, "{language}");
    }
}

#[test]
fn abandon_at_a_stop_cancels_only_the_inner_action() {
    let mut session = session("bogl", BOGL);
    run_line(&mut session, ":break ask");
    run_line(&mut session, "ask(X, start)");
    assert!(session.target.is_stopped());
    assert!(run_line(&mut session, "input").0.question.is_some());
    run_line(&mut session, ":abandon");
    assert!(session.target.is_stopped() && !session.target.is_waiting_for_input());
    assert_eq!(run_line(&mut session, "print p").1, "= X");
}

#[test]
fn quitting_at_an_input_prompt_does_not_ask_again() {
    let mut session = session("bogl", BOGL);
    run_line(&mut session, "ask(X, start)");
    let (reply, _) = run_line(&mut session, ":quit");
    assert!(reply.is_quit() && reply.question.is_none());
}

#[test]
fn a_session_file_records_commands_at_an_input_prompt() {
    let text = format!(
        "language bogl\nseed 1\n\n--- program game.bgl\n{BOGL}--- session\n\n> ask(X, start)\n  ? input : (Int,Int)\n\
         < :print p\n  = X\n  ? input : (Int,Int)\n< (2,1)\n        1  2\n     1  · (X)\n     2  ·  ·\n"
    );
    let file = SessionFile::parse(&text).expect("it is a session file");
    let replayed = replay(&file, Path::new(""), native_host()).expect("it can be replayed");
    let replies: Vec<String> = replayed
        .entries
        .iter()
        .map(|entry| entry.actual.join("\n"))
        .collect();
    assert_eq!(replies[2], "= X\n? input : (Int,Int)");
    assert!(replies[3].contains("1  · (X)\n"), "{}", replies[3]);
}

/// A BoGL game that asks for numbers until it gets 0, and adds them.
const SUM: &str = "game Sum\ntype Board = Array (1,1) of Int\ntype Input = Int\n\n\
    start : Board\nstart!(x,y) = 0\n\nsum : (Int, Board) -> Int\n\
    sum(n, b) = let i = input in if i == 0 then n else sum(n + i, place(n + i, b, (1,1)))\n\n\
    total : Int\ntotal = sum(0, start)\n";

/// A GridLang game whose turn asks twice.
const TWICE: &str = "Player {\n    int points\n}\nLayout(1, 9)\n{\n    Player ann\n    ann.position = (0,0)\n    \
    playerOrder = [ann]\n}\ngameLoop()\n{\n    int a = prompt(\"a? \", int)\n    \
    int b = prompt(\"b? \", int)\n    p.points = p.points + a * 10 + b\n}\n\
    checkGameEnd()\n{\n    return p.points > 1000\n}\n";

/// Runs lines, and returns the answers as text and whether the program asks at the end.
fn play(session: &mut Session, lines: &[&str]) -> (String, bool) {
    let texts = lines.iter().map(|line| run_line(session, line).1);
    let text = texts.collect::<Vec<_>>().join("\n");
    (text, session.target.is_waiting_for_input())
}

#[test]
fn undo_takes_back_answers_one_by_one_and_redo_gives_them_again() {
    let mut session = session("bogl", SUM);
    play(&mut session, &["total", "1", "2", "3"]);
    let at_four = session.target.machine.checkpoint();
    let (text, is_asking) = play(&mut session, &[":undo"]);
    assert!(text.contains("undone: 3") && is_asking, "{text}");
    let (text, is_asking) = play(&mut session, &[":undo"]);
    assert!(text.contains("undone: 2") && is_asking, "{text}");
    // The same answers lead to the same state.
    let (text, is_asking) = play(&mut session, &[":redo", ":redo"]);
    assert!(
        text.contains("redone: 2") && text.contains("redone: 3") && is_asking,
        "{text}"
    );
    assert!(session.target.machine.checkpoint().is_same_game(&at_four));
    // Other answers lead elsewhere, also after several were taken back at once.
    let (text, is_asking) = play(&mut session, &[":undo 2", "5", "0"]);
    assert!(text.contains("= 6") && !is_asking, "{text}");
    // After the end, too; redo shows the value again.
    let (text, is_asking) = play(&mut session, &[":undo"]);
    assert!(text.contains("undone: 0") && is_asking, "{text}");
    let (text, is_asking) = play(&mut session, &[":redo"]);
    assert!(
        text.contains("redone: 0") && text.contains("= 6") && !is_asking,
        "{text}"
    );
    // The first question has nothing before it.
    let (_, is_asking) = play(&mut session, &[":undo 3"]);
    assert!(is_asking);
    let (reply, text) = run_line(&mut session, ":undo");
    assert!(!reply.ok && text.contains("waiting for input"), "{text}");
    // `:abandon` still cancels all of it.
    let (text, is_asking) = play(&mut session, &["7", ":abandon"]);
    assert!(text.contains("cancelled: total") && !is_asking, "{text}");
    let (text, is_asking) = play(&mut session, &["total", "0"]);
    assert!(text.contains("= 0") && !is_asking, "{text}");
}

#[test]
fn undo_goes_back_into_the_turn_before() {
    let mut session = session("gridlang", TWICE);
    play(&mut session, &[":turn", "1", "2", ":turn"]);
    let (text, is_asking) = play(&mut session, &[":undo", ":print a"]);
    assert!(
        text.contains("undone: 2") && text.contains("= 1") && is_asking,
        "{text}"
    );
    let (text, _) = play(&mut session, &["5", ":print ann.points"]);
    assert!(text.contains("= 15"), "{text}");
    let (text, is_asking) = play(
        &mut session,
        &[":undo", ":undo", "3", "4", ":print ann.points"],
    );
    assert!(text.contains("= 34") && !is_asking, "{text}");
    // Redo also starts the turn again that had been started.
    play(&mut session, &[":turn"]);
    let (text, is_asking) = play(&mut session, &[":undo", ":redo", ":print ann.points"]);
    assert!(
        text.contains("redone: 4") && text.contains("= 34") && !is_asking,
        "{text}"
    );
    let (text, is_asking) = play(&mut session, &[":redo"]);
    assert!(text.contains("redone: :turn") && is_asking, "{text}");
}

#[test]
fn a_session_with_answers_taken_back_replays() {
    for (language, program, lines) in [
        (
            "bogl",
            SUM,
            &[
                "total", "1", "2", ":undo", "3", ":undo 2", "4", "5", "0", ":undo", "1",
            ][..],
        ),
        (
            "gridlang",
            TWICE,
            &[
                ":turn", "1", "2", ":undo", "3", ":turn", ":undo", "4", ":turn", "5",
            ],
        ),
    ] {
        let mut first = session(language, program);
        play(&mut first, lines);
        let mut second = session(language, program);
        play(&mut second, lines);
        let state = |s: &mut Session| s.target.machine.checkpoint();
        let before = state(&mut second);
        assert!(state(&mut first).is_same_game(&before), "{language}");
        // Going through the history changes nothing.
        let (text, _) = play(&mut first, &[":back 3", ":goto start", ":goto end"]);
        assert!(
            state(&mut first).is_same_game(&before),
            "{language}: {text}"
        );
        assert!(first.target.is_waiting_for_input(), "{language}: {text}");
    }
}
