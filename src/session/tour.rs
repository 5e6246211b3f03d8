//! The state of the guided tour, and the session that is parked while it is active.

use super::Session;

/// The state of the guided tour.
#[derive(Default)]
pub struct Tour {
    /// Whether the user is on the tour now.
    pub is_active: bool,
    /// The current step, counted from 0.
    pub step: usize,
    /// The inactive session: the user's own during the tour, the tour's after quitting it.
    pub parked_session: Option<Box<Session>>,
    /// Whether the user was reminded of the current step after entering something else.
    pub has_reminded: bool,
}
