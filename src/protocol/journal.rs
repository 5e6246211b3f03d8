//! The journal of a client that has no disk: each answer carries what was added to it.

use crate::host::{JournalFile, JournalStore};
use crate::session::{Journal, Session};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// What was written to the journal since it was last taken.
#[derive(Clone, Default)]
pub struct JournalText(Rc<RefCell<String>>);

impl JournalText {
    /// Begins the journal of a session, whose text up to now is the first that is taken.
    pub fn begin(&self, session: &mut Session) {
        self.take();
        let mut journal = Journal::new(Rc::new(self.clone()), session);
        journal.write_header();
        session.journal = Some(journal);
    }

    /// What was written since the last call; `None` if that is nothing.
    pub fn take(&self) -> Option<String> {
        let text = self.0.take();
        (!text.is_empty()).then_some(text)
    }
}

impl JournalStore for JournalText {
    fn location(&self) -> String {
        "the client".to_string()
    }

    fn create(&self) -> io::Result<Box<dyn JournalFile>> {
        Ok(Box::new(self.clone()))
    }

    fn lock_unused(&self) -> Vec<Box<dyn JournalFile>> {
        Vec::new()
    }
}

impl JournalFile for JournalText {
    fn age(&self) -> Duration {
        Duration::ZERO
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.0.borrow_mut().push_str(text);
        Ok(())
    }

    fn truncate(&mut self, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn delete(self: Box<Self>) {}

    fn set_aside(self: Box<Self>, _: &str) -> io::Result<String> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
