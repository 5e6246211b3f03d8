//! The sessions of the page: each has a thread of its own, because a session cannot move between threads.

use crate::protocol::{Connection, ServedFile};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// At most this many sessions; the one that was used least recently ends when there is another. The page
/// keeps the journal, and restores it.
const MAX_SESSIONS: usize = 32;
/// Deeply nested programs need much of it. It is reserved, not used.
const SESSION_STACK_BYTES: usize = 64 << 20;

/// All sessions, by the names that the page gives them.
pub struct Sessions {
    served: Option<ServedFile>,
    open: Mutex<HashMap<String, OpenSession>>,
}

#[derive(Clone)]
struct OpenSession {
    jobs: Sender<Job>,
    state: Arc<Shared>,
    used_at: Instant,
}

/// What the threads of connections know of a session.
#[derive(Default)]
struct Shared {
    /// Stops what is running.
    interrupt: Arc<AtomicBool>,
    /// Since when it is handling a request.
    busy_since: Mutex<Option<Instant>>,
}

/// A request to handle.
struct Job {
    request: String,
    answer: Sender<String>,
}

/// A request that is being handled.
pub struct Pending {
    /// Receives the answer; it is closed without one if the session has failed.
    pub answer: Receiver<String>,
    state: Arc<Shared>,
}

impl Pending {
    /// Stops it: nobody waits for the answer.
    pub fn abandon(&self) {
        self.state.interrupt.store(true, Ordering::Relaxed);
    }
}

impl Sessions {
    /// No sessions yet. `served` is the file that the command line names.
    pub fn new(served: Option<ServedFile>) -> Sessions {
        Sessions {
            served,
            open: Mutex::default(),
        }
    }

    /// Passes a request to a session, which is new if there is none of this name. `None` if there can be no
    /// more threads.
    pub fn send(&self, name: &str, request: String) -> Option<Pending> {
        let mut open = lock(&self.open);
        if !open.contains_key(name) {
            while open.len() >= MAX_SESSIONS {
                let oldest = open.iter().min_by_key(|(_, session)| session.used_at)?.0;
                let oldest = oldest.clone();
                if let Some(left) = open.remove(&oldest) {
                    left.state.interrupt.store(true, Ordering::Relaxed);
                }
            }
            open.insert(name.to_string(), self.start()?);
        }
        let session = open.get_mut(name)?;
        session.used_at = Instant::now();
        let (answer, receiver) = channel();
        let state = session.state.clone();
        if session.jobs.send(Job { request, answer }).is_err() {
            open.remove(name);
        }
        Some(Pending {
            answer: receiver,
            state,
        })
    }

    /// Ends a session that has failed.
    pub fn remove(&self, name: &str) {
        lock(&self.open).remove(name);
    }

    /// Stops what a session is running. False if it is running nothing.
    pub fn interrupt(&self, name: &str) -> bool {
        let Some(state) = self.state(name) else {
            return false;
        };
        // The session clears the flag while it has this lock, so that the next line is not stopped.
        let busy_since = lock(&state.busy_since);
        if busy_since.is_some() {
            state.interrupt.store(true, Ordering::Relaxed);
        }
        busy_since.is_some()
    }

    /// For how many seconds a session has been running something.
    pub fn seconds_running(&self, name: &str) -> Option<f64> {
        let busy_since = *lock(&self.state(name)?.busy_since);
        Some(busy_since?.elapsed().as_secs_f64())
    }

    fn state(&self, name: &str) -> Option<Arc<Shared>> {
        lock(&self.open)
            .get(name)
            .map(|session| session.state.clone())
    }

    fn start(&self) -> Option<OpenSession> {
        let (jobs, receiver) = channel();
        let state = Arc::new(Shared::default());
        let (served, of_thread) = (self.served.clone(), state.clone());
        let builder = thread::Builder::new().stack_size(SESSION_STACK_BYTES);
        builder
            .spawn(move || handle_all(&receiver, &of_thread, served))
            .ok()?;
        Some(OpenSession {
            jobs,
            state,
            used_at: Instant::now(),
        })
    }
}

/// Handles the requests of a session, until there can be no more of them or one has failed.
fn handle_all(jobs: &Receiver<Job>, state: &Shared, served: Option<ServedFile>) {
    let mut connection = Connection::native(state.interrupt.clone(), served);
    while let Ok(Job { request, answer }) = jobs.recv() {
        *lock(&state.busy_since) = Some(Instant::now());
        let handle = AssertUnwindSafe(|| connection.handle(&request).to_string());
        let handled = catch_unwind(handle);
        let mut busy_since = lock(&state.busy_since);
        state.interrupt.store(false, Ordering::Relaxed);
        *busy_since = None;
        drop(busy_since);
        let Ok(text) = handled else {
            return;
        };
        // The client may be gone.
        let _ = answer.send(text);
    }
}

/// What is behind a lock. No thread leaves it half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
