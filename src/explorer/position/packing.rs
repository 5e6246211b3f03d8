//! Packs a position into bytes and back.
//!
//! Two positions are the same if and only if their bytes are. A position consists of the variables that
//! can matter (see `cone`), the cells of the board, the objects on the heap that can be reached from
//! there, in the order in which they are reached, and, if a question is waiting for its answer or a draw
//! for its number, the call stack with the registers that are still needed. Not part of it: output,
//! time, piece ids, the random number generator, and everything that is the same in all positions.
//!
//! ```text
//! board         the cells of the board, in few bits each
//! codes         the first byte of a packed value
//! layout        which parts of a state are packed, and how
//! numbers       integers in few bytes
//! question      questions that are the same position although they are asked at different places
//! stack         the call stack of a position that waits for an answer or for a random number
//! value_reader  reads packed values
//! value_writer  packs values and the objects that they refer to
//! ```

mod board;
mod codes;
mod layout;
mod numbers;
mod question;
mod stack;
mod value_reader;
mod value_writer;

pub(crate) use board::number_pieces;
pub(crate) use layout::Layout;
pub(crate) use numbers::{pack_number, unpack_number, unzigzag, zigzag};

use crate::code::{FunctionId, Program};
use crate::language::{OrdinalField, Ordinals};
use crate::machine::Machine;
use crate::model::frame_rule::FrameRule;
use crate::model::setup::Reductions;
use crate::model::turn::TurnRule;
use crate::value::{Object, Store, Unpacked, Value};
use board::pack_board;
use stack::{FrameUse, StackImage, pack_clicks, unpack_clicks};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use value_reader::Reader;

/// What a packed position is: its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Nothing is running.
    Idle,
    /// A question is waiting for an answer.
    Question,
    /// A random number is about to be drawn.
    Draw,
    /// The game is an expression, and this is its value.
    Value,
    /// A turn has ended, and the next one has not begun; only where that is a position of its own.
    TurnEnd,
    /// A random number is about to be drawn before the first question of a turn.
    TurnDraw,
    /// A turn has ended that drew numbers but asked nothing. Only then is it known that the turn itself was
    /// the move: it is made in this position.
    TurnTaken,
}

impl Phase {
    /// The phase of a packed position.
    pub fn of(bytes: &[u8]) -> Phase {
        match bytes.first() {
            Some(1) => Phase::Question,
            Some(2) => Phase::Draw,
            Some(3) => Phase::Value,
            Some(4) => Phase::TurnEnd,
            Some(5) => Phase::TurnDraw,
            Some(6) => Phase::TurnTaken,
            _ => Phase::Idle,
        }
    }

    /// Whether a random number is drawn next.
    pub fn is_draw(self) -> bool {
        matches!(self, Phase::Draw | Phase::TurnDraw)
    }

    /// Whether something is running that waits for an answer or a number.
    pub fn has_stack(self) -> bool {
        self == Phase::Question || self.is_draw()
    }
}

/// The sort and the coordinates of a record. Ordinals at different places are never compared.
type OrdinalPlace = (bool, Option<(i32, i32)>);

/// The ordinal in a field of a record, with its place.
fn ordinal(
    ordinals: &Ordinals,
    field: OrdinalField,
    record: &[Value],
) -> Option<(OrdinalPlace, i64)> {
    let number = record.get(field.number as usize)?.as_int()?;
    let place = match record.get(field.place as usize)?.unpack() {
        Unpacked::Coordinate(row, col) => Some((row, col)),
        _ => None,
    };
    let sort = record.get(ordinals.sort as usize)?.unpack() == Unpacked::Bool(true);
    Some(((sort, place), number))
}

/// Packs the states of a machine, and puts them back.
pub(crate) struct Packer {
    program: Rc<Program>,
    reductions: Reductions,
    frame_uses: HashMap<(FunctionId, u32, bool), Rc<FrameUse>>,
    /// Says whose move it is; what it reads is part of the position.
    turn: Option<Arc<TurnRule>>,
    /// What else is kept of the frames that wait.
    frame_rules: Vec<FrameRule>,
    /// A function of another program, and the one that it is here.
    alias: Option<(FunctionId, FunctionId)>,
    /// Slots of the lists and records met so far, in order.
    objects: Vec<u32>,
    object_numbers: HashMap<u32, u32>,
    /// Ordinals with their places, ascending.
    ordinals: Vec<(OrdinalPlace, i64)>,
    /// The call stack of the position that was unpacked last.
    stack: StackImage,
}

/// The bytes of the value with which a game that is an expression has ended.
pub(crate) fn end_value<'b>(layout: &Layout, bytes: &'b [u8]) -> Option<&'b [u8]> {
    if Phase::of(bytes) != Phase::Value {
        return None;
    }
    let mut reader = Reader::new(layout, bytes);
    reader.value(&mut Store::default());
    bytes.get(1..reader.position())
}

/// The value with which a game that is an expression has ended. Lists and records in it are empty.
pub(crate) fn unpack_end_value(layout: &Layout, store: &mut Store, bytes: &[u8]) -> Option<Value> {
    let is_end = Phase::of(bytes) == Phase::Value;
    is_end.then(|| Reader::new(layout, bytes).value(store))
}

impl Packer {
    pub fn new(
        program: Rc<Program>,
        reductions: Reductions,
        turn: Option<Arc<TurnRule>>,
        frame_rules: Vec<FrameRule>,
    ) -> Packer {
        Packer {
            turn,
            frame_rules,
            alias: None,
            program,
            reductions,
            frame_uses: HashMap::new(),
            objects: Vec::new(),
            object_numbers: HashMap::new(),
            ordinals: Vec::new(),
            stack: StackImage::default(),
        }
    }

    /// Frames of the first function are packed as frames of the second one.
    pub fn set_alias(&mut self, alias: Option<(FunctionId, FunctionId)>) {
        self.alias = alias;
    }

    /// Appends the packed state of the machine to `out`.
    pub fn pack(&mut self, layout: &Layout, machine: &Machine, phase: Phase, out: &mut Vec<u8>) {
        let store = &machine.store;
        if layout.ordinals.is_some() && self.reductions.ordinals {
            // The first pass finds the objects, whose numbers are then ranked.
            self.ordinals.clear();
            let start = out.len();
            self.pack_parts(layout, machine, phase, out);
            out.truncate(start);
            self.rank_ordinals(layout, store);
        }
        self.pack_parts(layout, machine, phase, out);
    }

    fn pack_parts(&mut self, layout: &Layout, machine: &Machine, phase: Phase, out: &mut Vec<u8>) {
        let store = &machine.store;
        out.push(phase as u8);
        self.objects.clear();
        self.object_numbers.clear();
        for &global in &layout.cone.globals {
            let value = store.global(global);
            match &layout.ordinals {
                Some(ordinals) if ordinals.counter == global && self.reductions.ordinals => {
                    // However many numbers were given before, the next one is higher than all ranks.
                    let highest = Value::int(self.ordinals.len() as i32);
                    self.pack_value(layout, store, highest, out)
                }
                _ => self.pack_value(layout, store, value, out),
            }
        }
        if layout.has_board {
            pack_board(layout, store, out);
        }
        if phase.has_stack() {
            pack_clicks(store, out);
            self.pack_stack(layout, machine, out);
        }
        self.pack_objects(layout, store, out);
    }

    /// Appends the value of a game that is an expression, and what tells end positions apart.
    pub fn pack_end(
        &mut self,
        layout: &Layout,
        machine: &Machine,
        value: Value,
        out: &mut Vec<u8>,
    ) {
        out.push(Phase::Value as u8);
        self.objects.clear();
        self.object_numbers.clear();
        self.pack_value(layout, &machine.store, value, out);
        for &global in &layout.end_globals {
            let value = machine.store.global(global);
            self.pack_value(layout, &machine.store, value, out);
        }
        self.pack_objects(layout, &machine.store, out);
    }

    /// Appends a single value, such as the one that a game is to end with.
    pub fn pack_single(&mut self, layout: &Layout, store: &Store, value: Value, out: &mut Vec<u8>) {
        self.objects.clear();
        self.object_numbers.clear();
        self.pack_value(layout, store, value, out);
    }

    /// Collects the numbers of which only the order matters, from the records of the first pass.
    fn rank_ordinals(&mut self, layout: &Layout, store: &Store) {
        let Some(ordinals) = &layout.ordinals else {
            return;
        };
        let mut numbers: Vec<(OrdinalPlace, i64)> = Vec::new();
        for &slot in &self.objects {
            if let Some(Object::Record(fields)) = store.heap.object_in(slot) {
                let known = ordinals.fields.iter();
                numbers.extend(known.filter_map(|f| ordinal(ordinals, *f, fields)));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.ordinals = numbers;
    }

    /// The rank of a number among those at its place; `None` if it is not one of which only the order matters.
    fn rank(&self, layout: &Layout, field: u16, record: &[Value]) -> Option<Value> {
        let ordinals = layout.ordinals.as_ref()?;
        let field = ordinals.fields.iter().find(|f| f.number == field)?;
        let number = ordinal(ordinals, *field, record)?;
        let index = self.ordinals.binary_search(&number).ok()?;
        let first = self
            .ordinals
            .partition_point(|(place, _)| *place < number.0);
        Some(Value::int((index - first) as i32))
    }

    /// Puts a packed state into the machine, whose store is in the start position. Returns its phase.
    pub fn unpack(&mut self, layout: &Layout, machine: &mut Machine, bytes: &[u8]) -> Phase {
        let phase = Phase::of(bytes);
        let mut reader = Reader::new(layout, bytes);
        if phase == Phase::Value {
            machine.replace_stack(&[]);
            return phase;
        }
        for &global in &layout.cone.globals {
            let value = reader.value(&mut machine.store);
            machine.store.globals.set(global as usize, value);
        }
        if layout.has_board {
            reader.board(&mut machine.store);
        }
        if phase.has_stack() {
            unpack_clicks(&mut reader, &mut machine.store);
            self.unpack_stack(&mut reader, machine);
        } else if !machine.is_idle() {
            machine.replace_stack(&[]);
        }
        reader.objects(&mut machine.store);
        phase
    }
}
