//! Smooth motion for [Bevy](https://bevy.org): what happens in `FixedUpdate` is drawn between its ticks.
//!
//! # What does my system see?
//!
//! | where | [`Transform`] | [`GlobalTransform`] of smooth entities and their descendants |
//! |---|---|---|
//! | `First`, `PreUpdate`, `Update`, `Last` | the truth | the picture: what was drawn last |
//! | `FixedFirst` to `FixedLast`, and every [`SimulatingSchedule`] | the truth | the truth, as Bevy's last propagation would have left it without the plugin |
//! | `PostUpdate`, before `TransformSystems::Propagate` | the truth | the picture: what was drawn last |
//! | `PostUpdate`, after it; rendering | the truth | the picture: what is drawn now |
//!
//! | you write | use |
//! |---|---|
//! | a camera | [`ChaseTarget`], or [`Views::global`]: where the target will be drawn in this frame |
//! | a label on the screen, a sound | `GlobalTransform` after propagation |
//! | a label with a `Transform` of its own | as a child; or [`Views::global`], as for a camera |
//! | a ray from the cursor, picking | `GlobalTransform`: what the player sees |
//! | AI, shooting, physics | the fixed schedules, and `Transform` or `GlobalTransform` there |
//! | replication, saving | `Transform`, anywhere |
//! | the truth in the world, outside of ticks | Bevy's `TransformHelper`, which computes it from `Transform` |
//!
//! A camera that copies `Transform` in `Update` copies the truth, which jumps from tick to tick. Replace
//! `target.translation` by `views.global(target)?.translation()`.
//!
//! # What is this?
//!
//! A game that simulates at a fixed timestep stutters on every display with another rate. This plugin interpolates
//! entities between their last two ticks, and the simulation does not change:
//!
//! - **`Transform` stays the truth, in every schedule, to the bit**, and so do its change ticks. Physics, game logic and
//!   the network run as they would without the plugin.
//! - **Write a `Transform` wherever you like.** What `Update` writes is drawn at once; the tick's own motion goes on
//!   below it. A player who looks around with the mouse does not lose a step.
//! - **A jump is a jump.** [`Cut`] for teleports; spawning never slides.
//! - **Rest is exact.** What stands still costs next to nothing and reports no change.
//! - **Hierarchies work**: children of smooth entities, smooth children of smooth parents, new parents, also in place. (In the
//!   frame of a new parent, `GlobalTransform` of the entity, its descendants and the new parent is the truth until
//!   propagation, because Bevy's in-place methods read it.)
//! - **A pause is a pause.** While `Time<Virtual>` stands still, what is written is drawn just as written.
//! - **A sprite may turn round** by `scale.x = -1.0`: that changes at the end of its tick, and the place goes on.
//!
//! # Getting started
//!
//! Add [`PortamentoPlugin`], and [`Smooth`] to whatever moves in the fixed schedules. That is all. For avian's bodies one
//! line does the latter: `PortamentoAvianPlugin` (feature `avian`).
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_portamento::prelude::*;
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
//! fn walk(mut players: Query<&mut Transform, With<Smooth>>) {
//!     for mut transform in &mut players {
//!         transform.translation.x += 1.0;
//!     }
//! }
//! ```
//!
//! Mark teleports, in the tick or anywhere else: insert [`Cut`], or `commands.entity(e).cut()` by [`CutCommand`].
//!
//! # Advanced
//!
//! - **Parts**: `Smooth { rotation: false, ..default() }`.
//! - **The moment**: [`FrameMoment`] is where between two ticks this frame lies, and by how much time the picture
//!   advanced. Shaders, particles and sounds that belong to the picture should use that.
//! - **Velocities**: with [`SmoothVelocity`], ticks are joined by cubics.
//! - **A moving origin**: [`Rebase`] moves the whole world, and nothing moves on the screen.
//! - **A new parent that you convert to by hand** (Bevy's `set_parent_in_place` does it for you): write the new numbers
//!   after the parent or in one bundle with it, not before. What is written before it can be the last motion in the old
//!   space.
//! - **Order**: [`PortamentoSystems`] are the sets to order systems by. Motion is interpolated if it is written after
//!   [`PortamentoSystems::Begin`] in `FixedFirst` and before [`PortamentoSystems::End`] in `FixedLast`.
//! - **Cost in ticks**: [`PortamentoSettings::truth_for_descendants`] can be switched off.
//! - **Motion vectors**: Bevy takes the previous frame's transforms from `GlobalTransform` in `PreUpdate`, where it is the
//!   picture. Nothing to do.
//! - **Change detection**: `Changed<Transform>` fires for writes alone. `Changed<GlobalTransform>` fires wherever the
//!   picture changed, so that renderers see everything and nothing twice; the truth that ticks see is not marked.
//!
//! # How it works
//!
//! ```text
//!  First, PreUpdate   RunFixedMainLoop                        Update     PostUpdate                       Last, rendering
//!  ────────────────   ─────────────────────────────────────   ────────   ──────────────────────────────   ───────────────
//!  Transform  truth   truth     ticks write it       truth    truth      view ─ Propagate ─ truth         truth
//!  Global…  PICTURE   truth ─────────────────────  PICTURE    PICTURE    ────── next PICTURE ──────────   PICTURE
//! ```
//!
//! The first system of a tick remembers where everything is, the last one where it has got to. A frame draws
//! `Transform` minus the part of the last tick's change that is not yet played. So the picture is up to one tick
//! behind, never ahead; and what other systems add to a `Transform` is added to the picture as well, number by number.
//!
//! Drawing is one exclusive step: the views are written into `Transform`, Bevy propagates them, and the truth is put back
//! with its change ticks. No other system runs meanwhile, so none sees a view in `Transform`. For that the plugin runs
//! Bevy's systems of transform propagation itself, in their place in `PostUpdate`. Smooth entities without parent and
//! children take no part in that: their view is written into `GlobalTransform`, and the truth beside it. (So Bevy's
//! `TransformTreeChanged`, which is about trees, is not marked for them.)
//!
//! Ticks that are run at another time, as rollback does, find the truth too.
//!
//! # When not to use this
//!
//! - What moves in `Update`, by the frame's own time, is smooth already.
//! - You cannot afford one tick of latency. Drawing between two known ticks always has it; a higher tick rate makes it less.
//! - Ticks and `Update` write the same number against each other: what a tick moves into a wall and `Update` takes out of
//!   it trembles by that much, because both are drawn. Take it out in the tick.
//! - Entities of another clock (a server's, another thread's) need more than the last tick: see `portamento::remote` and
//!   `portamento::playhead`, and write what they draw to `Transform` in `Update`, without [`Smooth`].
//! - Another plugin smooths the same entity (bevy_transform_interpolation, or avian's interpolation, which is the same):
//!   choose one. Both on one entity are reported once.
//!
//! Known limits: a plain descendant of a smooth entity that is written between propagation and the ticks (in `Last`,
//! `First` or `PreUpdate`) has its old place in the ticks of that frame only to within rounding, not to the bit; below
//! a scale of zero it has its new place there. What Bevy itself leaves behind while a parent is disabled is propagated
//! as soon as the picture of something above it moves, which may be a few frames earlier than without the plugin; so
//! are children of what is hidden or loses [`Smooth`] below something hidden. Below uneven scales a place cannot be
//! converted exactly to another parent's space. A `Transform` that gets another parent and then new numbers is drawn as
//! if in place if it is far nearer to that, or has more of its numbers. Outside of ticks, do not call
//! `remove_parent_in_place` for an entity without a parent: Bevy then copies `GlobalTransform`, the picture, into
//! `Transform`, and the plugin cannot notice. `spawn(transform).set_parent_in_place(parent)` has no place yet that
//! could be kept (Bevy takes the origin for it), and takes the parent's from the picture; spawn it with `ChildOf`
//! instead. Outside of ticks a clone's children have the picture until propagation. A marker that disables entities
//! must be registered before the plugin is added, or after the first frame.
//!
//! # Features
//!
//! | feature | default | what it brings |
//! |---|---|---|
//! | `std` | yes | as in Bevy's own crates |
//! | `bevy_reflect` | yes | components for inspectors and scenes |
//! | `multi_threaded` | | as in Bevy (whose default features have it): many flat entities are drawn by all threads |
//! | `avian` | | `PortamentoAvianPlugin`, for avian3d 0.7 |
//!
//! [`Transform`]: bevy_transform::components::Transform
//! [`GlobalTransform`]: bevy_transform::components::GlobalTransform

#![no_std]
// On docs.rs, each item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "avian")]
mod avian;
mod between;
mod chase;
mod curve;
mod draw;
mod marks;
mod moment;
mod nodes;
mod outline;
mod parents;
mod played;
mod plugin;
pub mod prelude;
mod rebase;
mod report;
mod rows;
mod scan;
mod simulating;
mod smooth;
mod tick;
mod truth;
mod views;

#[cfg(feature = "avian")]
pub use avian::{AVIAN_JUMP, PortamentoAvianPlugin};
pub use chase::{ChaseRig, ChaseTarget};
pub use curve::SmoothVelocity;
pub use moment::FrameMoment;
pub use plugin::{PortamentoPlugin, PortamentoSettings, PortamentoSystems};
pub use portamento;
pub use rebase::Rebase;
pub use simulating::SimulatingSchedule;
pub use smooth::{Cut, CutCommand, Smooth};
pub use views::Views;
