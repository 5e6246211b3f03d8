//! Random sessions with the debugger: every answer is the same to the byte.

use super::comparison::Pair;
use super::games::Game;
use super::rng::Rng;
use super::{game_count, rng};

const COMMANDS: [&str; 46] = [
    "step",
    "step 3",
    "next",
    "finish",
    "over",
    "iter",
    "continue",
    "continue 2",
    "until 19",
    "se",
    "rs",
    "rn",
    "rf",
    "rc",
    ":when",
    ":where",
    ":vars",
    ":state",
    ":undo",
    ":redo",
    ":goto start",
    ":goto end",
    ":first seen > 3",
    ":first turnCount == 1",
    ":last seen",
    ":diff before",
    ":mark before",
    ":why seen",
    ":why turn",
    ":why [0][0]",
    ":why win",
    ":abandon",
    ":restart",
    ":coverage",
    ":trace on",
    ":trace off",
    ":delete",
    ":disable",
    ":enable",
    ":print seen + 1",
    ":branches",
    ":jump back",
    ":rounds",
    ":rules on",
    ":rules off",
    ":display seen",
];

const BREAKPOINTS: [&str; 12] = [
    ":break winCondition",
    ":break mine",
    ":break same if seen > 2",
    ":tbreak loseCondition",
    ":break 19 hits 3",
    ":break onClick",
    ":watch seen",
    ":watch [0][1]",
    ":rwatch seen",
    ":watch if seen > 5",
    ":log same \"seen {seen}\"",
    ":always seen < 40",
];

fn line(rng: &mut Rng, game: &Game, range: (u64, u64)) -> String {
    match rng.below(10) {
        0..=3 => rng.pick(&COMMANDS).to_string(),
        4 => rng.pick(&BREAKPOINTS).to_string(),
        5 => {
            let time = range.0 + rng.below((range.1 - range.0 + 1) as usize) as u64;
            format!(":goto {time}")
        }
        6 => rng.pick(&game.entries).clone(),
        _ => format!(
            "click {{{}, {}}}",
            rng.below(game.rows),
            rng.below(game.cols)
        ),
    }
}

#[test]
fn random_debugger_sessions_are_identical() {
    let mut reused = 0;
    for number in 0..game_count(16) {
        let mut rng = rng("debugger", number);
        let game = Game::random(&mut rng);
        let mut pair = Pair::start(&game.text);
        let mut typed = Vec::new();
        for _ in 0..25 {
            let line = line(&mut rng, &game, pair.time_range());
            typed.push(line.clone());
            if let Err(difference) = pair.enter(&line) {
                let typed = typed.join("\n");
                panic!(
                    "session {number}: {difference}\n{}\n--- typed\n{typed}",
                    game.text
                );
            }
        }
        reused += pair.reused();
    }
    assert!(reused > 60, "only {reused} units were reused");
}
