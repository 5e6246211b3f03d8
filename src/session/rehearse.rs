//! Stepping through a block or an expression on the live board, without changing the game.

use super::query::Looked;
use super::{Line, Reply, Session, Style};
use crate::code::{Function, FunctionId, Instr, Role};
use crate::debugger::{Deed, Goal, Record};

impl Session {
    /// Begins to run a block or an expression, to be stepped through. It is a rehearsal: when it is done all is
    /// as it was.
    pub fn rehearse(&mut self, text: &str, reply: &mut Reply) {
        let titled = self
            .function_titled(text)
            .or_else(|| self.function_titled(text.strip_suffix("()")?));
        if let Some(trouble) = titled.and_then(|f| self.not_by_itself(f)) {
            return reply.error(trouble);
        }
        let Looked { program, function } = match titled {
            Some(function) => Looked {
                program: self.program().clone(),
                function,
            },
            None => match self.compile_look(text) {
                Ok((_, looked)) => looked,
                Err(diagnostics) => {
                    reply.ok = false;
                    reply.diagnostics = diagnostics;
                    return;
                }
            },
        };
        let deed = match self.is_stopped() {
            true => {
                let (frame, locals) = (self.frame_index(), self.registers_at_hand());
                Deed::Inside {
                    program,
                    function,
                    frame,
                    locals,
                    moved: Vec::new(),
                }
            }
            false => Deed::Run {
                program,
                function: Some(function),
                fresh: false,
            },
        };
        if !self.is_stopped() {
            (self.debugger.last_stop, self.debugger.last_fields) = (None, self.fields());
        }
        let left = self.begin(deed, None, format!(":step {text}"));
        if let Some(record) = self.timeline.current_mut() {
            (record.rehearsal, record.gives) = (true, true);
        }
        self.leave_branch_alone(left);
        reply.line(Line::styled(
            Style::Dim,
            "a rehearsal: when it is done, all is as it was",
        ));
        let Some((code, pc)) = self
            .machine
            .at()
            .and_then(|(f, pc)| Some((self.machine.function(f)?, pc)))
        else {
            return;
        };
        if is_mere_call(code) {
            // What matters is in what it calls.
            return self.drive(Some(Goal::Under(self.machine.frames().len())), reply);
        }
        // A function's first stop may be its very first instruction; that of a rule is none, unless they are stepped through.
        match code.stop_at(pc).is_some() && (code.role != Role::Rules || self.debugger.rules) {
            true => self.stop("step", "", reply),
            false => self.drive(Some(Goal::Into), reply),
        }
    }

    /// A block that can be run as it is, by its title.
    pub(super) fn block_titled(&self, title: &str) -> Option<Looked> {
        let function = self
            .function_titled(title)
            .filter(|f| self.not_by_itself(*f).is_none())?;
        Some(Looked {
            program: self.program().clone(),
            function,
        })
    }

    /// Why a function can't be run as it is.
    fn not_by_itself(&self, function: FunctionId) -> Option<String> {
        let code = self.machine.function(function)?;
        let title = code.name;
        if code.stops.is_empty() {
            let titles = self.titles();
            let there = if titles.is_empty() {
                String::new()
            } else {
                format!("; there is {}", titles.join(", "))
            };
            return Some(format!(
                "there is nothing in {title} to step through: it was not defined{there}"
            ));
        }
        let names: Vec<&str> = code
            .locals
            .iter()
            .filter(|l| l.register < code.parameters)
            .map(|l| l.name.as_str())
            .collect();
        match code.role {
            Role::Function if code.parameters > 0 => Some(format!(
                "`{title}` needs {}: step through a call of it, with values",
                names.join(" and ")
            )),
            // A block that is told something when it is called.
            Role::Handler | Role::Rules | Role::Condition
                if code.parameters > 0
                    || code.role == Role::Handler && self.program().cells.own.is_some() =>
            {
                Some(format!(
                    "`{title}` only runs when something happens in the game: `:break {title}`, then play on"
                ))
            }
            _ => None,
        }
    }

    /// A rehearsal in the past is no new branch.
    fn leave_branch_alone(&mut self, left: Option<usize>) {
        if let Some(record) = self.timeline.current_mut() {
            record.left = left;
        }
    }

    /// Whether a rehearsal goes on, or something that was typed in its midst.
    pub fn is_rehearsing(&self) -> bool {
        self.timeline.records().iter().any(|r| r.rehearsal)
    }

    /// Whether what is done now is the rehearsal itself, and not something that was typed in its midst.
    pub(super) fn has_rehearsed(&self) -> bool {
        let innermost = self.timeline.records().iter().rev().find(|r| r.rehearsal);
        innermost.is_some_and(|r| self.machine.frames().len() <= r.before.depth())
    }

    /// The innermost rehearsal never happened, nor what was typed in its midst.
    pub(super) fn drop_rehearsal(&mut self) -> Option<Record> {
        loop {
            let record = self.drop_last()?;
            if record.rehearsal {
                return Some(record);
            }
        }
    }

    /// What was only tried is done: all is as it was, but what it changed is told.
    pub(super) fn end_rehearsal(&mut self, reply: &mut Reply) -> bool {
        let (after, _) = self.machine.store.image();
        let last = self.timeline.records().last().is_some_and(|r| r.rehearsal);
        let record = self.drop_rehearsal();
        if let Some(record) = record {
            let changes = self.differences(record.before.store(), &after, 6);
            let changes = if changes.is_empty() {
                "it would change nothing".to_string()
            } else {
                format!("it would change {}", changes.join(", "))
            };
            let typed = if last {
                ""
            } else {
                "; what was typed in it is gone too"
            };
            reply.line(Line::styled(
                Style::Dim,
                format!("the rehearsal is done: {changes}{typed}"),
            ));
        }
        self.debugger.frame = 0;
        // It may have been tried at a stop.
        if self.is_stopped() {
            self.stop("step", "", reply);
        }
        true
    }
}

/// Whether what was typed does nothing but call something, with arguments that call nothing.
fn is_mere_call(code: &Function) -> bool {
    let [only] = code.stops.as_slice() else {
        return false;
    };
    let ends = |i: &Instr| matches!(i, Instr::Call { .. } | Instr::Return { .. });
    let mut rest = code.code.iter().zip(&code.spans).skip(only.pc as usize);
    let first = rest.find(|(i, _)| ends(i));
    code.role == Role::Entry
        && first.is_some_and(|(i, s)| matches!(i, Instr::Call { .. }) && s.contains(only.span))
}
