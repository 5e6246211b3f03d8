//! Where somebody is on the tour, and the game that waits meanwhile.

use super::Session;

#[derive(Default)]
pub struct Tour {
    /// Whether the tour is being taken now.
    pub on: bool,
    /// The stop it is at, from 0.
    pub at: usize,
    /// The session that is not at hand: one's own while the tour is on, the tour's after it was left.
    pub aside: Option<Box<Session>>,
    /// Whether somebody who did something else was reminded of this stop.
    pub reminded: bool,
}
