//! The snapshot buffer against the reference strategies, on links made from a seed. Recorded traces are run by the same
//! code: `portamento contest --data DIR`.

use portamento_lab::contest::{Score, median_judder_left, synthetic};

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
