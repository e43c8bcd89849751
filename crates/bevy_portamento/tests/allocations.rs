//! Law 8: no allocation in a frame. An allocator that counts is the judge.
//!
//! On one thread: where Bevy uses many, it keeps each system that it hands to one in a box.
#![cfg(not(feature = "multi_threaded"))]

#[path = "../../portamento/tests/counting/mod.rs"]
mod counting;
#[path = "plugin/stage/mod.rs"]
mod stage;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_portamento::{Smooth, SmoothVelocity};
use bevy_time::TimeUpdateStrategy;
use counting::allocations;
use stage::{Goes, Stage, at, go};
use std::time::Duration;

#[test]
fn frames_with_flat_things_trees_and_curves_allocate_nothing() {
    let mut stage = Stage::new(30.0).with(FixedUpdate, go);
    for k in 0..500 {
        let thing = stage.spawn((at(k as f32), Smooth::default()));
        stage.spawn((at(1.0), SmoothVelocity::default(), Goes(0.1)));
        if k % 2 == 0 {
            stage.app.world_mut().entity_mut(thing).insert(Goes(1.0));
            let child = stage.spawn((at(1.0), ChildOf(thing)));
            stage.spawn((at(1.0), Smooth::default(), Goes(0.5), ChildOf(child)));
        }
    }
    let frame = Duration::from_micros(8300);
    stage.app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    (0..50).for_each(|_| stage.app.update());
    let asked = allocations(|| (0..100).for_each(|_| stage.app.update()));
    assert_eq!(asked, 0, "in a hundred frames, with ticks and without");
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}
