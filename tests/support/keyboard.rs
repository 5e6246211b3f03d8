//! A person at a terminal: presses keys, looks at the screen, waits until something is to be seen.

// Each promise needs a part of it.
#![allow(dead_code)]

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than a loaded machine needs.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Keyboard {
    screen: Arc<Mutex<vt100::Parser>>,
    sent: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    // Dropping it closes the terminal.
    pty: Box<dyn portable_pty::MasterPty + Send>,
}

impl Keyboard {
    /// Starts the program with no history.
    pub fn new(name: &str, arguments: &[&str], cols: u16, rows: u16) -> Keyboard {
        let _ = std::fs::remove_dir_all(home(name));
        Keyboard::again(name, arguments, cols, rows)
    }

    /// Starts it with the history of before.
    pub fn again(name: &str, arguments: &[&str], cols: u16, rows: u16) -> Keyboard {
        Keyboard::of(name, env!("CARGO_BIN_EXE_gridbug"), arguments, cols, rows)
    }

    /// Starts a program, and waits for its prompt.
    pub fn of(name: &str, program: &str, arguments: &[&str], cols: u16, rows: u16) -> Keyboard {
        let mut keyboard = Keyboard::asked(name, program, arguments, cols, rows);
        keyboard.bare_prompt();
        keyboard
    }

    /// Starts one that may begin with a question.
    pub fn asked(name: &str, program: &str, arguments: &[&str], cols: u16, rows: u16) -> Keyboard {
        std::fs::create_dir_all(home(name)).unwrap();
        let pty = native_pty_system()
            .openpty(PtySize {
                rows,
                cols,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", home(name));
        command.cwd(home(name));
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(
            nonzero(rows),
            nonzero(cols),
            0,
        )));
        let mut output = pty.master.try_clone_reader().unwrap();
        let sent = Arc::new(Mutex::new(Vec::new()));
        let (shown, all) = (screen.clone(), sent.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                all.lock().unwrap().extend_from_slice(&bytes[..count]);
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keys = pty.master.take_writer().unwrap();
        Keyboard {
            screen,
            sent,
            keys,
            child,
            pty: pty.master,
        }
    }

    /// Makes the terminal larger or smaller.
    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(nonzero(rows), nonzero(cols));
        self.pty
            .resize(PtySize {
                rows,
                cols,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// All that the terminal was sent until now.
    pub fn sent(&self) -> String {
        String::from_utf8_lossy(&self.sent.lock().unwrap()).into_owned()
    }

    /// The lines of the screen, each with what is printed strong in it.
    pub fn strong(&self) -> Vec<(String, Vec<String>)> {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (rows, cols) = screen.size();
        let row = |r: u16| {
            let cells: Vec<_> = (0..cols.get()).filter_map(|c| screen.cell(r, c)).collect();
            let text = cells
                .iter()
                .map(|c| if c.has_contents() { c.contents() } else { " " })
                .collect::<String>();
            let runs = cells
                .chunk_by(|a, b| a.bold() == b.bold())
                .filter(|run| run[0].bold());
            let words = runs.map(|run| {
                run.iter()
                    .map(|c| c.contents())
                    .collect::<String>()
                    .trim()
                    .to_string()
            });
            (
                text.trim_end().to_string(),
                words.filter(|w| !w.is_empty()).collect(),
            )
        };
        (0..rows.get()).map(row).collect()
    }

    /// The colours of what stands on the screen, and of what stands behind it; not that of a plain terminal.
    pub fn colours(&self) -> Vec<vt100::Color> {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (rows, cols) = screen.size();
        let places = (0..rows.get()).flat_map(|r| (0..cols.get()).map(move |c| (r, c)));
        let cells = places.filter_map(|(r, c)| screen.cell(r, c));
        let mut found: Vec<vt100::Color> = Vec::new();
        for colour in cells.flat_map(|cell| [cell.fgcolor(), cell.bgcolor()]) {
            if colour != vt100::Color::Default && !found.contains(&colour) {
                found.push(colour);
            }
        }
        found
    }

    /// The line that the cursor stands in.
    fn line(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (row, _) = screen.cursor_position();
        let (_, cols) = screen.size();
        // Row by row: in the contents a line that did not fit is one line, in however many rows it stands.
        screen
            .rows(0, cols.get())
            .nth(row as usize)
            .unwrap_or_default()
    }

    pub fn waits(&mut self, what: &str, there: impl Fn(&Keyboard) -> bool) {
        let begun = Instant::now();
        while !there(self) {
            assert!(
                begun.elapsed() < PATIENCE,
                "no {what:?} on the screen:\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn sees(&mut self, text: &str) {
        self.waits(text, |k| k.screen().contains(text));
    }

    /// Sees it in the line that the cursor stands in.
    pub fn sees_last(&mut self, text: &str) {
        let text = text.trim_end();
        self.waits(text, |k| k.line().contains(text));
    }

    /// Waits for a prompt with nothing typed behind it: control keys pressed before could be lost.
    pub fn bare_prompt(&mut self) {
        self.waits("a bare prompt", |k| k.line().trim_end().ends_with('>'));
    }

    /// Whether there is a prompt, also one for the rest of an entry, with nothing typed behind it.
    pub fn prompted(&self) -> bool {
        let line = self.line();
        let line = line.trim_end();
        line.ends_with('>') || line.ends_with("...")
    }

    pub fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types a line when the prompt is there.
    pub fn enter(&mut self, line: &str) {
        self.waits("a prompt", Keyboard::prompted);
        // What was typed is waited for, and its end only then: the prompt of before is not the next one.
        let tail: String = line
            .trim_end()
            .chars()
            .rev()
            .take(8)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        self.keys(line);
        self.waits("what was typed", |k| k.line().contains(&tail));
        self.keys("\r");
        self.waits("the line taken", |k| {
            tail.is_empty() || !k.line().contains(&tail)
        });
    }

    /// Waits until the program has ended; its exit code.
    pub fn ends(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end:\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn home(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("terminal")
        .join(name)
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).unwrap()
}
