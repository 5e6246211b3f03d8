//! A click by the size of the board, with conditions that read every row, column and cell: with and
//! without reusing what has not changed, in process and with the answer as JSON.
//!
//! `cargo bench --bench clicks` prints a table; `benches/README.md` lists results.

use divan::{AllocProfiler, Bencher, black_box};
use gridbug::command::{execute, handle_line};
use gridbug::languages;
use gridbug::machine::MIN_INCREMENTAL_CELLS;
use gridbug::protocol::answer_to_json_text;
use gridbug::session::Session;

/// Reports memory use next to the time of each benchmark.
#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Boards and whether units are reused.
const CASES: [(u32, bool); 8] = [
    (3, true),
    (3, false),
    (10, true),
    (10, false),
    (100, true),
    (100, false),
    (1000, true),
    (1000, false),
];

fn game((side, is_incremental): (u32, bool)) -> Session {
    let mut session = Session::new(languages::ALL[0], 1);
    let min_cells = is_incremental.then_some(MIN_INCREMENTAL_CELLS);
    session.target.machine.set_incremental(min_cells);
    let program = format!(
        "board {{ dimensions {{{side}, {side}}} image {{b.png}} }} players {{\"x\", \"o\"}}
         piece {{ name {{\"free\"}} onClick {{ changeType {{turn}} endTurn {{}} }} }}
         piece {{ name {{\"x\"}} onClick {{ changeType {{\"o\"}} endTurn {{}} }} }}
         piece {{ name {{\"o\"}} onClick {{ changeType {{\"x\"}} endTurn {{}} }} }}
         setup {{ for x, y in board {{ place {{\"free\", x, y}} }} }}
         winCondition {{
           for r(0, rows) {{ def line {{true}} for p in row(r) {{ line {{line AND p.name == \"x\"}} }}
                             win {{win OR line}} }}
           for c(0, cols) {{ def line {{true}} for p in col(c) {{ line {{line AND p.name == \"x\"}} }}
                             win {{win OR line}} }}
           win {{false}}
         }}
         loseCondition {{
           def n {{0}}
           for x, y in board {{ if board[x][y].name == \"o\" {{ n {{n + 1}} }} }}
           lose {{n < 0}}
         }}
         drawCondition {{
           def left {{0}}
           for p in board {{ if p.name == \"free\" {{ left {{left + 1}} }} }}
           draw {{left < 0}}
         }}"
    );
    let answer = session.load("game.gl", &program);
    assert!(answer.ok, "the game should load");
    session
}

/// Clicks all over the board.
fn clicks(side: u32) -> impl FnMut() -> String {
    let mut n = 0;
    move || {
        n += 1;
        format!("click {{{}, {}}}", n * 7 % side, n * 3 % side)
    }
}

#[divan::bench(args = CASES)]
fn click(bencher: Bencher, case: (u32, bool)) {
    let (mut session, mut next) = (game(case), clicks(case.0));
    for _ in 0..8 {
        assert!(execute(&mut session, &next()).ok);
    }
    bencher
        .with_inputs(&mut next)
        .bench_local_values(|line| execute(&mut session, black_box(&line)));
}

#[divan::bench(args = CASES)]
fn click_as_json(bencher: Bencher, case: (u32, bool)) {
    let (mut session, mut next) = (game(case), clicks(case.0));
    for _ in 0..8 {
        assert!(execute(&mut session, &next()).ok);
    }
    bencher.with_inputs(&mut next).bench_local_values(|line| {
        let answer = handle_line(&mut session, black_box(&line));
        answer_to_json_text(&session, &answer)
    });
}

/// The first click after loading, which has nothing to reuse.
#[divan::bench(args = CASES, sample_count = 10, sample_size = 1)]
fn first_click(bencher: Bencher, case: (u32, bool)) {
    bencher
        .with_inputs(|| game(case))
        .bench_local_values(|mut session| {
            execute(&mut session, "click {1, 1}");
            session
        });
}

/// The second click, which remembers what the next ones reuse.
#[divan::bench(args = CASES, sample_count = 10, sample_size = 1)]
fn second_click(bencher: Bencher, case: (u32, bool)) {
    bencher
        .with_inputs(|| {
            let mut session = game(case);
            execute(&mut session, "click {1, 1}");
            session
        })
        .bench_local_values(|mut session| {
            execute(&mut session, "click {0, 1}");
            session
        });
}
