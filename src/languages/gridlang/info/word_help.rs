//! What the keywords mean, for `:help`.

/// Every keyword that is not a built-in, with one line of help. The first is the example of `:help`.
pub const WORD_HELP: &[(&str, &str)] = &[
    (
        "gameLoop",
        "gameLoop() { … }: what the current player, p, does in a turn; :turn plays one",
    ),
    ("int", "int n = 3: a whole number; int[3] a is an array"),
    ("float", "float f = 1.5: a number with decimals"),
    ("string", "string s = \"text\": a text"),
    ("boolean", "boolean b = true: true or false"),
    (
        "coordinate",
        "coordinate c = (1,2): a row and a column; c.row and c.col are its parts",
    ),
    (
        "void",
        "function f(): void { … }: a function that returns nothing",
    ),
    (
        "Player",
        "Player { int score }: the attributes of players; Player ann, bob declares players",
    ),
    ("player", "another spelling of Player"),
    (
        "Item",
        "Item Coin { int value }: a kind of item and its attributes; Coin c declares one",
    ),
    ("item", "another spelling of Item"),
    (
        "Grid",
        "Grid(0, 1): a cell of the grid; its lists are playerList and itemList",
    ),
    ("grid", "another spelling of Grid"),
    ("true", "the condition that always holds"),
    ("false", "the condition that never holds"),
    (
        "function",
        "function add(int a, int b): int { return a + b }: defines a function",
    ),
    (
        "return",
        "return a + b: ends a function or block and gives its result",
    ),
    ("if", "if (a == 1) { … } else { … }: runs one of the blocks"),
    (
        "else",
        "if (a == 1) { … } else if (a == 2) { … } else { … }: runs if the condition is false",
    ),
    (
        "while",
        "while (n < 10) { … }: repeats the block as long as the condition is true",
    ),
    ("repeat", "restarts gameLoop for the same player"),
    (
        "Layout",
        "Layout(3, 3) { … }: the size of the grid and its pieces; it runs when the game starts",
    ),
    (
        "checkMove",
        "Player.checkMove { return true }: whether a move is allowed; if not, it is undone",
    ),
    (
        "colocation",
        "Coin.colocation(Player) { … }: runs when a player arrives at a coin's cell",
    ),
    (
        "checkGameEnd",
        "checkGameEnd() { return p.win }: runs at the end of a turn; true ends the game",
    ),
    (
        "type",
        "ann.type = \"thief\": gives a player the attributes of a player type",
    ),
    ("rand", "another spelling of random"),
    ("and", "a and b, or a && b: true if both are true"),
    ("or", "a or b, or a || b: true if at least one is true"),
];
