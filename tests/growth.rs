//! What must not grow: a checkpoint with the board, an entry with the history, the reading of a line with the lines
//! before it. Bytes are counted; where time must be, it is the growth that counts, and the best of some tries.

use gridbug::command::execute;
use gridbug::languages;
use gridbug::session::Session;

fn played(side: u32) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = format!(
        "board {{ dimensions {{{side}, {side}}} image {{b.png}} }} def n {{0}}
         piece {{ name {{\"a\"}} onClick {{ n {{n + 1}} visible {{true}} }} }}
         setup {{ for x, y in board {{ place {{\"a\", x, y}} }} }}"
    );
    assert!(session.load("game.gl", &program).ok);
    session
}

/// What one click costs in kept bytes.
fn click_bytes(session: &mut Session) -> u64 {
    let before = session.timeline.checkpoint_bytes();
    execute(session, "click {1, 1}");
    session.timeline.checkpoint_bytes() - before
}

#[test]
fn a_checkpoint_does_not_grow_with_the_board() {
    let (mut small, mut large) = (played(20), played(1000));
    // The first click of a game still shares nothing.
    click_bytes(&mut small);
    click_bytes(&mut large);
    let (small, large) = (click_bytes(&mut small), click_bytes(&mut large));
    // 2500 times the cells; a page and the table of pages are all that is copied.
    assert!(
        large < small * 3,
        "{small} bytes on 20 x 20, {large} on 1000 x 1000"
    );
}

#[test]
fn an_entry_does_not_grow_with_the_history() {
    let mut session = played(20);
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

/// An action of each language's sample game and something to look at, in the order of the languages.
const TYPED: [(&str, &str, &str); 5] = [
    ("gridlok", "click {1, 1}", "1 + 1"),
    ("bogl", "1 + 2", "1 + 1"),
    ("gridlang", ":turn", "1 + 1"),
    ("tinygame", "move knight right 1;", "knight.x"),
    ("sgl2d", "right", "counter1"),
];

#[test]
fn what_is_typed_does_not_pile_up_as_code() {
    for (name, action, look) in TYPED {
        let language = *languages::ALL
            .iter()
            .find(|l| l.info().name == name)
            .unwrap();
        let mut session = Session::new(language, 1);
        assert!(session.load("sample", language.info().sample).ok);
        execute(&mut session, action);
        execute(&mut session, look);
        let functions = session.program().functions.len();
        for _ in 0..20 {
            let reply = execute(&mut session, look);
            assert!(
                reply.ok && reply.value.is_some(),
                "{name}: {:?}",
                reply.diagnostics
            );
        }
        assert_eq!(session.program().functions.len(), functions, "{name}");
    }
}

#[test]
fn the_past_stays_within_its_budget() {
    let mut session = played(100);
    session.machine.limits.max_history_bytes = 4 << 20;
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
        session.timeline.checkpoint_bytes() < 8 << 20,
        "{} bytes",
        session.timeline.checkpoint_bytes()
    );
    // However much was thinned out, every time can still be gone to.
    let (first, last) = session.timeline.time_range();
    let end = session.machine.checkpoint();
    session
        .timeline
        .seek(&mut session.machine, (first + last) / 2);
    assert_eq!(session.machine.time(), (first + last) / 2);
    session.timeline.seek(&mut session.machine, last);
    assert!(session.machine.checkpoint().is_same_state(&end));
}
