//! The parts of an answer, with their text once it has been rendered: a transcript and a client show the
//! same lines.

use super::{Line, Part};
use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Who reads a text, which decides what it can advise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Someone who can type commands.
    Prompt,
    /// Someone who typed a subcommand of gridbug in a shell.
    Shell(Subcommand),
}

/// How a search was started in a shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subcommand {
    /// `gridbug find FILE GOAL`
    Find,
    /// `gridbug explore FILE`, which has the option `--turn`.
    Explore,
    /// Another one.
    Other,
}

/// The space that text may use, and who reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// Columns of the screen.
    pub screen: usize,
    /// Columns for the text of a stop, which may have the board beside it.
    pub stop: usize,
    /// Only ASCII characters are printed.
    pub is_ascii: bool,
    /// Who reads it.
    pub audience: Audience,
}

impl Width {
    /// The same width for everything.
    pub const fn of(columns: usize) -> Width {
        Width {
            screen: columns,
            stop: columns,
            is_ascii: false,
            audience: Audience::Prompt,
        }
    }

    /// The same width for another audience.
    pub const fn with_audience(self, audience: Audience) -> Width {
        Width { audience, ..self }
    }

    /// Columns of an ellipsis, which is printed as `...` in ASCII.
    pub const fn ellipsis_columns(self) -> usize {
        if self.is_ascii { 3 } else { 1 }
    }
}

/// A list of parts. Changing it forgets its text.
#[derive(Clone, Default)]
pub struct PartList {
    parts: Vec<Part>,
    /// The width for which the text was rendered last, and the text.
    rendered: RefCell<Option<(Width, Rc<[Line]>)>>,
}

impl PartList {
    /// The text for a width: the known one, or else what `render` makes of the parts.
    pub fn rendered(&self, width: Width, render: impl FnOnce(&[Part]) -> Vec<Line>) -> Rc<[Line]> {
        let is_same = |(known, _): &&(Width, Rc<[Line]>)| *known == width;
        if let Some((_, lines)) = self.rendered.borrow().as_ref().filter(is_same) {
            return lines.clone();
        }
        let lines: Rc<[Line]> = render(&self.parts).into();
        self.rendered.replace(Some((width, lines.clone())));
        lines
    }
}

impl Deref for PartList {
    type Target = Vec<Part>;

    fn deref(&self) -> &Vec<Part> {
        &self.parts
    }
}

impl DerefMut for PartList {
    fn deref_mut(&mut self) -> &mut Vec<Part> {
        *self.rendered.get_mut() = None;
        &mut self.parts
    }
}

impl From<Vec<Part>> for PartList {
    fn from(parts: Vec<Part>) -> PartList {
        PartList {
            parts,
            rendered: RefCell::default(),
        }
    }
}

impl FromIterator<Part> for PartList {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> PartList {
        PartList::from(Vec::from_iter(parts))
    }
}

impl IntoIterator for PartList {
    type Item = Part;
    type IntoIter = std::vec::IntoIter<Part>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.into_iter()
    }
}

impl<'a> IntoIterator for &'a PartList {
    type Item = &'a Part;
    type IntoIter = std::slice::Iter<'a, Part>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.iter()
    }
}

impl<'a> IntoIterator for &'a mut PartList {
    type Item = &'a mut Part;
    type IntoIter = std::slice::IterMut<'a, Part>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for PartList {
    fn eq(&self, other: &PartList) -> bool {
        self.parts == other.parts
    }
}

impl fmt::Debug for PartList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_rendered_once_until_a_part_changes() {
        let mut parts = PartList::from(vec![Part::Line("a".into())]);
        let mut renderings = 0;
        let mut texts = |parts: &PartList, screen: usize| {
            let lines = parts.rendered(Width::of(screen), |parts| {
                renderings += 1;
                let line = |part: &Part| match part {
                    Part::Line(line) => line.clone(),
                    _ => Line::default(),
                };
                parts.iter().map(line).collect()
            });
            let texts: Vec<String> = lines.iter().map(Line::text).collect();
            (texts.join(" "), renderings)
        };
        assert_eq!(texts(&parts, 80), ("a".into(), 1));
        assert_eq!(texts(&parts, 80), ("a".into(), 1));
        assert_eq!(texts(&parts.clone(), 80), ("a".into(), 1));
        parts.push(Part::Line("b".into()));
        assert_eq!(texts(&parts, 80), ("a b".into(), 2));
        assert_eq!(texts(&parts, 40), ("a b".into(), 3));
        for part in &mut parts {
            *part = Part::Line("c".into());
        }
        assert_eq!(texts(&parts, 40), ("c c".into(), 4));
    }
}
