//! Whatever happens while the keys are taken, the terminal is given back: tried in a pseudo-terminal of its own, by
//! starting this test program again in it.

use super::*;
use crate::languages;
use crate::terminal::completion_context::CompletionContext;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Instant;

#[test]
fn a_time_is_read_as_on_a_watch() {
    assert_eq!(clock(Duration::from_millis(61_007)), "01:01.007");
    assert_eq!(clock(Duration::from_secs(3600)), "60:00.000");
}

/// A screen that works until a key has been pressed.
struct Broken {
    flushed: u32,
    panics: bool,
}

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed += 1;
        match self.flushed {
            1 => io::stdout().flush(),
            _ if self.panics => panic!("the board fell off the table"),
            _ => Err(io::Error::other("the screen is gone")),
        }
    }
}

fn play(panics: bool) {
    let mut session = Session::new(languages::by_name("sgl2d").unwrap(), 1);
    assert!(session.load("game.sgl2d", "player >\n").ok);
    let mut screen = Screen::onto(Box::new(Broken { flushed: 0, panics }));
    let mut reader = LineReader::new(CompletionContext::new(&session, false), false).unwrap();
    let interrupt = Interrupt::install(&session);
    let keys = KeyReader::open().unwrap();
    // How the terminal treats what is typed, in one word; the shell around this says it before and after.
    Command::new("stty").arg("-g").status().unwrap();
    let table = &mut KeyPlay {
        session: &mut session,
        screen: &mut screen,
        reader: &mut reader,
        interrupt: &interrupt,
    };
    assert!(table.run(keys, ["up", "down", "left", "right"]).is_err());
}

#[test]
#[ignore = "only in a terminal: started by the test below"]
fn inner_panic() {
    play(true);
}

#[test]
#[ignore = "only in a terminal: started by the test below"]
fn inner_error() {
    play(false);
}

struct Inner {
    child: Box<dyn Child + Send + Sync>,
    terminal: Box<dyn MasterPty + Send>,
    said: Arc<Mutex<String>>,
}

impl Inner {
    fn start(test: &str) -> Inner {
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new("sh");
        command.args([
            "-c",
            "stty -g; \"$0\" \"$1\" --ignored --nocapture; stty -g",
        ]);
        command.arg(std::env::current_exe().unwrap());
        command.arg(test);
        let child = pty.slave.spawn_command(command).unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (mut output, heard) = (pty.master.try_clone_reader().unwrap(), said.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                heard
                    .lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Inner {
            child,
            terminal: pty.master,
            said,
        }
    }

    fn waits(&mut self, what: &str, there: impl Fn(&mut Inner) -> bool) {
        let begun = Instant::now();
        while !there(self) {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "no {what}: {}",
                self.said.lock().unwrap()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What the terminal was said to do with what is typed, each time.
    fn manners(&self) -> Vec<String> {
        let is_word =
            |l: &&str| l.len() > 20 && l.chars().all(|c| c == ':' || c.is_ascii_hexdigit());
        self.said
            .lock()
            .unwrap()
            .lines()
            .map(str::trim)
            .filter(is_word)
            .map(str::to_string)
            .collect()
    }
}

#[test]
fn a_panic_or_an_error_gives_the_keyboard_back() {
    for (test, said) in [
        ("inner_panic", "the board fell off the table"),
        ("inner_error", "1 passed"),
    ] {
        let mut inner = Inner::start(test);
        inner.waits("board", |inner| {
            inner.said.lock().unwrap().contains("arrows move")
        });
        inner
            .terminal
            .take_writer()
            .unwrap()
            .write_all(b"\x1b[C")
            .unwrap();
        inner.waits("end", |inner| inner.child.try_wait().unwrap().is_some());
        inner.waits("reason", |inner| inner.said.lock().unwrap().contains(said));
        inner.waits("manners of before, of between and of after", |inner| {
            inner.manners().len() == 3
        });
        let manners = inner.manners();
        assert_ne!(
            manners[0], manners[1],
            "{test}: the keyboard was never taken"
        );
        assert_eq!(
            manners[0], manners[2],
            "{test}: the keyboard was never given back"
        );
    }
}
