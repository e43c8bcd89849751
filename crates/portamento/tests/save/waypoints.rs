//! A saved walk, and what steers it.

use super::refused;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{Constraint, Quantum, Sticky, Surroundings, WaypointRules, Waypoints};

#[test]
fn a_saved_walk_with_its_frames_at_the_end_of_their_counter_goes_on() {
    let mut saved = serde_json::to_value(Waypoints::<8>::default()).unwrap();
    *saved.pointer_mut("/frames").unwrap() = u32::MAX.into();
    let mut walk: Waypoints<8> = serde_json::from_value(saved).unwrap();
    let (rules, body) = (WaypointRules::client(), Pose64::at([0.0; 3]));
    let _ = walk.enqueue(&rules, &body, &Pose64::at([1.0, 0.0, 0.0]), false, 100.0).unwrap();
    let quantum = Quantum { dt: 0.03, max_speed: 4.0, contact: true, sticky: false };
    assert!(walk.adjust(&rules, &body, &quantum).unwrap().is_some());
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    let rules = WaypointRules::client();
    let sticky = Sticky::to(&rules, [0.0; 3], 1.0, 0.0).unwrap();
    refused(&sticky, "/radii", -1.0, "distance -1");
    let leash = Constraint::new(&rules, [0.0; 3], [1.0; 3], Surroundings::Outdoors).unwrap();
    refused(&leash, "/travelled", -1.0, "distance -1");
    let no_rotation = Pose64 { rotation: Rotation { x: 0.0, y: 0.0, z: 0.0, w: 9.0 }, ..Pose64::default() };
    let placed = serde_json::to_value(no_rotation).unwrap();
    refused(&Waypoints::<8>::default(), "/blip_to", placed, "no unit quaternion");
    refused(&Waypoints::<8>::default(), "/baseline", -1.0, "distance -1");
}
