//! Random calls of every function of the interface: with living, freed, foreign and made-up handles, with null
//! pointers, wrong sizes, NaN and infinities.
//!
//! What the caller promises in the header is kept (a pointer that is not null points to what it should), everything else
//! is random. Checked after each call: the status is one of the known ones and no bug; a call that failed wrote no result;
//! a call that succeeded wrote nothing past its result.
//!
//! Used by `tests/fuzz` with random numbers from a seed and by the fuzz target `c_abi` with bytes from libFuzzer.

use portamento_c::*;
use portamento_status::*;
use std::ffi::c_void;

/// Where the random numbers come from.
pub trait Source {
    /// 64 random bits; `None` ends the run.
    fn next(&mut self) -> Option<u64>;
}

/// Memory that pointers lead to, one piece for each parameter.
const PIECE: usize = 1 << 21;
const PIECES: usize = 10;
/// How much of a piece is checked for writes.
const WATCHED: usize = 640;
const MARK: u8 = 0xA5;
/// Kinds of handles are small numbers.
const KINDS: usize = 32;
/// Objects of a kind that live at the same time.
const LIVING: usize = 6;

pub struct Driver<S> {
    source: S,
    pieces: Vec<Box<[u8]>>,
    living: Vec<Vec<u64>>,
    gone: Vec<u64>,
    /// What the call in progress was given, for the checks.
    outputs: Vec<Output>,
    ended: bool,
    pub calls: u64,
    /// How often each status came back.
    pub statuses: [u64; 14],
}

#[derive(Clone, Copy)]
struct Output {
    piece: usize,
    size: usize,
    handle: bool,
}

/// A parameter of a call.
trait Argument: Copy {
    fn make<S: Source>(driver: &mut Driver<S>, place: usize) -> Self;
}

/// What a pointer may lead to.
trait Sample: Sized {
    fn sample<S: Source>(driver: &mut Driver<S>) -> Self;
    const HANDLE: bool = false;
}

impl<S: Source> Driver<S> {
    pub fn new(source: S) -> Self {
        Self {
            source,
            pieces: (0..PIECES).map(|_| vec![0; PIECE].into_boxed_slice()).collect(),
            living: vec![Vec::new(); KINDS],
            gone: Vec::new(),
            outputs: Vec::new(),
            ended: false,
            calls: 0,
            statuses: [0; 14],
        }
    }

    fn bits(&mut self) -> u64 {
        self.source.next().unwrap_or_else(|| {
            self.ended = true;
            0
        })
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.bits() >> 8) % n
    }

    fn chance(&mut self, in_a_hundred: u64) -> bool {
        self.below(100) < in_a_hundred
    }

    fn number(&mut self) -> f64 {
        let bits = self.bits();
        let share = (bits >> 11) as f64 / (1u64 << 53) as f64;
        match bits & 15 {
            0 => {
                const ODD: [f64; 16] = [
                    0.0,
                    -0.0,
                    f64::NAN,
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    1e300,
                    -1e300,
                    5e-324,
                    -1.0,
                    1e-9,
                    1e9,
                    3e38,
                    -3e38,
                    0.25,
                    1.0,
                    60.0,
                ];
                ODD[(bits >> 4 & 15) as usize]
            }
            1..=6 => share * 0.05,
            7..=9 => share,
            10 => share * 1e6 - 5e5,
            11 => f64::from_bits(bits.rotate_left(17)),
            _ => share * 20.0 - 10.0,
        }
    }

    fn handle(&mut self, kind: u64) -> u64 {
        let living = self.living[kind as usize].len() as u64;
        match self.below(20) {
            0 => 0,
            1 => self.bits(),
            2 if !self.gone.is_empty() => {
                let which = self.below(self.gone.len() as u64) as usize;
                self.gone[which]
            }
            3 => {
                let kind = self.below(KINDS as u64) as usize;
                self.living[kind].first().copied().unwrap_or(1)
            }
            _ if living > 0 => {
                let which = self.below(living) as usize;
                self.living[kind as usize][which]
            }
            _ => 0,
        }
    }

    /// A place that is watched, or null now and then.
    fn output<T: Sample>(&mut self, place: usize) -> *mut T {
        if self.chance(4) {
            return std::ptr::null_mut();
        }
        let piece = &mut self.pieces[place];
        piece[..WATCHED].fill(MARK);
        self.outputs.push(Output { piece: place, size: size_of::<T>(), handle: T::HANDLE });
        self.pieces[place].as_mut_ptr().cast()
    }

    fn input<T: Sample>(&mut self, place: usize) -> *const T {
        if self.chance(3) {
            return std::ptr::null();
        }
        // Some, for functions that take many; what follows them is whatever was there.
        for i in 0..2 {
            let sample = T::sample(self);
            // SAFETY: the piece has room for many, and needs no alignment.
            unsafe { self.pieces[place].as_mut_ptr().cast::<T>().add(i).write_unaligned(sample) };
        }
        self.pieces[place].as_ptr().cast()
    }

    fn ended(&mut self, name: &str, status: portamento_status) {
        self.calls += 1;
        self.statuses[status as usize] += 1;
        assert_ne!(status, PORTAMENTO_BUG, "{name}: {}", words());
        // One that says why there is nothing.
        let also_writes_with_nothing = name == "portamento_snapshots_draw" && status == PORTAMENTO_NOTHING;
        for output in std::mem::take(&mut self.outputs) {
            let piece = &self.pieces[output.piece];
            if status != PORTAMENTO_OK {
                let untouched = piece[..WATCHED].iter().all(|byte| *byte == MARK);
                assert!(
                    untouched || also_writes_with_nothing,
                    "{name} failed with {status:?} and wrote a result"
                );
                continue;
            }
            if output.handle {
                let id = u64::from_ne_bytes(piece[..8].try_into().unwrap());
                assert!(id != 0 && piece[8..WATCHED].iter().all(|byte| *byte == MARK), "{name}");
                let kind = (id >> 24 & 0xff) as usize;
                self.living[kind].push(id);
            } else if !MANY.contains(&name) {
                let past = &piece[output.size..WATCHED];
                assert!(past.iter().all(|byte| *byte == MARK), "{name} wrote past its result");
            }
        }
        // Not too many at once: the oldest goes.
        for kind in 0..KINDS {
            if self.living[kind].len() > LIVING {
                let id = self.living[kind].remove(0);
                free(kind, id);
                self.gone.push(id);
                if self.gone.len() > 64 {
                    self.gone.remove(0);
                }
            }
        }
    }

    /// What a call freed is known to be gone.
    fn freed(&mut self, id: u64) {
        for living in &mut self.living {
            living.retain(|living| *living != id);
        }
        self.gone.push(id);
    }
}

/// Functions whose result may be longer than its type.
const MANY: [&str; 13] = [
    "portamento_blend_numbers",
    "portamento_normalize",
    "portamento_batch_frame",
    "portamento_batch_frame_moved",
    "portamento_batch_frame_strided",
    "portamento_batch64_frame",
    "portamento_reader_entities",
    "portamento_waypoints_enqueue",
    "portamento_follow_camera_to_world",
    "portamento_follow_camera_to_screen",
    // Leaves the pose alone where an echo moves nothing.
    "portamento_own_player_echo",
    "portamento_last_error",
    "portamento_chase_camera_update",
];

fn words() -> String {
    let mut words = [0u8; 512];
    // SAFETY: the buffer is as long as it says.
    let length = unsafe { portamento_last_error(words.as_mut_ptr().cast(), words.len()) };
    assert!(length < 512);
    String::from_utf8_lossy(&words[..length]).into_owned()
}

macro_rules! numbers {
    ($($type:ty: |$driver:ident| $make:expr;)*) => {$(
        impl Argument for $type {
            fn make<S: Source>($driver: &mut Driver<S>, _: usize) -> Self {
                $make
            }
        }

        impl Sample for $type {
            fn sample<S: Source>($driver: &mut Driver<S>) -> Self {
                $make
            }
        }
    )*};
}

numbers! {
    f64: |driver| driver.number();
    f32: |driver| driver.number() as f32;
    u64: |driver| if driver.chance(90) { driver.below(12) } else { driver.bits() };
    u16: |driver| driver.below(4) as u16;
    u32: |driver| match driver.below(20) {
        0 => driver.bits() as u32,
        1 => driver.below(200) as u32,
        _ => driver.below(5) as u32,
    };
    usize: |driver| if driver.chance(15) { driver.below(1000) as usize } else { driver.below(40) as usize };
}

impl<T: Sample> Argument for *const T {
    fn make<S: Source>(driver: &mut Driver<S>, place: usize) -> Self {
        driver.input(place)
    }
}

impl<T: Sample> Argument for *mut T {
    fn make<S: Source>(driver: &mut Driver<S>, place: usize) -> Self {
        driver.output(place)
    }
}

impl Sample for c_void {
    fn sample<S: Source>(_: &mut Driver<S>) -> Self {
        unreachable!("there is no such value")
    }
}

/// Paths of files that are no blocks.
impl Sample for std::ffi::c_char {
    fn sample<S: Source>(driver: &mut Driver<S>) -> Self {
        // The second sample ends the text.
        if driver.chance(50) { 0 } else { b'/' as Self }
    }
}

macro_rules! handles {
    ($($type:ident: $kind:literal, $free:ident;)*) => {
        $(
            impl Argument for $type {
                fn make<S: Source>(driver: &mut Driver<S>, _: usize) -> Self {
                    $type { id: driver.handle($kind) }
                }
            }

            impl Sample for $type {
                const HANDLE: bool = true;

                fn sample<S: Source>(driver: &mut Driver<S>) -> Self {
                    $type { id: driver.handle($kind) }
                }
            }
        )*

        fn free(kind: usize, id: u64) {
            let status = match kind {
                $($kind => $free($type { id }),)*
                other => unreachable!("no kind {other}"),
            };
            assert_eq!(status, PORTAMENTO_OK, "what lives can be freed");
        }

        /// Frees one of any kind, and again.
        fn free_any<S: Source>(driver: &mut Driver<S>) {
            match driver.below(KINDS as u64) {
                $($kind => {
                    let id = driver.handle($kind);
                    let status = $free($type { id });
                    driver.ended(stringify!($free), status);
                    if status == PORTAMENTO_OK {
                        driver.freed(id);
                    }
                    assert_eq!($free($type { id }), PORTAMENTO_UNKNOWN_HANDLE, "freed, or never made");
                })*
                _ => {}
            }
        }
    };
}

handles! {
    portamento_stepper: 1, portamento_stepper_free;
    portamento_track: 2, portamento_track_free;
    portamento_batch: 3, portamento_batch_free;
    portamento_chase_camera: 4, portamento_chase_camera_free;
    portamento_follow_camera: 5, portamento_follow_camera_free;
    portamento_waypoints: 6, portamento_waypoints_free;
    portamento_remote_body: 7, portamento_remote_body_free;
    portamento_peer: 8, portamento_peer_free;
    portamento_snapshots: 9, portamento_snapshots_free;
    portamento_playhead: 10, portamento_playhead_free;
    portamento_timeline: 11, portamento_timeline_free;
    portamento_predicted_track: 12, portamento_predicted_track_free;
    portamento_visual_offset: 13, portamento_visual_offset_free;
    portamento_exchange: 14, portamento_exchange_free;
    portamento_writer: 15, portamento_writer_free;
    portamento_reader: 16, portamento_reader_free;
    portamento_batch64: 17, portamento_batch64_free;
    portamento_history: 18, portamento_history_free;
    portamento_own_player: 19, portamento_own_player_free;
    portamento_tick_clock: 20, portamento_tick_clock_free;
    portamento_cues: 21, portamento_cues_free;
}

impl Argument for portamento_batch_handle {
    fn make<S: Source>(driver: &mut Driver<S>, _: usize) -> Self {
        Self::sample(driver)
    }
}

impl Sample for portamento_batch_handle {
    fn sample<S: Source>(driver: &mut Driver<S>) -> Self {
        portamento_batch_handle { index: u32::sample(driver), generation: driver.below(4) as u32 }
    }
}

fn rotation<S: Source>(driver: &mut Driver<S>) -> [f32; 4] {
    if driver.chance(90) {
        const GOOD: [[f32; 4]; 4] =
            [[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, -0.8], [0.0, -1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]];
        return GOOD[driver.below(4) as usize];
    }
    [0.0; 4].map(|_: f32| driver.number() as f32)
}

/// Mostly a place near the origin.
fn vector<S: Source, const N: usize>(driver: &mut Driver<S>) -> [f64; N] {
    let odd = driver.chance(4);
    [0.0; N].map(|_: f64| if odd { driver.number() } else { driver.below(4000) as f64 / 100.0 - 20.0 })
}

macro_rules! structs {
    ($($type:ident: |$driver:ident| $make:expr;)*) => {$(
        impl Sample for $type {
            fn sample<S: Source>($driver: &mut Driver<S>) -> Self {
                $make
            }
        }
    )*};
}

structs! {
    portamento_pose64: |driver| portamento_pose64 { position: vector(driver), rotation: rotation(driver) };
    portamento_pose: |driver| portamento_pose {
        position: vector(driver).map(|c: f64| c as f32),
        rotation: rotation(driver),
    };
    portamento_moment: |driver| portamento_moment {
        alpha: driver.number(),
        beyond: if driver.chance(90) { 0.0 } else { driver.number() },
        presented: driver.number(),
        // A debug build panics when a track missed a tick or keeps too few: misuse that is noticed, not a bug.
        tick: if cfg!(debug_assertions) { 0 } else { driver.below(9) },
        back: if cfg!(debug_assertions) { 0 } else { u32::sample(driver) },
        frame: driver.below(9) as u32,
    };
    portamento_drawn: |driver| portamento_drawn {
        now: Sample::sample(driver),
        before: Sample::sample(driver),
        cut: driver.below(2) as u32,
        reserved: 0,
    };
    portamento_shown: |driver| portamento_shown {
        at: driver.number(),
        presented: driver.number(),
        beyond: driver.number(),
        skipped: driver.number(),
    };
    portamento_report: |driver| portamento_report {
        pose: Sample::sample(driver),
        linear: vector(driver).map(|c: f64| c as f32),
        angular: vector(driver).map(|c: f64| c as f32),
        epoch: driver.below(3) as u32,
        has_velocity: driver.below(2) as u32,
        rests: driver.below(2) as u32,
        reserved: 0,
    };
    portamento_point_report: |driver| portamento_point_report {
        position: vector(driver),
        velocity: vector(driver),
        epoch: driver.below(3) as u32,
        has_velocity: driver.below(2) as u32,
        rests: driver.below(2) as u32,
        reserved: 0,
    };
    portamento_waypoint_report: |driver| portamento_waypoint_report {
        pose: Sample::sample(driver),
        payload: driver.bits(),
        blip: driver.number(),
        teleport: driver.below(4) as u16,
        sequence: driver.bits() as u16,
        has_sequence: driver.below(2) as u8,
        contact: driver.below(2) as u8,
        keep_heading: driver.below(2) as u8,
        indoors: driver.below(2) as u8,
        forced: driver.below(4) as u16,
        reserved: [0; 3],
    };
    portamento_waypoint_tick: |driver| portamento_waypoint_tick {
        dt: driver.number(),
        max_speed: driver.number(),
        contact: driver.below(2) as u32,
        sticky: driver.below(2) as u32,
    };
    portamento_waypoint_step: |driver| portamento_waypoint_step { offset: vector(driver), turn: rotation(driver) };
    portamento_claim: |driver| {
        let (low, high) = (driver.bits().to_le_bytes(), driver.bits().to_le_bytes());
        portamento_claim { bytes: std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] }) }
    };
    portamento_follow_target: |driver| portamento_follow_target {
        place: vector(driver),
        cut: driver.below(2) as u32,
        reserved: 0,
    };
    portamento_offset_size: |driver| portamento_offset_size { length: driver.number(), angle: driver.number() };
}

/// Settings: the defaults, with some of them changed and now and then another size.
macro_rules! settings {
    ($($type:ident: |$driver:ident, $place:ident| $default:expr;)*) => {$(
        impl Sample for $type {
            fn sample<S: Source>($driver: &mut Driver<S>) -> Self {
                // SAFETY: the structs of the interface are plain numbers.
                let mut made: $type = unsafe { std::mem::zeroed() };
                let $place: *mut $type = &mut made;
                // SAFETY: a place for the settings.
                let status = unsafe { $default };
                assert!(matches!(status, PORTAMENTO_OK | PORTAMENTO_BAD_VALUE), "{status:?}");
                while !$driver.ended && $driver.chance(30) {
                    let words = size_of::<$type>() as u64 / 4;
                    let word = if $driver.chance(90) { 1 + $driver.below(words - 1) } else { 0 } as usize;
                    // SAFETY: within the struct, every part of which is a plain number.
                    unsafe {
                        let start: *mut u8 = (&raw mut made).cast();
                        if word % 2 == 0 && word + 2 <= words as usize && $driver.chance(60) {
                            start.add(4 * word).cast::<f64>().write_unaligned($driver.number());
                        } else {
                            start.add(4 * word).cast::<u32>().write_unaligned($driver.below(9) as u32);
                        }
                    }
                }
                made
            }
        }
    )*};
}

settings! {
    portamento_fixed_settings: |driver, place| portamento_fixed_settings_at_hz(driver.number() * 100.0, place);
    portamento_gate_settings: |driver, place| portamento_gate_settings_with_rule(driver.below(3) as u32, place);
    portamento_chase_settings: |driver, place| match driver.below(2) {
        0 => portamento_chase_settings_y_up(place),
        _ => portamento_chase_settings_z_up(place),
    };
    portamento_follow_settings: |driver, place| portamento_follow_settings_new(800.0, 600.0, place);
    portamento_waypoint_settings: |driver, place| match driver.below(2) {
        0 => portamento_waypoint_settings_y_up(place),
        _ => portamento_waypoint_settings_z_up(place),
    };
    portamento_peer_settings: |driver, place| match (driver.below(4), driver.number() * 100.0) {
        (0, hz) => portamento_peer_settings_action(hz, place),
        (1, hz) => portamento_peer_settings_racing(hz, place),
        (2, hz) => portamento_peer_settings_strategy(hz, place),
        (_, hz) => portamento_peer_settings_at_hz(hz, place),
    };
    portamento_playhead_settings: |driver, place| match (driver.below(2), driver.number() * 100.0) {
        (0, hz) => portamento_playhead_settings_at_hz(hz, place),
        (_, hz) => portamento_playhead_settings_network(hz, place),
    };
    portamento_timeline_settings: |_driver, place| portamento_timeline_settings_default(place);
    portamento_offset_fading: |_driver, place| portamento_offset_fading_correction(place);
    portamento_batch_settings: |_driver, place| portamento_batch_settings_default(place);
    portamento_reconcile_settings: |_driver, place| portamento_reconcile_settings_default(place);
    portamento_history_settings: |driver, place| {
        portamento_history_settings_at_hz(5.0 + driver.below(60) as f64, place)
    };
    portamento_shape: |driver, place| portamento_shape_entities(driver.below(9) as u32, place);
}

/// Results that no one gives back.
macro_rules! results {
    ($($type:ident)*) => {$(
        impl Sample for $type {
            fn sample<S: Source>(_: &mut Driver<S>) -> Self {
                // SAFETY: the structs of the interface are plain numbers.
                unsafe { std::mem::zeroed() }
            }
        }
    )*};
}

results! {
    portamento_frame portamento_tick portamento_stepper_counts portamento_shot portamento_framing
    portamento_peer_frame portamento_waypoint_outcome portamento_waypoints_state portamento_playhead_counts portamento_tick_stamp
    portamento_world_frame portamento_entity_view portamento_reader_counts portamento_rewound portamento_history_counts
    portamento_camera_counts portamento_cue portamento_peer_statistics portamento_snapshot_counts
    portamento_waypoint_counts portamento_remote_body_state
}

/// A function of the interface: makes its arguments and calls it.
trait Function {
    fn call<S: Source>(self, driver: &mut Driver<S>, name: &str);
}

macro_rules! function {
    ($($argument:ident $place:literal),*) => {
        impl<$($argument: Argument),*> Function for unsafe extern "C" fn($($argument),*) -> portamento_status {
            #[allow(non_snake_case)]
            fn call<S: Source>(self, driver: &mut Driver<S>, name: &str) {
                $(let $argument = $argument::make(driver, $place);)*
                // SAFETY: every pointer is null or leads to a piece of memory that is long enough for whatever the
                // numbers beside it say.
                let status = unsafe { self($($argument),*) };
                driver.ended(name, status);
            }
        }
    };
}

function!(A 0);
function!(A 0, B 1);
function!(A 0, B 1, C 2);
function!(A 0, B 1, C 2, D 3);
function!(A 0, B 1, C 2, D 3, E 4);
function!(A 0, B 1, C 2, D 3, E 4, F 5);
function!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
function!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
function!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
function!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);

/// Called by a chase camera: any place may come out.
unsafe extern "C-unwind" fn collide(user: *mut c_void, pivot: *const f64, eye: *mut f64) {
    // SAFETY: the camera promises three numbers each, and `user` is a number of ours.
    unsafe {
        assert!((0..3).all(|i| !(*pivot.add(i)).is_infinite()));
        *eye.add(1) = *user.cast::<f64>();
    }
}

fn chase_update<S: Source>(driver: &mut Driver<S>) {
    let camera = portamento_chase_camera::make(driver, 0);
    let (seconds, mut height) = (driver.number(), driver.number());
    let body = driver.input::<portamento_drawn>(1);
    let shot = driver.output::<portamento_shot>(2);
    let collide: portamento_collide = if driver.chance(50) { Some(collide) } else { None };
    // SAFETY: as for all functions.
    let status = unsafe {
        portamento_chase_camera_update(camera, seconds, body, collide, (&raw mut height).cast(), shot)
    };
    driver.ended("portamento_chase_camera_update", status);
}

macro_rules! functions {
    ($($name:ident($($blank:tt)*);)*) => {
        /// Every function but those that are called in their own way below.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        fn call<S: Source>(driver: &mut Driver<S>, which: usize) {
            let mut next = 0;
            $(
                if which == next {
                    let function: unsafe extern "C" fn($($blank)*) -> _ = $name;
                    return function.call(driver, stringify!($name));
                }
                next += 1;
            )*
            let _ = next;
        }
    };
}

/// Functions that need another way of calling.
pub const OWN_WAY: &[&str] = &[
    "portamento_chase_camera_update",
    "portamento_last_error",
    "portamento_abi_version",
    "portamento_reader_wait",
    "portamento_exchange_create_file",
];

/// Makes calls until `most` have been made or the source ends; then frees everything.
pub fn run<S: Source>(driver: &mut Driver<S>, most: u64) {
    while driver.calls < most && !driver.ended {
        match driver.below(64) {
            0 => free_any(driver),
            1 | 2 => chase_update(driver),
            3 => {
                let seconds = [0.0, f64::NAN, -1.0, 1e-6][driver.below(4) as usize];
                let status = portamento_reader_wait(portamento_reader::make(driver, 0), seconds);
                driver.ended("portamento_reader_wait", status);
            }
            4 => {
                let capacity = usize::make(driver, 0);
                let buffer = driver.output::<std::ffi::c_char>(1);
                driver.outputs.clear();
                // SAFETY: room for as many characters.
                assert!(unsafe { portamento_last_error(buffer, capacity) } < 512);
                assert_eq!(portamento_abi_version(), PORTAMENTO_ABI_VERSION);
            }
            _ => {
                let which = driver.below(NAMES.len() as u64) as usize;
                call(driver, which);
            }
        }
    }
    for kind in 0..KINDS {
        for id in std::mem::take(&mut driver.living[kind]) {
            free(kind, id);
        }
    }
}

functions! {
    portamento_batch_new(_, _);
    portamento_batch_settings_default(_);
    portamento_batch_with_settings(_, _);
    portamento_batch_reconcile(_, _, _);
    portamento_batch_reserve_saves(_, _);
    portamento_batch_save(_, _);
    portamento_batch_restore(_, _);
    portamento_batch_drawn(_, _, _);
    portamento_batch_reserve(_, _);
    portamento_batch_insert(_, _, _);
    portamento_batch_remove(_, _);
    portamento_batch_rows(_, _);
    portamento_batch_push_all(_, _, _, _);
    portamento_batch_push_some(_, _, _, _, _, _);
    portamento_batch_correct(_, _, _);
    portamento_batch_truth(_, _, _);
    portamento_batch_cut(_, _, _);
    portamento_batch_rebase(_, _);
    portamento_batch_redraw(_);
    portamento_batch_frame(_, _, _, _, _, _, _, _);
    portamento_batch_frame_moved(_, _, _, _, _, _, _, _);
    portamento_batch_frame_strided(_, _, _, _, _, _, _, _, _);
    portamento_batch64_new(_, _);
    portamento_batch64_reserve(_, _);
    portamento_batch64_insert(_, _, _);
    portamento_batch64_remove(_, _);
    portamento_batch64_rows(_, _);
    portamento_batch64_push_all(_, _, _, _);
    portamento_batch64_cut(_, _, _);
    portamento_batch64_correct(_, _, _);
    portamento_batch64_rebase(_, _);
    portamento_batch64_redraw(_);
    portamento_batch64_frame(_, _, _, _, _, _, _, _, _, _);
    portamento_blend_numbers(_, _, _, _, _);
    portamento_blend_poses(_, _, _, _);
    portamento_slerp_poses(_, _, _, _);
    portamento_normalize(_, _);
    portamento_chase_settings_y_up(_);
    portamento_chase_settings_z_up(_);
    portamento_chase_camera_new(_, _);
    portamento_chase_camera_set_settings(_, _);
    portamento_chase_camera_set_look(_, _, _);
    portamento_chase_camera_cut(_);
    portamento_chase_camera_settings(_, _);
    portamento_chase_camera_rebase(_, _);
    portamento_chase_camera_release_height(_);
    portamento_chase_camera_get_counts(_, _);
    portamento_follow_settings_new(_, _, _);
    portamento_follow_camera_new(_, _);
    portamento_follow_camera_set_settings(_, _);
    portamento_follow_camera_update(_, _, _, _, _);
    portamento_follow_camera_zoom_to(_, _, _);
    portamento_follow_camera_shake(_, _);
    portamento_follow_camera_cut(_);
    portamento_follow_camera_settings(_, _);
    portamento_follow_camera_update_all(_, _, _, _, _, _);
    portamento_follow_camera_update_free(_, _, _);
    portamento_follow_camera_framing(_, _);
    portamento_follow_camera_set_centre(_, _);
    portamento_follow_camera_pan(_, _);
    portamento_follow_camera_recentre(_);
    portamento_follow_camera_rebase(_, _);
    portamento_follow_camera_get_counts(_, _);
    portamento_follow_camera_zoom_by(_, _, _);
    portamento_follow_camera_advance_shake(_, _, _);
    portamento_follow_camera_to_screen(_, _, _);
    portamento_follow_camera_to_world(_, _, _);
    portamento_shape_entities(_, _);
    portamento_exchange_new(_, _);
    portamento_exchange_open_file(_, _);
    portamento_exchange_is_replaced(_, _);
    portamento_exchange_shape(_, _);
    portamento_machine_seconds(_);
    portamento_writer_new(_, _);
    portamento_writer_set(_, _, _);
    portamento_writer_set_many(_, _, _, _, _, _);
    portamento_writer_cut(_, _, _);
    portamento_writer_remove(_, _);
    portamento_writer_set_flags(_, _, _);
    portamento_writer_set_f32(_, _, _, _);
    portamento_writer_set_u32(_, _, _, _);
    portamento_writer_publish(_, _, _, _, _);
    portamento_writer_publish_stepper(_, _, _, _);
    portamento_reader_new(_, _, _);
    portamento_reader_frame(_, _, _);
    portamento_reader_entities(_, _, _, _, _);
    portamento_reader_draw(_, _, _);
    portamento_reader_f32(_, _, _, _);
    portamento_reader_u32(_, _, _, _);
    portamento_reader_writer(_, _);
    portamento_reader_get_counts(_, _);
    portamento_playhead_settings_at_hz(_, _);
    portamento_playhead_settings_network(_, _);
    portamento_playhead_new(_, _);
    portamento_playhead_observe(_, _, _, _);
    portamento_playhead_observe_cut(_, _, _, _);
    portamento_playhead_advance(_, _, _);
    portamento_playhead_set_time_scale(_, _, _);
    portamento_playhead_restart(_);
    portamento_playhead_alpha_since_arrival(_, _);
    portamento_playhead_get_counts(_, _);
    portamento_timeline_settings_default(_);
    portamento_timeline_new(_, _);
    portamento_timeline_push(_, _, _);
    portamento_timeline_cut(_, _, _);
    portamento_timeline_view(_, _, _, _, _);
    portamento_timeline_draw(_, _, _);
    portamento_timeline_truth(_, _);
    portamento_timeline_rebase(_, _);
    portamento_timeline_clear(_);
    portamento_cues_new(_);
    portamento_cues_add(_, _, _);
    portamento_cues_next(_, _, _);
    portamento_cues_waiting(_, _);
    portamento_cues_refused(_, _);
    portamento_cues_clear(_);
    portamento_offset_fading_correction(_);
    portamento_reconcile_settings_default(_);
    portamento_predicted_track_new(_, _, _);
    portamento_predicted_track_push(_, _);
    portamento_predicted_track_cut(_, _);
    portamento_predicted_track_correct(_, _);
    portamento_predicted_track_reconcile(_, _);
    portamento_predicted_track_save(_, _);
    portamento_predicted_track_reserve_saves(_, _);
    portamento_predicted_track_restore(_, _);
    portamento_predicted_track_rebase(_, _);
    portamento_predicted_track_truth(_, _);
    portamento_predicted_track_draw(_, _, _);
    portamento_predicted_track_offset(_, _);
    portamento_visual_offset_new(_);
    portamento_visual_offset_absorb(_, _, _, _, _);
    portamento_visual_offset_fade(_, _, _);
    portamento_visual_offset_drawn(_, _, _);
    portamento_visual_offset_clear(_);
    portamento_visual_offset_size(_, _);
    portamento_peer_settings_at_hz(_, _);
    portamento_peer_settings_action(_, _);
    portamento_peer_settings_racing(_, _);
    portamento_peer_settings_strategy(_, _);
    portamento_peer_new(_, _);
    portamento_peer_receive(_, _, _);
    portamento_peer_restart(_);
    portamento_peer_set_hz(_, _);
    portamento_peer_get_statistics(_, _);
    portamento_tick_clock_at_hz(_, _, _);
    portamento_tick_clock_seconds(_, _, _, _);
    portamento_tick_clock_set_tick(_, _, _);
    portamento_tick_clock_restart(_);
    portamento_peer_frame_at(_, _, _);
    portamento_snapshots_new(_);
    portamento_snapshots_new_points(_);
    portamento_snapshots_insert(_, _, _, _);
    portamento_snapshots_insert_point(_, _, _, _);
    portamento_snapshots_vanish(_, _);
    portamento_snapshots_draw(_, _, _, _);
    portamento_snapshots_extra_delay(_, _);
    portamento_snapshots_offset(_, _);
    portamento_snapshots_get_counts(_, _);
    portamento_require_abi(_);
    portamento_fixed_settings_at_hz(_, _);
    portamento_stepper_fixed(_, _);
    portamento_gate_settings_with_rule(_, _);
    portamento_stepper_gated(_, _);
    portamento_stepper_frame(_, _, _);
    portamento_stepper_frame_at(_, _, _);
    portamento_stepper_step_once(_, _);
    portamento_stepper_tick(_, _);
    portamento_stepper_moment(_, _);
    portamento_stepper_pause(_);
    portamento_stepper_resume(_);
    portamento_stepper_set_time_scale(_, _);
    portamento_stepper_set_hz(_, _);
    portamento_stepper_set_snapping(_, _, _);
    portamento_stepper_cut(_);
    portamento_stepper_get_counts(_, _);
    portamento_track_new(_, _);
    portamento_track_with_ends(_, _, _);
    portamento_track_push(_, _);
    portamento_track_cut(_, _);
    portamento_track_correct(_, _);
    portamento_track_reserve_saves(_, _);
    portamento_track_save(_, _);
    portamento_track_restore(_, _);
    portamento_track_rebase(_, _);
    portamento_track_truth(_, _);
    portamento_track_view(_, _, _);
    portamento_track_draw(_, _, _);
    portamento_track_at_rest(_, _, _);
    portamento_moment_at(_, _, _);
    portamento_waypoint_settings_y_up(_);
    portamento_waypoint_settings_z_up(_);
    portamento_waypoints_new(_, _);
    portamento_waypoints_enqueue(_, _, _, _, _);
    portamento_waypoints_enqueue_velocity(_, _);
    portamento_waypoints_enqueue_stop(_);
    portamento_waypoints_stop(_);
    portamento_waypoint_report_new(_, _, _);
    portamento_waypoints_rebase(_, _);
    portamento_waypoints_get_counts(_, _);
    portamento_waypoints_step(_, _, _, _);
    portamento_waypoint_step_apply(_, _, _);
    portamento_waypoints_end_tick(_, _, _, _);
    portamento_waypoints_accept(_);
    portamento_waypoints_refuse(_);
    portamento_waypoints_get_state(_, _);
    portamento_remote_body_new(_, _);
    portamento_remote_body_report(_, _, _, _);
    portamento_remote_body_frame(_, _, _);
    portamento_remote_body_step(_, _, _, _);
    portamento_remote_body_moved(_, _, _);
    portamento_remote_body_accept(_);
    portamento_remote_body_refuse(_);
    portamento_remote_body_stick_to(_, _, _);
    portamento_remote_body_truth(_, _);
    portamento_remote_body_walk(_, _, _);
    portamento_remote_body_follow(_, _);
    portamento_remote_body_release(_);
    portamento_remote_body_enqueue_velocity(_, _);
    portamento_remote_body_enqueue_stop(_);
    portamento_remote_body_stop(_);
    portamento_remote_body_rebase(_, _);
    portamento_remote_body_get_state(_, _);
    portamento_remote_body_get_counts(_, _);
    portamento_own_player_new(_, _);
    portamento_own_player_echo(_, _, _, _);
    portamento_own_player_limit(_, _, _, _, _);
    portamento_own_player_strayed(_, _, _);
    portamento_own_player_is_held(_, _, _);
    portamento_own_player_rebase(_, _);
    portamento_own_player_get_counts(_, _);
    portamento_remote_body_draw(_, _, _);
    portamento_history_settings_at_hz(_, _);
    portamento_history_new(_, _);
    portamento_history_record(_, _, _, _);
    portamento_history_record_point(_, _, _, _);
    portamento_history_vanish(_, _, _);
    portamento_history_rewind(_, _, _, _);
    portamento_history_at(_, _, _);
    portamento_history_get_counts(_, _);
    portamento_snapshots_claim(_, _, _);
    portamento_snapshots_hand_over(_);
    portamento_snapshots_rebase(_, _);
    portamento_snapshots_blended(_, _);
}
