//! What asks for an answer, above everything else: a step of a lesson, an exercise, a prediction, a
//! question of the program.

use crate::answer::{LessonProgress, PredictionQuestion};
use crate::terminal::screen::canvas::look::{Ink, Look};
use crate::terminal::screen::canvas::text::Text;
use crate::terminal::screen::canvas::{Area, Canvas};

/// What the card shows.
#[derive(Clone, Debug, Default)]
pub struct Card {
    pub title: String,
    /// Paragraphs, from the top.
    paragraphs: Vec<Text>,
    /// What to do, which is always visible.
    actions: Vec<Text>,
}

impl Card {
    /// A step of a lesson.
    pub fn of_lesson(title: String, progress: &LessonProgress) -> Card {
        let mut paragraphs = paragraphs(&progress.remarks);
        let mut actions = Vec::new();
        let key = Look::new(Ink::Focus).bold();
        match (&progress.next, &progress.exercise) {
            (Some(input), _) => {
                let lines = input.lines().enumerate();
                actions.extend(lines.map(|(n, line)| {
                    let start = if n == 0 {
                        "Enter runs  "
                    } else {
                        "            "
                    };
                    Text::new(key, start).with(Look::BOLD, line)
                }));
            }
            (None, Some(task)) => {
                paragraphs.extend(self::paragraphs(&task.text));
                let left = task.hint_count.saturating_sub(task.hints_given);
                let hints = match (left, task.is_solution_shown) {
                    (_, true) => String::new(),
                    (0, false) => "   :solution shows it".to_string(),
                    (n, false) => format!("   :hint ({n} left)"),
                };
                actions.push(
                    Text::new(Look::DIM, "Type the code of the exercise; ")
                        .with(key, "Enter alone checks it")
                        .with(Look::DIM, hints),
                );
            }
            (None, None) => {
                let next = progress.following.as_ref();
                let next = next.map(|lesson| format!("The next one is :lesson {lesson}"));
                let text = "The lesson ends here. Go on playing, or :lesson 1 starts again";
                paragraphs.push(Text::new(Look::PLAIN, text));
                paragraphs.extend(next.map(|text| Text::new(Look::BOLD, text)));
            }
        }
        Card {
            title: match progress.number > progress.count {
                true => format!("{title}  finished"),
                false => format!("{title}  {}/{}", progress.number, progress.count),
            },
            paragraphs,
            actions,
        }
    }

    /// The question of a prediction, in front of the step that it is about.
    pub fn of_prediction(title: String, question: &PredictionQuestion) -> Card {
        let mut actions = Vec::new();
        let key = Look::new(Ink::Focus).bold();
        let is_short = question.choices.iter().all(|c| c.text.chars().count() < 20);
        let mut row = Text::default();
        for choice in &question.choices {
            let choice = Text::new(key, format!("{} ", choice.answer))
                .with(Look::PLAIN, format!("{}   ", choice.text));
            match is_short {
                true => row.0.extend(choice.0),
                false => actions.push(choice),
            }
        }
        if is_short && !row.0.is_empty() {
            actions.push(row);
        }
        let how = match question.choices.is_empty() {
            true => "Type the answer; Enter alone skips the question",
            false => "Press a number, or type the answer; Enter alone skips the question",
        };
        actions.push(Text::new(Look::DIM, how));
        Card {
            title,
            paragraphs: vec![Text::new(Look::BOLD, format!("? {}", question.text))],
            actions,
        }
    }

    /// A question of the program.
    pub fn of_question(text: &str, has_cells: bool) -> Card {
        let lines = text.lines().map(|line| Text::new(Look::BOLD, line));
        let how = match has_cells {
            true => "Choose a cell, or type the answer and Enter",
            false => "Type the answer and Enter",
        };
        Card {
            title: "The program asks".to_string(),
            paragraphs: lines.collect(),
            actions: vec![Text::new(Look::DIM, how)],
        }
    }

    fn rows(&self, texts: &[Text], width: usize) -> Vec<Text> {
        texts
            .iter()
            .flat_map(|text| text.wrapped(width, 0))
            .collect()
    }

    /// Rows that show all of it.
    pub fn wanted_rows(&self, width: usize) -> usize {
        self.rows(&self.paragraphs, width).len() + self.rows(&self.actions, width).len()
    }

    /// Draws the card. What to do is always visible; of a text that is too long, the rest is counted.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let actions = self.rows(&self.actions, area.width);
        let actions = &actions[..actions.len().min(area.height)];
        let mut rows = self.rows(&self.paragraphs, area.width);
        let room = area.height - actions.len();
        if rows.len() > room {
            let hidden = rows.len() - room.saturating_sub(1);
            rows.truncate(room.saturating_sub(1));
            let text = format!("{} {hidden} more rows: ? shows them", canvas.symbols.cut);
            rows.extend((room > 0).then(|| Text::new(Look::DIM, text)));
        }
        for (n, row) in rows.iter().chain(actions).enumerate() {
            canvas.line((area.left, area.top + n), area.width, row);
        }
    }

    /// The whole text, for a screen that is too small for it.
    pub fn lines(&self) -> Vec<String> {
        let all = self.paragraphs.iter().chain(&self.actions);
        all.map(Text::plain).collect()
    }
}

/// Lines that belong together as one text each; blank lines separate them.
fn paragraphs(lines: &[String]) -> Vec<Text> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut is_new = true;
    for line in lines {
        if line.is_empty() {
            is_new = true;
            continue;
        }
        // What is indented is code.
        match paragraphs.last_mut() {
            Some(last) if !is_new && !line.starts_with(' ') => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(line.clone()),
        }
        is_new = line.starts_with(' ');
    }
    paragraphs
        .into_iter()
        .map(|text| Text::new(Look::PLAIN, text))
        .collect()
}
