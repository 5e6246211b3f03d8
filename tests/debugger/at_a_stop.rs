//! What can be typed at a stop, and what it leaves as it was.

use crate::test_session::TestSession;
use gridbug::analysis::inspect;

const STEPS: &str = r#"game {
  board { dimensions {2, 2} image {b.png} }
  players {"x", "o"}
  def n {0}
  fun g(m) {
    def h {m}
    h {h + 1}
    return h
  }
  fun f(k) {
    def a {k}
    a {g{a}}
    for p in row(0) {
      n {n + 1}
      a {a + 1}
    }
    return a
  }
  piece { name {"a"} image {a.png}
    onClick {
      n {f{1}}
    }
  }
  setup { place {"a", 0, 0} place {"a", 0, 1} place {"a", 1, 1} }
}"#;

const TURNS: &str = "int n
Player {
    int apples
}
Layout(1, 1)
{
    createGrid(1, 1)
    Player tom
    tom.position = (0,0)
}
function g(int m): int {
    int h = m
    h = h + 1
    return h
}
function f(int k): int {
    int a = k
    a = g(a)
    int i = 0
    while (i < 2) {
        n = n + 1
        i = i + 1
    }
    return a
}
gameLoop()
{
    p.apples = f(1)
}
";

const SUMS: &str = "game Sums
type Board = Array (2,1) of Int
b : Board
b!(x,y) = 0
g : Int -> Int
g(m) = m + 1
f : Int -> Int
f(k) = g(k) + k
";

/// The first line of the breakpoint with the index.
fn line_of(session: &TestSession, index: usize) -> Option<(String, u32)> {
    let breakpoints = inspect::describe_breakpoints(&session.0.target);
    let range = breakpoints[index].ranges.first()?;
    Some((range.file.clone(), range.line))
}

#[test]
fn typing_code_keeps_the_selected_frame() {
    for (language, program, play, local, typed) in [
        (
            "gridlok",
            STEPS,
            "click{0,0}",
            "a",
            &[
                "a",
                "n {5}",
                "a {1}",
                "fun q(x) { return x }",
                "zz",
                "n {5/0}",
            ][..],
        ),
        (
            "gridlang",
            TURNS,
            ":turn",
            "a",
            &[
                "a",
                "n = 5",
                "a = 1",
                "function q(int x): int { return x }",
                "zz",
                "n = 5 / 0",
            ],
        ),
        (
            "bogl",
            SUMS,
            "f(1)",
            "k",
            &[
                "k",
                "k + 1",
                "let z = k",
                "h : Int -> Int\nh(x) = x",
                "zz",
                "k / 0",
            ],
        ),
    ] {
        let mut session = TestSession::load(language, program);
        session.reply(":break g");
        assert!(session.reply(play).stop.is_some(), "{language}");
        session.reply("up");
        let frame = session.0.target.debugger.selected_frame;
        assert_eq!(frame, 1, "{language}");
        for line in typed {
            let reply = session.reply_text(line);
            let selected = session.0.target.debugger.selected_frame;
            assert_eq!(selected, frame, "{language}: {line}: {reply}");
            session.expect(&format!(":print {local}"), &["= 1"]);
        }
        // An entry that stops elsewhere, too, once it has ended.
        let again = match language {
            "gridlok" => "f{3}",
            _ => "f(3)",
        };
        assert!(session.reply(again).stop.is_some(), "{language}");
        session.reply("continue");
        assert_eq!(
            session.0.target.debugger.selected_frame, frame,
            "{language}"
        );
        session.expect(&format!(":print {local}"), &["= 1"]);
    }
}

#[test]
fn a_field_of_a_piece_in_a_variable_can_be_watched() {
    let mut session = TestSession::load("gridlok", STEPS);
    session.reply(":tbreak 14");
    session.reply("click{0,0}");
    session.expect("watch p.col", &["watch p.col"]);
    session.expect(
        "continue",
        &["p.col: 0 => 1, in f at [0][0], line 14, iteration 2"],
    );
    session.expect(":why p.col", &["p.col: 0 => 1", "by f at [0][0]   line 13"]);
    session.expect("continue", &["click{0,0} finished"]);
    session.expect(":watch p.size", &["unknown variable or cell `p.size`"]);
    let mut session = TestSession::load("gridlang", TURNS);
    session.reply(":tbreak g");
    session.reply(":turn");
    session.expect("watch p.apples", &["watch p.apples"]);
    session.expect("continue", &["p.apples: 0 => 2"]);
}

#[test]
fn step_expr_after_a_watchpoint_runs_the_next_statement() {
    for command in ["se", "ss"] {
        let mut session = TestSession::load("gridlok", STEPS);
        session.reply(":tbreak 14");
        session.reply("click{0,0}");
        session.reply("watch a");
        // Line 15 is the last one of the loop; line 14 is next.
        session.expect("continue", &["a: 2 => 3", "=>  14", "line 15 has just run"]);
        session.expect(command, &["  1  n {n + 1}", "n is 1"]);
    }
    let mut session = TestSession::load("gridlang", TURNS);
    session.reply(":tbreak 21");
    session.reply(":turn");
    session.reply("watch i");
    session.expect("continue", &["i: 0 => 1"]);
    session.expect("se", &["i < 2", "1 < 2 is true"]);
    let tiny = "player knight { x = 0; y = 0; hp = 1; }
if knight.hp > 0 {
    set knight.hp = 5;
}
set knight.x = knight.hp + 1;
";
    let mut session = TestSession::load("tinygame", tiny);
    session.reply(":tbreak 3");
    session.reply(":restart");
    session.reply(":watch knight.hp");
    session.expect("continue", &["knight.hp: 1 => 5", "=>   5"]);
    session.expect("se", &["5 + 1 is 6"]);
}

#[test]
fn a_breakpoint_returns_to_its_line_after_an_undo() {
    // The language, a program, a line in it, definitions of it that have more or other lines.
    let cases: [(&str, &str, u32, &[&str]); 4] = [
        (
            "gridlok",
            STEPS,
            21,
            &[
                "piece { name {\"a\"} image {a.png}\n onClick {\n\n  n {2}\n  n {f{1}}\n } }",
                "piece { name {\"a\"} image {a.png} onClick { n {7} } }",
            ],
        ),
        (
            "gridlang",
            TURNS,
            13,
            &[
                "function g(int m): int {\n\n\n    int h = m\n    h = h + 1\n    return h\n}",
                "function g(int m): int { return m }",
            ],
        ),
        ("bogl", SUMS, 6, &["g(m) = 2 + m", "g(m) =\n  m + 1"]),
        (
            "sgl2d",
            "environment > x=6 y=1\nplayer > x=0 y=0\nsprite floor > color=grey\nsprite coin > color=red\n\
             counter counter1 > true 0\nevent coin > inccounter1=1 transformtosprite=floor\n\
             set floor > (x=0 y=0, x=5 y=0)\nset coin > x=1 y=0\n",
            6,
            &[
                "event coin > inccounter1=2",
                "event coin > transformtosprite=coin",
            ],
        ),
    ];
    for (language, program, line, definitions) in cases {
        for definition in definitions {
            let mut session = TestSession::load(language, program);
            session.reply(&format!(":break {line}"));
            let original = line_of(&session, 0);
            assert_eq!(original, Some(("game".to_string(), line)), "{language}");
            let reply = session.reply(definition);
            assert!(
                reply.ok,
                "{language}: {definition}: {:?}",
                reply.diagnostics
            );
            let moved = line_of(&session, 0);
            session.reply(":undo");
            assert_eq!(line_of(&session, 0), original, "{language}: {definition}");
            session.reply(":redo");
            assert_eq!(line_of(&session, 0), moved, "{language}: {definition}");
            session.reply(":goto start");
            assert_eq!(line_of(&session, 0), original, "{language}: {definition}");
        }
    }
}

#[test]
fn reverse_finish_at_the_end_does_not_claim_to_be_at_the_start() {
    let mut session = TestSession::load("gridlok", STEPS);
    session.reply("click{0,0}");
    let time = session.0.target.machine.time();
    let reply = session.reply_text(":rf");
    assert!(!reply.contains("start"), "{reply}");
    assert!(reply.contains("nothing is running"), "{reply}");
    assert_eq!(session.0.target.machine.time(), time);
    // At a stop it goes to the call, and from an entry nowhere.
    session.reply(":break g");
    session.reply("click{0,1}");
    session.expect(":rf", &["stepped back in f"]);
    session.expect(":rf", &["stepped back in a.onClick"]);
}

#[test]
fn the_letters_of_moves_play_at_a_stop() {
    let sample = gridbug::languages::by_name("sgl2d").unwrap().info().sample;
    let mut session = TestSession::load("sgl2d", sample);
    session.reply(":break event player");
    session.reply("right");
    for (letter, change) in [
        ("r", "player.x 2 => 3"),
        ("u", "player.y 3 => 2"),
        ("d", "player.y 2 => 3"),
        ("l", "player.x 3 => 2"),
        ("R", "player.x 2 => 3"),
        ("l 2", "player.x 3 => 2"),
    ] {
        assert!(session.0.target.is_stopped());
        session.expect(letter, &["* breakpoint 1 in event player", change]);
    }
    // The letters are said once to be commands with a colon, which they are.
    let reply = session.reply("l");
    assert!(reply.hints.is_empty());
    session.expect(":l", &["event coin > inccounter1=1"]);
    session.expect("up", &["for the move, type `Up` at a stop"]);
}

#[test]
fn a_variable_wins_over_a_command_of_its_name() {
    let mut session = TestSession::load("gridlok", STEPS);
    session.reply(":break g");
    session.reply("click{0,0}");
    // `n` is a variable and an alias of `next`; `h` is a variable and no command.
    session.expect("n", &["= 0"]);
    session.expect(":n", &["=>   7"]);
    session.expect("n", &["= 0"]);
    session.expect("n {3}", &[]);
    session.expect("n", &["= 3"]);
}
