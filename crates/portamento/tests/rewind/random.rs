//! A great many claims over random links, from clients with rates of their own, at a target that runs, rests, teleports and
//! vanishes, on a server that hitches and restarts.
//!
//! ```text
//! CLAIMS=1000000 cargo test --release -p portamento --test rewind random -- --nocapture
//! ```

use super::shooting::{Client, Dice, Shot, Verdict, Word, judge, runner};
use portamento::blend::Pose;
use portamento::remote::{History, HistorySettings, Report, RewindRefused, TickClock};
use std::collections::VecDeque;

/// So long after a restart that no one declared, seconds, all clients have noticed it.
const SETTLED: f64 = 2.5;

#[derive(Debug, Default)]
struct Tally {
    shots: u32,
    same: u32,
    wrong: u32,
    no_claim: u32,
    /// The server was another one, or its clock was set back, and the client did not know it yet.
    restart: u32,
    /// The client had missed more than the history's `gap`.
    gap: u32,
    restarts: u32,
    /// None of these.
    other: Vec<String>,
}

/// A client, and the way to it and back.
struct Player {
    client: Client,
    /// It is sent every so manyth tick.
    every: u32,
    latency: f64,
    jitter: f64,
    loss: f64,
    /// Its clock minus real time, and the time of its next frame.
    clock: f64,
    frame: f64,
    next: f64,
    /// Its stamps come as a counter of this many bits.
    stamps: Option<(TickClock, u32)>,
    /// Shots on their way: when they arrive and were fired, and in which life of the server.
    shots: VecDeque<(f64, f64, u32, Shot)>,
    /// The last stamps that were delivered, of this life of the server: real time of arrival, and stamp.
    delivered: Vec<(f64, f64)>,
}

impl Player {
    fn new(hz: u32, dice: &mut Dice) -> Self {
        let every = [1, 1, 2, 3, 4][(dice.roll() * 5.0) as usize];
        let own = f64::from(hz) / f64::from(every);
        let frame = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0, 1.0 / 240.0][(dice.roll() * 4.0) as usize];
        // Six messages in a row are lost once in a thousand messages at worst.
        let most = if own < 15.0 { 0.05 } else { 0.3 };
        Player {
            client: Client::at_hz(own),
            every,
            latency: 0.005 + 0.12 * dice.roll(),
            jitter: [0.0, 0.005, 0.03, 0.15][(dice.roll() * 4.0) as usize] * dice.roll(),
            loss: [0.0, 0.02, most][(dice.roll() * 3.0) as usize],
            clock: 1000.0 * dice.roll(),
            frame,
            next: frame * dice.roll(),
            stamps: None,
            shots: VecDeque::new(),
            delivered: Vec::new(),
        }
    }

    /// Whether it has had nothing of what was recorded for longer than `gap`, as of a moment of the server's clock.
    fn missed(&self, recorded: &VecDeque<f64>, at: f64, shown: f64, gap: f64) -> bool {
        let mut stamps: Vec<f64> = self.delivered.iter().filter(|d| d.0 <= at).map(|d| d.1).collect();
        stamps.sort_by(f64::total_cmp);
        stamps.push(shown);
        let hole = |pair: &[f64]| {
            let skipped = recorded.iter().find(|&&sent| sent > pair[0] && !stamps.contains(&sent));
            skipped.is_some_and(|&skipped| pair[1] - skipped > gap - 0.001)
        };
        stamps.windows(2).any(hole)
    }
}

fn play(seed: u64, seconds: f64, tally: &mut Tally) {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mut dice = Dice(mixed ^ mixed >> 32);
    let hz = [10, 20, 30, 60, 64, 128][(dice.roll() * 6.0) as usize];
    let mut players: Vec<_> = (0..4).map(|_| Player::new(hz, &mut dice)).collect();
    // What is sent seldom is missed for longer, and drawn later.
    let slowest = players.iter().map(|player| player.every).max().unwrap() as f64 / f64::from(hz);
    let usual = HistorySettings::at_hz(f64::from(hz));
    let settings = HistorySettings {
        gap: usual.gap.max(8.0 * slowest),
        back: usual.back.max(0.6 + 5.0 * slowest),
        ..usual
    };
    let mut history = History::<Pose>::new(settings).unwrap();
    // Ticks are stamped by their number, or by a wall clock that shows every hitch.
    let ticks = dice.one_in(2.0);
    let bits = [8, 10, 12, 16][(dice.roll() * 4.0) as usize];
    // The server's clock minus real time, and when its life began.
    let mut clock = if ticks { 0.0 } else { 1e6 * dice.roll() };
    let mut life = 0u32;
    let mut tick = if ticks { (3e5 * dice.roll()) as u64 } else { 0 };
    if ticks {
        clock = tick as f64 / f64::from(hz);
        for player in &mut players {
            player.stamps = Some((TickClock::at_hz(f64::from(hz), bits).unwrap(), bits));
        }
    }
    let mut due = 0.0;
    let mut last = f64::NEG_INFINITY;
    let mut recorded: VecDeque<f64> = VecDeque::new();
    let mut began = 0.0;
    let (mut epoch, mut path, mut rests, mut resting, mut gone) = (0, 0.0, 0.0, 0, 0.0);
    // A restart in one game of six.
    let mut restart = if dice.one_in(3.0) { 10.0 + 40.0 * dice.roll() } else { f64::INFINITY };
    let mut now = 0.0;
    while now < seconds {
        now += 1.0 / 480.0;
        while due <= now {
            let hitch = if dice.one_in(60.0) { 0.04 * dice.roll() } else { 0.0 };
            let step = 1.0 / f64::from(hz);
            if due > restart && !ticks {
                // Set back by a little, or started anew.
                clock =
                    if dice.one_in(2.0) { clock - 0.3 - 3.0 * dice.roll() } else { 50.0 * dice.roll() - due };
                restart = f64::INFINITY;
                life += 1;
                tally.restarts += 1;
                began = due;
                resting = 0; // a server that begins anew speaks of everything
                last = f64::NEG_INFINITY;
                recorded.clear();
                players.iter_mut().for_each(|player| player.delivered.clear());
                if dice.one_in(2.0) {
                    history = History::new(settings).unwrap();
                }
            }
            let sent = if ticks { tick as f64 / f64::from(hz) } else { due + clock + hitch };
            let sent = if ticks { sent } else { sent.max(last + 1e-5) };
            last = sent;
            // The target: it rests, is gone, or runs; now and then it is put elsewhere.
            if dice.one_in(40.0 * f64::from(hz)) {
                epoch += 1;
            }
            let word = if gone > due {
                Word::Nothing
            } else if gone > 0.0 && gone > due - step {
                epoch += 1;
                Word::Here(Report::new(runner(path)).with_epoch(epoch))
            } else if rests > due {
                // That it rests is repeated until everybody has heard it.
                resting += 1;
                let report = Report::new(runner(path)).with_epoch(epoch).at_rest();
                if resting <= 2 * hz { Word::Here(report) } else { Word::Nothing }
            } else if dice.one_in(60.0 * f64::from(hz)) {
                gone = due + 2.0 + 3.0 * dice.roll();
                Word::Gone
            } else {
                path += step;
                resting = 0;
                if dice.one_in(15.0 * f64::from(hz)) {
                    rests = due + 8.0 * dice.roll();
                }
                Word::Here(Report::new(runner(path)).with_epoch(epoch))
            };
            match word {
                Word::Here(report) => assert!(history.record(sent, report)),
                Word::Gone => assert!(history.vanish(sent)),
                Word::Nothing => {}
            }
            if !matches!(word, Word::Nothing) {
                recorded.push_back(sent);
                while recorded.front().is_some_and(|&old| sent - old > 4.0) {
                    recorded.pop_front();
                }
            }
            for player in &mut players {
                // Gone is repeated too, by other means: a lost one leaves a ghost until it is heard of again.
                let important = matches!(word, Word::Gone);
                if !important && (tick % u64::from(player.every) != 0 || dice.roll() < player.loss) {
                    continue;
                }
                let arrives = now + hitch + player.latency + player.jitter * dice.roll();
                let decoded = match &mut player.stamps {
                    Some((stamps, bits)) => {
                        let arrived = arrives + player.clock;
                        if player.delivered.is_empty() {
                            stamps.set_tick(tick, arrived);
                        }
                        stamps.seconds((tick % (1 << *bits)) as u32, arrived).unwrap()
                    }
                    None => sent,
                };
                assert_eq!(decoded, sent, "the counter's time is the server's");
                player.client.send(arrives + player.clock, sent, word);
                if dice.one_in(50.0) {
                    player.client.send(arrives + player.clock + 0.02, sent, word);
                }
                player.delivered.push((arrives, sent));
                if player.delivered.len() > 400 {
                    player.delivered.drain(..100);
                }
            }
            due += step;
            tick += 1;
        }
        for player in &mut players {
            while player.next <= now {
                let at = player.next;
                player.next += player.frame;
                let Some(shot) = player.client.shoot(at + player.clock) else { continue };
                let Ok(shot) = shot else {
                    tally.shots += 1;
                    tally.no_claim += 1;
                    continue;
                };
                let arrives = at + player.latency + player.jitter * dice.roll();
                player.shots.push_back((arrives, at, life, shot));
            }
            // Shots do not overtake each other.
            while let Some((_, at, fired, shot)) = player.shots.front().copied().filter(|shot| shot.0 <= now)
            {
                player.shots.pop_front();
                tally.shots += 1;
                let server = clock + now;
                // For a while after a restart clients live in the old life, and their stamps mean something else.
                let unsettled = fired != life || now - began < SETTLED && life > 0;
                match judge(&history, &shot, server) {
                    Verdict::Same => tally.same += 1,
                    Verdict::Wrong => tally.wrong += 1,
                    Verdict::Refused(_) if unsettled => tally.restart += 1,
                    Verdict::Refused(RewindRefused::TooFarApart { .. })
                        if player.missed(&recorded, at, shot.shown, settings.gap) =>
                    {
                        tally.gap += 1;
                    }
                    Verdict::Refused(refused) => tally.other.push(format!(
                        "game {seed}, at {now:.3}: {refused}: {hz} Hz, every {}, {shot:?}, counts {:?}",
                        player.every,
                        history.counts()
                    )),
                }
            }
        }
    }
}

#[test]
fn whatever_happens_a_claim_gives_the_clients_picture_or_is_refused() {
    let claims: u32 = std::env::var("CLAIMS").map_or(60_000, |claims| claims.parse().unwrap());
    let mut tally = Tally::default();
    let mut games = 0;
    while tally.shots < claims {
        play(games, 60.0, &mut tally);
        games += 1;
    }
    let Tally { shots, same, wrong, no_claim, restart, gap, restarts, other } = &tally;
    println!(
        "{games} games, {restarts} restarts, {shots} shots: {same} judged by the same bits, {wrong} by others; {no_claim} without a claim, \
         {restart} refused after a restart, {gap} after more losses than the limit, {} for other reasons",
        other.len()
    );
    for reason in other.iter().take(12) {
        println!("{reason}");
    }
    assert_eq!((*wrong, other.len()), (0, 0));
    assert!(u64::from(shots - same) * 1000 < u64::from(*shots), "{shots} {same}");
}
