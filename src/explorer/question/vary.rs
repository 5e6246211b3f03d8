//! `:vary`: starts the program again with other start values of a variable, and says for which of them a
//! condition is true at the end. Every run has a machine of its own.

use crate::answer::{CommandError, SearchStop, VariedRun, VaryResult};
use crate::code::{FunctionId, Instr};
use crate::debugger::Target;
use crate::machine::{Machine, Observer, Outcome, Pause};
use crate::model::setup::add_entry;
use crate::position::simulator::ACTION_BUDGET_INSTRUCTIONS;
use crate::search::control::{SearchControl, SearchProgress};
use crate::text::with_commas;
use crate::value::Value;
use std::rc::Rc;

/// Start values beyond this number are refused.
const MAX_START_VALUES: i64 = 10_000;

/// What to vary, and what to ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VaryRequest {
    /// The variable, such as `hero.x`.
    pub variable: String,
    /// The first start value.
    pub low: i64,
    /// The last start value.
    pub high: i64,
    /// The condition.
    pub condition: String,
}

/// The function that gives variables their start values; an error in languages without them.
pub fn start_function(target: &Target) -> Result<FunctionId, CommandError> {
    target.program().start_function.ok_or_else(|| {
        let title = target.language().info().title;
        CommandError::new(format!("{title} programs have no start values to vary"))
    })
}

/// Runs the program once for each start value.
pub fn vary(
    target: &Target,
    request: &VaryRequest,
    control: &mut SearchControl<'_>,
) -> Result<VaryResult, CommandError> {
    let program = target.program();
    let name = &request.variable;
    let start = start_function(target)?;
    let Some(global) = program.global(name) else {
        return Err(CommandError::new(format!(
            "`:vary` needs a variable with a start value; unknown variable `{name}`"
        )));
    };
    if request.low > request.high {
        return Err(CommandError::new(format!(
            "`{}..{}` is empty; write the smaller number first, e.g. `{}..{}`",
            request.low, request.high, request.high, request.low
        )));
    }
    let count = request.high.checked_sub(request.low);
    if !count.is_some_and(|n| (0..MAX_START_VALUES).contains(&n)) {
        return Err(CommandError::new(format!(
            "`{}..{}` is too large; `:vary` takes at most {} start values",
            request.low,
            request.high,
            with_commas(MAX_START_VALUES as u64)
        )));
    }
    let added = add_entry(target, program, &request.condition)?;
    let program = Rc::new(added.program);
    let mut result = VaryResult {
        variable: name.clone(),
        condition: request.condition.clone(),
        runs: Vec::new(),
        stopped_by: None,
    };
    for value in request.low..=request.high {
        if let Some(stopped) = control.interrupted_by() {
            result.stopped_by = Some(stopped.into());
            break;
        }
        (control.report)(SearchProgress {
            start_values: result.runs.len(),
            ..SearchProgress::default()
        });
        let new_machine = || {
            let mut machine = Machine::new(program.clone(), target.machine.rng.seed());
            machine.limits.max_instructions = ACTION_BUDGET_INSTRUCTIONS;
            machine.set_interrupt_flag(control.cancel.clone());
            machine
        };
        let mut machine = new_machine();
        let mut write = FirstWrite::new(global, true);
        let mut outcome = run(&mut machine, start, &mut write, value, added.function);
        if matches!(outcome, Err(Stop::NoStartValue)) {
            machine = new_machine();
            let mut write = FirstWrite::new(global, false);
            outcome = run(&mut machine, start, &mut write, value, added.function);
        }
        let (holds, shown) = match outcome {
            Ok(shown) => (shown.as_bool(), Ok(shown)),
            Err(Stop::NoStartValue) => {
                return Err(CommandError::new(format!(
                    "`{name}` gets no start value when the program starts"
                )));
            }
            Err(Stop::NotANumber) => {
                return Err(CommandError::new(format!(
                    "`{name}` does not start as a whole number"
                )));
            }
            Err(Stop::Interrupted) => {
                result.stopped_by = Some(SearchStop::Interrupt);
                break;
            }
            Err(Stop::Error(message)) => (None, Err(message)),
        };
        let format = |v: Value| (program.format_value)(&program, &machine.store, v, true);
        result.runs.push(VariedRun {
            start: value,
            holds,
            value: shown.as_ref().ok().map(|v| format(*v)),
            error: shown.err(),
        });
    }
    Ok(result)
}

/// Why a run has no value.
enum Stop {
    NoStartValue,
    NotANumber,
    Interrupted,
    Error(String),
}

impl Stop {
    /// Why a run did not end as it should.
    fn of(outcome: &Outcome) -> Stop {
        match outcome {
            Outcome::Failed(error) => Stop::Error(error.message.clone()),
            Outcome::NeedsInput { .. } => Stop::Error("it asks for input".into()),
            _ => Stop::Interrupted,
        }
    }
}

/// Starts the program with a start value, and evaluates the condition at the end.
fn run(
    machine: &mut Machine,
    start: FunctionId,
    write: &mut FirstWrite,
    value: i64,
    condition: FunctionId,
) -> Result<Value, Stop> {
    let start_call = machine.start(start, &[]);
    start_call.map_err(|error| Stop::Error(error.message.clone()))?;
    match machine.run_observed(write) {
        Outcome::Paused(Pause::Observer) => {}
        Outcome::Finished(_) => return Err(Stop::NoStartValue),
        outcome => return Err(Stop::of(&outcome)),
    }
    let global = write.global;
    if machine
        .store
        .heap
        .as_int(machine.store.global(global))
        .is_none()
    {
        return Err(Stop::NotANumber);
    }
    let value = machine.store.heap.alloc_int(value);
    machine.store.globals.set(global as usize, value);
    finish(machine)?;
    let condition_call = machine.start(condition, &[]);
    condition_call.map_err(|error| Stop::Error(error.message.clone()))?;
    finish(machine)
}

fn finish(machine: &mut Machine) -> Result<Value, Stop> {
    loop {
        match machine.run() {
            Outcome::Finished(value) => return Ok(value),
            Outcome::Paused(
                Pause::Output | Pause::Checkpoints | Pause::Time | Pause::Trap | Pause::Watch,
            ) => {}
            outcome => return Err(Stop::of(&outcome)),
        }
    }
}

/// Pauses after the first instruction that writes a global variable.
struct FirstWrite {
    global: u32,
    /// Whether it has to belong to a line of the program. Before these run, variables may get a default
    /// value that a declaration then replaces.
    needs_line: bool,
    is_written: bool,
}

impl FirstWrite {
    fn new(global: u32, needs_line: bool) -> FirstWrite {
        FirstWrite {
            global,
            needs_line,
            is_written: false,
        }
    }
}

impl Observer for FirstWrite {
    fn should_pause(&mut self, machine: &Machine) -> bool {
        if self.is_written {
            return true;
        }
        let next: Option<Instr> = machine.next_instruction();
        let is_write = next.is_some_and(|i| i.flow().global_written() == Some(self.global));
        self.is_written = is_write && (!self.needs_line || belongs_to_line(machine));
        false
    }
}

/// Whether the next instruction belongs to a line of the program.
fn belongs_to_line(machine: &Machine) -> bool {
    machine.frames().last().is_some_and(|frame| {
        let function = machine.program().function(frame.function);
        function.is_some_and(|f| f.stop_point_before(frame.pc).is_some())
    })
}
