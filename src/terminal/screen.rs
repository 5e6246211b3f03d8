//! Full screen: the view, playing with keys, the pager.
//!
//! ```text
//! view            the view that stays in place (`:view`)
//! canvas          a frame of the screen as data
//! full_screen     a screen that stays in place
//! input           what is a key and what is text
//! key_play        playing with the arrow keys (`:play`)
//! keys            reads single key presses and mouse clicks
//! play            `gridbug run FILE` at a terminal
//! pager           shows a long answer page by page
//! ```

pub(crate) mod canvas;
pub(crate) mod full_screen;
pub(crate) mod input;
pub(crate) mod key_play;
pub(crate) mod keys;
pub(crate) mod pager;
pub(crate) mod play;
pub(crate) mod view;
