//! What do the presets of the snapshot buffer do, and is it what their documentation says?
//!
//! `cargo test --release -p portamento-lab --test presets -- --nocapture` prints the table.

use portamento::remote::{Peer, PeerSettings};
use portamento_lab::strategy::ours::SnapshotBuffer;
use portamento_lab::strategy::play;
use portamento_lab::synthetic::{Link, Random, eight, jittered_frames, runner};
use portamento_lab::yardstick::{Figures, Motion, Rules, measure};

const SECONDS: f64 = 40.0;
const RATE: f64 = 20.0;

type Preset = (&'static str, fn(f64) -> PeerSettings);

const PRESETS: [Preset; 4] = [
    ("defaults", PeerSettings::at_hz),
    ("action", PeerSettings::action),
    ("racing", PeerSettings::racing),
    ("strategy", PeerSettings::strategy),
];

fn links() -> [(&'static str, Link); 4] {
    [
        ("steady", Link::steady()),
        ("lossy", Link::lossy()),
        ("bursts", Link::bursts()),
        ("outage", Link::outage()),
    ]
}

fn motions() -> [(&'static str, Motion<[f64; 3]>); 2] {
    [("runner", runner(SECONDS, None, &mut Random::new(1))), ("eight", eight(SECONDS))]
}

/// What the documentation speaks of.
#[derive(Clone, Copy, Default)]
struct Row {
    milliseconds: f64,
    judder: f64,
    /// Percent of the moving frames that step back.
    back: f64,
    /// The 99th percentile.
    off_path: f64,
}

/// The means over three seeds of a link.
fn row(motion: &Motion<[f64; 3]>, link: &Link, preset: fn(f64) -> PeerSettings) -> Row {
    let mut mean = Row::default();
    for seed in [2, 12, 22] {
        let feed = link.send(motion, RATE, &mut Random::new(seed));
        let frames = jittered_frames(60.0, 0.1, 1.0, SECONDS, &mut Random::new(seed + 1));
        let drawn = play(&mut SnapshotBuffer::with(preset(1.0 / feed.interval)), &feed, &frames);
        let Figures { latency, judder, reverse, off_path_p99, .. } =
            measure(motion, &drawn, &Rules { from: 3.0, ..Rules::default() });
        mean.milliseconds += latency * 1e3 / 3.0;
        mean.judder += judder / 3.0;
        mean.back += reverse * 100.0 / 3.0;
        mean.off_path += off_path_p99 / 3.0;
    }
    mean
}

#[test]
fn every_preset_does_what_its_documentation_says() {
    println!("motion   link     preset        ms      J  back %  off path");
    for (motion_name, motion) in motions() {
        for (link_name, link) in links() {
            let [defaults, action, racing, strategy] = PRESETS.map(|(name, preset)| {
                let row = row(&motion, &link, preset);
                let Row { milliseconds, judder, back, off_path } = row;
                println!(
                    "{motion_name:<8} {link_name:<8} {name:<9} {milliseconds:>6.1} {judder:>6.3} {back:>7.2} {off_path:>9.3}"
                );
                row
            });
            let case = format!("{motion_name} over {link_name}");
            let runner = motion_name == "runner";
            let (later, earlier) =
                (strategy.milliseconds - defaults.milliseconds, defaults.milliseconds - racing.milliseconds);
            assert!((action.milliseconds - defaults.milliseconds).abs() < 6.0, "{case}");
            assert!((-2.0..10.0).contains(&earlier), "{case}: {earlier}");
            assert!((90.0..110.0).contains(&later), "{case}: {later}");
            assert!(strategy.judder <= defaults.judder && strategy.back <= defaults.back + 0.25, "{case}");
            match link_name {
                "steady" => {
                    // With nothing to foresee or to take back they are all the same.
                    for preset in [action, racing] {
                        assert!((preset.judder - defaults.judder).abs() < 0.003, "{case}");
                    }
                }
                "lossy" => {
                    assert!(action.off_path < 0.95 * defaults.off_path, "{case}");
                    assert!(!runner || action.judder < 1.4 * defaults.judder, "{case}");
                    assert!(racing.judder < 0.98 * defaults.judder, "{case}");
                    assert!(racing.off_path < 2.5 * defaults.off_path, "{case}");
                    assert!(strategy.judder < 0.65 * defaults.judder && strategy.back == 0.0, "{case}");
                }
                "bursts" => {
                    assert!(!runner || action.off_path < 0.9 * defaults.off_path, "{case}");
                    assert!(action.judder < 1.4 * defaults.judder, "{case}");
                    assert!(racing.judder < 0.95 * defaults.judder, "{case}");
                    assert!(racing.off_path < 2.6 * defaults.off_path, "{case}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn each_preset_foresees_as_far_as_it_says_and_no_farther() {
    let motion = runner(SECONDS, None, &mut Random::new(1));
    let feed = Link::outage().send(&motion, RATE, &mut Random::new(2));
    for ((name, preset), limit) in PRESETS.into_iter().zip([0.155, 0.07, 0.2, 0.0]) {
        let mut sender = Peer::new(preset(1.0 / feed.interval)).unwrap();
        let (mut newest, mut farthest) = (f64::MIN, 0.0f64);
        let mut arrivals = feed.arrivals.iter().peekable();
        for k in 0..(SECONDS * 60.0) as u32 {
            let now = f64::from(k) / 60.0;
            while let Some(arrival) = arrivals.next_if(|a| a.arrived <= now) {
                sender.receive(arrival.sent, arrival.arrived);
                newest = newest.max(arrival.sent);
            }
            farthest = sender.frame(now).map_or(farthest, |frame| farthest.max(frame.shown - newest));
        }
        assert!((farthest - limit).abs() < 1e-3, "{name}: {farthest}");
    }
}
