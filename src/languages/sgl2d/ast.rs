//! The syntax tree of SGL2D. Every part that has an effect keeps its span, so that the debugger can
//! show what caused it. Of several arguments of the same kind, the last one counts, so only that is
//! kept.

// Names are case-insensitive, so they are converted to lower case.
pub use crate::language::Direction;
pub use crate::language::Name;

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

/// The change of x and y by a step; y increases downwards.
pub fn delta(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::Up => (0, -1),
        Direction::Down => (0, 1),
        Direction::Left => (-1, 0),
        Direction::Right => (1, 0),
    }
}

/// `right` is one direction, `rrd` is three; `None` for other words.
pub fn directions_of_word(word: &str) -> Option<Vec<Direction>> {
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

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Environment(Position),
    Goal(MarkerArguments),
    Player(MarkerArguments),
    Sprite(Sprite),
    Counter(Counter),
    Event {
        /// The sprite that the line is about, or the player.
        sprite: Option<Name>,
        actions: Vec<Action>,
    },
    Set {
        name: Name,
        regions: Vec<Region>,
    },
}

/// A number literal; `value` is `None` if it does not fit into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub value: Option<i32>,
    /// Written with a minus sign.
    pub negative: bool,
    pub span: Span,
}

/// `x=5 y=3`, in any order. Both spans include the `x=` or `y=`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    pub x: Option<Number>,
    pub y: Option<Number>,
}

impl Position {
    /// `None` if nothing is written.
    pub fn span(&self) -> Option<Span> {
        let written = [self.x, self.y].into_iter().flatten();
        written.map(|number| number.span).reduce(Span::to)
    }
}

/// The arguments of `player` or `goal`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarkerArguments {
    pub position: Position,
    pub color: Option<Color>,
}

/// Defines a sprite, or changes color and solidity of an existing one; its events and counter are
/// kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprite {
    pub name: Name,
    pub color: Color,
    pub solid: bool,
}

/// Replaces any earlier definition of this counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counter {
    /// 1, 2 or 3.
    pub index: u8,
    pub shown: bool,
    pub value: Option<Number>,
    /// Span of the flag, if present.
    pub win_on_zero: Option<Span>,
    pub game_over_on_zero: Option<Span>,
}

impl Counter {
    pub fn initial_value(&self) -> i32 {
        self.value.and_then(|number| number.value).unwrap_or(0)
    }
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
    MovePlayerTo(Position),
    End(EndAction),
}

/// An action that takes a number: `inccounter1=`, `playerdecspritecounter=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterAction {
    pub verb: CounterVerb,
    /// 1, 2 or 3; `None` for the counter of the sprite.
    pub counter: Option<u8>,
    /// Whether the name starts with `player`: the action runs after each move instead of on touch.
    pub is_per_move: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterVerb {
    Increase,
    Decrease,
    Set,
}

impl CounterAction {
    pub const SET_SPRITE_COUNTER: CounterAction = CounterAction {
        verb: CounterVerb::Set,
        counter: None,
        is_per_move: false,
    };

    /// Whether this action belongs to `event player`. These have no effect on sprites, and all
    /// others have no effect on the player.
    pub fn is_player_only(self) -> bool {
        self.is_per_move && self.counter.is_some()
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

/// Part of a `set` line: a range of cells with both corners included. One cell is both of its
/// corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    pub first: CellPosition,
    pub last: CellPosition,
    pub span: Span,
}

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    pub const YELLOW: Color = Color(255, 255, 0);
    pub const BLUE: Color = Color(0, 0, 255);
    pub const BLACK: Color = Color(0, 0, 0);

    /// All color names, with the colors that the language draws: indigo is cyan, violet is magenta.
    pub const WORDS: [(&'static str, Color); 11] = [
        ("red", Color(255, 0, 0)),
        ("orange", Color(255, 200, 0)),
        ("yellow", Color::YELLOW),
        ("green", Color(0, 255, 0)),
        ("blue", Color::BLUE),
        ("indigo", Color(0, 255, 255)),
        ("violet", Color(255, 0, 255)),
        ("black", Color::BLACK),
        ("white", Color(255, 255, 255)),
        ("grey", Color(128, 128, 128)),
        ("gray", Color(128, 128, 128)),
    ];

    pub fn from_word(word: &str) -> Option<Color> {
        Color::WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|(_, color)| *color)
    }
}
