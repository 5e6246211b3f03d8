//! How a language writes the cells of its board.

/// How a language names and stores its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardInfo {
    /// Notation for cells.
    pub cell_style: CellStyle,
    /// The board is drawn from variables, so any assignment to one of them may change it.
    pub is_derived: bool,
    /// The names on the cells are texts that the program chose to show; short ones are drawn whole.
    pub names_are_texts: bool,
    /// The names a handler uses for the row and column of its piece.
    pub self_coord_names: Option<(&'static str, &'static str)>,
}

/// Notation for a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellStyle {
    /// `[1][2]`: row and column.
    #[default]
    Brackets,
    /// `(1,2)`: row and column.
    RowColPair,
    /// `x=2 y=1`.
    XyNamed,
    /// `(2,1)`: x and y.
    XyPair,
}

impl BoardInfo {
    /// Formats a cell in the notation of the language.
    pub fn format_cell(self, row: i64, col: i64) -> String {
        match self.cell_style {
            CellStyle::Brackets => format!("[{row}][{col}]"),
            CellStyle::RowColPair => format!("({row},{col})"),
            CellStyle::XyNamed => format!("x={col} y={row}"),
            CellStyle::XyPair => format!("({col},{row})"),
        }
    }

    /// Formats an element of nested lists; the indices are written like those of a cell.
    pub fn format_element(self, list: &str, indices: &[usize]) -> String {
        let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
        match self.cell_style {
            CellStyle::Brackets => format!("{list}[{}]", indices.join("][")),
            _ => format!("{list}[{}]", indices.join(",")),
        }
    }

    /// Parses a cell as typed by a user: `[row][column]`, or two numbers in the language's order.
    pub fn parse_cell(self, text: &str) -> Option<(i64, i64)> {
        let text = text.trim();
        let is_number_char = |c: char| c.is_ascii_digit() || c == '-';
        let unknown_chars = text
            .chars()
            .filter(|c| !is_number_char(*c) && !"[](){},= \txyXY".contains(*c))
            .count();
        let mut numbers = text
            .split(|c| !is_number_char(c))
            .filter(|w| !w.is_empty())
            .map(|w| w.parse::<i64>().ok());
        let (Some(first), Some(second), None) = (numbers.next()?, numbers.next()?, numbers.next())
        else {
            return None;
        };
        let is_column_first = match (text.find(['x', 'X']), text.find(['y', 'Y'])) {
            (Some(x), Some(y)) => x < y,
            _ => self.is_column_first() && !text.starts_with('['),
        };
        (unknown_chars == 0).then_some(if is_column_first {
            (second, first)
        } else {
            (first, second)
        })
    }

    /// Whether x comes before y.
    pub fn is_column_first(self) -> bool {
        matches!(self.cell_style, CellStyle::XyNamed | CellStyle::XyPair)
    }

    /// Placeholder for a cell in usage messages.
    pub fn coord_usage(self) -> &'static str {
        if self.is_column_first() {
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
    fn parsing_reverses_formatting() {
        for style in [
            CellStyle::Brackets,
            CellStyle::RowColPair,
            CellStyle::XyNamed,
            CellStyle::XyPair,
        ] {
            let board_info = BoardInfo {
                cell_style: style,
                ..BoardInfo::default()
            };
            assert_eq!(
                board_info.parse_cell(&board_info.format_cell(1, -2)),
                Some((1, -2)),
                "{style:?}"
            );
            assert_eq!(board_info.parse_cell("[3][4]"), Some((3, 4)));
            let pair = if board_info.is_column_first() {
                Some((4, 3))
            } else {
                Some((3, 4))
            };
            assert_eq!(
                (board_info.parse_cell("3,4"), board_info.parse_cell(" 3 4 ")),
                (pair, pair)
            );
            assert_eq!(board_info.parse_cell("y=3 x=4"), Some((3, 4)));
            for wrong in ["", "1", "1,2,3", "a,b", "hero.x", "1,2 if", "--1,2"] {
                assert_eq!(board_info.parse_cell(wrong), None, "{wrong}");
            }
        }
    }
}
