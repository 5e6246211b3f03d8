//! Lessons, predictions, the tour. What they do is in `teach`, except for the tour, which opens the
//! sample game as `:load` does.
//!
//! ```text
//! lesson   `:lesson`, `:note`
//! predict  `:predict`
//! rejudge  `:rejudge`
//! tour     `:tour`
//! ```

pub(crate) mod lesson;
pub(crate) mod predict;
pub(crate) mod rejudge;
pub(crate) mod tour;
