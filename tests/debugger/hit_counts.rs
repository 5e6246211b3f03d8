//! The hit count of a breakpoint is the number of its hits up to the current position, however that
//! was reached.

use crate::test_session::TestSession;
use gridbug::analysis::inspect;
use std::collections::BTreeSet;

struct Game {
    language: &'static str,
    program: &'static str,
    breakpoints: &'static [&'static str],
    /// Entries that hit them; each has an effect.
    entries: [&'static str; 3],
    /// A condition that is false at first and becomes true.
    condition: &'static str,
}

const GAMES: [Game; 5] = [
    Game {
        language: "gridlok",
        program: "board { dimensions {2, 2} image {b.png} }
players {\"x\", \"o\"}
def n {0}
piece { name {\"free\"}
  onClick {
    n {n + 1}
    bump {3}
    endTurn {}
  }
}
setup { for r, c in board { place {\"free\", r, c} } }
fun bump(k) {
  n {n + k}
  if k > 0 { bump {k - 1} }
}",
        breakpoints: &[
            ":break bump",
            ":break bump if k == 1",
            ":watch n",
            ":break on endTurn",
        ],
        entries: ["click{0,0}", "n {n + 1} bump{1}", "click{1,1}"],
        condition: "n > 9",
    },
    Game {
        language: "bogl",
        program: "game G\nf : Int -> Int\nf(n) = if n == 0 then 0 else 1 + f(n - 1)\n",
        breakpoints: &[":break f", ":break f if n == 1"],
        entries: ["let a = f(3)", "let b = f(2)", "let c = f(1)"],
        condition: "1 > 2",
    },
    Game {
        language: "gridlang",
        program: "int n = 0
Layout(2, 2) { Player p1 }
function f(int k): int {
  n = n + k
  if (k > 0) { f(k - 1) }
  return n
}",
        breakpoints: &[":break f", ":break f if k == 1", ":watch n"],
        entries: ["f(3)", "f(1)", "n = n + 1"],
        condition: "n > 3",
    },
    Game {
        language: "tinygame",
        program: "player hero { x = 4; y = 5; }\nenemy orc { x = 1; y = 1; }",
        breakpoints: &[":watch hero.x", ":watch orc.x", ":watch if hero.x > 5"],
        entries: [
            "move hero right 3;",
            "move hero left 2; move hero right 1; move orc right 1;",
            "move orc right 2;",
        ],
        condition: "hero.x == 5",
    },
    Game {
        language: "sgl2d",
        program: "player > x=4 y=5\n",
        breakpoints: &[":watch player.x", ":watch if player.x > 5"],
        entries: ["right 2", "left", "right"],
        condition: "player.x == 6",
    },
];

/// The hits that stopped the program: the breakpoint's number, and the time.
#[derive(Default)]
struct Hits(BTreeSet<(u32, u64)>);

impl Hits {
    /// Types an entry and continues to its end.
    fn play(&mut self, session: &mut TestSession, entry: &str) {
        let mut reply = session.reply(entry);
        while let Some(stop) = reply.stop {
            self.0
                .extend(stop.hits.iter().map(|hit| (hit.id, stop.time)));
            reply = session.reply(":continue");
        }
    }

    #[track_caller]
    fn check(&self, session: &TestSession, after: &str) {
        let now = session.0.target.machine.time();
        for b in inspect::describe_breakpoints(&session.0.target) {
            let expected = self.0.iter().filter(|(id, t)| *id == b.id && *t <= now);
            let times: Vec<u64> = self.0.iter().map(|(_, t)| *t).collect();
            assert_eq!(
                b.hits,
                expected.count() as u64,
                "breakpoint {} at time {now} after `{after}`; hits at {times:?}",
                b.id
            );
        }
    }
}

const MOVES: [&str; 20] = [
    ":goto start",
    ":step",
    ":step 4",
    ":next 2",
    ":continue",
    ":goto here",
    ":reverse-step",
    ":reverse-step 3",
    ":reverse-next",
    ":reverse-continue",
    ":finish",
    ":jump back",
    ":jump forward",
    ":undo",
    ":redo",
    ":next event",
    ":first CONDITION",
    ":reverse-finish",
    ":undo 2",
    ":goto end",
];

#[test]
fn hit_counts_follow_the_position_in_the_history() {
    for game in &GAMES {
        let mut session = TestSession::load(game.language, game.program);
        for line in game.breakpoints {
            assert!(session.reply(line).ok, "{line}");
        }
        let mut hits = Hits::default();
        for (n, entry) in game.entries.iter().enumerate() {
            hits.play(&mut session, entry);
            hits.check(&session, entry);
            if n == 1 {
                session.reply(":mark here");
            }
        }
        assert!(!hits.0.is_empty(), "{} has hit nothing", game.language);
        // Every move from the position that every other one leads to.
        for first in MOVES {
            for second in MOVES {
                for line in [first, second] {
                    let line = line.replace("CONDITION", game.condition);
                    session.reply(&line);
                    hits.check(&session, &format!("{}: {first}, {second}", game.language));
                }
            }
        }
    }
}

#[test]
fn each_branch_has_its_own_hits() {
    for game in &GAMES {
        let mut session = TestSession::load(game.language, game.program);
        for line in game.breakpoints {
            session.reply(line);
        }
        let counts = |session: &TestSession| -> Vec<u64> {
            let breakpoints = inspect::describe_breakpoints(&session.0.target);
            breakpoints.iter().map(|b| b.hits).collect()
        };
        let [first, second, third] = game.entries;
        let mut hits = Hits::default();
        hits.play(&mut session, first);
        let after_first = counts(&session);
        hits.play(&mut session, second);
        hits.play(&mut session, third);
        let at_end = counts(&session);
        session.reply(":undo 2");
        assert_eq!(counts(&session), after_first, "{}", game.language);
        hits.play(&mut session, third);
        let on_other = counts(&session);
        session.expect(":branches 1", &[]);
        assert_eq!(counts(&session), at_end, "{}", game.language);
        session.reply(":branches 1");
        assert_eq!(counts(&session), on_other, "{}", game.language);
        // A branch of a branch keeps what they have in common.
        session.reply(":undo 2");
        hits.play(&mut session, second);
        session.reply(":branches 1");
        assert_eq!(counts(&session), at_end, "{}", game.language);
    }
}

/// A breakpoint that is set later counts the hits that it meets.
#[test]
fn hits_in_the_past_of_a_new_breakpoint_are_counted_once() {
    let game = &GAMES[0];
    let mut session = TestSession::load(game.language, game.program);
    session.reply("click{0,0}");
    session.reply("click{1,1}");
    session.reply(":break bump");
    let hits = |session: &TestSession| inspect::describe_breakpoints(&session.0.target)[0].hits;
    assert_eq!(hits(&session), 0);
    session.expect(":reverse-continue", &["breakpoint 1 in bump"]);
    assert_eq!(hits(&session), 1);
    session.reply(":goto start");
    assert_eq!(hits(&session), 0);
    for count in 1..=8 {
        session.expect(":continue", &["breakpoint 1 in bump"]);
        assert_eq!(hits(&session), count);
    }
    session.reply(":continue");
    assert_eq!(hits(&session), 8);
    for count in (1..=8).rev() {
        session.expect(":reverse-continue", &["breakpoint 1 in bump"]);
        assert_eq!(hits(&session), count);
    }
}

/// The hits that `:ignore` ignores are the same ones when they are replayed.
#[test]
fn ignored_hits_are_ignored_in_both_directions() {
    let game = &GAMES[0];
    let mut session = TestSession::load(game.language, game.program);
    session.reply(":break bump");
    session.expect("click{0,0}", &["k=3"]);
    session.reply(":ignore 1 2");
    session.expect(":continue", &["k=0"]);
    session.expect(":reverse-continue", &["k=3"]);
    session.expect(":breaks", &["ignored 2 times more"]);
    session.expect(":continue", &["k=0"]);
    session.reply(":goto start");
    session.expect(":continue", &["k=3"]);
    session.expect(":continue", &["k=0"]);
}

/// Entries that are dropped to save memory still count.
#[test]
fn hits_in_dropped_history_are_counted() {
    let game = &GAMES[2];
    let mut session = TestSession::load(game.language, game.program);
    session.0.target.machine.limits.max_history_bytes = 1;
    session.reply(":log f \"here\"");
    for _ in 0..100 {
        session.reply("f(1)");
    }
    assert!(session.0.target.timeline.dropped_history().is_some());
    assert_eq!(
        inspect::describe_breakpoints(&session.0.target)[0].hits,
        200
    );
    session.reply(":undo");
    assert_eq!(
        inspect::describe_breakpoints(&session.0.target)[0].hits,
        198
    );
}
