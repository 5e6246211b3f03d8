//! The text of properties.

use crate::answer::{Line, PropertyInfo, PropertyKind, PropertyVerdict, Style, Violation};
use crate::text::{elide, first_line};

/// Longer entries are elided.
const MAX_ENTRY_CHARS: usize = 40;

/// The properties, one per line, with their verdicts in a column.
pub(crate) fn property_lines(properties: &[PropertyInfo]) -> Vec<Line> {
    let head = |p: &PropertyInfo| format!("{} {}", p.property.name(), p.text);
    let widths = properties.iter().map(|p| head(p).chars().count());
    let width = widths.max().unwrap_or(0);
    let line = |p: &PropertyInfo| {
        let verdict = verdict_text(p);
        let head = format!("  {:<2} {:<width$}   ", p.id, head(p));
        Line::plain(head).with(verdict_style(p), verdict)
    };
    properties.iter().map(line).collect()
}

/// `property 1: always turnCount <= 9, holds now`
pub(crate) fn new_property_line(p: &PropertyInfo) -> Line {
    let name = p.property.name();
    let head = Line::plain(format!("property {}: {name} ", p.id)).with(Style::Strong, &p.text);
    let text = match (p.property, p.now) {
        (PropertyKind::Sometimes, _) => verdict_text(p),
        (_, None) => match &p.function {
            Some(function) => format!("checked at the questions of {function}"),
            None => "cannot be checked now".to_string(),
        },
        (kind, Some(now)) if kind.is_violated_by(now) => "violated now".to_string(),
        _ => "holds now".to_string(),
    };
    head.with(verdict_style(p), format!("   {text}"))
}

fn verdict_style(p: &PropertyInfo) -> Style {
    match (p.verdict, &p.error) {
        (PropertyVerdict::Violated, _) | (_, Some(_)) => Style::Warning,
        _ => Style::Dim,
    }
}

/// `holds so far`, `violated twice, and now`, `satisfied after click{0,2}`
fn verdict_text(p: &PropertyInfo) -> String {
    let mut text = match (p.verdict, &p.satisfied_by) {
        (PropertyVerdict::Holds, _) => "holds so far".to_string(),
        (PropertyVerdict::Open, _) => "not satisfied yet".to_string(),
        (PropertyVerdict::Satisfied, None) => "satisfied".to_string(),
        (PropertyVerdict::Satisfied, Some(entry)) => match entry.as_str() {
            "" => "satisfied at the start".to_string(),
            entry => format!(
                "satisfied after {}",
                elide(&first_line(entry), MAX_ENTRY_CHARS)
            ),
        },
        (PropertyVerdict::Violated, _) => {
            let is_violated_now = p.now.is_some_and(|now| p.property.is_violated_by(now));
            let times = match p.violations {
                0 => String::new(),
                1 => " once".to_string(),
                n => format!(" {n} times"),
            };
            match (is_violated_now, p.violations) {
                (true, 0) => "violated now".to_string(),
                (true, _) => format!("violated{times}, and now"),
                (false, _) => format!("violated{times}"),
            }
        }
    };
    if let Some(error) = &p.error {
        text.push_str(&format!("; cannot be checked now: {error}"));
    }
    if !p.is_enabled {
        text.push_str("   (disabled)");
    }
    text
}

/// `always turnCount <= 9, is violated`
pub(crate) fn violation_text(violation: &Violation) -> String {
    let head = format!("{} {}", violation.kind.name(), violation.text);
    match &violation.error {
        None => format!("{head}, is violated"),
        Some(error) => format!("{head}, cannot be checked ({error})"),
    }
}
