//! `#[derive(Blend)]`: every attribute, every shape of struct.
#![cfg(feature = "derive")]

use portamento::blend::{Blend, Rotation};

#[derive(Clone, Debug, PartialEq, Blend)]
struct Everything<T: Clone> {
    position: [f32; 3],
    height: f64,
    #[blend(angle)]
    yaw: f32,
    #[blend(angle)]
    pitch: f64,
    #[blend(slerp)]
    gun: Rotation,
    #[blend(snap)]
    name: &'static str,
    #[blend(with = floor_of)]
    counter: f32,
    own: T,
}

fn floor_of(from: &f32, to: &f32, alpha: f64) -> f32 {
    (from + (to - from) * alpha as f32).floor()
}

#[derive(Clone, Debug, PartialEq, Blend)]
struct Pair(f32, #[blend(snap)] bool);

#[derive(Clone, Debug, PartialEq, Blend)]
struct Nothing;

fn ends() -> (Everything<f32>, Everything<f32>) {
    let from = Everything {
        position: [0.0; 3],
        height: 1.0,
        yaw: 3.0,
        pitch: -3.0,
        gun: Rotation::IDENTITY,
        name: "before",
        counter: 0.0,
        own: 4.0,
    };
    let to = Everything {
        position: [2.0, 4.0, 6.0],
        height: 3.0,
        yaw: -3.0,
        pitch: 3.0,
        gun: Rotation::from_axis_angle([0.0, 0.0, 1.0], 2.0),
        name: "after",
        counter: 3.0,
        own: 8.0,
    };
    (from, to)
}

#[test]
fn every_attribute_blends_its_own_way() {
    let (from, to) = ends();
    let half = from.blend(&to, 0.5);
    assert_eq!(half.position, [1.0, 2.0, 3.0]);
    assert_eq!(half.height, 2.0);
    assert!(half.yaw.abs() > 3.0 && half.pitch.abs() > 3.0);
    assert_eq!(half.gun, Rotation::IDENTITY.slerp(to.gun, 0.5));
    assert_eq!(half.name, "before");
    assert_eq!(half.counter, 1.0);
    assert_eq!(half.own, 6.0);
}

#[test]
fn the_ends_are_exact() {
    let (from, to) = ends();
    assert_eq!(from.blend(&to, 0.0), from);
    assert_eq!(from.blend(&to, 1.0), to);
}

#[test]
fn only_plain_fields_are_extrapolated() {
    let (from, to) = ends();
    let further = from.extrapolate(&to, 0.5);
    assert_eq!(further.position, [3.0, 6.0, 9.0]);
    assert_eq!((further.yaw, further.name, further.counter), (to.yaw, "after", 3.0));
}

#[test]
fn tuple_and_unit_structs_work() {
    assert_eq!(Pair(0.0, false).blend(&Pair(1.0, true), 0.5), Pair(0.5, false));
    assert_eq!(Nothing.blend(&Nothing, 0.5), Nothing);
}

/// A crate that re-exports the library, as an engine's plugin does.
mod engine {
    pub use portamento as smooth;
}

#[derive(Clone, Debug, PartialEq, Blend)]
#[blend(crate = engine::smooth)]
struct ThroughAnEngine {
    #[blend(angle)]
    yaw: f32,
    height: f32,
}

#[test]
fn the_library_may_be_reached_through_another_crate() {
    let from = ThroughAnEngine { yaw: 0.0, height: 0.0 };
    assert_eq!(
        from.blend(&ThroughAnEngine { yaw: 1.0, height: 2.0 }, 0.5),
        ThroughAnEngine { yaw: 0.5, height: 1.0 }
    );
}
