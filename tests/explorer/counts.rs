//! Numbers of positions and ends of games that are known from elsewhere.

use crate::support::{explore, find, sample, session};
use gridbug::code::Status;
use gridbug::explorer::{Exploration, PositionId};

/// How many positions satisfy a test.
fn count(exploration: &Exploration, is_counted: impl Fn(PositionId) -> bool) -> usize {
    (0..exploration.position_count() as PositionId)
        .filter(|id| is_counted(*id))
        .count()
}

#[test]
fn tic_tac_toe_has_5478_positions_of_which_958_are_ends() {
    let session = session(
        "gridlok",
        include_str!("../../src/languages/gridlok/info/sample.gl"),
    );
    let game = explore(&session);
    assert_eq!(game.position_count(), 5478);
    let won_by = |player| {
        count(&game, |id| {
            let info = game.info(id);
            info.status() == Status::Won && info.player() == Some(player)
        })
    };
    assert_eq!((won_by(0), won_by(1)), (626, 316));
    let draws = count(&game, |id| game.info(id).status() == Status::Drawn);
    assert_eq!(draws, 16);
    eprintln!("{} bytes per position", game.memory_bytes() / 5478);
}

/// The numbers of positions, of positions in which the game has ended, and of moves.
fn numbers(game: &Exploration) -> (usize, usize, usize) {
    let ends = count(game, |id| game.info(id).is_end());
    let moves = (0..game.position_count() as PositionId).map(|id| game.edges(id).count());
    (game.position_count(), ends, moves.sum())
}

pub const GRIDLANG_TIC_TAC_TOE: &str = r#"
Player { int mark }
Layout(3, 3)
{
    Player x, o
    x.mark = 1
    o.mark = 2
    playerOrder = [x, o]
    int[3,3] cells
    int turns
}
function owns(int r, int c): boolean {
    return cells[r,c] == p.mark
}
gameLoop()
{
    coordinate c = prompt("cell: ", coordinate)
    if (cells[c.row, c.col] != 0)
        repeat
    cells[c.row, c.col] = p.mark
    turns = turns + 1
}
checkGameEnd()
{
    boolean won = false
    int i = 0
    while (i < 3) {
        if (owns(i,0) and owns(i,1) and owns(i,2))
            won = true
        if (owns(0,i) and owns(1,i) and owns(2,i))
            won = true
        i++
    }
    if (owns(0,0) and owns(1,1) and owns(2,2))
        won = true
    if (owns(0,2) and owns(1,1) and owns(2,0))
        won = true
    p.win = won
    return won or turns == 9
}
"#;

#[test]
fn tic_tac_toe_has_the_same_positions_and_moves_in_three_languages() {
    let gridlok = numbers(&explore(&sample("gridlok")));
    assert_eq!((gridlok.0, gridlok.1), (5478, 958));
    // A cell that is taken is refused, and the question is asked again at another place, or at the same.
    let bogl = include_str!("../../sessions/bogl/tic-tac-toe.bgl");
    let recursive = bogl.replace(
        "while not(allowed(b, p)) do input",
        "if allowed(b, p) then p else choose(b)",
    );
    assert_ne!(bogl, recursive);
    for bogl in [bogl, &recursive] {
        assert_eq!(numbers(&explore(&session("bogl", bogl))), gridlok);
    }
    let gridlang = session("gridlang", GRIDLANG_TIC_TAC_TOE);
    assert_eq!(numbers(&explore(&gridlang)), gridlok);
}

/// Lights out on 3 x 3, with all lamps on or all off.
fn lights_out(lamp: &str) -> String {
    let game = include_str!("../../sessions/gridlok/lights-out.gl");
    let setup = "for n(0, 4) { press {rand {0, rows}, rand {0, cols}} }";
    game.replace(setup, "").replace(
        "place {\"dark\", r, c} }\n",
        &format!("place {{\"{lamp}\", r, c}} }}\n"),
    )
}

#[test]
fn lights_out_has_512_positions_and_takes_five_presses_from_all_on() {
    let mut session = session("gridlok", &lights_out("lit"));
    assert_eq!(find(&mut session, "win").length, Some(5));
    // A game that is never won closes all positions: without the counter `presses`, there are 512.
    let endless = lights_out("dark").replace("win {burning == 0}", "win {burning > 9}");
    let session = crate::support::session("gridlok", &endless);
    let game = explore(&session);
    assert_eq!(game.position_count(), 512);
    let farthest = (0..512).map(|id| game.depth(id)).max();
    assert_eq!(farthest, Some(9));
}
