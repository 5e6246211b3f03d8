//! GridLok at run time: lists, copies of pieces, and the first turn.

use crate::test_session::TestSession;

const GAME: &str = r#"game {
board { dimensions {3,3} image {b.png} }
def before{turn}
players {"x","o"}
turnOrder {"o","x"}
piece { name {"A"} }
piece { name {"B"} }
fun put() { place{"B",2,2} return 1 }
def after{turn}
def placed{put{}}
def list{1,2,}
fun shared() { return list }
fun first(l) { return l[0] }
setup { place{"A",0,0} }
}"#;

#[test]
fn a_returned_list_belongs_to_the_caller() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text("def copy{shared{}}");
    session.reply_text("copy{3}");
    session.expect("copy", &["= {1,2,3,}"]);
    session.expect("list", &["= {1,2,}"]);
    session.reply_text("fun nested() { return shared{} }");
    session.reply_text("copy[0]{9}");
    session.reply_text("def other{nested{}} other[0]{7}");
    session.expect("list", &["= {1,2,}"]);
    // An element that is a list is copied, too.
    session.reply_text("def lists{list,list,} def part{first{lists}} part{5}");
    session.expect("lists", &["= {{1,2,},{1,2,},}"]);
}

#[test]
fn variables_see_the_first_player_when_the_game_starts() {
    let mut session = TestSession::load("gridlok", GAME);
    session.expect("before", &["= \"o\""]);
    session.expect("after", &["= \"o\""]);
    session.expect("board[2][2].owner", &["= \"o\""]);
    session.reply_text(":restart");
    session.expect("after", &["= \"o\""]);
}

#[test]
fn a_copy_of_a_piece_is_lost_with_its_cell() {
    const LOST: &str = "the cell of this piece is no longer on the board";
    for smaller in ["2,3", "3,2", "1,1"] {
        let mut session = TestSession::load("gridlok", GAME);
        session.reply_text("def kept{board[0][0]} def lost{board[2][2]} def pieces{kept,lost,}");
        session.reply_text(&format!(
            "board {{ dimensions {{{smaller}}} image {{b.png}} }}"
        ));
        // The copy itself stays as it was.
        session.expect("lost.name", &["= \"B\""]);
        for line in [
            "lost.row",
            "lost.col",
            "lost.visible{false}",
            "lost.changeType{\"A\"}",
            "pieces[1].row",
        ] {
            session.expect(line, &[LOST]);
        }
        session.expect("kept.row + kept.col + pieces[0].row", &["= 0"]);
        // It does not come back as another piece when the board grows again.
        session.reply_text("board { dimensions {4,4} image {b.png} }");
        session.expect("lost.row", &[LOST]);
        session.expect("kept.col", &["= 0"]);
    }
}

#[test]
fn a_copy_in_a_local_variable_follows_its_cell() {
    let mut session = TestSession::load("gridlok", GAME);
    session.reply_text(
        "fun look(dummy) {\n  def p{board[2][2]}\n  def q{board[0][0]}\n  return p.row * 10 + p.col\n}",
    );
    session.reply_text(":break 4");
    session.reply_text(":break look");
    session.reply_text("look{1}");
    session.reply_text("next 2");
    session.reply_text("board { dimensions {5,5} image {b.png} }");
    session.expect("p.row * 10 + p.col", &["= 22"]);
    session.reply_text("board { dimensions {2,2} image {b.png} }");
    session.expect("p.row", &["no longer on the board"]);
    session.expect("q.row", &["= 0"]);
}

#[test]
fn a_turn_skipped_before_it_begins_is_not_counted() {
    let program = r#"board { dimensions {1,1} image {b.png} }
players {"x","o","z"}
piece { name {"P"} onTurn { if turn == "o" { removePlayer{"o"} } } }
setup { place{"P",0,0} }"#;
    let mut session = TestSession::load("gridlok", program);
    session.reply_text("endTurn{}");
    session.expect("turn", &["= \"z\""]);
    session.expect("turnCount", &["= 1"]);
    // A player removed during the own turn has played it.
    session.reply_text("removePlayer{\"z\"}");
    session.expect("turn", &["= \"x\""]);
    session.expect("turnCount", &["= 2"]);
}

#[test]
fn a_variable_that_was_a_function_for_a_while_has_its_own_slot() {
    let mut session = TestSession::load("gridlok", GAME);
    for line in [
        "def one {1}",
        "def two {2}",
        "fun one() { return 9 }",
        "def one {1}",
    ] {
        session.reply_text(line);
    }
    session.expect("two", &["= 2"]);
    session.reply_text(":restart");
    session.expect("one", &["= 1"]);
    session.expect("two", &["= 2"]);
}
