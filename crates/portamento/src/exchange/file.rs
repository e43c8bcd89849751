//! How do two processes meet at a block?
//!
//! The block is a file that every side maps. Who is alive is the kernel's knowledge, not ours: the publisher locks
//! the byte at 64 (the start of its line), a subscriber the first byte of its seat, both with locks that belong
//! to the open file and end with its process, however it ends. Process numbers and heartbeats would be guesses:
//! a number is reused and means nothing in another container, and a process that was stopped for a minute is
//! slow, not dead. A claim is thus never taken from somebody who might still read.
//!
//! A file is only ever put in place complete: written under another name, then linked or renamed. Nobody shortens
//! a file that others have mapped.

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
use super::layout::{Layout, header};
use super::slots::{Reader, Writer};
use super::sync::Memory;
use super::{AttachError, BlockError, Exchange, Publisher, PublisherState, Shape, Subscriber};

/// How often creating a file starts over because somebody else put one there or took it away meanwhile.
const ATTEMPTS: u32 = 8;

/// Which file a block lies in.
#[derive(Debug)]
pub(super) struct BlockFile {
    path: PathBuf,
    identity: Identity,
}

/// Device and number of a file: a path can come to mean another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    fn of(file: &fs::File) -> io::Result<Self> {
        file.metadata().map(|data| Self(data.dev(), data.ino()))
    }
}

/// A lock on one byte of the file, gone with this value or with the process.
#[derive(Debug)]
pub(super) struct RecordLock {
    _file: fs::File,
}

impl RecordLock {
    /// `None` when somebody who lives has it.
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

impl BlockFile {
    /// Opens the file once more: a lock belongs to one opening of a file, so every holder needs its own.
    fn again(&self) -> Result<fs::File, AttachError> {
        let file = match open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(AttachError::Replaced),
            file => file?,
        };
        if Identity::of(&file)? == self.identity { Ok(file) } else { Err(AttachError::Replaced) }
    }

    pub fn publisher(&self, block: &Arc<Block>) -> Result<Publisher, AttachError> {
        let lock = RecordLock::take(self.again()?, header::PUBLISHER)?.ok_or(AttachError::PublisherLives)?;
        // Whoever replaced the file held the lock: having it, look again.
        self.again()?;
        let writer = Writer::take(Arc::clone(block), Some(lock))?;
        Ok(Publisher::new(writer, milliseconds_since_1970()))
    }

    pub fn subscriber(&self, block: &Arc<Block>) -> Result<Subscriber, AttachError> {
        let layout = block.layout();
        for seat in 0..layout.shape.subscribers {
            if let Some(lock) = RecordLock::take(self.again()?, layout.seat(seat))? {
                return Ok(Subscriber::new(Reader::inherit(Arc::clone(block), seat, lock)));
            }
        }
        Err(AttachError::NoSeat { seats: layout.shape.subscribers })
    }
}

impl Exchange {
    /// The block in the file at `path`, made if there is none: the publisher's way to begin.
    ///
    /// A block of this shape is gone on with (so that attached subscribers find the new run in it); one of another
    /// shape or version, or with nonsense in it, is replaced, and its subscribers read
    /// [`PublisherState::Replaced`]. A file that is no block is left alone. New files are readable and writable
    /// for their owner only; a folder in memory (`/dev/shm`) saves the disk the trouble.
    ///
    /// ```
    /// # use portamento::exchange::{Exchange, Shape, machine_seconds};
    /// let path = std::env::temp_dir().join(format!("physics-{}", std::process::id()));
    /// // The simulation's process:
    /// let mut publisher = Exchange::create_file(&path, Shape::new(100))?.publisher()?;
    /// publisher.publish(machine_seconds(), 0.0)?;
    /// // The renderer's:
    /// let mut subscriber = Exchange::open_file(&path)?.subscriber()?;
    /// let newest = subscriber.latest()?.to();
    /// assert!(newest.age(machine_seconds()) < 60.0);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the shape cannot work, the block there has a living publisher and another shape, the file is not a
    /// block, or the operating system refuses.
    pub fn create_file(path: impl AsRef<Path>, shape: Shape) -> Result<Self, AttachError> {
        let path = path.as_ref();
        let layout = Layout::new(shape)?;
        for _ in 0..ATTEMPTS {
            let old = match open(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                old => Some(old?),
            };
            let Some(old) = old else {
                let fresh = Fresh::write(path, layout)?;
                match fs::hard_link(&fresh.path, path) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                    linked => linked?,
                }
                return Self::open_file(path);
            };
            let opened = Self::of(path, &old);
            match opened {
                Ok(exchange) if exchange.shape() == shape && exchange.block.check_directory().is_ok() => {
                    return Ok(exchange);
                }
                Err(AttachError::BlockError(BlockError::Magic { .. } | BlockError::TooShort { .. })) => {
                    return opened;
                }
                Ok(_) | Err(AttachError::BlockError(_)) => {}
                Err(_) => return opened,
            }
            let identity = Identity::of(&old)?;
            // Byte 64 is the publisher's in every version.
            let Some(_lock) = RecordLock::take(old, header::PUBLISHER)? else {
                return Err(AttachError::PublisherLives);
            };
            if open(path).and_then(|file| Identity::of(&file)).ok() != Some(identity) {
                continue;
            }
            let fresh = Fresh::write(path, layout)?;
            if let Ok(exchange) = opened {
                exchange.block.set_state(PublisherState::Replaced);
            }
            fs::rename(&fresh.path, path)?;
            return Self::open_file(path);
        }
        Err(AttachError::Replaced)
    }

    /// The block in the file at `path`: a subscriber's way to begin.
    ///
    /// # Errors
    /// When there is none, it is refused, or the operating system refuses.
    pub fn open_file(path: impl AsRef<Path>) -> Result<Self, AttachError> {
        let path = path.as_ref();
        Self::of(path, &open(path)?)
    }

    /// Whether the path means another file by now, or none: then this block will see no publisher again. A
    /// question to the operating system, so for once a second, not for every frame.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.again().is_err())
    }

    fn of(path: &Path, file: &fs::File) -> Result<Self, AttachError> {
        let bytes = file.metadata()?.len();
        if bytes < header::END as u64 {
            return Err(BlockError::TooShort { bytes: bytes as usize, needs: header::END }.into());
        }
        let block = Block::open(Memory::mapped(memmap2::MmapRaw::map_raw(file)?))?;
        let home = BlockFile { path: path.to_path_buf(), identity: Identity::of(file)? };
        Ok(Self { block: Arc::new(block), file: Some(Arc::new(home)) })
    }
}

fn open(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// A complete block under a name of its own, which goes when it has been put in place or given up.
struct Fresh {
    path: PathBuf,
}

impl Fresh {
    fn write(beside: &Path, layout: Layout) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".{}-{count}.new", std::process::id()));
        let fresh = Self { path: name.into() };
        // What has this name was left by a killed process of the same number, or planted by somebody who foresaw it:
        // it goes, and whatever takes its place meanwhile is refused, so that no link is ever written through.
        match fs::remove_file(&fresh.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create_new(true).mode(0o600).open(&fresh.path)?;
        // Really written: a hole in the file would be found out by a signal, in the middle of a tick, when the
        // disk is full.
        let zeros = vec![0; 1 << 16];
        let mut left = layout.length;
        while left > 0 {
            let part = left.min(zeros.len());
            file.write_all(&zeros[..part])?;
            left -= part;
        }
        let mut memory = Memory::mapped(memmap2::MmapRaw::map_raw(&file)?);
        memory.lay_out(&layout);
        Block::create(memory, layout);
        Ok(fresh)
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // After a rename there is nothing to remove any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Grows from run to run even when the file was deleted between them.
fn milliseconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Seconds on the clock that all processes of this machine share and nobody sets: for `now` of
/// [`Publisher::publish`](super::Publisher::publish) and the frames that draw it.
///
/// # Panics
/// When the machine has no monotonic clock.
#[must_use]
pub fn machine_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("a monotonic clock");
    time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9
}
