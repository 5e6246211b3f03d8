//! `:why`, `:last` and `watch` of local variables, against an oracle: random programs are executed
//! instruction by instruction, and the values of all variables are compared after each of them.

use gridbug::command::handle_line;
use gridbug::debugger::frame;
use gridbug::machine::UntilTime;
use gridbug::session::{Session, to_plain_text};
use std::collections::BTreeMap;

use crate::test_session::TestSession;

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// A program with a function `f` of random statements, and for each loop variable the line of its
/// loop.
struct Program {
    lines: Vec<String>,
    loop_lines: BTreeMap<String, usize>,
    /// The lines inside `f`.
    body: Vec<usize>,
}

impl Program {
    fn push(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(depth)));
        self.body.push(self.lines.len());
    }
}

/// The notation of a language.
trait Notation {
    fn language(&self) -> &'static str;
    fn head(&self) -> &'static [&'static str];
    fn tail(&self) -> &'static [&'static str];
    fn entry(&self) -> &'static str;
    fn statement(&self, random: &mut Random, program: &mut Program, depth: usize);
}

fn block(notation: &dyn Notation, random: &mut Random, program: &mut Program, depth: usize) {
    for _ in 0..1 + random.below(3) {
        notation.statement(random, program, depth);
    }
}

struct GridLok;

impl Notation for GridLok {
    fn language(&self) -> &'static str {
        "gridlok"
    }

    fn head(&self) -> &'static [&'static str] {
        &[
            "game {",
            "  board { dimensions {2, 2} image {b.png} }",
            "  players {\"x\", \"o\"}",
            "  def n {0}",
            "  piece { name {\"a\"} image {a.png} }",
            "  piece { name {\"b\"} image {b.png} }",
            "  setup { place {\"a\", 0, 0} place {\"a\", 0, 1} place {\"b\", 1, 0} place {\"a\", 1, 1} }",
            "  fun g(m) {",
            "    def h {m}",
            "    h {h + 1}",
            "    return h",
            "  }",
            "  fun f(k) {",
            "    def a {k}",
            "    def b {1}",
        ]
    }

    fn tail(&self) -> &'static [&'static str] {
        &["    return a", "  }", "}"]
    }

    fn entry(&self) -> &'static str {
        "n {f{2}}"
    }

    fn statement(&self, random: &mut Random, program: &mut Program, depth: usize) {
        let number = program.loop_lines.len();
        let choice = match depth {
            0..=3 => random.below(11),
            _ => random.below(5),
        };
        match choice {
            0 => program.push(depth, "a {a + 1}"),
            1 => program.push(depth, "b {b + a}"),
            2 => program.push(depth, "a {g{b}}"),
            3 => program.push(depth, "k {k + 1}"),
            4 => program.push(depth, "n {n + 1}"),
            5 | 6 => {
                let tested = ["a > 3", "b > 4", "n == 1", "false"][random.below(4)];
                program.push(depth, &format!("if {tested} {{"));
                block(self, random, program, depth + 1);
                match random.below(2) {
                    0 => program.push(depth, "}"),
                    _ => {
                        program.push(depth, "} else {");
                        block(self, random, program, depth + 1);
                        program.push(depth, "}");
                    }
                }
                let close = program.body.len() - 1;
                program.body.remove(close);
            }
            _ => {
                let (name, head) = match choice {
                    7 | 8 => (format!("i{number}"), format!("for i{number}(0, 3) {{")),
                    9 => (format!("p{number}"), format!("for p{number} in row(0) {{")),
                    _ => (
                        format!("p{number}"),
                        format!("for p{number} surrounding 0, 0 {{"),
                    ),
                };
                program.push(depth, &head);
                program.loop_lines.insert(name, program.lines.len());
                block(self, random, program, depth + 1);
                program.push(depth, "}");
                program.body.pop();
            }
        }
    }
}

struct GridLang;

impl Notation for GridLang {
    fn language(&self) -> &'static str {
        "gridlang"
    }

    fn head(&self) -> &'static [&'static str] {
        &[
            "int n",
            "Player {",
            "  int apples",
            "}",
            "Layout(1, 1)",
            "{",
            "  createGrid(1, 1)",
            "  Player tom",
            "  tom.position = (0,0)",
            "}",
            "gameLoop()",
            "{",
            "  n = n + 1",
            "}",
            "function g(int m): int {",
            "  int h = m",
            "  h = h + 1",
            "  return h",
            "}",
            "function f(int k): int {",
            "  int a = k",
            "  int b = 1",
        ]
    }

    fn tail(&self) -> &'static [&'static str] {
        &["  return a", "}"]
    }

    fn entry(&self) -> &'static str {
        "n = f(2)"
    }

    fn statement(&self, random: &mut Random, program: &mut Program, depth: usize) {
        let choice = match depth {
            0..=2 => random.below(9),
            _ => random.below(5),
        };
        match choice {
            0 => program.push(depth, "a = a + 1"),
            1 => program.push(depth, "b = b + a"),
            2 => program.push(depth, "a = g(b)"),
            3 => program.push(depth, "k = k + 1"),
            4 => program.push(depth, "n++"),
            5 | 6 => {
                let tested = ["a > 3", "b > 4", "n == 1", "1 == 2"][random.below(4)];
                program.push(depth, &format!("if ({tested}) {{"));
                block(self, random, program, depth + 1);
                program.push(depth, "}");
                program.body.pop();
            }
            _ => {
                let number = program.lines.len();
                program.push(depth, &format!("int w{number} = 0"));
                program.push(depth, &format!("while (w{number} < 3) {{"));
                block(self, random, program, depth + 1);
                program.push(depth + 1, &format!("w{number}++"));
                program.push(depth, "}");
                program.body.pop();
            }
        }
    }
}

/// A change of a variable of a call.
#[derive(Clone, Debug)]
struct Change {
    time: u64,
    /// The line whose statement was running.
    line: u32,
    old: Option<String>,
    new: String,
}

/// What the oracle knows about a call of a function that is running.
struct Call {
    /// The values of the variables that are in scope, and the register of each.
    values: BTreeMap<String, (u16, String)>,
    changes: BTreeMap<String, Change>,
    /// The line of the last statement that was begun.
    line: u32,
    called_from: u32,
}

/// Executes an entry, up to a time, and keeps the last change of each variable in each call that is
/// running then.
fn oracle(session: &mut Session, until: u64) -> Vec<Call> {
    let target = &mut session.target;
    target.with_time(|target| {
        let start = target.timeline.current().expect("an entry").before.time;
        target.timeline.seek_into(&mut target.machine, start);
        let mut calls: Vec<Call> = Vec::new();
        loop {
            let time = target.machine.time();
            let depth = target.machine.frames().len();
            calls.truncate(depth);
            while calls.len() < depth {
                let called_from = calls.last().map_or(0, |call| call.line);
                calls.push(Call {
                    values: BTreeMap::new(),
                    changes: BTreeMap::new(),
                    line: 0,
                    called_from,
                });
            }
            let Some((id, pc)) = target.machine.current_location() else {
                break;
            };
            // What the last instruction has changed in this call.
            let locals = frame::locals(target, 0);
            let mut now = BTreeMap::new();
            for (local, value) in locals {
                let text = target.format_value_with_cell(value);
                now.insert(local.name.to_string(), (local.register, text));
            }
            let Some(call) = calls.last_mut() else {
                break;
            };
            for (name, (register, text)) in &now {
                let old = call.values.get(name).filter(|(r, _)| r == register);
                if old.is_some_and(|(_, old)| old == text) {
                    continue;
                }
                let change = Change {
                    time: time.saturating_sub(1),
                    line: call.line,
                    old: old.map(|(_, text)| text.clone()),
                    new: text.clone(),
                };
                call.changes.insert(name.clone(), change);
            }
            call.values = now;
            if time >= until {
                break;
            }
            let function = target.machine.function(id).expect("a function").clone();
            if let Some(stop) = function.stop_point_at(pc) {
                call.line = target.source_range(stop.span).map_or(0, |r| r.line);
            }
            target.machine.set_recording(false);
            target.machine.run_observed(&mut UntilTime(time + 1));
            target.machine.set_recording(true);
        }
        calls
    })
}

fn text(session: &mut Session, line: &str) -> String {
    let answer = handle_line(session, line);
    to_plain_text(session, &answer).join("\n")
}

/// The line that an explanation names first.
fn explained_line(reply: &str) -> Option<u32> {
    let by = reply.lines().find(|line| line.starts_with("  by "))?;
    let (_, rest) = by.split_once("line ")?;
    rest.split_whitespace().next()?.parse().ok()
}

fn random_program(notation: &dyn Notation, seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut program = Program {
        lines: notation.head().iter().map(|l| l.to_string()).collect(),
        loop_lines: BTreeMap::new(),
        body: Vec::new(),
    };
    for _ in 0..2 {
        block(notation, &mut random, &mut program, 2);
    }
    let tail = notation.tail().iter().map(|l| l.to_string());
    program.lines.extend(tail);
    program
}

/// Whether an entry takes too many instructions to compare all values after each of them.
fn is_long(session: &mut Session, entry: &str) -> bool {
    let start = session.target.machine.time();
    text(session, entry);
    let time = session.target.machine.time() - start;
    text(session, ":undo");
    time > 1_500
}

#[test]
fn why_and_last_of_locals_agree_with_executing_every_instruction() {
    let (mut count, mut problems) = (0, Vec::new());
    for notation in [&GridLok as &dyn Notation, &GridLang] {
        for seed in 1..=100 {
            let program = random_program(notation, seed);
            let source = program.lines.join("\n");
            let mut session = TestSession::load(notation.language(), &source).0;
            let mut random = Random(seed.wrapping_mul(77) + 1);
            let line = program.body[random.below(program.body.len())];
            if is_long(&mut session, notation.entry()) {
                continue;
            }
            text(&mut session, &format!(":break {line}"));
            text(&mut session, ":break g");
            text(&mut session, notation.entry());
            for _ in 0..6 {
                if !session.target.is_stopped() {
                    break;
                }
                let now = session.target.machine.time();
                let calls = oracle(&mut session, now);
                let call = calls.last().expect("a call");
                for (name, (_, value)) in &call.values {
                    count += 1;
                    let change = &call.changes[name];
                    let is_parameter = ["k", "m"].contains(&name.as_str());
                    let is_argument = is_parameter && change.old.is_none();
                    let line = match program.loop_lines.get(name) {
                        Some(line) => *line as u32,
                        None if is_argument => call.called_from,
                        None => change.line,
                    };
                    let place = format!("{} {seed} at {now}: {name}", notation.language());
                    let why = text(&mut session, &format!(":why {name}"));
                    let is_right = explained_line(&why) == Some(line)
                        || line == 0
                        || is_argument && call.called_from <= 1;
                    if !is_right || !why.contains(value.as_str()) {
                        problems.push(format!("{place} = {value} by line {line}:\n{why}"));
                    }
                    let last = text(&mut session, &format!(":last {name}"));
                    let expected = match is_argument {
                        true => "has not changed before this point".to_string(),
                        false => format!("=> {}", change.new),
                    };
                    if !last.contains(&expected)
                        || !is_argument && session.target.machine.time() != change.time
                    {
                        problems.push(format!("{place}, last {expected} {change:?}:\n{last}"));
                    }
                    if !is_argument {
                        check_finished(&mut session, &place, &mut problems);
                        text(&mut session, ":goto end");
                    }
                }
                assert_eq!(session.target.machine.time(), now);
                text(&mut session, ":continue");
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {count}:\n{}",
        problems.len(),
        problems.join("\n\n")
    );
    assert!(count > 800, "{count}");
}

/// A line that is said to have just run has been the last one to run in its call.
fn check_finished(session: &mut Session, place: &str, problems: &mut Vec<String>) {
    let stop = gridbug::debugger::run::frame_statement(&mut session.target, 0);
    let Some(finished) = stop.and_then(|stop| stop.finished) else {
        return;
    };
    let line = session.target.source_range(finished).map_or(0, |r| r.line);
    let now = session.target.machine.time();
    let calls = oracle(session, now);
    let last = calls.last().map_or(0, |call| call.line);
    if line != last {
        problems.push(format!(
            "{place}: line {line} has just run, not line {last}"
        ));
    }
}

/// A watchpoint on a variable stops after every change in its call, and only then.
#[test]
fn watchpoints_on_locals_agree_with_executing_every_instruction() {
    let (mut count, mut problems) = (0, Vec::new());
    for notation in [&GridLok as &dyn Notation, &GridLang] {
        for seed in 1..=100 {
            let program = random_program(notation, seed);
            let source = program.lines.join("\n");
            let mut session = TestSession::load(notation.language(), &source).0;
            let mut random = Random(seed.wrapping_mul(31) + 7);
            let line = program.body[random.below(program.body.len())];
            if is_long(&mut session, notation.entry()) {
                continue;
            }
            text(&mut session, &format!(":tbreak {line}"));
            text(&mut session, notation.entry());
            if !session.target.is_stopped() {
                continue;
            }
            let locals = frame::locals(&session.target, 0);
            let (local, _) = &locals[random.below(locals.len())];
            let name = local.name.to_string();
            let now = session.target.machine.time();
            let expected = changes_after(&mut session, &name);
            text(&mut session, &format!(":watch {name}"));
            let mut found = Vec::new();
            for _ in 0..100 {
                let reply = text(&mut session, ":continue");
                if !session.target.is_stopped() {
                    break;
                }
                let time = session.target.machine.time();
                found.push((time, reply.lines().next().unwrap_or_default().to_string()));
            }
            count += expected.len();
            let times: Vec<u64> = found.iter().map(|(time, _)| *time).collect();
            let expected_times: Vec<u64> = expected.iter().map(|(time, ..)| *time).collect();
            if times != expected_times {
                problems.push(format!(
                    "{} {seed} watch {name} from {now}: {found:#?}, expected {expected:?}\n{source}",
                    notation.language()
                ));
                continue;
            }
            for ((_, reply), (_, old, new)) in found.iter().zip(&expected) {
                if !reply.contains(&format!("{name}: {old} => {new}")) {
                    problems.push(format!("{name}: {old} => {new}: {reply}"));
                }
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{}:\n{}",
        problems.len(),
        problems.join("\n\n")
    );
    assert!(count > 100, "{count}");
}

/// The times after the changes of a variable of the innermost call from now on, with the old and the
/// new values.
fn changes_after(session: &mut Session, name: &str) -> Vec<(u64, String, String)> {
    let target = &mut session.target;
    target.with_rollback(|target| {
        let depth = target.machine.frames().len();
        let value = |target: &gridbug::debugger::Target| {
            let locals = frame::locals(target, 0);
            let local = locals.iter().rfind(|(l, _)| l.name.as_str() == name)?;
            Some((local.0.register, target.format_value_with_cell(local.1)))
        };
        let mut before = value(target);
        let mut changes = Vec::new();
        while target.machine.frames().len() >= depth {
            let time = target.machine.time();
            target.machine.run_observed(&mut UntilTime(time + 1));
            if target.machine.frames().len() != depth {
                continue;
            }
            let after = value(target);
            if let (Some((register, old)), Some((now, new))) = (&before, &after)
                && register == now
                && old != new
            {
                changes.push((target.machine.time(), old.clone(), new.clone()));
            }
            before = after;
        }
        changes
    })
}
