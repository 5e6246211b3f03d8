//! The terminal is restored after a panic or an error during key play. Each case runs in a
//! pseudo-terminal of its own, by starting this test program again in it.

use super::*;
use crate::languages;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Instant;

#[test]
fn durations_are_formatted_as_minutes_and_seconds() {
    assert_eq!(format_duration(Duration::from_millis(61_007)), "01:01.007");
    assert_eq!(format_duration(Duration::from_secs(3600)), "60:00.000");
}

/// A screen that works for the first frame and then panics or fails.
struct BrokenScreen {
    flush_count: u32,
    panics: bool,
}

impl Write for BrokenScreen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush_count += 1;
        match self.flush_count {
            1 => io::stdout().flush(),
            _ if self.panics => panic!("the screen panicked"),
            _ => Err(io::Error::other("the screen failed")),
        }
    }
}

fn play(panics: bool) {
    let mut session = Session::new(languages::by_name("sgl2d").unwrap(), 1);
    assert!(session.load("game.sgl2d", "player >\n").ok);
    let mut screen = Screen::onto(Box::new(BrokenScreen {
        flush_count: 0,
        panics,
    }));
    let mut reader =
        LineReader::new(crate::command::CompletionContext::new(&session), false).unwrap();
    let interrupt = Interrupt::install(&session);
    let keys = KeyReader::open().unwrap();
    // Print the terminal settings in raw mode; the shell around this test prints them before and
    // after.
    Command::new("stty").arg("-g").status().unwrap();
    let key_play = &mut KeyPlay {
        driver: &mut Driver::new(),
        session: &mut session,
        screen: &mut screen,
        reader: &mut reader,
        interrupt: &interrupt,
    };
    assert!(key_play.run(keys, ["up", "down", "left", "right"]).is_err());
}

#[test]
#[ignore = "needs a terminal; started by the test below"]
fn inner_panic() {
    play(true);
}

#[test]
#[ignore = "needs a terminal; started by the test below"]
fn inner_error() {
    play(false);
}

/// A pseudo-terminal that runs one of the ignored tests above.
struct InnerTest {
    child: Box<dyn Child + Send + Sync>,
    terminal: Box<dyn MasterPty + Send>,
    output_text: Arc<Mutex<String>>,
}

impl InnerTest {
    fn start(test: &str) -> InnerTest {
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new("sh");
        command.args([
            "-c",
            "stty -g; \"$0\" \"$1\" --ignored --nocapture; stty -g",
        ]);
        command.arg(std::env::current_exe().unwrap());
        command.arg(test);
        let child = pty.slave.spawn_command(command).unwrap();
        let output_text = Arc::new(Mutex::new(String::new()));
        let (mut output, shared_text) =
            (pty.master.try_clone_reader().unwrap(), output_text.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shared_text
                    .lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        InnerTest {
            child,
            terminal: pty.master,
            output_text,
        }
    }

    fn wait_for(&mut self, what: &str, is_there: impl Fn(&mut InnerTest) -> bool) {
        let start = Instant::now();
        while !is_there(self) {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "timed out waiting for {what}: {}",
                self.output_text.lock().unwrap()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The terminal settings that `stty -g` printed, in order.
    fn settings(&self) -> Vec<String> {
        let is_settings =
            |l: &&str| l.len() > 20 && l.chars().all(|c| c == ':' || c.is_ascii_hexdigit());
        self.output_text
            .lock()
            .unwrap()
            .lines()
            .map(str::trim)
            .filter(is_settings)
            .map(str::to_string)
            .collect()
    }
}

#[test]
fn a_panic_or_an_error_restores_the_terminal() {
    for (test, expected) in [
        ("inner_panic", "the screen panicked"),
        ("inner_error", "1 passed"),
    ] {
        let mut inner = InnerTest::start(test);
        inner.wait_for("board", |inner| {
            inner.output_text.lock().unwrap().contains("arrows move")
        });
        inner
            .terminal
            .take_writer()
            .unwrap()
            .write_all(b"\x1b[C")
            .unwrap();
        inner.wait_for("end", |inner| inner.child.try_wait().unwrap().is_some());
        inner.wait_for("output", |inner| {
            inner.output_text.lock().unwrap().contains(expected)
        });
        inner.wait_for("settings before, during and after", |inner| {
            inner.settings().len() == 3
        });
        let settings = inner.settings();
        assert_ne!(
            settings[0], settings[1],
            "{test}: raw mode was never enabled"
        );
        assert_eq!(
            settings[0], settings[2],
            "{test}: raw mode was never disabled"
        );
    }
}
