//! Programs and entries that exceed a limit get a clear error, and the session stays usable.
//!
//! Each case is sent to the real binary, followed by a line that must still be answered.

use gridbug::answer::StopReason;
use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::machine::Outcome;
use gridbug::session::{Session, to_plain_text};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Sends the lines to the binary and returns its output. Fails if it crashes.
fn run_lines(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--steps", "20000000", "--memory", "32"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    // Write from a thread: the binary may answer before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{arguments:?} ended with {}: {output_text}",
        output.status
    );
    output_text
}

/// Asserts that the lines produce this error, and that the probe after them still works.
fn rejects(language: &str, lines: &[&str], message: &str, probe: Probe) {
    let output_text = run_lines(
        &["--lang", language],
        &format!("{}\n{}\n", lines.join("\n"), probe.0),
    );
    let start: String = lines.join(" / ").chars().take(200).collect();
    assert!(
        output_text.contains(message),
        "{language}, {start}: no `{message}` in {output_text}"
    );
    assert!(
        output_text.trim_end().ends_with(probe.1),
        "{language}, {start}: `{}` was not answered: {output_text}",
        probe.0
    );
}

/// A line sent after the rejected one, and how the output must end.
type Probe = (&'static str, &'static str);

const SUM: Probe = ("2 + 2", "= 4");
/// For languages without expressions; any answer will do.
const STATE: Probe = (":state", "");

#[test]
fn endless_loops_hit_the_step_limit() {
    rejects(
        "gridlok",
        &["fun f() { for i(0, 2) { i{0} } }", "f{}"],
        "without finishing",
        SUM,
    );
    rejects(
        "bogl",
        &["f : Int -> Int", "f(n) = while n > 0 do n + 1", "f(1)"],
        "without finishing",
        SUM,
    );
    rejects(
        "gridlang",
        &["int n = 0", "while (true) { n = n + 1 }"],
        "without finishing",
        SUM,
    );
}

#[test]
fn unbounded_recursion_is_an_error() {
    rejects(
        "gridlok",
        &["fun f(n) { return f{n + 1} }", "f{0}"],
        "error[RT",
        SUM,
    );
    rejects(
        "bogl",
        &["f : Int -> Int", "f(n) = f(n + 1) + 1", "f(0)"],
        "error[RT",
        SUM,
    );
    rejects(
        "gridlang",
        &["function f(int n): int { return f(n + 1) }", "f(1)"],
        "error[RT",
        SUM,
    );
}

#[test]
fn exponential_growth_hits_the_memory_limit() {
    let doubling = [
        "def l{1,}",
        "for i(0, 60) { def k{l} for j(0, 100000) { l{1} } }",
    ];
    rejects(
        "gridlok",
        &doubling,
        "out of memory: the limit is 32 MB",
        SUM,
    );
    rejects(
        "gridlang",
        &["string s = \"ab\"", "while (true) { s = s + s }"],
        "out of memory",
        SUM,
    );
}

/// Runs lines with an address space of 150 MB, and returns how many lines it printed and the last
/// one.
#[cfg(unix)]
fn run_in_little_memory(arguments: &[&str], input: &str) -> (usize, String) {
    let limited = r#"ulimit -v 150000; exec "$@""#;
    let mut child = Command::new("bash")
        .args(["-c", limited, "bash", env!("CARGO_BIN_EXE_gridbug")])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (mut count, mut last) = (0, String::new());
    for line in output.lines() {
        (count, last) = (count + 1, line.unwrap());
    }
    child.wait().unwrap();
    (count, last)
}

#[cfg(unix)]
#[test]
fn endless_printing_needs_little_memory() {
    let text = "x".repeat(1000);
    let gridlok = format!("for i(0, 2) {{ i{{0}} print{{\"{text}\"}} }}\n2 + 2\n");
    let gridlang = format!("while (true) {{ print(\"{text}\") }}\n2 + 2\n");
    for (language, input) in [("gridlok", gridlok), ("gridlang", gridlang)] {
        let arguments = ["--lang", language, "--steps", "300000"];
        // Everything is printed. Keeping it in the log, the answer and the transcript would be too
        // much.
        let (count, last) = run_in_little_memory(&arguments, &input);
        assert!(count > 50_000, "{language}: {count} lines");
        assert_eq!(last, "= 4", "{language}");
        // An answer in JSON has the first lines, and says how many it omits.
        let arguments = [&arguments[..], &["--json"]].concat();
        let (count, last) = run_in_little_memory(&arguments, &input);
        assert_eq!(count, 2);
        assert!(last.contains(r#""text":"4""#), "{language}: {last}");
    }
}

#[test]
fn a_json_answer_says_how_many_lines_of_output_it_omits() {
    let output = run_lines(
        &["--lang", "gridlok", "--json"],
        "for i(0, 100000) { print{i} }\n",
    );
    let answer: serde_json::Value = serde_json::from_str(&output).unwrap();
    let lines = answer["output"].as_array().unwrap();
    assert_eq!(lines[0], "0");
    assert_eq!(
        lines.len() as u64 + answer["output_omitted"].as_u64().unwrap(),
        100_000
    );
}

#[cfg(unix)]
#[test]
fn endless_printing_ends_when_nothing_reads_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--lang", "gridlok", "--steps", "0", "--eval"])
        .arg("for i(0, 2) { i{0} print{7} }")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "7\n");
    // Like `gridbug … | head -1`.
    drop(output);
    child.wait().unwrap();
}

#[test]
fn billion_cell_boards_are_rejected() {
    let board = "board { dimensions {40000, 25000} image {b.png} }";
    rejects("gridlok", &[board], "is too large", SUM);
    let answer = run_lines(&["--lang", "gridlok"], &format!("{board}\n:list\n"));
    assert!(
        !answer.contains("defined"),
        "the rejected board must not be defined: {answer}"
    );
    rejects(
        "bogl",
        &["type Board = Array (40000,25000) of Int"],
        "16777216 cells",
        SUM,
    );
    let answer = run_lines(
        &["--lang", "sgl2d"],
        "environment > x=40000 y=25000\nplayer > x=1 y=1\nright\n:state\n",
    );
    assert!(answer.contains("language  SGL2D"), "{answer}");
}

#[test]
fn out_of_range_numbers_are_errors() {
    rejects("gridlok", &["2147483647 + 1"], "numbers are 32-bit", SUM);
    let extreme = "player h { x = 9223372036854775807; y = -9223372036854775808; }";
    rejects(
        "tinygame",
        &[extreme, "move h right 5;", ":board", ":cell x=1 y=1"],
        "error",
        ("h.y", "= -9223372036854775808"),
    );
    rejects("gridlok", &["99999999999999999999"], "error[GL", SUM);
    rejects("bogl", &["99999999999999999999999"], "error[BG", SUM);
}

#[test]
fn deeply_nested_brackets_are_rejected() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let nested = format!("{open}1{close}");
    rejects("gridlok", &[&nested], "error[GL", SUM);
    rejects("bogl", &[&nested], "error[BG", SUM);
    rejects("gridlang", &[&format!("int n = {nested}")], "error[GG", SUM);
    rejects("tinygame", &[&format!("print {nested};")], "error", STATE);
    rejects("sgl2d", &[&nested], "error", STATE);
    let blocks = format!("{}{}", "if true {".repeat(100_000), "}".repeat(100_000));
    rejects("gridlok", &[&blocks], "error[GL", SUM);
}

#[test]
fn megabyte_lines_are_handled() {
    let sum = format!("1{}", " + 1".repeat(250_000));
    rejects("gridlok", &[&sum], "error[GL", SUM);
    rejects("bogl", &[&sum], "error[BG", SUM);
    let text = format!("print{{\"{}\"}}", "a".repeat(1 << 20));
    rejects("gridlok", &[&text], "aaaa", SUM);
}

#[test]
fn only_the_first_of_many_errors_are_shown() {
    let unterminated = "\"a".repeat(3_000);
    rejects("gridlok", &[&unterminated], "more in this line", SUM);
    let output_text = run_lines(
        &["--lang", "gridlok", "--json"],
        &format!("{unterminated}\n"),
    );
    assert!(
        output_text.matches("\"severity\"").count() == 1000
            && output_text.contains("\"omitted_diagnostics\":"),
        "{}",
        &output_text[..2000]
    );
    rejects(
        "sgl2d",
        &[&"u".repeat(1_000_000)],
        "the number of moves must be 1 to 10000",
        STATE,
    );
    // The search for similar names must skip a megabyte-long word.
    let word = "a".repeat(1 << 20);
    for (language, probe) in [
        ("gridlok", SUM),
        ("bogl", SUM),
        ("gridlang", SUM),
        ("sgl2d", STATE),
    ] {
        rejects(language, &[&word], "error", probe);
    }
}

#[test]
fn long_entries_are_shortened_in_listings() {
    let mut session = Session::new(languages::ALL[0], 1);
    handle_line(
        &mut session,
        &format!("def text {{\"{}\"}}", "a".repeat(1 << 20)),
    );
    for command in [":when", ":undo", ":redo", ":goto 1", ":when", ":branches"] {
        let reply = handle_line(&mut session, command);
        let widest = to_plain_text(&session, &reply)
            .iter()
            .map(|l| l.chars().count())
            .max()
            .unwrap_or(0);
        assert!(
            (1..=90).contains(&widest),
            "{command} prints {widest} columns"
        );
    }
}

#[test]
fn huge_and_binary_files_are_rejected() {
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
    for (file, message) in [(&large, "too large"), (&binary, "not a text")] {
        let path = file.to_string_lossy();
        assert!(run_lines(&["check", &path], "").contains(message), "{path}");
        rejects("gridlok", &[&format!(":load {path}")], message, SUM);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn game_output_cannot_send_escape_sequences() {
    let payload = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200f}";
    let input = format!(
        "print{{\"{payload}\"}}\ndisplay{{\"{payload}\"}}\ndef s{{\"{payload}\"}}\ns\n:vars\n:glyph free {payload}\nplace{{\"{payload}\",0,0}}\n:history\n:list\nnope{payload}\n:load {payload}\n"
    );
    for arguments in [&["--plain"][..], &["--color", "always"], &["--json"]] {
        let output_text = run_lines(arguments, &input);
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
                !output_text.contains(bad),
                "{arguments:?} let {bad:?} through: {output_text:?}"
            );
        }
    }
}

#[test]
fn command_line_arguments_cannot_send_escape_sequences() {
    let payload = "\u{1b}[2J\u{202e}";
    let (file, word, option) = (
        format!("{payload}.gl"),
        payload.to_string(),
        format!("--{payload}"),
    );
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
        let output = output.expect("the binary starts");
        assert!(!output.status.success(), "{arguments:?}");
        let output_text =
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(
            !output_text.contains("\u{1b}[2J") && !output_text.contains('\u{202e}'),
            "{arguments:?}: {output_text:?}"
        );
    }
}

/// A breakpoint whose condition is false in every iteration must not bypass the safepoints.
#[test]
fn breakpoint_in_an_endless_loop_does_not_disable_limits_or_interrupts() {
    let program = "board { dimensions {1, 1} image {b.png} } def n {0}\nfun more(k) { return k + 1 }\n\
                   fun endless() { for i(0, 2000000000) { n {more {n} % 1000} } }";
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", program).ok);
    execute(&mut session, ":break more if n == 5000");
    session.target.machine.limits.max_instructions = 100_000;
    let reply = execute(&mut session, "endless {}");
    assert!(
        !reply.ok && reply.diagnostics[0].code == "RT019",
        "{:?}",
        reply.diagnostics
    );
    session
        .target
        .machine
        .interrupt_flag()
        .store(true, std::sync::atomic::Ordering::SeqCst);
    let reply = execute(&mut session, "endless {}");
    assert_eq!(reply.stop.map(|s| s.reason), Some(StopReason::Interrupt));
}

/// A loop whose iterations take four instructions or less, so an exceeded limit is noticed that soon.
const TIGHT_LOOP: &str = "board { dimensions {1, 1} image {b.png} }\n\
    def n {0} fun endless() { for i(0, 2000000000) { n {n + 1} } }";

#[test]
fn an_exceeded_instruction_limit_is_noticed_in_the_same_iteration() {
    for limit in [500, 65_000, 65_536, 70_000, 200_000] {
        let mut session = Session::new(languages::ALL[0], 1);
        assert!(session.load("game.gl", TIGHT_LOOP).ok);
        session.target.machine.limits.max_instructions = limit;
        session.target.debugger.stops_on_program_errors = true;
        let before = session.target.machine.time();
        let reply = execute(&mut session, "endless {}");
        assert_eq!(
            reply.stop.map(|s| s.reason),
            Some(StopReason::Error),
            "{limit}"
        );
        let used = session.target.machine.time() - before;
        assert!((limit + 1..limit + 10).contains(&used), "{used} of {limit}");
        // Where the run ended, expressions can still be evaluated, also those with a loop.
        let reply = execute(&mut session, ":print n > 0");
        assert!(reply.ok, "{:?}", reply.diagnostics);
    }
}

#[test]
fn stepping_notices_an_exceeded_instruction_limit_at_the_same_time() {
    let times: Vec<u64> = [1, 7, u64::MAX]
        .into_iter()
        .map(|step| {
            let mut session = Session::new(languages::ALL[0], 1);
            assert!(session.load("game.gl", TIGHT_LOOP).ok);
            let machine = &mut session.target.machine;
            machine.limits.max_instructions = 300;
            let endless = machine.program().functions.iter();
            let endless = endless.map(|f| f.name.as_str()).collect::<Vec<_>>();
            let function = endless.iter().position(|name| *name == "endless").unwrap();
            let function = gridbug::code::FunctionId(function as u32);
            machine.start(function, &[]).unwrap();
            let start = machine.time();
            while let Outcome::Paused(_) = machine.run_until(machine.time().saturating_add(step)) {
                assert!(machine.time() < start + 1_000, "the limit was not noticed");
            }
            machine.time() - start
        })
        .collect();
    assert_eq!(times, vec![times[0]; 3]);
}

/// A GridLok game in which every cell can be clicked.
fn clickable_board(side: usize) -> String {
    format!(
        "game {{ board {{ dimensions {{{side}, {side}}} }} players {{\"x\", \"o\"}}
  piece {{ name {{\"a\"}} onClick {{ changeType {{\"b\"}} endTurn {{}} }} }}
  piece {{ name {{\"b\"}} onClick {{ changeType {{\"a\"}} endTurn {{}} }} }}
  setup {{ for r, c in board {{ place {{\"a\", r, c}} }} }}
  winCondition {{ win {{board[0][0].name == \"c\"}} }}
}}"
    )
}

/// A file with such a game, for one test.
fn clickable_board_file(test: &str, side: usize) -> std::path::PathBuf {
    let name = format!("gridbug-limits-{test}-{}-{side}.gl", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, clickable_board(side)).unwrap();
    path
}

/// The most memory that a process has used so far, in KB. `None` where the system does not say.
fn peak_memory_kb(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Searches a board with a memory limit. Returns the replies, and how many KB more than after loading the
/// game were in use at most.
fn search_memory(side: usize, limit_mb: &str, lines: &[&str]) -> (String, Option<u64>) {
    let path = clickable_board_file("memory", side);
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .arg(&path)
        .args(["--memory", limit_mb])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    // Waits until a line has been answered; what comes before it is the reply.
    let mut reply_to = |line: &str| {
        writeln!(stdin, "{line}\n2 + 2").unwrap();
        let mut reply = String::new();
        while !reply.ends_with("= 4\n") {
            assert!(stdout.read_line(&mut reply).unwrap() > 0, "{line}: {reply}");
        }
        reply
    };
    reply_to("");
    let before = peak_memory_kb(child.id());
    let replies: Vec<String> = lines.iter().map(|line| reply_to(line)).collect();
    let after = peak_memory_kb(child.id());
    drop(stdin);
    // Where a command is refused, the exit code is 1.
    assert!(child.wait().unwrap().code().is_some_and(|code| code <= 1));
    std::fs::remove_file(path).unwrap();
    let used = before.zip(after).map(|(before, after)| after - before);
    if used.is_none() {
        eprintln!("skipped: this system does not say how much memory a process uses");
    }
    (replies.concat(), used)
}

/// The code of a search is loaded when it is first used, and the history of the session grows.
const UNCOUNTED_KB: u64 = 6 << 10;

#[test]
fn several_searches_in_a_row_stay_within_the_memory_limit() {
    // All positions after one move need 37 MB.
    let lines = [":find error", ":solve", ":why not win", ":opponent x 1"];
    let (replies, used) = search_memory(100, "10", &lines);
    assert_eq!(replies.matches("(memory limit)").count(), 2, "{replies}");
    assert!(replies.contains("x plays"), "{replies}");
    if let Some(used) = used {
        assert!(used <= (10 << 10) + UNCOUNTED_KB, "{used} KB");
        // It was used.
        assert!(used >= 5 << 10, "{used} KB");
    }
}

#[test]
fn a_board_that_is_too_large_for_the_memory_limit_is_not_searched() {
    // A machine of a search would need 25 MB.
    let lines = [
        ":moves",
        ":find error",
        ":check",
        ":solve",
        ":hint",
        ":stats",
        ":stats 10",
        ":coverage search",
        ":coverage 10 games",
        ":opponent x",
    ];
    let (replies, used) = search_memory(500, "20", &lines);
    let reason = "undecided: this game is too large to search (memory limit)";
    assert_eq!(replies.matches(reason).count(), lines.len(), "{replies}");
    if let Some(used) = used {
        assert!(used <= UNCOUNTED_KB, "{used} KB");
    }
}

#[test]
fn a_memory_limit_of_a_search_is_exit_code_3() {
    for (side, limit_mb) in [(500, "20"), (100, "4")] {
        let path = clickable_board_file("exit", side);
        let file = path.to_str().unwrap();
        for arguments in [&["find", file, "error"][..], &["check", "--search", file]] {
            let run = |json: &[&str]| {
                let output = Command::new(env!("CARGO_BIN_EXE_gridbug"))
                    .args(arguments)
                    .args(["--memory", limit_mb])
                    .args(json)
                    .output()
                    .unwrap();
                assert_eq!(output.status.code(), Some(3), "{output:?}");
                String::from_utf8(output.stdout).unwrap()
            };
            assert!(run(&[]).contains("(memory limit)"));
            assert!(run(&["--json"]).contains("\"stopped_by\":\"memory\""));
        }
        std::fs::remove_file(path).unwrap();
    }
}
