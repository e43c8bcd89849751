//! A saved walk, and what steers it.

use super::refused;
use portamento::blend::{Pose64, Rotation};
use portamento::remote::waypoints::{RemoteBody, WaypointReport, WaypointRules, WaypointTick, Waypoints};

#[test]
fn a_saved_walk_with_its_frames_at_the_end_of_their_counter_goes_on() {
    let mut saved = serde_json::to_value(Waypoints::<(), 8>::default()).unwrap();
    *saved.pointer_mut("/frames").unwrap() = u32::MAX.into();
    let mut walk: Waypoints<(), 8> = serde_json::from_value(saved).unwrap();
    let (rules, body) = (WaypointRules::y_up(), Pose64::at([0.0; 3]));
    let _ = walk.enqueue(&rules, &body, &WaypointReport::new(0, Pose64::at([1.0, 0.0, 0.0]))).unwrap();
    assert!(walk.step(&rules, &body, &WaypointTick::new(0.03, 4.0)).unwrap().is_some());
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    let rules = WaypointRules::y_up();
    let mut body: RemoteBody = RemoteBody::new();
    let _ = body.report(&rules, &WaypointReport::new(1, Pose64::at([0.0; 3])), 10.0).unwrap();
    body.stick_to(&rules, [5.0, 0.0, 0.0], 1.0).unwrap();
    body.frame(&rules, 0.01, 10.0);
    refused(&body, "/sticky/radii", -1.0, "distance -1");
    refused(&body, "/leash/travelled", -1.0, "distance -1");
    refused(&body, "/activity/state/Woken", -1.0, "distance -1");
    refused(&body, "/activity/skipped", -1.0, "distance -1");
    refused(&body, "/ticking", 0.0, "a tick of 0 s");
    let no_rotation = Pose64 { rotation: Rotation { x: 0.0, y: 0.0, z: 0.0, w: 9.0 }, ..Pose64::default() };
    let placed = serde_json::to_value(no_rotation).unwrap();
    refused(
        &Waypoints::<(), 8>::default(),
        "/blip_to",
        vec![placed, serde_json::Value::Null],
        "not a unit quaternion",
    );
    refused(&Waypoints::<(), 8>::default(), "/baseline", -1.0, "distance -1");
}
