//! What `:coverage` shows beside the source.

use crate::debugger::HistoryCoverage;

/// Which counts are shown beside the source.
#[derive(Default)]
pub enum ShownCoverage {
    /// None.
    #[default]
    Off,
    /// Those of the session up to now. What was counted is kept, so that asking again is fast.
    Session(HistoryCoverage),
}
