//! Finds numbers that make the two sides of a comparison equal, by the secant method: values that
//! neither the program nor the game contains, as in `n * n == 4900`.

use super::counterfactual::ROLLBACK_COST_INSTRUCTIONS;
use super::state_change::ChangeTarget;
use super::trial::Trial;
use crate::code::{FunctionKind, Instr};
use crate::debugger::Target;
use crate::debugger::recorder::{Frames, Interest, Moment, Results, Sink, ValueProfile};
use crate::value::Value;
use crate::why_not::state_change;
use crate::why_not::trial;
use crate::why_not::value_change;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Budget for all runs together.
const SOLVING_BUDGET_INSTRUCTIONS: u64 = 3_000_000;
/// Steps toward a solution, for one variable and one comparison.
const MAX_STEPS: usize = 12;

/// A comparison in the code: function and pc.
type Comparison = (u32, u32);

/// The value of a variable, or the difference of two values.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    fn of(value: Value) -> Option<Number> {
        let int = value.as_int().map(Number::Int);
        int.or_else(|| value.as_float().map(Number::Float))
    }

    fn to_value(self) -> Option<Value> {
        match self {
            Number::Int(n) => Value::inline_int(n),
            Number::Float(x) => x.is_finite().then(|| Value::float(x)),
        }
    }

    fn to_float(self) -> f64 {
        match self {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
        }
    }

    /// `None` if the sum is too large.
    fn plus(self, n: i64) -> Option<Number> {
        match self {
            Number::Int(int) => int.checked_add(n).map(Number::Int),
            Number::Float(x) => Some(Number::Float(x + n as f64)),
        }
    }

    /// `None` if they have different types or the difference is too large.
    fn minus(self, other: Number) -> Option<Number> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.checked_sub(b).map(Number::Int),
            (Number::Float(a), Number::Float(b)) => Some(Number::Float(a - b)),
            _ => None,
        }
    }
}

/// The value of a variable, and the difference of the sides of a comparison with it.
type Point = (Number, Number);

/// The differences of the numbers that a run compared, each the first time.
struct Differences {
    depth: usize,
    end_time: u64,
    found: BTreeMap<Comparison, Number>,
}

impl Sink for Differences {
    fn interest(&self) -> Interest {
        Interest {
            frames: Frames::From(self.depth),
            until: self.end_time,
            results: Results::None,
        }
    }

    fn on_instruction(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let instr = moment.function.code.get(moment.pc as usize);
        if moment.function.kind == FunctionKind::Rules {
            return ControlFlow::Continue(());
        }
        let registers = moment.machine.registers(moment.depth - 1);
        let number = |r: u16| registers.get(r as usize).and_then(|v| Number::of(*v));
        let (a, b) = match instr {
            Some(
                Instr::Less { a, b, .. }
                | Instr::LessEqual { a, b, .. }
                | Instr::Equal { a, b, .. }
                | Instr::EqualAnyType { a, b, .. }
                | Instr::JumpUnlessLess { a, b, .. }
                | Instr::JumpUnlessLessEqual { a, b, .. }
                | Instr::JumpUnlessEqual { a, b, .. }
                | Instr::JumpUnlessEqualAnyType { a, b, .. },
            ) => (number(*a), number(*b)),
            Some(
                Instr::JumpUnlessLessInt { a, value, .. }
                | Instr::JumpUnlessGreaterInt { a, value, .. }
                | Instr::JumpUnlessEqualInt { a, value, .. },
            ) => (number(*a), Some(Number::Int((*value).into()))),
            _ => return ControlFlow::Continue(()),
        };
        if let Some(difference) = a.zip(b).and_then(|(a, b)| a.minus(b)) {
            let comparison = (moment.id.0, moment.pc);
            self.found.entry(comparison).or_insert(difference);
        }
        ControlFlow::Continue(())
    }
}

/// For each number that a run could have read, the values for which a comparison of the run
/// changes its outcome. To be called inside `in_trial`.
pub(crate) fn solve_comparisons(
    target: &mut Target,
    profile: &ValueProfile,
    trial: &Trial,
) -> Vec<(ChangeTarget, Vec<Value>)> {
    let mut budget = SOLVING_BUDGET_INSTRUCTIONS;
    let mut solutions = Vec::new();
    for (slot, present) in value_change::present_values(target, profile) {
        if budget == 0 {
            break;
        }
        let Some((present, next)) =
            Number::of(present).and_then(|present| Some((present, present.plus(1)?)))
        else {
            continue;
        };
        let before = differences(target, trial, (slot, present), &mut budget);
        let after = differences(target, trial, (slot, next), &mut budget);
        let mut values = Vec::new();
        for (comparison, difference) in before {
            let Some(moved) = after.get(&comparison).filter(|d| **d != difference) else {
                continue;
            };
            let points = [(present, difference), (next, *moved)];
            let zero = zero(target, trial, slot, comparison, points, &mut budget);
            values.extend([zero.plus(-1), Some(zero), zero.plus(1)]);
        }
        let values = values.into_iter().flatten().filter_map(Number::to_value);
        solutions.push((slot, values.collect()));
    }
    solutions
}

/// The value for which the sides of a comparison come closest.
fn zero(
    target: &mut Target,
    trial: &Trial,
    slot: ChangeTarget,
    comparison: Comparison,
    [mut a, mut b]: [Point; 2],
    budget: &mut u64,
) -> Number {
    for _ in 0..MAX_STEPS {
        let Some(x) = secant(a, b).filter(|x| *x != b.0 && *budget > 0) else {
            break;
        };
        let found = differences(target, trial, (slot, x), budget);
        let Some(difference) = found.get(&comparison) else {
            break;
        };
        (a, b) = (b, (x, *difference));
    }
    b.0
}

/// What a trial compares if a number is changed.
fn differences(
    target: &mut Target,
    trial: &Trial,
    (slot, value): (ChangeTarget, Number),
    budget: &mut u64,
) -> BTreeMap<Comparison, Number> {
    if trial::is_trial_interrupted(target) {
        *budget = 0;
    }
    let Some(value) = value.to_value().filter(|_| *budget > 0) else {
        return BTreeMap::new();
    };
    target.with_rollback(|session| {
        state_change::apply_change(session, slot, value);
        let start = session.machine.time();
        let mut differences = Differences {
            depth: session.machine.frames().len() + 1,
            end_time: start + *budget,
            found: BTreeMap::new(),
        };
        trial::run_trial_with(session, trial, |machine| {
            machine.run_observed(&mut differences.recorder())
        });
        let cost = session.machine.time() - start + ROLLBACK_COST_INSTRUCTIONS;
        *budget = budget.saturating_sub(cost);
        differences.found
    })
}

/// Where the line through two points is zero; rounded for an integer. `None` if it never is.
fn secant(a: Point, b: Point) -> Option<Number> {
    if let ((Number::Int(ax), Number::Int(ay)), (Number::Int(bx), Number::Int(by))) = (a, b) {
        return integer_secant((ax, ay), (bx, by)).map(Number::Int);
    }
    let (x, y) = (b.0.to_float(), b.1.to_float());
    let (dx, dy) = (x - a.0.to_float(), y - a.1.to_float());
    let zero = x - y * dx / dy;
    match b.0 {
        _ if !zero.is_finite() => None,
        Number::Int(_) => Some(Number::Int(zero.round() as i64)),
        Number::Float(_) => Some(Number::Float(zero)),
    }
}

fn integer_secant(a: (i64, i64), b: (i64, i64)) -> Option<i64> {
    let (dx, dy) = (
        i128::from(b.0) - i128::from(a.0),
        i128::from(b.1) - i128::from(a.1),
    );
    if dy == 0 {
        return None;
    }
    let numerator = i128::from(b.1) * dx;
    let half = dy.abs() / 2 * numerator.signum() * dy.signum();
    let step = (numerator + half * dy.signum()) / dy;
    i64::try_from(i128::from(b.0) - step).ok()
}
