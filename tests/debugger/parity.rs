//! The same game in several languages: same boards, and same replies to the same commands.

use gridbug::answer::StopReason;
use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Session, to_plain_text};

/// The walking game in one language.
struct Walker {
    session: Session,
    /// The names of the two coordinates.
    names: [&'static str; 2],
    /// The entry for a move: direction and number of steps.
    entry: fn(&str, i64) -> String,
    /// 1 if coordinates grow downwards, -1 if upwards.
    down: i64,
}

fn session(language: &str, file: &str, program: &str) -> Session {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load(file, program);
    assert!(reply.ok, "{file}: {:?}", reply.diagnostics);
    session
}

/// The change of coordinates for a move, with rows counted downwards.
fn steps(direction: &str, n: i64) -> (i64, i64) {
    match direction {
        "right" => (n, 0),
        "left" => (-n, 0),
        "down" => (0, n),
        _ => (0, -n),
    }
}

fn walkers() -> Vec<Walker> {
    let gridlok = "board { dimensions {10, 10} image {b.png} }
        players {\"p\"}
        piece { name {\"hero\"} }
        def x {4} def y {5}
        fun go(dx, dy) { removePiece {y, x} x {x + dx} y {y + dy} place {\"hero\", y, x} }
        setup { place {\"hero\", y, x} }";
    let tinygame = "player hero { x = 4; y = -5; }";
    let sgl2d = "player > x=4 y=5\n";
    let gridlang = "Player { int x = 4; int y = 5 }
        Layout(10, 10) { Player hero; hero.position = (hero.y, hero.x) }
        function go(int dx, int dy) { hero.x += dx; hero.y += dy; hero.position = (hero.y, hero.x) }";
    vec![
        Walker {
            session: session("gridlok", "walk.gl", gridlok),
            names: ["x", "y"],
            entry: |direction, n| {
                let (dx, dy) = steps(direction, n);
                format!("go {{{dx}, {dy}}}")
            },
            down: 1,
        },
        Walker {
            session: session("tinygame", "walk.tg", tinygame),
            names: ["hero.x", "hero.y"],
            entry: |direction, n| format!("move hero {direction} {n};"),
            down: -1,
        },
        Walker {
            session: session("sgl2d", "walk.sgl2d", sgl2d),
            names: ["player.x", "player.y"],
            entry: |direction, n| format!("{direction} {n}"),
            down: 1,
        },
        Walker {
            session: session("gridlang", "walk.grid", gridlang),
            names: ["hero.x", "hero.y"],
            entry: |direction, n| {
                let (dx, dy) = steps(direction, n);
                format!("go({dx}, {dy})")
            },
            down: 1,
        },
    ]
}

impl Walker {
    fn position(&self) -> (i64, i64) {
        let variables = self.session.target.named_values().variables;
        let value = |name: &str| {
            let found = variables
                .iter()
                .find(|(n, _)| n == name)
                .and_then(|(_, v)| v.as_int());
            found.unwrap_or_else(|| panic!("{name} is not in {variables:?}"))
        };
        (value(self.names[0]), value(self.names[1]) * self.down)
    }

    fn walk(&mut self, direction: &str, n: i64) {
        let reply = execute(&mut self.session, &(self.entry)(direction, n));
        assert!(reply.ok, "{:?}", reply.diagnostics);
    }
}

const WALK: &[(&str, i64, (i64, i64))] = &[
    ("right", 3, (7, 5)),
    ("down", 2, (7, 7)),
    ("left", 5, (2, 7)),
    ("up", 4, (2, 3)),
    ("right", 1, (3, 3)),
];

#[test]
fn the_same_walk_ends_at_the_same_positions() {
    for mut walker in walkers() {
        assert_eq!(walker.position(), (4, 5));
        for (direction, n, at) in WALK {
            walker.walk(direction, *n);
            assert_eq!(
                walker.position(),
                *at,
                "{} after {direction} {n}",
                walker.session.target.language().info().title
            );
        }
    }
}

#[test]
fn undo_and_redo_work_the_same_in_all_languages() {
    for mut walker in walkers() {
        for (direction, n, _) in WALK {
            walker.walk(direction, *n);
        }
        let title = walker.session.target.language().info().title;
        assert!(execute(&mut walker.session, ":undo").ok, "{title}");
        assert_eq!(walker.position(), (2, 3), "{title}");
        assert!(execute(&mut walker.session, ":undo 2").ok, "{title}");
        assert_eq!(walker.position(), (7, 7), "{title}");
        assert!(execute(&mut walker.session, ":redo").ok, "{title}");
        assert_eq!(walker.position(), (2, 7), "{title}");
        assert!(execute(&mut walker.session, ":restart").ok, "{title}");
        assert_eq!(walker.position(), (4, 5), "{title}");
    }
}

#[test]
fn watchpoints_and_why_work_the_same_in_all_languages() {
    for mut walker in walkers() {
        let title = walker.session.target.language().info().title;
        let name = walker.names[0];
        assert!(
            execute(&mut walker.session, &format!(":watch {name}")).ok,
            "{title}"
        );
        let reply = execute(&mut walker.session, &(walker.entry)("right", 1));
        let stop = reply
            .stop
            .as_ref()
            .unwrap_or_else(|| panic!("{title} does not stop"));
        assert_eq!(stop.reason, StopReason::Watch, "{title}");
        assert!(
            reply
                .text_lines()
                .iter()
                .any(|l| l.text().contains("4 => 5")),
            "{title}: {:?}",
            reply.text_lines()
        );
        let reply = execute(&mut walker.session, ":continue");
        assert!(reply.stop.is_none(), "{title}");
        assert_eq!(walker.position(), (5, 5), "{title}");
        let reply = execute(&mut walker.session, &format!(":why {name}"));
        assert!(
            reply.ok
                && reply
                    .text_lines()
                    .iter()
                    .any(|l| l.text().contains("4 => 5")),
            "{title}: {:?}",
            reply.text_lines()
        );
        // Then go back to before the move.
        assert!(
            execute(&mut walker.session, &format!(":last {name}"))
                .stop
                .is_some(),
            "{title}"
        );
        assert_eq!(walker.position(), (4, 5), "{title}");
    }
}

/// Entries and parts of their replies, the same in all languages: `X` is the name of the first
/// coordinate, `MOVE` is a step to the right, and `T` is any time.
const DIALOG: &[(&str, &[&str])] = &[
    (":when", &["time T of T to T, after :load FILE"]),
    (":mark here", &["marked time T as here"]),
    (":watch X", &["1  watch X"]),
    (
        "MOVE",
        &[
            "* watchpoint 1, X: 4 => 5",
            "MOVE",
            "since it began: ",
            "X 4 => 5",
        ],
    ),
    (":when", &["time T of T to T, during MOVE"]),
    (":print X", &["= 5"]),
    (":vars", &["X", "5"]),
    (":where", &["=> ", "MOVE"]),
    (":list", &["=> "]),
    (":goto here", &["after :load FILE"]),
    (":print X", &["= 4"]),
    (":jump back", &["* stopped in ", "MOVE"]),
    (":print X", &["= 5"]),
    (":jump forward", &["after :load FILE"]),
    (":goto end", &["* stopped in ", "MOVE"]),
    (":continue", &["MOVE finished"]),
    (":when", &["time T of T to T, after MOVE"]),
    (":diff here", &["X 4 => 5"]),
    (":breaks", &["1  watch X", "hit once"]),
    (":disable 1", &["1  watch X", "(disabled)"]),
    ("MOVE", &[]),
    (":print X", &["= 6"]),
    (":enable 1", &["1  watch X"]),
    (
        ":why X",
        &["X: 5 => 6   time T", "  by ", "`:goto T` goes there"],
    ),
    (
        ":why not X == 9",
        &[
            "X == 9 is false",
            "One of these would have to be different:",
            "(6 == 9)",
        ],
    ),
    (":last X", &["MOVE", "this changes X: 5 => 6"]),
    (":print X", &["= 5"]),
    (":reverse-step", &["* stepped back in "]),
    (":goto end", &["after MOVE"]),
    (":first X == 6", &["* stopped in "]),
    (":goto start", &["after :load FILE"]),
    (":goto end", &["after MOVE"]),
    (":reverse-continue", &["watchpoint 1, X: 6 <= 5"]),
    (":goto end", &["after MOVE"]),
    (":undo", &["undone: MOVE"]),
    (":print X", &["= 5"]),
    (":redo", &["redone: MOVE"]),
    (":print X", &["= 6"]),
    (":delete", &["deleted 1: watch X"]),
    (":break on error", &["2  break on error"]),
    (":watch X if X > 7", &["3  watch X   if X > 7"]),
    ("MOVE", &[]),
    ("MOVE", &["* watchpoint 3, X: 7 => 8"]),
    (":abandon", &["cancelled: MOVE"]),
    (":print X", &["= 7"]),
    (":delete 3", &["2  break on error"]),
    (":log X \"now {X}\"", &["log X"]),
    ("MOVE", &["logpoint 4: now 8"]),
    (":undo", &["undone: MOVE"]),
    (":display X", &["X = 7"]),
    (":marks", &["here", "time T"]),
    (":undo 3", &["undone: MOVE"]),
    (
        "MOVE",
        &["The moves you undid are saved as branch 1 (`:branches`)"],
    ),
    (":branches", &["1"]),
    (":restart", &[]),
    (":print X", &["= 4"]),
];

#[test]
fn the_same_commands_get_the_same_replies() {
    for mut walker in walkers() {
        let title = walker.session.target.language().info().title;
        let step = (walker.entry)("right", 1);
        for (entry, expected) in DIALOG {
            let line = entry.replace("MOVE", &step).replace('X', walker.names[0]);
            let reply = handle_line(&mut walker.session, &line);
            assert!(
                reply.ok,
                "{title}: {line}: {:?} {}",
                reply.diagnostics,
                reply.text()
            );
            let reply_text = normalize(
                &to_plain_text(&walker.session, &reply).join("\n"),
                &walker,
                &step,
            );
            for part in *expected {
                assert!(
                    reply_text.contains(part),
                    "{title}: {entry}: no {part:?} in\n{reply_text}"
                );
            }
        }
    }
}

#[test]
fn inspecting_a_stop_adds_nothing_to_the_undo_history() {
    for mut walker in walkers() {
        let title = walker.session.target.language().info().title;
        let (step, name) = ((walker.entry)("right", 1), walker.names[0]);
        execute(&mut walker.session, &format!(":watch {name}"));
        let stopped = handle_line(&mut walker.session, &step).stop.map(|s| s.time);
        assert_eq!(
            handle_line(&mut walker.session, name).value.as_deref(),
            Some("5"),
            "{title}"
        );
        assert_eq!(
            Some(walker.session.target.machine.time()),
            stopped,
            "{title}: the time must not change"
        );
        handle_line(&mut walker.session, ":continue");
        let reply_text = execute(&mut walker.session, ":undo").text();
        assert!(
            reply_text.starts_with(&format!("undone: {step}")),
            "{title}: {reply_text}"
        );
        assert_eq!(walker.position(), (4, 5), "{title}");
    }
}

/// Replaces language-specific text in a reply by `X`, `MOVE`, `FILE` and `T`.
fn normalize(reply_text: &str, walker: &Walker, step: &str) -> String {
    let reply_text = reply_text.replace(step, "MOVE");
    let reply_text = ["walk.gl", "walk.tg", "walk.sgl2d", "walk.grid"]
        .iter()
        .fold(reply_text, |t, file| t.replace(file, "FILE"));
    let reply_text = replace_word(&reply_text, walker.names[0], "X");
    ["time ", "goto ", " to ", " of "]
        .iter()
        .fold(reply_text, |reply_text, before| {
            let mut parts = reply_text.split(before);
            let mut out = parts.next().unwrap_or_default().to_string();
            for part in parts {
                let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
                out.push_str(before);
                out.push_str(if rest.len() < part.len() { "T" } else { "" });
                out.push_str(rest);
            }
            out
        })
}

/// Replaces whole words only.
fn replace_word(text: &str, word: &str, replacement: &str) -> String {
    let is_word_char = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let is_part_of_word = before
            .chars()
            .next_back()
            .or(out.chars().next_back())
            .is_some_and(is_word_char)
            || after.chars().next().is_some_and(is_word_char);
        out.push_str(before);
        out.push_str(if is_part_of_word { word } else { replacement });
        rest = after;
    }
    out + rest
}

/// Tic-tac-toe in one of the languages.
struct TicTacToe {
    session: Session,
    /// The entry for a move to a cell, by row and column from 0.
    entry: fn(u32, u32) -> String,
    /// The number of the first row and column.
    first: u32,
    /// True if X has won.
    won: fn(&mut Session) -> bool,
}

fn tic_tac_toe_games() -> Vec<TicTacToe> {
    let gridlok = include_str!("../../src/languages/gridlok/info/sample.gl");
    let bogl = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut games = vec![
        TicTacToe {
            session: session("gridlok", "tic-tac-toe.gl", gridlok),
            entry: |r, c| format!("click {{{r}, {c}}}"),
            first: 0,
            won: |session| session.target.full_view().winner.as_deref() == Some("x"),
        },
        TicTacToe {
            session: session("bogl", "tic-tac-toe.bgl", bogl),
            entry: |r, c| {
                format!(
                    "let now = (next(now#1), place(now#1, now#2, ({}, {})))",
                    c + 1,
                    r + 1
                )
            },
            first: 1,
            won: |session| {
                execute(session, ":print won(X, now#2)").value.as_deref() == Some("True")
            },
        },
    ];
    assert!(execute(&mut games[1].session, "let now = (X, empty)").ok);
    games
}

impl TicTacToe {
    fn title(&self) -> &'static str {
        self.session.target.language().info().title
    }

    fn run(&mut self, line: &str) -> gridbug::session::Answer {
        let reply = execute(&mut self.session, line);
        assert!(
            reply.ok,
            "{}: {line}: {:?} {}",
            self.title(),
            reply.diagnostics,
            reply.text()
        );
        reply
    }

    fn play(&mut self, moves: &[(u32, u32)]) {
        for (r, c) in moves {
            let entry = (self.entry)(*r, *c);
            self.run(&entry);
        }
    }

    /// A cell in the notation that all languages accept.
    fn cell(&self, r: u32, c: u32) -> String {
        format!("[{}][{}]", r + self.first, c + self.first)
    }

    /// The board as three words, one for each row.
    fn board(&self) -> String {
        let view = self.session.target.full_view().board.expect("a board");
        let sign = |name: &str| {
            if name == "X" || name == "O" {
                name.to_string()
            } else {
                ".".to_string()
            }
        };
        let signs: Vec<String> = view
            .cells
            .iter()
            .map(|c| c.name.map_or(".".into(), |n| sign(n.as_str())))
            .collect();
        signs
            .chunks(3)
            .map(|row| row.concat())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// X takes the first column.
const MOVES: &[(u32, u32)] = &[(0, 0), (1, 1), (1, 0), (2, 2), (2, 0)];

#[test]
fn tic_tac_toe_has_the_same_boards_and_the_same_winner() {
    for mut game in tic_tac_toe_games() {
        let boards = [
            "X.. ... ...",
            "X.. .O. ...",
            "X.. XO. ...",
            "X.. XO. ..O",
            "X.. XO. X.O",
        ];
        assert_eq!(game.board(), "... ... ...", "{}", game.title());
        for (at, board) in MOVES.iter().zip(boards) {
            assert!(
                !(game.won)(&mut game.session),
                "{} is not won yet",
                game.title()
            );
            game.play(&[*at]);
            assert_eq!(game.board(), board, "{}", game.title());
        }
        assert!((game.won)(&mut game.session), "{}", game.title());
        game.run(":undo 2");
        assert_eq!(game.board(), "X.. XO. ...", "{}", game.title());
        assert!(!(game.won)(&mut game.session), "{}", game.title());
        game.run(":redo");
        assert_eq!(game.board(), "X.. XO. ..O", "{}", game.title());
        game.run(":redo");
        assert_eq!(game.board(), "X.. XO. X.O", "{}", game.title());
    }
}

#[test]
fn tic_tac_toe_supports_the_same_debugger_commands() {
    for mut game in tic_tac_toe_games() {
        let title = game.title();
        game.play(&MOVES[..2]);
        let cell = game.cell(1, 0);
        game.run(&format!(":watch {cell}"));
        let reply = execute(&mut game.session, &(game.entry)(1, 0));
        assert_eq!(
            reply.stop.as_ref().map(|s| s.reason),
            Some(StopReason::Watch),
            "{title}"
        );
        assert!(
            reply.text().contains("=> X"),
            "{title}: {:?}",
            reply.text_lines()
        );
        assert!(game.run(":continue").stop.is_none(), "{title}");
        assert_eq!(game.board(), "X.. XO. ...", "{title}");
        game.run(":delete");
        // What changed the cell, then go back to just before that.
        assert!(
            game.run(&format!(":why {cell}")).text().contains("=> X"),
            "{title}"
        );
        game.run(&format!(":last {cell}"));
        assert_eq!(game.board(), "X.. .O. ...", "{title}");
        game.run(":goto end");
        assert_eq!(game.board(), "X.. XO. ...", "{title}");
        let reply_text = game.run(&format!(":cell {cell}")).text();
        assert!(reply_text.contains("X"), "{title}: {reply_text}");
        assert!(game.run(":why [2][2]").ok, "{title}");
    }
}
