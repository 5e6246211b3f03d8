//! Ctrl-C while a game runs stops the game. Pressed again and again for seconds in which nothing stops, it ends the
//! program: the journal has all that was answered.

use crate::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The exit code of a program that was ended from the keyboard.
const ENDED: i32 = 130;

/// So often and for so long it must be pressed in vain: twice in a hurry is no wish to leave.
const IN_VAIN: (u32, Duration) = (3, Duration::from_secs(2));

pub struct Interrupt {
    stop: Arc<AtomicBool>,
    pressed: Arc<AtomicU32>,
}

impl Interrupt {
    /// Listens to Ctrl-C from now on.
    pub fn install(session: &Session) -> Interrupt {
        let interrupt = Interrupt {
            stop: session.machine.interrupt_flag(),
            pressed: Arc::default(),
        };
        let (stop, pressed) = (interrupt.stop.clone(), interrupt.pressed.clone());
        let mut first = Instant::now();
        // If it can't be listened to, Ctrl-C ends the program, as it does everywhere.
        let _ = ctrlc::set_handler(move || {
            let before = pressed.fetch_add(1, Ordering::SeqCst);
            if before == 0 {
                first = Instant::now();
            }
            if before + 1 >= IN_VAIN.0 && first.elapsed() >= IN_VAIN.1 {
                super::keys::restore_terminal();
                std::process::exit(ENDED);
            }
            stop.store(true, Ordering::SeqCst);
        });
        interrupt
    }

    /// A new run begins: what was pressed before was not meant for it.
    pub fn reset(&self) {
        self.pressed.store(0, Ordering::SeqCst);
        self.stop.store(false, Ordering::SeqCst);
    }

    /// Whether it was pressed since then.
    pub fn was_pressed(&self) -> bool {
        self.pressed.load(Ordering::SeqCst) > 0
    }
}
