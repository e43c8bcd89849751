//! A simulated bad link in the terminal: the truth, what arrived, and what is drawn.
//!
//! ```text
//! cargo run -p portamento --example bad_link            one minute, in real time
//! cargo run -p portamento --example bad_link -- fast    ten seconds of it, at once
//! ```

use portamento::remote::{Peer, Report, SnapshotState, Snapshots};
use std::io::{self, ErrorKind, Write as _};
use std::time::Duration;

const INTERVAL: f64 = 1.0 / 20.0;
const FRAME: f64 = 1.0 / 60.0;
/// So that a line fits into 80 columns: one that wraps scrolls instead of moving.
const WIDTH: f64 = 38.0;

/// Something that runs to and fro, with a rest at each end.
fn truth(t: f64) -> f32 {
    let phase = (t / 4.0).fract() * 4.0;
    let way = match phase {
        p if p < 1.5 => p / 1.5,
        p if p < 2.0 => 1.0,
        p if p < 3.5 => 1.0 - (p - 2.0) / 1.5,
        _ => 0.0,
    };
    (way * way * (3.0 - 2.0 * way) * WIDTH) as f32
}

/// 30 ms and jitter, every twentieth message lost, and every seven seconds nothing for a second and a half.
fn arrival(sent: f64, dice: &mut u64) -> Option<f64> {
    let mut roll = || {
        *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*dice >> 33) as f64 / (1u64 << 31) as f64
    };
    let (lost, jitter) = (roll() < 0.05, roll() * roll() * 0.06);
    let outage = sent % 7.0 > 5.5;
    (!lost && !outage).then_some(sent + 0.03 + jitter)
}

fn row(truth: f32, newest: f32, drawn: f32) -> String {
    let mut line = vec![b' '; WIDTH as usize + 3];
    let mut put = |at: f32, sign: u8| line[at.clamp(0.0, WIDTH as f32 + 2.0) as usize] = sign;
    put(newest, b'.');
    put(truth, b'o');
    put(drawn, b'#');
    String::from_utf8(line).expect("only letters were put in")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match play() {
        // `| head` has seen enough.
        Err(error) if error.downcast_ref().is_some_and(|e: &io::Error| e.kind() == ErrorKind::BrokenPipe) => {
            Ok(())
        }
        played => played,
    }
}

fn play() -> Result<(), Box<dyn std::error::Error>> {
    let fast = std::env::args().nth(1).is_some_and(|a| a == "fast");
    let mut sender = Peer::at_hz(1.0 / INTERVAL)?;
    let mut runner = Snapshots::<f32>::new();
    let mut on_the_way: Vec<(f64, f64)> = Vec::new();
    let (mut dice, mut sends, mut newest) = (7, 0, 0.0);
    let mut out = io::stdout().lock();
    writeln!(out, "o truth   . newest message   # drawn        state     delay jitter  loss offset")?;
    for k in 0..if fast { 600 } else { 3600 } {
        let now = f64::from(k) * FRAME;
        while f64::from(sends) * INTERVAL <= now {
            let sent = f64::from(sends) * INTERVAL;
            on_the_way.extend(arrival(sent, &mut dice).map(|at| (sent, at)));
            sends += 1;
        }
        on_the_way.retain(|&(sent, at)| {
            if at <= now {
                let stamp = sender.receive(sent, at);
                newest = truth(sent);
                runner.insert(stamp, Report::new(newest));
            }
            at > now
        });
        let Some(frame) = sender.frame(now) else { continue };
        let Some(drawn) = runner.draw(&frame).here() else { continue };
        let state = match runner.statistics().state.expect("it was drawn") {
            SnapshotState::Blending => "blending",
            SnapshotState::Extrapolating => "ahead",
            SnapshotState::Holding => "holding",
        };
        let graph = sender.statistics();
        let line = format!(
            "|{}| {state:<8} {:>4.0}ms {:>4.0}ms {:>4.0}% {:>6.1}",
            row(truth(now), newest, drawn.now),
            graph.delay * 1e3,
            graph.jitter * 1e3,
            graph.loss * 100.0,
            runner.statistics().offset.length,
        );
        if fast {
            if k % 6 == 0 {
                writeln!(out, "{line}")?;
            }
        } else {
            write!(out, "\r{line}")?;
            out.flush()?;
            std::thread::sleep(Duration::from_secs_f64(FRAME));
        }
    }
    writeln!(out)?;
    Ok(())
}
