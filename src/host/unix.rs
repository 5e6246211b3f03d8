//! The keyboard where terminals are files: termios, poll and signals.

use super::keyboard::ReadEvent;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, raise};
use nix::sys::termios::{
    LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr,
};
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How the terminal was before its keyboard was taken.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

pub fn enable_raw_mode() -> io::Result<()> {
    let before = tcgetattr(io::stdin().as_fd())?;
    let mut now = before.clone();
    now.local_flags &= !(LocalFlags::ICANON | LocalFlags::ECHO);
    // Nobody would give the keyboard back to the shell that one is thrown into.
    now.control_chars[SpecialCharacterIndices::VSUSP as usize] = 0;
    now.control_chars[SpecialCharacterIndices::VQUIT as usize] = 0;
    BEFORE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert(before);
    Ok(tcsetattr(io::stdin().as_fd(), SetArg::TCSADRAIN, &now)?)
}

pub fn disable_raw_mode() {
    if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // Whoever closed the terminal needs it no more.
        let _ = tcsetattr(io::stdin().as_fd(), SetArg::TCSADRAIN, &before);
    }
}

/// From now on whoever ends the program from outside gets the terminal back as it is now. Call it before there are other
/// threads: those that are made later leave these signals to this one as well.
pub fn restore_on_signal() {
    let Ok(before) = tcgetattr(io::stdin().as_fd()) else {
        return;
    };
    let ends = SigSet::from_iter([Signal::SIGTERM, Signal::SIGHUP]);
    if ends.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        let Ok(signal) = ends.wait() else { return };
        let _ = tcsetattr(io::stdin().as_fd(), SetArg::TCSANOW, &before);
        // Now it ends as it would have ended.
        let _ = ends.thread_unblock();
        let _ = raise(signal);
    });
}

/// Waits for bytes and adds them; Ctrl-C is one of them, as long as it waits.
pub fn read_bytes(into: &mut VecDeque<u8>, within: Option<Duration>) -> io::Result<ReadEvent> {
    signals(false)?;
    let came = wait(into, within);
    signals(true)?;
    came
}

fn wait(into: &mut VecDeque<u8>, within: Option<Duration>) -> io::Result<ReadEvent> {
    let stdin = io::stdin();
    let time = within.map_or(PollTimeout::NONE, |t| {
        PollTimeout::try_from(t).unwrap_or(PollTimeout::MAX)
    });
    match poll(&mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)], time) {
        Ok(0) => return Ok(ReadEvent::Timeout),
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok(ReadEvent::Interrupted),
        Err(error) => return Err(error.into()),
    }
    // Not through the standard input's own buffer: what it read too much would be lost for the line editor.
    let mut bytes = [0; 64];
    match nix::unistd::read(stdin.as_fd(), &mut bytes) {
        Ok(0) | Err(Errno::EIO) => Ok(ReadEvent::Eof),
        Ok(count) => {
            into.extend(&bytes[..count]);
            Ok(ReadEvent::Bytes)
        }
        Err(Errno::EINTR) => Ok(ReadEvent::Interrupted),
        Err(error) => Err(error.into()),
    }
}

/// Whether Ctrl-C is a signal or a byte like any other.
fn signals(on: bool) -> io::Result<()> {
    let mut now = tcgetattr(io::stdin().as_fd())?;
    now.local_flags.set(LocalFlags::ISIG, on);
    Ok(tcsetattr(io::stdin().as_fd(), SetArg::TCSANOW, &now)?)
}
