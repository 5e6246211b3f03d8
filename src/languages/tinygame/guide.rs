//! TinyGame for newcomers: what to try first, and a tour through the knight's valley.

use crate::language::{Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: ":restart",
    breakpoints: &["game"],
    dry_runs: &[],
    first_entries: [
        (
            "player hero { x = 0; y = 0; health = 10; }",
            "puts a player on the plane",
        ),
        ("2 + 3 * 4", "is answered"),
    ],
    syntax_examples: FORMS,
    command_examples: EXAMPLES,
    tour: TOUR,
};

const FORMS: &[(&str, &str)] = &[
    (
        "player hero { x = 0; y = 0; health = 10; }",
        "a player, and what it has",
    ),
    ("enemy owl { x = 2; y = 1; }", "an enemy"),
    ("move hero right 2;", "up, down, left or right"),
    ("set hero.health = hero.health - 1;", "changes a number"),
    (
        "if hero.x == owl.x { print \"The owl hoots.\"; }",
        "a choice",
    ),
    ("hero.health * 2", "is answered"),
];

const EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break 25"),
    ("tbreak", ":tbreak 25"),
    ("watch", ":watch knight.health"),
    ("rwatch", ":rwatch knight.x"),
    ("awatch", ":awatch knight.x"),
    ("log", ":log 25 \"health {knight.health}\""),
    ("skip", ":skip game"),
    ("explain", ":explain knight.health > 3"),
    ("print", "print knight.health + 1"),
    ("whatis", ":whatis knight"),
    ("display", ":display knight.health"),
    ("first", ":first knight.health < 20"),
    ("last", ":last knight.x"),
    ("list", ":list 25"),
    ("listing", ":listing game"),
    ("why", ":why knight.health"),
    ("glyph", ":glyph knight k"),
    ("edit", ":edit knight"),
    ("load", ":load valley.tg"),
    ("until", "until 25"),
    ("goto", ":goto 100"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "An expression is answered with its value.",
        "knight.health",
        "= 14",
    ),
    TourStep::new(
        "A statement is done at once. What has changed stands in parentheses.",
        "move knight left 1;",
        "knight moved left by 1",
    ),
    TourStep::new(
        "Whatever changed the game can be taken back; `:redo` does it again.",
        ":undo",
        "undone: move knight left 1;",
    ),
    TourStep::new(
        "A breakpoint makes the game wait at a line: here where the wolf bites.",
        ":break 25",
        "break 25",
    ),
    TourStep::new(
        "Now play from the start. The line with => is the one that runs next.",
        ":restart",
        "breakpoint 1, game",
    ),
    TourStep::new(
        "At a stop commands need no colon. One step: the health is less.\nA blank line steps again.",
        "step",
        "knight.health 20 => 14",
    ),
    TourStep::new(
        "Time runs both ways: back to where you stood before.",
        "back",
        "knight.health 14 => 20",
    ),
    TourStep::new(
        "This does the same statement and shows its evaluation, part by part.",
        "step expr",
        "20 - 6 is 14",
    ),
    TourStep::new(
        "Let the game come to its end, or to the next breakpoint.",
        "continue",
        "The knight goes home.",
    ),
    TourStep::new(
        "Ask which statement made something so, and because of which test.",
        ":why knight.health",
        "because of line 24",
    ),
    TourStep::new(
        "A test can be rehearsed on the game as it is, step by step. Nothing is\nchanged by it; `continue` ends it.",
        ":step if knight.gold > 40 { print \"rich\"; }",
        "a rehearsal",
    ),
];
