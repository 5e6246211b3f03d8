//! A vector whose copies share their unchanged parts.
//!
//! A tree with the elements in its leaves. Changing an element copies the path from the root to its
//! leaf, or changes it in place where nothing else refers to the path. Boards that are values and
//! the tables of a program are kept in it: a board differs from the one it was made from in one
//! cell, a program from the previous one in one definition.

use std::ops::Range;
use std::rc::Rc;

/// Number of elements in a leaf, and of children of an inner node.
const WIDTH_BITS: u32 = 5;
const WIDTH: usize = 1 << WIDTH_BITS;

/// See the module documentation.
#[derive(Clone)]
pub struct SharedVec<T> {
    root: Rc<Node<T>>,
    /// Number of levels above the leaves.
    height: u32,
    len: usize,
}

#[derive(Clone)]
enum Node<T> {
    Leaf(Vec<T>),
    Inner(Vec<Rc<Node<T>>>),
}

impl<T> Node<T> {
    fn children(&self) -> &[Rc<Node<T>>] {
        match self {
            Node::Leaf(_) => &[],
            Node::Inner(children) => children,
        }
    }

    /// The bytes of this node without its children.
    fn bytes(&self) -> usize {
        let content = match self {
            Node::Leaf(items) => items.len() * size_of::<T>(),
            Node::Inner(children) => children.len() * size_of::<Rc<Node<T>>>(),
        };
        content + NODE_OVERHEAD_BYTES
    }
}

/// Estimated overhead of a node: its header, the counts of the `Rc`, and two allocations.
const NODE_OVERHEAD_BYTES: usize = 72;

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec {
            root: Rc::new(Node::Leaf(Vec::new())),
            height: 0,
            len: 0,
        }
    }
}

/// The position of an index among the children of a node `height` levels above the leaves.
fn child_index(index: usize, height: u32) -> usize {
    (index >> (WIDTH_BITS * height)) & (WIDTH - 1)
}

impl<T> SharedVec<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element at an index, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.leaf(index)?.get(index & (WIDTH - 1))
    }

    /// The elements of the leaf that contains an index.
    #[inline]
    fn leaf(&self, index: usize) -> Option<&[T]> {
        if index >= self.len {
            return None;
        }
        let (mut node, mut height) = (&self.root, self.height);
        loop {
            match &**node {
                Node::Leaf(items) => return Some(items),
                Node::Inner(children) => node = children.get(child_index(index, height))?,
            }
            height = height.saturating_sub(1);
        }
    }

    /// The elements in order, as slices.
    pub fn slices(&self) -> impl Iterator<Item = &[T]> + Clone {
        (0..self.len)
            .step_by(WIDTH)
            .filter_map(|start| self.leaf(start))
    }

    /// The elements in order.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter {
            vec: self,
            range: 0..self.len,
            leaf: &[],
            leaf_start: usize::MAX,
        }
    }

    /// Calls `visit` for the elements of every leaf, except for the parts that `is_new`, called
    /// with the address of a node, says are known. Returns the bytes of the parts visited.
    pub fn visit_new<'v>(
        &'v self,
        mut is_new: impl FnMut(usize) -> bool,
        mut visit: impl FnMut(&'v [T]),
    ) -> usize {
        let mut bytes = 0;
        let mut pending = vec![&self.root];
        while let Some(node) = pending.pop() {
            if !is_new(Rc::as_ptr(node).addr()) {
                continue;
            }
            bytes += node.bytes();
            pending.extend(node.children());
            if let Node::Leaf(items) = &**node {
                visit(items);
            }
        }
        bytes
    }

    /// Estimated bytes that changing one element copies.
    pub fn path_bytes(&self) -> usize {
        let mut bytes = 0;
        let mut node = Some(&self.root);
        while let Some(n) = node {
            bytes += n.bytes();
            node = n.children().first();
        }
        bytes
    }

    /// The ranges of indices in which the two may differ: those whose leaves they do not share.
    pub fn unshared_ranges(&self, other: &SharedVec<T>) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut pending = vec![(0, self.height, Some(&self.root), Some(&other.root))];
        if self.height != other.height {
            ranges.push(0..self.len.max(other.len));
            pending.clear();
        }
        let len = self.len.max(other.len);
        while let Some((start, height, a, b)) = pending.pop() {
            if matches!((a, b), (Some(a), Some(b)) if Rc::ptr_eq(a, b)) {
                continue;
            }
            if height == 0 {
                ranges.push(start..(start + WIDTH).min(len));
                continue;
            }
            let (a, b) = (
                a.map_or(&[][..], |n| n.children()),
                b.map_or(&[][..], |n| n.children()),
            );
            for n in (0..a.len().max(b.len())).rev() {
                let child_start = start + (n << (WIDTH_BITS * height));
                pending.push((child_start, height - 1, a.get(n), b.get(n)));
            }
        }
        ranges
    }
}

impl<T: Clone> SharedVec<T> {
    /// A vector with `len` equal elements. Its parts share one leaf.
    pub fn filled(value: T, len: usize) -> SharedVec<T> {
        let full = Rc::new(Node::Leaf(vec![value.clone(); WIDTH.min(len)]));
        let mut level = vec![full; len / WIDTH];
        if !len.is_multiple_of(WIDTH) || len == 0 {
            level.push(Rc::new(Node::Leaf(vec![value; len % WIDTH])));
        }
        SharedVec::from_leaves(level, len)
    }

    fn from_leaves(mut level: Vec<Rc<Node<T>>>, len: usize) -> SharedVec<T> {
        let mut height = 0;
        while level.len() > 1 {
            let inner = level
                .chunks(WIDTH)
                .map(|c| Rc::new(Node::Inner(c.to_vec())));
            level = inner.collect();
            height += 1;
        }
        match level.pop() {
            Some(root) => SharedVec { root, height, len },
            None => SharedVec::default(),
        }
    }

    /// The element at an index, to be changed. Copies what other vectors share.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        let (mut node, mut height) = (Rc::make_mut(&mut self.root), self.height);
        loop {
            match node {
                Node::Leaf(items) => return items.get_mut(index & (WIDTH - 1)),
                Node::Inner(children) => {
                    node = Rc::make_mut(children.get_mut(child_index(index, height))?);
                }
            }
            height = height.saturating_sub(1);
        }
    }

    /// Replaces the element at an index, if there is one.
    pub fn set(&mut self, index: usize, value: T) {
        if let Some(item) = self.get_mut(index) {
            *item = value;
        }
    }

    /// Appends an element.
    pub fn push(&mut self, value: T) {
        if self.len == WIDTH << (WIDTH_BITS * self.height) {
            let old_root = self.root.clone();
            self.root = Rc::new(Node::Inner(vec![old_root]));
            self.height += 1;
        }
        let index = self.len;
        self.len += 1;
        let (mut node, mut height) = (Rc::make_mut(&mut self.root), self.height);
        loop {
            match node {
                Node::Leaf(items) => {
                    items.push(value);
                    return;
                }
                Node::Inner(children) => {
                    let at = child_index(index, height);
                    height -= 1;
                    if at >= children.len() {
                        children.push(Rc::new(match height {
                            0 => Node::Leaf(Vec::new()),
                            _ => Node::Inner(Vec::new()),
                        }));
                    }
                    node = Rc::make_mut(&mut children[at]);
                }
            }
        }
    }

    /// Removes the elements from `len` on.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        if len == 0 {
            *self = SharedVec::default();
            return;
        }
        self.len = len;
        let (mut node, mut height) = (Rc::make_mut(&mut self.root), self.height);
        let last = len - 1;
        loop {
            match node {
                Node::Leaf(items) => {
                    items.truncate((last & (WIDTH - 1)) + 1);
                    break;
                }
                Node::Inner(children) => {
                    let at = child_index(last, height);
                    children.truncate(at + 1);
                    node = Rc::make_mut(&mut children[at]);
                }
            }
            height = height.saturating_sub(1);
        }
        // The root of a tree that became smaller has a single child.
        while let [only] = self.root.children() {
            self.root = only.clone();
            self.height -= 1;
        }
    }

    /// Extends or truncates to `len` elements.
    pub fn resize(&mut self, len: usize, value: T) {
        self.truncate(len);
        while self.len < len {
            self.push(value.clone());
        }
    }
}

impl<T: Clone + PartialEq> SharedVec<T> {
    /// Replaces the element at an index if it differs; appends it if there is none.
    pub fn put(&mut self, index: usize, value: T) {
        match self.get(index) {
            Some(old) if *old == value => {}
            Some(_) => self.set(index, value),
            None => self.push(value),
        }
    }

    /// Makes the elements equal to `items`. Elements that are equal already stay shared.
    pub fn assign(&mut self, items: impl IntoIterator<Item = T>) {
        let mut len = 0;
        for item in items {
            self.put(len, item);
            len += 1;
        }
        self.truncate(len);
    }
}

impl<T: Clone> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        let (mut leaves, mut len) = (Vec::new(), 0);
        loop {
            let leaf: Vec<T> = items.by_ref().take(WIDTH).collect();
            len += leaf.len();
            if leaf.is_empty() {
                return SharedVec::from_leaves(leaves, len);
            }
            leaves.push(Rc::new(Node::Leaf(leaf)));
        }
    }
}

impl<T: PartialEq> PartialEq for SharedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len
            && self
                .unshared_ranges(other)
                .into_iter()
                .flatten()
                .all(|n| self.get(n) == other.get(n))
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for SharedVec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Panics if the index is out of range, like a slice; callers index with positions inside a board.
impl<T> std::ops::Index<usize> for SharedVec<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        match self.get(index) {
            Some(item) => item,
            None => panic!("index {index} out of range for length {}", self.len),
        }
    }
}

impl<'v, T> IntoIterator for &'v SharedVec<T> {
    type Item = &'v T;
    type IntoIter = Iter<'v, T>;

    fn into_iter(self) -> Iter<'v, T> {
        self.iter()
    }
}

/// Iterates over the elements of a [`SharedVec`].
pub struct Iter<'v, T> {
    vec: &'v SharedVec<T>,
    range: Range<usize>,
    /// The leaf looked up last, and the index of its first element.
    leaf: &'v [T],
    leaf_start: usize,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            range: self.range.clone(),
            ..*self
        }
    }
}

impl<'v, T> Iter<'v, T> {
    fn at(&mut self, index: usize) -> Option<&'v T> {
        let start = index & !(WIDTH - 1);
        if start != self.leaf_start {
            (self.leaf, self.leaf_start) = (self.vec.leaf(index)?, start);
        }
        self.leaf.get(index - start)
    }
}

impl<'v, T> Iterator for Iter<'v, T> {
    type Item = &'v T;

    fn next(&mut self) -> Option<&'v T> {
        let index = self.range.next()?;
        self.at(index)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<&'v T> {
        let index = self.range.nth(n)?;
        self.at(index)
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let index = self.range.next_back()?;
        self.at(index)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Push(u16),
        Set(usize, u16),
        Truncate(usize),
        Resize(usize, u16),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<u16>().prop_map(Step::Push),
            4 => (0..3000usize, any::<u16>()).prop_map(|(n, v)| Step::Set(n, v)),
            1 => (0..3000usize).prop_map(Step::Truncate),
            1 => (0..3000usize, any::<u16>()).prop_map(|(n, v)| Step::Resize(n, v)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// The vector behaves like `Vec`, and its copies do not change with it.
        #[test]
        fn behaves_like_vec(
            len in 0..2100usize,
            steps in prop::collection::vec(step(), 0..20),
            other in 0..2100usize,
        ) {
            let mut model: Vec<u16> = (0..len as u16).collect();
            let mut vec: SharedVec<u16> = model.iter().copied().collect();
            let mut copies = Vec::new();
            for step in steps {
                copies.push((vec.clone(), model.clone()));
                match step {
                    Step::Push(value) => {
                        model.push(value);
                        vec.push(value);
                    }
                    Step::Set(n, value) => {
                        if let Some(slot) = model.get_mut(n) {
                            *slot = value;
                        }
                        vec.set(n, value);
                    }
                    Step::Truncate(len) => {
                        model.truncate(len);
                        vec.truncate(len);
                    }
                    Step::Resize(len, value) => {
                        model.resize(len, value);
                        vec.resize(len, value);
                    }
                }
                prop_assert_eq!(vec.len(), model.len());
                prop_assert_eq!(vec.get(model.len()), None);
            }
            copies.push((vec.clone(), model.clone()));
            for (copy, model) in &copies {
                prop_assert!(copy.iter().eq(model));
                prop_assert!(copy.iter().rev().eq(model.iter().rev()));
                prop_assert_eq!(copy.slices().flatten().count(), model.len());
                prop_assert_eq!(*copy == vec, copy.iter().eq(vec.iter()));
                let rebuilt: SharedVec<u16> = model.iter().copied().collect();
                prop_assert!(rebuilt == *copy);
                let differs = |n: &usize| copy.get(*n) != vec.get(*n);
                let differing: Vec<usize> = (0..copy.len().max(vec.len())).filter(differs).collect();
                let unshared: Vec<usize> = copy.unshared_ranges(&vec).into_iter().flatten().collect();
                prop_assert!(differing.iter().all(|n| unshared.binary_search(n).is_ok()));
                prop_assert!(unshared.is_sorted());
            }
            prop_assert!(SharedVec::filled(7u16, other).iter().eq(&vec![7u16; other]));
        }
    }

    #[test]
    fn a_change_copies_only_the_path_to_it() {
        let old: SharedVec<u32> = (0..10_000).collect();
        let mut new = old.clone();
        new.set(5000, 0);
        let mut known = std::collections::HashSet::new();
        old.visit_new(|node| known.insert(node), |_| {});
        let copied = new.visit_new(|node| known.insert(node), |leaf| assert!(leaf.contains(&0)));
        assert_eq!(copied, new.path_bytes());
        assert!(copied < 1000, "{copied} bytes");
        assert_eq!(
            old.unshared_ranges(&new),
            vec![std::ops::Range {
                start: 4992,
                end: 5024
            }]
        );
    }
}
