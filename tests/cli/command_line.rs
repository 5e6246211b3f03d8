//! Arguments, standard input and output, exit codes.

use crate::protocol::{assert_valid, part};
use serde_json::Value;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const COUNTER: &str = "board { dimensions {2, 2} image {b.png} }
def total {0}
piece { name {\"stone\"} image {s.png} onClick { total {total + 1} print {total} } }
setup { for r, c in board { place {\"stone\", r, c} } print {\"ready\"} }
fun read() { return total }
";

/// A fresh folder for a test, containing `counter.gl`.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("counter.gl"), COUNTER).unwrap();
    folder
}

pub fn gridbug(folder: &PathBuf, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The process can exit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json_replies(output: &Output) -> Vec<Value> {
    out(output)
        .lines()
        .map(|line| {
            let json: Value = serde_json::from_str(line).unwrap();
            // `check` and `rejudge` print results about files, which are no answers.
            if json.get("entry").is_some() {
                assert_valid(&json);
            }
            json
        })
        .collect()
}

#[test]
fn json_replies_to_loading_and_to_each_entry() {
    let folder = folder("json");
    let done = gridbug(
        &folder,
        &["--json", "counter.gl"],
        "click{0,1}\n\nfor i(0,2) {\nclick{i,0}\n}\ntotal\ntotl\n:state\n",
    );
    let (announced, all): (Vec<Value>, Vec<Value>) = json_replies(&done)
        .into_iter()
        .partition(|answer| answer["incomplete"] == true);
    let announced: Vec<&Value> = announced.iter().map(|answer| &answer["entry"]).collect();
    assert_eq!(announced, ["for i(0,2) {", "click{i,0}"]);
    assert_eq!(all.len(), 7);
    assert_eq!(all[0]["output"][0], "ready");
    assert_eq!(all[1]["output"][0], "1");
    assert_eq!(
        (&all[2]["entry"], &all[2]["ok"]),
        (&Value::from(""), &Value::from(true)),
        "a blank line gets a reply too"
    );
    assert_eq!(all[3]["entry"], "for i(0,2) {\nclick{i,0}\n}");
    assert_eq!(part(&all[4], "value")["data"], 3);
    assert_eq!(all[5]["ok"], false);
    assert_eq!(all[5]["diagnostics"][0]["column"], 1);
    assert_eq!(part(&all[6], "state")["vars"]["total"], 3);
    assert_eq!(done.status.code(), Some(1), "an entry failed");
}

#[test]
fn json_contains_the_text_of_the_tour() {
    let all = json_replies(&gridbug(
        &folder("json-tour"),
        &["--json"],
        ":tour\nclick{1,1}\n",
    ));
    let text = |n: usize| all[n]["text"].as_str().unwrap_or_default().to_string();
    assert!(
        text(0).contains("tour 1 of") && text(1).contains("tour 2 of"),
        "{all:?}"
    );
}

#[test]
fn json_reports_a_missing_file() {
    let done = gridbug(&folder("json-missing"), &["--json", "none.gl"], "");
    let all = json_replies(&done);
    assert_eq!(all[0]["ok"], false);
    assert!(
        all[0]["text"]
            .as_str()
            .unwrap()
            .contains("file not found: none.gl")
    );
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn piped_entries_have_no_banner_prompt_or_color() {
    let folder = folder("piped");
    let done = gridbug(&folder, &[], "1 + 1\nclick{1,1}\n");
    let text = out(&done);
    assert!(text.starts_with("= 2\n"), "{text}");
    assert!(text.contains("(X)"), "{text}");
    assert!(
        !text.contains('\x1b') && !text.contains("gridlok 1>") && !text.contains("gridbug"),
        "{text}"
    );
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(gridbug(&folder, &[], "1 +\n\n").status.code(), Some(1));
    assert!(out(&gridbug(&folder, &["--color", "always"], "clik{1}\n")).contains('\x1b'));
}

#[test]
fn an_incomplete_last_entry_is_reported() {
    let done = gridbug(&folder("unfinished"), &[], "for i(0,2) {");
    assert!(out(&done).contains("unclosed"), "{}", out(&done));
}

#[test]
fn eval_runs_its_entries_and_exits() {
    let done = gridbug(
        &folder("eval"),
        &["counter.gl", "--eval", "click{0,0}", "--eval", "total * 10"],
        "",
    );
    assert!(out(&done).ends_with("= 10\n"), "{}", out(&done));
    assert_eq!(done.status.code(), Some(0));
}

#[test]
fn run_prints_only_what_the_program_prints() {
    let folder = folder("run");
    let done = gridbug(&folder, &["run", "counter.gl"], "");
    // What the game waits for is not output of the program.
    assert_eq!(
        (out(&done).as_str(), done.status.code()),
        ("ready\n", Some(0))
    );
}

#[test]
fn run_prints_the_output_before_an_error() {
    let folder = folder("run-error");
    let text = "board { dimensions {2, 2} image {b.png} }\nsetup {\n  print {\"one\"}\n  display {\"no\"}\n  print {1 / 0}\n}\n";
    std::fs::write(folder.join("bad.gl"), text).unwrap();
    let done = gridbug(&folder, &["run", "bad.gl"], "");
    assert_eq!(out(&done), "one\n");
    assert!(err(&done).starts_with("bad.gl:5:"), "{}", err(&done));
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn check_reports_errors_without_running() {
    let folder = folder("check");
    std::fs::write(
        folder.join("bad.gl"),
        "board { dimensions {2, 2} image {b.png} }\nsetup { plac {\"x\", 0, 0} }\n",
    )
    .unwrap();
    let good = gridbug(&folder, &["check", "counter.gl"], "");
    assert_eq!(good.status.code(), Some(0), "{}", out(&good));
    assert!(!out(&good).contains("ready"));
    let bad = gridbug(&folder, &["check", "counter.gl", "bad.gl"], "");
    assert!(
        out(&bad).contains("bad.gl:2:9") && out(&bad).contains("did you mean"),
        "{}",
        out(&bad)
    );
    assert_eq!(bad.status.code(), Some(1));
    let json = json_replies(&gridbug(&folder, &["check", "--json", "bad.gl"], ""));
    assert_eq!(json[0]["diagnostics"][0]["line"], 2);
}

#[test]
fn unreadable_files_are_rejected_with_a_clear_message() {
    let folder = folder("unreadable");
    std::fs::write(folder.join("latin.gl"), b"board {\n \xe9 }").unwrap();
    std::fs::write(folder.join("zero.gl"), b"board {}\n// \0\n").unwrap();
    std::fs::File::create(folder.join("huge.gl"))
        .unwrap()
        .set_len(17 << 20)
        .unwrap();
    std::fs::write(folder.join("game.xyz"), COUNTER).unwrap();
    for (file, message) in [
        ("latin.gl", "line 2 has invalid bytes"),
        ("zero.gl", "line 2 has a zero byte"),
        ("huge.gl", "too large"),
        ("none.gl", "file not found: none.gl"),
        ("game.xyz", "use --lang"),
    ] {
        let done = gridbug(&folder, &["run", file], "");
        assert!(err(&done).contains(message), "{file}: {}", err(&done));
        assert_eq!(done.status.code(), Some(1));
    }
    assert_eq!(
        gridbug(&folder, &["--lang", "gridlok", "run", "game.xyz"], "")
            .status
            .code(),
        Some(0)
    );
    assert_eq!(gridbug(&folder, &["--nonsense"], "").status.code(), Some(2));
}

#[test]
fn an_endless_loop_stops_at_the_instruction_limit() {
    let done = gridbug(
        &folder("steps"),
        &["--steps", "1000000"],
        "for i(0,2) { i{0} }\n1 + 1\n",
    );
    assert!(
        out(&done).contains("probably an endless loop") && out(&done).ends_with("= 2\n"),
        "{}",
        out(&done)
    );
}

#[test]
fn a_closed_pipe_ends_the_process_silently() {
    let folder = folder("closed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--eval", "for i(0, 200000) { print {i} }"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(err(&done), "");
}

#[test]
fn program_text_cannot_send_control_sequences() {
    let done = gridbug(
        &folder("control-sequences"),
        &["--color", "never"],
        "print{\"a\u{1b}[31mb\"}\ndisplay{\"\u{1b}]0;x\u{7}\"}\n\"\u{9b}1m\n",
    );
    assert!(
        !done.stdout.contains(&0x1b) && !out(&done).contains('\u{9b}'),
        "{}",
        out(&done)
    );
}

#[test]
fn a_saved_session_passes_its_test_and_can_be_continued() {
    let folder = folder("save");
    let entries = "click{0,0}\ntotl\n:rand next 2\nrand{0,5}\n:undo\nfor i(0,2) {\nclick{1,i}\n}\n:break stone.onClick\nclick{0,0}\nwhere\ncontinue\n:save lesson\n";
    let done = gridbug(&folder, &["counter.gl", "--seed", "9"], entries);
    assert!(
        out(&done).contains("saved lesson.session: 10 entries"),
        "{}",
        out(&done)
    );
    let tested = gridbug(&folder, &["test", "."], "");
    assert_eq!(tested.status.code(), Some(0), "{}", out(&tested));
    let again = gridbug(&folder, &["lesson.session"], "total\n");
    assert!(out(&again).ends_with("= 4\n"), "{}", out(&again));
    let text = std::fs::read_to_string(folder.join("lesson.session")).unwrap();
    assert!(
        text.contains("seed 9") && text.contains("> for i(0,2) {\n. click{1,i}\n. }\n"),
        "{text}"
    );
    std::fs::write(
        folder.join("lesson.session"),
        text.replace("  1\n", "  11\n"),
    )
    .unwrap();
    let tested = gridbug(&folder, &["test", "lesson.session"], "");
    assert!(
        out(&tested).contains("  - 11") && out(&tested).contains("  + 1"),
        "{}",
        out(&tested)
    );
    assert_eq!(tested.status.code(), Some(1));
    assert_eq!(
        gridbug(&folder, &["test", "--update", "lesson.session"], "")
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("lesson.session")).unwrap(),
        text
    );
}

/// Reloading repeats the recorded draws, even after `:seed` and `:rand`.
#[test]
fn reload_repeats_the_random_draws() {
    let folder = folder("reload_draws");
    let game = "board { dimensions {1,1} image {b.png} } def n {0} setup { n {rand {0, 1000}} }";
    std::fs::write(folder.join("draws.gl"), game).unwrap();
    let typed = "n\nn {n + rand {0, 1000}}\n:seed 77\n:rand next 3 4\nn {n + rand {0, 10}}\nn\n:reload\nn\n";
    let output = gridbug(&folder, &["--seed", "5", "draws.gl"], typed);
    let text = out(&output);
    let values: Vec<&str> = text.lines().filter(|l| l.starts_with("= ")).collect();
    assert_eq!(values.len(), 3, "{text}");
    assert_eq!(values[1], values[2], "{text}");
    assert!(text.contains("All replies are the same"), "{text}");
}

#[test]
fn reload_replays_the_entries_with_the_new_rules() {
    let folder = folder("reload");
    let file = folder.join("counter.gl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--json", "counter.gl"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    next();
    let mut send = |text: &str| {
        writeln!(input, "{text}").unwrap();
        next()
    };
    send("total{5}");
    send("click{0,0}");
    let same = send(":reload");
    assert!(
        same["text"]
            .as_str()
            .unwrap()
            .contains("All replies are the same"),
        "{same}"
    );
    // Breakpoints, watchpoints and seeds do not change the replies, and the replay does not stop.
    send(":break onClick");
    send(":watch total");
    send(":seed 5");
    let stopped = send("click{0,0}");
    assert_eq!(part(&stopped, "stop")["reason"], "breakpoint", "{stopped}");
    send("continue");
    send("continue");
    send(":undo");
    let same = send(":reload");
    assert!(
        same["text"]
            .as_str()
            .unwrap()
            .contains("All replies are the same"),
        "{same}"
    );
    assert!(same.get("stop").is_none(), "{same}");
    assert_eq!(
        part(&send("click{0,0}"), "stop")["reason"],
        "breakpoint",
        "the breakpoints are still set"
    );
    send(":delete");
    send(":abandon");
    std::fs::write(&file, COUNTER.replace("total + 1", "total + 10")).unwrap();
    let other = send(":reload");
    assert!(
        other["text"]
            .as_str()
            .unwrap()
            .contains("differ from entry 2 on"),
        "{other}"
    );
    assert_eq!(part(&send("total"), "value")["data"], 15);
    std::fs::write(&file, "board {").unwrap();
    assert_eq!(send(":reload")["ok"], false);
    assert_eq!(part(&send("total"), "value")["data"], 15);
    drop(input);
    child.wait().unwrap();
}

#[test]
fn help_and_version_are_printed() {
    let folder = folder("help");
    let help = out(&gridbug(&folder, &["--help"], ""));
    assert!(
        help.contains("Examples:") && help.contains("--seed"),
        "{help}"
    );
    assert!(out(&gridbug(&folder, &["--version"], "")).starts_with("gridbug "));
}

/// BoGL has no main function: `run` evaluates `result`, and prints the board before each input and
/// at the end.
#[test]
fn running_a_bogl_game_evaluates_its_result() {
    let folder = folder("run-bogl");
    let text = "game Row\ntype Board = Array (2,1) of {X, E}\ntype Input = Int\nempty : Board\nempty!(x,y) = E\n\
        put : Board -> Board\nput(b) = place(X, b, (input, 1))\n";
    std::fs::write(
        folder.join("row.bgl"),
        format!("{text}result : Int\nresult = count(X, put(put(empty)))\n"),
    )
    .unwrap();
    let done = gridbug(&folder, &["run", "row.bgl"], "1\nTwo\n2\n");
    assert_eq!(out(&done), "E E\nX E\nX X\n2\n");
    assert!(
        err(&done).contains("input : Int\n") && err(&done).contains("`Two`"),
        "{}",
        err(&done)
    );
    assert_eq!(done.status.code(), Some(0));
    let done = gridbug(&folder, &["run", "row.bgl"], "1\n");
    assert!(err(&done).contains("row.bgl:7:"), "{}", err(&done));
    assert_eq!(done.status.code(), Some(1));
    // If the result is the board, it is printed once.
    std::fs::write(
        folder.join("board.bgl"),
        format!("{text}result : Board\nresult = put(empty)\n"),
    )
    .unwrap();
    assert_eq!(
        out(&gridbug(&folder, &["run", "board.bgl"], "2\n")),
        "E E\nE X\n"
    );
    std::fs::write(folder.join("none.bgl"), text).unwrap();
    let done = gridbug(&folder, &["run", "none.bgl"], "");
    assert!(err(&done).contains("nothing to run"), "{}", err(&done));
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn json_blank_lines_only_end_unfinished_entries() {
    let folder = folder("json-blank");
    for (language, unfinished) in [
        ("gridlok", "fun f() {"),
        ("bogl", "f : Int -> Int"),
        ("gridlang", "function f(): int {"),
        ("tinygame", "player hero {"),
        ("sgl2d", "set wall >"),
    ] {
        // Inside brackets, one blank line is layout.
        let layout = if unfinished.ends_with('{') { "\n" } else { "" };
        let lines = format!("\n{unfinished}\n{layout}\n \n:state\n");
        let done = gridbug(&folder, &["--json", "--lang", language], &lines);
        let mut replies = json_replies(&done);
        replies.retain(|answer| answer["incomplete"] != true);
        let entries: Vec<&str> = replies
            .iter()
            .map(|r| r["entry"].as_str().unwrap())
            .collect();
        assert_eq!(entries, ["", unfinished, " ", ":state"], "{language}");
        for blank in [&replies[0], &replies[2]] {
            assert_eq!(
                (&blank["ok"], &blank["text"]),
                (&Value::from(true), &Value::from(""))
            );
        }
    }
}

#[test]
fn commands_inside_an_unfinished_entry_come_first() {
    let lines = "fun six() {\n:breaks\n\n  return 6\n}\nfun seven() {\n:cancel\nsix{} * 7\n";
    let folder = folder("command-in-entry");
    let text = out(&gridbug(&folder, &["--lang", "gridlok"], lines));
    assert_eq!(
        text,
        "No breakpoints; set one with `:break LINE`\ndefined function six\ncancelled: fun seven() {\n= 42\n"
    );
    let replies = json_replies(&gridbug(&folder, &["--json", "--lang", "gridlok"], lines));
    let entries: Vec<(&str, bool)> = replies
        .iter()
        .map(|r| (r["entry"].as_str().unwrap(), r["incomplete"] == true))
        .collect();
    assert_eq!(
        entries,
        [
            ("fun six() {", true),
            (":breaks", false),
            ("", true),
            ("  return 6", true),
            ("fun six() {\n\n  return 6\n}", false),
            ("fun seven() {", true),
            ("fun seven() {", false),
            ("six{} * 7", false)
        ]
    );
    assert_eq!(replies[6]["text"], "cancelled: fun seven() {");
    assert_eq!(part(&replies[7], "value")["data"], 42);
}

/// A client that sends a line only after the answer to the one before would wait for ever if a line
/// had no answer.
#[test]
fn json_answers_every_line_before_it_reads_the_next() {
    let folder = folder("json-waits");
    for (language, game, question, command, value) in [
        (
            "gridlang",
            "",
            "int n = prompt(\"How many? \", int)",
            ":state",
            "n",
        ),
        (
            "bogl",
            "game G\ntype Board = Array(1,1) of {A, E}\ntype Input = Int\nb : Board\nb!(x,y) = E\nask : Board -> Int\nask(b) = input\n",
            "ask(b)",
            ":breaks",
            "b!(1,1)",
        ),
    ] {
        let file = format!("game.{language}");
        std::fs::write(folder.join(&file), game).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .args(["--json", "--lang", language, &file])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = child.stdout.take().unwrap();
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(output));
        let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(next()["ok"], true);
        let mut send = |text: &str| {
            writeln!(input, "{text}").unwrap();
            let answer = next();
            assert_eq!(answer["entry"], text, "{answer}");
            answer
        };
        let asked = send(question);
        assert_eq!(asked["needs_input"], true, "{asked}");
        let command = send(command);
        assert_eq!(command["needs_input"], true, "{command}");
        assert_eq!(command["question"], asked["question"]);
        let answered = send("3");
        assert_eq!(answered["needs_input"], Value::Null, "{answered}");
        assert_eq!(send(value)["ok"], true);
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn json_blank_lines_neither_play_nor_step() {
    let folder = folder("json-blank-turn");
    std::fs::write(
        folder.join("game.grid"),
        "Layout(2, 2) { Player a; int n = 0 }\ngameLoop() {\nn = n + 1\nn = n + 1\n}\n",
    )
    .unwrap();
    let lines = "\nn\n:turn\nn\n:break gameLoop\n:turn\nstep\n:when\n\n:when\n";
    let replies = json_replies(&gridbug(&folder, &["--json", "game.grid"], lines));
    assert_eq!(
        (
            &part(&replies[2], "value")["data"],
            &part(&replies[4], "value")["data"]
        ),
        (&Value::from(0), &Value::from(2))
    );
    assert_eq!(
        replies[8]["text"], replies[10]["text"],
        "still at the same stop"
    );
}

#[test]
fn a_blank_line_inside_braces_does_not_end_a_piped_entry() {
    let program = "fun f() {\n\n  return 41\n\n}\nf{} + 1\n";
    let done = gridbug(&folder("blank-line"), &["--lang", "gridlok"], program);
    assert!(out(&done).ends_with("= 42\n"), "{}", out(&done));
    assert_eq!(done.status.code(), Some(0));
}

#[test]
fn a_session_saved_after_undoing_a_load_ends_in_the_same_state() {
    let folder = folder("undo-load");
    std::fs::write(
        folder.join("other.gl"),
        COUNTER.replace("total + 1", "total + 100"),
    )
    .unwrap();
    let entries = "click{0,0}\n:load other.gl\nclick{0,1}\n:undo 2\ntotal\n:save past\n";
    let done = gridbug(&folder, &["counter.gl"], entries);
    assert!(
        out(&done).contains("= 1\n") && out(&done).contains("saved past.session"),
        "{}",
        out(&done)
    );
    assert!(!out(&done).contains("does not lead to"), "{}", out(&done));
    // The session file contains the program, so the loaded file is not needed.
    std::fs::remove_file(folder.join("other.gl")).unwrap();
    let again = gridbug(&folder, &["past.session"], "total\n");
    assert!(out(&again).ends_with("= 1\n"), "{}", out(&again));
    assert_eq!(
        gridbug(&folder, &["test", "past.session"], "")
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn replaying_a_session_file_never_writes_files() {
    let folder = folder("no-writing");
    std::fs::write(
        folder.join("malicious.session"),
        "language gridlok\n\n--- session\n\n> :save stolen\n",
    )
    .unwrap();
    gridbug(&folder, &["test", "malicious.session"], "");
    gridbug(&folder, &["malicious.session"], "1\n");
    assert!(!folder.join("stolen.session").exists());
}

/// Writing fails when the disk is full; a limit on the size of files has the same effect.
#[cfg(unix)]
#[test]
fn a_failing_save_leaves_the_old_session_file_intact() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("full-disk");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let binary = env!("CARGO_BIN_EXE_gridbug");
    let save = |prefix: &str| {
        let script =
            format!("{prefix}exec {binary} --eval 'click{{0,0}}' --eval ':save game.session'");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&folder)
            .output();
        let output = output.unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    };
    let (saved, text) = save("");
    assert!(saved, "{text}");
    let before = std::fs::read_to_string(folder.join("game.session")).unwrap();
    let (saved, text) = save("trap '' XFSZ; ulimit -f 0; ");
    assert!(
        !saved && text.contains("cannot write game.session"),
        "{text}"
    );
    let after = std::fs::read_to_string(folder.join("game.session")).unwrap();
    assert_eq!(before, after);
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 1, "a temporary file was left behind");
}

#[test]
fn a_byte_order_mark_is_accepted_in_every_language() {
    for language in gridbug::languages::ALL {
        let info = language.info();
        let name = format!("bom.{}", info.extensions[0]);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, format!("\u{feff}{}", info.sample)).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .arg("check")
            .arg(&path)
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{}: {text}", info.name);
    }
}

#[test]
fn new_writes_a_game_that_loads_and_never_overwrites() {
    let folder = folder("new");
    for name in ["a.gl", "a.bgl", "a.grid", "a.tg", "a.sgl2d"] {
        let _ = std::fs::remove_file(folder.join(name));
        let done = gridbug(&folder, &["new", name], "");
        assert_eq!(done.status.code(), Some(0), "{}", err(&done));
        assert!(
            out(&done).contains(&format!("gridbug run {name}")),
            "{}",
            out(&done)
        );
        let checked = gridbug(&folder, &["check", name], "");
        assert_eq!(out(&checked), format!("{name}: no problems found\n"));
        std::fs::write(folder.join(name), "mine").unwrap();
        let done = gridbug(&folder, &["new", name], "");
        assert_eq!(done.status.code(), Some(1));
        assert!(err(&done).contains("already exists"), "{}", err(&done));
        let kept = std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(kept, "mine");
    }
    let done = gridbug(&folder, &["new", "game.txt"], "");
    assert!(err(&done).contains("use --lang"), "{}", err(&done));
}

#[test]
fn examples_are_listed_printed_and_opened() {
    let folder = folder("examples");
    let list = out(&gridbug(&folder, &["examples"], ""));
    for name in ["GridLok", "connect-four", "SGL2D", "maze"] {
        assert!(list.contains(name), "{list}");
    }
    let printed = gridbug(&folder, &["examples", "maze", "--print"], "");
    let maze = include_str!("../../sessions/sgl2d/maze.sgl2d");
    assert_eq!(out(&printed), maze);
    let opened = gridbug(&folder, &["examples", "maze"], "right\n");
    assert!(out(&opened).contains("Counter 1: 59"), "{}", out(&opened));
    let unknown = gridbug(&folder, &["examples", "mase"], "");
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        err(&unknown).contains("did you mean `maze`?"),
        "{}",
        err(&unknown)
    );
}

#[test]
fn the_lessons_of_the_course_are_listed() {
    let folder = folder("course");
    let list = out(&gridbug(&folder, &["lesson"], ""));
    for text in [
        "GridLok",
        "gridlok 12",
        "tinygame 3",
        "`gridbug lesson gridlok 1` opens the first one",
    ] {
        assert!(list.contains(text), "{text}: {list}");
    }
    let list = out(&gridbug(&folder, &["lesson", "bogl"], ""));
    assert!(
        list.contains("bogl 3") && !list.contains("gridlok 2"),
        "{list}"
    );
    let piped = gridbug(&folder, &["lesson", "bogl", "1"], "");
    assert!(
        err(&piped).contains("use `:lesson bogl 1`"),
        "{}",
        err(&piped)
    );
}

/// Every message starts with `gridbug: `; 2 means that the command line is wrong.
#[test]
fn wrong_command_lines_are_explained_in_one_style() {
    let folder = folder("wrong");
    std::fs::create_dir_all(folder.join("games")).unwrap();
    for (arguments, message, code) in [
        (
            &["rnu"][..],
            "gridbug: unknown command `rnu`; did you mean `run`?",
            2,
        ),
        (
            &["rnu", "a.gl"],
            "gridbug: unknown command `rnu`; did you mean `run`?",
            2,
        ),
        (
            &["games"],
            "gridbug: games is a directory; name a file in it",
            1,
        ),
        (
            &["run", "games"],
            "gridbug: games is a directory; name a file in it",
            1,
        ),
        (
            &["none.gl"],
            "gridbug: file not found: none.gl; `gridbug new none.gl`",
            1,
        ),
        (
            &["run", "none.gl"],
            "gridbug: file not found: none.gl; `gridbug new none.gl`",
            1,
        ),
        (&["check", "none.gl"], "gridbug: file not found: none.gl", 1),
        (&["homework"], "gridbug: file not found: homework", 1),
        (&["run"], "gridbug: the following required arguments", 2),
        (
            &["--nonsense"],
            "gridbug: unexpected argument '--nonsense'",
            2,
        ),
    ] {
        let done = gridbug(&folder, arguments, "");
        assert!(
            err(&done).starts_with(message),
            "{arguments:?}: {}",
            err(&done)
        );
        assert_eq!(done.status.code(), Some(code), "{arguments:?}");
        assert_eq!(out(&done), "", "{arguments:?}");
    }
    let help = gridbug(&folder, &["help"], "");
    assert_eq!(help.status.code(), Some(0));
    assert!(out(&help).contains("Examples:"), "{}", out(&help));
}

#[test]
fn run_in_a_pipe_says_which_moves_a_game_waits_for() {
    let folder = folder("run-moves");
    for (name, moves) in [("a.gl", "`click{0,0}`"), ("a.sgl2d", "`right`")] {
        let _ = std::fs::remove_file(folder.join(name));
        gridbug(&folder, &["new", name], "");
        let done = gridbug(&folder, &["run", name], "");
        assert_eq!(done.status.code(), Some(0));
        assert!(err(&done).contains(moves), "{}", err(&done));
        assert!(
            err(&done).contains(&format!("`gridbug {name}`")),
            "{}",
            err(&done)
        );
    }
}

/// The program as redefined by the entries of the session.
#[test]
fn run_and_check_accept_the_program_of_a_session() {
    let folder = folder("session-program");
    let program = "setup { print {\"ready\"} }";
    let session = format!(
        "language gridlok\n--- program a.gl\nboard {{ dimensions {{1, 1}} image {{b.png}} }}\n{program}\n--- session\n\
         > setup {{ print {{\"changed\"}} }}\n> unknown\n"
    );
    std::fs::write(folder.join("a.session"), session).unwrap();
    let done = gridbug(&folder, &["run", "a.session"], "");
    assert!(done.status.success(), "{}", err(&done));
    assert!(out(&done).starts_with("changed\n"), "{}", out(&done));
    let done = gridbug(&folder, &["check", "a.session"], "");
    assert_eq!(out(&done), "a.session: no problems found\n");
    // Typed from nothing, and not complete.
    let typed = "language gridlok\n--- session\n> fun f() { return 1 }\n";
    std::fs::write(folder.join("typed.session"), typed).unwrap();
    let done = gridbug(&folder, &["check", "typed.session"], "");
    assert!(!done.status.success());
    assert!(
        out(&done).contains("this game has no board"),
        "{}",
        out(&done)
    );
    let empty = "language gridlok\n--- session\n> 1 + 1\n";
    std::fs::write(folder.join("empty.session"), empty).unwrap();
    let done = gridbug(&folder, &["run", "empty.session"], "");
    assert!(
        err(&done).contains("empty.session defines no program"),
        "{}",
        err(&done)
    );
    // The errors of the program itself.
    let broken = "language gridlok\n--- program b.gl\nboard {\n--- session\n";
    std::fs::write(folder.join("broken.session"), broken).unwrap();
    let done = gridbug(&folder, &["check", "broken.session"], "");
    assert!(out(&done).contains("b.gl:1:8"), "{}", out(&done));
}

/// A folder with a BoGL game and its prelude.
fn prelude_folder(name: &str) -> PathBuf {
    let folder = folder(name);
    let lib = "twice : Int -> Int\ntwice(x) = x * 2\n";
    let game = "game G\nresult : Int\nresult = twice(four)\nfour : Int\nfour = 4\n";
    std::fs::write(folder.join("lib.bgl"), lib).unwrap();
    std::fs::write(folder.join("game.bgl"), game).unwrap();
    let more = "three : Int\nthree = twice(1) + True\n";
    std::fs::write(folder.join("more.bgl"), more).unwrap();
    folder
}

#[test]
fn a_prelude_is_used_by_run_check_eval_and_pipes() {
    let folder = prelude_folder("preludes");
    let lib = ["--prelude", "lib.bgl", "game.bgl"];
    let run = gridbug(&folder, &["run", "--prelude", "lib.bgl", "game.bgl"], "");
    assert_eq!((out(&run).as_str(), run.status.code()), ("8\n", Some(0)));
    let check = gridbug(&folder, &[&["check"], &lib[..]].concat(), "");
    assert_eq!(out(&check), "game.bgl: no problems found\n");
    let eval = gridbug(&folder, &[&lib[..], &["--eval", "twice(21)"]].concat(), "");
    assert_eq!(out(&eval), "= 42\n");
    let piped = gridbug(&folder, &lib, "result\n:save all.session\n");
    assert!(out(&piped).starts_with("= 8\n"), "{}", out(&piped));
    let json = gridbug(&folder, &[&["--json"], &lib[..]].concat(), "result\n");
    assert_eq!(part(&json_replies(&json)[1], "value")["data"], 8);
    // The session needs none of the files.
    std::fs::remove_file(folder.join("lib.bgl")).unwrap();
    for command in ["test", "check", "run"] {
        let done = gridbug(&folder, &[command, "all.session"], "");
        assert_eq!(done.status.code(), Some(0), "{command}: {}", err(&done));
    }
    let alone = gridbug(&folder, &["run", "game.bgl"], "");
    assert!(err(&alone).contains("game.bgl:3:10: unknown function `twice`"));
}

#[test]
fn errors_in_preludes_are_reported_with_their_file() {
    let folder = prelude_folder("bad-preludes");
    let both = ["--prelude", "lib.bgl", "--prelude", "more.bgl", "game.bgl"];
    let run = gridbug(&folder, &[&["run"], &both[..]].concat(), "");
    let error = "more.bgl:2:20: `+` needs an `Int` on its right side, found a `Bool` [BG046]\n";
    assert_eq!((err(&run).as_str(), run.status.code()), (error, Some(1)));
    let check = gridbug(&folder, &[&["check"], &both[..]].concat(), "");
    assert!(out(&check).contains("--> more.bgl:2:20"), "{}", out(&check));
    let piped = gridbug(&folder, &both, "result\n");
    assert!(out(&piped).contains("--> more.bgl:2:20"), "{}", out(&piped));
    assert_eq!(piped.status.code(), Some(1));
    let game = gridbug(&folder, &["check", "lib.bgl"], "");
    assert!(out(&game).contains("or use the file as a prelude"));
    for (arguments, message) in [
        (
            &["--prelude", "lib.bgl", "counter.gl"][..],
            "gridbug: GridLok games cannot use preludes; only BoGL games can\n",
        ),
        (
            &["--prelude", "no.bgl", "game.bgl"],
            "gridbug: file not found: no.bgl\n",
        ),
        (
            &["--prelude", "lib.bgl", "new", "other.bgl"],
            "gridbug: `--prelude` is for games, `run`, `find`, `explore`, `check`, `fmt` and `rejudge`\n",
        ),
        (
            &["--prelude", "lib.bgl", "run", "x.session"],
            "gridbug: file not found: x.session\n",
        ),
    ] {
        let done = gridbug(&folder, arguments, "");
        assert_eq!(err(&done), message);
        assert_eq!(done.status.code(), Some(1));
    }
}

#[test]
fn quitting_never_asks_in_a_pipe() {
    let folder = folder("quit-piped");
    for quit in [":quit", ":quit!", ":q!"] {
        let input = format!("def a {{1}}\n{quit}\nprint {{\"not reached\"}}\n");
        let done = gridbug(&folder, &["counter.gl"], &input);
        assert!(done.status.success(), "{}", out(&done));
        assert!(!out(&done).contains("reached"), "{}", out(&done));
        assert!(!out(&done).contains("not saved"), "{}", out(&done));
    }
}

#[test]
fn fmt_formats_files_and_standard_input() {
    let folder = folder("fmt");
    let path = folder.join("a.tg");
    std::fs::write(&path, "\u{feff}player a {\nx=0; y=0;\n}\n").unwrap();
    let checked = gridbug(&folder, &["fmt", "--check", "a.tg"], "");
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(out(&checked), "a.tg: not formatted\n");
    let done = gridbug(&folder, &["fmt", "a.tg"], "");
    assert_eq!(out(&done), "a.tg: formatted\n");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "\u{feff}player a {\n    x = 0; y = 0;\n}\n");
    let checked = gridbug(&folder, &["fmt", "--check", "a.tg"], "");
    assert_eq!(checked.status.code(), Some(0));
    assert_eq!(out(&checked), "a.tg: already formatted\n");

    let piped = gridbug(
        &folder,
        &["fmt", "--lang", "tinygame", "-"],
        "player a{\nx=0;\n}",
    );
    assert_eq!(out(&piped), "player a {\n    x = 0;\n}\n");

    // A file with errors stays as it is, and so do the others that cannot be formatted.
    std::fs::write(&path, "player a{ x=;\n").unwrap();
    let failed = gridbug(&folder, &["fmt", "a.tg", "missing.tg"], "");
    assert_eq!(failed.status.code(), Some(1));
    assert!(out(&failed).contains("a.tg: not changed, because it has errors"));
    assert!(err(&failed).contains("missing.tg"), "{}", err(&failed));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "player a{ x=;\n");
}

#[test]
fn rejudge_says_with_its_exit_code_whether_all_sessions_end_as_before() {
    let folder = folder("rejudge");
    let play = "click{0,0}\nclick{1,1}\n:save game.session\n";
    assert!(gridbug(&folder, &["counter.gl"], play).status.success());
    let code = |arguments: &[&str]| gridbug(&folder, arguments, "").status.code();
    assert_eq!(code(&["rejudge", "counter.gl", "game.session"]), Some(0));
    let twice = COUNTER.replace("total + 1", "total + 2");
    std::fs::write(folder.join("twice.gl"), twice).unwrap();
    let done = gridbug(&folder, &["rejudge", "twice.gl", "game.session"], "");
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(
        out(&done),
        "different   game.session  from move 1 of 2, click{0,0}
            was: 1
            now: 2
1 session: 1 different
"
    );
    let done = gridbug(
        &folder,
        &["rejudge", "--json", "twice.gl", "game.session"],
        "",
    );
    let json = json_replies(&done).remove(0);
    assert_eq!(json["rejudge"][0]["verdict"], "different");
    assert_eq!(json["rejudge"][0]["move"], "click{0,0}");
    for arguments in [
        &["rejudge", "counter.gl"][..],
        &["rejudge", "counter.gl", "none.session"],
        &["rejudge", "none.gl", "game.session"],
    ] {
        assert_eq!(code(arguments), Some(2), "{arguments:?}");
    }
    let endless = COUNTER.replace("total {total + 1}", "for i(0, 99999999) { total {0} }");
    std::fs::write(folder.join("endless.gl"), endless).unwrap();
    assert_eq!(code(&["rejudge", "endless.gl", "game.session"]), Some(3));
}

#[test]
fn rejudge_exits_with_2_for_a_broken_game_and_files_that_cannot_be_read() {
    let folder = folder("rejudge-broken");
    let play = "click{0,0}\nclick{1,1}\n:save good.session\n";
    assert!(gridbug(&folder, &["counter.gl"], play).status.success());
    std::fs::write(folder.join("broken.gl"), "board {").unwrap();
    std::fs::write(folder.join("bad.session"), "click{0,0}\n").unwrap();
    std::fs::create_dir(folder.join("empty")).unwrap();
    for (arguments, message) in [
        (
            &["rejudge", "broken.gl", "good.session"][..],
            "gridbug: broken.gl has errors",
        ),
        // A bad file among several that are named.
        (
            &["rejudge", "counter.gl", "good.session", "bad.session"],
            "gridbug: bad.session is not a session file",
        ),
        (
            &["rejudge", "counter.gl", "good.session", "none.session"],
            "gridbug: file not found: none.session",
        ),
        (
            &["rejudge", "counter.gl", "good.session", "--slowly"],
            "gridbug: ",
        ),
    ] {
        let done = gridbug(&folder, arguments, "");
        let message_shown = err(&done);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(message_shown.contains(message), "{message_shown}");
        assert_eq!(out(&done), "");
    }
    let done = gridbug(
        &folder,
        &["rejudge", "--json", "broken.gl", "good.session"],
        "",
    );
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(json_replies(&done)[0]["ok"], false);
}

#[test]
fn rejudge_judges_the_other_sessions_of_a_directory_with_a_bad_file() {
    let folder = folder("rejudge-directory");
    let games = folder.join("games");
    std::fs::create_dir(&games).unwrap();
    let play = "click{0,0}\nclick{1,1}\n:save games/a.session\n:save games/c.session\n";
    assert!(gridbug(&folder, &["counter.gl"], play).status.success());
    std::fs::write(games.join("b.session"), "click{0,0}\n").unwrap();
    std::fs::write(games.join("notes.txt"), "not a session").unwrap();
    let done = gridbug(&folder, &["rejudge", "counter.gl", "games"], "");
    let text = out(&done);
    assert_eq!(done.status.code(), Some(1), "{text}{}", err(&done));
    let verdicts: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(".session") && !line.starts_with(' '))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(verdicts, ["same", "unplayable", "same"], "{text}");
    assert!(text.contains("is not a session file"), "{text}");
    assert!(
        text.ends_with("3 sessions: 2 same, 1 unplayable\n"),
        "{text}"
    );
    assert!(!text.contains("notes"), "{text}");
    // The same at the prompt.
    let done = gridbug(&folder, &["counter.gl"], ":rejudge games\n");
    assert!(out(&done).ends_with(&text), "{}", out(&done));
}

#[test]
fn rejudge_has_a_time_limit_for_the_whole_run() {
    let folder = folder("rejudge-seconds");
    let play = "click{0,0}\nclick{1,1}\n:save a.session\n";
    assert!(gridbug(&folder, &["counter.gl"], play).status.success());
    std::fs::copy(folder.join("a.session"), folder.join("b.session")).unwrap();
    let rejudge = |arguments: &[&str]| {
        let sessions = ["a.session", "b.session"];
        let done = gridbug(&folder, &[&["rejudge"], arguments, &sessions].concat(), "");
        // The time may end just before or just after the first session is begun.
        let text = out(&done).replace("not played to its end", "not played");
        (done.status.code(), text)
    };
    let (code, text) = rejudge(&["--seconds", "60", "--memory", "64", "counter.gl"]);
    assert_eq!(code, Some(0), "{text}");
    let none = "\
undecided   a.session
            now: not played: time limit
undecided   b.session
            now: not played: time limit
2 sessions: 2 undecided
";
    assert_eq!(
        rejudge(&["--seconds", "0", "counter.gl"]),
        (Some(3), none.into())
    );
    // The first click would take hours; the instruction limit ends it long after the time limit.
    let endless = COUNTER.replace("total {total + 1}", "for i(0, 99999999) { total {0} }");
    std::fs::write(folder.join("endless.gl"), endless).unwrap();
    assert_eq!(
        rejudge(&["--seconds", "0.1", "endless.gl"]),
        (Some(3), none.into())
    );
    // The time also ends a setup.
    let setup = COUNTER.replace("setup {", "setup { for i(0, 2000000000) { total {0} } ");
    assert_ne!(setup, COUNTER);
    std::fs::write(folder.join("setup.gl"), setup).unwrap();
    assert_eq!(
        rejudge(&["--seconds", "0.1", "--steps", "0", "setup.gl"]),
        (Some(3), none.into())
    );
    let (code, text) = rejudge(&["--seconds", "-1", "counter.gl"]);
    assert_eq!(code, Some(2), "{text}");
    let done = gridbug(
        &folder,
        &[
            "rejudge",
            "--json",
            "--seconds",
            "0",
            "counter.gl",
            "a.session",
        ],
        "",
    );
    assert_eq!(done.status.code(), Some(3));
    assert_eq!(json_replies(&done)[0]["rejudge"][0]["verdict"], "undecided");
}

#[test]
fn find_exits_with_what_the_search_has_shown() {
    let folder = folder("find");
    let find = |arguments: &[&str]| {
        let done = gridbug(&folder, &[&["find"], arguments].concat(), "");
        (done.status.code(), out(&done), err(&done))
    };
    let (code, text, _) = find(&["counter.gl", "total == 3"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("in 3 moves, no sooner"), "{text}");
    let (code, text, _) = find(&["counter.gl", "win"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("impossible"), "{text}");
    // Options may follow the goal, which is not the end of the arguments.
    let (code, text, _) = find(&["counter.gl", "total == -1", "--seconds", "0.2"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("undecided"), "{text}");
    let (code, _, error) = find(&["counter.gl", "totl == 3"]);
    assert_eq!(code, Some(2), "{error}");
    let (code, _, error) = find(&["missing.gl", "win"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("missing.gl"), "{error}");
}

#[test]
fn the_usage_names_every_subcommand() {
    let folder = folder("usage");
    let help = out(&gridbug(&folder, &["--help"], ""));
    let (usage, _) = help.split_once("Arguments:").unwrap_or((&help, ""));
    for name in [
        "run", "new", "examples", "check", "find", "explore", "fmt", "test",
    ]
    .into_iter()
    .chain(["rejudge", "lesson", "completions", "man"])
    {
        let is_named = usage.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.contains(&"gridbug") && words.contains(&name)
        });
        assert!(is_named, "{name}: {usage}");
    }
}
