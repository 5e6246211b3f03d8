//! What a person calls things: cells, variables, places in time, functions by their titles.

use super::Session;
use super::query::STOPPED;
use crate::code::{Function, Role};
use crate::debugger::turns::Looped;
use crate::debugger::{Goal, Marks, Spot, Stepper, Watched, breakpoint};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::language::Window;
use crate::machine::{Outcome, Pause};
use std::rc::Rc;

/// Between two stops there are few instructions, as a rule; more than these are not looked at one by one.
const MOST_BETWEEN: usize = 1_000;

impl Session {
    /// What `watch`, `why` and `last` are asked about.
    pub fn watched(&self, text: &str) -> Result<Watched, String> {
        let text = text.trim();
        if text == "board" {
            return Ok(Watched::Board);
        }
        if let Some((word @ ("row" | "col" | "column"), n)) = text.split_once(' ') {
            return self.line_of_board(word, n.trim());
        }
        if matches!(text, "row" | "col" | "column") && self.program().global(text).is_none() {
            return Err(format!("say which: `{text} 1`"));
        }
        let cells = self.program().cells;
        let bare = text.strip_prefix("board").unwrap_or(text);
        let (cell, field) = bare
            .rsplit_once('.')
            .map_or((bare, None), |(c, f)| (c, Some(f.trim())));
        if bare.starts_with('[') || cells.read(cell).is_some() {
            let (row, col) = self.cell_named(cell)?;
            return match field {
                None => Ok(Watched::Cell(row, col)),
                Some(f @ ("name" | "visible" | "owner")) => {
                    Ok(Watched::Field(row, col, f.to_string()))
                }
                Some(f) => Err(format!(
                    "a piece has no `.{f}` that can change; there are name, visible, owner"
                )),
            };
        }
        if let Some((local, _)) = self
            .locals(self.debugger.frame)
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == text)
        {
            let title = self
                .look_at(self.debugger.frame)
                .map(|l| l.title)
                .unwrap_or_default();
            return Ok(Watched::Local(title, local.name.to_string()));
        }
        if self.program().global(text).is_some() && !text.is_empty() {
            return Ok(Watched::Variable(text.to_string()));
        }
        self.field_named(text)
    }

    /// What of a name can be watched: itself if it is a variable, or its first field.
    pub fn watchable(&self, name: &str) -> Option<String> {
        let own = self
            .program()
            .globals
            .iter()
            .any(|g| g.own && g.name.as_str() == name);
        let view = self.view(Window::NONE);
        let field = || {
            view.named()
                .map(|(n, _)| n)
                .find(|n| n.strip_prefix(name).is_some_and(|r| r.starts_with('.')))
        };
        if own {
            Some(name.to_string())
        } else {
            field().cloned()
        }
    }

    /// A row or a column of the board, by the number at its edge.
    fn line_of_board(&self, word: &str, n: &str) -> Result<Watched, String> {
        let number: i64 = n
            .parse()
            .map_err(|_| format!("`{n}` is not the number of a {word}"))?;
        let board = self
            .view(Window::NONE)
            .board
            .ok_or("there is no board yet")?;
        let (first, count) = if word == "row" {
            (board.origin.0, board.rows)
        } else {
            (board.origin.1, board.cols)
        };
        let last = first + i64::from(count) - 1;
        if !board.endless && !(first..=last).contains(&number) {
            return Err(format!(
                "there is no {word} {number}: they count from {first} to {last}"
            ));
        }
        Ok(if word == "row" {
            Watched::Row(number)
        } else {
            Watched::Column(number)
        })
    }

    /// The row and column of a cell as it is typed, by the numbers at the board's edges.
    pub fn cell_named(&self, text: &str) -> Result<(i64, i64), String> {
        let cells = self.program().cells;
        let board = self
            .view(Window::NONE)
            .board
            .ok_or("there is no board yet")?;
        let Some((row, col)) = cells.read(text) else {
            let (row, col) = (board.origin.0, board.origin.1.saturating_add(2));
            let plain = if cells.column_first() {
                format!("{col},{row}")
            } else {
                format!("{row},{col}")
            };
            return Err(format!(
                "`{}` is no cell: say {}, as in `{plain}`",
                text.trim(),
                cells.usage()
            ));
        };
        let last = |origin: i64, count: u32| origin.saturating_add(i64::from(count) - 1);
        let (last_row, last_col) = (
            last(board.origin.0, board.rows),
            last(board.origin.1, board.cols),
        );
        let inside = (board.origin.0..=last_row).contains(&row)
            && (board.origin.1..=last_col).contains(&col);
        if !inside && !board.endless {
            let (rows, columns) = match cells.column_first() {
                true => ("y", "x"),
                false => ("rows", "columns"),
            };
            let (row_words, column_words) = (
                format!("{rows} {} to {last_row}", board.origin.0),
                format!("{columns} {} to {last_col}", board.origin.1),
            );
            let ranges = match cells.column_first() {
                true => format!("{column_words}, {row_words}"),
                false => format!("{row_words}, {column_words}"),
            };
            return Err(format!(
                "{} is off the board: {ranges}",
                cells.write(row, col)
            ));
        }
        Ok((row, col))
    }

    /// A field that is shown under a name of its own, such as `frog.leaps`.
    fn field_named(&self, text: &str) -> Result<Watched, String> {
        let view = self.view(Window::NONE);
        let mut names: Vec<String> = view.named().map(|(name, _)| name.clone()).collect();
        for (alias, of) in &view.aliases {
            let fields = names
                .iter()
                .filter_map(|n| n.strip_prefix(of.as_str())?.strip_prefix('.'));
            let more: Vec<String> = fields.map(|field| format!("{alias}.{field}")).collect();
            names.extend(more);
        }
        if names.iter().any(|n| n == text) {
            return Ok(Watched::Shown(text.to_string()));
        }
        let globals = self.program().globals.iter().map(|g| g.name.as_str());
        let own = globals.filter(|n| !n.starts_with('@') && !n.is_empty());
        let near = did_you_mean(text, own.chain(names.iter().map(String::as_str)));
        let near = if near.is_empty() {
            "; `:vars` lists what there is".to_string()
        } else {
            near
        };
        Err(format!("`{text}` is no variable and no cell{near}"))
    }

    /// The titles of all that can be stopped in.
    pub fn titles(&self) -> Vec<String> {
        let own = self.program().functions.iter().filter(|f| {
            (f.role != Role::Rules || f.also.is_some())
                && f.role != Role::Entry
                && !f.stops.is_empty()
        });
        let shown = |f: &&Rc<Function>| (f.role != Role::Rules).then_some(f.name);
        let names = own
            .clone()
            .flat_map(|f| shown(&f).into_iter().chain(f.also));
        let mut titles: Vec<String> = names.map(|name| name.to_string()).collect();
        let events = own
            .filter(|f| f.role == Role::Handler)
            .filter_map(|f| f.name.as_str().rsplit_once('.').map(|(_, e)| e.to_string()));
        titles.extend(events);
        titles.sort();
        titles.dedup();
        titles
    }

    /// The name of the source that line numbers are meant in.
    pub fn source_at_hand(&self) -> String {
        let look = self
            .look_at(self.debugger.frame)
            .filter(|l| l.role != Role::Rules);
        let here = look
            .and_then(|l| self.sources.get(l.span.source))
            .map(|s| s.origin.to_string());
        here.unwrap_or_else(|| self.main_source())
    }

    /// The source of the game. One from inside the binary has no file, but a text with lines.
    fn main_source(&self) -> String {
        let program = self.file.as_deref().or(self
            .transcript
            .game
            .program
            .as_ref()
            .map(|(name, _)| name.as_str()));
        let newest =
            || breakpoint::newest_source(self.program(), &self.sources).unwrap_or_default();
        program.map_or_else(newest, str::to_string)
    }

    /// Where a line lies that is named by its number alone: in the text at hand, or else in the game's.
    pub fn line_spot(&self, line: u32) -> Result<Spot, String> {
        let here = self.source_at_hand();
        let sources = [here.clone(), self.main_source()];
        let spots = sources.map(|source| Spot::Line { source, line });
        let found = spots
            .into_iter()
            .find(|s| !breakpoint::places(s, self.program(), &self.sources).is_empty());
        found.ok_or_else(|| {
            format!("nothing can be stopped at on line {line} of {here}, or after it")
        })
    }

    /// The instructions of the loop or statement at hand: the innermost one that holds other stops, or this one.
    pub fn block_at_hand(&self) -> Option<(u32, u32)> {
        let look = self.look_at(0)?;
        let function = self.machine.function(look.function)?;
        if let Some(looped) = Looped::around(function, look.pc) {
            return Some((looped.code.start, looped.code.end));
        }
        let here = function.stop_before(look.pc)?;
        let holds = |s: &crate::code::Stop| {
            function
                .stops
                .iter()
                .filter(|o| s.span.contains(o.span))
                .count()
                > 1
        };
        let block = if holds(here) {
            here
        } else {
            function
                .stops
                .iter()
                .filter(|s| holds(s) && s.span.contains(here.span) && s.pc <= here.pc)
                .max_by_key(|s| s.span.start)?
        };
        let inside = function
            .stops
            .iter()
            .filter(|s| s.pc >= block.pc && block.span.contains(s.span))
            .map(|s| s.pc)
            .max()?;
        let end = function
            .stops
            .iter()
            .map(|s| s.pc)
            .filter(|pc| *pc > inside)
            .min()
            .unwrap_or(function.code.len() as u32);
        Some((block.pc, end))
    }

    /// When an action had just begun, at the first place where one can stop in it, or at its end.
    pub fn time_of_action(&mut self, action: u32) -> Option<u64> {
        self.first_in_game(|s| s.machine.store.action >= action)
    }

    /// The first time at which so many turns had ended.
    pub fn time_of_turn(&mut self, turn: i64) -> Option<u64> {
        self.view(Window::NONE).turn_count?;
        if turn <= 0 {
            return Some(self.timeline.game_start());
        }
        self.first_in_game(|s| s.view(Window::NONE).turn_count.is_some_and(|n| n >= turn))
    }

    /// The first time in the game that is played at which something holds that goes on to hold: at a place where one can
    /// stop, or at the end of what was done.
    fn first_in_game(&mut self, holds: impl Fn(&Session) -> bool) -> Option<u64> {
        let ends: Vec<(u64, u64)> = self
            .timeline
            .game()
            .iter()
            .map(|r| (r.before.time, r.end()))
            .collect();
        self.elsewhere(|s| {
            let holds_at = |s: &mut Session, time: u64| {
                s.timeline.go_into(&mut s.machine, time);
                holds(s)
            };
            let n = ends.partition_point(|(_, end)| !holds_at(s, *end));
            let (from, end) = *ends.get(n)?;
            s.timeline.go_into(&mut s.machine, from);
            s.first_where(|s| holds(s))?;
            Some(s.next_own_stop(end))
        })
    }

    /// The time of the next stop that is not one of the rules, or the end.
    fn next_own_stop(&mut self, end: u64) -> u64 {
        let marks = self.debugger.stops(self.machine.program(), &[]);
        let at = self.machine.at();
        if at.is_some_and(|(f, pc)| marks.is_stop(f, pc)) {
            return self.machine.time();
        }
        let from = self.machine.time();
        let mut stepper = Stepper {
            marks: &marks,
            goal: Goal::Into,
            from,
            until: u64::MAX,
            trapped: false,
            trace: None,
        };
        self.watch_until(&mut stepper, u64::MAX);
        if self.machine.is_idle() {
            end
        } else {
            self.machine.time()
        }
    }

    /// Steps forward from stop to stop until a test holds.
    fn first_where(&mut self, mut test: impl FnMut(&mut Session) -> bool) -> Option<u64> {
        let (_, last) = self.timeline.range();
        self.machine.record(false);
        let mut program = self.program().clone();
        let mut marks = Marks::of(&program, &[], |_| false);
        let found = loop {
            if test(self) {
                break Some(self.machine.time());
            }
            self.enough |= self.machine.was_interrupted();
            if self.machine.time() >= last || self.enough {
                break None;
            }
            if !Rc::ptr_eq(&program, self.program()) {
                program = self.program().clone();
                marks = Marks::of(&program, &[], |_| false);
            }
            if self.timeline.pass_edge(&mut self.machine) {
                continue;
            }
            let (from, until) = (
                self.machine.time(),
                self.timeline.edge().unwrap_or(u64::MAX),
            );
            let mut stepper = Stepper {
                marks: &marks,
                goal: Goal::Into,
                from,
                until,
                trapped: false,
                trace: None,
            };
            match self.machine.watched(&mut stepper) {
                Outcome::Paused(Pause::Watcher) => {}
                Outcome::Paused(Pause::Interrupt) => {
                    self.enough = true;
                    break None;
                }
                Outcome::Finished(_) if !self.machine.is_idle() => {}
                Outcome::Finished(_) if test(self) => break Some(self.machine.time()),
                Outcome::Finished(_) if self.timeline.advance(&mut self.machine) => {}
                _ => break None,
            }
        };
        self.machine.record(true);
        found
    }

    /// The first time from the start that an expression was true: it is looked at stop by stop, and then before the stop
    /// at which it was.
    pub fn first_time(&mut self, expression: &str) -> Result<Option<u64>, Vec<Diagnostic>> {
        // It may fail here and be true elsewhere; but it must be something that can be asked.
        if let Err(wrong) = self.look(expression, |_, _| ())
            && wrong.iter().any(|d| d.phase != Phase::Runtime)
            && !self.is_asked_elsewhere(expression)
        {
            return Err(wrong);
        }
        let (first, _) = self.timeline.range();
        Ok(self.elsewhere(|s| {
            s.timeline.go(&mut s.machine, first);
            s.debugger.frame = 0;
            let is_true = |s: &mut Session| match s.look(expression, |_, v| v.as_bool()) {
                Ok(truth) => truth == Some(true),
                Err(told) => {
                    s.enough |= told.iter().any(|d| d.code == STOPPED);
                    false
                }
            };
            let mut last = first;
            let found = s.first_where(|s| {
                let found = is_true(s);
                last = if found { last } else { s.machine.time() };
                found
            })?;
            // What a function does last is behind its last stop.
            let between = (last + 1..found).take(MOST_BETWEEN).find(|time| {
                s.timeline.go_into(&mut s.machine, *time);
                is_true(s)
            });
            Some(between.unwrap_or(found))
        }))
    }

    pub fn drop_branch(&mut self, number: usize) -> bool {
        self.debugger.drop_moments(number);
        self.timeline.drop_branch(number)
    }

    pub fn enter_branch(&mut self, number: usize) -> bool {
        self.asking = None;
        let before = self.timeline.branch(number).map(|b| b.from);
        let entered = self.timeline.enter(&mut self.machine, number);
        if let Some(first) = before.and_then(|n| self.timeline.all_records().get(n)) {
            self.debugger.swap_moments(number, first.before.time);
        }
        self.told = self.machine.log_lengths();
        entered
    }
}
