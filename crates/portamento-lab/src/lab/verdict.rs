//! Who is better in a situation that users are in, by what players complain about?
//!
//! A figure counts only where the difference can be seen, in either direction: two pictures that are both smooth count as
//! equal, however small one of the numbers is. Our own older rules are no rivals.

use super::{Case, Row, Scenario};

/// Below this judder we call a picture smooth.
pub const SMOOTH: f64 = 0.05;

/// What ours does visibly better and worse than the best rival.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The names of the figures in which ours is better.
    pub better: Vec<&'static str>,
    /// The names of the figures in which it is worse.
    pub worse: Vec<&'static str>,
}

impl Verdict {
    /// One character: `+` better, `-` worse, `±` both, `=` neither.
    pub fn mark(&self) -> char {
        match (self.better.is_empty(), self.worse.is_empty()) {
            (false, true) => '+',
            (true, false) => '-',
            (false, false) => '±',
            (true, true) => '=',
        }
    }

    fn merge(&mut self, other: Self) {
        for (own, theirs) in [(&mut self.better, other.better), (&mut self.worse, other.worse)] {
            own.extend(theirs);
            own.sort_unstable();
            own.dedup();
        }
    }

    /// Compares two rows of one case.
    fn between(ours: &Row, rival: &Row) -> Self {
        let (a, b) = (&ours.figures, &rival.figures);
        // In the order: figure, ours, the rival's, how much more can be seen, by which factor.
        let way = a.ideal_speed.max(b.ideal_speed);
        let wall = |row: &Row| row.penetration.unwrap_or(0.0);
        let figures = [
            // A picture that runs ahead of the truth is no better for it.
            ("latency", a.latency.max(0.0), b.latency.max(0.0), 0.025, 1.0),
            ("back", a.reverse, b.reverse, 0.01, 1.0),
            ("freeze", a.freeze, b.freeze, 0.01, 1.0),
            ("off path", a.off_path_p99, b.off_path_p99, 0.02 * way, 1.25),
            ("slide", a.slide.time, b.slide.time, 0.017, 1.0),
            ("wall", wall(ours), wall(rival), 0.05, 1.0),
        ];
        let mut verdict = Self::default();
        let mut note = |name, ours: f64, rival: f64, seen: &dyn Fn(f64, f64) -> bool| {
            if seen(ours, rival) {
                verdict.worse.push(name);
            } else if seen(rival, ours) {
                verdict.better.push(name);
            }
        };
        note("judder", a.judder, b.judder, &|more, less| more >= SMOOTH && more > 1.25 * less);
        for (name, ours, rival, by, factor) in figures {
            note(name, ours, rival, &|more, less| more > less + by && more > factor * less);
        }
        verdict
    }
}

/// A situation that users are in: one case, or the same at several rates.
#[derive(Clone, Debug)]
pub struct Situation<'a> {
    /// What it is called.
    pub name: String,
    /// The case in which ours has most judder.
    pub worst: &'a Case,
    /// Where it lies in the list of cases.
    pub index: usize,
    /// All its cases taken together; `None` where no rival takes part.
    pub verdict: Option<Verdict>,
}

/// The situations of a run, in the order of its cases.
pub fn situations(cases: &[Case]) -> Vec<Situation<'_>> {
    let mut all: Vec<Situation<'_>> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let Some(ours) = case.ours() else { continue };
        let name = situation_name(case);
        let verdict = case.rival().map(|rival| Verdict::between(ours, rival));
        match all.last_mut().filter(|last| last.name == name && last.worst.scenario == case.scenario) {
            Some(last) => {
                if last.worst.ours().is_some_and(|worst| worst.figures.judder < ours.figures.judder) {
                    (last.worst, last.index) = (case, index);
                }
                if let Some(verdict) = verdict {
                    last.verdict.get_or_insert_default().merge(verdict);
                }
            }
            None => all.push(Situation { name, worst: case, index, verdict }),
        }
    }
    all
}

/// The case's name without its rates: five frame rates are one situation.
fn situation_name(case: &Case) -> String {
    match case.scenario {
        Scenario::Loop => "fixed ticks, own loop".to_owned(),
        Scenario::Gate | Scenario::Worker | Scenario::Camera => {
            case.name.split_once(", ").map_or(case.name.as_str(), |(name, _)| name).to_owned()
        }
        _ => case.name.clone(),
    }
}

/// How many situations are better, equal, both, worse, and without a rival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Better in something, worse in nothing.
    pub better: usize,
    /// No difference that can be seen.
    pub alike: usize,
    /// Better in something, worse in something else.
    pub mixed: usize,
    /// Worse in something, better in nothing.
    pub worse: usize,
    /// Without a rival.
    pub alone: usize,
}

impl Tally {
    /// Counts situations.
    pub fn of(situations: &[Situation<'_>]) -> Self {
        let mut tally = Self::default();
        for situation in situations {
            let count = match situation.verdict.as_ref().map(Verdict::mark) {
                Some('+') => &mut tally.better,
                Some('=') => &mut tally.alike,
                Some('-') => &mut tally.worse,
                Some(_) => &mut tally.mixed,
                None => &mut tally.alone,
            };
            *count += 1;
        }
        tally
    }

    /// Returns the number of situations with a rival.
    pub fn compared(self) -> usize {
        self.better + self.alike + self.mixed + self.worse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{self, Kind, Options};

    fn case() -> Case {
        let options = Options { seconds: 6.0, ..Options::default() };
        lab::run(&Scenario::Links.jobs(&options)[..1], &options, |_| {}).remove(0)
    }

    /// Sets the same figures for ours and one rival, then applies `change`.
    fn verdict(change: impl Fn(&mut crate::yardstick::Figures, &mut crate::yardstick::Figures)) -> Verdict {
        let mut case = case();
        let mut ours = case.ours().unwrap().clone();
        let mut rival = Row { kind: Kind::Rival, name: "rival".into(), ..ours.clone() };
        ours.figures.judder = 0.2;
        rival.figures = ours.figures.clone();
        change(&mut ours.figures, &mut rival.figures);
        case.rows = vec![rival, ours];
        situations(std::slice::from_ref(&case))[0].verdict.clone().unwrap()
    }

    #[test]
    fn what_nobody_sees_does_not_count() {
        assert_eq!(verdict(|_, _| {}).mark(), '=');
        assert_eq!(verdict(|ours, rival| (ours.judder, rival.judder) = (0.001, 0.049)).mark(), '=');
        assert_eq!(verdict(|ours, rival| (ours.judder, rival.judder) = (0.20, 0.21)).mark(), '=');
    }

    #[test]
    fn a_price_is_named_and_so_is_a_defeat() {
        let smoother = verdict(|ours, rival| (ours.judder, rival.judder) = (0.01, 0.3));
        assert_eq!((smoother.mark(), smoother.better), ('+', vec!["judder"]));
        let dear = verdict(|ours, rival| {
            (ours.judder, rival.judder) = (0.01, 0.3);
            ours.reverse += 0.05;
            ours.latency += 0.1;
        });
        assert_eq!((dear.mark(), dear.worse), ('±', vec!["latency", "back"]));
        assert_eq!(verdict(|_, rival| rival.judder = 0.01).mark(), '-');
    }

    #[test]
    fn our_older_rules_are_no_rivals_and_rates_are_one_situation() {
        let options = Options { seconds: 6.0, ..Options::default() };
        let jobs: Vec<_> = Scenario::built_in().flat_map(|s| s.jobs(&options)).collect();
        let cases = lab::run(&jobs, &options, |_| {});
        let all = situations(&cases);
        assert_eq!(all.iter().filter(|s| s.worst.scenario == Scenario::Loop).count(), 1);
        assert_eq!(all.iter().filter(|s| s.worst.scenario == Scenario::Worker).count(), 2);
        for case in &cases {
            let rival = case.rival().map_or("", |row| &row.name);
            assert!(!rival.contains("client") && !rival.contains("seed"), "{}: {rival}", case.name);
        }
        let tally = Tally::of(&all);
        assert_eq!(tally.compared() + tally.alone, all.len());
    }
}
