//! A hundred thousand poses at the speed of memory?
//!
//! `cargo bench -p portamento-bench --bench batch` races the batch against yardsticks over the same bytes and
//! prints ratios; `-- --check` also fails when one is over its bound, `-- --save FILE` writes the page that
//! `benchmarks/` keeps.

use glam::{Quat, Vec3};
use portamento::{
    Moment,
    batch::{
        Batch, BatchHandle, BatchSettings, OutputForm,
        internals::{Kernel, Tile, WIDTH},
    },
    blend::{Pose, Rotation},
};
use portamento_bench::{Floats, Runner, Time, caches, cold_race, machine, race, runner, table, yardstick};
use std::{fmt::Write as _, hint::black_box, time::Duration};

/// Poses.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Bytes that a frame into tiles reads and writes for each pose.
const TRAFFIC: usize = 3 * 7 * 4;

/// Numbers of poses, few and many, that both lie within one level of the memory: more than four times the level
/// before, so that hardly anything is still found there, and no more than a third of the level itself.
fn levels() -> Vec<(String, usize, usize)> {
    let caches = caches();
    let mut levels = Vec::new();
    for pair in caches.windows(2) {
        let (few, many) = (4 * pair[0].bytes / TRAFFIC, pair[1].bytes / 3 / TRAFFIC);
        if many >= few * 5 / 4 {
            levels.push((format!("L{}", pair[1].level), few, many));
        }
    }
    if let Some(last) = caches.last() {
        let few = 4 * last.bytes / TRAFFIC;
        levels.push(("memory".into(), few, 2 * few));
    }
    levels
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut page = Page::default();
    for count in SIZES {
        all_moving(count, &mut page);
    }
    for (level, few, many) in levels() {
        page.growth(&level, few, many);
    }
    page.other_work();
    let text = page.text();
    println!("{text}");
    if let Some(i) = arguments.iter().position(|argument| argument == "--save") {
        let file = arguments.get(i + 1).expect("--save FILE");
        // Cargo runs a benchmark in its package; the path is meant from the root, where the command is given.
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        std::fs::write(path, &text).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    if arguments.iter().any(|argument| argument == "--check") && page.over > 0 {
        eprintln!("{} ratios are over their bounds", page.over);
        std::process::exit(1);
    }
}

#[derive(Default)]
struct Page {
    moving: Vec<Vec<String>>,
    other: Vec<Vec<String>>,
    growth: Vec<Vec<String>>,
    over: usize,
}

impl Page {
    /// "1.23 (at most 2.2)", counting what is over.
    fn at_most(&mut self, ratio: f64, bound: Option<f64>) -> String {
        match bound {
            Some(bound) if ratio > bound => {
                self.over += 1;
                format!("{ratio:.2} OVER {bound:.3}")
            }
            Some(bound) => format!("{ratio:.2} (at most {})", (bound * 100.0).round() / 100.0),
            None => format!("{ratio:.2}"),
        }
    }

    fn at_least(&mut self, ratio: f64, bound: f64) -> String {
        if ratio < bound {
            self.over += 1;
            return format!("{ratio:.1} UNDER {bound}");
        }
        format!("{ratio:.1} (at least {bound})")
    }

    /// Time per pose with few and with many, both in one level. Each runs alone, as it would in a game: whoever took
    /// turns with it would share the level with it.
    fn growth(&mut self, level: &str, few: usize, many: usize) {
        let alone = |count: usize, work: Box<dyn FnMut()>| {
            let [time] = race_over(count, [runner("alone", work)]);
            time.seconds / count as f64 * 1e9
        };
        let mut add = |name: &str, bound: Option<f64>, work: &dyn Fn(usize) -> Box<dyn FnMut()>| {
            let [few_ns, many_ns] = [few, many].map(|count| alone(count, work(count)));
            let cell = self.at_most(many_ns / few_ns, bound);
            self.growth.push(vec![
                level.into(),
                name.into(),
                format!("{few} to {many}"),
                format!("{few_ns:.2} to {many_ns:.2}"),
                cell,
            ]);
        };
        add("triad", None, &|count| Box::new(triad(count)));
        for kernel in Kernel::available() {
            add(kernel.name(), Some(1.15), &|count| {
                Box::new(frame_into_tiles(crowd(count, Moving::Together, kernel)))
            });
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "# Batch\n");
        let _ =
            writeln!(out, "`cargo bench -p portamento-bench --bench batch -- --save benchmarks/batch.md`\n");
        let _ = writeln!(
            out,
            "{}. Times are the best of many rounds in one process, ratios the rounds' median; bounds in brackets.",
            machine()
        );
        let absent = if Kernel::available().any(|kernel| kernel.name() == "avx512") {
            ""
        } else {
            " This machine has no AVX-512: that kernel gives the same bits in an emulator (`cargo xtask avx512`), and has no \
             times here."
        };
        let _ = writeln!(out, "Kernels: {}.{absent}\n", kernels());
        let _ = writeln!(out, "## All moving\n");
        let _ = writeln!(
            out,
            "A frame into tiles, against a triad (`a + b * s`: two reads, one write) over the same bytes in the \
             widest vectors, and against an array of structs blended with glam's `lerp` and `slerp`.\n"
        );
        let head =
            ["poses", "kernel", "ns per pose", "triad, ns", "times the triad", "times faster than glam"];
        out += &table(&head, &self.moving);
        let _ = writeln!(out, "\n## Growth: time per pose within one level of the memory\n");
        let _ = writeln!(
            out,
            "Few poses that no longer fit the level before, and many that still fit this one, each alone. The triad \
             shows how even the level itself is.\n"
        );
        out += &table(&["level", "kernel", "poses", "ns per pose", "growth"], &self.growth);
        let _ = writeln!(out, "\n## Other work, widest kernel\n");
        out += &table(&["what", "poses", "ns per pose", "ratio", "to what"], &self.other);
        out
    }
}

fn kernels() -> String {
    Kernel::available().map(Kernel::name).collect::<Vec<_>>().join(", ")
}

/// Numbers between -1 and 1, the same in every run.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }

    fn pose(&mut self) -> Pose {
        let position = [self.next() * 100.0, self.next() * 100.0, self.next() * 100.0];
        let q = [self.next(), self.next(), self.next(), self.next()];
        Pose::new(position, Rotation::from_xyzw(q).unwrap_or_default())
    }

    /// The pose a tick later: half a unit and up to some 30 degrees away.
    fn after(&mut self, pose: Pose) -> Pose {
        let axis = [self.next(), self.next(), self.next()];
        let turn = Rotation::from_axis_angle(axis, 0.3 * axis.iter().map(|c| c * c).sum::<f32>().sqrt());
        Pose::new(pose.position.map(|x| x + self.next() * 0.5), turn * pose.rotation)
    }
}

/// `count` poses, of which one in `one_in` moves, scattered.
fn crowd(count: usize, moving: Moving, kernel: Kernel) -> Batch<Pose> {
    let mut random = Random(1);
    let mut batch =
        Batch::with_settings(BatchSettings { kernel, ..BatchSettings::default() }).expect("two ends");
    batch.reserve(count);
    let handles: Vec<BatchHandle> = (0..count).map(|_| batch.insert(random.pose())).collect();
    let _ = batch.frame(Moment::newest(0.0));
    batch.tick();
    let one_in = if let Moving::OneIn(one_in) = moving { one_in } else { 1 };
    for handle in handles.into_iter().step_by(one_in) {
        let pose = random.after(batch.truth(handle).expect("alive"));
        batch.push(handle, pose).expect("in a tick");
    }
    if let Moving::Together = moving {
        for _ in 0..2 {
            batch.tick();
            batch.push_all(|_, pose| random.after(pose)).expect("in a tick");
        }
    }
    batch
}

/// What moves in a crowd, and how its poses came in.
#[derive(Clone, Copy)]
enum Moving {
    /// Everything, pushed together.
    Together,
    /// Everything, pushed one by one.
    Apart,
    /// One in this many.
    OneIn(usize),
}

/// Alphas that differ from call to call: a batch notices when nothing changed, and then does nothing.
fn moments() -> impl FnMut() -> Moment {
    let mut alpha = 0.0;
    move || {
        alpha = if alpha == 0.3 { 0.6 } else { 0.3 };
        Moment::at(alpha, 0.0)
    }
}

fn frame_into_tiles(mut batch: Batch<Pose>) -> impl FnMut() {
    let mut out = vec![Tile::BLANK; batch.handles().len().div_ceil(WIDTH)];
    let mut moment = moments();
    move || {
        let frame = black_box(&mut batch).frame(moment());
        black_box(frame.tiles(&mut out)).expect("room");
        black_box(&mut out);
    }
}

/// The loop people write.
fn glam_loop(count: usize) -> impl FnMut() {
    #[derive(Clone, Copy)]
    struct BatchPose {
        position: Vec3,
        rotation: Quat,
    }
    let mut random = Random(1);
    let convert = |pose: Pose| BatchPose {
        position: pose.position.into(),
        rotation: Quat::from_array(pose.rotation.to_array()),
    };
    let poses: Vec<Pose> = (0..count).map(|_| random.pose()).collect();
    let from: Vec<BatchPose> = poses.iter().map(|&pose| convert(pose)).collect();
    let to: Vec<BatchPose> = poses.iter().map(|&pose| convert(random.after(pose))).collect();
    let mut out = from.clone();
    let mut alpha = 0.3;
    move || {
        alpha = 0.9 - alpha;
        for ((from, to), out) in black_box(&from).iter().zip(&to).zip(&mut out) {
            out.position = from.position.lerp(to.position, alpha);
            out.rotation = from.rotation.slerp(to.rotation, alpha);
        }
        black_box(&mut out);
    }
}

fn triad(count: usize) -> impl FnMut() {
    let floats = count.div_ceil(WIDTH) * WIDTH * 7;
    let (a, b, mut out) = (Floats::new(floats, 1.0), Floats::new(floats, 2.0), Floats::new(floats, 0.0));
    move || {
        yardstick::triad(black_box(&a), black_box(&b), &mut out, 0.3);
        black_box(&mut out);
    }
}

/// Times `N` pieces of work that take turns. Few of them, so that together they fit the cache they are to be measured
/// in; and slices long enough to win back what the others have pushed out of it.
fn race_over<const N: usize>(count: usize, runners: [Runner; N]) -> [Time; N] {
    let (rounds, slice) = match count {
        ..=20_000 => (400, Duration::from_micros(300)),
        20_001..=200_000 => (100, Duration::from_millis(4)),
        _ => (20, Duration::from_millis(10)),
    };
    race(rounds, slice, runners.into()).try_into().expect("a time for each")
}

fn all_moving(count: usize, page: &mut Page) {
    let ns = |time: &Time| time.seconds / count as f64 * 1e9;
    for kernel in Kernel::available() {
        let work = || runner(kernel.name(), frame_into_tiles(crowd(count, Moving::Together, kernel)));
        let [triad, own] = race_over(count, [runner("triad", triad(count)), work()]);
        let [glam, beside_glam] = race_over(count, [runner("glam", glam_loop(count)), work()]);
        let bound = match (kernel.name(), count >= 1_000_000) {
            ("avx512", false) => Some(1.4),
            ("avx2", false) => Some(2.2),
            ("sse2", false) => Some(4.5),
            ("avx512" | "avx2", true) => Some(1.3),
            ("sse2", true) => Some(1.8),
            _ => None,
        };
        let ratio = page.at_most(own.over(&triad), bound);
        let faster = if count == 10_000 && kernel == Kernel::widest() {
            page.at_least(glam.over(&beside_glam), 8.0)
        } else {
            format!("{:.1}", glam.over(&beside_glam))
        };
        page.moving.push(vec![
            count.to_string(),
            kernel.name().into(),
            format!("{:.2}", ns(&own)),
            format!("{:.2}", ns(&triad)),
            ratio,
            faster,
        ]);
    }
}

impl Page {
    fn other_work(&mut self) {
        let widest = Kernel::widest();
        for count in [10_000, 100_000, 1_000_000] {
            let [moving, resting] = race_over(
                count,
                [
                    runner("moving", frame_into_tiles(crowd(count, Moving::Together, widest))),
                    runner("resting", frame_into_tiles(crowd(count, Moving::OneIn(20), widest))),
                ],
            );
            let bound = Some(0.1);
            self.add(count, "95 % at rest, scattered", &resting, &moving, bound, "all moving");
        }
        for count in [10_000, 100_000, 1_000_000] {
            let plain = || {
                let tiles = count / WIDTH;
                let (a, b) = (Floats::new(tiles * 112, 1.0), Floats::new(tiles * 112, 2.0));
                let mut out = Floats::new(tiles * 192, 0.0);
                move || {
                    let (a, b) = (black_box(&a).as_chunks().0, black_box(&b).as_chunks().0);
                    yardstick::read_poses_write_matrices(a, b, out.as_chunks_mut().0);
                    black_box(&mut out);
                }
            };
            let written = |form: OutputForm, by_row: bool, moving: Moving| {
                let mut batch = crowd(count, moving, widest);
                let mut out = Floats::new(count * form.floats::<Pose>(), 0.0);
                let mut moment = moments();
                move || {
                    let frame = black_box(&mut batch).frame(moment());
                    let written =
                        if by_row { frame.write_rows(form, &mut out) } else { frame.write(form, &mut out) };
                    black_box(written).expect("room");
                    black_box(&mut out);
                }
            };
            for (what, form, by_row, moving, bound) in [
                ("3x4 matrices, moved list", OutputForm::Matrices3x4, false, Moving::Together, Some(1.5)),
                ("the same, pushed one by one", OutputForm::Matrices3x4, false, Moving::Apart, None),
                ("3x4 matrices, by index", OutputForm::Matrices3x4, true, Moving::Together, None),
                ("4x4 matrices, moved list", OutputForm::Matrices4x4, false, Moving::Together, None),
                ("poses as arrays, moved list", OutputForm::Poses, false, Moving::Together, None),
                ("positions, moved list", OutputForm::Positions, false, Moving::Together, None),
            ] {
                let [plain, own] =
                    race_over(count, [runner("plain", plain()), runner(what, written(form, by_row, moving))]);
                let to = "a plain pass over the bytes of 3x4 matrices";
                self.add(count, what, &own, &plain, bound.filter(|_| count == 100_000), to);
            }
            let own = written(OutputForm::Matrices3x4, false, Moving::Together);
            let pair = vec![runner("plain", plain()), runner("own", own)];
            if let [plain, own] = &cold_race(100, pair)[..] {
                let what = "3x4 matrices, after other work";
                let to = "the same plain pass, after other work";
                self.add(count, what, own, plain, (count == 100_000).then_some(1.5), to);
            }
        }
        for count in [10_000, 100_000, 1_000_000] {
            let push_all = {
                let mut batch = crowd(count, Moving::Together, widest);
                move || {
                    black_box(&mut batch).tick();
                    let step = |_, mut pose: Pose| {
                        pose.position[0] += 0.1;
                        pose
                    };
                    batch.push_all(step).expect("in a tick");
                }
            };
            let push_turning = {
                let mut batch = crowd(count, Moving::Together, widest);
                let turns: [Rotation; 7] =
                    core::array::from_fn(|i| Rotation::from_axis_angle([0.1 * i as f32, 0.2, 0.3], 0.5));
                let mut ticks = 0;
                move || {
                    black_box(&mut batch).tick();
                    ticks += 1;
                    let rotation = turns[ticks % turns.len()];
                    let step = |_, mut pose: Pose| {
                        pose.position[0] += 0.1;
                        Pose { rotation, ..pose }
                    };
                    batch.push_all(step).expect("in a tick");
                }
            };
            let push_each = {
                let mut batch = crowd(count, Moving::Together, widest);
                let handles = batch.handles().to_vec();
                let mut x = 0.0;
                move || {
                    batch.tick();
                    x += 1.0;
                    for &handle in black_box(&handles) {
                        batch.push(handle, Pose::at([x, 0.0, 0.0])).expect("alive");
                    }
                }
            };
            let rebase = {
                let mut batch = crowd(count, Moving::Together, widest);
                move || black_box(&mut batch).rebase(|pose| pose.position[0] += 0.5)
            };
            for work in [
                runner("tick, push_all", push_all),
                runner("tick, push_all, all turn", push_turning),
                runner("tick, push one by one", push_each),
                runner("rebase", rebase),
            ] {
                let [triad, own] = race_over(count, [runner("triad", triad(count)), work]);
                self.add(count, &own.name, &own, &triad, None, "the triad");
            }
        }
    }

    fn add(&mut self, count: usize, what: &str, time: &Time, yardstick: &Time, bound: Option<f64>, to: &str) {
        let ratio = self.at_most(time.over(yardstick), bound);
        let ns = format!("{:.2}", time.seconds / count as f64 * 1e9);
        self.other.push(vec![what.into(), count.to_string(), ns, ratio, to.into()]);
    }
}
