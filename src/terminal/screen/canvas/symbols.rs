//! The characters that gridbug itself draws with. Where only ASCII may be used, each has a substitute
//! of the same width.

/// One set of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbols {
    pub is_ascii: bool,
    /// The rest of a text is missing.
    pub cut: char,
    /// The statement that runs next.
    pub now: char,
    pub breakpoint: char,
    /// The selected line.
    pub selected: char,
    /// A value or cell that has changed.
    pub changed: char,
    /// From the old to the new value.
    pub becomes: &'static str,
    /// Under the part of a line that runs next.
    pub underline: char,
    /// An empty cell.
    pub blank: char,
    /// A piece that is hidden from the players.
    pub hidden: char,
    /// Around a cell that an expression has read.
    pub read: char,
    /// A test that failed.
    pub failed: char,
    pub passed: char,
    /// Between the number of pieces and their glyph.
    pub times: char,
    pub separator: char,
    /// The time line: before and after the present position, between moves, the position.
    pub past: char,
    pub future: char,
    pub tick: char,
    pub position: char,
    /// There is more to the left, to the right, above, below.
    pub more_left: char,
    pub more_right: char,
    pub more_above: char,
    pub more_below: char,
    /// Names of keys.
    pub right_key: &'static str,
    pub left_key: &'static str,
}

impl Symbols {
    /// The Unicode characters, or their substitutes.
    pub fn new(is_ascii: bool) -> Symbols {
        match is_ascii {
            false => Symbols {
                is_ascii,
                cut: '…',
                now: '▸',
                breakpoint: '●',
                selected: '›',
                changed: '•',
                becomes: "→",
                underline: '‾',
                blank: '·',
                hidden: '▒',
                read: '┆',
                failed: '✕',
                passed: '✓',
                times: '×',
                separator: '·',
                past: '━',
                future: '┄',
                tick: '┿',
                position: '●',
                more_left: '‹',
                more_right: '›',
                more_above: '↑',
                more_below: '↓',
                right_key: "→",
                left_key: "←",
            },
            true => Symbols {
                is_ascii,
                cut: '~',
                now: '>',
                breakpoint: '*',
                selected: '-',
                changed: '*',
                becomes: "=>",
                underline: '^',
                blank: '.',
                hidden: '#',
                read: ':',
                failed: 'x',
                passed: '+',
                times: 'x',
                separator: '-',
                past: '=',
                future: '.',
                tick: '|',
                position: 'o',
                more_left: '<',
                more_right: '>',
                more_above: '^',
                more_below: 'v',
                right_key: "Right",
                left_key: "Left",
            },
        }
    }

    /// The character of a border that leaves in these directions: up, down, left, right.
    pub fn border(&self, [up, down, left, right]: [bool; 4]) -> char {
        if self.is_ascii {
            return match (up || down, left || right) {
                (true, false) => '|',
                (false, true) => '-',
                _ => '+',
            };
        }
        match (up, down, left, right) {
            (false, true, false, true) => '╭',
            (false, true, true, false) => '╮',
            (true, false, false, true) => '╰',
            (true, false, true, false) => '╯',
            (true, true, false, true) => '├',
            (true, true, true, false) => '┤',
            (false, true, true, true) => '┬',
            (true, false, true, true) => '┴',
            (true, true, true, true) => '┼',
            (_, _, false, false) => '│',
            _ => '─',
        }
    }
}
