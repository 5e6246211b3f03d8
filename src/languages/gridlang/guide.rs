//! GridLang for newcomers: what to try first, and a tour through a race.

use crate::language::{Guide, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: ":turn",
    breakpoints: &["gameLoop", "checkMove", "colocation"],
    dry_runs: &["checkGameEnd"],
    first_entries: [
        ("Player { int score }", "says what players have"),
        ("2 + 3 * 4", "is answered"),
    ],
    syntax_examples: FORMS,
    command_examples: EXAMPLES,
    tour: TOUR,
};

const FORMS: &[(&str, &str)] = &[
    ("Player { int score }", "what each player has"),
    ("Item Coin { int worth }", "a kind of item"),
    (
        "Layout(3, 3) { Player ann; ann.position = (0,0); Coin c; c.position = (0,1) }",
        "how it begins",
    ),
    (
        "gameLoop() { p.position.y += 1 }",
        "what a turn is; :turn plays one",
    ),
    (
        "Player.checkMove(coordinate start, coordinate end) { return end.y < 3 }",
        "what may be done",
    ),
    (
        "Coin.colocation(Player) { Player.score += Coin.worth }",
        "who comes to a coin",
    ),
    (
        "checkGameEnd() { return p.score > 10 }",
        "whether it is over",
    ),
    ("function double(int n): int { return 2 * n }", "a function"),
    ("int n = 3", "a variable"),
    ("while (n > 0) { n-- }", "a loop"),
    (
        "if (n == 0) { print(\"none\") } else { print(n) }",
        "a choice",
    ),
];

const EXAMPLES: &[(&str, &str)] = &[
    ("break", ":break gameLoop"),
    ("tbreak", ":tbreak 26"),
    ("watch", ":watch p.position"),
    ("rwatch", ":rwatch p.throws"),
    ("awatch", ":awatch p.throws"),
    ("log", ":log gameLoop \"throw {p.throws}\""),
    ("skip", ":skip checkGameEnd"),
    ("explain", ":explain p.throws > 1 and p.win"),
    ("print", "print p.throws + 1"),
    ("whatis", ":whatis p"),
    ("display", ":display p.position"),
    ("first", ":first ann.throws == 1"),
    ("last", ":last ann.position"),
    ("list", ":list gameLoop"),
    ("listing", ":listing gameLoop"),
    ("why", ":why ann.position"),
    ("glyph", ":glyph A a"),
    ("edit", ":edit gameLoop"),
    ("load", ":load race.grid"),
    ("until", "until 28"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "A game is played in turns; a blank line plays one as well.\nWhat has changed stands in parentheses.",
        ":turn",
        "turn: bob",
    ),
    TourStep::new(
        "Whatever changed the game can be taken back; `:redo` does it again.",
        ":undo",
        "undone: :turn",
    ),
    TourStep::new(
        "Chance can be chosen: what the next throw of the die will give.",
        ":rand next 4",
        "will be 4",
    ),
    TourStep::new(
        "A breakpoint makes the game wait in its own code: here, when a player\nsteps into a puddle.",
        ":break Puddle.colocation",
        "break Puddle.colocation",
    ),
    TourStep::new(
        "Four fields on there is one. The line with => is the one that runs next.",
        ":turn",
        "breakpoint 1, Puddle.colocation",
    ),
    TourStep::new(
        "At a stop commands need no colon. One step: the text is printed.\nA blank line steps again.",
        "step",
        "splash",
    ),
    TourStep::new(
        "Time runs both ways: back to where you stood before.",
        "back",
        "* Puddle.colocation",
    ),
    TourStep::new(
        "Let the turn come to its end, or to the next breakpoint.",
        "continue",
        "turn: bob",
    ),
    TourStep::new(
        "Expressions are answered. The puddle has cost her a field.",
        "ann.position",
        "= (0,3)",
    ),
    TourStep::new(
        "Ask which statement made something so, and from which values.",
        ":why ann.position",
        "by Puddle.colocation",
    ),
    TourStep::new(
        "The end of the game can be rehearsed on the board as it is. Nothing is\nchanged by it.",
        ":step checkGameEnd",
        "a rehearsal",
    ),
    TourStep::new(
        "Over the drawing of the grid, to the test.",
        "next",
        "p.position.y == 7",
    ),
    TourStep::new(
        "This does one statement and shows its evaluation, part by part.\n`continue` ends the rehearsal.",
        "step expr",
        "is false",
    ),
];
