//! Chooses what to ask before something runs. It is run ahead of time and rolled back, to find a
//! question that is worth asking; the question never depends on the answer in a way that shows.

use crate::analysis::Outlook;
use crate::analysis::inspect;
use crate::analysis::look_ahead;
use crate::answer::{Part, PredictionChoice, PredictionQuestion};
use crate::code::{FunctionKind, Instr, Status};
use crate::debugger::breakpoint;
use crate::debugger::frame;
use crate::debugger::recorder::innermost_loop;
use crate::debugger::run;
use crate::debugger::{StepTarget, Target};
use crate::language::{BoardView, CellView, Viewport};
use crate::session::{PredictionRequest, PredictionTopic, Session, first_line};
use crate::source::Span;
use crate::value::{InternedStr, Value};

/// Values longer than this are not asked for.
const MAX_VALUE_CHARS: usize = 40;
/// Boards with more cells are not searched for changes.
const MAX_CELLS_COMPARED: usize = 2_500;
/// With more variables, none of them is asked for.
const MAX_VARIABLES_COMPARED: usize = 100;
/// More choices than this are not listed; the answer is typed.
const MAX_CHOICES: usize = 8;
/// Lines to choose from, besides the right one.
const MAX_OTHER_LINES: usize = 4;
/// One of this many questions is whether there is an error, if there is none.
const ERROR_QUESTION_INTERVAL: u64 = 8;

/// What a line would run.
pub(crate) enum Ahead {
    /// An entry, or a command that cannot be run ahead.
    Entry(String),
    /// A step of a stopped program.
    Step {
        /// The command.
        name: &'static str,
        /// Where it ends.
        step: StepTarget,
    },
}

/// A question before it is asked.
pub(crate) struct Draft {
    pub topic: PredictionTopic,
    pub question: PredictionQuestion,
    pub explanation: Option<Part>,
}

/// The game before the run.
struct Before {
    status: Status,
    board: Option<BoardView>,
    variables: Vec<(String, String)>,
    players: Vec<String>,
    lines: Vec<Span>,
}

/// A deterministic sequence of random numbers.
struct Draws(u64);

impl Draws {
    /// Depends on the seed, on what is asked about and on when.
    fn new(session: &Session, text: &str) -> Draws {
        let machine = &session.target.machine;
        let asked = session.predictions.results.len() as u64;
        let mut hash = machine.rng.seed() ^ machine.time().rotate_left(20) ^ asked.rotate_left(40);
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Draws(hash)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }
}

/// The question before a run; `None` if there is nothing to ask.
pub(crate) fn draft(
    session: &mut Session,
    ahead: &Ahead,
    request: PredictionRequest,
) -> Option<Draft> {
    let text = match ahead {
        Ahead::Entry(text) => first_line(text),
        Ahead::Step { name, .. } => name.to_string(),
    };
    let wanted = match &request {
        PredictionRequest::About(topic) => Some(topic.clone()),
        PredictionRequest::Any => None,
    };
    let mut draws = Draws::new(session, &text);
    let target = &mut session.target;
    let before = Before::of(target);
    let explanation = match ahead {
        Ahead::Step { .. } => look_ahead::evaluation_ahead(target),
        Ahead::Entry(_) => None,
    };
    let read = |target: &mut Target, outlook: Outlook| {
        let topic = match request {
            PredictionRequest::About(topic) => topic,
            PredictionRequest::Any => before.choose_topic(target, outlook, ahead, &mut draws)?,
        };
        let topic = resolve(target, topic)?;
        let choices = before.choices(target, &topic, outlook, ahead)?;
        let question = PredictionQuestion {
            about: topic.kind(),
            text: question_text(&topic, ahead, &text),
            choices,
        };
        Some((topic, question))
    };
    let found = match ahead {
        Ahead::Entry(entry) => look_ahead::look_ahead_at_entry(target, entry, read),
        Ahead::Step { step, .. } => look_ahead::look_ahead_at_step(target, step.clone(), read),
    };
    let (topic, question) = match found {
        Some(found) => found?,
        // What is asked for explicitly is asked even if the result is not known yet.
        None => {
            let topic = resolve(target, wanted?)?;
            let question = PredictionQuestion {
                about: topic.kind(),
                text: question_text(&topic, ahead, &text),
                choices: before.choices_without_outlook(target, &topic)?,
            };
            (topic, question)
        }
    };
    Some(Draft {
        explanation: explanation
            .filter(|_| topic == PredictionTopic::Line)
            .map(|evaluation| Part::Evaluation(Box::new(evaluation))),
        topic,
        question,
    })
}

fn question_text(topic: &PredictionTopic, ahead: &Ahead, text: &str) -> String {
    let after = match ahead {
        Ahead::Entry(_) => format!("after `{text}`"),
        Ahead::Step { .. } => format!("after this `{text}`"),
    };
    let subject = match ahead {
        Ahead::Entry(_) => format!("`{text}`"),
        Ahead::Step { .. } => format!("this `{text}`"),
    };
    match topic {
        PredictionTopic::Value(None) => format!("What is the value of `{text}`?"),
        PredictionTopic::Value(Some(expression)) => format!("What is `{expression}` {after}?"),
        PredictionTopic::Cell(cell) => format!("What is on {cell} {after}?"),
        PredictionTopic::Winner => format!("Does {subject} end the game, and who wins?"),
        PredictionTopic::Error => format!("Does {subject} end in an error?"),
        PredictionTopic::Line => match ahead {
            Ahead::Step {
                name: "step" | "next",
                ..
            } => "Which line runs next?".to_string(),
            _ => format!("At which line does {subject} stop?"),
        },
    }
}

/// Checks what is asked about, and writes a cell as the language does.
fn resolve(target: &Target, topic: PredictionTopic) -> Option<PredictionTopic> {
    let PredictionTopic::Cell(cell) = topic else {
        return Some(topic);
    };
    let (row, col) = breakpoint::resolve_cell(target, &cell).ok()?;
    let label = target.program().board_info.format_cell(row, col);
    Some(PredictionTopic::Cell(label))
}

impl Before {
    fn of(target: &mut Target) -> Before {
        let values = target.named_values().variables;
        let variables = match values.len() <= MAX_VARIABLES_COMPARED {
            true => texts(target, values),
            false => Vec::new(),
        };
        Before {
            status: target.progress().status,
            board: compared_board(target),
            variables,
            players: target.players(),
            lines: plausible_lines(target),
        }
    }

    /// The most instructive question. An error or the end of the game is always asked about, and now
    /// and then also if there is none.
    fn choose_topic(
        &self,
        target: &mut Target,
        outlook: Outlook,
        ahead: &Ahead,
        draws: &mut Draws,
    ) -> Option<PredictionTopic> {
        let is_over = target.progress().status != Status::Playing;
        let draw = draws.below(ERROR_QUESTION_INTERVAL);
        let can_end = self.status == Status::Playing && has_endings(target);
        match (outlook, ahead) {
            (Outlook::Failed, _) => return Some(PredictionTopic::Error),
            (
                _,
                Ahead::Step {
                    name: "step" | "next" | "finish",
                    ..
                },
            ) => {
                return Some(match draw {
                    0 => PredictionTopic::Error,
                    _ => PredictionTopic::Line,
                });
            }
            // It stops before there is a result.
            (Outlook::Stopped, Ahead::Entry(_)) => return None,
            (Outlook::Stopped, Ahead::Step { .. }) => return Some(PredictionTopic::Line),
            (Outlook::Finished(_), _) => {}
        }
        if can_end && is_over {
            return Some(PredictionTopic::Winner);
        }
        if let Outlook::Finished(Some(value)) = outlook
            && is_short(&target.format_value(value))
        {
            return Some(match draw {
                0 => PredictionTopic::Error,
                _ => PredictionTopic::Value(None),
            });
        }
        let cell = self.choose_cell(target, draws).map(PredictionTopic::Cell);
        let variable = self.choose_variable(target, draws);
        let variable = variable.map(|name| PredictionTopic::Value(Some(name)));
        let winner = can_end.then_some(PredictionTopic::Winner);
        match draw {
            0 => Some(PredictionTopic::Error),
            1 | 2 => winner.or(cell).or(variable),
            3 | 4 => variable.or(cell).or(winner),
            _ => cell.or(variable).or(winner),
        }
    }

    /// A cell that changes or, now and then, one beside it. If nothing changes, any cell.
    fn choose_cell(&self, target: &Target, draws: &mut Draws) -> Option<String> {
        let (before, after) = (self.board.as_ref()?, compared_board(target)?);
        let is_comparable = before.cells.len() == after.cells.len();
        let all: Vec<usize> = (0..after.cells.len()).collect();
        let is_changed =
            |n: &usize| !is_comparable || shown(&before.cells[*n]) != shown(&after.cells[*n]);
        let changed: Vec<usize> = all.iter().copied().filter(is_changed).collect();
        let columns = after.shown_cols.max(1) as usize;
        let is_beside = |n: &usize| {
            let is_near = |a: usize, b: usize| a.abs_diff(b) <= 1;
            let mut changed = changed.iter();
            !is_changed(n)
                && changed
                    .any(|c| is_near(n / columns, c / columns) && is_near(n % columns, c % columns))
        };
        let from = match draws.below(4) {
            _ if changed.is_empty() && after.is_unbounded => return None,
            _ if changed.is_empty() => all,
            0 if changed.len() <= MAX_CHOICES => all.into_iter().filter(is_beside).collect(),
            _ => changed,
        };
        let cell = *draws.pick(&from)?;
        let index = |n: usize, first: u32, origin: i64| n as i64 + i64::from(first) + origin;
        let (row, col) = (
            index(cell / columns, after.first_row, after.origin.0),
            index(cell % columns, after.first_col, after.origin.1),
        );
        Some(target.program().board_info.format_cell(row, col))
    }

    /// A variable that changes or, now and then, another one.
    fn choose_variable(&self, target: &Target, draws: &mut Draws) -> Option<String> {
        let after = texts(target, target.named_values().variables);
        let candidates: Vec<&(String, String)> = after
            .iter()
            .filter(|(name, value)| {
                is_short(value) && self.variables.iter().any(|(known, _)| known == name)
            })
            .collect();
        let changed: Vec<&(String, String)> = candidates
            .iter()
            .copied()
            .filter(|variable| !self.variables.contains(variable))
            .collect();
        let from = match changed.is_empty() || draws.below(4) == 0 {
            true => candidates,
            false => changed,
        };
        draws.pick(&from).map(|(name, _)| name.clone())
    }

    /// The possible answers; none if the answer is typed. `None` if there is no right answer.
    fn choices(
        &self,
        target: &mut Target,
        topic: &PredictionTopic,
        outlook: Outlook,
        ahead: &Ahead,
    ) -> Option<Vec<PredictionChoice>> {
        match topic {
            PredictionTopic::Value(expression) => {
                let value = match (expression, outlook) {
                    (Some(expression), _) => target.eval(expression, |_, value| value).ok()?,
                    (None, Outlook::Finished(value)) => value?,
                    (None, _) => return None,
                };
                Some(value_choices(target, value))
            }
            PredictionTopic::Cell(_) => Some(self.cell_choices(target)),
            PredictionTopic::Winner => Some(self.winner_choices(target)),
            PredictionTopic::Error => Some(vec![word("yes"), word("no")]),
            PredictionTopic::Line => {
                let frame = frame::default_frame(target);
                let actual = match outlook {
                    Outlook::Stopped => run::frame_statement(target, frame).map(|s| s.shown),
                    _ => None,
                };
                Some(line_choices(target, &self.lines, actual, ahead))
            }
        }
    }

    /// Like [`Before::choices`], for what cannot be run ahead: definitions, entries that do not
    /// compile, time travel.
    fn choices_without_outlook(
        &self,
        target: &Target,
        topic: &PredictionTopic,
    ) -> Option<Vec<PredictionChoice>> {
        match topic {
            PredictionTopic::Value(None) => None,
            PredictionTopic::Value(Some(_)) => Some(Vec::new()),
            PredictionTopic::Cell(_) => Some(self.cell_choices(target)),
            PredictionTopic::Winner => Some(self.winner_choices(target)),
            PredictionTopic::Error => Some(vec![word("yes"), word("no")]),
            PredictionTopic::Line => target.is_stopped().then(Vec::new),
        }
    }

    fn winner_choices(&self, target: &Target) -> Vec<PredictionChoice> {
        let mut texts: Vec<String> = self.players.iter().map(|p| wins(p)).collect();
        let events = target.language().info().events;
        if texts.is_empty() {
            texts.push(game_result(target, Status::Won));
        }
        for (event, status) in [("lose", Status::Lost), ("draw", Status::Drawn)] {
            if events.contains(&event) {
                texts.push(game_result(target, status));
            }
        }
        if !events.contains(&"lose") {
            texts.push(game_result(target, Status::Over));
        }
        texts.push(game_result(target, Status::Playing));
        let actual = game_result(target, target.progress().status);
        if !texts.contains(&actual) {
            texts.insert(0, actual);
        }
        numbered(texts)
    }

    fn cell_choices(&self, target: &Target) -> Vec<PredictionChoice> {
        let program = target.program();
        let mut names: Vec<String> = Vec::new();
        let after = compared_board(target);
        let drawn = [self.board.as_ref(), after.as_ref()].into_iter().flatten();
        let drawn = drawn.flat_map(|board| board.cells.iter().filter_map(|cell| shown(cell).0));
        let kinds = program.piece_kinds.iter().map(|kind| kind.name);
        let kinds = kinds.filter(|_| !program.board_info.is_derived);
        for name in kinds.chain(drawn).map(|name| name.to_string()) {
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() >= MAX_CHOICES {
                return Vec::new();
            }
        }
        let is_hidden = |cell: &CellView| cell.name.is_some() && !cell.visible;
        let boards = [self.board.as_ref(), after.as_ref()];
        if boards
            .iter()
            .flatten()
            .any(|b| b.cells.iter().any(is_hidden))
        {
            names.push(HIDDEN_PIECE.to_string());
        }
        names.push(EMPTY_CELL.to_string());
        match names.iter().any(|name| name.parse::<f64>().is_ok()) {
            true => names.iter().map(|name| word(name)).collect(),
            false => numbered(names),
        }
    }
}

/// What is said of a cell without pieces.
const EMPTY_CELL: &str = "empty";
/// What is said of a cell whose piece the players do not see.
const HIDDEN_PIECE: &str = "a hidden piece";
/// What is said of a step after which nothing runs.
pub(crate) const END: &str = "end";

fn wins(player: &str) -> String {
    match player.contains(", ") {
        true => format!("{player} win"),
        false => format!("{player} wins"),
    }
}

/// Whether games of this language have an end.
fn has_endings(target: &Target) -> bool {
    target.language().info().events.contains(&"win")
}

/// What is on a cell, as far as the players see it.
pub(crate) fn cell_text(target: &Target, row: i64, col: i64) -> String {
    let drawn = inspect::drawn_cell(target, row, col);
    let view = drawn.map(|(row, col)| {
        target.view(Viewport {
            row,
            col,
            rows: 1,
            cols: 1,
        })
    });
    let cell = view.and_then(|view| view.board?.cells.into_iter().next());
    match cell.as_ref().map(shown) {
        Some((Some(_), false)) => HIDDEN_PIECE.to_string(),
        Some((Some(name), true)) => name.to_string(),
        Some((None, _)) | None => EMPTY_CELL.to_string(),
    }
}

/// The piece that is drawn on a cell, and whether the players see it.
fn shown(cell: &CellView) -> (Option<InternedStr>, bool) {
    match cell.overlay {
        Some(overlay) => (Some(overlay), true),
        None => (cell.name, cell.visible),
    }
}

/// How the game has ended, or that it continues.
pub(crate) fn game_result(target: &Target, status: Status) -> String {
    let view = target.view(Viewport::NONE);
    match (status, view.winner) {
        (Status::Playing, _) => "the game continues".to_string(),
        (Status::Won, Some(winner)) => wins(&winner),
        (Status::Won, None) => "you win".to_string(),
        (Status::Lost, _) => "the game is lost".to_string(),
        (Status::Drawn, _) => "draw".to_string(),
        (Status::Over, _) => "the game ends without a winner".to_string(),
    }
}

fn is_short(value: &str) -> bool {
    !value.is_empty() && !value.contains('\n') && value.chars().count() <= MAX_VALUE_CHARS
}

fn texts(target: &Target, values: Vec<(String, Value)>) -> Vec<(String, String)> {
    let values = values.into_iter();
    values
        .map(|(name, value)| (name, target.format_value(value)))
        .collect()
}

fn compared_board(target: &Target) -> Option<BoardView> {
    let outline = target.board_outline()?;
    let count = outline.rows as usize * outline.cols as usize;
    (count <= MAX_CELLS_COMPARED).then(|| target.full_view().board)?
}

fn word(text: &str) -> PredictionChoice {
    PredictionChoice {
        answer: text.to_string(),
        text: String::new(),
    }
}

fn numbered(texts: Vec<String>) -> Vec<PredictionChoice> {
    let texts = texts.into_iter().enumerate();
    texts
        .map(|(n, text)| PredictionChoice {
            answer: (n + 1).to_string(),
            text,
        })
        .collect()
}

fn value_choices(target: &Target, value: Value) -> Vec<PredictionChoice> {
    match value.as_bool() {
        Some(_) => [Value::TRUE, Value::FALSE]
            .map(|value| word(&target.format_value(value)))
            .to_vec(),
        None => Vec::new(),
    }
}

/// The lines where the program could continue: the next ones, the loop, the functions that are
/// called, and the caller.
fn plausible_lines(target: &mut Target) -> Vec<Span> {
    let frame = frame::default_frame(target);
    let Some(info) = frame::frame_info(target, frame).filter(|_| target.is_stopped()) else {
        return Vec::new();
    };
    let Some(function) = target.machine.function(info.function).cloned() else {
        return Vec::new();
    };
    let stops = &function.stop_points;
    let here = stops
        .iter()
        .rposition(|stop| stop.pc <= info.pc)
        .unwrap_or(0);
    let next_pc = stops.get(here + 1).map_or(u32::MAX, |stop| stop.pc);
    let mut spans: Vec<Span> = Vec::new();
    let code = function.code.iter().enumerate();
    let own = code.filter(|(pc, _)| (info.pc as usize..next_pc as usize).contains(pc));
    for (_, instr) in own {
        if let Instr::Call { function, .. } = instr {
            let callee = target.machine.function(*function);
            spans.extend(callee.and_then(|f| f.stop_points.first()).map(|s| s.span));
        }
    }
    spans.extend(stops.iter().skip(here + 1).take(3).map(|stop| stop.span));
    if let Some(loop_info) = innermost_loop(&function, info.pc) {
        let head = stops.iter().find(|stop| stop.pc >= loop_info.start);
        spans.extend(head.map(|stop| stop.span));
    }
    let callers = frame + 1..target.machine.frames().len();
    let steps_into_rules = target.debugger.steps_into_rules;
    let is_visible = |kind: FunctionKind| kind != FunctionKind::Rules || steps_into_rules;
    let mut visible =
        callers.filter(|n| frame::frame_info(target, *n).is_some_and(|f| is_visible(f.kind)));
    if let Some(caller) = visible.next().and_then(|n| run::frame_statement(target, n)) {
        spans.push(caller.shown);
    }
    spans
}

/// The number of a line in the game's file, or the file with the line.
pub(crate) fn line_label(target: &Target, span: Span) -> String {
    let Some(source) = target.sources.get(span.source) else {
        return String::new();
    };
    let line = source.line_number(span.start);
    let origin = source.origin.to_string();
    match target.main_source.as_ref() == Some(&origin) {
        true => line.to_string(),
        false => format!("{origin}:{line}"),
    }
}

/// The first line of a statement.
fn code_line(target: &Target, span: Span) -> String {
    let code = target.sources.slice(span);
    code.lines().next().unwrap_or_default().trim().to_string()
}

fn line_choices(
    target: &Target,
    plausible: &[Span],
    actual: Option<Span>,
    ahead: &Ahead,
) -> Vec<PredictionChoice> {
    let mut spans: Vec<(String, Span)> = Vec::new();
    for span in plausible.iter().copied() {
        let label = line_label(target, span);
        let is_known = spans.iter().any(|(known, _)| *known == label);
        if !is_known && !label.is_empty() && spans.len() < MAX_OTHER_LINES {
            spans.push((label, span));
        }
    }
    if let Some(actual) = actual {
        let label = line_label(target, actual);
        if !spans.iter().any(|(known, _)| *known == label) {
            spans.push((label, actual));
        }
    }
    spans.sort_by_key(|(_, span)| (span.source, span.start));
    let mut choices: Vec<PredictionChoice> = spans
        .into_iter()
        .map(|(answer, span)| PredictionChoice {
            answer,
            text: code_line(target, span),
        })
        .collect();
    choices.push(PredictionChoice {
        answer: END.to_string(),
        text: match ahead {
            Ahead::Entry(_) => "it does not stop".to_string(),
            Ahead::Step { .. } => {
                let entry = run::current_action(target).entry;
                format!("{entry} ends")
            }
        },
    });
    choices
}
