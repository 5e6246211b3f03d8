//! What the keywords mean, for `:help`.

/// Every keyword that is not a built-in, with one line of help. The first is the example of `:help`.
pub const WORD_HELP: &[(&str, &str)] = &[
    (
        "event",
        "event coin > inccounter1=1: what happens when the player touches a coin",
    ),
    (
        "environment",
        "environment > x=12 y=7: the number of columns and rows",
    ),
    (
        "goal",
        "goal > x=10 y=3 color=yellow: where the player wins",
    ),
    (
        "player",
        "player > x=1 y=3 color=blue: where the player starts; player.x and player.y are its cell",
    ),
    (
        "sprite",
        "sprite hedge > color=green solid=true: a kind of cell; nothing moves onto a solid one",
    ),
    (
        "counter",
        "counter counter1 > true 10: whether a counter is shown, and its first value",
    ),
    (
        "set",
        "set coin > x=3 y=1: puts sprites on cells; (x=0 y=0, x=5 y=0) is a range",
    ),
];
