//! The journal and `:resume`: no input that was replied to is lost. The real binary is killed while
//! it receives input, and its session is restored.
//!
//! `RESUME_KILLS=1000 cargo test --test invariants resume` kills it more often.

use crate::pty_session::PtySession;
use gridbug::command::{handle_line, restore_session};
use gridbug::host::{JournalDir, JournalStore};
use gridbug::languages;
use gridbug::session::session_file::{Ending, SessionInput, SessionItem};
use gridbug::session::{Journal, Session, StoredJournal, StoredJournals};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn home(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("terminal")
        .join(name)
}

fn journals(name: &str) -> PathBuf {
    home(name).join("gridbug/journal")
}

fn journal_dir(folder: &Path) -> Rc<dyn JournalStore> {
    Rc::new(JournalDir::new(folder))
}

fn stored_journals(folder: &Path) -> Vec<StoredJournal> {
    StoredJournals::all(&journal_dir(folder)).journals
}

/// Kills a process with SIGKILL.
fn kill(process: u32) {
    assert!(
        Command::new("kill")
            .args(["-9", &process.to_string()])
            .status()
            .unwrap()
            .success()
    );
}

/// Starts gridbug in a new pseudo-terminal.
fn start(folder: &Path) -> (Box<dyn MasterPty + Send>, Box<dyn Child + Send + Sync>) {
    let pty = native_pty_system()
        .openpty(PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        })
        .unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gridbug"));
    command.args(["--lang", "gridlok"]);
    command.env("TERM", "xterm-256color");
    command.env("XDG_STATE_HOME", folder);
    command.cwd(folder);
    let child = pty.slave.spawn_command(command).unwrap();
    (pty.master, child)
}

/// Starts gridbug, sends keys, kills it a moment after a number of replies, and returns its output.
fn type_and_kill(folder: &Path, keys: &str, replies: usize, moment: Duration) -> String {
    let (pty, mut child) = start(folder);
    let shown = Arc::new(Mutex::new(String::new()));
    let (mut output, shared_text) = (pty.try_clone_reader().unwrap(), shown.clone());
    let reader = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut bytes) {
            shared_text
                .lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
    let mut writer = pty.take_writer().unwrap();
    let wait_until = |what: &str, is_reached: &dyn Fn(&str) -> bool| {
        let start = Instant::now();
        while !is_reached(&shown.lock().unwrap()) {
            assert!(start.elapsed() < Duration::from_secs(60), "no {what}");
            std::thread::sleep(Duration::from_micros(200));
        }
    };
    wait_until("prompt", &|shown| shown.contains('>'));
    writer.write_all(keys.as_bytes()).unwrap();
    wait_until("reply", &|shown| count_replies(shown) >= replies);
    std::thread::sleep(moment);
    kill(child.process_id().unwrap());
    child.wait().unwrap();
    drop((writer, pty));
    reader.join().unwrap();
    drop(child);
    Arc::try_unwrap(shown).unwrap().into_inner().unwrap()
}

/// How many of the numbers 1001, 1002, … are in the output.
fn count_replies(shown: &str) -> usize {
    (1..100)
        .take_while(|n| shown.contains(&(1000 + n).to_string()))
        .count()
}

fn value(session: &mut Session, entry: &str) -> String {
    handle_line(session, entry).value.unwrap_or_default()
}

#[test]
fn no_reply_is_lost_when_the_process_is_killed() {
    let kills = std::env::var("RESUME_KILLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(200);
    let folder = home("killed");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let keys: String = "def n {0}\r".to_string() + &"n {n + 1} print {1000 + n}\r".repeat(40);
    for run in 0..kills {
        // Each run is killed in another place: after more or fewer replies, and at another moment of
        // the next one. How fast they come depends on the machine.
        let min_replies = run * 7 % 40;
        let moment = Duration::from_micros(run as u64 * 791 % 3000);
        let shown = type_and_kill(&folder, &keys, min_replies, moment);
        let replies = count_replies(&shown);
        assert!(replies >= min_replies);
        let mut stored = stored_journals(&folder.join("gridbug/journal"));
        let Some(journal) = stored.pop() else {
            assert_eq!(
                replies, 0,
                "run {run}: there is no journal, but there were replies:\n{shown}"
            );
            continue;
        };
        let entries = journal.file.items.len() - 1;
        assert!(
            entries >= replies,
            "run {run}: {replies} replies, {entries} entries in the journal"
        );
        // If it was killed between journal and screen, the journal has one entry more.
        assert!(
            entries <= replies + 1,
            "run {run}: {replies} replies, {entries} entries in the journal"
        );
        let mut session =
            restore_session(&journal.file, &Session::new(languages::ALL[0], 1)).unwrap();
        assert_eq!(value(&mut session, "n"), entries.to_string());
        journal.delete();
    }
}

fn only_journal(name: &str) -> StoredJournal {
    let mut stored = stored_journals(&journals(name));
    assert_eq!(stored.len(), 1);
    stored.remove(0)
}

#[test]
fn the_next_start_offers_to_resume_the_session() {
    let mut terminal = PtySession::new("offered", &[], 80, 30);
    for entry in [
        "click{1,1}",
        ":mark one",
        ":rand next 3",
        "fun f(a) {",
        "return a + 1",
        "}",
        ":glyph X #",
    ] {
        terminal.type_line(entry);
    }
    terminal.type_line(":break winCondition");
    terminal.type_line("click{0,0}");
    terminal.wait_for("breakpoint 1 in winCondition");
    terminal.type_line("step");
    terminal.wait_for("=>  24");
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("offered", &[], 80, 30);
    terminal.wait_for(
        "Your last session (sample.gl, 8 entries) ended unexpectedly; :resume restores it",
    );
    terminal.type_line(":resume");
    terminal.wait_for("restored: sample.gl, 8 entries, just now");
    terminal.wait_for("=>  24");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line(":marks");
    terminal.wait_for("one ");
    terminal.type_line(":breaks");
    terminal.wait_for("1  break winCondition");
    terminal.type_line("continue");
    terminal.wait_for_prompt_of("gridlok");
    terminal.wait_for("1  ·  # ");
    terminal.type_line("f{41}");
    terminal.wait_for("= 42");
    terminal.type_line("rand{0,9}");
    terminal.wait_for("= 3");
    // Killed again, it also has the new entries. Resumed from the command line.
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("offered", &["--resume"], 80, 30);
    terminal.wait_for("restored: sample.gl, 13 entries");
    terminal.type_line(":undo");
    terminal.wait_for("undone: rand{0,9}");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
    assert!(only_journal("offered").has_ended());
    let mut terminal = PtySession::with_history("offered", &[], 80, 30);
    assert!(
        !terminal.screen().contains("ended unexpectedly"),
        "{}",
        terminal.screen()
    );
    // It can be restored nevertheless.
    terminal.type_line(":resume");
    terminal.wait_for("restored: sample.gl, 14 entries");
    terminal.type_line("f{1}");
    terminal.wait_for("= 2");
}

#[test]
fn sessions_that_ended_normally_can_be_restored() {
    let mut terminal = PtySession::new("ended", &["--lang", "bogl"], 80, 24);
    // There is no earlier session.
    terminal.type_line(":resume");
    terminal.wait_for("nothing to restore: there is no earlier session");
    terminal.type_line("let a = 42");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
    // A session without entries leaves nothing.
    let mut terminal = PtySession::with_history("ended", &[], 80, 24);
    terminal.type_line(":help undo");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
    let mut terminal = PtySession::with_history("ended", &[], 80, 24);
    assert!(!terminal.screen().contains("ended unexpectedly"));
    terminal.type_line("click{1,1}");
    terminal.type_line("click{0,1}");
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("ended", &[], 80, 24);
    terminal.wait_for("Your last session (sample.gl, 2 entries) ended unexpectedly");
    terminal.type_line(":resume list");
    terminal.wait_for(" 1  sample.gl, 2 entries, just now   gridlok   ended unexpectedly");
    terminal.wait_for(" 2  bogl, 1 entry, just now   bogl");
    terminal.type_line(":resume 2");
    terminal.wait_for("restored: bogl, 1 entry");
    terminal.type_line("a");
    terminal.wait_for("= 42");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    assert_eq!(terminal.wait_for_exit(), 0);
    // Now the one that ended unexpectedly is the second.
    let mut terminal = PtySession::with_history("ended", &[], 80, 24);
    terminal.wait_for("An earlier session (sample.gl, 2 entries) ended unexpectedly; :resume 2");
    drop(terminal);
    let mut terminal = PtySession::with_history("ended", &["--resume"], 80, 24);
    terminal.wait_for("restored: bogl, 2 entries");
}

/// A session that ended unexpectedly is never lost: the journals of older ones are set aside.
#[test]
fn twenty_sessions_of_each_kind_are_kept() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many-journals");
    let _ = std::fs::remove_dir_all(&folder);
    for n in 0..50 {
        let mut session = Session::new(languages::ALL[0], 1);
        let mut journal = Journal::new(journal_dir(&folder), &session);
        handle_line(&mut session, &format!("def n {{{n}}}"));
        journal.record(session.transcript.entries.last().unwrap());
        match n % 2 {
            0 => journal.close(),
            _ => drop(journal),
        }
    }
    let typed = |n: usize| {
        SessionItem::Input(SessionInput {
            text: format!("def n {{{n}}}"),
            ..SessionInput::default()
        })
    };
    // A process that another test is starting inherits the locks for a moment. A locked journal is of a
    // running session and does not count, so that an older one is kept instead until the next look.
    let start = Instant::now();
    let journals = loop {
        let journals = stored_journals(&folder);
        let has_old = journals
            .iter()
            .any(|j| (0..10).any(|n| j.file.items[0] == typed(n)));
        if journals.len() == 40 && !has_old {
            break journals;
        }
        assert!(start.elapsed() < Duration::from_secs(20));
        drop(journals);
        std::thread::sleep(Duration::from_millis(10));
    };
    let old = std::fs::read_dir(&folder).unwrap();
    let is_old = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|e| e == "old");
    assert_eq!(
        old.filter(|entry| is_old(entry.as_ref().unwrap())).count(),
        5
    );
    assert_eq!(journals.iter().filter(|j| j.has_ended()).count(), 20);
    let numbers: Vec<usize> = journals.iter().map(|j| j.number).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}

#[test]
fn an_unfinished_entry_is_offered_at_the_prompt() {
    let mut terminal = PtySession::new("draft", &[], 80, 30);
    terminal.type_line("def k {1}");
    // A draft that is discarded is not offered.
    terminal.type_line("fun g() {");
    terminal.wait_for_at_cursor("...");
    terminal.send_keys("\x03");
    terminal.wait_for_prompt();
    terminal.type_line("fun f(a) {");
    terminal.type_line("  def b {a * 2}");
    terminal.wait_for_at_cursor("...");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    // Also if it is killed again before it was finished.
    let mut terminal = PtySession::spawn(
        "draft",
        env!("CARGO_BIN_EXE_gridbug"),
        &["--resume"],
        80,
        30,
    );
    terminal.wait_for("Your unfinished entry is at the prompt");
    terminal.wait_for_at_cursor("def b {a * 2}");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::spawn(
        "draft",
        env!("CARGO_BIN_EXE_gridbug"),
        &["--resume"],
        80,
        30,
    );
    terminal.wait_for("restored: sample.gl, 1 entry");
    terminal.wait_for_at_cursor("def b {a * 2}");
    terminal.send_keys("\r");
    terminal.type_line("  return b + k");
    terminal.type_line("}");
    terminal.wait_for_prompt();
    terminal.type_line("f{4}");
    terminal.wait_for("= 9");
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    // It is an entry now.
    let journal = only_journal("draft");
    assert_eq!(
        (journal.file.items.len(), &journal.file.ending),
        (3, &Ending::Open)
    );
}

#[test]
fn a_session_killed_at_an_error_is_resumed_there() {
    let mut terminal = PtySession::new("error-killed", &[], 80, 40);
    for line in [
        "def people {0}",
        "fun share(n) { return n / people }",
        "share{12}",
    ] {
        terminal.type_line(line);
    }
    terminal.wait_for("* error in share");
    terminal.wait_for_at_cursor("stopped> ");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("error-killed", &["--resume"], 80, 40);
    terminal.wait_for("restored: ");
    terminal.wait_for("in share");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("people {4}");
    terminal.type_line("retry");
    terminal.wait_for("share{12} finished");
    terminal.wait_for("= 3");
    terminal.wait_for_prompt_of("gridlok");
}

/// A command inside the entry is run and recorded, and the entry remains unfinished.
#[test]
fn an_unfinished_entry_survives_a_command_inside_it() {
    let mut terminal = PtySession::new("draft-command", &[], 80, 30);
    terminal.type_line("fun f(a) {");
    terminal.type_line("  def b {a * 2}");
    terminal.type_line(":mark here");
    terminal.wait_for_at_cursor("...");
    terminal.type_line("  def c {b + 1}");
    terminal.type_line(":help mark");
    terminal.wait_for_at_cursor("...");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    {
        let journal = only_journal("draft-command");
        let draft = "fun f(a) {\n  def b {a * 2}\n  def c {b + 1}";
        assert_eq!(journal.file.ending, Ending::Draft(draft.to_string()));
        assert_eq!(journal.file.items.len(), 1, "`:mark here`");
    }
    let mut terminal = PtySession::spawn(
        "draft-command",
        env!("CARGO_BIN_EXE_gridbug"),
        &["--resume"],
        80,
        30,
    );
    terminal.wait_for_at_cursor("def c {b + 1}");
    terminal.send_keys("\r");
    terminal.wait_for_at_cursor("...");
    // Discarded, it is not offered again.
    terminal.type_line(":cancel");
    terminal.wait_for("cancelled: fun f(a) {");
    terminal.wait_for_prompt_of("gridlok");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    assert_eq!(only_journal("draft-command").file.ending, Ending::Open);
}

#[test]
fn a_damaged_journal_is_kept_and_recovered() {
    let _ = std::fs::remove_dir_all(home("damaged"));
    std::fs::create_dir_all(journals("damaged")).unwrap();
    let file = journals("damaged").join("1.session");
    let text = "lan\0\0\0\nlanguage gridlok\nseed 1\n\n--- session\n\n> def n {42}\n\n";
    std::fs::write(&file, text).unwrap();
    std::fs::write(journals("damaged").join("2.session"), [0; 5000]).unwrap();
    let kept = |n: usize| journals("damaged").join(format!("{n}.damaged"));
    let mut terminal = PtySession::with_history("damaged", &[], 200, 24);
    terminal.wait_for(
        "warning: a journal is damaged: 1 entry recovered (`:resume list`), 1 damaged part left out (`the header`)",
    );
    terminal.wait_for("warning: a journal is damaged: nothing could be recovered");
    assert_eq!(std::fs::read_to_string(kept(1)).unwrap(), text);
    assert_eq!(std::fs::read(kept(2)).unwrap(), [0; 5000]);
    terminal.type_line(":resume");
    terminal.wait_for("restored: gridlok, 1 entry");
    terminal.type_line("n");
    terminal.wait_for("= 42");
    terminal.wait_for_prompt();
    terminal.type_line(":quit!");
    terminal.wait_for_exit();
    // It is said once.
    let terminal = PtySession::with_history("damaged", &[], 200, 24);
    assert!(
        !terminal.screen().contains("damaged"),
        "{}",
        terminal.screen()
    );
}

/// Everything before the damage is restored, what follows too, and what is lost is named.
#[test]
fn damage_in_the_middle_of_a_journal_is_named() {
    let _ = std::fs::remove_dir_all(home("middle"));
    std::fs::create_dir_all(home("middle")).unwrap();
    let mut terminal = PtySession::with_history("middle", &[], 200, 24);
    for line in ["def a {1}", "def b {2}", "def c {3}"] {
        terminal.wait_for_prompt();
        terminal.type_line(line);
    }
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut files = std::fs::read_dir(journals("middle")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("def b {2}", "def b {6}")).unwrap();
    let mut terminal = PtySession::with_history("middle", &[], 200, 24);
    terminal.wait_for(
        "warning: a journal is damaged: 2 entries recovered (`:resume list`), 1 damaged part left out (`> def b {6}`)",
    );
    assert!(file.with_extension("damaged").exists());
    terminal.type_line(":resume");
    terminal.wait_for("2 entries");
    terminal.type_line("a + c");
    terminal.wait_for("= 4");
}

#[test]
fn a_closed_terminal_loses_nothing() {
    let _ = std::fs::remove_dir_all(home("closed"));
    std::fs::create_dir_all(home("closed")).unwrap();
    let (pty, mut child) = start(&home("closed"));
    // Dropping the other end of the terminal sends Ctrl-D, so the program must be busy then.
    let mut keys = pty.take_writer().unwrap();
    keys.write_all(b"def n {1}\rfor i(0, 2) { i{0} }\r")
        .unwrap();
    let wait_until = |what: &str, is_done: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !is_done() {
            assert!(start.elapsed() < Duration::from_secs(20), "{what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let files = || std::fs::read_dir(journals("closed")).map_or(0, |all| all.count());
    wait_until("there is no journal", &|| files() == 1);
    std::thread::sleep(Duration::from_millis(200));
    // Like closing the window.
    drop((keys, pty));
    wait_until("the journal is still locked", &|| {
        !stored_journals(&journals("closed")).is_empty()
    });
    child.wait().unwrap();
    let SessionItem::Input(typed) = &only_journal("closed").file.items[0] else {
        panic!()
    };
    assert_eq!(typed.text, "def n {1}");
}

/// Otherwise the shell would be left in raw mode, without echo.
#[test]
fn the_terminal_is_restored_when_gridbug_is_killed() {
    for (signal, play) in [
        ("TERM", false),
        ("HUP", false),
        ("QUIT", false),
        ("TERM", true),
    ] {
        let name = format!("ended-{signal}-{play}");
        let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/sgl2d/orchard.sgl2d");
        let _ = std::fs::remove_dir_all(home(&name));
        let inner = format!(
            "echo $$ >pid; exec {} {}",
            env!("CARGO_BIN_EXE_gridbug"),
            game.display()
        );
        let mut terminal = PtySession::start(
            &name,
            "sh",
            &["-c", &format!("sh -c '{inner}'; stty -a")],
            100,
            40,
        );
        terminal.type_line("right");
        terminal.wait_for_prompt();
        if play {
            terminal.type_line(":play");
            terminal.wait_for("Esc");
        }
        let process = std::fs::read_to_string(home(&name).join("pid")).unwrap();
        let process = process.trim();
        assert!(
            Command::new("kill")
                .args([&format!("-{signal}"), process])
                .status()
                .unwrap()
                .success()
        );
        terminal.wait_for_exit();
        terminal.wait_until("the terminal settings", |terminal| {
            terminal.screen().contains("icanon")
        });
        let screen = terminal.screen();
        for raw_flag in ["-icanon", "-echo ", "-isig"] {
            assert!(
                !screen.contains(raw_flag),
                "{signal}, {play}: {raw_flag} in\n{screen}"
            );
        }
        only_journal(&name);
    }
}

/// Also by `gridbug run`, where no line is edited, and nothing is journaled.
#[test]
fn the_terminal_is_restored_when_a_game_is_killed() {
    for signal in ["TERM", "HUP", "QUIT"] {
        let name = format!("run-{signal}");
        let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/sgl2d/orchard.sgl2d");
        let _ = std::fs::remove_dir_all(home(&name));
        let (program, game) = (env!("CARGO_BIN_EXE_gridbug"), game.display());
        let inner = format!("echo $$ >pid; exec {program} run {game}");
        let shell = format!("ulimit -c 0; sh -c '{inner}'; stty -a");
        let mut terminal = PtySession::spawn(&name, "sh", &["-c", &shell], 100, 40);
        terminal.wait_until("the board", |terminal| {
            terminal.screen().contains("orchard")
        });
        let process = std::fs::read_to_string(home(&name).join("pid")).unwrap();
        let killed = Command::new("kill")
            .args([&format!("-{signal}"), process.trim()])
            .status();
        assert!(killed.unwrap().success());
        terminal.wait_for_exit();
        terminal.wait_until("the terminal settings", |terminal| {
            terminal.screen().contains("icanon")
        });
        let screen = terminal.screen();
        for raw_flag in ["-icanon", "-echo ", "-isig"] {
            assert!(
                !screen.contains(raw_flag),
                "{signal}: {raw_flag} in\n{screen}"
            );
        }
    }
}

#[test]
fn resume_restores_the_game_even_if_its_file_has_changed() {
    let file = home("changed").join("game.gl");
    let game = |n: u32| {
        format!("board {{ dimensions {{1, 1}} image {{b.png}} }}\nfun f() {{ return {n} }}\n")
    };
    let _ = std::fs::remove_dir_all(home("changed"));
    std::fs::create_dir_all(home("changed")).unwrap();
    std::fs::write(&file, game(1)).unwrap();
    let mut terminal = PtySession::with_history("changed", &["game.gl"], 80, 24);
    terminal.type_line("def a {f{}}");
    terminal.wait_for_prompt();
    std::fs::write(&file, game(2)).unwrap();
    terminal.type_line(":reload");
    terminal.wait_for("reloaded ");
    terminal.type_line("f{} + a * 10");
    terminal.wait_for("= 22");
    terminal.wait_for_prompt();
    std::fs::write(&file, game(3)).unwrap();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("changed", &["--resume"], 80, 24);
    terminal.type_line("f{} + a * 100");
    terminal.wait_for("= 202");
    terminal.type_line(":reload");
    terminal.wait_for("reloaded ");
    terminal.type_line("f{} * 1000");
    terminal.wait_for("= 3000");
}

#[test]
fn resume_restores_the_preludes_of_a_game() {
    let folder = home("preludes");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("game.bgl", "game G\nx : Int\nx = one + 10\n");
    write("lib.bgl", "one : Int\none = 1\n");
    write("more.bgl", "two : Int\ntwo = 2\n");
    let arguments = ["--prelude", "lib.bgl", "game.bgl"];
    let mut terminal = PtySession::with_history("preludes", &arguments, 80, 24);
    terminal.type_line(":load more.bgl");
    terminal.wait_for("added more.bgl: two");
    terminal.type_line("x + two * 100");
    terminal.wait_for("= 211");
    terminal.wait_for_prompt();
    write("lib.bgl", "one : Int\none = 5\n");
    write("more.bgl", "two : Int\ntwo = 6\n");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("preludes", &["--resume"], 80, 24);
    terminal.type_line("x + two * 1000");
    terminal.wait_for("= 2011");
    terminal.type_line(":reload");
    terminal.wait_for("reloaded game.bgl");
    terminal.type_line("x + two * 1000");
    terminal.wait_for("= 6015");
}

#[test]
fn resume_interrupts_at_the_same_instruction() {
    let mut terminal = PtySession::new("stopped", &[], 100, 30);
    terminal.type_line("def n {0}");
    terminal.type_line("for i(0,2) { i{0} n{n + 1} }");
    std::thread::sleep(Duration::from_millis(200));
    terminal.send_keys("\x03");
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("print n");
    terminal.wait_for("= ");
    let screen = terminal.screen();
    let n = screen
        .lines()
        .find_map(|l| l.strip_prefix("= "))
        .unwrap()
        .trim()
        .to_string();
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("stopped", &["--resume"], 100, 30);
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("print n");
    terminal.wait_for(&format!("= {n}"));
    // A saved session is interrupted at the same instruction, too.
    terminal.type_line(":save stopped");
    terminal.wait_for("saved stopped.session");
    assert!(
        !terminal.screen().contains("does not lead to"),
        "{}",
        terminal.screen()
    );
    let text = std::fs::read_to_string(home("stopped").join("stopped.session")).unwrap();
    assert!(text.contains("\n^C "), "{text}");
}

#[test]
fn resume_restores_the_position_of_an_animation() {
    let mut terminal = PtySession::new("animation-killed", &[], 80, 40);
    terminal.type_line(":break winCondition");
    terminal.type_line("click{1,1}");
    terminal.wait_for("* breakpoint 1 in winCondition");
    terminal.type_line("play 30");
    terminal.wait_for("winCondition, line 25, iteration 2");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let shown = terminal.screen();
    // The location of the last stop on the screen; the session may be one step further.
    let last_location = |screen: &str| -> String {
        let mut heads = screen.lines().filter(|l| l.starts_with("* "));
        let head = heads.next_back().expect("a stop on the screen");
        let location = head.find("winCondition").map(|at| &head[at..]);
        location
            .and_then(|l| l.split("   ").next())
            .unwrap_or(head)
            .to_string()
    };
    let mut terminal = PtySession::with_history("animation-killed", &["--resume"], 80, 40);
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("when");
    terminal.wait_for("during click{1,1}");
    let resumed = last_location(&terminal.screen());
    terminal.type_line("back");
    terminal.wait_for("* stepped back");
    terminal.wait_for_at_cursor("stopped> ");
    let before = last_location(&terminal.screen());
    let killed = last_location(&shown);
    assert!(
        killed == resumed || killed == before,
        "killed at {killed}, resumed at {resumed} after {before}:\n{shown}"
    );
    terminal.type_line("play 0");
    terminal.wait_for("click{1,1} finished");
}

#[test]
fn resume_restores_the_step_and_language_of_a_tour() {
    let mut terminal = PtySession::new("tour-killed", &["--lang", "bogl"], 80, 40);
    terminal.type_line("1 + 1");
    terminal.type_line(":tour 5");
    terminal.wait_for("tour 5 of");
    terminal.wait_for_prompt();
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("tour-killed", &["--resume"], 80, 40);
    terminal.wait_for("restored: bogl, 2 entries");
    terminal.wait_for("=>  18");
    terminal.wait_for("tour 5 of");
    assert!(
        !terminal.screen().contains("GridLok") && !terminal.screen().contains("Try"),
        "{}",
        terminal.screen()
    );
    terminal.type_line("where");
    terminal.wait_for("tour 6 of");
    terminal.type_line(":tour off");
    terminal.wait_for_prompt_of("bogl");
}

#[test]
fn resume_restores_the_step_and_the_score_of_a_lesson() {
    let arguments = ["lesson", "gridlok", "6"];
    let mut terminal = PtySession::new("lesson-killed", &arguments, 80, 50);
    terminal.send_keys("\r");
    terminal.wait_for("2/14");
    terminal.send_keys("\r");
    terminal.wait_for_at_cursor("answer> ");
    terminal.type_line("2");
    terminal.wait_for("3/14");
    terminal.send_keys("\r");
    terminal.wait_for_at_cursor("answer> ");
    terminal.type_line("5");
    terminal.wait_for("4/14");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::with_history("lesson-killed", &["--resume"], 80, 50);
    terminal.wait_for("4/14");
    terminal.type_line(":predict");
    terminal.wait_for("1 right, 1 wrong");
}

#[test]
fn resume_shows_the_input_prompt_again() {
    let mut terminal = PtySession::new("question", &["--lang", "bogl"], 80, 24);
    terminal.type_line("type Input = Int");
    terminal.type_line("let a = input + input");
    terminal.wait_for("input : Int");
    terminal.send_keys("20\r");
    terminal.wait_until("the second question", |terminal| {
        terminal.screen().matches("input : Int").count() == 2
    });
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let mut terminal = PtySession::spawn(
        "question",
        env!("CARGO_BIN_EXE_gridbug"),
        &["--resume"],
        80,
        24,
    );
    terminal.wait_for("input : Int");
    terminal.send_keys("22\r");
    terminal.wait_for_prompt();
    terminal.type_line("a");
    terminal.wait_for("= 42");
}

/// The journal left by this process. A child process that another test is just starting inherits the
/// lock for a moment, so this waits until it is released.
fn wait_for_journal(folder: &Path) -> StoredJournal {
    let start = Instant::now();
    loop {
        match stored_journals(folder).pop() {
            Some(journal) => return journal,
            None => assert!(
                start.elapsed() < Duration::from_secs(20),
                "the journal is still locked"
            ),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_input_makes_the_journal_unreadable() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zero-journal");
    let mut session = Session::new(languages::ALL[0], 1);
    session.journal = Some(Journal::new(journal_dir(&folder), &session));
    handle_line(&mut session, "print{\"a\0b\"}");
    handle_line(&mut session, "def n {7}");
    session.journal = None;
    let journal = wait_for_journal(&folder);
    let mut restored = restore_session(&journal.file, &session).unwrap();
    journal.delete();
    assert_eq!(value(&mut restored, "n"), "7");
}

#[test]
fn two_processes_have_separate_journals() {
    let mut one = PtySession::new("two", &[], 80, 24);
    let mut two = PtySession::with_history("two", &[], 80, 24);
    for n in 0..5 {
        one.type_line(&format!("print{{{n} + 100}}"));
        two.type_line(&format!("print{{{n} + 200}}"));
    }
    one.wait_for("104");
    two.wait_for("204");
    one.wait_for_prompt();
    kill(one.process_id());
    one.wait_for_exit();
    // The second process is still running: only the first journal is unused.
    let journal = only_journal("two");
    assert_eq!(journal.file.items.len(), 5);
    drop(journal);
    two.type_line(":resume list");
    two.wait_for("1  sample.gl, 5 entries");
    two.type_line(":resume drop 1");
    two.wait_for("deleted: sample.gl, 5 entries");
    two.wait_for_prompt();
    two.send_keys("\x04");
    two.wait_for_exit();
    let history = std::fs::read_to_string(home("two").join("gridbug/history")).unwrap();
    for n in 0..5 {
        assert!(
            history.contains(&format!("print{{{n} + 100}}")),
            "{history}"
        );
        assert!(
            history.contains(&format!("print{{{n} + 200}}")),
            "{history}"
        );
    }
}

#[test]
fn an_unwritable_journal_is_reported_once() {
    let folder = home("nowhere");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("gridbug"),
        "a file where the directory should be",
    )
    .unwrap();
    let mut terminal = PtySession::with_history("nowhere", &[], 80, 24);
    terminal.wait_for("warning: cannot write the journal");
    terminal.type_line("1 + 1");
    terminal.wait_for("= 2");
    terminal.type_line("2 + 2");
    terminal.wait_for("= 4");
    assert_eq!(
        terminal
            .screen()
            .matches("cannot write the journal")
            .count(),
        1,
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_missing_home_directory_is_reported() {
    let program = env!("CARGO_BIN_EXE_gridbug");
    let mut terminal = PtySession::start(
        "homeless",
        "env",
        &["-u", "HOME", "-u", "XDG_STATE_HOME", program],
        80,
        24,
    );
    terminal.wait_for("warning: no home directory found, so this session cannot be resumed");
    terminal.type_line("1 + 1");
    terminal.wait_for("= 2");
    terminal.type_line(":resume");
    terminal.wait_for("this session has no journal");
}

/// A file size limit makes writes fail like a full disk does.
#[test]
fn a_full_disk_leaves_a_readable_journal() {
    let _ = std::fs::remove_dir_all(home("full"));
    let limited = format!(
        "trap '' XFSZ; ulimit -f 3; exec {}",
        env!("CARGO_BIN_EXE_gridbug")
    );
    let mut terminal = PtySession::start("full", "bash", &["-c", &limited], 80, 24);
    let long = "x".repeat(45);
    for n in 0..50 {
        terminal.type_line(&format!("print{{\"{n} {long}\"}}"));
    }
    terminal.wait_for(&format!("49 {long}"));
    terminal.wait_for_prompt();
    terminal.type_line("1 + 1");
    terminal.wait_for("= 2");
    kill(terminal.process_id());
    terminal.wait_for_exit();
    let journal = only_journal("full");
    assert!(
        (3..50).contains(&journal.file.items.len()),
        "{}",
        journal.file.items.len()
    );
    for (n, item) in journal.file.items.iter().enumerate() {
        let SessionItem::Input(input) = item else {
            panic!()
        };
        assert_eq!(input.text, format!("print{{\"{n} {long}\"}}"));
    }
}

#[test]
fn resume_needs_a_terminal() {
    let done = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .arg("--resume")
        .stdin(std::process::Stdio::null())
        .output();
    let done = done.unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("--resume needs a terminal"),
        "{done:?}"
    );
}
