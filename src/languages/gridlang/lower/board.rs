//! Rules for positions, cells, lines of cells and arrays.

use super::Lowerer;
use crate::code::{Instr, Reg};
use crate::languages::gridlang::lower::scope::{RuleVariable, UNPLACED, field};
use crate::value::Value;

const NOT_IN_LINE: &str =
    "{} is not in line with the other cell | `traverse` follows a row, a column or a diagonal";

impl Lowerer<'_, '_> {
    fn row_and_column(&mut self, coord: Reg) -> (Reg, Reg) {
        let (row, col) = (self.builder.alloc_register(), self.builder.alloc_register());
        self.emit(Instr::RowOf {
            dst: row,
            of: coord,
        });
        self.emit(Instr::ColumnOf {
            dst: col,
            of: coord,
        });
        (row, col)
    }

    /// `@isOnGrid(coordinate)`: whether it is a cell of the grid.
    pub(super) fn is_on_grid(&mut self) {
        let (row, col) = self.row_and_column(0);
        let no = self.constant(Value::FALSE);
        let minus_one = self.constant(Value::int(-1));
        for (index, size) in [(row, RuleVariable::Rows), (col, RuleVariable::Cols)] {
            let size = self.load_rule_var(size);
            for (a, b) in [(minus_one, index), (index, size)] {
                let fits = self.less(a, b);
                self.unless(fits, |r| r.return_value(no));
            }
        }
        let yes = self.constant(Value::TRUE);
        self.return_value(yes);
    }

    /// `@move(piece, coordinate)`. During a turn the move takes effect provisionally and is queued
    /// for `checkMove`; outside a turn it is final.
    pub(super) fn move_piece(&mut self) {
        let (piece, to) = (0, 1);
        let (old, validated) = (
            self.field(piece, field::POSITION),
            self.field(piece, field::VALID_POSITION),
        );
        let unchanged = self.equal(old, to);
        self.when(unchanged, |r| r.return_nothing());
        let in_turn = self.load_rule_var(RuleVariable::IsTurnRunning);
        self.unless(in_turn, |r| r.check_on_grid_if_any(to));
        self.set_field(piece, field::POSITION, to);
        let arrival = self.increment(RuleVariable::ArrivalCount);
        self.set_field(piece, field::ARRIVAL, arrival);
        self.unless(in_turn, |r| {
            r.set_field(piece, field::VALID_POSITION, to);
            r.set_field(piece, field::VALID_ARRIVAL, arrival);
            r.return_nothing();
        });
        let is_first_move = self.equal(old, validated);
        self.when(is_first_move, |r| {
            r.append(RuleVariable::PendingMoves, piece)
        });
    }

    /// Before there is a grid, any position is allowed; `createGrid` checks it later.
    fn check_on_grid_if_any(&mut self, coord: Reg) {
        let rows = self.load_rule_var(RuleVariable::Rows);
        let none = self.equal_int(rows, 0);
        self.unless(none, |r| {
            let inside = r.call("@isOnGrid", &[coord]);
            r.unless(inside, |r| {
                r.fail(
                    "{} is off the grid | rows and columns start at 0",
                    Some(coord),
                )
            });
        });
    }

    /// `@createGrid(rows, columns)`: pieces keep their positions, which must be on the new grid.
    pub(super) fn create_grid(&mut self) {
        let (rows, cols) = (0, 1);
        self.emit(Instr::Resize { rows, cols });
        self.store_rule_var(RuleVariable::Rows, rows);
        self.store_rule_var(RuleVariable::Cols, cols);
        let unplaced =
            self.constant(Value::coordinate(UNPLACED.0, UNPLACED.1).unwrap_or(Value::NOTHING));
        let pieces = self.load_rule_var(RuleVariable::Pieces);
        self.for_each(pieces, |r, piece| {
            let coord = r.field(piece, field::POSITION);
            let is_unplaced = r.equal(coord, unplaced);
            r.unless(is_unplaced, |r| {
                let inside = r.call("@isOnGrid", &[coord]);
                r.unless(inside, |r| {
                    r.fail(
                        "the new grid is too small: {} would be off the grid",
                        Some(piece),
                    )
                });
            });
        });
    }

    /// `@piecesAt(coordinate, players)`: the players or items in a cell, in order of arrival.
    pub(super) fn pieces_at(&mut self) {
        let (coord, players) = (0, 1);
        let (list, yes) = (
            self.load_rule_var(RuleVariable::Pieces),
            self.constant(Value::TRUE),
        );
        for (item, value) in [
            (field::POSITION, coord),
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

    /// `@cellPieces(coordinate, players)`: like `@piecesAt`, but fails off the grid.
    pub(super) fn pieces_in_cell(&mut self) {
        let (coord, players) = (0, 1);
        self.check_on_grid(coord);
        let list = self.call("@piecesAt", &[coord, players]);
        self.return_value(list);
    }

    fn check_on_grid(&mut self, coord: Reg) {
        let inside = self.call("@isOnGrid", &[coord]);
        self.unless(inside, |r| {
            r.fail(
                "{} is off the grid | rows and columns start at 0",
                Some(coord),
            )
        });
    }

    /// `@line(from, to)`: the cells along a row, column or diagonal, including both ends.
    pub(super) fn cells_on_line(&mut self) {
        let (from, to) = (0, 1);
        self.check_on_grid(from);
        self.check_on_grid(to);
        let (row, col) = self.row_and_column(from);
        let (last_row, last_col) = self.row_and_column(to);
        let (row_step, rows) = self.direction(row, last_row);
        let (col_step, cols) = self.direction(col, last_col);
        // On a diagonal both distances are equal; on a row or column one of them is 0.
        let zero = self.constant(Value::int(0));
        let steps = self.builder.alloc_register();
        let product = self.builder.alloc_register();
        self.emit(Instr::Multiply {
            dst: product,
            a: rows,
            b: cols,
        });
        let is_diagonal = self.equal(rows, cols);
        let is_straight = self.equal(product, zero);
        self.unless(is_diagonal, |r| {
            r.unless(is_straight, |r| r.fail(NOT_IN_LINE, Some(from)))
        });
        self.emit(Instr::Move {
            dst: steps,
            src: rows,
        });
        let is_wider = self.less(rows, cols);
        self.when(is_wider, |r| {
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
            let coord = r.builder.alloc_register();
            r.emit(Instr::Coordinate {
                dst: coord,
                row,
                col,
            });
            r.emit(Instr::Append { list, value: coord });
            r.emit(Instr::Add {
                dst: row,
                a: row,
                b: row_step,
            });
            r.emit(Instr::Add {
                dst: col,
                a: col,
                b: col_step,
            });
        });
        self.return_value(list);
    }

    /// The step (-1, 0 or 1) and the number of steps from one number to another.
    fn direction(&mut self, from: Reg, to: Reg) -> (Reg, Reg) {
        let (step, count) = (self.constant(Value::int(0)), self.builder.alloc_register());
        self.emit(Instr::Subtract {
            dst: count,
            a: to,
            b: from,
        });
        let increases = self.less(from, to);
        self.when(increases, |r| {
            r.emit(Instr::Int {
                dst: step,
                value: 1,
            })
        });
        let decreases = self.less(to, from);
        self.when(decreases, |r| {
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

    /// `@traverse([from, to], players)`: the players or items along the line.
    pub(super) fn traverse(&mut self) {
        let (ends, players) = (0, 1);
        let count = self.length(ends);
        let two = self.equal_int(count, 2);
        self.unless(two, |r| {
            r.fail(
                "`traverse` takes exactly two coordinates, found {}",
                Some(count),
            )
        });
        let (zero, one) = (self.constant(Value::int(0)), self.constant(Value::int(1)));
        let (from, to) = (self.element_at(ends, zero), self.element_at(ends, one));
        let (line, found) = (self.call("@line", &[from, to]), self.empty_list());
        self.for_each(line, |r, coord| {
            let here = r.call("@piecesAt", &[coord, players]);
            r.for_each(here, |r, piece| {
                r.emit(Instr::Append {
                    list: found,
                    value: piece,
                })
            });
        });
        self.return_value(found);
    }

    /// `@anyBetween(row, column, row, column)`: 1 if a piece is strictly between the two cells,
    /// else 0.
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
        self.for_each(line, |r, coord| {
            let (is_first, is_last) = (r.equal(coord, from), r.equal(coord, to));
            r.unless(is_first, |r| {
                r.unless(is_last, |r| {
                    for is_player in [true, false] {
                        let players = r.constant(Value::bool(is_player));
                        let here = r.call("@piecesAt", &[coord, players]);
                        let count = r.length(here);
                        let empty = r.equal(count, none);
                        r.unless(empty, |r| r.return_value(one));
                    }
                });
            });
        });
        self.return_value(none);
    }

    /// `@fillTable(value, rows, columns)`: a two-dimensional array of the value.
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

    /// `@copyTable(array)`: a deep copy of a two-dimensional array.
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

    /// `@copyElements(to, from)`: assigns the elements; rows of a two-dimensional array are copied.
    pub(super) fn copy_elements(&mut self) {
        let (to, from) = (0, 1);
        let (count, given) = (self.length(to), self.length(from));
        let same_size = self.equal(count, given);
        self.unless(same_size, |r| {
            r.fail(
                "cannot assign {} elements to an array of another size | the size of an array is fixed",
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
