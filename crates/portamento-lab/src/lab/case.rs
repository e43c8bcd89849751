//! One situation, drawn by several strategies.

use super::{Options, Scenario};
use crate::strategy::oracle::floors;
use crate::strategy::rivals::Curve;
use crate::strategy::{Drawn, Feed};
use crate::yardstick::{Figures, Motion, Rules, Wall, measure};
use serde::Serialize;
use std::fmt;

/// What a strategy is in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Knows everything: what could be reached.
    Floor,
    /// No smoothing at all.
    Raw,
    /// What users would pick instead.
    Rival,
    /// One of this library's older rules: shown, but no rival.
    Older,
    /// This library.
    Ours,
}

/// A strategy's run and its figures.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is called in tables and plots.
    pub name: String,
    /// What it is in the comparison.
    pub kind: Kind,
    /// What it drew.
    pub drawn: Drawn<[f64; 3]>,
    /// How smooth that was.
    pub figures: Figures,
    /// How far it entered the wall, where there is one.
    pub penetration: Option<f64>,
}

/// One situation with everything that was drawn in it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scenario it belongs to.
    pub scenario: Scenario,
    /// Short name, unique in a run.
    pub name: String,
    /// The setting in a sentence.
    pub setting: String,
    /// What really happened.
    pub motion: Motion<[f64; 3]>,
    /// The wall in the scene.
    pub wall: Option<Wall>,
    /// How it was measured.
    pub rules: Rules,
    /// Where the playback begins, if not where the measuring does.
    pub play_from: Option<f64>,
    /// Whether distances are angles (radians on a sphere of radius 1).
    pub turning: bool,
    /// Floors first, then raw, rivals, ours.
    pub rows: Vec<Row>,
}

impl Case {
    pub(super) fn new(
        scenario: Scenario,
        name: impl Into<String>,
        setting: impl Into<String>,
        motion: Motion<[f64; 3]>,
        rules: Rules,
    ) -> Self {
        let (name, setting) = (name.into(), setting.into());
        Self {
            scenario,
            name,
            setting,
            motion,
            wall: None,
            rules,
            play_from: None,
            turning: false,
            rows: Vec::new(),
        }
    }

    /// Measures what a strategy drew and adds it.
    pub(super) fn add(&mut self, kind: Kind, name: impl Into<String>, drawn: Drawn<[f64; 3]>) {
        let figures = measure(&self.motion, &drawn, &self.rules);
        self.add_measured(kind, name, drawn, figures);
    }

    /// Adds what was measured already.
    pub(super) fn add_measured(
        &mut self,
        kind: Kind,
        name: impl Into<String>,
        drawn: Drawn<[f64; 3]>,
        figures: Figures,
    ) {
        let penetration = self.wall.map(|wall| wall.penetration(&self.motion, &drawn, figures.latency));
        self.rows.push(Row { name: name.into(), kind, drawn, figures, penetration });
    }

    /// Adds the floors, `delay` seconds late.
    pub(super) fn add_floors(&mut self, feed: &Feed<[f64; 3]>, frames: &[f64], delay: f64, curve: Curve) {
        for (name, drawn) in floors(&self.motion, feed, frames, delay, curve) {
            self.add(Kind::Floor, name, drawn);
        }
    }

    /// The row of a kind with the least judder among those that will do.
    pub fn smoothest(&self, kind: Kind, will_do: impl Fn(&Figures) -> bool) -> Option<&Row> {
        let rows = self.rows.iter().filter(|r| r.kind == kind && will_do(&r.figures));
        rows.min_by(|a, b| a.figures.judder.total_cmp(&b.figures.judder))
    }

    /// Ours with the least judder.
    pub fn ours(&self) -> Option<&Row> {
        self.smoothest(Kind::Ours, |_| true)
    }

    /// No smoothing at all.
    pub fn raw(&self) -> Option<&Row> {
        self.rows.iter().find(|r| r.kind == Kind::Raw)
    }

    /// The rival to compare with: the smoothest of those that are no later than ours by more than 2 ms; when
    /// there is no such one, the smoothest of all.
    pub fn rival(&self) -> Option<&Row> {
        let limit = self.latency_limit();
        self.smoothest(Kind::Rival, |f| f.latency <= limit).or_else(|| self.smoothest(Kind::Rival, |_| true))
    }

    /// The smoothest rival of those that are later than that, if it is smoother than ours: what more delay buys.
    pub fn smoother_but_later(&self) -> Option<&Row> {
        let (limit, ours) = (self.latency_limit(), self.ours()?.figures.judder);
        self.smoothest(Kind::Rival, |f| f.latency > limit && f.judder < ours)
    }

    /// How late a rival may be to count as no later than ours.
    fn latency_limit(&self) -> f64 {
        self.ours().map_or(f64::INFINITY, |ours| ours.figures.latency + 0.002)
    }
}

type Work = dyn Fn(&str, &Options) -> Case + Send + Sync;

/// A case that is still to be run.
pub struct Job {
    /// The case's name.
    pub name: String,
    work: Box<Work>,
}

impl Job {
    /// `work` is given the name.
    pub(super) fn new(
        name: impl Into<String>,
        work: impl Fn(&str, &Options) -> Case + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), work: Box::new(work) }
    }

    /// Runs it.
    pub fn run(&self, options: &Options) -> Case {
        (self.work)(&self.name, options)
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("name", &self.name).finish_non_exhaustive()
    }
}
