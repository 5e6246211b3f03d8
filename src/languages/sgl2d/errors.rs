//! The error codes of SGL2D. Codes are stable; the wording of messages may change.

/// All error codes of SGL2D with their meanings.
pub const CODES: &[(&str, &str)] = &[
    (
        "SG001",
        "reading stops here; the rest of the text is ignored",
    ),
    ("SG002", "unknown character, ignored"),
    ("SG003", "missing `>`"),
    ("SG004", "missing or invalid sprite name"),
    ("SG005", "missing `counter1`, `counter2` or `counter3`"),
    ("SG006", "incomplete position: both x and y are needed"),
    ("SG007", "incomplete range: missing `,` or `)`"),
    ("SG008", "not a statement, move or expression"),
    ("SG009", "invalid number of moves"),
    ("SG101", "missing number after an action"),
    ("SG102", "number too large"),
    ("SG103", "negative number after another number"),
    ("SG110", "unknown sprite; the line is ignored"),
    ("SG111", "action has no effect on this target"),
    (
        "SG112",
        "a sprite has only one replacement; this one overrides another",
    ),
    ("SG113", "unknown replacement sprite"),
    ("SG114", "cells outside the environment are ignored"),
    ("SG115", "empty range: the corners are swapped"),
    ("SG116", "no player is defined"),
    ("SG117", "environment size out of range"),
    ("SG118", "position outside the environment"),
    (
        "SG119",
        "several numbers after one action; only the last is used",
    ),
    ("SG120", "game too large"),
    ("SG121", "statement after a move in the same entry"),
    (
        "SG122",
        "comparison at the prompt that looks like an assignment",
    ),
];
