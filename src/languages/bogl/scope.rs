//! What a BoGL session has defined so far, and where each of it lies in the code and among the variables.

use super::ast::Ident;
use super::env::Env;
use super::resolution::GlobalKind;
use super::types::Type;
use crate::code::{FunctionId, FunctionKind, Program, Reg};
use crate::language::FrameScope;
use crate::source::{Source, SourceId, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The board that is shown when nothing runs: the last one that an entry answered or placed on.
pub const COMMITTED_BOARD: u32 = 0;
/// The board that is shown: while something runs, the last one that `place` made.
pub const DISPLAYED_BOARD: u32 = 1;
/// Whether `input` was asked for: then the person has played on what was placed, and it stays.
pub const INPUT_REQUESTED: u32 = 2;

/// The variables that are there in every program, by number.
pub const HIDDEN_GLOBALS: [&str; 3] = ["@board", "@placed", "@asked"];

/// The title of the code that starts the game.
pub const START_FUNCTION: &str = "@start";

/// The title of the code that runs the game without a prompt: it evaluates [`RESULT`] and prints it.
pub const PLAY_FUNCTION: &str = "@play";

/// The value that a game is run for.
pub const RESULT_NAME: &str = "result";

/// The types of the locals of a function, by its place and whether it is an entry's.
pub type LocalTypes = BTreeMap<(Span, bool), Rc<[Type]>>;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// Code by title: the name of a definition, [`START`] or [`PLAY`].
    pub functions: BTreeMap<Arc<str>, FunctionId>,
    /// Variables by name: boards given by equations, and session lets.
    pub slots: BTreeMap<Arc<str>, u32>,
    /// The texts that define something.
    pub sources: BTreeMap<SourceId, Rc<Source>>,
    /// The types of the named registers of every function ever lowered, by the function's place and whether it is an
    /// entry: one that only defines something has the place of what it defines. It only grows, and
    /// all scopes of a session share it: an entry that defines nothing must not make a new scope, but its `let`s have
    /// types that are asked for when it is stopped.
    pub local_types: Rc<RefCell<LocalTypes>>,
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    pub fn add_source(&mut self, source: &Source) {
        let copy = Source::new(source.id, source.origin.clone(), source.text.clone());
        self.sources.insert(source.id, Rc::new(copy));
    }

    pub fn slice(&self, span: Span) -> &str {
        self.sources
            .get(&span.source)
            .map_or("", |source| source.slice(span))
    }

    /// Where it stands: `game.bgl, line 3`.
    pub fn describe_location(&self, span: Span) -> Option<String> {
        let source = self.sources.get(&span.source)?;
        Some(format!(
            "{}, line {}",
            source.origin,
            source.line_column(span.start).0
        ))
    }

    /// Numbers for what has none yet; those given out never change.
    pub fn assign_ids(&mut self) {
        for title in [START_FUNCTION, PLAY_FUNCTION] {
            let next = FunctionId(self.functions.len() as u32);
            self.functions.entry(title.into()).or_insert(next);
        }
        let globals: Vec<_> = self.env.globals().into_iter().cloned().collect();
        for global in globals {
            let kind = global.kind();
            if kind != GlobalKind::Let {
                let next = FunctionId(self.functions.len() as u32);
                self.functions.entry(global.name.clone()).or_insert(next);
            }
            if matches!(kind, GlobalKind::Board | GlobalKind::Let) {
                let next = (HIDDEN_GLOBALS.len() + self.slots.len()) as u32;
                self.slots.entry(global.name.clone()).or_insert(next);
            }
        }
    }

    /// What is known of the frame that an entry was typed in.
    pub fn frame_context(&self, program: &Program, frame: Option<&FrameScope>) -> FrameContext {
        let Some(frame) = frame else {
            return FrameContext::default();
        };
        let mut context = FrameContext {
            is_stopped: true,
            register_count: frame.locals.len() as u16,
            ..FrameContext::default()
        };
        let Some(function) = frame.function.and_then(|id| program.function(id)) else {
            return context;
        };
        let local_types = self.local_types.borrow();
        let Some(types) = local_types.get(&(function.span, function.kind == FunctionKind::Entry))
        else {
            return context;
        };
        for (n, local) in frame.locals.iter().enumerate() {
            let known = function
                .locals
                .iter()
                .position(|other| other == local)
                .and_then(|at| types.get(at));
            if let Some(ty) = known {
                let name = Ident {
                    text: local.name.as_str().into(),
                    span: Span::default(),
                };
                context.locals.push((name, ty.clone()));
                context.registers.push(n as Reg);
            }
        }
        context
    }
}

/// The frame that an entry looks into: its registers come as the entry's parameters.
#[derive(Debug, Default)]
pub struct FrameContext {
    /// Whether there is such a frame at all.
    pub is_stopped: bool,
    /// How many registers it has that have names.
    pub register_count: u16,
    /// Those that are known, inner ones last.
    pub locals: Vec<(Ident, Type)>,
    /// The parameter of each of these.
    pub registers: Vec<Reg>,
}
