//! The hits of breakpoints, watchpoints and logpoints depend on the history alone: random programs in
//! every language have the same hits when they run, when they are replayed from the past, and, in reverse
//! order, on the way back.
//!
//! `SAME_HITS_GAMES` is a factor for the number of games, `SAME_HITS_SEED` the first seed.

use gridbug::answer::{Answer, Part, Stop, WatchHit};
use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::session::Session;

/// How many games of each language are played.
const GAMES: u64 = 120;

/// No entry of a game stops more often.
const MAX_STOPS: usize = 4_000;

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }

    /// True once in `n` times.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// What games of a language are made of. Statements, entries and locations contain `#`, which becomes a
/// small number.
struct Parts {
    language: &'static str,
    /// `@1` and `@2` become random statements.
    program: &'static str,
    statements: &'static [&'static str],
    entries: &'static [&'static str],
    /// Typed at a stop. They have an effect: an expression without one is not in the history.
    at_stop: &'static [&'static str],
    places: &'static [&'static str],
    watched: &'static [&'static str],
    /// Some fail now and then, some always, and some are no conditions.
    conditions: &'static [&'static str],
}

const PARTS: [Parts; 5] = [
    Parts {
        language: "gridlok",
        program: "board { dimensions {3, 3} image {b.png} }
players {\"x\", \"o\"}
def n {0}
def m {1}
def l {1, 2, 3,}
piece { name {\"a\"}
  onClick {
    n {n + 1}
    @1
    changeType {\"b\"}
    endTurn {}
  }
}
piece { name {\"b\"}
  onClick {
    @1
    f {2}
  }
}
setup {
  for r, c in board { place {\"a\", r, c} }
  n {n + 1}
  @1
}
fun f(k) {
  @2
  n {n + k}
  if k > 0 {
    def a {k * 2}
    a {a + m}
    f {k - 1}
    m {a % 5}
  }
  @1
  return n
}
fun g(k) {
  for i(0, k) {
    @2
    m {(m + i) % 4}
  }
  @1
}",
        statements: &[
            "n {n + #}",
            "m {(m + n) % 3}",
            "n {# - m}",
            "l {n}",
            "l[0] {n}",
            "place {\"b\", 1, 2}",
            "removePiece {0, 1}",
            "print {n}",
            "if n % 2 == 0 { m {m + 1} }",
            "if m > # { n {0} }",
            "for p in row(1) { m {m + 1} }",
            "for all p in board { if (p.name == \"b\") { n {n + 1} } }",
        ],
        entries: &[
            "f {#}",
            "g {#}",
            "click {#, 1}",
            "click {0, #}",
            "n {n + 1} m {#}",
            "n {5}",
            "n",
            ":restart",
            "place {\"b\", 0, 0}",
            "l {#}",
        ],
        at_stop: &["n {n + 1}", "n {n + 1} m {#} f {1}"],
        places: &[
            "f",
            "g",
            "onClick",
            "a.onClick",
            "setup",
            "9",
            "19",
            "25",
            "30",
            "34",
            "40",
            "on place",
            "on place [1][2]",
            "on click",
            "on print",
            "on endTurn",
            "on changeType",
        ],
        watched: &[
            "n",
            "m",
            "l",
            "l[0]",
            "n + m",
            "n > 5",
            "[1][2]",
            "[0][1].name",
            "row 1",
            "col 1",
            "board",
            "if n > 4",
            "if m == 2",
        ],
        conditions: &[
            "n > 3",
            "n % 2 == 0",
            "m == 1",
            "k > 0",
            "10 / m > 3",
            "n",
            "false",
            "turn == \"x\"",
            "board[1][2].name == \"b\"",
        ],
    },
    Parts {
        language: "bogl",
        program: "game G
type Board = Array (3,3) of Int
start : Board
start!(x,y) = 0
f : Int -> Int
f(n) = if n <= 0 then 0 else n + f(n - 1)
g : (Int, Int) -> Int
g(a, b) = let c = a + b in if c > # then f(c - a) else h(c)
h : Int -> Int
h(x) = while x < 10 do x + 1 + f(1)
p : Int -> Board
p(x) = place(x, start, (1, 2))
",
        statements: &[],
        entries: &[
            "f(#)",
            "g(#, 2)",
            "g(1, #)",
            "let a = f(#)",
            "let b = g(#, #)",
            "h(8)",
            "p(#)",
            "let a = 3",
            ":restart",
        ],
        at_stop: &["let a = 4", "let b = f(1)"],
        places: &["f", "g", "h", "p", "6", "8", "on place"],
        watched: &["a", "b", "if 1 > 2", "a + b"],
        conditions: &[
            "n == 1",
            "n > 0",
            "a > 1",
            "x < 9",
            "1 > 2",
            "10 / n > 3",
            "n",
        ],
    },
    Parts {
        language: "gridlang",
        program: "int n = 0
int m = 1
int[3] l = [1, 2, 3]
Layout(3, 3) { Player p1, p2 }
function f(int k): int {
  @2
  n = n + k
  if (k > 0) {
    int a = k * 2
    a = a + m
    f(k - 1)
    m = a % 5
  }
  @1
  return n
}
gameLoop() {
  n = n + 1
  @1
}",
        statements: &[
            "n = n + #",
            "m = (m + n) % 3",
            "n = # - m",
            "l[0] = n",
            "if (n % 2 == 0) { m = m + 1 }",
            "print(n)",
            "while (m < #) { m = m + 1 }",
        ],
        entries: &[
            "f(#)",
            "n = n + 1",
            "m = #",
            "l[1] = #",
            "n",
            ":turn",
            ":restart",
        ],
        at_stop: &["n = n + 1", "m = #"],
        places: &[
            "f",
            "gameLoop",
            "6",
            "7",
            "11",
            "19",
            "on print",
            "on endTurn",
        ],
        watched: &[
            "n",
            "m",
            "l",
            "l[0]",
            "n + m",
            "n > 5",
            "if n > 4",
            "if m == 2",
        ],
        conditions: &[
            "n > 3",
            "n % 2 == 0",
            "m == 1",
            "k > 0",
            "10 / m > 3",
            "n",
            "false",
        ],
    },
    Parts {
        language: "tinygame",
        program: "player hero { x = 4; y = 5; }
enemy orc { x = 1; y = 1; }
enemy imp { x = 7; y = 2; }
",
        statements: &[],
        entries: &[
            "move hero right #;",
            "move hero left 2; move hero right 1; move orc right #;",
            "set hero.x = #;",
            "set orc.y = #; set orc.x = hero.x;",
            "if hero.x > # then move orc up 1; else move imp down 1; end",
            "while hero.x < 6 do move hero right 1; end",
            ":restart",
        ],
        at_stop: &["move orc right 1;", "set imp.x = #;"],
        places: &["on place", "on print"],
        watched: &[
            "hero.x",
            "orc.x",
            "orc.y",
            "imp.x",
            "if hero.x > 5",
            "hero.x + orc.x",
            "[1][1]",
            "board",
        ],
        conditions: &[
            "hero.x > 4",
            "orc.x = 2",
            "10 / imp.x > 3",
            "hero.x",
            "orc.y < hero.x",
        ],
    },
    Parts {
        language: "sgl2d",
        program: "environment > x=8 y=8
sprite coin > color=yellow
sprite wall > color=grey solid=true
level > sprite=coin x=5 y=5
level > sprite=wall x=7 y=5
player > x=4 y=5
event coin > score=+1
counter1 = 0
",
        statements: &[],
        entries: &[
            "right", "left", "up", "down", "right 2", "rrl", "uddu", "left 3", ":restart",
        ],
        at_stop: &["right", "left"],
        places: &["coin", "event coin", "on place", "on remove", "on endTurn"],
        watched: &[
            "player.x",
            "player.y",
            "if player.x > 5",
            "player.x + player.y",
            "board",
        ],
        conditions: &[
            "player.x > 4",
            "player.y == 5",
            "player.x",
            "10 / (player.x - 5) > 2",
        ],
    },
];

/// One hit. Several at one time are in the order of their numbers.
type HitKey = (u64, u32, String);

/// The hits of a stop, with the time of the instruction that watchpoints are about. On the way back,
/// the stop is before it.
fn hits_of(stop: &Stop, is_back: bool) -> Vec<HitKey> {
    let hits = stop.hits.iter();
    hits.map(|hit| match &hit.watched {
        None => (stop.time, hit.id, String::new()),
        Some(watched) => {
            let time = stop.time - u64::from(!is_back);
            (time, hit.id, describe(watched))
        }
    })
    .collect()
}

fn describe(watched: &WatchHit) -> String {
    match watched {
        WatchHit::Changed {
            old, new, cells, ..
        } => format!("{old:?} {new:?} {cells:?}"),
        WatchHit::Removed { .. } => "removed".into(),
        WatchHit::Read { .. } => "read".into(),
    }
}

/// What the user sees of the breakpoints.
#[derive(Default, Debug, PartialEq)]
struct Seen {
    hits: Vec<HitKey>,
    /// Log messages, and conditions that failed.
    messages: Vec<String>,
}

impl Seen {
    fn add(&mut self, answer: &Answer, is_back: bool) {
        for part in &answer.parts {
            match part {
                Part::Log { id, text } => self.messages.push(format!("log {id} {text}")),
                Part::ConditionError { id, message, .. } => {
                    self.messages.push(format!("failed {id} {message}"));
                }
                _ => {}
            }
        }
        if let Some(stop) = &answer.stop {
            self.hits.extend(hits_of(stop, is_back));
        }
    }

    /// Sorted, because hits of one instruction come in one stop or in two.
    fn sorted(mut self) -> Seen {
        self.hits.sort();
        self.messages.sort();
        self
    }
}

struct Game {
    session: Session,
    /// All that was typed.
    typed: Vec<String>,
    /// Whether something is typed at stops.
    types: bool,
}

impl Game {
    fn line(&mut self, line: &str) -> Answer {
        self.typed.push(line.to_string());
        handle_line(&mut self.session, line)
    }

    fn time(&self) -> u64 {
        self.session.target.machine.time()
    }

    /// Runs a command, and `:continue` until the end.
    fn run(&mut self, line: &str, seen: &mut Seen) {
        let mut answer = self.line(line);
        seen.add(&answer, false);
        let mut count = 0;
        while answer.stop.is_some() && count < MAX_STOPS {
            answer = self.line(":continue");
            seen.add(&answer, false);
            count += 1;
        }
        assert!(count < MAX_STOPS, "no end: {:#?}", &self.typed[..40]);
    }

    /// Types an entry; at some of its stops, types something else. False if something failed, which
    /// then is not in the history.
    fn play(&mut self, entry: &str, rng: &mut Rng, parts: &Parts, seen: &mut Seen) -> bool {
        let answer = self.line(entry);
        seen.add(&answer, false);
        let mut count = 0;
        while self.session.target.is_stopped() && count < MAX_STOPS {
            let line = match self.types && rng.one_in(12) {
                true => rng.pick(parts.at_stop),
                false => ":continue",
            };
            let line = with_numbers(rng, line);
            let answer = self.line(&line);
            if !answer.ok {
                return false;
            }
            seen.add(&answer, false);
            count += 1;
        }
        answer.ok
    }
}

/// Replaces each `#` by a small number.
fn with_numbers(rng: &mut Rng, text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '#' => char::from(b'0' + rng.below(3) as u8),
            c => c,
        })
        .collect()
}

fn program(rng: &mut Rng, parts: &Parts) -> String {
    let mut text = String::new();
    let mut rest = parts.program;
    while let Some((before, after)) = rest.split_once('@') {
        text.push_str(before);
        let count = usize::from(after.as_bytes()[0] - b'0');
        let chosen: Vec<&str> = (0..count).map(|_| rng.pick(parts.statements)).collect();
        text.push_str(&chosen.join("\n"));
        rest = &after[1..];
    }
    text.push_str(rest);
    with_numbers(rng, &text)
}

fn breakpoint(rng: &mut Rng, parts: &Parts) -> String {
    let kind = rng.below(10);
    let mut text = match kind {
        0..4 => format!(":break {}", rng.pick(parts.places)),
        4 => format!(":log {} \"here\"", rng.pick(parts.places)),
        5 => format!(":awatch {}", rng.pick(parts.watched)),
        6 => format!(":rwatch {}", rng.pick(parts.watched)),
        _ => format!(":watch {}", rng.pick(parts.watched)),
    };
    if !rng.one_in(3) && !text.contains(" if ") {
        text += &format!(" if {}", rng.pick(parts.conditions));
    }
    if kind < 4 && rng.one_in(5) {
        text += rng.pick(&[" hits 2", " hits %2", " hits %3"]);
    }
    text
}

/// Plays a game and compares what is seen forward, again from the past, and backward.
fn check(parts: &Parts, seed: u64) {
    let mut rng = Rng(seed);
    let language = languages::by_name(parts.language).expect("a language");
    let mut game = Game {
        session: Session::new(language, 1),
        typed: Vec::new(),
        types: seed.is_multiple_of(2),
    };
    let text = program(&mut rng, parts);
    let loaded = game.session.load("game", &text);
    assert!(loaded.ok, "{text}\n{:?}", loaded.diagnostics);
    for _ in 0..1 + rng.below(4) {
        let line = breakpoint(&mut rng, parts);
        game.line(&line);
    }
    let start = game.time();
    let mut forward = Seen::default();
    for _ in 0..1 + rng.below(4) {
        let entry = rng.pick(parts.entries);
        let entry = with_numbers(&mut rng, entry);
        if !game.play(&entry, &mut rng, parts, &mut forward) {
            return;
        }
    }
    let typed = game.typed.clone();
    let context = |game: &Game| {
        let log: Vec<String> = game.typed.iter().take(60).cloned().collect();
        format!("{} seed {seed}\n{text}\n{}", parts.language, log.join("\n"))
    };
    let mut backward = Seen::default();
    for _ in 0..MAX_STOPS {
        let answer = game.line(":reverse-continue");
        let is_hit = |stop: &Stop| !stop.hits.is_empty() && stop.time >= start;
        if !answer.stop.as_deref().is_some_and(is_hit) {
            break;
        }
        backward.add(&answer, true);
    }
    backward.messages.clear();
    let mut replayed = Seen::default();
    game.typed = typed;
    game.line(&format!(":goto {start}"));
    game.run(":continue", &mut replayed);
    let is_before = |hit: &HitKey| hit.0 < start;
    backward.hits.retain(|hit| !is_before(hit));
    let forward = forward.sorted();
    assert_eq!(forward, replayed.sorted(), "replayed: {}", context(&game));
    assert_eq!(
        forward.hits,
        backward.sorted().hits,
        "backward: {}",
        context(&game)
    );
}

fn check_language(name: &str) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let games = GAMES * number("SAME_HITS_GAMES").unwrap_or(1);
    let first = number("SAME_HITS_SEED").unwrap_or(1);
    let parts = PARTS
        .iter()
        .find(|p| p.language == name)
        .expect("a language");
    for seed in first..first + games {
        check(parts, seed);
    }
}

#[test]
fn gridlok_has_the_same_hits_in_every_direction() {
    check_language("gridlok");
}

#[test]
fn bogl_has_the_same_hits_in_every_direction() {
    check_language("bogl");
}

#[test]
fn gridlang_has_the_same_hits_in_every_direction() {
    check_language("gridlang");
}

#[test]
fn tinygame_has_the_same_hits_in_every_direction() {
    check_language("tinygame");
}

#[test]
fn sgl2d_has_the_same_hits_in_every_direction() {
    check_language("sgl2d");
}
