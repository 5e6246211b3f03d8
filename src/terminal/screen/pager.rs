//! Shows a long answer page by page: in `$PAGER`, else in `less`, else in a small pager of its own.

use super::keys::{Key, KeyReader};
use crate::terminal::output::Screen;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// The pager if the user has not chosen one: ends at once if everything fits, keeps colors, and
/// leaves the text on the screen.
const DEFAULT_PAGER: &str = "less -FRX";
const PROMPT: &str = "-- more: Space for a page, Enter for a line, q to quit --";

/// Shows a text that is longer than the screen.
pub fn show(screen: &mut Screen, text: &str) -> io::Result<()> {
    screen.flush()?;
    let chosen = std::env::var("PAGER").ok();
    let pager = chosen.as_deref().unwrap_or(DEFAULT_PAGER).trim();
    if matches!(pager, "" | "cat") {
        screen.print_raw(text)?;
    } else if run(pager, text).is_err() {
        show_pages(screen, text)?;
    }
    screen.flush()
}

/// Runs a pager, which can have arguments, until the user leaves it. Fails if it cannot be started.
fn run(pager: &str, text: &str) -> io::Result<()> {
    let mut words = pager.split_whitespace();
    let program = words.next().unwrap_or_default();
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // It fails if the user leaves the pager before the end of the text.
        let _ = writeln!(input, "{text}");
    }
    let _ = child.wait();
    Ok(())
}

/// The built-in pager.
fn show_pages(screen: &mut Screen, text: &str) -> io::Result<()> {
    let Ok(mut keys) = KeyReader::open() else {
        return screen.print_raw(text);
    };
    let page = screen.height.saturating_sub(2).max(1);
    let mut shown_before_prompt = page;
    for line in text.lines() {
        if shown_before_prompt == 0 {
            screen.print_raw(PROMPT)?;
            screen.flush()?;
            let count = read_line_count(&mut keys, page)?;
            screen.erase_rows(1)?;
            let Some(count) = count else {
                return Ok(());
            };
            shown_before_prompt = count;
        }
        screen.print_raw(line)?;
        shown_before_prompt -= 1;
    }
    Ok(())
}

/// How many lines to show next; `None` to stop.
fn read_line_count(keys: &mut KeyReader, page: usize) -> io::Result<Option<usize>> {
    loop {
        match keys.read_key(None)? {
            Some(Key::Enter | Key::Down) => return Ok(Some(1)),
            Some(Key::Char(' ') | Key::PageDown) => return Ok(Some(page)),
            Some(Key::Char('q' | 'Q') | Key::Escape | Key::Interrupt | Key::Closed) => {
                return Ok(None);
            }
            _ => {}
        }
    }
}
