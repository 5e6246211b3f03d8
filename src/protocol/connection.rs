//! A client and its session: what all requests share.

use super::journal::JournalText;
use super::lines::RunningAnswers;
use super::outgoing::ServedFile;
use crate::code::Program;
use crate::driver::Driver;
use crate::host::MemoryHost;
use crate::language::Language;
use crate::languages;
use crate::session::Session;
use serde::Serialize;
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const NO_SESSION: &str = "no session is open";

/// Versions of this many programs are remembered.
const MAX_SEEN_PROGRAMS: usize = 16;

/// A client and its session, with files in memory.
pub struct Connection {
    /// The files in memory, and the clock of a client without a disk.
    pub(super) memory: Rc<MemoryHost>,
    /// The file on the disk that the client may open.
    pub(super) served: Option<ServedFile>,
    /// Stops what is running; of the session itself if there is none.
    interrupt: Option<Arc<AtomicBool>>,
    /// `None` until a session is opened.
    session: Option<Session>,
    pub(super) driver: Driver,
    pub(super) journal: JournalText,
    pub(super) running: Option<RunningAnswers>,
    /// The programs that were last seen, with their versions.
    seen_programs: Vec<(Rc<Program>, u64)>,
}

impl Connection {
    /// A connection without a session.
    pub fn new() -> Connection {
        Connection {
            memory: Rc::new(MemoryHost::ticking()),
            served: None,
            interrupt: None,
            session: None,
            driver: Driver::new(),
            journal: JournalText::default(),
            running: None,
            seen_programs: Vec::new(),
        }
    }

    /// A connection on a computer with a disk, of which the client may open one file. What is running can
    /// be stopped from another thread.
    #[cfg(feature = "serve")]
    pub fn native(interrupt: Arc<AtomicBool>, served: Option<ServedFile>) -> Connection {
        Connection {
            served,
            interrupt: Some(interrupt),
            ..Connection::new()
        }
    }

    pub(super) fn session(&mut self) -> Result<&mut Session, String> {
        let session = self.session.as_mut();
        session.ok_or_else(|| NO_SESSION.to_string())
    }

    /// The session and what drives it.
    pub(super) fn driven(&mut self) -> Result<(&mut Driver, &mut Session), String> {
        let session = self.session.as_mut().ok_or(NO_SESSION)?;
        Ok((&mut self.driver, session))
    }

    /// Makes this the session of the client, and begins its journal.
    pub(super) fn start(&mut self, mut session: Session) -> &mut Session {
        if let Some(interrupt) = &self.interrupt {
            session.target.machine.set_interrupt_flag(interrupt.clone());
        }
        self.journal.begin(&mut session);
        self.driver = Driver::new();
        self.session.insert(session)
    }

    /// A number that is another one whenever the program may be another one. Undoing a definition leads
    /// back to the number before.
    pub(super) fn program_version(&mut self) -> Result<u64, String> {
        let program = self.session()?.target.program().clone();
        let seen = &mut self.seen_programs;
        let is_same = |seen: &&(Rc<Program>, u64)| Rc::ptr_eq(&seen.0.scope, &program.scope);
        if let Some((_, version)) = seen.iter().rev().find(is_same) {
            return Ok(*version);
        }
        let version = seen.last().map_or(1, |(_, version)| version + 1);
        seen.drain(..(seen.len() + 1).saturating_sub(MAX_SEEN_PROGRAMS));
        seen.push((program, version));
        Ok(version)
    }
}

impl Default for Connection {
    fn default() -> Connection {
        Connection::new()
    }
}

pub(super) fn language_named(name: &str) -> Result<&'static dyn Language, String> {
    languages::by_name(name).ok_or_else(|| format!("unknown language `{name}`"))
}

pub(super) fn to_json(answer: impl Serialize) -> Result<Json, String> {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}
