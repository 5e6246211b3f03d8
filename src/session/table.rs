//! The rounds of a loop as a table, one row a round, with the round that decided marked.

use super::{Line, Style};
use crate::debugger::rounds::Round;
use crate::source::{Sources, Span};

/// The rounds as a table: their number, the variables, the parts that had values; the one that decided is marked.
pub(super) fn table(rounds: &[Round], start: &[(String, String)], sources: &Sources) -> Vec<Line> {
    let mut names: Vec<String> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    for round in rounds {
        for (name, _) in &round.locals {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        for (span, _) in &round.seen {
            let text = sources.slice(*span);
            let is_name = round.locals.iter().any(|(n, _)| n == text);
            if !is_name && !spans.contains(span) && spans.len() < 4 && text.len() < 24 {
                spans.push(*span);
            }
        }
    }
    // Variables that never change say nothing about the rounds.
    let value = |round: &Round, name: &str| round.locals.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    names.retain(|name| {
        let first = start.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        rounds.iter().any(|r| value(r, name) != first) || rounds.len() == 1
    });
    let cell = |round: &Round, span: &Span| {
        round.seen.iter().rev().find(|(s, _)| s == span).map_or("-".to_string(), |(_, v)| v.clone())
    };
    // The loop's own variables come first: they are not there before it. What was decided is the last column.
    let steady: Vec<String> = names.iter().filter(|n| start.iter().any(|(s, _)| s == *n)).cloned().collect();
    let moving: Vec<String> = names.iter().filter(|n| !steady.contains(n)).cloned().collect();
    let decided = steady.last().and_then(|name| {
        let last = rounds.last().and_then(|r| value(r, name));
        let first_same = rounds.iter().rposition(|r| value(r, name) != last).map_or(0, |n| n + 1);
        let before = start.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        (first_same > 0 || before != last).then_some(first_same)
    });
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec!["#".to_string()];
    head.extend(moving.iter().cloned());
    head.extend(spans.iter().map(|s| sources.slice(*s).split_whitespace().collect::<Vec<_>>().join(" ")));
    head.extend(steady.iter().cloned());
    rows.push(head);
    for (n, round) in rounds.iter().enumerate() {
        let mut row = vec![(n + 1).to_string()];
        row.extend(moving.iter().map(|name| value(round, name).unwrap_or_default()));
        row.extend(spans.iter().map(|s| cell(round, s)));
        row.extend(steady.iter().map(|name| value(round, name).unwrap_or_default()));
        rows.push(row);
    }
    aligned(&rows, decided)
}

/// Columns under each other; long tables folded around the row that decided.
fn aligned(rows: &[Vec<String>], decided: Option<usize>) -> Vec<Line> {
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .map(|c| rows.iter().map(|r| r.get(c).map_or(0, |t| t.chars().count())).max().unwrap_or(0).min(24))
        .collect();
    let mut lines = Vec::new();
    let near = |n: usize| n <= 6 || n + 4 > rows.len() || decided.is_some_and(|d| n.abs_diff(d + 1) <= 1);
    let mut folded = 0;
    for (n, row) in rows.iter().enumerate() {
        if !near(n) {
            folded += 1;
            continue;
        }
        if std::mem::take(&mut folded) > 0 {
            lines.push(Line::styled(Style::Dim, "  …"));
        }
        let text: Vec<String> = row.iter().zip(&widths).map(|(t, w)| format!("{t:<w$}", w = *w)).collect();
        let line =
            Line::styled(if n == 0 { Style::Dim } else { Style::Plain }, format!("  {}", text.join("  ").trim_end()));
        lines.push(match decided {
            Some(d) if n == d + 1 => line.with(Style::Here, "    <= decided here"),
            _ => line,
        });
    }
    lines
}
