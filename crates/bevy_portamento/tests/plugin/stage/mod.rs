//! A headless app whose time is ours, and a renderer that looks only at what is marked as changed.
#![allow(dead_code)] // not every test file uses all of it

use bevy_app::{TaskPoolPlugin, prelude::*};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::ScheduleSystem;
use bevy_math::Vec3;
use bevy_portamento::{CutCommand, FrameMoment, PortamentoPlugin};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::prelude::*;
use std::collections::HashMap;
use std::time::Duration;

/// What a renderer has that extracts only what changed.
#[derive(Resource, Default)]
pub struct Screen {
    pub shows: HashMap<Entity, GlobalTransform>,
    /// How many changes it saw in the last frame.
    pub changes: usize,
}

pub fn extract(
    mut screen: ResMut<Screen>,
    changed: Query<(Entity, &GlobalTransform), Changed<GlobalTransform>>,
) {
    screen.changes = 0;
    for (entity, global) in &changed {
        screen.shows.insert(entity, *global);
        screen.changes += 1;
    }
}

pub struct Stage {
    pub app: App,
}

impl Stage {
    /// Bevy alone.
    pub fn bare(hz: f64) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin))
            .insert_resource(Time::<Fixed>::from_hz(hz))
            .init_resource::<Screen>()
            .add_systems(Last, extract);
        Self { app }
    }

    /// Bevy with the plugin, and one frame that takes no time (Bevy's first never does).
    pub fn new(hz: f64) -> Self {
        let mut stage = Self::bare(hz);
        stage.app.add_plugins(PortamentoPlugin);
        stage.frame(0.0);
        stage
    }

    pub fn with<M>(
        mut self,
        schedule: impl ScheduleLabel,
        systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
    ) -> Self {
        self.app.add_systems(schedule, systems);
        self
    }

    pub fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    /// One frame of this many seconds. A system that reads only changes must see everything.
    pub fn frame(&mut self, seconds: f64) {
        let time = Duration::from_secs_f64(seconds);
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(time));
        self.app.update();
        let world = self.app.world_mut();
        let mut all = world.query::<(Entity, &GlobalTransform)>();
        for (entity, global) in all.iter(world) {
            let shown = world.resource::<Screen>().shows.get(&entity);
            assert_eq!(shown, Some(global), "{entity}: a change was not marked");
        }
    }

    pub fn frames(&mut self, count: usize, seconds: f64) {
        for _ in 0..count {
            self.frame(seconds);
        }
    }

    /// How many changes of `GlobalTransform` the last frame brought.
    pub fn changes(&self) -> usize {
        self.app.world().resource::<Screen>().changes
    }

    pub fn truth(&self, entity: Entity) -> Transform {
        *self.app.world().get::<Transform>(entity).unwrap()
    }

    /// What the last frame shows.
    pub fn drawn(&self, entity: Entity) -> GlobalTransform {
        *self.app.world().get::<GlobalTransform>(entity).unwrap()
    }

    pub fn x(&self, entity: Entity) -> f32 {
        self.drawn(entity).translation().x
    }

    pub fn moment(&self) -> FrameMoment {
        *self.app.world().resource::<FrameMoment>()
    }

    pub fn get_mut<T: Component<Mutability = bevy_ecs::component::Mutable>>(
        &mut self,
        entity: Entity,
    ) -> Mut<'_, T> {
        self.app.world_mut().get_mut::<T>(entity).unwrap()
    }

    /// An intended jump.
    pub fn cut(&mut self, entity: Entity) {
        self.app.world_mut().entity_mut(entity).cut();
    }

    /// How many ticks have run.
    pub fn ticks(&self) -> u64 {
        let time = self.app.world().resource::<Time<Fixed>>();
        (time.elapsed().as_nanos() / time.timestep().as_nanos()) as u64
    }
}

/// Goes this many units along x in each tick.
#[derive(Component, Clone, Copy)]
pub struct Goes(pub f32);

pub fn go(mut things: Query<(&mut Transform, &Goes)>) {
    for (mut transform, goes) in &mut things {
        transform.translation.x += goes.0;
    }
}

/// Frame times around `1 / fps`, uneven by up to 30 %.
pub fn uneven(fps: f64, seed: u32) -> impl Iterator<Item = f64> {
    let mut random = seed;
    std::iter::repeat_with(move || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (1.0 + (f64::from(random) / f64::from(u32::MAX) - 0.5) * 0.6) / fps
    })
}

pub fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}

pub fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4 * (1.0 + b.abs())
}

pub fn bits(v: Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}
