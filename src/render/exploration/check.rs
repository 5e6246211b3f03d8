//! Text for the answer to `:check`.

use super::{assumption_lines, growth_lines, line_of_moves, undecided};
use crate::answer::{
    CheckResult, CheckSubject, CheckVerdict, CheckedProperty, Line, PropertyKind, Remark,
    RemarkKind, Style,
};
use crate::text::{join_rows, large_count_noun, with_commas};

/// Columns of the words in front of a remark.
const LABEL_COLUMNS: usize = 12;
/// A subject that is longer than this does not widen the column of all.
const MAX_SUBJECT_COLUMNS: usize = 24;
/// Remarks of one kind beyond this number are counted, not listed.
const MAX_REMARKS_SHOWN: usize = 8;

/// What a search has found out about the rules.
pub(crate) fn check_lines(result: &CheckResult, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::plain(headline(result))];
    lines.extend(growth_lines(&result.extent));
    lines.extend(
        result
            .open
            .iter()
            .map(|why| Line::plain(format!("  {why}"))),
    );
    let column = subject_column(result);
    for remarks in result.remarks.chunk_by(|a, b| a.kind == b.kind) {
        let shown = remarks.iter().take(MAX_REMARKS_SHOWN);
        lines.extend(shown.flat_map(|remark| remark_lines(remark, column, width)));
        let more = remarks.len().saturating_sub(MAX_REMARKS_SHOWN);
        if more > 0 {
            lines.push(Line::styled(
                Style::Dim,
                format!(
                    "  {:LABEL_COLUMNS$}  and {} more",
                    "",
                    with_commas(more as u64)
                ),
            ));
        }
    }
    if !result.ok.is_empty() {
        let line = Line::styled(Style::Changed, format!("  {:LABEL_COLUMNS$}", "ok"));
        lines.extend(wrapped(line, &result.ok, width));
    }
    let properties = result.properties.iter();
    lines.extend(properties.flat_map(|property| property_lines(property, width)));
    lines.extend(assumption_lines(&result.extent.assumed));
    lines
}

fn headline(result: &CheckResult) -> String {
    let extent = &result.extent;
    if result.subject == CheckSubject::OneLine {
        return "checked what the program has done: it has no moves to search".into();
    }
    if extent.positions == 0 && extent.complete {
        return "undecided: no position could be searched".into();
    }
    let positions = match extent.positions {
        1 => "the only position".to_string(),
        n => format!("all {} positions", with_commas(n as u64)),
    };
    let of = match result.subject {
        CheckSubject::FromHere => "that can be reached from here",
        _ => "of this game",
    };
    let were = if extent.positions == 1 { "was" } else { "were" };
    match (extent.complete, extent.stopped_by) {
        (true, Some(_)) => {
            format!("undecided: found {positions} {of}, but had no time to check everything")
        }
        (true, None) if result.decided && extent.positions == 1 => {
            "searched the only position: no move is possible".into()
        }
        (true, None) if result.decided => format!("searched {positions} {of}"),
        (true, None) => format!("undecided, although {positions} {of} {were} searched"),
        (false, _) => undecided(extent),
    }
}

/// Where the details of remarks start.
fn subject_column(result: &CheckResult) -> usize {
    let columns = result.remarks.iter().map(|r| r.subject.chars().count());
    let short = columns.filter(|columns| *columns <= MAX_SUBJECT_COLUMNS);
    short.max().unwrap_or(0)
}

fn label_style(kind: RemarkKind) -> Style {
    match kind.is_failure() {
        true => Style::Error,
        false => Style::Warning,
    }
}

fn remark_lines(remark: &Remark, column: usize, width: usize) -> Vec<Line> {
    let label = format!("  {:LABEL_COLUMNS$}", remark.kind.label());
    let mut line = Line::styled(label_style(remark.kind), label);
    let text = format!("  {:<column$}", remark.subject);
    let columns = LABEL_COLUMNS + 2 + text.chars().count();
    let mut lines = Vec::new();
    let indent = format!("  {:LABEL_COLUMNS$}", "");
    if remark.detail.is_empty() {
        line = line.with(Style::Plain, text.trim_end().to_string());
        lines.push(line);
    } else if columns + 2 + remark.detail.chars().count() <= width {
        lines.push(line.with(Style::Plain, format!("{text}  {}", remark.detail)));
    } else {
        lines.push(line.with(Style::Plain, text.trim_end().to_string()));
        lines.push(Line::plain(format!("{indent}  {}", remark.detail)));
    }
    if remark.kind.is_failure() {
        lines.extend(line_of_moves(&remark.proof, width));
    }
    lines
}

/// Texts after a label, separated by commas, in as many lines as needed.
fn wrapped(label: Line, texts: &[String], width: usize) -> Vec<Line> {
    let mut texts = texts.to_vec();
    if let Some((_, others)) = texts.split_last_mut() {
        others.iter_mut().for_each(|text| text.push(','));
    }
    let room = width.saturating_sub(LABEL_COLUMNS + 2);
    let rows = join_rows(&texts, " ", ["  ", "  "], room);
    let below = Line::plain(format!("  {:LABEL_COLUMNS$}", ""));
    let starts = std::iter::once(label).chain(std::iter::repeat(below));
    let line = |(start, row): (Line, String)| start.with(Style::Plain, row);
    starts.zip(rows).map(line).collect()
}

fn property_lines(property: &CheckedProperty, width: usize) -> Vec<Line> {
    let (label, style) = match property.verdict {
        CheckVerdict::Holds => ("holds", Style::Changed),
        CheckVerdict::Violated => ("violated", Style::Error),
        CheckVerdict::Undecided => ("undecided", Style::Warning),
    };
    let mut text = format!("{} {}", property.kind.name(), property.text);
    let proof = property.proof.as_deref();
    if let Some(proof) = proof {
        let after = match proof.len() {
            0 => "before the first move".to_string(),
            n => format!("after {}", large_count_noun(n, "move", "moves")),
        };
        text.push_str(&match (property.kind, &property.note) {
            (PropertyKind::Always, None) => format!("; it is false {after}"),
            (PropertyKind::Never | PropertyKind::Sometimes, None) => {
                format!("; it is true {after}")
            }
            (_, Some(note)) => format!("; {after}, {note}"),
        });
    } else if let Some(note) = &property.note {
        text.push_str(&format!("; {note}"));
    } else if property.kind == PropertyKind::Sometimes && property.verdict == CheckVerdict::Violated
    {
        text.push_str("; it is never true");
    }
    let line = Line::styled(style, format!("  {label:LABEL_COLUMNS$}"));
    let mut lines = vec![line.with(Style::Plain, format!("  {text}"))];
    lines.extend(line_of_moves(proof.unwrap_or_default(), width));
    lines
}
