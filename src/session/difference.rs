//! What differs between two times of the game, in words.

use super::Session;
use super::retell::elided;
use crate::value::{Place, StoreImage, Value};

/// More cells of a board than this are counted.
const MOST_CELLS: usize = 3;
const MOST_TEXT: usize = 28;

impl Session {
    /// What differs between two times of the game, in words, at most `most` of them.
    pub fn differences(&self, before: &StoreImage, now: &StoreImage, most: usize) -> Vec<String> {
        let mut words = Vec::new();
        let places = before.changed_places(now);
        let extra = places.len().saturating_sub(most);
        for place in places.into_iter().take(most) {
            match place {
                Place::Global(n) if self.program().board == Some(n) => {
                    words.extend(self.grid_differences(n, before, now))
                }
                Place::Global(n) => {
                    let Some(global) = self.program().globals.get(n as usize) else { continue };
                    if global.name.as_str().starts_with('@') || global.name.as_str().is_empty() {
                        continue;
                    }
                    let text = |image: &StoreImage| image.global(n).map_or("nothing".into(), |v| self.write_short(v));
                    words.push(match now.grid(n) {
                        // A board of before can't be written any more.
                        Some(_) => format!("{} => {}", global.name, self.write_now(n)),
                        None => format!("{} {} => {}", global.name, text(before), text(now)),
                    });
                }
                Place::Cell(at) => words.push(self.cell_difference(at, before, now)),
                Place::Message => words.push(format!("the message is \"{}\"", now.message().unwrap_or(""))),
                Place::Field(..) | Place::Local(..) => {}
            }
        }
        if extra > 0 {
            words.push(format!("and {extra} more"));
        }
        words
    }

    /// A variable as it is now, in a few characters.
    fn write_now(&self, global: u32) -> String {
        let value = self.machine.store.globals.get(global as usize).copied();
        elided(&self.write(value.unwrap_or(Value::NOTHING)), MOST_TEXT)
    }

    /// The cells of a board that is a value.
    fn grid_differences(&self, global: u32, before: &StoreImage, now: &StoreImage) -> Vec<String> {
        let (Some(old), Some(new)) = (before.grid(global), now.grid(global)) else { return Vec::new() };
        if (old.rows, old.cols) != (new.rows, new.cols) {
            return vec!["the board is another".into()];
        }
        let (row, col) = self.first_cell();
        let cols = new.cols.max(1) as usize;
        let cells = old.cells.iter().zip(&new.cells).enumerate().filter(|(_, (a, b))| a != b);
        let word = |(n, (a, b)): (usize, (&Value, &Value))| {
            let (r, c) = ((n / cols) as i64 + row, (n % cols) as i64 + col);
            format!("[{r}][{c}] {} => {}", self.write(*a), self.write(*b))
        };
        let mut words: Vec<String> = cells.clone().take(MOST_CELLS).map(word).collect();
        let more = cells.count().saturating_sub(MOST_CELLS);
        words.extend((more > 0).then(|| format!("and {more} more cells")));
        words
    }

    fn write_short(&self, value: Value) -> String {
        match value.as_heap() {
            Some(_) => "a list".into(),
            None if value == Value::NOTHING => "nothing".into(),
            None => self.write(value),
        }
    }

    fn cell_difference(&self, at: u32, before: &StoreImage, now: &StoreImage) -> String {
        let (row, col) = self.machine.store.row_col(at);
        let (old, new) = (before.cell(at), now.cell(at));
        match (old.as_piece(), new.as_piece()) {
            (Some(a), Some(b)) if a.kind == b.kind && a.visible != b.visible => {
                format!("[{row}][{col}].visible {} => {}", a.visible, b.visible)
            }
            _ => format!("[{row}][{col}] {} => {}", self.write(old), self.write(new)),
        }
    }
}
