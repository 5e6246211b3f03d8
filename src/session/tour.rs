//! Where somebody is on the tour, and the game that waits meanwhile.

use super::Session;

#[derive(Default)]
pub struct Tour {
    /// Whether the tour is being taken now.
    pub is_active: bool,
    /// The stop it is at, from 0.
    pub step: usize,
    /// The session that is not at hand: one's own while the tour is on, the tour's after it was left.
    pub parked_session: Option<Box<Session>>,
    /// Whether somebody who did something else was reminded of this stop.
    pub has_reminded: bool,
}
