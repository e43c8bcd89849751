//! Smooth motion for [Bevy](https://bevy.org): what happens in `FixedUpdate` is drawn between its ticks.
//!
//! # What is this?
//!
//! A game that simulates at a fixed rate stutters on every display that has another. This plugin draws entities between
//! their last two ticks, and does so without the simulation noticing:
//!
//! - **`Transform` stays the truth, in every schedule, to the bit.** What is drawn is put into `GlobalTransform` alone,
//!   at the end of transform propagation, and taken out again before the next ticks. Physics, game logic and the network
//!   run as they would without the plugin.
//! - **Write a `Transform` wherever you like.** What `Update` writes is drawn at once; the tick's own motion goes on
//!   below it. A player who looks around with the mouse does not lose a step.
//! - **A jump is a jump.** [`Smooth::cut`] for teleports; spawning never slides.
//! - **Rest is exact.** What stands still costs next to nothing and reports no change.
//! - **Hierarchies work**: children of smooth entities, smooth children of smooth parents, new parents.
//!
//! # Getting started
//!
//! Add [`PortamentoPlugin`], and [`Smooth`] to whatever moves in the fixed schedules. That is all.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_portamento::{PortamentoPlugin, Smooth};
//! use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
//! use bevy_transform::prelude::*;
//!
//! fn main() {
//!     let mut app = App::new();
//!     app.add_plugins((TimePlugin, TransformPlugin)) // DefaultPlugins have both
//!         .add_plugins(PortamentoPlugin)
//!         .insert_resource(Time::<Fixed>::from_hz(10.0))
//!         .add_systems(Startup, setup)
//!         .add_systems(FixedUpdate, walk);
//! #   app.insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(25)));
//! #   for _ in 0..=6 {
//! #       app.update();
//! #   }
//! #   let world = app.world_mut();
//! #   let (truth, view) = world.query::<(&Transform, &GlobalTransform)>().single(world).unwrap();
//! #   assert_eq!((truth.translation.x, view.translation().x), (1.0, 0.5));
//! #   return; // no window to wait for
//!     app.run();
//! }
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn((Transform::default(), Smooth::default()));
//! }
//!
//! fn walk(mut things: Query<&mut Transform, With<Smooth>>) {
//!     for mut transform in &mut things {
//!         transform.translation.x += 1.0;
//!     }
//! }
//! ```
//!
//! Teleports say so, in the tick or anywhere else: `smooth.cut()`, or `commands.entity(e).cut()` by [`CutCommand`].
//!
//! # Advanced
//!
//! - **Parts**: `Smooth::default().without_rotation()` and its kin.
//! - **A camera that follows** asks [`Views`] in `Update` where its target will be drawn in this frame. For the library's
//!   own cameras ([`portamento::camera`]), [`Views::subject`] is the target and [`FrameMoment`] the time; the example
//!   `chase_camera` shows the whole of it.
//! - **The moment**: [`FrameMoment`] says where between two ticks this frame lies, and by how much time the picture
//!   advanced. Shaders, particles and sounds that belong to the picture should use that.
//! - **Velocities**: with [`SmoothVelocity`], ticks are joined by cubics.
//! - **A moving origin**: [`Rebase`] moves the whole world, unseen.
//! - **Order**: [`PortamentoSystems`] are the sets to order systems by. What should be smoothed must be written after
//!   [`PortamentoSystems::Begin`] in `FixedFirst` and before [`PortamentoSystems::End`] in `FixedLast`; all that lies
//!   between is.
//! - **Motion vectors**: Bevy takes the previous frame's transforms from `GlobalTransform` in `PreUpdate`, where that still
//!   is the view. Nothing to do.
//!
//! # How it works
//!
//! ```text
//!  First, PreUpdate   RunFixedMainLoop                        Update     PostUpdate                     Last, rendering
//!  ────────────────   ─────────────────────────────────────   ────────   ────────────────────────────   ───────────────
//!  Transform  truth   truth     ticks write it       truth    truth      truth                          truth
//!  Global…    VIEW    restore ─ truth ──────────── (moment)   truth      Propagate: Bevy's, then VIEW   VIEW
//! ```
//!
//! The first system of a tick remembers where everything is, the last one where it has got to. A frame draws `Transform`
//! minus the part of the last tick's change that is not yet played. So the picture is up to one tick behind, never ahead;
//! and what anybody else adds to a `Transform` is added to the picture as well, number by number.
//!
//! `GlobalTransform` is marked as changed where the picture changed, so that renderers which look only at changes see
//! everything and nothing twice. Putting the truth back is not marked. Physics engines that read `GlobalTransform` or watch
//! it (most do) find it as Bevy left it.
//!
//! Ticks that are run at another time, as rollback does, find the truth too.
//!
//! # When not to use this
//!
//! - What moves in `Update`, by the frame's own time, is smooth already.
//! - You cannot bear to be one tick late. Drawing between two known ticks always is; a higher tick rate makes it less.
//! - Ticks and `Update` write the same number against each other: what a tick moves into a wall and `Update` takes out of
//!   it trembles by that much, for each of the two is drawn. Take it out in the tick.
//! - You need `GlobalTransform` to be the truth while rendering, say for picking by physics: ask `Transform`, or look
//!   between `RunFixedMainLoop` and `PostUpdate`.
//! - Things of another clock (a server's, another thread's) need more than the last tick: see `portamento::remote` and
//!   `portamento::playhead`, and write what they draw to `Transform` in `Update`, without [`Smooth`].
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `std` | yes | as in Bevy's own crates |
//! | `multi_threaded` | | as in Bevy (whose default features have it): many flat entities are drawn by all threads |
//! | `bevy_reflect` | | components for inspectors and scenes |

#![no_std]

mod between;
mod curve;
mod moment;
mod plugin;
mod rebase;
mod rows;
mod smooth;
mod tick;
mod tree;
mod view;
mod views;

pub use curve::SmoothVelocity;
pub use moment::FrameMoment;
pub use plugin::{PortamentoPlugin, PortamentoSystems};
pub use portamento;
pub use rebase::Rebase;
pub use smooth::{CutCommand, Smooth};
pub use views::Views;

/// The README's examples are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
