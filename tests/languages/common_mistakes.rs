//! What newcomers type by mistake, and the one message that explains it.

use crate::test_session::TestSession;
use gridbug::languages;

/// The language, what was typed, the message of its first error or warning, and part of its first
/// note.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    (
        "gridlok",
        "click 1 1",
        "`click` is a function, not a value",
        "`click{1, 1}`",
    ),
    (
        "gridlok",
        "click{1 1}",
        "missing `,` between the arguments of `click`",
        "`click{1, 2}`",
    ),
    (
        "gridlok",
        "if (turn == \"x\") print{1}",
        "expected `{`, found `print`",
        "",
    ),
    (
        "gridlang",
        "Item Coin",
        "`Coin` is a variable, not a kind of item",
        "`Item Coin { }`",
    ),
    (
        "gridlang",
        "int setup() { return 0 }",
        "`setup` is a function that nothing calls",
        "`Layout(3, 3) { … }`",
    ),
    (
        "gridlang",
        "int main()\n{\nreturn 0;\n}",
        "there is no `main`",
        "`gameLoop() { … }`",
    ),
    (
        "gridlang",
        "int gameLoop() { return 0; }",
        "`gameLoop` has no type",
        "`gameLoop() { … }`",
    ),
    (
        "gridlang",
        "int add(int a, int b) { return a + b; }",
        "expected `function` before `add`",
        "`function add(int a): int { … }`",
    ),
    (
        "gridlang",
        "Grid_Init<3,3>;",
        "`Grid_Init` is not a statement",
        "`Layout(3, 3) { … }`",
    ),
    (
        "gridlang",
        "Player[2] playerOrder;",
        "`playerOrder` needs no declaration",
        "`playerOrder = [\"ann\", \"bob\"]`",
    ),
    (
        "gridlang",
        "printGrid();",
        "unknown function `printGrid`",
        "`drawGrid()`",
    ),
    ("gridlang", "if (true) { } )", "unmatched `)`", ""),
    (
        "gridlang",
        "gameLoop() { } int",
        "expected a name, found the end of the input",
        "",
    ),
];

#[test]
fn mistakes_have_one_message_that_explains_them() {
    for (language, line, message, note) in MISTAKES {
        let language = languages::by_name(language).expect("a language");
        let mut session = TestSession::empty(language.info().name);
        let diagnostics = session.reply(line).diagnostics;
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, [*message], "{}: {line}", language.info().title);
        let notes = diagnostics[0].notes.join("\n");
        assert!(notes.contains(note), "{line}: missing {note:?} in {notes}");
    }
}
