//! The target of the debugger: one running game with its sources, its history and its breakpoints.

use super::frame::eval::ExprCache;
use super::history::time_point::TimePoint;
use super::history::timeline::{DiscardedEntry, EntryId, HistoryAction, HistoryEntry};
use super::run::RunStart;
use super::run::failure::Failure;
use super::run::program_input::Suspension;
use super::{Breakpoint, Debugger, Run, SuspendedRun, Timeline, range_in};
use crate::answer::{Answer, Excerpt, ProgressListener, SourceRange};
use crate::code::{FunctionId, FunctionKind, Program};
use crate::diagnostic::Diagnostic;
use crate::diff;
use crate::frame;
use crate::language::syntax::closes_brackets;
use crate::language::{
    BoardView, Compiled, Continuation, GameProgress, GameView, Language, NamedValues, ParsedEntry,
    ProgramItem, Viewport, preludes_of,
};
use crate::long_text;
use crate::machine::{LogPosition, Machine};
use crate::source::{Origin, Source, Sources, Span};
use crate::text::code_on_one_line;
use crate::value::{StoreSnapshot, Value};
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// If there is someone to listen, progress is reported after this many instructions, which take a
/// few hundredths of a second.
const PROGRESS_INTERVAL_INSTRUCTIONS: u64 = 4_000_000;

/// An entry that was parsed to see whether it is complete, under the id that its source will have.
struct PendingEntry {
    source: Source,
    program: Rc<Program>,
    parsed: ParsedEntry,
    /// The same entry with more lines, which do not close the `{` that is open in it.
    with_more_lines: Option<String>,
}

impl PendingEntry {
    /// Whether what was parsed says all there is to say of an entry: it is this one, or one that is
    /// incomplete for the same reason.
    fn speaks_for(&self, text: &str) -> bool {
        self.source.text == text || self.with_more_lines.as_deref() == Some(text)
    }

    /// Whether a text is this entry with more lines that leave it as incomplete as it is. Its lines are not
    /// parsed again and again while they are typed. A line that may be a command is: whether it is depends on
    /// the errors of the entry with it.
    fn is_open_in(&self, text: &str) -> bool {
        let known = self.with_more_lines.as_ref().unwrap_or(&self.source.text);
        let added = text.strip_prefix(known.as_str());
        let may_be_command = |lines: &str| lines.lines().any(|l| l.trim_start().starts_with(':'));
        self.parsed.has_open_brace
            && added.is_some_and(|lines| {
                lines.starts_with('\n') && !closes_brackets(lines) && !may_be_command(lines)
            })
    }
}

/// The board without its cells, and the state of the game to which it belongs.
struct KnownOutline {
    program: Rc<Program>,
    store: StoreSnapshot,
    outline: Option<BoardView>,
}

/// A game that can be run, stopped, inspected and taken back in time.
pub struct Target {
    /// The language of the game.
    pub language: &'static dyn Language,
    /// The number of the last entry; each entry becomes a source.
    last_entry_number: u32,
    /// The entry that was last parsed and not yet compiled.
    parsed_entry: RefCell<Option<PendingEntry>>,
    /// The board without its cells that was last asked for.
    outline: RefCell<Option<KnownOutline>>,
    /// The texts of the program and of all entries.
    pub sources: Sources,
    /// Runs the program.
    pub machine: Machine,
    /// The history of the game.
    pub timeline: Timeline,
    /// Breakpoints, displays, bookmarks and the selected frame.
    pub debugger: Debugger,
    /// The name of the game's source, which plain line numbers refer to. `None` before a program is
    /// loaded.
    pub main_source: Option<String>,
    /// The name of the game's source if it is a file. Locations in it are shown without it.
    pub file: Option<String>,
    /// Runs are advanced in slices of at most this many instructions.
    pub slice_instructions: u64,
    /// Runs that follow a [`Plan`] are left after this many instructions, and continued by
    /// [`Target::advance_run`]; for clients with an event loop. `None`: they run to their end.
    pub pause_after: Option<u64>,
    /// The run that was left.
    pub(crate) suspended_run: Option<SuspendedRun>,
    /// Shows what a run reports before it ends.
    pub progress_listener: Option<Box<dyn ProgressListener>>,
    /// The line of moves that a search has found is not kept as a branch.
    pub drops_found_lines: bool,
    /// Runs of the rules for the current `:why not`, shown as progress on large boards.
    pub trial_runs: usize,
    /// How much of the machine's effect log has been shown.
    pub log_cursor: LogPosition,
    /// Where the running entry is suspended.
    pub suspension: Suspension,
    /// The errors at which the program stopped, that it can still be at.
    pub(crate) failures: Vec<Failure>,
    /// Compiled expressions, valid for the current program.
    pub(crate) expr_cache: ExprCache,
    /// Ctrl-C was pressed during a search of the history.
    pub cancelled: bool,
    /// Where going back has stopped for a watchpoint, until the next stop. The breakpoints before the
    /// same instruction come next on the way back.
    pub(crate) watch_stop: Option<TimePoint>,
    /// The time reached by the last undo or redo, until an entry starts.
    pub(crate) undo_time: Option<u64>,
    /// The last entry, if it ran in the past without effect and was therefore rolled back.
    pub(crate) discarded_entry: Option<DiscardedEntry>,
    /// How many views have been computed, for tests of how often they are.
    #[doc(hidden)]
    pub view_count: std::cell::Cell<usize>,
    /// How many outlines of the board have been computed, for tests.
    #[doc(hidden)]
    pub outline_count: std::cell::Cell<usize>,
    /// How many frames have been described, for tests.
    #[doc(hidden)]
    pub frame_info_count: std::cell::Cell<usize>,
}

impl Target {
    /// A target with an empty program that has not started.
    pub fn new(language: &'static dyn Language, seed: u64) -> Target {
        let info = language.info();
        let program = Rc::new(language.empty_program());
        let mut machine = Machine::new(program, seed);
        machine.set_recording(true);
        Target {
            language,
            sources: Sources::with_rules(info.title, info.rules),
            machine,
            timeline: Timeline::default(),
            debugger: Debugger::default(),
            main_source: None,
            file: None,
            last_entry_number: 0,
            parsed_entry: RefCell::default(),
            outline: RefCell::default(),
            slice_instructions: u64::MAX,
            pause_after: None,
            suspended_run: None,
            progress_listener: None,
            drops_found_lines: false,
            trial_runs: 0,
            log_cursor: LogPosition::default(),
            suspension: Suspension::default(),
            failures: Vec::new(),
            expr_cache: ExprCache::default(),
            cancelled: false,
            watch_stop: None,
            undo_time: None,
            discarded_entry: None,
            view_count: Default::default(),
            outline_count: Default::default(),
            frame_info_count: Default::default(),
        }
    }

    /// The number of the next entry. Every entry has a number of its own, even if it fails or is
    /// undone; commands have none.
    pub fn next_entry_number(&self) -> u32 {
        self.last_entry_number + 1
    }

    /// Sets the number of the next entry: a replayed entry keeps its number.
    pub fn set_next_entry_number(&mut self, number: u32) {
        self.last_entry_number = number.saturating_sub(1);
    }

    /// Adds the text of an entry to the sources.
    fn add_entry_source(&mut self, text: &str) -> Arc<Source> {
        self.last_entry_number += 1;
        self.sources
            .add(Origin::Entry(self.last_entry_number), text)
    }

    /// Adds the text of a file to the sources.
    pub fn add_file(&mut self, name: &str, text: &str) -> Arc<Source> {
        self.sources.add(Origin::File(name.to_string()), text)
    }

    /// The preludes that the program uses, in the order they were read.
    pub fn preludes(&self) -> Vec<Arc<Source>> {
        preludes_of(self.language, self.program(), &self.sources)
    }

    /// The entries in effect that changed what the program defines, without the first one.
    pub fn defining_entries(&self) -> HashSet<EntryId> {
        let program = |entry: &'_ HistoryEntry| match &entry.action {
            HistoryAction::Start { program, .. } | HistoryAction::EvalInFrame { program, .. } => {
                Some(program.clone())
            }
            HistoryAction::Answer { .. }
            | HistoryAction::Seed(_)
            | HistoryAction::ScriptDraws(_) => None,
        };
        let items = |program: &Rc<Program>| self.language.program_items(program, &self.sources);
        let entries = self.timeline.entries().iter();
        let programs = entries.filter_map(|entry| Some((entry.id, program(entry)?)));
        let mut before: Option<(Rc<Program>, Vec<ProgramItem>)> = None;
        let mut found = HashSet::new();
        for (id, program) in programs {
            let is_same = |(before, _): &(Rc<Program>, _)| Rc::ptr_eq(before, &program);
            if before.as_ref().is_some_and(is_same) {
                continue;
            }
            let items = items(&program);
            if before.is_some_and(|(_, before)| before != items) {
                found.insert(id);
            }
            before = Some((program, items));
        }
        found
    }

    /// True if more input could complete an entry. What was parsed is kept for
    /// [`Target::compile_entry`].
    pub fn is_incomplete(&self, text: &str) -> bool {
        if let Some(pending) = self.parsed_entry.borrow_mut().as_mut()
            && Rc::ptr_eq(&pending.program, self.program())
            && pending.is_open_in(text)
        {
            pending.with_more_lines = Some(text.to_string());
            return true;
        }
        let origin = Origin::Entry(self.next_entry_number());
        let source = Source::new(self.sources.next_id(), origin, text);
        let parse = || self.language.parse_entry(&source, self.program());
        let Ok(parsed) = long_text::limit_work(&self.machine, parse) else {
            // What is too much work is done, and refused, when the entry is run.
            return false;
        };
        let is_incomplete = parsed.is_incomplete;
        self.parsed_entry.replace(Some(PendingEntry {
            source,
            program: self.program().clone(),
            parsed,
            with_more_lines: None,
        }));
        is_incomplete
    }

    /// True if an entry has an error that no further line can correct.
    pub fn is_faulty(&self, text: &str) -> bool {
        self.with_parsed(text, |parsed| parsed.is_faulty)
    }

    /// How the next line can go on with an entry that is complete.
    pub fn continuation(&self, text: &str) -> Continuation {
        self.with_parsed(text, |parsed| parsed.continuation.clone())
    }

    /// What the parser says of an entry, which [`Target::is_incomplete`] may have parsed already.
    fn with_parsed<R>(&self, text: &str, f: impl FnOnce(&ParsedEntry) -> R) -> R {
        let pending = self.parsed_entry.borrow();
        if let Some(pending) = pending.as_ref().filter(|p| p.speaks_for(text)) {
            return f(&pending.parsed);
        }
        let source = Source::new(self.sources.next_id(), Origin::Expression, text);
        let parse = || self.language.parse_entry(&source, self.program());
        let parsed = long_text::limit_work(&self.machine, parse);
        f(&parsed.unwrap_or_else(|_| ParsedEntry::without_tree(false)))
    }

    /// Whether entries compile, each of them with the definitions of those before it. Nothing is run
    /// or defined.
    pub fn would_compile(&self, entries: &[&str]) -> bool {
        let frame = frame::frame_scope(self);
        let mut program = self.program().clone();
        entries.iter().all(|text| {
            let source = Source::new(self.sources.next_id(), Origin::Expression, *text);
            let compiled = self
                .language
                .compile_entry(&source, &program, frame.as_ref());
            compiled.is_ok_and(|compiled| {
                program = Rc::new(compiled.program);
                true
            })
        })
    }

    /// Compiles an entry for the selected frame and adds its text to the sources.
    pub fn compile_entry(
        &mut self,
        text: &str,
    ) -> (Arc<Source>, Result<Compiled, Vec<Diagnostic>>) {
        let pending = self.parsed_entry.take().filter(|pending| {
            pending.source.id == self.sources.next_id()
                && pending.source.text == text
                && Rc::ptr_eq(&pending.program, self.program())
        });
        let source = self.add_entry_source(text);
        let compiled = long_text::limit_compiling(self, |target| {
            let (language, program) = (target.language, target.program());
            let parsed = match pending {
                Some(pending) => pending.parsed,
                None => language.parse_entry(&source, program),
            };
            let frame = frame::frame_scope(target);
            language.compile_parsed(parsed, &source, program, frame.as_ref())
        });
        (source, compiled)
    }

    /// Keeps the state of the game at a stop, to tell at the next one what has changed.
    pub(crate) fn remember_stop_state(&mut self) {
        let (state, _) = self.machine.store.snapshot();
        self.debugger.last_stop_state = Some(state);
        self.debugger.last_stop_fields = Some(diff::capture_record_fields(self));
    }

    /// The next stop tells what has changed since its entry began.
    pub(crate) fn forget_last_stop(&mut self) {
        self.debugger.last_stop_state = None;
        self.debugger.last_stop_fields = Some(diff::capture_record_fields(self));
        self.debugger.last_stop_locals = None;
    }

    /// The number of hits of a breakpoint until the current position in the history.
    pub fn hit_count(&self, b: &Breakpoint) -> u64 {
        self.timeline.hit_count(b.hit_key, self.machine.time())
    }

    /// Moves the checkpoints taken during a run into the history.
    pub(crate) fn collect_checkpoints(&mut self) {
        self.timeline.collect_checkpoints(&mut self.machine);
    }

    /// Runs the program from the current position as `f` says, and describes where it ends.
    pub fn run(&mut self, f: impl FnOnce(&mut Run<'_>)) -> Answer {
        self.run_from(RunStart::Stop, f)
    }

    pub(crate) fn run_from(&mut self, start: RunStart, f: impl FnOnce(&mut Run<'_>)) -> Answer {
        let mut run = Run::new(self, start);
        f(&mut run);
        match run.plan {
            None => run.finish(),
            Some(_) => {
                self.suspended_run = run.suspend();
                Answer::new("")
            }
        }
    }

    /// Runs `f`, and everything in it to its end, also if the client runs in slices.
    pub(crate) fn at_once<R>(&mut self, f: impl FnOnce(&mut Target) -> R) -> R {
        let budget = self.pause_after.take();
        let result = f(self);
        self.pause_after = budget;
        result
    }

    /// How many instructions to run before the progress is reported.
    pub(crate) fn slice_instructions(&self) -> u64 {
        match self.progress_listener {
            Some(_) => self.slice_instructions.min(PROGRESS_INTERVAL_INSTRUCTIONS),
            None => self.slice_instructions,
        }
    }

    /// The language of the session.
    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    /// The program as it is now, with all redefinitions.
    pub fn program(&self) -> &Rc<Program> {
        self.machine.program()
    }

    /// The game as the language displays it, with the given part of the board.
    pub fn view(&self, window: Viewport) -> GameView {
        self.view_count.set(self.view_count.get() + 1);
        self.language
            .view(self.program(), &self.machine.store, window)
    }

    /// The message that the program displays beside the board.
    pub fn displayed_message(&self) -> Option<String> {
        let message = self.machine.store.message.as_ref();
        message.map(|message| message.to_string())
    }

    /// The board without its cells; `None` if there is none yet. It is kept until the state of the game
    /// changes: an answer asks for it several times.
    pub fn board_outline(&self) -> Option<BoardView> {
        let program = self.program();
        let Some(store) = self.machine.store.current_snapshot() else {
            return self.new_outline();
        };
        let is_same =
            |known: &KnownOutline| Rc::ptr_eq(&known.program, program) && known.store == store;
        let known = self.outline.take().filter(is_same);
        let known = known.unwrap_or_else(|| KnownOutline {
            program: program.clone(),
            outline: self.new_outline(),
            store,
        });
        let outline = known.outline.clone();
        self.outline.replace(Some(known));
        outline
    }

    fn new_outline(&self) -> Option<BoardView> {
        self.outline_count.set(self.outline_count.get() + 1);
        let store = &self.machine.store;
        self.language.board_outline(self.program(), store)
    }

    /// The status of the game and whose turn it is.
    pub fn progress(&self) -> GameProgress {
        self.language.progress(self.program(), &self.machine.store)
    }

    /// The players of the game, in turn order.
    pub fn players(&self) -> Vec<String> {
        self.language.players(self.program(), &self.machine.store)
    }

    /// Everything that has a name and a value: variables, fields of records, pieces in lists.
    pub fn named_values(&self) -> NamedValues {
        self.language
            .named_values(self.program(), &self.machine.store)
    }

    /// Whether a function's code is the current definition of its name.
    pub fn is_current_code(&self, id: FunctionId) -> bool {
        let Some(function) = self.machine.function(id) else {
            return false;
        };
        function.kind == FunctionKind::Entry
            || self.function_named(function.name.as_str()) == Some(id)
    }

    /// Finds a function by name, such as `winCondition`.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self
            .program()
            .functions
            .iter()
            .position(|f| f.name.as_str() == name)?;
        Some(FunctionId(index as u32))
    }

    /// The state of the game with the whole board.
    pub fn full_view(&self) -> GameView {
        self.view(Viewport::ALL)
    }

    /// True if the program is waiting for input.
    pub fn is_waiting_for_input(&self) -> bool {
        matches!(self.suspension, Suspension::Question(_))
    }

    /// Whether the program is stopped, that is neither idle nor waiting for input.
    pub fn is_stopped(&self) -> bool {
        !self.machine.is_idle() && !self.is_waiting_for_input()
    }

    /// A span as file, lines and columns.
    pub fn source_range(&self, span: Span) -> Option<SourceRange> {
        range_in(&self.sources, span)
    }

    /// A source excerpt on one line, without `--` comments.
    pub fn code_on_one_line(&self, span: Span) -> String {
        code_on_one_line(self.sources.slice(span))
    }

    /// A value in the language's own notation.
    pub fn format_value(&self, value: Value) -> String {
        (self.program().format_value)(self.program(), &self.machine.store, value, true)
    }

    /// Like [`Target::format_value`]; for a piece, with its cell.
    pub fn format_value_with_cell(&self, value: Value) -> String {
        let Some(piece) = value.as_piece() else {
            return self.format_value(value);
        };
        let Some((row, col)) = self.machine.store.piece_row_col(piece) else {
            return format!("{}, no longer on the board", self.format_value(value));
        };
        format!(
            "{} at {}",
            self.format_value(value),
            self.program()
                .board_info
                .format_cell(row.into(), col.into())
        )
    }

    /// The source code of a span.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        Excerpt {
            text: self.sources.slice(span).to_string(),
            range: self.source_range(span).unwrap_or_default(),
            span,
        }
    }

    /// Withdraws the question, and ends stepping through a statement, because the position in the
    /// history changes.
    pub(crate) fn clear_suspension(&mut self) {
        self.suspension = Suspension::default();
    }

    /// Like `rebind_breakpoints`, without messages. Traveling in time changes the program.
    pub fn rebind_breakpoints_quietly(&mut self) {
        if self.debugger.breakpoints.is_empty() {
            return;
        }
        let program = self.machine.program().clone();
        self.debugger.rebind_breakpoints(&program, &self.sources);
    }
}
