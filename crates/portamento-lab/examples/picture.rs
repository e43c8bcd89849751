//! The moving picture at the top of the README: the same motion drawn with and without portamento.
//!
//! `cargo run -p portamento-lab --example picture > docs/motion.svg`
//!
//! Everything in it is computed here by the library. The rates are far below those of a game, so that the eye can follow:
//! 6 ticks a second, 5 network messages a second of which some are late and one is lost. A lap ends with a teleport.

use portamento::Track;
use portamento::remote::{Peer, Report, Seen, Snapshots};
use portamento::step::{Frame, Stepper};
use std::error::Error;

/// Seconds from one teleport to the next.
const LAP: f64 = 4.0;
/// Pictures per second. The browser draws evenly between two of them, and jumps at a cut.
const PICTURES: f64 = 30.0;
const TICKS: f64 = 6.0;
const MESSAGES: f64 = 5.0;
/// What is recorded comes after this many laps, when clocks and delays have settled.
const SETTLED: usize = 5;

/// Where a ball is at this moment of its lap: along the lane, and above it.
fn ball(lap: f64) -> [f32; 2] {
    let along = lap / LAP;
    let bounce = (along * 4.0).fract();
    [along as f32, (4.0 * bounce * (1.0 - bounce)) as f32]
}

/// One picture: where the ball is drawn, and whether it jumped there.
#[derive(Clone, Copy)]
struct Picture {
    place: [f32; 2],
    cut: bool,
}

/// The pictures of one lap, drawn from the newest tick and by the library.
fn own_loop() -> Result<[Vec<Picture>; 2], Box<dyn Error>> {
    let mut stepper = Stepper::fixed(TICKS)?;
    let mut track = Track::<[f32; 2]>::new(ball(0.0));
    let mut lanes = [Vec::new(), Vec::new()];
    let mut last = ball(0.0);
    let per_lap = (TICKS * LAP) as u64;
    for picture in 0..(PICTURES * LAP) as usize * (SETTLED + 1) {
        let Frame { ticks, moment, .. } = stepper.frame(1.0 / PICTURES);
        for tick in ticks {
            let number = tick.number % per_lap;
            let place = ball(number as f64 / TICKS);
            if number == 0 { track.cut(place) } else { track.push(place) }
        }
        let drawn = track.draw(moment);
        if picture >= (PICTURES * LAP) as usize * SETTLED {
            lanes[0].push(Picture { place: *track.truth(), cut: *track.truth() != last });
            lanes[1].push(Picture { place: drawn.now, cut: drawn.cut });
        }
        last = *track.truth();
    }
    Ok(lanes)
}

/// The same for a ball of someone else's, whose messages come late or not at all.
fn network() -> Result<[Vec<Picture>; 2], Box<dyn Error>> {
    let per_lap = (MESSAGES * LAP) as usize;
    // Seconds on the way; each lap the same, so that the picture can be repeated.
    let on_the_way = |k: usize| [0.05, 0.16, 0.07, 0.05, 0.21][k % 5];
    let mut messages: Vec<(f64, usize)> = (0..per_lap * (SETTLED + 2))
        .filter(|k| k % per_lap != 13)
        .map(|k| (k as f64 / MESSAGES + on_the_way(k), k))
        .collect();
    messages.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut messages = messages.into_iter().peekable();
    let mut peer = Peer::at_hz(MESSAGES)?;
    let mut ball_of_another = Snapshots::<[f32; 2]>::default();
    let (mut newest, mut last) = (ball(0.0), ball(0.0));
    let mut lanes = [Vec::new(), Vec::new()];
    for picture in 0..(PICTURES * LAP) as usize * (SETTLED + 1) {
        let now = picture as f64 / PICTURES;
        while let Some((arrives, k)) = messages.next_if(|(arrives, _)| *arrives <= now) {
            newest = ball((k % per_lap) as f64 / MESSAGES);
            let stamp = peer.receive(k as f64 / MESSAGES, arrives);
            ball_of_another.insert(stamp, Report::new(newest).with_epoch((k / per_lap) as u32));
        }
        let drawn = peer.frame(now).map(|frame| ball_of_another.draw(&frame));
        if picture >= (PICTURES * LAP) as usize * SETTLED
            && let Some(Seen::Here(drawn)) = drawn
        {
            lanes[0].push(Picture { place: newest, cut: newest != last });
            lanes[1].push(Picture { place: drawn.now, cut: drawn.cut });
        }
        last = newest;
    }
    Ok(lanes)
}

const WIDTH: usize = 760;
const LANE: usize = 74;
const LEFT: f32 = 236.0;
const REACH: f32 = 500.0;

/// A circle that moves as the pictures say: evenly between two of them, at once where there is a cut.
fn circle(pictures: &[Picture], lane: usize, class: &str) -> String {
    let ground = (lane * LANE + LANE - 16) as f32;
    let place = |at: [f32; 2]| format!("{:.1} {:.1}", LEFT + REACH * at[0], ground - 40.0 * at[1]);
    let (mut values, mut times) = (Vec::new(), Vec::new());
    let count = pictures.len() as f64;
    let mut add = |k: f64, at| {
        times.push(format!("{:.5}", k / count));
        values.push(place(at));
    };
    for (k, picture) in pictures.iter().enumerate() {
        if picture.cut && k > 0 {
            // The old place until just before.
            add(k as f64 - 0.001, pictures[k - 1].place);
        }
        add(k as f64, picture.place);
    }
    add(count, pictures[pictures.len() - 1].place);
    format!(
        "<circle r=\"9\" class=\"{class}\"><animateTransform attributeName=\"transform\" type=\"translate\" dur=\"{LAP}s\" \
         repeatCount=\"indefinite\" values=\"{}\" keyTimes=\"{}\"/></circle>\n",
        values.join(";"),
        times.join(";")
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let [raw, smooth] = own_loop()?;
    let [reported, received] = network()?;
    let lanes = [
        (format!("{TICKS} ticks a second"), "drawn as they come", "naive", raw),
        (String::new(), "portamento", "ours", smooth),
        (format!("{MESSAGES} messages a second, some late or lost"), "drawn as they come", "naive", reported),
        (String::new(), "portamento", "ours", received),
    ];
    let height = LANE * lanes.len() + 8;
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>The same motion drawn as ticks and messages come, and by portamento</title>\n\
         <style>\
         text{{font:14px system-ui,sans-serif;fill:#57606a}}.name{{font-weight:600;fill:#24292f}}\
         line{{stroke:#d0d7de}}.naive{{fill:#8c959f}}.ours{{fill:#0969da}}\
         @media(prefers-color-scheme:dark){{text{{fill:#8b949e}}.name{{fill:#e6edf3}}line{{stroke:#30363d}}\
         .naive{{fill:#8b949e}}.ours{{fill:#58a6ff}}}}\
         </style>"
    );
    for (lane, (rate, how, class, pictures)) in lanes.iter().enumerate() {
        let ground = lane * LANE + LANE - 6;
        println!("<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{ground}\" y2=\"{ground}\"/>", LEFT + REACH);
        println!("<text class=\"name\" x=\"8\" y=\"{}\">{how}</text>", ground - 18);
        if !rate.is_empty() {
            println!("<text x=\"8\" y=\"{}\">{rate}</text>", ground - 38);
        }
        print!("{}", circle(pictures, lane, class));
    }
    println!("</svg>");
    Ok(())
}
