//! System `gate`: a quantum gate and one body that moves at a steady velocity.

use crate::steps::check_place;
use crate::{BodyEvent, Drive, Fields, System, line};
use serde::Serialize;

/// The rule that a script names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateScriptRule {
    /// `even`.
    Even,
    /// `client`.
    Client,
    /// `seed`.
    Seed,
}

/// What the header of `gate` says. `None` for the rule's default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateHeader {
    /// The rule.
    pub rule: GateScriptRule,
    /// The shortest quantum.
    pub min: Option<f64>,
    /// The longest quantum.
    pub max: Option<f64>,
    /// Pending time beyond this is stale.
    pub huge: Option<f64>,
    /// Where the body starts.
    pub start: [f64; 3],
    /// Its velocity.
    pub velocity: [f64; 3],
}

/// The state after an event of `gate`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateOutput {
    /// The lengths of the quanta that ran in this event.
    pub quanta: Vec<f64>,
    /// Whether this event's time was stale.
    pub stale: bool,
    /// Place between two ends.
    pub alpha: f64,
    /// How far the picture advanced in this event.
    pub presented: f64,
    /// The truth.
    pub position: [f64; 3],
    /// What is drawn.
    pub view: [f64; 3],
}

struct Gate<D>(D);

pub(crate) fn begin<D>(mut header: Fields) -> Result<Box<dyn System>, String>
where
    D: Drive<GateHeader, BodyEvent, GateOutput> + 'static,
{
    let rule = match header.text("rule")?.as_deref() {
        None | Some("even") => GateScriptRule::Even,
        Some("client") => GateScriptRule::Client,
        Some("seed") => GateScriptRule::Seed,
        Some(other) => return Err(format!("unknown rule {other:?}: give even, client or seed")),
    };
    let read = GateHeader {
        rule,
        min: header.number("min")?,
        max: header.number("max")?,
        huge: header.number("huge")?,
        start: header.vector("start")?.unwrap_or_default(),
        velocity: header.vector("velocity")?.unwrap_or_default(),
    };
    header.finish()?;
    Ok(Box::new(Gate(D::begin(read)?)))
}

impl<D: Drive<GateHeader, BodyEvent, GateOutput>> System for Gate<D> {
    fn event(&mut self, event: Fields) -> Result<String, String> {
        let output = self.0.event(BodyEvent::read(event)?)?;
        check_place(&output.position)?;
        Ok(line(&output))
    }
}
