//! The contract of the visual offset: what it keeps, and how it fades.

use portamento::blend::{Angle64, Displace, OffsetSize, Pose, Rotation};
use portamento::track::{Absorbed, OffsetFading, VisualOffset};

/// A length and an angle of the same size.
fn both(size: f64) -> OffsetSize {
    OffsetSize { length: size, angle: size }
}

/// An offset of a number, as large as it is.
fn number(size: f64) -> VisualOffset<f64> {
    offset(&size, &0.0)
}

fn offset<T: Displace>(from: &T, to: &T) -> VisualOffset<T> {
    let mut offset = VisualOffset::default();
    assert_eq!(offset.absorb(from, to, both(1e9)), Absorbed::Kept);
    offset
}

/// What is left of it after `seconds`.
fn left(fading: &OffsetFading, size: f64, seconds: f64) -> f64 {
    let mut offset = number(size);
    offset.fade(seconds, fading);
    offset.size().length
}

#[test]
fn an_offset_fades_the_same_at_every_frame_rate() {
    let bounded = OffsetFading { top_speed: both(2.0), ..OffsetFading::CORRECTION };
    for fading in [OffsetFading::CORRECTION, bounded, OffsetFading { slow: 3.0, fast: 12.0, ..bounded }] {
        for size in [0.001, 0.2, 0.3, 0.9, 1.1, 7.0, 300.0] {
            for seconds in [0.01, 0.1, 0.5, 2.0] {
                let once = left(&fading, size, seconds);
                let mut often = number(size);
                (0..97).for_each(|_| often.fade(seconds / 97.0, &fading));
                let often = often.size().length;
                assert!((once - often).abs() <= 1e-9 * size, "{size} {seconds}: {once} {often}");
            }
        }
        for angle in [0.001, 0.2, 0.9, 1.1, 3.0] {
            let mut turned = offset(&Angle64(angle), &Angle64(0.0));
            turned.fade(0.1, &fading);
            let (angles, lengths) = (turned.size().angle, left(&fading, angle, 0.1));
            assert!((angles - lengths).abs() < 1e-9, "{angle}: {angles} {lengths}");
        }
    }
}

#[test]
fn a_correction_fades_at_the_rates_it_names() {
    let rate = |size: f64| (size - left(&OffsetFading::CORRECTION, size, 1e-6)) / size / 1e-6;
    for (size, expected) in [(0.05, 3.1), (0.25, 3.1), (0.625, 6.45), (1.0, 9.8), (30.0, 9.8)] {
        assert!((rate(size) - expected).abs() < 1e-3, "{size}: {}", rate(size));
    }
    let centimetres = left(&OffsetFading::CORRECTION.with_unit(100.0), 25.0, 0.1);
    assert!((centimetres - 100.0 * left(&OffsetFading::CORRECTION, 0.25, 0.1)).abs() < 1e-9);
}

#[test]
fn an_offset_keeps_the_picture_up_to_its_limit_and_forgets_what_was_a_cut() {
    let turned = |angle: f32| Rotation::from_axis_angle([0.0, 1.0, 0.0], angle);
    let (a, b) = (Pose::new([0.0; 3], turned(0.3)), Pose::new([1.0, 2.0, 0.0], turned(-2.0)));
    let mut offset = VisualOffset::<Pose>::default();
    assert_eq!(offset.absorb(&a, &b, both(5.0)), Absorbed::Kept);
    let drawn = offset.drawn(&b);
    assert!(drawn.position.iter().zip(a.position).all(|(x, y)| (x - y).abs() < 1e-6), "{drawn:?}");
    assert!(drawn.rotation.angle_to(a.rotation) < 1e-5);
    let far = Pose::at([10.0, 0.0, 0.0]);
    let mut offset = VisualOffset::<Pose>::default();
    assert_eq!(offset.absorb(&Pose::default(), &far, both(4.0)), Absorbed::Partly);
    assert!((offset.size().length - 4.0).abs() < 1e-5);
    assert_eq!(offset.absorb(&Pose::default(), &far, both(2.0)), Absorbed::Snapped);
    assert_eq!(offset.drawn(&far), far);
    offset.fade(f64::NAN, &OffsetFading::CORRECTION);
    assert_eq!(offset.size(), OffsetSize::default());
}

#[test]
fn a_jump_that_no_number_can_measure_is_a_cut() {
    use portamento::blend::{Displace, Pose64};
    use portamento::track::{PredictedTrack, ReconcileSettings};
    fn check<T: Displace + Copy + std::fmt::Debug>(from: T, to: T) {
        for limit in [1.0, f64::MAX] {
            let mut offset = VisualOffset::<T>::default();
            assert_eq!(offset.absorb(&from, &to, both(limit)), Absorbed::Snapped, "{from:?} {to:?}");
            assert_eq!(offset.size(), OffsetSize::default());
        }
        let limit = both(f64::MAX);
        let settings = ReconcileSettings { limit, ..ReconcileSettings::default() };
        let mut track = PredictedTrack::<T>::with_settings(from, settings);
        let _ = track.draw(portamento::Moment::newest(0.01));
        track.reconcile(to);
        let drawn = track.draw(portamento::Moment::newest(0.01));
        assert!(drawn.cut && drawn.now == to && drawn.before == from, "{drawn:?}");
    }
    check(f64::MAX, f64::MIN);
    check(f32::MAX, f32::MIN);
    // In one direction of several, with a way that can be measured beside it.
    check([f64::MAX, 0.0], [f64::MIN, 1.0]);
    check([1.0, f32::MIN, 0.0], [1.5, f32::MAX, 0.0]);
    check(Pose::at([f32::MAX, 0.0, 0.0]), Pose::at([f32::MIN, 0.0, 0.0]));
    check(Pose64::at([f64::MAX, 0.0, 0.0]), Pose64::at([f64::MIN, 0.0, 0.0]));
    // The longest way that an f32 can measure is kept.
    let mut offset = VisualOffset::<f32>::default();
    assert_eq!(offset.absorb(&f32::MAX, &0.0, both(f64::MAX)), Absorbed::Kept);
    assert_eq!(offset.drawn(&0.0), f32::MAX);
}

/// What is left by the definition of the curve, in steps so short that their error does not count.
fn stepped(fading: &OffsetFading, size: f64, seconds: f64) -> f64 {
    let (small, large) = (fading.small.length, fading.large.length);
    let mut left = size;
    for _ in 0..20_000 {
        let share = if left <= small { 0.0 } else { ((left - small) / (large - small)).min(1.0) };
        let rate = fading.slow + (fading.fast - fading.slow) * share;
        left -= (rate * left).min(fading.top_speed.length) * seconds / 20_000.0;
    }
    left
}

/// Curves of all kinds, and those that have lost a piece: one rate for all sizes, nothing between small and large.
fn curves() -> Vec<OffsetFading> {
    let mut curves = Vec::new();
    for (slow, fast) in [(3.1, 9.8), (10.0, 12.0), (10.0, 10.0), (10.0, 10.0 + 1e-9)] {
        for (small, large) in [(0.25, 1.0), (1.0, 1.0), (0.25, 0.25 + 1e-9)] {
            for top_speed in [0.5, 2.0, 5.0, 10.5, 40.0, f64::MAX] {
                let (small, large) = (both(small), both(large));
                let (top_speed, gone) = (both(top_speed), both(1e-9));
                curves.push(OffsetFading { slow, fast, small, large, top_speed, gone });
            }
        }
    }
    curves
}

#[test]
fn an_offset_fades_by_its_curve_and_never_faster_than_its_top_speed() {
    for fading in curves() {
        for size in [0.01, 0.4, 0.9, 1.2, 3.0] {
            for seconds in [1e-3, 0.1, 0.5] {
                let left = left(&fading, size, seconds);
                let expected = stepped(&fading, size, seconds);
                assert!(
                    (left - expected).abs() < 1e-3 * size,
                    "{left}, not {expected} of {size}: {fading:?}"
                );
                assert!(
                    size - left <= fading.top_speed.length * seconds + 1e-9,
                    "{left} of {size}: {fading:?}"
                );
            }
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_frame_of_any_settings_can_be_saved() {
    use portamento::remote::{Peer, PeerFrame, PeerSettings};
    for jump in [20.0, f64::MAX] {
        let mut sender = Peer::new(PeerSettings { jump, ..PeerSettings::at_hz(20.0) }).unwrap();
        let _ = sender.receive(0.0, 0.0);
        let frame = sender.frame(0.01).unwrap();
        let saved = serde_json::to_string(&(&sender, &frame)).unwrap();
        assert_eq!(serde_json::from_str::<(Peer, PeerFrame)>(&saved).unwrap(), (sender, frame));
    }
}

#[test]
fn a_limit_that_shrinks_makes_no_jump_of_its_own() {
    let mut offset = VisualOffset::<f64>::default();
    assert_eq!(offset.absorb(&0.0, &3.0, both(4.0)), Absorbed::Kept);
    assert_eq!(offset.absorb(&3.0, &2.75, both(1.0)), Absorbed::Kept);
    assert_eq!(offset.drawn(&2.75), 0.0, "the picture stands where it stood");
    assert_eq!(offset.absorb(&2.75, &3.25, both(1.0)), Absorbed::Partly, "but farther it does not go");
    assert_eq!(offset.drawn(&3.25), 0.5);
}
