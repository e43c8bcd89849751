//! Did the shot hit? The server judges by what the shooter saw, not by where the target is by now.
//!
//! ```text
//! cargo run -p portamento --example rewind
//! ```

use portamento::remote::{Claim, History, Peer, Report, Snapshots};

const INTERVAL: f64 = 1.0 / 20.0;
/// How far the shot may miss the target's centre.
const RADIUS: f32 = 0.4;

/// The target runs past at 8 m/s.
fn target_at(t: f64) -> [f32; 3] {
    [(t * 8.0) as f32, 0.0, 10.0]
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f32>().sqrt()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The server keeps what it sends; the client draws it a little in the past.
    let mut history = History::<[f32; 3]>::at_hz(1.0 / INTERVAL)?;
    let mut server = Peer::at_hz(1.0 / INTERVAL)?;
    let mut target = Snapshots::<[f32; 3]>::new();
    let mut old_claim = None;
    for tick in 0..40 {
        let sent = f64::from(tick) * INTERVAL;
        let report = Report::new(target_at(sent));
        history.record(sent, report);
        if tick % 9 != 5 {
            target.insert(server.receive(sent, sent + 0.06), report); // one in nine is lost
        }
        for frame in 0..3 {
            if let Some(frame) = server.frame(sent + 0.06 + f64::from(frame) / 60.0) {
                let _ = target.draw(&frame);
                if tick == 8 {
                    old_claim = target.claim(&frame);
                }
            }
        }
    }

    // The player fires at the middle of what is on the screen.
    let now = 40.0 * INTERVAL + 0.05;
    let frame = server.frame(now).ok_or("nothing received")?;
    let seen = target.draw(&frame).here().ok_or("nothing to aim at")?;
    let bytes = target.claim(&frame).ok_or("nothing to claim")?.to_bytes();
    println!("the shooter sees the target at  x = {:.3}, {:.0} ms ago", seen.now[0], frame.delay * 1e3);

    // A ping later the server has the shot and twelve bytes.
    let arrived = now + 0.06;
    println!("when the shot arrives it is at  x = {:.3}", target_at(arrived)[0]);
    println!("judged by where it is now:      {}", hit(seen.now, target_at(arrived)));
    let claim = Claim::from_bytes(bytes).ok_or("not written by our client")?;
    let rewound = history.rewind(claim, arrived)?;
    println!("rewound by {bytes:02x?}: x = {:.3}", rewound.value[0]);
    println!("judged by what was seen:        {}", hit(seen.now, rewound.value));
    assert_eq!(rewound.value, *target.blended().unwrap());

    // What stood in between? Cover is asked for at the same moment, without a claim of its own.
    println!("the shot was fired at           t = {:.3} of the server's clock", rewound.moment);

    // A cheat sends a claim of a second and a half ago once more.
    match history.rewind(old_claim.ok_or("nothing to claim")?, arrived) {
        Ok(_) => println!("the cheat got through"),
        Err(refused) => println!("an old claim, sent again:\n    {refused}"),
    }
    Ok(())
}

fn hit(aimed: [f32; 3], target: [f32; 3]) -> &'static str {
    if distance(aimed, target) <= RADIUS { "hit" } else { "miss" }
}
