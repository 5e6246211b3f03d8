//! A flat vector whose past can be kept cheaply.
//!
//! Reading is reading a vector. Writing tests one flag: was this page written since the last image was
//! taken? Taking an image copies the pages written since the one before and shares all others; going to
//! any image, earlier or later, copies only the pages in which the two differ.

use std::rc::Rc;

/// Small pages: most of what an action changes is one cell, and every page it touches is kept for it.
const PAGE_BITS: usize = 6;
const PAGE: usize = 1 << PAGE_BITS;
/// Pages are gathered in chunks, so that an image of a large board shares most of its table as well.
const CHUNK: usize = 128;

type Page<T> = Rc<[T]>;
type Chunk<T> = Rc<Vec<Page<T>>>;

/// The content of [`Pages`] at one time.
#[derive(Debug)]
pub struct Snapshot<T> {
    chunks: Rc<Vec<Chunk<T>>>,
    len: usize,
}

impl<T> Clone for Snapshot<T> {
    fn clone(&self) -> Self {
        Snapshot {
            chunks: self.chunks.clone(),
            len: self.len,
        }
    }
}

impl<T> Snapshot<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        let page = index >> PAGE_BITS;
        self.chunks
            .get(page / CHUNK)?
            .get(page % CHUNK)?
            .get(index & (PAGE - 1))
    }

    fn page(&self, page: usize) -> Option<&Page<T>> {
        self.chunks.get(page / CHUNK)?.get(page % CHUNK)
    }
}

/// What the table of a chunk takes, with what the allocator adds.
fn table_bytes<T>(chunk: &Chunk<T>) -> usize {
    chunk.len() * size_of::<Page<T>>() + 64
}

impl<T> Snapshot<T> {
    /// The pages that another image does not share.
    pub fn unshared_pages<'a>(&'a self, other: &'a Snapshot<T>) -> impl Iterator<Item = &'a [T]> {
        self.chunks_beyond(other).flat_map(move |(n, chunk)| {
            let theirs = other.chunks.get(n).map_or(&[][..], |c| c.as_slice());
            let own = chunk
                .iter()
                .enumerate()
                .filter(|(n, p)| theirs.get(*n).is_none_or(|q| !Rc::ptr_eq(p, q)));
            own.map(|(_, page)| &**page)
        })
    }

    fn chunks_beyond<'a>(
        &'a self,
        other: &'a Snapshot<T>,
    ) -> impl Iterator<Item = (usize, &'a Chunk<T>)> {
        let same = Rc::ptr_eq(&self.chunks, &other.chunks);
        let own = |(n, chunk): &(usize, &Chunk<T>)| {
            other.chunks.get(*n).is_none_or(|c| !Rc::ptr_eq(c, chunk))
        };
        self.chunks
            .iter()
            .enumerate()
            .filter(move |_| !same)
            .filter(own)
    }

    /// How many bytes it holds that another image does not.
    pub fn unshared_bytes(&self, other: &Snapshot<T>) -> usize {
        let tables: usize = self
            .chunks_beyond(other)
            .map(|(_, chunk)| table_bytes(chunk))
            .sum();
        let pages: usize = self
            .unshared_pages(other)
            .map(|page| size_of_val(page) + 64)
            .sum();
        tables + pages
    }
}

impl<T: PartialEq> Snapshot<T> {
    /// The elements in which two differ; pages that they share are not looked at.
    pub fn changed_indices(&self, other: &Snapshot<T>) -> Vec<usize> {
        let mut found = Vec::new();
        let pages = self.len.max(other.len).div_ceil(PAGE);
        for page in 0..pages {
            match (self.page(page), other.page(page)) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => {}
                (a, b) => {
                    let differs =
                        |n: &usize| a.and_then(|p| p.get(*n)) != b.and_then(|p| p.get(*n));
                    found.extend((0..PAGE).filter(differs).map(|n| page * PAGE + n));
                }
            }
        }
        found
    }
}

impl<T: PartialEq> PartialEq for Snapshot<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len
            && (Rc::ptr_eq(&self.chunks, &other.chunks)
                || self.chunks.iter().zip(other.chunks.iter()).all(|(a, b)| {
                    Rc::ptr_eq(a, b)
                        || a.iter()
                            .zip(b.iter())
                            .all(|(p, q)| Rc::ptr_eq(p, q) || p == q)
                }))
    }
}

#[derive(Debug)]
pub struct PagedVec<T> {
    data: Vec<T>,
    /// Which pages were written since `image` was taken, as flags and as a list.
    written: Vec<bool>,
    list: Vec<u32>,
    image: Snapshot<T>,
}

impl<T: Clone> Default for PagedVec<T> {
    fn default() -> Self {
        PagedVec {
            data: Vec::new(),
            written: Vec::new(),
            list: Vec::new(),
            image: Snapshot {
                chunks: Rc::default(),
                len: 0,
            },
        }
    }
}

impl<T: Clone> PagedVec<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.data.get(index)
    }

    /// Writes one element; an index past the end is ignored.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        if let Some(slot) = self.get_mut(index) {
            *slot = value;
        }
    }

    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let page = index >> PAGE_BITS;
        match self.written.get(page) {
            Some(true) => {}
            Some(false) => self.touch(page),
            None => return None,
        }
        self.data.get_mut(index)
    }

    #[cold]
    fn touch(&mut self, page: usize) {
        self.written[page] = true;
        self.list.push(page as u32);
    }

    pub fn push(&mut self, value: T) {
        self.data.push(value);
        self.cover();
        let page = (self.data.len() - 1) >> PAGE_BITS;
        if !self.written[page] {
            self.touch(page);
        }
    }

    /// Makes it `len` long, filled up with `value`.
    pub fn resize(&mut self, len: usize, value: T) {
        let from = self.data.len().min(len);
        self.data.resize(len, value);
        self.cover();
        for page in from >> PAGE_BITS..self.written.len() {
            if !self.written[page] {
                self.touch(page);
            }
        }
    }

    /// Replaces everything.
    pub fn reset(&mut self, len: usize, value: T) {
        self.data.clear();
        self.resize(len, value);
    }

    fn cover(&mut self) {
        let pages = self.data.len().div_ceil(PAGE);
        if self.written.len() > pages {
            self.written.truncate(pages);
            self.list.retain(|&p| (p as usize) < pages);
        } else {
            self.written.resize(pages, false);
        }
    }

    /// The elements of the pages that the next image will copy.
    pub fn dirty_items(&self) -> impl Iterator<Item = &T> {
        let page = |&page: &u32| {
            &self.data[page as usize * PAGE..self.data.len().min((page as usize + 1) * PAGE)]
        };
        self.list.iter().flat_map(page)
    }

    /// The content as it is now, and how many bytes had to be copied for it.
    pub fn snapshot(&mut self) -> (Snapshot<T>, usize) {
        if self.list.is_empty() && self.image.len == self.data.len() {
            return (self.image.clone(), 0);
        }
        let mut list = std::mem::take(&mut self.list);
        list.sort_unstable();
        let mut copied = 0;
        let pages = self.written.len();
        let chunks = Rc::make_mut(&mut self.image.chunks);
        copied += chunks.len() * size_of::<usize>();
        chunks.resize_with(pages.div_ceil(CHUNK), Rc::default);
        for &page in &list {
            let page = page as usize;
            self.written[page] = false;
            let chunk = &mut chunks[page / CHUNK];
            if Rc::strong_count(chunk) > 1 {
                copied += table_bytes(chunk);
            }
            let chunk = Rc::make_mut(chunk);
            let content: Page<T> =
                self.data[page * PAGE..self.data.len().min((page + 1) * PAGE)].into();
            copied += size_of_val(&*content) + 64;
            match chunk.get_mut(page % CHUNK) {
                Some(old) => *old = content,
                None => chunk.push(content),
            }
        }
        if let Some(last) = chunks.last_mut() {
            let rest = pages - (pages - 1) / CHUNK * CHUNK;
            if last.len() > rest {
                Rc::make_mut(last).truncate(rest);
            }
        }
        list.clear();
        self.list = list;
        self.image.len = self.data.len();
        (self.image.clone(), copied)
    }

    /// Makes the content that of `image` again.
    pub fn restore(&mut self, image: &Snapshot<T>) {
        if Rc::ptr_eq(&self.image.chunks, &image.chunks) && self.data.len() == image.len {
            return self.rewrite();
        }
        let pages = image.len.div_ceil(PAGE);
        let Some(any) = image.get(0).cloned() else {
            *self = PagedVec {
                image: image.clone(),
                ..PagedVec::default()
            };
            return;
        };
        // What was cut off or filled up since is as good as written.
        self.resize(image.len, any);
        for chunk in 0..pages.div_ceil(CHUNK) {
            if self.same_chunk(chunk, image) && !self.wrote_into(chunk) {
                continue;
            }
            for page in chunk * CHUNK..pages.min((chunk + 1) * CHUNK) {
                let same = !self.written[page]
                    && matches!((self.image.page(page), image.page(page)), (Some(a), Some(b)) if Rc::ptr_eq(a, b));
                if let Some(from) = image.page(page).filter(|_| !same) {
                    self.data[page * PAGE..page * PAGE + from.len()].clone_from_slice(from);
                }
            }
        }
        for page in self.list.drain(..) {
            self.written[page as usize] = false;
        }
        self.image = image.clone();
    }

    /// Back to the image taken last: only what was written since differs. Who looks at every stop does just this.
    fn rewrite(&mut self) {
        for page in self.list.drain(..) {
            let page = page as usize;
            self.written[page] = false;
            if let Some(from) = self.image.page(page) {
                self.data[page * PAGE..page * PAGE + from.len()].clone_from_slice(from);
            }
        }
    }

    fn same_chunk(&self, chunk: usize, image: &Snapshot<T>) -> bool {
        matches!((self.image.chunks.get(chunk), image.chunks.get(chunk)), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    fn wrote_into(&self, chunk: usize) -> bool {
        self.written[chunk * CHUNK..self.written.len().min((chunk + 1) * CHUNK)].contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Deed {
        Set(usize, u8),
        Push(u8),
        Resize(usize, u8),
        Fill(usize, u8),
        Keep,
        Go(usize),
    }

    fn deed() -> impl Strategy<Value = Deed> {
        prop_oneof![
            6 => (0..40_000usize, any::<u8>()).prop_map(|(i, v)| Deed::Set(i, v)),
            2 => any::<u8>().prop_map(Deed::Push),
            1 => (0..20_000usize, any::<u8>()).prop_map(|(n, v)| Deed::Resize(n, v)),
            1 => (0..300usize, any::<u8>()).prop_map(|(n, v)| Deed::Fill(n, v)),
            3 => Just(Deed::Keep),
            3 => any::<usize>().prop_map(Deed::Go),
        ]
    }

    proptest! {
        /// Whatever is written in between, going to an image, back or forth, gives what was there.
        #[test]
        fn going_to_an_image_is_exact(deeds in prop::collection::vec(deed(), 1..60)) {
            let mut pages = PagedVec::default();
            pages.resize(9_000, 0u8);
            let mut kept: Vec<(Snapshot<u8>, Vec<u8>)> = Vec::new();
            for deed in deeds {
                match deed {
                    Deed::Set(i, v) => pages.set(i, v),
                    Deed::Push(v) => pages.push(v),
                    Deed::Resize(n, v) => pages.resize(n, v),
                    Deed::Fill(n, v) => pages.reset(n, v),
                    Deed::Keep => {
                        let image = pages.snapshot().0;
                        kept.push((image, pages.as_slice().to_vec()));
                    }
                    Deed::Go(n) if !kept.is_empty() => {
                        let (image, content) = &kept[n % kept.len()];
                        pages.restore(image);
                        prop_assert!(pages.as_slice() == &content[..]);
                    }
                    Deed::Go(_) => {}
                }
            }
            for (image, content) in &kept {
                prop_assert_eq!(image.len(), content.len());
                prop_assert!(content.iter().enumerate().all(|(i, v)| image.get(i) == Some(v)));
            }
        }
    }

    #[test]
    fn what_an_image_holds_alone_is_counted_when_the_one_before_it_is_gone() {
        let mut pages = PagedVec::default();
        pages.reset(10 * PAGE, 0u64);
        let (first, _) = pages.snapshot();
        pages.set(0, 1);
        let (between, once) = pages.snapshot();
        pages.set(9 * PAGE, 1);
        let (last, twice) = pages.snapshot();
        assert_eq!(last.unshared_pages(&between).count(), 1);
        assert_eq!(last.unshared_pages(&first).count(), 2);
        assert_eq!(
            (first.unshared_bytes(&first), last.unshared_bytes(&last)),
            (0, 0)
        );
        // Two pages and one table; each alone cost a table of its own.
        let table = table_bytes(&last.chunks[0]);
        let list = last.chunks.len() * size_of::<usize>();
        assert_eq!(last.unshared_bytes(&first), once + twice - table - 2 * list);
    }
}
