//! Shows a long answer page by page: in `$PAGER`, or in a small pager of its own, in which a key that
//! does not page leaves it and is typed.

use super::keys::{Key, KeyReader};
use crate::terminal::output::Screen;
use std::io::{self, Write};
use std::process::{Command, Stdio};

const PROMPT: &str = "Space: more   Enter: a line   q: back to gridbug";

/// What `less` shows in its last row, and its other options: it ends at once if everything fits, keeps
/// colors, and leaves the text on the screen.
const LESS_OPTIONS: &str = "-FRX -PSpace: more   q: back to gridbug$";

/// Shows a text that is longer than the screen. Returns what was typed instead of paging on.
pub fn show(screen: &mut Screen, text: &str) -> io::Result<Option<String>> {
    screen.flush()?;
    let mut typed = None;
    match std::env::var("PAGER").ok().as_deref().map(str::trim) {
        None => typed = show_pages(screen, text)?,
        Some("" | "cat") => screen.print_raw(text)?,
        Some(pager) => {
            if run(pager, text).is_err() {
                typed = show_pages(screen, text)?;
            }
        }
    }
    screen.flush()?;
    Ok(typed)
}

/// Runs a pager, which can have arguments, until the user leaves it. Fails if it cannot be started.
fn run(pager: &str, text: &str) -> io::Result<()> {
    let mut words = pager.split_whitespace();
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(program);
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    let mut child = command.args(words).stdin(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // It fails if the user leaves the pager before the end of the text.
        let _ = writeln!(input, "{text}");
    }
    let _ = child.wait();
    Ok(())
}

/// The built-in pager. Returns what was typed.
fn show_pages(screen: &mut Screen, text: &str) -> io::Result<Option<String>> {
    let Ok(mut keys) = KeyReader::open() else {
        screen.print_raw(text)?;
        return Ok(None);
    };
    let page = screen.height.saturating_sub(2).max(1);
    let mut shown_before_prompt = page;
    for line in text.lines() {
        if shown_before_prompt == 0 {
            screen.print_raw(PROMPT)?;
            screen.flush()?;
            let next = read_next(&mut keys, page)?;
            screen.erase_rows(1)?;
            match next {
                Next::Lines(count) => shown_before_prompt = count,
                Next::Leave(typed) => return Ok(typed),
            }
        }
        screen.print_raw(line)?;
        shown_before_prompt -= 1;
    }
    Ok(None)
}

/// What to do at the end of a page.
enum Next {
    /// Show so many lines.
    Lines(usize),
    /// Leave the pager; perhaps something was typed.
    Leave(Option<String>),
}

fn read_next(keys: &mut KeyReader, page: usize) -> io::Result<Next> {
    loop {
        return Ok(match keys.read_key(None)? {
            Some(Key::Enter | Key::Down) => Next::Lines(1),
            Some(Key::Char(' ') | Key::PageDown) => Next::Lines(page),
            Some(Key::Char('q') | Key::Escape | Key::Interrupt | Key::Closed) => Next::Leave(None),
            Some(Key::Char(c)) => Next::Leave(Some(c.to_string())),
            Some(Key::Paste) => Next::Leave(Some(keys.take_pasted())),
            _ => continue,
        });
    }
}
