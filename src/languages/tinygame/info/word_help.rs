//! What the keywords mean, for `:help`.

/// Every keyword that is not a built-in, with one line of help. The first is the example of `:help`.
pub const WORD_HELP: &[(&str, &str)] = &[
    ("move", "move hero right 1;: changes x or y of an entity"),
    (
        "player",
        "player hero { x = 0; y = 0; }: declares a player and its properties",
    ),
    (
        "enemy",
        "enemy wolf { x = 4; y = 0; }: declares an enemy and its properties",
    ),
    (
        "set",
        "set hero.health = hero.health - 1;: changes a property",
    ),
    (
        "if",
        "if hero.x == wolf.x { … }: runs the block if the comparison is true; there is no else",
    ),
    ("print", "print \"text\";: prints a line"),
    ("end", "reserved; it has no meaning yet"),
    ("up", "move hero up 1;: adds to y"),
    ("down", "move hero down 1;: subtracts from y"),
    ("left", "move hero left 1;: subtracts from x"),
    ("right", "move hero right 1;: adds to x"),
];
