//! The rounds of a loop as a table, one row a round, with the round that decided marked.

use super::call_tree::elide;
use super::{Line, Style};
use crate::debugger::loop_trace::{Iteration, LoopExit, LoopTrace};
use crate::source::{Sources, Span};

/// No column is wider.
const WIDEST: usize = 24;
/// Behind the columns: `    <= decided here`.
const MARK: usize = 19;
/// Parts of the text that are shown at most.
const PARTS: usize = 5;

type Variables = [(String, String)];

fn value<'v>(variables: &'v Variables, name: &str) -> Option<&'v str> {
    variables
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, v)| v.as_str())
}

/// The rounds as a table: their number, the variables, the parts that had values; the one that decided is marked,
/// and the one in which the time `here` lies.
pub(super) fn render_loop_table(
    rounds: &LoopTrace,
    here: Option<u64>,
    sources: &Sources,
    width: usize,
) -> Vec<Line> {
    if rounds.iterations.is_empty() {
        return vec![Line::styled(Style::Dim, "  the loop has no round")];
    }
    let columns = Columns::of(rounds, sources, width);
    let mut rows = vec![columns.heads(sources)];
    let mut number = 0;
    for round in &rounds.iterations {
        number += usize::from(!round.is_final_test);
        rows.push(columns.row(
            if round.is_final_test {
                "end".into()
            } else {
                number.to_string()
            },
            round,
        ));
    }
    let marks = marks(rounds, &columns, here);
    aligned(&rows, &marks)
}

/// What stands in the columns, from left to right.
struct Columns {
    /// The loop's own variables: they are not there before it.
    moving: Vec<String>,
    parts: Vec<Span>,
    /// Variables that the loop changes.
    changed: Vec<String>,
}

impl Columns {
    fn of(rounds: &LoopTrace, sources: &Sources, width: usize) -> Columns {
        let mut names: Vec<String> = Vec::new();
        let mut parts: Vec<Span> = Vec::new();
        for round in &rounds.iterations {
            for (name, _) in round.variables.iter().filter(|(n, _)| !n.starts_with('@')) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            for (span, seen) in &round.values {
                let is_name = value(&round.variables, sources.slice(*span)).is_some();
                // A test says enough by its beginning and what came of it.
                let fits = sources.slice(*span).chars().count() <= WIDEST
                    || matches!(seen.as_str(), "true" | "false");
                if !is_name && !parts.contains(span) && fits {
                    parts.push(*span);
                }
            }
        }
        let before = |name: &str| value(&rounds.initial_variables, name);
        // Variables that never change say nothing about the rounds.
        let changes = |name: &String| {
            rounds
                .iterations
                .iter()
                .any(|r| value(&r.variables, name) != before(name))
        };
        let (changed, moving): (Vec<String>, Vec<String>) = names
            .into_iter()
            .filter(changes)
            .partition(|name| before(name).is_some());
        // As they are evaluated: what is inside comes first.
        parts.sort_by_key(|s| (s.end, u32::MAX - s.start));
        let mut columns = Columns {
            moving,
            parts,
            changed,
        };
        while columns.parts.len() > PARTS
            || !columns.parts.is_empty() && columns.wide(rounds, sources) + MARK > width
        {
            columns.drop_part(rounds, sources);
        }
        columns
    }

    /// The part that says least goes: one that never changes, else the longest, whose parts say the same.
    fn drop_part(&mut self, rounds: &LoopTrace, sources: &Sources) {
        let steady = |span: &Span| {
            let mut values = rounds.iterations.iter().map(|r| part(r, span));
            let first = values.next();
            values.all(|v| Some(v) == first.as_ref().cloned())
        };
        let least = (0..self.parts.len()).min_by_key(|n| {
            let span = &self.parts[*n];
            (
                !steady(span),
                usize::MAX - sources.slice(*span).chars().count(),
            )
        });
        if let Some(n) = least {
            self.parts.remove(n);
        }
    }

    fn wide(&self, rounds: &LoopTrace, sources: &Sources) -> usize {
        let mut rows = vec![self.heads(sources)];
        rows.extend(
            rounds
                .iterations
                .iter()
                .take(200)
                .map(|r| self.row(rounds.iterations.len().to_string(), r)),
        );
        widths(&rows).iter().map(|w| w + 2).sum()
    }

    fn heads(&self, sources: &Sources) -> Vec<String> {
        let one_line = |s: &Span| elide(&sources.slice_single_line(*s), WIDEST);
        let mut head = vec!["#".to_string()];
        head.extend(self.moving.iter().cloned());
        head.extend(self.parts.iter().map(one_line));
        head.extend(self.changed.iter().cloned());
        head
    }

    fn row(&self, number: String, round: &Iteration) -> Vec<String> {
        let variable = |name: &String| value(&round.variables, name).unwrap_or("-").to_string();
        let mut row = vec![number];
        row.extend(self.moving.iter().map(variable));
        row.extend(self.parts.iter().map(|s| part(round, s).to_string()));
        row.extend(self.changed.iter().map(variable));
        row
    }
}

/// The last value that a part of the text had in a round.
fn part<'r>(round: &'r Iteration, span: &Span) -> &'r str {
    round
        .values
        .iter()
        .rev()
        .find(|(s, _)| s == span)
        .map_or("-", |(_, v)| v)
}

/// What is said behind the rows, by the number of the round.
fn marks(rounds: &LoopTrace, columns: &Columns, here: Option<u64>) -> Vec<(usize, String)> {
    let all = &rounds.iterations;
    // What changed just once was decided in that round.
    let decided: Vec<(usize, &String)> = columns
        .changed
        .iter()
        .filter_map(|name| {
            let values =
                std::iter::once(&rounds.initial_variables).chain(all.iter().map(|r| &r.variables));
            let values: Vec<Option<&str>> = values.map(|v| value(v, name)).collect();
            let mut turns = (1..values.len()).filter(|n| values[*n] != values[n - 1]);
            let turn = turns.next()?;
            turns.next().is_none().then_some((turn - 1, name))
        })
        .collect();
    let mut marks: Vec<(usize, String)> = match decided.as_slice() {
        [(n, _)] => vec![(*n, "decided here".into())],
        several => several
            .iter()
            .map(|(n, name)| (*n, format!("{name} decided here")))
            .collect(),
    };
    if rounds.exit == LoopExit::Early {
        marks.push((all.len() - 1, "left here".into()));
    }
    if let Some(now) = here {
        let current = all.partition_point(|r| r.time <= now).saturating_sub(1);
        marks.insert(0, (current, "now".into()));
    }
    marks
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let wide = |c: usize| {
        rows.iter()
            .map(|r| r.get(c).map_or(0, |t| t.chars().count()))
            .max()
            .unwrap_or(0)
    };
    (0..columns).map(|c| wide(c).min(WIDEST)).collect()
}

/// Columns under each other; long tables are folded, but for their ends and what is marked.
fn aligned(rows: &[Vec<String>], marks: &[(usize, String)]) -> Vec<Line> {
    let widths = widths(rows);
    let mut lines = Vec::new();
    let near = |n: usize| {
        n <= 6 || n + 4 > rows.len() || marks.iter().any(|(m, _)| n.abs_diff(m + 1) <= 1)
    };
    let mut folded = 0;
    for (n, row) in rows.iter().enumerate() {
        if !near(n) {
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
            .map(|(t, w)| format!("{:<w$}", short(t), w = *w));
        let text = cells.collect::<Vec<_>>().join("  ");
        let said: Vec<&str> = marks
            .iter()
            .filter(|(m, _)| m + 1 == n)
            .map(|(_, words)| words.as_str())
            .collect();
        let style = if n == 0 { Style::Dim } else { Style::Plain };
        lines.push(match said.as_slice() {
            [] => Line::styled(style, format!("  {}", text.trim_end())),
            said => Line::styled(style, format!("  {text}"))
                .with(Style::Current, format!("    <= {}", said.join(", "))),
        });
    }
    lines
}

fn short(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_string();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
