//! The four directions. Each language defines what a step changes, because rows count upward in some
//! and downward in others.

/// A direction on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `up`.
    Up,
    /// `down`.
    Down,
    /// `left`.
    Left,
    /// `right`.
    Right,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The name, as programs write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }
}
