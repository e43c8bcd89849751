//! Cues: events that fire when the drawn moment of another clock reaches them.

use crate::playhead::portamento_shown;
use crate::pointers::{make, read, write};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use portamento::playhead::{Cue, Cues};
use portamento_status::{PORTAMENTO_BAD_VALUE, PORTAMENTO_FULL, PORTAMENTO_NOTHING};

/// Events stamped with simulation time that fire when the drawn moment reaches them: a splash is heard when it is seen. At
/// most 64 wait. Make it with `portamento_cues_new`, free it with `portamento_cues_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_cues {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// An event and the moment that it belongs to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct portamento_cue {
    /// The moment of the writer's clock, seconds.
    pub at: f64,
    /// Which event: a number of yours.
    pub event: u64,
}

static CUES: Table<Box<Cues<u64>>> = Table::new(21);

/// Why a cue was not taken.
fn refused(Cue { at, .. }: Cue<u64>) -> Failure {
    if at.is_finite() {
        let words = format_args!("a cue for {at} s found 64 waiting, which is all there is room for: draw");
        Failure::new(PORTAMENTO_FULL, words)
    } else {
        let words = format_args!("a cue for {at} s will never be reached: give a finite time");
        Failure::new(PORTAMENTO_BAD_VALUE, words)
    }
}

/// Makes an empty queue of cues.
///
/// # Safety
/// `cues` points to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_cues_new(cues: *mut portamento_cues) -> portamento_status {
    let new = || Ok(portamento_cues { id: CUES.insert(Box::default())? });
    // SAFETY: the caller's promise.
    answer(|| unsafe { make(cues, "cues", new) })
}

/// Frees a queue of cues.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_cues_free(cues: portamento_cues) -> portamento_status {
    answer(|| Ok(CUES.free(cues.id)?))
}

/// Adds an event that fires at the moment `at` of the writer's clock. If that moment has already been drawn, it fires in
/// the next frame. `PORTAMENTO_FULL` if 64 wait.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_cues_add(cues: portamento_cues, at: f64, event: u64) -> portamento_status {
    answer(|| CUES.with(cues.id, |cues| cues.add(at, event))?.map_err(refused))
}

/// Writes the next cue that `shown` has reached, in the order of their moments. In every frame, call it until it answers
/// `PORTAMENTO_NOTHING`.
///
/// # Safety
/// `shown` points to what its type says, `cue` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_cues_next(
    cues: portamento_cues,
    shown: *const portamento_shown,
    cue: *mut portamento_cue,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let shown = unsafe { read(shown, "shown") }?.into();
        let next = || {
            let due = CUES.with(cues.id, |cues| cues.next(shown))?;
            due.map(|Cue { at, event }| portamento_cue { at, event }).ok_or(Failure(PORTAMENTO_NOTHING))
        };
        // SAFETY: as above.
        unsafe { make(cue, "cue", next) }
    })
}

/// Writes how many cues wait.
///
/// # Safety
/// `waiting` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_cues_waiting(
    cues: portamento_cues,
    waiting: *mut u32,
) -> portamento_status {
    answer(|| {
        let count = CUES.with(cues.id, |cues| cues.waiting() as u32)?;
        // SAFETY: the caller's promise.
        unsafe { write(waiting, count, "waiting") }
    })
}

/// Writes how many cues were refused.
///
/// # Safety
/// `refused` points to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_cues_refused(
    cues: portamento_cues,
    refused: *mut u64,
) -> portamento_status {
    answer(|| {
        let count = CUES.with(cues.id, |cues| cues.refused)?;
        // SAFETY: the caller's promise.
        unsafe { write(refused, count, "refused") }
    })
}

/// Forgets all waiting cues: call it when the writer began a new life.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_cues_clear(cues: portamento_cues) -> portamento_status {
    answer(|| Ok(CUES.with(cues.id, |cues| cues.clear())?))
}
