//! The table of what instructions read and write agrees with the machine, in every language: while
//! all session files of the repository are replayed, nothing changes that the table does not mention,
//! and registers that it says are dead can hold anything.

use gridbug::code::flow::{Control, Effects, Liveness, Summary};
use gridbug::code::{FunctionId, Instr};
use gridbug::command::{execute, handle_line};
use gridbug::host::NativeHost;
use gridbug::languages;
use gridbug::machine::{LogPosition, Machine, Observer, Outcome, Rng};
use gridbug::session::Session;
use gridbug::session::session_file::{ProgramRef, SessionFile, SessionItem};
use gridbug::value::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Instructions observed per entry of a session.
const MAX_OBSERVED_INSTRUCTIONS: u64 = 20_000;
/// Times per session at which dead registers are overwritten.
const SCRAMBLED_TIMES: u64 = 12;

fn session_files() -> Vec<PathBuf> {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions")];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("sessions are readable");
            pending.extend(entries.map(|e| e.expect("sessions are readable").path()));
        } else if path.extension().is_some_and(|e| e == "session") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Plays the entries of a session file, without its commands: those that stop would leave the rest
/// inside of a stopped entry.
fn play(path: &Path) -> Option<Session> {
    let text = std::fs::read_to_string(path).expect("sessions are readable");
    let file = SessionFile::parse(&text).expect("sessions parse");
    let language = languages::by_name(&file.language)?;
    let mut session = Session::with_host(language, file.seed, Rc::new(NativeHost::new()));
    session.target.machine.limits.max_instructions = 1_000_000;
    match &file.program {
        ProgramRef::Inline { text, .. } => {
            session.load("program", text);
        }
        _ => {
            session.load("sample", language.info().sample);
        }
    }
    for item in &file.items {
        if let SessionItem::Input(input) = item
            && !input.text.starts_with(':')
        {
            handle_line(&mut session, &input.text);
        }
    }
    session.end_input();
    execute(&mut session, ":abandon");
    Some(session)
}

/// Everything that an instruction may change, except for the content of heap objects.
struct State {
    registers: Vec<Value>,
    globals: Vec<Value>,
    cells: Vec<Value>,
    size: (u32, u32),
    heap_bytes: u64,
    rng: Rng,
    log: LogPosition,
    message: Option<Rc<str>>,
    action: u32,
}

/// An instruction that is being executed, and the state before it.
struct Executing {
    depth: usize,
    instr: Instr,
    /// False once it has called something.
    is_last_in_frame: bool,
    before: State,
}

/// Compares what each instruction changed with the table.
#[derive(Default)]
struct TableChecker {
    /// Calls that have not returned, and the last instruction.
    executing: Vec<Executing>,
    /// The location of the last instruction.
    last: Option<(FunctionId, u32)>,
    until: u64,
    /// How often each instruction was executed.
    seen: BTreeMap<String, u64>,
}

impl TableChecker {
    fn state(machine: &Machine) -> State {
        let store = &machine.store;
        State {
            registers: machine.registers(machine.frames().len() - 1).to_vec(),
            globals: store.globals.as_slice().to_vec(),
            cells: store.cells.as_slice().to_vec(),
            size: (store.rows, store.cols),
            heap_bytes: store.heap.bytes(),
            rng: machine.rng.clone(),
            log: machine.log_position(),
            message: store.message.clone(),
            action: store.action,
        }
    }

    fn check(executed: &Executing, machine: &Machine) {
        let (instr, before) = (executed.instr, &executed.before);
        let flow = instr.flow();
        if flow.effects.has(Effects::RESIZES) {
            return;
        }
        let after = TableChecker::state(machine);
        let has_called = flow.runs_code();
        if executed.depth == machine.frames().len() {
            for (n, (old, new)) in before.registers.iter().zip(&after.registers).enumerate() {
                let register = n as u16;
                let is_overwritten_by_call =
                    matches!(flow.control, Control::Call { base, .. } if register >= base);
                assert!(
                    old == new || is_overwritten_by_call || flow.may_write().any(|r| r == register),
                    "{instr:?} changed register {n}"
                );
            }
        }
        // The instructions of a called function were checked one by one.
        if has_called {
            return;
        }
        for (n, (old, new)) in before.globals.iter().zip(&after.globals).enumerate() {
            let is_written = flow.global_written() == Some(n as u32);
            assert!(old == new || is_written, "{instr:?} changed global {n}");
        }
        let effects = [
            (before.cells == after.cells, Effects::WRITES_CELLS, "cells"),
            (
                before.size == after.size,
                Effects::RESIZES,
                "the size of the board",
            ),
            (
                before.heap_bytes == after.heap_bytes,
                Effects::ALLOCATES | Effects::ALLOCATES_WIDE_INTS | Effects::WRITES_HEAP,
                "the heap",
            ),
            (
                before.rng == after.rng,
                Effects::DRAWS,
                "the random numbers",
            ),
            (
                before.log == after.log,
                Effects::OUTPUT | Effects::DRAWS | Effects::INPUT,
                "the log",
            ),
            (
                before.message == after.message,
                Effects::OUTPUT,
                "the message line",
            ),
            (before.action == after.action, Effects::ACTION, "the action"),
        ];
        for (is_same, effect, name) in effects {
            assert!(
                is_same || flow.effects.has(effect),
                "{instr:?} changed {name}"
            );
        }
    }

    /// Checks where execution continued.
    fn check_successor(
        executed: &Executing,
        function: FunctionId,
        pc: u32,
        to: u32,
        machine: &Machine,
    ) {
        let Some(function) = machine.function(function) else {
            return;
        };
        assert!(
            function.successors(pc).contains(&to),
            "{:?} at {pc} continued at {to}",
            executed.instr
        );
    }
}

impl Observer for TableChecker {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((function, pc)) = machine.current_location() else {
            return true;
        };
        // Frames that were left by returning or by an escape.
        while self.executing.last().is_some_and(|e| e.depth > depth) {
            let left = self.executing.pop().expect("there is a last one");
            let leaves = matches!(left.instr.flow().control, Control::Return | Control::Throw);
            assert!(
                leaves || !left.is_last_in_frame,
                "{:?} left its frame",
                left.instr
            );
        }
        match self.executing.last() {
            Some(executed) if executed.depth == depth => {
                let executed = self.executing.pop().expect("there is a last one");
                if let Some((last_function, last_pc)) = self.last
                    && last_function == function
                    && executed.is_last_in_frame
                    && !executed.instr.flow().runs_code()
                {
                    TableChecker::check_successor(&executed, function, last_pc, pc, machine);
                }
                TableChecker::check(&executed, machine);
            }
            Some(executed) => {
                let flow = executed.instr.flow();
                assert!(flow.runs_code(), "{:?} entered a function", executed.instr);
                let callees: Vec<_> = machine.program().callees(flow.control).collect();
                assert!(
                    callees.contains(&function),
                    "{:?} called another function",
                    executed.instr
                );
                if let Some(e) = self.executing.last_mut() {
                    e.is_last_in_frame = false;
                }
            }
            None => {}
        }
        let function_code = &machine
            .function(function)
            .expect("frames have functions")
            .code;
        let instr = function_code[pc as usize];
        let name = format!("{instr:?}");
        let name = name.split(' ').next().unwrap_or_default().to_string();
        *self.seen.entry(name).or_default() += 1;
        self.executing.push(Executing {
            depth,
            instr,
            is_last_in_frame: true,
            before: TableChecker::state(machine),
        });
        self.last = Some((function, pc));
        machine.time() >= self.until
    }
}

#[test]
fn instructions_change_only_what_the_table_says() {
    let mut seen = BTreeMap::new();
    for path in session_files() {
        let Some(mut session) = play(&path) else {
            continue;
        };
        let target = &mut session.target;
        for n in 0..target.timeline.entries().len() {
            target.timeline.set_cursor(n);
            target.timeline.enter_next(&mut target.machine);
            let mut checker = TableChecker {
                until: target.machine.time() + MAX_OBSERVED_INSTRUCTIONS,
                ..TableChecker::default()
            };
            target.machine.run_observed(&mut checker);
            for (name, count) in checker.seen {
                *seen.entry(name).or_insert(0) += count;
            }
        }
    }
    assert!(
        seen.len() > 90,
        "only {} instructions were executed: {seen:?}",
        seen.len()
    );
}

/// Overwrites the registers of all frames that are dead according to the table. Returns how many.
fn scramble_dead_registers(machine: &mut Machine) -> usize {
    let mut scrambled = 0;
    let depth = machine.frames().len();
    for frame in 0..depth {
        let is_host_call_below =
            (frame + 1..depth).any(|f| machine.stopped_frame_below(f).is_some());
        let (id, pc) = (
            machine.frames()[frame].function,
            machine.executing_pc(frame),
        );
        let program = machine.program().clone();
        let Some(function) = program.function(id).filter(|_| !is_host_call_below) else {
            continue;
        };
        let liveness = Liveness::new(&program, function);
        let live = match frame + 1 == depth {
            true => liveness.at(pc),
            false => liveness.during_call(pc),
        };
        let end = match machine.function(id).map(|f| f.code[pc as usize]) {
            // The callee's registers start here.
            Some(Instr::Call { base, .. }) if frame + 1 < depth => base,
            _ => function.register_count,
        };
        for register in (0..end).filter(|r| !live.contains(*r)) {
            machine.set_register(frame, register, Value::int(-7_654_321));
            scrambled += 1;
        }
    }
    scrambled
}

#[test]
fn dead_registers_can_hold_anything() {
    let mut scrambled = 0;
    for path in session_files() {
        let Some(mut session) = play(&path) else {
            continue;
        };
        let target = &mut session.target;
        let (first, last) = target.timeline.time_range();
        let limit = MAX_OBSERVED_INSTRUCTIONS * 10;
        for n in 0..SCRAMBLED_TIMES {
            let time = first + (last - first) * (2 * n + 1) / (2 * SCRAMBLED_TIMES);
            target.timeline.seek(&mut target.machine, time);
            if target.machine.is_idle() {
                continue;
            }
            let start = target.machine.checkpoint();
            let run = |machine: &mut Machine| -> (Outcome, _) {
                let outcome = machine.run_until(time + limit);
                (outcome, machine.checkpoint())
            };
            let (outcome, expected) = run(&mut target.machine);
            target.machine.restore(&start);
            scrambled += scramble_dead_registers(&mut target.machine);
            let (scrambled_outcome, actual) = run(&mut target.machine);
            let context = format!("{} at {time}", path.display());
            if !matches!(outcome, Outcome::Finished(v) if v.as_heap().is_some()) {
                assert_eq!(outcome, scrambled_outcome, "{context}");
            }
            assert_eq!(expected.time, actual.time, "{context}");
            assert_eq!(expected.log_position, actual.log_position, "{context}");
            assert!(expected.is_same_game(&actual), "{context}");
            target.machine.restore(&start);
        }
    }
    assert!(
        scrambled > 1_000,
        "only {scrambled} dead registers were found"
    );
}

#[test]
fn summaries_follow_calls_and_handlers() {
    let mut session = Session::new(languages::ALL[0], 1);
    let program = "board { dimensions {2, 2} image {b.png} } def n {0} def m {0} def other {0}
        fun double(x) { m {m + 1} return x * 2 }
        piece { name {\"a\"} onClick { n {(double {n})} } }
        setup { place {\"a\", 0, 0} }";
    assert!(session.load("game.gl", program).ok);
    let program = session.target.program().clone();
    let handler = program
        .handlers(gridbug::code::PieceEvent::Click)
        .next()
        .expect("there is one handler");
    let summary = Summary::of(&program, [handler]);
    let global = |name: &str| program.global(name).expect("the global exists");
    for (name, is_used) in [("n", true), ("m", true), ("other", false)] {
        assert_eq!(
            summary.globals_read.may_contain(global(name)),
            is_used,
            "{name}"
        );
        assert_eq!(
            summary.globals_written.may_contain(global(name)),
            is_used,
            "{name}"
        );
    }
    assert_eq!(summary.functions.len(), 2);
    assert!(
        !summary
            .effects
            .has(Effects::WRITES_CELLS | Effects::OUTPUT | Effects::DRAWS)
    );
    // Whatever sends a click may do what the handlers do.
    let sends_click =
        |f: &gridbug::code::Function| f.code.iter().any(|i| matches!(i, Instr::SendClick { .. }));
    let sender = program
        .functions
        .iter()
        .position(|f| sends_click(f))
        .expect("the rules send clicks");
    let summary = Summary::of(&program, [FunctionId(sender as u32)]);
    assert!(summary.functions.contains(&handler));
    assert!(summary.globals_written.may_contain(global("m")));
}
