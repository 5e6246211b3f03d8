//! One game in several languages: the same boards, and the same answers from the same commands.

use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};

/// A walker in one of the languages.
struct Walker {
    session: Session,
    /// What the two coordinates are called.
    names: [&'static str; 2],
    /// How a move of so many steps is typed.
    typed: fn(&str, i64) -> String,
    /// 1 if down is more, -1 if it is less.
    down: i64,
}

fn session(language: &str, file: &str, program: &str) -> Session {
    let language = languages::by_name(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load(file, program);
    assert!(reply.ok, "{file}: {:?}", reply.diagnostics);
    session
}

/// A way on a board whose rows are counted downwards.
fn steps(way: &str, n: i64) -> (i64, i64) {
    match way {
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
            typed: |way, n| {
                let (dx, dy) = steps(way, n);
                format!("go {{{dx}, {dy}}}")
            },
            down: 1,
        },
        Walker {
            session: session("tinygame", "walk.tg", tinygame),
            names: ["hero.x", "hero.y"],
            typed: |way, n| format!("move hero {way} {n};"),
            down: -1,
        },
        Walker {
            session: session("sgl2d", "walk.sgl2d", sgl2d),
            names: ["player.x", "player.y"],
            typed: |way, n| format!("{way} {n}"),
            down: 1,
        },
        Walker {
            session: session("gridlang", "walk.grid", gridlang),
            names: ["hero.x", "hero.y"],
            typed: |way, n| {
                let (dx, dy) = steps(way, n);
                format!("go({dx}, {dy})")
            },
            down: 1,
        },
    ]
}

impl Walker {
    fn position(&self) -> (i64, i64) {
        let view = self.session.full_view();
        let value = |name: &str| {
            let found = view
                .variables
                .iter()
                .find(|(n, _)| n == name)
                .and_then(|(_, v)| v.as_int());
            found.unwrap_or_else(|| panic!("{name} is not in {:?}", view.variables))
        };
        (value(self.names[0]), value(self.names[1]) * self.down)
    }

    fn walk(&mut self, way: &str, n: i64) {
        let reply = execute(&mut self.session, &(self.typed)(way, n));
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
fn the_same_walk_leads_to_the_same_places() {
    for mut walker in walkers() {
        assert_eq!(walker.position(), (4, 5));
        for (way, n, at) in WALK {
            walker.walk(way, *n);
            assert_eq!(
                walker.position(),
                *at,
                "{} after {way} {n}",
                walker.session.language().info().title
            );
        }
    }
}

#[test]
fn the_same_commands_take_the_walk_back() {
    for mut walker in walkers() {
        for (way, n, _) in WALK {
            walker.walk(way, *n);
        }
        let title = walker.session.language().info().title;
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
fn the_same_watch_stops_and_the_same_why_answers() {
    for mut walker in walkers() {
        let title = walker.session.language().info().title;
        let name = walker.names[0];
        assert!(
            execute(&mut walker.session, &format!(":watch {name}")).ok,
            "{title}"
        );
        let reply = execute(&mut walker.session, &(walker.typed)("right", 1));
        let stop = reply
            .stop
            .unwrap_or_else(|| panic!("{title} does not stop"));
        assert_eq!(stop.reason, "watch", "{title}");
        assert!(
            reply.lines.iter().any(|l| l.text().contains("4 => 5")),
            "{title}: {:?}",
            reply.lines
        );
        let reply = execute(&mut walker.session, ":continue");
        assert!(reply.stop.is_none(), "{title}");
        assert_eq!(walker.position(), (5, 5), "{title}");
        let reply = execute(&mut walker.session, &format!(":why {name}"));
        assert!(
            reply.ok && reply.lines.iter().any(|l| l.text().contains("4 => 5")),
            "{title}: {:?}",
            reply.lines
        );
        // And back to before the step.
        assert!(
            execute(&mut walker.session, &format!(":last {name}"))
                .stop
                .is_some(),
            "{title}"
        );
        assert_eq!(walker.position(), (4, 5), "{title}");
    }
}

/// What is typed, the same in all languages but for `X`, which is the name of the first coordinate, and `MOVE`, which is
/// a step to the right; and what the answer holds. `T` is any number of a time.
const TALK: &[(&str, &[&str])] = &[
    (":when", &["time T of T to T, after :load FILE"]),
    (":mark here", &["time T is now called here"]),
    (":watch X", &["1  watch X"]),
    (
        "MOVE",
        &[
            "* watch 1, X: 4 => 5",
            "time T",
            "MOVE",
            "since it began: ",
            "X 4 => 5",
        ],
    ),
    (":when", &["time T of T to T, in the midst of MOVE"]),
    (":print X", &["= 5"]),
    (":vars", &["X", "5"]),
    (":where", &["=> ", "MOVE"]),
    (":list", &["=> "]),
    (":goto here", &["after :load FILE   time T"]),
    (":print X", &["= 4"]),
    (":back", &["time T", "MOVE"]),
    (":print X", &["= 5"]),
    (":forward", &["after :load FILE   time T"]),
    (":goto end", &["time T", "MOVE"]),
    (":continue", &["MOVE is done   time T"]),
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
            "one of these would have to be otherwise:",
            "(6 == 9)",
        ],
    ),
    (":last X", &["time T", "MOVE", "this changes X: 5 => 6"]),
    (":print X", &["= 5"]),
    (":reverse-step", &["time T"]),
    (":goto end", &["after MOVE   time T"]),
    (":first X == 6", &["time T"]),
    (":goto start", &["after :load FILE   time T"]),
    (":goto end", &["after MOVE   time T"]),
    (":reverse-continue", &["watch 1, X: 6 <= 5"]),
    (":goto end", &["after MOVE   time T"]),
    (":undo", &["undone: MOVE"]),
    (":print X", &["= 5"]),
    (":redo", &["redone: MOVE"]),
    (":print X", &["= 6"]),
    (":delete", &["no breakpoints"]),
    (":break on error", &["2  break on error"]),
    (":watch X if X > 7", &["3  watch X   if X > 7"]),
    ("MOVE", &[]),
    ("MOVE", &["* watch 3, X: 7 => 8"]),
    (":abandon", &["given up: MOVE"]),
    (":print X", &["= 7"]),
    (":delete 3", &["2  break on error"]),
    (":log X \"now {X}\"", &["log X"]),
    ("MOVE", &["log 4: now 8"]),
    (":undo", &["undone: MOVE"]),
    (":display X", &["X = 7"]),
    (":marks", &["here", "time T"]),
    (":undo 3", &["undone: MOVE"]),
    ("MOVE", &["what was undone is kept as branch 1"]),
    (":branches", &["1"]),
    (":restart", &[]),
    (":print X", &["= 4"]),
];

#[test]
fn the_same_talk_has_the_same_answers() {
    for mut walker in walkers() {
        let title = walker.session.language().info().title;
        let step = (walker.typed)("right", 1);
        for (typed, wanted) in TALK {
            let line = typed.replace("MOVE", &step).replace('X', walker.names[0]);
            let reply = handle_line(&mut walker.session, &line);
            assert!(
                reply.ok,
                "{title}: {line}: {:?} {}",
                reply.diagnostics,
                reply.text()
            );
            let told = normal(
                &to_plain_text(&walker.session, &reply).join("\n"),
                &walker,
                &step,
            );
            for words in *wanted {
                assert!(
                    told.contains(words),
                    "{title}: {typed}: no {words:?} in\n{told}"
                );
            }
        }
    }
}

#[test]
fn a_look_at_a_stop_is_nothing_that_could_be_taken_back() {
    for mut walker in walkers() {
        let title = walker.session.language().info().title;
        let (step, name) = ((walker.typed)("right", 1), walker.names[0]);
        execute(&mut walker.session, &format!(":watch {name}"));
        let stopped = handle_line(&mut walker.session, &step).stop.map(|s| s.time);
        assert_eq!(
            handle_line(&mut walker.session, name).value.as_deref(),
            Some("5"),
            "{title}"
        );
        assert_eq!(
            Some(walker.session.machine.time()),
            stopped,
            "{title}: no time has gone by"
        );
        handle_line(&mut walker.session, ":continue");
        let told = execute(&mut walker.session, ":undo").text();
        assert!(
            told.starts_with(&format!("undone: {step}")),
            "{title}: {told}"
        );
        assert_eq!(walker.position(), (4, 5), "{title}");
    }
}

/// An answer with `X`, `MOVE`, `FILE` and `T` in it.
fn normal(told: &str, walker: &Walker, step: &str) -> String {
    let told = told.replace(step, "MOVE");
    let told = ["walk.gl", "walk.tg", "walk.sgl2d", "walk.grid"]
        .iter()
        .fold(told, |t, file| t.replace(file, "FILE"));
    let told = worded(&told, walker.names[0], "X");
    ["time ", "goto ", " to ", " of "]
        .iter()
        .fold(told, |told, before| {
            let mut parts = told.split(before);
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

/// The text with a word in the place of another, where that is no part of a longer one.
fn worded(text: &str, word: &str, by: &str) -> String {
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let inside = before
            .chars()
            .next_back()
            .or(out.chars().next_back())
            .is_some_and(joins)
            || after.chars().next().is_some_and(joins);
        out.push_str(before);
        out.push_str(if inside { word } else { by });
        rest = after;
    }
    out + rest
}

/// Tic-tac-toe in one of the languages.
struct Table {
    session: Session,
    /// How a move on a cell is typed, by row and column from 0.
    typed: fn(u32, u32) -> String,
    /// The number of the first row and column.
    first: u32,
    /// Asks whether X has won.
    won: fn(&mut Session) -> bool,
}

fn tables() -> Vec<Table> {
    let gridlok = include_str!("../../src/languages/gridlok/sample.gl");
    let bogl = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let mut tables = vec![
        Table {
            session: session("gridlok", "tic-tac-toe.gl", gridlok),
            typed: |r, c| format!("click {{{r}, {c}}}"),
            first: 0,
            won: |session| session.full_view().winner.as_deref() == Some("x"),
        },
        Table {
            session: session("bogl", "tic-tac-toe.bgl", bogl),
            typed: |r, c| {
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
    assert!(execute(&mut tables[1].session, "let now = (X, empty)").ok);
    tables
}

impl Table {
    fn title(&self) -> &'static str {
        self.session.language().info().title
    }

    fn tell(&mut self, line: &str) -> gridbug::session::Reply {
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
            let typed = (self.typed)(*r, *c);
            self.tell(&typed);
        }
    }

    /// A cell as all languages take it.
    fn cell(&self, r: u32, c: u32) -> String {
        format!("[{}][{}]", r + self.first, c + self.first)
    }

    /// The board as three words.
    fn board(&self) -> String {
        let view = self.session.full_view().board.expect("a board");
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

/// X takes the first column, O stands in its way too late.
const MOVES: &[(u32, u32)] = &[(0, 0), (1, 1), (1, 0), (2, 2), (2, 0)];

#[test]
fn tic_tac_toe_has_the_same_boards_and_the_same_winner() {
    for mut table in tables() {
        let boards = [
            "X.. ... ...",
            "X.. .O. ...",
            "X.. XO. ...",
            "X.. XO. ..O",
            "X.. XO. X.O",
        ];
        assert_eq!(table.board(), "... ... ...", "{}", table.title());
        for (at, board) in MOVES.iter().zip(boards) {
            assert!(
                !(table.won)(&mut table.session),
                "{} is not won yet",
                table.title()
            );
            table.play(&[*at]);
            assert_eq!(table.board(), board, "{}", table.title());
        }
        assert!((table.won)(&mut table.session), "{}", table.title());
        table.tell(":undo 2");
        assert_eq!(table.board(), "X.. XO. ...", "{}", table.title());
        assert!(!(table.won)(&mut table.session), "{}", table.title());
        table.tell(":redo");
        assert_eq!(table.board(), "X.. XO. ..O", "{}", table.title());
        table.tell(":redo");
        assert_eq!(table.board(), "X.. XO. X.O", "{}", table.title());
    }
}

#[test]
fn tic_tac_toe_is_watched_and_explained_by_the_same_commands() {
    for mut table in tables() {
        let title = table.title();
        table.play(&MOVES[..2]);
        let cell = table.cell(1, 0);
        table.tell(&format!(":watch {cell}"));
        let reply = execute(&mut table.session, &(table.typed)(1, 0));
        assert_eq!(
            reply.stop.as_ref().map(|s| s.reason),
            Some("watch"),
            "{title}"
        );
        assert!(reply.text().contains("=> X"), "{title}: {:?}", reply.lines);
        assert!(table.tell(":continue").stop.is_none(), "{title}");
        assert_eq!(table.board(), "X.. XO. ...", "{title}");
        table.tell(":delete");
        // Who made the cell so, and back to just before.
        assert!(
            table.tell(&format!(":why {cell}")).text().contains("=> X"),
            "{title}"
        );
        table.tell(&format!(":last {cell}"));
        assert_eq!(table.board(), "X.. .O. ...", "{title}");
        table.tell(":goto end");
        assert_eq!(table.board(), "X.. XO. ...", "{title}");
        let seen = table.tell(&format!(":cell {cell}")).text();
        assert!(seen.contains("X"), "{title}: {seen}");
        assert!(table.tell(":why [2][2]").ok, "{title}");
    }
}
