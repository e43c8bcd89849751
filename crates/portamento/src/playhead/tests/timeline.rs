use super::*;
use crate::Drawn;
use crate::blend::Moving;

fn shown(at: f64) -> Shown {
    Shown { at, presented: 0.0, beyond: 0.0, skipped: 0.0 }
}

#[test]
fn nothing_is_drawn_before_the_first_tick_and_then_exactly_that() {
    let mut timeline = Timeline::<f64>::new();
    assert_eq!((timeline.view(shown(0.0)), timeline.place(shown(0.0))), (None, None));
    timeline.push(5.0, 1.25);
    for at in [0.0, 5.0, 9.0] {
        assert_eq!(timeline.view(shown(at)), Some(1.25));
    }
    assert_eq!(timeline.place(shown(5.0)), Some(TimelinePlace::Newest));
}

#[test]
fn between_two_ticks_the_view_lies_at_alpha() {
    let mut timeline = Timeline::<f64>::new();
    for (sim, value) in [(0.0, 0.0), (1.0, 10.0), (3.0, 30.0)] {
        timeline.push(sim, value);
    }
    for (at, alpha, value) in
        [(0.0, 0.0, 0.0), (0.25, 0.25, 2.5), (1.0, 0.0, 10.0), (2.0, 0.5, 20.0), (3.0, 1.0, 30.0)]
    {
        assert_eq!(timeline.place(shown(at)).unwrap().alpha(), alpha, "{at}");
        assert_eq!(timeline.view(shown(at)), Some(value), "{at}");
    }
}

#[test]
fn a_cut_never_shows_a_place_between() {
    let mut timeline = Timeline::<f64>::new();
    timeline.push(0.0, 0.0);
    timeline.cut(1.0, 100.0);
    timeline.push(2.0, 101.0);
    assert_eq!(timeline.view(shown(0.999)), Some(0.0));
    assert_eq!(timeline.view(shown(1.0)), Some(100.0));
    assert_eq!(timeline.view(shown(1.5)), Some(100.5));
    assert_eq!(timeline.place(shown(0.5)).unwrap().alpha(), 0.5);
}

/// What is drawn at each of the moments, and whether it says that a cut lies before it.
fn drawn<const K: usize>(timeline: &mut Timeline<f64, K>, moments: &[f64]) -> Vec<(f64, bool)> {
    moments.iter().map(|&at| timeline.draw(shown(at)).unwrap()).map(|drawn| (drawn.now, drawn.cut)).collect()
}

#[test]
fn a_cut_is_told_in_the_frame_that_draws_its_far_side() {
    let mut timeline = Timeline::<f64>::new();
    assert_eq!(timeline.draw(shown(0.0)), None);
    timeline.push(0.0, 0.0);
    timeline.cut(1.0, 100.0);
    timeline.push(2.0, 101.0);
    assert_eq!(drawn(&mut timeline, &[0.5, 0.99]), [(0.0, true), (0.0, false)], "its first frame is one");
    assert_eq!(drawn(&mut timeline, &[1.0, 1.5]), [(100.0, true), (100.5, false)]);
    timeline.rebase(|x| *x += 1000.0);
    assert_eq!(
        timeline.draw(shown(2.0)),
        Some(Drawn { now: 1101.0, before: 1100.5, cut: false }),
        "a moved origin is none"
    );
    timeline.clear();
    timeline.push(0.0, 7.0);
    assert_eq!(timeline.draw(shown(0.0)), Some(Drawn { now: 7.0, before: 7.0, cut: true }), "a new life");
}

#[test]
fn a_cut_is_told_when_its_moment_was_over_before_it_came_in() {
    let mut timeline = Timeline::<f64>::new();
    timeline.push(0.0, 0.0);
    timeline.push(1.0, 1.0);
    assert_eq!(drawn(&mut timeline, &[1.0, 1.5]), [(1.0, true), (1.5, false)], "an extrapolating playhead");
    timeline.cut(1.25, 100.0);
    assert_eq!(drawn(&mut timeline, &[1.5, 1.5]), [(100.0, true), (100.0, false)]);
    for far in [200.0, 300.0] {
        timeline.cut(1.25, far);
        assert_eq!(drawn(&mut timeline, &[1.5, 1.5]), [(far, true), (far, false)], "another at that moment");
    }
    timeline.push(1.25, 301.0);
    assert_eq!(drawn(&mut timeline, &[1.5]), [(301.0, false)], "and a value that only replaces it");
}

#[test]
fn a_cut_is_told_when_it_was_forgotten_before_it_could_be_drawn() {
    let mut timeline = Timeline::<f64, 4>::default();
    timeline.push(0.0, 0.0);
    assert_eq!(drawn(&mut timeline, &[0.0]), [(0.0, true)]);
    timeline.cut(1.0, 100.0);
    for tick in 2..9 {
        timeline.push(f64::from(tick), 99.0 + f64::from(tick));
    }
    assert_eq!(drawn(&mut timeline, &[0.5, 1.5]), [(104.0, true), (104.0, false)]);
}

#[test]
fn a_cut_at_the_newest_moment_leaves_what_leads_there_alone() {
    let mut timeline = Timeline::<f64>::new();
    timeline.push(0.0, 0.0);
    timeline.push(1.0, 10.0);
    assert_eq!(timeline.view(shown(0.5)), Some(5.0));
    timeline.cut(0.7, 100.0);
    assert_eq!(timeline.view(shown(0.6)), Some(6.0), "no step back while the old way is walked");
    assert_eq!(timeline.view(shown(1.0)), Some(100.0), "its time counts as the newest");
    assert_eq!(timeline.view(shown(1.5)), Some(100.0), "no span to extrapolate over");
}

#[test]
fn a_repeated_time_replaces_the_value_and_nonsense_is_refused() {
    let mut timeline = Timeline::<f64>::new();
    assert!(timeline.push(1.0, 1.0));
    assert!(timeline.push(1.0, 2.0));
    assert!(timeline.push(0.5, 3.0));
    assert_eq!(timeline.truth(), Some(&3.0));
    assert!(!timeline.push(f64::NAN, 9.0) && !timeline.cut(f64::INFINITY, 9.0));
    assert_eq!((timeline.refused, timeline.truth()), (2, Some(&3.0)));
}

#[test]
fn what_is_no_longer_kept_is_drawn_as_the_oldest_and_says_so() {
    let mut timeline = Timeline::<f64, 4>::default();
    for tick in 0..10 {
        timeline.push(f64::from(tick), f64::from(tick));
    }
    assert_eq!(timeline.place(shown(3.0)), Some(TimelinePlace::Forgotten));
    assert_eq!(timeline.view(shown(3.0)), Some(6.0));
    assert_eq!(timeline.view(shown(6.5)), Some(6.5));
}

#[test]
fn frames_that_wanted_an_older_value_than_is_kept_are_counted() {
    let mut timeline = Timeline::<f64, 4>::default();
    let frame = |at| Shown { presented: 0.1, ..shown(at) };
    for tick in 0..4 {
        timeline.push(f64::from(tick), f64::from(tick));
        assert!(timeline.draw(frame(-1.0)).is_some());
    }
    assert_eq!(timeline.forgotten, 0, "before the first tick of all nothing was dropped");
    for tick in 4..6 {
        timeline.push(f64::from(tick), f64::from(tick));
    }
    assert_eq!(timeline.draw(frame(0.5)).unwrap().now, 2.0);
    assert_eq!(timeline.draw(frame(0.5)).unwrap().now, 2.0);
    assert_eq!(timeline.forgotten, 1, "a frame that is drawn twice counts once");
    assert!(timeline.draw(frame(2.5)).is_some());
    assert_eq!(timeline.forgotten, 1);
}

#[test]
fn past_the_newest_plain_values_go_straight_on_and_moving_ones_by_their_velocity() {
    let mut plain = Timeline::<f64>::new();
    plain.push(0.0, 0.0);
    plain.push(0.5, 1.0);
    assert_eq!(plain.place(shown(0.75)), Some(TimelinePlace::Beyond { seconds: 0.25 }));
    assert_eq!(plain.view(shown(0.75)), Some(1.5));

    let moving = |value, velocity| Moving { value, velocity, step: 0.5 };
    let mut body = Timeline::<Moving<f64>>::new();
    body.push(0.0, moving(0.0, 2.0));
    body.push(0.5, moving(1.0, -4.0));
    assert_eq!(body.view(shown(0.75)).unwrap().value, 0.0, "a quarter second at -4");
    body.cut(1.0, moving(50.0, 1.0));
    assert_eq!(body.view(shown(1.5)).unwrap().value, 50.5, "its own velocity, nothing from before the cut");
}

#[test]
fn a_rebase_is_not_seen() {
    let mut timeline = Timeline::<[f64; 2]>::new();
    timeline.push(0.0, [1000.0, 1.0]);
    timeline.push(1.0, [1001.0, 2.0]);
    timeline.rebase(|p| p[0] -= 1000.0);
    assert_eq!(timeline.view(shown(0.5)), Some([0.5, 1.5]));
    timeline.clear();
    assert_eq!(timeline.view(shown(0.5)), None);
}

proptest! {
    #[test]
    fn a_timeline_agrees_with_a_search_through_everything(
        ticks in proptest::collection::vec((0..30u32, -5.0..5.0f64, prop::bool::weighted(0.2)), 1..12),
        at in -1.0..31.0f64,
    ) {
        let mut timeline = Timeline::<f64, 16>::default();
        // All ticks as (time, value, cut), times made to rise; an equal time replaces, unless a cut begins there.
        let mut all: Vec<(f64, f64, bool)> = Vec::new();
        for (sim, value, cut) in ticks {
            let sim = f64::from(sim);
            if cut { timeline.cut(sim, value) } else { timeline.push(sim, value) };
            match all.last_mut() {
                Some(last) if sim <= last.0 && (last.2 || !cut) => last.1 = value,
                Some(last) => {
                    let sim = sim.max(last.0);
                    all.push((sim, value, cut));
                }
                None => all.push((sim, value, cut)),
            }
        }
        let before = all.iter().rev().find(|tick| tick.0 <= at);
        let after = all.iter().find(|tick| tick.0 > at);
        let want = match (before, after) {
            (None, _) => all[0].1,
            (Some(from), Some(to)) if !to.2 => from.1 + (to.1 - from.1) * ((at - from.0) / (to.0 - from.0)),
            (Some(from), Some(_)) => from.1,
            (Some(_), None) => return Ok(()), // extrapolation has its own test
        };
        let got = timeline.view(shown(at)).unwrap();
        prop_assert!((got - want).abs() < 1e-9, "{} instead of {}", got, want);
    }
}

#[test]
fn drawn_twice_in_a_frame_a_timeline_returns_the_same() {
    let mut timeline = Timeline::<f64>::new();
    let mut cuts = 0;
    for tick in 0..60 {
        let sim = f64::from(tick) * 0.1;
        if tick % 10 == 5 {
            timeline.cut(sim, sim + 50.0)
        } else {
            timeline.push(sim, sim)
        };
        for frame in 0..3 {
            let shown =
                Shown { presented: 0.1 / 3.0, ..Shown::still(sim - 0.1 + f64::from(frame) * 0.1 / 3.0) };
            let first = timeline.draw(shown).unwrap();
            assert_eq!(timeline.draw(shown).unwrap(), first, "tick {tick}, frame {frame}");
            cuts += u32::from(first.cut);
        }
    }
    assert_eq!(cuts, 7, "the first frame, and a cut in ten ticks");
    // Standing still, the next drawing is the next frame.
    let still = Shown::still(100.0);
    let _ = timeline.draw(still);
    let stands = timeline.draw(still).unwrap();
    assert_eq!((stands.before, stands.cut), (stands.now, false));
}
