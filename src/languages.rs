//! The languages: each a translator and nothing else.

pub mod gridlang;
