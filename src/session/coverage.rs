//! What `:coverage` shows beside the source.

use crate::analysis::HistoryCoverage;
use crate::explorer::SearchCoverage;

/// Which counts are shown beside the source.
#[derive(Default)]
pub enum ShownCoverage {
    /// None.
    #[default]
    Off,
    /// Those of the session up to now. What was counted is kept, so that asking again is fast.
    Session(HistoryCoverage),
    /// Those of a search. They are not taken again until they are asked for.
    Search(SearchCoverage),
}
