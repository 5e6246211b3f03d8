//! The state of a BoGL session: its definitions, and the function ids and global slots assigned to
//! them.

use crate::ast::Name;
use crate::check::env::Env;
use crate::check::resolution::GlobalKind;
use crate::check::types::Type;
use crate::code::{FunctionKind, Program, Reg, SymbolTable};
use crate::language::FrameScope;
use crate::source::{Source, SourceId, Span};
use crate::value::SharedMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Global slot of the board to display when nothing is running: the last board that an entry
/// returned or that its own code made with `place`.
pub const COMMITTED_BOARD: u32 = 0;
/// Global slot of the board on display. While code runs, the last board made by `place`.
pub const DISPLAYED_BOARD: u32 = 1;
/// Global slot of a flag: `input` was used. The user has then seen the displayed board and
/// answered, so it stays on display.
pub const INPUT_REQUESTED: u32 = 2;

/// Global slot of the board that the last `place` of this entry returned.
pub const PLACED_BOARD: u32 = 3;

/// Global slot of the board placed before, if the last `place` was on another one. A game with two
/// boards shows both when it asks for input.
pub const OTHER_BOARD: u32 = 4;

/// Names of the global slots above, which every program has.
pub const HIDDEN_GLOBALS: [&str; 5] = [
    "@committed_board",
    "@displayed_board",
    "@input_requested",
    "@placed_board",
    "@other_board",
];

/// Name of the function that starts the game.
pub const START_FUNCTION: &str = "@start";

/// Name of the function that runs the game without a prompt: it evaluates [`RESULT_NAME`] and
/// prints it.
pub const PLAY_FUNCTION: &str = "@play";

/// The value that running a game without a prompt prints.
pub const RESULT_NAME: &str = "result";

/// Types of a function's named registers, keyed by the function's span and whether it is an entry.
pub type LocalTypes = BTreeMap<(Span, bool), Rc<[Type]>>;

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub env: Env,
    /// Function ids by name: a definition's name, [`START_FUNCTION`] or [`PLAY_FUNCTION`].
    pub symbols: SymbolTable,
    /// Global slots by name, for boards defined by equations and for session lets.
    pub slots: SharedMap<Arc<str>, u32>,
    /// The sources that contain definitions.
    pub sources: SharedMap<SourceId, Rc<Source>>,
    /// Types of the named registers of every function ever lowered. An entry that only contains a
    /// definition has the same span as that definition, hence the flag in the key. The table only
    /// grows and is shared by all scopes of a session: an entry without definitions does not create
    /// a scope, but the types of its `let`s are needed when it stops.
    pub local_types: Rc<RefCell<LocalTypes>>,
}

impl Scope {
    pub fn of(program: &Program) -> Rc<Scope> {
        program.scope_of()
    }

    pub fn add_source(&mut self, source: &Source) {
        let copy = Source::new(source.id, source.origin.clone(), source.text.clone());
        self.sources.insert(source.id, Rc::new(copy));
        self.env.words.add(&source.text);
    }

    pub fn slice(&self, span: Span) -> &str {
        self.sources
            .get(&span.source)
            .map_or("", |source| source.slice(span))
    }

    /// For example `game.bgl, line 3`.
    pub fn describe_location(&self, span: Span) -> Option<String> {
        let source = self.sources.get(&span.source)?;
        let line = source.line_number(span.start);
        Some(format!("{}, line {line}", source.origin))
    }

    /// Assigns ids and slots to new names, all of which are in `changed`. Assigned ones never change.
    pub fn assign_ids(&mut self, changed: Option<&[Arc<str>]>) {
        for title in [START_FUNCTION, PLAY_FUNCTION] {
            self.symbols.get_or_insert(title);
        }
        for global in self.env.globals_among(changed) {
            let kind = global.kind();
            if kind != GlobalKind::Let {
                self.symbols.get_or_insert(&global.name);
            }
            if matches!(kind, GlobalKind::Board | GlobalKind::Let) {
                let next = (HIDDEN_GLOBALS.len() + self.slots.len()) as u32;
                self.slots.get_or_insert_with(&global.name, || next);
            }
        }
    }

    /// The locals of the stopped frame an entry was typed in.
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
        for (register, local) in frame.locals.iter().enumerate() {
            let mut locals = function.locals.iter();
            let index = locals.position(|other| other == local);
            if let Some(ty) = index.and_then(|index| types.get(index)) {
                let name = Name {
                    text: local.name.as_str().into(),
                    span: Span::default(),
                };
                context.locals.push((name, ty.clone()));
                context.registers.push(register as Reg);
            }
        }
        context
    }
}

/// The stopped frame an entry can refer to. The frame's registers are passed as the entry's
/// parameters.
#[derive(Debug, Default)]
pub struct FrameContext {
    /// False if nothing is stopped.
    pub is_stopped: bool,
    /// Number of named registers in the frame.
    pub register_count: u16,
    /// The locals with a known type, innermost last.
    pub locals: Vec<(Name, Type)>,
    /// The parameter register of each local.
    pub registers: Vec<Reg>,
}
