//! A turn of GridLang at the prompt: what is told of it, what the board shows, and what can be asked afterwards.

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::{Reply, Session};

fn session(program: &str) -> Session {
    let mut session = Session::new(languages::by_name("gridlang").expect("GridLang"), 1);
    let reply = session.load("game.grid", program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    session
}

fn tell(session: &mut Session, line: &str) -> Reply {
    let reply = handle_line(session, line);
    assert!(reply.ok, "{line}: {:?} {}", reply.diagnostics, reply.text());
    reply
}

fn lines(reply: &Reply) -> Vec<String> {
    reply
        .lines
        .iter()
        .map(|l| l.text().trim_end().to_string())
        .collect()
}

/// The lines without the times, which move with every change of the rules.
fn untimed(reply: &Reply) -> Vec<String> {
    let cut = |line: String| {
        line.split("   time ")
            .next()
            .unwrap_or("")
            .split(", at time ")
            .next()
            .unwrap()
            .to_string()
    };
    lines(reply).into_iter().map(cut).collect()
}

const CHASE: &str = "Player {
    int caught
    type = \"mouse\" { boolean brave }
    type = \"cat\" { int naps }
}
Item Cheese { }
Layout(2, 4)
{
    Player mia, tom, eve
    mia.type = \"mouse\"
    tom.type = \"cat\"
    mia.position = (0,1)
    tom.position = (0,3)
    mia.displayString = \"m\"
    tom.displayString = \"C\"
    Cheese.position = (0,1)
    Cheese.displayString = \"#\"
    playerOrder = [tom]
}
gameLoop()
{
    p.position.col--
}
Player.checkMove(coordinate start, coordinate end)
{
    return end.col > 0
}
cat.colocation(Player, \"mouse\")
{
    cat.caught++
}
Cheese.colocation(Player, \"mouse\")
{
    Player.brave = true
}
checkGameEnd()
{
    return tom.caught > 0 or mia.brave
}
";

#[test]
fn a_refused_move_is_told_and_leads_to_its_line() {
    let mut game = session(CHASE);
    tell(&mut game, ":turn 2");
    let told = tell(&mut game, ":turn");
    assert!(
        lines(&told).contains(&"tom stays at (0,1): (0,0) is refused".to_string()),
        "{:?}",
        lines(&told)
    );
    let why = untimed(&tell(&mut game, ":why tom"));
    assert_eq!(why[0], "tom: tom at (0,0) => tom at (0,1)");
    assert_eq!(
        why[2],
        "  because of Player.checkMove   line 26 of game.grid"
    );
    assert!(
        why[3].trim() == "return end.col > 0"
            && why.iter().any(|l| l.trim_end().ends_with("false")),
        "{why:?}"
    );
    // On the edge nobody has to refuse.
    let mut game = session(&CHASE.replace("return end.col > 0", "return true"));
    let told = tell(&mut game, ":turn 9");
    assert!(
        lines(&told)
            .iter()
            .any(|l| l == "tom stays at (0,0): (0,-1) is outside of the grid"),
        "{told:?}"
    );
    assert!(
        lines(&told)
            .iter()
            .any(|l| l.starts_with("and 1 more of this kind before")),
        "{:?}",
        lines(&told)
    );
}

#[test]
fn a_missed_collision_is_explained_at_the_words_of_its_handler() {
    let mut game = session(CHASE);
    tell(&mut game, ":turn");
    let why = untimed(&tell(&mut game, ":why not cat.colocation"));
    let nobody = [
        "cat.colocation was not run in `:turn`",
        "  nothing happened that it could be for",
        "  it has never run",
    ];
    assert_eq!(why, nobody);
    tell(&mut game, ":turn");
    let why = untimed(&tell(&mut game, ":why not cat.colocation"));
    assert_eq!(
        why,
        [
            "cat.colocation was not run in `:turn`",
            // The cat came to the mouse and to the cheese.
            "  asked for with piece=tom at (0,1) other=mia at (0,1)",
            "      cat.colocation(Player, \"mouse\")",
            "      mia at (0,1), \"mouse\": no",
            "  asked for with piece=tom at (0,1) other=Cheese at (0,1)",
            "      cat.colocation(Player, \"mouse\")",
            "      Cheese at (0,1), \"Cheese\": no",
            "  it has never run",
        ]
    );
    // The one who stands there fits, the one who comes does not.
    let why = untimed(&tell(&mut game, ":why not Cheese.colocation"));
    assert_eq!(
        why[4..],
        [
            "  asked for with piece=tom at (0,1) other=Cheese at (0,1)",
            "      Cheese.colocation(Player, \"mouse\")",
            "      |                 |       tom at (0,1), \"cat\": no",
            "      |                 tom at (0,1): yes",
            "      Cheese at (0,1), \"Cheese\": yes",
            "  it has never run",
        ],
        "{why:?}"
    );
    assert_eq!(
        untimed(&tell(&mut game, ":why not gameLoop"))[0],
        "gameLoop did run in `:turn`"
    );
}

#[test]
fn the_handler_that_was_run_instead_is_named() {
    let more = "mia.colocation(tom)\n{\n    tom.caught += 0\n}\nPlayer.colocation(Player)\n{\n}\n";
    let mut game = session(&format!("{CHASE}{more}"));
    tell(&mut game, ":turn 2");
    let why = untimed(&tell(&mut game, ":why not Player.colocation"));
    assert_eq!(why[0], "Player.colocation was not run in `:turn 2`");
    // Asked for only where the closer one did not fit: for the cheese.
    assert_eq!(
        why[1],
        "  asked for with piece=tom at (0,1) other=Cheese at (0,1)"
    );
    assert!(
        lines(&tell(&mut game, ":why not mia.colocation"))[0]
            .starts_with("mia.colocation did run in `:turn 2`")
    );
}

#[test]
fn the_end_of_the_game_can_be_asked_for() {
    let mut game = session(CHASE);
    let why = untimed(&tell(&mut game, ":why not win"));
    assert_eq!(
        why[..2],
        [
            "the game goes on",
            "checkGameEnd, run on the board as it is now, sees:"
        ]
    );
    assert!(
        why[2].contains("line 38: tom.caught > 0 was false; tom.caught was 0 once"),
        "{why:?}"
    );
    let why = untimed(&tell(&mut game, ":why not tom.win"));
    assert_eq!(
        why[..2],
        [
            "tom.win is false, as it was from the start",
            "checkGameEnd, run on the board as it is now, sees:"
        ]
    );
    tell(
        &mut game,
        "mouse.colocation(Player)\n{\n    Player.caught++\n}",
    );
    tell(&mut game, ":turn 2");
    let why = untimed(&tell(&mut game, ":why win"));
    assert_eq!(
        why[..2],
        [
            "the game is over, and nobody has won",
            "  by checkGameEnd   line 38 of game.grid"
        ]
    );
    tell(&mut game, ":undo");
    tell(
        &mut game,
        "checkGameEnd()\n{\n    p.win = p.caught > 0\n    return p.win\n}",
    );
    tell(&mut game, ":turn 2");
    assert_eq!(
        untimed(&tell(&mut game, ":why win"))[0],
        "tom.win: false => true"
    );
}

#[test]
fn a_cell_lists_all_that_stand_there_and_the_board_stays_within_its_columns() {
    let mut game = session(CHASE);
    tell(&mut game, ":turn 2");
    assert_eq!(
        lines(&tell(&mut game, ":cell 0,1")),
        ["(0,1) has m (mia), C (tom), # (Cheese)"]
    );
    assert_eq!(lines(&tell(&mut game, ":cell 1,1")), ["(1,1) is empty"]);
    let board = lines(&tell(&mut game, ":board"));
    assert_eq!(
        board[..3],
        ["      0  1  2  3", "   0  ·  m+ ·  ·", "   1  ·  ·  ·  ·"]
    );
    assert!(
        board.contains(&"     + is more than one: :cell lists them".to_string()),
        "{board:?}"
    );
}

#[test]
fn who_was_not_placed_yet_is_nowhere() {
    let mut game = session(CHASE);
    let vars = lines(&tell(&mut game, ":vars"));
    assert!(
        vars.contains(&"  eve.position         nowhere".to_string()),
        "{vars:?}"
    );
    // The values stand in one column, behind the longest name: `Cheese.displayString`.
    assert!(
        vars.iter()
            .all(|l| l.get(22..23) == Some(" ") && l.get(23..24) != Some(" ")),
        "{vars:?}"
    );
    tell(&mut game, ":watch eve.position");
    let stop = handle_line(&mut game, "eve.position = (1,1)");
    assert!(stop.text().contains("nowhere => (1,1)"), "{}", stop.text());
}

#[test]
fn the_trace_tells_who_leaves() {
    let mut game = session(CHASE);
    tell(&mut game, ":trace on");
    tell(&mut game, "gameLoop()\n{\n    p.win = true\n}");
    let told = lines(&tell(&mut game, ":turn"));
    assert!(
        told.iter().any(|l| l.trim() == "leaves tom at (0,3)"),
        "{told:?}"
    );
    tell(&mut game, ":undo 2");
    tell(&mut game, "gameLoop()\n{\n    p.Exists = false\n}");
    let told = lines(&tell(&mut game, ":turn"));
    assert!(
        told.iter().any(|l| l.trim().starts_with("leaves tom")),
        "{told:?}"
    );
}

const WALK: &str = "Player { int x = 4; int y = 5 }
Layout(10, 10) { Player hero; hero.position = (hero.y, hero.x) }
function go(int dx, int dy) {
    hero.x += dx
    hero.y += dy
    hero.position.col++
}
";

#[test]
fn a_change_is_explained_by_its_old_and_its_new_value() {
    let mut game = session(WALK);
    tell(&mut game, "go(3, 0)");
    let why = untimed(&tell(&mut game, ":why hero.x"));
    let columns = [
        "hero.x += dx",
        "|    | |  3",
        "|    | 7",
        "|    4",
        "hero at (5,4)",
    ];
    assert_eq!(
        why[2..7].iter().map(|l| l.trim()).collect::<Vec<_>>(),
        columns
    );
    assert!(!why.iter().any(|l| l.contains("not evaluated")), "{why:?}");
    let why = untimed(&tell(&mut game, ":why hero.position"));
    assert_eq!(
        why[2..6].iter().map(|l| l.trim()).collect::<Vec<_>>(),
        [
            "hero.position.col++",
            "|    |           5",
            "|    4",
            "hero at (5,4)"
        ]
    );
}

#[test]
fn where_a_step_ended_behind_what_is_watched_can_be_come_back_to() {
    let mut game = session(WALK);
    tell(&mut game, ":watch hero.x");
    tell(&mut game, "go(1, 1)");
    let there = tell(&mut game, "step").stop.expect("a stop");
    assert_eq!(there.line, 6);
    tell(&mut game, ":back");
    let again = tell(&mut game, ":forward").stop.expect("the same stop");
    assert_eq!((again.time, again.line), (there.time, there.line));
}
