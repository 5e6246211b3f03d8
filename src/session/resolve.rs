//! What a person calls things: cells, variables, places in time, functions by their titles.

use super::Session;
use super::watch_expr::INTERRUPTED_CODE;
use crate::code::{Function, FunctionKind};
use crate::debugger::rebinding_loop::RebindingLoop;
use crate::debugger::{Location, StepTarget, Stepper, StopMap, WatchTarget, breakpoint};
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::language::Viewport;
use crate::machine::{Outcome, Pause};
use std::rc::Rc;

/// Between two stops there are few instructions, as a rule; more than these are not looked at one by one.
const MOST_BETWEEN: usize = 1_000;

impl Session {
    /// What `watch`, `why` and `last` are asked about.
    pub fn resolve_watch_target(&self, text: &str) -> Result<WatchTarget, String> {
        let text = text.trim();
        if text == "board" {
            return Ok(WatchTarget::Board);
        }
        if let Some((word @ ("row" | "col" | "column"), n)) = text.split_once(' ') {
            return self.line_of_board(word, n.trim());
        }
        if matches!(text, "row" | "col" | "column") && self.program().global(text).is_none() {
            return Err(format!("`{text}` needs a number, e.g. `{text} 1`"));
        }
        let cells = self.program().board_info;
        let bare = text.strip_prefix("board").unwrap_or(text);
        let (cell, field) = bare
            .rsplit_once('.')
            .map_or((bare, None), |(c, f)| (c, Some(f.trim())));
        if bare.starts_with('[') || cells.parse_cell(cell).is_some() {
            let (row, col) = self.resolve_cell(cell)?;
            return match field {
                None => Ok(WatchTarget::Cell(row, col)),
                Some(f @ ("name" | "visible" | "owner")) => {
                    Ok(WatchTarget::PieceField(row, col, f.to_string()))
                }
                Some(f) => Err(format!(
                    "a piece has no field `{f}` to watch; use `name`, `visible` or `owner`"
                )),
            };
        }
        if let Some((local, _)) = self
            .locals(self.debugger.selected_frame)
            .iter()
            .rev()
            .find(|(l, _)| l.name.as_str() == text)
        {
            let title = self
                .frame_info(self.debugger.selected_frame)
                .map(|l| l.name)
                .unwrap_or_default();
            return Ok(WatchTarget::Local(title, local.name.to_string()));
        }
        if self.program().global(text).is_some() && !text.is_empty() {
            return Ok(WatchTarget::Global(text.to_string()));
        }
        self.field_named(text)
    }

    /// What of a name can be watched: itself if it is a variable, or its first field.
    pub fn watchable_name(&self, name: &str) -> Option<String> {
        let own = self
            .program()
            .globals
            .iter()
            .any(|g| g.is_user_defined && g.name.as_str() == name);
        let view = self.view(Viewport::NONE);
        let field = || {
            view.named_values()
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
    fn line_of_board(&self, word: &str, n: &str) -> Result<WatchTarget, String> {
        let number: i64 = n
            .parse()
            .map_err(|_| format!("expected a {word} number, found `{n}`"))?;
        let board = self
            .view(Viewport::NONE)
            .board
            .ok_or("there is no board yet")?;
        let (first, count) = if word == "row" {
            (board.origin.0, board.rows)
        } else {
            (board.origin.1, board.cols)
        };
        let last = first + i64::from(count) - 1;
        if !board.is_unbounded && !(first..=last).contains(&number) {
            return Err(format!(
                "{word} {number} is off the board: the {word}s are {first} to {last}"
            ));
        }
        Ok(if word == "row" {
            WatchTarget::Row(number)
        } else {
            WatchTarget::Column(number)
        })
    }

    /// The row and column of a cell as it is typed, by the numbers at the board's edges.
    pub fn resolve_cell(&self, text: &str) -> Result<(i64, i64), String> {
        let cells = self.program().board_info;
        let board = self
            .view(Viewport::NONE)
            .board
            .ok_or("there is no board yet")?;
        let Some((row, col)) = cells.parse_cell(text) else {
            let (row, col) = (board.origin.0, board.origin.1.saturating_add(2));
            let plain = if cells.is_column_first() {
                format!("{col},{row}")
            } else {
                format!("{row},{col}")
            };
            return Err(format!(
                "unknown cell `{}`; write {}, e.g. `{plain}`",
                text.trim(),
                cells.coord_usage()
            ));
        };
        let last = |origin: i64, count: u32| origin.saturating_add(i64::from(count) - 1);
        let (last_row, last_col) = (
            last(board.origin.0, board.rows),
            last(board.origin.1, board.cols),
        );
        let inside = (board.origin.0..=last_row).contains(&row)
            && (board.origin.1..=last_col).contains(&col);
        if !inside && !board.is_unbounded {
            let (rows, columns) = match cells.is_column_first() {
                true => ("y", "x"),
                false => ("rows", "columns"),
            };
            let (row_words, column_words) = (
                format!("{rows} {} to {last_row}", board.origin.0),
                format!("{columns} {} to {last_col}", board.origin.1),
            );
            let ranges = match cells.is_column_first() {
                true => format!("{column_words}, {row_words}"),
                false => format!("{row_words}, {column_words}"),
            };
            return Err(format!(
                "{} is off the board: {ranges}",
                cells.format_cell(row, col)
            ));
        }
        Ok((row, col))
    }

    /// A field that is shown under a name of its own, such as `frog.leaps`.
    fn field_named(&self, text: &str) -> Result<WatchTarget, String> {
        let view = self.view(Viewport::NONE);
        let mut names: Vec<String> = view.named_values().map(|(name, _)| name.clone()).collect();
        for (alias, of) in &view.aliases {
            let fields = names
                .iter()
                .filter_map(|n| n.strip_prefix(of.as_str())?.strip_prefix('.'));
            let more: Vec<String> = fields.map(|field| format!("{alias}.{field}")).collect();
            names.extend(more);
        }
        if names.iter().any(|n| n == text) {
            return Ok(WatchTarget::RecordField(text.to_string()));
        }
        let globals = self.program().globals.iter().map(|g| g.name.as_str());
        let own = globals.filter(|n| !n.starts_with('@') && !n.is_empty());
        let near = did_you_mean(text, own.chain(names.iter().map(String::as_str)));
        let near = if near.is_empty() {
            "; `:vars` lists the variables".to_string()
        } else {
            near
        };
        Err(format!("unknown variable or cell `{text}`{near}"))
    }

    /// The titles of all that can be stopped in.
    pub fn breakpoint_names(&self) -> Vec<String> {
        let own = self.program().functions.iter().filter(|f| {
            (f.kind != FunctionKind::Rules || f.alias.is_some())
                && f.kind != FunctionKind::Entry
                && !f.stop_points.is_empty()
        });
        let shown = |f: &&Rc<Function>| (f.kind != FunctionKind::Rules).then_some(f.name);
        let names = own
            .clone()
            .flat_map(|f| shown(&f).into_iter().chain(f.alias));
        let mut titles: Vec<String> = names.map(|name| name.to_string()).collect();
        let events = own
            .filter(|f| f.kind == FunctionKind::Handler)
            .filter_map(|f| f.name.as_str().rsplit_once('.').map(|(_, e)| e.to_string()));
        titles.extend(events);
        titles.sort();
        titles.dedup();
        titles
    }

    /// The name of the source that line numbers are meant in.
    pub fn current_source(&self) -> String {
        let look = self
            .frame_info(self.debugger.selected_frame)
            .filter(|l| l.role != FunctionKind::Rules);
        let here = look
            .and_then(|l| self.sources.get(l.span.source))
            .map(|s| s.origin.to_string());
        here.unwrap_or_else(|| self.main_source())
    }

    /// The source of the game. One from inside the binary has no file, but a text with lines.
    fn main_source(&self) -> String {
        let program = self.file.as_deref().or(self
            .transcript
            .game_start
            .program
            .as_ref()
            .map(|(name, _)| name.as_str()));
        let newest =
            || breakpoint::newest_source(self.program(), &self.sources).unwrap_or_default();
        program.map_or_else(newest, str::to_string)
    }

    /// Where a line lies that is named by its number alone: in the text at hand, or else in the game's.
    pub fn line_location(&self, line: u32) -> Result<Location, String> {
        let here = self.current_source();
        let sources = [here.clone(), self.main_source()];
        let spots = sources.map(|source| Location::Line { source, line });
        let found = spots
            .into_iter()
            .find(|s| !breakpoint::resolve(s, self.program(), &self.sources).is_empty());
        found.ok_or_else(|| {
            format!("no code to stop at on line {line} of {here} or after it")
        })
    }

    /// The instructions of the loop or statement at hand: the innermost one that holds other stops, or this one.
    pub fn current_block(&self) -> Option<(u32, u32)> {
        let look = self.frame_info(0)?;
        let function = self.machine.function(look.function)?;
        if let Some(looped) = RebindingLoop::innermost(function, look.pc) {
            return Some((looped.instrs.start, looped.instrs.end));
        }
        let here = function.stop_point_before(look.pc)?;
        let holds = |s: &crate::code::StopPoint| {
            function
                .stop_points
                .iter()
                .filter(|o| s.span.contains(o.span))
                .count()
                > 1
        };
        let block = if holds(here) {
            here
        } else {
            function
                .stop_points
                .iter()
                .filter(|s| holds(s) && s.span.contains(here.span) && s.pc <= here.pc)
                .max_by_key(|s| s.span.start)?
        };
        let inside = function
            .stop_points
            .iter()
            .filter(|s| s.pc >= block.pc && block.span.contains(s.span))
            .map(|s| s.pc)
            .max()?;
        let end = function
            .stop_points
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
        self.view(Viewport::NONE).turn_count?;
        if turn <= 0 {
            return Some(self.timeline.game_start());
        }
        self.first_in_game(|s| s.view(Viewport::NONE).turn_count.is_some_and(|n| n >= turn))
    }

    /// The first time in the game that is played at which something holds that goes on to hold: at a place where one can
    /// stop, or at the end of what was done.
    fn first_in_game(&mut self, holds: impl Fn(&Session) -> bool) -> Option<u64> {
        let ends: Vec<(u64, u64)> = self
            .timeline
            .game_entries()
            .iter()
            .map(|r| (r.before.time, r.end_time()))
            .collect();
        self.with_time(|s| {
            let holds_at = |s: &mut Session, time: u64| {
                s.timeline.seek_into(&mut s.machine, time);
                holds(s)
            };
            let n = ends.partition_point(|(_, end)| !holds_at(s, *end));
            let (from, end) = *ends.get(n)?;
            s.timeline.seek_into(&mut s.machine, from);
            s.first_where(|s| holds(s))?;
            Some(s.next_own_stop(end))
        })
    }

    /// The time of the next stop that is not one of the rules, or the end.
    fn next_own_stop(&mut self, end: u64) -> u64 {
        let marks = self.debugger.stop_map(self.machine.program(), &[]);
        let at = self.machine.current_location();
        if at.is_some_and(|(f, pc)| marks.is_stop(f, pc)) {
            return self.machine.time();
        }
        let from = self.machine.time();
        let mut stepper = Stepper {
            stop_map: &marks,
            target: StepTarget::Into,
            start_time: from,
            end_time: u64::MAX,
            has_hit_breakpoint: false,
            trace: None,
        };
        self.replay_watched(&mut stepper, u64::MAX);
        if self.machine.is_idle() {
            end
        } else {
            self.machine.time()
        }
    }

    /// Steps forward from stop to stop until a test holds.
    fn first_where(&mut self, mut test: impl FnMut(&mut Session) -> bool) -> Option<u64> {
        let (_, last) = self.timeline.time_range();
        self.machine.set_recording(false);
        let mut program = self.program().clone();
        let mut marks = StopMap::new(&program, &[], |_| false);
        let found = loop {
            if test(self) {
                break Some(self.machine.time());
            }
            self.cancelled |= self.machine.take_interrupt();
            if self.machine.time() >= last || self.cancelled {
                break None;
            }
            if !Rc::ptr_eq(&program, self.program()) {
                program = self.program().clone();
                marks = StopMap::new(&program, &[], |_| false);
            }
            if self.timeline.enter_nested(&mut self.machine) {
                continue;
            }
            let (from, until) = (
                self.machine.time(),
                self.timeline.next_nested_time().unwrap_or(u64::MAX),
            );
            let mut stepper = Stepper {
                stop_map: &marks,
                target: StepTarget::Into,
                start_time: from,
                end_time: until,
                has_hit_breakpoint: false,
                trace: None,
            };
            match self.machine.run_observed(&mut stepper) {
                Outcome::Paused(Pause::Observer) => {}
                Outcome::Paused(Pause::Interrupt) => {
                    self.cancelled = true;
                    break None;
                }
                Outcome::Finished(_) if !self.machine.is_idle() => {}
                Outcome::Finished(_) if test(self) => break Some(self.machine.time()),
                Outcome::Finished(_) if self.timeline.enter_next(&mut self.machine) => {}
                _ => break None,
            }
        };
        self.machine.set_recording(true);
        found
    }

    /// The first time from the start that an expression was true: it is looked at stop by stop, and then before the stop
    /// at which it was.
    pub fn first_time_true(&mut self, expression: &str) -> Result<Option<u64>, Vec<Diagnostic>> {
        // It may fail here and be true elsewhere; but it must be something that can be asked.
        if let Err(wrong) = self.eval(expression, |_, _| ())
            && wrong.iter().any(|d| d.phase != Phase::Runtime)
            && !self.compiles_elsewhere(expression)
        {
            return Err(wrong);
        }
        let (first, _) = self.timeline.time_range();
        Ok(self.with_time(|s| {
            s.timeline.seek(&mut s.machine, first);
            s.debugger.selected_frame = 0;
            let is_true = |s: &mut Session| match s.eval(expression, |_, v| v.as_bool()) {
                Ok(truth) => truth == Some(true),
                Err(told) => {
                    s.cancelled |= told.iter().any(|d| d.code == INTERRUPTED_CODE);
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
                s.timeline.seek_into(&mut s.machine, *time);
                is_true(s)
            });
            Some(between.unwrap_or(found))
        }))
    }

    pub fn delete_branch(&mut self, number: usize) -> bool {
        self.debugger.delete_points_of_branch(number);
        self.timeline.delete_branch(number)
    }

    pub fn switch_branch(&mut self, number: usize) -> bool {
        self.pending_input = None;
        let before = self.timeline.branch(number).map(|b| b.fork_index);
        let entered = self.timeline.switch_branch(&mut self.machine, number);
        if let Some(first) = before.and_then(|n| self.timeline.all_entries().get(n)) {
            self.debugger
                .swap_points_with_branch(number, first.before.time);
        }
        self.log_cursor = self.machine.log_end();
        entered
    }
}
