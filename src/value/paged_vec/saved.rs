//! Returning to the same content again and again, with buffers that are used again.
//!
//! A search puts a position into the store and runs one action after the other from it. Unlike a
//! snapshot, saving the content allocates nothing once the buffers are large enough, and restoring it
//! copies only the pages that were written.

use super::{PAGE_BITS, PAGE_LEN, PagedVec};
use std::ops::Range;

/// The content of a [`PagedVec`], as far as it differs from its most recent snapshot.
#[derive(Debug)]
pub(in crate::value) struct SavedPages<T> {
    len: usize,
    /// The pages that had been written, in the order of `PagedVec::dirty`.
    pages: Vec<u32>,
    /// The content of these pages, one after the other.
    items: Vec<T>,
}

impl<T> Default for SavedPages<T> {
    fn default() -> Self {
        SavedPages {
            len: 0,
            pages: Vec::new(),
            items: Vec::new(),
        }
    }
}

/// The items of a page.
fn page_range(page: u32, len: usize) -> Range<usize> {
    let start = (page as usize) << PAGE_BITS;
    start..len.min(start + PAGE_LEN)
}

impl<T: Clone> PagedVec<T> {
    /// Saves the content, replacing what was saved before.
    pub(in crate::value) fn save(&self, saved: &mut SavedPages<T>) {
        saved.len = self.data.len();
        saved.pages.clone_from(&self.dirty);
        saved.items.clear();
        for &page in &self.dirty {
            let items = &self.data[page_range(page, saved.len)];
            saved.items.extend_from_slice(items);
        }
    }

    /// Returns to the content that was saved. No snapshot may have been taken or restored since. Returns
    /// whether it could be done; otherwise the content is undefined until a snapshot is restored.
    pub(in crate::value) fn restore_saved(&mut self, saved: &SavedPages<T>) -> bool {
        if self.data.len() > saved.len {
            self.data.truncate(saved.len);
            self.sync_page_count();
        }
        // Shrinking drops written pages from the list, so that their order may have changed.
        if self.data.len() < saved.len || !self.dirty.starts_with(&saved.pages) {
            return false;
        }
        let mut from = 0;
        for &page in &saved.pages {
            let items = &mut self.data[page_range(page, saved.len)];
            let count = items.len();
            items.clone_from_slice(&saved.items[from..from + count]);
            from += count;
        }
        // These pages have been written since, and were as in the snapshot before.
        for n in saved.pages.len()..self.dirty.len() {
            let page = self.dirty[n];
            self.written[page as usize] = false;
            let data = &mut self.data[page_range(page, saved.len)];
            match self.snapshot.page(page as usize) {
                Some(items) if items.len() == data.len() => data.clone_from_slice(items),
                _ => return false,
            }
        }
        self.dirty.truncate(saved.pages.len());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever was written, the saved content is back, and the snapshot before it is not lost.
        #[test]
        fn restoring_saved_pages_is_exact(
            len in 1..500usize,
            before in prop::collection::vec((0..500usize, any::<u8>()), 0..20),
            runs in prop::collection::vec(
                (prop::collection::vec((0..600usize, any::<u8>()), 0..20), 0..100usize, any::<bool>()), 1..5),
        ) {
            let mut items = PagedVec::default();
            items.reset(len, 0u8);
            let (base, _) = items.snapshot();
            let base_content = items.as_slice().to_vec();
            for (at, value) in before {
                items.set(at, value);
            }
            let content = items.as_slice().to_vec();
            let mut saved = SavedPages::default();
            items.save(&mut saved);
            for (writes, pushes, resets) in runs {
                if resets {
                    items.reset(len, 7);
                }
                for n in 0..pushes {
                    items.push(n as u8);
                }
                for (at, value) in writes {
                    items.set(at, value);
                }
                prop_assert!(items.restore_saved(&saved));
                prop_assert_eq!(items.as_slice(), &content[..]);
            }
            items.restore(&base);
            prop_assert_eq!(items.as_slice(), &base_content[..]);
        }
    }

    #[test]
    fn content_that_became_shorter_is_refused() {
        let mut items = PagedVec::default();
        items.reset(200, 1u8);
        items.snapshot();
        let mut saved = SavedPages::default();
        items.save(&mut saved);
        items.resize(10, 0);
        assert!(!items.restore_saved(&saved));
    }
}
