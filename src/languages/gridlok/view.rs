//! Formats GridLok values and builds the view of a game.
//!
//! ```text
//! program_items  the items of a program, as its file contains them
//! ```

pub mod program_items;

use super::GridLok;
use super::ast::{Item, ItemKind};
use super::token::Token;
use crate::code::{FunctionKind, Program, Status};
use crate::language::{
    BoardView, CellView, Definition, EndCondition, GameProgress, GameView, ProgramItem, Standing,
    TokenClass, Viewport, Views,
};
use crate::lower::scope::{Scope, rule_variable};
use crate::source::Sources;
use crate::value::{ObjectKind, Store, Unpacked, Value};
use std::sync::LazyLock;

impl Views for GridLok {
    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        GameView {
            status: status(rule_value(store, "@status")),
            winner: rule_text(store, "@winner"),
            current_player: rule_text(store, "turn"),
            turn_count: rule_value(store, "turnCount").as_int(),
            board: board(program, store, viewport),
            ..GameView::default()
        }
    }

    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        board(program, store, Viewport::NONE)
    }

    fn progress(&self, _: &Program, store: &Store) -> GameProgress {
        GameProgress {
            status: status(rule_value(store, "@status")),
            current_player: rule_text(store, "turn"),
            turn_count: rule_value(store, "turnCount").as_int(),
        }
    }

    fn players(&self, _: &Program, store: &Store) -> Vec<String> {
        let seats = store.heap.items(rule_value(store, "@seats"));
        let names = seats.unwrap_or_default().iter();
        names
            .filter_map(|seat| Some(seat.as_interned()?.to_string()))
            .collect()
    }

    /// The slots are looked up once: a search asks this in every position.
    fn standing<'s>(&self, store: &'s Store) -> Standing<'s> {
        static SLOTS: LazyLock<[u32; 3]> = LazyLock::new(|| {
            STANDING_VARIABLES.map(|name| rule_variable(name).unwrap_or_default())
        });
        let [state, turn, winner] = SLOTS.map(|slot| store.global(slot));
        let name = |value| store.heap.as_str(value).filter(|name| !name.is_empty());
        let status = status(state);
        Standing {
            status,
            player: name(turn),
            winner: name(winner).filter(|_| status == Status::Won),
        }
    }

    /// `empty` is a piece.
    fn value_type(&self, _: &Program, _: &Store, value: Value) -> String {
        let name = match value.unpack() {
            Unpacked::Nothing => "no value",
            Unpacked::Int(_) | Unpacked::Float(_) => "int",
            Unpacked::Bool(_) => "bool",
            Unpacked::String(_) | Unpacked::Symbol(_) => "string",
            Unpacked::Empty
            | Unpacked::Piece(_)
            | Unpacked::PieceRef(..)
            | Unpacked::Coordinate(..) => "piece",
            Unpacked::Heap(handle) => match handle.kind {
                ObjectKind::String => "string",
                ObjectKind::Int => "int",
                _ => "list",
            },
        };
        name.to_string()
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        let items = Scope::of(program).items.clone();
        items.iter().map(|item| definition(item)).collect()
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::of(program).items)
    }
}

/// Formats a value as `print` does, or as a literal if `quoted`.
pub fn format_value(program: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match value.unpack() {
        Unpacked::Nothing => "nothing".into(),
        Unpacked::Empty => "empty".into(),
        Unpacked::Int(n) => n.to_string(),
        Unpacked::Float(x) => x.to_string(),
        Unpacked::Bool(b) => b.to_string(),
        Unpacked::String(t) | Unpacked::Symbol(t) if quoted => format!("\"{t}\""),
        Unpacked::String(t) | Unpacked::Symbol(t) => t.to_string(),
        Unpacked::Piece(p) => program
            .piece_kind(p.kind)
            .map_or("", |k| k.name.as_str())
            .to_string(),
        Unpacked::Coordinate(r, c) => format!("[{r}][{c}]"),
        Unpacked::PieceRef(cell, _) => {
            let (row, col) = store.row_col(cell);
            format!("[{row}][{col}]")
        }
        Unpacked::Heap(_) => format_list(program, store, value),
    }
}

/// The rest of a longer list is left out: several copies of the text are in memory while it is shown.
const MAX_FORMATTED_BYTES: usize = 4 << 20;

/// Formats a list as a literal: `{1,2,}`. Not recursive, because lists can be nested deeply.
fn format_list(program: &Program, store: &Store, value: Value) -> String {
    let mut out = String::new();
    // The elements left of each list that contains the next one, the innermost last.
    let mut pending = Vec::new();
    let mut next = Some(value);
    loop {
        match next.map(|value| (value, store.heap.items(value))) {
            Some((_, Some(items))) if items.is_empty() => out.push_str("{,}"),
            Some((_, Some(items))) => {
                out.push('{');
                pending.push(items.iter());
                next = pending.last_mut().and_then(|items| items.next().copied());
                continue;
            }
            Some((value, None)) => match value.as_heap() {
                Some(_) => out.push_str(store.heap.as_str(value).unwrap_or("{,}")),
                None => out.push_str(&format_value(program, store, value, true)),
            },
            // A list has ended.
            None => {
                out.push('}');
                pending.pop();
            }
        }
        let Some(items) = pending.last_mut() else {
            return out;
        };
        out.push(',');
        next = items.next().copied();
        if next.is_some() && out.len() > MAX_FORMATTED_BYTES {
            out.push('…');
            next = None;
        }
    }
}

/// The value of one of the variables of the rules of play.
fn rule_value(store: &Store, name: &str) -> Value {
    let global = rule_variable(name).unwrap_or_default();
    store.global(global)
}

/// The text of one of the variables of the rules of play, if it is not empty.
fn rule_text(store: &Store, name: &str) -> Option<String> {
    rule_value(store, name)
        .as_interned()
        .map(|t| t.to_string())
        .filter(|t| !t.is_empty())
}

/// Whether and how the game has ended.
fn status(status: Value) -> Status {
    match status.as_int() {
        Some(n) if n == Status::Won as i64 => Status::Won,
        Some(n) if n == Status::Lost as i64 => Status::Lost,
        Some(n) if n == Status::Drawn as i64 => Status::Drawn,
        _ => Status::Playing,
    }
}

/// The variables that [`Views::standing`] reads: status, current player, winner.
const STANDING_VARIABLES: [&str; 3] = ["@status", "turn", "@winner"];

/// The global slots of the variables that [`Views::standing`] reads.
pub fn standing_globals() -> Vec<u32> {
    let slots = STANDING_VARIABLES.iter();
    slots.filter_map(|name| rule_variable(name)).collect()
}

/// The ways to end a game, in the order in which `rules.gl` tests them, with the variable and the condition.
const ENDINGS: [(Status, &str, &str); 3] = [
    (Status::Won, "win", "winCondition"),
    (Status::Lost, "lose", "loseCondition"),
    (Status::Drawn, "draw", "drawCondition"),
];

/// The conditions that the program does not define.
pub fn undefined_conditions(program: &Program) -> Vec<(Status, &'static str)> {
    let defined = end_conditions(program);
    let is_undefined = |status: Status| defined.iter().all(|c| c.status != status);
    ENDINGS
        .iter()
        .filter(|(status, ..)| is_undefined(*status))
        .map(|(status, _, name)| (*status, *name))
        .collect()
}

/// The conditions that end a game, in the order in which `rules.gl` tests them. Those that the program does
/// not define are left out.
pub fn end_conditions(program: &Program) -> Vec<EndCondition> {
    let symbols = &Scope::of(program).symbols;
    ENDINGS
        .iter()
        .filter_map(|(status, flag, name)| {
            let function = symbols.get(name)?;
            let is_defined = program.function(function)?.kind == FunctionKind::Condition;
            is_defined.then_some(EndCondition {
                status: *status,
                flag: rule_variable(flag)?,
                function: Some(function),
            })
        })
        .collect()
}

/// The board, if there is one, with the cells in the viewport.
fn board(program: &Program, store: &Store, viewport: Viewport) -> Option<BoardView> {
    if store.rows == 0 {
        return None;
    }
    let cell = |row: u32, col: u32| match store.piece(row * store.cols + col) {
        None => CellView::default(),
        Some(piece) => CellView {
            name: program.piece_kind(piece.kind).map(|k| k.name),
            visible: piece.visible,
            owner: Some(program.owner(piece.owner)).filter(|o| !o.as_str().is_empty()),
            ..CellView::default()
        },
    };
    Some(BoardView::clipped(store.rows, store.cols, viewport, cell))
}

/// The highlighting class of a token, if its text does not tell.
pub fn token_class(token: Token, _: &str) -> Option<TokenClass> {
    match token {
        Token::RulesName(_)
        | Token::Invalid
        | Token::InvalidName
        | Token::UnterminatedString
        | Token::UnterminatedComment
        | Token::OversizedInt => Some(TokenClass::Invalid),
        Token::FileName(_) => Some(TokenClass::String),
        Token::Comment => Some(TokenClass::Comment),
        _ => None,
    }
}

/// Describes an item for lists of definitions.
fn definition(item: &Item) -> Definition {
    let kind = match &item.kind {
        ItemKind::Board(_) => "board",
        ItemKind::Players(_) | ItemKind::TurnOrder(_) | ItemKind::EventPriority(_) => "order",
        ItemKind::Piece(_) => "piece",
        ItemKind::Setup(_) => "setup",
        ItemKind::Condition(..) => "condition",
        ItemKind::Def(_) => "variable",
        ItemKind::Function(_) => "function",
    };
    let name = match &item.kind {
        ItemKind::Piece(piece) => piece.name().to_string(),
        _ => item.name(),
    };
    let signature = match &item.kind {
        ItemKind::Function(f) => {
            let parameters: Vec<&str> = f.parameters.iter().map(|p| &*p.text).collect();
            format!("{}({})", f.name.text, parameters.join(", "))
        }
        _ => format!("{kind} {name}"),
    };
    Definition::new(name, kind, signature, item.span)
}
