//! SGL2D for newcomers: what to try first, and a tour through a garden.

use crate::language::{Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "right",
    breakpoints: &["event player", "event ", "update ", "goal"],
    dry_runs: &["goal"],
    first_entries: [
        ("environment > x=8 y=5", "lays out the grid"),
        ("player > x=1 y=2", "puts the player on it"),
    ],
    syntax_examples: FORMS,
    command_examples: EXAMPLES,
    tour: TOUR,
};

const FORMS: &[(&str, &str)] = &[
    ("environment > x=8 y=4", "eight columns, four rows"),
    ("player > x=0 y=0 color=blue", "where the player begins"),
    ("goal > x=7 y=3", "where the game is won"),
    (
        "sprite wall > color=black solid=true",
        "a sprite that nobody can enter",
    ),
    (
        "set wall > x=2 y=0 (x=4 y=1, x=4 y=3)",
        "on a cell, and from one to another",
    ),
    (
        "counter counter1 > true 20 gameoveronzerocounter",
        "a counter that is seen",
    ),
    ("event player > playerdeccounter1=1", "what a move does"),
    ("down 2", "a move, twice; drr are three moves"),
    ("counter1 < 20", "is answered"),
];

const EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break event coin"),
    ("tbreak", ":tbreak 14"),
    ("watch", ":watch counter2"),
    ("rwatch", ":rwatch counter2"),
    ("awatch", ":awatch counter2"),
    ("log", ":log event player \"{counter2} left\""),
    ("skip", ":skip event player"),
    ("explain", ":explain counter2 < 40"),
    ("print", "print counter2"),
    ("whatis", ":whatis coin"),
    ("display", ":display counter2"),
    ("first", ":first counter2 == 38"),
    ("last", ":last player.x"),
    ("list", ":list bee"),
    ("listing", ":listing goal"),
    ("why", ":why counter2"),
    ("glyph", ":glyph coin o"),
    ("edit", ":edit coin"),
    ("load", ":load garden.sgl2d"),
    ("until", "until 14"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "A move is typed as a word, and how often. What has changed stands in\nparentheses. (`:play` takes the arrow keys instead.)",
        "up 2",
        "Counter 2: 38",
    ),
    TourStep::new(
        "Whatever changed the game can be taken back; `:redo` does it again.",
        ":undo",
        "undone: up 2",
    ),
    TourStep::new(
        "A breakpoint makes the game wait in its own text: here, when a coin is\ntouched.",
        ":break event coin",
        "break event coin",
    ),
    TourStep::new(
        "Two up and two to the right lies one. The line with => runs next.",
        "uurr",
        "breakpoint 1, event coin",
    ),
    TourStep::new(
        "At a stop commands need no colon. One step: the counter counts.\nA blank line steps again.",
        "step",
        "counter1 0 => 1",
    ),
    TourStep::new(
        "Time runs both ways: back to where you stood before.",
        "back",
        "counter1 1 => 0",
    ),
    TourStep::new(
        "Let the moves come to their end, or to the next breakpoint.",
        "continue",
        "Counter 1: 1",
    ),
    TourStep::new(
        "Ask what made something so, and what was typed then.",
        ":why counter1",
        "by event coin",
    ),
    TourStep::new("Or what is missing.", ":why not win", "win is false"),
    TourStep::new(
        "The test for the goal can be rehearsed on the board as it is. Nothing is\nchanged by it.",
        ":step goal",
        "a rehearsal",
    ),
    TourStep::new(
        "This does one statement and shows its evaluation.",
        "step expr",
        "is false",
    ),
    TourStep::new(
        "A statement that is typed again replaces the old one, while the game\ngoes on: now the hedge lets you through.",
        "sprite hedge > color=green solid=false",
        "replaced sprite hedge",
    ),
];
