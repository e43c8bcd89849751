//! A crowd of every kind of pose, drawn in every form: the hash that all kernels must give.

use super::random::Random;
use portamento::batch::{
    Batch, BatchFrame, BatchPose, BatchSettings, OutputForm,
    internals::{Kernel, WIDTH},
};
use portamento::blend::{Pose, Pose2, Rotation, Scaled, Turn};
use portamento::{Moment, Track};

/// Numbers where arithmetic is at its edges.
fn edge(random: &mut Random) -> f32 {
    const EDGES: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        3e38,
    ];
    EDGES[random.below(EDGES.len())]
}

/// A kind of pose that a crowd can be made of.
pub trait Member: BatchPose + PartialEq {
    /// What a crowd of them comes to, on every kernel and machine and in every release. If it changes, so does what
    /// users see.
    const GOLDEN: u64;
    /// The same for a crowd in which one in twenty is odd.
    const GOLDEN_ODD: u64;
    fn any(random: &mut Random) -> Self;
    /// A pose that something is wrong with, or that sits on an edge.
    fn odd(random: &mut Random) -> Self;
    fn numbers(&self) -> Vec<f32>;
}

impl Member for Pose {
    const GOLDEN: u64 = 0xc2a1_4377_587c_f49b;
    const GOLDEN_ODD: u64 = 0x21a1_f514_5dfd_0b5b;

    fn any(random: &mut Random) -> Self {
        Pose::new(core::array::from_fn(|_| random.within(100.0)), random.rotation())
    }

    fn odd(random: &mut Random) -> Self {
        let mut pose = Self::any(random);
        match random.below(4) {
            0 => pose.position[random.below(3)] = edge(random),
            1 => pose.rotation = Rotation { x: edge(random), y: edge(random), z: 0.0, w: edge(random) },
            2 => pose.rotation = Rotation { x: -0.0, y: 0.0, z: -0.0, w: 1.0 },
            _ => pose.position = [-0.0; 3],
        }
        pose
    }

    fn numbers(&self) -> Vec<f32> {
        [self.position.as_slice(), &self.rotation.to_array()].concat()
    }
}

impl Member for Scaled<Pose> {
    const GOLDEN: u64 = 0x7811_475a_2a13_a8a7;
    const GOLDEN_ODD: u64 = 0xb499_d230_d5b4_8117;

    fn any(random: &mut Random) -> Self {
        Scaled { pose: Pose::any(random), scale: core::array::from_fn(|_| 1.0 + random.within(0.5)) }
    }

    fn odd(random: &mut Random) -> Self {
        let mut scaled = Scaled { pose: Pose::odd(random), ..Self::any(random) };
        scaled.scale[random.below(3)] *= if random.chance(2) { -1.0 } else { edge(random) };
        scaled
    }

    fn numbers(&self) -> Vec<f32> {
        [self.pose.numbers().as_slice(), &self.scale].concat()
    }
}

impl Member for Pose2 {
    const GOLDEN: u64 = 0xb5db_7f2c_5c5a_794d;
    const GOLDEN_ODD: u64 = 0x7e2c_3150_d657_4e30;

    fn any(random: &mut Random) -> Self {
        Pose2::new([random.within(100.0), random.within(100.0)], Turn::from_angle(random.within(4.0)))
    }

    fn odd(random: &mut Random) -> Self {
        let mut pose = Self::any(random);
        match random.below(3) {
            0 => pose.position[random.below(2)] = edge(random),
            1 => pose.turn = Turn { z: edge(random), w: edge(random) },
            _ => pose.turn = Turn { z: -0.0, w: -1.0 },
        }
        pose
    }

    fn numbers(&self) -> Vec<f32> {
        vec![self.position[0], self.position[1], self.turn.z, self.turn.w]
    }
}

pub const COUNT: usize = 10_007;
const ALPHAS: [f64; 6] = [0.0, 1e-9, 0.1, 0.5, 0.987_654_321, 1.0];

/// The same poses between two ticks, as a batch and as tracks; with `odd`, one in twenty is odd.
pub fn crowd<P: Member>(kernel: Kernel, odd: bool) -> (Batch<P>, Vec<Track<P, 2>>) {
    let mut random = Random(42);
    let mut pose = || if odd && random.chance(20) { P::odd(&mut random) } else { P::any(&mut random) };
    let mut batch = Batch::<P>::with_settings(BatchSettings { kernel, ..BatchSettings::default() }).unwrap();
    let firsts: Vec<P> = (0..COUNT).map(|_| pose()).collect();
    let handles: Vec<_> = firsts.iter().map(|&elsewhere| batch.insert(elsewhere)).collect();
    // Everything moves already when all of it is pushed together, twice: whole tiles go the short way then.
    batch.tick();
    for (&handle, &elsewhere) in handles.iter().zip(firsts.iter().rev()) {
        batch.push(handle, elsewhere).unwrap();
    }
    batch.tick();
    batch.push_all(|handle, _| firsts[handle.index()]).unwrap();
    let mut tracks: Vec<_> = firsts.into_iter().map(Track::with_ends).collect();
    for track in &mut tracks {
        track.push(pose());
    }
    batch.tick();
    batch.push_all(|handle, _| *tracks[handle.index()].truth()).unwrap();
    (batch, tracks)
}

/// FNV-1a over the bits, with one NaN standing for all: which NaN comes out is the compiler's choice.
fn hash(numbers: &[f32]) -> u64 {
    numbers
        .iter()
        .flat_map(|x| (if x.is_nan() { u32::MAX } else { x.to_bits() }).to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Hashes of all forms at all alphas, written by `write`.
pub fn hashes<P: Member>(
    batch: &mut Batch<P>,
    write: impl Fn(&BatchFrame<P>, Moment, OutputForm, &mut [f32]),
) -> Vec<u64> {
    let mut out = vec![0.0; COUNT * 16];
    let mut hashes = Vec::new();
    for alpha in ALPHAS {
        let moment = Moment::at(alpha, 0.0);
        let frame = batch.frame(moment);
        for form in
            [OutputForm::Poses, OutputForm::Positions, OutputForm::Matrices3x4, OutputForm::Matrices4x4]
        {
            let out = &mut out[..frame.moved().len() * form.floats::<P>()];
            write(&frame, moment, form, out);
            hashes.push(hash(out));
        }
    }
    hashes
}

/// By which of its outputs the crowd is drawn. All must come to the same.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// Each pose at the row of its handle.
    Rows,
    /// The list of what moved, and the poses themselves from tiles; brought to their rows afterwards.
    Lists,
    /// As rows, but the poses themselves come from tracks.
    Tracks,
}

/// One number over all forms at all alphas.
pub fn drawn<P: Member>(kernel: Kernel, odd: bool, way: Way) -> u64 {
    let (mut batch, tracks) = crowd::<P>(kernel, odd);
    let hashes = hashes(&mut batch, |frame, moment, form, out| match way {
        Way::Lists => lists(frame, form, out),
        Way::Tracks if form == OutputForm::Poses => {
            let views = tracks.iter().flat_map(|track| track.view(moment).numbers());
            out.iter_mut().zip(views).for_each(|(out, number)| *out = number);
        }
        _ => {
            let _ = frame.write_rows(form, out).unwrap();
        }
    });
    hashes.iter().fold(0, |sum: u64, hash| sum.rotate_left(5) ^ hash)
}

fn lists<P: Member>(frame: &BatchFrame<P>, form: OutputForm, out: &mut [f32]) {
    let floats = form.floats::<P>();
    let moved = frame.moved();
    let list: Vec<f32> = if form == OutputForm::Poses {
        let mut tiles = vec![P::BLANK; moved.len().div_ceil(WIDTH)];
        frame.tiles(&mut tiles).unwrap();
        (0..moved.len()).flat_map(|i| P::take(&tiles[i / WIDTH], i % WIDTH).numbers()).collect()
    } else {
        let mut list = vec![0.0; moved.len() * floats];
        frame.write(form, &mut list).unwrap();
        list
    };
    for (handle, row) in moved.iter().zip(list.chunks_exact(floats)) {
        out[handle.index() * floats..][..floats].copy_from_slice(row);
    }
}
