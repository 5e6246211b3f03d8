//! Runs actions from packed positions, on a machine of its own.

use super::packing::{Packer, Phase, number_pieces};
use super::setup::{Setup, Watch};
use crate::code::{FunctionId, Instr, PieceEvent, Program, Status};
use crate::language::Actions;
use crate::machine::{DrawRange, Machine, Outcome, Pause, RuntimeError};
use crate::source::Span;
use crate::value::{StoreSnapshot, Value};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An action that takes longer than this probably never ends.
pub const ACTION_BUDGET_INSTRUCTIONS: u64 = 20_000_000;

/// A range of more numbers than this is sampled instead of enumerated.
const MAX_DRAWS: i64 = 64;
/// How many numbers of such a range are tried.
const SAMPLED_DRAWS: i64 = 16;

/// Who moves or who has won in a position, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionInfo(u8);

/// Players beyond this number are not distinguished.
const MAX_PLAYERS: usize = 15;

impl PositionInfo {
    const STATUSES: [Status; 5] = [
        Status::Playing,
        Status::Won,
        Status::Lost,
        Status::Drawn,
        Status::Over,
    ];

    fn new(status: Status, is_draw: bool, player: Option<usize>) -> PositionInfo {
        let status = PositionInfo::STATUSES.iter().position(|s| *s == status);
        let player = player.filter(|p| *p < MAX_PLAYERS).map_or(0, |p| p + 1);
        PositionInfo(status.unwrap_or(0) as u8 | (is_draw as u8) << 3 | (player as u8) << 4)
    }

    /// Whether and how the game has ended.
    pub fn status(self) -> Status {
        let status = PositionInfo::STATUSES.get((self.0 & 7) as usize);
        status.copied().unwrap_or_default()
    }

    /// Whether a random number is drawn next, so that nobody chooses.
    pub fn is_chance(self) -> bool {
        self.0 & 8 != 0
    }

    /// The index of the player who moves or, in a game that is won, has won.
    pub fn player(self) -> Option<usize> {
        (self.0 >> 4).checked_sub(1).map(usize::from)
    }

    /// Whether the game has ended.
    pub fn is_end(self) -> bool {
        self.status() != Status::Playing
    }
}

/// An action that failed, or did not end.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionFailure {
    /// The error code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it happened.
    pub span: Option<Span>,
}

/// A position that an action leads to.
#[derive(Clone, Debug)]
pub(super) struct Successor {
    /// The number of the action: its cell, entry, answer or number drawn.
    pub label: u32,
    /// Where its bytes end in [`Expansion::bytes`]; they start where those before end.
    pub end: usize,
    pub info: PositionInfo,
}

/// Everything that can happen in one position.
#[derive(Default, Debug)]
pub(super) struct Expansion {
    pub successors: Vec<Successor>,
    pub bytes: Vec<u8>,
    /// Actions that failed.
    pub failures: Vec<(u32, ActionFailure)>,
    /// Actions during which what the search watches for happened.
    pub hits: Vec<u32>,
    /// How many actions were run.
    pub actions: u32,
    /// Not every number of a draw was tried.
    pub is_sampled: bool,
    /// It was interrupted and is incomplete.
    pub is_cancelled: bool,
}

impl Expansion {
    fn clear(&mut self) {
        self.successors.clear();
        self.bytes.clear();
        self.failures.clear();
        self.hits.clear();
        (self.actions, self.is_sampled, self.is_cancelled) = (0, false, false);
    }

    /// The packed position of a successor.
    pub fn bytes_of(&self, n: usize) -> &[u8] {
        let start = n.checked_sub(1).map_or(0, |n| self.successors[n].end);
        &self.bytes[start..self.successors[n].end]
    }
}

/// What an action is: how it starts in a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Action {
    /// Calls the function for clicks.
    Click { row: u32, col: u32 },
    /// Runs one of the entries.
    Entry(usize),
    /// Gives one of the candidates as the answer to a question of this kind.
    Answer { kind: u8, candidate: usize },
    /// Draws this number.
    Draw { range: DrawRange, number: i64 },
}

/// How an action ended.
enum End {
    Position(PositionInfo),
    Failed(ActionFailure),
    Cancelled,
}

/// Runs actions.
pub(super) struct Simulator {
    pub machine: Machine,
    pub setup: Arc<Setup>,
    packer: Packer,
    base: StoreSnapshot,
    cancel: Arc<AtomicBool>,
    /// Whether the last action hit what is watched for.
    has_hit: bool,
}

impl Simulator {
    /// A simulator with a machine of its own. Setting `cancel` interrupts it.
    pub fn new(setup: Arc<Setup>, cancel: Arc<AtomicBool>) -> Simulator {
        let program = Rc::new(setup.program.to_program());
        Simulator::with_program(setup, program, cancel)
    }

    /// A simulator that runs an extended version of the program.
    pub fn with_program(
        setup: Arc<Setup>,
        program: Rc<Program>,
        cancel: Arc<AtomicBool>,
    ) -> Simulator {
        let mut machine = Machine::new(program.clone(), 0);
        machine.set_search_mode(matches!(setup.watch, Watch::Print(_)));
        machine.limits.max_instructions = ACTION_BUDGET_INSTRUCTIONS;
        machine.set_interrupt_flag(cancel.clone());
        if let Watch::Code(locations) = &setup.watch {
            machine.set_traps(locations);
        }
        let mut packer = Packer::new(program, setup.reductions);
        packer.unpack(&setup.base_layout, &mut machine, &setup.base);
        machine.store.action = 1;
        number_pieces(&mut machine.store);
        let (base, _) = machine.store.snapshot();
        Simulator {
            machine,
            setup,
            packer,
            base,
            cancel,
            has_hit: false,
        }
    }

    /// Puts a packed position into the machine.
    pub fn load(&mut self, bytes: &[u8]) -> Phase {
        self.machine.store.restore(&self.base);
        self.packer
            .unpack(&self.setup.layout, &mut self.machine, bytes)
    }

    /// Appends the current position of another machine, which runs the same program, to `out`.
    pub fn pack_live(&mut self, machine: &Machine, phase: Phase, out: &mut Vec<u8>) {
        self.packer.pack(&self.setup.layout, machine, phase, out);
    }

    /// Starts the game that is an expression, and runs it to its first question.
    pub fn start_game(
        &mut self,
        function: FunctionId,
        out: &mut Vec<u8>,
    ) -> Result<PositionInfo, ActionFailure> {
        self.machine.store.restore(&self.base);
        self.machine.replace_stack(&[]);
        let _ = self.machine.start(function, &[]);
        match self.finish(out) {
            End::Position(info) => Ok(info),
            End::Failed(failure) => Err(failure),
            End::Cancelled => Err(interrupted()),
        }
    }

    /// If the next turn asks for input first, moves on to its question.
    pub fn skip_to_question(&mut self, start: &mut Vec<u8>, info: PositionInfo) -> PositionInfo {
        if !matches!(self.setup.model.actions, Actions::Turn(_)) {
            return info;
        }
        self.load(start);
        match self.begin_turn(info, 0, start) {
            End::Position(info) => info,
            End::Failed(_) | End::Cancelled => info,
        }
    }

    /// Who moves, or who has won, in the position of a machine.
    pub fn info_of(&self, machine: &Machine, phase: Phase) -> PositionInfo {
        let is_chance = phase == Phase::Draw;
        if phase == Phase::Value {
            return PositionInfo::new(Status::Over, false, None);
        }
        let standing = self.setup.language.standing(&machine.store);
        let name = match standing.status {
            Status::Won => standing.winner,
            _ => standing.player,
        };
        let player = name.and_then(|name| self.setup.players.iter().position(|p| p == name));
        // A game can end in the middle of an action that still draws a number.
        let status = match is_chance {
            true => Status::Playing,
            false => standing.status,
        };
        PositionInfo::new(status, is_chance, player)
    }

    /// Tries everything that can happen in a position. Asks before each action whether it has to stop.
    pub fn expand(
        &mut self,
        position: &[u8],
        out: &mut Expansion,
        has_to_stop: &mut dyn FnMut() -> bool,
    ) {
        out.clear();
        let phase = self.load(position);
        let mut actions = Vec::new();
        self.actions(phase, &mut actions, out);
        let mut is_loaded = true;
        for (label, action) in actions {
            if has_to_stop() {
                out.is_cancelled = true;
                return;
            }
            if !is_loaded {
                self.load(position);
            }
            is_loaded = false;
            out.actions += 1;
            let start = out.bytes.len();
            match self.run(action, &mut out.bytes) {
                End::Position(info) => {
                    // An action that changes nothing is not a move.
                    if phase == Phase::Draw || out.bytes[start..] != *position {
                        let end = out.bytes.len();
                        out.successors.push(Successor { label, end, info });
                    } else {
                        out.bytes.truncate(start);
                    }
                }
                End::Failed(failure) => {
                    out.bytes.truncate(start);
                    out.failures.push((label, failure));
                }
                End::Cancelled => {
                    out.is_cancelled = true;
                    return;
                }
            }
            if self.has_hit {
                out.hits.push(label);
            }
        }
    }

    /// The actions that can be tried in the position that is loaded, with their numbers.
    fn actions(&mut self, phase: Phase, actions: &mut Vec<(u32, Action)>, out: &mut Expansion) {
        match phase {
            Phase::Idle => match &self.setup.model.actions {
                Actions::Clicks(_) => {
                    let cells = clickable_cells(&self.machine).map(|cell| {
                        let (row, col) = self.machine.store.row_col(cell);
                        (cell, Action::Click { row, col })
                    });
                    actions.extend(cells);
                }
                Actions::Entries(_) | Actions::Turn(_) => {
                    let entries = 0..self.setup.entries.len();
                    actions.extend(entries.map(|n| (n as u32, Action::Entry(n))));
                }
                Actions::None => {}
            },
            Phase::Question => {
                let Some(Instr::Ask { input_kind, .. }) = self.machine.next_instruction() else {
                    return;
                };
                let candidates = self.setup.candidates.get(&input_kind);
                let count = candidates.map_or(0, |c| c.answers.len());
                actions.extend((0..count).map(|candidate| {
                    let kind = input_kind;
                    (candidate as u32, Action::Answer { kind, candidate })
                }));
            }
            Phase::Draw => {
                if let Outcome::Paused(Pause::Draw(range)) = self.machine.run_in_search() {
                    let numbers = draws(range);
                    out.is_sampled |= (numbers.len() as i64) < range.high - range.low;
                    let labels = numbers.into_iter().map(|number| {
                        let label = (number - range.low).min(u32::MAX.into()) as u32;
                        (label, Action::Draw { range, number })
                    });
                    actions.extend(labels);
                }
            }
            Phase::Value => {}
        }
    }

    /// Runs an action in the position that is loaded, and appends the position that it leads to.
    fn run(&mut self, action: Action, out: &mut Vec<u8>) -> End {
        self.has_hit = false;
        self.begin(action);
        self.finish(out)
    }

    /// Starts an action in the position that is loaded.
    pub fn begin(&mut self, action: Action) {
        match action {
            Action::Click { row, col } => {
                if let Actions::Clicks(function) = self.setup.model.actions {
                    let arguments = [Value::int(row as i32), Value::int(col as i32)];
                    // The function exists, so starting it cannot fail.
                    let _ = self.machine.start(function, &arguments);
                }
            }
            Action::Entry(n) => {
                if let Some(&(_, function)) = self.setup.entries.get(n) {
                    let _ = self.machine.start(function, &[]);
                }
            }
            Action::Answer { kind, candidate } => {
                let candidates = self.setup.candidates.get(&kind);
                if let Some(candidate) = candidates.and_then(|c| c.answers.get(candidate)) {
                    let value = candidate.to_value(&mut self.machine.store);
                    self.machine.supply(value);
                }
            }
            Action::Draw { range, number } => {
                let value = self.machine.drawn_value(range, number);
                self.machine.supply(value);
            }
        }
    }

    /// Runs to the next position and appends it.
    fn finish(&mut self, out: &mut Vec<u8>) -> End {
        let phase = match self.run_to_pause() {
            Outcome::Finished(value) if self.setup.is_expression_game() => {
                let layout = &self.setup.layout;
                self.packer.pack_end(layout, &self.machine, value, out);
                return End::Position(self.info_of(&self.machine, Phase::Value));
            }
            Outcome::Finished(_) => Phase::Idle,
            Outcome::NeedsInput { .. } => Phase::Question,
            Outcome::Paused(Pause::Draw(_)) => Phase::Draw,
            Outcome::Failed(error) => return End::Failed(self.failure(&error)),
            Outcome::Paused(_) => {
                // The flag was cleared when it was noticed.
                self.cancel.store(true, Ordering::Relaxed);
                return End::Cancelled;
            }
        };
        let start = out.len();
        self.pack(phase, out);
        let info = self.info_of(&self.machine, phase);
        if phase == Phase::Idle && matches!(self.setup.model.actions, Actions::Turn(_)) {
            return self.begin_turn(info, start, out);
        }
        End::Position(info)
    }

    /// A turn has ended. If the next one asks for input first, its question is the next position: typing
    /// `:turn` is not a move.
    fn begin_turn(&mut self, info: PositionInfo, start: usize, out: &mut Vec<u8>) -> End {
        if info.is_end() {
            return End::Position(info);
        }
        let has_hit = self.has_hit;
        self.begin(Action::Entry(0));
        if !matches!(self.run_to_pause(), Outcome::NeedsInput { .. }) {
            self.has_hit = has_hit;
            return End::Position(info);
        }
        out.truncate(start);
        self.pack(Phase::Question, out);
        End::Position(self.info_of(&self.machine, Phase::Question))
    }

    fn pack(&mut self, phase: Phase, out: &mut Vec<u8>) {
        self.packer
            .pack(&self.setup.layout, &self.machine, phase, out);
    }

    /// Runs until something happens that ends an action. Notes what is watched for.
    fn run_to_pause(&mut self) -> Outcome {
        let mut outcome = self.machine.run_in_search();
        while outcome == Outcome::Paused(Pause::Trap) {
            self.has_hit = true;
            outcome = self.machine.run();
        }
        if let Watch::Print(text) = &self.setup.watch {
            let printed = self.machine.take_outputs();
            self.has_hit |= printed.into_iter().any(|output| output.text.contains(text));
        }
        outcome
    }

    fn failure(&self, error: &RuntimeError) -> ActionFailure {
        let location = self.machine.current_location();
        ActionFailure {
            code: error.code,
            message: error.message.clone(),
            span: location.and_then(|(function, pc)| self.machine.span_of(function, pc)),
        }
    }

    /// Runs the action that was begun; returns whether its entry then waits for something.
    pub fn is_running_after(&mut self) -> bool {
        let _ = self.run_to_pause();
        !self.machine.is_idle()
    }

    /// Appends a value as it is packed in an end position.
    pub fn pack_value(&mut self, value: Value, out: &mut Vec<u8>) {
        let (layout, store) = (&self.setup.layout, &self.machine.store);
        self.packer.pack_single(layout, store, value, out);
    }

    /// The actions that can be tried in a position, with their numbers.
    pub fn actions_of(&mut self, position: &[u8]) -> Vec<(u32, Action)> {
        let phase = self.load(position);
        let mut actions = Vec::new();
        self.actions(phase, &mut actions, &mut Expansion::default());
        actions
    }

    /// Evaluates a function without arguments in the position that is loaded. `None` if it fails.
    pub fn evaluate(&mut self, function: FunctionId) -> Option<Value> {
        self.machine.start(function, &[]).ok()?;
        match self.machine.run_in_search() {
            Outcome::Finished(value) => Some(value),
            _ => None,
        }
    }

    /// The action with this number in a position.
    pub fn action(&mut self, position: &[u8], label: u32) -> Option<Action> {
        let mut actions = self.actions_of(position).into_iter();
        let found = actions.find(|(number, _)| *number == label);
        found.map(|(_, action)| action)
    }
}

/// The failure of something that was interrupted.
fn interrupted() -> ActionFailure {
    ActionFailure {
        code: "RT022",
        message: "interrupted".into(),
        span: None,
    }
}

/// The cells whose pieces handle clicks.
pub(super) fn clickable_cells(machine: &Machine) -> impl Iterator<Item = u32> {
    let program = machine.program();
    let handles: Vec<bool> = program
        .piece_kinds
        .iter()
        .map(|kind| kind.handlers[PieceEvent::Click as usize].is_some())
        .collect();
    let cells = (0..).zip(machine.store.cells.as_slice());
    cells.filter_map(move |(cell, value)| {
        let piece = value.as_piece()?;
        handles.get(piece.kind as usize)?.then_some(cell)
    })
}

/// The numbers to try: all of them, or some of a large range, the smallest and the largest included.
fn draws(range: DrawRange) -> Vec<i64> {
    let count = range.high - range.low;
    if count <= MAX_DRAWS {
        return (range.low..range.high).collect();
    }
    let at =
        |n: i64| range.low + ((count - 1) as i128 * n as i128 / (SAMPLED_DRAWS - 1) as i128) as i64;
    (0..SAMPLED_DRAWS).map(at).collect()
}
