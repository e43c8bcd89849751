//! What became of one entity since the frame before?

use super::{Entity, Reading};
use crate::Drawn;
use crate::blend::Pose;

/// One entity from frame to frame, found by the number it was spawned with. It gives what
/// [`Track::draw`](crate::Track::draw) gives, for a camera to follow or motion vectors to be made of.
///
/// ```
/// use portamento::blend::Pose;
/// use portamento::camera::{ChaseCamera, ChaseSettings};
/// use portamento::exchange::{Exchange, Followed, Shape};
/// use portamento::playhead::Playhead;
///
/// let exchange = Exchange::new(Shape::new(10))?;
/// let (mut publisher, mut subscriber) = (exchange.publisher()?, exchange.subscriber()?);
/// let mut playhead = Playhead::at_hz(10.0)?;
/// let mut camera = ChaseCamera::new(ChaseSettings::y_up())?;
/// let mut runner = Followed::new(7);
///
/// let entity = publisher.spawn(7, Pose::default())?;
/// for tick in 0..20 {
///     if tick == 10 {
///         publisher.cut(entity, Pose::at([1000.0, 0.0, 0.0]))?; // a teleport
///     }
///     let now = f64::from(tick) * 0.1;
///     publisher.publish(now, now)?;
///
///     subscriber.feed(&mut playhead);
///     for now in [now, now + 0.05] {
///         let Some(shown) = playhead.advance(now) else { continue };
///         let reading = subscriber.around(shown)?;
///         if let Some(body) = runner.draw(&reading) {
///             let shot = camera.update(shown, body); // learns of the cut from what was drawn
///             assert!(shot.eye[0] == 0.0 || shot.eye[0] == 1000.0, "never between: {:?}", shot.eye);
///         }
///     }
/// }
/// # assert_eq!(camera.shot().eye[0], 1000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    id: u64,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Last {
    /// Of the publisher, the entity and its cuts: while these stay, nothing jumped.
    life: (u64, Entity, u32),
    pose: Pose,
}

impl Followed {
    /// Whoever was spawned with `id`; of several with the same, the one in the first row.
    #[must_use]
    pub const fn new(id: u64) -> Self {
        Self { id, last: None }
    }

    /// What to draw of it, with the frame before it: call it once a frame. `None` while it is not there.
    ///
    /// A cut is also its first frame, a new entity with its number, and a new run of the publisher.
    pub fn draw(&mut self, reading: &Reading<'_>) -> Option<Drawn<Pose>> {
        // Rows stay, so the search is for the first frame, and for those in which nobody is there.
        let known = self.last.and_then(|last| reading.view(last.life.1.row as usize));
        let view = known.filter(|view| view.id == self.id).or_else(|| reading.find(self.id));
        let now =
            view.map(|view| Last { life: (reading.to().run, view.entity, view.cut_epoch), pose: view.pose });
        let before = core::mem::replace(&mut self.last, now);
        let now = now?;
        let cut = before.is_none_or(|before| before.life != now.life);
        Some(Drawn { now: now.pose, before: before.unwrap_or(now).pose, cut })
    }
}
