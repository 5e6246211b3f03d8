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
