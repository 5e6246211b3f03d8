//! Where the items of a program are written in a text that has some of them already: which ones stay
//! in their place, and next to which ones the others are added.

use super::ProgramItem;
use std::collections::{HashMap, HashSet};

/// Next to what items are added.
#[derive(Clone, Copy, PartialEq)]
pub enum Anchor<'i> {
    /// After an item of the text, or after what replaces it.
    After(&'i ProgramItem),
    /// Before an item of the text.
    Before(&'i ProgramItem),
    /// At the end of the text, which has no items.
    End,
}

/// The places of the items of a program in a text.
pub struct Places<'i> {
    /// The keys of the items that stay in their place.
    kept: HashSet<&'i str>,
    /// The other items, in their order, with the place of each run of them.
    pub additions: Vec<(Anchor<'i>, Vec<&'i ProgramItem>)>,
}

impl<'i> Places<'i> {
    /// The places of `items`, in the order of the program, in a text with `base_items`.
    pub fn of(base_items: &'i [ProgramItem], items: &'i [ProgramItem]) -> Places<'i> {
        let base: HashMap<&str, &ProgramItem> =
            base_items.iter().map(|i| (i.key.as_str(), i)).collect();
        let mut sections: Vec<u8> = items.iter().map(|item| item.section).collect();
        sections.sort_unstable();
        sections.dedup();
        let mut places = Places {
            kept: HashSet::new(),
            additions: Vec::new(),
        };
        let of_section = |section: u8| {
            let items = items.iter().filter(move |item| item.section == section);
            items.collect::<Vec<_>>()
        };
        for &section in &sections {
            let kept = kept_in_order(&of_section(section), base_items, &base);
            places.kept.extend(kept);
        }
        for section in sections {
            places.add_section(&of_section(section), base_items, &base);
        }
        places
    }

    /// Whether an item of the text, or what replaces it, stays in its place.
    pub fn is_kept(&self, item: &ProgramItem) -> bool {
        self.kept.contains(item.key.as_str())
    }

    /// Adds the items of a section that are not kept: after the kept item before them, before the
    /// one after them, or after the last item of an earlier section.
    fn add_section(
        &mut self,
        items: &[&'i ProgramItem],
        base_items: &'i [ProgramItem],
        base: &HashMap<&'i str, &'i ProgramItem>,
    ) {
        let place = |item: &ProgramItem| base.get(item.key.as_str()).copied();
        let mut previous = None;
        for (n, item) in items.iter().enumerate() {
            if self.is_kept(item) {
                previous = place(item);
                continue;
            }
            let next = || items[n..].iter().find(|item| self.is_kept(item));
            let anchor = match previous {
                Some(previous) => Anchor::After(previous),
                None => match next().and_then(|next| place(next)) {
                    Some(next) => Anchor::Before(next),
                    None => self.default_anchor(item, base_items),
                },
            };
            match self.additions.iter_mut().find(|(of, _)| *of == anchor) {
                Some((_, additions)) => additions.push(item),
                None => self.additions.push((anchor, vec![item])),
            }
        }
    }

    /// After the last item of an earlier section, or before everything.
    fn default_anchor(&self, item: &ProgramItem, base_items: &'i [ProgramItem]) -> Anchor<'i> {
        let kept = || base_items.iter().filter(|item| self.is_kept(item));
        let earlier = kept()
            .filter(|other| other.section <= item.section)
            .max_by_key(|other| (other.section, other.span.end));
        let first = kept().min_by_key(|other| other.span.start);
        earlier
            .map(Anchor::After)
            .or(first.map(Anchor::Before))
            .unwrap_or(Anchor::End)
    }
}

/// The keys of the items of a section that can stay where they are in the text, so that their order
/// there is that of the program. What has not changed always stays.
fn kept_in_order<'i>(
    items: &[&'i ProgramItem],
    base_items: &[ProgramItem],
    base: &HashMap<&str, &ProgramItem>,
) -> Vec<&'i str> {
    let mut in_text: Vec<&ProgramItem> = base_items.iter().collect();
    in_text.sort_by_key(|item| item.span.start);
    let keys = in_text.iter().map(|item| item.key.as_str());
    let positions: HashMap<&str, usize> = keys.zip(0..).collect();
    let position = |item: &ProgramItem| positions.get(item.key.as_str()).copied();
    let is_unchanged = |item: &ProgramItem| {
        let old = base.get(item.key.as_str());
        old.is_some_and(|old| old.span == item.span)
    };
    let mut kept = Vec::new();
    let mut next_free = 0;
    // Items of one statement stay together, so what is added between them goes after the statement.
    let mut closed_statement = None;
    let mut last_statement = None;
    for (n, item) in items.iter().enumerate() {
        let Some(at) = position(item) else {
            closed_statement = last_statement;
            continue;
        };
        let statement = base.get(item.key.as_str()).map(|old| old.span);
        let next = items[n..].iter().find(|item| is_unchanged(item));
        let is_before_next = next
            .and_then(|next| position(next))
            .is_none_or(|next| at <= next);
        let is_open = closed_statement.is_none() || closed_statement != statement;
        if is_unchanged(item) || next_free <= at && is_before_next && is_open {
            kept.push(item.key.as_str());
            next_free = at + 1;
            last_statement = statement;
        } else {
            closed_statement = last_statement;
        }
    }
    kept
}
