//! The value of an expression. What is asked again and again (the condition of a breakpoint, what a log tells, what
//! every stop displays) is compiled once for each place where it is asked, as long as the program stays the same.

use super::Session;
use crate::code::{FunctionId, FunctionKind, Program};
use crate::debugger::Location;
use crate::diagnostic::{Diagnostic, Phase, truncate_errors};
use crate::language::FrameScope;
use crate::machine::{LinkedImage, Outcome, Pause, UntilTime};
use crate::source::{Origin, Source, SourceId, Span};
use crate::value::Value;
use std::rc::Rc;

/// How many steps a look may take.
const PATIENCE: u64 = 200_000_000;

/// The code of what somebody has stopped from the keyboard.
pub(super) const INTERRUPTED_CODE: &str = "RT022";

/// How many compiled expressions are kept.
const MOST: usize = 128;

/// An expression that can be evaluated where certain names are to be seen.
struct Query {
    linked: LinkedImage,
    function: FunctionId,
    locals: Rc<[u16]>,
    whole: Span,
}

/// An expression, what can be seen where it is asked (nothing, if nothing is stopped), and what came of compiling it:
/// what can't be compiled at one stop of a hundred thousand is not tried again at the next.
struct Asked {
    text: String,
    frame: Option<FrameScope>,
    compiled: Result<Query, Vec<Diagnostic>>,
}

/// An expression that was compiled to be looked at.
#[derive(Clone)]
pub(super) struct CompiledExpr {
    pub program: Rc<Program>,
    pub function: FunctionId,
}

/// What was compiled for the present program.
#[derive(Default)]
pub(super) struct ExprCache {
    base: Option<Rc<Program>>,
    known: Vec<Asked>,
}

impl ExprCache {
    fn take(
        &mut self,
        text: &str,
        frame: &Option<FrameScope>,
        program: &Rc<Program>,
    ) -> Option<Asked> {
        if !self
            .base
            .as_ref()
            .is_some_and(|base| Rc::ptr_eq(base, program))
        {
            self.base = Some(program.clone());
            self.known.clear();
        }
        let at = self
            .known
            .iter()
            .position(|q| q.frame == *frame && q.text == text)?;
        Some(self.known.swap_remove(at))
    }

    fn keep(&mut self, asked: Asked) {
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.push(asked);
    }
}

impl Session {
    /// The value of an expression, in the frame that is looked at, given to `read`. It is computed on a copy.
    pub fn eval<R>(
        &mut self,
        text: &str,
        read: impl FnOnce(&Session, Value) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        let frame = self.frame_scope();
        let program = self.program().clone();
        let mut asked = match self.expr_cache.take(text, &frame, &program) {
            Some(asked) => asked,
            None => Asked {
                text: text.to_string(),
                compiled: self.compile_query(text, frame.as_ref()),
                frame,
            },
        };
        let result = match &mut asked.compiled {
            Ok(query) => self.with_rollback(|session| {
                session.machine.swap_image(&mut query.linked);
                let result = session.evaluate(query).map(|value| read(session, value));
                session.machine.swap_image(&mut query.linked);
                result
            }),
            Err(diagnostics) => Err(diagnostics.clone()),
        };
        self.expr_cache.keep(asked);
        result
    }

    fn compile_query(
        &self,
        text: &str,
        frame: Option<&FrameScope>,
    ) -> Result<Query, Vec<Diagnostic>> {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let CompiledExpr { program, function } = self.compile_in_frame(&source)?;
        let locals = frame
            .map_or(&[][..], |f| &f.locals)
            .iter()
            .map(|l| l.register)
            .collect();
        Ok(Query {
            linked: LinkedImage::new(program),
            function,
            locals,
            whole: source.full_span(),
        })
    }

    /// Whether an expression can be asked somewhere in the program, though not here: it may speak of what is only to be
    /// seen in a function.
    pub fn compiles_elsewhere(&self, text: &str) -> bool {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
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

    /// An expression, compiled to be looked at. What begins another game has no place in this one.
    pub(super) fn compile_in_frame(
        &self,
        source: &Source,
    ) -> Result<CompiledExpr, Vec<Diagnostic>> {
        let frame = self.frame_scope();
        let compiled = self
            .language()
            .compile_entry(source, self.program(), frame.as_ref())
            .map_err(truncate_errors)?;
        let run = compiled.entry_point.filter(|_| !compiled.resets_game);
        let looked = run.and_then(|run| self.beside_what_runs(compiled.program, run));
        looked.ok_or_else(|| {
            vec![Diagnostic::error(
                Phase::Check,
                "RT024",
                source.full_span(),
                "this has no value",
            )]
        })
    }

    /// A program with one more function, in which all that is on the stack keeps its code and its number: a language
    /// puts what is typed in the place of what was typed before, and that may be what is stopped. Nothing if it has
    /// more to it than that one function.
    fn beside_what_runs(&self, mut program: Program, run: FunctionId) -> Option<CompiledExpr> {
        if !self.is_stopped() {
            return Some(CompiledExpr {
                program: Rc::new(program),
                function: run,
            });
        }
        let entry = program.functions.pop()?;
        let (ours, theirs) = (&self.program().functions, &program.functions);
        let only = theirs.len() == run.0 as usize && theirs.len() <= ours.len();
        if !only || theirs.iter().zip(ours).any(|(a, b)| !Rc::ptr_eq(a, b)) {
            return None;
        }
        program.functions = ours.iter().cloned().chain([entry]).collect();
        let function = FunctionId(ours.len() as u32);
        Some(CompiledExpr {
            program: Rc::new(program),
            function,
        })
    }

    /// Begins to evaluate it, in the frame that is looked at.
    pub(super) fn start_eval(&mut self, looked: CompiledExpr) -> Result<(), Vec<Diagnostic>> {
        let locals = self.frame_registers();
        self.machine.install(looked.program);
        self.start_there(looked.function, locals)
    }

    fn start_there(
        &mut self,
        function: FunctionId,
        locals: Rc<[u16]>,
    ) -> Result<(), Vec<Diagnostic>> {
        let index = self.selected_frame_index();
        let started = match self.is_stopped() {
            true => self.machine.start_in_frame(function, index, locals),
            false => self.machine.start(function, &[]),
        };
        started.map_err(|fault| vec![self.runtime_error(&fault)])
    }

    /// The registers of the locals that an entry sees, in their order.
    pub(super) fn frame_registers(&self) -> Rc<[u16]> {
        self.frame_scope()
            .map_or_else(Vec::new, |f| f.locals)
            .iter()
            .map(|l| l.register)
            .collect()
    }

    /// What speaks against a condition at a place where it will be asked: an error if it can't be read at all, words if
    /// something in it is not to be seen from there.
    pub fn check_condition(
        &self,
        text: &str,
        spot: &Location,
        places: &[(FunctionId, u32)],
    ) -> Result<Option<String>, String> {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Entry(0), text);
        let place = places
            .first()
            .and_then(|&(id, pc)| Some((id, pc, self.machine.function(id)?)));
        let frame = place.map(|(id, pc, f)| FrameScope {
            locals: f.locals_at(pc).copied().collect(),
            in_handler: f.kind == FunctionKind::Handler,
            function: Some(id),
        });
        let Err(wrong) = self
            .language()
            .compile_entry(&source, self.program(), frame.as_ref())
        else {
            return Ok(None);
        };
        let Some(first) = wrong.iter().find(|d| d.is_error()) else {
            return Ok(None);
        };
        let message = first.message.clone();
        match (first.phase, spot) {
            (Phase::Parse, _) => Err(message),
            // Only these have one place, and something can be said of it.
            (_, Location::Line { .. } | Location::Function(_)) if !places.is_empty() => {
                Ok(Some(message))
            }
            _ => Ok(None),
        }
    }

    fn evaluate(&mut self, query: &Query) -> Result<Value, Vec<Diagnostic>> {
        self.start_there(query.function, query.locals.clone())?;
        let wrong = |code, words: &str| {
            Err(vec![Diagnostic::error(
                Phase::Runtime,
                code,
                query.whole,
                words,
            )])
        };
        let limit = self.machine.time() + PATIENCE;
        match self.machine.run_observed(&mut UntilTime(limit)) {
            Outcome::Finished(Value::NOTHING) => wrong("RT024", "this has no value"),
            Outcome::Finished(value) => Ok(value),
            Outcome::Failed(fault) => Err(vec![self.runtime_error(&fault)]),
            Outcome::NeedsInput { .. } => wrong("RT021", "cannot ask for input while inspecting"),
            Outcome::Paused(Pause::Interrupt) => wrong(INTERRUPTED_CODE, "interrupted"),
            Outcome::Paused(_) => wrong("RT019", "this takes too long"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages;
    use crate::session::Reply;

    const LOOP: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun never(x) { return x < 0 }
fun f(k) {
  for i(0, k) {
    n {n + 1}
  }
  return n
}";

    fn with_condition(condition: &str) -> Session {
        let mut session = Session::new(languages::ALL[0], 1);
        assert!(session.load("game.gl", LOOP).ok);
        let spot = Location::Line {
            source: "game.gl".into(),
            line: 6,
        };
        session.debugger.add_breakpoint(spot, "6").condition = Some(condition.into());
        session.rebind_breakpoints(&mut Reply::new(""));
        session
    }

    #[test]
    fn a_condition_is_compiled_once_for_all_its_hits() {
        let mut session = with_condition("i == 200 OR never{i}");
        let reply = session.submit("f{100}");
        assert_eq!(reply.value.as_deref(), Some("100"));
        assert_eq!(session.expr_cache.known.len(), 1);
        // The traps are still there: the next run stops.
        let reply = session.submit("f{300}");
        assert_eq!(reply.stop.map(|s| s.reason), Some("breakpoint"));
        assert_eq!(
            session.eval("i", |s, v| s.format_value(v)),
            Ok("200".into())
        );
    }

    #[test]
    fn a_condition_follows_what_is_defined_anew() {
        let mut session = with_condition("never{i}");
        assert!(session.submit("f{10}").stop.is_none());
        assert!(session.submit("fun never(x) { return x == 7 }").ok);
        assert!(session.submit("f{10}").stop.is_some());
        assert_eq!(session.eval("i", |s, v| s.format_value(v)), Ok("7".into()));
    }

    #[test]
    fn what_is_asked_in_another_frame_is_another_question() {
        let mut session = with_condition("i == 3");
        session.submit("f{10}");
        assert_eq!(session.eval("k", |s, v| s.format_value(v)), Ok("10".into()));
        session.debugger.selected_frame = 1;
        assert!(session.eval("k", |s, v| s.format_value(v)).is_err());
        session.debugger.selected_frame = 0;
        assert_eq!(session.eval("k", |s, v| s.format_value(v)), Ok("10".into()));
    }

    #[test]
    fn checkpoints_are_taken_however_often_a_condition_is_asked() {
        let mut session = with_condition("i < 0");
        session.submit("f{250000}");
        let kept = session
            .timeline
            .entries()
            .last()
            .map_or(0, |r| r.checkpoints.len());
        assert!(kept >= 2, "only {kept} checkpoints in a million steps");
    }
}
