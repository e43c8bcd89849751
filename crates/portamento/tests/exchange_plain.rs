//! A second implementation of both sides of the exchange, plain and slow, written from the page
//! `docs/exchange-layout.md` and from nothing else: it shares no line with the library. Both must read and write the same
//! blocks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst, fence};

use portamento::blend::{Pose, Pose64, Rotation};
use portamento::exchange::{Exchange, ExchangePose, Reader, Shape, SimulationTime};
use portamento::playhead::{Playhead, Shown};

/// The bytes of a block: all of it in words of 32 bits, columns too.
#[derive(Clone, Copy)]
struct Plain<'a>(&'a [AtomicU32]);

/// An entity as the page describes a row.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    id: u64,
    generation: u32,
    epoch: u32,
    flags: u32,
    /// Position and rotation.
    pose: [f64; 7],
    f32s: Vec<f32>,
    u32s: Vec<u32>,
}

/// A tick as the page describes a slot.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tick {
    run: u64,
    tick: u64,
    published: f64,
    simulated: f64,
    scale: f64,
    table: u64,
    rows: Vec<Row>,
}

fn pad(bytes: usize) -> usize {
    bytes.div_ceil(64) * 64
}

impl Plain<'_> {
    fn load(&self, offset: usize) -> u32 {
        assert_eq!(offset % 4, 0);
        self.0[offset / 4].load(SeqCst)
    }

    fn store(&self, offset: usize, word: u32) {
        self.0[offset / 4].store(word, SeqCst);
    }

    fn load64(&self, offset: usize) -> u64 {
        u64::from(self.load(offset)) | u64::from(self.load(offset + 4)) << 32
    }

    fn store64(&self, offset: usize, value: u64) {
        self.store(offset, value as u32);
        self.store(offset + 4, (value >> 32) as u32);
    }

    fn e(&self) -> usize {
        self.load(16) as usize
    }

    fn k(&self) -> u32 {
        self.load(20)
    }

    fn s(&self) -> usize {
        self.load(24) as usize
    }

    fn n(&self) -> usize {
        self.k() as usize + 2 * self.s() + 1
    }

    fn wide_positions(&self) -> bool {
        self.load(36) & 1 == 1
    }

    fn pose_bytes(&self) -> usize {
        if self.wide_positions() { 40 } else { 28 }
    }

    fn slot_bytes(&self) -> usize {
        let columns = 5 + self.load(40) as usize + self.load(44) as usize;
        64 + columns * pad(4 * self.e()) + pad(self.pose_bytes() * self.e())
    }

    fn entry(&self, q: u32) -> usize {
        128 + 4 * (q % self.k()) as usize
    }

    fn seat(&self, seat: usize) -> usize {
        128 + pad(4 * self.k() as usize) + 64 * seat
    }

    fn slot(&self, slot: usize) -> usize {
        self.seat(self.s()) + slot * self.slot_bytes()
    }

    fn make(&self, shape: Shape) {
        for word in self.0 {
            word.store(0, SeqCst);
        }
        self.store(4, u32::from_le_bytes(*b"MNTO"));
        self.store(8, 2);
        self.store(12, (4 * self.0.len() / 64) as u32);
        self.store(16, shape.entities as u32);
        self.store(20, shape.ticks as u32);
        self.store(24, shape.readers as u32);
        self.store(28, self.n() as u32);
        self.store(36, u32::from(shape.f64_positions));
        self.store(40, shape.f32_columns as u32);
        self.store(44, shape.u32_columns as u32);
        self.store(32, (self.slot_bytes() / 64) as u32);
        self.store(0, u32::from_le_bytes(*b"PORT"));
    }

    fn is_block(&self) -> bool {
        self.load(0) == u32::from_le_bytes(*b"PORT")
            && self.load(4) == u32::from_le_bytes(*b"MNTO")
            && self.load(8) == 2
            && self.load(28) as usize == self.n()
            && self.load(32) as usize * 64 == self.slot_bytes()
            && self.load(12) as usize * 64 == self.slot(self.n())
            && 4 * self.0.len() == self.slot(self.n())
            && (48..64).step_by(4).all(|offset| self.load(offset) == 0)
    }

    /// The columns of a slot, by where they begin: five of the table, the poses, the user's.
    fn columns(&self, slot: usize) -> ([usize; 5], usize, usize) {
        let (start, each) = (self.slot(slot) + 64, pad(4 * self.e()));
        let poses = start + 5 * each;
        (
            [0, 1, 2, 3, 4].map(|column| start + column * each),
            poses,
            poses + pad(self.pose_bytes() * self.e()),
        )
    }

    fn read_slot(&self, slot: usize) -> (u32, Tick) {
        let at = self.slot(slot);
        let ([low, high, generations, epochs, flags], poses, own) = self.columns(slot);
        let (f, u, each) = (self.load(40) as usize, self.load(44) as usize, pad(4 * self.e()));
        let row = |row: usize| {
            let single = |offset: usize| f64::from(f32::from_bits(self.load(offset)));
            let pose = poses + self.pose_bytes() * row;
            let (position, rotation) = if self.wide_positions() {
                ([0, 8, 16].map(|part| f64::from_bits(self.load64(pose + part))), pose + 24)
            } else {
                ([0, 4, 8].map(|part| single(pose + part)), pose + 12)
            };
            let turn = [0, 4, 8, 12].map(|part| single(rotation + part));
            let [x, y, z] = position;
            Row {
                id: u64::from(self.load(low + 4 * row)) | u64::from(self.load(high + 4 * row)) << 32,
                generation: self.load(generations + 4 * row),
                epoch: self.load(epochs + 4 * row),
                flags: self.load(flags + 4 * row),
                pose: [x, y, z, turn[0], turn[1], turn[2], turn[3]],
                f32s: (0..f).map(|column| f32::from_bits(self.load(own + column * each + 4 * row))).collect(),
                u32s: (f..f + u).map(|column| self.load(own + column * each + 4 * row)).collect(),
            }
        };
        let tick = Tick {
            run: self.load64(at + 8),
            tick: self.load64(at + 16),
            published: f64::from_bits(self.load64(at + 24)),
            simulated: f64::from_bits(self.load64(at + 32)),
            scale: f64::from_bits(self.load64(at + 40)),
            table: self.load64(at + 48),
            rows: (0..self.load(at + 4) as usize).map(row).collect(),
        };
        (self.load(at), tick)
    }

    fn write_slot(&self, slot: usize, sequence: u32, tick: &Tick) {
        let at = self.slot(slot);
        self.store(at, sequence);
        self.store(at + 4, tick.rows.len() as u32);
        let numbers =
            [tick.run, tick.tick, tick.published.to_bits(), tick.simulated.to_bits(), tick.scale.to_bits()];
        for (place, number) in numbers.into_iter().chain([tick.table, 0]).enumerate() {
            self.store64(at + 8 + 8 * place, number);
        }
        let ([low, high, generations, epochs, flags], poses, own) = self.columns(slot);
        let (f, each) = (self.load(40) as usize, pad(4 * self.e()));
        for (row, entity) in tick.rows.iter().enumerate() {
            self.store(low + 4 * row, entity.id as u32);
            self.store(high + 4 * row, (entity.id >> 32) as u32);
            self.store(generations + 4 * row, entity.generation);
            self.store(epochs + 4 * row, entity.epoch);
            self.store(flags + 4 * row, entity.flags);
            let pose = poses + self.pose_bytes() * row;
            for (part, number) in entity.pose.iter().enumerate() {
                match (self.wide_positions(), part) {
                    (true, 0..3) => self.store64(pose + 8 * part, number.to_bits()),
                    (true, _) => self.store(pose + 12 + 4 * part, (*number as f32).to_bits()),
                    (false, _) => self.store(pose + 4 * part, (*number as f32).to_bits()),
                }
            }
            for (column, number) in entity.f32s.iter().enumerate() {
                self.store(own + column * each + 4 * row, number.to_bits());
            }
            for (column, number) in entity.u32s.iter().enumerate() {
                self.store(own + (f + column) * each + 4 * row, *number);
            }
        }
    }
}

/// The writer of the page.
struct PlainWriter<'a> {
    block: Plain<'a>,
    latest: u32,
    /// Slots by place.
    directory: BTreeMap<u32, usize>,
    run: u64,
    ticks: u64,
}

impl<'a> PlainWriter<'a> {
    fn begin(block: Plain<'a>) -> Self {
        assert!(block.is_block());
        block.0[16].compare_exchange(0, 77, SeqCst, SeqCst).expect("the writer's place is free");
        let mut latest = block.load(80);
        let upper = |q: u32| q % (1 << 24);
        let next = latest.wrapping_add(1);
        let word = block.load(block.entry(next));
        if word != 0 && word >> 8 == upper(next) {
            latest = next;
        }
        let mut directory = BTreeMap::new();
        for age in 0..block.k() {
            let q = latest.wrapping_sub(age);
            let word = block.load(block.entry(q));
            if word != 0 {
                let slot = (word & 0xFF) as usize - 1;
                assert!(
                    slot < block.n()
                        && word >> 8 == upper(q)
                        && !directory.values().any(|other| *other == slot)
                );
                directory.insert(q % block.k(), slot);
            }
        }
        block.store(80, latest);
        block.store(68, 1);
        let run = block.load64(72) + 1;
        block.store64(72, run);
        Self { block, latest, directory, run, ticks: 0 }
    }

    fn publish(&mut self, mut tick: Tick) {
        let block = self.block;
        (tick.run, tick.tick) = (self.run, self.ticks);
        fence(SeqCst);
        let claims = (0..block.s()).flat_map(|seat| [0, 4].map(|claim| block.load(block.seat(seat) + claim)));
        let claimed: Vec<_> = claims.collect();
        let free = |slot: &usize| {
            !claimed.contains(&(*slot as u32 + 1)) && !self.directory.values().any(|kept| kept == slot)
        };
        let slot = (0..block.n()).find(free).expect("there always is one");
        let q = self.latest.wrapping_add(1);
        block.write_slot(slot, q, &tick);
        block.store(block.entry(q), (q % (1 << 24)) << 8 | (slot as u32 + 1));
        block.store(80, q);
        self.directory.insert(q % block.k(), slot);
        (self.latest, self.ticks) = (q, self.ticks + 1);
    }

    fn end(self) {
        self.block.store(68, 2);
        self.block.store(64, 0);
    }
}

/// The reader of the page: all ticks that can be read, newest first.
fn read_all(block: Plain<'_>, seat: usize) -> Vec<Tick> {
    assert!(block.is_block());
    let seat = block.seat(seat);
    block.0[(seat + 8) / 4].compare_exchange(0, 88, SeqCst, SeqCst).expect("the seat is free");
    let latest = block.load(80);
    let mut ticks = Vec::new();
    for age in 0..block.k() {
        let q = latest.wrapping_sub(age);
        let word = block.load(block.entry(q));
        if word == 0 || word >> 8 != q % (1 << 24) {
            break;
        }
        let slot = (word & 0xFF) as usize - 1;
        block.store(seat, slot as u32 + 1);
        fence(SeqCst);
        if block.load(block.entry(q)) != word {
            break;
        }
        let (sequence, tick) = block.read_slot(slot);
        if sequence != q {
            break;
        }
        ticks.push(tick);
        block.store(seat, 0);
    }
    block.store(seat, 0);
    block.store(seat + 8, 0);
    ticks
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn number(&mut self) -> f32 {
        self.below(2_000_000) as f32 / 1000.0 - 1000.0
    }
}

/// A world that changes at random, kept the simple way: rows that hold someone or no one.
struct World {
    rows: Vec<Row>,
    capacity: usize,
    table: u64,
    next: u64,
}

enum Change {
    Set(u64, [f64; 7], bool),
    Remove(u64),
    Flags(u64, u32),
    F32(u64, usize, f32),
    U32(u64, usize, u32),
}

impl World {
    fn new(shape: Shape) -> Self {
        Self { rows: Vec::new(), capacity: shape.entities, table: 1, next: 1 }
    }

    fn living(&self, dice: &mut Dice) -> Option<usize> {
        let living: Vec<_> = (0..self.rows.len()).filter(|row| self.rows[*row].generation % 2 == 1).collect();
        (!living.is_empty()).then(|| living[dice.below(living.len() as u64) as usize])
    }

    /// Changes something, and reports what, in terms of ids. `free` is which row the next entity gets.
    fn change(&mut self, dice: &mut Dice, shape: Shape, free: &mut Vec<usize>) -> Option<Change> {
        let pose = {
            let [x, y, z] = [dice.number(), dice.number(), dice.number()].map(f64::from);
            let half = (dice.below(628) as f32 / 200.0).sin();
            [x, y, z, f64::from(half), 0.0, 0.0, f64::from((1.0 - half * half).max(0.0).sqrt())]
        };
        let kind = dice.below(8);
        if kind == 0 {
            let row = match free.pop() {
                Some(row) => row,
                None if self.rows.len() < self.capacity => {
                    self.rows.push(Row::default());
                    self.rows.len() - 1
                }
                None => return None,
            };
            // Ids that JavaScript can hold, and larger ones.
            let id = if self.next.is_multiple_of(3) { self.next << 40 } else { self.next };
            self.next += 1;
            self.table += 1;
            let generation = self.rows[row].generation + 1;
            let (f32s, u32s) = (vec![0.0; shape.f32_columns], vec![0; shape.u32_columns]);
            self.rows[row] = Row { id, generation, epoch: 0, flags: 0, pose, f32s, u32s };
            return Some(Change::Set(id, pose, false));
        }
        let at = self.living(dice)?;
        let row = &mut self.rows[at];
        match kind {
            1 => {
                row.generation += 1;
                self.table += 1;
                free.push(at);
                Some(Change::Remove(row.id))
            }
            2 => {
                row.flags = dice.below(1 << 31) as u32;
                self.table += 1;
                Some(Change::Flags(row.id, row.flags))
            }
            3 if !row.f32s.is_empty() => {
                let column = dice.below(row.f32s.len() as u64) as usize;
                row.f32s[column] = dice.number();
                Some(Change::F32(row.id, column, row.f32s[column]))
            }
            4 if !row.u32s.is_empty() => {
                let column = dice.below(row.u32s.len() as u64) as usize;
                row.u32s[column] = dice.below(1 << 31) as u32;
                Some(Change::U32(row.id, column, row.u32s[column]))
            }
            5 => {
                row.pose = pose;
                row.epoch += 1;
                self.table += 1;
                Some(Change::Set(row.id, pose, true))
            }
            _ => {
                row.pose = pose;
                Some(Change::Set(row.id, pose, false))
            }
        }
    }
}

/// What both kinds of poses can do here.
trait Kind: portamento::exchange::ExchangePose {
    fn of(numbers: [f64; 7]) -> Self;
    fn numbers(&self) -> [f64; 7];
}

macro_rules! kind {
    ($pose:ident, $number:ty) => {
        impl Kind for $pose {
            fn of([x, y, z, i, j, k, w]: [f64; 7]) -> Self {
                let [i, j, k, w] = [i, j, k, w].map(|number| number as f32);
                Self {
                    position: [x, y, z].map(|number| number as $number),
                    rotation: Rotation { x: i, y: j, z: k, w },
                }
            }

            fn numbers(&self) -> [f64; 7] {
                let [x, y, z] = self.position.map(f64::from);
                let turn = self.rotation;
                let [i, j, k, w] = [turn.x, turn.y, turn.z, turn.w].map(f64::from);
                [x, y, z, i, j, k, w]
            }
        }
    };
}
kind!(Pose, f32);
kind!(Pose64, f64);

fn attach<P: ExchangePose>(exchange: &Exchange) -> Reader<P> {
    exchange.reader(Playhead::at_hz(60.0).unwrap()).unwrap()
}

/// Memory for a block.
fn memory(shape: Shape) -> Vec<AtomicU32> {
    // Sixteen words more, so that some multiple of 64 bytes is among them.
    (0..shape.bytes().unwrap() / 4 + 16).map(|_| AtomicU32::new(0xDEAD)).collect()
}

fn aligned(words: &[AtomicU32], shape: Shape) -> &[AtomicU32] {
    let skip = words.as_ptr().align_offset(64);
    &words[skip..][..shape.bytes().unwrap() / 4]
}

/// Opens, or makes, a block in the words that the plain side uses too.
#[allow(unsafe_code)]
fn exchange(words: &[AtomicU32], make: Option<Shape>) -> Exchange {
    let (start, bytes) = (words.as_ptr().cast_mut().cast::<u8>(), 4 * words.len());
    // SAFETY: the words outlive the exchange in every test here, and both sides only access them atomically, one after
    // the other in one thread.
    unsafe {
        match make {
            Some(shape) => Exchange::create_in(start, bytes, shape).unwrap(),
            None => Exchange::open_in(start, bytes).unwrap(),
        }
    }
}

const SHAPES: [Shape; 3] = [
    Shape { ticks: 4, readers: 2, f32_columns: 1, u32_columns: 2, ..Shape::entities(13) },
    Shape { ticks: 8, readers: 16, ..Shape::entities(16) },
    Shape { ticks: 32, readers: 1, f32_columns: 3, u32_columns: 0, f64_positions: true, entities: 5 },
];

fn time(dice: &mut Dice, before: f64) -> (f64, f64) {
    (before + 0.001 + dice.below(1000) as f64 / 1e4, [1.0, 0.2, 0.0, 1.0][dice.below(4) as usize])
}

fn the_library_writes<P: Kind>(shape: Shape) {
    let words = memory(shape);
    let words = aligned(&words, shape);
    let (block, exchange) = (Plain(words), exchange(words, Some(shape)));
    // Over the end of the 24 bits of a directory word.
    block.store(80, (1 << 24) - 500);
    let (mut dice, mut kept) = (Dice(3), Vec::new());
    for run in 1..=4 {
        let mut writer = exchange.writer::<P>().unwrap();
        let (mut world, mut free, mut simulated) = (World::new(shape), Vec::new(), 0.0);
        for tick in 0..250 {
            for _ in 0..dice.below(6) {
                match world.change(&mut dice, shape, &mut free) {
                    Some(Change::Set(id, pose, false)) => writer.set(id, P::of(pose)).unwrap(),
                    Some(Change::Set(id, pose, true)) => writer.cut(id, P::of(pose)).unwrap(),
                    Some(Change::Remove(id)) => writer.remove(id).unwrap(),
                    Some(Change::Flags(id, flags)) => writer.set_flags(id, flags).unwrap(),
                    Some(Change::F32(id, column, value)) => writer.set_f32(id, column, value).unwrap(),
                    Some(Change::U32(id, column, value)) => writer.set_u32(id, column, value).unwrap(),
                    None => {}
                }
            }
            let scale;
            (simulated, scale) = time(&mut dice, simulated);
            let published = simulated + 100.0;
            writer.publish(published, SimulationTime { simulated, scale }).unwrap();
            kept.push(Tick { run, tick, published, simulated, scale, table: 0, rows: world.rows.clone() });
            let mut found = read_all(block, shape.readers - 1);
            let tables: Vec<_> = found
                .iter_mut()
                .map(|tick| (tick.run, std::mem::take(&mut tick.table), tick.clone()))
                .collect();
            let expected: Vec<_> = kept.iter().rev().take(shape.ticks).cloned().collect();
            assert_eq!(found, expected, "tick {tick} of run {run}");
            // An unchanged version of the table means an unchanged table.
            let table = |tick: &Tick| -> Vec<_> {
                tick.rows.iter().map(|row| (row.id, row.generation, row.epoch, row.flags)).collect()
            };
            for pair in tables.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
                assert_eq!(table(&pair[0].2), table(&pair[1].2));
            }
        }
    }
}

fn the_library_reads<P: Kind>(shape: Shape) {
    let words = memory(shape);
    let words = aligned(&words, shape);
    let block = Plain(words);
    block.make(shape);
    // Over the end of the 32 bits of a sequence number.
    block.store(80, u32::MAX - 500);
    let exchange = exchange(words, None);
    assert_eq!(exchange.shape(), shape);
    let mut reader = attach::<P>(&exchange);
    let mut dice = Dice(9);
    for run in 1..=4 {
        let mut writer = PlainWriter::begin(block);
        let (mut world, mut free, mut simulated) = (World::new(shape), Vec::new(), 0.0);
        let mut last: Option<Tick> = None;
        for tick in 0..250 {
            for _ in 0..dice.below(6) {
                world.change(&mut dice, shape, &mut free);
            }
            let scale;
            (simulated, scale) = time(&mut dice, simulated);
            let now = Tick {
                published: simulated,
                simulated,
                scale,
                table: world.table,
                rows: world.rows.clone(),
                ..Tick::default()
            };
            writer.publish(now.clone());
            let frame = reader.frame(simulated).expect("there is a tick");
            assert_eq!(frame.to.run, run);
            let frame = reader.latest().expect("there is a tick");
            let stamp = frame.to;
            assert_eq!(
                (stamp.run, stamp.tick, stamp.published, stamp.simulated, stamp.scale),
                (run, tick, simulated, simulated, scale)
            );
            check(&frame, &now, None, 1.0, shape);
            // Halfway: the rows of the older tick, blended where nothing was cut and no one else moved in.
            if let Some(last) = &last {
                let middle = (last.simulated + simulated) / 2.0;
                let frame = reader.at(Shown::still(middle)).expect("there are two");
                check(&frame, last, Some(&now), frame.alpha, shape);
            }
            last = Some(now);
        }
        writer.end();
    }
}

fn check<P: Kind>(
    frame: &portamento::exchange::WorldFrame<'_, P>,
    older: &Tick,
    newer: Option<&Tick>,
    alpha: f64,
    shape: Shape,
) {
    let mut views = frame.entities();
    for (number, row) in older.rows.iter().enumerate().filter(|(_, row)| row.generation % 2 == 1) {
        let view = views.next().expect("everybody is there");
        assert_eq!(
            (view.id, view.generation, view.cut_epoch, view.flags),
            (row.id, row.generation, row.epoch, row.flags)
        );
        let other = newer.and_then(|newer| newer.rows.get(number));
        let other = other.filter(|other| (other.generation, other.epoch) == (row.generation, row.epoch));
        let to = other.unwrap_or(row);
        let numbers = view.pose.numbers();
        for part in 0..3 {
            let expected = row.pose[part] + (to.pose[part] - row.pose[part]) * alpha;
            assert!((numbers[part] - expected).abs() < 1e-3, "{numbers:?} {row:?} {to:?} {alpha}");
        }
        if other.is_none() {
            assert_eq!(numbers, P::of(row.pose).numbers(), "not blended");
        }
        for column in 0..shape.f32_columns {
            let expected = row.f32s[column] + (to.f32s[column] - row.f32s[column]) * alpha as f32;
            assert!((frame.f32(number, column).unwrap() - expected).abs() < 1e-2);
        }
        for column in 0..shape.u32_columns {
            assert_eq!(frame.u32(number, column), Some(row.u32s[column]));
        }
    }
    assert_eq!(views.next(), None, "and nobody else");
}

#[test]
fn the_plain_reader_sees_what_the_library_writes() {
    for shape in SHAPES {
        if shape.f64_positions {
            the_library_writes::<Pose64>(shape)
        } else {
            the_library_writes::<Pose>(shape)
        }
    }
}

#[test]
fn the_library_sees_what_the_plain_writer_writes() {
    for shape in SHAPES {
        if shape.f64_positions {
            the_library_reads::<Pose64>(shape)
        } else {
            the_library_reads::<Pose>(shape)
        }
    }
}

/// Whatever stands in a block, reading and writing it ends, without a panic, inside of the memory. A driver that needs no
/// file: `PORTAMENTO_CORRUPT` says how many mutations, of which a handful are made in each block.
#[test]
fn a_corrupt_block_is_refused_or_harmless() {
    let mutations = std::env::var("PORTAMENTO_CORRUPT").map_or(50_000, |text| text.parse::<u64>().unwrap());
    let (mut dice, mut done, mut blocks, mut refused, mut healed) = (Dice(11), 0, 0_u64, 0_u64, 0_u64);
    let shape = Shape { ticks: 4, readers: 2, f32_columns: 1, u32_columns: 1, ..Shape::entities(3) };
    let words = memory(shape);
    let words = aligned(&words, shape);
    // Around it stands what no one may touch; the whole is checked at the end.
    let sound: Vec<u32> = {
        let exchange = exchange(words, Some(shape));
        let mut writer = exchange.writer().unwrap();
        for tick in 0..6 {
            writer.set(1, Pose::at([tick as f32, 0.0, 0.0])).unwrap();
            writer.cut(2, Pose::default()).unwrap();
            writer.publish(f64::from(tick), f64::from(tick)).unwrap();
        }
        drop(writer);
        words.iter().map(|word| word.load(SeqCst)).collect()
    };
    // Readers that were attached before the damage, and go on.
    let attached = exchange(words, None);
    let mut reader = attach::<Pose>(&attached);
    let seats: Vec<u32> = words.iter().map(|word| word.load(SeqCst)).collect();
    while done < mutations {
        blocks += 1;
        words
            .iter()
            .zip(if blocks % 2 == 0 { &seats } else { &sound })
            .for_each(|(word, sound)| word.store(*sound, SeqCst));
        for _ in 0..1 + dice.below(6) {
            done += 1;
            // Words near the front and stamps matter most; small numbers and flipped bits get farther than noise.
            let index = match dice.below(4) {
                0 => dice.below(32),
                1 => 32 + dice.below(48),
                2 => 80 + dice.below(11) * (sound.len() as u64 - 80) / 9 / 16 * 16 + dice.below(16),
                _ => dice.below(words.len() as u64),
            } as usize
                % words.len();
            let (old, value) = (sound[index], dice.below(1 << 31) as u32);
            let new = match dice.below(5) {
                0 => value << 1 | 1,
                1 => value % 64,
                2 => old ^ 1 << (value % 32),
                3 => old.wrapping_add(value % 5).wrapping_sub(2),
                _ => [0, u32::MAX, 0x7FF0_0000, 0x7FF8_0001, 0xFF00_0000][value as usize % 5],
            };
            words[index].store(new, SeqCst);
        }
        read_everything(&mut reader, shape);
        let Ok(exchange) = reopen(words) else {
            refused += 1;
            continue;
        };
        // The header may name another shape that has the same length.
        let shape = exchange.shape();
        if shape.f64_positions {
            continue;
        }
        exchange.take_over();
        (0..shape.readers).for_each(|seat| exchange.free_seat(seat));
        read_everything(&mut attach::<Pose>(&exchange), shape);
        if let Ok(mut writer) = exchange.writer() {
            writer.set(7, Pose::at([7.0, 0.0, 0.0])).unwrap();
            for tick in 0..5 {
                writer.publish(0.0, f64::from(tick)).unwrap();
            }
            drop(writer);
            let mut reader = attach::<Pose>(&exchange);
            let world = reader.latest().expect("a new writer heals it");
            assert_eq!(world.entities().map(|view| view.id).collect::<Vec<_>>(), [7]);
            healed += 1;
        }
    }
    println!("{done} mutations in {blocks} blocks: {refused} refused, {healed} written on, none panicked");
    assert!(refused > blocks / 20 && healed > blocks / 20, "all kinds were among them");
}

#[allow(unsafe_code)]
fn reopen(words: &[AtomicU32]) -> Result<Exchange, portamento::exchange::AttachError> {
    // SAFETY: as in `exchange`.
    unsafe { Exchange::open_in(words.as_ptr().cast_mut().cast(), 4 * words.len()) }
}

fn read_everything(reader: &mut Reader, shape: Shape) {
    let _ = reader.writer();
    let _ = reader.frame(5.5);
    let newest = reader.latest().map_or(0.0, |world| world.to.simulated);
    for moment in [newest - 1.5, newest, f64::MIN, 3.0, f64::MAX] {
        let Some(world) = reader.at(Shown { beyond: 1.0, ..Shown::still(moment) }) else { continue };
        assert!((0.0..=1.0).contains(&world.alpha));
        assert!(world.entities().count() <= shape.entities && world.truth().len() <= shape.entities);
        let _ = (world.draw(1), world.f32(0, 0), world.u32(2, 0), world.rows);
    }
}
