//! GridLang for newcomers: what to try first, and a tour through a race.

use crate::language::ForeignSyntax::*;
use crate::language::{ExampleGame, ForeignSyntaxNotes, Guide, ORDINARY_SPACE, TourStep};

pub const GUIDE: Guide = Guide {
    sample_move: ":turn",
    breakpoints: &["gameLoop", "checkMove", "colocation"],
    dry_runs: &["checkGameEnd"],
    first_entries: [
        ("Player { int score }", "declares what every player has"),
        ("2 + 3 * 4", "evaluates an expression"),
    ],
    syntax_examples: SYNTAX_EXAMPLES,
    command_examples: COMMAND_EXAMPLES,
    foreign_syntax: FOREIGN_SYNTAX,
    word_help: super::word_help::WORD_HELP,
    tour: TOUR,
    examples: EXAMPLES,
    lessons: LESSONS,
    template: include_str!("template.grid"),
};

const LESSONS: &[&str] = &[
    include_str!("../../../../sessions/course/gridlang/01-first-turns.session"),
    include_str!("../../../../sessions/course/gridlang/02-change-a-rule.session"),
    include_str!("../../../../sessions/course/gridlang/03-find-a-bug.session"),
];

const EXAMPLES: &[ExampleGame] = &[
    ExampleGame::new(
        "puddles",
        "a race with a die; puddles send you back",
        include_str!("sample.grid"),
    ),
    ExampleGame::new(
        "race",
        "snakes and ladders for two",
        include_str!("../../../../sessions/gridlang/race.grid"),
    ),
    ExampleGame::new(
        "capture",
        "two rooks against two bishops",
        include_str!("../../../../sessions/gridlang/capture.grid"),
    ),
    ExampleGame::new(
        "collect",
        "a thief collects coins, a guard chases",
        include_str!("../../../../sessions/gridlang/collect.grid"),
    ),
];

/// What GridLang writes differently from other languages.
const FOREIGN_SYNTAX: ForeignSyntaxNotes = &[
    (SlashComment, COMMENTS),
    (DashComment, COMMENTS),
    (Not, "write `!a`"),
    (NotEqual, "write `!=` for \"not equal\""),
    (If, "write `if (…) { … } else { … }`"),
    (ElseIf, "write `else if (…) { … }`"),
    (Conditional, "write `if (…) { … } else { … }`"),
    (Loop, "write a loop as `while (condition) { … }`"),
    (
        Function,
        "write a function as `function name(int a): int { … }`",
    ),
    (Variable, "declare a variable with its type: `int x = 3`"),
    (Print, "write `print(\"text\")`"),
    (
        Null,
        "every variable has a value from the start, such as 0, \"\" or false",
    ),
    (Switch, "write `if (…) { … } else if (…) { … }`"),
    (CurlyQuote, "use straight quotes: \"like this\""),
    (NoBreakSpace, ORDINARY_SPACE),
];
const COMMENTS: &str = "write `# comment` or `/* comment */`";

const SYNTAX_EXAMPLES: &[(&str, &str)] = &[
    ("Player { int score }", "the attributes of every player"),
    ("Item Coin { int worth }", "a kind of item"),
    (
        "Layout(3, 3) { Player ann; ann.position = (0,0); Coin c; c.position = (0,1) }",
        "the grid and the pieces at the start",
    ),
    (
        "gameLoop() { p.position.y += 1 }",
        "one turn; :turn plays it",
    ),
    (
        "Player.checkMove(coordinate start, coordinate end) { return end.y < 3 }",
        "whether a move is allowed",
    ),
    (
        "Coin.colocation(Player) { Player.score += Coin.worth }",
        "a collision: a player reaches a coin",
    ),
    (
        "checkGameEnd() { return p.score > 10 }",
        "whether the game is over",
    ),
    ("function double(int n): int { return 2 * n }", "a function"),
    ("int n = 3", "a variable"),
    ("while (n > 0) { n-- }", "a loop"),
    (
        "if (n == 0) { print(\"none\") } else { print(n) }",
        "a condition",
    ),
];

const COMMAND_EXAMPLES: &[(&str, &str)] = &[
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
    ("uses", ":uses throws"),
    ("listing", ":listing gameLoop"),
    ("why", ":why ann.position"),
    ("glyph", ":glyph A a"),
    ("edit", ":edit gameLoop"),
    ("load", ":load race.grid"),
    ("until", "until 28"),
];

const TOUR: &[TourStep] = &[
    TourStep::new(
        "A game is played in turns. This plays one.\nChanged cells are shown in parentheses.",
        ":turn",
        "turn: bob",
    ),
    TourStep::new(
        "Everything that changes the game can be undone; `:redo` does it again.",
        ":undo",
        "undone: :turn",
    ),
    TourStep::new(
        "You can choose random numbers: this is the next throw of the die.",
        ":rand next 4",
        "will be 4",
    ),
    TourStep::new(
        "A breakpoint pauses the game inside its own code: here, when a player\nsteps into a puddle.",
        ":break Puddle.colocation",
        "break Puddle.colocation",
    ),
    TourStep::new(
        "There is a puddle four cells ahead. The line marked => runs next.",
        ":turn",
        "breakpoint 1 in Puddle.colocation",
    ),
    TourStep::new(
        "At a stop, commands need no colon. This step prints the text.\nAn empty line steps again.",
        "step",
        "splash",
    ),
    TourStep::new(
        "You can also step back, to where you were before.",
        "back",
        "* stepped back in Puddle.colocation",
    ),
    TourStep::new(
        "Run to the end of the turn, or to the next breakpoint.\nAn error in the game stops it as well: fix a value, then retry.",
        "continue",
        "turn: bob",
    ),
    TourStep::new(
        "You can evaluate any expression. The puddle has cost her one cell.",
        "ann.position",
        "= (0,3)",
    ),
    TourStep::new(
        "Ask which statement set a value, and from which other values.",
        ":why ann.position",
        "by Puddle.colocation",
    ),
    TourStep::new(
        "Try out the end-of-game check on the current board. A dry run changes\nnothing.",
        ":step checkGameEnd",
        "Dry run",
    ),
    TourStep::new(
        "Step over the drawing of the grid, to the condition.",
        "next",
        "p.position.y == 7",
    ),
    TourStep::new(
        "Run one statement and see how it is evaluated, part by part.\n`continue` ends the dry run.",
        "step expr",
        "is false",
    ),
];
