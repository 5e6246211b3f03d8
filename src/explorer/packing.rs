//! Packs a position into bytes and back.
//!
//! Two positions are the same if and only if their bytes are. A position consists of the variables that
//! can matter (see `cone`), the cells of the board, the objects on the heap that can be reached from
//! there, in the order in which they are reached, and, if a question is waiting for its answer or a draw
//! for its number, the call stack with the registers that are still needed. Not part of it: output,
//! time, piece ids, the random number generator, and everything that is the same in all positions.

use super::cone::Cone;
use super::setup::Reductions;
use crate::code::flow::{Effects, Liveness, Summary};
use crate::code::{Function, FunctionId, Instr, PieceField, Program, Reg};
use crate::language::{MoveModel, Ordinals};
use crate::machine::{FrameImage, Machine};
use crate::value::{
    Grid, InternedStr, Object, ObjectKind, Piece, PieceMeta, Store, Unpacked, Value,
};
use std::collections::HashMap;
use std::rc::Rc;

/// What a packed position is: its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Nothing is running.
    Idle,
    /// A question is waiting for an answer.
    Question,
    /// A random number is about to be drawn.
    Draw,
    /// The game is an expression, and this is its value.
    Value,
}

impl Phase {
    /// The phase of a packed position.
    pub fn of(bytes: &[u8]) -> Phase {
        match bytes.first() {
            Some(1) => Phase::Question,
            Some(2) => Phase::Draw,
            Some(3) => Phase::Value,
            _ => Phase::Idle,
        }
    }
}

// The first byte of a packed value.
const NOTHING: u8 = 0;
const EMPTY: u8 = 1;
const FALSE: u8 = 2;
const TRUE: u8 = 3;
const INT: u8 = 4;
const FLOAT: u8 = 5;
const STRING: u8 = 6;
const SYMBOL: u8 = 7;
const PIECE: u8 = 8;
const COORDINATE: u8 = 9;
const LIVE_PIECE_REF: u8 = 10;
const DEAD_PIECE_REF: u8 = 11;
/// A list or record that was met before.
const KNOWN_OBJECT: u8 = 12;
const NEW_LIST: u8 = 13;
const NEW_RECORD: u8 = 14;
const BUILT_STRING: u8 = 15;
const TUPLE: u8 = 16;
const WIDE_INT: u8 = 17;
const GRID: u8 = 18;
/// Small integers are a single byte, from here on.
const SMALL_INT: u8 = 32;
const SMALL_INTS: u8 = 64;
/// The strings and symbols of the program are a single byte, from here on.
const WORD: u8 = SMALL_INT + SMALL_INTS;
const MAX_WORDS: usize = u8::MAX as usize - WORD as usize + 1;

/// The id of a piece reference whose piece has left the board. No piece has it: ids are counted from
/// the number of cells in every position.
const DEAD_PIECE_ID: u32 = (1 << 22) - 1;

/// Which parts of a state are packed, and how.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub cone: Cone,
    /// Strings and symbols with a short code.
    words: Vec<Value>,
    word_codes: HashMap<u64, u8>,
    /// Number of owners, and bits per cell.
    owners: u32,
    cell_bits: u32,
    /// Whether the size of the board can change.
    is_resizable: bool,
    has_board: bool,
    /// Whether code can unwind the stack. Then no frame can be left out.
    has_escapes: bool,
    /// Numbers of which only the order matters.
    ordinals: Option<Ordinals>,
    /// Globals that only tell end positions apart.
    end_globals: Vec<u32>,
}

impl Layout {
    /// The layout of the positions of a game. `summary` is what its actions do.
    pub fn new(
        program: &Program,
        cone: Cone,
        model: &MoveModel,
        summary: &Summary,
        store: &Store,
        reductions: Reductions,
    ) -> Layout {
        let used = summary
            .functions
            .iter()
            .filter_map(|f| program.function(*f));
        let mut code = used.flat_map(|f| f.code.iter());
        let is_resizable = summary.effects.has(Effects::RESIZES);
        let drops_owners = reductions.variables && !code.clone().any(reads_owner);
        let complete = Layout::complete(program, cone);
        let owners = if drops_owners { 1 } else { complete.owners };
        Layout {
            owners,
            cell_bits: cell_bits(program, owners),
            is_resizable,
            has_board: store.rows > 0 || is_resizable,
            has_escapes: code.any(|instr| matches!(instr, Instr::Catch { .. })),
            ordinals: model.ordinals.clone(),
            end_globals: model.end_globals.clone(),
            ..complete
        }
    }

    /// A layout of everything: nothing is the same in all positions.
    pub fn complete(program: &Program, cone: Cone) -> Layout {
        let constants = program.functions.iter().flat_map(|f| f.constants.iter());
        let mut words: Vec<Value> = Vec::new();
        let mut word_codes = HashMap::new();
        for value in constants {
            let is_word = matches!(value.unpack(), Unpacked::String(_) | Unpacked::Symbol(_));
            if is_word && words.len() < MAX_WORDS && !word_codes.contains_key(&value.to_bits()) {
                word_codes.insert(value.to_bits(), WORD + words.len() as u8);
                words.push(*value);
            }
        }
        let owners = program.owners.len().max(1) as u32;
        Layout {
            cone,
            words,
            word_codes,
            owners,
            cell_bits: cell_bits(program, owners),
            is_resizable: true,
            has_board: true,
            has_escapes: true,
            ordinals: None,
            end_globals: Vec::new(),
        }
    }

    fn cell_code(&self, value: Value) -> u32 {
        match value.as_piece() {
            None => 0,
            Some(p) => {
                // With a single code for owners, they are not part of the position.
                let owner = (p.owner as u32).min(self.owners - 1);
                1 + ((p.kind as u32 * self.owners + owner) << 1 | p.visible as u32)
            }
        }
    }

    fn cell_value(&self, cell: u32, code: u32) -> Value {
        let Some(code) = code.checked_sub(1) else {
            return Value::EMPTY;
        };
        let kind_and_owner = code >> 1;
        Value::piece(Piece {
            cell,
            kind: (kind_and_owner / self.owners) as u16,
            owner: (kind_and_owner % self.owners) as u16,
            visible: code & 1 == 1,
        })
    }
}

/// Whether the owner of a piece can decide something.
fn reads_owner(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::PieceField {
            field: PieceField::Owner,
            ..
        } | Instr::EqualAnyType { .. }
    )
}

/// Bits for the content of a cell: a kind, an owner and whether it is visible, or nothing.
fn cell_bits(program: &Program, owners: u32) -> u32 {
    let contents = 1 + program.piece_kinds.len() as u32 * owners * 2;
    contents.next_power_of_two().ilog2()
}

/// What is needed of a frame that waits for a call to return, or at its next instruction.
struct FrameUse {
    live: Vec<Reg>,
    /// It returns the result of the call and does nothing else.
    only_returns: bool,
}

/// Packs the states of a machine, and puts them back.
pub(super) struct Packer {
    program: Rc<Program>,
    reductions: Reductions,
    frame_uses: HashMap<(FunctionId, u32, bool), Rc<FrameUse>>,
    /// Slots of the lists and records met so far, in order.
    objects: Vec<u32>,
    object_numbers: HashMap<u32, u32>,
    /// Ranks of ordinals, ascending.
    ordinals: Vec<i64>,
}

impl Packer {
    pub fn new(program: Rc<Program>, reductions: Reductions) -> Packer {
        Packer {
            program,
            reductions,
            frame_uses: HashMap::new(),
            objects: Vec::new(),
            object_numbers: HashMap::new(),
            ordinals: Vec::new(),
        }
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
                    self.pack_value(layout, store, self.rank(value), out)
                }
                _ => self.pack_value(layout, store, value, out),
            }
        }
        if layout.has_board {
            pack_board(layout, store, out);
        }
        if matches!(phase, Phase::Question | Phase::Draw) {
            self.pack_clicks(store, out);
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
        let mut numbers: Vec<i64> = Vec::new();
        numbers.extend(store.global(ordinals.counter).as_int());
        for &slot in &self.objects {
            if let Some(Object::Record(fields)) = store.heap.object_in(slot) {
                let fields_of = ordinals.fields.iter();
                numbers.extend(fields_of.filter_map(|f| fields.get(*f as usize)?.as_int()));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.ordinals = numbers;
    }

    fn rank(&self, value: Value) -> Value {
        let rank = value.as_int().map(|n| self.ordinals.binary_search(&n));
        match rank {
            Some(Ok(rank)) => Value::int(rank as i32),
            _ => value,
        }
    }

    fn pack_value(&mut self, layout: &Layout, store: &Store, value: Value, out: &mut Vec<u8>) {
        match value.unpack() {
            Unpacked::Nothing => out.push(NOTHING),
            Unpacked::Empty => out.push(EMPTY),
            Unpacked::Bool(false) => out.push(FALSE),
            Unpacked::Bool(true) => out.push(TRUE),
            Unpacked::Int(n) => pack_int(n, out),
            Unpacked::Float(x) => {
                out.push(FLOAT);
                out.extend(x.to_bits().to_le_bytes());
            }
            Unpacked::String(word) | Unpacked::Symbol(word) => {
                match layout.word_codes.get(&value.to_bits()) {
                    Some(code) => out.push(*code),
                    None => {
                        let is_string = value.as_interned().is_some();
                        out.push(if is_string { STRING } else { SYMBOL });
                        pack_number(word.index().into(), out);
                    }
                }
            }
            Unpacked::Piece(_) => {
                out.push(PIECE);
                pack_number(value.payload(), out);
            }
            Unpacked::Coordinate(row, col) => {
                out.push(COORDINATE);
                pack_number(zigzag(row.into()), out);
                pack_number(zigzag(col.into()), out);
            }
            Unpacked::PieceRef(cell, id) => {
                let is_live = store.piece_meta(cell).id == id && store.piece(cell).is_some();
                out.push(match is_live {
                    true => LIVE_PIECE_REF,
                    false => DEAD_PIECE_REF,
                });
                pack_number(cell.into(), out);
            }
            Unpacked::Heap(handle) => match store.heap.object(handle) {
                Some(Object::String(text)) => {
                    out.push(BUILT_STRING);
                    pack_number(text.len() as u64, out);
                    out.extend(text.as_bytes());
                }
                Some(Object::Int(n)) => {
                    out.push(WIDE_INT);
                    out.extend(n.to_le_bytes());
                }
                Some(Object::Tuple(items)) => {
                    let items = items.clone();
                    out.push(TUPLE);
                    pack_number(items.len() as u64, out);
                    for &item in items.iter() {
                        self.pack_value(layout, store, item, out);
                    }
                }
                Some(Object::Grid(grid)) => {
                    let grid = grid.clone();
                    out.push(GRID);
                    pack_number(grid.rows.into(), out);
                    pack_number(grid.cols.into(), out);
                    for &cell in &grid.cells {
                        self.pack_value(layout, store, cell, out);
                    }
                }
                Some(Object::List(_) | Object::Record(_)) => {
                    let next = self.objects.len() as u32;
                    let number = *self.object_numbers.entry(handle.slot).or_insert(next);
                    if number < next {
                        out.push(KNOWN_OBJECT);
                        pack_number(number.into(), out);
                        return;
                    }
                    self.objects.push(handle.slot);
                    out.push(match handle.kind {
                        ObjectKind::Record => NEW_RECORD,
                        _ => NEW_LIST,
                    });
                }
                Some(Object::Free(_)) | None => out.push(NOTHING),
            },
        }
    }

    /// Appends the contents of the lists and records, including those that are only found on the way.
    fn pack_objects(&mut self, layout: &Layout, store: &Store, out: &mut Vec<u8>) {
        let mut next = 0;
        while let Some(&slot) = self.objects.get(next) {
            next += 1;
            let Some(Object::List(items) | Object::Record(items)) = store.heap.object_in(slot)
            else {
                continue;
            };
            let is_record = matches!(store.heap.object_in(slot), Some(Object::Record(_)));
            let items = items.clone();
            pack_number(items.len() as u64, out);
            for (n, &item) in (0..).zip(items.iter()) {
                let item = match is_record {
                    true => self.field_value(layout, n, item),
                    false => item,
                };
                self.pack_value(layout, store, item, out);
            }
        }
    }

    /// The value of a field as it is packed: its rank if only the order matters, and any value of the
    /// same type if it cannot matter.
    fn field_value(&self, layout: &Layout, field: u16, value: Value) -> Value {
        let ordinals = layout.ordinals.as_ref();
        if self.reductions.ordinals && ordinals.is_some_and(|o| o.fields.contains(&field)) {
            return self.rank(value);
        }
        match layout.cone.idle_fields.contains(&field) {
            true => representative(value),
            false => value,
        }
    }

    /// Which pieces were clicked in the current action.
    fn pack_clicks(&self, store: &Store, out: &mut Vec<u8>) {
        let is_clicked = |meta: &PieceMeta| meta.last_click_action == store.action;
        let metas = store.piece_meta.as_slice();
        let clicked = metas.iter().filter(|m| is_clicked(m)).count();
        match store.action {
            0 => pack_number(0, out),
            _ => pack_number(clicked as u64, out),
        }
        if store.action > 0 && clicked > 0 {
            let cells = metas.iter().enumerate().filter(|(_, m)| is_clicked(m));
            cells.for_each(|(cell, _)| pack_number(cell as u64, out));
        }
    }

    fn pack_stack(&mut self, layout: &Layout, machine: &Machine, out: &mut Vec<u8>) {
        let frames = machine.frames();
        let count_at = out.len();
        out.push(0);
        let mut count = 0u64;
        // Where the frame below starts if frames that only return are left out, and whether it is kept.
        let (mut below, mut is_below_kept) = (0, false);
        let mut last_kept = 0;
        let mut stack = Vec::new();
        for (n, frame) in frames.iter().enumerate() {
            let is_top = n + 1 == frames.len();
            let frame_use = self.frame_use(frame.function, frame.pc, is_top);
            // A frame takes the place of one that is left out: its result is what that one returns.
            let distance = match (n.checked_sub(1), is_below_kept) {
                (Some(caller), true) => machine.frame_base(n) - machine.frame_base(caller),
                _ => 0,
            };
            let base = below + distance;
            below = base;
            is_below_kept =
                !(frame_use.only_returns && self.reductions.tail_frames && !layout.has_escapes);
            if !is_below_kept {
                continue;
            }
            count += 1;
            pack_number(frame.function.0.into(), &mut stack);
            pack_number(frame.pc.into(), &mut stack);
            pack_number((base - last_kept).into(), &mut stack);
            last_kept = base;
            self.pack_value(layout, &machine.store, frame.self_piece, &mut stack);
            let registers = machine.registers(n);
            match self.reductions.liveness {
                true => {
                    for &register in &frame_use.live {
                        let value = registers.get(register as usize).copied();
                        let value = value.unwrap_or(Value::NOTHING);
                        self.pack_value(layout, &machine.store, value, &mut stack);
                    }
                }
                // Registers of a caller from the callee's first one on belong to the callee.
                false => {
                    let end = frames.get(n + 1).map_or(registers.len(), |_| {
                        (machine.frame_base(n + 1) - machine.frame_base(n)) as usize
                    });
                    let end = end.min(registers.len());
                    pack_number(end as u64, &mut stack);
                    for &value in &registers[..end] {
                        self.pack_value(layout, &machine.store, value, &mut stack);
                    }
                }
            }
        }
        out.truncate(count_at);
        pack_number(count, out);
        out.append(&mut stack);
    }

    fn frame_use(&mut self, id: FunctionId, pc: u32, is_top: bool) -> Rc<FrameUse> {
        if let Some(known) = self.frame_uses.get(&(id, pc, is_top)) {
            return known.clone();
        }
        let found = Rc::new(match self.program.function(id) {
            Some(function) => frame_use(&self.program, function, pc, is_top),
            None => FrameUse {
                live: Vec::new(),
                only_returns: false,
            },
        });
        self.frame_uses.insert((id, pc, is_top), found.clone());
        found
    }

    /// Puts a packed state into the machine, whose store is in the start position. Returns its phase.
    pub fn unpack(&mut self, layout: &Layout, machine: &mut Machine, bytes: &[u8]) -> Phase {
        let phase = Phase::of(bytes);
        let mut reader = Reader {
            layout,
            bytes,
            at: 1,
            objects: Vec::new(),
        };
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
        match phase {
            Phase::Question | Phase::Draw => {
                for _ in 0..reader.number() {
                    let cell = reader.number() as u32;
                    let meta = PieceMeta {
                        last_click_action: machine.store.action,
                        ..machine.store.piece_meta(cell)
                    };
                    machine.store.piece_meta.set(cell as usize, meta);
                }
                self.unpack_stack(&mut reader, machine);
            }
            _ if machine.is_idle() => {}
            _ => machine.replace_stack(&[]),
        }
        reader.objects(&mut machine.store);
        phase
    }

    fn unpack_stack(&mut self, reader: &mut Reader<'_>, machine: &mut Machine) {
        let count = reader.number() as usize;
        let mut frames = Vec::with_capacity(count);
        let mut registers = Vec::new();
        let mut base = 0;
        for n in 0..count {
            let function = FunctionId(reader.number() as u32);
            let pc = reader.number() as u32;
            base += reader.number() as u32;
            let self_piece = reader.value(&mut machine.store);
            frames.push(FrameImage {
                function,
                pc,
                base,
                self_piece,
            });
            let is_top = n + 1 == count;
            if self.reductions.liveness {
                let frame_use = self.frame_use(function, pc, is_top);
                for &register in &frame_use.live {
                    registers.push((n, register, reader.value(&mut machine.store)));
                }
                continue;
            }
            for register in 0..reader.number() as Reg {
                registers.push((n, register, reader.value(&mut machine.store)));
            }
        }
        machine.replace_stack(&frames);
        for (frame, register, value) in registers {
            machine.set_register(frame, register, value);
        }
    }
}

/// What is needed of a frame. If it is not the top one, it waits for the call before `pc` to return.
fn frame_use(program: &Program, function: &Function, pc: u32, is_top: bool) -> FrameUse {
    let liveness = Liveness::new(program, function);
    let live = match is_top {
        true => liveness.at(pc),
        false => liveness.during_call(pc.saturating_sub(1)),
    };
    FrameUse {
        live: live.iter().collect(),
        only_returns: !is_top && only_returns(function, pc),
    }
}

/// Whether a function does nothing from `pc` on but return the result of the call before.
fn only_returns(function: &Function, pc: u32) -> bool {
    let call = function.code.get(pc.wrapping_sub(1) as usize);
    let Some(Instr::Call { base, .. }) = call else {
        return false;
    };
    let mut holds_result = vec![*base];
    let mut pc = pc;
    // No more steps than instructions: a loop never returns.
    for _ in 0..function.code.len() {
        match function.code.get(pc as usize) {
            Some(Instr::Move { dst, src }) => {
                let is_result = holds_result.contains(src);
                holds_result.retain(|register| register != dst);
                if is_result {
                    holds_result.push(*dst);
                }
                pc += 1;
            }
            Some(Instr::Jump { to }) => pc = *to,
            Some(Instr::Return { src }) => return holds_result.contains(src),
            _ => return false,
        }
    }
    false
}

/// Any value of the same type.
fn representative(value: Value) -> Value {
    match value.unpack() {
        Unpacked::Int(_) => Value::int(0),
        Unpacked::Float(_) => Value::float(0.0),
        Unpacked::Bool(_) => Value::FALSE,
        _ => value,
    }
}

fn pack_board(layout: &Layout, store: &Store, out: &mut Vec<u8>) {
    if layout.is_resizable {
        pack_number(store.rows.into(), out);
        pack_number(store.cols.into(), out);
    }
    let (mut bits, mut count) = (0u64, 0);
    for &cell in store.cells.as_slice() {
        bits |= u64::from(layout.cell_code(cell)) << count;
        count += layout.cell_bits;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        out.push(bits as u8);
    }
}

fn pack_int(n: i64, out: &mut Vec<u8>) {
    if (0..i64::from(SMALL_INTS)).contains(&n) {
        out.push(SMALL_INT + n as u8);
    } else {
        out.push(INT);
        pack_number(zigzag(n), out);
    }
}

/// Maps integers to natural numbers, small ones to small ones.
fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Seven bits per byte, lowest first.
pub(super) fn pack_number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads what [`pack_number`] wrote at `at`, and moves past it.
pub(super) fn unpack_number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut n, mut shift) = (0, 0);
    while let Some(&byte) = bytes.get(*at) {
        *at += 1;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

/// Reads a packed state. Objects are allocated when they are first met and filled in at the end.
struct Reader<'b> {
    layout: &'b Layout,
    bytes: &'b [u8],
    at: usize,
    objects: Vec<Value>,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(NOTHING);
        self.at += 1;
        byte
    }

    fn number(&mut self) -> u64 {
        unpack_number(self.bytes, &mut self.at)
    }

    fn eight_bytes(&mut self) -> [u8; 8] {
        std::array::from_fn(|_| self.byte())
    }

    fn value(&mut self, store: &mut Store) -> Value {
        match self.byte() {
            NOTHING => Value::NOTHING,
            EMPTY => Value::EMPTY,
            FALSE => Value::FALSE,
            TRUE => Value::TRUE,
            INT => {
                let n = unzigzag(self.number());
                store.heap.alloc_int(n)
            }
            FLOAT => Value::float(f64::from_bits(u64::from_le_bytes(self.eight_bytes()))),
            STRING => Value::interned(InternedStr::from_index(self.number() as u32)),
            SYMBOL => Value::symbol(InternedStr::from_index(self.number() as u32)),
            PIECE => Value::loop_state(self.number()),
            COORDINATE => {
                let (row, col) = (unzigzag(self.number()), unzigzag(self.number()));
                Value::coordinate(row as i32, col as i32).unwrap_or(Value::NOTHING)
            }
            LIVE_PIECE_REF => {
                let cell = self.number() as u32;
                Value::piece_ref(cell, store.piece_meta(cell).id)
            }
            DEAD_PIECE_REF => Value::piece_ref(self.number() as u32, DEAD_PIECE_ID),
            KNOWN_OBJECT => {
                let number = self.number() as usize;
                self.objects.get(number).copied().unwrap_or(Value::NOTHING)
            }
            NEW_LIST => self.new_object(store, Object::List(Rc::default())),
            NEW_RECORD => self.new_object(store, Object::Record(Rc::default())),
            BUILT_STRING => {
                let len = self.number() as usize;
                let bytes = self.bytes.get(self.at..self.at + len).unwrap_or_default();
                self.at += len;
                store.heap.alloc_string(&String::from_utf8_lossy(bytes))
            }
            TUPLE => {
                let len = self.number();
                let items = (0..len).map(|_| self.value(store)).collect();
                store.heap.alloc_tuple(items)
            }
            WIDE_INT => {
                let n = i64::from_le_bytes(self.eight_bytes());
                store.heap.alloc_int(n)
            }
            GRID => self.grid(store),
            code if code >= WORD => {
                let words = &self.layout.words;
                let word = words.get((code - WORD) as usize).copied();
                word.unwrap_or(Value::NOTHING)
            }
            code => Value::int(i32::from(code) - i32::from(SMALL_INT)),
        }
    }

    fn grid(&mut self, store: &mut Store) -> Value {
        let (rows, cols) = (self.number() as u32, self.number() as u32);
        let mut grid = Grid::filled(rows, cols, Value::EMPTY);
        let cells: Vec<Value> = (0..rows * cols).map(|_| self.value(store)).collect();
        grid.cells = cells.into_iter().collect();
        store.heap.alloc(Object::Grid(Rc::new(grid)))
    }

    /// Allocates a list or record that is filled in later.
    fn new_object(&mut self, store: &mut Store, object: Object) -> Value {
        let value = store.heap.alloc(object);
        self.objects.push(value);
        value
    }

    /// Fills in the objects that were met.
    fn objects(&mut self, store: &mut Store) {
        let mut next = 0;
        while let Some(&object) = self.objects.get(next) {
            next += 1;
            let len = self.number();
            let items: Vec<Value> = (0..len).map(|_| self.value(store)).collect();
            if let Some(slot) = store.heap.items_mut(object) {
                *slot = items;
            }
        }
    }

    fn board(&mut self, store: &mut Store) {
        let layout = self.layout;
        if layout.is_resizable {
            let (rows, cols) = (self.number() as u32, self.number() as u32);
            if (store.rows, store.cols) != (rows, cols) {
                store.resize(rows, cols);
                number_pieces(store);
            }
        }
        let (mut bits, mut count) = (0u64, 0);
        let mask = (1 << layout.cell_bits) - 1;
        for cell in 0..store.cells.len() as u32 {
            while count < layout.cell_bits {
                bits |= u64::from(self.byte()) << count;
                count += 8;
            }
            let value = layout.cell_value(cell, bits as u32 & mask);
            bits >>= layout.cell_bits;
            count -= layout.cell_bits;
            if store.cell(cell) != value {
                store.cells.set(cell as usize, value);
            }
        }
    }
}

/// Gives every cell an id of its own, whether it has a piece or not: pieces of packed positions have
/// the id of their cell.
pub(super) fn number_pieces(store: &mut Store) {
    for cell in 0..store.cells.len() {
        let meta = PieceMeta {
            id: (cell as u32 + 1) % DEAD_PIECE_ID,
            last_click_action: 0,
        };
        store.piece_meta.set(cell, meta);
    }
    store.pieces_placed = store.cells.len() as u32;
}
