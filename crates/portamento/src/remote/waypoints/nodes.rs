//! How are reports kept, without allocating and with the next one close at hand?

use super::report;
use crate::blend::Pose64;
use core::fmt;

/// One entry of a body's queue.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WaypointNode<P = ()> {
    /// Walk here and take this rotation; the payload is the report's.
    Position(Pose64, P),
    /// Move with this velocity from here on, in units per second.
    Velocity([f64; 3]),
    /// Stand from here on.
    Stop,
}

#[derive(Clone, Copy)]
enum Kind<P> {
    Position(P),
    Velocity,
    Stop,
}

/// A queue of at most `N` nodes, oldest first.
///
/// Not a ring: the oldest stays at the start of the arrays, next to the rest of the state, so that a tick
/// touches two cache lines of a kilobyte. Moving the others up costs less than a miss, as there are seldom
/// more than two or three. Kinds are apart from poses because a tag inside would cost eight bytes a node.
#[derive(Clone)]
#[repr(C)]
pub(super) struct Nodes<P: Copy, const N: usize> {
    len: u32,
    kinds: [Kind<P>; N],
    /// A velocity is kept in its pose's position.
    poses: [Pose64; N],
}

impl<P: Copy, const N: usize> Nodes<P, N> {
    const ROOM: () = assert!(N >= 1 && N <= u32::MAX as usize, "a queue needs room for one node at least");

    pub(super) fn new() -> Self {
        let () = Self::ROOM;
        Self { len: 0, kinds: [Kind::Stop; N], poses: [Pose64::at([0.0; 3]); N] }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<WaypointNode<P>> {
        if index >= self.len() {
            return None;
        }
        Some(match self.kinds[index] {
            Kind::Position(payload) => WaypointNode::Position(self.poses[index], payload),
            Kind::Velocity => WaypointNode::Velocity(self.poses[index].position),
            Kind::Stop => WaypointNode::Stop,
        })
    }

    #[inline]
    pub(super) fn first(&self) -> Option<WaypointNode<P>> {
        self.get(0)
    }

    #[inline]
    pub(super) fn newest(&self) -> Option<WaypointNode<P>> {
        self.len().checked_sub(1).and_then(|last| self.get(last))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = WaypointNode<P>> + ExactSizeIterator + '_ {
        (0..self.len()).map(|i| self.get(i).unwrap_or(WaypointNode::Stop))
    }

    /// The newest position among all nodes.
    pub(super) fn newest_position(&self) -> Option<(Pose64, P)> {
        self.iter().rev().find_map(|node| match node {
            WaypointNode::Position(pose, payload) => Some((pose, payload)),
            _ => None,
        })
    }

    /// Appends, dropping the oldest of a full queue; whether one was dropped.
    pub(super) fn push(&mut self, node: WaypointNode<P>) -> bool {
        let full = self.len() == N;
        if full {
            self.remove_first();
        }
        let (kind, pose) = match node {
            WaypointNode::Position(pose, payload) => (Kind::Position(payload), pose),
            WaypointNode::Velocity(velocity) => (Kind::Velocity, Pose64::at(velocity)),
            WaypointNode::Stop => (Kind::Stop, Pose64::at([0.0; 3])),
        };
        let end = self.len();
        self.kinds[end] = kind;
        self.poses[end] = pose;
        self.len += 1;
        full
    }

    pub(super) fn remove_first(&mut self) {
        if self.len > 0 {
            let len = self.len();
            self.kinds.copy_within(1..len, 0);
            self.poses.copy_within(1..len, 0);
            self.len -= 1;
        }
    }

    pub(super) fn remove_newest(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Moves every position; velocities are not places.
    pub(super) fn rebase(&mut self, shift: impl Fn(&mut Pose64)) {
        let len = self.len();
        for (kind, pose) in self.kinds[..len].iter().zip(&mut self.poses[..len]) {
            if let Kind::Position(_) = kind {
                report::rebase(pose, &shift);
            }
        }
    }
}

impl<P: Copy + fmt::Debug, const N: usize> fmt::Debug for Nodes<P, N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Equal queues hold equal nodes; what lies behind the newest is memory, not state.
impl<P: Copy + PartialEq, const N: usize> PartialEq for Nodes<P, N> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

#[cfg(feature = "serde")]
mod saved {
    use super::super::report;
    use super::{Nodes, WaypointNode};
    use core::fmt;
    use core::marker::PhantomData;
    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl<P: Copy + Serialize, const N: usize> Serialize for Nodes<P, N> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.iter())
        }
    }

    impl<'de, P: Copy + Deserialize<'de>, const N: usize> Deserialize<'de> for Nodes<P, N> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Saved<P, const N: usize>(PhantomData<P>);

            impl<'de, P: Copy + Deserialize<'de>, const N: usize> Visitor<'de> for Saved<P, N> {
                type Value = Nodes<P, N>;

                fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                    write!(f, "at most {N} nodes")
                }

                fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Nodes<P, N>, A::Error> {
                    let mut nodes = Nodes::new();
                    while let Some(node) = seq.next_element::<WaypointNode<P>>()? {
                        let usable = match &node {
                            WaypointNode::Position(pose, _) => report::pose(pose).map(drop),
                            WaypointNode::Velocity(velocity) => report::velocity(*velocity),
                            WaypointNode::Stop => Ok(()),
                        };
                        usable.map_err(A::Error::custom)?;
                        if nodes.push(node) {
                            return Err(A::Error::invalid_length(N + 1, &self));
                        }
                    }
                    Ok(nodes)
                }
            }

            deserializer.deserialize_seq(Saved(PhantomData))
        }
    }
}
