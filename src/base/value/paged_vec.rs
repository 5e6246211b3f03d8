//! A vector with cheap snapshots.
//!
//! Reads are plain vector reads. A write checks one flag: was this page already written since the
//! last snapshot? Taking a snapshot copies the pages written since the previous one and shares all
//! others. Restoring any snapshot, earlier or later, copies only the pages that differ.
//!
//! ```text
//! saved  returning to the same content again and again, with buffers that are used again
//! ```

use std::rc::Rc;

/// Pages are small, because a typical action changes a single cell and every page it touches is
/// copied for the next snapshot.
const PAGE_BITS: usize = 6;
const PAGE_LEN: usize = 1 << PAGE_BITS;
/// Pages per chunk. Two levels let snapshots of a large board share most of the page table, too.
const PAGES_PER_CHUNK: usize = 128;

type Page<T> = Rc<[T]>;
type Chunk<T> = Rc<Vec<Page<T>>>;

/// The content of a [`PagedVec`] at one point in time.
#[derive(Debug)]
pub(super) struct Snapshot<T> {
    pages: Pages<T>,
    len: usize,
}

/// The pages of a snapshot. What fits in one page, as a small board does, needs a single allocation.
#[derive(Debug)]
enum Pages<T> {
    One(Page<T>),
    Many(Rc<Vec<Chunk<T>>>),
}

impl<T> Pages<T> {
    fn chunks(&self) -> &[Chunk<T>] {
        match self {
            Pages::One(_) => &[],
            Pages::Many(chunks) => chunks,
        }
    }

    fn is_same(&self, other: &Pages<T>) -> bool {
        match (self, other) {
            (Pages::One(a), Pages::One(b)) => Rc::ptr_eq(a, b),
            (Pages::Many(a), Pages::Many(b)) => Rc::ptr_eq(a, b),
            (Pages::One(_), Pages::Many(_)) | (Pages::Many(_), Pages::One(_)) => false,
        }
    }
}

impl<T> Clone for Snapshot<T> {
    fn clone(&self) -> Self {
        Snapshot {
            pages: match &self.pages {
                Pages::One(page) => Pages::One(page.clone()),
                Pages::Many(chunks) => Pages::Many(chunks.clone()),
            },
            len: self.len,
        }
    }
}

impl<T> Snapshot<T> {
    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The item at an index, if there is one.
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        self.page(index >> PAGE_BITS)?.get(index & (PAGE_LEN - 1))
    }

    fn page(&self, page: usize) -> Option<&Page<T>> {
        match &self.pages {
            Pages::One(only) => (page == 0).then_some(only),
            Pages::Many(chunks) => chunks
                .get(page / PAGES_PER_CHUNK)?
                .get(page % PAGES_PER_CHUNK),
        }
    }

    /// The only page, if there is no more than one.
    fn only_page(&self) -> Option<&Page<T>> {
        match &self.pages {
            Pages::One(page) => Some(page),
            Pages::Many(_) => None,
        }
    }
}

/// Estimated overhead of an allocation: the counts of the `Rc` and the allocator's header.
const ALLOCATION_OVERHEAD_BYTES: usize = 64;

/// Size of a chunk's page table.
fn table_bytes<T>(chunk: &Chunk<T>) -> usize {
    chunk.len() * size_of::<Page<T>>() + ALLOCATION_OVERHEAD_BYTES
}

impl<T> Snapshot<T> {
    /// The items of pages that `other` does not share, each with the one that it has in its place.
    pub(super) fn unshared_items<'a>(
        &'a self,
        other: Option<&'a Snapshot<T>>,
    ) -> impl Iterator<Item = (&'a T, Option<&'a T>)> {
        let pages = self.unshared_pages(other);
        pages.flat_map(move |(page, items)| {
            let indices = page * PAGE_LEN..;
            items.iter().zip(indices.map(move |n| other?.get(n)))
        })
    }

    /// The pages that `other` does not share, with their numbers.
    fn unshared_pages<'a>(
        &'a self,
        other: Option<&'a Snapshot<T>>,
    ) -> impl Iterator<Item = (usize, &'a [T])> {
        let in_chunks = self.unshared_chunks(other).flat_map(move |(n, chunk)| {
            let theirs = other.and_then(|other| other.pages.chunks().get(n));
            let theirs = theirs.map_or(&[][..], |c| c.as_slice());
            let unshared = chunk
                .iter()
                .enumerate()
                .filter(|(n, p)| theirs.get(*n).is_none_or(|q| !Rc::ptr_eq(p, q)));
            unshared.map(move |(page, items)| (n * PAGES_PER_CHUNK + page, &**items))
        });
        let only = self
            .only_page()
            .filter(|_| !other.is_some_and(|other| self.pages.is_same(&other.pages)));
        in_chunks.chain(only.map(|items| (0, &**items)))
    }

    fn unshared_chunks<'a>(
        &'a self,
        other: Option<&'a Snapshot<T>>,
    ) -> impl Iterator<Item = (usize, &'a Chunk<T>)> {
        let shares_all = other.is_some_and(|other| self.pages.is_same(&other.pages));
        let theirs = other.map_or(&[][..], |other| other.pages.chunks());
        let unshared =
            |(n, chunk): &(usize, &Chunk<T>)| theirs.get(*n).is_none_or(|c| !Rc::ptr_eq(c, chunk));
        self.pages
            .chunks()
            .iter()
            .enumerate()
            .filter(move |_| !shares_all)
            .filter(unshared)
    }

    /// Number of bytes held by this snapshot but not by `other`; all of them without `other`.
    pub(super) fn unshared_bytes(&self, other: Option<&Snapshot<T>>) -> usize {
        let tables: usize = self
            .unshared_chunks(other)
            .map(|(_, chunk)| table_bytes(chunk))
            .sum();
        let pages: usize = self
            .unshared_pages(other)
            .map(|(_, items)| size_of_val(items) + ALLOCATION_OVERHEAD_BYTES)
            .sum();
        tables + pages
    }
}

impl<T: PartialEq> Snapshot<T> {
    /// Indices of the elements that differ. Skips pages that are shared.
    pub(super) fn changed_indices(&self, other: &Snapshot<T>) -> Vec<usize> {
        let mut changed = Vec::new();
        let pages = self.len.max(other.len).div_ceil(PAGE_LEN);
        for page in 0..pages {
            match (self.page(page), other.page(page)) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) || a == b => {}
                (a, b) => {
                    let differs =
                        |n: &usize| a.and_then(|p| p.get(*n)) != b.and_then(|p| p.get(*n));
                    changed.extend((0..PAGE_LEN).filter(differs).map(|n| page * PAGE_LEN + n));
                }
            }
        }
        changed
    }
}

impl<T: PartialEq> PartialEq for Snapshot<T> {
    fn eq(&self, other: &Self) -> bool {
        let has_same_chunks = || {
            let chunks = self.pages.chunks().iter().zip(other.pages.chunks());
            chunks.into_iter().all(|(a, b)| {
                let has_same_pages = || {
                    let mut pages = a.iter().zip(b.iter());
                    pages.all(|(p, q)| Rc::ptr_eq(p, q) || p == q)
                };
                Rc::ptr_eq(a, b) || has_same_pages()
            })
        };
        // Of the same length, both have one page or both have chunks.
        self.len == other.len
            && (self.pages.is_same(&other.pages)
                || (self.only_page() == other.only_page() && has_same_chunks()))
    }
}

/// A vector with cheap snapshots; see the module documentation.
#[derive(Debug)]
pub struct PagedVec<T> {
    data: Vec<T>,
    /// For each page, whether it was written since `snapshot` was taken.
    written: Vec<bool>,
    /// The indices of these pages.
    dirty: Vec<u32>,
    /// The snapshot taken or restored last.
    snapshot: Snapshot<T>,
}

impl<T: Clone> Default for PagedVec<T> {
    fn default() -> Self {
        PagedVec {
            data: Vec::new(),
            written: Vec::new(),
            dirty: Vec::new(),
            snapshot: Snapshot {
                pages: Pages::One(Rc::new([])),
                len: 0,
            },
        }
    }
}

impl<T: Clone> PagedVec<T> {
    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// True if there are no items.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// All items.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// The item at an index, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.data.get(index)
    }

    /// Writes one element; ignores an index past the end.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        if let Some(slot) = self.get_mut(index) {
            *slot = value;
        }
    }

    /// Writes one element if its page was already written since the last snapshot; otherwise returns false.
    /// Unlike [`PagedVec::set`], this never calls anything, so that callers need not save registers.
    #[inline(always)]
    pub fn set_if_written(&mut self, index: usize, value: T) -> bool {
        match (
            self.written.get(index >> PAGE_BITS),
            self.data.get_mut(index),
        ) {
            (Some(true), Some(slot)) => {
                *slot = value;
                true
            }
            _ => false,
        }
    }

    /// Access for writing; marks the page as written.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let page = index >> PAGE_BITS;
        match self.written.get(page) {
            Some(true) => {}
            Some(false) => self.mark_dirty(page),
            None => return None,
        }
        self.data.get_mut(index)
    }

    #[cold]
    fn mark_dirty(&mut self, page: usize) {
        self.written[page] = true;
        self.dirty.push(page as u32);
    }

    /// Appends an item.
    pub fn push(&mut self, value: T) {
        self.data.push(value);
        self.sync_page_count();
        let page = (self.data.len() - 1) >> PAGE_BITS;
        if !self.written[page] {
            self.mark_dirty(page);
        }
    }

    /// Changes the length; new elements are `value`.
    pub fn resize(&mut self, len: usize, value: T) {
        let from = self.data.len().min(len);
        self.data.resize(len, value);
        self.sync_page_count();
        for page in from >> PAGE_BITS..self.written.len() {
            if !self.written[page] {
                self.mark_dirty(page);
            }
        }
    }

    /// Replaces the content by `len` copies of `value`.
    pub fn reset(&mut self, len: usize, value: T) {
        self.data.clear();
        self.resize(len, value);
    }

    /// Drops the items after the first `len`. The last page that stays is not marked as written: the
    /// caller restores it.
    fn truncate(&mut self, len: usize) {
        self.data.truncate(len);
        self.sync_page_count();
    }

    /// Adjusts the flags to the number of pages after a change of the length.
    fn sync_page_count(&mut self) {
        let pages = self.data.len().div_ceil(PAGE_LEN);
        if self.written.len() > pages {
            self.written.truncate(pages);
            self.dirty.retain(|&p| (p as usize) < pages);
        } else {
            self.written.resize(pages, false);
        }
    }

    /// The elements of all pages that the next snapshot will copy, each with the one that the last
    /// snapshot has in its place.
    pub(super) fn dirty_items(&self) -> impl Iterator<Item = (&T, Option<&T>)> {
        let page = |&page: &u32| {
            let first = page as usize * PAGE_LEN;
            first..self.data.len().min(first + PAGE_LEN)
        };
        let indices = self.dirty.iter().flat_map(page);
        indices.map(|n| (&self.data[n], self.snapshot.get(n)))
    }

    /// The last snapshot, if nothing has been written since.
    pub(super) fn current_snapshot(&self) -> Option<Snapshot<T>> {
        let is_current = self.dirty.is_empty() && self.snapshot.len == self.data.len();
        is_current.then(|| self.snapshot.clone())
    }

    /// A snapshot of the current content, and the number of bytes copied for it.
    pub(super) fn snapshot(&mut self) -> (Snapshot<T>, usize) {
        if let Some(current) = self.current_snapshot() {
            return (current, 0);
        }
        if self.data.len() <= PAGE_LEN {
            return self.snapshot_page();
        }
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        let mut copied = 0;
        let pages = self.written.len();
        if let Pages::One(first) = &self.snapshot.pages {
            self.snapshot.pages = Pages::Many(Rc::new(vec![Rc::new(vec![first.clone()])]));
        }
        let Pages::Many(chunks) = &mut self.snapshot.pages else {
            return (self.snapshot.clone(), 0);
        };
        let chunks = Rc::make_mut(chunks);
        copied += chunks.len() * size_of::<usize>();
        chunks.resize_with(pages.div_ceil(PAGES_PER_CHUNK), Rc::default);
        for &page in &dirty {
            let page = page as usize;
            self.written[page] = false;
            let chunk = &mut chunks[page / PAGES_PER_CHUNK];
            if Rc::strong_count(chunk) > 1 {
                copied += table_bytes(chunk);
            }
            let chunk = Rc::make_mut(chunk);
            let content: Page<T> =
                self.data[page * PAGE_LEN..self.data.len().min((page + 1) * PAGE_LEN)].into();
            copied += size_of_val(&*content) + ALLOCATION_OVERHEAD_BYTES;
            match chunk.get_mut(page % PAGES_PER_CHUNK) {
                Some(old) => *old = content,
                None => chunk.push(content),
            }
        }
        if let Some(last) = chunks.last_mut() {
            let last_pages = pages - (pages - 1) / PAGES_PER_CHUNK * PAGES_PER_CHUNK;
            if last.len() > last_pages {
                Rc::make_mut(last).truncate(last_pages);
            }
        }
        dirty.clear();
        self.dirty = dirty;
        self.snapshot.len = self.data.len();
        (self.snapshot.clone(), copied)
    }

    /// A snapshot of a vector that fits in one page.
    fn snapshot_page(&mut self) -> (Snapshot<T>, usize) {
        self.dirty.clear();
        self.written.fill(false);
        self.snapshot = Snapshot {
            pages: Pages::One(self.data.as_slice().into()),
            len: self.data.len(),
        };
        let copied = size_of_val(&*self.data) + ALLOCATION_OVERHEAD_BYTES;
        (self.snapshot.clone(), copied)
    }

    /// Restores the content of a snapshot.
    pub(super) fn restore(&mut self, snapshot: &Snapshot<T>) {
        self.restore_with(snapshot, |_, _, _| {});
    }

    /// Restores the content of a snapshot. Before each change of a range of elements, calls `on_copy`
    /// with the index of the first, the old and the new content. Changes of the length are not
    /// reported.
    pub(super) fn restore_with(
        &mut self,
        snapshot: &Snapshot<T>,
        mut on_copy: impl FnMut(usize, &[T], &[T]),
    ) {
        if self.data.len() > snapshot.len {
            self.truncate(snapshot.len);
        }
        if self.snapshot.pages.is_same(&snapshot.pages) && self.data.len() == snapshot.len {
            return self.restore_latest(on_copy);
        }
        let pages = snapshot.len.div_ceil(PAGE_LEN);
        let Some(filler) = snapshot.get(0).cloned() else {
            self.snapshot = snapshot.clone();
            return;
        };
        if self.data.len() < snapshot.len {
            // Marks the pages that are extended as written.
            self.resize(snapshot.len, filler);
        }
        for chunk in 0..pages.div_ceil(PAGES_PER_CHUNK) {
            if self.shares_chunk(chunk, snapshot) && !self.is_chunk_dirty(chunk) {
                continue;
            }
            for page in chunk * PAGES_PER_CHUNK..pages.min((chunk + 1) * PAGES_PER_CHUNK) {
                let is_unchanged = !self.written[page]
                    && matches!((self.snapshot.page(page), snapshot.page(page)), (Some(a), Some(b)) if Rc::ptr_eq(a, b));
                if let Some(from) = snapshot.page(page).filter(|_| !is_unchanged) {
                    let first = page * PAGE_LEN;
                    let to = &mut self.data[first..first + from.len()];
                    on_copy(first, to, from);
                    to.clone_from_slice(from);
                }
            }
        }
        for page in self.dirty.drain(..) {
            self.written[page as usize] = false;
        }
        self.snapshot = snapshot.clone();
    }

    /// Restores the most recent snapshot, from which only written pages differ. This is the fast
    /// path for evaluating something at every stop.
    fn restore_latest(&mut self, mut on_copy: impl FnMut(usize, &[T], &[T])) {
        for page in self.dirty.drain(..) {
            let page = page as usize;
            self.written[page] = false;
            if let Some(from) = self.snapshot.page(page) {
                let first = page * PAGE_LEN;
                let to = &mut self.data[first..first + from.len()];
                on_copy(first, to, from);
                to.clone_from_slice(from);
            }
        }
    }

    fn shares_chunk(&self, chunk: usize, snapshot: &Snapshot<T>) -> bool {
        let (mine, theirs) = (self.snapshot.pages.chunks(), snapshot.pages.chunks());
        matches!((mine.get(chunk), theirs.get(chunk)), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    fn is_chunk_dirty(&self, chunk: usize) -> bool {
        self.written[chunk * PAGES_PER_CHUNK..self.written.len().min((chunk + 1) * PAGES_PER_CHUNK)]
            .contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Op {
        Set(usize, u8),
        Push(u8),
        Resize(usize, u8),
        Fill(usize, u8),
        Snapshot,
        Restore(usize),
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            6 => (0..40_000usize, any::<u8>()).prop_map(|(i, v)| Op::Set(i, v)),
            2 => any::<u8>().prop_map(Op::Push),
            1 => (0..20_000usize, any::<u8>()).prop_map(|(n, v)| Op::Resize(n, v)),
            1 => (0..300usize, any::<u8>()).prop_map(|(n, v)| Op::Fill(n, v)),
            2 => (60..70usize, any::<u8>()).prop_map(|(n, v)| Op::Resize(n, v)),
            3 => Just(Op::Snapshot),
            3 => any::<usize>().prop_map(Op::Restore),
        ]
    }

    proptest! {
        /// Restoring a snapshot, earlier or later, is exact, whatever was written in between.
        #[test]
        fn restoring_a_snapshot_is_exact(ops in prop::collection::vec(op(), 1..60)) {
            let mut pages = PagedVec::default();
            pages.resize(9_000, 0u8);
            let mut snapshots: Vec<(Snapshot<u8>, Vec<u8>)> = Vec::new();
            for op in ops {
                match op {
                    Op::Set(i, v) => pages.set(i, v),
                    Op::Push(v) => pages.push(v),
                    Op::Resize(n, v) => pages.resize(n, v),
                    Op::Fill(n, v) => pages.reset(n, v),
                    Op::Snapshot => {
                        let snapshot = pages.snapshot().0;
                        snapshots.push((snapshot, pages.as_slice().to_vec()));
                    }
                    Op::Restore(n) if !snapshots.is_empty() => {
                        let (snapshot, content) = &snapshots[n % snapshots.len()];
                        pages.restore(snapshot);
                        prop_assert!(pages.as_slice() == &content[..]);
                    }
                    Op::Restore(_) => {}
                }
            }
            for (snapshot, content) in &snapshots {
                prop_assert_eq!(snapshot.len(), content.len());
                prop_assert!(content.iter().enumerate().all(|(i, v)| snapshot.get(i) == Some(v)));
            }
        }
    }

    #[test]
    fn unshared_bytes_count_pages_of_dropped_snapshots() {
        let mut pages = PagedVec::default();
        pages.reset(10 * PAGE_LEN, 0u64);
        let (first, _) = pages.snapshot();
        pages.set(0, 1);
        let (between, once) = pages.snapshot();
        pages.set(9 * PAGE_LEN, 1);
        let (last, twice) = pages.snapshot();
        assert_eq!(last.unshared_pages(Some(&between)).count(), 1);
        assert_eq!(last.unshared_pages(Some(&first)).count(), 2);
        assert_eq!(
            (
                first.unshared_bytes(Some(&first)),
                last.unshared_bytes(Some(&last))
            ),
            (0, 0)
        );
        // Two pages and one page table; each snapshot alone paid for its own table.
        let table = table_bytes(&last.pages.chunks()[0]);
        let chunk_list = last.pages.chunks().len() * size_of::<usize>();
        assert_eq!(
            last.unshared_bytes(Some(&first)),
            once + twice - table - 2 * chunk_list
        );
    }
}
