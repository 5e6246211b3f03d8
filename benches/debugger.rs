//! Latency of interactive operations: an entry, a click, a checkpoint, a step back, undo, loading.
//!
//! `cargo bench` prints a table; `benches/README.md` explains it and lists results.

use divan::{AllocProfiler, Bencher, black_box};
use gridbug::command::execute;
use gridbug::languages;
use gridbug::session::Session;

/// Reports memory use next to the time of each benchmark.
#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn game(side: u32) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = format!(
        "board {{ dimensions {{{side}, {side}}} image {{b.png}} }} players {{\"p\"}} def n {{0}}
         piece {{ name {{\"a\"}} onClick {{ n {{n + 1}} endTurn {{}} }} }}
         fun mark() {{ n {{n + 1}} }}
         fun spin(k) {{ for i(0, k) {{ n {{(n + i) % 1000}} }} mark {{}} }}
         setup {{ for x, y in board {{ place {{\"a\", x, y}} }} }}"
    );
    session.load("game.gl", &program);
    session
}

/// A session with a history of about this many instructions.
fn stopped_after(instructions: u64) -> Session {
    let mut session = game(1000);
    execute(&mut session, ":break mark");
    execute(&mut session, &format!("spin {{{}}}", instructions / 4));
    session
}

#[divan::bench]
fn start_session() -> Session {
    game(3)
}

#[divan::bench]
fn evaluate_expression(bencher: Bencher) {
    let mut session = game(3);
    bencher.bench_local(|| execute(&mut session, black_box("n * 2 + turnCount")));
}

#[divan::bench(args = [3, 1000])]
fn click(bencher: Bencher, side: u32) {
    let mut session = game(side);
    bencher.bench_local(|| execute(&mut session, black_box("click {1, 1}")));
}

/// Clicks every cell of a 30 x 30 board, with a turn each, and runs a long loop: the cost of recording
/// the history.
#[divan::bench(args = [true, false], sample_count = 20)]
fn run_with_recording(bencher: Bencher, is_recording: bool) {
    bencher
        .with_inputs(|| game(30))
        .bench_local_values(|mut session| {
            session.target.machine.set_recording(is_recording);
            execute(
                &mut session,
                "for x, y in board { click {x, y} } spin {1000000}",
            );
            session
        });
}

/// The same with breakpoints that are never hit.
#[divan::bench(args = [0, 10, 100], sample_count = 20)]
fn run_with_breakpoints(bencher: Bencher, count: usize) {
    let with_breakpoints = || {
        let mut session = game(30);
        execute(&mut session, "fun never() { n {0} }");
        for _ in 0..count {
            execute(&mut session, ":break never");
        }
        session
    };
    bencher
        .with_inputs(with_breakpoints)
        .bench_local_values(|mut session| {
            execute(
                &mut session,
                "for x, y in board { click {x, y} } spin {1000000}",
            );
            session
        });
}

/// Breakpoints and watchpoints in a loop that are tested at every iteration and never stop.
const CONDITIONS: [&str; 6] = [
    "",
    ":break 6 if n < 0",
    ":break 6 if k < 0",
    ":watch m if m > 10",
    ":watch if n < 0",
    ":watch m + n if n < 0",
];

/// A session with a loop whose statements have lines of their own.
fn counter() -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = "board { dimensions {1, 1} image {b.png} }
def n {0}
def m {0}
fun count(k) {
  for i(0, k) {
    n {n + 1}
    m {(m + n) % 7}
  }
}";
    session.load("game.gl", program);
    session
}

/// The cost of conditions: 100,000 iterations without and with one.
#[divan::bench(args = CONDITIONS, sample_count = 10)]
fn run_with_condition(bencher: Bencher, command: &str) {
    let with_condition = || {
        let mut session = counter();
        if !command.is_empty() {
            execute(&mut session, command);
        }
        session
    };
    bencher
        .with_inputs(with_condition)
        .bench_local_values(|mut session| {
            execute(&mut session, "count {100000}");
            session
        });
}

/// The same on the way back, and searching for the first time at which something was true.
#[divan::bench(args = CONDITIONS[1..].iter().chain(&[":first n < 0"]), sample_count = 10)]
fn search_with_condition(bencher: Bencher, command: &str) {
    let mut session = counter();
    execute(&mut session, "count {100000}");
    if command.starts_with(":first") {
        return bencher.bench_local(|| execute(&mut session, command));
    }
    execute(&mut session, command);
    bencher.bench_local(|| {
        execute(&mut session, ":goto end");
        execute(&mut session, ":reverse-continue")
    });
}

#[divan::bench(args = [3, 1000])]
fn checkpoint_after_a_write(bencher: Bencher, side: u32) {
    let mut session = game(side);
    bencher.bench_local(|| {
        session.target.machine.store.remove(4);
        session.target.machine.checkpoint()
    });
}

#[divan::bench(args = [10_000, 1_000_000, 100_000_000], sample_count = 20)]
fn step_back(bencher: Bencher, instructions: u64) {
    let mut session = stopped_after(instructions);
    bencher.bench_local(|| execute(&mut session, black_box("reverse-step")));
}

#[divan::bench(args = [10_000, 1_000_000, 100_000_000], sample_count = 20)]
fn seek_to_the_middle(bencher: Bencher, instructions: u64) {
    let mut session = stopped_after(instructions);
    let (_, last) = session.target.timeline.time_range();
    let (half, third) = (format!(":goto {}", last / 2), format!(":goto {}", last / 3));
    let mut is_half = false;
    bencher.bench_local(|| {
        is_half = !is_half;
        execute(&mut session, if is_half { &half } else { &third })
    });
}

#[divan::bench(args = [100, 10_000])]
fn undo_and_redo(bencher: Bencher, actions: usize) {
    let mut session = game(3);
    for _ in 0..actions {
        execute(&mut session, "click {1, 1}");
    }
    bencher.bench_local(|| {
        execute(&mut session, ":undo");
        execute(&mut session, ":redo");
    });
}

#[divan::bench(sample_count = 10)]
fn load_ten_thousand_lines(bencher: Bencher) {
    let mut program = String::from("board { dimensions {3, 3} image {b.png} }\n");
    for n in 0..2500 {
        program.push_str(&format!(
            "fun f{n}(a) {{\n  def b {{a + {n}}}\n  return b * 2\n}}\n"
        ));
    }
    bencher.bench_local(|| {
        let mut session = Session::new(languages::ALL[0], 1);
        session.load("long.gl", &program)
    });
}

/// Many declarations of one kind, by language: eight times as many should take eight times as long.
const DECLARATION_KINDS: [(&str, &str); 9] = [
    ("gridlang", "locals"),
    ("gridlang", "globals"),
    ("gridlok", "variables"),
    ("gridlok", "functions"),
    ("gridlok", "texts"),
    ("bogl", "values"),
    ("bogl", "symbols"),
    ("tinygame", "entities"),
    ("sgl2d", "sprites"),
];

/// A program with `count` declarations of a kind.
fn program_with(kind: &str, count: usize) -> String {
    let repeat =
        |declaration: &dyn Fn(usize) -> String| (0..count).map(declaration).collect::<String>();
    let board = "board { dimensions {1, 1} image {b.png} }\n";
    let letters = |n: usize| {
        n.to_string()
            .chars()
            .map(|c| (c as u8 - b'0' + b'a') as char)
            .collect::<String>()
    };
    match kind {
        "locals" => format!(
            "function f(): int {{\n{}  return 1\n}}\n",
            repeat(&|n| format!("  int v{n} = {n}\n"))
        ),
        "globals" => repeat(&|n| format!("int v{n} = {n}\n")),
        "variables" => board.to_string() + &repeat(&|n| format!("def v{n} {{{n}}}\n")),
        "functions" => board.to_string() + &repeat(&|n| format!("fun f{n}() {{ return {n} }}\n")),
        "texts" => format!(
            "{board}setup {{ {} }}",
            repeat(&|n| format!("print {{\"{n}\"}}\n"))
        ),
        "values" => "game G\n".to_string() + &repeat(&|n| format!("v{n} : Int v{n} = {n}\n")),
        "symbols" => format!("game G\ntype T = {{{}E}}\n", repeat(&|n| format!("S{n}, "))),
        "entities" => repeat(&|n| format!("player p{n} {{ x = {n}; y = 0; }}\n")),
        _ => repeat(&|n| format!("sprite s_{} > color=red\n", letters(n))),
    }
}

#[divan::bench(args = [500, 4000], sample_count = 5)]
fn load_declarations_of_every_kind(bencher: Bencher, count: usize) {
    let programs: Vec<(&str, String)> = DECLARATION_KINDS
        .iter()
        .map(|(language, kind)| (*language, program_with(kind, count)))
        .collect();
    bencher.bench_local(|| {
        for (language, program) in &programs {
            let Some(language) = languages::by_name(language) else {
                continue;
            };
            Session::new(language, 1).load("game", black_box(program));
        }
    });
}

/// Watchpoints that can only be set at a stop, or watch the board.
const WATCHPOINTS: [&str; 7] = [
    "",
    "watch t if t > 10",
    "rwatch t if t > 10",
    "rwatch n if n < 0",
    "watch [1][1] if n < 0",
    "watch [0][0].name if n < 0",
    "watch row 0 if n < 0",
];

/// The cost of watched variables of a function, of reads, and of cells: 20,000 iterations that assign
/// to a variable of the function and place two pieces.
#[divan::bench(args = WATCHPOINTS, sample_count = 10)]
fn run_with_watchpoint(bencher: Bencher, command: &str) {
    let stopped = || {
        let mut session = Session::new(languages::ALL[0], 1);
        let program = "board { dimensions {3, 3} image {b.png} }
def n {0}
piece { name {\"a\"} }
piece { name {\"b\"} }
fun paint(k) {
  def t {0}
  for i(0, k) {
    t {(t + i) % 7}
    place {\"b\", 1, 2}
    place {\"a\", 1, 2}
    n {n + 1}
  }
}";
        session.load("game.gl", program);
        for line in [
            ":break paint",
            "paint {20000}",
            "step",
            ":delete 1",
            command,
        ] {
            if !line.is_empty() {
                execute(&mut session, line);
            }
        }
        session
    };
    bencher
        .with_inputs(stopped)
        .bench_local_values(|mut session| {
            execute(&mut session, "continue");
            session
        });
}
