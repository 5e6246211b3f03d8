//! The text of a search for changes that would make something true.

use super::{MAX_SOLUTIONS_SHOWN, wrap};
use crate::answer::{ChangeTargetKind, Counterfactual, CounterfactualSearch, Line, ProposedChange};
use crate::text::count_noun;

/// Names of changed variables beyond this are only counted.
const MAX_NAMES_SHOWN: usize = 6;

pub(crate) fn search_lines(search: Option<&CounterfactualSearch>, width: usize) -> Vec<Line> {
    let Some(search) = search else {
        return Vec::new();
    };
    let texts: Vec<String> = search
        .solutions
        .iter()
        .take(MAX_SOLUTIONS_SHOWN)
        .map(counterfactual_text)
        .collect();
    if texts.is_empty() {
        return wrap(&nothing_found_text(search), width);
    }
    let mut text = format!("  it would be true if {}", texts.join("; or if "));
    match search.solutions.len() - texts.len() {
        0 => {}
        1 => text.push_str("; and 1 more possibility"),
        n => text.push_str(&format!("; and {n} more possibilities")),
    }
    wrap(&text, width)
}

/// What was tried in vain.
fn nothing_found_text(search: &CounterfactualSearch) -> String {
    let tried: usize = search.tried.iter().map(|class| class.tried).sum();
    let mut places = Vec::new();
    if search.cell_count > 0 {
        places.push(count_noun(search.cell_count, "cell", "cells"));
    }
    let names = &search.names[..search.names.len().min(MAX_NAMES_SHOWN)];
    places.extend(names.iter().cloned());
    match search.names.len() - names.len() {
        0 => {}
        n => places.push(format!("{n} more")),
    }
    let places = match places.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => places.join(""),
    };
    let rest = match search.is_complete {
        true => "",
        false => ", but not all there are",
    };
    let tried = count_noun(tried, "change", "changes");
    format!("  Tried {tried} of {places}{rest}; none makes it true")
}

/// A change as the rest of a sentence that starts with `it would be true if`.
fn counterfactual_text(counterfactual: &Counterfactual) -> String {
    match counterfactual {
        Counterfactual::Together { changes } => together_text(changes),
        Counterfactual::EveryCell {
            current,
            new,
            cells,
        } => {
            let is_visibility = matches!(current.as_str(), "hidden" | "visible");
            let piece = if is_visibility { " piece" } else { "" };
            format!(
                "every {current}{piece} were {new} (there are {})",
                cells.len()
            )
        }
    }
}

/// `[0][1] and [0][2] were X` for several cells, `x were 1 (it is 2), and y were 3 (it is 4)` for
/// anything else.
fn together_text(changes: &[ProposedChange]) -> String {
    let is_cell = |c: &ProposedChange| c.target == ChangeTargetKind::Cell;
    match changes {
        [first @ .., last] if !first.is_empty() && changes.iter().all(is_cell) => {
            let names: Vec<&str> = first.iter().map(|c| c.name.as_str()).collect();
            format!("{} and {} were {}", names.join(", "), last.name, last.new)
        }
        _ => {
            let text =
                |c: &ProposedChange| format!("{} were {} (it is {})", c.name, c.new, c.current);
            let texts: Vec<String> = changes.iter().map(text).collect();
            texts.join(", and ")
        }
    }
}
