//! Limits and interrupts end a run at the same time, whether units are reused or not.

use super::comparison::Pair;
use super::games::Game;
use gridbug::machine::{Outcome, Pause};
use std::sync::atomic::Ordering;

/// The instruction limit is noticed at the same instruction, wherever it falls.
#[test]
fn the_instruction_limit_ends_a_run_at_the_same_time() {
    for limit in (200..4_000).step_by(97) {
        let mut pair = Pair::start(&Game::lines(9).text);
        pair.play(&["click {0, 0}", "click {1, 1}", "click {2, 2}"])
            .expect("the games should agree");
        for session in [&mut pair.incremental, &mut pair.plain] {
            session.target.machine.limits.max_instructions = limit;
        }
        pair.enter("click {3, 3}")
            .unwrap_or_else(|e| panic!("limit {limit}: {e}"));
    }
}

/// So is the memory limit, which is checked now and then.
#[test]
fn the_memory_limit_ends_a_run_at_the_same_time() {
    let text = Game::lines(20).text.replace(
        "setup {",
        "def bag {0,}\n fun fill(k) { for i(0, k) { bag {i} } }\n setup {",
    );
    for kilobytes in [20, 60, 100, 150, 400] {
        let mut pair = Pair::start(&text);
        pair.play(&["click {0, 0}", "click {1, 1}"])
            .expect("the games should agree");
        for session in [&mut pair.incremental, &mut pair.plain] {
            session.target.machine.limits.max_memory_bytes = kilobytes << 10;
        }
        for n in 2..14 {
            pair.play(&[
                format!("fill {{1000}} click {{{n}, {n}}}"),
                format!("click {{{n}, {}}}", n - 1),
            ])
            .unwrap_or_else(|e| panic!("{kilobytes} KB: {e}"));
        }
    }
}

/// Ctrl-C inside of a stretch that is skipped stops at the end of a unit; going there again, with or
/// without reuse, gives the same state.
#[test]
fn an_interrupt_is_repeated_exactly() {
    let game = Game::lines(200);
    let mut pair = Pair::start(&game.text);
    pair.play(&["click {0, 0}", "click {1, 1}"])
        .expect("the games should agree");
    let target = &mut pair.incremental.target;
    let before = target.machine.checkpoint();
    let win = target
        .machine
        .program()
        .functions
        .iter()
        .position(|f| f.name.as_str() == "winCondition")
        .expect("there is a condition");
    let win = gridbug::code::FunctionId(win as u32);
    target.machine.start(win, &[]).expect("it starts");
    let reused = target.machine.incremental_counts().reused;
    target
        .machine
        .interrupt_flag()
        .store(true, Ordering::SeqCst);
    let outcome = target.machine.run();
    assert_eq!(outcome, Outcome::Paused(Pause::Interrupt));
    assert!(target.machine.incremental_counts().reused > reused);
    let interrupted = target.machine.checkpoint();
    for min_cells in [Some(0), None] {
        target.machine.set_incremental(min_cells);
        target.machine.restore(&before);
        target.machine.start(win, &[]).expect("it starts");
        target.machine.interrupt_at(Some(interrupted.time));
        assert_eq!(
            target.machine.run(),
            Outcome::Paused(Pause::Interrupt),
            "with {min_cells:?}"
        );
        let again = target.machine.checkpoint();
        assert_eq!(
            again.first_difference(&interrupted),
            None,
            "with {min_cells:?}"
        );
        let outcome = target.machine.run();
        assert!(matches!(outcome, Outcome::Finished(_)), "{outcome:?}");
    }
}
