//! What is the same position for the players is one position, and what is not is kept apart.

use crate::support::{explore, find, session};
use gridbug::answer::FindVerdict;
use gridbug::render::AnswerText;

/// Two pieces, each on its way along a row of three cells.
const TWO_ROWS: &str = r#"
Item A { }
Item B { }
Layout(2, 3) { Player me; A.position = (0,0); B.position = (1,0); playerOrder = [me] }
gameLoop()
{
    boolean first = prompt("move A? ", boolean)
    if (first and A.position.col < 2) A.position.col++
    else if (!first and B.position.col < 2) B.position.col++
    else repeat
}
checkGameEnd() { me.win = A.position.col == 2 and B.position.col == 2; return me.win }
"#;

#[test]
fn it_does_not_matter_which_of_two_pieces_in_different_cells_has_moved_first() {
    let game = explore(&session("gridlang", TWO_ROWS));
    assert_eq!(game.position_count(), 3 * 3);
}

/// Two pieces move to the same cell, in either order; one of them cannot leave it.
const ONE_CELL: &str = r#"
Item A { }
Item B { }
boolean tried
Layout(2, 2) { Player me; A.position = (0,0); B.position = (1,0); playerOrder = [me] }
gameLoop()
{
    string what = prompt("what? ", string)
    if (what == "a") A.position = (0,1)
    else if (what == "b") B.position = (0,1)
    else if (what == "leave") { tried = true; A.position = (1,1) }
    else repeat
}
A.checkMove { return A.position == (0,1) }
checkGameEnd() { return false }
"#;

#[test]
fn pieces_in_a_cell_stay_in_their_order() {
    let mut game = session("gridlang", ONE_CELL);
    let both = "len(Grid(0,1).itemList) == 2";
    let moves = |game: &mut _, goal: &str| {
        let found = find(game, &format!("{both} and {goal}"));
        let typed = found.moves.iter().map(|m| m.entry.clone());
        (found.verdict, typed.collect::<Vec<_>>().join(" "))
    };
    let a_first = moves(&mut game, "Grid(0,1).itemList[0] == A");
    assert_eq!(a_first, (FindVerdict::Found, "a b".into()));
    let b_first = moves(&mut game, "Grid(0,1).itemList[0] == B");
    assert_eq!(b_first, (FindVerdict::Found, "b a".into()));
    // A piece that has to go back is again where it was in the order.
    let still_first = moves(&mut game, "tried and Grid(0,1).itemList[0] == A");
    assert_eq!(still_first.0, FindVerdict::Found);
    let still_second = moves(&mut game, "tried and Grid(0,1).itemList[0] == B");
    assert_eq!(still_second.0, FindVerdict::Found);
}

/// A cat and a mouse on a board of 3 x 3; a move off the board is refused and has to be made again.
const CHASE: &str = r#"
Layout(3, 3) { Player cat, mouse; cat.position = (2,1); mouse.position = (0,0); playerOrder = [cat, mouse] }
gameLoop()
{
    string way = prompt("which way? ", string)
    if (way == "n") p.position.row--
    else if (way == "s") p.position.row++
    else if (way == "e") p.position.col++
    else if (way == "w") p.position.col--
    else repeat
}
checkMove(coordinate start, coordinate end)
{
    if (end.row < 0 or end.row > 2 or end.col < 0 or end.col > 2)
        repeat
}
checkGameEnd()
{
    cat.win = cat.position == mouse.position
    mouse.win = !cat.win and mouse.position == (2,2)
    return cat.win or mouse.win
}
"#;

#[test]
fn a_move_that_check_move_has_repeated_is_not_a_move() {
    let mut game = session("gridlang", CHASE);
    // The cells have two colors, and each step changes the color. Who stands on which color says whose
    // move it is: 81 positions, without those that cannot be reached because the game has ended before.
    let count = explore(&game).position_count();
    assert_eq!(count, 76);
    let solved = crate::support::answer(&mut game, ":solve").text();
    assert!(
        solved.starts_with("cat wins with best play, in 3 moves"),
        "{solved}"
    );
    let moves = crate::support::answer(&mut game, ":moves").text();
    assert!(moves.starts_with("3 moves for cat\n"), "{moves}");
}

/// Lights out with a board that is a value.
const LIGHTS: &str = "
game Lights
type Board = Array (3,3) of {On, Off}
type Input = (Int,Int)
type Result = {Dark}

start : Board
start!(x,y) = On

flip : (Int,Int,Board) -> Board
flip(x,y,b) =
  if or(or(x < 1, x > width), or(y < 1, y > height)) then b
  else place(if b!(x,y) == On then Off else On, b, (x,y))

press : (Int,Int,Board) -> Board
press(x,y,b) = flip(x, y, flip(x - 1, y, flip(x + 1, y, flip(x, y - 1, flip(x, y + 1, b)))))

play : Board -> Result
play(b) = if count(On, b) == 0 then Dark else let c = input in play(press(c#1, c#2, b))

result : Result
result = play(start)
";

#[test]
fn a_board_of_bogl_that_is_as_at_the_start_is_the_start() {
    let mut game = session("bogl", LIGHTS);
    assert_eq!(explore(&game).position_count(), 512);
    assert_eq!(find(&mut game, "Dark").length, Some(5));
}

/// The towers of Hanoi with three disks: an answer is the peg to take a disk from, and the one to put it on.
const HANOI: &str = "
game Hanoi
type Input = (Int,Int)
type Pegs = (Int,Int,Int)
type Result = {Done}

top : (Int,Pegs) -> Int
top(p,t) = if t#1 == p then 1 else if t#2 == p then 2 else if t#3 == p then 3 else 4

put : (Int,Int,Pegs) -> Pegs
put(d,p,t) = if d == 1 then (p, t#2, t#3) else if d == 2 then (t#1, p, t#3) else (t#1, t#2, p)

play : Pegs -> Result
play(a,b,c) = let t = (a,b,c) in
  if t == (3,3,3) then Done
  else let m = input in
    if and(and(m#2 >= 1, m#2 <= 3), top(m#1, t) < top(m#2, t))
      then play(put(top(m#1, t), m#2, t))
      else play(t)

result : Result
result = play(1,1,1)
";

#[test]
fn pairs_of_numbers_are_no_cells_where_there_is_no_board() {
    let mut game = session("bogl", HANOI);
    assert_eq!(explore(&game).position_count(), 27);
    let found = find(&mut game, "Done");
    assert_eq!((found.verdict, found.length), (FindVerdict::Found, Some(7)));
    // Other numbers could be typed.
    let stuck = find(&mut game, "stuck");
    assert_eq!(stuck.verdict, FindVerdict::Unknown);
}
