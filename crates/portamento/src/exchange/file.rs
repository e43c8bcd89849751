//! How do two processes meet at a block?
//!
//! The block is a file that every side maps. The kernel knows which process is alive. The writer locks the byte at 64
//! (the start of its line), a reader the first byte of its seat. Both locks belong to the open file and end with its
//! process, however it ends. Process numbers and heartbeats would be guesses: a number is reused and means nothing in
//! another container, and a process that was stopped for a minute is slow, not dead. A claim is thus never taken from
//! someone who might still read.
//!
//! A file is only ever put in place complete: written under another name, then linked or renamed. No one shortens a file
//! that others have mapped. Whoever is killed in between leaves a file that ends in `.new`, without a lock: the next
//! one that creates a block there removes it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use alloc::sync::Arc;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use nix::time::{ClockId, clock_gettime};

use super::block::Block;
use super::offsets::{Layout, header};
use super::protocol::{ReadSide, Succession, WriteSide};
use super::sync::Memory;
use super::{AttachError, BlockError, Exchange, Shape, WriterState};

/// How often creating a file starts over because someone else put one there or took it away meanwhile.
const ATTEMPTS: u32 = 8;
/// How many links lead to a file at most, as the kernel counts.
const LINKS: u32 = 40;

/// Which file a block lies in.
#[derive(Debug)]
pub(super) struct BlockFile {
    /// Absolute, so that a change of the working directory does not change what it means.
    path: PathBuf,
    identity: Identity,
}

/// Device and number of a file: a path can come to mean another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    fn of(data: &fs::Metadata) -> Self {
        Self(data.dev(), data.ino())
    }

    /// Of the file that the path leads to now. Needs no file descriptor.
    fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|data| Self::of(&data))
    }
}

/// A lock on one byte of the file, gone with this value or with the process.
#[derive(Debug)]
pub(super) struct RecordLock {
    _file: fs::File,
}

impl RecordLock {
    /// `None` when someone who lives has it.
    fn take(file: fs::File, byte: usize) -> io::Result<Option<Self>> {
        let lock = libc::flock {
            l_type: libc::F_WRLCK as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: byte as libc::off_t,
            l_len: 1,
            l_pid: 0,
        };
        match fcntl(&file, FcntlArg::F_OFD_SETLK(&lock)) {
            Ok(_) => Ok(Some(Self { _file: file })),
            Err(Errno::EAGAIN | Errno::EACCES) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Adds the path to what the operating system said.
fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, AttachError> {
    result.map_err(|error| AttachError::Os { path: path.to_path_buf(), error })
}

impl BlockFile {
    /// Opens the file once more: a lock belongs to one opening of a file, so every holder needs its own.
    fn again(&self) -> Result<fs::File, AttachError> {
        let replaced = || AttachError::Replaced { path: self.path.clone() };
        let file = match open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(replaced()),
            file => at(&self.path, file)?,
        };
        let same = at(&self.path, file.metadata()).map(|data| Identity::of(&data) == self.identity)?;
        if same { Ok(file) } else { Err(replaced()) }
    }

    pub fn is_replaced(&self) -> bool {
        match Identity::at(&self.path) {
            Ok(identity) => identity != self.identity,
            // A question that is not answered says nothing.
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    pub fn writer(&self, block: &Arc<Block>) -> Result<(WriteSide, u64), AttachError> {
        let lock = at(&self.path, RecordLock::take(self.again()?, header::WRITER))?;
        let lock = lock.ok_or(AttachError::WriterLives)?;
        // Replacing the file needs the lock: now that it is ours, read again.
        if self.is_replaced() {
            return Err(AttachError::Replaced { path: self.path.clone() });
        }
        let side = WriteSide::take(Arc::clone(block), Succession::Locked(lock));
        Ok((side.map_err(|error| self.name(error))?, milliseconds_since_1970()))
    }

    pub fn reader(&self, block: &Arc<Block>) -> Result<ReadSide, AttachError> {
        let layout = block.layout();
        for seat in 0..layout.shape.readers {
            if let Some(lock) = at(&self.path, RecordLock::take(self.again()?, layout.seat(seat)))? {
                return Ok(ReadSide::inherit(Arc::clone(block), seat, lock));
            }
        }
        Err(AttachError::NoSeat { seats: layout.shape.readers })
    }

    fn name(&self, error: AttachError) -> AttachError {
        match error {
            AttachError::Block(error) => AttachError::File { path: self.path.clone(), error },
            other => other,
        }
    }
}

impl Exchange {
    /// Returns the block in the file at `path`, and makes it if there is no file: for the writer.
    ///
    /// A block of this shape is used again, so that attached readers find the new run in it. One of another shape or
    /// version, or a damaged one, is replaced, and its readers read [`WriterState::Replaced`]. A file that is not a
    /// block is left alone. Where the path is a link, the block is made where the link leads. New files are readable
    /// and writable for their owner only; a folder in memory (`/dev/shm`) avoids writing to a disk.
    ///
    /// ```
    /// use portamento::blend::Pose;
    /// use portamento::exchange::{Exchange, Shape, machine_seconds};
    /// use portamento::playhead::Playhead;
    ///
    /// let path = std::env::temp_dir().join(format!("physics-{}", std::process::id()));
    /// // The simulation's process:
    /// let mut writer = Exchange::create_file(&path, Shape::entities(100))?.writer::<Pose>()?;
    /// writer.publish(machine_seconds(), 0.0)?;
    /// // The renderer's:
    /// let mut reader = Exchange::open_file(&path)?.reader::<Pose>(Playhead::at_hz(60.0)?)?;
    /// let world = reader.frame(machine_seconds()).expect("a tick was published");
    /// assert!(world.to.age(machine_seconds()) < 60.0);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails when the shape cannot work, the block there has a living writer and another shape, the file is not a block, or
    /// the operating system refuses.
    pub fn create_file(path: impl AsRef<Path>, shape: Shape) -> Result<Self, AttachError> {
        let given = path.as_ref();
        let layout = Layout::new(shape)?;
        let path = &at(given, end_of_links(given))?;
        for _ in 0..ATTEMPTS {
            let old = match open(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                old => Some(at(path, old)?),
            };
            let Some(old) = old else {
                let Some(fresh) = Fresh::write(path, layout)? else { continue };
                match fs::hard_link(&fresh.path, path) {
                    // Someone else was faster, or took our file for that of a dead process.
                    Err(error)
                        if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) =>
                    {
                        continue;
                    }
                    linked => at(path, linked)?,
                }
                return Self::open_file(given);
            };
            let opened = Self::of(given, &old);
            match opened {
                Ok(exchange) if exchange.shape() == shape && exchange.block.check_directory().is_ok() => {
                    return Ok(exchange);
                }
                Err(AttachError::File {
                    error: BlockError::Magic { .. } | BlockError::TooShort { .. },
                    ..
                }) => {
                    return opened;
                }
                Ok(_) | Err(AttachError::File { .. }) => {}
                Err(_) => return opened,
            }
            let identity = at(path, old.metadata()).map(|data| Identity::of(&data))?;
            // Byte 64 is the writer's in every version.
            let Some(_lock) = at(path, RecordLock::take(old, header::WRITER))? else {
                return Err(AttachError::WriterLives);
            };
            match Identity::at(path) {
                Ok(now) if now == identity => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => return at(path, Err(error)),
                _ => continue,
            }
            let Some(fresh) = Fresh::write(path, layout)? else { continue };
            match fs::rename(&fresh.path, path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                renamed => at(path, renamed)?,
            }
            if let Ok(exchange) = opened {
                exchange.block.set_state(WriterState::Replaced);
            }
            return Self::open_file(given);
        }
        Err(AttachError::Replaced { path: path.clone() })
    }

    /// Returns the block in the file at `path`: for a reader.
    ///
    /// Fails when there is no file, it is not a usable block, or the operating system refuses.
    pub fn open_file(path: impl AsRef<Path>) -> Result<Self, AttachError> {
        let path = path.as_ref();
        Self::of(path, &at(path, open(path))?)
    }

    /// Returns whether the path leads to another file by now, or to no file: then this block will see no writer again.
    /// It asks the operating system, so call it once a second, not in every frame.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_replaced())
    }

    fn of(path: &Path, file: &fs::File) -> Result<Self, AttachError> {
        let data = at(path, file.metadata())?;
        let refused = |error| AttachError::File { path: path.to_path_buf(), error };
        if data.len() < header::END as u64 {
            return Err(refused(BlockError::TooShort { bytes: data.len() as usize, needs: header::END }));
        }
        let map = at(path, memmap2::MmapRaw::map_raw(file))?;
        let block = Block::open(Memory::mapped(map)).map_err(refused)?;
        let home = BlockFile { path: at(path, std::path::absolute(path))?, identity: Identity::of(&data) };
        Ok(Self { block: Arc::new(block), file: Some(Arc::new(home)) })
    }
}

fn open(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// Where the links at `path` lead, also if nothing is there.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = std::path::absolute(path)?;
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("/")).join(next),
            // Not a link, or nothing there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::from(Errno::ELOOP))
}

/// A complete block under a name of its own, which goes when it has been put in place or given up.
struct Fresh {
    path: PathBuf,
    /// While the file is being written: it is not a dead process's.
    _lock: RecordLock,
}

impl Fresh {
    /// `None` if someone took our file for that of a dead process.
    fn write(beside: &Path, layout: Layout) -> Result<Option<Self>, AttachError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        remove_left_over(beside);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".{}-{count}.new", std::process::id()));
        let path = PathBuf::from(name);
        // What has this name was left by a killed process of the same number, or planted by someone who foresaw it:
        // it goes, and whatever takes its place meanwhile is refused, so that no link is ever written through.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return at(&path, Err(error)),
            _ => {}
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&path);
        // Named as the user knows it: mostly it is the folder that is not there.
        let mut file = at(beside, file)?;
        let lock = at(&path, file.try_clone().and_then(|file| RecordLock::take(file, 0)));
        let lock = lock.inspect_err(|_| _ = fs::remove_file(&path))?;
        let Some(lock) = lock else { return Ok(None) };
        let fresh = Self { path, _lock: lock };
        // Really written: a hole in the file would be found out by a signal, in the middle of a tick, when the
        // disk is full.
        let zeros = vec![0; 1 << 16];
        let mut left = layout.length;
        while left > 0 {
            let part = left.min(zeros.len());
            at(&fresh.path, file.write_all(&zeros[..part]))?;
            left -= part;
        }
        let map = at(&fresh.path, memmap2::MmapRaw::map_raw(&file))?;
        Block::create(Memory::mapped(map), layout);
        Ok(Some(fresh))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // After a rename there is nothing to remove any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes what processes that were killed while they created a block here have left. Failing at that is no reason to
/// fail at all.
fn remove_left_over(beside: &Path) {
    let (Some(folder), Some(name)) = (beside.parent(), beside.file_name()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let middle = other.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let middle = middle.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".new"));
        let ours = middle.is_some_and(|middle| {
            middle.contains(&b'-') && middle.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
        });
        if !ours {
            continue;
        }
        let path = entry.path();
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).custom_flags(libc::O_NOFOLLOW).open(&path);
        if let Ok(Some(_lock)) = file.and_then(|file| RecordLock::take(file, 0)) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Grows from run to run even when the file was deleted between them.
fn milliseconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Returns seconds on the clock that all processes of this machine share and that is never set: for `now` of
/// [`Writer::publish`](super::Writer::publish) and the frames that draw it.
///
/// # Panics
/// When the machine has no monotonic clock.
#[must_use]
pub fn machine_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("a monotonic clock");
    time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9
}
