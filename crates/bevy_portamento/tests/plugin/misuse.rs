//! What would draw wrong is reported once, with the cure.

use crate::stage::{Stage, at};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_portamento::{PortamentoPlugin, SimulatingSchedule, Smooth, Views};
use bevy_time::TimePlugin;
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::sync::Mutex;

struct Reports(Mutex<Vec<String>>);

impl Log for Reports {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.level() <= Level::Error
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            self.0.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

static REPORTS: Reports = Reports(Mutex::new(Vec::new()));

fn reports(about: &str) -> Vec<String> {
    let reports = REPORTS.0.lock().unwrap();
    reports.iter().filter(|report| report.contains(about)).cloned().collect()
}

fn listen() {
    let _ = log::set_logger(&REPORTS);
    log::set_max_level(LevelFilter::Error);
}

/// Under the name that the rival's component has.
#[derive(Component, bevy_reflect::Reflect)]
#[type_path = "bevy_transform_interpolation"]
struct TranslationEasingState;

#[derive(Component, bevy_reflect::Reflect)]
#[type_path = "some_game"]
#[type_name = "TranslationEasingState"]
struct NotTheRivals;

#[test]
fn a_missing_transform_plugin_is_reported() {
    listen();
    let mut app = App::new();
    app.add_plugins((TimePlugin, PortamentoPlugin));
    app.finish();
    app.update();
    let reports = reports("TransformPlugin is missing");
    assert_eq!(reports.len(), 1);
    assert!(reports[0].contains("Add DefaultPlugins"), "{}", reports[0]);
}

#[test]
fn a_second_smoothing_plugin_on_an_entity_is_reported_once() {
    listen();
    let mut stage = Stage::new(30.0);
    stage.app.register_type::<TranslationEasingState>().register_type::<NotTheRivals>();
    stage.spawn((at(0.0), NotTheRivals, Smooth::default()));
    stage.spawn((at(0.0), TranslationEasingState));
    stage.frames(3, 0.01);
    assert_eq!(reports("Two plugins").len(), 0);
    for _ in 0..5 {
        let both = stage.spawn((at(0.0), Smooth::default()));
        stage.app.world_mut().entity_mut(both).insert(TranslationEasingState);
        stage.frames(5, 0.01);
    }
    let reports = reports("Two plugins");
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(reports[0].contains("Remove TransformInterpolation"), "{}", reports[0]);
}

#[test]
fn a_forgotten_plugin_is_reported() {
    listen();
    let mut stage = Stage::bare(30.0);
    stage.app.add_plugins(SimulatingSchedule(PreUpdate));
    stage.app.finish();
    for _ in 0..3 {
        stage.spawn((at(0.0), Smooth::default()));
    }
    // Other tests have worlds without the plugin too, so how often is not asked.
    for what in ["Smooth does nothing", "SimulatingSchedule does nothing"] {
        let reports = reports(what);
        assert!(!reports.is_empty() && reports[0].contains("add that to the app"), "{reports:?}");
    }
}

#[test]
#[should_panic = "Views needs PortamentoPlugin"]
fn views_without_the_plugin_say_so() {
    fn look(_: Views) {}
    let mut stage = Stage::bare(30.0).with(Update, look);
    stage.frame(0.0);
}
