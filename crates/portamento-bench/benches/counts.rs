//! How many instructions does it take?
//!
//! Times need a quiet machine, counts do not: valgrind counts the same instructions in every run, so a few
//! percent more are a change that someone made. `cargo xtask counts` compares them with
//! `benchmarks/counts.txt`. Valgrind knows no AVX-512: the kernels below that are counted.
#![allow(missing_docs)] // the macros below make public items without any

use glam::{Quat, Vec3};
use gungraun::{library_benchmark, library_benchmark_group, main};
use portamento::{
    Moment, Track,
    batch::{
        Batch, BatchHandle, BatchPose, BatchSettings, OutputForm,
        internals::{Kernel, Tile, WIDTH},
    },
    blend::{Pose, Rotation, Scaled},
    camera::{ChaseCamera, ChaseRule, ChaseSettings},
    remote::{Peer, PeerFrame as SenderFrame, Report, Seen, Snapshots},
    step::{Frame, GateRule, GateSettings, GatedStepper, Stepper},
};
use std::hint::black_box;

const POSES: usize = 10_000;

/// A crowd in motion, and room for its matrices. The baseline where the processor lacks the kernel.
type Crowd<P> = (Batch<P>, Vec<f32>);

fn crowd_of<P: BatchPose>(kernel: &str, dress: impl Fn(Pose) -> P) -> Crowd<P> {
    let kernel = Kernel::available().find(|known| known.name() == kernel).unwrap_or(Kernel::BASELINE);
    let mut batch =
        Batch::<P>::with_settings(BatchSettings { kernel, ..BatchSettings::default() }).expect("two ends");
    let pose = |i: usize, x: f32| {
        let turn = Rotation::from_axis_angle([1.0, x, 0.5], i as f32 * 0.01 + x * 0.3);
        dress(Pose::new([i as f32, x, 1.0], turn))
    };
    let handles: Vec<_> = (0..POSES).map(|i| batch.insert(pose(i, 0.0))).collect();
    batch.tick();
    for handle in handles {
        batch.push(handle, pose(handle.index(), 1.0)).expect("in a tick");
    }
    (batch, vec![0.0; POSES * 12])
}

/// The same after two ticks in which all were pushed together.
fn together<P: BatchPose>((mut batch, rows): Crowd<P>, dress: impl Fn(Pose) -> P) -> Crowd<P> {
    for x in [2.0, 3.0] {
        batch.tick();
        let step = |handle: BatchHandle, _| {
            let turn = Rotation::from_axis_angle([1.0, x, 0.5], handle.index() as f32 * 0.01 + x * 0.3);
            dress(Pose::new([handle.index() as f32, x, 1.0], turn))
        };
        batch.push_all(step).expect("in a tick");
    }
    (batch, rows)
}

fn crowd(kernel: &str) -> Crowd<Pose> {
    together(crowd_pushed_apart(kernel), |pose| pose)
}

fn crowd_pushed_apart(kernel: &str) -> Crowd<Pose> {
    crowd_of(kernel, |pose| pose)
}

fn scaled_crowd(kernel: &str) -> Crowd<Scaled<Pose>> {
    let dress = |pose: Pose| Scaled { pose, scale: [1.0 + pose.position[1] * 0.5, 2.0, 3.0] };
    together(crowd_of(kernel, dress), dress)
}

fn with_tiles(kernel: &str) -> (Batch<Pose>, Vec<Tile<7>>) {
    (crowd(kernel).0, vec![Tile::BLANK; POSES.div_ceil(WIDTH)])
}

#[library_benchmark]
#[bench::sse2(with_tiles("sse2"))]
#[bench::avx2(with_tiles("avx2"))]
fn batch_into_tiles((mut batch, mut tiles): (Batch<Pose>, Vec<Tile<7>>)) -> (Batch<Pose>, Vec<Tile<7>>) {
    black_box(batch.frame(Moment::at(0.3, 0.0)).tiles(&mut tiles)).expect("room");
    (batch, tiles)
}

fn write<P: BatchPose>((mut batch, mut rows): Crowd<P>, form: OutputForm) -> Crowd<P> {
    black_box(batch.frame(Moment::at(0.3, 0.0)).write(form, &mut rows)).expect("room");
    (batch, rows)
}

#[library_benchmark]
#[bench::sse2(crowd("sse2"))]
#[bench::avx2(crowd("avx2"))]
#[bench::pushed_apart(crowd_pushed_apart("avx2"))]
fn batch_into_matrices(crowd: Crowd<Pose>) -> Crowd<Pose> {
    write(crowd, OutputForm::Matrices3x4)
}

#[library_benchmark]
#[bench::sse2(crowd("sse2"))]
#[bench::avx2(crowd("avx2"))]
fn batch_into_positions(crowd: Crowd<Pose>) -> Crowd<Pose> {
    write(crowd, OutputForm::Positions)
}

#[library_benchmark]
#[bench::sse2(scaled_crowd("sse2"))]
#[bench::avx2(scaled_crowd("avx2"))]
fn scaled_batch_into_matrices(crowd: Crowd<Scaled<Pose>>) -> Crowd<Scaled<Pose>> {
    write(crowd, OutputForm::Matrices3x4)
}

#[library_benchmark]
#[bench::all(crowd("sse2"))]
fn batch_push_all((mut batch, rows): Crowd<Pose>) -> Crowd<Pose> {
    batch.tick();
    let step = |_, mut pose: Pose| {
        pose.position[0] += 0.1;
        pose
    };
    batch.push_all(step).expect("in a tick");
    (batch, rows)
}

/// A stepper that has been running for a while.
fn running<const Q: usize>(mut stepper: Stepper<Q>) -> Stepper<Q> {
    for _ in 0..100 {
        let _ = black_box(stepper.frame(1.0 / 60.0));
    }
    stepper
}

fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).expect("its own lengths")
}

#[library_benchmark]
#[bench::fixed(running(Stepper::fixed(60.0).expect("a rate")).into())]
#[bench::even(running(Stepper::gated()))]
#[bench::client(running(gate(GateRule::AllAtOnce)))]
#[bench::seed(running(gate(GateRule::OneAtATime)))]
fn stepper_frame(mut stepper: GatedStepper) -> Frame {
    black_box(black_box(&mut stepper).frame(black_box(1.0 / 60.0)))
}

/// Leaked, so that neither moving it in nor dropping it is counted.
fn pose_track() -> &'static Track<Pose> {
    let mut track = Track::new(Pose::default());
    track.push(Pose::new([1.0, 2.0, 3.0], Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.3)));
    Box::leak(Box::new(track))
}

fn vector_track() -> &'static Track<[f32; 3]> {
    let mut track = Track::new([0.0; 3]);
    track.push([1.0, 2.0, 3.0]);
    Box::leak(Box::new(track))
}

#[library_benchmark]
#[bench::pose(pose_track())]
fn track_view_pose(track: &'static Track<Pose>) -> Pose {
    track.view(black_box(Moment::at(0.3, 0.0)))
}

/// What people write by hand: two poses, glam's lerp and slerp.
fn two_poses() -> &'static [(Vec3, Quat); 2] {
    Box::leak(Box::new([
        (Vec3::ZERO, Quat::IDENTITY),
        (Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_y(0.3)),
    ]))
}

#[library_benchmark]
#[bench::pose(two_poses())]
fn by_hand_pose(poses: &'static [(Vec3, Quat); 2]) -> (Vec3, Quat) {
    let [from, to] = poses;
    let alpha = black_box(0.3);
    (from.0.lerp(to.0, alpha), from.1.slerp(to.1, alpha))
}

#[library_benchmark]
#[bench::vector(vector_track())]
fn track_view_vector(track: &'static Track<[f32; 3]>) -> [f32; 3] {
    track.view(black_box(Moment::at(0.3, 0.0)))
}

/// A camera that has been following for a while.
fn following(rule: ChaseRule) -> ChaseCamera {
    let settings = ChaseSettings { rule, ..ChaseSettings::y_up() };
    let mut camera = ChaseCamera::new(settings).expect("defaults are good");
    for i in 0..100 {
        let body = Pose::new(
            [i as f32 * 0.1, 0.0, 0.0],
            Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.01 * i as f32),
        );
        let _ = black_box(camera.update(Moment::at(0.5, 1.0 / 60.0), body));
    }
    camera
}

#[library_benchmark]
#[bench::smooth(following(ChaseRule::Smooth))]
#[bench::per_frame(following(ChaseRule::PerFrame))]
fn camera_update(mut camera: ChaseCamera) -> ChaseCamera {
    let body = Pose::new([10.0, 0.0, 0.1], Rotation::from_axis_angle([0.0, 1.0, 0.0], 1.0));
    let _ = black_box(camera.update(black_box(Moment::at(0.5, 1.0 / 60.0)), black_box(body)));
    camera
}

type Remote = &'static mut (Snapshots<Pose>, SenderFrame);

/// A remote entity in the middle of its stream, and the frame that comes next: with its offset fading, right after a
/// message, or at rest.
fn remote(what: &str) -> Remote {
    const FRAME: f64 = 1.0 / 144.0;
    let mut sender = Peer::at_hz(30.0).expect("a rate");
    let (mut thing, mut next, mut quiet) = (Snapshots::new(), 0, 0);
    for k in 0.. {
        let now = f64::from(k) * FRAME;
        let sent = f64::from(next) / 30.0;
        quiet += 1;
        // Up to 15 ms late, so that the curve is bent under the picture again and again.
        if sent + 0.03 + 0.015 * f64::from(next * 7 % 10) / 10.0 <= now {
            let t = if what == "resting" { 0.0 } else { sent as f32 };
            let turn = Rotation::from_axis_angle([0.3, 1.0, 0.0], 0.8 * t);
            let report = Report::new(Pose::new([4.0 * t, 1.0, t * t], turn));
            thing.insert(sender.receive(sent, now), report);
            (next, quiet) = (next + 1, 0);
        }
        if let Some(frame) = sender.frame(now) {
            let wanted = (what == "after_message") == (quiet == 0);
            if k > 300 && wanted && (what == "resting" || thing.statistics().offset.length > 0.0) {
                return Box::leak(Box::new((thing, frame)));
            }
            let _ = thing.draw(&frame);
        }
    }
    unreachable!("it goes on until it returns")
}

#[library_benchmark]
#[bench::moving(remote("moving"))]
#[bench::after_message(remote("after_message"))]
#[bench::resting(remote("resting"))]
fn snapshots_draw(remote: Remote) -> Seen<Pose> {
    let (thing, frame) = remote;
    thing.draw(black_box(frame))
}

/// The same calls in Rust and through the C interface: what does the border cost?
mod border {
    #![allow(unsafe_code)] // a C interface is made of pointers

    use super::POSES;
    use gungraun::library_benchmark;
    use portamento::batch::{Batch, OutputForm};
    use portamento::blend::{Pose, Pose64, Rotation};
    use portamento::{Moment, Track};
    use portamento_c::*;
    use std::hint::black_box;

    fn pose(i: usize, x: f32) -> Pose {
        let turn = Rotation::from_axis_angle([1.0, x, 0.5], i as f32 * 0.01 + x * 0.3);
        Pose::new([i as f32, x, 1.0], turn)
    }

    fn plain(pose: Pose) -> portamento_pose {
        portamento_pose { position: pose.position, rotation: pose.rotation.to_array() }
    }

    type Rust = (Batch<Pose>, Vec<Pose>, Vec<f32>);

    fn rust() -> Rust {
        let mut batch = Batch::new();
        for i in 0..POSES {
            batch.insert(pose(i, 0.0));
        }
        for x in [1.0, 2.0, 3.0] {
            batch.tick();
            batch.push_all(|handle, _| pose(handle.index(), x)).expect("in a tick");
        }
        (batch, (0..POSES).map(|i| pose(i, 4.0)).collect(), vec![0.0; POSES * 12])
    }

    /// Leaked, so that dropping it is not counted.
    fn leaked_rust() -> &'static mut Rust {
        Box::leak(Box::new(rust()))
    }

    type C = (portamento_batch, Vec<portamento_pose>, Vec<f32>, portamento_moment);

    fn c() -> &'static mut C {
        let mut batch = portamento_batch { id: 0 };
        // SAFETY: places for what is asked, poses for every row.
        unsafe {
            assert_eq!(portamento_batch_new(2, &mut batch), portamento_status::PORTAMENTO_OK);
            let mut row = portamento_batch_handle { index: 0, generation: 0 };
            for i in 0..POSES {
                portamento_batch_insert(batch, &plain(pose(i, 0.0)), &mut row);
            }
            for x in [1.0, 2.0, 3.0] {
                let poses: Vec<_> = (0..POSES).map(|i| plain(pose(i, x))).collect();
                portamento_batch_push_all(batch, poses.as_ptr(), 0, POSES);
            }
        }
        let poses = (0..POSES).map(|i| plain(pose(i, 4.0))).collect();
        Box::leak(Box::new((batch, poses, vec![0.0; POSES * 12], moment())))
    }

    fn moment() -> portamento_moment {
        let mut moment =
            portamento_moment { alpha: 0.0, beyond: 0.0, presented: 0.0, tick: 0, back: 0, frame: 0 };
        // SAFETY: a place for the moment.
        unsafe { portamento_moment_at(0.3, 0.0, &mut moment) };
        moment
    }

    #[library_benchmark]
    #[bench::rust(leaked_rust())]
    fn border_frame_rust((batch, _, rows): &'static mut Rust) {
        let frame = batch.frame(black_box(Moment::at(0.3, 0.0)));
        black_box(frame.write_rows(OutputForm::Matrices3x4, rows)).expect("room");
    }

    #[library_benchmark]
    #[bench::c(c())]
    fn border_frame_c((batch, _, rows, moment): &'static mut C) -> portamento_status {
        let (out, length) = (rows.as_mut_ptr(), rows.len());
        let mut written = 0;
        // SAFETY: room for all rows.
        let status = unsafe {
            portamento_batch_frame(
                *batch,
                black_box(moment),
                PORTAMENTO_OUTPUT_FORM_MATRICES_3X4,
                out,
                length,
                std::ptr::null_mut(),
                0,
                &mut written,
            )
        };
        assert!(written == POSES);
        status
    }

    #[library_benchmark]
    #[bench::rust(leaked_rust())]
    fn border_push_rust((batch, poses, _): &'static mut Rust) {
        batch.tick();
        batch.push_all(|handle, _| poses[handle.index()]).expect("in a tick");
    }

    #[library_benchmark]
    #[bench::c(c())]
    fn border_push_c((batch, poses, ..): &'static mut C) -> portamento_status {
        // SAFETY: a pose for every row.
        unsafe { portamento_batch_push_all(*batch, black_box(poses.as_ptr()), 0, POSES) }
    }

    fn rust_track() -> &'static Track<Pose64> {
        let mut track = Track::new(Pose64::default());
        track.push(Pose64::new([1.0, 2.0, 3.0], Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.3)));
        Box::leak(Box::new(track))
    }

    #[library_benchmark]
    #[bench::rust(rust_track())]
    fn border_view_rust(track: &'static Track<Pose64>) -> Pose64 {
        track.view(black_box(Moment::at(0.3, 0.0)))
    }

    fn c_track() -> (portamento_track, portamento_moment) {
        let mut track = portamento_track { id: 0 };
        let pose = |x: f64| portamento_pose64 {
            position: [x, 2.0 * x, 3.0 * x],
            rotation: Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.3 * x as f32).to_array(),
        };
        // SAFETY: places for what is asked.
        unsafe {
            portamento_track_new(&pose(0.0), &mut track);
            portamento_track_push(track, &pose(1.0));
        }
        (track, moment())
    }

    #[library_benchmark]
    #[bench::c(c_track())]
    fn border_view_c((track, moment): (portamento_track, portamento_moment)) -> portamento_pose64 {
        let mut view = portamento_pose64 { position: [0.0; 3], rotation: [0.0; 4] };
        // SAFETY: a place for the pose.
        unsafe { portamento_track_view(black_box(track), black_box(&moment), &mut view) };
        view
    }
}

use border::{
    border_frame_c, border_frame_rust, border_push_c, border_push_rust, border_view_c, border_view_rust,
};

library_benchmark_group!(
    name = counts,
    benchmarks = [
        batch_into_tiles,
        batch_into_matrices,
        batch_into_positions,
        scaled_batch_into_matrices,
        batch_push_all,
        stepper_frame,
        track_view_pose,
        by_hand_pose,
        track_view_vector,
        camera_update,
        snapshots_draw,
        border_frame_rust,
        border_frame_c,
        border_push_rust,
        border_push_c,
        border_view_rust,
        border_view_c
    ]
);
main!(library_benchmark_groups = counts);
