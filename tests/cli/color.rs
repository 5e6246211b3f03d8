//! Every color is readable on both black and white, because the background of the terminal is
//! unknown.
//!
//! The 16 named colors look different in every terminal, and some of them are unreadable in many.
//! Only colors of the 6 x 6 x 6 cube are allowed.

use crate::pty_session::PtySession;
use std::path::Path;

/// Relative luminance of a color of the cube, 0 to 1, as defined by WCAG.
fn luminance(color: u8) -> f64 {
    let n = usize::from(color - 16);
    let linear = |step: usize| {
        let channel = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0][step] / 255.0;
        if channel <= 0.040_45 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055_f64).powf(2.4)
        }
    };
    0.2126 * linear(n / 36 % 6) + 0.7152 * linear(n / 6 % 6) + 0.0722 * linear(n % 6)
}

fn assert_readable(terminal: &PtySession, what: &str) {
    for color in terminal.colors() {
        let vt100::Color::Idx(n @ 16..=231) = color else {
            panic!(
                "{what}: {color:?} is not in the color cube:\n{}",
                terminal.screen()
            )
        };
        let (on_black, on_white) = ((luminance(n) + 0.05) / 0.05, 1.05 / (luminance(n) + 0.05));
        assert!(
            on_black >= 2.8 && on_white >= 2.8,
            "{what}: color {n} has contrast {on_black:.1} on black, {on_white:.1} on white"
        );
    }
}

#[test]
fn replies_are_readable_on_black_and_on_white() {
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
        let mut terminal =
            PtySession::new(&format!("color-{language}"), &["--lang", language], 100, 70);
        for entry in entries {
            terminal.type_line(entry);
            terminal.wait_until("a reply", PtySession::is_at_prompt);
            assert_readable(&terminal, &format!("{language}: {entry}"));
        }
        assert!(
            terminal.colors().len() > 1,
            "{language}: the output has no colors:\n{}",
            terminal.screen()
        );
    }
}

#[test]
fn boards_with_many_kinds_are_readable() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    for game in [
        "sgl2d/orchard.sgl2d",
        "gridlang/capture.grid",
        "bogl/guess.bgl",
        "tinygame/duel.tg",
    ] {
        let file = sessions.join(game).to_string_lossy().into_owned();
        let terminal = PtySession::new(
            &format!("color-{}", game.replace('/', "-")),
            &[&file],
            100,
            40,
        );
        assert_readable(&terminal, game);
    }
}

#[test]
fn command_line_errors_are_readable() {
    for (n, arguments) in [
        &["--lag", "x"][..],
        &["--color", "red"],
        &["completions", "csh"],
        &["-h"],
    ]
    .iter()
    .enumerate()
    {
        let name = format!("color-line-{n}");
        let mut terminal =
            PtySession::spawn(&name, env!("CARGO_BIN_EXE_gridbug"), arguments, 100, 60);
        terminal.wait_for_exit();
        terminal.wait_until("a reply", |terminal| terminal.screen().contains("--help"));
        assert_readable(&terminal, &arguments.join(" "));
    }
}
