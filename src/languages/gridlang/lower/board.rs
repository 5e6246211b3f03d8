//! The grid: where pieces stand, what is found in cells and along lines, and arrays.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::scope::{RuleVariable, UNPLACED, field};
use crate::value::Value;

const NO_LINE: &str = "from {} there is no row, column or diagonal to the other cell";

impl Lowerer<'_, '_> {
    fn parts(&mut self, place: Reg) -> (Reg, Reg) {
        let (row, col) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.emit(Instr::RowOf {
            dst: row,
            of: place,
        });
        self.emit(Instr::ColumnOf {
            dst: col,
            of: place,
        });
        (row, col)
    }

    /// `@inside`(coordinate): whether it is a cell of the grid.
    pub(super) fn is_in_grid(&mut self) {
        let (row, col) = self.parts(0);
        let no = self.constant(Value::FALSE);
        let below = self.constant(Value::int(-1));
        for (part, size) in [(row, RuleVariable::Rows), (col, RuleVariable::Cols)] {
            let size = self.load_rule_var(size);
            for (a, b) in [(below, part), (part, size)] {
                let fits = self.less(a, b);
                self.unless(fits, |r| r.return_value(no));
            }
        }
        let yes = self.constant(Value::TRUE);
        self.return_value(yes);
    }

    /// `@move`(piece, coordinate). While a turn is played the move is only taken down, to be checked; otherwise
    /// the piece is put there for good.
    pub(super) fn move_piece(&mut self) {
        let (piece, to) = (0, 1);
        let (old, validated) = (
            self.field(piece, field::POSITION),
            self.field(piece, field::VALID_POSITION),
        );
        let unchanged = self.equal(old, to);
        self.when(unchanged, |r| r.return_nothing());
        let playing = self.load_rule_var(RuleVariable::IsTurnRunning);
        self.unless(playing, |r| r.must_be_inside(to));
        self.set_field(piece, field::POSITION, to);
        let clock = self.increment(RuleVariable::ArrivalCount);
        self.set_field(piece, field::ARRIVAL, clock);
        self.unless(playing, |r| {
            r.set_field(piece, field::VALID_POSITION, to);
            r.set_field(piece, field::VALID_ARRIVAL, clock);
            r.return_nothing();
        });
        let first = self.equal(old, validated);
        self.when(first, |r| r.append(RuleVariable::PendingMoves, piece));
    }

    /// Before there is a grid a piece may be put anywhere; createGrid looks at it then.
    fn must_be_inside(&mut self, place: Reg) {
        let rows = self.load_rule_var(RuleVariable::Rows);
        let none = self.equal_int(rows, 0);
        self.unless(none, |r| {
            let inside = r.call("@inside", &[place]);
            r.unless(inside, |r| {
                r.fail(
                    "{} is outside of the grid | rows and columns count from 0",
                    Some(place),
                )
            });
        });
    }

    /// `@createGrid`(rows, columns): pieces stay where they are, and must have room.
    pub(super) fn create_grid(&mut self) {
        let (rows, cols) = (0, 1);
        self.emit(Instr::Resize { rows, cols });
        self.store_rule_var(RuleVariable::Rows, rows);
        self.store_rule_var(RuleVariable::Cols, cols);
        let nowhere =
            self.constant(Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING));
        let pieces = self.load_rule_var(RuleVariable::Pieces);
        self.for_each(pieces, |r, piece| {
            let place = r.field(piece, field::POSITION);
            let unset = r.equal(place, nowhere);
            r.unless(unset, |r| {
                let inside = r.call("@inside", &[place]);
                r.unless(inside, |r| {
                    r.fail("the grid would have no room for {}", Some(piece))
                });
            });
        });
    }

    /// `@standing`(coordinate, whether players): the pieces in a cell, in order of arrival.
    pub(super) fn pieces_at(&mut self) {
        let (place, players) = (0, 1);
        let (list, yes) = (
            self.load_rule_var(RuleVariable::Pieces),
            self.constant(Value::TRUE),
        );
        for (item, value) in [
            (field::POSITION, place),
            (field::EXISTS, yes),
            (field::IS_PLAYER, players),
        ] {
            self.emit(Instr::FilterRecords {
                dst: list,
                list,
                item,
                value,
            });
        }
        self.emit(Instr::SortRecords {
            list,
            item: field::ARRIVAL,
        });
        self.return_value(list);
    }

    /// `@cell`(coordinate, whether players): the same, of a cell that must be one.
    pub(super) fn pieces_in_cell(&mut self) {
        let (place, players) = (0, 1);
        self.must_be_cell(place);
        let list = self.call("@standing", &[place, players]);
        self.return_value(list);
    }

    fn must_be_cell(&mut self, place: Reg) {
        let inside = self.call("@inside", &[place]);
        self.unless(inside, |r| {
            r.fail(
                "{} is outside of the grid | rows and columns count from 0",
                Some(place),
            )
        });
    }

    /// `@line`(from, to): the coordinates of a row, column or diagonal, both ends included.
    pub(super) fn cells_on_line(&mut self) {
        let (from, to) = (0, 1);
        self.must_be_cell(from);
        self.must_be_cell(to);
        let (row, col) = self.parts(from);
        let (last_row, last_col) = self.parts(to);
        let (down, rows) = self.way(row, last_row);
        let (right, cols) = self.way(col, last_col);
        // On a diagonal as many rows as columns; else none of one of them.
        let zero = self.constant(Value::int(0));
        let steps = self.builder.alloc_register();
        let straight = self.builder.alloc_register();
        self.emit(Instr::Multiply {
            dst: straight,
            a: rows,
            b: cols,
        });
        let diagonal = self.equal(rows, cols);
        let line = self.equal(straight, zero);
        self.unless(diagonal, |r| {
            r.unless(line, |r| r.fail(NO_LINE, Some(from)))
        });
        self.emit(Instr::Move {
            dst: steps,
            src: rows,
        });
        let wider = self.less(rows, cols);
        self.when(wider, |r| {
            r.emit(Instr::Move {
                dst: steps,
                src: cols,
            })
        });
        self.emit(Instr::AddInt {
            dst: steps,
            a: steps,
            value: 1,
        });
        let list = self.empty_list();
        self.for_range(steps, |r, _| {
            let place = r.builder.alloc_register();
            r.emit(Instr::Coordinate {
                dst: place,
                row,
                col,
            });
            r.emit(Instr::Append { list, value: place });
            r.emit(Instr::Add {
                dst: row,
                a: row,
                b: down,
            });
            r.emit(Instr::Add {
                dst: col,
                a: col,
                b: right,
            });
        });
        self.return_value(list);
    }

    /// From one number to another: the step (-1, 0 or 1) and how many of them.
    fn way(&mut self, from: Reg, to: Reg) -> (Reg, Reg) {
        let (step, count) = (self.constant(Value::int(0)), self.builder.alloc_register());
        self.emit(Instr::Subtract {
            dst: count,
            a: to,
            b: from,
        });
        let up = self.less(from, to);
        self.when(up, |r| {
            r.emit(Instr::Int {
                dst: step,
                value: 1,
            })
        });
        let down = self.less(to, from);
        self.when(down, |r| {
            r.emit(Instr::Int {
                dst: step,
                value: -1,
            });
            r.emit(Instr::Negate {
                dst: count,
                a: count,
            });
        });
        (step, count)
    }

    /// `@traverse`(array of two coordinates, whether players): what stands along the line.
    pub(super) fn traverse(&mut self) {
        let (ends, players) = (0, 1);
        let count = self.length(ends);
        let two = self.equal_int(count, 2);
        self.unless(two, |r| {
            r.fail(
                "`traverse` goes from one coordinate to another, but here are {}",
                Some(count),
            )
        });
        let (zero, one) = (self.constant(Value::int(0)), self.constant(Value::int(1)));
        let (from, to) = (self.element_at(ends, zero), self.element_at(ends, one));
        let (line, found) = (self.call("@line", &[from, to]), self.empty_list());
        self.for_each(line, |r, place| {
            let here = r.call("@standing", &[place, players]);
            r.for_each(here, |r, piece| {
                r.emit(Instr::Append {
                    list: found,
                    value: piece,
                })
            });
        });
        self.return_value(found);
    }

    /// `@between`(row, column, row, column): 1 if anything stands between the two cells, else 0.
    pub(super) fn any_between(&mut self) {
        let (from, to) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.emit(Instr::Coordinate {
            dst: from,
            row: 0,
            col: 1,
        });
        self.emit(Instr::Coordinate {
            dst: to,
            row: 2,
            col: 3,
        });
        let line = self.call("@line", &[from, to]);
        let one = self.constant(Value::int(1));
        let none = self.constant(Value::int(0));
        self.for_each(line, |r, place| {
            let (begins, ends) = (r.equal(place, from), r.equal(place, to));
            r.unless(begins, |r| {
                r.unless(ends, |r| {
                    for players in [true, false] {
                        let players = r.constant(Value::bool(players));
                        let here = r.call("@standing", &[place, players]);
                        let count = r.length(here);
                        let empty = r.equal(count, none);
                        r.unless(empty, |r| r.return_value(one));
                    }
                });
            });
        });
        self.return_value(none);
    }

    /// `@rows`(value, rows, columns): a list of lists.
    pub(super) fn fill_table(&mut self) {
        let (value, rows, cols) = (0, 1, 2);
        let (list, row) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.emit(Instr::FilledList {
            dst: list,
            value,
            count: rows,
        });
        let table = self.empty_list();
        self.for_each(list, |r, _| {
            r.emit(Instr::FilledList {
                dst: row,
                value,
                count: cols,
            });
            r.emit(Instr::Append {
                list: table,
                value: row,
            });
        });
        self.return_value(table);
    }

    /// `@copyRows`(list of lists): one of its own, the lists in it too.
    pub(super) fn copy_table(&mut self) {
        let table = self.empty_list();
        self.for_each(0, |r, row| {
            let copy = r.builder.alloc_register();
            r.emit(Instr::Copy {
                dst: copy,
                src: row,
            });
            r.emit(Instr::Append {
                list: table,
                value: copy,
            });
        });
        self.return_value(table);
    }

    /// `@copyInto`(array, array): the elements of the second; rows of a table are copied.
    pub(super) fn copy_elements(&mut self) {
        let (to, from) = (0, 1);
        let (count, given) = (self.length(to), self.length(from));
        let fits = self.equal(count, given);
        self.unless(fits, |r| {
            r.fail(
                "the array has another number of elements than the {} that are given | its size is fixed",
                Some(given),
            );
        });
        self.for_range(count, |r, at| {
            let value = r.element_at(from, at);
            r.emit(Instr::Copy {
                dst: value,
                src: value,
            });
            r.emit(Instr::SetIndex {
                list: to,
                index: at,
                value,
            });
        });
    }
}
