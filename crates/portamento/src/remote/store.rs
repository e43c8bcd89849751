//! Which snapshots of one entity are known, and what lies between them?
//!
//! The client's buffer and the server's history blend with the functions of this file and nothing else: that is
//! why the server can repeat a picture bit for bit.

use super::Displace;
use crate::blend::Blend;
use crate::math::sqrt;

/// What a message reports of one entity.
///
/// ```
/// use portamento::remote::Report;
///
/// let walking = Report::new([1.0f32, 0.0, 0.0]).with_velocity([4.0, 0.0, 0.0]);
/// let teleported = Report::new([90.0f32, 0.0, 0.0]).with_epoch(1);
/// let parked = Report::new([5.0f32, 0.0, 0.0]).at_rest(); // nothing more is sent until it moves
/// # let _ = (walking, teleported, parked);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
    ))
)]
pub struct Report<T: Displace> {
    /// Where it is.
    pub value: T,
    /// How it moves, if the sender reports it; otherwise it is estimated from the neighbours.
    pub velocity: Option<T::Velocity>,
    /// Counts the cuts of this entity. Any other number than in the snapshot before it, in sending order, is a cut:
    /// unlike a flag, it survives the loss of the very message that carried it.
    pub epoch: u32,
    /// It stays like this, and nothing more is sent of it, until it moves again. Repeat it until it has arrived: a
    /// client that misses it shows the entity where it was before, and its claims are refused after a while.
    pub rests: bool,
}

impl<T: Displace> Report<T> {
    /// Creates a report of where the entity is.
    pub fn new(value: T) -> Self {
        Report { value, velocity: None, epoch: 0, rests: false }
    }

    /// Adds how the entity moves.
    ///
    /// For a struct that derives [`Hermite`](trait@crate::blend::Hermite) that is the tuple of its moving fields'
    /// velocities, in their order:
    #[cfg_attr(feature = "derive", doc = "```")]
    #[cfg_attr(not(feature = "derive"), doc = "```ignore")]
    /// use portamento::blend::{Blend, Displace, Hermite, Pose2, Velocity2};
    /// use portamento::remote::Report;
    ///
    /// #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
    /// struct Tank {
    ///     pose: Pose2,
    ///     #[blend(angle)]
    ///     turret: f32,
    ///     #[blend(gauge)]
    ///     fuel: f32,
    /// }
    ///
    /// let tank = Tank { pose: Pose2::at([3.0, 0.0]), turret: 0.5, fuel: 60.0 };
    /// let driving = Velocity2 { linear: [2.0, 0.0], angular: 0.0 };
    /// let report = Report::new(tank).with_velocity((driving, 0.3)); // the turret turns by 0.3 rad/s
    /// assert_eq!(report.velocity, Some((driving, 0.3)));
    /// ```
    #[must_use]
    pub fn with_velocity(self, velocity: T::Velocity) -> Self {
        Report { velocity: Some(velocity), ..self }
    }

    /// Sets the number of cuts until now: see [`Report::epoch`].
    #[must_use]
    pub fn with_epoch(self, epoch: u32) -> Self {
        Report { epoch, ..self }
    }

    /// Marks the entity as resting from here on: see [`Report::rests`].
    #[must_use]
    pub fn at_rest(self) -> Self {
        Report { rests: true, ..self }
    }

    /// Whether all its numbers can be drawn.
    pub(super) fn is_finite(&self) -> bool {
        self.value.is_finite() && self.velocity.as_ref().is_none_or(|v| T::size(v).is_finite())
    }
}

/// One entity at one moment of the sender's clock.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
    ))
)]
pub(super) struct Node<T: Displace> {
    pub sent: f64,
    pub report: Report<T>,
    /// It is not there from here on.
    pub gone: bool,
    /// It got here from the one before by a jump that nobody declared.
    pub jumped: bool,
}

impl<T: Displace> Node<T> {
    /// Whether it can be blended with the one before it.
    pub fn joins(&self, before: &Self) -> bool {
        self.report.epoch == before.report.epoch && !self.gone && !before.gone && !self.jumped
    }
}

/// The snapshots that a blend is made of: the two it lies between, and their neighbours for the velocities.
#[derive(Debug)]
pub(super) struct Piece<'a, T: Displace> {
    pub before: Option<&'a Node<T>>,
    pub from: &'a Node<T>,
    pub to: &'a Node<T>,
    pub after: Option<&'a Node<T>>,
}

/// A fraction of the way in 65535ths: drawn so, it fits into two bytes of a claim.
pub(super) fn alpha_of(fraction: u16) -> f64 {
    f64::from(fraction) * (1.0 / 65535.0) // of 65535 exactly 1
}

impl<T: Displace> Piece<'_, T> {
    /// When the way from one to the other begins: what rests sets off one interval before it is seen elsewhere.
    fn start(&self, interval: f64) -> f64 {
        if self.from.report.rests { self.from.sent.max(self.to.sent - interval) } else { self.from.sent }
    }

    /// What is the same for every moment on it.
    #[inline]
    pub fn way(&self, interval: f64) -> Way<T> {
        let start = self.start(interval);
        let span = self.to.sent - start;
        // Both ends ask for the velocity between them, unless they have one of their own.
        let mut mean = None;
        let mut mean = || *mean.get_or_insert_with(|| slope(self.from, self.to));
        let mut leaving = velocity(self.before, self.from, Some(self.to), interval, slope, |_, _| mean());
        let mut arriving = velocity(Some(self.from), self.to, self.after, interval, |_, _| mean(), slope);
        // Over a gap that is long beside its neighbours the velocities at its ends say little about the way between.
        let before = self.before.map_or(0.0, |before| self.from.sent - before.sent);
        let after = self.after.map_or(0.0, |after| after.sent - self.to.sent);
        let known = LONG_GAP * interval.max(before).max(after) / span;
        if known < 1.0 {
            let share = super::OffsetSize::both(known);
            (leaving, arriving) = (T::scaled(&leaving, share), T::scaled(&arriving, share));
        }
        let (from, to) = (&self.from.report.value, &self.to.report.value);
        let still = from == to && {
            let none = T::velocity(from, from, 1.0);
            leaving == none && arriving == none
        };
        let curve = T::curve(from, &leaving, to, &arriving, span);
        Way { from: self.from.sent, to: self.to.sent, start, rate: 1.0 / span, still, curve }
    }
}

/// The way from one snapshot to the next, ready to be drawn at any moment.
#[derive(Clone, Debug)]
pub(super) struct Way<T: Displace> {
    from: f64,
    to: f64,
    start: f64,
    /// One over the time from `start` to `to`.
    rate: f64,
    /// It leads nowhere: both ends are equal, and nothing moves there.
    still: bool,
    curve: T::Curve,
}

impl<T: Displace> Way<T> {
    pub fn covers(&self, moment: f64) -> bool {
        self.from <= moment && moment < self.to
    }

    /// Whether it is the same value as everywhere on the way but at its ends, which are exact.
    pub fn stays(&self, fraction: u16) -> bool {
        self.still && fraction != 0 && fraction != u16::MAX
    }

    pub fn fraction(&self, moment: f64) -> u16 {
        let alpha = (moment - self.start) * self.rate;
        (alpha.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16
    }

    pub fn moment(&self, fraction: u16) -> f64 {
        self.start + (self.to - self.start) * alpha_of(fraction)
    }

    pub fn value(&self, fraction: u16) -> T {
        T::on(&self.curve, alpha_of(fraction))
    }
}

/// From this many times an interval or its neighbours on, velocities at the ends of a gap count for less.
const LONG_GAP: f64 = 4.0;
/// Stamps closer than this share of an interval say nothing about a velocity.
const CLOSE: f64 = 0.125;

/// How much a turn counts in [`Store::bends`].
const BENDS: f64 = 0.85;

/// `node`, `fraction` 65535ths of a second later, as it moved.
pub(super) fn beyond<T: Displace>(
    before: Option<&Node<T>>,
    node: &Node<T>,
    fraction: u16,
    interval: f64,
) -> T {
    if fraction == 0 || node.report.rests || node.gone {
        return node.report.value.clone();
    }
    let before = before.filter(|before| node.sent - before.sent >= CLOSE * interval);
    node.report.value.advance(&velocity(before, node, None, interval, slope, slope), alpha_of(fraction))
}

/// The mean velocity between two nodes.
fn slope<T: Displace>(a: &Node<T>, b: &Node<T>) -> T::Velocity {
    T::velocity(&a.report.value, &b.report.value, b.sent - a.sent)
}

/// The velocity at a node: its own, or from its neighbours at their true spacing, exact for a parabola. A
/// neighbour in the same place means that it rests there; of two, one that is stamped at about the same time is ignored.
///
/// `behind` and `ahead` return the mean velocities from the one before and to the one after.
#[inline(always)] // used twice in a way, with other neighbours known to be there
fn velocity<T: Displace>(
    before: Option<&Node<T>>,
    node: &Node<T>,
    after: Option<&Node<T>>,
    interval: f64,
    behind: impl FnOnce(&Node<T>, &Node<T>) -> T::Velocity,
    ahead: impl FnOnce(&Node<T>, &Node<T>) -> T::Velocity,
) -> T::Velocity {
    if let Some(velocity) = &node.report.velocity {
        return *velocity;
    }
    let none = || T::velocity(&node.report.value, &node.report.value, 1.0);
    let stays = |other: Option<&Node<T>>| {
        other.is_some_and(|other| other.report.value.same_place(&node.report.value))
    };
    if node.report.rests || stays(before) || stays(after) {
        return none();
    }
    match (before, after) {
        (Some(a), Some(b)) => {
            let (h0, h1) = (node.sent - a.sent, b.sent - node.sent);
            match (h0 < CLOSE * interval, h1 < CLOSE * interval) {
                (true, false) => ahead(node, b),
                (false, true) => behind(a, node),
                _ => behind(a, node).blend(&ahead(node, b), h0 / (h0 + h1)),
            }
        }
        (Some(a), None) => behind(a, node),
        (None, Some(b)) => ahead(node, b),
        (None, None) => none(),
    }
}

/// The last snapshots of one entity, by the sender's time, oldest first.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::saved::UncheckedStore<T, N>",
        bound(
            serialize = "T: serde::Serialize, T::Velocity: serde::Serialize",
            deserialize = "T: serde::Deserialize<'de>, T::Velocity: serde::Deserialize<'de>"
        )
    )
)]
pub(super) struct Store<T: Displace, const N: usize> {
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_array"))]
    nodes: [Node<T>; N],
    first: usize,
    len: usize,
}

/// What became of a snapshot that was put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    In,
    /// In, and another had to go.
    Evicting,
    Duplicate,
    TooOld,
}

impl<T: Displace, const N: usize> Store<T, N> {
    pub fn new(node: Node<T>) -> Self {
        const { assert!(N >= 4, "a blend is made of four snapshots") };
        Store { nodes: core::array::from_fn(|_| node.clone()), first: 0, len: 1 }
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.nodes.iter_mut().map(|node| &mut node.report.value)
    }

    /// From a save; `None` where the numbers do not fit together.
    #[cfg(feature = "serde")]
    pub fn restored(nodes: [Node<T>; N], first: usize, len: usize) -> Option<Self> {
        const { assert!(N >= 4, "a blend is made of four snapshots") };
        if first >= N || !(1..=N).contains(&len) {
            return None;
        }
        let store = Store { nodes, first, len };
        let sound = |node: &Node<T>| node.sent.is_finite() && node.report.is_finite();
        let rising = (1..len).all(|i| store.get(i - 1).sent < store.get(i).sent);
        (rising && store.iter().all(sound)).then_some(store)
    }

    pub fn get(&self, i: usize) -> &Node<T> {
        &self.nodes[(self.first + i) % N]
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Node<T>> {
        (0..self.len).map(|i| self.get(i))
    }

    pub fn newest(&self) -> &Node<T> {
        self.get(self.len - 1)
    }

    /// Puts a snapshot in its place. From a full store the oldest goes; while a picture `needs` the two oldest, the one
    /// after them.
    pub fn put(&mut self, node: Node<T>, needs: bool) -> Put {
        let mut place = self.len;
        while place > 0 && self.get(place - 1).sent > node.sent {
            place -= 1;
        }
        if place > 0 && self.get(place - 1).sent == node.sent {
            return Put::Duplicate;
        }
        let evicting = self.len == N;
        if evicting {
            if place == 0 {
                return Put::TooOld;
            }
            if needs && place > 2 {
                for i in [2, 1] {
                    self.nodes[(self.first + i) % N] = self.get(i - 1).clone();
                }
            }
            self.first = (self.first + 1) % N;
            self.len -= 1;
            place -= 1;
        }
        for i in (place..self.len).rev() {
            self.nodes[(self.first + i + 1) % N] = self.get(i).clone();
        }
        self.nodes[(self.first + place) % N] = node;
        self.len += 1;
        if evicting { Put::Evicting } else { Put::In }
    }

    /// The last snapshot at or before a moment.
    pub fn at_or_before(&self, moment: f64) -> Option<usize> {
        (0..self.len).rev().find(|&i| self.get(i).sent <= moment)
    }

    /// Puts a snapshot in the place of the newest.
    pub fn replace_newest(&mut self, node: Node<T>) {
        self.nodes[(self.first + self.len - 1) % N] = node;
    }

    /// Judges the steps to the snapshot with this stamp and to the one after it: is it a jump?
    pub fn judge(&mut self, sent: f64, is_jump: impl Fn(&Node<T>, &Node<T>) -> bool) {
        let Some(place) = (0..self.len).rev().find(|&i| self.get(i).sent == sent) else { return };
        for i in place.max(1)..(place + 2).min(self.len) {
            let jumped = is_jump(self.get(i - 1), self.get(i));
            self.nodes[(self.first + i) % N].jumped = jumped;
        }
    }

    /// Whether it was cut, or gone, between the snapshot at `from` and a moment.
    pub fn parts(&self, from: f64, moment: f64) -> bool {
        let passed = (1..self.len).rev().skip_while(|&i| self.get(i).sent > moment);
        passed.take_while(|&i| self.get(i).sent > from).any(|i| !self.get(i).joins(self.get(i - 1)))
    }

    /// The one before, if they join.
    pub fn before(&self, at: usize) -> Option<&Node<T>> {
        let before = self.get(at.checked_sub(1)?);
        self.get(at).joins(before).then_some(before)
    }

    /// The one after, if they join.
    fn after(&self, at: usize) -> Option<&Node<T>> {
        let after = self.next(at)?;
        after.joins(self.get(at)).then_some(after)
    }

    /// The one after.
    pub fn next(&self, at: usize) -> Option<&Node<T>> {
        (at + 1 < self.len).then(|| self.get(at + 1))
    }

    /// The way from this one to the next; `None` on the newest and at a cut.
    pub fn piece(&self, from: usize) -> Option<Piece<'_, T>> {
        let to = self.after(from)?;
        Some(Piece { before: self.before(from), from: self.get(from), to, after: self.after(from + 1) })
    }

    /// How fast the motion turns or changes its pace at the newest snapshot, per second: 0 for one that goes straight on,
    /// for one that says how fast it moves, and while too little is known.
    pub fn bends(&self) -> f64 {
        let at = self.len - 1;
        let node = self.get(at);
        let (Some(middle), None) = (self.before(at), &node.report.velocity) else { return 0.0 };
        let Some(first) = self.before(at - 1) else { return 0.0 };
        let (h0, h1) = (middle.sent - first.sent, node.sent - middle.sent);
        // Of stamps at about the same time nothing can be told.
        if h0 < CLOSE * h1 || h1 < CLOSE * h0 {
            return 0.0;
        }
        let (was, is) = (slope(first, middle), slope(middle, node));
        let alike = |square_was: f64, both: f64, square_is: f64| {
            let share = both / square_was.max(square_is);
            if share < 1.0 { share.max(0.0) } else { 1.0 } // alike for NaN too
        };
        let (w, b, i) = (T::inner(&was, &was), T::inner(&was, &is), T::inner(&is, &is));
        // What moves is judged by its way, what only turns by its turn.
        let alike = if w.length > 0.0 || i.length > 0.0 {
            alike(w.length, b.length, i.length)
        } else {
            alike(w.angle, b.angle, i.angle)
        };
        (BENDS * sqrt(1.0 - alike) / h1).min(f64::MAX)
    }

    pub fn is_newest(&self, at: usize) -> bool {
        at + 1 == self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn node(sent: f64) -> Node<f64> {
        Node { sent, report: Report::new(10.0 * sent), gone: false, jumped: false }
    }

    #[test]
    fn a_full_store_keeps_the_two_snapshots_that_the_picture_stands_on() {
        let mut store = Store::<f64, 4>::new(node(0.0));
        (1..9).for_each(|sent| _ = store.put(node(f64::from(sent)), true));
        let sent: Vec<f64> = store.iter().map(|node| node.sent).collect();
        assert_eq!(sent, [0.0, 1.0, 7.0, 8.0]);
        store.put(node(9.0), false);
        let sent: Vec<f64> = store.iter().map(|node| node.sent).collect();
        assert_eq!(sent, [1.0, 7.0, 8.0, 9.0]);
    }

    fn at(sent: f64, place: [f64; 2]) -> Node<[f64; 2]> {
        Node { sent, report: Report::new(place), gone: false, jumped: false }
    }

    fn through(nodes: [Node<[f64; 2]>; 3]) -> Store<[f64; 2], 4> {
        let [first, middle, last] = nodes;
        let mut store = Store::new(first);
        store.put(middle, false);
        store.put(last, false);
        store
    }

    #[test]
    fn what_turns_or_stops_bends_and_what_goes_straight_on_does_not() {
        let bends = |a, b, c| through([at(0.0, a), at(0.1, b), at(0.2, c)]).bends();
        assert_eq!(bends([0.0, 0.0], [1.0, 0.0], [2.0, 0.0]), 0.0);
        assert_eq!(bends([5.0, 5.0], [5.0, 5.0], [5.0, 5.0]), 0.0); // rests
        let full = BENDS / 0.1;
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        close(bends([0.0, 0.0], [1.0, 0.0], [1.0, 1.0]), full); // around the corner
        close(bends([0.0, 0.0], [1.0, 0.0], [0.0, 0.0]), full); // back
        close(bends([0.0, 0.0], [1.0, 0.0], [1.0, 0.0]), full); // stops
        close(bends([0.0, 0.0], [1.0, 0.0], [1.75, 0.0]), 0.5 * full); // slower by a quarter
        close(bends([0.0, 0.0], [0.75, 0.0], [1.75, 0.0]), 0.5 * full); // faster
        // Numbers that cannot be squared.
        let huge = bends([0.0, 0.0], [1e200, 0.0], [2e200, 0.0]);
        assert!((0.0..=f64::MAX).contains(&huge), "{huge}");
    }

    #[test]
    fn what_bends_is_not_asked_of_cuts_reported_velocities_and_stamps_close_together() {
        let corner = [at(0.0, [0.0, 0.0]), at(0.1, [1.0, 0.0]), at(0.2, [1.0, 1.0])];
        assert!(through(corner.clone()).bends() > 0.0);
        for (i, change) in [(0, true), (1, true), (2, true), (2, false)] {
            let mut nodes = corner.clone();
            if change {
                nodes[i].report.epoch = 1;
            } else {
                nodes[i].report.velocity = Some([0.0, 1.0]);
            }
            assert_eq!(through(nodes).bends(), 0.0, "{i} {change}");
        }
        let [first, middle, last] = corner;
        assert_eq!(
            through([first.clone(), Node { sent: 0.005, ..middle.clone() }, last.clone()]).bends(),
            0.0
        );
        assert_eq!(through([first, Node { sent: 0.195, ..middle }, last]).bends(), 0.0);
    }

    #[test]
    fn a_way_that_leads_nowhere_has_one_value_but_at_its_ends() {
        use crate::blend::{Pose, Rotation};
        let mut seed = 11u64;
        let mut roll = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f32 / (1u32 << 24) as f32 * 2.0 - 1.0
        };
        for _ in 0..2000 {
            let turn = Rotation::from_axis_angle([roll(), roll(), roll()], 3.0 * roll());
            let pose = Pose::new([100.0 * roll(), roll(), if roll() > 0.0 { 0.0 } else { -0.0 }], turn);
            let node = |sent| Node { sent, report: Report::new(pose), gone: false, jumped: false };
            let (from, to) = (node(1.0), node(1.05));
            let piece = Piece { before: None, from: &from, to: &to, after: None };
            let way = piece.way(0.05);
            let bits = |fraction| {
                let pose = way.value(fraction);
                (pose.position.map(f32::to_bits), pose.rotation.to_array().map(f32::to_bits))
            };
            let fraction = ((roll() + 1.0) * 32000.0) as u16 + 1;
            assert!(way.stays(fraction) && !way.stays(0) && !way.stays(65535));
            assert_eq!(bits(fraction), bits(1));
            assert_eq!(bits(fraction), bits(65534));
        }
        let moving = [at(1.0, [0.0, 0.0]), at(1.05, [0.0, 1.0])];
        let piece = Piece { before: None, from: &moving[0], to: &moving[1], after: None };
        assert!(!piece.way(0.05).stays(300));
    }

    #[test]
    fn whatever_comes_the_store_holds_what_a_sorted_list_would() {
        let mut seed = 5u64;
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % sides
        };
        let mut store = Store::<f64, 6>::new(node(3.0));
        let mut list = Vec::from([3.0]);
        for k in 0..20_000u64 {
            let (sent, needs) = ((k / 3 + roll(9)) as f64, roll(2) == 0);
            let place = list.iter().filter(|&&other| other <= sent).count();
            let expected = if list.contains(&sent) {
                Put::Duplicate
            } else if list.len() < 6 {
                list.insert(place, sent);
                Put::In
            } else if place == 0 {
                Put::TooOld
            } else {
                list.insert(place, sent);
                list.remove(if needs && place > 2 { 2 } else { 0 });
                Put::Evicting
            };
            assert_eq!(store.put(node(sent), needs), expected, "{k}: {sent} into {list:?}");
            assert!(
                store
                    .iter()
                    .map(|node| (node.sent, node.report.value))
                    .eq(list.iter().map(|&s| (s, 10.0 * s)))
            );
        }
    }
}
