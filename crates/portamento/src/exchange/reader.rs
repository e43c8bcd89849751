//! What does the drawing side do?

use super::block::Found;
use super::memory::Image;
use super::protocol::{ReadSide, Survey};
use super::world::{Place, WorldFrame};
use super::{ExchangePose, TickStamp, WriterState};
use crate::blend::Pose;
use crate::playhead::{Kept, Playhead, Shown};

/// How often a reader looks again when the writer overtook it between looking and claiming. That takes K ticks
/// within some hundred nanoseconds, or a reader that lost its core just there; several times in a row it is a
/// writer without any pause.
const ATTEMPTS: u32 = 8;
/// The two ticks of this frame, the two of the frame before, and one for [`Reader::latest`].
const COPIES: usize = 5;

/// The side that draws: [`frame`](Reader::frame) gives the world at the moment that its playhead chooses.
///
/// Reading never waits for the writer and never disturbs it. Every tick is copied once, and what a frame shows is read
/// from these copies. Memory is allocated when the reader is made, never afterwards.
///
/// ```
/// use portamento::blend::Pose;
/// use portamento::exchange::{self, Shape};
///
/// let (mut writer, mut reader) = exchange::pair(Shape::entities(10), 10.0)?;
/// assert!(reader.frame(0.0).is_none(), "nothing to draw yet");
/// for tick in 0..5 {
///     writer.set(7, Pose::at([tick as f32, 0.0, 0.0]))?;
///     writer.publish(0.1 * f64::from(tick), 0.1 * f64::from(tick))?;
/// }
/// // In every frame, `now` read from the clock that the writer's `now` comes from:
/// let now = 0.45;
/// if let Some(world) = reader.frame(now) {
///     for entity in world.entities() {
///         println!("draw {} at {:?}", entity.id, entity.pose.position);
///     }
/// }
/// assert_eq!(reader.counts().behind, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<P: ExchangePose = Pose> {
    side: ReadSide,
    playhead: Playhead,
    /// Sequence number and stamp of the last tick that the playhead was told of.
    told: Option<(u32, TickStamp)>,
    /// Sequence number of the newest tick that any call has met, so that a wait is for a newer one.
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    seen: Option<u32>,
    pub(super) copies: [TickCopy; COPIES],
    /// Where this frame and the one before lie.
    current: Option<Place>,
    /// What the last frame showed, and where the one before it lies.
    last: Option<(Shown, Option<Place>)>,
    counts: ReaderCounts,
    pose: core::marker::PhantomData<P>,
}

/// A tick that is ours.
#[derive(Debug)]
pub(super) struct TickCopy {
    pub image: Image,
    pub tick: Option<Found>,
    /// Run and number of the table in `image`.
    table: Option<(u64, u64)>,
}

impl TickCopy {
    fn holds(&self, tick: &Found) -> bool {
        self.tick.is_some_and(|own| own.stamp == tick.stamp)
    }
}

/// Counts of missed ticks, new runs and frames that could not be as new as wanted, since the reader attached. They never
/// shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderCounts {
    /// Ticks that were overwritten before this reader saw them.
    pub missed: u64,
    /// New runs of the writer after the first one.
    pub restarts: u64,
    /// Frames for a moment before the oldest tick that is kept; they show the oldest. Mostly those of
    /// [`Reader::at`]: the playhead of [`Reader::frame`] keeps to what can be read.
    pub behind: u64,
    /// Frames that show the ticks of the frame before because the writer overtook every attempt to read newer ones.
    pub overtaken: u64,
    /// Directory words and stamps in the block that no writer that keeps to the protocol can have written, once per
    /// read that met them.
    pub nonsense: u64,
}

impl<P: ExchangePose> Reader<P> {
    pub(super) fn new(side: ReadSide, playhead: Playhead) -> Self {
        let layout = *side.block().layout();
        assert_eq!(layout.shape.f64_positions, P::IS_F64, "checked before");
        let copy = || TickCopy { image: Image::new(layout.slot_bytes), tick: None, table: None };
        Self {
            side,
            playhead,
            told: None,
            #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
            seen: None,
            copies: core::array::from_fn(|_| copy()),
            current: None,
            last: None,
            counts: ReaderCounts::default(),
            pose: core::marker::PhantomData,
        }
    }

    pub(super) fn layout(&self) -> &super::offsets::Layout {
        self.side.block().layout()
    }

    /// Returns the counts of missed ticks, new runs and frames that could not be as new as wanted.
    #[must_use]
    pub fn counts(&self) -> ReaderCounts {
        self.counts
    }

    /// Returns the playhead that chooses what is drawn, for its counters and the estimated clock of the writer.
    #[must_use]
    pub fn playhead(&self) -> &Playhead {
        &self.playhead
    }

    /// Returns what the writer last reported of itself. One that was killed reports nothing any more: check
    /// [`TickStamp::age`] of the newest tick too.
    #[must_use]
    pub fn writer(&self) -> WriterState {
        self.side.block().state()
    }

    /// Returns the world to draw at `now`, in seconds, which is read from the clock that the writer's `now` comes from.
    /// `None` before the first tick.
    ///
    /// Call it once per frame. It informs the playhead of new ticks, of the writer's time scale and of restarts.
    pub fn frame(&mut self, now: f64) -> Option<WorldFrame<'_, P>> {
        let survey = self.survey();
        self.tell(&survey);
        let kept = self.kept(&survey);
        let shown = self.playhead.advance_within(now, kept)?;
        self.show(survey, shown)
    }

    /// Returns the world at a moment that you chose yourself, such as that of a replay. `None` before the first tick, and
    /// for a moment that is NaN. For a playhead with settings of your own give that to
    /// [`Exchange::reader`](super::Exchange::reader).
    pub fn at(&mut self, shown: Shown) -> Option<WorldFrame<'_, P>> {
        if shown.at.is_nan() {
            return None;
        }
        let survey = self.survey();
        self.show(survey, shown)
    }

    /// Returns the newest tick as it was published, without interpolation. `None` before the first one.
    pub fn latest(&mut self) -> Option<WorldFrame<'_, P>> {
        let mut survey = self.survey();
        // Its copy may take the place of what the frame before the last one was drawn from.
        self.last = None;
        for _ in 0..ATTEMPTS {
            let newest = survey.iter().next_back().copied();
            if let Some([place, _]) = newest.and_then(|newest| self.fetch([newest; 2])) {
                let stamp = self.copies[place].tick?.stamp;
                let place = Place { from: place, to: place, arrived: true, alpha: 1.0, extrapolated: 0.0 };
                return Some(WorldFrame::new(self, Shown::still(stamp.simulated), place, None));
            }
            if newest.is_none() && !survey.overtaken {
                return None;
            }
            survey = self.survey();
        }
        self.counts.overtaken += 1;
        None
    }

    /// Returns the world of the last frame once more, for code that is not where [`frame`](Reader::frame) was called.
    /// `None` before the first frame, and after [`latest`](Reader::latest) until the next one.
    #[must_use]
    pub fn again(&self) -> Option<WorldFrame<'_, P>> {
        let (place, (shown, before)) = self.current.zip(self.last)?;
        Some(WorldFrame::new(self, shown, place, before))
    }

    /// Informs `playhead` of every tick that is new since the last call of this or of `frame`, as `frame` does its own.
    #[cfg(all(test, not(loom)))]
    pub(super) fn feed(&mut self, playhead: &mut Playhead) {
        core::mem::swap(&mut self.playhead, playhead);
        let survey = self.survey();
        self.tell(&survey);
        core::mem::swap(&mut self.playhead, playhead);
    }

    /// The stamps of all ticks that can be read now, oldest first. Just after a restart they belong to two runs.
    #[cfg(all(test, not(loom)))]
    pub(super) fn stamps(&mut self) -> alloc::vec::Vec<TickStamp> {
        self.survey().iter().map(|tick| tick.stamp).collect()
    }

    fn survey(&mut self) -> Survey {
        let survey = self.side.survey();
        self.counts.nonsense += survey.nonsense;
        #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
        if let Some(newest) = survey.iter().next_back() {
            self.seen = Some(newest.sequence);
        }
        survey
    }

    fn tell(&mut self, survey: &Survey) {
        for tick in survey.iter() {
            let stamp = tick.stamp;
            let mut missed = 0;
            if let Some((sequence, last)) = self.told {
                // Runs follow each other with growing numbers, and so do the ticks of a run.
                if (stamp.run, stamp.tick) <= (last.run, last.tick) {
                    continue;
                }
                missed = tick.sequence.wrapping_sub(sequence).wrapping_sub(1);
                self.counts.missed += u64::from(missed);
                if stamp.run != last.run {
                    self.counts.restarts += 1;
                    self.playhead.restart();
                }
            }
            self.told = Some((tick.sequence, stamp));
            // A tick without simulated time only reports another speed, or what was edited during a pause.
            if self.playhead.newest() != Some(stamp.simulated) {
                let _ = self.playhead.observe_after(stamp.published, stamp.simulated, missed > 0);
            }
            self.playhead.set_time_scale(stamp.published, stamp.scale);
        }
    }

    /// From where on the writer's run can be read; `None` as long as all of it can. Where many ticks stand for the oldest
    /// moment (edits during a pause), that is not about to go.
    fn kept(&self, survey: &Survey) -> Option<Kept> {
        let run = self.told?.1.run;
        let mut ticks = survey.iter().map(|tick| tick.stamp);
        let (oldest, next) = ticks.next().zip(ticks.next())?;
        let full = 2 + ticks.count() == self.layout().shape.ticks
            && oldest.run == run
            && oldest.simulated < next.simulated;
        full.then_some(Kept { oldest: oldest.simulated, next: next.simulated })
    }

    fn show(&mut self, mut survey: Survey, shown: Shown) -> Option<WorldFrame<'_, P>> {
        let at = shown.at;
        let run = self.told.map(|(_, stamp)| stamp.run);
        for _ in 0..ATTEMPTS {
            let pair = pair_around(&survey, run, at);
            if let Some([from, to]) = pair.and_then(|pair| self.fetch(pair)) {
                let place = Place::new(&self.copies, from, to, shown);
                let previous = self.current.replace(place);
                self.last = Some((shown, previous));
                self.counts.behind += u64::from(pair.is_some_and(|pair| pair[0].stamp.simulated > at));
                return Some(WorldFrame::new(self, shown, place, previous));
            }
            if pair.is_none() && !survey.overtaken {
                return None;
            }
            survey = self.survey();
        }
        // The ticks of the frame before are ours still.
        self.counts.overtaken += 1;
        let Place { from, to, .. } = self.current?;
        let place = Place::new(&self.copies, from, to, shown);
        let previous = self.current.replace(place);
        self.last = Some((shown, previous));
        Some(WorldFrame::new(self, shown, place, previous))
    }

    /// Makes these ticks ours and returns where they are.
    fn fetch(&mut self, ticks: [Found; 2]) -> Option<[usize; 2]> {
        let same = ticks[0].stamp == ticks[1].stamp;
        let known = ticks.map(|tick| self.copies.iter().position(|copy| copy.holds(&tick)));
        let drawn = self.current.map(|place| [place.from, place.to]);
        // At most four of the five are taken: two by the frame before, two by this one.
        let taken =
            |index: &usize| drawn.is_some_and(|drawn| drawn.contains(index)) || known.contains(&Some(*index));
        let mut spare = (0..COPIES).filter(|index| !taken(index));
        let from = known[0].or_else(|| spare.next())?;
        let to = if same { from } else { known[1].or_else(|| spare.next())? };
        let fresh = [known[0].is_none(), known[1].is_none() && !same];
        if fresh == [false; 2] {
            return Some([from, to]);
        }
        fn target(copy: &mut TickCopy) -> (&mut Image, Option<(u64, u64)>) {
            copy.tick = None;
            (&mut copy.image, copy.table.take())
        }
        let copied = if same {
            self.side.copy([(&ticks[0], Some(target(&mut self.copies[from]))), (&ticks[1], None)])
        } else {
            let [first, second] = self.copies.get_disjoint_mut([from, to]).ok()?;
            self.side.copy([
                (&ticks[0], fresh[0].then(|| target(first))),
                (&ticks[1], fresh[1].then(|| target(second))),
            ])
        };
        for (which, index) in [from, to].into_iter().enumerate().filter(|(which, _)| copied && fresh[*which])
        {
            self.copies[index].tick = Some(ticks[which]);
            self.copies[index].table = Some((ticks[which].stamp.run, ticks[which].table));
        }
        copied.then_some([from, to])
    }

    /// Sleeps until a tick is published that is newer than what the last [`frame`](Reader::frame),
    /// [`latest`](Reader::latest) or [`at`](Reader::at) met, or `timeout` has passed. Returns whether there is one. For programs that have nothing to do between ticks; a renderer need not wait.
    #[cfg(all(feature = "process", target_os = "linux", not(loom)))]
    pub fn wait(&mut self, timeout: core::time::Duration) -> bool {
        use super::offsets::header;
        use super::sync::{Ordering, fence};
        let until = std::time::Instant::now() + timeout.min(core::time::Duration::from_secs(1 << 30));
        let block = self.side.block();
        let seen = self.seen;
        let news = || {
            let latest = block.latest();
            match seen {
                Some(seen) => latest != seen,
                None => block.word(block.layout().entry(latest)).load(Ordering::Relaxed) != 0,
            }
        };
        let mut there = news();
        while !there {
            let Some(left) = until.checked_duration_since(std::time::Instant::now()) else { break };
            let latest = block.latest();
            self.side.waiting().store(1, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if !news() {
                super::wake::sleep_while(block.word(header::LATEST), latest, left);
            }
            self.side.waiting().store(0, Ordering::Relaxed);
            there = news();
        }
        there
    }
}

/// The last two ticks of which the older is not after `at`. Of several ticks for the same moment the last counts.
fn pair_around(survey: &Survey, told: Option<u64>, at: f64) -> Option<[Found; 2]> {
    let newest = survey.iter().next_back()?.stamp.run;
    // A playhead that has not heard of a restart does not meet its ticks.
    let run = told.filter(|run| survey.iter().any(|tick| tick.stamp.run == *run)).unwrap_or(newest);
    survey.iter().filter(|tick| tick.stamp.run == run).fold(None, |pair, tick| match pair {
        // The oldest is drawn unblended until the playhead has come that far.
        None => Some([*tick; 2]),
        Some([from, to]) if tick.stamp.simulated <= to.stamp.simulated => {
            Some([if from.sequence == to.sequence { *tick } else { from }, *tick])
        }
        Some([_, to]) if to.stamp.simulated <= at => Some([to, *tick]),
        found => found,
    })
}
