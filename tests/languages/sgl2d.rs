//! Compares SGL2D with a simple reference model, written from the language description, on many
//! random games: after every move, both must agree on player, counters, cells and outcome.

use gridbug::code::{Program, Status};
use gridbug::command::handle_line;
use gridbug::host::NativeHost;
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Answer, Session};
use std::rc::Rc;

/// A small deterministic random number generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn number(&mut self) -> i32 {
        [0, 1, 1, 2, 3, -1, -2, 5, i32::MAX][self.below(9) as usize]
    }

    fn maybe(&mut self, n: u64) -> Option<i32> {
        self.once_in(n).then(|| self.number())
    }
}

/// A sprite and its `event` actions.
#[derive(Default)]
struct Sprite {
    solid: bool,
    /// inccounterN and deccounterN.
    counters: [[Option<i32>; 2]; 3],
    /// incspritecounter and decspritecounter.
    own_counter: [Option<i32>; 2],
    /// playerincspritecounter and playerdecspritecounter.
    ticks: [Option<i32>; 2],
    /// setspritecounter.
    set: Option<i32>,
    /// The single replacement, shared by all four actions that name one.
    replacement: usize,
    to_random: bool,
    to_random_on_zero: bool,
    transform: bool,
    transform_on_zero: bool,
    teleport: Option<(i32, i32)>,
    game_over: bool,
    win: bool,
    game_over_on_zero: bool,
    win_on_zero: bool,
    counter: i32,
}

#[derive(Default)]
struct Counter {
    value: i32,
    win: bool,
    game_over: bool,
}

const NAMES: [&str; 4] = ["tree", "gem", "lava", "door"];

struct Game {
    columns: i32,
    rows: i32,
    player: (i32, i32),
    goal: Option<(i32, i32)>,
    counters: [Counter; 3],
    /// playerinccounterN and playerdeccounterN.
    moved: [[Option<i32>; 2]; 3],
    sprites: Vec<Sprite>,
    /// Column by column, which is the order of the update.
    cells: Vec<Option<usize>>,
    won: bool,
    lost: bool,
}

impl Game {
    fn random(rng: &mut Rng) -> Game {
        let (columns, rows) = (2 + rng.below(5) as i32, 1 + rng.below(4) as i32);
        let cell = |rng: &mut Rng| {
            (
                rng.below(columns as u64) as i32,
                rng.below(rows as u64) as i32,
            )
        };
        let counter = |rng: &mut Rng| Counter {
            value: rng.number(),
            win: rng.once_in(6),
            game_over: rng.once_in(6),
        };
        Game {
            columns,
            rows,
            player: cell(rng),
            goal: rng.once_in(2).then(|| cell(rng)),
            counters: [counter(rng), counter(rng), counter(rng)],
            moved: std::array::from_fn(|_| [rng.maybe(3), rng.maybe(3)]),
            sprites: (0..NAMES.len())
                .map(|_| Sprite::random(rng, columns, rows))
                .collect(),
            cells: (0..columns * rows)
                .map(|_| rng.once_in(2).then(|| rng.below(4) as usize))
                .collect(),
            won: false,
            lost: false,
        }
    }

    fn text(&self) -> String {
        let (x, y) = self.player;
        let mut text = format!(
            "Environment > x={} y={}\nplayer > y={y} x={x}\n",
            self.columns, self.rows
        );
        if let Some((x, y)) = self.goal {
            text += &format!("GOAL > x={x} y={y}\n");
        }
        for (n, counter) in self.counters.iter().enumerate() {
            let flags = [
                (counter.win, "winonzerocounter"),
                (counter.game_over, "gameOverOnZeroCounter"),
            ];
            text += &format!(
                "counter counter{} > true {} {}\n",
                n + 1,
                counter.value,
                flag_words(&flags)
            );
        }
        for (name, sprite) in NAMES.iter().zip(&self.sprites) {
            text += &format!("sprite {name} > solid={}\n", sprite.solid);
        }
        for (name, sprite) in NAMES.iter().zip(&self.sprites) {
            text += &format!("event {} > {}\n", name.to_uppercase(), sprite.text());
        }
        let moved = self.moved.iter().enumerate();
        let moved = moved.flat_map(|(n, pair)| {
            numbers(
                pair,
                &[
                    format!("playerinccounter{}=", n + 1),
                    format!("playerdeccounter{}=", n + 1),
                ],
            )
        });
        text += &format!("event player > {}\n", moved.collect::<String>());
        for (at, sprite) in self.cells.iter().enumerate() {
            if let Some(sprite) = sprite {
                let (x, y) = (at as i32 / self.rows, at as i32 % self.rows);
                text += &format!("set {} > x={x} y={y}\n", NAMES[*sprite]);
            }
        }
        text
    }

    fn at(&self, (x, y): (i32, i32)) -> usize {
        (x * self.rows + y) as usize
    }

    /// One move, in the order of the language description.
    fn make_move(&mut self, (dx, dy): (i32, i32), draws: &mut dyn FnMut() -> i32) {
        if self.won || self.lost {
            return;
        }
        let (x, y) = (self.player.0 + dx, self.player.1 + dy);
        let inside = (0..self.columns).contains(&x) && (0..self.rows).contains(&y);
        if inside && !self.cells[self.at((x, y))].is_some_and(|s| self.sprites[s].solid) {
            self.player = (x, y);
            if let Some(sprite) = self.cells[self.at((x, y))] {
                self.touch(sprite, self.at((x, y)), draws);
            }
            for index in 0..2 {
                for n in 0..3 {
                    add(&mut self.counters[n].value, self.moved[n][index], index);
                }
            }
        }
        for at in 0..self.cells.len() {
            if let Some(sprite) = self.cells[at] {
                self.update(sprite, at, draws);
            }
        }
        self.won |= self.counters.iter().any(|c| c.win && c.value == 0);
        self.lost |= self.counters.iter().any(|c| c.game_over && c.value == 0);
        self.won |= self.goal == Some(self.player);
    }

    fn touch(&mut self, s: usize, at: usize, draws: &mut dyn FnMut() -> i32) {
        for n in 0..3 {
            for index in 0..2 {
                add(
                    &mut self.counters[n].value,
                    self.sprites[s].counters[n][index],
                    index,
                );
            }
        }
        for index in 0..2 {
            let amount = self.sprites[s].own_counter[index];
            add(&mut self.sprites[s].counter, amount, index);
        }
        if self.sprites[s].to_random {
            if self.sprites[s].counter != 0 {
                self.sprites[s].counter = self.sprites[s].set.unwrap_or(0);
            }
            self.move_to_random(s, at, draws);
        }
        let sprite = &self.sprites[s];
        if sprite.transform {
            self.cells[at] = Some(sprite.replacement);
        }
        self.player = sprite.teleport.unwrap_or(self.player);
        self.lost |= sprite.game_over;
        self.won |= sprite.win;
    }

    fn update(&mut self, s: usize, at: usize, draws: &mut dyn FnMut() -> i32) {
        let sprite = &mut self.sprites[s];
        if sprite.counter == 0 {
            if sprite.transform_on_zero {
                self.cells[at] = Some(sprite.replacement);
            }
            self.lost |= sprite.game_over_on_zero;
            self.won |= sprite.win_on_zero;
        }
        for index in 0..2 {
            add(&mut sprite.counter, sprite.ticks[index], index);
        }
        if sprite.to_random_on_zero && sprite.counter == 0 {
            sprite.counter = sprite.set.unwrap_or(0);
            self.move_to_random(s, at, draws);
        }
    }

    /// Moves the sprite to a random cell that holds the replacement; after ten tries it disappears.
    fn move_to_random(&mut self, s: usize, at: usize, draws: &mut dyn FnMut() -> i32) {
        let replacement = self.sprites[s].replacement;
        self.cells[at] = Some(replacement);
        for _ in 0..10 {
            let (x, y) = (draws(), draws());
            let there = self.at((x, y));
            if self.cells[there] == Some(replacement) {
                self.cells[there] = Some(s);
                return;
            }
        }
    }
}

impl Sprite {
    fn random(rng: &mut Rng, columns: i32, rows: i32) -> Sprite {
        let set = rng.maybe(2);
        let teleport = rng.once_in(6);
        Sprite {
            solid: rng.once_in(6),
            counters: std::array::from_fn(|_| [rng.maybe(4), rng.maybe(4)]),
            own_counter: [rng.maybe(4), rng.maybe(4)],
            ticks: [rng.maybe(4), rng.maybe(3)],
            set,
            replacement: rng.below(4) as usize,
            to_random: rng.once_in(5),
            to_random_on_zero: rng.once_in(5),
            transform: rng.once_in(5),
            transform_on_zero: rng.once_in(5),
            teleport: teleport.then(|| {
                (
                    rng.below(columns as u64) as i32,
                    rng.below(rows as u64) as i32,
                )
            }),
            game_over: rng.once_in(9),
            win: rng.once_in(9),
            game_over_on_zero: rng.once_in(12),
            win_on_zero: rng.once_in(12),
            counter: set.unwrap_or(0),
        }
    }

    /// The `event` line of the sprite, with the actions in an arbitrary order.
    fn text(&self) -> String {
        let after = NAMES[self.replacement];
        let replacements = [
            (
                self.transform_on_zero,
                format!("transformonzerocounter={after}"),
            ),
            (self.to_random, format!("movetorandom={after}")),
            (self.transform, format!("TransformToSprite={after}")),
            (
                self.to_random_on_zero,
                format!("movetorandomonzero={after}"),
            ),
        ];
        let replacements: Vec<(bool, &str)> = replacements
            .iter()
            .map(|(is, text)| (*is, text.as_str()))
            .collect();
        let flags = [
            (self.win, "win"),
            (self.game_over, "gameover"),
            (self.win_on_zero, "winonzerocounter"),
            (self.game_over_on_zero, "gameoveronzerocounter"),
        ];
        let mut text = flag_words(&flags) + &flag_words(&replacements);
        if let Some((x, y)) = self.teleport {
            text += &format!("moveplayerto= x={x} y={y} ");
        }
        text.extend(numbers(
            &self.ticks,
            &[
                "playerincspritecounter=".into(),
                "playerdecspritecounter=".into(),
            ],
        ));
        text.extend(numbers(
            &self.own_counter,
            &["incspritecounter=".into(), "decspritecounter=".into()],
        ));
        for (n, pair) in self.counters.iter().enumerate() {
            text.extend(numbers(
                pair,
                &[
                    format!("inccounter{}=", n + 1),
                    format!("deccounter{}= ", n + 1),
                ],
            ));
        }
        text + &self
            .set
            .map_or(String::new(), |n| format!("setspritecounter={n}"))
    }
}

fn flag_words(flags: &[(bool, &str)]) -> String {
    flags
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, word)| format!("{word} "))
        .collect()
}

fn numbers(pair: &[Option<i32>; 2], words: &[String; 2]) -> Vec<String> {
    pair.iter()
        .zip(words)
        .filter_map(|(n, word)| n.map(|n| format!("{word}{n} ")))
        .collect()
}

/// Adds the first number of a pair (`index` 0) or subtracts the second, with 32-bit wraparound.
fn add(counter: &mut i32, amount: Option<i32>, index: usize) {
    let amount = amount.unwrap_or(0);
    *counter = if index == 0 {
        counter.wrapping_add(amount)
    } else {
        counter.wrapping_sub(amount)
    };
}

/// The state that is compared.
#[derive(PartialEq, Debug)]
struct State {
    player: (i64, i64),
    counters: Vec<i64>,
    sprite_counters: Vec<i64>,
    status: Status,
    cells: Vec<Option<String>>,
}

fn model_state(game: &Game) -> State {
    let cells = (0..game.rows).flat_map(|y| (0..game.columns).map(move |x| (x, y)));
    State {
        player: (game.player.0.into(), game.player.1.into()),
        counters: game.counters.iter().map(|c| c.value.into()).collect(),
        sprite_counters: game.sprites.iter().map(|s| s.counter.into()).collect(),
        status: match (game.won, game.lost) {
            (true, _) => Status::Won,
            (_, true) => Status::Lost,
            _ => Status::Playing,
        },
        cells: cells
            .map(|place| game.cells[game.at(place)].map(|s| NAMES[s].to_string()))
            .collect(),
    }
}

fn session_state(session: &Session) -> State {
    let view = session.target.full_view();
    let value = |name: &str| {
        let global = session
            .target
            .program()
            .global(name)
            .unwrap_or_else(|| panic!("no {name}"));
        let value = session
            .target
            .machine
            .store
            .globals
            .get(global as usize)
            .copied();
        value
            .and_then(|v| session.target.machine.store.heap.as_int(v))
            .unwrap_or_else(|| panic!("{name} is not a number"))
    };
    State {
        player: (value("player.x"), value("player.y")),
        counters: ["counter1", "counter2", "counter3"].map(value).to_vec(),
        sprite_counters: NAMES
            .iter()
            .map(|name| value(&format!("{name}.counter")))
            .collect(),
        status: view.status,
        cells: view
            .board
            .unwrap()
            .cells
            .iter()
            .map(|c| c.name.map(|n| n.to_string()))
            .collect(),
    }
}

const KEYS: [(&str, (i32, i32)); 4] = [
    ("up", (0, -1)),
    ("down", (0, 1)),
    ("left", (-1, 0)),
    ("right", (1, 0)),
];

#[test]
fn every_move_agrees_with_the_reference_model() {
    let mut rng = Rng(20191125);
    let (mut ended, mut drawn) = (0, 0);
    for number in 0..400 {
        let mut game = Game::random(&mut rng);
        let text = game.text();
        let mut session = Session::new(languages::by_name("sgl2d").unwrap(), number);
        let reply = session.load("game.sgl2d", &text);
        assert!(reply.ok, "{:?}\n{text}", reply.diagnostics);
        assert_eq!(
            session_state(&session),
            model_state(&game),
            "at the start of\n{text}"
        );
        let mut keys = String::new();
        for _ in 0..14 {
            let (word, direction) = KEYS[rng.below(4) as usize];
            keys += &format!("{word} ");
            let before = session.target.machine.log().draws.end();
            assert!(handle_line(&mut session, word).ok, "{keys}\n{text}");
            let log: Vec<i32> = session
                .target
                .machine
                .log()
                .draws
                .range(before, u64::MAX)
                .map(|(_, d)| d.value as i32)
                .collect();
            let mut draws = log.iter();
            game.make_move(direction, &mut || {
                *draws
                    .next()
                    .unwrap_or_else(|| panic!("too few draws: {keys}\n{text}"))
            });
            assert_eq!(draws.len(), 0, "too many draws: {keys}\n{text}");
            assert_eq!(
                session_state(&session),
                model_state(&game),
                "after {keys}\n{text}"
            );
            drawn += log.len();
        }
        ended += usize::from(game.won || game.lost);
    }
    // Make sure that the random games are interesting.
    assert!(
        ended > 100 && drawn > 500,
        "{ended} games ended, {drawn} numbers drawn"
    );
}

/// The lines of a game in an order in which many depend on later ones: events name sprites that are
/// not defined yet, and the size of the environment comes after the events.
fn lines_with_late_definitions(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| {
        let words: Vec<String> = line.split(' ').map(str::to_lowercase).collect();
        let sprite = NAMES.iter().position(|name| *name == words[1]);
        match (words[0].as_str(), sprite) {
            ("sprite" | "event", Some(sprite)) => (0, sprite),
            ("event" | "counter", _) => (1, 0),
            ("set", _) => (3, 0),
            _ => (2, 0),
        }
    });
    lines
}

#[test]
fn lines_typed_one_by_one_compile_to_the_same_game_as_a_file() {
    let mut rng = Rng(1125);
    for number in 0..100 {
        let text = Game::random(&mut rng).text();
        let lines = lines_with_late_definitions(&text);
        let language = languages::by_name("sgl2d").unwrap();
        let mut typed = Session::new(language, number);
        for line in &lines {
            let reply = handle_line(&mut typed, line);
            assert!(reply.ok, "{line}: {:?}", reply.diagnostics);
        }
        assert!(handle_line(&mut typed, ":restart").ok);
        let mut loaded = Session::new(language, number);
        assert!(loaded.load("game.sgl2d", &lines.join("\n")).ok, "{text}");
        let (typed_program, program) = (typed.target.program(), loaded.target.program());
        for (typed, loaded) in typed_program.functions.iter().zip(&program.functions) {
            let name = loaded.name;
            assert_eq!(typed.name, name);
            assert_eq!(typed.alias, loaded.alias, "{name}");
            assert_eq!(typed.code, loaded.code, "{name} of\n{text}");
            assert_eq!(typed.constants, loaded.constants, "{name} of\n{text}");
        }
        let handlers = |program: &Program| -> Vec<_> {
            let kinds = program.piece_kinds.iter();
            kinds.map(|kind| (kind.name, kind.handlers)).collect()
        };
        assert_eq!(handlers(typed_program), handlers(program), "{text}");
        assert_eq!(session_state(&typed), session_state(&loaded), "{text}");
    }
}

#[test]
fn a_large_board_is_scrolled_to_the_player() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let file = format!("{folder}/large.sgl2d");
    std::fs::write(&file, "environment > x=90 y=60\nplayer > x=50 y=40\n").unwrap();
    let host = Rc::new(NativeHost::new());
    let mut session = Session::with_host(languages::by_name("sgl2d").unwrap(), 1, host);
    let player_row = |reply: &Answer| {
        let lines: Vec<String> = reply
            .board_lines()
            .iter()
            .chain(&reply.text_lines())
            .map(|l| l.text())
            .collect();
        lines
            .iter()
            .find(|l| l.contains('@'))
            .map(|l| l[..5].trim().to_string())
    };
    assert_eq!(
        player_row(&handle_line(&mut session, &format!(":load {file}"))),
        Some("40".into())
    );
    assert_eq!(
        player_row(&handle_line(&mut session, "up 30")),
        Some("10".into())
    );
    // `:board at` shows another part, until the player moves.
    assert_eq!(
        player_row(&handle_line(&mut session, ":board at 0,0")),
        None
    );
    assert_eq!(
        player_row(&handle_line(&mut session, "right 30")),
        Some("10".into())
    );
    assert_eq!(
        player_row(&handle_line(&mut session, ":undo 2")),
        Some("40".into())
    );
}

#[test]
fn an_event_line_without_effect_reports_no_success() {
    let language = languages::by_name("sgl2d").unwrap();
    let mut session = Session::new(language, 1);
    session.submit("sprite gold >");
    for (line, is_added) in [
        ("event player > gameover", false),
        ("event gold > color=red", false),
        ("event gold > win", true),
        ("event player > playerinccounter1=1", true),
    ] {
        let text = session.submit(line).text();
        assert_eq!(text.contains("added to event"), is_added, "{line}: {text}");
    }
}
