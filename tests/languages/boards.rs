//! How boards are drawn: numbers and short texts whole, other pieces with a letter and a legend.

use crate::test_session::TestSession;
use gridbug::answer::Part;

const NUMBERS: &str = "game Numbers
type Board = Array(3,2) of Int & {Empty}
b : Board
b!(x,y) = Empty
b!(1,1) = 16
b!(2,1) = 0 - 7
b!(1,2) = 1024
b!(3,2) = 1
";

/// The lines of a reply, without trailing blanks.
fn lines(session: &mut TestSession, line: &str) -> Vec<String> {
    let text = session.reply_text(line);
    text.lines().map(|l| l.trim_end().to_string()).collect()
}

#[test]
fn numbers_are_drawn_whole_and_aligned() {
    let mut session = TestSession::load("bogl", NUMBERS);
    session.reply("b");
    let board = [
        "         1     2     3",
        "   1    16    -7     ·",
        "   2  1024     ·     1",
        "     · is Empty",
    ];
    assert_eq!(lines(&mut session, ":board"), board);
    // Changed cells have parentheses around the number.
    let drawn = lines(&mut session, "place(-12345, b, (1,1))");
    assert_eq!(drawn[1], "   1 (-12345)     -7       ·", "{drawn:?}");
}

#[test]
fn a_number_that_is_too_long_has_a_legend_below_every_board() {
    let mut session = TestSession::load("bogl", NUMBERS);
    for cell in ["(1,1)", "(2,2)"] {
        let drawn = lines(&mut session, &format!("place(1234567, b, {cell})"));
        assert!(
            drawn.iter().any(|l| l.starts_with("     a is 1234567")),
            "{drawn:?}"
        );
        assert!(drawn.iter().any(|l| l.contains(" 1024 ")), "{drawn:?}");
    }
}

#[test]
fn the_glyphs_of_pieces_are_data_too() {
    let mut session = TestSession::load("bogl", NUMBERS);
    session.reply("b");
    let answer = session.reply(":pieces");
    let Some(Part::Pieces(pieces)) = answer.parts.iter().next() else {
        panic!("no pieces");
    };
    let glyphs: Vec<&str> = pieces.pieces.iter().map(|p| p.glyph.as_str()).collect();
    assert_eq!(glyphs, ["16", "-7", "·", "1024", "1"]);
}

#[test]
fn display_strings_of_up_to_six_characters_are_drawn_whole() {
    let mut session = TestSession::load(
        "gridlang",
        "Player ann, bob
Layout(2, 3) {
    ann.position = (0,0)
    bob.position = (1,2)
}
gameLoop() {}
",
    );
    session.reply("ann.displayString = \"2048\"");
    session.reply("bob.displayString = \"-7\"");
    let board = [
        "         0     1     2",
        "   0  2048     ·     ·",
        "   1     ·     ·    -7",
    ];
    assert_eq!(lines(&mut session, ":board")[..3], board);
    session.reply("ann.displayString = \"knights\"");
    session.expect(
        ":board",
        &["   0   k   ·   ·", "   1   ·   ·  -7", "k is knights"],
    );
    session.reply("ann.displayString = \"knight\"");
    session.expect(":board", &["   0  knight       ·       ·"]);
}

#[test]
fn a_board_that_is_too_wide_for_its_texts_is_scrolled() {
    let mut session = TestSession::load(
        "bogl",
        "game Wide
type Board = Array(20,1) of Int
b : Board
b!(x,y) = 100000
b!(15,1) = 100014
",
    );
    session.reply("b");
    let drawn = lines(&mut session, ":board");
    assert!(
        drawn.iter().all(|line| line.chars().count() <= 80),
        "{drawn:?}"
    );
    assert!(drawn[1].ends_with("100000"), "{drawn:?}");
    session.expect(":board", &["columns 1 to 10 of 20"]);
    session.expect(":board at 15,1", &["columns 11 to 20 of 20", " 100014"]);
}

#[test]
fn a_legend_is_repeated_if_a_glyph_is_not_the_first_letter() {
    let mut session = TestSession::load(
        "tinygame",
        "player hero { x = 0; y = 0; }\nenemy hill { x = 2; y = 1; }\n",
    );
    for line in ["move hero up 1;", "move hero right 1;"] {
        let drawn = lines(&mut session, line);
        assert!(drawn.iter().any(|l| l.ends_with("i is hill")), "{drawn:?}");
    }
}

#[test]
fn a_sprite_called_floor_does_not_look_like_an_empty_cell() {
    let mut session = TestSession::load(
        "sgl2d",
        "environment > x=4 y=2\nsprite floor > color=gray\nplayer > x=0 y=0\nset floor > x=2 y=1\n",
    );
    let drawn = lines(&mut session, ":board");
    assert_eq!(
        drawn[1..3],
        ["   0  @  ·  ·  ·", "   1  ·  ·  f  ·"],
        "{drawn:?}"
    );
    let mut session = TestSession::load(
        "tinygame",
        "player hero { x = 0; y = 0; }\nenemy path { x = 2; y = 0; }\n",
    );
    session.expect(":board", &["h  ·  p"]);
    // If every cell has a piece, there is nothing to confuse it with.
    let mut session = TestSession::load(
        "sgl2d",
        "environment > x=2 y=1\nsprite floor > color=gray\nplayer > x=0 y=0\nset floor > x=0 y=0 x=1 y=0\n",
    );
    session.expect(":board", &["   0  @  ·"]);
}
