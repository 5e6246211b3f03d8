//! Costs that must not grow: checkpoints with the size of the board, entries with the length of the
//! history. Measured in bytes, so that the tests do not depend on timing.

use gridbug::command::execute;
use gridbug::languages;
use gridbug::session::Session;

fn session_with_board(side: u32) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = format!(
        "board {{ dimensions {{{side}, {side}}} image {{b.png}} }} def n {{0}}
         piece {{ name {{\"a\"}} onClick {{ n {{n + 1}} visible {{true}} }} }}
         setup {{ for x, y in board {{ place {{\"a\", x, y}} }} }}"
    );
    assert!(session.load("game.gl", &program).ok);
    session
}

/// Bytes of checkpoints added by one click.
fn click_bytes(session: &mut Session) -> u64 {
    let before = session.target.timeline.checkpoint_bytes();
    execute(session, "click {1, 1}");
    session.target.timeline.checkpoint_bytes() - before
}

#[test]
fn checkpoint_size_is_independent_of_the_board() {
    let (mut small, mut large) = (session_with_board(20), session_with_board(1000));
    // The first click of a game has no checkpoint to share pages with.
    click_bytes(&mut small);
    click_bytes(&mut large);
    let (small, large) = (click_bytes(&mut small), click_bytes(&mut large));
    // 2500 times the cells, but only the written page and the page table are copied.
    assert!(
        large < small * 3,
        "{small} bytes on 20 x 20, {large} on 1000 x 1000"
    );
}

#[test]
fn entry_size_is_independent_of_the_history() {
    let mut session = session_with_board(20);
    for _ in 0..10 {
        click_bytes(&mut session);
    }
    let early = click_bytes(&mut session);
    for _ in 0..2000 {
        execute(&mut session, "click {2, 2}");
    }
    let late = click_bytes(&mut session);
    assert!(
        late <= early + 256,
        "{early} bytes early, {late} bytes after 2000 entries"
    );
}

/// For each language: an action in its sample game, and an expression to evaluate.
const SAMPLE_ENTRIES: [(&str, &str, &str); 5] = [
    ("gridlok", "click {1, 1}", "1 + 1"),
    ("bogl", "1 + 2", "1 + 1"),
    ("gridlang", ":turn", "1 + 1"),
    ("tinygame", "move knight right 1;", "knight.x"),
    ("sgl2d", "right", "counter1"),
];

#[test]
fn queries_do_not_accumulate_functions() {
    for (name, action, query) in SAMPLE_ENTRIES {
        let language = *languages::ALL
            .iter()
            .find(|l| l.info().name == name)
            .unwrap();
        let mut session = Session::new(language, 1);
        assert!(session.load("sample", language.info().sample).ok);
        execute(&mut session, action);
        execute(&mut session, query);
        let functions = session.target.program().functions.len();
        for _ in 0..20 {
            let reply = execute(&mut session, query);
            assert!(
                reply.ok && reply.value.is_some(),
                "{name}: {:?}",
                reply.diagnostics
            );
        }
        assert_eq!(
            session.target.program().functions.len(),
            functions,
            "{name}"
        );
    }
}

#[test]
fn history_stays_within_its_budget() {
    let mut session = session_with_board(100);
    session.target.machine.limits.max_history_bytes = 4 << 20;
    for n in 0..400 {
        execute(
            &mut session,
            &format!(
                "for x, y in board {{ if (x + y) % 40 == {} {{ click {{x, y}} }} }}",
                n % 40
            ),
        );
    }
    assert!(
        session.target.timeline.checkpoint_bytes() < 8 << 20,
        "{} bytes",
        session.target.timeline.checkpoint_bytes()
    );
    // Thinned-out history still allows seeking to any time.
    let (first, last) = session.target.timeline.time_range();
    let end = session.target.machine.checkpoint();
    session
        .target
        .timeline
        .seek(&mut session.target.machine, (first + last) / 2);
    assert_eq!(session.target.machine.time(), (first + last) / 2);
    session
        .target
        .timeline
        .seek(&mut session.target.machine, last);
    assert!(session.target.machine.checkpoint().is_same_state(&end));
}
