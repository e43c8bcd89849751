//! A default in the documentation of a setting is the one that the code has.

use std::fmt::Debug;

/// The fields of a struct in `source`, each with its documentation in one line.
fn documented<'a>(source: &'a str, name: &str) -> Vec<(&'a str, String)> {
    let (_, body) =
        source.split_once(&format!("pub struct {name} {{\n")).expect("the struct is in this file");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let (mut fields, mut docs) = (Vec::new(), String::new());
    for line in body.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            docs += text;
        } else if let Some((field, _)) = line.strip_prefix("pub ").and_then(|field| field.split_once(':')) {
            fields.push((field, std::mem::take(&mut docs)));
        }
    }
    fields
}

/// Checks that a field's documentation has `before` and then its value in backticks.
fn expect(fields: &[(&str, String)], field: &str, before: &str, value: &dyn Debug) {
    let (_, docs) = fields.iter().find(|(name, _)| *name == field).expect("the field is in this file");
    let default = format!("{before} `{value:?}`");
    assert!(docs.contains(&default), "`{field}` should say \"{default}\":{docs}");
}

/// Checks every field of the struct but those after `but`, which have no default or refer to another type's. A new
/// field that is not named here does not compile.
macro_rules! check {
    ($source:literal, $name:ident { $($field:ident),* } but { $($other:ident),* } = $value:expr) => {{
        let $name { $($field,)* $($other: _,)* } = $value;
        let fields = documented(include_str!($source), stringify!($name));
        $(expect(&fields, stringify!($field), "Default", &$field);)*
    }};
}

#[test]
fn of_the_cameras() {
    use portamento::camera::{ChaseSettings, FollowSettings, ShakeSettings};
    let chase = ChaseSettings::y_up();
    check!("../src/camera/chase.rs", ChaseSettings {
        rule, rate, look_rate, up, ahead, lift, distance, pitch, orbit, fade, height_hold, settle
    } but {} = chase);
    let follow = FollowSettings::new([640.0, 360.0]);
    check!("../src/camera/follow.rs", FollowSettings {
        rule, origin, zoom, zoom_within, bounds, dead_zone, look_ahead, fit_margin, ease_rate, y, settle
    } but { viewport, shake } = follow);
    check!("../src/camera/shake.rs", ShakeSettings { reach, seconds, hz, seed, own_time } but {} = follow.shake);
}

#[test]
fn of_the_playhead() {
    use portamento::playhead::PlayheadSettings;
    use portamento::remote::PeerSettings;
    const SOURCE: &str = include_str!("../src/playhead/settings.rs");
    let (here, far) = (PlayheadSettings::at_hz(20.0), PeerSettings::at_hz(20.0).playhead);
    check!("../src/playhead/settings.rs", PlayheadSettings {
        rule, lateness, margin_memory, margin_floor, margin_ticks, extrapolate, pull, brake, bend, relock, rate_within, offset_gain, rate_gain, late_scale
    } but { interval } = here);

    let fields = documented(SOURCE, "PlayheadSettings");
    for (field, value) in [
        ("lateness", &far.lateness as &dyn Debug),
        ("extrapolate", &far.extrapolate),
        ("pull", &far.pull),
        ("brake", &far.brake),
        ("relock", &far.relock),
        ("rate_within", &far.rate_within),
        ("offset_gain", &far.offset_gain),
        ("rate_gain", &far.rate_gain),
        ("late_scale", &far.late_scale),
    ] {
        expect(&fields, field, "for a network", value);
    }
    assert_eq!((far.rule, far.bend), (here.rule, here.bend), "nothing is said of a network there");
    let margin =
        |settings: &PlayheadSettings| (settings.margin_memory, settings.margin_floor, settings.margin_ticks);
    assert_eq!(margin(&far), margin(&here), "nor there");
}

#[test]
fn of_the_remote_room() {
    use portamento::remote::waypoints::WaypointSettings;
    use portamento::remote::{HistorySettings, PeerSettings};
    let settings = PeerSettings::at_hz(20.0);
    check!("../src/remote/settings.rs", PeerSettings {
        fade, glide, jump
    } but { playhead, forget } = settings);
    check!("../src/remote/history.rs", HistorySettings { back, gap, beyond } but { interval } = HistorySettings::at_hz(20.0));
    check!("../src/remote/waypoints/settings.rs", WaypointSettings {
        rule, up, ahead, there, close, window, least_progress, ample_progress, share, unmeasured, patience, catch_up,
        least_speed, fallback_speed, crowd, blip_outdoors, blip_indoors, sticky_lease, sticky_gap,
        sticky_speed, sticky_fallback_speed, leash_outdoors, leash_indoors, leash_full, active_radius
    } but {} = WaypointSettings::y_up());
}

#[cfg(feature = "alloc")]
#[test]
fn of_the_batch() {
    use portamento::batch::BatchSettings;
    check!("../src/batch/settings.rs", BatchSettings {
        ends, remember_views, glide_after_restore
    } but { reconcile, kernel } = BatchSettings::default());
}
