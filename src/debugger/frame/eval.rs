//! Evaluates expressions: breakpoint conditions, log messages, displays.
//!
//! Each is compiled once per scope and cached until the program changes.

use crate::code::flow::{Globals, Summary};
use crate::code::{FunctionId, FunctionKind, Program};
use crate::diagnostic::{Diagnostic, Phase};
use crate::frame::frames;
use crate::language::FrameScope;
use crate::machine::{LinkedImage, Outcome, Pause, Probe, SharedProbe, UntilTime};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::Value;
use crate::{Location, Target};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The instruction budget for one evaluation.
const EVAL_BUDGET_INSTRUCTIONS: u64 = 200_000_000;

/// The error code for an evaluation interrupted with Ctrl-C.
pub const INTERRUPTED_CODE: &str = "RT022";

/// The error code for something that has an effect but no value.
pub(crate) const NO_VALUE_CODE: &str = "RT024";

/// A source for text that is compiled but not kept in [`Target::sources`], so spans into it cannot
/// be shown. Its id is never assigned to a kept source.
pub fn scratch_source(text: &str) -> Source {
    Source::new(SourceId(u32::MAX - 1), Origin::Expression, text)
}

/// The maximum number of cached expressions.
const MAX_CACHED_EXPRS: usize = 128;

/// An expression compiled for a scope.
struct CachedExpr {
    image: LinkedImage,
    function: FunctionId,
    locals: Rc<[u16]>,
    span: Span,
    globals_read: Globals,
}

/// A cache entry: the expression, its scope (`None` if it may not use the variables of a frame), and
/// the result of compiling it. Errors are cached too, because a condition may be checked a hundred
/// thousand times.
struct CacheEntry {
    text: String,
    frame: Option<FrameScope>,
    /// Whether it was compiled at a stop. Otherwise it takes the place of the last entry, which may be
    /// on the stack at another time of the same program.
    is_at_stop: bool,
    compiled: Result<CachedExpr, Vec<Diagnostic>>,
}

/// A program with an added function that evaluates an expression.
#[derive(Clone)]
pub struct CompiledExpr {
    /// The program with the function.
    pub program: Rc<Program>,
    /// The function.
    pub function: FunctionId,
}

/// The cache of compiled expressions, valid for the program `base`.
#[derive(Default)]
pub(crate) struct ExprCache {
    base: Option<Rc<Program>>,
    entries: Vec<CacheEntry>,
    /// Those that are tested at traps, with their text and scope. `None` if a test is not possible.
    probes: Vec<(String, Option<FrameScope>, Option<SharedProbe>)>,
}

impl ExprCache {
    /// Empties the cache if it is about another program.
    fn set_program(&mut self, program: &Rc<Program>) {
        if !self
            .base
            .as_ref()
            .is_some_and(|base| Rc::ptr_eq(base, program))
        {
            self.base = Some(program.clone());
            self.entries.clear();
            self.probes.clear();
        }
    }

    fn take(
        &mut self,
        text: &str,
        frame: &Option<FrameScope>,
        is_at_stop: bool,
        program: &Rc<Program>,
    ) -> Option<CacheEntry> {
        self.set_program(program);
        let at = self
            .entries
            .iter()
            .position(|q| q.is_at_stop == is_at_stop && q.frame == *frame && q.text == text)?;
        Some(self.entries.swap_remove(at))
    }

    fn keep(&mut self, entry: CacheEntry) {
        if self.entries.len() >= MAX_CACHED_EXPRS {
            self.entries.clear();
        }
        self.entries.push(entry);
    }
}

impl Target {
    /// How many expressions are compiled and cached, for tests of how often they are.
    #[doc(hidden)]
    pub fn cached_expr_count(&self) -> usize {
        self.expr_cache.entries.len()
    }

    /// Evaluates an expression in the selected frame and passes the value to `read`. The game is
    /// rolled back afterwards.
    pub fn eval<R>(
        &mut self,
        text: &str,
        read: impl FnOnce(&Target, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        let frame = frames::frame_scope(self);
        self.eval_in_scope(text, frame, read)
    }

    /// Like `eval`, but without access to the variables of a frame.
    pub(crate) fn eval_without_frame<R>(
        &mut self,
        text: &str,
        read: impl FnOnce(&Target, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        self.eval_in_scope(text, None, read)
    }

    fn eval_in_scope<R>(
        &mut self,
        text: &str,
        frame: Option<FrameScope>,
        read: impl FnOnce(&Target, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        let mut entry = self.take_cached(text, frame);
        let result = match &mut entry.compiled {
            Ok(expr) => self.eval_cached(expr, read),
            Err(diagnostics) => Err(diagnostics.clone()),
        };
        self.expr_cache.keep(entry);
        result
    }

    /// Evaluates the function of a compiled entry without access to the variables of a frame, and
    /// passes the value to `read`. The game is rolled back afterwards.
    pub(crate) fn eval_entry<R>(
        &mut self,
        program: Program,
        function: FunctionId,
        read: impl FnOnce(&Target, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        let span = scratch_source("").full_span();
        let Some(compiled) = self.add_to_current_program(program, function) else {
            return Err(vec![no_value(span)]);
        };
        let mut expr = CachedExpr {
            image: LinkedImage::new(compiled.program),
            function: compiled.function,
            locals: Rc::default(),
            span,
            globals_read: Globals::All,
        };
        self.eval_cached(&mut expr, read)
    }

    fn eval_cached<R>(
        &mut self,
        expr: &mut CachedExpr,
        read: impl FnOnce(&Target, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        self.with_rollback(|target| {
            target.machine.swap_image(&mut expr.image);
            let result = target.run_cached(expr).map(|value| read(target, value));
            target.machine.swap_image(&mut expr.image);
            result
        })
    }

    /// Whether an expression without local variables may read a global variable.
    pub(crate) fn may_read_global(&mut self, text: &str, global: u32) -> bool {
        let entry = self.take_cached(text, None);
        let compiled = entry.compiled.as_ref();
        let may_read = compiled.map_or(true, |expr| expr.globals_read.may_contain(global));
        self.expr_cache.keep(entry);
        may_read
    }

    /// An expression in the form that is tested at traps where the program is now, in its top frame or
    /// without access to its variables. `None` if the test would need more than that.
    pub(crate) fn probe(&mut self, text: &str, uses_frame: bool) -> Option<SharedProbe> {
        let top = self.machine.frames().last()?;
        let has_self = top.self_piece != Value::NOTHING;
        // What an entry at a stop can refer to depends on where it was typed.
        let is_entry = self.machine.function(top.function)?.kind == FunctionKind::Entry;
        if uses_frame && (is_entry || self.debugger.selected_frame != 0) {
            return None;
        }
        let frame = uses_frame.then(|| frames::frame_scope(self)).flatten();
        let program = self.program().clone();
        self.expr_cache.set_program(&program);
        let mut probes = self.expr_cache.probes.iter();
        if let Some((_, _, probe)) = probes.find(|(t, f, _)| t == text && *f == frame) {
            return probe.clone();
        }
        let compiled = self.compile_cached(text, frame.as_ref()).ok();
        let probe = compiled.and_then(|c| Probe::new(c.image, c.function, &c.locals, has_self));
        let probe = probe.map(|probe| Rc::new(RefCell::new(probe)));
        if self.expr_cache.probes.len() >= MAX_CACHED_EXPRS {
            self.expr_cache.probes.clear();
        }
        let entry = (text.to_string(), frame, probe.clone());
        self.expr_cache.probes.push(entry);
        probe
    }

    /// Takes an expression from the cache, or compiles it.
    fn take_cached(&mut self, text: &str, frame: Option<FrameScope>) -> CacheEntry {
        let program = self.program().clone();
        let is_at_stop = self.is_stopped();
        match self.expr_cache.take(text, &frame, is_at_stop, &program) {
            Some(entry) => entry,
            None => CacheEntry {
                text: text.to_string(),
                compiled: self.compile_cached(text, frame.as_ref()),
                frame,
                is_at_stop,
            },
        }
    }

    fn compile_cached(
        &self,
        text: &str,
        frame: Option<&FrameScope>,
    ) -> Result<CachedExpr, Vec<Diagnostic>> {
        let source = scratch_source(text);
        let CompiledExpr { program, function } = self.compile_in_scope(&source, frame)?;
        let locals = frame
            .map_or(&[][..], |f| &f.locals)
            .iter()
            .map(|l| l.register)
            .collect();
        Ok(CachedExpr {
            globals_read: globals_read(&program, function),
            image: LinkedImage::new(program),
            function,
            locals,
            span: source.full_span(),
        })
    }

    /// Whether an expression compiles somewhere in the program, though not here. It may use
    /// variables that are only visible in a function.
    pub fn compiles_elsewhere(&self, text: &str) -> bool {
        let source = scratch_source(text);
        let functions = self
            .program()
            .functions
            .iter()
            .enumerate()
            .filter(|(_, f)| f.kind != FunctionKind::Entry);
        let scopes = functions.flat_map(|(id, f)| {
            f.stop_points.iter().map(move |stop| FrameScope {
                locals: f.locals_at(stop.pc).copied().collect(),
                in_handler: f.kind == FunctionKind::Handler,
                function: Some(FunctionId(id as u32)),
                outer: None,
            })
        });
        let mut scopes: Vec<FrameScope> = scopes
            .filter(|s| !s.locals.is_empty() || s.in_handler)
            .collect();
        scopes.dedup();
        scopes.iter().any(|scope| {
            self.language()
                .compile_entry(&source, self.program(), Some(scope))
                .is_ok()
        })
    }

    /// Compiles an expression for the selected frame. Anything that would start a new game is
    /// rejected.
    pub(crate) fn compile_in_frame(
        &self,
        source: &Source,
    ) -> Result<CompiledExpr, Vec<Diagnostic>> {
        self.compile_in_scope(source, frames::frame_scope(self).as_ref())
    }

    fn compile_in_scope(
        &self,
        source: &Source,
        frame: Option<&FrameScope>,
    ) -> Result<CompiledExpr, Vec<Diagnostic>> {
        let compiled = self
            .language()
            .compile_entry(source, self.program(), frame)?;
        let entry_point = compiled.entry_point.filter(|_| !compiled.resets_game);
        let compiled_expr = entry_point
            .and_then(|entry_point| self.add_to_current_program(compiled.program, entry_point));
        compiled_expr.ok_or_else(|| vec![no_value(source.full_span())])
    }

    /// Adds the entry's function to the current program so that everything on the stack keeps its
    /// code and its id. (A language puts a new entry in address of the last one, which may be the one
    /// that is stopped.) Returns `None` if the entry defines anything besides its own function.
    fn add_to_current_program(
        &self,
        mut program: Program,
        entry_point: FunctionId,
    ) -> Option<CompiledExpr> {
        if !self.is_stopped() {
            return Some(CompiledExpr {
                program: Rc::new(program),
                function: entry_point,
            });
        }
        let entry_function = program.functions.iter().next_back()?.clone();
        program.functions.truncate(program.functions.len() - 1);
        let (current, compiled) = (&self.program().functions, &program.functions);
        let adds_one_function =
            compiled.len() == entry_point.0 as usize && compiled.len() <= current.len();
        if !adds_one_function || compiled.iter().zip(current).any(|(a, b)| !Rc::ptr_eq(a, b)) {
            return None;
        }
        program.functions = current.clone();
        program.functions.push(entry_function);
        let function = FunctionId(current.len() as u32);
        Some(CompiledExpr {
            program: Rc::new(program),
            function,
        })
    }

    /// Compiles an expression as a source of its own, so that diagnostics and steps can point into
    /// it.
    pub fn compile_expr(
        &mut self,
        text: &str,
    ) -> Result<(Arc<Source>, CompiledExpr), Vec<Diagnostic>> {
        let source = self.sources.add(Origin::Expression, text);
        let compiled = self.compile_in_frame(&source)?;
        Ok((source, compiled))
    }

    /// Starts evaluating it in the selected frame.
    pub fn start_eval(&mut self, compiled_expr: CompiledExpr) -> Result<(), Vec<Diagnostic>> {
        let locals = self.frame_registers();
        self.machine.install(compiled_expr.program);
        self.start_in_frame(compiled_expr.function, locals)
    }

    fn start_in_frame(
        &mut self,
        function: FunctionId,
        locals: Rc<[u16]>,
    ) -> Result<(), Vec<Diagnostic>> {
        let index = frames::selected_frame_index(self);
        let started = match self.is_stopped() {
            true => self.machine.start_in_frame(function, index, locals),
            false => self.machine.start(function, &[]),
        };
        started.map_err(|error| vec![self.runtime_error(&error)])
    }

    /// The registers of the locals visible to an entry, in order.
    pub(crate) fn frame_registers(&self) -> Rc<[u16]> {
        frames::frame_scope(self)
            .map_or_else(Vec::new, |f| f.locals)
            .iter()
            .map(|l| l.register)
            .collect()
    }

    /// Checks a breakpoint condition where it will be evaluated. Returns an error if it cannot be
    /// parsed, or a warning if it uses names that are not visible there.
    pub fn check_condition(
        &self,
        text: &str,
        location: &Location,
        addresses: &[(FunctionId, u32)],
    ) -> Result<Option<String>, String> {
        let source = scratch_source(text);
        let address = addresses
            .first()
            .and_then(|&(id, pc)| Some((id, pc, self.machine.function(id)?)));
        let frame = address.map(|(id, pc, f)| FrameScope {
            locals: f.locals_at(pc).copied().collect(),
            in_handler: f.kind == FunctionKind::Handler,
            function: Some(id),
            outer: None,
        });
        let Err(errors) = self
            .language()
            .compile_entry(&source, self.program(), frame.as_ref())
        else {
            return Ok(None);
        };
        let Some(first) = errors.iter().find(|d| d.is_error()) else {
            return Ok(None);
        };
        let message = first.message.clone();
        match (first.phase, location) {
            (Phase::Parse, _) => Err(message),
            // Only these have a single address at which names can be checked.
            (_, Location::Line { .. } | Location::Function(_)) if !addresses.is_empty() => {
                Ok(Some(message))
            }
            _ => Ok(None),
        }
    }

    fn run_cached(&mut self, cached: &CachedExpr) -> Result<Value, Vec<Diagnostic>> {
        self.start_in_frame(cached.function, cached.locals.clone())?;
        let error = |code, message: &str| {
            Err(vec![Diagnostic::error(
                Phase::Runtime,
                code,
                cached.span,
                message,
            )])
        };
        let limit = self.machine.time() + EVAL_BUDGET_INSTRUCTIONS;
        match self.machine.run_observed(&mut UntilTime(limit)) {
            Outcome::Finished(Value::NOTHING) => error(NO_VALUE_CODE, "this has no value"),
            Outcome::Finished(value) => Ok(value),
            Outcome::Failed(error) => Err(vec![self.runtime_error(&error)]),
            Outcome::NeedsInput { .. } => error("RT021", "cannot ask for input while inspecting"),
            Outcome::Paused(Pause::Interrupt) => error(INTERRUPTED_CODE, "interrupted"),
            Outcome::Paused(_) => error("RT019", "this takes too long"),
        }
    }
}

fn no_value(span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Check, NO_VALUE_CODE, span, "this has no value")
}

/// The global variables on which the value of a compiled expression may depend.
fn globals_read(program: &Program, function: FunctionId) -> Globals {
    match Summary::of(program, [function]).globals_read {
        // The value may stand for something that is drawn from the variables.
        Globals::Only(globals) if globals.is_empty() => Globals::All,
        globals => globals,
    }
}
