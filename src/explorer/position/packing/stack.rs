//! The call stack of a position that waits for an answer or for a random number.

use super::layout::Layout;
use super::numbers::pack_number;
use super::question::same_question;
use super::value_reader::Reader;
use super::{Packer, Phase};
use crate::code::flow::Liveness;
use crate::code::{Function, FunctionId, Instr, Program, Reg};
use crate::machine::{Frame, FrameImage, Machine};
use crate::model::frame_rule::FrameRule;
use crate::value::{PieceMeta, Store, Value};
use std::rc::Rc;

/// What is needed of a frame that waits for a call to return, or at its next instruction.
pub(super) struct FrameUse {
    /// The instruction with which it continues; of several that ask the same question, the first.
    pc: u32,
    live: Vec<Reg>,
    /// It returns the result of the call and does nothing else.
    only_returns: bool,
}

/// A call stack, to be put into a machine.
#[derive(Default)]
pub(super) struct StackImage {
    frames: Vec<FrameImage>,
    /// Frame, register and value.
    registers: Vec<(usize, Reg, Value)>,
}

impl StackImage {
    fn put_into(&self, machine: &mut Machine) {
        machine.replace_stack(&self.frames);
        for &(frame, register, value) in &self.registers {
            machine.set_register(frame, register, value);
        }
    }
}

impl Packer {
    /// Puts the call stack of the position that was unpacked last into the machine again.
    pub fn restore_stack(&self, machine: &mut Machine, phase: Phase) {
        if phase.has_stack() {
            self.stack.put_into(machine);
        } else if !machine.is_idle() {
            machine.replace_stack(&[]);
        }
    }

    pub(super) fn pack_stack(&mut self, layout: &Layout, machine: &Machine, out: &mut Vec<u8>) {
        let frames = machine.frames();
        let count_at = out.len();
        out.push(0);
        let mut count = 0u64;
        // Where the frame below starts if frames that only return are left out, and whether it is kept.
        let (mut below, mut is_below_kept) = (0, false);
        let mut last_kept = 0;
        let mut stack = Vec::new();
        let turn_frame = self.turn.as_ref().and_then(|turn| {
            let is_turn = |f: &Frame| turn.at(f.function, f.pc).is_some();
            frames.iter().rposition(is_turn)
        });
        // The frames in which something is evaluated in the position.
        let rules = self.frame_rules.iter().filter_map(|rule| {
            let is_kept = |f: &Frame| rule.kept(f.function, f.pc).is_some();
            frames.iter().rposition(is_kept)
        });
        let needed: Vec<usize> = rules.chain(turn_frame).collect();
        for (n, frame) in frames.iter().enumerate() {
            let is_top = n + 1 == frames.len();
            let alias = self.alias.filter(|(other, _)| *other == frame.function);
            let function = alias.map_or(frame.function, |(_, function)| function);
            let frame_use = self.frame_use(function, frame.pc, is_top);
            // A frame takes the place of one that is left out: its result is what that one returns.
            let distance = match (n.checked_sub(1), is_below_kept) {
                (Some(caller), true) => machine.frame_base(n) - machine.frame_base(caller),
                _ => 0,
            };
            let base = below + distance;
            below = base;
            let is_left_out =
                frame_use.only_returns && self.reductions.tail_frames && !layout.has_escapes;
            is_below_kept = !is_left_out || needed.contains(&n);
            if !is_below_kept {
                continue;
            }
            count += 1;
            pack_number(function.0.into(), &mut stack);
            pack_number(frame_use.pc.into(), &mut stack);
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

    pub(super) fn frame_use(&mut self, id: FunctionId, pc: u32, is_top: bool) -> Rc<FrameUse> {
        if let Some(known) = self.frame_uses.get(&(id, pc, is_top)) {
            return known.clone();
        }
        let found = Rc::new(match self.program.function(id) {
            Some(function) => {
                let mut frame_use = frame_use(&self.program, function, pc, is_top);
                let turn_at = |pc: u32| self.turn.as_ref().and_then(|turn| turn.at(id, pc));
                let turn = turn_at(pc);
                if is_top && self.reductions.questions && self.reductions.liveness {
                    let liveness = Liveness::new(&self.program, function);
                    // What is evaluated in the position must not depend on the place.
                    let rule = |pc: u32| turn_at(pc).map(|turn| turn.function);
                    let has_rule = |rule: &FrameRule| rule.kept(id, pc).is_some();
                    let is_free = !self.frame_rules.iter().any(has_rule);
                    let is_same = |other: u32| is_free && rule(other) == rule(pc);
                    if let Some(same) = same_question(function, &liveness, pc, is_same) {
                        (frame_use.pc, frame_use.live) = (same.pc, same.live);
                    }
                }
                let rules = self.frame_rules.iter();
                let kept = rules.filter_map(|rule| rule.kept(id, pc)).flatten();
                let read = turn.iter().flat_map(|turn| &turn.registers_read);
                for register in read.chain(kept) {
                    if !frame_use.live.contains(register) {
                        frame_use.live.push(*register);
                    }
                }
                frame_use
            }
            None => FrameUse {
                pc,
                live: Vec::new(),
                only_returns: false,
            },
        });
        self.frame_uses.insert((id, pc, is_top), found.clone());
        found
    }

    pub(super) fn unpack_stack(&mut self, reader: &mut Reader<'_>, machine: &mut Machine) {
        let count = reader.number() as usize;
        let mut stack = std::mem::take(&mut self.stack);
        stack.frames.clear();
        stack.registers.clear();
        let mut base = 0;
        for n in 0..count {
            let function = FunctionId(reader.number() as u32);
            let pc = reader.number() as u32;
            base += reader.number() as u32;
            let self_piece = reader.value(&mut machine.store);
            stack.frames.push(FrameImage {
                function,
                pc,
                base,
                self_piece,
            });
            let is_top = n + 1 == count;
            if self.reductions.liveness {
                let frame_use = self.frame_use(function, pc, is_top);
                for &register in &frame_use.live {
                    stack
                        .registers
                        .push((n, register, reader.value(&mut machine.store)));
                }
                continue;
            }
            for register in 0..reader.number() as Reg {
                stack
                    .registers
                    .push((n, register, reader.value(&mut machine.store)));
            }
        }
        stack.put_into(machine);
        self.stack = stack;
    }
}

/// Which pieces were clicked in the current action.
pub(super) fn pack_clicks(store: &Store, out: &mut Vec<u8>) {
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

/// Marks the pieces that were clicked in the current action.
pub(super) fn unpack_clicks(reader: &mut Reader<'_>, store: &mut Store) {
    for _ in 0..reader.number() {
        let cell = reader.number() as u32;
        let meta = PieceMeta {
            last_click_action: store.action,
            ..store.piece_meta(cell)
        };
        store.piece_meta.set(cell as usize, meta);
    }
}

/// What is needed of a frame. If it is not the top one, it waits for the call before `pc` to return.
pub(super) fn frame_use(program: &Program, function: &Function, pc: u32, is_top: bool) -> FrameUse {
    let liveness = Liveness::new(program, function);
    let live = match is_top {
        true => liveness.at(pc),
        false => liveness.during_call(pc.saturating_sub(1)),
    };
    FrameUse {
        pc,
        live: live.iter().collect(),
        only_returns: !is_top && only_returns(function, pc),
    }
}

/// Whether a function does nothing from `pc` on but return the result of the call before.
pub(super) fn only_returns(function: &Function, pc: u32) -> bool {
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
