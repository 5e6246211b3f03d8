//! The text of why a click does nothing.

use super::{location_text, wrap};
use crate::answer::{ClickEffect, Line, UntakenBranch};
use crate::render::stopped::changes::change_texts;

/// Skipped clicks beyond this are left out.
const MAX_SKIPPED_SHOWN: usize = 3;
/// Changes beyond this are only counted.
const MAX_CLICK_CHANGES_SHOWN: usize = 4;
/// Branches beyond this are left out.
const MAX_BRANCHES_SHOWN: usize = 6;

pub(super) fn click_lines(cell: &str, effect: &ClickEffect, width: usize) -> Vec<Line> {
    let text = match effect {
        ClickEffect::NoPiece => {
            format!("There is no piece at {cell}, so nothing handles the click")
        }
        ClickEffect::GameOver { status } => format!(
            "The game is over ({status}), so clicks do nothing; try `:undo` or `:restart`"
        ),
        ClickEffect::AlreadyClicked => {
            "This piece has already handled a click in this action; further clicks on it are skipped"
                .to_string()
        }
        ClickEffect::NoHandler { piece } => {
            format!("The piece \"{piece}\" has no onClick handler")
        }
        ClickEffect::NoChange {
            piece,
            is_empty,
            branches,
            skipped_cells,
        } => {
            let effect = if *is_empty {
                "is empty"
            } else {
                "runs, but changes nothing"
            };
            let mut lines = vec![format!("{piece}.onClick {effect}").into()];
            lines.extend(branches.iter().take(MAX_BRANCHES_SHOWN).map(branch_line));
            let skipped = skipped_cells.iter().take(MAX_SKIPPED_SHOWN);
            lines.extend(skipped.map(|cell| skipped_click_line(cell)));
            return lines;
        }
        ClickEffect::Changes { changes } => {
            let changes = change_texts(changes, MAX_CLICK_CHANGES_SHOWN);
            let text = format!(
                "A click here would change something: {}",
                changes.join(", ")
            );
            return wrap(&text, width);
        }
    };
    vec![text.into()]
}

fn skipped_click_line(cell: &str) -> Line {
    format!("  its click on {cell} is skipped: that piece has already handled one in this action")
        .into()
}

/// `  line 8 of game.gl: x = 1 is false; x is 2: that branch is not taken`
fn branch_line(branch: &UntakenBranch) -> Line {
    let location = location_text(branch.range.as_ref());
    let part = branch.part.as_ref();
    let value = part.map_or_else(String::new, |p| format!("; {} is {}", p.name, p.value));
    let test = &branch.test;
    format!("  {location}: {test} is false{value}: that branch is not taken").into()
}
