//! What is hidden from queries while the picture is up must not keep it, and whoever comes back has jumped.

use crate::stage;

use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_portamento::Smooth;
use bevy_transform::prelude::*;
use stage::{Goes, Stage, at, go};

#[derive(Component)]
struct Back;

fn come_back(
    mut commands: Commands,
    mut things: Query<(Entity, &mut Transform), (With<Back>, With<Disabled>)>,
) {
    for (entity, mut transform) in &mut things {
        transform.translation.x = 700.0;
        commands.entity(entity).remove::<(Disabled, Goes)>();
    }
}

/// An entity on its way, its passenger and one without any, a tick after they were hidden.
fn hidden_while_the_picture_is_up(stage: &mut Stage) -> [Entity; 3] {
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let child = stage.spawn((at(0.5), ChildOf(thing)));
    let flat = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    for e in [thing, child, flat] {
        stage.app.world_mut().entity_mut(e).insert(Disabled);
    }
    stage.frame(0.15);
    [thing, child, flat]
}

#[test]
fn what_comes_back_from_hiding_and_is_written_once_stays_there() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go).with(Update, come_back);
    let [thing, child, flat] = hidden_while_the_picture_is_up(&mut stage);
    stage.app.world_mut().entity_mut(child).remove::<Disabled>();
    for e in [thing, flat] {
        stage.app.world_mut().entity_mut(e).insert(Back);
    }
    for _ in 0..10 {
        stage.frame(0.04);
        assert_eq!((stage.x(thing), stage.x(flat)), (700.0, 700.0));
        assert_eq!(stage.x(child), 700.5);
    }
}

#[test]
fn a_hidden_passenger_is_left_where_the_truth_is() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    let [thing, child, flat] = hidden_while_the_picture_is_up(&mut stage);
    for e in [thing, flat] {
        stage.app.world_mut().entity_mut(e).remove::<Goes>();
    }
    for e in [thing, child, flat] {
        stage.app.world_mut().entity_mut(e).remove::<Disabled>();
    }
    for _ in 0..10 {
        stage.app.update();
        assert_eq!((stage.x(thing), stage.x(flat), stage.x(child)), (1.0, 1.0, 1.5));
    }
}

#[derive(Component)]
struct Asleep;

#[test]
fn a_marker_of_your_own_hides_as_well() {
    let mut stage = Stage::bare(10.0).with(FixedUpdate, go);
    stage.app.world_mut().register_disabling_component::<Asleep>();
    stage.app.add_plugins(bevy_portamento::PortamentoPlugin);
    stage.app.finish();
    stage.app.cleanup();
    stage.frame(0.0);
    let flat = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    stage.frame(0.15);
    stage.app.world_mut().entity_mut(flat).insert(Asleep);
    stage.frames(5, 0.1);
    stage.app.world_mut().entity_mut(flat).remove::<Goes>().remove::<Asleep>();
    for _ in 0..10 {
        stage.frame(0.04);
        assert_eq!(stage.x(flat), 1.0);
    }
    stage.get_mut::<Transform>(flat).translation.x = 7.0;
    for _ in 0..10 {
        stage.frame(0.04);
        assert_eq!(stage.x(flat), 7.0);
    }
}

#[test]
fn a_passenger_hidden_by_a_marker_that_was_registered_later_is_left_where_the_truth_is() {
    let mut stage = Stage::new(10.0).with(FixedUpdate, go);
    stage.app.world_mut().register_disabling_component::<Asleep>();
    let thing = stage.spawn((at(0.0), Smooth::default(), Goes(1.0)));
    let child = stage.spawn((at(0.5), ChildOf(thing)));
    let grandchild = stage.spawn((at(0.5), ChildOf(child)));
    stage.frame(0.15);
    assert_eq!(stage.x(child), 1.0);
    stage.app.world_mut().entity_mut(child).insert(Asleep);
    assert_eq!((stage.x(child), stage.x(grandchild)), (1.5, 2.0), "as Bevy would have left it");
    stage.app.world_mut().entity_mut(thing).remove::<Goes>();
    stage.app.update();
    stage.app.world_mut().entity_mut(child).remove::<Asleep>();
    for _ in 0..10 {
        stage.app.update();
    }
    assert_eq!((stage.x(child), stage.x(grandchild)), (1.5, 2.0));
    stage.get_mut::<Transform>(child).translation.x = 3.0;
    stage.frame(0.04);
    assert_eq!((stage.x(child), stage.x(grandchild)), (4.0, 4.5), "not stuck");
}
