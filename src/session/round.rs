//! The loop at hand: in which round it is, and its rounds as a table.

use super::table::table;
use super::{FrameLook, Line, Reply, Session, Style};
use crate::debugger::cycle::{self, Count, Cycle};
use crate::debugger::rounds::Rounds;
use crate::debugger::{Goal, Stepper};
use crate::diagnostic::Diagnostic;
use crate::machine::{Outcome, Pause};
use crate::source::Span;

/// A loop that a frame is in the midst of.
pub struct Going {
    pub cycle: Cycle,
    /// The round going on, from 1; the test that ends a loop is in the round that it prevents.
    pub round: u64,
    /// When the loop was entered.
    pub entered: u64,
}

/// How many instructions a look for the beginning of a loop may take: about as many as lie between checkpoints.
const NEAR: u64 = 300_000;
/// The same for somebody who asks for the rounds.
const FAR: u64 = 50_000_000;
/// So many loops of an expression are shown.
const MOST_LOOPS: usize = 4;

impl Session {
    /// The round of the loop around the statement that a frame is at.
    pub fn round_of(&mut self, look: &FrameLook) -> Option<u64> {
        let function = self.machine.function(look.function)?;
        let around = cycle::around(function, look.pc)?;
        self.going(look, around, NEAR).map(|g| g.round)
    }

    /// `round 2, p=[0][1]`: where the loop stands whose head a part of the text is, if it is one.
    pub(super) fn round_words(&mut self, look: &FrameLook, head: Span) -> Option<String> {
        let function = self.machine.function(look.function)?.clone();
        let cycle = cycle::cycles(&function)
            .into_iter()
            .find(|c| c.head.span == head && c.holds(look.pc))?;
        let going = self.going(look, cycle, FAR)?;
        let mut words = vec![format!("round {}", going.round)];
        let registers = self.machine.registers(look.index);
        for local in function
            .locals_at(look.pc)
            .filter(|l| l.from == cycle.top || l.from == cycle.from)
        {
            let Some(value) = registers.get(local.register as usize).copied() else {
                continue;
            };
            words.push(format!("{}={}", local.name, self.write_placed(value)));
        }
        Some(words.join(", "))
    }

    /// When a loop that is going on in a frame was entered, and how often it went round since.
    fn going(&mut self, look: &FrameLook, cycle: Cycle, patience: u64) -> Option<Going> {
        let now = self.machine.time();
        let depth = look.index + 1;
        let function = self.machine.function(look.function)?.clone();
        // The round that begins with the very next instruction has begun for a person.
        let begins = self.machine.frames().len() == depth
            && self.machine.at() == Some((look.function, cycle.top));
        self.elsewhere(|s| {
            let (mut until, mut round) = (now, u64::from(begins));
            for start in s.timeline.starts_before(now) {
                if now - start > patience {
                    return None;
                }
                s.timeline.go_into(&mut s.machine, start);
                let mut count = Count::new(function.clone(), cycle, depth, until);
                s.watch_until(&mut count, until);
                round += count.rounds;
                if let Some(entered) = count.entered {
                    return Some(Going {
                        cycle,
                        round,
                        entered,
                    });
                }
                until = start;
            }
            None
        })
    }

    /// The loop at hand, and when it was entered: now, if it begins here.
    fn loop_at_hand(&mut self) -> Option<(FrameLook, Going)> {
        let look = self.look_at(self.debugger.frame)?;
        let function = self.machine.function(look.function)?;
        let cycle = cycle::at_hand(function, look.pc)?;
        if !cycle.holds(look.pc) {
            let entered = self.machine.time();
            return Some((
                look,
                Going {
                    cycle,
                    round: 0,
                    entered,
                },
            ));
        }
        let going = self.going(&look, cycle, FAR)?;
        Some((look, going))
    }

    /// The instructions of the loop at hand, for going past it.
    pub fn cycle_at_hand(&self) -> Option<Cycle> {
        let (id, pc) = self.machine.at()?;
        cycle::at_hand(self.machine.function(id)?, pc)
    }

    /// The rounds of the loop at hand as a table, those that lie ahead too; false if no loop is at hand.
    pub fn loop_table(&mut self, reply: &mut Reply) -> bool {
        let Some((look, going)) = self.loop_at_hand() else {
            return false;
        };
        let here = (going.round > 0).then_some(self.machine.time());
        self.tell_rounds(&look, &going, u64::MAX, here, reply);
        true
    }

    /// Runs the loop at hand as one, and shows its rounds; false if no loop is at hand.
    pub fn over_loop(&mut self, reply: &mut Reply) -> bool {
        self.debugger.frame = self.own_frame();
        let Some((look, going)) = self.loop_at_hand() else {
            return false;
        };
        let (from, to) = (going.cycle.head.pc.min(going.cycle.from), going.cycle.end);
        let depth = look.index + 1;
        let rehearsal = self.is_rehearsing();
        if rehearsal {
            // It may be gone when the loop is over.
            self.tell_rounds(&look, &going, u64::MAX, None, reply);
        }
        self.hold();
        self.drive(Some(Goal::Past { depth, from, to }), reply);
        if !rehearsal {
            self.tell_rounds(&look, &going, self.machine.time(), None, reply);
        }
        self.release(reply);
        true
    }

    /// The rounds of the loops of a block or an expression, which is run on a copy; false if there are none.
    pub fn loops_of(&mut self, text: &str, reply: &mut Reply) -> Result<bool, Vec<Diagnostic>> {
        let looked = match self.block_titled(text) {
            Some(looked) => looked,
            None => self.compile_look(text)?.1,
        };
        let tables = self.on_a_copy(|s| {
            s.start_looking(looked)?;
            Ok::<_, Vec<Diagnostic>>(s.loops_ahead())
        })?;
        let several = tables.len() > 1;
        for (place, lines) in &tables {
            if several {
                reply.line(Line::styled(Style::Dim, format!("  {place}")));
            }
            lines.iter().for_each(|line| reply.line(line.clone()));
        }
        Ok(!tables.is_empty())
    }

    /// The loops that what is running comes to, each with its place and its table; those inside of them are their own.
    fn loops_ahead(&mut self) -> Vec<(String, Vec<Line>)> {
        let marks = self.debugger.stops(self.machine.program(), &[]);
        let limit = self.machine.time() + FAR;
        let mut tables = Vec::new();
        let mut from = u64::MAX;
        while tables.len() < MOST_LOOPS && self.machine.time() < limit {
            let mut stepper = Stepper {
                marks: &marks,
                goal: Goal::Into,
                from,
                until: u64::MAX,
                trapped: false,
                trace: None,
            };
            let Outcome::Paused(Pause::Watcher) = self.machine.watched(&mut stepper) else {
                break;
            };
            from = self.machine.time();
            let Some((id, pc)) = self.machine.at() else {
                break;
            };
            let Some(function) = self.machine.function(id).cloned() else {
                break;
            };
            if let Some(cycle) = cycle::cycles(&function)
                .into_iter()
                .find(|c| c.head.pc == pc)
            {
                let mut rounds = Rounds::new(&function, cycle, self.machine.frames().len(), limit);
                self.machine.watched(&mut rounds);
                // Whoever stands behind it may stand before the next.
                from = u64::MAX;
                let place = format!(
                    "in {}, {}",
                    function.name,
                    self.short_place(cycle.head.span)
                );
                tables.push((place, table(&rounds, None, &self.sources, self.look.width)));
            }
        }
        tables
    }

    fn tell_rounds(
        &mut self,
        look: &FrameLook,
        going: &Going,
        until: u64,
        here: Option<u64>,
        reply: &mut Reply,
    ) {
        let Some(function) = self.machine.function(look.function).cloned() else {
            return;
        };
        let mut rounds = Rounds::new(&function, going.cycle, look.index + 1, until);
        self.elsewhere(|s| {
            s.timeline.go_into(&mut s.machine, going.entered);
            s.watch_until(&mut rounds, until);
        });
        for line in table(&rounds, here, &self.sources, self.look.width) {
            reply.line(line);
        }
    }
}
