//! What users wrote is what is kept: after random definitions, typed in random order, a restarted
//! game is in the same state as one that was saved and loaded, and `:program` lists the saved file.

use gridbug::command::{handle_line, start_session};
use gridbug::host::MemoryHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::rc::Rc;

/// How many sessions are tried in each language.
const SESSIONS: u64 = 40;

/// A generator of random numbers (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn percent(&mut self, percentage: usize) -> bool {
        self.below(100) < percentage
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// Several of the words, without repetition, in random order.
    fn some<'a>(&mut self, words: &[&'a str]) -> Vec<&'a str> {
        let mut left = words.to_vec();
        let count = 1 + self.below(words.len());
        (0..count)
            .map(|_| left.swap_remove(self.below(left.len())))
            .collect()
    }
}

/// Random definitions in one language.
struct Generator {
    language: &'static str,
    /// A definition, which may be faulty or refer to what is not defined.
    definition: fn(&mut Rng) -> String,
    /// Something that is not a definition.
    action: fn(&mut Rng) -> String,
    /// A game of some definitions, as the text of a file.
    file: fn(&[String]) -> String,
    /// What is evaluated besides `:state`.
    expressions: &'static [&'static str],
}

const GENERATORS: [Generator; 5] = [
    Generator {
        language: "gridlok",
        definition: gridlok,
        action: |rng| match rng.below(4) {
            0 => "click{0,0}".into(),
            1 => format!("{}{{7}}", rng.pick(&["a", "b", "c"])),
            2 => "print{turn}".into(),
            _ => "endTurn{}".into(),
        },
        file: |definitions| {
            let board = "  board { dimensions {2, 2} image {b.png} }\n";
            let rest = definitions.iter().map(|d| format!("  {d}\n"));
            format!("game {{\n{board}{}}}\n", rest.collect::<String>())
        },
        expressions: &["a", "b", "c", "add", "add{2}", "twice{2}", "turn"],
    },
    Generator {
        language: "bogl",
        definition: bogl,
        action: |rng| rng.pick(&["a + 1", "f(2)", "board1", "1 / 0"]).into(),
        file: |definitions| format!("game G\n\n{}\n", definitions.join("\n\n")),
        expressions: &["a", "b", "f(2)", "g(3)", "board1", "board2"],
    },
    Generator {
        language: "gridlang",
        definition: gridlang,
        action: |rng| {
            rng.pick(&[":turn", "x = 7", "print(x)", "ann.position = (1,1)", "f(2)"])
                .into()
        },
        file: |definitions| format!("{}\n", definitions.join("\n")),
        expressions: &[
            "playerOrder",
            "x",
            "y",
            "z",
            "f(2)",
            "g(3)",
            "ann",
            "bob",
            "eve",
            "gem",
        ],
    },
    Generator {
        language: "tinygame",
        definition: tinygame,
        action: |_| String::new(),
        file: |definitions| {
            let statement = "print \"start\";\n";
            format!("{}\n{statement}", definitions.join("\n"))
        },
        expressions: &["hero.x", "ghost.y", "bat.gold"],
    },
    Generator {
        language: "sgl2d",
        definition: sgl2d,
        action: |rng| rng.pick(&["right", "down", "counter1", "left"]).into(),
        // A file is read up to the first line that is none.
        file: |definitions| {
            let is_line = |text: &&String| !text.starts_with("x=");
            let lines: Vec<&str> = definitions
                .iter()
                .filter(is_line)
                .map(String::as_str)
                .collect();
            format!("environment > x=6 y=6\n{}\n", lines.join("\n"))
        },
        expressions: &[
            "counter1", "counter2", "player.x", "right", "down", "right", "counter1",
        ],
    },
];

fn gridlok(rng: &mut Rng) -> String {
    const NAMES: [&str; 4] = ["a", "b", "c", "add"];
    let value = |rng: &mut Rng| match rng.below(9) {
        0 => rng.pick(&["1", "2", "3"]).to_string(),
        1 | 2 => rng.pick(&NAMES).to_string(),
        3 => format!("{} + {}", rng.pick(&NAMES), rng.below(9)),
        4 => format!("{}{{{}}}", rng.pick(&["add", "twice"]), rng.pick(&NAMES)),
        5 => "turn".into(),
        6 => format!("{}, {},", rng.below(9), rng.pick(&["1", "a", "b"])),
        7 => "rand{1, 6}".into(),
        _ => format!("\"{}\"", rng.pick(&["x", "o"])),
    };
    match rng.below(16) {
        0..=5 => format!("def {} {{{}}}", rng.pick(&NAMES), value(rng)),
        6 => format!(
            "def {} {{{}}} def {} {{{}}}",
            rng.pick(&NAMES),
            value(rng),
            rng.pick(&NAMES),
            value(rng)
        ),
        7 | 8 => format!(
            "fun {}(n) {{\n  // {}\n  return n + {}\n}}",
            rng.pick(&["add", "twice", "a"]),
            rng.pick(&["why", "how"]),
            value(rng)
        ),
        9 => format!(
            "players {{\"{}\"}}",
            rng.some(&["x", "o", "z"]).join("\", \"")
        ),
        10 => format!("turnOrder {{\"{}\"}}", rng.some(&["x", "o"]).join("\", \"")),
        11 => format!(
            "board {{ dimensions {{{}, {}}} image {{b.png}} }}",
            1 + rng.below(3),
            1 + rng.below(3)
        ),
        12 => format!(
            "piece {{ name {{\"{}\"}} image {{{}.png}} onClick {{ changeType {{\"{}\"}} }} }}",
            rng.pick(&["stone", "gem"]),
            rng.pick(&["s", "g"]),
            rng.pick(&["stone", "gem"])
        ),
        13 => format!(
            "setup {{ for r, col in board {{ place {{\"{}\", r, col}} }} {}{{{}}} }}",
            rng.pick(&["stone", "gem"]),
            rng.pick(&["a", "b", "print"]),
            rng.pick(&NAMES)
        ),
        14 => format!(
            "{} {{ {} {{{} == 2}} }}",
            rng.pick(&["winCondition", "drawCondition"]),
            rng.pick(&["win", "draw"]),
            rng.pick(&NAMES)
        ),
        _ => rng
            .pick(&["def a{", "def a {1} }", "fum f() { }", "def b {nothing1}"])
            .into(),
    }
}

fn bogl(rng: &mut Rng) -> String {
    let int = |rng: &mut Rng| match rng.below(6) {
        0 | 1 => rng.below(9).to_string(),
        2 => rng.pick(&["a", "b"]).to_string(),
        3 => format!("{}({})", rng.pick(&["f", "g"]), rng.below(4)),
        4 => format!("{} + 1", rng.pick(&["a", "b"])),
        _ => "count(A, board1)".into(),
    };
    let cell = |rng: &mut Rng| rng.pick(&["A", "B", "C", "A", "Zed"]);
    let place = |rng: &mut Rng| match rng.below(4) {
        0 => "(x,y)".to_string(),
        1 => format!("({},y)", 1 + rng.below(2)),
        2 => format!("(x,{})", 1 + rng.below(2)),
        _ => format!("({},{})", 1 + rng.below(2), 1 + rng.below(2)),
    };
    match rng.below(14) {
        0 => format!("type Board = Array ({},2) of Cell", 2 + rng.below(2)),
        1 => format!("type Cell = {{{}}}", rng.some(&["A", "B", "C"]).join(", ")),
        2 => format!("type Pair = ({},Int)", rng.pick(&["Int", "Cell", "Board"])),
        3..=5 => {
            let board = rng.pick(&["board1", "board2"]);
            format!("{board}!{} = {}", place(rng), cell(rng))
        }
        6 | 7 => {
            let board = rng.pick(&["board1", "board2"]);
            let mut text = format!("{board} : Board\n{board}!(x,y) = {}", cell(rng));
            for _ in 0..rng.below(3) {
                text += &format!("\n{board}!{} = {}", place(rng), cell(rng));
            }
            text
        }
        8 => {
            let name = rng.pick(&["a", "b"]);
            format!("{name} : Int\n{name} = {}", int(rng))
        }
        9 => format!("{} = {}", rng.pick(&["a", "b"]), int(rng)),
        10 => {
            let name = rng.pick(&["f", "g"]);
            format!("{name} : Int -> Int\n{name}(n) = n + {}", int(rng))
        }
        11 => format!("{}(k) = k * {}", rng.pick(&["f", "g"]), int(rng)),
        12 => format!("let {} = {}", rng.pick(&["a", "b", "c"]), int(rng)),
        _ => rng
            .pick(&[
                "a = True",
                "f : Int ->",
                "board1!(9,9) = A",
                "a : Itn\na = 1",
            ])
            .into(),
    }
}

fn gridlang(rng: &mut Rng) -> String {
    const PLAYERS: [&str; 4] = ["ann", "bob", "eve", "tom"];
    let int = |rng: &mut Rng| match rng.below(6) {
        0 | 1 => rng.below(9).to_string(),
        2 | 3 => rng.pick(&["x", "y", "z"]).to_string(),
        4 => format!("{}({})", rng.pick(&["f", "g"]), rng.below(4)),
        _ => format!("{} + 1", rng.pick(&["x", "y"])),
    };
    match rng.below(18) {
        0..=2 => format!("Player {}", rng.pick(&PLAYERS)),
        3 => format!("Player {}", rng.some(&PLAYERS).join(", ")),
        4..=6 => format!("int {} = {}", rng.pick(&["x", "y", "z", "inner"]), int(rng)),
        7 => format!("int x = {}, y = {}", int(rng), int(rng)),
        8 => format!(
            "coordinate {} = (0,{})",
            rng.pick(&["z", "home"]),
            rng.below(3)
        ),
        9 => format!(
            "Item {} {{\n  int {} = {}\n}}",
            rng.pick(&["Gem", "Rock"]),
            rng.pick(&["v", "w"]),
            rng.below(5)
        ),
        10 => format!("{} gem", rng.pick(&["Gem", "Rock"])),
        11 => format!(
            "Player {{\n  int {} = {}\n}}",
            rng.pick(&["score", "moves"]),
            rng.below(5)
        ),
        12 => format!(
            "function int {}(int n) {{\n  return n + {}\n}}",
            rng.pick(&["f", "g"]),
            int(rng)
        ),
        13 => format!(
            "Layout(2, 2)\n{{\n  {}\n  {}\n}}",
            rng.pick(&[
                "x = 5",
                "playerOrder = [ann]",
                "Player tom",
                "ann.position = (0,0)"
            ]),
            rng.pick(&[
                "playerOrder = [bob, ann]",
                "print(x)",
                "int inner = 3",
                "bob.position = (0,1)"
            ])
        ),
        14 => format!(
            "gameLoop()\n{{\n  {} = {}\n}}",
            rng.pick(&["x", "y"]),
            int(rng)
        ),
        15 => format!("gameOver()\n{{\n  print({})\n}}", int(rng)),
        16 => format!(
            "Player.checkMove(coordinate start, coordinate end)\n{{\n  return {}\n}}",
            rng.pick(&["true", "x == 1"])
        ),
        _ => rng
            .pick(&["int x = ", "int y = nowhere", "Playr q", "string x = 3"])
            .into(),
    }
}

fn tinygame(rng: &mut Rng) -> String {
    let name = rng.pick(&["hero", "ghost", "bat"]);
    let kind = rng.pick(&["player", "enemy", "enemy", "plyer"]);
    let properties = rng.some(&["x", "y", "gold"]);
    let properties = properties
        .iter()
        .map(|p| format!("{p} = {};", rng.below(9)));
    format!(
        "{kind} {name} {{ {} }}",
        properties.collect::<Vec<_>>().join(" ")
    )
}

fn sgl2d(rng: &mut Rng) -> String {
    const SPRITES: [&str; 3] = ["coin", "wall", "bee"];
    let place = |rng: &mut Rng| format!("x={} y={}", rng.below(6), rng.below(6));
    match rng.below(12) {
        0 => format!("environment > x={} y={}", 5 + rng.below(3), 6),
        1 => format!(
            "player > {} color={}",
            place(rng),
            rng.pick(&["red", "blue"])
        ),
        2 => format!("goal > {}", place(rng)),
        3 | 4 => format!(
            "sprite {} > color={}{}",
            rng.pick(&SPRITES),
            rng.pick(&["red", "pink"]),
            rng.pick(&["", " solid=true"])
        ),
        5 => format!(
            "event {} > {}",
            rng.pick(&["coin", "wall", "player"]),
            rng.pick(&[
                "inccounter1=2",
                "playerinccounter1=1",
                "transformtosprite=bee"
            ])
        ),
        6 => format!(
            "counter counter{} > true {}",
            1 + rng.below(2),
            rng.below(9)
        ),
        7..=9 => format!("set {} > {}", rng.pick(&SPRITES), place(rng)),
        10 => format!(
            "set {} > ({}, {})",
            rng.pick(&SPRITES),
            place(rng),
            place(rng)
        ),
        _ => rng
            .pick(&[
                "set nothing > x=1 y=1",
                "sprit coin >",
                "x=1 y=1",
                "set coin >\nx=2 y=2",
            ])
            .into(),
    }
}

fn session(language: &str) -> Session {
    let language = languages::by_name(language).expect("unknown language");
    Session::with_host(language, 1, Rc::new(MemoryHost::new()))
}

/// The state of a game, and the values of some expressions.
fn state(session: &mut Session, generator: &Generator) -> String {
    // In a file, a `let` of BoGL is a definition, which has no state.
    let mut text = match generator.language {
        "bogl" => String::new(),
        _ => handle_line(session, ":state").text(),
    };
    // Variables are listed in the order in which they were first declared.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort();
    text = lines.join("\n");
    for expression in generator.expressions {
        let answer = handle_line(session, expression);
        let errors = answer.diagnostics.iter().map(|e| e.message.as_str());
        let errors = errors.collect::<Vec<_>>().join("; ");
        let output: Vec<&String> = answer.all_output().collect();
        let value: Vec<&str> = answer.value_lines().collect();
        text += &format!("\n> {expression}: {output:?} {value:?} {errors}");
    }
    text
}

/// What is wrong with a session of random definitions, after the lines that were entered.
fn failure(generator: &Generator, seed: u64) -> Option<String> {
    let mut rng = Rng(seed);
    let mut session = session(generator.language);
    let mut lines = Vec::new();
    if rng.percent(50) {
        let count = 1 + rng.below(5);
        let definitions: Vec<String> = (0..count)
            .map(|_| (generator.definition)(&mut rng))
            .collect();
        let text = (generator.file)(&definitions);
        let name = format!("game.{}", session.target.language().info().extensions[0]);
        let loaded = start_session(&mut session, &name, &text);
        // A line of SGL2D that was ignored could mean something after another one was added.
        let has_ignored = generator.language == "sgl2d" && !loaded.diagnostics.is_empty();
        match loaded.ok && !has_ignored {
            true => lines.push(format!("(file)\n{text}(end)")),
            false => session = self::session(generator.language),
        }
    }
    for _ in 0..1 + rng.below(9) {
        let line = match rng.below(12) {
            0 | 1 => (generator.action)(&mut rng),
            2 => ":undo".to_string(),
            3 if rng.percent(30) => ":restart".to_string(),
            4 => format!(
                "{}\n{}",
                (generator.definition)(&mut rng),
                (generator.definition)(&mut rng)
            ),
            _ => (generator.definition)(&mut rng),
        };
        let ok = handle_line(&mut session, &line).ok;
        if session.target.is_stopped() || session.target.is_waiting_for_input() {
            handle_line(&mut session, ":abandon");
        }
        lines.push(format!("{} {line}", if ok { "   ok>" } else { "error>" }));
    }
    let problem = problem(generator, &mut session)?;
    Some(format!(
        "{} seed {seed}\n{}\n{problem}",
        generator.language,
        lines.join("\n")
    ))
}

/// Whether a file cannot be loaded because a name in it is defined nowhere.
fn uses_undefined(session: &Session, reply: &str) -> bool {
    let target = &session.target;
    let definitions = target.language().definitions(target.program());
    let name = reply.split_once("cannot be loaded yet: unknown ");
    let name = name.and_then(|(_, rest)| rest.split('`').nth(1));
    name.is_some_and(|name| definitions.iter().all(|d| d.name != name))
}

/// How what is saved differs from what was typed.
fn problem(generator: &Generator, session: &mut Session) -> Option<String> {
    let extension = session.target.language().info().extensions[0];
    let saved = handle_line(session, &format!(":save saved.{extension} --replace"));
    let reply = saved.text();
    let listed = handle_line(session, ":program").text();
    if !saved.ok || listed == "Nothing is defined yet" {
        return None;
    }
    let bytes = session.host().read(&format!("saved.{extension}"), u64::MAX);
    let text = String::from_utf8(bytes.unwrap()).unwrap();
    for (n, line) in text.lines().enumerate() {
        let is_listed = listed
            .lines()
            .nth(n)
            .is_some_and(|l| l.ends_with(line.trim_end()));
        if !is_listed {
            return Some(format!(
                "line {} is not in the listing:\n{listed}\n{text}",
                n + 1
            ));
        }
    }
    if reply.contains("cannot be loaded yet") {
        // The game need not be complete.
        let is_incomplete = reply.contains("has no board")
            || reply.contains("unknown player")
            // What a name meant has changed, and its other uses have not.
            || reply.contains("is a variable;")
            || reply.contains("is a function")
            || uses_undefined(session, &reply);
        return (!is_incomplete).then(|| format!("{reply}\n{text}"));
    }
    let restarted = handle_line(session, ":restart");
    let mut loaded = self::session(generator.language);
    let loaded_answer = start_session(&mut loaded, &format!("saved.{extension}"), &text);
    if restarted.ok != loaded_answer.ok {
        return Some(format!(
            "restarted: {}\nloaded: {}\n{text}",
            restarted.text(),
            loaded_answer.text()
        ));
    }
    let (expected, found) = (state(session, generator), state(&mut loaded, generator));
    if expected != found {
        return Some(format!(
            "restarted:\n{expected}\n\nloaded:\n{found}\n\n{text}"
        ));
    }
    None
}

#[test]
fn a_restarted_game_and_a_saved_one_are_the_same() {
    let wanted = std::env::var("ROUND_TRIP").unwrap_or_default();
    let sessions = std::env::var("ROUND_TRIPS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(SESSIONS);
    let mut failures = Vec::new();
    for generator in GENERATORS
        .iter()
        .filter(|g| g.language.starts_with(&wanted))
    {
        let found: Vec<String> = (0..sessions)
            .filter_map(|seed| failure(generator, seed))
            .collect();
        eprintln!("{}: {} of {sessions} fail", generator.language, found.len());
        let shortest = found
            .into_iter()
            .min_by_key(|f| f.split("\nrestarted").next().unwrap_or(f).lines().count());
        failures.extend(shortest);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n=====\n"));
}
