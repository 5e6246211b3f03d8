//! Ctrl-C while a game runs: the first stops the game, a second within the same run ends the program.

use crate::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The exit code of a program that was ended from the keyboard.
const ENDED: i32 = 130;

pub struct Interrupt {
    stop: Arc<AtomicBool>,
    pressed: Arc<AtomicU32>,
}

impl Interrupt {
    /// Listens to Ctrl-C from now on.
    pub fn listen(session: &Session) -> Interrupt {
        let interrupt = Interrupt { stop: session.machine.interrupt(), pressed: Arc::default() };
        let (stop, pressed) = (interrupt.stop.clone(), interrupt.pressed.clone());
        // If it can't be listened to, Ctrl-C ends the program, as it does everywhere.
        let _ = ctrlc::set_handler(move || {
            if pressed.fetch_add(1, Ordering::SeqCst) > 0 {
                super::keys::restore();
                std::process::exit(ENDED);
            }
            stop.store(true, Ordering::SeqCst);
        });
        interrupt
    }

    /// A new run begins: what was pressed before was not meant for it.
    pub fn forget(&self) {
        self.pressed.store(0, Ordering::SeqCst);
        self.stop.store(false, Ordering::SeqCst);
    }

    /// Whether it was pressed since then.
    pub fn was_pressed(&self) -> bool {
        self.pressed.load(Ordering::SeqCst) > 0
    }
}
