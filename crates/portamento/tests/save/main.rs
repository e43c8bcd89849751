//! State can be saved and restored: what goes on from a save is the same, bit for bit. A file for each module; here, what
//! they have in common.
#![cfg(feature = "serde")]

mod batch;
mod camera;
mod playhead;
mod remote;
mod step;
mod waypoints;

use portamento::batch::Batch;
use portamento::blend::{Pose, Rotation};
use portamento::remote::{History, HistorySettings};
use portamento::track::PredictedTrack;
use portamento::{Moment, Track};
use serde::{Serialize, de::DeserializeOwned};

/// `sound` with `broken` at `path` is refused, with a word of why.
#[track_caller]
fn refused<T: Serialize + DeserializeOwned>(
    sound: &T,
    path: &str,
    broken: impl Into<serde_json::Value>,
    why: &str,
) {
    let mut saved = serde_json::to_value(sound).unwrap();
    assert!(serde_json::from_value::<T>(saved.clone()).is_ok());
    *saved.pointer_mut(path).expect(path) = broken.into();
    match serde_json::from_value::<T>(saved) {
        Ok(_) => panic!("{path} was taken"),
        Err(error) => assert!(error.to_string().contains(why), "{path}: {error}"),
    }
}

#[test]
fn what_is_not_finite_comes_back_from_a_text() {
    let awkward = f32::from_bits(0x15ae_43fd); // read as an f64 it lies between two of them
    let numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-45, f32::MAX, 0.1, awkward, -awkward];
    let pose =
        Pose::new([numbers[0], numbers[1], numbers[2]], Rotation { w: f32::NAN, ..Rotation::IDENTITY });
    let mut track = Track::<Pose, 2>::with_ends(Pose::default());
    track.push(pose);
    let saved = serde_json::to_string(&track).unwrap();
    assert!(saved.contains(r#""position":["NaN","inf","-inf"]"#), "{saved}");
    let again: Track<Pose, 2> = serde_json::from_str(&saved).unwrap();
    let bits = |track: &Track<Pose, 2>| track.truth().position.map(f32::to_bits);
    assert_eq!(bits(&again), bits(&track));
    assert!(again.truth().rotation.w.is_nan());

    let mut crowd = Batch::<Pose>::new();
    for at in numbers {
        crowd.insert(Pose::at([at; 3]));
    }
    let saved = serde_json::to_string(&crowd).unwrap();
    let again: Batch<Pose> = serde_json::from_str(&saved).unwrap();
    for handle in crowd.handles() {
        let [was, is] =
            [&crowd, &again].map(|crowd| crowd.truth(*handle).unwrap().position.map(f32::to_bits));
        assert_eq!(was, is);
    }

    let limits = HistorySettings { back: 2.5, ..HistorySettings::at_hz(20.0) };
    let history = History::<f64>::new(limits).unwrap();
    let saved = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<History<f64>>(&saved).unwrap(), history);
}

#[test]
fn a_text_that_is_no_number_is_refused_with_the_words_that_are() {
    let words = r#"a number, "NaN", "inf" or "-inf""#;
    for nonsense in ["null", "\"nan\"", "true"] {
        let saved = format!(r#"{{"position":[0.0,{nonsense},2],"rotation":{{"x":0,"y":0,"z":0,"w":1}}}}"#);
        let error = serde_json::from_str::<Pose>(&saved).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    // A number of the user's own is the format's business.
    let saved = serde_json::to_string(&Track::<f32, 2>::with_ends(f32::NAN)).unwrap();
    assert!(saved.contains("null") && serde_json::from_str::<Track<f32, 2>>(&saved).is_err());
}

#[test]
fn a_last_frame_farther_back_than_the_ends_comes_to_nothing() {
    let mut player = PredictedTrack::<f32, 4>::with_settings(0.0, Default::default());
    for tick in 0..6 {
        player.push(tick as f32);
        let _ = player.draw(Moment::at(0.5, 0.01));
    }
    let mut saved = serde_json::to_value(&player).unwrap();
    *saved.pointer_mut("/last/moment/back").unwrap() = 87.into();
    let mut again: PredictedTrack<f32, 4> = serde_json::from_value(saved).unwrap();
    for _ in 0..200 {
        let _ = again.draw(Moment::newest(0.1));
    }
    assert_eq!(again.draw(Moment::newest(0.1)).now, 5.0, "the picture comes to the truth");
}
