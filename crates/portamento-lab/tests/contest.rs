//! The snapshot buffer against the reference strategies, on links made from a seed. Recorded traces are run by the same
//! code: `portamento contest --data DIR`.

use portamento_lab::contest::{Score, median_judder_left, others, synthetic};

#[test]
fn no_reference_strategy_is_both_earlier_and_smoother_and_little_judder_is_left() {
    let scores: Vec<Score> = synthetic().iter().map(|case| case.score()).collect();
    for score in &scores {
        let better: Vec<&str> = score.better_in_both().iter().map(|(name, _)| name.as_str()).collect();
        assert!(better.is_empty(), "{}: {better:?} better than {:?}", score.name, score.ours);
        assert!(
            score.ours.off_path_p99 <= score.off_path_allowed(),
            "{}: {} off the path, {} allowed",
            score.name,
            score.ours.off_path_p99,
            score.off_path_allowed()
        );
        assert_eq!(score.ours.slide.time, 0.0, "{}", score.name);
    }
    let median = median_judder_left(&scores).unwrap();
    assert!(median <= 0.2, "median {median}");
}

#[test]
fn on_other_motions_and_links_little_of_the_judder_is_left() {
    let scores: Vec<Score> = others(0).iter().map(|case| case.score()).collect();
    let lost: Vec<_> = scores.iter().flat_map(Score::better_in_both).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let median = median_judder_left(&scores).unwrap();
    assert!(median <= 0.15, "median {median}");
    let worst = scores.iter().filter_map(Score::judder_left).fold(0.0, f64::max);
    assert!(worst <= 0.55, "worst {worst}");
    // Known: a bird over a stream with loss at 40 messages a second, by 1.14 times what is allowed.
    let far: Vec<_> = scores.iter().filter(|s| s.ours.off_path_p99 > s.off_path_allowed()).collect();
    assert!(scores.iter().all(|s| s.ours.off_path_p99 <= 1.2 * s.off_path_allowed()), "{far:?}");
    assert!(far.len() <= 1 && far.iter().all(|s| s.name == "bird, stream with loss, 40 Hz"), "{far:?}");
}
