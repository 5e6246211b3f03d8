//! Random GridLok games whose conditions read the board in many ways.

use super::rng::Rng;

pub struct Game {
    pub text: String,
    pub entries: Vec<String>,
    pub rows: usize,
    pub cols: usize,
}

/// Writes the conditions of a game.
struct Writer<'r> {
    rng: &'r mut Rng,
    names: usize,
}

const KINDS: [&str; 3] = ["free", "X", "O"];

impl Writer<'_> {
    fn one_of(&mut self, texts: &[&str]) -> String {
        self.rng.pick(texts).to_string()
    }

    fn kind(&mut self) -> String {
        format!("\"{}\"", self.rng.pick(&KINDS))
    }

    fn number(&mut self, from: usize, to: usize) -> usize {
        self.rng.range(from, to + 1)
    }

    /// A name that is not in use; names consist of letters.
    fn name(&mut self, first: char) -> String {
        self.names += 1;
        let letter = |n: usize| (b'a' + (n % 26) as u8) as char;
        format!("{first}{}{}", letter(self.names), letter(self.names / 26))
    }

    /// A test of a piece.
    fn test(&mut self, piece: &str) -> String {
        let kind = self.kind();
        match self.rng.below(6) {
            0 => format!("{piece}.name == {kind}"),
            1 => format!("{piece}.name != {kind}"),
            2 => format!("{piece}.visible"),
            3 => format!("(same {{{piece}}})"),
            4 => format!("(mine {{{piece}}})"),
            _ => format!("(deep {{{piece}}})"),
        }
    }

    /// A statement about a piece, with the truth value `b` and the number `n`.
    fn statement(&mut self, piece: &str, b: &str, n: &str) -> String {
        let test = self.test(piece);
        let (small, limit) = (self.number(1, 3), self.number(1, 30));
        match self.rng.below(12) {
            0 => format!("{b} {{{b} AND {test}}}"),
            1 => format!("{b} {{{b} OR {test}}}"),
            2 => format!("if {test} {{ {n} {{{n} + {small}}} }}"),
            3 => format!("if {test} {{ {n} {{{n} - {small}}} }}"),
            4 => format!("if {test} {{ {n} {{{n} + 1}} }} else {{ {n} {{0}} }}"),
            5 => format!("if {n} > {small} {{ {b} {{true}} }}"),
            6 => format!("if {test} {{ seen {{seen + 1}} }}"),
            7 => format!("if seen > {limit} {{ {b} {{!{b}}} seen {{0}} }}"),
            8 => format!("{n} {{({n} * 3 + seen) % 17}}"),
            9 => format!("if {test} {{ last {{turn}} }}"),
            10 => format!("if (early {{{limit}}}) {{ {b} {{{test}}} }}"),
            _ => format!("count {{count + {small}}}"),
        }
    }

    fn statements(&mut self, piece: &str, b: &str, n: &str, count: usize) -> String {
        let all: Vec<String> = (0..count).map(|_| self.statement(piece, b, n)).collect();
        all.join(" ")
    }

    /// A loop over the board.
    fn walk(&mut self, b: &str, n: &str) -> String {
        let (p, r, c) = (self.name('p'), self.name('r'), self.name('c'));
        let (i, j) = (self.name('i'), self.name('j'));
        let count = self.number(1, 3);
        match self.rng.below(15) {
            13 => format!("{b} {{early {{{count}}}}} {n} {{{n} + late {{{count}}}}}"),
            0 => {
                let body = self.statements(&p, b, n, count);
                format!("for {p} in board {{ {body} }}")
            }
            1 => {
                let body = self.statements(&format!("board[{r}][{c}]"), b, n, count);
                format!("for {r}, {c} in board {{ {body} }}")
            }
            2 => {
                let body = self.statements(&p, "lb", "ln", count);
                format!(
                    "for {r}(0, rows) {{ def lb {{true}} def ln {{0}} for {p} in row({r}) {{ {body} }} {b} {{{b} OR lb}} {n} {{{n} + ln}} }}"
                )
            }
            3 => {
                let body = self.statements(&p, "lb", n, count);
                format!(
                    "for {c}(0, cols) {{ def lb {{true}} for {p} in col({c}) {{ {body} }} {b} {{{b} OR lb}} }}"
                )
            }
            4 => {
                let body = self.statements(&format!("board[{r}][{c}]"), b, n, count);
                format!("for {r}(0, rows) {{ for {c}(0, cols) {{ {body} }} }}")
            }
            5 => {
                let (k, l) = (self.kind(), self.kind());
                let body = self.statement(&format!("board[{r}+1][{c}]"), b, n);
                format!(
                    "for {r}(0, rows - 1) {{ for {c}(0, cols - 1) {{ if board[{r}][{c}].name == {k} AND board[{r} + 1][{c} + 1].name == {l} {{ {body} }} }} }}"
                )
            }
            6 => {
                let body = self.statement(&p, b, n);
                format!("for {r}, {c} in board {{ for {p} surrounding {r}, {c} {{ {body} }} }}")
            }
            7 => {
                let body = self.statements(&p, "lb", n, count);
                format!(
                    "for {r}(0, rows) {{ def lb {{true}} for {p} in row({r}) {{ {body} }} if lb AND seen > 3 {{ win {{lb}} }} }}"
                )
            }
            8 => {
                let body = self.statement(&format!("board[{i}][{j}]"), b, n);
                format!(
                    "for {r}, {c} in board {{ for {i}, {j} surrounding {r}, {c} {{ {body} }} }}"
                )
            }
            9 => {
                // Columns first, and with an offset.
                let body = self.statements(&format!("board[{r}][{c} + 1]"), b, n, count);
                format!("for {c}(0, cols - 1) {{ for {r}(0, rows) {{ {body} }} }}")
            }
            10 => {
                // Helpers that read the board, directly and through another one.
                let helper = self.one_of(&["at", "above"]);
                let from = if helper == "above" { 1 } else { 0 };
                format!(
                    "for {r}({from}, rows) {{ for {c}(0, cols) {{ if ({helper} {{{r}, {c}}}) {{ {n} {{{n} + 1}} }} }} {b} {{{n} > 3}} }}"
                )
            }
            11 => {
                // Other starts and ends, and a loop variable that is assigned.
                let body = self.statement(&format!("board[{i}][{c}]"), b, n);
                format!(
                    "for {r}(1, rows - 1) {{ def {i} {{{r} - 1}} for {c}(0, cols) {{ {body} if {n} > 20 {{ {i} {{{r} + 1}} }} }} }}"
                )
            }
            12 => {
                let body = self.statement(&p, b, n);
                format!(
                    "for {r}(0, rows) {{ for {p} in row({r}) {{ {body} }} for {p} in col({r} % cols) {{ {body} }} }}"
                )
            }
            _ => {
                // Things that must not be reused.
                let body = self.statement(&p, b, n);
                let extra = match self.rng.below(7) {
                    0 => "print {\"p\"}".to_string(),
                    1 => "trail {1}".to_string(),
                    2 => "place {\"O\", 0, 0}".to_string(),
                    3 => "if (rand {0, 9}) == 3 { seen {seen + 1} }".to_string(),
                    4 => "if board[0][1].name == \"X\" { seen {seen + 1} }".to_string(),
                    5 => format!("{n} {{{n} + total {{{r}}}}}"),
                    _ => format!("if trail[0] == {n} {{ seen {{seen + 1}} }}"),
                };
                format!("for {r}(0, rows) {{ for {p} in row({r}) {{ {body} }} {extra} }}")
            }
        }
    }

    fn condition(&mut self, variable: &str) -> String {
        let (start, n) = (self.one_of(&["true", "false"]), self.number(0, 3));
        let count = self.number(1, 3);
        let walks: Vec<String> = (0..count).map(|_| self.walk("b", "n")).collect();
        let rare = self.number(40, 999);
        format!(
            "def b {{{start}}} def n {{{n}}} def count {{0}} {} seen {{seen % 50}} {variable} {{b AND n == {rare}}}",
            walks.join("\n    ")
        )
    }
}

impl Game {
    pub fn to_text(&self) -> String {
        format!("{}\n--- typed\n{}", self.text, self.entries.join("\n"))
    }

    /// A random game, and entries that play and change it.
    pub fn random(rng: &mut Rng) -> Game {
        let sizes = [(3, 3), (5, 4), (4, 7), (9, 9), (12, 10), (3, 40), (70, 3)];
        let (rows, cols) = *rng.pick(&sizes);
        let text = Game::program(rng, rows, cols);
        let entries = (0..14).map(|_| Game::entry(rng, rows, cols)).collect();
        Game {
            text,
            entries,
            rows,
            cols,
        }
    }

    pub fn program(rng: &mut Rng, rows: usize, cols: usize) -> String {
        let mut writer = Writer { rng, names: 0 };
        let conditions = ["win", "lose", "draw"].map(|name| {
            let body = writer.condition(name);
            format!("  {name}Condition {{ {body} }}\n")
        });
        let visible = writer.one_of(&["false", "true"]);
        let click_x = writer.one_of(&["", "changeType {\"free\"}", "place {\"O\", 1, 1}"]);
        let click_o = writer.one_of(&[
            "place {\"free\", pieceRow, pieceCol}",
            "place {\"X\", 0, 0}",
            "",
        ]);
        let first = writer.one_of(&["\"free\"", "\"free\"", "\"X\""]);
        format!(
            "game {{
  board {{ dimensions {{{rows}, {cols}}} image {{b.png}} }}
  players {{\"x\", \"o\"}}
  def seen {{0}} def last {{\"\"}} def trail {{0,}}
  fun same(p) {{ return p.name == \"X\" OR p.name == \"O\" }}
  fun mine(p) {{ if turn == \"x\" {{ return p.name == \"X\" }} return p.name == \"O\" }}
  fun deep(p) {{ return (same {{p}}) AND !(mine {{p}}) }}
  fun at(r, c) {{ return board[r][c].name == \"X\" }}
  fun above(r, c) {{ return (at {{r - 1, c}}) OR (mine {{board[r][c]}}) }}
  fun total(r) {{ def k {{0}} for p in row(r) {{ if p.name == \"X\" {{ k {{k + 1}} }} }} return k }}
  fun early(k) {{ for r(0, rows) {{ for p in row(r) {{ if p.name == \"X\" AND seen > k {{ return true }} }} }} return false }}
  fun late(k) {{ for p in board {{ if p.name == \"O\" {{ k {{k - 1}} if k < 0 {{ return k + seen }} }} }} return k }}
  piece {{ name {{\"free\"}} onClick {{ if turn == \"x\" {{ changeType {{\"X\"}} }} else {{ changeType {{\"O\"}} }} endTurn {{}} }} }}
  piece {{ name {{\"X\"}} onClick {{ visible {{{visible}}} {click_x} endTurn {{}} }} }}
  piece {{ name {{\"O\"}} onClick {{ removePiece {{pieceRow, pieceCol}} {click_o} endTurn {{}} }} }}
  setup {{ for x, y in board {{ place {{{first}, x, y}} }} }}
{}}}",
            conditions.concat()
        )
    }

    fn entry(rng: &mut Rng, rows: usize, cols: usize) -> String {
        let (row, col) = (rng.below(rows), rng.below(cols));
        let changes = [
            "endTurn {}",
            "piece { name {\"Q\"} onClick { endTurn {} } }",
            "piece { name {\"X\"} onClick { changeType {\"O\"} endTurn {} } }",
            "place {\"X\", 0, 1}",
            "players {\"x\", \"o\", \"z\"}",
            "def extra {5}",
            "winCondition { for p in board { if p.name == \"X\" { seen {seen + 1} } } win {seen == 999} }",
            "fun mine(p) { return p.name == turn }",
            "fun at(r, c) { return board[r][c].name != \"X\" }",
            "fun same(p) { return p.name == \"O\" }",
        ];
        match rng.below(20) {
            0 => ":undo".into(),
            1 => ":undo 3".into(),
            2 => "seen {seen + 7}".into(),
            3 => format!("for x, y in board {{ if x == {row} {{ click {{x, y}} }} }}"),
            4 => ":restart".into(),
            5 => {
                let (more_rows, more_cols) = (rng.below(3), rng.below(2));
                let (rows, cols) = (rows + more_rows, cols + more_cols);
                format!("board {{ dimensions {{{rows}, {cols}}} image {{b.png}} }}")
            }
            6 => ":redo".into(),
            7..=10 => rng.pick(&changes).to_string(),
            _ => format!("click {{{row}, {col}}}"),
        }
    }

    /// Full rows and columns on a square board, and every cell counted.
    pub fn lines(side: usize) -> Game {
        let text = format!(
            "game {{
  board {{ dimensions {{{side}, {side}}} image {{b.png}} }}
  players {{\"x\", \"o\"}}
  piece {{ name {{\"free\"}} onClick {{ if turn == \"x\" {{ changeType {{\"X\"}} }} else {{ changeType {{\"O\"}} }} endTurn {{}} }} }}
  piece {{ name {{\"X\"}} onClick {{}} }}
  piece {{ name {{\"O\"}} onClick {{}} }}
  setup {{ for x, y in board {{ place {{\"free\", x, y}} }} }}
  winCondition {{
    for r(0, rows) {{ def line {{true}} for p in row(r) {{ line {{line AND p.name == \"X\"}} }} win {{win OR line}} }}
    for c(0, cols) {{ def line {{true}} for p in col(c) {{ line {{line AND p.name == \"X\"}} }} win {{win OR line}} }}
  }}
  loseCondition {{ def n {{0}} for x, y in board {{ if board[x][y].name == \"O\" {{ n {{n + 1}} }} }} lose {{n > 60}} }}
  drawCondition {{ def left {{0}} for p in board {{ if p.name == \"free\" {{ left {{left + 1}} }} }} draw {{left == 0 AND !win}} }}
}}"
        );
        let cell = |n: usize| format!("click {{{}, {}}}", n * 5 % side, n * 3 % side);
        Game {
            text,
            entries: (0..6).map(cell).collect(),
            rows: side,
            cols: side,
        }
    }
}
