//! Lag compensation: the server judges a shot by what the shooter saw.

use crate::pointers::{Sized32, make, read, settings, write, write_found, write_if_wanted};
use crate::remote::{
    portamento_point_report, portamento_report, portamento_snapshot_state, snapshot_state, wrong_kind,
};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::portamento_pose64;
use portamento::blend::Pose64;
use portamento::remote::{Claim, History, HistorySettings, RewindRefused, Rewound};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_REFUSED};

/// What the server sent of one entity. Make it with `portamento_history_new`, free it with `portamento_history_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_history {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// Settings of a history. Fill it with `portamento_history_settings_at_hz`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_history_settings {
    /// Size of this struct in bytes.
    pub size: u32,
    /// 1 if the client holds the entity as positions (`portamento_snapshots_new_points`), 0 as poses.
    pub points: u32,
    /// Seconds from message to message.
    pub interval: f64,
    /// How many seconds back a claim may reach.
    pub back: f64,
    /// How many seconds of snapshots a claim may skip, because they were lost.
    pub gap: f64,
    /// How many seconds a claim may extrapolate.
    pub beyond: f64,
}

impl Sized32 for portamento_history_settings {}

/// What a client drew of one entity in one frame: twelve bytes for the wire. `portamento_snapshots_claim` makes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct portamento_claim {
    /// The bytes, as they are sent.
    pub bytes: [u8; 12],
}

/// What the shooter saw.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_rewound {
    /// Where the entity was in the client's picture, to the bit, without the client's visual offset.
    pub pose: portamento_pose64,
    /// The moment of the server's clock that it showed.
    pub moment: f64,
    /// How far beside that the client drew it at most, because of a correction that faded.
    pub offset: f64,
    /// What the client drew it from: `BLENDING`, `EXTRAPOLATING` or `HOLDING`.
    pub seen: portamento_snapshot_state,
    /// Reserved: zero.
    pub reserved: u32,
}

/// What a history has counted.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct portamento_history_counts {
    /// Snapshots that were not recorded.
    pub refused: u32,
    /// Snapshots that were forgotten before they were too old, because they came faster than the interval says.
    pub evicted: u32,
    /// How often the server's clock ran back.
    pub restarts: u32,
    /// Reserved: zero.
    pub reserved: u32,
}

enum Sent {
    Poses(History<Pose64>),
    Points(History<[f64; 3]>),
}

/// The same call for both.
macro_rules! of {
    ($sent:expr, $history:ident => $call:expr) => {
        match $sent {
            Sent::Poses($history) => $call,
            Sent::Points($history) => $call,
        }
    };
}

static HISTORIES: Table<Sent> = Table::new(18);

impl From<RewindRefused> for Failure {
    fn from(error: RewindRefused) -> Self {
        Self::new(PORTAMENTO_REFUSED, error)
    }
}

/// Fills `settings` with the defaults for `hz` messages per second.
///
/// # Safety
/// `settings` points to a place for the settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_settings_at_hz(
    hz: f64,
    settings: *mut portamento_history_settings,
) -> portamento_status {
    let HistorySettings { interval, back, gap, beyond } = HistorySettings::at_hz(hz);
    let size = size_of::<portamento_history_settings>() as u32;
    let made = portamento_history_settings { size, points: 0, interval, back, gap, beyond };
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(settings, made, "settings") })
}

/// Makes an empty history.
///
/// # Safety
/// `settings` points to settings, `history` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_new(
    settings: *const portamento_history_settings,
    history: *mut portamento_history,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let portamento_history_settings { points, interval, back, gap, beyond, .. } =
            unsafe { self::settings(settings, "settings") }?;
        let chosen = HistorySettings { interval, back, gap, beyond };
        let made = if points == 0 {
            Sent::Poses(History::new(chosen)?)
        } else {
            Sent::Points(History::new(chosen)?)
        };
        // SAFETY: as above.
        unsafe { make(history, "history", || Ok(portamento_history { id: HISTORIES.insert(made)? })) }
    })
}

/// Frees a history.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_history_free(history: portamento_history) -> portamento_status {
    answer(|| Ok(HISTORIES.free(history.id)?))
}

/// Records what was sent of the entity in the message stamped `sent`: the very numbers that the client decodes. `recorded`
/// may be null; otherwise it receives 1, or 0 if a number was unusable or the message was recorded already.
///
/// # Safety
/// `report` points to a report, `recorded` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_record(
    history: portamento_history,
    sent: f64,
    report: *const portamento_report,
    recorded: *mut u32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let taken = HISTORIES.with(history.id, |history| match history {
            Sent::Poses(history) => Ok(history.record(sent, report)),
            Sent::Points(_) => Err(wrong_kind("positions", "portamento_history_record_point")),
        })??;
        // SAFETY: as above.
        unsafe { write_if_wanted(recorded, taken.into()) };
        Ok(())
    })
}

/// The same for a history of positions.
///
/// # Safety
/// `report` points to a report, `recorded` to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_record_point(
    history: portamento_history,
    sent: f64,
    report: *const portamento_point_report,
    recorded: *mut u32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report = unsafe { read(report, "report") }?.try_into()?;
        let taken = HISTORIES.with(history.id, |history| match history {
            Sent::Points(history) => Ok(history.record(sent, report)),
            Sent::Poses(_) => Err(wrong_kind("poses", "portamento_history_record")),
        })??;
        // SAFETY: as above.
        unsafe { write_if_wanted(recorded, taken.into()) };
        Ok(())
    })
}

/// Records that the entity is not there from the message stamped `sent` on. `recorded` as for
/// `portamento_history_record`.
///
/// # Safety
/// `recorded` points to a place for a number or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_vanish(
    history: portamento_history,
    sent: f64,
    recorded: *mut u32,
) -> portamento_status {
    answer(|| {
        let taken = HISTORIES.with(history.id, |sent_to| of!(sent_to, history => history.vanish(sent)))?;
        // SAFETY: the caller's promise.
        unsafe { write_if_wanted(recorded, taken.into()) };
        Ok(())
    })
}

/// Writes what the client of this `claim` saw. `now` is the server's clock. `PORTAMENTO_REFUSED` if it cannot have seen
/// that: the claim is too old, names snapshots that were never sent, or was made up; `portamento_last_error` has the
/// reason.
///
/// # Safety
/// `claim` points to a claim, `rewound` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_rewind(
    history: portamento_history,
    claim: *const portamento_claim,
    now: f64,
    rewound: *mut portamento_rewound,
) -> portamento_status {
    fn plain<T>(from: Rewound<T>, pose: impl FnOnce(T) -> Pose64) -> portamento_rewound {
        let Rewound { value, moment, seen, offset } = from;
        let seen = snapshot_state(seen);
        portamento_rewound { pose: pose(value).into(), moment, offset, seen, reserved: 0 }
    }
    answer(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { read(claim, "claim") }?.bytes;
        let claim = Claim::from_bytes(bytes).ok_or_else(|| {
            let words =
                format_args!("the claim {bytes:02x?} is none: give the bytes as the client wrote them");
            Failure::new(PORTAMENTO_BAD_VALUE, words)
        })?;
        let found = HISTORIES.with(history.id, |history| match history {
            Sent::Poses(history) => history.rewind(claim, now).map(|found| plain(found, |pose| pose)),
            Sent::Points(history) => history.rewind(claim, now).map(|found| plain(found, Pose64::at)),
        })??;
        // SAFETY: as above.
        unsafe { write(rewound, found, "rewound") }
    })
}

/// Writes where the entity was at a `moment` of the server's clock, without a claim: for what stood between the shooter and
/// its target. `PORTAMENTO_NOTHING` if that is too long ago, or it was not there.
///
/// # Safety
/// `pose` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_at(
    history: portamento_history,
    moment: f64,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        let found = HISTORIES.with(history.id, |history| match history {
            Sent::Poses(history) => history.at(moment),
            Sent::Points(history) => history.at(moment).map(Pose64::at),
        })?;
        // SAFETY: the caller's promise.
        unsafe { write_found(pose, found.map(Into::into), "pose") }
    })
}

/// Writes what was counted.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_history_get_counts(
    history: portamento_history,
    counts: *mut portamento_history_counts,
) -> portamento_status {
    answer(|| {
        let now = HISTORIES.with(history.id, |sent| of!(sent, history => *history.counts()))?;
        let made = portamento_history_counts {
            refused: now.refused,
            evicted: now.evicted,
            restarts: now.restarts,
            reserved: 0,
        };
        // SAFETY: the caller's promise.
        unsafe { write(counts, made, "counts") }
    })
}
