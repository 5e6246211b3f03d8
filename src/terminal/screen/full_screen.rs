//! A screen that stays in place: the alternate screen of the terminal, with keys and mouse clicks,
//! and a few rows at the bottom for the line editor when it is needed.

use super::canvas::look::Theme;
use super::input::{Expected, Input, InputReader};
use super::keys::{Key, KeyReader, leave_raw_mode};
use crate::terminal::cli::arguments::ThemeChoice;
use crate::terminal::output::escape_controls;
use crate::terminal::output::wrap::clip_text;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the terminal size is checked while waiting for a key.
const RESIZE_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Whether the alternate screen is shown.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Whether it was shown when the process was stopped.
static WAS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Whether the process was stopped and continued, so that everything has to be drawn again.
static NEEDS_REDRAW: AtomicBool = AtomicBool::new(false);

/// Shows the alternate screen, which leaves what was printed before untouched, and asks for mouse
/// reports and for marks around pasted text.
const ENTER: &str = "\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l";
/// Undoes this and whatever may be set meanwhile: origin mode, a scroll region, colors.
const LEAVE: &str =
    "\x1b[?2026l\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?6l\x1b[r\x1b[0m\x1b[?25h\x1b[?1049l";

/// The alternate screen. Dropping it restores the terminal, and so does a panic or a signal that
/// ends the process.
pub struct FullScreen {
    /// `None` while the line editor or another program reads the keyboard.
    keys: Option<KeyReader>,
    input: InputReader,
    /// Keys that were pressed while an answer of the terminal was waited for.
    typed_ahead: VecDeque<Key>,
}

/// How long the terminal may take to say which background it has.
const BACKGROUND_TIMEOUT: Duration = Duration::from_millis(300);
/// Asks for the background color, and then for what every terminal answers: a terminal that does not
/// know the first question need not be waited for.
const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\\x1b[c";

impl FullScreen {
    /// Switches to the alternate screen. Fails if the terminal does not support it.
    pub fn open() -> io::Result<FullScreen> {
        if std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "this terminal cannot move its cursor",
            ));
        }
        restore_on_panic();
        let keys = KeyReader::open()?;
        enter()?;
        Ok(FullScreen {
            keys: Some(keys),
            input: InputReader::default(),
            typed_ahead: VecDeque::new(),
        })
    }

    /// The colors for this terminal: as chosen, or as its background needs them.
    pub fn theme(&mut self, has_color: bool, choice: ThemeChoice) -> Theme {
        match choice {
            _ if !has_color => Theme::None,
            ThemeChoice::Dark => Theme::Dark,
            ThemeChoice::Light => Theme::Light,
            ThemeChoice::Auto => match background_variable() {
                Some(theme) => theme,
                None => self.ask_background().unwrap_or(Theme::Unknown),
            },
        }
    }

    /// Asks the terminal for its background. Keys that are pressed meanwhile are kept.
    fn ask_background(&mut self) -> Option<Theme> {
        write_codes(ASK_BACKGROUND).ok()?;
        let deadline = Instant::now() + BACKGROUND_TIMEOUT;
        let mut theme = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.keys.as_mut()?.read_key(Some(left)).ok()? {
                Some(Key::Background { is_light: true }) => theme = Some(Theme::Light),
                Some(Key::Background { is_light: false }) => theme = Some(Theme::Dark),
                Some(Key::TerminalAttributes) | None => return theme,
                Some(key) => self.typed_ahead.push_back(key),
            }
        }
    }

    /// Waits for a key or a mouse click; `None` after `timeout`.
    pub fn read_key(&mut self, timeout: Option<Duration>) -> io::Result<Option<Key>> {
        if let Some(key) = self.typed_ahead.pop_front() {
            return Ok(Some(key));
        }
        match &mut self.keys {
            Some(keys) => keys.read_key(timeout),
            None => Ok(Some(Key::Closed)),
        }
    }

    /// Waits for a key or the beginning of a text, by the input rule. A terminal that no longer has
    /// the size `drawn` counts as [`Key::Resized`].
    pub fn next_input(
        &mut self,
        expected: &Expected,
        mut size: impl FnMut() -> (usize, usize),
        drawn: (usize, usize),
    ) -> io::Result<Input> {
        let Some(keys) = &mut self.keys else {
            return Ok(Input::Key(Key::Closed));
        };
        let typed_ahead = &mut self.typed_ahead;
        let input = self.input.next(expected, |timeout| {
            if let Some(key) = typed_ahead.pop_front() {
                return Ok(Some(key));
            }
            if timeout.is_some() {
                return keys.read_key(timeout);
            }
            loop {
                match keys.read_key(Some(RESIZE_POLL_INTERVAL))? {
                    Some(key) => return Ok(Some(key)),
                    None if size() != drawn || NEEDS_REDRAW.swap(false, Ordering::SeqCst) => {
                        return Ok(Some(Key::Resized));
                    }
                    None => {}
                }
            }
        })?;
        Ok(match input {
            Input::Key(Key::Paste) => Input::Text(keys.take_pasted()),
            input => input,
        })
    }

    /// Gives the last `rows` of `height` rows of the screen to the line editor while `read` runs. They scroll
    /// for themselves; everything above them stays.
    pub fn with_line_editor<T>(
        &mut self,
        height: usize,
        rows: usize,
        read: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        self.keys = None;
        write_codes(&line_editor_region(height, rows))?;
        let result = read();
        write_codes("\x1b[?6l\x1b[r\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l")?;
        self.keys = Some(KeyReader::open()?);
        result
    }

    /// Shows the normal screen while `run` runs, for another program such as an editor.
    pub fn with_normal_screen<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        self.keys = None;
        restore_terminal();
        let result = run();
        self.keys = Some(KeyReader::open()?);
        enter()?;
        Ok(result)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        self.keys = None;
        restore_terminal();
    }
}

/// The background that the terminal has written into `COLORFGBG`, as `15;0`: its last number is a color
/// of the basic palette.
fn background_variable() -> Option<Theme> {
    let colors = std::env::var("COLORFGBG").ok()?;
    let background: u8 = colors.rsplit(';').next()?.parse().ok()?;
    Some(match background {
        7 | 9..=15 => Theme::Light,
        _ => Theme::Dark,
    })
}

/// Makes the last `rows` rows a small screen of their own, with the cursor in the last one. Without
/// mouse reports: the line editor would take them for text.
pub fn line_editor_region(height: usize, rows: usize) -> String {
    let top = height.saturating_sub(rows) + 1;
    format!("\x1b[?1006l\x1b[?1000l\x1b[{top};{height}r\x1b[?6h\x1b[{rows};1H\x1b[?25h")
}

fn enter() -> io::Result<()> {
    IS_SHOWN.store(true, Ordering::SeqCst);
    write_codes(ENTER)
}

/// Shows the normal screen, if the alternate one is shown.
pub fn leave_full_screen() {
    if IS_SHOWN.swap(false, Ordering::SeqCst) {
        // Fails if the terminal was closed; then there is nothing to restore.
        let _ = write_codes(LEAVE);
    }
}

/// What is to be undone on the screen before a signal ends or stops the process: the full screen, and the
/// line editor's request for marks around pasted text.
pub fn leave_on_signal() {
    WAS_SHOWN.store(IS_SHOWN.load(Ordering::SeqCst), Ordering::SeqCst);
    leave_full_screen();
    let _ = write_codes("\x1b[?2004l");
}

/// Undoes [`leave_on_signal`] when a stopped process continues.
pub fn return_after_stop() {
    let _ = match WAS_SHOWN.swap(false, Ordering::SeqCst) {
        true => {
            NEEDS_REDRAW.store(true, Ordering::SeqCst);
            enter()
        }
        false => write_codes("\x1b[?2004h"),
    };
}

/// Leaves the full screen and raw mode, if they are on.
pub fn restore_terminal() {
    leave_full_screen();
    leave_raw_mode();
}

/// Shows a text in the last row of the screen until the next frame is drawn.
pub fn draw_last_row(text: &str) {
    let size = terminal_size::terminal_size();
    let (width, height) = size.map_or((80, 24), |(w, h)| (w.0.into(), h.0));
    let row = clip_text(&escape_controls(text), width);
    // Fails if the terminal was closed, which the next key reports.
    let _ = write_codes(&format!("\x1b7\x1b[{height};1H\x1b[K{row}\x1b8"));
}

fn write_codes(codes: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(codes.as_bytes())?;
    out.flush()
}

/// Leaves the full screen before the message of a panic is printed: on the alternate screen it would
/// be lost.
fn restore_on_panic() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let print_message = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore_terminal();
            print_message(info);
        }));
    });
}
