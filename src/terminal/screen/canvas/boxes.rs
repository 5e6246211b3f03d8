//! Borders of rectangles that may share their sides. Where borders meet they are joined.

use super::Area;
use super::symbols::Symbols;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// For each place of the screen, the directions in which a border leaves it.
#[derive(Clone, Debug)]
pub struct Boxes {
    width: usize,
    height: usize,
    directions: Vec<u8>,
}

impl Boxes {
    pub fn new(width: usize, height: usize) -> Boxes {
        Boxes {
            width,
            height,
            directions: vec![0; width * height],
        }
    }

    /// Adds the border around an area, as far as it is on the screen.
    pub fn add(&mut self, inside: Area) {
        let (Some(left), Some(top)) = (inside.left.checked_sub(1), inside.top.checked_sub(1))
        else {
            return;
        };
        let (right, bottom) = (inside.right(), inside.bottom());
        for x in left..right {
            for y in [top, bottom] {
                self.join(x, y, RIGHT);
                self.join(x + 1, y, LEFT);
            }
        }
        for y in top..bottom {
            for x in [left, right] {
                self.join(x, y, DOWN);
                self.join(x, y + 1, UP);
            }
        }
    }

    fn join(&mut self, x: usize, y: usize, direction: u8) {
        if x < self.width && y < self.height {
            self.directions[y * self.width + x] |= direction;
        }
    }

    /// The characters of all borders, with their columns and rows.
    pub fn characters(&self, symbols: &Symbols) -> Vec<(usize, usize, char)> {
        let places = self.directions.iter().enumerate();
        let borders = places.filter(|(_, directions)| **directions != 0);
        borders
            .map(|(at, directions)| {
                let leaves = |direction| directions & direction != 0;
                let c = symbols.border([leaves(UP), leaves(DOWN), leaves(LEFT), leaves(RIGHT)]);
                (at % self.width, at / self.width, c)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::screen::canvas::look::Look;
    use crate::terminal::screen::canvas::symbols::Symbols;
    use crate::terminal::screen::canvas::{Area, Canvas};

    fn area(left: usize, top: usize, width: usize, height: usize) -> Area {
        Area {
            left,
            top,
            width,
            height,
        }
    }

    #[test]
    fn borders_that_meet_are_joined() {
        let draw = |is_ascii| {
            let mut canvas = Canvas::new(8, 5, Symbols::new(is_ascii));
            for inside in [area(1, 1, 2, 1), area(1, 3, 2, 1), area(4, 1, 3, 3)] {
                canvas.add_box(inside);
            }
            canvas.draw_boxes(Look::PLAIN);
            canvas.rows()
        };
        assert_eq!(
            draw(false),
            ["╭──┬───╮", "│  │   │", "├──┤   │", "│  │   │", "╰──┴───╯"]
        );
        assert_eq!(
            draw(true),
            ["+--+---+", "|  |   |", "+--+   |", "|  |   |", "+--+---+"]
        );
    }
}
