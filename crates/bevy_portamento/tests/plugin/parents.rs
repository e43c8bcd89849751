//! An entity gets another parent while its motion is being played.

use crate::stage::{self, Goes, Stage, at, go, near};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_portamento::{PortamentoPlugin, Smooth};
use bevy_transform::prelude::*;

#[derive(Component)]
struct Passenger;

#[derive(Component)]
struct Ship;

/// On board and off again, in place.
fn board(
    mut commands: Commands,
    passengers: Query<(Entity, Option<&ChildOf>), With<Passenger>>,
    ship: Single<Entity, With<Ship>>,
    mut runs: Local<u32>,
) {
    *runs += 1;
    for (entity, child_of) in &passengers {
        if runs.is_multiple_of(7) {
            match child_of {
                None => commands.entity(entity).set_parent_in_place(*ship),
                Some(_) => commands.entity(entity).remove_parent_in_place(),
            };
        }
    }
}

fn crew(stage: &mut Stage) -> (Entity, Entity) {
    let ship = stage.spawn((at(100.0), Smooth::default(), Goes(1.0), Ship));
    stage.spawn((at(1.0), ChildOf(ship)));
    // As fast as the ship in the world; on board it stands still by itself.
    let sailor = stage.spawn((at(95.0), Smooth::default(), Passenger));
    (ship, sailor)
}

/// In the world as fast as the ship; on board at rest.
fn walk(mut sailors: Query<&mut Transform, (With<Passenger>, Without<ChildOf>)>) {
    for mut transform in &mut sailors {
        transform.translation.x += 1.0;
    }
}

#[test]
fn in_place_nothing_is_seen_of_it() {
    for in_tick in [true, false] {
        let stage = Stage::new(30.0);
        let mut stage = if in_tick {
            // Before this tick's motion: Bevy takes the places of the last propagation.
            stage.with(FixedUpdate, (board, (go, walk)).chain())
        } else {
            stage.with(FixedUpdate, (go, walk)).with(Update, board)
        };
        let (ship, sailor) = crew(&mut stage);
        stage.frames(12, 1.0 / 120.0);
        for frame in 0..400 {
            let before = [ship, sailor].map(|e| stage.x(e));
            stage.frame(1.0 / 120.0);
            let way = [ship, sailor]
                .map(|e| stage.x(e))
                .map(|x| x)
                .iter()
                .zip(before)
                .map(|(b, a)| b - a)
                .collect::<Vec<_>>();
            assert!(near(way[0], 0.25), "frame {frame}: {way:?}");
            // A parent in a tick may cost the passenger one tick's own motion, by Bevy's stale places; never more.
            assert!(
                (way[1] - 0.25).abs() < if in_tick { 0.2505 } else { 2e-3 },
                "in tick: {in_tick}, frame {frame}: {way:?}"
            );
        }
    }
}

#[test]
fn in_place_outside_of_a_tick_the_picture_is_no_part_of_the_truth() {
    let runs = [false, true].map(|plugin| {
        let mut stage = Stage::bare(30.0).with(FixedUpdate, (go, walk)).with(Update, board);
        if plugin {
            stage.app.add_plugins(PortamentoPlugin);
        }
        let (ship, sailor) = crew(&mut stage);
        let mut truths = Vec::new();
        for seconds in stage::uneven(120.0, 3).take(400) {
            stage.frame(seconds);
            truths.push([ship, sailor].map(|e| stage::bits(stage.truth(e).translation)));
        }
        truths
    });
    for (frame, (without, with)) in runs[0].iter().zip(&runs[1]).enumerate() {
        assert_eq!(without, with, "frame {frame}");
    }
}

#[test]
fn a_spawned_child_leaves_the_picture_of_its_parent_alone() {
    #[derive(Resource)]
    struct Drawn(f32);
    fn spark(mut commands: Commands, ship: Single<Entity, With<Ship>>) {
        commands.spawn((at(0.0), ChildOf(*ship)));
    }
    fn look(ship: Single<&GlobalTransform, With<Ship>>, drawn: Res<Drawn>) {
        assert_eq!(ship.translation().x, drawn.0);
    }
    let mut stage = Stage::new(30.0).with(FixedUpdate, go);
    let (ship, _) = crew(&mut stage);
    stage.frames(7, 1.0 / 120.0);
    let mut stage = stage.with(Update, (spark, look).chain());
    for _ in 0..50 {
        let x = stage.x(ship);
        stage.app.insert_resource(Drawn(x));
        stage.frame(1.0 / 120.0);
    }
}

/// A ship that goes on, and a sailor beside it at rest, between two ticks.
fn between_two_ticks() -> (Stage, Entity, Entity) {
    let mut stage = Stage::new(30.0).with(FixedUpdate, go);
    let ship = stage.spawn((at(100.0), Smooth::default(), Goes(1.0), Ship));
    let sailor = stage.spawn((at(95.0), Smooth::default(), Goes(1.0)));
    stage.frames(13, 1.0 / 120.0);
    assert!((0.1..0.9).contains(&stage.moment().alpha()));
    (stage, ship, sailor)
}

#[test]
fn what_a_frame_writes_after_a_new_parent_in_place_is_drawn_at_once() {
    let (mut stage, ship, sailor) = between_two_ticks();
    let x = stage.x(sailor);
    stage.app.world_mut().entity_mut(sailor).set_parent_in_place(ship);
    stage.get_mut::<Transform>(sailor).translation.y += 0.5;
    stage.frame(0.0);
    assert!(near(stage.drawn(sailor).translation().y, 0.5), "{}", stage.drawn(sailor).translation());
    assert!(near(stage.x(sailor), x));
}

#[test]
fn a_cut_of_the_new_parent_takes_its_child_along() {
    let (mut stage, ship, sailor) = between_two_ticks();
    stage.app.world_mut().entity_mut(sailor).set_parent_in_place(ship);
    stage.get_mut::<Transform>(ship).translation.x += 1000.0;
    stage.cut(ship);
    stage.frame(0.0);
    let apart = stage.x(ship) - stage.x(sailor);
    assert!((apart - 5.0).abs() < 1e-3, "{apart}");
}

#[test]
fn a_cut_after_a_new_parent_in_place_is_a_cut() {
    let (mut stage, ship, sailor) = between_two_ticks();
    stage.app.world_mut().entity_mut(sailor).remove::<Smooth>();
    stage.app.world_mut().entity_mut(sailor).insert(Smooth::default());
    stage.frames(4, 1.0 / 120.0);
    stage.frame(1.0 / 480.0);
    stage.get_mut::<Goes>(ship).0 = 0.0;
    stage.app.world_mut().entity_mut(sailor).set_parent_in_place(ship);
    stage.cut(sailor);
    stage.cut(ship);
    stage.frame(0.0);
    assert_eq!(stage.x(sailor), stage.truth(ship).translation.x + stage.truth(sailor).translation.x);
}

#[test]
fn a_second_new_parent_in_one_frame_starts_from_the_first() {
    // In place, and then below the other with the same numbers: it jumps to there, with nothing left to be played.
    let (mut stage, ship, sailor) = between_two_ticks();
    let pier = stage.spawn(at(500.0));
    stage.app.world_mut().entity_mut(sailor).set_parent_in_place(ship);
    stage.app.world_mut().entity_mut(sailor).insert(ChildOf(pier));
    stage.frame(0.0);
    assert!(near(stage.x(sailor), 495.0), "{}", stage.x(sailor));
}

/// How a program converts the place by itself.
#[derive(Clone, Copy, Debug)]
enum By {
    WritingBefore,
    WritingAfter,
    Bundle,
}

/// Boards a turned vehicle that stands, or leaves it or goes to another, in a tick or in `Update`: whatever comes first, the
/// new parent or the new numbers, it is drawn on its way.
#[test]
fn numbers_of_the_new_space_may_be_written_before_the_parent_after_it_or_with_it() {
    let turned = |x: f32| Transform::from_xyz(x, 0.0, 0.0).with_rotation(Quat::from_rotation_y(x * 0.01));
    let spaces = [Transform::IDENTITY, turned(100.0), turned(300.0)];
    for (from, to) in [(0, 1), (1, 0), (1, 2)] {
        for by in [By::WritingBefore, By::WritingAfter, By::Bundle] {
            // What is written before it leaves a parent can be its last motion there.
            if matches!(by, By::WritingBefore) && from != 0 || matches!(by, By::Bundle) && to == 0 {
                continue;
            }
            for (in_tick, whole) in [(true, true), (true, false), (false, true)] {
                let mut stage = Stage::new(10.0);
                let vehicles = [None, Some(stage.spawn(spaces[1])), Some(stage.spawn(spaces[2]))];
                let at = move |x: f32, space: usize| {
                    GlobalTransform::from_xyz(x, 0.0, 0.0).reparented_to(&spaces[space].into())
                };
                let body = stage.spawn((at(0.0, from), Smooth::default()));
                if let Some(vehicle) = vehicles[from] {
                    stage.app.world_mut().entity_mut(body).insert(ChildOf(vehicle));
                }
                let change = move |world: &mut World, x: f32| {
                    let mut place = at(x, to);
                    if whole {
                        place.scale *= 1.0001;
                    }
                    let parent = |world: &mut World| match vehicles[to] {
                        Some(vehicle) => _ = world.entity_mut(body).insert(ChildOf(vehicle)),
                        None => _ = world.entity_mut(body).remove::<ChildOf>(),
                    };
                    match (by, vehicles[to]) {
                        (By::Bundle, Some(vehicle)) => {
                            world.entity_mut(body).insert((ChildOf(vehicle), place));
                        }
                        (By::WritingAfter, _) => {
                            parent(world);
                            *world.get_mut::<Transform>(body).unwrap() = place;
                        }
                        _ => {
                            *world.get_mut::<Transform>(body).unwrap() = place;
                            parent(world);
                        }
                    }
                };
                // One unit along x in each tick; the change is in the sixth, or in a frame after it.
                let tick = move |world: &mut World, mut ticks: Local<u32>| {
                    *ticks += 1;
                    let x = *ticks as f32;
                    let changed = if in_tick { *ticks >= 6 } else { *ticks > 6 };
                    if in_tick && *ticks == 6 {
                        change(world, x);
                    } else {
                        world.get_mut::<Transform>(body).unwrap().translation =
                            at(x, if changed { to } else { from }).translation;
                    }
                };
                let update = move |world: &mut World, mut frames: Local<u32>| {
                    *frames += 1;
                    if !in_tick && *frames == 26 {
                        change(world, 6.0);
                    }
                };
                stage = stage.with(FixedUpdate, tick).with(Update, update);
                let mut before = 0.0;
                for frame in 1..60 {
                    stage.frame(0.025);
                    let drawn = stage.drawn(body).translation();
                    assert!(
                        (-0.001..0.26).contains(&(drawn.x - before)) && drawn.y.abs() + drawn.z.abs() < 0.01,
                        "{from} to {to}, {by:?}, in a tick: {in_tick}, frame {frame}: {before} to {drawn}"
                    );
                    before = drawn.x;
                }
                assert!(before > 13.0);
            }
        }
    }
}

/// What is picked up, put down or boards by hand is drawn on its way, whichever of its numbers are the same in both spaces.
#[test]
fn a_number_that_is_the_same_by_chance_does_not_decide() {
    // Where it is, where the parent is, and its place there.
    let cases = [
        ([100.0, 1.0, 0.0], [99.0, 1.0, 0.0], [0.0, 1.0, 0.0]),
        ([100.0, 0.3, 0.2], [99.0, 0.0, 0.0], [0.0, 0.3, 0.0]),
        ([100.0, 0.0, 0.0], [99.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ];
    for (k, (item, hand, place)) in cases.into_iter().enumerate() {
        for (in_tick, is_moving, in_bundle) in [true, false]
            .into_iter()
            .flat_map(|t| [(t, true, true), (t, true, false), (t, false, true), (t, false, false)])
        {
            let [item, hand, place] = [item, hand, place].map(Vec3::from_array);
            let mut stage = Stage::new(20.0);
            let player = stage.spawn((Transform::from_translation(hand), Smooth::default()));
            let thing = stage.spawn((Transform::from_translation(item), Smooth::default()));
            let tick = move |world: &mut World, mut ticks: Local<u32>| {
                *ticks += 1;
                if is_moving && *ticks < 6 {
                    world.get_mut::<Transform>(thing).unwrap().translation.x += 0.01;
                }
            };
            let pick = move |world: &mut World, mut runs: Local<u32>| {
                *runs += 1;
                if *runs == if in_tick { 6 } else { 28 } {
                    let place = Transform::from_translation(place);
                    if in_bundle {
                        world.entity_mut(thing).insert((ChildOf(player), place));
                    } else {
                        world.entity_mut(thing).insert(ChildOf(player));
                        *world.get_mut::<Transform>(thing).unwrap() = place;
                    }
                }
            };
            stage = stage.with(FixedUpdate, tick);
            stage = if in_tick { stage.with(FixedPostUpdate, pick) } else { stage.with(Update, pick) };
            for frame in 0..50 {
                stage.frame(0.01);
                let drawn = stage.drawn(thing).translation();
                let off = drawn.distance(item).min(drawn.distance(hand + place));
                assert!(off < 1.2, "case {k}, {in_tick} {is_moving} {in_bundle}, frame {frame}: {drawn}");
            }
            assert!(stage.drawn(thing).translation().abs_diff_eq(hand + place, 1e-4));
        }
    }
}

/// Somebody at rest boards a ship under way, in `Update`, with the numbers of its own place there.
#[test]
fn who_rests_and_boards_by_hand_does_not_go_back_with_the_ship() {
    for in_bundle in [true, false] {
        let mut stage = Stage::new(30.0).with(FixedUpdate, go);
        let ship = stage.spawn((at(8.0), Smooth::default(), Goes(1.0)));
        let sailor = stage.spawn((at(9.0), Smooth::default()));
        stage.frames(14, 1.0 / 120.0);
        let place = at(9.0 - stage.truth(ship).translation.x);
        let mut sailor_now = stage.app.world_mut().entity_mut(sailor);
        if in_bundle {
            sailor_now.insert((ChildOf(ship), place));
        } else {
            sailor_now.insert(ChildOf(ship)).insert(place);
        }
        stage.frame(0.0);
        assert!(near(stage.x(sailor), 9.0), "in a bundle: {in_bundle}: {}", stage.x(sailor));
    }
}

/// A passenger who walks across the ship while it sails, and gets off in a tick, by hand.
#[test]
fn who_walks_and_gets_off_by_hand_is_drawn_on_the_way() {
    let mut stage = Stage::new(30.0);
    let ship = stage.spawn((at(10.0), Smooth::default()));
    let sailor = stage.spawn((at(-1.0), Smooth::default(), ChildOf(ship)));
    let tick = move |world: &mut World, mut ticks: Local<u32>| {
        *ticks += 1;
        world.get_mut::<Transform>(ship).unwrap().translation.x += 0.25;
        world.get_mut::<Transform>(sailor).unwrap().translation.y += 0.1;
        if *ticks == 6 {
            let (place, ship) =
                (*world.get::<Transform>(sailor).unwrap(), *world.get::<Transform>(ship).unwrap());
            world.entity_mut(sailor).remove::<ChildOf>();
            *world.get_mut::<Transform>(sailor).unwrap() = ship * place;
        }
    };
    stage = stage.with(FixedUpdate, tick);
    let mut before = Vec3::new(9.0, 0.0, 0.0);
    for frame in 0..40 {
        stage.frame(1.0 / 120.0);
        let drawn = stage.drawn(sailor).translation();
        let way = drawn - before;
        assert!(
            (-1e-3..0.08).contains(&way.x) && (-1e-3..0.03).contains(&way.y),
            "frame {frame}: {before} {drawn}"
        );
        before = drawn;
    }
}

/// Put into a hand from afar, it is in the hand, wherever that goes.
#[test]
fn what_rests_and_is_put_into_a_moving_hand_is_there_at_once() {
    for is_turning in [true, false] {
        let mut stage = Stage::new(10.0);
        let hand = stage.spawn((at(8.0), Smooth::default()));
        let item = stage.spawn((at(100.0), Smooth::default()));
        stage = stage.with(FixedUpdate, move |world: &mut World| {
            let mut hand = world.get_mut::<Transform>(hand).unwrap();
            if is_turning {
                hand.rotate_y(0.3);
            } else {
                hand.translation.x += 1.0;
            }
        });
        stage.frames(14, 0.04);
        stage.app.world_mut().entity_mut(item).insert((at(1.0), ChildOf(hand)));
        for frame in 0..6 {
            stage.frame(0.02);
            let wanted = stage.drawn(hand).mul_transform(at(1.0)).translation();
            let drawn = stage.drawn(item).translation();
            assert!(
                drawn.abs_diff_eq(wanted, 1e-4),
                "turning: {is_turning}, frame {frame}: {drawn}, not {wanted}"
            );
        }
    }
}
