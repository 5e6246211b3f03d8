//! Loop tables: one row per iteration.

use crate::answer::{
    CellValue, ColumnContent, Line, LoopColumn, LoopResult, LoopStyle, LoopTable, LoopTables,
    LoopValue, Style,
};
use crate::render::{Width, short_location};
use crate::text::elide;

/// The lines of all tables. Several tables get a heading each.
pub(crate) fn loop_table_lines(loops: &LoopTables, width: Width) -> Vec<Line> {
    let game_file = loops.game_file.as_deref();
    let heading = |function: &str, range| {
        Line::styled(
            Style::Dim,
            format!("  in {function}, {}", short_location(range, game_file)),
        )
    };
    let mut lines = Vec::new();
    if let Some(caller) = &loops.caller {
        lines.push(heading(&caller.function, caller.range.as_ref()));
    }
    for table in &loops.tables {
        let has_heading = loops.tables.len() > 1;
        match table.style {
            LoopStyle::Assigning => {
                if has_heading {
                    lines.push(heading(&table.function, table.range.as_ref()));
                }
                lines.extend(assigning::table_lines(table, width));
            }
            LoopStyle::Rebinding => {
                if has_heading {
                    lines.push(Line::styled(Style::Dim, format!("  {}", table.head)));
                }
                lines.extend(rebinding::table_lines(table, width));
            }
        }
    }
    lines
}

fn value_text(value: &LoopValue) -> String {
    match value {
        LoopValue::Missing => "-".into(),
        LoopValue::Text(text) => text.clone(),
        LoopValue::ChangedCells(cells) if cells.is_empty() => "unchanged".into(),
        LoopValue::ChangedCells(cells) => {
            let change = |c: &CellValue| format!("{} {}", c.cell, c.value);
            cells.iter().map(change).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The width of the widest text in each column, at most `max`.
fn column_widths(rows: &[Vec<String>], max: usize) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |c: usize| {
        rows.iter()
            .map(|r| r.get(c).map_or(0, |t| t.chars().count()))
            .max()
            .unwrap_or(0)
    };
    (0..columns).map(|c| width(c).min(max)).collect()
}

/// Tables of loops that assign variables. Columns that do not fit are left out.
mod assigning {
    use crate::render::stopped::loop_table::*;

    const MAX_COLUMN_CHARS: usize = 24;
    /// Reserved at the end of each row for `    <= decided here`.
    const NOTE_CHARS: usize = 19;
    /// Columns for expressions, in addition to those for variables.
    const MAX_EXPR_COLUMNS: usize = 5;
    /// Rows at the start (with the heading) and at the end of a long table that are never folded.
    const UNFOLDED_FIRST_ROWS: usize = 7;
    const UNFOLDED_LAST_ROWS: usize = 3;
    /// Iterations that are measured to find the width of the table.
    const MAX_ITERATIONS_MEASURED: usize = 200;

    pub fn table_lines(table: &LoopTable, width: Width) -> Vec<Line> {
        if table.rows.is_empty() {
            return vec![Line::styled(Style::Dim, "  The loop has no iterations")];
        }
        let columns = shown_columns(table, width.screen);
        let mut rows = vec![header(table, &columns)];
        for n in 0..table.rows.len() {
            let number = table.rows[n].iteration;
            let label = number.map_or("end".into(), |number| number.to_string());
            rows.push(row(table, &columns, n, label));
        }
        align_rows(&rows, &row_notes(table))
    }

    /// The columns that fit, by index.
    fn shown_columns(table: &LoopTable, width: usize) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..table.columns.len())
            .filter(|c| is_readable(&table.columns[*c]))
            .collect();
        loop {
            let exprs: Vec<usize> = columns
                .iter()
                .copied()
                .filter(|c| expr_length(&table.columns[*c]).is_some())
                .collect();
            let is_too_wide =
                !exprs.is_empty() && total_width(table, &columns) + NOTE_CHARS > width;
            if exprs.len() <= MAX_EXPR_COLUMNS && !is_too_wide {
                return columns;
            }
            let least = least_informative(table, &exprs);
            columns.retain(|c| Some(*c) != least);
        }
    }

    /// The number of characters of an expression; `None` for a variable.
    fn expr_length(column: &LoopColumn) -> Option<usize> {
        match column.content {
            ColumnContent::Expression { length, .. } => Some(length),
            _ => None,
        }
    }

    /// A long test is still useful: its beginning and its outcome say enough.
    fn is_readable(column: &LoopColumn) -> bool {
        match column.content {
            ColumnContent::Expression {
                length,
                is_condition,
                ..
            } => length <= MAX_COLUMN_CHARS || is_condition,
            _ => true,
        }
    }

    /// A constant expression, else the longest, because its inner expressions show the same.
    fn least_informative(table: &LoopTable, exprs: &[usize]) -> Option<usize> {
        let is_constant = |column: usize| {
            let mut values = table.rows.iter().map(|row| &row.values[column]);
            let first = values.next();
            values.all(|v| Some(v) == first)
        };
        exprs.iter().copied().min_by_key(|c| {
            let length = expr_length(&table.columns[*c]).unwrap_or(0);
            (!is_constant(*c), usize::MAX - length)
        })
    }

    fn total_width(table: &LoopTable, columns: &[usize]) -> usize {
        let mut rows = vec![header(table, columns)];
        let count = table.rows.len();
        rows.extend(
            (0..count.min(MAX_ITERATIONS_MEASURED))
                .map(|n| row(table, columns, n, count.to_string())),
        );
        column_widths(&rows, MAX_COLUMN_CHARS)
            .iter()
            .map(|w| w + 2)
            .sum()
    }

    fn header(table: &LoopTable, columns: &[usize]) -> Vec<String> {
        let name = |c: &usize| {
            let column = &table.columns[*c];
            match expr_length(column) {
                Some(_) => elide(&column.name, MAX_COLUMN_CHARS),
                None => column.name.clone(),
            }
        };
        ["#".to_string()]
            .into_iter()
            .chain(columns.iter().map(name))
            .collect()
    }

    fn row(table: &LoopTable, columns: &[usize], n: usize, label: String) -> Vec<String> {
        let values = &table.rows[n].values;
        let texts = columns.iter().map(|c| value_text(&values[*c]));
        [label].into_iter().chain(texts).collect()
    }

    /// The notes after the rows, by index of the row.
    fn row_notes(table: &LoopTable) -> Vec<(usize, String)> {
        let decided: Vec<(usize, &String)> = table
            .columns
            .iter()
            .filter_map(|c| Some((c.decided_in_row?, &c.name)))
            .collect();
        let mut notes: Vec<(usize, String)> = match decided.as_slice() {
            [(n, _)] => vec![(*n, "decided here".into())],
            several => several
                .iter()
                .map(|(n, name)| (*n, format!("{name} decided here")))
                .collect(),
        };
        if table.result == LoopResult::Early {
            notes.push((table.rows.len() - 1, "exits here".into()));
        }
        if let Some(current) = table.rows.iter().position(|row| row.is_current) {
            notes.insert(0, (current, "now".into()));
        }
        notes
    }

    /// Aligns the columns. Long tables are folded, except for the first and last rows and those
    /// around notes.
    fn align_rows(rows: &[Vec<String>], notes: &[(usize, String)]) -> Vec<Line> {
        let widths = column_widths(rows, MAX_COLUMN_CHARS);
        let mut lines = Vec::new();
        let is_shown = |n: usize| {
            n < UNFOLDED_FIRST_ROWS
                || n + UNFOLDED_LAST_ROWS >= rows.len()
                || notes.iter().any(|(m, _)| n.abs_diff(m + 1) <= 1)
        };
        let mut folded = 0;
        for (n, row) in rows.iter().enumerate() {
            if !is_shown(n) {
                folded += 1;
                continue;
            }
            if folded > 0 {
                lines.push(Line::styled(Style::Dim, format!("  … {folded} more")));
                folded = 0;
            }
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(t, w)| format!("{:<w$}", elide(t, MAX_COLUMN_CHARS), w = *w));
            let text = cells.collect::<Vec<_>>().join("  ");
            let row_notes: Vec<&str> = notes
                .iter()
                .filter(|(m, _)| m + 1 == n)
                .map(|(_, note)| note.as_str())
                .collect();
            let style = if n == 0 { Style::Dim } else { Style::Plain };
            lines.push(match row_notes.as_slice() {
                [] => Line::styled(style, format!("  {}", text.trim_end())),
                notes => Line::styled(style, format!("  {text}"))
                    .with(Style::Current, format!("    <= {}", notes.join(", "))),
            });
        }
        lines
    }
}

/// Tables of loops that rebind variables. Columns that do not fit are narrowed.
mod rebinding {
    use crate::render::stopped::loop_table::*;

    const MAX_COLUMN_CHARS: usize = 28;
    /// Columns are not narrowed below this.
    const MIN_COLUMN_CHARS: usize = 6;
    /// The screen width is taken as at least and at most this.
    const MIN_TABLE_CHARS: usize = 40;
    const MAX_TABLE_CHARS: usize = 120;
    /// Reserved for the indentation and the note after a row.
    const NOTE_CHARS: usize = 12;
    /// An unfinished loop with more iterations than this is reported as possibly endless; one with
    /// fewer is waiting for something.
    const ENDLESS_MIN_ITERATIONS: u64 = 1000;
    /// Longer tables are folded.
    const MAX_ROWS_UNFOLDED: usize = 16;
    /// Rows at the start (with the heading) and at the end of a folded table.
    const UNFOLDED_FIRST_ROWS: usize = 7;
    const UNFOLDED_LAST_ROWS: usize = 5;

    pub fn table_lines(table: &LoopTable, width: Width) -> Vec<Line> {
        let mut rows = vec![header(table)];
        rows.extend(table.rows.iter().map(|row| {
            let number = row.iteration.map_or_else(String::new, |n| n.to_string());
            let values = row.values.iter().map(value_text);
            [number].into_iter().chain(values).collect()
        }));
        let widths = fitted_widths(&rows, width.screen);
        let current = table.rows.iter().position(|row| row.is_current);
        let is_shown = |n: usize| {
            rows.len() <= MAX_ROWS_UNFOLDED + 1
                || n < UNFOLDED_FIRST_ROWS
                || n + UNFOLDED_LAST_ROWS >= rows.len()
                || current.is_some_and(|current| n.abs_diff(current + 1) <= 1)
        };
        let mut lines = Vec::new();
        let mut is_folded = false;
        for (n, row) in rows.iter().enumerate() {
            if !is_shown(n) {
                is_folded = true;
                continue;
            }
            if std::mem::take(&mut is_folded) {
                lines.push(Line::styled(Style::Dim, "  …"));
            }
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(text, w)| format!("{:<w$}", elide_cell(text, *w, width), w = *w));
            let text = format!("  {}", cells.collect::<Vec<_>>().join("  "));
            let style = if n == 0 { Style::Dim } else { Style::Plain };
            let line = Line::styled(style, text.trim_end());
            let data = n.checked_sub(1).and_then(|n| table.rows.get(n));
            lines.push(match data {
                Some(row) if row.is_current => line.with(Style::Current, "   <= now"),
                Some(row) if row.is_final_test => line.with(Style::Current, "   <= ends"),
                _ => line,
            });
        }
        lines.extend(endless_line(table));
        lines
    }

    fn header(table: &LoopTable) -> Vec<String> {
        let names = table.columns.iter().map(|c| c.name.clone());
        ["#".to_string()].into_iter().chain(names).collect()
    }

    fn endless_line(table: &LoopTable) -> Option<Line> {
        let omitted = table.omitted.map_or(0, |omitted| omitted.count());
        let count = table.rows.len() as u64 + omitted;
        let is_endless = table.result == LoopResult::Running && count > ENDLESS_MIN_ITERATIONS;
        is_endless.then(|| {
            Line::styled(
                Style::Warning,
                format!("  … still running after {count} iterations"),
            )
        })
    }

    /// Shortens a text to the width of its column.
    fn elide_cell(text: &str, columns: usize, width: Width) -> String {
        match text.chars().count() <= columns {
            true => text.to_string(),
            false => elide(text, columns.saturating_sub(width.ellipsis_columns() - 1)),
        }
    }

    /// The widths of the columns, reduced until the table fits the screen.
    fn fitted_widths(rows: &[Vec<String>], screen: usize) -> Vec<usize> {
        let mut widths = column_widths(rows, MAX_COLUMN_CHARS);
        let available = screen
            .clamp(MIN_TABLE_CHARS, MAX_TABLE_CHARS)
            .saturating_sub(NOTE_CHARS + 2 * widths.len());
        while widths.iter().sum::<usize>() > available {
            match widths.iter_mut().max() {
                Some(widest) if *widest > MIN_COLUMN_CHARS => *widest -= 1,
                _ => break,
            }
        }
        widths
    }
}
