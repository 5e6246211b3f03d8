//! Promise: terminals are dark or light, and do not say which; whatever has a colour can be read on black and on white.
//!
//! The sixteen colours that have names look different in every terminal, and some of them can't be seen in one half of
//! them: only those of the cube may stand on a screen.

use crate::keyboard::Keyboard;
use std::path::Path;

/// How light a colour of the cube is, 0 to 1, as the guidelines for reading on screens have it.
fn light(colour: u8) -> f64 {
    let n = usize::from(colour - 16);
    let linear = |step: usize| {
        let shade = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0][step] / 255.0;
        if shade <= 0.040_45 {
            shade / 12.92
        } else {
            ((shade + 0.055) / 1.055_f64).powf(2.4)
        }
    };
    0.2126 * linear(n / 36 % 6) + 0.7152 * linear(n / 6 % 6) + 0.0722 * linear(n % 6)
}

fn readable(k: &Keyboard, what: &str) {
    for colour in k.colours() {
        let vt100::Color::Idx(n @ 16..=231) = colour else {
            panic!("{what}: {colour:?} is none of the cube:\n{}", k.screen())
        };
        let (on_black, on_white) = ((light(n) + 0.05) / 0.05, 1.05 / (light(n) + 0.05));
        assert!(
            on_black >= 2.8 && on_white >= 2.8,
            "{what}: {n} has {on_black:.1} on black, {on_white:.1} on white"
        );
    }
}

#[test]
fn what_is_answered_can_be_read_on_black_and_on_white() {
    let entries: [(&str, &[&str]); 5] = [
        (
            "gridlok",
            &[
                "def n {1} /* one */",
                "nope",
                "fun f() { return gg{} }",
                ":break f",
                "f{}",
                "back",
                ":why n",
                "abandon",
            ],
        ),
        (
            "bogl",
            &[
                "f : Int -> Int",
                "f(n) = True",
                "",
                "1 + True",
                ":type 1",
                ":help bogl",
            ],
        ),
        (
            "gridlang",
            &[
                "int n = 1",
                "m",
                "\"a\" + 1",
                ":watch n",
                "n = 2",
                "continue",
            ],
        ),
        (
            "tinygame",
            &[
                "player hero { x = 0; y = 0; }",
                "enemy owl { x = 1; y = 1; }",
                "ghost.x",
                ":explain TG101",
            ],
        ),
        (
            "sgl2d",
            &[
                "player > color=white",
                "goal > x=1 color=yellow",
                "sprite a > color=black",
                "sprite b > color=gren",
            ],
        ),
    ];
    for (language, entries) in entries {
        let mut k = Keyboard::new(
            &format!("colour-{language}"),
            &["--lang", language],
            100,
            70,
        );
        for entry in entries {
            k.enter(entry);
            k.waits("an answer", Keyboard::prompted);
            readable(&k, &format!("{language}: {entry}"));
        }
        assert!(
            k.colours().len() > 1,
            "{language}: there are colours at all:\n{}",
            k.screen()
        );
    }
}

#[test]
fn so_can_boards_with_many_kinds() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    for game in [
        "sgl2d/orchard.sgl2d",
        "gridlang/capture.grid",
        "bogl/guess.bgl",
        "tinygame/duel.tg",
    ] {
        let file = sessions.join(game).to_string_lossy().into_owned();
        let k = Keyboard::new(
            &format!("colour-{}", game.replace('/', "-")),
            &[&file],
            100,
            40,
        );
        readable(&k, game);
    }
}

#[test]
fn so_can_what_is_said_of_a_wrong_command_line() {
    for (n, arguments) in [
        &["--lag", "x"][..],
        &["--color", "red"],
        &["completions", "csh"],
        &["-h"],
    ]
    .iter()
    .enumerate()
    {
        let name = format!("colour-line-{n}");
        let mut k = Keyboard::asked(&name, env!("CARGO_BIN_EXE_gridbug"), arguments, 100, 60);
        k.ends();
        k.waits("an answer", |k| k.screen().contains("--help"));
        readable(&k, &arguments.join(" "));
    }
}
