//! Ctrl-C handling: stops the running program. If that has no effect, pressing it repeatedly ends
//! gridbug; nothing is lost, because the journal is already on disk.

use crate::session::Session;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The conventional exit code after Ctrl-C (128 + 2).
const EXIT_INTERRUPTED: i32 = 130;

/// Ctrl-C ends the process once it was pressed this many times without stopping the program ...
const FORCE_QUIT_PRESSES: u32 = 3;
/// ... and this much time has passed since the first press.
const FORCE_QUIT_DELAY: Duration = Duration::from_secs(2);

/// The state shared with the signal handler.
pub struct Interrupt {
    /// Checked by the machine at safepoints.
    stop_flag: Arc<AtomicBool>,
    /// Presses since the last [`Interrupt::reset`].
    press_count: Arc<AtomicU32>,
}

impl Interrupt {
    /// Installs the signal handler, once per process: a game that is played and then debugged keeps it.
    pub fn install(session: &Session) -> Interrupt {
        static PRESS_COUNT: OnceLock<Arc<AtomicU32>> = OnceLock::new();
        let interrupt = Interrupt {
            stop_flag: session.target.machine.interrupt_flag(),
            press_count: PRESS_COUNT.get_or_init(Arc::default).clone(),
        };
        let (stop_flag, press_count) = (interrupt.stop_flag.clone(), interrupt.press_count.clone());
        let mut first_press = Instant::now();
        // If this fails, Ctrl-C keeps its default effect and ends the process.
        let _ = ctrlc::set_handler(move || {
            let before = press_count.fetch_add(1, Ordering::SeqCst);
            if before == 0 {
                first_press = Instant::now();
            }
            if before + 1 >= FORCE_QUIT_PRESSES && first_press.elapsed() >= FORCE_QUIT_DELAY {
                crate::terminal::screen::full_screen::restore_terminal();
                std::process::exit(EXIT_INTERRUPTED);
            }
            stop_flag.store(true, Ordering::SeqCst);
        });
        interrupt
    }

    /// Forgets earlier presses; call before each run.
    pub fn reset(&self) {
        self.press_count.store(0, Ordering::SeqCst);
        self.stop_flag.store(false, Ordering::SeqCst);
    }

    /// Whether Ctrl-C was pressed since the last reset.
    pub fn was_pressed(&self) -> bool {
        self.press_count.load(Ordering::SeqCst) > 0
    }
}
