//! How a language speaks of the cells of its board, and where the board is kept.

/// The board of a language, for those who name cells or look at them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cells {
    pub style: CellStyle,
    /// The board is a picture of variables: whatever changes one of these may change it.
    pub drawn: bool,
    /// What a handler calls the row and the column of its piece.
    pub own: Option<(&'static str, &'static str)>,
}

/// How a cell is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellStyle {
    /// `[1][2]`: row and column.
    #[default]
    Brackets,
    /// `(1,2)`: row and column.
    Pair,
    /// `x=2 y=1`.
    Equations,
    /// `(2,1)`: x and y.
    Point,
}

impl Cells {
    /// A cell by its row and column, as the language writes it.
    pub fn write(self, row: i64, col: i64) -> String {
        match self.style {
            CellStyle::Brackets => format!("[{row}][{col}]"),
            CellStyle::Pair => format!("({row},{col})"),
            CellStyle::Equations => format!("x={col} y={row}"),
            CellStyle::Point => format!("({col},{row})"),
        }
    }

    /// The row and column of a cell as a person types it: `[1][2]`, or two numbers in the order of the language.
    pub fn read(self, text: &str) -> Option<(i64, i64)> {
        let text = text.trim();
        let is_part = |c: char| c.is_ascii_digit() || c == '-';
        let rest = text
            .chars()
            .filter(|c| !is_part(*c) && !"[](){},= \txyXY".contains(*c))
            .count();
        let mut numbers = text
            .split(|c| !is_part(c))
            .filter(|w| !w.is_empty())
            .map(|w| w.parse::<i64>().ok());
        let (Some(first), Some(second), None) = (numbers.next()?, numbers.next()?, numbers.next())
        else {
            return None;
        };
        let turned = match (text.find(['x', 'X']), text.find(['y', 'Y'])) {
            (Some(x), Some(y)) => x < y,
            _ => self.column_first() && !text.starts_with('['),
        };
        (rest == 0).then_some(if turned {
            (second, first)
        } else {
            (first, second)
        })
    }

    /// Whether the column comes first: x before y.
    pub fn column_first(self) -> bool {
        matches!(self.style, CellStyle::Equations | CellStyle::Point)
    }

    /// How a person types a cell.
    pub fn usage(self) -> &'static str {
        if self.column_first() {
            "x,y"
        } else {
            "row,column"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_they_are_written() {
        for style in [
            CellStyle::Brackets,
            CellStyle::Pair,
            CellStyle::Equations,
            CellStyle::Point,
        ] {
            let cells = Cells {
                style,
                ..Cells::default()
            };
            assert_eq!(cells.read(&cells.write(1, -2)), Some((1, -2)), "{style:?}");
            assert_eq!(cells.read("[3][4]"), Some((3, 4)));
            let pair = if cells.column_first() {
                Some((4, 3))
            } else {
                Some((3, 4))
            };
            assert_eq!((cells.read("3,4"), cells.read(" 3 4 ")), (pair, pair));
            assert_eq!(cells.read("y=3 x=4"), Some((3, 4)));
            for wrong in ["", "1", "1,2,3", "a,b", "hero.x", "1,2 if", "--1,2"] {
                assert_eq!(cells.read(wrong), None, "{wrong}");
            }
        }
    }
}
