//! `gridbug serve`: the page and its engine on this computer, for the browser.
//!
//! ```text
//! files     the files of the page, which are part of the program
//! guard     which requests are let in: key, host, origin, content type
//! http      reads a request and writes a response, within limits of size and time
//! server    accepts connections and answers what they ask for
//! sessions  the sessions of the page, each on a thread of its own
//! ```
//!
//! It listens on 127.0.0.1 only, and is still open to every program and every page in a browser on the
//! same computer. So each request for the engine carries a key that only the printed link has, and the
//! headers that a browser sets must say that it comes from the page itself. Nothing that is sent can take
//! longer, or be larger, than [`Limits`] allow.

mod files;
mod guard;
mod http;
mod server;
mod sessions;

pub use files::{PAGE_FILES, PageFile};
pub use server::{Limits, Server};
