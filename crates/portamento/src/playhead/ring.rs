//! A queue of at most `N` values that never allocates.

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "T: serde::Serialize + serde::de::DeserializeOwned"))]
#[cfg_attr(feature = "serde", serde(try_from = "Saved<T, N>"))]
pub(super) struct Ring<T, const N: usize> {
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    slots: [Option<T>; N],
    first: usize,
    len: usize,
}

impl<T, const N: usize> Ring<T, N> {
    pub(super) const fn new() -> Self {
        Ring { slots: [const { None }; N], first: 0, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn slot(&self, i: usize) -> usize {
        (self.first + i) % N
    }

    /// The `i`-th, the front being 0.
    pub(super) fn get(&self, i: usize) -> Option<&T> {
        if i < self.len { self.slots[self.slot(i)].as_ref() } else { None }
    }

    pub(super) fn back_mut(&mut self) -> Option<&mut T> {
        let last = self.len.checked_sub(1)?;
        self.slots[self.slot(last)].as_mut()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().flatten()
    }

    /// Gives the value back when the ring is full.
    pub(super) fn push_back(&mut self, value: T) -> Result<(), T> {
        if self.len == N {
            return Err(value);
        }
        self.slots[self.slot(self.len)] = Some(value);
        self.len += 1;
        Ok(())
    }

    pub(super) fn pop_front(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.first].take();
        self.first = self.slot(1);
        self.len -= 1;
        value
    }

    pub(super) fn swap(&mut self, i: usize, j: usize) {
        let (i, j) = (self.slot(i), self.slot(j));
        self.slots.swap(i, j);
    }

    pub(super) fn clear(&mut self) {
        while self.pop_front().is_some() {}
    }
}

/// A saved ring, before anybody has checked that its numbers fit together.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
struct Saved<T, const N: usize> {
    #[serde(with = "crate::serde_array")]
    slots: [Option<T>; N],
    first: usize,
    len: usize,
}

#[cfg(feature = "serde")]
impl<T, const N: usize> TryFrom<Saved<T, N>> for Ring<T, N> {
    type Error = &'static str;

    fn try_from(saved: Saved<T, N>) -> Result<Self, Self::Error> {
        let ring = Ring { slots: saved.slots, first: saved.first, len: saved.len };
        let fits = ring.first < N.max(1)
            && ring.len <= N
            && (0..N).all(|i| ring.slots[ring.slot(i)].is_some() == (i < ring.len));
        if fits { Ok(ring) } else { Err("a ring whose filled slots are not where its numbers say") }
    }
}
