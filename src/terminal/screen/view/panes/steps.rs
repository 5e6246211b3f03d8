//! An expression that is evaluated step by step: the statement with the values known so far, one row
//! for each step.

use crate::answer::{Evaluation, Substitution};
use crate::render::change_texts;
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::text::Text;
use crate::terminal::screen::canvas::{Area, Canvas};

/// What the pane shows.
#[derive(Clone, Debug, Default)]
pub struct StepsPane {
    /// Where the statement is: `winCondition, line 36`.
    pub place: String,
    rows: Vec<Text>,
    /// What the statement did, and what has not run yet.
    notes: Vec<Text>,
    /// The cells that it has read, row and column counted from 0.
    pub read: Vec<(u32, u32)>,
}

/// Changes that are named.
const MAX_CHANGES: usize = 3;

/// The evaluation of a statement.
pub fn steps_pane(evaluation: &Evaluation) -> StepsPane {
    let mut rows = Vec::new();
    rows.extend(
        evaluation
            .steps
            .first()
            .map(|step| substituted(&step.before)),
    );
    rows.extend(
        evaluation
            .steps
            .iter()
            .map(|step| substituted(&step.substituted)),
    );
    let mut notes = Vec::new();
    if let Some(effect) = &evaluation.effect {
        if rows.is_empty() {
            rows.push(substituted(&effect.substituted));
        }
        let changed = |text: String| Text::new(Look::new(Ink::Changed).bold(), text);
        notes.extend(
            effect
                .returned
                .iter()
                .map(|r| changed(format!("{} returns {}", r.function, r.value))),
        );
        notes.extend(
            effect
                .variables
                .iter()
                .map(|v| changed(format!("{}: {} => {}", v.name, v.old, v.new))),
        );
        notes.extend(
            change_texts(&effect.changes, MAX_CHANGES)
                .into_iter()
                .map(changed),
        );
    }
    if !evaluation.reads.is_empty() {
        let reads = evaluation
            .reads
            .iter()
            .map(|v| format!("{} is {}", v.name, v.value));
        let reads: Vec<String> = reads.collect();
        notes.push(Text::new(
            Look::PLAIN,
            format!("where {}", reads.join(", ")),
        ));
    }
    if let Some(branch) = &evaluation.branch {
        let code = crate::text::code_on_one_line(&branch.text);
        notes.push(Text::new(Look::PLAIN, "so: ").with(Look::BOLD, code));
    }
    if evaluation.is_partial {
        notes.push(Text::new(Look::DIM, "e evaluates the next part"));
    }
    let cells = evaluation.steps.iter().filter_map(|step| step.cell);
    StepsPane {
        place: format!(
            "{}, line {}",
            evaluation.function, evaluation.statement.range.line
        ),
        rows,
        notes,
        read: cells.collect(),
    }
}

/// A statement on one line, with the part that was evaluated marked.
fn substituted(substitution: &Substitution) -> Text {
    let (text, marked) = substitution.to_text(crate::text::code_on_one_line);
    let chars: Vec<char> = text
        .chars()
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { c })
        .collect();
    let part = |range: std::ops::Range<usize>| -> String {
        chars.get(range).unwrap_or_default().iter().collect()
    };
    let value = Look::new(Ink::Now).bold().underlined();
    Text::new(Look::PLAIN, part(0..marked.start))
        .with(value, part(marked.clone()))
        .with(Look::PLAIN, part(marked.end..chars.len()))
}

impl StepsPane {
    /// The rows of the pane: steps that fit into a row stay one, the last one is shown whole.
    fn all_rows(&self, width: usize) -> Vec<Text> {
        let last = self.rows.len().saturating_sub(1);
        let rows = self
            .rows
            .iter()
            .enumerate()
            .flat_map(|(n, row)| match n == last {
                true => row.wrapped(width, 4),
                false => vec![row.clone()],
            });
        let notes = self.notes.iter().flat_map(|note| note.wrapped(width, 4));
        rows.chain(notes).collect()
    }

    /// Rows that show all of it.
    pub fn wanted_rows(&self, width: usize) -> usize {
        self.all_rows(width).len()
    }

    /// How many rows are above those that are shown.
    pub fn rows_above(&self, area: Area) -> usize {
        self.wanted_rows(area.width).saturating_sub(area.height)
    }

    /// Draws the pane. If there are too many steps, the last ones.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let rows = self.all_rows(area.width);
        let above = rows.len().saturating_sub(area.height);
        for (n, row) in rows[above..].iter().enumerate() {
            canvas.line((area.left, area.top + n), area.width, row);
        }
    }
}
