//! Each invariant that `src/lib.rs` states has tests that fail when it is broken. Those that have no
//! better place are here.

use crate::thread_cost::Cost;
use gridbug::command::handle_line;
use gridbug::language::Language;
use gridbug::languages;
use gridbug::machine::{Machine, Observer};
use gridbug::session::Session;
use gridbug::value::Value;
use std::path::Path;

/// The beginning of each sentence under `# Invariants`, and its tests: file and function.
const TESTED: &[(&str, &[(&str, &str)])] = &[
    (
        "Everything that can be stepped through is bytecode",
        &[
            (
                "debugger/all_languages.rs",
                "list_shows_the_rules_of_play_and_where_they_stopped",
            ),
            (
                "debugger/stops.rs",
                "each_part_of_a_key_press_stops_at_the_statement_that_causes_it",
            ),
        ],
    ),
    (
        "Call frames live in the machine",
        &[
            ("invariants/limits.rs", "unbounded_recursion_is_an_error"),
            (
                "languages/bogl.rs",
                "deep_recursion_and_endless_loops_are_safe",
            ),
        ],
    ),
    (
        "Time is the number of instructions executed.",
        &[(
            "invariants/stated.rs",
            "an_observer_is_called_before_every_instruction",
        )],
    ),
    (
        "Everything a run depends on",
        &[
            (
                "debugger/timeline.rs",
                "every_time_has_the_same_state_when_revisited",
            ),
            (
                "debugger/timeline.rs",
                "walks_are_exact_for_every_program_in_the_repository",
            ),
        ],
    ),
    (
        "A checkpoint copies the pages",
        &[(
            "invariants/growth.rs",
            "checkpoint_size_is_independent_of_the_board",
        )],
    ),
    (
        "Of the call stack it copies only",
        &[(
            "invariants/stated.rs",
            "a_checkpoint_copies_only_the_frames_that_changed",
        )],
    ),
    (
        "Any checkpoint can be restored",
        &[
            ("debugger/timeline.rs", "random_walks_are_exact"),
            (
                "debugger/timeline.rs",
                "walks_are_exact_when_checkpoints_are_few",
            ),
        ],
    ),
    (
        "A value is eight bytes.",
        &[("invariants/stated.rs", "a_value_is_eight_bytes")],
    ),
    (
        "Lists are copied on assignment",
        &[(
            "invariants/stated.rs",
            "lists_are_copied_when_one_of_them_changes",
        )],
    ),
    (
        "The copy is shallow",
        &[
            (
                "invariants/stated.rs",
                "arrays_and_lists_of_lists_share_nothing_that_changes",
            ),
            (
                "languages/gridlok.rs",
                "a_returned_list_belongs_to_the_caller",
            ),
        ],
    ),
    (
        "A board that is a value shares",
        &[
            (
                "invariants/growth.rs",
                "boards_held_by_many_calls_fit_in_little_memory",
            ),
            (
                "invariants/growth.rs",
                "placing_a_piece_costs_the_same_on_a_large_board",
            ),
        ],
    ),
    (
        "The history keeps within its limit",
        &[("invariants/growth.rs", "history_stays_within_its_budget")],
    ),
    (
        "What cannot be dropped counts",
        &[(
            "invariants/memory.rs",
            "values_grow_within_the_memory_limits",
        )],
    ),
    (
        "Compiling is a pure function of the text",
        &[(
            "invariants/interrupt.rs",
            "ctrl_c_ends_the_work_on_a_text_in_every_place",
        )],
    ),
    (
        "Before a function is linked",
        &[("invariants/verify.rs", "every_register_is_checked")],
    ),
    (
        "Breakpoints are traps patched into a copy",
        &[(
            "../src/base/machine/image.rs",
            "a_trap_replaces_one_instruction_of_a_copy",
        )],
    ),
    (
        "Conditions and watched values are tested",
        &[
            (
                "debugger/same_hits.rs",
                "gridlok_has_the_same_hits_in_every_direction",
            ),
            ("invariants/stated.rs", "tests_at_traps_leave_no_trace"),
        ],
    ),
    (
        "The dispatch loop is compiled twice",
        &[
            (
                "invariants/stated.rs",
                "an_observer_is_called_before_every_instruction",
            ),
            (
                "../src/base/machine/fast_path/handlers/tests.rs",
                "instructions_do_the_same_in_both_loops",
            ),
        ],
    ),
    (
        "What can be judged from code alone",
        &[
            (
                "invariants/flow.rs",
                "instructions_change_only_what_the_table_says",
            ),
            ("invariants/flow.rs", "dead_registers_can_hold_anything"),
        ],
    ),
    (
        "Incremental evaluation is invisible",
        &[
            (
                "invariants/incremental/reuse.rs",
                "a_click_executes_only_the_rows_and_columns_that_changed",
            ),
            ("invariants/incremental/faults.rs", "every_mistake_is_found"),
        ],
    ),
    (
        "Their time passes",
        &[(
            "invariants/incremental/debugger_sessions.rs",
            "random_debugger_sessions_are_identical",
        )],
    ),
    (
        "What an iteration depends on",
        &[("invariants/incremental/faults.rs", "every_mistake_is_found")],
    ),
    (
        "No iteration is skipped",
        &[
            (
                "invariants/incremental/limits.rs",
                "the_instruction_limit_ends_a_run_at_the_same_time",
            ),
            (
                "invariants/incremental/limits.rs",
                "an_interrupt_is_repeated_exactly",
            ),
        ],
    ),
    (
        "Observers, functions with traps",
        &[(
            "invariants/incremental/reuse.rs",
            "functions_with_breakpoints_and_their_callers_run_as_they_are",
        )],
    ),
    (
        "An entry that fails changes nothing.",
        &[(
            "debugger/timeline.rs",
            "an_entry_that_fails_changes_nothing",
        )],
    ),
    (
        "Inspecting runs on the live machine",
        &[
            (
                "debugger/timeline.rs",
                "inspecting_while_stopped_does_not_change_the_stack",
            ),
            (
                "debugger/timeline.rs",
                "inspecting_in_the_past_keeps_the_future_in_every_language",
            ),
        ],
    ),
    (
        "Executing in the past forks",
        &[
            ("debugger/timeline.rs", "branches_are_restored_completely"),
            (
                "debugger/timeline.rs",
                "a_fork_is_only_reported_if_something_is_lost",
            ),
        ],
    ),
    (
        "A function keeps its id",
        &[("invariants/stated.rs", "a_redefined_function_keeps_its_id")],
    ),
    (
        "Frames that still run the old code",
        &[
            ("invariants/stated.rs", "a_redefined_function_keeps_its_id"),
            (
                "debugger/timeline.rs",
                "a_stopped_function_can_be_inspected_after_a_redefinition",
            ),
        ],
    ),
    (
        "Files and the clock come from",
        &[(
            "layering/operating_system.rs",
            "only_host_and_terminal_use_the_operating_system",
        )],
    ),
    (
        "Only `host` and `terminal` use",
        &[(
            "layering/operating_system.rs",
            "only_host_and_terminal_use_the_operating_system",
        )],
    ),
    (
        "Answers are data",
        &[
            ("layering/operating_system.rs", "functions_return_answers"),
            ("layering/operating_system.rs", "only_the_terminal_prints"),
        ],
    ),
];

/// The sentences under `# Invariants`.
fn sentences() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = std::fs::read_to_string(path).expect("src/lib.rs");
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let section = lines
        .skip_while(|line| line.trim() != "# Invariants")
        .skip(1)
        .take_while(|line| !line.starts_with(" # "));
    let mut sentences = Vec::new();
    for line in section {
        // A bullet ends the sentence before it.
        let (text, is_new) = match line.strip_prefix(" - ") {
            Some(text) => (text, true),
            None => (line.trim(), false),
        };
        if is_new {
            sentences.push(String::new());
        }
        for (n, part) in text.split_inclusive(". ").enumerate() {
            let ends = |s: &String| s.ends_with(". ") || s.ends_with('.');
            if n > 0 || !is_new && sentences.last().is_some_and(ends) {
                sentences.push(String::new());
            }
            if let Some(last) = sentences.last_mut() {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(part);
            }
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

#[test]
fn every_invariant_has_its_tests() {
    let sentences = sentences();
    for sentence in &sentences {
        let is_tested = TESTED.iter().any(|(start, _)| sentence.starts_with(start));
        assert!(is_tested, "no test is listed for: {sentence}");
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (start, functions) in TESTED {
        let is_stated = sentences.iter().any(|s| s.starts_with(start));
        assert!(is_stated, "src/lib.rs does not state: {start}");
        for (file, function) in *functions {
            let text = std::fs::read_to_string(tests.join(file)).unwrap_or_default();
            let is_there = text.contains(&format!("fn {function}("));
            assert!(is_there, "there is no test {function} in {file}");
        }
    }
}

fn load(language: &str, program: &str) -> Session {
    let language: &'static dyn Language = languages::by_name(language).expect("a language");
    let mut session = Session::new(language, 1);
    let loaded = session.load("game", program);
    assert!(loaded.ok, "{:?}", loaded.diagnostics);
    session
}

/// The value of an expression.
fn value(session: &mut Session, expression: &str) -> String {
    handle_line(session, expression).value.unwrap_or_default()
}

#[test]
fn a_value_is_eight_bytes() {
    assert_eq!(size_of::<Value>(), 8);
}

const LISTS: &str = "board { dimensions {1, 1} image {b.png} }
def a {1, 2, 3,}
def b {4,}
fun grow(n) { for i(0, n) { a {i} } }";

#[test]
fn lists_are_copied_when_one_of_them_changes() {
    let mut session = load("gridlok", LISTS);
    handle_line(&mut session, "b {,}");
    handle_line(&mut session, "def c {a}");
    handle_line(&mut session, "c {9}");
    assert_eq!(value(&mut session, "a"), "{1,2,3,}");
    assert_eq!(value(&mut session, "c"), "{1,2,3,9,}");
    handle_line(&mut session, "a[0] {7}");
    assert_eq!(value(&mut session, "a"), "{7,2,3,}");
    assert_eq!(value(&mut session, "c"), "{1,2,3,9,}");
    // Only the change copies: a definition costs the same for a long list.
    let cost_of = |session: &mut Session, line: &str| {
        let start = Cost::now();
        handle_line(session, line);
        start.elapsed().allocated_bytes
    };
    handle_line(&mut session, "grow {100000}");
    cost_of(&mut session, "def d {b}");
    let short = cost_of(&mut session, "def e {b}");
    let long = cost_of(&mut session, "def f {a}");
    assert!(long < short + 100_000, "{short} and {long} bytes");
}

#[test]
fn arrays_and_lists_of_lists_share_nothing_that_changes() {
    let program = "board { dimensions {1, 1} image {b.png} }
def x {1, 2,}
def a {x, x,}
def b {a}";
    let mut gridlok = load("gridlok", program);
    handle_line(&mut gridlok, "a[0][1] {5}");
    assert_eq!(value(&mut gridlok, "a"), "{{1,5,},{1,2,},}");
    assert_eq!(value(&mut gridlok, "b"), "{{1,2,},{1,2,},}");
    assert_eq!(value(&mut gridlok, "x"), "{1,2,}");

    let program = "int[2] row = [1, 2]
int[2,2] a = [[1, 2], [3, 4]]
int[2,2] b = a
int[2,2] c = [row, row]
function put(int[] r): int { r[0] = 8; return r[0] }";
    let mut gridlang = load("gridlang", program);
    handle_line(&mut gridlang, "a[0,0] = 9");
    assert_eq!(value(&mut gridlang, "a"), "[[9, 2], [3, 4]]");
    assert_eq!(value(&mut gridlang, "b"), "[[1, 2], [3, 4]]");
    handle_line(&mut gridlang, "c[0,1] = 7");
    assert_eq!(value(&mut gridlang, "c"), "[[1, 7], [1, 2]]");
    assert_eq!(value(&mut gridlang, "row"), "[1, 2]");
    handle_line(&mut gridlang, "b = c");
    handle_line(&mut gridlang, "c[1,1] = 6");
    assert_eq!(value(&mut gridlang, "b"), "[[1, 7], [1, 2]]");
    // A parameter refers to the caller's array, a declaration copies it.
    handle_line(&mut gridlang, "int[2,2] d = b");
    handle_line(&mut gridlang, "put(row)");
    handle_line(&mut gridlang, "d[0,0] = 5");
    assert_eq!(value(&mut gridlang, "row"), "[8, 2]");
    assert_eq!(value(&mut gridlang, "b"), "[[1, 7], [1, 2]]");
}

const DEEP: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun deep(k) {
  if k > 0 { deep {k - 1} }
  n {n + 1}
}";

#[test]
fn a_checkpoint_copies_only_the_frames_that_changed() {
    let mut session = load("gridlok", DEEP);
    handle_line(&mut session, ":break 5 if k == 0");
    let stop = handle_line(&mut session, "deep {5000}").stop;
    assert!(stop.is_some_and(|stop| stop.depth > 5000));
    let machine = &mut session.target.machine;
    machine.checkpoint();
    let next = machine.time() + 3;
    machine.run_until(next);
    let bytes = machine.checkpoint().bytes;
    assert!(bytes < 20_000, "{bytes} bytes for a few instructions");
}

/// Counts the instructions that it sees.
struct Counter(u64);

impl Observer for Counter {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        self.0 += u64::from(!machine.is_idle());
        false
    }
}

#[test]
fn an_observer_is_called_before_every_instruction() {
    let mut session = load("gridlok", DEEP);
    handle_line(&mut session, ":break deep");
    handle_line(&mut session, "deep {40}");
    handle_line(&mut session, ":delete 1");
    let machine = &mut session.target.machine;
    let (start, before) = (machine.time(), machine.checkpoint());
    let mut counter = Counter(0);
    machine.run_observed(&mut counter);
    assert_eq!(machine.time() - start, counter.0);
    // The plain loop takes the same time.
    let observed = machine.time();
    machine.restore(&before);
    machine.set_traps(&[]);
    machine.run();
    assert_eq!(machine.time(), observed);
}

/// A condition that calls a function, one that has an effect, one that fails: whatever is tested, the run is
/// the same as without breakpoints.
#[test]
fn tests_at_traps_leave_no_trace() {
    let program = "board { dimensions {2, 2} image {b.png} }
players {\"x\", \"o\"}
def n {0}
def l {1,}
piece { name {\"a\"} }
fun odd(k) { return k % 2 == 1 }
fun bump() { n {n + 1} return n }
fun count(k) {
  for i(0, k) {
    n {n + i}
    l {n}
    place {\"a\", n % 2, i % 2}
  }
}";
    let conditions = [
        "n < 0",
        "odd {n} AND n < 0",
        "bump {} < 0",
        "1 / n < 0 - 5",
        "n * 1000000000 < 0 - 5",
        "l[0] == 99",
        "board[0][0].name == \"b\"",
        "false",
    ];
    let run = |breakpoints: &[String]| {
        let mut session = load("gridlok", program);
        for breakpoint in breakpoints {
            assert!(handle_line(&mut session, breakpoint).ok, "{breakpoint}");
        }
        let mut answer = handle_line(&mut session, "count {50}");
        while answer.stop.is_some() {
            answer = handle_line(&mut session, ":continue");
        }
        session.target.machine.checkpoint()
    };
    let plain = run(&[]);
    for condition in conditions {
        let breakpoints = [
            format!(":break 10 if {condition}"),
            format!(":watch n if {condition}"),
            format!(":watch n + 1 if {condition}"),
        ];
        let tested = run(&breakpoints);
        assert_eq!(plain.first_difference(&tested), None, "{condition}");
    }
}

#[test]
fn a_redefined_function_keeps_its_id() {
    let games = [
        (
            "gridlok",
            DEEP,
            ":break 5",
            "deep {0}",
            "fun deep(k) { n {7} }",
            "deep",
        ),
        (
            "bogl",
            "game G\nf : Int -> Int\nf(n) = n + 1\n",
            ":break f",
            "f(1)",
            "f : Int -> Int\nf(n) = n * 2",
            "f",
        ),
        (
            "gridlang",
            "int n = 0\nfunction f(int k): int {\n  n = k\n  return n\n}",
            ":break f",
            "f(3)",
            "function f(int k): int { return 7 }",
            "f",
        ),
    ];
    for (language, program, breakpoint, entry, definition, name) in games {
        let mut session = load(language, program);
        handle_line(&mut session, breakpoint);
        assert!(
            handle_line(&mut session, entry).stop.is_some(),
            "{language}"
        );
        let id = session.target.function_named(name);
        let running =
            |session: &Session| session.target.machine.frames().last().map(|f| f.function);
        assert_eq!(running(&session), id, "{language}");
        let code = id.and_then(|id| session.target.machine.function(id).cloned());
        let answer = handle_line(&mut session, definition);
        assert!(answer.ok, "{language}: {:?}", answer.diagnostics);
        assert_eq!(session.target.function_named(name), id, "{language}");
        // The stopped call runs what it ran, under another id.
        assert_ne!(running(&session), id, "{language}");
        let kept = running(&session).and_then(|id| session.target.machine.function(id).cloned());
        assert_eq!(
            kept.map(|f| f.code.len()),
            code.map(|f| f.code.len()),
            "{language}"
        );
    }
}
