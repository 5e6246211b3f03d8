//! Stopping, stepping, going back in time and asking why, in every language.

mod all_languages;
mod at_a_stop;
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
mod locals_oracle;
mod loop_tables;
mod no_effect;
mod parity;
mod predict;
mod program_input;
mod properties;
#[path = "../support/protocol.rs"]
mod protocol;
mod provenance;
mod purity;
mod random_walks;
mod rejudge;
mod reload;
mod reload_shapes;
mod requests;
mod reverse;
mod same_hits;
mod save_clean;
mod slices;
mod stops;
#[path = "../support/test_session.rs"]
mod test_session;
mod tested_watchpoints;
mod timeline;
mod trace;
mod watch_expr;
mod why;
mod why_not;
mod why_not_oracle;
