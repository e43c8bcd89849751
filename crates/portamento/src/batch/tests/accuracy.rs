//! How far from true slerp, at which angle?

use super::*;
use crate::{Moment, blend::Blend};

/// Slerp by its definition, in f64, with the sine from std.
fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let b = if dot < 0.0 { b.map(|b| -b) } else { b };
    // Half of `angle` below, between the quaternions themselves; the arc cosine would lose small ones.
    let angle = angle(a, b) / 2.0;
    let (u, v) = if angle > 1e-9 {
        (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin())
    } else {
        (1.0 - t, t)
    };
    core::array::from_fn(|i| a[i] * u + b[i] * v)
}

/// The angle of the rotation between two quaternions.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let norm = |v: [f64; 4]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let (a, b) = (a.map(|c| c / norm(a)), b.map(|c| c / norm(b)));
    let minus = norm(core::array::from_fn(|i| a[i] - b[i]));
    let plus = norm(core::array::from_fn(|i| a[i] + b[i]));
    4.0 * minus.min(plus).atan2(minus.max(plus))
}

/// Degrees per tick, and the largest distance from slerp in radians that is promised up to there.
const PROMISED: [(i32, f64); 8] = [
    (10, 1.2e-5),
    (30, 1.2e-5),
    (60, 1.2e-5),
    (90, 1.2e-5),
    (120, 9e-5),
    (150, 2.5e-4),
    (170, 5e-4),
    (180, 5.5e-4),
];

#[test]
fn rotations_stay_as_close_to_slerp_as_the_table_says() {
    let mut random = Random(7);
    for kernel in Kernel::available() {
        println!(
            "kernel {}\n| degrees per tick | farthest from slerp (rad) | farthest from unit length |",
            kernel.name()
        );
        let mut below = 0;
        for (degrees, promised) in PROMISED {
            let (mut worst, mut longest) = (0.0f64, 0.0f64);
            // Short of half a turn, where rounding decides which way is the short one.
            for tenth in below * 10..=(degrees * 10).min(1799) {
                let turn = (tenth as f64 / 10.0).to_radians();
                let mut batch =
                    Batch::<Pose>::with_settings(BatchSettings { kernel, ..BatchSettings::default() })
                        .unwrap();
                let mut handles = Vec::new();
                for _ in 0..WIDTH {
                    let axis = random.rotation();
                    let from = random.rotation();
                    let q =
                        Rotation::from_rotation_vector(axis.rotate([0.0, 0.0, 1.0]).map(|c| c as f64 * turn));
                    let to = q.mul(from);
                    // The other sign half of the time: the same rotation.
                    let sign = if random.chance(2) { -1.0 } else { 1.0 };
                    let to = Rotation::from_xyzw(to.to_array().map(|c| c * sign)).unwrap();
                    handles.push((batch.insert(Pose::new([0.0; 3], from)), from, to));
                }
                batch.tick();
                for &(handle, _, to) in &handles {
                    batch.push(handle, Pose::new([0.0; 3], to)).unwrap();
                }
                let mut rows = vec![0.0; 7 * WIDTH];
                for step in 1..20 {
                    let t = step as f64 / 20.0;
                    let frame = batch.frame(Moment::at(t, 0.0));
                    let _ = frame.write_rows(OutputForm::Poses, &mut rows).unwrap();
                    for &(handle, from, to) in &handles {
                        let row = &rows[handle.index() * 7..][3..7];
                        let got: [f64; 4] = core::array::from_fn(|i| row[i] as f64);
                        let want = slerp(from.to_array().map(f64::from), to.to_array().map(f64::from), t);
                        worst = worst.max(angle(got, want));
                        longest = longest.max((got.iter().map(|c| c * c).sum::<f64>().sqrt() - 1.0).abs());
                    }
                }
            }
            println!("| {below}..{degrees} | {worst:.1e} | {longest:.1e} |");
            assert!(worst < promised, "{degrees}: {worst:e}");
            assert!(longest < 1e-6, "{degrees}: {longest:e}");
            below = degrees;
        }
    }
}

#[test]
fn opposite_quaternions_are_one_rotation() {
    let mut random = Random(1);
    let mut batch = Batch::<Pose>::new();
    let poses: Vec<Pose> = (0..100).map(|_| Pose::any(&mut random)).collect();
    let handles: Vec<BatchHandle> = poses.iter().map(|&pose| batch.insert(pose)).collect();
    batch.tick();
    for (&handle, pose) in handles.iter().zip(&poses) {
        let [x, y, z, w] = pose.rotation.to_array().map(|c| -c);
        batch.push(handle, Pose::new(pose.position, Rotation { x, y, z, w })).unwrap();
    }
    for step in 0..=10 {
        let frame = batch.frame(Moment::at(step as f64 / 10.0, 0.0));
        for (&handle, pose) in handles.iter().zip(&poses) {
            let view = frame.view(handle).unwrap();
            assert!(view.rotation.angle_to(pose.rotation) < 1e-6, "{view:?} {pose:?}");
        }
    }
}

#[test]
fn half_a_turn_passes_through_its_middle() {
    let mut batch = Batch::<Pose>::new();
    let from = Rotation::IDENTITY;
    let to = Rotation { x: 0.0, y: 0.0, z: 1.0, w: 0.0 };
    let handle = batch.insert(Pose::new([0.0; 3], from));
    batch.tick();
    batch.push(handle, Pose::new([0.0; 3], to)).unwrap();
    let middle = batch.frame(Moment::at(0.5, 0.0)).view(handle).unwrap().rotation;
    assert!((middle.angle_to(from) - middle.angle_to(to)).abs() < 1e-6);
    assert_eq!(middle, from.blend(&to, 0.5));
}
