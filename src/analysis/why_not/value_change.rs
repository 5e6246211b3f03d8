//! Changes of variables, record fields and list elements, and the values to try for them.

use super::state_change::{ChangeTarget, Origin, StateChange, Usefulness};
use crate::code::{Function, FunctionId, FunctionKind, Instr};
use crate::debugger::Target;
use crate::debugger::recorder::{Sample, ValueProfile};
use crate::value::{InternedStr, ObjectKind, Unpacked, Value};
use crate::why_not::state_change;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Record fields tried.
const MAX_FIELDS_TRIED: usize = 400;
/// Elements of one list tried.
const MAX_ELEMENTS_TRIED: usize = 64;
/// Integers are tried up to this distance from the current value.
const MAX_DISTANCE_TRIED: i64 = 20;
/// Coordinates are tried on grids of at most this many cells.
const MAX_COORDINATES_TRIED: u32 = 400;

/// A variable, field or element that can be changed.
struct Place {
    name: String,
    target: ChangeTarget,
    present: Value,
    is_user_defined: bool,
}

/// The functions of the program, without the built-in rules and entries.
pub(crate) fn user_functions(target: &Target) -> impl Iterator<Item = &Rc<Function>> {
    let functions = target.program().functions.iter();
    functions.filter(|f| !matches!(f.kind, FunctionKind::Rules | FunctionKind::Entry))
}

/// The fields, variables and elements that a run could have read, each with other values.
pub(crate) fn value_changes(
    target: &Target,
    profile: &ValueProfile,
    solving: &[(ChangeTarget, Vec<Value>)],
) -> Vec<StateChange> {
    let places = places(target, profile);
    let mut values: Vec<Value> = user_functions(target).flat_map(|f| constants(f)).collect();
    values.extend(places.iter().map(|place| place.present));
    values.extend(values_computed(target, profile));
    let mut changes = Vec::new();
    for place in places {
        let current = name_or_value(target, place.present);
        let own = solving.iter().filter(|(slot, _)| *slot == place.target);
        let solving: Vec<Value> = own.flat_map(|(_, values)| values).copied().collect();
        for (value, origin) in alternatives(target, &place, &values, &solving) {
            changes.push(StateChange {
                name: place.name.clone(),
                new: name_or_value(target, value),
                current: current.clone(),
                target: place.target,
                value,
                usefulness: match place.is_user_defined {
                    true => Usefulness::Likely,
                    false => Usefulness::Unlikely,
                },
                origin,
            });
        }
    }
    changes
}

/// Values to try as arguments of a function: its constants and the integers next to them.
pub(crate) fn argument_values(function: &Function) -> Vec<Value> {
    let mut values = vec![Value::int(0), Value::int(1), Value::TRUE, Value::FALSE];
    for constant in constants(function) {
        match constant.as_int() {
            Some(n) => {
                let near = [n.checked_sub(1), Some(n), n.checked_add(1)];
                values.extend(near.into_iter().flatten().filter_map(Value::inline_int));
            }
            None => values.push(constant),
        }
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.to_bits()));
    values
}

/// The variables, fields and elements that a run could have read, with their values.
pub(crate) fn present_values(
    target: &Target,
    profile: &ValueProfile,
) -> Vec<(ChangeTarget, Value)> {
    let places = places(target, profile).into_iter();
    places.map(|place| (place.target, place.present)).collect()
}

/// The strings, fractions, coordinates and records that a run computed.
fn values_computed(target: &Target, profile: &ValueProfile) -> Vec<Value> {
    let computed = |sample: &Sample| match sample.value.unpack() {
        Unpacked::Float(_) | Unpacked::Coordinate(..) => Some(sample.value),
        // The run was rolled back, and its strings with it.
        Unpacked::Heap(handle) if handle.kind == ObjectKind::String => {
            let text = sample.text.strip_prefix('"')?.strip_suffix('"')?;
            Some(Value::interned(InternedStr::new(text)))
        }
        Unpacked::Heap(_) if is_record(target, sample.value) => Some(sample.value),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    let samples = profile.samples.iter().map(|(_, sample)| sample);
    samples
        .filter_map(computed)
        .filter(|value| seen.insert(value.to_bits()))
        .collect()
}

/// Whether this is a record that has fields. One without stands for none.
fn is_record(target: &Target, value: Value) -> bool {
    let items = target.machine.store.heap.items(value);
    is_record_kind(value) && items.is_some_and(|items| !items.is_empty())
}

/// The name of a record, or any other value in the notation of the language.
fn name_or_value(target: &Target, value: Value) -> String {
    let is_quoted = !is_record(target, value);
    (target.program().format_value)(target.program(), &target.machine.store, value, is_quoted)
}

fn places(target: &Target, profile: &ValueProfile) -> Vec<Place> {
    let mut places = field_places(target);
    for global in variables_used(target, profile) {
        let Some(variable) = target.program().globals.get(global as usize) else {
            continue;
        };
        let place = Place {
            name: variable.name.to_string(),
            target: ChangeTarget::Global(global),
            present: state_change::present_value(target, ChangeTarget::Global(global)),
            is_user_defined: variable.is_user_defined,
        };
        // Programs cannot name the variables of the built-in rules.
        if place.name.starts_with('@') {
            continue;
        }
        places.extend(element_places(target, &place, &mut Vec::new()));
        places.push(place);
    }
    places
}

/// The elements of a list; if they are lists, their elements. `indices` are those of the lists
/// that contain them.
fn element_places(target: &Target, list: &Place, indices: &mut Vec<usize>) -> Vec<Place> {
    let heap = &target.machine.store.heap;
    if !heap.is_list(list.present) {
        return Vec::new();
    }
    let items = heap.items(list.present).unwrap_or_default();
    let mut places = Vec::new();
    for (n, value) in items.iter().take(MAX_ELEMENTS_TRIED).enumerate() {
        indices.push(n);
        let element = Place {
            name: list.name.clone(),
            target: ChangeTarget::Element(list.present, n),
            present: *value,
            is_user_defined: list.is_user_defined,
        };
        match heap.is_list(*value) {
            true => places.extend(element_places(target, &element, indices)),
            false => places.push(Place {
                name: (target.program().board_info).format_element(&list.name, indices),
                ..element
            }),
        }
        indices.pop();
    }
    places
}

/// The fields of records, also those without a value.
fn field_places(target: &Target) -> Vec<Place> {
    let (program, store) = (target.program(), &target.machine.store);
    let values = target.named_values();
    let names = values.iter().map(|(name, _)| name);
    let fields = names.filter_map(|name| {
        let (record, n) = (program.resolve_field)(program, store, name)?;
        let slot = ChangeTarget::Field(record, n.into());
        Some(Place {
            name: name.clone(),
            target: slot,
            present: state_change::present_value(target, slot),
            is_user_defined: true,
        })
    });
    fields.take(MAX_FIELDS_TRIED).collect()
}

/// The variables that the functions that ran read.
fn variables_used(target: &Target, profile: &ValueProfile) -> BTreeSet<u32> {
    let ran: BTreeSet<u32> = profile.stop_counts.keys().map(|(f, _)| *f).collect();
    let functions = ran
        .iter()
        .filter_map(|f| target.program().function(FunctionId(*f)));
    functions
        .flat_map(|f| f.code.iter().filter_map(|i| i.flow().global_loaded()))
        .collect()
}

/// Other values for a variable, the closest to its current value first.
fn alternatives(
    target: &Target,
    place: &Place,
    values: &[Value],
    solving: &[Value],
) -> Vec<(Value, Origin)> {
    let present = place.present;
    let mut alternatives: Vec<(Value, Origin)> = match present.unpack() {
        Unpacked::Bool(value) => vec![(Value::bool(!value), Origin::Program)],
        Unpacked::Int(n) => {
            let numbers = values.iter().filter_map(|c| c.as_int());
            let compared = numbers
                .flat_map(|n| [Some(n), n.checked_sub(1), n.checked_add(1)])
                .flatten()
                .filter_map(Value::inline_int)
                .chain(solving.iter().copied())
                .map(|v| (v, Origin::Program));
            let nearby = (-MAX_DISTANCE_TRIED..=MAX_DISTANCE_TRIED)
                .filter_map(|d| Value::inline_int(n.checked_add(d)?))
                .map(|v| (v, Origin::Nearby));
            compared.chain(nearby).collect()
        }
        Unpacked::Coordinate(row, col) => match is_on_grid(target, place.target) {
            true => coordinates(target),
            false => coordinates_near((row, col), values),
        },
        Unpacked::Float(_) => {
            let floats = values.iter().filter_map(|c| c.as_float());
            floats
                .flat_map(|x| [x, x - 1.0, x + 1.0])
                .map(Value::float)
                .chain(solving.iter().copied())
                .map(|value| (value, Origin::Program))
                .collect()
        }
        _ if target.machine.store.heap.as_str(present).is_some() => values
            .iter()
            .filter(|c| c.as_interned().is_some())
            .map(|c| (*c, Origin::Program))
            .collect(),
        Unpacked::Heap(_) | Unpacked::Nothing if may_refer_to_others(target, place) => values
            .iter()
            .filter(|c| is_record(target, **c) && may_replace(target, present, **c))
            .map(|c| (*c, Origin::Program))
            .collect(),
        _ => Vec::new(),
    };
    alternatives.retain(|(v, _)| *v != present);
    alternatives.sort_by_key(|(v, _)| distance(*v, present));
    let mut seen = BTreeSet::new();
    alternatives.retain(|(v, _)| seen.insert(v.to_bits()));
    alternatives
}

/// Whether the rules keep a coordinate on the grid: that of a field that they set themselves.
fn is_on_grid(target: &Target, slot: ChangeTarget) -> bool {
    let ChangeTarget::Field(_, n) = slot else {
        return false;
    };
    let sets_field =
        |instr: &Instr| matches!(instr, Instr::SetItem { item, .. } if usize::from(*item) == n);
    let functions = target.program().functions.iter();
    let mut rules = functions.filter(|f| f.kind == FunctionKind::Rules);
    rules.any(|f| f.code.iter().any(sets_field))
}

/// Whether a place holds a reference that can be changed. A variable whose name is that of a
/// record always refers to it.
fn may_refer_to_others(target: &Target, place: &Place) -> bool {
    place.is_user_defined
        && (is_record_kind(place.present) || place.present == Value::NOTHING)
        && name_or_value(target, place.present) != place.name
}

/// Whether a variable with the value `old` can also hold `new`.
fn may_replace(target: &Target, old: Value, new: Value) -> bool {
    let type_of = |value: Value| {
        let store = &target.machine.store;
        target.language.value_type(target.program(), store, value)
    };
    !is_record(target, old) || type_of(old) == type_of(new)
}

/// The coordinates of a grid that is not too large.
fn coordinates(target: &Target) -> Vec<(Value, Origin)> {
    let outline = target
        .language
        .board_outline(target.program(), &target.machine.store);
    let (rows, cols) = outline.map_or((0, 0), |board| (board.rows, board.cols));
    if rows.saturating_mul(cols) > MAX_COORDINATES_TRIED {
        return Vec::new();
    }
    let cells = (0..rows as i32).flat_map(|row| (0..cols as i32).map(move |col| (row, col)));
    cells
        .filter_map(|(row, col)| Value::coordinate(row, col))
        .map(|value| (value, Origin::Program))
        .collect()
}

fn is_record_kind(value: Value) -> bool {
    let handle = value.as_heap();
    handle.is_some_and(|handle| handle.kind == ObjectKind::Record)
}

/// The coordinates that a program uses, and those that differ from the given one in the row or column.
fn coordinates_near((row, col): (i32, i32), values: &[Value]) -> Vec<(Value, Origin)> {
    let used = values
        .iter()
        .copied()
        .filter(|v| matches!(v.unpack(), Unpacked::Coordinate(..)));
    let numbers = values
        .iter()
        .filter_map(|v| i32::try_from(v.as_int()?).ok());
    let numbers = numbers.flat_map(|n| [n.checked_sub(1), Some(n), n.checked_add(1)]);
    let near = (-MAX_DISTANCE_TRIED..=MAX_DISTANCE_TRIED).map(|d| d as i32);
    let near = near.flat_map(|d| [row.checked_add(d), col.checked_add(d)]);
    let parts = numbers.chain(near).flatten();
    let changed = parts.flat_map(|n| [Value::coordinate(n, col), Value::coordinate(row, n)]);
    used.chain(changed.flatten())
        .map(|value| (value, Origin::Program))
        .collect()
}

/// How far two values are apart; 0 if they have no order.
fn distance(a: Value, b: Value) -> u64 {
    match (a.unpack(), b.unpack()) {
        (Unpacked::Int(a), Unpacked::Int(b)) => a.abs_diff(b),
        // The bits of positive floats are in the order of the numbers.
        (Unpacked::Float(a), Unpacked::Float(b)) => (a - b).abs().to_bits(),
        (Unpacked::Coordinate(r, c), Unpacked::Coordinate(row, col)) => {
            u64::from(r.abs_diff(row)) + u64::from(c.abs_diff(col))
        }
        _ => 0,
    }
}

/// The constants that a function computes or compares with. Texts of errors and warnings are not
/// among them.
fn constants(function: &Function) -> impl Iterator<Item = Value> {
    function.code.iter().filter_map(|instr| match instr {
        Instr::Int { value, .. } => Some(Value::int(*value)),
        Instr::JumpUnlessLessInt { value, .. }
        | Instr::JumpUnlessGreaterInt { value, .. }
        | Instr::JumpUnlessEqualInt { value, .. } => Some(Value::int((*value).into())),
        Instr::Constant { k, .. }
        | Instr::NameIs { k, .. }
        | Instr::JumpUnlessNameIs { k, .. }
        | Instr::JumpUnlessCellNameIs { k, .. } => function.constants.get(*k as usize).copied(),
        _ => None,
    })
}
