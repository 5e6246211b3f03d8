//! Costs that must not grow: checkpoints with the size of the board, entries with the length of the
//! history, definitions with the number of earlier ones.
//!
//! Memory is counted by an allocator, so it is the same in every run. Time is the processor time of
//! the test's own thread; only ratios within one run are compared, with generous bounds: cost that
//! grows linearly per entry fails, a busy machine does not.

use crate::thread_cost::Cost;
use gridbug::command::{execute, handle_line};
use gridbug::language::{Language, TOKENIZED_TEXTS};
use gridbug::languages;
use gridbug::session::Session;

fn session_with_board(side: u32) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = format!(
        "board {{ dimensions {{{side}, {side}}} image {{b.png}} }} def n {{0}}
         piece {{ name {{\"a\"}} onClick {{ n {{n + 1}} visible {{true}} }} }}
         setup {{ for x, y in board {{ place {{\"a\", x, y}} }} }}"
    );
    assert!(session.load("game.gl", &program).ok);
    session
}

/// Bytes of checkpoints added by one click.
fn click_bytes(session: &mut Session) -> u64 {
    let before = session.target.timeline.history_bytes();
    execute(session, "click {1, 1}");
    session.target.timeline.history_bytes() - before
}

#[test]
fn checkpoint_size_is_independent_of_the_board() {
    let (mut small, mut large) = (session_with_board(20), session_with_board(1000));
    // The first click of a game has no checkpoint to share pages with.
    click_bytes(&mut small);
    click_bytes(&mut large);
    let (small, large) = (click_bytes(&mut small), click_bytes(&mut large));
    // 2500 times the cells, but only the written page and the page table are copied.
    assert!(
        large < small * 3,
        "{small} bytes on 20 x 20, {large} on 1000 x 1000"
    );
}

#[test]
fn entry_size_is_independent_of_the_history() {
    let mut session = session_with_board(20);
    for _ in 0..10 {
        click_bytes(&mut session);
    }
    let early = click_bytes(&mut session);
    for _ in 0..2000 {
        execute(&mut session, "click {2, 2}");
    }
    let late = click_bytes(&mut session);
    assert!(
        late <= early + 256,
        "{early} bytes early, {late} bytes after 2000 entries"
    );
}

/// For each language: an action in its sample game, and an expression to evaluate.
const SAMPLE_ENTRIES: [(&str, &str, &str); 5] = [
    ("gridlok", "click {1, 1}", "1 + 1"),
    ("bogl", "1 + 2", "1 + 1"),
    ("gridlang", ":turn", "1 + 1"),
    ("tinygame", "move knight right 1;", "knight.x"),
    ("sgl2d", "right", "counter1"),
];

fn language_named(name: &str) -> &'static dyn Language {
    *languages::ALL
        .iter()
        .find(|l| l.info().name == name)
        .unwrap()
}

#[test]
fn queries_do_not_accumulate_functions() {
    for (name, action, query) in SAMPLE_ENTRIES {
        let language = language_named(name);
        let mut session = Session::new(language, 1);
        assert!(session.load("sample", language.info().sample).ok);
        execute(&mut session, action);
        execute(&mut session, query);
        let functions = session.target.program().functions.len();
        for _ in 0..20 {
            let reply = execute(&mut session, query);
            assert!(
                reply.ok && reply.value.is_some(),
                "{name}: {:?}",
                reply.diagnostics
            );
        }
        assert_eq!(
            session.target.program().functions.len(),
            functions,
            "{name}"
        );
    }
}

#[test]
fn history_stays_within_its_budget() {
    let mut session = session_with_board(100);
    session.target.machine.limits.max_history_bytes = 4 << 20;
    for n in 0..400 {
        execute(
            &mut session,
            &format!(
                "for x, y in board {{ if (x + y) % 40 == {} {{ click {{x, y}} }} }}",
                n % 40
            ),
        );
    }
    assert!(
        session.target.timeline.history_bytes() < 8 << 20,
        "{} bytes",
        session.target.timeline.history_bytes()
    );
    // Thinned-out history still allows seeking to any time.
    let (first, last) = session.target.timeline.time_range();
    let end = session.target.machine.checkpoint();
    session
        .target
        .timeline
        .seek(&mut session.target.machine, (first + last) / 2);
    assert_eq!(session.target.machine.time(), (first + last) / 2);
    session
        .target
        .timeline
        .seek(&mut session.target.machine, last);
    assert!(session.target.machine.checkpoint().is_same_state(&end));
}

/// A BoGL session with a function that places `n` pieces, one after the other, in tail calls.
fn session_with_placing_function(side: u32) -> Session {
    let mut session = Session::new(language_named("bogl"), 1);
    let program = format!(
        "game Placing
type Board = Array ({side},{side}) of {{X, E}}
type Input = Int
blank : Board
blank!(x,y) = E
put : (Int, Board) -> Board
put(n, b) = if n == 0 then b else put(n - 1, place(X, b, (n % {side} + 1, 1)))
"
    );
    assert!(session.load("placing.bgl", &program).ok);
    session
}

/// Bytes kept by placing 1000 pieces; all boards are reachable from the call stack at the end.
fn placing_bytes(session: &mut Session) -> u64 {
    let before = Cost::now();
    let reply = handle_line(session, "let b = put(1000, blank)");
    assert!(reply.ok, "{:?}", reply.diagnostics);
    before.elapsed().allocated_bytes
}

#[test]
fn placing_a_piece_costs_the_same_on_a_large_board() {
    let (mut small, mut large) = (
        session_with_placing_function(20),
        session_with_placing_function(200),
    );
    let (small, large) = (placing_bytes(&mut small), placing_bytes(&mut large));
    // 100 times the cells.
    assert!(
        large < small * 3,
        "{small} bytes on 20 x 20, {large} on 200 x 200"
    );
}

#[test]
fn boards_held_by_many_calls_fit_in_little_memory() {
    let mut session = session_with_placing_function(100);
    session.target.machine.limits.max_memory_bytes = 32 << 20;
    // 10,000 boards of 10,000 cells each.
    let reply = handle_line(&mut session, "let b = put(9999, blank)");
    assert!(reply.ok, "{:?}", reply.diagnostics);
    // Boards that are no longer used are freed.
    for n in 0..10 {
        let reply = handle_line(&mut session, &format!("let b{n} = put(9999, b)"));
        assert!(reply.ok, "{:?}", reply.diagnostics);
    }
}

/// Entries in a session whose cost per entry is compared between its beginning and its end.
const SESSION_ENTRIES: usize = 6144;
/// Entries measured together, so that a batch takes much longer than the clock's resolution.
const BATCH_ENTRIES: usize = 128;
/// Batches measured at either end; the cheapest one counts.
const BATCHES: usize = 6;

/// Types `line(0)`, `line(1)`, … and checks that a line costs the same time at the end as at the
/// beginning, and that memory grows no faster in the second half than in the first. Says if the time has
/// grown: other work on the machine can look like that.
fn measure_entries(
    what: &str,
    session: &mut Session,
    line: impl Fn(usize) -> String,
) -> Result<(), String> {
    let mut typed = 0;
    let mut enter = |count: usize| {
        let before = Cost::now();
        for _ in 0..count {
            let reply = handle_line(session, &line(typed));
            assert!(reply.ok, "{what}: {:?}", reply.diagnostics);
            typed += 1;
        }
        before.elapsed()
    };
    let start = Cost::now();
    let early = cheapest_batch(&mut enter);
    enter(SESSION_ENTRIES / 2 - BATCHES * BATCH_ENTRIES);
    let first_half = start.elapsed();
    enter(SESSION_ENTRIES / 2 - BATCHES * BATCH_ENTRIES);
    let late = cheapest_batch(&mut enter);
    let second_half = start.elapsed().live_bytes - first_half.live_bytes;
    assert!(
        late.allocated_bytes < early.allocated_bytes * 5 / 4,
        "{what}: {} bytes allocated per entry early, {} late",
        early.allocated_bytes / BATCH_ENTRIES as u64,
        late.allocated_bytes / BATCH_ENTRIES as u64,
    );
    // Tables double their capacity, so one half may pay for the other.
    assert!(
        second_half < first_half.live_bytes * 5 / 2,
        "{what}: {} bytes kept in the first half, {second_half} in the second",
        first_half.live_bytes,
    );
    match late.cpu_nanos < early.cpu_nanos * 9 / 5 {
        true => Ok(()),
        false => Err(format!(
            "{what}: {} us per entry early, {} us late",
            early.cpu_nanos / 1000 / BATCH_ENTRIES as u64,
            late.cpu_nanos / 1000 / BATCH_ENTRIES as u64,
        )),
    }
}

fn cheapest_batch(enter: &mut impl FnMut(usize) -> Cost) -> Cost {
    let batches = (0..BATCHES).map(|_| enter(BATCH_ENTRIES));
    batches.reduce(Cost::min).unwrap_or_default()
}

fn sample_session(name: &str) -> Session {
    let language = language_named(name);
    let mut session = Session::new(language, 1);
    assert!(session.load("sample", language.info().sample).ok);
    session
}

/// Moves there and back, so that the game goes on.
fn alternate(forth: &'static str, back: &'static str) -> impl Fn(usize) -> String {
    move |n| if n % 2 == 0 { forth } else { back }.to_string()
}

macro_rules! entries_cost_the_same {
    ($($name:ident: $language:literal, $session_setup:expr, $line:expr;)*) => {
        mod entries_cost_the_same_throughout_a_session {
            use super::*;
            $(#[test]
            fn $name() {
                let measure = || {
                    let mut session = sample_session($language);
                    for line in $session_setup as [&str; _] {
                        assert!(handle_line(&mut session, line).ok, "{line}");
                    }
                    measure_entries(stringify!($name), &mut session, $line)
                };
                // Time that really grows does so each time.
                let measured = measure().or_else(|_| measure()).or_else(|_| measure());
                assert_eq!(measured, Ok(()));
            })*
        }
    };
}

entries_cost_the_same! {
    gridlok_expressions: "gridlok", [], alternate("1 + 1", "1 + 1");
    gridlok_clicks: "gridlok", [], alternate("click {1, 1}", "click {1, 1}");
    gridlok_with_a_breakpoint: "gridlok", [":break winCondition"], alternate("1 + 1", "1 + 1");
    gridlok_at_a_stop: "gridlok", ["def q {0}", ":break winCondition", "click {1, 1}"],
        alternate("q {q + 1}", "q {q - 1}");
    gridlok_undo: "gridlok", ["def q {0}"], alternate("q {q + 1}", ":undo");
    bogl_expressions: "bogl", [], alternate("1 + 1", "1 + 1");
    gridlang_expressions: "gridlang", [], alternate("1 + 1", "1 + 1");
    gridlang_assignments: "gridlang", ["int q"], alternate("q = q + 1", "q = q - 1");
    tinygame_expressions: "tinygame", [], alternate("knight.x", "knight.x");
    tinygame_moves: "tinygame", [], alternate("move knight right 1;", "move knight left 1;");
    sgl2d_expressions: "sgl2d", [], alternate("counter1", "counter1");
    sgl2d_keys: "sgl2d", ["counter counter2 > true 100000"], alternate("right", "left");
}

/// The cheapest batch of moves in an SGL2D game with this many kinds of sprites.
fn move_cost(sprites: usize) -> Cost {
    let mut game = String::from("environment > x=9 y=5\nplayer > x=0 y=2\ngoal > x=8 y=4\n");
    for n in 0..sprites {
        game += &format!("sprite brick{} > color=red\n", letters(n));
    }
    let mut session = Session::new(language_named("sgl2d"), 1);
    assert!(session.load("game", &game).ok);
    let mut typed = 0;
    cheapest_batch(&mut |count| {
        let before = Cost::now();
        for _ in 0..count {
            let line = ["right", "left"][typed % 2];
            assert!(handle_line(&mut session, line).ok);
            typed += 1;
        }
        before.elapsed()
    })
}

#[test]
fn a_move_costs_the_same_with_many_kinds_of_pieces() {
    let (few, many) = (move_cost(100), move_cost(3000));
    assert!(
        many.cpu_nanos < few.cpu_nanos * 4,
        "{} us per move with few kinds, {} with many",
        few.cpu_nanos / 1000 / BATCH_ENTRIES as u64,
        many.cpu_nanos / 1000 / BATCH_ENTRIES as u64,
    );
}

/// What it costs to load a GridLang program with this many functions.
fn load_cost(functions: usize) -> Cost {
    let mut game = String::from("Player {\n    int steps\n}\n\nint total\n\n");
    for n in 0..functions {
        game += &format!("function add{n}(int a): int {{\n    return a + {n}\n}}\n\n");
    }
    let mut session = Session::new(language_named("gridlang"), 1);
    let before = Cost::now();
    assert!(session.load("game", &game).ok);
    before.elapsed()
}

#[test]
fn loading_grows_with_the_functions_of_the_program_and_not_faster() {
    let (few, many) = (load_cost(1000), load_cost(16_000));
    assert!(
        many.cpu_nanos < few.cpu_nanos * 26,
        "{} us for 1000 functions, {} us for 16,000",
        few.cpu_nanos / 1000,
        many.cpu_nanos / 1000,
    );
}

/// Definitions typed one by one, for which memory per definition is compared.
const DEFINITIONS: usize = 256;

/// What the first and the second half of the definitions cost.
/// What an entry costs in a program with this many functions, with breakpoints of all kinds.
fn entry_cost_with_breakpoints(functions: usize) -> Cost {
    let mut session = sample_session("gridlok");
    for n in 0..functions {
        let line = format!("fun f{}(x) {{ return x + 1 }}", letters(n));
        assert!(handle_line(&mut session, &line).ok);
    }
    for line in [
        "def q {0}",
        ":break winCondition",
        ":break 7",
        ":break place",
        ":watch q",
        ":always q < 10",
        "1 + 1",
    ] {
        assert!(handle_line(&mut session, line).ok, "{line}");
    }
    let mut enter = |count: usize| {
        let before = Cost::now();
        for _ in 0..count {
            assert!(handle_line(&mut session, "1 + 1").ok);
        }
        before.elapsed()
    };
    cheapest_batch(&mut enter)
}

#[test]
fn an_entry_with_breakpoints_costs_the_same_in_a_large_program() {
    let (small, large) = (
        entry_cost_with_breakpoints(20),
        entry_cost_with_breakpoints(800),
    );
    assert!(
        large.cpu_nanos < small.cpu_nanos * 2,
        "{} us in a small program, {} us in a large one",
        small.cpu_nanos / 1000,
        large.cpu_nanos / 1000
    );
}

fn definition_costs(session: &mut Session, line: impl Fn(usize) -> String) -> (Cost, Cost) {
    let mut halves = (0..2).map(|half| {
        let before = Cost::now();
        for n in half * DEFINITIONS..(half + 1) * DEFINITIONS {
            for line in line(n).split('\r') {
                let reply = handle_line(session, line);
                assert!(reply.ok, "{line}: {:?}", reply.diagnostics);
            }
        }
        before.elapsed()
    });
    (halves.next().unwrap(), halves.next().unwrap())
}

/// A number in letters, for names that cannot contain digits.
fn letters(n: usize) -> String {
    let letter = |digit: u8| char::from(digit - b'0' + b'a');
    n.to_string().bytes().map(letter).collect()
}

type DefinitionLine = fn(usize) -> String;

/// For each language: a definition of the nth name, and another one of the same name. `\r` separates
/// lines to enter.
const DEFINITION_LINES: [(&str, DefinitionLine, DefinitionLine); 9] = [
    (
        "gridlok",
        |n| format!("fun f{n}(a) {{ return a + {n} }}"),
        |n| format!("fun f{n}(a) {{ return a - {n} }}"),
    ),
    (
        "gridlok",
        |n| format!("def v{n} {{{n}}}"),
        |n| format!("def v{n} {{{n} + 1}}"),
    ),
    (
        "bogl",
        |n| format!("f{n} : Int -> Int\nf{n}(a) = a + {n}"),
        |n| format!("f{n}(a) = a - {n}"),
    ),
    (
        "bogl",
        |n| format!("let v{n} = {n}"),
        |n| format!("let v{n} = {n} + 1"),
    ),
    (
        "gridlang",
        |n| format!("function f{n}(int a): int {{ return a + {n} }}"),
        |n| format!("function f{n}(int a): int {{ return a - {n} }}"),
    ),
    (
        "gridlang",
        |n| format!("int v{n} = {n}"),
        |n| format!("int v{n} = {n} + 1"),
    ),
    (
        "gridlang",
        |n| format!("Player p{n}"),
        |n| format!("Player p{n}"),
    ),
    (
        "tinygame",
        |n| format!("player p{n} {{ x = {n}; y = 0; }}"),
        |n| format!(":forget p{n}\rplayer p{n} {{ x = 0; y = {n}; }}"),
    ),
    (
        "sgl2d",
        |n| format!("sprite s{} > color=red", letters(n)),
        |n| format!("sprite s{} > color=blue", letters(n)),
    ),
];

/// Programs share what a definition does not change, so the second half keeps about as much as the
/// first. Copies of whole tables would keep three times as much.
#[test]
fn definitions_share_the_unchanged_program() {
    for (name, definition, redefinition) in DEFINITION_LINES {
        let mut session = sample_session(name);
        let mut assert_costs_the_same = |line: &dyn Fn(usize) -> String| {
            let (first, second) = definition_costs(&mut session, line);
            assert!(
                second.live_bytes < first.live_bytes * 2,
                "{name}, {}: {} bytes kept by the first half, {} by the second",
                line(0),
                first.live_bytes,
                second.live_bytes
            );
            (first, second)
        };
        let (first, _) = assert_costs_the_same(&definition);
        let (_, last) = assert_costs_the_same(&|_| redefinition(7));
        // Among twice as many definitions, replacing one costs about as much as adding one does.
        assert!(
            last.allocated_bytes < first.allocated_bytes * 4,
            "{name}, {}: {} bytes allocated by the definitions, {} by replacing one as often",
            redefinition(7),
            first.allocated_bytes,
            last.allocated_bytes
        );
    }
}

/// Old versions of a definition are part of the history and dropped with it.
#[test]
fn the_history_budget_bounds_definitions() {
    let kept_bytes = |budget: u64| {
        let mut session = sample_session("gridlok");
        session.target.machine.limits.max_history_bytes = budget;
        let (first, second) = definition_costs(&mut session, |n| {
            let body = format!("n {{n + {n}}} ").repeat(200);
            format!("fun long(n) {{ {body} return n }}")
        });
        first.live_bytes + second.live_bytes
    };
    let (bounded, unbounded) = (kept_bytes(2 << 20), kept_bytes(1 << 30));
    assert!(
        bounded < unbounded / 4,
        "{bounded} bytes kept with a small history, {unbounded} with a large one"
    );
}

/// The cost of asking for the coverage of a session with this many clicks, then again after one more.
fn coverage_costs(clicks: usize) -> (Cost, Cost) {
    let mut session = session_with_board(3);
    for _ in 0..clicks {
        execute(&mut session, "click {1, 1}");
    }
    let mut ask = || {
        let start = Cost::now();
        assert!(execute(&mut session, ":coverage").ok);
        let cost = start.elapsed();
        execute(&mut session, "click {1, 1}");
        cost
    };
    (ask(), ask())
}

#[test]
fn coverage_costs_grow_with_the_history_and_not_faster() {
    let (short, _) = coverage_costs(500);
    let (long, again) = coverage_costs(4000);
    // Eight times the entries.
    assert!(
        long.cpu_nanos < 24 * short.cpu_nanos,
        "{} ns for 500 entries, {} ns for 4000",
        short.cpu_nanos,
        long.cpu_nanos
    );
    // What was counted is not counted again.
    assert!(
        again.cpu_nanos < long.cpu_nanos / 4,
        "{} ns at first, {} ns after one more entry",
        long.cpu_nanos,
        again.cpu_nanos
    );
}

/// For each language with bodies in braces: the first line of one, a line in it, and the rest.
const LONG_ENTRIES: [(&str, &str, &str, &str); 2] = [
    ("gridlok", "fun f(a) {", "a{a * (a + 1)}", "return a }"),
    (
        "gridlang",
        "function f(int a): int {",
        "a = a * (a + 1)",
        "return a }",
    ),
];

/// The prompt asks after each line whether the entry is complete; it parses none of them twice.
#[test]
fn a_line_of_a_long_entry_costs_the_same_wherever_it_is() {
    for (name, first, line, last) in LONG_ENTRIES {
        let session = sample_session(name);
        let target = &session.target;
        let before = TOKENIZED_TEXTS.get();
        let mut entry = first.to_string();
        assert!(target.is_incomplete(&entry), "{name}");
        for _ in 0..500 {
            entry.push('\n');
            entry.push_str(line);
            assert!(target.is_incomplete(&entry), "{name}");
            assert!(!target.is_faulty(&entry), "{name}");
            assert!(target.continuation(&entry).is_empty(), "{name}");
        }
        entry.push('\n');
        entry.push_str(last);
        assert!(!target.is_incomplete(&entry), "{name}");
        let tokenized = TOKENIZED_TEXTS.get() - before;
        assert!(tokenized < 10, "{name}: {tokenized} texts");
        // What closes the body is noticed, also where it does not look like it.
        assert!(target.is_incomplete(first), "{name}");
        assert!(
            target.is_incomplete(&format!("{first}\nprint (\"}}\"")),
            "{name}"
        );
        assert!(target.is_incomplete(&format!("{first}\n{line}")), "{name}");
        // So is an error.
        assert!(target.is_incomplete(first), "{name}");
        let command = format!("{first}\n:hlep");
        target.is_incomplete(&command);
        assert!(target.is_faulty(&command), "{name}");
        assert!(!target.is_incomplete(&format!("{first}\n{last}")), "{name}");
    }
}
