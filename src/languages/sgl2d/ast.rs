//! The syntax tree of SGL2D. Every argument keeps its span, so that the debugger can show which
//! argument caused an effect. Nothing is resolved yet: duplicates are kept as written.

pub use crate::languages::direction::Direction;

use std::sync::Arc;

use super::token::Token;
use crate::source::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Statement(Statement),
    /// Moves of the player, only at the prompt.
    Moves(Vec<MoveSequence>),
}

/// `right 3`, `rrdd`
#[derive(Clone, Debug, PartialEq)]
pub struct MoveSequence {
    /// Executed in order.
    pub directions: Vec<Direction>,
    /// How many times the whole sequence is repeated.
    pub repeat: u32,
    pub span: Span,
}

impl Direction {
    /// The change of x and y; y increases downwards.
    pub fn delta(self) -> (i32, i32) {
        match self {
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
        }
    }

    /// `right` is one direction, `rrd` is three; `None` for other words.
    pub fn parse_word(word: &str) -> Option<Vec<Direction>> {
        let all = Direction::ALL;
        if let Some(direction) = all
            .into_iter()
            .find(|d| d.as_str().eq_ignore_ascii_case(word))
        {
            return Some(vec![direction]);
        }
        word.chars()
            .map(|c| {
                all.into_iter()
                    .find(|d| d.as_str().starts_with(c.to_ascii_lowercase()))
            })
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Environment {
        size: Vec<Coordinate>,
    },
    Goal {
        arguments: Vec<MarkerArgument>,
    },
    Player {
        arguments: Vec<MarkerArgument>,
    },
    Sprite {
        name: Name,
        arguments: Vec<SpriteArgument>,
    },
    Counter {
        index: u8,
        arguments: Vec<CounterArgument>,
    },
    Event {
        target: Target,
        actions: Vec<Action>,
    },
    Set {
        name: Name,
        regions: Vec<Region>,
    },
}

/// A name, converted to lower case because names are case-insensitive.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

/// A number literal; `value` is `None` if it does not fit into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub value: Option<i32>,
    /// Written with a minus sign.
    pub negative: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    X,
    Y,
}

/// `x=5`; the span includes the `x=`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    pub axis: Axis,
    pub number: Number,
}

/// An argument of `player` or `goal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarkerArgument {
    At(Coordinate),
    Color(Color, Span),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpriteArgument {
    Color(Color, Span),
    Solid(bool, Span),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CounterArgument {
    Shown(bool, Span),
    Value(Number),
    WinOnZero(Span),
    GameOverOnZero(Span),
}

/// What an `event` line is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Player(Span),
    Sprite(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    pub kind: ActionKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ActionKind {
    Counter(CounterAction, Vec<Number>),
    Replace(ReplaceAction, Name),
    MovePlayerTo(Vec<Coordinate>),
    End(EndAction),
}

/// An action that takes a number. Counters are 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterAction {
    IncCounter(u8),
    DecCounter(u8),
    IncSpriteCounter,
    DecSpriteCounter,
    SetSpriteCounter,
    PlayerIncCounter(u8),
    PlayerDecCounter(u8),
    PlayerIncSpriteCounter,
    PlayerDecSpriteCounter,
}

impl CounterAction {
    /// Whether this action belongs to `event player`. These have no effect on sprites, and all
    /// others have no effect on the player.
    pub fn is_player_only(self) -> bool {
        matches!(
            self,
            CounterAction::PlayerIncCounter(_) | CounterAction::PlayerDecCounter(_)
        )
    }

    /// Whether the name starts with `player`: the action runs after each move instead of on touch.
    pub fn is_per_move(self) -> bool {
        self.is_player_only()
            || matches!(
                self,
                CounterAction::PlayerIncSpriteCounter | CounterAction::PlayerDecSpriteCounter
            )
    }
}

/// An action that puts another sprite (the replacement) into the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceAction {
    MoveToRandom,
    MoveToRandomOnZero,
    TransformToSprite,
    TransformOnZeroCounter,
}

impl ReplaceAction {
    pub fn word(self) -> &'static str {
        match self {
            ReplaceAction::MoveToRandom => "movetorandom",
            ReplaceAction::MoveToRandomOnZero => "movetorandomonzero",
            ReplaceAction::TransformToSprite => "transformtosprite",
            ReplaceAction::TransformOnZeroCounter => "transformonzerocounter",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndAction {
    Win,
    GameOver,
    WinOnZeroCounter,
    GameOverOnZeroCounter,
}

impl EndAction {
    pub fn token(self) -> Token<'static> {
        match self {
            EndAction::Win => Token::Win,
            EndAction::GameOver => Token::GameOver,
            EndAction::WinOnZeroCounter => Token::WinOnZero,
            EndAction::GameOverOnZeroCounter => Token::GameOverOnZero,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPosition {
    pub x: Number,
    pub y: Number,
}

impl CellPosition {
    pub fn span(&self) -> Span {
        self.x.span.to(self.y.span)
    }
}

/// Part of a `set` line: one cell, or a range of cells with both corners included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    Cell(CellPosition),
    Range {
        first: CellPosition,
        last: CellPosition,
        span: Span,
    },
}

impl Region {
    pub fn span(&self) -> Span {
        match self {
            Region::Cell(position) => position.span(),
            Region::Range { span, .. } => *span,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Red,
    Orange,
    Yellow,
    Green,
    Blue,
    Indigo,
    Violet,
    Black,
    White,
    Gray,
}

impl Color {
    /// All color names; `grey` and `gray` are the same color.
    pub const WORDS: [(&'static str, Color); 11] = [
        ("red", Color::Red),
        ("orange", Color::Orange),
        ("yellow", Color::Yellow),
        ("green", Color::Green),
        ("blue", Color::Blue),
        ("indigo", Color::Indigo),
        ("violet", Color::Violet),
        ("black", Color::Black),
        ("white", Color::White),
        ("grey", Color::Gray),
        ("gray", Color::Gray),
    ];

    pub fn from_word(word: &str) -> Option<Color> {
        Color::WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|(_, color)| *color)
    }
}
