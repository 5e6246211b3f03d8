//! Whether a function was run, and where others asked for it in vain: the tests that the rules make at the words of a
//! handler's head are noted there. Nothing here knows a language.

use crate::code::{Function, FunctionId, FunctionKind, Program, ValueInfo, ValueLoc};
use crate::machine::{Machine, Observer};
use crate::source::Span;
use crate::value::Value;

/// What was found at one word of the head.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadCheck {
    pub word: Span,
    /// What was looked at there, and what of it.
    pub operands: Vec<String>,
    /// Whether it was what the word asks for; `None` where anything is.
    pub is_match: Option<bool>,
}

/// One time that somebody looked whether the function was meant.
#[derive(Clone, PartialEq, Debug)]
pub struct DispatchAttempt {
    pub time: u64,
    /// What whoever asked was busy with, by name.
    pub context: Vec<(String, String)>,
    pub checks: Vec<HeadCheck>,
}

/// Watches for a function that was not run.
pub struct DispatchLog {
    wanted: FunctionId,
    whole: Span,
    /// Those that ask: code elsewhere with notes in the text of the function.
    askers: Vec<FunctionId>,
    until: u64,
    depth: usize,
    previous: Option<(FunctionId, u32)>,
    /// When it began to run.
    pub run_times: Vec<u64>,
    pub attempts: Vec<DispatchAttempt>,
    /// Handlers that those who ask have run, with the time.
    pub other_handlers: Vec<(FunctionId, u64)>,
}

/// More than this nobody reads.
const MOST: usize = 1000;

impl DispatchLog {
    pub fn new(machine: &Machine, wanted: FunctionId, until: u64) -> DispatchLog {
        let program = machine.program();
        let whole = program.function(wanted).map_or(Span::default(), |f| f.span);
        let (depth, askers) = (machine.frames().len(), askers(program, wanted, whole));
        DispatchLog {
            wanted,
            whole,
            askers,
            until,
            depth,
            previous: None,
            run_times: vec![],
            attempts: vec![],
            other_handlers: vec![],
        }
    }

    /// Whether anybody is there who asks for it.
    pub fn has_dispatchers(&self) -> bool {
        !self.askers.is_empty()
    }

    fn entered(&mut self, machine: &Machine, id: FunctionId) {
        let caller = machine.frames().iter().rev().nth(1).map(|f| f.function);
        if id == self.wanted {
            self.run_times.push(machine.time());
        } else if caller.is_some_and(|c| self.askers.contains(&c))
            && machine
                .function(id)
                .is_some_and(|f| f.kind == FunctionKind::Handler)
            && self.other_handlers.len() < MOST
        {
            self.other_handlers.push((id, machine.time()));
        }
    }

    fn look(&mut self, machine: &Machine, note: &ValueInfo, jumped: Option<bool>) {
        let registers = machine.registers(machine.frames().len() - 1);
        let text = |r: u16| {
            registers
                .get(r as usize)
                .map(|v| written(machine, *v))
                .unwrap_or_default()
        };
        match note.loc {
            ValueLoc::Register(r) => self.begin(note, text(r), machine),
            ValueLoc::Bind(r) => {
                if let Some(answer) = self.answer(note.span) {
                    answer.operands.truncate(1);
                    answer.operands.push(text(r));
                }
            }
            ValueLoc::JumpTest { if_taken } => {
                if let Some(answer) = self.answer(note.span) {
                    answer.is_match = jumped.map(|taken| taken == if_taken);
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, word: Span) -> Option<&mut HeadCheck> {
        self.attempts
            .last_mut()?
            .checks
            .iter_mut()
            .rev()
            .find(|a| a.word == word)
    }

    /// At a word that was looked at before, or behind one that did not fit, it is asked for anew.
    fn begin(&mut self, note: &ValueInfo, looked_at: String, machine: &Machine) {
        let goes_on = |asking: &DispatchAttempt| {
            asking
                .checks
                .iter()
                .all(|a| a.word != note.span && a.is_match != Some(false))
        };
        if !self.attempts.last().is_some_and(goes_on) {
            if self.attempts.len() == MOST {
                return;
            }
            self.attempts.push(DispatchAttempt {
                time: machine.time(),
                context: locals(machine, note.pc),
                checks: Vec::new(),
            });
        }
        let answer = HeadCheck {
            word: note.span,
            operands: vec![looked_at],
            is_match: None,
        };
        self.attempts
            .last_mut()
            .into_iter()
            .for_each(|asking| asking.checks.push(answer.clone()));
    }
}

/// The named registers of the frame at the top.
fn locals(machine: &Machine, pc: u32) -> Vec<(String, String)> {
    let depth = machine.frames().len();
    let function = machine
        .frames()
        .last()
        .and_then(|f| machine.function(f.function));
    let named = function.into_iter().flat_map(|f| f.locals_at(pc));
    let value = |r: u16| {
        machine
            .registers(depth - 1)
            .get(r as usize)
            .map(|v| written(machine, *v))
    };
    named
        .filter_map(|l| Some((l.name.to_string(), value(l.register)?)))
        .collect()
}

/// The functions that look at the text of another.
fn askers(program: &Program, wanted: FunctionId, whole: Span) -> Vec<FunctionId> {
    let asks = |f: &Function| {
        f.kind == FunctionKind::Rules && f.value_infos.iter().any(|n| whole.contains(n.span))
    };
    let all = program
        .functions
        .iter()
        .enumerate()
        .map(|(n, f)| (FunctionId(n as u32), f));
    all.filter(|(id, f)| *id != wanted && whole != Span::default() && asks(f))
        .map(|(id, _)| id)
        .collect()
}

impl Observer for DispatchLog {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        let depth = machine.frames().len();
        let Some((id, pc)) = machine
            .current_location()
            .filter(|_| machine.time() < self.until)
        else {
            return true;
        };
        if depth > self.depth {
            self.entered(machine, id);
        }
        let before = self.previous.take().filter(|_| depth == self.depth);
        self.depth = depth;
        if !self.askers.contains(&id) {
            return false;
        }
        let Some(function) = machine.function(id).cloned() else {
            return true;
        };
        let here = |n: &&ValueInfo| self.whole.contains(n.span);
        let notes: Vec<ValueInfo> = function.value_infos.iter().filter(here).copied().collect();
        if let Some((_, old)) = before.filter(|(previous, _)| *previous == id) {
            let jumped = function
                .code
                .get(old as usize)
                .and_then(|i| i.target())
                .map(|to| to == pc && to != old + 1);
            notes
                .iter()
                .filter(|n| n.after && n.pc == old)
                .for_each(|n| self.look(machine, n, jumped));
        }
        notes
            .iter()
            .filter(|n| !n.after && n.pc == pc)
            .for_each(|n| self.look(machine, n, None));
        self.previous = Some((id, pc));
        false
    }
}

fn written(machine: &Machine, value: Value) -> String {
    let program = machine.program();
    (program.format_value)(program, &machine.store, value, true)
}
