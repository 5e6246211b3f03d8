//! Describes breakpoints, definitions, compiled code, cells and pieces. Nothing here changes the
//! game.

use crate::answer::{
    BreakpointInfo, BreakpointKind, CellInfo, CompiledFunction, DefinitionInfo, Description,
    DrawInfo, Draws, GameState, InstructionInfo, NewBreakpoint, PieceOnCell, SourceLine,
};
use crate::code::{Function, Program};
use crate::debugger::frame;
use crate::debugger::{Breakpoint, Location, Target, breakpoint, value_to_json};
use crate::diagnostic::Diagnostic;
use crate::language::{BoardView, Definition, Viewport};
use crate::source::{Origin, SourceId};
use crate::value::InternedStr;

/// Only the last random draws are listed.
const MAX_DRAWS_LISTED: usize = 40;

/// How many pieces of a kind there are on the board, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceCount {
    /// The name of the kind.
    pub name: InternedStr,
    /// How many of them are on the board.
    pub count: usize,
    /// Their cells in the language's notation, if the board is drawn from variables.
    pub cells: Vec<String>,
    /// Whether it is hidden from the players at first.
    pub starts_hidden: bool,
    /// The events that it handles.
    pub handlers: Vec<String>,
}

/// Describes a breakpoint.
pub fn describe_breakpoint(target: &Target, b: &Breakpoint) -> BreakpointInfo {
    let kind = match b.location {
        Location::Line { .. } => BreakpointKind::Line,
        Location::Function(_) => BreakpointKind::Function,
        Location::Event(..) => BreakpointKind::Event,
        Location::Watch(..) => BreakpointKind::Watch,
        Location::Property(_) => BreakpointKind::Property,
    };
    let is_at_code = matches!(kind, BreakpointKind::Line | BreakpointKind::Function);
    let addresses = b.addresses.iter().filter(|_| is_at_code);
    let ranges = addresses.filter_map(|&(function, pc)| {
        let stop_point = target.machine.function(function)?.stop_point_before(pc)?;
        target.source_range(stop_point.span)
    });
    let hit_count = target.hit_count(b);
    BreakpointInfo {
        id: b.number,
        kind,
        access: match b.location {
            Location::Watch(_, access) => Some(access),
            _ => None,
        },
        property: match &b.location {
            Location::Property(property) => Some(property.kind),
            _ => None,
        },
        location: b.text.clone(),
        ranges: ranges.collect(),
        condition: b.condition.clone(),
        hit_condition: b.hit_condition,
        log_message: b.log_message.clone(),
        command: b.command.clone(),
        hits: hit_count,
        ignore_count: b.ignored_after(hit_count),
        is_enabled: b.is_enabled,
        is_temporary: b.is_temporary,
        is_pending: b.addresses.is_empty()
            && !matches!(kind, BreakpointKind::Event | BreakpointKind::Property),
    }
}

/// Ignores the next `count` hits of the breakpoint with this number; false if there is none.
pub fn ignore_hits(target: &mut Target, number: u32, count: u64) -> bool {
    let mut breakpoints = target.debugger.breakpoints.iter();
    let Some(index) = breakpoints.position(|b| b.number == number) else {
        return false;
    };
    let hit_count = target.hit_count(&target.debugger.breakpoints[index]);
    target.debugger.breakpoints[index].ignore_hits(hit_count, count);
    true
}

/// Describes all breakpoints.
pub fn describe_breakpoints(target: &Target) -> Vec<BreakpointInfo> {
    let breakpoints = target.debugger.breakpoints.iter();
    breakpoints
        .map(|b| describe_breakpoint(target, b))
        .collect()
}

/// Sets a breakpoint and binds it to the program. `configure` sets everything besides its
/// location. Fails if its condition is not an expression.
pub fn set_breakpoint(
    target: &mut Target,
    location: Location,
    text: &str,
    condition: Option<String>,
    configure: impl FnOnce(&mut Breakpoint),
) -> Result<NewBreakpoint, String> {
    let condition_problem = match &condition {
        Some(condition) => {
            let addresses = breakpoint::resolve(&location, target.program(), &target.sources);
            target.check_condition(condition, &location, &addresses)?
        }
        None => None,
    };
    let program = target.program().clone();
    let b = target.debugger.add_breakpoint(location, text);
    b.condition = condition;
    configure(b);
    b.rebind(&program, &target.sources);
    let b = b.clone();
    Ok(NewBreakpoint {
        breakpoint: describe_breakpoint(target, &b),
        condition_problem,
    })
}

/// Describes everything that the program defines.
pub fn definitions(target: &Target) -> Vec<DefinitionInfo> {
    let definitions = target.language.definitions(target.program());
    definitions
        .into_iter()
        .map(|d| describe_definition(target, d))
        .collect()
}

fn describe_definition(target: &Target, definition: Definition) -> DefinitionInfo {
    let source = target.sources.get(definition.span.source);
    DefinitionInfo {
        range: target.source_range(definition.span),
        is_in_file: source.is_some_and(|s| matches!(s.origin, Origin::File(_))),
        name: definition.name,
        kind: definition.kind,
        signature: definition.signature,
    }
}

/// The source lines of all definitions with this name, one list for each, with the source that they
/// are in; empty if there are none.
pub fn definition_source(target: &Target, name: &str) -> Vec<(SourceId, Vec<SourceLine>)> {
    let definitions = target.language.definitions(target.program());
    let spans = definitions
        .iter()
        .filter(|d| d.name == name)
        .map(|d| d.span);
    let lines = spans.map(|span| {
        let Some(source) = target.sources.get(span.source) else {
            return (span.source, Vec::new());
        };
        let (first, _) = source.line_column(span.start);
        let count = source.slice(span).lines().count().max(1) as u32;
        let to_line = |line| SourceLine {
            line,
            text: source.line(line).replace('\t', "    "),
            is_next: false,
            columns: None,
            coverage: None,
        };
        (span.source, (first..first + count).map(to_line).collect())
    });
    lines.collect()
}

/// What a name is, or the type and value of an expression.
pub fn describe_name(target: &mut Target, text: &str) -> Result<Vec<Description>, Vec<Diagnostic>> {
    let info = target.language.info();
    let builtin = info.builtins.iter().find(|(name, _)| *name == text);
    let builtin = builtin.map(|(_, help)| Description::Builtin { help });
    let definitions = definitions(target).into_iter().filter(|d| d.name == text);
    let mut all: Vec<Description> = builtin
        .into_iter()
        .chain(definitions.map(Description::Definition))
        .collect();
    if all.is_empty() && info.keywords.contains(&text) {
        all.push(Description::Keyword {
            language: info.title,
        });
    }
    if all.is_empty() {
        all.push(target.eval(text, |target, value| Description::Expression {
            type_name: frame::value_type(target, value),
            value: target.format_value(value),
        })?);
    }
    Ok(all)
}

/// The compiled code of a function; of the running one if the name is empty.
pub fn compiled_function(target: &Target, name: &str) -> Option<CompiledFunction> {
    let id = match target.function_named(name) {
        None if name.is_empty() => target.machine.current_location()?.0,
        id => id?,
    };
    let function = target.machine.function(id)?;
    let instructions = function.code.iter().enumerate();
    let instructions = instructions.map(|(pc, instr)| InstructionInfo {
        pc,
        range: function
            .stop_point_at(pc as u32)
            .and_then(|stop_point| target.source_range(stop_point.span)),
        text: format!("{instr:?}"),
    });
    Some(CompiledFunction {
        function: function.name.to_string(),
        register_count: function.register_count.into(),
        instructions: instructions.collect(),
    })
}

/// The last random draws up to now.
pub fn draws(target: &Target) -> Draws {
    let end = target.machine.log_position().draws;
    let omitted = end.saturating_sub(MAX_DRAWS_LISTED as u64);
    let listed = target.machine.log().draws.range(omitted, end);
    let describe = |(n, draw): (u64, &crate::machine::Draw)| {
        let (low, high, value) = draw.to_display_parts();
        DrawInfo {
            number: n as usize + 1,
            value,
            low,
            high,
            time: draw.time,
            range: draw.span.and_then(|span| target.source_range(span)),
            is_scripted: draw.is_scripted,
        }
    };
    Draws {
        omitted: omitted as usize,
        draws: listed.map(describe).collect(),
        scripted: target
            .machine
            .rng
            .scripted()
            .map(|n| n.to_string())
            .collect(),
    }
}

/// The whole game: its board and its variables.
pub fn game_state(target: &Target) -> GameState {
    let variables = target.named_values().variables;
    let values = variables.iter().map(|(name, value)| {
        let value = value_to_json(target.program(), &target.machine.store, *value);
        (name.clone(), value)
    });
    let info = target.language.info();
    GameState {
        language: info.name,
        language_title: info.title,
        view: target.full_view(),
        values: values.collect(),
        variables: frame::describe_globals(target, variables),
    }
}

/// What is on a cell.
pub fn describe_cell(target: &Target, row: i64, col: i64) -> CellInfo {
    let view = drawn_cell(target, row, col).map(|(row, col)| {
        target.view(Viewport {
            row,
            col,
            rows: 1,
            cols: 1,
        })
    });
    let cell = view
        .and_then(|v| v.board?.cells.into_iter().next())
        .unwrap_or_default();
    let names = cell.name.iter().chain(&cell.others).enumerate();
    let pieces = names.map(|(n, name)| PieceOnCell {
        name: name.to_string(),
        variable: cell
            .variable_names
            .get(n)
            .filter(|v| *v != name)
            .map(|v| v.to_string()),
    });
    CellInfo {
        cell: target.program().board_info.format_cell(row, col),
        row,
        col,
        pieces: pieces.collect(),
        is_hidden: cell.name.is_some() && !cell.visible,
        owner: cell.owner.map(|owner| owner.to_string()),
    }
}

/// What a click on a drawn cell means, as an entry or an answer to the program's question. The
/// row and column are counted from 0. `None` if the language has no clicks.
pub fn cell_entry(target: &Target, (row, col): (u32, u32)) -> Option<String> {
    let origin = target.board_outline()?.origin;
    let (row, col) = (origin.0 + i64::from(row), origin.1 + i64::from(col));
    match target.is_waiting_for_input() {
        true => target.language().cell_answer(row, col),
        false => target.language().click_entry(row, col),
    }
}

/// A drawn cell in the language's notation. `None` if it is outside the drawn board.
pub fn cell_name(target: &Target, (row, col): (u32, u32)) -> Option<String> {
    let board = target.board_outline()?;
    let (r, c) = (
        board.origin.0 + i64::from(row),
        board.origin.1 + i64::from(col),
    );
    let is_inside = row < board.rows && col < board.cols;
    is_inside.then(|| target.program().board_info.format_cell(r, c))
}

/// The row and column, counted from 0, of a cell in the language's notation. `None` if it is outside
/// the drawn board.
pub fn cell_named(target: &Target, name: &str) -> Option<(u32, u32)> {
    let (row, col) = breakpoint::resolve_cell(target, name).ok()?;
    drawn_cell(target, row, col)
}

/// The row and column, counted from 0, of a cell numbered as at the board's edges. `None` if the
/// cell is outside the drawn board.
pub fn drawn_cell(target: &Target, row: i64, col: i64) -> Option<(u32, u32)> {
    let board = target.board_outline()?;
    let index = |n: i64, origin: i64, count: u32| {
        n.checked_sub(origin)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n < count)
    };
    index(row, board.origin.0, board.rows).zip(index(col, board.origin.1, board.cols))
}

/// Counts the pieces on the board, by kind. If the board is drawn from variables, there are no
/// kinds, and the pieces are grouped by name. `None` if there is no board.
pub fn piece_counts(target: &Target) -> Option<Vec<PieceCount>> {
    if target.program().board_info.is_derived {
        return Some(drawn_pieces(target, &target.full_view().board?));
    }
    let program = target.program();
    let store = &target.machine.store;
    let mut counts = vec![0; program.piece_kinds.len()];
    for at in 0..store.cells.len() as u32 {
        let count = store
            .piece(at)
            .and_then(|p| counts.get_mut(p.kind as usize));
        if let Some(count) = count {
            *count += 1;
        }
    }
    let kinds = program.piece_kinds.iter().zip(counts);
    let kinds = kinds.map(|(kind, count)| PieceCount {
        name: kind.name,
        count,
        cells: Vec::new(),
        starts_hidden: !kind.visible,
        handlers: kind
            .handlers
            .iter()
            .filter_map(|f| Some(event_name(program.function((*f)?)?)))
            .collect(),
    });
    Some(kinds.collect())
}

fn drawn_pieces(target: &Target, board: &BoardView) -> Vec<PieceCount> {
    let program: &Program = target.program();
    let mut pieces: Vec<PieceCount> = Vec::new();
    for (n, cell) in board.cells.iter().enumerate() {
        let columns = board.shown_cols.max(1);
        let (r, c) = (n as u32 / columns, n as u32 % columns);
        let at = program
            .board_info
            .format_cell(board.origin.0 + i64::from(r), board.origin.1 + i64::from(c));
        for name in cell.name.iter().chain(&cell.others) {
            match pieces.iter_mut().find(|known| known.name == *name) {
                Some(piece) => {
                    piece.count += 1;
                    piece.cells.push(at.clone());
                }
                None => pieces.push(PieceCount {
                    name: *name,
                    count: 1,
                    cells: vec![at.clone()],
                    starts_hidden: false,
                    handlers: Vec::new(),
                }),
            }
        }
    }
    pieces
}

/// The event that a handler handles: `onClick` for `zero.onClick`.
fn event_name(function: &Function) -> String {
    let name = function.name.as_str();
    name.rsplit('.').next().unwrap_or_default().to_string()
}
