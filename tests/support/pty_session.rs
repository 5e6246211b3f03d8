//! Runs gridbug in a pseudo-terminal: sends keys and waits for text on the screen.

// Each test binary uses only some of these methods.
#![allow(dead_code)]

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Long enough even for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A program in a pseudo-terminal.
pub struct PtySession {
    screen: Arc<Mutex<vt100::Parser>>,
    sent: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// Dropping this closes the terminal.
    pty: Box<dyn portable_pty::MasterPty + Send>,
}

impl PtySession {
    /// Starts gridbug without a history.
    pub fn new(name: &str, arguments: &[&str], cols: u16, rows: u16) -> PtySession {
        let _ = std::fs::remove_dir_all(home(name));
        PtySession::with_history(name, arguments, cols, rows)
    }

    /// Starts gridbug with the history of the previous run of the same name.
    pub fn with_history(name: &str, arguments: &[&str], cols: u16, rows: u16) -> PtySession {
        PtySession::start(name, env!("CARGO_BIN_EXE_gridbug"), arguments, cols, rows)
    }

    /// Starts a program and waits for its prompt.
    pub fn start(
        name: &str,
        program: &str,
        arguments: &[&str],
        cols: u16,
        rows: u16,
    ) -> PtySession {
        let mut session = PtySession::spawn(name, program, arguments, cols, rows);
        session.wait_for_prompt();
        session
    }

    /// Starts a program without waiting for a prompt.
    pub fn spawn(
        name: &str,
        program: &str,
        arguments: &[&str],
        cols: u16,
        rows: u16,
    ) -> PtySession {
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
        // Long replies are printed as they are.
        command.env("PAGER", "cat");
        command.env("XDG_STATE_HOME", home(name));
        // The view need not ask for the background, which nothing would answer.
        command.env("COLORFGBG", "15;0");
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
        let (shared_screen, shared_sent) = (screen.clone(), sent.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shared_sent
                    .lock()
                    .unwrap()
                    .extend_from_slice(&bytes[..count]);
                shared_screen.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keys = pty.master.take_writer().unwrap();
        PtySession {
            screen,
            sent,
            keys,
            child,
            pty: pty.master,
        }
    }

    /// Resizes the terminal.
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

    /// The process id.
    pub fn process_id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Everything that was sent to the terminal so far.
    pub fn raw_output(&self) -> String {
        String::from_utf8_lossy(&self.sent.lock().unwrap()).into_owned()
    }

    /// The lines of the screen, each with its bold parts.
    pub fn bold_text(&self) -> Vec<(String, Vec<String>)> {
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

    /// The foreground and background colors on the screen, without the default color.
    pub fn colors(&self) -> Vec<vt100::Color> {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (rows, cols) = screen.size();
        let positions = (0..rows.get()).flat_map(|r| (0..cols.get()).map(move |c| (r, c)));
        let cells = positions.filter_map(|(r, c)| screen.cell(r, c));
        let mut found: Vec<vt100::Color> = Vec::new();
        for color in cells.flat_map(|cell| [cell.fgcolor(), cell.bgcolor()]) {
            if color != vt100::Color::Default && !found.contains(&color) {
                found.push(color);
            }
        }
        found
    }

    /// What the screen shows.
    pub fn with_screen<R>(&self, f: impl FnOnce(&vt100::Screen) -> R) -> R {
        f(self.screen.lock().unwrap().screen())
    }

    /// Whether the alternate screen is shown.
    pub fn is_full_screen(&self) -> bool {
        self.screen.lock().unwrap().screen().alternate_screen()
    }

    /// Whether mouse clicks are reported.
    pub fn has_mouse(&self) -> bool {
        let parser = self.screen.lock().unwrap();
        parser.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    }

    pub fn has_hidden_cursor(&self) -> bool {
        self.screen.lock().unwrap().screen().hide_cursor()
    }

    /// The line of the cursor.
    fn line(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let screen = parser.screen();
        let (row, _) = screen.cursor_position();
        let (_, cols) = screen.size();
        // Read a single row: `contents` joins the rows of a wrapped line.
        screen
            .rows(0, cols.get())
            .nth(row as usize)
            .unwrap_or_default()
    }

    /// Waits until a condition holds; `what` is for the failure message.
    pub fn wait_until(&mut self, what: &str, condition: impl Fn(&PtySession) -> bool) {
        let start = Instant::now();
        while !condition(self) {
            assert!(
                start.elapsed() < TIMEOUT,
                "timed out waiting for {what:?}:\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for text on the screen.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |terminal| terminal.screen().contains(text));
    }

    /// Waits for text in the line of the cursor.
    pub fn wait_for_at_cursor(&mut self, text: &str) {
        let text = text.trim_end();
        self.wait_until(text, |terminal| terminal.line().contains(text));
    }

    /// Waits for an empty prompt. Control keys that are sent earlier could be lost.
    pub fn wait_for_prompt(&mut self) {
        self.wait_until("a bare prompt", |terminal| {
            terminal.line().trim_end().ends_with('>')
        });
    }

    /// Waits for an empty prompt for an entry in this language, whatever its number.
    pub fn wait_for_prompt_of(&mut self, language: &str) {
        self.wait_until(language, |terminal| {
            let line = terminal.line();
            line.starts_with(language) && line.trim_end().ends_with('>')
        });
    }

    /// Whether the cursor is at an empty prompt or continuation prompt.
    pub fn is_at_prompt(&self) -> bool {
        let line = self.line();
        let line = line.trim_end();
        line.ends_with('>') || line.ends_with("...")
    }

    pub fn send_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the prompt, then types a line and Enter.
    pub fn type_line(&mut self, line: &str) {
        self.wait_until("a prompt", PtySession::is_at_prompt);
        // Wait for the echo before Enter, and for its end after, to not mistake the old prompt for
        // the new.
        let tail: String = line
            .trim_end()
            .chars()
            .rev()
            .take(8)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        self.send_keys(line);
        self.wait_until("the echo", |terminal| terminal.line().contains(&tail));
        self.send_keys("\r");
        self.wait_until("the line to be accepted", |terminal| {
            let line = terminal.line();
            // The prompt may contain the same word.
            let typed = line
                .split_once("> ")
                .map_or(line.as_str(), |(_, typed)| typed);
            tail.is_empty() || !typed.contains(&tail)
        });
    }

    /// Waits until the program exits, and returns its exit code.
    pub fn wait_for_exit(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(
                start.elapsed() < TIMEOUT,
                "the program does not exit:\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for PtySession {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

pub fn home(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("terminal")
        .join(name)
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).unwrap()
}
