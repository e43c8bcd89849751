//! Saved cameras.

use super::refused;
use portamento::Moment;
use portamento::blend::Pose;
use portamento::camera::{ChaseCamera, ChaseSettings, FollowCamera, FollowRule, FollowSettings};

#[test]
fn a_camera_of_any_settings_can_be_saved_and_goes_on_the_same() {
    let rules = [
        FollowRule::default(),
        FollowRule::Smooth { rate: [f64::INFINITY; 2] },
        FollowRule::Exponential { smoothing: 0.0, speed: 1.0 },
        FollowRule::Exponential { smoothing: 0.9, speed: 2.0 },
    ];
    let moment = Moment::newest(1.0 / 60.0);
    for rule in rules {
        let settings = FollowSettings { rule, ..FollowSettings::new([640.0, 360.0]) };
        let mut camera = FollowCamera::new(settings).unwrap();
        let _ = camera.update(moment, [0.0, 0.0]);
        let saved = serde_json::to_value(&camera).unwrap();
        assert_eq!(saved.get("rate"), None, "what follows from the settings is not saved");
        let mut again: FollowCamera = serde_json::from_value(saved).unwrap();
        assert_eq!(camera, again);
        assert_eq!(camera.update(moment, [9.0, 5.0]), again.update(moment, [9.0, 5.0]));
    }
    for (rate, height_hold) in [(4.5, None), (f64::INFINITY, Some(f64::INFINITY)), (2.0, Some(0.5))] {
        let settings = ChaseSettings { rate, height_hold, up: [0.0, 2.0, 1.0], ..ChaseSettings::y_up() };
        let mut camera = ChaseCamera::new(settings).unwrap();
        let _ = camera.update(moment, Pose::at([0.0; 3]));
        let saved = serde_json::to_value(&camera).unwrap();
        assert_eq!(saved.get("axes"), None, "what follows from the settings is not saved");
        let mut again: ChaseCamera = serde_json::from_value(saved).unwrap();
        assert_eq!(camera, again);
        let there = Pose::at([1.0, 2.0, 3.0]);
        assert_eq!(camera.update(moment, there), again.update(moment, there));
    }
}

#[test]
fn a_save_is_refused_where_a_constructor_would_refuse() {
    refused(&ChaseCamera::new(ChaseSettings::y_up()).unwrap(), "/settings/distance", -2.0, "-2");
    let follow = FollowCamera::new(FollowSettings::new([640.0, 360.0])).unwrap();
    refused(&follow, "/settings/zoom", 0.0, "0");
    let moment = Moment::newest(1.0 / 60.0);
    let (mut follow, mut chase) = (follow, ChaseCamera::new(ChaseSettings::y_up()).unwrap());
    let _ = (follow.update(moment, [0.0, 0.0]), chase.update(moment, Pose::at([0.0; 3])));
    refused(&follow, "/state/span", 0.0, "0");
    refused(&follow, "/state/centre/0", 1e300, "1e300");
    refused(&chase, "/state/boom/end/0", 1e300, "1e300");
    refused(&chase, "/state/along/2", 3.0, "3");
    refused(&follow, "/settings/rule/Smooth/rate/1", -1.0, "-1");
}
