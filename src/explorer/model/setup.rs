//! What a search needs to know about a game before it starts: plain data that every thread can use.

use super::cone::{Cone, OutputUse, Question};
use super::frame_rule::FrameRule;
use super::goal::{CompiledGoal, Goal};
use super::input::{Candidates, InputRange};
use super::turn::{TurnRule, turn_needed};
use crate::analysis::LineWatch;
use crate::answer::CommandError;
use crate::code::flow::Summary;
use crate::code::{FunctionId, Instr, Program, ProgramParts};
use crate::debugger::Target;
use crate::language::{Actions, Compiled, Language, MoveModel};
use crate::position::packing::{Layout, Packer, Phase};
use crate::search::expansion::MAX_PLAYERS;
use crate::source::{Origin, Source, SourceId};
use crate::value::Store;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is left out of a position because it cannot matter. Tests turn each off and compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// Variables that never change, or whose value decides nothing.
    pub variables: bool,
    /// Registers that are not read any more.
    pub liveness: bool,
    /// Frames that only return what the next one returns.
    pub tail_frames: bool,
    /// Numbers of which only the order matters.
    pub ordinals: bool,
    /// Which of several places of a function asks the same question.
    pub questions: bool,
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions {
            variables: true,
            liveness: true,
            tail_frames: true,
            ordinals: true,
            questions: true,
        }
    }
}

/// What a search looks for while actions run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Watch {
    /// Nothing: only the positions between actions matter.
    #[default]
    Nothing,
    /// One of these instructions.
    Code(Vec<(FunctionId, u32)>),
    /// Which code of the program runs, and what its conditions are. It is counted afterwards.
    AllCode,
    /// A printed line that contains this text.
    Print(String),
}

impl Watch {
    pub(crate) fn output_use(&self) -> OutputUse {
        match self {
            Watch::Nothing => OutputUse::Ignored,
            Watch::Code(_) | Watch::AllCode => OutputUse::Code,
            Watch::Print(_) => OutputUse::Text,
        }
    }

    /// Whether a search looks for something that happens while actions run.
    pub fn looks_for_events(&self) -> bool {
        match self {
            Watch::Nothing | Watch::AllCode => false,
            Watch::Code(_) | Watch::Print(_) => true,
        }
    }

    /// Whether both make a search stop at the same places while actions run.
    pub fn has_same_stops(&self, other: &Watch) -> bool {
        self == other || !self.looks_for_events() && !other.looks_for_events()
    }
}

/// What the user can choose about a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The expression that is the game, if the language explores expressions: `play(X, empty)`.
    pub game: Option<String>,
    /// The answers to try instead of all.
    pub inputs: Option<InputRange>,
    /// Variables that are left out although they may matter.
    pub ignored: Vec<String>,
    /// An expression that names the player who moves, in languages whose rules do not.
    pub turn: Option<String>,
    /// What to leave out of positions.
    pub reductions: Reductions,
}

/// A game as all threads of a search see it.
#[derive(Clone)]
pub(crate) struct Setup {
    pub language: &'static dyn Language,
    pub program: ProgramParts,
    pub model: MoveModel,
    pub layout: Layout,
    pub reductions: Reductions,
    /// The names of the players.
    pub players: Vec<String>,
    /// The entries that are actions, compiled.
    pub entries: Vec<(String, FunctionId)>,
    /// The expression that is the game, compiled.
    pub game: Option<(String, FunctionId)>,
    /// The answers to try, by the kind of the question.
    pub candidates: BTreeMap<u8, Candidates>,
    pub watch: Watch,
    /// The ends of turns are positions of their own, although the next turn then asks: what is looked for may
    /// be true only there.
    pub keeps_turn_ends: bool,
    /// Turns may ask questions, so that a number that is drawn before the first one is not part of a move yet.
    pub turns_ask: bool,
    /// Whose move it is, in languages whose rules do not say so.
    pub turn: Option<Arc<TurnRule>>,
    /// What positions keep of the frames that wait, besides what the game needs.
    pub frame_rules: Vec<FrameRule>,
    /// Variables that change but are left out because they cannot matter, or on request.
    pub left_out: Vec<String>,
    /// There are hidden pieces, or there can be.
    pub hides_pieces: bool,
    /// What an action may use, as in the game itself.
    pub max_memory_bytes: u64,
    /// The store of the start, completely.
    pub base: Vec<u8>,
    pub base_layout: Layout,
}

/// A function to be run by the search, in addition to those of the program: an entry that is an action,
/// the game, or a goal.
pub(crate) struct Added {
    pub program: Program,
    pub function: FunctionId,
}

/// Compiles an entry and adds its function to a program.
pub(crate) fn add_entry(
    target: &Target,
    program: &Program,
    text: &str,
) -> Result<Added, CommandError> {
    let source = Source::new(SourceId(u32::MAX - 1), Origin::Expression, text);
    let compiled = target
        .language()
        .compile_entry(&source, target.program(), None);
    let compiled = compiled.map_err(CommandError::from)?;
    let Compiled {
        program: with_entry,
        entry_point: Some(entry),
        ..
    } = compiled
    else {
        return Err(CommandError::new(format!("`{text}` runs nothing")));
    };
    let function = with_entry.function(entry).cloned();
    let Some(function) = function else {
        return Err(CommandError::new(format!("`{text}` runs nothing")));
    };
    let mut program = program.clone();
    let id = FunctionId(program.functions.len() as u32);
    // What it defines is only in the program that it was compiled with.
    if function.verify(&program).is_err() {
        let message = format!("`{text}` defines something; a search needs a condition or a value");
        return Err(CommandError::new(message));
    }
    program.functions.push(function);
    Ok(Added {
        program,
        function: id,
    })
}

impl Setup {
    /// Whether the game is an expression, so that its end is a value.
    pub fn is_expression_game(&self) -> bool {
        self.model.actions == Actions::None
    }

    /// Whether a move is a turn, or an answer to a question of one.
    pub fn is_turn_game(&self) -> bool {
        matches!(self.model.actions, Actions::Turn(_))
    }

    /// What the user types to make a turn, where there are turns.
    pub fn turn_entry(&self) -> String {
        let turn = self.entries.first().filter(|_| self.is_turn_game());
        turn.map_or_else(String::new, |(text, _)| text.clone())
    }

    /// What has to happen while a line that was found is played.
    pub fn line_watch(&self) -> LineWatch {
        let (code, text) = match &self.watch {
            Watch::Nothing | Watch::AllCode => Default::default(),
            Watch::Code(locations) => (locations.clone(), None),
            Watch::Print(text) => (Vec::new(), Some(text.clone())),
        };
        LineWatch {
            code,
            text,
            has_happened: false,
        }
    }

    /// An error if it is not known who moves and who wins.
    pub fn require_players(&self, target: &Target) -> Result<(), CommandError> {
        match self.is_expression_game() && self.turn.is_none() {
            true => Err(turn_needed(self.language, target.program())),
            false => Ok(()),
        }
    }

    /// Prepares a search from the current position. What the functions of the goal read matters.
    pub fn new(target: &Target, goal: &CompiledGoal, scope: &Scope) -> Result<Setup, CommandError> {
        let (goals, watch) = (&goal.functions, goal.watch.clone());
        let is_condition = matches!(goal.goal, Goal::Condition(_));
        let language = target.language();
        let model = language.move_model(target.program());
        let mut program = goal.program.clone();
        let mut entries = Vec::new();
        let texts: Vec<String> = match &model.actions {
            Actions::Entries(texts) => texts.clone(),
            Actions::Turn(text) => vec![text.to_string()],
            Actions::None | Actions::Clicks(_) => Vec::new(),
        };
        // While a turn waits for input, `:turn` cannot be compiled against its frames, but against the
        // program.
        for text in texts {
            let added = add_entry(target, &program, &text)?;
            program = added.program;
            entries.push((text, added.function));
        }
        let game_text = scope.game.as_deref().or(model.game_entry);
        let game = match game_text.filter(|_| target.machine.is_idle()) {
            Some(text) => {
                let added = add_entry(target, &program, text)?;
                program = added.program;
                Some((text.to_string(), added.function))
            }
            None => None,
        };
        let turn = match &scope.turn {
            Some(text) if model.actions == Actions::None => {
                let (rule, extended) = TurnRule::new(target, program, text)?;
                program = extended;
                Some(Arc::new(rule))
            }
            _ => None,
        };
        let players = match &turn {
            Some(turn) => turn.players.clone(),
            None => target.players(),
        };
        let players = with_winners(target, players);
        if players.len() > MAX_PLAYERS {
            return Err(CommandError::new(format!(
                "this game has {} players; a search cannot tell more than {MAX_PLAYERS} apart",
                players.len()
            )));
        }
        let mut functions: Vec<FunctionId> = entries.iter().map(|(_, f)| *f).collect();
        functions.extend(game.iter().map(|(_, f)| *f));
        functions.extend(goals);
        if let Actions::Clicks(function) = model.actions {
            functions.push(function);
        }
        functions.extend(target.machine.frames().iter().map(|f| f.function));
        let summary = Summary::of(&program, functions.iter().copied());
        let store = &target.machine.store;
        let mut cone = match scope.reductions.variables {
            false => Cone::everything(&program),
            true => Cone::of(&Question {
                program: &program,
                functions,
                kept_globals: model.standing_globals.clone(),
                first_attribute: model.first_attribute,
                output: watch.output_use(),
                globals: store.globals.as_slice(),
                heap: &store.heap,
            }),
        };
        // Displayed boards and the like only tell end positions apart.
        if scope.reductions.variables {
            let kept = goals.is_empty();
            cone.globals
                .retain(|g| !kept || !model.end_globals.contains(g));
            cone.globals.retain(|g| !model.shown_globals.contains(g));
        }
        let name = |g: u32| program.globals.get(g as usize).map(|g| g.name.to_string());
        let ignored = ignored_globals(&program, &scope.ignored)?;
        cone.globals.retain(|g| !ignored.contains(g));
        let idle = cone.idle_globals.iter().filter_map(|g| name(*g));
        let visible = idle.filter(|name| !name.is_empty() && !name.starts_with('@'));
        let left_out = visible.collect();
        let kinds = question_kinds(&program, &summary);
        let candidates = kinds
            .into_iter()
            .map(|kind| {
                let candidates = Candidates::new(target, &program, &summary, kind, &scope.inputs);
                candidates.map(|c| (kind, c))
            })
            .collect::<Result<BTreeMap<_, _>, _>>()?;
        if scope.inputs.is_some() && candidates.is_empty() {
            return Err(CommandError::new(
                "`inputs` has no effect: this game asks no questions",
            ));
        }
        let is_turn_game = matches!(model.actions, Actions::Turn(_));
        let hides_pieces = can_hide_pieces(&program, &summary, store);
        let base_layout = Layout::complete(&program, Cone::everything(&program));
        let parts = ProgramParts::of(&program);
        let layout = Layout::new(&program, cone, &model, &summary, store, scope.reductions);
        let mut base = Vec::new();
        let mut packer = Packer::new(Rc::new(program), scope.reductions, None, Vec::new());
        packer.pack(&base_layout, &target.machine, Phase::Idle, &mut base);
        Ok(Setup {
            language,
            layout,
            reductions: Reductions {
                // Where a question is asked matters if the search looks for code that runs.
                questions: scope.reductions.questions && !matches!(watch, Watch::Code(_)),
                ..scope.reductions
            },
            players,
            turn,
            frame_rules: goal.frame_rules.clone(),
            entries,
            game,
            watch,
            keeps_turn_ends: is_condition && is_turn_game,
            turns_ask: is_turn_game && !candidates.is_empty(),
            candidates,
            left_out,
            hides_pieces,
            max_memory_bytes: target.machine.limits.max_memory_bytes,
            base,
            base_layout,
            model,
            program: parts,
        })
    }
}

/// The players, and those who have won already and may have left the turn order.
fn with_winners(target: &Target, mut players: Vec<String>) -> Vec<String> {
    for winner in target.language().winners(&target.machine.store) {
        if !players.iter().any(|player| player == winner) {
            players.push(winner.to_string());
        }
    }
    players
}

/// The globals with these names.
fn ignored_globals(program: &Program, names: &[String]) -> Result<Vec<u32>, CommandError> {
    let find = |name: &String| {
        let unknown =
            || CommandError::new(format!("`ignoring` needs a variable; there is no `{name}`"));
        program.global(name).ok_or_else(unknown)
    };
    names.iter().map(find).collect()
}

/// Whether there are hidden pieces, or code that can hide some.
fn can_hide_pieces(program: &Program, summary: &Summary, store: &Store) -> bool {
    let functions = summary.functions.iter();
    let mut code = functions
        .filter_map(|f| program.function(*f))
        .flat_map(|f| f.code.iter());
    let sets_visible = |instr: &Instr| {
        matches!(
            instr,
            Instr::SetVisible { .. } | Instr::SetSelfVisible { .. }
        )
    };
    let mut pieces = store.cells.as_slice().iter().filter_map(|c| c.as_piece());
    code.any(sets_visible) || pieces.any(|piece| !piece.visible)
}

/// The kinds of questions that functions ask.
fn question_kinds(program: &Program, summary: &Summary) -> Vec<u8> {
    let used = summary
        .functions
        .iter()
        .filter_map(|f| program.function(*f));
    let mut kinds: Vec<u8> = used
        .flat_map(|f| f.code.iter())
        .filter_map(|instr| match instr {
            Instr::Ask { input_kind, .. } => Some(*input_kind),
            _ => None,
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
