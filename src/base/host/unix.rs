//! Single key presses on Unix, with termios, poll and signals.

use super::keyboard::ReadEvent;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill, raise};
use nix::sys::termios::{
    LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr,
};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The terminal settings from before raw mode.
static SAVED_SETTINGS: Mutex<Option<Termios>> = Mutex::new(None);

/// Turns off line buffering and echo. Ctrl-C still sends a signal, except during [`read_bytes`].
pub fn enable_raw_mode() -> io::Result<()> {
    let saved = tcgetattr(io::stdin().as_fd())?;
    let mut settings = saved.clone();
    settings.local_flags &= !(LocalFlags::ICANON | LocalFlags::ECHO);
    // Suspending would leave the shell in raw mode, so disable Ctrl-Z and Ctrl-\.
    settings.control_chars[SpecialCharacterIndices::VSUSP as usize] = 0;
    settings.control_chars[SpecialCharacterIndices::VQUIT as usize] = 0;
    SAVED_SETTINGS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert(saved);
    Ok(tcsetattr(
        io::stdin().as_fd(),
        SetArg::TCSADRAIN,
        &settings,
    )?)
}

/// Restores the settings from before [`enable_raw_mode`], if it was called.
pub fn disable_raw_mode() {
    if let Some(saved) = SAVED_SETTINGS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
    {
        // Fails if the terminal was closed; then there is nothing to restore.
        let _ = tcsetattr(io::stdin().as_fd(), SetArg::TCSADRAIN, &saved);
    }
}

/// Restores the terminal to the settings from before raw mode if the process is ended or stopped by a signal,
/// after calling `leave_screen`; `return_to_screen` is called when a stopped process continues. Call it before
/// starting other threads: they inherit the signal mask, so that only the thread started here receives these signals.
pub fn restore_on_signal(leave_screen: fn(), return_to_screen: fn()) {
    let Ok(saved) = tcgetattr(io::stdin().as_fd()) else {
        return;
    };
    let signals = SigSet::from_iter([
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGQUIT,
        Signal::SIGTSTP,
    ]);
    if signals.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        let signal = loop {
            let Ok(signal) = signals.wait() else { return };
            let stdin = io::stdin();
            let current = tcgetattr(stdin.as_fd());
            leave_screen();
            let original = SAVED_SETTINGS
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let original = original.clone().unwrap_or_else(|| saved.clone());
            let _ = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &original);
            if signal != Signal::SIGTSTP {
                break signal;
            }
            // Stops here, until the shell continues the process.
            let _ = kill(Pid::this(), Signal::SIGSTOP);
            if let Ok(current) = current {
                let _ = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &current);
            }
            return_to_screen();
            // The line editor draws its line again.
            let _ = kill(Pid::this(), Signal::SIGWINCH);
        };
        // Re-raise the signal with its default effect.
        let _ = signals.thread_unblock();
        let _ = raise(signal);
    });
}

/// Waits for input and appends it to `buffer`. While waiting, Ctrl-C is read as a byte.
pub fn read_bytes(buffer: &mut VecDeque<u8>, timeout: Option<Duration>) -> io::Result<ReadEvent> {
    set_signal_keys(false)?;
    let event = wait(buffer, timeout);
    set_signal_keys(true)?;
    event
}

fn wait(buffer: &mut VecDeque<u8>, timeout: Option<Duration>) -> io::Result<ReadEvent> {
    let stdin = io::stdin();
    let poll_timeout = timeout.map_or(PollTimeout::NONE, |t| {
        PollTimeout::try_from(t).unwrap_or(PollTimeout::MAX)
    });
    match poll(
        &mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)],
        poll_timeout,
    ) {
        Ok(0) => return Ok(ReadEvent::Timeout),
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok(ReadEvent::Interrupted),
        Err(error) => return Err(error.into()),
    }
    // Bypass the buffer of `std::io::Stdin`: anything it read ahead would be lost to the line
    // editor. For the same reason, read one byte: what is typed after a key that opens the prompt
    // belongs to the prompt.
    let mut bytes = [0; 1];
    match nix::unistd::read(stdin.as_fd(), &mut bytes) {
        Ok(0) | Err(Errno::EIO) => Ok(ReadEvent::Eof),
        Ok(_) => {
            buffer.extend(bytes);
            Ok(ReadEvent::Bytes)
        }
        Err(Errno::EINTR) => Ok(ReadEvent::Interrupted),
        Err(error) => Err(error.into()),
    }
}

/// Sets whether Ctrl-C sends a signal or is read as a byte.
fn set_signal_keys(on: bool) -> io::Result<()> {
    let mut settings = tcgetattr(io::stdin().as_fd())?;
    settings.local_flags.set(LocalFlags::ISIG, on);
    Ok(tcsetattr(io::stdin().as_fd(), SetArg::TCSANOW, &settings)?)
}
