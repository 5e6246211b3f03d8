//! Sessions that replace the current one.

use crate::language::Language;
use crate::session::{Answer, Session, stop_on_errors};

/// A session without a program. It has the host, the limits, the screen and the handling of errors
/// of the current session.
pub(crate) fn new_session(
    session: &Session,
    language: &'static dyn Language,
    seed: u64,
) -> Session {
    let mut new = Session::with_host(language, seed, session.host().clone());
    new.inherit_limits(session);
    stop_on_errors(&mut new, session.target.debugger.stops_on_program_errors);
    new.view_settings.inherit_screen(&session.view_settings);
    new
}

/// Replaces the current session. The new one takes over the screen settings, the Ctrl-C flag, the
/// limits, the progress listener, the journal, the recording and the questions. Returns the old session, and an
/// answer that says that it was replaced.
pub(crate) fn replace_session(session: &mut Session, mut new: Session) -> (Session, Answer) {
    new.journal = session.journal.take();
    std::mem::swap(&mut new.files, &mut session.files);
    new.recording_path = session.recording_path.take();
    let is_predicting = new.predictions.is_on;
    new.predictions = std::mem::take(&mut session.predictions);
    new.predictions.is_on |= is_predicting;
    new.inherit_limits(session);
    new.target.progress_listener = session.target.progress_listener.take();
    new.view_settings.inherit_screen(&session.view_settings);
    let answer = Answer {
        has_replaced_session: true,
        ..Answer::new("")
    };
    (std::mem::replace(session, new), answer)
}
