//! What the exchange promises, one sentence each. Threads are in `tests/exchange_stress.rs`, processes in
//! `tests/exchange_kills.rs`, all interleavings of the protocol in `slots/loom_tests.rs`.

use proptest::prelude::*;

use super::*;
use crate::blend::{Blend, Pose, Rotation};
use crate::playhead::Playhead;
use crate::playhead::Shown;

fn at(x: f32) -> Pose {
    Pose { position: [x, 0.0, 0.0], rotation: Rotation::IDENTITY }
}

/// Keeps as few ticks as may be, so that the tests see them being replaced.
fn shape(entities: usize) -> Shape {
    Shape::new(entities).ticks(MIN_TICKS)
}

fn pair(shape: Shape) -> (Publisher, Subscriber) {
    let exchange = Exchange::new(shape).unwrap();
    (exchange.publisher().unwrap(), exchange.subscriber().unwrap())
}

/// Publishes at 10 Hz of simulated time, 100 s later on the shared clock.
fn publish(publisher: &mut Publisher, tick: u32) -> TickStamp {
    let simulated = f64::from(tick) / 10.0;
    publisher.publish(100.0 + simulated, simulated).unwrap()
}

/// What there is to read of a walk: entity 1, which is at x = n in tick n.
fn walked(ticks: core::ops::Range<u32>) -> Subscriber {
    let (mut publisher, subscriber) = pair(shape(3));
    let entity = publisher.spawn(1, at(0.0)).unwrap();
    for tick in ticks {
        publisher.set(entity, at(tick as f32)).unwrap();
        publish(&mut publisher, tick);
    }
    subscriber
}

fn seen(reading: &Reading<'_>) -> Vec<(u64, f32)> {
    reading.views().map(|view| (view.id, view.pose.position[0])).collect()
}

#[test]
fn before_the_first_tick_there_is_nothing() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    publisher.spawn(1, at(0.0)).unwrap();
    assert_eq!(subscriber.latest().unwrap_err(), NoTick::Empty);
    assert_eq!(subscriber.around(Shown::still(0.0)).unwrap_err(), NoTick::Empty);
    assert!(subscriber.stamps().is_empty());
    assert_eq!(subscriber.counts(), ReaderCounts::default());
}

#[test]
fn the_first_tick_is_readable_with_all_that_belongs_to_it() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    let turned =
        Pose { position: [1.0, 2.0, 3.0], rotation: Rotation::from_axis_angle([0.0, 0.0, 1.0], 0.3) };
    let entity = publisher.spawn(77, turned).unwrap();
    publisher.set_flags(entity, 0xF00F).unwrap();
    let stamp = publisher.publish(12.5, -3.0).unwrap();
    assert_eq!(stamp, TickStamp { run: 1, tick: 0, published: 12.5, simulated: -3.0 });
    let reading = subscriber.latest().unwrap();
    assert_eq!((reading.from(), reading.to(), reading.alpha()), (stamp, stamp, 1.0));
    let expected = EntityView { entity, id: 77, flags: 0xF00F, cut_epoch: 0, pose: turned };
    assert_eq!(reading.views().collect::<Vec<_>>(), [expected]);
    assert_eq!(stamp.age(13.0), 0.5);
    assert_eq!(stamp.age(12.0), 0.0, "never negative");
}

#[test]
fn a_moment_between_two_ticks_is_blended() {
    let mut subscriber = walked(0..4);
    for (moment, x, alpha) in [(0.0, 0.0, 0.0), (0.05, 0.5, 0.5), (0.1, 1.0, 0.0), (0.275, 2.75, 0.75)] {
        let reading = subscriber.around(Shown::still(moment)).unwrap();
        assert_eq!(seen(&reading), [(1, x)], "at {moment}");
        assert!((reading.alpha() - alpha).abs() < 1e-9, "at {moment}");
        assert_eq!(reading.beyond(), 0.0);
    }
    let reading = subscriber.around(Shown::still(0.3)).unwrap();
    assert_eq!((seen(&reading), reading.alpha()), (vec![(1, 3.0)], 1.0));
}

#[test]
fn the_blend_is_that_of_the_blend_room_to_the_bit() {
    let (mut publisher, mut subscriber) = pair(shape(1));
    let from = Pose { position: [1.0, -2.0, 0.5], rotation: Rotation::from_axis_angle([0.0, 1.0, 0.0], 0.2) };
    let to = Pose { position: [3.0, 9.0, 0.25], rotation: Rotation::from_axis_angle([0.0, 1.0, 0.0], 1.9) };
    let entity = publisher.spawn(1, from).unwrap();
    publisher.publish(0.0, 0.0).unwrap();
    publisher.set(entity, to).unwrap();
    publisher.publish(1.0, 1.0).unwrap();
    for at in [0.0, 1e-300, 1e-20, 0.25, 0.3, 0.999, 0.999_999_99, 1.0_f64.next_down(), 1.0] {
        let reading = subscriber.around(Shown::still(at)).unwrap();
        assert_eq!(reading.view(0).unwrap().pose, from.blend(&to, reading.alpha()), "at {at}");
        assert!((reading.alpha() - at).abs() < 2e-7 && (reading.alpha() == 1.0) == (at == 1.0), "at {at}");
    }
}

#[test]
fn past_the_newest_tick_it_is_held_and_says_how_far() {
    let mut subscriber = walked(0..2);
    let reading = subscriber.around(Shown::still(0.15)).unwrap();
    assert_eq!(seen(&reading), [(1, 1.0)]);
    assert!((reading.beyond() - 0.05).abs() < 1e-12);
    assert_eq!(seen(&reading.extrapolate(f64::INFINITY)), [(1, 1.5)], "asked for");
    let reading = subscriber.around(Shown::still(9.0)).unwrap().extrapolate(0.1);
    assert_eq!(seen(&reading), [(1, 2.0)], "asked for, but not farther than 0.1 s");
}

#[test]
fn extrapolation_does_not_cross_a_cut() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    let entity = publisher.spawn(1, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    publisher.cut(entity, at(500.0)).unwrap();
    publish(&mut publisher, 1);
    assert_eq!(seen(&subscriber.around(Shown::still(0.15)).unwrap().extrapolate(1.0)), [(1, 500.0)]);
}

#[test]
fn before_the_oldest_kept_tick_the_oldest_is_shown_and_counted() {
    let mut subscriber = walked(0..9);
    assert_eq!(subscriber.stamps().iter().map(|stamp| stamp.tick).collect::<Vec<_>>(), [5, 6, 7, 8]);
    assert_eq!(seen(&subscriber.around(Shown::still(0.2)).unwrap()), [(1, 5.0)]);
    assert_eq!(subscriber.counts().behind, 1);
}

#[test]
fn a_cut_never_shows_a_place_between() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    let entity = publisher.spawn(1, at(1.0)).unwrap();
    let other = publisher.spawn(2, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    publisher.cut(entity, at(1000.0)).unwrap();
    publisher.set(other, at(1.0)).unwrap();
    publish(&mut publisher, 1);
    publisher.set(entity, at(1001.0)).unwrap();
    publish(&mut publisher, 2);
    for step in 0..=200 {
        let moment = f64::from(step) / 1000.0;
        let reading = subscriber.around(Shown::still(moment)).unwrap();
        let (view, other) = (reading.view(0).unwrap(), reading.view(1).unwrap());
        let x = view.pose.position[0];
        if moment < 0.1 {
            assert_eq!((x, view.cut_epoch), (1.0, 0), "held until the cut's own moment");
            assert!((f64::from(other.pose.position[0]) - moment * 10.0).abs() < 1e-6, "others go on");
        } else {
            assert!(x >= 1000.0);
            assert_eq!(view.cut_epoch, 1);
        }
    }
}

#[test]
fn a_cut_is_seen_by_a_reader_that_missed_its_tick() {
    // The tick with the cut is overwritten by later ones; the epoch still differs.
    let (mut publisher, mut subscriber) = pair(shape(3));
    let entity = publisher.spawn(1, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    let before = subscriber.latest().unwrap().view(0).unwrap().cut_epoch;
    publisher.cut(entity, at(9.0)).unwrap();
    for tick in 1..9 {
        publish(&mut publisher, tick);
    }
    assert_ne!(subscriber.latest().unwrap().view(0).unwrap().cut_epoch, before);
}

#[test]
fn a_new_entity_is_first_seen_at_its_first_pose() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    publisher.spawn(1, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    publisher.spawn(2, at(50.0)).unwrap();
    publish(&mut publisher, 1);
    assert_eq!(seen(&subscriber.around(Shown::still(0.099)).unwrap()), [(1, 0.0)], "not there yet");
    assert_eq!(seen(&subscriber.around(Shown::still(0.1)).unwrap()), [(1, 0.0), (2, 50.0)]);
}

#[test]
fn one_that_goes_is_there_until_it_is_gone() {
    let (mut publisher, mut subscriber) = pair(shape(3));
    let first = publisher.spawn(1, at(5.0)).unwrap();
    publish(&mut publisher, 0);
    publisher.despawn(first).unwrap();
    publish(&mut publisher, 1);
    assert_eq!(seen(&subscriber.around(Shown::still(0.05)).unwrap()), [(1, 5.0)]);
    assert_eq!(seen(&subscriber.around(Shown::still(0.1)).unwrap()), []);
    assert_eq!(publisher.set(first, at(1.0)), Err(EntityError::Gone(first)));
    assert_eq!(publisher.despawn(first), Err(EntityError::Gone(first)));
}

#[test]
fn a_reused_row_never_blends_one_entity_into_another() {
    let (mut publisher, mut subscriber) = pair(shape(1));
    let mut entity = publisher.spawn(0, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    for tick in 1..50 {
        publisher.despawn(entity).unwrap();
        let next = publisher.spawn(u64::from(tick), at(tick as f32 * 100.0)).unwrap();
        assert_eq!((next.row, next != entity), (0, true), "the row is reused");
        entity = next;
        publish(&mut publisher, tick);
        let middle = (f64::from(tick) - 0.5) / 10.0;
        let old = u64::from(tick - 1);
        assert_eq!(seen(&subscriber.around(Shown::still(middle)).unwrap()), [(old, old as f32 * 100.0)]);
    }
}

#[test]
fn one_entity_too_many_is_an_error_and_nothing_is_lost() {
    let (mut publisher, mut subscriber) = pair(shape(2));
    publisher.spawn(1, at(1.0)).unwrap();
    let second = publisher.spawn(2, at(2.0)).unwrap();
    assert_eq!(publisher.spawn(3, at(3.0)), Err(EntityError::Full { capacity: 2 }));
    publish(&mut publisher, 0);
    assert_eq!(seen(&subscriber.latest().unwrap()), [(1, 1.0), (2, 2.0)]);
    publisher.despawn(second).unwrap();
    assert_eq!(publisher.entities(), 1);
    publisher.spawn(3, at(3.0)).unwrap();
    publish(&mut publisher, 1);
    assert_eq!(seen(&subscriber.latest().unwrap()), [(1, 1.0), (3, 3.0)]);
}

#[test]
fn one_subscriber_too_many_is_an_error_and_a_seat_is_free_again_when_one_leaves() {
    let exchange = Exchange::new(shape(1).subscribers(2)).unwrap();
    let first = exchange.subscriber().unwrap();
    let _second = exchange.subscriber().unwrap();
    assert!(matches!(exchange.subscriber(), Err(AttachError::NoSeat { seats: 2 })));
    drop(first);
    let _third = exchange.subscriber().unwrap();
}

#[test]
fn a_subscriber_whose_thread_panics_leaves_its_seat() {
    let exchange = Exchange::new(shape(1).subscribers(1)).unwrap();
    let mut publisher = exchange.publisher().unwrap();
    publish(&mut publisher, 0);
    let theirs = exchange.clone();
    let thread = std::thread::spawn(move || {
        let mut subscriber = theirs.subscriber().unwrap();
        let _reading = subscriber.latest().unwrap();
        panic!("while it holds a claim (this panic is part of the test)");
    });
    assert!(thread.join().is_err());
    let mut subscriber = exchange.subscriber().unwrap();
    assert!(subscriber.latest().is_ok());
}

#[test]
fn there_is_one_publisher_and_its_successor_begins_a_new_run() {
    let exchange = Exchange::new(shape(2)).unwrap();
    let mut subscriber = exchange.subscriber().unwrap();
    assert_eq!(subscriber.publisher(), PublisherState::None);
    let mut publisher = exchange.publisher().unwrap();
    assert!(matches!(exchange.publisher(), Err(AttachError::PublisherLives)));
    publisher.spawn(1, at(10.0)).unwrap();
    for tick in 0..6 {
        publish(&mut publisher, tick);
    }
    assert_eq!(subscriber.publisher(), PublisherState::Publishing);
    drop(publisher);
    assert_eq!(subscriber.publisher(), PublisherState::Closed);
    assert_eq!(seen(&subscriber.latest().unwrap()), [(1, 10.0)], "outlives its publisher");

    let mut publisher = exchange.publisher().unwrap();
    assert_eq!(publisher.run(), 2);
    publisher.spawn(9, at(-10.0)).unwrap();
    publish(&mut publisher, 0);
    let runs: Vec<_> = subscriber.stamps().iter().map(|stamp| (stamp.run, stamp.tick)).collect();
    assert_eq!(runs, [(1, 3), (1, 4), (1, 5), (2, 0)]);
    // Same row, same generation, another run: never the same entity.
    assert_eq!(seen(&subscriber.around(Shown::still(0.55)).unwrap()), [(9, -10.0)]);
    assert_eq!(seen(&subscriber.around(Shown::still(0.0)).unwrap()), [(9, -10.0)]);
}

#[test]
fn a_reader_that_has_not_heard_of_a_restart_does_not_meet_it() {
    let exchange = Exchange::new(shape(2)).unwrap();
    let mut subscriber = exchange.subscriber().unwrap();
    let mut publisher = exchange.publisher().unwrap();
    publisher.spawn(1, at(10.0)).unwrap();
    publish(&mut publisher, 0);
    assert_eq!(subscriber.news().len(), 1);
    drop(publisher);
    let mut publisher = exchange.publisher().unwrap();
    publisher.spawn(2, at(20.0)).unwrap();
    publish(&mut publisher, 0);
    assert_eq!(seen(&subscriber.around(Shown::still(0.0)).unwrap()), [(1, 10.0)]);
    assert_eq!(subscriber.news().iter().map(|stamp| stamp.run).collect::<Vec<_>>(), [2]);
    assert_eq!(seen(&subscriber.around(Shown::still(0.0)).unwrap()), [(2, 20.0)]);
    assert_eq!(subscriber.counts().restarts, 1);
}

#[test]
fn news_tells_of_each_tick_once_and_counts_the_missed() {
    let (mut publisher, mut subscriber) = pair(shape(1));
    let ticks = |stamps: Stamps| stamps.iter().map(|stamp| stamp.tick).collect::<Vec<_>>();
    publish(&mut publisher, 0);
    publish(&mut publisher, 1);
    assert_eq!(ticks(subscriber.news()), [0, 1]);
    assert_eq!(ticks(subscriber.news()), [0; 0]);
    for tick in 2..10 {
        publish(&mut publisher, tick);
    }
    assert_eq!(ticks(subscriber.news()), [6, 7, 8, 9]);
    assert_eq!(subscriber.counts().missed, 4);
}

#[test]
fn a_playhead_is_fed_every_tick_and_every_restart() {
    let exchange = Exchange::new(shape(1)).unwrap();
    let mut subscriber = exchange.subscriber().unwrap();
    let mut playhead = Playhead::at_hz(10.0).unwrap();
    for run in 0..3 {
        let mut publisher = exchange.publisher().unwrap();
        for tick in 0..20 {
            publish(&mut publisher, tick);
            subscriber.feed(&mut playhead);
            assert_eq!(playhead.newest(), Some(f64::from(tick) / 10.0));
        }
        assert_eq!(playhead.counts().restarts, run);
    }
    assert_eq!(playhead.counts().ticks, 60);
}

#[test]
fn a_held_reading_stays_as_it_is_while_the_publisher_goes_on() {
    let exchange = Exchange::new(shape(1).subscribers(2)).unwrap();
    let mut publisher = exchange.publisher().unwrap();
    let (mut slow, mut quick) = (exchange.subscriber().unwrap(), exchange.subscriber().unwrap());
    let entity = publisher.spawn(1, at(0.0)).unwrap();
    publish(&mut publisher, 0);
    publisher.set(entity, at(1.0)).unwrap();
    publish(&mut publisher, 1);
    let held = slow.around(Shown::still(0.05)).unwrap();
    for tick in 2..200 {
        publisher.set(entity, at(tick as f32)).unwrap();
        publish(&mut publisher, tick);
        assert_eq!(seen(&held), [(1, 0.5)]);
        assert_eq!(seen(&quick.latest().unwrap()), [(1, tick as f32)]);
        assert_eq!(quick.stamps().len(), (tick as usize + 1).min(4));
    }
}

#[test]
fn a_forgotten_reading_costs_its_own_seat_only() {
    let exchange = Exchange::new(shape(1).subscribers(3)).unwrap();
    let mut publisher = exchange.publisher().unwrap();
    let mut subscribers: Vec<_> = (0..3).map(|_| exchange.subscriber().unwrap()).collect();
    let entity = publisher.spawn(1, at(0.0)).unwrap();
    for tick in 0..100 {
        publisher.set(entity, at(tick as f32)).unwrap();
        publish(&mut publisher, tick);
        for subscriber in &mut subscribers {
            let reading = subscriber.around(Shown::still(f64::from(tick) / 10.0 - 0.05)).unwrap();
            assert_eq!(seen(&reading), [(1, (tick as f32 - 0.5).max(0.0))]);
            std::mem::forget(reading);
        }
    }
}

#[test]
fn times_that_mean_nothing_are_refused_and_change_nothing() {
    let (mut publisher, mut subscriber) = pair(shape(1));
    publish(&mut publisher, 1);
    for (now, simulated) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (0.0, f64::NAN), (0.0, f64::NEG_INFINITY)]
    {
        assert!(publisher.publish(now, simulated).is_err());
    }
    let again = PublishError::NotForward { simulated: 0.1, newest: 0.1 };
    assert_eq!(publisher.publish(0.0, 0.1), Err(again));
    assert_eq!(subscriber.stamps().len(), 1);
    assert!(matches!(subscriber.around(Shown::still(f64::NAN)), Err(NoTick::Time(_))));
    for huge in [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN] {
        assert_eq!(subscriber.around(Shown::still(huge)).unwrap().alpha(), 1.0);
    }
    publisher.publish(0.0, 0.2).unwrap();
}

#[test]
fn huge_spans_of_time_still_give_an_alpha() {
    let (mut publisher, mut subscriber) = pair(shape(1));
    publisher.publish(0.0, f64::MIN).unwrap();
    publisher.publish(0.0, f64::MAX).unwrap();
    for at in [f64::MIN, -1.0, 0.0, 1e300, f64::MAX] {
        let alpha = subscriber.around(Shown::still(at)).unwrap().alpha();
        assert!((0.0..=1.0).contains(&alpha), "{alpha} at {at}");
    }
    assert_eq!(subscriber.around(Shown::still(0.0)).unwrap().alpha(), 0.5);
}

#[test]
fn poses_that_are_no_numbers_are_refused() {
    let (mut publisher, _subscriber) = pair(shape(2));
    let mut bad = at(1.0);
    bad.rotation.w = f32::NAN;
    assert!(matches!(publisher.spawn(1, bad), Err(EntityError::Pose(_))));
    let entity = publisher.spawn(1, at(1.0)).unwrap();
    assert!(matches!(publisher.cut(entity, at(f32::INFINITY)), Err(EntityError::Pose(_))));
    assert_eq!(publisher.entities(), 1);
}

/// What a run of random actions should look like, kept the simple way: every tick in full.
#[derive(Clone, Debug)]
struct Row {
    id: u64,
    born: u32,
    epoch: u32,
    x: f32,
}

proptest! {
    /// Against a second implementation that keeps everything: any mix of spawning, moving, cutting, despawning
    /// and publishing, read at any moment, shows what the rules say.
    #[test]
    fn any_history_reads_as_the_simple_model_says(
        actions in prop::collection::vec((0_u8..5, 0_usize..6, -100.0_f32..100.0), 1..120),
        moments in prop::collection::vec(-1.0_f64..13.0, 8),
        ticks in 4_usize..7,
    ) {
        let (mut publisher, mut subscriber) = pair(shape(6).ticks(ticks));
        let mut world: Vec<(Entity, Row)> = Vec::new();
        let mut history: Vec<Vec<Row>> = Vec::new();
        let mut next = 0;
        for (action, which, x) in actions {
            match action {
                0 => match publisher.spawn(next, at(x)) {
                    Ok(entity) => {
                        world.push((entity, Row { id: next, born: next as u32, epoch: 0, x }));
                        next += 1;
                    }
                    Err(error) => {
                        prop_assert_eq!(error, EntityError::Full { capacity: 6 });
                        prop_assert_eq!(world.len(), 6);
                    }
                },
                1 if which < world.len() => {
                    let (entity, _) = world.remove(which);
                    publisher.despawn(entity).unwrap();
                }
                2 if which < world.len() => {
                    publisher.set(world[which].0, at(x)).unwrap();
                    world[which].1.x = x;
                }
                3 if which < world.len() => {
                    publisher.cut(world[which].0, at(x)).unwrap();
                    world[which].1.x = x;
                    world[which].1.epoch += 1;
                }
                _ => {
                    publish(&mut publisher, history.len() as u32);
                    history.push(world.iter().map(|(_, row)| row.clone()).collect());
                }
            }
        }
        let oldest = history.len().saturating_sub(ticks);
        for moment in moments {
            let Ok(reading) = subscriber.around(Shown::still(moment)) else {
                prop_assert!(history.is_empty());
                continue;
            };
            let last = history.len() - 1;
            let from = (oldest..=last).rev().find(|tick| *tick as f64 / 10.0 <= moment).unwrap_or(oldest);
            let alpha = (moment - from as f64 / 10.0) * 10.0;
            let mut expected: Vec<(u64, f32)> = history[from]
                .iter()
                .map(|row| {
                    let later = history.get(from + 1).into_iter().flatten();
                    let mut same = later.filter(|later| later.born == row.born && later.epoch == row.epoch);
                    (row.id, same.next().map_or(row.x, |later| row.x + (later.x - row.x) * alpha.max(0.0) as f32))
                })
                .collect();
            expected.sort_by_key(|row| row.0);
            let mut got = seen(&reading);
            got.sort_by_key(|row| row.0);
            prop_assert_eq!(got.len(), expected.len());
            for (got, expected) in got.iter().zip(&expected) {
                prop_assert_eq!(got.0, expected.0);
                prop_assert!((got.1 - expected.1).abs() < 1e-3, "{:?} {:?}", got, expected);
            }
        }
    }
}

#[test]
fn a_followed_entity_is_cut_where_it_jumped_and_nowhere_else() {
    let exchange = Exchange::new(shape(4)).unwrap();
    let (mut publisher, mut subscriber) = (exchange.publisher().unwrap(), exchange.subscriber().unwrap());
    let mut followed = Followed::new(7);
    let mut frame = |subscriber: &mut Subscriber, at: f64| {
        let _ = subscriber.news();
        let drawn = followed.draw(&subscriber.around(Shown::still(at)).unwrap());
        drawn.map(|drawn| (drawn.before.position[0], drawn.now.position[0], drawn.cut))
    };
    publisher.spawn(1, at(50.0)).unwrap();
    publish(&mut publisher, 0);
    assert_eq!(frame(&mut subscriber, 0.0), None, "not there yet");
    let entity = publisher.spawn(7, at(3.0)).unwrap();
    publish(&mut publisher, 1);
    publisher.set(entity, at(5.0)).unwrap();
    publish(&mut publisher, 2);
    assert_eq!(frame(&mut subscriber, 0.1), Some((3.0, 3.0, true)), "it appears");
    assert_eq!(frame(&mut subscriber, 0.1), Some((3.0, 3.0, false)), "it rests");
    assert_eq!(frame(&mut subscriber, 0.2), Some((3.0, 5.0, false)), "it moves");
    publisher.cut(entity, at(90.0)).unwrap();
    publish(&mut publisher, 3);
    assert_eq!(frame(&mut subscriber, 0.25), Some((5.0, 5.0, false)), "until the moment of the cut");
    assert_eq!(frame(&mut subscriber, 0.3), Some((5.0, 90.0, true)), "it teleports");
    publisher.despawn(entity).unwrap();
    publisher.spawn(8, at(91.0)).unwrap();
    publisher.spawn(7, at(92.0)).unwrap();
    publish(&mut publisher, 4);
    assert_eq!(
        frame(&mut subscriber, 0.4),
        Some((90.0, 92.0, true)),
        "somebody else has its number, elsewhere"
    );
    drop(publisher);
    let mut publisher = exchange.publisher().unwrap();
    publisher.spawn(8, at(0.0)).unwrap();
    publisher.spawn(8, at(0.0)).unwrap();
    publisher.spawn(7, at(93.0)).unwrap();
    publish(&mut publisher, 0);
    assert_eq!(frame(&mut subscriber, 0.0), Some((92.0, 93.0, true)), "another run");
}

#[test]
fn only_a_limit_above_zero_lets_views_run_on() {
    let mut subscriber = walked(0..3);
    for (limit, expected) in [
        (f64::NAN, 2.0),
        (-1.0, 2.0),
        (f64::NEG_INFINITY, 2.0),
        (0.0, 2.0),
        (0.05, 2.5),
        (f64::INFINITY, 3.0),
    ] {
        let reading = subscriber.around(Shown::still(0.3)).unwrap().extrapolate(limit);
        let x = reading.view(0).unwrap().pose.position[0];
        assert!((x - expected).abs() < 1e-5, "{limit}: {x}");
    }
}
