//! Promise: whatever a program or a person asks too much of, there is a clear error, and the session goes on.
//!
//! Each case is typed into the real program; what is typed after it must be answered.

use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::session::{Session, to_plain_text};
use std::io::Write;
use std::process::{Command, Stdio};

/// All that is said to these lines, and whether the program ended by itself.
fn said(arguments: &[&str], typed: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--steps", "20000000", "--memory", "32"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let typed = typed.to_string();
    // It may answer before all is typed.
    let typing = std::thread::spawn(move || drop(stdin.write_all(typed.as_bytes())));
    let output = child.wait_with_output().unwrap();
    typing.join().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{arguments:?} ended with {}: {said}",
        output.status
    );
    said
}

/// The lines are refused with these words, and the last of them is answered all the same.
fn refuses(language: &str, lines: &[&str], words: &str, last: (&str, &str)) {
    let said = said(
        &["--lang", language],
        &format!("{}\n{}\n", lines.join("\n"), last.0),
    );
    let start: String = lines.join(" / ").chars().take(200).collect();
    assert!(
        said.contains(words),
        "{language}, {start}: no `{words}` in {said}"
    );
    assert!(
        said.trim_end().ends_with(last.1),
        "{language}, {start}: `{}` was not answered: {said}",
        last.0
    );
}

const GRIDLOK: (&str, &str) = ("2 + 2", "= 4");
const BOGL: (&str, &str) = ("2 + 2", "= 4");

#[test]
fn endless_loops_end() {
    refuses(
        "gridlok",
        &["fun f() { for i(0, 2) { i{0} } }", "f{}"],
        "without an end",
        GRIDLOK,
    );
    refuses(
        "bogl",
        &["f : Int -> Int", "f(n) = while n > 0 do n + 1", "f(1)"],
        "without an end",
        BOGL,
    );
    refuses(
        "gridlang",
        &["int n = 0", "while (true) { n = n + 1 }"],
        "without an end",
        GRIDLOK,
    );
}

#[test]
fn unbounded_recursion_ends() {
    refuses(
        "gridlok",
        &["fun f(n) { return f{n + 1} }", "f{0}"],
        "error[RT",
        GRIDLOK,
    );
    refuses(
        "bogl",
        &["f : Int -> Int", "f(n) = f(n + 1) + 1", "f(0)"],
        "error[RT",
        BOGL,
    );
    refuses(
        "gridlang",
        &["function f(int n): int { return f(n + 1) }", "f(1)"],
        "error[RT",
        GRIDLOK,
    );
}

#[test]
fn what_doubles_meets_the_ceiling() {
    let doubling = [
        "def l{1,}",
        "for i(0, 60) { def k{l} for j(0, 100000) { l{1} } }",
    ];
    refuses(
        "gridlok",
        &doubling,
        "more memory than it may have (32 MB)",
        GRIDLOK,
    );
    refuses(
        "gridlang",
        &["string s = \"ab\"", "while (true) { s = s + s }"],
        "more memory",
        GRIDLOK,
    );
}

#[test]
fn boards_of_a_thousand_million_cells_are_refused() {
    let board = "board { dimensions {40000, 25000} image {b.png} }";
    refuses("gridlok", &[board], "is too large", GRIDLOK);
    let said_of_it = said(&["--lang", "gridlok"], &format!("{board}\n:list\n"));
    assert!(
        !said_of_it.contains("defined"),
        "it was refused, and nothing is there: {said_of_it}"
    );
    refuses(
        "bogl",
        &["type Board = Array (40000,25000) of Int"],
        "16777216 cells",
        BOGL,
    );
    let told = said(
        &["--lang", "sgl2d"],
        "environment > x=40000 y=25000\nplayer > x=1 y=1\nright\n:state\n",
    );
    assert!(told.contains("language  SGL2D"), "{told}");
}

#[test]
fn numbers_end_somewhere() {
    refuses(
        "gridlok",
        &["2147483647 + 1"],
        "a number has 32 bits",
        GRIDLOK,
    );
    let far = "player h { x = 9223372036854775807; y = -9223372036854775808; }";
    refuses(
        "tinygame",
        &[far, "move h right 5;", ":board", ":cell x=1 y=1"],
        "error",
        ("h.y", "= -9223372036854775808"),
    );
    refuses("gridlok", &["99999999999999999999"], "error[GL", GRIDLOK);
    refuses("bogl", &["99999999999999999999999"], "error[BG", BOGL);
}

#[test]
fn brackets_a_hundred_thousand_deep_are_refused() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let nested = format!("{open}1{close}");
    refuses("gridlok", &[&nested], "error[GL", GRIDLOK);
    refuses("bogl", &[&nested], "error[BG", BOGL);
    refuses(
        "gridlang",
        &[&format!("int n = {nested}")],
        "error[GG",
        GRIDLOK,
    );
    let state = (":state", "");
    refuses("tinygame", &[&format!("print {nested};")], "error", state);
    refuses("sgl2d", &[&nested], "error", state);
    let blocks = format!("{}{}", "if true {".repeat(100_000), "}".repeat(100_000));
    refuses("gridlok", &[&blocks], "error[GL", GRIDLOK);
}

#[test]
fn a_line_of_a_megabyte_is_answered() {
    let sum = format!("1{}", " + 1".repeat(250_000));
    refuses("gridlok", &[&sum], "error[GL", GRIDLOK);
    refuses("bogl", &[&sum], "error[BG", BOGL);
    let text = format!("print{{\"{}\"}}", "a".repeat(1 << 20));
    refuses("gridlok", &[&text], "aaaa", GRIDLOK);
}

#[test]
fn a_hundred_thousand_mistakes_are_told_as_one_would_read_them() {
    let many = "\"a".repeat(100_000);
    refuses("gridlok", &[&many], "more not shown", GRIDLOK);
    let said = said(&["--lang", "gridlok", "--json"], &format!("{many}\n"));
    assert!(
        said.matches("\"severity\"").count() <= 50,
        "{}",
        &said[..2000]
    );
    let state = (":state", "");
    refuses(
        "sgl2d",
        &[&"u".repeat(1_000_000)],
        "the number of moves must be 1 to 10000",
        state,
    );
    // A word of a megabyte is near to no other.
    let word = "a".repeat(1 << 20);
    for (language, last) in [
        ("gridlok", GRIDLOK),
        ("bogl", BOGL),
        ("gridlang", GRIDLOK),
        ("sgl2d", state),
    ] {
        refuses(language, &[&word], "error", last);
    }
}

#[test]
fn a_long_entry_is_told_of_in_a_line() {
    let mut session = Session::new(languages::ALL[0], 1);
    handle_line(
        &mut session,
        &format!("def text {{\"{}\"}}", "a".repeat(1 << 20)),
    );
    for look in [":when", ":undo", ":redo", ":goto 1", ":when", ":branches"] {
        let reply = handle_line(&mut session, look);
        let widest = to_plain_text(&session, &reply)
            .iter()
            .map(|l| l.chars().count())
            .max()
            .unwrap_or(0);
        assert!(
            (1..=90).contains(&widest),
            "{look} is told in {widest} columns"
        );
    }
}

#[test]
fn files_that_are_no_programs_are_refused() {
    let folder = std::env::temp_dir().join(format!("gridbug-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let large = folder.join("large.gl");
    std::fs::File::create(&large)
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    let binary = folder.join("binary.gl");
    std::fs::write(
        &binary,
        (0..=255u8).cycle().take(100_000).collect::<Vec<u8>>(),
    )
    .unwrap();
    for (file, words) in [(&large, "too large"), (&binary, "not a text")] {
        let path = file.to_string_lossy();
        assert!(said(&["check", &path], "").contains(words), "{path}");
        refuses("gridlok", &[&format!(":load {path}")], words, GRIDLOK);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn nothing_a_game_says_steers_the_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200f}";
    let typed = format!(
        "print{{\"{evil}\"}}\ndisplay{{\"{evil}\"}}\ndef s{{\"{evil}\"}}\ns\n:vars\n:glyph free {evil}\nplace{{\"{evil}\",0,0}}\n:history\n:list\nnope{evil}\n:load {evil}\n"
    );
    for arguments in [&["--plain"][..], &["--color", "always"], &["--json"]] {
        let said = said(arguments, &typed);
        for bad in [
            "\u{1b}]0;owned",
            "\u{1b}[2J",
            "\u{9b}",
            "\u{7}",
            "\u{202e}",
            "\u{2066}",
            "\u{200f}",
        ] {
            assert!(
                !said.contains(bad),
                "{arguments:?} let {bad:?} through: {said:?}"
            );
        }
    }
}

/// Nor does what stands on the command line, whoever answers it.
#[test]
fn nothing_on_the_command_line_steers_the_terminal() {
    let evil = "\u{1b}[2J\u{202e}";
    let (file, word, option) = (format!("{evil}.gl"), evil.to_string(), format!("--{evil}"));
    for arguments in [
        vec![&*file],
        vec!["run", &file],
        vec!["check", &file],
        vec!["test", &file],
        vec!["--lang", &word],
        vec!["--seed", &word],
        vec![&option],
        vec!["--color", "always", "--steps", &word],
        vec!["completions", &word],
        vec!["--eval", &word],
        vec!["--json", &file],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .args(&arguments)
            .stdin(Stdio::null())
            .output();
        let output = output.expect("it starts");
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(
            !said.contains("\u{1b}[2J") && !said.contains('\u{202e}'),
            "{arguments:?}: {said:?}"
        );
    }
}

/// A breakpoint that is met in every round and never stops does not keep the clock from being looked at.
#[test]
fn an_endless_loop_with_a_breakpoint_in_it_ends_and_can_be_stopped() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0}\nfun more(k) { return k + 1 }\n\
                   fun endless() { for i(0, 2000000000) { n {more {n} % 1000} } }";
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", program).ok);
    execute(&mut session, ":break more if n == 5000");
    session.machine.limits.max_instructions = 100_000;
    let reply = execute(&mut session, "endless {}");
    assert!(
        !reply.ok && reply.diagnostics[0].code == "RT019",
        "{:?}",
        reply.diagnostics
    );
    session
        .machine
        .interrupt_flag()
        .store(true, std::sync::atomic::Ordering::SeqCst);
    let reply = execute(&mut session, "endless {}");
    assert_eq!(reply.stop.map(|s| s.reason), Some("interrupt"));
}
