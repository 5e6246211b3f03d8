//! What a BoGL session has defined so far, and where each of it lies in the code and among the variables.

use super::ast::Word;
use super::env::Env;
use super::notes::Kind;
use super::types::Type;
use crate::code::{FunctionId, Program, Reg, Role};
use crate::language::FrameScope;
use crate::source::{Source, SourceId, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The board that is shown when nothing runs: the last one that an entry answered or placed on.
pub const BOARD: u32 = 0;
/// The board that is shown: while something runs, the last one that `place` made.
pub const PLACED: u32 = 1;
/// Whether `input` was asked for: then the person has played on what was placed, and it stays.
pub const ASKED: u32 = 2;

/// The variables that are there in every program, by number.
pub const HIDDEN: [&str; 3] = ["@board", "@placed", "@asked"];

/// The title of the code that starts the game.
pub const START: &str = "@start";

/// The title of the code that runs the game without a prompt: it evaluates [`RESULT`] and prints it.
pub const PLAY: &str = "@play";

/// The value that a game is run for.
pub const RESULT: &str = "result";

/// The types of the locals of a function, by its place and whether it is an entry's.
pub type Ledger = BTreeMap<(Span, bool), Rc<[Type]>>;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// Code by title: the name of a definition, [`START`] or [`PLAY`].
    pub codes: BTreeMap<Arc<str>, FunctionId>,
    /// Variables by name: boards given by equations, and session lets.
    pub slots: BTreeMap<Arc<str>, u32>,
    /// The texts that define something.
    pub sources: BTreeMap<SourceId, Rc<Source>>,
    /// The types of the named registers of every function ever lowered, by the function's place and whether it is an
    /// entry: one that only defines something has the place of what it defines. It only grows, and
    /// all scopes of a session share it: an entry that defines nothing must not make a new scope, but its `let`s have
    /// types that are asked for when it is stopped.
    pub ledger: Rc<RefCell<Ledger>>,
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        program
            .scope
            .downcast_ref::<Scope>()
            .cloned()
            .unwrap_or_default()
    }

    pub fn keep(&mut self, source: &Source) {
        let copy = Source::new(source.id, source.origin.clone(), source.text.clone());
        self.sources.insert(source.id, Rc::new(copy));
    }

    pub fn slice(&self, span: Span) -> &str {
        self.sources
            .get(&span.source)
            .map_or("", |source| source.slice(span))
    }

    /// Where it stands: `game.bgl, line 3`.
    pub fn place(&self, span: Span) -> Option<String> {
        let source = self.sources.get(&span.source)?;
        Some(format!(
            "{}, line {}",
            source.origin,
            source.line_column(span.start).0
        ))
    }

    /// Numbers for what has none yet; those given out never change.
    pub fn number(&mut self) {
        for title in [START, PLAY] {
            let next = FunctionId(self.codes.len() as u32);
            self.codes.entry(title.into()).or_insert(next);
        }
        let globals: Vec<_> = self.env.globals().into_iter().cloned().collect();
        for global in globals {
            let kind = global.kind();
            if kind != Kind::Let {
                let next = FunctionId(self.codes.len() as u32);
                self.codes.entry(global.name.clone()).or_insert(next);
            }
            if matches!(kind, Kind::Board | Kind::Let) {
                let next = (HIDDEN.len() + self.slots.len()) as u32;
                self.slots.entry(global.name.clone()).or_insert(next);
            }
        }
    }

    /// What is known of the frame that an entry was typed in.
    pub fn inside(&self, program: &Program, frame: Option<&FrameScope>) -> Inside {
        let Some(frame) = frame else {
            return Inside::default();
        };
        let mut inside = Inside {
            stopped: true,
            count: frame.locals.len() as u16,
            ..Inside::default()
        };
        let Some(function) = frame.function.and_then(|id| program.function(id)) else {
            return inside;
        };
        let ledger = self.ledger.borrow();
        let Some(types) = ledger.get(&(function.span, function.role == Role::Entry)) else {
            return inside;
        };
        for (n, local) in frame.locals.iter().enumerate() {
            let known = function
                .locals
                .iter()
                .position(|other| other == local)
                .and_then(|at| types.get(at));
            if let Some(own) = known {
                let name = Word {
                    text: local.name.as_str().into(),
                    span: Span::default(),
                };
                inside.locals.push((name, own.clone()));
                inside.places.push(n as Reg);
            }
        }
        inside
    }
}

/// The frame that an entry looks into: its registers come as the entry's parameters.
#[derive(Debug, Default)]
pub struct Inside {
    /// Whether there is such a frame at all.
    pub stopped: bool,
    /// How many registers it has that have names.
    pub count: u16,
    /// Those that are known, inner ones last.
    pub locals: Vec<(Word, Type)>,
    /// The parameter of each of these.
    pub places: Vec<Reg>,
}
