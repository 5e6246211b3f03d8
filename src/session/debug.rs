//! Running on: to the end, to a stop, or to where a step ends.

use super::judge::Verdict;
use super::{Line, Reply, Session, Style, json};
use crate::code::Program;
use crate::debugger::{Goal, Marks, Stepper};
use crate::machine::{Fault, Machine, Outcome, Pause};
use crate::value::Value;
use std::rc::Rc;

impl Session {
    /// Whether a run is stopped in the midst.
    pub fn is_stopped(&self) -> bool {
        !self.machine.is_idle() && self.asking.is_none()
    }

    /// Breakpoints find their places in the present program.
    pub fn settle(&mut self, reply: &mut Reply) {
        if self.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.machine.program().clone();
        for told in self.debugger.settle(&program, &self.sources) {
            reply.line(Line::styled(Style::Dim, told));
        }
    }

    /// The same without a word: the past has its own programs.
    pub(super) fn settle_silently(&mut self) {
        let program = self.machine.program().clone();
        self.debugger.settle(&program, &self.sources);
    }

    /// Runs on until the goal, a breakpoint or the end, and tells what came of it.
    pub fn drive(&mut self, goal: Option<Goal>, reply: &mut Reply) {
        let start = self.machine.time();
        if let Some(trace) = &mut self.debugger.trace {
            trace.begin(&self.machine);
        }
        // What the instruction at hand writes may be watched; breakpoints at it have been asked before.
        self.settle_silently();
        let mut first = self.is_watched_here();
        let mut led_on = false;
        let mut armed: Option<(Rc<Program>, Option<Marks>)> = None;
        loop {
            // What was typed at this time, in the midst of what happened, comes first.
            while self.timeline.pass_edge(&mut self.machine) {
                led_on = true;
            }
            // Going on through the past leads from one program to the next.
            if !armed
                .as_ref()
                .is_some_and(|(program, _)| Rc::ptr_eq(program, self.machine.program()))
            {
                armed = Some((self.machine.program().clone(), self.arm(goal.is_some())));
            }
            let marks = armed.as_ref().and_then(|(_, marks)| marks.as_ref());
            let reached = |machine: &Machine| {
                let sought = marks.zip(goal.as_ref());
                machine.time() > start
                    && sought.is_some_and(|(marks, goal)| marks.is_reached(goal, machine))
            };
            // One entry may begin with a stop, as may what it was typed into when it is done: but coming back to a place
            // is no new round.
            if std::mem::take(&mut led_on)
                && !matches!(goal, Some(Goal::Round { .. } | Goal::Again { .. }))
                && marks
                    .zip(goal.as_ref())
                    .is_some_and(|(marks, goal)| marks.is_reached(goal, &self.machine))
            {
                self.tell(reply);
                break self.stop("step", "", reply);
            }
            let asks = !first;
            let outcome = match marks {
                _ if std::mem::take(&mut first) => Outcome::Paused(Pause::Trap),
                Some(marks) => self.run_watched(marks, goal.clone().unwrap_or(Goal::End), reply),
                None => match self.timeline.edge() {
                    Some(edge) => self.machine.run_until(edge),
                    None => self.machine.run(),
                },
            };
            self.timeline.collect(&mut self.machine);
            let verdict = match outcome {
                Outcome::Paused(Pause::Trap) => Some(self.judge(asks, &reached, reply)),
                _ => None,
            };
            // What is watched is judged behind its change: one instruction further on.
            self.timeline.collect(&mut self.machine);
            if outcome == Outcome::Paused(Pause::Time) {
                continue;
            }
            let outcome = match verdict {
                Some(verdict) => match verdict {
                    Verdict::GoOn if self.machine.was_interrupted() => {
                        Outcome::Paused(Pause::Interrupt)
                    }
                    Verdict::GoOn => continue,
                    stop @ Verdict::Stop { .. } => {
                        self.tell_more_of_trace(reply);
                        break self.stop_as(stop, reply);
                    }
                    Verdict::Reached => Outcome::Paused(Pause::Watcher),
                    Verdict::Ended(outcome) => outcome,
                },
                None => outcome,
            };
            self.tell_more_of_trace(reply);
            if self.settle_outcome(outcome, goal.as_ref(), reply) {
                break;
            }
            led_on = true;
        }
    }

    /// Stops as the breakpoints want it.
    pub(super) fn stop_as(&mut self, verdict: Verdict, reply: &mut Reply) {
        if let Verdict::Stop {
            reason,
            words,
            also,
            commands,
        } = verdict
        {
            reply.then = commands.into();
            self.stop(reason, &words, reply);
            self.tell_also(&also, reply);
        }
    }

    /// Several breakpoints may stop at one time: the first is told with the stop, the others behind it.
    fn tell_also(&self, also: &[String], reply: &mut Reply) {
        for words in also.iter().filter(|_| self.held.is_none()) {
            reply.line(Line::styled(Style::Dim, format!("  also {words}")));
        }
    }

    /// Sets the traps of the present program; and where a step may end, if somebody has to look on.
    fn arm(&mut self, stepping: bool) -> Option<Marks> {
        self.settle_silently();
        let traps = self.debugger.traps();
        self.machine.trap(&traps);
        (stepping || self.debugger.trace.is_some())
            .then(|| self.debugger.stops(self.machine.program(), &traps))
    }

    fn run_watched(&mut self, marks: &Marks, goal: Goal, reply: &mut Reply) -> Outcome {
        let (from, until) = (
            self.machine.time(),
            self.timeline.edge().unwrap_or(u64::MAX),
        );
        let trace = self.debugger.trace.take();
        let mut stepper = Stepper {
            marks,
            goal,
            from,
            until,
            trapped: false,
            trace,
        };
        let outcome = self.machine.watched(&mut stepper);
        let trapped = stepper.trapped;
        self.debugger.trace = stepper.trace;
        self.tell_trace(reply);
        match outcome {
            Outcome::Paused(Pause::Watcher) if trapped => Outcome::Paused(Pause::Trap),
            Outcome::Paused(Pause::Watcher) if self.machine.time() >= until => {
                Outcome::Paused(Pause::Time)
            }
            other => other,
        }
    }

    fn tell_trace(&mut self, reply: &mut Reply) {
        for (depth, line) in self
            .debugger
            .trace
            .iter_mut()
            .flat_map(|trace| trace.fetch())
        {
            reply.line(Line::styled(
                Style::Dim,
                format!("  {}{line}", "  ".repeat(depth)),
            ));
        }
    }

    fn tell_more_of_trace(&mut self, reply: &mut Reply) {
        let more = self.debugger.trace.as_mut().map_or(0, |trace| trace.more());
        if more > 0 {
            reply.line(Line::styled(Style::Dim, format!("  … {more} more")));
        }
    }

    /// Tells how a run ended; says whether it did.
    pub(super) fn settle_outcome(
        &mut self,
        outcome: Outcome,
        goal: Option<&Goal>,
        reply: &mut Reply,
    ) -> bool {
        match outcome {
            // What was typed at a stop is done.
            Outcome::Finished(value) if !self.machine.is_idle() => {
                let rehearsal = self.has_rehearsed();
                if (self.timeline.in_past(&self.machine) || goal.is_some()) && !rehearsal {
                    return false;
                }
                self.tell(reply);
                let done = self
                    .done_at_stop()
                    .unwrap_or(self.timeline.records().len().saturating_sub(1));
                let record = self.timeline.records().get(done);
                let (gives, entry) =
                    record.map_or((false, String::new()), |r| (r.gives, r.text.clone()));
                self.give_value(value, gives, reply);
                if rehearsal {
                    return self.end_rehearsal(reply);
                }
                let stood = self.has_stood_in(done).then(|| self.words_of_end(&entry));
                let last = done + 1 == self.timeline.records().len();
                // Who only looked has done nothing that could be taken back.
                if gives
                    && last
                    && reply.output.is_empty()
                    && !self.timeline.has_changed(&mut self.machine)
                {
                    reply.board = reply.is_board;
                    self.drop_last();
                } else {
                    self.tell_branch_inside(reply);
                    reply.board = true;
                }
                // Who has stood in its midst is told where they are now.
                if let Some(done) = stood {
                    reply.line(Line::styled(Style::Dim, done));
                    self.stop("step", "", reply);
                }
            }
            Outcome::Finished(value) => {
                self.tell(reply);
                if self.timeline.in_past(&self.machine) && self.timeline.advance(&mut self.machine)
                {
                    return false;
                }
                let gives = self.going_on().is_some_and(|r| r.gives);
                self.give_value(value, gives, reply);
                if self.has_rehearsed() {
                    return self.end_rehearsal(reply);
                }
                self.timeline.finish(&mut self.machine);
                reply.board =
                    reply.is_board || self.timeline.records().last().is_some_and(|r| r.changed);
                let done = self.going_on().map_or_else(String::new, |r| r.text.clone());
                self.tell_branch(reply);
                if std::mem::take(&mut self.stood) {
                    self.end_of_run(&done, reply);
                }
            }
            Outcome::NeedsInput { question, what } => {
                self.tell(reply);
                reply.question = Some(question.clone());
                // Who is asked for a move wants to see where the pieces stand.
                reply.board = true;
                self.asking = Some((question, what));
                self.going_to = goal.cloned();
                self.debugger.frame = self.own_frame();
            }
            Outcome::Failed(fault) if self.debugger.stops_on_error() => {
                self.tell(reply);
                let diagnostic = self.runtime_error(&fault);
                reply.diagnostics.push(diagnostic);
                self.stop("error", "error", reply);
            }
            Outcome::Failed(fault) => {
                self.tell(reply);
                self.fail(&fault, reply);
            }
            Outcome::Paused(Pause::Interrupt) => {
                self.tell(reply);
                self.stop("interrupt", "stopped from the keyboard", reply);
            }
            Outcome::Paused(_) => {
                self.tell(reply);
                let words = if goal == Some(&Goal::Turn) {
                    "the turn ends"
                } else {
                    ""
                };
                self.stop("step", words, reply);
            }
        }
        true
    }

    fn give_value(&mut self, value: Value, gives: bool, reply: &mut Reply) {
        if gives && value != Value::NOTHING {
            reply.data = Some(json::value(self.program(), &self.machine.store, value));
            // A board is drawn, everything else is written as in a source.
            let quoted = self.machine.store.heap.grid(value).is_none();
            let live = self
                .program()
                .board
                .and_then(|board| self.machine.store.globals.get(board as usize));
            reply.is_board = !quoted && live == Some(&value);
            reply.redraw |= reply.is_board;
            reply.value = Some((self.program().write)(
                self.program(),
                &self.machine.store,
                value,
                quoted,
            ));
        }
    }

    /// An entry that fails changes nothing.
    fn fail(&mut self, fault: &Fault, reply: &mut Reply) {
        reply.ok = false;
        let diagnostic = self.runtime_error(fault);
        reply.diagnostics.push(diagnostic);
        self.drop_last();
        reply.display = self.machine.store.message.as_ref().map(|m| m.to_string());
    }

    /// Something done in the past starts a branch, unless it changed nothing: looking leaves the future alone.
    fn tell_branch(&mut self, reply: &mut Reply) {
        let Some(record) = self.timeline.current_mut() else {
            return;
        };
        let Some(number) = record.left else { return };
        let told = record.left_told;
        if record.changed {
            record.left = None;
            match self.branch_line(number) {
                None => drop(self.drop_branch(number)),
                Some(line) if !told => reply.lines.insert(0, line),
                Some(_) => {}
            }
        } else {
            record.rehearsal = true;
            let undone = self.after_undo;
            self.drop_last();
            if told {
                let future = if undone {
                    "what was undone can be done again"
                } else {
                    "the old future is there again"
                };
                reply.line(Line::styled(
                    Style::Dim,
                    format!("nothing was changed: {future}"),
                ));
            }
        }
    }

    /// The same for what was typed at a stop.
    fn tell_branch_inside(&mut self, reply: &mut Reply) {
        let changed = self.timeline.has_changed(&mut self.machine);
        if let Some(record) = self.timeline.current_mut().filter(|r| r.left.is_some()) {
            record.changed = changed;
            self.tell_branch(reply);
        }
    }

    /// What runs on in a new branch and stops there may still change nothing; but who stands in it is to know.
    pub(super) fn tell_branch_at_stop(&mut self, reply: &mut Reply) {
        let Some(record) = self
            .timeline
            .current_mut()
            .filter(|r| !r.left_told && !r.rehearsal)
        else {
            return;
        };
        let Some(number) = record.left else { return };
        record.left_told = true;
        if let Some(line) = self.branch_line(number) {
            reply.lines.insert(0, line);
        }
    }

    /// What is to be said of a future that is left; nothing if nothing is lost with it: in it was only looked around,
    /// or the only thing done in it is done again. Who took something back at the prompt knows where they are.
    fn branch_line(&self, number: usize) -> Option<Line> {
        let branch = self
            .timeline
            .branch(number)
            .filter(|b| b.is_worth_telling())?;
        let record = self.timeline.current()?;
        let mut lost = branch.records.iter().filter(|r| r.changed);
        let words = match (lost.next(), lost.next()) {
            (Some(one), None) if one.is_again(record) => return None,
            _ if self.after_undo => format!("what was undone is kept as branch {number}"),
            _ => format!("a new branch begins here; the old future is branch {number}"),
        };
        Some(Line::styled(Style::Dim, words))
    }

    /// `click{1,1} is done   time 412`
    fn words_of_end(&self, entry: &str) -> String {
        let entry = super::retell::elided(entry.lines().next().unwrap_or(""), 40);
        let entry = if entry.is_empty() {
            "the start".to_string()
        } else {
            entry
        };
        format!("{entry} is done   time {}", self.machine.time())
    }

    fn end_of_run(&mut self, entry: &str, reply: &mut Reply) {
        self.visit();
        self.debugger.frame = 0;
        reply.line(Line::styled(Style::Dim, self.words_of_end(entry)));
        (reply.board, reply.redraw) = (true, true);
    }

    /// Gives up what is going on: it never happened.
    pub fn abandon(&mut self) -> Option<String> {
        self.asking = None;
        if self.machine.is_idle() {
            return None;
        }
        self.debugger.frame = 0;
        if self.is_rehearsing() {
            // What it was rehearsed in is still stopped.
            let text = self.drop_rehearsal().map(|r| r.text);
            self.debugger.frame = self.own_frame();
            return text;
        }
        if self.timeline.in_past(&self.machine) {
            // It has happened: back to where it began, without forgetting it.
            let undone = self.timeline.undo(&mut self.machine, 1);
            return undone.into_iter().next();
        }
        let mut text = None;
        // What was typed in the midst of it goes with it.
        while !self.machine.is_idle() {
            text = self.drop_last().map(|r| r.text);
            text.as_ref()?;
        }
        text
    }
}
