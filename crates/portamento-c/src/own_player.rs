//! The player at this machine, where the server reports it too: a leash, teleports and forced positions.

use crate::pointers::{make, read, settings, write, write_found};
use crate::status::{Failure, answer, portamento_status};
use crate::table::Table;
use crate::types::{moved_by, portamento_pose64};
use crate::waypoints::{
    portamento_waypoint_counts, portamento_waypoint_report, portamento_waypoint_settings,
    portamento_waypoint_step, rules,
};
use portamento::blend::Pose64;
use portamento::remote::waypoints::{OwnPlayer, Route, WaypointReport, WaypointRules, WaypointStep};

/// The player at this machine, and what the server's reports of it (its echoes) do. Make it with
/// `portamento_own_player_new`, free it with `portamento_own_player_free`.
///
/// An echo says where the player was. Walking towards it would mean walking backwards, so there is no queue here: an echo
/// puts the player on a leash, and teleports and forced positions cut.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct portamento_own_player {
    /// The handle; 0 names nothing.
    pub id: u64,
}

/// What an echo did: the constants below.
pub type portamento_echo = u32;
/// It is older than what is known already: refused, and counted.
pub const PORTAMENTO_ECHO_STALE: portamento_echo = 0;
/// The server teleported the player, or put it into the world: put the body there, and cut its track.
pub const PORTAMENTO_ECHO_CUT: portamento_echo = 1;
/// The server forced a position upon the player: put the body there, and cut its track.
pub const PORTAMENTO_ECHO_FORCED: portamento_echo = 2;
/// The player walks on, on a new leash.
pub const PORTAMENTO_ECHO_LEASHED: portamento_echo = 3;

struct Own {
    rules: WaypointRules,
    player: OwnPlayer,
}

static PLAYERS: Table<Own> = Table::new(19);

/// Makes a player who is not in the world yet: its first echo puts it there.
///
/// # Safety
/// `settings` points to settings, `player` to a place for the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_new(
    settings: *const portamento_waypoint_settings,
    player: *mut portamento_own_player,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let rules = rules(unsafe { self::settings(settings, "settings") }?)?;
        let own = Own { rules, player: OwnPlayer::new() };
        // SAFETY: as above.
        unsafe { make(player, "player", || Ok(portamento_own_player { id: PLAYERS.insert(own)? })) }
    })
}

/// Frees a player.
#[unsafe(no_mangle)]
pub extern "C" fn portamento_own_player_free(player: portamento_own_player) -> portamento_status {
    answer(|| Ok(PLAYERS.free(player.id)?))
}

/// Takes in an echo: the server's report of your own movement. `echo` receives what it did. `pose` may be null; otherwise
/// it receives where to put the body after `PORTAMENTO_ECHO_CUT` and `PORTAMENTO_ECHO_FORCED`.
///
/// # Safety
/// `report` points to a report, `echo` to a place for a number, `pose` to a place for a pose or nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_echo(
    player: portamento_own_player,
    report: *const portamento_waypoint_report,
    echo: *mut portamento_echo,
    pose: *mut portamento_pose64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let report: WaypointReport<u64> = unsafe { read(report, "report") }?.try_into()?;
        if echo.is_null() {
            return Err(Failure::null("echo"));
        }
        let mut place = Pose64::default();
        let (number, put) = match PLAYERS.with(player.id, |own| own.player.echo(&report, &mut place))?? {
            Route::Stale => (PORTAMENTO_ECHO_STALE, false),
            Route::Cut => (PORTAMENTO_ECHO_CUT, true),
            Route::Place => (PORTAMENTO_ECHO_FORCED, true),
            Route::Ignore | Route::Enqueue => (PORTAMENTO_ECHO_LEASHED, false),
        };
        if put && !pose.is_null() {
            // SAFETY: not null, and the caller's promise.
            unsafe { write(pose, place.into(), "pose") }?;
        }
        // SAFETY: as above.
        unsafe { write(echo, number, "echo") }
    })
}

/// Writes what the leash leaves of the player's own `step` from `body`. `contact` is 1 if the body stands on something.
/// `limited` may be `step`.
///
/// # Safety
/// `body` and `step` point to what their types say, `limited` to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_limit(
    player: portamento_own_player,
    body: *const portamento_pose64,
    step: *const portamento_waypoint_step,
    contact: u32,
    limited: *mut portamento_waypoint_step,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        // SAFETY: as above.
        let step: WaypointStep = unsafe { read(step, "step") }?.try_into()?;
        let limit = |own: &mut Own| own.player.limit(&own.rules, &body, step, contact != 0);
        // SAFETY: as above.
        unsafe { make(limited, "limited", || Ok(PLAYERS.with(player.id, limit)??.into())) }
    })
}

/// Writes how much of the leash the player at `body` has used, in units; `PORTAMENTO_NOTHING` without a leash.
///
/// # Safety
/// `body` points to a pose, `units` to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_strayed(
    player: portamento_own_player,
    body: *const portamento_pose64,
    units: *mut f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        let strayed = PLAYERS.with(player.id, |own| own.player.state(&own.rules, &body).strayed)?;
        // SAFETY: as above.
        unsafe { write_found(units, strayed, "units") }
    })
}

/// Writes 1 if the leash of the player at `body` is nearly or wholly used up: the player should wait for the next echo.
/// Otherwise 0.
///
/// # Safety
/// `body` points to a pose, `held` to a place for the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_is_held(
    player: portamento_own_player,
    body: *const portamento_pose64,
    held: *mut u32,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let body: Pose64 = unsafe { read(body, "body") }?.try_into()?;
        let is = PLAYERS.with(player.id, |own| own.player.state(&own.rules, &body).is_held)?;
        // SAFETY: as above.
        unsafe { write(held, is.into(), "held") }
    })
}

/// Moves the world's origin: adds `shift` to everything remembered.
///
/// # Safety
/// `shift` points to three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_rebase(
    player: portamento_own_player,
    shift: *const f64,
) -> portamento_status {
    answer(|| {
        // SAFETY: the caller's promise.
        let moved = unsafe { moved_by::<3>(shift) }?;
        Ok(PLAYERS.with(player.id, |own| own.player.rebase(|pose| moved(&mut pose.position)))?)
    })
}

/// Writes what was refused: `stale` echoes, and calls with `unusable` numbers.
///
/// # Safety
/// `counts` points to a place for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portamento_own_player_get_counts(
    player: portamento_own_player,
    counts: *mut portamento_waypoint_counts,
) -> portamento_status {
    answer(|| {
        let now = PLAYERS.with(player.id, |own| own.player.state(&own.rules, &Pose64::default()).counts)?;
        // SAFETY: the caller's promise.
        unsafe { write(counts, now.into(), "counts") }
    })
}
