//! SGL2D: a player on a small board of named, coloured sprites; what a step does is said by lines of flags and numbers.
//!
//! The language reads on as long as it can and then stops without a word. Here the stop is kept and the word is said:
//! `parse` cuts the text where the language would, `silence` explains the cut, `check` applies the lines one after
//! the other and hands on orders, with defaults and duplicates settled.

pub mod ast;
pub mod check;
pub mod env;
pub mod event;
pub mod order;
pub mod parse;
pub mod silence;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, rustdoc::all)]
    grammar,
    "/sgl2d.rs"
);

/// Every code a diagnostic of SGL2D can bear, with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("SG001", "reading stops here, and the rest of the text is not read"),
    ("SG002", "a character that SGL2D does not have is dropped"),
    ("SG003", "`>` is missing"),
    ("SG004", "the name of a sprite is missing"),
    ("SG005", "`counter1`, `counter2` or `counter3` is missing"),
    ("SG006", "a position needs both x and y"),
    ("SG007", "a range needs `,` and `)`"),
    ("SG008", "what was typed is neither a statement nor a move"),
    ("SG009", "a number of moves that cannot be made"),
    ("SG101", "an action needs a number"),
    ("SG102", "a number does not fit into 32 bits"),
    ("SG103", "two numbers after one action that do not go together"),
    ("SG110", "a sprite is not defined, so the line is ignored"),
    ("SG111", "an action has no effect on this kind of target"),
    ("SG112", "a sprite has only one replacement, and this one takes the place of another"),
    ("SG113", "a replacement sprite is not defined"),
    ("SG114", "cells outside the environment are skipped"),
    ("SG115", "a range with its corners the wrong way round is empty"),
    ("SG116", "there is no player"),
    ("SG117", "the environment cannot have this size"),
    ("SG118", "a place outside the environment"),
    ("SG119", "of several numbers after one action the last counts"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
