//! Stopping, stepping, going back in time and asking why, in every language.

mod all_languages;
mod coverage;
mod deciding_tests;
mod driver;
mod dropped_history;
mod error_stops;
mod events;
mod exercise;
mod explanation;
mod frames;
mod gridlang_turn;
mod history;
mod hit_counts;
mod json_answers;
mod lesson;
mod loop_tables;
mod no_effect;
mod parity;
mod predict;
mod program_input;
mod properties;
#[path = "../support/protocol.rs"]
mod protocol;
mod provenance;
mod random_walks;
mod rejudge;
mod reload;
mod reverse;
mod save_clean;
mod slices;
mod stops;
#[path = "../support/test_session.rs"]
mod test_session;
mod timeline;
mod trace;
mod watch_expr;
mod why;
mod why_not;
mod why_not_oracle;
