//! `:reload` of an unchanged file changes nothing, whatever was typed before: the game, the place, the
//! call stack, the breakpoints with their hits and the history are as they were.

use gridbug::command::{handle_line, open_game};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::session::{Session, stop_on_errors, to_plain_text};
use std::rc::Rc;

/// A game, and what can be typed in it.
struct Game {
    language: &'static str,
    file: &'static str,
    program: &'static str,
    /// Entries that run code in `location`.
    plays: &'static [&'static str],
    /// What can be typed at a stop there.
    at_stop: &'static [&'static str],
    location: &'static str,
    /// A line in it.
    line: &'static str,
    watched: &'static str,
    dry_run: &'static str,
    fails: &'static [&'static str],
}

const GAMES: &[Game] = &[
    Game {
        language: "gridlok",
        file: "game.gl",
        program: "board { dimensions {1, 2} image {b.png} }
def n {0}
fun f(k) {
  def a {k}
  a {a + 1}
  return a
}
fun share(k) {
  return k / n
}",
        plays: &[
            "n {f{1}}",
            "n {f{n}}",
            "n {n + rand{0, 9}}",
            "for i(0, 3) { n {n + f{i}} }",
        ],
        at_stop: &["a {10}", "n {7}", "f{3}", "up", "fun g(x) { return x }"],
        location: "f",
        line: "5",
        watched: "n",
        dry_run: "n {f{4}}",
        fails: &[
            "nn {",
            "zz",
            "n {5 / 0}",
            "n {share{3}}",
            ":nonsense",
            ":print zz",
        ],
    },
    Game {
        language: "gridlang",
        file: "game.grid",
        program: "int n
Player {
    int apples
}
Layout(1, 2)
{
    createGrid(1, 2)
    Player tom, ann
    tom.position = (0,0)
    ann.position = (0,1)
}
function f(int k): int {
    int a = k
    a = a + 1
    return a
}
gameLoop()
{
    p.apples = f(n)
    n = n + diceThrow()
}
checkGameEnd()
{
    return n > 200
}
",
        plays: &[":turn", "n = f(n)", "n = f(3) + f(4)", ":turn 2"],
        at_stop: &[
            "a = 10",
            "n = 7",
            "f(3)",
            "up",
            "function g(int x): int { return x }",
        ],
        location: "f",
        line: "14",
        watched: "n",
        dry_run: "gameLoop",
        fails: &["n = (", "zz", "n = 5 / (n - n)", ":nonsense", ":print zz"],
    },
    Game {
        language: "tinygame",
        file: "game.tg",
        program: "player knight { x = 0; y = 0; gold = 0; hp = 9; }
enemy wolf { x = 2; y = 0; }
move knight right 1;
set knight.hp = knight.hp - 1;
if knight.hp > 3 {
    set knight.gold = knight.gold + 2;
}
",
        plays: &[
            ":restart",
            "move knight right 1;",
            "set knight.hp = knight.hp - 1;",
            ":restart",
        ],
        at_stop: &[
            "set knight.hp = 3;",
            "set knight.gold = 4;",
            "knight.hp",
            "up",
        ],
        location: "6",
        line: "4",
        watched: "knight.hp",
        dry_run: "if knight.hp > 3 { set knight.gold = 1; }",
        fails: &[
            "set (",
            "zz",
            "set knight.hp = 5 / 0;",
            ":nonsense",
            ":print zz",
        ],
    },
    Game {
        language: "bogl",
        file: "game.bgl",
        program: "game G
type Board = Array (2,1) of Int
b : Board
b!(x,y) = 0
f : Int -> Int
f(n) = if n > 2 then n else f(n + 1)
g : (Int,Int) -> (Int,Int)
g(n,s) = while n > 0 do (n - 1, s + f(n))
",
        plays: &["f(1)", "let v = f(2)", "g(2,0)", "let w = f(0) + f(1)"],
        at_stop: &["n + 1", "f(3)", "up", "h : Int -> Int\nh(n) = n", ":type n"],
        location: "f",
        line: "8",
        watched: "n",
        dry_run: "g(2, 1)",
        fails: &["let (", "zz", "f(1) / 0", ":nonsense", ":print zz"],
    },
    Game {
        language: "sgl2d",
        file: "game.sgl2d",
        program: "environment > x=9 y=1
player > x=0 y=0 color=blue
goal > x=8 y=0 color=yellow
sprite floor > color=grey
sprite coin > color=orange
counter counter1 > true 0
counter counter2 > true 40
event player > playerdeccounter2=1
event coin > inccounter1=1 transformtosprite=floor
set floor > (x=0 y=0, x=8 y=0)
set coin > x=1 y=0 x=2 y=0
",
        plays: &["right", "left", "right right", "right left"],
        at_stop: &["counter1", "up", "counter2"],
        location: "event player",
        line: "9",
        watched: "counter2",
        dry_run: "goal",
        fails: &["sprite", "zz", ":nonsense", ":print zz"],
    },
];

fn run(session: &mut Session, line: &str) -> String {
    let answer = handle_line(session, line);
    to_plain_text(session, &answer).join("\n")
}

/// Everything that the user can see of where the session is.
fn shown(session: &mut Session) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for line in [
        ":state",
        ":where",
        ":when",
        ":vars",
        ":breaks",
        ":branches",
        ":marks",
        ":draws",
        ":program",
        ":properties",
    ] {
        shown.push((line.to_string(), run(session, line)));
    }
    let target = &session.target;
    let state = format!(
        "{} {} {:?} {} {}",
        target.timeline.entries().len(),
        target.timeline.all_entries().len(),
        target.question().map(|q| q.text),
        target.is_dry_run(),
        target.machine.time()
    );
    shown.push(("the state".to_string(), state));
    shown.push(("the prompt".to_string(), session.prompt()));
    shown
}

fn started(game: &Game) -> (Session, Rc<MemoryHost>) {
    let host = Rc::new(MemoryHost::new());
    host.set_file(game.file, game.program);
    let language = languages::by_name(game.language).expect("a language");
    let mut session = Session::with_host(language, 1, host.clone());
    stop_on_errors(&mut session, true);
    assert!(open_game(&mut session, game.file).ok);
    (session, host)
}

/// Types lines, reloads the unchanged file twice, and checks that nothing has changed.
fn check(game: &Game, lines: &[String]) -> Result<(), String> {
    let (mut session, _) = started(game);
    for line in lines {
        run(&mut session, line);
    }
    let before = shown(&mut session);
    for _ in 0..2 {
        let reply = run(&mut session, ":reload");
        let all = || format!("{}: {lines:#?}\n{reply}", game.language);
        if reply.contains("differ") || reply.contains("Before, ") {
            return Err(all());
        }
        for ((line, before), (_, after)) in before.iter().zip(shown(&mut session)) {
            if *before != after {
                return Err(format!("{}\n{line}:\n{before}\nnow:\n{after}", all()));
            }
        }
    }
    Ok(())
}

#[test]
fn reloading_an_unchanged_file_leads_to_the_same_place() {
    let mut problems = Vec::new();
    for game in GAMES {
        let (play, play2) = (game.plays[0], game.plays[1]);
        let (at, typed) = (game.location, game.at_stop[0]);
        let tbreak = format!(":tbreak {at}");
        let stop = format!(":break {at}");
        let hits = format!(":break {at} hits 2");
        let every = format!(":break {at} hits %2");
        let watch = format!(":watch {}", game.watched);
        let condition = format!(":break {at} if {} > 100", game.watched);
        let dry_run = format!(":step {}", game.dry_run);
        let line = format!(":break {}", game.line);
        let fails = game.fails;
        let mut shapes: Vec<Vec<&str>> = vec![
            // Temporary breakpoints that have been hit.
            vec![&tbreak, play],
            vec![&tbreak, play, typed],
            vec![&tbreak, play, "continue", play2, &stop, play],
            vec![&tbreak, play, ":continue", &tbreak, play2, typed, "step"],
            // Breakpoints that count.
            vec![&hits, play, play, play],
            vec![&every, play, play, ":continue", play2],
            vec![&stop, ":ignore 1 1", play, play],
            vec![
                &stop,
                play,
                ":disable 1",
                "continue",
                play2,
                ":enable 1",
                play,
            ],
            // Dry runs.
            vec![play, &dry_run],
            vec![play, &dry_run, "step", typed],
            vec![&stop, play, &dry_run],
            vec![&stop, play, &dry_run, "finish", typed],
            vec![&stop, play, &dry_run, "abandon", "step"],
            vec![&tbreak, &dry_run, "continue", play],
            // Breakpoints that were set later than the entries that they stop.
            vec![play, play2, &stop, ":reverse-continue"],
            vec![play, play2, &stop, ":undo", ":goto start", ":continue"],
            vec![play, &stop, ":undo", ":redo"],
            vec![play, &stop, ":goto start", "continue", typed],
            vec![play, &stop, ":rc", ":rs", "step", "step"],
            vec![play, &watch, ":rc", ":continue"],
            // Watchpoints and conditions.
            vec![&watch, play, "step", "continue"],
            vec![&condition, play, &line, play2, "next"],
            // Restarts, undone entries, branches.
            vec![&stop, ":restart", play],
            vec![&stop, ":restart", play, ":restart"],
            vec![play, ":undo", play2, ":undo", play],
            vec![play, ":undo", play2, ":branches 1", play2],
            vec![play, play2, ":undo"],
            vec![":undo", play, ":redo", ":undo 3", ":undo", play2],
            vec![
                play,
                play2,
                ":goto start",
                ":mark m",
                ":goto end",
                ":goto m",
            ],
            vec![&stop, play, "step", "rs", "rs", "step"],
            vec![&stop, play, "abandon", play2],
            vec![&stop, play, ":rf", ":reverse-continue", "step"],
            vec![":seed 4", play, ":rand next 1 2", play, &stop, play2],
            vec![&stop, play, "step expr", "step sub", "step sub", typed],
            vec![&stop, play, play2, "continue", "step"],
        ];
        // Failed commands in between.
        for fail in fails {
            shapes.push(vec![&stop, fail, play, fail, typed]);
            shapes.push(vec![&stop, play, fail, "step", fail]);
            shapes.push(vec![play, fail, "continue", &tbreak, play, fail]);
            shapes.push(vec![fail, "abandon", play]);
            shapes.push(vec![play, fail, play2]);
        }
        for shape in shapes {
            let lines: Vec<String> = shape.into_iter().map(String::from).collect();
            problems.extend(check(game, &lines).err());
        }
    }
    let count = problems.len();
    assert!(count == 0, "{count} problems:\n{}", problems.join("\n\n"));
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

fn random_line(game: &Game, random: &mut Random) -> String {
    let (at, watched) = (game.location, game.watched);
    match random.below(24) {
        0..=5 => random.pick(game.plays).to_string(),
        6..=8 => random.pick(game.at_stop).to_string(),
        9 => random.pick(game.fails).to_string(),
        10 => format!(":break {at}"),
        11 => format!(":tbreak {at}"),
        12 => format!(":break {} hits {}", game.line, 1 + random.below(3)),
        13 => format!(":watch {watched}"),
        14 => format!(":step {}", game.dry_run),
        15 => [
            ":delete",
            ":disable 1",
            ":enable 1",
            ":delete 2",
            ":ignore 1 2",
        ][random.below(5)]
        .into(),
        16 => format!(":break {at} if {watched} > 2"),
        17..=18 => random
            .pick(&[
                ":undo",
                ":redo",
                ":undo 2",
                ":goto start",
                ":goto end",
                ":restart",
            ])
            .into(),
        19..=20 => random
            .pick(&[
                ":rs",
                ":rn",
                ":rc",
                ":rf",
                ":jump back",
                ":goto 60",
                ":branches 1",
            ])
            .into(),
        _ => random
            .pick(&[
                ":step",
                ":next",
                ":finish",
                ":continue",
                ":step 3",
                ":abandon",
                ":over",
            ])
            .into(),
    }
}

#[test]
fn reloading_after_random_lines_leads_to_the_same_place() {
    let mut problems = Vec::new();
    for game in GAMES {
        for seed in 1..=60u64 {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let count = 3 + random.below(14);
            let lines: Vec<String> = (0..count).map(|_| random_line(game, &mut random)).collect();
            problems.extend(check(game, &lines).err());
        }
    }
    let count = problems.len();
    assert!(count == 0, "{count} problems:\n{}", problems.join("\n\n"));
}
