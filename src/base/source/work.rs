//! Work on a text that may be long: lexing, parsing, checking and lowering it.
//!
//! Such work is a pure function of the text, so it can be given up anywhere. [`limited`] sets limits for
//! what it calls; [`poll`] and [`poll_tokens`] unwind to it when they are exceeded. Elsewhere, and in
//! builds that cannot unwind, there are no limits.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why work was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// By Ctrl-C.
    Interrupted,
    /// A text has more tokens than there is memory for.
    TooLarge {
        /// How many it may have.
        max_tokens: u64,
    },
}

/// The memory that a token and the syntax tree made of it take, as measured with large programs.
const BYTES_PER_TOKEN: u64 = 400;

/// Short work is not interrupted: it ends soon enough, and the interrupt is then for what comes after it.
const MIN_POLLS: u64 = 4096;

/// The limits of the work in progress.
struct Limits {
    interrupt: Arc<AtomicBool>,
    max_tokens: u64,
    polls: u64,
}

thread_local! {
    static LIMITS: RefCell<Option<Limits>> = const { RefCell::new(None) };

    /// For tests: the poll at which Ctrl-C is pressed, counted over all work on this thread.
    #[doc(hidden)]
    pub static PRESS_AT_POLL: Cell<u64> = const { Cell::new(u64::MAX) };

    /// For tests: how often the work on this thread could have been interrupted.
    #[doc(hidden)]
    pub static POLLS: Cell<u64> = const { Cell::new(0) };
}

/// Does work that is given up when the flag is set, or when a text needs more memory than this. Work inside
/// of other work has the limits of that.
pub fn limited<R>(
    interrupt: &Arc<AtomicBool>,
    max_memory_bytes: u64,
    work: impl FnOnce() -> R,
) -> Result<R, GivenUp> {
    let is_nested = LIMITS.with_borrow(Option::is_some);
    if cfg!(panic = "abort") || is_nested {
        return Ok(work());
    }
    LIMITS.set(Some(Limits {
        interrupt: interrupt.clone(),
        max_tokens: max_memory_bytes / BYTES_PER_TOKEN,
        polls: 0,
    }));
    let result = catch_unwind(AssertUnwindSafe(work));
    LIMITS.set(None);
    result.map_err(|cause| match cause.downcast::<GivenUp>() {
        Ok(given_up) => *given_up,
        Err(panic) => resume_unwind(panic),
    })
}

/// To be called for each small part of the work.
#[inline]
pub fn poll() {
    poll_tokens(0);
}

/// Like [`poll`], for a text of which this many tokens have been read.
pub fn poll_tokens(count: usize) {
    let given_up = LIMITS.with_borrow_mut(|limits| limits.as_mut()?.exceeded(count as u64));
    if let Some(given_up) = given_up {
        // Not a panic: no message is printed.
        resume_unwind(Box::new(given_up));
    }
}

impl Limits {
    fn exceeded(&mut self, tokens: u64) -> Option<GivenUp> {
        self.polls += 1;
        POLLS.set(POLLS.get() + 1);
        if POLLS.get() == PRESS_AT_POLL.get() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        if tokens > self.max_tokens {
            let max_tokens = self.max_tokens;
            return Some(GivenUp::TooLarge { max_tokens });
        }
        let is_interrupted = self.polls > MIN_POLLS && self.interrupt.load(Ordering::Relaxed);
        is_interrupted.then(|| {
            self.interrupt.store(false, Ordering::Relaxed);
            GivenUp::Interrupted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_too_many_tokens_is_given_up() {
        let flag = Arc::new(AtomicBool::new(false));
        assert_eq!(limited(&flag, 800, || 7), Ok(7));
        assert_eq!(limited(&flag, 800, || poll_tokens(2)), Ok(()));
        let three = limited(&flag, 800, || {
            poll_tokens(2);
            // The limits are those of the outer work.
            let _ = limited(&flag, u64::MAX, || poll_tokens(3));
        });
        assert_eq!(three, Err(GivenUp::TooLarge { max_tokens: 2 }));
        // Outside, there are none.
        poll_tokens(100);
    }

    #[test]
    fn short_work_leaves_an_interrupt_to_what_comes_next() {
        let flag = Arc::new(AtomicBool::new(true));
        let polls = |count: u64| limited(&flag, u64::MAX, || (0..count).for_each(|_| poll()));
        assert_eq!(polls(MIN_POLLS), Ok(()));
        assert!(flag.load(Ordering::Relaxed));
        assert_eq!(polls(MIN_POLLS + 1), Err(GivenUp::Interrupted));
        assert!(!flag.load(Ordering::Relaxed));
    }

    #[test]
    fn panics_are_not_caught() {
        let flag = Arc::new(AtomicBool::new(false));
        let panicking = || limited(&flag, u64::MAX, || resume_unwind(Box::new("panic")));
        assert!(catch_unwind(AssertUnwindSafe(|| panicking().is_ok())).is_err());
        assert_eq!(limited(&flag, u64::MAX, || 1), Ok(1));
    }
}
