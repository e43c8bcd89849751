//! A small plotter: scales, axes and curves as SVG whose colours come from the page's style sheet, so that one
//! picture serves the light and the dark theme.

use std::fmt::Write;

/// Width and height of every plot in its own units; the page scales it.
const SIZE: (f64, f64) = (520.0, 340.0);

/// The whole area inside the axes.
pub const FRAME: Frame = Frame { left: 46.0, top: 26.0, right: SIZE.0 - 12.0, bottom: SIZE.1 - 40.0 };

/// How numbers become places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// Even steps for even differences.
    pub fn linear(low: f64, high: f64, from: f64, to: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, from, to, log: false }
    }

    /// Even steps for even ratios; both ends must be above zero.
    pub fn log(low: f64, high: f64, from: f64, to: f64) -> Self {
        let high = if high > low { high } else { low * 10.0 };
        Self { low: libm::log10(low), high: libm::log10(high), from, to, log: true }
    }

    /// Where a value is drawn; what lies outside is drawn at the edge.
    pub fn at(&self, value: f64) -> f64 {
        let value = if self.log { libm::log10(value.max(f64::MIN_POSITIVE)) } else { value };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Round values to label, about `count` of them.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        if self.log {
            let (low, high) = (self.low.ceil() as i32, self.high.floor() as i32);
            return (low..=high).map(|power| libm::pow(10.0, f64::from(power))).collect();
        }
        let rough = (self.high - self.low) / count as f64;
        let unit = libm::pow(10.0, libm::log10(rough).floor());
        let step = unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * unit >= rough).unwrap_or(10.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

/// A number as short as its size allows.
pub fn short(value: f64) -> String {
    let digits = match value.abs() {
        v if v == 0.0 || v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        v if v >= 0.01 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Text that is safe inside HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The box inside the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
}

/// An SVG picture being drawn.
#[derive(Debug)]
pub struct Picture {
    svg: String,
}

impl Picture {
    /// An empty picture; `label` says what it shows to those who cannot see it.
    pub fn new(class: &str, label: &str) -> Self {
        let ((width, height), label) = (SIZE, escape(label));
        Self {
            svg: format!(
                "<svg class=\"plot {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">"
            ),
        }
    }

    /// The finished SVG.
    pub fn finish(mut self) -> String {
        self.svg.push_str("</svg>");
        self.svg
    }

    /// Anything else.
    pub fn raw(&mut self, svg: &str) {
        self.svg.push_str(svg);
    }

    /// Grid lines and labels of an x axis below the frame.
    pub fn x_axis(&mut self, frame: &Frame, scale: &Scale, count: usize, label: &str) {
        for tick in scale.ticks(count) {
            let x = scale.at(tick);
            let (top, bottom) = (frame.top, frame.bottom);
            let _ = write!(
                self.svg,
                "<path class=\"grid\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 17.0,
                short(tick)
            );
        }
        let (right, below) = (frame.right, frame.bottom + 34.0);
        let _ = write!(
            self.svg,
            "<text class=\"axis\" x=\"{right:.1}\" y=\"{below:.1}\" text-anchor=\"end\">{}</text>",
            escape(label)
        );
    }

    /// Grid lines and labels of a y axis left of the frame; its name stands above.
    pub fn y_axis(&mut self, frame: &Frame, scale: &Scale, count: usize, label: &str) {
        for tick in scale.ticks(count) {
            let y = scale.at(tick);
            let _ = write!(
                self.svg,
                "<path class=\"grid\" d=\"M{:.1} {y:.1}H{:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                frame.left,
                frame.right,
                frame.left - 8.0,
                y + 4.0,
                short(tick)
            );
        }
        let _ = write!(
            self.svg,
            "<text class=\"axis\" x=\"2\" y=\"{:.1}\">{}</text>",
            frame.top - 9.0,
            escape(label)
        );
    }

    /// A line through points, broken where `None`.
    pub fn line(&mut self, class: &str, points: impl Iterator<Item = Option<(f64, f64)>>) {
        let mut path = String::new();
        let mut pen_up = true;
        for point in points {
            match point {
                Some((x, y)) => {
                    let _ = write!(path, "{}{x:.1} {y:.1}", if pen_up { 'M' } else { 'L' });
                    pen_up = false;
                }
                None => pen_up = true,
            }
        }
        let _ = write!(self.svg, "<path class=\"curve {class}\" d=\"{path}\"/>");
    }

    /// A filled band between two curves given as (x, low, high).
    pub fn band(&mut self, class: &str, points: &[(f64, f64, f64)]) {
        let mut path = String::new();
        for (i, (x, _, high)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {high:.1}", if i == 0 { 'M' } else { 'L' });
        }
        for (x, low, _) in points.iter().rev() {
            let _ = write!(path, "L{x:.1} {low:.1}");
        }
        let _ = write!(self.svg, "<path class=\"band {class}\" d=\"{path}Z\"/>");
    }

    /// Text at a place.
    pub fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = write!(
            self.svg,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }
}

/// How wide a label may become: as large as the style sheet makes it on a phone, in a wide font.
pub fn label_width(label: &str, bold: bool) -> f64 {
    label.chars().count() as f64 * if bold { 9.0 } else { 7.8 }
}

/// Where labels stand.
#[derive(Clone, Debug)]
pub struct Labels {
    /// (x, y, anchor) per label, in the order of the points.
    pub places: Vec<(f64, f64, &'static str)>,
    /// How far they are from their points altogether, and dearly, what they cross and cover.
    pub cost: f64,
}

/// From here on a label needs a line that leads to its point.
pub const LEADER: f64 = 20.0;

type Area = [f64; 4];

fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Finds places for labels of a width beside points (x, y, width) such that they cover neither each other nor a point,
/// and, if that can be, such that no leader crosses a label. `reserved` is an area (left, top, right, bottom) to keep
/// free.
pub fn place_labels(points: &[(f64, f64, f64)], frame: &Frame, reserved: Option<Area>) -> Labels {
    const HEIGHT: f64 = 16.0;
    const CROSSED: f64 = 100.0;
    const COVERED: f64 = 1000.0;
    let mut taken: Vec<Area> = points.iter().map(|(x, y, _)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let mut labels: Vec<Area> = reserved.into_iter().collect();
    taken.extend(reserved);
    let mut leaders: Vec<Area> = Vec::new();
    let mut out = Labels { places: Vec::new(), cost: 0.0 };
    for &(x, y, width) in points {
        let mut choices = Vec::new();
        for away in (0..14).map(|step| 12.0 * f64::from(step)) {
            for side in [-1.0, 1.0] {
                let middle = y + side * away;
                choices.push((x + 9.0, middle + 4.0, "start", [x + 8.0, x + 10.0 + width]));
                choices.push((x - 9.0, middle + 4.0, "end", [x - 10.0 - width, x - 8.0]));
                let over = y + side * (14.0 + away) + 4.0;
                choices.push((x, over, "middle", [x - width / 2.0, x + width / 2.0]));
            }
        }
        let area = |choice: &(f64, f64, &'static str, [f64; 2])| -> Area {
            [choice.3[0], choice.1 - HEIGHT + 3.0, choice.3[1], choice.1 + 3.0]
        };
        let leader = |choice: &(f64, f64, &'static str, [f64; 2])| -> Option<Area> {
            let (low, high) = (y.min(choice.1 - 4.0), y.max(choice.1 - 4.0));
            let between = [x.min(choice.0) - 1.0, low + 6.0, x.max(choice.0) + 1.0, high - 6.0];
            (high - low > LEADER).then_some(between)
        };
        let free: Vec<_> = choices
            .iter()
            .filter(|choice| {
                let a = area(choice);
                let inside = a[0] >= frame.left - 2.0
                    && a[2] <= frame.right + 6.0
                    && a[1] >= frame.top - 4.0
                    && a[3] <= frame.bottom;
                inside && !taken.iter().any(|t| overlap(t, &a))
            })
            .collect();
        let uncrossed = free.iter().find(|choice| {
            let crossed = leader(choice).is_some_and(|line| labels.iter().any(|l| overlap(l, &line)));
            !crossed && !leaders.iter().any(|l| overlap(l, &area(choice)))
        });
        let (choice, cost) = match (uncrossed, free.first()) {
            (Some(choice), _) => (*choice, 0.0),
            (None, Some(choice)) => (*choice, CROSSED),
            (None, None) => (&choices[0], COVERED),
        };
        out.cost += cost + ((choice.1 - 4.0 - y).abs() - 15.0).max(0.0);
        taken.push(area(choice));
        labels.push(area(choice));
        leaders.extend(leader(choice));
        out.places.push((choice.0, choice.1, choice.2));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_scale() {
        assert_eq!(Scale::linear(0.0, 10.0, 0.0, 100.0).ticks(5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(Scale::log(0.005, 3.0, 0.0, 100.0).ticks(9), [0.01, 0.1, 1.0]);
    }

    #[test]
    fn what_lies_outside_is_drawn_at_the_edge() {
        let scale = Scale::linear(0.0, 10.0, 100.0, 0.0);
        assert_eq!((scale.at(-5.0), scale.at(5.0), scale.at(1e9)), (100.0, 50.0, 0.0));
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        for (value, text) in [(0.0, "0"), (1500.0, "1500"), (0.05, "0.05"), (0.0012, "0.0012"), (2.5, "2.5")]
        {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn labels_of_points_in_one_place_do_not_cover_each_other() {
        let frame = Frame { left: 0.0, top: 0.0, right: 500.0, bottom: 300.0 };
        let points: Vec<_> =
            (0..14).map(|k| (200.0 + f64::from(k), 150.0, label_width("label", false))).collect();
        let places = place_labels(&points, &frame, None).places;
        for (k, (x, y, anchor)) in places.iter().enumerate() {
            let same = |other: &(f64, f64, &str)| other.2 == *anchor && (other.1 - y).abs() < 11.0;
            assert!(!places[..k].iter().any(same), "label {k} at {x} {y}, {anchor}");
        }
    }
}
