//! Motions: `t,x,y,z,cut` for positions, `t,qx,qy,qz,qw,cut` for rotations.

use super::TraceError;
use super::csv::Rows;
use crate::yardstick::{Motion, Sample, Turn};
use std::path::Path;

/// A recorded motion of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyMotion {
    /// Positions.
    Places(Motion<[f64; 3]>),
    /// Rotations.
    Turns(Motion<Turn>),
}

const PLACES: [&str; 5] = ["t", "x", "y", "z", "cut"];
const TURNS: [&str; 6] = ["t", "qx", "qy", "qz", "qw", "cut"];

/// The longest motion that [`read_motion`] takes, in seconds. Everything that is drawn grows with it.
pub const LONGEST_MOTION: f64 = 3600.0;

/// Reads a motion of at most [`LONGEST_MOTION`]; the header says of which kind it is.
pub fn read_motion(path: &Path) -> Result<AnyMotion, TraceError> {
    read_motion_up_to(path, LONGEST_MOTION)
}

/// Reads a motion of at most `longest` seconds from its first row to its last.
pub fn read_motion_up_to(path: &Path, longest: f64) -> Result<AnyMotion, TraceError> {
    let mut rows = Rows::open(path)?;
    let header = rows.header("t,x,y,z,cut or t,qx,qy,qz,qw,cut")?;
    if header == PLACES {
        let samples = read_samples(&mut rows, longest, &PLACES, |[t, x, y, z, cut]| Ok((t, [x, y, z], cut)))?;
        Ok(AnyMotion::Places(Motion::new(samples)))
    } else if header == TURNS {
        let samples =
            read_samples(&mut rows, longest, &TURNS, |[t, x, y, z, w, cut]| {
                match Turn::normalized([x, y, z, w]) {
                    Some(turn) if (x * x + y * y + z * z + w * w - 1.0).abs() < 0.01 => Ok((t, turn, cut)),
                    _ => Err(format!("[{x}, {y}, {z}, {w}] is not a unit quaternion")),
                }
            })?;
        Ok(AnyMotion::Turns(Motion::new(samples)))
    } else {
        Err(rows.error(
            format!("columns are `{}`", header.join(",")),
            "a motion has the columns t,x,y,z,cut or t,qx,qy,qz,qw,cut",
        ))
    }
}

fn read_samples<P, const N: usize>(
    rows: &mut Rows,
    longest: f64,
    names: &[&str; N],
    read: impl Fn([f64; N]) -> Result<(f64, P, f64), String>,
) -> Result<Vec<Sample<P>>, TraceError> {
    let mut samples: Vec<Sample<P>> = Vec::new();
    while let Some(row) = rows.numbers(names)? {
        let (time, place, cut) = read(row).map_err(|what| rows.error(what, "repair or remove the row"))?;
        if let Some(before) = samples.last().map(|s| s.time)
            && time <= before
        {
            let what = format!("t = {time} does not follow {before}");
            return Err(rows.error(what, "times must rise: sort the rows and drop duplicates"));
        }
        let length = samples.first().map_or(0.0, |first| time - first.time);
        if length > longest {
            let what = format!("t = {time} is {length} s after the first row, the limit is {longest} s");
            return Err(
                rows.error(what, "shorten the recording, or raise the limit: lab --max-motion SECONDS")
            );
        }
        if cut != 0.0 && cut != 1.0 {
            return Err(rows.error(format!("cut is {cut}"), "1 marks a jump from the row before, 0 none"));
        }
        samples.push(Sample { time, place, cut: cut == 1.0 });
    }
    if samples.len() < 2 {
        return Err(rows.file_error(format!("has {} rows", samples.len()), "a motion needs at least two"));
    }
    Ok(samples)
}
