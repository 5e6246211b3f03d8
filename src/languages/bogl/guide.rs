//! BoGL for newcomers: what to try first, and a tour through a game of stones.

use crate::language::{Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: "",
    breakpoints: &[],
    dry_runs: &[],
    first_entries: [
        (
            "type Board = Array (3,3) of {X, O, Empty}",
            "says what boards are",
        ),
        ("7 * 6 == 42", "is answered"),
    ],
    syntax_examples: FORMS,
    command_examples: EXAMPLES,
    tour: TOUR,
};

const FORMS: &[(&str, &str)] = &[
    ("type Player = {X, O}", "a type lists its values"),
    (
        "type Board = Array (3,3) of Player & {Empty}",
        "what boards are",
    ),
    (
        "start : Board start!(x,y) = Empty",
        "a board of empty cells",
    ),
    (
        "double : Int -> Int double(n) = 2 * n",
        "a function, its type first",
    ),
    ("let b = place(X, start, (2,1))", "a name for the session"),
    ("b!(2,1)", "what lies in column 2 and row 1"),
    ("if double(2) == 4 then X else O", "a choice"),
    (
        "let n = 1 in while n < 100 do n * 2",
        "a loop, which changes n",
    ),
];

const EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break take"),
    ("tbreak", ":tbreak 19"),
    ("watch", ":watch (13,1)"),
    ("rwatch", ":rwatch (13,1)"),
    ("awatch", ":awatch (13,1)"),
    ("log", ":log take \"{n} of {left(b)}\""),
    ("skip", ":skip left"),
    ("explain", ":explain left(start) % 4 == 0"),
    ("rounds", "rounds take(3, start)"),
    ("print", "print left(start) + 1"),
    ("whatis", ":whatis take"),
    ("display", ":display left(start)"),
    ("first", ":first n == 1"),
    ("last", ":last (13,1)"),
    ("list", ":list take"),
    ("listing", ":listing take"),
    ("why", ":why allowed(5, start)"),
    ("glyph", ":glyph Stone o"),
    ("edit", ":edit take"),
    ("load", ":load stones.bgl"),
    ("cell", ":cell 1,1"),
    ("until", "until 19"),
    ("goto", ":goto 20"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "A call is answered with its value: how many stones lie on `start`?",
        "left(start)",
        "= 13",
    ),
    TourStep::new(
        "Boards are values. This one is `start` without its last three stones;\n`start` itself stays as it is.",
        "take(3, start)",
        "(G)(G)(G)",
    ),
    TourStep::new(
        "A breakpoint makes a function wait when it is called.",
        ":break take",
        "break take",
    ),
    TourStep::new(
        "Now call it. The line with => is the one that runs next; below it stand\nthe parameters.",
        "take(2, start)",
        "breakpoint 1, take",
    ),
    TourStep::new(
        "At a stop commands need no colon. This one tells who called whom.",
        "where",
        "take(2, start)",
    ),
    TourStep::new(
        "One step: into the loop. A blank line steps again.",
        "step",
        "* take",
    ),
    TourStep::new(
        "Time runs both ways: back to where you stood before.",
        "back",
        "* take",
    ),
    TourStep::new(
        "Let the call come to its end, or to the next breakpoint.",
        "continue",
        "take(2, start) is done",
    ),
    TourStep::new(
        "An expression can be rehearsed, step by step. Nothing is changed by it.",
        ":step allowed(3, start)",
        "a rehearsal",
    ),
    TourStep::new(
        "This does one statement and shows its evaluation, part by part.",
        "step expr",
        "is True",
    ),
    TourStep::new(
        "Or all values at once, each under its column.",
        ":explain left(start) % 4 == 0",
        "False",
    ),
    TourStep::new(
        "An equation that is typed again replaces the old one: now the machine\nalways takes one. `:delete` the breakpoint, and `machine(start)` plays.",
        "choice(b) = 1",
        "replaced choice",
    ),
];
