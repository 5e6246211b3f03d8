//! What an SGL2D text says, line by line, with the place of every argument: each effect of a game is shown with
//! the argument that causes it. Nothing is settled here; duplicates stand as they were written.

pub use crate::languages::direction::Direction;

use std::sync::Arc;

use crate::source::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Statement(Statement),
    /// Only at the prompt.
    Moves(Vec<Steps>),
}

/// `right 3`, `rrdd`
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// One after the other.
    pub directions: Vec<Direction>,
    /// How often all of them.
    pub times: u32,
    pub span: Span,
}

impl Direction {
    /// Change of x and y; y grows downwards.
    pub fn step(self) -> (i32, i32) {
        match self {
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
        }
    }

    /// `right` is one direction, `rrd` three; any other word none.
    pub fn in_word(word: &str) -> Option<Vec<Direction>> {
        let all = Direction::ALL;
        if let Some(one) = all
            .into_iter()
            .find(|d| d.word().eq_ignore_ascii_case(word))
        {
            return Some(vec![one]);
        }
        word.chars()
            .map(|c| {
                all.into_iter()
                    .find(|d| d.word().starts_with(c.to_ascii_lowercase()))
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
        arguments: Vec<PieceArgument>,
    },
    Player {
        arguments: Vec<PieceArgument>,
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
        places: Vec<Place>,
    },
}

/// Lower-cased, as the language compares names.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

/// A number as written: `value` is `None` when it does not fit into 32 bits.
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

/// `x=5`; the span takes the name in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    pub axis: Axis,
    pub number: Number,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PieceArgument {
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
    Amount(Amount, Vec<Number>),
    Successor(Successor, Name),
    MovePlayerTo(Vec<Coordinate>),
    Ending(Ending),
}

/// An action that takes a number. Counters are 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
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

impl Amount {
    /// The six that belong to the player; they do nothing on a sprite, and no other does anything on the player.
    pub fn is_of_player(self) -> bool {
        matches!(
            self,
            Amount::PlayerIncCounter(_) | Amount::PlayerDecCounter(_)
        )
    }

    /// Written with `player` before it.
    pub fn is_per_move(self) -> bool {
        self.is_of_player()
            || matches!(
                self,
                Amount::PlayerIncSpriteCounter | Amount::PlayerDecSpriteCounter
            )
    }
}

/// An action that names the sprite left in the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successor {
    MoveToRandom,
    MoveToRandomOnZero,
    TransformToSprite,
    TransformOnZeroCounter,
}

impl Successor {
    pub fn word(self) -> &'static str {
        match self {
            Successor::MoveToRandom => "movetorandom",
            Successor::MoveToRandomOnZero => "movetorandomonzero",
            Successor::TransformToSprite => "transformtosprite",
            Successor::TransformOnZeroCounter => "transformonzerocounter",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Win,
    GameOver,
    WinOnZeroCounter,
    GameOverOnZeroCounter,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub x: Number,
    pub y: Number,
}

impl Position {
    pub fn span(&self) -> Span {
        self.x.span.to(self.y.span)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Cell(Position),
    Range {
        first: Position,
        last: Position,
        span: Span,
    },
}

impl Place {
    pub fn span(&self) -> Span {
        match self {
            Place::Cell(position) => position.span(),
            Place::Range { span, .. } => *span,
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
    /// Every spelling; grey and gray are one.
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

    pub fn word(self) -> &'static str {
        Color::WORDS
            .iter()
            .find(|(_, color)| *color == self)
            .map_or("", |(name, _)| name)
    }
}
