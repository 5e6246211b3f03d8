//! Inspecting changes nothing: every command of the table that does not say it changes something, in
//! every language, at the prompt, at a stop, at an error, in a dry run, at a question and in the past.

use crate::test_session::TestSession;
use gridbug::command::{self, handle_line};
use gridbug::machine::Checkpoint;
use gridbug::session::{Session, stop_on_errors, to_plain_text};

/// Commands that may change the game, the position in its history, where it stops, or the session as
/// a whole. All others are tested.
const CHANGING: &[&str] = &[
    // Running and time travel.
    "step",
    "se",
    "ss",
    "next",
    "finish",
    "over",
    "iter",
    "until",
    "continue",
    "play",
    "retry",
    "abandon",
    "rules",
    "undo",
    "redo",
    "reverse-step",
    "reverse-next",
    "reverse-finish",
    "reverse-continue",
    "jump",
    "goto",
    "last",
    "first",
    "branches",
    // Breakpoints.
    "break",
    "tbreak",
    "watch",
    "rwatch",
    "awatch",
    "log",
    "enable",
    "disable",
    "delete",
    "skip",
    "ignore",
    "always",
    "never",
    "sometimes",
    "properties",
    // The game and its program.
    "restart",
    "seed",
    "rand",
    "reload",
    "edit",
    "fmt",
    "opponent",
    // Files and the session.
    "save",
    "load",
    "examples",
    "lang",
    "record",
    "resume",
    "lesson",
    "predict",
    "tour",
    "quit",
    "clear",
];

/// Commands of that list that only show something without an argument.
const INSPECTING_ALONE: [&str; 6] = [
    ":branches",
    ":properties",
    ":seed",
    ":skip",
    ":predict",
    ":opponent",
];

/// A game with everything that can be inspected: variables, a function, random draws, something that
/// fails and something that asks.
struct Game {
    language: &'static str,
    program: &'static str,
    /// Two lines to play.
    moves: [&'static str; 2],
    /// Where the first of them stops.
    location: &'static str,
    /// An entry that fails; none if the language has no errors.
    failing: Option<&'static str>,
    /// The argument of `:step` for a dry run.
    dry_run: &'static str,
    /// An entry that asks.
    asking: Option<&'static str>,
    /// Arguments for every command: names, expressions with and without effects, cells, code.
    arguments: &'static [&'static str],
}

const GAMES: &[Game] = &[
    Game {
        language: "gridlok",
        program: r#"game {
  board { dimensions {1, 3} image {b.png} }
  players {"x", "o"}
  def people {0}
  def total {0}
  fun share(amount) {
    def each {amount / people}
    return each
  }
  fun more(amount) {
    for i(0, 2) { total {total + amount + rand{0, 3}} }
    return total
  }
  piece { name {"a"} image {a.png}
    onClick {
      total {more{1}}
      changeType {"b"}
      endTurn {}
    }
  }
  piece { name {"b"} image {b.png} }
  winCondition { win {total > 20} }
  setup { place {"a", 0, 0} place {"a", 0, 1} place {"a", 0, 2} }
}"#,
        moves: ["click{0,0}", "click{0,1}"],
        location: "more",
        failing: Some("total {total + share{10}}"),
        dry_run: "winCondition",
        asking: None,
        arguments: &[
            "total",
            "amount",
            "total + rand{0,9}",
            "more{3}",
            "click{0,2}",
            "more",
            "winCondition",
            "a.onClick",
            "[0][0]",
            "[0][0].name",
            "win",
            "not win",
            "not click 0,2",
            "0,1",
            "11",
            "a",
            "piece",
        ],
    },
    Game {
        language: "bogl",
        program: "game G
type Player = {X, O}
type Board = Array (2,1) of Player & {Empty}
type Input = (Int,Int)
start : Board
start!(x,y) = Empty
half : Int -> Int
half(n) = 10 / n
twice : Int -> Int
twice(n) = half(n) + half(n)
count2 : (Int,Int) -> (Int,Int)
count2(n,s) = while n > 0 do (n - 1, s + half(n))
ask : (Player,Board) -> Board
ask(p,b) = place(p, b, input)
",
        moves: ["let w = place(X, start, (1,1))", "let v = twice(5)"],
        location: "half",
        failing: Some("twice(0)"),
        dry_run: "count2(2, 0)",
        asking: Some("ask(X, start)"),
        arguments: &[
            "n",
            "v",
            "w",
            "start",
            "twice(2)",
            "twice(0)",
            "half",
            "ask",
            "ask(X, start)",
            "(1,1)",
            "not win",
            "1,1",
            "8",
            "Player",
            "X",
            "1 + 2",
            "let z = 3",
            "count2(2, 0)",
            "twice",
        ],
    },
    Game {
        language: "gridlang",
        program: "Player {
    int apples
}
int people
int total
Layout(2, 2)
{
    createGrid(2, 2)
    Player tom, ann
    tom.position = (0,0)
    ann.position = (1,1)
}
function share(int amount): int {
    int each = amount / people
    return each
}
function more(int amount): int {
    total = total + amount + diceThrow()
    return total
}
function ask(): int {
    return prompt(\"n: \", int)
}
gameLoop()
{
    p.apples = more(1)
}
checkGameEnd()
{
    return total > 90
}
",
        moves: [":turn", ":turn"],
        location: "more",
        failing: Some("total = share(10)"),
        dry_run: "checkGameEnd",
        asking: Some("total = ask()"),
        arguments: &[
            "total",
            "amount",
            "p",
            "tom.apples",
            "more(3)",
            "diceThrow()",
            "share(1)",
            "ask()",
            "more",
            "gameLoop",
            "(0,0)",
            "tom.position",
            "not win",
            "0,0",
            "18",
            "total = 3",
            "checkGameEnd",
            "tom",
        ],
    },
    Game {
        language: "tinygame",
        program: "player knight { x = 0; y = 0; gold = 0; hp = 9; }
enemy wolf { x = 2; y = 0; }
move knight right 1;
set knight.hp = knight.hp - 1;
if knight.hp > 3 {
    set knight.gold = 2;
}
",
        moves: ["move knight right 1;", ":restart"],
        location: "5",
        failing: Some("if knight.hp > 0 { set knight.hp = 5; set knight.hp = 5 / (wolf.x - 2); }"),
        dry_run: "if knight.hp > 3 { set knight.gold = 5; move knight up 1; }",
        asking: None,
        arguments: &[
            "knight.hp",
            "knight",
            "knight.hp + 1",
            "5 / 0",
            "game",
            "set knight.hp = 3;",
            "wolf",
            "not win",
            "0,0",
            "5",
            "(1,0)",
            "move",
            "if knight.hp > 3 { set knight.gold = 5; }",
        ],
    },
    Game {
        language: "sgl2d",
        program: "environment > x=4 y=1
player > x=0 y=0 color=blue
goal > x=3 y=0 color=yellow
sprite floor > color=grey
sprite coin > color=orange
sprite bee > color=red
counter counter1 > true 0
counter counter2 > true 40
event player > playerdeccounter2=1
event coin > inccounter1=1 transformtosprite=floor
event bee > setspritecounter=3 playerdecspritecounter=1 movetorandomonzero=floor
set floor > (x=0 y=0, x=3 y=0)
set coin > x=1 y=0
",
        moves: ["right", "right"],
        location: "event player",
        failing: None,
        dry_run: "goal",
        asking: None,
        arguments: &[
            "counter1",
            "counter2 + 1",
            "player",
            "player.x",
            "coin",
            "goal",
            "event coin",
            "right",
            "x=1 y=0",
            "not win",
            "1,0",
            "9",
            "floor",
            "left",
        ],
    },
];

/// Arguments that are words of commands.
const WORDS: &[&str] = &[
    "",
    "1",
    "99",
    "all",
    "start",
    "list",
    "nonsense ((",
    "within 2",
];

impl Game {
    fn start(&self) -> TestSession {
        let mut session = TestSession::load(self.language, self.program);
        session.0.explorer.limits.positions = 50;
        stop_on_errors(&mut session.0, true);
        session
    }

    /// The situations in which something can be inspected, each with what continues from there.
    fn situations(&self) -> Vec<(&'static str, Vec<String>, &'static str)> {
        let lines = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| line.to_string())
                .collect::<Vec<_>>()
        };
        let [first, second] = self.moves;
        let stop = format!(":break {}", self.location);
        let dry_run = format!(":step {}", self.dry_run);
        let mut situations = vec![
            ("prompt", lines(&[first]), second),
            ("stop", lines(&[first, &stop, second, "step"]), ":continue"),
            ("dry run", lines(&[first, &dry_run]), ":finish"),
            ("past", lines(&[first, second, ":mark m", ":undo"]), ":redo"),
            (
                "stop in the past",
                lines(&[
                    first,
                    &stop,
                    second,
                    "step",
                    "step",
                    ":delete",
                    ":continue",
                    &stop,
                    ":reverse-continue",
                    "rs",
                ]),
                ":continue",
            ),
        ];
        if let Some(failing) = self.failing {
            situations.push(("error", lines(&[first, failing]), ":abandon"));
        }
        if let Some(asking) = self.asking {
            situations.push(("question", lines(&[first, asking]), ":abandon"));
        }
        situations
    }
}

/// What inspecting must not change.
struct Snapshot {
    checkpoint: Checkpoint,
    rest: String,
    /// The branches. A search keeps the line that it has found as one.
    branches: String,
}

impl Snapshot {
    fn of(session: &mut Session) -> Snapshot {
        let target = &session.target;
        let entries: Vec<_> = target.timeline.all_entries().iter().map(|e| e.id).collect();
        let branches = target.timeline.branches();
        let branches: Vec<_> = branches.map(|b| (b.number, b.entries.len())).collect();
        let breakpoints = target.debugger.breakpoints.iter();
        let breakpoints: Vec<_> = breakpoints
            .map(|b| (b.number, b.text.clone(), b.is_enabled, target.hit_count(b)))
            .collect();
        let rest = format!(
            "entries {entries:?} of {}, breakpoints {breakpoints:?}, frame {}, \
             question {:?}, dry run {}, stopped {}, log {:?}, draws {}, time {}",
            target.timeline.cursor(),
            target.debugger.selected_frame,
            target.question(),
            target.is_dry_run(),
            target.is_stopped(),
            target.machine.log_end(),
            gridbug::analysis::inspect::draws(target).draws.len(),
            target.machine.time(),
        );
        Snapshot {
            checkpoint: session.target.machine.checkpoint(),
            rest,
            branches: format!("{branches:?}"),
        }
    }
}

/// Commands that select a frame.
const SELECTING: &[&str] = &["frame", "up", "down"];

fn run(session: &mut Session, line: &str) -> String {
    let answer = handle_line(session, line);
    to_plain_text(session, &answer).join("\n")
}

/// The lines that inspect, with every argument.
fn inspecting_lines(game: &Game, session: &Session) -> Vec<String> {
    let commands = command::all()
        .map(|c| c.name)
        .filter(|name| !CHANGING.contains(name));
    let of_language = session.target.language().info().commands.iter();
    let of_language = of_language.map(|(name, ..)| *name);
    let of_language = of_language.filter(|name| !["turn", "forget"].contains(name));
    let mut lines: Vec<String> = INSPECTING_ALONE.map(String::from).into();
    for name in commands.chain(of_language) {
        let example = command::example(session, name);
        if !example.is_empty() {
            lines.push(format!(":{}", example.trim_start_matches(':')));
        }
        for argument in WORDS.iter().chain(game.arguments) {
            lines.push(format!(":{name} {argument}").trim_end().to_string());
        }
    }
    lines
}

#[test]
fn all_changing_commands_exist() {
    for name in CHANGING {
        assert!(command::all().any(|c| c.name == *name), "{name}");
    }
}

#[test]
fn inspecting_changes_nothing() {
    let mut count = 0;
    let mut problems = Vec::new();
    for game in GAMES {
        for (situation, lines, then) in game.situations() {
            let place = format!("{} at {situation}", game.language);
            let mut session = game.start();
            let mut twin = game.start();
            for line in &lines {
                assert_eq!(run(&mut session.0, line), run(&mut twin.0, line), "{place}");
            }
            let reason = session.0.target.is_stopped();
            let expects_stop =
                ["stop", "stop in the past", "dry run", "error"].contains(&situation);
            assert_eq!(reason, expects_stop, "{place}: {:?}", lines);
            assert_eq!(
                session.0.target.question().is_some(),
                situation == "question",
                "{place}"
            );
            for line in inspecting_lines(game, &session.0) {
                let before = Snapshot::of(&mut session.0);
                let reply = run(&mut session.0, &line);
                count += 1;
                let name = line[1..].split_whitespace().next().unwrap_or_default();
                if SELECTING.contains(&name) {
                    session.0.target.debugger.selected_frame =
                        twin.0.target.debugger.selected_frame;
                }
                let after = Snapshot::of(&mut session.0);
                let difference = after.checkpoint.first_difference(&before.checkpoint);
                if let Some(difference) = difference {
                    problems.push(format!(
                        "{place}: `{line}` changes the {difference}: {reply}"
                    ));
                }
                let keeps_branches = before.branches == after.branches || name == "find";
                if !keeps_branches {
                    problems.push(format!("{place}: `{line}` changes the branches: {reply}"));
                }
                if before.rest != after.rest {
                    problems.push(format!(
                        "{place}: `{line}`\n  {}\n  {}\n{reply}",
                        before.rest, after.rest
                    ));
                }
                if difference.is_some() || !keeps_branches || before.rest != after.rest {
                    // Begin again, so that each command is tested.
                    session = game.start();
                    lines
                        .iter()
                        .for_each(|line| drop(run(&mut session.0, line)));
                }
            }
            run(&mut session.0, then);
            run(&mut twin.0, then);
            for line in [":state", ":where", ":when", ":draws", ":breaks", ":vars"] {
                let replies = [&mut session, &mut twin].map(|session| run(&mut session.0, line));
                if replies[0] != replies[1] {
                    let [reply, expected] = replies;
                    problems.push(format!(
                        "{place}, then {then}, {line}:\n{reply}\n{expected}"
                    ));
                }
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems in {count} lines:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(count > 20_000, "{count}");
}
